// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of the room: trace.c watches a run, again.c makes one again otherwise, compare.c measures how far two lie
// apart and where they part, bars.c makes bars and verdicts, bands.c bands around curves, words.c sentences and JSON,
// certify.c has the threads and the order of things.
#ifndef FOOTFALL_CERTIFY_CERTIFY_H
#define FOOTFALL_CERTIFY_CERTIFY_H

#include "record/record.h"

#include <footfall/certify.h>
#include <footfall/json.h>

// ------------------------------------------------------------------------------------------ trace.c

/// Two shapes have begun or ceased to touch at one point.
typedef struct ff_trace_touch {
    int shape1, shape2; // shape1 < shape2
    int change;         // of the number of points: +1, -1
    double t;           // [s]
} ff_trace_touch;

/// What is kept of a run that others are compared with. Samples are rows of its recording, so that no step is cut
/// that was not cut before; where it records nothing, there are those at the start and at the end.
typedef struct ff_trace {
    ff_run *run;
    const ff_recorder *recorder; // NULL: it records nothing
    int stride;                  // of so many rows one is kept
    long long seen;              // rows
    double *rows;                // (nrow * columns)
    int nrow, columns;
    double *q;       // (count * nq)
    double *t;       // [s]
    long long *work; // evaluations up to here
    int count, capacity;
    ff_trace_touch *touches;
    int ntouch, touch_capacity;
    bool lacks_memory;
    // of runs that may be given up
    const ff_certify_options *options; // NULL: it is the run itself, which others stop and whose rows others keep
    const struct ff_trace *measure;    // whose work bounds that of this one; NULL: no bound
    bool gave_up, stopped;
    ff_recorder_tap also; // sees each row, too, in the thread of the run; NULL: nobody
    void *also_context;
} ff_trace;

/// Such that what is kept of a run fits into memory.
int ff_trace_choose_stride(const ff_run *run);
/// Begins to watch; before the first step.
ff_status ff_trace_begin(ff_trace *trace, ff_run *run, int stride, ff_error *err);
/// Takes the last state.
void ff_trace_end(ff_trace *trace);
void ff_trace_clear(ff_trace *trace);

// ------------------------------------------------------------------------------------------ again.c

typedef enum ff_role { FF_ROLE_ITSELF, FF_ROLE_TIGHTER, FF_ROLE_INDEPENDENT, FF_ROLE_PERTURBED } ff_role;

/// A repeated run.
typedef struct ff_again {
    ff_role role;
    ff_sim_options sim;
    bool possible; // there is such a method
    ff_run *run;   // NULL: it could not be made
    ff_trace trace;
    ff_status status;
    ff_error err;
} ff_again;

/// The options of the tighter run.
ff_sim_options ff_again_tighter(const ff_sim_options *options);
/// Options of a method of another family: choice number `choice`, from 0. @return false: there is no further one
bool ff_again_independent(const ff_sim_options *options, int choice, ff_sim_options *out);
/// Makes the run and lets it go to its end.
/// @param original      whose scene, start and channels it has
/// @param perturbation  number of the change of its start, from 1; 0: none
/// @param measure       see ff_trace; may be NULL
void ff_again_go(ff_again *again, const ff_run *original, int stride, const ff_certify_options *options,
                 const ff_trace *measure, int perturbation);
bool ff_again_ended(const ff_again *again);
void ff_again_clear(ff_again *again);

// ------------------------------------------------------------------------------------------ compare.c

/// Distance of two traces over time.
typedef struct ff_distance {
    double *t, *d; // (count)  [s], [m]
    int count;
    double most; // NaN: they have no sample in common
} ff_distance;
/// In memory of the arena.
ff_distance ff_trace_distance(const ff_trace *a, const ff_trace *b, ff_arena *arena);
/// The way of the degree of freedom that moved most.  [m]
double ff_trace_moved(const ff_trace *trace, ff_arena *arena);
/// A shorter way is none: runs at rest differ by rounding and by the 1e-9 of a changed start, large shares of nothing.
/// Distances are compared to this then.  [m]
#define FF_CERTIFY_AT_REST 1e-4
/// Runs this share of the way moved from each other agree.
#define FF_CERTIFY_SMALL 1e-2
/// @param moved  the way to which the distance is compared  [m]
ff_parting ff_trace_part(const ff_trace *a, const ff_trace *b, const ff_distance *distance, double moved,
                         ff_arena *arena);
/// Time in which a small distance doubles; NaN where it does not grow over at least two decades.  [s]
double ff_distance_doubling(const ff_distance *distance);

// ------------------------------------------------------------------------------------------ bars.c

/// How far the truth may be from `value`, by one or two other values; NaN: not given.
double ff_bar(double value, double tighter, double independent);
/// Values of metrics and expectations of one run, in the order of those of the original.
typedef struct ff_values {
    double *metrics;
    double *expectations;
    bool *met;
} ff_values;
/// @param run  NULL: all NaN
bool ff_values_take(ff_values *out, const ff_run *original, const ff_run *run, ff_arena *arena);
/// Fills metrics and expectations of the certificate.
/// @param spread  of the perturbed runs; (nspread) 0 unless chaotic
void ff_certify_numbers(ff_certificate *c, const ff_run *original, const ff_values *tighter,
                        const ff_values *independent, const ff_values *spread, int nspread, ff_arena *arena);

// ------------------------------------------------------------------------------------------ bands.c

/// Lower and upper edges around the curves of a run.
typedef struct ff_bands {
    const ff_trace *of;
    double *low, *high; // (rows * columns of it)
} ff_bands;
/// Begins with the curves themselves. False without memory.
bool ff_bands_begin(ff_bands *bands, const ff_trace *of);
/// Bars around each sample; either may be NULL.
void ff_bands_add_bars(ff_bands *bands, const ff_trace *tighter, const ff_trace *independent);
/// Lets the band reach to the curves of another run.
void ff_bands_reach(ff_bands *bands, const ff_trace *other);
char *ff_bands_to_json(const ff_bands *bands);
void ff_bands_clear(ff_bands *bands);

// ------------------------------------------------------------------------------------------ certify.c

/// Is the tighter run much nearer to the independent one than the run itself is?
bool ff_certificate_closes_in(const ff_certificate *c);

// ------------------------------------------------------------------------------------------ words.c

const char *ff_role_name(ff_role role);
/// "step 0.25 ms", "accuracy 1e-4".
const char *ff_again_describe(const ff_sim_options *options, ff_arena *arena);
/// " It parts from the tighter one at 5.2 s: ..", "" where it does not.
/// @param of      the run it parts from, "the tighter one"
/// @param itself  the run that parts, "this run"
const char *ff_parting_describe(const ff_parting *parting, const char *of, const char *itself, ff_arena *arena);
/// Member "parting", where there is one. @param of  word for the run it parts from
void ff_parting_to_json(const ff_parting *parting, const char *of, ff_json *json);
/// What the certificate says, of its other members. NULL without memory.
const char *ff_certificate_describe(const ff_certificate *c, const ff_scene_spec *scene, ff_arena *arena);

#endif
