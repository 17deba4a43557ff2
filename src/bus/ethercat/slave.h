// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A slave: its controller chip (esc: registers, memory, what the bus does by itself), and its application (AL state,
// mailbox, objects, process data). Frames touch the chip alone; `work` then says what the application has to look at
// once the frame has passed.
#ifndef FOOTFALL_ETHERCAT_SLAVE_H
#define FOOTFALL_ETHERCAT_SLAVE_H

#include "base/bytes.h"
#include "ethercat/registers.h"

#include <footfall/ethercat.h>

enum {
    FF_EC_FMMUS = 8,
    FF_EC_SMS = 8,
    FF_EC_RAM_KIB = 8,
    FF_EC_MEMORY = FF_EC_REG_END + FF_EC_RAM_KIB * 1024,
    FF_EC_PORTS = 4,
    FF_EC_SII_SIZE = 4096,
    FF_EC_SDO_MOST = 1024, // bytes of an object
    FF_EC_ANSWERS = 16,    // messages to the master that wait, the one that was read last included
    FF_EC_FRAME_MOST = 1514,
    FF_EC_OBJECTS_MOST = 800, // of a dictionary: their list fits into FF_EC_ANSWERS - 2 messages
};

// ------------------------------------------------------------------------------------------ the chip

/// A sync manager as its registers say, and the state of its buffer.
typedef struct ff_ec_sm {
    uint16_t start, length;
    uint8_t control;
    bool enabled, mailbox, master_writes;
    bool full;               // mailbox
    uint8_t bus, last, free; // three buffers: the one the bus uses, the newest complete one, the third
    bool fresh;              // written completely since the application looked
    bool was_read;           // mailbox, read completely since the application looked
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
    uint64_t written;   // when the loop was fed last; 0: never
    uint64_t latched;   // when a frame came whose receive times are wanted
    uint64_t next_sync; // distributed time of the next Sync0  [ns]
    bool armed;         // next_sync is still to come
} ff_ec_clock;

typedef struct ff_ec_esc {
    ff_ec_fmmu fmmu[FF_EC_FMMUS];
    int nfmmu; // beyond the last active one
    ff_ec_sm sm[FF_EC_SMS];
    int nsm; // beyond the last enabled one
    ff_ec_clock clock;
    uint32_t arrival[FF_EC_PORTS]; // of a frame at each port, after it reached the first station  [ns]
    uint64_t watchdog;             // when the process data watchdog expires; UINT64_MAX: it does not run
    uint8_t *sii;                  // (FF_EC_SII_SIZE)
    unsigned work;                 // FF_EC_WORK_
    uint8_t memory[FF_EC_MEMORY];
} ff_ec_esc;

