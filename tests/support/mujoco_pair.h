// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// One MJCF file in both: a simulation here, model and data of MuJoCo, the referee. Limits, dry friction, contacts and
// equalities, which are constraints there, are off in both.
#ifndef FOOTFALL_TESTS_MUJOCO_PAIR_H
#define FOOTFALL_TESTS_MUJOCO_PAIR_H

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <footfall/load.h>
#include <footfall/sim.h>

#include "support/mujoco_text.h"

#define TOLERANCE 1e-9 // of the largest number compared

typedef struct pair {
    const char *label;
    ff_model *ours;
    ff_sim *sim;
    mjModel *theirs;
    mjData *data;
    double tolerance;
} pair;

static inline void must_load(pair *p, ff_spec *spec, ff_status status, ff_report *report)
{
    p->ours = status == FF_OK ? ff_model_compile(spec, NULL, report) : NULL;
    if (!p->ours) CHECK_FAIL("%s: %s", p->label, report->count ? report->messages[0].text : "no message");
    ff_report_clear(report);
    ff_spec_destroy(spec);
    for (int i = 0; i < p->ours->njoint; i++) p->ours->joints[i].limited = false;
    for (int i = 0; i < p->ours->nv; i++) p->ours->dof_dry_friction[i] = 0.0;
    ff_sim_options o = ff_sim_options_default();
    o.method = FF_METHOD_EULER;
    o.actuators = true;
    p->sim = ff_sim_create(p->ours, &o, NULL);
    p->data = mj_makeData(p->theirs);
    p->theirs->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS | mjDSBL_EQUALITY;
    p->tolerance = TOLERANCE;
}

static inline pair load_text(const char *label, const char *xml)
{
    pair p = {.label = label, .theirs = mujoco_of_text(xml)};
    ff_report report = {0};
    ff_spec *spec = ff_spec_create(NULL);
    must_load(&p, spec, ff_spec_parse(spec, "mjcf", xml, strlen(xml), "m.xml", NULL, &report), &report);
    return p;
}

static inline pair load_file(const char *path)
{
    char problem[500] = "";
    pair p = {.label = path};
    p.theirs = mj_loadXML(path, NULL, problem, sizeof problem);
    if (!p.theirs) CHECK_FAIL("MuJoCo refuses %s: %s", path, problem);
    ff_report report = {0};
    ff_spec *spec = ff_spec_create(NULL);
    must_load(&p, spec, ff_spec_load(spec, path, NULL, &report), &report);
    return p;
}

static inline void unload(pair *p)
{
    ff_sim_destroy(p->sim);
    ff_model_destroy(p->ours);
    mj_deleteData(p->data);
    mj_deleteModel(p->theirs);
}

static inline void same(const pair *p, int state, const char *what, const double *got, const double *expected, int n)
{
    double size = 1e-3, worst = 0.0;
    int at = 0;
    for (int i = 0; i < n; i++) {
        size = fmax(size, fabs(expected[i]));
        if (!(fabs(got[i] - expected[i]) <= worst)) worst = fabs(got[i] - expected[i]), at = i;
    }
    if (!(worst <= p->tolerance * size))
        CHECK_FAIL("%s, state %d: %s[%d] = %.15g, MuJoCo has %.15g: off by %.3g of %.3g", p->label, state, what, at,
                   got[at], expected[at], worst, size);
}

#endif
