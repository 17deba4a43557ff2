// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A robot and its controller at two ends of a wire, in two threads, and what came out of it. Sources that include it
// define _GNU_SOURCE before.
#ifndef FOOTFALL_TESTS_LINK_APART_HELPERS_H
#define FOOTFALL_TESTS_LINK_APART_HELPERS_H

#include "link/link_helpers.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>

/// ANTON in tripod gait with everything between controller and motion, or the servo hexapod, whose frames go at 50 Hz.
static const struct {
    const char *scene, *time;
} walks[] = {{"experiments/anton-tripod.yaml", CHECK_LASTS("time=0.5", "time=0.25")},
             {"experiments/servo-hexapod-walk.yaml", CHECK_LASTS("time=1.2", "time=0.6")}};

// ------------------------------------------------------------------------------------------ the far end

typedef struct far_end {
    const ff_scene_spec *scene;
    ff_run *run;
    char address[160];
    const char *faults; // NULL: none
    ff_link_options options;
    uint32_t conditions;
    int64_t leave; // after so many cycles; 0: never
    int64_t cycles;
    // what came out
    ff_status status;
    ff_link_counts counts;
    ff_error err;
    pthread_t thread;
} far_end;

static inline void answer(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    far_end *f = context;
    f->cycles++;
    f->conditions = ff_run_answer(f->run, 0, t, sensors, references);
}

static inline bool leaves(void *context)
{
    const far_end *f = context;
    return f->leave > 0 && f->cycles >= f->leave;
}

static inline void *control(void *context)
{
    far_end *f = context;
    ff_relay_site site;
    f->options.stop = leaves;
    f->options.context = f;
    f->status = ff_run_controller_site(f->run, 0, &site, &f->err);
    ff_wire *wire = f->status == FF_OK ? ff_wire_open(f->address, FF_END_CONTROL, &f->err) : NULL;
    wire = add_faults(wire, f->faults, &f->err);
    if (!wire) {
        f->status = f->err.status;
        return NULL;
    }
    const ff_interface interface = {.sensors = *site.sensors, .references = *site.references};
    const ff_link_controller controller = {
        .context = f, .cycle = answer, .signals = site.values, .nsignal = site.nsignal, .conditions = &f->conditions};
    f->status = ff_link_control(wire, &interface, &f->options, &controller, &f->counts, &f->err);
    ff_wire_close(wire);
    return NULL;
}

// ------------------------------------------------------------------------------------------ both ends

static ff_link_counts robot_counts;
static ff_status robot_status;
static ff_error robot_err;
static double robot_falls; // NAN: nobody counted

/// Runs the scene with its controller at the far end of a wire that is open at the robot's end.
static inline outcome run_apart(ff_wire *wire, const ff_link_options *options, far_end *far)
{
    ff_error err = {0};
    ff_run_options how = ff_run_options_default(scene);
    ff_link_robot *robot = ff_link_robot_create(wire, options, &err);
    CHECK(robot);
    const ff_run_relay relay = {0, ff_link_relay(robot)};
    how.relays = &relay;
    how.nrelay = 1;
    ff_run_options alone = ff_run_options_default(scene);
    alone.record.nchannel = 0;
    far->scene = scene;
    far->run = ff_run_create(scene, &alone, &report);
    CHECK(far->run && begin_with(&how));
    if (far->options.timeout == 0.0) far->options = ff_link_options_default();
    CHECK(pthread_create(&far->thread, NULL, control, far) == 0);
    robot_err = (ff_error){0};
    robot_status = ff_link_robot_connect(robot, 10.0, &robot_err);
    if (robot_status == FF_OK) robot_status = ff_run_go(run, &robot_err);
    ff_link_robot_disconnect(robot, "over");
    pthread_join(far->thread, NULL);
    robot_counts = ff_link_robot_counts(robot);
    if (!ff_run_metric(run, "walk.falls", &robot_falls)) robot_falls = NAN;
    const outcome out = look();
    ff_run_destroy(far->run);
    ff_run_destroy(run); // before its relay
    run = NULL;
    ff_link_robot_destroy(robot);
    ff_wire_close(wire);
    return out;
}

