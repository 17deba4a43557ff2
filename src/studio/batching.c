// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A batch of the loaded scene, for pages to show. A separate thread with low priority creates and steps it, while the
// simulation goes on.
//
//     request -> a run of the scene -> the thread compiles it and creates the robots -> answer
//                it steps the robots | a frame, 20 a second at most       -> the newest is kept (`out_lock`)
//                                    | event `batch`, 4 a second at most  -> sent by the simulation thread
//
// The previous batch goes on until the robots of the next one exist, so that a refused batch changes nothing.
//
// Calls of ff_batch_step are short, so that frames are on time and a stop takes effect soon; results do not depend on
// the length of a call. Reading the robots takes a fifth of the time at most, for any number of robots.
#include "protocol.h"
#include "spreads.h"
#include "workbench_inner.h"

#include <footfall/batch_outcome.h>
#include <footfall/studio.h>

#include <errno.h>
#include <math.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { HEAD = sizeof(ff_batch_head) };
#define BATCH_MOST ((size_t)1 << 30)     // memory of all robots  [byte]
static const double FRAME_PERIOD = 0.05; // [s]
static const double EVENT_PERIOD = 0.25; // [s]
static const double CALL_TIME = 0.03;    // duration of a call of ff_batch_step  [s]
static const double REST = 10.0;         // pause after a reading of all robots, in units of its duration

struct ff_bench_batching {
    ff_workbench *bench;      // to wake it
    ff_bench_request request; // to be answered
    bool answered;
    uint32_t generation; // of the scene
    uint32_t number;     // of the batch; 0: not yet the current batch, and must not step
    ff_run *run;         // until the robots are created
    ff_batch_options options;
    ff_arena arena; // owns the spreads of the options
    double time, pace;
    char *end, *reward; // formulas of the options, which the request has only until it is answered; NULL: none
    pthread_t thread;
    // used by its thread only
    ff_batch_model *model;
    ff_batch *batch;
    long long steps, steps_done;
    double step;         // [s]
    double compute_time; // real time spent in steps  [s]
    int nq, ncolumn;     // numbers of a row of a frame
    int stride;          // between the robots that a frame shows
    double *row;         // (nq)
    ff_batch_outcome outcome;
    // shared
    atomic_bool stop;
    sem_t go;                     // posted once it is known whether the batch gets a number
    bool outdated;                // another scene is loaded; under `out_lock` of the workbench
    pthread_mutex_t lock;         // of the members below
    bool creation_done, finished; // the robots were created or refused; the thread has finished
    char *state;                  // JSON of event `batch` that is not sent yet, NULL: none
    ff_status status;
    ff_error err;
    ff_report report;
};

static bool is_stopped(void *context)
{
    ff_bench_batching *c = context;
    return atomic_load(&c->stop);
}

// ------------------------------------------------------------------------------------------ event

static void write_columns(const ff_batch_outcome *o, ff_json *json)
{
    ff_json_begin_array(json, "columns", true);
    for (int i = 0; i < o->ncolumn; i++) {
        const ff_batch_quantiles *q = &o->quantiles[i];
        ff_json_begin_object(json, NULL, true);
        ff_json_text(json, "name", o->columns[i].name);
        ff_json_text(json, "unit", o->columns[i].unit);
        ff_json_text(json, "help", o->columns[i].help);
        ff_json_number(json, "least", q->least);
        ff_json_number(json, "low", q->low);
        ff_json_number(json, "median", q->median);
        ff_json_number(json, "high", q->high);
        ff_json_number(json, "most", q->most);
        ff_json_number(json, "mean", q->mean);
        ff_json_end_object(json);
    }
    ff_json_end_array(json);
}

