// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A batch on a GPU by CUDA: one robot a thread, a block of the batch a warp. The step is that of the processor, file by
// file, and compiled without fused multiply-add: results are bit-identical. Steps are made by code compiled for the
// model (device_special.cu), or by the general kernel of this file, where a thread works in its local memory, of which
// a robot of 30 degrees of freedom needs 8 kB.
#include "batch/device.h"
#include "batch/device_parts.h"
#include "batch/step.h"

#include <cstdlib>
#include <cstring>

enum { THREADS = 128 };

/// A model of more degrees of freedom or a deeper tree has the next larger room.
enum { SMALL_DOFS = 32, SMALL_DEPTH = 8, LARGE_DOFS = 128, LARGE_DEPTH = 32 };

struct ff_batch_device {
    ff_batch_model model;      // its arrays lie on the device
    ff_batch_special *special; // NULL: the general kernel makes the steps
    const char *general;       // why it does
    ff_batch_rules rules;
    ff_batch_device_lives *lives;
    int *named; // number of the list in which each robot was named last  (robots)
    int lists;
    int number; // of the device
    int blocks;
    double *x, *in; // of batch.c
    double *device_x, *device_in;
    size_t x_size, in_size; // [byte]
    bool x_pinned, in_pinned;
    bool ahead;        // the device's rows are newer
    bool lives_ahead;  // so are its streams and draws
    bool inputs_ahead; // so are its inputs
    bool rows_changed, inputs_changed;
    cudaError_t failed; // first failure
};

// ------------------------------------------------------------------------------------------ steps

template <int DOFS, int DEPTH>
__global__ void __launch_bounds__(THREADS) make_steps(const ff_batch_model model, const ff_batch_rules rules, double *x,
                                                      const double *in, int robots, int steps)
{
    const int robot = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (robot >= robots) return;
    const size_t block = (size_t)robot / FF_BATCH_DEVICE_LANES, lane = (size_t)robot % FF_BATCH_DEVICE_LANES;
    frame frames[DEPTH];
    lump lumps[DEPTH];
    artic sums[DEPTH];
    record records[DOFS];
    real out[6 * DEPTH], next[3 * DOFS]; // a ball has four positions for its three velocities
    outcome made;
    int path[DEPTH];
    place at;
    at.model = &model;
    at.rules = &rules;
    at.x = x + block * (size_t)model.nrow * FF_BATCH_DEVICE_LANES + lane;
    at.in = in + block * (size_t)model.ninput * FF_BATCH_DEVICE_LANES + lane;
    at.frames = frames;
    at.lumps = lumps;
    at.sums = sums;
    at.out = out;
    at.records = records;
    at.next = next;
    at.made = &made;
    at.path = path;
    for (int i = 0; i < steps; i++) block_step(&at, i);
}

static bool fits(const ff_batch_model *m, int dofs, int depth)
{
    return m->nv <= dofs && m->depth <= depth;
}

// ------------------------------------------------------------------------------------------ memory

/// The caller may have chosen another device: ours is current while this lives, then theirs again.
struct at_device {
    int before = 0;
    explicit at_device(const ff_batch_device *d)
    {
        cudaGetDevice(&before);
        cudaSetDevice(d->number);
    }
    ~at_device()
    {
        cudaSetDevice(before);
    }
};

/// Copies an array of the model to the device. @return false: no memory, or the device failed
template <typename T> static bool send(T *&array, size_t count)
{
    const T *from = array;
    const size_t size = sizeof(T) * (count > 0 ? count : 1);
    void *to = nullptr;
    array = nullptr;
    if (cudaMalloc(&to, size) != cudaSuccess) return false;
    array = static_cast<T *>(to);
    return count == 0 || cudaMemcpy(to, from, sizeof(T) * count, cudaMemcpyHostToDevice) == cudaSuccess;
}

