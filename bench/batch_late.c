// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Robots march on a plane; on hills, each at its own place, with its own friction and mass; and there with a delay of
// its own, too. All targets of a period lie where the robots are and are copied every 10 ms, as a policy on the device
// would write them: on a device nothing is moved. On a device it is real time, else processor time of one
// thread.
#include "batch_late.h"

#include "clock.h"
#include "device_memory.h"

enum { SEEN = 3, TWINS = 64, DELAY_ROW = 4, ROOT = 7 }; // positions of the root come first
static const char *const WATCHED[SEEN] = {"root.x", "root.y", "ground"};
static const double MARGIN = 0.4;   // from the border of the field to the middle of a robot  [m]
static const double NOTICED = 1e-3; // by which a delay moves some joint of a robot in a period  [rad]
static const double SHARE = 0.95;   // of robots that feel it: some stand while their targets do

typedef struct crowd {
    const march_script *script;
    ff_batch *batch;
    double *targets, *table; // of now, and of all periods
    size_t count;            // of numbers of one period
    bool device;
    int laps; // periods of the march in a block of the measurement
} crowd;

/// What differs from robot to robot, the delay last: without it all others are drawn alike.
static int list_spreads(double half, bool late, ff_batch_spread out[DELAY_ROW + 1])
{
    const double reach = half - MARGIN;
    out[0] = (ff_batch_spread){.quantity = FF_BATCH_FRICTION, .low = 0.6, .high = 1.2};
    out[1] = (ff_batch_spread){.quantity = FF_BATCH_MASS, .low = 0.8, .high = 1.2};
    out[2] = (ff_batch_spread){.quantity = FF_BATCH_START_X, .low = -reach, .high = reach};
    out[3] = (ff_batch_spread){.quantity = FF_BATCH_START_Y, .low = -reach, .high = reach};
    out[DELAY_ROW] = (ff_batch_spread){.quantity = FF_BATCH_DELAY, .low = 2, .high = LATE_MOST};
    return late ? DELAY_ROW + 1 : DELAY_ROW;
}

static ff_batch *make(const ff_batch_model *model, int robots, const ff_batch_spread *spreads, int nspread,
                      const late_options *options)
{
    ff_error err = {0};
    ff_batch_options o = {.robots = robots,
                          .threads = 1,
                          .device = options->device,
                          .fast = options->fast,
                          .single = options->single,
                          .seed = 1,
                          .spreads = spreads,
                          .nspread = nspread,
                          .observe = WATCHED,
                          .nobserve = SEEN};
    ff_batch_default_falls(model, &o.least_height, &o.most_tilt);
    ff_batch *b = ff_batch_create(model, &o, &err);
    if (!b) memory_fail(err.text);
    return b;
}

/// Targets of all periods, in the order of the batch.
static double *write_table(const march_script *s, int robots, const ff_batch_view *view, size_t count, bool device)
{
    double *one = calloc(count, sizeof *one), *out = memory_take(SCRIPT_PERIODS * count, device);
    if (!one) memory_fail("no memory for targets");
    for (int k = 0; k < SCRIPT_PERIODS; k++) {
        for (int i = 0; i < robots; i++) {
            double *to = one + i / view->lanes * view->block_stride + i % view->lanes;
            for (int j = 0; j < s->joints; j++) to[j * view->row_stride] = script_at(s, k, i)[j];
        }
        memory_send(out + (size_t)k * count, one, count, device);
    }
    free(one);
    return out;
}

/// @param table  of a batch of the same layout; NULL: it writes its own
static crowd gather(const march_script *script, int robots, ff_batch *batch, const late_options *options, double *table)
{
    ff_batch_view view;
    if (ff_batch_view_of(batch, FF_BATCH_ARRAY_POSITION, &view, NULL)) memory_fail("there are no targets");
    const size_t count = (size_t)(view.block_stride * view.blocks);
    return (crowd){.script = script,
                   .batch = batch,
                   .targets = view.data,
                   .table = table ? table : write_table(script, robots, &view, count, options->device),
                   .count = count,
                   .device = options->device,
                   .laps = 1};
}

