// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Piles beside the Open Dynamics Engine and Bullet, where they are installed. SimBenchmark's 666 (leggedrobotics,
// 2018): 6 x 6 x 6 balls of 0.1 m and 10 kg, 0.21 m apart, fall from 1.101 m, places off by up to 1 mm, friction 0.8,
// 10 s at 1 ms; its elastic variant without friction and loss; and 1000 boxes and balls. What each simulator does is
// read off the places and velocities of its bodies:
//     time      processor time of a step, mean of the run                                            [us]
//     overlap   deepest of two balls, or of a ball and the floor: root of the mean square, greatest  [mm]
//     gain      greatest rise of the energy over its lowest so far; of a pile that only loses, zero  [J]
//     error     root of the mean square of energy less its start, of the elastic variant              [J]
//     kinetic   at the end                                                                           [J]
#include <footfall/footfall.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "pile.h"

static const double GRAVITY = 9.81;

// ------------------------------------------------------------------------------------------ Footfall

typedef struct our_pile {
    ff_model *model;
    ff_world *world;
    ff_sim *sim;
    double step;
    long steps;
} our_pile;

static void add_material(ff_spec *spec, const pile *p, ff_response response)
{
    ff_material *m = &ff_spec_add_material(spec, "pile", NULL)->material;
    // explicit steps of 1 ms resolve it: half a period of two balls takes 7 ms; damped by a half, or not at all
    const bool elastic = response == FF_RESPONSE_FORCE && p->restitution == 1.0;
    m->normal.law = response != FF_RESPONSE_FORCE ? FF_NORMAL_RESTITUTION
                    : elastic                     ? FF_NORMAL_LINEAR
                                                  : FF_NORMAL_KELVIN_VOIGT;
    m->normal.exponent = 1.0;
    m->normal.stiffness = 1e5 * p->bodies[0].mass;
    m->normal.damping = sqrt(m->normal.stiffness * 0.5 * p->bodies[0].mass);
    m->normal.restitution = p->restitution;
    m->friction.law = p->mu > 0.0 ? FF_FRICTION_STICK_SLIP : FF_FRICTION_NONE;
    m->friction.mu_static = m->friction.mu_kinetic = p->mu;
    m->friction.stiffness = 0.0;
    m->friction.torsion = m->friction.rolling = 0.0;
}

static void add_body(ff_spec *spec, int i, const pile_body *b)
{
    char name[24];
    snprintf(name, sizeof name, "b%d", i);
    ff_spec_body *body = ff_spec_add_body(spec, name, -1);
    body->has_inertial = true;
    body->mass = b->mass;
    const double *s = b->size, third = b->mass / 3.0;
    for (int k = 0; k < 3; k++) {
        const double one = s[(k + 1) % 3], two = s[(k + 2) % 3];
        body->inertia[k] = b->box ? third * (one * one + two * two) : 0.4 * b->mass * s[0] * s[0];
    }
    ff_vec3_copy(body->pos, b->pos);
    ff_spec_add_joint(spec, name, spec->nbody - 1, FF_JOINT_FREE);
    ff_spec_geom *g = ff_spec_add_geom(spec, NULL, spec->nbody - 1, b->box ? FF_SHAPE_BOX : FF_SHAPE_SPHERE);
    ff_vec3_copy(g->size, b->size);
    g->material = "pile";
}

static void *open_ours(const pile *p, ff_response response)
{
    our_pile *o = calloc(1, sizeof *o);
    ff_spec *spec = ff_spec_create(NULL);
    ff_report report = {0};
    ff_error err = {0};
    add_material(spec, p, response);
    for (int i = 0; i < p->n; i++) add_body(spec, i, &p->bodies[i]);
    ff_spec_add_geom(spec, "floor", -1, FF_SHAPE_PLANE)->material = "pile";
    o->model = ff_model_compile(spec, NULL, &report);
    ff_spec_destroy(spec);
    ff_world_options contacts = ff_world_options_default();
    contacts.response = response;
    ff_sim_options options = ff_sim_options_default();
    options.method = FF_METHOD_EULER;
    options.step = o->step = p->step;
    o->world = ff_world_create(o->model, &contacts, &report);
    o->sim = ff_sim_create(o->model, &options, &err);
    if (ff_sim_add_world(o->sim, o->world, &err) != FF_OK) fprintf(stderr, "bench_pile: %s\n", err.text);
    ff_report_clear(&report);
    return o;
}

