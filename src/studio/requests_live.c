// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Verbs that interact with the simulation: pushes and pulls, moving robots, commands, scripts and their parameters,
// cameras. Interactions are added to the event log, which is part of the summary of a saved run.
#include "workbench_inner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Three numbers, whose type has been checked. @return false: absent or null
static bool read_vector(const ff_bench_request *q, const char *key, double out[3])
{
    ff_yaml *node = ff_yaml_get(q->root, key);
    return node && !ff_yaml_is_null(node) && ff_yaml_as_numbers(node, out, 3, 3, NULL) == 3;
}

/// Number of a body; -1: absent or invalid.
static int read_body(const ff_bench_request *q)
{
    const double number = ff_bench_number(q, "body", -1.0);
    return number >= 0.0 && number < 1e9 ? (int)number : -1;
}

static const char *name_of_body(const ff_workbench *b, int body)
{
    return b->scene.spec->model->bodies[body].name;
}

ff_status ff_bench_push(ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    double point[3], force[3];
    const int body = read_body(q);
    const double seconds = ff_bench_number(q, "seconds", 0.1);
    read_vector(q, "point", point);
    read_vector(q, "force", force);
    const ff_status status = ff_run_push(b->scene.run, body, point, force, seconds, err);
    if (status != FF_OK) return status;
    ff_bench_log_event(b, "'%.60s' was pushed with (%.4g, %.4g, %.4g) N for %.4g s", name_of_body(b, body), force[0],
                       force[1], force[2], seconds);
    ff_bench_mark_changed(b);
    ff_json json = {0};
    ff_json_begin_object(&json, NULL, true);
    ff_json_text(&json, "event", "pushed");
    ff_json_number(&json, "t", ff_sim_time(ff_run_sim(b->scene.run)));
    ff_json_integer(&json, "body", body);
    ff_json_numbers(&json, "point", point, 3);
    ff_json_numbers(&json, "force", force, 3);
    ff_json_number(&json, "seconds", seconds);
    ff_json_end_object(&json);
    ff_bench_send_all(b, ff_json_finish(&json));
    return FF_OK;
}

/// Number of the pull of a client, either its own or a free one; -1: the limit is reached.
static int find_pull(ff_workbench *b, int client)
{
    int free_pull = -1;
    for (int i = FF_RUN_INTERACTIONS / 2 - 1; i >= 0; i--) {
        if (b->pulls[i] == client + 1) return i;
        if (b->pulls[i] == 0) free_pull = i;
    }
    return free_pull;
}

void ff_bench_end_pull(ff_workbench *b, int client)
{
    static const double zero[3] = {0, 0, 0};
    const int pull = find_pull(b, client);
    ff_error ignored = {0};
    if (pull < 0 || b->pulls[pull] == 0) return;
    b->pulls[pull] = 0;
    if (b->scene.run) ff_run_pull(b->scene.run, pull, 0, zero, NULL, &ignored);
    ff_bench_mark_changed(b);
}

ff_status ff_bench_pull(ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    double point[3], target[3];
    const int body = read_body(q);
    if (!read_vector(q, "target", target)) {
        ff_bench_end_pull(b, q->client);
        return FF_OK;
    }
    if (body < 0 || !read_vector(q, "point", point))
        return ff_error_set(err, FF_BAD_ARGUMENT, "'target' requires 'body' and 'point'");
    const int pull = find_pull(b, q->client);
    if (pull < 0)
        return ff_error_set(err, FF_LIMIT, "the limit of %d simultaneous pulls is reached", FF_RUN_INTERACTIONS / 2);
    const ff_status status = ff_run_pull(b->scene.run, pull, body, point, target, err);
    if (status != FF_OK) return status;
    if (b->pulls[pull] == 0) ff_bench_log_event(b, "'%.60s' was pulled", name_of_body(b, body));
    b->pulls[pull] = q->client + 1;
    ff_bench_mark_changed(b);
    return FF_OK;
}

