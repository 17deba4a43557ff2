// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// How far the numbers of a run can be relied on: the run is made again with a tighter accuracy, and again by a method
// of another family, while it runs itself. From how far the three lie apart come an error bar for each metric, a
// band around each curve, and the place where they part. Where motion is chaotic no accuracy helps: then the spread
// over several runs takes the place of the bar. docs/certificate.md says what the numbers mean.
//
//     ff_certifier *certifier = ff_certify_begin(run, NULL, &err);      // before the first step
//     ff_status status = ff_run_go(run, &err);                          // the same bits as without a certificate
//     const ff_certificate *c = ff_certify_end(certifier, status, &err);
//     ... c->certainty, c->metrics[i].bar ...
//     ff_certifier_destroy(certifier);                                  // before ff_run_destroy(run)
#ifndef FOOTFALL_CERTIFY_H
#define FOOTFALL_CERTIFY_H

#include <footfall/run.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ff_certify_options {
    int spread;       // further runs where motion is chaotic
    double most_work; // work of the independent run before it is given up  [times the evaluations of the run itself]
    bool (*stop)(void *context); // asked at each step of the other runs, from their threads; NULL: they go to the end
    void *context;
} ff_certify_options;

/// Four further runs, most work 50, no way to stop.
FF_API ff_certify_options ff_certify_options_default(void);

/// What the runs say together.
typedef enum ff_certainty {
    FF_CERTAINTY_RESOLVED,   // they approach one motion: bars hold
    FF_CERTAINTY_UNRESOLVED, // they do not yet, and bars may be too short; or the run itself is far from the others
    FF_CERTAINTY_CHAOTIC,    // they never will: a change of the start by 1e-9 grows as large as their differences
} ff_certainty;
/// "resolved", "unresolved", "chaotic".
FF_API const char *ff_certainty_name(ff_certainty certainty);

/// A number with its error bar.
typedef struct ff_certified_number {
    const char *metric;
    double value;                // of the run itself
    double tighter, independent; // of the others; NaN: there is none
    double bar;                  // |error| is at most about this; NaN: the others do not have the number
    double low, median, high;    // of all runs; NaN unless chaotic
} ff_certified_number;

/// What becomes of a verdict within the bar.
typedef enum ff_standing {
    FF_STANDING_MET,           // and farther from its bounds than the bar
    FF_STANDING_MET_OPEN,      // but closer to a bound than the bar: undecided
    FF_STANDING_MISSED_OPEN,   // but by less than the bar: undecided
    FF_STANDING_MISSED,        //
    FF_STANDING_OF_OTHER_SEED, // not judged
} ff_standing;
/// "met", "met, undecided", "missed, undecided", "missed", "not for this seed".
FF_API const char *ff_standing_name(ff_standing standing);

typedef struct ff_certified_expectation {
    ff_certified_number number;
    ff_standing standing;
    int met, of; // where chaotic: in so many of so many runs; else 0
} ff_certified_expectation;

/// One of the runs that were made.
typedef struct ff_certified_run {
    const char *role;    // "itself", "tighter", "independent", "perturbed"
    const char *method;  // by its name
    const char *setting; // "step 0.25 ms", "accuracy 1e-4"
    const char *outcome; // "finished", or why not
    double time;         // simulated  [s]
    long long evaluations;
    bool ended; // it came to the end of the run
} ff_certified_run;

/// Where the run and the one that it is compared with part: they are farther from each other than a thousandth of the
/// way moved for the first time.
typedef struct ff_parting {
    bool parted;
    double t;            // NaN, as all that follows: nothing is recorded, and only their ends were seen  [s]
    double since;        // when they were ten times as close  [s]
    double distance;     // at t  [m]
    const char *contact; // "a and b": shapes that touch in one of the runs alone; NULL: no contact differs there
    double at, lasts;    // from when, for how long  [s]
    bool in_run;         // it is the run itself in which they touch
} ff_parting;

/// Distances are between positions of all degrees of freedom, the largest counts, 1 rad as 0.1 m.
typedef struct ff_certificate {
    ff_certainty certainty;
    const char *text;             // what it says, in a sentence or two
    const ff_certified_run *runs; // the run itself first
    int nrun;
    double moved;       // the way of the degree of freedom that moved most                 [m]
    double tighter;     // largest distance of the tighter run from the run itself          [m]
    double independent; // of the independent one; NaN: there is none                       [m]
    double between;     // of these two from each other; NaN                                [m]
    double perturbed;   // of the tighter one from itself after a change of its start by 1e-9; NaN: not needed [m]
    double doubling;    // time in which small differences double; NaN unless chaotic       [s]
    ff_parting parting;
    const ff_certified_number *metrics; // those of the result
    int nmetric;
    const ff_certified_expectation *expectations; // those of the result
    int nexpectation;
} ff_certificate;

typedef struct ff_certifier ff_certifier;

/// Joins a run that has not begun and starts the tighter one beside it, in a thread of its own. The run gives the same
/// bits as without. Refused with the reason in `err` (FF_BAD_ARGUMENT): runs that have begun or were restored, that can
/// be touched or have controllers of the caller's own (nothing of that can be made again), or whose scripts have
/// permissions (they would write their files several times).
/// @param options  copied; NULL: the default
/// @return NULL with the reason in `err`
FF_API ff_certifier *ff_certify_begin(ff_run *run, const ff_certify_options *options, ff_error *err);
/// Waits for the other runs, makes those that are still needed, and judges.
/// @param status  of ff_run_go
/// @return NULL with the reason in `err`: FF_STOPPED (by `stop`), FF_NO_MEMORY, or `status` where the run did not end
FF_API const ff_certificate *ff_certify_end(ff_certifier *certifier, ff_status status, ff_error *err);
/// Ends runs that are at work, and frees everything; NULL is allowed. Before the run is destroyed.
FF_API void ff_certifier_destroy(ff_certifier *certifier);

/// The certificate as JSON, docs/studio.md; malloc'ed, NULL without memory.
FF_API char *ff_certificate_to_json(const ff_certificate *certificate);
/// The bands around the recorded curves as JSON, docs/studio.md; malloc'ed, NULL without memory. After ff_certify_end.
FF_API char *ff_certifier_bands(const ff_certifier *certifier);

#ifdef __cplusplus
}
#endif
#endif
