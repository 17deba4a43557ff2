// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes a drive from its description in a robot file, by a table of every plain number with its place in ff_drive;
// units and ranges are those of the schema (native/keys_drive.c). Settings that stand for several others (a
// motor by its power, loops by their bandwidth, a winding by its continuous current) come after the plain ones.
#include "drive/private.h"
#include "model/edit.h"
#include "native/keys.h"

#include <footfall/text.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct entry {
    const char *name;
    size_t offset;
} entry;

#define AT(field) offsetof(ff_drive, field)
static const entry NUMBERS[] = {
    {"gear", AT(ratio)},
    {"rotor", AT(dc.rotor)},
    {"efficiency", AT(efficiency)},
    {"torque", AT(stall)},
    {"speed", AT(no_load)},
    {"motor.resistance", AT(dc.resistance)},
    {"motor.inductance", AT(dc.inductance)},
    {"motor.constant", AT(dc.constant)},
    {"motor.viscous", AT(dc.viscous)},
    {"motor.dry", AT(dc.dry)},
    {"motor.dry_speed", AT(dc.dry_speed)},
    {"motor.voltage", AT(dc.voltage)},
    {"motor.current", AT(peak)},
    {"servo.stiffness", AT(servo.stiffness)},
    {"servo.damping", AT(servo.damping)},
    {"servo.frame", AT(servo.frame)},
    {"servo.range", AT(servo.range)},
    {"transmission.stiffness", AT(stiffness)},
    {"transmission.damping", AT(damping)},
    {"transmission.motor_inertia", AT(inertia)},
    {"transmission.motor_damping", AT(motor_damping)},
    {"transmission.inertia", AT(inertia_behind)},
    {"transmission.inertia_damping", AT(damping_behind)},
    {"transmission.gap", AT(backlash.gap)},
    {"transmission.restitution", AT(backlash.restitution)},
    {"transmission.floor", AT(backlash.floor)},
    {"transmission.teeth", AT(backlash.stiffness)},
    {"transmission.radius", AT(sea.radius)},
    {"transmission.pretension", AT(sea.stretch)},
    {"transmission.spring", AT(sea.cable.stiffness)},
    {"transmission.spring_damping", AT(sea.cable.damping)},
    {"cable.stiffness", AT(cable.stiffness)},
    {"cable.damping", AT(cable.damping)},
    {"path.offset", AT(path.offset)},
    {"path.a", AT(path.crank.a)},
    {"path.b", AT(path.crank.b)},
    {"path.angle", AT(path.crank.q0)},
    {"loop.kp", AT(kp)},
    {"loop.kd", AT(kd)},
    {"loop.rate", AT(rate)},
    {"loop.kx", AT(cascade.kx)},
    {"loop.kv", AT(cascade.velocity.kp)},
    {"loop.kiv", AT(cascade.velocity.ki)},
    {"loop.kpi", AT(cascade.current.kp)},
    {"loop.kii", AT(cascade.current.ki)},
    {"loop.most_speed", AT(cascade.most_speed)},
    {"loop.current_slope", AT(cascade.slope)},
    {"loop.speed_rate", AT(cascade.rate_speed)},
    {"loop.current_rate", AT(cascade.rate_current)},
    {"loop.p", AT(force_loop.p)},
    {"loop.d", AT(force_loop.d)},
    {"loop.force_limit", AT(compliance.limit)},
    {"shaper.speed", AT(shaper.most_speed)},
    {"shaper.acceleration", AT(shaper.most_acceleration)},
    {"thermal.resistance", AT(thermal.resistance)},
    {"thermal.capacity", AT(thermal.capacity)},
    {"thermal.ambient", AT(thermal.ambient)},
    {"thermal.limit", AT(thermal.limit)},
    {"thermal.continuous", AT(thermal.continuous)},
};
enum { NNUMBER = sizeof NUMBERS / sizeof *NUMBERS };

// ------------------------------------------------------------------------------------------ reading

const ff_spec_setting *ff_drive_setting(const ff_spec_drive *from, const char *name)
{
    return ff_settings_find(from->settings, from->nsetting, name);
}

