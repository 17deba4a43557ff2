// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Walking over smooth hills with a body that bends: an action level above the walking controller. The hill is defined
// by the options, or measured by a scan of the head before the first step; where the robot is on it follows by dead
// reckoning. Joints of the body get the differences of the ground's normals at neighbouring segments (thesis 3.10).
// The walking controller adapts height, pitch and steps to the rest.
#include "base/missing.h"
#include "control/setting.h"
#include "gait/climb_plan.h"
#include "gait/walk.h"

#include <footfall/math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DIFFERENCE = 1e-4;   // of x, for slopes  [m]
static const double COMMAND_TIME = 0.02; // period of commands to the walking controller  [s]
static const double FOUND_TIME = 0.5;    // time constant of the height that the feet have found  [s]
static const double ADAPT = 0.005;       // of the walking controller, which knows less of the ground  [m/s]
enum { WAY, GROUND, SEEN, COMMON = SEEN + 3, OWN = COMMON + FF_WALK_BODY_JOINTS, SIGNALS = OWN + FF_WALK_SIGNALS };

// ------------------------------------------------------------------------------------------ surfaces

static double angle_at(const ff_profile *surface, double x)
{
    const double rise =
        surface->height(surface->context, x + DIFFERENCE) - surface->height(surface->context, x - DIFFERENCE);
    return ff_atan2(rise, 2.0 * DIFFERENCE);
}

/// Point at the height `clearance` above the ground at x, along the normal. @return angle of the ground there  [rad]
static double above(const ff_profile *surface, double clearance, double x, double point[2])
{
    const double angle = angle_at(surface, x);
    double sine, cosine;
    ff_sincos(&angle, &sine, &cosine, 1);
    point[0] = x - clearance * sine;
    point[1] = surface->height(surface->context, x) + clearance * cosine;
    return angle;
}

/// Point at the height `clearance` at the straight distance |along| from the point above x, ahead of it or behind.
/// @return angle of the ground there  [rad]
static double at_distance(const ff_profile *surface, double clearance, double x, double along, double point[2])
{
    const double sign = along < 0.0 ? -1.0 : 1.0, distance = fabs(along);
    double low = 0.0, high = 2.0 * distance + clearance, from[2];
    above(surface, clearance, x, from);
    for (int k = 0; k < 48; k++) { // bisection: 2^-48 of the length
        const double middle = 0.5 * (low + high);
        above(surface, clearance, x + sign * middle, point);
        const double dx = point[0] - from[0], dz = point[1] - from[1];
        if (sqrt(dx * dx + dz * dz) < distance)
            low = middle;
        else
            high = middle;
    }
    return above(surface, clearance, x + sign * low, point);
}

void ff_profile_follow(const ff_profile *surface, double clearance, double x, const double *along, int n, double *angle)
{
    double point[2];
    for (int i = 0; i < n; i++) angle[i] = at_distance(surface, clearance, x, along[i], point);
}

// ------------------------------------------------------------------------------------------ the robot

/// A joint that bends the body: angle = sign (angle of the ground below the next segment - that below the last one).
typedef struct bend {
    int place; // in ff_walk_command.body
    double sign;
    double next, last; // x of the segments that the joint moves and that carries it, from the root  [m]
    double low, high;  // limits of the joint  [rad]
} bend;

/// All that changes; the memory of the walking controller follows it.
typedef struct memory {
    double t, way, commanded; // time of the last cycle, distance walked, time of the last command  [s, m, s]
    double found;             // mean height of the feet less that expected from the hill  [m]
    int64_t cycles;
    ff_look_memory scan;
    int32_t looked, failed; // the scan is over; it found no hill
    int32_t stopped;        // by a command
    double began;           // start of the scan  [s]
    ff_look_hill seen;      // as measured
    double signals[SIGNALS];
} memory;

