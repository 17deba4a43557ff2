// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A wrench about the centre of mass, shared between the feet by a quadratic program (sec. 4.3). Its unknowns are forces
// along four edges of each friction pyramid and torques at each sole; the cost is a weighted sum of squares of the
// unknowns and of the error of the wrench; constraints are friction, least and greatest force, and the edges of the
// soles. A foot without load is left out.
#include "biped/stabiliser.h"

#include <footfall/math.h>
#include <footfall/qp.h>

#include <string.h>

enum {
    EDGES = 4,
    UNKNOWNS = EDGES + 3,
    ALL = FF_BIPED_FEET * UNKNOWNS,
    ROWS_FOOT = EDGES + 1 + 6,
    ROWS = FF_BIPED_FEET * ROWS_FOOT
};

// weights: of forces on the feet, of torques scaled by (600 N / 100 N m)^2, of what remains of force and torque
#define FORCE       10.0
#define TORQUE      36.0
#define REST_FORCE  5e3
#define REST_TORQUE 5e4
#define ROUND       0.1 // each foot has one direction that costs nothing: opposite edges together

typedef struct program {
    int n, m;
    double S[6][ALL]; // force and torque about the centre of mass, world, of each unknown
    double H[ALL * ALL], g[ALL], A[ROWS * ALL], low[ROWS], high[ROWS];
} program;

/// Directions of the edges, in the axes of the foot.
static void edges_of(double mu, double B[3][EDGES])
{
    const double s = 1.0 / sqrt(1.0 + mu * mu), c = mu * s * sqrt(0.5);
    for (int k = 0; k < EDGES; k++) {
        B[0][k] = k == 0 || k == 3 ? c : -c;
        B[1][k] = k < 2 ? c : -c;
        B[2][k] = s;
    }
}

static void add_row(program *p, double low, double high)
{
    p->low[p->m] = low;
    p->high[p->m] = high;
    p->m++;
}

/// Bounds a torque by two levers of the normal force.
static void bound_torque(program *p, const double B[3][EDGES], int first, int axis, double low, double high)
{
    for (int side = 0; side < 2; side++) {
        double *row = &p->A[p->m * p->n];
        const double lever = side ? high : low;
        row[first + EDGES + axis] = 1.0;
        for (int k = 0; k < EDGES; k++) row[first + k] = -lever * B[2][k];
        add_row(p, side ? -INFINITY : 0.0, side ? 0.0 : INFINITY);
    }
}

static void add_foot(const ff_biped *robot, const ff_biped_gains *g, const ff_biped_task *now, int f, double load,
                     int first, program *p)
{
    const ff_biped_foot *foot = &robot->feet[f];
    double B[3][EDGES], R[9], arm[3];
    edges_of(g->friction, B);
    ff_biped_foot_axes(&now->foot[f], R);
    ff_vec3_sub(arm, now->foot[f].pos, now->com);
    for (int k = 0; k < UNKNOWNS; k++) {
        const double own[3] = {k < EDGES ? B[0][k] : k == EDGES, k < EDGES ? B[1][k] : k == EDGES + 1,
                               k < EDGES ? B[2][k] : k == EDGES + 2};
        double world[3], moment[3];
        ff_mat3_mulv(world, R, own);
        ff_vec3_cross(moment, arm, world);
        for (int i = 0; i < 3; i++) {
            p->S[i][first + k] = k < EDGES ? world[i] : 0.0;
            p->S[3 + i][first + k] = k < EDGES ? moment[i] : world[i];
        }
    }
    for (int k = 0; k < UNKNOWNS; k++)
        for (int j = 0; j < UNKNOWNS; j++) {
            double weight = k == j && k >= EDGES ? TORQUE : 0.0;
            for (int i = 0; i < 3 && k < EDGES && j < EDGES; i++) weight += FORCE * B[i][k] * B[i][j];
            p->H[(first + k) * p->n + first + j] += 2.0 * weight + (k == j ? ROUND : 0.0);
        }
    for (int k = 0; k < EDGES; k++) {
        p->A[p->m * p->n + first + k] = 1.0;
        add_row(p, 0.0, INFINITY);
    }
    for (int k = 0; k < EDGES; k++) p->A[p->m * p->n + first + k] = B[2][k];
    add_row(p, load * g->least_force, load * g->most_force);
    bound_torque(p, B, first, 0, foot->low[1], foot->high[1]);
    bound_torque(p, B, first, 1, -foot->high[0], -foot->low[0]);
}

/// Yaw torque of a sole: friction at the mean distance of its points.
static void bound_yaw(const ff_biped_gains *g, const ff_biped_foot *foot, int first, program *p)
{
    double B[3][EDGES], mean = 0.0;
    edges_of(g->friction, B);
    for (int i = 0; i < foot->npoint; i++) mean += ff_hypot(foot->points[i].x, foot->points[i].y) / foot->npoint;
    bound_torque(p, B, first, 2, -mean * g->friction, mean * g->friction);
}

bool ff_biped_distribute_quadratic(const ff_biped *robot, const ff_biped_gains *g, const ff_biped_task *now,
                                   const double load[FF_BIPED_FEET], const ff_biped_wrench *w,
                                   ff_biped_distribution *out)
{
    enum { WORK = 2 * ALL * ALL + 8 * (ALL + ROWS) };
    static const double weight[6] = {REST_FORCE, REST_FORCE, REST_FORCE, REST_TORQUE, REST_TORQUE, REST_TORQUE};
    const double wanted[6] = {w->force[0], w->force[1], w->force[2], w->torque[0], w->torque[1], w->torque[2]};
    program p;
    double x[ALL], work[WORK], B[3][EDGES];
    int first[FF_BIPED_FEET];
    memset(&p, 0, sizeof p);
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        first[f] = load[f] > 0.0 ? p.n : -1;
        p.n += load[f] > 0.0 ? UNKNOWNS : 0;
    }
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        if (first[f] < 0) continue;
        add_foot(robot, g, now, f, load[f], first[f], &p);
        bound_yaw(g, &robot->feet[f], first[f], &p);
    }
    for (int a = 0; a < p.n; a++) {
        for (int i = 0; i < 6; i++) p.g[a] -= 2.0 * weight[i] * p.S[i][a] * wanted[i];
        for (int b = 0; b < p.n; b++)
            for (int i = 0; i < 6; i++) p.H[a * p.n + b] += 2.0 * weight[i] * p.S[i][a] * p.S[i][b];
    }
    const ff_qp problem = {.n = p.n, .m = p.m, .H = p.H, .g = p.g, .A = p.A, .low = p.low, .high = p.high};
    ff_qp_result result = {0};
    if (ff_qp_work_size(p.n, p.m) > WORK || ff_qp_solve(&problem, x, NULL, NULL, work, &result) != FF_OK ||
        result.outcome != FF_QP_SOLVED) {
        ff_biped_distribute(robot, g, now, load, w, out);
        return false;
    }
    edges_of(g->friction, B);
    memset(out, 0, sizeof *out);
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        for (int i = 0; i < 3 && first[f] >= 0; i++) {
            for (int k = 0; k < EDGES; k++) out->foot[f].force[i] += B[i][k] * x[first[f] + k];
            out->foot[f].torque[i] = x[first[f] + EDGES + i];
        }
    }
    return true;
}
