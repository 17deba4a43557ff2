// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Event `scene`: the description of the loaded scene for pages (docs/reference-protocol.md). Meshes are included as
// base64 up to MESH_BYTES in all; others are stored for GET /mesh/GENERATION/N.
#include "page.h"
#include "protocol.h"
#include "workbench_inner.h"

#include "record/record.h"
#include "sense/interface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHANNELS_MOST = 5000 }; // in the list; others, of scenes with many bodies, can be watched by name
static const size_t MESH_BYTES = (size_t)2 << 20; // of all meshes in the event, before base64

// ------------------------------------------------------------------------------------------ meshes

static size_t mesh_size(const ff_mesh *mesh)
{
    return 12 * ((size_t)mesh->nvertex + (size_t)mesh->ntriangle);
}

static unsigned char *mesh_bytes(const ff_mesh *mesh, size_t *size)
{
    *size = 8 + mesh_size(mesh);
    unsigned char *all = malloc(*size), *p = all;
    if (!all) return NULL;
    put32(p, (uint32_t)mesh->nvertex);
    put32(p + 4, (uint32_t)mesh->ntriangle);
    p += 8;
    for (int i = 0; i < 3 * mesh->nvertex; i++, p += 4) put_float(p, mesh->vertices[i]);
    for (int i = 0; i < 3 * mesh->ntriangle; i++, p += 4) put32(p, (uint32_t)mesh->triangles[i]);
    return all;
}

static void drop_meshes(ff_workbench *b)
{
    for (int i = 0; i < b->nmesh; i++) free(b->meshes[i].bytes);
    free(b->meshes);
    b->meshes = NULL;
    b->nmesh = 0;
}

void ff_bench_drop_meshes(ff_workbench *b)
{
    pthread_mutex_lock(&b->out_lock);
    drop_meshes(b);
    pthread_mutex_unlock(&b->out_lock);
}

/// Stores a mesh to be fetched separately.
static void keep_mesh(ff_workbench *b, int number, const ff_mesh *mesh)
{
    const ff_model *m = b->scene.spec->model;
    size_t size;
    pthread_mutex_lock(&b->out_lock);
    if (b->mesh_generation != b->scene.generation) drop_meshes(b);
    b->mesh_generation = b->scene.generation;
    const bool known = b->meshes && b->meshes[number].bytes;
    pthread_mutex_unlock(&b->out_lock);
    if (known) return;
    unsigned char *bytes = mesh_bytes(mesh, &size);
    pthread_mutex_lock(&b->out_lock);
    if (!b->meshes && (b->meshes = calloc((size_t)m->nmesh, sizeof *b->meshes))) b->nmesh = m->nmesh;
    if (b->meshes)
        b->meshes[number] = (ff_stored_mesh){bytes, size};
    else
        free(bytes);
    pthread_mutex_unlock(&b->out_lock);
}

unsigned char *ff_workbench_mesh(ff_workbench *b, uint32_t generation, int mesh, size_t *size)
{
    unsigned char *copy = NULL;
    pthread_mutex_lock(&b->out_lock);
    if (generation == b->mesh_generation && mesh >= 0 && mesh < b->nmesh && b->meshes[mesh].bytes) {
        *size = b->meshes[mesh].size;
        if ((copy = malloc(*size))) memcpy(copy, b->meshes[mesh].bytes, *size);
    }
    pthread_mutex_unlock(&b->out_lock);
    return copy;
}

static void write_meshes(ff_workbench *b, FILE *out)
{
    const ff_model *m = b->scene.spec->model;
    size_t left = MESH_BYTES;
    fputs(",\n\"meshes\":[", out);
    for (int i = 0; i < m->nmesh; i++) {
        const ff_mesh *mesh = m->meshes[i];
        if (i > 0) fputc(',', out);
        if (!mesh) {
            fputs("null", out);
        } else if (mesh_size(mesh) > left) {
            keep_mesh(b, i, mesh);
            fprintf(out, "{\"url\":\"/mesh/%u/%d\",\"bytes\":%zu}", b->scene.generation, i, 8 + mesh_size(mesh));
        } else {
            left -= mesh_size(mesh);
            ff_page_mesh(out, mesh);
        }
    }
    fputc(']', out);
}

// ------------------------------------------------------------------------------------------ members

static void write_head(const ff_workbench *b, ff_json *json)
{
    const ff_bench_scene *s = &b->scene;
    const ff_scene_spec *scene = s->spec;
    const ff_sim_options *o = &ff_run_get_options(s->run)->sim;
    ff_json_text(json, "event", "scene");
    ff_json_text(json, "path", s->source.path);
    ff_json_text(json, "kind", s->single_robot ? "robot" : "scene");
    ff_json_text(json, "title", scene->title);
    ff_arena tree = {.limit = (size_t)64 << 20};
    ff_report ignored = {0};
    ff_yaml *root = ff_yaml_parse(&tree, scene->text, strlen(scene->text), "", &ignored);
    ff_json_text(json, "description", root ? ff_yaml_string(root, "description", "", &ignored) : "");
    ff_report_clear(&ignored);
    ff_arena_clear(&tree);
    ff_json_text(json, "text", scene->text);
    ff_json_bool(json, "unsaved", s->source.text != NULL);
    ff_json_text(json, "variant", scene->variant);
    ff_json_texts(json, "variants", scene->variants, scene->nvariant);
    ff_json_texts(json, "set", (const char *const *)s->source.set, s->source.nset);
    if (s->twin.twin) ff_json_texts(json, "twin", (const char *const *)s->source.twin, s->source.ntwin);
    ff_json_number(json, "time", scene->time);
    ff_json_text(json, "method", ff_method_name(o->method));
    ff_json_number(json, "step", ff_sim_options_fixed_step(o) ? o->step : NAN); // null: the method chooses it
    ff_json_begin_object(json, "effects", true);
    for (int i = 0; i < scene->neffect; i++) ff_json_text(json, scene->effects[i].name, scene->effects[i].value);
    ff_json_end_object(json);
}

