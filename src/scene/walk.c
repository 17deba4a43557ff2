// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Looking at robots that walk. After every step: forces and slip of the feet, what else touches the ground, energy of the drives. At most 100 times a
// second: where body, centre of mass and feet are. Everything is taken in level axes, z against gravity, so that a slope may be made by tilting gravity.
// Integrals are sums of trapezoids; a step that reaches over the edge of a window counts with its part inside.
#include "scene/walk.h"

#include "scene/events.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

#define SAMPLE_PERIOD 10e-3 // [s]
#define CARRIES       0.1   // of the weight on what is no foot: the robot lies on it
#define COLLAPSED     0.5 // of its stature: no walk bends its legs that far, and sliders of commands end at 0.6 and 0.7

// ------------------------------------------------------------------------------------------ contacts

static void clear_look(ff_walker *robot)
{
    robot->other = 0.0;
    for (int i = 0; i < robot->nleg; i++) {
        ff_walk_leg *leg = &robot->legs[i];
        leg->touched = leg->touching;
        leg->up_before = leg->up;
        leg->slip_before = leg->slip;
        leg->touching = false;
        leg->up = leg->normal = leg->slip = 0.0;
        leg->npoint = 0;
    }
}

static void level(const ff_scene_walk *walk, const double world[3], double out[3])
{
    for (int i = 0; i < 3; i++) out[i] = ff_vec3_dot(walk->axes + 3 * i, world);
}

static void add_point(ff_walker *robot, ff_walk_leg *leg, const double at[3])
{
    if (leg->npoint >= robot->most_points) return;
    leg->points[leg->npoint][0] = at[0];
    leg->points[leg->npoint++][1] = at[1];
}

/// The leg of a limb; NULL for a hand, which is no foot, but nothing that a robot must not stand on.
static ff_walk_leg *leg_of(const ff_scene *scene, int number, ff_walker **robot)
{
    const ff_scene_walk *walk = scene->walk;
    const ff_limb *limb = &scene->model->limbs[number];
    if (limb->leg < 0 || walk->robot_of[limb->body] < 0) return NULL;
    *robot = &walk->robots[walk->robot_of[limb->body]];
    return &(*robot)->legs[walk->leg_of[limb->leg]];
}

/// What a foot does now.
static void note_foot(const ff_scene *scene, const ff_foot *foot)
{
    const ff_scene_walk *walk = scene->walk;
    ff_walker *robot;
    ff_walk_leg *leg = leg_of(scene, foot->limb, &robot);
    if (!leg) return;
    leg->touching = foot->touching;
    leg->up = ff_vec3_dot(walk->axes + 6, foot->force);
    leg->normal = foot->pressure;
    leg->slip = foot->slip;
}

/// One side of a contact: where a foot stands, or what carries that is neither foot nor hand.
static void note_side(const ff_scene *scene, const ff_world_contact *c, int side)
{
    const ff_scene_walk *walk = scene->walk;
    const int body = side == 1 ? c->body1 : c->body2, limb = side == 1 ? c->limb1 : c->limb2;
    if (body < 0 || walk->robot_of[body] < 0) return;
    if (!ff_world_touches(c) || ff_world_within_robot(scene->world, c)) return;
    if (limb >= 0) {
        ff_walker *robot;
        ff_walk_leg *leg = leg_of(scene, limb, &robot);
        double place[3];
        if (!leg) return;
        level(walk, c->place, place);
        add_point(robot, leg, place);
        return;
    }
    walk->robots[walk->robot_of[body]].other += (side == 2 ? 1.0 : -1.0) * ff_vec3_dot(walk->axes + 6, c->force.force);
}

