// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Motion of the body, the centre of mass and the feet of walking robots, 100 times a second; extremes of height and
// attitude of the body and of positions of its feet, after every step. All in level axes, with z against gravity, so
// that a scene can make a slope by tilting gravity.
#include "measure/walk.h"

#include "dyn/packed.h"

#include <footfall/balance.h>

#include <math.h>
#include <string.h>

// A robot has collapsed below this share of its stature: no walk bends legs that far, and commands of the height end at
// 0.6 and 0.7.
#define COLLAPSED 0.5

/// Centres of mass of the whole robot and of its trunk, level axes.
static void centres(const ff_walk *walk, const ff_walker *robot, double whole[3], double trunk[3])
{
    const ff_data *d = ff_sim_data(walk->site->sim);
    double sum[2][3] = {{0}};
    for (int i = 0; i < robot->nnode; i++) {
        const ff_node *node = &walk->site->model->nodes[robot->nodes[i]];
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
    ff_walk_level(walk, sum[0], whole);
    ff_walk_level(walk, sum[1], trunk);
}

/// Sets heading, pitch, roll and tilt of the base, from its axes in the level frame; the heading is continuous beyond
/// half a turn.
static void attitude(const ff_walk *walk, ff_walker *robot)
{
    double pos[3], quat[4], R[9], x[3], axis[3];
    ff_dyn_body_pose(walk->site->model, ff_sim_data(walk->site->sim), robot->base, pos, quat);
    ff_quat_to_mat3(R, quat);
    ff_vec3_set(axis, R[0], R[3], R[6]);
    ff_walk_level(walk, axis, x);
    const double y_up = R[1] * walk->axes[6] + R[4] * walk->axes[7] + R[7] * walk->axes[8];
    const double z_up = R[2] * walk->axes[6] + R[5] * walk->axes[7] + R[8] * walk->axes[8];
    const double heading = ff_atan2(x[1], x[0]), before = isnan(robot->sampled) ? heading : robot->heading;
    robot->heading = before + remainder(heading - before, 2.0 * FF_PI);
    robot->pitch = ff_atan2(-x[2], sqrt(x[0] * x[0] + x[1] * x[1]));
    robot->roll = ff_atan2(y_up, z_up);
    robot->tilt = ff_acos(ff_max(-1.0, ff_min(1.0, z_up)));
}

/// Adds a displacement and a rotation to the sums of a window.
/// @param middle  heading at the middle of the displacement  [rad]
/// @param moved   out: the displacement in the axes of the body, ahead and to the left  [m]
static void add_way(ff_walk_sum *sum, const double step[3], double turned, double commanded, double middle,
                    double moved[2])
{
    double sine, cosine;
    ff_sincos(&middle, &sine, &cosine, 1);
    ff_vec3_add(sum->way, sum->way, step);
    moved[0] = cosine * step[0] + sine * step[1];
    moved[1] = cosine * step[1] - sine * step[0];
    sum->forward += moved[0];
    sum->sideways += moved[1];
    sum->turned += turned;
    sum->commanded += commanded;
    sum->heading_error = ff_max(sum->heading_error, fabs(sum->turned - sum->commanded));
}

/// Sets the sums of a window at its first sample.
static void begin_window(const ff_walker *robot, ff_walk_sum *sum)
{
    sum->begun = true;
    sum->heading0 = robot->heading;
    sum->height0 = sum->low = sum->high = robot->pos[2];
    sum->roll[0] = sum->roll[1] = robot->roll;
    sum->rise[0] = sum->rise[1] = -ff_sin(robot->pitch);
    sum->upright = ff_cos(robot->tilt);
}

static void add_body(const ff_walker *robot, ff_walk_sum *sum, double span)
{
    const double above = robot->pos[2] - sum->height0;
    sum->time += span;
    sum->height += span * above;
    sum->height_squares += span * above * above;
}

static void add_command(ff_walk_sum *sum, const ff_measure_command *command, const double moved[2], double span)
{
    if (!command->moves) return;
    sum->command_time += span;
    sum->command_way[0] += span * command->ahead;
    sum->command_way[1] += span * command->left;
    sum->command_done += command->ahead * moved[0] + command->left * moved[1];
    sum->command_squares += span * (command->ahead * command->ahead + command->left * command->left);
}

/// Height of the trunk's centre of mass, level axes.
static double trunk_height(const ff_walk *walk, const ff_walker *robot)
{
    const ff_data *d = ff_sim_data(walk->site->sim);
    double sum = 0.0;
    for (int i = 0; i < robot->nnode; i++) {
        if (!robot->trunk[i]) continue;
        const ff_node *node = &walk->site->model->nodes[robot->nodes[i]];
        const ff_pose *pose = &d->pose[robot->nodes[i]];
        double arm[3];
        ff_mat3_mulv(arm, pose->R, node->inertia.h);
        sum += ff_vec3_dot(walk->axes + 6, arm) +
               node->inertia.mass * (ff_vec3_dot(walk->axes + 6, pose->p) +
                                     ff_vec3_dot(walk->axes + 6, d->tree_origin + 3 * node->tree));
    }
    return sum / robot->trunk_mass;
}

/// Vertical components of the axes of the base: the vertical in its frame.
static void vertical(const ff_walk *walk, const ff_walker *robot, double up[3])
{
    const ff_body *base = &walk->site->model->bodies[robot->base];
    double in_node[3];
    if (base->node < 0) // fixed to the world
        ff_vec3_copy(in_node, walk->axes + 6);
    else
        ff_mat3_tmulv(in_node, ff_sim_data(walk->site->sim)->pose[base->node].R, walk->axes + 6);
    ff_mat3_tmulv(up, base->R, in_node);
}

static ff_measure_command command_of(const ff_walk *walk, const ff_walker *robot)
{
    const ff_measure_site *site = walk->site;
    return site->command ? site->command(site->context, robot->robot) : (ff_measure_command){0};
}

/// Rotation of the body since the last sample minus the commanded one; `ahead`: its x axis.  [rad]
static double heading_deviation(const ff_walk *walk, const ff_walker *robot, const double ahead[3], double t)
{
    double x[3];
    ff_walk_level(walk, ahead, x);
    const double turned = remainder(ff_atan2(x[1], x[0]) - robot->heading, 2.0 * FF_PI);
    return turned - (t - robot->sampled) * command_of(walk, robot).turn;
}

static void watch_reach(const ff_walk *walk, ff_walker *robot, const double origin[3], const double ahead[3], double t)
{
    const ff_model *m = walk->site->model;
    for (int i = 0; i < robot->nleg; i++) {
        const ff_frame *foot = &m->frames[m->legs[robot->legs[i].leg].frame];
        double arm[3];
        ff_dyn_point(m, ff_sim_data(walk->site->sim), foot->body, foot->pos, arm);
        ff_vec3_sub(arm, arm, origin);
        const double reach = ff_vec3_dot(ahead, arm);
        for (int w = 0; w < walk->nwindow; w++) {
            double *extremes = robot->sums[w].legs[i].ahead;
            if (!ff_window_holds(&walk->windows[w], t)) continue;
            extremes[0] = ff_min(extremes[0], reach);
            extremes[1] = ff_max(extremes[1], reach);
        }
    }
}

void ff_walk_watch_posture(const ff_walk *walk, ff_walker *robot, double t)
{
    double up[3], origin[3], R[9];
    vertical(walk, robot, up);
    ff_dyn_body_axes(walk->site->model, ff_sim_data(walk->site->sim), robot->base, origin, R);
    const double ahead[3] = {R[0], R[3], R[6]}, deviation = heading_deviation(walk, robot, ahead, t);
    const double height = trunk_height(walk, robot), roll = ff_atan2(up[1], up[2]);
    for (int w = 0; w < walk->nwindow; w++) {
        ff_walk_sum *sum = &robot->sums[w];
        if (!sum->begun || !ff_window_holds(&walk->windows[w], t)) continue;
        sum->heading_error = ff_max(sum->heading_error, fabs(sum->turned - sum->commanded + deviation));
        sum->low = ff_min(sum->low, height);
        sum->high = ff_max(sum->high, height);
        sum->roll[0] = ff_min(sum->roll[0], roll);
        sum->roll[1] = ff_max(sum->roll[1], roll);
        sum->rise[0] = ff_min(sum->rise[0], up[0]);
        sum->rise[1] = ff_max(sum->rise[1], up[0]);
        sum->upright = ff_min(sum->upright, up[2]);
    }
    watch_reach(walk, robot, origin, ahead, t);
}

/// Computes positions of the feet along and across the body. A foot that does not touch gets its centre as a point, in
/// case the gap turns out too short to count.
static void place_feet(const ff_walk *walk, ff_walker *robot, double across[])
{
    const ff_model *m = walk->site->model;
    double origin[3], quat[4], R[9];
    ff_dyn_body_pose(m, ff_sim_data(walk->site->sim), robot->base, origin, quat);
    ff_quat_to_mat3(R, quat);
    for (int i = 0; i < robot->nleg; i++) {
        ff_walk_leg *leg = &robot->legs[i];
        const ff_frame *foot = &m->frames[m->legs[leg->leg].frame];
        double world[3], at[3], arm[3];
        ff_dyn_point(m, ff_sim_data(walk->site->sim), foot->body, foot->pos, world);
        ff_vec3_sub(arm, world, origin);
        leg->ahead = R[0] * arm[0] + R[3] * arm[1] + R[6] * arm[2];
        if (across) across[i] = R[1] * arm[0] + R[4] * arm[1] + R[7] * arm[2];
        ff_walk_level(walk, world, at);
        leg->sole = at[2] - m->legs[leg->leg].radius;
        if (leg->npoint > 0) continue;
        ff_walk_add_point(robot, leg, at);
    }
}

/// Finds the neighbour of each leg: the next one behind it on the same side, at the start.
static void find_neighbours(const ff_walk *walk, ff_walker *robot)
{
    double *across = robot->across;
    place_feet(walk, robot, across);
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

/// Computes the stature, and the one below which the robot has collapsed. At the start that depends on the mean height
/// of all feet, so that a start on a slope or with legs in the air is no collapse.
static void measure_stature(ff_walker *robot, bool first, double command)
{
    double lowest = INFINITY, mean = 0.0;
    for (int i = 0; i < robot->nleg; i++) {
        lowest = ff_min(lowest, robot->legs[i].sole);
        mean += robot->legs[i].sole / robot->nleg;
    }
    robot->stature = robot->pos[2] - lowest;
    if (first) {
        robot->command = command;
        robot->lowest = COLLAPSED * ff_max(robot->pos[2] - mean, 0.0);
    }
    if (!(command < robot->command)) return;
    robot->lowest *= command / robot->command;
    robot->command = command;
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

static void update_signals(ff_walker *robot, const double com[3], const double step[3], double span)
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

void ff_walk_sample(const ff_walk *walk, ff_walker *robot, double t)
{
    const bool first = isnan(robot->sampled);
    const double span = first ? 0.0 : t - robot->sampled, heading = robot->heading;
    double com[3], pos[3], step[3] = {0.0, 0.0, 0.0};
    centres(walk, robot, com, pos);
    attitude(walk, robot);
    if (!first) ff_vec3_sub(step, pos, robot->pos);
    ff_vec3_copy(robot->pos, pos);
    const double turned = first ? 0.0 : robot->heading - heading;
    const ff_measure_command command = command_of(walk, robot);
    for (int w = 0; w < walk->nwindow; w++) {
        ff_walk_sum *sum = &robot->sums[w];
        const double overlap = ff_window_overlap(&walk->windows[w], t, span), share = span > 0.0 ? overlap / span : 0.0;
        const double part[3] = {share * step[0], share * step[1], share * step[2]};
        if (!sum->begun && t >= walk->windows[w].from) begin_window(robot, sum);
        if (!(overlap > 0.0)) continue;
        double moved[2];
        add_way(sum, part, share * turned, overlap * command.turn, robot->heading - 0.5 * turned, moved);
        add_command(sum, &command, moved, overlap);
        add_body(robot, sum, overlap);
    }
    ff_walk_add_tracking(walk, robot, t);
    if (first) find_neighbours(walk, robot);
    place_feet(walk, robot, NULL);
    measure_stature(robot, first, command.height);
    update_signals(robot, com, step, span);
    ff_walk_queue_take(walk, robot, t);
    ff_walk_queue_put(robot, t, span, com);
    robot->sampled = t;
}
