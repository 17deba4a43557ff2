// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Displacing feet of a task: modify operators of app. A.4.
#include "biped/rotation.h"
#include "biped/stabiliser.h"

void ff_biped_foot_axes(const ff_biped_motion *foot, double R[9])
{
    double q[4];
    ff_rotvec_to_quat(q, foot->rot);
    ff_quat_to_mat3(R, q);
}

void ff_biped_modify_world(ff_biped_motion *foot, const double shift[3], const double turn[3], const double vel[3],
                           const double omega[3])
{
    double by[4], q[4], turned[4];
    ff_rotvec_to_quat(by, turn);
    ff_rotvec_to_quat(q, foot->rot);
    ff_quat_mul(turned, by, q);
    ff_rotvec_from_quat(foot->rot, turned);
    ff_vec3_add(foot->pos, foot->pos, shift);
    ff_vec3_add(foot->vel, foot->vel, vel);
    ff_vec3_add(foot->omega, foot->omega, omega);
}

void ff_biped_modify_own(ff_biped_motion *foot, const double shift[3], const double turn[3], const double vel[3],
                         const double omega[3])
{
    double by[4], q[4], turned[4], R[9], world[3];
    ff_biped_foot_axes(foot, R);
    ff_rotvec_to_quat(by, turn);
    ff_rotvec_to_quat(q, foot->rot);
    ff_quat_mul(turned, q, by);
    ff_rotvec_from_quat(foot->rot, turned);
    ff_mat3_mulv(world, R, shift);
    ff_vec3_add(foot->pos, foot->pos, world);
    ff_mat3_mulv(world, R, vel);
    ff_vec3_add(foot->vel, foot->vel, world);
    ff_mat3_mulv(world, R, omega);
    ff_vec3_add(foot->omega, foot->omega, world);
}
