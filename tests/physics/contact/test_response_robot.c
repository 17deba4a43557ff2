// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Impulses and complementarity of jointed bodies, with Delassus matrices from the dynamics: a double pendulum that hits
// the floor against a derivation by hand, and ANTON on its six feet against statics and Newton's law for its centre of
// mass.
#include "check.h"

#include <footfall/dyn.h>
#include <footfall/load.h>
#include <footfall/response.h>
#include <stdlib.h>

enum { FEET = 6, NV_MOST = 40 };

/// Rows normal (z), x, y of points of bodies -> J (3n x nv), A = J M^-1 J'. Fills kinematics and mass matrix.
static void delassus(const ff_model *m, ff_data *d, int n, const int *body, double (*local)[3], double *J, double *A)
{
    double rows[6 * NV_MOST], column[NV_MOST];
    ff_dyn_kinematics(m, d);
    ff_dyn_velocity(m, d);
    ff_dyn_mass(m, d);
    CHECK(ff_dyn_factor(m, d));
    for (int i = 0; i < n; i++) {
        ff_dyn_jacobian(m, d, body[i], local[i], rows);
        for (int k = 0; k < 3; k++) // linear rows of the Jacobian are 3, 4, 5
            memcpy(J + (3 * i + k) * m->nv, rows + (k == 0 ? 5 : 2 + k) * m->nv, sizeof(double) * (size_t)m->nv);
    }
    for (int i = 0; i < 3 * n; i++) {
        memcpy(column, J + i * m->nv, sizeof(double) * (size_t)m->nv);
        ff_dyn_solve(m, d, column);
        for (int k = 0; k < 3 * n; k++) {
            A[k * 3 * n + i] = 0.0;
            for (int l = 0; l < m->nv; l++) A[k * 3 * n + i] += J[k * m->nv + l] * column[l];
        }
    }
}

// ------------------------------------------------------------------------------------------ a double pendulum

static const double BOB = 0.02; // moment of inertia of each bob  [kg m^2]

/// Two bobs on light bars, swinging about y; q = 0 hangs down.
static ff_model *double_pendulum(double m1, double l1, double m2, double l2)
{
    ff_spec *spec = ff_spec_create(NULL);
    for (int i = 0; i < 2; i++) {
        ff_spec_body *body = ff_spec_add_body(spec, i ? "lower" : "upper", i - 1);
        ff_vec3_set(body->pos, 0, 0, i ? -l1 : 2.0);
        body->has_inertial = true;
        body->mass = i ? m2 : m1;
        ff_vec3_set(body->com, 0, 0, i ? -l2 : -l1);
        for (int k = 0; k < 3; k++) body->inertia[k] = BOB;
        ff_vec3_set(ff_spec_add_joint(spec, i ? "knee" : "hip", i, FF_JOINT_HINGE)->axis, 0, 1, 0);
    }
    ff_model *model = ff_model_compile(spec, NULL, NULL);
    ff_spec_destroy(spec);
    CHECK(model != NULL);
    return model;
}

TEST(a_double_pendulum_hits_the_floor_as_derived_by_hand)
{
    // Absolute angles a, b of the bars from the vertical: T = ((m1 + m2) l1^2 + I) a'^2 / 2 + (m2 l2^2 + I) b'^2 / 2 +
    // m2 l1 l2 cos(a - b) a' b'. The tip's height is -l1 cos a - l2 cos b, so its velocity over (a', b') is g = (l1 sin
    // a, l2 sin b), and with the 2 x 2 matrix M of T
    //     A = g' M^-1 g,   j = -(1 + e) u / A,   (a', b')+ = (a', b') + M^-1 g j.
    const double m1 = 1.3, l1 = 0.7, m2 = 0.4, l2 = 0.9, a = 0.5, b = -0.8, da = 0.6, db = 2.5, e = 0.35;
    double M[3] = {(m1 + m2) * l1 * l1 + BOB, m2 * l1 * l2 * cos(a - b), m2 * l2 * l2 + BOB};
    double g[2] = {l1 * sin(a), l2 * sin(b)}, u = g[0] * da + g[1] * db, det = M[0] * M[2] - M[1] * M[1];
    double x[2] = {(M[2] * g[0] - M[1] * g[1]) / det, (M[0] * g[1] - M[1] * g[0]) / det};
    double mobility = g[0] * x[0] + g[1] * x[1], j = -(1 + e) * u / mobility;
    CHECK(u < 0.0); // it does approach

    ff_model *model = double_pendulum(m1, l1, m2, l2);
    ff_data *d = ff_data_create(model, NULL);
    int body[1] = {1};
    double tip[1][3] = {{0, 0, -l2}}, J[3 * NV_MOST], A[9], jump[3], work[64];
    d->q[0] = a, d->q[1] = b - a, d->v[0] = da, d->v[1] = db - da;
    delassus(model, d, 1, body, tip, J, A);
    CHECK_NEAR(A[0], mobility, 1e-14);
    double before = J[0] * d->v[0] + J[1] * d->v[1], after = before, impulse;
    CHECK_NEAR(before, u, 1e-14);
    CHECK_INT(ff_impulse_propagate(1, A, &e, &after, &impulse, NULL), FF_OK);
    CHECK_NEAR(impulse, j, 1e-13);
    CHECK_NEAR(after, -e * u, 1e-14);
    after = before;
    CHECK_INT(ff_impulse_simultaneous(1, A, &e, &after, &impulse, work, NULL), FF_OK);
    CHECK_NEAR(impulse, j, 1e-13);
    for (int i = 0; i < 2; i++) jump[i] = J[i] * impulse;
    ff_dyn_solve(model, d, jump);
    CHECK_NEAR(d->v[0] + jump[0], da + x[0] * j, 1e-13);
    CHECK_NEAR(d->v[1] + jump[1], db + x[1] * j - (da + x[0] * j), 1e-13);
    // the loss of kinetic energy is that of a mass 1/A:  (1 - e^2) u^2 / (2 A)
    double start = ff_dyn_kinetic_energy(model, d);
    for (int i = 0; i < 2; i++) d->v[i] += jump[i];
    ff_dyn_velocity(model, d);
    CHECK_NEAR(start - ff_dyn_kinetic_energy(model, d), 0.5 * (1 - e * e) * u * u / mobility, 1e-13);
    ff_data_destroy(d);
    ff_model_destroy(model);
}

