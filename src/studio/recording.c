// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads recordings from HDF5. The file may come from an unknown source: names, counts and sizes are checked before
// memory is allocated, and links to other files, or data in them, are not followed.
#include "recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifdef FF_WITH_HDF5
#include "record/hdf5_driver.h"
#endif

struct ff_recording {
    const char *path;
    bool foreign; // may be written by another program: attribute "program" is not checked
#ifdef FF_WITH_HDF5
    hid_t file;
#endif
    ff_recording_channel *channels; // malloc'ed
    int count, capacity;
    const char *model, *scene, *events, *scene_path, *scene_changes;
    int nmesh;
    bool ended, stopped;
    ff_arena arena;
    ff_error problem; // found while the file was read
};

int ff_recording_mesh_count(const ff_recording *r)
{
    return r->nmesh;
}

const char *ff_recording_scene_path(const ff_recording *r)
{
    return r->scene_path;
}

const char *ff_recording_scene_changes(const ff_recording *r)
{
    return r->scene_changes;
}

const char *ff_recording_path(const ff_recording *r)
{
    return r->path;
}

long long ff_recording_rows(const ff_recording *r)
{
    long long rows = r->channels[0].rows;
    for (int i = 1; i < r->count; i++)
        if (r->channels[i].rows < rows) rows = r->channels[i].rows;
    return rows;
}

int ff_recording_channel_count(const ff_recording *r)
{
    return r->count;
}

const ff_recording_channel *ff_recording_channel_at(const ff_recording *r, int index)
{
    return index >= 0 && index < r->count ? &r->channels[index] : NULL;
}

int ff_recording_find(const ff_recording *r, const char *name)
{
    for (int i = 0; i < r->count; i++)
        if (strcmp(r->channels[i].name, name) == 0) return i;
    return -1;
}

const char *ff_recording_model(const ff_recording *r)
{
    return r->model;
}

const char *ff_recording_scene(const ff_recording *r)
{
    return r->scene;
}

bool ff_recording_has_ended(const ff_recording *r)
{
    return r->ended;
}

bool ff_recording_was_stopped(const ff_recording *r)
{
    return r->stopped;
}

const char *ff_recording_events(const ff_recording *r)
{
    return r->events;
}

#ifdef FF_WITH_HDF5

#define TEXT_MAX  ((size_t)64 << 20)  // largest size of the model or the scene  [byte]
#define TEXTS_MAX ((size_t)512 << 20) // largest size of all names and texts  [byte]

// ------------------------------------------------------------------------------------------ texts

typedef herr_t text_reader(hid_t from, hid_t type, void *out);

static herr_t read_attribute(hid_t from, hid_t type, void *out)
{
    return H5Aread(from, type, out);
}

static herr_t read_dataset(hid_t from, hid_t type, void *out)
{
    return H5Dread(from, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out);
}

/// Refuses a text of variable length: HDF5 stores these in a heap without a checksum, and crashes if it is damaged.
static bool refuse_heap(ff_recording *r, const char *name)
{
    ff_error_set(
        &r->problem, FF_BAD_FILE,
        "%.200s: its text \"%.60s\" has a variable length, which damaged files use to crash a reader: write it "
        "with a fixed length",
        r->path, name);
    return false;
}

/// Reads exactly `count` texts of an attribute or dataset. @return false: it has another content
static bool read_texts(ff_recording *r, const char *name, hid_t from, hid_t type, hid_t space, text_reader *read,
                       const char **out, int count)
{
    if (type < 0 || space < 0 || H5Tget_class(type) != H5T_STRING || H5Sget_simple_extent_npoints(space) != count)
        return false;
    if (H5Tis_variable_str(type) != 0) return refuse_heap(r, name);
    const size_t size = H5Tget_size(type);
    if (size == 0 || size > TEXT_MAX / (size_t)count) return false;
    char *bytes = calloc((size_t)count, size);
    // Character sets are not converted by HDF5: the type of the file is the type in memory.
    bool ok = bytes && read(from, type, bytes) >= 0;
    for (int i = 0; ok && i < count; i++) {
        const char *text = bytes + (size_t)i * size;
        ok = (out[i] = ff_arena_strndup(&r->arena, text, strnlen(text, size))) != NULL;
    }
    free(bytes);
    return ok;
}

