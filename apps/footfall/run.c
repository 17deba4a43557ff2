// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall run`: simulates a scene to its end, with a progress bar, and leaves a folder with recording and summary.
// Ctrl-C stops at the next step and keeps what was recorded. A robot file alone runs as a scene of that robot with
// defaults.
#include "certificate.h"
#include "commands.h"
#include "doors.h"
#include "ethercat.h"
#include "folder.h"
#include "interrupt.h"
#include "loading.h"
#include "plugin.h"
#include "python.h"
#include "report.h"
#include "run_report.h"
#include "scenes.h"
#include "serve.h"
#include "terminal.h"
#include "twin.h"

#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct run_target {
    text_list operands;
    model_options model;
    double time;
    const char *out;
    text_list set;
    bool realtime;
    bool quiet;
    bool report;
    bool profile;
    bool certify;
    const char *allow, *plugin;
    ff_run_controller plugged;
    unsigned doors;
    bool serves; // the controller is another process
    serving serve;
    bool bussed; // the controller is an EtherCAT master
    on_bus bus;
    bool twins; // a second robot runs beside it
    twinning twin;
} run_target;

#define OPTIONS_OF_ALL                                                                                                 \
    OPTION(run_target, time, "time", OPTION_NUMBER, HINT_NONE, "T",                                                    \
           "Simulate T seconds instead of what the scene says"),                                                       \
        OPTION(run_target, out, "out", OPTION_TEXT, HINT_FOLDER, "DIR",                                                \
               "Folder for the results, made where it is missing; without it out/NAME of the scene"),                  \
        OPTION(run_target, set, "set", OPTION_TEXTS, HINT_NONE, "PATH=VALUE",                                          \
               "Override a value of the scene, such as solver.step=1e-4 or record.rate=200"),                          \
        OPTION(run_target, quiet, "quiet", OPTION_FLAG, HINT_NONE, NULL,                                               \
               "No progress bar, no notes and no table at the end; warnings stay"),                                    \
        OPTION(run_target, report, "report", OPTION_FLAG, HINT_NONE, NULL,                                             \
               "Record what a report shows as well, and write report.html beside the recording"),                      \
        OPTION(run_target, profile, "profile", OPTION_FLAG, HINT_NONE, NULL,                                           \
               "Print at the end where the time went (stages of the steps, parts, tasks), and the work of the method")

#define ALLOW OPTION(run_target, allow, "allow", OPTION_TEXT, HINT_NONE, "io,os", DOORS_HELP)

static const option run_options[] = {
    OPTIONS_OF_ALL,
    ALLOW,
    OPTION(run_target, realtime, "realtime", OPTION_FLAG, HINT_NONE, NULL, "Run no faster than the clock on the wall"),
    OPTION(run_target, plugin, "plugin", OPTION_TEXT, HINT_FILE, "FILE", PLUGIN_HELP),
    OPTION(run_target, certify, "certify", OPTION_FLAG, HINT_NONE, NULL,
           "Make the run again, tighter and by another method, and give each number an error bar"),
    OPTION(run_target, model.floating, "floating", OPTION_FLAG, HINT_NONE, NULL,
           "For a robot file alone: let the root of a URDF float"),
    OPTION(run_target, model.repair, "repair", OPTION_FLAG, HINT_NONE, NULL,
           "For a robot file alone: replace impossible inertia and say so"),
};

// ------------------------------------------------------------------------------------------ while it runs

typedef struct run_watch {
    progress bar;
    bool realtime;
    bool led;              // another program sets the pace: a controller or a master at the other end of a wire
    double start;          // clock  [s]
    ff_recorder *recorder; // NULL: nothing is recorded
    double saved;          // clock when the recording was whole  [s]
    double end;            // planned  [s]
    double looked, at;     // when its pace was looked at: clock after the start, time of the simulation  [s]
    atomic_bool warned;    // of its pace
    double stepped;        // clock at the end of the last step  [s]
} run_watch;

