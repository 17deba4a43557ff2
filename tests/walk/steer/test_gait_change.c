// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// ANTON changes from each gait to each other, at twelve instants of a period (thesis, Fig. 3.15 to 3.18). One
// simulation with ideal drives walks in a gait, is saved twelve times within a period, and goes on from each of these
// states in one of the other gaits by turns, so that each of the six changes begins at six instants. What must hold is
// taken from contacts, not from the controller: no two neighbours of one side in the air, never fewer feet down than
// both gaits ask for, no foot farther from its centre than the reference run allows, no fall; and each leg has stepped.
// The controller's own plan is held to the same number of feet.
#include "scene/scene_helpers.h"

#include <footfall/hexapod.h>

#include <math.h>

enum { INSTANTS = 12, LEGS = 6 };

#define TRANSFER 0.3   // V_tr of the reference run  [m/s]
#define LENGTH   0.07  // L_sum, Fig. 3.18  [m]
#define ZONE     0.01  // H_ad: feet meet the ground at V_down = 2 H_ad V_tr / L_sum = 8.6 cm/s  [m]
#define DEBOUNCE 0.02  // shorter touches and gaps do not count: feet of stiff legs bounce [s]
#define FAR_OFF  0.082 // a waiting foot of the reference run came that far behind its centre  [m]

static const int NEIGHBOURS[4][2] = {{0, 2}, {2, 4}, {1, 3}, {3, 5}}; // FL ML RL, FR MR RR
static const int LEAST[FF_GAIT_COUNT] = {[FF_GAIT_WAVE] = 4, [FF_GAIT_GALLOP] = 4, [FF_GAIT_TRIPOD] = 3};
static const double TAU[FF_GAIT_COUNT] = {
    [FF_GAIT_WAVE] = 1.0 / 6.0, [FF_GAIT_GALLOP] = 2.0 / 6.0, [FF_GAIT_TRIPOD] = 3.0 / 6.0};

static ff_hexapod *walker;

/// What is seen of the feet after each step.
typedef struct watch {
    int least;              // feet that must be down
    bool down[LEGS];        // debounced
    double pending[LEGS];   // since when it may be otherwise, NaN: it is not  [s]
    double since[3];        // begin of too little support, of neighbours in the air; NaN
    double few, neighbours; // longest time of each  [s]
    int planned;            // fewest legs in support in the controller's plan
    double far[2];          // least and greatest place of a foot along the body, from its centre  [m]
    double low, tilt;       // of the body  [m, rad]
    int lifts[LEGS];
    double centre[LEGS]; // [m]
} watch;
static watch eye;

static double period_of(ff_gait gait)
{
    return 2.0 * LENGTH / (TAU[gait] * TRANSFER);
}

static void last(double *since, bool bad, double t, double *longest)
{
    if (!bad)
        *since = NAN;
    else if (isnan(*since))
        *since = t;
    else
        *longest = fmax(*longest, t - *since);
}

static void watch_legs(ff_sim *sim, double t)
{
    bool touching[LEGS], apart = false;
    int down = 0, count;
    const ff_foot *feet = ff_world_feet(ff_run_world(run), sim, &count);
    for (int i = 0; i < LEGS; i++) touching[i] = feet[i].touching;
    for (int i = 0; i < LEGS; i++) {
        if (touching[i] == eye.down[i])
            eye.pending[i] = NAN;
        else if (isnan(eye.pending[i]))
            eye.pending[i] = t;
        if (t - eye.pending[i] >= DEBOUNCE) { // all feet are known that much later, so they can be compared
            eye.down[i] = touching[i];
            eye.lifts[i] += !touching[i];
        }
        down += eye.down[i];
    }
    int planned = 0;
    for (int i = 0; i < LEGS; i++) planned += ff_hexapod_plan(walker)->phase[i] == FF_FOOTSTEP_SUPPORT;
    if (planned < eye.planned) eye.planned = planned;
    for (int k = 0; k < 4; k++) apart = apart || (!eye.down[NEIGHBOURS[k][0]] && !eye.down[NEIGHBOURS[k][1]]);
    last(&eye.since[0], down < eye.least, t, &eye.few);
    last(&eye.since[1], apart, t, &eye.neighbours);
}

