// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames of the simulation for clients: a header and sections of 32-bit floats in the layout of protocol.h. One frame
// serves all clients; the rows that a client watches are added when it fetches the frame. Frames are made in memory of
// the simulation thread and then swapped with the published one: only the newest is kept.
#include "protocol.h"
#include "workbench_inner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CONTACTS_MOST = 1024 };

// ------------------------------------------------------------------------------------------ bytes

/// Extends the draft by `size` bytes. @return where they begin; NULL: out of memory
static unsigned char *reserve(ff_workbench *b, size_t size)
{
    if (b->draft_size + size > b->draft_capacity) {
        const size_t capacity = 2 * (b->draft_size + size);
        unsigned char *bytes = realloc(b->draft, capacity);
        if (!bytes) return NULL;
        b->draft = bytes;
        b->draft_capacity = capacity;
    }
    unsigned char *p = b->draft + b->draft_size;
    b->draft_size += size;
    return p;
}

static void put_section(unsigned char *p, unsigned tag, unsigned width, uint32_t count)
{
    put16(p + offsetof(ff_section_head, tag), tag);
    put16(p + offsetof(ff_section_head, width), width);
    put32(p + offsetof(ff_section_head, count), count);
}

/// Header of a section; its count is set when all numbers are written.
static bool begin_section(ff_workbench *b, unsigned tag)
{
    const int width = tag == FF_SECTION_Q ? b->scene.spec->model->nq : ff_protocol_width((int)tag);
    unsigned char *p = reserve(b, sizeof(ff_section_head));
    if (!p) return false;
    put_section(p, tag, (unsigned)width, 0);
    b->section = b->draft_size - sizeof(ff_section_head);
    return true;
}

static void add_numbers(ff_workbench *b, const double *values, int count)
{
    unsigned char *p = reserve(b, 4 * (size_t)count);
    for (int i = 0; p && i < count; i++) put_float(p + 4 * i, values[i]);
}

static void end_section(ff_workbench *b)
{
    unsigned char *head = b->draft + b->section, *bytes = head + offsetof(ff_section_head, width);
    const size_t width = (size_t)bytes[0] + 256 * (size_t)bytes[1];
    const size_t count = width > 0 ? (b->draft_size - b->section - sizeof(ff_section_head)) / 4 / width : 0;
    put32(head + offsetof(ff_section_head, count), (uint32_t)count);
    if (count == 0)
        b->draft_size = b->section; // an empty section is removed
    else
        b->sections++;
}

// ------------------------------------------------------------------------------------------ sections

static void add_contacts(ff_workbench *b)
{
    const ff_scene_spec *scene = b->scene.spec;
    int count = 0, n = 0;
    if (!ff_run_world(b->scene.run) || !begin_section(b, FF_SECTION_CONTACTS)) return;
    const ff_world_contact *points = ff_world_contacts(ff_run_world(b->scene.run), ff_run_sim(b->scene.run), &count);
    for (int i = 0; i < count && n < CONTACTS_MOST; i++) {
        const ff_world_contact *c = &points[i];
        if (!ff_world_touches(c)) continue;
        // A page shows the force on body 2: of a pair with the ground, this is the moving body.
        const bool swap = c->body1 >= 0 && scene->model->bodies[c->body1].node >= 0 &&
                          (c->body2 < 0 || scene->model->bodies[c->body2].node < 0);
        const double sign = swap ? -1.0 : 1.0;
        const int limb = c->limb1 >= 0 ? c->limb1 : c->limb2, foot = limb < scene->model->nleg ? limb : -1;
        const double row[10] = {c->place[0],
                                c->place[1],
                                c->place[2],
                                sign * c->force.force[0],
                                sign * c->force.force[1],
                                sign * c->force.force[2],
                                c->mode == FF_CONTACT_STATIC ? 0.0 : 1.0,
                                swap ? c->body2 : c->body1,
                                swap ? c->body1 : c->body2,
                                foot};
        add_numbers(b, row, 10);
        n++;
    }
    end_section(b);
}

