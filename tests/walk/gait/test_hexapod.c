// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The walking controller by its I/O frames alone: a robot without masses, whose joints follow the references exactly,
// stands on a flat floor with its lowest feet; joint sensors and foot forces follow from its kinematics. Motions of the
// feet in the world are computed from the joint angles.
#include <footfall/hexapod.h>
#include <footfall/load.h>
#include <footfall/math.h>

#include "check.h"
#include "support/allocations.h"
#include "support/controller.h"

enum { LEGS = 6, MOST = 512 };
#define DT CHECK_LASTS(1e-3, 2e-3) // of a cycle  [s]

typedef struct rig {
    ff_model *m;
    ff_data *d;
    ff_hexapod *h;
    ff_controller c;
    ff_io_name names[2][MOST];
    ff_io_layout layouts[2];
    ff_io_frame *frames[2];
    double foot[LEGS][3]; // in the axes of the root, lowest points
    double root;          // height of the root above the floor
    double t;
    long cycle;
    // compliance
    double soft;   // feet this far above the lowest touch too  [m]
    double sag;    // of the femurs of feet that touch  [rad]
    double spring; // of legs: feet share the weight by how far they are pressed in, where it is not 0  [N/m]
    double longer; // by this the first leg stands lower than its reference  [rad]
    // faults
    int silent_leg;     // its force items are invalid; -1: none
    const char *frozen; // a joint that stays where it is
    bool silent;        // nothing is valid
    double poison;      // force of the first foot where it is not 0
    double blow;        // impact of a joint at its stop on the first foot, upwards  [N]
    long every;         // cycles between samples of the sensors
    bool bad_output;    // something not finite, or beyond limits, was sent
    double way[3];      // of the body: x, y, yaw, from its standing feet
    bool down[LEGS];
    double before[LEGS][3];
} rig;

static void add_name(rig *r, ff_io_kind kind, const char *format, const char *name)
{
    ff_io_layout *l = &r->layouts[kind];
    snprintf(r->names[kind][l->count].name, sizeof r->names[kind][0].name, format, name);
    l->count++;
}

static void make_layouts(rig *r)
{
    for (int j = 0; j < r->m->njoint; j++) {
        if (!ff_joint_is_scalar(r->m->joints[j].type)) continue;
        const char *name = r->m->joints[j].name;
        add_name(r, FF_IO_REFERENCES, "drives.%.40s.position", name);
        add_name(r, FF_IO_REFERENCES, "drives.%.40s.speed", name);
        add_name(r, FF_IO_REFERENCES, "drives.%.40s.force", name);
        add_name(r, FF_IO_SENSORS, "sensors.pot_%.36s.position", name);
    }
    for (int i = 0; i < r->m->nleg; i++) {
        add_name(r, FF_IO_SENSORS, "sensors.%.36s.fx", r->m->legs[i].force);
        add_name(r, FF_IO_SENSORS, "sensors.%.36s.fy", r->m->legs[i].force);
        add_name(r, FF_IO_SENSORS, "sensors.%.36s.fz", r->m->legs[i].force);
    }
    for (int k = 0; k < 2; k++) {
        ff_io_layout *l = &r->layouts[k];
        l->kind = (ff_io_kind)k;
        l->names = r->names[k];
        l->hash = ff_io_layout_hash(l->names, l->count);
        r->frames[k] = calloc(1, ff_io_size(l->count));
        ff_io_init(r->frames[k], l);
    }
}

static rig *rig_make(const ff_hexapod_options *options)
{
    rig *r = calloc(1, sizeof *r);
    char path[1024];
    ff_report report = {0};
    snprintf(path, sizeof path, "%s/robots/anton/anton.yaml", FF_SOURCE_DIR);
    r->m = ff_model_load(path, NULL, &report);
    if (!r->m) CHECK_FAIL("%s", report.count > 0 ? report.messages[0].text : "no model");
    ff_report_clear(&report);
    r->d = ff_data_create(r->m, NULL);
    r->silent_leg = -1;
    r->soft = 3e-3;
    r->every = 1;
    make_layouts(r);
    ff_error err = {0};
    if (!(r->h = ff_hexapod_create(r->m, options, &err))) CHECK_FAIL("%s", err.text);
    if (ff_hexapod_bind(r->h, &r->layouts[FF_IO_SENSORS], &r->layouts[FF_IO_REFERENCES], &err) != FF_OK)
        CHECK_FAIL("%s", err.text);
    r->c = ff_hexapod_controller(r->h);
    const int stand = ff_model_find_key(r->m, "stand");
    memcpy(r->d->q, r->m->keys[stand].q, (size_t)r->m->nq * sizeof *r->d->q);
    return r;
}

static void rig_clear(rig *r)
{
    ff_hexapod_destroy(r->h);
    ff_data_destroy(r->d);
    ff_model_destroy(r->m);
    free(r->frames[0]);
    free(r->frames[1]);
    free(r);
}

static ff_io_item *item(rig *r, ff_io_kind kind, const char *format, const char *name)
{
    char text[128];
    snprintf(text, sizeof text, format, name);
    const int i = ff_io_find(&r->layouts[kind], text);
    if (i < 0) CHECK_FAIL("no item %s", text);
    return &ff_io_items(r->frames[kind])[i];
}

static double pressed(const rig *r, int leg)
{
    return fmax(0.0, -(r->foot[leg][2] + r->root));
}

