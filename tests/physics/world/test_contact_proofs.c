// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Contact through the whole simulator against closed forms: what sticks does not creep, what slides follows Coulomb,
// what rolls is not braked, what bounces gives back what its law says.
#include "support/lab.h"

// ------------------------------------------------------------------------------------------ sticking

/// A capsule of 45 g between a fixed and a sliding jaw that presses with `squeeze`; its weight, 0.44 N, is the load.
/// Creep after settling. (google-deepmind/mujoco, issue 3328, where 50 to 2300 um/s are reported.)
static double pinched_capsule_creep(double squeeze, ff_method method, double step)
{
    const double k = 5e4, r = 0.01, half = 0.03, m = 0.045, depth = squeeze / k;
    const double across = m * (0.25 * r * r + half * half / 3.0), along = 0.5 * m * r * r;
    lab x = lab_open(method);
    x.options.step = step;
    x.options.relative = 1e-9, x.options.absolute = 1e-13;
    ff_material *skin = lab_material(&x, "skin", k, 3e4, 0.7);
    skin->friction.damping = 20.0;
    int capsule = robot_body(x.spec, "capsule", -1, (double[]){0, 0, 0}, m, (double[]){0, 0, 0},
                             (double[]){across, across, along});
    robot_joint(x.spec, "capsule", capsule, FF_JOINT_FREE, 0, 0, 1);
    lab_geom(&x, capsule, FF_SHAPE_CAPSULE, (double[]){r, half, 0}, "skin");
    const double jaw[3] = {0.02, 0.05, 0.08}, out = jaw[0] + r - depth;
    ff_spec_geom *fixed = lab_geom(&x, -1, FF_SHAPE_BOX, jaw, "rigid");
    ff_vec3_set(fixed->pos, -out, 0, 0);
    fixed->conaffinity = 0; // the jaws meet the capsule, not each other
    int moving = robot_body(x.spec, "jaw", -1, (double[]){out, 0, 0}, 0.5, (double[]){0, 0, 0}, (double[]){1, 1, 1});
    robot_joint(x.spec, "jaw", moving, FF_JOINT_SLIDE, 1, 0, 0);
    lab_geom(&x, moving, FF_SHAPE_BOX, jaw, "rigid")->conaffinity = 0;
    lab_start(&x);
    ff_sim_set_torque(x.sim, x.model->joints[ff_model_find_joint(x.model, "jaw")].vadr, -squeeze);
    lab_hold(&x, NULL);
    lab_run(&x, 1.0); // sags by 9 um and comes to rest
    const double z = lab_q(&x)[2], span = 5.0;
    CHECK_NEAR(z, -m * 9.81 / k, 1e-8); // [m] both jaws hold with k/2 along the surface
    lab_run(&x, 1.0 + span);
    double creep = fabs(lab_q(&x)[2] - z) / span;
    CHECK_INT(ff_world_get_counts(x.world).slips, 0);
    lab_close(&x);
    return creep;
}

TEST(a_pinched_capsule_does_not_creep)
{
    double worst = 0.0;
    for (double squeeze = 12.0; squeeze <= 60.0; squeeze += 24.0)
        worst = fmax(worst, pinched_capsule_creep(squeeze, FF_METHOD_RK4, 2e-4));
    double adaptive = pinched_capsule_creep(24.0, FF_METHOD_ADAPTIVE, 2e-4);
    printf("  creep %.1e m/s with rk4, %.1e m/s with adaptive\n", worst, adaptive);
    CHECK_BELOW(worst, 1e-12);
    CHECK_BELOW(adaptive, 1e-12);
}

/// A block of 1 kg that is released on a slope, with friction 0.5 and slack springs. Methods of fixed step resolve
/// Coulomb's law down to the stick speed: v_stick / (mu g) times the ratio of moments, 0.5 ms.
static lab block_on_slope(ff_method method, double angle)
{
    const double k = 1e4;
    lab x = lab_open(method);
    x.options.step = 5e-4;
    x.options.relative = 1e-8, x.options.absolute = 1e-12;
    lab_material(&x, "oak", k, 1e5, 0.5)->friction.damping = 50.0;
    lab_slope(&x, angle);
    lab_box(&x, "block", 1.0, (double[]){0.2, 0.2, 0.1}, (double[]){0, 0, 0.05 - 9.81 * cos(angle) / k}, "oak");
    lab_floor(&x, "rigid");
    lab_start(&x);
    lab_hold(&x, NULL);
    return x;
}

