// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Images of scenes: any bytes give a scene or a message, and a scene that was accepted can begin or say why not. Size
// and check of the header are put right first, or nothing behind them would ever be read. Seeds are images of
// scenes of the same names:
//     for n in ball arm script; do footfall image tests/fuzz/images/$n.yaml --out
//         tests/fuzz/corpus/image/$n.ffscene; done
//     for n in host loops walk sensors terrain; do footfall image tests/fuzz/corpus/scene/$n.yaml --out
//         tests/fuzz/corpus/image/$n.ffscene; done
#include <footfall/run.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TOTAL_AT = 24, CHECK_AT = 32, HEADER = 40 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void put(uint8_t *to, uint64_t value)
{
    for (int i = 0; i < 8; i++) to[i] = (uint8_t)(value >> 8 * i);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 8 || !ff_scene_is_image(bytes, size)) return -1; // texts are for fuzz_scene
    uint8_t *image = malloc(size);
    if (!image) return -1;
    memcpy(image, bytes, size);
    if (size >= HEADER) {
        put(image + TOTAL_AT, size);
        put(image + CHECK_AT, ff_hash(image + HEADER, size - HEADER, FF_HASH_START));
    }
    ff_report report = {0};
    const ff_scene_spec *scene = ff_scene_parse((const char *)image, size, "fuzz.ffscene", NULL, 0, &report);
    free(image); // a scene keeps nothing of it
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
