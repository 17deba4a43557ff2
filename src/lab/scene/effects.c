// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The keys `effects`, which choose how much of the robots' drives is modelled, and `references` of drives. With drives,
// the targets of the joint law (`control`) are sent as references each millisecond. Stiffness and damping of `hold`
// then apply only to drives without their own loop.
#include "drive/interface.h"
#include "plant/compile.h"
#include "scene/running.h"

#include <footfall/text.h>
#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ reading

/// Step that decides whether electrical poles are modelled: the fixed step, or a typical one of the implicit method at
/// a coarse accuracy, where a winding of 0.1 ms would need ten steps a sample without a visible effect; 0: model them.
/// [s]
static double usual_step(const ff_sim_options *o)
{
    static const double COARSE = 1e-4, LONG = 1e-3; // [1], [s]
    if (ff_sim_options_fixed_step(o)) return o->step;
    return ff_method_get_traits(o->method).accuracy && o->accuracy >= COARSE ? LONG : 0.0;
}

void ff_scene_read_effects(ff_scene_reader *r)
{
    static const char *const drives[] = {"none", "ideal", "lag", "full", NULL};
    static const char *const transmissions[] = {"rigid", "flexible", "backlash", NULL};
    static const char *const batteries[] = {"none", "modelled", NULL};
    ff_scene_spec *scene = r->scene;
    ff_yaml *node = ff_yaml_get(r->root, "effects");
    const bool steered = ff_scene_names_controller(r);
    scene->plant_place = node ? ff_scene_place(r, node) : ff_scene_controller_place(r);
    if (!node && !steered) { // the summary says so
        static const char *const off[][2] = {
            {"drives", "none"}, {"transmission", "rigid"}, {"battery", "none"}, {"sensors", "none"}, {"bus", "none"}};
        for (int i = 0; i < 5; i++) ff_scene_note_effect(scene, off[i][0], off[i][1]);
        return;
    }
    if (node && !ff_yaml_expect(node, FF_YAML_MAP, "{drives: full, transmission: backlash}", r->report)) return;
    const int motor = ff_yaml_choice(node, "drives", drives, steered ? 1 : 0, r->report);
    if (steered && motor == 0)
        ff_report_add(r->report, FF_ERROR, ff_yaml_get(node, "drives")->place,
                      "a controller steers drives alone: write 'drives: ideal' or 'drives: full'");
    const int transmission = ff_yaml_choice(node, "transmission", transmissions, 0, r->report);
    const int battery = ff_yaml_choice(node, "battery", batteries, 0, r->report);
    scene->driven = motor > 0;
    scene->drive_options = (ff_drive_options){.ideal = motor == 1,
                                              .lag = motor == 2,
                                              .transmission = (ff_drive_transmission)transmission,
                                              .battery = battery == 1};
    scene->drive_options.step = usual_step(&scene->options);
    scene->drive_options.loop_span = ff_yaml_number(node, "loop_span", 0.0, r->report);
    ff_scene_note_effect(scene, "drives", drives[motor]);
    ff_scene_note_effect(scene, "transmission", transmissions[transmission]);
    ff_scene_note_effect(scene, "battery", batteries[battery]);
    if (scene->drive_options.loop_span > 0.0)
        ff_scene_note_effect(scene, "loop_span",
                             ff_arena_printf(&scene->arena, "%g s", scene->drive_options.loop_span));
    ff_scene_read_sensing(r, node);
    ff_yaml *transmission_node = ff_yaml_get(node, "transmission"), *battery_node = ff_yaml_get(node, "battery");
    if (transmission_node && motor == 0 && transmission > 0)
        ff_report_add(r->report, FF_ERROR, transmission_node->place,
                      "a transmission needs drives: write 'drives: ideal' or 'drives: full'");
    if (battery_node && motor == 0 && battery > 0)
        ff_report_add(r->report, FF_ERROR, battery_node->place,
                      "a battery needs drives: write 'drives: ideal' or 'drives: full'");
}

