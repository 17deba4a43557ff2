// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Results of `footfall run`: summary.json for scripts, and a short table for people.
#include "run_report.h"

#include "terminal.h"

#include <footfall/studio.h>
#include <footfall/text.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ff_summary summarise(const ended_run *result, char *text, size_t size)
{
    ff_summary summary =
        ff_summary_make(ff_run_sim(result->run), result->status, result->err, result->elapsed, text, size);
    summary.metrics = ff_run_result(result->run)->metrics;
    summary.nmetric = ff_run_result(result->run)->nmetric;
    summary.effects = ff_run_scene(result->run)->effects;
    summary.neffect = ff_run_scene(result->run)->neffect;
    return summary;
}

ff_status run_write_summary(const ended_run *result, const char *path, ff_error *err)
{
    char text[600];
    ff_summary summary = summarise(result, text, sizeof text);
    const ff_report *report = result->report;
    ff_arena arena = {0};
    const char **warnings = FF_ARENA_NEW(&arena, const char *, report->count + 1);
    for (int i = 0; warnings && i < report->count; i++) {
        char line[1024];
        if (report->messages[i].severity == FF_NOTE) continue;
        ff_message_format(&report->messages[i], line, sizeof line);
        warnings[summary.nwarning++] = ff_arena_strdup(&arena, line);
    }
    summary.warnings = warnings;
    summary.expectations = ff_run_verdicts(result->run, &arena, &summary.nexpectation);
    char *certificate = result->certificate ? ff_certificate_to_json(result->certificate) : NULL;
    char *twin = result->twin ? ff_twin_to_json(result->twin) : NULL;
    summary.certificate = certificate;
    summary.twin = twin;
    ff_status status = ff_summary_write(&summary, path, err);
    free(certificate);
    free(twin);
    ff_arena_clear(&arena);
    return status;
}

/// Rows that can be read from the file: fewer than were sampled if the disk is full.
static long long rows_kept(const char *path, long long sampled)
{
    ff_recording *recording = ff_recording_open(path, NULL);
    const long long readable = recording ? ff_recording_rows(recording) : 0;
    ff_recording_close(recording);
    return readable < sampled ? readable : sampled;
}

static void print_recording(const ended_run *result, const char *path)
{
    const ff_recorder *recorder = ff_run_recorder(result->run);
    const long long sampled = ff_recorder_rows(recorder),
                    readable = result->status == FF_OK ? sampled : rows_kept(path, sampled);
    print_escaped(stdout, "    %-26s %lld rows of %d columns, one dataset a channel", path, readable,
                  ff_recorder_columns(recorder));
    if (readable < sampled) printf("; %lld more could not be written", sampled - readable);
    printf("\n");
}

static void print_files(const ended_run *result, const run_files *files)
{
    printf("  files\n");
    if (files->hdf5) print_recording(result, files->hdf5);
    if (files->csv) print_escaped(stdout, "    %-26s the recording as text\n", files->csv);
    if (ff_run_picture_count(result->run) > 0)
        print_escaped(stdout, "    %s/*.png %d pictures in colour and depth, listed in pictures.csv\n", files->folder,
                      ff_run_picture_count(result->run));
    if (access(files->summary, F_OK) == 0) print_escaped(stdout, "    %-26s numbers of this run\n", files->summary);
    if (files->bands) print_escaped(stdout, "    %-26s bands around its curves, for the report\n", files->bands);
    if (files->report) print_escaped(stdout, "    %-26s all of it as a page for the browser\n", files->report);
}

static void print_loss(const char *name, double amount, bool *first)
{
    if (amount == 0.0) return;
    printf("%s %s %.3g J", *first ? "" : ",", name, amount);
    *first = false;
}

