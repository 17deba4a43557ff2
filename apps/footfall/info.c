// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall info`: the contents of a robot file as Footfall reads them, as tables; info_json.c has the form for
// scripts.
#include "info.h"

#include "commands.h"
#include "terminal.h"

#include <math.h>
#include <string.h>

typedef struct info_target {
    text_list operands;
    model_options model;
    bool json;
} info_target;

const char *info_body_name(const ff_model *m, int body)
{
    return body < 0 ? "world" : m->bodies[body].name;
}

const char *info_activation_type(ff_activation_type type)
{
    static const char *const types[FF_ACTIVATION_COUNT] = {"none", "integrator", "filter", "muscle"};
    return types[type];
}

const char *info_actuator_type(ff_actuator_type type)
{
    static const char *const names[] = {"motor", "position", "velocity", "general"};
    return names[type];
}

const char *info_equality_type(ff_equality_type type)
{
    static const char *const names[] = {"connect", "weld", "joint", "rod"};
    return names[type];
}

bool info_body_is_fixed(const ff_model *m, int body)
{
    int parent = m->bodies[body].parent;
    return m->bodies[body].node == (parent < 0 ? -1 : m->bodies[parent].node);
}

// ------------------------------------------------------------------------------------------ tables

/// Prints the title of a table, of an empty one only with `always`. @return does the table have rows?
static bool heading(const char *title, int count, bool always)
{
    if (count == 0 && !always) return false;
    printf("\n%s%s%s (%d)\n", paint(stdout, STYLE_STRONG), title, paint(stdout, STYLE_PLAIN), count);
    return count > 0;
}

// Column width that fits the names, within reason.
static int wider(int width, const char *name)
{
    int length = name ? (int)strlen(name) : 0;
    return length > width ? (length > 40 ? 40 : length) : width;
}

// A value that prints as zero with five places has no minus sign.
static double tidy(double value)
{
    return fabs(value) < 5e-6 ? 0.0 : value;
}

// A number, or a dash where zero means "not given".
static void cell(double value, int width)
{
    if (value != 0)
        printf(" %*.4g", width, value);
    else
        printf(" %*s", width, "-");
}

static void print_joint(const ff_model *m, const ff_joint *j, int name_width, int parent_width, int child_width)
{
    const char *parent = info_body_name(m, m->bodies[j->body].parent), *child = m->bodies[j->body].name;
    int nq = ff_joint_nq(j->type), nv = ff_joint_nv(j->type);
    char q[24], v[24], range[40] = "-";
    snprintf(q, sizeof q, nq > 1 ? "%d-%d" : "%d", j->qadr, j->qadr + nq - 1);
    snprintf(v, sizeof v, nv > 1 ? "%d-%d" : "%d", j->vadr, j->vadr + nv - 1);
    if (j->limited) snprintf(range, sizeof range, "%.4g .. %.4g", j->range[0], j->range[1]);
    printf("  %-*s %-6s %-*s %-*s %5s %5s %18s", name_width, j->name, ff_joint_name(j->type), parent_width, parent,
           child_width, child, q, v, range);
    cell(j->effort, 6);
    cell(j->speed, 6);
    cell(j->damping, 7);
    cell(j->armature, 8);
    if (j->dry_friction != 0) printf("  dry friction %.4g", j->dry_friction);
    if (j->stiffness != 0) printf("  spring %.4g about %.4g", j->stiffness, j->spring_ref);
    if (j->mimic >= 0) printf("  follows %s * %.4g + %.4g", m->joints[j->mimic].name, j->mimic_gain, j->mimic_offset);
    printf("\n");
}

static void print_medium(const ff_model *m)
{
    if (!(m->density > 0.0) && !(m->viscosity > 0.0)) return;
    printf("  medium: density %.4g kg/m^3, viscosity %.4g Pa s, wind %.4g %.4g %.4g m/s; it drags %d bodies\n",
           m->density, m->viscosity, m->wind[0], m->wind[1], m->wind[2], m->ndrag);
}

static void print_joints(const ff_model *m)
{
    int name = 5, parent = 6, child = 6;
    for (int j = 0; j < m->njoint; j++) {
        int body = m->joints[j].body;
        name = wider(name, m->joints[j].name);
        parent = wider(parent, info_body_name(m, m->bodies[body].parent));
        child = wider(child, m->bodies[body].name);
    }
    if (!heading("Joints", m->njoint, true)) return;
    printf("%s  %-*s %-6s %-*s %-*s %5s %5s %18s %6s %6s %7s %8s%s\n", paint(stdout, STYLE_FAINT), name, "name", "type",
           parent, "parent", child, "child", "q", "v", "limits", "effort", "speed", "damping", "armature",
           paint(stdout, STYLE_PLAIN));
    for (int j = 0; j < m->njoint; j++) print_joint(m, &m->joints[j], name, parent, child);
}