// A kill costs at most the last second: this and what writing takes.
static const double save_period = 0.8; // [s]

static const double pace_after = 5.0; // when the pace of a run is judged           [s]
static const double patience = 600.0; // a run that takes longer is warned of       [s]

// A run that would take for ever says so, and what makes it slow. The pace is that since the last look, and looks come
// at doubled times: a run may get slower and slower.
static void judge_pace(run_watch *watch, ff_sim *sim, double t, double now)
{
    const double wall = now - watch->start;
    if (watch->realtime || watch->led || watch->warned || wall < ff_max(2.0 * watch->looked, 0.25 * pace_after)) return;
    const double whole = wall + (watch->end - t) * (wall - watch->looked) / ff_max(t - watch->at, 1e-12);
    watch->looked = wall;
    watch->at = t;
    if (wall < pace_after || whole < patience) return;
    const double steps = (double)ff_sim_get_counts(sim).steps;
    char needs[32];
    watch->warned = true;
    format_duration(whole, needs, sizeof needs);
    if (watch->bar.shown) fputs("\r\033[K", stderr);
    fprintf(stderr, "footfall run: %swarning:%s %.3g s of %g s in %.0f s: at this pace it needs %s. ",
            paint(stderr, STYLE_WARN), paint(stderr, STYLE_PLAIN), t, watch->end, wall, needs);
    if (wall / steps > 0.05)
        fprintf(stderr, "A step takes %.2g s: there are many contacts or bodies\n", wall / steps);
    else
        fprintf(stderr,
                "Steps are %.2g s long: something moves too fast or is too stiff for this method and accuracy\n",
                t / steps);
}

// A step that lasts for minutes is told while it lasts: whatever long work asks whether to stop comes by here.
static bool shall_stop(void *context)
{
    run_watch *watch = context;
    const double lasts = clock_coarse() - watch->stepped;
    if (lasts > pace_after && !watch->realtime && !watch->led && !atomic_exchange(&watch->warned, true)) {
        if (watch->bar.shown) fputs("\r\033[K", stderr);
        fprintf(stderr, "footfall run: %swarning:%s a step takes more than %.0f s: there are many contacts or bodies\n",
                paint(stderr, STYLE_WARN), paint(stderr, STYLE_PLAIN), pace_after);
    }
    return is_interrupted(NULL);
}

// Trouble stops the run at the next sample.
static void save_now_and_then(run_watch *watch, double now)
{
    if (!watch->recorder || now - watch->saved < save_period) return;
    ff_recorder_flush(watch->recorder, NULL);
    watch->saved = now;
}

static ff_sim_action watch_step(void *context, ff_sim *sim, double t)
{
    run_watch *watch = context;
    const double now = clock_coarse();
    watch->stepped = now;
    save_now_and_then(watch, now);
    judge_pace(watch, sim, t, now);
    if (watch->bar.shown) progress_update(&watch->bar, t);
    // Sleeping for less than a millisecond costs more than it gives.
    if (watch->realtime) {
        double ahead = t - (clock_seconds() - watch->start);
        if (ahead > 1e-3) sleep_seconds(ahead);
    }
    return FF_SIM_GO;
}

static double profile_clock(void *context)
{
    (void)context;
    return clock_seconds();
}

// ------------------------------------------------------------------------------------------ files

static bool remove_old(const char *path, ff_error *err)
{
    if (path && (remove(path) == 0 || errno == ENOENT)) return true;
    ff_error_set(err, FF_NOT_WRITTEN, "%s cannot be replaced: %s", path ? path : "an older file", strerror(errno));
    return false;
}

// A run that is killed must not leave the summary of the one before beside its recording, nor one without a certificate
// the bands of another.
static bool remove_older_run(const run_files *files, ff_arena *arena, ff_error *err)
{
    return remove_old(files->summary, err) && remove_old(ff_arena_printf(arena, "%s/bands.json", files->folder), err);
}

