// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// BioRob-X4 under the controller `arm`, against calculations of its own: the arm as a chain of rods written down here,
// with springs, rotors and loops, none of it from the library. Equations: docs/experiments.md.
#include "scene/scene_helpers.h"

#include <math.h>

// ------------------------------------------------------------------------------------------ the arm, written down

enum { N = 3 }; // joints in the vertical plane: shoulder, elbow, wrist

static const double HEIGHT = 0.20, LINK[N] = {0.28, 0.28, 0.12};
static const double SPRING[N] = {120, 60, 20}, DAMPED = 0.005; // K [N m/rad], D / K [s]
static const double ROTOR = 66 * 66 * 4e-6, KP = 150, KD = 3;  // [kg m^2], [N m/rad], [N m s/rad]
static const double GROUND = 1e4, LOSS = 7.5e3;                // k [N/m], lambda [N s/m^2]
static const double SLIDING = 0.3;                             // coefficient of friction

/// A mass on a link: how far along each link it lies, its moment of inertia about its centre, its link.
typedef struct lump {
    double mass, along[N], moment;
    int link;
} lump;

static const lump LUMPS[] = {{1.3, {0.14, 0, 0}, 1.3 * 0.28 * 0.28 / 12, 0},
                             {0.5, {0.28, 0, 0}, 0.4 * 0.5 * 0.02 * 0.02, 1},
                             {0.3, {0.28, 0.14, 0}, 0.3 * 0.28 * 0.28 / 12, 1},
                             {0.2, {0.28, 0.28, 0.06}, 0.2 * 0.12 * 0.12 / 12, 2}};

/// x and z of the point that lies `along` the links, and its Jacobian.
static void locate(const double q[N], const double along[N], double at[2], double J[2][N])
{
    double angle = 0.0;
    at[0] = 0.0;
    at[1] = HEIGHT;
    for (int j = 0; j < N; j++) J[0][j] = J[1][j] = 0.0;
    for (int k = 0; k < N; k++) {
        angle += q[k];
        at[0] += along[k] * cos(angle);
        at[1] += along[k] * sin(angle);
        for (int j = 0; j <= k; j++) {
            J[0][j] -= along[k] * sin(angle);
            J[1][j] += along[k] * cos(angle);
        }
    }
}

/// Mass matrix of the links, and `rotor` on its diagonal.
static void find_mass(const double q[N], double rotor, double M[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) M[i][j] = i == j ? rotor : 0.0;
    for (size_t k = 0; k < sizeof LUMPS / sizeof *LUMPS; k++) {
        const lump *m = &LUMPS[k];
        double at[2], J[2][N];
        locate(q, m->along, at, J);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                M[i][j] += m->mass * (J[0][i] * J[0][j] + J[1][i] * J[1][j]) +
                           (i <= m->link && j <= m->link ? m->moment : 0.0);
    }
}

/// x = A^-1 b by Cramer's rule.
static void solve(double A[N][N], const double b[N], double x[N])
{
    double whole = 0.0;
    for (int c = -1; c < N; c++) {
        double B[N][N];
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) B[i][j] = j == c ? b[i] : A[i][j];
        const double volume = B[0][0] * (B[1][1] * B[2][2] - B[1][2] * B[2][1]) -
                              B[0][1] * (B[1][0] * B[2][2] - B[1][2] * B[2][0]) +
                              B[0][2] * (B[1][0] * B[2][1] - B[1][1] * B[2][0]);
        if (c < 0)
            whole = volume;
        else
            x[c] = volume / whole;
    }
}

/// Shoulder and elbow that put the tip at (x, z), by Newton's rule.
static void bend(double x, double z, double q[N])
{
    for (int k = 0; k < 60; k++) {
        double at[2], J[2][N];
        locate(q, LINK, at, J);
        const double dx = x - at[0], dz = z - at[1], volume = J[0][0] * J[1][1] - J[0][1] * J[1][0];
        q[0] += (J[1][1] * dx - J[0][1] * dz) / volume;
        q[1] += (J[0][0] * dz - J[1][0] * dx) / volume;
    }
}

