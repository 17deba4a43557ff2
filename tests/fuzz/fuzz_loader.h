// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the three robot loaders promise about any bytes at all: parse, compile and the making of the sensors return, without a crash, leak
// or undefined behaviour, and a refusal always comes with at least one error in the report.
#ifndef FOOTFALL_TESTS_FUZZ_LOADER_H
#define FOOTFALL_TESTS_FUZZ_LOADER_H

#include <footfall/model.h>
#include <footfall/sense.h>
#include <stdint.h>
#include <stdlib.h>

typedef ff_status fuzz_parser(ff_spec *spec, const char *text, size_t length, const char *file,
                              const ff_load_options *options, ff_report *report);

static inline void fuzz_loader(fuzz_parser *parse, const uint8_t *bytes, size_t size, const char *file)
{
    // The options follow from the size, so that one byte more walks the other way.
    ff_load_options options = ff_load_options_default();
    options.floating = size & 1;
    options.repair = size & 2;
    ff_report report = {0};
    ff_spec *spec = ff_spec_create();
    if (!spec) return;
    ff_status status = parse(spec, (const char *)bytes, size, file, &options, &report);
    if (status != FF_OK && report.errors == 0) abort();
    if (status == FF_OK) {
        ff_model *model = ff_model_compile(spec, &options, &report);
        if (!model && report.errors == 0) abort();
        const int errors = report.errors;
        ff_sensor_set *sensors = model ? ff_sensor_set_create(model, NULL, &report) : NULL;
        if (model && !sensors && report.errors == errors) abort();
        ff_sensor_set_destroy(sensors);
        ff_model_destroy(model);
    }
    ff_spec_destroy(spec);
    ff_report_clear(&report);
}

#endif