/// Arrays that the step reads go to the device; those for the start stay.
static bool send_model(ff_batch_model *m)
{
    m->start = m->start_input = m->touching = nullptr;
    m->servo_joint = nullptr;
    m->channels = nullptr; // rules that read them are refused
    bool sent = true;
    sent = send(m->nodes, (size_t)m->nnode) && sent; // all of them, so that each points to the device or nowhere
    sent = send(m->dofs, (size_t)m->nv) && sent;
    sent = send(m->servos, (size_t)m->nservo) && sent;
    sent = send(m->actuators, (size_t)m->nactuator) && sent;
    sent = send(m->pushes, (size_t)m->npush) && sent;
    sent = send(m->pairs, (size_t)m->npair) && sent;
    sent = send(m->cuts, (size_t)m->ncut) && sent;
    sent = send(m->cut_masses, (size_t)m->ncut_mass) && sent;
    sent = send(m->cut_list, (size_t)m->ncut_list) && sent;
    sent = send(m->points, (size_t)m->npoint) && sent;
    sent = send(m->planes, (size_t)m->nplane) && sent;
    sent = send(m->fields, (size_t)m->nfield) && sent;
    sent = send(m->heights, m->nheight) && sent;
    sent = send(m->flats, m->nflat) && sent;
    sent = send(m->bends, m->nflat) && sent;
    sent = send(m->contacts, (size_t)m->ncontact) && sent;
    sent = send(m->more, (size_t)m->ncontact) && sent;
    sent = send(m->cycle.poses, (size_t)(m->cycle.npose * m->nservo)) && sent;
    return sent;
}

static bool note(ff_batch_device *d, cudaError_t error)
{
    if (error != cudaSuccess && d->failed == cudaSuccess) d->failed = error;
    return error == cudaSuccess;
}

/// Memory of the processor that stays where it is: copies from and to the device are several times as fast. Where the
/// system refuses, they are made all the same.
static bool pin(void *memory, size_t size)
{
    if (size > 0 && cudaHostRegister(memory, size, cudaHostRegisterDefault) == cudaSuccess) return true;
    cudaGetLastError(); // forgotten
    return false;
}

static bool put(ff_batch_device *d)
{
    if (d->rows_changed && !note(d, cudaMemcpy(d->device_x, d->x, d->x_size, cudaMemcpyHostToDevice))) return false;
    if (d->rows_changed && !note(d, ff_device_lives_put(d->lives))) return false;
    d->rows_changed = false;
    if (d->inputs_changed && !note(d, cudaMemcpy(d->device_in, d->in, d->in_size, cudaMemcpyHostToDevice)))
        return false;
    d->inputs_changed = false;
    return true;
}

// ------------------------------------------------------------------------------------------ interface

const char *ff_batch_device_missing(void)
{
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess) return cudaGetErrorString(error);
    return count > 0 ? nullptr : "there is no CUDA device";
}

ff_batch_device *ff_batch_device_open(const ff_batch_model *model, const ff_batch_rules *rules,
                                      const ff_batch_lives *lives, int blocks, double *x, double *in,
                                      ff_batch_rounding rounding, ff_error *err)
{
    const char *missing = ff_batch_device_missing();
    if (missing) {
        ff_error_set(err, FF_NOT_FOUND, "no device for a batch: %s", missing);
        return nullptr;
    }
    if (!fits(model, LARGE_DOFS, LARGE_DEPTH)) {
        ff_error_set(err, FF_LIMIT,
                     "a device takes robots of up to %d degrees of freedom and trees %d deep: this one has %d and %d",
                     (int)LARGE_DOFS, (int)LARGE_DEPTH, model->nv, model->depth);
        return nullptr;
    }
    ff_batch_device *d = static_cast<ff_batch_device *>(std::calloc(1, sizeof *d));
    if (!d) {
        ff_error_set(err, FF_NO_MEMORY, "no memory for a batch on a device");
        return nullptr;
    }
    note(d, cudaGetDevice(&d->number));
    d->rules = *rules;
    d->blocks = blocks;
    d->x = x;
    d->in = in;
    d->x_size = sizeof(double) * (size_t)blocks * FF_BATCH_DEVICE_LANES * (size_t)model->nrow;
    d->in_size = sizeof(double) * (size_t)blocks * FF_BATCH_DEVICE_LANES * (size_t)model->ninput;
    d->rows_changed = d->inputs_changed = true;
    d->model = *model;
    const bool sent = send_model(&d->model), ruled = send(d->rules.code, rules->nend + rules->nreward);
    d->special = sent && ruled
                     ? ff_batch_special_open(model, &d->model, blocks * FF_BATCH_DEVICE_LANES, rounding, &d->general)
                     : nullptr;
    if (sent && ruled && rounding != FF_BATCH_EXACT && !d->special) {
        ff_error_set(err, FF_NOT_FOUND, "no %s, which needs code compiled for the model: %s",
                     rounding == FF_BATCH_SINGLE ? "single precision" : "fast mode", d->general);
        ff_batch_device_close(d);
        return nullptr;
    }
    d->named = static_cast<int *>(std::calloc((size_t)lives->robots, sizeof *d->named));
    if (sent && ruled && d->named)
        d->lives = ff_device_lives_open(lives, model, &d->model, blocks * FF_BATCH_DEVICE_LANES);
    if (!d->lives || !note(d, cudaMalloc(reinterpret_cast<void **>(&d->device_x), d->x_size)) ||
        !note(d, cudaMalloc(reinterpret_cast<void **>(&d->device_in), d->in_size + 1))) {
        ff_error_set(err, FF_NO_MEMORY, "no memory on the device for %d robots", blocks * FF_BATCH_DEVICE_LANES);
        ff_batch_device_close(d);
        return nullptr;
    }
    d->x_pinned = pin(d->x, d->x_size);
    d->in_pinned = pin(d->in, d->in_size);
    return d;
}

