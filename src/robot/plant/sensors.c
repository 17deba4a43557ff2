// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors attached to a simulation: one read-only task for each rate and phase. Tasks end steps exactly at their times,
// so a rate need not be a multiple of the step. What sensors measure is gathered once for all sensors of a task.
#include "plant/sensors.h"
#include "engine/channel.h"
#include "plant/drives.h"
#include "sense/interface.h"
#include "world/world.h"

#include <footfall/text.h>

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------- quantities that sensors measure

/// Do sensors of joint k of the path measure the drive? The first motor of a differential is measured at its first
/// joint, the second motor at the second.
static bool is_measured_at(const ff_drive_set *set, int drive, int k)
{
    const int partner = set->drives[drive].partner;
    return partner < 0 || k == (partner < drive ? 1 : 0);
}

static void gather_drives(ff_sim *sim, ff_sensors_link *link)
{
    if (!link->drives) return;
    const ff_drive_set *set = link->drives->set;
    const double *z = ff_sim_part_state(sim, link->drives->part);
    for (int i = 0; i < set->n; i++) {
        const ff_drive *d = &set->drives[i];
        if (d->motor == FF_MOTOR_NONE) continue; // a cable has no encoder
        const double x = d->path.kind == FF_PATH_JOINT ? sim->data->q[d->path.qadr[0]] + d->path.offset
                                                       : ff_drive_path_locate(&d->path, sim->data->q, sim->data->v).x;
        // the rotor after the gear is the first of the moving states
        const double rotor = d->nmoving > 0 ? z[set->offset[i + 1] - d->nmoving] : x;
        for (int k = 0; k < d->path.njoint; k++) {
            if (!is_measured_at(set, i, k)) continue;
            link->motor[d->path.joint[k]] = d->ratio * rotor;
            link->deflection[d->path.joint[k]] = rotor - x;
        }
    }
}

static void gather_currents(ff_sim *sim, ff_sensors_link *link)
{
    for (int i = 0; link->drives && i < link->drives->set->n; i++) {
        const ff_drive_path *path = &link->drives->set->drives[i].path;
        const double current = ff_drives_flow(link->drives, sim, i)->current;
        for (int k = 0; k < path->njoint; k++)
            if (is_measured_at(link->drives->set, i, k)) link->current[path->joint[k]] = current;
    }
}

static bool acts(const ff_sim *sim, int actuator)
{
    for (int k = 0; k < sim->nacting; k++)
        if (sim->acting[k] == actuator) return true;
    return false;
}

/// Gathers the force of each actuator before its gear, or of the drive that was made from the actuator.
static void gather_actuators(ff_sim *sim, ff_sensors_link *link)
{
    for (int i = 0; i < sim->model->nactuator; i++) {
        const double gear = sim->model->actuators[i].gear;
        link->actuator[i] = acts(sim, i) ? ff_sim_actuator_force(sim, i) : 0.0;
        if (link->drive_of[i] >= 0 && gear != 0.0)
            link->actuator[i] = ff_drives_flow(link->drives, sim, link->drive_of[i])->force / gear;
    }
}

/// Gathers the contact points with a force. Sensors add up points and do not use the sums of feet (ff_foot), since
/// contacts within a robot count for sensors alone, a foot includes points whose damping pulls, and switches and
/// tactile arrays need single points.
static void gather_contacts(ff_sim *sim, ff_sensors_link *link)
{
    int count = 0;
    const ff_world_contact *from = link->world ? ff_world_contacts(link->world, sim, &count) : NULL;
    link->view.ncontact = 0;
    for (int i = 0; i < count && link->view.ncontact < link->most_contacts; i++) {
        if (!(from[i].force.normal > 0.0)) continue; // shapes are near without touching
        link->contacts[link->view.ncontact++] = (ff_sense_contact){.body1 = from[i].body1,
                                                                   .body2 = from[i].body2,
                                                                   .shape1 = from[i].shape1,
                                                                   .shape2 = from[i].shape2,
                                                                   .place = from[i].place,
                                                                   .normal = from[i].point.normal,
                                                                   .force = from[i].force.force,
                                                                   .moment = from[i].force.moment};
    }
}

