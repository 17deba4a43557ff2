// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The plan of free legs by itself: six tips under a body that follows the plan without error, on ground of any height.
// What is promised: never fewer than three legs DOWN, no neighbours in the air together, tips within their boundaries,
// no standstill for ever, and the speed of the formula
//     v = N l / (l/v_f + t_u + l/v_b + t_d + t_s).
#include "check.h"

#include "gait/free_plan.h"

#include <footfall/balance.h>
#include <footfall/base.h>
#include <math.h>
#include <string.h>

static const double TICK = 1e-3; // [s]

/// The servo hexapod in its stand: hips, coxa 0.03, femur 0.08 raised by 30 degrees, tibia 0.12 upright.
static ff_free_plan make_plan(const ff_free_legs_options *options)
{
    static const double side[6] = {1, -1, 1, -1, 1, -1}, row[6] = {1, 1, 0, 0, -1, -1};
    ff_free_plan plan = {.options = *options, .n = 6, .height = 0.08};
    const double reach = 0.03 + 0.08 * cos(FF_PI / 6), out = FF_PI / 6;
    for (int i = 0; i < 6; i++) {
        plan.centre[i][0] = row[i] * (0.11 + reach * sin(out));
        plan.centre[i][1] = side[i] * (row[i] == 0 ? 0.09 + reach : 0.07 + reach * cos(out));
        plan.centre[i][2] = -0.08;
    }
    ff_free_plan_order(&plan);
    return plan;
}

static double air_time(const ff_free_legs_options *o)
{
    return o->lift_height / o->lift_speed + 2.0 * o->radius / o->air_speed + o->lift_height / o->lay_speed;
}

/// Mean speed of the body when every leg cycle has N strokes that move it, 1 when the body waits while legs return and
/// 2 for two groups in turns, and loses the time t_s by waiting.
static double formula_speed(const ff_free_legs_options *o, int strokes, double lost)
{
    const double step = 2.0 * o->radius;
    return strokes * step / (step / o->ground_speed + air_time(o) + lost);
}

/// Least t_s of two groups in turns: one group cannot lift before the other is DOWN.
static double least_lost(const ff_free_legs_options *o)
{
    return fabs(2.0 * o->radius / o->ground_speed - air_time(o));
}

/// The default numbers, with a body that starts and stops at once, as the formula of the speed has it.
static ff_free_legs_options at_once(void)
{
    ff_free_legs_options o = ff_free_legs_options_default();
    o.acceleration = 0.0;
    return o;
}

/// The world as the plan sees it.
typedef struct world {
    ff_free_plan plan;
    ff_free_memory memory;
    double (*ground)(double x, double y); // height, NULL: flat
    double x, y, z, yaw;                  // of the body
    double way;                           // of the body, along its path  [m]
    double t;
    int least_down;
    double farthest;         // of a tip from the middle of its boundary  [m]
    bool neighbours;         // two neighbours were in the air together
    double least_margin;     // [m]
    double longest_standing; // while the body should move  [s]
} world;

static world begin(const ff_free_legs_options *options)
{
    world w = {.plan = make_plan(options), .z = 0.08, .least_down = 6, .least_margin = INFINITY};
    ff_free_plan_start(&w.plan, &w.memory);
    return w;
}

static void place_of(const world *w, const double tip[3], double at[2])
{
    at[0] = w->x + cos(w->yaw) * tip[0] - sin(w->yaw) * tip[1];
    at[1] = w->y + sin(w->yaw) * tip[0] + cos(w->yaw) * tip[1];
}

static double ground_under(const world *w, int i)
{
    double at[2];
    place_of(w, w->memory.legs[i].tip, at);
    return w->ground ? w->ground(at[0], at[1]) : 0.0;
}

