// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Faults of sensors and drives: `faults: [{sensor: FL_foot_force, from: 2}, {drive: FL_femur, from: 2, to: 3, kind:
// off}]`. Most act on I/O frames: a lost sensor has no valid value, a stuck one repeats its last value, a frozen drive
// receives nothing and keeps its references. A drive that is off is switched off itself.
#include "scene/running.h"

#include <footfall/text.h>
#include <math.h>
#include <string.h>

/// A fault in a run.
typedef struct fault {
    const ff_scene_fault *asked;
    int *items; // numbers of items of the frames
    int n;
    double *kept; // last values of a stuck sensor; part of the saved state  (n)
} fault;

struct ff_run_faults {
    fault *list; // (scene->nfault)
    int n;
    ff_io_frame *seen; // copy of the frame of sensors, with faults
};

// ------------------------------------------------------------------------------------------ reading

/// Number of sensors or drives that fit a pattern; reports an error with a similar name if there are none.
static int count_named(const ff_scene_reader *r, ff_yaml *node, ff_io_kind kind, const char *pattern)
{
    const ff_scene_spec *scene = r->scene;
    const ff_sensor_set *sensors = kind == FF_IO_SENSORS ? scene->plant->sensors : NULL;
    const ff_drive_set *drives = kind == FF_IO_REFERENCES ? scene->plant->drives : NULL;
    if (!sensors && !drives) return 1; // the reason has been reported
    const int n = sensors ? sensors->n : drives->n;
    const char *names[200] = {0};
    int found = 0;
    for (int i = 0; i < n; i++) {
        const char *name = sensors ? sensors->sensors[i].name : drives->drives[i].name;
        found += ff_text_matches(pattern, name);
        if (i < 200) names[i] = name;
    }
    if (!found)
        ff_scene_report_unknown(r, node->place, sensors ? "sensor" : "drive", pattern, names, n < 200 ? n : 200);
    return found;
}

static void read_fault(const ff_scene_reader *r, ff_yaml *node)
{
    if (!ff_yaml_expect(node, FF_YAML_MAP, "{sensor: .., from: ..} or {drive: .., from: ..}", r->report)) return;
    ff_yaml *sensor = ff_yaml_get(node, "sensor"), *drive = ff_yaml_get(node, "drive");
    const double from = ff_yaml_number(node, "from", 0.0, r->report),
                 to = ff_yaml_number(node, "to", 71.0 * 3600.0, r->report);
    if ((sensor != NULL) == (drive != NULL)) {
        ff_report_add(r->report, FF_ERROR, node->place, "a fault is one of a 'sensor' or of a 'drive'");
        return;
    }
    if (!(to > from)) {
        ff_report_add(r->report, FF_ERROR, node->place, "the fault lasts from %g s to %g s: that is no window of time",
                      from, to);
        return;
    }
    static const char *const of_sensors[] = {"lost", "stuck", NULL}, *const of_drives[] = {"frozen", "off", NULL};
    const ff_io_kind kind = sensor ? FF_IO_SENSORS : FF_IO_REFERENCES;
    const int other = ff_yaml_choice(node, "kind", sensor ? of_sensors : of_drives, 0, r->report);
    const char *name = ff_yaml_as_string(sensor ? sensor : drive, r->report);
    if (!name || count_named(r, sensor ? sensor : drive, kind, name) == 0) return;
    r->scene->faults[r->scene->nfault++] = (ff_scene_fault){.kind = kind,
                                                            .other = other == 1,
                                                            .name = ff_arena_strdup(&r->scene->arena, name),
                                                            .from = ff_ticks_from_seconds(from),
                                                            .to = ff_ticks_from_seconds(ff_min(to, 71.0 * 3600.0))};
}

void ff_scene_read_faults(ff_scene_reader *r)
{
    ff_scene_spec *scene = r->scene;
    ff_yaml *list = ff_yaml_get(r->root, "faults");
    const int n = ff_scene_count(list);
    if (n == 0) return;
    if (scene->ncontrol == 0 && !scene->bus.modelled) {
        ff_report_add(r->report, FF_ERROR, list->key_place,
                      "faults act on frames, and there are none: name a controller in 'control', or write 'effects: "
                      "{bus: modelled, ..}'");
        ff_yaml_use(list);
        return;
    }
    scene->faults = FF_ARENA_NEW(&scene->arena, ff_scene_fault, n);
    for (ff_yaml *node = scene->faults ? list->child : NULL; node; node = node->next) read_fault(r, node);
}

// ------------------------------------------------------------------------------------------ acting

