// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// ANTON on its feet beside MuJoCo: standing, then marching in place. The same robot, floor, joint law and lengths of
// step in both, one thread; then what the time buys (creep on a slope, force peaks), and many simulations on
// all processors. MuJoCo is taken as it comes: solver Newton, pyramidal cones, warm start. Before anything is timed
// both robots have to stand equally high: a fast fall is not measured.
#include "clock.h"
#include "march.h"
#include "mujoco_march.h"

#include <sys/wait.h>
#include <unistd.h>

static const double STEP = 1e-3;  // of both, and period of the sampled joint law  [s]
static const double LIFT = 0.025; // of the feet in a march  [m]
static const double BLOCK = 0.5;  // one period of the march: every block does the same work  [s]
enum { BLOCKS = 60, SAMPLES = 50 };

/// One line: what, its value, what is wanted of it.
static void print_row(const char *what, const char *value, bool at_least, double number, double wanted)
{
    bool met = at_least ? number >= wanted : number <= wanted;
    const char *verdict = isnan(number) ? "not measured" : met ? "met" : "MISSED";
    printf("  %-72s %-34s %s %-7g %s\n", what, value, at_least ? ">=" : "<=", wanted, verdict);
}

// ------------------------------------------------------------------------------------------ MuJoCo's side

typedef struct mujoco_robot {
    const march *how;
    mjModel *m;
    mjData *d;
} mujoco_robot;

static bool mujoco_open(mujoco_robot *r, const march *how, double step)
{
    *r = (mujoco_robot){.how = how, .m = mujoco_read_march(how->model, step)};
    if (!r->m) return false;
    r->d = mj_makeData(r->m);
    memcpy(r->d->qpos, how->stand, (size_t)how->model->nq * sizeof(double));
    return true;
}

static void mujoco_close(mujoco_robot *r)
{
    if (r->d) mj_deleteData(r->d);
    if (r->m) mj_deleteModel(r->m);
}

// The joint law by the cheapest way MuJoCo has: no actuators, no damping of joints (which would cost it a
// factorisation).
static void mujoco_step(mujoco_robot *r)
{
    mju_zero(r->d->qfrc_applied, r->m->nv);
    march_add_torque(r->how, r->d->time, r->d->qpos, r->d->qvel, r->d->qfrc_applied);
    mj_step(r->m, r->d);
}

static void mujoco_run(mujoco_robot *r, double duration)
{
    for (long long k = llround(duration / r->m->opt.timestep); k > 0; k--) mujoco_step(r);
}

static double mujoco_block(void *context)
{
    double start = now();
    mujoco_run(context, BLOCK);
    return now() - start;
}

/// Sum of the normal forces at the feet.  [N]
static double mujoco_load(const mujoco_robot *r)
{
    double sum = 0, force[6];
    for (int i = 0; i < r->d->ncon; i++) {
        mj_contactForce(r->m, r->d, i, force);
        sum += force[0];
    }
    return sum;
}

// ------------------------------------------------------------------------------------------ our side

static bool run_on(ff_sim *sim, double duration)
{
    ff_error err = {0};
    ff_status status = ff_sim_run(sim, ff_sim_time(sim) + duration, &err);
    if (status != FF_OK) fprintf(stderr, "bench: %s\n", err.text);
    return status == FF_OK;
}

static double our_block(void *context)
{
    double start = now();
    return run_on(((marcher *)context)->sim, BLOCK) ? now() - start : INFINITY;
}

static double our_load(marcher *r)
{
    int count;
    double sum = 0;
    const ff_world_contact *c = ff_world_contacts(r->world, r->sim, &count);
    for (int i = 0; i < count; i++) sum += c[i].force.normal;
    return sum;
}

static ff_sim_options options_of(ff_method method, double step)
{
    ff_sim_options o = ff_sim_options_default();
    o.method = method;
    o.accuracy = 0.0;
    o.step = step;
    return o;
}

// ------------------------------------------------------------------------------------------ step against step

typedef struct contest {
    const char *what;
    ff_method method;
    double wanted;
} contest;

static void show_material(marcher *r)
{
    ff_world_advice hard;
    if (!ff_world_hardest(r->world, r->sim, &hard, NULL)) return;
    printf("  foot on floor: soft rubber on lab-floor, %.3g N/m; %.2g kg at the foot, half period %.1f ms = %.0f steps "
           "of 1 ms;\n"
           "  explicit steps are stable up to %.1f ms\n",
           hard.step.stiffness, hard.mass, 1e3 * hard.step.half_period, hard.step.half_period / STEP,
           1e3 * hard.step.explicit_limit);
}