// "experiments/tumble.yaml" -> "out/tumble".
static const char *default_folder(const char *path, ff_arena *arena)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    const char *dot = strrchr(name, '.');
    int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    return ff_arena_printf(arena, "out/%.*s", length, name);
}

// What the command line changed in the scene.
static const char *list_changes(const run_target *target, ff_arena *arena)
{
    const char *list = isnan(target->time) ? "" : ff_arena_printf(arena, "time=%g", target->time);
    for (int i = 0; list && i < target->set.count; i++)
        list = ff_arena_printf(arena, "%s%s%s", list, list[0] ? "; " : "", target->set.items[i]);
    return list;
}

// Opens the recording where the scene records. A build without HDF5 writes CSV instead and says so.
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

static int judge(const ff_run *run, ff_status status)
{
    if (status == FF_OK || (status == FF_STOPPED && !is_interrupted(NULL)))
        return ff_run_result(run)->passed ? EXIT_FINE : EXIT_EXPECTATION;
    return status == FF_BAD_ARGUMENT ? EXIT_INPUT
                                     : EXIT_SIMULATION; // such as a time beyond the clock of the simulation
}

// An error that no line of a file is to blame for.
static void complain(const run_target *target, const char *text)
{
    say(target->operands.items[0], STYLE_BAD, text);
}

// --quiet is for progress and notes: warnings stay.
static void show(const ff_report *report, const run_target *target)
{
    print_report_from(stderr, report, target->quiet ? FF_WARNING : FF_NOTE, WARNINGS_SHOWN);
}

// What only the simulation can tell: shown, and kept for the summary. Of notes, those on what is done and those of
// scripts are shown; advice is for `footfall check`.
static void take_messages(ff_report *found, bool notes, const run_target *target, ff_report *report)
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

// The run of a scene, or of a robot alone; NULL when something was reported.
static ff_run *begin(const ff_scene_spec *scene, bool is_scene, run_target *target, ff_arena *arena)
{
    ff_run_options options = ff_run_options_default(scene);
    ff_report found = {0}, shown = {0};
    ff_error err = {0};
    options.doors = target->doors;
    options.python = python_find;
    target->serve.quiet = target->quiet;
    if (!plugin_use(target->plugin, scene, &target->plugged, &options, &err)) {
        complain(target, err.text);
        return NULL;
    }
    if (target->serves && !serve_open(&target->serve, scene, &options, &err)) {
        complain(target, err.text);
        return NULL;
    }
    if (target->bussed && !bus_open(&target->bus, scene, &options, &err)) {
        complain(target, err.text);
        return NULL;
    }
    if (!isnan(target->time)) options.time = target->time;
    target->bus.end = options.time;
    if (target->report && !report_widen(scene, &options.record, arena, &err)) {
        complain(target, err.text);
        return NULL;
    }
    ff_run *run = ff_run_create(scene, &options, &found);
    if (!run && !is_scene) ff_scene_of_robot_errors(target->operands.items[0], &found, &shown);
    show(is_scene ? &found : &shown, target);
    ff_report_clear(&found);
    ff_report_clear(&shown);
    if (run && ((target->bussed && !bus_schedule(&target->bus, &err)) ||
                (target->serves && !serve_schedule(&target->serve, &err)))) {
        say("--operator", STYLE_BAD, err.text);
        ff_run_destroy(run);
        return NULL;
    }
    return run;
}

// Waits for the other runs, and adds the certificate to the result. Of an exit code that is fine so far it may make
// another.
static int certify(ff_certifier *certifier, ended_run *result, run_files *files, const run_target *target,
                   ff_arena *arena, int code)
{
    const bool waits = !target->quiet && paint(stderr, STYLE_FAINT)[0];
    const double start = clock_seconds();
    ff_error err = {0};
    if (result->status != FF_OK && (result->status != FF_STOPPED || is_interrupted(NULL)))
        return code; // which is told by itself
    if (waits) fputs("certifying ...", stderr);
    result->certificate = ff_certify_end(certifier, result->status, &err);
    if (waits) fputs("\r\033[K", stderr);
    result->certified = clock_seconds() - start;
    if (result->certificate && write_certificate(result, certifier, files, arena, &err)) return code;
    complain(target, err.text);
    return EXIT_SIMULATION;
}

