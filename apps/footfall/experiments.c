// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall experiments`: the experiment book. Each experiment is a scene file with expectations, perhaps in several
// variants; running it prints metric, expected, got, verdict and source, or one line for all its seeds. Nothing is
// recorded: `footfall run` does that with the same file.
#include "experiments.h"
#include "commands.h"
#include "controllers.h"
#include "files.h"
#include "run_report.h"
#include "terminal.h"

#include <footfall/text.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SEEDS 1000

typedef struct experiments_target {
    text_list operands;
    bool all;
    bool json;
    bool table;
    bool brief;
    text_list set;
    double time;
    double seeds;
    const char *from;
    const char *allow;
    unsigned permissions;
} experiments_target;

/// What all runs of one call share.
typedef struct session {
    const experiments_target *target;
    experiments_list list;
    ff_arena *arena;
    ff_json json;
    int runs, met, missed, allowed;         // `allowed`: missed as often as rates allow
    run_values *runs_so_far;                // runs of the present experiment
    comparison_result *comparisons, **last; // all comparisons so far
    int code;                               // the worst so far
} session;

// Keeps the worst exit code: bad input is worse than a failed simulation, which is worse than a missed expectation.
static void keep_worst_code(session *s, int code)
{
    static const int weight[] = {[EXIT_FINE] = 0, [EXIT_EXPECTATION] = 1, [EXIT_SIMULATION] = 2, [EXIT_INPUT] = 3};
    if (weight[code] > weight[s->code]) s->code = code;
}

// Loads a scene. `seed` replaces that of the file; NULL keeps it.
static const ff_scene_spec *load(session *s, const char *path, const char *variant, const uint64_t *seed)
{
    const text_list *set = &s->target->set;
    ff_report report = {0};
    const char **overrides = FF_ARENA_NEW(s->arena, const char *, set->count + 2);
    const ff_scene_spec *scene = NULL;
    if (overrides) {
        int count = 0;
        if (variant) overrides[count++] = ff_arena_printf(s->arena, "variant=%s", variant);
        for (int i = 0; i < set->count; i++) overrides[count++] = set->items[i];
        if (seed) overrides[count++] = ff_arena_printf(s->arena, "seed=%llu", (unsigned long long)*seed);
        scene = s->arena->failed ? NULL : ff_scene_load(path, overrides, count, &report);
    }
    print_report(stderr, &report, set->count ? 5 : 0);
    ff_report_clear(&report);
    if (!scene) keep_worst_code(s, EXIT_INPUT);
    return scene;
}

// ------------------------------------------------------------------------------------------ list

static void list_json(session *s, const experiments_entry *entry, const ff_scene_spec *scene)
{
    ff_json_begin_object(&s->json, NULL, true);
    ff_json_text(&s->json, "name", entry->name);
    ff_json_text(&s->json, "title", scene->title);
    ff_json_text(&s->json, "file", entry->path);
    ff_json_integer(&s->json, "expectations", scene->nexpectation);
    ff_json_texts(&s->json, "variants", scene->variants, scene->nvariant);
    ff_json_end_object(&s->json);
}

static void list_line(const experiments_entry *entry, const ff_scene_spec *scene, int width)
{
    char runs[32] = "", title[200];
    if (scene->nvariant) snprintf(runs, sizeof runs, "%d", scene->nvariant);
    printf("  %-*s  %12d  %8s  %s\n", width, entry->name, scene->nexpectation, runs,
           ff_text_printable(scene->title, title, sizeof title));
}

static void list(session *s)
{
    int width = 4;
    for (int i = 0; i < s->list.count; i++)
        if ((int)strlen(s->list.entries[i].name) > width) width = (int)strlen(s->list.entries[i].name);
    if (s->target->json)
        ff_json_begin_array(&s->json, "experiments", false);
    else
        printf("  %-*s  %12s  %8s  %s\n", width, "name", "expectations", "variants", "title");
    for (int i = 0; i < s->list.count; i++) {
        const experiments_entry *entry = &s->list.entries[i];
        const ff_scene_spec *scene = load(s, entry->path, NULL, NULL);
        if (scene && s->target->json) list_json(s, entry, scene);
        if (scene && !s->target->json) list_line(entry, scene, width);
        ff_scene_destroy(scene);
    }
    if (s->target->json) ff_json_end_array(&s->json);
}

// ------------------------------------------------------------------------------------------ run

static ff_sim_action show_progress(void *context, ff_sim *sim, double t)
{
    (void)sim;
    progress_update(context, t);
    return FF_SIM_GO;
}

