// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Actuators. All of MJCF's shortcuts write into one preset of their class, as in MuJoCo: a class with <position
// kp="50"/> also sets the gain a <general> of that class starts from. Supported is a force  gain a + bias  on a hinge,
// a slide or a tendon, or at a site, for which there is a tendon of its own; a is the command or an activation, and
// gain and bias are affine in length and speed or the curves of a muscle (src/physics/dyn/actuator.c). Other
// transmissions are listed as left out. Where b1 = -gain, a positive b2 is a damping ratio (`dampratio`), also of a
// <general>.
#include "mjcf/mjcf.h"

#include <stdlib.h>

static const char *const dyntypes[] = {"none",   "integrator", "filter",  "filterexact",
                                       "muscle", "user",       "dcmotor", NULL};
static const char *const gaintypes[] = {"fixed", "affine", "muscle", "user", "dcmotor", NULL};
static const char *const biastypes[] = {"none", "affine", "muscle", "user", "dcmotor", NULL};
enum { DYN_NONE, DYN_INTEGRATOR, DYN_FILTER, DYN_FILTEREXACT, DYN_MUSCLE };
enum { GAIN_FIXED, GAIN_AFFINE, GAIN_MUSCLE };
enum { BIAS_NONE, BIAS_AFFINE, BIAS_MUSCLE };

static const char *const elements[] = {"general",  "motor",  "position", "velocity", "intvelocity", "damper",
                                       "cylinder", "muscle", "adhesion", "plugin",   "dcmotor",     NULL};

bool mjcf_actuator_is(const char *element)
{
    return ff_word_find(elements, element) >= 0;
}

// ------------------------------------------------------------------------------------------ elements

/// Reads up to ten numbers and keeps the first `most`; MuJoCo's own types do not use the others.
static void read_parameters(mjcf *m, ff_xml *node, const char *name, double *kept, int most)
{
    double values[10];
    const int count = ff_xml_numbers(node, name, values, 1, 10, m->report);
    for (int i = 0; i < count && i < most; i++) kept[i] = values[i];
}

static void read_general(mjcf *m, ff_xml *node, mjcf_actuator *a)
{
    a->dyntype = ff_xml_choice(node, "dyntype", dyntypes, a->dyntype, m->report);
    a->gaintype = ff_xml_choice(node, "gaintype", gaintypes, a->gaintype, m->report);
    a->biastype = ff_xml_choice(node, "biastype", biastypes, a->biastype, m->report);
    read_parameters(m, node, "dynprm", a->dynprm, 3);
    read_parameters(m, node, "gainprm", a->gainprm, 9);
    read_parameters(m, node, "biasprm", a->biasprm, 9);
    ff_xml_get(node, "actdim"); // of user dynamics
}

static void set_law(mjcf_actuator *a, int dyntype, int biastype, double b1, double b2)
{
    a->dyntype = dyntype;
    a->gaintype = GAIN_FIXED;
    a->biastype = biastype;
    ff_vec3_set(a->biasprm, 0.0, b1, b2);
}

/// A damping with the sign under which biasprm holds it; `fallback` when it is not given.
static double read_damping(mjcf *m, ff_xml *node, const char *name, double sign, double fallback)
{
    return ff_xml_peek(node, name) ? sign * mjcf_not_negative(m, node, name, 0.0) : fallback;
}

/// The kv or dampratio that the element gives, otherwise that of its class.
static double read_servo_damping(mjcf *m, ff_xml *node, const mjcf_actuator *a)
{
    if (ff_xml_peek(node, "kv") && ff_xml_peek(node, "dampratio"))
        mjcf_error(m, node->place, "<%s> has kv and dampratio; both say its damping, so give one of them", node->name);
    const double damping = read_damping(m, node, "kv", -1.0, a->biasprm[2]);
    return read_damping(m, node, "dampratio", 1.0, damping);
}

/// The type of dynamics that `timeconst` gives: none where it is 0.
static int read_filter(mjcf *m, ff_xml *node, mjcf_actuator *a)
{
    double time;
    if (ff_xml_numbers(node, "timeconst", &time, 1, 1, m->report) != 1)
        return a->dyntype == DYN_FILTEREXACT ? DYN_FILTEREXACT : DYN_NONE;
    a->dynprm[0] = time;
    if (time < 0.0) mjcf_error(m, node->place, "<%s>: timeconst is %g s; it must not be negative", node->name, time);
    return time == 0.0 ? DYN_NONE : DYN_FILTEREXACT;
}