struct ff_hill {
    const ff_model *model;
    ff_hill_options options;
    ff_hexapod *walk;
    ff_profile surface;
    int nbend, nwalk; // joints that bend the body, signals of the walking controller
    bend bends[FF_WALK_BODY_JOINTS];
    double clearance; // of the root above the ground  [m]
    int speed;        // among the signals of the walking controller
    ff_io_name names[SIGNALS];
    ff_look look;
    ff_data *d;       // scratch of the scan
    ff_error refusal; // why there is no hill
    memory *memory;   // a copy of that of the walking controller follows it
    size_t size;      // of both
};

#define OF ff_hill_options
const ff_row ff_hill_settings[] = {
    FF_SETTING_NUMBER("start", start, "m", FF_ANY, "0.4",
                      "start of the hill, from the initial origin of the root body"),
    FF_SETTING_NUMBER("length", length, "m", FF_STRICTLY_BETWEEN(0, 1e6), "1.2",
                      "length of the hill, one period of a cosine"),
    FF_SETTING_NUMBER("height", height, "m", FF_ANY, "0.1", "height of the hill"),
    FF_SETTING_NUMBER("speed", speed, "m/s", FF_ABOVE_UP_TO(0, 100), "0.03", "speed of the body"),
    FF_SETTING_NUMBER("zone", zone, "m", FF_ABOVE_UP_TO(0, 10), "0.025",
                      "height of the zone in which steps find the ground"),
    FF_SETTING_NUMBER("way", way, "m", FF_NOT_NEGATIVE, "0", "distance after which the robot stops; 0: never"),
    FF_SETTING_SWITCH("look", look, "false",
                      "measure the hill by a distance sensor in the head, before the first step"),
    FF_SETTING_SWITCH("rigid", rigid, "false", "joints between segments are held, only legs adapt"),
    FF_SETTING_CHOICE("gait", gait, ff_gait_names, "wave", "order of the legs"),
    {0},
};
#undef OF
_Static_assert(sizeof(ff_gait) == sizeof(int), "a choice is an int");

FF_DEFINE_DEFAULT(ff_hill_options, ff_hill_settings)

static double hill_height(const void *context, double x)
{
    const ff_hill_options *o = context;
    return ff_look_hill_height((const double[3]){o->start, o->length, o->height}, x);
}

/// x of the first hip on a body, from the root in the reference pose. @return false: the body carries no leg
static bool segment_of(const ff_model *m, const ff_data *d, int body, double *x)
{
    double root[3], quat[4];
    ff_dyn_body_pose(m, d, m->joints[0].body, root, quat);
    for (int i = 0; i < m->nleg; i++) {
        const ff_joint *hip = &m->joints[m->legs[i].joints[0]];
        double point[3];
        if (m->bodies[hip->body].parent != body) continue;
        ff_dyn_point(m, d, hip->body, hip->pos, point);
        *x = point[0] - root[0];
        return true;
    }
    return false;
}

static ff_status take_bends(ff_hill *h, const ff_model *m, const ff_data *d, ff_error *err)
{
    for (int j = 0; j < m->njoint && h->nbend < FF_WALK_BODY_JOINTS; j++) {
        const ff_joint *joint = &m->joints[j];
        double pos[3], quat[4], axis[3];
        bend b = {.place = ff_hexapod_body_joint(m, joint->name), .low = -INFINITY, .high = INFINITY};
        if (joint->type != FF_JOINT_HINGE || b.place < 0) continue;
        ff_dyn_body_pose(m, d, joint->body, pos, quat);
        ff_quat_rotate(axis, quat, joint->axis);
        if (fabs(axis[1]) < 0.999 || !segment_of(m, d, joint->body, &b.next) ||
            !segment_of(m, d, m->bodies[joint->body].parent, &b.last))
            continue;
        b.sign = axis[1] < 0.0 ? 1.0 : -1.0;
        if (joint->limited) b.low = joint->range[0], b.high = joint->range[1];
        if (ff_io_name_set(&h->names[COMMON + h->nbend], "rad", err, "bend.%s", joint->name) != FF_OK) return FF_LIMIT;
        h->bends[h->nbend++] = b;
    }
    return FF_OK;
}

