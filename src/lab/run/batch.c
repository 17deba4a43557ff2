// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A run as a batch model: the joint law of the scene and its drives become servos, its cycle of poses that of the
// batch, its forces act on all robots, its sensors become names in formulas. The room batch accepts or refuses
// everything else.
#include "run/batch.h"

#include <string.h>

static ff_place place_of(const ff_batch_plan *plan)
{
    return (ff_place){plan->run->scene->path, 0, 0};
}

int ff_batch_plan_steps(const ff_batch_plan *plan, ff_place place, const char *what, const char *name, double time)
{
    const ff_ticks step = plan->run->sim->step_ticks, ticks = ff_ticks_from_seconds(time);
    if (step > 0 && ticks % step == 0 && ticks / step <= INT32_MAX) return (int)(ticks / step);
    if (step > 0) // methods without a fixed step are refused elsewhere
        ff_report_add(plan->report, FF_ERROR, place,
                      "%s%s%s takes %g s, and a batch has whole steps of %g s: choose a 'step' of the solver that "
                      "divides it",
                      what, name[0] ? " " : "", name, time, ff_ticks_to_seconds(step));
    return -1;
}

// ------------------------------------------------------------------------------------------ the joint law

/// Makes a servo for each joint that the joint law moves without a drive.
static void plan_law(ff_batch_plan *plan)
{
    const ff_run_law *law = plan->run->law;
    for (int i = 0; law && i < law->njoint; i++) {
        const ff_joint *joint = &plan->run->scene->model->joints[law->joints[i]];
        double *target = plan->targets + 3 * plan->nservo;
        plan->servos[plan->nservo++] =
            (ff_batch_servo){.joint = law->joints[i], .stiffness = law->asked.stiffness, .damping = law->asked.damping};
        if (!law->asked.poses) target[0] = law->start[joint->qadr];
        if (law->pushes) target[2] = law->torque[joint->vadr];
    }
    if (!law) return;
    plan->given.poses = law->asked.poses;
    plan->given.npose = law->asked.npose;
    plan->given.period = law->asked.period;
    plan->given.every = 1;
}

// ------------------------------------------------------------------------------------------ forces

/// Number of the step at which a force begins or ends, also beyond the end of the run, since a batch may run for
/// longer; INT64_MAX for a time beyond the largest number of a step.
static int64_t edge_of(const ff_batch_plan *plan, double time)
{
    if (time > INT32_MAX * ff_ticks_to_seconds(plan->run->sim->step_ticks)) return INT64_MAX;
    return ff_batch_plan_steps(plan, place_of(plan), "the time up to an edge of a force", "", time);
}

static void plan_forces(ff_batch_plan *plan)
{
    const ff_scene_spec *scene = plan->run->scene;
    for (int i = 0; i < scene->nforce; i++) {
        const ff_scene_force *from = &scene->forces[i];
        ff_batch_force *to = &plan->forces[i];
        *to = (ff_batch_force){.body = from->body, .dof = from->dof, .torque = from->value};
        ff_vec3_copy(to->at, from->at);
        ff_vec3_copy(to->force, from->push);
        to->first = edge_of(plan, from->from);
        to->end = edge_of(plan, from->to);
    }
    plan->given.forces = plan->forces;
    plan->given.nforce = scene->nforce;
}

// ------------------------------------------------------------------------------------------ parts and tasks

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0) return true;
    return false;
}

/// Does the plan contain what this part does? Controllers on the bus are refused elsewhere.
static bool knows_part(const ff_run *run, const ff_part *part)
{
    static const char *const names[] = {"drives", "sensors", "bus", NULL};
    for (int i = 0; i < run->scene->nforce; i++)
        if (part->context == &run->forces[i]) return true;
    return (run->law && part->context == run->law) || is_one_of(part->name, names);
}

static bool knows_task(const ff_task *task)
{
    static const char *const names[] = {"targets", "reference",        "force on", "force off",
                                        "bus",     "bus at the robot", NULL};
    static const char loops[] = "drives at ";
    return is_one_of(task->name, names) || strncmp(task->name, loops, sizeof loops - 1) == 0;
}

static void plan_rest(ff_batch_plan *plan)
{
    const ff_sim *sim = plan->run->sim;
    for (int i = 0; i < sim->npart; i++) plan->parts[i] = knows_part(plan->run, &sim->parts[i].part);
    for (int i = 0; i < sim->ntask; i++) plan->tasks[i] = knows_task(&sim->tasks[i].task);
    plan->given.parts = plan->parts;
    plan->given.tasks = plan->tasks;
    if (plan->run->nsteering > 0)
        ff_report_add(plan->report, FF_ERROR, place_of(plan),
                      "a batch has no controllers: its callers set the targets of the servos");
    if (plan->run->faults)
        ff_report_add(plan->report, FF_ERROR, place_of(plan), "a batch has no faults of sensors and drives");
}

static bool make_room(ff_batch_plan *plan)
{
    const ff_scene_spec *scene = plan->run->scene;
    const int most = scene->model->njoint + (scene->plant->drives ? scene->plant->drives->n : 0);
    plan->servos = FF_ARENA_NEW(&plan->arena, ff_batch_servo, most + 1);
    plan->targets = FF_ARENA_NEW(&plan->arena, double, 3 * most + 1);
    plan->forces = FF_ARENA_NEW(&plan->arena, ff_batch_force, scene->nforce + 1);
    plan->parts = FF_ARENA_NEW(&plan->arena, bool, plan->run->sim->npart + 1);
    plan->tasks = FF_ARENA_NEW(&plan->arena, bool, plan->run->sim->ntask + 1);
    return !plan->arena.failed;
}

static ff_batch_model *compile(ff_batch_plan *plan)
{
    if (!make_room(plan)) {
        ff_report_add(plan->report, FF_ERROR, place_of(plan), "no memory for the servos of a batch");
        return NULL;
    }
    const int before = plan->report->errors;
    plan_law(plan);
    ff_batch_plan_drives(plan);
    plan_forces(plan);
    ff_batch_plan_sensors(plan);
    plan_rest(plan);
    plan->given.servos = plan->servos;
    plan->given.nservo = plan->nservo;
    plan->given.targets = plan->targets;
    plan->given.pairs = plan->pairs;
    ff_batch_model *model = ff_batch_compile_given(plan->run->sim, &plan->given, plan->report);
    if (plan->report->errors == before) return model;
    ff_batch_model_destroy(model);
    return NULL;
}

ff_batch_model *ff_run_compile_batch(ff_run *run, ff_report *report)
{
    ff_report own = {0}; // errors are counted, also without a report of the caller
    ff_batch_plan plan = {.run = run, .report = report ? report : &own};
    ff_batch_model *model = NULL;
    if (run)
        model = compile(&plan);
    else
        ff_report_add(plan.report, FF_ERROR, (ff_place){0}, "there is no run to make a batch of");
    ff_arena_clear(&plan.arena);
    ff_report_clear(&own);
    return model;
}