static void write_robots(const ff_workbench *b, ff_json *json)
{
    const ff_scene_spec *scene = b->scene.spec;
    const ff_model *m = scene->model;
    ff_json_begin_array(json, "robots", true);
    for (int i = 0; i < scene->nrobot; i++) {
        const ff_scene_robot *robot = &scene->robots[i];
        char path[FF_BENCH_PATH];
        int body = -1;
        for (int k = m->nbody - 1; k >= 0; k--)
            if (b->scene.robot_of_body[k] == i) body = k;
        ff_json_begin_object(json, NULL, true);
        ff_json_text(json, "name", robot->name);
        ff_json_text(json, "prefix", robot->prefix);
        ff_json_text(json, "path", ff_bench_relative_path(b, robot->path, path));
        ff_json_integer(json, "body", body);
        ff_json_begin_array(json, "joints", true);
        for (int k = 0; k < m->njoint; k++)
            if (m->joints[k].vadr >= robot->vadr && m->joints[k].vadr < robot->vadr + robot->nv)
                ff_json_integer(json, NULL, k);
        ff_json_end_array(json);
        ff_json_begin_object(json, "control", true);
        ff_bench_write_control(b, i, json);
        ff_json_end_object(json);
        ff_json_end_object(json);
    }
    ff_json_end_array(json);
}

static void write_channels(const ff_workbench *b, ff_json *json)
{
    int count = 0;
    const ff_channel *all = ff_channel_catalogue(ff_run_sim(b->scene.run), &count);
    ff_json_begin_array(json, "channels", true);
    for (int i = 0; all && i < count && i < CHANNELS_MOST; i++) {
        ff_json_begin_object(json, NULL, true);
        ff_json_text(json, "name", all[i].name);
        ff_json_text(json, "unit", all[i].units);
        ff_json_begin_array(json, "columns", true);
        for (int k = 0; k < all[i].width; k++) {
            char number[16];
            snprintf(number, sizeof number, "%d", k);
            ff_json_text(json, NULL, all[i].width == 1 ? "" : all[i].names ? all[i].names[k] : number);
        }
        ff_json_end_array(json);
        ff_json_end_object(json);
    }
    ff_json_end_array(json);
}

static void write_sensors(const ff_workbench *b, ff_json *json)
{
    const ff_sensor_set *set = b->scene.spec->plant->sensors;
    ff_json_begin_array(json, "sensors", true);
    for (int i = 0; set && i < set->n; i++) {
        ff_json_begin_object(json, NULL, true);
        ff_json_text(json, "name", set->sensors[i].name);
        ff_json_text(json, "kind", ff_sensor_type_name(set->sensors[i].type));
        ff_json_integer(json, "body", set->sensors[i].body);
        ff_json_numbers(json, "pos", set->sensors[i].pos, 3);
        ff_json_end_object(json);
    }
    ff_json_end_array(json);
    ff_json_begin_array(json, "cameras", true);
    for (int i = 0; set && i < set->n; i++)
        if (set->sensors[i].type == FF_SENSOR_CAMERA) ff_json_text(json, NULL, set->sensors[i].name);
    ff_json_end_array(json);
}

// ------------------------------------------------------------------------------------------ the event

/// The event as JSON, malloc'ed; the generation is its last member. @param body  receives the length before it
static char *compose(ff_workbench *b, size_t *body)
{
    ff_json json = {0};
    char *all = NULL;
    size_t length = 0;
    ff_json_begin_object(&json, NULL, true);
    write_head(b, &json);
    write_robots(b, &json);
    write_channels(b, &json);
    write_sensors(b, &json);
    ff_bench_write_messages(b, &json, "messages", &b->scene.messages);
    ff_json_end_object(&json);
    char *members = ff_json_finish(&json), *model = ff_model_to_json(b->scene.spec->model);
    FILE *out = members && model ? open_memstream(&all, &length) : NULL;
    if (out) {
        fwrite(members, 1, (size_t)(strrchr(members, '}') - members), out);
        fputs(",\n\"model\":", out);
        ff_page_copy_json(out, model);
        write_meshes(b, out);
        fflush(out);
        *body = length;
        fprintf(out, ",\n\"generation\":%u}\n", b->scene.generation);
        if (fclose(out) != 0) {
            free(all);
            all = NULL;
        }
    }
    free(members);
    free(model);
    return all;
}

char *ff_bench_scene_event(ff_workbench *b)
{
    size_t body;
    return compose(b, &body);
}

uint64_t ff_bench_scene_hash(ff_workbench *b)
{
    size_t body = 0;
    char *text = compose(b, &body);
    const uint64_t hash = text ? ff_hash(text, body, FF_HASH_START) : 0;
    free(text);
    return hash;
}