/// One run that has ended.
typedef struct finished_run {
    const char *name; // "tennis-ball/printed"
    const ff_scene_spec *scene;
    ff_run *run;
    ff_result result;
    ff_summary summary;
    char text[600]; // text of the summary
    ff_status status;
    bool any_seed; // the next seed gave the same result
} finished_run;

static void print_json(session *s, const finished_run *f)
{
    ff_json *json = &s->json;
    ff_json_begin_object(json, NULL, false);
    ff_json_text(json, "name", f->name);
    ff_json_text(json, "title", f->scene->title);
    ff_json_integer(json, "seed", (long long)f->scene->options.seed);
    if (f->any_seed) ff_json_bool(json, "any_seed", true);
    ff_json_text(json, "method", ff_method_name(f->scene->options.method));
    ff_json_text(json, "outcome", f->summary.outcome);
    ff_json_number(json, "time", f->summary.time);
    ff_json_integer(json, "steps", f->summary.steps);
    ff_json_integer(json, "evaluations", f->summary.evaluations);
    ff_json_number(json, "wall", f->summary.wall);
    write_expectations(&f->result, json);
    ff_json_bool(json, "passed", f->result.passed);
    ff_json_end_object(json);
}

static void print_run(const finished_run *f, bool seeds)
{
    char duration[32], seed[40] = "", title[200];
    format_duration(f->summary.wall, duration, sizeof duration);
    if (seeds) snprintf(seed, sizeof seed, " (seed %llu)", (unsigned long long)f->scene->options.seed);
    if (f->any_seed) snprintf(seed, sizeof seed, " (any seed)");
    printf("%s%s%s%s  %s\n", paint(stdout, STYLE_STRONG), f->name, paint(stdout, STYLE_PLAIN), seed,
           ff_text_printable(f->scene->title, title, sizeof title));
    printf("  %s%s%s: %.6g s in %s, %lld steps by %s\n", paint(stdout, f->status == FF_OK ? STYLE_PLAIN : STYLE_BAD),
           f->summary.outcome, paint(stdout, STYLE_PLAIN), f->summary.time, duration, f->summary.steps,
           ff_method_name(f->scene->options.method));
    print_expectations(&f->result, f->status != FF_STOPPED);
    print_reported(f->run);
    printf("\n");
}

static void note_outcome(session *s, const finished_run *f)
{
    if (f->status != FF_OK && f->status != FF_STOPPED)
        keep_worst_code(s, f->status == FF_BAD_ARGUMENT ? EXIT_INPUT : EXIT_SIMULATION);
    else if (!f->result.passed)
        keep_worst_code(s, EXIT_EXPECTATION);
}

// Adds a run to its row and prints it, unless the row is printed in its place.
static void add_run(session *s, const finished_run *f, experiments_row *row)
{
    note_outcome(s, f);
    s->runs_so_far = comparisons_add_run(f->run, f->status == FF_OK, s->runs_so_far, s->arena);
    if (s->runs_so_far) s->runs_so_far->any_seed = f->any_seed;
    if (f->status != FF_OK && !(f->status == FF_STOPPED && f->result.passed)) // a scene may intend its stop
        experiments_row_add_end(row, f->name, f->scene->options.seed, f->summary.outcome, s->arena);
    experiments_row_add(row, f->scene->options.seed, &f->result, &f->summary, s->arena);
    if (s->target->json)
        print_json(s, f);
    else if (!s->target->table)
        print_run(f, s->target->seeds > 1);
}

// Evaluates a row after its last seed.
static void evaluate_row(session *s, experiments_row *row)
{
    if (!experiments_row_evaluate(row, (int)s->target->seeds, s->arena)) keep_worst_code(s, EXIT_EXPECTATION);
    s->runs += row->runs;
    s->met += row->met;
    s->missed += row->missed;
    s->allowed += row->allowed;
    if (s->target->table)
        experiments_row_print(row);
    else if (!s->target->json && s->target->seeds > 1 && row->rates)
        printf("  over all seeds\n%s\n", row->rates);
}

static void end(finished_run *f)
{
    ff_run_destroy(f->run);
    ff_scene_destroy(f->scene);
}