/// Mean height of the middle segment over one period.  [m]
static double mujoco_height(mujoco_robot *r)
{
    double sum = 0;
    for (int i = 0; i < SAMPLES; i++, mujoco_run(r, BLOCK / SAMPLES)) sum += r->d->qpos[2];
    return sum / SAMPLES;
}

static double our_height(marcher *r)
{
    double sum = 0;
    for (int i = 0; i < SAMPLES && run_on(r->sim, BLOCK / SAMPLES); i++) sum += ff_sim_q(r->sim)[2];
    return sum / SAMPLES;
}

static bool stands_alike(const char *name, const march *how, mujoco_robot *theirs, marcher *ours)
{
    double a = mujoco_height(theirs), b = our_height(ours), rigid = march_height(how);
    bool good = fabs(a - b) < 1e-3 && fabs(a - rigid) < 5e-3; // [m] softness of feet, and of feet and joints
    printf("  %s: mean height of the middle segment %.1f mm in MuJoCo, %.1f mm in Footfall (rigid: %.1f)%s\n", name,
           1e3 * a, 1e3 * b, 1e3 * rigid, good ? "" : ": NOT THE SAME MOTION");
    return good;
}

/// One step of a method beside one mj_step, in one gait. @return our time a step, NAN when it failed
static double compare_steps(const contest *c, const char *gait, const march *how)
{
    mujoco_robot theirs;
    marcher ours;
    ff_sim_options options = options_of(c->method, STEP);
    double out = NAN;
    if (mujoco_open(&theirs, how, STEP) && marcher_create(&ours, how, &options, MARCH_SAMPLED)) {
        mujoco_run(&theirs, 2 * BLOCK);
        if (run_on(ours.sim, 2 * BLOCK) && stands_alike(gait, how, &theirs, &ours)) {
            duel d = duel_run(mujoco_block, &theirs, our_block, &ours, BLOCKS);
            double steps = BLOCK / STEP, ratio = d.theirs / d.ours;
            char what[80], value[80];
            snprintf(what, sizeof what, "%s, %s: times as fast as mj_step", c->what, gait);
            snprintf(value, sizeof value, "%.2f (median %.2f; %.1f, %.1f us)", ratio, d.median_ratio,
                     1e6 * d.theirs / steps, 1e6 * d.ours / steps);
            print_row(what, value, true, ratio, c->wanted);
            out = d.ours / steps;
        }
        marcher_destroy(&ours);
    }
    mujoco_close(&theirs);
    return out;
}

// ------------------------------------------------------------------------------------------ error control

static const double ACCURACY = 1e-3;

/// Simulated over real time of implicit with error control, best of some periods; NAN when it failed.
static double times_real_time(const march *how, march_law law)
{
    marcher r;
    ff_sim_options options = options_of(FF_METHOD_IMPLICIT, STEP);
    options.accuracy = ACCURACY;
    double best = INFINITY;
    if (!marcher_create(&r, how, &options, law)) return NAN;
    bool good = run_on(r.sim, 2 * BLOCK);
    for (int i = 0; good && i < BLOCKS; i++) best = fmin(best, our_block(&r));
    // after half a minute it must still stand: an error-controlled run that fell would be fast, too
    good = good && fabs(our_height(&r) - march_height(how)) < 5e-3;
    marcher_destroy(&r);
    return good && isfinite(best) ? BLOCK / best : NAN;
}

static void show_real_time(const march *stand, const march *marching)
{
    static const struct {
        const char *what;
        march_law law;
        double wanted;
    } rows[] = {{"continuous", MARCH_CONTINUOUS, 40}, {"sampled at 1 kHz", MARCH_SAMPLED, 20}};
    for (int i = 0; i < 2; i++) {
        double standing = times_real_time(stand, rows[i].law), going = times_real_time(marching, rows[i].law);
        char what[80], value[80];
        for (int k = 0; k < 2; k++) {
            snprintf(what, sizeof what, "implicit, accuracy 1e-3, law %s, %s: times real time", rows[i].what,
                     k ? "marching" : "standing");
            snprintf(value, sizeof value, "%.0f", k ? going : standing);
            print_row(what, value, true, k ? going : standing, rows[i].wanted);
        }
        snprintf(what, sizeof what, "implicit, accuracy 1e-3, law %s: standing over marching", rows[i].what);
        snprintf(value, sizeof value, "%.4f of the cost", going / standing);
        print_row(what, value, false, going / standing, 1.0);
    }
}