static bool list_items(ff_run *run, fault *f)
{
    const ff_scene_spec *scene = run->scene;
    const int count = ff_sim_layout(run->sim, f->asked->kind)->count;
    int item = 0;
    f->items = FF_ARENA_NEW(&run->arena, int, count + 1);
    f->n = 0;
    for (int i = 0; f->items && f->asked->kind == FF_IO_SENSORS && i < scene->plant->sensors->n; i++) {
        const ff_sensor *s = &scene->plant->sensors->sensors[i];
        for (int k = 0; k < s->chain.n; k++, item++)
            if (ff_text_matches(f->asked->name, s->name)) f->items[f->n++] = item;
    }
    for (int i = 0; f->items && f->asked->kind == FF_IO_REFERENCES && i < scene->plant->drives->n; i++)
        for (int k = 0; k < 3; k++, item++)
            if (ff_text_matches(f->asked->name, scene->plant->drives->drives[i].name)) f->items[f->n++] = item;
    return f->items != NULL;
}

static ff_sim_action switch_drives(void *context, ff_sim *sim, double t)
{
    const fault *f = context;
    const ff_ticks now = ff_ticks_from_seconds(t);
    for (int k = 0; k < f->n; k++)
        ff_sim_switch_drive(sim, (ff_drive_id){f->items[k] / 3}, now < f->asked->from || f->asked->to <= now);
    return FF_SIM_GO;
}

/// Prepares a fault: adds tasks that switch a drive at both ends, or memory for the values of a stuck sensor.
static ff_status prepare(ff_run *run, fault *f, ff_error *err)
{
    if (!list_items(run, f)) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    if (!f->asked->other) return FF_OK;
    f->kept = FF_ARENA_NEW(&run->arena, double, f->n + 1);
    if (!f->kept) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    if (f->asked->kind == FF_IO_SENSORS)
        return ff_sim_add_memory(run->sim, "stuck", f->kept, (size_t)f->n * sizeof *f->kept, err);
    const ff_ticks ends[2] = {f->asked->from, f->asked->to};
    for (int k = 0; k < 2; k++) {
        const ff_task task = {
            .name = k ? "drive on" : "drive off", .offset = ends[k], .context = f, .run = switch_drives};
        if (ff_sim_add_task(run->sim, &task, err) < 0) return err->status;
    }
    return FF_OK;
}

ff_status ff_run_add_faults(ff_run *run, ff_error *err)
{
    const ff_scene_spec *scene = run->scene;
    if (scene->nfault == 0) return FF_OK;
    const ff_io_layout *layout = ff_sim_layout(run->sim, FF_IO_SENSORS);
    ff_run_faults *faults = FF_ARENA_NEW(&run->arena, ff_run_faults, 1);
    if (faults) faults->list = FF_ARENA_NEW(&run->arena, fault, scene->nfault);
    if (faults) faults->seen = (ff_io_frame *)(void *)FF_ARENA_NEW(&run->arena, ff_io_item, layout->count + 2);
    if (!faults || !faults->list || !faults->seen) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    ff_status status = FF_OK;
    for (; faults->n < scene->nfault && status == FF_OK; faults->n++) {
        fault *f = &faults->list[faults->n];
        f->asked = &scene->faults[faults->n];
        status = prepare(run, f, err);
    }
    run->faults = faults;
    return status;
}

static void take_out(const ff_run_faults *faults, ff_io_kind kind, double t, ff_io_frame *frame)
{
    const ff_ticks now = ff_ticks_from_seconds(t);
    for (int i = 0; i < faults->n; i++) {
        const fault *f = &faults->list[i];
        const bool broken = f->asked->from <= now && now < f->asked->to;
        if (f->asked->kind != kind || (f->asked->other && kind == FF_IO_REFERENCES)) continue;
        for (int k = 0; k < f->n; k++) {
            ff_io_item *item = &ff_io_items(frame)[f->items[k]];
            if (broken && !f->asked->other) *item = (ff_io_item){0};
            if (broken && f->asked->other) item->value = f->kept[k];
            if (!broken && f->asked->other && item->valid) f->kept[k] = item->value;
        }
    }
}

const ff_io_frame *ff_run_lose_sensors(const ff_run *run, double t, const ff_io_frame *sensors)
{
    if (!run->faults) return sensors;
    memcpy(run->faults->seen, sensors, ff_io_size((int)sensors->count));
    take_out(run->faults, FF_IO_SENSORS, t, run->faults->seen);
    return run->faults->seen;
}

void ff_run_lose_references(const ff_run *run, double t, ff_io_frame *references)
{
    if (run->faults) take_out(run->faults, FF_IO_REFERENCES, t, references);
}
