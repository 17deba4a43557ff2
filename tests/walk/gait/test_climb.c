// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans of climbs, without a simulation. What the planner promises of every instant is checked again by routes of its
// own: feet by forward kinematics of the whole robot, clearance by distances of points on limbs and bodies, balance by
// the support polygon, torques by the equilibrium of forces.
#include "check.h"
#include "gait/climb_plan.h"
#include "support/controller.h"

#include <footfall/balance.h>
#include <footfall/climb.h>
#include <footfall/load.h>
#include <footfall/math.h>

static ff_model *model;
static ff_data *data;
static ff_climb *climb;

static void finish(void)
{
    ff_climb_destroy(climb);
    ff_data_destroy(data);
    ff_model_destroy(model);
    climb = NULL;
    data = NULL;
    model = NULL;
}

static void begin(void)
{
    static bool registered;
    ff_report report = {0};
    if (!registered) atexit(finish);
    registered = true;
    finish();
    model = ff_model_load(FF_SOURCE_DIR "/robots/anton/anton.yaml", NULL, &report);
    ff_report_clear(&report);
    CHECK(model);
    data = ff_data_create(model, NULL);
}

static ff_climb_options command(double height, bool rigid)
{
    ff_climb_options o = ff_climb_options_default();
    o.distance = 0.4;
    o.height = height;
    o.rigid = rigid;
    return o;
}

enum { MOST_INSTANTS = 1000 };
static struct {
    double height;
    bool rigid;
    int n;
    ff_climb_instant instants[MOST_INSTANTS];
} found; // by the last search

/// Finds the plan, or takes it again where the last search was for the same ledge: a search takes seconds.
static void plan(double height, bool rigid)
{
    const ff_climb_options o = command(height, rigid);
    ff_error err = {0};
    begin();
    if (found.n > 0 && found.height == height && found.rigid == rigid) {
        climb = ff_climb_create_planned(model, &o, found.instants, found.n, &err);
    } else if ((climb = ff_climb_create(model, &o, &err))) {
        const ff_climb_instant *instants = ff_climb_instants(climb, &found.n);
        CHECK(found.n <= MOST_INSTANTS);
        memcpy(found.instants, instants, (size_t)found.n * sizeof *instants);
        found.height = height;
        found.rigid = rigid;
    }
    if (!climb) CHECK_FAIL("%s", err.text);
}

static double end_of_plan(void)
{
    int n;
    const ff_climb_instant *instants = ff_climb_instants(climb, &n);
    CHECK(n > 2);
    return instants[n - 1].t;
}

static void place_of(int body, const double local[3], double out[3])
{
    ff_dyn_point(model, data, body, local, out);
}

/// Depth of a point below ground or ledge, below zero outside.
static double depth(double height, const double p[3])
{
    if (p[0] <= 0.0) return -p[2];
    return fmin(p[0], height - p[2]);
}

/// Deepest point of all boxes of the body and of the axes of all limbs, each with its radius.
static double deepest(double height)
{
    double most = -INFINITY;
    for (int i = 0; i < model->ngeom; i++) {
        const ff_geom *g = &model->geoms[i];
        const bool box = g->shape.type == FF_SHAPE_BOX, capsule = g->shape.type == FF_SHAPE_CAPSULE;
        const double *size = g->shape.size, radius = capsule ? size[0] : 0.0;
        if (g->body < 0 || (!box && !capsule)) continue;
        for (int a = -10; a <= 10; a++)
            for (int b = box ? -10 : 0; b <= (box ? 10 : 0); b++) {
                const double at[3] = {box ? 0.1 * a * size[0] : 0.0, 0.0, box ? 0.1 * b * size[2] : 0.1 * a * size[1]};
                double local[3], world[3];
                ff_quat_rotate(local, g->quat, at);
                ff_vec3_add(local, local, g->pos);
                place_of(g->body, local, world);
                most = fmax(most, depth(height, world) + radius);
            }
    }
    return most;
}

