// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The terminal and its user: colours, a progress bar, clocks, the guard of stdout, and signals that end a command.
// Colours and the bar are for a person at a terminal only: a stream that is not a terminal, NO_COLOR in the environment
// (https://no-color.org) or TERM=dumb switch colours off; the progress bar needs stderr to be a terminal.
#ifndef FOOTFALL_APPS_TERMINAL_H
#define FOOTFALL_APPS_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

// ------------------------------------------------------------------------------------------ colours and messages

typedef enum style { STYLE_PLAIN, STYLE_STRONG, STYLE_GOOD, STYLE_WARN, STYLE_BAD, STYLE_FAINT } style;

/// The escape sequence of a style.
const char *style_code(style look);
/// The text that switches to a style on this stream; "" where colours are off.
const char *paint(FILE *stream, style look);

/// As fprintf, for text from a command line or a file: control characters other than line ends are printed as escapes.
/// Such text goes to stderr by this function, print_message or ff_text_printable; stdout has a guard.
void print_escaped(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/// Prints "FILE: error: TEXT" to stderr, or with "warning" or "note", by the style (BAD, WARN, PLAIN).
/// @param file  NULL: none
void print_message(const char *file, style look, const char *text);

// ------------------------------------------------------------------------------------------ the guard of stdout

// Names come from external files (robots, scenes, recordings), and a terminal must not execute any of them. Everything
// that the program prints to stdout passes the guard, so that no table has to check its texts.

/// From now on control characters other than line ends and tabs, and bytes that are not UTF-8, are written to stdout as
/// escapes ("\x1b"). Called once, before anything is printed.
void guard_output(void);
/// Is the guard there? It needs a C library that lets a program replace its stdout.
bool output_is_guarded(void);
/// A placeholder for the escape sequence of a style, which the guard replaces. It contains a random key, so that no
/// file can contain it. @param look  number of a style
const char *output_mark(int look);
/// Switches the guard off (true) or on, for a format with its own escapes, such as JSON.
void output_bypass_guard(bool on);

// ------------------------------------------------------------------------------------------ signals

/// From now on Ctrl-C (SIGINT), SIGTERM and a terminal that closes (SIGHUP, unless ignored because of nohup) request an
/// end after the present step; the second signal ends the program at once. Writing to a closed pipe becomes an error.
void catch_interrupts(void);
/// From now on writing beyond the limit on the size of files fails with an error, as on a full disk.
void ignore_file_size_signal(void);
/// Has the user requested the end? May be called from any thread.
/// @param context  not used: the function has the type of ff_link_options.stop
bool is_interrupted(void *context);

// ------------------------------------------------------------------------------------------ time

/// Seconds of a clock that never goes back.  [s]
double clock_seconds(void);
/// The same clock, read faster, with a resolution of a few milliseconds.  [s]
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
