// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Terrain and objects of scene files: what is written stands in the model and in the world of contacts, height
// functions follow their formulas, things rest where their springs carry them, and mistakes are reported with their
// place.
#include "scene_helpers.h"

static const ff_geom *geom(const char *name)
{
    for (int i = 0; i < scene->model->ngeom; i++)
        if (scene->model->geoms[i].name && strcmp(scene->model->geoms[i].name, name) == 0)
            return &scene->model->geoms[i];
    CHECK_FAIL("no shape %s", name);
}

#define BALL "objects: [{name: ball, sphere: 0.1, mass: 2, pos: [0, 0, 1]}]\n"

TEST(pieces_of_terrain_are_shapes_fixed_to_the_world)
{
    write_file("ramp.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    must_load(BALL
              "terrain:\n"
              "  - plane: {material: wood, normal: [1, 0, 1]}\n"
              "  - box: {size: [2, 4, 6], pos: [5, 0, 1], rpy: [0, 0, 90 deg], name: block, color: [1, 0, 0]}\n"
              "  - mesh: {file: ramp.obj, scale: 2, pos: [0, 9, 0], material: steel}\n"
              "  - heightfield: {slope: , size: [4, 2], height: 1, cells: [4, 2], pos: [0, 0, -3], material: sand}\n"
              "  - plane:\n");
    const ff_geom *plane = geom("ground"), *block = geom("block"), *ramp = geom("terrain3"), *field = geom("terrain4");
    double up[3];
    CHECK_INT(plane->shape.type, FF_SHAPE_PLANE);
    CHECK_INT(plane->body, -1);
    CHECK_TEXT(plane->material, "wood");
    ff_quat_rotate(up, plane->quat, (const double[3]){0, 0, 1});
    CHECK_NEAR(up[0], sqrt(0.5), 1e-15);
    CHECK_NEAR(up[1], 0.0, 1e-15);
    CHECK_NEAR(block->shape.size[1], 2.0, 0);
    CHECK_NEAR(block->rgba[0], 1.0, 0);
    CHECK_NEAR(block->pos[0], 5.0, 0);
    CHECK_INT(ramp->shape.mesh->nvertex, 4);
    CHECK_INT(field->role, FF_GEOM_VISUAL);
    CHECK_INT(field->shape.mesh->nvertex, 15);
    CHECK(geom("terrain5")->material == NULL);
    CHECK_INT(scene->nfield, 1);
    CHECK_NEAR(scene->fields[0].pose.p[2], -3.0, 0);
    int count;
    const ff_world_shape *shapes = ff_world_shapes(ff_run_world(run), &count);
    CHECK_INT(count, 6); // plane, box, mesh, plane, ball, field
    CHECK_INT(shapes[count - 1].collider.type, FF_COLLIDER_FIELD);
    CHECK_TEXT(ff_world_material(ff_run_world(run), shapes[count - 1].material)->name, "sand");
    finish();
}

// Three steps of 5 cm, turned by a quarter: they rise along y. The last is a platform.
TEST(stairs_rise_from_their_first_edge)
{
    must_load(BALL "terrain: [{stairs: {count: 3, rise: 0.05, run: 0.2, width: 1, top: 0.5, pos: [2, 1, 0.1], "
                   "rpy: [0, 0, 90 deg], name: s, material: wood}}]\n");
    const ff_geom *first = geom("s_1"), *last = geom("s_3");
    CHECK_NEAR(first->pos[0], 2.0, 1e-15);
    CHECK_NEAR(first->pos[1], 1.1, 1e-15);
    CHECK_NEAR(first->pos[2] + first->shape.size[2], 0.15, 1e-15);
    CHECK_NEAR(last->pos[1], 1.0 + 0.4 + 0.25, 1e-15);
    CHECK_NEAR(last->pos[2] + last->shape.size[2], 0.25, 1e-15);
    CHECK_NEAR(last->pos[2] - last->shape.size[2], 0.1, 1e-15);
    CHECK_NEAR(last->shape.size[0], 0.25, 1e-15);
    CHECK_TEXT(last->material, "wood");
    CHECK_INT(scene->model->ngeom, 4);
    finish();
}

