// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// EtherCAT slaves as pure code: they process received frames and get the time as an argument. For a master a simulated
// robot looks like a real one. The room slave; docs/ethercat.md is its manual.
//
//     ff_ec_drive drives[2] = {0};                       // objects of two drives, as C numbers
//     ff_ec_station line[2] = {{.device = &ff_ec_drive_device, .data = &drives[0]},
//                              {.device = &ff_ec_drive_device, .data = &drives[1]}};
//     ff_ec_segment *segment = ff_ec_segment_create(line, 2, &err);
//     for (;;) {
//         size = receive(bytes);                         // a frame of type 0x88A4
//         size = ff_ec_segment_frame(segment, bytes, size, now);
//         if (size) send(bytes, size);                   // 0: no answer
//         drives[0].position = ...;                      // measured values
//         ff_ec_segment_advance(segment, now);           // samples inputs, checks watchdogs
//     }
//
// One table of objects per device type (ff_ec_device) defines the object dictionary, the PDO mapping, the EEPROM image
// (SII), and the files ESI and ENI. It maps each object to a field of a struct of the user, which SDOs and process data
// read and write.
//
// Names and numbers follow ETG.1000.4 (data link), ETG.1000.6 (application layer), ETG.2010 (SII), CiA 402. Times are
// in ns of one clock of the caller, which never runs backwards: real or simulated time.
#ifndef FOOTFALL_ETHERCAT_H
#define FOOTFALL_ETHERCAT_H

#include <footfall/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------ objects

/// Types of objects: name, number of CANopen, bits (0: as long as the field), name in ESI files.
#define FF_EC_TYPES(X)                                                                                                 \
    X(BOOL, 0x01, 1, "BOOL")                                                                                           \
    X(I8, 0x02, 8, "SINT")                                                                                             \
    X(I16, 0x03, 16, "INT")                                                                                            \
    X(I32, 0x04, 32, "DINT")                                                                                           \
    X(U8, 0x05, 8, "USINT")                                                                                            \
    X(U16, 0x06, 16, "UINT")                                                                                           \
    X(U32, 0x07, 32, "UDINT")                                                                                          \
    X(REAL32, 0x08, 32, "REAL")                                                                                        \
    X(TEXT, 0x09, 0, "STRING")                                                                                         \
    X(REAL64, 0x11, 64, "LREAL")                                                                                       \
    X(I64, 0x15, 64, "LINT")                                                                                           \
    X(U64, 0x1B, 64, "ULINT")
typedef enum ff_ec_type {
#define FF_EC_TYPE(name, number, bits, esi) FF_EC_##name = (number),
    FF_EC_TYPES(FF_EC_TYPE)
#undef FF_EC_TYPE
} ff_ec_type;

/// Access, as the SDO information service reports it.
enum {
    FF_EC_READ = 0x07,        // by SDO, in all states with a mailbox
    FF_EC_WRITE_PREOP = 0x08, // only in PRE-OP
    FF_EC_WRITE = 0x38,       // in every state
    FF_EC_RX = 0x40,          // may be mapped as an output of the master
    FF_EC_TX = 0x80,          // may be mapped as an input of the master
    FF_EC_RW = FF_EC_READ | FF_EC_WRITE,
    FF_EC_OUTPUT = FF_EC_RW | FF_EC_RX,
    FF_EC_INPUT = FF_EC_READ | FF_EC_TX,
};

/// A row of a device table: one entry of an object, or `count` entries of an array, from subindex `sub` on. An object
/// with several entries begins with a row for subindex 0 (U8, the greatest subindex), whose name is that of the object.
typedef struct ff_ec_entry {
    uint16_t index;
    uint8_t sub;
    uint8_t type;          // ff_ec_type
    uint8_t access;        // FF_EC_READ and so on
    uint8_t count;         // entries of an array, consecutive in memory; 0 means 1
    uint16_t offset, size; // of the field in the struct of the device; of all `count` entries  [byte]
    const char *name;
    int64_t preset;    // at the start; texts: none
    int64_t low, high; // least and greatest value that may be written; both 0: limits of the type
} ff_ec_entry;

/// offset and size of a field, for rows of tables.
#define FF_EC_FIELD(type, field) offsetof(type, field), sizeof(((type *)0)->field)

