// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The walking controller: one cycle computes references from sensor values through the three levels. It allocates at
// creation alone, and all that changes is one block of plain data.
#include "base/missing.h"
#include "control/setting.h"
#include "gait/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEADY    0.05 // time on its feet before a robot walks [s]
#define LONG_WAIT 2.0  // longest time to wait for that [s]
#define AT_STANCE 0.03 // a robot this near to its stance starts there: sensors are no more accurate [rad]

// ------------------------------------------------------------------------------------------ settings

static const ff_key_group STANCE =
    FF_GROUP("stance", "The figure on which the feet stand: a rectangle or an ellipse.",
             FF_NUMBERS("rectangle", 2, 2, "m", FF_ANY, NULL, "rectangle: half its lengths [ahead, sideways]"),
             FF_NUMBERS("ellipse", 2, 2, "m", FF_ANY, NULL, "ellipse: its half axes [ahead, sideways]"));

#define OF ff_hexapod_options
const ff_row ff_hexapod_settings[] = {
    FF_SETTING_NUMBER("transfer_limit", transfer_limit, "m/s", FF_POSITIVE, "0.6", "largest speed of feet in the air"),
    FF_SETTING_NUMBER("margin", margin, "m", FF_NOT_NEGATIVE, "0.014",
                      "stability margin that the shift of the body aims at"),
    FF_SETTING_NUMBER("shift_speed", shift_speed, "m/s", FF_POSITIVE, "0.2", "largest speed of the shift of the body"),
    FF_SETTING_NUMBER("shift_rate", shift_rate, "m/s^2", FF_POSITIVE, "0.9", "largest acceleration of the shift"),
    FF_SETTING_NUMBER("shift_limit", shift_limit, "m", FF_NOT_NEGATIVE, "0.05", "largest shift of the body"),
    FF_SETTING_NUMBER("force_gain", force_gain, "m/(N s)", FF_NOT_NEGATIVE, "0.001",
                      "integral gain of the control of foot forces"),
    FF_SETTING_NUMBER("force_leak", force_leak, "s", FF_POSITIVE, "4",
                      "time constant of the decay of a foot's correction"),
    FF_SETTING_NUMBER("force_limit", force_limit, "m", FF_NOT_NEGATIVE, "0.008", "largest correction of a foot"),
    FF_SETTING_NUMBER("stale", stale, "s", FF_POSITIVE, "0.05", "age above which a sensor value is not used"),
    FF_SETTING_NUMBER("acceleration", step.acceleration, "m/s^2", FF_POSITIVE, "0.5",
                      "largest acceleration of the body"),
    FF_SETTING_NUMBER("behind", step.behind, "", FF_POSITIVE, "0.6",
                      "share of a footstep by which a foot may fall behind before the body waits"),
    FF_SETTING_NUMBER("catch_up", step.catch_up, "", FF_AT_LEAST(1), "1.25",
                      "largest factor on the speed of a late leg in the air"),
    FF_SETTING_NUMBER("adapt", step.adapt, "m/s", FF_POSITIVE, "0.05", "speed with which the body follows the ground"),
    FF_SETTING_NUMBER("level", step.level, "s", FF_POSITIVE, "0.35", "time constant of the attitude of the body"),
    FF_SETTING_NUMBER("parallel", step.parallel, "s", FF_POSITIVE, "1",
                      "the same where the attitude is not measured: it turns parallel to its feet"),
    FF_SETTING_NUMBER("posture", posture, "s", FF_POSITIVE, "0.4",
                      "integral time with which joint sensors correct height and attitude"),
    FF_SETTING_NUMBER("most_speed", step.most_speed, "m/s", FF_POSITIVE, "0.8", "largest speed of a foot in the air"),
    FF_SETTING_NUMBERS("contact", contact_on, 2, "N", FF_NOT_NEGATIVE, "[1.5, 0.7]",
                       "[on, off]: vertical forces at which a foot touches and no longer does"),
    FF_SETTING_TEXT("pose", pose, "stand", "standing pose, from the robot's file"),
    FF_SETTING_SWITCH("feedforward", feedforward, "true",
                      "send the torques of weight and foot forces with the references"),
    FF_MAP("stance", &STANCE, "figure on which the feet stand; without it, as in the pose"),
    {0},
};
#undef OF

