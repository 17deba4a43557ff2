// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The controller of planar walks by frames alone: its law against the model's own kinematics, changes of plan, saved
// memory, messages.
#include "check.h"

#include <footfall/dyn.h>
#include <footfall/load.h>
#include <footfall/math.h>
#include <footfall/planar_walk.h>

#define SILVA FF_SOURCE_DIR "/robots/silva/silva.yaml"
enum { LEGS = 6, JOINTS = 12, MOST = 64 };

static ff_model *load(const char *path)
{
    ff_report report = {0};
    const ff_load_options options = ff_load_options_default();
    ff_model *model = ff_model_load(path, &options, &report);
    if (!model) CHECK_FAIL("%s", report.count ? report.messages[0].text : "no model");
    ff_report_clear(&report);
    return model;
}

// ------------------------------------------------------------------------------------------ frames without a
// simulation

typedef struct bench {
    ff_model *model;
    ff_planar_walk *walk;
    ff_io_name names[2][MOST];
    ff_io_layout layouts[2];
    ff_io_frame *frames[2];
} bench;
static bench b;

static void add_name(ff_io_kind kind, const char *start, const char *object, const char *end)
{
    ff_io_name *at = &b.names[kind][b.layouts[kind].count++];
    snprintf(at->name, sizeof at->name, "%s%.30s%s", start, object, end);
}

static ff_status try_bench(const ff_planar_walk_options *options, ff_error *err)
{
    memset(&b, 0, sizeof b);
    b.model = load(SILVA);
    for (int i = 0; i < b.model->nleg; i++) {
        for (int j = 0; j < 2; j++) {
            const char *joint = b.model->joints[b.model->legs[i].joints[j]].name;
            add_name(FF_IO_SENSORS, "sensors.angle_", joint, ".position");
            add_name(FF_IO_REFERENCES, "drives.", joint, ".position");
            add_name(FF_IO_REFERENCES, "drives.", joint, ".speed");
            add_name(FF_IO_REFERENCES, "drives.", joint, ".force");
        }
        add_name(FF_IO_SENSORS, "sensors.", b.model->legs[i].name, "_foot_force.fx");
        add_name(FF_IO_SENSORS, "sensors.", b.model->legs[i].name, "_foot_force.fy");
        add_name(FF_IO_SENSORS, "sensors.", b.model->legs[i].name, "_foot_force.fz");
    }
    for (int k = 0; k < 2; k++) {
        b.layouts[k].kind = (ff_io_kind)k;
        b.layouts[k].names = b.names[k];
        b.layouts[k].hash = ff_io_layout_hash(b.names[k], b.layouts[k].count);
        b.frames[k] = calloc(1, ff_io_size(b.layouts[k].count));
        ff_io_init(b.frames[k], &b.layouts[k]);
    }
    b.walk = ff_planar_walk_create(b.model, options, err);
    return b.walk ? FF_OK : err->status;
}

static void begin(const ff_planar_walk_options *options)
{
    ff_error err = {0};
    if (try_bench(options, &err) != FF_OK ||
        ff_planar_walk_bind(b.walk, &b.layouts[FF_IO_SENSORS], &b.layouts[FF_IO_REFERENCES], &err) != FF_OK)
        CHECK_FAIL("%s", err.text);
}

static void end(void)
{
    ff_planar_walk_destroy(b.walk);
    for (int k = 0; k < 2; k++) free(b.frames[k]);
    ff_model_destroy(b.model);
}

/// Angles of the joints and foot forces (axes of the feet) of all legs alike, then one cycle.
static void cycle(double t, const double q[JOINTS], const double force[3])
{
    ff_io_item *items = ff_io_items(b.frames[FF_IO_SENSORS]);
    const ff_controller controller = ff_planar_walk_controller(b.walk);
    for (int i = 0; i < LEGS; i++) {
        for (int j = 0; j < 2; j++) items[5 * i + j] = (ff_io_item){.value = q[2 * i + j], .valid = 1};
        for (int k = 0; k < 3; k++) items[5 * i + 2 + k] = (ff_io_item){.value = force[k], .valid = 1};
    }
    controller.cycle(controller.context, t, b.frames[FF_IO_SENSORS], b.frames[FF_IO_REFERENCES]);
}

static double reference(int joint, int what)
{
    const ff_io_item *item = &ff_io_items(b.frames[FF_IO_REFERENCES])[3 * joint + what];
    CHECK(item->valid);
    return item->value;
}