/// Gathers the forces of loop closures from the multipliers of the last evaluation.
static void gather_loops(const ff_sim *sim, ff_sensors_link *link)
{
    const ff_loops *l = sim->loops;
    link->view.nloop_force = 0;
    for (int i = 0; l && i < l->nloop; i++) {
        const ff_loop *loop = &l->loops[i];
        if (loop->type == FF_EQUALITY_JOINT) continue;
        ff_sense_loop_force *to = &link->loop_forces[link->view.nloop_force++];
        *to = (ff_sense_loop_force){.body1 = loop->object1, .body2 = loop->object2};
        ff_dyn_point(sim->model, sim->data, loop->object1, loop->point1, to->place1);
        ff_dyn_point(sim->model, sim->data, loop->object2, loop->point2, to->place2);
        ff_loops_force(sim->model, sim->data, l, i, to->force, to->moment);
    }
}

static void gather_shapes(ff_sim *sim, ff_sensors_link *link)
{
    const ff_world *w = link->world;
    for (int i = 0; w && i < w->nshape; i++) {
        const ff_item *item = &w->items[i];
        ff_sense_shape *to = &link->shapes[i];
        if (item->node >= 0) {
            const ff_pose *node = &sim->data->pose[item->node];
            double arm[3];
            ff_mat3_mul(to->pose.R, node->R, item->local.R);
            ff_mat3_mulv(arm, node->R, item->local.p);
            ff_vec3_add(to->pose.p, node->p, arm);
            ff_vec3_add(to->pose.p, to->pose.p, sim->data->tree_origin + 3 * sim->model->nodes[item->node].tree);
        } else
            to->pose = item->pose;
        ff_collider_bounds(to->collider, &to->pose, to->low, to->high);
    }
}

void ff_sensors_update_view(ff_sim *sim, ff_sensors_link *link, unsigned need)
{
    ff_sim_reach(sim, need & FF_NEEDS_FORCES ? FF_SIM_ACCELERATION : FF_SIM_VELOCITY);
    ff_sim_reach(sim, FF_SIM_VELOCITY); // also without an acceleration
    if (need & FF_NEEDS_MOTORS) gather_drives(sim, link);
    if (need & FF_NEEDS_CURRENTS) gather_currents(sim, link);
    if (need & (FF_NEEDS_CONTACTS | FF_NEEDS_FORCES)) gather_contacts(sim, link);
    if (need & FF_NEEDS_FORCES) gather_loops(sim, link);
    if (need & FF_NEEDS_SHAPES) gather_shapes(sim, link);
    if (need & FF_NEEDS_ACTUATORS) gather_actuators(sim, link);
}

unsigned ff_sensors_need(const ff_sensor *s)
{
    return ff_sensor_needs(s->type) | (s->fusion ? FF_NEEDS_FORCES : 0u);
}

// ------------------------------------------------------------------------------------------ tasks

static void take_picture(ff_sim *sim, ff_sensors_link *link, int i, double t)
{
    const ff_sensor *s = &link->set->sensors[i];
    double p[3], quat[4], body[9], arm[3], pos[3], R[9];
    ff_dyn_body_pose(sim->model, sim->data, s->body, p, quat);
    ff_quat_to_mat3(body, quat);
    ff_mat3_mulv(arm, body, s->pos);
    ff_vec3_add(pos, p, arm);
    ff_mat3_mul(R, body, s->R);
    ff_random *random =
        s->chain.stages & FF_STAGE_NOISE ? (ff_random *)(void *)(link->memory + link->set->slots[i].chain) : NULL;
    ff_camera_take(s->camera, &link->view, pos, R, s->body, random, link->pictures[i]);
    link->pictures[i]->time = t;
}

static ff_sim_action sample(void *context, ff_sim *sim, double t)
{
    const ff_sensors_task *task = context;
    ff_sensors_link *link = task->link;
    ff_sensors_update_view(sim, link, task->need);
    for (int i = 0; i < task->n; i++) {
        if (link->pictures[task->sensors[i]])
            take_picture(sim, link, task->sensors[i], t);
        else
            ff_sensor_sample(link->set, task->sensors[i], link->memory, &link->view, t);
    }
    return FF_SIM_GO;
}

/// Runs once, before all other tasks.
static ff_sim_action start(void *context, ff_sim *sim, double t)
{
    ff_sensors_link *link = context;
    ff_sensors_update_view(sim, link, ~0u);
    for (int i = 0; i < link->set->n; i++)
        ff_sensor_start(link->set, i, link->memory, sim->options.seed, &link->view, t);
    return FF_SIM_GO;
}

