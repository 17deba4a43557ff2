// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall eval`: the rigid-body system at one state, for scripts and for comparison with other simulators:
//     M(q) qacc + bias(q, v) = tau
// M includes armature; springs, damping, dry friction, limits, actuators and equality constraints are left out.
#include "commands.h"
#include "files.h"
#include "terminal.h"

#include <footfall/dyn.h>
#include <math.h>
#include <string.h>

typedef struct eval_target {
    text_list operands;
    model_options model;
    number_list q, v, tau;
    const char *key;
    bool json;
} eval_target;

typedef struct evaluation {
    double *M;    // full mass matrix (nv*nv)
    double *bias; // (nv)
    double com[3];
    double kinetic, potential;
} evaluation;

// ------------------------------------------------------------------------------------------ state

static bool take_list(const command *self, const char *name, const number_list *list, double *values, int count,
                      const char *path)
{
    if (!list->given) return true;
    if (list->count != count) {
        usage_error(self, "--%s has %d numbers, %s needs %d", name, list->count, path, count);
        return false;
    }
    if (count > 0) memcpy(values, list->values, (size_t)count * sizeof(double));
    return true;
}

// Where the quaternion of a joint starts in q, -1 when it has none.
static int quaternion_address(const ff_joint *joint)
{
    if (joint->type == FF_JOINT_BALL) return joint->qadr;
    return joint->type == FF_JOINT_FREE ? joint->qadr + 3 : -1;
}

// Scales quaternions to length one, because those of a command line have few digits, and warns if the difference is
// more than rounding.
static bool normalise(const command *self, const ff_model *m, double *q)
{
    for (int j = 0; j < m->njoint; j++) {
        int at = quaternion_address(&m->joints[j]);
        if (at < 0) continue;
        double length = ff_quat_norm(q + at);
        if (!(length > 1e-6) || !isfinite(length)) {
            usage_error(self, "the quaternion of joint \"%s\" (entries %d to %d of q, counted from 1) has length %g",
                        m->joints[j].name, at + 1, at + 4, length);
            return false;
        }
        if (fabs(length - 1) > 1e-12)
            print_escaped(stderr,
                          "footfall eval: warning: the quaternion of joint \"%s\" has length %.15g; scaled to 1\n",
                          m->joints[j].name, length);
        // A unit quaternion is printed exactly as it was given.
        if (fabs(length - 1) > 1e-15)
            for (int i = 0; i < 4; i++) q[at + i] /= length;
    }
    return true;
}

static bool take_key(const command *self, const char *name, const ff_model *m, ff_data *d)
{
    if (!name) return true;
    int k;
    ff_error err = {0};
    if (ff_model_need_key(m, name, &k, &err) != FF_OK) {
        usage_error(self, "%s", err.text);
        return false;
    }
    if (m->nq > 0) memcpy(d->q, m->keys[k].q, (size_t)m->nq * sizeof(double));
    if (m->nv > 0) memcpy(d->v, m->keys[k].v, (size_t)m->nv * sizeof(double));
    return true;
}

// ------------------------------------------------------------------------------------------ output