// ------------------------------------------------------------------------------------------ what the time buys

/// The robot on a slope: gravity leans instead of the floor.
static ff_model *load_leaning(const char *path, double angle)
{
    ff_model *m = march_load(path);
    if (m) ff_vec3_set(m->gravity, -9.81 * sin(angle), 0, -9.81 * cos(angle));
    return m;
}

static void show_creep(const char *path)
{
    const double settle = 2.0, watch = 8.0; // [s]
    ff_model *m = load_leaning(path, 10.0 * FF_PI / 180.0);
    march how;
    mujoco_robot theirs;
    marcher ours;
    ff_sim_options options = options_of(FF_METHOD_EULER, STEP);
    if (!m || !march_create(&how, m, 0.0)) return;
    if (mujoco_open(&theirs, &how, STEP) && marcher_create(&ours, &how, &options, MARCH_SAMPLED)) {
        mujoco_run(&theirs, settle);
        run_on(ours.sim, settle);
        double a = theirs.d->qpos[0], b = ff_sim_q(ours.sim)[0];
        mujoco_run(&theirs, watch);
        run_on(ours.sim, watch);
        double creep = fabs(ff_sim_q(ours.sim)[0] - b) / watch;
        char value[80];
        snprintf(value, sizeof value, "%.1e (MuJoCo %.1e)", creep, fabs(theirs.d->qpos[0] - a) / watch);
        print_row("creep on a slope of 10 degrees [m/s]", value, false, creep, 1e-12);
        marcher_destroy(&ours);
    }
    mujoco_close(&theirs);
    march_destroy(&how);
    ff_model_destroy(m);
}

static double our_peak(const march *how, ff_method method, double step)
{
    marcher r;
    ff_sim_options options = options_of(method, step);
    double peak = 0;
    if (!marcher_create(&r, how, &options, MARCH_SAMPLED)) return NAN;
    ff_sim_set_q(r.sim, 2, ff_sim_q(r.sim)[2] + 0.02);
    while (ff_sim_time(r.sim) < 0.2 && run_on(r.sim, step)) peak = fmax(peak, our_load(&r));
    marcher_destroy(&r);
    return peak;
}

static double mujoco_peak(const march *how, double step)
{
    mujoco_robot r;
    double peak = 0;
    if (!mujoco_open(&r, how, step)) return NAN;
    r.d->qpos[2] += 0.02;
    while (r.d->time < 0.2) {
        mujoco_step(&r);
        peak = fmax(peak, mujoco_load(&r));
    }
    mujoco_close(&r);
    return peak;
}

static const double peak_steps[] = {1e-3, 5e-4, 2.5e-4, 1.25e-4};
enum { PEAKS = sizeof peak_steps / sizeof peak_steps[0] };

/// A line of peaks; returns by how much halving the step changes one at most, in parts of it.
static double show_peaks_of(const char *name, const march *how, const ff_method *method)
{
    const double weight = how->model->mass * 9.81;
    double last = NAN, change = 0;
    printf("    %-12s", name);
    for (int i = 0; i < PEAKS; i++) {
        double peak = method ? our_peak(how, *method, peak_steps[i]) : mujoco_peak(how, peak_steps[i]);
        if (i > 0) change = fmax(change, fabs(peak / last - 1.0));
        last = peak;
        printf("%10.3f", peak / weight);
    }
    printf("\n");
    return change;
}

static void show_peaks(const march *how)
{
    const ff_method euler = FF_METHOD_EULER, rk4 = FF_METHOD_RK4;
    printf("  ANTON dropped 2 cm onto its feet: peak of the force on all feet, in body weights\n    %-12s",
           "step [ms]");
    for (int i = 0; i < PEAKS; i++) printf("%10.3f", 1e3 * peak_steps[i]);
    printf("\n");
    show_peaks_of("MuJoCo", how, NULL);
    show_peaks_of("euler", how, &euler);
    double change = 100 * show_peaks_of("rk4", how, &rk4);
    char value[80];
    snprintf(value, sizeof value, "%.3f", change);
    print_row("change of the peak when the step is halved, rk4 [%]", value, false, change, 1.0);
}