/// Inertia of the tip along the normal, 1 / (n' J M^-1 J' n).
static double mass_at_tip(const double q[N], double rotor)
{
    double M[N][N], at[2], J[2][N], x[N], mobility = 0.0;
    locate(q, LINK, at, J);
    find_mass(q, rotor, M);
    solve(M, J[1], x);
    for (int i = 0; i < N; i++) mobility += J[1][i] * x[i];
    return 1.0 / mobility;
}

// ------------------------------------------------------------------------------------------ impact

/// Force of the ground (Hunt and Crossley), depth and its rate given.
static double push(double depth, double rate)
{
    return depth > 0.0 ? fmax(0.0, depth * (GROUND + LOSS * rate)) : 0.0;
}

typedef struct hit {
    double force, duration; // peak [N], first touch to lift-off [s]
} hit;

/// One mass: m x'' = -F(x, x').
static hit hit_of_one(double mass, double speed)
{
    const double h = 1e-6;
    hit out = {0};
    double x = 0.0, v = speed, t = 0.0;
    do {
        const double half = v - 0.5 * h * push(x, v) / mass, middle = x + 0.5 * h * v;
        v -= h * push(middle, half) / mass;
        x += h * half;
        t += h;
        out.force = fmax(out.force, push(x, v));
    } while (push(x, v) > 0.0);
    out.duration = t;
    return out;
}

/// What the impact changes, at the pose of the impact: links dq, rotors dr, and their rates.
typedef struct chain {
    double dq[N], vq[N], dr[N], vr[N];
} chain;

typedef struct impact {
    double M[N][N], J[2][N], speed, stiffer;
} impact;

static chain rates_of(const impact *p, const chain *s, double t, double *force)
{
    chain out = {0};
    double depth = p->speed * t, rate = p->speed, load[N];
    for (int i = 0; i < N; i++) {
        depth -= p->J[1][i] * s->dq[i];
        rate -= p->J[1][i] * s->vq[i];
    }
    *force = push(depth, rate);
    for (int i = 0; i < N; i++) {
        const double K = p->stiffer * SPRING[i];
        const double spring = K * (s->dr[i] - s->dq[i]) + DAMPED * K * (s->vr[i] - s->vq[i]);
        load[i] = spring + p->J[1][i] * *force;
        out.dq[i] = s->vq[i];
        out.dr[i] = s->vr[i];
        out.vr[i] = (-KP * s->dr[i] - KD * s->vr[i] - spring) / ROTOR;
    }
    solve(((impact *)p)->M, load, out.vq);
    return out;
}

static chain moved(const chain *s, const chain *rate, double h)
{
    chain out = *s;
    double *to = (double *)&out;
    const double *by = (const double *)rate;
    for (size_t i = 0; i < sizeof out / sizeof(double); i++) to[i] += h * by[i];
    return out;
}

/// Masses behind springs: M dq'' = J' F - tau,  J_r dr'' = tau - PD,  tau = K (dq - dr) + D (dq' - dr').
static hit hit_of_chain(const double q[N], double speed, double stiffer)
{
    const double h = 1e-5;
    double at[2], ignored, force = 0.0;
    hit out = {0};
    chain s = {0};
    impact p = {.speed = speed, .stiffer = stiffer};
    locate(q, LINK, at, p.J);
    find_mass(q, 0.0, p.M);
    for (double t = 0.0;; t += h) {
        const chain a = rates_of(&p, &s, t, &force);
        if (t > 10 * h && force == 0.0) {
            out.duration = t;
            return out;
        }
        out.force = fmax(out.force, force);
        const chain s2 = moved(&s, &a, 0.5 * h), b = rates_of(&p, &s2, t + 0.5 * h, &ignored);
        const chain s3 = moved(&s, &b, 0.5 * h), c = rates_of(&p, &s3, t + 0.5 * h, &ignored);
        const chain s4 = moved(&s, &c, h), d = rates_of(&p, &s4, t + h, &ignored);
        s = moved(&s, &a, h / 6);
        s = moved(&s, &b, h / 3);
        s = moved(&s, &c, h / 3);
        s = moved(&s, &d, h / 6);
    }
}