/// Reads a reference, once for each drive whose name it fits.
static void read_reference(const ff_scene_reader *r, const ff_drive_set *set, ff_yaml *node)
{
    static const char *const keys[3] = {"position", "speed", "force"};
    ff_scene_spec *scene = r->scene;
    if (!ff_yaml_expect(node, FF_YAML_MAP, "{drive: .., at: .., position: ..}", r->report)) return;
    ff_yaml *drive = ff_yaml_need(node, "drive", r->report);
    const char *name = drive ? ff_yaml_as_string(drive, r->report) : NULL;
    ff_scene_reference ref = {.at = ff_yaml_number(node, "at", 0.0, r->report), .place = ff_scene_place(r, node)};
    bool any = false;
    for (int k = 0; k < 3; k++) {
        ff_yaml *value = ff_yaml_get(node, keys[k]);
        ref.given[k] = value && ff_yaml_as_number(value, &ref.value[k], r->report);
        any = any || value;
    }
    if (!name) return;
    if (!any) ff_report_add(r->report, FF_ERROR, node->place, "a reference is a 'position', a 'speed' or a 'force'");
    int found = 0;
    for (int i = 0; i < set->n; i++) {
        if (!ff_text_matches(name, set->drives[i].name)) continue;
        ref.drive = i;
        scene->references[scene->nreference++] = ref;
        found++;
    }
    if (found > 0) return;
    const char *names[200];
    int n = 0;
    for (; n < set->n && n < 200; n++) names[n] = set->drives[n].name;
    ff_scene_report_unknown(r, drive->place, "drive", name, names, n);
}

void ff_scene_advise_drives(const ff_scene_spec *scene, ff_report *report)
{
    ff_report found = {0};
    if (scene->driven) ff_drive_set_destroy(ff_drive_set_create(scene->model, &scene->drive_options, &found));
    ff_scene_hand_over(&found, 1U << FF_NOTE, report);
}

/// Does a fast loop of any drive run ahead of the mechanics (`loop_span`)?
static bool has_loop_ahead(const ff_drive_set *set)
{
    for (int i = 0; i < set->n; i++)
        if (set->drives[i].span > 0.0) return true;
    return false;
}

void ff_scene_make_drives(ff_scene_reader *r)
{
    ff_scene_spec *scene = r->scene;
    ff_yaml *list = ff_yaml_get(r->root, "references");
    if (list && !scene->driven) {
        ff_report_add(r->report, FF_ERROR, list->key_place, "references need drives: write 'effects: {drives: full}'");
        ff_yaml_use(list);
        return;
    }
    if (!scene->driven && scene->model->ndrive == 0) return;
    ff_report found = {0};
    if (scene->driven)
        ff_plant_make_drives(scene->plant, &scene->drive_options, &found);
    else // errors in drives are reported also without `effects`
        ff_drive_set_destroy(ff_drive_set_create(scene->model, NULL, &found));
    ff_scene_hand_over(&found, ~(1U << FF_NOTE), r->report); // notes come with the advice (ff_scene_advise_drives)
    const ff_drive_set *set = scene->plant->drives;
    if (!set) return;
    const int n = ff_scene_count(list);
    if ((double)n * set->n > 1e6)
        ff_report_add(r->report, FF_ERROR, list->place, "%d references of %d drives are too many", n, set->n);
    else
        scene->references = FF_ARENA_NEW(&scene->arena, ff_scene_reference, (size_t)n * (size_t)set->n);
    for (ff_yaml *node = n > 0 && scene->references ? list->child : NULL; node; node = node->next)
        read_reference(r, set, node);
    ff_yaml *effects = ff_yaml_get(r->root, "effects");
    if (scene->drive_options.battery && set->nbattery == 0)
        ff_report_add(r->report, FF_WARNING, effects->place,
                      "no robot of this scene describes a battery: every supply is steady");
    if (scene->drive_options.loop_span > 0.0 && !has_loop_ahead(set))
        ff_report_add(r->report, FF_WARNING, ff_yaml_get(effects, "loop_span")->place,
                      "no current loop of a motor is faster than %g s: 'loop_span' changes nothing",
                      scene->drive_options.loop_span);
    if (set->n == 0 && set->nactuator == 0)
        ff_report_add(r->report, FF_WARNING, effects ? effects->place : ff_scene_controller_place(r),
                      "no robot of this scene describes drives or actuators: nothing is driven");
}