enum { // for the application, after the frame
    FF_EC_WORK_AL = 1,
    FF_EC_WORK_SM = 2, // registers of a sync manager changed
    FF_EC_WORK_MAILBOX = 4,
    FF_EC_WORK_OUTPUTS = 8,
    FF_EC_WORK_LATCH = 16, // receive times, which can be read from the next frame on
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
/// The part of a logical datagram that FMMUs map. @return whether any byte was accessible
bool ff_ec_fmmu_write(ff_ec_esc *esc, uint32_t logical, const uint8_t *data, unsigned n, uint64_t now);
bool ff_ec_fmmu_read(ff_ec_esc *esc, uint32_t logical, uint8_t *data, unsigned n, uint64_t now);
void ff_ec_fmmu_decode(ff_ec_esc *esc);
/// Takes over the registers of a sync manager.
void ff_ec_sm_decode(ff_ec_esc *esc, int number);
void ff_ec_sm_set_full(ff_ec_esc *esc, int number, bool full);
/// Newest complete buffer that the master wrote, and the one the application may fill with inputs next.
const uint8_t *ff_ec_sm_outputs(ff_ec_esc *esc, int number);
uint8_t *ff_ec_sm_inputs(ff_ec_esc *esc, int number);
void ff_ec_sm_publish(ff_ec_esc *esc, int number);
void ff_ec_esc_start_watchdog(ff_ec_esc *esc, uint64_t now);

uint64_t ff_ec_clock_local(const ff_ec_clock *clock, uint64_t now);
/// Distributed time = local + offset - delay.
uint64_t ff_ec_clock_time(const ff_ec_esc *esc, uint64_t now);
void ff_ec_clock_reset(ff_ec_esc *esc, uint64_t now);
void ff_ec_clock_fill(ff_ec_esc *esc, uint64_t now);
void ff_ec_clock_written(ff_ec_esc *esc, unsigned address, unsigned end, uint64_t now);
/// Puts the receive times of the latched frame into their registers.
void ff_ec_clock_latch(ff_ec_esc *esc);
/// The next Sync0 that is due at `now`; false: none.
bool ff_ec_clock_sync0(ff_ec_esc *esc, uint64_t now, uint64_t *time);

void ff_ec_sii_command(ff_ec_esc *esc);
void ff_ec_sii_load(ff_ec_esc *esc);
uint8_t ff_ec_sii_checksum(const uint8_t *bytes);

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

/// Objects every device has: the table of dictionary.c points here.
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

/// A mapped entry: where its bits lie in the process data, where its value lies in memory.
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

enum { FF_EC_OUT, FF_EC_IN }; // directions, as the master sees them

/// Memory of the process data of a direction, with room for three buffers.
typedef struct ff_ec_area {
    uint16_t start, most; // of a buffer  [byte]
} ff_ec_area;

/// Objects that slaves of modules have beside those of the modules (ETG.5001).
typedef struct ff_ec_modular {
    uint8_t profile_count;
    uint16_t distance, most; // F000
    uint8_t type_count;
    uint32_t types[FF_EC_MODULES]; // F010
    uint8_t ident_count;
    uint32_t idents[FF_EC_MODULES]; // F050
} ff_ec_modular;

/// A device joined of modules (modules.c): its rows, and where each comes from.
typedef struct ff_ec_joined {
    ff_ec_device device;
    ff_ec_entry *rows;
    const ff_ec_entry **origins; // rows of the module's own table
    uint8_t *modules;            // number of the module; FF_EC_MODULES: ff_ec_modular
} ff_ec_joined;

typedef struct ff_ec_mailbox {
    uint8_t last_request;                               // counter of it; 0: none
    uint8_t counter;                                    // of our last answer
    uint8_t answers[FF_EC_ANSWERS][FF_EC_MAILBOX_SIZE]; // a ring
    unsigned head, tail;                                // next to be read by the master, next free one
    bool head_is_out;                                   // it lies in the mailbox
    bool repeatable;                                    // the one before `head` may have been lost on its way
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
    ff_ec_station station; // its device is the joined one where there are modules
    ff_ec_module modules[FF_EC_MODULES];
    int nmodule;          // 1: the station itself
    ff_ec_joined *joined; // NULL: it is one device
    ff_ec_modular modular;
    ff_ec_common common;
    ff_ec_state state;
    ff_ec_map maps[2];
    bool outputs_seen;  // since SAFE-OP
    bool outputs_fresh; // since the last Sync0
    bool exchanged;     // outputs came since the last cycle was over
    int syncs_missed;   // in a row
    bool bus_failed;    // it left OP by itself, and is not back
    bool ended;         // what it is part of has ended
    uint8_t own_error;  // error register without what the bus adds
    ff_ec_mailbox mailbox;
    ff_ec_transfer transfer;
    uint8_t sii[FF_EC_SII_SIZE];
    uint32_t vendor;          // that of the device, unless somebody forged it
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
/// The slave leaves its state by itself.
void ff_ec_al_fail(ff_ec_slave *slave, ff_ec_state to, ff_ec_al_code code);
/// The table of al.c: what a request leads to, without doing it.
ff_ec_al_code ff_ec_al_check(ff_ec_slave *slave, ff_ec_state from, unsigned to);

// mailbox
void ff_ec_mailbox_clear(ff_ec_slave *slave);
void ff_ec_mailbox_serve(ff_ec_slave *slave);
/// Room for a message to the master, its head to be filled by ff_ec_mailbox_send; NULL: too many wait.
uint8_t *ff_ec_mailbox_begin(ff_ec_slave *slave);
void ff_ec_mailbox_send(ff_ec_slave *slave, unsigned length, unsigned type);
/// An error reply, FF_EC_MAILBOX_PROTOCOL and so on.
void ff_ec_mailbox_refuse(ff_ec_slave *slave, unsigned why);
/// An emergency, with the error register as it is. @return false: too many wait, or the state is INIT
bool ff_ec_mailbox_emergency(ff_ec_slave *slave, uint16_t code, const uint8_t data[5]);
void ff_ec_coe_request(ff_ec_slave *slave, const uint8_t *request, unsigned length);
void ff_ec_coe_information(ff_ec_slave *slave, const uint8_t *request, unsigned length);

// objects
typedef struct ff_ec_place {
    const ff_ec_entry *entry;
    uint8_t sub;
    uint8_t *field;
    unsigned size; // of the field, in memory
} ff_ec_place;

ff_ec_abort ff_ec_object_find(ff_ec_slave *slave, uint16_t index, uint8_t sub, ff_ec_place *place);
/// Row after row of all objects, in order; NULL beyond the end. Rows of one object follow each other.
/// @param row  NULL: gives the first
const ff_ec_entry *ff_ec_object_next(const ff_ec_slave *slave, const ff_ec_entry *row);
/// Value of subindex 0, the greatest subindex in use.
uint8_t ff_ec_object_last_sub(ff_ec_slave *slave, uint16_t index);
bool ff_ec_object_is_pdo(uint16_t index);
/// Value as bytes of the bus. @return how many
unsigned ff_ec_value_read(const ff_ec_place *place, uint8_t *to);
ff_ec_abort ff_ec_value_write(ff_ec_slave *slave, const ff_ec_place *place, const uint8_t *from, unsigned size);
unsigned ff_ec_entry_bits(const ff_ec_entry *entry);
void ff_ec_object_presets(ff_ec_slave *slave);
/// Bits of a PDO as objects 0x1600 and 0x1A00 say now.
unsigned ff_ec_pdo_bits(const ff_ec_pdo_object *pdo);
/// Whether a value may be written to an object of the PDO mapping or assignment.
ff_ec_abort ff_ec_pdo_judge(ff_ec_slave *slave, const ff_ec_place *place, uint32_t value);

// process data
/// Lays out what is assigned. @return false where it is inconsistent
bool ff_ec_process_map(ff_ec_slave *slave, int direction);
void ff_ec_process_take(ff_ec_slave *slave, uint64_t now);
void ff_ec_process_sample(ff_ec_slave *slave);
/// Is the object an output of the master now?
bool ff_ec_process_is_output(const ff_ec_slave *slave, const uint8_t *field);

// modules
/// Joins the modules of a station. @return FF_OK; FF_BAD_ARGUMENT: they do not fit together; FF_NO_MEMORY
ff_status ff_ec_modules_join(ff_ec_slave *slave, int number, ff_error *err);
void ff_ec_joined_destroy(ff_ec_joined *joined);
/// Where the fields of a row lie.
uint8_t *ff_ec_modules_base(ff_ec_slave *slave, const ff_ec_entry *row);
// behaviour of each of them
void ff_ec_modules_preset(ff_ec_slave *slave);
void ff_ec_modules_outputs(ff_ec_slave *slave, uint64_t now);
void ff_ec_modules_sync0(ff_ec_slave *slave, uint64_t time);
void ff_ec_modules_state(ff_ec_slave *slave, ff_ec_state from, ff_ec_state to, uint16_t code);
ff_ec_abort ff_ec_modules_judge(ff_ec_slave *slave, const ff_ec_place *place, int64_t value);

// SII
/// Writes the image. @return false where the device has more than fits
bool ff_ec_sii_build(ff_ec_slave *slave);
/// Checks the device table of a station, which comes from outside.
ff_status ff_ec_device_check(const ff_ec_station *station, int number, ff_error *err);

ff_ec_area ff_ec_device_area(const ff_ec_device *device, int direction);
const ff_ec_pdo *ff_ec_device_pdos(const ff_ec_device *device, int direction);
/// Does a second PDO map other objects than the first? Else it is another choice.
bool ff_ec_pdo_completes(const ff_ec_pdo *first, const ff_ec_pdo *second);
/// Number of the object 0x1600 and so on of a PDO of a table, and back; -1: there is none.
uint16_t ff_ec_pdo_index(int direction, int pdo);
int ff_ec_pdo_number(uint16_t index);
/// Is it assigned at the start?
bool ff_ec_pdo_is_first(const ff_ec_pdo *pdos, int pdo);
/// How many entries a PDO of a table maps, and into how many bytes.
unsigned ff_ec_pdo_entries(const ff_ec_pdo *pdo);
unsigned ff_ec_pdo_bytes(const ff_ec_pdo *pdo);
/// The row that a number of the form FF_EC_MAP means; NULL: padding.
const ff_ec_entry *ff_ec_device_mapped(const ff_ec_device *device, uint32_t map);

// all of them
/// Who is reached by frames, and when.
void ff_ec_segment_route(ff_ec_segment *segment);
void ff_ec_segment_watch(ff_ec_segment *segment, uint64_t now);
/// What a frame left to be done.
void ff_ec_segment_serve(ff_ec_segment *segment, uint64_t now);

#endif