/// Event `batch` as JSON, malloc'ed. @param ended  why the batch has ended; NULL: it runs
static char *write_state(const ff_bench_batching *c, const char *ended)
{
    const ff_batch_outcome *o = &c->outcome;
    ff_json json = {0};
    ff_json_begin_object(&json, NULL, true);
    ff_json_text(&json, "event", "batch");
    ff_json_integer(&json, "generation", (long long)c->generation);
    ff_json_integer(&json, "number", (long long)c->number);
    ff_json_integer(&json, "robots", c->options.robots);
    ff_json_integer(&json, "stride", c->stride);
    ff_json_integer(&json, "seed", (long long)c->options.seed);
    ff_spreads_write(c->options.spreads, c->options.nspread, &json);
    ff_json_text(&json, "end", c->end);
    ff_json_text(&json, "reward", c->reward);
    ff_json_number(&json, "t", (double)c->steps_done * c->step);
    ff_json_number(&json, "time", (double)c->steps * c->step);
    ff_json_bool(&json, "running", !ended);
    ff_json_text(&json, "ended", ended);
    ff_json_number(&json, "rate", c->compute_time > 0.0 ? o->lived / c->step / c->compute_time : 0.0);
    ff_json_integer(&json, "lives", o->ended[FF_BATCH_LIVES]);
    ff_json_integer(&json, "fell", o->ended[FF_BATCH_FELL]);
    ff_json_integer(&json, "diverged", o->ended[FF_BATCH_DIVERGED]);
    ff_json_integer(&json, "finished", o->ended[FF_BATCH_FINISHED]);
    ff_json_numbers(&json, "falls", (const double[]){o->falls.least, o->falls.median, o->falls.most}, 3);
    write_columns(o, &json);
    ff_json_end_object(&json);
    return ff_json_finish(&json);
}

/// Sets event `batch` for the simulation thread; replaces one that is not sent yet.
static void prepare_event(ff_bench_batching *c, const char *ended)
{
    ff_batch_get_outcome(c->batch, &c->outcome, NULL);
    char *text = write_state(c, ended);
    pthread_mutex_lock(&c->lock);
    free(c->state);
    c->state = text;
    pthread_mutex_unlock(&c->lock);
    ff_bench_wake(c->bench, &c->bench->batch_event_due);
}

// ------------------------------------------------------------------------------------------ frames

/// Numbers of a row: how the robot has ended, columns, q.
static size_t width_of(const ff_bench_batching *c)
{
    return 1 + (size_t)c->ncolumn + (size_t)c->nq;
}

/// Smallest stride between robots with which a frame has room for all rows.
static int stride_of(const ff_bench_batching *c)
{
    const size_t rows = (FF_WORKBENCH_FRAME_MAX - HEAD) / (4 * width_of(c));
    return 1 + (c->options.robots - 1) / (int)rows;
}

/// Number of robots that a frame shows.
static size_t count_of(const ff_bench_batching *c)
{
    return 1 + (size_t)(c->options.robots - 1) / (size_t)c->stride;
}

static void write_row(const ff_bench_batching *c, int robot, unsigned char *p)
{
    double values[FF_BATCH_COLUMNS_MOST];
    ff_batch_values(c->batch, robot, values, NULL);
    ff_batch_get_state(c->batch, robot, c->row, NULL, NULL);
    put_float(p, (double)ff_batch_end_of(c->batch, robot));
    for (int i = 0; i < c->ncolumn; i++) put_float(p += 4, values[i]);
    for (int i = 0; i < c->nq; i++) put_float(p += 4, c->row[i]);
}