TEST(blocks_fill_their_size_with_random_heights)
{
    double sum = 0.0, tallest = 0.0, first = 0.0;
    for (int go = 0; go < 3; go++) {
        must_load(go < 2 ? BALL "terrain: [{blocks: {size: [2, 1], block: [0.1, 0.1], height: 0.04, seed: 3}}]\n"
                         : BALL "terrain: [{blocks: {size: [2, 1], block: [0.1, 0.1], height: 0.04, seed: 4}}]\n");
        CHECK_INT(scene->model->ngeom, 1 + 20 * 10);
        const ff_geom *corner = geom("ground_1"), *other = geom("ground_200");
        CHECK_NEAR(corner->pos[0], -0.95, 1e-15);
        CHECK_NEAR(corner->pos[1], -0.45, 1e-15);
        CHECK_NEAR(other->pos[0], 0.95, 1e-15);
        CHECK_NEAR(other->pos[1], 0.45, 1e-15);
        if (go == 0) first = corner->shape.size[2];
        CHECK((corner->shape.size[2] == first) == (go < 2)); // the seed decides
        for (int i = 0; i < scene->model->ngeom && go == 0; i++) {
            const ff_geom *g = &scene->model->geoms[i];
            if (g->shape.type != FF_SHAPE_BOX) continue;
            CHECK_NEAR(g->pos[2], g->shape.size[2], 1e-17);
            sum += 2.0 * g->shape.size[2];
            tallest = fmax(tallest, 2.0 * g->shape.size[2]);
        }
    }
    CHECK_NEAR(sum / 200, 0.02, 4 * 0.04 / sqrt(12.0 * 200)); // mean of a uniform law, four standard errors
    CHECK(tallest <= 0.04 && tallest > 0.04 * 0.97);          // exp(-6) that all of 200 stay below 97 %
    finish();
}

TEST(stairs_and_blocks_that_cannot_be_are_refused)
{
    static const bad_scene bad[] = {
        {"terrain: [{stairs: {count: 0, rise: 0.05, run: 0.2, width: 1}}]\n" BALL, "2:28",
         "'count' is 0: it must be between 1 and 2500"},
        {"terrain: [{stairs: {count: 3, rise: -1, run: 0.2, width: 1}}]\n" BALL, "2:37", "'rise' is -1"},
        {"terrain: [{stairs: {count: 3, rise: 1, run: 0.2, width: 1, top: 0}}]\n" BALL, "2:65", "'top' is 0"},
        {"terrain: [{blocks: {size: [100, 100], block: [0.1, 0.1], height: 1}}]\n" BALL, "2:46",
         "there can be 1 to 2500"},
        {"terrain: [{blocks: {size: [1, 1], block: [0, 0.1], height: 1}}]\n" BALL, "2:43",
         "'block' is 0 m: it must be positive"},
        {"terrain: [{blocks: {size: [1, 1], block: [0.1, 0.1], height: 1, seed: 0.5}}]\n" BALL, "2:71",
         "'seed' is 0.5"},
    };
    must_refuse(bad, sizeof bad / sizeof *bad);
}

static double height(double x, double y)
{
    return ff_field_height(scene->fields[0].field, x, y);
}

static void load_field(const char *function)
{
    char text[500];
    snprintf(text, sizeof text, BALL "terrain: [{heightfield: {%s, size: [4, 2], height: 0.6, cells: [80, 40]}}]\n",
             function);
    must_load(text);
}

// On grid points the field is the function itself; cells are 5 cm.
TEST(height_functions_follow_their_formulas)
{
    load_field("slope: {}");
    CHECK_NEAR(height(-2, 0), 0.0, 1e-12);
    CHECK_NEAR(height(1, 0.5), 0.45, 1e-12);
    load_field("slope: {direction: 90 deg}");
    CHECK_NEAR(height(1, 0.5), 0.45, 1e-12);
    load_field("waves: {length: 0.4}");
    CHECK_NEAR(height(0.4, 0), 0.0, 1e-12);
    CHECK_NEAR(height(0.2, 0.5), 0.6, 1e-12);
    CHECK_NEAR(height(0.1, -0.5), 0.3, 1e-12);
    load_field("steps: {length: 1}"); // four steps: 0, 0.2, 0.4, 0.6
    CHECK_NEAR(height(-1.5, 0), 0.0, 1e-12);
    CHECK_NEAR(height(-0.5, 0), 0.2, 1e-12);
    CHECK_NEAR(height(0.5, 0), 0.4, 1e-12);
    CHECK_NEAR(height(1.5, 0), 0.6, 1e-12);
    finish();
}

TEST(noise_fills_its_height_and_depends_on_its_seed_alone)
{
    double first[41 * 21], low = INFINITY, high = -INFINITY;
    int same = 0;
    for (int go = 0; go < 3; go++) {
        load_field(go < 2 ? "noise: {length: 0.7, seed: 5}" : "noise: {length: 0.7, seed: 6}");
        for (int k = 0; k < 41 * 21; k++) {
            double z = height(-1.99 + 3.98 * (k % 41) / 40, -0.99 + 1.98 * (k / 41) / 20);
            CHECK(z >= 0.0 && z <= 0.6);
            if (go == 0) first[k] = z;
            if (go == 1) CHECK_NEAR(z, first[k], 0);
            if (go == 2) same += z == first[k];
            low = fmin(low, z), high = fmax(high, z);
        }
    }
    CHECK_BELOW(same, 5);
    CHECK(low < 0.1 && high > 0.5); // 861 of the 3321 points
    finish();
}