static int simulate(ff_run *run, run_target *target, ff_certifier **certifier, ff_report *report, ff_arena *arena)
{
    ff_report found = {0};
    ff_error err = {0};
    run_files files = {.folder = target->out ? target->out : default_folder(target->operands.items[0], arena)};
    run_watch watch = {
        .realtime = target->realtime, .led = target->serves || target->bussed, .recorder = ff_run_recorder(run)};
    ff_listener listener = {&watch, watch_step};
    files.summary = ff_arena_printf(arena, "%s/summary.json", files.folder);
    watch_interrupts();
    if (ff_run_is_ready(run, &err) != FF_OK || !make_folder(files.folder, &err) ||
        !remove_older_run(&files, arena, &err) || !open_recording(run, target, &files, arena, &err) ||
        !open_pictures(run, &files, &err) || ff_sim_add_listener(ff_run_sim(run), &listener, &err) != FF_OK) {
        complain(target, err.text);
        return exit_of(err.status);
    }
    ff_run_report_choices(run, &found);
    take_messages(&found, true, target, report);
    ff_run_advise(run, &found);
    take_messages(&found, false, target, report);
    if (target->profile && ff_sim_start_profile(ff_run_sim(run), profile_clock, NULL, &err) != FF_OK) {
        complain(target, err.text);
        return EXIT_SIMULATION;
    }
    if (target->certify) {
        ff_certify_options options = ff_certify_options_default();
        options.stop = is_interrupted;
        *certifier = ff_certify_begin(run, &options, &err);
        if (!*certifier) {
            complain(target, err.text);
            return err.status == FF_BAD_ARGUMENT ? EXIT_INPUT : EXIT_SIMULATION;
        }
    }
    if (target->serves && !serve_meet(&target->serve, target->quiet, &err)) {
        complain(target, err.text);
        return EXIT_SIMULATION;
    }
    if (target->bussed && !bus_describe(&target->bus, &err)) {
        complain(target, err.text);
        return exit_of(err.status);
    }
    if (target->bussed) bus_begin(&target->bus, target->quiet);
    watch.start = clock_seconds();
    watch.saved = watch.stepped = clock_coarse();
    watch.end = ff_run_get_options(run)->time;
    watch.bar = progress_begin(0, ff_run_get_options(run)->time, target->quiet);
    const ff_stop stop = {shall_stop, &watch};
    ff_stop_set(&stop);
    ff_status status = ff_run_go(run, &err);
    ff_stop_set(NULL);
    double wall = clock_seconds() - watch.start;
    progress_end(&watch.bar);
    if (target->serves) serve_bye(&target->serve, status == FF_OK ? NULL : err.text);
    if (target->bussed) bus_end(&target->bus);
    if (target->profile) run_print_profile(ff_run_sim(run));
    if (status != FF_OK && status != FF_STOPPED && status != FF_CONTROL)
        complain(target, err.text); // before what follows from it; what stopped a run was told at its place
    const int errors = report->errors;
    ff_run_report_limits(run, &found);
    take_messages(&found, true, target, report);
    if (status == FF_CONTROL && report->errors == errors)
        complain(target, err.text); // scripts tell it with their line, controllers elsewhere do not

    ended_run result = {.run = run, .status = status, .err = &err, .wall = wall, .report = report};
    if (target->twins) result.twin = ff_twin_end(target->twin.twin, status, &err);
    int code = judge(run, status);
    ff_error trouble = {0};
    if (run_write_summary(&result, files.summary, &trouble) != FF_OK) {
        complain(target, trouble.text);
        code = EXIT_SIMULATION;
    }
    if (*certifier) code = certify(*certifier, &result, &files, target, arena, code);
    if (target->report && code != EXIT_INPUT) {
        files.report = ff_arena_printf(arena, "%s/report.html", files.folder);
        if (!report_write(files.folder, files.report, &trouble)) {
            complain(target, trouble.text);
            files.report = NULL;
            code = EXIT_SIMULATION;
        }
    }
    if (!target->quiet && status != FF_BAD_ARGUMENT) run_print_result(&result, &files);
    if (!target->quiet && target->serve.layer) print_layer_counts(target->serve.layer);
    if (!target->quiet && target->serves) serve_print(&target->serve);
    if (!target->quiet && target->bussed) bus_print(&target->bus);
    return code;
}

