// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Robot, stabiliser and planner, joined by two wires. In lockstep they have the bits of one process, whatever the wires
// do to telegrams; a planner that falls silent leaves a robot that stands, and a run that fails and says why.
#include "link/link_helpers.h"

#include <pthread.h>

/// ANTON in tripod gait, and LOLA, which sets out at once.
static const struct {
    const char *scene, *overrides[3];
    int count;
} walks[] = {
    {"experiments/anton-tripod.yaml", {CHECK_LASTS("time=0.4", "time=0.25")}, 1},
    {"experiments/lola-walk.yaml", {CHECK_LASTS("time=1", "time=0.6"), "control.biped.hold=0.1", "metrics={}"}, 3}};
enum { ANTON, LOLA };

// ------------------------------------------------------------------------------------------ stabiliser and planner

/// A half of the controller at the far end of a wire.
typedef struct half {
    ff_run *run;
    char address[160], planner[160]; // to the robot, and of the planner's wire; "": it is the planner
    const char *faults;              // of what it sends to the planner, or of what the planner sends; NULL: none
    ff_link_options options;
    // what came out
    ff_status status;
    ff_link_counts counts, plans;
    ff_error err;
    pthread_t thread;
} half;

static void plan(void *context, double t, const ff_io_frame *sensors, ff_io_frame *out)
{
    ff_run_plan(((half *)context)->run, 0, t, sensors, out);
}

static uint32_t stabilise(void *context, double t, const ff_io_frame *sensors, const ff_io_frame *given,
                          ff_io_frame *references)
{
    return ff_run_stabilise(((half *)context)->run, 0, t, sensors, given, references);
}

static void *work(void *context)
{
    half *h = context;
    ff_relay_site site;
    ff_io_layout plans;
    const bool stabilises = h->planner[0] != '\0';
    h->status = ff_run_controller_site(h->run, 0, &site, &h->err);
    if (h->status == FF_OK) h->status = ff_run_plan_layout(h->run, 0, &plans, &h->err);
    if (h->status != FF_OK) return NULL;
    ff_wire *wire = ff_wire_open(h->address, FF_END_CONTROL, &h->err);
    const ff_interface interface = {.sensors = *site.sensors, .references = stabilises ? *site.references : plans};
    h->status = FF_BAD_ARGUMENT;
    if (stabilises) {
        site.references = &plans;
        const ff_link_stabiliser s = {
            .planner = add_faults(ff_wire_open(h->planner, FF_END_ROBOT, &h->err), h->faults, &h->err),
            .site = site,
            .context = h,
            .cycle = stabilise,
            .signals = site.values,
            .nsignal = site.nsignal};
        if (wire && s.planner)
            h->status = ff_link_stabilise(wire, &interface, &h->options, &s, &h->counts, &h->plans, &h->err);
        ff_wire_close(s.planner);
    } else {
        const ff_link_controller c = {.context = h, .cycle = plan, .signals = site.values, .nsignal = site.nsignal};
        wire = add_faults(wire, h->faults, &h->err);
        if (wire) h->status = ff_link_control(wire, &interface, &h->options, &c, &h->counts, &h->err);
    }
    ff_wire_close(wire);
    return NULL;
}

static ff_run *make_run(void)
{
    ff_run_options options = ff_run_options_default(scene);
    options.record.nchannel = 0;
    ff_run *made = ff_run_create(scene, &options, &report);
    if (!made) CHECK_FAIL("%s", message(0));
    return made;
}

// ------------------------------------------------------------------------------------------ all three

static half stabiliser, planner;
static ff_status robot_status;
static ff_error robot_err;
static ff_link_counts robot_counts;
static double robot_falls;

/// A port that nobody listens at now.
static int find_port(void)
{
    ff_wire *wire = must_open("udp:0");
    const int port = atoi(strrchr(ff_wire_where(wire), ':') + 1);
    ff_wire_close(wire);
    return port;
}

/// @param scheme  of both wires
/// @param faults  of what stabiliser and planner send each other; NULL: none
static outcome run_three(const char *scheme, const char *from_stabiliser, const char *from_planner,
                         const ff_link_options *options)
{
    ff_error err = {0};
    char own[64];
    const bool shared = strcmp(scheme, "shm") == 0;
    if (shared)
        snprintf(own, sizeof own, "shm:three-%d", (int)getpid());
    else
        snprintf(own, sizeof own, "%s:0", scheme);
    ff_wire *wire = must_open(own);
    ff_run_options how = ff_run_options_default(scene);
    ff_link_robot *robot = ff_link_robot_create(wire, NULL, &err);
    const ff_run_relay relay = {0, ff_link_relay(robot)};
    how.relays = &relay;
    how.nrelay = 1;
    CHECK(begin_with(&how));
    stabiliser = (half){.run = make_run(), .faults = from_stabiliser, .options = *options};
    planner = (half){.run = make_run(), .faults = from_planner, .options = *options};
    snprintf(stabiliser.address, sizeof stabiliser.address, "%s:%s", scheme, ff_wire_where(wire));
    if (shared)
        snprintf(stabiliser.planner, sizeof stabiliser.planner, "shm:three-plan-%d", (int)getpid());
    else
        snprintf(stabiliser.planner, sizeof stabiliser.planner, "%s:%d", scheme, find_port());
    snprintf(planner.address, sizeof planner.address, "%s", stabiliser.planner);
    CHECK(pthread_create(&stabiliser.thread, NULL, work, &stabiliser) == 0);
    CHECK(pthread_create(&planner.thread, NULL, work, &planner) == 0);
    robot_err = (ff_error){0};
    robot_status = ff_link_robot_connect(robot, 10.0, &robot_err);
    if (robot_status == FF_OK) robot_status = ff_run_go(run, &robot_err);
    ff_link_robot_disconnect(robot, "over");
    pthread_join(stabiliser.thread, NULL);
    pthread_join(planner.thread, NULL);
    robot_counts = ff_link_robot_counts(robot);
    if (!ff_run_metric(run, "walk.falls", &robot_falls)) robot_falls = NAN;
    const outcome out = look();
    ff_run_destroy(stabiliser.run);
    ff_run_destroy(planner.run);
    ff_run_destroy(run); // before its relay
    run = NULL;
    ff_link_robot_destroy(robot);
    ff_wire_close(wire);
    return out;
}

