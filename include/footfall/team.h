// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Many independent simulations on the processors of a machine: sweeps, Monte Carlo, optimisation of gaits. Each
// simulation runs on one thread from its beginning to its end, so that its result is bit-identical to that of
// ff_sim_run, whatever the number of threads and their order. Models and plants may be shared, since they are constant;
// all else belongs to one simulation. Room engine.
//
//     ff_status each[64];
//     ff_team_run(sims, 64, 10.0, 0, each, &err);              // 0: one thread a processor
//
// Callbacks of simulations (parts, tasks, events, listeners) are called from the thread that runs their simulation: a
// context shared by several must not be written.
#ifndef FOOTFALL_TEAM_H
#define FOOTFALL_TEAM_H

#include <footfall/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Runs each simulation to the time `until`, also after one has failed.
/// @param sims     each once, and no two that share anything but their model and plant; borrowed  (count)
/// @param threads  including the caller's; 0: ff_team_processors(). A build without threads runs one after the other
/// @param each     receives what ff_sim_run returned for each simulation; may be NULL  (count)
/// @param err      receives the error of the first simulation in the list that failed, its number in front
/// @return FF_OK when each ended with FF_OK or FF_STOPPED, else the status of the first in the list that failed
FF_API ff_status ff_team_run(ff_sim *const *sims, int count, double until, int threads, ff_status *each, ff_error *err);

/// Creates each simulation before its run and destroys it after it, so that each thread has only one at a time. Both
/// functions are called on the thread that runs the simulation, several threads at the same time.
typedef struct ff_team_maker {
    void *context;
    /// @return simulation number `index`, from 0, ready to run; NULL with the reason in `err`: `end` is not called then
    ff_sim *(*begin)(void *context, int index, ff_error *err);
    /// Reads results of the simulation and destroys it. `status` and `err` are those of its run.
    void (*end)(void *context, int index, ff_sim *sim, ff_status status, const ff_error *err);
} ff_team_maker;

/// As ff_team_run, for `count` simulations that `maker` creates one by one.
/// @return as above, and FF_BAD_ARGUMENT where the maker lacks a function
FF_API ff_status ff_team_make(const ff_team_maker *maker, int count, double until, int threads, ff_status *each,
                              ff_error *err);

/// Any other work on many simulations, over the same threads: calls `work` once for each index from 0 to count - 1.
/// Each call is made by one thread, several at the same time.
/// @return FF_OK, FF_BAD_ARGUMENT (no function, a count or threads out of range) or FF_NO_MEMORY
FF_API ff_status ff_team_each(int count, int threads, void (*work)(void *context, int index), void *context,
                              ff_error *err);

/// @return number of processors that this program may use; 1 in a build without threads
FF_API int ff_team_processors(void);

#ifdef __cplusplus
}
#endif
#endif
