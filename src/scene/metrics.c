// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a run is measured by. A read-only task looks at the simulation 100 times a second; drifts count from the moment the
// last scripted force ends, since before it energy and momentum have a reason to change.
#include "scene/internal.h"

#include <footfall/text.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES_PER_SECOND   100
#define MOST_CONTACT_METRICS 20

enum {
    TIME,
    ENERGY_START,
    ENERGY_FINAL,
    ENERGY_DRIFT,
    ENERGY_RELATIVE,
    ENERGY_MSE,
    KINETIC_MAX,
    KINETIC_FINAL,
    LINEAR_DRIFT,
    ANGULAR_DRIFT,
    COM_X,
    COM_Y,
    COM_Z,
    COM_LOWEST,
    COM_HIGHEST,
    LOST_NORMAL,
    LOST_FRICTION,
    LOST_JOINTS,
    LOST_PARTS,
    WORK,
    RESIDUAL,
    RESIDUAL_RELATIVE,
    FIXED_METRICS
};

static const char *const joint_help[3][2] = {
    {"joints.NAME.final", "position of a hinge or slide at the end [rad, m]"},
    {"joints.NAME.min", "its least value [rad, m]"},
    {"joints.NAME.max", "its greatest value [rad, m]"},
};

static const char *const fixed[FIXED_METRICS][2] = {
    [TIME] = {"time", "time reached [s]"},
    [ENERGY_START] = {"energy.start", "total energy at the start, or when the last scripted force ends [J]"},
    [ENERGY_FINAL] = {"energy.final", "total energy at the end [J]"},
    [ENERGY_DRIFT] = {"energy.drift", "largest |E - energy.start| since then [J]"},
    [ENERGY_RELATIVE] = {"energy.drift.relative", "energy.drift over the largest kinetic energy since then"},
    [ENERGY_MSE] = {"energy.mse", "mean of (E - energy.start)^2 since then [J^2]"},
    [KINETIC_MAX] = {"energy.kinetic.max", "largest kinetic energy since then [J]"},
    [KINETIC_FINAL] = {"energy.kinetic.final", "kinetic energy at the end [J]"},
    [LINEAR_DRIFT] = {"momentum.linear.drift", "largest change of linear momentum beyond that of gravity [N s]"},
    [ANGULAR_DRIFT] = {"momentum.angular.drift", "largest change of angular momentum about the centre of mass [N m s]"},
    [COM_X] = {"com.x", "centre of mass at the end [m]"},
    [COM_Y] = {"com.y", "centre of mass at the end [m]"},
    [COM_Z] = {"com.z", "centre of mass at the end [m]"},
    [COM_LOWEST] = {"com.lowest", "least height of the centre of mass [m]"},
    [COM_HIGHEST] = {"com.highest", "greatest height of the centre of mass [m]"},
    [LOST_NORMAL] = {"ledger.lost.normal", "energy lost in contacts along the normal [J]"},
    [LOST_FRICTION] = {"ledger.lost.friction", "energy lost in contacts by friction [J]"},
    [LOST_JOINTS] = {"ledger.lost.joints", "energy lost in dampers, dry friction and stops of joints [J]"},
    [LOST_PARTS] = {"ledger.lost.parts", "energy lost in springs and other parts [J]"},
    [WORK] = {"ledger.work", "work of drives and scripted forces [J]"},
    [RESIDUAL] = {"ledger.residual", "what the balance of energy lacks at the end: the error of the integration [J]"},
    [RESIDUAL_RELATIVE] =
        {"ledger.residual.relative",
         "the same over the energy turned over: all that was lost, put in, and the largest kinetic energy"},
};

struct ff_scene_measure {
    double begin; // drifts count from here  [s]
    bool begun;
    long long samples; // since then
    double energy0, momentum0[6];
    double drift, squares, kinetic_max, linear_drift, angular_drift;
    double kinetic_most; // since the start
    double lowest, highest;
    double *low, *high; // of each joint's first coordinate  (njoint)
};