// Without friction a ball slides down a slope like a block, v = v0 + g t sin(angle) along it, whatever its normal force
// does, and keeps its spin; where one of the two materials has none, there is none. Resistance to rolling needs no
// friction: it takes the spin.
TEST(a_ball_without_friction_slides_and_keeps_its_spin)
{
    static const struct {
        const char *ball, *ground, *solver;
        bool slides, keeps;
    } cases[] = {
        {"friction: {law: none}", "law: stick-slip", "{method: implicit, step: 1 ms}", true, true},
        {"friction: {mu: 0.5}", "law: none", "{method: rk4, step: 0.1 ms}", true, true},
        {"friction: {law: none}", "law: none", "{method: adaptive, accuracy: 1e-8}", true, true},
        {"friction: {law: none}", "mu: 1", "{method: euler, step: 1 ms}\ncontacts: {response: propagation}", true,
         true},
        {"friction: {mu: 0.5}", "law: none", "{method: adaptive}\ncontacts: {response: simultaneous}", true, true},
        {"friction: {law: none, rolling: 5 mm}", "mu: 1", "{method: adaptive, accuracy: 1e-8}", true, false},
        {"friction: {mu: 0.5}", "mu: 1", "{method: adaptive, accuracy: 1e-8}", false, false},
    };
    const double angle = 0.2, v0 = 0.3, t = 0.5;
    for (int i = 0; i < 7; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "materials:\n  ball: {normal: {law: hunt-crossley, stiffness: 2e4, damping: 2e4}, %s}\n"
                 "  slope: {normal: {law: hunt-crossley, stiffness: 1e5, damping: 1e5}, friction: {%s}}\n"
                 "objects: [{sphere: 0.1, mass: 2, pos: [0.1 * sin(0.2), 0, 0.1 * cos(0.2)], spin: [0, 1, 0],\n"
                 "           velocity: [0.3 * cos(0.2), 0, -0.3 * sin(0.2)], material: ball}]\n"
                 "terrain: [{plane: {rpy: [0, 0.2, 0], material: slope}}]\nsolver: %s\ntime: 0.5\n",
                 cases[i].ball, cases[i].ground, cases[i].solver);
        must_run(text);
        const double *v = ff_sim_v(ff_run_sim(run)), along = v[0] * cos(angle) - v[2] * sin(angle);
        const double off = fabs(along - v0 - 9.81 * t * sin(angle)), spun = fabs(v[4] - 1.0);
        CHECK(cases[i].slides ? off < 1e-10 : off > 0.1); // [m/s] rounding of 5000 steps
        CHECK(cases[i].keeps ? spun < 1e-10 : spun > 0.1);
    }
    finish();
}

// Ground that names no material has lab-floor, and what the scene says of lab-floor goes before the library, named or
// not: depth m g / k of the scene's k under a rigid ball.
TEST(ground_without_a_material_has_the_lab_floor_of_the_scene)
{
    static const char *const grounds[] = {"plane: {}", "plane: {material: lab-floor}",
                                          "heightfield: {slope: {}, size: [1, 1], height: 0, cells: [3, 3]}"};
    for (int i = 0; i < 3; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 "materials: {lab-floor: {normal: {law: hunt-crossley, stiffness: 1e4, damping: 2e4}}}\n"
                 "objects: [{name: ball, sphere: 0.1, mass: 2, pos: [0, 0, 0.1], material: rigid}]\n"
                 "terrain: [{%s}]\nsolver: {method: rk4, step: 0.5 ms}\ntime: 4\n",
                 grounds[i]);
        must_run(text);
        CHECK_NEAR(metric("com.z"), 0.1 - 2 * 9.81 / 1e4, 1e-6); // [m] what is left of the bouncing
    }
    finish();
}

// A ball of 2 kg sinks m g / k into the floor; field, box and plane alike. Damping of lab-floor on rigid: settled after
// 2 s.
TEST(a_ball_rests_where_its_spring_carries_it)
{
    static const char *const grounds[] = {
        "plane: {pos: [0, 0, 0.2], material: soft}", "box: {size: [1, 1, 0.4], material: soft}",
        "heightfield: {slope: {}, size: [1, 1], height: 0, cells: [3, 3], pos: [0, 0, 0.2], material: soft}"};
    for (int i = 0; i < 3; i++) {
        char text[700];
        snprintf(text, sizeof text,
                 "materials: {soft: {normal: {law: hunt-crossley, stiffness: 1e4, damping: 2e4}}}\n"
                 "objects: [{name: ball, sphere: 0.1, mass: 2, pos: [0, 0, 0.3], material: rigid}]\n"
                 "terrain: [{%s}]\nsolver: {method: rk4, step: 0.5 ms}\ntime: 4\n",
                 grounds[i]);
        must_run(text);
        CHECK_NEAR(metric("com.z"), 0.3 - 2 * 9.81 / 1e4, 1e-6); // [m] what is left of the bouncing
    }
    finish();
}

