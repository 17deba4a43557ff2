// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Loop closures in a simulation. Most tests build one machine twice, as a tree of joints and as free bodies held
// together by loops, and ask for the same motion: two routes that share little.
#include "support/lab.h"

#include <footfall/loop.h>

#include "engine/system.h"
#include "support/allocations.h"

static const double NOWHERE[3] = {0, 0, 0};

static ff_spec_equality *add_loop(ff_spec *spec, const char *name, ff_equality_type type, const char *one,
                                  const char *two)
{
    ff_spec_equality *e = ff_spec_add_equality(spec, name, type);
    e->object1 = ff_spec_text(spec, one);
    e->object2 = ff_spec_text(spec, two);
    e->place = (ff_place){"robot.test", 7, 3};
    return e;
}

/// Two rods of 1 m, the first on the world, the second on its end, by ball joints; stretched along x at the reference.
static ff_model *double_pendulum(bool loops)
{
    ff_spec *spec = ff_spec_create(NULL);
    const double com[3] = {0.5, 0, 0}, moments[3] = {0.02, 0.1, 0.1};
    robot_body(spec, "upper", -1, NOWHERE, 1.0, com, moments);
    robot_body(spec, "lower", loops ? -1 : 0, (double[]){1, 0, 0}, 0.7, com, moments);
    robot_joint(spec, "upper", 0, loops ? FF_JOINT_FREE : FF_JOINT_BALL, 0, 0, 1);
    robot_joint(spec, "lower", 1, loops ? FF_JOINT_FREE : FF_JOINT_BALL, 0, 0, 1);
    if (loops) {
        add_loop(spec, "hold", FF_EQUALITY_CONNECT, "upper", "");
        add_loop(spec, "elbow", FF_EQUALITY_CONNECT, "upper", "lower")->data[0] = 1.0;
    }
    return robot_finish(spec);
}

