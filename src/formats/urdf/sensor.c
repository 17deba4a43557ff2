// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors in URDF files, which are Gazebo's: <gazebo reference="LINK"> <sensor name=".." type="imu">
// <update_rate>100</update_rate> ...
//     imu                                  imu
//     camera, depth, depth_camera, rgbd_camera, rgbd   camera: every one has colour and depth here
//     force_torque                         force6 on the child of the joint that <gazebo> refers to
//     contact                              touch
//     ray, gpu_ray, lidar, gpu_lidar       distance, where it is a single ray; sonar, a cone
// Others are listed as unused. src/robot/sense defines what the sensors measure; here their descriptions are made.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <footfall/text.h>

#include "model/edit.h"
#include "urdf/urdf.h"

enum { MOST_SETTINGS = 8, MOST_VALUES = 8, MOST_SENSORS = 10000 };

/// A sensor being read.
typedef struct reading {
    urdf_reader *r;
    ff_xml *node;
    int link;
    const char *type; // of Footfall
    ff_spec_setting settings[MOST_SETTINGS];
    double values[MOST_SETTINGS][MOST_VALUES];
    int nsetting;
    double pos[3], quat[4];
    bool placed; // its frame is not that of the link
} reading;

/// Adds a setting to those of the sensor; the values are copied.
static void set(reading *s, const char *name, const double *values, int count, ff_place place)
{
    double *to = s->values[s->nsetting];
    memcpy(to, values, (size_t)count * sizeof *to);
    s->settings[s->nsetting++] = (ff_spec_setting){.name = name, .values = to, .count = count, .place = place};
}

// ------------------------------------------------------------------------------------------ numbers as text

/// <name>number</name> from `least` to `most`. @return false when it is absent or wrong, which is reported
static bool number(const reading *s, ff_xml *node, const char *name, double least, double most, double *out)
{
    ff_xml *child = node ? urdf_take(node, name) : NULL;
    double value;
    if (!child) return false;
    if (ff_text_number(child->text, strlen(child->text), &value) && value >= least && value <= most) {
        *out = value;
        return true;
    }
    ff_report_add(s->r->report, FF_ERROR, child->place, "<%s> is \"%.40s\": a number from %g to %g is needed", name,
                  child->text, least, most);
    return false;
}

static void read_integer(reading *s, ff_xml *node, const char *name, double *out)
{
    const ff_xml *child = node ? ff_xml_child(node, name) : NULL;
    if (number(s, node, name, 1.0, 4096.0, out) && *out != floor(*out))
        ff_report_add(s->r->report, FF_ERROR, child->place, "<%s> is %g: a whole number is needed", name, *out);
}

/// <pose>x y z roll pitch yaw</pose> in the link.
static void read_pose(reading *s)
{
    double six[6];
    int n = 0;
    ff_quat_identity(s->quat);
    ff_xml *pose = urdf_take(s->node, "pose");
    if (!pose) return;
    const char *at = pose->text;
    size_t length;
    while (n <= 6 && (length = ff_xml_next_word(&at)) > 0) {
        if (n == 6 || !ff_text_number(at, length, &six[n]) || fabs(six[n]) > 1e6) break;
        at += length;
        n++;
    }
    if (n != 6 || ff_xml_next_word(&at) > 0) {
        ff_report_add(s->r->report, FF_ERROR, pose->place, "<pose> is \"%.60s\": x y z roll pitch yaw are needed",
                      pose->text);
        return;
    }
    for (int k = 0; k < 6; k++) s->placed = s->placed || six[k] != 0.0;
    memcpy(s->pos, six, sizeof s->pos);
    ff_quat_from_rpy(s->quat, six + 3);
}

/// <noise> of one channel: white noise, and a bias that does not change.
static void read_noise(const reading *s, ff_xml *noise, double *sigma, double *bias)
{
    double mean = 0.0, offset = 0.0;
    if (!noise) return;
    noise->used = true;
    ff_xml_get(noise, "type"); // marks the attribute and the element as read: only Gaussian noise is known
    urdf_take(noise, "type");
    number(s, noise, "stddev", 0.0, 1e6, sigma);
    number(s, noise, "mean", -1e6, 1e6, &mean);
    number(s, noise, "bias_mean", -1e6, 1e6, &offset);
    *bias = mean + offset;
}

