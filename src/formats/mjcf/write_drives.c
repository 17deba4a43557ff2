// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Drives as MJCF has them: a force  gain u + b0 + b1 l + b2 l'  along the length l of a joint or of a tendon. A lever
// is the gear of a joint, two levers are a fixed tendon, a crank is a spatial tendon between two points. Position loops
// become their proportional and derivative law; other properties of drives are reported as not written.
#include "mjcf/write.h"

#include <footfall/math.h>

#include <stdio.h>
#include <string.h>

#include "model/compile.h"
#include "model/edit.h"

/// Law and transmission of an actuator of MJCF.
typedef struct law {
    const char *name;
    const char *joint;                  // or NULL
    const char *tendon;                 // the other
    const ff_spec_tendon_piece *thrust; // what the tendon is, where that is a thrust; NULL
    double gear, gain, bias[3];
    bool command_limited, force_limited;
    double command_range[2], force_range[2];
} law;

static const ff_spec_setting *setting(const ff_spec_drive *drive, const char *name)
{
    return ff_settings_find(drive->settings, drive->nsetting, name);
}

static double number(const ff_spec_drive *drive, const char *name, double fallback)
{
    const ff_spec_setting *s = setting(drive, name);
    return s && s->count > 0 ? s->values[0] : fallback;
}

static const char *word(const ff_spec_drive *drive, const char *name, const char *fallback)
{
    const ff_spec_setting *s = setting(drive, name);
    return s && s->word ? s->word : fallback;
}

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

// ------------------------------------------------------------------------------------------ the law

/// Gains of the position at the joint, or behind its path. A cascade with a position gain k_x and a speed loop of
/// bandwidth w amounts to k_x w J and w J with the inertia J of its rotor.
static void find_gains(ff_writing *w, const ff_spec_drive *drive, double *kp, double *kd)
{
    const bool given = number(drive, "loop.kp", 0.0) > 0.0 || number(drive, "loop.kd", 0.0) > 0.0;
    const char *loop = word(drive, "loop.kind", given ? "pd" : "direct");
    *kp = *kd = 0.0;
    if (is(word(drive, "kind", "ideal"), "servo")) {
        *kp = number(drive, "servo.stiffness", 20.0);
        *kd = number(drive, "servo.damping", 0.25);
    } else if (is(loop, "pd") || is(loop, "compliant")) {
        *kp = number(drive, "loop.kp", 0.0);
        *kd = number(drive, "loop.kd", 0.0);
    } else if (is(loop, "cascade")) {
        const double lead = number(drive, "spindle.lead", 0.0), belt = number(drive, "spindle.belt", 1.0);
        const double gear = lead > 0.0 ? 2.0 * FF_PI * belt / lead : number(drive, "gear", 1.0);
        const double inertia = number(drive, "loop.inertia", number(drive, "rotor", 0.0) * gear * gear);
        *kd = 2.0 * FF_PI * number(drive, "loop.speed_bandwidth", 100.0) * inertia;
        *kp = number(drive, "loop.kx", 60.0) * *kd;
        ff_report_omission(w, "its cascade of loops is written as the proportional and derivative law it amounts to",
                           drive->name, drive->place);
    }
}

/// Sets the law kp (u - (l - zero)) - kd l' with its bound; without gains the command is the force.
static void set_law(ff_writing *w, const ff_spec_drive *drive, double zero, law *out)
{
    double kp, kd;
    const double most = number(drive, "loop.force_limit", number(drive, "torque", 0.0));
    find_gains(w, drive, &kp, &kd);
    out->gain = kp > 0.0 || kd > 0.0 ? kp : 1.0;
    ff_vec3_set(out->bias, kp * zero, -kp, -kd);
    out->force_limited = most > 0.0;
    out->force_range[0] = -most;
    out->force_range[1] = most;
}

static void put_muscle(ff_writing *w, const char *name, const ff_muscle *m)
{
    const double numbers[] = {m->operating[0], m->operating[1], m->force,   m->scale,      m->shortest,
                              m->longest,      m->speed,        m->passive, m->lengthening};
    ff_put_numbers(w, name, numbers, (int)(sizeof numbers / sizeof *numbers));
}