/// The row of the schema of a setting such as "motor.lag"; NULL: it is unknown.
static const ff_row *row_of(const char *name)
{
    const char *dot = strchr(name, '.');
    const ff_key_group *group = &ff_keys_drive;
    char first[32];
    if (dot && (size_t)(dot - name) < sizeof first) {
        snprintf(first, sizeof first, "%.*s", (int)(dot - name), name);
        const ff_row *outer = ff_row_find(group, first);
        group = outer ? outer->group : NULL;
        name = dot + 1;
    }
    return ff_row_find(group, name);
}

/// Reports an error at a setting, or at the drive where the file does not have the setting.
static void report_error(const ff_spec_drive *from, const char *setting, ff_report *report, const char *format, ...)
    FF_PRINTF(4, 5);

static void report_error(const ff_spec_drive *from, const char *setting, ff_report *report, const char *format, ...)
{
    const ff_spec_setting *s = ff_drive_setting(from, setting);
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ff_report_add(report, FF_ERROR, s ? s->place : from->place, "drive '%.60s': %s", from->name, text);
}

/// Is the setting one number that its row allows? Others are reported. Files were checked before; programs were not.
static bool is_allowed(const ff_spec_drive *from, const ff_spec_setting *s, ff_report *report)
{
    const ff_row *row = row_of(s->name);
    char wanted[80];
    if (s->count == 0) return false; // reported by the reader of the file
    if (s->count > 1) {
        report_error(from, s->name, report, "'%s' has %d numbers, it needs one", s->name, s->count);
        return false;
    }
    const double x = s->values[0];
    const bool is_fraction = row->takes & FF_TAKES_WHOLE && x != floor(x);
    if (!is_fraction && ff_range_holds(&row->range, x)) return true;
    ff_range_format(&row->range, wanted, sizeof wanted);
    report_error(from, s->name, report, "'%s' is %g: it must be %s", s->name, x,
                 is_fraction ? "a whole number" : wanted);
    return false;
}

static double number(const ff_spec_drive *from, const char *name, double fallback, ff_report *report)
{
    const ff_spec_setting *s = ff_drive_setting(from, name);
    return s && is_allowed(from, s, report) ? s->values[0] : fallback;
}

static int whole(const ff_spec_drive *from, const char *name, int fallback, ff_report *report)
{
    return (int)number(from, name, fallback, report);
}

