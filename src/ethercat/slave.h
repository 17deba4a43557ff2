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
    EC_FMMUS = 8,
    EC_SMS = 8,
    EC_RAM_KIB = 8,
    EC_MEMORY = EC_REG_END + EC_RAM_KIB * 1024,
    EC_PORTS = 4,
    EC_SII_SIZE = 2048,
    EC_SDO_MOST = 1024, // bytes of an object
    EC_ANSWERS = 8,     // messages to the master that wait, the one that was read last included
    EC_FRAME_MOST = 1514,
    EC_OBJECTS_MOST = 300, // of a dictionary: their list fits into EC_ANSWERS - 2 messages
};

// ------------------------------------------------------------------------------------------ the chip

/// A sync manager as its registers say, and the state of its buffer.
typedef struct ec_sm {
    uint16_t start, length;
    uint8_t control;
    bool enabled, mailbox, master_writes;
    bool full;               // mailbox
    uint8_t bus, last, free; // three buffers: the one the bus uses, the newest complete one, the third
    bool fresh;              // written completely since the application looked
    bool was_read;           // mailbox, read completely since the application looked
} ec_sm;

typedef struct ec_fmmu {
    uint32_t logical;
    uint16_t length, physical;
    uint8_t start_bit, end_bit, physical_bit;
    uint8_t type; // 0: not active
    bool bytewise;
} ec_fmmu;

/// Local clock and its control loop: local(now) = local + (now - now0) (1 + drift + rate).
typedef struct ec_clock {
    uint64_t now0;
    uint64_t local;
    double fraction;    // of a nanosecond, beyond `local`
    double drift;       // of the oscillator
    double rate;        // correction by the loop
    double difference;  // filtered, local minus received  [ns]
    uint64_t written;   // when the loop was fed last; 0: never
    uint64_t next_sync; // distributed time of the next Sync0  [ns]
    bool armed;         // next_sync is still to come
} ec_clock;

typedef struct ec_esc {
    ec_fmmu fmmu[EC_FMMUS];
    int nfmmu; // beyond the last active one
    ec_sm sm[EC_SMS];
    int nsm; // beyond the last enabled one
    ec_clock clock;
    uint32_t arrival[EC_PORTS]; // of a frame at each port, after it reached the first station  [ns]
    uint64_t watchdog;          // when the process data watchdog expires; UINT64_MAX: it does not run
    uint8_t *sii;               // (EC_SII_SIZE)
    unsigned work;              // EC_WORK_
    uint8_t memory[EC_MEMORY];
} ec_esc;

enum { // for the application, after the frame
    EC_WORK_AL = 1,
    EC_WORK_SM = 2, // registers of a sync manager changed
    EC_WORK_MAILBOX = 4,
    EC_WORK_OUTPUTS = 8,
    EC_WORK_LOOPS = 16, // DL control: ports were opened or closed
};

static inline uint16_t ec_reg16(const ec_esc *esc, int address)
{
    return ff_get_u16(esc->memory + address);
}
static inline uint32_t ec_reg32(const ec_esc *esc, int address)
{
    return ff_get_u32(esc->memory + address);
}

void ec_esc_reset(ec_esc *esc, uint64_t now);
/// A master's access at a physical address, at time `now` at this slave. @return whether any byte was accessible
bool ec_esc_read(ec_esc *esc, unsigned address, uint8_t *to, unsigned n, uint64_t now);
/// @param mask  bits to write of each byte; NULL: all
bool ec_esc_write(ec_esc *esc, unsigned address, const uint8_t *from, const uint8_t *mask, unsigned n, uint64_t now);
/// The part of a logical datagram that FMMUs map. @return whether any byte was accessible
bool ec_fmmu_write(ec_esc *esc, uint32_t logical, const uint8_t *data, unsigned n, uint64_t now);
bool ec_fmmu_read(ec_esc *esc, uint32_t logical, uint8_t *data, unsigned n, uint64_t now);
void ec_fmmu_decode(ec_esc *esc);
/// Takes over the registers of a sync manager.
void ec_sm_decode(ec_esc *esc, int number);
void ec_sm_set_full(ec_esc *esc, int number, bool full);
/// Newest complete buffer that the master wrote, and the one the application may fill with inputs next.
const uint8_t *ec_sm_outputs(ec_esc *esc, int number);
uint8_t *ec_sm_inputs(ec_esc *esc, int number);
void ec_sm_publish(ec_esc *esc, int number);
void ec_esc_start_watchdog(ec_esc *esc, uint64_t now);