// Settings that have no key in files.
#define OF ff_hexapod_options
static const ff_row PROGRAM_SETTINGS[] = {
    FF_SETTING_NUMBER("search", step.search, "m/s", FF_NOT_NEGATIVE, "0.1",
                      "of a foot that has lost the ground, downwards"),
    FF_SETTING_NUMBER("lost", step.lost, "s", FF_POSITIVE, "0.1", "after which such a foot no longer counts as down"),
    FF_SETTING_NUMBER("settle", step.settle, "m/s", FF_ANY, "0.05", "of a foot from where it touched to the ground"),
    FF_SETTING_NUMBER("close", step.close, "m", FF_NOT_NEGATIVE, "0.004", "to its centre a foot need not step"),
    FF_SETTING_NUMBER("rise", rise, "rad/s", FF_POSITIVE, "0.8", "joint speed on the way to the stance at the start"),
    {0},
};
#undef OF

ff_hexapod_options ff_hexapod_options_default(void)
{
    ff_hexapod_options o = {.stance = FF_STANCE_POSE};
    ff_settings_default(ff_hexapod_settings, &o);
    ff_settings_default(PROGRAM_SETTINGS, &o);
    return o;
}

static ff_status check_options(const ff_hexapod_options *o, ff_error *err)
{
    ff_status status = ff_settings_check(ff_hexapod_settings, o, err);
    if (status == FF_OK) status = ff_settings_check(PROGRAM_SETTINGS, o, err);
    if (status != FF_OK) return status;
    if (!(o->contact_on > 0.0))
        return ff_error_set(err, FF_BAD_ARGUMENT, "contact_on is %g N: it must be positive", o->contact_on);
    if (!(o->contact_off <= o->contact_on))
        return ff_error_set(err, FF_BAD_ARGUMENT, "contact_off %g N lies above contact_on %g N", o->contact_off,
                            o->contact_on);
    return FF_OK;
}

const char *ff_walk_status_text(int bit)
{
    static const char *const texts[FF_WALK_STATUS_BITS] = {"speed beyond the limit of the transfer, clamped",
                                                           "pose or step beyond reach, clamped",
                                                           "a foot or joint could not follow",
                                                           "contact of a foot unknown or ignored",
                                                           "no joint data received",
                                                           "centre of mass outside the support",
                                                           "a number that is not finite was left out",
                                                           "the body waited for a foot",
                                                           "a joint does not follow, the robot stopped"};
    return bit >= 0 && bit < FF_WALK_STATUS_BITS ? texts[bit] : "";
}

// ------------------------------------------------------------------------------------------ signals

/// Number of a phase in the thesis.
static double part_number(ff_footstep_phase phase)
{
    static const double numbers[] = {2.0, 23.0, 13.0, 14.0, 24.0};
    return numbers[phase];
}

/// Vertical forces of the feet that are down against the wanted ones, root mean square [N].
static double force_error(const ff_walk_robot *robot, const ff_walk_memory *memory)
{
    double sum = 0.0;
    int n = 0;
    for (int i = 0; i < robot->n; i++) {
        if (!ff_footstep_is_down(&robot->step, &memory->step.legs[i])) continue;
        const double error = memory->plan.force[i] - memory->seen.force[i];
        sum += error * error;
        n++;
    }
    return n > 0 ? sqrt(sum / n) : 0.0;
}

