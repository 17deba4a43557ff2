// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Scene reader: any bytes give a scene or a message, and a scene that was accepted can begin or say why not. The file
// sits in the corpus folder, so that relative paths of the seeds find robots there.
#include <footfall/run.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    ff_report report = {0};
    const ff_scene_spec *scene =
        ff_scene_parse((const char *)bytes, size, "tests/fuzz/corpus/scene/fuzz.yaml", NULL, 0, &report);
    if (!scene && report.errors == 0) abort();
    // Longer ones would allocate the memory that they request, which is no fault.
    if (scene && scene->time <= 10 && scene->record.rate_hz <= 1000) {
        const int before = report.errors;
        ff_run *run = ff_run_create(scene, NULL, &report);
        if (!run && report.errors == before) abort();
        ff_run_destroy(run);
    }
    ff_scene_destroy(scene);
    ff_report_clear(&report);
    return 0;
}