static double phase_of(const ff_sensor *s)
{
    return s->chain.stages & FF_STAGE_SAMPLING ? s->chain.phase : 0.0;
}

/// Adds a task for all sensors without a task that have the rate and phase of sensor `first`, which is the first such.
static ff_status add_task(ff_sim *sim, ff_sensors_link *link, int first, bool *listed, ff_error *err)
{
    const ff_sensor *sensors = link->set->sensors;
    ff_sensors_task *to = &link->tasks[link->ntask++];
    *to = (ff_sensors_task){.link = link, .sensors = FF_ARENA_NEW(&sim->arena, int, link->set->n + 1)};
    if (!to->sensors) return ff_error_set(err, FF_NO_MEMORY, "no memory for the sensors");
    for (int i = first; i < link->set->n; i++) {
        if (listed[i] || sensors[i].chain.period != sensors[first].chain.period ||
            phase_of(&sensors[i]) != phase_of(&sensors[first]))
            continue;
        listed[i] = true;
        to->sensors[to->n++] = i;
        to->need |= ff_sensors_need(&sensors[i]);
    }
    const double period = sensors[first].chain.period;
    const ff_task task = {.name = ff_arena_printf(&sim->arena, "sensors at %g Hz", 1.0 / period),
                          .period = ff_ticks_from_seconds(period),
                          .offset = ff_ticks_from_seconds(phase_of(&sensors[first])),
                          .reads_only = true,
                          .context = to,
                          .run = sample};
    to->task = ff_sim_add_task(sim, &task, err);
    return to->task < 0 ? FF_BAD_ARGUMENT : FF_OK;
}

/// Sensors of the same rate and phase share a task.
static ff_status add_tasks(ff_sim *sim, ff_sensors_link *link, ff_error *err)
{
    const int n = link->set->n;
    bool *listed = FF_ARENA_NEW(&sim->arena, bool, n + 1);
    ff_status status = FF_OK;
    link->tasks = FF_ARENA_NEW(&sim->arena, ff_sensors_task, n + 1);
    if (!listed || !link->tasks) return ff_error_set(err, FF_NO_MEMORY, "no memory for the sensors");
    const ff_task once = {.name = "sensors start", .reads_only = true, .context = link, .run = start};
    if (ff_sim_add_task(sim, &once, err) < 0) return FF_BAD_ARGUMENT;
    for (int i = 0; i < n && status == FF_OK; i++)
        if (!listed[i]) status = add_task(sim, link, i, listed, err);
    return status;
}

// ------------------------------------------------------------------------------------------ joining

static ff_status find_shapes(ff_sim *sim, ff_sensors_link *link, ff_error *err)
{
    int count = 0;
    const ff_world_shape *shapes = link->world ? ff_world_shapes(link->world, &count) : NULL;
    link->shapes = FF_ARENA_NEW(&sim->arena, ff_sense_shape, count + 1);
    link->most_contacts = link->world ? 4 * link->world->most + 64 : 0;
    link->contacts = FF_ARENA_NEW(&sim->arena, ff_sense_contact, link->most_contacts + 1);
    if (!link->shapes || !link->contacts) return ff_error_set(err, FF_NO_MEMORY, "no memory for the sensors");
    for (int i = 0; i < count; i++) {
        link->shapes[i] =
            (ff_sense_shape){.collider = &shapes[i].collider, .body = shapes[i].body, .name = shapes[i].name};
        for (int k = 0; k < 3; k++)
            link->shapes[i].colour[k] = shapes[i].geom >= 0 ? (float)sim->model->geoms[shapes[i].geom].rgba[k] : 0.5F;
    }
    return FF_OK;
}

/// Finds the shapes that sensors name: one, or all of a body that match a pattern (the pad of a sole).
static ff_status name_shapes(ff_sim *sim, ff_sensors_link *link, ff_error *err)
{
    int count = 0;
    const ff_world_shape *shapes = link->world ? ff_world_shapes(link->world, &count) : NULL;
    link->named = FF_ARENA_NEW(&sim->arena, bool, link->set->nnamed *count + 1);
    if (!link->named) return ff_error_set(err, FF_NO_MEMORY, "no memory for the sensors");
    for (int i = 0; i < link->set->n; i++) {
        const ff_sensor *s = &link->set->sensors[i];
        if (s->named < 0) continue;
        bool any = false;
        for (int k = 0; k < count; k++) {
            const bool here = s->body < 0 || shapes[k].body == s->body;
            link->named[s->named * count + k] = here && ff_text_matches(s->shape, shapes[k].name);
            any = any || link->named[s->named * count + k];
        }
        if (!any)
            return ff_error_set_at(err, FF_NOT_FOUND, s->place, "sensor '%.60s': no shape '%.60s'%s", s->name, s->shape,
                                   link->world ? " touches anything here" : ": nothing can touch in this simulation");
    }
    return FF_OK;
}