static void list_signals(const ff_hexapod *h, ff_gait_signals *s)
{
    static const char *const axes[3] = {"x", "y", "z"};
    static const char *const footholds[FF_WALK_SHOWN] = {"foothold.1", "foothold.2", "foothold.3",
                                                         "foothold.4", "foothold.5", "foothold.6"};
    const ff_walk_memory *memory = &h->memory;
    const ff_footstep_memory *step = &memory->step;
    const ff_walk_plan *plan = &memory->plan;
    const ff_walk_hand *hand = &memory->hand;
    const double *velocity = h->setpoint.velocity, pace = step->pace;
    ff_gait_signal(s, "status", "1", memory->status);
    ff_gait_signal(s, "pace", "1", pace);
    ff_gait_signal(s, "clock", "1", step->clock);
    ff_gait_signal(s, "support", "1", plan->support);
    ff_gait_signal(s, "margin", "m", plan->margin);
    ff_gait_signal(s, "forecast", "m", plan->forecast);
    for (int k = 0; k < 2; k++) ff_gait_signal_of(s, "shift", axes[k], "m", plan->shift[k]);
    ff_gait_signal(s, "raised", "m", step->raised);
    ff_gait_signal(s, "tilt.roll", "rad", memory->tilt[0]);
    ff_gait_signal(s, "tilt.pitch", "rad", memory->tilt[1]);
    for (int k = 0; k < 2; k++) ff_gait_signal_of(s, "com", axes[k], "m", memory->seen.com[k]);
    ff_gait_signal(s, "sunk", "m", memory->sunk[0]);
    ff_gait_signal(s, "speed", "m/s", pace * sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1]));
    ff_gait_signal(s, "turn", "rad/s", pace * h->setpoint.turn);
    ff_gait_signal(s, "force.error", "N", force_error(&h->robot, memory));
    ff_gait_signal(s, "hand.leg", "1", hand->stage != FF_HAND_NONE ? hand->leg + 1 : 0);
    ff_gait_signal(s, "hand.stage", "1", hand->stage);
    ff_gait_signal(s, "hand.stopped", "1", hand->stopped);
    for (int k = 0; k < 3; k++) ff_gait_signal_of(s, "hand", axes[k], "m", hand->at[k]);
    for (int k = 0; k < 3; k++) ff_gait_signal_of(s, "hand.force", axes[k], "N", hand->force[k]);
    ff_gait_signal(s, "probe.stage", "1", hand->probe.stage);
    ff_gait_signal(s, "probe.count", "1", memory->probes);
    ff_gait_signal(s, "probe.depth", "m", hand->probe.depth[1]);
    for (int i = 0; i < FF_WALK_SHOWN; i++) {
        const ff_walk_ground *ground = &memory->footholds[i].ground;
        ff_gait_signal_of(s, footholds[i], "stiffness", "N/m", ground->stiffness);
        ff_gait_signal_of(s, footholds[i], "damping", "N s/m^2", ground->damping);
        ff_gait_signal_of(s, footholds[i], "friction", "1", ground->friction);
    }
    for (int i = 0; i < h->robot.n; i++) {
        const char *name = h->robot.model->legs[i].name;
        const ff_footstep_leg *leg = &step->legs[i];
        ff_gait_signal_of(s, name, "phase", "1", part_number(leg->phase));
        ff_gait_signal_of(s, name, "contact", "1", memory->seen.contact[i]);
        ff_gait_signal_of(s, name, "foot.x", "m", leg->foot[0]);
        ff_gait_signal_of(s, name, "foot.y", "m", leg->foot[1]);
        ff_gait_signal_of(s, name, "height", "m", plan->foot[i][2]);
        ff_gait_signal_of(s, name, "travel", "m", leg->travel);
        ff_gait_signal_of(s, name, "ideal.travel", "m", leg->ideal[0]);
        ff_gait_signal_of(s, name, "ideal.height", "m", leg->ideal[1]);
        ff_gait_signal_of(s, name, "force.wanted", "N", plan->force[i]);
        ff_gait_signal_of(s, name, "force.seen", "N", memory->seen.force[i]);
    }
}

// ------------------------------------------------------------------------------------------ making

/// Lists the numbers of setpoint and plan that the servo level needs.
static void list_planner_output(ff_hexapod *h)
{
    static const char *const axes[3] = {"x", "y", "z"};
    const ff_walk_robot *robot = &h->robot;
    ff_io_numbers *n = &h->planner_output;
    ff_walk_plan *plan = &h->memory.plan;
    ff_io_numbers_add(n, &h->planner_status, "1", "status");
    ff_io_numbers_add(n, &h->setpoint.height, "m", "height");
    ff_io_numbers_add(n, &h->setpoint.roll, "rad", "roll");
    ff_io_numbers_add(n, &h->setpoint.pitch, "rad", "pitch");
    for (int k = 0; k < 2; k++) ff_io_numbers_add(n, &plan->shift[k], "m", "shift.%s", axes[k]);
    for (int j = 0; j < robot->nbody; j++) {
        const ff_joint *joint = &robot->model->joints[robot->joints[robot->body + j]];
        ff_io_numbers_add(n, &h->setpoint.body[j], joint->type == FF_JOINT_SLIDE ? "m" : "rad", "body.%s", joint->name);
    }
    for (int i = 0; i < robot->n; i++) {
        const char *leg = robot->model->legs[i].name;
        for (int k = 0; k < 3; k++) ff_io_numbers_add(n, &plan->foot[i][k], "m", "%s.foot.%s", leg, axes[k]);
        ff_io_numbers_add(n, &plan->force[i], "N", "%s.force", leg);
    }
}

