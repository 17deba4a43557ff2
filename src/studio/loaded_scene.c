// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The loaded scene and its pace. It runs in slices of 1/60 s of the clock, the time of a frame. A listener, which
// mostly only compares a time, stops the run at the first step at or beyond the target of the slice. So no step is
// shortened, and results are bit-identical to those of `footfall run`. The target is
//     time at which running began + pace * (clock - clock at that time)
// If the simulation lags by more than a tenth of a second, the lag is dropped and shows in the real-time factor.
#include "workbench_inner.h"

#include "record/record.h"
#include "run/assembly.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FRAME_TIME = 1.0 / FF_BENCH_FRAME_HZ;
static const double LAG_MAX = 0.1;          // a larger lag behind the clock is dropped  [s]
static const double MIN_SLICE = 4e-3;       // shortest slice when requests interrupt it, also under load  [s]
static const double CLOCK_PERIOD = 0.25e-3; // approximate period at which the clock is read  [s]
static const double ROUNDING = 1e-9;        // tolerance of a time, far below any step  [s]
static const double ENDLESS = 250000.0;     // end time of a simulation that continues beyond the scene  [s]
// Rate of recording for scenes that record nothing themselves: that of metrics, so that no step is shortened.  [Hz]
static const double RECORD_RATE = 100.0;

// ------------------------------------------------------------------------------------------ memory

void ff_bench_load_clear(ff_bench_load *load)
{
    ff_bench_free_texts(load->set, load->nset);
    ff_bench_free_texts(load->twin, load->ntwin);
    ff_bench_free_texts(load->others, 2 * load->nother);
    free(load->path);
    free(load->variant);
    free(load->text);
    *load = (ff_bench_load){0};
}

static void clear_twin(ff_bench_twin *t)
{
    ff_twin_destroy(t->twin);
    ff_scene_destroy(t->scene);
    *t = (ff_bench_twin){0};
}

/// Frees everything of the present simulation.
static void clear_scene(ff_bench_scene *s)
{
    clear_twin(&s->twin);
    ff_run_destroy(s->run);
    ff_scene_destroy(s->spec);
    free(s->robot_of_body);
    ff_bench_plan_clear(&s->plan);
    free(s->control_sent);
    free(s->event_log);
    s->event_log = NULL;
    s->nevent = 0;
    s->run = NULL;
    s->spec = NULL;
    s->robot_of_body = NULL;
    s->control_sent = NULL;
}

void ff_bench_unload(ff_bench_scene *s)
{
    clear_scene(s);
    ff_bench_load_clear(&s->source);
    ff_report_clear(&s->messages);
    *s = (ff_bench_scene){0};
}

// ------------------------------------------------------------------------------------------ loading

/// Records in memory the channels of the scene and those of a report. A scene without channels records only those of a
/// report. Contact points need many columns: with feet, their forces suffice.
static bool add_report_channels(const ff_scene_spec *scene, ff_record_options *record, ff_arena *arena)
{
    static const char *const report_channels[] = {
        "?q",       "?com.pos", "?energy", "?feet",    "?feet.*.cop", "?feet.*.moment", "?soles",
        "?balance", "?hands",   "?walk",   "?control", "?push",       "?joints.torque", "?contacts.points"};
    const int all = sizeof report_channels / sizeof *report_channels, count = scene->model->nleg > 0 ? all - 1 : all;
    const int previous = record->nchannel;
    const char **channels = FF_ARENA_NEW(arena, const char *, previous + count);
    if (!channels) return false;
    if (previous > 0) memcpy(channels, record->channels, (size_t)previous * sizeof *channels);
    memcpy(channels + previous, report_channels, (size_t)count * sizeof *report_channels);
    if (previous == 0) record->rate_hz = RECORD_RATE;
    record->channels = channels;
    record->nchannel = previous + count;
    record->most_bytes = FF_BENCH_RECORD_MAX;
    return true;
}

/// Reports why a run could not begin, at the place at the beginning of the text, if there is one.
static void report_failure(const char *path, const char *text, ff_report *messages)
{
    const size_t length = strlen(path);
    ff_place place = {path, 0, 0};
    int used = 0;
    if (strncmp(text, path, length) == 0)
        sscanf(text + length, ":%d:%d: %n", &place.line, &place.column,
               &used); // NOLINT(cert-err34-c): digits that this program wrote
    if (used > 0)
        text += length + (size_t)used;
    else
        place = (ff_place){path, 0, 0};
    ff_report_add(messages, FF_ERROR, place, "%s", text);
}