/// Ends of a limb of a leg in the pose in `data`: from joint to joint, the last one to the middle of the foot.
static void limb_ends(int leg, int limb, double from[3], double to[3])
{
    const ff_leg *l = &model->legs[leg];
    const ff_frame *frame = &model->frames[l->frame];
    place_of(model->joints[l->joints[limb]].body, model->joints[l->joints[limb]].pos, from);
    if (limb < 2)
        place_of(model->joints[l->joints[limb + 1]].body, model->joints[l->joints[limb + 1]].pos, to);
    else
        place_of(frame->body, frame->pos, to);
}

/// Least distance of neighbouring legs: of points along their limbs, less the radius of both (0.012 m, that of the feet
/// for shanks).
static double legs_apart(void)
{
    double least = INFINITY;
    for (int leg = 0; leg + 2 < model->nleg; leg++) // two legs later: the next one of the same side
        for (int pair = 0; pair < 9; pair++) {
            double a[3], b[3], c[3], d[3], p[3], r[3], away[3];
            limb_ends(leg, pair / 3, a, b);
            limb_ends(leg + 2, pair % 3, c, d);
            for (int k = 0; k <= 20; k++)
                for (int n = 0; n <= 20; n++) {
                    for (int i = 0; i < 3; i++) p[i] = a[i] + 0.05 * k * (b[i] - a[i]);
                    for (int i = 0; i < 3; i++) r[i] = c[i] + 0.05 * n * (d[i] - c[i]);
                    ff_vec3_sub(away, p, r);
                    least = fmin(least, ff_vec3_norm(away) - 0.024);
                }
        }
    return least;
}

/// Largest difference between the feet of the pose in `data` and those of the plan.
static double feet_off(const ff_climb_instant *instant)
{
    int rows;
    const int *legs = ff_climb_legs(climb, &rows);
    double most = 0.0;
    for (int i = 0; i < 2 * rows; i++) {
        const ff_frame *frame = &model->frames[model->legs[legs[i]].frame];
        double foot[3];
        place_of(frame->body, frame->pos, foot);
        most = fmax(most, fabs(foot[0] - instant->foot[i / 2][0]));
        most = fmax(most, fabs(foot[2] - instant->foot[i / 2][1]));
    }
    return most;
}

static double margin(const ff_climb_instant *instant)
{
    double points[12][2], com[3];
    ff_support support;
    int rows, n = 0;
    const int *legs = ff_climb_legs(climb, &rows);
    for (int i = 0; i < 2 * rows; i++) {
        const ff_frame *frame = &model->frames[model->legs[legs[i]].frame];
        double foot[3];
        if (i / 2 == instant->swing) continue;
        place_of(frame->body, frame->pos, foot);
        points[n][0] = foot[0], points[n++][1] = foot[1];
    }
    CHECK(ff_support_make(&support, (const double(*)[2])points, n));
    ff_dyn_com(model, data, com);
    return ff_support_margin(&support, com);
}

static double beyond_limits(void)
{
    double most = -INFINITY;
    for (int j = 0; j < model->njoint; j++) {
        const ff_joint *joint = &model->joints[j];
        if (!joint->limited) continue;
        const double q = data->q[joint->qadr];
        most = fmax(most, fmax(joint->range[0] - q, q - joint->range[1]));
    }
    return most;
}

/// All promises, at ten instants a second.
static void keep_promises(double height)
{
    double near = INFINITY;
    const ff_climb_options o = ff_climb_options_default();
    const double end = end_of_plan();
    double least = INFINITY, deep = -INFINITY, off = 0.0, beyond = -INFINITY;
    for (double t = 0.0; t <= end + 0.1; t += 0.1) {
        ff_climb_instant instant;
        ff_climb_at(climb, t, &instant);
        ff_climb_coordinates(climb, &instant, data);
        off = fmax(off, feet_off(&instant));
        least = fmin(least, margin(&instant));
        deep = fmax(deep, deepest(height));
        beyond = fmax(beyond, beyond_limits());
        near = fmin(near, legs_apart());
    }
    CHECK_BELOW(o.clearance - 2e-3, near); // [m] tolerances of the search, and the curve between its instants
    CHECK_BELOW(off, 1e-3); // [m] at instants exact; between them a foot in the air may be short by a tenth of a sample
    CHECK_BELOW(o.margin - 2e-3, least);    // [m] tolerances of the search, and the curve between its instants
    CHECK_BELOW(deep, -o.clearance + 4e-3); // [m] the same; shanks end in their feet, which are 6 mm thicker
    CHECK_BELOW(beyond, 0.0);               // [rad] inverse kinematics knows the limits
}