/// Shift of body `name` against its place in the lattice of LATTICE.
static void shift_of(const char *name, int i, int j, int k, double shift[3])
{
    const ff_model *m = scene->model;
    const double *q = scene->q + m->joints[ff_model_find_joint(m, name)].qadr;
    ff_vec3_set(shift, q[0] - i, q[1] - 2 * j, q[2] - 3 * k);
}

#define LATTICE "{name: a, sphere: 0.1, mass: 1, count: [6, 6, 6], spacing: [1, 2, 3]"

// 648 shifts: none beyond the bound, their mean and variance those of a uniform distribution, 0 and p^2/3, within four
// standard errors: 4 p/sqrt(3)/sqrt(648) = 0.091 p and 4 sqrt(4/45) p^2/sqrt(648) = 0.047 p^2.
TEST(objects_of_a_lattice_may_be_perturbed)
{
    const double p = 1e-3;
    double sum = 0.0, squares = 0.0, last[3], again[3];
    must_load("seed: 3\nobjects:\n  - " LATTICE ", perturb: 1 mm}\n");
    for (int i = 0; i < 216; i++) {
        char name[8];
        double shift[3];
        snprintf(name, sizeof name, "a%d", i + 1);
        shift_of(name, i % 6, i / 6 % 6, i / 36, shift);
        for (int k = 0; k < 3; k++) {
            CHECK_BELOW(fabs(shift[k]), p + 1e-14);
            sum += shift[k];
            squares += shift[k] * shift[k];
        }
    }
    CHECK_NEAR(sum / 648, 0.0, 0.091 * p);
    CHECK_NEAR(squares / 648, p * p / 3, 0.047 * p * p);
    shift_of("a216", 5, 5, 5, last);
    // the same seed: the same places, whatever stands behind; along z alone: nothing else moves; another seed: others
    must_load("seed: 3\nobjects:\n  - " LATTICE
              ", perturb: [0, 0, 1 mm]}\n  - {sphere: 1, mass: 1, pos: [90, 0, 0]}\n");
    shift_of("a216", 5, 5, 5, again);
    CHECK_NEAR(again[0], 0.0, 0.0);
    CHECK_NEAR(again[2], last[2], 0.0);
    must_load("seed: 4\nobjects:\n  - " LATTICE ", perturb: 1 mm}\n");
    shift_of("a216", 5, 5, 5, again);
    CHECK(again[0] != last[0] && again[1] != last[1] && again[2] != last[2]);
    finish();
}

TEST(objects_have_the_mass_and_motion_they_are_given)
{
    must_load("objects:\n"
              "  - {name: block, box: [1, 2, 3], mass: 12, pos: [1, 2, 3], rpy: [0, 0, 90 deg], velocity: [1, 2, 3], "
              "spin: [0.1, 0, 0.3]}\n"
              "  - {cylinder: {radius: 1, length: 2}, density: 3, pos: [0, 0, 9]}\n"
              "  - {name: mass, point: true, mass: 0.5, pos: [7, 0, 1], velocity: [2, 0, 1]}\n"
              "  - {name: cart, sphere: 1, mass: 1, moves: xy, rpy: [0, 0, 30 deg], velocity: [5, 6, 7]}\n"
              "  - {name: wall, box: [1, 1, 1], moves: none, pos: [0, 40, 0]}\n"
              "  - {name: bead, sphere: 0.1, mass: 0.1, count: [2, 3, 1], spacing: [1, 2, 5], pos: [100, 0, 0]}\n");
    const ff_model *m = scene->model;
    CHECK_INT(m->nbody, 11);
    CHECK_INT(m->nv, 6 + 6 + 3 + 2 + 6 * 6);
    const ff_body *block = &m->bodies[ff_model_find_body(m, "block")];
    CHECK_NEAR(block->mass, 12, 1e-14);
    CHECK_NEAR(block->inertia[0], 13, 1e-13); // m (b^2 + c^2) / 12
    CHECK_NEAR(m->bodies[ff_model_find_body(m, "object2")].mass, 3 * FF_PI * 2, 1e-13);
    CHECK_NEAR(scene->q[1], 2, 0);
    CHECK_NEAR(scene->v[1], 2, 0);
    CHECK_NEAR(scene->v[4], -0.1, 1e-15); // the world's x is the block's -y
    CHECK_NEAR(scene->v[5], 0.3, 1e-15);
    int x = m->joints[ff_model_find_joint(m, "mass_x")].vadr;
    CHECK_NEAR(scene->v[x], 2, 0);
    CHECK_NEAR(scene->v[x + 2], 1, 0);
    int cart = m->joints[ff_model_find_joint(m, "cart_x")].vadr;
    CHECK_NEAR(scene->v[cart], 5, 1e-14);
    CHECK_NEAR(scene->v[cart + 1], 6, 1e-14);
    CHECK_INT(m->bodies[ff_model_find_body(m, "wall")].node, -1);
    int bead = m->joints[ff_model_find_joint(m, "bead6")].qadr;
    CHECK_NEAR(scene->q[bead], 101, 0);
    CHECK_NEAR(scene->q[bead + 1], 4, 0);
    finish();
}