static ff_status check_options(const ff_hill_options *o, ff_error *err)
{
    if (ff_settings_check(ff_hill_settings, o, err) != FF_OK) return FF_BAD_ARGUMENT;
    if (fabs(o->height) <= o->length) return FF_OK;
    return ff_error_set(err, FF_BAD_ARGUMENT, "a hill %g m high and %g m long is steeper than any robot walks",
                        o->height, o->length);
}

static bool fill_hill(ff_hill *h, const ff_model *model, const ff_data *d, ff_error *err)
{
    ff_hexapod_options options = ff_hexapod_options_default();
    options.step.adapt = ADAPT;
    if (!(h->walk = ff_hexapod_create(model, &options, err))) return false;
    const ff_controller walk = ff_hexapod_controller(h->walk);
    h->speed = -1;
    for (int i = 0; i < walk.nsignal; i++)
        if (strcmp(walk.signals[i].name, "speed") == 0) h->speed = i;
    if (take_bends(h, model, d, err) != FF_OK) return false;
    h->nwalk = walk.nsignal;
    memcpy(h->names + COMMON + h->nbend, walk.signals, (size_t)walk.nsignal * sizeof *walk.signals);
    ff_walk_command command = ff_hexapod_command_get(h->walk);
    h->clearance = command.height;
    command.walk = true;
    command.gait = h->options.gait;
    command.speed = h->options.speed;
    command.zone = h->options.zone;
    if (ff_hexapod_command_set(h->walk, &command, err) != FF_OK) return false;
    h->size = sizeof *h->memory + walk.memory_size;
    h->memory = calloc(1, h->size);
    if (!h->memory) return ff_error_set(err, FF_NO_MEMORY, "no memory for walking over a hill"), false;
    memcpy(h->memory + 1, walk.memory, walk.memory_size);
    return true;
}

ff_hill *ff_hill_create(const ff_model *model, const ff_hill_options *options, ff_error *err)
{
    static const char *const names[COMMON][2] = {
        {"way", "m"}, {"ground", "rad"}, {"seen.start", "m"}, {"seen.length", "m"}, {"seen.height", "m"}};
    const ff_hill_options o = options ? *options : ff_hill_options_default();
    if (!model) return ff_error_missing(err, __func__, "model"), NULL;
    if (check_options(&o, err) != FF_OK) return NULL;
    bool ok = false;
    ff_hill *h = calloc(1, sizeof *h);
    ff_data *d = ff_data_create(model, NULL);
    if (h && d) {
        h->model = model;
        h->options = o;
        h->surface = (ff_profile){hill_height, &h->options};
        for (int i = 0; i < COMMON; i++) ff_io_name_set(&h->names[i], names[i][1], err, "%s", names[i][0]);
        ff_dyn_kinematics(model, d);
        ok = fill_hill(h, model, d, err);
        if (ok && o.look && !(h->d = ff_data_create(model, NULL)))
            ok = ff_error_set(err, FF_NO_MEMORY, "no memory for walking over a hill") == FF_OK;
    } else
        ff_error_set(err, FF_NO_MEMORY, "no memory for walking over a hill");
    ff_data_destroy(d);
    if (ok) return h;
    ff_hill_destroy(h);
    return NULL;
}

void ff_hill_destroy(ff_hill *hill)
{
    if (!hill) return;
    ff_hexapod_destroy(hill->walk);
    ff_data_destroy(hill->d);
    free(hill->memory);
    free(hill);
}

/// Whether an item comes from a sensor of attitude or its rates.
static bool measures_attitude(const ff_model *m, const char *item)
{
    for (int i = 0; i < m->nsensor; i++) {
        const ff_spec_sensor *s = &m->sensors[i];
        const size_t n = strlen(s->name);
        if (strcmp(s->type, "gyro") != 0 && strcmp(s->type, "imu") != 0 && strcmp(s->type, "attitude") != 0) continue;
        if (strncmp(item, "sensors.", 8) == 0 && strncmp(item + 8, s->name, n) == 0 && item[8 + n] == '.') return true;
    }
    return false;
}