static void read_motor(mjcf *m, ff_xml *node, mjcf_actuator *a)
{
    (void)m, (void)node;
    set_law(a, DYN_NONE, BIAS_NONE, 0.0, 0.0);
    ff_vec3_set(a->gainprm, 1.0, 0.0, 0.0);
}

static void read_position(mjcf *m, ff_xml *node, mjcf_actuator *a)
{
    a->gainprm[0] = ff_xml_number(node, "kp", a->gainprm[0], m->report);
    a->inheritrange = ff_xml_number(node, "inheritrange", a->inheritrange, m->report);
    const double damping = read_servo_damping(m, node, a);
    set_law(a, read_filter(m, node, a), BIAS_AFFINE, -a->gainprm[0], damping);
}

static void read_velocity(mjcf *m, ff_xml *node, mjcf_actuator *a)
{
    a->gainprm[0] = ff_xml_number(node, "kv", a->gainprm[0], m->report);
    set_law(a, read_filter(m, node, a), BIAS_AFFINE, 0.0, -a->gainprm[0]);
}

/// A position servo whose reference is the integral of the command, within `actrange`.
static void read_intvelocity(mjcf *m, ff_xml *node, mjcf_actuator *a)
{
    a->gainprm[0] = ff_xml_number(node, "kp", a->gainprm[0], m->report);
    a->inheritrange = ff_xml_number(node, "inheritrange", a->inheritrange, m->report);
    set_law(a, DYN_INTEGRATOR, BIAS_AFFINE, -a->gainprm[0], read_servo_damping(m, node, a));
    a->actlimited = MJCF_LIMITED;
}

static void read_damper(mjcf *m, ff_xml *node, mjcf_actuator *a)
{
    const double kv = read_damping(m, node, "kv", 1.0, -a->gainprm[2]);
    set_law(a, DYN_NONE, BIAS_NONE, 0.0, 0.0);
    a->gaintype = GAIN_AFFINE;
    ff_vec3_set(a->gainprm, 0.0, 0.0, -kv);
    a->ctrllimited = MJCF_LIMITED;
    if (a->ctrlrange[0] < 0.0 || a->ctrlrange[1] < 0.0)
        mjcf_error(m, node->place, "<damper>: ctrlrange %g %g must not be negative", a->ctrlrange[0], a->ctrlrange[1]);
}

/// A cylinder: pressure times area, with the dynamics of its valve.
static void read_cylinder(mjcf *m, ff_xml *node, mjcf_actuator *a)
{
    double diameter;
    a->dynprm[0] = ff_xml_number(node, "timeconst", a->dynprm[0], m->report);
    a->gainprm[0] = ff_xml_number(node, "area", a->gainprm[0], m->report);
    if (ff_xml_numbers(node, "diameter", &diameter, 1, 1, m->report) == 1)
        a->gainprm[0] = FF_PI / 4.0 * diameter * diameter;
    ff_xml_numbers(node, "bias", a->biasprm, 3, 3, m->report);
    a->dyntype = DYN_FILTER;
    a->gaintype = GAIN_FIXED;
    a->biastype = BIAS_AFFINE;
}

/// Reads a number of a muscle. Where no class has set it, the default of muscles replaces that of all actuators.
static void read_muscle_number(mjcf *m, ff_xml *node, const char *name, double *number, double standard,
                               double fallback)
{
    if (*number == standard) *number = fallback;
    *number = ff_xml_number(node, name, *number, m->report);
}

