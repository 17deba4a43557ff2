// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The built-in channels of a recorder: what they are called, their units and columns, and how each is read from a
// simulation whose ff_data is current.
#include <footfall/text.h>
#include <string.h>

#include "dyn/actuator.h"
#include "dyn/loop_response.h"
#include "record/record.h"
#include "world/world.h"

// ------------------------------------------------------------------------------------------ reading

static void read_time(const ff_channel *c, ff_sim *sim, double *out)
{
    (void)c;
    out[0] = ff_sim_time(sim);
}

/// `index` picks positions, velocities or accelerations.
static void read_state(const ff_channel *c, ff_sim *sim, double *out)
{
    const double *const values[3] = {sim->data->q, sim->data->v, sim->data->qacc};
    memcpy(out, values[c->index], (size_t)c->width * sizeof(double));
}

/// A quantity of each hinge and slide; the context of its channels.
typedef struct joint_quantity {
    const char *name, *hinge, *slide, *mixed; // name; units for hinges, for slides, for both
    size_t values;                            // offset of the values in ff_data  [byte]
    bool position, needs_forces;
} joint_quantity;
static const joint_quantity JOINT_QUANTITIES[] = {
    {"position", "rad", "m", "rad, m", offsetof(ff_data, q), true, false},
    {"velocity", "rad/s", "m/s", "rad/s, m/s", offsetof(ff_data, v), false, false},
    {"torque", "N m", "N", "N m, N", offsetof(ff_data, tau), false, true},
};
enum { JOINT_COUNT = sizeof JOINT_QUANTITIES / sizeof *JOINT_QUANTITIES };

/// Values of all scalar joints (index -1) or of one.
static void read_joints(const ff_channel *c, ff_sim *sim, double *out)
{
    const ff_model *m = sim->model;
    const joint_quantity *quantity = c->context;
    const double *values = *(double *const *)(const void *)((const char *)sim->data + quantity->values);
    int k = 0;
    for (int i = 0; i < m->njoint; i++) {
        if (!ff_joint_is_scalar(m->joints[i].type) || (c->index >= 0 && c->index != i)) continue;
        out[k++] = values[quantity->position ? m->joints[i].qadr : m->joints[i].vadr];
    }
}

static const char *const WXYZ[] = {"w", "x", "y", "z"};

/// A quantity of each body; the context of its channels.
typedef struct body_quantity {
    const char *name, *units;
    int width;
    const char *const *columns;
    bool is_velocity;
    int first; // index of the first value in the pose (position, quaternion), or the velocity (angular, linear)
} body_quantity;
static const body_quantity BODY_QUANTITIES[] = {{"pos", "m", 3, ff_channel_xyz, false, 0},
                                                {"quat", "1", 4, WXYZ, false, 3},
                                                {"velocity", "m/s", 3, ff_channel_xyz, true, 3},
                                                {"spin", "rad/s", 3, ff_channel_xyz, true, 0}};
enum { BODY_COUNT = sizeof BODY_QUANTITIES / sizeof *BODY_QUANTITIES };

static void read_body(const ff_channel *c, ff_sim *sim, double *out)
{
    static const double origin[3] = {0.0, 0.0, 0.0};
    const body_quantity *quantity = c->context;
    double numbers[7];
    if (quantity->is_velocity)
        ff_dyn_point_velocity(sim->model, sim->data, c->index, origin, numbers);
    else
        ff_dyn_body_pose(sim->model, sim->data, c->index, numbers, numbers + 3);
    memcpy(out, numbers + quantity->first, (size_t)c->width * sizeof(double));
}

static void read_com(const ff_channel *c, ff_sim *sim, double *out)
{
    (void)c;
    ff_dyn_com(sim->model, sim->data, out);
}

/// `index` picks the first number: 0 of the angular momentum, 3 of the linear one.
static void read_momentum(const ff_channel *c, ff_sim *sim, double *out)
{
    double h[6];
    ff_dyn_momentum(sim->model, sim->data, h);
    memcpy(out, h + c->index, 3 * sizeof(double));
}

static void read_com_velocity(const ff_channel *c, ff_sim *sim, double *out)
{
    read_momentum(c, sim, out);
    for (int i = 0; i < 3; i++) out[i] /= sim->model->mass;
}

/// `index` picks the member of ff_energy.
static void read_energy(const ff_channel *c, ff_sim *sim, double *out)
{
    const ff_energy e = ff_sim_energy(sim);
    const double values[6] = {e.kinetic, e.potential, e.elastic, e.contacts, e.parts, e.total};
    out[0] = values[c->index];
}

