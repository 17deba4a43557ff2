// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Many contacts without compliance at once, against closed forms and conservation laws: stacks, balls on balls, blows
// through rows, clusters that collide in free fall, SimBenchmark's 666, torsion and rolling.
#include "support/lab.h"
#include "world/rigid.h"

static const double G = 9.81, STEP = 1e-3; // [m/s^2], [s]

static void rigid_open(lab *x, ff_method method, ff_response response, double e, double mu)
{
    *x = lab_open(method);
    x->contacts.response = response;
    x->options.step = STEP;
    x->options.relative = 1e-9;
    x->options.absolute = 1e-11;
    x->options.ledger = true;
    ff_material *m = lab_material(x, "stone", 1e6, 0.0, mu);
    m->normal.law = FF_NORMAL_RESTITUTION;
    m->normal.restitution = e;
}

static int add_ball(lab *x, int i, double mass, double radius, const double pos[3])
{
    char name[24];
    snprintf(name, sizeof name, "ball%d", i);
    return lab_ball(x, name, mass, radius, pos, "stone");
}

/// n x n x n balls of 0.1 m and 10 kg, 0.21 m apart above `height`, places off by up to 1 mm.
static void add_cube(lab *x, int n, double height)
{
    ff_random random = ff_random_make(42, 0);
    for (int i = 0; i < n * n * n; i++) {
        double pos[3] = {0.21 * (i % n), 0.21 * (i / n % n), height + 0.21 * (i / n / n)};
        for (int k = 0; k < 3; k++) pos[k] += ff_random_range(&random, -1e-3, 1e-3);
        add_ball(x, i, 10.0, 0.1, pos);
    }
}

// ------------------------------------------------------------------------------------------ overlap

// A ball starts 1 mm deep in the floor, or in a ball that lies on it. Each step reduces the overlap d by min(d / 10, g
// h^2 / 2), so that the point does not hop, as gravity moves it by g h^2. The energy grows by the weight times that
// distance, and by the small speed.
TEST(an_overlap_comes_out_by_a_tenth_a_step_and_no_faster_than_half_a_fall)
{
    for (int k = 0; k < 2; k++) {
        const double mass = 10.0, radius = 0.1, low[] = {0, 0, radius},
                     high[] = {0, 0, (k ? 3.0 : 1.0) * radius - 1e-3};
        lab x;
        rigid_open(&x, FF_METHOD_EULER, FF_RESPONSE_SIMULTANEOUS, 0.0, 0.5);
        if (k) add_ball(&x, 1, mass, radius, low);
        add_ball(&x, 0, mass, radius, high);
        lab_floor(&x, "stone");
        lab_start(&x);
        const int z = 7 * k + 2;
        const double before = ff_sim_energy(x.sim).total;
        double depth = 1e-3, out = 0.0;
        for (int i = 1; i <= 400; i++) {
            lab_run(&x, i * STEP);
            out = fmin(0.1 * depth, 0.5 * G * STEP * STEP);
            depth -= out;
            CHECK_NEAR(lab_q(&x)[z], (k ? 3.0 : 1.0) * radius - depth, 1e-12);
        }
        const double kinetic = 0.5 * mass * out * out / (STEP * STEP);
        CHECK_BELOW(depth, 1e-10);
        CHECK_NEAR(ff_sim_energy(x.sim).total - before, mass * G * (1e-3 - depth) + kinetic, 1e-9);
        lab_close(&x);
    }
}

// ------------------------------------------------------------------------------------------ statics