/// Joints of the legs out of a whole position.
static void joints_of(const double *all, double out[JOINTS])
{
    for (int i = 0; i < JOINTS; i++) out[i] = all[b.model->joints[b.model->legs[i / 2].joints[i % 2]].qadr];
}

// ------------------------------------------------------------------------------------------ promises

// The start of the plan, by the model's own kinematics: feet on the ground or at their planned heights, moving as
// planned while the body moves at V_F.
TEST(the_robot_starts_with_its_feet_where_the_plan_has_them)
{
    ff_planar_walk_options o = ff_planar_walk_options_default();
    o.plan.gait = FF_PLANAR_FULL_CYCLE;
    o.plan.duty = 0.35;
    begin(&o);
    ff_data *d = ff_data_create(b.model, NULL);
    ff_planar_walk_start(b.walk, d->q, d->v);
    d->v[b.model->joints[ff_model_find_joint(b.model, "body_x")].vadr] = o.plan.speed;
    ff_dyn_kinematics(b.model, d);
    ff_dyn_velocity(b.model, d);
    o.plan.legs = LEGS;
    for (int i = 0; i < LEGS; i++) {
        const ff_planar_foot foot = ff_planar_foot_at(&o.plan, i, 0.0);
        const ff_frame *frame = &b.model->frames[b.model->legs[i].frame];
        double pos[3], velocity[6];
        ff_dyn_point(b.model, d, frame->body, frame->pos, pos);
        ff_dyn_point_velocity(b.model, d, frame->body, frame->pos, velocity);
        CHECK_NEAR(pos[0], -1.0 * (i / 2) + foot.pos[0], 1e-12); // hips are 1 m apart
        CHECK_NEAR(pos[2], 0.9 + foot.pos[1], 1e-12);
        CHECK_NEAR(velocity[3], o.plan.speed + foot.rate[0], 1e-12);
        CHECK_NEAR(velocity[5], foot.rate[1], 1e-12);
    }
    ff_data_destroy(d);
    end();
}

// In the first cycle the fractional derivative is the error times rate^alpha: tau = (K_p + K_alpha sqrt(2000)) e, and
// cut at the bound.
TEST(the_first_torque_is_that_of_the_law)
{
    static const double none[3] = {0};
    const ff_planar_walk_options o = ff_planar_walk_options_default();
    begin(&o);
    ff_data *d = ff_data_create(b.model, NULL);
    double q[JOINTS];
    ff_planar_walk_start(b.walk, d->q, d->v);
    joints_of(d->q, q);
    for (int i = 0; i < JOINTS; i++) q[i] -= 1e-3 * (i - 6);
    q[1] -= 1.0;
    cycle(0.0, q, none);
    for (int i = 0; i < JOINTS; i++) {
        const double gain = i % 2 ? 4000.0 + 10.0 * sqrt(2000.0) : 1500.0 + 300.0 * sqrt(2000.0);
        CHECK_NEAR(reference(i, 2), i == 1 ? 400.0 : gain * 1e-3 * (i - 6), 1e-9);
        CHECK_NEAR(reference(i, 0) - q[i], i == 1 ? 1.0 - 5e-3 : 1e-3 * (i - 6), 1e-12);
    }
    ff_data_destroy(d);
    end();
}

// With the joints where they should be all that is left is -G J' F. J is the model's, and the force is turned into the
// axes of each foot by the model's poses, so signs and axes are checked against an independent route.
TEST(force_feedback_takes_the_load_off_the_position_loop)
{
    static const double world[3] = {40.0, 0.0, 300.0};
    ff_planar_walk_options o = ff_planar_walk_options_default();
    o.force_gain = 0.9;
    begin(&o);
    ff_data *d = ff_data_create(b.model, NULL);
    double q[JOINTS], *J = calloc((size_t)(6 * b.model->nv), sizeof *J);
    ff_planar_walk_start(b.walk, d->q, d->v);
    joints_of(d->q, q);
    ff_dyn_kinematics(b.model, d);
    for (int i = 0; i < LEGS; i++) {
        const ff_leg *leg = &b.model->legs[i];
        const ff_frame *frame = &b.model->frames[leg->frame];
        double pos[3], quat[4], R[9], local[3];
        ff_dyn_body_pose(b.model, d, frame->body, pos, quat);
        ff_quat_to_mat3(R, quat);
        ff_mat3_tmulv(local, R, world);
        ff_planar_walk_destroy(b.walk);
        ff_error err = {0};
        b.walk = ff_planar_walk_create(b.model, &o, &err);
        CHECK(b.walk);
        CHECK(ff_planar_walk_bind(b.walk, &b.layouts[FF_IO_SENSORS], &b.layouts[FF_IO_REFERENCES], &err) == FF_OK);
        cycle(0.0, q, local); // right for this leg
        ff_dyn_jacobian(b.model, d, frame->body, frame->pos, J);
        for (int j = 0; j < 2; j++) {
            double load = 0.0;
            for (int k = 0; k < 3; k++)
                load += J[(3 + k) * b.model->nv + b.model->joints[leg->joints[j]].vadr] * world[k];
            CHECK_NEAR(reference(2 * i + j, 2), -0.9 * load, 1e-9);
        }
    }
    free(J);
    ff_data_destroy(d);
    end();
}

