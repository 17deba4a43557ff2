// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Two published bounces, with located events: the metal object on rubber and the tennis ball of T. Lens, K. Radkhah and
// O. von Stryk (2011). The reference figures of the first were computed twice by other integrators (Adams and BDF with
// root finding).
#include "check.h"
#include "motion.h"

#include <footfall/contact.h>

/// A point mass above the plane z = 0; state of the integrator: z, vz, x, vx, spring x, heat (without the work of
/// gravity).
typedef struct faller {
    ff_contact_pair pair;
    ff_contact_state state;
    double mass;
} faller;

static ff_contact_point fall_point(const double *s)
{
    ff_contact_point p = {.share = 1.0, .depth = -s[0], .closing = -s[1], .normal = {0, 0, 1}, .slip = {s[3], 0, 0}};
    return p;
}

static void fall_rate(void *context, double t, const double *s, double *ds)
{
    (void)t;
    faller *b = context;
    ff_contact_point p = fall_point(s);
    ff_contact_state state = b->state;
    ff_contact_force f;
    state.spring[0] = s[4];
    ff_contact_evaluate(&b->pair, &p, &state, &f, NULL);
    ds[0] = s[1];
    ds[1] = f.force[2] / b->mass - 9.81;
    ds[2] = s[3];
    ds[3] = f.force[0] / b->mass;
    ds[4] = f.spring_rate[0];
    ds[5] = f.loss_normal + f.loss_friction;
}

/// The three transitions of the contact, and the turning point of the height.
static void fall_event(void *context, double t, const double *s, double *values)
{
    (void)t;
    faller *b = context;
    ff_contact_point p = fall_point(s);
    ff_contact_state state = b->state;
    state.spring[0] = s[4];
    ff_contact_event_values(&b->pair, &p, &state, values);
    values[FF_CONTACT_EVENT_COUNT] = s[1];
}

typedef struct bounce {
    double touch, lift, peak, deepest, apex, up, along;
} bounce;

typedef struct fall {
    bounce list[16];
    int count;                        // lift-offs
    double stick_time, stick_place;   // first STATIC
    double height, speed, force, end; // at the end
    double residual;                  // of the energy  [J]
    long steps;
} fall;

static double force_at(const faller *b, const double *s)
{
    ff_contact_point p = fall_point(s);
    ff_contact_force f;
    ff_contact_evaluate(&b->pair, &p, &b->state, &f, NULL);
    return f.normal;
}