static void read_muscle(mjcf *m, ff_xml *node, mjcf_actuator *a)
{
    static const struct {
        const char *name;
        double fallback;
    } rows[] = {{NULL, 0.75},  {NULL, 1.05},  {"force", -1},  {"scale", 200}, {"lmin", 0.5},
                {"lmax", 1.6}, {"vmax", 1.5}, {"fpmax", 1.3}, {"fvmax", 1.2}};
    double *p = a->gainprm;
    if (a->dynprm[0] == 1.0) a->dynprm[0] = 0.01;
    if (a->dynprm[1] == 0.0) a->dynprm[1] = 0.04;
    ff_xml_numbers(node, "timeconst", a->dynprm, 1, 2, m->report);
    a->dynprm[2] = ff_xml_number(node, "tausmooth", a->dynprm[2], m->report);
    for (int i = 0; i < 2; i++)
        if (p[i] == (i == 0)) p[i] = rows[i].fallback;
    ff_xml_numbers(node, "range", p, 1, 2, m->report);
    for (int i = 2; i < 9; i++) read_muscle_number(m, node, rows[i].name, &p[i], 0.0, rows[i].fallback);
    memcpy(a->biasprm, p, sizeof a->biasprm);
    a->dyntype = DYN_MUSCLE;
    a->gaintype = GAIN_MUSCLE;
    a->biastype = BIAS_MUSCLE;
}

/// A force that pulls a body towards the bodies it touches.
static void read_adhesion(mjcf *m, ff_xml *node, mjcf_actuator *a)
{
    set_law(a, DYN_NONE, BIAS_NONE, 0.0, 0.0);
    a->gainprm[0] = mjcf_not_negative(m, node, "gain", a->gainprm[0]);
    a->ctrllimited = MJCF_LIMITED;
    if (a->ctrlrange[0] < 0.0 || a->ctrlrange[1] < 0.0)
        mjcf_error(m, node->place, "<adhesion>: ctrlrange %g %g must not be negative", a->ctrlrange[0],
                   a->ctrlrange[1]);
}

typedef struct reader {
    const char *element;
    void (*read)(mjcf *m, ff_xml *node, mjcf_actuator *a);
} reader;

static const reader readers[] = {
    {"general", read_general},   {"motor", read_motor},   {"position", read_position},
    {"velocity", read_velocity}, {"damper", read_damper}, {"intvelocity", read_intvelocity},
    {"cylinder", read_cylinder}, {"muscle", read_muscle}, {"adhesion", read_adhesion}};

/// The reader of an element; NULL: its type is not supported.
static const reader *find_reader(const char *element)
{
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        if (strcmp(element, readers[i].element) == 0) return &readers[i];
    return NULL;
}

void mjcf_actuator_read(mjcf *m, ff_xml *node, mjcf_actuator *a)
{
    const reader *own = find_reader(node->name);
    ff_report *report = m->report;
    ff_xml_numbers(node, "gear", a->gear, 1, 6, report);
    a->ctrllimited = mjcf_limited_read(m, node, "ctrllimited", a->ctrllimited);
    a->forcelimited = mjcf_limited_read(m, node, "forcelimited", a->forcelimited);
    a->actlimited = mjcf_limited_read(m, node, "actlimited", a->actlimited);
    ff_xml_numbers(node, "ctrlrange", a->ctrlrange, 2, 2, report);
    ff_xml_numbers(node, "forcerange", a->forcerange, 2, 2, report);
    ff_xml_numbers(node, "actrange", a->actrange, 2, 2, report);
    ff_xml_numbers(node, "lengthrange", a->lengthrange, 2, 2, report);
    mjcf_flag(m, node, "actearly", false); // when a step of MuJoCo sees an activation; here it is one with the state
    a->armature = ff_xml_number(node, "armature", a->armature, report);
    a->damping = mjcf_first_number(m, node, "damping", a->damping);
    ff_xml_get(node, "group");
    if (own) own->read(m, node, a);
}

/// Why the actuator is not supported, or NULL.
static const char *obstacle(const ff_xml *node, const mjcf_actuator *a)
{
    if (!find_reader(node->name)) return "";
    const bool adheres = ff_xml_peek(node, "body") != NULL;
    if (!adheres && !ff_xml_peek(node, "joint") && !ff_xml_peek(node, "jointinparent") &&
        !ff_xml_peek(node, "tendon") && !ff_xml_peek(node, "site"))
        return "it acts neither on a joint nor on a tendon, site or body";
    if (adheres && (a->dyntype != DYN_NONE || a->gaintype != GAIN_FIXED || a->biastype != BIAS_NONE))
        return "on a body, its force follows its command alone";
    const bool unknown = a->dyntype > DYN_MUSCLE || a->gaintype > GAIN_MUSCLE || a->biastype > BIAS_MUSCLE;
    return unknown ? "its dyntype, gaintype or biastype is a program's own" : NULL;
}

