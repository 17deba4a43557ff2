// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws a figure by gnuplot, which is started without a shell, reads commands and data from a pipe and writes the
// picture to its standard output. Names come from files: in commands they are in single quotes, in which gnuplot
// expands nothing, and gnuplot does not get the path of the picture.
#define _GNU_SOURCE // pipe2
#include "plot.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// ------------------------------------------------------------------------------------------ data

#define POINTS_PLAIN 4000 // up to this number of points, a curve is drawn as recorded
#define BUCKETS      1000 // otherwise by first, least, greatest and last value of so many intervals

/// The rows of the figure: time, x, and the channel that was read last.
typedef struct plot_data {
    const plot_figure *figure;
    double *time, *x;
    double *values; // (rows * width of the channel)
    int channel;    // -1: none yet
} plot_data;

static double *read_channel(const plot_figure *f, int channel, ff_error *err)
{
    const ff_recording_channel *c = ff_recording_channel_at(f->recording, channel);
    double *values = calloc((size_t)f->rows, (size_t)c->width * sizeof *values);
    if (!values) {
        ff_error_set(err, FF_NO_MEMORY,
                     "no memory for %lld rows of channel \"%.80s\": shorten the time by --from and --to", f->rows,
                     c->name);
        return NULL;
    }
    if (ff_recording_read(f->recording, channel, f->first, 1, f->rows, values, err) == FF_OK) return values;
    free(values);
    return NULL;
}

static double *read_column(const plot_figure *f, plot_curve curve, ff_error *err)
{
    const int width = ff_recording_channel_at(f->recording, curve.channel)->width;
    double *values = read_channel(f, curve.channel, err);
    for (long long i = 0; values && i < f->rows; i++) values[i] = values[i * width + curve.column];
    return values;
}

static void write_point(FILE *out, double x, double y)
{
    if (isfinite(x) && isfinite(y))
        fprintf(out, "%.10g %.8g\n", x, y);
    else
        fputs("\n", out); // an empty line breaks the curve
}

/// Writes first, least, greatest and last sample of an interval in the order of time, so that no peak is lost.
static void write_interval(FILE *out, const double *time, const double *y, int width, long long from, long long to)
{
    long long low = from, high = from;
    for (long long i = from; i < to; i++) {
        if (!(y[low * width] <= y[i * width])) low = i;
        if (!(y[high * width] >= y[i * width])) high = i;
    }
    const long long rows[4] = {from, low < high ? low : high, low < high ? high : low, to - 1};
    for (int k = 0; k < 4; k++)
        if (k == 0 || rows[k] > rows[k - 1]) write_point(out, time[rows[k]], y[rows[k] * width]);
}

/// Writes the points of a curve as a data block of gnuplot named $c0, $c1, ..
/// @return how many of the rows hold a number
static long long write_curve(FILE *out, const plot_data *d, int number, int width, int column)
{
    const long long rows = d->figure->rows;
    const double *y = d->values + column;
    long long finite = 0;
    for (long long i = 0; i < rows; i++) finite += isfinite(y[i * width]) && (!d->x || isfinite(d->x[i]));
    fprintf(out, "$c%d << EOD\n", number);
    if (d->x || rows <= POINTS_PLAIN)
        for (long long i = 0; i < rows; i++) write_point(out, d->x ? d->x[i] : d->time[i], y[i * width]);
    else
        for (long long k = 0; k < BUCKETS; k++)
            write_interval(out, d->time, y, width, rows * k / BUCKETS, rows * (k + 1) / BUCKETS);
    fputs("EOD\n", out);
    return finite;
}

