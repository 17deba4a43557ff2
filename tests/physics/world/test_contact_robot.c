// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// ANTON on its feet, joints held by a spring-damper each: it stands on a slope without creeping, and the force of its
// touch-down is a property of the rubber, not of the step. (Engines with rigid contact show peaks that grow as one over
// the step; regularised friction creeps.)
#include "support/lab.h"

/// Joint servo: K_p 60 N m/rad, K_d 1 N m s/rad (robots/anton/anton.yaml).
typedef struct servo {
    const double *goal; // q to hold
} servo;

static void hold_joints(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    const servo *s = context;
    (void)t, (void)z, (void)zdot;
    for (int i = 0; i < m->njoint; i++) {
        const ff_joint *j = &m->joints[i];
        if (j->type != FF_JOINT_HINGE) continue;
        d->tau[j->vadr] += 60.0 * (s->goal[j->qadr] - d->q[j->qadr]) - d->v[j->vadr];
    }
}

static double servo_energy(void *context, double t, const ff_model *m, ff_data *d, const double *z)
{
    const servo *s = context;
    (void)t, (void)z;
    double energy = 0.0;
    for (int i = 0; i < m->njoint; i++) {
        const ff_joint *j = &m->joints[i];
        const double off = s->goal[j->qadr] - d->q[j->qadr];
        if (j->type == FF_JOINT_HINGE) energy += 0.5 * 60.0 * off * off;
    }
    return energy;
}

static double servo_power(void *context, double t, const ff_model *m, ff_data *d, const double *z)
{
    (void)context, (void)t, (void)z;
    double power = 0.0;
    for (int i = 0; i < m->njoint; i++)
        if (m->joints[i].type == FF_JOINT_HINGE) power += d->v[m->joints[i].vadr] * d->v[m->joints[i].vadr];
    return power;
}

static void servo_slope(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *stiffness,
                        double *damping)
{
    (void)context, (void)t, (void)d, (void)z;
    for (int i = 0; i < m->njoint; i++) {
        if (m->joints[i].type != FF_JOINT_HINGE) continue;
        stiffness[m->joints[i].vadr] += 60.0;
        damping[m->joints[i].vadr] += 1.0;
    }
}

/// ANTON in its stance, its soles `height` above the floor, on a slope.
static lab anton(ff_method method, double step, double height, double slope, servo *held)
{
    lab x = lab_open(method);
    ff_load_options load = ff_load_options_default();
    ff_report report = {0};
    x.options.step = step;
    x.options.ledger = true;
    x.options.relative = 1e-7, x.options.absolute = 1e-10;
    if (ff_spec_load(x.spec, FF_SOURCE_DIR "/robots/anton/anton.yaml", &load, &report) != FF_OK)
        CHECK_FAIL("%s", report.messages[0].text);
    ff_report_clear(&report);
    lab_slope(&x, slope);
    lab_floor(&x, "rigid");
    lab_start(&x);
    const int key = ff_model_find_key(x.model, "stand");
    CHECK(key >= 0);
    ff_sim_set_state(x.sim, x.model->keys[key].q, NULL);
    ff_sim_set_q(x.sim, 2, lab_q(&x)[2] + height);
    held->goal = x.model->keys[key].q;
    ff_error err = {0};
    ff_part part = {.name = "servos",
                    .context = held,
                    .derivative = hold_joints,
                    .energy = servo_energy,
                    .power = servo_power,
                    .slope = servo_slope};
    CHECK(ff_sim_add_part(x.sim, &part, &err) >= 0);
    return x;
}

TEST(anton_stands_on_a_slope_of_ten_degrees_without_creeping)
{
    static const ff_method methods[] = {FF_METHOD_ADAPTIVE, FF_METHOD_EULER, FF_METHOD_IMPLICIT};
    for (int k = 0; k < 3; k += CHECK_LASTS(1, 2)) {
        servo held;
        lab x = anton(methods[k], methods[k] == FF_METHOD_IMPLICIT ? 1e-3 : 1e-4, -4e-4,
                      10.0 * 3.14159265358979324 / 180.0, &held);
        lab_run(&x, 3.0);
        const double from[3] = {lab_q(&x)[0], lab_q(&x)[1], lab_q(&x)[2]}, span = 2.0;
        lab_run(&x, 3.0 + span);
        double way[3];
        ff_vec3_sub(way, lab_q(&x), from);
        int count, sticking = 0;
        double weight = 0.0;
        const ff_world_contact *c = ff_world_contacts(x.world, x.sim, &count);
        for (int i = 0; i < count; i++) {
            sticking += c[i].mode == FF_CONTACT_STATIC;
            weight += c[i].force.normal;
        }
        printf("  %-8s creep %.1e m/s, %d feet stick, %.4f N\n", ff_method_name(methods[k]), ff_vec3_norm(way) / span,
               sticking, weight);
        CHECK_INT(sticking, 6);
        CHECK_NEAR(weight, x.model->mass * 9.81 * cos(10.0 * 3.14159265358979324 / 180.0), 1e-4);
        CHECK_BELOW(ff_vec3_norm(way) / span, 1e-9); // elsewhere: 2e-3 to 8e-3 m/s
        lab_close(&x);
    }
}