ff_status ff_bench_place(ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    const int robot = ff_bench_find_robot(b, ff_yaml_get(q->root, "robot"), err);
    double pos[3];
    if (robot < 0) return err->status;
    if (b->scene.running) return ff_error_set(err, FF_BAD_ARGUMENT, "pause the simulation to move a robot");
    const bool position = read_vector(q, "position", pos);
    const double yaw = ff_bench_number(q, "yaw", NAN), value = ff_bench_number(q, "value", NAN);
    const char *joint = ff_bench_text(q, "joint");
    if ((!position && isnan(yaw) && !joint) || (joint && isnan(value)))
        return ff_error_set(err, FF_BAD_ARGUMENT, "expected 'position', 'yaw', or 'joint' and 'value'");
    ff_status status = FF_OK;
    if (position || !isnan(yaw)) status = ff_run_put_robot(b->scene.run, robot, position ? pos : NULL, yaw, err);
    if (status == FF_OK && joint) status = ff_run_put_joint(b->scene.run, robot, joint, value, err);
    if (status != FF_OK) return status;
    ff_bench_log_event(b, "'%.60s' was moved", b->scene.spec->robots[robot].name);
    ff_bench_mark_changed(b);
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ controllers

/// A node as text that parses to the same node.
static void write_node(ff_json *json, const ff_yaml *node)
{
    double number;
    if (node->type == FF_YAML_LIST) {
        ff_json_begin_array(json, node->key, true);
        for (const ff_yaml *child = node->child; child; child = child->next) write_node(json, child);
        ff_json_end_array(json);
    } else if (node->type == FF_YAML_MAP) {
        ff_json_begin_object(json, node->key, true);
        for (const ff_yaml *child = node->child; child; child = child->next) write_node(json, child);
        ff_json_end_object(json);
    } else if (!node->quoted && ff_text_number(node->text, strlen(node->text), &number)) {
        ff_json_number(json, node->key, number);
    } else if (!node->quoted && (strcmp(node->text, "true") == 0 || strcmp(node->text, "false") == 0)) {
        ff_json_bool(json, node->key, node->text[0] == 't');
    } else {
        ff_json_text(json, node->key, node->text);
    }
}

ff_status ff_bench_command(ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    const int robot = ff_bench_find_robot(b, ff_yaml_get(q->root, "robot"), err);
    if (robot < 0) return err->status;
    ff_json json = {0};
    ff_yaml command = *ff_yaml_get(q->root, "command");
    command.key = NULL; // the outermost value has no key
    write_node(&json, &command);
    char *text = ff_json_finish(&json);
    if (!text) return ff_error_set(err, FF_NO_MEMORY, "%s", ff_status_text(FF_NO_MEMORY));
    const ff_status status = ff_run_command(b->scene.run, robot, text, strlen(text), &q->messages);
    if (status == FF_OK) {
        text[strcspn(text, "\n")] = 0;
        ff_bench_log_event(b, "'%.60s' got the command %.200s", b->scene.spec->robots[robot].name, text);
        b->control_due = true;
    } else {
        ff_report_to_error(&q->messages, status, err);
        for (int i = 0; i < q->messages.count; i++) // the line refers to a text that the page does not show
            if (q->messages.messages[i].severity == FF_ERROR)
                ff_error_set(err, status, "%s", q->messages.messages[i].text);
    }
    free(text);
    return status;
}

static void write_parameters(const ff_workbench *b, int robot, ff_json *json)
{
    ff_script_parameter all[64];
    const int count = ff_run_parameters(b->scene.run, robot, all, 64);
    ff_json_begin_array(json, "parameters", true);
    for (int i = 0; i < count; i++) {
        ff_json_begin_object(json, NULL, true);
        ff_json_text(json, "name", all[i].name);
        ff_json_text(json, "unit", all[i].unit);
        ff_json_number(json, "low", all[i].low);
        ff_json_number(json, "high", all[i].high);
        ff_json_number(json, "value", all[i].value);
        ff_json_end_object(json);
    }
    ff_json_end_array(json);
}

/// Slider limits rounded to three digits.
static double rounded(double value)
{
    const double unit = value == 0.0 ? 1.0 : ff_pow(10.0, floor(ff_log10(fabs(value))) - 2.0);
    return round(value / unit) * unit;
}

static void write_commands(const ff_workbench *b, int robot, ff_json *json)
{
    ff_command_key all[32];
    const int count = ff_run_command_keys(b->scene.run, robot, all, 32);
    ff_json_begin_array(json, "commands", true);
    for (int i = 0; i < count; i++) {
        const ff_command_key *w = &all[i];
        ff_json_begin_object(json, NULL, true);
        ff_json_text(json, "key", w->key);
        ff_json_text(json, "unit", w->unit);
        if (w->choices) {
            ff_json_text(json, "value", w->choices[(int)w->value]);
            ff_json_begin_array(json, "choices", true);
            for (int k = 0; w->choices[k]; k++) ff_json_text(json, NULL, w->choices[k]);
            ff_json_end_array(json);
        } else {
            ff_json_number(json, "low", rounded(w->low));
            ff_json_number(json, "high", rounded(w->high));
            ff_json_number(json, "value", w->value);
        }
        ff_json_end_object(json);
    }
    ff_json_end_array(json);
}

void ff_bench_send_control(ff_workbench *b)
{
    const ff_bench_scene *s = &b->scene;
    for (int i = 0; s->spec && b->nclient > 0 && i < s->spec->nrobot; i++) {
        ff_json json = {0};
        ff_json_begin_object(&json, NULL, true);
        ff_json_text(&json, "event", "control");
        ff_json_integer(&json, "generation", (long long)s->generation);
        ff_json_integer(&json, "robot", i);
        write_commands(b, i, &json);
        write_parameters(b, i, &json);
        ff_json_end_object(&json);
        char *text = ff_json_finish(&json);
        const uint64_t hash = text ? ff_hash(text, strlen(text), FF_HASH_START) : 0;
        if (!text || hash == s->control_sent[i]) {
            free(text);
            continue;
        }
        s->control_sent[i] = hash;
        ff_bench_send_all(b, text);
    }
}

void ff_bench_write_control(const ff_workbench *b, int robot, ff_json *json)
{
    const ff_run_steering steering = ff_run_get_steering(b->scene.run, robot);
    ff_json_text(json, "kind", steering.kind ? steering.kind : "none");
    char path[FF_BENCH_PATH];
    if (steering.path) ff_json_text(json, "path", ff_bench_relative_path(b, steering.path, path));
    if (steering.text) ff_json_text(json, "text", steering.text);
    write_commands(b, robot, json);
    write_parameters(b, robot, json);
}

ff_status ff_bench_script(ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    const int robot = ff_bench_find_robot(b, ff_yaml_get(q->root, "robot"), err);
    if (robot < 0) return err->status;
    const char *text = ff_bench_text(q, "text");
    const ff_scene_spec *scene = b->scene.spec;
    ff_run *run = b->scene.run;
    const ff_status status = ff_run_set_script(run, robot, text, strlen(text), &q->messages);
    if (status != FF_OK) return ff_report_to_error(&q->messages, status, err);
    // the reset uses the new text: the file is read as if it had been saved
    char *path = ff_library_path(b, ff_run_get_steering(run, robot).path, err);
    if (!path || !ff_bench_add_unsaved(b, path, text, strlen(text))) {
        free(path);
        return ff_error_set(err, FF_NO_MEMORY, "the new script runs, but a reset will restore the old one");
    }
    free(path);
    ff_bench_log_event(b, "'%.60s' got a new script", scene->robots[robot].name);
    b->control_due = true;
    ff_bench_mark_changed(b);
    write_parameters(b, robot, &q->answer);
    return FF_OK;
}

ff_status ff_bench_parameter(ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    const int robot = ff_bench_find_robot(b, ff_yaml_get(q->root, "robot"), err);
    if (robot < 0) return err->status;
    const char *name = ff_bench_text(q, "name");
    const double value = ff_bench_number(q, "value", NAN);
    const ff_status status = ff_run_set_parameter(b->scene.run, robot, name, value, err);
    if (status != FF_OK) return status;
    ff_bench_log_event(b, "'%.60s' of '%.60s' was set to %g", name, b->scene.spec->robots[robot].name, value);
    b->control_due = true;
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ pictures

ff_status ff_bench_camera(ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    ff_bench_client *client = &b->clients[q->client];
    const char *name = ff_bench_text(q, "sensor");
    if (!name) {
        ff_bench_show_camera(b, client, -1, NULL);
        return FF_OK;
    }
    const ff_status status = ff_bench_require_scene(b, err);
    if (status != FF_OK) return status;
    const ff_sensor_set *set = b->scene.spec->plant->sensors;
    const int sensor = set ? ff_sensor_set_find(set, name) : -1;
    if (sensor < 0 || set->sensors[sensor].type != FF_SENSOR_CAMERA)
        return ff_error_set(err, FF_NOT_FOUND, "this scene has no active camera '%.60s'", name);
    ff_bench_show_camera(b, client, sensor, name);
    ff_bench_mark_changed(b);
    return FF_OK;
}
