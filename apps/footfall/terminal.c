// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Colours, a progress bar, the clock and signals (terminal.h).
#include "terminal.h"

#include <footfall/text.h>

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool is_capable(FILE *stream)
{
    const char *term = getenv("TERM");
    return isatty(stream == stdout ? STDOUT_FILENO : fileno(stream)) && term && strcmp(term, "dumb") != 0;
}

const char *style_code(style look)
{
    static const char *const codes[] = {"\033[0m", "\033[1m", "\033[32m", "\033[33m", "\033[31m", "\033[2m"};
    return codes[look];
}

const char *paint(FILE *stream, style look)
{
    const char *no_color = getenv("NO_COLOR");
    if ((no_color && no_color[0]) || !is_capable(stream)) return "";
    return stream == stdout && output_is_guarded() ? output_mark((int)look) : style_code(look);
}

void print_escaped(FILE *out, const char *format, ...)
{
    char text[2048], line[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (char *at = text, *end; *at; at = end) {
        const char *stop = strchr(at, '\n');
        end = stop ? at + (stop - at) + 1 : at + strlen(at);
        if (stop) end[-1] = '\0';
        fprintf(out, "%s%s", ff_text_printable(at, line, sizeof line), stop ? "\n" : "");
    }
}

void print_message(const char *file, style look, const char *text)
{
    if (file) print_escaped(stderr, "%s: ", file);
    const char *word = look == STYLE_BAD ? "error" : look == STYLE_WARN ? "warning" : "note";
    fprintf(stderr, "%s%s:%s ", paint(stderr, look), word, paint(stderr, STYLE_PLAIN));
    print_escaped(stderr, "%s\n", text);
}

static double read_clock(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double clock_seconds(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double clock_coarse(void)
{
#ifdef CLOCK_MONOTONIC_COARSE
    return read_clock(CLOCK_MONOTONIC_COARSE);
#else
    return clock_seconds();
#endif
}

void sleep_seconds(double seconds)
{
    if (!(seconds > 0)) return;
    double whole = floor(seconds);
    struct timespec pause = {(time_t)whole, (long)((seconds - whole) * 1e9)};
    nanosleep(&pause, NULL);
}

void format_duration(double seconds, char *buffer, size_t size)
{
    if (!isfinite(seconds) || seconds > 360000)
        snprintf(buffer, size, "more than 100 h");
    else if (seconds < 10)
        snprintf(buffer, size, "%.1f s", seconds);
    else if (seconds < 60)
        snprintf(buffer, size, "%.0f s", seconds);
    else if (seconds < 3600)
        snprintf(buffer, size, "%d min %02d s", (int)seconds / 60, (int)seconds % 60);
    else
        snprintf(buffer, size, "%d h %02d min", (int)seconds / 3600, (int)seconds / 60 % 60);
}

progress progress_begin(double start_time, double end_time, bool quiet)
{
    double now = clock_seconds();
    return (progress){!quiet && end_time > start_time && is_capable(stderr), now, now, start_time, end_time};
}

void progress_update(progress *bar, double time)
{
    double now = clock_seconds();
    if (!bar->shown || now - bar->last < 0.1) return;
    bar->last = now;
    double share = (time - bar->start_time) / (bar->end_time - bar->start_time);
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    double wall = now - bar->start;
    char left[32];
    format_duration(share > 0 ? wall * (1 - share) / share : INFINITY, left, sizeof left);
    const int width = 30;
    int full = (int)(share * width);
    fprintf(stderr, "\r\033[K%s", paint(stderr, STYLE_GOOD));
    for (int i = 0; i < width; i++) fputc(i < full ? '#' : '.', stderr);
    fprintf(stderr, "%s %3.0f%%  %.2f of %.4g s  %.3gx real time  %s left", paint(stderr, STYLE_PLAIN), 100 * share,
            time, bar->end_time, (time - bar->start_time) / wall, left);
    fflush(stderr);
}

void progress_end(progress *bar)
{
    if (bar->shown) fputs("\r\033[K", stderr);
    bar->shown = false;
}

// ------------------------------------------------------------------------------------------ signals

static atomic_int interrupted;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

void catch_interrupts(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {0}, before = {0};
    action.sa_handler = on_interrupt;
    action.sa_flags = (int)SA_RESETHAND; // the second signal ends the program
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < 3; i++)
        if (ends[i] != SIGHUP || (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN))
            sigaction(ends[i], &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

void ignore_file_size_signal(void)
{
    signal(SIGXFSZ, SIG_IGN);
}

bool is_interrupted(void *context)
{
    (void)context;
    return interrupted != 0;
}