static outcome run_together(int walk)
{
    must_load_file(path_of(walks[walk].scene), walks[walk].overrides, walks[walk].count);
    must_go();
    return look();
}

static void must_agree(const outcome *together, const outcome *apart, const char *what)
{
    if (robot_status != FF_OK) CHECK_FAIL("%s: robot: %s", what, robot_err.text);
    if (stabiliser.status != FF_OK) CHECK_FAIL("%s: stabiliser: %s", what, stabiliser.err.text);
    if (planner.status != FF_OK) CHECK_FAIL("%s: planner: %s", what, planner.err.text);
    if (!same(together, apart)) CHECK_FAIL("%s: other bits than in one process", what);
    CHECK(robot_counts.good == robot_counts.cycles && stabiliser.plans.good == robot_counts.cycles);
}

TEST(three_processes_are_bit_identical_to_one)
{
    static const char *const schemes[] = {"shm", "udp", "tcp"};
    static outcome together, apart;
    ff_link_options options = ff_link_options_default();
    options.timeout = 10.0;
    for (int walk = ANTON; walk <= LOLA; walk++) {
        together = run_together(walk);
        CHECK(together.count > 100 && strlen(together.events) > 0);
        for (int k = 0; k < (walk == ANTON ? CHECK_LASTS(3, 1) : 1); k++) {
            apart = run_three(schemes[k], NULL, NULL, &options);
            must_agree(&together, &apart, schemes[k]);
        }
    }
    finish();
}

TEST(faults_of_the_wires_between_them_change_no_bit)
{
    static const char faults[] = "drop=0.02,double=0.03,swap=0.03,flip=0.02,delay=0.0002,seed=5";
    static outcome together, apart;
    ff_link_options options = ff_link_options_default();
    options.timeout = 10.0;
    options.resend_after = 0.005;
    for (int walk = ANTON; walk <= CHECK_LASTS(LOLA, ANTON); walk++) {
        together = run_together(walk);
        apart = run_three("udp", faults, faults, &options);
        must_agree(&together, &apart, faults);
        CHECK(stabiliser.plans.resent > 0 && planner.counts.doubled > 0 && planner.counts.damaged > 0);
    }
    finish();
}

// The planner answers some hundred frames and is cut off: the stabiliser keeps the robot on its feet and says so, and
// the robot's run fails with the reason, though each of its frames was answered.
TEST(a_planner_that_is_lost_leaves_a_robot_that_stands)
{
    ff_link_options options = ff_link_options_default();
    options.timeout = 2.0; // of the robot with the stabiliser: 5 s
    must_load_file(path_of(walks[ANTON].scene), (const char *[]){"time=1", "expect=[]"}, 2);
    run_three("udp", NULL, "cut=400", &options);
    CHECK(robot_status == FF_CONTROL && strstr(robot_err.text, "lost its planner"));
    CHECK(robot_counts.good == robot_counts.cycles && robot_falls == 0.0);
    CHECK(stabiliser.status == FF_CONTROL && strstr(stabiliser.err.text, "did not answer"));
    CHECK(stabiliser.plans.good >= 390 && stabiliser.plans.good <= 400);
    CHECK_NEAR(stabiliser.plans.stopped_at, 1e-3 * (double)stabiliser.plans.good, 2e-3);
    finish();
}

TEST(a_stabiliser_without_a_planner_gives_up)
{
    ff_error err = {0};
    must_load_file(path_of(walks[ANTON].scene), walks[ANTON].overrides, walks[ANTON].count);
    ff_wire *wire = must_open("udp:0");
    ff_run_options how = ff_run_options_default(scene);
    ff_link_robot *robot = ff_link_robot_create(wire, NULL, &err);
    const ff_run_relay relay = {0, ff_link_relay(robot)};
    how.relays = &relay;
    how.nrelay = 1;
    CHECK(begin_with(&how));
    stabiliser = (half){.run = make_run(), .planner = "udp:0", .options = ff_link_options_default()};
    stabiliser.options.timeout = 0.3;
    snprintf(stabiliser.address, sizeof stabiliser.address, "udp:%s", ff_wire_where(wire));
    CHECK(pthread_create(&stabiliser.thread, NULL, work, &stabiliser) == 0);
    CHECK(ff_link_robot_connect(robot, 1.5, &err) == FF_NOT_FOUND); // who has no planner does not greet its robot
    pthread_join(stabiliser.thread, NULL);
    CHECK(stabiliser.status == FF_NOT_FOUND && strstr(stabiliser.err.text, "no planner"));
    ff_run_destroy(stabiliser.run);
    ff_run_destroy(run);
    run = NULL;
    ff_link_robot_destroy(robot);
    ff_wire_close(wire);
    finish();
}
