// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A slave: its controller (esc: registers, memory, what happens without the application), and its application (AL
// state, mailbox, objects, process data). Frames access the controller only; `work` holds what the application has to
// handle once the frame has passed.
#ifndef FOOTFALL_SLAVE_SLAVE_H
#define FOOTFALL_SLAVE_SLAVE_H

#include "base/bytes.h"
#include "slave/registers.h"

#include <footfall/ethercat.h>

enum {
    FF_EC_FMMUS = 8,
    FF_EC_SMS = 8,
    FF_EC_RAM_KIB = 8,
    FF_EC_MEMORY = FF_EC_REG_END + FF_EC_RAM_KIB * 1024,
    FF_EC_PORTS = 4,
    FF_EC_SII_SIZE = 4096,
    FF_EC_SDO_MOST = 1024, // bytes of an object
    FF_EC_ANSWERS = 16,    // waiting responses, including the one that was read last
    FF_EC_FRAME_MOST = 1514,
    FF_EC_OBJECTS_MOST = 800, // limit of the dictionary: the list of objects fits into FF_EC_ANSWERS - 2 messages
};

// ------------------------------------------------------------------------------------------ the controller

/// Decoded registers of a sync manager, and the state of its buffer.
typedef struct ff_ec_sm {
    uint16_t start, length;
    uint8_t control;
    bool enabled, mailbox, master_writes;
    bool full;               // mailbox
    uint8_t bus, last, free; // indices of the three buffers: used by the bus, newest complete, third
    bool fresh;              // written completely since the application read it last
    bool was_read;           // a mailbox: read completely since the application checked last
} ff_ec_sm;

typedef struct ff_ec_fmmu {
    uint32_t logical;
    uint16_t length, physical;
    uint8_t start_bit, end_bit, physical_bit;
    uint8_t type; // 0: not active
    bool bytewise;
} ff_ec_fmmu;

/// Local clock and its control loop: local(now) = local + (now - now0) (1 + drift + rate).
typedef struct ff_ec_clock {
    uint64_t now0;
    uint64_t local;
    double fraction;    // of a nanosecond, beyond `local`
    double drift;       // of the oscillator
    double rate;        // correction by the loop
    double difference;  // filtered, local minus received  [ns]
    uint64_t written;   // time of the last write to the control loop; 0: never
    uint64_t latched;   // time of the frame whose receive times are latched
    uint64_t next_sync; // distributed time of the next Sync0  [ns]
    bool armed;         // next_sync is in the future
} ff_ec_clock;

typedef struct ff_ec_esc {
    ff_ec_fmmu fmmu[FF_EC_FMMUS];
    int nfmmu; // number of the last active one + 1
    ff_ec_sm sm[FF_EC_SMS];
    int nsm; // number of the last enabled one + 1
    ff_ec_clock clock;
    uint32_t arrival[FF_EC_PORTS]; // of a frame at each port, since it reached the first station  [ns]
    uint64_t watchdog;             // expiry of the process data watchdog; UINT64_MAX: it is stopped
    uint8_t *sii;                  // (FF_EC_SII_SIZE)
    unsigned work;                 // FF_EC_WORK_
    uint8_t memory[FF_EC_MEMORY];
} ff_ec_esc;

enum { // for the application, after the frame
    FF_EC_WORK_AL = 1,
    FF_EC_WORK_SM = 2, // registers of a sync manager changed
    FF_EC_WORK_MAILBOX = 4,
    FF_EC_WORK_OUTPUTS = 8,
    FF_EC_WORK_LATCH = 16, // receive times, readable from the next frame on
    FF_EC_WORK_LOOPS = 32, // DL control: ports were opened or closed
};

static inline uint16_t ff_ec_reg16(const ff_ec_esc *esc, int address)
{
    return ff_get_u16(esc->memory + address);
}
static inline uint32_t ff_ec_reg32(const ff_ec_esc *esc, int address)
{
    return ff_get_u32(esc->memory + address);
}

void ff_ec_esc_reset(ff_ec_esc *esc, uint64_t now);
/// A master's access at a physical address, at time `now` at this slave. @return whether any byte was accessible
bool ff_ec_esc_read(ff_ec_esc *esc, unsigned address, uint8_t *to, unsigned n, uint64_t now);
/// @param mask  bits to write of each byte; NULL: all
bool ff_ec_esc_write(ff_ec_esc *esc, unsigned address, const uint8_t *from, const uint8_t *mask, unsigned n,
                     uint64_t now);
