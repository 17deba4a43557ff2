// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Distributed clocks. Each slave has a clock of its own, which starts anywhere and drifts; the master measures when a
// frame passes the ports, and sets
//     distributed time = local + offset - delay,
// which is the time at the reference clock when the frame passed that. What the master writes to the distributed time
// never sets it: it feeds a loop that corrects phase and speed of the local clock.
//
// The loop is proportional and integral, per write, with T the time since the last one:
//     phase -= e / 2, at most T / 10;    rate -= e / (20 T), within 0.1 %.
// e' = e/2 + T r' and r' = r - e / (20 T) give z^2 - 1.45 z + 0.5 = 0, poles of modulus 0.71: an error falls below 1 %
// in 14 writes. The gains are the project's choice; real chips count single nanoseconds.
#include "slave/slave.h"

#include <math.h>

enum { SYNCS_MOST = 16 };

static uint64_t local_time(const ff_ec_clock *clock, uint64_t now)
{
    const int64_t elapsed = (int64_t)(now - clock->now0); // negative between the ports of one frame
    const double beyond = (double)elapsed * (clock->drift + clock->rate) + clock->fraction;
    return clock->local + (uint64_t)(elapsed + (int64_t)floor(beyond));
}

uint64_t ff_ec_clock_time(const ff_ec_esc *esc, uint64_t now)
{
    return local_time(&esc->clock, now) + ff_get_u64(esc->memory + FF_EC_REG_DC_OFFSET) -
           ff_ec_reg32(esc, FF_EC_REG_DC_DELAY);
}

/// The clock continues from its present value plus `step`, at its present speed.
static void advance_clock(ff_ec_clock *clock, uint64_t now, double step)
{
    const double elapsed = (double)(int64_t)(now - clock->now0);
    const double beyond = elapsed * (clock->drift + clock->rate) + clock->fraction + step, whole = floor(beyond);
    clock->local += now - clock->now0 + (uint64_t)(int64_t)whole;
    clock->fraction = beyond - whole;
    clock->now0 = now;
}

static void restart_loop(ff_ec_clock *c, uint64_t now)
{
    advance_clock(c, now, 0.0);
    c->rate = c->difference = 0.0;
    c->written = 0;
}

/// After a loss of power the clock begins at 0.
void ff_ec_clock_reset(ff_ec_esc *esc, uint64_t now)
{
    restart_loop(&esc->clock, now);
    esc->clock.local = 0;
    esc->clock.fraction = 0.0;
    esc->clock.armed = false;
}

void ff_ec_clock_latch(ff_ec_esc *esc)
{
    const uint64_t now = esc->clock.latched, sent = now - esc->arrival[0];
    for (int p = 0; p < FF_EC_PORTS; p++)
        if (p == 0 || esc->arrival[p]) // a closed port keeps its time
            ff_put_u32(esc->memory + FF_EC_REG_DC_RECEIVED + 4 * p,
                       (uint32_t)local_time(&esc->clock, sent + esc->arrival[p]));
    ff_put_u64(esc->memory + FF_EC_REG_DC_UNIT, local_time(&esc->clock, now));
}

static double clamp(double x, double limit)
{
    return x > limit ? limit : x < -limit ? -limit : x;
}

static void feed_loop(ff_ec_esc *esc, uint64_t now)
{
    ff_ec_clock *c = &esc->clock;
    const uint32_t received = ff_ec_reg32(esc, FF_EC_REG_DC_TIME);
    const double error = (double)(int32_t)((uint32_t)ff_ec_clock_time(esc, now) - received);
    const double samples = (double)(1U << (esc->memory[0x0934] & 15U)); // of the averaging filter
    c->difference += (error - c->difference) / samples;
    if (c->written && now > c->written) {
        const double period = (double)(now - c->written);
        advance_clock(c, now, -clamp(0.5 * error, 0.1 * period));
        c->rate = clamp(c->rate - clamp(0.05 * error / period, 1e-4), 1e-3);
    }
    c->written = now;
}

static void arm(ff_ec_esc *esc, uint64_t now)
{
    ff_ec_clock *c = &esc->clock;
    const bool wanted =
        (esc->memory[FF_EC_REG_DC_ACTIVATION] & (FF_EC_DC_ON | FF_EC_DC_SYNC0)) == (FF_EC_DC_ON | FF_EC_DC_SYNC0);
    if (wanted && !c->armed) c->next_sync = ff_get_u64(esc->memory + FF_EC_REG_DC_START);
    c->armed =
        wanted && (c->armed || c->next_sync > ff_ec_clock_time(esc, now)); // a start time in the past never fires
}

void ff_ec_clock_written(ff_ec_esc *esc, unsigned from, unsigned end, uint64_t now)
{
    if (from == FF_EC_REG_DC_RECEIVED) {
        esc->clock.latched = now;
        esc->work |= FF_EC_WORK_LATCH;
    }
    if (from == FF_EC_REG_DC_TIME && end >= FF_EC_REG_DC_TIME + 4) feed_loop(esc, now);
    if (from == FF_EC_REG_DC_SPEED) restart_loop(&esc->clock, now);
    if (end == FF_EC_REG_DC_ACTIVATION + 1) arm(esc, now);
}

void ff_ec_clock_fill(ff_ec_esc *esc, uint64_t now)
{
    const ff_ec_clock *c = &esc->clock;
    const double difference = clamp(c->difference, 2147483647.0);
    ff_put_u64(esc->memory + FF_EC_REG_DC_TIME, ff_ec_clock_time(esc, now));
    ff_put_u32(esc->memory + FF_EC_REG_DC_DIFFERENCE,
               (uint32_t)fabs(difference) | (difference < 0.0 ? UINT32_C(0x80000000) : 0));
    if (c->armed) ff_put_u64(esc->memory + FF_EC_REG_DC_START, c->next_sync);
}

bool ff_ec_clock_sync0(ff_ec_esc *esc, uint64_t now, uint64_t *time)
{
    ff_ec_clock *c = &esc->clock;
    const uint64_t present = ff_ec_clock_time(esc, now);
    if (!c->armed || present < c->next_sync) return false;
    const uint32_t cycle = ff_ec_reg32(esc, FF_EC_REG_DC_CYCLE0);
    const uint64_t most = (uint64_t)cycle * SYNCS_MOST; // after a pause the older ones are dropped
    if (cycle && present - c->next_sync > most) c->next_sync += (present - c->next_sync - most) / cycle * cycle;
    *time = c->next_sync;
    c->next_sync += cycle;
    c->armed = cycle > 0; // 0: a single pulse
    return true;
}
