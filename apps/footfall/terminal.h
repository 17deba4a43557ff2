// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What only a person at a terminal should see: colours and a progress bar. A stream that is not a terminal, NO_COLOR in
// the environment (https://no-color.org) or TERM=dumb switch colours off; a progress bar needs stderr to be a terminal.
#ifndef FOOTFALL_APPS_TERMINAL_H
#define FOOTFALL_APPS_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

typedef enum style { STYLE_PLAIN, STYLE_STRONG, STYLE_GOOD, STYLE_WARN, STYLE_BAD, STYLE_FAINT } style;

/// The escape sequence of a style.
const char *style_code(style look);
/// What switches to a style on this stream; "" where colours are off.
const char *paint(FILE *stream, style look);

/// printf of what may hold words of a command line or a file: control characters are spelt out but for line ends. All
/// such words go to stderr by this, by `say` or by ff_text_printable; stdout has a guard (output.h).
void say_plainly(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/// "FILE: error: TEXT" on stderr, or "warning" and "note" by the style (BAD, WARN, PLAIN).
/// @param file  NULL: none
void say(const char *file, style look, const char *text);

/// Seconds of a clock that never goes back.  [s]
double clock_seconds(void);
/// The same to some milliseconds, for those who ask at every step: the system keeps it at hand.  [s]
double clock_coarse(void);
void sleep_seconds(double seconds);

/// Bar of a simulation: percent, simulated time, real-time factor, time still to go.
typedef struct progress {
    bool shown;
    double start;      // clock when it began  [s]
    double last;       // clock of the last drawing  [s]
    double start_time; // simulated time when it began  [s]
    double end_time;   // [s]
} progress;

progress progress_begin(double start_time, double end_time, bool quiet);
/// Redraws at most ten times a second.
void progress_update(progress *bar, double time);
/// Removes the bar, so that what is printed next starts on a clean line.
void progress_end(progress *bar);

/// Writes a duration for people: "0.8 s", "42 s", "3 min 05 s", "2 h 10 min".
void format_duration(double seconds, char *buffer, size_t size);

#endif