// The second robot is there before files are opened: it adds channels to the recording.
static bool open_twin(ff_run *run, run_target *target, ff_report *report)
{
    ff_report found = {0};
    const bool ok = twin_open(&target->twin, target->operands.items[0], &target->set, run, &found);
    take_messages(&found, true, target, report);
    return ok;
}

static int run_scene(const command *self, run_target *target, ff_arena *arena)
{
    const char *path = target->operands.items[0];
    bool is_scene = scene_file_detect(path);
    if (is_scene && (target->model.floating || target->model.repair))
        return usage_error(
            self, "--floating and --repair are for robot files; in a scene write robot: {file: ..., floating: true}");
    if (target->certify && target->realtime)
        return usage_error(self, "--certify makes the run again as fast as it can: leave out --realtime");
    if (target->time <= 0) return usage_error(self, "--time is %g s: it must be positive", target->time);
    ff_report report = {0};
    const ff_load_options load = loading_options(&target->model);
    const char *const *set = target->set.items;
    const int nset = target->set.count;
    const ff_scene_spec *scene = is_scene ? ff_scene_load(path, set, nset, &report)
                                          : ff_scene_of_robot(path, FF_LONE_FREE, &load, set, nset, &report);
    show(&report, target);
    int code = EXIT_INPUT;
    ff_run *run = scene ? begin(scene, is_scene, target, arena) : NULL;
    ff_certifier *certifier = NULL;
    if (run && (!target->twins || open_twin(run, target, &report)))
        code = simulate(run, target, &certifier, &report, arena);
    ff_certifier_destroy(certifier);
    twin_close(&target->twin);
    ff_run_destroy(run);
    serve_close(&target->serve);
    bus_close(&target->bus);
    ff_scene_destroy(scene);
    ff_report_clear(&report);
    return code;
}

static int run_main(const command *self, int argc, char **argv)
{
    run_target target = {.time = NAN, // not given
                         .serves = self == &serve_command,
                         .serve = serve_defaults(is_interrupted),
                         .bussed = self == &ethercat_command,
                         .bus = {.socket = -1, .stop = is_interrupted},
                         .twins = self == &twin_command,
                         .twin = {.offset = NAN}};
    ff_arena arena = {0};
    parse_result parsed = options_parse(self, argc, argv, &target, &arena);
    int code = parsed == PARSE_BAD ? EXIT_USAGE : EXIT_FINE;
    if (parsed == PARSE_OK && !doors_read(target.allow, &target.doors))
        code = usage_error(self, DOORS_MISTAKE, target.allow);
    else if (parsed == PARSE_OK && target.bussed && !target.bus.interface)
        code = usage_error(self, "--interface NAME is missing: where the stations are, such as veth0");
    else if (parsed == PARSE_OK && twin_mistake(&target.twin))
        code = usage_error(self, "%s", twin_mistake(&target.twin));
    else if (parsed == PARSE_OK)
        code = run_scene(self, &target, &arena);
    ff_arena_clear(&arena);
    return code;
}