/// Activation, and gain and bias in their most general form.
static void put_general(ff_writing *w, const law *a, const ff_actuator *from)
{
    static const char *const words[FF_ACTIVATION_COUNT] = {"none", "integrator", "filter", "muscle"};
    const ff_activation none = {0}, *by = from ? &from->activation : &none;
    const double gain[3] = {a->gain, from ? from->gain_by[0] : 0.0, from ? from->gain_by[1] : 0.0};
    const double dynamics[3] = {by->time[0], by->time[1], by->smooth};
    const bool affine = gain[1] != 0.0 || gain[2] != 0.0, active = from && from->active.acts;
    if (by->type != FF_ACTIVATION_NONE) {
        ff_put_format(w, " dyntype=\"%s\"", words[by->type]);
        ff_put_numbers(w, "dynprm", dynamics, 3);
        ff_put_format(w, " actlimited=\"%s\"", by->limited ? "true" : "false");
        if (by->limited) ff_put_numbers(w, "actrange", by->range, 2);
    }
    if (active || affine) ff_put_format(w, " gaintype=\"%s\"", active ? "muscle" : "affine");
    if (active)
        put_muscle(w, "gainprm", &from->active);
    else
        ff_put_numbers(w, "gainprm", gain, affine ? 3 : 1);
    if (from && from->passive.acts) {
        ff_put_format(w, " biastype=\"muscle\"");
        put_muscle(w, "biasprm", &from->passive);
    } else {
        ff_put_format(w, " biastype=\"affine\"");
        ff_put_numbers(w, "biasprm", a->bias, 3);
    }
    if (active || (from && from->passive.acts)) ff_put_numbers(w, "lengthrange", from->length_range, 2);
}

static bool is_general(const ff_actuator *a)
{
    return a->state >= 0 || a->active.acts || a->passive.acts || a->gain_by[0] != 0.0 || a->gain_by[1] != 0.0;
}

/// @param from  the actuator that the law is of, NULL: a drive
static void put_law(ff_writing *w, const law *a, const ff_actuator *from)
{
    const double *b = a->bias;
    const bool plain = !from || !is_general(from);
    const bool adhesion = from && from->body >= 0,
               motor = plain && a->gain == 1.0 && b[0] == 0.0 && b[1] == 0.0 && b[2] == 0.0;
    const bool position = plain && b[0] == 0.0 && b[1] == -a->gain && b[2] == 0.0;
    const bool velocity = plain && b[0] == 0.0 && b[1] == 0.0 && b[2] == -a->gain;
    ff_put_format(w, "    <%s",
                  adhesion   ? "adhesion"
                  : motor    ? "motor"
                  : position ? "position"
                  : velocity ? "velocity"
                             : "general");
    ff_put_text(w, "name", a->name);
    if (a->thrust) {
        double wrench[6];
        for (int i = 0; i < 6; i++) wrench[i] = a->gear * a->thrust->wrench[i];
        ff_put_text(w, "site", a->thrust->name);
        if (a->thrust->side) ff_put_text(w, "refsite", a->thrust->side);
        ff_put_numbers(w, "gear", wrench, 6);
    } else {
        const char *body = from && from->body >= 0 ? w->model->bodies[from->body].name : NULL;
        ff_put_text(w, body ? "body" : a->joint ? "joint" : "tendon", body ? body : a->joint ? a->joint : a->tendon);
        ff_put_unless(w, "gear", a->gear, 1.0);
    }
    if (adhesion) ff_put_number(w, "gain", a->gain);
    if (position && !adhesion) ff_put_number(w, "kp", a->gain);
    if (velocity && !adhesion) ff_put_number(w, "kv", a->gain);
    if (!adhesion && !motor && !position && !velocity) put_general(w, a, from);
    ff_put_format(w, " ctrllimited=\"%s\"", a->command_limited ? "true" : "false");
    if (a->command_limited) ff_put_numbers(w, "ctrlrange", a->command_range, 2);
    ff_put_format(w, " forcelimited=\"%s\"", a->force_limited ? "true" : "false");
    if (a->force_limited) ff_put_numbers(w, "forcerange", a->force_range, 2);
    ff_put_format(w, "/>\n");
}

// ------------------------------------------------------------------------------------------ paths