/// The body rides on the legs that are DOWN: it rises as far as they are pushed down, and keeps level.
static void carry_body(world *w, const ff_free_memory *before)
{
    double rise = 0.0;
    int count = 0;
    for (int i = 0; i < w->plan.n; i++) {
        if (before->legs[i].state != FF_FREE_LEG_DOWN || w->memory.legs[i].state != FF_FREE_LEG_DOWN) continue;
        rise += before->legs[i].tip[2] - w->memory.legs[i].tip[2];
        count++;
    }
    w->z += count > 0 ? rise / count : 0.0;
    const double *m = w->memory.motion;
    w->x += TICK * (cos(w->yaw) * m[0] - sin(w->yaw) * m[1]);
    w->y += TICK * (sin(w->yaw) * m[0] + cos(w->yaw) * m[1]);
    w->yaw += TICK * m[2];
    w->way += TICK * sqrt(m[0] * m[0] + m[1] * m[1]);
    w->t += TICK;
}

static void watch(world *w, double *standing)
{
    const ff_free_memory *m = &w->memory;
    for (int i = 0; i < w->plan.n; i++) {
        const double *c = w->plan.centre[i], *s = m->legs[i].tip;
        w->farthest = fmax(w->farthest, sqrt((s[0] - c[0]) * (s[0] - c[0]) + (s[1] - c[1]) * (s[1] - c[1])));
        for (int k = 0; k < 2 && m->legs[i].state != FF_FREE_LEG_DOWN; k++)
            if (m->legs[w->plan.neighbour[i][k]].state != FF_FREE_LEG_DOWN) w->neighbours = true;
    }
    if (m->down < w->least_down) w->least_down = m->down;
    w->least_margin = fmin(w->least_margin, ff_free_plan_margin(&w->plan, m, -1));
    *standing = m->stopped ? *standing + TICK : 0.0;
    w->longest_standing = fmax(w->longest_standing, *standing);
}

static void walk(world *w, double seconds)
{
    double standing = 0.0;
    for (int k = 0; k < (int)(seconds / TICK + 0.5); k++) {
        const ff_free_memory before = w->memory;
        ff_free_touch touch[FF_FREE_LEGS_MAX];
        for (int i = 0; i < w->plan.n; i++)
            touch[i] =
                w->z + before.legs[i].tip[2] <= ground_under(w, i) + 1e-9 ? FF_FREE_TOUCH_GROUND : FF_FREE_TOUCH_NONE;
        ff_free_plan_tick(&w->plan, &w->memory, TICK, touch);
        carry_body(w, &before);
        watch(w, &standing);
    }
}

static void check_rules(const world *w)
{
    CHECK(w->least_down >= 3);
    CHECK(!w->neighbours);
    CHECK_BELOW(w->farthest, w->plan.options.radius * (1.0 + 1e-12));
}

/// Mean speed over `cycles` whole cycles of leg 0, after two of them; the cycles begin when it lifts.
static double steady_speed(world *w, int cycles, double *period)
{
    double from = 0.0, start = 0.0;
    for (int n = -2, last = FF_FREE_LEG_DOWN; w->t < 100.0;) {
        walk(w, TICK);
        const int state = w->memory.legs[0].state;
        if (state == FF_FREE_LEG_LIFTING && last == FF_FREE_LEG_DOWN && ++n == 0) {
            from = w->way;
            start = w->t;
        }
        if (n == cycles && state == FF_FREE_LEG_LIFTING) break;
        last = state;
    }
    *period = (w->t - start) / cycles;
    return (w->way - from) / (w->t - start);
}

// Table of the servo hexapod: 0.08/(0.32 + 0.10 + 0.20 + 0.15) m/s and twice that.
TEST(the_formula_gives_the_numbers_of_the_reference)
{
    const ff_free_legs_options o = at_once();
    CHECK_NEAR(formula_speed(&o, 1, 0.0), 0.08 / 0.77, 1e-15);
    CHECK_NEAR(formula_speed(&o, 2, 0.0), 0.16 / 0.77, 1e-15);
    CHECK_NEAR(least_lost(&o), 0.45 - 0.32, 1e-15);
}

