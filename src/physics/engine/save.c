// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Saved states: all that the rest of a run depends on, as one block of bytes: a header, the fields of ff_sim_transfer,
// and a hash of all bytes before it.
#include "engine/archive.h"
#include "engine/system.h"

#include "base/hash.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char MAGIC[8] = "FFSTATE";
enum { VERSION = 13, ORDER_MARK = 0x01020304 };

/// What must agree between the saved and the restoring simulation.
typedef struct header {
    char magic[8];
    uint32_t version;
    uint32_t order;       // ORDER_MARK as the writer's processor stores it
    uint32_t number_size; // of a double  [byte]
    uint32_t method;
    uint64_t model;    // its hash, 0: none
    uint64_t total;    // bytes of the whole, header and check included
    int64_t counts[9]; // see COUNT_NAMES
} header;

static const char *const COUNT_NAMES[9] = {"positions", "velocities", "part states",    "actuators",          "parts",
                                           "tasks",     "events",     "random streams", "memories of callers"};

_Static_assert(sizeof(header) == 112, "the header of saved states has no holes");

static header make_header(ff_sim *sim)
{
    header h = {.version = VERSION,
                .order = ORDER_MARK,
                .number_size = (uint32_t)sizeof(double),
                .method = (uint32_t)sim->options.method,
                .model = sim->model ? sim->model->hash : 0,
                .counts = {sim->nq, sim->nv, sim->nz, sim->model ? sim->model->nactuator : 0, sim->npart, sim->ntask,
                           sim->events.count, sim->nrandom, sim->nmemory}};
    memcpy(h.magic, MAGIC, sizeof h.magic);
    ff_archive c = {.mode = FF_ARCHIVE_MEASURE};
    ff_sim_transfer(&c, sim);
    h.total = sizeof h + c.at + sizeof(uint64_t);
    return h;
}

size_t ff_sim_save_size(ff_sim *sim)
{
    return ff_sim_begin(sim, NULL) ? 0 : (size_t)make_header(sim).total;
}

ff_status ff_sim_save(ff_sim *sim, void *buffer, size_t size, ff_error *err)
{
    const ff_status status = ff_sim_begin(sim, err);
    if (status) return status;
    ff_sim_commit_writes(sim);
    header h = make_header(sim);
    if (size < h.total)
        return ff_error_set(err, FF_BAD_ARGUMENT, "the buffer holds %zu bytes and the state needs %zu", size,
                            (size_t)h.total);
    if (sim->method->own_history) ff_sim_forget(sim, false); // its history is not saved: this run restarts it, too
    ff_archive c = {.mode = FF_ARCHIVE_WRITE, .bytes = buffer};
    ff_archive_field(&c, &h, sizeof h);
    ff_sim_transfer(&c, sim);
    uint64_t check = ff_hash(buffer, c.at, FF_HASH_START);
    ff_archive_field(&c, &check, sizeof check);
    return FF_OK;
}

static ff_status bad(ff_error *err, const char *what)
{
    return ff_error_set(err, FF_BAD_FILE, "saved state: %s", what);
}

static ff_status check_header(const header *saved, const header *ours, size_t size, ff_error *err)
{
    if (memcmp(saved->magic, MAGIC, sizeof MAGIC) != 0) return bad(err, "these bytes are no saved state of Footfall");
    if (saved->order != ORDER_MARK) return bad(err, "it was written on a machine with another byte order");
    if (saved->version != VERSION)
        return ff_error_set(err, FF_BAD_FILE, "saved state: format version %u, this program reads version %d",
                            saved->version, VERSION);
    if (saved->number_size != sizeof(double)) return bad(err, "its numbers have another precision");
    if (saved->method != ours->method)
        return ff_error_set(err, FF_BAD_FILE, "saved state: written by method %s, this simulation uses %s",
                            ff_method_name((ff_method)saved->method), ff_method_name((ff_method)ours->method));
    for (int i = 0; i < 9; i++)
        if (saved->counts[i] != ours->counts[i])
            return ff_error_set(err, FF_BAD_FILE, "saved state: it has %lld %s, this simulation %lld",
                                (long long)saved->counts[i], COUNT_NAMES[i], (long long)ours->counts[i]);
    if (saved->model != ours->model) return bad(err, "it belongs to another model (the model's hash differs)");
    if (saved->total != ours->total)
        return bad(err, "a memory registered by ff_sim_add_memory had another size when it was saved");
    if (size < saved->total)
        return ff_error_set(err, FF_BAD_FILE, "saved state: cut off, %zu of %llu bytes are there", size,
                            (unsigned long long)saved->total);
    return FF_OK;
}

