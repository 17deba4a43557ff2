// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Metrics of drives, computed by name: drives.NAME.current.max and the like. Peaks are kept after every step, and only where an
// expectation asks for them.
#include "scene/internal.h"

#include <math.h>
#include <string.h>

typedef struct ff_scene_drive_peaks {
    double current, speed, force, when; // largest current and motor speed, in size; largest force and its time
} peaks;

enum { CURRENT, SPEED, FORCE_MAX, FORCE_TIME, FORCE_FINAL, ENERGY, COPPER, TEMPERATURE, IMPACTS, METRICS };
static const char *const help[METRICS][2] = {
    [CURRENT] = {"drives.NAME.current.max", "largest current of a drive, in size [A]"},
    [SPEED] = {"drives.NAME.speed.max", "largest speed of its motor, in size [rad/s]"},
    [FORCE_MAX] = {"drives.NAME.force.max", "largest force or torque it gave [N, N m]"},
    [FORCE_TIME] = {"drives.NAME.force.max.time", "when that was [s]"},
    [FORCE_FINAL] = {"drives.NAME.force.final", "force or torque at the end [N, N m]"},
    [ENERGY] = {"drives.NAME.energy", "taken from the supply [J]"},
    [COPPER] = {"drives.NAME.copper", "lost in its winding [J]"},
    [TEMPERATURE] = {"drives.NAME.temperature", "of its winding at the end [C]"},
    [IMPACTS] = {"drives.NAME.impacts", "impacts of its backlash"},
};

const char *ff_scene_drive_metric_name(int i, const char **meaning)
{
    if (i < 0 || i >= METRICS) return NULL;
    if (meaning) *meaning = help[i][1];
    return help[i][0];
}

/// Which metric of which drive the name means; -1 for none. The longest fitting end wins: names of drives may have dots.
static int split(const ff_scene *scene, const char *name, int *drive)
{
    static const size_t begin = sizeof "drives." - 1, middle = sizeof "drives.NAME" - 1;
    if (!scene->plant->drives || strncmp(name, "drives.", begin) != 0) return -1;
    for (int i = 0; i < scene->plant->drives->n; i++) {
        const size_t length = strlen(scene->plant->drives->drives[i].name);
        if (strncmp(name + begin, scene->plant->drives->drives[i].name, length) != 0) continue;
        for (int k = 0; k < METRICS; k++) {
            if (strcmp(name + begin + length, help[k][0] + middle) != 0) continue;
            *drive = i;
            return k;
        }
    }
    return -1;
}

bool ff_scene_is_drive_metric(const ff_scene *scene, const char *name)
{
    int drive;
    return split(scene, name, &drive) >= 0;
}

static ff_sim_action watch(void *context, ff_sim *sim, double t)
{
    const ff_scene *scene = context;
    for (int i = 0; i < scene->plant->drives->n; i++) {
        const ff_drive_flow flow = ff_sim_drive_flow(sim, (ff_drive_id){i});
        peaks *p = &scene->drive_peaks[i];
        p->current = ff_max(p->current, fabs(flow.current));
        p->speed = ff_max(p->speed, fabs(flow.motor_speed));
        if (flow.force <= p->force) continue;
        p->force = flow.force;
        p->when = t;
    }
    return FF_SIM_GO;
}

ff_status ff_scene_add_drive_peaks(ff_scene *scene, ff_error *err)
{
    bool asked = false;
    for (int i = 0; i < scene->nexpectation; i++)
        asked = asked || strncmp(scene->expectations[i].metric, "drives.", 7) == 0;
    if (!asked || !scene->plant->drives) return FF_OK;
    scene->drive_peaks = FF_ARENA_NEW(&scene->arena, peaks, scene->plant->drives->n + 1);
    if (!scene->drive_peaks) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    for (int i = 0; i < scene->plant->drives->n; i++) scene->drive_peaks[i].force = -INFINITY;
    const ff_listener listener = {.context = scene, .step = watch};
    return ff_sim_add_listener(scene->sim, &listener, err);
}

bool ff_scene_drive_metric(const ff_scene *scene, const char *name, double *value)
{
    int drive;
    const int what = scene->sim && scene->drive_peaks ? split(scene, name, &drive) : -1;
    if (what < 0) return false;
    const peaks *p = &scene->drive_peaks[drive];
    const ff_drive_memory *m = ff_sim_drive_memory(scene->sim, (ff_drive_id){drive});
    const double values[METRICS] = {[CURRENT] = p->current,
                                    [SPEED] = p->speed,
                                    [FORCE_MAX] = p->force,
                                    [FORCE_TIME] = p->when,
                                    [FORCE_FINAL] = ff_sim_drive_flow(scene->sim, (ff_drive_id){drive}).force,
                                    [ENERGY] = m->electrical,
                                    [COPPER] = m->copper,
                                    [TEMPERATURE] = m->temperature,
                                    [IMPACTS] = m->impacts};
    *value = values[what];
    return true;
}