// ------------------------------------------------------------------------------------------ types

/// Noise by axis, or as older files have it, <noise><rate> and <accel> for all axes.
static void read_imu(reading *s)
{
    static const char *const quantities[2] = {"angular_velocity", "linear_acceleration"};
    static const char *const older[2] = {"rate", "accel"}, *const axes[3] = {"x", "y", "z"};
    double sigma[8] = {0}, bias[8] = {0};
    ff_xml *imu = urdf_take(s->node, "imu"), *noise = imu ? ff_xml_child(imu, "noise") : NULL;
    if (!imu) return;
    if (noise) noise->used = true;
    if (noise) urdf_take(noise, "type");
    for (int k = 0; k < 6; k++) {
        ff_xml *quantity = urdf_take(imu, quantities[k / 3]);
        ff_xml *axis = quantity ? urdf_take(quantity, axes[k % 3]) : NULL;
        if (axis) read_noise(s, ff_xml_child(axis, "noise"), &sigma[k], &bias[k]);
        if (noise) read_noise(s, ff_xml_child(noise, older[k / 3]), &sigma[k], &bias[k]);
    }
    set(s, "noise", sigma, 8, imu->place);
    set(s, "bias", bias, 8, imu->place);
}

/// Gazebo gives the horizontal opening angle, Footfall the vertical one. Cameras have no bias here: it is read and left
/// out.
static void read_camera(reading *s)
{
    ff_xml *camera = urdf_take(s->node, "camera");
    double width = 320.0, height = 240.0, field = FF_PI / 3.0, sigma = 0.0, bias = 0.0, far;
    if (!camera) return;
    ff_xml_get(camera, "name"); // marks it as read
    ff_xml *image = urdf_take(camera, "image"), *clip = urdf_take(camera, "clip");
    if (image) urdf_take(image, "format");
    read_integer(s, image, "width", &width);
    read_integer(s, image, "height", &height);
    number(s, camera, "horizontal_fov", 1e-3, 3.14, &field);
    read_noise(s, ff_xml_child(camera, "noise"), &sigma, &bias);
    field = 2.0 * ff_atan(ff_tan(0.5 * field) * height / width);
    set(s, "width", &width, 1, camera->place);
    set(s, "height", &height, 1, camera->place);
    set(s, "field", &field, 1, camera->place);
    if (sigma > 0.0) set(s, "noise", &sigma, 1, camera->place);
    if (number(s, clip, "far", 1e-3, 1e6, &far)) set(s, "far", &far, 1, clip->place);
    if (clip) urdf_take(clip, "near");
}

/// Number of rays of a scan in one direction. Of a single ray the angles are marked as read.
static double samples(const reading *s, ff_xml *scan, const char *name)
{
    ff_xml *direction = scan ? urdf_take(scan, name) : NULL;
    double count = 1.0;
    if (!direction) return 1.0;
    number(s, direction, "samples", 1.0, 1e6, &count);
    static const char *const rest[] = {"resolution", "min_angle", "max_angle"};
    for (int i = 0; i < 3 && count == 1.0; i++) urdf_take(direction, rest[i]);
    return count;
}

static bool read_ray(reading *s)
{
    ff_xml *ray = urdf_take(s->node, "ray");
    if (!ray) ray = urdf_take(s->node, "lidar");
    if (!ray) return true;
    ff_xml *scan = urdf_take(ray, "scan"), *range = urdf_take(ray, "range");
    const double rays = samples(s, scan, "horizontal") * samples(s, scan, "vertical");
    double reach[2] = {0.0, 10.0}, sigma = 0.0, bias = 0.0;
    if (rays != 1.0) {
        ff_spec_ignore(s->r->spec, s->node->place,
                       "<sensor> of type ray with several rays: a distance meter with one ray is known, a scan is not");
        return false;
    }
    number(s, range, "min", 0.0, 1e6, &reach[0]);
    number(s, range, "max", 0.0, 1e6, &reach[1]);
    read_noise(s, ff_xml_child(ray, "noise"), &sigma, &bias);
    set(s, "reach", reach, 2, ray->place);
    const double both[2][2] = {{sigma, 0.0}, {bias, 0.0}};
    set(s, "noise", both[0], 2, ray->place);
    set(s, "bias", both[1], 2, ray->place);
    return true;
}