static int print_json(const ff_model *m, const ff_data *d, const evaluation *e)
{
    ff_json w = {0};
    ff_json_begin_object(&w, NULL, false);
    ff_json_integer(&w, "nq", m->nq);
    ff_json_integer(&w, "nv", m->nv);
    ff_json_numbers(&w, "q", d->q, m->nq);
    ff_json_numbers(&w, "v", d->v, m->nv);
    ff_json_begin_array(&w, "M", false);
    for (int i = 0; i < m->nv; i++) ff_json_numbers(&w, NULL, e->M + (size_t)i * (size_t)m->nv, m->nv);
    ff_json_end_array(&w);
    ff_json_numbers(&w, "bias", e->bias, m->nv);
    ff_json_numbers(&w, "qacc", d->qacc, m->nv);
    ff_json_numbers(&w, "tau_id", e->bias, m->nv); // inverse dynamics of qacc = 0 is the bias
    ff_json_numbers(&w, "com", e->com, 3);
    ff_json_number(&w, "mass", m->mass);
    ff_json_begin_object(&w, "energy", true);
    ff_json_number(&w, "kinetic", e->kinetic);
    ff_json_number(&w, "potential", e->potential);
    ff_json_end_object(&w);
    ff_json_begin_array(&w, "bodies", false);
    for (int b = 0; b < m->nbody; b++) {
        double pos[3], quat[4];
        ff_dyn_body_pose(m, d, b, pos, quat);
        ff_json_begin_object(&w, NULL, true);
        ff_json_text(&w, "name", m->bodies[b].name);
        ff_json_numbers(&w, "pos", pos, 3);
        ff_json_numbers(&w, "quat", quat, 4);
        ff_json_end_object(&w);
    }
    ff_json_end_array(&w);
    ff_json_numbers(&w, "gravity", m->gravity, 3);
    ff_json_end_object(&w);
    return print_json_text(&w);
}

static void print_row(const char *name, const double *values, int count)
{
    printf("%-9s", name);
    for (int i = 0; i < count; i++) printf("%s %12.6g", i > 0 && i % 6 == 0 ? "\n         " : "", values[i]);
    printf("\n");
}

static void print_text(const ff_model *m, const ff_data *d, const evaluation *e)
{
    printf("%s: nq %d, nv %d, mass %.6g kg; units m, kg, s, N, rad\n", m->name ? m->name : "model", m->nq, m->nv,
           m->mass);
    print_row("q", d->q, m->nq);
    print_row("v", d->v, m->nv);
    print_row("tau", d->tau, m->nv);
    print_row("bias", e->bias, m->nv);
    print_row("qacc", d->qacc, m->nv);
    print_row("com", e->com, 3);
    printf("energy   kinetic %.9g J, potential %.9g J\n", e->kinetic, e->potential);
    if (m->nv <= 8)
        for (int i = 0; i < m->nv; i++) print_row(i == 0 ? "M" : "", e->M + (size_t)i * (size_t)m->nv, m->nv);
    else
        printf("M        %d x %d: --json prints it\n", m->nv, m->nv);
    printf("bodies   position [m] and quaternion w x y z in the world\n");
    for (int b = 0; b < m->nbody; b++) {
        double pos[3], quat[4];
        ff_dyn_body_pose(m, d, b, pos, quat);
        printf("  %-24s %10.6f %10.6f %10.6f   %9.6f %9.6f %9.6f %9.6f\n", m->bodies[b].name, pos[0], pos[1], pos[2],
               quat[0], quat[1], quat[2], quat[3]);
    }
}

// ------------------------------------------------------------------------------------------ command

// Warns of results that overflow, which JSON can only show as null.
static void warn_not_finite(const ff_model *m, const ff_data *d, const evaluation *e)
{
    bool finite = isfinite(e->kinetic) && isfinite(e->potential);
    for (int i = 0; i < m->nv; i++) finite = finite && isfinite(e->bias[i]) && isfinite(d->qacc[i]);
    if (!finite)
        fprintf(stderr, "footfall eval: warning: some results are not finite (null in JSON): the state is too large\n");
}