/// The outcome in one process.
static inline outcome run_together(int walk)
{
    const char *overrides[] = {walks[walk].time};
    must_load_file(path_of(walks[walk].scene), overrides, 1);
    must_go();
    return look();
}

static inline void must_agree(const outcome *together, const outcome *apart, const far_end *far, const char *what)
{
    if (robot_status != FF_OK) CHECK_FAIL("%s: robot: %s", what, robot_err.text);
    if (far->status != FF_OK) CHECK_FAIL("%s: controller: %s", what, far->err.text);
    if (!same(together, apart)) CHECK_FAIL("%s: other bits than in one process", what);
}

// ------------------------------------------------------------------------------------------ a serial line

/// Two pseudo terminals and a thread that carries bytes between them: a cable.
typedef struct cable {
    int ends[2];
    volatile bool over;
    pthread_t thread;
} cable;

static inline void *carry(void *context)
{
    cable *c = context;
    char buffer[4096];
    while (!c->over) {
        struct pollfd both[2] = {{c->ends[0], POLLIN, 0}, {c->ends[1], POLLIN, 0}};
        if (poll(both, 2, 20) <= 0) continue;
        for (int i = 0; i < 2; i++) {
            const ssize_t n = both[i].revents & POLLIN ? read(c->ends[i], buffer, sizeof buffer) : 0;
            for (ssize_t at = 0; at < n && !c->over;) { // a reader may be slow, or gone
                struct pollfd far = {c->ends[1 - i], POLLOUT, 0};
                const ssize_t sent = poll(&far, 1, 20) > 0 ? write(far.fd, buffer + at, (size_t)(n - at)) : 0;
                at += sent > 0 ? sent : 0;
            }
        }
    }
    return NULL;
}

// ------------------------------------------------------------------------------------------ wires of all kinds

enum { WIRES = 4 };
static const char *const wire_names[WIRES] = {"udp", "tcp", "serial", "shm"};

/// A wire that is open at the robot's end.
typedef struct line {
    ff_wire *robot;    // the thread of the robot closes it
    char address[160]; // of the other end
    cable cable;       // of a serial line: ends[0] leads to the robot
    ff_wire *hold;     // its other end, held open so that it never hangs up
} line;

static inline void lay_cable(line *l)
{
    char near[160];
    for (int i = 0; i < 2; i++) {
        const int end = l->cable.ends[i] = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
        if (end < 0 || grantpt(end) != 0 || unlockpt(end) != 0) SKIP("no pseudo terminals here");
        snprintf(i == 0 ? near : l->address, sizeof near, "serial:%s:115200", ptsname(end));
    }
    l->robot = must_open(near);
    l->hold = must_open(l->address);
}

static inline line open_line(int kind)
{
    line l = {0};
    char near[64];
    if (kind == 2) {
        lay_cable(&l);
        return l;
    }
    if (kind == 3)
        snprintf(near, sizeof near, "shm:link-%d", (int)getpid());
    else
        snprintf(near, sizeof near, "%s:0", wire_names[kind]);
    l.robot = must_open(near);
    snprintf(l.address, sizeof l.address, "%s:%s", wire_names[kind], ff_wire_where(l.robot));
    return l;
}

static inline void close_line(line *l)
{
    if (!l->hold) return;
    ff_wire_close(l->hold);
    for (int i = 0; i < 2; i++) close(l->cable.ends[i]);
}

/// Runs the scene with its controller at the far end of the line.
static inline outcome run_over(line *l, const ff_link_options *options, far_end *far)
{
    const bool serial = l->hold != NULL;
    snprintf(far->address, sizeof far->address, "%s", l->address);
    if (serial) CHECK(pthread_create(&l->cable.thread, NULL, carry, &l->cable) == 0);
    const outcome out = run_apart(l->robot, options, far);
    l->cable.over = true;
    if (serial) pthread_join(l->cable.thread, NULL);
    close_line(l);
    return out;
}

#endif