static ff_sim_action on_step(void *context, ff_sim *sim, double t);

/// Creates a run that is recorded and that the user can interact with; NULL with the reasons in `messages`.
static ff_run *begin(ff_workbench *b, const ff_scene_spec *scene, ff_report *messages)
{
    const ff_listener listener = {b, on_step};
    ff_arena arena = {0};
    ff_error err = {0};
    ff_run_options options = ff_run_options_default(scene);
    options.touchable = true;
    options.limited = true; // pages wait for this thread
    ff_run *run = NULL;
    if (add_report_channels(scene, &options.record, &arena))
        run = ff_run_create(scene, &options, messages);
    else
        report_failure(scene->path, "no memory for a recorder", messages);
    ff_arena_clear(&arena);
    if (!run) return NULL;
    ff_status status = ff_run_is_ready(run, &err);
    if (status == FF_OK) status = ff_sim_add_listener(run->sim, &listener, &err);
    if (status == FF_OK) status = ff_sim_evaluate(run->sim, FF_SIM_ACCELERATION, &err);
    if (status == FF_OK) {
        ff_run_advise(run, messages);
        return run;
    }
    report_failure(scene->path, err.text, messages);
    ff_run_destroy(run);
    return NULL;
}

static int robot_of(const ff_scene_spec *scene, int body)
{
    const int node = scene->model->bodies[body].node;
    const int vadr = node >= 0 ? scene->model->nodes[node].vadr : -1;
    for (int i = 0; i < scene->nrobot && vadr >= 0; i++)
        if (vadr >= scene->robots[i].vadr && vadr < scene->robots[i].vadr + scene->robots[i].nv) return i;
    return -1;
}

/// Fills the tables of the model that frames need. @return false: out of memory
static bool index_bodies(ff_bench_scene *s)
{
    const ff_scene_spec *scene = s->spec;
    const ff_model *m = scene->model;
    s->robot_of_body = calloc((size_t)m->nbody + 1, sizeof *s->robot_of_body);
    s->control_sent = calloc((size_t)scene->nrobot + 1, sizeof *s->control_sent);
    if (!s->robot_of_body || !s->control_sent) return false;
    for (int i = 0; i < m->nbody; i++) s->robot_of_body[i] = robot_of(scene, i);
    return ff_bench_plan_find(s);
}

/// A scene, and a run of it.
typedef struct loaded {
    const ff_scene_spec *scene; // NULL: none
    ff_run *run;
    ff_bench_twin twin;
} loaded;

static void unload(loaded *l)
{
    clear_twin(&l->twin);
    ff_run_destroy(l->run);
    ff_scene_destroy(l->scene);
    *l = (loaded){0};
}

/// Puts the robot of a file on a floor; if it cannot stand, it is shown without gravity.
static loaded begin_robot(ff_workbench *b, const char *path, const char *const *overrides, int noverride,
                          ff_report *messages)
{
    static const ff_single_robot attempts[] = {FF_SINGLE_STANDING, FF_SINGLE_WEIGHTLESS};
    loaded out = {0};
    for (int i = 0; !out.run && i < 2; i++) {
        ff_report of_robot = {0}, of_run = {0};
        out.scene = ff_scene_of_robot(path, attempts[i], NULL, overrides, noverride, &of_robot);
        if (out.scene) out.run = begin(b, out.scene, &of_run);
        if (!out.run) unload(&out);
        if (out.run || i == 1) ff_yaml_hand_over(&of_robot, messages);
        if (out.run)
            ff_yaml_hand_over(&of_run, messages);
        else if (i == 1)
            ff_scene_of_robot_errors(path, &of_run, messages);
        if (out.run && attempts[i] == FF_SINGLE_WEIGHTLESS)
            ff_report_add(messages, FF_NOTE, (ff_place){path, 0, 0},
                          "the robot cannot stand in this pose: it is shown without gravity");
        ff_report_clear(&of_robot);
        ff_report_clear(&of_run);
    }
    return out;
}

