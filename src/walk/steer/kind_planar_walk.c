// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {planar_walk: {gait: wave, duty: 0.5, ..}}`: Silva's planar walk (planar_walk.h). Defaults are the numbers
// of his Tables I and IV; `commands` change the plan while it runs. A plan that a foot cannot reach is refused. Torques
// at their bound are reported after the run.
#include "drive/interface.h"
#include "gait/planar_plan.h"
#include "steer/kind.h"

#include <math.h>
#include <stdlib.h>

/// Torques of joints at their bounds: that of the controller or that of the drive, whichever is less. Such a joint
/// falls behind its plan. Joints are counted leg by leg.
typedef struct saturation {
    double bounds[2 * FF_PLANAR_LEGS]; // infinite: none  [N m]
    uint32_t now;                      // 1: a joint was at its bound in the last cycle
    bool ever;                         // in any cycle
    int first_joint;
    double first_time; // [s]
} saturation;

typedef struct planar_controller {
    const ff_model *model;
    ff_planar_walk *walk;
    ff_controller inner; // that of the walk
    double most;         // torque of the controller, 0: no bound  [N m]
    saturation torque;
} planar_controller;

// ------------------------------------------------------------------------------------------ reading

/// `order` and `terms` name two approximations, of which one is used.
static void check_order(ff_yaml *node, ff_planar_walk_options *o, ff_report *report)
{
    ff_yaml *order = ff_yaml_get(node, "order"), *terms = ff_yaml_get(node, "terms");
    if (order && terms)
        ff_report_add(report, FF_ERROR, terms->key_place,
                      "give either 'order' (of a Pade approximant) or 'terms' (of the series)");
    if (terms) o->order = 0;
    if (order && o->order < 1)
        ff_report_add(report, FF_ERROR, order->place, "'order' is %d: it must be from 1 to %d", o->order,
                      FF_FRACTIONAL_ORDER_MAX);
}

static void set_defaults(void *settings)
{
    *(ff_planar_walk_options *)settings = ff_planar_walk_options_default();
}

static bool read(const ff_steer_reader *r, ff_yaml *node, void *settings)
{
    ff_planar_walk_options *o = settings;
    const int errors = r->report->errors;
    o->plan.legs = r->robot ? r->robot->nleg : 0;
    ff_control_keys_read(r, node, ff_planar_plan_settings, &o->plan, NULL);
    check_order(node, o, r->report);
    return r->report->errors == errors;
}

static void check_command(const ff_steer_reader *r, ff_yaml *entry, void *settings, const ff_command *command)
{
    ff_planar_plan plan = ((const ff_planar_walk_options *)settings)->plan;
    ff_error err = {0};
    ff_settings_merge(ff_planar_plan_settings, command->given, command->values, &plan);
    if (command->valid && ff_planar_plan_check(&plan, &err) != FF_OK)
        ff_report_add(r->report, FF_ERROR, entry->place, "%s", err.text);
}

// ------------------------------------------------------------------------------------------ saturation

/// Greatest torque of the drive of a joint, infinite where it has no bound. `set` may be NULL.
static double bound_of(const ff_drive_set *set, int joint)
{
    double bound = INFINITY;
    for (int i = 0; set && i < set->n; i++)
        if (set->drives[i].path.joint[0] == joint && set->drives[i].stall > 0.0) bound = set->drives[i].stall;
    return bound;
}

static int joint_at(const ff_model *m, int k)
{
    return m->legs[k / 2].joints[k % 2];
}

static void find_bounds(const ff_model *m, double most, saturation *s)
{
    ff_drive_set *set = ff_drive_set_create(m, NULL, NULL);
    for (int k = 0; k < 2 * m->nleg; k++) {
        const double drive = bound_of(set, joint_at(m, k));
        s->bounds[k] = most > 0.0 ? ff_min(most, drive) : drive;
    }
    ff_drive_set_destroy(set);
}

static void watch_torques(saturation *s, int count, double t, const double *values)
{
    int at = 0;
    while (at < count && fabs(values[ff_planar_torque_signal(at)]) < s->bounds[at]) at++;
    s->now = at < count;
    if (!s->now || s->ever) return;
    s->ever = true;
    s->first_joint = at;
    s->first_time = t;
}

// ------------------------------------------------------------------------------------------ at work

