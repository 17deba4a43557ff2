// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The hardware layer at work: states, homing, every check that makes a fault, the halt and the way out of it, buses and
// robots that it refuses.
#include "hardware/layered.h"

#include "hardware/layer.h"

static const char anton[] = "experiments/anton-tripod.yaml", lola[] = "experiments/lola-walk.yaml";

static layered defaults(const char *schedule)
{
    layered l = {.options = ff_hardware_options_default()};
    l.options.schedule = schedule;
    return l;
}

/// @param bus  NULL: one whose cycles are as long as they should be
static void run_for(layered *l, const char *file, const char *time, const char *bus)
{
    const char *set[] = {time, "expect=[]", "metrics={}", bus ? bus : "effects.bus={jitter: 0}"};
    run_layered(l, file, set, 4);
}

/// ANTON with a layer, before its first step.
static ff_sim *start_anton(layered *l)
{
    const char *const settings[] = {"expect=[]", "metrics={}", "effects.bus={jitter: 0}"};
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", FF_SOURCE_DIR, anton);
    must_load_file(path, settings, 3);
    CHECK(begin_layered(l));
    return ff_run_sim(run);
}

// ------------------------------------------------------------------------------------------ states

TEST(it_boots_homes_and_activates_by_itself)
{
    layered l = defaults(NULL);
    run_for(&l, anton, "time=0.1", NULL);
    // bus states take a cycle or two each, homing 32 samples, drives four control words and their answers
    CHECK(strcmp(l.log, "0.0000 BusInit \n0.0020 PreOp \n0.0060 SafeOp \n0.0080 Idle \n0.0090 Homing \n0.0410 Ready \n"
                        "0.0470 Active \n") == 0);
    CHECK(l.state == FF_HARDWARE_ACTIVE && l.counts.frames == 53 && l.counts.cycles == 101); // 48 to 100 ms
    free_layered(&l);
}

TEST(an_operator_leads_it)
{
    layered l = defaults("0.03 home; 0.08 activate; 0.12 deactivate; 0.13 activate");
    l.options.automatic = false;
    run_for(&l, anton, "time=0.15", NULL);
    CHECK(strcmp(l.log, "0.0000 BusInit \n0.0020 PreOp \n0.0060 SafeOp \n0.0080 Idle \n0.0300 Homing \n0.0620 Ready \n"
                        "0.0800 Active \n0.1200 Ready \n0.1300 Active \n") == 0);
    free_layered(&l);
}

/// Absolute encoders of 17 bits round down by up to 48 urad; the robot stands, and its joints creep by less.
TEST(homing_finds_the_joints)
{
    layered l = defaults("0.01 home");
    l.options.automatic = false;
    run_for(&l, lola, "time=0.1", NULL);
    const double *q = ff_hardware_joints(l.layer), *truth = ff_sim_q(ff_run_sim(run));
    const ff_model *m = ff_run_sim(run) ? ff_sim_model(ff_run_sim(run)) : NULL;
    int driven = 0;
    for (int i = 0; i < m->njoint; i++) {
        if (m->joints[i].type == FF_JOINT_FREE) continue;
        CHECK_NEAR(q[m->joints[i].qadr], truth[m->joints[i].qadr], 2e-4);
        driven++;
    }
    CHECK(driven == 26 && isnan(q[0])); // not the free base
    free_layered(&l);
}

// ------------------------------------------------------------------------------------------ faults

