// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// All sensors of a model: which type a name means (our own names and those of MJCF), where each sits, what lies below
// its cut, and its share of one block of memory. The random streams of a sensor follow from its name, so that another
// sensor does not change its noise.
#include "model/edit.h"
#include "sense/kinds.h"
#include "sense/private.h"

#include <footfall/fusion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double MEMORY_MOST = 268435456.0, PIXELS_MOST = 64e6; // of all sensors  [byte, pixel]

ff_sensor_options ff_sensor_options_default(void)
{
    return (ff_sensor_options){.stages = FF_STAGES_ALL, .cameras = true};
}

static uint64_t stream_of(const char *name)
{
    // the streams of the channels follow from here, those of estimates and taxels at distances beyond the most channels
    return ff_hash(name, strlen(name), FF_HASH_START) << 12;
}

// ------------------------------------------------------------------------------------------ type and place

/// Finds the body that an object is fixed to, and its pose there. @param kind  "site", "body", "inertia" or "geom"
/// @return false: the model has no such object
static bool find_frame(const ff_model *m, const char *kind, const char *name, int *body, double pos[3], double R[9])
{
    ff_vec3_set(pos, 0, 0, 0);
    ff_mat3_identity(R);
    *body = -1;
    if (strcmp(kind, "site") == 0) {
        const int frame = ff_model_find_frame(m, name);
        if (frame < 0) return false;
        *body = m->frames[frame].body;
        ff_vec3_copy(pos, m->frames[frame].pos);
        ff_quat_to_mat3(R, m->frames[frame].quat);
        return true;
    }
    for (int i = 0; strcmp(kind, "geom") == 0 && i < m->ngeom; i++) {
        const ff_geom *geom = &m->geoms[i];
        if (!geom->name || strcmp(geom->name, name) != 0) continue;
        *body = geom->body;
        ff_vec3_copy(pos, geom->pos);
        ff_quat_to_mat3(R, geom->quat);
        return true;
    }
    const bool inertia = strcmp(kind, "inertia") == 0;
    if (!inertia && strcmp(kind, "body") != 0) return false;
    *body = ff_model_find_body(m, name);
    if (*body < 0) return name[0] == '\0' || strcmp(name, "world") == 0;
    if (!inertia) return true;
    ff_vec3_copy(pos, m->bodies[*body].com);
    ff_quat_to_mat3(R, m->bodies[*body].axes);
    return true;
}

static bool sits_on_joint(const ff_sensor *s, const ff_model *m, ff_sensor_seat seat)
{
    if (s->joint < 0) return false;
    const ff_joint_type type = m->joints[s->joint].type;
    if (seat == FF_SEAT_JOINT) return ff_joint_is_scalar(type);
    return type == FF_JOINT_BALL || (seat == FF_SEAT_LIMIT && ff_joint_is_scalar(type));
}

/// Finds the seat of a sensor. @return false: not one that its type needs
static bool find_seat(ff_sensor *s, const ff_model *m, const ff_spec_sensor *from)
{
    const ff_sensor_seat seat = ff_sensor_kind_of(s->type)->seat;
    const bool joint = strcmp(from->object_type, "joint") == 0, actuator = strcmp(from->object_type, "actuator") == 0;
    if (joint) s->joint = ff_model_find_joint(m, from->object);
    if (actuator) s->actuator = ff_model_find_actuator(m, from->object);
    if (strcmp(from->object_type, "tendon") == 0) s->tendon = ff_model_find_tendon(m, from->object);
    if (s->actuator >= 0) s->joint = m->actuators[s->actuator].joint;
    switch (seat) {
    case FF_SEAT_JOINT:
    case FF_SEAT_BALL:
    case FF_SEAT_LIMIT:
        if (!sits_on_joint(s, m, seat)) return false;
        s->body = m->joints[s->joint].body;
        s->slides = m->joints[s->joint].type == FF_JOINT_SLIDE;
        return true;
    case FF_SEAT_TENDON:
        return s->tendon >= 0;
    case FF_SEAT_ACTUATOR:
        return s->actuator >= 0;
    case FF_SEAT_FRAME:
        return find_frame(m, from->object_type, from->object, &s->body, s->pos, s->R);
    case FF_SEAT_ANYWHERE:
        break;
    }
    find_frame(m, from->object_type, from->object, &s->body, s->pos, s->R);
    return !joint && !actuator && s->tendon < 0;
}