/// inheritrange: the range of the joint or tendon, widened or narrowed about its middle.
static void inherit_range(mjcf_actuator *a, bool limited, const double range[2])
{
    if (a->inheritrange <= 0.0 || !limited) return;
    double middle = 0.5 * (range[0] + range[1]);
    double reach = 0.5 * (range[1] - range[0]) * a->inheritrange;
    const bool integrates = a->dyntype == DYN_INTEGRATOR;
    double *to = integrates ? a->actrange : a->ctrlrange;
    to[0] = middle - reach;
    to[1] = middle + reach;
    *(integrates ? &a->actlimited : &a->ctrllimited) = MJCF_LIMITED;
}

static ff_actuator_type type_of(const char *element)
{
    if (strcmp(element, "motor") == 0) return FF_ACTUATOR_MOTOR;
    if (strcmp(element, "position") == 0) return FF_ACTUATOR_POSITION;
    return strcmp(element, "velocity") == 0 ? FF_ACTUATOR_VELOCITY : FF_ACTUATOR_GENERAL;
}

static ff_muscle muscle_of(const double p[9])
{
    return (ff_muscle){.acts = true,
                       .operating = {p[0], p[1]},
                       .force = p[2],
                       .scale = p[3],
                       .shortest = p[4],
                       .longest = p[5],
                       .speed = p[6],
                       .passive = p[7],
                       .lengthening = p[8]};
}

static void set_gain(ff_spec_actuator *to, const mjcf_actuator *from)
{
    to->gain = from->gaintype == GAIN_MUSCLE ? 1.0 : from->gainprm[0];
    if (from->gaintype == GAIN_AFFINE) memcpy(to->gain_by, from->gainprm + 1, sizeof to->gain_by);
    if (from->gaintype == GAIN_MUSCLE) to->active = muscle_of(from->gainprm);
}

/// gain a - gain l - kv l', or bias numbers as they are.
static void set_bias(ff_spec_actuator *to, const mjcf_actuator *from)
{
    if (from->biastype == BIAS_MUSCLE) to->passive = muscle_of(from->biasprm);
    if (from->biastype != BIAS_AFFINE) return;
    ff_vec3_copy(to->bias, from->biasprm);
    if (from->gaintype != GAIN_FIXED || from->gainprm[0] != -from->biasprm[1] || from->biasprm[2] <= 0.0) return;
    to->damping_ratio = from->biasprm[2];
    to->bias[2] = 0.0;
}

static void set_activation(mjcf *m, ff_xml *node, ff_activation *to, const mjcf_actuator *from)
{
    static const ff_activation_type types[] = {FF_ACTIVATION_NONE, FF_ACTIVATION_INTEGRATOR, FF_ACTIVATION_FILTER,
                                               FF_ACTIVATION_FILTER, FF_ACTIVATION_MUSCLE};
    to->type = types[from->dyntype];
    if (to->type == FF_ACTIVATION_NONE) return;
    memcpy(to->time, from->dynprm, sizeof to->time);
    to->smooth = to->type == FF_ACTIVATION_MUSCLE ? from->dynprm[2] : 0.0;
    to->limited = mjcf_limited_resolve(m, node, "actrange", from->actlimited, from->actrange);
    memcpy(to->range, from->actrange, sizeof to->range);
}

/// Rotor and losses of the actuator, as its joint sees them.
static void load_joint(ff_spec_joint *joint, const mjcf_actuator *from)
{
    const double gear2 = from->gear[0] * from->gear[0];
    joint->armature += gear2 * from->armature;
    joint->damping += gear2 * from->damping;
}

/// A site by attribute: false when it was left out or does not exist; `name` NULL where it is not given.
static bool find_site(mjcf *m, ff_xml *node, const char *attribute, const char **name)
{
    *name = ff_xml_get(node, attribute);
    return !*name || mjcf_find(m, node, MJCF_SITE, "site", *name) >= 0;
}