// ------------------------------------------------------------------------------------------ in a run

bool ff_scene_is_driven(const ff_scene_spec *scene, int joint)
{
    for (int i = 0; scene->plant->drives && i < scene->plant->drives->n; i++) {
        const ff_drive *d = &scene->plant->drives->drives[i];
        for (int k = 0; k < d->path.njoint; k++)
            if (d->motor != FF_MOTOR_NONE && d->path.joint[k] == joint) return true;
    }
    return false;
}

/// Sum of the squared levers of all drives on each degree of freedom, at the targets.
static void add_up_levers(const ff_run *run)
{
    const ff_scene_spec *scene = run->scene;
    const ff_run_law *law = run->law;
    memset(law->squares, 0, (size_t)scene->model->nv * sizeof *law->squares);
    for (int i = 0; i < scene->plant->drives->n; i++) {
        const ff_drive *d = &scene->plant->drives->drives[i];
        if (d->motor == FF_MOTOR_NONE) continue;
        const ff_drive_position at = ff_drive_path_locate(&d->path, law->target, law->target + scene->model->nq);
        for (int k = 0; k < d->path.njoint; k++) law->squares[d->path.vadr[k]] += at.lever[k] * at.lever[k];
    }
}

/// Force of a drive for the feedforward torques of its joints. Drives that share a joint do so with the least sum of
/// squared forces.
static double share_of(const ff_run_law *law, const ff_drive *d, const ff_drive_position *at)
{
    double force = 0.0;
    for (int k = 0; k < d->path.njoint; k++) {
        const int dof = d->path.vadr[k];
        if (law->squares[dof] > 0.0) force += at->lever[k] * law->push[dof] / law->squares[dof];
    }
    return force;
}

/// Sends references to a drive: directly, or into a frame.
static void send(const ff_run *run, ff_io_frame *frame, int drive, const double reference[3])
{
    if (!frame) ff_sim_drive_command(run->sim, (ff_drive_id){drive}, reference[0], reference[1], reference[2]);
    for (int k = 0; frame && k < 3; k++)
        ff_io_items(frame)[3 * drive + k] = (ff_io_item){.value = reference[k], .valid = 1};
}

/// Targets of the joint law and their rates at the time t, for all hinges and slides.
static void fill_targets(const ff_run *run, double t)
{
    const ff_scene_spec *scene = run->scene;
    const ff_run_law *law = run->law;
    const ff_model *m = scene->model;
    memcpy(law->target, law->start, (size_t)m->nq * sizeof *law->target);
    memset(law->target + m->nq, 0, (size_t)m->nv * sizeof *law->target);
    for (int j = 0; j < m->njoint; j++)
        if (ff_joint_is_scalar(m->joints[j].type))
            ff_law_target(law, m->nq, m->joints[j].qadr, t, &law->target[m->joints[j].qadr],
                          &law->target[m->nq + m->joints[j].vadr]);
    add_up_levers(run);
}

void ff_run_send_targets(const ff_run *run, double t, const double *q, const double *v, ff_io_frame *frame)
{
    const ff_scene_spec *scene = run->scene;
    const ff_run_law *law = run->law;
    const ff_model *m = scene->model;
    fill_targets(run, t);
    for (int i = 0; i < scene->plant->drives->n; i++) {
        const ff_drive *d = &scene->plant->drives->drives[i];
        if (d->motor == FF_MOTOR_NONE || ff_run_is_steered(run, d->path.vadr[0])) continue;
        const ff_drive_position at = ff_drive_path_locate(&d->path, law->target, law->target + m->nq);
        double force = share_of(law, d, &at);
        const double lead = ff_drive_reference_offset(d, force);
        if (d->loop == FF_LOOP_DIRECT && d->motor == FF_MOTOR_IDEAL && q) {
            const ff_drive_position now = ff_drive_path_locate(&d->path, q, v);
            const double square = at.lever[0] * at.lever[0] + at.lever[1] * at.lever[1];
            force += (law->asked.stiffness * (at.x - now.x) + law->asked.damping * (at.speed - now.speed)) /
                     ff_max(square, 1e-12);
        }
        send(run, frame, i, (const double[3]){at.x + lead, at.speed, force});
    }
}