// Two groups of three form by themselves. A group cannot lift before the other stands, hence t_s = 0.45 - 0.32 s.
TEST(straight_walking_meets_the_formula_with_two_strokes)
{
    const ff_free_legs_options o = at_once();
    world w = begin(&o);
    double period;
    w.memory.command.velocity[0] = o.ground_speed;
    const double v = steady_speed(&w, 10, &period);
    // a handful of ticks a cycle: every change of state waits for the next one
    const double expected = formula_speed(&o, 2, least_lost(&o));
    printf("  %.4f m/s, formula %.4f; cycle %.4f s of %.4f; margin %.1f mm\n", v, expected, period, 0.90,
           1e3 * w.least_margin);
    CHECK_NEAR(period, 0.90, 10 * TICK);
    CHECK_NEAR(v, expected, expected * 10 * TICK / 0.90);
    check_rules(&w);
    CHECK(w.least_margin > 0.0);
    const ff_free_memory *m = &w.memory; // leg 0 has just been lifted, and with it 3 and 4
    for (int i = 0; i < 6; i++) CHECK_INT(m->legs[i].state != FF_FREE_LEG_DOWN, i == 0 || i == 3 || i == 4);
}

// A body that brakes before it must stop, and starts gradually, is hardly slower: it uses the time in which it would
// have to stand.
TEST(starting_and_stopping_gradually_costs_little)
{
    const ff_free_legs_options o = ff_free_legs_options_default();
    world w = begin(&o);
    double period, last = 0.0, most = 0.0;
    w.memory.command.velocity[0] = o.ground_speed;
    for (int k = 0; k < 10000; k++) {
        walk(&w, TICK);
        if (w.t > 2.0) most = fmax(most, fabs(w.memory.motion[0] - last) / TICK); // at the start all legs ask together
        last = w.memory.motion[0];
    }
    const double v = steady_speed(&w, 10, &period), expected = formula_speed(&o, 2, least_lost(&o));
    printf("  %.4f m/s, formula %.4f; %.1f m/s^2 at most\n", v, expected, most);
    check_rules(&w);
    CHECK_NEAR(v, expected, 0.02 * expected); // steps end a millimetre before the rim, 1.25 %
    // the last millimetre is not crept through: what is left of the speed there, sqrt(2 a 1 mm), is taken at once
    CHECK_BELOW(most * TICK, sqrt(2.0 * o.acceleration * 1e-3) + o.acceleration * TICK);
}

// Where a step takes as long as the way back, nobody waits: t_s = 0, and the body moves at v_f all the time.
TEST(matched_speeds_lose_no_time)
{
    ff_free_legs_options o = at_once();
    o.ground_speed = 0.08 / 0.45;
    world w = begin(&o);
    double period;
    w.memory.command.velocity[0] = 1.0;
    const double v = steady_speed(&w, 10, &period);
    CHECK_NEAR(least_lost(&o), 0.0, 1e-15);
    CHECK_NEAR(formula_speed(&o, 2, 0.0), o.ground_speed, 1e-15);
    printf("  %.4f m/s of %.4f\n", v, o.ground_speed);
    CHECK_NEAR(v, o.ground_speed, o.ground_speed * 10 * TICK / 0.90);
}

// When the body waits while legs return, a cycle has one stroke: all six legs push, then each group goes back. What a
// leg loses is the way back of the others.
TEST(a_body_that_waits_meets_the_formula_with_one_stroke)
{
    ff_free_legs_options o = at_once();
    o.waits = true;
    world w = begin(&o);
    double period;
    w.memory.command.velocity[0] = o.ground_speed;
    const double v = steady_speed(&w, 10, &period), expected = formula_speed(&o, 1, 0.45);
    printf("  %.4f m/s, formula %.4f; cycle %.4f s of %.4f\n", v, expected, period, 1.22);
    CHECK_NEAR(v, expected, expected * 10 * TICK / 1.22);
    check_rules(&w);
}

