// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The guard of standard output (terminal.h): a stream that replaces stdout and checks every character. A character may
// be split between two writes of the stream's buffer.
#define _GNU_SOURCE // fopencookie
#include "terminal.h"

#include <footfall/text.h>

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { KEY = 8, MARK = KEY + 2, STYLES = STYLE_FAINT + 1 };

/// Marks are the escape character, a key that is drawn once per process, and the number of the style.
static char marks[STYLES][MARK + 1];
static bool guarded, bypassed;

bool output_is_guarded(void)
{
    return guarded;
}

const char *output_mark(int look)
{
    return marks[look];
}

void output_bypass_guard(bool on)
{
    if (guarded) fflush(stdout);
    bypassed = on;
}

#ifdef __GLIBC__

static void make_marks(void)
{
    unsigned char key[KEY];
    if (getentropy(key, sizeof key) != 0) {
        const uint64_t seed = (uint64_t)time(NULL) ^ (uint64_t)getpid() << 32 ^ (uint64_t)(uintptr_t)&seed;
        memcpy(key, &seed, sizeof key);
    }
    for (int look = 0; look < STYLES; look++) {
        char *mark = marks[look];
        mark[0] = '\033';
        for (int i = 0; i < KEY; i++) mark[1 + i] = (char)('a' + key[i] % 26);
        mark[MARK - 1] = (char)('0' + look);
    }
}

// ------------------------------------------------------------------------------------------ characters

/// Held bytes of an incomplete character or mark, and the text to be written.
typedef struct filter {
    char held[MARK + 1]; // zero-terminated
    size_t nheld;
    char out[4096];
    size_t nout;
    bool failed;
} filter;

static void send(filter *f, const char *bytes, size_t size)
{
    while (size > 0 && !f->failed) {
        const ssize_t n = write(STDOUT_FILENO, bytes, size);
        if (n < 0 && errno == EINTR) continue;
        f->failed = n <= 0;
        bytes += n;
        size -= n > 0 ? (size_t)n : 0;
    }
}

static void empty(filter *f)
{
    send(f, f->out, f->nout);
    f->nout = 0;
}

static void put(filter *f, const char *text)
{
    const size_t length = strlen(text);
    if (f->nout + length > sizeof f->out) empty(f);
    memcpy(f->out + f->nout, text, length);
    f->nout += length;
}

static void drop(filter *f, size_t count)
{
    f->nheld -= count;
    memmove(f->held, f->held + count, f->nheld + 1);
}

/// Length of the character at the start of the held bytes.
static size_t length_wanted(const filter *f)
{
    const unsigned char first = (unsigned char)f->held[0];
    const size_t n = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 1;
    for (size_t i = 1; i < f->nheld && i < n; i++)
        if (((unsigned char)f->held[i] & 0xc0) != 0x80) return 1; // no UTF-8
    return n;
}

/// Do the held bytes begin a mark? A complete one is replaced by its style.
static bool take_mark(filter *f)
{
    if (f->held[0] != '\033' || memcmp(f->held, marks[0], f->nheld < MARK - 1 ? f->nheld : MARK - 1) != 0) return false;
    if (f->nheld < MARK) return true;
    const int look = f->held[MARK - 1] - '0';
    if (look < 0 || look >= STYLES) return false;
    put(f, style_code((style)look));
    drop(f, MARK);
    return true;
}

/// Writes the first held character, if it is complete. @return false: more bytes are needed
static bool take_character(filter *f)
{
    char character[8] = "", shown[32]; // four bytes, each spelt by four letters
    const size_t length = length_wanted(f);
    if (f->nheld < length) return false;
    memcpy(character, f->held, length);
    if (!character[0])
        put(f, "\\x00");
    else
        put(f, character[0] == '\n' || character[0] == '\t' ? character
                                                            : ff_text_printable(character, shown, sizeof shown));
    drop(f, length);
    return true;
}

static void take(filter *f, char byte)
{
    f->held[f->nheld++] = byte;
    f->held[f->nheld] = '\0';
    while (f->nheld > 0) {
        const size_t before = f->nheld;
        if (take_mark(f) ? f->nheld == before : !take_character(f)) return;
    }
}

// ------------------------------------------------------------------------------------------ the stream

static ssize_t write_guarded(void *context, const char *bytes, size_t size)
{
    filter *f = context;
    f->failed = false;
    if (bypassed)
        send(f, bytes, size);
    else
        for (size_t i = 0; i < size; i++) take(f, bytes[i]);
    empty(f);
    return f->failed ? 0 : (ssize_t)size;
}

void guard_output(void)
{
    static filter state;
    FILE *stream = fopencookie(&state, "w", (cookie_io_functions_t){.write = write_guarded});
    if (!stream) return;
    setvbuf(stream, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, BUFSIZ);
    make_marks();
    stdout = stream; // which this C library allows
    guarded = true;
}

#else

void guard_output(void)
{
}

#endif