void ff_batch_device_close(ff_batch_device *d)
{
    if (!d) return;
    const at_device here(d);
    void *const arrays[] = {d->model.nodes,  d->model.dofs,      d->model.servos,
                            d->model.pairs,  d->model.actuators, d->model.points,
                            d->model.planes, d->model.contacts,  const_cast<double *>(d->model.cycle.poses),
                            d->model.fields, d->model.heights,   d->model.flats,
                            d->model.bends,  d->model.more,      d->model.pushes,
                            d->model.cuts,   d->model.cut_list,  d->model.cut_masses,
                            d->device_x,     d->device_in,       const_cast<ff_formula_step *>(d->rules.code)};
    for (void *array : arrays) cudaFree(array);
    if (d->x_pinned) cudaHostUnregister(d->x);
    if (d->in_pinned) cudaHostUnregister(d->in);
    ff_batch_special_close(d->special);
    ff_device_lives_close(d->lives);
    std::free(d->named);
    std::free(d);
}

const char *ff_batch_device_general(const ff_batch_device *d)
{
    return d->special ? nullptr : d->general;
}

/// @return FF_SOLVER where the device has failed
static ff_status report_failure(const ff_batch_device *d, ff_error *err)
{
    if (d->failed == cudaSuccess) return FF_OK;
    return ff_error_set(err, FF_SOLVER, "the device failed: %s", cudaGetErrorString(d->failed));
}

/// Waits for work that has begun.
static ff_status finish(ff_batch_device *d, ff_error *err)
{
    note(d, cudaGetLastError());
    note(d, cudaDeviceSynchronize());
    return report_failure(d, err);
}

ff_status ff_batch_device_step(ff_batch_device *d, int steps, ff_error *err)
{
    const at_device here(d);
    const int robots = d->blocks * FF_BATCH_DEVICE_LANES, groups = (robots + THREADS - 1) / THREADS;
    // what others write on streams of their own is there before the first step, and the steps when this returns
    if (d->failed == cudaSuccess && put(d) && steps > 0 && note(d, cudaDeviceSynchronize())) {
        if (d->special)
            ff_batch_special_step(d->special, &d->rules, d->device_x, d->device_in, robots, steps);
        else if (fits(&d->model, SMALL_DOFS, SMALL_DEPTH))
            make_steps<SMALL_DOFS, SMALL_DEPTH>
                <<<groups, THREADS>>>(d->model, d->rules, d->device_x, d->device_in, robots, steps);
        else
            make_steps<LARGE_DOFS, LARGE_DEPTH>
                <<<groups, THREADS>>>(d->model, d->rules, d->device_x, d->device_in, robots, steps);
        d->ahead = true;
        return finish(d, err);
    }
    return report_failure(d, err);
}

