// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Controllers of a scene at work: each steers one robot by frames alone, over a modelled bus or one without timing. Where a scene has several
// robots, the frames of the simulation hold them all; each controller gets a frame of its own robot, with the names of the robot's file, so that
// the same controller steers one robot, two, or a real one.
#include "scene/events.h"

#include <math.h>
#include <string.h>

static const double PERIOD = 1e-3; // unless the scene or the kind says [s]
static const double SHORTEST_PERIOD =
    1e-5; // of a controller: no robot has a faster one, and a typing error is not run for hours [s]
enum { MOST_COMMANDS = 10000 };

// ------------------------------------------------------------------------------------------ reading

static const ff_control_kind *find_kind(const char *key)
{
    for (int i = 0; ff_control_kinds[i]; i++)
        if (key && strcmp(ff_control_kinds[i]->key, key) == 0) return ff_control_kinds[i];
    return NULL;
}

/// The key under `control` that names a kind; nothing is marked as used.
static ff_yaml *kind_node(const ff_yaml *control)
{
    ff_yaml *found = NULL;
    if (control && control->type == FF_YAML_MAP)
        for (ff_yaml *node = control->child; node && !found; node = node->next)
            if (find_kind(node->key)) found = node;
    return found;
}

static ff_yaml *child_named(const ff_yaml *node, const char *key)
{
    if (!node || node->type != FF_YAML_MAP) return NULL;
    for (ff_yaml *child = node->child; child; child = child->next)
        if (child->key && strcmp(child->key, key) == 0) return child;
    return NULL;
}

/// The first controller of the scene.
static ff_yaml *first_controller(const ff_scene_reader *r)
{
    ff_yaml *found = kind_node(child_named(r->root, "control")), *robots = child_named(r->root, "robots");
    if (!found) found = kind_node(child_named(child_named(r->root, "robot"), "control"));
    for (ff_yaml *robot = robots && !found ? robots->child : NULL; robot && !found; robot = robot->next)
        found = kind_node(child_named(robot, "control"));
    return found;
}

bool ff_scene_names_controller(const ff_scene_reader *r)
{
    return first_controller(r) != NULL;
}

ff_place ff_scene_controller_place(const ff_scene_reader *r)
{
    const ff_yaml *node = first_controller(r);
    return node ? node->key_place : (ff_place){r->file, 0, 0};
}

/// Inserts by time; equal times keep the order of the file.
static void schedule(ff_scene_pilot *pilot, ff_timed_wish wish)
{
    int k = pilot->nwish++;
    for (; k > 0 && pilot->wishes[k - 1].at > wish.at; k--) pilot->wishes[k] = pilot->wishes[k - 1];
    pilot->wishes[k] = wish;
}

static void read_commands(ff_scene_reader *r, ff_yaml *list, ff_scene_pilot *pilot)
{
    const int n = ff_scene_list(r, list, "a list of commands such as {at: 2, speed: 0.1}");
    if (n == 0) return;
    if (!pilot->kind->read_command || n > MOST_COMMANDS) {
        if (n > MOST_COMMANDS)
            ff_report_add(r->report, FF_ERROR, list->place, "%d commands are more than the limit of %d", n,
                          MOST_COMMANDS);
        else
            ff_report_add(r->report, FF_ERROR, list->key_place, "'%s' takes no commands", pilot->kind->key);
        ff_yaml_use(list);
        return;
    }
    pilot->wishes = FF_ARENA_NEW(&r->scene->arena, ff_timed_wish, n);
    for (ff_yaml *entry = pilot->wishes ? list->child : NULL; entry; entry = entry->next) {
        if (!ff_yaml_expect(entry, FF_YAML_MAP, "{at: .., and what is wished for}", r->report)) continue;
        ff_yaml *at = ff_yaml_get(entry, "at");
        ff_timed_wish wish = {.at = ff_yaml_number(entry, "at", 0.0, r->report)};
        if (!(wish.at >= 0.0))
            ff_report_add(r->report, FF_ERROR, at->place, "'at' is %g s: it must be zero or later", wish.at);
        if (wish.at > r->scene->time)
            ff_report_add(r->report, FF_WARNING, at->place,
                          "this command comes at %g s, after the end of the run at %g s", wish.at, r->scene->time);
        if (pilot->kind->wishes && (at ? !entry->child->next : !entry->child)) // a script may take it for a signal
            ff_report_add(r->report, FF_WARNING, entry->place, "this command wishes for nothing");
        wish.wish = pilot->kind->read_command(r, entry, &r->scene->robots[pilot->robot], pilot->settings);
        wish.text = ff_event_wish_text(&r->scene->arena, entry);
        if (wish.wish) schedule(pilot, wish);
    }
}