static void tip_after(bool loops, const ff_sim_options *options, double time, double tip[3], ff_sim **keep)
{
    ff_error err = {0};
    ff_model *m = double_pendulum(loops);
    ff_sim *sim = ff_sim_create(m, options, &err);
    if (!sim) CHECK_FAIL("%s", err.text);
    // spins about all axes: upper (1, 0.5, 2), lower the same, so that the start closes in both forms
    const ff_data *d = ff_sim_data(sim);
    double v[12] = {0}, w[3] = {1.0, 0.5, 2.0};
    ff_vec3_copy(v + (loops ? 3 : 0), w);
    if (loops) ff_vec3_copy(v + 9, w);
    if (loops) ff_vec3_cross(v + 6, w, (double[]){1, 0, 0});
    ff_sim_set_state(sim, NULL, v);
    if (ff_sim_run(sim, time, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    ff_sim_evaluate(sim, FF_SIM_VELOCITY, NULL);
    ff_dyn_point(m, d, 1, (double[]){1, 0, 0}, tip);
    if (keep) {
        *keep = sim;
        return;
    }
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

static void end(ff_sim *sim)
{
    const ff_model *m = ff_sim_model(sim);
    ff_sim_destroy(sim);
    ff_model_destroy((ff_model *)(uintptr_t)m);
}

static double apart(const double a[3], const double b[3])
{
    double d[3];
    ff_vec3_sub(d, a, b);
    return ff_vec3_norm(d);
}

/// Gap of the loops at the state of the simulation.
static double gap(ff_sim *sim)
{
    ff_loops *l = ff_loops_create(ff_sim_model(sim), NULL);
    ff_sim_evaluate(sim, FF_SIM_VELOCITY, NULL);
    ff_loops_position(ff_sim_model(sim), ff_sim_data(sim), l);
    double open;
    ff_loops_widest(l, &open);
    ff_loops_destroy(l);
    return open;
}

// ------------------------------------------------------------------------------------------ the same motion by another
// route

TEST(free_bodies_in_loops_move_as_the_tree_does)
{
    static const struct {
        ff_method method;
        double step, relative, within;
    } ways[] = {
        {FF_METHOD_RK4, 1e-3, 1e-6, 2e-8},    // order 4: 1e-12 a second times fifth derivatives of some 1e3
        {FF_METHOD_RK2, 2e-4, 1e-6, 2e-5},    // order 2
        {FF_METHOD_EULER, 1e-4, 1e-6, 2e-2},  // order 1
        {FF_METHOD_ADAPTIVE, 1, 1e-10, 1e-7}, // global errors some hundred tolerances
        {FF_METHOD_CVODE, 1, 1e-10, 1e-5},    // BDF: a thousand times more
        {FF_METHOD_CVODE_ADAMS, 1, 1e-10, 1e-5}, {FF_METHOD_IMPLICIT, 1e-3, 1e-6, 1e-3}, // order 2
    };
    const double time = CHECK_LASTS(2.0, 0.3);
    double expected[3], got[3];
    ff_sim_options o = ff_sim_options_default();
    o.method = FF_METHOD_ADAPTIVE;
    o.relative = o.absolute = 1e-13;
    tip_after(false, &o, time, expected, NULL);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        ff_sim *sim;
        if (!ff_method_built(ways[k].method)) continue;
        o = ff_sim_options_default();
        o.method = ways[k].method;
        o.accuracy = 0.0;
        o.step = ways[k].step;
        o.relative = ways[k].relative;
        o.absolute = 1e-3 * o.relative;
        o.ledger = true;
        tip_after(true, &o, time, got, &sim);
        const ff_ledger l = ff_sim_ledger(sim);
        printf("  %-12s off by %.1e m, open %.1e m, ledger: loops %.1e J, residual %.1e J\n", ff_method_name(o.method),
               apart(expected, got), gap(sim), l.loops, l.residual);
        CHECK_BELOW(apart(expected, got), ways[k].within);
        CHECK_BELOW(gap(sim), 2e-13);
        end(sim);
    }
}

// Halving the step of a method of order p divides its error by 2^p: closing the loops after each step must not change
// that.
TEST(closing_loops_keeps_the_order_of_a_method)
{
    static const struct {
        ff_method method;
        double step, order;
    } ways[] = {{FF_METHOD_EULER, 1e-3, 1.0},
                {FF_METHOD_RK2, 2e-3, 2.0},
                {FF_METHOD_RK4, 1.0 / 128, 4.0},
                {FF_METHOD_IMPLICIT, 2e-3, 2.0}};
    double expected[3];
    ff_sim_options o = ff_sim_options_default();
    o.method = FF_METHOD_ADAPTIVE;
    o.relative = o.absolute = 1e-13;
    tip_after(false, &o, 1.0, expected, NULL);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        double error[2];
        for (int half = 0; half < 2; half++) {
            double got[3];
            o = ff_sim_options_default();
            o.method = ways[k].method;
            o.accuracy = 0.0;
            o.step = ways[k].step / (half ? 2.0 : 1.0);
            tip_after(true, &o, 1.0, got, NULL);
            error[half] = apart(expected, got);
        }
        const double order = log2(error[0] / error[1]);
        printf("  %-6s error %.2e -> %.2e, order %.2f\n", ff_method_name(o.method), error[0], error[1], order);
        CHECK_NEAR(order, ways[k].order, 0.25); // the next term of the error is still a little there
    }
}

/// A closed chain of four rods that floats, without gravity or other external forces.
static ff_model *floating_ring(void)
{
    ff_spec *spec = ff_spec_create(NULL);
    const double com[3] = {0.2, 0, 0}, moments[3] = {0.002, 0.02, 0.02};
    ff_vec3_set(spec->gravity, 0, 0, 0);
    robot_body(spec, "a", -1, NOWHERE, 1.0, com, moments);
    robot_body(spec, "b", 0, (double[]){0.4, 0, 0}, 0.5, com, moments);
    robot_body(spec, "c", 1, (double[]){0.4, 0, 0}, 1.5, com, moments);
    robot_body(spec, "d", 2, (double[]){0.4, 0, 0}, 0.8, com, moments);
    robot_joint(spec, "root", 0, FF_JOINT_FREE, 0, 0, 1);
    for (int i = 1; i < 4; i++) {
        char name[32];
        snprintf(name, sizeof name, "ball%d", i);
        ff_quat_from_axis_angle(spec->bodies[i].quat, (double[]){0, 0, 1}, 1.5707963267948966);
        robot_joint(spec, name, i, FF_JOINT_BALL, 0, 0, 1)->damping = 0.01;
    }
    ff_spec_equality *e = add_loop(spec, "ring", FF_EQUALITY_CONNECT, "d", "a");
    e->at_rest = false;
    e->data[0] = 0.4;
    return robot_finish(spec);
}

// Forces of a loop are inner forces: they move neither the centre of mass nor the angular momentum.
TEST(a_floating_ring_keeps_its_momentum)
{
    ff_error err = {0};
    ff_model *m = floating_ring();
    ff_sim_options o = ff_sim_options_default();
    o.method = FF_METHOD_ADAPTIVE;
    o.relative = 1e-11;
    o.absolute = 1e-13;
    o.ledger = true;
    ff_sim *sim = ff_sim_create(m, &o, &err);
    const ff_data *d = ff_sim_data(sim);
    for (int i = 0; i < m->nv; i++) ff_sim_set_v(sim, i, sin(1.7 * i + 0.3));
    CHECK_INT(ff_sim_run(sim, 0.0, &err), FF_OK); // closes the speeds
    double before[6], after[6];
    ff_sim_evaluate(sim, FF_SIM_VELOCITY, NULL);
    ff_dyn_momentum(m, d, before);
    if (ff_sim_run(sim, 5.0, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    ff_sim_evaluate(sim, FF_SIM_VELOCITY, NULL);
    ff_dyn_momentum(m, d, after);
    for (int i = 0; i < 6; i++) CHECK_NEAR(after[i], before[i], 1e-8); // accuracy 1e-11 over some thousand steps
    const ff_ledger l = ff_sim_ledger(sim);
    printf("  open %.1e m, lost %.3f J, loops %.1e J, residual %.1e J\n", gap(sim), l.lost_joints, l.loops, l.residual);
    CHECK_BELOW(gap(sim), 2e-13);
    CHECK(l.lost_joints > 0.01);
    CHECK_BELOW(fabs(l.residual), 1e-8);
    CHECK_BELOW(fabs(l.loops), 1e-8);
    end(sim);
}

// A weight on two rods to the ceiling, at rest: each carries half of it over the cosine of its angle.
TEST(forces_of_loops_can_be_read)
{
    ff_error err = {0};
    ff_spec *spec = ff_spec_create(NULL);
    robot_body(spec, "weight", -1, NOWHERE, 3.0, NOWHERE, (double[]){0.1, 0.1, 0.1});
    robot_joint(spec, "x", 0, FF_JOINT_SLIDE, 1, 0, 0);
    robot_joint(spec, "z", 0, FF_JOINT_SLIDE, 0, 0, 1);
    for (int i = 0; i < 2; i++) {
        ff_spec_equality *e = add_loop(spec, i ? "right" : "left", FF_EQUALITY_ROD, "", "weight");
        ff_vec3_set(e->data, i ? 0.3 : -0.3, 0, 0.4);
    }
    ff_model *m = robot_finish(spec);
    ff_sim *sim = ff_sim_create(m, NULL, &err);
    CHECK_INT(ff_sim_evaluate(sim, FF_SIM_ACCELERATION, &err), FF_OK);
    const ff_loops *l = ff_sim_loops(sim);
    CHECK_INT(l->nloop, 2);
    for (int i = 0; i < 2; i++) {
        double force[3], moment[3];
        ff_loops_force(m, ff_sim_data(sim), l, i, force, moment);
        CHECK_NEAR(l->lambda[i], -0.5 * 3.0 * 9.81 / 0.8, 1e-12); // a rod that pushes is positive
        CHECK_NEAR(force[2], 0.5 * 3.0 * 9.81, 1e-12);
        CHECK_NEAR(force[0], (i ? 0.75 : -0.75) * force[2], 1e-12);
    }
    end(sim);
}

// ------------------------------------------------------------------------------------------ contact

/// A dumbbell of two balls, rigid or glued together, thrown onto a floor.
static double dumbbell(bool loops, ff_method method, double step, ff_response response, ff_ledger *ledger)
{
    lab x = lab_open(method);
    x.options.step = step;
    x.options.relative = 1e-10;
    x.options.absolute = 1e-12;
    x.options.ledger = true;
    x.contacts.response = response;
    lab_material(&x, "pad", 2e4, 0.2, 0.6);
    lab_ball(&x, "left", 1.0, 0.1, (double[]){0, 0, 0.35}, "pad");
    lab_ball(&x, "right", 0.5, 0.1, (double[]){0.4, 0, 0.45}, "pad");
    if (loops) {
        add_loop(x.spec, "glue", FF_EQUALITY_WELD, "left", "right");
    } else {
        x.spec->bodies[1].parent = 0;
        ff_vec3_set(x.spec->bodies[1].pos, 0.4, 0, 0.1);
        x.spec->njoint = 1;
    }
    lab_floor(&x, "pad");
    lab_start(&x);
    for (int k = 0; k < (loops ? 12 : 6); k += 6) {
        ff_sim_set_v(x.sim, k, 0.5);
        ff_sim_set_v(x.sim, k + 1, -0.3);
    }
    lab_run(&x, 0.8);
    CHECK(ff_world_get_counts(x.world).touches + ff_world_get_counts(x.world).impacts > 1);
    ff_sim_evaluate(x.sim, FF_SIM_VELOCITY, NULL);
    double pos[3], quat[4];
    ff_dyn_body_pose(x.model, ff_sim_data(x.sim), 1, pos, quat);
    *ledger = ff_sim_ledger(x.sim);
    lab_close(&x);
    return pos[0] + 2.0 * pos[1] + 3.0 * pos[2];
}

TEST(glued_balls_bounce_as_one_body)
{
    static const struct {
        ff_method method;
        double step;
        ff_response response;
        double within, residual;
    } ways[] = {
        {FF_METHOD_ADAPTIVE, 1, FF_RESPONSE_FORCE, 1e-8, 1e-8},        // accuracy 1e-10; bounces magnify
        {FF_METHOD_ADAPTIVE, 1, FF_RESPONSE_SIMULTANEOUS, 1e-8, 1e-8}, // impulses through the glue
        {FF_METHOD_RK4, 4e-5, FF_RESPONSE_FORCE, 1e-6, 1e-4}, // the same steps in both forms; sliding is first order
        {FF_METHOD_IMPLICIT, 1e-4, FF_RESPONSE_FORCE, 5e-4, 2e-3}, // first order where touches begin and end
    };
    ff_ledger rigid, glued;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        const double expected = dumbbell(false, ways[k].method, ways[k].step, ways[k].response, &rigid);
        const double got = dumbbell(true, ways[k].method, ways[k].step, ways[k].response, &glued);
        printf("  %-9s off by %.1e m, ledger: loops %.1e J, residual %.1e J\n", ff_method_name(ways[k].method),
               fabs(got - expected), glued.loops, glued.residual);
        CHECK_NEAR(got, expected, ways[k].within);
        CHECK_NEAR(glued.lost_friction, rigid.lost_friction, 1e-3 * fabs(rigid.lost_friction));
        CHECK_BELOW(fabs(glued.residual), ways[k].residual);
    }
}

/// A dumbbell of hard balls that slides over the floor, with much friction, by error control.
static ff_sim_counts slide(bool loops, double *way)
{
    lab x = lab_open(FF_METHOD_IMPLICIT);
    x.options.accuracy = 1e-3;
    lab_material(&x, "hard", 1e6, 0.2, 0.9);
    lab_ball(&x, "left", 1.0, 0.1, (double[]){0, 0, 0.1}, "hard");
    lab_ball(&x, "right", 0.5, 0.1, (double[]){0.1, 0.4, 0.1}, "hard");
    if (loops) {
        add_loop(x.spec, "glue", FF_EQUALITY_WELD, "left", "right");
    } else {
        x.spec->bodies[1].parent = 0;
        ff_vec3_set(x.spec->bodies[1].pos, 0.1, 0.4, 0);
        x.spec->njoint = 1;
    }
    lab_floor(&x, "hard");
    lab_start(&x);
    for (int k = 0; k < (loops ? 12 : 6); k += 6) ff_sim_set_v(x.sim, k, 3.0);
    lab_run(&x, 0.3);
    const ff_sim_counts counts = ff_sim_get_counts(x.sim);
    *way = ff_sim_q(x.sim)[0];
    lab_close(&x);
    return counts;
}

// Friction that depends on the normal force is no gradient: Newton's iteration needs the whole slope of the contacts,
// along the motions that the loops allow. Otherwise it does not converge, and steps are repeated with a shorter length.
TEST(contacts_that_slide_cost_no_more_rounds_within_loops)
{
    double rigid_way, glued_way;
    const ff_sim_counts rigid = slide(false, &rigid_way), glued = slide(true, &glued_way);
    printf("  rigid %lld evaluations in %lld steps, %lld tries again; glued %lld in %lld, %lld\n", rigid.evaluations,
           rigid.steps, rigid.fallbacks, glued.evaluations, glued.steps, glued.fallbacks);
    CHECK_NEAR(glued_way, rigid_way, 1e-3 * rigid_way); // the accuracy
    CHECK(glued.fallbacks <= rigid.fallbacks);
    CHECK_BELOW((double)glued.evaluations, 1.5 * (double)rigid.evaluations);
}

// ------------------------------------------------------------------------------------------ start

static ff_sim *open_by(double shift, ff_status *status, ff_error *err)
{
    ff_model *m = double_pendulum(true);
    ff_sim_options o = ff_sim_options_default();
    o.method = FF_METHOD_RK4;
    ff_sim *sim = ff_sim_create(m, &o, err);
    CHECK(sim);
    ff_sim_set_q(sim, 7, ff_sim_q(sim)[7] + shift); // the lower rod, along x
    *status = ff_sim_run(sim, 0.01, err);
    return sim;
}

TEST(a_small_gap_is_closed_and_a_wide_one_is_reported)
{
    ff_status status;
    ff_error err = {0};
    ff_sim *sim = open_by(0.005, &status, &err);
    CHECK_INT(status, FF_OK);
    CHECK_BELOW(gap(sim), 2e-13);
    end(sim);
    sim = open_by(0.03, &status, &err);
    CHECK_INT(status, FF_BAD_ARGUMENT);
    CHECK(strstr(err.text, "robot.test:7:3: loop \"elbow\" is open by 0.03 m at 0 s"));
    end(sim);
}

/// Two balls glued together by a loop, lowered into the floor with the loop a little open, so that one of them touches
/// only once it is closed: hash of the motion and number of touches.
static uint64_t lowered(ff_method method, ff_response response, bool read, long long *touches)
{
    lab x = lab_open(method);
    x.options.step = 1e-4;
    x.options.ledger = true;
    x.contacts.response = response;
    lab_material(&x, "pad", 2e4, 0.2, 0.6);
    lab_ball(&x, "left", 1.0, 0.1, (double[]){0, 0, 0.2}, "pad");
    lab_ball(&x, "right", 0.5, 0.1, (double[]){0.4, 0, 0.2}, "pad");
    add_loop(x.spec, "glue", FF_EQUALITY_WELD, "left", "right");
    lab_floor(&x, "pad");
    lab_start(&x);
    const double places[][3] = {{0.0, 0.0, 0.0995}, {0.403, 0.001, 0.1005}};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) {
            int count;
            ff_sim_set_q(x.sim, 7 * k + i, places[k][i]);
            ff_sim_set_v(x.sim, 6 * k + i, i == 2 ? -0.1 : 1e-3);
            if (read) ff_world_contacts(x.world, x.sim, &count);
        }
    lab_run(&x, 0.2);
    *touches = ff_world_get_counts(x.world).touches;
    const uint64_t hash = ff_sim_hash(x.sim);
    lab_close(&x);
    return hash;
}

TEST(reading_contacts_changes_no_run)
{
    static const struct {
        ff_method method;
        ff_response response;
    } ways[] = {{FF_METHOD_EULER, FF_RESPONSE_FORCE},
                {FF_METHOD_IMPLICIT, FF_RESPONSE_FORCE},
                {FF_METHOD_ADAPTIVE, FF_RESPONSE_FORCE},
                {FF_METHOD_EULER, FF_RESPONSE_SIMULTANEOUS},
                {FF_METHOD_ADAPTIVE, FF_RESPONSE_SIMULTANEOUS}};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        long long touches[2];
        const uint64_t alone = lowered(ways[k].method, ways[k].response, false, &touches[0]);
        const uint64_t watched = lowered(ways[k].method, ways[k].response, true, &touches[1]);
        printf("  %-9s %-12s %lld touches\n", ff_method_name(ways[k].method), ff_response_name(ways[k].response),
               touches[0]);
        CHECK(alone == watched);
        CHECK_INT(touches[1], touches[0]);
    }
}