static fall drop(const ff_material *m, double mass, double height, double speed, double until, double tolerance)
{
    fall out = {.stick_time = NAN};
    faller b = {.mass = mass};
    ff_error err = {0};
    if (ff_contact_pair_make(&b.pair, m, NULL, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    motion s = {.n = 6,
                .events = 4,
                .x = {height, 0, 0, speed},
                .tolerance = tolerance,
                .context = &b,
                .rate = fall_rate,
                .event = fall_event,
                .longest = 0.01};
    double start = mass * (9.81 * height + 0.5 * speed * speed), jumps = 0.0;
    bounce now = {0};
    while (s.t < until) {
        int event = motion_step(&s, until);
        b.state.spring[0] = s.x[4];
        if (b.state.mode != FF_CONTACT_OPEN && force_at(&b, s.x) > now.peak) now.peak = force_at(&b, s.x);
        if (event == FF_CONTACT_EVENT_COUNT) { // turning point, in the air or in the ground
            if (s.x[0] > 0.0 && out.count > 0) out.list[out.count - 1].apex = s.x[0];
            if (s.x[0] < 0.0) now.deepest = fmax(now.deepest, -s.x[0]);
            event = FF_CONTACT_NO_EVENT;
        }
        ff_contact_point p = fall_point(s.x);
        ff_contact_change change = ff_contact_update(&b.pair, &p, (ff_contact_event)event, &b.state);
        jumps += change.friction_loss;
        s.x[4] = b.state.spring[0];
        if (change.from == FF_CONTACT_OPEN && change.to != FF_CONTACT_OPEN) now = (bounce){.touch = s.t};
        if (change.from != FF_CONTACT_OPEN && change.to == FF_CONTACT_OPEN && out.count < 16) {
            now.lift = s.t, now.up = s.x[1], now.along = s.x[3];
            out.list[out.count++] = now;
        }
        if (change.to == FF_CONTACT_STATIC && isnan(out.stick_time)) out.stick_time = s.t, out.stick_place = s.x[2];
    }
    ff_contact_point p = fall_point(s.x);
    ff_contact_force f;
    ff_contact_evaluate(&b.pair, &p, &b.state, &f, NULL);
    double end =
        mass * (9.81 * s.x[0] + 0.5 * (s.x[1] * s.x[1] + s.x[3] * s.x[3])) + f.elastic_normal + f.elastic_friction;
    out.residual = start - end - s.x[5] - jumps;
    out.height = s.x[0], out.speed = s.x[3], out.force = f.normal, out.end = s.x[2];
    out.steps = s.accepted;
    return out;
}

TEST(the_rubber_bounce_is_the_published_one)
{
    static const double reference[4][7] = {
        {0.4515236410, 561.1556463, 2.6019057273e-02, 0.4894431410, 1.132706962, 0.643951349, 6.5393734088e-02},
        {0.7203721853, 117.6047760, 9.7551246322e-03, 0.7549850306, 0.638972419, 0.517277466, 2.0809671370e-02},
        {0.8852546369, 69.0762016, 6.3447202697e-03, 0.9208373815, 0.422762374, 0.432629375, 9.1094814010e-03},
        {1.0070274679, 49.3100063, 4.7079221816e-03, 1.0441061357, 0.298784842, 0.367512038, 4.5500704181e-03}};
    ff_material m;
    CHECK_INT(ff_material_find("rubber", &m, NULL), FF_OK);
    fall f = drop(&m, 1.0, 1.0, 1.0, 4.0, 1e-11);
    double worst = 0.0;
    for (int i = 0; i < 4; i++) {
        const bounce *b = &f.list[i];
        double got[7] = {b->touch, b->peak, b->deepest, b->lift, b->up, b->along, b->apex};
        for (int k = 0; k < 7; k++) {
            double off = fabs(got[k] / reference[i][k] - 1.0);
            if (k != 1) worst = fmax(worst, off);
            CHECK_BELOW(off, k == 1 ? 3e-4 : 2e-8); // the peak is the largest of the accepted steps
        }
    }
    CHECK_INT(f.count, 8);
    CHECK_NEAR(f.list[7].lift, 1.3767098993, 1e-7);
    CHECK_NEAR(f.height, -9.81e-4,
               1e-6); // [m] the swing about the rest depth fades slowly: damping is depth times lambda
    CHECK_NEAR(f.force, 9.81, 1e-2);
    // The reference slides by Coulomb's force to the end; here a point slides, whose spring follows the ringing load
    // within d / k = 4 ms. The next test makes that small.
    CHECK_NEAR(f.stick_time, 1.6997305569 - 1e-3 / (0.06 * 9.81), 0.25 * 40.0 / 1e4);
    CHECK_NEAR(f.stick_place, 0.9095108633, 2e-6); // [m] v_stick^2 / (2 mu g) less
    CHECK_NEAR(f.speed, 0.0, 1e-9);
    CHECK_NEAR(f.end, f.stick_place, 1.2e-4); // [m] moves with its tangential spring: mu_k m g / k_t = 59 um, swinging
    printf("  worst of times, speeds, heights %.1e; energy residual %.1e J in %ld steps\n", worst, f.residual, f.steps);
    CHECK_BELOW(fabs(f.residual), 1e-8);
}

// Without a stick speed, and with a stiffer and stiffer tangential spring, sliding ends where that of the reference
// ends.
TEST(the_rubber_bounce_tends_to_coulomb_as_the_grip_stiffens)
{
    double before = INFINITY;
    for (double stiffness = 1e4; stiffness < 2e7; stiffness *= 10.0) {
        ff_material m;
        CHECK_INT(ff_material_find("rubber", &m, NULL), FF_OK);
        m.friction.stick_speed = 1e-8;
        m.friction.stiffness = stiffness;
        fall f = drop(&m, 1.0, 1.0, 1.0, 1.8, 1e-11);
        const double off = fabs(f.stick_time - 1.6997305569);
        printf("  spring %.0e N/m: sliding ends %.1e s off\n", stiffness, off);
        CHECK_BELOW(off, 0.5 * before);
        CHECK_NEAR(f.stick_place, 0.9095108633, 1e-6);
        before = off;
    }
    CHECK_BELOW(before, 5e-6);
}

TEST(the_tennis_ball_bounces_as_the_rules_of_the_game_ask)
{
    static const double apex[4] = {0.380, 0.239, 0.163, 0.119}, touch[4] = {0.378, 0.940, 1.387, 1.757};
    static const double peak[4] = {103, 75.7, 60.2, 50.1};
    ff_material m;
    CHECK_INT(ff_material_find("tennis-ball", &m, NULL), FF_OK);
    fall f = drop(&m, 0.05, 0.7, 0.0, 2.2, 1e-10);
    for (int i = 0; i < 4; i++) { // three digits are given
        CHECK_NEAR(f.list[i].apex, apex[i], 0.0006);
        CHECK_NEAR(f.list[i].touch, touch[i], 0.0006);
        CHECK_NEAR(f.list[i].peak, peak[i], i ? 0.06 : 0.6);
        CHECK_NEAR(f.list[i].lift - f.list[i].touch, 5.4e-3, 0.2e-3);
    }
    CHECK_NEAR(f.list[0].up / sqrt(2 * 9.81 * 0.7), 0.737, 0.0006);
    CHECK_INT(ff_material_find("tennis-ball-printed", &m, NULL), FF_OK);
    f = drop(&m, 0.05, 0.7, 0.0, 0.6, 1e-10);
    CHECK_NEAR(f.list[0].up / sqrt(2 * 9.81 * 0.7), 0.183, 0.0006);
    CHECK_NEAR(f.list[0].apex, 0.024, 0.0006);
    CHECK_NEAR(f.list[0].peak, 157.0, 0.6);
}