/// Energy stored, lost and put in, and the residual of the balance.
static void print_energy(const ff_ledger *l)
{
    printf("  %-16s %.6g J at the start, %.6g J at the end", "energy", l->start, l->stored.total);
    bool first = true;
    if (l->lost_normal + l->lost_friction + l->lost_joints + l->lost_parts != 0.0) printf("; lost:");
    print_loss("contacts", l->lost_normal, &first);
    print_loss("friction", l->lost_friction, &first);
    print_loss("joints", l->lost_joints, &first);
    print_loss("parts", l->lost_parts, &first);
    if (l->work + l->outside != 0.0) printf("; put in: %.3g J", l->work + l->outside);
    printf("; residual %.2g J\n", l->residual);
}

static int by_seconds(const void *a, const void *b)
{
    const ff_profile_row *x = a, *y = b;
    return x->seconds != y->seconds ? (x->seconds < y->seconds ? 1 : -1) : strcmp(x->name, y->name);
}

/// Work of the method: the table shows the cost of a step, this line the number of steps.
static void print_work(const ff_sim *sim)
{
    const ff_sim_counts work = ff_sim_get_counts(sim);
    printf("%-8s %lld steps of %.3g to %.3g s, %lld refused; %lld evaluations", "work", work.steps, work.shortest_step,
           work.longest_step, work.refused, work.evaluations);
    if (work.iterations > 0)
        printf("; Newton's method: %lld rounds, %lld factorisations", work.iterations, work.factorisations);
    printf("\n");
}

void run_print_profile(ff_sim *sim)
{
    static const char *const kinds[] = {"stage", "part", "task"};
    enum { MOST = 256 };
    ff_profile_row rows[MOST];
    double all = 0.0, rest = 0.0;
    int n = 0;
    while (n < MOST && ff_sim_profile_row(sim, n, &rows[n])) all += rows[n++].seconds;
    qsort(rows, (size_t)n, sizeof *rows, by_seconds);
    printf("%-8s %-28s %10s %8s %12s %12s\n", "profile", "where", "ms", "share", "calls", "us a call");
    for (int i = 0; i < n; i++) {
        const ff_profile_row *r = &rows[i];
        if (r->seconds < 1e-3 * all) {
            rest += r->seconds;
            continue;
        }
        printf("%-8s %-28.28s %10.2f %6.1f %% %12lld %12.3f\n", kinds[r->kind], r->name, 1e3 * r->seconds,
               100.0 * r->seconds / all, r->calls, r->calls > 0 ? 1e6 * r->seconds / (double)r->calls : 0.0);
    }
    printf("%-8s %-28s %10.2f %6.1f %%\n", "", "less than 0.1 % each", 1e3 * rest,
           all > 0.0 ? 100.0 * rest / all : 0.0);
    print_work(sim);
}

void run_print_result(const ended_run *result, const run_files *files)
{
    char text[600], duration[32], title[200];
    ff_summary summary = summarise(result, text, sizeof text);
    style style_of_outcome = result->status == FF_OK        ? STYLE_GOOD
                             : result->status == FF_STOPPED ? STYLE_WARN
                                                            : STYLE_BAD;
    format_duration(result->elapsed, duration, sizeof duration);
    printf("%s%s%s: %s%s%s\n", paint(stdout, STYLE_STRONG),
           ff_text_printable(ff_run_scene(result->run)->title, title, sizeof title), paint(stdout, STYLE_PLAIN),
           paint(stdout, style_of_outcome), summary.outcome, paint(stdout, STYLE_PLAIN));
    printf("  %-16s %.6g s in %s, %.3g x real time\n", "simulated", summary.time, duration,
           summary.time / result->elapsed);
    printf("  %-16s %lld by %s, %lld evaluations\n", "steps", summary.steps,
           ff_method_name(ff_run_get_options(result->run)->sim.method), summary.evaluations);
    print_energy(&summary.ledger);
    print_walking(result->run);
    print_expectations(ff_run_result(result->run), result->status != FF_STOPPED);
    print_reported(result->run);
    if (result->certificate) print_certificate(result->certificate, ff_run_scene(result->run), result->certify_time);
    if (result->twin) print_twin(result->twin);
    print_files(result, files);
}