// Each of ten boxes carries those above it. Sweeps stop when no velocity changes by more than 1e-4 of g h; changes that
// move the whole stack may be ten times that, once for each of its boxes.
TEST(a_stack_of_boxes_stands_and_each_carries_those_above)
{
    enum { BOXES = CHECK_LASTS(10, 5) };
    lab x;
    rigid_open(&x, FF_METHOD_EULER, FF_RESPONSE_SIMULTANEOUS, 0.0, 0.5);
    for (int i = 0; i < BOXES; i++) {
        char name[24];
        snprintf(name, sizeof name, "box%d", i);
        lab_box(&x, name, 2.0, (double[]){0.2, 0.2, 0.1}, (double[]){0, 0, 0.05 + 0.1 * i}, "stone");
    }
    lab_floor(&x, "stone");
    lab_start(&x);
    lab_run(&x, 1.0);
    double carried[BOXES] = {0};
    int count;
    const ff_world_contact *c = ff_world_contacts(x.world, x.sim, &count);
    for (int i = 0; i < count; i++)
        carried[c[i].body1 < 0 ? 0 : c[i].body2 > c[i].body1 ? c[i].body2 : c[i].body1] += c[i].force.normal;
    double weight = 0.0;
    for (int i = BOXES - 1; i >= 0; i--) {
        weight += 2.0 * G;
        CHECK_NEAR(carried[i], weight, 1e-3 * weight);
        CHECK_NEAR(lab_q(&x)[7 * i + 2], 0.05 + 0.1 * i, 1e-7); // [m] each interface a step of the residual's speed
        CHECK_NEAR(lab_q(&x)[7 * i], 0.0, 1e-6);                // [m] a second of the residual's speed
    }
    CHECK_BELOW(ff_sim_energy(x.sim).kinetic, 10.0 * 20.0 * 1e-5 * 1e-5); // [J] 20 kg at ten times the residual's speed
    lab_close(&x);
}

// A ball on three others that lie apart. Each of these turns under neither of its two frictions, so both are f; up and
// down N cos a + f sin a = W/3, across N sin a = f (1 + cos a), hence N = W/3 and f = N tan(a/2).
TEST(a_ball_on_three_balls_presses_with_a_third_of_its_weight)
{
    const double r = 0.1, apart = 0.13, a = asin(apart / (2.0 * r)), m = 2.0;
    lab x;
    rigid_open(&x, FF_METHOD_EULER, FF_RESPONSE_SIMULTANEOUS, 0.0, 0.8);
    for (int i = 0; i < 3; i++) {
        const double turn = 2.0 * FF_PI * i / 3.0;
        add_ball(&x, i, 1.0, r, (double[]){apart * cos(turn), apart * sin(turn), r});
    }
    const int top = add_ball(&x, 3, m, r, (double[]){0, 0, r + 2.0 * r * cos(a)});
    lab_floor(&x, "stone");
    lab_start(&x);
    lab_run(&x, 0.5);
    int count, found = 0;
    const ff_world_contact *c = ff_world_contacts(x.world, x.sim, &count);
    for (int i = 0; i < count; i++) {
        if (c[i].body2 != top && c[i].body1 != top) continue;
        CHECK_NEAR(c[i].force.normal, m * G / 3.0, 1e-4 * m * G);
        CHECK_NEAR(ff_vec3_norm(c[i].force.tangential), m * G / 3.0 * tan(0.5 * a), 1e-4 * m * G);
        found++;
    }
    CHECK_INT(found, 3);
    CHECK_NEAR(lab_q(&x)[7 * 3 + 2], r + 2.0 * r * cos(a), 1e-7);
    lab_close(&x);
}