/// Adds the second robot of a run: the same text with additional overrides.
static bool add_twin(loaded *l, const ff_bench_load *from, const char *path, const char *text, size_t length,
                     const char *const *overrides, int noverride, ff_report *messages)
{
    ff_arena arena = {0};
    const char **all = FF_ARENA_NEW(&arena, const char *, noverride + from->ntwin + 1);
    for (int i = 0; all && i < noverride; i++) all[i] = overrides[i];
    for (int i = 0; all && i < from->ntwin; i++) all[noverride + i] = from->twin[i];
    if (all) l->twin.scene = ff_scene_parse(text, length, path, all, noverride + from->ntwin, messages);
    if (l->twin.scene) l->twin.twin = ff_twin_begin(l->run, l->twin.scene, messages);
    ff_arena_clear(&arena);
    return l->twin.twin != NULL;
}

static loaded begin_file(ff_workbench *b, const ff_bench_load *from, const char *path, bool *robot, ff_report *messages)
{
    ff_arena arena = {0};
    char *text = NULL;
    size_t length = 0;
    loaded out = {0};
    const char **overrides = FF_ARENA_NEW(&arena, const char *, from->nset + 1);
    int count = 0;
    if (from->variant && from->variant[0]) overrides[count++] = ff_arena_printf(&arena, "variant=%s", from->variant);
    for (int i = 0; i < from->nset; i++) overrides[count++] = from->set[i];
    text = ff_text_load(path, FF_BENCH_SOURCE_MAX, &length, (ff_place){path, 0, 0}, messages);
    *robot = text && !ff_scene_detect(text, length);
    if (*robot)
        out = begin_robot(b, path, overrides, count, messages);
    else if (text)
        out.scene = ff_scene_parse(text, length, path, overrides, count, messages);
    if (out.scene && !out.run) out.run = begin(b, out.scene, messages);
    if (out.run && from->has_twin && *robot)
        ff_report_add(messages, FF_WARNING, (ff_place){path, 0, 0}, "a robot file cannot have a twin: load a scene");
    else if (out.run && from->has_twin && !add_twin(&out, from, path, text, length, overrides, count, messages))
        unload(&out);
    if (!out.run) unload(&out);
    free(text);
    ff_arena_clear(&arena);
    return out;
}

/// Adds the unsaved texts of a page for files that the scene reads.
static bool add_unsaved(ff_workbench *b, const ff_bench_load *from, ff_error *err)
{
    for (int i = 0; i < from->nother; i++) {
        const char *text = from->others[2 * i + 1];
        char *path = ff_library_path(b, from->others[2 * i], err);
        if (!path) return false;
        const bool added = ff_bench_add_unsaved(b, path, text, strlen(text));
        free(path);
        if (added) continue;
        ff_error_set(err, FF_NO_MEMORY, "%s", ff_status_text(FF_NO_MEMORY));
        return false;
    }
    return true;
}

/// Parses the scene and creates a run; unsaved texts replace their files. @param robot  receives: it is a robot file
static loaded make(ff_workbench *b, const ff_bench_load *from, bool *robot, ff_report *messages, ff_error *err)
{
    char *path = add_unsaved(b, from, err) ? ff_library_path(b, from->path, err) : NULL;
    if (!path) return (loaded){0};
    if (from->text && !ff_bench_add_unsaved(b, path, from->text, from->length)) {
        free(path);
        ff_error_set(err, FF_NO_MEMORY, "%s", ff_status_text(FF_NO_MEMORY));
        return (loaded){0};
    }
    const loaded out = begin_file(b, from, path, robot, messages);
    if (!out.run) {
        if (messages->errors == 0) ff_error_set(err, FF_BAD_FILE, "%s cannot be loaded", from->path);
        ff_report_to_error(messages, FF_BAD_FILE, err);
    }
    free(path);
    return out;
}

/// Replaces the present scene.
static ff_status install(ff_workbench *b, loaded l, ff_error *err)
{
    ff_bench_scene *s = &b->scene;
    ff_bench_clear_frames(b);
    ff_saving_copy_all(b);
    ff_batching_cancel_next(b);
    const bool adopted = ff_certifying_adopt_scene(b, s->spec);
    clear_twin(&s->twin);
    ff_run_destroy(s->run);
    s->run = NULL;
    if (adopted) s->spec = NULL;
    clear_scene(s);
    s->spec = l.scene;
    s->run = l.run;
    s->twin = l.twin;
    s->starts++;
    s->running = s->fast_forward = s->finished = s->failed = s->recording_full = false;
    s->outcome[0] = 0;
    s->stop = INFINITY;
    s->rtf = s->elapsed = 0.0;
    s->stride = 1;
    b->changed = true;
    if (!index_bodies(s)) {
        clear_scene(s);
        return ff_error_set(err, FF_NO_MEMORY, "%s", ff_status_text(FF_NO_MEMORY));
    }
    for (int i = 0; i < FF_WORKBENCH_CLIENTS; i++)
        if (b->clients[i].connected) ff_watch_rebind(b, &b->clients[i]);
    ff_bench_find_cameras(b);
    b->control_due = true;
    return FF_OK;
}