static void print_bodies(const ff_model *m)
{
    int width = 6;
    for (int b = 0; b < m->nbody; b++) width = wider(width, m->bodies[b].name);
    if (!heading("Bodies", m->nbody, true)) return;
    printf("%s  %-*s %-*s %10s   %s%s\n", paint(stdout, STYLE_FAINT), width, "name", width, "parent", "mass [kg]",
           "centre of mass in its own frame [m]", paint(stdout, STYLE_PLAIN));
    for (int b = 0; b < m->nbody; b++) {
        const ff_body *body = &m->bodies[b];
        printf("  %-*s %-*s %10.5g   %9.5f %9.5f %9.5f%s\n", width, body->name, width, info_body_name(m, body->parent),
               body->mass, tidy(body->com[0]), tidy(body->com[1]), tidy(body->com[2]),
               info_body_is_fixed(m, b) ? "  fixed to its parent" : "");
    }
}

static void print_frames(const ff_model *m)
{
    int width = 6;
    for (int i = 0; i < m->nframe; i++) width = wider(width, m->frames[i].name);
    if (!heading("Frames", m->nframe, false)) return;
    for (int i = 0; i < m->nframe; i++)
        printf("  %-*s on %s\n", width, m->frames[i].name, info_body_name(m, m->frames[i].body));
}

static void print_legs(const ff_model *m)
{
    int width = 4;
    for (int i = 0; i < m->nleg; i++) width = wider(width, m->legs[i].name);
    if (!heading("Legs", m->nleg, false)) return;
    for (int i = 0; i < m->nleg; i++) {
        const ff_leg *leg = &m->legs[i];
        printf("  %-*s ", width, leg->name);
        for (int k = 0; k < leg->njoint; k++) printf("%s%s", k ? " - " : "", m->joints[leg->joints[k]].name);
        printf(", foot %s", m->frames[leg->frame].name);
        for (int k = 0; k < m->limbs[i].nbody; k++)
            printf("%s%s", k ? ", " : " of ", m->bodies[m->limbs[i].bodies[k]].name);
        if (leg->radius > 0) printf(" of radius %.4g m", leg->radius);
        if (leg->force) printf(", force sensor %s", leg->force);
        if (leg->touch) printf(", touch sensor %s", leg->touch);
        printf("\n");
    }
}

static void print_hands(const ff_model *m)
{
    int width = 4;
    if (m->nlimb == m->nleg) return;
    for (int i = m->nleg; i < m->nlimb; i++) width = wider(width, m->limbs[i].name);
    heading("Hands", m->nlimb - m->nleg, false);
    for (int i = m->nleg; i < m->nlimb; i++) {
        printf("  %-*s ", width, m->limbs[i].name);
        for (int k = 0; k < m->limbs[i].nbody; k++)
            printf("%s%s", k ? ", " : "", m->bodies[m->limbs[i].bodies[k]].name);
        printf("\n");
    }
}

static void print_actuator(const ff_model *m, const ff_actuator *a, int name_width, int joint_width)
{
    const char *const kind = a->body >= 0 ? "body" : a->tendon >= 0 ? "tendon" : "joint";
    const char *const target = a->body >= 0     ? m->bodies[a->body].name
                               : a->tendon >= 0 ? m->tendons[a->tendon].name
                               : a->joint < 0   ? "-"
                                                : m->joints[a->joint].name;
    printf("  %-*s %-8s %s %-*s gear %.4g, ", name_width, a->name, info_actuator_type(a->type), kind, joint_width,
           target, a->gear);
    if (a->active.acts)
        printf("muscle of %.4g N, lengths %.4g .. %.4g", a->active.force, a->length_range[0], a->length_range[1]);
    else
        printf("gain %.4g", a->gain);
    if (a->gain_by[0] != 0 || a->gain_by[1] != 0) printf(" %.4g %.4g", a->gain_by[0], a->gain_by[1]);
    if (a->state >= 0) printf(", activation %s", info_activation_type(a->activation.type));
    if (a->state >= 0 && a->activation.type != FF_ACTIVATION_INTEGRATOR) printf(" of %.4g s", a->activation.time[0]);
    if (a->bias[0] != 0 || a->bias[1] != 0 || a->bias[2] != 0)
        printf(", bias %.4g %.4g %.4g", a->bias[0], a->bias[1], a->bias[2]);
    if (a->command_limited) printf(", command %.4g .. %.4g", a->command_range[0], a->command_range[1]);
    if (a->force_limited) printf(", force %.4g .. %.4g", a->force_range[0], a->force_range[1]);
    printf("\n");
}

