// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Drives of a simulation. Their states are one part, so that a step makes one call for all of them. Their loops are
// tasks, one for each rate, slower ones first: at one instant outer loops sample before inner ones. The step integrates
// the energies of each drive as those of the ledger, so that their sum equals the work there with every method.
#include "plant/drives.h"
#include "drive/interface.h"
#include "dyn/packed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char KIND[] = "drives";

ff_drives_link *ff_drives_find(const ff_sim *sim)
{
    const ff_drives_part *first = ff_sim_find_inner(sim, KIND);
    return first ? first->link : NULL;
}

static void bind_rates(void *context, double *rates)
{
    const ff_drives_part *p = context;
    p->link->powers = rates;
}

// ------------------------------------------------------------------------------------------ the part

/// The position of a curved path, computed once for each state: rods and cranks cost a quarter of a step of ROTTO, and
/// dynamics, forces, recorders and sensors need them at the same state.
static const ff_drive_position *locate(const ff_drives_link *drives, int i, const ff_data *d)
{
    const ff_drive_path *path = &drives->set->drives[i].path;
    if (drives->located_at[i] != drives->sim->state_number) {
        drives->at[i] = ff_drive_path_locate(path, d->q, d->v);
        drives->drift[i] = ff_drive_couples(&drives->set->drives[i]) ? ff_drive_path_drift(path, d->q, d->v) : 0.0;
        drives->located_at[i] = drives->sim->state_number;
    }
    return &drives->at[i];
}

/// The flow of drive i at the state of the simulation. @param z  states of drive i
static const ff_drive_flow *flow_at(const ff_drives_link *drives, int i, const ff_data *d, const double *z)
{
    const ff_drive *drive = &drives->set->drives[i];
    ff_drive_flow *flow = &drives->now[i];
    if (drives->now_at[i] == drives->sim->forces_number) return flow;
    drives->now_at[i] = drives->sim->forces_number;
    if (ff_drive_has_curved_path(drive))
        ff_drive_evaluate_at(drive, &drives->memory[i], locate(drives, i, d), z, NULL, flow);
    else
        ff_drive_evaluate(drive, &drives->memory[i], d->q, d->v, z, NULL, flow);
    return flow;
}

/// tau += a force along the path of a drive, at its joints.
static inline void add_force(const ff_drive_path *path, const ff_drive_flow *flow, double force, double *tau)
{
    tau[path->vadr[0]] += flow->at.lever[0] * force;
    if (path->njoint > 1) tau[path->vadr[1]] += flow->at.lever[1] * force;
}

/// Applies the flow of drive i to its joints and to the integrated powers.
static void apply(const ff_drives_part *p, int i, ff_data *d)
{
    const ff_drive_flow *flow = &p->link->flows[i];
    add_force(&p->set->drives[i].path, flow, flow->force, d->tau);
    double *power = p->link->powers + FF_DRIVES_ACCOUNTS * i;
    power[0] = flow->electrical;
    power[1] = flow->mechanical;
    power[2] = flow->copper;
}

static void derivative(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    const ff_drives_part *p = context;
    (void)t, (void)m;
    for (int i = p->from; p->link->curved && i < p->to; i++)
        if (ff_drive_has_curved_path(&p->set->drives[i])) locate(p->link, i, d);
    ff_drive_evaluate_all(p->set, p->link->memory, p->from, p->to, d->q, d->v, p->link->at, z, zdot, p->link->flows);
    for (int i = p->from; i < p->to; i++) apply(p, i, d);
}

static bool settle(void *context, ff_data *d, const double *z0, double h, double close, double *z, double *zdot)
{
    const ff_drives_part *p = context;
    bool settled = true;
    for (int i = p->from; i < p->to; i++) {
        const int at = p->set->offset[i] - p->set->offset[p->from];
        settled = ff_drive_settle(&p->set->drives[i], &p->link->memory[i], d->q, d->v, z0 + at, h, close, z + at,
                                  zdot + at, &p->link->flows[i], &p->link->responses[i]) &&
                  settled;
        apply(p, i, d);
    }
    return settled;
}

/// Can the drive store energy? Motors without states cannot, but for the magnetic field of loops that run ahead.
static bool stores_energy(const ff_drive *d)
{
    return d->nstate > 0 || d->motor == FF_MOTOR_NONE || d->span > 0.0;
}

