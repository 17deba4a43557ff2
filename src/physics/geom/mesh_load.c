// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a mesh file: checks it, and has a child process turn it into a mesh (mesh_child.c).
#include <footfall/text.h>

#include <math.h>
#include <stdlib.h>
#include <strings.h>

#include "base/missing.h"
#include "mesh_load.h"

#ifdef FF_WITH_MESHES

#define FILE_BYTES_MAX ((size_t)256 << 20) // a binary STL with FF_MESH_MAX triangles takes 250 MB

// ------------------------------------------------------------------------------------------ the file

static const char *format_of(const char *path)
{
    static const char *const formats[] = {"stl", "obj", "dae", "ply"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof formats / sizeof *formats; i++)
        if (strcasecmp(dot + 1, formats[i]) == 0) return formats[i];
    return NULL;
}

static ff_status read_bytes(const char *path, char **bytes, size_t *length, ff_error *err)
{
    ff_error why = {0};
    ff_status status = ff_text_read(path, FILE_BYTES_MAX, bytes, length, &why);
    if (status != FF_OK) return ff_error_set(err, status, "%s: %s", path, why.text);
    if (*length > 0) return FF_OK;
    free(*bytes);
    *bytes = NULL;
    return ff_error_set(err, FF_BAD_FILE, "%s: the file is empty", path);
}

static ff_status load(ff_mesh **mesh, const char *path, const double scale[3], ff_error *err)
{
    for (int k = 0; k < 3; k++)
        if (!isfinite(scale[k]) || scale[k] == 0.0)
            return ff_error_set(err, FF_BAD_ARGUMENT, "%s: scale %g %g %g: each factor must be finite and not zero",
                                path, scale[0], scale[1], scale[2]);
    char *bytes = NULL;
    size_t length = 0;
    ff_status status = read_bytes(path, &bytes, &length, err);
    if (status != FF_OK) return status;
    const char *format = format_of(path);
    if (!format)
        status = ff_error_set(err, FF_BAD_FILE, "%s: meshes are read from .stl, .obj, .dae and .ply files", path);
    else
        status = ff_mesh_check_file(path, format, bytes, &length, err);
    mesh_bytes source = {path, format, bytes, length, {scale[0], scale[1], scale[2]}};
    bool read = status == FF_OK && strcmp(format, "obj") == 0 && ff_mesh_read_obj(mesh, &source);
    if (status == FF_OK && !read) status = ff_mesh_import_in_child(mesh, &source, err);
    free(bytes);
    return status;
}

#else

static ff_status load(ff_mesh **mesh, const char *path, const double scale[3], ff_error *err)
{
    (void)mesh, (void)scale;
    return ff_error_set(err, FF_NOT_BUILT, "%s: mesh files need a build with FOOTFALL_WITH_MESHES", path);
}

#endif

ff_mesh *ff_mesh_load(const char *path, const double scale[3], ff_error *err)
{
    if (!path || !scale) return ff_error_missing(err, __func__, path ? "scale" : "path"), NULL;
    ff_mesh *mesh = NULL;
    return load(&mesh, path, scale, err) == FF_OK ? mesh : NULL;
}