uint64_t ec_clock_local(const ec_clock *clock, uint64_t now);
/// Distributed time = local + offset - delay.
uint64_t ec_clock_time(const ec_esc *esc, uint64_t now);
void ec_clock_reset(ec_esc *esc, uint64_t now);
void ec_clock_fill(ec_esc *esc, uint64_t now);
void ec_clock_written(ec_esc *esc, unsigned address, unsigned end, uint64_t now);
/// The next Sync0 that is due at `now`; false: none.
bool ec_clock_sync0(ec_esc *esc, uint64_t now, uint64_t *time);

void ec_sii_command(ec_esc *esc);
void ec_sii_load(ec_esc *esc);
uint8_t ec_sii_checksum(const uint8_t *bytes);

// ------------------------------------------------------------------------------------------ the application

typedef struct ec_pdo {
    uint8_t count;
    uint32_t maps[FF_EC_PDO_ENTRIES];
} ec_pdo;

typedef struct ec_assignment {
    uint8_t count;
    uint16_t pdos[FF_EC_PDOS];
} ec_assignment;

typedef struct ec_sync {
    uint8_t count;
    uint16_t mode;
    uint32_t cycle, shift;
    uint16_t modes;
    uint32_t least_cycle, copy_time, delay;
    uint16_t missed, too_small;
    uint8_t error;
} ec_sync;

/// Objects every device has: the table of dictionary.c points here.
typedef struct ec_common {
    uint32_t profile;
    uint8_t error;
    char name[64], hardware[16], software[16];
    uint8_t identity_count;
    uint32_t identity[4];
    ec_pdo rx[FF_EC_PDOS], tx[FF_EC_PDOS];
    uint8_t sm_count;
    uint8_t sm_types[4];
    ec_assignment assigned[2]; // outputs, inputs
    ec_sync sync[2];
} ec_common;

/// A mapped entry: where its bits lie in the process data, where its value lies in memory.
typedef struct ec_mapped {
    uint8_t *field;
    uint16_t bit;
    uint8_t bits, size;
} ec_mapped;

typedef struct ec_map {
    ec_mapped entries[FF_EC_PDOS * FF_EC_PDO_ENTRIES];
    int count;
    unsigned bytes;
} ec_map;

enum { EC_OUT, EC_IN }; // directions, as the master sees them

typedef struct ec_mailbox {
    uint8_t last_request;                         // counter of it; 0: none
    uint8_t counter;                              // of our last answer
    uint8_t answers[EC_ANSWERS][EC_MAILBOX_SIZE]; // a ring
    unsigned head, tail;                          // next to be read by the master, next free one
    bool head_is_out;                             // it lies in the mailbox
    bool repeatable;                              // the one before `head` may have been lost on its way
} ec_mailbox;

/// A transfer in segments, of either direction.
typedef struct ec_transfer {
    enum { EC_IDLE, EC_DOWNLOAD, EC_UPLOAD } direction;
    uint16_t index;
    uint8_t sub;
    bool complete; // access
    uint8_t toggle;
    unsigned size, done;
    uint8_t data[EC_SDO_MOST];
} ec_transfer;

typedef struct ec_slave {
    ec_esc esc;
    ff_ec_station station;
    ff_ec_behaviour behaviour;
    ec_common common;
    ff_ec_state state;
    ec_map maps[2];
    bool outputs_seen;  // since SAFE-OP
    bool outputs_fresh; // since the last Sync0
    int syncs_missed;   // in a row
    ec_mailbox mailbox;
    ec_transfer transfer;
    uint8_t sii[EC_SII_SIZE];
    int parent, parent_port; // -1: the master
    int child[EC_PORTS];     // station at each port; -1: none
    bool broken[EC_PORTS];   // cables
    bool reached;            // by frames
} ec_slave;

