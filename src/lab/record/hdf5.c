// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Recordings as HDF5: one dataset (rows x width) a channel, extended block by block. The file also contains the
// compiled model and the scene, so that it can be shown on a machine that has neither. Names with a slash become
// groups.
#include "record/record.h"

#include <stdlib.h>
#include <string.h>

#ifdef FF_WITH_HDF5

#include "record/hdf5_driver.h"

struct ff_hdf5 {
    hid_t file;
    ff_hdf5_outcome outcome;
    hid_t *datasets; // one a channel
    int count;
    hsize_t rows;
    char *path;
};

/// Type of a text of fixed length, padded with zeros. HDF5 stores texts of variable length in its global heap, which
/// has no checksum; a damaged heap crashes the reader (H5HG_read of 1.10.8 does not check the sizes in it).
static hid_t text_type(size_t length)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, length > 0 ? length : 1);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

/// Copies texts one after the other, each padded to the length of the longest; NULL without memory.
static char *pack_texts(const char *const *texts, int count, size_t *length)
{
    *length = 1;
    for (int i = 0; i < count; i++)
        if (strlen(texts[i]) > *length) *length = strlen(texts[i]);
    char *packed = calloc((size_t)count, *length);
    for (int i = 0; packed && i < count; i++) memcpy(packed + (size_t)i * *length, texts[i], strlen(texts[i]));
    return packed;
}

/// Writes an attribute of one text (count 0) or a list of texts. @return whether that succeeded
static bool write_texts(hid_t where, const char *name, const char *const *texts, int count)
{
    const hsize_t size = (hsize_t)(count > 0 ? count : 1);
    size_t length = 1;
    char *packed = pack_texts(texts, (int)size, &length);
    if (!packed) return false;
    hid_t type = text_type(length);
    hid_t space = count > 0 ? H5Screate_simple(1, &size, NULL) : H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(where, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool ok = attribute >= 0 && H5Awrite(attribute, type, packed) >= 0;
    if (attribute >= 0) H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
    free(packed);
    return ok;
}

/// Writes a text as a scalar dataset, since attributes hold at most 64 KiB.
static bool write_long_text(hid_t file, const char *name, const char *text)
{
    hid_t type = text_type(strlen(text));
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    // Of an empty text, its final zero is the one byte that is written.
    const bool ok = dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    if (dataset >= 0) H5Dclose(dataset);
    H5Sclose(space);
    H5Tclose(type);
    return ok;
}

/// Settings for links: the groups of names with slashes are created.
static hid_t link_plan(void)
{
    hid_t plan = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(plan, 1);
    H5Pset_char_encoding(plan, H5T_CSET_UTF8);
    return plan;
}

static bool write_array(hid_t file, const char *name, hid_t type, const void *values, int rows, int width)
{
    const hsize_t size[2] = {(hsize_t)rows, (hsize_t)width};
    hid_t plan = link_plan();
    hid_t space = H5Screate_simple(2, size, NULL);
    hid_t dataset = H5Dcreate2(file, name, type, space, plan, H5P_DEFAULT, H5P_DEFAULT);
    const bool ok = dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    if (dataset >= 0) H5Dclose(dataset);
    H5Sclose(space);
    H5Pclose(plan);
    return ok;
}

static bool write_mesh(hid_t file, int number, const ff_record_mesh *mesh)
{
    char name[64];
    if (!mesh->vertices) return true;
    snprintf(name, sizeof name, "meshes/%d/vertices", number);
    if (!write_array(file, name, H5T_NATIVE_DOUBLE, mesh->vertices, mesh->nvertex, 3)) return false;
    snprintf(name, sizeof name, "meshes/%d/triangles", number);
    return write_array(file, name, H5T_NATIVE_INT, mesh->triangles, mesh->ntriangle, 3);
}

/// Writes the model of the simulation, or of a copied recorder without one.
static bool write_model(hid_t file, const ff_recorder *rec)
{
    const ff_model *m = rec->sim ? rec->sim->model : NULL;
    char *json = m ? ff_model_to_json(m) : NULL;
    const char *text = m ? json : rec->model;
    bool ok = text ? write_long_text(file, "model", text) : !m;
    free(json);
    for (int i = 0; ok && m && i < m->nmesh; i++) {
        const ff_mesh *mesh = m->meshes[i];
        if (!mesh) continue;
        const ff_record_mesh given = {mesh->vertices, mesh->nvertex, mesh->triangles, mesh->ntriangle};
        ok = write_mesh(file, i, &given);
    }
    for (int i = 0; ok && !m && i < rec->nmesh; i++) ok = write_mesh(file, i, &rec->meshes[i]);
    return ok;
}

/// Rows of a chunk of at most 16 KiB, such that the planned rows fill all chunks. Each commit writes the last chunk of
/// every channel again: with chunks of 64 KiB that took 1.3 % of a run with 160 columns.
static hsize_t chunk_rows(const ff_recorder *rec, const ff_channel *c)
{
    const long long most = 16384 / (8LL * c->width) > 16 ? 16384 / (8LL * c->width) : 16;
    const long long chunks = (rec->planned_rows + most - 1) / most;
    const long long rows = chunks > 0 ? (rec->planned_rows + chunks - 1) / chunks : most;
    return (hsize_t)(rows > 16 ? rows : 16);
}

static hid_t create_channel(hid_t file, const ff_recorder *rec, const ff_channel *c)
{
    const hsize_t none[2] = {0, (hsize_t)c->width}, most[2] = {H5S_UNLIMITED, (hsize_t)c->width};
    const hsize_t chunk[2] = {chunk_rows(rec, c), (hsize_t)c->width};
    hid_t space = H5Screate_simple(2, none, most);
    hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
    hid_t links = link_plan();
    H5Pset_chunk(plan, 2, chunk);
    hid_t dataset = H5Dcreate2(file, c->name, H5T_IEEE_F64LE, space, links, plan, H5P_DEFAULT);
    if (dataset >= 0 && (!write_texts(dataset, "units", &c->units, 0) ||
                         (c->names && !write_texts(dataset, "names", (const char *const *)c->names, c->width)))) {
        H5Dclose(dataset);
        dataset = -1;
    }
    H5Pclose(links);
    H5Pclose(plan);
    H5Sclose(space);
    return dataset;
}

/// Writes the attribute "state" of the run; of fixed length, so that it can be overwritten.
static bool write_state(hid_t file, const char *name, bool first)
{
    char text[8] = {0};
    snprintf(text, sizeof text, "%s", name);
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, sizeof text);
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t state =
        first ? H5Acreate2(file, "state", type, space, H5P_DEFAULT, H5P_DEFAULT) : H5Aopen(file, "state", H5P_DEFAULT);
    const bool ok = state >= 0 && H5Awrite(state, type, text) >= 0;
    if (state >= 0) H5Aclose(state);
    H5Sclose(space);
    H5Tclose(type);
    return ok;
}