/// Accesses the part of a logical datagram that FMMUs map. @return whether any byte was accessible
bool ff_ec_fmmu_write(ff_ec_esc *esc, uint32_t logical, const uint8_t *data, unsigned n, uint64_t now);
bool ff_ec_fmmu_read(ff_ec_esc *esc, uint32_t logical, uint8_t *data, unsigned n, uint64_t now);
void ff_ec_fmmu_decode(ff_ec_esc *esc);
/// Decodes the registers of a sync manager.
void ff_ec_sm_decode(ff_ec_esc *esc, int number);
void ff_ec_sm_set_full(ff_ec_esc *esc, int number, bool full);
/// The newest complete buffer written by the master, and the buffer for the next inputs.
const uint8_t *ff_ec_sm_outputs(ff_ec_esc *esc, int number);
uint8_t *ff_ec_sm_inputs(ff_ec_esc *esc, int number);
void ff_ec_sm_publish(ff_ec_esc *esc, int number);
/// Length of the memory area of a sync manager, from its start on.
unsigned ff_ec_sm_span(const ff_ec_sm *sm);
/// Can the register byte be written at present?
bool ff_ec_sm_writable(const ff_ec_esc *esc, unsigned address);
/// A master reads `n` bytes of the area. @return false: they are not accessible
bool ff_ec_sm_read(ff_ec_esc *esc, int number, unsigned address, uint8_t *to, unsigned n);
/// @return the bytes that a master may write; NULL: none. `*n` is reduced to the bytes of the buffer.
uint8_t *ff_ec_sm_open(ff_ec_esc *esc, int number, unsigned address, unsigned *n);
/// A master has written the bytes before `end`.
void ff_ec_sm_wrote(ff_ec_esc *esc, int number, unsigned end, uint64_t now);
/// Starts the process data watchdog, which a write to a sync manager triggers.
void ff_ec_sm_start_watchdog(ff_ec_esc *esc, uint64_t now);

/// Distributed time = local + offset - delay.
uint64_t ff_ec_clock_time(const ff_ec_esc *esc, uint64_t now);
void ff_ec_clock_reset(ff_ec_esc *esc, uint64_t now);
void ff_ec_clock_fill(ff_ec_esc *esc, uint64_t now);
void ff_ec_clock_written(ff_ec_esc *esc, unsigned address, unsigned end, uint64_t now);
/// Writes the receive times of the latched frame to their registers.
void ff_ec_clock_latch(ff_ec_esc *esc);
/// The next Sync0 that is due at `now`; false: none.
bool ff_ec_clock_sync0(ff_ec_esc *esc, uint64_t now, uint64_t *time);

void ff_ec_sii_command(ff_ec_esc *esc);
void ff_ec_sii_load(ff_ec_esc *esc);

// ------------------------------------------------------------------------------------------ the application

typedef struct ff_ec_pdo_object {
    uint8_t count;
    uint32_t maps[FF_EC_PDO_ENTRIES];
} ff_ec_pdo_object;

typedef struct ff_ec_assignment {
    uint8_t count;
    uint16_t pdos[FF_EC_PDOS];
} ff_ec_assignment;

typedef struct ff_ec_sync {
    uint8_t count;
    uint16_t mode;
    uint32_t cycle, shift;
    uint16_t modes;
    uint32_t least_cycle, copy_time, delay;
    uint16_t missed, too_small;
    uint8_t error;
} ff_ec_sync;

/// Communication objects of every device: the table of dictionary.c refers to these fields.
typedef struct ff_ec_common {
    uint32_t profile;
    uint8_t error;
    char name[64], hardware[16], software[16];
    uint8_t identity_count;
    uint32_t identity[4];
    ff_ec_pdo_object rx[FF_EC_PDOS], tx[FF_EC_PDOS];
    uint8_t sm_count;
    uint8_t sm_types[4];
    ff_ec_assignment assigned[2]; // outputs, inputs
    ff_ec_sync sync[2];
} ff_ec_common;

/// A mapped entry: position of its bits in the process data, address of its value.
typedef struct ff_ec_mapped {
    uint8_t *field;
    uint16_t bit;
    uint8_t bits, size;
} ff_ec_mapped;

typedef struct ff_ec_map {
    ff_ec_mapped entries[FF_EC_PDOS * FF_EC_PDO_ENTRIES];
    int count;
    unsigned bytes;
} ff_ec_map;

enum { FF_EC_OUT, FF_EC_IN }; // directions as seen by the master

/// In the device tables of the project: vendor and revision, and the rows of a struct.
#define FF_EC_OWN_DEVICE(type, rows)                                                                                   \
    .vendor = FF_EC_VENDOR, .revision = 1, .size = sizeof(type), .entries = (rows),                                    \
    .nentry = sizeof(rows) / sizeof *(rows)