struct ff_ec_segment {
    int count;
    int nroute;
    int *route; // stations in the order of a frame
    ec_slave *slaves;
};

// AL
void ec_al_request(ec_slave *slave, uint64_t now);
void ec_al_supervise(ec_slave *slave);
/// The slave leaves its state by itself.
void ec_al_fail(ec_slave *slave, ff_ec_state to, ec_al_code code);
/// The table of al.c: what a request leads to, without doing it.
ec_al_code ec_al_check(ec_slave *slave, ff_ec_state from, unsigned to);

// mailbox
void ec_mailbox_clear(ec_slave *slave);
void ec_mailbox_serve(ec_slave *slave);
/// Room for a message to the master, its head to be filled by ec_mailbox_send; NULL: too many wait.
uint8_t *ec_mailbox_begin(ec_slave *slave);
void ec_mailbox_send(ec_slave *slave, unsigned length, unsigned type);
/// An error reply, EC_MAILBOX_PROTOCOL and so on.
void ec_mailbox_refuse(ec_slave *slave, unsigned why);
void ec_coe_request(ec_slave *slave, const uint8_t *request, unsigned length);
void ec_coe_information(ec_slave *slave, const uint8_t *request, unsigned length);

// objects
typedef struct ec_place {
    const ff_ec_entry *entry;
    uint8_t sub;
    uint8_t *field;
    unsigned size; // of the field, in memory
} ec_place;

ec_abort ec_object_find(ec_slave *slave, uint16_t index, uint8_t sub, ec_place *place);
/// Row after row of all objects, in order; NULL beyond the end. Rows of one object follow each other.
/// @param row  NULL: gives the first
const ff_ec_entry *ec_object_next(const ec_slave *slave, const ff_ec_entry *row);
/// Value of subindex 0, the greatest subindex in use.
uint8_t ec_object_last_sub(ec_slave *slave, uint16_t index);
bool ec_object_is_pdo(uint16_t index);
/// Value as bytes of the bus. @return how many
unsigned ec_value_read(const ec_place *place, uint8_t *to);
ec_abort ec_value_write(ec_slave *slave, const ec_place *place, const uint8_t *from, unsigned size);
unsigned ec_entry_bits(const ff_ec_entry *entry);
void ec_object_presets(ec_slave *slave);
/// Bits of a PDO as objects 0x1600 and 0x1A00 say now.
unsigned ec_pdo_bits(const ec_pdo *pdo);
/// Whether a value may be written to an object of the PDO mapping or assignment.
ec_abort ec_pdo_judge(ec_slave *slave, const ec_place *place, uint32_t value);

// process data
/// Lays out what is assigned. @return false where it is inconsistent
bool ec_process_map(ec_slave *slave, int direction);
void ec_process_take(ec_slave *slave, uint64_t now);
void ec_process_sample(ec_slave *slave);
/// Is the object an output of the master now?
bool ec_process_is_output(const ec_slave *slave, const uint8_t *field);

// SII
/// Writes the image. @return false where the device has more than fits
bool ec_sii_build(ec_slave *slave);
/// Checks the device table of a station, which comes from outside.
ff_status ec_device_check(const ff_ec_station *station, int number, ff_error *err);

/// How many entries a PDO of a table maps, and into how many bytes.
unsigned ec_pdo_entries(const ff_ec_pdo *pdo);
unsigned ec_pdo_bytes(const ff_ec_pdo *pdo);
/// The row that a number of the form FF_EC_MAP means; NULL: padding.
const ff_ec_entry *ec_device_mapped(const ff_ec_device *device, uint32_t map);

// all of them
/// Who is reached by frames, and when.
void ec_segment_route(ff_ec_segment *segment);
void ec_segment_watch(ff_ec_segment *segment, uint64_t now);
/// What a frame left to be done.
void ec_segment_serve(ff_ec_segment *segment, uint64_t now);

#endif