/// Copies the present state of the robots to the frame for pages; only the newest is kept.
static void publish(ff_bench_batching *c)
{
    ff_workbench *b = c->bench;
    const size_t width = width_of(c), count = count_of(c), size = HEAD + 4 * width * count;
    unsigned char *bytes = malloc(size), *unused = bytes;
    if (!bytes) return; // the next frame may succeed
    put32(bytes + offsetof(ff_batch_head, magic), FF_BATCH_MAGIC);
    put16(bytes + offsetof(ff_batch_head, version), FF_FRAME_VERSION);
    put16(bytes + offsetof(ff_batch_head, width), (unsigned)width);
    put32(bytes + offsetof(ff_batch_head, generation), c->generation);
    put32(bytes + offsetof(ff_batch_head, number), c->number);
    put_double(bytes + offsetof(ff_batch_head, t), (double)c->steps_done * c->step);
    put32(bytes + offsetof(ff_batch_head, stride), (uint32_t)c->stride);
    put32(bytes + offsetof(ff_batch_head, count), (uint32_t)count);
    put32(bytes + offsetof(ff_batch_head, robots), (uint32_t)c->options.robots);
    for (size_t i = 0; i < count; i++) write_row(c, (int)i * c->stride, bytes + HEAD + 4 * width * i);
    pthread_mutex_lock(&b->out_lock);
    if (!c->outdated) {
        unused = b->batch_frame;
        b->batch_frame = bytes;
        b->batch_frame_size = size;
        b->batch_frame_number++;
        put32(bytes + offsetof(ff_batch_head, frame), b->batch_frame_number);
    }
    pthread_mutex_unlock(&b->out_lock);
    free(unused);
    ff_bench_wake(b, &b->batch_event_due);
}

size_t ff_batching_copy_frame(ff_workbench *b, ff_bench_client *client, unsigned char *bytes, size_t size)
{
    if (!client->wants_batch || b->batch_frame_size == 0 || b->batch_frame_size > size ||
        client->batch == b->batch_frame_number)
        return 0;
    memcpy(bytes, b->batch_frame, b->batch_frame_size);
    client->batch = b->batch_frame_number;
    client->wants_batch = false;
    return b->batch_frame_size;
}

