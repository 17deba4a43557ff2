// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The master from inside. Work that is not cyclic consists of programs, tables of steps, which all slaves go through at
// the same time, each at its own pace: a frame carries the next datagram of each of them. A step asks by a datagram, or
// by a transfer of an object, and judges the answer.
//     master.c    ways from state to state, frames out and in
//     steps.c     programs of a slave: who it is, states, sync managers, mapping, what watches it
//     comeback.c  programs of a slave that has lost its power while the others work
//     clocks.c    programs of the distributed clocks; delays from the times at which a frame passed the ports
//     talk.c      the mailbox: a request there, its answer back, whatever gets lost
//     sdo.c       transfers of objects as requests and answers
//     image.c     process data: where they lie, the cyclic frames
//     events.c    what happens to slaves, in one line for many
//     eeprom.c    what an EEPROM says
//     plan.c      the ENI file
//     words.c     codes in words
#ifndef FOOTFALL_MASTER_INSIDE_H
#define FOOTFALL_MASTER_INSIDE_H

#include "base/bytes.h"
#include "ethercat/registers.h"
#include "master/frame.h"

enum {
    FF_MASTER_SLAVES = 256,   // at most
    FF_MASTER_EEPROM = 4096,  // bytes that are read of one
    FF_MASTER_MAPPED = 256,   // objects a direction
    FF_MASTER_MAILBOX = 1486, // bytes
    FF_MASTER_SMS = 8,
    FF_MASTER_SLOTS = 16,  // cyclic frames a direction
    FF_MASTER_EVENTS = 16, // that wait to be told
    FF_MASTER_PORTS = 4,
    FF_MASTER_OUT = 0,
    FF_MASTER_IN = 1,
    FF_MASTER_FIRST = 0x1001, // station address of the first slave
    FF_MASTER_NOBODY = -1,
};

/// A datagram that a step sends.
typedef struct ff_master_ask {
    uint8_t command;
    uint16_t adp, ado;
    unsigned n;
    uint8_t data[FF_MASTER_MAILBOX];
} ff_master_ask;

typedef enum ff_master_verdict {
    FF_VERDICT_NEXT,  // step
    FF_VERDICT_AGAIN, // the same, as long as there is time
    FF_VERDICT_STAY,  // the same for another object: the time begins anew
    FF_VERDICT_FAIL,  // `why` of the slave is set
} ff_master_verdict;

typedef struct ff_master_peer ff_master_peer;

/// One step of a program: a datagram (ask, take), or an object (prepare, told).
typedef struct ff_master_step {
    const char *what; // it fails in messages: "it does not change its state"; NULL: end of the program
    void (*ask)(ff_master_peer *p, ff_master_ask *a);
    ff_master_verdict (*take)(ff_master_peer *p, unsigned counter, const uint8_t *data); // NULL: on to the next one
    bool (*prepare)(ff_master_peer *p);           // sets p->sdo; false: nothing is left to do
    ff_master_verdict (*told)(ff_master_peer *p); // NULL: on to the next one
    bool (*applies)(const ff_master_peer *p);     // NULL: to every slave
    bool hears_silence;                           // `take` also gets a working counter of 0; else it is asked again
} ff_master_step;

typedef struct ff_sync_manager {
    uint16_t start, length;
    uint8_t control, type; // 1, 2 mailbox, 3 outputs, 4 inputs
} ff_sync_manager;

typedef struct ff_master_mapped {
    uint16_t index;
    uint8_t sub, bits;
} ff_master_mapped;

/// What an EEPROM says (eeprom.c).
typedef struct ff_eeprom {
    char name[FF_EC_NAME_MOST];
    uint32_t vendor, product, revision, serial;
    uint16_t mailbox[4]; // start and size for requests, start and size for answers
    bool coe;
    ff_sync_manager sms[FF_MASTER_SMS];
    int nsm;
    ff_master_mapped maps[2][FF_MASTER_MAPPED]; // PDOs that are assigned from the start
    int nmap[2];
    char modules[FF_EC_MODULES][FF_EC_NAME_MOST]; // names of PDOs 0x1600 + 0x10 n or 0x1A00 + 0x10 n
    int nmodule;                                  // 0: all PDOs belong to one device
} ff_eeprom;

/// Where the reading of a mapping is (steps.c).
typedef struct ff_map_cursor {
    int direction;
    int pdos, pdo; // how many; which, from 1 on
    uint16_t index;
    int entries, entry;
} ff_map_cursor;