static void read_period(const ff_scene_reader *r, ff_yaml *control, ff_scene_pilot *pilot)
{
    ff_yaml *node = ff_yaml_get(control, "period");
    pilot->period = pilot->kind->period > 0.0 ? pilot->kind->period : PERIOD;
    if (!node || !ff_yaml_as_number(node, &pilot->period, r->report)) return;
    if (pilot->period >= SHORTEST_PERIOD && pilot->period <= 10.0) return;
    ff_report_add(r->report, FF_ERROR, node->place, "'period' is %g s: it must lie between %g and 10 s", pilot->period,
                  SHORTEST_PERIOD);
    pilot->period = PERIOD;
}

static void read_pilot(ff_scene_reader *r, ff_yaml *control, int robot)
{
    ff_yaml *node = kind_node(control);
    for (ff_yaml *other = node->next; other; other = other->next)
        if (find_kind(other->key))
            ff_report_add(r->report, FF_ERROR, other->key_place, "'%s' and '%s': a robot has one controller", node->key,
                          other->key);
    ff_scene_pilot *pilot = &r->scene->pilots[r->scene->npilot++];
    *pilot = (ff_scene_pilot){.robot = robot, .kind = find_kind(node->key), .place = ff_scene_place(r, node)};
    ff_yaml_get(control, pilot->kind->key);
    read_period(r, control, pilot);
    const int errors = r->report->errors;
    pilot->settings = pilot->kind->read(r, node, &r->scene->robots[robot]);
    ff_yaml *commands = ff_yaml_get(control, "commands");
    if (pilot->settings)
        read_commands(r, commands, pilot);
    else if (commands)
        ff_yaml_use(commands);
    if (!pilot->settings && r->report->errors == errors)
        ff_report_add(r->report, FF_ERROR, node->place, "%s", ff_status_text(FF_NO_MEMORY));
}

void ff_scene_tell_unknown_control(const ff_scene_reader *r, const ff_yaml *control)
{
    const char *names[64] = {"hold"};
    const char *known = names[0];
    int n = 1;
    for (; ff_control_kinds[n - 1] && n < 64; n++) {
        names[n] = ff_control_kinds[n - 1]->key;
        known = ff_arena_printf(&r->scene->arena, "%s, %s", known ? known : "", names[n]);
    }
    const ff_yaml *first = control->type == FF_YAML_MAP ? control->child : NULL;
    if (!first) {
        ff_report_add(r->report, FF_ERROR, control->place, "'control' is {KIND: ..}, and the kinds are %s",
                      known ? known : "");
        return;
    }
    const char *near = first->key ? ff_yaml_hint(first->key, names, n, r->report) : NULL;
    ff_report_add(r->report, FF_ERROR, first->key_place, "no controller '%.60s'; there are %s%s%s%s",
                  first->key ? first->key : "", known ? known : "", near ? "; did you mean '" : "", near ? near : "",
                  near ? "'?" : "");
}

/// `control` inside a robot: a controller, never the joint law, which is for all robots.
static void read_of_robot(ff_scene_reader *r, ff_yaml *robot, int number)
{
    ff_yaml *control = ff_yaml_get(robot, "control");
    if (!control) return;
    if (kind_node(control)) {
        read_pilot(r, control, number);
        return;
    }
    if (child_named(control, "hold"))
        ff_report_add(r->report, FF_ERROR, control->key_place,
                      "'hold' is for all robots of a scene: write it in 'control' at the top");
    else
        ff_scene_tell_unknown_control(r, control);
    ff_yaml_use(control);
}

