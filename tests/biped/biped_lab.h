// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// LOLA, loaded for tests of planner and stabiliser.
#ifndef FOOTFALL_TESTS_BIPED_LAB_H
#define FOOTFALL_TESTS_BIPED_LAB_H

#include "check.h"

#include <footfall/biped.h>
#include <footfall/math.h>

typedef struct lab {
    ff_model *model;
    ff_biped robot;
} lab;

static inline lab lab_open(void)
{
    lab l = {0};
    ff_report report = {0};
    ff_error err = {0};
    l.model = ff_model_load(FF_SOURCE_DIR "/robots/lola/lola.yaml", NULL, &report);
    if (!l.model) CHECK_FAIL("%s", report.count > 0 ? report.messages[0].text : "LOLA was not read");
    ff_report_clear(&report);
    if (ff_biped_make(l.model, "stand", &l.robot, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    return l;
}

static inline void lab_close(lab *l)
{
    ff_model_destroy(l->model);
}

#endif