static void run_experiment(const char *path, const char *variant, const char *time)
{
    const char *overrides[2] = {variant, time};
    must_load_file(path, variant ? overrides : overrides + 1, variant ? 2 : 1);
    must_go();
}

/// Of the run.
static hit get_hit(void)
{
    const double touch = metric("bodies.wrist.bounce.1.touch"), lift = metric("bodies.wrist.bounce.1.lift");
    return (hit){metric("bodies.wrist.bounce.1.force"), lift - touch};
}

#define IMPACT FF_SOURCE_DIR "/experiments/biorob-impact.yaml"
#define TRACK  FF_SOURCE_DIR "/experiments/biorob-track.yaml"

TEST(an_impact_meets_the_links_and_not_the_motors_behind_the_springs)
{
    if (CHECK_LASTS(0, 1)) SKIP("two hits, whose numbers are looked at without sanitizers");
    double q[N] = {0.5, -1.0, -1.1};
    bend(0.54, 0.0, q);
    const double links = mass_at_tip(q, 0.0), all = mass_at_tip(q, ROTOR);
    const hit one = hit_of_one(links, 0.5), soft = hit_of_chain(q, 0.5, 1.0);
    const hit whole = hit_of_one(all, 0.5), stiff = hit_of_chain(q, 0.5, 100.0);
    CHECK_NEAR(links, 0.3454, 1e-4); // [kg] as docs/experiments.md has them
    CHECK_NEAR(all, 0.5173, 1e-4);
    run_experiment(IMPACT, "variant=smooth", "time=1.5");
    const hit seen = get_hit();
    CHECK_NEAR(seen.force, soft.force, 0.01 * soft.force);          // [N] the pose changes by 3 mm of depth
    CHECK_NEAR(seen.duration, soft.duration, 0.04 * soft.duration); // [s] and more until lift-off
    CHECK_NEAR(seen.force, one.force, 0.05 * one.force);            // [N] springs of 280 N/m at the tip beside 1e4
    CHECK(seen.force < whole.force - 0.1 * one.force);              // the rotors take no part,
    run_experiment(IMPACT, "variant=stiff", "time=1.5");
    const hit hard = get_hit();
    CHECK_NEAR(hard.force, stiff.force, 0.01 * stiff.force);
    CHECK_NEAR(hard.duration, stiff.duration, 0.04 * stiff.duration);
    CHECK_NEAR(hard.force, whole.force, 0.05 * whole.force); // but do behind stiff springs
    finish();
}

// ------------------------------------------------------------------------------------------ yaw

/// Position, speed, acceleration and jerk of a turn by 1 rad in 0.6 s that begins at 0.1 s.
static void turn(double t, double out[4])
{
    const double T = 0.6, since = t - 0.1, s = fmin(fmax(since / T, 0.0), 1.0);
    out[0] = s * s * s * (10 + s * (-15 + 6 * s));
    out[1] = 30 * s * s * (1 - s) * (1 - s) / T;
    out[2] = 60 * s * (1 - s) * (1 - 2 * s) / (T * T);
    out[3] = since >= 0.0 && s < 1.0 ? 60 * (1 - 6 * s + 6 * s * s) / (T * T * T) : 0.0;
}

/// The stretched arm about its vertical axis: rods and a column.
static double yaw_inertia(void)
{
    double sum = 0.5 * 1.43 * 0.05 * 0.05;
    for (size_t k = 0; k < sizeof LUMPS / sizeof *LUMPS; k++) {
        const lump *m = &LUMPS[k];
        const double r = m->along[0] + m->along[1] + m->along[2];
        sum += m->moment + m->mass * r * r;
    }
    return sum;
}

