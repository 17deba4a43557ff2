// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A figure of a recording: panels one above the other, each with curves over time or over one column of the recording.
#ifndef FOOTFALL_APPS_PLOT_H
#define FOOTFALL_APPS_PLOT_H

#include <footfall/studio.h>

#define PLOT_PANELS 12 // of a figure
#define PLOT_CURVES 24 // of a panel: more cannot be distinguished

/// One column of a channel.
typedef struct plot_curve {
    int channel, column;
} plot_curve;

typedef struct plot_panel {
    plot_curve curves[PLOT_CURVES];
    int count;
} plot_panel;

typedef enum plot_format { PLOT_SVG, PLOT_PNG, PLOT_PDF } plot_format;

typedef struct plot_figure {
    const ff_recording *recording;
    plot_panel panels[PLOT_PANELS];
    int count;
    bool against; // curves over `x` instead of time
    plot_curve x;
    const char *title;     // NULL for none
    long long first, rows; // of the recording
    plot_format format;
} plot_figure;

/// Finds the curves of a panel by their names, separated by commas: channels, columns of channels (`com.pos.z`),
/// prefixes (`energy`) and patterns.
bool plot_choose(plot_panel *out, const ff_recording *recording, const char *words, ff_error *err);
/// Finds exactly one column by its name.
bool plot_choose_one(plot_curve *out, const ff_recording *recording, const char *word, ff_error *err);
/// Finds the rows whose time is within [from, to]. @return false: there are fewer than two
bool plot_choose_rows(plot_figure *figure, double from, double to, ff_error *err);
/// Full name of a column in the arena: "energy.total", "com.pos.z"; NULL without memory.
const char *plot_curve_name(const ff_recording *recording, plot_curve curve, ff_arena *arena);

/// Lets gnuplot draw the figure into a file; after an error no file is left, and an older one is
/// unchanged.
ff_status plot_draw(const plot_figure *figure, const char *path, ff_error *err);

#endif