static void report_unknown(const ff_drive *d, const ff_spec_setting *s, ff_report *report)
{
    const char *all[NNUMBER];
    for (int i = 0; i < NNUMBER; i++) all[i] = NUMBERS[i].name;
    const char *near = report->count < FF_REPORT_MAX ? ff_text_nearest(s->name, all, NNUMBER) : NULL;
    ff_report_add(report, FF_ERROR, s->place, "drive '%.60s' has no setting '%.60s'%s%s%s", d->name, s->name,
                  near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/// Reads the settings of NUMBERS, and reports unknown ones.
static void read_plain(ff_drive *d, const ff_spec_drive *from, ff_report *report)
{
    for (int i = 0; i < from->nsetting; i++) {
        const ff_spec_setting *s = &from->settings[i];
        if (!row_of(s->name)) report_unknown(d, s, report);
        for (int k = 0; k < NNUMBER; k++)
            if (strcmp(NUMBERS[k].name, s->name) == 0 && is_allowed(from, s, report))
                memcpy((char *)d + NUMBERS[k].offset, s->values, sizeof(double));
    }
}

/// Number of the word of a setting in a list that NULL ends; without the setting, or with another word, `fallback`.
static int word_number(const ff_spec_drive *from, const char *name, const char *const *words, int fallback,
                       ff_report *report)
{
    const ff_spec_setting *s = ff_drive_setting(from, name);
    if (!s) return fallback;
    char list[200] = "";
    for (int i = 0; words[i]; i++) {
        if (s->word && strcmp(s->word, words[i]) == 0) return i;
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", words[i]);
    }
    report_error(from, name, report, "%s '%.40s' is not one of %s", name, s->word ? s->word : "", list);
    return fallback;
}

bool ff_drive_make_table(ff_arena *arena, const double *points, int count, ff_table *table)
{
    const int n = count / 2;
    double *x = FF_ARENA_NEW(arena, double, count + 1);
    if (!x) return false;
    for (int i = 0; i < n; i++) {
        x[i] = points[2 * i];
        x[n + i] = points[2 * i + 1];
    }
    *table = (ff_table){.x = x, .y = x + n, .n = n};
    return true;
}

/// Reads the points of a table, whose x must rise.
static void read_table(const ff_spec_drive *from, const char *name, ff_arena *arena, ff_table *table, ff_report *report)
{
    const ff_spec_setting *s = ff_drive_setting(from, name);
    if (!s) return;
    bool rising = s->count >= 4 && s->count % 2 == 0;
    for (int i = 2; rising && i < s->count; i += 2) rising = s->values[i] > s->values[i - 2];
    if (!rising) {
        report_error(from, name, report, "'%s' has %d numbers: write x1, y1, x2, y2, .. with x rising", name, s->count);
        return;
    }
    ff_drive_make_table(arena, s->values, s->count, table);
}

/// Reads a table of forces, which must not be negative.
static void read_forces(const ff_spec_drive *from, const char *name, ff_arena *arena, ff_table *table,
                        ff_report *report)
{
    read_table(from, name, arena, table, report);
    for (int i = 0; i < table->n; i++)
        if (table->y[i] < 0.0) {
            report_error(from, name, report, "'%s' has the force %g: it must be zero or more", name, table->y[i]);
            return;
        }
}

static bool read_list(const ff_spec_drive *from, const char *name, double *out, int count, ff_report *report)
{
    const ff_spec_setting *s = ff_drive_setting(from, name);
    if (!s) return false;
    if (s->count != count) {
        report_error(from, name, report, "'%s' has %d numbers, it needs %d", name, s->count, count);
        return false;
    }
    memcpy(out, s->values, (size_t)count * sizeof *out);
    return true;
}

// ------------------------------------------------------------------------------------------ groups

/// Name of the first setting that begins with the name of the group; NULL: there is none.
static const char *first_in_group(const ff_spec_drive *from, const char *group)
{
    for (int i = 0; i < from->nsetting; i++)
        if (strncmp(from->settings[i].name, group, strlen(group)) == 0) return from->settings[i].name;
    return NULL;
}

static void read_motor(ff_drive *d, const ff_spec_drive *from, ff_report *report)
{
    const ff_spec_setting *power = ff_drive_setting(from, "motor.power");
    if (power) {
        const double no_load = number(from, "motor.no_load", 0.0, report),
                     P = power->count == 1 ? power->values[0] : 0.0;
        if (P > 0.0 && no_load > 0.0 && d->dc.voltage > 0.0) {
            const ff_dc_motor motor = ff_dc_motor_from_power(P, no_load, d->dc.voltage);
            d->dc.constant = motor.constant;
            d->dc.resistance = motor.resistance;
            if (!ff_drive_setting(from, "motor.dry_speed")) d->dc.dry_speed = motor.dry_speed;
        } else {
            report_error(from, "motor.power", report,
                         "a motor by its power needs power %g W, no_load %g rad/s and voltage %g V, all positive", P,
                         no_load, d->dc.voltage);
        }
    }
    d->lag = 2.0 * FF_PI * number(from, "motor.lag", 1500.0, report);
    if (d->motor == FF_MOTOR_PMSM) {
        const int pairs = whole(from, "motor.pairs", 1, report);
        d->pmsm = (ff_pmsm){
            .resistance = d->dc.resistance, .inductance_d = d->dc.inductance, .inductance_q = d->dc.inductance};
        d->pmsm.pairs = pairs;
        d->pmsm.flux = pairs > 0 ? d->dc.constant / (1.5 * pairs) : 0.0;
        d->foc = ff_pmsm_control_design(&d->pmsm, 2.0 * FF_PI * number(from, "motor.bandwidth", 1500.0, report),
                                        d->dc.voltage);
        d->foc.period = 1.0 / number(from, "motor.pulses", 28000.0, report);
        d->foc.counts = whole(from, "motor.encoder", 2048, report);
        d->foc.align_current = number(from, "motor.align_current", 5.0, report);
        d->foc.align_time = number(from, "motor.align_time", 1.0, report);
    }
    d->servo.bits = whole(from, "servo.bits", d->servo.bits, report);
    if (d->motor == FF_MOTOR_SERVO) {
        if (d->stall > 0.0) d->servo.stall = d->stall;
        if (d->no_load > 0.0) d->servo.no_load = d->no_load;
    }
}

static void read_spindle(ff_drive *d, const ff_spec_drive *from, ff_arena *arena, ff_report *report)
{
    const ff_spec_setting *lead = ff_drive_setting(from, "spindle.lead");
    const double belt = number(from, "spindle.belt", 1.0, report);
    if (lead && lead->count == 1 && lead->values[0] > 0.0)
        d->ratio = 1.0 / ff_spindle_travel(lead->values[0], belt);
    else if (lead)
        report_error(from, "spindle.lead", report, "the lead of a spindle must be positive");
    else if (ff_drive_setting(from, "spindle.belt"))
        report_error(from, "spindle.belt", report,
                     "a belt without a spindle: give its 'lead', or write the ratio as 'gear'");
    if (lead && ff_drive_setting(from, "gear"))
        report_error(from, "gear", report,
                     "both a gear and the lead of a spindle: the ratio is 2 pi belt / lead, give one");
    d->linear = lead != NULL;
    read_forces(from, "spindle.bound", arena, &d->bound, report);
    if (read_list(from, "spindle.stroke", d->stroke, 2, report) && !(d->stroke[1] > d->stroke[0]))
        report_error(from, "spindle.stroke", report, "a stroke is [low, high], and low must lie below high");
}

static void read_transmission(ff_drive *d, const ff_spec_drive *from, ff_arena *arena, ff_report *report)
{
    d->sea.one = whole(from, "transmission.one_way", 0, report) != 0;
    read_forces(from, "transmission.spring_table", arena, &d->sea.cable.force, report);
    read_forces(from, "cable.table", arena, &d->cable.force, report);
    // the spring of a cable from the stiffness of the joint: K = 2 k r^2 with two cables, k r^2 with one
    const double cables = d->sea.one ? 1.0 : 2.0;
    if (d->transmission == FF_TRANSMISSION_CABLES && !(d->sea.cable.stiffness > 0.0) && d->sea.radius > 0.0) {
        d->sea.cable.stiffness = d->stiffness / (cables * d->sea.radius * d->sea.radius);
        if (!(d->sea.cable.damping > 0.0)) d->sea.cable.damping = d->damping / (cables * d->sea.radius * d->sea.radius);
    }
    if (d->transmission == FF_TRANSMISSION_CABLES) d->stiffness = d->damping = 0.0;
    if (d->transmission == FF_TRANSMISSION_CABLES && !(d->sea.cable.stiffness > 0.0) && d->sea.cable.force.n == 0)
        report_error(from, "transmission.kind", report,
                     "cables need their 'radius' and a 'spring' [N/m], 'stiffness' or 'spring_table'");
    if (d->motor == FF_MOTOR_NONE && !(d->cable.stiffness > 0.0) && d->cable.force.n == 0)
        report_error(from, "kind", report, "a drive without a motor is a cable: give 'cable: {stiffness: ..}'");
}

/// A rod must have two axes and a lever.
static void check_rod(const ff_drive *d, const ff_spec_drive *from, ff_report *report)
{
    const ff_rod *rod = &d->path.rod;
    double lever[2] = {0.0, 0.0};
    for (int k = 0; k < 2; k++)
        if (!(ff_vec3_norm(rod->axis[k]) > 0.5))
            report_error(from, "path.axes", report,
                         "'axes' of a rod are two directions, x y z each, and one has no length");
    for (int n = 0; n < 5 && !(fabs(lever[0]) + fabs(lever[1]) > 1e-9); n++) // levers may vanish in a single pose
        ff_rod_travel(rod, (double[2]){0.1 * n, 0.15 * n}, lever);
    if (!(fabs(lever[0]) + fabs(lever[1]) > 1e-9))
        report_error(from, "path.platform", report,
                     "this rod moves nothing: give a 'base' and a 'platform' beside the axes of its joints");
}

static void read_path(ff_drive *d, const ff_spec_drive *from, ff_arena *arena, ff_report *report)
{
    ff_drive_path *p = &d->path;
    double axes[6] = {0, 1, 0, 1, 0, 0};
    p->kind = (ff_drive_path_kind)word_number(from, "path.kind", ff_drive_path_names, FF_PATH_JOINT, report);
    if (p->kind == FF_PATH_DIFFERENTIAL && p->njoint != 2)
        report_error(from, "path.kind", report, "a differential needs two joints");
    if (p->kind == FF_PATH_DIFFERENTIAL) p->kind = FF_PATH_LEVERS;
    const ff_spec_setting *levers = ff_drive_setting(from, "path.levers");
    if (levers) read_list(from, "path.levers", p->lever, p->njoint, report);
    if (p->kind == FF_PATH_LEVERS && (!levers || (p->lever[0] == 0.0 && (p->njoint == 1 || p->lever[1] == 0.0))))
        report_error(from, levers ? "path.levers" : "path.kind", report,
                     "a path of levers needs 'levers', one a joint, not all zero");
    read_table(from, "path.table", arena, &p->table, report);
    read_list(from, "path.base", p->rod.base, 3, report);
    read_list(from, "path.platform", p->rod.platform, 3, report);
    read_list(from, "path.axes", axes, 6, report);
    ff_vec3_copy(p->rod.axis[0], axes);
    ff_vec3_copy(p->rod.axis[1], axes + 3);
    ff_vec3_normalise(p->rod.axis[0]);
    ff_vec3_normalise(p->rod.axis[1]);
    if (p->kind == FF_PATH_ROD) p->rod.rest = ff_rod_travel(&p->rod, (double[2]){0, 0}, NULL);
    if (p->kind == FF_PATH_CRANK) p->crank_rest = ff_crank_length(&p->crank, 0.0, NULL, NULL);
    if (p->kind == FF_PATH_TABLE && p->table.n == 0)
        report_error(from, "path.kind", report, "a path by table needs 'table: [angle, lever, ..]'");
    if (p->kind == FF_PATH_CRANK && !(p->crank.a > 0.0 && p->crank.b > 0.0))
        report_error(from, "path.kind", report, "a crank needs its arms 'a' and 'b'");
    if (p->njoint == 2 && p->kind != FF_PATH_LEVERS && p->kind != FF_PATH_ROD)
        report_error(from, "path.kind", report, "with two joints its path must be 'levers' or 'rod', not '%s'",
                     ff_drive_path_names[p->kind]);
    if (p->kind == FF_PATH_ROD && p->njoint != 2)
        report_error(from, "path.kind", report, "a path of kind 'rod' needs two joints");
    if (p->kind == FF_PATH_ROD && p->njoint == 2) check_rod(d, from, report);
}

static void read_cascade(ff_drive *d, const ff_spec_drive *from, ff_report *report)
{
    const ff_cascade given = d->cascade;
    const double rotor = d->inertia > 0.0 ? d->inertia : d->ratio * d->ratio * d->dc.rotor,
                 inertia = number(from, "loop.inertia", rotor, report),
                 w_v = 2.0 * FF_PI * number(from, "loop.speed_bandwidth", 100.0, report),
                 w_i = 2.0 * FF_PI * number(from, "loop.current_bandwidth", 1000.0, report);
    if (!(d->dc.constant > 0.0) || !(inertia > 0.0 || given.velocity.kp > 0.0)) {
        report_error(from, "loop.kind", report,
                     "a cascade needs 'motor: {constant: ..}' and a rotor, 'loop: {inertia: ..}' or 'kv'");
        return;
    }
    // the design works with the inertia at the shaft
    d->cascade = ff_cascade_design(&d->dc, inertia / (d->ratio * d->ratio), d->ratio, given.kx > 0.0 ? given.kx : 60.0,
                                   w_v, w_i);
    if (given.velocity.kp > 0.0) d->cascade.velocity.kp = given.velocity.kp;
    if (ff_drive_setting(from, "loop.kiv")) d->cascade.velocity.ki = given.velocity.ki;
    if (given.current.kp > 0.0) d->cascade.current.kp = given.current.kp;
    if (given.current.ki > 0.0) d->cascade.current.ki = given.current.ki;
    d->cascade.velocity.limit = d->peak;
    d->cascade.most_speed = given.most_speed;
    d->cascade.slope = given.slope;
    d->cascade.rate = d->rate > 0.0 ? d->rate : 1e4;
    d->cascade.rate_speed = given.rate_speed > 0.0 ? given.rate_speed : d->cascade.rate;
    d->cascade.rate_current = given.rate_current > 0.0             ? given.rate_current
                              : d->motor == FF_MOTOR_DC && d->pole ? 2e4
                                                                   : 0.0;
    // without the pole the current equals its demand, and a current loop would have nothing to control
    if (d->motor == FF_MOTOR_DC && !d->pole) d->cascade.rate_current = 0.0;
}

static void read_loop(ff_drive *d, const ff_spec_drive *from, ff_report *report)
{
    const bool position = d->kp > 0.0 || d->kd > 0.0;
    d->loop = (ff_drive_loop)word_number(from, "loop.kind", ff_drive_loop_names, position ? FF_LOOP_PD : FF_LOOP_DIRECT,
                                         report);
    d->at_joint = word_number(from, "loop.feedback", ff_drive_feedback_names, 0, report) == 1;
    d->counts = whole(from, "loop.encoder", 0, report);
    if (d->loop == FF_LOOP_CASCADE) read_cascade(d, from, report);
    if (d->rate == 0.0) d->rate = d->loop == FF_LOOP_PD || d->loop == FF_LOOP_DIRECT ? 1000.0 : 1e4;
    if (d->shaper.most_speed > 0.0 && !(d->shaper.most_acceleration > 0.0))
        report_error(from, "shaper.speed", report, "a shaper needs an 'acceleration'");
    if (d->loop != FF_LOOP_FORCE && d->loop != FF_LOOP_COMPLIANT) return;
    if (d->transmission == FF_TRANSMISSION_RIGID && ff_drive_setting(from, "transmission.kind")) {
        // without the spring there is no force to measure: the position loop or the command sets the force itself
        if (d->loop == FF_LOOP_FORCE) d->kp = d->kd = 0.0;
        if (d->loop == FF_LOOP_COMPLIANT && d->compliance.limit > 0.0) d->stall = d->compliance.limit;
        d->loop = FF_LOOP_PD;
        return;
    }
    const double inertia = d->inertia > 0.0 ? d->inertia / (d->ratio * d->ratio) : d->dc.rotor;
    if (d->transmission == FF_TRANSMISSION_RIGID || !(d->dc.constant > 0.0) || !(inertia > 0.0)) {
        report_error(from, "loop.kind", report,
                     "a force loop needs a spring to measure (transmission flexible), a motor constant and a rotor");
        return;
    }
    const ff_force_loop given = d->force_loop;
    d->force_loop =
        ff_force_loop_design(d->stiffness, 1.0 / d->ratio, d->dc.constant, inertia,
                             number(from, "loop.bandwidth", 50.0, report), number(from, "loop.zeta", 0.6, report));
    if (given.p > 0.0) d->force_loop.p = given.p;
    if (given.d > 0.0) d->force_loop.d = given.d;
    d->force_loop.limit = d->peak;
    d->compliance.kp = d->kp;
    d->compliance.kd = d->kd;
}

static void read_thermal(ff_drive *d, const ff_spec_drive *from, ff_report *report)
{
    const ff_spec_setting *time = ff_drive_setting(from, "thermal.time");
    ff_thermal *t = &d->thermal;
    if (!ff_drive_setting(from, "thermal.ambient")) t->ambient = 25.0;
    if (ff_drive_setting(from, "thermal.limit") && !(t->limit > t->ambient))
        report_error(from, "thermal.limit", report, "the limit of temperature must lie above 'ambient' (25 C)");
    else if (!time && first_in_group(from, "thermal.") && !(t->resistance > 0.0 && t->capacity > 0.0))
        report_error(from, first_in_group(from, "thermal."), report,
                     "temperatures need 'resistance' and 'capacity', or 'continuous', 'time' and 'limit'");
    if (!time) return;
    // three phases of amplitude I heat with 3/2 R I^2
    const double winding = d->motor == FF_MOTOR_PMSM ? 1.5 * d->dc.resistance : d->dc.resistance;
    if (time->count == 1 && time->values[0] > 0.0 && t->continuous > 0.0 && t->limit > t->ambient && winding > 0.0)
        *t = ff_thermal_from_current(t->continuous, winding, time->values[0], t->ambient, t->limit);
    else
        report_error(from, "thermal.time", report,
                     "'time' needs a resistance of the motor, a 'continuous' current and a 'limit' above ambient %g",
                     t->ambient);
}

/// Warns of groups without an effect on this kind of drive.
static void report_idle_groups(const ff_drive *d, const ff_spec_drive *from, ff_report *report)
{
    const bool none = d->motor == FF_MOTOR_NONE, servo = d->motor == FF_MOTOR_SERVO, ideal = d->motor == FF_MOTOR_IDEAL;
    const bool torque = ideal && (d->loop == FF_LOOP_DIRECT || d->loop == FF_LOOP_PD);
    const struct {
        const char *group;
        bool idle;
    } groups[] = {{"cable.", !none},
                  {"servo.", !servo},
                  {"loop.", none || servo},
                  {"shaper.", none || servo || d->loop == FF_LOOP_DIRECT || d->loop == FF_LOOP_FORCE},
                  {"motor.", none || servo || torque},
                  {"thermal.", none || servo || ideal},
                  {"transmission.", none}};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        const char *name = groups[i].idle ? first_in_group(from, groups[i].group) : NULL;
        if (name)
            ff_report_add(report, FF_WARNING, ff_drive_setting(from, name)->place,
                          "drive '%.60s': '%s' has no effect on kind '%s' with loop '%s'", d->name, name,
                          ff_drive_motor_names[d->motor], ff_drive_loop_names[d->loop]);
    }
}

void ff_drive_describe(ff_drive *d, const ff_spec_drive *from, const ff_drive_options *options, ff_arena *arena,
                       ff_report *report)
{
    d->motor = (ff_drive_motor)word_number(from, "kind", ff_drive_motor_names, FF_MOTOR_IDEAL, report);
    d->transmission = ff_drive_modelled_transmission(from, options, report);
    read_plain(d, from, report);
    read_motor(d, from, report);
    read_spindle(d, from, arena, report);
    d->pole = ff_drive_keeps_pole(d, options->loop_span > 0.0 ? 0.0 : options->step);
    read_transmission(d, from, arena, report);
    read_path(d, from, arena, report);
    if (d->motor != FF_MOTOR_NONE) read_loop(d, from, report);
    read_thermal(d, from, report);
    report_idle_groups(d, from, report);
}

ff_drive_transmission ff_drive_modelled_transmission(const ff_spec_drive *from, const ff_drive_options *options,
                                                     ff_report *report)
{
    const int described =
        word_number(from, "transmission.kind", ff_drive_transmission_names, FF_TRANSMISSION_RIGID, report);
    if (options->transmission == FF_TRANSMISSION_RIGID) return FF_TRANSMISSION_RIGID;
    const bool backlash = described == FF_TRANSMISSION_BACKLASH || described == FF_TRANSMISSION_TEETH;
    return backlash && options->transmission == FF_TRANSMISSION_FLEXIBLE ? FF_TRANSMISSION_FLEXIBLE
                                                                         : (ff_drive_transmission)described;
}