static double foot_along_body(ff_sim *sim, int leg)
{
    const ff_model *m = scene->model;
    const ff_frame *foot = &m->frames[m->legs[leg].frame];
    double origin[3], quat[4], world[3], arm[3], back[4], own[3];
    ff_dyn_body_pose(m, ff_sim_data(sim), 0, origin, quat);
    ff_dyn_point(m, ff_sim_data(sim), foot->body, foot->pos, world);
    ff_vec3_sub(arm, world, origin);
    ff_quat_conjugate(back, quat);
    ff_quat_rotate(own, back, arm);
    return own[0];
}

static ff_sim_action look(void *context, ff_sim *sim, double t)
{
    double origin[3], quat[4], up[3];
    const double z[3] = {0.0, 0.0, 1.0};
    (void)context;
    ff_sim_evaluate(sim, FF_SIM_VELOCITY, NULL);
    watch_legs(sim, t);
    for (int i = 0; i < LEGS; i++) {
        // GaitCS: against the body without its shift for the centre of mass
        const double x = foot_along_body(sim, i) + ff_hexapod_plan(walker)->shift[0] - eye.centre[i];
        eye.far[0] = fmin(eye.far[0], x);
        eye.far[1] = fmax(eye.far[1], x);
    }
    ff_dyn_body_pose(scene->model, ff_sim_data(sim), 0, origin, quat);
    ff_quat_rotate(up, quat, z);
    eye.low = fmin(eye.low, origin[2]);
    eye.tilt = fmax(eye.tilt, acos(fmin(1.0, up[2])));
    return FF_SIM_GO;
}

static void forget(int least)
{
    eye.least = least;
    eye.few = eye.neighbours = eye.tilt = 0.0;
    eye.planned = LEGS;
    eye.since[0] = eye.since[1] = NAN;
    eye.far[0] = INFINITY, eye.far[1] = -INFINITY, eye.low = INFINITY;
    memset(eye.lifts, 0, sizeof eye.lifts);
}

static ff_status bind(void *context, const ff_model *robot, const ff_io_layout *sensors, const ff_io_layout *references,
                      ff_error *err)
{
    (void)context, (void)robot;
    return ff_hexapod_bind(walker, sensors, references, err);
}

static void must(ff_status status, const ff_error *err)
{
    if (status != FF_OK) CHECK_FAIL("%s", err->text);
}

static void begin(void)
{
    must_load("robot: " FF_SOURCE_DIR "/robots/anton/anton.yaml\nstart: {pose: stand}\nplace: {settle: true}\n"
              "terrain: [{plane: {material: lab-floor}}]\nsolver: {method: implicit, step: 1e-3}\n"
              "control: {callback: walk}\n");
    ff_error err = {0};
    walker = ff_hexapod_create(scene->robots[0].model, NULL, &err);
    if (!walker) CHECK_FAIL("%s", err.text);
    const ff_controller c = ff_hexapod_controller(walker);
    const ff_robot_controller mine = {
        .context = c.context, .bind = bind, .cycle = c.cycle, .memory = c.memory, .memory_size = c.memory_size};
    const ff_run_controller controller = {.controller = mine};
    ff_run_options how = ff_run_options_default(scene);
    how.controllers = &controller;
    how.ncontroller = 1;
    if (!begin_with(&how)) CHECK_FAIL("%s", message(0));
    const ff_listener listener = {.step = look};
    must(ff_sim_add_listener(ff_run_sim(run), &listener, &err), &err);
    ff_sim_evaluate(ff_run_sim(run), FF_SIM_VELOCITY, NULL);
    for (int i = 0; i < LEGS; i++) {
        eye.down[i] = true;
        eye.pending[i] = NAN;
        eye.centre[i] = foot_along_body(ff_run_sim(run), i);
    }
    forget(3);
}