static ff_status make_pictures(ff_sim *sim, ff_sensors_link *link, ff_error *err)
{
    link->pictures = FF_ARENA_NEW(&sim->arena, ff_picture *, link->set->n + 1);
    if (!link->pictures) return ff_error_set(err, FF_NO_MEMORY, "no memory for the cameras");
    for (int i = 0; i < link->set->n; i++) {
        const ff_camera *camera = link->set->sensors[i].camera;
        link->npicture = i + 1;
        if (!camera) continue;
        link->pictures[i] = ff_picture_create(camera->width, camera->height, err);
        if (!link->pictures[i]) return err ? err->status : FF_NO_MEMORY;
    }
    return FF_OK;
}

static void destroy(void *context)
{
    const ff_sensors_link *link = context;
    for (int i = 0; i < link->npicture; i++) ff_picture_destroy(link->pictures[i]);
}

/// Finds the drives made from actuators, which have the names of these.
static void find_drives(const ff_model *m, ff_sensors_link *link)
{
    for (int i = 0; i < m->nactuator; i++) {
        link->drive_of[i] = -1;
        for (int k = 0; link->drives && k < link->drives->set->n; k++)
            if (strcmp(link->drives->set->drives[k].name, m->actuators[i].name) == 0) link->drive_of[i] = k;
    }
}

static ff_status make_view(ff_sim *sim, ff_sensors_link *link, ff_error *err)
{
    const ff_model *m = sim->model;
    link->motor = FF_ARENA_NEW(&sim->arena, double, m->njoint + 1);
    link->current = FF_ARENA_NEW(&sim->arena, double, m->njoint + 1);
    link->deflection = FF_ARENA_NEW(&sim->arena, double, m->njoint + 1);
    link->loop_forces = FF_ARENA_NEW(&sim->arena, ff_sense_loop_force, ff_loops_count(m) + 1);
    link->actuator = FF_ARENA_NEW(&sim->arena, double, m->nactuator + 1);
    link->drive_of = FF_ARENA_NEW(&sim->arena, int, m->nactuator + 1);
    if (!link->motor || !link->current || !link->deflection || !link->loop_forces || !link->actuator || !link->drive_of)
        return ff_error_set(err, FF_NO_MEMORY, "no memory for the sensors");
    for (int i = 0; i < m->njoint; i++) link->motor[i] = NAN; // no motor known
    find_drives(m, link);
    ff_status status = find_shapes(sim, link, err);
    if (status == FF_OK) status = name_shapes(sim, link, err);
    link->view = (ff_sense_view){.model = m,
                                 .data = sim->data,
                                 .other = sim->data->applied,
                                 .contacts = link->contacts,
                                 .loop_forces = link->loop_forces,
                                 .shapes = link->shapes,
                                 .nshape = link->world ? link->world->nshape : 0,
                                 .named = link->named,
                                 .motor = link->drives ? link->motor : NULL,
                                 .current = link->drives ? link->current : NULL,
                                 .deflection = link->drives ? link->deflection : NULL,
                                 .actuator = link->actuator};
    return status;
}

// ------------------------------------------------------------------------------------------ channels

static void read_sensor(const ff_channel *c, ff_sim *sim, double *out)
{
    const ff_sensors_link *link = c->context;
    ff_sensor_read(link->set, c->index, link->memory, ff_sim_time(sim), out);
}

/// "N", or "N, N m" where units differ.
static const char *units_of(ff_sim *sim, const ff_sensor *s)
{
    const char *units = ff_sensor_unit(s, 0), *last = units;
    for (int i = 1; i < s->chain.n && units; i++) {
        if (strcmp(ff_sensor_unit(s, i), last) == 0) continue;
        last = ff_sensor_unit(s, i);
        units = ff_arena_printf(&sim->arena, "%s, %s", units, last);
    }
    return units;
}

