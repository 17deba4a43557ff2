// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// How far the numbers of a run can be relied on. The run is repeated with a tighter accuracy, and by a method of
// another family, while it runs itself. The distances of the three give an error bar for each metric, a band around
// each curve, and the time at which they separate. No accuracy helps if the motion is chaotic: then the spread of
// several runs replaces the bar. docs/certificate.md says what the numbers mean.
//
//     ff_certifier *certifier = ff_certify_begin(run, NULL, &err);      // before the first step
//     ff_status status = ff_run_go(run, &err);                          // bit-identical to a run without a certificate
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
    bool (*stop)(
        void *context); // called at each step of the other runs, in their threads; true stops them; may be NULL
    void *context;
} ff_certify_options;

/// Four further runs, most work 50, no function `stop`.
FF_API ff_certify_options ff_certify_options_default(void);

/// Conclusion from all runs.
typedef enum ff_certainty {
    FF_CERTAINTY_RESOLVED,   // the runs converge to one motion: bars are reliable
    FF_CERTAINTY_UNRESOLVED, // they do not, and bars may be too short; or the run itself is far from the others
    FF_CERTAINTY_CHAOTIC,    // they cannot: a change of the start by 1e-9 grows as large as their differences
} ff_certainty;
/// "resolved", "unresolved", "chaotic".
FF_API const char *ff_certainty_name(ff_certainty certainty);

/// A number with its error bar.
typedef struct ff_certified_number {
    const char *metric;
    double value;                // in the run itself
    double tighter, independent; // in the repeated runs; NaN: there is none
    double bar;                  // bound on |error|, about; NaN: the repeated runs do not have the number
    double low, median, high;    // over all runs; NaN unless chaotic
} ff_certified_number;

/// Verdict on an expectation with regard to the error bar.
typedef enum ff_standing {
    FF_STANDING_MET,           // farther from its bounds than the bar
    FF_STANDING_MET_OPEN,      // closer to a bound than the bar: undecided
    FF_STANDING_MISSED_OPEN,   // missed by less than the bar: undecided
    FF_STANDING_MISSED,        // missed by more than the bar
    FF_STANDING_OF_OTHER_SEED, // not evaluated
} ff_standing;
/// "met", "met, undecided", "missed, undecided", "missed", "not for this seed".
FF_API const char *ff_standing_name(ff_standing standing);

typedef struct ff_certified_expectation {
    ff_certified_number number;
    ff_standing standing;
    int met, of; // of a chaotic motion: met in `met` of `of` runs; else 0
} ff_certified_expectation;

/// One of the runs that were made.
typedef struct ff_certified_run {
    const char *role;    // "itself", "tighter", "independent", "perturbed"
    const char *method;  // name of the integration method
    const char *setting; // "step 0.25 ms", "accuracy 1e-4"
    const char *outcome; // "finished", or the reason why it ended early
    double time;         // simulated  [s]
    long long evaluations;
    bool ended; // it reached the planned end
} ff_certified_run;

/// Where the run and another one separate: their distance exceeds a thousandth of the distance moved for the first
/// time.
typedef struct ff_parting {
    bool parted;
    double t;            // time; NaN, as all numbers below, if nothing is recorded and only the ends are known  [s]
    double since;        // last time before at which they were ten times as close  [s]
    double distance;     // at t  [m]
    const char *contact; // "'a' and 'b'": shapes that touch in only one of the runs; NULL: no contact differs
    double at, lasts;    // begin and duration of that contact  [s]
    bool in_run;         // they touch in the run itself
} ff_parting;

/// The distance of two runs is the largest difference of any degree of freedom, where 1 rad counts as 0.1 m.
typedef struct ff_certificate {
    ff_certainty certainty;
    const char *text;             // the conclusion in a sentence or two
    const ff_certified_run *runs; // the run itself first
    int nrun;
    double moved;       // distance moved by the degree of freedom that moved most                     [m]
    double tighter;     // largest distance of the tighter run from the run itself                     [m]
    double independent; // largest distance of the independent run from the run itself; NaN: there is none  [m]
    double between;     // largest distance of the tighter and the independent run; NaN: there is none [m]
    double
        perturbed; // largest distance of the tighter run from itself with a start changed by 1e-9; NaN: not needed  [m]
    double doubling;    // time in which small differences double; NaN unless chaotic                  [s]
    ff_parting parting; // of the run and the tighter one
    const ff_certified_number *metrics; // those of the result
    int nmetric;
    const ff_certified_expectation *expectations; // those of the result
    int nexpectation;
} ff_certificate;

typedef struct ff_certifier ff_certifier;

/// Begins a certificate of a run that has not begun, and starts the tighter run in a thread. Results of the run stay
/// bit-identical. Refused with the reason in `err` (FF_BAD_ARGUMENT): runs that have begun or were restored, that can
/// be touched or have controllers of the caller's own (which cannot be repeated), or whose scripts have permissions
/// (they would write their files several times).
/// @param options  copied; NULL: the default
/// @return NULL with the reason in `err`
FF_API ff_certifier *ff_certify_begin(ff_run *run, const ff_certify_options *options, ff_error *err);
/// Waits for the other runs, makes those that are still needed, and evaluates them.
/// @param status  of ff_run_go
/// @return NULL with the reason in `err`: FF_STOPPED (by `stop`), FF_NO_MEMORY, or `status` where the run did not end
FF_API const ff_certificate *ff_certify_end(ff_certifier *certifier, ff_status status, ff_error *err);
/// Stops repeated runs and frees everything; NULL is allowed. Before the run is destroyed.
FF_API void ff_certifier_destroy(ff_certifier *certifier);

/// The certificate as JSON, docs/studio.md; malloc'ed, NULL without memory.
FF_API char *ff_certificate_to_json(const ff_certificate *certificate);
/// The bands around the recorded curves as JSON, docs/studio.md; malloc'ed, NULL without memory. After ff_certify_end.
FF_API char *ff_certifier_bands(const ff_certifier *certifier);

#ifdef __cplusplus
}
#endif
#endif