/// Integrals of forces and slip over the step that has ended.
static void add_forces(const ff_scene_walk *walk, ff_walker *robot, double t, double span)
{
    for (int i = 0; i < robot->nleg; i++) {
        ff_walk_leg *leg = &robot->legs[i];
        leg->slid += 0.5 * span * (leg->slip + leg->slip_before);
        for (int w = 0; w < walk->nwindow; w++) {
            const double half = 0.5 * ff_walk_overlap(&walk->windows[w], t, span);
            ff_walk_leg_sum *sum = &robot->sums[w].legs[i];
            sum->push += half * (leg->up + leg->up_before);
            sum->touched += half * (leg->touching + leg->touched);
            sum->slid += half * (leg->slip + leg->slip_before);
            robot->sums[w].push += half * (leg->up + leg->up_before);
            if (ff_walk_inside(&walk->windows[w], t)) sum->peak = fmax(sum->peak, leg->normal);
        }
    }
    for (int w = 0; w < walk->nwindow; w++) robot->sums[w].span += ff_walk_overlap(&walk->windows[w], t, span);
}

// ------------------------------------------------------------------------------------------ drives

/// What the drives took since the last look. A motor without an electrical side takes the work it does, and gets nothing back for work done on it.
static double take_energy(const ff_scene *scene, ff_walker *robot)
{
    const ff_drive_memory *memory = ff_sim_drive_memory(scene->sim, 0);
    double sum = 0.0;
    for (int i = 0; i < robot->ndrive; i++) {
        const int drive = robot->drives[i];
        const ff_drive_motor motor = scene->plant->drives->drives[drive].motor;
        const double drawn = memory[drive].electrical, more = drawn - robot->drawn[i];
        const bool electrical = motor != FF_MOTOR_IDEAL && motor != FF_MOTOR_SERVO;
        if (electrical || more > 0.0) sum += more;
        robot->drawn[i] = drawn;
    }
    return sum;
}

static void add_energy(const ff_scene *scene, ff_walker *robot, double t, double span)
{
    const ff_scene_walk *walk = scene->walk;
    const double energy = take_energy(scene, robot);
    for (int w = 0; w < walk->nwindow && span > 0.0; w++)
        robot->sums[w].energy += energy * ff_walk_overlap(&walk->windows[w], t, span) / span;
}

/// @param memory  of the drives
static double tracking_error(const ff_scene *scene, const ff_walk_track *track, const ff_drive_memory *memory, double t)
{
    const ff_data *d = ff_sim_data(scene->sim);
    const ff_joint *joint = &scene->model->joints[track->joint];
    double target, rate;
    if (track->drive >= 0)
        target = memory[track->drive].reference[0];
    else
        ff_scene_control_target(scene->control, scene->model->nq, joint->qadr, t, &target, &rate);
    return fabs(target - d->q[joint->qadr]);
}

static void add_tracking(const ff_scene *scene, ff_walker *robot, double t)
{
    const ff_scene_walk *walk = scene->walk;
    const ff_drive_memory *memory = ff_sim_drive_memory(scene->sim, 0);
    for (int i = 0; i < robot->ntrack; i++) {
        const double error = tracking_error(scene, &robot->tracks[i], memory, t);
        for (int w = 0; w < walk->nwindow; w++) {
            ff_walk_sum *sum = &robot->sums[w];
            if (!ff_walk_inside(&walk->windows[w], t)) continue;
            sum->tracked++;
            sum->track_squares += error * error;
            sum->track_most = fmax(sum->track_most, error);
        }
    }
}

// ------------------------------------------------------------------------------------------ bodies

/// Centres of mass of the whole robot and of its trunk, level axes.
static void centres(const ff_scene *scene, const ff_walker *robot, double whole[3], double trunk[3])
{
    const ff_data *d = ff_sim_data(scene->sim);
    double sum[2][3] = {{0}};
    for (int i = 0; i < robot->nnode; i++) {
        const ff_node *node = &scene->model->nodes[robot->nodes[i]];
        const ff_pose *pose = &d->pose[robot->nodes[i]];
        double moment[3];
        ff_mat3_mulv(moment, pose->R, node->inertia.h);
        ff_vec3_axpy(moment, node->inertia.mass, pose->p);
        ff_vec3_axpy(moment, node->inertia.mass, d->tree_origin + 3 * node->tree);
        ff_vec3_add(sum[robot->trunk[i]], sum[robot->trunk[i]], moment);
    }
    ff_vec3_add(sum[0], sum[0], sum[1]);
    ff_vec3_scale(sum[0], sum[0], 1.0 / robot->mass);
    ff_vec3_scale(sum[1], sum[1], 1.0 / robot->trunk_mass);
    level(scene->walk, sum[0], whole);
    level(scene->walk, sum[1], trunk);
}

