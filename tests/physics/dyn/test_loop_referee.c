// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// MuJoCo as referee of equality constraints. Rows of the Jacobian and residuals are exact in both programs and must
// agree to rounding, in random states. Accelerations can only be compared at rest and closed, and roughly: MuJoCo's
// constraints are soft by solimp (at least 1e-4 of the free acceleration), correct errors by solref, and leave dJ/dt v
// out.
#include <mujoco/mujoco.h>

#include <footfall/load.h>
#include <footfall/loop.h>

#include "check.h"
#include "support/mujoco_text.h"
#include "support/random_robot.h"

#define BODIES                                                                                                         \
    "<mujoco><option gravity='0.5 1 -9.81' tolerance='1e-14' iterations='200'><flag "                                  \
    "contact='disable'/></option><compiler angle='radian'/>"                                                           \
    "<default><geom density='800'/><equality solref='0.002 1' solimp='0.9999 0.9999 0.001 0.5 2'/></default>"          \
    "<worldbody><body name='crank'><joint name='crank' axis='0 1 0' ref='0.2'/>"                                       \
    "  <geom type='capsule' size='0.03' fromto='0 0 0 0 0 0.3'/>"                                                      \
    "  <body name='coupler' pos='0 0 0.3'><joint name='coupler' axis='0 1 0'/>"                                        \
    "   <geom type='capsule' size='0.03' fromto='0 0 0 0.9 0 0.2'/></body></body>"                                     \
    "<body name='rocker' pos='1 0 0'><joint name='rocker' type='ball'/>"                                               \
    "  <geom type='capsule' size='0.04' fromto='0 0 0 -0.1 0 0.5'/></body>"                                            \
    "<body name='gear' pos='0 0.5 0' quat='0.8 0.6 0 0'><joint name='gear' axis='1 2 0'/>"                             \
    "  <joint name='slide' type='slide' axis='0 0 1'/><geom size='0.1' pos='0.1 0 0'/></body>"                         \
    "<body name='plate' pos='0.9 0 0.9'><freejoint/><geom type='box' size='0.1 0.2 0.03'/></body>"                     \
    "<body name='bracket' pos='0 0 0.1'><joint name='bracket' type='ball'/><geom size='0.1' pos='0 0.2 0'/></body>"    \
    "</worldbody><equality>"                                                                                           \
    "<connect name='pin' body1='coupler' body2='rocker' anchor='0.9 0 0.2'/>"                                          \
    "<joint name='train' joint1='gear' joint2='crank' polycoef='0 0.5 -0.3 0.2 0.1'/>"                                 \
    "<joint name='lock' joint1='slide' polycoef='0 0 0 0 0'/>"                                                         \
    "<connect name='hook' body1='bracket' anchor='0 0 0.05'/>"
#define END "</equality></mujoco>"

static const char MECHANISM[] = BODIES "<weld name='glue' body1='rocker' body2='plate'/>" END;

typedef struct pair {
    ff_model *m;
    ff_data *d;
    ff_loops *l;
    mjModel *theirs;
    mjData *their_data;
} pair;

static pair load(const char *text)
{
    pair p = {0};
    p.theirs = mujoco_of_text(text);
    p.their_data = mj_makeData(p.theirs);
    ff_report report = {0};
    ff_spec *spec = ff_spec_create(NULL);
    if (ff_spec_parse(spec, "mjcf", text, strlen(text), "m.xml", NULL, &report) == FF_OK)
        p.m = ff_model_compile(spec, NULL, &report);
    if (!p.m) CHECK_FAIL("%s", report.count ? report.messages[0].text : "no model");
    ff_spec_destroy(spec);
    ff_report_clear(&report);
    p.d = ff_data_create(p.m, NULL);
    p.l = ff_loops_create(p.m, NULL);
    CHECK_INT(p.m->nq, p.theirs->nq);
    CHECK_INT(p.l->nloop, p.theirs->neq);
    return p;
}

static void done(pair *p)
{
    ff_loops_destroy(p->l);
    ff_data_destroy(p->d);
    ff_model_destroy(p->m);
    mj_deleteData(p->their_data);
    mj_deleteModel(p->theirs);
}

/// Our row `row` of a loop, dense.
static void dense(const ff_model *m, const ff_loop *loop, int row, double *out)
{
    memset(out, 0, (size_t)m->nv * sizeof *out);
    for (int k = 0; k < loop->ndof; k++) out[loop->dofs[k]] += loop->jacobian[row * loop->ndof + k];
}

/// Rows agree up to the sign of the difference, point 2 minus point 1 or the reverse.
static void compare_loop(const pair *p, const ff_loop *loop, int rows)
{
    const int nv = p->m->nv;
    double ours[64], sign = 0.0;
    for (int r = 0; r < rows; r++) {
        const double *theirs = p->their_data->efc_J + (loop->row + r) * nv;
        dense(p->m, loop, r, ours);
        for (int i = 0; i < nv; i++)
            if (sign == 0.0 && fabs(ours[i]) > 1e-3) sign = ours[i] * theirs[i] > 0.0 ? 1.0 : -1.0;
        for (int i = 0; i < nv; i++) CHECK_NEAR(sign * ours[i], theirs[i], 1e-12);
        CHECK_NEAR(sign * p->l->phi[loop->row + r], p->their_data->efc_pos[loop->row + r], 1e-12);
    }
}

TEST(rows_and_gaps_are_those_of_mujoco)
{
    pair p = load(MECHANISM);
    if (mj_isSparse(p.theirs)) SKIP("MuJoCo keeps this Jacobian sparse");
    ff_random random = ff_random_make(4, 0);
    for (int state = 0; state < 50; state++) {
        random_vector(&random, p.d->q, p.m->nq, 1.5);
        ff_dyn_normalise(p.m, p.d->q);
        memcpy(p.their_data->qpos, p.d->q, (size_t)p.m->nq * sizeof(double));
        mj_fwdPosition(p.theirs, p.their_data);
        CHECK_INT(p.their_data->ne, p.l->nrow);
        ff_dyn_kinematics(p.m, p.d);
        ff_loops_position(p.m, p.d, p.l);
        for (int i = 0; i < p.l->nloop; i++)
            // MuJoCo gives the turn of a weld in other axes, and scaled
            compare_loop(&p, &p.l->loops[i], p.l->loops[i].nrow == 6 ? 3 : p.l->loops[i].nrow);
    }
    done(&p);
}

TEST(accelerations_at_rest_are_those_of_mujoco_up_to_its_softness)
{
    pair p = load(MECHANISM);
    ff_random random = ff_random_make(9, 0);
    for (int state = 0; state < 20; state++) {
        random_vector(&random, p.d->tau, p.m->nv, 3.0);
        memcpy(p.their_data->qpos, p.d->q, (size_t)p.m->nq * sizeof(double));
        memcpy(p.their_data->qfrc_applied, p.d->tau, (size_t)p.m->nv * sizeof(double));
        mj_forward(p.theirs, p.their_data);
        ff_dyn_kinematics(p.m, p.d);
        ff_dyn_velocity(p.m, p.d);
        CHECK(ff_loops_forward(p.m, p.d, p.l));
        double size = 0.0;
        for (int i = 0; i < p.m->nv; i++) size = fmax(size, fabs(p.their_data->qacc_smooth[i]));
        for (int i = 0; i < p.m->nv; i++)
            CHECK_NEAR(p.d->qacc[i], p.their_data->qacc[i],
                       1e-3 * size); // 1e-4 of the free accelerations remains, and spreads
    }
    done(&p);
}