/// Joint by its name, where it is the only one of its body and a hinge.
static const ff_joint *only_hinge(const ff_writing *w, const char *name)
{
    const ff_model *m = w->model;
    const int j = ff_model_find_joint(m, name);
    if (j < 0 || m->joints[j].type != FF_JOINT_HINGE) return NULL;
    const bool before = j > 0 && m->joints[j - 1].body == m->joints[j].body;
    const bool behind = j + 1 < m->njoint && m->joints[j + 1].body == m->joints[j].body;
    return before || behind ? NULL : &m->joints[j];
}

/// Length of a crank with the arms a and b and the angle q + q0 between them.
static double crank_length(double a, double b, double angle)
{
    return sqrt(a * a + b * b - 2.0 * a * b * ff_cos(angle));
}

/// <spatial> from the end of arm a on the parent to the end of arm b on the body, both about the joint's axis.
static bool put_crank(ff_writing *w, const ff_spec_drive *drive)
{
    const ff_joint *joint = only_hinge(w, drive->joint[0]);
    if (!joint) return false;
    const double a = number(drive, "path.a", 0.0), b = number(drive, "path.b", 0.0),
                 ref = w->model->nodes[joint->node].ref, upright[4] = {1, 0, 0, 0};
    const ff_spec_body *body = &w->spec->bodies[w->spec_body[joint->body]];
    double R[9], turn[4], own[4], from[3], to[3];
    ff_compile_frame_along(R, joint->axis);
    const double arm[3] = {R[0], R[3], R[6]}; // any direction across the axis
    ff_vec3_copy(from, joint->pos);
    ff_vec3_axpy(from, a, arm);
    ff_quat_copy(own, body->quat);
    ff_quat_normalise(own);
    double unused[4] = {1, 0, 0, 0};
    ff_pose_displace(from, unused, body->pos, own);
    ff_quat_from_axis_angle(turn, joint->axis, number(drive, "path.angle", 0.0) + ref);
    ff_quat_rotate(to, turn, arm);
    ff_vec3_scale(to, to, b);
    ff_vec3_add(to, to, joint->pos);
    const char *ends[2] = {ff_arena_printf(&w->arena, "%s.a", drive->name),
                           ff_arena_printf(&w->arena, "%s.b", drive->name)};
    if (!ends[0] || !ends[1]) return false;
    ends[0] = ff_writing_add_frame(w, ends[0], w->model->bodies[joint->body].parent, from, upright);
    ends[1] = ff_writing_add_frame(w, ends[1], joint->body, to, upright);
    if (!ends[0] || !ends[1]) return false;
    ff_put_format(w, "    <spatial");
    ff_put_text(w, "name", drive->name);
    ff_put_format(w, "><site");
    ff_put_text(w, "site", ends[0]);
    ff_put_format(w, "/><site");
    ff_put_text(w, "site", ends[1]);
    ff_put_format(w, "/></spatial>\n");
    return true;
}

static void put_levers(ff_writing *w, const ff_spec_drive *drive)
{
    const ff_spec_setting *levers = setting(drive, "path.levers");
    ff_put_format(w, "    <fixed");
    ff_put_text(w, "name", drive->name);
    ff_put_format(w, ">");
    for (int k = 0; k < 2; k++) {
        ff_put_format(w, "<joint");
        ff_put_text(w, "joint", drive->joint[k]);
        ff_put_number(w, "coef", levers && k < levers->count ? levers->values[k] : 0.0);
        ff_put_format(w, "/>");
    }
    ff_put_format(w, "</fixed>\n");
}

/// The transmission of MJCF for a path.
typedef enum route { ROUTE_NONE, ROUTE_JOINT, ROUTE_FIXED, ROUTE_CRANK } route;

static route route_of(const ff_writing *w, const ff_spec_drive *drive)
{
    const char *path = word(drive, "path.kind", "joint");
    if (is(word(drive, "kind", "ideal"), "none") || !drive->joint[0]) return ROUTE_NONE;
    if (is(path, "levers")) return drive->joint[1] ? ROUTE_FIXED : ROUTE_JOINT;
    if (is(path, "crank") && only_hinge(w, drive->joint[0])) return ROUTE_CRANK;
    return is(path, "joint") ? ROUTE_JOINT : ROUTE_NONE;
}