static bool attribute_texts(ff_recording *r, hid_t where, const char *name, const char **out, int count)
{
    if (H5Aexists(where, name) <= 0) return false;
    hid_t attribute = H5Aopen(where, name, H5P_DEFAULT);
    if (attribute < 0) return false;
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    const bool ok = read_texts(r, name, attribute, type, space, read_attribute, out, count);
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    H5Aclose(attribute);
    return ok;
}

/// Is the dataset stored in this file, and not in another one?
static bool is_in_file(hid_t dataset)
{
    const hid_t properties = H5Dget_create_plist(dataset);
    const bool ok =
        properties >= 0 && H5Pget_external_count(properties) == 0 && H5Pget_layout(properties) != H5D_VIRTUAL;
    if (properties >= 0) H5Pclose(properties);
    return ok;
}

static const char *dataset_text(ff_recording *r, const char *name)
{
    const char *text = "";
    H5L_info_t link;
    if (H5Lexists(r->file, name, H5P_DEFAULT) <= 0 || H5Lget_info(r->file, name, &link, H5P_DEFAULT) < 0 ||
        link.type != H5L_TYPE_HARD)
        return text;
    hid_t dataset = H5Dopen2(r->file, name, H5P_DEFAULT);
    if (dataset < 0) return text;
    hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    if (!is_in_file(dataset) || !read_texts(r, name, dataset, type, space, read_dataset, &text, 1)) text = "";
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    H5Dclose(dataset);
    return text;
}

// ------------------------------------------------------------------------------------------ channels

/// Is it a table of numbers that is stored in this file?
static bool is_table(hid_t dataset, hsize_t size[2])
{
    hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    const H5T_class_t kind = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
    const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    size[1] = 1;
    const bool ok = (kind == H5T_FLOAT || kind == H5T_INTEGER) && (rank == 1 || rank == 2) && is_in_file(dataset) &&
                    H5Sget_simple_extent_dims(space, size, NULL) == rank;
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    return ok;
}

static const char *const *column_names(ff_recording *r, hid_t dataset, int width)
{
    const char **names = FF_ARENA_NEW(&r->arena, const char *, width);
    if (!names || attribute_texts(r, dataset, "names", names, width)) return names;
    for (int i = 0; i < width; i++)
        if (!(names[i] = ff_arena_printf(&r->arena, "%d", i))) return NULL;
    return names;
}

static ff_status add_channel(ff_recording *r, hid_t dataset, const char *name)
{
    hsize_t size[2];
    if (!is_table(dataset, size)) return FF_OK; // the model, the scene, data of other programs
    if (size[0] > FF_RECORDING_ROWS || size[1] > FF_RECORDING_WIDTH)
        return ff_error_set(&r->problem, FF_LIMIT,
                            "%.200s: channel \"%.60s\" claims %llu rows of %llu columns; at most %lld and %d are read",
                            r->path, name, (unsigned long long)size[0], (unsigned long long)size[1], FF_RECORDING_ROWS,
                            FF_RECORDING_WIDTH);
    if (size[1] == 0) return FF_OK;
    if (r->count >= FF_RECORDING_CHANNELS)
        return ff_error_set(&r->problem, FF_LIMIT, "%.200s: more than %d channels", r->path, FF_RECORDING_CHANNELS);
    ff_recording_channel c = {
        .name = ff_arena_strdup(&r->arena, name), .unit = "1", .width = (int)size[1], .rows = (long long)size[0]};
    attribute_texts(r, dataset, "units", &c.unit, 1);
    c.columns = column_names(r, dataset, c.width);
    if (r->problem.status) return r->problem.status;
    if (!c.name || !c.unit || !c.columns || !ff_array_grow(&r->channels, r->count, &r->capacity, sizeof *r->channels))
        return ff_error_set(&r->problem, FF_NO_MEMORY, "%.200s: no memory for its channels", r->path);
    r->channels[r->count++] = c;
    return FF_OK;
}

#define MESHES_MAX 10000

/// Counts meshes by the names of their datasets: "meshes/12/vertices" belongs to the thirteenth.
static void count_mesh(ff_recording *r, const char *name)
{
    int number = -1;
    if (sscanf(name, "meshes/%4d/", &number) == 1 && number >= r->nmesh && number < MESHES_MAX) r->nmesh = number + 1;
}