/// Heading, pitch and roll of the base, from its axes in the level frame; the heading goes on beyond half a turn.
static void attitude(const ff_scene *scene, ff_walker *robot)
{
    double pos[3], quat[4], R[9], x[3], axis[3];
    ff_dyn_body_pose(scene->model, ff_sim_data(scene->sim), robot->base, pos, quat);
    ff_quat_to_mat3(R, quat);
    ff_vec3_set(axis, R[0], R[3], R[6]);
    level(scene->walk, axis, x);
    const double y_up = R[1] * scene->walk->axes[6] + R[4] * scene->walk->axes[7] + R[7] * scene->walk->axes[8];
    const double z_up = R[2] * scene->walk->axes[6] + R[5] * scene->walk->axes[7] + R[8] * scene->walk->axes[8];
    const double heading = ff_atan2(x[1], x[0]), before = isnan(robot->sampled) ? heading : robot->heading;
    robot->heading = before + remainder(heading - before, 2.0 * FF_PI);
    robot->pitch = ff_atan2(-x[2], sqrt(x[0] * x[0] + x[1] * x[1]));
    robot->roll = ff_atan2(y_up, z_up);
    robot->tilt = ff_acos(fmax(-1.0, fmin(1.0, z_up)));
}

static void add_way(ff_walk_sum *sum, const double step[3], double turned, double ordered, double middle)
{
    double sine, cosine;
    ff_sincos(&middle, &sine, &cosine, 1);
    ff_vec3_add(sum->way, sum->way, step);
    sum->forward += cosine * step[0] + sine * step[1];
    sum->sideways += cosine * step[1] - sine * step[0];
    sum->turned += turned;
    sum->ordered += ordered;
    sum->astray = fmax(sum->astray, fabs(sum->turned - sum->ordered));
}

/// The first sample of a window.
static void begin_window(const ff_walker *robot, ff_walk_sum *sum)
{
    sum->begun = true;
    sum->heading0 = robot->heading;
    sum->height0 = sum->low = sum->high = robot->pos[2];
    for (int k = 0; k < 2; k++) {
        sum->roll[k] = robot->roll;
        sum->pitch[k] = robot->pitch;
    }
}

static void add_body(const ff_walker *robot, ff_walk_sum *sum, double span)
{
    const double above = robot->pos[2] - sum->height0;
    sum->time += span;
    sum->height += span * above;
    sum->height_squares += span * above * above;
    sum->low = fmin(sum->low, robot->pos[2]);
    sum->high = fmax(sum->high, robot->pos[2]);
    sum->roll[0] = fmin(sum->roll[0], robot->roll);
    sum->roll[1] = fmax(sum->roll[1], robot->roll);
    sum->pitch[0] = fmin(sum->pitch[0], robot->pitch);
    sum->pitch[1] = fmax(sum->pitch[1], robot->pitch);
    sum->tilt = fmax(sum->tilt, robot->tilt);
}

