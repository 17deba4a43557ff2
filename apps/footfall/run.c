// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall run`: simulates a scene to its end, with a progress bar, and writes a folder with recording and summary.
// Ctrl-C stops the run at the next step; the recording up to there is kept. A robot file runs as a scene of that robot
// with defaults.
#include "run.h"

#include "commands.h"
#include "controllers.h"
#include "files.h"
#include "run_report.h"
#include "terminal.h"

#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ while it runs

typedef struct run_watch {
    progress bar;
    bool realtime;
    bool paced_externally;        // as in run_hooks
    double start;                 // clock  [s]
    ff_recorder *recorder;        // NULL: nothing is recorded
    double last_flush;            // clock when the recording was last flushed  [s]
    double end;                   // planned  [s]
    double last_check, last_time; // when the pace was last checked: clock after the start, time of the simulation  [s]
    atomic_bool warned;           // of a slow run
    double last_step;             // clock at the end of the last step  [s]
} run_watch;

// If the process is killed, at most the last second is lost: this period and the time of writing.
static const double save_period = 0.8; // [s]

static const double check_after = 5.0; // when the pace of a run is first checked        [s]
static const double long_run = 600.0;  // the user is warned of a run that takes longer  [s]

static bool can_warn(const run_watch *watch)
{
    return !watch->realtime && !watch->paced_externally && !watch->warned;
}

// Begins a warning on stderr, on a line without the progress bar.
static void begin_warning(const run_watch *watch)
{
    if (watch->bar.shown) fputs("\r\033[K", stderr);
    fprintf(stderr, "footfall run: %swarning:%s ", paint(stderr, STYLE_WARN), paint(stderr, STYLE_PLAIN));
}

// Warns of a run that would take very long, with the cause. A run may get slower with time: the pace is that since it
// was last checked, and the intervals double.
static void check_pace(run_watch *watch, ff_sim *sim, double t, double now)
{
    const double elapsed = now - watch->start;
    if (!can_warn(watch) || elapsed < ff_max(2.0 * watch->last_check, 0.25 * check_after)) return;
    const double estimate =
        elapsed + (watch->end - t) * (elapsed - watch->last_check) / ff_max(t - watch->last_time, 1e-12);
    watch->last_check = elapsed;
    watch->last_time = t;
    if (elapsed < check_after || estimate < long_run) return;
    const double steps = (double)ff_sim_get_counts(sim).steps;
    char needs[32];
    watch->warned = true;
    format_duration(estimate, needs, sizeof needs);
    begin_warning(watch);
    fprintf(stderr, "%.3g s of %g s in %.0f s: at this pace it needs %s. ", t, watch->end, elapsed, needs);
    if (elapsed / steps > 0.05)
        fprintf(stderr, "A step takes %.2g s: there are many contacts or bodies\n", elapsed / steps);
    else
        fprintf(stderr,
                "Steps are %.2g s long: something moves too fast or is too stiff for this method and accuracy\n",
                t / steps);
}

// Called during all long work, from several threads, so that a step of minutes is reported while it lasts.
// @return whether the work should stop
static bool should_stop(void *context)
{
    run_watch *watch = context;
    const double duration = clock_coarse() - watch->last_step;
    if (duration > check_after && can_warn(watch) && !atomic_exchange(&watch->warned, true)) {
        begin_warning(watch);
        fprintf(stderr, "a step takes more than %.0f s: there are many contacts or bodies\n", check_after);
    }
    return is_interrupted(NULL);
}

// Flushes the recording periodically. An error of writing stops the run at its next sample.
static void save_periodically(run_watch *watch, double now)
{
    if (!watch->recorder || now - watch->last_flush < save_period) return;
    ff_recorder_flush(watch->recorder, NULL);
    watch->last_flush = now;
}