/// The walking controller would use attitude sensors to keep the body level. Here it should be parallel to the ground,
/// so the controller does not get them.
ff_status ff_hill_bind(ff_hill *hill, const ff_io_layout *sensors, const ff_io_layout *references, ff_error *err)
{
    ff_io_layout seen = sensors ? *sensors : (ff_io_layout){.kind = FF_IO_SENSORS};
    if (hill->options.look) {
        const ff_status found = ff_look_bind(&hill->look, hill->model, &seen, err);
        if (found != FF_OK) return found;
    }
    ff_io_name *names = calloc((size_t)seen.count + 1, sizeof *names);
    if (!names) return ff_error_set(err, FF_NO_MEMORY, "no memory for walking over a hill");
    for (int i = 0; i < seen.count; i++)
        if (!measures_attitude(hill->model, seen.names[i].name)) names[i] = seen.names[i];
    seen.names = names;
    const ff_status status = ff_hexapod_bind(hill->walk, &seen, references, err);
    free(names);
    return status;
}

// ------------------------------------------------------------------------------------------ cycle

/// Slope of each step: that of the ground below its row of feet against the plane through all feet. Height of the
/// body: the hill gives the expected mean height of the feet; if they are higher, the body has sunk.
static void lay_steps(const ff_hill *h, double dt, ff_walk_command *command)
{
    memory *m = h->memory;
    const double way = m->way;
    const ff_walk_robot *robot = &h->walk->robot;
    const ff_footstep_leg *legs = h->walk->memory.step.legs;
    double angle[FF_WALK_LEGS], points[FF_WALK_LEGS][2], middle[2] = {0.0, 0.0}, xx = 0.0, xz = 0.0, sine, cosine;
    for (int i = 0; i < robot->n; i++) {
        angle[i] = at_distance(&h->surface, 0.0, way, robot->centre[i][0], points[i]);
        for (int k = 0; k < 2; k++) middle[k] += points[i][k] / robot->n;
    }
    for (int i = 0; i < robot->n; i++) {
        const double x = points[i][0] - middle[0];
        xx += x * x;
        xz += x * (points[i][1] - middle[1]);
    }
    command->incline = ff_atan2(xz, xx);
    ff_sincos(&command->incline, &sine, &cosine, 1);
    const double below = h->options.rigid
                             ? 0.0 // the height of a straight body is that above the mean of its feet
                             : (middle[1] - hill_height(&h->options, way)) * cosine - (middle[0] - way) * sine;
    double found = 0.0;
    for (int i = 0; i < robot->n; i++) {
        command->slope[i] = ff_tan(angle[i] - command->incline);
        found += (legs[i].ground - command->slope[i] * (legs[i].foot[0] - robot->centre[i][0])) / robot->n;
    }
    m->found += ff_min(1.0, dt / FOUND_TIME) * (found - below - m->found);
    command->height = h->clearance + m->found;
}

/// Commands the angles of the body and the slopes of the steps for where the robot is now.
static void bend_body(ff_hill *h, double dt)
{
    memory *m = h->memory;
    ff_walk_command command = ff_hexapod_command_get(h->walk);
    ff_error err = {0};
    m->signals[GROUND] = angle_at(&h->surface, m->way);
    for (int i = 0; i < h->nbend; i++) {
        const bend *b = &h->bends[i];
        const double along[2] = {b->next, b->last};
        double angle[2];
        ff_profile_follow(&h->surface, h->clearance, m->way, along, 2, angle);
        const double q = h->options.rigid ? 0.0 : b->sign * (angle[0] - angle[1]);
        m->signals[COMMON + i] = command.body[b->place] = ff_max(b->low, ff_min(b->high, q));
    }
    lay_steps(h, dt, &command);
    command.pitch = h->options.rigid ? 0.0 : command.incline - m->signals[GROUND];
    command.walk = !m->stopped && !(h->options.way > 0.0 && m->way >= h->options.way);
    ff_hexapod_command_set(h->walk, &command, &err); // finite by construction
}

// ------------------------------------------------------------------------------------------ scan