const char *ff_scene_metric_help(int i, const char **meaning)
{
    int contacts = 0;
    while (ff_scene_contact_metric_name(contacts, NULL)) contacts++;
    if (i < 0) return NULL;
    if (i >= FIXED_METRICS && i < FIXED_METRICS + contacts)
        return ff_scene_contact_metric_name(i - FIXED_METRICS, meaning);
    if (i >= FIXED_METRICS + contacts + 3) {
        int bodies = 0;
        i -= FIXED_METRICS + contacts + 3;
        while (ff_scene_body_metric_name(bodies, NULL)) bodies++;
        int drives = 0;
        while (ff_scene_drive_metric_name(drives, NULL)) drives++;
        int sensors = 0;
        while (ff_scene_sensor_metric_name(sensors, NULL)) sensors++;
        if (i < bodies) return ff_scene_body_metric_name(i, meaning);
        if (i < bodies + drives) return ff_scene_drive_metric_name(i - bodies, meaning);
        i -= bodies + drives;
        if (i < sensors) return ff_scene_sensor_metric_name(i, meaning);
        int signals = 0;
        while (ff_scene_signal_metric_name(signals, NULL)) signals++;
        return i < sensors + signals ? ff_scene_signal_metric_name(i - sensors, meaning)
                                     : ff_scene_walk_metric_name(i - sensors - signals, meaning);
    }
    const char *const *entry = i < FIXED_METRICS ? fixed[i] : joint_help[i - FIXED_METRICS - contacts];
    if (meaning) *meaning = entry[1];
    return entry[0];
}

// ------------------------------------------------------------------------------------------ measuring

/// @return kinetic energy  [J]
static double sample_drifts(const ff_scene *scene, struct ff_scene_measure *s, const ff_data *d, double t)
{
    ff_energy energy = ff_sim_energy(scene->sim);
    double h[6], change[3], turn[3], gravity[3];
    ff_dyn_momentum(scene->model, d, h);
    if (!s->begun) {
        s->begun = true;
        s->begin = t;
        s->energy0 = energy.total;
        memcpy(s->momentum0, h, sizeof h);
    }
    double error = energy.total - s->energy0;
    s->samples++;
    s->drift = ff_max(s->drift, fabs(error));
    s->squares += error * error;
    s->kinetic_max = ff_max(s->kinetic_max, energy.kinetic);
    ff_vec3_sub(turn, h, s->momentum0);
    ff_vec3_sub(change, h + 3, s->momentum0 + 3);
    ff_vec3_scale(gravity, scene->model->gravity, (scene->model->mass - scene->model->fixed_mass) * (t - s->begin));
    ff_vec3_sub(change, change, gravity);
    s->linear_drift = ff_max(s->linear_drift, ff_vec3_norm(change));
    s->angular_drift = ff_max(s->angular_drift, ff_vec3_norm(turn));
    return energy.kinetic;
}

static ff_sim_action sample(void *context, ff_sim *sim, double t)
{
    ff_scene *scene = context;
    struct ff_scene_measure *s = scene->measure;
    const ff_data *d = ff_sim_data(sim);
    double com[3];
    ff_dyn_com(scene->model, d, com);
    s->lowest = ff_min(s->lowest, com[2]);
    s->highest = ff_max(s->highest, com[2]);
    for (int i = 0; i < scene->model->njoint; i++) {
        double q = d->q[scene->model->joints[i].qadr];
        s->low[i] = ff_min(s->low[i], q);
        s->high[i] = ff_max(s->high[i], q);
    }
    const bool counts = s->begun || ff_ticks_from_seconds(t) >= ff_ticks_from_seconds(s->begin);
    const double kinetic = counts ? sample_drifts(scene, s, d, t) : ff_dyn_kinetic_energy(scene->model, d);
    s->kinetic_most = ff_max(s->kinetic_most, kinetic);
    return FF_SIM_GO;
}