enum {
    FF_EC_PDO_ENTRIES = 16,
    FF_EC_CHOICES = 2, // PDOs a direction of one device
    FF_EC_MODULES = 8, // devices in one slave
    FF_EC_PDOS = FF_EC_CHOICES * FF_EC_MODULES
};

/// A process data object: the objects it maps, in the form of objects 0x1600 and 0x1A00.
typedef struct ff_ec_pdo {
    const char *name;
    uint32_t maps[FF_EC_PDO_ENTRIES]; // FF_EC_MAP, up to the first 0
} ff_ec_pdo;
#define FF_EC_MAP(index, sub, bits) ((uint32_t)(index) << 16 | (uint32_t)(sub) << 8 | (uint32_t)(bits))
#define FF_EC_PAD(bits)             FF_EC_MAP(0, 0, bits) // unused bits

/// A type of device; constant, and shared by all stations of the type.
typedef struct ff_ec_device {
    const char *name, *group;
    uint32_t vendor, product, revision;
    uint32_t profile;           // object 0x1000
    size_t size;                // of the struct the table points into  [byte]
    const ff_ec_entry *entries; // sorted by index and subindex; from 0x2000 on, above the communication objects
    int nentry;
    ff_ec_pdo rx[FF_EC_PDOS];        // outputs 0x1600, 0x1601; the first is assigned by default
    ff_ec_pdo tx[FF_EC_PDOS];        // inputs 0x1A00, 0x1A01; the following ones belong to modules
    const char *hardware, *software; // objects 0x1009, 0x100A; NULL: "1"
    bool passive;                    // it only forwards frames, as a coupler: no mailbox, no objects, no process data
    int nmodule;                     // number of modules it is merged from; 0: it is a single device
} ff_ec_device;

// ------------------------------------------------------------------------------------------ stations

/// States of the application layer (AL).
typedef enum ff_ec_state {
    FF_EC_INIT = 1,
    FF_EC_PREOP = 2,
    FF_EC_BOOT = 3,
    FF_EC_SAFEOP = 4,
    FF_EC_OP = 8,
} ff_ec_state;

/// Functions of the application of a station, each of which may be NULL. ff_ec_segment_frame and
/// ff_ec_segment_advance call them with the struct of the device.
typedef struct ff_ec_behaviour {
    /// Called when the station was switched on. Its objects have the presets of the table, which the function may
    /// change for this station.
    void (*preset)(void *data);
    /// Called in OP when new outputs are in the struct; the inputs on return are those of the next frame.
    void (*outputs)(void *data, uint64_t now);
    /// Called at each Sync0 signal. @param time  distributed time of the signal  [ns]
    void (*sync0)(void *data, uint64_t time);
    /// Called when the AL state has changed. @param code  AL status code; 0: the master requested the change
    void (*state)(void *data, ff_ec_state from, ff_ec_state to, uint16_t code);
    /// Checks a value before an SDO writes it. @return an abort code of CANopen; 0: it may be written
    uint32_t (*check)(void *data, const ff_ec_entry *entry, uint8_t sub, int64_t value);
} ff_ec_behaviour;

/// One of several devices in a slave.
typedef struct ff_ec_module {
    const ff_ec_device *device;       // borrowed, as all of it
    void *data;                       // the struct of the device
    const ff_ec_behaviour *behaviour; // NULL: none
    const char *name;                 // that of its PDOs, by which masters find it
} ff_ec_module;

/// A station of a segment. Zero is the sensible value of everything but `device` and `data`.
typedef struct ff_ec_station {
    const ff_ec_device *device; // borrowed
    void *data; // the struct of the device, which may begin a larger one; borrowed; presets are written into it
    const ff_ec_behaviour *behaviour; // borrowed; NULL: none
    const char *name; // in EEPROM and ENI files, such as "left_knee", borrowed; NULL: that of the device
    uint32_t serial;  // serial number, object 0x1018:4
    uint16_t variant; // upper half of the revision. Some masters show the name of the first slave of a product and
                      // revision for all of them: slaves with different names should have different variants
    uint16_t alias;   // station alias in the EEPROM
    int behind;       // number, from 1 on, of the station to which this one is connected; 0: the one before it
    int port;         // 1, 2 or 3, of that station; 0: 1
    uint32_t hop_ns;  // time of flight from that station; 0: 500
    double drift;     // speed error of the local clock, such as 50e-6
    uint64_t clock;   // local time when the clock of the caller shows 0  [ns]
    /// Several devices in one slave, by the modular device profile (ETG.5001): module n has the objects of its device
    /// with an index offset of n times the index distance, and PDOs 0x1600 + 0x10 n and 0x1A00 + 0x10 n, which are all
    /// assigned by default. The distance is 0x800 if a module is a drive (ETG.6010), else 0x40; it is object 0xF000:1.
    /// A second PDO that completes the first is part of it. `device` then has names and numbers of the slave only, no
    /// objects and no PDOs; `data` and `behaviour` are not used.
    const ff_ec_module *modules; // borrowed  (nmodule)
    int nmodule;                 // at most FF_EC_MODULES; 0: the station is one device
} ff_ec_station;

