// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What was simulated since the last reset becomes a folder out/NAME as `footfall run --report` leaves one: run.h5, summary.json, report.html. What was done by hand is told with it.
#include "bench.h"

#include "scene/events.h"

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
        ff_error_set(err, FF_BAD_FILE, "there is no folder out, and none can be made");
        return NULL;
    }
    if (mkdir(folder, 0777) == 0) return folder;
    ff_error_set(err, FF_BAD_ARGUMENT,
                 errno == EEXIST ? "out/%.100s is there already: choose another name" : "out/%.100s cannot be made",
                 name);
    return NULL;
}

/// Values of the scene that differed, and what was done by hand.
static const char *tell_changes(const ff_workbench *b, ff_arena *arena)
{
    const ff_bench_stage *s = &b->stage;
    const char *list =
        s->from.variant && s->from.variant[0] ? ff_arena_printf(arena, "variant=%s", s->from.variant) : "";
    for (int i = 0; list && i < s->from.nset; i++)
        list = ff_arena_printf(arena, "%s%s%s", list, list[0] ? "; " : "", s->from.set[i]);
    if (list && s->from.text) list = ff_arena_printf(arena, "%s%sits text was edited", list, list[0] ? "; " : "");
    if (list && s->story) list = ff_arena_printf(arena, "%s%s%s", list, list[0] ? "; " : "", s->story);
    return list ? list : "";
}

enum { WARNINGS_MOST = FF_REPORT_MAX + 4 };

static int list_warnings(const ff_workbench *b, const char **out, ff_arena *arena)
{
    const ff_bench_stage *s = &b->stage;
    const double t = ff_sim_time(s->scene->sim);
    ff_report found = {0};
    int n = 0;
    if (s->finished && t > s->scene->time)
        out[n++] = ff_arena_printf(arena, "metrics are those at %g s, where the scene ends; the recording goes on",
                                   s->scene->time);
    if (!s->finished)
        out[n++] = ff_arena_printf(arena, "kept at %g s, before the scene ends at %g s: expectations are not judged", t,
                                   s->scene->time);
    if (s->full) out[n++] = ff_arena_printf(arena, "the recording was full at %g s", ff_stage_recorded(s));
    ff_scene_tell_limits(s->scene, &found);
    for (int i = 0; i < found.count && n < WARNINGS_MOST; i++) {
        char line[1024];
        if (found.messages[i].severity != FF_WARNING) continue;
        ff_message_format(&found.messages[i], line, sizeof line);
        out[n++] = ff_arena_strdup(arena, line);
    }
    ff_report_clear(&found);
    for (int i = 0; i < n; i++)
        if (!out[i]) out[i] = "";
    return n;
}

static ff_status write_summary(ff_workbench *b, const char *path, ff_arena *arena, ff_error *err)
{
    const ff_bench_stage *s = &b->stage;
    ff_scene *scene = s->scene;
    char text[700];
    const char *warnings[WARNINGS_MOST];
    ff_error why = {0};
    if (!s->finished) ff_scene_judge(scene, false);
    ff_status status = s->finished ? FF_OK : s->failed ? FF_SOLVER : FF_STOPPED;
    snprintf(why.text, sizeof why.text, "%.500s", s->failed ? s->outcome : "kept by hand");
    why.status = status;
    ff_summary summary = ff_summary_make(scene->sim, status, &why, s->wall, text, sizeof text);
    if (!s->finished) summary.outcome = s->failed ? s->outcome : "stopped: kept by hand";
    summary.metrics = scene->metrics;
    summary.nmetric = scene->nmetric;
    summary.effects = scene->effects;
    summary.neffect = scene->neffect;
    summary.warnings = warnings;
    summary.nwarning = list_warnings(b, warnings, arena);
    if (s->finished) summary.expectations = ff_scene_verdicts(scene, arena, &summary.nexpectation);
    return ff_summary_write(&summary, path, err);
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

/// Takes back what was written of a run that could not be saved whole.
static void remove_run(const char *folder, const char *const *files, int count)
{
    for (int i = 0; i < count; i++)
        if (files[i]) unlink(files[i]);
    rmdir(folder);
}

ff_status ff_bench_keep(ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    const char *name = ff_bench_need_text(q, "name");
    ff_status status = name ? ff_stage_need(b, err) : ff_bench_refuse(q, err);
    if (status != FF_OK) return status;
    if (!ff_run_name_fits(name))
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "'%.60s' is no name for a run: up to 100 letters, digits, '-', '_', '.' and blanks", name);
    if (ff_recorder_rows(b->stage.scene->recorder) == 0)
        return ff_error_set(err, FF_BAD_ARGUMENT, "nothing has been simulated yet");
    ff_arena arena = {0};
    const char *folder = make_folder(b, name, &arena, err);
    if (!folder) {
        ff_arena_clear(&arena);
        return err->status;
    }
    const char *files[3] = {ff_arena_printf(&arena, "%s/run.h5", folder),
                            ff_arena_printf(&arena, "%s/summary.json", folder),
                            ff_arena_printf(&arena, "%s/report.html", folder)};
    const ff_record_info info = {.version = FF_VERSION,
                                 .scene = b->stage.scene->text,
                                 .path = b->stage.from.path,
                                 .changes = tell_changes(b, &arena)};
    if (!files[0] || !files[1] || !files[2])
        status = ff_error_set(err, FF_NO_MEMORY, "%s", ff_status_text(FF_NO_MEMORY));
    if (status == FF_OK) ff_scene_hand_over_events(b->stage.scene);
    if (status == FF_OK) status = ff_recorder_save_hdf5(b->stage.scene->recorder, files[0], &info, err);
    if (status == FF_OK) status = write_summary(b, files[1], &arena, err);
    if (status == FF_OK) status = write_report(folder, files[2], err);
    if (status == FF_OK) {
        const char *path = ff_arena_printf(&arena, "out/%s", name);
        ff_json_text(&q->answer, "path", path);
        ff_json_text(&q->answer, "name", name);
        ff_json_number(&q->answer, "time", ff_stage_recorded(&b->stage));
        ff_json_bool(&q->answer, "report", ff_studio_has_pages());
    } else {
        remove_run(folder, files, 3);
    }
    ff_arena_clear(&arena);
    return status;
}