// A rod is carried by two blocks without an overlap: count, points and forces of its contacts must exist.
TEST(what_is_carried_counts_as_a_contact)
{
    const ff_method methods[] = {FF_METHOD_EULER, FF_METHOD_ADAPTIVE};
    for (int k = 0; k < 2; k++) {
        lab x;
        rigid_open(&x, methods[k], FF_RESPONSE_SIMULTANEOUS, 0.0, 0.5);
        lab_box(&x, "left", 1.0, (double[]){0.1, 0.1, 0.1}, (double[]){-0.2, 0, 0.05}, "stone");
        lab_box(&x, "right", 1.0, (double[]){0.1, 0.1, 0.1}, (double[]){0.2, 0, 0.05}, "stone");
        const int rod = robot_body(x.spec, "rod", -1, (double[]){0, 0, 0.12}, 0.6, (double[]){0, 0, 0},
                                   (double[]){2e-2, 2e-2, 1e-3});
        robot_joint(x.spec, "rod", rod, FF_JOINT_FREE, 0, 0, 1);
        ff_spec_geom *g = lab_geom(&x, rod, FF_SHAPE_CAPSULE, (double[]){0.02, 0.25, 0}, "stone");
        const double lying[4] = {sqrt(0.5), 0, sqrt(0.5), 0};
        memcpy(g->quat, lying, sizeof lying);
        lab_floor(&x, "stone");
        lab_start(&x);
        double sum = 0.0;
        for (int step = 1; step <= 50; step++) { // at each of them
            int n, touching = 0;
            lab_run(&x, 0.3 + 1e-3 * step);
            const ff_world_contact *c = ff_world_contacts(x.world, x.sim, &n);
            for (int i = 0; i < n; i++) {
                touching += ff_world_touches(&c[i]);
                if (c[i].body2 == rod) sum += c[i].force.normal / 50.0;
                if (c[i].body1 == rod) sum += c[i].force.normal / 50.0;
            }
            CHECK(touching >= 8); // two corners at least of each block, and the rod
        }
        CHECK_NEAR(sum, 0.6 * G, 1e-3);
        CHECK(ff_world_get_counts(x.world).touches >= 8);
        lab_close(&x);
    }
}

// ------------------------------------------------------------------------------------------ blows

// Newton's cradle with balls that touch: as many leave as came.
TEST(as_many_balls_leave_a_row_as_came)
{
    enum { BALLS = 7 };
    for (int came = 1; came < BALLS; came += CHECK_LASTS(1, 3)) {
        lab x;
        rigid_open(&x, FF_METHOD_EULER, FF_RESPONSE_PROPAGATION, 1.0, 0.0);
        ff_vec3_set(x.spec->gravity, 0, 0, 0);
        for (int i = 0; i < BALLS; i++) add_ball(&x, i, 0.5, 0.05, (double[]){0.1 * i - (i < came ? 0.05 : 0.0), 0, 0});
        lab_start(&x);
        for (int i = 0; i < came; i++) ff_sim_set_v(x.sim, 6 * i, 1.0);
        lab_run(&x, 0.2);
        for (int i = 0; i < BALLS; i++) CHECK_NEAR(lab_v(&x)[6 * i], i >= BALLS - came ? 1.0 : 0.0, 1e-13);
        lab_close(&x);
    }
}

static void momentum_of(const lab *x, int n, double mass, double radius, double p[3], double L[3])
{
    ff_vec3_set(p, 0, 0, 0);
    ff_vec3_set(L, 0, 0, 0);
    for (int i = 0; i < n; i++) {
        const double *q = lab_q(x) + 7 * i, *v = lab_v(x) + 6 * i;
        double R[9], spin[3], moment[3];
        ff_quat_to_mat3(R, q + 3);
        ff_mat3_mulv(spin, R, v + 3);
        ff_vec3_cross(moment, q, v);
        ff_vec3_axpy(p, mass, v);
        ff_vec3_axpy(L, mass, moment);
        ff_vec3_axpy(L, 0.4 * mass * radius * radius, spin);
    }
}

