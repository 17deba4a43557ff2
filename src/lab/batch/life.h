// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What differs from robot to robot, how their lives begin and what is observed of them, as plain data that a device can
// have, too. The table of distributions is checked row by row (spread.c) and made ready for a model (draw.c);
// draw_core.h draws from it. life_core.h begins and observes lives, on a processor (life.c) and on a device
// (device_life.cu).
#ifndef FOOTFALL_BATCH_LIFE_H
#define FOOTFALL_BATCH_LIFE_H

#include <footfall/batch.h>

#include "batch/model.h"

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------ rows of the table

/// What a quantity can be of: the robot alone, or single things of it.
typedef enum ff_spread_scope {
    FF_SPREAD_OF_ALL,
    FF_SPREAD_OF_BODIES,
    FF_SPREAD_OF_JOINTS,
    FF_SPREAD_OF_SERVOS,
    FF_SPREAD_OF_POINTS
} ff_spread_scope;
ff_spread_scope ff_spread_of(ff_batch_parameter quantity);
const char *ff_spread_unit(ff_batch_parameter quantity);
/// Least and most that a row which was checked draws; of a normal one without bounds as far as four deviations.
void ff_spread_ends(const ff_batch_spread *spread, double ends[2]);

enum { FF_BATCH_DELAY_MOST = 1000 }; // of servos  [steps]

/// @return FF_BAD_ARGUMENT with why the row cannot be drawn from
/// @param delay  longest delay of a servo, 0: there are no servos  [steps]
ff_status ff_spread_check(const ff_batch_spread *spread, int delay, ff_error *err);

// ------------------------------------------------------------------------------------------ draws

/// What a robot changes of a body.
typedef struct ff_body_draw {
    double mass, inertia; // factors
    double shift[3];      // of the centre of mass, body axes  [m]
    double payload;       // [kg]
} ff_body_draw;

/// A row of the table as numbers and indices, which a device can have, too.
typedef struct ff_draw_row {
    ff_batch_parameter quantity;
    ff_batch_distribution kind;
    double low, high;         // as in ff_batch_spread
    double log_low, log_high; // of a log-uniform one
    double mean, deviation;   // of a normal one ...
    int bounded;              // ... which has bounds
    const double *values;     // of a choice  (nvalue)
    int nvalue;
    int single;                // it names one body, joint, shape or servo
    int body;                  // the body that it names, -1: all
    int dof;                   // the degree of freedom that it names, -1: all
    int factor_row;            // row of the state with the factor of a single servo
    const unsigned char *hits; // contact points that it is about  (npoint), NULL: all
} ff_draw_row;

typedef struct ff_draw_table {
    ff_draw_row *rows; // (count)
    int count;
    int force, direction, time, duration; // rows of a push, -1: none
} ff_draw_table;

typedef struct ff_draws {
    ff_batch_spread *rows; // with values and names of their own  (count)
    const char **names;    // "mass", "mass.torso"  (count)
    int *target;           // body or joint of a row, -1: all  (count)
    unsigned char **hits;  // contact points of a row that is about some  (npoint), NULL: all
    int count;
    int noise;                   // row of the factor of noise, -1: none
    ff_draw_table table;         // the same rows, to draw from
    ff_body_draw *bodies;        // to work in  (nbody)
    ff_batch_model varied;       // the model with rows for what robots draw of single bodies, points and servos
    const ff_batch_model *model; // it, or the model that was given where no robot needs such rows
    ff_arena arena;
} ff_draws;

/// Checks and copies a table. @return FF_OK, FF_BAD_ARGUMENT with the row that is wrong, or FF_NO_MEMORY
ff_status ff_draws_make(ff_draws *out, const ff_batch_model *model, const ff_batch_spread *rows, int count,
                        ff_error *err);
void ff_draws_clear(ff_draws *draws);
/// Draws a robot that stands at the start (life.c).
/// @param rows   of its state, changed   (nrow of draws->model)
/// @param drawn  number of each row of the table; of one that draws several the last  (count)
void ff_draws_robot(const ff_draws *draws, ff_random *random, double *rows, double *drawn);

// ------------------------------------------------------------------------------------------ lives

/// Where the random numbers of a robot come from: each life has a number of its own, counted from robot * 2^32 with the
/// seed of the batch, from 0 with a seed of the robot's own.
typedef struct ff_batch_stream {
    uint64_t seed, life;
} ff_batch_stream;

/// What is seen of a robot, rows beside those of its state and in the same order of blocks: observations (nobserve),
/// observations at the end of its last life (nobserve), then these.
enum { FF_SEEN_ENDED, FF_SEEN_REWARD, FF_SEEN_AGE, FF_SEEN_ROWS };

typedef struct ff_batch_lives {
    int robots;
    ff_draw_table draws;
    const ff_formula_step *code; // what is observed
    const int *observe;          // first instruction of each formula in it, and the end of the last  (nobserve + 1)
    int nobserve;
    ff_batch_stream *streams; // (robots)
    double *drawn;            // from each row of the table  (robots*draws.count)
    ff_body_draw *bodies;     // to work in  (nbody; on a device robots*nbody)
    double *seen;
    int nseen; // rows of it
} ff_batch_lives;

/// A robot begins: its state, what it draws, and the next number of its stream.
/// @param x  first row of its state  @param stride  from one row to the next
void ff_life_begin(const ff_batch_lives *lives, const ff_batch_model *model, int robot, double *x, int stride);
/// The next life of a robot, with noise of its own, where it stands: the way it makes is counted from there.
void ff_life_next(const ff_batch_lives *lives, const ff_batch_model *model, int robot, double *x, int stride);
/// What is observed of a robot as it is now.
/// @param out  (nobserve)  @param apart  from one of them to the next
void ff_life_observe(const ff_batch_lives *lives, const ff_batch_model *model, const double *x, const double *in,
                     int stride, double *out, int apart);
/// After steps: keeps end, reward, age and observations of a robot; where it has ended, or has made `age` steps, it
/// begins again with the targets of the start; then it is observed again.
/// @param seen  first row of what is seen of it
void ff_life_renew(const ff_batch_lives *lives, const ff_batch_model *model, int robot, double *x, double *in,
                   double *seen, int stride, double age);

#ifdef __cplusplus
}
#endif
#endif