typedef enum ff_talk_phase {
    FF_TALK_WRITE,
    FF_TALK_POLL,
    FF_TALK_READ,
    FF_TALK_REPEAT,
    FF_TALK_ACKNOWLEDGE
} ff_talk_phase;

/// The mailbox of a slave (talk.c).
typedef struct ff_master_talk {
    ff_talk_phase phase;
    bool waits;       // for the answer to a request; else whatever lies there is fetched
    bool written;     // the request is in the mailbox, or was
    uint8_t counter;  // of the last request
    uint8_t activate; // register of sync manager 1
    unsigned n;       // of the request, from the CoE head on
    uint8_t request[FF_MASTER_MAILBOX];
    bool toggle;   // of segments
    uint32_t done; // bytes of the object so far
} ff_master_talk;

struct ff_master_peer {
    ff_ec_found found; // what others see
    ff_ec_master *master;
    int number; // -1: all slaves
    // the program
    const ff_master_step *program; // NULL: none
    const ff_master_step *step;
    bool entered;      // the step has begun
    uint64_t deadline; // of the step
    int cursor;        // of the step
    char why[200];     // it failed
    // what it is
    uint8_t eeprom[FF_MASTER_EEPROM];
    unsigned eeprom_size, category; // bytes read; where the next category begins
    ff_eeprom says;
    ff_ec_planned planned;
    ff_master_mapped maps[2][FF_MASTER_MAPPED];
    int nmap[2];
    uint32_t laid[2]; // bytes it has in the images
    ff_map_cursor map;
    // talks
    ff_master_talk talk;
    ff_ec_sdo own;   // a transfer, also a copy of the caller's, who may forget it
    ff_ec_sdo *user; // of the caller, NULL: none
    ff_ec_sdo *sdo;  // &own, or NULL: the mailbox is only emptied
    // states
    uint8_t wanted;        // AL state
    bool told_left;        // that it left its state, or does not answer
    int comeback;          // program of its way back (comeback.c), from 1 on; 0: none
    int shown;             // station address that the slave in its place of the order shows; FF_MASTER_NOBODY
    int place;             // where it is looked for: number in the order of those that answer
    bool guessed;          // its EEPROM has to decide whether that is its place
    int guesses;           // so far
    uint32_t outputs_from; // number of an exchange of outputs that began in SAFE-OP
    char told_why[200];    // it cannot come back
    // clocks
    uint16_t links;                     // DL status
    uint32_t received[FF_MASTER_PORTS]; // times of a frame at the ports
    uint64_t unit;                      // and at the processing unit
    uint64_t anchor_unit;               // and at that of a slave whose clock is right
    uint64_t time;
};

/// A cyclic frame: a part of the image whose slaves lie in it as a whole.
typedef struct ff_master_slot {
    uint32_t offset, n;
    unsigned expected, counter; // working counter, and that which came
    ff_ec_frame frame;
    bool due, came, right;
    bool missed; // somebody did not take part in the last that came
} ff_master_slot;

typedef struct ff_cyclic {
    uint8_t *bytes;
    uint32_t size, logical; // where it begins
    ff_master_slot slots[FF_MASTER_SLOTS];
    int nslot;
    uint32_t sequence; // number of the exchange
} ff_cyclic;

/// What has happened, and to whom.
typedef struct ff_master_event {
    char text[200];
    uint8_t slaves[FF_MASTER_SLAVES / 8]; // a bit each
    int nslave;
} ff_master_event;

struct ff_ec_master_leg;

struct ff_ec_master {
    ff_ec_master_options options;
    uint64_t now;
    ff_ec_state wanted, state;
    char why[400];
    const struct ff_ec_master_leg *leg; // of the way that is gone; NULL: none
    ff_master_peer *peers, all;
    int count;
    // frames that are not cyclic: one at a time
    ff_ec_frame frame;
    int riders[FF_MASTER_SLAVES + 1]; // whose datagrams it carries
    int nrider;
    bool away;
    uint64_t sent_at;
    uint8_t index;
    int first;         // slave whose datagram comes first in the next frame
    uint64_t watch_at; // next time
    bool recounted;    // since a slave fell silent
    uint8_t states;    // AL states of all slaves together, in the last cycle
    int counted;       // slaves, when they were watched last
    int strangers_of;  // so many slaves there were when new ones were looked for; 0: none are
    int passed;        // known slaves before the place at which the next one is looked for
    ff_master_event events[FF_MASTER_EVENTS];
    int nevent;
    ff_cyclic images[2];
    int reference; // clock; -1: none
    uint64_t reference_time;
    ff_ec_master_counts counts;
};