// Slides run along the world's axes however the object is turned; without contact the cart goes straight on.
TEST(an_object_slides_along_the_axes_it_may)
{
    must_run(
        "objects: [{name: cart, sphere: 1, mass: 1, moves: xy, rpy: [10 deg, 20 deg, 30 deg], velocity: [5, 6, 7]}]\n"
        "time: 1\nsolver: {method: rk4, step: 1 ms}\n");
    CHECK_NEAR(metric("com.x"), 5, 1e-12);
    CHECK_NEAR(metric("com.y"), 6, 1e-12);
    CHECK_NEAR(metric("com.z"), 0, 1e-12);
    finish();
}

TEST(robots_and_objects_share_the_scene_and_its_materials)
{
    write_file("foot.yaml",
               "footfall: 1\nbodies: {foot: {joint: {name: root, type: free}, inertial: {mass: 1, sphere: 0.1},\n"
               "  shapes: [{sphere: 0.1, material: sole}]}}\nmaterials: {sole: {like: rubber}}\n");
    must_load("robots: [{name: a, file: foot.yaml}, {name: b, file: foot.yaml, place: {pos: [1, 0, 0]}}]\n"
              "objects: [{name: stone, sphere: 0.2, density: 2000, pos: [0, 5, 1], material: sole}]\n"
              "terrain: [{plane: {material: sole}}]\nmaterials: {sole: {like: rubber, normal: {stiffness: 4e4}}}\n"
              "contacts: {margin: 2 mm, most: 40}\nself_collision: true\n"
              "pairs: [{of: [sole, rubber], normal: {law: linear, stiffness: 7}}, {of: [sole, sole], like: ice, per: "
              "point}]\n");
    CHECK_INT(scene->nrobot, 2);
    CHECK_INT(scene->model->nv, 18);
    CHECK_NEAR(scene->q[7], 1, 0);
    CHECK_NEAR(scene->q[15], 5, 0);
    CHECK(ff_model_find_body(scene->model, "a_foot") >= 0);
    CHECK(ff_model_find_body(scene->model, "stone") >= 0);
    CHECK_INT(scene->model->nmaterial, 1);
    CHECK_NEAR(scene->model->materials[0].normal.stiffness, 4e4, 0); // the scene's word holds
    CHECK_NEAR(scene->touch.margin, 2e-3, 0);
    CHECK_INT(scene->touch.most_contacts, 40);
    CHECK(scene->touch.self_collision);
    int count;
    ff_world_shapes(ff_run_world(run), &count);
    CHECK_INT(count, 4);
    const ff_contact_pair *law = ff_world_law(ff_run_world(run), 0, 1);
    CHECK_NEAR(law->stiffness, 9e6, 0); // ice, not sole on sole
    CHECK(law->per_point);
    finish();
}

// Three links in a row, the outer ones 2.5 mm in each other beyond the middle one, which is their neighbour; others are
// far off.
TEST(bodies_that_overlap_at_the_start_do_not_collide_unless_asked_for)
{
#define LINK(name, parent, x, z)                                                                                       \
    "  " name ": {" parent "pos: [" x ", 0, " z "], joint: {name: j" name ", axis: y},\n"                              \
    "    inertial: {mass: 1, sphere: 0.1}, shapes: [{sphere: 0.05, material: rubber}]}\n"
    write_file("links.yaml", "footfall: 1\nbodies:\n  base: {joint: {name: root, type: free}, "
                             "inertial: {mass: 1, sphere: 0.1}, shapes: [{sphere: 0.05, material: rubber}]}\n" LINK(
                                 "a", "parent: base, ", "0.05", "0") LINK("b", "parent: a, ", "0.047", "0.01")
                                 LINK("c", "parent: a, ", "0.2", "0") LINK("d", "parent: c, ", "-0.2", "0.2"));
#define SELF(how) "robot: links.yaml\ngravity: [0, 0, 0]\ntime: 0.05\nself_collision: " how "\n"
    must_load(SELF("true"));
    CHECK_INT(report.count, 1);
    CHECK_SAYS(message(0), "note: 1 pair of bodies of one robot overlaps at the start and does not touch each other: "
                           "'base' and 'b' by 2.49 mm; self_collision: all lets them");
    CHECK(!ff_world_law(ff_run_world(run), 0, 2)); // base and b
    CHECK(!ff_world_law(ff_run_world(run), 0, 1)); // neighbours
    CHECK(ff_world_law(ff_run_world(run), 0, 4));  // base and d
    must_go();
    CHECK_NEAR(ff_sim_ledger(ff_run_sim(run)).stored.total, 0.0, 1e-15); // [J] nothing pushes
    must_load(SELF("all"));
    CHECK_INT(report.count, 0);
    CHECK(ff_world_law(ff_run_world(run), 0, 2));
    must_go();
    CHECK(ff_sim_ledger(ff_run_sim(run)).stored.kinetic > 1e-4); // [J] thrown
    must_load(SELF("false"));
    CHECK_INT(report.count, 0);
    finish();
#undef LINK
#undef SELF
}