static double block_creep(ff_method method, double time)
{
    lab x = block_on_slope(method, 0.9 * atan(0.5));
    lab_run(&x, 10.0); // it slides 2 mm, because it was let go suddenly, and sticks
    const double from = lab_q(&x)[0];
    CHECK_BELOW(from, 5e-3);
    const long long slips = ff_world_get_counts(x.world).slips;
    lab_run(&x, 10.0 + time);
    double creep = fabs(lab_q(&x)[0] - from) / time;
    CHECK_INT(ff_world_get_counts(x.world).slips, slips);
    lab_close(&x);
    return creep;
}

TEST(a_block_stands_on_a_slope_for_ten_minutes)
{
    double adaptive = block_creep(FF_METHOD_ADAPTIVE, 600.0), rk4 = block_creep(FF_METHOD_RK4, 20.0),
           euler = block_creep(FF_METHOD_EULER, 20.0);
    printf("  creep %.1e m/s in 600 s with adaptive; in 20 s %.1e with rk4, %.1e with euler\n", adaptive, rk4, euler);
    CHECK_BELOW(adaptive, 1e-12);
    CHECK_BELOW(rk4, 1e-12);
    CHECK_BELOW(euler, 1e-12);
}

TEST(a_block_slides_where_the_slope_is_one_per_cent_too_steep)
{
    lab x = block_on_slope(FF_METHOD_ADAPTIVE, atan(1.01 * 0.5));
    const double pull = 9.81 * 0.01 * 0.5 * cos(atan(1.01 * 0.5)); // g (sin - mu cos)  [m/s^2]
    lab_run(&x, 1.0);                                              // the jolt of being let go has faded
    const double before = lab_v(&x)[0];
    lab_run(&x, 6.0);
    CHECK_NEAR((lab_v(&x)[0] - before) / 5.0, pull, 1e-4 * pull); // Coulomb's law has no tolerance of its own
    lab_close(&x);
}

/// A push that grows with time, in one direction of the x-y plane.
typedef struct ramp {
    double rate, direction[2]; // [N/s]
    double slip;               // time of the first slip  [s]
} ramp;

static void push_harder(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    const ramp *r = context;
    (void)m, (void)z, (void)zdot;
    d->tau[0] += r->rate * t * r->direction[0];
    d->tau[1] += r->rate * t * r->direction[1];
}

static void note_slip(void *context, ff_sim *sim, const ff_world_contact *contact, int from, int to, double time)
{
    ramp *r = context;
    (void)sim, (void)contact;
    if (from == FF_CONTACT_STATIC && to == FF_CONTACT_KINETIC && isnan(r->slip)) r->slip = time;
}

static double breakaway(double angle)
{
    lab x = lab_open(FF_METHOD_ADAPTIVE);
    ff_error err = {0};
    x.options.relative = 1e-10, x.options.absolute = 1e-13;
    ff_material *m = lab_material(&x, "rubber-tip", 1e4, 1e5, 0.5);
    m->friction.mu_static = 0.6;
    m->friction.damping = 50.0;
    lab_runner(&x, "tip", 1.0, 0.05, (double[]){0, 0, 0.05 - 9.81e-4}, "rubber-tip");
    lab_floor(&x, "rigid");
    lab_start(&x);
    ramp r = {.rate = 10.0, .direction = {cos(angle), sin(angle)}, .slip = NAN};
    ff_part part = {.name = "push", .context = &r, .derivative = push_harder};
    ff_world_listener listener = {&r, note_slip};
    CHECK(ff_sim_add_part(x.sim, &part, &err) >= 0);
    CHECK_INT(ff_world_add_listener(x.world, &listener, &err), FF_OK);
    lab_hold(&x, NULL);
    lab_run(&x, 0.7);
    lab_close(&x);
    return r.rate * r.slip;
}

TEST(a_point_breaks_away_at_the_same_push_in_every_direction)
{
    double least = INFINITY, most = 0.0;
    for (int i = 0; i < 24; i++) {
        double force = breakaway(i * 15.0 * 3.14159265358979 / 180.0);
        least = fmin(least, force);
        most = fmax(most, force);
    }
    printf("  %.9f to %.9f N\n", least, most);
    CHECK_BELOW((most - least) / most, 1e-6);
    CHECK_NEAR(most, 0.6 * 9.81,
               0.01); // [N] the growing push stretches the spring at 2 mm/s, whose damper takes 0.1 N early
}

// ------------------------------------------------------------------------------------------ rolling and sliding