static double energy(void *context, double t, const ff_model *m, ff_data *d, const double *z)
{
    const ff_drives_part *p = context;
    double sum = 0.0;
    (void)t, (void)m;
    for (int i = p->from; i < p->to; z += p->set->drives[i++].nstate)
        if (stores_energy(&p->set->drives[i])) sum += flow_at(p->link, i, d, z)->stored;
    return sum;
}

static double power(void *context, double t, const ff_model *m, ff_data *d, const double *z)
{
    const ff_drives_part *p = context;
    double sum = 0.0;
    (void)t, (void)m;
    for (int i = p->from; i < p->to; z += p->set->drives[i++].nstate) sum += flow_at(p->link, i, d, z)->loss;
    return sum;
}

/// Adds a part of the stiffness and damping of a drive to those of its joints.
static inline void add_slope(const ff_drive_path *path, const ff_drive_flow *flow, double part, double *stiffness,
                             double *damping)
{
    for (int k = 0; k < path->njoint; k++) {
        const double square = part * flow->at.lever[k] * flow->at.lever[k];
        stiffness[path->vadr[k]] += square * flow->stiffness;
        damping[path->vadr[k]] += square * flow->damping;
    }
}

static void slope(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *stiffness,
                  double *damping)
{
    const ff_drives_part *p = context;
    (void)t, (void)m, (void)d, (void)z;
    for (int i = p->from; i < p->to; i++)
        add_slope(&p->set->drives[i].path, &p->link->flows[i], 1.0, stiffness, damping);
}

/// The same for motions of the joints that the rotors follow within an implicit step h.
static void reflected_stiffness(const void *context, double h, double *stiffness, double *damping)
{
    const ff_drives_part *p = context;
    for (int i = p->from; i < p->to; i++)
        add_slope(&p->set->drives[i].path, &p->link->flows[i],
                  ff_drive_reflected_share(&p->link->flows[i], &p->link->responses[i], h), stiffness, damping);
}

/// The same for parts whose states the implicit method solves for.
static void reflected_stiffness_unsettled(const void *context, double h, double *stiffness, double *damping)
{
    const ff_drives_part *p = context;
    for (int i = p->from; i < p->to; i++)
        p->link->responses[i] = ff_drive_response_of(&p->set->drives[i], &p->link->memory[i], &p->link->flows[i], h);
    reflected_stiffness(context, h, stiffness, damping);
}

/// Force of the path on the inertia behind the spring when the joints change their positions by dq, their speeds by dv.
static inline double path_force(const ff_drive_path *path, const ff_drive_flow *flow, const double *dq,
                                const double *dv)
{
    const int first = path->vadr[0], second = path->vadr[1];
    double force = flow->at.lever[0] * (flow->stiffness * dq[first] + flow->damping * dv[first]);
    if (path->njoint > 1) force += flow->at.lever[1] * (flow->stiffness * dq[second] + flow->damping * dv[second]);
    return force;
}

static void follow_joints(const void *context, double h, const double *dq, const double *dv, double *x)
{
    const ff_drives_part *p = context;
    for (int i = p->from; i < p->to; x += p->set->drives[i++].nstate) {
        const double force = path_force(&p->set->drives[i].path, &p->link->flows[i], dq, dv);
        ff_drive_follow_path(&p->set->drives[i], &p->link->responses[i], force, h, x);
    }
}

static void follow_joints_unsettled(const void *context, double h, const double *dq, const double *dv, double *x)
{
    const ff_drives_part *p = context;
    memset(x, 0, (size_t)(p->set->offset[p->to] - p->set->offset[p->from]) * sizeof *x);
    for (int i = p->from; i < p->to; x += p->set->drives[i++].nstate) {
        const double force = path_force(&p->set->drives[i].path, &p->link->flows[i], dq, dv);
        ff_drive_accelerate_states(&p->set->drives[i], &p->link->memory[i], force, h, x);
    }
}

static bool has_rotors(const ff_drives_part *p)
{
    for (int i = p->from; i < p->to; i++)
        if (p->set->drives[i].nmoving > 0) return true;
    return false;
}

static const ff_part_states ROTORS = {.slope = reflected_stiffness, .follow = follow_joints};
static const ff_part_states ROTORS_UNSETTLED = {.slope = reflected_stiffness_unsettled,
                                                .follow = follow_joints_unsettled};

