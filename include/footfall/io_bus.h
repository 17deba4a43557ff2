// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames between a controller and a robot, simulated or real, and the timing of the bus that carries them. A controller
// sees nothing else: references go out in a frame, sensor values come in by a frame. Part of the room sense;
// docs/sensors.md, "Frames and bus".
//
// Timing (one telegram a period T carries references out and the answer back):
//     n T + jitter     the controller uses what has arrived; telegram n leaves with its references and brings back the
//                      samples that are ready
//     + transfer       the robot sets its references at once
//     + T/2            the robot samples its sensors, for telegram n + 1
//     (n + 1) T        telegram n + 1 takes these samples
//     (n + 2) T        the controller uses them: they are 1.5 T - transfer old, and show the effect of references n
//                      after 2 T
// A lost telegram loses both ways: references stay, no sample is taken, and control has nothing new.
#ifndef FOOTFALL_IO_BUS_H
#define FOOTFALL_IO_BUS_H

#include <footfall/base.h>

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------ frames

#define FF_IO_MAGIC   0x4F494646U // "FFIO" in the order of bytes
#define FF_IO_VERSION 1

typedef enum ff_io_kind { FF_IO_REFERENCES, FF_IO_SENSORS } ff_io_kind;

/// Name and unit of one item, as sent once when a link is opened.
typedef struct ff_io_name {
    char name[64];
    char unit[16];
} ff_io_name;

typedef struct ff_io_layout {
    ff_io_kind kind;
    int count;
    const ff_io_name *names; // (count)
    uint64_t hash; // of names and units: frames carry it, so that two sides notice when they do not mean the same
} ff_io_layout;
/// The hash of a layout, from names and units in their order.
FF_API uint64_t ff_io_layout_hash(const ff_io_name *names, int count);
/// Number of an item, -1 when there is none of that name.
FF_API int ff_io_find(const ff_io_layout *layout, const char *name);

/// One value.
typedef struct ff_io_item {
    double value;
    int64_t time_ns; // when it was sampled, or when the reference was computed  [ns]
    uint32_t valid;  // 0: no value, keep the old one
    uint32_t spare;  // 0
} ff_io_item;

/// Head of a frame; its items follow it in memory, see ff_io_items. Plain data of fixed width without pointers.
typedef struct ff_io_frame {
    uint32_t magic;
    uint16_t version;
    uint16_t kind;     // ff_io_kind
    uint32_t count;    // items
    uint32_t sequence; // number of the telegram
    uint64_t layout;   // ff_io_layout.hash
    int64_t time_ns;   // when it was sent  [ns]
} ff_io_frame;
static inline ff_io_item *ff_io_items(ff_io_frame *frame)
{
    return (ff_io_item *)(void *)(frame + 1);
}
static inline const ff_io_item *ff_io_items_of(const ff_io_frame *frame)
{
    return (const ff_io_item *)(const void *)(frame + 1);
}

/// Does an item hold a number to use? One that is not finite is none, whatever its sender says: filters and integrals
/// would keep it for ever.
static inline bool ff_io_known(const ff_io_item *item)
{
    return item->valid && isfinite(item->value);
}

/// Bytes of a frame in memory: 32, and 24 an item.
FF_API size_t ff_io_size(int count);
/// An empty frame of a layout, in memory of ff_io_size(layout->count).
FF_API void ff_io_init(ff_io_frame *frame, const ff_io_layout *layout);

/// A controller: called once a period with what has arrived; fills the references, all invalid before the call.
/// What a host can save and record of it stays where it is.
typedef struct ff_controller {
    void *context;
    void (*cycle)(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references);
    void *memory; // all that changes in a cycle, one block without addresses; NULL: none
    size_t memory_size;
    const ff_io_name *signals; // numbers that a recorder can keep
    const double *values;      // (nsignal)
    int nsignal;
    const uint32_t *conditions; // met in the last cycle, one bit each; NULL: it reports none
} ff_controller;

// ------------------------------------------------------------------------------------------ timing

typedef struct ff_bus {
    bool modelled;   // false: references act at once and sensors are read at once, every period
    double period;   // T                                                              [s]
    double wait;     // between a telegram and the samples                             [s]
    double transfer; // between control and robot                                      [s]
    double jitter;   // of the start of a period, uniform within +-                    [s]
    double loss;     // probability that a telegram is lost
    uint64_t seed;
} ff_bus;

/// Modelled, 1 ms, samples after half a period, +-15 us, nothing lost.
FF_API ff_bus ff_bus_default(void);
/// @return FF_OK, or FF_BAD_ARGUMENT with the number
FF_API ff_status ff_bus_check(const ff_bus *bus, ff_error *err);

typedef struct ff_bus_counts {
    int64_t cycles, lost;
} ff_bus_counts;

/// Memory of a bus, plain data; frames beside it.
typedef struct ff_bus_memory {
    ff_random random;
    ff_bus_counts counts;
    int64_t returning; // an answer is under way, which arrives in the next period
} ff_bus_memory;

/// The frames between which a telegram copies. Those of sensors have one layout, those of references another.
typedef struct ff_bus_frames {
    ff_io_frame *received;   // sensors that the controller has
    ff_io_frame *answer;     // sensors under way with the last telegram
    ff_io_frame *ready;      // the last samples of the robot
    ff_io_frame *references; // of the controller
    ff_io_frame *held;       // references that the robot follows
} ff_bus_frames;

/// Memory before the first period: nothing under way, the random stream of `bus->seed`.
FF_API void ff_bus_start(const ff_bus *bus, ff_bus_memory *memory);
/// Where the next period starts, as an offset from its nominal time.  [s]
FF_API double ff_bus_jitter(const ff_bus *bus, ff_bus_memory *memory);
/// One period at the time t: hands the answer of the last telegram to control (samples that are not finite as not
/// valid), calls it, sends the telegram.
/// @return true when the telegram arrived: `held` is to be followed after `transfer`, and sensors are to be sampled
/// into `ready` after `transfer + wait`
FF_API bool ff_bus_cycle(const ff_bus *bus, ff_bus_memory *memory, ff_bus_frames *frames,
                         const ff_controller *controller, double t);

#ifdef __cplusplus
}
#endif
#endif
