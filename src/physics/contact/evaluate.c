// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The force of one contact point in a given state: normal law, friction law, torsion and rolling, with derivatives and
// energies. Pure: the state is read only, so that any trial state of an integrator or a Newton iteration may be
// evaluated.
#include "contact/advance.h"
#include "contact/private.h"

/// Inputs, intermediate results and outputs of an evaluation.
typedef struct evaluation {
    const ff_contact_pair *pair;
    const ff_contact_point *point;
    const ff_contact_state *state;
    ff_normal_force normal;
    double ahead;     // springs are taken at the end of a step of this length  [s]
    bool staged;      // within a Runge-Kutta step: springs follow slip and spin until its end
    double spring[3]; // at the present normal
    double turn[3];
    ff_contact_force *out;
    ff_contact_slope *slope;
} evaluation;

static const double IDENTITY[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};

/// out += s A B for 3 x 3 matrices.
static void add_product(double out[9], double s, const double A[9], const double B[9])
{
    double product[9];
    ff_mat3_mul(product, A, B);
    for (int i = 0; i < 9; i++) out[i] += s * product[i];
}

/// out += s A R, where R carries springs from the state's plane to the present normal.
static void add_carried(double out[9], const evaluation *c, double s, const double A[9])
{
    double R[9], e[3], column[3];
    if (ff_carry_stays(c->state->plane, c->point->normal)) {
        for (int i = 0; i < 9; i++) out[i] += s * A[i];
        return;
    }
    for (int j = 0; j < 3; j++) {
        ff_vec3_set(e, j == 0, j == 1, j == 2);
        ff_carry(column, c->state->plane, c->point->normal, e);
        for (int i = 0; i < 3; i++) R[3 * i + j] = column[i];
    }
    add_product(out, s, A, R);
}

/// Derivatives of a force that follows the normal force by d = d F / d F_n.
static void add_by_normal(const evaluation *c, const double d[3], double by_depth[3], double by_closing[3])
{
    ff_vec3_axpy(by_depth, c->normal.by_depth, d);
    ff_vec3_axpy(by_closing, c->normal.by_closing, d);
}

// ------------------------------------------------------------------------------------------ friction

static ff_friction_element friction_element(const evaluation *c, const ff_dash *dash, double limit)
{
    const ff_friction *f = &c->pair->friction;
    return (ff_friction_element){.k = ff_friction_uses(f, FF_USES_SPRING) ? f->stiffness * c->point->share : 0.0,
                                 .damping = dash->damping,
                                 .limit = limit,
                                 .ahead = c->ahead};
}

/// Adds friction.
static void evaluate_friction(const evaluation *c)
{
    const ff_contact_pair *pair = c->pair;
    const ff_friction *f = &pair->friction;
    const double *v = c->point->slip, share = c->point->share;
    if (f->law == FF_FRICTION_NONE) return;
    const ff_friction_limits limits = ff_contact_limits(pair, c->normal.force);
    ff_contact_force *out = c->out;
    ff_dash dash;
    ff_friction_result g;
    ff_dash_evaluate(&dash, pair, share, c->point->depth, v);
    bool sticks = c->state->mode == FF_CONTACT_STATIC;
    ff_friction_element law = friction_element(c, &dash, sticks ? limits.sticking : limits.sliding);
    ff_friction_evaluate(&g, &law, c->spring, dash.force, v);
    if (c->staged && sticks && g.slides && ff_vec3_dot(g.force, v) < 0.0) { // it slips within the step
        sticks = false;
        law.limit = limits.sliding;
        ff_friction_evaluate(&g, &law, c->spring, dash.force, v);
    }
    out->limit = law.limit;
    ff_vec3_copy(out->tangential, g.force);
    ff_carry(out->spring_rate, c->point->normal, c->state->plane, c->staged && law.k > 0.0 ? v : g.rate);
    out->wanted = g.wanted;
    out->loss_friction += g.loss;
    if (!c->slope) return;
    ff_contact_slope *d = c->slope;
    if (!g.slides) {
        for (int i = 0; i < 9; i++) d->force_slip[i] -= dash.by_slip[i];
        add_carried(d->force_spring, c, -law.k, IDENTITY);
        ff_vec3_axpy(d->force_depth, -1.0, dash.by_depth);
        return;
    }
    double by_depth[3];
    add_product(d->force_slip, -1.0, g.pass, dash.by_slip);
    add_carried(d->force_spring, c, -law.k, g.pass);
    ff_mat3_mulv(by_depth, g.pass, dash.by_depth);
    ff_vec3_axpy(d->force_depth, -1.0, by_depth);
    ff_vec3_scale(by_depth, g.by_limit, sticks ? ff_friction_static_coefficient(f) : f->mu_kinetic);
    add_by_normal(c, by_depth, d->force_depth, d->force_closing);
}

// ------------------------------------------------------------------------------------------ torsion and rolling

