// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Drives of a scene as servos of a batch. Supported are drives whose motor, transmission and loop have no state between
// two samples. A host that sends targets over a bus is modelled as a delay of the servos.
//     ideal     loop pd, or the joint law sampled by the host; the torque is held between samples; its limit, which
//               decreases with the speed, is applied at every step
//     dc        loop pd; the voltage is held between samples, the current follows it without delay
//     servo     the target is held for one frame of the servo
// Two motors of a differential are servos of its two joints; their targets are angles of these joints.
#include "run/batch.h"

#include "drive/interface.h"
#include "drive/private.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ unsupported drives

static const char *why_motor_unsupported(const ff_drive *d)
{
    if (d->motor == FF_MOTOR_NONE) return "it is a cable without a motor";
    if (d->motor == FF_MOTOR_LAG || d->motor == FF_MOTOR_PMSM)
        return "the current of its motor moves on its own; 'effects: {drives: ideal}' does without";
    if (d->pole || d->span > 0.0)
        return "the current of its motor moves on its own; a longer step leaves that out, and 'drives: ideal' does";
    if (d->motor == FF_MOTOR_DC && d->loop == FF_LOOP_DIRECT) return "its reference is a voltage";
    if (d->motor == FF_MOTOR_DC && d->peak > 0.0 && ff_drive_limits_temperature(d))
        return "its temperature bounds its current, and is a state of its own";
    if (d->motor == FF_MOTOR_SERVO && !(d->servo.stall > 0.0)) return "its servo has no torque";
    return d->battery >= 0 ? "a battery feeds it; 'effects: {battery: none}' does without" : NULL;
}

static const char *why_loop_unsupported(const ff_drive *d)
{
    if (d->motor != FF_MOTOR_SERVO && d->loop != FF_LOOP_DIRECT && d->loop != FF_LOOP_PD)
        return "its loop has a memory: only 'pd' and 'direct' have none";
    if (d->shaper.most_acceleration > 0.0) return "its shaper has a memory";
    if (d->stroke[1] > d->stroke[0]) return "it has limit switches";
    if (d->counts > 0 && d->ratio < 0.0) return "its encoder turns against the joint";
    return d->bound.n > 0 ? "its amplifier has a torque limit that depends on the speed" : NULL;
}

/// Why a drive cannot be a servo; NULL: it can.
static const char *why_unsupported(const ff_drive *d)
{
    const char *reason = why_motor_unsupported(d);
    if (reason) return reason;
    if (d->transmission != FF_TRANSMISSION_RIGID)
        return "its transmission moves on its own; 'effects: {transmission: rigid}' does without";
    if (d->partner < 0 && (d->path.kind != FF_PATH_JOINT || d->path.offset != 0.0))
        return "it does not sit on one joint: a batch has differentials, but no levers, cranks and rods";
    if (d->partner >= 0 && d->motor != FF_MOTOR_SERVO && d->loop == FF_LOOP_DIRECT)
        return "a motor of a differential needs a loop of its own in a batch: 'pd'";
    return why_loop_unsupported(d);
}

// ------------------------------------------------------------------------------------------ servos

static int steps_of(const ff_batch_plan *plan, const ff_drive *d, double time)
{
    const int steps = ff_batch_plan_steps(plan, d->place, "a sample of drive", d->name, time);
    return steps < 0 ? 1 : steps;
}

static ff_batch_motor motor_of(const ff_drive *d)
{
    return (ff_batch_motor){.constant = d->dc.constant,
                            .resistance = d->dc.resistance,
                            .voltage = d->dc.voltage,
                            .current = d->peak,
                            .gear = fabs(d->ratio),
                            .efficiency = d->efficiency,
                            .viscous = d->dc.viscous,
                            .dry = d->dc.dry,
                            .dry_speed = d->dc.dry_speed};
}

static ff_batch_servo hobby_servo(const ff_batch_plan *plan, const ff_drive *d)
{
    const ff_servo *from = &d->servo;
    ff_batch_servo s = {.stiffness = from->stiffness,
                        .damping = from->damping,
                        .most = from->stall,
                        .no_load = from->no_load,
                        .loop.frame = steps_of(plan, d, from->frame)};
    if (!(from->range > 0.0)) return s;
    s.loop.reach[0] = -0.5 * from->range;
    s.loop.reach[1] = 0.5 * from->range;
    if (from->bits > 0) s.loop.notch = from->range / (double)(1L << (from->bits < 31 ? from->bits : 31));
    return s;
}