TEST(a_loop_that_cannot_close_is_reported_with_what_is_left)
{
    ff_error err = {0};
    ff_spec *spec = ff_spec_create(NULL);
    robot_body(spec, "arm", -1, NOWHERE, 1.0, (double[]){0.5, 0, 0}, (double[]){0.1, 0.1, 0.1});
    robot_joint(spec, "hinge", 0, FF_JOINT_HINGE, 0, 1, 0);
    ff_spec_equality *e = add_loop(spec, "far", FF_EQUALITY_CONNECT, "arm", "");
    e->at_rest = false;
    e->data[0] = 1.0;
    e->data[3] = 1.006; // out of reach by 6 mm
    ff_model *m = robot_finish(spec);
    ff_sim *sim = ff_sim_create(m, NULL, &err);
    CHECK_INT(ff_sim_run(sim, 0.1, &err), FF_BAD_ARGUMENT);
    CHECK(strstr(err.text, "robot.test:7:3: loop \"far\" cannot close at 0 s: of a gap of 0.006 m, 0.006 m are left"));
    end(sim);
}

// ------------------------------------------------------------------------------------------ callers

static ff_sim_action kick(void *context, ff_sim *sim, double t)
{
    (void)context, (void)t;
    ff_sim_set_v(sim, 0, ff_sim_v(sim)[0] + 0.5); // the upper rod alone: the loops answer at once
    return FF_SIM_GO;
}