/// Memory of the process data of a direction, with room for three buffers.
typedef struct ff_ec_area {
    uint16_t start, most; // of a buffer  [byte]
} ff_ec_area;

/// Objects of slaves with modules besides those of the modules (ETG.5001).
typedef struct ff_ec_modular {
    uint8_t profile_count;
    uint16_t distance, most; // F000
    uint8_t type_count;
    uint32_t types[FF_EC_MODULES]; // F010
    uint8_t ident_count;
    uint32_t idents[FF_EC_MODULES]; // F050
} ff_ec_modular;

/// A device merged from modules (modules.c): its rows, and the origin of each.
typedef struct ff_ec_origin {
    const ff_ec_entry *row; // of the module's own table
    int module;             // its number; FF_EC_MODULES: ff_ec_modular
} ff_ec_origin;
typedef struct ff_ec_merged {
    ff_ec_device device;
    ff_ec_entry *rows;
    ff_ec_origin *origins;
} ff_ec_merged;

typedef struct ff_ec_mailbox {
    uint8_t last_request;                               // counter of it; 0: none
    uint8_t counter;                                    // of the last response
    uint8_t answers[FF_EC_ANSWERS][FF_EC_MAILBOX_SIZE]; // a ring
    unsigned head, tail;                                // next to be read by the master, next free one
    bool head_in_mailbox;                               // the head is in the mailbox
    bool repeatable;                                    // the response before `head` may have been lost
} ff_ec_mailbox;

/// A transfer in segments, of either direction.
typedef struct ff_ec_transfer {
    enum { FF_EC_IDLE, FF_EC_DOWNLOAD, FF_EC_UPLOAD } direction;
    uint16_t index;
    uint8_t sub;
    bool complete; // access
    uint8_t toggle;
    unsigned size, done;
    uint8_t data[FF_EC_SDO_MOST];
} ff_ec_transfer;

typedef struct ff_ec_slave {
    ff_ec_esc esc;
    ff_ec_station station; // its device is the merged one if there are modules
    ff_ec_module modules[FF_EC_MODULES];
    int nmodule;          // 1: the station itself
    ff_ec_merged *merged; // NULL: the slave is a single device
    ff_ec_modular modular;
    ff_ec_common common;
    ff_ec_state state;
    ff_ec_map maps[2];
    bool outputs_seen;  // since SAFE-OP
    bool outputs_fresh; // since the last Sync0
    bool exchanged;     // outputs were received since the end of the last cycle
    int syncs_missed;   // consecutive
    bool bus_failed;    // it left OP by an error and has not returned
    bool ended;         // the robot has shut down
    uint8_t own_error;  // error register without bits of the bus
    ff_ec_mailbox mailbox;
    ff_ec_transfer transfer;
    uint8_t sii[FF_EC_SII_SIZE];
    uint32_t vendor;          // that of the device, or a forged one
    uint32_t revision;        // that of the device, and the variant of the station
    int parent, parent_port;  // -1: the master
    int child[FF_EC_PORTS];   // station at each port; -1: none
    bool broken[FF_EC_PORTS]; // cables
    bool reached;             // by frames
} ff_ec_slave;

struct ff_ec_segment {
    int count;
    int nroute;
    int *route; // stations in the order of a frame
    ff_ec_slave *slaves;
};

// AL
void ff_ec_al_request(ff_ec_slave *slave, uint64_t now);
void ff_ec_al_supervise(ff_ec_slave *slave);
/// The slave leaves its state because of an error.
void ff_ec_al_fail(ff_ec_slave *slave, ff_ec_state to, ff_ec_al_code code);

// mailbox
void ff_ec_mailbox_clear(ff_ec_slave *slave);
void ff_ec_mailbox_serve(ff_ec_slave *slave);
/// Buffer for a message to the master; ff_ec_mailbox_send writes its header. NULL: too many messages are waiting.
uint8_t *ff_ec_mailbox_begin(ff_ec_slave *slave);
void ff_ec_mailbox_send(ff_ec_slave *slave, unsigned length, unsigned type);
/// An error reply, FF_EC_MAILBOX_PROTOCOL and so on.
void ff_ec_mailbox_refuse(ff_ec_slave *slave, unsigned why);
/// Sends an emergency with the present error register. @return false: too many are waiting, or the state is INIT
bool ff_ec_mailbox_emergency(ff_ec_slave *slave, uint16_t code, const uint8_t data[5]);
void ff_ec_coe_request(ff_ec_slave *slave, const uint8_t *request, unsigned length);