/// Torsion or rolling.
typedef struct turn_law {
    double stiffness; // of the whole pair                               [N m/rad]
    double inertia;   // of what turns, 0: not known                     [kg m^2]
    double arm;       // lever of the limit                              [m]
    double axes[9];   // projects onto the normal, or onto the plane
} turn_law;

/// Damping of a spring k against turning, of the whole pair: that of the material of the patch, and at least the
/// critical one of the inertia I that turns on it, 2 sqrt(k I); otherwise a ball that has come to rest would oscillate
/// for seconds. The spring-dashpot model of rolling in J. Ai et al., Powder Technology 206 (2011), 269-282.  [N m
/// s/rad]
static double turn_damping(const evaluation *c, const turn_law *t)
{
    return ff_max(t->stiffness * c->pair->turn_lag, 2.0 * sqrt(t->stiffness * t->inertia));
}

static ff_friction_element turn_element(const evaluation *c, const turn_law *turn)
{
    return (ff_friction_element){.k = turn->stiffness * c->point->share,
                                 .damping = turn_damping(c, turn) * c->point->share,
                                 .limit = turn->arm * c->normal.force,
                                 .ahead = c->ahead};
}

/// Adds the moment of torsion or rolling at the spring x and the angular velocity w, and the rate of the spring.
static void add_turn(const evaluation *c, const turn_law *turn, const double x[3], const double w[3], double rate[3])
{
    const ff_friction_element law = turn_element(c, turn);
    double g[3];
    ff_friction_result t;
    ff_vec3_scale(g, w, law.damping);
    ff_friction_evaluate(&t, &law, x, g, w);
    ff_vec3_add(c->out->moment, c->out->moment, t.force);
    ff_vec3_add(rate, rate, c->staged ? w : t.rate);
    c->out->loss_friction += t.loss;
    if (!c->slope) return;
    double projected[9], by_normal[3];
    ff_mat3_mul(projected, t.slides ? t.pass : IDENTITY, turn->axes);
    for (int i = 0; i < 9; i++) c->slope->moment_spin[i] -= law.damping * projected[i];
    add_carried(c->slope->moment_turn, c, -law.k, projected);
    if (!t.slides) return;
    ff_vec3_scale(by_normal, t.by_limit, turn->arm);
    add_by_normal(c, by_normal, c->slope->moment_depth, c->slope->moment_closing);
}

