// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The start pose of a robot with loops. Joints that the scene gives keep their values, the others move until the loops
// close; likewise for speeds. If no joints are given, only small gaps are closed, so that a wrong pose is noticed.
#include "dyn/loop_response.h"
#include "scene/reader.h"

#include <footfall/loop.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double GAP_MOST = 1e-2;   // largest gap that is closed without given joints  [m, rad]
static const double GAP_SAID = 1e-4;   // a larger gap is reported                         [m, rad]
static const double GAP_LEFT = 1e-9;   // a smaller gap counts as closed                   [m, rad]
static const double GAP_MISFIT = 1e-6; // gap left by inconsistent numbers of a file       [m, rad]
static const double STRIDE = 0.05;     // largest increment of given joints                [m, rad]
static const double SPEED_LEFT = 1e-9; // error of closed loops over the largest given speed

/// A loop by its number, and the unit of its gap.
static const ff_loop *described(const ff_model *m, const ff_loops *l, int number, double gap, const char **unit)
{
    const ff_loop *loop = &l->loops[number];
    int row = 0;
    for (int k = 1; k < loop->nrow; k++)
        if (fabs(l->phi[loop->row + k]) == gap) row = k;
    *unit = ff_loops_unit(m, loop, row);
    return loop;
}

/// The loop with the largest gap, its size and unit.
static const ff_loop *widest(const ff_model *m, const ff_loops *l, double *gap, const char **unit)
{
    const int number = ff_loops_widest(l, gap);
    return described(m, l, number, *gap, unit);
}

/// Copies the coordinates of joints that are given.
static void put_given(const ff_model *m, const ff_scene_given *given, const double *from, double *q)
{
    for (int i = 0; i < m->njoint; i++) {
        const ff_joint *j = &m->joints[i];
        if (given->q[j->vadr]) memcpy(q + j->qadr, from + j->qadr, (size_t)ff_joint_nq(j->type) * sizeof *q);
    }
}

/// Moves the given joints from the base pose, which is almost closed, to their given values, in small increments with
/// the loops closed after each: so a mechanism stays on the branch on which it starts. d->q is the wanted pose, then
/// the pose that was found. @return false if the loops cannot be closed on the way
static bool move_given(const ff_model *m, const ff_scene_given *given, ff_data *d, ff_loops *l, double *wanted,
                       double *way, double *last)
{
    double most = 0.0, speed;
    memcpy(wanted, d->q, (size_t)m->nq * sizeof *wanted);
    ff_dyn_difference(m, given->base, wanted, way);
    for (int i = 0; i < m->nv; i++) most = ff_max(most, given->q[i] ? fabs(way[i]) : 0.0);
    const int strides = (int)ff_min(ceil(most / STRIDE), 1000.0);
    memcpy(d->q, given->base, (size_t)m->nq * sizeof *d->q);
    memset(last, 0, (size_t)m->nv * sizeof *last);
    double *before = wanted + m->nq;
    for (int k = 0; k <= strides; k++) {
        memcpy(before, d->q, (size_t)m->nq * sizeof *before);
        for (int i = 0; k > 0 && i < m->nv; i++)
            if (given->q[i]) last[i] = way[i] / strides;
        ff_dyn_advance(m, d->q, last, 1.0, d->q); // other joints continue as in the last increment
        if (k == strides) put_given(m, given, wanted, d->q);
        if (!(ff_loops_assemble(m, d, l, given->q, given->v, &speed) <= GAP_LEFT)) return false;
        if (k > 0) ff_dyn_difference(m, before, d->q, last);
    }
    return true;
}

/// Calls move_given with memory; after a failure the pose is as before.
static void try_move_given(const ff_model *m, const ff_scene_given *given, ff_data *d, ff_loops *l)
{
    const size_t nq = (size_t)m->nq, nv = (size_t)m->nv;
    double *block = malloc((2 * nq + 3 * nv + 1) * sizeof *block);
    if (!block) return;
    double *way = block + 2 * nq, *last = way + nv, *v = last + nv;
    memcpy(v, d->v, nv * sizeof *v);
    if (!move_given(m, given, d, l, block, way, last)) memcpy(d->q, block, nq * sizeof *block);
    memcpy(d->v, v, nv * sizeof *v);
    free(block);
}

