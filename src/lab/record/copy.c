// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A copy of a recorder without its simulation: channels, model, events, and the rows that existed when the copy was
// made. Another thread can write it to a file while the simulation continues or ends. Rows are copied in portions,
// whose size the owner of the simulation chooses; recorded rows never change.
#include "record/record.h"

#include <stdlib.h>
#include <string.h>

static bool copy_channels(ff_recorder *copy, const ff_recorder *from)
{
    ff_arena *arena = &copy->arena;
    copy->channels = calloc((size_t)from->nchannel, sizeof *copy->channels);
    if (!copy->channels) return false;
    copy->nchannel = copy->channel_capacity = from->nchannel;
    copy->columns = from->columns;
    for (int i = 0; i < from->nchannel; i++) {
        const ff_channel *c = &from->channels[i];
        const char **names = c->names ? FF_ARENA_NEW(arena, const char *, c->width) : NULL;
        if (c->names && !names) return false;
        for (int k = 0; names && k < c->width; k++)
            if (!(names[k] = ff_arena_strdup(arena, c->names[k]))) return false;
        copy->channels[i] = (ff_channel){.name = ff_arena_strdup(arena, c->name),
                                         .units = ff_arena_strdup(arena, c->units),
                                         .width = c->width,
                                         .names = names,
                                         .column = c->column};
        if (!copy->channels[i].name || !copy->channels[i].units) return false;
    }
    return true;
}

static void *copy_bytes(ff_arena *arena, const void *bytes, size_t size)
{
    void *out = ff_arena_alloc(arena, size, sizeof(double));
    if (out) memcpy(out, bytes, size);
    return out;
}

static bool copy_model(ff_recorder *copy, const ff_model *m)
{
    ff_arena *arena = &copy->arena;
    char *json = ff_model_to_json(m);
    copy->model = json ? ff_arena_strdup(arena, json) : NULL;
    free(json);
    copy->meshes = FF_ARENA_NEW(arena, ff_record_mesh, m->nmesh + 1);
    if (!copy->model || !copy->meshes) return false;
    copy->nmesh = m->nmesh;
    for (int i = 0; i < m->nmesh; i++) {
        const ff_mesh *mesh = m->meshes[i];
        if (!mesh) continue;
        const size_t corners = 3 * (size_t)mesh->nvertex * sizeof(double),
                     faces = 3 * (size_t)mesh->ntriangle * sizeof(int);
        copy->meshes[i] = (ff_record_mesh){copy_bytes(arena, mesh->vertices, corners), mesh->nvertex,
                                           copy_bytes(arena, mesh->triangles, faces), mesh->ntriangle};
        if (!copy->meshes[i].vertices || !copy->meshes[i].triangles) return false;
    }
    return true;
}

ff_recorder *ff_recorder_detach(const ff_recorder *rec, ff_error *err)
{
    ff_recorder *copy = calloc(1, sizeof *copy);
    if (copy) {
        copy->planned_rows = rec->planned_rows;
        copy->failure = rec->failure;
        copy->capacity = rec->filled;
        copy->rows = malloc((size_t)rec->filled * (size_t)rec->columns * sizeof *copy->rows + 1);
    }
    if (copy && copy->rows && copy_channels(copy, rec) && (!rec->sim->model || copy_model(copy, rec->sim->model)))
        return copy;
    ff_recorder_destroy(copy);
    ff_error_set(err, FF_NO_MEMORY, "no memory for a copy of the recording");
    return NULL;
}

bool ff_recorder_copy_rows(ff_recorder *copy, const ff_recorder *rec, size_t bytes)
{
    const size_t row = (size_t)copy->columns * sizeof *copy->rows;
    long long count = (long long)(bytes / row) + 1;
    if (count > copy->capacity - copy->filled) count = copy->capacity - copy->filled;
    if (count > 0)
        memcpy(copy->rows + copy->filled * copy->columns, rec->rows + copy->filled * copy->columns,
               (size_t)count * row);
    copy->filled += count;
    return copy->filled < copy->capacity;
}