static ff_status write_data(FILE *out, plot_data *d, ff_error *err)
{
    const plot_figure *f = d->figure;
    int number = 0;
    for (int p = 0; p < f->count; p++) {
        long long finite = 0;
        for (int k = 0; k < f->panels[p].count; k++) {
            const plot_curve curve = f->panels[p].curves[k];
            const ff_recording_channel *c = ff_recording_channel_at(f->recording, curve.channel);
            if (d->channel != curve.channel) {
                free(d->values);
                d->values = read_channel(f, curve.channel, err);
                d->channel = curve.channel;
            }
            if (!d->values) return err->status;
            finite += write_curve(out, d, number++, c->width, curve.column);
            if (k == f->panels[p].count - 1 && finite == 0)
                return ff_error_set(err, FF_NOT_FOUND, "channel \"%.80s\" holds no finite number in this time",
                                    c->name);
        }
    }
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ commands

/// A text in gnuplot's single quotes: a quote is written twice, control characters and broken UTF-8 never reach it.
static void quote(FILE *out, const char *text)
{
    fputc('\'', out);
    for (const unsigned char *s = (const unsigned char *)text; *s; s++) {
        if (*s == '\'') fputc('\'', out);
        fputc(*s < 0x20 || *s == 0x7f ? ' ' : *s, out);
    }
    fputc('\'', out);
}

#define LEGEND_ABOVE 5  // entries that fit above a panel
#define LEGEND_WIDE  60 // letters that fit above a panel

/// All panels are as high as the longest legend beside one needs.
static double height_mm(const plot_figure *f)
{
    double panel = f->count == 1 ? 70.0 : 34.0;
    for (int i = 0; i < f->count; i++)
        if (f->panels[i].count > LEGEND_ABOVE) panel = ff_max(panel, 4.4 * f->panels[i].count);
    return 20.0 + (panel + 10.0) * f->count + (f->title ? 8.0 : 0.0);
}

static const double width_mm = 160.0; // of the text on a page

/// Points of letters are those of a page on which the figure is as wide as the text.
static void write_terminal(FILE *out, const plot_figure *f)
{
    const double dpi = f->format == PLOT_PNG ? 300.0 : 96.0;
    const int width = (int)(width_mm / 25.4 * dpi), height = (int)(height_mm(f) / 25.4 * dpi);
    if (f->format == PLOT_SVG)
        fprintf(out, "set terminal svg noenhanced size %d,%d dynamic font 'Liberation Sans,12' background 'white'\n",
                width, height);
    else if (f->format == PLOT_PNG)
        fprintf(out,
                "set terminal pngcairo noenhanced size %d,%d font 'Liberation Sans,12' fontscale 3.1 linewidth 3.1 "
                "pointscale 3.1\n",
                width, height);
    else
        fprintf(out, "set terminal pdfcairo noenhanced size %gcm,%gcm font 'Liberation Sans,9' linewidth 1\n",
                width_mm / 10.0, height_mm(f) / 10.0);
}

/// Colours that readers with any kind of colour vision can distinguish (M. Okabe, K. Ito, 2008); dashes after each
/// round.
static void write_style(FILE *out, int curve)
{
    static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};
    fprintf(out, " with lines lw 1.3 lc rgb '%s' dt %d", colours[curve % 7], 1 + curve / 7);
}

/// What the curves of a panel have in common stands above it, the rest in its legend.
typedef struct panel_names {
    bool one_unit;
    size_t shared; // letters of their names that all have in common, up to and with a dot
} panel_names;

static panel_names names_of_panel(const plot_figure *f, const plot_panel *p, ff_arena *arena)
{
    const ff_recording_channel *first = ff_recording_channel_at(f->recording, p->curves[0].channel);
    const char *name = plot_curve_name(f->recording, p->curves[0], arena);
    panel_names n = {true, name ? strlen(name) : 0};
    for (int k = 1; name && k < p->count; k++) {
        const ff_recording_channel *c = ff_recording_channel_at(f->recording, p->curves[k].channel);
        const char *other = plot_curve_name(f->recording, p->curves[k], arena);
        size_t same = 0;
        while (other && same < n.shared && other[same] == name[same]) same++;
        while (same > 0 && name[same - 1] != '.') same--;
        n.shared = same;
        n.one_unit = n.one_unit && strcmp(c->unit, first->unit) == 0;
    }
    return n;
}

static const char *legend_text(const plot_figure *f, const plot_panel *p, int k, ff_arena *arena)
{
    const panel_names n = names_of_panel(f, p, arena);
    const ff_recording_channel *c = ff_recording_channel_at(f->recording, p->curves[k].channel);
    const char *name = plot_curve_name(f->recording, p->curves[k], arena);
    if (!name || p->count == 1) return name;
    return n.one_unit ? name + n.shared : ff_arena_printf(arena, "%s [%s]", name + n.shared, c->unit);
}

static const char *heading_text(const plot_figure *f, const plot_panel *p, ff_arena *arena)
{
    const panel_names n = names_of_panel(f, p, arena);
    const char *name = plot_curve_name(f->recording, p->curves[0], arena);
    const int letters = (int)(p->count > 1 && n.shared > 0 ? n.shared - 1 : n.shared); // without its dot
    if (!name || !n.one_unit) return name ? ff_arena_printf(arena, "%.*s", letters, name) : NULL;
    const char *unit = ff_recording_channel_at(f->recording, p->curves[0].channel)->unit;
    return ff_arena_printf(arena, "%.*s%s[%s]", letters, name, letters ? " " : "", unit);
}