ff_walk_command ff_hexapod_first_command(const ff_hexapod *h)
{
    const ff_walk_robot *robot = &h->robot;
    ff_walk_command command = {.gait = FF_GAIT_TRIPOD,
                               .length = 0.07,
                               .zone = 0.025, // obstacles of 2.5 cm were verified with it (thesis, Fig. 3.22)
                               .height = robot->height,
                               .shift_body = true,
                               .control_forces = true,
                               .hand_speed = 0.05};
    if (!robot->step.allowed[FF_GAIT_TRIPOD]) command.gait = FF_GAIT_WAVE;
    for (int i = 0; i < FF_WALK_LEGS; i++) command.scale[i] = 1.0;
    for (int j = 0; j < robot->nbody; j++) command.body[j] = robot->stand[robot->body + j];
    return command;
}

static void reset(ff_hexapod *h)
{
    const ff_walk_robot *robot = &h->robot;
    ff_walk_memory *memory = &h->memory;
    memset(memory, 0, sizeof *memory);
    ff_walk_senses *s = &memory->senses;
    const ff_gait_sample never = {.age = INFINITY};
    for (int j = 0; j < FF_WALK_JOINTS; j++) s->joint[j] = never;
    for (int i = 0; i < FF_WALK_LEGS; i++) {
        for (int k = 0; k < 3; k++) s->force[i][k] = never;
        s->touch[i] = never;
    }
    for (int k = 0; k < 2; k++) s->spin[k] = s->attitude[k] = never;
    memory->command = ff_hexapod_first_command(h);
    memory->height = robot->height;
    memcpy(memory->body, memory->command.body, sizeof memory->body);
    memcpy(memory->position, robot->stand, sizeof memory->position);
    ff_footstep_start(&robot->step, robot->centre, &memory->step);
    for (int i = 0; i < robot->n; i++) {
        memory->plan.foot[i][0] = robot->centre[i][0];
        memory->plan.foot[i][1] = robot->centre[i][1];
        memory->plan.force[i] = robot->weight / robot->n;
    }
}

ff_hexapod *ff_hexapod_create(const ff_model *model, const ff_hexapod_options *options, ff_error *err)
{
    const ff_hexapod_options standard = ff_hexapod_options_default();
    if (!model) return ff_error_missing(err, __func__, "model"), NULL;
    if (!options) options = &standard;
    if (check_options(options, err) != FF_OK) return NULL;
    ff_hexapod *h = calloc(1, sizeof *h);
    if (h) h->d = ff_data_create(model, NULL);
    ff_gait_signals signals = {.names = h ? h->names : NULL, .most = FF_WALK_SIGNALS, .err = err};
    ff_status status = h && h->d ? ff_walk_robot_make(model, options, h->d, &h->robot, err)
                                 : ff_error_set(err, FF_NO_MEMORY, "no memory for a walking controller");
    if (status == FF_OK) list_signals(h, &signals), status = signals.status;
    if (status != FF_OK) return ff_hexapod_destroy(h), NULL;
    h->nsignal = signals.count;
    list_planner_output(h);
    h->hands[0] = "none";
    for (int i = 0; i < h->robot.n; i++) h->hands[i + 1] = model->legs[i].name;
    reset(h);
    ff_action_resolve(&h->robot, h->d, &h->memory);
    return h;
}

void ff_hexapod_destroy(ff_hexapod *h)
{
    if (!h) return;
    ff_data_destroy(h->d);
    free(h);
}

ff_status ff_hexapod_bind(ff_hexapod *h, const ff_io_layout *sensors, const ff_io_layout *references, ff_error *err)
{
    return ff_walk_bind(&h->robot, sensors, references, &h->items, err);
}

// ------------------------------------------------------------------------------------------ commands

ff_walk_command ff_hexapod_command_get(const ff_hexapod *h)
{
    return h->memory.command;
}

