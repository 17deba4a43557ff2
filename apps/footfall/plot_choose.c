// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the columns and rows of a recording that the user has chosen.
#include "plot.h"

#include <footfall/text.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *plot_curve_name(const ff_recording *recording, plot_curve curve, ff_arena *arena)
{
    const ff_recording_channel *c = ff_recording_channel_at(recording, curve.channel);
    if (c->width == 1) return c->name;
    return ff_arena_printf(arena, "%s.%s", c->name, c->columns[curve.column]);
}

/// Reports an unknown name, with the channel or column that was probably meant.
static bool unknown(const ff_recording *recording, const char *word, ff_error *err)
{
    ff_arena arena = {0};
    const int channels = ff_recording_channel_count(recording);
    int room = channels, count = 0;
    for (int i = 0; i < channels; i++) room += ff_recording_channel_at(recording, i)->width;
    const char **names = FF_ARENA_NEW(&arena, const char *, room);
    for (int i = 0; names && i < channels; i++) {
        const ff_recording_channel *c = ff_recording_channel_at(recording, i);
        names[count++] = c->name;
        for (int k = 0; c->width > 1 && k < c->width; k++) {
            const char *name = plot_curve_name(recording, (plot_curve){i, k}, &arena);
            if (name) names[count++] = name;
        }
    }
    const char *near = names ? ff_text_nearest(word, names, count) : NULL;
    if (near)
        ff_error_set(err, FF_NOT_FOUND, "no channel \"%.80s\" was recorded; did you mean \"%.120s\"?", word, near);
    else
        ff_error_set(err, FF_NOT_FOUND,
                     "no channel \"%.80s\" was recorded; without channels `footfall plot RUN` lists them", word);
    ff_arena_clear(&arena);
    return false;
}

static bool add_curve(plot_panel *panel, int channel, int column, ff_error *err)
{
    if (panel->count == PLOT_CURVES) {
        ff_error_set(err, FF_LIMIT, "more than %d curves in one panel: name single columns, such as com.pos.z",
                     PLOT_CURVES);
        return false;
    }
    panel->curves[panel->count++] = (plot_curve){channel, column};
    return true;
}

static bool add_channel(plot_panel *panel, const ff_recording *recording, int channel, ff_error *err)
{
    for (int k = 0; k < ff_recording_channel_at(recording, channel)->width; k++)
        if (!add_curve(panel, channel, k, err)) return false;
    return true;
}

/// Does the word select the channel, by its name, a prefix that ends before a dot, or a pattern?
static bool selects(const char *word, const char *name)
{
    if (strchr(word, '*')) return ff_text_matches(word, name);
    const size_t length = strlen(word);
    return strncmp(word, name, length) == 0 && (name[length] == '\0' || name[length] == '.');
}

/// Column number k of the channel where `word` is "channel.column", else -1.
static int column_of(const ff_recording_channel *c, const char *word)
{
    const size_t length = strlen(c->name);
    if (strncmp(word, c->name, length) != 0 || word[length] != '.') return -1;
    for (int k = 0; k < c->width; k++)
        if (strcmp(word + length + 1, c->columns[k]) == 0) return k;
    return -1;
}

static bool add_word(plot_panel *panel, const ff_recording *recording, const char *word, ff_error *err)
{
    const int channels = ff_recording_channel_count(recording), before = panel->count;
    const int exact = ff_recording_find(recording, word);
    if (exact >= 0) return add_channel(panel, recording, exact, err);
    for (int i = 0; i < channels; i++) {
        const ff_recording_channel *c = ff_recording_channel_at(recording, i);
        const int column = column_of(c, word);
        if (column >= 0) return add_curve(panel, i, column, err);
    }
    for (int i = 0; i < channels && *word; i++)
        if (selects(word, ff_recording_channel_at(recording, i)->name) && !add_channel(panel, recording, i, err))
            return false;
    return panel->count > before || unknown(recording, word, err);
}

bool plot_choose(plot_panel *out, const ff_recording *recording, const char *words, ff_error *err)
{
    ff_arena arena = {0};
    *out = (plot_panel){0};
    bool ok = true;
    for (const char *p = words; ok && p;) {
        const size_t length = strcspn(p, ",");
        const char *word = ff_arena_strndup(&arena, p, length);
        ok = word ? add_word(out, recording, word, err)
                  : !ff_error_set(err, FF_NO_MEMORY, "no memory for \"%.80s\"", words);
        p = p[length] ? p + length + 1 : NULL;
    }
    ff_arena_clear(&arena);
    return ok;
}

bool plot_choose_one(plot_curve *out, const ff_recording *recording, const char *word, ff_error *err)
{
    plot_panel panel;
    if (!plot_choose(&panel, recording, word, err)) return false;
    *out = panel.curves[0];
    if (panel.count == 1) return true;
    ff_error_set(err, FF_BAD_ARGUMENT, "\"%.80s\" is %d columns and one is needed here: name it, such as com.pos.x",
                 word, panel.count);
    return false;
}

bool plot_choose_rows(plot_figure *figure, double from, double to, ff_error *err)
{
    const ff_recording *recording = figure->recording;
    const long long rows = ff_recording_rows(recording);
    double *time = calloc(rows > 0 ? (size_t)rows : 1, sizeof *time);
    if (!time) return !ff_error_set(err, FF_NO_MEMORY, "no memory for %lld rows", rows);
    ff_status status = ff_recording_read(recording, ff_recording_find(recording, "time"), 0, 1, rows, time, err);
    long long first = 0, end = rows;
    while (first < end && time[first] < from) first++;
    while (end > first && time[end - 1] > to) end--;
    if (!status && end - first < 2)
        status =
            rows < 2
                ? ff_error_set(err, FF_NOT_FOUND, "%lld rows were recorded: too few for a curve", rows)
                : ff_error_set(err, FF_NOT_FOUND,
                               "%lld rows were recorded from %g to %g s: too few, the recording goes from %g to %g s",
                               end - first, from, to, time[0], time[rows - 1]);
    free(time);
    figure->first = first;
    figure->rows = end - first;
    return status == FF_OK;
}