static bool read_sonar(reading *s)
{
    ff_xml *sonar = urdf_take(s->node, "sonar");
    double reach[2] = {0.0, 10.0}, radius = 0.0, rays = 100.0;
    if (!sonar) return true;
    number(s, sonar, "min", 0.0, 1e6, &reach[0]);
    number(s, sonar, "max", 1e-6, 1e6, &reach[1]);
    number(s, sonar, "radius", 0.0, 1e6, &radius);
    const double cone = ff_atan(radius / reach[1]);
    set(s, "reach", reach, 2, sonar->place);
    set(s, "cone", &cone, 1, sonar->place);
    if (cone > 0.0) set(s, "rays", &rays, 1, sonar->place);
    return true;
}

static bool read_contact(reading *s)
{
    ff_xml *contact = urdf_take(s->node, "contact");
    if (contact) urdf_take(contact, "topic");
    ff_xml *collision = contact ? urdf_take(contact, "collision") : NULL;
    int shapes = 0;
    const char *name = NULL;
    const ff_spec *spec = s->r->spec;
    for (int i = 0; i < spec->ngeom; i++) {
        const ff_spec_geom *g = &spec->geoms[i];
        if (g->body != s->r->links[s->link].body || g->role == FF_GEOM_VISUAL) continue;
        shapes++;
        if (collision && g->name && strcmp(g->name, collision->text) == 0) name = g->name;
    }
    if (name && shapes > 1)
        s->settings[s->nsetting++] = (ff_spec_setting){.name = "shape", .word = name, .place = collision->place};
    if (collision && !name && shapes > 1)
        ff_spec_ignore(s->r->spec, collision->place,
                       "<collision> of a contact sensor that names no shape of its link: all shapes of the link count");
    return true;
}

static bool read_force(reading *s)
{
    ff_xml *force = urdf_take(s->node, "force_torque");
    ff_xml *frame = force ? urdf_take(force, "frame") : NULL;
    ff_xml *direction = force ? urdf_take(force, "measure_direction") : NULL;
    if (frame && strcmp(frame->text, "child") != 0 && strcmp(frame->text, "sensor") != 0)
        ff_spec_ignore(s->r->spec, frame->place,
                       "<frame>%.20s</frame> of a force sensor: it measures in the axes of the child", frame->text);
    if (direction && strcmp(direction->text, "child_to_parent") != 0)
        ff_spec_ignore(
            s->r->spec, direction->place,
            "<measure_direction>%.20s</measure_direction>: a force sensor measures what the child does to the "
            "parent, with the opposite sign",
            direction->text);
    return true;
}

static const struct {
    const char *name, *ours; // types of Gazebo and of Footfall
} TYPES[] = {{"imu", "imu"},
             {"camera", "camera"},
             {"depth", "camera"},
             {"depth_camera", "camera"},
             {"rgbd", "camera"},
             {"rgbd_camera", "camera"},
             {"ray", "distance"},
             {"gpu_ray", "distance"},
             {"lidar", "distance"},
             {"gpu_lidar", "distance"},
             {"sonar", "distance"},
             {"contact", "touch"},
             {"force_torque", "force6"}};

/// Reads the settings of a type. @return false: the sensor is left out, which is reported
static bool read_type(reading *s, const char *type)
{
    if (strcmp(s->type, "imu") == 0) read_imu(s);
    if (strcmp(s->type, "camera") == 0) read_camera(s);
    if (strcmp(type, "sonar") == 0) return read_sonar(s);
    if (strcmp(s->type, "distance") == 0) return read_ray(s);
    if (strcmp(s->type, "touch") == 0) return read_contact(s);
    if (strcmp(s->type, "force6") == 0) return read_force(s);
    return true;
}

// ------------------------------------------------------------------------------------------ adding

