// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Links: a robot, virtual or real, and its controller as two processes that exchange frames over a wire, on one machine
// or on two. Part of the room link; docs/link.md is the manual and describes every byte.
//
//     // the virtual robot
//     ff_wire *wire = ff_wire_open("udp:7400", FF_END_ROBOT, &err);
//     ff_link_robot *robot = ff_link_robot_create(wire, NULL, &err);
//     const ff_run_relay relay = {0, ff_link_relay(robot)};
//     options.relays = &relay, options.nrelay = 1;
//     ff_run *run = ff_run_create(scene, &options, &report);
//     ff_link_robot_connect(robot, -1.0, &err);
//     ff_run_go(run, &err);
//
//     // its controller
//     ff_wire *wire = ff_wire_open("udp:7400", FF_END_CONTROL, &err);
//     ff_link_control(wire, NULL, NULL, &controller, &counts, &err);
//
// The controller may be two processes, a stabiliser between robot and planner: ff_link_stabilise.
//
// In lockstep the robot waits for the answer to each frame, and both run as fast as they can: the results are
// bit-identical to those of one process, also if telegrams are lost. In real time the robot never waits: it uses the
// newest answer, and without one it continues by the rules of ff_link_options.
#ifndef FOOTFALL_LINK_H
#define FOOTFALL_LINK_H

#include <footfall/io_bus.h>
#include <footfall/steer.h>

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------ telegrams

#define FF_TELEGRAM_MAGIC   0x4B4C4646U // "FFLK" in the order of bytes
#define FF_TELEGRAM_VERSION 1
enum { FF_TELEGRAM_MOST = 60000 }; // bytes: one datagram of UDP

/// What a telegram is for.
#define FF_TELEGRAM_TYPES(X)                                                                                           \
    X(HELLO, 1, "the controller requests the interface of the robot; no payload")                                      \
    X(INTERFACE, 2, "the robot's answer: period, clock, names and units of the items of both frames")                  \
    X(SENSORS, 3, "the robot's sensors")                                                                               \
    X(REFERENCES, 4, "the controller's answer to the sensors whose counter it carries, and its signals")               \
    X(BYE, 5, "the sender ends; the payload says why, as UTF-8; the controller answers it by its own")
typedef enum ff_telegram_type {
#define FF_TELEGRAM_TYPE(name, number, help) FF_TELEGRAM_##name = (number),
    FF_TELEGRAM_TYPES(FF_TELEGRAM_TYPE)
#undef FF_TELEGRAM_TYPE
} ff_telegram_type;

/// Fields of the head, in the order of their bytes, little-endian: type, name, unit, meaning. Everything that packs,
/// unpacks or explains heads is made from this list: here, in docs/link.md and for other languages (scripts/telegram).
#define FF_TELEGRAM_HEAD(X)                                                                                            \
    X(u32, magic, "", "`FFLK`")                                                                                        \
    X(u16, version, "", "1")                                                                                           \
    X(u16, type, "", "what it is for, above")                                                                          \
    X(u32, length, "B", "of the whole telegram, head and checksum included")                                           \
    X(u32, sequence, "", "number of the sender's telegrams, sent again or not")                                        \
    X(u32, counter, "", "working counter: the robot counts its cycles, an answer copies it")                           \
    X(u32, form, "", "of items: 0, or 1 for the short form; an answer copies it")                                      \
    X(u64, interface, "", "hash of names and units of both frames; 0 in `HELLO` of one that does not know it")         \
    X(f64, time, "s", "of the robot's clock at the cycle")                                                             \
    X(i64, sent, "ns", "the sender's own clock, to measure round trips; an answer copies that of the robot")

typedef uint16_t ff_wire_u16;
typedef uint32_t ff_wire_u32;
typedef uint64_t ff_wire_u64;
typedef int64_t ff_wire_i64;
typedef double ff_wire_f64;
/// The head of a telegram as numbers of this machine.
typedef struct ff_telegram {
#define FF_TELEGRAM_FIELD(type, name, unit, help) ff_wire_##type name;
    FF_TELEGRAM_HEAD(FF_TELEGRAM_FIELD)
#undef FF_TELEGRAM_FIELD
} ff_telegram;

enum { FF_TELEGRAM_HEAD_SIZE = 48, FF_TELEGRAM_SUM_SIZE = 4 };

/// Adds head and checksum to a payload at bytes + FF_TELEGRAM_HEAD_SIZE. Magic, version and length are set. @return
/// bytes of the telegram; 0: `size` or FF_TELEGRAM_MOST is too small
FF_API size_t ff_telegram_seal(ff_telegram *head, unsigned char *bytes, size_t size, size_t payload_size);
/// Reads and checks a telegram: length, magic, version, checksum. @return FF_OK with head and payload, or FF_BAD_FILE
/// with the error
FF_API ff_status ff_telegram_open(const unsigned char *bytes, size_t size, ff_telegram *head,
                                  const unsigned char **payload, size_t *payload_size, ff_error *err);