ff_status ff_bench_batch_frame(ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    (void)err;
    pthread_mutex_lock(&b->out_lock);
    b->clients[q->client].wants_batch = true;
    pthread_mutex_unlock(&b->out_lock);
    b->sink.frame(b->sink.context);
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ the thread

/// Sets the first error of the report as that of the batch. @return its status
static ff_status refuse(ff_bench_batching *c)
{
    for (int i = 0; i < c->report.count; i++)
        if (c->report.messages[i].severity == FF_ERROR)
            return ff_error_set(&c->err, FF_BAD_ARGUMENT, "%s", c->report.messages[i].text);
    return ff_error_set(&c->err, FF_NO_MEMORY, "%s", ff_status_text(FF_NO_MEMORY));
}

/// Compiles the run, which is not needed afterwards, and creates the robots.
static ff_status create_robots(ff_bench_batching *c)
{
    c->model = ff_run_compile_batch(c->run, &c->report);
    ff_run_destroy(c->run);
    c->run = NULL;
    if (!c->model) return refuse(c);
    const ff_batch_sizes sizes = ff_batch_model_sizes(c->model);
    const size_t each = sizeof(double) * ((size_t)sizes.nrow + 3 * (size_t)sizes.nservo + (size_t)sizes.nactuator);
    double height, tilt;
    ff_batch_default_falls(c->model, &height, &tilt);
    if (isnan(c->options.least_height)) c->options.least_height = height;
    if (isnan(c->options.most_tilt)) c->options.most_tilt = tilt;
    c->step = sizes.step;
    c->steps = c->time < sizes.step ? 0 : llround(c->time / sizes.step);
    if (c->steps < 1)
        return ff_error_set(&c->err, FF_BAD_ARGUMENT, "a time of %g s is less than one step of %g s", c->time,
                            sizes.step);
    if (each * (size_t)c->options.robots > BATCH_MOST)
        return ff_error_set(&c->err, FF_LIMIT, "%d robots of %zu bytes each: the studio supports %zu",
                            c->options.robots, each, BATCH_MOST / each);
    c->batch = ff_batch_create(c->model, &c->options, &c->err);
    if (!c->batch) return c->err.status;
    ff_batch_column ignored[FF_BATCH_COLUMNS_MOST];
    c->ncolumn = ff_batch_columns(c->batch, ignored);
    c->nq = sizes.nq;
    c->stride = stride_of(c);
    c->row = malloc(sizeof(double) * (size_t)(c->nq + 1));
    return c->row ? FF_OK : ff_error_set(&c->err, FF_NO_MEMORY, "%s", ff_status_text(FF_NO_MEMORY));
}

/// Sleeps while the batch is ahead of its pace, for no longer than a frame at once.
static void keep_pace(const ff_bench_batching *c, double start)
{
    const double ahead = c->pace > 0.0 ? (double)c->steps_done * c->step / c->pace - (ff_bench_clock() - start) : 0.0;
    const double sleep = ff_min(ahead, FRAME_PERIOD);
    const struct timespec pause = {0, (long)(1e9 * sleep)};
    if (sleep > 0.0) nanosleep(&pause, NULL);
}

/// Number of steps that take about CALL_TIME, estimated from the last call.
static int steps_of_call(const ff_bench_batching *c, int last, double took)
{
    const double fit = took > 0.0 ? last * CALL_TIME / took : 2.0 * last;
    const double paced = c->pace > 0.0 ? ceil(c->pace * FRAME_PERIOD / c->step) : 1e6;
    const double most = ff_min(ff_min(ff_min(fit, 2.0 * last), paced), (double)(c->steps - c->steps_done));
    return most < 1.0 ? 1 : (int)most;
}

/// Steps the batch to its end. @return the reason of the end; static memory, or that of `err`
static const char *step_to_end(ff_bench_batching *c)
{
    const double start = ff_bench_clock();
    double next_frame = 0.0, next_event = 0.0, took = 0.0;
    int steps = 1;
    while (c->steps_done < c->steps) {
        if (is_stopped(c)) return "stopped";
        steps = steps_of_call(c, steps, took);
        const double begin = ff_bench_clock();
        if (ff_batch_step(c->batch, steps, &c->err)) return c->err.text;
        const double now = ff_bench_clock();
        took = now - begin;
        c->compute_time += took;
        c->steps_done += steps;
        if (now >= next_frame) {
            publish(c);
            next_frame = now + ff_max(FRAME_PERIOD, REST * (ff_bench_clock() - now));
        }
        const double later = ff_bench_clock();
        if (later >= next_event) {
            prepare_event(c, NULL);
            if (c->outcome.ended[FF_BATCH_LIVES] == 0) return "all robots have ended";
            next_event = later + ff_max(EVENT_PERIOD, REST * (ff_bench_clock() - later));
        }
        keep_pace(c, start);
    }
    return "finished";
}

static void *work(void *context)
{
    ff_bench_batching *c = context;
    const ff_stop stop = {is_stopped, c};
    setpriority(PRIO_PROCESS, 0, 10); // of this thread and those it starts: pages have precedence
    ff_stop_set(&stop);
    c->status = create_robots(c);
    pthread_mutex_lock(&c->lock);
    c->creation_done = true;
    pthread_mutex_unlock(&c->lock);
    ff_bench_wake(c->bench, &c->bench->batch_event_due);
    while (sem_wait(&c->go) != 0) continue; // interrupted by a signal
    if (c->number > 0) {
        publish(c);
        prepare_event(c, NULL);
        const char *ended = step_to_end(c);
        publish(c);
        prepare_event(c, ended);
    }
    ff_stop_set(NULL);
    pthread_mutex_lock(&c->lock);
    c->finished = true;
    pthread_mutex_unlock(&c->lock);
    ff_bench_wake(c->bench, &c->bench->batch_event_due);
    return NULL;
}

// ------------------------------------------------------------------------------------------ requests and answers

static void destroy(ff_bench_batching *c)
{
    ff_batch_destroy(c->batch);
    ff_batch_model_destroy(c->model);
    ff_run_destroy(c->run);
    ff_report_clear(&c->report);
    pthread_mutex_destroy(&c->lock);
    sem_destroy(&c->go);
    free(c->state);
    free(c->row);
    free(c->end);
    free(c->reward);
    ff_arena_clear(&c->arena);
    free(c);
}

static void answer(ff_workbench *b, ff_bench_batching *c, ff_status status, const ff_error *err)
{
    ff_yaml_hand_over(&c->report, &c->request.messages);
    c->answered = true;
    ff_bench_answer(b, &c->request, status, err);
}

/// Sends the event set by the thread, if it belongs to the present scene.
static void send_state(ff_workbench *b, ff_bench_batching *c)
{
    pthread_mutex_lock(&c->lock);
    char *state = c->state;
    c->state = NULL;
    pthread_mutex_unlock(&c->lock);
    if (state && c->generation == b->scene.generation) {
        free(b->batch_state);
        b->batch_state = strdup(state);
        ff_bench_send_all(b, state);
        state = NULL;
    }
    free(state);
}

/// Waits for the thread, sends its last event and frees the batch. A request that is not answered yet is refused with
/// the reason `why`, or gets no answer if that is NULL.
static void finish(ff_workbench *b, ff_bench_batching **batching, const char *why)
{
    ff_bench_batching *c = *batching;
    ff_error err = {0};
    if (!c) return;
    atomic_store(&c->stop, true);
    sem_post(&c->go);
    pthread_join(c->thread, NULL);
    send_state(b, c);
    if (!c->answered && why)
        answer(b, c, ff_error_set(&err, FF_STOPPED, "%s", why), &err);
    else if (!c->answered)
        ff_bench_request_drop(&c->request);
    destroy(c);
    *batching = NULL;
}

/// Replaces the running batch by the next one once its robots were created; a refused one is destroyed.
static void replace_batch(ff_workbench *b)
{
    ff_bench_batching *c = b->next_batch;
    if (!c) return;
    pthread_mutex_lock(&c->lock);
    const bool done = c->creation_done;
    pthread_mutex_unlock(&c->lock);
    if (!done) return;
    answer(b, c, c->status, &c->err);
    if (c->status != FF_OK) {
        finish(b, &b->next_batch, NULL);
        return;
    }
    finish(b, &b->batching, NULL);
    c->number = ++b->nbatch;
    b->batching = c;
    b->next_batch = NULL;
    sem_post(&c->go);
}

void ff_batching_answer(ff_workbench *b)
{
    replace_batch(b);
    ff_bench_batching *c = b->batching;
    if (!c) return;
    pthread_mutex_lock(&c->lock);
    const bool finished = c->finished;
    pthread_mutex_unlock(&c->lock);
    send_state(b, c);
    b->sink.frame(b->sink.context);
    if (finished) finish(b, &b->batching, NULL);
}

void ff_batching_cancel_next(ff_workbench *b)
{
    finish(b, &b->next_batch, "no batch: the scene was reloaded meanwhile");
}

void ff_batching_stop(ff_workbench *b)
{
    if (b->batching) atomic_store(&b->batching->stop, true);
    free(b->batch_state);
    b->batch_state = NULL;
    pthread_mutex_lock(&b->out_lock);
    if (b->batching) b->batching->outdated = true;
    b->batch_frame_size = 0;
    pthread_mutex_unlock(&b->out_lock);
}

void ff_batching_end(ff_workbench *b)
{
    finish(b, &b->next_batch, NULL);
    finish(b, &b->batching, NULL);
    free(b->batch_state);
    b->batch_state = NULL;
}

// ------------------------------------------------------------------------------------------ the request

/// Copies a formula of the request; NULL where it has none. @return FF_OK or FF_NO_MEMORY
static ff_status copy_text(const ff_bench_request *q, const char *key, char **out, ff_error *err)
{
    const char *text = ff_bench_text(q, key);
    *out = text ? strdup(text) : NULL;
    return !text || *out ? FF_OK : ff_error_set(err, FF_NO_MEMORY, "%s", ff_status_text(FF_NO_MEMORY));
}

static ff_status read_request(const ff_bench_request *q, ff_bench_batching *c, double time, ff_error *err)
{
    const double robots = ff_bench_number(q, "robots", 1024.0), seed = ff_bench_number(q, "seed", 0.0);
    const double height = ff_bench_number(q, "fall_height", NAN), tilt = ff_bench_number(q, "fall_tilt", NAN);
    c->time = ff_bench_number(q, "time", time);
    c->pace = ff_bench_number(q, "pace", 0.0);
    if (!(robots >= 1.0 && robots <= FF_STUDIO_ROBOTS))
        return ff_error_set(err, FF_BAD_ARGUMENT, "'robots' is %g: 1 to %d", robots, FF_STUDIO_ROBOTS);
    if (seed < 0.0)
        return ff_error_set(err, FF_BAD_ARGUMENT, "'seed' is %g: 0 to 1e12",
                            seed); // protocol_check.c refuses larger numbers
    if (!(c->time > 0.0 && c->time <= 1e9))
        return ff_error_set(err, FF_BAD_ARGUMENT, "'time' is %g s: it must be positive, 1e9 at most", c->time);
    if (!(c->pace == 0.0 || (c->pace >= 1e-3 && c->pace <= 1e3)))
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "'pace' is %g: 0 (as fast as possible) or between 0.001 and 1000 times real time", c->pace);
    if (height < 0.0)
        return ff_error_set(err, FF_BAD_ARGUMENT, "'fall_height' is %g m: it must be 0 (none) or more", height);
    if (tilt < 0.0 || tilt > FF_PI)
        return ff_error_set(err, FF_BAD_ARGUMENT, "'fall_tilt' is %g rad: it must be from 0 (none) to pi", tilt);
    if (copy_text(q, "end", &c->end, err) || copy_text(q, "reward", &c->reward, err)) return err->status;
    c->options = (ff_batch_options){.robots = (int)robots,
                                    .seed = (uint64_t)seed,
                                    .least_height = height,
                                    .most_tilt = tilt,
                                    .end = c->end,
                                    .reward = c->reward};
    ff_batch_spread *rows = NULL;
    const ff_status status =
        ff_spreads_read(ff_yaml_get(q->root, "spread"), &c->arena, &rows, &c->options.nspread, err);
    c->options.spreads = rows;
    return status;
}