/// Is the model too large for the event that sends it to pages?
static bool is_too_large(const ff_scene_spec *scene, const char *path, ff_error *err)
{
    const size_t most = (size_t)5 << 20;
    if (scene->model->nbody + scene->model->ngeom < 2000) return false; // about 500 bytes each
    char *text = ff_model_to_json(scene->model);
    const size_t length = text ? strlen(text) : most + 1;
    free(text);
    if (length > most)
        ff_error_set(err, FF_LIMIT, "%.200s has %d bodies and %d shapes, too many for a page: use `footfall run`", path,
                     scene->model->nbody, scene->model->ngeom);
    return length > most;
}

ff_status ff_bench_load_scene(ff_workbench *b, ff_bench_load *from, ff_report *messages, ff_error *err)
{
    ff_bench_scene *s = &b->scene;
    bool robot = false;
    ff_unsaved_texts previous = b->unsaved;
    b->unsaved = (ff_unsaved_texts){0};
    ff_bench_set_fence(b);
    loaded l = make(b, from, &robot, messages, err);
    if (l.run && is_too_large(l.scene, from->path, err)) unload(&l);
    if (!l.run) { // the previous scene continues, with its unsaved texts
        ff_unsaved_clear(&b->unsaved);
        b->unsaved = previous;
        ff_bench_set_fence(b);
        ff_bench_load_clear(from);
        return err->status ? err->status : FF_BAD_FILE;
    }
    ff_unsaved_clear(&previous);
    ff_bench_load_clear(&s->source);
    s->source = *from;
    s->single_robot = robot;
    s->pace = 1.0;
    s->generation = ++b->generation;
    ff_batching_stop(b);
    ff_report_clear(&s->messages);
    for (int i = 0; i < messages->count; i++) {
        const ff_message *m = &messages->messages[i];
        ff_report_add(&s->messages, m->severity, (ff_place){m->file, m->line, m->column}, "%s", m->text);
    }
    b->scene_due = b->state_due = true;
    return install(b, l, err);
}

ff_status ff_bench_reset(ff_workbench *b, ff_report *messages, ff_error *err)
{
    ff_bench_scene *s = &b->scene;
    bool robot = false;
    ff_bench_load source = s->source; // the unsaved texts of other files are still set
    source.text = NULL;
    source.nother = 0;
    const loaded l = make(b, &source, &robot, messages, err);
    if (!l.run) return err->status ? err->status : FF_BAD_FILE;
    b->state_due = true;
    const ff_status status = install(b, l, err);
    if (status == FF_OK && ff_bench_scene_hash(b) != b->scene_hash) { // a file has changed
        s->generation = ++b->generation;
        ff_batching_stop(b);
        b->scene_due = true;
    }
    return status;
}

// ------------------------------------------------------------------------------------------ running

/// Called after each step; after most steps it only compares a time and increments a counter.
static ff_sim_action on_step(void *context, ff_sim *sim, double t)
{
    ff_workbench *b = context;
    ff_bench_scene *s = &b->scene;
    (void)sim;
    if (t < s->due && ++s->steps % s->stride != 0) return FF_SIM_GO;
    if (t >= s->next_row) s->next_row = ff_watch_sample(b, t);
    s->due = ff_min(s->target, s->next_row);
    const double now = ff_bench_clock();
    const bool request_pending = atomic_load(&b->pending) && now >= s->interruptible_from;
    const bool slice_over = t >= s->target || request_pending || now >= s->slice_end || atomic_load(&b->quit);
    s->stopped_by_slice = slice_over;
    return slice_over ? FF_SIM_STOP : FF_SIM_GO;
}

static void set_anchor(ff_bench_scene *s, double now)
{
    s->clock_anchor = now;
    s->time_anchor = ff_sim_time(ff_run_sim(s->run));
}