// Simulates a scene. False when the run cannot begin.
static bool simulate(session *s, finished_run *f)
{
    ff_run_options options = ff_run_options_default(f->scene);
    ff_report report = {0};
    ff_error err = {0};
    progress bar = {0};
    ff_listener listener = {&bar, show_progress};
    const bool evaluated = isnan(s->target->time);
    options.record.nchannel = 0;
    options.permissions = s->target->permissions;
    options.python = python_find;
    if (!evaluated) options.time = ff_min(options.time, s->target->time);
    f->run = ff_run_create(f->scene, &options, &report);
    if (f->run && ff_sim_add_listener(ff_run_sim(f->run), &listener, &err) != FF_OK)
        ff_report_add(&report, FF_ERROR, (ff_place){f->scene->path, 0, 0}, "%s", err.text);
    const bool ready = report.errors == 0;
    print_report(stderr, &report, 0);
    ff_report_clear(&report);
    if (!ready) {
        keep_worst_code(s, EXIT_INPUT);
        return false;
    }
    double start = clock_seconds();
    bar = progress_begin(0, options.time, false);
    f->status = ff_run_go(f->run, &err);
    progress_end(&bar);
    f->result = *ff_run_result(f->run);
    if (!evaluated) {
        f->result.nexpectation = 0;
        f->result.passed = f->status == FF_OK;
    }
    f->summary = ff_summary_make(ff_run_sim(f->run), f->status, &err, clock_seconds() - start, f->text, sizeof f->text);
    return true;
}

// Whether two seeds gave the same result: all metrics that are expected or compared and the last state, bit-identical.
static bool is_same(const finished_run *a, const finished_run *b)
{
    const ff_result *x = &a->result, *y = &b->result;
    const ff_model *m = a->scene->model;
    if (a->status != b->status || x->nexpectation != y->nexpectation) return false;
    for (int i = 0; i < x->nexpectation; i++)
        if (memcmp(&x->expectations[i].got, &y->expectations[i].got, sizeof(double)) != 0) return false;
    for (int i = 0; i < a->scene->ncomparison; i++) {
        double of[2] = {0};
        ff_run_metric(a->run, a->scene->comparisons[i].ratio.metric, &of[0]);
        ff_run_metric(b->run, a->scene->comparisons[i].ratio.metric, &of[1]);
        if (memcmp(&of[0], &of[1], sizeof(double)) != 0) return false;
    }
    const ff_data *c = ff_sim_data(ff_run_sim(a->run)), *d = ff_sim_data(ff_run_sim(b->run));
    return memcmp(c->q, d->q, (size_t)m->nq * sizeof(double)) == 0 &&
           memcmp(c->v, d->v, (size_t)m->nv * sizeof(double)) == 0;
}

// Runs one variant with the seeds after that of `first`, which is concluded after the second run, when it is known
// whether the seed makes a difference.
static void run_seeds(session *s, const experiments_entry *entry, const char *variant, finished_run *first,
                      experiments_row *row)
{
    for (int k = 1; k < (int)s->target->seeds && !first->any_seed; k++) {
        uint64_t seed = first->scene->options.seed + (uint64_t)k;
        finished_run f = {.name = first->name, .scene = load(s, entry->path, variant, &seed)};
        bool ran = f.scene && simulate(s, &f);
        first->any_seed = row->any_seed = ran && k == 1 && is_same(first, &f);
        if (k == 1) add_run(s, first, row);
        if (ran && !first->any_seed) add_run(s, &f, row);
        end(&f);
    }
    if (s->target->seeds < 2) add_run(s, first, row);
}

static bool is_omitted(const session *s, const ff_scene_spec *scene, int variant)
{
    return s->target->brief && scene->long_variants[variant];
}

// Whether one of the runs that a comparison needs was left out.
static bool has_omitted_runs(const session *s, const ff_scene_spec *scene, const ff_comparison *c)
{
    for (int i = 0; i < scene->nvariant; i++)
        if (is_omitted(s, scene, i) && ff_scene_compares(scene, c, scene->variants[i])) return true;
    return false;
}

// Evaluates how the runs of an experiment compare, after the last of them.
static void evaluate_comparisons(session *s, const experiments_entry *entry, const ff_scene_spec *scene)
{
    experiments_row row = {.experiment = entry->name, .variant = "compared"};
    comparison_result **first = s->last;
    for (int i = 0; i < scene->ncomparison; i++) {
        if (has_omitted_runs(s, scene, &scene->comparisons[i])) continue;
        comparison_result *c = *s->last = compare_runs(&scene->comparisons[i], i, s->runs_so_far, s->arena);
        if (!c) return;
        c->experiment = entry->name;
        s->last = &c->next;
        *(comparison_holds(c) ? &row.met : &row.missed) += 1;
        const char *line = describe_comparison(c, s->arena);
        if (line) row.notes = ff_arena_printf(s->arena, "%s%s", row.notes ? row.notes : "", line);
    }
    if (row.missed > 0) keep_worst_code(s, EXIT_EXPECTATION);
    s->met += row.met;
    s->missed += row.missed;
    if (s->target->table) {
        experiments_row_print(&row);
    } else if (!s->target->json) {
        printf("%s%s%s compared\n", paint(stdout, STYLE_STRONG), entry->name, paint(stdout, STYLE_PLAIN));
        print_comparisons(*first);
        printf("\n");
    }
}