static bool place_sensor(ff_sensor *s, const ff_model *m, const ff_spec_sensor *from, ff_report *report)
{
    static const char *const seats[] = {[FF_SEAT_JOINT] = "a joint, a hinge or a slide",
                                        [FF_SEAT_BALL] = "a ball joint",
                                        [FF_SEAT_LIMIT] = "a hinge, a slide or a ball joint",
                                        [FF_SEAT_FRAME] = "a frame or a body",
                                        [FF_SEAT_TENDON] = "a tendon",
                                        [FF_SEAT_ACTUATOR] = "an actuator",
                                        [FF_SEAT_ANYWHERE] = "a frame or a body"};
    s->joint = s->body = s->tendon = s->actuator = -1;
    ff_mat3_identity(s->R);
    if (find_seat(s, m, from)) return true;
    ff_report_add(report, FF_ERROR, s->place, "sensor '%.60s' of type %s sits on %s", s->name,
                  ff_sensor_type_name(s->type), seats[ff_sensor_kind_of(s->type)->seat]);
    return false;
}

static bool is_of_subtree(ff_sensor_type type)
{
    return type == FF_SENSOR_SUBTREECOM || type == FF_SENSOR_SUBTREELINVEL || type == FF_SENSOR_SUBTREEANGMOM;
}

/// Lists the body of a sensor with all its descendants; of the world all bodies. @return false without memory
static bool list_below(ff_sensor *s, const ff_model *m, ff_arena *arena)
{
    const bool tree = is_of_subtree(s->type);
    if (!tree && (!(ff_sensor_needs(s->type) & FF_NEEDS_FORCES) || s->body < 0)) return true;
    bool *below = calloc((size_t)m->nbody + 1, sizeof *below);
    s->below = FF_ARENA_NEW(arena, int, m->nbody + 1);
    if (!below || !s->below) {
        free(below);
        return false;
    }
    for (int i = s->body < 0 ? 0 : s->body; i < m->nbody; i++) {
        below[i] = s->body < 0 || i == s->body || (m->bodies[i].parent >= 0 && below[m->bodies[i].parent]);
        if (below[i]) s->below[s->nbelow++] = i;
    }
    free(below);
    return true;
}

// ------------------------------------------------------------------------------------------ making

static const ff_spec_setting *word_of(const ff_spec_sensor *from, const char *name)
{
    const ff_spec_setting *found = ff_settings_find(from->settings, from->nsetting, name);
    return found && found->word ? found : NULL;
}

static const ff_spec_setting *find_preset(const ff_spec_sensor *from, const char **type, ff_report *report)
{
    const ff_spec_setting *named = word_of(from, "preset");
    const ff_spec_setting *preset = named ? ff_sensor_preset(named->word, type) : NULL;
    if (!named || preset) return preset;
    char names[400] = "";
    for (int i = 0; ff_sensor_preset_name(i) && strlen(names) < 360; i++) {
        if (i > 0) strcat(names, ", ");
        strcat(names, ff_sensor_preset_name(i));
    }
    ff_report_add(report, FF_ERROR, named->place, "no preset '%.60s'; there are %s", named->word, names);
    return NULL;
}

/// Finds the object `reference` of the kind `reference_on`. @return false (reported) when there is none of that name
static bool find_reference(ff_sensor_set *set, ff_sensor *s, const ff_spec_sensor *from, ff_report *report)
{
    static const char *const words[][2] = {
        {"frame", "site"}, {"body", "body"}, {"inertia", "inertia"}, {"shape", "geom"}};
    const ff_spec_setting *named = word_of(from, "reference"), *on = word_of(from, "reference_on");
    const char *kind = "site";
    if (!named) return true;
    for (size_t i = 0; on && i < sizeof words / sizeof *words; i++)
        if (strcmp(on->word, words[i][0]) == 0) kind = words[i][1];
    s->reference = FF_ARENA_NEW(&set->arena, ff_sensor_reference, 1);
    if (!s->reference) return false;
    ff_sensor_reference *r = s->reference;
    if (find_frame(set->model, kind, named->word, &r->body, r->pos, r->R)) return true;
    ff_report_add(report, FF_ERROR, named->place.line ? named->place : s->place,
                  "sensor '%.60s': there is no %s '%.60s' to see it from", s->name, on ? on->word : "frame",
                  named->word);
    return false;
}

