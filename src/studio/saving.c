// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Saves the simulation since the last reset as a folder out/NAME, as `footfall run --report` does: run.h5,
// summary.json, report.html. The summary lists the interactions of the user.
//
//     request -> copy of summary, events and channels -> copy of rows, a portion after each slice of the simulation
//         -> a thread writes the files -> answer
//
// The thread works on copies, so that the simulation can go on or end while it writes. One run is saved at a time.
#include "workbench_inner.h"

#include "record/record.h"
#include "run/assembly.h"

#include <footfall/studio.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// Folder of a new run, in the arena; NULL with the reason in `err`.
static const char *make_folder(const ff_workbench *b, const char *name, ff_arena *arena, ff_error *err)
{
    struct stat info;
    const char *out = ff_arena_printf(arena, "%s/out", b->root);
    const char *folder = out ? ff_arena_printf(arena, "%s/%s", out, name) : NULL;
    if (!folder) {
        ff_error_set(err, FF_NO_MEMORY, "%s", ff_status_text(FF_NO_MEMORY));
        return NULL;
    }
    if ((mkdir(out, 0777) != 0 && errno != EEXIST) || lstat(out, &info) != 0 || !S_ISDIR(info.st_mode)) {
        ff_error_set(err, FF_BAD_FILE, "the folder out cannot be created");
        return NULL;
    }
    if (mkdir(folder, 0777) == 0) return folder;
    ff_error_set(err, FF_BAD_ARGUMENT,
                 errno == EEXIST ? "out/%.100s exists already: choose another name" : "out/%.100s cannot be created",
                 name);
    return NULL;
}

/// Overrides of the scene, and interactions of the user.
static const char *describe_changes(const ff_workbench *b, ff_arena *arena)
{
    const ff_bench_scene *s = &b->scene;
    const char *list =
        s->source.variant && s->source.variant[0] ? ff_arena_printf(arena, "variant=%s", s->source.variant) : "";
    for (int i = 0; list && i < s->source.nset; i++)
        list = ff_arena_printf(arena, "%s%s%s", list, list[0] ? "; " : "", s->source.set[i]);
    for (int i = 0; list && i < s->source.ntwin; i++)
        list = ff_arena_printf(arena, "%s%stwin %s", list, list[0] ? "; " : "", s->source.twin[i]);
    if (list && s->source.text) list = ff_arena_printf(arena, "%s%sedited text", list, list[0] ? "; " : "");
    if (list && s->event_log) list = ff_arena_printf(arena, "%s%s%s", list, list[0] ? "; " : "", s->event_log);
    return list ? list : "";
}

enum { WARNINGS_MOST = FF_REPORT_MAX + 4 };

static int list_warnings(const ff_workbench *b, const char **out, ff_arena *arena)
{
    const ff_bench_scene *s = &b->scene;
    const double t = ff_sim_time(ff_run_sim(s->run));
    ff_report found = {0};
    int n = 0;
    if (s->finished && t > s->spec->time)
        out[n++] = ff_arena_printf(arena, "metrics are those at %g s, where the scene ends; the recording goes on",
                                   s->spec->time);
    if (!s->finished)
        out[n++] = ff_arena_printf(
            arena, "saved at %g s, before the scene ends at %g s: expectations are not evaluated", t, s->spec->time);
    if (s->recording_full)
        out[n++] = ff_arena_printf(arena, "the recording reached its size limit at %g s", ff_bench_recorded_time(s));
    ff_run_report_limits(s->run, &found);
    for (int i = 0; i < found.count && n < WARNINGS_MOST; i++) {
        char line[1024];
        if (found.messages[i].severity == FF_NOTE) continue;
        ff_message_format(&found.messages[i], line, sizeof line);
        out[n++] = ff_arena_strdup(arena, line);
    }
    ff_report_clear(&found);
    for (int i = 0; i < n; i++)
        if (!out[i]) out[i] = "";
    return n;
}

/// Does the last certificate belong to this run, from its start to its end, without interactions?
static bool is_certified(const ff_workbench *b)
{
    const ff_bench_scene *s = &b->scene;
    return b->certificate && b->certificate_generation == s->generation && s->finished && !s->failed && !s->event_log;
}