static double number_or_nan(const double *value)
{
    return value ? *value : NAN;
}

/// Centre of mass of a robot. @return false: it has no mass
static bool find_centre(const ff_bench_scene *s, int robot, double com[3])
{
    const ff_model *m = s->spec->model;
    const ff_data *d = ff_sim_data(ff_run_sim(s->run));
    double mass = 0.0;
    ff_vec3_set(com, 0.0, 0.0, 0.0);
    for (int i = 0; i < m->nbody; i++) {
        double place[3];
        if (s->robot_of_body[i] != robot || !(m->bodies[i].mass > 0.0)) continue;
        ff_dyn_point(m, d, i, m->bodies[i].com, place);
        ff_vec3_axpy(com, m->bodies[i].mass, place);
        mass += m->bodies[i].mass;
    }
    ff_vec3_scale(com, com, 1.0 / mass);
    return mass > 0.0;
}

/// Centre of pressure and divergent component of motion of a robot on its feet; NaN without feet.
static void find_balance(const ff_bench_scene *s, int robot, double cop[3], double dcm[3])
{
    const ff_model *m = s->spec->model;
    int foot = 0;
    ff_world_balance now;
    while (foot < m->nleg && s->robot_of_body[m->limbs[foot].body] != robot) foot++;
    const bool known =
        foot < m->nleg && ff_world_get_balance(ff_run_world(s->run), ff_run_sim(s->run), m->limbs[foot].body, &now);
    for (int k = 0; k < 3; k++) {
        cop[k] = known ? now.cop[k] : NAN;
        dcm[k] = known ? now.dcm[k] : NAN;
    }
}

static void add_centres(ff_workbench *b)
{
    const ff_bench_scene *s = &b->scene;
    if (!begin_section(b, FF_SECTION_COMS)) return;
    for (int robot = 0; robot < s->spec->nrobot; robot++) {
        const double *const *plan = s->plan.robots[robot];
        double row[12] = {robot, [10] = number_or_nan(plan[FF_PLAN_ZMP_X]), [11] = number_or_nan(plan[FF_PLAN_ZMP_Y])};
        if (!find_centre(s, robot, row + 1)) continue;
        find_balance(s, robot, row + 4, row + 7);
        add_numbers(b, row, 12);
    }
    end_section(b);
}

static void add_external_forces(ff_workbench *b)
{
    double row[7];
    int body;
    if (!begin_section(b, FF_SECTION_OUTSIDE)) return;
    for (int i = 0; (body = ff_run_outside(b->scene.run, i, row + 1, row + 4)) >= 0; i++) {
        row[0] = body;
        add_numbers(b, row, 7);
    }
    end_section(b);
}

/// The axis of each distance sensor, up to its range.
static void add_rays(ff_workbench *b)
{
    const ff_scene_spec *scene = b->scene.spec;
    const ff_data *d = ff_sim_data(ff_run_sim(b->scene.run));
    if (!scene->plant->sensors || !begin_section(b, FF_SECTION_RAYS)) return;
    for (int i = 0; i < scene->plant->sensors->n; i++) {
        const ff_sensor *s = &scene->plant->sensors->sensors[i];
        double reading[FF_SENSOR_CHANNELS_MAX], tip[3], from[3], to[3];
        if (s->type != FF_SENSOR_DISTANCE || ff_sim_sensor(ff_run_sim(b->scene.run), (ff_sensor_id){i}, reading) < 0.0)
            continue;
        const bool hit = reading[1] > 0.5;
        for (int k = 0; k < 3; k++) tip[k] = s->pos[k] + (hit ? reading[0] : s->reach[1]) * s->R[3 * k];
        ff_dyn_point(scene->model, d, s->body, s->pos, from);
        ff_dyn_point(scene->model, d, s->body, tip, to);
        const double row[7] = {from[0], from[1], from[2], to[0], to[1], to[2], hit};
        add_numbers(b, row, 7);
    }
    end_section(b);
}