TEST(a_plan_keeps_feet_balance_clearance_and_limits_at_every_instant)
{
    plan(0.15, false);
    keep_promises(0.15);
}

// Feet 8 cm apart, which does not depend on the legs themselves, would end at 0.23 m.
TEST(so_does_the_plan_for_a_ledge_that_needs_narrow_stances)
{
    plan(0.25, false);
    keep_promises(0.25);
}

TEST(so_does_the_plan_of_a_rigid_body_and_its_segments_stay_in_line)
{
    plan(0.15, true);
    keep_promises(0.15);
    const double end = end_of_plan();
    for (double t = 0.0; t <= end; t += 0.5) {
        ff_climb_instant instant;
        ff_climb_at(climb, t, &instant);
        ff_climb_coordinates(climb, &instant, data);
        CHECK(data->q[model->joints[ff_model_find_joint(model, "front_pitch")].qadr] == 0.0);
        CHECK(data->q[model->joints[ff_model_find_joint(model, "rear_pitch")].qadr] == 0.0);
    }
}

TEST(rows_step_from_rear_to_front_and_all_end_on_the_ledge)
{
    plan(0.15, false);
    int n, rows, last = 0;
    const ff_climb_instant *instants = ff_climb_instants(climb, &n);
    ff_climb_legs(climb, &rows);
    CHECK(rows == 3);
    for (int i = 1; i < n; i++) {
        CHECK(instants[i].t > instants[i - 1].t);
        CHECK(instants[i].step >= instants[i - 1].step && instants[i].step <= 8);
        if (instants[i].swing < 0 || !instants[i].stop) continue;
        CHECK(instants[i].swing < last || instants[i].swing == rows - 1 || last == 0); // the next ahead, or a new wave
        last = instants[i].swing;
    }
    CHECK(instants[0].step == 1 && instants[n - 1].step == 8);
    for (int row = 0; row < rows; row++) {
        CHECK(instants[n - 1].foot[row][0] > 0.0);
        CHECK_NEAR(instants[n - 1].foot[row][1], 0.15 + 0.012, 1e-12); // [m] ledge and radius of the foot
    }
}

TEST(feet_that_stand_do_not_move)
{
    plan(0.15, false);
    const double end = end_of_plan();
    ff_climb_instant before, instant;
    ff_climb_at(climb, 0.0, &before);
    for (double t = 0.01; t <= end; t += 0.01) {
        ff_climb_at(climb, t, &instant);
        for (int row = 0; row < 3; row++)
            if (row != instant.swing && row != before.swing)
                for (int k = 0; k < 2; k++) CHECK_NEAR(instant.foot[row][k], before.foot[row][k], 1e-12);
        before = instant;
    }
}

TEST(a_plan_can_be_carried_out_again_without_another_search)
{
    plan(0.15, false);
    const ff_climb_options o = command(0.15, false);
    ff_error err = {0};
    int n;
    const ff_climb_instant *instants = ff_climb_instants(climb, &n);
    CHECK(!ff_climb_create_planned(model, &o, NULL, n, &err) && err.status == FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "it needs one at least");
    ff_climb *again = ff_climb_create_planned(model, &o, instants, n, &err);
    CHECK(again);
    const double end = end_of_plan();
    bool same = true;
    for (double t = 0.0; t <= end; t += 0.5) {
        ff_climb_instant a, b;
        ff_climb_at(climb, t, &a);
        ff_climb_at(again, t, &b);
        same = same && memcmp(&a.body, &b.body, sizeof a.body) == 0 && memcmp(a.foot, b.foot, sizeof a.foot) == 0;
    }
    ff_climb_destroy(again);
    CHECK(same);
}

