// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Scripts in Lua: any bytes start or say why not, and a script that started runs for some cycles, commands between
// them, in bounded time and memory.
#include "steer/lua_script.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/// A body on a hinge.
static ff_model *make_robot(void)
{
    ff_spec *spec = ff_spec_create(NULL);
    ff_spec_body *body = ff_spec_add_body(spec, "rod", -1);
    body->has_inertial = true;
    body->mass = 1.0;
    body->com[0] = 0.5;
    ff_spec_add_joint(spec, "hinge", 0, FF_JOINT_HINGE);
    ff_load_options options = ff_load_options_default();
    ff_model *model = ff_model_compile(spec, &options, NULL);
    ff_spec_destroy(spec);
    return model;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static ff_model *robot;
    static const ff_io_name sensors[] = {{"sensors.pot.position", "rad"}, {"sensors.tacho.speed", "rad/s"}},
                            references[] = {{"drives.hinge.position", "rad"},
                                            {"drives.hinge.speed", "rad/s"},
                                            {"drives.hinge.force", "N m"}};
    static const ff_script_value speed = {.type = FF_SCRIPT_NUMBER, .key = "speed", .number = 0.1},
                                 map = {.type = FF_SCRIPT_MAP, .child = (ff_script_value *)(uintptr_t)&speed};
    const ff_command command = {.values = (void *)(uintptr_t)&map, .valid = true};
    const ff_io_layout in = {FF_IO_SENSORS, 2, sensors, 1}, out = {FF_IO_REFERENCES, 3, references, 2};
    const ff_lua_settings settings = {
        .source = {.path = "fuzz.lua", .text = (const char *)bytes, .length = size, .parameters = &map},
        .instructions = 2e4,
        .memory = 1e6};
    union {
        ff_io_frame frame;
        char room[256];
    } from = {0}, to = {0};
    if (!robot) robot = make_robot();
    const ff_controller_site site = {.robot = robot, .sensors = &in, .references = &out, .period = 1e-3, .seed = 1};
    const ff_controller_kind *lua = &ff_controller_lua;
    ff_controller ports = {0};
    void *script = NULL;
    ff_error err = {0};
    if (lua->create(&settings, &site, &script, &err) != FF_OK || lua->bind(script, &site, &ports, &err) != FF_OK) {
        if (err.text[0] == '\0') abort();
        if (script) lua->destroy(script);
        return 0;
    }
    ff_io_init(&from.frame, &in);
    ff_io_init(&to.frame, &out);
    for (int k = 0; k < 10; k++) {
        for (int i = 0; i < 2; i++) ff_io_items(&from.frame)[i] = (ff_io_item){.value = 0.1 * k, .valid = 1};
        memset(ff_io_items(&to.frame), 0, 3 * sizeof(ff_io_item));
        if (k == 5) lua->command(script, 1e-3 * k, &command, &err);
        lua->step(script, 1e-3 * k, &from.frame, &to.frame);
        for (int i = 0; i < 3; i++)
            if (ff_io_items(&to.frame)[i].valid && !isfinite(ff_io_items(&to.frame)[i].value)) abort();
    }
    ff_report report = {0};
    lua->report(script, (ff_place){"fuzz.yaml", 1, 1}, &report);
    ff_report_clear(&report);
    lua->destroy(script);
    return 0;
}