/// Moment of the contact forces of a foot about its centre of pressure.
static void moment_at_pressure(const ff_workbench *b, const ff_foot *foot, double out[3])
{
    const ff_limb *limb = &b->scene.spec->model->limbs[foot->limb];
    double origin[3], arm[3], force_moment[3];
    ff_dyn_point(b->scene.spec->model, ff_sim_data(ff_run_sim(b->scene.run)), limb->body, limb->pos, origin);
    ff_vec3_sub(arm, foot->cop, origin);
    ff_vec3_cross(force_moment, arm, foot->force);
    ff_vec3_sub(out, foot->moment, force_moment);
}

static void add_limbs(ff_workbench *b)
{
    const ff_scene_spec *scene = b->scene.spec;
    static const double *const no_plan[FF_PLAN_LEG_COUNT] = {0};
    int count;
    if (!ff_run_world(b->scene.run) || !begin_section(b, FF_SECTION_LIMBS)) return;
    const ff_foot *feet = ff_world_feet(ff_run_world(b->scene.run), ff_run_sim(b->scene.run), &count);
    for (int i = 0; i < count; i++) {
        const double *const *plan = i < scene->model->nleg ? b->scene.plan.legs[i] : no_plan;
        double row[15] = {feet[i].touching ? 1.0 : 0.0};
        ff_vec3_copy(row + 1, feet[i].force);
        row[4] = number_or_nan(plan[FF_PLAN_FORCE]);
        ff_vec3_copy(row + 5, feet[i].cop);
        moment_at_pressure(b, &feet[i], row + 8);
        for (int k = FF_PLAN_LOAD; k < FF_PLAN_LEG_COUNT; k++) row[10 + k] = number_or_nan(plan[k]);
        add_numbers(b, row, 15);
    }
    end_section(b);
}

static bool compose(ff_workbench *b)
{
    const ff_bench_scene *s = &b->scene;
    const ff_model *m = s->spec->model;
    ff_sim *sim = ff_run_sim(s->run);
    ff_error ignored = {0};
    b->draft_size = 0;
    b->sections = 0;
    if (!reserve(b, sizeof(ff_frame_head))) return false;
    if (!s->failed)
        ff_sim_evaluate(sim, FF_SIM_ACCELERATION, &ignored); // after a failure the state is shown without forces
    if (begin_section(b, FF_SECTION_Q)) {
        add_numbers(b, ff_sim_q(sim), m->nq);
        end_section(b);
    }
    if (!s->failed) {
        add_contacts(b);
        add_centres(b);
        add_external_forces(b);
        add_rays(b);
        add_limbs(b);
    }
    unsigned char *p = b->draft;
    const unsigned flags = (s->running ? FF_FRAME_RUNNING : 0U) | (s->outcome[0] ? FF_FRAME_ENDED : 0U) |
                           (s->failed ? FF_FRAME_FAILED : 0U) | (s->recording_full ? 0U : FF_FRAME_RECORDING);
    put32(p + offsetof(ff_frame_head, magic), FF_FRAME_MAGIC);
    put16(p + offsetof(ff_frame_head, version), FF_FRAME_VERSION);
    put16(p + offsetof(ff_frame_head, flags), flags);
    put32(p + offsetof(ff_frame_head, generation), s->generation);
    put32(p + offsetof(ff_frame_head, number), b->frame_number + 1);
    put_double(p + offsetof(ff_frame_head, t), ff_sim_time(sim));
    put_float(p + offsetof(ff_frame_head, rtf), s->rtf);
    put32(p + offsetof(ff_frame_head, dropped), 0);
    put32(p + offsetof(ff_frame_head, sections), b->sections);
    put32(p + offsetof(ff_frame_head, starts), s->starts);
    return true;
}