const command run_command = {
    .name = "run",
    .synopsis = "SCENE [--time T] [--out DIR] [--set path=value]... [--report] [--certify] [--profile] "
                "[--realtime] [--allow io,os] [--plugin FILE] [--quiet]",
    .summary = "simulate a scene; leaves a recording and a summary",
    .description =
        "Simulates a scene file to its end and writes run.h5 (one dataset a channel), summary.json and, "
        "where the scene asks for it, "
        "run.csv. Where the scene states expectations, they are judged and the exit code is 4 when one is "
        "missed. Ctrl-C stops "
        "cleanly and keeps what was recorded (exit code 3).\n\n"
        "With --certify the run is made again with a tighter accuracy and by an independent method: each number gets "
        "an error bar, and the report bands around the curves. Where motion is chaotic it says so and gives the "
        "spread over runs instead. Exit codes stay as they are; an undecided expectation is no failure.\n\n"
        "A robot file (URDF, MJCF or native) in place of the scene is simulated for 5 s from its keyframe "
        "'home', else from its first one or its reference pose, joints within their limits and its feet "
        "not in the ground; --set works on it as on a scene. An image (`footfall help image`) runs as its scene does.",
    .examples = "  footfall run experiments/tumble.yaml\n"
                "      results in out/tumble/\n"
                "  footfall run experiments/tumble.yaml --set solver.method=adaptive --time 2 --out /tmp/try\n"
                "  footfall run experiments/e1-rubber-bounce.yaml --certify --report\n"
                "      with error bars, and bands around the curves\n"
                "  footfall run dog.urdf --floating --set solver.step=1e-4\n"
                "      a robot alone, falling freely\n",
    .options = run_options,
    .noption = (int)(sizeof run_options / sizeof run_options[0]),
    .min_operands = 1,
    .max_operands = 1,
    .operand = "SCENE, a scene, an image or a robot file,",
    .run = run_main,
};

// ------------------------------------------------------------------------------------------ serving

static const option serve_options[] = {
    OPTIONS_OF_ALL,
    ALLOW,
    OPTION(run_target, plugin, "plugin", OPTION_TEXT, HINT_FILE, "FILE",
           "The plug-in of `footfall control --plugin`, where it takes the place of the scene's controller: the robot "
           "records its signals. It works there, not here"),
    OPTION(run_target, serve.hardware, "hardware", OPTION_FLAG, HINT_NONE, NULL,
           "Let the hardware layer stand between robot and link (docs/hardware.md)"),
    OPTION(run_target, serve.operator, "operator", OPTION_TEXT, HINT_NONE, "LIST",
           "With --hardware: commands by time, as in \"0.5 fault FL_coxa; 1 repair FL_coxa; 1.1 acknowledge; 1.2 "
           "activate\""),
    OPTION(run_target, serve.link, "link", OPTION_TEXT, HINT_NONE, "WIRE",
           "udp:PORT, tcp:PORT, serial:DEVICE:BAUD or shm:NAME; udp:HOST:PORT listens beyond this machine; without it "
           "udp:7400"),
    OPTION(run_target, serve.wall, "wall", OPTION_FLAG, HINT_NONE, NULL,
           "Keep to the clock on the wall and never wait for the controller; without it both run in lockstep"),
    OPTION(run_target, serve.tolerate, "tolerate", OPTION_NUMBER, HINT_NONE, "N",
           "With --wall: cycles in a row that may miss their answer before the robot is stopped; without it 20, of the "
           "hardware layer 1"),
    OPTION(run_target, serve.wait, "wait", OPTION_NUMBER, HINT_NONE, "T",
           "Give up when no controller has come within T seconds; without it, wait"),
    OPTION(run_target, serve.faults, "faults", OPTION_TEXT, HINT_NONE, "LIST",
           "Spoil what is sent, to try the controller: drop=0.02,delay=0.003,double=0.01,swap=0.01,flip=0.001,cut=500,"
           "flood=100,seed=7"),
};

