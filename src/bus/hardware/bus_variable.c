// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Typed variables linked to a process image by names (bus_variable.h). Values on a bus are little-endian.
#include "hardware/bus_variable.h"

#include "base/bytes.h"

#include <math.h>
#include <string.h>

static const struct {
    size_t size;
    const char *name;
} TYPES[FF_BUS_TYPE_COUNT] = {
#define FF_BUS_TYPE(name, size, text) [FF_BUS_##name] = {size, text},
    FF_BUS_TYPES(FF_BUS_TYPE)
#undef FF_BUS_TYPE
};

size_t ff_bus_type_size(ff_bus_type type)
{
    return TYPES[type].size;
}

// ------------------------------------------------------------------------------------------ linking

ff_status ff_bus_image_make(ff_bus_image *image, const ff_field_bus *bus, int room, ff_arena *arena, ff_error *err)
{
    *image = (ff_bus_image){.bus = bus,
                            .variables = FF_ARENA_NEW(arena, ff_bus_variable *, room + 1),
                            .room = room,
                            .inputs = FF_ARENA_NEW(arena, unsigned char, bus->inputs + 8),
                            .outputs = FF_ARENA_NEW(arena, unsigned char, bus->outputs + 8)};
    if (!image->variables || !image->inputs || !image->outputs)
        return ff_error_set(err, FF_NO_MEMORY, "no memory for the variables of the bus");
    return FF_OK;
}

static const ff_bus_object *find_object(const ff_field_bus *bus, const char *slave, const char *object,
                                        bool *slave_found)
{
    *slave_found = false;
    for (int i = 0; i < bus->nobject; i++) {
        if (strcmp(bus->objects[i].slave, slave) != 0) continue;
        *slave_found = true;
        if (strcmp(bus->objects[i].name, object) == 0) return &bus->objects[i];
    }
    return NULL;
}