static ff_sim_action send_targets(void *context, ff_sim *sim, double t)
{
    ff_run_send_targets(context, t, ff_sim_q(sim), ff_sim_v(sim), NULL);
    return FF_SIM_GO;
}

/// Sends the references that are due now, in their order; values that are not given stay.
static ff_sim_action send_references(void *context, ff_sim *sim, double t)
{
    const ff_run *run = context;
    const ff_scene_spec *scene = run->scene;
    const ff_ticks now = ff_ticks_from_seconds(t);
    for (int i = 0; i < scene->nreference; i++) {
        const ff_scene_reference *ref = &scene->references[i];
        if (ff_ticks_from_seconds(ref->at) != now) continue;
        double value[3];
        memcpy(value, ff_sim_drive_memory(sim, (ff_drive_id){ref->drive})->reference, sizeof value);
        for (int k = 0; k < 3; k++)
            if (ref->given[k]) value[k] = ref->value[k];
        ff_sim_drive_command(sim, (ff_drive_id){ref->drive}, value[0], value[1], value[2]);
    }
    return FF_SIM_GO;
}

/// Adds tasks that send targets of the joint law and references.
static ff_status add_senders(ff_run *run, ff_error *err)
{
    const ff_scene_spec *scene = run->scene;
    // Added before the loops of the drives, so that these use new references at the same time.
    const ff_task targets = {
        .name = "targets", .period = ff_ticks_from_seconds(FF_RUN_COMMAND_PERIOD), .context = run, .run = send_targets};
    bool has_law = false; // the joint law commands a drive
    for (int i = 0; i < scene->plant->drives->n; i++)
        has_law = has_law || !ff_run_is_steered(run, scene->plant->drives->drives[i].path.vadr[0]);
    if (run->law && has_law && !scene->bus.modelled && ff_sim_add_task(run->sim, &targets, err) < 0) return err->status;
    for (int i = 0; i < scene->nreference && !scene->bus.modelled; i++) {
        bool known = false; // references of the same time share a task
        for (int k = 0; k < i && !known; k++) known = scene->references[k].at == scene->references[i].at;
        const ff_task task = {.name = "reference",
                              .offset = ff_ticks_from_seconds(scene->references[i].at),
                              .context = run,
                              .run = send_references};
        if (!known && ff_sim_add_task(run->sim, &task, err) < 0) return err->status;
    }
    return FF_OK;
}

ff_status ff_run_add_plant(ff_run *run, ff_error *err)
{
    const ff_scene_spec *scene = run->scene;
    const ff_status status = scene->plant->drives ? add_senders(run, err) : FF_OK;
    return status == FF_OK ? ff_sim_add_plant(run->sim, scene->plant, err) : status;
}

/// The robot of a degree of freedom, if it starts in equilibrium; NULL otherwise.
static const ff_scene_robot *find_settled(const ff_scene_spec *scene, int dof)
{
    for (int i = 0; i < scene->nrobot; i++) {
        const ff_scene_robot *r = &scene->robots[i];
        if (r->settle && dof >= r->vadr && dof < r->vadr + r->nv) return r;
    }
    return NULL;
}

/// Adds the pull of cables without a motor at the start to the torques of robots that settled, which motors must carry.
static void add_cables(const ff_run *run)
{
    const ff_scene_spec *scene = run->scene;
    ff_run_law *law = run->law;
    for (int i = 0; i < scene->plant->drives->n; i++) {
        const ff_drive *d = &scene->plant->drives->drives[i];
        if (!find_settled(scene, d->path.vadr[0])) continue;
        const ff_drive_position at = ff_drive_path_locate(&d->path, law->start, law->target + scene->model->nq);
        const double pull = ff_drive_pull(d, at.x);
        for (int k = 0; k < d->path.njoint; k++) law->torque[d->path.vadr[k]] += at.lever[k] * pull;
    }
}