TEST(contacts_can_be_switched_off)
{
    must_run(BALL "terrain: [{plane: {}}]\ncontacts: off\ntime: 1\nsolver: {method: rk4, step: 1 ms}\n");
    CHECK(ff_run_world(run) == NULL);
    CHECK_NEAR(metric("com.z"), 1 - 9.81 / 2, 1e-12);
    must_load(BALL); // nothing to meet
    CHECK(ff_run_world(run) == NULL);
    finish();
}

TEST(mistakes_are_reported_with_their_place)
{
    static const bad_scene bad[] = {
        {BALL "terrain: [{plane: {material: mud}}]\n", "3:30", "material 'mud' is not defined"},
        {BALL "terrain: [{plane: {material: sandd}}]\n", "3:30", "did you mean 'sand'?"},
        {BALL "terrain: [{}]\n", "3:11", "exactly one of plane, box, stairs, blocks, heightfield and mesh"},
        {BALL "terrain: [{plane: {}, box: {size: [1, 1, 1]}}]\n", "3:11", "exactly one"},
        {BALL "terrain: {plane: {}}\n", "3:10",
         "expected a list for 'terrain', got a map; an item is {plane: .., box: .., "},
        {BALL "terrain: [{plane: 7}]\n", "3:19",
         "expected {normal: .., size: .., name: .., material: .., ..} for 'plane', got '7'"},
        {BALL "terrain: [{box: {}}]\n", "3:17", "key 'size' is missing"},
        {BALL "terrain: [{box: {size: [1, -2, 1]}}]\n", "3:28", "'size' is -2 m: it must be positive"},
        {BALL "terrain: [{plane: {normal: [0, 0, 0]}}]\n", "3:28", "no direction"},
        {BALL "terrain: [{plane: {normal: [0, 0, 1], rpy: [0, 0, 0]}}]\n", "3:20", "either 'normal'"},
        {BALL "terrain: [{plane: {colour: [0, 0, 1]}}]\n", "3:20", "did you mean 'color'?"},
        {BALL "terrain: [{mesh: {file: none.stl}}]\n", "3:18", "none.stl"},
        {BALL "terrain: [{heightfield: {size: [1, 1], height: 1}}]\n", "3:25",
         "exactly one of png, slope, waves, steps and noise"},
        {BALL "terrain: [{heightfield: {size: [1, 1], slope: {}}}]\n", "3:25", "key 'height' is missing"},
        {BALL "terrain: [{heightfield: {size: [1, 1], height: 1, png: none.png}}]\n", "3:56", "none.png"},
        {BALL "terrain: [{heightfield: {size: [1, 1], height: 1, waves: {length: 0}}}]\n", "3:67", "'length' is 0 m"},
        {BALL "terrain: [{heightfield: {size: [1, 1], height: 1, steps: {length: 0.6}}}]\n", "3:67", "fit twice"},
        {BALL "terrain: [{heightfield: {size: [1, 1], height: 1, slope: {}, cells: [0, 4]}}]\n", "3:70",
         "'cells' is 0: it must be between 1 and 499999"},
        {BALL "terrain: [{heightfield: {size: [1, 1], height: 1, slope: {}, cells: [9999, 9999]}}]\n", "3:69",
         "a grid has at most 1e+06 points"},
        {BALL "terrain: [{heightfield: {size: [1, 1], height: 1, noise: {length: 1, octaves: 40}}}]\n", "3:79",
         "between 1 and 8"},
        {BALL "materials: {a: {normal: {law: soft}}}\n", "3:31", "allowed: linear"},
        {BALL "pairs: [{of: [steel, mud]}]\n", "3:22", "material 'mud' is not defined"},
        {BALL "pairs: [{of: [steel]}]\n", "3:14", "expected 2 words for 'of', got 1: the two materials"},
        {BALL "pairs: [{of: [ice, wood], like: ice}, {of: [wood, ice], like: ice}]\n", "3:39", "given twice"},
        {BALL "pairs: [{of: [ice, wood], friction: {law: stick}}]\n", "3:43", "allowed: none"},
        {BALL "contacts: {margin: -1}\n", "3:20", "'margin' is -1 m"},
        {BALL "contacts: {most: -1}\n", "3:18", "'most' is -1"},
        {BALL "contacts: maybe\n", "3:11", "expected true or false or {response: .., detector: .."},
        {"objects: []\n", "2:10", "expected 1 to 20000 items for 'objects', got 0"},
        {"objects: [{mass: 1}]\n", "2:11", "exactly one of sphere"},
        {"objects: [{sphere: 1}]\n", "2:11", "needs either 'mass' or 'density'"},
        {"objects: [{sphere: 1, mass: -1}]\n", "2:29", "'mass' is -1 kg: it must be zero or more"},
        {"objects: [{sphere: -1, mass: 1}]\n", "2:20", "'sphere' is -1 m: it must be positive"},
        {"objects: [{plane: [1, 1], mass: 1}]\n", "2:11", "put it under 'terrain'"},
        {"objects: [{point: true, mass: 1, moves: all}]\n", "2:41", "a point cannot turn"},
        {"objects: [{sphere: 1, mass: 1, moves: xyw}]\n", "2:39", "allowed: all, none, x, y, z, xy, xz, yz, xyz"},
        {"objects: [{sphere: 1, mass: 1, moves: xyz, spin: [0, 0, 1]}]\n", "2:44", "has no spin"},
        {"objects: [{sphere: 1, mass: 1, count: [2, 1, 1]}]\n", "2:11", "key 'spacing' is missing"},
        {"objects: [{sphere: 1, mass: 1, count: [0, 1, 1]}]\n", "2:40", "'count' is 0: it must be between 1 and 20000"},
        {"objects: [{sphere: 1, mass: 1, perturb: -1 mm}]\n", "2:41", "'perturb' is -0.001 m: it must be zero or more"},
        {"objects: [{sphere: 1, mass: 1, perturb: [1, 2]}]\n", "2:41", "expected 3 numbers"},
        {"objects: [{sphere: 1, mass: 1, count: [1e3, 1e3, 1]}]\n", "2:39", "at most 20000"},
        {"objects: [{sphere: 1, mass: 1, material: goo}]\n", "2:42", "material 'goo' is not defined"},
        {"objects: [{sphere: 1, mass: 1, vleocity: [1, 0, 0]}]\n", "2:32", "did you mean 'velocity'?"},
        {"objects: [{name: a, sphere: 1, mass: 1}, {name: a, sphere: 1, mass: 1}]\n", "2:42", "\"a\""},
        {"objects: [{name: a, sphere: 1, mass: 1, material: rigid}]\nterrain: [{plane: {material: rigid}}]\n", "3:1",
         "shapes \"ground\" and \"a\" may meet, but material 'rigid' and 'rigid' are both rigid"},
        {"objects: [{name: a, sphere: 1, mass: 1, material: rigid}]\n"
         "terrain: [{heightfield: {slope: , size: [1, 1], height: 1, material: rigid}}]\n",
         "3:1", "shapes \"ground\" and \"a\" may meet, but both are rigid"},
        {"time: 1\n", "1:1", "a scene needs a robot, or 'objects'"},
    };
    must_refuse(bad, sizeof bad / sizeof *bad);
}

