// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Signals: values of a controller that recorders can keep.
#include "engine/system.h"

#include <footfall/sensors.h>
#include <string.h>

ff_status ff_sim_add_signals(ff_sim *sim, const char *lead, const ff_io_name *names, const double *values, int count,
                             ff_error *err)
{
    for (int i = 0; i < count; i++) {
        if (!ff_array_grow(&sim->signals, sim->nsignal, &sim->signal_capacity, sizeof *sim->signals))
            return ff_error_set(err, FF_NO_MEMORY, "no memory for the signals of a controller");
        const ff_signal_slot slot = {.name = ff_arena_printf(&sim->arena, "%s%s", lead, names[i].name),
                                     .unit = ff_arena_strdup(&sim->arena, names[i].unit),
                                     .value = &values[i]};
        if (!slot.name || !slot.unit)
            return ff_error_set(err, FF_NO_MEMORY, "no memory for the signals of a controller");
        for (int k = 0; k < sim->nsignal; k++)
            if (strcmp(sim->signals[k].name, slot.name) == 0)
                return ff_error_set(err, FF_BAD_ARGUMENT, "two signals are called '%s'", slot.name);
        sim->signals[sim->nsignal++] = slot;
    }
    return FF_OK;
}
