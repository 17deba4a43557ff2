// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Internals of the master. Acyclic communication consists of programs, which are tables of steps. All slaves run
// through a program at the same time, each at its own pace: a frame carries the next datagram of each of them. A step
// sends a datagram, or transfers an object, and evaluates the answer.
//     master.c        sequences from state to state, steps of programs, frames to send and received
//     slave.c         functions that programs call for a slave: begin a program, fail, read and write registers
//     startup.c       programs of a slave: identity, states, sync managers, mapping, supervision
//     reconnect.c     programs of a slave that lost its power while the others are in OP
//     clocks.c        programs of the distributed clocks; delays from the times at which a frame passed the ports
//     mailbox.c       mailbox of a slave: SDO transfers as requests and responses, and their recovery from lost frames
//     frame.c         frames of the master
//     process_data.c  the images of outputs and inputs, the cyclic frames
//     event_log.c     events, in one line for all slaves concerned
//     sii.c           contents of an EEPROM
//     plan.c          the ENI file
//     codes.c         texts of codes
#ifndef FOOTFALL_MASTER_INTERNAL_H
#define FOOTFALL_MASTER_INTERNAL_H

#include "base/bytes.h"
#include "slave/registers.h"

#include <footfall/master.h>

enum {
    FF_MASTER_SLAVES_MAX = 256,
    FF_MASTER_EEPROM_MAX = 4096,  // bytes read from an EEPROM
    FF_MASTER_MAPPED_MAX = 256,   // objects a direction
    FF_MASTER_MAILBOX_MAX = 1486, // bytes
    FF_MASTER_SYNC_MANAGERS_MAX = 8,
    FF_MASTER_FRAMES_MAX = 16, // cyclic frames a direction
    FF_MASTER_EVENTS_MAX = 16, // that wait to be logged
    FF_MASTER_PORTS = 4,
    FF_MASTER_OUT = 0,
    FF_MASTER_IN = 1,
    FF_MASTER_FIRST_STATION = 0x1001, // station address of the first slave
    FF_MASTER_NONE = -1,
};

// ------------------------------------------------------------------------------------------ frames

// Datagrams are appended to a frame, and found again in the frame that returns. A frame answers another only if all
// headers agree: command, index, register or logical address, length, more.
typedef struct ff_ec_frame {
    uint8_t bytes[FF_EC_PACKET_MAX];
    unsigned end;  // offset of the end of the datagrams
    unsigned last; // offset of the last datagram; 0: none
} ff_ec_frame;

/// @param source  MAC address of the master
void ff_ec_frame_begin(ff_ec_frame *frame, const unsigned char source[6]);
/// Adds a datagram with zero data. @param address  ADP and ADO, or a logical one
/// @return its data  (n); NULL: no room
uint8_t *ff_ec_frame_add(ff_ec_frame *frame, unsigned command, uint8_t index, uint32_t address, unsigned n);
/// Sets the length. @return bytes to send
size_t ff_ec_frame_finish(ff_ec_frame *frame);

/// Address of a register by position or station (ADP), or of all slaves (0).
static inline uint32_t ff_ec_physical(uint16_t adp, uint16_t ado)
{
    return adp | (uint32_t)ado << 16;
}

/// Was it sent by the master with this address? The first slave sets bit 1 of the first byte.
bool ff_ec_frame_is_from(const unsigned char *bytes, const unsigned char source[6]);
/// Index of the first datagram of an EtherCAT frame. @return -1: it is none
int ff_ec_frame_index(const unsigned char *bytes, size_t size);
/// Does a received frame answer this one?
bool ff_ec_frame_answers(const ff_ec_frame *sent, const unsigned char *received, size_t size);

/// Iterator over the datagrams of a received frame. Begin with `at` 0.
typedef struct ff_ec_reply {
    unsigned at; // offset of the next one
    const uint8_t *data;
    unsigned n;
    unsigned counter; // working counter
} ff_ec_reply;
bool ff_ec_reply_next(ff_ec_reply *reply, const unsigned char *received);

// ------------------------------------------------------------------------------------------ slaves