/// Puts the model into the stance, with the root body above the origin.
static void stand(const ff_hill *h, ff_data *d)
{
    const ff_walk_robot *robot = &h->walk->robot;
    const ff_model *m = h->model;
    memcpy(d->q, m->q0, (size_t)m->nq * sizeof *d->q);
    for (int j = 0; j < robot->njoint; j++) d->q[m->joints[robot->joints[j]].qadr] = robot->stand[j];
    ff_gait_place_root(m, robot->base, h->clearance, d->q);
}

/// Nods and stores rays while the robot stands; after the scan, finds the hill. @return whether the robot stands on
static bool scan_ahead(ff_hill *h, double t, const ff_io_frame *sensors)
{
    memory *m = h->memory;
    ff_walk_memory *walk = &h->walk->memory;
    const int place = ff_hexapod_body_joint(h->model, h->model->joints[h->look.joint].name);
    double angle;
    if (m->cycles == 0) m->began = t;
    stand(h, h->d);
    ff_look_take(&h->look, sensors, h->d, &m->scan);
    const bool goes_on = ff_look_nod(&h->look, t - m->began, h->walk->robot.stand[h->walk->robot.body + place], &angle);
    // set directly, as the walking controller approaches commands more slowly than the head nods
    walk->command.walk = walk->goal.walk = false;
    walk->command.body[place] = walk->goal.body[place] = walk->body[place] = angle;
    if (goes_on) return true;
    m->looked = 1;
    m->failed = ff_look_find_hill(&m->scan, &m->seen, &h->refusal) != FF_OK;
    walk->command.walk = !m->failed;
    const double seen[3] = {m->seen.start, m->seen.length, m->seen.height};
    memcpy(m->signals + SEEN, seen, sizeof seen);
    return m->failed;
}

ff_status ff_hill_check(const ff_hill *hill, ff_error *err)
{
    return hill->memory->failed ? ff_error_set(err, FF_CONTROL, "%s", hill->refusal.text) : FF_OK;
}

static void cycle(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    ff_hill *h = context;
    memory *m = h->memory;
    const ff_controller walk = ff_hexapod_controller(h->walk);
    const double dt = m->cycles > 0 ? t - m->t : 0.0;
    memcpy(walk.memory, m + 1, walk.memory_size); // m may have been restored
    const bool looks = h->options.look && (!m->looked || m->failed) && (m->failed || scan_ahead(h, t, sensors));
    if (h->options.look && m->looked && !m->failed) {
        h->options.start = m->seen.start;
        h->options.length = m->seen.length;
        h->options.height = m->seen.height;
    }
    if (looks)
        m->commanded = t;
    else if (m->cycles == 0 || t - m->commanded >= COMMAND_TIME) {
        bend_body(h, t - m->commanded);
        m->commanded = t;
    }
    walk.cycle(walk.context, t, sensors, references);
    double slope = m->signals[GROUND], sine, cosine;
    ff_sincos(&slope, &sine, &cosine, 1);
    for (int i = 0; i < walk.nsignal; i++) m->signals[COMMON + h->nbend + i] = walk.values[i];
    if (h->speed >= 0) m->way += walk.values[h->speed] * cosine * dt;
    m->signals[WAY] = m->way;
    m->t = t;
    m->cycles++;
    memcpy(m + 1, walk.memory, walk.memory_size);
}

void ff_hill_set_walking(ff_hill *hill, bool walking)
{
    hill->memory->stopped = !walking;
}

bool ff_hill_is_walking(const ff_hill *hill)
{
    return !hill->memory->stopped;
}

ff_controller ff_hill_controller(ff_hill *hill)
{
    return (ff_controller){.context = hill,
                           .cycle = cycle,
                           .memory = hill->memory,
                           .memory_size = hill->size,
                           .signals = hill->names,
                           .values = hill->memory->signals,
                           .nsignal = COMMON + hill->nbend + hill->nwalk,
                           .conditions = &hill->walk->memory.status};
}

unsigned ff_hill_status(const ff_hill *hill, unsigned *ever)
{
    return ff_hexapod_status(hill->walk, ever);
}