/// Joint q and rotor of the yaw, and the twist e that the flatness law reckons with.
typedef struct yaw {
    double q, vq, r, vr, e;
} yaw;

static yaw yaw_rates(const yaw *s, double t, double torque, double believed)
{
    double path[4];
    const double I = yaw_inertia(), spring = SPRING[0] * (s->r - s->q) + DAMPED * SPRING[0] * (s->vr - s->vq);
    turn(t, path);
    return (yaw){s->vq, spring / I, s->vr, (torque - spring) / ROTOR, (I * path[2] / believed - s->e) / DAMPED};
}

static yaw yaw_moved(const yaw *s, const yaw *by, double h)
{
    return (yaw){s->q + h * by->q, s->vq + h * by->vq, s->r + h * by->r, s->vr + h * by->vr, s->e + h * by->e};
}

/// How far the joint is ahead of its path at most, and behind it. The loop of the motor is sampled every millisecond
/// and holds its torque.
typedef struct errors {
    double ahead, behind; // [rad]
} errors;

/// @param flat      by the flatness law with a spring of `believed` N m/rad; otherwise by gravity, which is none here
static errors yaw_errors(bool flat, double believed)
{
    const double I = yaw_inertia(), h = 1e-5;
    yaw s = {0};
    errors most = {0};
    for (int ms = 0; ms < 1150; ms++) {
        double path[4], t = ms * 1e-3;
        turn(t, path);
        most.ahead = fmax(most.ahead, s.q - path[0]);
        most.behind = fmax(most.behind, path[0] - s.q);
        const double rate = (I * path[2] / believed - s.e) / DAMPED, bent = (I * path[3] / believed - rate) / DAMPED;
        const double r = path[0] + (flat ? s.e : 0.0), v = path[1] + (flat ? rate : 0.0);
        const double forward = flat ? ROTOR * (path[2] + bent) + I * path[2] : 0.0;
        const double torque = KP * (r - s.r) + KD * (v - s.vr) + forward;
        for (int k = 0; k < 100; k++, t += h) {
            const yaw a = yaw_rates(&s, t, torque, believed), s2 = yaw_moved(&s, &a, 0.5 * h);
            const yaw b = yaw_rates(&s2, t + 0.5 * h, torque, believed);
            s = yaw_moved(&s, &b, h);
        }
    }
    return most;
}

static void check_errors(const char *variant, errors expected, double within)
{
    run_experiment(TRACK, variant, "time=1.15");
    CHECK_NEAR(metric("control.yaw.error.max"), expected.ahead, within);
    CHECK_NEAR(-metric("control.yaw.error.min"), expected.behind, within);
}

TEST(a_turn_is_off_by_what_its_law_leaves_out)
{
    const errors gravity = yaw_errors(false, 120);
    CHECK_NEAR(yaw_inertia(), 0.2070, 1e-4);                        // [kg m^2] as docs/experiments.md has it
    check_errors("variant=gravity", gravity, 1e-6 * gravity.ahead); // [rad] two integrations of one linear system
    if (CHECK_LASTS(0, 1)) SKIP("the same again by other laws, whose numbers are looked at without sanitizers");
    check_errors("variant=soft", yaw_errors(true, 0.8 * 120), 6e-5); // [rad] differences in place of a jerk that jumps
    check_errors("variant=stiff", yaw_errors(true, 1.2 * 120), 6e-5);
    check_errors(NULL, yaw_errors(true, 120), 6e-5);
    CHECK(metric("control.yaw.error.max") < 0.5e-3 * 2 * 3.1416 / 0.6 * gravity.ahead);
    finish();
}

// ------------------------------------------------------------------------------------------ dragging