static turn_law turn_law_of(const evaluation *c, bool rolls)
{
    const double *n = c->point->normal;
    turn_law turn = {rolls ? c->pair->rolling_stiffness : c->pair->torsion_stiffness,
                     c->point->inertia[rolls],
                     rolls ? c->pair->friction.rolling : c->pair->friction.torsion,
                     {0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) turn.axes[3 * i + j] = rolls ? (i == j) - n[i] * n[j] : n[i] * n[j];
    return turn;
}

/// Adds torsion and rolling.
static void evaluate_turning(const evaluation *c)
{
    const double *n = c->point->normal;
    const turn_law torsion = turn_law_of(c, false), rolling = turn_law_of(c, true);
    double twist[3], roll[3], twist_speed[3], roll_speed[3], rate[3] = {0};
    ff_split(c->turn, n, twist, roll);
    ff_split(c->point->spin, n, twist_speed, roll_speed);
    if (torsion.arm > 0.0) add_turn(c, &torsion, twist, twist_speed, rate);
    if (rolling.arm > 0.0) add_turn(c, &rolling, roll, roll_speed, rate);
    ff_carry(c->out->turn_rate, n, c->state->plane, rate);
}

// ------------------------------------------------------------------------------------------ all forces

/// Time since a point that is open and in touch has touched, within a step with stages.  [s]
static double since_touch(const ff_contact_pair *pair, const ff_contact_point *point)
{
    return point->closing > 0.0 ? ff_min(point->depth / point->closing, pair->staged) : 0.0;
}

/// Springs at the present normal: those of the state, or by slip and spin since a touch-down in this step.
static void set_springs(evaluation *c)
{
    const ff_contact_state *state = c->state;
    if (c->staged && state->mode == FF_CONTACT_OPEN) {
        const double time = since_touch(c->pair, c->point);
        ff_vec3_scale(c->spring, c->point->slip, time);
        ff_vec3_scale(c->turn, c->point->spin, time);
        return;
    }
    ff_carry(c->spring, state->plane, c->point->normal, state->spring);
    if (ff_contact_turns(c->pair)) ff_carry(c->turn, state->plane, c->point->normal, state->turn);
}

void ff_contact_evaluate_ahead(const ff_contact_pair *pair, const ff_contact_point *point,
                               const ff_contact_state *state, double ahead, ff_contact_force *out,
                               ff_contact_slope *slope)
{
    *out = (ff_contact_force){0};
    if (slope) *slope = (ff_contact_slope){0};
    bool open = state->mode == FF_CONTACT_OPEN;
    out->elastic_friction = ff_contact_stored(pair, point->share, state);
    if (!(point->depth > 0.0)) return;
    evaluation c = {
        .pair = pair, .point = point, .state = state, .staged = pair->staged > 0.0, .out = out, .slope = slope};
    c.ahead = open ? 0.0 : ahead; // springs of a point that touches in the step are slack until its end
    c.normal = ff_normal_evaluate(pair, point->share, point->depth, point->closing, open ? 0.0 : state->impact_speed);
    set_springs(&c);
    out->normal = c.normal.force;
    out->elastic_normal = c.normal.elastic;
    out->loss_normal = c.normal.loss;
    if (slope) add_by_normal(&c, point->normal, slope->force_depth, slope->force_closing);
    evaluate_friction(&c);
    if (ff_contact_turns(pair)) evaluate_turning(&c);
    ff_vec3_scale(out->force, point->normal, out->normal);
    ff_vec3_add(out->force, out->force, out->tangential);
}

void ff_contact_evaluate(const ff_contact_pair *pair, const ff_contact_point *point, const ff_contact_state *state,
                         ff_contact_force *out, ff_contact_slope *slope)
{
    ff_contact_evaluate_ahead(pair, point, state, pair->ahead, out, slope);
}

void ff_contact_advance(const ff_contact_pair *pair, const ff_contact_point *point, double normal, double time,
                        ff_contact_state *state)
{
    ff_contact_force force = {0};
    if (state->mode == FF_CONTACT_OPEN || !(point->depth > 0.0)) return;
    evaluation c = {.pair = pair, .point = point, .state = state, .out = &force, .ahead = time};
    c.normal.force = normal;
    set_springs(&c);
    evaluate_friction(&c);
    if (ff_contact_turns(pair)) evaluate_turning(&c);
    ff_vec3_axpy(state->spring, time, force.spring_rate);
    ff_vec3_axpy(state->turn, time, force.turn_rate);
}

/// Returns the friction spring, or one of torsion or rolling, after it has followed the slip for a time.
static void return_spring(const evaluation *c, double time, double spring[3])
{
    const ff_friction_limits limits = ff_contact_limits(c->pair, c->normal.force);
    ff_dash dash;
    ff_dash_evaluate(&dash, c->pair, c->point->share, c->point->depth, c->point->slip);
    const ff_friction_element law =
        friction_element(c, &dash, c->state->mode == FF_CONTACT_STATIC ? limits.sticking : limits.sliding);
    ff_friction_return_spring(&law, time, dash.force, spring);
}

static void return_turn(const evaluation *c, const turn_law *turn, double time, const double spin[3], double x[3])
{
    const ff_friction_element law = turn_element(c, turn);
    double g[3];
    ff_vec3_scale(g, spin, law.damping);
    if (turn->arm > 0.0)
        ff_friction_return_spring(&law, time, g, x);
    else
        ff_vec3_set(x, 0.0, 0.0, 0.0);
}

static void return_turns(const evaluation *c, double time, double turn[3])
{
    const turn_law torsion = turn_law_of(c, false), rolling = turn_law_of(c, true);
    double twist[3], roll[3], twist_speed[3], roll_speed[3];
    ff_split(turn, c->point->normal, twist, roll);
    ff_split(c->point->spin, c->point->normal, twist_speed, roll_speed);
    return_turn(c, &torsion, time, twist_speed, twist);
    return_turn(c, &rolling, time, roll_speed, roll);
    ff_vec3_add(turn, twist, roll);
}

double ff_contact_return_springs(const ff_contact_pair *pair, const ff_contact_point *point, int from, double time,
                                 ff_contact_state *state)
{
    if (state->mode == FF_CONTACT_OPEN) return 0.0;
    const bool touched = from == FF_CONTACT_OPEN, turns = ff_contact_turns(pair), springs = ff_contact_has_spring(pair);
    const double before = ff_contact_stored(pair, point->share, state);
    const double duration = touched ? since_touch(pair, point) : time;
    evaluation c = {.pair = pair, .point = point, .state = state};
    c.normal = ff_normal_evaluate(pair, point->share, point->depth, point->closing, state->impact_speed);
    if (touched && springs) ff_vec3_scale(state->spring, point->slip, duration);
    if (touched && turns) ff_vec3_scale(state->turn, point->spin, duration);
    if (springs) return_spring(&c, duration, state->spring);
    if (turns) return_turns(&c, duration, state->turn);
    return before - ff_contact_stored(pair, point->share, state);
}

void ff_contact_point_motion(ff_contact_point *point, const double velocity[3], const double spin[3])
{
    double along = ff_vec3_dot(velocity, point->normal);
    point->closing = -along;
    ff_vec3_copy(point->slip, velocity);
    ff_vec3_axpy(point->slip, -along, point->normal);
    ff_vec3_copy(point->spin, spin);
}