/// Lowers the root until the springs of the legs carry the weight; it does not turn.
static void sink(rig *r)
{
    double high = r->root, low = r->root - 0.05;
    for (int k = 0; k < 60; k++) {
        r->root = 0.5 * (low + high);
        double sum = 0.0;
        for (int i = 0; i < LEGS; i++) sum += r->spring * pressed(r, i);
        *(sum > 9.81 * r->m->mass ? &low : &high) = r->root;
    }
}

/// Root at the origin: where the feet are in its axes, and how high it stands on the lowest of them.
static void place(rig *r)
{
    double *q = r->d->q;
    memset(q, 0, 7 * sizeof *q);
    q[3] = 1.0;
    ff_dyn_kinematics(r->m, r->d);
    r->root = -INFINITY;
    for (int i = 0; i < LEGS; i++) {
        const ff_frame *f = &r->m->frames[r->m->legs[i].frame];
        ff_dyn_point(r->m, r->d, f->body, f->pos, r->foot[i]);
        r->foot[i][2] -= r->m->legs[i].radius;
        r->root = fmax(r->root, -r->foot[i][2]);
    }
    if (r->spring > 0.0) sink(r);
}

/// Feet a little above the lowest touch, as if legs and rubber gave way.
static bool touches(const rig *r, int leg)
{
    return r->foot[leg][2] + r->root < r->soft;
}

static void tell_sensors(rig *r)
{
    const int64_t stamp = (int64_t)(r->cycle - r->cycle % r->every) * 1000000;
    const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int n = 0;
    ff_io_item *items = ff_io_items(r->frames[FF_IO_SENSORS]);
    for (int j = 0; j < r->m->njoint; j++)
        if (ff_joint_is_scalar(r->m->joints[j].type))
            items[n++] = (ff_io_item){r->d->q[r->m->joints[j].qadr], stamp, 1, 0};
    for (int i = 0; i < LEGS; i++) {
        const ff_frame *f = &r->m->frames[r->m->legs[i].frame];
        double pos[3], quat[4], turned[4], R[9];
        ff_dyn_body_pose(r->m, r->d, f->body, pos, quat);
        ff_quat_mul(turned, quat, f->quat);
        ff_quat_to_mat3(R, turned);
        for (int k = 0; k < 3; k++) { // the part of an upward force along the sensor's axis
            double along[3];
            ff_mat3_mulv(along, R, axes[k]);
            const double up = r->spring > 0.0 ? r->spring * pressed(r, i) : touches(r, i) ? 10.0 : 0.0;
            const double force = (up + (i == 0 ? r->blow : 0.0)) * along[2];
            items[n++] = (ff_io_item){r->poison != 0.0 && i == 0 ? r->poison : force, stamp,
                                      !(i == r->silent_leg || r->silent_leg == LEGS), 0};
        }
    }
    for (int k = 0; k < n && r->silent; k++) items[k].valid = 0;
}

/// Motion of the body over the feet that stayed down: mean of their motion and of their turn.
static void travel(rig *r)
{
    double x = 0.0, y = 0.0, mx = 0.0, my = 0.0, turned = 0.0, square = 0.0;
    int n = 0;
    bool both[LEGS];
    for (int i = 0; i < LEGS; i++) {
        both[i] = r->down[i] && touches(r, i) && r->cycle > 1;
        n += both[i];
        if (both[i]) mx += r->foot[i][0], my += r->foot[i][1];
        if (both[i]) x += r->foot[i][0] - r->before[i][0], y += r->foot[i][1] - r->before[i][1];
    }
    for (int i = 0; i < LEGS; i++) {
        if (both[i]) {
            const double rx = r->foot[i][0] - mx / n, ry = r->foot[i][1] - my / n;
            turned += rx * (r->foot[i][1] - r->before[i][1]) - ry * (r->foot[i][0] - r->before[i][0]);
            square += rx * rx + ry * ry;
        }
        r->down[i] = touches(r, i);
        memcpy(r->before[i], r->foot[i], sizeof r->before[i]);
    }
    if (n < 3) return;
    const double yaw = -turned / square, vx = -x / n + yaw * my / n, vy = -y / n - yaw * mx / n;
    const double s = sin(r->way[2]), c = cos(r->way[2]);
    r->way[0] += c * vx - s * vy;
    r->way[1] += s * vx + c * vy;
    r->way[2] += yaw;
}

/// How far a joint stays off its reference.
static double given_way(const rig *r, const char *joint)
{
    if (!strstr(joint, "_femur")) return 0.0;
    for (int i = 0; i < LEGS; i++)
        if (strncmp(joint, r->m->legs[i].name, 2) == 0) return (r->down[i] ? r->sag : 0.0) - (i == 0 ? r->longer : 0.0);
    return 0.0;
}

/// Joints of the robot follow their references at once.
static void follow(rig *r)
{
    const ff_io_item *items = ff_io_items_of(r->frames[FF_IO_REFERENCES]);
    int n = 0;
    for (int j = 0; j < r->m->njoint; j++) {
        const ff_joint *joint = &r->m->joints[j];
        if (!ff_joint_is_scalar(joint->type)) continue;
        for (int k = 0; k < 3; k++)
            if (items[n + k].valid && !isfinite(items[n + k].value)) r->bad_output = true;
        const double q = items[n].value;
        if (items[n].valid && joint->limited && (q < joint->range[0] - 1e-12 || q > joint->range[1] + 1e-12))
            r->bad_output = true;
        const bool moves = !r->frozen || strcmp(r->frozen, joint->name) != 0;
        if (items[n].valid && isfinite(q) && moves) r->d->q[joint->qadr] = q + given_way(r, joint->name);
        n += 3;
    }
}