// Gaits, speeds and heights that change every 50 ms: references stay continuous (no joint faster than 40 rad/s) and
// finite, and come back to the plan.
TEST(changes_of_plan_never_let_references_jump)
{
    static const double none[3] = {0};
    const ff_planar_walk_options o = ff_planar_walk_options_default();
    ff_error err = {0};
    begin(&o);
    double q[JOINTS] = {0}, before[JOINTS], fastest = 0.0;
    const ff_controller c = ff_planar_walk_controller(b.walk);
    CHECK(c.nsignal == 11 * LEGS && strcmp(c.signals[2].name, "FL.y") == 0);
    for (int k = 0; k < 4000; k++) {
        const int change = k / 100;
        if (k % 100 == 0 && change < 30) {
            ff_planar_plan plan = *ff_planar_walk_plan(b.walk);
            plan.gait = (ff_planar_gait)(change % FF_PLANAR_GAIT_COUNT);
            plan.duty = 0.4 + 0.1 * (change % 4);
            plan.speed = 0.4 + 0.2 * (change % 5);
            plan.height = 0.8 + 0.02 * (change % 3);
            plan.step = 0.6 + 0.1 * (change % 2);
            plan.path = (ff_planar_path)(change % 2);
            if (ff_planar_walk_command(b.walk, &plan, &err) != FF_OK) CHECK_FAIL("%s", err.text);
        }
        cycle(k / 2000.0, q, none);
        for (int i = 0; i < JOINTS; i++) {
            const double now = reference(i, 0);
            CHECK(isfinite(now) && isfinite(reference(i, 1)));
            if (k > 0) fastest = fmax(fastest, 2000.0 * fabs(now - before[i]));
            before[i] = now;
        }
        for (int i = 0; k > 3800 && i < LEGS; i++) // 0.4 s after the last change the plan rules again
            if (c.values[11 * i] > 0.0) CHECK_NEAR(c.values[11 * i + 2], -ff_planar_walk_plan(b.walk)->height, 1e-3);
    }
    printf("  fastest reference: %.1f rad/s\n", fastest);
    CHECK(fastest < 15.0); // plans turn joints at up to 5 rad/s; a jump of 1 cm in a sample of 0.5 ms would be 40
    end();
}

TEST(a_plan_out_of_reach_is_refused_and_nothing_changes)
{
    const ff_planar_walk_options o = ff_planar_walk_options_default();
    ff_error err = {0};
    begin(&o);
    ff_planar_plan plan = *ff_planar_walk_plan(b.walk);
    plan.centred = false;
    CHECK(ff_planar_walk_command(b.walk, &plan, &err) == FF_BAD_ARGUMENT && strstr(err.text, "reaches"));
    plan = *ff_planar_walk_plan(b.walk);
    CHECK(plan.centred);
    plan.speed = -1.0;
    CHECK(ff_planar_walk_command(b.walk, &plan, &err) == FF_BAD_ARGUMENT && strstr(err.text, "speed"));
    plan.speed = 1000.0; // a step of 1 ms at 2 kHz: 20 cycles of 0.5 ms in the half that is shorter, 50 m/s
    CHECK(ff_planar_walk_command(b.walk, &plan, &err) == FF_BAD_ARGUMENT && strstr(err.text, "50 m/s at most"));
    plan.speed = 49.9;
    CHECK(ff_planar_walk_command(b.walk, &plan, &err) == FF_OK);
    end();
}