ff_status ff_scene_add_measure(ff_scene *scene, ff_error *err)
{
    struct ff_scene_measure *s = FF_ARENA_NEW(&scene->arena, struct ff_scene_measure, 1);
    int n = scene->model->njoint;
    if (s) s->low = FF_ARENA_NEW(&scene->arena, double, n + 1);
    if (s) s->high = FF_ARENA_NEW(&scene->arena, double, n + 1);
    if (!s || !s->low || !s->high) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    s->lowest = INFINITY;
    s->highest = -INFINITY;
    for (int i = 0; i < n; i++) {
        s->low[i] = INFINITY;
        s->high[i] = -INFINITY;
    }
    for (int i = 0; i < scene->nforce; i++)
        if (scene->forces[i].to < scene->time) s->begin = ff_max(s->begin, scene->forces[i].to);
    scene->measure = s;
    ff_task task = {.name = "measure",
                    .period = FF_TICKS_PER_SECOND / SAMPLES_PER_SECOND,
                    .reads_only = true,
                    .context = scene,
                    .run = sample};
    return ff_sim_add_task(scene->sim, &task, err) < 0 ? FF_NO_MEMORY : FF_OK;
}

// ------------------------------------------------------------------------------------------ results

static void fill_fixed(ff_scene *scene, double values[FIXED_METRICS])
{
    const struct ff_scene_measure *s = scene->measure;
    ff_energy energy = ff_sim_energy(scene->sim);
    double com[3];
    ff_dyn_com(scene->model, ff_sim_data(scene->sim), com);
    values[TIME] = ff_sim_time(scene->sim);
    values[ENERGY_START] = s->energy0;
    values[ENERGY_FINAL] = energy.total;
    values[ENERGY_DRIFT] = s->drift;
    values[ENERGY_RELATIVE] = s->kinetic_max > 0.0 ? s->drift / s->kinetic_max : 0.0;
    values[ENERGY_MSE] = s->samples > 0 ? s->squares / (double)s->samples : 0.0;
    values[KINETIC_MAX] = s->kinetic_max;
    values[KINETIC_FINAL] = energy.kinetic;
    values[LINEAR_DRIFT] = s->linear_drift;
    values[ANGULAR_DRIFT] = s->angular_drift;
    values[COM_X] = com[0];
    values[COM_Y] = com[1];
    values[COM_Z] = com[2];
    values[COM_LOWEST] = s->lowest;
    values[COM_HIGHEST] = s->highest;
}

static void fill_ledger(ff_scene *scene, double values[FIXED_METRICS])
{
    const ff_ledger l = ff_sim_ledger(scene->sim);
    // A wrong entry may be negative: it must not hide the residual.
    const double turned = ff_max(l.lost_normal, 0.0) + ff_max(l.lost_friction, 0.0) + ff_max(l.lost_joints, 0.0) +
                          ff_max(l.lost_parts, 0.0) + fabs(l.work) + scene->measure->kinetic_most;
    values[LOST_NORMAL] = l.lost_normal;
    values[LOST_FRICTION] = l.lost_friction;
    values[LOST_JOINTS] = l.lost_joints;
    values[LOST_PARTS] = l.lost_parts;
    values[WORK] = l.work;
    values[RESIDUAL] = l.residual;
    values[RESIDUAL_RELATIVE] = turned > 0.0 ? fabs(l.residual) / turned : fabs(l.residual) > 0.0 ? INFINITY : 0.0;
}

static void put(ff_scene *scene, const char *name, double value)
{
    if (name) scene->metrics[scene->nmetric++] = (ff_metric){name, value};
}

static void fill_metrics(ff_scene *scene)
{
    const struct ff_scene_measure *s = scene->measure;
    double values[FIXED_METRICS];
    fill_fixed(scene, values);
    fill_ledger(scene, values);
    for (int i = 0; i < FIXED_METRICS; i++) put(scene, fixed[i][0], values[i]);
    for (int i = 0; i < MOST_CONTACT_METRICS && ff_scene_contact_metric_name(i, NULL); i++)
        put(scene, ff_scene_contact_metric_name(i, NULL), ff_scene_contact_metric(scene, i));
    ff_scene_put_walk(scene);
    const double *q = ff_sim_q(scene->sim);
    for (int i = 0; i < scene->model->njoint; i++) {
        const ff_joint *joint = &scene->model->joints[i];
        if (!ff_joint_is_scalar(joint->type)) continue;
        put(scene, ff_arena_printf(&scene->arena, "joints.%s.final", joint->name), q[joint->qadr]);
        put(scene, ff_arena_printf(&scene->arena, "joints.%s.min", joint->name), s->low[i]);
        put(scene, ff_arena_printf(&scene->arena, "joints.%s.max", joint->name), s->high[i]);
    }
}