static void step(rig *r)
{
    place(r);
    travel(r);
    tell_sensors(r);
    memset(ff_io_items(r->frames[FF_IO_REFERENCES]), 0,
           (size_t)r->layouts[FF_IO_REFERENCES].count * sizeof(ff_io_item));
    r->c.cycle(r->c.context, r->t, r->frames[FF_IO_SENSORS], r->frames[FF_IO_REFERENCES]);
    follow(r);
    r->cycle++;
    r->t = (double)r->cycle * DT;
}

static void go(rig *r, double time)
{
    const long n = (long)floor(time / DT + 0.5);
    for (long i = 0; i < n; i++) step(r);
}

static void give(rig *r, const ff_walk_command *command)
{
    ff_error err = {0};
    if (ff_hexapod_command_set(r->h, command, &err) != FF_OK) CHECK_FAIL("%s", err.text);
}

static ff_walk_command walking(const rig *r, ff_gait gait, double speed)
{
    ff_walk_command command = ff_hexapod_command_get(r->h);
    command.walk = true;
    command.gait = gait;
    command.speed = speed;
    command.control_forces = false; // forces of this rig do not answer
    return command;
}

/// A rig that is commanded to walk.
static rig *rig_walking(ff_gait gait, double speed)
{
    rig *r = rig_make(NULL);
    const ff_walk_command command = walking(r, gait, speed);
    give(r, &command);
    return r;
}

// ------------------------------------------------------------------------------------------ walking

TEST(joint_angles_move_the_body_as_commanded)
{
    // ahead, sideways, diagonal, on a curve, on the spot; the speed of the fastest foot stays below 0.6 tau / (2 - tau)
    static const struct {
        double speed, direction, turn;
    } ways[] = {{0.1, 0.0, 0.0},   {0.06, FF_PI / 2, 0.0}, {0.06, -FF_PI / 4, 0.0},
                {0.05, 0.0, 0.15}, {0.0, 0.0, 0.25},       {-0.1, 0.0, 0.0}};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k += CHECK_LASTS(1, 3)) {
        rig *r = rig_make(NULL);
        ff_walk_command command = walking(r, FF_GAIT_TRIPOD, ways[k].speed);
        command.direction = ways[k].direction;
        command.turn = ways[k].turn;
        give(r, &command);
        go(r, 2.0);
        memset(r->way, 0, sizeof r->way);
        const double t = CHECK_LASTS(5.0, 1.5); // [s]
        go(r, t);
        const double w = ways[k].turn, v = ways[k].speed, dir = ways[k].direction;
        // an arc: v (sin wt, 1 - cos wt) / w, turned by the direction of the speed
        const double along = w != 0.0 ? v * sin(w * t) / w : v * t,
                     across = w != 0.0 ? v * (1.0 - cos(w * t)) / w : 0.0;
        // [m, rad] feet are not told to stand before contact is seen: 1 % of the way
        CHECK_NEAR(r->way[0], along * cos(dir) - across * sin(dir), 0.005);
        CHECK_NEAR(r->way[1], along * sin(dir) + across * cos(dir), 0.005);
        CHECK_NEAR(r->way[2], w * t, 0.02);
        CHECK(!r->bad_output);
        CHECK_INT(ff_hexapod_status(r->h, NULL) & ~(unsigned)FF_WALK_POSE_CLAMPED, 0); // sideways steps are shorter
        rig_clear(r);
    }
}

TEST(speed_references_are_the_rates_of_the_positions)
{
    rig *r = rig_walking(FF_GAIT_WAVE, 0.03);
    go(r, 1.0);
    double last = item(r, FF_IO_REFERENCES, "drives.%s.position", "FL_femur")->value;
    for (int k = 0; k < 2000; k++) {
        step(r);
        const double q = item(r, FF_IO_REFERENCES, "drives.%s.position", "FL_femur")->value;
        CHECK_NEAR(item(r, FF_IO_REFERENCES, "drives.%s.speed", "FL_femur")->value, (q - last) / DT, 1e-9);
        last = q;
    }
    rig_clear(r);
}

TEST(height_attitude_and_body_joints_follow_the_command)
{
    rig *r = rig_make(NULL);
    r->silent_leg = LEGS; // the floor of this rig is level in the axes of the root
    ff_walk_command command = ff_hexapod_command_get(r->h);
    command.height = 0.12;
    command.zone = 0.02;
    command.pitch = 0.1;
    const int yaw = ff_hexapod_body_joint(r->m, "front_yaw");
    CHECK(yaw >= 0);
    CHECK_INT(ff_hexapod_body_joint(r->m, "FL_coxa"), -1);
    command.body[yaw] = 0.2;
    give(r, &command);
    go(r, 3.0);
    place(r);
    CHECK_NEAR(item(r, FF_IO_REFERENCES, "drives.%s.position", "front_yaw")->value, 0.2, 1e-12);
    // nose down by 0.1: in the axes of the root the floor rises ahead, z = x tan(0.1) - h / cos(0.1)
    for (int i = 0; i < LEGS; i++) {
        const double radius = r->m->legs[i].radius,
                     centre = r->foot[i][2] + radius; // the sphere touches along its normal
        CHECK_NEAR(centre * cos(0.1) - r->foot[i][0] * sin(0.1) - radius, -0.12, 1e-4);
    }
    CHECK_INT(ff_hexapod_status(r->h, NULL), FF_WALK_CONTACT_UNKNOWN);
    rig_clear(r);
}