static ff_sim_action watch_step(void *context, ff_sim *sim, double t)
{
    run_watch *watch = context;
    const double now = clock_coarse();
    watch->last_step = now;
    save_periodically(watch, now);
    check_pace(watch, sim, t, now);
    if (watch->bar.shown) progress_update(&watch->bar, t);
    // A sleep of less than a millisecond does not justify a system call.
    if (watch->realtime) {
        const double early = t - (clock_seconds() - watch->start);
        if (early > 1e-3) sleep_seconds(early);
    }
    return FF_SIM_GO;
}

static double profile_clock(void *context)
{
    (void)context;
    return clock_seconds();
}

// ------------------------------------------------------------------------------------------ files

static bool remove_file(const char *path, ff_error *err)
{
    if (path && (remove(path) == 0 || errno == ENOENT)) return true;
    ff_error_set(err, FF_NOT_WRITTEN, "%s cannot be replaced: %s", path ? path : "an older file", strerror(errno));
    return false;
}

// Removes the summary and the bands of an older run, since this run may be killed before it writes its own.
static bool remove_older_run(const run_files *files, ff_arena *arena, ff_error *err)
{
    return remove_file(files->summary, err) && remove_file(ff_arena_printf(arena, "%s/bands.json", files->folder), err);
}

// Values of the scene that the command line has changed.
static const char *list_changes(const run_target *target, ff_arena *arena)
{
    const char *list = isnan(target->time) ? "" : ff_arena_printf(arena, "time=%g", target->time);
    for (int i = 0; list && i < target->set.count; i++)
        list = ff_arena_printf(arena, "%s%s%s", list, list[0] ? "; " : "", target->set.items[i]);
    return list;
}

// Opens the recording, if the scene records. A build without HDF5 writes CSV instead, with a warning.
static bool open_recording(const ff_run *run, const run_target *target, run_files *files, ff_arena *arena,
                           ff_error *err)
{
    const ff_scene_spec *scene = ff_run_scene(run);
    ff_recorder *recorder = ff_run_recorder(run);
    if (!recorder) return true;
    ff_record_info info = {.version = FF_VERSION,
                           .scene = scene->text,
                           .path = target->operands.items[0],
                           .changes = list_changes(target, arena)};
    const char *path = ff_arena_printf(arena, "%s/run.h5", files->folder);
    bool csv = scene->csv;
    ff_status status = ff_recorder_open_hdf5(recorder, path, &info, err);
    if (status == FF_OK)
        files->hdf5 = path;
    else if (status == FF_NOT_BUILT) {
        fprintf(stderr, "footfall run: warning: built without HDF5: the recording goes to run.csv\n");
        *err = (ff_error){0};
        csv = true;
    } else
        return false;
    if (!csv) return true;
    files->csv = ff_arena_printf(arena, "%s/run.csv", files->folder);
    return ff_recorder_open_csv(recorder, files->csv, err) == FF_OK;
}

static bool open_pictures(ff_run *run, const run_files *files, ff_error *err)
{
    if (ff_run_scene(run)->npicture == 0) return true;
    const ff_status status = ff_run_open_pictures(run, files->folder, err);
    if (status != FF_NOT_BUILT) return status == FF_OK;
    fprintf(stderr, "footfall run: warning: built without libpng: no pictures are written\n");
    *err = (ff_error){0};
    return true;
}

// ------------------------------------------------------------------------------------------ one run

static int exit_code(const ff_run *run, ff_status status)
{
    if (status == FF_OK || (status == FF_STOPPED && !is_interrupted(NULL)))
        return ff_run_result(run)->passed ? EXIT_FINE : EXIT_EXPECTATION;
    return status == FF_BAD_ARGUMENT ? EXIT_INPUT
                                     : EXIT_SIMULATION; // such as a time beyond the clock of the simulation
}

// Reports an error that has no place in a file. @return exit code
static int fail(const run_target *target, const char *text, int code)
{
    print_message(target->operands.items[0], STYLE_BAD, text);
    return code;
}

// Prints messages; --quiet suppresses notes, but not warnings.
static void show(const ff_report *report, const run_target *target)
{
    print_report_from(stderr, report, target->quiet ? FF_WARNING : FF_NOTE, WARNINGS_SHOWN);
}