TEST(each_check_makes_a_fault)
{
    static const struct {
        const char *schedule, *says, *bus;
        double tracking, jump;
    } cases[] = {
        {"0.1 fault FL_coxa", "0.1010 Fault drive 'FL_coxa' reports a fault, error code FF01", NULL, 0.1, 1.0},
        {"0.1 stick ML_foot_force", "0.1990 Fault force sensor 'ML_foot_force' is stuck: 100 equal samples", NULL, 0.1,
         1.0},
        {"0.1 overload MR_foot_force", "0.1010 Fault force sensor 'MR_foot_force': fx is 100 N, its range is 50 N",
         NULL, 0.1, 1.0},
        {"0.1 miscount 2", "0.1020 Fault the controller's answers do not match its frames: 2 consecutive counters",
         NULL, 0.1, 1.0},
        {NULL, " has a following error of ", NULL, 1e-6, 1.0},
        {NULL, " jumped by ", NULL, 0.1, 0.01},
        {NULL, "Fault bus: no valid inputs received for 2 cycles", "effects.bus={loss: 0.3, jitter: 0}", 0.1, 1.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        layered l = defaults(cases[i].schedule);
        l.options.tracking_limit = cases[i].tracking;
        l.options.force_jump = cases[i].jump;
        // it walks from 0.3 s on; what needs neither that nor 100 samples is there at 0.11 s
        const bool waits = cases[i].jump < 1.0 || cases[i].tracking < 0.1 || strstr(cases[i].says, "stuck");
        const char *const whole = cases[i].schedule ? "time=0.21" : "time=0.4";
        run_for(&l, anton, CHECK_LASTS(true, false) || waits ? whole : "time=0.11", cases[i].bus);
        if (!strstr(l.log, cases[i].says)) CHECK_FAIL("case %zu: wanted '%s', got:\n%s", i, cases[i].says, l.log);
        CHECK(l.state == FF_HARDWARE_FAULT && l.counts.faults == 1);
        CHECK(l.status == FF_CONTROL && strstr(l.err.text, "went into fault"));
        free_layered(&l);
    }
}

TEST(one_wrong_counter_is_borne)
{
    layered l = defaults("0.1 miscount 1; 0.102 miscount 1; "); // every other one
    run_for(&l, anton, "time=0.2", NULL);
    CHECK(l.state == FF_HARDWARE_ACTIVE && l.counts.faults == 0 && l.counts.mismatches == 2);
    free_layered(&l);
}

/// Counters wrap: answers are followed after 2^31 frames (25 days of 1 kHz) and after 2^32 as at the beginning. Each
/// jump of the counter leaves one answer behind, which is borne.
TEST(counters_wrap)
{
    layered l = defaults(NULL);
    ff_error err = {0};
    ff_sim *sim = start_anton(&l);
    for (int k = 1; k <= 2; k++) {
        CHECK(ff_sim_run(sim, 0.1 * k, &err) == FF_OK);
        l.layer->counter = k == 1 ? l.layer->counter + 0x80000000U : UINT32_MAX - 20;
    }
    CHECK(ff_sim_run(sim, 0.3, &err) == FF_OK);
    CHECK(l.layer->counter < 200); // it has wrapped
    end_layered(&l);
    CHECK(l.state == FF_HARDWARE_ACTIVE && l.counts.faults == 0 && l.counts.mismatches == 2);
    free_layered(&l);
}

TEST(a_robot_in_fault_stands)
{
    const double halted = CHECK_LASTS(0.9, 0.65); // [s]
    layered l = defaults(CHECK_LASTS("0.6 fault FL_coxa", "0.35 fault FL_coxa"));
    char path[1024];
    ff_error err = {0};
    snprintf(path, sizeof path, "%s/%s", FF_SOURCE_DIR, anton);
    must_load_file(path, NULL, 0);
    CHECK(begin_layered(&l));
    ff_sim *sim = ff_run_sim(run);
    double before[64][2], pose[3];
    CHECK(ff_sim_run(sim, halted, &err) == FF_OK);
    const int n = ff_sim_drives(sim)->n;
    for (int i = 0; i < n; i++)
        memcpy(before[i], ff_sim_drive_memory(sim, (ff_drive_id){i})->reference, sizeof before[i]);
    memcpy(pose, ff_sim_q(sim), sizeof pose);
    CHECK(ff_sim_run(sim, halted + CHECK_LASTS(0.7, 0.05), &err) == FF_OK);
    for (int i = 0; i < n; i++) {
        const double *now = ff_sim_drive_memory(sim, (ff_drive_id){i})->reference;
        CHECK(now[0] == before[i][0] && now[1] == 0.0); // set points do not move
    }
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(ff_sim_q(sim)[k], pose[k], 2e-3); // nor does the body, but for the play of gears
    end_layered(&l);
    CHECK(l.state == FF_HARDWARE_FAULT);
    free_layered(&l);
}

/// Forces that carry the weight stay as they are while it is held, and lead over to the controller's from there: in a
/// cycle by no more than the share of its blend, 6 u (1 - u) dt / blend < 0.0015 in its first 10 ms.
TEST(forces_do_not_jump_when_it_goes_on)
{
    const double before = CHECK_LASTS(0.798, 0.448); // [s]
    layered l = defaults(CHECK_LASTS("0.6 miscount 2; 0.7 acknowledge; 0.8 activate",
                                     "0.35 miscount 2; 0.4 acknowledge; 0.45 activate"));
    ff_error err = {0};
    ff_sim *sim = start_anton(&l);
    CHECK(ff_sim_run(sim, before, &err) == FF_OK);
    const int n = ff_sim_drives(sim)->n;
    double force[64], greatest = 0.0, jump = 0.0;
    for (int i = 0; i < n; i++) {
        force[i] = ff_sim_drive_memory(sim, (ff_drive_id){i})->reference[2];
        greatest = fmax(greatest, fabs(force[i]));
    }
    for (int k = 1; k <= 12; k++) {
        CHECK(ff_sim_run(sim, before + 1e-3 * k, &err) == FF_OK);
        for (int i = 0; i < n; i++) {
            const double now = ff_sim_drive_memory(sim, (ff_drive_id){i})->reference[2];
            jump = fmax(jump, fabs(now - force[i]));
            force[i] = now;
        }
    }
    end_layered(&l);
    CHECK(l.state == FF_HARDWARE_ACTIVE && greatest > 0.1);
    if (!(jump < 0.01 * greatest)) CHECK_FAIL("a jump of %g of %g", jump, greatest);
    free_layered(&l);
}

TEST(an_acknowledged_robot_goes_on)
{
    layered l = defaults(
        CHECK_LASTS("0.3 fault FL_coxa; 0.5 acknowledge; 0.6 repair FL_coxa; 0.7 acknowledge; 0.8 activate",
                    "0.1 fault FL_coxa; 0.15 acknowledge; 0.2 repair FL_coxa; 0.25 acknowledge; 0.3 activate"));
    run_for(&l, anton, CHECK_LASTS("time=2.4", "time=0.4"), NULL);
    // The first acknowledgement comes while the cause is there. The second is a control word that leaves in the next
    // cycle; the status after it is read in the one behind.
    const char *after = strstr(l.log, "Fault");
    CHECK(after && strstr(after, CHECK_LASTS("0.7020 Idle \n0.8000 Homing \n0.8010 Ready \n",
                                             "0.2520 Idle \n0.3000 Homing \n0.3010 Ready \n")));
    CHECK(l.state == FF_HARDWARE_ACTIVE && l.status == FF_OK && l.counts.faults == 1);
    CHECK(metric("walk.falls") == 0.0);
    if (CHECK_LASTS(true, false)) CHECK(metric("walk.distance") > 0.08); // of the 0.16 m that remain at 0.1 m/s
    free_layered(&l);
}

TEST(drives_are_switched_off_when_the_operator_says_so)
{
    static const char *const schedules[] = {"0.1 miscount 2; 0.15 disable", "0.1 miscount 2"};
    static const double holds[] = {INFINITY, 0.05};
    for (int i = 0; i < 2; i++) {
        layered l = defaults(schedules[i]);
        l.options.hold = holds[i];
        char path[1024];
        ff_error err = {0};
        snprintf(path, sizeof path, "%s/%s", FF_SOURCE_DIR, anton);
        must_load_file(path, NULL, 0);
        CHECK(begin_layered(&l));
        CHECK(ff_sim_run(ff_run_sim(run), 0.14, &err) == FF_OK);
        CHECK(ff_hardware_get_state(l.layer) == FF_HARDWARE_FAULT);
        CHECK(strstr(ff_hardware_fault_reason(l.layer), "consecutive counters"));
        CHECK(l.layer->drives[0].state == FF_CIA402_OPERATION_ENABLED);
        CHECK(ff_sim_run(ff_run_sim(run), 0.17, &err) == FF_OK);
        CHECK(l.layer->drives[0].state == FF_CIA402_SWITCH_ON_DISABLED);
        end_layered(&l);
        free_layered(&l);
    }
}

TEST(a_drive_that_was_switched_off_leaves_its_fault)
{
    layered l = defaults("0.1 fault FL_coxa; 0.11 disable; 0.12 repair FL_coxa; 0.13 acknowledge; 0.14 activate");
    run_for(&l, anton, "time=0.2", NULL);
    const char *after = strstr(l.log, "Fault");
    CHECK(after && strstr(after, "0.1320 Idle \n0.1400 Homing \n0.1410 Ready \n0.1470 Active \n"));
    free_layered(&l);
}

TEST(after_a_fault_it_waits_for_the_operator)
{
    layered l = defaults("0.02 fault FL_coxa; 0.03 repair FL_coxa; 0.04 acknowledge"); // while it homes
    run_for(&l, anton, "time=0.2", NULL);
    CHECK(l.state == FF_HARDWARE_IDLE && l.counts.frames == 0);
    free_layered(&l);
}

// ------------------------------------------------------------------------------------------ what is refused

TEST(wrong_commands_are_refused)
{
    static const struct {
        const char *schedule, *says;
    } wrong[] = {{"acknowledge", "'acknowledge': expected a time in seconds"},
                 {"0.5", "'0.5': expected a time in seconds"},
                 {"-1 home", "'-1 home': expected a time in seconds"},
                 {"nan home", "expected a time in seconds"},
                 {"2 home;  1 home", "'1 home': commands must be in the order of their times"},
                 {"1 dance", "'dance' is not a command; expected: home, activate"},
                 {"1 home now", "'home now' is not a command"},
                 {"1 fault FL_knee", "'fault FL_knee': there is no drive 'FL_knee'"},
                 {"1 stick FL_coxa", "'stick FL_coxa': there is no force sensor 'FL_coxa'"},
                 {"1 miscount x", "'miscount x': expected a number of answers"},
                 {"1 fault", "'fault' is not a command"}};
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", FF_SOURCE_DIR, anton);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        layered l = defaults(wrong[i].schedule);
        must_load_file(path, NULL, 0);
        CHECK(!begin_layered(&l));
        const char *got = l.err.text[0] ? l.err.text : message(report.count - 1);
        if (!strstr(got, wrong[i].says)) CHECK_FAIL("%s: got %s, wanted %s", wrong[i].schedule, got, wrong[i].says);
        end_layered(&l);
        free_layered(&l);
    }
}