static void *open_force(const pile *p)
{
    return open_ours(p, FF_RESPONSE_FORCE);
}

static void *open_rigid(const pile *p)
{
    return open_ours(p, p->restitution > 0.0 ? FF_RESPONSE_PROPAGATION : FF_RESPONSE_SIMULTANEOUS);
}

static void step_ours(void *context)
{
    our_pile *o = context;
    ff_error err = {0};
    if (ff_sim_run(o->sim, o->step * (double)++o->steps, &err) == FF_OK) return;
    fprintf(stderr, "bench_pile: %s\n", err.text);
    exit(1);
}

static void read_ours(void *context, int i, pile_state *out)
{
    our_pile *o = context;
    const double *q = ff_sim_q(o->sim) + 7 * i, *v = ff_sim_v(o->sim) + 6 * i;
    double R[9];
    ff_quat_to_mat3(R, q + 3);
    ff_vec3_copy(out->pos, q);
    ff_vec3_copy(out->velocity, v);
    ff_mat3_mulv(out->spin, R, v + 3);
}

static double stored_ours(void *context)
{
    const our_pile *o = context;
    const ff_energy e = ff_sim_energy(o->sim);
    return e.total - e.kinetic - e.potential;
}

static void close_ours(void *context)
{
    our_pile *o = context;
    ff_sim_destroy(o->sim);
    ff_world_destroy(o->world);
    ff_model_destroy(o->model);
    free(o);
}

static const pile_engine force = {"Footfall, force", open_force, step_ours, read_ours, stored_ours, close_ours};
static const pile_engine rigid = {"Footfall, rigid", open_rigid, step_ours, read_ours, stored_ours, close_ours};

static const pile_engine *const engines[] = {
#ifdef FF_WITH_ODE
    &pile_ode,
#endif
#ifdef FF_WITH_BULLET
    &pile_bullet,
#endif
    &force, &rigid};
enum { ENGINES = sizeof engines / sizeof *engines };

// ------------------------------------------------------------------------------------------ measures

typedef struct tally {
    double time, squares, deepest, lowest, gain, error, kinetic, start;
    int steps, samples;
} tally;

static double energy_of(const pile *p, const pile_state *s, double *kinetic)
{
    double potential = 0.0;
    *kinetic = 0.0;
    for (int i = 0; i < p->n; i++) {
        const pile_body *b = &p->bodies[i];
        const double turning =
            b->box ? b->mass * b->size[0] * b->size[0] / 1.5 : 0.4 * b->mass * b->size[0] * b->size[0];
        potential += b->mass * GRAVITY * s[i].pos[2];
        *kinetic += 0.5 * b->mass * ff_vec3_dot(s[i].velocity, s[i].velocity) +
                    0.5 * turning * ff_vec3_dot(s[i].spin, s[i].spin);
    }
    return *kinetic + potential;
}

/// Of balls alone: what a box overlaps would be another simulator's collision detection.
static double deepest_of(const pile *p, const pile_state *s)
{
    double deepest = 0.0;
    for (int i = 0; i < p->n; i++) {
        if (p->bodies[i].box) continue;
        deepest = fmax(deepest, p->bodies[i].size[0] - s[i].pos[2]);
        for (int j = 0; j < i; j++) {
            double gap[3];
            if (p->bodies[j].box) continue;
            ff_vec3_sub(gap, s[i].pos, s[j].pos);
            deepest = fmax(deepest, p->bodies[i].size[0] + p->bodies[j].size[0] - ff_vec3_norm(gap));
        }
    }
    return deepest;
}

static void look(const pile *p, const pile_engine *e, void *world, pile_state *s, tally *t)
{
    for (int i = 0; i < p->n; i++) e->read(world, i, &s[i]);
    const double stored = e->stored ? e->stored(world) : 0.0;
    const double energy = stored + energy_of(p, s, &t->kinetic), depth = deepest_of(p, s);
    if (t->samples == 0) t->start = t->lowest = energy;
    t->samples++;
    t->squares += depth * depth;
    t->deepest = fmax(t->deepest, depth);
    t->gain = fmax(t->gain, energy - t->lowest);
    t->lowest = fmin(t->lowest, energy);
    t->error += (energy - t->start) * (energy - t->start);
}

static double step_time(const tally *tallies, const char *name)
{
    for (int e = 0; e < ENGINES; e++)
        if (strcmp(engines[e]->name, name) == 0) return tallies[e].time / tallies[e].steps;
    return NAN;
}

