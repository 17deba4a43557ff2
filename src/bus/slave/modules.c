// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Several devices in one slave, by the modular device profile (ETG.5001) and, for drives of several axes, ETG.6010. The
// tables of the modules are merged into one: the indices of the objects of module n are shifted by n times the index
// distance, and its PDOs by 0x10 n. Dictionary, EEPROM and files are made from the merged table.
#include "slave/slave.h"

#include <stdlib.h>

enum { AXIS_DISTANCE = 0x800, SENSOR_DISTANCE = 0x40, PROFILE_DRIVE = 402, FNV = 16777619 };
#define MODULAR(field) FF_EC_FIELD(ff_ec_modular, field)

static const ff_ec_entry modular_rows[] = {
    {0xF000, 0, FF_EC_U8, FF_EC_READ, 0, MODULAR(profile_count), "Modular device profile", 2, 0, 0},
    {0xF000, 1, FF_EC_U16, FF_EC_READ, 0, MODULAR(distance), "Index distance", 0, 0, 0},
    {0xF000, 2, FF_EC_U16, FF_EC_READ, 0, MODULAR(most), "Maximum number of modules", 0, 0, 0},
    {0xF010, 0, FF_EC_U8, FF_EC_READ, 0, MODULAR(type_count), "Module profile list", 0, 0, 0},
    {0xF010, 1, FF_EC_U32, FF_EC_READ, FF_EC_MODULES, MODULAR(types), "Device type", 0, 0, 0},
    {0xF050, 0, FF_EC_U8, FF_EC_READ, 0, MODULAR(ident_count), "Detected module ident list", 0, 0, 0},
    {0xF050, 1, FF_EC_U32, FF_EC_READ, FF_EC_MODULES, MODULAR(idents), "Product code", 0, 0, 0},
};
enum { NMODULAR = sizeof modular_rows / sizeof *modular_rows };

// ------------------------------------------------------------------------------------------ merging

static int distance_of(const ff_ec_slave *slave)
{
    for (int i = 0; i < slave->nmodule; i++)
        if ((slave->modules[i].device->profile & 0xFFFF) == PROFILE_DRIVE) return AXIS_DISTANCE;
    return SENSOR_DISTANCE;
}

static void add_row(ff_ec_merged *j, const ff_ec_entry *row, int module, int shift)
{
    ff_ec_device *d = &j->device;
    int at = d->nentry++;
    for (; at > 0 && (j->rows[at - 1].index > row->index + shift ||
                      (j->rows[at - 1].index == row->index + shift && j->rows[at - 1].sub > row->sub));
         at--) {
        j->rows[at] = j->rows[at - 1];
        j->origins[at] = j->origins[at - 1];
    }
    j->rows[at] = *row;
    j->rows[at].index = (uint16_t)(row->index + shift);
    j->origins[at] = (ff_ec_origin){row, module};
}

/// PDO mappings are shifted like the objects.
static ff_ec_pdo shifted(const ff_ec_pdo *pdo, const char *name, int shift)
{
    ff_ec_pdo out = {.name = name ? name : pdo->name};
    for (unsigned i = 0; i < ff_ec_pdo_entries(pdo); i++)
        out.maps[i] = pdo->maps[i] >> 16 ? pdo->maps[i] + ((uint32_t)shift << 16) : pdo->maps[i];
    return out;
}

/// @return false: a PDO has too many entries
static bool add_pdos(ff_ec_merged *j, const ff_ec_module *m, int module, int direction, int shift)
{
    const ff_ec_pdo *from = ff_ec_device_pdos(m->device, direction);
    ff_ec_pdo *to = (direction == FF_EC_OUT ? j->device.rx : j->device.tx) + FF_EC_CHOICES * module;
    to[0] = shifted(&from[0], m->name, shift);
    const ff_ec_pdo second = shifted(&from[1], NULL, shift);
    if (!ff_ec_pdo_completes(&from[0], &from[1])) {
        to[1] = second;
        return true;
    }
    const unsigned n = ff_ec_pdo_entries(&to[0]), more = ff_ec_pdo_entries(&second);
    if (n + more > FF_EC_PDO_ENTRIES) return false;
    memcpy(&to[0].maps[n], second.maps, more * sizeof *second.maps);
    return true;
}

static bool make_memory(ff_ec_slave *slave)
{
    size_t most = NMODULAR;
    for (int i = 0; i < slave->nmodule; i++) most += (size_t)slave->modules[i].device->nentry;
    ff_ec_merged *j = slave->merged = calloc(1, sizeof *j);
    if (!j) return false;
    j->rows = calloc(most, sizeof *j->rows);
    j->origins = calloc(most, sizeof *j->origins);
    return j->rows && j->origins;
}

static ff_status check_rows(const ff_ec_slave *slave, int number, ff_error *err)
{
    const ff_ec_merged *j = slave->merged;
    if (j->device.nentry > FF_EC_OBJECTS_MOST - 60) // the rest is for communication objects
        return ff_error_set(err, FF_BAD_ARGUMENT, "the modules of station %d have %d objects: at most %d are supported",
                            number + 1, j->device.nentry, FF_EC_OBJECTS_MOST - 60);
    for (int i = 1; i < j->device.nentry; i++)
        if (j->rows[i].index == j->rows[i - 1].index && j->origins[i].module != j->origins[i - 1].module)
            return ff_error_set(err, FF_BAD_ARGUMENT,
                                "modules %d and %d of station %d both have object 0x%04X: such devices cannot share "
                                "one slave",
                                j->origins[i - 1].module + 1, j->origins[i].module + 1, number + 1, j->rows[i].index);
    return FF_OK;
}

