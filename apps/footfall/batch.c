// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall batch`: many robots of a scene in one loop, with random spreads of their parameters; the result is a
// table, a picture, or a batch in the studio.
#include "batch.h"
#include "commands.h"
#include "files.h"
#include "studio.h"
#include "terminal.h"

#include <footfall/run.h>
#include <footfall/text.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct batch_target {
    text_list operands;
    double robots, threads, lanes, seed, time, least_height, most_tilt;
    const char *end, *reward, *csv;
    double every;
    bool device, specialise, fast, single, json, studio, channels;
    const char *picture, *colour;
    studio_target open;
    text_list spread, observe, set;
} batch_target;

// ------------------------------------------------------------------------------------------ options

/// "LOW..HIGH"
static bool read_range(const char *text, double ends[2])
{
    const char *dots = strstr(text, "..");
    char *end;
    if (!dots) return false;
    ends[0] = strtod(text, &end);
    if (end == text || end > dots + 1) return false; // "0.5..": the number may take the first dot
    ends[1] = strtod(dots + 2, &end);
    return end != dots + 2 && *end == '\0';
}

enum { KIND_SIZE = 32 };

/// Most numbers that a text can contain: those separated by commas, or the two of a range.
static int count_numbers(const char *text)
{
    int count = 2;
    for (; *text; text++) count += *text == ',';
    return count;
}

/// "normal(1, 0.1)" @return number of numbers; -1: the text has another form
/// @param numbers  (count_numbers)
static int read_call(const char *text, char kind[KIND_SIZE], double *numbers)
{
    const size_t length = strcspn(text, "(");
    if (text[length] != '(' || length >= KIND_SIZE) return -1;
    memcpy(kind, text, length);
    kind[length] = '\0';
    const char *at = text + length + 1;
    for (int n = 0;; at++) {
        char *end;
        numbers[n++] = strtod(at, &end);
        if (end == at) return -1;
        at = end + strspn(end, " ");
        if (at[0] == ')') return at[1] == '\0' ? n : -1;
        if (at[0] != ',') return -1;
    }
}

/// The distribution of a spread. @return EXIT_FINE, or EXIT_USAGE with the error on stderr
static int read_distribution(const command *self, const char *text, const char *value, ff_arena *arena,
                             ff_batch_spread *out)
{
    char kind[KIND_SIZE] = "uniform";
    double *numbers = FF_ARENA_NEW(arena, double, count_numbers(value));
    if (!numbers) return usage_error(self, "--spread %s: no memory", text);
    const int count = read_range(value, numbers) ? 2 : read_call(value, kind, numbers);
    if (count < 0)
        return usage_error(self,
                           "--spread %s: write NAME=LOW..HIGH, such as friction=0.6..1.2, or NAME=KIND(NUMBER,..), "
                           "such as mass=normal(1,0.1,0.7,1.3)",
                           text);
    ff_error err = {0};
    if (ff_batch_spread_make(out, out->quantity, kind, numbers, count, &err))
        return usage_error(self, "--spread %s: %s", text, err.text);
    return EXIT_FINE;
}

/// @return EXIT_FINE, or EXIT_USAGE with the error on stderr
static int read_spread(const command *self, const char *text, ff_arena *arena, ff_batch_spread *out)
{
    const char *equals = strchr(text, '='), *which = NULL;
    ff_error err = {0};
    if (!equals) return read_distribution(self, text, "", arena, out);
    const char *name = ff_arena_strndup(arena, text, (size_t)(equals - text));
    if (!name) return usage_error(self, "--spread %s: no memory", text);
    if (ff_batch_spread_find(name, &out->quantity, &which, &err))
        return usage_error(self, "--spread %s: %s", text, err.text);
    const int code = read_distribution(self, text, equals + 1, arena, out);
    out->which = which;
    return code;
}