/// CRC-32 of IEEE 802.3, as in Ethernet, zlib and PNG.
FF_API uint32_t ff_telegram_sum(const unsigned char *bytes, size_t size);

/// Head of the payload of sensors and references.
#define FF_ITEMS_HEAD(X)                                                                                               \
    X(u32, count, "", "items of the frame")                                                                            \
    X(u32, signals, "", "numbers of the controller that the robot records; 0 from the robot")                          \
    X(u32, sequence, "", "number of the frame")                                                                        \
    X(u32, conditions, "", "that the controller meets, a bit each; 0 from the robot")                                  \
    X(i64, time, "ns", "of the frame")
enum { FF_ITEMS_HEAD_SIZE = 24 };

/// Payload of sensors and references: its head; a bit an item (set: it has a value; from the lowest bit of the first
/// byte on, filled up to 8 bytes); the age of each item at the time of the frame (u32, ns; the greatest number: that
/// age or more), filled up to 8 bytes; the values (f64); the signals (f64).
/// @param signals  (nsignal); NULL: none
/// @return bytes; 0: `size` is too small
FF_API size_t ff_items_pack(const ff_io_frame *frame, uint32_t conditions, const double *signals, int nsignal,
                            unsigned char *bytes, size_t size);
/// Fills the items of a frame, whose number must agree. A value that is not finite becomes an invalid item.
/// @param conditions  NULL: not needed
/// @param signals  (nsignal); NULL: not needed
/// @return FF_OK; FF_BAD_FILE with the difference: nothing is changed
FF_API ff_status ff_items_unpack(const unsigned char *bytes, size_t size, ff_io_frame *frame, uint32_t *conditions,
                                 double *signals, int nsignal, ff_error *err);

/// `form` of a head.
enum { FF_ITEMS_LONG = 0, FF_ITEMS_SHORT = 1 };

/// The short form of a payload of items (form 1 of the head), for slow lines and small boards: a bit per item, filled
/// up to whole bytes, then the values of valid items (f32). It has no ages, signals or conditions.
/// @return bytes; 0: `size` is too small
FF_API size_t ff_items_pack_short(const ff_io_frame *frame, unsigned char *bytes, size_t size);
/// Fills the items of a frame from the short form; all get the time frame->time_ns.
/// @return FF_OK; FF_BAD_FILE with the difference: nothing is changed
FF_API ff_status ff_items_unpack_short(const unsigned char *bytes, size_t size, ff_io_frame *frame, ff_error *err);

/// Interface of a robot, on which both ends must agree before the first frame.
typedef struct ff_interface {
    ff_io_layout sensors, references, signals; // names of signals are not part of the hash
    double period;                             // of the controller's cycles  [s]
    bool lockstep;
} ff_interface;
/// Hash of the names and units of both frames.
FF_API uint64_t ff_interface_hash(const ff_interface *interface);
/// Head of the payload of FF_TELEGRAM_INTERFACE.
#define FF_INTERFACE_HEAD(X)                                                                                           \
    X(f64, period, "s", "between two cycles")                                                                          \
    X(u32, lockstep, "", "1: the robot waits for each answer; 0: it runs in real time")                                \
    X(u32, sensors, "", "items of a frame of sensors")                                                                 \
    X(u32, references, "", "items of a frame of references")                                                           \
    X(u32, signals, "", "numbers of the controller that the robot records")
enum { FF_INTERFACE_HEAD_SIZE = 24 };

/// Its head, then name and unit of each item of the three lists, each a byte with its length and that many characters.
/// @return bytes; 0: `size` is too small
FF_API size_t ff_interface_pack(const ff_interface *interface, unsigned char *bytes, size_t size);
/// Names are stored in the arena. @return FF_OK, or FF_BAD_FILE with the error
FF_API ff_status ff_interface_unpack(const unsigned char *bytes, size_t size, ff_arena *arena, ff_interface *out,
                                     ff_error *err);

// ------------------------------------------------------------------------------------------ wires

typedef struct ff_wire ff_wire;
typedef enum ff_end { FF_END_ROBOT, FF_END_CONTROL } ff_end;