typedef struct ff_ec_segment ff_ec_segment;

/// A segment with all stations in INIT. Stations are listed in the order in which frames pass them: behind a station,
/// those at its port 3 first, then 1, then 2.
/// @return NULL with FF_BAD_ARGUMENT (which row of which table is wrong) or FF_NO_MEMORY
FF_API ff_ec_segment *ff_ec_segment_create(const ff_ec_station *stations, int count, ff_error *err);
/// NULL is allowed.
FF_API void ff_ec_segment_destroy(ff_ec_segment *segment);

/// Passes a frame through all stations, in place. Allocates nothing.
/// @param bytes  from the destination address on, without checksum   (size)
/// @param now    when it reaches the first station  [ns]
/// @return bytes to send back; 0: it is not an EtherCAT frame, is malformed, or no station is connected
FF_API size_t ff_ec_segment_frame(ff_ec_segment *segment, unsigned char *bytes, size_t size, uint64_t now);
/// Advances the time: watchdogs, Sync0 signals, inputs sampled for the next frame.
FF_API void ff_ec_segment_advance(ff_ec_segment *segment, uint64_t now);
/// Is a cycle of process data complete? It is complete when all stations that frames reach, that have outputs and that
/// are in SAFE-OP or OP have received outputs since the end of the last cycle, by one frame or by several.
FF_API bool ff_ec_segment_exchanged(ff_ec_segment *segment);

// Stations are numbered from 0 on, in their order.

/// State and AL status code of a station (0: no error).
FF_API ff_ec_state ff_ec_station_state(const ff_ec_segment *segment, int station, uint16_t *code);
/// Distributed time of a station.  [ns]
FF_API uint64_t ff_ec_station_time(const ff_ec_segment *segment, int station, uint64_t now);
/// The device of a station, or the device merged from its modules, with all objects and PDOs.
/// @return owned by the segment, or by the user
FF_API const ff_ec_device *ff_ec_station_device(const ff_ec_segment *segment, int station);
/// The EEPROM image of a station. @return its bytes, owned by the segment
FF_API const unsigned char *ff_ec_station_sii(const ff_ec_segment *segment, int station, size_t *size);
/// Sends an emergency, and sets object 0x1001; code 0: error reset. Stations send some by themselves: 0xA000 and
/// 0xA001 when SAFE-OP or OP is refused, 0x8130 when the watchdog ends OP and 0x8700 when Sync0 does, with the
/// communication bit of 0x1001 until they are back in OP; the first two of their bytes are the AL status code.
/// @param code   error code of CiA 402, such as 0x8611
/// @param error  new error register, without the bits of the bus
/// @return false: too many are waiting, or the state is INIT; nothing is sent then
FF_API bool ff_ec_station_emergency(ff_ec_segment *segment, int station, uint16_t code, uint8_t error,
                                    const uint8_t data[5]);

// Faults. Stations beyond a broken cable keep their state, and see no frames.

/// Cuts or repairs the cable at a port (0 leads towards the master, 1 to 3 away from it).
/// @return false: there is no cable
FF_API bool ff_ec_station_connect(ff_ec_segment *segment, int station, int port, bool connected);
/// Is there a cable, intact or cut, at a port?
FF_API bool ff_ec_station_has_cable(const ff_ec_segment *segment, int station, int port);
/// Lets the process data watchdog expire at once.
FF_API void ff_ec_station_expire(ff_ec_segment *segment, int station);
/// Changes the vendor in the EEPROM and in object 0x1018, so that the device differs from the configuration of a
/// master.
FF_API void ff_ec_station_set_vendor(ff_ec_segment *segment, int station, uint32_t vendor);
/// AL status code of stations of a robot that has shut down; manufacturer-specific codes begin at 0x8000.
enum { FF_EC_AL_ROBOT_ENDED = 0x8001 };
/// The robot shuts down: stations in OP fall to SAFE-OP, so that process data are still exchanged, with the AL status
/// code FF_EC_AL_ROBOT_ENDED. No station changes to a higher state from now on.
FF_API void ff_ec_segment_end(ff_ec_segment *segment);
/// Switches the power off and on: registers are reset, the state is INIT, the clock begins at 0, objects get presets.
FF_API void ff_ec_station_reset(ff_ec_segment *segment, int station, uint64_t now);