static void print_actuators(const ff_model *m)
{
    int name = 6, joint = 1;
    for (int i = 0; i < m->nactuator; i++) {
        name = wider(name, m->actuators[i].name);
        if (m->actuators[i].joint >= 0) joint = wider(joint, m->joints[m->actuators[i].joint].name);
    }
    if (!heading("Actuators", m->nactuator, false)) return;
    for (int i = 0; i < m->nactuator; i++) print_actuator(m, &m->actuators[i], name, joint);
}

static void print_sensors(const ff_model *m)
{
    if (!heading("Sensors", m->nsensor, false)) return;
    for (int i = 0; i < m->nsensor; i++) {
        const ff_spec_sensor *s = &m->sensors[i];
        printf("  %-24s %-16s %s %s\n", s->name, s->type, s->object_type ? s->object_type : "",
               s->object ? s->object : "");
    }
}

static void print_tendons(const ff_model *m)
{
    if (!heading("Tendons", m->ntendon, false)) return;
    for (int i = 0; i < m->ntendon; i++) {
        const ff_tendon *t = &m->tendons[i];
        if (t->pieces[0].type == FF_TENDON_THRUST)
            printf("  %-24s thrust at %s", t->name, m->frames[t->pieces[0].index].name);
        else
            printf("  %-24s %s of %d", t->name, t->fixed ? "sum" : "string", t->npiece);
        if (t->stiffness > 0.0)
            printf(", spring %.4g about %.4g .. %.4g", t->stiffness, t->spring_length[0], t->spring_length[1]);
        if (t->damping > 0.0) printf(", damping %.4g", t->damping);
        if (t->dry_friction > 0.0) printf(", dry friction %.4g", t->dry_friction);
        if (t->limited) printf(", range %.4g .. %.4g", t->range[0], t->range[1]);
        printf("\n");
    }
}

static void print_equalities(const ff_model *m)
{
    if (!heading("Loops and couplings", m->nequality, false)) return;
    for (int i = 0; i < m->nequality; i++) {
        const ff_equality *e = &m->equalities[i];
        bool joints = e->type == FF_EQUALITY_JOINT;
        const char *first =
            joints ? (e->object1 < 0 ? "-" : m->joints[e->object1].name) : info_body_name(m, e->object1);
        const char *second =
            joints ? (e->object2 < 0 ? "-" : m->joints[e->object2].name) : info_body_name(m, e->object2);
        printf("  %-24s %-8s %s, %s%s\n", e->name ? e->name : "-", info_equality_type(e->type), first, second,
               e->active ? "" : " (not active)");
    }
}

static void print_keys(const ff_model *m)
{
    if (!heading("Poses and keyframes", m->nkey, false)) return;
    for (int i = 0; i < m->nkey; i++) printf("  %s\n", m->keys[i].name);
}

static void print_meshes(const ff_spec *spec)
{
    int missing = 0;
    for (int i = 0; i < spec->nmesh; i++) missing += spec->meshes[i].data == NULL;
    if (!heading("Meshes", spec->nmesh, false)) return;
    if (missing) printf("  %d of %d missing\n", missing, spec->nmesh);
    for (int i = 0; i < spec->nmesh; i++) {
        const ff_spec_mesh *mesh = &spec->meshes[i];
        if (mesh->data)
            printf("  %-24s %d triangles  %s\n", mesh->name, mesh->data->ntriangle,
                   mesh->path ? mesh->path : "(inline)");
        else
            printf("  %-24s %smissing%s: %s\n", mesh->name, paint(stdout, STYLE_WARN), paint(stdout, STYLE_PLAIN),
                   mesh->problem ? mesh->problem
                   : mesh->path  ? mesh->path
                                 : "no file given");
    }
}

// "line 12"; with the name of the file if it is another one.
static void print_place(ff_place place, const char *path)
{
    if (place.file && strcmp(place.file, path) != 0)
        printf("%s:%d\n", place.file, place.line);
    else
        printf("line %d\n", place.line);
}

