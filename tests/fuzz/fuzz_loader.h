// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the three robot loaders promise about any bytes at all: parse and compile, drives and sensors with it, return,
// without a crash, leak or undefined behaviour, and a refusal always comes with at least one error in the report.
#ifndef FOOTFALL_TESTS_FUZZ_LOADER_H
#define FOOTFALL_TESTS_FUZZ_LOADER_H

#include <footfall/load.h>
#include <footfall/plant.h>
#include <stdint.h>
#include <stdlib.h>

static inline void fuzz_loader(const char *format, const uint8_t *bytes, size_t size, const char *file)
{
    // The options follow from the size, so that one byte more walks the other way.
    ff_plant_options options = ff_plant_options_default();
    options.load.floating = size & 1;
    options.load.repair = size & 2;
    options.driven = size & 4;
    ff_report report = {0};
    ff_spec *spec = ff_spec_create(NULL);
    if (!spec) return;
    ff_status status = ff_spec_parse(spec, format, (const char *)bytes, size, file, &options.load, &report);
    if (status != FF_OK && report.errors == 0) abort();
    if (status == FF_OK) {
        ff_plant *plant = ff_plant_compile(spec, &options, &report);
        if (!plant && report.errors == 0) abort();
        ff_plant_destroy(plant);
    }
    ff_spec_destroy(spec);
    ff_report_clear(&report);
}

#endif