// ------------------------------------------------------------------------------------------ files

/// Slave information file (ESI, ETG.2000) of device types of one vendor, as XML.
/// @return malloc'ed text, or NULL: no memory
FF_API char *ff_ec_esi_format(const ff_ec_device *const *devices, int count);
/// Network information file (ENI, ETG.2100) of a segment: stations from 0x1001 on, outputs of all stations from logical
/// address 0 on, followed by the inputs. @return malloc'ed text, or NULL: no memory
FF_API char *ff_ec_eni_format(const ff_ec_segment *segment);

// ------------------------------------------------------------------------------------------ devices

// The objects of each device are a list, from which its struct and its device table are made:
//     V(index, subindex, type, access, field, name, preset, least value, greatest value)     a value
//     A(index, subindex, type, access, field, length, name, preset)                          first element of an array
//     E(index, subindex, type, access, field, number, name, preset)                          a further element
//     L(index, subindex, type, access, field, length, name)                                  all elements of an array
// A row with subindex 0 before others is the greatest subindex of the object.
#define FF_EC_MEMBER(index, sub, type, access, field, ...)   ff_ec_c_##type field;
#define FF_EC_ARRAY(index, sub, type, access, field, n, ...) ff_ec_c_##type field[n];
#define FF_EC_NOTHING(...)
typedef int8_t ff_ec_c_I8;
typedef int16_t ff_ec_c_I16;
typedef int32_t ff_ec_c_I32;
typedef uint8_t ff_ec_c_U8;
typedef uint16_t ff_ec_c_U16;
typedef uint32_t ff_ec_c_U32;
typedef float ff_ec_c_REAL32;
typedef double ff_ec_c_REAL64;

#define FF_EC_VENDOR 0xF00F // of all devices below; not a registered number

/// Manufacturer-specific bits of the digital inputs of a drive (60FD): its position is valid; its joint encoder has
/// measured a sample.
enum { FF_EC_POSITION_KNOWN = 1 << 16, FF_EC_JOINT_KNOWN = 1 << 17 };