TEST(walking_is_alike_in_every_direction)
{
    const ff_free_legs_options o = at_once();
    const double expected = formula_speed(&o, 2, least_lost(&o));
    for (int k = 0; k < 24; k++) {
        const double a = k * FF_PI / 12;
        world w = begin(&o);
        double period;
        w.memory.command.velocity[0] = o.ground_speed * cos(a);
        w.memory.command.velocity[1] = o.ground_speed * sin(a);
        CHECK_NEAR(steady_speed(&w, 5, &period), expected, expected * 10 * TICK / 0.90);
        CHECK_NEAR(atan2(w.y, w.x), a > FF_PI + 0.1 ? a - 2 * FF_PI : a, 1e-9);
        check_rules(&w);
    }
}

// "when robot is moving and rotating at the same time, synchronization is lost and resulting movement is slower"
TEST(turning_while_walking_is_slower)
{
    const ff_free_legs_options o = at_once();
    double speed[2];
    for (int k = 0; k < 2; k++) {
        world w = begin(&o);
        w.memory.command.velocity[0] = 0.15;
        w.memory.command.turn = 0.5 * k;
        walk(&w, 60.0);
        speed[k] = w.way / w.t;
        check_rules(&w);
        printf("  turn %.1f rad/s: %.4f m/s, stood %.1f of 60 s\n", 0.5 * k, speed[k], w.memory.stopped_time);
    }
    CHECK(speed[1] < 0.9 * speed[0]);
}

TEST(it_turns_on_the_spot)
{
    const ff_free_legs_options o = at_once();
    world w = begin(&o);
    w.memory.command.turn = 1.0;
    walk(&w, 20.0);
    check_rules(&w);
    CHECK_NEAR(w.x, 0.0, 1e-12);
    CHECK_NEAR(w.y, 0.0, 1e-12);
    CHECK(w.yaw > 5.0);
    // the outermost tip has v_f and steps like all others; the chord of a step is 2 r, its arc hardly longer
    const double radius = hypot(w.plan.centre[0][0], w.plan.centre[0][1]);
    const double expected = formula_speed(&o, 2, least_lost(&o)) / radius;
    printf("  %.3f rad/s; of two groups %.3f\n", w.yaw / w.t, expected);
    CHECK(w.yaw / w.t > 0.4 * expected && w.yaw / w.t < expected);
}

// Random commands, each for a random time: the rules hold, and the body never stands longer than two groups of legs
// need to return one after the other.
TEST(nobody_waits_for_ever)
{
    const ff_free_legs_options o = at_once();
    ff_random random = ff_random_make(5, 0);
    double longest = 0.0;
    for (int run = 0; run < CHECK_LASTS(40, 8); run++) {
        const ff_free_legs_options smooth = ff_free_legs_options_default();
        world w = begin(run % 2 == 0 ? &o : &smooth);
        while (w.t < 30.0) {
            ff_free_legs_command *c = &w.memory.command;
            for (int k = 0; k < 2; k++) c->velocity[k] = 0.6 * ff_random_uniform(&random) - 0.3;
            c->turn = 3.0 * ff_random_uniform(&random) - 1.5;
            walk(&w, TICK * (1 + (int)(1500 * ff_random_uniform(&random))));
        }
        check_rules(&w);
        CHECK(w.memory.lifts > 60);
        longest = fmax(longest, w.longest_standing);
    }
    printf("  longest standstill %.3f s\n", longest);
    CHECK_BELOW(longest, 2 * 0.45 + 10 * TICK);
}

static double blocks(double x, double y)
{
    const int i = (int)floor(x / 0.06) * 31 + (int)floor(y / 0.06) * 17;
    return 0.02 * ((i % 7 + 7) % 7) / 6.0;
}