// ------------------------------------------------------------------------------------------ ANTON

typedef struct stand {
    ff_model *model;
    ff_data *d;
    int body[FEET];
    double tip[FEET][3];
    double J[3 * FEET * NV_MOST], A[9 * FEET * FEET];
} stand;

static void stand_up(stand *s)
{
    static const char *const tips[FEET] = {"FL_tip", "FR_tip", "ML_tip", "MR_tip", "RL_tip", "RR_tip"};
    ff_report report = {0};
    s->model = ff_model_load(FF_SOURCE_DIR "/robots/anton/anton.yaml", NULL, &report);
    ff_report_clear(&report);
    CHECK(s->model != NULL && s->model->nv <= NV_MOST);
    s->d = ff_data_create(s->model, NULL);
    int key = ff_model_find_key(s->model, "stand");
    CHECK(s->d != NULL && key >= 0);
    memcpy(s->d->q, s->model->keys[key].q, sizeof(double) * (size_t)s->model->nq);
    for (int i = 0; i < FEET; i++) {
        int frame = ff_model_find_frame(s->model, tips[i]);
        CHECK(frame >= 0);
        s->body[i] = s->model->frames[frame].body;
        ff_vec3_copy(s->tip[i], s->model->frames[frame].pos);
    }
    delassus(s->model, s->d, FEET, s->body, s->tip, s->J, s->A);
}

static void lie_down(stand *s)
{
    ff_data_destroy(s->d);
    ff_model_destroy(s->model);
}

/// a = M^-1 (tau - bias), and b = J a + dJ/dt v: accelerations of the feet without forces.
static void free_fall(stand *s, const double *tau, double *a, double *b)
{
    const ff_model *m = s->model;
    ff_dyn_inverse(m, s->d, s->d->q, s->d->v, NULL, a);
    for (int i = 0; i < m->nv; i++) a[i] = tau[i] - a[i];
    ff_dyn_solve(m, s->d, a);
    for (int i = 0; i < FEET; i++) {
        double drift[6];
        ff_dyn_jacobian_drift(m, s->d, s->body[i], s->tip[i], drift);
        for (int k = 0; k < 3; k++) {
            b[3 * i + k] = drift[k == 0 ? 5 : 2 + k];
            for (int l = 0; l < m->nv; l++) b[3 * i + k] += s->J[(3 * i + k) * m->nv + l] * a[l];
        }
    }
}

/// Torques with which the feet carry the robot by the forces f: statics of the joints, bias = tau + J' f.
static void holding_torque(stand *s, const double *f, double *tau)
{
    const ff_model *m = s->model;
    ff_dyn_inverse(m, s->d, s->d->q, s->d->v, NULL, tau);
    for (int l = 0; l < m->nv; l++)
        for (int i = 0; i < 3 * FEET; i++) tau[l] -= s->J[i * m->nv + l] * f[i];
}

/// Vertical forces that balance the weight about both axes, as even as possible: f = P' (P P')^-1 w with P = (1; x; y).
static void even_forces(const stand *s, double *f)
{
    double com[3], P[3][FEET], G[9] = {0}, weight = s->model->mass * 9.81, w[3];
    int order[3];
    ff_dyn_com(s->model, s->d, com);
    for (int i = 0; i < FEET; i++) {
        double at[3];
        ff_dyn_point(s->model, s->d, s->body[i], s->tip[i], at);
        P[0][i] = 1.0, P[1][i] = at[0], P[2][i] = at[1];
    }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            for (int i = 0; i < FEET; i++) G[3 * a + b] += P[a][i] * P[b][i];
    ff_vec3_set(w, weight, weight * com[0], weight * com[1]);
    CHECK(ff_lu_factor(G, order, 3));
    ff_lu_solve(G, order, 3, w);
    for (int i = 0; i < FEET; i++) {
        f[3 * i] = P[0][i] * w[0] + P[1][i] * w[1] + P[2][i] * w[2];
        f[3 * i + 1] = f[3 * i + 2] = 0.0;
    }
}