// With the forces that the feet carry, the torques of the plan leave nothing for the base to hold: M 0 + bias = tau +
// J'F.
TEST(torques_hold_the_robot_in_equilibrium)
{
    plan(0.15, false);
    int n, count;
    const ff_climb_instant *instants = ff_climb_instants(climb, &n);
    const int *joints = ff_climb_joints(climb, &count);
    CHECK(count == 24);
    double most = 0.0;
    for (int i = 0; i < n; i += 7) {
        if (instants[i].swing < 0) continue; // two rows: their shares follow from the centre of mass alone
        int rows, low = -1, high = -1;
        double com[3], none[3] = {0.0, 0.0, 0.0};
        const int *legs = ff_climb_legs(climb, &rows);
        ff_climb_coordinates(climb, &instants[i], data);
        ff_dyn_com(model, data, com);
        for (int row = 0; row < rows; row++)
            if (row != instants[i].swing) {
                if (high < 0) high = row;
                low = row;
            }
        const double a = instants[i].foot[low][0], b = instants[i].foot[high][0], weight = model->mass * 9.81;
        ff_dyn_clear_forces(model, data);
        for (int leg = 0; leg < 2 * rows; leg++) {
            const ff_frame *frame = &model->frames[model->legs[legs[leg]].frame];
            const double share = leg / 2 == low    ? (b - com[0]) / (b - a)
                                 : leg / 2 == high ? (com[0] - a) / (b - a)
                                                   : 0.0;
            const double up[3] = {0.0, 0.0, 0.5 * weight * share};
            double foot[3];
            place_of(frame->body, frame->pos, foot);
            ff_dyn_apply_force(model, data, frame->body, foot, up, none);
        }
        memset(data->v, 0, (size_t)model->nv * sizeof *data->v);
        memset(data->tau, 0, (size_t)model->nv * sizeof *data->tau);
        for (int k = 0; k < count; k++) data->tau[model->joints[joints[k]].vadr] = instants[i].torque[k];
        ff_dyn_velocity(model, data);
        CHECK(ff_dyn_forward(model, data));
        for (int k = 0; k < model->nv; k++) most = fmax(most, fabs(data->qacc[k]));
    }
    CHECK_BELOW(most, 1e-6); // [m/s^2, rad/s^2] of g = 9.81: rounding, through inertias of 1e-5 kg m^2
}

TEST(what_cannot_be_climbed_is_refused_with_a_reason)
{
    ff_error err = {0};
    begin();
    ff_climb_options o = command(0.5, true); // a rigid body whose feet stay far apart has the least to search
    o.gap = 0.14;
    CHECK(!ff_climb_create(model, &o, &err) && err.status == FF_NOT_FOUND);
    CHECK_SAYS(err.text, "no path onto a ledge of 0.5 m");
    o = command(0.1, false);
    o.distance = 0.2;
    CHECK(!ff_climb_create(model, &o, &err) && err.status == FF_NOT_FOUND);
    CHECK_SAYS(err.text, "where the climb begins");
    o = command((double)NAN, false);
    CHECK(!ff_climb_create(model, &o, &err) && err.status == FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "height");
    o = command(0.1, false);
    o.pose = "nothing";
    CHECK(!ff_climb_create(model, &o, &err) && err.status == FF_NOT_FOUND);
    CHECK_SAYS(err.text, "nothing");
}

// ------------------------------------------------------------------------------------------ hills

static double round_hill(const void *context, double x)
{
    const double radius = *(const double *)context;
    return sqrt(radius * radius - x * x) - radius;
}