// Two clusters collide without gravity, with friction and any restitution: linear momentum is kept to rounding, and so
// is angular momentum, except for the place of contacts between balls that are still apart (2e-3 m in a step). Energy
// never grows.
TEST(clusters_that_collide_keep_their_momentum_and_gain_no_energy)
{
    enum { N = 3, BALLS = 2 * N * N * N };
    const double restitutions[] = {0.0, 0.5, 1.0};
    for (int k = 0; k < 6; k += CHECK_LASTS(1, 3)) { // both responses
        lab x;
        const ff_response response = k % 2 ? FF_RESPONSE_SIMULTANEOUS : FF_RESPONSE_PROPAGATION;
        rigid_open(&x, FF_METHOD_EULER, response, restitutions[k / 2], 0.4);
        ff_vec3_set(x.spec->gravity, 0, 0, 0);
        ff_random random = ff_random_make(7, 0);
        for (int i = 0; i < BALLS; i++) {
            const int c = i % (N * N * N);
            double pos[3] = {0.2 * (c % N) + (i < BALLS / 2 ? 0.0 : 0.8), 0.2 * (c / N % N), 0.2 * (c / N / N)};
            for (int d = 0; d < 3; d++) pos[d] += ff_random_range(&random, 0.0, 2e-3);
            add_ball(&x, i, 2.0, 0.095, pos);
        }
        lab_start(&x);
        for (int i = 0; i < BALLS; i++) {
            ff_sim_set_v(x.sim, 6 * i, i < BALLS / 2 ? 2.0 : -1.0);
            ff_sim_set_v(x.sim, 6 * i + 4, i % 3 - 1.0);
        }
        double p0[3], L0[3], p[3], L[3], energy = INFINITY;
        momentum_of(&x, BALLS, 2.0, 0.095, p0, L0);
        for (int step = 1; step <= 300; step++) {
            lab_run(&x, STEP * step);
            const double now = ff_sim_energy(x.sim).total;
            CHECK_BELOW(now, energy * (1.0 + 1e-12));
            energy = now;
        }
        momentum_of(&x, BALLS, 2.0, 0.095, p, L);
        for (int d = 0; d < 3; d++) {
            CHECK_NEAR(p[d], p0[d], 1e-12 * 2.0 * BALLS); // [N s] rounding of some thousand impulses
            CHECK_NEAR(L[d], L0[d], 1e-12 * 2.0 * BALLS);
        }
        CHECK(ff_world_get_counts(x.world).touches > 50);
        lab_close(&x);
    }
}

// Bricks in bond, a millimetre apart, fall on each other: impacts of a dozen bricks at once, with restitution 0.2. The
// rebounds are soon slower than the impact floor, where an impact ends; without that it took fifty rounds and more
// sweeps than the rest of the motion. Then the wall stands; with ten sweeps in each step it rocked and gained energy.
// Missing energy is heat, except for the error of steps of 1 ms in a fall of 1 mm.
TEST(a_wall_whose_bricks_fall_by_a_millimetre_stands)
{
    enum { ROWS = 4, BRICKS = CHECK_LASTS(5, 2) };
    lab x;
    rigid_open(&x, FF_METHOD_EULER, FF_RESPONSE_SIMULTANEOUS, 0.2, 0.6);
    for (int i = 0; i < ROWS * BRICKS; i++) {
        const int row = i / BRICKS;
        char name[24];
        snprintf(name, sizeof name, "brick%d", i);
        lab_box(&x, name, 2.0, (double[]){0.2, 0.1, 0.1},
                (double[]){0.201 * (i % BRICKS) + (row % 2 ? 0.09 : 0.0), 0, 0.051 + 0.101 * row}, "stone");
    }
    lab_floor(&x, "stone");
    lab_start(&x);
    const double start = ff_sim_energy(x.sim).total;
    lab_run(&x, 0.5);
    const ff_ledger l = ff_sim_ledger(x.sim);
    printf("  %d rounds\n", x.world->rigid->rounds);
    CHECK(x.world->rigid->rounds > 1 && x.world->rigid->rounds < 30);
    CHECK_BELOW(l.stored.kinetic, 1e-6);
    for (int i = 0; i < ROWS * BRICKS; i++) CHECK_NEAR(lab_q(&x)[7 * i + 2], 0.05 + 0.1 * (i / BRICKS), 1e-6);
    CHECK_NEAR(l.lost_normal + l.lost_friction, start - l.stored.total, 0.02 * (start - l.stored.total));
    lab_close(&x);
}

// ------------------------------------------------------------------------------------------ 666