static void run_for(double time)
{
    ff_error err = {0};
    must(ff_sim_run(ff_run_sim(run), ff_sim_time(ff_run_sim(run)) + time, &err), &err);
}

static void order(ff_gait gait)
{
    ff_error err = {0};
    ff_walk_command command = ff_hexapod_command_get(walker);
    command.walk = true;
    command.gait = gait;
    command.transfer = TRANSFER;
    command.length = LENGTH;
    command.zone = ZONE;
    must(ff_hexapod_command_set(walker, &command, &err), &err);
}

static void judge(ff_gait from, ff_gait to, int instant)
{
    char words[80];
    snprintf(words, sizeof words, "%s to %s, instant %d of %d", ff_gait_name(from), ff_gait_name(to), instant,
             INSTANTS);
    if (eye.planned < eye.least) CHECK_FAIL("%s: %d feet down where %d must be", words, eye.planned, eye.least);
    // several feet that change within the debounce are one change: less support for less than that is none
    if (eye.few > DEBOUNCE) CHECK_FAIL("%s: fewer than %d feet down for %.0f ms", words, eye.least, 1e3 * eye.few);
    if (eye.neighbours > DEBOUNCE) CHECK_FAIL("%s: neighbours in the air for %.0f ms", words, 1e3 * eye.neighbours);
    if (!(eye.far[0] >= -FAR_OFF && eye.far[1] <= FAR_OFF))
        CHECK_FAIL("%s: feet from %.3f to %.3f m about their centres", words, eye.far[0], eye.far[1]);
    if (!(eye.low > 0.09 && eye.tilt < 0.1))
        CHECK_FAIL("%s: body down to %.3f m, tilt up to %.3f rad", words, eye.low, eye.tilt);
    for (int i = 0; i < LEGS; i++)
        if (eye.lifts[i] == 0) CHECK_FAIL("%s: leg %d did not step in a period and a half", words, i + 1);
}

/// All changes from one gait: walks on in it to each instant, and from there in one of the others by turns.
static void change_from(ff_gait from)
{
    ff_error err = {0};
    begin();
    order(from);
    run_for(1.0 + 1.5 * period_of(from));
    const size_t size = ff_sim_save_size(ff_run_sim(run));
    void *state = malloc(size);
    if (!state) CHECK_FAIL("no memory");
    double far[2] = {0.0, 0.0}, few = 0.0, neighbours = 0.0, tilt = 0.0;
    for (int k = 0; k < INSTANTS; k++) {
        const watch seen = eye;
        must(ff_sim_save(ff_run_sim(run), state, size, &err), &err);
        const ff_gait to = (ff_gait)(((int)from + 1 + k % 2) % FF_GAIT_COUNT);
        order(to);
        forget(LEAST[from] < LEAST[to] ? LEAST[from] : LEAST[to]);
        run_for(1.5 * period_of(to) + 0.5);
        judge(from, to, k);
        far[0] = fmin(far[0], eye.far[0]), far[1] = fmax(far[1], eye.far[1]);
        few = fmax(few, eye.few), neighbours = fmax(neighbours, eye.neighbours), tilt = fmax(tilt, eye.tilt);
        must(ff_sim_restore(ff_run_sim(run), state, size, &err), &err);
        eye = seen;
        run_for(period_of(from) / INSTANTS);
    }
    printf("  from %s: feet %.1f to %.1f mm about their centres, tilt %.1f mrad, short of support %.0f ms, neighbours "
           "%.0f ms\n",
           ff_gait_name(from), 1e3 * far[0], 1e3 * far[1], 1e3 * tilt, 1e3 * few, 1e3 * neighbours);
    free(state);
    finish();
    ff_hexapod_destroy(walker);
    walker = NULL;
}

TEST(wave_changes_to_gallop_and_tripod_at_any_instant)
{
    change_from(FF_GAIT_WAVE);
}

TEST(gallop_changes_to_wave_and_tripod_at_any_instant)
{
    change_from(FF_GAIT_GALLOP);
}

TEST(tripod_changes_to_wave_and_gallop_at_any_instant)
{
    change_from(FF_GAIT_TRIPOD);
}
