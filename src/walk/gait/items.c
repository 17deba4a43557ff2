// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Items of I/O frames by name, and names of signals.
#include "gait/items.h"
#include "sense/io_frames.h"

#include <footfall/math.h>
#include <stdio.h>
#include <string.h>

/// @return -1 where the layout has no such item, as it never has where the name is too long
static int find_item(const ff_io_layout *layout, const char *group, const char *name, const char *what)
{
    ff_io_name full;
    return ff_io_name_set(&full, "", NULL, "%s.%s.%s", group, name, what) == FF_OK ? ff_io_find(layout, full.name) : -1;
}

int ff_gait_find_drive(const ff_io_layout *references, const char *name, const char *what)
{
    return find_item(references, "drives", name, what);
}

int ff_gait_find_sensor(const ff_io_layout *sensors, const char *name, const char *what)
{
    return find_item(sensors, "sensors", name, what);
}

int ff_gait_free_joint(const ff_model *m, int body)
{
    for (int j = 0; j < m->njoint; j++)
        if (m->joints[j].type == FF_JOINT_FREE && m->joints[j].body == body) return j;
    return -1;
}

void ff_gait_place_root(const ff_model *m, int joint, double height, double *q)
{
    if (joint < 0) return;
    double *root = q + m->joints[joint].qadr;
    memset(root, 0, 7 * sizeof *root);
    root[2] = height;
    root[3] = 1.0;
}

void ff_gait_turn(double angle, const double in[2], double out[2])
{
    double s, c;
    ff_sincos(&angle, &s, &c, 1);
    const double x = in[0], y = in[1];
    out[0] = c * x - s * y;
    out[1] = s * x + c * y;
}

const char *ff_gait_drive_of(const ff_model *m, int joint)
{
    const char *name = m->joints[joint].name;
    for (int i = 0; i < m->ndrive; i++)
        if (!m->drives[i].joint[1] && strcmp(m->drives[i].joint[0], name) == 0) return m->drives[i].name;
    for (int i = 0; i < m->nactuator; i++)
        if (m->actuators[i].joint == joint) return m->actuators[i].name;
    return name;
}

ff_joint_items ff_gait_drive_items(const ff_io_layout *references, const char *name)
{
    return (ff_joint_items){ff_gait_find_drive(references, name, "position"),
                            ff_gait_find_drive(references, name, "speed"),
                            ff_gait_find_drive(references, name, "force")};
}

ff_status ff_gait_bind_joint(const ff_model *m, int joint, const ff_io_layout *references, ff_joint_items *out,
                             ff_error *err)
{
    const char *drive = ff_gait_drive_of(m, joint);
    *out = ff_gait_drive_items(references, drive);
    if (out->position >= 0) return FF_OK;
    return ff_error_set(err, FF_NOT_FOUND, "no reference 'drives.%.40s.position': joint '%.40s' needs a drive", drive,
                        m->joints[joint].name);
}

int ff_gait_find_on_joint(const ff_model *m, const ff_io_layout *sensors, int joint, const char *channel)
{
    int item = -1;
    for (int i = 0; i < m->nsensor && item < 0; i++) {
        const ff_spec_sensor *s = &m->sensors[i];
        if (strcmp(s->object_type, "joint") == 0 && strcmp(s->object, m->joints[joint].name) == 0)
            item = ff_gait_find_sensor(sensors, s->name, channel);
    }
    return item;
}

bool ff_gait_find_forces(const ff_io_layout *sensors, const char *name, int items[3])
{
    static const char *const channels[3] = {"fx", "fy", "fz"};
    bool complete = name != NULL;
    for (int k = 0; k < 3 && complete; k++) {
        items[k] = ff_gait_find_sensor(sensors, name, channels[k]);
        complete = items[k] >= 0;
    }
    for (int k = 0; k < 3 && !complete; k++) items[k] = -1;
    return complete;
}

bool ff_gait_have_arrived(const int *items, const ff_gait_sample *samples, int n)
{
    for (int i = 0; i < n; i++)
        if (items[i] >= 0 && !isfinite(samples[i].age)) return false;
    return true;
}

void ff_gait_signal_name(ff_gait_signals *s, const char *unit, const char *format, ...)
{
    char name[256];
    va_list args;
    va_start(args, format);
    vsnprintf(name, sizeof name, format, args);
    va_end(args);
    if (s->status == FF_OK && s->count == s->most)
        s->status = ff_error_set(s->err, FF_LIMIT, "more than %d signals", s->most);
    if (s->status == FF_OK) s->status = ff_io_name_set(&s->names[s->count++], unit, s->err, "%s", name);
}