/// `index` picks the entry.
static void read_ledger(const ff_channel *c, ff_sim *sim, double *out)
{
    const ff_ledger l = ff_sim_ledger(sim);
    const double values[8] = {l.lost_normal, l.lost_friction, l.lost_joints, l.lost_parts,
                              l.work,        l.outside,       l.loops,       l.residual};
    out[0] = values[c->index];
}

static void read_activation(const ff_channel *c, ff_sim *sim, double *out)
{
    out[0] = ff_sim_activation(sim, (ff_actuator_id){c->index});
}

static void read_actuator_length(const ff_channel *c, ff_sim *sim, double *out)
{
    double speed;
    ff_actuator_travel(sim->model, sim->data, &sim->model->actuators[c->index], out, &speed);
}

static void read_actuator_force(const ff_channel *c, ff_sim *sim, double *out)
{
    out[0] = ff_sim_actuator_force(sim, c->index);
}

static void read_tendon_length(const ff_channel *c, ff_sim *sim, double *out)
{
    out[0] = sim->data->tendon_length[c->index];
}

static void read_tendon_velocity(const ff_channel *c, ff_sim *sim, double *out)
{
    out[0] = sim->data->tendon_speed[c->index];
}

static void read_loops_gap(const ff_channel *c, ff_sim *sim, double *out)
{
    (void)c;
    ff_loops_position(sim->model, sim->data, sim->loops);
    ff_loops_widest(sim->loops, out);
}

/// `index` is the loop.
static void read_loop_force(const ff_channel *c, ff_sim *sim, double *out)
{
    const ff_loop *loop = &sim->loops->loops[c->index];
    memcpy(out, sim->loops->lambda + loop->row, (size_t)loop->nrow * sizeof *out);
}

static void read_power_passive(const ff_channel *c, ff_sim *sim, double *out)
{
    (void)c;
    out[0] = sim->options.passive ? sim->data->passive_power : 0.0;
}

static void read_power_parts(const ff_channel *c, ff_sim *sim, double *out)
{
    (void)c;
    out[0] = 0.0;
    for (int i = 0; i < sim->npart; i++) {
        const ff_part *part = &sim->parts[i].part;
        if (part->power)
            out[0] += part->power(part->context, ff_sim_time(sim), sim->model, sim->data, ff_sim_part_state(sim, i));
    }
}

static void read_part(const ff_channel *c, ff_sim *sim, double *out)
{
    memcpy(out, ff_sim_part_state(sim, c->index), (size_t)c->width * sizeof(double));
}

// ------------------------------------------------------------------------------------------ catalogue

typedef ff_channel_list list;

static const char *joined(list *l, const char *group, const char *name, const char *quantity)
{
    return ff_arena_printf(&l->sim->arena, "%s.%s%s%s", group, name, quantity[0] ? "." : "", quantity);
}

static const char **joint_names(list *l, int *count)
{
    const ff_model *m = l->sim->model;
    const char **names = FF_ARENA_NEW(&l->sim->arena, const char *, m->njoint > 0 ? m->njoint : 1);
    *count = 0;
    for (int i = 0; names && i < m->njoint; i++)
        if (ff_joint_is_scalar(m->joints[i].type)) names[(*count)++] = m->joints[i].name;
    if (!names) l->failed = true;
    return names;
}

/// Names the coordinates of q or v after their joints, with a number if a joint has several. @return NULL without
/// memory
static const char **coordinate_names(list *l, bool positions)
{
    const ff_model *m = l->sim->model;
    const int count = positions ? m->nq : m->nv;
    const char **names = FF_ARENA_NEW(&l->sim->arena, const char *, count > 0 ? count : 1);
    for (int i = 0; names && i < m->njoint; i++) {
        const ff_joint *joint = &m->joints[i];
        const int width = positions ? ff_joint_nq(joint->type) : ff_joint_nv(joint->type);
        const int start = positions ? joint->qadr : joint->vadr;
        for (int k = 0; k < width; k++)
            names[start + k] = width == 1 ? joint->name : ff_arena_printf(&l->sim->arena, "%s.%d", joint->name, k);
    }
    if (!names) l->failed = true;
    return names;
}

static const char *joint_units(const ff_joint *joint, const char *hinge, const char *slide)
{
    return joint->type == FF_JOINT_SLIDE ? slide : hinge;
}

