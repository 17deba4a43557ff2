// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A wire with faults: sent telegrams are lost, delayed, duplicated, swapped with the next, or damaged, by a seeded
// random stream, so that a trial is reproducible. Received telegrams are not changed; with such a wire at both ends
// both directions have faults.
#include "link/wire.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELD_MAX = 64 }; // telegrams in flight at a time

typedef struct held_telegram {
    double due; // clock  [s]
    size_t size;
    unsigned char *bytes; // NULL: free
} held_telegram;

typedef struct faulty_wire {
    ff_wire wire;
    ff_wire *inner;
    double drop, delay, twice, swap, flip, cut, flood, seed;
    ff_random random;
    double sent; // telegrams, whole numbers
    held_telegram held[HELD_MAX];
    held_telegram swapped; // waits for the next one
} faulty_wire;

static const struct {
    const char *name;
    size_t offset;
    double most;
} faults[] = {{"drop", offsetof(faulty_wire, drop), 1.0},    {"delay", offsetof(faulty_wire, delay), 10.0},
              {"double", offsetof(faulty_wire, twice), 1.0}, {"swap", offsetof(faulty_wire, swap), 1.0},
              {"flip", offsetof(faulty_wire, flip), 1.0},    {"cut", offsetof(faulty_wire, cut), INFINITY},
              {"flood", offsetof(faulty_wire, flood), 1e6},  {"seed", offsetof(faulty_wire, seed), 0x1p53}};

/// Reads "drop=0.02,seed=7".
static ff_status read_faults(faulty_wire *w, const char *text, ff_error *err)
{
    for (const char *at = text; *at;) {
        const size_t length = strcspn(at, ","), name = strcspn(at, "=");
        char *end = NULL;
        double *number = NULL;
        for (size_t i = 0; i < sizeof faults / sizeof *faults && name < length; i++) {
            if (strlen(faults[i].name) != name || strncmp(faults[i].name, at, name) != 0) continue;
            const double value = strtod(at + name + 1, &end);
            if (end == at + length && value >= 0.0 && value <= faults[i].most)
                number = (double *)(void *)((char *)w + faults[i].offset), *number = value;
        }
        if (!number)
            return ff_error_set(
                err, FF_BAD_ARGUMENT,
                "faults: '%.*s': expected drop=P, double=P, swap=P, flip=P (probabilities from 0 to 1), "
                "delay=SECONDS, cut=COUNT, flood=COUNT or seed=N, with commas between",
                (int)length, at);
        at += length + (at[length] == ',');
    }
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ sending

static bool happens(faulty_wire *w, double probability)
{
    return ff_random_uniform(&w->random) < probability;
}

static ff_status forward(faulty_wire *w, held_telegram *t, ff_error *err)
{
    const ff_status status = ff_wire_send(w->inner, t->bytes, t->size, err);
    free(t->bytes);
    t->bytes = NULL;
    return status;
}

static held_telegram copy_telegram(const faulty_wire *w, const unsigned char *bytes, size_t size)
{
    held_telegram t = {.due = ff_link_clock() + w->delay, .size = size, .bytes = malloc(size)};
    if (t.bytes) memcpy(t.bytes, bytes, size);
    return t;
}

/// Sends all telegrams that are due. @return the next due time, INFINITY: none
static double send_due(faulty_wire *w)
{
    double next = INFINITY;
    const double now = ff_link_clock();
    for (int i = 0; i < HELD_MAX; i++) {
        if (!w->held[i].bytes) continue;
        if (w->held[i].due <= now)
            forward(w, &w->held[i], NULL);
        else if (w->held[i].due < next)
            next = w->held[i].due;
    }
    return next;
}

static ff_status send_later(faulty_wire *w, held_telegram *t, ff_error *err)
{
    if (!t->bytes) return FF_OK;
    if (w->delay <= 0.0) return forward(w, t, err);
    for (int i = 0; i < HELD_MAX; i++)
        if (!w->held[i].bytes) {
            w->held[i] = *t;
            t->bytes = NULL;
            return FF_OK;
        }
    free(t->bytes); // too many in flight: lost
    t->bytes = NULL;
    return FF_OK;
}

static ff_status send_one(ff_wire *wire, const unsigned char *bytes, size_t size, ff_error *err)
{
    faulty_wire *w = (faulty_wire *)wire;
    send_due(w);
    // all random numbers are always drawn, so that one fault does not change the others
    const bool drop = happens(w, w->drop), twice = happens(w, w->twice), swap = happens(w, w->swap),
               flip = happens(w, w->flip);
    const double position = ff_random_uniform(&w->random);
    if (drop || (w->cut > 0.0 && w->sent >= w->cut)) return FF_OK;
    w->sent += 1.0;
    held_telegram t = copy_telegram(w, bytes, size);
    if (t.bytes && flip)
        t.bytes[(size_t)(position * (double)size)] ^= (unsigned char)(1U << (unsigned)(position * 4096.0) % 8);
    if (swap && !w->swapped.bytes) {
        w->swapped = t;
        return FF_OK;
    }
    ff_status status = FF_OK;
    for (double copies = w->flood + (twice ? 1.0 : 0.0); status == FF_OK && t.bytes && copies >= 1.0; copies -= 1.0) {
        held_telegram copy = copy_telegram(w, t.bytes, size);
        status = send_later(w, &copy, err);
    }
    if (status == FF_OK) status = send_later(w, &t, err);
    if (status == FF_OK) status = send_later(w, &w->swapped, err);
    free(t.bytes);
    return status;
}

/// Waits for a telegram, and meanwhile sends those that are due.
static ff_status receive_one(ff_wire *wire, unsigned char *bytes, size_t most, double seconds, size_t *size,
                             ff_error *err)
{
    faulty_wire *w = (faulty_wire *)wire;
    const double end = seconds < 0.0 ? INFINITY : ff_link_clock() + seconds;
    for (;;) {
        const double next = send_due(w), now = ff_link_clock();
        const double until = next < end ? next : end;
        const ff_status status = ff_wire_receive(w->inner, bytes, most,
                                                 until == INFINITY ? -1.0
                                                 : until > now     ? until - now
                                                                   : 0.0,
                                                 size, err);
        if (status != FF_OK || *size > 0 || !(next < end)) return status;
    }
}

static void close_wire(ff_wire *wire)
{
    faulty_wire *w = (faulty_wire *)wire;
    for (int i = 0; i < HELD_MAX; i++) // telegrams in flight are delivered
        if (w->held[i].bytes) forward(w, &w->held[i], NULL);
    if (w->swapped.bytes) forward(w, &w->swapped, NULL);
    ff_wire_close(w->inner);
    free(w);
}

static const ff_wire_kind faulty_kind = {NULL, NULL, send_one, receive_one, close_wire};

ff_wire *ff_wire_with_faults(ff_wire *inner, const char *text, ff_error *err)
{
    faulty_wire *w = calloc(1, sizeof *w);
    if (!w)
        ff_error_set(err, FF_NO_MEMORY, "out of memory");
    else if (read_faults(w, text, err) != FF_OK) {
        free(w);
        w = NULL;
    }
    if (!w) return NULL;
    w->wire.kind = &faulty_kind;
    snprintf(w->wire.where, sizeof w->wire.where, "%s", ff_wire_where(inner));
    w->inner = inner;
    w->random = ff_random_make((uint64_t)w->seed, 0x7370 /* a separate stream */);
    return &w->wire;
}