/// A drive without a loop follows the joint law as the host samples it.
static ff_batch_servo joint_law_servo(const ff_batch_plan *plan, const ff_drive *d)
{
    const ff_run_law *law = plan->run->law;
    ff_batch_servo s = {.loop.period = steps_of(plan, d, FF_RUN_COMMAND_PERIOD)};
    if (law) s.stiffness = law->asked.stiffness, s.damping = law->asked.damping;
    if (plan->run->scene->bus.modelled && (s.stiffness > 0.0 || s.damping > 0.0))
        ff_report_add(plan->report, FF_ERROR, d->place,
                      "a batch cannot have drive '%s': its loop is closed over the bus, by what sensors measured "
                      "before; a 'loop' of its own is not",
                      d->name);
    return s;
}

static ff_batch_servo servo_of(const ff_batch_plan *plan, const ff_drive *d)
{
    if (d->motor == FF_MOTOR_SERVO) return hobby_servo(plan, d);
    ff_batch_servo s = {0};
    if (d->loop == FF_LOOP_DIRECT) {
        s = joint_law_servo(plan, d);
    } else {
        s.stiffness = d->kp;
        s.damping = d->kd;
        s.loop.period = steps_of(plan, d, 1.0 / d->rate);
        s.loop.reach[0] = d->reach[0];
        s.loop.reach[1] = d->reach[1];
        if (d->counts > 0) s.loop.encoder = 2.0 * FF_PI / d->counts / d->ratio;
    }
    s.most = d->stall;
    if (d->motor == FF_MOTOR_DC)
        s.motor = motor_of(d);
    else if (d->stall > 0.0)
        s.no_load = d->no_load;
    return s;
}

// ------------------------------------------------------------------------------------------ references

/// Number of steps from a target to the first sample of a loop that uses it. A target that arrives at the time of a
/// sample is too late for it (plant/bus.c).
static int delay_of_bus(const ff_batch_plan *plan)
{
    const ff_scene_spec *scene = plan->run->scene;
    const ff_bus *bus = &scene->bus;
    if (!bus->modelled) return 0;
    if (bus->jitter > 0.0 || bus->loss > 0.0)
        ff_report_add(plan->report, FF_ERROR, scene->plant_place,
                      "a batch has no jitter and no losses of the bus, and this one has %g s and %g: write 'bus: "
                      "{jitter: 0, loss: 0}'",
                      bus->jitter, bus->loss);
    return ff_batch_plan_steps(plan, scene->plant_place, "a telegram of the bus", "", bus->transfer) + 1;
}

/// References that the drives have at the start, by drive: those of the joint law, or those in their memory.
static void fill_references(const ff_batch_plan *plan, ff_io_frame *frame, double *out)
{
    const ff_run *run = plan->run;
    const int n = run->scene->plant->drives->n;
    const bool sent = run->law && !run->scene->bus.modelled;
    if (sent) ff_run_send_targets(run, 0.0, NULL, NULL, frame);
    const ff_io_item *items = ff_io_items_of(frame);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            out[3 * i + k] = sent && items[3 * i + k].valid
                                 ? items[3 * i + k].value
                                 : ff_sim_drive_memory(run->sim, (ff_drive_id){i})->reference[k];
}

/// References of the motors of differentials become those of their joints.
static void refer_to_joints(const ff_drive_set *set, double *references)
{
    for (int i = 0; i < set->n; i++) {
        const int other = set->drives[i].partner;
        if (other < i) continue;
        double motors[2][3], joints[2][3];
        memcpy(motors[0], references + 3 * i, sizeof *motors);
        memcpy(motors[1], references + 3 * other, sizeof *motors);
        ff_differential_to_joints(&set->drives[i], &set->drives[other], (const double(*)[3])motors, joints);
        memcpy(references + 3 * i, joints[0], sizeof *joints);
        memcpy(references + 3 * other, joints[1], sizeof *joints);
    }
}

/// Applies `references` of the scene that are due at the start. Later ones, or those of drives that the joint law
/// commands, are errors.
static void take_references(const ff_batch_plan *plan, double *out)
{
    const ff_scene_spec *scene = plan->run->scene;
    for (int i = 0; i < scene->nreference; i++) {
        const ff_scene_reference *ref = &scene->references[i];
        if (ref->at > 0.0 || scene->bus.modelled)
            ff_report_add(plan->report, FF_ERROR, ref->place,
                          "a batch has no references that come later: its callers set the targets of the servos");
        else if (plan->run->law)
            ff_report_add(plan->report, FF_ERROR, ref->place,
                          "a batch has no references of drive '%s' beside 'control', whose targets replace them after "
                          "%g s: leave out one of the two",
                          scene->plant->drives->drives[ref->drive].name, FF_RUN_COMMAND_PERIOD);
        for (int k = 0; k < 3; k++)
            if (ref->given[k]) out[3 * ref->drive + k] = ref->value[k];
    }
}

