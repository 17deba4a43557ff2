// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Private interface of the room: trace.c samples a run, repeat.c repeats it with other settings, compare.c measures the
// distance of two runs and where they separate, bars.c computes error bars and verdicts, bands.c bands around curves,
// words.c writes sentences and JSON, certify.c has the stages and their threads.
#ifndef FOOTFALL_CERTIFY_CERTIFY_H
#define FOOTFALL_CERTIFY_CERTIFY_H

#include "record/record.h"

#include <footfall/certify.h>

// ------------------------------------------------------------------------------------------ trace.c

/// Begin or end of a contact at one point of two shapes.
typedef struct ff_trace_touch {
    int shape1, shape2; // shape1 < shape2
    int change;         // +1: begin, -1: end
    double t;           // [s]
} ff_trace_touch;

/// Samples of a run, for comparison with other runs. They are taken with rows of its recording, so that they end no
/// additional steps; without a recording there is one at the start and one at the end.
typedef struct ff_trace {
    ff_run *run;
    const ff_recorder *recorder; // NULL: nothing is recorded
    int stride;                  // one of so many rows is stored
    long long rows_seen;         // number of rows recorded so far
    double *rows;                // (nrow * columns)
    int nrow, columns;
    double *q;       // (count * nq)
    double *t;       // [s]
    long long *work; // evaluations up to each sample
    int count, capacity;
    ff_trace_touch *touches;
    int ntouch, touch_capacity;
    bool lacks_memory;
    // of repeated runs
    const ff_certify_options *options; // NULL: the run itself, which its caller stops and records
    const struct ff_trace *original;   // trace of the run itself, which bounds the work of this one; NULL: no bound
    bool gave_up, stopped;
    ff_recorder_tap tap; // gets each row, too, in the thread of the run; may be NULL
    void *tap_context;
} ff_trace;

/// Number of rows of which one is stored, such that the trace of a run fits into memory.
int ff_trace_choose_stride(const ff_run *run);
/// Begins to sample a run; before its first step. @return FF_OK, or a status with the reason in `err`
ff_status ff_trace_begin(ff_trace *trace, ff_run *run, int stride, ff_error *err);
/// Samples the last state.
void ff_trace_end(ff_trace *trace);
void ff_trace_clear(ff_trace *trace);

// ------------------------------------------------------------------------------------------ repeat.c

typedef enum ff_role { FF_ROLE_ITSELF, FF_ROLE_TIGHTER, FF_ROLE_INDEPENDENT, FF_ROLE_PERTURBED } ff_role;

/// A repeated run.
typedef struct ff_repeat {
    ff_role role;
    ff_sim_options sim;
    bool possible; // a method for this role exists
    ff_run *run;   // NULL: it could not be created
    ff_trace trace;
    ff_status status;
    ff_error err;
} ff_repeat;

/// Options of the tighter run.
ff_sim_options ff_repeat_tighter(const ff_sim_options *options);
/// Options of a method of another family: choice number `choice`, from 0. @return false: there is no further one
bool ff_repeat_independent(const ff_sim_options *options, int choice, ff_sim_options *out);
/// Creates the run and simulates it to its end.
/// @param original      run whose scene, start and channels are used
/// @param bound         trace of `original`, which bounds the work of the new run; NULL: no bound
/// @param perturbation  number of the change of its start, from 1; 0: none
void ff_repeat_run(ff_repeat *repeat, const ff_run *original, int stride, const ff_certify_options *options,
                   const ff_trace *bound, int perturbation);
/// Has the run reached its end?
bool ff_repeat_ended(const ff_repeat *repeat);
void ff_repeat_clear(ff_repeat *repeat);

// ------------------------------------------------------------------------------------------ compare.c