// Shows messages of the simulation, and moves them to `report` for the summary. Notes on what was done and those of
// scripts are shown; notes with advice are left to `footfall check`.
static void show_messages(ff_report *found, bool notes, const run_target *target, ff_report *report)
{
    ff_report shown = {0};
    for (int i = 0; i < found->count; i++) {
        const ff_message *m = &found->messages[i];
        const ff_place place = {m->file, m->line, m->column};
        if (m->severity != FF_NOTE || notes) ff_report_add(&shown, m->severity, place, "%s", m->text);
        if (m->severity != FF_NOTE) ff_report_add(report, m->severity, place, "%s", m->text);
    }
    show(&shown, target);
    ff_report_clear(&shown);
    ff_report_clear(found);
}

static bool prepare(const ff_scene_spec *scene, run_target *target, const run_hooks *hooks, ff_run_options *options,
                    ff_arena *arena, ff_error *err)
{
    options->permissions = target->permissions;
    options->python = python_find;
    if (!isnan(target->time)) options->time = target->time;
    return plugin_use(target->plugin, scene, &target->plugin_controller, options, err) &&
           (!hooks->prepare || hooks->prepare(target, scene, options, err)) &&
           (!target->report || report_widen(scene, &options->record, arena, err));
}

// The run of a scene, or of a robot alone; NULL when an error was reported.
static ff_run *begin(const ff_scene_spec *scene, bool is_scene, run_target *target, const run_hooks *hooks,
                     ff_arena *arena)
{
    ff_run_options options = ff_run_options_default(scene);
    ff_report found = {0}, shown = {0};
    ff_error err = {0};
    if (!prepare(scene, target, hooks, &options, arena, &err)) {
        fail(target, err.text, EXIT_INPUT);
        return NULL;
    }
    ff_run *run = ff_run_create(scene, &options, &found);
    if (!run && !is_scene) ff_scene_of_robot_errors(target->operands.items[0], &found, &shown);
    show(is_scene ? &found : &shown, target);
    ff_report_clear(&found);
    ff_report_clear(&shown);
    return run;
}

// Starts the other runs of a certificate.
static ff_certifier *begin_certificate(ff_run *run, ff_error *err)
{
    ff_certify_options options = ff_certify_options_default();
    options.stop = is_interrupted;
    return ff_certify_begin(run, &options, err);
}

// Waits for the other runs, and adds the certificate to the result. @return exit code; `code` if nothing failed
static int end_certificate(ff_certifier *certifier, ended_run *result, run_files *files, const run_target *target,
                           ff_arena *arena, int code)
{
    const bool shows_wait = !target->quiet && paint(stderr, STYLE_FAINT)[0];
    const double start = clock_seconds();
    ff_error err = {0};
    if (result->status != FF_OK && (result->status != FF_STOPPED || is_interrupted(NULL)))
        return code; // the run has failed, which is reported already
    if (shows_wait) fputs("certifying ...", stderr);
    result->certificate = ff_certify_end(certifier, result->status, &err);
    if (shows_wait) fputs("\r\033[K", stderr);
    result->certify_time = clock_seconds() - start;
    if (result->certificate && write_certificate(result, certifier, files, arena, &err)) return code;
    return fail(target, err.text, EXIT_SIMULATION);
}

// Everything before the first step that can fail. @return exit code; EXIT_FINE: the run can start
static int start(ff_run *run, run_target *target, const run_hooks *hooks, run_watch *watch, run_files *files,
                 ff_certifier **certifier, ff_report *report, ff_arena *arena)
{
    ff_report found = {0};
    ff_error err = {0};
    const ff_listener listener = {watch, watch_step};
    if (ff_run_is_ready(run, &err) != FF_OK || !make_folder(files->folder, &err) ||
        !remove_older_run(files, arena, &err) || !open_recording(run, target, files, arena, &err) ||
        !open_pictures(run, files, &err) || ff_sim_add_listener(ff_run_sim(run), &listener, &err) != FF_OK)
        return fail(target, err.text, exit_of(err.status));
    ff_run_report_choices(run, &found);
    show_messages(&found, true, target, report);
    ff_run_advise(run, &found);
    show_messages(&found, false, target, report);
    if (target->profile && ff_sim_start_profile(ff_run_sim(run), profile_clock, NULL, &err) != FF_OK)
        return fail(target, err.text, EXIT_SIMULATION);
    if (target->certify && !(*certifier = begin_certificate(run, &err)))
        return fail(target, err.text, err.status == FF_BAD_ARGUMENT ? EXIT_INPUT : EXIT_SIMULATION);
    const int code = hooks->start ? hooks->start(target, &err) : EXIT_FINE;
    return code == EXIT_FINE ? code : fail(target, err.text, code);
}