void ff_scene_judge(ff_scene *scene, bool finished)
{
    scene->nmetric = 0;
    scene->passed = finished;
    scene->metrics = FF_ARENA_NEW(&scene->arena, ff_metric,
                                  FIXED_METRICS + MOST_CONTACT_METRICS + 3 * scene->model->njoint +
                                      ff_scene_count_walk_metrics(scene));
    if (scene->metrics) {
        const struct ff_scene_measure before = *scene->measure;
        void *walk = finished ? NULL : ff_scene_save_walk(scene);
        ff_sim_evaluate(scene->sim, FF_SIM_VELOCITY, NULL);
        sample(scene, scene->sim, ff_sim_time(scene->sim));
        ff_scene_end_walk(scene);
        fill_metrics(scene);
        if (!finished) *scene->measure = before; // one that goes on counts this moment once
        ff_scene_restore_walk(scene, walk);
    }
    for (int i = 0; i < scene->nexpectation; i++) {
        ff_expectation *e = &scene->expectations[i];
        e->got = NAN;
        ff_scene_metric(scene, e->metric, &e->got);
        e->met = finished && e->got >= e->at_least && e->got <= e->at_most &&
                 (!e->has_is || fabs(e->got - e->is) <= e->within);
        scene->passed = scene->passed && (e->met || e->other_seed);
    }
}

const ff_verdict *ff_scene_verdicts(const ff_scene *scene, ff_arena *arena, int *count)
{
    ff_verdict *all = FF_ARENA_NEW(arena, ff_verdict, scene->nexpectation + 1);
    *count = 0;
    for (int i = 0; all && i < scene->nexpectation; i++) {
        const ff_expectation *e = &scene->expectations[i];
        if (e->other_seed) continue;
        all[(*count)++] = (ff_verdict){.metric = e->metric,
                                       .has_is = e->has_is,
                                       .is = e->is,
                                       .within = e->within,
                                       .at_least = e->at_least,
                                       .at_most = e->at_most,
                                       .got = e->got,
                                       .met = e->met,
                                       .source = e->source};
    }
    return all;
}

bool ff_scene_metric(const ff_scene *scene, const char *name, double *value)
{
    for (int i = 0; i < scene->nmetric; i++) {
        if (strcmp(scene->metrics[i].name, name) != 0) continue;
        *value = scene->metrics[i].value;
        return true;
    }
    return ff_scene_body_metric(scene, name, value) || ff_scene_drive_metric(scene, name, value) ||
           ff_scene_sensor_metric(scene, name, value) || ff_scene_signal_metric(scene, name, value);
}

// ------------------------------------------------------------------------------------------ expectations

static bool ends_with(const char *text, size_t length, const char *end)
{
    size_t n = strlen(end);
    return length >= n && strcmp(text + length - n, end) == 0;
}

/// joints.NAME.final, .min, .max of a hinge or slide.
static bool is_joint_metric(const ff_model *m, const char *name)
{
    static const char *const ends[] = {".final", ".min", ".max"};
    static const char start[] = "joints.";
    size_t length = strlen(name), begin = sizeof start - 1;
    if (strncmp(name, start, begin) != 0) return false;
    for (int k = 0; k < 3; k++) {
        if (!ends_with(name, length, ends[k]) || length <= begin + strlen(ends[k])) continue;
        size_t middle = length - begin - strlen(ends[k]);
        for (int i = 0; i < m->njoint; i++)
            if (ff_joint_is_scalar(m->joints[i].type) && strlen(m->joints[i].name) == middle &&
                strncmp(m->joints[i].name, name + begin, middle) == 0)
                return true;
    }
    return false;
}