#define FF_EC_DRIVE_OBJECTS(V, A, E)                                                                                   \
    V(0x6007, 0, I16, RW, bus_lost_option, "Bus lost option", 3, 0, 3)                                                 \
    V(0x603F, 0, U16, INPUT, error_code, "Error code", 0, 0, 0)                                                        \
    V(0x6040, 0, U16, OUTPUT, control, "Controlword", 0, 0, 0)                                                         \
    V(0x6041, 0, U16, INPUT, status, "Statusword", 0, 0, 0)                                                            \
    V(0x605A, 0, I16, RW, quick_stop_option, "Quick stop option", 2, 0, 8)                                             \
    V(0x605B, 0, I16, RW, shutdown_option, "Shutdown option", 0, 0, 1)                                                 \
    V(0x605C, 0, I16, RW, disable_option, "Disable operation option", 1, 0, 1)                                         \
    V(0x605D, 0, I16, RW, halt_option, "Halt option", 1, 1, 4)                                                         \
    V(0x605E, 0, I16, RW, fault_option, "Fault reaction option", 2, 0, 2)                                              \
    V(0x6060, 0, I8, OUTPUT, mode, "Mode of operation", 8, 0, 0)                                                       \
    V(0x6061, 0, I8, INPUT, mode_shown, "Mode of operation display", 8, 0, 0)                                          \
    V(0x6062, 0, I32, INPUT, position_demand, "Position demand", 0, 0, 0)                                              \
    V(0x6064, 0, I32, INPUT, position, "Actual position", 0, 0, 0)                                                     \
    V(0x6065, 0, U32, RW, following_window, "Following error window", 18335, 0, 0)                                     \
    V(0x6066, 0, U16, RW, following_time, "Following error time", 10, 0, 0)      /* [ms] */                            \
    V(0x6067, 0, U32, RW, position_window, "Position window", UINT32_MAX, 0, 0)  /* UINT32_MAX: none */                \
    V(0x6068, 0, U16, RW, position_window_time, "Position window time", 0, 0, 0) /* [ms] */                            \
    V(0x606C, 0, I32, INPUT, velocity, "Actual velocity", 0, 0, 0)                                                     \
    V(0x6071, 0, I16, OUTPUT, target_torque, "Target torque", 0, 0, 0)                                                 \
    V(0x6072, 0, U16, OUTPUT, max_torque, "Maximum torque", 3000, 0, 0)                                                \
    V(0x6074, 0, I16, INPUT, torque_demand, "Torque demand", 0, 0, 0)                                                  \
    V(0x6075, 0, U32, READ, rated_current, "Rated current", 0, 0, 0) /* [mA] */                                        \
    V(0x6076, 0, U32, READ, rated_torque, "Rated torque", 0, 0, 0)   /* [mNm] */                                       \
    V(0x6077, 0, I16, INPUT, torque, "Actual torque", 0, 0, 0)                                                         \
    V(0x6078, 0, I16, INPUT, current, "Actual current", 0, 0, 0)                                                       \
    V(0x6079, 0, U32, INPUT, dc_link, "DC link voltage", 0, 0, 0) /* [mV] */                                           \
    V(0x607A, 0, I32, OUTPUT, target_position, "Target position", 0, 0, 0)                                             \
    V(0x607C, 0, I32, RW, home_offset, "Home offset", 0, 0, 0)                                                         \
    V(0x607D, 0, U8, READ, limit_count, "Position limits", 2, 0, 0)                                                    \
    A(0x607D, 1, I32, RW, limits, 2, "Minimum position", INT32_MIN)                                                    \
    E(0x607D, 2, I32, RW, limits, 1, "Maximum position", INT32_MAX)                                                    \
    V(0x607E, 0, U8, RW, polarity, "Polarity", 0, 0, 0)                                                                \
    V(0x607F, 0, U32, RW, max_velocity, "Maximum velocity", 0, 0, 0)                                                   \
    V(0x6080, 0, U32, RW, max_speed, "Maximum motor speed", 0, 0, 0)                                                   \
    V(0x6081, 0, U32, RW, profile_velocity, "Profile velocity", 0, 0, 0)                                               \
    V(0x6083, 0, U32, RW, acceleration, "Profile acceleration", 0, 0, 0)                                               \
    V(0x6084, 0, U32, RW, deceleration, "Profile deceleration", 0, 0, 0)                                               \
    V(0x6085, 0, U32, RW, quick_deceleration, "Quick stop deceleration", 0, 0, 0)                                      \
    V(0x608F, 0, U8, READ, encoder_count, "Encoder resolution", 2, 0, 0)                                               \
    A(0x608F, 1, U32, RW, encoder, 2, "Counts", 11520)                                                                 \
    E(0x608F, 2, U32, RW, encoder, 1, "Motor revolutions", 1)                                                          \
    V(0x6091, 0, U8, READ, gear_count, "Gear ratio", 2, 0, 0)                                                          \
    A(0x6091, 1, U32, RW, gear, 2, "Motor revolutions", 1)                                                             \
    E(0x6091, 2, U32, RW, gear, 1, "Shaft revolutions", 1)                                                             \
    V(0x6098, 0, I8, RW, homing_method, "Homing method", 37, 0, 0)                                                     \
    V(0x6099, 0, U8, READ, homing_count, "Homing speeds", 2, 0, 0)                                                     \
    A(0x6099, 1, U32, RW, homing_speed, 2, "Speed towards the switch", 0)                                              \
    E(0x6099, 2, U32, RW, homing_speed, 1, "Speed towards zero", 0)                                                    \
    V(0x609A, 0, U32, RW, homing_acceleration, "Homing acceleration", 0, 0, 0)                                         \
    V(0x60B0, 0, I32, OUTPUT, position_offset, "Position offset", 0, 0, 0)                                             \
    V(0x60B1, 0, I32, OUTPUT, velocity_offset, "Velocity offset", 0, 0, 0)                                             \
    V(0x60B2, 0, I16, OUTPUT, torque_offset, "Torque offset", 0, 0, 0)                                                 \
    V(0x60B8, 0, U16, OUTPUT, probe, "Touch probe function", 0, 0, 0)                                                  \
    V(0x60B9, 0, U16, INPUT, probe_status, "Touch probe status", 0, 0, 0)                                              \
    V(0x60BA, 0, I32, INPUT, probe_position, "Touch probe 1, positive edge", 0, 0, 0)                                  \
    V(0x60C2, 0, U8, READ, period_count, "Interpolation period", 2, 0, 0)                                              \
    V(0x60C2, 1, U8, RW, period, "Value", 25, 0, 0)                                                                    \
    V(0x60C2, 2, I8, RW, period_exponent, "Exponent", -5, 0, 0)                                                        \
    V(0x60E0, 0, U16, OUTPUT, positive_torque, "Positive torque limit", 3000, 0, 0)                                    \
    V(0x60E1, 0, U16, OUTPUT, negative_torque, "Negative torque limit", 3000, 0, 0)                                    \
    V(0x60E4, 0, U8, READ, joint_count, "Further position", 1, 0, 0)                                                   \
    V(0x60E4, 1, I32, INPUT, joint_position, "Joint encoder", 0, 0, 0)                                                 \
    V(0x60F4, 0, I32, INPUT, following_error, "Following error", 0, 0, 0)                                              \
    V(0x60FD, 0, U32, INPUT, digital_inputs, "Digital inputs", 0, 0, 0)                                                \
    V(0x60FF, 0, I32, OUTPUT, target_velocity, "Target velocity", 0, 0, 0)                                             \
    V(0x6502, 0, U32, READ, supported_modes, "Supported modes", 0x3A1, 0, 0)