const command serve_command = {
    .name = "serve",
    .synopsis = "SCENE [--link WIRE] [--wall] [--tolerate N] [--wait T] [--faults LIST] [--hardware] "
                "[--operator LIST] [--time T] [--out DIR] "
                "[--set path=value]... [--allow io,os] [--plugin FILE] [--report] [--profile] [--quiet]",
    .summary = "simulate a robot whose controller is another process",
    .description =
        "Runs a scene as `footfall run` does, but the controller of its first robot works elsewhere: frames of "
        "sensors go out over a wire, references come in (docs/link.md describes every byte). `footfall control` is "
        "such "
        "a controller; so is any program that speaks the protocol.\n\n"
        "In lockstep, the default, the robot waits for each answer: both run as fast as they can, and the result has "
        "the bits of a run in one process. With --wall the robot never waits: an answer counts for the cycle after its "
        "sensors; where it is missing, positions go on at their speed, and after N cycles the robot is held where it "
        "stands, which is exit code 3.\n\n"
        "With --hardware, virtual drives and sensors give raw numbers on a simulated bus, and the hardware layer leads "
        "them: state machines, homing, conversion, safety checks. A fault holds the robot; it ends with exit code 3 "
        "unless the operator acknowledges it.",
    .examples = "  footfall serve experiments/anton-tripod.yaml --link udp:7400\n"
                "  footfall control experiments/anton-tripod.yaml --link udp:7400\n"
                "      in another terminal: the same controller as of `footfall run`\n"
                "  footfall serve experiments/anton-tripod.yaml --link shm:anton --wall\n"
                "      through shared memory, in real time\n"
                "  footfall serve experiments/anton-tripod.yaml --hardware --operator \"1 miscount 2\"\n"
                "      through the hardware layer; after a second two working counters are wrong\n",
    .options = serve_options,
    .noption = (int)(sizeof serve_options / sizeof serve_options[0]),
    .min_operands = 1,
    .max_operands = 1,
    .operand = "SCENE, a scene or an image,",
    .run = run_main,
};

// ------------------------------------------------------------------------------------------ stations

static const option ethercat_options[] = {
    OPTIONS_OF_ALL,
    ALLOW,
    OPTION(run_target, bus.interface, "interface", OPTION_TEXT, HINT_NONE, "NAME",
           "Network interface at which the stations are, such as one end of a veth pair"),
    OPTION(run_target, bus.wall, "wall", OPTION_FLAG, HINT_NONE, NULL,
           "Keep to the clock on the wall; without it, time goes on by one cycle with each exchange of process data"),
    OPTION(run_target, bus.operator, "operator", OPTION_TEXT, HINT_NONE, "LIST",
           "What goes wrong, by simulated time, as in \"0.5 cut FL_femur; 1 mend FL_femur\""),
    OPTION(run_target, bus.eni, "eni", OPTION_TEXT, HINT_FILE, "FILE",
           "Write the description of the network (ENI), which masters are configured by"),
    OPTION(run_target, bus.esi, "esi", OPTION_TEXT, HINT_FILE, "FILE",
           "Write the descriptions of the devices (ESI), which configuration tools read"),
};

