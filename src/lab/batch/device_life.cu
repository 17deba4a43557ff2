// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "batch/device.h"
#include "batch/life_core.h"

#include "batch/device_parts.h"

#include <cstdlib>

enum { THREADS = 128, MOST_ARRAYS = 16 + 2 * FF_BATCH_SPREADS_MOST };

struct ff_batch_device_lives {
    ff_batch_lives lives;       // its arrays lie on the device
    ff_batch_model model;       // likewise, with what a beginning needs
    const ff_batch_lives *host; // of the processor
    int *list;                  // robots of a call that begin, on the device, ...
    uint64_t *seeds;            // ... and their seeds
    void *arrays[MOST_ARRAYS];  // to be freed
    int narray;
};

// ------------------------------------------------------------------------------------------ kernels

/// Where a robot lies among blocks of so many rows.
FN size_t first_row(int robot, int rows)
{
    const size_t block = (size_t)robot / FF_BATCH_DEVICE_LANES, lane = (size_t)robot % FF_BATCH_DEVICE_LANES;
    return block * (size_t)rows * FF_BATCH_DEVICE_LANES + lane;
}

/// One formula of a robot a thread: row `blockIdx.y` behind `first`.
__global__ void __launch_bounds__(THREADS)
    observe(const ff_batch_model model, const ff_batch_lives lives, const double *x, const double *in, int first)
{
    const int robot = (int)(blockIdx.x * blockDim.x + threadIdx.x), i = (int)blockIdx.y;
    if (robot >= lives.robots) return;
    lives.seen[first_row(robot, lives.nseen) + (size_t)(first + i) * FF_BATCH_DEVICE_LANES] =
        observe_one(&lives, &model, i, x + first_row(robot, model.nrow), in + first_row(robot, model.ninput),
                    FF_BATCH_DEVICE_LANES);
}

__global__ void __launch_bounds__(THREADS)
    renew(const ff_batch_model model, ff_batch_lives lives, double *x, double *in, double age)
{
    const int robot = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (robot >= lives.robots) return;
    lives.bodies += (size_t)robot * (size_t)model.nbody;
    begin_if_over(&lives, &model, robot, x + first_row(robot, model.nrow), in + first_row(robot, model.ninput),
                  lives.seen + first_row(robot, lives.nseen), FF_BATCH_DEVICE_LANES, age);
}

/// @param seeds  NULL: streams go on
__global__ void __launch_bounds__(THREADS) begin(const ff_batch_model model, ff_batch_lives lives, double *x,
                                                 const int *robots, const uint64_t *seeds, int count)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= count) return;
    const int robot = robots[i];
    lives.bodies += (size_t)robot * (size_t)model.nbody;
    if (seeds) {
        lives.streams[robot].seed = seeds[i];
        lives.streams[robot].life = 0;
    }
    begin_life(&lives, &model, robot, x + first_row(robot, model.nrow), FF_BATCH_DEVICE_LANES);
}

static unsigned groups_of(int threads)
{
    return ((unsigned)threads + THREADS - 1) / THREADS;
}

// ------------------------------------------------------------------------------------------ memory

/// Memory on the device that is freed with `d`, filled from `from` where that is not NULL. @return NULL: there is none
template <typename T> static T *place(ff_batch_device_lives *d, const T *from, size_t count)
{
    void *to = nullptr;
    const size_t size = sizeof(T) * (count > 0 ? count : 1);
    if (d->narray == MOST_ARRAYS || cudaMalloc(&to, size) != cudaSuccess) return nullptr;
    d->arrays[d->narray++] = to;
    const cudaError_t filled =
        from && count > 0 ? cudaMemcpy(to, from, sizeof(T) * count, cudaMemcpyHostToDevice) : cudaMemset(to, 0, size);
    return filled == cudaSuccess ? static_cast<T *>(to) : nullptr;
}

/// The table of distributions, with the values and points of its entries.
static bool place_table(ff_batch_device_lives *d, const ff_batch_model *model)
{
    const ff_draw_table *from = &d->host->draws;
    ff_draw_entry entries[FF_BATCH_SPREADS_MOST];
    bool placed = true;
    for (int i = 0; i < from->count; i++) {
        entries[i] = from->entries[i];
        if (entries[i].kind == FF_BATCH_CHOICE)
            entries[i].values = place(d, entries[i].values, (size_t)entries[i].nvalue);
        if (entries[i].names_point) entries[i].names_point = place(d, entries[i].names_point, (size_t)model->npoint);
        placed = placed && (entries[i].values || entries[i].kind != FF_BATCH_CHOICE) &&
                 (entries[i].names_point || !from->entries[i].names_point);
    }
    d->lives.draws.entries = place(d, entries, (size_t)from->count);
    return placed && d->lives.draws.entries;
}