/// Where the arm rests whose motors are sent to q, while the ground pushes its tip up by F and back by mu F: springs
/// and loops of the motors give way, each joint by (1 / K + 1 / kp) tau.
static void give_way(const double q[N], double force, double tip[2])
{
    double now[N], J[2][N];
    memcpy(now, q, sizeof now);
    for (int k = 0; k < 60; k++) {
        locate(now, LINK, tip, J);
        for (int i = 0; i < N; i++)
            now[i] = 0.5 * now[i] + 0.5 * (q[i] + (1 / SPRING[i] + 1 / KP) * (J[1][i] - SLIDING * J[0][i]) * force);
    }
}

/// Force at which the tip stands as deep in the ground as that force presses it, by bisection.
static double pressing(const double q[N], double tip[2])
{
    double low = 0.0, high = 50.0;
    for (int k = 0; k < 50; k++) {
        const double force = 0.5 * (low + high);
        give_way(q, force, tip);
        if (tip[1] < -force / GROUND)
            low = force;
        else
            high = force;
    }
    return low;
}

TEST(a_tip_that_is_dragged_slides_and_sticks_where_springs_and_friction_balance)
{
    double q[N] = {0.5, -1.0, -1.1}, tip[2];
    bend(0.54, -0.02, q);
    const double force = pressing(q, tip);
    if (CHECK_LASTS(0, 1)) SKIP("seconds of sliding, whose numbers are looked at without sanitizers");
    run_experiment(IMPACT, "variant=drag", "time=4.5");
    CHECK_NEAR(metric("bodies.wrist.contact.force.mean"), force, 0.02 * force); // [N] gravity changes with the pose
    CHECK_NEAR(metric("bodies.wrist.x.final"), tip[0], 5e-4);                   // [m] friction between 0.3 and 0.4
    CHECK_NEAR(metric("contacts.slip"), tip[0] - 0.44, 2e-3); // [m] friction: 1.2 N / 1e4 N/m, and back
    finish();
}

// ------------------------------------------------------------------------------------------ commands

#define ARM                                                                                                            \
    "robot: " FF_SOURCE_DIR "/robots/biorob/biorob.yaml\nplace: {settle: true}\n"                                      \
    "effects: {drives: ideal, transmission: flexible}\nsolver: {method: rk4, step: 0.2 ms}\ntime: 1\n"
#define READY ARM "control: {arm: {from: ready}, commands: "

TEST(what_an_arm_cannot_do_is_reported_with_its_place)
{
    static const bad_scene bad[] = {
        {READY "[{x: 0.9}]}\n", "7:42", "the tip cannot reach (0.9, "},
        {ARM "control: {arm: {from: stretched}, commands: [{x: 0.5, z: 0.3}]}\n", "7:46", "the arm is singular"},
        {READY "[{x: 0, y: 0, z: 0.6}]}\n", "7:42", "s into this move, at ("},
        {READY "[{x: 0.3, duration: 0.02}]}\n", "7:42", "and its limit is 8: from rest, take "},
        {READY "[{joints: {elbow: 3}}]}\n", "7:42", "joint 'elbow' is at "},
        {READY "[{joints: {knee: 1}}]}\n", "7:52", "no joint 'knee'"},
        {READY "[{pose: redy}]}\n", "7:42", "no pose 'redy'"},
        {READY "[{pose: ready, x: 0.3}]}\n", "7:42", "either a point x, y, z or a pose"},
        {READY "[{duration: 0.02}, {x: 0.3}]}\n", "7:60", "and its limit is 8: from rest, take "},
        {READY "[{x: 0.4, duration: 0}]}\n", "7:61", "'duration' is 0 s"},
        {READY "[{x: 0.4, path: arc}]}\n", "7:57", "joint"},
        {READY "[{at: 1, x: 0.4}, {at: 0.5, x: 0.4}]}\n", "7:64", "before the one above at 1 s"},
        {READY "[{x: .inf}]}\n", "7:46", "x"},
        {ARM "control: {arm: {from: nowhere}}\n", "7:16", "no pose 'nowhere'"},
        {ARM "control: {arm: {tip: elbow}}\n", "7:16", "no frame 'elbow'"},
        {ARM "control: {arm: {law: pid}}\n", "7:22", "gravity"},
        {ARM "control: {arm: {springs: 0}}\n", "7:26", "'springs' is 0"},
        {"robot: " FF_SOURCE_DIR "/robots/anton/anton.yaml\ncontrol: {arm: {}}\n", "3:16", "has 1 to 12 joints"},
    };
    must_refuse(bad, sizeof bad / sizeof *bad);
}