static void print_ignored(const ff_model *m, const char *path)
{
    if (!heading("Ignored: in the file, not used by Footfall", m->nignored, false)) return;
    for (int i = 0; i < m->nignored; i++) {
        const ff_spec_ignored *it = &m->ignored[i];
        const char *reason = strstr(it->what, ": ");
        const int length = (int)(reason ? (size_t)(reason - it->what) : strlen(it->what));
        printf("  %-44.*s %4d time%s first at ", length, it->what, it->count, it->count == 1 ? ", " : "s,");
        print_place(it->place, path);
        if (reason) printf("      %s\n", reason + 2);
    }
}

static int count_moving_bodies(const ff_model *m)
{
    int count = 0;
    for (int b = 0; b < m->nbody; b++) count += !info_body_is_fixed(m, b);
    return count;
}

static void print_text(const char *path, const ff_spec *spec, const ff_model *m, const double com[3])
{
    printf("%s%s%s  %s\n", paint(stdout, STYLE_STRONG), m->name && m->name[0] ? m->name : "unnamed robot",
           paint(stdout, STYLE_PLAIN), path);
    int moving = count_moving_bodies(m);
    printf("  %d degree%s of freedom (nv), %d position number%s (nq), %d moving bod%s\n", m->nv, m->nv == 1 ? "" : "s",
           m->nq, m->nq == 1 ? "" : "s", moving, moving == 1 ? "y" : "ies");
    printf("  total mass %.6g kg, centre of mass at the reference pose %.5f %.5f %.5f m\n", m->mass, tidy(com[0]),
           tidy(com[1]), tidy(com[2]));
    printf("  gravity %g %g %g m/s^2; %d geoms, %d excluded pairs\n", m->gravity[0], m->gravity[1], m->gravity[2],
           m->ngeom, m->nexclude);
    print_medium(m);
    double carried = 0.0;
    for (int i = 0; i < m->nlift; i++) carried += m->lifts[i].mass;
    if (m->nlift > 0) printf("  gravcomp carries the weight of %.6g kg\n", carried);
    printf("  units: m, kg, s, N, rad; a dash means not given\n");
    print_joints(m);
    print_bodies(m);
    print_frames(m);
    print_legs(m);
    print_hands(m);
    print_actuators(m);
    print_sensors(m);
    print_tendons(m);
    print_equalities(m);
    print_keys(m);
    print_meshes(spec);
    print_ignored(m, path);
}

// ------------------------------------------------------------------------------------------ command

static int show(const info_target *target, const ff_spec *spec, const ff_model *m)
{
    ff_data *d = ff_data_create(m, NULL);
    if (!d) {
        fprintf(stderr, "footfall info: out of memory\n");
        return EXIT_INPUT;
    }
    double com[3];
    ff_dyn_kinematics(m, d);
    ff_dyn_com(m, d, com);
    int code = EXIT_FINE;
    if (target->json)
        code = info_print_json(target->operands.items[0], spec, m, com);
    else
        print_text(target->operands.items[0], spec, m, com);
    ff_data_destroy(d);
    return code;
}

static int info_main(const command *self, void *options, ff_arena *arena)
{
    const info_target *target = options;
    (void)self, (void)arena;
    ff_spec *spec = NULL;
    ff_model *model = load_model(target->operands.items[0], &target->model, &spec);
    const int code = model ? show(target, spec, model) : EXIT_INPUT;
    ff_model_destroy(model);
    ff_spec_destroy(spec);
    return code;
}

const command info_command = {
    .name = "info",
    .synopsis = "MODEL [--json] [--floating] [--repair] [--package-path DIR]...",
    .summary = "what a robot file holds: joints, masses, limits, what was ignored",
    .description =
        "Loads a robot (URDF, MJCF or native YAML) and prints it as Footfall understood it: joints with their limits "
        "and their places in q and v, bodies and masses, frames, legs, actuators, sensors, keyframes, meshes found and "
        "missing, and everything in the file that was ignored.",
    .examples = "  footfall info robots/anton/anton.yaml\n"
                "  footfall info dog.urdf --floating --json\n"
                "      for scripts\n",
    OPTIONS(FLAG(info_target, json, "json", "Print one JSON object"), MODEL_OPTIONS(info_target, model)),
    .operands = {1, 1, "MODEL, a robot file,"},
    ZERO_PRESET(info_target),
    .run = info_main,
};
