// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What is seen of the robots of a batch: sensors, observations, and numbers of all robots where they lie.
#include "batch/robots.h"

#include <footfall/math.h>
#include <string.h>

enum { SENSE_DRAWS = 20 };                    // a step may draw so many numbers, as a power of two
static const uint64_t SENSE_STREAM = 0x5e15e; // noise and spreads of one seed have nothing in common

// ------------------------------------------------------------------------------------------ sensors

int ff_batch_sense_count(const ff_batch_model *m)
{
    return m ? 2 * m->nservo + (m->root >= 0 ? 6 : 0) + 3 * m->nfoot : 0;
}

/// Angular velocity and specific force of the root, body axes.
static void sense_root(const ff_batch *b, int robot, double gyro[3], double accelerometer[3])
{
    const ff_batch_model *m = b->model;
    double quat[4], R[9], force[3];
    for (int k = 0; k < 4; k++) quat[k] = *ff_robot_row(b, robot, m->root + 3 + k);
    ff_quat_to_mat3(R, quat);
    for (int k = 0; k < 3; k++) {
        gyro[k] = *ff_robot_row(b, robot, m->nq + m->root_v + 3 + k);
        force[k] = *ff_robot_row(b, robot, m->robot + FF_ROBOT_ACCELERATION + k) - m->gravity[k];
    }
    ff_mat3_tmulv(accelerometer, R, force);
}

static void sense_feet(const ff_batch *b, int robot, double *out)
{
    const ff_batch_model *m = b->model;
    memset(out, 0, 3 * (size_t)m->nfoot * sizeof *out);
    for (int i = 0; i < m->npoint; i++)
        for (int k = 0; k < 3 && m->points[i].foot >= 0; k++)
            out[3 * m->points[i].foot + k] += *ff_robot_row(b, robot, m->points[i].row + FF_POINT_FORCE + k);
}

static void add_noise(ff_random *random, double deviation, double *values, int count)
{
    for (int i = 0; i < count && deviation > 0.0; i++) values[i] += deviation * ff_random_normal(random);
}

ff_status ff_batch_sense(const ff_batch *b, int robot, double *out, ff_error *err)
{
    const ff_status status = ff_robot_see(b, robot, err);
    if (status) return status;
    if (!out) return ff_error_set(err, FF_BAD_ARGUMENT, "no place for what the sensors read is given");
    const ff_batch_model *m = b->model;
    const int n = m->nservo, root = m->root >= 0 ? 6 : 0;
    for (int i = 0; i < m->nv; i++) {
        const int servo = m->dofs[i].servo;
        if (servo < 0) continue;
        out[servo] = *ff_robot_row(b, robot, m->dofs[i].q);
        out[n + servo] = *ff_robot_row(b, robot, m->nq + i);
    }
    if (root > 0) sense_root(b, robot, out + 2 * n, out + 2 * n + 3);
    sense_feet(b, robot, out + 2 * n + root);
    ff_random random = ff_random_make(b->lives.streams[robot].seed ^ SENSE_STREAM, b->lives.streams[robot].life);
    random.counter = (uint64_t)ff_batch_age(b, robot) << SENSE_DRAWS; // each step has numbers of its own
    double loud = 1.0;                                                // factor of its noise
    if (b->draws.noise >= 0) ff_batch_get_draw(b, robot, b->draws.noise, &loud, NULL);
    add_noise(&random, loud * b->noise.position, out, n);
    add_noise(&random, loud * b->noise.speed, out + n, n);
    add_noise(&random, loud * b->noise.gyro, out + 2 * n, root / 2);
    add_noise(&random, loud * b->noise.accelerometer, out + 2 * n + root / 2, root / 2);
    add_noise(&random, loud * b->noise.force, out + 2 * n + root, 3 * m->nfoot);
    return FF_OK;
}

ff_status ff_batch_observe(const ff_batch *b, int robot, double *out, ff_error *err)
{
    ff_status status = ff_robot_see(b, robot, err);
    if (!status && b->device) status = ff_batch_device_see_inputs(b->device, err);
    if (status) return status;
    if (!out && b->lives.nobserve > 0) return ff_error_set(err, FF_BAD_ARGUMENT, "no place for observations is given");
    ff_life_observe(&b->lives, b->model, ff_robot_row(b, robot, 0), ff_robot_input(b, robot, 0), b->lanes, out, 1);
    return FF_OK;
}