/// Warns of a drive with a single cable that would have to push in equilibrium: its joint sags.
static void warn_of_slack(const ff_scene_spec *scene, const ff_drive *d, double force, ff_report *report)
{
    const ff_scene_robot *robot = find_settled(scene, d->path.vadr[0]);
    const bool one_way = d->transmission == FF_TRANSMISSION_CABLES && d->sea.one;
    if (robot && one_way && force < -1e-9)
        ff_report_add(
            report, FF_WARNING, robot->settle_place,
            "the single cable of drive '%s' is slack in equilibrium: it would have to push with %.3g N m, and "
            "the robot sags",
            d->name, -force);
}

/// Preloads the drives with their forces at the start. Drives with references by frames get the references of the
/// start, which they keep until the first frame arrives.
static void start_in_balance(const ff_run *run, ff_report *report)
{
    const ff_scene_spec *scene = run->scene;
    const ff_run_law *law = run->law;
    fill_targets(run, 0.0);
    for (int i = 0; i < scene->plant->drives->n; i++) {
        const ff_drive *d = &scene->plant->drives->drives[i];
        if (d->motor == FF_MOTOR_NONE) continue;
        const ff_drive_position at = ff_drive_path_locate(&d->path, law->start, law->target + scene->model->nq);
        const double force = share_of(law, d, &at);
        warn_of_slack(scene, d, force, report);
        ff_sim_preload_drive(run->sim, (ff_drive_id){i}, force);
        if (scene->bus.modelled || ff_run_is_steered(run, d->path.vadr[0]))
            ff_sim_drive_command(run->sim, (ff_drive_id){i}, at.x + ff_drive_reference_offset(d, force), 0.0, force);
    }
}

/// Sends the command of the start keyframe to a drive that was made of an actuator, in the units of the drive.
static void command_by_key(const ff_run *run, int drive)
{
    const ff_scene_spec *scene = run->scene;
    const ff_model *m = scene->model;
    const ff_drive *d = &scene->plant->drives->drives[drive];
    for (int i = 0; i < m->nactuator; i++) {
        const ff_actuator *a = &m->actuators[i];
        const double u = scene->command[i];
        if (isnan(u) || strcmp(a->name, d->name) != 0) continue;
        const bool position = a->bias[1] < 0.0, speed = !position && a->bias[2] < 0.0;
        ff_sim_drive_command(run->sim, (ff_drive_id){drive}, position ? u / a->gear : 0.0, speed ? u / a->gear : 0.0,
                             position || speed ? 0.0 : a->gear * a->gain * u);
    }
}

/// Applies commands and activations of the start keyframe: to actuators that are not drives, and to drives without
/// joint law and controller.
static void start_actuators(ff_run *run)
{
    const ff_scene_spec *scene = run->scene;
    const ff_drive_set *set = scene->plant->drives;
    for (int i = 0; i < set->nactuator; i++) {
        const ff_actuator_id id = {set->actuators[i]};
        if (!isnan(scene->command[id.index])) ff_sim_set_command(run->sim, id, scene->command[id.index]);
        if (!isnan(scene->activation[id.index]) && scene->model->actuators[id.index].state >= 0)
            ff_sim_set_activation(run->sim, id, scene->activation[id.index]);
    }
    for (int i = 0; i < set->n && !run->law; i++)
        if (!ff_run_is_steered(run, set->drives[i].path.vadr[0])) command_by_key(run, i);
}

void ff_run_start_drives(ff_run *run, ff_report *report)
{
    const ff_scene_spec *scene = run->scene;
    if (!scene->plant->drives) return;
    ff_run_law *law = run->law;
    if (law) add_cables(run);
    for (int j = 0; law && j < scene->model->njoint; j++) {
        const int dof = scene->model->joints[j].vadr;
        if (!ff_scene_is_driven(scene, j)) continue;
        law->push[dof] = law->torque[dof];
        law->torque[dof] = 0.0;
    }
    if (law) law->pushes = false; // only joints without a drive keep feedforward in `torque`
    for (int i = 0; law && i < scene->model->nv; i++) law->pushes = law->pushes || law->torque[i] != 0.0;
    ff_sim_start_drives(run->sim);
    start_actuators(run);
    if (law) start_in_balance(run, report);
}