ff_status ff_ec_modules_merge(ff_ec_slave *slave, int number, ff_error *err)
{
    const int distance = distance_of(slave);
    if (!make_memory(slave)) return ff_error_set(err, FF_NO_MEMORY, "no memory for the modules of a station");
    ff_ec_merged *j = slave->merged;
    uint32_t hash = 1;
    j->device = *slave->station.device;
    j->device.entries = j->rows;
    j->device.nentry = 0;
    j->device.nmodule = slave->nmodule;
    slave->modular = (ff_ec_modular){0};
    for (int i = 0; i < slave->nmodule; i++) {
        const ff_ec_module *m = &slave->modules[i];
        for (int k = 0; k < m->device->nentry; k++) add_row(j, &m->device->entries[k], i, distance * i);
        for (int d = 0; d < 2; d++)
            if (!add_pdos(j, m, i, d, distance * i))
                return ff_error_set(err, FF_BAD_ARGUMENT, "module %d of station %d maps more than %d objects", i + 1,
                                    number + 1, FF_EC_PDO_ENTRIES);
        hash = (hash ^ m->device->product) * FNV;
    }
    for (int k = 0; k < NMODULAR; k++) add_row(j, &modular_rows[k], FF_EC_MODULES, 0);
    // slaves with different modules get different revisions, since masters cache data by product and revision
    j->device.revision = slave->station.device->revision | (hash & 0xFF00);
    slave->station.device = &j->device;
    return check_rows(slave, number, err);
}

void ff_ec_merged_destroy(ff_ec_merged *j)
{
    if (!j) return;
    free(j->rows);
    free(j->origins);
    free(j);
}

static int row_number(const ff_ec_slave *slave, const ff_ec_entry *row)
{
    return (int)(row - slave->merged->rows);
}

uint8_t *ff_ec_modules_base(ff_ec_slave *slave, const ff_ec_entry *row)
{
    if (!slave->merged) return slave->station.data;
    const int module = slave->merged->origins[row_number(slave, row)].module;
    return module == FF_EC_MODULES ? (uint8_t *)&slave->modular : slave->modules[module].data;
}

// ------------------------------------------------------------------------------------------ behaviour

/// The values of ff_ec_modular for this slave.
static void preset_modular(ff_ec_slave *slave)
{
    ff_ec_modular *m = &slave->modular;
    m->distance = (uint16_t)distance_of(slave);
    m->most = FF_EC_MODULES;
    m->type_count = m->ident_count = (uint8_t)slave->nmodule;
    for (int i = 0; i < slave->nmodule; i++) {
        m->types[i] = slave->modules[i].device->profile;
        m->idents[i] = slave->modules[i].device->product;
    }
}

void ff_ec_modules_preset(ff_ec_slave *slave)
{
    if (slave->merged) preset_modular(slave);
    for (const ff_ec_module *m = slave->modules; m < slave->modules + slave->nmodule; m++)
        if (m->behaviour && m->behaviour->preset) m->behaviour->preset(m->data);
}

void ff_ec_modules_outputs(ff_ec_slave *slave, uint64_t now)
{
    for (const ff_ec_module *m = slave->modules; m < slave->modules + slave->nmodule; m++)
        if (m->behaviour && m->behaviour->outputs) m->behaviour->outputs(m->data, now);
}

void ff_ec_modules_sync0(ff_ec_slave *slave, uint64_t time)
{
    for (const ff_ec_module *m = slave->modules; m < slave->modules + slave->nmodule; m++)
        if (m->behaviour && m->behaviour->sync0) m->behaviour->sync0(m->data, time);
}

void ff_ec_modules_state(ff_ec_slave *slave, ff_ec_state from, ff_ec_state to, uint16_t code)
{
    for (const ff_ec_module *m = slave->modules; m < slave->modules + slave->nmodule; m++)
        if (m->behaviour && m->behaviour->state) m->behaviour->state(m->data, from, to, code);
}

ff_ec_abort ff_ec_modules_check(ff_ec_slave *slave, const ff_ec_place *place, int64_t value)
{
    const ff_ec_merged *j = slave->merged;
    const ff_ec_entry *row = place->entry;
    const ff_ec_module *m = &slave->modules[0];
    if (j) {
        if (row->index < 0x2000) return FF_EC_ABORT_NONE; // a communication object
        const int number = row_number(slave, row);
        if (j->origins[number].module == FF_EC_MODULES) return FF_EC_ABORT_NONE;
        m = &slave->modules[j->origins[number].module];
        row = j->origins[number].row;
    }
    return m->behaviour && m->behaviour->check ? (ff_ec_abort)m->behaviour->check(m->data, row, place->sub, value)
                                               : FF_EC_ABORT_NONE;
}