TEST(wanted_forces_carry_the_weight_at_the_centre_of_mass)
{
    rig *r = rig_walking(FF_GAIT_GALLOP, 0.06);
    const ff_walk_plan *plan = ff_hexapod_plan(r->h);
    for (int k = 0; k < 4000; k++) {
        step(r);
        double sum = 0.0;
        for (int i = 0; i < LEGS; i++) {
            sum += plan->force[i];
            CHECK(plan->force[i] >= 0.0);
            if (plan->phase[i] != FF_FOOTSTEP_SUPPORT) CHECK_NEAR(plan->force[i], 0.0, 0.0);
        }
        CHECK_NEAR(sum, r->m->mass * 9.81, 1e-9);
    }
    rig_clear(r);
}

TEST(a_body_that_sinks_is_lifted_and_not_taken_for_ground)
{
    rig *r = rig_make(NULL);
    r->sag = 0.03; // 2.7 mm at the foot
    r->soft = 1e-3;
    ff_walk_command command = walking(r, FF_GAIT_TRIPOD, 0.1);
    give(r, &command);
    go(r, 6.0);
    CHECK_NEAR(controller_signal(r->c, "raised"), 0.0, 1e-3); // [m] 13 steps of 2.7 mm would be 35 mm
    double mean = 0.0;
    for (int k = 0; k < 1000; k++) {
        step(r);
        mean += 1e-3 * r->root;
    }
    CHECK_NEAR(mean, command.height, 1.5e-3);
    rig_clear(r);
}

TEST(force_control_takes_the_load_off_a_leg_that_stands_too_low)
{
    double error[2];
    for (int controlled = 0; controlled < 2; controlled++) {
        rig *r = rig_make(NULL);
        r->spring = 7000.0; // of a leg of ANTON on its loops
        r->longer = 0.02;   // 1.8 mm, 12.6 N
        ff_walk_command command = ff_hexapod_command_get(r->h);
        command.control_forces = controlled == 1;
        give(r, &command);
        go(r, 2.0);
        double sum = 0.0, mean = 0.0;
        for (int i = 0; i < LEGS; i++) mean += r->spring * pressed(r, i) / LEGS;
        for (int i = 0; i < LEGS; i++) sum += pow(r->spring * pressed(r, i) - mean, 2);
        error[controlled] = sqrt(sum / LEGS);
        CHECK_NEAR(mean, 9.81 * r->m->mass / LEGS, 1e-6);
        rig_clear(r);
    }
    // The posture takes what a plane explains: with six feet on a grid of 3 x 2 a corner has the leverage 1/6 + 1/4 +
    // 1/6, and 12.6 N leave 12.6 sqrt((1 - 7/12) / 6) = 3.3 N of tension (rms).
    CHECK_NEAR(error[0], 3.3, 0.4);
    CHECK_BELOW(error[1], 0.5); // [N] the leak holds back 0.75 mm / (K_f 4 s) = 0.2 N
}

TEST(centre_of_mass_is_kept_inside_in_gallop)
{
    double least[2];
    for (int shifted = 0; shifted < 2; shifted++) {
        rig *r = rig_make(NULL);
        ff_walk_command command = walking(r, FF_GAIT_GALLOP, 0.06);
        command.shift_body = shifted == 1;
        give(r, &command);
        go(r, 3.0);
        least[shifted] = INFINITY;
        for (int k = 0; k < 5000; k++) {
            step(r);
            least[shifted] = fmin(least[shifted], ff_hexapod_plan(r->h)->margin);
        }
        rig_clear(r);
    }
    CHECK(least[0] < 0.0); // the front pair lifts, and the head is heavy
    CHECK(least[1] > 0.0);
}

// ------------------------------------------------------------------------------------------ bad input

TEST(speed_and_pose_beyond_reach_are_clamped_and_told)
{
    ff_hexapod_options options = ff_hexapod_options_default();
    options.transfer_limit = 0.3;
    rig *r = rig_make(&options);
    ff_walk_command command = walking(r, FF_GAIT_WAVE, 5.0);
    give(r, &command);
    go(r, 3.0);
    CHECK(ff_hexapod_status(r->h, NULL) & FF_WALK_SPEED_CLAMPED);
    memset(r->way, 0, sizeof r->way);
    go(r, 5.6);
    CHECK_NEAR(r->way[0] / 5.6, 0.3 / 11.0, 0.001); // wave: V_st = V_tr / 11; two periods
    CHECK_NEAR(5.0 * ff_hexapod_slowed(r->h), 0.3 / 11.0, 1e-12);
    command.speed = 0.02;
    command.height = 2.0;
    command.roll = 1.2;
    give(r, &command);
    go(r, 5.0);
    CHECK_INT(ff_hexapod_status(r->h, NULL) & FF_WALK_SPEED_CLAMPED, 0);
    CHECK_NEAR(ff_hexapod_slowed(r->h), 1.0, 0.0);
    CHECK(ff_hexapod_status(r->h, NULL) & FF_WALK_POSE_CLAMPED);
    CHECK(!r->bad_output);
    rig_clear(r);
}