/// What a controller says and what `references` say would overwrite each other.
static void check_references(const ff_scene_reader *r)
{
    const ff_scene *scene = r->scene;
    const ff_drive_set *set = scene->plant->drives;
    for (int i = 0; set && scene->npilot > 0 && i < scene->nreference; i++) {
        const ff_drive *d = &set->drives[scene->references[i].drive];
        if (!ff_scene_is_steered(scene, d->path.vadr[0])) continue;
        ff_report_add(r->report, FF_ERROR, scene->references[i].place,
                      "drive '%.60s' gets its references from the controller of its robot", d->name);
        break;
    }
}

static void check_periods(const ff_scene_reader *r)
{
    ff_scene *scene = r->scene;
    double shortest = scene->bus.period;
    if (!scene->bus.modelled && scene->npilot > 0) {
        shortest = scene->pilots[0].period;
        for (int i = 1; i < scene->npilot; i++) shortest = ff_min(shortest, scene->pilots[i].period);
        scene->bus.period = shortest;
    }
    for (int i = 0; i < scene->npilot; i++) {
        ff_scene_pilot *pilot = &scene->pilots[i];
        const double times = pilot->period / shortest;
        pilot->every = (int64_t)floor(times + 0.5);
        if (pilot->every < 1 || fabs(times - (double)pilot->every) > 1e-9 * times)
            ff_report_add(r->report, FF_ERROR, pilot->place, "a period of %g s is no multiple of that of the %s, %g s",
                          pilot->period, scene->bus.modelled ? "bus" : "fastest controller", shortest);
    }
}

bool ff_scene_read_controllers(ff_scene_reader *r)
{
    ff_scene *scene = r->scene;
    ff_yaml *top = ff_yaml_get(r->root, "control"), *one = ff_yaml_get(r->root, "robot");
    const bool named = kind_node(top) != NULL;
    scene->pilots = FF_ARENA_NEW(&scene->arena, ff_scene_pilot, scene->nrobot + 1);
    if (!scene->pilots) return named;
    ff_yaml *robot = one ? one : scene->nrobot > 0 ? ff_yaml_get(r->root, "robots")->child : NULL;
    for (int i = 0; robot && i < scene->nrobot; i++, robot = robot->next)
        if (robot->type == FF_YAML_MAP) read_of_robot(r, robot, i);
    if (named && scene->nrobot == 1 && scene->npilot == 0)
        read_pilot(r, top, 0);
    else if (named) {
        ff_report_add(r->report, FF_ERROR, kind_node(top)->key_place,
                      scene->nrobot == 1 ? "the robot has its own 'control' already"
                      : scene->nrobot == 0
                          ? "a controller needs a robot"
                          : "there are several robots: write 'control' inside the robot that it steers");
        ff_yaml_use(top);
    }
    check_periods(r);
    check_references(r);
    return named;
}

// ------------------------------------------------------------------------------------------ frames of one robot

static bool is_of(const ff_scene_robot *robot, int dof)
{
    return dof >= robot->vadr && dof < robot->vadr + robot->nv;
}

bool ff_scene_is_steered(const ff_scene *scene, int dof)
{
    for (int i = 0; i < scene->npilot; i++)
        if (is_of(&scene->robots[scene->pilots[i].robot], dof)) return true;
    return false;
}

bool ff_scene_is_led(const ff_scene *scene, int dof)
{
    for (int i = 0; i < scene->npilot; i++) {
        const ff_scene_pilot *pilot = &scene->pilots[i];
        if (!pilot->brought && pilot->kind && pilot->kind->leads && is_of(&scene->robots[pilot->robot], dof))
            return true;
    }
    return false;
}

/// Is the sensor the robot's? Those fixed to the world go by their names.
static bool is_own_sensor(const ff_scene *scene, const ff_scene_robot *robot, const ff_sensor *s)
{
    const int node = s->body >= 0 ? scene->model->bodies[s->body].node : -1;
    if (s->joint >= 0) return is_of(robot, scene->model->joints[s->joint].vadr);
    if (node >= 0) return is_of(robot, scene->model->nodes[node].vadr);
    return strncmp(s->name, robot->prefix, strlen(robot->prefix)) == 0;
}