TEST(a_ball_rolls_on_without_being_braked)
{
    const double r = 0.05, k = 1e6, depth = 0.1 * 9.81 / k;
    lab x = lab_open(FF_METHOD_ADAPTIVE);
    x.options.relative = 1e-9, x.options.absolute = 1e-12;
    lab_material(&x, "ivory", k, 1e5, 1.0)->friction.damping = 100.0;
    lab_ball(&x, "ball", 0.1, r, (double[]){0, 0, r - depth}, "ivory");
    lab_floor(&x, "rigid");
    lab_start(&x);
    ff_sim_set_v(x.sim, 0, 2.0);
    ff_sim_set_v(x.sim, 4, 2.0 / r);
    lab_hold(&x, NULL);
    lab_run(&x, 0.5); // the last of the slip that the dent leaves at the start goes
    const double speed = lab_v(&x)[0];
    CHECK_NEAR(speed, 2.0, 1e-4);
    lab_run(&x, 5.0);
    CHECK_NEAR(lab_v(&x)[0], speed, 1e-7);
    CHECK_NEAR(lab_q(&x)[0], 10.0, 2e-3);
    lab_close(&x);
}

/// Force of the world that holds a body, on body 2 where that is the moving one.
static void held_force(lab *x, const double on_mover[3], double *out)
{
    int count;
    const ff_world_contact *c = ff_world_contacts(x->world, x->sim, &count);
    for (int i = 0; i < count; i++) ff_vec3_scale(out + 3 * i, on_mover, (c[i].body2 >= 0 ? 1.0 : -1.0) / count);
}

TEST(a_sphere_rolls_down_a_slope_as_a_rigid_one)
{
    // r 0.05 m, 0.1 kg, 15 degrees, friction 1, one second: a = 5/7 g sin, friction 2/7 m g sin (benchmarks of Drake).
    const double angle = 15.0 * 3.14159265358979324 / 180.0, r = 0.05, k = 1e6;
    lab x = lab_open(FF_METHOD_ADAPTIVE);
    x.options.relative = 1e-8, x.options.absolute = 1e-11;
    lab_material(&x, "ivory", k, 1e5, 1.0)->friction.damping = 100.0;
    lab_slope(&x, angle);
    lab_ball(&x, "ball", 0.1, r, (double[]){0, 0, r - 0.1 * 9.81 * cos(angle) / k}, "ivory");
    lab_floor(&x, "rigid");
    lab_start(&x);
    double force[3];
    held_force(&x, (double[]){-0.0725432809273, 0, 0}, force);
    lab_hold(&x, force);
    lab_run(&x, 1.0);
    printf("  %.9f m/s, %.8f rad/s\n", lab_v(&x)[0], lab_v(&x)[4]);
    CHECK_NEAR(lab_v(&x)[0] / 1.81358202318, 1.0, 1e-4);
    CHECK_NEAR(lab_v(&x)[4] / 36.2716404637, 1.0, 1e-4);
    lab_close(&x);
}

TEST(a_sliding_block_stops_where_coulomb_says)
{
    // 1 kg, friction 0.5, 5 m/s: v^2 / (2 mu g) and v / (mu g)
    const double k = 1e5;
    lab x = lab_open(FF_METHOD_ADAPTIVE);
    lab_material(&x, "oak", k, 1e6, 0.5)->friction.damping = 100.0;
    lab_box(&x, "block", 1.0, (double[]){0.2, 0.2, 0.1}, (double[]){0, 0, 0.05 - 9.81 / k}, "oak");
    lab_floor(&x, "rigid");
    lab_start(&x);
    ff_sim_set_v(x.sim, 0, 5.0);
    double stop = NAN;
    for (double t = 0.01; t < 1.5; t += 0.0005) {
        lab_run(&x, t);
        if (isnan(stop) && lab_v(&x)[0] <= 0.0) stop = t;
    }
    printf("  %.6f m, %.5f s\n", lab_q(&x)[0], stop);
    CHECK_NEAR(lab_q(&x)[0] / 2.54841997961, 1.0, 1e-3);
    CHECK_NEAR(stop / 1.01936799185, 1.0, 1e-3);
    lab_close(&x);
}

// ------------------------------------------------------------------------------------------ bouncing