static bool write_facts(ff_hdf5 *f, const ff_recorder *rec, const ff_record_info *info)
{
    const char *program = "footfall", *format = "1";
    const char *version = info && info->version ? info->version : "";
    const char *path = info && info->path ? info->path : "";
    const char *changes = info && info->changes ? info->changes : "";
    return write_state(f->file, "running", true) && write_texts(f->file, "program", &program, 0) &&
           write_texts(f->file, "version", &version, 0) && write_texts(f->file, "format", &format, 0) &&
           write_texts(f->file, "scene_path", &path, 0) && write_texts(f->file, "scene_changes", &changes, 0) &&
           write_long_text(f->file, "scene", info && info->scene ? info->scene : "") && write_model(f->file, rec);
}

/// Status after calls of HDF5; errors of the disk, which the driver hides from the library, come first.
static ff_status evaluate(const ff_hdf5 *f, bool ok, ff_error *err)
{
    if (f->outcome.failure)
        return ff_error_set(err, FF_NOT_WRITTEN, "%s: cannot write: %s", f->path, strerror(f->outcome.failure));
    return ok ? FF_OK : ff_error_set(err, FF_NOT_WRITTEN, "%s: cannot write: HDF5 refuses", f->path);
}

static bool create_file(ff_hdf5 *f, const ff_recorder *rec, const ff_record_info *info)
{
    hid_t plan = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(plan, H5F_LIBVER_V18, H5F_LIBVER_LATEST); // attributes beyond 64 KiB: names of many joints
    f->file = ff_hdf5_create(f->path, plan, &f->outcome);
    H5Pclose(plan);
    if (f->file < 0 || !write_facts(f, rec, info)) return false;
    f->datasets = calloc((size_t)rec->nchannel, sizeof *f->datasets);
    if (!f->datasets) return false;
    for (int i = 0; i < rec->nchannel; i++) {
        const hid_t dataset = create_channel(f->file, rec, &rec->channels[i]);
        if (dataset < 0) return false;
        f->datasets[f->count++] = dataset;
    }
    return H5Fflush(f->file, H5F_SCOPE_LOCAL) >= 0;
}

/// Closes and frees everything. @return FF_OK, or FF_NOT_WRITTEN if that or any call before failed
static ff_status release(ff_hdf5 *f, ff_error *err)
{
    bool ok = true;
    for (int i = 0; i < f->count; i++) ok = H5Dclose(f->datasets[i]) >= 0 && ok;
    if (f->file >= 0) ok = H5Fclose(f->file) >= 0 && ok;
    const ff_status status = evaluate(f, ok, err);
    free(f->datasets);
    free(f->path);
    free(f);
    return status;
}