TEST(what_a_task_writes_is_put_onto_the_loops)
{
    ff_error err = {0};
    ff_model *m = double_pendulum(true);
    ff_sim_options o = ff_sim_options_default();
    o.method = FF_METHOD_ADAPTIVE;
    o.ledger = true;
    ff_sim *sim = ff_sim_create(m, &o, &err);
    const ff_task task = {.name = "kick", .offset = ff_ticks_from_seconds(0.1), .run = kick};
    CHECK(ff_sim_add_task(sim, &task, &err) >= 0);
    CHECK_INT(ff_sim_run(sim, 0.3, &err), FF_OK);
    const ff_ledger l = ff_sim_ledger(sim);
    CHECK_BELOW(gap(sim), 2e-13);
    CHECK(fabs(l.outside) > 1e-3);
    CHECK_BELOW(fabs(l.residual), 1e-5); // accuracy 1e-6
    end(sim);
}

TEST(a_saved_run_goes_on_with_the_same_bits)
{
    static const ff_method methods[] = {FF_METHOD_EULER, FF_METHOD_RK4, FF_METHOD_ADAPTIVE, FF_METHOD_IMPLICIT,
                                        FF_METHOD_CVODE};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        if (!ff_method_built(methods[k])) continue;
        ff_error err = {0};
        ff_sim_options o = ff_sim_options_default();
        o.method = methods[k];
        o.accuracy = 0.0;
        o.ledger = true;
        double tip[3];
        ff_sim *sim, *other;
        tip_after(true, &o, 0.5, tip, &sim);
        tip_after(true, &o, 0.1, tip, &other);
        const size_t size = ff_sim_save_size(sim);
        void *buffer = malloc(size);
        CHECK_INT(ff_sim_save(sim, buffer, size, &err), FF_OK);
        CHECK_INT(ff_sim_restore(other, buffer, size, &err), FF_OK);
        CHECK_INT(ff_sim_run(sim, 1.0, &err), FF_OK);
        CHECK_INT(ff_sim_run(other, 1.0, &err), FF_OK);
        CHECK(ff_sim_hash(sim) == ff_sim_hash(other));
        CHECK(ff_sim_ledger(sim).loops == ff_sim_ledger(other).loops);
        free(buffer);
        end(sim);
        end(other);
    }
}