/// Ideal sources give the joint all their power; other drives report their losses.
static void powers(const void *context, double *power, double *force)
{
    const ff_drives_part *p = context;
    for (int i = p->from; i < p->to; i++) {
        const ff_drive_flow *flow = &p->link->flows[i];
        const bool source = p->set->drives[i].nmoving == 0 && flow->electrical == flow->mechanical;
        if (source) add_force(&p->set->drives[i].path, flow, flow->force, force);
        power[FF_LEDGER_PARTS] += flow->loss;
        power[FF_LEDGER_WORK] += flow->electrical;
    }
}

/// Dry friction acts on the rotor: on the path of a rigid drive, on a state of the others.
static ff_dry_friction friction(const void *context, int i, const double *q, const double *v)
{
    const ff_drives_part *p = context;
    const ff_drive *d = &p->set->drives[p->from + i];
    const ff_drive_path *path = &d->path;
    if (!ff_drive_has_current(d) || !(d->dc.dry > 0.0)) return (ff_dry_friction){0};
    const double gear = fabs(d->ratio);
    ff_dry_friction f = {.level = gear * d->dc.dry, .speed = d->dc.dry_speed / gear, .state = -1};
    if (d->nmoving > 0) f.state = p->set->offset[p->from + i] - p->set->offset[p->from] + d->nstate - d->nmoving + 1;
    const ff_drive_position at = ff_drive_path_locate(path, q, v);
    f.ndof = path->njoint;
    for (int k = 0; k < path->njoint; k++) {
        f.dof[k] = path->vadr[k];
        f.lever[k] = at.lever[k];
    }
    return f;
}

/// For each state of drives `first` to `last` - 1 the state that is its rate of change, -1: none. The rate of the angle
/// of a rotor or a transmission is the state behind it. Numbers count from the first state of drive `first`.
static int *rates_of(ff_sim *sim, const ff_drive_set *set, int first, int last)
{
    const int start = set->offset[first];
    int *rate = FF_ARENA_NEW(&sim->arena, int, set->offset[last] - start + 1);
    for (int i = first; rate && i < last; i++) {
        const int from = set->offset[i] - start, to = set->offset[i + 1] - start,
                  mechanic = to - set->drives[i].nmoving;
        for (int k = from; k < to; k++) rate[k] = k >= mechanic && (k - mechanic) % 2 == 0 ? k + 1 : -1;
    }
    return rate;
}

// ------------------------------------------------------------------------------------------ rotors

static void place(void *context, ff_data *d)
{
    const ff_drives_link *drives = ((const ff_drives_part *)context)->link;
    for (int i = 0; i < d->nrotor; i++) {
        const int drive = drives->rotor_drive[i];
        const ff_drive_position *at = locate(drives, drive, d);
        memcpy(drives->rotors[i].lever, at->lever, sizeof at->lever);
        drives->rotors[i].drift = drives->drift[drive];
    }
}