static double deepest(const lab *x, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        const double *a = lab_q(x) + 7 * i;
        most = fmax(most, 0.1 - a[2]);
        for (int j = 0; j < i; j++) {
            double gap[3];
            ff_vec3_sub(gap, a, lab_q(x) + 7 * j);
            most = fmax(most, 0.2 - ff_vec3_norm(gap));
        }
    }
    return most;
}

static double ground_force(lab *x)
{
    double up = 0.0;
    int count;
    const ff_world_contact *c = ff_world_contacts(x->world, x->sim, &count);
    for (int i = 0; i < count; i++) up += c[i].body1 < 0 ? c[i].force.force[2] : 0.0;
    return up;
}

static double rise(const lab *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += lab_v(x)[6 * i + 2];
    return sum;
}

/// Heat is never negative: what is lost along the normals and across them does not fall.
static void lost_more(const lab *x, ff_ledger *before)
{
    const ff_ledger now = ff_sim_ledger(x->sim);
    CHECK(now.lost_normal >= before->lost_normal);
    CHECK(now.lost_friction >= before->lost_friction);
    *before = now;
}

/// Height by which a step may lift n layers: each interface returns a tenth of its overlap, with the residual of the
/// sweeps, 1e-4 of g h; the layers above move along, (n + 1) / 2 interfaces for each ball on average.  [m]
static double lifted(int n, double overlap)
{
    return 0.5 * (n + 1) * (0.1 * overlap + 1e-4 * G * STEP * STEP);
}

// A pile falls, spreads and settles; that of 27 balls stands in columns, held by rolling resistance. A ball arrives at
// 4.4 m/s, 4.4 mm in a step: overlaps stay below 0.1 mm, which is the residual of ten sweeps. No step raises the energy
// by more than lifting the balls out of their overlap. The force of the floor is the weight plus the rate of momentum.
// With rolling resistance the balls that left the pile come to rest: after two seconds nothing moves nearly as fast as
// it fell.
static void cube_settles(int n)
{
    const int balls = n * n * n;
    const double weight = 10.0 * G * balls;
    lab x;
    rigid_open(&x, FF_METHOD_EULER, FF_RESPONSE_SIMULTANEOUS, 0.0, 0.8);
    x.spec->materials[0].material.friction.rolling = 5e-3;
    add_cube(&x, n, 1.101);
    lab_floor(&x, "stone");
    lab_start(&x);
    double energy = INFINITY, overlap = 0.0, most = 0.0;
    ff_ledger lost = {0};
    for (int i = 1; i <= 4000; i++) {
        lab_run(&x, STEP * i);
        const double now = ff_sim_energy(x.sim).total;
        CHECK_BELOW(now, energy + weight * lifted(n, overlap));
        energy = now;
        overlap = deepest(&x, balls);
        most = fmax(most, overlap);
        lost_more(&x, &lost);
    }
    const double kinetic = ff_sim_energy(x.sim).kinetic, before = rise(&x, balls);
    double impulse = 0.0;
    for (int i = 1; i <= 100; i++) {
        lab_run(&x, 4.0 + STEP * i);
        impulse += STEP * ground_force(&x);
    }
    printf("  %d balls: overlap at most %.2e m, kinetic energy left %.2e J, %d contacts\n", balls, most, kinetic,
           ff_world_get_counts(x.world).most);
    CHECK_BELOW(most, 1e-4);
    CHECK_BELOW(kinetic, 1e-3 * weight * 1.0); // of the fall of a metre
    CHECK_NEAR(impulse, weight * 0.1 + 10.0 * (rise(&x, balls) - before), 1e-9 * weight);
    CHECK_INT(ff_world_get_counts(x.world).overflow, 0);
    lab_close(&x);
}

TEST(a_cube_of_balls_falls_and_settles)
{
    for (int n = 3; n <= CHECK_LASTS(4, 3); n++) cube_settles(n); // the experiment pile-666 has 216 balls
}