// The last stage of a step is the first of the next one, unless the loops have moved the state since: the derivative
// before that is off by 4e-9 m/s^2 here.
TEST(a_derivative_that_is_kept_is_that_of_the_closed_state)
{
    ff_sim *sim;
    double tip[3];
    int kept = 0, moved = 0;
    ff_sim_options options = robot_options(FF_METHOD_ADAPTIVE, 1e-3, 1e-5);
    tip_after(true, &options, 0.1, tip, &sim);
    double *now = malloc((size_t)sim->n * sizeof *now);
    CHECK(now);
    while (ff_sim_time(sim) < 2.0) {
        CHECK_INT(ff_sim_step(sim, 2.0, NULL), FF_OK);
        moved += !sim->integrator.first_ready;
        if (!sim->integrator.first_ready) continue;
        kept++;
        CHECK(sim->ode.derivative(sim->ode.context, sim->offset, sim->x, now));
        for (int i = 0; i < sim->n; i++) CHECK_NEAR(sim->integrator.k[0][i], now[i], 1e-12);
    }
    printf("  kept %d times, moved %d times\n", kept, moved);
    CHECK(moved > 0);
    free(now);
    end(sim);
}

TEST(steps_with_loops_allocate_nothing)
{
    static const ff_method methods[] = {FF_METHOD_EULER, FF_METHOD_RK2, FF_METHOD_RK4, FF_METHOD_ADAPTIVE,
                                        FF_METHOD_IMPLICIT};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        ff_error err = {0};
        ff_sim_options o = ff_sim_options_default();
        o.method = methods[k];
        o.accuracy = 0.0;
        o.ledger = true;
        double tip[3];
        ff_sim *sim;
        tip_after(true, &o, 0.1, tip, &sim);
        if (allocation_calls == 0) {
            end(sim);
            SKIP("a shared library is out of the reach of --wrap");
        }
        const long long before = allocation_calls;
        CHECK_INT(ff_sim_run(sim, 0.5, &err), FF_OK);
        CHECK_INT(allocation_calls - before, 0);
        end(sim);
    }
}