/// A datagram that a step sends.
typedef struct ff_master_datagram {
    uint8_t command;
    uint16_t adp, ado;
    unsigned n;
    uint8_t data[FF_MASTER_MAILBOX_MAX];
} ff_master_datagram;

typedef enum ff_step_result {
    FF_STEP_NEXT,   // go to the next step
    FF_STEP_RETRY,  // send the datagram again, until the step times out
    FF_STEP_REPEAT, // run the step for another object, with a fresh timeout
    FF_STEP_FAIL,   // `error` of the slave is set
} ff_step_result;

typedef struct ff_master_slave ff_master_slave;

/// How a step addresses its slave: by its station address, or by a position on the wire.
typedef enum ff_addressing { FF_BY_STATION, FF_BY_NUMBER, FF_BY_POSITION } ff_addressing;

/// One step of a program: it reads `n` bytes of registers from `ado` on, or sends another datagram (request), and
/// handles the answer; or it transfers an object (prepare, complete).
typedef struct ff_master_step {
    const char *error; // message of a timeout: "it does not change its state"; NULL: end of the program
    uint16_t ado, n;
    void (*request)(ff_master_slave *p, ff_master_datagram *a);
    ff_addressing by;
    int times; // the step is run for p->cursor from 0 to times - 1; 0: once
    ff_step_result (*handle)(ff_master_slave *p, const uint8_t *data); // NULL: FF_STEP_NEXT
    bool (*prepare)(ff_master_slave *p);                               // sets p->sdo; false: no object is left
    ff_step_result (*complete)(ff_master_slave *p);                    // NULL: FF_STEP_NEXT
    bool (*applies)(const ff_master_slave *p);                         // NULL: to every slave
    bool accepts_no_answer; // `handle` also gets a working counter of 0; else: retry
} ff_master_step;

typedef struct ff_sync_manager {
    uint16_t start, length;
    uint8_t control, type; // 1, 2 mailbox, 3 outputs, 4 inputs
} ff_sync_manager;

typedef struct ff_master_mapped {
    uint16_t index;
    uint8_t sub, bits;
} ff_master_mapped;

/// Contents of an EEPROM (sii.c).
typedef struct ff_sii {
    char name[FF_EC_NAME_MAX];
    uint32_t vendor, product, revision, serial;
    uint16_t mailbox[4]; // start and size for requests, start and size for responses
    bool coe;
    ff_sync_manager sms[FF_MASTER_SYNC_MANAGERS_MAX];
    int nsm;
    ff_master_mapped maps[2][FF_MASTER_MAPPED_MAX]; // of the PDOs that are assigned by default
    int nmap[2];
    char modules[FF_EC_MODULES][FF_EC_NAME_MAX]; // names of PDOs 0x1600 + 0x10 n or 0x1A00 + 0x10 n
    int nmodule;                                 // 0: all PDOs belong to one device
} ff_sii;

/// Progress of reading a PDO mapping (startup.c).
typedef struct ff_map_cursor {
    int direction;
    int pdos, pdo; // their number; the present one, from 1 on
    uint16_t index;
    int entries, entry;
} ff_map_cursor;

typedef enum ff_mailbox_phase {
    FF_MAILBOX_WRITE,
    FF_MAILBOX_POLL,
    FF_MAILBOX_READ,
    FF_MAILBOX_REPEAT,
    FF_MAILBOX_ACKNOWLEDGE
} ff_mailbox_phase;

/// The mailbox of a slave (mailbox.c).
typedef struct ff_master_mailbox {
    ff_mailbox_phase phase;
    bool waiting;         // for the response to a request; else unread messages are fetched
    bool request_written; // the slave has received the request
    uint8_t counter;      // of the last request
    uint8_t activate;     // register of sync manager 1
    unsigned n;           // bytes of the request, from the CoE header on
    uint8_t request[FF_MASTER_MAILBOX_MAX];
    bool toggle;   // of segments
    uint32_t done; // bytes of the object so far
} ff_master_mailbox;

