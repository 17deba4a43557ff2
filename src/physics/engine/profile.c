// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The profile of a run. The clock is that of the caller, since the library reads none.
#include "engine/system.h"

#include <string.h>

ff_status ff_sim_start_profile(ff_sim *sim, double (*clock)(void *context), void *context, ff_error *err)
{
    const ff_status status = ff_sim_begin(sim, err);
    if (status) return status;
    const int rows = FF_PROFILE_PARTS + sim->npart + sim->ntask;
    ff_stopwatch *p = sim->profile ? sim->profile : FF_ARENA_NEW(&sim->arena, ff_stopwatch, 1);
    double *seconds = sim->profile ? p->seconds : FF_ARENA_NEW(&sim->arena, double, rows);
    long long *calls = sim->profile ? p->calls : FF_ARENA_NEW(&sim->arena, long long, rows);
    if (!p || !seconds || !calls) return ff_error_set(err, FF_NO_MEMORY, "no memory for the profile");
    memset(seconds, 0, (size_t)rows * sizeof *seconds);
    memset(calls, 0, (size_t)rows * sizeof *calls);
    *p = (ff_stopwatch){.clock = clock, .context = context, .nrow = rows, .seconds = seconds, .calls = calls};
    p->last = clock(context);
    sim->profile = p;
    return FF_OK;
}

static const char *name_of(const ff_sim *sim, int row)
{
    static const char *const NAMES[FF_PROFILE_PARTS] = {
        [FF_PROFILE_OTHER] = "between steps",    [FF_PROFILE_METHOD] = "method",
        [FF_PROFILE_KINEMATICS] = "kinematics",  [FF_PROFILE_DYNAMICS] = "dynamics",
        [FF_PROFILE_SOUND] = "soundness, loops", [FF_PROFILE_LISTENERS] = "listeners",
        [FF_PROFILE_EVENTS] = "events"};
    if (row < FF_PROFILE_PARTS) return NAMES[row];
    row -= FF_PROFILE_PARTS;
    return row < sim->npart ? sim->parts[row].part.name : sim->tasks[row - sim->npart].task.name;
}

bool ff_sim_profile_row(ff_sim *sim, int row, ff_profile_row *out)
{
    ff_stopwatch *p = sim->profile;
    if (!p || row < 0 || row >= p->nrow) return false;
    ff_profile_charge(p);
    const int part = row - FF_PROFILE_PARTS;
    *out = (ff_profile_row){.kind = part < 0            ? FF_PROFILE_OF_STAGE
                                    : part < sim->npart ? FF_PROFILE_OF_PART
                                                        : FF_PROFILE_OF_TASK,
                            .name = name_of(sim, row),
                            .seconds = p->seconds[row],
                            .calls = p->calls[row]};
    return true;
}
