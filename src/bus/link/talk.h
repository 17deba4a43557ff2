// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What both ends of a link do: number and seal telegrams, send them, judge those that come.
#ifndef FOOTFALL_LINK_TALK_H
#define FOOTFALL_LINK_TALK_H

#include "link/wire.h"

/// Bytes of the longest payload.
enum { FF_TALK_ROOM = FF_TELEGRAM_MOST - FF_TELEGRAM_HEAD_SIZE - FF_TELEGRAM_SUM_SIZE };

/// One end of a conversation.
typedef struct ff_talk {
    ff_wire *wire;
    ff_link_options options;
    uint64_t interface; // hash of the interface; 0: not known yet
    uint32_t sequence;  // of the next telegram
    ff_link_counts counts;
    unsigned char out[FF_TELEGRAM_MOST], in[FF_TELEGRAM_MOST];
} ff_talk;

enum { FF_TALK_WORDS = 300 }; // characters of a reason that travel, and that are repeated to people

/// A telegram that came.
typedef struct ff_heard {
    bool any; // false: nothing came, or nothing of worth
    ff_telegram head;
    const unsigned char *payload;
    size_t size;
} ff_heard;

void ff_talk_begin(ff_talk *talk, ff_wire *wire, const ff_link_options *options);
/// Sends `payload` bytes that lie at talk->out + FF_TELEGRAM_HEAD_SIZE. Type, counter, time and `sent` come from
/// `head`. @return FF_LIMIT where they are too many
ff_status ff_talk_send(ff_talk *talk, ff_telegram head, size_t payload, ff_error *err);
/// A telegram whose payload is a text, "" for none.
ff_status ff_talk_say(ff_talk *talk, ff_telegram_type type, const char *text, ff_error *err);
/// Ends the conversation. Nobody answers it, so it is said five times: one may be lost.
void ff_talk_say_bye(ff_talk *talk, const char *why);
/// Waits for a telegram and judges it: damaged and foreign ones are counted and dropped. HELLO and INTERFACE may have
/// any interface.
/// @param seconds  at most; not negative
/// @return FF_OK; FF_STOPPED where the other end has gone or `stop` says so
ff_status ff_talk_listen(ff_talk *talk, double seconds, ff_heard *out, ff_error *err);

/// Now, for telegrams.  [ns]
int64_t ff_link_nanoseconds(void);

#endif