struct ff_master_slave {
    ff_ec_slave_info info; // its public part
    ff_ec_master *master;
    int number; // -1: all slaves, by broadcast
    // the program
    const ff_master_step *program; // NULL: none
    const ff_master_step *step;
    bool entered;             // the step has begun
    uint64_t deadline;        // of the step
    int cursor;               // of the step
    unsigned working_counter; // of the answer: how many slaves have handled the datagram
    char error[200];          // of the program that failed
    // identity and configuration
    uint8_t eeprom[FF_MASTER_EEPROM_MAX];
    unsigned eeprom_size, category; // bytes read; offset of the next category
    ff_sii sii;
    ff_ec_slave_config config;
    ff_master_mapped maps[2][FF_MASTER_MAPPED_MAX];
    int nmap[2];
    uint32_t image_bytes[2]; // its part of the images when they were laid out
    ff_map_cursor map;
    // mailbox
    ff_master_mailbox mailbox;
    ff_ec_sdo transfer;  // of a step, or a copy of user_sdo, which the caller may cancel
    ff_ec_sdo *user_sdo; // of the caller; NULL: none
    ff_ec_sdo *sdo;      // &transfer; NULL: the mailbox is only emptied
    // states
    uint8_t requested;       // AL state
    bool loss_reported;      // it was logged that the slave left its state or does not answer
    int reconnect;           // number of the program of reconnect.c, from 1 on; 0: none
    int address_seen;        // station address of the slave at the position `number`; FF_MASTER_NONE
    int position;            // where it is searched for, among the slaves that answer
    bool position_uncertain; // its EEPROM has to confirm the position
    int attempts;            // at uncertain positions so far
    uint32_t outputs_from;   // number of an exchange of outputs that began in SAFE-OP
    char last_reason[200];   // why it could not be reconnected, as logged last
    // clocks
    uint16_t links;                     // DL status
    uint32_t received[FF_MASTER_PORTS]; // receive times of a frame at the ports
    uint64_t local_time;                // and at the processing unit
    uint64_t anchor_time;               // and at the processing unit of a slave whose clock is right
    uint64_t time;
};

/// A cyclic frame: a part of the image that contains whole slaves.
typedef struct ff_cyclic_frame {
    uint32_t offset, n;
    unsigned expected, counter; // working counters
    ff_ec_frame frame;
    bool due, received, complete;
    bool was_incomplete; // the last one that was received
} ff_cyclic_frame;

/// The image of one direction.
typedef struct ff_cyclic {
    uint8_t *bytes;
    uint32_t size, logical; // its logical address
    ff_cyclic_frame frames[FF_MASTER_FRAMES_MAX];
    int nframe;
    uint32_t sequence; // number of the exchange
} ff_cyclic;

/// An event, and the slaves it concerns.
typedef struct ff_master_event {
    char text[200];
    uint8_t slaves[FF_MASTER_SLAVES_MAX / 8]; // a bit each
    int nslave;
} ff_master_event;

struct ff_master_phase;

struct ff_ec_master {
    ff_ec_master_options options;
    uint64_t now;
    ff_ec_state requested, state;
    char error[400];
    const struct ff_master_phase *phase; // of the sequence in progress; NULL: none
    ff_master_slave *slaves, all;        // `all` runs the programs by broadcast
    int count;
    // acyclic frames: one at a time
    ff_ec_frame frame;
    int senders[FF_MASTER_SLAVES_MAX + 1]; // slaves whose datagrams it carries
    int nsender;
    bool in_flight;
    uint64_t sent_at;
    uint8_t index;
    int first;           // slave whose datagram comes first in the next frame
    uint64_t next_watch; // time at which slaves are polled next
    bool recounted;      // since a slave fell silent
    uint8_t states;      // AL states of all slaves, combined by OR, in the last cycle
    int last_count;      // slaves that answered when they were polled last
    int searched_count;  // slaves that answered when new ones were searched for; 0: none are searched for
    int known_before;    // known slaves before the position at which a new one is searched for
    ff_master_event events[FF_MASTER_EVENTS_MAX];
    int nevent;
    ff_cyclic images[2];
    int reference; // slave with the reference clock; -1: none
    uint64_t reference_time;
    ff_ec_master_counts counts;
};

// ------------------------------------------------------------------------------------------ programs