TEST(steps_far_beyond_reach_become_the_longest_within)
{
    const ff_hexapod_options options = ff_hexapod_options_default();
    rig *r = rig_make(&options);
    ff_walk_command command = walking(r, FF_GAIT_TRIPOD, 0.1);
    command.length = 5.0;
    give(r, &command);
    go(r, 3.0);
    CHECK(ff_hexapod_status(r->h, NULL) & FF_WALK_POSE_CLAMPED);
    double ends[2] = {INFINITY, -INFINITY};
    for (int k = 0; k < 5000; k++) {
        step(r);
        const double x = ff_hexapod_plan(r->h)->foot[2][0];
        ends[0] = fmin(ends[0], x);
        ends[1] = fmax(ends[1], x);
    }
    CHECK(ends[1] - ends[0] > 0.07); // ANTON's own steps are within its reach (Fig. 3.18)
    CHECK(!r->bad_output);
    rig_clear(r);
}

TEST(joint_speeds_bound_the_transfer)
{
    ff_hexapod_options options = ff_hexapod_options_default();
    options.transfer_limit = 10.0;
    rig *r = rig_make(&options);
    ff_walk_command command = walking(r, FF_GAIT_TRIPOD, 5.0);
    give(r, &command);
    double fastest = 0.0; // of all joints, as a share of their own speed
    for (int k = 0; k < 4.0 / DT; k++) {
        step(r);
        for (int j = 0; j < r->m->njoint && k > 1.5 / DT; j++)
            if (ff_joint_is_scalar(r->m->joints[j].type) && r->m->joints[j].speed > 0.0)
                fastest =
                    fmax(fastest, fabs(item(r, FF_IO_REFERENCES, "drives.%s.speed", r->m->joints[j].name)->value) /
                                      r->m->joints[j].speed);
    }
    CHECK(ff_hexapod_status(r->h, NULL) & FF_WALK_SPEED_CLAMPED);
    // 0.8 at the points looked at, a little more between them and where a leg hurries, which it does in longer cycles
    if (CHECK_LASTS(1, 0)) CHECK_NEAR(fastest, 0.85, 0.05);
    rig_clear(r);
}

