// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Bodies that callers move (MJCF's mocap). They stand on the world, so that no coordinate is theirs: what moves them is
// a turn and shift from where the model has them, D = T T0^-1, which ff_data carries and everything fixed to them
// shares. What contacts and loops gain or lose by a move is booked as a change from outside.
#include "engine/system.h"

#include <math.h>

/// @return what is wrong, NULL: nothing
static const char *trouble_of(const ff_model *m, int body, const double pos[3], const double quat[4])
{
    const int mocap = m->bodies[body].mocap;
    if (mocap < 0 || m->mocaps[mocap] != body) return "it is no mocap body: its file must say mocap=\"true\"";
    if (!isfinite(ff_vec3_dot(pos, pos))) return "its position must be finite";
    const double length = quat[0] * quat[0] + quat[1] * quat[1] + quat[2] * quat[2] + quat[3] * quat[3];
    if (!isfinite(length) || !(length > 0.0)) return "its quaternion must be finite, and not zero";
    return NULL;
}

void ff_sim_set_mocap(ff_sim *sim, ff_body_id body, const double pos[3], const double quat[4])
{
    const ff_model *m = sim->model;
    if (!ff_sim_holds(sim, "body", body.index, m ? m->nbody : 0)) return;
    double p[3], q[4];
    ff_dyn_body_pose(m, sim->data, body.index, p, q);
    if (pos) ff_vec3_copy(p, pos);
    if (quat) ff_quat_copy(q, quat);
    const char *trouble = trouble_of(m, body.index, p, q);
    if (trouble) {
        ff_sim_mistake(sim, FF_BAD_ARGUMENT,
                       "ff_sim_set_mocap: body '%.80s' at (%g, %g, %g), turned by (%g, %g, %g, %g): %s",
                       m->bodies[body.index].name, p[0], p[1], p[2], q[0], q[1], q[2], q[3], trouble);
        return;
    }
    ff_quat_normalise(q);
    ff_sim_begin_change(sim);
    ff_dyn_place_mocap(m, sim->data, m->bodies[body.index].mocap, p, q);
}