/// The tendon that an actuator at a site acts along, named after the actuator; its gear becomes that of the tendon.
static const char *make_thrust(mjcf *m, ff_xml *node, const char *name, mjcf_actuator *from)
{
    const char *site, *other;
    if (!find_site(m, node, "site", &site) || !find_site(m, node, "refsite", &other)) return NULL;
    const char *called = name ? name : site;
    while (mjcf_name_find(m, MJCF_TENDON, called) != MJCF_NONE)
        if (!mjcf_has_memory(m, called = ff_arena_printf(&m->arena, "%s_thrust", called))) return NULL;
    ff_spec_tendon *tendon = ff_spec_add_tendon(m->spec, called);
    if (!mjcf_has_memory(m, tendon)) return NULL;
    tendon->place = node->place;
    ff_spec_tendon_piece *piece = ff_spec_add_tendon_piece(m->spec, tendon, FF_TENDON_THRUST, site, other, 0.0);
    if (!mjcf_has_memory(m, piece)) return NULL;
    memcpy(piece->wrench, from->gear, sizeof piece->wrench);
    from->gear[0] = 1.0;
    mjcf_name_add(m, MJCF_TENDON, tendon->name, m->spec->ntendon - 1, node->place);
    return tendon->name;
}

/// What the actuator acts on, NULL when that was left out or does not exist. The joint or tendon takes its losses.
static const char *find_target(mjcf *m, ff_xml *node, mjcf_actuator *from)
{
    const char *tendon = ff_xml_get(node, "tendon"), *joint = ff_xml_get(node, "joint");
    const char *other = ff_xml_get(node, "jointinparent"), *target = tendon ? tendon : joint ? joint : other;
    const int index =
        tendon ? mjcf_find(m, node, MJCF_TENDON, "tendon", target) : mjcf_find(m, node, MJCF_JOINT, "joint", target);
    if (index < 0) return NULL;
    if (tendon) {
        ff_spec_tendon *along = &m->spec->tendons[index];
        inherit_range(from, along->limited, along->range);
        along->damping += from->gear[0] * from->gear[0] * from->damping;
        if (from->armature > 0.0)
            ff_spec_ignore(m->spec, node->place, "attribute 'armature' of an actuator on a tendon");
        return target;
    }
    ff_spec_joint *turned = &m->spec->joints[index];
    if (!ff_joint_is_scalar(turned->type)) {
        mjcf_leave_out(m, node, "drives of %s joints", ff_joint_name(turned->type));
        return NULL;
    }
    inherit_range(from, turned->limited, turned->range);
    load_joint(turned, from);
    return target;
}

/// An actuator acts on one object.
static bool has_one_target(const ff_xml *node)
{
    static const char *const targets[] = {"joint", "jointinparent", "tendon", "site", "cranksite", "body"};
    int count = 0;
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) count += ff_xml_peek(node, targets[i]) != NULL;
    return count <= 1;
}

/// Some laws need a range; it may come from a class or the joint.
static bool has_range(mjcf *m, const ff_xml *node, const mjcf_actuator *a)
{
    const bool commanded = strcmp(node->name, "damper") == 0 || strcmp(node->name, "adhesion") == 0;
    const double *range = commanded ? a->ctrlrange : a->actrange;
    if (!commanded && strcmp(node->name, "intvelocity") != 0) return true;
    if (range[0] != 0.0 || range[1] != 0.0) return true;
    mjcf_error(m, node->place, "<%s> needs %s", node->name, commanded ? "a ctrlrange" : "an actrange, or inheritrange");
    return false;
}