ff_status ff_bench_run(ff_workbench *b, double pace, ff_error *err)
{
    ff_bench_scene *s = &b->scene;
    if (s->failed)
        return ff_error_set(err, FF_BAD_ARGUMENT, "the simulation cannot continue (%.300s): reset it", s->outcome);
    const double now = ff_bench_clock();
    s->running = true;
    s->fast_forward = false;
    s->pace = pace;
    s->stop = INFINITY;
    s->rtf_clock = now;
    s->rtf_time = ff_sim_time(ff_run_sim(s->run));
    b->next_slice = now;
    set_anchor(s, now);
    b->state_due = true;
    return FF_OK;
}

void ff_bench_pause(ff_workbench *b)
{
    b->scene.running = b->scene.fast_forward = false;
    b->scene.stop = INFINITY;
    b->changed = true;
    b->state_due = true;
}

static void fail(ff_workbench *b, ff_status status, const ff_error *err)
{
    ff_bench_scene *s = &b->scene;
    const bool stopped = status == FF_STOPPED; // requested by a callback of the scene
    s->failed = !stopped;
    snprintf(s->outcome, sizeof s->outcome, "%s: %.500s",
             status == FF_DIVERGED ? "diverged"
             : stopped             ? "stopped"
                                   : "failed",
             err->text);
    ff_bench_pause(b);
    ff_bench_notice(b, stopped ? FF_WARNING : FF_ERROR, NULL, 0, "The simulation %s", s->outcome);
}

/// Evaluates metrics and expectations at the end of the scene.
static void finish(ff_workbench *b)
{
    ff_bench_scene *s = &b->scene;
    const ff_result *result = ff_run_result(s->run);
    ff_error err = {0};
    int met = 0;
    s->finished = true;
    if (ff_run_evaluate(s->run, FF_OK, &err) != FF_OK) {
        fail(b, err.status, &err);
        return;
    }
    snprintf(s->outcome, sizeof s->outcome, "finished");
    if (s->pace == 0.0 && !s->fast_forward) ff_bench_pause(b);
    b->state_due = true;
    for (int i = 0; i < result->nexpectation; i++) met += result->expectations[i].met;
    if (result->nexpectation > 0)
        ff_bench_notice(b, result->passed ? FF_NOTE : FF_WARNING, NULL, 0,
                        "The scene ends at %g s: %d of %d expectations are met.", s->spec->time, met,
                        result->nexpectation);
}

/// Time up to which a run or step may go. A step ends exactly at the end of the scene, as in `footfall run`.
static double horizon(const ff_bench_scene *s)
{
    return s->finished ? ENDLESS : s->spec->time;
}

static void handle_result(ff_workbench *b, ff_status status, const ff_error *err)
{
    ff_bench_scene *s = &b->scene;
    const double t = ff_sim_time(ff_run_sim(s->run));
    b->changed = true;
    if (status != FF_OK && !(status == FF_STOPPED && s->stopped_by_slice))
        fail(b, status, err);
    else if (!s->finished && t >= s->spec->time)
        finish(b);
    if (s->running && t >= s->stop) {
        if (t > s->requested_stop + 1e3 * ROUNDING)
            ff_bench_notice(b, FF_NOTE, NULL, 0,
                            "Paused at %.9g s, where the first step at or beyond %.9g s ends: steps are not cut.", t,
                            s->requested_stop);
        ff_bench_pause(b);
    }
    if (!s->recording_full && ff_run_recorder(s->run) && ff_recorder_is_full(ff_run_recorder(s->run))) {
        s->recording_full = true;
        b->state_due = true;
        ff_bench_notice(b, FF_WARNING, NULL, 0,
                        "The recording is full at %.6g s (%zu MB): recording has stopped. Reset to restart it.",
                        ff_bench_recorded_time(s), FF_BENCH_RECORD_MAX >> 20);
    }
}

/// Sends lines that scripts printed and their failures to the pages.
static void report_messages(ff_workbench *b)
{
    enum { MOST = 8 }; // notices at once: a script that prints in every cycle must not flood the page
    ff_report found = {0};
    ff_run_report_news(b->scene.run, &found);
    const int shown = found.count > MOST + 1 ? MOST : found.count;
    for (int i = 0; i < found.count; i++) {
        const ff_message *m = &found.messages[i];
        if (i < shown || m->severity == FF_ERROR) ff_bench_notice(b, m->severity, m->file, m->line, "%s", m->text);
    }
    if (shown < found.count) ff_bench_notice(b, FF_NOTE, NULL, 0, "and %d more messages", found.count - shown);
    ff_report_clear(&found);
}