/// Objects of a drive by CiA 402. Positions in counts of the motor encoder, velocities in counts/s, torques in 1/1000
/// of the rated torque.
typedef struct ff_ec_drive {
    FF_EC_DRIVE_OBJECTS(FF_EC_MEMBER, FF_EC_ARRAY, FF_EC_NOTHING)
} ff_ec_drive;
extern FF_API const ff_ec_device ff_ec_drive_device;

/// Bits of the status of a force sensor (6000:7).
enum { FF_EC_OVER_RANGE = 1, FF_EC_STUCK = 2, FF_EC_TARED = 4 };

#define FF_EC_FORCE_OBJECTS(V, A, E)                                                                                   \
    V(0x6000, 0, U8, READ, sample_count, "Sample", 9, 0, 0)                                                            \
    A(0x6000, 1, I32, INPUT, force, 3, "Force x", 0) /* [mN] */                                                        \
    E(0x6000, 2, I32, INPUT, force, 1, "Force y", 0)                                                                   \
    E(0x6000, 3, I32, INPUT, force, 2, "Force z", 0)                                                                   \
    A(0x6000, 4, I32, INPUT, moment, 3, "Moment x", 0) /* [uNm] */                                                     \
    E(0x6000, 5, I32, INPUT, moment, 1, "Moment y", 0)                                                                 \
    E(0x6000, 6, I32, INPUT, moment, 2, "Moment z", 0)                                                                 \
    V(0x6000, 7, U32, INPUT, status, "Status", 0, 0, 0) /* FF_EC_OVER_RANGE and so on */                               \
    V(0x6000, 8, U32, INPUT, count, "Sample count", 0, 0, 0)                                                           \
    V(0x6000, 9, U32, INPUT, time, "Sample time", 0, 0, 0) /* distributed time  [ns], in the second PDO */             \
    V(0x7000, 0, U8, READ, command_count, "Command", 1, 0, 0)                                                          \
    V(0x7000, 1, U32, OUTPUT, command, "Tare", 0, 0, 0) /* bit 0: tare, bit 1: clear tare */                           \
    V(0x8000, 0, U8, READ, range_count, "Settings", 3, 0, 0)                                                           \
    A(0x8000, 1, U32, READ, range, 2, "Force range", 0) /* [N, Nm]; 0: none */                                         \
    E(0x8000, 2, U32, READ, range, 1, "Moment range", 0)                                                               \
    V(0x8000, 3, U32, READ, filter, "Filter", 0, 0, 0) /* [Hz]; 0: none */

/// Six-axis force sensor.
typedef struct ff_ec_force {
    FF_EC_FORCE_OBJECTS(FF_EC_MEMBER, FF_EC_ARRAY, FF_EC_NOTHING)
} ff_ec_force;
extern FF_API const ff_ec_device ff_ec_force_device;