ff_status ff_bus_variable_link(ff_bus_image *image, ff_bus_variable *variable, const char *slave, const char *object,
                               ff_bus_type type, bool output, ff_error *err)
{
    static const char *const words[2] = {"an input", "an output"};
    bool any;
    const ff_bus_object *o = find_object(image->bus, slave, object, &any);
    if (!any) return ff_error_set(err, FF_NOT_FOUND, "the bus has no slave '%s'", slave);
    if (!o) return ff_error_set(err, FF_NOT_FOUND, "slave '%s' of the bus has no object '%s'", slave, object);
    if (o->type != type)
        return ff_error_set(err, FF_BAD_ARGUMENT, "'%s' of slave '%s' is %s on the bus, the variable is %s", object,
                            slave, TYPES[o->type].name, TYPES[type].name);
    if (o->output != output)
        return ff_error_set(err, FF_BAD_ARGUMENT, "'%s' of slave '%s' is %s of the bus, the variable is %s", object,
                            slave, words[o->output], words[output]);
    if (o->offset + TYPES[type].size > (output ? image->bus->outputs : image->bus->inputs))
        return ff_error_set(err, FF_BAD_ARGUMENT, "'%s' of slave '%s' is at byte %zu, outside of the process image",
                            object, slave, o->offset);
    if (image->count >= image->room) return ff_error_set(err, FF_LIMIT, "more than %d bus variables", image->room);
    variable->type = type;
    variable->output = output;
    variable->offset = o->offset;
    atomic_store(&variable->bits, 0);
    image->variables[image->count++] = variable;
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ the image

/// Eight extra bytes follow the last byte of inputs, so that one load serves all sizes.
void ff_bus_image_read(ff_bus_image *image)
{
    for (int i = 0; i < image->count; i++) {
        ff_bus_variable *v = image->variables[i];
        if (v->output) continue;
        const uint64_t bits = ff_get_u64(image->inputs + v->offset) & UINT64_MAX >> (64 - 8 * TYPES[v->type].size);
        atomic_store_explicit(&v->bits, bits, memory_order_relaxed);
    }
}

/// A store for each size: a loop over bytes would take a microsecond of every cycle.
static void put_bits(unsigned char *to, uint64_t bits, size_t size)
{
    switch (size) {
    case 1:
        ff_put(to, bits, 1);
        break;
    case 2:
        ff_put(to, bits, 2);
        break;
    case 4:
        ff_put(to, bits, 4);
        break;
    default:
        ff_put(to, bits, 8);
    }
}

void ff_bus_image_write(ff_bus_image *image)
{
    for (int i = 0; i < image->count; i++) {
        const ff_bus_variable *v = image->variables[i];
        if (!v->output) continue;
        const uint64_t bits = atomic_load_explicit(&v->bits, memory_order_relaxed);
        put_bits(image->outputs + v->offset, bits, TYPES[v->type].size);
    }
}

// ------------------------------------------------------------------------------------------ values

static bool has_sign(ff_bus_type type)
{
    return type == FF_BUS_I8 || type == FF_BUS_I16 || type == FF_BUS_I32 || type == FF_BUS_I64;
}

int64_t ff_bus_get_integer(const ff_bus_variable *v)
{
    const uint64_t bits = atomic_load_explicit(&v->bits, memory_order_relaxed);
    const unsigned width = 8 * (unsigned)TYPES[v->type].size;
    if (v->type == FF_BUS_BOOL) return bits != 0;
    if (width < 64 && has_sign(v->type) && (bits >> (width - 1) & 1)) return (int64_t)(bits | ~UINT64_C(0) << width);
    return (int64_t)bits;
}

double ff_bus_get(const ff_bus_variable *v)
{
    const uint64_t bits = atomic_load_explicit(&v->bits, memory_order_relaxed);
    const uint32_t half = (uint32_t)bits;
    double whole;
    float single;
    switch (v->type) {
    case FF_BUS_F64:
        memcpy(&whole, &bits, sizeof whole);
        return whole;
    case FF_BUS_F32:
        memcpy(&single, &half, sizeof single);
        return single;
    case FF_BUS_U64:
        return (double)bits;
    default:
        return (double)ff_bus_get_integer(v);
    }
}

void ff_bus_set_integer(ff_bus_variable *v, int64_t value)
{
    const unsigned width = 8 * (unsigned)TYPES[v->type].size;
    uint64_t bits = v->type == FF_BUS_BOOL ? value != 0 : (uint64_t)value;
    if (width < 64) bits &= ~(~UINT64_C(0) << width);
    atomic_store_explicit(&v->bits, bits, memory_order_relaxed);
}

/// The greatest double in the range of a type: 2^63 itself is outside.
static double clamp_to(ff_bus_type type, double value)
{
    const int width = 8 * (int)TYPES[type].size;
    const double top = ldexp(1.0, has_sign(type) ? width - 1 : width), low = has_sign(type) ? -top : 0.0;
    const double high = width < 64 ? top - 1.0 : nextafter(top, 0.0);
    return value < low ? low : value > high ? high : value;
}

void ff_bus_set(ff_bus_variable *v, double value)
{
    uint64_t bits = 0;
    uint32_t half;
    float single;
    switch (v->type) {
    case FF_BUS_F64:
        memcpy(&bits, &value, sizeof value);
        break;
    case FF_BUS_F32:
        single = (float)value;
        memcpy(&half, &single, sizeof half);
        bits = half;
        break;
    case FF_BUS_BOOL:
        bits = value != 0.0;
        break;
    case FF_BUS_U64:
        bits = isnan(value) ? 0 : (uint64_t)clamp_to(v->type, round(value));
        break;
    default:
        ff_bus_set_integer(v, isnan(value) ? 0 : (int64_t)clamp_to(v->type, round(value)));
        return;
    }
    atomic_store_explicit(&v->bits, bits, memory_order_relaxed);
}