TEST(anton_is_held_by_its_feet)
{
    // Torques that balance an even load: then a = 0 is the motion, and since A f is unique the feet carry exactly the
    // weight, whichever of the many distributions is found.
    stand *s = calloc(1, sizeof *s);
    stand_up(s);
    double even[3 * FEET], tau[NV_MOST], a[NV_MOST], b[3 * FEET], An[FEET * FEET], bn[FEET], f[3 * FEET], fn[FEET],
        mu[FEET];
    even_forces(s, even);
    holding_torque(s, even, tau);
    for (int i = 0; i < 6; i++) CHECK_NEAR(tau[i], 0.0, 1e-12); // nothing pushes the base but the feet
    free_fall(s, tau, a, b);
    double *work = malloc(sizeof(double) * ff_lcp_friction_work(FEET)), weight = s->model->mass * 9.81, sum = 0.0;
    for (int i = 0; i < FEET; i++) {
        bn[i] = b[3 * i];
        mu[i] = 0.7;
        for (int k = 0; k < FEET; k++) An[i * FEET + k] = s->A[9 * FEET * i + 3 * k];
    }
    CHECK_INT(ff_lcp_solve(FEET, An, bn, fn, work, NULL), FF_OK);
    for (int i = 0; i < FEET; i++) {
        double w = bn[i];
        for (int k = 0; k < FEET; k++) w += An[i * FEET + k] * fn[k];
        CHECK_NEAR(w, 0.0, 1e-9); // [m/s^2] of falls of some 100 m/s^2 without forces
        CHECK(fn[i] >= 0.0);
        sum += fn[i];
    }
    CHECK_NEAR(sum, weight, 1e-9 * weight);
    CHECK_INT(ff_lcp_friction(FEET, s->A, b, mu, NULL, f, work, NULL), FF_OK);
    sum = 0.0;
    for (int i = 0; i < 3 * FEET; i++) {
        double w = b[i];
        for (int k = 0; k < 3 * FEET; k++) w += s->A[i * 3 * FEET + k] * f[k];
        CHECK_NEAR(w, 0.0, 1e-9);
        if (i % 3 == 0) sum += f[i];
    }
    CHECK_NEAR(sum, weight, 1e-9 * weight);
    free(work);
    lie_down(s);
    free(s);
}

TEST(anton_collapses_by_newtons_law)
{
    // Without torques, at rest: the legs give way. Whatever the forces are, they and gravity move the centre of mass:
    // sum f = m (a_com + g), a_com from the momentum matrix; no foot goes down, no foot pulls, friction stays in its
    // cone.
    stand *s = calloc(1, sizeof *s);
    stand_up(s);
    const ff_model *m = s->model;
    double tau[NV_MOST] = {0}, a[NV_MOST], b[3 * FEET], f[3 * FEET], mu[FEET], force[NV_MOST] = {0}, H[6 * NV_MOST];
    double *work = malloc(sizeof(double) * ff_lcp_friction_work(FEET));
    free_fall(s, tau, a, b);
    for (int i = 0; i < FEET; i++) mu[i] = 0.3;
    CHECK_INT(ff_lcp_friction(FEET, s->A, b, mu, NULL, f, work, NULL), FF_OK);
    double total[3] = {0};
    for (int i = 0; i < FEET; i++) {
        double w[3];
        for (int k = 0; k < 3; k++) {
            w[k] = b[3 * i + k];
            for (int l = 0; l < 3 * FEET; l++) w[k] += s->A[(3 * i + k) * 3 * FEET + l] * f[l];
            total[(k + 2) % 3] += f[3 * i + k]; // rows are z, x, y
        }
        CHECK(f[3 * i] >= 0.0 && w[0] >= -1e-9);
        CHECK_BELOW(f[3 * i] * fabs(w[0]), 1e-8);
        CHECK_BELOW(hypot(f[3 * i + 1], f[3 * i + 2]), 0.3 * f[3 * i] + 1e-9);
    }
    for (int l = 0; l < m->nv; l++)
        for (int i = 0; i < 3 * FEET; i++) force[l] += s->J[i * m->nv + l] * f[i];
    ff_dyn_solve(m, s->d, force);
    ff_dyn_momentum_matrix(m, s->d, H);
    for (int k = 0; k < 3; k++) { // at rest the rate of momentum is H qacc
        double rate = 0.0;
        for (int l = 0; l < m->nv; l++) rate += H[(3 + k) * m->nv + l] * (a[l] + force[l]);
        CHECK_NEAR(total[k], rate - m->mass * m->gravity[k], 1e-8 * m->mass * 9.81);
    }
    CHECK(total[2] > 0.0 && total[2] < 0.95 * m->mass * 9.81); // the feet give way: they carry less than the weight
    free(work);
    lie_down(s);
    free(s);
}