/// Rotors that are not armature become part of the inertia of the model.
static ff_status add_rotors(ff_sim *sim, ff_drives_link *drives, ff_error *err)
{
    const ff_drive_set *set = drives->set;
    drives->rotors = FF_ARENA_NEW(&sim->arena, ff_rotor, set->n + 1);
    drives->rotor_drive = FF_ARENA_NEW(&sim->arena, int, set->n + 1);
    if (!drives->rotors || !drives->rotor_drive) return ff_error_set(err, FF_NO_MEMORY, "no memory for the rotors");
    int count = 0;
    for (int i = 0; i < set->n; i++) {
        const ff_drive *d = &set->drives[i];
        if (!ff_drive_couples(d)) continue;
        ff_rotor rotor = {.ndof = d->path.njoint, .dof = {d->path.vadr[0], d->path.vadr[1]}, .inertia = d->inertia};
        if (rotor.ndof == 2) rotor.entry = ff_dyn_mass_entry(sim->model, rotor.dof[0], rotor.dof[1]);
        drives->rotor_drive[count] = i;
        drives->rotors[count++] = rotor;
    }
    sim->data->rotors = drives->rotors;
    sim->data->nrotor = count;
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ loops

static ff_sim_action sample(void *context, ff_sim *sim, double t)
{
    const ff_drives_task *task = context;
    const ff_drive_set *set = task->drives->set;
    const double *z = ff_sim_part_state(sim, task->drives->part);
    (void)t;
    for (int i = 0; i < task->n; i++) {
        const int k = task->entries[i].drive;
        if (task->entries[i].period > 0 && sim->task_time % task->entries[i].period != 0) continue;
        ff_drive_sample(&set->drives[k], &task->drives->memory[k], task->entries[i].level, sim->data->q, sim->data->v,
                        z + set->offset[k]);
    }
    return FF_SIM_GO;
}

/// Advances windings and loops that run ahead to the end of the next span. The stored energy of a magnetic field is
/// that at the start of a span; the supply provides its change.
static ff_sim_action run_ahead(void *context, ff_sim *sim, double t)
{
    const ff_drives_link *drives = context;
    const ff_drive_set *set = drives->set;
    const double *z = ff_sim_part_state(sim, drives->part);
    double *accounts = ff_sim_part_integrals(sim, drives->part);
    (void)t;
    for (int k = 0; k < drives->nahead; k++) {
        const int i = drives->ahead[k];
        ff_drive_schedule schedule = drives->schedule[k];
        schedule.until = sim->task_time + (schedule.until - schedule.now);
        schedule.now = sim->task_time;
        const double change = ff_drive_run_ahead(&set->drives[i], &drives->memory[i], &schedule, sim->data->q,
                                                 sim->data->v, z + set->offset[i]);
        accounts[FF_DRIVES_ACCOUNTS * i] += change;
        ff_ledger_book(sim, FF_LEDGER_WORK, change);
    }
    return FF_SIM_GO;
}

/// Finds the drives that run ahead, which all have the same span.
static bool find_ahead(ff_sim *sim, ff_drives_link *drives)
{
    const ff_drive_set *set = drives->set;
    drives->ahead = FF_ARENA_NEW(&sim->arena, int, set->n + 1);
    drives->schedule = FF_ARENA_NEW(&sim->arena, ff_drive_schedule, set->n + 1);
    for (int i = 0; drives->ahead && drives->schedule && i < set->n; i++) {
        const ff_drive *d = &set->drives[i];
        if (!(d->span > 0.0)) continue;
        ff_drive_schedule *s = &drives->schedule[drives->nahead];
        drives->ahead[drives->nahead++] = i;
        *s = (ff_drive_schedule){.until = ff_ticks_from_seconds(d->span), .tick = 1.0 / (double)FF_TICKS_PER_SECOND};
        for (int level = 0; level < FF_LEVEL_COUNT; level++)
            if (ff_drive_runs_ahead(d, (ff_drive_level)level))
                s->period[level] = ff_ticks_from_seconds(1.0 / ff_drive_rate(d, (ff_drive_level)level));
    }
    return drives->ahead && drives->schedule;
}

static ff_status add_ahead(ff_sim *sim, ff_drives_link *drives, ff_error *err)
{
    if (drives->nahead == 0) return FF_OK;
    const ff_task task = {
        .name = "drives run ahead", .period = drives->schedule[0].until, .context = drives, .run = run_ahead};
    if (ff_sim_add_task(sim, &task, err) < 0) return FF_BAD_ARGUMENT;
    drives->ntask++;
    return FF_OK;
}

/// The loop of a level as an entry of a task.
static ff_drives_entry entry_of(const ff_drive *d, int drive, ff_drive_level level)
{
    const double rate = ff_drive_rate(d, level);
    ff_drives_entry entry = {.drive = drive, .level = level, .rate = rate};
    if (!ff_drive_runs_ahead(d, level)) return entry;
    entry.period = ff_ticks_from_seconds(1.0 / rate);
    entry.rate = 1.0 / d->span;
    return entry;
}

static int by_rate(const void *a, const void *b)
{
    const ff_drives_entry *x = a, *y = b;
    if (x->rate != y->rate) return x->rate < y->rate ? -1 : 1;
    if (x->level != y->level) return x->level < y->level ? -1 : 1;
    return x->drive - y->drive;
}

/// Lists all loops by rate, then by level; a task for each rate.
static ff_status add_tasks(ff_sim *sim, ff_drives_link *drives, ff_error *err)
{
    const ff_drive_set *set = drives->set;
    ff_drives_entry *all = FF_ARENA_NEW(&sim->arena, ff_drives_entry, FF_LEVEL_COUNT * set->n + 1);
    ff_drives_task *tasks = FF_ARENA_NEW(&sim->arena, ff_drives_task, FF_LEVEL_COUNT * set->n + 1);
    if (!all || !tasks) return ff_error_set(err, FF_NO_MEMORY, "no memory for the loops of the drives");
    int n = 0;
    drives->task = sim->ntask;
    for (int i = 0; i < set->n; i++)
        for (int level = 0; level < FF_LEVEL_COUNT; level++) {
            const ff_drives_entry entry = entry_of(&set->drives[i], i, (ff_drive_level)level);
            if (entry.rate > 0.0) all[n++] = entry;
        }
    qsort(all, (size_t)n, sizeof *all, by_rate);
    for (int from = 0, to; from < n; from = to) {
        for (to = from; to < n && all[to].rate == all[from].rate;) to++;
        ff_drives_task *task = tasks++;
        *task = (ff_drives_task){.drives = drives, .entries = all + from, .n = to - from};
        const char *name = ff_arena_printf(&sim->arena, "drives at %g Hz", all[from].rate);
        const ff_task t = {
            .name = name, .period = ff_ticks_from_seconds(1.0 / all[from].rate), .context = task, .run = sample};
        if (t.period < 1)
            return ff_error_set(err, FF_BAD_ARGUMENT, "drive '%s': a loop at %g Hz is dv than the clock resolves",
                                set->drives[all[from].drive].name, all[from].rate);
        if (ff_sim_add_task(sim, &t, err) < 0) return FF_BAD_ARGUMENT;
        drives->ntask++;
    }
    return add_ahead(sim, drives, err);
}

// ------------------------------------------------------------------------------------------ steps and impacts

static const double HEATING_PERIOD = 0.99e-3; // between updates of temperatures, which change within seconds  [s]

/// Copies the integrated energies to the memories of the drives.
static void store_energies(ff_sim *sim, ff_drives_link *drives)
{
    const ff_drive_set *set = drives->set;
    const double *energies = ff_sim_part_integrals(sim, drives->part);
    for (int i = 0; i < set->n; i++, energies += FF_DRIVES_ACCOUNTS) {
        ff_drive_memory *m = &drives->memory[i];
        m->electrical = energies[0];
        m->mechanical = energies[1];
        m->copper = energies[2];
    }
    drives->since_heated += sim->last_step;
    if (!drives->thermal || drives->since_heated < HEATING_PERIOD) return;
    for (int i = 0; i < set->n; i++)
        ff_drive_update_temperature(&set->drives[i], &drives->memory[i], drives->since_heated);
    drives->since_heated = 0.0;
    ff_sim_invalidate(sim, FF_SIM_VELOCITY); // the resistance of the windings has changed
}

/// Handles impacts and releases of backlash. @return dissipated energy, -1: there was neither  [J]
static double update_backlash(ff_sim *sim, const ff_drives_link *drives, double *z)
{
    const ff_drive_set *set = drives->set;
    const double span = ff_sim_locates_events(sim) ? 0.0 : sim->last_step;
    const double held = sim->method->traits.implicit ? span : 0.0;
    double loss = 0.0;
    bool changed = false;
    for (int k = 0; k < drives->nwith_backlash; k++) {
        const int i = drives->with_backlash[k];
        changed = ff_drive_update_backlash(&set->drives[i], &drives->memory[i], sim->data->q, sim->data->v,
                                           z + set->offset[i], span, held, &loss) ||
                  changed;
    }
    return changed ? loss : -1.0;
}

/// Time since the first impact within the step, 0: there was none.  [s]
static double time_since_impact(const void *context, const double *z, double tolerance)
{
    const ff_drives_part *p = context;
    double longest = 0.0;
    for (int k = 0; k < p->link->nwith_backlash; k++) {
        const int i = p->link->with_backlash[k];
        if (i >= p->from && i < p->to)
            longest =
                ff_max(longest, ff_drive_time_since_impact(&p->set->drives[i], &p->link->memory[i],
                                                           z + p->set->offset[i] - p->set->offset[p->from], tolerance));
    }
    return longest;
}

static bool accept(void *context, ff_sim *sim, ff_accept_reason reason)
{
    ff_drives_link *drives = ((const ff_drives_part *)context)->link;
    if (reason != FF_ACCEPT_STEP) return false;
    const double loss =
        drives->nwith_backlash > 0 ? update_backlash(sim, drives, ff_sim_part_place(sim, drives->part)) : -1.0;
    store_energies(sim, drives);
    if (loss < 0.0) return false;
    ff_ledger_book(sim, FF_LEDGER_PARTS, loss);
    return true;
}

/// Methods that locate events end steps at impacts; others check for impacts after each step.
static void event_values(void *context, ff_data *d, const double *z, double *values)
{
    const ff_drives_link *drives = ((const ff_drives_part *)context)->link;
    const ff_drive_set *set = drives->set;
    for (int k = 0; k < drives->nwith_backlash; k++) {
        const int i = drives->with_backlash[k];
        values[k] = ff_drive_backlash_event(&set->drives[i], &drives->memory[i], d->q, d->v, z + set->offset[i]);
    }
}

static bool event(void *context, ff_sim *sim, int number, int direction)
{
    const ff_drives_link *drives = ((const ff_drives_part *)context)->link;
    const ff_drive_set *set = drives->set;
    const int i = drives->with_backlash[number];
    double *z = ff_sim_part_place(sim, drives->part) + set->offset[i], loss = 0.0;
    (void)direction;
    if (!ff_drive_update_backlash(&set->drives[i], &drives->memory[i], sim->data->q, sim->data->v, z, 0.0, 0.0, &loss))
        return false;
    ff_ledger_book(sim, FF_LEDGER_PARTS, loss);
    return true;
}

// ------------------------------------------------------------------------------------------ joining

/// Lets loops hold the present pose.
static void restart(void *context, ff_sim *sim)
{
    (void)context;
    ff_sim_start_drives(sim);
}

/// Gives the first part the functions that act on all drives.
static void add_common_functions(ff_part *part, ff_part_inner *inner, const ff_drives_link *drives,
                                 const ff_part_memory *memory, int nmemory)
{
    part->accept = accept;
    part->restart = restart;
    part->nevent = drives->nwith_backlash;
    part->event_direction = -1;
    part->event_values = event_values;
    part->event = event;
    part->memory = memory;
    part->nmemory = nmemory;
    inner->nintegral = FF_DRIVES_ACCOUNTS * drives->set->n;
    inner->bind_rates = bind_rates;
    inner->channels = ff_drives_add_channels;
}

/// Adds one part for all drives, which solves for its states in implicit steps by itself. Where a drive cannot, the
/// implicit method solves for all states of a part together: then each drive is a part of its own, since 24 drives with
/// backlash would make a dense system of 96 states (36 ms for a step of ANTON).
static ff_status add_parts(ff_sim *sim, ff_drives_link *drives, ff_error *err)
{
    const ff_drive_set *set = drives->set;
    bool settles = true;
    for (int i = 0; i < set->n; i++) settles = settles && ff_drive_settles(&set->drives[i]);
    const bool separate = sim->method->traits.implicit && set->nstate > 0 && !settles;
    const int count = separate ? set->n : 1;
    ff_drives_part *parts = FF_ARENA_NEW(&sim->arena, ff_drives_part, count);
    if (!parts) return ff_error_set(err, FF_NO_MEMORY, "no memory for the drives");
    const ff_part_memory memory[] = {{drives->memory, (size_t)set->n * sizeof *drives->memory},
                                     {&drives->since_heated, sizeof drives->since_heated},
                                     {drives->batteries, (size_t)set->nbattery * sizeof *drives->batteries}};
    drives->part = sim->npart;
    for (int i = 0; i < count; i++) {
        parts[i] =
            (ff_drives_part){.set = set, .link = drives, .from = separate ? i : 0, .to = separate ? i + 1 : set->n};
        ff_part part = {.name = separate ? ff_arena_printf(&sim->arena, "drives.%s", set->drives[i].name) : "drives",
                        .nstate = set->offset[parts[i].to] - set->offset[parts[i].from],
                        .context = &parts[i],
                        .derivative = derivative,
                        .energy = energy,
                        .power = power,
                        .slope = slope,
                        .rate_of = rates_of(sim, set, parts[i].from, parts[i].to)};
        if (!part.rate_of) return ff_error_set(err, FF_NO_MEMORY, "no memory for the drives");
        if (settles && set->nstate > 0) {
            part.settle = settle;
        }
        ff_part_inner inner = {
            .kind = KIND, .powers = powers, .nfriction = parts[i].to - parts[i].from, .friction = friction};
        if (has_rotors(&parts[i])) inner.states = settles ? &ROTORS : &ROTORS_UNSETTLED;
        if (drives->nwith_backlash > 0) inner.time_since_impact = time_since_impact;
        if (i == 0) add_common_functions(&part, &inner, drives, memory, set->nbattery > 0 ? 3 : 2);
        if (i == 0 && sim->data->nrotor > 0) inner.place = place;
        if (ff_sim_add_inner_part(sim, &part, &inner, err) < 0) return FF_BAD_ARGUMENT;
    }
    return FF_OK;
}

/// Finds out which drives have backlash, temperatures and curved paths. @return false without memory
static bool find_kinds(ff_sim *sim, ff_drives_link *drives)
{
    const ff_drive_set *set = drives->set;
    drives->with_backlash = FF_ARENA_NEW(&sim->arena, int, set->n + 1);
    for (int i = 0; drives->with_backlash && i < set->n; i++) {
        if (set->drives[i].transmission == FF_TRANSMISSION_BACKLASH)
            drives->with_backlash[drives->nwith_backlash++] = i;
        drives->thermal = drives->thermal || set->drives[i].thermal.capacity > 0.0;
        drives->curved = drives->curved || ff_drive_has_curved_path(&set->drives[i]);
    }
    return drives->with_backlash != NULL;
}

ff_status ff_drives_join(ff_sim *sim, const ff_drive_set *set, ff_error *err)
{
    if (ff_drives_find(sim)) return ff_error_set(err, FF_BAD_ARGUMENT, "this simulation has its drives already");
    ff_drives_link *drives = FF_ARENA_NEW(&sim->arena, ff_drives_link, 1);
    if (!drives) return ff_error_set(err, FF_NO_MEMORY, "no memory for the drives");
    *drives = (ff_drives_link){.sim = sim,
                               .set = set,
                               .memory = FF_ARENA_NEW(&sim->arena, ff_drive_memory, set->n + 1),
                               .flows = FF_ARENA_NEW(&sim->arena, ff_drive_flow, set->n + 1),
                               .now = FF_ARENA_NEW(&sim->arena, ff_drive_flow, set->n + 1),
                               .now_at = FF_ARENA_NEW(&sim->arena, uint64_t, set->n + 1),
                               .responses = FF_ARENA_NEW(&sim->arena, ff_drive_response, set->n + 1),
                               .at = FF_ARENA_NEW(&sim->arena, ff_drive_position, set->n + 1),
                               .drift = FF_ARENA_NEW(&sim->arena, double, set->n + 1),
                               .located_at = FF_ARENA_NEW(&sim->arena, uint64_t, set->n + 1),
                               .batteries = FF_ARENA_NEW(&sim->arena, ff_battery_state, set->nbattery + 1)};
    if (sim->arena.failed || !find_kinds(sim, drives) || !find_ahead(sim, drives))
        return ff_error_set(err, FF_NO_MEMORY, "no memory for the drives");
    ff_status status = add_rotors(sim, drives, err);
    if (status == FF_OK) status = add_parts(sim, drives, err);
    if (status != FF_OK) return status;
    for (int i = 0; i < set->nactuator; i++) ff_sim_enable_actuator(sim, set->actuators[i]);
    ff_sim_start_drives(sim);
    status = ff_batteries_join(sim, drives, err);
    return status == FF_OK ? add_tasks(sim, drives, err) : status;
}

const ff_drive_set *ff_sim_drives(const ff_sim *sim)
{
    const ff_drives_link *drives = ff_drives_find(sim);
    return drives ? drives->set : NULL;
}

/// Servos that are not drives hold their present position or length.
static void hold_actuators(ff_sim *sim, const ff_drive_set *set)
{
    for (int i = 0; i < set->nactuator; i++) {
        const ff_actuator_id id = {set->actuators[i]};
        const ff_actuator *a = &sim->model->actuators[id.index];
        if (a->body >= 0 || a->active.acts || a->passive.acts || !(a->bias[1] < 0.0) || a->gain != -a->bias[1])
            continue;
        if (ff_sim_evaluate(sim, FF_SIM_POSITION, NULL) != FF_OK) return;
        const double at = a->gear * (a->tendon >= 0 ? sim->data->tendon_length[a->tendon]
                                                    : sim->data->q[sim->model->joints[a->joint].qadr]);
        if (a->activation.type != FF_ACTIVATION_INTEGRATOR) ff_sim_set_command(sim, id, at);
        if (a->state >= 0) ff_sim_set_activation(sim, id, at);
    }
}

void ff_sim_start_drives(ff_sim *sim)
{
    ff_drives_link *drives = ff_drives_find(sim);
    if (!drives) return;
    const ff_drive_set *set = drives->set;
    ff_sim_forces_jumped(sim);
    double *z = ff_sim_part_place(sim, drives->part), none[1] = {0.0};
    for (int i = 0; i < set->n; i++)
        ff_drive_start(&set->drives[i], &drives->memory[i], sim->x, sim->x + sim->nq, z ? z + set->offset[i] : none);
    hold_actuators(sim, set);
    drives->since_heated = 0.0;
    ff_batteries_start(drives);
    if (sim->begun)
        memset(ff_sim_part_integrals(sim, drives->part), 0, FF_DRIVES_ACCOUNTS * (size_t)set->n * sizeof(double));
    ff_sim_commit_writes(sim);
}

static const char *name_of(const void *set, int i)
{
    return ((const ff_drive_set *)set)->drives[i].name;
}

ff_drive_id ff_sim_find_drive(ff_sim *sim, const char *name)
{
    const ff_drive_set *set = ff_sim_drives(sim);
    return (ff_drive_id){ff_sim_find_name(sim, "drive", name, name_of, set, set ? set->n : 0)};
}

/// The drives of a simulation; NULL where it has no drive of this number, which the next run reports.
static const ff_drives_link *find_drive(const ff_sim *sim, ff_drive_id drive)
{
    const ff_drives_link *drives = ff_drives_find(sim);
    return ff_sim_check_handle(sim, "drive", drive.index, drives ? drives->set->n : 0) ? drives : NULL;
}

void ff_sim_preload_drive(ff_sim *sim, ff_drive_id drive, double force)
{
    const ff_drives_link *drives = find_drive(sim, drive);
    if (!drives) return;
    const ff_drive_set *set = drives->set;
    const int i = drive.index;
    ff_sim_forces_jumped(sim);
    double *z = ff_sim_part_place(sim, drives->part), none[1] = {0.0};
    ff_drive_preload(&set->drives[i], &drives->memory[i], force, z ? z + set->offset[i] : none);
    ff_sim_commit_writes(sim);
}

void ff_sim_drive_command(ff_sim *sim, ff_drive_id drive, double position, double speed, double force)
{
    const ff_drives_link *drives = find_drive(sim, drive);
    if (!drives) return;
    ff_drive_command(&drives->set->drives[drive.index], &drives->memory[drive.index], position, speed, force);
    ff_sim_invalidate(sim, FF_SIM_VELOCITY);
    if (sim->begun) ff_sim_forget(sim, false);
}

void ff_sim_switch_drive(ff_sim *sim, ff_drive_id drive, bool on)
{
    const ff_drives_link *drives = find_drive(sim, drive);
    if (!drives) return;
    drives->memory[drive.index].off = !on;
    ff_sim_invalidate(sim, FF_SIM_VELOCITY);
    if (sim->begun) ff_sim_forget(sim, false);
}

const ff_drive_memory *ff_sim_drive_memory(const ff_sim *sim, ff_drive_id drive)
{
    const ff_drives_link *drives = find_drive(sim, drive);
    return drives ? &drives->memory[drive.index] : NULL;
}

const ff_drive_flow *ff_drives_flow(const ff_drives_link *drives, ff_sim *sim, int drive)
{
    const double *z = ff_sim_part_state(sim, drives->part);
    return flow_at(drives, drive, sim->data, z + drives->set->offset[drive]);
}

ff_drive_flow ff_sim_drive_flow(ff_sim *sim, ff_drive_id drive)
{
    const ff_drives_link *drives = find_drive(sim, drive);
    return drives ? *ff_drives_flow(drives, sim, drive.index) : (ff_drive_flow){0};
}