static char *make_summary(ff_workbench *b, ff_arena *arena)
{
    const ff_bench_scene *s = &b->scene;
    const ff_scene_spec *scene = s->spec;
    char text[700];
    const char *warnings[WARNINGS_MOST];
    ff_error reason = {0};
    if (!s->finished) ff_run_evaluate(s->run, FF_STOPPED, NULL);
    ff_status status = s->failed ? FF_SOLVER : s->finished ? FF_OK : FF_STOPPED;
    snprintf(reason.text, sizeof reason.text, "%.500s", s->failed ? s->outcome : "saved in the studio");
    reason.status = status;
    ff_summary summary = ff_summary_make(ff_run_sim(s->run), status, &reason, s->elapsed, text, sizeof text);
    if (status != FF_OK) summary.outcome = s->failed ? s->outcome : "stopped: saved in the studio";
    summary.metrics = ff_run_result(s->run)->metrics;
    summary.nmetric = ff_run_result(s->run)->nmetric;
    summary.effects = scene->effects;
    summary.neffect = scene->neffect;
    summary.warnings = warnings;
    summary.nwarning = list_warnings(b, warnings, arena);
    if (s->finished) summary.expectations = ff_run_verdicts(s->run, arena, &summary.nexpectation);
    if (is_certified(b)) summary.certificate = b->certificate;
    return ff_summary_to_json(&summary);
}

// ------------------------------------------------------------------------------------------ the thread

static const size_t PORTION = (size_t)4 << 20; // rows copied at a time, which takes about a millisecond  [byte]

enum { FILES = 4 }; // of a run

struct ff_bench_saving {
    ff_workbench *bench;      // to wake it
    ff_bench_request request; // to be answered
    ff_arena arena;           // of the texts below
    ff_text_fence fence;
    const char *name, *folder, *files[FILES];
    const char *bands; // NULL: without a certificate
    ff_record_info info;
    char *summary;
    ff_recorder *recorder; // a copy that is independent of the simulation
    double time;           // of the last row  [s]
    bool started;          // all rows are copied, and the thread has started
    pthread_t thread;
    ff_status status;
    ff_error err;
};

static ff_status write_text(const char *path, const char *text, ff_error *err)
{
    FILE *file = fopen(path, "w");
    bool ok = file && fputs(text, file) >= 0;
    if (file) ok = fclose(file) == 0 && ok;
    return ok ? FF_OK : ff_error_set(err, FF_NOT_WRITTEN, "%s: cannot write the summary: %s", path, strerror(errno));
}

static ff_status write_report(const char *folder, const char *page, ff_error *err)
{
    if (!ff_studio_has_pages()) return FF_OK;
    ff_recording *recording = ff_recording_open(folder, err);
    if (!recording) return err->status;
    const ff_status status = ff_studio_write_report(recording, NULL, page, NULL, err);
    ff_recording_close(recording);
    return status;
}

/// Removes the files of a run that could not be saved completely.
static void remove_run(const char *folder, const char *const *files, int count)
{
    for (int i = 0; i < count; i++)
        if (files[i]) unlink(files[i]);
    rmdir(folder);
}

static void *write_run(void *context)
{
    ff_bench_saving *s = context;
    ff_text_set_fence(&s->fence);
    s->status = ff_recorder_save_hdf5(s->recorder, s->files[0], &s->info, &s->err);
    if (s->status == FF_OK) s->status = write_text(s->files[1], s->summary, &s->err);
    if (s->status == FF_OK && s->bands) s->status = write_text(s->files[3], s->bands, &s->err);
    if (s->status == FF_OK) s->status = write_report(s->folder, s->files[2], &s->err);
    if (s->status != FF_OK) remove_run(s->folder, s->files, FILES);
    ff_text_set_fence(NULL);
    ff_bench_wake(s->bench, &s->bench->saving_done);
    return NULL;
}

// ------------------------------------------------------------------------------------------ requests and answers

static void drop(ff_bench_saving *s)
{
    if (!s) return;
    ff_recorder_destroy(s->recorder);
    free(s->summary);
    ff_arena_clear(&s->arena);
    free(s);
}