TEST(wishes_that_make_no_sense_are_refused)
{
    rig *r = rig_make(NULL);
    const ff_walk_command old = ff_hexapod_command_get(r->h);
    ff_walk_command command = walking(r, FF_GAIT_TRIPOD, NAN);
    ff_error err = {0};
    CHECK_INT(ff_hexapod_command_set(r->h, &command, &err), FF_BAD_ARGUMENT);
    command = walking(r, (ff_gait)17, 0.1);
    CHECK_INT(ff_hexapod_command_set(r->h, &command, &err), FF_BAD_ARGUMENT);
    command = walking(r, FF_GAIT_TRIPOD, 0.1);
    command.incline = -1.2;
    CHECK_INT(ff_hexapod_command_set(r->h, &command, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "-1.2 rad");
    CHECK(ff_hexapod_command_get(r->h).walk == old.walk);
    rig_clear(r);
}

TEST(gait_change_every_50_ms_stays_safe_and_walks)
{
    rig *r = rig_make(NULL);
    for (int k = 0; k < 200; k++) {
        ff_walk_command command = walking(r, (ff_gait)(k % FF_GAIT_COUNT), 0.0);
        command.transfer = 0.3;
        give(r, &command);
        go(r, 0.05);
        CHECK(ff_hexapod_plan(r->h)->support >= 3);
    }
    CHECK(!r->bad_output);
    CHECK(r->way[0] > 0.1);
    rig_clear(r);
}

TEST(sensors_that_fail_are_reported_and_never_reach_the_joints)
{
    rig *r = rig_walking(FF_GAIT_TRIPOD, 0.1);
    go(r, 2.0);
    r->silent_leg = 2;
    go(r, 3.0);
    CHECK(ff_hexapod_status(r->h, NULL) & FF_WALK_CONTACT_UNKNOWN);
    r->silent_leg = -1;
    r->poison = NAN;
    go(r, 1.0);
    unsigned ever = 0;
    ff_hexapod_status(r->h, &ever);
    CHECK(ever & FF_WALK_BAD_NUMBER);
    r->poison = 1e300;
    go(r, 1.0);
    r->poison = 0.0;
    r->silent = true;
    go(r, 3.0);
    CHECK(ff_hexapod_status(r->h, NULL) & FF_WALK_STALE);
    r->silent = false;
    go(r, 3.0);
    CHECK_INT(ff_hexapod_status(r->h, NULL) & (FF_WALK_STALE | FF_WALK_CONTACT_UNKNOWN | FF_WALK_BAD_NUMBER), 0);
    CHECK(r->way[0] > 0.7); // of 13 s at 0.1 m/s: it went on walking
    CHECK(!r->bad_output);
    rig_clear(r);
}

/// Reports blows on the first foot in the middle of part 14, of some cycles each, and whether the foot stands then.
static bool stands_after(rig *r, int blows, double force, int cycles)
{
    const ff_walk_plan *plan = ff_hexapod_plan(r->h);
    while (plan->phase[0] != FF_FOOTSTEP_UP) step(r);
    while (plan->phase[0] != FF_FOOTSTEP_DOWN) step(r);
    go(r, 0.04); // of 0.117 s
    while (r->cycle % r->every != 0) step(r);
    CHECK(plan->phase[0] == FF_FOOTSTEP_DOWN);
    CHECK(!touches(r, 0));
    for (int n = 0; n < blows; n++) {
        r->blow = force;
        for (int k = 0; k < cycles; k++) step(r);
        r->blow = 0.0;
        step(r);
    }
    return plan->phase[0] == FF_FOOTSTEP_SUPPORT;
}

// 15 g below the force sensor, in the air at no more than 0.8 m/s: a joint that stops them gives them 0.012 N s at
// most, so less may be a stop, and more is ground. Of a blow one sample may show the peak, and says nothing of its
// time.
TEST(a_blow_of_a_joint_at_its_stop_is_not_taken_for_ground)
{
    rig *r = rig_walking(FF_GAIT_TRIPOD, 0.1);
    const double most = 0.015 * 0.8 / DT; // sum of samples  [N]
    go(r, 2.0);
    CHECK(!stands_after(r, 1, 10.0 * most, 1));
    CHECK(!stands_after(r, 1, 0.45 * most, 3));
    CHECK(!stands_after(r, 3, 0.45 * most, 3)); // a blow counts by itself
    CHECK(stands_after(r, 1, 0.55 * most, 3));
    r->every = 8;
    CHECK(!stands_after(r, 1, 10.0 * most, 3)); // one sample, which is seen in eight cycles
    rig_clear(r);
}

// A foot that has met something high in the air stays there where that carries it, and is lowered where it leans
// against it with 2 N of the 10 to 20 that it should carry.
TEST(a_foot_that_met_something_stays_only_where_that_carries_it)
{
    for (int leans = 0; leans < 2; leans++) {
        rig *r = rig_walking(FF_GAIT_TRIPOD, 0.1);
        const ff_walk_plan *plan = ff_hexapod_plan(r->h);
        go(r, 2.0);
        CHECK(stands_after(r, 1, 0.55 * 0.015 * 0.8 / DT, 3));
        const double met = r->foot[0][2] + r->root;
        CHECK(met > 0.03); // [m]
        r->blow = leans ? 2.0 : 10.0;
        go(r, 0.2);
        CHECK(plan->phase[0] == FF_FOOTSTEP_SUPPORT);
        const double sunk = met - (r->foot[0][2] + r->root);
        printf("  %.1f mm high, lowered by %.1f mm in 0.2 s\n", 1e3 * met, 1e3 * sunk);
        CHECK(leans ? sunk > 0.01 : sunk < 0.005); // [m]
        rig_clear(r);
    }
}

// When the robot stands, references come near to the failed joint; it counts as failed until a command to stand.
TEST(a_robot_with_a_frozen_joint_stops_until_it_is_reported_to_stand)
{
    rig *r = rig_walking(FF_GAIT_TRIPOD, 0.1);
    go(r, 2.0);
    r->frozen = "FL_femur";
    go(r, 3.0);
    CHECK(ff_hexapod_status(r->h, NULL) & FF_WALK_NOT_FOLLOWING);
    memset(r->way, 0, sizeof r->way);
    go(r, 1.0);
    CHECK_BELOW(fabs(r->way[0]), 1e-3); // [m]
    CHECK(ff_hexapod_plan(r->h)->support >= 3);
    r->frozen = NULL;
    go(r, 1.0);
    CHECK(ff_hexapod_status(r->h, NULL) & FF_WALK_NOT_FOLLOWING);
    ff_error err = {0};
    ff_walk_command command = ff_hexapod_command_get(r->h);
    command.walk = false;
    CHECK_INT(ff_hexapod_command_set(r->h, &command, &err), FF_OK);
    go(r, 1.0);
    command.walk = true;
    CHECK_INT(ff_hexapod_command_set(r->h, &command, &err), FF_OK);
    go(r, 4.0);
    CHECK_INT(ff_hexapod_status(r->h, NULL) & FF_WALK_NOT_FOLLOWING, 0);
    CHECK(r->way[0] > 0.2);
    rig_clear(r);
}

TEST(time_that_stands_still_or_jumps_does_no_harm)
{
    rig *r = rig_walking(FF_GAIT_TRIPOD, 0.1);
    static const double jumps[] = {0.0, -5.0, 100.0, NAN, INFINITY};
    for (size_t k = 0; k < sizeof jumps / sizeof *jumps; k++) {
        go(r, 0.2);
        r->t += jumps[k];
        step(r);
        CHECK(!r->bad_output);
    }
    rig_clear(r);
}

TEST(robot_found_in_another_pose_goes_to_its_stance_slowly)
{
    rig *r = rig_make(NULL);
    memcpy(r->d->q, r->m->q0, (size_t)r->m->nq * sizeof *r->d->q); // legs stretched out
    ff_walk_command command = walking(r, FF_GAIT_TRIPOD, 0.1);
    give(r, &command);
    double fastest = 0.0, last = 0.0;
    for (int k = 0; k < 6.0 / DT; k++) {
        step(r);
        const ff_io_item *femur = item(r, FF_IO_REFERENCES, "drives.%s.position", "ML_tibia");
        if (k > 0 && k < 3.0 / DT) fastest = fmax(fastest, fabs(femur->value - last) / DT);
        last = femur->value;
    }
    CHECK_BELOW(fastest, 0.8 * 1.01); // options.rise; the tibia has the longest way, 2.02 rad
    CHECK(r->way[0] > 0.1);           // then it walks
    CHECK(!r->bad_output);
    rig_clear(r);
}

// ------------------------------------------------------------------------------------------ a leg as a hand

/// A foot in the walk frame, as the joints place it [m].
static void hand_at(const rig *r, int leg, double point[3])
{
    const ff_walk_plan *plan = ff_hexapod_plan(r->h);
    for (int k = 0; k < 2; k++) point[k] = r->foot[leg][k] + plan->shift[k];
    point[2] = r->foot[leg][2] + r->root;
}

static ff_walk_command reaching(const rig *r, int leg, double x, double y, double z)
{
    ff_walk_command command = ff_hexapod_command_get(r->h);
    command.control_forces = false; // forces of this rig do not answer
    command.hand = leg + 1;
    command.reach[0] = x;
    command.reach[1] = y;
    command.reach[2] = z;
    return command;
}

// One foot goes where it is sent, at the speed it is given; the others and the body stay. Sent back, it stands where it
// stood, and the robot walks on.
TEST(a_foot_that_is_a_hand_goes_where_it_is_sent)
{
    rig *r = rig_make(NULL);
    double point[3], before[3], least = INFINITY, fastest = 0.0;
    go(r, 0.2);
    ff_walk_command command = reaching(r, 0, 0.25, 0.24, 0.06);
    give(r, &command);
    hand_at(r, 0, before);
    for (int k = 0; k < 3000; k++) {
        step(r);
        hand_at(r, 0, point);
        const double way[3] = {point[0] - before[0], point[1] - before[1], point[2] - before[2]};
        if (k % 100 == 99) { // joints follow a cycle after the shift of the body they are for
            fastest = fmax(fastest, sqrt(ff_vec3_dot(way, way)) / (100 * DT));
            memcpy(before, point, sizeof point);
        }
        least = fmin(least, ff_hexapod_plan(r->h)->support);
        for (int i = 1; i < LEGS; i++) CHECK_NEAR(r->foot[i][2] + r->root, 0.0, 1e-4); // posture and recoil
    }
    CHECK_NEAR(point[0], 0.25, 1e-3); // the posture loop is not yet done with the body
    CHECK_NEAR(point[1], 0.24, 1e-3);
    CHECK_NEAR(point[2], 0.06, 1e-3);
    CHECK_NEAR(fastest, command.hand_speed, 0.003); // the body gives way to the recoil of the leg
    CHECK_NEAR(least, LEGS - 1, 0.0);
    command.hand = 0;
    give(r, &command);
    go(r, 4.0);
    CHECK_NEAR(ff_hexapod_plan(r->h)->support, LEGS, 0.0);
    CHECK(!r->bad_output);
    const double from = r->way[0];
    command = walking(r, FF_GAIT_TRIPOD, 0.1);
    give(r, &command);
    go(r, 5.0);
    CHECK(r->way[0] - from > 0.4);
    rig_clear(r);
}

// The foot lifts once the centre of mass has its margin on the others, for which the body moves. The left front foot
// leaves 66 mm; 98 are asked for.
TEST(the_body_shifts_before_a_hand_lifts)
{
    ff_hexapod_options options = ff_hexapod_options_default();
    options.margin = 0.049;
    rig *r = rig_make(&options);
    go(r, 0.2);
    const ff_walk_command command = reaching(r, 0, 0.2, 0.22, 0.05);
    give(r, &command);
    for (int k = 0; k < 5000 && controller_signal(r->c, "hand.stage") < 2.0; k++) step(r);
    CHECK_NEAR(controller_signal(r->c, "hand.stage"), 2.0, 0.0);
    CHECK(ff_hexapod_plan(r->h)->margin >= 0.9 * 2.0 * options.margin);
    CHECK(ff_hexapod_plan(r->h)->shift[0] < -0.01);
    rig_clear(r);
}

TEST(a_hand_stops_at_the_end_of_its_reach_and_at_its_force)
{
    rig *r = rig_make(NULL);
    unsigned ever = 0;
    double point[3];
    go(r, 0.2);
    ff_walk_command command = reaching(r, 1, 0.9, -0.22, 0.05);
    give(r, &command);
    go(r, 8.0);
    ff_hexapod_status(r->h, &ever);
    hand_at(r, 1, point);
    CHECK(ever & FF_WALK_OUT_OF_REACH);
    CHECK(!r->bad_output);
    // hip at 0.18 m, limbs of 0.05, 0.1 and 0.15 m, 45 deg of the coxa: 0.18 + 0.14 m at most
    CHECK(point[0] > 0.25 && point[0] < 0.36);
    // down onto the floor of this rig, which presses with 10 N once it touches, 3 mm above the others' ground
    command = reaching(r, 1, 0.18, -0.22, -0.02);
    command.hand_force = 8.0;
    give(r, &command);
    go(r, 8.0);
    hand_at(r, 1, point);
    CHECK_NEAR(controller_signal(r->c, "hand.stopped"), 1.0, 0.0);
    CHECK_NEAR(controller_signal(r->c, "hand.force.z"), 10.0, 0.01);
    CHECK_NEAR(point[2], r->soft, 1.5e-3); // 0.05 m/s, for the 16 ms until the smoothed force has risen to 8 of 10 N
    rig_clear(r);
}

// Ground of 5 kN/m below all feet of a rigid robot: the probe finds it although the standing feet come out of it while
// the hand presses, and takes no damper and no friction from where there is none. Then the body stands as high as it
// should: before, it was lower by what six feet sink in.
TEST(a_probed_ground_is_known_and_used)
{
    rig *r = rig_make(NULL);
    const double k = 5e3, stand = 0.1064; // [m] 0.15 - 0.1 sin(acos(0.9))
    r->spring = k;
    go(r, 2.0);
    CHECK_NEAR(r->root, stand - 9.81 * r->m->mass / (LEGS * k), 1e-4);
    ff_walk_command command = reaching(r, 0, 0.18, 0.22, 0.01);
    command.probe = true;
    give(r, &command);
    go(r, 20.0);
    CHECK_NEAR(controller_signal(r->c, "probe.count"), 1.0, 0.0);
    // the filter rounds off the turns of the strokes, where this ground without a damper has corners
    CHECK_NEAR(controller_signal(r->c, "foothold.1.stiffness"), k, 0.01 * k);
    CHECK(controller_signal(r->c, "foothold.1.damping") < 2.0 * k); // [N s/m^2]: 1 % of the force at 5 mm/s
    CHECK_NEAR(controller_signal(r->c, "foothold.1.friction"), 0.0, 1e-9);
    command.hand = 0;
    give(r, &command);
    go(r, 5.0);
    CHECK_NEAR(r->root, stand, 1e-4);
    CHECK(!r->bad_output);
    rig_clear(r);
}

TEST(a_hand_that_does_not_exist_is_refused)
{
    rig *r = rig_make(NULL);
    ff_error err = {0};
    ff_walk_command command = reaching(r, LEGS, 0.2, 0.2, 0.0);
    CHECK_INT(ff_hexapod_command_set(r->h, &command, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "leg 7 cannot be a hand");
    command = reaching(r, 0, NAN, 0.2, 0.0);
    CHECK_INT(ff_hexapod_command_set(r->h, &command, &err), FF_BAD_ARGUMENT);
    rig_clear(r);
}

// ------------------------------------------------------------------------------------------ promises to the caller

TEST(memory_is_one_block_that_brings_a_run_back)
{
    rig *r = rig_walking(FF_GAIT_GALLOP, 0.05);
    go(r, 1.3);
    void *saved = malloc(r->c.memory_size);
    memcpy(saved, r->c.memory, r->c.memory_size);
    const rig then = *r;
    double *q = malloc((size_t)r->m->nq * sizeof *q), end[2];
    memcpy(q, r->d->q, (size_t)r->m->nq * sizeof *q);
    for (int k = 0; k < 2; k++) {
        memcpy(r->c.memory, saved, r->c.memory_size);
        *r = then;
        memcpy(r->d->q, q, (size_t)r->m->nq * sizeof *q);
        go(r, 1.0);
        end[k] = item(r, FF_IO_REFERENCES, "drives.%s.position", "RL_coxa")->value;
    }
    CHECK_NEAR(end[0], end[1], 0.0);
    free(saved);
    free(q);
    rig_clear(r);
}

TEST(cycles_do_not_allocate)
{
    rig *r = rig_walking(FF_GAIT_TRIPOD, 0.1);
    go(r, 0.5);
    const long long before = allocation_calls;
    go(r, 0.5);
    CHECK_INT(allocation_calls, before);
    rig_clear(r);
}

TEST(missing_drives_and_impossible_options_are_named)
{
    rig *r = rig_make(NULL);
    ff_error err = {0};
    ff_io_layout none = r->layouts[FF_IO_REFERENCES];
    none.count = 0;
    CHECK_INT(ff_hexapod_bind(r->h, &r->layouts[FF_IO_SENSORS], &none, &err), FF_NOT_FOUND);
    CHECK(strstr(err.text, "drives.") != NULL);
    ff_hexapod_options options = ff_hexapod_options_default();
    options.stance = FF_STANCE_RECTANGLE;
    options.half[0] = 0.18;
    options.half[1] = 0.9; // legs are 0.3 m long
    CHECK(!ff_hexapod_create(r->m, &options, &err) && err.status == FF_BAD_ARGUMENT);
    CHECK(strstr(err.text, "cannot stand") != NULL);
    options.half[1] = 0.24;
    ff_hexapod *h = ff_hexapod_create(r->m, &options, &err);
    CHECK(h);
    ff_hexapod_destroy(h);
    options = ff_hexapod_options_default();
    options.step.level = 0.0;
    CHECK(!ff_hexapod_create(r->m, &options, &err) && err.status == FF_BAD_ARGUMENT);
    CHECK(strstr(err.text, "level") != NULL);
    r->m->legs[1].name = "the_leg_in_the_middle_of_the_left_side_of_this_robot"; // 52, and ".ideal.height"
    CHECK(!ff_hexapod_create(r->m, NULL, &err) && err.status == FF_LIMIT);
    CHECK_SAYS(err.text, "this_robot.ideal.travel' has 65 characters: items and signals have at most 63");
    rig_clear(r);
}