/// A name that no other sensor has: in URDF sensors of different links may have the same.
static const char *free_name(const reading *s, const char *wanted)
{
    ff_spec *spec = s->r->spec;
    const char *name = ff_spec_text(spec, wanted);
    for (int n = 2; name && ff_spec_find_sensor(spec, name) >= 0; n++)
        name = ff_arena_printf(&spec->arena, "%s_%d", wanted, n);
    return name;
}

static void add(reading *s)
{
    urdf_reader *r = s->r;
    const char *given = ff_xml_get(s->node, "name");
    const char *name = free_name(s, given && given[0] ? given : s->type);
    if (!urdf_has_memory(r, name)) return;
    ff_spec_sensor *sensor = ff_spec_add_sensor(r->spec, name, s->type);
    if (!urdf_has_memory(r, sensor)) return;
    sensor->place = s->node->place;
    sensor->object_type = s->placed ? "site" : "body";
    sensor->object = s->placed ? name : ff_spec_text(r->spec, r->links[s->link].name);
    sensor->settings = ff_settings_copy(&r->spec->arena, s->settings, s->nsetting);
    sensor->nsetting = sensor->settings ? s->nsetting : 0;
    if (!urdf_has_memory(r, sensor->settings) || !urdf_has_memory(r, sensor->object) || !s->placed) return;
    ff_spec_frame *frame = ff_spec_add_frame(r->spec, name, r->links[s->link].body);
    if (!urdf_has_memory(r, frame)) return;
    memcpy(frame->pos, s->pos, sizeof frame->pos);
    memcpy(frame->quat, s->quat, sizeof frame->quat);
    frame->place = s->node->place;
}

static void read_sensor(urdf_reader *r, ff_xml *node, int link)
{
    static const char *const silent[] = {"always_on", "visualize", "topic", "enable_metrics"};
    const char *type = ff_xml_peek(node, "type");
    reading s = {.r = r, .node = node, .link = link};
    double rate = 0.0;
    for (size_t i = 0; type && i < sizeof TYPES / sizeof *TYPES; i++)
        if (strcmp(type, TYPES[i].name) == 0) s.type = TYPES[i].ours;
    if (!type) return; // list_ignored lists it
    node->used = true;
    ff_xml_get(node, "type"); // marks both as read
    ff_xml_get(node, "name");
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++) urdf_take(node, silent[i]);
    if (!s.type) {
        for (ff_xml *child = node->child; child; child = child->next) child->used = true;
        ff_spec_ignore(r->spec, node->place, "<sensor> of type %.40s: it is not modelled", type);
        return;
    }
    if (r->spec->nsensor >= MOST_SENSORS) {
        ff_spec_ignore(r->spec, node->place, "<sensor> beyond %d", (int)MOST_SENSORS);
        return;
    }
    const int errors = r->report->errors;
    read_pose(&s);
    if (number(&s, node, "update_rate", 0.0, 1e6, &rate) && rate > 0.0) // 0 means as often as possible
        set(&s, "rate", &rate, 1, node->place);
    if (read_type(&s, type) && r->report->errors == errors) add(&s);
}

void urdf_read_sensors(urdf_reader *r)
{
    for (ff_xml *node = ff_xml_child(r->root, "gazebo"); node && !r->out_of_memory; node = ff_xml_next(node)) {
        ff_xml *first = ff_xml_child(node, "sensor");
        const char *reference = first ? ff_xml_peek(node, "reference") : NULL;
        if (!reference) continue; // list_ignored lists it
        int link = ff_names_get(&r->link_names, reference);
        const int joint = ff_names_get(&r->joint_names, reference);
        if (link < 0 && joint >= 0) link = r->joints[joint].child;
        if (link < 0 || r->links[link].body < 0) {
            ff_report_add(r->report, FF_WARNING, node->place,
                          "<gazebo>: there is no link or joint \"%.100s\" for its sensor", reference);
            continue;
        }
        node->used = true;
        ff_xml_get(node, "reference");
        for (ff_xml *sensor = first; sensor && !r->out_of_memory; sensor = ff_xml_next(sensor))
            read_sensor(r, sensor, link);
    }
}