ff_status ff_hexapod_command_set(ff_hexapod *h, const ff_walk_command *command, ff_error *err)
{
    const double plain[] = {command->speed,  command->direction, command->turn,       command->transfer,
                            command->length, command->zone,      command->height,     command->roll,
                            command->pitch,  command->incline,   command->hand_speed, command->hand_force};
    const bool known = (int)command->gait >= 0 && command->gait < FF_GAIT_COUNT;
    if (!known || !h->robot.step.allowed[command->gait])
        return ff_error_set(err, FF_BAD_ARGUMENT, "gait %s is none that %d legs can walk",
                            known ? ff_gait_name(command->gait) : "?", h->robot.n);
    if (!ff_all_finite(plain, sizeof plain / sizeof *plain) || !ff_all_finite(command->body, h->robot.nbody) ||
        !ff_all_finite(command->scale, h->robot.n) || !ff_all_finite(command->rotation, h->robot.n) ||
        !ff_all_finite(command->slope, h->robot.n) || !ff_all_finite(command->reach, 3)) {
        h->memory.ever |= FF_WALK_BAD_NUMBER;
        return ff_error_set(err, FF_BAD_ARGUMENT, "a number of the command is not finite; the old command stays");
    }
    if (fabs(command->incline) > 1.0)
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "the ground leans by %g rad: legs walk on 1 rad at most; the old command stays",
                            command->incline);
    if (command->hand < 0 || command->hand > h->robot.n)
        return ff_error_set(err, FF_BAD_ARGUMENT, "leg %d cannot be a hand: there are %d; the old command stays",
                            command->hand, h->robot.n);
    const double before[3] = {h->memory.command.reach[0], h->memory.command.reach[1], h->memory.command.reach[2]};
    const bool other = command->hand > 0 && command->hand != h->memory.command.hand;
    h->memory.command = *command;
    // a new hand without a place to go to is lifted
    if (other && memcmp(before, command->reach, sizeof before) == 0) {
        const double *centre = h->robot.centre[command->hand - 1];
        const double above[3] = {centre[0], centre[1], 2.0 * command->zone};
        memcpy(h->memory.command.reach, above, sizeof above);
    }
    // a command to stand clears joints that have failed
    if (!command->walk) memset(h->memory.deviation, 0, sizeof h->memory.deviation);
    ff_action_resolve(&h->robot, h->d, &h->memory);
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ a cycle

/// Begins the motion to the stance, from where the joints are.
static void begin_rise(const ff_walk_robot *robot, const ff_walk_items *items, ff_walk_memory *memory)
{
    double farthest = 0.0;
    for (int j = 0; j < robot->njoint; j++) {
        const ff_gait_sample *s = &memory->senses.joint[j];
        memory->from[j] = items->has_joints && isfinite(s->age) ? s->value : robot->stand[j];
        farthest = ff_max(farthest, fabs(memory->from[j] - robot->stand[j]));
    }
    memory->rising = farthest <= AT_STANCE ? 1.0 : 0.0;
    memory->rise_time = 1.5 * farthest / robot->options.rise; // the greatest speed of the motion is 1.5 times its mean
    memcpy(memory->position, farthest <= AT_STANCE ? robot->stand : memory->from, sizeof memory->position);
}

/// Time since the last cycle.  [s]
static double elapsed(double t, ff_walk_memory *memory)
{
    const double dt = isfinite(t) ? t - memory->time : 0.0;
    if (!isfinite(t)) memory->status |= FF_WALK_BAD_NUMBER;
    if (isfinite(t)) memory->time = t;
    return dt > 0.0 ? ff_min(dt, FF_GAIT_LONGEST_CYCLE) : 0.0;
}

/// Reads the sensors of a cycle. @return false: the robot waits for the first values of its joints
static bool read_sensors(ff_hexapod *h, double dt, const ff_io_frame *sensors)
{
    ff_walk_memory *memory = &h->memory;
    ff_walk_read(&h->robot, &h->items, sensors, dt, memory);
    if (memory->started) return true;
    memory->rise_time += dt;
    return !h->items.has_joints || memory->rise_time > FF_GAIT_TIMEOUT ||
           ff_gait_have_arrived(h->items.joint, memory->senses.joint, h->robot.njoint);
}

/// Action and primitive level: computes setpoint and plan from the sensors.
static void make_plan(ff_hexapod *h, double dt)
{
    const ff_walk_robot *robot = &h->robot;
    ff_walk_memory *memory = &h->memory;
    ff_walk_setpoint *setpoint = &h->setpoint;
    if (!memory->started) begin_rise(robot, &h->items, memory);
    ff_walk_evaluate(robot, &h->items, dt, h->d, memory);
    ff_action_update(robot, dt, memory, setpoint);
    if (memory->rising >= 1.0) memory->waited += dt;
    // a robot that was dropped stands before it walks
    if (memory->grounded < STEADY && memory->waited < LONG_WAIT) setpoint->walk = false;
    if (memory->status & FF_WALK_NOT_FOLLOWING) setpoint->walk = false;
    if (memory->goal.hand > 0) setpoint->walk = false;
    const bool hand = memory->rising >= 1.0 && ff_hand_is_used(robot, memory);
    if (hand)
        ff_hand_update(robot, setpoint, h->d, dt, memory);
    else if (memory->rising >= 1.0)
        ff_primitive_update(robot, setpoint, dt, memory);
}

