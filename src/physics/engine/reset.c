// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Return to the start. All that the first run finds is saved (save.c): state, inputs, parts, random streams, tasks. A
// reset restores it bit by bit.
#include "engine/system.h"

#include <stdlib.h>

static void clear_inputs(ff_sim *sim)
{
    for (int i = 0; i < sim->nv; i++) ff_sim_set_torque(sim, i, 0.0);
    for (int i = 0; sim->model && i < sim->model->nactuator; i++) ff_sim_set_command(sim, (ff_actuator_id){i}, 0.0);
    for (int i = 0; sim->model && i < sim->model->nbody; i++)
        ff_sim_apply(sim, (ff_body_id){i}, NULL, NULL, NULL, FF_AXES_WORLD);
}

ff_status ff_sim_save_start(ff_sim *sim, ff_error *err)
{
    if (sim->start) return FF_OK;
    const size_t size = ff_sim_save_size(sim);
    void *start = malloc(size ? size : 1);
    if (!start) return ff_error_set(err, FF_NO_MEMORY, "no memory to keep the start");
    const ff_status status = ff_sim_save(sim, start, size, err);
    if (status) {
        free(start);
        return status;
    }
    sim->start = start;
    sim->start_size = size;
    return FF_OK;
}

static const char *key_name(const void *model, int i)
{
    return ((const ff_model *)model)->keys[i].name;
}

static ff_status find_key(const ff_sim *sim, const char *name, const ff_key **key, ff_error *err)
{
    const ff_model *m = sim->model;
    const int index = m ? ff_model_find_key(m, name) : -1;
    char text[256];
    if (index < 0) {
        ff_sim_describe_missing(text, sizeof text, "keyframe", name, key_name, m, m ? m->nkey : 0);
        return ff_error_set(err, FF_NOT_FOUND, "%s", text);
    }
    *key = &m->keys[index];
    return FF_OK;
}

static void set_inputs(ff_sim *sim, const ff_key *key, bool commands, bool activations)
{
    for (int i = 0; i < sim->model->nactuator; i++) {
        const ff_actuator_id actuator = {i};
        if (commands) ff_sim_set_command(sim, actuator, key->command[i]);
        if (activations && sim->model->actuators[i].state >= 0)
            ff_sim_set_activation(sim, actuator, key->activation[i]);
    }
}

ff_status ff_sim_reset(ff_sim *sim, const char *key, ff_error *err)
{
    const ff_key *to = NULL;
    ff_status status = key ? find_key(sim, key, &to, err) : FF_OK;
    if (status != FF_OK) return status;
    if (sim->start)
        status = ff_sim_restore(sim, sim->start, sim->start_size, err);
    else
        clear_inputs(sim);
    if (status != FF_OK || !to) return status;
    ff_sim_set_state(sim, to->q, to->v);
    set_inputs(sim, to, true, true);
    for (int i = 0; to->mocap && i < sim->model->nmocap; i++)
        ff_sim_set_mocap(sim, (ff_body_id){sim->model->mocaps[i]}, to->mocap + 7 * i, to->mocap + 7 * i + 3);
    for (int i = 0; i < sim->npart; i++)
        if (sim->parts[i].part.restart) sim->parts[i].part.restart(sim->parts[i].part.context, sim);
    set_inputs(sim, to, to->commanded, to->activated); // again: parts that hold a pose have set their own
    return FF_OK;
}