/// Letters of the longest entry of all legends when these stand beside their panels, since one of them is too long to
/// stand above its own; else 0.
static int legend_letters(const plot_figure *f, ff_arena *arena)
{
    int most = 0;
    bool beside = false;
    for (int i = 0; i < f->count; i++) {
        const plot_panel *p = &f->panels[i];
        int sum = 0;
        for (int k = 0; k < p->count && p->count > 1; k++) {
            const char *text = legend_text(f, p, k, arena);
            const int letters = text ? (int)strlen(text) : 0;
            most = letters > most ? letters : most;
            sum += letters + 6;
        }
        beside = beside || p->count > LEGEND_ABOVE || sum > LEGEND_WIDE;
    }
    return beside ? most : 0;
}

static void write_panel(FILE *out, const plot_figure *f, int number, int first_curve, bool beside, ff_arena *arena)
{
    const plot_panel *p = &f->panels[number];
    const bool last = number == f->count - 1;
    const char *heading = heading_text(f, p, arena);
    fputs("set label 1 ", out);
    quote(out, heading ? heading : "");
    fputs(" at graph 0,1 offset 0,0.8 left font ',10'\n", out);
    if (p->count == 1)
        fputs("unset key\n", out);
    else
        fputs(beside ? "set key at graph 1,1 left top vertical Left reverse samplen 2 font ',9'\n"
                     : "set key at graph 1,1.01 right bottom horizontal samplen 2 width 1 maxrows 1 font ',9'\n",
              out);
    if (last) {
        fputs("set format x '%g'\nset xlabel ", out);
        const char *name = f->against ? plot_curve_name(f->recording, f->x, arena) : "time";
        const char *unit = f->against ? ff_recording_channel_at(f->recording, f->x.channel)->unit : "s";
        const char *text = name ? ff_arena_printf(arena, "%s [%s]", name, unit) : NULL;
        quote(out, text ? text : "");
        fputc('\n', out);
    }
    fputs("plot", out);
    for (int k = 0; k < p->count; k++) {
        const char *legend = legend_text(f, p, k, arena);
        fprintf(out, "%s $c%d using 1:2", k ? "," : "", first_curve + k);
        write_style(out, k);
        fputs(" title ", out);
        quote(out, legend ? legend : "");
    }
    fputc('\n', out);
}

static void write_commands(FILE *out, const plot_data *d)
{
    const plot_figure *f = d->figure;
    ff_arena arena = {0};
    const int beside = legend_letters(f, &arena);
    write_terminal(out, f);
    fputs("set encoding utf8\nset border 3 lw 0.8 lc rgb '#404040'\nset tics nomirror out scale 0.6 textcolor rgb "
          "'#202020'\n"
          "set grid lw 0.6 lc rgb '#d0d0d0' dt 1\nset xtics font ',9'\nset ytics font ',9' autofreq\nset format x ''\n"
          "set xlabel font ',10' offset 0,0.4\nset autoscale xfix\n",
          out);
    if (!d->x) fprintf(out, "set xrange [%.10g:%.10g]\n", d->time[0], d->time[f->rows - 1]);
    const double right = beside ? (beside < 40 ? beside : 40) * 0.62 + 4.5 : 2.5; // small letters
    fprintf(out, "set multiplot layout %d,1 margins char 9.5, char %.1f, char 3.6, char %.1f spacing char 0, char 2.4",
            f->count, right, f->title ? 3.6 : 2.0);
    if (f->title) {
        fputs(" title ", out);
        quote(out, f->title);
        fputs(" font ',12'", out);
    }
    fputc('\n', out);
    for (int i = 0, curve = 0; i < f->count; curve += f->panels[i++].count)
        write_panel(out, f, i, curve, beside > 0, &arena);
    fputs("unset multiplot\n", out);
    ff_arena_clear(&arena);
}

static ff_status write_script(FILE *out, const plot_figure *f, ff_error *err)
{
    const int time = ff_recording_find(f->recording, "time");
    plot_data d = {.figure = f, .channel = -1, .time = read_column(f, (plot_curve){time, 0}, err)};
    if (d.time && f->against) d.x = read_column(f, f->x, err);
    ff_status status = d.time && (!f->against || d.x) ? write_data(out, &d, err) : err->status;
    if (!status) write_commands(out, &d);
    free(d.time);
    free(d.x);
    free(d.values);
    return status;
}

// ------------------------------------------------------------------------------------------ the process