/// Where the feet are, along and across the body; one that does not touch stands where its centre is, should it be in a gap too short to count.
static void place_feet(const ff_scene *scene, ff_walker *robot, double across[])
{
    const ff_model *m = scene->model;
    double origin[3], quat[4], R[9];
    ff_dyn_body_pose(m, ff_sim_data(scene->sim), robot->base, origin, quat);
    ff_quat_to_mat3(R, quat);
    for (int i = 0; i < robot->nleg; i++) {
        ff_walk_leg *leg = &robot->legs[i];
        const ff_frame *foot = &m->frames[m->legs[leg->leg].frame];
        double world[3], at[3], arm[3];
        ff_dyn_point(m, ff_sim_data(scene->sim), foot->body, foot->pos, world);
        ff_vec3_sub(arm, world, origin);
        leg->ahead = R[0] * arm[0] + R[3] * arm[1] + R[6] * arm[2];
        if (across) across[i] = R[1] * arm[0] + R[4] * arm[1] + R[7] * arm[2];
        level(scene->walk, world, at);
        leg->sole = at[2] - m->legs[leg->leg].radius;
        if (leg->npoint > 0) continue;
        add_point(robot, leg, at);
    }
}

/// Neighbours are legs of one side, one behind the other, as they stand at the start.
static void find_neighbours(const ff_scene *scene, ff_walker *robot)
{
    double *across = robot->across;
    place_feet(scene, robot, across);
    for (int i = 0; i < robot->nleg; i++) {
        ff_walk_leg *leg = &robot->legs[i];
        leg->neighbour = -1;
        for (int k = 0; k < robot->nleg; k++) {
            const bool behind = across[k] * across[i] > 0.0 && robot->legs[k].ahead < leg->ahead;
            if (behind && (leg->neighbour < 0 || robot->legs[k].ahead > robot->legs[leg->neighbour].ahead))
                leg->neighbour = k;
        }
    }
}

/// How high the body stands, and below what it has collapsed. At the start all feet count, so that a start on a slope or with legs in the air is none.
static void measure_stature(ff_walker *robot, bool first, double order)
{
    double lowest = INFINITY, mean = 0.0;
    for (int i = 0; i < robot->nleg; i++) {
        lowest = fmin(lowest, robot->legs[i].sole);
        mean += robot->legs[i].sole / robot->nleg;
    }
    robot->stature = robot->pos[2] - lowest;
    if (first) {
        robot->order = order;
        robot->lowest = COLLAPSED * fmax(robot->pos[2] - mean, 0.0);
    }
    if (!(order < robot->order)) return;
    robot->lowest *= order / robot->order;
    robot->order = order;
}

static void add_reach(const ff_scene_walk *walk, ff_walker *robot, double t)
{
    for (int w = 0; w < walk->nwindow; w++)
        for (int i = 0; i < robot->nleg && ff_walk_inside(&walk->windows[w], t); i++) {
            double *ahead = robot->sums[w].legs[i].ahead;
            ahead[0] = fmin(ahead[0], robot->legs[i].ahead);
            ahead[1] = fmax(ahead[1], robot->legs[i].ahead);
        }
}

static double margin_now(const ff_walker *robot, const double com[2], int *support)
{
    double points[FF_SUPPORT_MAX][2];
    ff_support polygon;
    int n = 0;
    *support = 0;
    for (int i = 0; i < robot->nleg; i++) {
        const ff_walk_leg *leg = &robot->legs[i];
        if (!leg->touching) continue;
        ++*support;
        memcpy(points[n], leg->points, (size_t)leg->npoint * sizeof *points);
        n += leg->npoint;
    }
    if (n == 0 || !ff_support_make(&polygon, (const double(*)[2])points, n)) return NAN;
    return ff_support_margin(&polygon, com);
}

static void show(ff_walker *robot, const double com[3], const double step[3], double span)
{
    int support;
    robot->signals[FF_WALKER_MARGIN] = margin_now(robot, com, &support);
    robot->signals[FF_WALKER_SUPPORT] = support;
    robot->signals[FF_WALKER_HEIGHT] = robot->pos[2];
    robot->signals[FF_WALKER_SPEED] = span > 0.0 ? sqrt(step[0] * step[0] + step[1] * step[1]) / span : 0.0;
    robot->signals[FF_WALKER_HEADING] = robot->heading;
    robot->signals[FF_WALKER_ROLL] = robot->roll;
    robot->signals[FF_WALKER_PITCH] = robot->pitch;
}