static ff_status advance(ff_run *run, const run_target *target, run_watch *watch, ff_error *err)
{
    const ff_stop stop = {should_stop, watch};
    watch->end = ff_run_get_options(run)->time;
    watch->start = clock_seconds();
    watch->last_flush = watch->last_step = clock_coarse();
    watch->bar = progress_begin(0, watch->end, target->quiet);
    ff_stop_set(&stop);
    const ff_status status = ff_run_go(run, err);
    ff_stop_set(NULL);
    return status;
}

static int simulate(ff_run *run, run_target *target, const run_hooks *hooks, ff_certifier **certifier,
                    ff_report *report, ff_arena *arena)
{
    ff_report found = {0};
    ff_error err = {0}, output_error = {0};
    run_files files = {.folder =
                           target->out ? target->out : file_name_between("out/", target->operands.items[0], "", arena)};
    run_watch watch = {
        .realtime = target->realtime, .paced_externally = hooks->paced_externally, .recorder = ff_run_recorder(run)};
    files.summary = ff_arena_printf(arena, "%s/summary.json", files.folder);
    catch_interrupts();
    int code = start(run, target, hooks, &watch, &files, certifier, report, arena);
    if (code != EXIT_FINE) return code;

    const ff_status status = advance(run, target, &watch, &err);
    ended_run result = {
        .run = run, .status = status, .err = &err, .elapsed = clock_seconds() - watch.start, .report = report};
    progress_end(&watch.bar);
    if (hooks->finish) hooks->finish(target, &result);
    if (target->profile) run_print_profile(ff_run_sim(run));
    if (status != FF_OK && status != FF_STOPPED && status != FF_CONTROL)
        fail(target, err.text, code); // before its consequences; the reason of a stop has been reported at its place
    const int errors = report->errors;
    ff_run_report_limits(run, &found);
    show_messages(&found, true, target, report);
    if (status == FF_CONTROL && report->errors == errors)
        fail(target, err.text, code); // scripts report it with their line, other controllers do not

    code = exit_code(run, status);
    if (run_write_summary(&result, files.summary, &output_error) != FF_OK)
        code = fail(target, output_error.text, EXIT_SIMULATION);
    if (*certifier) code = end_certificate(*certifier, &result, &files, target, arena, code);
    if (target->report && code != EXIT_INPUT) {
        files.report = ff_arena_printf(arena, "%s/report.html", files.folder);
        if (!report_write(files.folder, files.report, &output_error)) {
            files.report = NULL;
            code = fail(target, output_error.text, EXIT_SIMULATION);
        }
    }
    if (!target->quiet && status != FF_BAD_ARGUMENT) run_print_result(&result, &files);
    if (!target->quiet && hooks->print) hooks->print(target);
    return code;
}

static bool attach(ff_run *run, run_target *target, const run_hooks *hooks, ff_report *report)
{
    ff_report found = {0};
    const bool ok = !hooks->attach || hooks->attach(target, run, &found);
    show_messages(&found, true, target, report);
    return ok;
}