static ff_status create(const void *settings, const ff_controller_site *site, void **out, ff_error *err)
{
    ff_planar_walk_options options = *(const ff_planar_walk_options *)settings;
    options.rate = 1.0 / site->period;
    planar_controller *c = calloc(1, sizeof *c);
    *out = c;
    if (!c) return ff_error_set(err, FF_NO_MEMORY, "no memory for a planar walk");
    c->model = site->robot;
    c->most = options.torque;
    c->walk = ff_planar_walk_create(site->robot, &options, err);
    return c->walk ? FF_OK : err->status;
}

static ff_status bind(void *controller, const ff_controller_site *site, ff_controller *bound, ff_error *err)
{
    planar_controller *c = controller;
    const ff_status status = ff_planar_walk_bind(c->walk, site->sensors, site->references, err);
    if (status != FF_OK) return status;
    c->inner = *bound = ff_planar_walk_controller(c->walk);
    bound->conditions = &c->torque.now;
    find_bounds(site->robot, c->most, &c->torque);
    return FF_OK;
}

static void step(void *controller, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    planar_controller *c = controller;
    c->inner.cycle(c->inner.context, t, sensors, references);
    watch_torques(&c->torque, 2 * c->model->nleg, t, c->inner.values);
}

static void destroy(void *controller)
{
    planar_controller *c = controller;
    ff_planar_walk_destroy(c->walk);
    free(c);
}

static void start(const void *controller, double *q, double *v)
{
    ff_planar_walk_start(((const planar_controller *)controller)->walk, q, v);
}

static ff_status give_command(void *controller, double t, const ff_command *command, ff_error *err)
{
    planar_controller *c = controller;
    ff_planar_plan plan = *ff_planar_walk_plan(c->walk);
    ff_settings_merge(ff_planar_plan_settings, command->given, command->values, &plan);
    (void)t;
    return ff_planar_walk_command(c->walk, &plan, err);
}

static int list_keys(const void *controller, ff_command_key *out, int most)
{
    const ff_planar_plan *p = ff_planar_walk_plan(((const planar_controller *)controller)->walk);
    const ff_command_range ranges[] = {{.row = FF_PLANAR_GAIT},
                                       {FF_PLANAR_SPEED, 0, ff_max(2.0, 1.5 * p->speed)},
                                       {FF_PLANAR_STEP, 0.1 * p->step, 2.0 * p->step},
                                       {FF_PLANAR_DUTY, 0.1, 0.9},
                                       {FF_PLANAR_HEIGHT, 0.7 * p->height, 1.3 * p->height},
                                       {FF_PLANAR_CLEARANCE, 0, ff_max(0.1, 2.0 * p->clearance)},
                                       {.row = FF_PLANAR_PATH},
                                       {.row = FF_PLANAR_CENTRED}};
    return FF_COMMAND_KEYS(ff_planar_plan_settings, p, ranges, out, most);
}

static ff_body_command get_body_command(const void *controller)
{
    const ff_planar_plan *plan = ff_planar_walk_plan(((const planar_controller *)controller)->walk);
    return (ff_body_command){.moves = true, .ahead = plan->speed, .height = plan->height};
}

static const char *status_text(int bit)
{
    return bit == 0 ? "torque at its bound" : "";
}

static void report_warnings(const void *controller, ff_place place, ff_report *report)
{
    const planar_controller *c = controller;
    const saturation *s = &c->torque;
    if (!s->ever) return;
    ff_report_add(report, FF_WARNING, place, "while walking: %s: first joint '%s' at %.6g s, %g N m", status_text(0),
                  c->model->joints[joint_at(c->model, s->first_joint)].name, s->first_time, s->bounds[s->first_joint]);
}

const ff_controller_kind ff_controller_planar_walk = {.name = "planar_walk",
                                                      .help = "walks in a plane on legs with two joints (Silva)",
                                                      .period = 0.5e-3,
                                                      .gives_positions = true,
                                                      .parameters = ff_planar_walk_settings,
                                                      .settings_size = sizeof(ff_planar_walk_options),
                                                      .set_defaults = set_defaults,
                                                      .read = read,
                                                      .create = create,
                                                      .bind = bind,
                                                      .step = step,
                                                      .destroy = destroy,
                                                      .commands = ff_planar_plan_settings,
                                                      .begins_commanded = true,
                                                      .command_size = sizeof(ff_planar_plan),
                                                      .read_command = check_command,
                                                      .command = give_command,
                                                      .command_keys = list_keys,
                                                      .body_command = get_body_command,
                                                      .start = start,
                                                      .status_text = status_text,
                                                      .report = report_warnings};