static bool check_metric(const ff_scene_reader *r, const ff_yaml *node, const char *name)
{
    const char *names[FIXED_METRICS + MOST_CONTACT_METRICS];
    int n = 0;
    for (; n < FIXED_METRICS; n++) names[n] = fixed[n][0];
    while (n < FIXED_METRICS + MOST_CONTACT_METRICS &&
           (names[n] = ff_scene_contact_metric_name(n - FIXED_METRICS, NULL)) != NULL)
        n++;
    for (int i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0) return true;
    if (is_joint_metric(r->scene->model, name) || ff_scene_is_body_metric(r->scene->model, name) ||
        ff_scene_is_walk_metric(r->scene, name) || ff_scene_is_drive_metric(r->scene, name) ||
        ff_scene_is_sensor_metric(r->scene, name) || ff_scene_is_signal_metric(r->scene, name))
        return true;
    const char *near = ff_yaml_hint(name, names, n, r->report);
    if (!near) near = ff_scene_walk_hint(r->scene, name, r->report);
    ff_report_add(
        r->report, FF_ERROR, node->place,
        "no metric '%.60s'%s%s%s; known are time, energy.drift, momentum.linear.drift, com.z, joints.NAME.final, "
        "contacts.force.max, bodies.NAME.z.final and others listed in docs/scenes.md",
        name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return false;
}

static void read_expectation(const ff_scene_reader *r, ff_yaml *node)
{
    ff_scene *scene = r->scene;
    if (!ff_yaml_expect(node, FF_YAML_MAP, "{metric: .., is: .., within: ..}", r->report)) return;
    ff_yaml *metric = ff_yaml_need(node, "metric", r->report);
    const char *name = metric ? ff_yaml_as_string(metric, r->report) : NULL;
    if (!name || !check_metric(r, metric, name)) return;
    ff_expectation *e = &scene->expectations[scene->nexpectation];
    *e = (ff_expectation){.place = node->place, .at_least = -INFINITY, .at_most = INFINITY, .got = NAN};
    e->place.file = r->file;
    e->metric = ff_arena_strdup(&scene->arena, name);
    e->source = ff_arena_strdup(&scene->arena, ff_yaml_string(node, "source", "", r->report));
    e->has_is = ff_yaml_get(node, "is") != NULL;
    e->is = ff_yaml_number(node, "is", 0.0, r->report);
    e->within = ff_yaml_number(node, "within", 0.0, r->report);
    e->at_least = ff_yaml_number(node, "at_least", -INFINITY, r->report);
    e->at_most = ff_yaml_number(node, "at_most", INFINITY, r->report);
    uint64_t seed = scene->options.seed;
    ff_scene_seed(r, node, &seed);
    e->other_seed = seed != scene->options.seed;
    bool bounded = ff_yaml_get(node, "at_least") || ff_yaml_get(node, "at_most");
    if (e->has_is != (ff_yaml_get(node, "within") != NULL))
        ff_report_add(r->report, FF_ERROR, node->place, "'is' and 'within' go together");
    else if (!e->has_is && !bounded)
        ff_report_add(r->report, FF_ERROR, node->place,
                      "nothing is expected here: give 'is' and 'within', 'at_least' or "
                      "'at_most'");
    else if (e->within < 0.0)
        ff_report_add(r->report, FF_ERROR, node->place, "'within' is %g: it must not be negative", e->within);
    if (e->metric && e->source) scene->nexpectation++;
}

void ff_scene_read_expectations(ff_scene_reader *r)
{
    ff_yaml *list = ff_yaml_get(r->root, "expect");
    int n = ff_scene_list(r, list, "a list of expectations");
    r->scene->expectations = FF_ARENA_NEW(&r->scene->arena, ff_expectation, n + 1);
    if (n == 0 || !r->scene->expectations) return;
    for (ff_yaml *node = list->child; node; node = node->next) read_expectation(r, node);
}