static void add_joints(list *l)
{
    const ff_model *m = l->sim->model;
    int count = 0, slides = 0;
    const char **names = joint_names(l, &count);
    for (int i = 0; i < m->njoint; i++) slides += m->joints[i].type == FF_JOINT_SLIDE;
    for (int i = -1; count > 0 && i < m->njoint; i++) // all of them first
        for (int k = 0; k < JOINT_COUNT && (i < 0 || ff_joint_is_scalar(m->joints[i].type)); k++) {
            const joint_quantity *q = &JOINT_QUANTITIES[k];
            ff_channel *c =
                i < 0 ? ff_channel_add(l, joined(l, "joints", q->name, ""), slides > 0 ? q->mixed : q->hinge, count,
                                       names, read_joints, -1)
                      : ff_channel_add(l, joined(l, "joints", m->joints[i].name, q->name),
                                       joint_units(&m->joints[i], q->hinge, q->slide), 1, NULL, read_joints, i);
            if (!c) continue;
            c->context = (void *)(uintptr_t)q;
            c->needs_forces = q->needs_forces;
        }
}

static void add_body(list *l, const char *group, const char *name, int body)
{
    for (int i = 0; i < BODY_COUNT; i++) {
        const body_quantity *q = &BODY_QUANTITIES[i];
        const char *channel = name[0] == 0 ? joined(l, group, q->name, "") : joined(l, group, name, q->name);
        ff_channel *c = ff_channel_add(l, channel, q->units, q->width, q->columns, read_body, body);
        if (c) c->context = (void *)(uintptr_t)q;
    }
}

/// The root body of the first tree that moves.
static int base_body(const ff_model *m)
{
    for (int i = 0; i < m->nbody; i++)
        if (m->bodies[i].node >= 0) return i;
    return -1;
}

static void add_whole_robot(list *l)
{
    const ff_model *m = l->sim->model;
    const int base = base_body(m);
    if (base < 0) return;
    add_body(l, "base", "", base);
    ff_channel_add(l, "com.pos", "m", 3, ff_channel_xyz, read_com, 0);
    ff_channel_add(l, "com.velocity", "m/s", 3, ff_channel_xyz, read_com_velocity, 3);
    ff_channel_add(l, "momentum.linear", "kg m/s", 3, ff_channel_xyz, read_momentum, 3);
    ff_channel_add(l, "momentum.angular", "kg m^2/s", 3, ff_channel_xyz, read_momentum, 0);
}

static void add_energies(list *l)
{
    static const char *const NAMES[] = {"energy.kinetic",  "energy.potential", "energy.elastic",
                                        "energy.contacts", "energy.parts",     "energy.total"};
    static const char *const LEDGER[] = {"ledger.lost.normal", "ledger.lost.friction", "ledger.lost.joints",
                                         "ledger.lost.parts",  "ledger.work",          "ledger.outside",
                                         "ledger.loops",       "ledger.residual"};
    for (int i = 0; i < 6; i++)
        if (l->sim->model || i >= 4) ff_channel_add(l, NAMES[i], "J", 1, NULL, read_energy, i);
    for (int i = 0; l->sim->model && l->sim->options.ledger && i < 8; i++)
        ff_channel_add(l, LEDGER[i], "J", 1, NULL, read_ledger, i);
    if (l->sim->model) ff_channel_add(l, "power.passive", "W", 1, NULL, read_power_passive, 0);
    ff_channel_add(l, "power.parts", "W", 1, NULL, read_power_parts, 0);
}

/// Unit of a length, its rate or a force along a tendon; a tendon that sums joint coordinates has units of joints.
static const char *tendon_units(const ff_model *m, const ff_tendon *tendon, const char *hinges, const char *slides,
                                const char *both)
{
    int sum = 0, turning = 0;
    for (int i = 0; i < tendon->npiece; i++) {
        const ff_tendon_piece *piece = &tendon->pieces[i];
        if (piece->type != FF_TENDON_JOINT) continue;
        sum++;
        if (m->joints[piece->index].type == FF_JOINT_HINGE) turning++;
    }
    return turning == 0 ? slides : turning == sum ? hinges : both;
}

/// Unit of a length, its rate or a force of an actuator, by the joint or tendon that it acts on.
static const char *actuator_units(const ff_model *m, const ff_actuator *a, const char *hinges, const char *slides,
                                  const char *both)
{
    if (a->joint >= 0) return joint_units(&m->joints[a->joint], hinges, slides);
    return a->tendon >= 0 ? tendon_units(m, &m->tendons[a->tendon], hinges, slides, both) : slides;
}

/// Adds channels of the model's own actuators that act: length and force before the gear, as a muscle has them.
static void add_actuators(list *l)
{
    const ff_model *m = l->sim->model;
    for (int k = 0; k < l->sim->nacting; k++) {
        const int i = l->sim->acting[k];
        const ff_actuator *a = &m->actuators[i];
        if (a->state >= 0)
            ff_channel_add(l, joined(l, "actuators", a->name, "activation"), "1", 1, NULL, read_activation, i);
        if (a->body < 0)
            ff_channel_add(l, joined(l, "actuators", a->name, "length"), actuator_units(m, a, "rad", "m", "m or rad"),
                           1, NULL, read_actuator_length, i);
        ff_channel_add(l, joined(l, "actuators", a->name, "force"), actuator_units(m, a, "N m", "N", "N or N m"), 1,
                       NULL, read_actuator_force, i);
    }
}

