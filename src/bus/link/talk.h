// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What both ends of a link have in common: they number and seal telegrams, send them, and check received ones.
#ifndef FOOTFALL_LINK_TALK_H
#define FOOTFALL_LINK_TALK_H

#include "link/wire.h"

/// Bytes of the longest payload.
enum { FF_TALK_ROOM = FF_TELEGRAM_MOST - FF_TELEGRAM_HEAD_SIZE - FF_TELEGRAM_SUM_SIZE };

/// One end of a link.
typedef struct ff_talk {
    ff_wire *wire;
    ff_link_options options;
    uint64_t interface; // hash of the interface; 0: not known
    uint32_t sequence;  // of the next telegram
    ff_link_counts counts;
    unsigned char out[FF_TELEGRAM_MOST], in[FF_TELEGRAM_MOST];
} ff_talk;

enum { FF_TALK_WORDS = 300 }; // characters of a reason that are transmitted and reported

/// A received telegram.
typedef struct ff_received {
    bool any; // false: none, or an invalid one
    ff_telegram head;
    const unsigned char *payload;
    size_t size;
} ff_received;

void ff_talk_begin(ff_talk *talk, ff_wire *wire, const ff_link_options *options);
/// Sends `payload` bytes at talk->out + FF_TELEGRAM_HEAD_SIZE. Type, counter, time and `sent` come from `head`. @return
/// FF_LIMIT: there are too many
ff_status ff_talk_send(ff_talk *talk, ff_telegram head, size_t payload, ff_error *err);
/// Sends a telegram whose payload is a text, "" for none.
ff_status ff_talk_say(ff_talk *talk, ff_telegram_type type, const char *text, ff_error *err);
/// Ends the link. The message is not answered, so it is sent five times: some may be lost.
void ff_talk_say_bye(ff_talk *talk, const char *why);
/// Waits for a telegram and checks it: damaged and foreign ones are counted and dropped. HELLO and INTERFACE may have
/// any interface. @param seconds  timeout, not negative @return FF_OK; FF_STOPPED: the other end has disconnected, or
/// `stop` returned true
ff_status ff_talk_listen(ff_talk *talk, double seconds, ff_received *out, ff_error *err);

/// Present time for telegrams.  [ns]
int64_t ff_link_nanoseconds(void);

#endif