const command ethercat_command = {
    .name = "ethercat",
    .synopsis = "SCENE --interface NAME [--wall] [--operator LIST] [--eni FILE] [--esi FILE] [--time T] [--out DIR] "
                "[--set path=value]... "
                "[--report] [--profile] "
                "[--quiet]",
    .summary = "simulate a robot whose controller is an EtherCAT master",
    .description =
        "Runs a scene as `footfall run` does, but the drives and sensors of its first robot are EtherCAT stations at a "
        "network interface, with the names they have in the robot's file. A master finds them, brings them to OP and "
        "leads the drives by CiA 402 (docs/ethercat.md). Raw frames need root, or a namespace of one's own: `unshare "
        "-Urn`.\n\n"
        "By default simulated time goes on by one cycle of the bus with each exchange of process data, and waits "
        "otherwise; a slow master changes nothing. With --wall it goes on by itself, and `footfall hardware` needs "
        "--wall, too. Distributed time is simulated time. It runs with real-time priority where that is allowed.\n\n"
        "What goes wrong is commanded by time (--operator) and by lines on its input: cut STATION [PORT], mend STATION "
        "[PORT] (a cable), reset STATION, watchdog STATION, vendor STATION NUMBER, lose PERCENT (of the frames), fault "
        "DRIVE, repair DRIVE, stick SENSOR, overload SENSOR, free SENSOR.",
    .examples = "  unshare -Urn\n"
                "  ip link add veth0 type veth peer name veth1 && ip link set veth0 up && ip link set veth1 up\n"
                "  footfall ethercat experiments/anton-tripod.yaml --interface veth0 &\n"
                "  footfall hardware experiments/anton-tripod.yaml --bus ethercat:veth1\n"
                "      or start your own master at veth1\n",
    .options = ethercat_options,
    .noption = (int)(sizeof ethercat_options / sizeof ethercat_options[0]),
    .min_operands = 1,
    .max_operands = 1,
    .operand = "SCENE, a scene or an image,",
    .run = run_main,
};

// ------------------------------------------------------------------------------------------ twins

static const option twin_options[] = {
    OPTIONS_OF_ALL,
    OPTION(run_target, twin.set, "set-twin", OPTION_TEXTS, HINT_NONE, "PATH=VALUE",
           "Override a value of the scene for the twin alone, such as seed=2 or robot=heavy.yaml"),
    OPTION(run_target, twin.recording, "recording", OPTION_TEXT, HINT_FILE, "FILE",
           "A recording in place of the twin: CSV, HDF5 or the folder of a run"),
    OPTION(run_target, twin.map, "map", OPTION_TEXT, HINT_FILE, "FILE",
           "Which column of the recording is which channel (YAML); without it, columns named as channels are taken"),
    OPTION(run_target, twin.offset, "offset", OPTION_NUMBER, HINT_NONE, "T",
           "The clock of the recording is T seconds ahead of the run; without it, that is found by correlation"),
};

const command twin_command = {
    .name = "twin",
    .synopsis = "SCENE [--set-twin path=value]... [--recording FILE [--map FILE] [--offset T]] [--time T] [--out DIR] "
                "[--set path=value]... [--report] [--profile] [--quiet]",
    .summary = "simulate two robots with one controller, and how far they part",
    .description =
        "Runs a scene as `footfall run` does, with a second robot beside it: the twin, at another seed or with other "
        "parameters. One controller serves both: it reads the sensors of the first robot, the leader, and its "
        "references go to both in the same cycle. What the twin does is recorded with the leader, as channels "
        "twin.NAME "
        "and difference.NAME (twin - leader); the summary says how far they lie apart and where they part.\n\n"
        "With --recording a real robot, or a run from elsewhere, takes the place of the twin. Its clock is aligned "
        "with "
        "that of the run by correlation of all channels that are mapped; the scene is run once before for that. Where "
        "no "
        "offset stands out, as in steady walking, that is said, and the one nearest to zero is taken, or where the "
        "clocks have nothing in "
        "common that at which both begin.\n\n"
        "The leader has the bits of a run without a twin; exit codes are those of `footfall run` for it.",
    .examples = "  footfall twin experiments/servo-hexapod-walk.yaml --set-twin seed=2 --report\n"
                "      the same robot with other sensor noise\n"
                "  footfall twin experiments/anton-tripod.yaml --recording real.csv --map map.yaml\n"
                "      docs/twin.md says what stands in a map\n",
    .options = twin_options,
    .noption = (int)(sizeof twin_options / sizeof twin_options[0]),
    .min_operands = 1,
    .max_operands = 1,
    .operand = "SCENE, a scene or an image,",
    .run = run_main,
};
