// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The text that writers of robot files fill, and what they could not write.
#include "files/writing.h"

#include <footfall/text.h>

#include "base/file.h"
#include "text/names.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ text

static bool reserve(ff_writing *w, size_t more)
{
    const size_t needed = w->length + more + 1;
    if (w->no_memory) return false;
    if (needed <= w->capacity) return true;
    char *text = realloc(w->text, 2 * needed);
    if (!text) {
        w->no_memory = true;
        return false;
    }
    w->text = text;
    w->capacity = 2 * needed;
    return true;
}

static void put_bytes(ff_writing *w, const char *bytes, size_t count)
{
    if (!reserve(w, count)) return;
    memcpy(w->text + w->length, bytes, count);
    w->length += count;
    w->text[w->length] = '\0';
}

void ff_put_format(ff_writing *w, const char *format, ...)
{
    char line[512]; // element and attribute names; what comes from a robot goes through ff_put_text
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    FF_ASSERT(length >= 0 && (size_t)length < sizeof line);
    put_bytes(w, line, (size_t)length);
}

void ff_put_raw(ff_writing *w, const char *text)
{
    put_bytes(w, text, strlen(text));
}

/// Can XML 1.0 not contain the character? It cannot contain control characters but tab and the ends of lines.
static bool is_forbidden(char c)
{
    return (unsigned char)c < 0x20 && c != '\t' && c != '\n' && c != '\r';
}

/// Writes a character of an attribute, in which tabs and ends of lines would be read as blanks.
static void put_character(ff_writing *w, char c)
{
    if (is_forbidden(c))
        put_bytes(w, "?", 1);
    else if ((unsigned char)c < 0x20 || strchr("<>&\"'", c))
        ff_put_format(w, "&#%d;", c);
    else
        put_bytes(w, &c, 1);
}

void ff_put_text(ff_writing *w, const char *name, const char *value)
{
    for (const char *at = value; *at; at++)
        if (is_forbidden(*at))
            ff_report_omission(w, "a control character of the name, which XML lacks, becomes '?'", value,
                               (ff_place){0});
    ff_put_format(w, " %s=\"", name);
    for (const char *at = value; *at; at++) put_character(w, *at);
    ff_put_format(w, "\"");
}

void ff_put_numbers(ff_writing *w, const char *name, const double *values, int count)
{
    char number[FF_TEXT_NUMBER_SIZE];
    ff_put_format(w, " %s=\"", name);
    for (int i = 0; i < count; i++) {
        ff_text_format_number(values[i], number);
        if (i > 0) put_bytes(w, " ", 1);
        put_bytes(w, number, strlen(number));
    }
    ff_put_format(w, "\"");
}

void ff_put_number(ff_writing *w, const char *name, double value)
{
    ff_put_numbers(w, name, &value, 1);
}

void ff_put_element(ff_writing *w, const char *name, double value)
{
    char number[FF_TEXT_NUMBER_SIZE];
    ff_text_format_number(value, number);
    ff_put_format(w, "<%s>%s</%s>", name, number, name);
}

void ff_put_unless(ff_writing *w, const char *name, double value, double standard)
{
    if (value != standard) ff_put_number(w, name, value);
}

// ------------------------------------------------------------------------------------------ what is left out

void ff_report_omission(ff_writing *w, const char *what, const char *name, ff_place place)
{
    for (int i = 0; i < w->nomission; i++) {
        if (strcmp(w->omissions[i].what, what) != 0) continue;
        w->omissions[i].count++;
        return;
    }
    FF_ASSERT(w->nomission < FF_MOST_OMISSIONS); // the writers have fewer sentences
    w->omissions[w->nomission++] = (ff_omission){what, name ? name : "", place, 1};
}

static void report_omissions(const ff_writing *w)
{
    for (int i = 0; i < w->spec->nignored; i++) {
        const ff_spec_ignored *it = &w->spec->ignored[i];
        ff_report_add(w->report, FF_WARNING, it->place, "%.200s (%d): not used by Footfall, and not written", it->what,
                      it->count);
    }
    for (int i = 0; i < w->nomission; i++) {
        const ff_omission *u = &w->omissions[i];
        if (u->count == 1)
            ff_report_add(w->report, FF_WARNING, u->place, "\"%.100s\": %s", u->name, u->what);
        else
            ff_report_add(w->report, FF_WARNING, u->place, "\"%.100s\" and %d more: %s", u->name, u->count - 1,
                          u->what);
    }
}

// ------------------------------------------------------------------------------------------ begin and end

/// Finds which bodies and joints of the description are which of the model. @return false without memory
static bool map_names(ff_writing *w)
{
    const ff_spec *s = w->spec;
    ff_names bodies, joints;
    int *spec_body = FF_ARENA_NEW(&w->arena, int, s->nbody + 1),
        *model_body = FF_ARENA_NEW(&w->arena, int, s->nbody + 1),
        *spec_joint = FF_ARENA_NEW(&w->arena, int, s->njoint + 1);
    if (!spec_body || !model_body || !spec_joint || !ff_names_init(&bodies, &w->arena, s->nbody) ||
        !ff_names_init(&joints, &w->arena, s->njoint))
        return false;
    for (int i = 0; i < s->nbody; i++) ff_names_put(&bodies, s->bodies[i].name, i);
    for (int i = 0; i < s->njoint; i++) ff_names_put(&joints, s->joints[i].name, i);
    for (int b = 0; b < w->model->nbody; b++) {
        spec_body[b] = ff_names_get(&bodies, w->model->bodies[b].name);
        model_body[spec_body[b]] = b;
    }
    for (int j = 0; j < w->model->njoint; j++) spec_joint[j] = ff_names_get(&joints, w->model->joints[j].name);
    w->spec_body = spec_body;
    w->model_body = model_body;
    w->spec_joint = spec_joint;
    return true;
}