/// Makes the volume of a touch sensor from `zone` and `size`. @return false when reported, or without memory
static bool make_zone(ff_sensor_set *set, ff_sensor *s, const ff_spec_sensor *from, ff_report *report)
{
    const ff_spec_setting *word = word_of(from, "zone");
    const ff_spec_setting *size = ff_settings_find(from->settings, from->nsetting, "size");
    ff_shape shape = {.type = FF_SHAPE_COUNT};
    if (!word) return true;
    for (int t = 0; t < FF_SHAPE_COUNT; t++)
        if (strcmp(word->word, ff_shape_name((ff_shape_type)t)) == 0) shape.type = (ff_shape_type)t;
    const int needed = shape.type == FF_SHAPE_SPHERE                                       ? 1
                       : shape.type == FF_SHAPE_CAPSULE || shape.type == FF_SHAPE_CYLINDER ? 2
                                                                                           : 3;
    for (int k = 0; size && k < size->count && k < 3; k++) shape.size[k] = size->values[k];
    s->zone = FF_ARENA_NEW(&set->arena, ff_collider, 1);
    if (!s->zone) return false;
    if (size && size->count >= needed && ff_collider_from_shape(s->zone, &shape)) return true;
    ff_report_add(report, FF_ERROR, word->place.line ? word->place : s->place,
                  "sensor '%.60s': a zone that is a %.20s needs %d number%s under 'size'", s->name, word->word, needed,
                  needed > 1 ? "s" : "");
    return false;
}

/// Motor turns for one of the joint, as its drive is described.
static double gear_of(const ff_model *m, int joint)
{
    for (int i = 0; joint >= 0 && i < m->ndrive; i++) {
        if (strcmp(m->drives[i].joint[0], m->joints[joint].name) != 0) continue;
        const ff_spec_setting *gear = ff_settings_find(m->drives[i].settings, m->drives[i].nsetting, "gear");
        if (gear && gear->count == 1) return gear->values[0];
    }
    return 1.0;
}

static bool set_defaults(ff_sensor *s, const ff_model *m, const ff_sensor_options *options, ff_arena *arena)
{
    s->chain = ff_chain_make(1);
    s->chain.stages = options->stages;
    s->gear = gear_of(m, s->joint);
    s->axes = 3;
    s->rays = 1;
    s->inclination = 0.5 * FF_PI;
    s->reach[1] = 10.0;
    s->flux[1] = -0.5;
    s->named = -1;
    if (s->type == FF_SENSOR_TACTILE) {
        s->tactile = FF_ARENA_NEW(arena, ff_tactile, 1);
        if (!s->tactile) return false;
        *s->tactile = ff_tactile_default();
        s->tactile->ideal = options->stages == FF_STAGES_NONE;
    }
    if (s->type == FF_SENSOR_CAMERA) {
        s->camera = FF_ARENA_NEW(arena, ff_camera, 1);
        if (!s->camera) return false;
        *s->camera = ff_camera_default();
        s->chain.period = 1.0 / 30.0;
    }
    return true;
}

static void check_numbers(const ff_sensor *s, ff_report *report)
{
    ff_error err = {0};
    if (s->chain.n > 0 && ff_chain_check(&s->chain, &err) != FF_OK)
        ff_report_add(report, FF_ERROR, s->place, "sensor '%.60s': %s", s->name, err.text);
    if (s->type == FF_SENSOR_DISTANCE && !(s->reach[0] < s->reach[1]))
        ff_report_add(report, FF_ERROR, s->place,
                      "sensor '%.60s': reach [%g, %g] m: the second must lie above the first", s->name, s->reach[0],
                      s->reach[1]);
    if (s->inner && ff_chain_check(s->inner, &err) != FF_OK)
        ff_report_add(report, FF_ERROR, s->place, "sensor '%.60s': %s", s->name, err.text);
    if (s->fusion && !(s->fusion->gain > 0.0 && s->fusion->gain * s->chain.period < 1.0))
        ff_report_add(report, FF_ERROR, s->place,
                      "sensor '%.60s': fusion with a gain of %g 1/s at %g Hz: it must lie above 0 and below the rate",
                      s->name, s->fusion->gain, 1.0 / s->chain.period);
    if (s->camera && !(s->camera->noise <= 1.0))
        ff_report_add(report, FF_ERROR, s->place, "sensor '%.60s': noise of %g: colours lie between 0 and 1", s->name,
                      s->camera->noise);
}