// Everything that shapes the future is in one block.
TEST(saved_memory_gives_the_same_torques_again)
{
    static const double none[3] = {0};
    ff_planar_walk_options o = ff_planar_walk_options_default();
    o.order = 0; // the series, with more memory
    begin(&o);
    double q[JOINTS] = {0}, first[JOINTS];
    const ff_controller c = ff_planar_walk_controller(b.walk);
    void *copy = malloc(c.memory_size);
    for (int k = 0; k < 50; k++) cycle(k / 2000.0, q, none);
    memcpy(copy, c.memory, c.memory_size);
    for (int round = 0; round < 2; round++) {
        for (int k = 50; k < 80; k++) {
            for (int i = 0; i < JOINTS; i++) q[i] = 0.3 * sin(0.1 * k + i);
            cycle(k / 2000.0, q, none);
        }
        for (int i = 0; i < JOINTS; i++) {
            if (round == 0)
                first[i] = reference(i, 2);
            else
                CHECK_NEAR(reference(i, 2), first[i], 0.0);
        }
        memcpy(c.memory, copy, c.memory_size);
    }
    free(copy);
    end();
}

// A sample that is not finite counts as absent, for positions and forces, with both filters: all torques are those of a
// walk without it, in that cycle and later. The first is reported with time and name.
TEST(samples_that_are_not_finite_are_left_out_and_reported)
{
    static const double wrong[] = {NAN, INFINITY, -INFINITY};
    for (int way = 0; way < 12; way++) {
        ff_planar_walk_options o = ff_planar_walk_options_default();
        o.order = way % 2 ? 0 : 4;
        o.force_gain = 0.9;
        double torques[2][40][JOINTS], time = -1.0;
        const char *name = "";
        const int item = way < 6 ? 1 : 4; // knee of the first leg, its vertical force
        for (int spoilt = 0; spoilt < 2; spoilt++) {
            begin(&o);
            const ff_controller controller = ff_planar_walk_controller(b.walk);
            for (int k = 0; k < 40; k++) {
                double q[JOINTS], force[3] = {1.0, 0.0, 40.0 + k};
                for (int i = 0; i < JOINTS; i++) q[i] = 0.01 * sin(0.1 * k + i);
                ff_io_item *items = ff_io_items(b.frames[FF_IO_SENSORS]);
                for (int i = 0; i < 5 * LEGS; i++)
                    items[i] = (ff_io_item){.value = i % 5 < 2 ? q[2 * (i / 5) + i % 5] : force[i % 5 - 2], .valid = 1};
                if (k == 10 || k == 11)
                    items[item] = (ff_io_item){.value = spoilt ? wrong[way / 2 % 3] : 0.0, .valid = (uint32_t)spoilt};
                controller.cycle(controller.context, k / 2000.0, b.frames[FF_IO_SENSORS], b.frames[FF_IO_REFERENCES]);
                for (int i = 0; i < JOINTS; i++) torques[spoilt][k][i] = reference(i, 2);
            }
            CHECK_INT((int)ff_planar_walk_refused(b.walk, &time, &name), 2 * spoilt);
            if (spoilt) CHECK(strcmp(name, item == 1 ? "FL_knee" : "FL") == 0);
            end();
        }
        CHECK_NEAR(time, 10 / 2000.0, 0.0);
        CHECK(memcmp(torques[0], torques[1], sizeof torques[0]) == 0);
    }
}

TEST(what_cannot_walk_is_reported)
{
    ff_planar_walk_options o = ff_planar_walk_options_default();
    ff_error err = {0};
    ff_model *anton = load(FF_SOURCE_DIR "/robots/anton/anton.yaml");
    CHECK(!ff_planar_walk_create(anton, &o, &err) && err.status == FF_BAD_MODEL && strstr(err.text, "3 joints"));
    ff_model_destroy(anton);
    o.kp[1] = -1.0;
    CHECK(try_bench(&o, &err) == FF_BAD_ARGUMENT && strstr(err.text, "'kp' is"));
    end();
    o = ff_planar_walk_options_default();
    o.plan.height = 1.2;
    CHECK(try_bench(&o, &err) == FF_BAD_ARGUMENT && strstr(err.text, "FL"));
    end();
    o = ff_planar_walk_options_default();
    CHECK(try_bench(&o, &err) == FF_OK);
    b.names[FF_IO_SENSORS][5].name[8] = 'x'; // the hip of the second leg
    CHECK(ff_planar_walk_bind(b.walk, &b.layouts[FF_IO_SENSORS], &b.layouts[FF_IO_REFERENCES], &err) == FF_NOT_FOUND);
    CHECK(strstr(err.text, "FR_hip"));
    end();
}