/// Times of ours beside what is wanted; nothing where the peer is not installed.
static void compare_tallies(const tally *tallies, const char *peer, const double limits[2])
{
    const double theirs = step_time(tallies, peer);
    const pile_engine *ours[] = {&force, &rigid};
    for (int k = 0; k < 2 && theirs > 0.0; k++) {
        const double part = step_time(tallies, ours[k]->name) / theirs;
        printf("  %s takes %.2f of the time of %s, wanted <= %g: %s\n", ours[k]->name, part, peer, limits[k],
               part <= limits[k] ? "met" : "MISSED");
    }
}

/// All engines take turns of a tenth of a second, so that a busy machine slows all.
/// @param peer    that ours are compared with
/// @param limits  of the time of the responses force and rigid, as parts of its time
static void compare(const char *title, const pile *p, double seconds, const char *peer, const double limits[2])
{
    enum { BLOCK = 100, EVERY = 10 };
    void *worlds[ENGINES];
    tally tallies[ENGINES] = {0};
    pile_state *s = calloc((size_t)p->n, sizeof *s);
    const int blocks = (int)(seconds / p->step / BLOCK + 0.5);
    for (int e = 0; e < ENGINES; e++) {
        worlds[e] = engines[e]->open(p);
        look(p, engines[e], worlds[e], s, &tallies[e]);
    }
    for (int block = 0; block < blocks; block++)
        for (int e = 0; e < ENGINES; e++)
            for (int i = 0; i < BLOCK; i++) {
                const double start = now();
                engines[e]->step(worlds[e]);
                tallies[e].time += now() - start;
                tallies[e].steps++;
                if (i % EVERY == EVERY - 1) look(p, engines[e], worlds[e], s, &tallies[e]);
            }
    printf("%s\n  %-18s %10s %14s %14s %12s %12s %12s\n", title, "", "us a step", "overlap rms mm", "most mm", "gain J",
           "error J", "kinetic J");
    for (int e = 0; e < ENGINES; e++) {
        const tally *t = &tallies[e];
        printf("  %-18s %10.1f %14.2e %14.2e %12.3g %12.3g %12.3g\n", engines[e]->name, 1e6 * t->time / t->steps,
               1e3 * sqrt(t->squares / t->samples), 1e3 * t->deepest, t->gain, sqrt(t->error / t->samples), t->kinetic);
        engines[e]->close(worlds[e]);
    }
    compare_tallies(tallies, peer, limits);
    free(s);
}

// ------------------------------------------------------------------------------------------ scenes

/// n x n x n bodies a gap apart, the lowest at `height`; every second a box where asked for.
static void grid(pile_body *bodies, int n, double gap, double height, double size, double mass, bool boxes)
{
    ff_random random = ff_random_make(42, 0);
    for (int i = 0; i < n * n * n; i++) {
        const int at[3] = {i % n, i / n % n, i / n / n};
        bodies[i] = (pile_body){.box = boxes && i % 2, .size = {size, size, size}, .mass = mass};
        for (int k = 0; k < 3; k++)
            bodies[i].pos[k] = gap * at[k] + (k == 2 ? height : 0.0) + 1e-3 * (2.0 * ff_random_uniform(&random) - 1.0);
    }
}

int main(int argc, char **argv)
{
    static pile_body bodies[1000];
    const double part = argc > 1 ? atof(argv[1]) : 1.0; // of the time, for a quick look
    grid(bodies, 6, 0.21, 1.101, 0.1, 10.0, false);
    pile six = {.bodies = bodies, .n = 216, .mu = 0.8, .step = 1e-3};
    compare("666: 216 balls settle, 10 s at 1 ms", &six, 10.0 * part, "ODE, quick step", (double[]){1.0, 2.0});
    six.mu = 0.0;
    six.restitution = 1.0;
    compare("666 elastic: no friction, no loss, 10 s at 1 ms", &six, 10.0 * part, "ODE, quick step",
            (double[]){1.0, 2.0});
    grid(bodies, 10, 0.25, 0.2, 0.1, 1.0, true);
    const pile thousand = {.bodies = bodies, .n = 1000, .mu = 0.5, .step = 1e-3};
    compare("1000 boxes and balls, 3 s at 1 ms", &thousand, 3.0 * part, "Bullet", (double[]){2.0, 2.0});
    return 0;
}
