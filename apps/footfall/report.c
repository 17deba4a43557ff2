// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall report`: a run as one HTML file that opens from disk.
#include "run_report.h"

#include "commands.h"
#include "files.h"
#include "terminal.h"

#include <math.h>
#include <string.h>

typedef struct report_target {
    text_list operands;
    const char *out;
} report_target;

static const double rate_alone = 100.0; // of scenes that record nothing by default: smooth in a replay  [Hz]

bool report_widen(const ff_scene_spec *scene, ff_record_options *record, ff_arena *arena, ff_error *err)
{
    static const char *const wanted[] = {"q", "com.pos", "energy", "feet", "walk"};
    const int legs = ff_scene_has_contacts(scene) ? 2 : 1; // without contacts there are no feet
    const int count = 3 + (scene->model->nleg > 0 ? legs : 0), before = record->nchannel;
    if (!ff_studio_has_pages())
        return !ff_error_set(err, FF_NOT_BUILT,
                             "--report: this build has no report page: it needs Node 18 and npm when it is built, and "
                             "FOOTFALL_STUDIO=ON");
    const char **channels = FF_ARENA_NEW(arena, const char *, before + count);
    if (!channels) return !ff_error_set(err, FF_NO_MEMORY, "no memory for the channels of a report");
    if (before > 0) memcpy(channels, record->channels, (size_t)before * sizeof *channels);
    memcpy(channels + before, wanted,
           (size_t)count * sizeof *channels); // what is recorded already is not recorded twice
    if (before == 0) record->rate_hz = rate_alone;
    record->channels = channels;
    record->nchannel = before + count;
    return true;
}

static void remark(const char *path, const char *text)
{
    print_message(path, STYLE_WARN, text);
}

void report_cut_short(const ff_recording *recording)
{
    const char *what = ff_recording_was_stopped(recording)
                           ? "the run did not come to its end: it was stopped or failed"
                           : "the run did not end: the program was killed or could not write on";
    double last = NAN;
    const int time = ff_recording_find(recording, "time");
    const long long rows = ff_recording_rows(recording);
    if (ff_recording_has_ended(recording) && !ff_recording_was_stopped(recording)) return;
    char text[160];
    if (rows > 0 && ff_recording_read(recording, time, rows - 1, 1, 1, &last, NULL) == FF_OK)
        snprintf(text, sizeof text, "%s; %lld rows, up to %g s", what, rows, last);
    else
        snprintf(text, sizeof text, "%s, and no row was kept", what);
    remark(ff_recording_path(recording), text);
}

/// Is it a recording of `footfall control --twin`? It has I/O frames, which have no replay.
static bool is_of_controller(const ff_recording *recording)
{
    static const char lead[] = "references.";
    for (int i = 0; i < ff_recording_channel_count(recording); i++)
        if (strncmp(ff_recording_channel_at(recording, i)->name, lead, sizeof lead - 1) == 0) return true;
    return false;
}

bool report_write(const char *run, const char *path, ff_error *err)
{
    ff_studio_facts facts;
    ff_recording *recording = ff_recording_open(run, err);
    if (!recording) return false;
    const bool ok = ff_studio_write_report(recording, NULL, path, &facts, err) == FF_OK;
    if (ok) report_cut_short(recording);
    if (ok && !facts.summary)
        remark(ff_recording_path(recording), "no summary.json beside it: the report has no metrics and no verdict");
    if (ok && !facts.poses && !is_of_controller(recording))
        remark(ff_recording_path(recording), "neither q nor bodies.*.quat were recorded: the report has no replay; "
                                             "`footfall run --report` records them");
    ff_recording_close(recording);
    return ok;
}

// The folder as it is, or the folder of the file.
static const char *default_path(const char *run, ff_arena *arena)
{
    const size_t length = strlen(run);
    const bool file = length > 3 && strcmp(run + length - 3, ".h5") == 0;
    const char *slash = strrchr(run, '/');
    if (!file) return ff_arena_printf(arena, "%s%sreport.html", run, length > 0 && run[length - 1] == '/' ? "" : "/");
    return ff_arena_printf(arena, "%.*sreport.html", slash ? (int)(slash - run) + 1 : 0, run);
}

static int report_main(const command *self, void *options, ff_arena *arena)
{
    const report_target *target = options;
    const char *run = target->operands.items[0];
    ff_error err = {0};
    if (target->out && has_other_content(target->out, "<!doctype html>"))
        return usage_error(self, "--out %s is there, and is no report: it would be lost; name another", target->out);
    const char *path = target->out ? target->out : default_path(run, arena);
    if (path && report_write(run, path, &err)) {
        print_escaped(stdout, "%s\n", path);
        return EXIT_FINE;
    }
    print_message(NULL, STYLE_BAD, path ? err.text : ff_status_text(FF_NO_MEMORY));
    return exit_of(err.status);
}

const command report_command = {
    .name = "report",
    .synopsis = "RUN [-o FILE]",
    .summary = "make a page of a run: verdict, plots, gait, 3-D replay",
    .description = "RUN is the folder that `footfall run` left, or its run.h5. The page is one file that opens from "
                   "disk, without a server or a network: verdict and metrics, plots, gait diagram, forces of the feet, "
                   "energy ledger, support polygon, events and a replay in 3-D. It shows what was recorded; `footfall "
                   "run --report` records what it needs. Recordings too long for 10 MiB of numbers are thinned evenly, "
                   "and the page says so.",
    .examples = "  footfall run experiments/anton-march.yaml --report\n"
                "      records, and leaves out/anton-march/report.html\n"
                "  footfall report out/tumble -o tumble.html\n",
    OPTIONS(OPTION(report_target, out, "out", TEXT, "FILE",
                   "The page; without it report.html beside the recording. -o FILE is the same")),
    .operands = {1, 1, "RUN, the folder of a run or its run.h5,"},
    ZERO_PRESET(report_target),
    .run = report_main,
};