static void sample(const ff_scene *scene, ff_walker *robot, double t)
{
    const ff_scene_walk *walk = scene->walk;
    const bool first = isnan(robot->sampled);
    const double span = first ? 0.0 : t - robot->sampled, heading = robot->heading;
    double com[3], pos[3], step[3] = {0.0, 0.0, 0.0};
    centres(scene, robot, com, pos);
    attitude(scene, robot);
    if (!first) ff_vec3_sub(step, pos, robot->pos);
    ff_vec3_copy(robot->pos, pos);
    const double turned = first ? 0.0 : robot->heading - heading;
    const ff_body_command command = ff_scene_body_command(scene, robot->robot);
    for (int w = 0; w < walk->nwindow; w++) {
        ff_walk_sum *sum = &robot->sums[w];
        const double overlap = ff_walk_overlap(&walk->windows[w], t, span), share = span > 0.0 ? overlap / span : 0.0;
        const double part[3] = {share * step[0], share * step[1], share * step[2]};
        if (!sum->begun && t >= walk->windows[w].from) begin_window(robot, sum);
        if (!(overlap > 0.0)) continue;
        add_way(sum, part, share * turned, overlap * command.turn, robot->heading - 0.5 * turned);
        add_body(robot, sum, overlap);
    }
    add_tracking(scene, robot, t);
    if (first) find_neighbours(scene, robot);
    place_feet(scene, robot, NULL);
    measure_stature(robot, first, command.height);
    add_reach(walk, robot, t);
    show(robot, com, step, span);
    ff_walk_queue_take(walk, robot, t);
    ff_walk_queue_put(robot, t, span, com);
    robot->sampled = t;
}

// ------------------------------------------------------------------------------------------ falls

/// A robot has fallen when something else than its feet carries it, it lies on its side, or its legs no longer hold it up, for longer than the debounce.
static void watch_fall(const ff_scene_walk *walk, ff_walker *robot, double t)
{
    const bool lies =
        robot->other > CARRIES * robot->weight || robot->tilt > walk->tilt || robot->stature < robot->lowest;
    if (!lies) robot->fall_since = NAN;
    if (lies) robot->up_since = NAN;
    double *since = lies ? &robot->fall_since : &robot->up_since;
    if (isnan(*since)) *since = t;
    if (robot->fallen == lies || t - *since < walk->debounce) return;
    robot->fallen = lies;
    ff_event_note(walk->events, lies ? FF_EVENT_FALL : FF_EVENT_RISE, 0, *since, robot->lead);
    if (!lies) return;
    if (robot->falls++ == 0) robot->fall_time = *since;
}

void ff_scene_tell_falls(const ff_scene *scene, ff_report *report)
{
    const ff_scene_walk *walk = scene->walk;
    for (int i = 0; walk && walk->running && i < walk->nrobot; i++) {
        ff_walker *robot = &walk->robots[i];
        const int length = (int)strcspn(robot->lead, ".");
        if (robot->falls > robot->told_falls)
            ff_report_add(report, FF_WARNING, (ff_place){0}, "%.*s has fallen", length > 0 ? length : 9,
                          length > 0 ? robot->lead : "The robot");
        robot->told_falls = robot->falls;
    }
}

// ------------------------------------------------------------------------------------------ looks

static void look_at_robot(const ff_scene *scene, ff_walker *robot, double t, double span)
{
    const ff_scene_walk *walk = scene->walk;
    add_forces(walk, robot, t, span);
    if (isnan(robot->sampled)) ff_walk_start_steps(walk, robot);
    ff_walk_step(walk, robot, t);
    if (scene->plant->drives) add_energy(scene, robot, t, span);
    if (!(t - robot->sampled < SAMPLE_PERIOD * (1.0 - 1e-9))) sample(scene, robot, t);
    watch_fall(walk, robot, t);
}