// ------------------------------------------------------------------------------------------ batches

enum { BATCH = 128, BATCH_BLOCKS = 150, PEERS = 2 };
static const double BATCH_PIECE = 0.05; // [s]
static const double QUIET = 0.96;       // two threads that end one robot apart leave 2 % unused

/// Some of the robots, and how many threads share them.
typedef struct batch {
    marcher *robots;
    int count, threads;
} batch;

typedef struct batch_time {
    double wall; // [s]
    double work; // processor time of all threads  [s]
    double busy; // part of the time that the processors worked for us: below QUIET somebody else had them
} batch_time;

static batch_time batch_piece(const batch *b)
{
    ff_sim *sims[BATCH];
    ff_error err = {0};
    for (int i = 0; i < b->count; i++) sims[i] = b->robots[i].sim;
    double until = ff_sim_time(sims[0]) + BATCH_PIECE, start = clock_read(CLOCK_MONOTONIC);
    double spent = clock_read(CLOCK_PROCESS_CPUTIME_ID);
    if (ff_team_run(sims, b->count, until, b->threads, NULL, &err) != FF_OK) {
        fprintf(stderr, "bench: %s\n", err.text);
        return (batch_time){NAN, NAN, 0};
    }
    double wall = clock_read(CLOCK_MONOTONIC) - start, work = clock_read(CLOCK_PROCESS_CPUTIME_ID) - spent;
    return (batch_time){wall, work, work / (wall * b->threads)};
}

static bool batch_create(marcher robots[BATCH], const march *how)
{
    ff_sim_options options = options_of(FF_METHOD_EULER, STEP);
    for (int i = 0; i < BATCH; i++)
        if (!marcher_create(&robots[i], how, &options, MARCH_SAMPLED)) return false;
    return true;
}

/// A process that runs its share of the robots, a piece for each order. Processes share nothing, so that several at
/// once are all that the machine has to give.
typedef struct peer {
    pid_t pid;
    int order, answer; // where the one is written and the other read
} peer;

static bool peer_start(peer *p, const batch *share)
{
    int order[2], answer[2];
    char next;
    if (pipe(order) != 0 || pipe(answer) != 0 || (p->pid = fork()) < 0) return false;
    if (p->pid == 0) {
        close(order[1]); // without an order there is an end
        while (read(order[0], &next, 1) == 1) {
            const batch_time t = batch_piece(share);
            if (write(answer[1], &t, sizeof t) != (ssize_t)sizeof t) break;
        }
        _exit(0);
    }
    close(order[0]);
    close(answer[1]);
    p->order = order[1];
    p->answer = answer[0];
    return true;
}

static batch_time peers_piece(const peer peers[PEERS])
{
    batch_time all = {.wall = clock_read(CLOCK_MONOTONIC)}, one;
    for (int i = 0; i < PEERS; i++)
        if (write(peers[i].order, "", 1) != 1) return (batch_time){NAN, NAN, 0};
    for (int i = 0; i < PEERS; i++) {
        if (read(peers[i].answer, &one, sizeof one) != (ssize_t)sizeof one) return (batch_time){NAN, NAN, 0};
        all.work += one.work;
    }
    all.wall = clock_read(CLOCK_MONOTONIC) - all.wall;
    all.busy = all.work / (PEERS * all.wall);
    return all;
}

/// The last first: it holds the orders of those before it.
static void peers_end(const peer *peers, int count)
{
    for (int i = count - 1; i >= 0; i--) {
        close(peers[i].order);
        close(peers[i].answer);
        waitpid(peers[i].pid, NULL, 0);
    }
}

/// Results of the blocks, in their order.
typedef struct batch_ratios {
    double faster[BATCH_BLOCKS]; // two threads, times one
    double peers[BATCH_BLOCKS];  // two processes, times one thread
    double relative
        [BATCH_BLOCKS]; // two threads, times two processes: neither has the machine for itself where the other has not
    int quiet, count;
    double best; // block of two threads  [s]
    double work[2];
} batch_ratios;

