// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall plot`: channels of a recording as a figure for print, by gnuplot. Without channels it lists what was
// recorded.
#include "plot.h"

#include "commands.h"
#include "files.h"
#include "run_report.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct plot_target {
    text_list operands;
    const char *out;
    const char *against;
    double from, to;
    const char *title;
} plot_target;

static int list_channels(const ff_recording *recording)
{
    for (int i = 0; i < ff_recording_channel_count(recording); i++) {
        const ff_recording_channel *c = ff_recording_channel_at(recording, i);
        printf("%-36s [%s]", c->name, c->unit);
        for (int k = 0; c->width > 1 && k < c->width; k++) printf("%s%s", k ? " " : "  ", c->columns[k]);
        printf("\n");
    }
    return EXIT_FINE;
}

/// Format of a figure by the ending of its path. @return false: the ending is another one
static bool format_of(const char *path, plot_format *out)
{
    static const char *const endings[] = {[PLOT_SVG] = ".svg", [PLOT_PNG] = ".png", [PLOT_PDF] = ".pdf"};
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && i < 3; i++) {
        if (strcasecmp(dot, endings[i]) != 0) continue;
        *out = (plot_format)i;
        return true;
    }
    return false;
}

/// The bytes with which figures of a format begin.
static const char *head_of(plot_format format)
{
    static const char *const heads[] = {[PLOT_SVG] = "<?xml", [PLOT_PNG] = PNG_HEAD, [PLOT_PDF] = "%PDF-"};
    return heads[format];
}

/// Path of a file `name` in the folder of another file.
static const char *beside(const char *file, const char *name, ff_arena *arena)
{
    const char *slash = strrchr(file, '/');
    return ff_arena_printf(arena, "%.*s%s", slash ? (int)(slash - file) + 1 : 0, file, name);
}

static int complain(const char *file, const ff_error *err)
{
    print_message(file, STYLE_BAD, err->text);
    return exit_of(err->status);
}

static bool choose(plot_figure *figure, const plot_target *target, ff_error *err)
{
    for (int i = 1; i < target->operands.count; i++)
        if (!plot_choose(&figure->panels[figure->count++], figure->recording, target->operands.items[i], err))
            return false;
    if (target->against && !plot_choose_one(&figure->x, figure->recording, target->against, err)) return false;
    return plot_choose_rows(figure, target->from, target->to, err);
}

static int plot_recording(const command *self, const plot_target *target, const ff_recording *recording,
                          ff_arena *arena)
{
    plot_figure *figure = FF_ARENA_NEW(arena, plot_figure, 1);
    ff_error err = {0};
    const char *path = target->out ? target->out : beside(ff_recording_path(recording), "plot.svg", arena);
    if (!figure || !path) {
        ff_error_set(&err, FF_NO_MEMORY, "no memory for a figure");
        return complain(NULL, &err);
    }
    if (!format_of(path, &figure->format))
        return usage_error(self, "--out %s: the name must end in .svg, .png or .pdf", path);
    if (target->out && has_other_content(path, head_of(figure->format)))
        return usage_error(self, "--out %s is there, and is no figure: it would be lost; name another", path);
    figure->recording = recording;
    figure->against = target->against != NULL;
    figure->title = target->title;
    if (!choose(figure, target, &err) || plot_draw(figure, path, &err) != FF_OK)
        return complain(ff_recording_path(recording), &err);
    print_escaped(stdout, "%s\n", path);
    return EXIT_FINE;
}

static int plot(const command *self, void *options, ff_arena *arena)
{
    const plot_target *target = options;
    if (target->operands.count - 1 > PLOT_PANELS)
        return usage_error(
            self, "%d panels, and a page holds %d at most: write CHANNEL,CHANNEL to draw several channels in one panel",
            target->operands.count - 1, PLOT_PANELS);
    if (target->from > target->to)
        return usage_error(self, "--from %g s lies behind --to %g s", target->from, target->to);
    ff_error err = {0};
    ff_recording *recording = ff_recording_open(target->operands.items[0], &err);
    if (!recording) return complain(NULL, &err);
    report_cut_short(recording);
    const int code =
        target->operands.count == 1 ? list_channels(recording) : plot_recording(self, target, recording, arena);
    ff_recording_close(recording);
    return code;
}

const command plot_command = {
    .name = "plot",
    .synopsis = "RUN [CHANNEL...] [-o FILE] [--against COLUMN] [--from T] [--to T] [--title TEXT]",
    .summary = "draw channels of a recording as SVG, PNG or PDF",
    .description = "RUN is the folder that `footfall run` left, or its run.h5. Each CHANNEL becomes a panel: a channel "
                   "with all its columns (com.pos), one column (com.pos.z), all that begin so (energy) or a pattern "
                   "('bodies.*.contact.force'); a comma puts several into one panel. Curves are drawn over time, or "
                   "over the column named by --against. Without a CHANNEL the channels of the recording are listed.\n\n"
                   "Figures are as wide as the text of a page (160 mm, PNG at 300 dpi). Curves of more than 4000 "
                   "points keep first, least, greatest and last value of each thousandth, so that no peak is lost; "
                   "with --against all points are drawn.",
    .examples = "  footfall plot out/anton-march\n"
                "      lists what was recorded\n"
                "  footfall plot out/anton-march base.pos.z energy.kinetic,energy.potential -o energy.pdf\n"
                "      two panels over time\n"
                "  footfall plot out/anton-march base.pos.y --against base.pos.x -o path.svg\n",
    OPTIONS(
        OPTION(
            plot_target, out, "out", TEXT, "FILE",
            "The figure, by its ending SVG, PNG or PDF; without it plot.svg beside the recording. -o FILE is the same"),
        OPTION(plot_target, against, "against", TEXT, "COLUMN",
               "Draw the curves over one column of the recording, such as com.pos.x, instead of time"),
        OPTION(plot_target, from, "from", NUMBER, "T", "Begin at T seconds"),
        OPTION(plot_target, to, "to", NUMBER, "T", "End at T seconds"),
        OPTION(plot_target, title, "title", TEXT, "TEXT", "A heading; captions do better in print")),
    .operands = {1, -1, "RUN, the folder of a run or its run.h5,"},
    PRESET(plot_target, .from = -INFINITY, .to = INFINITY),
    .run = plot,
};