void ff_scene_look_at_walk(const ff_scene *scene, const ff_world_contact *contacts, int count, double t)
{
    ff_scene_walk *walk = scene->walk;
    if (!walk || !walk->running) return;
    const double span = isnan(walk->looked) ? 0.0 : t - walk->looked;
    int nfoot;
    for (int i = 0; i < walk->nrobot; i++) clear_look(&walk->robots[i]);
    for (int i = 0; i < count; i++) {
        note_side(scene, &contacts[i], 1);
        note_side(scene, &contacts[i], 2);
    }
    const ff_foot *feet = ff_world_loads(scene->world, scene->sim, &nfoot);
    for (int i = 0; i < nfoot; i++) note_foot(scene, &feet[i]);
    for (int i = 0; i < walk->nrobot; i++) look_at_robot(scene, &walk->robots[i], t, span);
    walk->looked = t;
}

void ff_scene_end_walk(const ff_scene *scene)
{
    const ff_scene_walk *walk = scene->walk;
    for (int i = 0; walk && walk->running && i < walk->nrobot; i++) {
        ff_walker *robot = &walk->robots[i];
        if (!isnan(walk->looked) && robot->sampled < walk->looked) sample(scene, robot, walk->looked);
        ff_walk_queue_take(walk, robot, INFINITY);
    }
}

// ------------------------------------------------------------------------------------------ beginning

static bool make_queue(const ff_scene_walk *walk, ff_arena *arena, ff_walker *robot)
{
    ff_walk_queue *q = &robot->queue;
    *q = (ff_walk_queue){.size = (int)ceil(walk->debounce / SAMPLE_PERIOD) + 3};
    const size_t size = (size_t)q->size, feet = size * (size_t)robot->nleg, points = feet * (size_t)robot->most_points;
    q->time = FF_ARENA_NEW(arena, double, size);
    q->span = FF_ARENA_NEW(arena, double, size);
    q->com = (double(*)[2])FF_ARENA_NEW(arena, double, 2 * size);
    q->npoint = FF_ARENA_NEW(arena, int, feet);
    q->points = (double(*)[2])FF_ARENA_NEW(arena, double, 2 * points + 2);
    return q->time && q->span && q->com && q->npoint && q->points;
}

static bool make_sums(const ff_scene_walk *walk, ff_arena *arena, ff_walker *robot)
{
    robot->sums = FF_ARENA_NEW(arena, ff_walk_sum, walk->nwindow);
    robot->few = FF_ARENA_NEW(arena, double, robot->nleg + 1);
    robot->across = FF_ARENA_NEW(arena, double, robot->nleg);
    for (int w = 0; robot->sums && w < walk->nwindow; w++) {
        robot->sums[w] = (ff_walk_sum){.support_least = INFINITY, .margin_least = INFINITY};
        robot->sums[w].legs = FF_ARENA_NEW(arena, ff_walk_leg_sum, robot->nleg);
        if (!robot->sums[w].legs) return false;
        for (int i = 0; i < robot->nleg; i++) {
            robot->sums[w].legs[i].ahead[0] = INFINITY;
            robot->sums[w].legs[i].ahead[1] = -INFINITY;
        }
    }
    for (int i = 0; i < robot->nleg; i++) {
        const ff_walk_leg *known = &robot->legs[i];
        double(*points)[2] = (double(*)[2])FF_ARENA_NEW(arena, double, 2 * robot->most_points + 2);
        if (!points) return false;
        robot->legs[i] = (ff_walk_leg){.leg = known->leg, .name = known->name, .points = points};
    }
    return robot->sums && robot->few && robot->across;
}

static bool belongs(const ff_scene *scene, const ff_walker *robot, int joint)
{
    const int dof = scene->model->joints[joint].vadr;
    return dof >= robot->vadr && dof < robot->vadr + robot->nv;
}

