// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The hardware layer in two threads, and with its controller behind a wire: the bits of one thread in one process; and
// a bus that goes on while the main thread is kept busy. scripts/test runs it under the thread sanitizer as well.
#include "hardware/layered.h"

#include <footfall/link.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

/// A walk with a fault, an acknowledgement and a return.
static const char schedule[] =
    CHECK_LASTS("0.15 miscount 2; 0.2 acknowledge; 0.21 activate", "0.05 miscount 2; 0.07 acknowledge; 0.08 activate");

typedef struct outcome {
    uint64_t hash;
    char log[4000];
} outcome;

static const char *set[] = {CHECK_LASTS("time=0.35", "time=0.12"), "expect=[]", "metrics={}"};

static outcome look(layered *l)
{
    outcome out = {.hash = ff_sim_hash(ff_run_sim(run))};
    if (l->status != FF_OK) CHECK_FAIL("%s\n%s", l->err.text, l->log);
    memcpy(out.log, l->log, sizeof out.log);
    CHECK(l->counts.faults == 1 && l->state == FF_HARDWARE_ACTIVE);
    return out;
}

static outcome walk(bool threads)
{
    layered l = {.options = ff_hardware_options_default()};
    l.options.schedule = schedule;
    l.options.threads = threads;
    run_layered(&l, "experiments/anton-tripod.yaml", set, 3);
    const outcome out = look(&l);
    if (threads)
        printf("section 4 ended %.1f us before section 7, median of %lld cycles\n", 1e6 * l.counts.margin_median,
               (long long)l.counts.cycles);
    CHECK(l.counts.late == 0);
    free_layered(&l);
    return out;
}

static void must_agree(const outcome *a, const outcome *b, const char *what)
{
    if (strcmp(a->log, b->log) != 0) CHECK_FAIL("%s: states differ:\n%s\n%s", what, a->log, b->log);
    if (a->hash != b->hash) CHECK_FAIL("%s: other bits", what);
}

TEST(two_threads_have_the_bits_of_one)
{
    static outcome one, two;
    one = walk(false);
    two = walk(true);
    must_agree(&one, &two, "two threads");
}

// ------------------------------------------------------------------------------------------ behind a wire

typedef struct far_end {
    ff_run *run;
    char address[160];
    uint32_t conditions;
    int leave, answers; // after so many answers it goes; 0: never
    ff_status status;
    ff_error err;
} far_end;

static bool leaves(void *context)
{
    const far_end *f = context;
    return f->leave > 0 && f->answers >= f->leave;
}

static void answer_wire(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    far_end *f = context;
    f->answers++;
    f->conditions = ff_run_answer(f->run, 0, t, sensors, references);
}

static void *control(void *context)
{
    far_end *f = context;
    ff_relay_site site;
    ff_link_options options = ff_link_options_default();
    options.stop = leaves;
    options.context = f;
    f->status = ff_run_controller_site(f->run, 0, &site, &f->err);
    ff_wire *wire = f->status == FF_OK ? ff_wire_open(f->address, FF_END_CONTROL, &f->err) : NULL;
    if (!wire) return NULL;
    const ff_link_controller controller = {.context = f,
                                           .cycle = answer_wire,
                                           .signals = site.values,
                                           .nsignal = site.nsignal,
                                           .conditions = &f->conditions};
    f->status = ff_link_control(wire, NULL, &options, &controller, NULL, &f->err);
    ff_wire_close(wire);
    return NULL;
}

static outcome apart;

static void walk_apart(layered *out, int leave)
{
    layered l = {.options = ff_hardware_options_default()};
    far_end far = {.leave = leave};
    pthread_t thread;
    char path[1024];
    ff_wire *wire = ff_wire_open("udp:0", FF_END_ROBOT, &l.err);
    CHECK(wire);
    ff_link_robot *link = ff_link_robot_create(wire, NULL, &l.err);
    CHECK(link);
    l.options.schedule = leave > 0 ? NULL : schedule;
    l.controller = ff_link_relay(link);
    snprintf(far.address, sizeof far.address, "udp:%s", ff_wire_where(wire));
    snprintf(path, sizeof path, "%s/experiments/anton-tripod.yaml", FF_SOURCE_DIR);
    must_load_file(path, set, 3);
    if (!begin_layered(&l)) CHECK_FAIL("%s", message(0));
    far.run = l.far;
    CHECK(pthread_create(&thread, NULL, control, &far) == 0);
    l.status = ff_link_robot_connect(link, 20.0, &l.err);
    if (l.status == FF_OK) l.status = ff_run_go(run, &l.err);
    ff_link_robot_disconnect(link, "over");
    pthread_join(thread, NULL);
    CHECK(far.status == (leave > 0 ? FF_STOPPED : FF_OK));
    end_layered(&l);
    *out = l;
    if (leave == 0) apart = look(&l);
    free_layered(&l);
    ff_link_robot_destroy(link);
    ff_wire_close(wire);
}

TEST(a_controller_behind_a_wire_has_the_bits_of_one_process)
{
    static outcome together;
    static layered l;
    together = walk(false);
    walk_apart(&l, 0);
    must_agree(&together, &apart, "over a wire");
}

/// Its counters stand still: two of them are a fault of the layer, whatever the link does.
TEST(a_controller_that_leaves_is_a_fault)
{
    static layered l;
    walk_apart(&l, 40);
    CHECK(l.status == FF_CONTROL && l.state == FF_HARDWARE_FAULT && l.counts.faults == 1);
    if (!strstr(l.log, "2 consecutive counters differ, the last is 40, expected 42")) CHECK_FAIL("%s", l.log);
}

// ------------------------------------------------------------------------------------------ a slow main thread

static atomic_llong bus_cycles;
static ff_relay inner; // the layer

static ff_status bind_counted(void *context, const ff_relay_site *site, ff_error *err)
{
    return inner.bind(context, site, err);
}

static void count_cycle(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    inner.cycle(context, t, sensors, references);
    atomic_fetch_add(&bus_cycles, 1);
}

/// A controller that once keeps the main thread until the bus has had five more cycles.
static void dawdle(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    int *frames = context;
    (void)t, (void)sensors, (void)references;
    if (++*frames != 10) return;
    const long long now = atomic_load(&bus_cycles);
    while (atomic_load(&bus_cycles) < now + 5) sched_yield();
}

TEST(the_bus_goes_on_without_a_busy_main_thread)
{
    int frames = 0;
    layered l = {.options = ff_hardware_options_default(), .controller = {.context = &frames, .cycle = dawdle}};
    char path[1024];
    l.options.threads = true;
    l.options.main_timeout = 0.05; // longer than a busy machine keeps a thread from running, most of the time
    snprintf(path, sizeof path, "%s/experiments/anton-tripod.yaml", FF_SOURCE_DIR);
    must_load_file(path, set, 3);
    ff_run_options how = ff_run_options_default(scene);
    how.record.nchannel = 0;
    l.layer = ff_hardware_create(&l.controller, &l.options, &l.err);
    CHECK(l.layer);
    inner = ff_hardware_relay(l.layer);
    const ff_run_relay relay = {
        0, {.context = inner.context, .bind = bind_counted, .cycle = count_cycle, .every_bus_cycle = true}};
    how.relays = &relay;
    how.nrelay = 1;
    CHECK(begin_with(&how));
    CHECK(ff_sim_run(ff_run_sim(run), 0.2, &l.err) == FF_OK);
    end_layered(&l);
    CHECK(l.counts.late >= 4 && frames > 10); // the bus did not wait, and the main thread came back
    CHECK(l.counts.cycles > 190);
    free_layered(&l);
}