static void add_tendons(list *l)
{
    const ff_model *m = l->sim->model;
    for (int i = 0; i < m->ntendon; i++) {
        const ff_tendon *t = &m->tendons[i];
        ff_channel_add(l, joined(l, "tendons", t->name, "length"), tendon_units(m, t, "rad", "m", "m or rad"), 1, NULL,
                       read_tendon_length, i);
        ff_channel_add(l, joined(l, "tendons", t->name, "velocity"), tendon_units(m, t, "rad/s", "m/s", "m/s or rad/s"),
                       1, NULL, read_tendon_velocity, i);
    }
}

static void add_loops(list *l)
{
    static const char *const ROWS[] = {"x", "y", "z", "mx", "my", "mz"};
    const ff_loops *loops = l->sim->loops;
    if (!loops) return;
    ff_channel_add(l, "loops.gap", "m, rad", 1, NULL, read_loops_gap, 0);
    for (int i = 0; i < loops->nloop; i++) {
        const ff_loop *loop = &loops->loops[i];
        const char *units = loop->nrow == 6                                      ? "N, N m"
                            : strcmp(ff_loops_unit(l->sim->model, loop, 0), "m") ? "N m"
                                                                                 : "N";
        ff_channel *c = ff_channel_add(l, joined(l, "loops", loop->name, "force"), units, loop->nrow,
                                       loop->nrow > 1 ? ROWS : NULL, read_loop_force, i);
        if (c) c->needs_forces = true;
    }
}

static void add_model(list *l)
{
    const ff_model *m = l->sim->model;
    ff_channel_add(l, "q", "m, rad, 1", m->nq, coordinate_names(l, true), read_state, 0);
    ff_channel_add(l, "v", "m/s, rad/s", m->nv, coordinate_names(l, false), read_state, 1);
    ff_channel *c = ff_channel_add(l, "qacc", "m/s^2, rad/s^2", m->nv, coordinate_names(l, false), read_state, 2);
    if (c) c->needs_forces = true;
    add_joints(l);
    add_whole_robot(l);
    add_actuators(l);
    add_tendons(l);
    add_loops(l);
}

static void read_signal(const ff_channel *c, ff_sim *sim, double *out)
{
    out[0] = *sim->signals[c->index].value;
}

/// Adds channels of signals of controllers.
static void add_signals(list *l)
{
    for (int i = 0; i < l->sim->nsignal; i++)
        ff_channel_add(l, l->sim->signals[i].name, l->sim->signals[i].unit, 1, NULL, read_signal, i);
}

ff_channel *ff_channel_catalogue(ff_sim *sim, int *count)
{
    const ff_model *m = sim->model;
    if (sim->catalogue && sim->catalogue_parts == sim->npart && sim->catalogue_signals == sim->nsignal) {
        *count = sim->ncatalogue;
        return sim->catalogue;
    }
    list l = {.sim = sim};
    *count = 0;
    ff_channel_add(&l, "time", "s", 1, NULL, read_time, 0);
    if (m && m->nv > 0) add_model(&l);
    add_energies(&l);
    for (int i = 0; m && i < m->nbody; i++)
        if (m->bodies[i].node >= 0) add_body(&l, "bodies", m->bodies[i].name, i);
    if (m && !ff_sim_world(sim)) ff_world_add_foot_places(&l, m);
    for (int i = 0; i < sim->npart; i++) {
        if (!sim->parts[i].inner.channels) continue;
        l.context = sim->parts[i].part.context;
        sim->parts[i].inner.channels(l.context, &l);
    }
    l.context = NULL;
    add_signals(&l);
    for (int i = 0; i < sim->npart; i++)
        if (sim->parts[i].part.nstate > 0)
            ff_channel_add(&l, joined(&l, "parts", sim->parts[i].part.name, ""), "1", sim->parts[i].part.nstate, NULL,
                           read_part, i);
    if (l.failed || sim->arena.failed) return NULL;
    sim->catalogue = l.channels;
    sim->ncatalogue = *count = l.count;
    sim->catalogue_parts = sim->npart;
    sim->catalogue_signals = sim->nsignal;
    return l.channels;
}

// ------------------------------------------------------------------------------------------ patterns

bool ff_channel_matches(const char *pattern, const char *name)
{
    const size_t length = strlen(pattern);
    if (length == 0) return false;
    if (strchr(pattern, '*')) return ff_text_matches(pattern, name);
    if (strncmp(pattern, name, length) != 0) return false;
    return name[length] == 0 || name[length] == '.';
}