static herr_t visit(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
    ff_recording *r = context;
    if (info->type != H5L_TYPE_HARD) return 0;
    if (strncmp(name, "meshes/", 7) == 0) {
        count_mesh(r, name);
        return 0;
    }
    hid_t object = H5Oopen(group, name, H5P_DEFAULT);
    if (object < 0) {
        ff_error_set(&r->problem, FF_BAD_FILE, "%.200s: \"%.60s\" in it cannot be read: the file is damaged", r->path,
                     name);
        return -1;
    }
    const ff_status status = H5Iget_type(object) == H5I_DATASET ? add_channel(r, object, name) : FF_OK;
    H5Oclose(object);
    return status ? -1 : 0;
}

// ------------------------------------------------------------------------------------------ open and close

static ff_status check_format(ff_recording *r)
{
    const char *program = "", *format = "";
    const bool named = attribute_texts(r, r->file, "program", &program, 1);
    if (r->problem.status) return r->problem.status;
    if (!named || strcmp(program, "footfall") != 0)
        return ff_error_set(
            &r->problem, FF_BAD_FILE,
            "%.200s: an HDF5 file, but no recording of Footfall (its attribute \"program\" does not say so)", r->path);
    const bool numbered = attribute_texts(r, r->file, "format", &format, 1);
    if (r->problem.status) return r->problem.status;
    if (!numbered || strcmp(format, "1") != 0)
        return ff_error_set(&r->problem, FF_BAD_FILE, "%.200s: format \"%.20s\" of recordings is not known here: 1 is",
                            r->path, format);
    return FF_OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const ff_recording_channel *)a)->name, ((const ff_recording_channel *)b)->name);
}

static ff_status read_directory(ff_recording *r)
{
    if (H5Fis_hdf5(r->path) <= 0)
        return ff_error_set(&r->problem, FF_BAD_FILE, "%.200s: not an HDF5 file, so no recording", r->path);
    r->file = ff_hdf5_reopen(r->path);
    if (r->file < 0)
        return ff_error_set(&r->problem, FF_BAD_FILE,
                            "%.200s: cannot be opened: it is damaged, cut short, or still being written", r->path);
    if (!r->foreign && check_format(r)) return r->problem.status;
    if (H5Lvisit(r->file, H5_INDEX_NAME, H5_ITER_INC, visit, r) < 0 || r->problem.status)
        return r->problem.status
                   ? r->problem.status
                   : ff_error_set(&r->problem, FF_BAD_FILE, "%.200s: its list of channels is damaged", r->path);
    if (r->count > 0) qsort(r->channels, (size_t)r->count, sizeof *r->channels, by_name);
    const int time = ff_recording_find(r, "time");
    if (time < 0 || r->channels[time].width != 1)
        return ff_error_set(&r->problem, FF_BAD_FILE, "%.200s: a recording without its channel \"time\"", r->path);
    r->model = dataset_text(r, "model");
    r->scene = dataset_text(r, "scene");
    r->events = dataset_text(r, "events");
    r->scene_path = r->scene_changes = "";
    const char *state = "ended"; // the default for recordings of earlier versions, which lack this attribute
    attribute_texts(r, r->file, "state", &state, 1);
    r->ended = !state || strcmp(state, "running") != 0;
    r->stopped = state && strcmp(state, "stopped") == 0;
    attribute_texts(r, r->file, "scene_path", &r->scene_path, 1);
    attribute_texts(r, r->file, "scene_changes", &r->scene_changes, 1);
    if (r->problem.status) return r->problem.status;
    return r->model && r->scene && r->events && r->scene_path && r->scene_changes
               ? FF_OK
               : ff_error_set(&r->problem, FF_NO_MEMORY, "%.200s: no memory for its texts", r->path);
}

/// Sets r->path to the file, or run.h5 of the folder. Only regular files are opened: others could block the program.
static ff_status find_file(ff_recording *r, const char *path)
{
    struct stat info;
    r->path = ff_arena_strdup(&r->arena, path);
    const bool exists = r->path && stat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode)) {
        r->path = ff_arena_printf(&r->arena, "%s/run.h5", path);
        if (r->path && stat(r->path, &info) != 0)
            return ff_error_set(
                &r->problem, FF_NOT_FOUND,
                "%.200s: there is no run.h5 in this folder; a scene leaves one where it says what to record", path);
    }
    if (!r->path) return ff_error_set(&r->problem, FF_NO_MEMORY, "%.200s: no memory to open it", path);
    if (!exists) return ff_error_set(&r->problem, FF_NOT_FOUND, "%.200s: there is no such file or folder", path);
    if (S_ISREG(info.st_mode)) return FF_OK;
    return ff_error_set(&r->problem, FF_BAD_FILE, "%.200s: not a regular file", r->path);
}

