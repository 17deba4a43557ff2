// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Touch probe of a servo drive (amplifier.h), CiA 402: stores the position of the index mark of the encoder. Objects
// 60B8 function, 60B9 status, 60BA position. Only probe 1 is supported, with the index mark as its source, at the
// positive edge.
#include "hardware/amplifier.h"

enum { ENABLE = 0x01, CONTINUOUS = 0x02, SOURCE = 0x0C, AT_INDEX = 0x04, POSITIVE = 0x10 }; // 60B8
enum { ENABLED = 0x01, STORED = 0x02 };                                                     // 60B9

void ff_amplifier_step_probe(ff_amplifier *s, ff_ec_drive *o, const ff_amplifier_inputs *in)
{
    const bool on = (o->probe & ENABLE) && (o->probe & SOURCE) == AT_INDEX && in->has_indices;
    const bool wants = on && (o->probe & POSITIVE) && (!s->probe.stored || o->probe & CONTINUOUS);
    if (!on) s->probe.stored = false;
    if (wants && in->indexed && (!s->probe.stored || in->mark != s->probe.mark)) {
        s->probe.stored = true;
        s->probe.mark = in->mark;
        o->probe_position = ff_amplifier_object(s, o, (int32_t)((uint32_t)in->mark - (uint32_t)s->zero));
    }
    o->probe_status = (uint16_t)((on ? ENABLED : 0) | (s->probe.stored ? STORED : 0));
}