// Without friction and loss it keeps its energy, to rounding.
TEST(an_elastic_cube_of_balls_keeps_its_energy)
{
    const int n = CHECK_LASTS(6, 3);
    lab x;
    rigid_open(&x, FF_METHOD_EULER, FF_RESPONSE_PROPAGATION, 1.0, 0.0);
    add_cube(&x, n, 1.101);
    lab_floor(&x, "stone");
    lab_start(&x);
    const double start = ff_sim_energy(x.sim).total;
    double worst = 0.0;
    ff_ledger lost = {0};
    for (int i = 1; i <= 200; i++) {
        lab_run(&x, 0.01 * i);
        worst = fmax(worst, fabs(ff_sim_energy(x.sim).total - start) / start);
        lost_more(&x, &lost);
    }
    printf("  energy off by at most %.1e of %.0f J; %lld impacts\n", worst, start,
           (long long)ff_world_get_counts(x.world).impacts);
    CHECK_BELOW(worst, 1e-12);
    CHECK_BELOW(deepest(&x, n * n * n), 1e-4);
    lab_close(&x);
}

TEST(a_pile_saved_in_the_middle_goes_on_bit_for_bit)
{
    lab one, two;
    lab *both[] = {&one, &two};
    for (int i = 0; i < 2; i++) {
        rigid_open(both[i], FF_METHOD_EULER, FF_RESPONSE_SIMULTANEOUS, 0.3, 0.6);
        both[i]->spec->materials[0].material.friction.torsion = 1e-3;
        add_cube(both[i], 3, 0.3);
        lab_floor(both[i], "stone");
        lab_start(both[i]);
    }
    lab_run(&one, 0.5);
    const size_t size = ff_sim_save_size(one.sim);
    void *buffer = malloc(size);
    CHECK(buffer && ff_sim_save(one.sim, buffer, size, NULL) == FF_OK);
    CHECK_INT(ff_sim_restore(two.sim, buffer, size, NULL), FF_OK);
    lab_run(&one, 0.8);
    lab_run(&two, 0.8);
    CHECK(ff_sim_hash(one.sim) == ff_sim_hash(two.sim));
    free(buffer);
    lab_close(&one);
    lab_close(&two);
}

// Two piles that are far from each other move as each would alone.
TEST(islands_know_nothing_of_each_other)
{
    lab alone, beside;
    rigid_open(&alone, FF_METHOD_EULER, FF_RESPONSE_SIMULTANEOUS, 0.2, 0.5);
    rigid_open(&beside, FF_METHOD_EULER, FF_RESPONSE_SIMULTANEOUS, 0.2, 0.5);
    add_cube(&alone, 3, 0.3);
    add_cube(&beside, 3, 0.3);
    for (int i = 27; i < 40; i++)
        add_ball(&beside, i, 10.0, 0.1, (double[]){50.0 + 0.15 * (i % 3), 0, 0.22 * (i - 26)});
    lab_floor(&alone, "stone");
    lab_floor(&beside, "stone");
    lab_start(&alone);
    lab_start(&beside);
    lab_run(&alone, 0.6);
    lab_run(&beside, 0.6);
    for (int i = 0; i < 7 * 27; i++) CHECK_NEAR(lab_q(&alone)[i], lab_q(&beside)[i], 0.0);
    lab_close(&alone);
    lab_close(&beside);
}

// ------------------------------------------------------------------------------------------ turning

static const ff_method METHODS[] = {FF_METHOD_EULER, FF_METHOD_ADAPTIVE, FF_METHOD_CVODE};