static ff_recording *open_file(const char *path, bool foreign, ff_error *err)
{
    ff_recording *r = calloc(1, sizeof *r);
    if (!r) {
        ff_error_set(err, FF_NO_MEMORY, "%.200s: no memory to open it", path);
        return NULL;
    }
    r->file = -1;
    r->foreign = foreign;
    r->arena.limit = TEXTS_MAX;
    ff_status status = find_file(r, path);
    if (!status) {
        const ff_hdf5_visit entered = ff_hdf5_enter();
        status = read_directory(r);
        ff_hdf5_leave(entered);
    }
    if (!status) return r;
    if (err) *err = r->problem;
    ff_recording_close(r);
    return NULL;
}

ff_recording *ff_recording_open(const char *path, ff_error *err)
{
    return open_file(path, false, err);
}

ff_recording *ff_recording_open_foreign(const char *path, ff_error *err)
{
    return open_file(path, true, err);
}

void ff_recording_close(ff_recording *r)
{
    if (!r) return;
    const ff_hdf5_visit entered = ff_hdf5_enter();
    if (r->file >= 0) H5Fclose(r->file);
    ff_hdf5_leave(entered);
    free(r->channels);
    ff_arena_clear(&r->arena);
    free(r);
}

// ------------------------------------------------------------------------------------------ reading

/// Is the chunk at `offset` either absent or stored with the size of its layout? HDF5 does not check this, and would
/// read beyond a smaller chunk.
static bool chunk_is_whole(hid_t dataset, const hsize_t offset[2], bool filtered, hsize_t size)
{
    unsigned skipped = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t stored = 0;
    if (H5Dget_chunk_info_by_coord(dataset, offset, &skipped, &address, &stored) < 0) return false;
    return address == HADDR_UNDEF || (skipped == 0 && (filtered || stored == size));
}

/// Does this hold for all chunks with rows from `first` to before `end`?
static bool chunks_are_whole(hid_t dataset, hid_t properties, int rank, hsize_t first, hsize_t end, hsize_t width)
{
    hsize_t chunk[2] = {1, 1};
    if (H5Pget_chunk(properties, rank, chunk) != rank || chunk[0] == 0 || chunk[1] == 0) return false;
    hid_t type = H5Dget_type(dataset);
    const hsize_t size = chunk[0] * chunk[1] * (type >= 0 ? H5Tget_size(type) : 0);
    const bool filtered = H5Pget_nfilters(properties) > 0;
    bool whole = size > 0;
    if (type >= 0) H5Tclose(type);
    for (hsize_t row = first / chunk[0] * chunk[0]; whole && row < end; row += chunk[0])
        for (hsize_t column = 0; whole && column < width; column += chunk[1])
            whole = chunk_is_whole(dataset, (const hsize_t[2]){row, column}, filtered, size);
    return whole;
}

static bool can_be_read(hid_t dataset, int rank, hsize_t first, hsize_t end, hsize_t width)
{
    if (rank != 1 && rank != 2) return false;
    hid_t properties = H5Dget_create_plist(dataset);
    if (properties < 0) return false;
    const bool ok = H5Pget_layout(properties) != H5D_CHUNKED ||
                    chunks_are_whole(dataset, properties, rank, first, end, rank == 1 ? 1 : width);
    H5Pclose(properties);
    return ok;
}

static bool read_rows(hid_t dataset, hid_t memory_type, int width, long long first, long long stride, long long count,
                      void *out)
{
    const hsize_t from[2] = {(hsize_t)first, 0}, step[2] = {(hsize_t)stride, 1},
                  size[2] = {(hsize_t)count, (hsize_t)width};
    hid_t space = H5Dget_space(dataset);
    const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : 0;
    hid_t memory = H5Screate_simple(rank == 1 ? 1 : 2, size, NULL);
    const hsize_t end = from[0] + (size[0] - 1) * step[0] + 1;
    const bool ok = memory >= 0 && can_be_read(dataset, rank, from[0], end, size[1]) &&
                    H5Sselect_hyperslab(space, H5S_SELECT_SET, from, step, size, NULL) >= 0 &&
                    H5Dread(dataset, memory_type, memory, space, H5P_DEFAULT, out) >= 0;
    if (memory >= 0) H5Sclose(memory);
    if (space >= 0) H5Sclose(space);
    return ok;
}

