// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Differences between robots, the begin of their lives and their observations, as plain data that can be copied to a
// device. A life is the time of a robot from one reset to the next. Entries of the table of distributions are checked
// one by one (spread.c) and resolved for a model (draw.c); draw_core.h draws from them. life_core.h begins and observes
// lives, on a processor (life.c) and on a device (device_life.cu).
#ifndef FOOTFALL_BATCH_LIFE_H
#define FOOTFALL_BATCH_LIFE_H

#include <footfall/batch.h>

#include "batch/model.h"

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------ entries of the table

/// Elements of the robot that a quantity can be about.
typedef enum ff_spread_scope {
    FF_SPREAD_OF_ALL,
    FF_SPREAD_OF_BODIES,
    FF_SPREAD_OF_JOINTS,
    FF_SPREAD_OF_SERVOS,
    FF_SPREAD_OF_POINTS
} ff_spread_scope;
ff_spread_scope ff_spread_of(ff_batch_parameter quantity);
const char *ff_spread_unit(ff_batch_parameter quantity);
/// Least and largest value that a checked entry draws; of a normal one without bounds up to four deviations.
void ff_spread_ends(const ff_batch_spread *spread, double ends[2]);

enum { FF_BATCH_DELAY_MOST = 1000 }; // of servos  [steps]

/// Checks an entry. @return FF_OK, or FF_BAD_ARGUMENT with the reason why it cannot be drawn from
/// @param delay  longest delay of a servo, 0: there are no servos  [steps]
ff_status ff_spread_check(const ff_batch_spread *spread, int delay, ff_error *err);

// ------------------------------------------------------------------------------------------ draws

/// Draws of a robot for a body.
typedef struct ff_body_draw {
    double mass, inertia; // factors
    double shift[3];      // of the centre of mass, body axes  [m]
    double payload;       // [kg]
} ff_body_draw;

/// An entry of the table as numbers and indices, which can be copied to a device.
typedef struct ff_draw_entry {
    ff_batch_parameter quantity;
    ff_batch_distribution kind;
    double low, high;         // as in ff_batch_spread
    double log_low, log_high; // of a log-uniform one
    double mean, deviation;   // of a normal one ...
    int bounded;              // ... which has bounds
    const double *values;     // of a choice  (nvalue)
    int nvalue;
    int single;                       // it names one body, joint, shape or servo
    int body;                         // the body that it names, -1: all
    int dof;                          // the degree of freedom that it names, -1: all
    int factor_row;                   // row of the state with the factor of a single servo
    const unsigned char *names_point; // does it name a contact point?  (npoint), NULL: it names none
} ff_draw_entry;

typedef struct ff_draw_table {
    ff_draw_entry *entries; // (count)
    int count;
    int force, direction, time, duration; // entries of a push, -1: none
} ff_draw_table;

typedef struct ff_draws {
    ff_batch_spread *rows;       // entries as given, with copied values and names  (count)
    const char **names;          // "mass", "mass.torso"  (count)
    int *target;                 // body or joint of an entry, -1: all  (count)
    unsigned char **names_point; // does an entry name a contact point?  (npoint each), NULL: it names none  (count)
    int count;
    int noise;                   // entry of the factor of noise, -1: none
    ff_draw_table table;         // the entries, resolved for the model
    ff_body_draw *bodies;        // scratch  (nbody)
    ff_batch_model varied;       // the model with state rows for draws of single bodies, points and servos
    const ff_batch_model *model; // `varied`, or the given model if no such rows are needed
    ff_arena arena;
} ff_draws;

/// Checks and copies a table. @return FF_OK, FF_BAD_ARGUMENT with the faulty entry, or FF_NO_MEMORY
ff_status ff_draws_make(ff_draws *out, const ff_batch_model *model, const ff_batch_spread *rows, int count,
                        ff_error *err);
void ff_draws_clear(ff_draws *draws);
/// Draws for a robot at the start (life.c).
/// @param rows   state of the robot, changed   (nrow of draws->model)
/// @param drawn  number drawn from each entry of the table; the last one of an entry that draws several  (count)
void ff_draws_robot(const ff_draws *draws, ff_random *random, double *rows, double *drawn);

// ------------------------------------------------------------------------------------------ lives

/// Source of the random numbers of a robot: each life has its own number, counted from robot * 2^32 with the seed of
/// the batch, from 0 with the robot's own seed.
typedef struct ff_batch_stream {
    uint64_t seed, life;
} ff_batch_stream;

/// Rows of a robot for callers, separate from those of its state but in the same order of blocks: observations
/// (nobserve), observations at the end of its last life (nobserve), then these.
enum { FF_SEEN_ENDED, FF_SEEN_REWARD, FF_SEEN_AGE, FF_SEEN_ROWS };

typedef struct ff_batch_lives {
    int robots;
    ff_draw_table draws;
    const ff_formula_step *code; // formulas of the observations
    const int *observe;          // first instruction of each formula in it, and the end of the last  (nobserve + 1)
    int nobserve;
    ff_batch_stream *streams; // (robots)
    double *drawn;            // numbers drawn from each entry of the table  (robots*draws.count)
    ff_body_draw *bodies;     // scratch  (nbody; on a device robots*nbody)
    double *seen;             // rows for callers
    int nseen;                // number of these of a robot
} ff_batch_lives;

/// Resets a robot: its state with new draws, and the next number of its stream.
/// @param x  first row of its state  @param stride  from one row to the next
void ff_life_begin(const ff_batch_lives *lives, const ff_batch_model *model, int robot, double *x, int stride);
/// Begins the next life of a robot in its present state, with new noise; distances are measured from there.
void ff_life_next(const ff_batch_lives *lives, const ff_batch_model *model, int robot, double *x, int stride);
/// Computes the observations of a robot in its present state.
/// @param out  (nobserve)  @param apart  distance from one value to the next
void ff_life_observe(const ff_batch_lives *lives, const ff_batch_model *model, const double *x, const double *in,
                     int stride, double *out, int apart);
/// Stores end, reward, age and observations of a robot after steps. If it has ended, or has made `age` steps, it is
/// reset with the targets of the start. Then it is observed again.
/// @param seen  first of its rows for callers
void ff_life_renew(const ff_batch_lives *lives, const ff_batch_model *model, int robot, double *x, double *in,
                   double *seen, int stride, double age);

#ifdef __cplusplus
}
#endif
#endif