/// Distance of two traces over time.
typedef struct ff_distance {
    double *t, *d; // (count)  [s], [m]
    int count;
    double most; // largest distance; NaN: no common sample  [m]
} ff_distance;
/// Distance at the times that both traces have; in memory of the arena.
ff_distance ff_trace_distance(const ff_trace *a, const ff_trace *b, ff_arena *arena);
/// Distance moved by the degree of freedom that moved most.  [m]
double ff_trace_moved(const ff_trace *trace, ff_arena *arena);
/// Least distance moved to which distances of runs are compared: runs at rest differ by rounding and by the 1e-9 of a
/// changed start, which are large shares of hardly any motion.  [m]
#define FF_CERTIFY_AT_REST 1e-4
/// Distance of runs that agree, as share of the distance moved.
#define FF_CERTIFY_SMALL 1e-2
/// Where two runs separate.
/// @param moved  distance moved to which their distance is compared  [m]
ff_parting ff_trace_part(const ff_trace *a, const ff_trace *b, const ff_distance *distance, double moved,
                         ff_arena *arena);
/// Time in which a small distance doubles; NaN unless it grows over at least two decades.  [s]
double ff_distance_doubling(const ff_distance *distance);

// ------------------------------------------------------------------------------------------ bars.c

/// Error bar of `value`, from the values of one or two other runs; NaN: not given.
double ff_bar(double value, double tighter, double independent);
/// Values of metrics and expectations of one run, in the order of those of the original.
typedef struct ff_values {
    double *metrics;
    double *expectations;
    bool *met;
} ff_values;
/// Copies the values of a run. @return false without memory
/// @param run  NULL: all values become NaN
bool ff_values_take(ff_values *out, const ff_run *original, const ff_run *run, ff_arena *arena);
/// Fills metrics and expectations of the certificate.
/// @param spread  values of the perturbed runs  (nspread, 0 unless chaotic)
void ff_certify_numbers(ff_certificate *c, const ff_run *original, const ff_values *tighter,
                        const ff_values *independent, const ff_values *spread, int nspread, ff_arena *arena);

// ------------------------------------------------------------------------------------------ bands.c

/// Lower and upper edges around the curves of a run.
typedef struct ff_bands {
    const ff_trace *of; // the run itself
    double *low, *high; // (rows * columns of its trace)
} ff_bands;
/// Begins with bands of no width. @return false without memory
bool ff_bands_begin(ff_bands *bands, const ff_trace *of);
/// Widens the bands by error bars at each sample; either run may be NULL.
void ff_bands_add_bars(ff_bands *bands, const ff_trace *tighter, const ff_trace *independent);
/// Widens the bands to contain the curves of another run.
void ff_bands_reach(ff_bands *bands, const ff_trace *other);
char *ff_bands_to_json(const ff_bands *bands);
void ff_bands_clear(ff_bands *bands);

// ------------------------------------------------------------------------------------------ certify.c

/// Is the tighter run much closer to the independent one than to the run itself?
bool ff_certificate_converges(const ff_certificate *c);

// ------------------------------------------------------------------------------------------ words.c

const char *ff_role_name(ff_role role);
/// Setting of a method in words: "step 0.25 ms", "accuracy 1e-4".
const char *ff_repeat_describe(const ff_sim_options *options, ff_arena *arena);
/// Sentence " It parts from the tighter one at 5.2 s: ..", or "" if the runs do not separate.
/// @param of      words for the run it is compared with, "the tighter one"
/// @param itself  words for the run, "this run"
const char *ff_parting_describe(const ff_parting *parting, const char *of, const char *itself, ff_arena *arena);
/// Writes member "parting" if the runs separate. @param of  word for the run it is compared with
void ff_parting_to_json(const ff_parting *parting, const char *of, ff_json *json);
/// Types of the JSON of certificates.
extern const ff_json_subject ff_certificate_json;
/// Text of a certificate, from its other members; NULL without memory.
const char *ff_certificate_describe(const ff_certificate *c, const ff_scene_spec *scene, ff_arena *arena);

#endif