/// Speed after a weightless bounce at 1 m/s of 1 kg on F = k x^n (1 + a v).
static double bounce_speed(double k, double n, double a, ff_method method)
{
    lab x = lab_open(method);
    x.options.relative = 1e-12, x.options.absolute = 1e-15;
    lab_material(&x, "pad", k, k * a, 0.0)->normal.exponent = n;
    ff_vec3_set(x.spec->gravity, 0, 0, 0);
    lab_runner(&x, "ball", 1.0, 0.05, (double[]){0, 0, 0.05 + 1e-3}, "pad");
    lab_floor(&x, "rigid");
    lab_start(&x);
    ff_sim_set_v(x.sim, 2, -1.0);
    lab_run(&x, 0.2);
    double speed = lab_v(&x)[2];
    CHECK_INT(ff_world_get_counts(x.world).lifts, 1);
    lab_close(&x);
    return speed;
}

TEST(restitution_follows_the_closed_form_for_both_exponents)
{
    static const double cases[][2] = {{0.05, 0.967738578531},
                                      {0.2, 0.882189986247},
                                      {0.5, 0.748434931597},
                                      {1.0, 0.593624260040},
                                      {2.0, 0.410719686061}};
    double worst = 0.0;
    for (int i = 0; i < 5; i++) {
        double linear = bounce_speed(1e4, 1.0, cases[i][0], FF_METHOD_ADAPTIVE);
        double hertz = bounce_speed(1e6, 1.5, cases[i][0], FF_METHOD_ADAPTIVE);
        worst = fmax(worst, fmax(fabs(linear - cases[i][1]), fabs(hertz - cases[i][1])));
        CHECK_NEAR(linear, cases[i][1], 1e-9);
        CHECK_NEAR(hertz, cases[i][1], 1e-9);
    }
    printf("  worst %.1e\n", worst);
}

TEST(two_spheres_part_with_the_restitution_of_their_material)
{
    for (int i = 1; i <= 4; i++) {
        const double e = 0.25 * i;
        lab x = lab_open(FF_METHOD_ADAPTIVE);
        x.options.relative = 1e-9, x.options.absolute = 1e-12;
        ff_material *m = lab_material(&x, "ball", 1e5, 0.0, 0.0);
        m->normal.law = FF_NORMAL_RESTITUTION;
        m->normal.restitution = e;
        m->normal.calibration = FF_CALIBRATION_EXACT;
        ff_vec3_set(x.spec->gravity, 0, 0, 0);
        lab_ball(&x, "one", 1.0, 0.05, (double[]){0, 0, 0}, "ball");
        lab_ball(&x, "two", 2.0, 0.05, (double[]){0.11, 0, 0}, "ball");
        lab_start(&x);
        ff_sim_set_v(x.sim, 0, 1.5);
        ff_sim_set_v(x.sim, 6, -0.5);
        lab_run(&x, 0.2);
        CHECK_NEAR((lab_v(&x)[6] - lab_v(&x)[0]) / 2.0, e, 1e-3);
        CHECK_NEAR(lab_v(&x)[0] + 2.0 * lab_v(&x)[6], 0.5, 1e-13);
        lab_close(&x);
    }
}

TEST(elastic_collisions_keep_momentum_to_the_last_digits)
{
    static const ff_method methods[] = {FF_METHOD_EULER, FF_METHOD_RK2, FF_METHOD_RK4, FF_METHOD_ADAPTIVE};
    for (int k = 0; k < 4; k++) {
        lab x = lab_open(methods[k]);
        x.options.step = 1e-4;
        lab_material(&x, "ball", 1e5, 0.0, 0.0);
        ff_vec3_set(x.spec->gravity, 0, 0, 0);
        double momentum[3] = {0, 0, 0}, size = 0.0;
        for (int i = 0; i < 5; i++) {
            char name[32];
            snprintf(name, sizeof name, "b%d", i);
            lab_ball(&x, name, 1.0 + 0.3 * i, 0.05, (double[]){0.12 * i, 0.01 * i, -0.013 * (i % 3)}, "ball");
        }
        lab_start(&x);
        for (int i = 0; i < 5; i++) {
            const double speed = i == 0 ? 3.0 : -0.1 * i, mass = 1.0 + 0.3 * i;
            ff_sim_set_v(x.sim, 6 * i, speed);
            momentum[0] += mass * speed;
            size += mass * fabs(speed);
        }
        lab_run(&x, 1.0);
        CHECK(ff_world_get_counts(x.world).touches >= 4);
        double sum[3] = {0, 0, 0};
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 3; j++) sum[j] += (1.0 + 0.3 * i) * lab_v(&x)[6 * i + j];
        for (int j = 0; j < 3; j++) CHECK_NEAR(sum[j], momentum[j], 1e-14 * size);
        lab_close(&x);
    }
}