ff_status ff_hdf5_open(ff_hdf5 **out, const ff_recorder *rec, const char *path, const ff_record_info *info,
                       ff_error *err)
{
    ff_hdf5 *f = calloc(1, sizeof *f);
    if (!f || !(f->path = strdup(path))) {
        free(f);
        return ff_error_set(err, FF_NO_MEMORY, "%s: no memory to open it", path);
    }
    f->file = -1;
    const ff_hdf5_visit visit = ff_hdf5_enter();
    const bool ok = create_file(f, rec, info), created = f->file >= 0;
    ff_status status = evaluate(f, ok, err);
    if (status != FF_OK && created) remove(path); // an incomplete file cannot be read
    if (status != FF_OK) release(f, NULL);
    ff_hdf5_leave(visit);
    if (!created && ff_hdf5_is_busy(path))
        return ff_error_set(err, FF_BAD_FILE, "%s: another run is writing it: give one of them another folder (--out)",
                            path);
    if (!created)
        return ff_error_set(err, FF_NOT_WRITTEN, "%s: cannot be written as HDF5 (does the folder exist?)", path);
    if (status == FF_OK) *out = f;
    return status;
}

/// Appends the columns of one channel, from the block of rows in memory, to its dataset.
static bool append_channel(hid_t dataset, const ff_recorder *rec, const ff_channel *c, hsize_t rows)
{
    const hsize_t count[2] = {(hsize_t)rec->filled, (hsize_t)c->width}, block[2] = {count[0], (hsize_t)rec->columns};
    const hsize_t total[2] = {rows + count[0], count[1]}, to[2] = {rows, 0}, from[2] = {0, (hsize_t)c->column};
    if (H5Dset_extent(dataset, total) < 0) return false;
    hid_t memory = H5Screate_simple(2, block, NULL), space = H5Dget_space(dataset);
    const bool ok = H5Sselect_hyperslab(memory, H5S_SELECT_SET, from, NULL, count, NULL) >= 0 &&
                    H5Sselect_hyperslab(space, H5S_SELECT_SET, to, NULL, count, NULL) >= 0 &&
                    H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, rec->rows) >= 0;
    H5Sclose(space);
    H5Sclose(memory);
    return ok;
}

ff_status ff_hdf5_append(ff_hdf5 *f, const ff_recorder *rec, ff_error *err)
{
    const ff_hdf5_visit visit = ff_hdf5_enter();
    bool ok = true;
    for (int i = 0; i < f->count; i++) ok = ok && append_channel(f->datasets[i], rec, &rec->channels[i], f->rows);
    f->rows += (hsize_t)rec->filled;
    ff_hdf5_leave(visit);
    return evaluate(f, ok, err);
}

ff_status ff_hdf5_commit(ff_hdf5 *f, ff_error *err)
{
    const ff_hdf5_visit visit = ff_hdf5_enter();
    const bool ok = H5Fflush(f->file, H5F_SCOPE_LOCAL) >= 0;
    ff_hdf5_leave(visit);
    return evaluate(f, ok, err);
}

ff_status ff_hdf5_finish(ff_hdf5 *f, const ff_recorder *rec, ff_error *err)
{
    const ff_hdf5_visit visit = ff_hdf5_enter();
    const bool ok = (!rec->events || write_long_text(f->file, "events", rec->events)) &&
                    write_state(f->file, rec->stopped ? "stopped" : "ended", false);
    ff_hdf5_leave(visit);
    return evaluate(f, ok, err);
}

ff_status ff_hdf5_close(ff_hdf5 *f, ff_error *err)
{
    const ff_hdf5_visit visit = ff_hdf5_enter();
    const ff_status status = release(f, err);
    ff_hdf5_leave(visit);
    return status;
}

#else

ff_status ff_hdf5_open(ff_hdf5 **out, const ff_recorder *rec, const char *path, const ff_record_info *info,
                       ff_error *err)
{
    (void)rec, (void)info;
    *out = NULL;
    return ff_error_set(err, FF_NOT_BUILT, "%s: this build lacks HDF5: record to CSV, or build with it", path);
}

ff_status ff_hdf5_append(ff_hdf5 *f, const ff_recorder *rec, ff_error *err)
{
    (void)f, (void)rec;
    return ff_error_set(err, FF_NOT_BUILT, "this build lacks HDF5");
}

ff_status ff_hdf5_commit(ff_hdf5 *f, ff_error *err)
{
    (void)f;
    return ff_error_set(err, FF_NOT_BUILT, "this build lacks HDF5");
}

ff_status ff_hdf5_finish(ff_hdf5 *f, const ff_recorder *rec, ff_error *err)
{
    (void)f, (void)rec;
    return ff_error_set(err, FF_NOT_BUILT, "this build lacks HDF5");
}

ff_status ff_hdf5_close(ff_hdf5 *f, ff_error *err)
{
    (void)f;
    return ff_error_set(err, FF_NOT_BUILT, "this build lacks HDF5");
}

#endif