// The height at which a leg stands is that of the ground under it, one period of laying late at most; the body stays
// above the mean of the ground.
TEST(legs_find_the_ground_where_it_is)
{
    const ff_free_legs_options o = at_once();
    world w = begin(&o);
    w.ground = blocks;
    w.memory.command.velocity[0] = 0.25;
    double worst = 0.0, low = INFINITY, high = -INFINITY;
    int landings = 0;
    w.plan.options.level_time = INFINITY; // this body keeps level by itself
    for (int k = 0; k < 20000; k++) {
        const ff_free_memory before = w.memory;
        const double z = w.z;
        walk(&w, TICK);
        for (int i = 0; i < 6; i++) {
            if (before.legs[i].state != FF_FREE_LEG_LAYING || w.memory.legs[i].state != FF_FREE_LEG_DOWN) continue;
            double at[2];
            place_of(&w, before.legs[i].tip, at);
            worst = fmax(worst, fabs(z + before.legs[i].tip[2] - blocks(at[0] - TICK * w.memory.motion[0], at[1])));
            landings++;
        }
        if (w.t > 2.0) low = fmin(low, w.z), high = fmax(high, w.z);
    }
    printf("  %d landings, off by %.2f mm at most; body %.1f to %.1f mm\n", landings, 1e3 * worst, 1e3 * low,
           1e3 * high);
    CHECK(landings > 100);
    CHECK_BELOW(worst, 1.5 * o.lay_speed * TICK);
    CHECK(low > 0.08 && high < 0.10); // 0 to 20 mm below it
    check_rules(&w);
}

// A hole deeper than search_depth: the leg stands at its end rather than groping on for ever. A leg without a sensor
// stands at the height of flat ground.
TEST(laying_ends_without_ground)
{
    const ff_free_legs_options o = at_once();
    ff_free_plan plan = make_plan(&o);
    ff_free_memory m;
    for (int k = 0; k < 2; k++) {
        const ff_free_touch touch = k == 0 ? FF_FREE_TOUCH_NONE : FF_FREE_TOUCH_UNKNOWN;
        const ff_free_touch all[6] = {touch, touch, touch, touch, touch, touch};
        ff_free_plan_start(&plan, &m);
        m.command.velocity[0] = 0.25;
        bool landed = false;
        for (int i = 0; i < 800 && !landed; i++) {
            ff_free_plan_tick(&plan, &m, TICK, all);
            landed = m.lifts > 0 && m.down == 6;
        }
        CHECK(landed);
        CHECK_NEAR(m.legs[0].tip[2], k == 0 ? -0.11 : -0.08, 1e-4); // the height of the body moves within the tick
    }
}

// A sensor that still reports the old ground (delayed, stuck) does not end the next landing.
TEST(a_touch_counts_only_after_the_leg_was_free)
{
    const ff_free_legs_options o = at_once();
    ff_free_plan plan = make_plan(&o);
    ff_free_memory m;
    const ff_free_touch stuck[6] = {1, 1, 1, 1, 1, 1};
    ff_free_plan_start(&plan, &m);
    m.command.velocity[0] = 0.25;
    for (int i = 0; i < 800; i++) {
        ff_free_plan_tick(&plan, &m, TICK, stuck);
        if (m.legs[0].state == FF_FREE_LEG_LAYING) break;
    }
    CHECK_INT(m.legs[0].state, FF_FREE_LEG_LAYING);
    ff_free_plan_tick(&plan, &m, TICK, stuck);
    CHECK_INT(m.legs[0].state, FF_FREE_LEG_LAYING);
}

/// Stands for a while; leg 0 feels `touch`, the others the ground. @return how far its tip went down  [m]
static double sinks(const ff_free_plan *plan, ff_free_memory *m, ff_free_touch touch, int ticks)
{
    const ff_free_touch felt[6] = {touch,
                                   FF_FREE_TOUCH_GROUND,
                                   FF_FREE_TOUCH_GROUND,
                                   FF_FREE_TOUCH_GROUND,
                                   FF_FREE_TOUCH_GROUND,
                                   FF_FREE_TOUCH_GROUND};
    const double before = m->legs[0].tip[2];
    for (int i = 0; i < ticks; i++) ff_free_plan_tick(plan, m, TICK, felt);
    return before - m->legs[0].tip[2];
}