// The moment t m g stops a ball of inertia 2/5 m r^2: w falls by t g / (2/5 r^2) a second, and stays zero.
TEST(a_spinning_ball_stops_by_torsion)
{
    const double r = 0.05, torsion = 2e-3, w0 = 20.0, a = torsion * G / (0.4 * r * r);
    for (int k = 0; k < 3; k++) {
        lab x;
        if (!ff_method_built(METHODS[k])) continue;
        rigid_open(&x, METHODS[k], FF_RESPONSE_PROPAGATION, 0.5, 0.3);
        x.spec->materials[0].material.friction.torsion = torsion;
        lab_ball(&x, "ball", 0.7, r, (double[]){0, 0, r}, "stone");
        lab_floor(&x, "stone");
        lab_start(&x);
        ff_sim_set_v(x.sim, 5, w0);
        lab_run(&x, 0.5 * w0 / a);
        CHECK_NEAR(lab_v(&x)[5], 0.5 * w0, 1e-6);
        int count;
        const ff_world_contact *c = ff_world_contacts(x.world, x.sim, &count);
        CHECK_INT(count, 1);
        CHECK_NEAR(c[0].force.moment[2], -torsion * 0.7 * G, 1e-9);
        lab_run(&x, w0 / a + 0.2);
        CHECK_NEAR(lab_v(&x)[5], 0.0, METHODS[k] == FF_METHOD_EULER ? 1e-12 : 1e-6); // the last turns decay in 10 ms
        CHECK_NEAR(ff_sim_ledger(x.sim).lost_friction, 0.5 * 0.4 * 0.7 * r * r * w0 * w0, 1e-6);
        lab_close(&x);
    }
}

// A rolling ball is slowed by 5/7 g rolling / r; on a slope below rolling / r it stays, above it rolls down by the
// rest.
TEST(a_rolling_ball_is_slowed_and_held_by_rolling_resistance)
{
    const double r = 0.05, rolling = 2e-3, a = 5.0 / 7.0 * G * rolling / r;
    for (int k = 0; k < 3; k++) {
        lab x;
        if (!ff_method_built(METHODS[k])) continue;
        rigid_open(&x, METHODS[k], FF_RESPONSE_SIMULTANEOUS, 0.5, 0.5);
        x.spec->materials[0].material.friction.rolling = rolling;
        lab_ball(&x, "ball", 0.7, r, (double[]){0, 0, r}, "stone");
        lab_floor(&x, "stone");
        lab_start(&x);
        ff_sim_set_v(x.sim, 0, 1.0);
        ff_sim_set_v(x.sim, 4, 1.0 / r);
        lab_run(&x, 1.0);
        CHECK_NEAR(lab_v(&x)[0], 1.0 - a, 1e-6);
        CHECK_NEAR(lab_v(&x)[4], (1.0 - a) / r, 2e-5);
        lab_close(&x);
        for (int above = 0; above < 2; above++) {
            const double slope = (above ? 2.0 : 0.9) * rolling / r;
            rigid_open(&x, METHODS[k], FF_RESPONSE_SIMULTANEOUS, 0.5, 0.5);
            x.spec->materials[0].material.friction.rolling = rolling;
            lab_slope(&x, slope);
            lab_ball(&x, "ball", 0.7, r, (double[]){0, 0, r}, "stone");
            lab_floor(&x, "stone");
            lab_start(&x);
            lab_run(&x, 1.0);
            const double down = 5.0 / 7.0 * G * (sin(slope) - rolling / r * cos(slope));
            // above, methods that locate events let it start within 10 ms of its end speed
            CHECK_NEAR(lab_v(&x)[0], above ? down : 0.0, METHODS[k] == FF_METHOD_EULER ? 1e-9 : 0.02 * fabs(down));
            lab_close(&x);
        }
    }
}