#define FF_EC_IMU_OBJECTS(V, A, E)                                                                                     \
    V(0x6010, 0, U8, READ, sample_count, "Sample", 13, 0, 0)                                                           \
    A(0x6010, 1, REAL32, INPUT, quaternion, 4, "Quaternion w", 0) /* w x y z */                                        \
    E(0x6010, 2, REAL32, INPUT, quaternion, 1, "Quaternion x", 0)                                                      \
    E(0x6010, 3, REAL32, INPUT, quaternion, 2, "Quaternion y", 0)                                                      \
    E(0x6010, 4, REAL32, INPUT, quaternion, 3, "Quaternion z", 0)                                                      \
    A(0x6010, 5, I32, INPUT, rate, 3, "Rate x", 0) /* [urad/s] */                                                      \
    E(0x6010, 6, I32, INPUT, rate, 1, "Rate y", 0)                                                                     \
    E(0x6010, 7, I32, INPUT, rate, 2, "Rate z", 0)                                                                     \
    A(0x6010, 8, I32, INPUT, acceleration, 3, "Acceleration x", 0) /* [mm/s^2] */                                      \
    E(0x6010, 9, I32, INPUT, acceleration, 1, "Acceleration y", 0)                                                     \
    E(0x6010, 10, I32, INPUT, acceleration, 2, "Acceleration z", 0)                                                    \
    V(0x6010, 11, U16, INPUT, status, "Status", 0, 0, 0)                                                               \
    V(0x6010, 12, U16, INPUT, count, "Sample count", 0, 0, 0)                                                          \
    V(0x6010, 13, U32, INPUT, time, "Sample time", 0, 0, 0) /* distributed time  [ns] */                               \
    V(0x8010, 0, U8, READ, rate_count, "Settings", 1, 0, 0)                                                            \
    V(0x8010, 1, U32, READ, sample_rate, "Sample rate", 200, 0, 0) /* [Hz] */

/// Inertial measurement unit.
typedef struct ff_ec_imu {
    FF_EC_IMU_OBJECTS(FF_EC_MEMBER, FF_EC_ARRAY, FF_EC_NOTHING)
} ff_ec_imu;
extern FF_API const ff_ec_device ff_ec_imu_device;

#define FF_EC_SWITCHES_OBJECTS(V)                                                                                      \
    V(0x6020, 0, U8, READ, sample_count, "Sample", 3, 0, 0)                                                            \
    V(0x6020, 1, U8, INPUT, right, "Right foot", 0, 0, 0) /* pads of a foot, a bit each */                             \
    V(0x6020, 2, U8, INPUT, left, "Left foot", 0, 0, 0)                                                                \
    V(0x6020, 3, U16, INPUT, limits, "Limit switches", 0, 0, 0)

/// Switches of the feet and of joints.
typedef struct ff_ec_switches {
    FF_EC_SWITCHES_OBJECTS(FF_EC_MEMBER)
} ff_ec_switches;
extern FF_API const ff_ec_device ff_ec_switches_device;

enum { FF_EC_GATEWAY_CHANNELS = 6 };

#define FF_EC_GATEWAY_OBJECTS(V, L)                                                                                    \
    V(0x6030, 0, U8, READ, channel_count, "Channels", 13, 0, 0)                                                        \
    L(0x6030, 1, REAL64, INPUT, value, FF_EC_GATEWAY_CHANNELS, "Value")   /* SI units */                               \
    L(0x6030, 7, U32, INPUT, time, FF_EC_GATEWAY_CHANNELS, "Sample time") /* distributed time  [ns] */                 \
    V(0x6030, 13, U32, INPUT, valid, "Valid", 0, 0, 0)                    /* a bit for each channel */

/// Gateway to sensors without their own station, such as potentiometers: values in SI units.
typedef struct ff_ec_gateway {
    FF_EC_GATEWAY_OBJECTS(FF_EC_MEMBER, FF_EC_ARRAY)
} ff_ec_gateway;
extern FF_API const ff_ec_device ff_ec_gateway_device;

/// Slaves with modules: a gateway to sensors, such as those of a CAN bus; a drive with several axes.
extern FF_API const ff_ec_device ff_ec_modules_device, ff_ec_axes_device;
/// A coupler or a junction, which only forwards frames.
extern FF_API const ff_ec_device ff_ec_coupler_device;

#ifdef __cplusplus
}
#endif
#endif