static bool place_lives(ff_batch_device_lives *d, const ff_batch_model *model, int robots)
{
    const ff_batch_lives *from = d->host;
    ff_batch_lives *l = &d->lives;
    const size_t instructions = (size_t)from->observe[from->nobserve];
    l->code = place(d, from->code, instructions);
    l->observe = place(d, from->observe, (size_t)from->nobserve + 1);
    l->streams = place(d, from->streams, (size_t)from->robots);
    l->drawn = place(d, from->drawn, (size_t)from->robots * (size_t)from->draws.count);
    l->bodies = place(d, static_cast<const ff_body_draw *>(nullptr),
                      model->varied ? (size_t)from->robots * (size_t)model->nbody : 0);
    l->seen = place(d, static_cast<const double *>(nullptr), (size_t)robots * (size_t)from->nseen);
    d->list = place(d, static_cast<const int *>(nullptr), (size_t)from->robots);
    d->seeds = place(d, static_cast<const uint64_t *>(nullptr), (size_t)from->robots);
    return d->list && d->seeds && l->code && l->observe && l->streams && l->drawn && l->bodies && l->seen &&
           place_table(d, model);
}

/// What a beginning needs of the model, beside what a step does.
static bool place_start(ff_batch_device_lives *d, const ff_batch_model *model)
{
    ff_batch_model *m = &d->model;
    m->start = place(d, model->start, (size_t)model->nrow);
    m->start_input = place(d, model->start_input, (size_t)model->ninput);
    m->touching = place(d, model->touching, 3 * (size_t)model->npoint);
    m->bodies = place(d, model->bodies, (size_t)model->nbody);
    m->channels = place(d, model->channels, (size_t)model->nchannel);
    return m->start && m->start_input && m->touching && m->bodies && m->channels;
}

ff_batch_device_lives *ff_device_lives_open(const ff_batch_lives *lives, const ff_batch_model *model,
                                            const ff_batch_model *there, int robots)
{
    ff_batch_device_lives *d = static_cast<ff_batch_device_lives *>(std::calloc(1, sizeof *d));
    if (!d) return nullptr;
    d->host = lives;
    d->lives = *lives;
    d->model = *there;
    if (place_lives(d, model, robots) && place_start(d, model)) return d;
    ff_device_lives_close(d);
    return nullptr;
}

void ff_device_lives_close(ff_batch_device_lives *d)
{
    if (!d) return;
    for (int i = 0; i < d->narray; i++) cudaFree(d->arrays[i]);
    std::free(d);
}

static cudaError_t copy_lives(const ff_batch_lives *to, const ff_batch_lives *from, cudaMemcpyKind way)
{
    const size_t robots = (size_t)from->robots;
    const cudaError_t error = cudaMemcpy(to->streams, from->streams, sizeof *from->streams * robots, way);
    if (error != cudaSuccess) return error;
    return cudaMemcpy(to->drawn, from->drawn, sizeof *from->drawn * robots * (size_t)from->draws.count, way);
}

cudaError_t ff_device_lives_put(ff_batch_device_lives *d)
{
    return copy_lives(&d->lives, d->host, cudaMemcpyHostToDevice);
}

cudaError_t ff_device_lives_get(ff_batch_device_lives *d)
{
    return copy_lives(d->host, &d->lives, cudaMemcpyDeviceToHost);
}

double *ff_device_lives_seen(const ff_batch_device_lives *d)
{
    return d->lives.seen;
}

// ------------------------------------------------------------------------------------------ work

static void observe_into(const ff_batch_device_lives *d, const double *x, const double *in, int first)
{
    const ff_batch_lives *l = &d->lives;
    if (l->nobserve == 0) return;
    observe<<<dim3(groups_of(l->robots), (unsigned)l->nobserve), THREADS>>>(d->model, *l, x, in, first);
}

void ff_device_lives_observe(const ff_batch_device_lives *d, const double *x, const double *in)
{
    observe_into(d, x, in, 0);
}

void ff_device_lives_renew(const ff_batch_device_lives *d, double *x, double *in, double age)
{
    observe_into(d, x, in, d->lives.nobserve);
    renew<<<groups_of(d->lives.robots), THREADS>>>(d->model, d->lives, x, in, age);
    observe_into(d, x, in, 0);
}

cudaError_t ff_device_lives_begin(const ff_batch_device_lives *d, double *x, const int *robots, const uint64_t *seeds,
                                  int count)
{
    const size_t n = (size_t)count;
    cudaError_t error = cudaMemcpy(d->list, robots, sizeof *robots * n, cudaMemcpyHostToDevice);
    if (error == cudaSuccess && seeds) error = cudaMemcpy(d->seeds, seeds, sizeof *seeds * n, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        begin<<<groups_of(count), THREADS>>>(d->model, d->lives, x, d->list, seeds ? d->seeds : nullptr, count);
    return error;
}