TEST(commands_by_time_can_follow_once_it_is_bound)
{
    const ff_relay nobody = {0};
    layered l = defaults("0.03 fault FL_coxa");
    ff_hardware *unbound = ff_hardware_create(&nobody, NULL, &l.err);
    CHECK(ff_hardware_schedule(unbound, "1 fault FL_coxa", &l.err) == FF_BAD_ARGUMENT);
    CHECK_SAYS(l.err.text, "'fault FL_coxa' is not a command for a real bus");
    CHECK(ff_hardware_schedule(unbound, "1 home", &l.err) == FF_OK);
    ff_hardware_destroy(unbound);
    ff_sim *sim = start_anton(&l);
    CHECK(ff_hardware_schedule(l.layer, "1 fault FL_knee", &l.err) == FF_NOT_FOUND);
    CHECK_SAYS(l.err.text, "'fault FL_knee': there is no drive 'FL_knee'");
    CHECK(ff_hardware_schedule(l.layer, "0.06 fault FR_coxa", &l.err) == FF_OK); // in place of the option
    CHECK(ff_sim_run(sim, 0.1, &l.err) == FF_OK);
    CHECK(strstr(l.log, "Fault drive 'FR_coxa'") && !strstr(l.log, "FL_coxa"));
    end_layered(&l);
    free_layered(&l);
}