/// Numbers of the robot's items among those of the simulation.
static int list_items(const ff_scene *scene, const ff_scene_robot *robot, ff_io_kind kind, int *items)
{
    int n = 0, at = 0;
    if (kind == FF_IO_REFERENCES) {
        for (int i = 0; i < scene->plant->drives->n; i++)
            for (int k = 0; k < 3; k++, at++)
                if (is_of(robot, scene->plant->drives->drives[i].path.vadr[0])) items[n++] = at;
        return n;
    }
    for (int i = 0; i < scene->plant->sensors->n; i++) {
        const bool own = is_own_sensor(scene, robot, &scene->plant->sensors->sensors[i]);
        for (int k = 0; k < scene->plant->sensors->sensors[i].chain.n; k++, at++)
            if (own) items[n++] = at;
    }
    return n;
}

/// "drives.left_knee.speed" without the prefix "left_".
static void strip_prefix(ff_io_name *name, const char *prefix)
{
    char *start = strchr(name->name, '.');
    const size_t length = strlen(prefix);
    if (start && strncmp(start + 1, prefix, length) == 0)
        memmove(start + 1, start + 1 + length, strlen(start + length));
}

/// Layout and frame of the robot's own items.
static bool make_own(ff_scene *scene, ff_scene_pilot *pilot, ff_io_kind kind, const ff_io_layout *all)
{
    const ff_scene_robot *robot = &scene->robots[pilot->robot];
    int *items = FF_ARENA_NEW(&scene->arena, int, all->count + 1);
    ff_io_name *names = FF_ARENA_NEW(&scene->arena, ff_io_name, all->count + 1);
    if (!items || !names) return false;
    const int n = list_items(scene, robot, kind, items);
    for (int i = 0; i < n; i++) {
        names[i] = all->names[items[i]];
        strip_prefix(&names[i], robot->prefix);
    }
    pilot->items[kind] = items;
    pilot->layouts[kind] = (ff_io_layout){kind, n, names, ff_io_layout_hash(names, n)};
    pilot->frames[kind] = (ff_io_frame *)(void *)FF_ARENA_NEW(&scene->arena, ff_io_item, n + 2);
    if (pilot->frames[kind]) ff_io_init(pilot->frames[kind], &pilot->layouts[kind]);
    return pilot->frames[kind] != NULL;
}

_Static_assert(sizeof(ff_io_frame) <= 2 * sizeof(ff_io_item), "a frame fits into two items more than it has");