// ------------------------------------------------------------------------------------------ all drives

/// Checks and sets the period of the cycle of poses, which the host sends to the drives.
static void check_cycle(ff_batch_plan *plan, int law_servos)
{
    const ff_scene_spec *scene = plan->run->scene;
    if (!plan->given.poses || plan->nservo == law_servos) return;
    if (scene->bus.modelled)
        ff_report_add(plan->report, FF_ERROR, scene->plant_place,
                      "a batch leads no cycle of poses over a modelled bus: its callers set the targets");
    if (law_servos > 0)
        ff_report_add(plan->report, FF_ERROR, scene->plant_place,
                      "a batch leads a cycle of poses by drives alone or without any, and joint '%s' has none",
                      scene->model->joints[plan->servos[0].joint].name);
    const int every = ff_batch_plan_steps(plan, scene->plant_place, "a cycle of the host", "", FF_RUN_COMMAND_PERIOD);
    plan->given.every = every > 1 ? every : 1;
}

static ff_batch_pair pair_of(const ff_drive *a, const ff_drive *b)
{
    const ff_drive *const motor[2] = {a, b};
    ff_batch_pair pair = {.joint = {a->path.joint[0], a->path.joint[1]}, .place = a->place};
    for (int i = 0; i < 2; i++) {
        memcpy(pair.lever[i], motor[i]->path.lever, sizeof pair.lever[i]);
        pair.offset[i] = motor[i]->path.offset;
        if (ff_drive_couples(motor[i])) pair.rotor[i] = motor[i]->inertia;
    }
    return pair;
}

static void add_servos(ff_batch_plan *plan, const double *references)
{
    const ff_drive_set *set = plan->run->scene->plant->drives;
    const ff_model *model = plan->run->scene->model;
    for (int i = 0; i < set->n; i++) {
        const ff_drive *d = &set->drives[i];
        const char *reason = why_unsupported(d);
        if (reason)
            ff_report_add(plan->report, FF_ERROR, d->place, "a batch cannot have drive '%s': %s", d->name, reason);
        if (reason) continue;
        const int joint = d->path.joint[d->partner >= 0 && d->partner < i ? 1 : 0];
        double *target = plan->targets + 3 * plan->nservo;
        for (int k = 0; k < 3; k++) target[k] = references[3 * i + k];
        if (plan->given.poses) target[0] -= plan->given.poses[model->joints[joint].qadr];
        ff_batch_servo *servo = &plan->servos[plan->nservo++];
        *servo = servo_of(plan, d);
        servo->joint = joint;
        if (d->partner > i && !why_unsupported(&set->drives[d->partner]))
            plan->pairs[plan->given.npair++] = pair_of(d, &set->drives[d->partner]);
    }
}

void ff_batch_plan_drives(ff_batch_plan *plan)
{
    const ff_drive_set *set = plan->run->scene->plant->drives;
    if (!set || set->n == 0) return;
    const int law_servos = plan->nservo;
    double *references = FF_ARENA_NEW(&plan->arena, double, 3 * set->n);
    ff_io_frame *frame = (ff_io_frame *)(void *)FF_ARENA_NEW(&plan->arena, ff_io_item, 3 * set->n + 2);
    plan->pairs = FF_ARENA_NEW(&plan->arena, ff_batch_pair, set->n);
    if (!references || !frame || !plan->pairs) {
        ff_report_add(plan->report, FF_ERROR, (ff_place){0}, "no memory for %d drives", set->n);
        return;
    }
    fill_references(plan, frame, references);
    take_references(plan, references);
    refer_to_joints(set, references);
    add_servos(plan, references);
    const int delay = delay_of_bus(plan);
    if (delay > 0 && law_servos > 0)
        ff_report_add(plan->report, FF_ERROR, plan->run->scene->plant_place,
                      "a batch has one delay for all servos, and joint '%s' has no drive that the bus leads to",
                      plan->run->scene->model->joints[plan->servos[0].joint].name);
    for (int i = 0; i < plan->nservo; i++) plan->servos[i].delay = delay;
    check_cycle(plan, law_servos);
}