TEST(robots_it_cannot_lead_are_refused)
{
    static const struct {
        const char *file, *says;
    } wrong[] = {{"experiments/servo-hexapod-walk.yaml", "has neither an absolute encoder nor a potentiometer"},
                 {"experiments/silva-walk.yaml", "drive '"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        layered l = defaults(NULL);
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", FF_SOURCE_DIR, wrong[i].file);
        must_load_file(path, NULL, 0);
        if (begin_layered(&l)) CHECK_FAIL("%s is led", wrong[i].file);
        if (!strstr(message(report.count - 1), wrong[i].says)) CHECK_FAIL("got %s", message(report.count - 1));
        end_layered(&l);
        free_layered(&l);
    }
}

// ------------------------------------------------------------------------------------------ other buses

/// What is wrong with a bus.
typedef enum bus_trouble {
    FINE,
    OTHER_TYPE,
    OTHER_PERIOD,
    NO_SLAVE,
    NO_DRIVE,
    CANNOT_SEND,
    LEAVES_OP,
    DRIVE_LEAVES
} bus_trouble;

/// A bus of one's own: the simulated one with something changed.
typedef struct own_bus {
    layered *l;
    ff_wiring wiring;
    ff_arena arena;
    ff_virtual_bus *below;
    ff_bus_object objects[2000];
    ff_field_bus bus;
    bus_trouble wrong;
    double at; // when it goes wrong  [s]
    ff_status (*read)(void *, const char *, uint16_t, uint8_t, int64_t *, ff_error *);
    ff_status (*send)(void *, double, ff_error *);
    ff_bus_state (*request)(void *, ff_bus_state);
} own_bus;

static bool rx(void *context, unsigned char *inputs)
{
    own_bus *b = context;
    const ff_field_bus below = ff_virtual_bus_functions(b->below);
    const bool sound = below.copy_rx(below.context, inputs);
    for (int i = 0; i < b->bus.nobject && b->wrong == DRIVE_LEAVES && b->l->layer->t > b->at; i++) {
        const ff_bus_object *o = &b->objects[i];
        if (strcmp(o->slave, "FR_coxa") != 0 || strcmp(o->name, "status") != 0) continue;
        inputs[o->offset] = 0x50; // switch on disabled
        inputs[o->offset + 1] = 0x02;
    }
    return sound;
}

static void tx(void *context, const unsigned char *outputs)
{
    own_bus *b = context;
    const ff_field_bus below = ff_virtual_bus_functions(b->below);
    below.copy_tx(below.context, outputs);
}

static ff_status send_own(void *context, double t, ff_error *err)
{
    own_bus *b = context;
    if (b->wrong == CANNOT_SEND && t > b->at) return ff_error_set(err, FF_STOPPED, "the cable is unplugged");
    return b->send(b->below, t, err);
}

static ff_bus_state request_own(void *context, ff_bus_state wanted)
{
    own_bus *b = context;
    return b->request(b->below, b->wrong == LEAVES_OP && b->l->layer->t > b->at ? FF_BUS_SAFE_OP : wanted);
}

static ff_status read_own(void *context, const char *slave, uint16_t index, uint8_t sub, int64_t *value, ff_error *err)
{
    own_bus *b = context;
    const ff_status status = b->read(b->below, slave, index, sub, value, err);
    if (b->wrong == NO_DRIVE && index == 0x1000) *value = 0x1389;
    return status;
}

static ff_status write_own(void *context, const char *slave, uint16_t index, uint8_t sub, int64_t value, ff_error *err)
{
    (void)context, (void)slave, (void)err;
    CHECK(index == 0x60C2 && sub == 1 && value == 100); // 1 ms in units of 10 us
    return FF_OK;
}

static ff_status bind_own(void *context, const ff_relay_site *site, ff_error *err)
{
    own_bus *b = context;
    CHECK(ff_wiring_make(&b->wiring, site, &b->arena, err) == FF_OK);
    b->below = ff_virtual_bus_create(&b->wiring, site, err);
    CHECK(b->below);
    b->bus = ff_virtual_bus_functions(b->below);
    CHECK(b->bus.nobject <= 2000);
    memcpy(b->objects, b->bus.objects, (size_t)b->bus.nobject * sizeof *b->objects);
    b->read = b->bus.sdo_read;
    b->send = b->bus.send;
    b->request = b->bus.request_state;
    b->bus.context = b;
    b->bus.objects = b->objects;
    b->bus.copy_rx = rx;
    b->bus.copy_tx = tx;
    b->bus.send = send_own;
    b->bus.request_state = request_own;
    b->bus.sdo_read = read_own;
    b->bus.sdo_write = write_own;
    if (b->wrong == OTHER_PERIOD) b->bus.period = 0.7e-3;
    for (int i = 0; i < b->bus.nobject; i++) {
        if (strcmp(b->objects[i].slave, "FR_coxa") != 0) continue;
        if (b->wrong == OTHER_TYPE && strcmp(b->objects[i].name, "position") == 0) b->objects[i].type = FF_BUS_U32;
        if (b->wrong == NO_SLAVE) b->objects[i].slave = "coxa_FR";
    }
    return ff_hardware_bind(b->l->layer, site, &b->bus, err);
}

static void cycle_own(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    own_bus *b = context;
    ff_virtual_bus_set_sensors(b->below, sensors);
    ff_hardware_cycle(b->l->layer, t);
    ff_virtual_bus_get_references(b->below, references);
}

static char last_log[4000]; // of try_bus

/// @return what is wrong when it is bound, or how it stands soon after it goes wrong
static const char *try_bus(bus_trouble wrong, double at)
{
    static char text[1000];
    static own_bus b;
    layered l = defaults(NULL);
    ff_error err = {0};
    char path[1024];
    memset(&b, 0, sizeof b);
    b.l = &l;
    b.wrong = wrong;
    b.at = at;
    snprintf(path, sizeof path, "%s/%s", FF_SOURCE_DIR, anton);
    must_load_file(path, NULL, 0);
    const ff_relay quiet = {.cycle = answer_far, .bind = bind_far, .context = &l};
    ff_run_options how = ff_run_options_default(scene), alone = how;
    const ff_run_relay relay = {0, {.context = &b, .bind = bind_own, .cycle = cycle_own, .every_bus_cycle = true}};
    l.far = ff_run_create(scene, &alone, &report);
    l.options.log = note_state;
    l.options.context = &l;
    l.layer = ff_hardware_create(&quiet, &l.options, &err);
    how.relays = &relay;
    how.nrelay = 1;
    if (!begin_with(&how))
        snprintf(text, sizeof text, "%s", message(report.count - 1));
    else {
        CHECK(ff_sim_run(ff_run_sim(run), at + CHECK_LASTS(0.04, 0.01), &err) == FF_OK);
        snprintf(text, sizeof text, "%s %s", ff_hardware_state_name(ff_hardware_get_state(l.layer)),
                 ff_hardware_fault_reason(l.layer));
    }
    end_layered(&l);
    memcpy(last_log, l.log, sizeof last_log);
    free_layered(&l);
    ff_virtual_bus_destroy(b.below);
    ff_wiring_clear(&b.wiring);
    ff_arena_clear(&b.arena);
    return text;
}

TEST(a_driver_takes_the_place_of_the_simulated_bus)
{
    static const struct {
        bus_trouble wrong;
        const char *says;
    } cases[] = {{FINE, "Active "},
                 {OTHER_TYPE, "'position' of slave 'FR_coxa' is uint32 on the bus, the variable is int32"},
                 {OTHER_PERIOD, "a controller of 0.001 s on a bus of 0.0007 s"},
                 {NO_SLAVE, "the bus has no slave 'FR_coxa'"},
                 {NO_DRIVE, "is not a drive of profile 402: its device type is 00001389"},
                 {CANNOT_SEND, "Fault bus: the cable is unplugged"},
                 {LEAVES_OP, "Fault bus: left OP for SAFE-OP"},
                 {DRIVE_LEAVES, "Fault drive 'FR_coxa' has left operation: switch on disabled"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *got = try_bus(cases[i].wrong, 0.06);
        if (!strstr(got, cases[i].says)) CHECK_FAIL("case %zu: got %s, wanted %s", i, got, cases[i].says);
    }
}

/// Times from the log of a start by itself. What fails to be sent is known in the next cycle.
TEST(a_fault_comes_from_every_state)
{
    static const double times[] = {0.0005, 0.0025, 0.0065, 0.0075, 0.02, 0.0445, 0.06};
    static const char *const states[] = {"BusInit", "PreOp", "SafeOp", "Idle", "Homing", "Ready", "Active"};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        const char *got = try_bus(CANNOT_SEND, times[i]);
        if (!strstr(got, "Fault bus: the cable is unplugged")) CHECK_FAIL("in %s: %s", states[i], got);
        const char *fault = strstr(last_log, "Fault"), *before = strstr(last_log, states[i]);
        if (!before || !fault || strchr(before, '\n') + 8 != fault) CHECK_FAIL("not from %s:\n%s", states[i], last_log);
    }
}