static bool make_frames(ff_scene *scene, ff_scene_pilot *pilot)
{
    const bool alone = scene->nrobot == 1 && scene->robots[0].prefix[0] == '\0';
    for (int kind = 0; kind < 2; kind++) {
        const ff_io_layout *all = ff_sim_layout(scene->sim, (ff_io_kind)kind);
        pilot->layouts[kind] = *all;
        pilot->frames[kind] = NULL;
        if (!alone && !make_own(scene, pilot, (ff_io_kind)kind, all)) return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------------ cycles

static void give_wishes(const ff_scene *scene, ff_scene_pilot *pilot, double t)
{
    for (; pilot->progress.next < pilot->nwish; pilot->progress.next++) {
        const ff_timed_wish *wish = &pilot->wishes[pilot->progress.next];
        if (wish->at > t + 1e-9) return;
        ff_error refused = {0}; // told by the kind, after the run
        if (pilot->brought || pilot->kind->command(pilot->at_work.context, t, wish->wish, &refused) != FF_OK) continue;
        ff_event_note(scene->events, FF_EVENT_COMMAND, pilot->robot, t, wish->text ? wish->text : "");
    }
}

/// What a program brings is not trusted to look: references that are not finite stay as they were, which the bus sees to as well but does not tell, and positions stay
/// within limits.
static void mend(ff_scene_pilot *pilot, double t, ff_io_frame *references)
{
    ff_io_item *items = ff_io_items(references);
    for (uint32_t i = 0; i < references->count; i++) {
        if (!items[i].valid || isfinite(items[i].value)) continue;
        items[i].valid = 0;
        if (pilot->refused.count++ > 0) continue;
        pilot->refused.time = t;
        pilot->refused.name = pilot->layouts[FF_IO_REFERENCES].names[i].name;
    }
    ff_pilot_keep_limits(pilot, t, references);
}

static void run_pilot(const ff_scene *scene, ff_scene_pilot *pilot, double t, const ff_io_frame *sensors,
                      ff_io_frame *references)
{
    const ff_scene_controller *c = &pilot->at_work;
    if (pilot->progress.cycles++ % pilot->every != 0) return;
    give_wishes(scene, pilot, t);
    ff_io_frame *in = pilot->frames[FF_IO_SENSORS], *out = pilot->frames[FF_IO_REFERENCES];
    if (!in) {
        c->cycle(c->context, t, sensors, references);
        if (pilot->brought) mend(pilot, t, references);
        return;
    }
    in->sequence = sensors->sequence;
    in->time_ns = sensors->time_ns;
    for (uint32_t i = 0; i < in->count; i++)
        ff_io_items(in)[i] = ff_io_items_of(sensors)[pilot->items[FF_IO_SENSORS][i]];
    out->sequence = references->sequence;
    out->time_ns = references->time_ns;
    memset(ff_io_items(out), 0, out->count * sizeof(ff_io_item));
    c->cycle(c->context, t, in, out);
    if (pilot->brought) mend(pilot, t, out);
    for (uint32_t i = 0; i < out->count; i++)
        ff_io_items(references)[pilot->items[FF_IO_REFERENCES][i]] = ff_io_items(out)[i];
}

/// All that speaks on the bus: the joint law, where the bus is modelled, and the controllers.
static void host(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    ff_scene *scene = context;
    const ff_io_frame *heard = ff_scene_lose_sensors(scene, t, sensors);
    if (scene->bus.modelled) ff_scene_host_cycle(scene, t, heard, references);
    for (int i = 0; i < scene->npilot; i++) {
        run_pilot(scene, &scene->pilots[i], t, heard, references);
        ff_event_note_status(scene->events, &scene->pilots[i], t);
    }
    ff_scene_lose_references(scene, t, references);
}

// ------------------------------------------------------------------------------------------ beginning and end

static ff_status at_place(const ff_scene_pilot *pilot, ff_error *err)
{
    const ff_error inner = *err;
    if (!pilot->place.file) return inner.status;
    return ff_error_set(err, inner.status, "%s:%d:%d: %.400s", pilot->place.file, pilot->place.line,
                        pilot->place.column, inner.text);
}

ff_control_site ff_pilot_site(const ff_scene *scene, const ff_scene_pilot *pilot)
{
    return (ff_control_site){.model = scene->robots[pilot->robot].model,
                             .sensors = &pilot->layouts[FF_IO_SENSORS],
                             .references = &pilot->layouts[FF_IO_REFERENCES],
                             .period = (double)pilot->every * scene->bus.period,
                             .seed = scene->options.seed + (uint64_t)pilot->robot,
                             .place = pilot->place,
                             .limits = pilot->limits};
}

static ff_status begin_pilot(ff_scene *scene, ff_scene_pilot *pilot, ff_error *err)
{
    const ff_scene_robot *robot = &scene->robots[pilot->robot];
    ff_sim *sim = scene->sim;
    if (!make_frames(scene, pilot) || !ff_pilot_make_limits(scene, pilot))
        return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    const ff_control_site site = ff_pilot_site(scene, pilot);
    ff_status status = FF_OK;
    if (!pilot->brought) {
        pilot->at_work = (ff_scene_controller){0};
        status = pilot->kind->begin(pilot->settings, &site, &pilot->at_work, err);
    } else {
        pilot->at_work = pilot->outside;
        if (pilot->outside.bind)
            status = pilot->outside.bind(pilot->outside.context, site.model, site.sensors, site.references, err);
    }
    pilot->begun = status == FF_OK;
    if (status != FF_OK) return status;
    const ff_scene_controller *c = &pilot->at_work;
    pilot->progress = (ff_pilot_progress){0};
    pilot->refused = pilot->beyond = (ff_pilot_refusal){0};
    pilot->status = 0;
    const char *lead = ff_arena_printf(&scene->arena, "control.%s", robot->prefix);
    const char *name = ff_arena_printf(&scene->arena, "control %d", pilot->robot);
    if (!lead || !name) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    status = ff_sim_add_memory(sim, name, &pilot->progress, sizeof pilot->progress, err);
    if (status == FF_OK && c->memory_size > 0) status = ff_sim_add_memory(sim, name, c->memory, c->memory_size, err);
    if (status == FF_OK && c->nsignal > 0)
        status = ff_sim_add_signals(sim, lead, c->signals, c->values, c->nsignal, err);
    return status;
}

ff_status ff_scene_add_controllers(ff_scene *scene, ff_error *err)
{
    const ff_controller controller = {scene, host};
    if (scene->npilot == 0 && !scene->bus.modelled) return FF_OK;
    ff_status status = ff_sim_add_bus(scene->sim, &scene->bus, &controller, err);
    if (status == FF_OK) status = ff_scene_add_host(scene, err);
    if (status == FF_OK) status = ff_scene_add_faults(scene, err);
    for (int i = 0; i < scene->npilot && status == FF_OK; i++) {
        status = begin_pilot(scene, &scene->pilots[i], err);
        if (status != FF_OK) at_place(&scene->pilots[i], err);
    }
    return status;
}

void ff_scene_end_controllers(ff_scene *scene)
{
    for (int i = 0; i < scene->npilot; i++) {
        ff_scene_pilot *pilot = &scene->pilots[i];
        if (pilot->begun && !pilot->brought && pilot->at_work.context) pilot->kind->end(pilot->at_work.context);
        pilot->begun = false;
    }
}

void ff_scene_tell_controllers(const ff_scene *scene, ff_report *report)
{
    for (int i = 0; i < scene->npilot; i++) {
        const ff_scene_pilot *pilot = &scene->pilots[i];
        if (pilot->begun && !pilot->brought && pilot->kind->tell)
            pilot->kind->tell(pilot->at_work.context, pilot->place, report);
        if (pilot->refused.count > 0)
            ff_report_add(report, FF_WARNING, pilot->place,
                          "at %.6g s the controller made '%.60s' not a number or infinite, %lld time%s in all: it "
                          "stays as it was",
                          pilot->refused.time, pilot->refused.name, (long long)pilot->refused.count,
                          pilot->refused.count > 1 ? "s" : "");
        if (pilot->beyond.count > 0)
            ff_report_add(report, FF_WARNING, pilot->place,
                          "at %.6g s the controller asked joint '%.60s' for %.6g %s, and %.6g is its limit: it gets "
                          "that; references beyond limits: %lld",
                          pilot->beyond.time, pilot->beyond.name, pilot->beyond.asked, pilot->beyond.unit,
                          pilot->beyond.limit, (long long)pilot->beyond.count);
    }
}

/// A drive of the robot's legs that does not follow positions; NULL where there is none.
static const ff_drive *find_deaf_drive(const ff_scene *scene, const ff_scene_robot *robot)
{
    const ff_model *m = robot->model;
    for (int i = 0; scene->plant->drives && i < scene->plant->drives->n; i++) {
        const ff_drive *d = &scene->plant->drives->drives[i];
        const bool follows = d->motor == FF_MOTOR_SERVO || (d->loop != FF_LOOP_DIRECT && d->loop != FF_LOOP_FORCE);
        for (int leg = 0; !follows && leg < m->nleg; leg++)
            for (int k = 0; k < m->legs[leg].njoint; k++)
                if (m->joints[m->legs[leg].joints[k]].vadr + robot->vadr == d->path.vadr[0]) return d;
    }
    return NULL;
}

static void check_drives(const ff_scene_reader *r, const ff_scene_pilot *pilot)
{
    const ff_drive *deaf = pilot->kind->positions ? find_deaf_drive(r->scene, &r->scene->robots[pilot->robot]) : NULL;
    if (deaf)
        ff_report_add(r->report, FF_ERROR, pilot->place,
                      "'%s' gives positions, which drive '%.60s' does not follow: its loop is '%s'; give it one of "
                      "positions, such as pd",
                      pilot->kind->key, deaf->name, ff_drive_loop_names[deaf->loop]);
}

void ff_scene_check_controllers(ff_scene_reader *r)
{
    ff_scene *scene = r->scene;
    ff_error err = {0};
    if (scene->npilot == 0) return;
    scene->sim = ff_sim_create(scene->model, &scene->options, &err);
    ff_status status = scene->sim ? ff_scene_add_world(scene, &err) : err.status;
    if (status == FF_OK) status = ff_sim_add_plant(scene->sim, scene->plant, &err);
    const ff_controller controller = {scene, host};
    if (status == FF_OK) status = ff_sim_add_bus(scene->sim, &scene->bus, &controller, &err);
    if (status != FF_OK) ff_report_add(r->report, FF_ERROR, ff_scene_controller_place(r), "%s", err.text);
    for (int i = 0; i < scene->npilot && status == FF_OK; i++) {
        const ff_scene_pilot *pilot = &scene->pilots[i];
        const ff_scene_robot *robot = &scene->robots[pilot->robot];
        check_drives(r, pilot);
        if (begin_pilot(scene, &scene->pilots[i], &err) != FF_OK)
            ff_report_add(r->report, FF_ERROR, pilot->place, "%s", err.text);
        else if (pilot->kind->start)
            pilot->kind->start(pilot->at_work.context, scene->q + robot->qadr, scene->v + robot->vadr);
    }
    if (r->report->errors == 0 && ff_scene_need_controllers(scene, NULL) == FF_OK)
        ff_scene_check_signal_metrics(scene, r->report);
    ff_scene_end(scene);
}

const double *ff_scene_find_signal(const ff_scene *scene, const char *name, size_t length)
{
    for (int i = 0; i < scene->npilot; i++) {
        const ff_scene_controller *c = &scene->pilots[i].at_work;
        const char *prefix = scene->robots[scene->pilots[i].robot].prefix;
        const size_t lead = strlen(prefix);
        if (!scene->pilots[i].begun || length < lead || strncmp(name, prefix, lead) != 0) continue;
        for (int k = 0; k < c->nsignal; k++)
            if (strlen(c->signals[k].name) == length - lead &&
                strncmp(c->signals[k].name, name + lead, length - lead) == 0)
                return &c->values[k];
    }
    return NULL;
}

ff_status ff_scene_need_controllers(const ff_scene *scene, ff_error *err)
{
    for (int i = 0; i < scene->npilot; i++) {
        const ff_scene_pilot *pilot = &scene->pilots[i];
        if (pilot->kind != &ff_control_callback || pilot->brought) continue;
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "%s:%d:%d: a program that uses the library brings the controller '%.60s' "
                            "(ff_scene_set_controller); nobody did",
                            pilot->place.file, pilot->place.line, pilot->place.column, (const char *)pilot->settings);
    }
    return FF_OK;
}

ff_status ff_scene_set_controller(ff_scene *scene, int robot, const ff_scene_controller *controller, ff_error *err)
{
    if (robot < 0 || robot >= scene->nrobot)
        return ff_error_set(err, FF_BAD_ARGUMENT, "no robot %d in this scene, which has %d", robot, scene->nrobot);
    if (!controller->cycle) return ff_error_set(err, FF_BAD_ARGUMENT, "a controller without a cycle steers nothing");
    if (scene->sim) return ff_error_set(err, FF_BAD_ARGUMENT, "this scene has begun already");
    if (!scene->driven || !scene->sensed)
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "a controller needs drives and sensors: write 'control: {callback: NAME}' in the scene");
    ff_scene_pilot *pilot = scene->pilots;
    while (pilot < scene->pilots + scene->npilot && pilot->robot != robot) pilot++;
    if (pilot == scene->pilots + scene->npilot) {
        *pilot = (ff_scene_pilot){.robot = robot, .period = scene->bus.period, .every = 1};
        scene->npilot++;
    }
    pilot->brought = true;
    pilot->outside = *controller;
    return FF_OK;
}