ff_status ff_batch_device_observe(ff_batch_device *d, ff_error *err)
{
    const at_device here(d);
    if (d->failed != cudaSuccess || !put(d) || !note(d, cudaDeviceSynchronize())) return report_failure(d, err);
    ff_device_lives_observe(d->lives, d->device_x, d->device_in);
    return finish(d, err);
}

ff_status ff_batch_device_renew(ff_batch_device *d, double age, ff_error *err)
{
    const at_device here(d);
    if (d->failed != cudaSuccess || !put(d) || !note(d, cudaDeviceSynchronize())) return report_failure(d, err);
    ff_device_lives_renew(d->lives, d->device_x, d->device_in, age);
    d->ahead = d->lives_ahead = d->inputs_ahead = true;
    return finish(d, err);
}

/// How many robots from `first` on are named once: those that are named again begin again, behind the others.
static int different(ff_batch_device *d, const int *robots, int first, int count)
{
    int end = first;
    d->lists++;
    for (; end < count && d->named[robots[end]] != d->lists; end++) d->named[robots[end]] = d->lists;
    return end - first;
}

ff_status ff_batch_device_begin(ff_batch_device *d, const int *robots, const uint64_t *seeds, int count, ff_error *err)
{
    const at_device here(d);
    if (d->failed != cudaSuccess || !put(d) || !note(d, cudaDeviceSynchronize())) return report_failure(d, err);
    for (int first = 0, n; first < count; first += n) {
        n = different(d, robots, first, count);
        note(d, ff_device_lives_begin(d->lives, d->device_x, robots + first, seeds ? seeds + first : nullptr, n));
    }
    d->ahead = d->lives_ahead = true;
    return finish(d, err);
}

ff_status ff_batch_device_see(ff_batch_device *d, ff_error *err)
{
    if (d->ahead) {
        const at_device here(d);
        note(d, cudaMemcpy(d->x, d->device_x, d->x_size, cudaMemcpyDeviceToHost));
        if (d->lives_ahead) note(d, ff_device_lives_get(d->lives));
        d->ahead = d->lives_ahead = false;
    }
    return report_failure(d, err);
}

ff_status ff_batch_device_see_inputs(ff_batch_device *d, ff_error *err)
{
    if (d->inputs_ahead) {
        const at_device here(d);
        note(d, cudaMemcpy(d->in, d->device_in, d->in_size, cudaMemcpyDeviceToHost));
        d->inputs_ahead = false;
    }
    return report_failure(d, err);
}

void ff_batch_device_rows_changed(ff_batch_device *d)
{
    d->rows_changed = true;
}

void ff_batch_device_inputs_changed(ff_batch_device *d)
{
    d->inputs_changed = true;
}

ff_status ff_batch_device_share(ff_batch_device *d, double *places[3], int *number, ff_error *err)
{
    const at_device here(d);
    if (d->failed == cudaSuccess && put(d)) note(d, cudaDeviceSynchronize());
    *number = d->number;
    places[0] = d->device_x;
    places[1] = d->device_in;
    places[2] = ff_device_lives_seen(d->lives);
    return report_failure(d, err);
}

void ff_batch_device_clear_row(ff_batch_device *d, int row)
{
    const size_t width = sizeof(double) * FF_BATCH_DEVICE_LANES, pitch = width * (size_t)d->model.nrow;
    const at_device here(d);
    note(d, cudaMemset2D(d->device_x + (size_t)row * FF_BATCH_DEVICE_LANES, pitch, 0, width, (size_t)d->blocks));
    note(d, cudaDeviceSynchronize());
}

ff_status ff_batch_device_fetch(ff_batch_device *d, const double *from, size_t stride, size_t width, double *to,
                                ff_error *err)
{
    const at_device here(d);
    const size_t row = sizeof(double) * width, pitch = sizeof(double) * stride;
    if (d->failed == cudaSuccess)
        note(d, cudaMemcpy2D(to, row, from, pitch, row, (size_t)d->blocks, cudaMemcpyDeviceToHost));
    return report_failure(d, err);
}