static void close_start(const ff_scene_reader *r, const ff_model *m, const ff_scene_given *given, ff_place start,
                        ff_data *d, ff_loops *l)
{
    double gap, speed, fastest = 0.0;
    const char *unit;
    if (ff_loops_closed(m, d, l)) return;
    bool some = false;
    for (int i = 0; i < m->nv; i++) some = some || given->q[i];
    for (int i = 0; i < m->nv; i++) fastest = ff_max(fastest, fabs(d->v[i]));
    const int own = ff_loops_widest_own(m, l, &gap);
    const ff_loop *loop = described(m, l, own, gap, &unit);
    if (!some && !(gap <= GAP_MOST)) {
        ff_report_add(r->report, FF_ERROR, loop->place,
                      "loop '%.60s' is open by %.4g %s at the start of the scene (%s:%d:%d): gaps up to %g %s are "
                      "closed; give the joints that "
                      "you know under start.joints, and the others follow",
                      loop->name, gap, unit, start.file, start.line, start.column, GAP_MOST, unit);
        return;
    }
    loop = widest(m, l, &gap, &unit);
    if (some) try_move_given(m, given, d, l);
    const double before = gap, left = ff_loops_assemble(m, d, l, given->q, given->v, &speed);
    if (!(left <= GAP_MISFIT)) {
        double others;
        ff_loops_widest_own(m, l, &others);
        loop = widest(m, l, &gap, &unit);
        ff_report_add(r->report, FF_ERROR, loop->place,
                      "loop '%.60s' cannot close at the start of the scene (%s:%d:%d): of a gap of %.4g, %.4g %s are "
                      "left where the other joints "
                      "come nearest%s",
                      loop->name, start.file, start.line, start.column, before, gap, unit,
                      others <= GAP_MISFIT ? "; put the mocap body that it holds within reach" : "");
    } else if (left > GAP_LEFT) {
        loop = widest(m, l, &gap, &unit);
        ff_report_add(
            r->report, FF_NOTE, loop->place,
            "loop '%.60s' closes up to %.3g %s at the start of the scene (%s:%d:%d): the numbers of its loops "
            "do not fit each other more exactly",
            loop->name, gap, unit, start.file, start.line, start.column);
    } else if (!(speed <= SPEED_LEFT * (1.0 + fastest))) {
        ff_report_add(r->report, FF_ERROR, start,
                      "the speeds given here open the loops of the robot at %.4g m/s or rad/s", speed);
    } else if (!some && before > GAP_SAID) {
        ff_report_add(
            r->report, FF_NOTE, loop->place,
            "loop '%.60s' is open by %.4g %s at the start of the scene (%s:%d:%d): its joints were moved until "
            "it closed",
            loop->name, before, unit, start.file, start.line, start.column);
    }
}

static void place_mocap(const ff_model *m, ff_data *d, int mocap, const double pose[7])
{
    double quat[4];
    ff_quat_copy(quat, pose + 3);
    ff_quat_normalise(quat);
    ff_dyn_place_mocap(m, d, mocap, pose, quat);
}

bool ff_scene_close_start(const ff_scene_reader *r, const ff_model *m, const ff_scene_given *given, ff_place start,
                          const double *mocap, double *q, double *v)
{
    if (ff_loops_count(m) == 0) return true;
    ff_data *d = ff_data_create(m, NULL);
    ff_loops *l = ff_loops_create(m, NULL);
    if (d && l) {
        memcpy(d->q, q, (size_t)m->nq * sizeof *q);
        memcpy(d->v, v, (size_t)m->nv * sizeof *v);
        ff_dyn_normalise(m, d->q);
        for (int i = 0; mocap && i < m->nmocap; i++) place_mocap(m, d, i, mocap + 7 * i);
        close_start(r, m, given, start, d, l);
        memcpy(q, d->q, (size_t)m->nq * sizeof *q);
        memcpy(v, d->v, (size_t)m->nv * sizeof *v);
    }
    const bool made = d && l;
    ff_loops_destroy(l);
    ff_data_destroy(d);
    return made;
}