// Not for a body that rocks, only for one that has stood askew for a tenth of a second; as fast as the body may rise,
// until it touches, and no deeper than a leg is laid.
TEST(a_standing_leg_without_ground_follows_it)
{
    const ff_free_legs_options o = at_once();
    ff_free_plan plan = make_plan(&o);
    ff_free_memory m;
    ff_free_plan_start(&plan, &m);
    CHECK_NEAR(sinks(&plan, &m, FF_FREE_TOUCH_NONE, 99), 0.0, 0.0);
    CHECK_NEAR(sinks(&plan, &m, FF_FREE_TOUCH_GROUND, 1), 0.0, 0.0);
    CHECK_NEAR(sinks(&plan, &m, FF_FREE_TOUCH_NONE, 100), 0.0,
               TICK * o.body_speed); // it begins again; rounding of 0.1 s
    CHECK_NEAR(sinks(&plan, &m, FF_FREE_TOUCH_NONE, 50), 0.05 * o.body_speed, 2e-4); // [m] less what the body settles
    CHECK(sinks(&plan, &m, FF_FREE_TOUCH_GROUND, 50) <= 0.0);
    CHECK(sinks(&plan, &m, FF_FREE_TOUCH_UNKNOWN, 500) <= 0.0);
    sinks(&plan, &m, FF_FREE_TOUCH_NONE, 5000);
    CHECK(m.legs[0].tip[2] >= -plan.height - o.search_depth - 1e-9);
    CHECK_INT(m.legs[0].state, FF_FREE_LEG_DOWN);
}

TEST(height_changes_on_request_and_no_faster_than_allowed)
{
    const ff_free_legs_options o = at_once();
    world w = begin(&o);
    w.memory.command.height = 0.10;
    double last = w.z, fastest = 0.0;
    for (int k = 0; k < 3000; k++) {
        walk(&w, TICK);
        fastest = fmax(fastest, (w.z - last) / TICK);
        last = w.z;
    }
    CHECK_NEAR(w.z, 0.10, 0.02 * exp(-(3.0 - 0.4) / o.height_time) + 1e-6);
    CHECK_BELOW(fastest, o.body_speed * (1 + 1e-9));
    CHECK_INT(w.memory.lifts, 0);
    w.memory.command.velocity[0] = 0.2; // and it walks there
    walk(&w, 10.0);
    CHECK_NEAR(w.z, 0.10, 1e-3);
    check_rules(&w);
}

TEST(legs_gather_under_the_body)
{
    const ff_free_legs_options o = at_once();
    world w = begin(&o);
    w.memory.command = (ff_free_legs_command){.velocity = {0.2, 0.1}, .turn = 0.4};
    walk(&w, 5.0);
    w.memory.command = (ff_free_legs_command){.gather = true};
    walk(&w, 3.0);
    for (int i = 0; i < 6; i++) {
        CHECK_INT(w.memory.legs[i].state, FF_FREE_LEG_DOWN);
        CHECK_BELOW(fabs(w.memory.legs[i].tip[0] - w.plan.centre[i][0]), 1e-12);
        CHECK_BELOW(fabs(w.memory.legs[i].tip[1] - w.plan.centre[i][1]), 1e-12);
    }
    check_rules(&w);
}

// ------------------------------------------------------------------------------------------ permission

/// A plan that walks ahead, all legs in the middle of their boundaries but those that are `left` from the end of their
/// way.
static ff_free_memory about_to_ask(const ff_free_plan *plan, const int *legs, const double *left, int n)
{
    ff_free_memory m;
    ff_free_plan_start(plan, &m);
    m.command.velocity[0] = plan->options.ground_speed;
    for (int i = 0; i < n; i++) m.legs[legs[i]].tip[0] -= plan->options.radius - left[i];
    return m;
}

static void tick(const ff_free_plan *plan, ff_free_memory *m)
{
    const ff_free_touch touch[6] = {1, 1, 1, 1, 1, 1};
    ff_free_plan_tick(plan, m, TICK, touch);
}