// ------------------------------------------------------------------------------------------ touch-down

enum { SAMPLES = 4000 };

/// Sum of the normal forces after each step.
typedef struct pulse {
    double t[SAMPLES], f[SAMPLES];
    int count;
} pulse;

static ff_sim_action follow_pulse(void *context, ff_sim *sim, double t)
{
    pulse *p = context;
    int count;
    const ff_world_contact *c = ff_world_contacts(ff_sim_world(sim), sim, &count);
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += c[i].force.normal;
    if (p->count < SAMPLES) p->t[p->count] = t, p->f[p->count++] = sum;
    return FF_SIM_GO;
}

/// Value at time t of the polynomial through five samples from `first` on.
static double through_five(const pulse *p, int first, double t)
{
    double sum = 0.0;
    for (int i = first; i < first + 5; i++) {
        double part = p->f[i];
        for (int j = first; j < first + 5; j++)
            if (j != i) part *= (t - p->t[j]) / (p->t[i] - p->t[j]);
        sum += part;
    }
    return sum;
}

/// Largest force, also between the samples, of which a short pulse has few: by a polynomial through five of them.
static double largest(const pulse *p)
{
    int top = 2;
    for (int i = 2; i < p->count - 2; i++)
        if (p->f[i] > p->f[top]) top = i;
    double most = p->f[top];
    for (int k = 0; k <= 200; k++)
        most = fmax(most, through_five(p, top - 2, p->t[top - 1] + 0.005 * k * (p->t[top + 1] - p->t[top - 1])));
    return most;
}

/// Touch-down force of ANTON dropped 1 cm; `step` 0: a tenth of the half period of the hardest contact.
static double touchdown_peak(ff_method method, double divisor, double *half_period, ff_ledger *ledger)
{
    servo held;
    ff_world_advice advice;
    lab probe = anton(FF_METHOD_EULER, 1e-4, 0.0, 0.0, &held);
    CHECK(ff_world_hardest(probe.world, probe.sim, &advice, NULL));
    *half_period = advice.step.half_period;
    lab_close(&probe);
    lab x = anton(method, *half_period / divisor, 0.01, 0.0, &held);
    static pulse p;
    p.count = 0;
    ff_error err = {0};
    ff_listener listener = {&p, follow_pulse};
    CHECK_INT(ff_sim_add_listener(x.sim, &listener, &err), FF_OK);
    lab_run(&x, 0.2);
    CHECK_INT(ff_world_get_counts(x.world).unresolved, 0);
    if (ledger) *ledger = ff_sim_ledger(x.sim);
    lab_close(&x);
    return largest(&p);
}

TEST(the_touchdown_peak_does_not_depend_on_the_step_where_it_is_resolved)
{
    // Steps in half a period of the contact: ten resolve a pulse, and a method of first order needs the twenty that are
    // advised.
    static const struct {
        ff_method method;
        double steps;
    } cases[] = {{FF_METHOD_EULER, 20}, {FF_METHOD_RK2, 10}, {FF_METHOD_RK4, 10}, {FF_METHOD_IMPLICIT, 10}};
    double half;
    for (int k = 0; k < 4; k++) {
        double coarse = touchdown_peak(cases[k].method, cases[k].steps, &half, NULL),
               fine = touchdown_peak(cases[k].method, 2.0 * cases[k].steps, &half, NULL);
        printf("  %-8s step %.0f and %.0f us: %.4f and %.4f N\n", ff_method_name(cases[k].method),
               1e6 * half / cases[k].steps, 0.5e6 * half / cases[k].steps, coarse, fine);
        CHECK_NEAR(coarse / fine, 1.0, 0.01);
    }
}

TEST(the_ledger_of_a_touchdown_closes)
{
    static const ff_method methods[] = {FF_METHOD_EULER, FF_METHOD_RK2, FF_METHOD_RK4, FF_METHOD_IMPLICIT,
                                        FF_METHOD_ADAPTIVE};
    for (int k = 0; k < 5; k++) {
        ff_ledger l;
        double half;
        touchdown_peak(methods[k], 40.0, &half, &l);
        const double turned = l.lost_normal + l.lost_friction + l.lost_joints + l.lost_parts;
        printf("  %-8s lost %.4f J: normal %.4f, friction %.4f, joints and servos %.4f; residual %.1e of it\n",
               ff_method_name(methods[k]), turned, l.lost_normal, l.lost_friction, l.lost_joints + l.lost_parts,
               l.residual / turned);
        CHECK(turned > 0.1); // [J] 5 kg fall 1 cm: 0.49 J
        CHECK_BELOW(fabs(l.residual) / turned, methods[k] == FF_METHOD_ADAPTIVE ? 1e-6 : 0.1);
    }
}