static void run_batches(const batch *one, const batch *two, const peer peers[PEERS], batch_ratios *r)
{
    batch_piece(one), batch_piece(two), peers_piece(peers);
    for (; r->count < BATCH_BLOCKS; r->count++) {
        const batch_time a = batch_piece(one), b = batch_piece(two), c = peers_piece(peers);
        r->work[0] = fmin(r->work[0], a.work);
        r->work[1] = fmin(r->work[1], b.work);
        r->relative[r->count] = c.wall / b.wall;
        if (!(a.busy > QUIET && b.busy > QUIET && c.busy > QUIET)) continue;
        r->faster[r->quiet] = a.wall / b.wall;
        r->peers[r->quiet++] = a.wall / c.wall;
        r->best = fmin(r->best, b.wall);
    }
}

// Blocks in which somebody else took a processor away say nothing about how much faster two threads are than one, and
// are left out. Wanted are 1.9 where two processes are twice as fast as one thread; processors that slow each other
// down slow processes as well as threads.
static void show_batch(const march *how)
{
    static marcher robots[2][BATCH];
    static batch_ratios r = {.best = INFINITY, .work = {INFINITY, INFINITY}};
    const double steps = BATCH * BATCH_PIECE / STEP;
    const batch one = {robots[0], BATCH, 1}, two = {robots[1], BATCH, 2};
    peer peers[PEERS];
    int started = 0;
    char value[80];
    bool made = batch_create(robots[0], how) && batch_create(robots[1], how);
    for (; made && started < PEERS; started++) {
        const batch share = {robots[0] + started * (BATCH / PEERS), BATCH / PEERS, 1};
        if (!peer_start(&peers[started], &share)) break;
    }
    if (started == PEERS) run_batches(&one, &two, peers, &r);
    peers_end(peers, started);
    const bool quiet = r.quiet > 0;
    const double faster = quiet ? median(r.faster, r.quiet) : NAN, beside = quiet ? median(r.peers, r.quiet) : NAN;
    const double relative = r.count > 0 ? median(r.relative, r.count) : NAN, rate = quiet ? steps / r.best : NAN;
    snprintf(value, sizeof value, "%.2f (two processes: %.2f; %d quiet of %d)", faster, beside, r.quiet, r.count);
    print_row("2 threads, 128 marching robots: times one thread", value, true, faster, 0.95 * fmin(beside, 2.0));
    snprintf(value, sizeof value, "%.3f", relative);
    print_row("2 threads: times two processes that share nothing", value, true, relative, 0.95);
    snprintf(value, sizeof value, "%.0f", rate);
    print_row("2 threads: euler steps a second", value, true, rate, 300000);
    printf("  processor time of a step in the batch: %.2f us on one thread, %.2f us on two\n", 1e6 * r.work[0] / steps,
           1e6 * r.work[1] / steps);
    for (int i = 0; i < 2 * BATCH; i++) marcher_destroy(&robots[i / BATCH][i % BATCH]);
}

// ------------------------------------------------------------------------------------------ all of it

static void show_header(const march *how)
{
    marcher r;
    ff_sim_options options = options_of(FF_METHOD_EULER, 1e-3);
    printf("ANTON, %d degrees of freedom, six sphere feet on a plane, joints held by %g N m/rad and %g N m s/rad at 1 "
           "kHz, one thread\n",
           how->model->nv, how->kp, how->kd);
    printf("  beside MuJoCo %s: 1 ms, solver Newton, pyramidal cones\n", mj_versionString());
    if (!marcher_create(&r, how, &options, MARCH_SAMPLED)) return;
    ff_sim_evaluate(r.sim, FF_SIM_VELOCITY, NULL);
    show_material(&r);
    marcher_destroy(&r);
}

int main(void)
{
    const char *path = FF_SOURCE_DIR "/robots/anton/anton.yaml";
    static const contest steps[] = {{"euler step of 1 ms", FF_METHOD_EULER, 4.0},
                                    {"implicit step of 1 ms", FF_METHOD_IMPLICIT, 1.0}};
    ff_model *m = march_load(path);
    march stand, marching;
    if (!m || !march_create(&stand, m, 0.0) || !march_create(&marching, m, LIFT)) return 1;
    show_header(&stand);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        double standing = compare_steps(&steps[i], "standing", &stand);
        double going = compare_steps(&steps[i], "marching", &marching);
        printf("  %s: standing costs %.2f times what marching costs (six feet on the ground, then three)\n",
               steps[i].what, standing / going);
    }
    show_real_time(&stand, &marching);
    show_creep(path);
    show_peaks(&stand);
    show_batch(&marching);
    march_destroy(&stand);
    march_destroy(&marching);
    ff_model_destroy(m);
    return 0;
}
