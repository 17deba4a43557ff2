// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Images of descriptions: every field of every item comes back, and any bytes give a description or a reason. The items
// below are filled without knowledge of their fields: every eight bytes that are not named as something else become a
// number of their own, so that a number which is left out of the list shows as a zero.
#include "check.h"
#include "image/image.h"

static double counter;

/// Each eight bytes a number that no other has.
static void fill(void *item, size_t size)
{
    for (size_t at = 0; at + sizeof counter <= size; at += sizeof counter) {
        counter += 1.0;
        memcpy((char *)item + at, &counter, sizeof counter);
    }
}

/// The eight bytes around a field that is no double: none of its neighbours there may keep a part of a number.
#define SET(item, field, value)                                                                                        \
    do {                                                                                                               \
        const size_t at_ = ((size_t)((char *)&(item)->field - (char *)(item))) / 8 * 8;                                \
        const size_t end_ = (size_t)((char *)(&(item)->field + 1) - (char *)(item));                                   \
        memset((char *)(item) + at_, 0, (end_ + 7) / 8 * 8 - at_);                                                     \
        (item)->field = (value);                                                                                       \
    } while (0)

static ff_place place_number(int line)
{
    return (ff_place){line % 2 ? "one.yaml" : "two.yaml", line, line + 1};
}

static ff_spec_setting *settings(ff_spec *spec)
{
    static const double values[] = {1.5, -2.5};
    ff_spec_setting *s = FF_ARENA_NEW(&spec->arena, ff_spec_setting, 2);
    s[0] = (ff_spec_setting){"motor.power", NULL, values, 2, place_number(5)};
    s[1] = (ff_spec_setting){"motor.kind", "dc", NULL, 0, place_number(6)};
    return s;
}

static void add_moving(ff_spec *spec)
{
    for (int i = 0; i < 2; i++) {
        ff_spec_body *b = ff_spec_add_body(spec, "", -1);
        fill(b, sizeof *b);
        SET(b, name, i ? "second" : "first");
        SET(b, parent, i - 1);
        SET(b, has_inertial, true); // clears its neighbours too
        b->inertia_from_geoms = b->coarse_axes = true;
        SET(b, mocap, true);
        SET(b, place, place_number(i));
    }
    ff_spec_joint *j = ff_spec_add_joint(spec, "", 0, FF_JOINT_HINGE);
    fill(j, sizeof *j);
    SET(j, name, "joint");
    SET(j, body, 1);
    j->type = FF_JOINT_PLANAR;
    SET(j, limited, true);
    SET(j, mimic, "other");
    SET(j, place, place_number(3));
}