// ------------------------------------------------------------------------------------------ rough ground

#define ROUGH                                                                                                          \
    "materials: {m: {normal: {law: hunt-crossley, stiffness: 1e5, damping: 1e3}, "                                     \
    "friction: {static: 0.6, kinetic: 0.4}}}\n"                                                                        \
    "pairs: [{of: [m, m], like: m}]\nseed: 3\n"                                                                        \
    "terrain: [{heightfield: {size: [4, 4], height: 0.3, noise: {length: 0.7}, material: m}}]\n"

// Bodies fall onto rough ground and tumble. Energy that contacts make or lose beside their laws was 22 % for the
// capsule, 5 % for the cylinder, 1.7 % for the box.
TEST(bodies_on_rough_ground_keep_their_energy)
{
    static const struct {
        const char *shape;
        double most; // part of the energy turned over
    } bodies[] = {
        {"sphere: 0.08, pos: [0, 0, 1.4]", 1e-3},
        {"capsule: {radius: 0.05, length: 0.2}, pos: [0, 0, 1.4], rpy: [1.2, 0.4, 0.1]", 2e-3},
        {"box: [0.2, 0.15, 0.1], pos: [0, 0, 0.8], rpy: [0.3, 0.4, 0.1], spin: [3, 5, 1]", 1e-2},
        {"cylinder: {radius: 0.08, length: 0.2}, pos: [0.1, 0.05, 1.1], rpy: [1.2, 0.4, 0.1]", 1.5e-2},
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i += CHECK_LASTS(1, 2)) {
        char text[900];
        snprintf(text, sizeof text,
                 ROUGH "time: 0.8\nobjects: [{%s, mass: 1, material: m}]\nsolver: {method: adaptive}\n",
                 bodies[i].shape);
        must_run(text);
        CHECK_BELOW(metric("ledger.residual.relative"), bodies[i].most);
    }
    finish();
}