bool ff_saving_copy(ff_workbench *b)
{
    ff_bench_saving *s = b->saving;
    if (!s || s->started) return false;
    if (ff_recorder_copy_rows(s->recorder, ff_run_recorder(b->scene.run), PORTION)) return true;
    s->started = true;
    if (pthread_create(&s->thread, NULL, write_run, s) == 0) return false;
    ff_error_set(&s->err, FF_NO_MEMORY, "no thread to save the run: %s", strerror(errno));
    remove_run(s->folder, s->files, FILES);
    ff_bench_answer(b, &s->request, s->err.status, &s->err);
    drop(s);
    b->saving = NULL;
    return false;
}

void ff_saving_copy_all(ff_workbench *b)
{
    while (ff_saving_copy(b)) continue;
}

void ff_saving_answer(ff_workbench *b)
{
    ff_bench_saving *s = b->saving;
    if (!s) return;
    pthread_join(s->thread, NULL);
    ff_json *answer = &s->request.answer;
    if (s->status == FF_OK) {
        char path[FF_BENCH_PATH];
        snprintf(path, sizeof path, "out/%s", s->name);
        ff_json_text(answer, "path", path);
        ff_json_text(answer, "name", s->name);
        ff_json_number(answer, "time", s->time);
        ff_json_bool(answer, "report", ff_studio_has_pages());
    }
    ff_bench_answer(b, &s->request, s->status, &s->err);
    drop(s);
    b->saving = NULL;
}

void ff_saving_end(ff_workbench *b)
{
    ff_bench_saving *s = b->saving;
    if (!s) return;
    if (s->started)
        pthread_join(s->thread, NULL);
    else
        remove_run(s->folder, s->files, FILES);
    ff_bench_request_drop(&s->request);
    drop(s);
    b->saving = NULL;
}

/// Copies everything that the thread will need; the rows are copied later.
static ff_status prepare(ff_workbench *b, ff_bench_saving *s, const char *name, ff_error *err)
{
    ff_arena *arena = &s->arena;
    s->bench = b;
    s->fence.root = ff_arena_strdup(arena, b->root);
    s->name = ff_arena_strdup(arena, name);
    s->time = ff_bench_recorded_time(&b->scene);
    s->info = (ff_record_info){.version = FF_VERSION,
                               .scene = ff_arena_strdup(arena, b->scene.spec->text),
                               .path = ff_arena_strdup(arena, b->scene.source.path),
                               .changes = describe_changes(b, arena)};
    s->recorder = ff_recorder_detach(ff_run_recorder(b->scene.run), err);
    if (!s->recorder) return err->status;
    char *events = ff_run_list_events(b->scene.run);
    ff_recorder_set_events(s->recorder, events);
    free(events);
    s->summary = make_summary(b, arena);
    if (is_certified(b)) s->bands = ff_arena_strdup(arena, b->bands);
    s->folder = s->summary && s->info.scene && s->info.path && s->fence.root && s->name
                    ? make_folder(b, name, arena, err)
                    : NULL;
    if (!s->folder) return err->status ? err->status : ff_error_set(err, FF_NO_MEMORY, "no memory to save the run");
    static const char *const files[FILES] = {"run.h5", "summary.json", "report.html", "bands.json"};
    for (int i = 0; i < FILES; i++)
        if (!(s->files[i] = ff_arena_printf(arena, "%s/%s", s->folder, files[i])))
            return ff_error_set(err, FF_NO_MEMORY, "no memory to save the run");
    return FF_OK;
}

ff_status ff_bench_keep(ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    const char *name = ff_bench_text(q, "name");
    if (!ff_run_name_is_valid(name))
        return ff_error_set(
            err, FF_BAD_ARGUMENT,
            "'%.60s' is not a valid name of a run: expected up to 100 letters, digits, '-', '_', '.' and blanks", name);
    if (ff_recorder_rows(ff_run_recorder(b->scene.run)) == 0)
        return ff_error_set(err, FF_BAD_ARGUMENT, "nothing has been simulated yet");
    if (b->saving)
        return ff_error_set(err, FF_LIMIT, "out/%.100s is being written: save this run when it is done",
                            b->saving->name);
    ff_bench_saving *saving = calloc(1, sizeof *saving);
    if (!saving) return ff_error_set(err, FF_NO_MEMORY, "%s", ff_status_text(FF_NO_MEMORY));
    const ff_status status = prepare(b, saving, name, err);
    if (status != FF_OK) {
        if (saving->folder) rmdir(saving->folder);
        drop(saving);
        return status;
    }
    saving->request = *q;
    q->deferred = true;
    b->saving = saving;
    return FF_OK;
}