static void add_shapes(ff_spec *spec)
{
    const double points[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const int corners[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    ff_spec_mesh *m = ff_spec_add_mesh(spec, "");
    fill(m, sizeof *m);
    SET(m, name, "mesh");
    SET(m, path, "m.stl");
    SET(m, filling, FF_FILL_CONVEX);
    SET(m, data, ff_mesh_create(points, 4, corners, 4, NULL));
    SET(m, problem, "why");
    SET(m, place, place_number(4));
    ff_spec_geom *g = ff_spec_add_geom(spec, "", 0, FF_SHAPE_BOX);
    fill(g, sizeof *g);
    SET(g, name, NULL);
    SET(g, body, 1);
    g->type = FF_SHAPE_MESH;
    SET(g, mesh, 0);
    SET(g, role, FF_GEOM_COLLISION);
    g->gives_mass = g->has_mass = true;
    SET(g, group, 7);
    g->contype = 3;
    SET(g, conaffinity, -5);
    g->condim = 6;
    SET(g, has_friction, true);
    SET(g, mjcf.given, true);
    SET(g, mjcf.priority, 4);
    SET(g, mjcf.has_solref, true);
    SET(g, ellipsoid, true);
    SET(g, material, "wood");
    SET(g, place, place_number(7));
    SET(g, material_place, place_number(8));
    ff_spec_frame *f = ff_spec_add_frame(spec, "", 0);
    fill(f, sizeof *f);
    SET(f, name, "frame");
    SET(f, body, -1);
    SET(f, place, place_number(9));
}

static void add_tendon(ff_spec *spec)
{
    ff_spec_tendon *t = ff_spec_add_tendon(spec, "");
    fill(t, sizeof *t);
    SET(t, name, "tendon");
    SET(t, pieces, NULL);
    SET(t, npiece, 0);
    SET(t, spring_at_rest, true);
    SET(t, limited, true);
    SET(t, place, place_number(20));
    ff_spec_add_tendon_piece(spec, t, FF_TENDON_WRAP, "geom", "side", 0.5);
    ff_spec_add_tendon_piece(spec, t, FF_TENDON_PULLEY, NULL, NULL, 2.5);
}

static void add_drives(ff_spec *spec)
{
    ff_spec_actuator *a = ff_spec_add_actuator(spec, "", FF_ACTUATOR_MOTOR);
    fill(a, sizeof *a);
    SET(a, name, "actuator");
    SET(a, type, FF_ACTUATOR_VELOCITY);
    SET(a, joint, "joint");
    SET(a, tendon, "tendon");
    SET(a, body, "first");
    SET(a, command_limited, true);
    SET(a, force_limited, true);
    SET(a, activation.type, FF_ACTIVATION_MUSCLE);
    SET(a, activation.limited, true);
    SET(a, active.acts, true);
    SET(a, passive.acts, true);
    SET(a, place, place_number(10));
    ff_spec_drive *d = ff_spec_add_drive(spec, "");
    fill(d, sizeof *d);
    SET(d, name, "drive");
    SET(d, joint[0], "joint");
    SET(d, joint[1], "other");
    SET(d, settings, settings(spec));
    SET(d, nsetting, 2);
    SET(d, battery, "battery");
    SET(d, place, place_number(11));
    ff_spec_battery *b = ff_spec_add_battery(spec, "");
    static double curve[4] = {0.0, 9.0, 1.0, 12.6};
    fill(b, sizeof *b);
    SET(b, name, "battery");
    SET(b, curve, curve);
    SET(b, ncurve, 4);
    SET(b, place, place_number(20));
    ff_spec_sensor *s = ff_spec_add_sensor(spec, "", "");
    fill(s, sizeof *s);
    SET(s, name, "sensor");
    SET(s, type, "gyro");
    SET(s, object_type, "site");
    SET(s, object, "frame");
    SET(s, settings, settings(spec));
    SET(s, nsetting, 2);
    SET(s, place, place_number(12));
}

static void add_rest(ff_spec *spec)
{
    static double numbers[] = {0.5, -0.0, 1e300};
    ff_spec_equality *e = ff_spec_add_equality(spec, "", FF_EQUALITY_WELD);
    fill(e, sizeof *e);
    SET(e, name, "loop");
    SET(e, type, FF_EQUALITY_ROD);
    SET(e, object1, "first");
    SET(e, object2, "second");
    SET(e, active, true);
    e->at_rest = true;
    SET(e, place, place_number(13));
    ff_spec_add_exclude(spec, "first", "second")->place = place_number(14);
    ff_spec_leg *l = ff_spec_add_leg(spec, "leg");
    memset(l, 0, sizeof *l); // padding too: bytes are compared
    l->name = "leg";
    l->joints[0] = "joint";
    l->joints[1] = "other";
    l->njoint = 2;
    l->foot = "frame";
    l->radius = 0.25;
    l->force = "force";
    l->touch = "touch";
    l->place = place_number(15);
    l->soles[0] = "first";
    l->soles[1] = "second";
    l->nsole = 2;
    ff_spec_hand *h = ff_spec_add_hand(spec, "hand");
    memset(h, 0, sizeof *h);
    h->name = "hand";
    h->frame = "frame";
    h->bodies[0] = "second";
    h->nbody = 1;
    h->place = place_number(19);
    ff_spec_key *k = ff_spec_add_key(spec, "");
    memset(k, 0, sizeof *k);
    k->name = "key";
    k->time = 2.5;
    k->q = numbers;
    k->nq = 3;
    k->v = numbers + 1;
    k->nv = 2;
    k->command = numbers;
    k->ncommand = 1;
    k->mocap = numbers + 1;
    k->nmocap = 2;
    k->place = place_number(16);
    ff_spec_pair *p = ff_spec_add_pair(spec, "", "");
    fill(p, sizeof *p);
    SET(p, geom1, "one");
    SET(p, geom2, "two");
    SET(p, condim, 4);
    SET(p, numbers.given, true);
    SET(p, numbers.priority, 0);
    SET(p, numbers.has_solref, true);
    SET(p, place, place_number(19));
    ff_spec_material *m = ff_spec_add_material(spec, "felt", NULL);
    memset(m->material.name + 5, 0, sizeof m->material.name - 5); // behind the name
    fill(&m->material.normal, sizeof m->material.normal);
    SET(&m->material.normal, law, FF_NORMAL_SOIL);
    SET(&m->material.normal, calibration, FF_CALIBRATION_SEED);
    SET(&m->material.normal, pulls, true);
    fill(&m->material.friction, sizeof m->material.friction);
    SET(&m->material.friction, law, FF_FRICTION_SOIL);
    SET(&m->material.friction, stick, FF_STICK_SEED);
    SET(&m->material, per_point, true);
    m->material.source = "a book";
    m->place = place_number(17);
    ff_spec_ignore(spec, place_number(18), "<tendon>");
    spec->ignored[0].count = 9;
}

static ff_spec *full_spec(void)
{
    ff_spec *spec = ff_spec_create(NULL);
    CHECK(spec != NULL);
    spec->name = "robot";
    fill(spec->gravity, sizeof spec->gravity);
    spec->density = 1.5;
    spec->viscosity = 2.5;
    fill(spec->wind, sizeof spec->wind);
    spec->inertia_group[0] = 2;
    spec->inertia_group[1] = 3;
    spec->total_mass = 4.5;
    spec->bound_mass = 5.5;
    spec->bound_inertia = 6.5;
    spec->balance_inertia = true;
    add_moving(spec);
    add_shapes(spec);
    add_tendon(spec);
    add_drives(spec);
    add_rest(spec);
    return spec;
}

// ------------------------------------------------------------------------------------------ comparing

static void same_text(const char **a, const char **b)
{
    if (!*a != !*b || (*a && strcmp(*a, *b) != 0)) CHECK_FAIL("text %s became %s", *a ? *a : "-", *b ? *b : "-");
    *a = *b = NULL;
}

static void same_place(ff_place *a, ff_place *b)
{
    same_text(&a->file, &b->file);
}

static void same_numbers(double **a, double **b, int count)
{
    CHECK(!*a == !*b && (!*a || memcmp(*a, *b, (size_t)count * sizeof **a) == 0));
    *a = *b = NULL;
}

static void same_settings(ff_spec_setting **a, ff_spec_setting **b, int count)
{
    for (int i = 0; i < count; i++) {
        ff_spec_setting *x = &(*a)[i], *y = &(*b)[i];
        same_text(&x->name, &y->name);
        same_text(&x->word, &y->word);
        CHECK(x->count == y->count && memcmp(x->values ? x->values : &counter, y->values ? y->values : &counter,
                                             (size_t)x->count * sizeof(double)) == 0);
        x->values = y->values = NULL;
        same_place(&x->place, &y->place);
        CHECK(x->place.line == y->place.line && x->place.column == y->place.column); // there is padding before it
    }
    *a = *b = NULL;
}

static void same_pieces(ff_spec_tendon_piece **a, ff_spec_tendon_piece **b, int count)
{
    for (int i = 0; i < count; i++) {
        ff_spec_tendon_piece *x = &(*a)[i], *y = &(*b)[i];
        same_text(&x->name, &y->name);
        same_text(&x->side, &y->side);
        CHECK(x->type == y->type && x->factor == y->factor);
    }
    *a = *b = NULL;
}

/// Pointers are followed, compared and taken out; what is left must be equal byte for byte.
#define SAME_ITEMS(items, n, type, follow)                                                                             \
    do {                                                                                                               \
        CHECK_INT(b->n, a->n);                                                                                         \
        for (int i_ = 0; i_ < a->n; i_++) {                                                                            \
            type *x = &a->items[i_], *y = &b->items[i_];                                                               \
            same_place(&x->place, &y->place);                                                                          \
            follow if (memcmp(x, y, sizeof *x) != 0) CHECK_FAIL("%s %d has changed", #type, i_);                       \
        }                                                                                                              \
    } while (0)
#define T(field) same_text(&x->field, &y->field);

static void check_same(ff_spec *a, ff_spec *b)
{
    same_text(&a->name, &b->name);
    CHECK(memcmp(a->gravity, b->gravity, offsetof(ff_spec, balance_inertia) - offsetof(ff_spec, gravity)) == 0);
    CHECK(a->balance_inertia == b->balance_inertia);
    SAME_ITEMS(bodies, nbody, ff_spec_body, T(name));
    SAME_ITEMS(joints, njoint, ff_spec_joint, T(name) T(mimic));
    SAME_ITEMS(geoms, ngeom, ff_spec_geom, T(name) T(material) T(material_place.file));
    SAME_ITEMS(frames, nframe, ff_spec_frame, T(name));
    SAME_ITEMS(tendons, ntendon, ff_spec_tendon, T(name) same_pieces(&x->pieces, &y->pieces, x->npiece););
    SAME_ITEMS(actuators, nactuator, ff_spec_actuator, T(name) T(joint) T(tendon) T(body));
    SAME_ITEMS(drives, ndrive, ff_spec_drive,
               T(name) T(joint[0]) T(joint[1]) T(battery) same_settings(&x->settings, &y->settings, x->nsetting););
    SAME_ITEMS(batteries, nbattery, ff_spec_battery, T(name) same_numbers(&x->curve, &y->curve, x->ncurve););
    SAME_ITEMS(sensors, nsensor, ff_spec_sensor,
               T(name) T(type) T(object_type) T(object) same_settings(&x->settings, &y->settings, x->nsetting););
    SAME_ITEMS(equalities, nequality, ff_spec_equality, T(name) T(object1) T(object2));
    SAME_ITEMS(excludes, nexclude, ff_spec_exclude, T(body1) T(body2));
    SAME_ITEMS(pairs, npair, ff_spec_pair, T(geom1) T(geom2));
    SAME_ITEMS(legs, nleg, ff_spec_leg,
               T(name) T(joints[0]) T(joints[1]) T(foot) T(soles[0]) T(soles[1]) T(force) T(touch));
    SAME_ITEMS(hands, nhand, ff_spec_hand, T(name) T(frame) T(bodies[0]));
    SAME_ITEMS(keys, nkey, ff_spec_key, T(name) same_numbers(&x->q, &y->q, x->nq); same_numbers(&x->v, &y->v, x->nv);
               same_numbers(&x->command, &y->command, x->ncommand); same_numbers(&x->mocap, &y->mocap, x->nmocap););
    SAME_ITEMS(materials, nmaterial, ff_spec_material, T(material.source));
    SAME_ITEMS(ignored, nignored, ff_spec_ignored, T(what));
    CHECK_INT(b->nmesh, a->nmesh);
    for (int i = 0; i < a->nmesh; i++) {
        ff_mesh *x = a->meshes[i].data, *y = b->meshes[i].data;
        CHECK_INT(y->nvertex, x->nvertex);
        CHECK_INT(y->ntriangle, x->ntriangle);
        CHECK(memcmp(x->vertices, y->vertices, (size_t)x->nvertex * 3 * sizeof(double)) == 0);
        CHECK(memcmp(x->triangles, y->triangles, (size_t)x->ntriangle * 3 * sizeof(int)) == 0);
        ff_mesh_destroy(x);
        ff_mesh_destroy(y);
        a->meshes[i].data = b->meshes[i].data = NULL;
    }
    SAME_ITEMS(meshes, nmesh, ff_spec_mesh, T(name) T(path) T(problem));
}

static void list(ff_image *image, void *spec)
{
    ff_image_spec(image, spec);
}

TEST(every_field_of_a_description_comes_back)
{
    ff_spec *spec = full_spec(), *back = ff_spec_create(NULL);
    size_t size;
    unsigned char *bytes = ff_image_encode(list, spec, &size);
    ff_image reader = ff_image_reader(bytes, size, NULL);
    ff_image_spec(&reader, back);
    if (reader.failure) CHECK_FAIL("%s", reader.failure);
    CHECK(reader.at == size);
    memset(bytes, 0, size); // nothing of the description lies there
    check_same(spec, back);
    free(bytes);
    ff_spec_destroy(spec);
    ff_spec_destroy(back);
}

// Cut anywhere, the reader says so; with any byte changed it gives a description or a reason, and indices stay inside.
TEST(damaged_bytes_give_a_reason_or_a_description_with_indices_inside)
{
    ff_spec *spec = full_spec();
    size_t size;
    int refused = 0;
    unsigned char *bytes = ff_image_encode(list, spec, &size);
    for (size_t cut = 0; cut < size; cut++) {
        ff_spec *back = ff_spec_create(NULL);
        ff_image reader = ff_image_reader(bytes, cut, NULL);
        ff_image_spec(&reader, back);
        CHECK(reader.failure != NULL);
        ff_spec_destroy(back);
    }
    for (size_t at = 0; at < size; at++) {
        ff_spec *back = ff_spec_create(NULL);
        bytes[at] ^= 0x55;
        ff_image reader = ff_image_reader(bytes, size, NULL);
        ff_image_spec(&reader, back);
        refused += reader.failure != NULL;
        for (int i = 0; i < back->nbody && !reader.failure; i++)
            CHECK(back->bodies[i].parent < i && back->bodies[i].parent >= -1);
        for (int i = 0; i < back->ngeom && !reader.failure; i++)
            CHECK(back->geoms[i].body < back->nbody && back->geoms[i].mesh < back->nmesh);
        ff_spec_destroy(back);
        bytes[at] ^= 0x55;
    }
    CHECK(refused > 0 && (size_t)refused < size); // lengths and counts are noticed, numbers and letters are not
    free(bytes);
    ff_spec_destroy(spec);
}

// The layout does not depend on this processor: written out by hand.
TEST(numbers_are_eight_bytes_lowest_first_and_texts_have_a_length)
{
    static const unsigned char expected[] = {0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, // -2
                                             0,    0,    0,    0,    0,    0,    0xf8, 0x3f, // 1.5
                                             2,    0,    0,    0,    0,    0,    0,    0,    'h', 'i'};
    unsigned char bytes[sizeof expected];
    ff_image image = {.mode = FF_IMAGE_WRITE, .to = bytes, .size = sizeof bytes};
    int64_t whole = -2;
    double number = 1.5;
    const char *text = "hi";
    ff_image_integer(&image, &whole);
    ff_image_numbers(&image, &number, 1);
    ff_image_text(&image, &text);
    CHECK(image.at == sizeof expected && memcmp(bytes, expected, sizeof expected) == 0);
}