/// Where the tip is.
static void get_tip(double tip[3])
{
    tip[0] = metric("bodies.wrist.x.final");
    tip[1] = metric("bodies.wrist.y.final");
    tip[2] = metric("bodies.wrist.z.final");
}

// A command in the middle of a move takes over what moves; the arm then comes to rest where it was sent.
TEST(a_command_on_the_way_leads_on_from_there)
{
    double tip[3];
    must_run(READY "[{x: 0.3, y: 0.2, duration: 0.5}, {at: 0.25, x: 0.4, y: 0, z: 0.3, duration: 0.5}]}\n"
                   "metrics: {report: [\"bodies.wrist.*.final\", control.tip.error.max]}\n");
    get_tip(tip);
    CHECK_NEAR(tip[0], 0.4, 1e-4); // [m] what is left of the swing after 0.25 s
    CHECK_NEAR(tip[1], 0.0, 1e-4);
    CHECK_NEAR(tip[2], 0.3, 1e-4);
    CHECK(metric("control.tip.error.max") < 1e-3); // [m] no jump of position, speed and acceleration
    finish();
}

TEST(an_arm_takes_commands_while_it_runs_and_says_what_it_refused)
{
    static const char *const slow = "{duration: 0.3}", *const good = "{x: 0.4, y: 0, z: 0.2}", *const far = "{x: 2}";
    ff_command_key keys[8];
    double tip[3];
    ff_error err = {0};
    must_load(READY "[]}\nmetrics: {report: [\"bodies.wrist.*.final\"]}\n");
    CHECK(ff_sim_run(ff_run_sim(run), 0.1, &err) == FF_OK);
    CHECK_INT(ff_run_command(run, 0, slow, strlen(slow), &report), FF_OK); // of what comes
    CHECK_INT(ff_run_command_keys(run, 0, keys, 8), 5);
    CHECK(strcmp(keys[3].key, "duration") == 0 && keys[3].value == 0.3);
    // sliders end at the reach of the stretched arm about the shoulder, through which the yaw axis goes
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(0.5 * (keys[k].high - keys[k].low), LINK[0] + LINK[1] + LINK[2], 1e-9);
        CHECK_NEAR(0.5 * (keys[k].high + keys[k].low), k == 2 ? HEIGHT : 0.0, 1e-9);
    }
    CHECK_INT(ff_run_command(run, 0, good, strlen(good), &report), FF_OK);
    CHECK(ff_sim_run(ff_run_sim(run), 0.8, &err) == FF_OK);
    CHECK(ff_run_command(run, 0, far, strlen(far), &report) != FF_OK);
    CHECK(report.count > 0 && strstr(message(report.count - 1), "cannot reach (2, 0, "));
    must_go();
    const int told = report.count;
    ff_run_report_limits(run, &report);
    CHECK_INT(report.count, told); // once
    get_tip(tip);
    CHECK_NEAR(tip[0], 0.4, 1e-4);
    CHECK_NEAR(tip[2], 0.2, 1e-4);
    finish();
}

TEST(an_arm_saved_on_its_way_goes_on_with_the_same_bits)
{
    must_load(READY "[{x: 0.3, y: 0.2, duration: 0.5}, {at: 0.3, x: 0.4, y: 0, z: 0.3, duration: 0.5}]}\n");
    must_resume(0.2003, 0.6);
    finish();
}
