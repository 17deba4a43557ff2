// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Section 4 writes the controller's targets to the drives. In bus cycles between two targets, positions are
// extrapolated by their velocity,
//     x(t_k + j dt) = x_k + j dt v_k
// A target is valid if it has the working counter of the frame it answers; otherwise the last one continues.
#include "hardware/layer.h"

/// Sets the targets to those of the answer; items without a value keep their last one.
static void use_answer(ff_hardware *h)
{
    const ff_io_item *items = ff_io_items_of(h->answer);
    for (int i = 0; i < h->wiring.ndrive; i++)
        for (int k = 0; k < 3; k++) {
            const int item = h->wiring.drives[i].references[k];
            if (item >= 0 && ff_io_known(&items[item])) h->references[i][k] = items[item].value;
        }
    ff_drives_from_references(&h->wiring, (const double(*)[3])h->references, h->targets);
    h->has_target = true;
    h->target_cycle = h->number;
}

/// Uses an answer with the right counter: in lockstep once a cycle of the controller, in real time when there is one.
static void check_answer(ff_hardware *h)
{
    const bool due = h->options.wall ? h->answered : h->number % h->every == 0;
    const uint32_t delay = h->options.wall ? 1 : 0, expected = h->counter - delay;
    if (!due || h->published <= delay) return; // no frame has been published that it could answer
    if (h->answered && h->answer->sequence == expected) {
        h->mismatched = 0;
        use_answer(h);
    } else {
        h->mismatched++;
        h->received_counter = h->answer->sequence;
        h->expected = expected;
        h->counts.mismatches++;
    }
    h->answered = false;
}

void ff_hardware_begin_blend(ff_hardware *h)
{
    for (int i = 0; i < h->wiring.ndrive; i++) {
        h->hold[i][0] = h->targets[i][0] = h->drives[i].commanded;
        h->hold[i][1] = h->targets[i][2] = h->drives[i].force;
        h->targets[i][1] = 0.0;
    }
    h->has_target = h->answered = false;
    h->published = 0;
    h->mismatched = 0;
    ff_references_from_drives(&h->wiring, (const double(*)[3])h->targets, h->references);
}

void ff_hardware_stop(ff_hardware *h)
{
    for (int i = 0; i < h->wiring.ndrive; i++)
        ff_device_drive_command(&h->drives[i], h->drives[i].commanded, 0.0, h->drives[i].force);
}

void ff_section_targets(ff_hardware *h)
{
    const double u = (h->now - h->since) / h->options.blend;
    const bool blends = h->options.blend > 0.0 && u < 1.0;
    const double s = blends ? u * u * (3.0 - 2.0 * u) : 1.0;
    const double rate = blends ? 6.0 * u * (1.0 - u) / h->options.blend : 0.0;
    if (h->state != FF_HARDWARE_ACTIVE) return;
    check_answer(h);
    if (!h->has_target) return;
    const double elapsed = (double)(h->number - h->target_cycle) * h->bus.period; // since the time of the target  [s]
    for (int i = 0; i < h->wiring.ndrive; i++) {
        const double *hold = h->hold[i], *target = h->targets[i];
        const double x = target[0] + elapsed * target[1], force = target[2];
        ff_device_drive_command(&h->drives[i], blends ? hold[0] + s * (x - hold[0]) : x,
                                s * target[1] + rate * (x - hold[0]), blends ? hold[1] + s * (force - hold[1]) : force);
    }
}