/// Opens one end of a wire. The controller's end may be opened before the robot's: telegrams sent until then are lost,
/// and each call of ff_wire_receive tries to reach the robot.
///     udp:7400  udp:192.0.2.7:7400     datagrams; without an address 127.0.0.1
///     tcp:7400  tcp:192.0.2.7:7400     a stream
///     serial:/dev/ttyS0:115200         a serial line, or a pseudo terminal
///     shm:NAME                         shared memory of one machine
/// Without an address the robot's end listens on 127.0.0.1 only.
/// @return NULL with the reason in `err`
FF_API ff_wire *ff_wire_open(const char *address, ff_end end, ff_error *err);
/// A wire that injects faults into another one, for tests: "drop=0.02,delay=0.005,double=0.01,swap=0.01,flip=0.001,
/// cut=500,flood=100,seed=7". Numbers are probabilities per telegram; `delay` is a time in seconds, `cut` the number of
/// telegrams after which all are lost, `flood` the number of additional copies of each. The other wire is closed with
/// it.
FF_API ff_wire *ff_wire_with_faults(ff_wire *below, const char *faults, ff_error *err);
FF_API void ff_wire_close(ff_wire *wire);
/// @return FF_OK; FF_STOPPED: the other end has disconnected; else the reason in `err`
FF_API ff_status ff_wire_send(ff_wire *wire, const unsigned char *bytes, size_t size, ff_error *err);
/// Waits for one telegram. @param seconds  timeout; 0: does not wait; negative: none
/// @return FF_OK with its bytes in `size`, 0: none was received; FF_STOPPED: the other end has disconnected
FF_API ff_status ff_wire_receive(ff_wire *wire, unsigned char *bytes, size_t most, double seconds, size_t *size,
                                 ff_error *err);
/// Address of this end or of the other one, for messages: "127.0.0.1:7400" or "/dev/pts/3".
FF_API const char *ff_wire_where(const ff_wire *wire);

// ------------------------------------------------------------------------------------------ ends

/// Statistics of an end.
typedef struct ff_link_counts {
    int64_t cycles;  // of the robot, or answers of the controller
    int64_t good;    // answers in time
    int64_t missed;  // cycles without an answer, except the first one in real time: references are held or extrapolated
    int64_t late;    // answers to cycles that had already ended
    int64_t doubled; // telegrams received twice
    int64_t damaged; // telegrams with a wrong checksum, length, magic or version
    int64_t foreign; // telegrams for another interface
    int64_t resent;  // frames sent again in lockstep
    int64_t behind;  // real time: cycles that began more than half a period late
    double stopped_at; // simulated time at which the robot lost its controller; NAN: it did not  [s]
} ff_link_counts;

/// Histogram of durations in fixed memory: 64 bins per octave from 64 ns to 18 min. All zero: empty.
enum { FF_HISTOGRAM_BINS = 2240 };
typedef struct ff_histogram {
    int64_t count;
    double largest; // exact  [s]
    int64_t bins[FF_HISTOGRAM_BINS];
} ff_histogram;
/// Adds a duration; a negative one counts as 0. Allocates nothing.  [s]
FF_API void ff_histogram_add(ff_histogram *histogram, double seconds);
/// A quantile of the durations: `share` 0.5 is the median. It is never too small, and at most 1/64 and 1 ns too large.
/// 0 without durations.  [s]
FF_API double ff_histogram_quantile(const ff_histogram *histogram, double share);
/// Share of the durations above a limit, 0 .. 1; some that are below it by less than 1/64 count as well.
FF_API double ff_histogram_above(const ff_histogram *histogram, double seconds);

/// Durations at an end, by its own clock.
typedef struct ff_link_timing {
    ff_histogram trip;   // robot: from a frame to its answer; controller: from the arrival of a frame to its answer
    ff_histogram jitter; // real time. Robot: how late a cycle began; controller: by how much the span between the
                         // arrivals of two successive frames differs from the period
} ff_link_timing;

/// Options of an end.
typedef struct ff_link_options {
    bool wall;              // real time; else lockstep
    double resend_after;    // lockstep: an unanswered frame is sent again after this time  [s]
    double timeout;         // lockstep: the controller is lost after this time without an answer  [s]
    int tolerated;          // real time: consecutive cycles that may miss their answer; one more, and it is lost
    bool extrapolate;       // positions of a missed cycle are extrapolated by their speed; else they are held
    bool paced;             // real time: the caller controls the time, and the newest answer counts, whatever its
                            // cycle. Cycles may come in a burst: after `tolerated` the references are held, and the
                            // other end is lost if it has also been silent for `silence`
    double silence;         // paced: real time; a cycle counts for two periods at most  [s]
    bool (*stop)(void *);   // called while it waits; true: stop. NULL: never
    void *context;          // of `stop`
    ff_link_timing *timing; // filled by the end, borrowed; NULL: none
} ff_link_options;
/// Lockstep; sent again after 50 ms, timeout 5 s; 20 tolerated cycles, extrapolated; silence 0.25 s.
FF_API ff_link_options ff_link_options_default(void);