ff_status ff_batch_observe_all(ff_batch *b, ff_error *err)
{
    if (!b) return ff_error_set(err, FF_BAD_ARGUMENT, "observations need a batch");
    if (b->device) return ff_batch_device_observe(b->device, err);
    for (int i = 0; i < b->robots; i++)
        ff_life_observe(&b->lives, b->model, ff_robot_row(b, i, 0), ff_robot_input(b, i, 0), b->lanes,
                        ff_robot_seen(b, i, 0), b->lanes);
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ views

enum { OF_STATE, OF_INPUTS, OF_SEEN, PLACES }; // where the rows of an array lie

const char *ff_batch_array_name(ff_batch_array array)
{
    static const char *const names[FF_BATCH_ARRAYS] = {"q",          "v",           "position", "speed",       "torque",
                                                       "reward",     "ended",       "age",      "observation", "final",
                                                       "last_ended", "last_reward", "last_age"};
    return (int)array >= 0 && array < FF_BATCH_ARRAYS ? names[array] : NULL;
}

ff_status ff_batch_view_of(ff_batch *b, ff_batch_array array, ff_batch_view *out, ff_error *err)
{
    if (!b || !out || !ff_batch_array_name(array))
        return ff_error_set(err, FF_BAD_ARGUMENT, "a view needs a batch, one of its arrays and a place");
    const ff_batch_model *m = b->model;
    const int n = b->lives.nobserve;
    const struct {
        int place, first, count, every;
    } arrays[FF_BATCH_ARRAYS] = {{OF_STATE, 0, m->nq, 1},
                                 {OF_STATE, m->nq, m->nv, 1},
                                 {OF_INPUTS, 0, m->nservo, 3},
                                 {OF_INPUTS, 1, m->nservo, 3},
                                 {OF_INPUTS, 2, m->nservo, 3},
                                 {OF_STATE, m->robot + FF_ROBOT_REWARD, 1, 1},
                                 {OF_STATE, m->robot + FF_ROBOT_END, 1, 1},
                                 {OF_STATE, m->robot + FF_ROBOT_AGE, 1, 1},
                                 {OF_SEEN, 0, n, 1},
                                 {OF_SEEN, n, n, 1},
                                 {OF_SEEN, 2 * n + FF_SEEN_ENDED, 1, 1},
                                 {OF_SEEN, 2 * n + FF_SEEN_REWARD, 1, 1},
                                 {OF_SEEN, 2 * n + FF_SEEN_AGE, 1, 1}};
    const int rows[PLACES] = {m->nrow, m->ninput, b->lives.nseen}, place = arrays[array].place;
    double *places[PLACES] = {b->x, b->in, b->lives.seen};
    int device = -1;
    if (b->device && ff_batch_device_share(b->device, places, &device, err)) return FF_SOLVER;
    *out = (ff_batch_view){.data = places[place] + (long long)arrays[array].first * b->lanes,
                           .device = device,
                           .blocks = b->blocks,
                           .lanes = b->lanes,
                           .count = arrays[array].count,
                           .block_stride = (long long)rows[place] * b->lanes,
                           .row_stride = (long long)arrays[array].every * b->lanes};
    return FF_OK;
}

ff_status ff_batch_read(ff_batch *b, ff_batch_array array, double *out, ff_error *err)
{
    ff_batch_view view;
    const ff_status status = ff_batch_view_of(b, array, &view, err);
    if (status || view.count == 0) return status;
    if (!out) return ff_error_set(err, FF_BAD_ARGUMENT, "no place for the numbers of all robots is given");
    if (b->device) {
        const size_t width = (size_t)((view.count - 1) * view.row_stride + view.lanes);
        if (ff_batch_device_fetch(b->device, view.data, (size_t)view.block_stride, width, b->fetched, err))
            return FF_SOLVER;
        view.data = b->fetched;
        view.block_stride = (long long)width;
    }
    for (int i = 0; i < b->robots; i++) {
        const double *from = view.data + i / view.lanes * view.block_stride + i % view.lanes;
        for (int k = 0; k < view.count; k++) *out++ = from[k * view.row_stride];
    }
    return FF_OK;
}