// ------------------------------------------------------------------------------------------ couplings

// A mimic joint follows to the last rounding while both are pushed about.
TEST(a_mimic_joint_follows)
{
    ff_error err = {0};
    ff_spec *spec = ff_spec_create(NULL);
    const double com[3] = {0.3, 0, 0}, moments[3] = {0.01, 0.02, 0.03};
    robot_body(spec, "one", -1, NOWHERE, 1.0, com, moments);
    robot_body(spec, "two", 0, (double[]){0.6, 0, 0}, 1.0, com, moments);
    robot_joint(spec, "one", 0, FF_JOINT_HINGE, 0, 1, 0);
    ff_spec_joint *two = robot_joint(spec, "two", 1, FF_JOINT_HINGE, 0, 1, 0);
    two->mimic = "one";
    two->mimic_gain = -0.7;
    two->mimic_offset = 0.004;
    ff_model *m = robot_finish(spec);
    ff_sim_options o = ff_sim_options_default();
    o.method = FF_METHOD_RK4;
    o.ledger = true;
    ff_sim *sim = ff_sim_create(m, &o, &err);
    if (ff_sim_run(sim, 3.0, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    const double *q = ff_sim_q(sim);
    CHECK(fabs(q[0]) > 0.1);
    CHECK_NEAR(q[1], -0.7 * q[0] + 0.004, 1e-13);
    CHECK_BELOW(fabs(ff_sim_ledger(sim).residual), 1e-7); // rk4 at 1 ms
    end(sim);
}