static ff_run *make_run(const ff_workbench *b, ff_report *messages, ff_error *err)
{
    ff_run_options options = ff_run_options_default(b->scene.spec);
    options.record.nchannel = 0;
    options.limited = true;
    ff_run *run = ff_run_create(b->scene.spec, &options, messages);
    if (!run) ff_report_to_error(messages, FF_BAD_ARGUMENT, err);
    return run;
}

static ff_status begin(ff_workbench *b, ff_bench_request *q, ff_bench_batching *c, ff_error *err)
{
    c->bench = b;
    c->generation = b->scene.generation;
    c->run = make_run(b, &q->messages, err);
    if (!c->run) return err->status;
    if (pthread_create(&c->thread, NULL, work, c) != 0)
        return ff_error_set(err, FF_NO_MEMORY, "no thread for the batch: %s", strerror(errno));
    finish(b, &b->next_batch, "no batch: it was replaced by another one");
    c->request = *q;
    q->deferred = true;
    b->next_batch = c;
    return FF_OK;
}

ff_status ff_bench_batch(ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    if (ff_bench_flag(q, "stop")) {
        if (b->batching) atomic_store(&b->batching->stop, true);
        if (b->next_batch) atomic_store(&b->next_batch->stop, true);
        return FF_OK;
    }
    ff_bench_batching *c = calloc(1, sizeof *c);
    if (!c) return ff_error_set(err, FF_NO_MEMORY, "%s", ff_status_text(FF_NO_MEMORY));
    pthread_mutex_init(&c->lock, NULL);
    sem_init(&c->go, 0, 0);
    ff_status status = read_request(q, c, b->scene.spec->time, err);
    if (status == FF_OK) status = begin(b, q, c, err);
    if (status != FF_OK) destroy(c);
    return status;
}