// Programs. Each ends with a row of zeros.
extern const ff_master_step ff_program_count[], ff_program_identify[], ff_program_preop[], ff_program_safeop[],
    ff_program_op[], ff_program_down[], ff_program_watch[], ff_program_sdo[], ff_program_latch[],
    ff_program_clock_read[], ff_program_clock_write[], ff_program_recount[], ff_program_identify_again[],
    ff_program_clock_again[], ff_program_stranger[];

void ff_ask_read(ff_master_peer *p, ff_master_ask *a, uint16_t ado, unsigned n);
bool ff_master_all_answer(const ff_ec_master *m);
/// @return the data, zero
uint8_t *ff_ask_write(ff_master_peer *p, ff_master_ask *a, uint16_t ado, unsigned n);
/// @return FF_VERDICT_FAIL
ff_master_verdict ff_peer_fail(ff_master_peer *p, const char *format, ...);
/// Notes an event, to be told with those of others.
void ff_master_note(ff_master_peer *p, const char *format, ...);
void ff_master_note_foreign(ff_ec_master *m, const unsigned char source[6]);
void ff_master_note_doubled(ff_ec_master *m);
/// Somebody new is at m->all.place. @param why  it is not known who; NULL: m->all.says tells
void ff_master_tell_stranger(const ff_ec_master *m, const char *why);
/// Tells what has been noted.
void ff_master_tell(ff_ec_master *m);
/// "slave 4 'right_knee' (0x1004)".
void ff_master_print_slave(const ff_master_peer *p, char *to, size_t size);
/// Begins a program, from its first step on.
void ff_peer_run(ff_master_peer *p, const ff_master_step *program);

/// Somebody fell silent: where slaves are has to be asked anew.
void ff_comeback_forget_places(ff_ec_master *m);
/// Is it a slave that has to be configured anew?
bool ff_comeback_is_due(ff_master_peer *p);
/// Begins its way back, or goes on with it. @return false: it is at its end
bool ff_comeback_go_on(ff_master_peer *p);
/// It failed, with `why` of the slave: told once, and tried again later.
void ff_comeback_fail(ff_master_peer *p);

/// @return false with what is wrong in `why`
bool ff_eeprom_parse(ff_eeprom *e, const uint8_t *bytes, unsigned size, const char **why);
/// Where an assigned object lies; -1: nowhere  [bit]
int ff_mapped_find(const ff_master_mapped *maps, int n, uint16_t index, uint8_t sub);
unsigned ff_mapped_bits(const ff_master_mapped *maps, int n);

/// Begins to talk: p->sdo where there is one, else whatever lies in the mailbox is fetched.
void ff_master_talk_begin(ff_master_peer *p);
void ff_master_talk_ask(ff_master_peer *p, ff_master_ask *a);
/// @param counter  -1: the frame was lost
/// @return FF_VERDICT_NEXT: the transfer is over, or nothing lies there
ff_master_verdict ff_master_talk_take(ff_master_peer *p, int counter, const uint8_t *data);

typedef enum ff_sdo_progress { FF_SDO_GOES_ON, FF_SDO_OVER, FF_SDO_STRANGE } ff_sdo_progress;
/// Makes the first request of p->sdo.
void ff_sdo_begin(ff_master_peer *p);
/// Takes an answer, from the CoE head on, and makes the next request where it goes on.
ff_sdo_progress ff_sdo_take(ff_master_peer *p, const uint8_t *answer, unsigned n);

/// Delays and offsets of all clocks from the times that were read.
void ff_clocks_compute(ff_ec_master *m);

/// Lays out both images. @return false with the master's `why`
bool ff_cyclic_lay_out(ff_ec_master *m);
void ff_cyclic_begin(ff_ec_master *m, int direction);
size_t ff_cyclic_poll(ff_ec_master *m, unsigned char *bytes);
void ff_cyclic_take(ff_ec_master *m, int index, const unsigned char *bytes, size_t size);
ff_ec_exchange ff_cyclic_state(const ff_cyclic *image);

#endif