/// Adds the actuator; false when it is left out.
static bool add_actuator(mjcf *m, ff_xml *node, const char *name, bool *stateful)
{
    mjcf_actuator from = mjcf_class_of(m, node, "class", m->classes[0])->actuator;
    mjcf_actuator_read(m, node, &from);
    *stateful = from.dyntype != DYN_NONE;
    if (!has_one_target(node)) {
        mjcf_error(m, node->place, "<%s> acts on one of joint, tendon, site and body, not on several", node->name);
        return false;
    }
    const char *reason = obstacle(node, &from);
    if (reason) {
        mjcf_leave_out(m, node, "%s", reason);
        return false;
    }
    const bool at_site = ff_xml_peek(node, "site") != NULL, along = at_site || ff_xml_peek(node, "tendon");
    const bool adheres = ff_xml_peek(node, "body") != NULL;
    const char *target = adheres   ? mjcf_body_named(m, node, "body", true)
                         : at_site ? make_thrust(m, node, name, &from)
                                   : find_target(m, node, &from);
    if (!target || !has_range(m, node, &from)) return false;
    if (adheres && !target[0]) {
        mjcf_error(m, node->place, "<%s> acts on the world; name a body that moves", node->name);
        return false;
    }
    ff_spec_actuator *to = ff_spec_add_actuator(m->spec, name, type_of(node->name));
    if (!mjcf_has_memory(m, to)) return false;
    to->place = node->place;
    *(adheres ? &to->body : along ? &to->tendon : &to->joint) = ff_spec_text(m->spec, target);
    to->gear = from.gear[0];
    set_gain(to, &from);
    set_bias(to, &from);
    set_activation(m, node, &to->activation, &from);
    memcpy(to->length_range, from.lengthrange, sizeof to->length_range);
    to->command_limited = mjcf_limited_resolve(m, node, "ctrlrange", from.ctrllimited, from.ctrlrange);
    to->force_limited = mjcf_limited_resolve(m, node, "forcerange", from.forcelimited, from.forcerange);
    memcpy(to->command_range, from.ctrlrange, sizeof to->command_range);
    memcpy(to->force_range, from.forcerange, sizeof to->force_range);
    return mjcf_has_memory(m, adheres ? to->body : along ? to->tendon : to->joint);
}

void mjcf_actuators(mjcf *m, ff_xml *section)
{
    for (ff_xml *node = section->child; node && !m->no_memory; node = node->next) {
        if (!mjcf_grow(m, &m->actuator_uses, m->nactuator, &m->actuator_capacity, sizeof *m->actuator_uses)) return;
        node->used = true;
        const char *name = ff_xml_get(node, "name");
        bool stateful = false, kept = add_actuator(m, node, name, &stateful);
        m->actuator_uses[m->nactuator++] = (mjcf_use){kept, stateful};
        mjcf_name_add(m, MJCF_ACTUATOR, name, kept ? m->spec->nactuator - 1 : MJCF_LEFT_OUT, node->place);
    }
}

/// The only actuator of a joint; NULL: it has none, or several (*count).
static ff_spec_actuator *only_actuator(const ff_spec *spec, const char *joint, int *count)
{
    ff_spec_actuator *only = NULL;
    *count = 0;
    for (int i = 0; i < spec->nactuator && joint; i++) {
        if (!spec->actuators[i].joint || strcmp(spec->actuators[i].joint, joint) != 0) continue;
        only = &spec->actuators[i];
        ++*count;
    }
    return *count == 1 ? only : NULL;
}

/// gear f within the range of the joint: f within that of the actuator, which gets no wider.
static void bound_actuator(ff_spec_actuator *a, const double range[2])
{
    const double one = range[0] / a->gear, two = range[1] / a->gear;
    const double bound[2] = {ff_min(one, two), ff_max(one, two)};
    for (int k = 0; k < 2; k++) a->force_range[k] = a->force_limited ? a->force_range[k] : bound[k];
    a->force_limited = true;
    a->force_range[0] = ff_min(ff_max(a->force_range[0], bound[0]), bound[1]);
    a->force_range[1] = ff_min(ff_max(a->force_range[1], bound[0]), bound[1]);
}

void mjcf_bound_actuators(mjcf *m)
{
    for (int i = 0; i < m->nbound && !m->no_memory; i++) {
        const ff_spec_joint *joint = &m->spec->joints[m->bounds[i].joint];
        int count;
        ff_spec_actuator *only = only_actuator(m->spec, joint->name, &count);
        if (only && only->gear != 0.0) bound_actuator(only, m->bounds[i].range);
        if (count > 1)
            mjcf_warn(
                m, joint->place,
                "actuatorfrcrange of joint \"%s\" bounds the sum of its %d actuators in MuJoCo, and nothing here: "
                "give each a forcerange",
                joint->name, count);
    }
}