/// Servo level: computes references from setpoint and plan.
static void follow_plan(ff_hexapod *h, double dt)
{
    ff_walk_memory *memory = &h->memory;
    ff_servo_update(&h->robot, h->d, &h->setpoint, dt, memory);
    memory->started = 1;
    memory->ever |= memory->status;
}

/// All levels: the planning levels need the references of the joints, even where another process follows the plan.
/// @param plan  gets the plan; NULL: it is not sent
/// @return      false while the robot waits for the first values of its joints
static bool update(ff_hexapod *h, double t, const ff_io_frame *sensors, ff_io_frame *plan)
{
    h->memory.status = h->memory.clamped;
    const double dt = elapsed(t, &h->memory);
    if (!read_sensors(h, dt, sensors)) return false;
    make_plan(h, dt);
    h->planner_status = h->memory.status;
    if (plan) ff_io_numbers_put(&h->planner_output, t, plan);
    follow_plan(h, dt);
    list_signals(h, &(ff_gait_signals){.values = h->memory.signals});
    return true;
}

static void cycle(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    ff_hexapod *h = context;
    if (update(h, t, sensors, NULL)) ff_walk_write(&h->robot, &h->items, t, &h->memory, references);
}

// ------------------------------------------------------------------------------------------ levels in two processes

void ff_hexapod_plan_cycle(ff_hexapod *h, double t, const ff_io_frame *sensors, ff_io_frame *plan)
{
    update(h, t, sensors, plan);
}

void ff_hexapod_servo_cycle(ff_hexapod *h, double t, const ff_io_frame *sensors, const ff_io_frame *plan,
                            ff_io_frame *references)
{
    ff_walk_memory *memory = &h->memory;
    memory->status = memory->clamped;
    const double dt = elapsed(t, memory);
    read_sensors(h, dt, sensors);
    const bool planned = ff_io_numbers_take(&h->planner_output, plan);
    if (!planned && !memory->started) return;
    if (!memory->started) begin_rise(&h->robot, &h->items, memory);
    memory->status = (uint32_t)h->planner_status;
    follow_plan(h, dt);
    memory->signals[0] = memory->status; // the others came with the plan
    ff_walk_write(&h->robot, &h->items, t, memory, references);
}

// ------------------------------------------------------------------------------------------ results

ff_controller ff_hexapod_controller(ff_hexapod *h)
{
    return (ff_controller){.context = h,
                           .cycle = cycle,
                           .memory = &h->memory,
                           .memory_size = sizeof h->memory,
                           .signals = h->names,
                           .values = h->memory.signals,
                           .nsignal = h->nsignal,
                           .conditions = &h->memory.status};
}

unsigned ff_hexapod_status(const ff_hexapod *h, unsigned *ever)
{
    if (ever) *ever = h->memory.ever;
    return h->memory.status;
}

double ff_hexapod_slowed(const ff_hexapod *h)
{
    return ff_action_slowed(&h->robot, &h->memory);
}

double ff_hexapod_fastest(const ff_hexapod *h)
{
    const double tau = h->robot.step.tables[h->memory.command.gait].tau;
    return h->memory.transfer_limit * tau / (2.0 - tau);
}

double ff_hexapod_top_speed(const ff_hexapod *h)
{
    const double tau = h->robot.step.tables[h->memory.command.gait].tau, share = tau / (2.0 - tau);
    // limits a command of the greatest speed: joint speeds are proportional to it
    ff_walk_memory fast = h->memory;
    fast.command.speed = h->robot.options.transfer_limit * share;
    fast.command.turn = fast.command.transfer = 0.0;
    fast.command.walk = true;
    ff_action_resolve(&h->robot, h->d, &fast);
    return fast.transfer_limit * share;
}

const ff_walk_plan *ff_hexapod_plan(const ff_hexapod *h)
{
    return &h->memory.plan;
}
