// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The certificate of a run as a table and as files.
#include "files.h"
#include "run_report.h"

#include "terminal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ table

static style look_of(ff_standing standing)
{
    static const style looks[] = {[FF_STANDING_MET] = STYLE_GOOD,
                                  [FF_STANDING_MET_OPEN] = STYLE_WARN,
                                  [FF_STANDING_MISSED_OPEN] = STYLE_WARN,
                                  [FF_STANDING_MISSED] = STYLE_BAD,
                                  [FF_STANDING_OF_OTHER_SEED] = STYLE_PLAIN};
    return looks[standing];
}

/// "0.4312 +- 3e-05", or "0.41 (0.40 .. 0.45)" where there is a spread.
static void print_number(int width, const ff_certified_number *n)
{
    if (!isnan(n->median))
        printf("    %-*s  %-14.9g  %.6g (%.6g .. %.6g)", width, n->metric, n->value, n->median, n->low, n->high);
    else if (isnan(n->bar))
        printf("    %-*s  %-14.9g  +- not known", width, n->metric, n->value);
    else
        printf("    %-*s  %-14.9g  +- %.2g", width, n->metric, n->value, n->bar);
}

static const ff_certified_number *find_metric(const ff_certificate *c, const char *name)
{
    for (int i = 0; i < c->nmetric; i++)
        if (strcmp(c->metrics[i].metric, name) == 0) return &c->metrics[i];
    return NULL;
}

static void print_runs(const ff_certificate *c)
{
    const double own = (double)c->runs[0].evaluations;
    for (int i = 1; i < c->nrun; i++) {
        const ff_certified_run *r = &c->runs[i];
        printf("    %-12s %s, %s: %.3g times the evaluations of the run itself%s%s\n", r->role, r->method, r->setting,
               own > 0.0 ? (double)r->evaluations / own : NAN, r->ended ? "" : "; ", r->ended ? "" : r->outcome);
    }
}

/// Does one of the first `n` expectations name the metric?
static bool is_expected(const ff_certificate *c, const char *metric, int n)
{
    for (int i = 0; i < n; i++)
        if (strcmp(c->expectations[i].number.metric, metric) == 0) return true;
    return false;
}

static bool are_equal_verdicts(const ff_certified_expectation *a, const ff_certified_expectation *b)
{
    return strcmp(a->number.metric, b->number.metric) == 0 && a->standing == b->standing && a->met == b->met &&
           a->of == b->of;
}

/// Prints the verdicts of all expectations of a metric, from the first on; equal verdicts are printed once.
static void print_standings(const ff_certificate *c, int first)
{
    const ff_certified_expectation *list = c->expectations;
    for (int i = first; i < c->nexpectation; i++) {
        bool said = strcmp(list[i].number.metric, list[first].number.metric) != 0;
        for (int k = first; k < i && !said; k++) said = are_equal_verdicts(&list[k], &list[i]);
        if (said) continue;
        printf("%s%s%s%s", i == first ? "  " : "; ", paint(stdout, look_of(list[i].standing)),
               ff_standing_name(list[i].standing), paint(stdout, STYLE_PLAIN));
        if (list[i].of > 0) printf(", in %d of %d runs", list[i].met, list[i].of);
    }
}

void print_certificate(const ff_certificate *c, const ff_scene_spec *scene, double seconds)
{
    static const style looks[] = {[FF_CERTAINTY_RESOLVED] = STYLE_GOOD,
                                  [FF_CERTAINTY_UNRESOLVED] = STYLE_BAD,
                                  [FF_CERTAINTY_CHAOTIC] = STYLE_WARN};
    char duration[32];
    int width = 12;
    format_duration(seconds, duration, sizeof duration);
    printf("  %-16s %s%s%s: %s (%s more)\n", "certificate", paint(stdout, looks[c->certainty]),
           ff_certainty_name(c->certainty), paint(stdout, STYLE_PLAIN), c->text, duration);
    print_runs(c);
    for (int i = 0; i < c->nexpectation; i++) width = wider(width, (int)strlen(c->expectations[i].number.metric));
    for (int i = 0; i < scene->nreported; i++) width = wider(width, (int)strlen(scene->reported[i].metric));
    for (int i = 0; i < c->nexpectation; i++) {
        const ff_certified_number *n = &c->expectations[i].number;
        if (is_expected(c, n->metric, i)) continue; // printed already
        print_number(width, n);
        print_standings(c, i);
        putchar('\n');
    }
    for (int i = 0; i < scene->nreported; i++) {
        const ff_certified_number *n = find_metric(c, scene->reported[i].metric);
        if (!n || is_expected(c, n->metric, c->nexpectation)) continue;
        print_number(width, n);
        putchar('\n');
    }
}

// ------------------------------------------------------------------------------------------ files

/// Replaces a file by `part` if that was written completely; otherwise removes `part`.
static bool replace_file(const char *part, const char *path, ff_status written, ff_error *err)
{
    if (written == FF_OK && rename(part, path) == 0) return true;
    if (written == FF_OK) ff_error_set(err, FF_NOT_WRITTEN, "%s cannot be written: %s", path, strerror(errno));
    remove(part);
    return false;
}

bool write_certificate(const ended_run *result, const ff_certifier *certifier, run_files *files, ff_arena *arena,
                       ff_error *err)
{
    const char *part = ff_arena_printf(arena, "%s.part", files->summary);
    const char *bands = ff_arena_printf(arena, "%s/bands.json", files->folder);
    const char *bands_part = ff_arena_printf(arena, "%s/bands.json.part", files->folder);
    if (!part || !bands || !bands_part) {
        ff_error_set(err, FF_NO_MEMORY, "out of memory");
        return false;
    }
    if (!replace_file(part, files->summary, run_write_summary(result, part, err), err)) return false;
    if (!ff_run_recorder(result->run)) return true;
    char *text = ff_certifier_bands(certifier);
    const ff_status written = write_text(bands_part, text, err);
    if (!replace_file(bands_part, bands, written, err)) return false;
    files->bands = bands;
    return true;
}