/// @return EXIT_FINE, or EXIT_USAGE with the error on stderr
static int check_numbers(const command *self, const batch_target *target)
{
    static const double most_seed = 9007199254740992.0; // 2^53: whole numbers are exact up to here
    const struct {
        const char *name;
        double value, least, most;
    } counts[] = {{"robots", target->robots, 1, 1e8},
                  {"threads", target->threads, 0, 1024},
                  {"lanes", target->lanes, 0, 1024},
                  {"seed", target->seed, 0, most_seed}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (!is_whole(counts[i].value, counts[i].least, counts[i].most))
            return usage_error(self, "--%s is %.16g: it is a whole number from %g to %.16g", counts[i].name,
                               counts[i].value, counts[i].least, counts[i].most);
    if (target->time <= 0 || target->time > 1e9)
        return usage_error(self, "--time is %g s: it must be positive, and at most 1e9", target->time);
    if (target->least_height < 0.0 || isinf(target->least_height))
        return usage_error(self, "--fall-height is %g m above the ground: it must be 0 (none) or more",
                           target->least_height);
    if (target->most_tilt < 0.0 || target->most_tilt > FF_PI)
        return usage_error(self, "--fall-tilt is %g rad: it must be from 0 (none) to pi", target->most_tilt);
    if (target->every <= 0 || target->every > 1e9)
        return usage_error(self, "--every is %g s: it must be positive, and at most 1e9", target->every);
    if (target->fast && !target->device && !target->specialise)
        return usage_error(self, "--fast needs --device or --specialise");
    if (target->specialise && target->device)
        return usage_error(self, "a device always has code for the model: leave out --specialise");
    if (target->single && !target->device) return usage_error(self, "--single needs --device");
    if (target->single && target->fast) return usage_error(self, "--single fuses operations, too: leave out --fast");
    return EXIT_FINE;
}

/// The formula that is observed twice, or NULL: formulas are the names of columns and of members in JSON.
static const char *observed_twice(const text_list *formulas)
{
    for (int i = 0; i < formulas->count; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(formulas->items[i], formulas->items[k]) == 0) return formulas->items[i];
    return NULL;
}

/// Can the requested outputs be combined? @return EXIT_FINE, or EXIT_USAGE with the error on stderr
static int check_outputs(const command *self, const batch_target *target)
{
    const char *end = target->picture ? strrchr(target->picture, '.') : NULL;
    if (target->picture && (!end || strcmp(end, ".png") != 0))
        return usage_error(self, "--picture %s: pictures are PNG; name a file that ends in .png", target->picture);
    if (target->picture && has_other_content(target->picture, PNG_HEAD))
        return usage_error(self, "--picture %s is there, and is no picture: it would be lost; name another",
                           target->picture);
    if (target->csv && target->observe.count == 0)
        return usage_error(self, "--csv has what is observed: add --observe FORMULA");
    if (target->csv && has_other_content(target->csv, BATCH_WATCH_HEAD))
        return usage_error(self, "--csv %s is there, and is no file of observations: it would be lost; name another",
                           target->csv);
    const char *twice = observed_twice(&target->observe);
    if (twice) return usage_error(self, "--observe %s is there twice", twice);
    if (!isnan(target->every) && !target->csv) return usage_error(self, "--every is of a file: add --csv FILE.csv");
    if (target->colour && !target->picture)
        return usage_error(self, "--colour is of a picture: add --picture FILE.png");
    const bool opens = target->open.port.count > 0 || target->open.root || target->open.no_browser;
    if (!target->studio && opens)
        return usage_error(self, "--port, --root and --no-browser are of the studio: add --studio");
    if (target->studio && (target->device || target->specialise || target->json || target->picture ||
                           target->lanes > 0 || target->threads > 0 || target->observe.count > 0 || target->channels))
        return usage_error(self, "--studio runs the batch itself, on all processors, and shows it: leave out --device, "
                                 "--specialise, --lanes, --threads, --json, --observe, --channels and --picture");
    if (target->studio && target->robots > FF_STUDIO_ROBOTS)
        return usage_error(self, "--robots is %g: the studio takes up to %d", target->robots, FF_STUDIO_ROBOTS);
    if (target->studio && target->seed > 1e12)
        return usage_error(self, "--seed is %.16g: the studio takes up to 1e12", target->seed);
    return EXIT_FINE;
}

// ------------------------------------------------------------------------------------------ the run

/// Makes that many steps, or fewer when the user interrupts. @return steps made
static long long step_batch(const batch_target *target, ff_batch *batch, batch_watch *watch, long long steps,
                            ff_error *err)
{
    // Ctrl-C is polled between calls: a million robot-steps take a processor about a second, a device far less.
    const double a_call = target->device ? 1000 : floor(1e6 / target->robots);
    const int most = a_call > 1000 ? 1000 : a_call < 1 ? 1 : (int)a_call;
    long long done = 0;
    if (watch->every > 0) batch_watch_write(watch, batch, done, err);
    while (done < steps && !err->status && !is_interrupted(NULL)) {
        const long long left = steps - done, until = watch->every > 0 ? watch->every - done % watch->every : left;
        const long long now = left < until ? left : until;
        if (ff_batch_step(batch, now < most ? (int)now : most, err)) break;
        done += now < most ? now : most;
        if (watch->every > 0 && done % watch->every == 0) batch_watch_write(watch, batch, done, err);
    }
    if (!err->status && watch->written < done) batch_watch_write(watch, batch, done, err);
    return done;
}

/// Prints the result of the batch in the requested form. @return EXIT_FINE, or the exit code of the failure
static int show(const batch_target *target, const ff_batch *batch, const batch_watch *watch, const ff_model *model,
                const batch_pace *pace)
{
    ff_error err = {0};
    ff_batch_outcome outcome;
    int code = EXIT_FINE;
    ff_batch_quantiles *quantiles = calloc((size_t)target->observe.count + 1, sizeof *quantiles);
    if (!quantiles) return print_message(NULL, STYLE_BAD, "no memory for what is observed"), EXIT_INPUT;
    const batch_observed observed = {.formulas = &target->observe, .quantiles = quantiles};
    if (ff_batch_get_outcome(batch, &outcome, &err) || batch_watch_quantiles(watch, batch, quantiles, &err)) {
        free(quantiles);
        return print_message(NULL, STYLE_BAD, err.text), EXIT_SIMULATION;
    }
    if (target->json)
        code = print_batch_json(batch, &outcome, &observed, pace);
    else
        print_batch_table(batch, &outcome, &observed, pace);
    free(quantiles);
    batch_paint paint = {.batch = batch, .outcome = &outcome};
    if (target->picture && (find_paint_column(batch, target->colour, &paint.column, &err) ||
                            draw_batch(&paint, model, target->picture, &err)))
        return print_message(NULL, STYLE_BAD, err.text), exit_of(err.status);
    return code;
}

static int step_all(const batch_target *target, ff_batch *batch, batch_watch *watch, const ff_run *run, long long steps,
                    double step)
{
    ff_error err = {0};
    catch_interrupts();
    const double start = clock_seconds();
    const clock_t processor_start = clock();
    const long long done = step_batch(target, batch, watch, steps, &err);
    const batch_pace pace = {.requested = steps,
                             .done = done,
                             .step = step,
                             .elapsed = clock_seconds() - start,
                             .processor_time = (double)(clock() - processor_start) / CLOCKS_PER_SEC};
    if (err.status) return fprintf(stderr, "footfall batch: %s\n", err.text), EXIT_SIMULATION;
    if (done < steps)
        fprintf(stderr, "footfall batch: stopped after %g s of %g s\n", (double)done * step, (double)steps * step);
    const int code = show(target, batch, watch, ff_sim_model(ff_run_sim(run)), &pace);
    return code == EXIT_FINE && done < steps ? EXIT_SIMULATION : code;
}

/// Number of steps in the requested time, rounded; 0 after an error.
static long long count_steps(const batch_target *target, const ff_run *run, double step, ff_report *report)
{
    const double time = isnan(target->time) ? ff_run_get_options(run)->time : target->time;
    const long long steps = time < step ? 0 : llround(time / step);
    if (steps < 1)
        ff_report_add(report, FF_ERROR, (ff_place){0}, "a time of %g s is less than one step, which is %g s", time,
                      step);
    return steps;
}

/// Prints the warnings that a run of the scene gives before it starts, such as a step too long for a contact.
static void warn(ff_run *run)
{
    ff_report advice = {0};
    ff_run_advise(run, &advice);
    print_report_from(stderr, &advice, FF_WARNING, WARNINGS_SHOWN);
    ff_report_clear(&advice);
}

/// Limits of falls that were not given are NaN.
static ff_batch_options options_of(const batch_target *target, const ff_batch_spread *spreads)
{
    return (ff_batch_options){.robots = (int)target->robots,
                              .threads = (int)target->threads,
                              .lanes = (int)target->lanes,
                              .device = target->device,
                              .specialise = target->specialise,
                              .fast = target->fast,
                              .single = target->single,
                              .seed = (uint64_t)target->seed,
                              .spreads = spreads,
                              .nspread = target->spread.count,
                              .end = target->end,
                              .reward = target->reward,
                              .observe = target->observe.items,
                              .nobserve = target->observe.count,
                              .least_height = target->least_height,
                              .most_tilt = target->most_tilt};
}

/// Can the file of a picture be written without replacing a file of the scene? A file created for the test is removed.
static ff_status test_picture(const char *path, const ff_scene_spec *scene, ff_error *err)
{
    for (int i = 0; i < scene->nfield; i++)
        if (scene->fields[i].picture && is_same_file(path, scene->fields[i].picture))
            return ff_error_set(err, FF_BAD_FILE, "--picture %s: the scene has its heights from there; name another",
                                path);
    FILE *existing = fopen(path, "rb"), *file = fopen(path, "ab");
    const int reason = errno;
    if (existing) fclose(existing);
    if (!file) return ff_error_set(err, FF_NOT_WRITTEN, "%s: cannot write the picture: %s", path, strerror(reason));
    fclose(file);
    if (!existing) remove(path);
    return FF_OK;
}

/// Steps the batch and prints its result; writes a file of what is observed, where one is requested.
static int watch_all(const batch_target *target, ff_batch *batch, const ff_run *run, long long steps, double step)
{
    ff_error err = {0};
    batch_watch watch = {.formulas = &target->observe, .path = target->csv};
    if (!isnan(target->every)) watch.every = target->every < step ? 1 : llround(target->every / step);
    const bool opened = batch_watch_begin(&watch, (int)target->robots, &err) == FF_OK;
    const int code = opened ? step_all(target, batch, &watch, run, steps, step) : EXIT_FINE;
    batch_watch_end(&watch, opened ? &err : NULL);
    if (code != EXIT_FINE || !err.status) return code; // the error is printed already
    print_message(NULL, STYLE_BAD, err.text);
    return opened ? EXIT_SIMULATION : exit_of(err.status); // as for a recording
}

static int list_channels(ff_batch_model *model)
{
    const char *name;
    for (int i = 0; (name = ff_batch_channel_name(model, i)); i++) puts(name);
    if (ff_batch_channel_count(model) == 0)
        fputs("footfall batch: no sensors that a batch can read; they come by 'effects: {sensors: real}' of a scene\n",
              stderr);
    ff_batch_model_destroy(model);
    return EXIT_FINE;
}

static int simulate(const batch_target *target, ff_run *run, const ff_batch_spread *spreads, ff_report *report)
{
    ff_batch_model *model = ff_run_compile_batch(run, report);
    if (!model) return EXIT_INPUT;
    if (target->channels) return list_channels(model);
    const ff_batch_sizes sizes = ff_batch_model_sizes(model);
    ff_batch_options o = options_of(target, spreads);
    double height, tilt;
    ff_batch_default_falls(model, &height, &tilt);
    if (isnan(o.least_height)) o.least_height = height;
    if (isnan(o.most_tilt)) o.most_tilt = tilt;
    ff_error err = {0};
    const long long steps = count_steps(target, run, sizes.step, report);
    ff_batch *batch = steps > 0 ? ff_batch_create(model, &o, &err) : NULL;
    int column; // of the picture: errors are reported before the first step
    const bool fine = batch && find_paint_column(batch, target->colour, &column, &err) == FF_OK &&
                      (!target->picture || test_picture(target->picture, ff_run_scene(run), &err) == FF_OK);
    if (err.status) ff_report_add_error(report, &err, (ff_place){0});
    if (fine) warn(run);
    const int code = fine ? watch_all(target, batch, run, steps, sizes.step) : exit_of(err.status);
    ff_batch_destroy(batch);
    ff_batch_model_destroy(model);
    return code;
}

/// A run of the scene; NULL with the reasons in `report`. The scene is destroyed after it.
static ff_run *make_run(const batch_target *target, const ff_scene_spec **scene, ff_report *report)
{
    const char *path = target->operands.items[0];
    if (scene_file_detect(path))
        *scene = ff_scene_load(path, target->set.items, target->set.count, report);
    else
        scene_file_refuse(path, report);
    ff_run_options options = ff_run_options_default(*scene);
    options.record.nchannel = 0;
    return *scene ? ff_run_create(*scene, &options, report) : NULL;
}

static int run_here(const batch_target *target, const ff_batch_spread *spreads)
{
    ff_report report = {0};
    const ff_scene_spec *scene = NULL;
    ff_run *run = make_run(target, &scene, &report);
    const int code = run ? simulate(target, run, spreads, &report) : EXIT_INPUT;
    print_report(stderr, &report, WARNINGS_SHOWN);
    ff_run_destroy(run);
    ff_scene_destroy(scene);
    ff_report_clear(&report);
    return code;
}

/// Can the scene become a batch with these formulas and spreads? If not, the reasons are printed.
static bool is_possible(const batch_target *target, const ff_batch_spread *spreads)
{
    ff_report report = {0};
    ff_error err = {0};
    const ff_scene_spec *scene = NULL;
    ff_run *run = make_run(target, &scene, &report);
    ff_batch_model *model = run ? ff_run_compile_batch(run, &report) : NULL;
    const ff_batch_options one = {.robots = 1,
                                  .threads = 1,
                                  .spreads = spreads,
                                  .nspread = target->spread.count,
                                  .end = target->end,
                                  .reward = target->reward};
    ff_batch *batch = model ? ff_batch_create(model, &one, &err) : NULL;
    const bool possible = batch != NULL;
    if (err.status) ff_report_add_error(&report, &err, (ff_place){0});
    ff_batch_destroy(batch);
    if (!possible) print_report(stderr, &report, WARNINGS_SHOWN);
    ff_batch_model_destroy(model);
    ff_run_destroy(run);
    ff_scene_destroy(scene);
    ff_report_clear(&report);
    return possible;
}

/// The batch in the studio, which loads the scene itself.
static int run_in_studio(const command *self, const batch_target *target, const ff_batch_spread *spreads,
                         ff_arena *arena)
{
    const ff_batch_options o = options_of(target, spreads);
    studio_target open = target->open;
    open.scene = target->operands.items[0];
    open.set = target->set;
    open.batch = &o;
    open.batch_time = target->time;
    open.panel = "batch";
    return is_possible(target, spreads) ? open_studio(self, &open, arena) : EXIT_INPUT;
}

static int run_batch(const command *self, void *options, ff_arena *arena)
{
    const batch_target *target = options;
    ff_batch_spread *spreads = FF_ARENA_NEW(arena, ff_batch_spread, target->spread.count + 1);
    for (int i = 0; spreads && i < target->spread.count; i++)
        if (read_spread(self, target->spread.items[i], arena, &spreads[i])) return EXIT_USAGE;
    if (!spreads || check_numbers(self, target) || check_outputs(self, target)) return EXIT_USAGE;
    return target->studio ? run_in_studio(self, target, spreads, arena) : run_here(target, spreads);
}

const command batch_command = {
    .name = "batch",
    .synopsis =
        "SCENE [--robots N] [--time T] [--spread NAME=LOW..HIGH]... [--seed N] [--fall-height Z] [--fall-tilt ANGLE] "
        "[--end CONDITION] [--reward FORMULA] [--observe FORMULA]... [--csv FILE.csv [--every T]] [--channels] "
        "[--threads N] [--lanes N] [--specialise [--fast] | --device [--fast | --single]] [--json] [--picture FILE.png "
        "[--colour NAME]] [--studio [--port N] [--root DIR] [--no-browser]] [--set PATH=VALUE]...",
    .summary = "simulate a scene a thousand times at once, with what differs: a table, a picture, the studio",
    .description =
        "Compiles the scene to a batch and steps many of its robots in one loop, each with its own draw of what "
        "--spread names. The scene must be one that a batch can do: method euler, contacts with planes and height "
        "fields, the joint law of `control: {hold, cycle}`, drives without states of their own, forces, sensors; "
        "everything else is refused by name. Bits depend on neither threads nor lanes. A robot that falls or diverges "
        "stands still from then on and is counted. Ctrl-C ends early, with the table so far and exit code 3. The table "
        "on stdout has the robot-steps a second, how many fell and when, and how far, high and long the robots came, "
        "with quantiles over all robots.",
    .examples =
        "  footfall batch experiments/anton-march.yaml --set solver.method=euler --set solver.step=1e-4 --time 1 "
        "--spread friction=0.5..1.2 --spread mass=0.8..1.2\n"
        "      marching robots, heavier and lighter, on floors with 0.5 to 1.2 times the friction\n"
        "  footfall batch experiments/anton-march.yaml --set solver.method=euler --set solver.step=1e-4 --robots 64 "
        "--time 1 --spread mass=0.8..1.2 --observe FL.force.z --observe height --csv feet.csv --every 0.01\n"
        "      force on a foot and height of each robot every 10 ms\n"
        "  footfall batch experiments/anton-march.yaml --set solver.method=euler --set solver.step=1e-4 --robots 4096 "
        "--spread friction=0.1..1.2 --studio\n"
        "      all of them in the viewport of the studio, while they march\n",
    OPTIONS(
        OPTION(batch_target, robots, "robots", NUMBER, "N", "How many; 1024 without it"),
        OPTION(batch_target, time, "time", NUMBER, "T", "Simulated time of each [s]; without it that of the scene"),
        OPTION(batch_target, spread, "spread", TEXTS, "NAME=LOW..HIGH",
               "Each robot draws its own value between the two, or by NAME=KIND(NUMBER,..): log_uniform(LOW,HIGH), "
               "normal(MEAN,DEVIATION[,LOW,HIGH]), choice(VALUE,..). NAME is a quantity (docs/batch.md lists them), "
               "such as "
               "friction, mass, start_height, push_force, or one of a single thing: mass.torso, friction.FL_foot"),
        OPTION(batch_target, seed, "seed", NUMBER, "N", "Of the random numbers; 0 without it"),
        OPTION(batch_target, least_height, "fall-height", NUMBER, "Z",
               "A root less than this above the ground has fallen [m], 0: none; without it half the height at the "
               "start. The ground is a height field, or the plane under the start"),
        OPTION(batch_target, most_tilt, "fall-tilt", NUMBER, "ANGLE",
               "So has one that leans more [rad], up to pi, 0: none; without it 1"),
        OPTION(
            batch_target, end, "end", TEXT, "CONDITION",
            "A robot ends where this holds after a step, such as \"height < 0.06 or tilt > 0.8\"; docs/batch.md lists "
            "the quantities"),
        OPTION(batch_target, reward, "reward", TEXT, "FORMULA",
               "Summed over the steps of each robot, such as \"forward * step\"; the table has the sums"),
        OPTION(batch_target, observe, "observe", TEXTS, "FORMULA",
               "A number of each robot, such as FL.force.z or, of a sensor of the scene, sensors.gyro.x: a row of the "
               "table with what it is at the end"),
        OPTION(batch_target, csv, "csv", TEXT, "FILE.csv", "With --observe: a line for each robot, at the end"),
        OPTION(batch_target, every, "every", NUMBER, "T",
               "With --csv: from the start on, each T until a robot ends [s]"),
        FLAG(batch_target, channels, "channels",
             "Print the channels of sensors that --observe, --end and --reward can read, and end"),
        OPTION(batch_target, threads, "threads", NUMBER, "N", "Without it one a processor"),
        OPTION(
            batch_target, lanes, "lanes", NUMBER, "N",
            "Robots beside each other in vector instructions: 1, 2, 4 or 8; without it as many as the processor has"),
        FLAG(batch_target, device, "device",
             "On a GPU, where this build has CUDA: bit-identical, and no lanes and threads"),
        FLAG(batch_target, specialise, "specialise",
             "Let the C compiler that is there ($CC, clang or cc) make code for this model, once: faster and "
             "bit-identical"),
        FLAG(batch_target, fast, "fast",
             "With --device or --specialise: multiplications and additions may be fused, so that bits differ by "
             "rounding"),
        FLAG(batch_target, single, "single",
             "With --device: compute in single precision, with seven digits, twice as fast"),
        FLAG(batch_target, json, "json", "Print one JSON object in place of the table"),
        OPTION(batch_target, picture, "picture", TEXT, "FILE.png",
               "All robots in one picture, from above, with a legend of their colours"),
        OPTION(
            batch_target, colour, "colour", TEXT, "NAME",
            "Of the robots in the picture, by a row of the table such as reward or ahead; without it by outcome: who "
            "stands, fell, diverged or ended"),
        FLAG(batch_target, studio, "studio",
             "Open the studio, which runs the batch and shows all robots; without --device, --specialise, --lanes, "
             "--threads, --json, --observe, --channels and --picture"),
        OPTION(batch_target, open.port, "port", NUMBERS, "N", "Of the studio, as `footfall studio` has it"),
        OPTION(batch_target, open.root, "root", TEXT, "DIR", "Project folder of the studio, likewise"),
        FLAG(batch_target, open.no_browser, "no-browser", "Of the studio, likewise"), SET_OPTION(batch_target, set)),
    .operands = {1, 1, "SCENE"},
    PRESET(batch_target, .robots = 1024, .time = NAN, .every = NAN, .least_height = NAN, .most_tilt = NAN),
    .run = run_batch,
};