static void add_channels(void *context, ff_channel_list *l)
{
    const ff_sensor_set *set = ((const ff_sensors_link *)context)->set;
    for (int i = 0; i < set->n; i++) {
        const ff_sensor *s = &set->sensors[i];
        if (s->chain.n < 1) continue; // cameras
        const char **names =
            s->tactile || s->chain.n == 1 ? NULL : FF_ARENA_NEW(&l->sim->arena, const char *, s->chain.n);
        for (int k = 0; names && k < s->chain.n; k++) names[k] = ff_sensor_channel(s, k);
        ff_channel_add(l, ff_arena_printf(&l->sim->arena, "sensors.%s", s->name), units_of(l->sim, s), s->chain.n,
                       names, read_sensor, i);
    }
}

// ------------------------------------------------------------------------------------------ the part

static const char KIND[] = "sensors";

ff_sensors_link *ff_sensors_find(const ff_sim *sim)
{
    return ff_sim_find_inner(sim, KIND);
}

static ff_status add_part(ff_sim *sim, ff_sensors_link *link, ff_error *err)
{
    const ff_part_memory memory = {link->memory, link->set->memory_size};
    const ff_part part = {
        .name = "sensors", .context = link, .memory = &memory, .nmemory = link->set->memory_size > 0 ? 1 : 0};
    const ff_part_inner inner = {.kind = KIND, .channels = add_channels};
    if (!ff_sim_own(sim, link, destroy)) return ff_error_set(err, FF_NO_MEMORY, "no memory for the sensors");
    return ff_sim_add_inner_part(sim, &part, &inner, err) < 0 ? FF_BAD_ARGUMENT : FF_OK;
}

ff_status ff_sensors_join(ff_sim *sim, const ff_sensor_set *set, ff_error *err)
{
    if (ff_sensors_find(sim)) return ff_error_set(err, FF_BAD_ARGUMENT, "this simulation has its sensors already");
    ff_sensors_link *link = FF_ARENA_NEW(&sim->arena, ff_sensors_link, 1);
    if (!link) return ff_error_set(err, FF_NO_MEMORY, "no memory for the sensors");
    *link = (ff_sensors_link){.set = set,
                              .memory = FF_ARENA_NEW(&sim->arena, char, set->memory_size + 1),
                              .world = ff_sim_world(sim),
                              .drives = ff_drives_find(sim)};
    if (!link->memory) return ff_error_set(err, FF_NO_MEMORY, "no memory for the sensors");
    ff_status status = make_view(sim, link, err);
    if (status == FF_OK) status = add_part(sim, link, err);
    if (status == FF_OK) status = make_pictures(sim, link, err);
    return status == FF_OK ? add_tasks(sim, link, err) : status;
}

const ff_sensor_set *ff_sim_sensors(const ff_sim *sim)
{
    const ff_sensors_link *link = ff_sensors_find(sim);
    return link ? link->set : NULL;
}

static const char *name_of(const void *set, int i)
{
    return ((const ff_sensor_set *)set)->sensors[i].name;
}

ff_sensor_id ff_sim_find_sensor(ff_sim *sim, const char *name)
{
    const ff_sensor_set *set = ff_sim_sensors(sim);
    return (ff_sensor_id){ff_sim_find_name(sim, "sensor", name, name_of, set, set ? set->n : 0)};
}

/// The sensors of a simulation; NULL where it has no sensor of this number, which the next run reports.
static const ff_sensors_link *find_sensor(const ff_sim *sim, ff_sensor_id sensor)
{
    const ff_sensors_link *link = ff_sensors_find(sim);
    return ff_sim_check_handle(sim, "sensor", sensor.index, link ? link->set->n : 0) ? link : NULL;
}

double ff_sim_sensor(const ff_sim *sim, ff_sensor_id sensor, double *out)
{
    const ff_sensors_link *link = find_sensor(sim, sensor);
    if (!link) return -INFINITY;
    if (!out) {
        ff_sim_note_mistake(sim, FF_BAD_ARGUMENT,
                            "ff_sim_sensor: room for the values of sensor '%.80s' is missing (NULL)",
                            link->set->sensors[sensor.index].name);
        return -INFINITY;
    }
    return ff_sensor_read(link->set, sensor.index, link->memory, ff_sim_time(sim), out);
}

const ff_picture *ff_sim_picture(const ff_sim *sim, ff_sensor_id camera)
{
    const ff_sensors_link *link = find_sensor(sim, camera);
    return link ? link->pictures[camera.index] : NULL;
}