static int run_scene(const command *self, run_target *target, const run_hooks *hooks, ff_arena *arena)
{
    const char *path = target->operands.items[0];
    bool is_scene = scene_file_detect(path);
    if (is_scene && (target->model.floating || target->model.repair))
        return usage_error(
            self, "--floating and --repair are for robot files; in a scene write robot: {file: ..., floating: true}");
    if (target->certify && target->realtime)
        return usage_error(self, "--certify repeats the run as fast as it can: leave out --realtime");
    if (target->time <= 0) return usage_error(self, "--time is %g s: it must be positive", target->time);
    ff_report report = {0};
    const ff_load_options load = loading_options(&target->model);
    const char *const *set = target->set.items;
    const int nset = target->set.count;
    const ff_scene_spec *scene = is_scene ? ff_scene_load(path, set, nset, &report)
                                          : ff_scene_of_robot(path, FF_SINGLE_FREE, &load, set, nset, &report);
    show(&report, target);
    int code = EXIT_INPUT;
    ff_run *run = scene ? begin(scene, is_scene, target, hooks, arena) : NULL;
    ff_certifier *certifier = NULL;
    if (run && attach(run, target, hooks, &report)) code = simulate(run, target, hooks, &certifier, &report, arena);
    ff_certifier_destroy(certifier);
    if (hooks->close) hooks->close(target);
    ff_run_destroy(run);
    ff_scene_destroy(scene);
    ff_report_clear(&report);
    return code;
}

int run_with_hooks(const command *self, run_target *target, const run_hooks *hooks, ff_arena *arena)
{
    const char *mistake = hooks->mistake ? hooks->mistake(target) : NULL;
    if (!permissions_read(target->allow, &target->permissions))
        return usage_error(self, PERMISSIONS_MISTAKE, target->allow);
    return mistake ? usage_error(self, "%s", mistake) : run_scene(self, target, hooks, arena);
}

static int run_main(const command *self, void *options, ff_arena *arena)
{
    run_target *target = options;
    return run_with_hooks(self, target, &(run_hooks){0}, arena);
}

const command run_command = {
    .name = "run",
    .synopsis = "SCENE [--time T] [--out DIR] [--set path=value]... [--report] [--certify] [--profile] "
                "[--realtime] [--allow io,os] [--plugin FILE] [--quiet]",
    .summary = "simulate a scene; leaves a recording and a summary",
    .description =
        "Simulates a scene file to its end and writes run.h5 (one dataset a channel), summary.json and, if the scene "
        "requests it, run.csv. Expectations of the scene are evaluated, and the exit code is 4 if one is missed. "
        "Ctrl-C stops the run; its recording up to there is kept (exit code 3).\n\n"
        "With --certify the run is repeated with a tighter accuracy and by an independent method: each number gets an "
        "error bar, and the report bands around the curves. Where motion is chaotic it says so and gives the spread "
        "over runs instead. Exit codes stay as they are; an undecided expectation is no failure.\n\n"
        "A robot file (URDF, MJCF or native) in place of the scene is simulated for 5 s from its keyframe 'home', else "
        "from its first one or its reference pose, joints within their limits and its feet not in the ground; --set "
        "works on it as on a scene. An image (`footfall help image`) runs as its scene does.",
    .examples = "  footfall run experiments/tumble.yaml\n"
                "      results in out/tumble/\n"
                "  footfall run experiments/tumble.yaml --set solver.method=adaptive --time 2 --out /tmp/try\n"
                "  footfall run experiments/e1-rubber-bounce.yaml --certify --report\n"
                "      with error bars, and bands around the curves\n"
                "  footfall run dog.urdf --floating --set solver.step=1e-4\n"
                "      a robot alone, falling freely\n",
    OPTIONS(RUN_OPTIONS, ALLOW_OPTION(run_target, allow), PLUGIN_OPTION(run_target, plugin),
            FLAG(run_target, realtime, "realtime", "Run no faster than real time"),
            FLAG(run_target, certify, "certify",
                 "Repeat the run tighter and by another method, and give each number an error bar"),
            FLAG(run_target, model.floating, "floating", "For a robot file alone: let the root of a URDF float"),
            FLAG(run_target, model.repair, "repair", "For a robot file alone: replace impossible inertia and say so")),
    .operands = {1, 1, "SCENE, a scene, an image or a robot file,"},
    PRESET(run_target, RUN_PRESET),
    .run = run_main,
};