// Each ends with a row of zeros.
extern const ff_master_step ff_program_count[], ff_program_identify[], ff_program_preop[], ff_program_safeop[],
    ff_program_op[], ff_program_down[], ff_program_watch[], ff_program_sdo[], ff_program_latch[],
    ff_program_clock_read[], ff_program_clock_write[], ff_program_recount[], ff_program_reidentify[],
    ff_program_restore_clock[], ff_program_unknown_slave[];

/// Begins a program at its first step.
void ff_slave_run(ff_master_slave *p, const ff_master_step *program);
void ff_request_read(ff_master_slave *p, ff_master_datagram *a, uint16_t ado, unsigned n);
/// @return the data, zero
uint8_t *ff_request_write(ff_master_slave *p, ff_master_datagram *a, uint16_t ado, unsigned n);
/// @return FF_STEP_FAIL
ff_step_result ff_slave_fail(ff_master_slave *p, const char *format, ...);
/// Length of the process data of a slave in a direction.
static inline unsigned ff_slave_bytes(const ff_master_slave *p, int direction)
{
    return direction == FF_MASTER_OUT ? p->info.out_bytes : p->info.in_bytes;
}
bool ff_slaves_all_answer(const ff_ec_master *m);
/// Discards the positions of slaves, which are read again after a slave has fallen silent.
void ff_slaves_forget_positions(ff_ec_master *m);

/// Must a slave be configured again?
bool ff_reconnect_is_due(ff_master_slave *p);
/// Begins or continues the reconnection of a slave. @return false: it is finished
bool ff_reconnect_continue(ff_master_slave *p);
/// A program of the reconnection failed: its error is logged once, and the slave is tried again later.
void ff_reconnect_fail(ff_master_slave *p);

// ------------------------------------------------------------------------------------------ event log

/// Adds an event; the same event of several slaves gives one line.
void ff_event_log_add(ff_master_slave *p, const char *format, ...);
void ff_event_log_foreign_frame(ff_ec_master *m, const unsigned char source[6]);
void ff_event_log_duplicate_frame(ff_ec_master *m);
/// Logs an unknown slave at m->all.position. @param why  its EEPROM could not be read; NULL: m->all.sii identifies it
void ff_event_log_unknown_slave(const ff_ec_master *m, const char *why);
/// Logs the events that were added.
void ff_event_log_flush(ff_ec_master *m);
/// "slave 4 'right_knee' (0x1004)".
void ff_master_print_slave(const ff_master_slave *p, char *to, size_t size);

// ------------------------------------------------------------------------------------------ EEPROM and mapping

/// @return false with the problem in `why`
bool ff_sii_parse(ff_sii *e, const uint8_t *bytes, unsigned size, const char **why);
/// Position of an object in a mapping; -1: it is not mapped  [bit]
int ff_mapped_find(const ff_master_mapped *maps, int n, uint16_t index, uint8_t sub);
unsigned ff_mapped_bits(const ff_master_mapped *maps, int n);

// ------------------------------------------------------------------------------------------ mailbox

/// Begins the transfer p->sdo, or without one fetches unread messages.
void ff_mailbox_begin(ff_master_slave *p);
void ff_mailbox_request(ff_master_slave *p, ff_master_datagram *a);
/// @param counter  -1: the frame was lost
/// @return FF_STEP_NEXT: the transfer is finished, or the mailbox is empty
ff_step_result ff_mailbox_handle(ff_master_slave *p, int counter, const uint8_t *data);

// ------------------------------------------------------------------------------------------ clocks, process data

/// Delays and offsets of all clocks from the receive times. @return true, as any phase that succeeds
bool ff_clocks_compute(ff_ec_master *m);

/// Lays out both images. @return false with the error of the master
bool ff_cyclic_lay_out(ff_ec_master *m);
void ff_cyclic_begin(ff_ec_master *m, int direction);
size_t ff_cyclic_poll(ff_ec_master *m, unsigned char *bytes);
void ff_cyclic_handle(ff_ec_master *m, int index, const unsigned char *bytes, size_t size);
ff_ec_exchange ff_cyclic_state(const ff_cyclic *image);

#endif