// On a cylinder the chord l of two points at the height c subtends 2 asin(l / (2 (R + c))), wherever they are.
TEST(bends_on_a_cylinder_are_those_of_a_chord)
{
    const double radius = 0.8, clearance = 0.106, l = 0.18, along[3] = {l, -l, 0.0};
    const double bend = 2.0 * asin(l / (2.0 * (radius + clearance)));
    const ff_profile ground = {round_hill, &radius};
    for (double x = -0.3; x < 0.35; x += 0.1) {
        double angle[3];
        ff_profile_follow(&ground, clearance, x, along, 3, angle);
        CHECK_NEAR(angle[2], -asin(x / radius), 1e-8); // [rad] slopes by differences over 0.2 mm
        CHECK_NEAR(angle[0] - angle[2], -bend, 1e-7);
        CHECK_NEAR(angle[1] - angle[2], bend, 1e-7);
    }
}

static double straight_slope(const void *context, double x)
{
    return *(const double *)context * x;
}

TEST(a_straight_slope_does_not_bend_the_body)
{
    const double rise = 0.3, along[2] = {0.18, -0.36};
    const ff_profile ground = {straight_slope, &rise};
    double angle[2];
    ff_profile_follow(&ground, 0.1, 0.5, along, 2, angle);
    CHECK_NEAR(angle[0], atan(rise), 1e-9);
    CHECK_NEAR(angle[1], atan(rise), 1e-9);
}

TEST(hills_that_make_no_sense_are_refused)
{
    ff_error err = {0};
    begin();
    ff_hill_options o = ff_hill_options_default();
    o.length = 0.0;
    CHECK(!ff_hill_create(model, &o, &err) && err.status == FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "length");
    o = ff_hill_options_default();
    o.height = 3.0;
    CHECK(!ff_hill_create(model, &o, &err) && err.status == FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "steeper");
    o = ff_hill_options_default();
    ff_hill *hill = ff_hill_create(model, &o, &err);
    CHECK(hill);
    ff_hill_destroy(hill);
}

// ------------------------------------------------------------------------------------------ frames

static ff_io_name reference_names[3 * 24];
static ff_io_layout references;
static _Alignas(16) char reference_frame[4096];

static void bind(void)
{
    static const char *const words[3] = {"position", "speed", "force"};
    ff_error err = {0};
    int n = 0;
    for (int i = 0; i < model->ndrive; i++) {
        if (model->drives[i].joint[1]) continue; // motors of differentials: frames name joints
        CHECK(n < 3 * 24);
        for (int k = 0; k < 3; k++, n++)
            snprintf(reference_names[n].name, sizeof reference_names[n].name, "drives.%s.%s", model->drives[i].name,
                     words[k]);
    }
    CHECK_INT(n, 3 * 24);
    references = (ff_io_layout){FF_IO_REFERENCES, n, reference_names, ff_io_layout_hash(reference_names, n)};
    if (ff_climb_bind(climb, NULL, &references, &err) != FF_OK) CHECK_FAIL("%s", err.text);
}

static void cycle(double t)
{
    const ff_controller controller = ff_climb_controller(climb);
    ff_io_frame *frame = (ff_io_frame *)(void *)reference_frame;
    ff_io_init(frame, &references);
    controller.cycle(controller.context, t, NULL, frame);
}

static double reference(const char *name)
{
    const int item = ff_io_find(&references, name);
    CHECK(item >= 0);
    const ff_io_item *at = &ff_io_items_of((const ff_io_frame *)(const void *)reference_frame)[item];
    CHECK(at->valid);
    return at->value;
}

TEST(references_are_the_plan)
{
    plan(0.1, false);
    bind();
    const double end = end_of_plan();
    for (double t = 0.0; t < end + 1.0; t += 1.7) {
        ff_climb_instant instant;
        cycle(t);
        ff_climb_at(climb, t, &instant);
        ff_climb_coordinates(climb, &instant, data);
        for (int j = 1; j < model->njoint; j++) {
            char name[96];
            snprintf(name, sizeof name, "drives.%s.position", model->joints[j].name);
            CHECK(reference(name) == data->q[model->joints[j].qadr]);
        }
    }
    cycle(end);
    CHECK(controller_signal(ff_climb_controller(climb), "progress") == 1.0);
}

