// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds body poses that keep the rules of a climb: damped least squares (K. Levenberg; D. W. Marquardt, 1963) over the
// violations of all rules and, with little weight, the distance from a preferred pose. Rules that hold contribute
// nothing, so the preferred pose decides among poses that keep the rules.
#include "gait/climb_plan.h"

#include <footfall/linalg.h>
#include <math.h>
#include <string.h>

enum { PARAMETERS = 3 + FF_CLIMB_PITCHES, RESIDUALS = FF_CLIMB_RULES + PARAMETERS + 2 * FF_CLIMB_ROWS };
static const double LENGTH = 0.1;      // distance that a turn of 1 rad counts as  [m]
static const double SCALE = 1e3;       // residuals in millimetres
static const double USUAL = 0.02;      // weight of hips over their feet
static const double BENT = 0.02;       // weight of a straight body
static const double LIKE = 0.1;        // weight of a pose to stay near to
static const double DIFFERENCE = 1e-6; // for slopes  [m]
static const double SPARE = 0.1;       // slopes leave torques out where all drives need less by this share of theirs
enum { ITERATIONS = 30, DAMPINGS = 8 };
// the first pose, those of every iteration, one half-way to it and the margin when the pose is taken
_Static_assert(1 + ITERATIONS * (PARAMETERS + DAMPINGS) + 2 <= FF_CLIMB_SLICE, "a search for a pose is one slice");

/// The pose to be found.
typedef struct task {
    const ff_climb_robot *robot;
    const double (*foot)[2];
    int swing;
    const ff_climb_body *like;
} task;

/// Free coordinates of a body as lengths.
static int pack(const ff_climb_robot *robot, const ff_climb_body *body, double *p)
{
    int n = 0;
    p[n++] = body->x;
    p[n++] = body->z;
    p[n++] = LENGTH * body->pitch;
    for (int i = 0; i < robot->npitch; i++)
        if (!robot->held[i]) p[n++] = LENGTH * body->bend[i];
    return n;
}

static void unpack(const ff_climb_robot *robot, const double *p, ff_climb_body *body)
{
    int n = 3;
    body->x = p[0];
    body->z = p[1];
    body->pitch = p[2] / LENGTH;
    for (int i = 0; i < robot->npitch; i++)
        if (!robot->held[i]) body->bend[i] = p[n++] / LENGTH;
}

/// Residuals of a pose that was assessed.
static int take_residuals(const task *t, const ff_climb_body *body, const ff_climb_state *s, double *r)
{
    const ff_climb_robot *robot = t->robot;
    double p[PARAMETERS], like[PARAMETERS];
    int n = 0;
    for (int i = 0; i < s->count; i++) r[n++] = SCALE * ff_max(0.0, s->excess[i]);
    const int count = pack(robot, body, p);
    if (t->like) {
        pack(robot, t->like, like);
        for (int i = 0; i < count; i++) r[n++] = SCALE * LIKE * (p[i] - like[i]);
        return n;
    }
    for (int row = 0; row < robot->rows; row++) {
        r[n++] = SCALE * USUAL * (s->hip[row][0] - t->foot[row][0]);
        r[n++] = SCALE * USUAL * (s->hip[row][1] - t->foot[row][1] - robot->height);
    }
    r[n++] = SCALE * BENT * p[2];
    for (int i = 0; i < robot->npitch; i++)
        if (!robot->held[i]) r[n++] = SCALE * BENT * LENGTH * (body->bend[i] - robot->usual[i]);
    return n;
}

static int residuals(const task *t, const ff_climb_body *body, ff_climb_state *s, double *r)
{
    ff_climb_assess(t->robot, body, t->foot, t->swing, s);
    return take_residuals(t, body, s, r);
}

static double square(const double *r, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += r[i] * r[i];
    return sum;
}

/// Normal equations A = J'J, g = J'r by differences, without torques where all drives have much to spare.
static void slopes(const task *t, const ff_climb_body *body, double load, const double *r, int n, int count, double *A,
                   double *g)
{
    static const int WIDTH = RESIDUALS;
    const bool light = load < t->robot->options.torque - SPARE;
    double J[PARAMETERS * RESIDUALS], p[PARAMETERS];
    ff_climb_state s;
    pack(t->robot, body, p);
    for (int k = 0; k < count; k++) {
        ff_climb_body neighbour = *body;
        const double kept = p[k];
        p[k] += DIFFERENCE;
        unpack(t->robot, p, &neighbour);
        p[k] = kept;
        (light ? ff_climb_assess_light : ff_climb_assess)(t->robot, &neighbour, t->foot, t->swing, &s);
        take_residuals(t, &neighbour, &s, J + (ptrdiff_t)k * WIDTH);
        for (int i = 0; i < n; i++) J[k * WIDTH + i] = (J[k * WIDTH + i] - r[i]) / DIFFERENCE;
    }
    for (int a = 0; a < count; a++) {
        g[a] = 0.0;
        for (int i = 0; i < n; i++) g[a] += J[a * WIDTH + i] * r[i];
        for (int b = 0; b <= a; b++) {
            double sum = 0.0;
            for (int i = 0; i < n; i++) sum += J[a * WIDTH + i] * J[b * WIDTH + i];
            A[a * count + b] = A[b * count + a] = sum;
        }
    }
}

double ff_climb_find(const ff_climb_robot *robot, const double (*foot)[2], int swing, const ff_climb_body *like,
                     ff_climb_body *body, ff_climb_state *state)
{
    const task t = {robot, foot, swing, like};
    double p[PARAMETERS], r[RESIDUALS], damping = 1e-3;
    const int count = pack(robot, body, p);
    int n = residuals(&t, body, state, r);
    double cost = square(r, n);
    for (int round = 0; round < ITERATIONS; round++) {
        double A[PARAMETERS * PARAMETERS], g[PARAMETERS], before = cost;
        slopes(&t, body, state->load, r, n, count, A, g);
        bool better = false;
        for (int attempt = 0; attempt < DAMPINGS && !better; attempt++) {
            double L[PARAMETERS * PARAMETERS], step[PARAMETERS], next_p[PARAMETERS], trial[RESIDUALS];
            ff_climb_body next = *body;
            ff_climb_state s;
            memcpy(L, A, sizeof L);
            for (int k = 0; k < count; k++) {
                L[k * count + k] += damping * (A[k * count + k] + 1.0);
                step[k] = -g[k];
            }
            if (!ff_cholesky_factor(L, count)) {
                damping *= 10.0;
                continue;
            }
            ff_cholesky_solve(L, count, step);
            pack(robot, body, p);
            for (int k = 0; k < count; k++) next_p[k] = p[k] + ff_max(-0.03, ff_min(0.03, step[k]));
            unpack(robot, next_p, &next);
            const int m = residuals(&t, &next, &s, trial);
            const double now = square(trial, m);
            better = now < cost;
            damping = better ? ff_max(1e-9, 0.2 * damping) : 5.0 * damping;
            if (!better) continue;
            *body = next;
            *state = s;
            n = m;
            cost = now;
            memcpy(r, trial, sizeof r);
        }
        if (!better || before - cost < 1e-4 * before + 1e-9) break;
    }
    return state->worst;
}