/// Starts gnuplot with its standard streams at the three descriptors. @return 0 or an errno
static int start(pid_t *child, int in, int out, int err)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t standard;
    char name[] = "gnuplot", no_settings[] = "-d"; // a gnuplotrc must not change the figures
    char *const argv[] = {name, no_settings, NULL};
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    sigemptyset(&standard);
    sigaddset(&standard, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &standard);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_adddup2(&actions, in, 0);
    posix_spawn_file_actions_adddup2(&actions, out, 1);
    posix_spawn_file_actions_adddup2(&actions, err, 2);
    const int error = posix_spawnp(child, name, &actions, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

/// Error of gnuplot, on one line.
static ff_status report_gnuplot_error(FILE *said, int status, ff_error *err)
{
    char text[300] = "";
    rewind(said);
    const size_t length = fread(text, 1, sizeof text - 1, said);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < 0x20) text[i] = ' ';
    return ff_error_set(err, FF_BAD_FILE, "gnuplot could not draw it (exit status %d): %s",
                        WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                        text[0] ? text : "it wrote no whole figure, and no reason");
}

/// Does the picture have the end of its format (SVG, PNG, PDF)? gnuplot does not notice a disk that is full.
static bool is_whole(int picture)
{
    static const char *const ends[] = {"</svg>", "IEND", "%%EOF"};
    char tail[65] = "";
    const off_t size = lseek(picture, 0, SEEK_END), from = size > 64 ? size - 64 : 0;
    const ssize_t got = size > 0 ? pread(picture, tail, sizeof tail - 1, from) : 0;
    for (size_t i = 0; got > 0 && i < sizeof ends / sizeof *ends; i++)
        if (memmem(tail, (size_t)got, ends[i], strlen(ends[i]))) return true;
    return false;
}

/// errno of a write to the disk; 0: it has room. gnuplot does not report such an error, and may end with status 0.
static int refusal_of_disk(int picture)
{
    static const char block[1 << 16];
    const off_t end = lseek(picture, 0, SEEK_END);
    const ssize_t n = pwrite(picture, block, sizeof block, end);
    return n == (ssize_t)sizeof block ? 0 : n < 0 ? errno : ENOSPC;
}

static ff_status converse(const plot_figure *f, int picture, FILE *said, ff_error *err)
{
    int ends[2];
    pid_t child;
    if (pipe2(ends, O_CLOEXEC) != 0) return ff_error_set(err, FF_BAD_FILE, "no pipe to gnuplot: %s", strerror(errno));
    const int error = start(&child, ends[0], picture, fileno(said));
    close(ends[0]);
    FILE *script = error ? NULL : fdopen(ends[1], "w");
    if (!script) close(ends[1]);
    if (error == ENOENT) return ff_error_set(err, FF_NOT_BUILT, "gnuplot is not installed (Debian: gnuplot-nox)");
    if (error) return ff_error_set(err, FF_BAD_FILE, "gnuplot cannot be started: %s", strerror(error));
    const ff_status written =
        script ? write_script(script, f, err) : ff_error_set(err, FF_NO_MEMORY, "no memory for a pipe");
    if (script) fclose(script);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    if (written) return written;
    if (status == 0 && is_whole(picture)) return FF_OK;
    const int full = refusal_of_disk(picture);
    if (full)
        return ff_error_set(err, FF_NOT_WRITTEN, "the figure could not be written to its end: %s", strerror(full));
    return report_gnuplot_error(said, status, err);
}

ff_status plot_draw(const plot_figure *figure, const char *path, ff_error *err)
{
    ff_arena arena = {0};
    const char *part =
        ff_arena_printf(&arena, "%s.part", path); // beside the figure, which it replaces when it is whole
    FILE *said = tmpfile();
    const int picture = part ? open(part, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    ff_status status = FF_OK;
    if (picture < 0 || !said)
        status = ff_error_set(err, FF_NOT_WRITTEN, "%.200s cannot be written: %s", path, strerror(errno));
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before; // a gnuplot that ends early shows in its exit status
    sigaction(SIGPIPE, &ignore, &before);
    if (!status) status = converse(figure, picture, said, err);
    sigaction(SIGPIPE, &before, NULL);
    if (picture >= 0 && close(picture) != 0 && !status)
        status = ff_error_set(err, FF_NOT_WRITTEN, "%.200s cannot be written: %s", path, strerror(errno));
    if (!status && rename(part, path) != 0)
        status = ff_error_set(err, FF_NOT_WRITTEN, "%.200s cannot be written: %s", path, strerror(errno));
    if (status && picture >= 0) unlink(part);
    if (said) fclose(said);
    ff_arena_clear(&arena);
    return status;
}