/// Notes sensors whose samples fall between steps, in one note for all of the same rate.
static void note_rates(const ff_sensor_set *set, double step, ff_report *report)
{
    for (int i = 0; step > 0.0 && i < set->n; i++) {
        const ff_sensor *s = &set->sensors[i];
        const double steps = s->chain.period / step;
        int before = 0, more = 0;
        for (int k = 0; k < set->n; k++)
            if (k != i && set->sensors[k].chain.period == s->chain.period) k < i ? before++ : more++;
        if (before > 0 || fabs(steps - floor(steps + 0.5)) <= 1e-6) continue;
        char others[32] = "";
        if (more > 0) snprintf(others, sizeof others, " and %d more", more);
        ff_report_add(
            report, FF_NOTE, s->place,
            "sensor '%.60s'%s at %g Hz: a sample every %.4g steps of %g s; steps are cut short at samples, which "
            "are taken exactly in time",
            s->name, others, 1.0 / s->chain.period, steps, step);
    }
}

/// Makes the next sensor of the set. @param s  where it is stored
static void make_sensor(ff_sensor_set *set, ff_sensor *s, const ff_spec_sensor *from, const ff_sensor_options *options,
                        ff_report *report)
{
    const char *type_name = from->type;
    const int errors = report->errors;
    const ff_spec_setting *preset = find_preset(from, &type_name, report);
    const int type = ff_sensor_find_kind(type_name);
    *s = (ff_sensor){.name = from->name, .place = from->place};
    if (report->errors > errors) return;
    if (type < 0) {
        ff_report_add(report, FF_WARNING, from->place,
                      "sensor '%.60s': type '%.60s' is not modelled, it gives no reading", from->name, type_name);
        return;
    }
    s->type = (ff_sensor_type)type;
    if (s->type == FF_SENSOR_CAMERA && !options->cameras) return;
    if (preset && from->type[0] && strcmp(from->type, type_name) != 0) {
        ff_report_add(report, FF_ERROR, from->place, "sensor '%.60s' is of type %s, its preset of type %s", from->name,
                      from->type, type_name);
        return;
    }
    if (!place_sensor(s, set->model, from, report) || !find_reference(set, s, from, report) ||
        !make_zone(set, s, from, report))
        return;
    if (!set_defaults(s, set->model, options, &set->arena) || !list_below(s, set->model, &set->arena)) {
        ff_report_add(report, FF_ERROR, s->place, "no memory for sensor '%.60s'", s->name);
        return;
    }
    ff_sensor_describe(s, from, s->joint >= 0 ? &set->model->joints[s->joint] : NULL, preset, &set->arena, report);
    if (report->errors > errors) return;
    if (s->part && s->nbelow > 1) s->nbelow = 1; // bodies that hang on this one are above the cut
    check_numbers(s, report);
    if (s->shape) s->named = set->nnamed++;
    set->n++;
}

/// Memory that a sensor needs behind that of its chain.  [byte]
static size_t extra_size(const ff_sensor *s)
{
    if (s->type == FF_SENSOR_ENCODER) return 4 * sizeof(double);
    if (s->tactile) return ff_tactile_memory(s->tactile) * sizeof(double);
    if (s->fusion) return ff_estimator_memory(s);
    return 0;
}

/// Memory of a chain; a camera has a random stream in its place.  [byte]
static size_t chain_size(const ff_sensor *s)
{
    return s->chain.n > 0 ? ff_chain_memory_size(&s->chain) : sizeof(ff_random);
}

/// A file must not ask for more memory than a machine has.
static void check_sizes(const ff_sensor_set *set, ff_report *report)
{
    double pixels = 0.0;
    for (int i = 0; i < set->n; i++) {
        const ff_sensor *s = &set->sensors[i];
        if (s->camera) pixels += (double)s->camera->width * s->camera->height;
        const double size = (double)(set->slots[i].kind + extra_size(s));
        if (size <= MEMORY_MOST && pixels <= PIXELS_MOST) continue;
        ff_report_add(
            report, FF_ERROR, s->place,
            "up to sensor '%.60s' delays and taxels need %.0f MiB and pictures %.0f million pixels: at most %.0f "
            "and %.0f are given",
            s->name, size / 1048576.0, pixels / 1e6, MEMORY_MOST / 1048576.0, PIXELS_MOST / 1e6);
        return;
    }
}