ff_status ff_sim_restore(ff_sim *sim, const void *buffer, size_t size, ff_error *err)
{
    ff_status status = ff_sim_begin(sim, err);
    if (status) return status;
    header saved;
    const header ours = make_header(sim);
    if (size < sizeof saved) return bad(err, "too short to be one");
    memcpy(&saved, buffer, sizeof saved);
    status = check_header(&saved, &ours, size, err);
    if (status) return status;
    uint64_t check;
    const size_t end = (size_t)saved.total - sizeof check;
    memcpy(&check, (const unsigned char *)buffer + end, sizeof check);
    if (check != ff_hash(buffer, end, FF_HASH_START)) return bad(err, "damaged: its check sum does not fit");
    ff_archive c = {.mode = FF_ARCHIVE_READ, .bytes = (unsigned char *)(uintptr_t)buffer, .at = sizeof saved};
    ff_sim_transfer(&c, sim);
    sim->writes++;
    for (int i = 0; i < sim->ntask; i++) // a forged file must not have calls in the past
        if (sim->tasks[i].next < sim->ticks) sim->tasks[i].next = sim->ticks;
    if (sim->method->own_history) ff_sim_forget(sim, false);
    ff_sim_count_applied(sim);
    ff_sim_invalidate(sim, FF_SIM_NOTHING);
    ff_sim_copy_to_data(sim);
    return FF_OK;
}

ff_status ff_sim_save_file(ff_sim *sim, const char *path, ff_error *err)
{
    const size_t size = ff_sim_save_size(sim);
    void *buffer = malloc(size ? size : 1);
    if (!buffer) return ff_error_set(err, FF_NO_MEMORY, "%s: no memory for the saved state", path);
    const ff_status status = ff_sim_save(sim, buffer, size, err);
    if (status) {
        free(buffer);
        return status;
    }
    FILE *file = fopen(path, "wb");
    bool ok = file && fwrite(buffer, 1, size, file) == size;
    if (file) ok = fclose(file) == 0 && ok;
    free(buffer);
    return ok ? FF_OK : ff_error_set(err, FF_NOT_WRITTEN, "%s: cannot write the state: %s", path, strerror(errno));
}

ff_status ff_sim_restore_file(ff_sim *sim, const char *path, ff_error *err)
{
    // A state of this simulation has a known size. One byte more is read to recognise a longer file.
    const size_t size = ff_sim_save_size(sim);
    FILE *file = fopen(path, "rb");
    if (!file) return ff_error_set(err, FF_NOT_FOUND, "%s: cannot open: %s", path, strerror(errno));
    void *buffer = malloc(size + 1);
    if (!buffer) {
        fclose(file);
        return ff_error_set(err, FF_NO_MEMORY, "%s: no memory for the saved state", path);
    }
    const size_t got = fread(buffer, 1, size + 1, file);
    fclose(file);
    ff_error inner = {0};
    ff_status status = ff_sim_restore(sim, buffer, got, &inner);
    free(buffer);
    if (status) return ff_error_set(err, status, "%s: %.400s", path, inner.text);
    return FF_OK;
}

uint64_t ff_sim_hash(ff_sim *sim)
{
    if (ff_sim_begin(sim, NULL)) return 0;
    ff_sim_commit_writes(sim);
    const uint64_t h = ff_hash(&sim->ticks, sizeof sim->ticks, FF_HASH_START);
    return ff_hash_numbers(ff_hash_numbers(h, &sim->offset, 1), sim->x, sim->n);
}