static int evaluate(const eval_target *target, const ff_model *m, ff_data *d, ff_arena *arena)
{
    evaluation e = {.M = FF_ARENA_NEW(arena, double, (size_t)m->nv *(size_t)m->nv + 1),
                    .bias = FF_ARENA_NEW(arena, double, m->nv + 1)};
    if (!e.M || !e.bias) {
        fprintf(stderr, "footfall eval: out of memory for a %d x %d mass matrix\n", m->nv, m->nv);
        return EXIT_INPUT;
    }
    ff_dyn_inverse(m, d, d->q, d->v, NULL, e.bias);
    ff_dyn_kinematics(m, d);
    ff_dyn_velocity(m, d);
    ff_dyn_mass(m, d);
    ff_dyn_mass_expand(m, d, e.M);
    if (!ff_dyn_forward(m, d)) {
        print_message(target->operands.items[0], STYLE_BAD,
                      "the mass matrix is singular at this state: some joint moves no mass");
        return EXIT_INPUT;
    }
    ff_dyn_com(m, d, e.com);
    e.kinetic = ff_dyn_kinetic_energy(m, d);
    e.potential = ff_dyn_potential_energy(m, d);
    warn_not_finite(m, d, &e);
    if (target->json) return print_json(m, d, &e);
    print_text(m, d, &e);
    return EXIT_FINE;
}

static int eval_model(const command *self, const eval_target *target, const ff_model *m, ff_arena *arena)
{
    ff_data *d = ff_data_create(m, NULL);
    if (!d) {
        fprintf(stderr, "footfall eval: out of memory\n");
        return EXIT_INPUT;
    }
    const char *path = target->operands.items[0];
    int code = EXIT_USAGE;
    if (take_key(self, target->key, m, d) && take_list(self, "q", &target->q, d->q, m->nq, path) &&
        take_list(self, "v", &target->v, d->v, m->nv, path) &&
        take_list(self, "tau", &target->tau, d->tau, m->nv, path) && normalise(self, m, d->q))
        code = evaluate(target, m, d, arena);
    ff_data_destroy(d);
    return code;
}

static int eval_main(const command *self, void *options, ff_arena *arena)
{
    const eval_target *target = options;
    ff_model *model = load_model(target->operands.items[0], &target->model, NULL);
    const int code = model ? eval_model(self, target, model, arena) : EXIT_INPUT;
    ff_model_destroy(model);
    return code;
}

const command eval_command = {
    .name = "eval",
    .synopsis = "MODEL [--q a,b,..] [--v a,b,..] [--tau a,b,..] [--json] [OPTION]...",
    .summary = "the equations of motion of a robot at one state",
    .description = "Loads a robot (URDF, MJCF or native YAML) and prints, at one state, mass matrix M, bias, "
                   "acceleration qacc for the given force, inverse dynamics, centre of mass, energy and the poses of "
                   "all bodies, such that\n"
                   "    M qacc + bias = tau\n"
                   "It is the bare rigid-body system: M includes the armature of rotors; springs, damping, dry "
                   "friction, limits, actuators and loop constraints are left out.",
    .examples = "  footfall eval robots/anton/anton.yaml\n"
                "      the reference pose at rest, for reading\n"
                "  footfall eval arm.urdf --q 0.1,-0.5 --v 1,0 --tau=-2,0 --json\n"
                "      one JSON object whose numbers are exact when read back\n"
                "  footfall eval dog.urdf --floating --json | python3 -m json.tool\n"
                "      a URDF with its root free to move\n",
    OPTIONS(
        FLAG(eval_target, json, "json", "Print one JSON object; its numbers are exact when read back"),
        OPTION(
            eval_target, q, "q", NUMBERS, "a,b,..",
            "Generalised position; without it the reference pose. Free joint: x,y,z and quaternion w,x,y,z [m, rad]"),
        OPTION(
            eval_target, v, "v", NUMBERS, "a,b,..",
            "Generalised velocity; zero without it. Free joint: velocity in world axes, angular velocity in body axes "
            "[m/s, rad/s]"),
        OPTION(eval_target, tau, "tau", NUMBERS, "a,b,..", "Generalised force; zero without it [N, N m]"),
        OPTION(eval_target, key, "key", TEXT, "NAME",
               "Start from this keyframe of the file; --q and --v replace its parts"),
        MODEL_OPTIONS(eval_target, model)),
    .operands = {1, 1, "MODEL, a robot file,"},
    ZERO_PRESET(eval_target),
    .run = eval_main,
};