// Runs the scene itself where `only` is NULL, and its variants; or the one named.
static void run_entry(session *s, const experiments_entry *entry, const char *only)
{
    finished_run first = {.name = only ? ff_arena_printf(s->arena, "%s/%s", entry->name, only) : entry->name,
                          .scene = load(s, entry->path, only, NULL)};
    experiments_row row = {.experiment = entry->name, .variant = only ? only : ""};
    if (!only) s->runs_so_far = NULL;
    if (first.scene && simulate(s, &first)) {
        run_seeds(s, entry, only, &first, &row);
        evaluate_row(s, &row);
    }
    int variants = first.scene && !only ? first.scene->nvariant : 0;
    for (int i = 0; i < variants; i++)
        if (!is_omitted(s, first.scene, i)) run_entry(s, entry, first.scene->variants[i]);
    if (variants > 0 && first.scene->ncomparison > 0 && isnan(s->target->time))
        evaluate_comparisons(s, entry, first.scene);
    end(&first);
}

static int unknown_experiment(const session *s, const command *self, const char *name, size_t length)
{
    const char **names = FF_ARENA_NEW(s->arena, const char *, s->list.count + 1);
    char *word = ff_arena_strndup(s->arena, name, length);
    for (int i = 0; names && i < s->list.count; i++) names[i] = s->list.entries[i].name;
    const char *near = names && word ? ff_text_nearest(word, names, s->list.count) : NULL;
    return usage_error(self, "no experiment \"%.*s\" in %s%s%s%s; `footfall experiments list` shows them", (int)length,
                       name, s->list.folder, near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static int run_named(session *s, const command *self, const char *name)
{
    const char *slash = strchr(name, '/');
    size_t length = slash ? (size_t)(slash - name) : strlen(name);
    int found = 0;
    for (int i = 0; i < s->list.count; i++) {
        if (!experiments_entry_matches(&s->list.entries[i], name, length)) continue;
        run_entry(s, &s->list.entries[i], slash ? slash + 1 : NULL);
        found++;
    }
    return found ? EXIT_FINE : unknown_experiment(s, self, name, length);
}

static int run(session *s, const command *self)
{
    const text_list *names = &s->target->operands;
    int wrong = EXIT_FINE;
    if (s->target->json) ff_json_begin_array(&s->json, "experiments", false);
    if (s->target->table) experiments_row_print(NULL);
    for (int i = 0; s->target->all && i < s->list.count; i++) run_entry(s, &s->list.entries[i], NULL);
    for (int i = 1; i < names->count && wrong == EXIT_FINE; i++) wrong = run_named(s, self, names->items[i]);
    if (wrong != EXIT_FINE) return wrong;
    if (s->target->json) {
        ff_json_end_array(&s->json);
        if (s->comparisons) write_comparisons(s->comparisons, &s->json);
        ff_json_bool(&s->json, "passed", s->code == EXIT_FINE);
    } else {
        style look = s->code == EXIT_FINE ? STYLE_GOOD : STYLE_BAD;
        printf("%s%d of %d expectations met in %d runs%s", paint(stdout, look), s->met, s->met + s->missed + s->allowed,
               s->runs, paint(stdout, STYLE_PLAIN));
        if (s->allowed > 0) printf(", %d missed as their rates allow", s->allowed);
        printf("\n");
    }
    return EXIT_FINE;
}

// ------------------------------------------------------------------------------------------ the command

static int read_book(const command *self, const experiments_target *target, bool listing, ff_arena *arena)
{
    session s = {.target = target, .arena = arena};
    ff_error err = {0};
    s.last = &s.comparisons;
    if (!experiments_list_open(&s.list, target->from, arena, &err)) {
        print_message("footfall experiments", STYLE_BAD, err.text);
        return EXIT_INPUT;
    }
    int wrong = EXIT_FINE;
    if (target->json) ff_json_begin_object(&s.json, NULL, false);
    if (listing)
        list(&s);
    else
        wrong = run(&s, self);
    if (target->json && wrong == EXIT_FINE) {
        ff_json_end_object(&s.json);
        keep_worst_code(&s, print_json_text(&s.json));
    }
    free(s.json.text);
    return wrong != EXIT_FINE ? wrong : s.code;
}

static int check_words(const command *self, const experiments_target *target, ff_arena *arena)
{
    const text_list *words = &target->operands;
    bool listing = words->count == 0 || strcmp(words->items[0], "list") == 0;
    if (!listing && strcmp(words->items[0], "run") != 0)
        return usage_error(self, "\"%s\": list or run?", words->items[0]);
    if (listing && words->count > 1) return usage_error(self, "\"%s\" is one word too many", words->items[1]);
    if (listing && target->all) return usage_error(self, "--all goes with run");
    if (!listing && target->all && words->count > 1) return usage_error(self, "give names or --all, not both");
    if (!listing && !target->all && words->count < 2)
        return usage_error(self, "which experiments? Give names, or --all");
    if (listing && (target->table || target->seeds > 1)) return usage_error(self, "--table and --seeds go with run");
    if (target->table && target->json) return usage_error(self, "give --table or --json, not both");
    if (!(target->seeds >= 1 && target->seeds <= MOST_SEEDS && target->seeds == floor(target->seeds)))
        return usage_error(self, "--seeds is %g: a whole number from 1 to %d", target->seeds, MOST_SEEDS);
    if (target->time <= 0.0) return usage_error(self, "--time is %g s: it must be positive", target->time);
    if (listing && !isnan(target->time)) return usage_error(self, "--time goes with run");
    if (listing && target->allow) return usage_error(self, "--allow goes with run");
    return read_book(self, target, listing, arena);
}

static int experiments_main(const command *self, void *options, ff_arena *arena)
{
    experiments_target *target = options;
    if (!permissions_read(target->allow, &target->permissions))
        return usage_error(self, PERMISSIONS_MISTAKE, target->allow);
    return check_words(self, target, arena);
}

const command experiments_command = {
    .name = "experiments",
    .synopsis = "[list | run NAME... | run --all] [--json | --table] [--seeds N] [--short] [--set path=value]... "
                "[--time T] [--from DIR] [--allow io,os]",
    .summary = "run the experiment book: metric, expected, got, source",
    .description =
        "The experiment book is a folder of scene files that state what must come out. `list` shows them; `run` "
        "simulates those named, with their variants, or the whole book, and compares. NAME may be the start of a name "
        "up to a dash (e1 for e1-rubber-bounce), and NAME/VARIANT runs one variant alone. The exit code is 4 when an "
        "expectation is missed.\n\n"
        "With --seeds each scene runs with several seeds of its random numbers, so that a result by chance shows as "
        "such; an expectation that the file gives for one seed counts with that one alone, and one with a rate must be "
        "met in that share of the runs. What the file compares between its variants is evaluated after the last of "
        "them.\n\n"
        "Nothing is recorded; `footfall run` with the file of an experiment does that.",
    .examples = "  footfall experiments list\n"
                "  footfall experiments run e1 e2\n"
                "  footfall experiments run e2/printed-damping --json\n"
                "  footfall experiments run --all --table --seeds 5\n"
                "  footfall experiments run --all --set solver.method=rk4 --set solver.step=1e-4\n"
                "      how another method does; steps that are too long show as missed expectations\n",
    OPTIONS(
        FLAG(experiments_target, all, "all", "Run the whole book"),
        FLAG(experiments_target, json, "json", "Print one JSON object instead of tables"),
        FLAG(experiments_target, table, "table",
             "Print one line for each experiment and variant, and those for runs that failed and what was missed"),
        OPTION(experiments_target, seeds, "seeds", NUMBER, "N",
               "Run each scene N times, with its own seed and the next ones; once where the seed makes no difference"),
        FLAG(experiments_target, brief, "short",
             "Leave out variants that are marked as long, and comparisons that need them"),
        SET_OPTION(experiments_target, set),
        OPTION(experiments_target, time, "time", NUMBER, "T",
               "End each run after T seconds at the latest, without evaluating it: does it begin and go on?"),
        OPTION(experiments_target, from, "from", TEXT, "DIR",
               "Folder of the experiments; without it the one that came with this program"),
        ALLOW_OPTION(experiments_target, allow)),
    .operands = {0, -1, "NAME"},
    .words = "list run $(footfall experiments list 2>/dev/null | sed -n '1d;s/^  \\([^ ]*\\) .*/\\1/p')",
    PRESET(experiments_target, .time = NAN, .seeds = 1),
    .run = experiments_main,
};