static bool list_drives(const ff_scene *scene, ff_arena *arena, ff_walker *robot)
{
    const int n = scene->plant->drives ? scene->plant->drives->n : 0;
    robot->drives = FF_ARENA_NEW(arena, int, n + 1);
    robot->drawn = FF_ARENA_NEW(arena, double, n + 1);
    robot->ndrive = 0;
    for (int i = 0; robot->drives && i < n; i++)
        if (belongs(scene, robot, scene->plant->drives->drives[i].path.joint[0])) robot->drives[robot->ndrive++] = i;
    return robot->drives && robot->drawn;
}

/// The drive that leads a joint to a position, -1: none.
static int leader(const ff_scene *scene, const ff_walker *robot, int joint)
{
    for (int i = 0; i < robot->ndrive; i++) {
        const ff_drive *d = &scene->plant->drives->drives[robot->drives[i]];
        const bool leads = d->motor == FF_MOTOR_SERVO || d->loop == FF_LOOP_PD || d->loop == FF_LOOP_CASCADE ||
                           d->loop == FF_LOOP_COMPLIANT || ff_scene_is_led(scene, d->path.vadr[0]);
        if (d->path.kind == FF_PATH_JOINT && d->path.joint[0] == joint && leads) return robot->drives[i];
    }
    return -1;
}

static bool list_tracks(const ff_scene *scene, ff_arena *arena, ff_walker *robot)
{
    robot->ntrack = 0;
    robot->tracks = FF_ARENA_NEW(arena, ff_walk_track, FF_LEG_JOINTS * robot->nleg);
    for (int i = 0; robot->tracks && i < robot->nleg; i++) {
        const ff_leg *leg = &scene->model->legs[robot->legs[i].leg];
        for (int k = 0; k < leg->njoint; k++) {
            const int drive = leader(scene, robot, leg->joints[k]);
            const bool law = scene->control && !ff_scene_is_steered(scene, scene->model->joints[leg->joints[k]].vadr);
            if (drive >= 0 || law) robot->tracks[robot->ntrack++] = (ff_walk_track){drive, leg->joints[k]};
        }
    }
    return robot->tracks;
}

static ff_status add_signals(ff_scene *scene, const ff_walker *robot, ff_error *err)
{
    static const ff_io_name names[FF_WALKER_SIGNALS] = {
        [FF_WALKER_MARGIN] = {"margin", "m"},     [FF_WALKER_SUPPORT] = {"support", "1"},
        [FF_WALKER_HEIGHT] = {"height", "m"},     [FF_WALKER_SPEED] = {"speed", "m/s"},
        [FF_WALKER_HEADING] = {"heading", "rad"}, [FF_WALKER_ROLL] = {"roll", "rad"},
        [FF_WALKER_PITCH] = {"pitch", "rad"}};
    const char *lead = ff_arena_printf(&scene->arena, "walk.%s", robot->lead);
    if (!lead) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    return ff_sim_add_signals(scene->sim, lead, names, robot->signals, FF_WALKER_SIGNALS, err);
}

ff_status ff_scene_add_walk(ff_scene *scene, ff_error *err)
{
    ff_scene_walk *walk = scene->walk;
    if (!walk) return FF_OK;
    walk->running = scene->world != NULL;
    walk->looked = NAN;
    walk->events = scene->events;
    for (int i = 0; walk->running && i < walk->nrobot; i++) {
        ff_walker *robot = &walk->robots[i];
        robot->sampled = robot->fall_since = robot->up_since = robot->fall_time = NAN;
        robot->fallen = false;
        robot->falls = robot->told_falls = 0;
        robot->tilt = robot->stature = robot->lowest = 0.0;
        if (!make_queue(walk, &scene->arena, robot) || !make_sums(walk, &scene->arena, robot) ||
            !list_drives(scene, &scene->arena, robot) || !list_tracks(scene, &scene->arena, robot))
            return ff_error_set(err, FF_NO_MEMORY, "out of memory");
        const ff_status status = add_signals(scene, robot, err);
        if (status != FF_OK) return status;
    }
    return FF_OK;
}