static void put_tendons(ff_writing *w)
{
    bool open = false;
    for (int i = 0; i < w->spec->ndrive; i++) {
        const ff_spec_drive *drive = &w->spec->drives[i];
        const route by = route_of(w, drive);
        if (by != ROUTE_FIXED && by != ROUTE_CRANK) continue;
        if (!open) ff_put_format(w, "  <tendon>\n");
        open = true;
        if (by == ROUTE_FIXED)
            put_levers(w, drive);
        else if (!put_crank(w, drive))
            w->no_memory = true;
    }
    if (open) ff_put_format(w, "  </tendon>\n");
}

// ------------------------------------------------------------------------------------------ drives and actuators

static void report_drive(ff_writing *w, const ff_spec_drive *drive, route by)
{
    if (by == ROUTE_NONE) {
        ff_report_omission(
            w, "the drive is left out: no cable without a motor, table of levers, rod or differential is written",
            drive->name, drive->place);
        return;
    }
    if (!is(word(drive, "kind", "ideal"), "ideal"))
        ff_report_omission(
            w,
            "of the drive its law and bound are written: MJCF has no motor with its losses, heat, samples and "
            "elastic gear",
            drive->name, drive->place);
    if (by != ROUTE_JOINT && setting(drive, "rotor"))
        ff_report_omission(w, "the inertia of its rotor is not written: through tendons MuJoCo has none", drive->name,
                           drive->place);
    if (drive->battery)
        ff_report_omission(w, "its battery is not written: supplies do not sag in MJCF", drive->name, drive->place);
}

static void put_drive(ff_writing *w, const ff_spec_drive *drive)
{
    const route by = route_of(w, drive);
    const bool levers = is(word(drive, "path.kind", "joint"), "levers");
    law out = {.name = drive->name, .gear = 1.0};
    double zero = 0.0; // length at which the drive's own coordinate is 0
    report_drive(w, drive, by);
    if (by == ROUTE_NONE) return;
    if (levers) zero = 0.0 - number(drive, "path.offset", 0.0); // no negative zero in the file
    if (by == ROUTE_CRANK)
        zero =
            crank_length(number(drive, "path.a", 0.0), number(drive, "path.b", 0.0), number(drive, "path.angle", 0.0));
    if (by == ROUTE_JOINT) {
        out.joint = drive->joint[0];
        out.gear = levers ? number(drive, "path.levers", 1.0) : 1.0;
    } else {
        out.tendon = drive->name;
    }
    set_law(w, drive, zero, &out);
    put_law(w, &out, NULL);
}

static void put_actuator(ff_writing *w, const ff_actuator *a)
{
    law out = {.name = a->name,
               .joint = a->joint < 0 ? NULL : w->model->joints[a->joint].name,
               .tendon = a->tendon < 0 ? NULL : w->model->tendons[a->tendon].name,
               .gear = a->gear,
               .gain = a->gain,
               .bias = {a->bias[0], a->bias[1], a->bias[2]},
               .command_limited = a->command_limited,
               .force_limited = a->force_limited,
               .command_range = {a->command_range[0], a->command_range[1]},
               .force_range = {a->force_range[0], a->force_range[1]}};
    const ff_spec_tendon *tendon = a->tendon < 0 ? NULL : &w->spec->tendons[a->tendon];
    if (tendon && tendon->pieces[0].type == FF_TENDON_THRUST) out.thrust = &tendon->pieces[0];
    put_law(w, &out, a);
}

int mjcf_put_drives(ff_writing *w)
{
    const ff_model *m = w->model;
    int count = 0;
    put_tendons(w);
    if (m->nactuator == 0 && w->spec->ndrive == 0) return 0;
    ff_put_format(w, "  <actuator>\n");
    for (int stateful = 0; stateful < 2; stateful++) { // MuJoCo 2 wants those with an activation behind all others
        for (int i = 0; i < m->nactuator; i++) {
            if ((m->actuators[i].state >= 0) != stateful || ff_spec_find_drive(w->spec, m->actuators[i].name) >= 0)
                continue; // the drive of its name is written in its place
            put_actuator(w, &m->actuators[i]);
            count++;
        }
        for (int i = 0; stateful == 0 && i < w->spec->ndrive; i++) put_drive(w, &w->spec->drives[i]);
    }
    ff_put_format(w, "  </actuator>\n");
    return w->spec->ndrive == 0 ? count : -1;
}