// A rim between two facets, the forces of both of which push it to the other: "happens without end" at 0.4007 s before.
// a_part_may_lead_back_to_its_event_from_both_sides of test_events.c is the same without the ground.
#define RIM                                                                                                            \
    ROUGH "solver: {method: adaptive, accuracy: 1e-7}\n"                                                               \
          "objects: [{cylinder: {radius: 0.08, length: 0.2}, mass: 1, pos: [0.1, 0.05, 1.1], "                         \
          "rpy: [1.2, 0.4, 0.1], material: m}]\n"
TEST(a_rim_between_two_facets_ends_in_no_events_without_end)
{
    must_run(CHECK_LASTS(RIM "time: 0.402\n", RIM "time: 0.3\n"));
    finish();
}

// Forces that jump from facet to facet (cylinder), and a depth known to 1e-9 m (ellipsoid), made steps of 1e-9 and
// 1e-7 s at this accuracy: 0.4 s were simulated in a minute. What the others need at 1e-9 is some 600 steps.
TEST(no_accuracy_crawls_over_rough_ground)
{
    static const char *const bodies[] = {
        "cylinder: {radius: 0.08, length: 0.2}, pos: [0.1, 0.05, 1.1], rpy: [1.2, 0.4, 0.1]",
        "ellipsoid: [0.2, 0.1, 0.15], pos: [0.2, 0, 1.6]"};
    for (int i = 0; i < 2; i++) {
        char text[900];
        snprintf(text, sizeof text,
                 ROUGH
                 "time: %g\nobjects: [{%s, mass: 0.5, material: m}]\nsolver: {method: adaptive, accuracy: 1e-9}\n",
                 CHECK_LASTS(i == 0 ? 0.41 : 0.517, 0.3), bodies[i]);
        must_run(text);
        const ff_sim_counts counts = ff_sim_get_counts(ff_run_sim(run));
        printf("  %lld steps, %lld of them rough from %g s on\n", counts.steps, counts.rough, counts.rough_from);
        CHECK(counts.steps < 5000);
        if (!CHECK_LASTS(1, 0)) continue;
        CHECK(counts.rough > 0 && counts.rough < counts.steps && counts.rough_from > 0.3);
        ff_run_report_limits(run, &report);
        CHECK_SAYS(message(0), "miss the accuracy: the forces of contacts jump there, from facet to facet");
    }
    // what is smooth is held to what was asked for
    must_run(ROUGH
             "time: 0.6\nobjects: [{capsule: {radius: 0.05, length: 0.2}, pos: [0, 0, 1.4], rpy: [1.2, 0.4, 0.1], "
             "mass: 0.5, material: m}]\nsolver: {method: adaptive, accuracy: 1e-9}\n");
    CHECK_INT((int)ff_sim_get_counts(ff_run_sim(run)).rough, 0);
    finish();
}

// A capsule without losses on waves: the forces on it have a potential, so that the method alone decides.
TEST(a_capsule_tumbles_over_waves_without_a_loss)
{
    must_run("materials: {m: {normal: {law: linear, stiffness: 1e5}, friction: {law: none}}}\n"
             "pairs: [{of: [m, m], like: m}]\ntime: 2\n"
             "terrain: [{heightfield: {size: [4, 4], height: 0.3, waves: {length: 1}, cells: [40, 40], material: m}}]\n"
             "objects: [{capsule: {radius: 0.05, length: 0.2}, mass: 0.5, pos: [0, 0.03, 0.6], rpy: [0, 80 deg, 0.3], "
             "material: m}]\nsolver: {method: adaptive, accuracy: 1e-9}\n");
    CHECK_BELOW(metric("ledger.residual.relative"), 1e-6); // 2e-3 where the normal was no gradient
    finish();
}

// Steps are bounded so that nothing flies through another shape; how low a block of the ground is does not matter.
TEST(low_blocks_do_not_shorten_steps)
{
    must_run("objects: [{sphere: 0.05, mass: 1, pos: [0, 0, 0.2], velocity: [1, 0, 0]}]\ntime: 0.5\n"
             "terrain: [{plane: {}}, {box: {size: [1, 1, 2e-5], pos: [0, 0, 1e-5]}}]\n");
    CHECK(ff_sim_get_counts(ff_run_sim(run)).steps < 3000); // 0.5 s at 1 m/s in steps of 10 um were 50 000
    finish();
}