/// Makes all sensors of the model and lays out their memory. False without memory.
static bool fill(ff_sensor_set *set, const ff_sensor_options *o, ff_report *report)
{
    const ff_model *m = set->model;
    ff_sensor *sensors = FF_ARENA_NEW(&set->arena, ff_sensor, m->nsensor + 1);
    ff_sensor_slot *slots = FF_ARENA_NEW(&set->arena, ff_sensor_slot, m->nsensor + 1);
    set->sensors = sensors;
    set->slots = slots;
    if (!sensors || !slots) return false;
    for (int i = 0; i < m->nsensor; i++) make_sensor(set, &sensors[set->n], &m->sensors[i], o, report);
    note_rates(set, o->step, report);
    for (int i = 0; i < set->n; i++) {
        const size_t after_chain = set->memory_size + chain_size(&sensors[i]);
        slots[i] =
            (ff_sensor_slot){.chain = set->memory_size, .kind = after_chain, .stream = stream_of(sensors[i].name)};
        set->memory_size = after_chain + extra_size(&sensors[i]);
    }
    check_sizes(set, report);
    return true;
}

ff_sensor_set *ff_sensor_set_create(const ff_model *model, const ff_sensor_options *options, ff_report *report)
{
    const ff_sensor_options o = options ? *options : ff_sensor_options_default();
    ff_sensor_set *set = calloc(1, sizeof *set);
    ff_report own = {0};
    if (!report) report = &own;
    const int errors = report->errors;
    if (set) set->model = model;
    if (!set || !fill(set, &o, report)) ff_report_add(report, FF_ERROR, (ff_place){0}, "no memory for the sensors");
    const bool failed = report->errors > errors;
    ff_report_clear(&own);
    if (!failed) return set;
    ff_sensor_set_destroy(set);
    return NULL;
}

void ff_sensor_set_destroy(ff_sensor_set *set)
{
    if (!set) return;
    ff_arena_clear(&set->arena);
    free(set);
}

int ff_sensor_set_find(const ff_sensor_set *set, const char *name)
{
    for (int i = 0; i < set->n; i++)
        if (strcmp(set->sensors[i].name, name) == 0) return i;
    return -1;
}

// ------------------------------------------------------------------------------------------ running

static double *extra(const ff_sensor_slot *slot, char *memory)
{
    return (double *)(void *)(memory + slot->kind);
}

void ff_sensor_start(const ff_sensor_set *set, int i, char *memory, uint64_t seed, const ff_sense_view *view, double t)
{
    const ff_sensor *s = &set->sensors[i];
    const ff_sensor_slot *slot = &set->slots[i];
    double truth[FF_SENSOR_CHANNELS_MAX], *more = extra(slot, memory);
    if (s->type == FF_SENSOR_CAMERA) {
        *(ff_random *)(void *)(memory + slot->chain) = ff_random_make(seed, slot->stream);
        return;
    }
    if (s->type == FF_SENSOR_ENCODER) {
        more[0] = ff_sensor_motor_angle(s, view);
        more[1] = floor(more[0] / (2.0 * FF_PI));
        more[2] = more[3] = 0.0;
    }
    if (s->tactile) ff_tactile_start(s->tactile, more, seed, slot->stream + 4000, t);
    if (s->fusion) {
        double inertial[8];
        ff_inertial_truth(s, view, inertial);
        ff_estimator_start(s, more, seed, slot->stream + 2000, inertial, t, truth);
    } else
        ff_sensor_truth(s, view, more, t, truth);
    ff_chain_start(&s->chain, memory + slot->chain, seed, slot->stream, truth, t);
}

void ff_sensor_sample(const ff_sensor_set *set, int i, char *memory, const ff_sense_view *view, double t)
{
    const ff_sensor *s = &set->sensors[i];
    const ff_sensor_slot *slot = &set->slots[i];
    double truth[FF_SENSOR_CHANNELS_MAX];
    if (s->chain.n < 1) return;
    if (s->fusion) {
        double inertial[8];
        ff_inertial_truth(s, view, inertial);
        ff_estimator_sample(s, extra(slot, memory), inertial, t, truth);
    } else
        ff_sensor_truth(s, view, s->type == FF_SENSOR_ENCODER || s->tactile ? extra(slot, memory) : NULL, t, truth);
    ff_chain_sample(&s->chain, memory + slot->chain, t, truth);
}

double ff_sensor_read(const ff_sensor_set *set, int i, const char *memory, double t, double *out)
{
    const ff_chain *chain = &set->sensors[i].chain;
    return chain->n > 0 ? ff_chain_read(chain, memory + set->slots[i].chain, t, out) : 0.0;
}