// A box slides and turns on its corners until it stands: flat, after an impact that lets it rock, or with another box
// on it that turns along. All energy becomes heat, also that of an impact at the start. Corners stick while their boxes
// still turn and settle; their constraints depend on each other, so that sweeps end. Boxes at rest are recognised
// within 200 sweeps.
TEST(a_box_turns_on_its_corners_until_it_stands)
{
    enum { FLAT, ROCKING, CARRYING, CARRYING_SLOWLY, CASES };
    const double m = 1.6, size[3] = {0.2, 0.1, 0.1}, start[6] = {0.3, 0.1, 0, 0, 0, 6.0};
    const double Iz = m / 12.0 * (size[0] * size[0] + size[1] * size[1]); // about y too: it is as high as it is deep
    const double cube = 0.04, load = 0.6;
    for (int k = 1; k < CHECK_LASTS(3, 2); k++)
        for (int kind = CHECK_LASTS(FLAT, CARRYING); kind < CHECK_LASTS(CASES, CARRYING + 1); kind++) {
            lab x;
            if (!ff_method_built(METHODS[k])) continue;
            const bool carries = kind >= CARRYING;
            rigid_open(&x, METHODS[k], FF_RESPONSE_SIMULTANEOUS, 0.3, 0.3);
            x.options.relative = 1e-7;
            x.options.absolute = 1e-9;
            x.options.max_steps = 10000; // a thousand are made as long as forces are smooth
            x.spec->materials[0].material.friction.rolling = 2e-3;
            x.spec->materials[0].material.friction.torsion = 3e-3;
            lab_box(&x, "box", m, size, (double[]){0, 0, 0.5 * size[2]}, "stone");
            if (carries)
                lab_box(&x, "load", load, (double[]){cube, cube, cube}, (double[]){0, 0, size[2] + 0.5 * cube},
                        "stone");
            lab_floor(&x, "stone");
            lab_start(&x);
            for (int i = 0; i < 6; i++) ff_sim_set_v(x.sim, i, start[i]);
            double energy = 0.5 * m * (0.3 * 0.3 + 0.1 * 0.1) + 0.5 * Iz * 6.0 * 6.0;
            if (kind == ROCKING) {
                ff_sim_set_v(x.sim, 4, 1.0);
                energy += 0.5 * Iz;
            } else if (carries) {
                const double spin = kind == CARRYING ? 5.0 : 3.0; // [rad/s]
                for (int i = 0; i < 2; i++) ff_sim_set_v(x.sim, 6 + i, start[i]);
                ff_sim_set_v(x.sim, 11, spin);
                energy += 0.5 * load * (0.3 * 0.3 + 0.1 * 0.1) + 0.5 * load / 6.0 * cube * cube * spin * spin;
            }
            lab_run(&x, 0.5);
            const ff_ledger l = ff_sim_ledger(x.sim);
            CHECK_BELOW(l.stored.kinetic, 1e-9);
            CHECK_NEAR(l.lost_normal + l.lost_friction, energy, 1e-5 * energy);
            CHECK_NEAR(l.residual, 0.0, 1e-5 * energy);
            CHECK_BELOW(x.world->rigid->sweeps, carries ? 9999 : 1000); // of 10 000
            lab_close(&x);
        }
}

// Two points of one mass, pressed down by 10 m/s^2, should separate by 1e-10 of that: no forces do that, and each sweep
// presses them against each other by the same amount.
TEST(sweeps_that_no_longer_change_end)
{
    double J[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const int order[2] = {0, 1};
    for (int patient = 0; patient < 2; patient++) {
        ff_sweep_point p[2] = {{.rows = 3, .nside = 1, .side = {{0, 3, J, J}}, .mu = 0.5, .shift = {0, 1e-9, 0}},
                               {.rows = 3, .nside = 1, .side = {{0, 3, J, J}}, .mu = 0.5, .shift = {0, -1e-9, 0}}};
        double x[3] = {-10.0, 0, 0};
        for (int i = 0; i < 2; i++) ff_sweep_prepare(&p[i]), p[i].j[0] = 5.0; // each a half of the load
        const ff_sweep_rule rule = {.tolerance = 1e-12, .most = 10000, .enough = patient ? 0.0 : 1e-8};
        CHECK_INT(ff_sweep_solve(p, order, 2, rule, x).sweeps, patient ? 10000 : 200);
        CHECK_NEAR(p[0].j[0] + p[1].j[0], 10.0, 1e-9);
        CHECK_NEAR(x[0], 0.0, 1e-9);
    }
}