/// Sorts the shapes of the description by their bodies in the model. @return false without memory
static bool sort_geoms(ff_writing *w)
{
    const ff_spec *s = w->spec;
    int *first = FF_ARENA_NEW(&w->arena, int, s->nbody + 3), *geoms = FF_ARENA_NEW(&w->arena, int, s->ngeom + 1),
        *next = FF_ARENA_NEW(&w->arena, int, s->nbody + 3);
    if (!first || !geoms || !next) return false;
    for (int i = 0; i < s->ngeom; i++) first[ff_writing_body(w, s->geoms[i].body) + 2]++;
    for (int b = 0; b < s->nbody + 2; b++) first[b + 1] += first[b];
    memcpy(next, first, (size_t)(s->nbody + 3) * sizeof *next);
    for (int i = 0; i < s->ngeom; i++) geoms[next[ff_writing_body(w, s->geoms[i].body) + 1]++] = i;
    w->first = first;
    w->geoms = geoms;
    return true;
}

bool ff_writing_begin(ff_writing *w, const ff_spec *spec, const ff_load_options *options, ff_report *report)
{
    *w = (ff_writing){.spec = spec, .report = report};
    w->model = ff_model_compile(spec, options, report);
    if (!w->model) return false;
    w->no_memory = !map_names(w) || !sort_geoms(w);
    return !w->no_memory;
}

char *ff_writing_end(ff_writing *w)
{
    const bool failed = w->no_memory || w->arena.failed || !w->model;
    if (!failed) report_omissions(w);
    if (failed && w->model) ff_report_add(w->report, FF_ERROR, (ff_place){0}, "%s", ff_status_text(FF_NO_MEMORY));
    ff_model_destroy((ff_model *)(uintptr_t)w->model);
    ff_arena_clear(&w->arena);
    free(w->extra);
    if (!failed) return w->text;
    free(w->text);
    return NULL;
}

// ------------------------------------------------------------------------------------------ the robot

int ff_writing_body(const ff_writing *w, int spec_body)
{
    return spec_body < 0 ? -1 : w->model_body[spec_body];
}

static bool is_frame(const ff_writing *w, const char *name)
{
    for (int i = 0; i < w->nextra; i++)
        if (strcmp(w->extra[i].name, name) == 0) return true;
    return ff_model_find_frame(w->model, name) >= 0;
}

const char *ff_writing_add_frame(ff_writing *w, const char *name, int body, const double pos[3], const double quat[4])
{
    const char *kept = ff_arena_strdup(&w->arena, name);
    while (kept && is_frame(w, kept)) kept = ff_arena_printf(&w->arena, "%s_", kept);
    if (!kept || !ff_array_grow(&w->extra, w->nextra, &w->extra_capacity, sizeof *w->extra)) {
        w->no_memory = true;
        return NULL;
    }
    ff_extra_frame *frame = &w->extra[w->nextra++];
    *frame = (ff_extra_frame){.name = kept, .body = body};
    ff_vec3_copy(frame->pos, pos);
    ff_quat_copy(frame->quat, quat);
    return kept;
}

void ff_writing_rest(const ff_writing *w, int body, double pos[3], double quat[4])
{
    ff_vec3_set(pos, 0.0, 0.0, 0.0);
    ff_quat_identity(quat);
    for (; body >= 0; body = w->model->bodies[body].parent) {
        const ff_spec_body *from = &w->spec->bodies[w->spec_body[body]];
        double own[4];
        ff_quat_copy(own, from->quat);
        ff_quat_normalise(own);
        ff_pose_displace(pos, quat, from->pos, own);
    }
}

/// Are the vertices of the mesh those of the file, times its scale?
static bool is_scaled_only(const ff_spec_mesh *mesh, const char *path)
{
    ff_mesh *loaded = ff_mesh_load(path, mesh->scale, NULL);
    bool same = loaded && mesh->data && loaded->nvertex == mesh->data->nvertex;
    // MJCF's readers round vertices to single precision
    for (int i = 0; same && i < 3 * loaded->nvertex; i++)
        same = fabs(loaded->vertices[i] - mesh->data->vertices[i]) <= 1e-6 * (1.0 + fabs(loaded->vertices[i]));
    ff_mesh_destroy(loaded);
    return same;
}

char *ff_writing_mesh_file(const ff_spec_mesh *mesh)
{
    char *path = mesh->path ? ff_file_real(mesh->path) : NULL;
    if (path && is_scaled_only(mesh, path)) return path;
    free(path);
    return NULL;
}

bool ff_writing_material(const ff_writing *w, const char *name, ff_material *out)
{
    const int number = ff_spec_find_material(w->spec, name);
    if (number >= 0) *out = w->spec->materials[number].material;
    return number >= 0 || ff_material_find(name, out, NULL) == FF_OK;
}