// ------------------------------------------------------------------------------------------ publishing

void ff_bench_publish(ff_workbench *b)
{
    const double now = ff_bench_clock();
    if (!b->scene.spec || b->nclient == 0 || !b->changed || now < b->next_frame - 1e-3) return;
    b->next_frame = ff_max(b->next_frame + 1.0 / FF_BENCH_FRAME_HZ, now);
    if (!b->scene.running) ff_watch_sample_now(b);
    b->moved = b->changed = false;
    if (!compose(b)) return;
    pthread_mutex_lock(&b->out_lock);
    unsigned char *bytes = b->frame;
    const size_t capacity = b->frame_capacity;
    b->frame = b->draft;
    b->frame_size = b->draft_size;
    b->frame_capacity = b->draft_capacity;
    b->frame_number++;
    for (int i = 0; i < FF_WORKBENCH_CLIENTS; i++)
        if (b->clients[i].connected) ff_watch_publish(&b->clients[i]);
    pthread_mutex_unlock(&b->out_lock);
    b->draft = bytes;
    b->draft_capacity = capacity;
    b->draft_size = 0;
    ff_bench_take_pictures(b, now);
    b->sink.frame(b->sink.context);
}

void ff_bench_clear_frames(ff_workbench *b)
{
    pthread_mutex_lock(&b->out_lock);
    b->frame_size = 0;
    for (int i = 0; i < FF_BENCH_CAMERAS; i++) b->pictures[i].size = 0;
    pthread_mutex_unlock(&b->out_lock);
    memset(b->pulls, 0, sizeof b->pulls);
}

/// Adds as many of the newest rows as fit. @return bytes written
static size_t add_rows(ff_bench_client *client, unsigned char *bytes, size_t room)
{
    const size_t width = (size_t)client->ring_width;
    const size_t head = sizeof(ff_section_head);
    if (client->ring_count == 0 || room < head + 4 * width) return 0;
    size_t count = (room - head) / (4 * width);
    if (count > (size_t)client->ring_count) count = (size_t)client->ring_count;
    const size_t omitted = (size_t)client->ring_count - count;
    client->dropped += (uint32_t)omitted;
    put_section(bytes, FF_SECTION_ROWS, (unsigned)width, (uint32_t)count);
    unsigned char *p = bytes + head;
    for (size_t i = 0; i < count; i++) {
        const size_t at = ((size_t)client->ring_first + omitted + i) % (size_t)client->ring_size;
        for (size_t k = 0; k < width; k++, p += 4) put_float(p, (double)client->ring[at * width + k]);
    }
    client->ring_first = client->ring_count = 0;
    return (size_t)(p - bytes);
}

size_t ff_workbench_frame(ff_workbench *b, int client, unsigned char *bytes, size_t size, uint32_t *number)
{
    size_t written = 0;
    if (client < 0 || client >= FF_WORKBENCH_CLIENTS) return 0;
    ff_bench_client *to = &b->clients[client];
    pthread_mutex_lock(&b->out_lock);
    if (b->frame_size > 0 && to->sent != b->frame_number && b->frame_size <= size) {
        memcpy(bytes, b->frame, b->frame_size);
        written = b->frame_size;
        const size_t rows = add_rows(to, bytes + written, size - written);
        unsigned char *sections = bytes + offsetof(ff_frame_head, sections);
        if (rows > 0) put32(sections, ((uint32_t)sections[0] | (uint32_t)sections[1] << 8) + 1);
        put32(bytes + offsetof(ff_frame_head, dropped), to->dropped);
        written += rows;
        to->dropped = 0;
        to->sent = b->frame_number;
        if (number) *number = b->frame_number;
    } else {
        written = ff_bench_copy_picture(b, to, bytes, size);
        if (written == 0) written = ff_batching_copy_frame(b, to, bytes, size);
    }
    pthread_mutex_unlock(&b->out_lock);
    return written;
}
