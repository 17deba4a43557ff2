// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Best and median of repeated batches of calls. The best shows what the machine can do; a median far above it shows
// that the machine was busy with something else.
#include "bench.h"

#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPEATS_MAX 64

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

timing timing_of(double *times, int count)
{
    qsort(times, (size_t)count, sizeof times[0], compare);
    return (timing){times[0], times[count / 2]};
}

timing measure(void (*work)(void *context, int n), void *context, double batch, int repeats)
{
    int calls = 1, n = 0;
    double times[REPEATS_MAX];
    if (repeats > REPEATS_MAX) repeats = REPEATS_MAX;
    for (double spent = 0; spent < batch && calls < 1 << 28;) { // warms up, too
        double start = clock_seconds();
        for (int i = 0; i < calls; i++) work(context, n++);
        spent = clock_seconds() - start;
        if (spent < batch) calls *= 2;
    }
    for (int r = 0; r < repeats; r++) {
        double start = clock_seconds();
        for (int i = 0; i < calls; i++) work(context, n++ & 0xffff);
        times[r] = (clock_seconds() - start) / calls;
    }
    return timing_of(times, repeats);
}

// ------------------------------------------------------------------------------------------ states

static void random_position(const ff_model *m, ff_random *random, double *q)
{
    for (int i = 0; i < m->nq; i++) q[i] = ff_random_range(random, -1, 1);
    for (int j = 0; j < m->njoint; j++) {
        const ff_joint *joint = &m->joints[j];
        if (ff_joint_is_scalar(joint->type) && joint->limited)
            q[joint->qadr] = ff_random_range(random, joint->range[0], joint->range[1]);
    }
    ff_dyn_normalise(m, q);
}

bool subject_create(subject *s, const ff_model *m)
{
    size_t nq = (size_t)m->nq, nv = (size_t)m->nv;
    ff_random random = ff_random_make(1, 0);
    *s = (subject){.m = m,
                   .d = ff_data_create(m, NULL),
                   .q = calloc(MEASURE_STATES * nq + 1, sizeof(double)),
                   .v = calloc(MEASURE_STATES * nv + 1, sizeof(double)),
                   .a = calloc(MEASURE_STATES * nv + 1, sizeof(double)),
                   .out = calloc(nv + 1, sizeof(double))};
    if (!s->d || !s->q || !s->v || !s->a || !s->out) {
        subject_destroy(s);
        return false;
    }
    for (size_t k = 0; k < MEASURE_STATES; k++) {
        random_position(m, &random, s->q + k * nq);
        for (size_t i = 0; i < nv; i++) s->v[k * nv + i] = ff_random_range(&random, -1, 1);
        for (size_t i = 0; i < nv; i++) s->a[k * nv + i] = ff_random_range(&random, -1, 1);
    }
    return true;
}

void subject_destroy(subject *s)
{
    ff_data_destroy(s->d);
    free(s->q);
    free(s->v);
    free(s->a);
    free(s->out);
    *s = (subject){0};
}

// ------------------------------------------------------------------------------------------ chain

static bool add_link(ff_spec *spec, int i)
{
    char name[32];
    snprintf(name, sizeof name, "link%d", i);
    ff_spec_body *body = ff_spec_add_body(spec, name, i - 1);
    if (!body) return false;
    body->pos[0] = i > 0 ? 0.1 : 0; // [m]
    body->has_inertial = true;
    body->mass = 0.2; // [kg], a slender rod of 0.1 m with 1 cm radius
    body->com[0] = 0.05;
    const double inertia[6] = {1.0e-5, 1.7e-4, 1.7e-4, 0, 0, 0};
    memcpy(body->inertia, inertia, sizeof inertia);
    snprintf(name, sizeof name, "joint%d", i);
    ff_spec_joint *joint = ff_spec_add_joint(spec, name, i, FF_JOINT_HINGE);
    if (!joint) return false;
    memset(joint->axis, 0, sizeof joint->axis);
    joint->axis[1 + i % 2] = 1;
    return true;
}

ff_model *measure_chain(int count)
{
    ff_spec *spec = ff_spec_create(NULL);
    bool good = spec != NULL;
    for (int i = 0; good && i < count; i++) good = add_link(spec, i);
    ff_model *model = good ? ff_model_compile(spec, NULL, NULL) : NULL;
    ff_spec_destroy(spec);
    return model;
}