// Front left is up. Rear left has no neighbour in the air and five legs are DOWN, so the centre of mass alone decides:
// the three others and the front right leave it the margin or not. The edge from the front right to the middle left
// foot is at stake where the centre of mass lies ahead, to the left.
TEST(a_leg_lifts_only_if_the_centre_of_mass_stays_within_the_others)
{
    const ff_free_legs_options o = at_once();
    const int asks = 4;
    const double end = 0.0;
    ff_free_plan plan = make_plan(&o);
    const double *a = plan.centre[1], *b = plan.centre[2]; // front right, middle left
    const double dx = b[0] - a[0], dy = b[1] - a[1], edge = sqrt(dx * dx + dy * dy);
    for (int k = -4; k <= 4; k++) {
        const double margin =
            o.margin + (k + (k < 0 ? 0.9 : 0.1)) * 0.005; // [m] half a millimetre less and more than enough
        // from the middle of the edge inwards, to its left as seen from the front right
        plan.com[0] = 0.5 * (a[0] + b[0]) - margin * dy / edge;
        plan.com[1] = 0.5 * (a[1] + b[1]) + margin * dx / edge;
        ff_free_memory m = about_to_ask(&plan, &asks, &end, 1);
        m.legs[0].state = FF_FREE_LEG_UP;
        CHECK_NEAR(ff_free_plan_margin(&plan, &m, asks), margin, 1e-12);
        tick(&plan, &m);
        CHECK_INT(m.legs[asks].state == FF_FREE_LEG_LIFTING, k >= 0);
        CHECK_INT(m.refused, k < 0);
        CHECK_INT(m.stopped, k < 0); // the whole body waits
        // with all legs DOWN it may, so that nobody waits for ever
        m = about_to_ask(&plan, &asks, &end, 1);
        tick(&plan, &m);
        CHECK_INT(m.legs[asks].state, FF_FREE_LEG_LIFTING);
    }
}

// All legs reach the end of their travel together: every second one around the body is answered first, so that three
// lift and none of the others.
TEST(of_equal_requests_every_second_leg_is_answered_first)
{
    static const int all[6] = {0, 1, 2, 3, 4, 5};
    const ff_free_legs_options o = at_once();
    const ff_free_plan plan = make_plan(&o);
    for (int k = 0; k < 2; k++) {
        // k = 1: what they have left differs by less than a millimetre
        const double left[6] = {k * 9e-4, 0.0, 0.0, k * 9e-4, k * 9e-4, 0.0};
        ff_free_memory m = about_to_ask(&plan, all, left, 6);
        tick(&plan, &m);
        for (int i = 0; i < 6; i++) CHECK_INT(m.legs[i].state != FF_FREE_LEG_DOWN, plan.group[i] == 0); // 0, 3, 4
        CHECK_INT(m.refused, 3);
    }
}

// Two neighbours ask: the one with less way left lifts, whichever it is, and the other when that is DOWN again.
TEST(of_two_neighbours_the_one_with_less_way_left_lifts_first)
{
    const ff_free_legs_options o = at_once();
    for (int k = 0; k < 2; k++) {
        const int legs[2] = {0, 2}, first = legs[k], second = legs[1 - k];
        const double left[2] = {k == 0 ? 1e-3 : 3e-3, k == 0 ? 3e-3 : 1e-3};
        world w = begin(&o);
        w.memory = about_to_ask(&w.plan, legs, left, 2);
        while (w.memory.lifts == 0) walk(&w, TICK);
        CHECK_INT(w.memory.legs[first].state, FF_FREE_LEG_LIFTING);
        CHECK_INT(w.memory.legs[second].state, FF_FREE_LEG_DOWN);
        while (w.memory.legs[first].state != FF_FREE_LEG_DOWN) {
            CHECK_INT(w.memory.legs[second].state, FF_FREE_LEG_DOWN);
            walk(&w, TICK);
        }
        walk(&w, TICK);
        CHECK_INT(w.memory.legs[second].state, FF_FREE_LEG_LIFTING);
        CHECK(w.memory.refused > 100); // the body stood for most of 0.45 s
    }
}