ff_status ff_recording_read(const ff_recording *r, int channel, long long first, long long stride, long long count,
                            double *out, ff_error *err)
{
    if (channel < 0 || channel >= r->count || first < 0 || stride < 1 || count < 0 || stride > FF_RECORDING_ROWS ||
        count > FF_RECORDING_ROWS || (count > 0 && first > r->channels[channel].rows - 1 - (count - 1) * stride))
        return ff_error_set(err, FF_BAD_ARGUMENT, "%.200s: the requested rows do not exist", r->path);
    if (count == 0) return FF_OK;
    const ff_recording_channel *c = &r->channels[channel];
    const ff_hdf5_visit entered = ff_hdf5_enter();
    hid_t dataset = H5Dopen2(r->file, c->name, H5P_DEFAULT);
    const bool ok = dataset >= 0 && read_rows(dataset, H5T_NATIVE_DOUBLE, c->width, first, stride, count, out);
    if (dataset >= 0) H5Dclose(dataset);
    ff_hdf5_leave(entered);
    return ok ? FF_OK : ff_error_set(err, FF_BAD_FILE, "%.200s: channel \"%.60s\" is damaged", r->path, c->name);
}

/// A table of three columns as malloc'ed numbers of `size` bytes; NULL if it is no such table or exceeds `most` rows.
static void *read_triples(const ff_recording *r, const char *name, hid_t memory_type, size_t size, size_t most,
                          int *rows)
{
    hsize_t shape[2];
    void *out = NULL;
    hid_t dataset = H5Lexists(r->file, name, H5P_DEFAULT) > 0 ? H5Dopen2(r->file, name, H5P_DEFAULT) : -1;
    if (dataset >= 0 && is_table(dataset, shape) && shape[1] == 3 && shape[0] > 0 && shape[0] <= most &&
        (out = calloc((size_t)shape[0], 3 * size)) != NULL) {
        *rows = (int)shape[0];
        if (!read_rows(dataset, memory_type, 3, 0, 1, *rows, out)) {
            free(out);
            out = NULL;
        }
    }
    if (dataset >= 0) H5Dclose(dataset);
    return out;
}

static bool corners_exist(const ff_mesh *m)
{
    for (int i = 0; i < 3 * m->ntriangle; i++)
        if (m->triangles[i] < 0 || m->triangles[i] >= m->nvertex) return false;
    return true;
}

bool ff_recording_read_mesh(const ff_recording *r, int index, size_t most, ff_mesh *out)
{
    char name[64];
    *out = (ff_mesh){0};
    const ff_hdf5_visit entered = ff_hdf5_enter();
    snprintf(name, sizeof name, "meshes/%d", index); // H5Lexists requires that all parents exist
    const bool exists = H5Lexists(r->file, "meshes", H5P_DEFAULT) > 0 && H5Lexists(r->file, name, H5P_DEFAULT) > 0;
    snprintf(name, sizeof name, "meshes/%d/vertices", index);
    if (exists) out->vertices = read_triples(r, name, H5T_NATIVE_DOUBLE, sizeof(double), most / 16, &out->nvertex);
    snprintf(name, sizeof name, "meshes/%d/triangles", index);
    if (out->vertices)
        out->triangles =
            read_triples(r, name, H5T_NATIVE_INT, sizeof(int), most / 16 - (size_t)out->nvertex, &out->ntriangle);
    ff_hdf5_leave(entered);
    if (out->triangles && corners_exist(out)) return true;
    free(out->vertices);
    free(out->triangles);
    return false;
}

#else

ff_recording *ff_recording_open(const char *path, ff_error *err)
{
    ff_error_set(err, FF_NOT_BUILT, "%.200s: this build lacks HDF5, so recordings cannot be read: build with it", path);
    return NULL;
}

ff_recording *ff_recording_open_foreign(const char *path, ff_error *err)
{
    return ff_recording_open(path, err);
}

// No recording can be opened in this build, so that the following functions are never called.

void ff_recording_close(ff_recording *r)
{
    (void)r;
}

ff_status ff_recording_read(const ff_recording *r, int channel, long long first, long long stride, long long count,
                            double *out, ff_error *err)
{
    (void)r, (void)channel, (void)first, (void)stride, (void)count, (void)out;
    return ff_error_set(err, FF_NOT_BUILT, "this build lacks HDF5");
}

bool ff_recording_read_mesh(const ff_recording *r, int index, size_t most, ff_mesh *out)
{
    (void)r, (void)index, (void)most, (void)out;
    return false;
}

#endif
