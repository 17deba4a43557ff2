// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A run as a batch model: the joint law of the scene becomes servos, its cycle of poses that of the batch; everything
// else is for the room batch to take or to refuse.
#include "batch/compile.h"
#include "scene/running.h"

#include <stdlib.h>

/// The part that the joint law is; -1: none.
static int part_of_law(const ff_run *run)
{
    for (int i = 0; run->law && i < run->sim->npart; i++)
        if (run->sim->parts[i].part.context == run->law) return i;
    return -1;
}

ff_batch_model *ff_run_compile_batch(ff_run *run, ff_report *report)
{
    if (!run) {
        ff_report_add(report, FF_ERROR, (ff_place){0}, "there is no run to make a batch of");
        return NULL;
    }
    const ff_run_law *law = run->law;
    const int n = law ? law->njoint : 0;
    ff_batch_servo *servos = calloc((size_t)n + 1, sizeof *servos);
    if (!servos) {
        ff_report_add(report, FF_ERROR, (ff_place){0}, "no memory for %d servos", n);
        return NULL;
    }
    for (int i = 0; i < n; i++)
        servos[i] =
            (ff_batch_servo){.joint = law->joints[i], .stiffness = law->asked.stiffness, .damping = law->asked.damping};
    ff_batch_joint_law given = {.servos = servos, .nservo = n, .part = part_of_law(run)};
    if (law) {
        given.torque = law->pushes ? law->torque : NULL;
        given.start = law->start;
        given.poses = law->asked.poses;
        given.npose = law->asked.npose;
        given.period = law->asked.period;
    }
    ff_batch_model *model = ff_batch_compile_law(run->sim, &given, report);
    free(servos);
    return model;
}