static void measure_pace(ff_bench_scene *s, double now)
{
    if (now - s->rtf_clock < 0.5) return;
    const double t = ff_sim_time(ff_run_sim(s->run));
    s->rtf = (t - s->rtf_time) / (now - s->rtf_clock);
    s->rtf_clock = now;
    s->rtf_time = t;
}

static double choose_target(ff_bench_scene *s, double now)
{
    const double t = ff_sim_time(ff_run_sim(s->run));
    if (s->pace == 0.0 || s->fast_forward) return s->stop;
    double target = s->time_anchor + s->pace * (now - s->clock_anchor);
    if (target - t > s->pace * LAG_MAX) {
        set_anchor(s, now);
        target = t + s->pace * FRAME_TIME;
    }
    return ff_min(target, s->stop);
}

void ff_bench_run_slice(ff_workbench *b)
{
    ff_bench_scene *s = &b->scene;
    const double slice_begin = ff_bench_clock();
    ff_error err = {0};
    if (!s->running || !s->spec || slice_begin < b->next_slice) return;
    b->next_slice = s->pace == 0.0 || s->fast_forward ? slice_begin : ff_max(b->next_slice + FRAME_TIME, slice_begin);
    s->target = choose_target(s, slice_begin);
    if (s->target > ff_sim_time(ff_run_sim(s->run))) {
        s->slice_end = slice_begin + FRAME_TIME;
        s->interruptible_from = slice_begin + MIN_SLICE;
        s->due = ff_min(s->target, s->next_row);
        s->steps = 0;
        s->stopped_by_slice = false;
        const long long previous = ff_sim_get_counts(ff_run_sim(s->run)).steps;
        const ff_status status = ff_sim_run(ff_run_sim(s->run), horizon(s), &err);
        const double duration = ff_bench_clock() - slice_begin;
        const double step_time = duration / (double)(ff_sim_get_counts(ff_run_sim(s->run)).steps - previous + 1);
        s->stride =
            step_time > 0.0 && step_time < CLOCK_PERIOD ? (unsigned)ff_min(CLOCK_PERIOD / step_time, 1000.0) : 1U;
        s->elapsed += duration;
        if (ff_sim_time(ff_run_sim(s->run)) < s->target)
            b->next_slice = slice_begin; // interrupted by a request, or too slow
        handle_result(b, status, &err);
    }
    const double now = ff_bench_clock();
    measure_pace(s, now);
    if (now >= s->next_messages || !s->running) {
        s->next_messages = now + 0.25;
        report_messages(b);
        b->control_due = true; // commands of the scene may have changed
    }
    if (ff_bench_clock() >= b->next_state) b->state_due = true;
    ff_bench_send_due_events(b);
}

ff_status ff_bench_step(ff_workbench *b, double seconds, ff_error *err)
{
    ff_bench_scene *s = &b->scene;
    ff_error problem = {0};
    const ff_status status = ff_bench_run(b, s->pace, err);
    if (status != FF_OK) return status;
    if (!isnan(seconds)) {
        s->fast_forward = true;
        s->requested_stop = ff_sim_time(ff_run_sim(s->run)) + seconds;
        s->stop = s->requested_stop - ROUNDING; // 0.1 + 0.2 is beyond 0.3: a step that ends there is the last one
        return FF_OK;
    }
    s->due = s->target = INFINITY;
    s->slice_end = s->interruptible_from = INFINITY;
    s->stopped_by_slice = true; // a single step may be stopped by the listener
    const ff_status stepped = ff_sim_step(ff_run_sim(s->run), horizon(s), &problem);
    ff_bench_pause(b);
    handle_result(b, stepped, &problem);
    report_messages(b);
    if (!s->failed) return FF_OK;
    return ff_error_set(err, stepped, "%s", s->outcome);
}

double ff_bench_next_due(const ff_workbench *b)
{
    const double frame = b->changed && b->scene.spec && b->nclient > 0 ? b->next_frame : INFINITY;
    return b->scene.running && b->scene.spec ? ff_min(frame, b->next_slice) : frame;
}

void ff_bench_send_due_events(ff_workbench *b)
{
    if (b->scene_due) {
        char *text = ff_bench_scene_event(b);
        b->scene_hash = ff_bench_scene_hash(b);
        ff_bench_send_all(b, text);
    }
    if (b->state_due) ff_bench_send_state(b);
    if (b->control_due) ff_bench_send_control(b); // after the state: a page that gets a reset clears its commands
    b->scene_due = b->state_due = b->control_due = false;
}