typedef struct ff_link_robot ff_link_robot;
/// The robot's end; the wire is borrowed.
FF_API ff_link_robot *ff_link_robot_create(ff_wire *wire, const ff_link_options *options, ff_error *err);
FF_API void ff_link_robot_destroy(ff_link_robot *robot);
/// The far controller as a controller of the run (ff_run_options.relays). When it is lost, the robot is held at its
/// references until the end of the run.
FF_API ff_relay ff_link_relay(ff_link_robot *robot);
/// Waits for a controller with the same interface; to be called after ff_run_create.
/// @param seconds  timeout; negative: none
/// @return FF_OK; FF_NOT_FOUND: timeout; FF_STOPPED
FF_API ff_status ff_link_robot_connect(ff_link_robot *robot, double seconds, ff_error *err);
/// Ends the link with a reason, and waits briefly for the acknowledgement of the controller.
FF_API void ff_link_robot_disconnect(ff_link_robot *robot, const char *why);
FF_API ff_link_counts ff_link_robot_counts(const ff_link_robot *robot);
/// Why the controller was lost, at counts.stopped_at; NULL: it was not lost.
FF_API const char *ff_link_robot_lost(const ff_link_robot *robot);
/// A controller at the far end of a wire.
typedef struct ff_link_controller {
    void *context;
    /// Checks the interface of the robot. @return anything but FF_OK with the reason in `err`, which is sent to the
    /// robot
    ff_status (*bind)(void *context, const ff_interface *robot, ff_error *err);
    /// One cycle, as of ff_robot_controller.
    void (*cycle)(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references);
    const double *signals;      // values to be recorded by the robot's end, as many as it names or none; NULL: none
    int nsignal;                // number of signals
    const uint32_t *conditions; // that hold in the last cycle, a bit each; NULL: none
} ff_link_controller;
/// Connects to the robot and answers its frames until it ends the link.
/// @param made_for  the interface it was made for: the robot's must have the same sensors and references and, where
///                  both name signals, the same of these. `period` and `lockstep` are not compared. NULL: any
/// @param counts    may be NULL
/// @return FF_OK: the robot ended the link, with its reason in `err`; FF_NOT_FOUND: no robot; FF_STOPPED: the robot
/// fell silent, or `options->stop` returned true; FF_BAD_ARGUMENT: the interface differs, with the first such item
FF_API ff_status ff_link_control(ff_wire *wire, const ff_interface *made_for, const ff_link_options *options,
                                 const ff_link_controller *controller, ff_link_counts *counts, ff_error *err);

// ------------------------------------------------------------------------------------------ three processes

/// Among the conditions of an answer: the controller has lost its planner and keeps the robot in its safe state. The
/// robot follows its answers, and the run fails at its end.
#define FF_LINK_SAFE 0x80000000U
/// Another condition: the controller, or its hardware layer, is in fault and holds the robot. The run fails at its end
/// unless the fault has been cleared.
#define FF_LINK_FAULT 0x40000000U

/// A stabiliser between its robot and its planner. It acts as the robot of the planner: it forwards the sensors and
/// receives plans as references, by the same telegrams and rules. In lockstep it waits for the plan of each cycle. In
/// real time it uses the newest plan: missing plans are extrapolated by their speeds, held with zero speeds after
/// `tolerated` cycles, and after `silence` the planner is lost permanently.
typedef struct ff_link_stabiliser {
    ff_wire *planner;   // open at the robot's end; borrowed
    ff_relay_site site; // for the planner: its references are the plan
    void *context;
    /// One cycle with the present plan. @return conditions that hold, a bit each
    uint32_t (*cycle)(void *context, double t, const ff_io_frame *sensors, const ff_io_frame *plan,
                      ff_io_frame *references);
    const double *signals; // as of ff_link_controller
    int nsignal;
} ff_link_stabiliser;
/// As ff_link_control. It connects to the planner before the robot; in lockstep the planner is lost after half the
/// timeout of `options`, so that the robot's timeout does not expire first.
/// @param planner  counts of the planner's wire; may be NULL
/// @return FF_CONTROL: the planner was lost, and the robot was kept in its safe state until the end; else as
/// ff_link_control
FF_API ff_status ff_link_stabilise(ff_wire *wire, const ff_interface *made_for, const ff_link_options *options,
                                   const ff_link_stabiliser *stabiliser, ff_link_counts *counts,
                                   ff_link_counts *planner, ff_error *err);

#ifdef __cplusplus
}
#endif
#endif