// Stopped for a second, it is a second late from then on.
TEST(a_climb_that_is_stopped_holds_and_goes_on_where_it_was)
{
    plan(0.1, false);
    bind();
    cycle(2.999);
    cycle(3.0);
    ff_climb_set_walking(climb, false);
    CHECK(!ff_climb_is_walking(climb));
    const double held = reference("drives.FL_femur.position");
    for (double t = 3.1; t < 4.05; t += 0.1) {
        cycle(t);
        CHECK_NEAR(reference("drives.FL_femur.position"), held, 1e-12);
        CHECK_NEAR(reference("drives.FL_femur.speed"), 0.0, 1e-9);
    }
    ff_climb_set_walking(climb, true);
    for (double t = 5.0; t < 20.0; t += 3.3) {
        ff_climb_instant instant;
        cycle(t);
        ff_climb_at(climb, t - 1.0, &instant);
        ff_climb_coordinates(climb, &instant, data);
        const int joint = ff_model_find_joint(model, "FL_femur");
        CHECK(joint >= 0);
        CHECK_NEAR(reference("drives.FL_femur.position"), data->q[model->joints[joint].qadr], 1e-9);
    }
}

TEST(memory_put_back_goes_on_with_the_same_bits)
{
    plan(0.1, false);
    bind();
    const ff_controller c = ff_climb_controller(climb);
    void *kept = malloc(c.memory_size);
    char first[sizeof reference_frame];
    CHECK(kept);
    for (int k = 0; k < 5000; k++) cycle(1e-3 * k);
    memcpy(kept, c.memory, c.memory_size);
    cycle(5.0);
    memcpy(first, reference_frame, sizeof first);
    cycle(20.0);
    memcpy(c.memory, kept, c.memory_size);
    cycle(5.0);
    CHECK(memcmp(first, reference_frame, sizeof first) == 0);
    free(kept);
}

TEST(a_drive_that_is_missing_is_named)
{
    ff_error err = {0};
    plan(0.1, false);
    bind();
    snprintf(reference_names[0].name, sizeof reference_names[0].name, "drives.nobody.position");
    CHECK(ff_climb_bind(climb, NULL, &references, &err) == FF_NOT_FOUND);
    CHECK_SAYS(err.text, "needs a drive");
}

// A controller gives the search one slice a cycle: no slice may do more than look for one pose, and all of them
// together find the plan that is found at once.
TEST(a_search_in_slices_has_bounded_work_and_finds_the_same_plan)
{
    plan(0.15, false);
    const ff_climb_options o = command(0.15, false);
    ff_climb_robot robot = {0};
    ff_climb_plan sliced = {0};
    ff_error err = {0};
    CHECK_INT(ff_climb_robot_make(model, &o, &robot, &err), FF_OK);
    ff_climb_search *search = ff_climb_search_begin(&robot, &sliced, &err);
    if (!search) CHECK_FAIL("%s", err.text);
    int64_t most = 0, slices = 0;
    for (bool more = true; more; slices++) {
        const int64_t before = *robot.assessed;
        more = ff_climb_search_slice(search);
        if (*robot.assessed - before > most) most = *robot.assessed - before;
    }
    printf("  %lld slices, %lld poses, %lld at most in one\n", (long long)slices, (long long)*robot.assessed,
           (long long)most);
    CHECK_INT(ff_climb_search_result(search, &err), FF_OK);
    CHECK(most <= FF_CLIMB_SLICE && *robot.assessed > 10 * FF_CLIMB_SLICE);
    int count;
    const ff_climb_instant *instants = ff_climb_instants(climb, &count);
    CHECK_INT(sliced.count, count);
    for (int i = 0; i < count; i++) {
        CHECK_INT(sliced.instants[i].step, instants[i].step);
        CHECK(memcmp(&sliced.instants[i].body, &instants[i].body, sizeof instants[i].body) == 0);
        CHECK(memcmp(sliced.instants[i].foot, instants[i].foot, sizeof instants[i].foot) == 0);
    }
    ff_climb_search_end(search);
    free(sliced.instants);
    ff_climb_robot_clear(&robot);
}