// objects
typedef struct ff_ec_place {
    const ff_ec_entry *entry;
    uint8_t sub;
    uint8_t *field;
    unsigned size; // of the field, in memory
} ff_ec_place;

ff_ec_abort ff_ec_object_find(ff_ec_slave *slave, uint16_t index, uint8_t sub, ff_ec_place *place);
/// The row after `row`, or the first for NULL, of all objects in order; NULL at the end. Rows of one object are
/// consecutive.
const ff_ec_entry *ff_ec_object_next(const ff_ec_slave *slave, const ff_ec_entry *row);
/// Value of subindex 0, the highest subindex in use.
uint8_t ff_ec_object_last_sub(ff_ec_slave *slave, uint16_t index);
/// Encodes a value for the bus. @return its bytes
unsigned ff_ec_value_read(const ff_ec_place *place, uint8_t *to);
ff_ec_abort ff_ec_value_write(ff_ec_slave *slave, const ff_ec_place *place, const uint8_t *from, unsigned size);
unsigned ff_ec_entry_bits(const ff_ec_entry *entry);
void ff_ec_object_presets(ff_ec_slave *slave);
/// Checks a value for an object of the PDO mapping or assignment.
ff_ec_abort ff_ec_pdo_check(ff_ec_slave *slave, const ff_ec_place *place, uint32_t value);

/// Copies bits between any positions of two byte strings.
void ff_ec_copy_bits(uint8_t *to, unsigned to_bit, const uint8_t *from, unsigned from_bit, unsigned n);

// process data
/// Maps the assigned PDOs. @return false: the mapping is inconsistent
bool ff_ec_process_map(ff_ec_slave *slave, int direction);
void ff_ec_process_apply_outputs(ff_ec_slave *slave, uint64_t now);
void ff_ec_process_sample_inputs(ff_ec_slave *slave);
/// Is the object an output of the master at present?
bool ff_ec_process_is_output(const ff_ec_slave *slave, const uint8_t *field);

// modules
/// Merges the modules of a station. @return FF_OK; FF_BAD_ARGUMENT: they cannot be combined; FF_NO_MEMORY
ff_status ff_ec_modules_merge(ff_ec_slave *slave, int number, ff_error *err);
void ff_ec_merged_destroy(ff_ec_merged *merged);
/// Base address of the fields of a row.
uint8_t *ff_ec_modules_base(ff_ec_slave *slave, const ff_ec_entry *row);
// These functions call the behaviour of each module.
void ff_ec_modules_preset(ff_ec_slave *slave);
void ff_ec_modules_outputs(ff_ec_slave *slave, uint64_t now);
void ff_ec_modules_sync0(ff_ec_slave *slave, uint64_t time);
void ff_ec_modules_state(ff_ec_slave *slave, ff_ec_state from, ff_ec_state to, uint16_t code);
ff_ec_abort ff_ec_modules_check(ff_ec_slave *slave, const ff_ec_place *place, int64_t value);

// SII
/// Writes the EEPROM image. @return false: the data of the device exceed it
bool ff_ec_sii_build(ff_ec_slave *slave);
/// Checks the device table of a station, which is provided by the user.
ff_status ff_ec_device_check(const ff_ec_station *station, int number, ff_error *err);

ff_ec_area ff_ec_device_area(const ff_ec_device *device, int direction);
const ff_ec_pdo *ff_ec_device_pdos(const ff_ec_device *device, int direction);
/// Does the second PDO map other objects than the first? Otherwise it is an alternative to the first.
bool ff_ec_pdo_completes(const ff_ec_pdo *first, const ff_ec_pdo *second);
/// Index of the object 0x1600 and so on of a PDO of a table, and back; -1: there is none.
uint16_t ff_ec_pdo_index(int direction, int pdo);
int ff_ec_pdo_number(uint16_t index);
/// Is it assigned by default?
bool ff_ec_pdo_is_first(const ff_ec_pdo *pdos, int pdo);
/// Number of entries of a PDO of a table, and its length.
unsigned ff_ec_pdo_entries(const ff_ec_pdo *pdo);
unsigned ff_ec_pdo_bytes(const ff_ec_pdo *pdo);
/// The row of a mapped object, given by FF_EC_MAP; NULL: padding.
const ff_ec_entry *ff_ec_device_mapped(const ff_ec_device *device, uint32_t map);

// segment
/// Lets watchdogs expire that are due at `now`.
void ff_ec_segment_check_watchdogs(ff_ec_segment *segment, uint64_t now);
/// Handles the work that a frame has left to the applications.
void ff_ec_segment_serve(ff_ec_segment *segment, uint64_t now);

#endif