static double march_on(void *context)
{
    const crowd *c = context;
    const clockid_t clock = c->device ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID;
    const double start = clock_read(clock);
    for (int k = 0; k < c->laps * SCRIPT_PERIODS; k++) {
        ff_error err = {0};
        memory_copy(c->targets, c->table + (size_t)(k % SCRIPT_PERIODS) * c->count, c->count, c->device);
        if (ff_batch_step(c->batch, SCRIPT_STEPS, &err)) memory_fail(err.text);
    }
    return clock_read(clock) - start;
}

// ------------------------------------------------------------------------------------------ is it what it is called?

static bool complain(const char *text)
{
    fprintf(stderr, "bench_batch: not what was to be measured: %s\n", text);
    return false;
}

static double *read_all(ff_batch *b, ff_batch_array array, int columns)
{
    double *out = calloc((size_t)ff_batch_get_options(b)->robots * (size_t)columns, sizeof *out);
    ff_error err = {0};
    if (!out || ff_batch_read(b, array, out, &err)) memory_fail(out ? err.text : "no memory");
    return out;
}

/// Largest difference of two states of a robot.
static double apart(const double *a, const double *b, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

/// Share of the robots that a delay moved, and how far it moved a joint at most.  [-, rad]
static void compare(const crowd *prompt, const crowd *late, int robots, double out[2])
{
    const int nq = ff_batch_model_sizes(ff_batch_get_model(late->batch)).nq;
    double *a = read_all(prompt->batch, FF_BATCH_ARRAY_Q, nq), *b = read_all(late->batch, FF_BATCH_ARRAY_Q, nq);
    out[0] = out[1] = 0.0;
    for (int i = 0; i < robots; i++) {
        const size_t joints = (size_t)i * (size_t)nq + ROOT;
        const double moved = apart(a + joints, b + joints, nq - ROOT);
        out[0] += (moved > NOTICED) / (double)robots, out[1] = fmax(out[1], moved);
    }
    free(a), free(b);
}

static void widen(double range[2], double value)
{
    range[0] = fmin(range[0], value), range[1] = fmax(range[1], value);
}

/// Draws and places of the robots as ranges, and that robots without a delay drew the same but for it.
static bool check_draws(const crowd *prompt, const crowd *late, int robots)
{
    double drawn[DELAY_ROW + 1][2], *seen, place[SEEN][2], value, other;
    bool alike = true;
    for (int k = 0; k <= DELAY_ROW; k++) drawn[k][0] = INFINITY, drawn[k][1] = -INFINITY;
    for (int k = 0; k < SEEN; k++) place[k][0] = INFINITY, place[k][1] = -INFINITY;
    if (ff_batch_observe_all(late->batch, NULL)) memory_fail("nothing is observed");
    seen = read_all(late->batch, FF_BATCH_ARRAY_OBSERVATION, SEEN);
    for (int i = 0; i < robots; i++) {
        for (int k = 0; k < SEEN; k++) widen(place[k], seen[SEEN * i + k]);
        for (int k = 0; k <= DELAY_ROW; k++) {
            ff_batch_get_draw(late->batch, i, k, &value, NULL);
            widen(drawn[k], value);
            if (k < DELAY_ROW) ff_batch_get_draw(prompt->batch, i, k, &other, NULL), alike = alike && value == other;
        }
    }
    free(seen);
    printf("  draws:");
    for (int k = 0; k <= DELAY_ROW; k++)
        printf(" %s %.3g..%.3g", ff_batch_spread_name(late->batch, k), drawn[k][0], drawn[k][1]);
    printf("; robots at x %.2f..%.2f m, y %.2f..%.2f m, on ground %.1f..%.1f mm high\n", place[0][0], place[0][1],
           place[1][0], place[1][1], 1e3 * place[2][0], 1e3 * place[2][1]);
    bool differ = true; // 16 draws span half of a range but once in 10^4 runs, and the seed is fixed
    for (int k = 0; k <= DELAY_ROW; k++) {
        const ff_batch_spread *s = &ff_batch_get_options(late->batch)->spreads[k];
        differ = differ && (robots < 16 || drawn[k][1] - drawn[k][0] > 0.5 * (s->high - s->low));
    }
    if (!alike) return complain("robots with and without a delay drew other numbers");
    return differ || complain("draws of robots are alike");
}

static int count_stops(const ff_model *model, const ff_batch_model *batch)
{
    int stops = 0;
    for (int i = 0; i < ff_batch_model_sizes(batch).nservo; i++)
        stops += model->joints[ff_batch_servo_joint(batch, i)].limited;
    return stops;
}

/// The first robots once more on the processor: how many do it is all the same to a robot.
static bool check_twins(const crowd *late, const late_models *models, const ff_batch_spread *spreads, int nspread,
                        bool exact)
{
    const march_script *s = late->script;
    const int twins = s->robots < TWINS ? s->robots : TWINS, nq = ff_batch_model_sizes(models->late).nq;
    const late_options plain = {0};
    crowd twin = gather(s, twins, make(models->late, twins, spreads, nspread, &plain), &plain, NULL);
    march_on(&twin);
    double *a = read_all(late->batch, FF_BATCH_ARRAY_Q, nq), *b = read_all(twin.batch, FF_BATCH_ARRAY_Q, nq);
    const double most = apart(a, b, twins * nq);
    printf("  %d robots are %g m or rad from those of one thread of the processor\n", twins, most);
    free(a), free(b);
    memory_release(twin.table, false);
    ff_batch_destroy(twin.batch);
    return !exact || most == 0.0 || complain("bits are not those of the processor");
}

static bool check(const crowd *prompt, const crowd *late, const late_models *models, const ff_batch_spread *spreads)
{
    const march_script *s = late->script;
    const ff_batch_options *o = ff_batch_get_options(late->batch);
    const int stops = count_stops(s->how->model, models->late);
    double moved[2];
    compare(prompt, late, s->robots, moved);
    printf(
        "  %d stops of %d joints; the delay moved joints of %.1f %% of the robots, by up to %.3f rad within a period\n",
        stops, s->joints, 100.0 * moved[0], moved[1]);
    bool fine = check_draws(prompt, late, s->robots);
    fine = check_twins(late, models, spreads, o->nspread, !o->fast && !o->single) && fine;
    if (stops < s->joints) fine = complain("a joint has no stop");
    if (moved[0] < SHARE) fine = complain("the delay does not act");
    return fine;
}

// ------------------------------------------------------------------------------------------ the measurement

enum { PLANE, HILLS, LATE, CASES };

bool late_measure(const march_script *script, const late_models *models, const late_options *options)
{
    static const char *const names[CASES] = {"plane", "hills, randomised", "servos with a delay on hills, randomised"};
    const ff_batch_model *const of[CASES] = {models->plane, models->hills, models->late};
    const double work = (double)script->robots * SCRIPT_PERIODS * SCRIPT_STEPS;
    const int rounds = options->device ? 3 : 15;
    crowd crowds[CASES];
    double best[CASES];
    ff_batch_spread spreads[DELAY_ROW + 1];
    for (int k = 0; k < CASES; k++) {
        const int nspread = list_spreads(models->half, k == LATE, spreads);
        ff_batch *batch = make(of[k], script->robots, spreads, k == PLANE ? 0 : nspread, options);
        if (k == 0 && options->device) memory_find_driver();
        crowds[k] = gather(script, script->robots, batch, options, k > 0 ? crowds[0].table : NULL);
        best[k] = INFINITY;
        march_on(&crowds[k]); // warm
    }
    const bool fine = check(&crowds[HILLS], &crowds[LATE], models, spreads);
    for (int k = 0; k < CASES; k++) crowds[k].laps = options->device ? 20 : 1;
    for (int r = 0; r < rounds; r++)
        for (int k = 0; k < CASES; k++) best[k] = fmin(best[k], march_on(&crowds[k]) / crowds[k].laps);
    for (int k = 0; k < CASES; k++) {
        const int lives = ff_batch_count(crowds[k].batch, FF_BATCH_LIVES);
        printf("%d robots, kernel %s%s: %-42s %12.0f steps/s, %.2f of the plane", script->robots,
               ff_batch_kernel_name(crowds[k].batch),
               options->fast     ? ", fast"
               : options->single ? ", single"
                                 : "",
               names[k], work / best[k], best[PLANE] / best[k]);
        printf(lives < script->robots ? ", %d ended\n" : "\n", script->robots - lives);
        ff_batch_destroy(crowds[k].batch);
    }
    memory_release(crowds[0].table, options->device);
    return fine;
}
