// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A small EtherCAT master as pure code: frames out, frames in, time as an argument. It finds the slaves of a segment,
// checks what they are, configures and synchronises them, brings them to OP, exchanges process data, and says in words
// what is wrong. It never waits: mailboxes talk while process data flow. The room master; docs/ethercat.md is its
// manual.
//
//     ff_ec_master *master = ff_ec_master_create(NULL, &err);
//     ff_ec_master_request(master, FF_EC_OP);
//     for (;;) {
//         ff_ec_master_read(master);                        // asks for all inputs
//         ff_ec_master_write(master, outputs);              // and gives all outputs
//         while ((size = ff_ec_master_poll(master, now, bytes)) > 0) send(bytes, size);
//         while ((size = receive(bytes)) > 0) ff_ec_master_take(master, now, bytes, size);
//         if (ff_ec_master_is_read(master) == FF_EC_SOUND) ... ff_ec_master_inputs(master) ...
//     }
//
// Inputs and outputs travel in datagrams of their own (LRD, LWR), so that a controller can act on the inputs of its own
// cycle. Whether slaves are virtual (footfall/ethercat.h) or real makes no difference. Numbers follow ETG.1000.4,
// ETG.1000.6, ETG.2010 and CiA 301. Times are in ns of one clock of the caller, which never runs backwards.
#ifndef FOOTFALL_MASTER_H
#define FOOTFALL_MASTER_H

#include <footfall/ethercat.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    FF_EC_PACKET_MOST = 1514, // bytes of a frame, without checksum
    FF_EC_NAME_MOST = 64,     // of a slave
    FF_EC_SETTINGS_MOST = 64, // of a slave: tools write each entry of each PDO of a drive
    FF_EC_OBJECT_MOST = 1024, // bytes of an object
};

// ------------------------------------------------------------------------------------------ what is expected

/// A write to an object in PRE-OP, before the mapping is read.
typedef struct ff_ec_setting {
    uint16_t index;
    uint8_t sub;
    bool complete; // access to all of the object, from subindex `sub` on
    unsigned char data[128];
    int n; // bytes
} ff_ec_setting;

/// What a slave must be.
typedef struct ff_ec_planned {
    char name[FF_EC_NAME_MOST]; // it is called so, whatever its EEPROM says
    uint32_t vendor, product, revision;
    int out_bits, in_bits; // of its process data
    ff_ec_setting settings[FF_EC_SETTINGS_MOST];
    int nsetting;
} ff_ec_planned;

/// The slaves of a segment in their order.
typedef struct ff_ec_plan {
    ff_ec_planned *slaves;
    int count;
} ff_ec_plan;

/// Reads a network description (ENI, ETG.2100): of each slave name, identity, length of process data, and what its
/// mailbox gets at the transitions IP and PS. Logical addresses are the master's own.
/// @return to be freed by ff_ec_plan_destroy; NULL with every problem in `report`, at its place
FF_API ff_ec_plan *ff_ec_plan_load(const char *path, ff_report *report);
/// The same from a text. @param file  its name in messages, borrowed by `report`
FF_API ff_ec_plan *ff_ec_plan_parse(const char *text, size_t length, const char *file, ff_report *report);
/// NULL is allowed.
FF_API void ff_ec_plan_destroy(ff_ec_plan *plan);

// ------------------------------------------------------------------------------------------ what is found

/// An emergency, the last that came.
typedef struct ff_ec_emergency {
    uint16_t code; // of CiA 402, such as 0x8611
    uint8_t error; // register
    uint8_t data[5];
    int count; // that came so far
} ff_ec_emergency;

/// A slave as the master knows it.
typedef struct ff_ec_found {
    char name[FF_EC_NAME_MOST]; // of the plan, or of the EEPROM
    uint16_t station;
    uint32_t vendor, product, revision, serial;
    uint32_t out_bytes, in_bytes;   // of its process data
    uint32_t out_offset, in_offset; // where they lie in outputs and inputs  [byte]
    bool answers;                   // when it was asked last
    uint8_t state;                  // AL state then, with 0x10 for an error
    uint16_t code;                  // AL status code then
    bool has_clock;                 // distributed clock
    uint64_t clock_offset;          // to the reference clock  [ns]
    uint32_t clock_delay;           // of a frame from there  [ns]
    ff_ec_emergency emergency;
    char modules[FF_EC_MODULES][FF_EC_NAME_MOST]; // several devices in one slave: names of the PDOs 0x10 n
    int nmodule;                                  // 0: it is one device
    uint16_t distance;                            // of the objects of modules, 0xF000:1
} ff_ec_found;

typedef struct ff_ec_master_counts {
    int64_t sent, lost;   // frames
    int64_t wrong;        // exchanges of process data with a wrong working counter
    int64_t repeats;      // answers of mailboxes that were asked for again
    int64_t emergencies;  // that came
    int64_t left;         // times a slave left the state it should have
    int64_t foreign;      // frames of another master
    int64_t doubled;      // frames that came back once more
    int slaves, expected; // that the last count found; that the plan has, or the first count found
} ff_ec_master_counts;

typedef struct ff_ec_master_options {
    const ff_ec_plan *plan; // borrowed; NULL: what a scan finds
    /// Without a plan: what to write to a slave that was found; NULL: nothing. Name and identity are given.
    void (*configure)(void *context, ff_ec_planned *slave);
    uint32_t sync0;         // cycle of the Sync0 signal; 0: none  [ns]
    uint64_t frame_timeout; // a frame that has been away for so long is lost  [ns]
    uint64_t step_timeout;  // a slave that does not do what it should within this time has failed  [ns]
    uint64_t watch;         // state and mailbox of every slave are looked at so often  [ns]
    /// Source address of its frames, locally administered: bit 1 of the first byte set, bit 0 not. Two masters on one
    /// wire notice each other where theirs differ.
    unsigned char source[6];
    /// Told once for each thing that happens: emergencies, slaves that leave their state, that come back. NULL: nobody.
    void (*log)(void *context, const char *text);
    void *context;
} ff_ec_master_options;
/// By scan, no Sync0, frames 10 ms, steps 5 s, watched every 10 ms, source 02:00:00:00:00:01.
FF_API ff_ec_master_options ff_ec_master_options_default(void);

// ------------------------------------------------------------------------------------------ the master

typedef struct ff_ec_master ff_ec_master;

/// @param options  NULL: the defaults
/// @return NULL with FF_NO_MEMORY
FF_API ff_ec_master *ff_ec_master_create(const ff_ec_master_options *options, ff_error *err);
/// NULL is allowed.
FF_API void ff_ec_master_destroy(ff_ec_master *master);

/// Asks for a state of all slaves. Upward they go step by step; from SAFE-OP on, process data are to be exchanged: OP
/// is asked for once slaves have taken outputs.
FF_API void ff_ec_master_request(ff_ec_master *master, ff_ec_state state);
/// The state all slaves have reached: the lowest of them.
FF_API ff_ec_state ff_ec_master_state(const ff_ec_master *master);
/// Is it on its way to another state?
FF_API bool ff_ec_master_is_changing(const ff_ec_master *master);
/// Why it cannot reach the state it was asked for, with slave and number; "" where nothing is wrong. Asking for INIT
/// begins anew.
FF_API const char *ff_ec_master_why(const ff_ec_master *master);

/// The next frame to send. Allocates nothing.
/// @return its bytes; 0: nothing to send now
FF_API size_t ff_ec_master_poll(ff_ec_master *master, uint64_t now, unsigned char bytes[FF_EC_PACKET_MOST]);
/// A frame came. What does not answer a frame of this master is ignored; frames of another master, and such as come
/// back twice, are told once.
FF_API void ff_ec_master_take(ff_ec_master *master, uint64_t now, const unsigned char *bytes, size_t size);

/// Number of slaves, and each of them, once PRE-OP is reached.
FF_API int ff_ec_master_count(const ff_ec_master *master);
FF_API const ff_ec_found *ff_ec_master_slave(const ff_ec_master *master, int slave);
/// Number of a slave by its name; -1: none.
FF_API int ff_ec_master_find(const ff_ec_master *master, const char *name);
/// A device by its name, be it a slave of its own or a module of one.
/// @param shift  what its objects from 0x6000 on lie further on
/// @return the number of the slave; -1: none
FF_API int ff_ec_master_find_device(const ff_ec_master *master, const char *name, uint16_t *shift);
/// Where an object lies in the process data of a slave. @return -1: it is not mapped  [bit]
FF_API int ff_ec_master_mapped(const ff_ec_master *master, int slave, bool output, uint16_t index, uint8_t sub);
FF_API ff_ec_master_counts ff_ec_master_get_counts(const ff_ec_master *master);

// ------------------------------------------------------------------------------------------ process data

/// How an exchange went.
typedef enum ff_ec_exchange {
    FF_EC_PENDING, // answers are missing
    FF_EC_SOUND,
    FF_EC_MISCOUNTED // a working counter is wrong: some slave did not take part
} ff_ec_exchange;

/// Bytes of all outputs, and of all inputs, once PRE-OP is reached.
FF_API size_t ff_ec_master_image(const ff_ec_master *master, bool output);
/// Asks for all inputs, from SAFE-OP on. What is still pending is lost.
FF_API void ff_ec_master_read(ff_ec_master *master);
FF_API ff_ec_exchange ff_ec_master_is_read(const ff_ec_master *master);
/// The inputs that came last, until slaves are configured anew from INIT.
FF_API const unsigned char *ff_ec_master_inputs(const ff_ec_master *master);
/// Gives all outputs, from SAFE-OP on.
FF_API void ff_ec_master_write(ff_ec_master *master, const unsigned char *outputs);
FF_API ff_ec_exchange ff_ec_master_is_written(const ff_ec_master *master);
/// Has any slave taken outputs of this cycle, as far as is known?
FF_API bool ff_ec_master_is_heard(const ff_ec_master *master);
/// Time of the reference clock when the inputs were read; 0: no slave has a clock.  [ns]
FF_API uint64_t ff_ec_master_time(const ff_ec_master *master);

// ------------------------------------------------------------------------------------------ single objects

typedef enum ff_ec_sdo_state { FF_EC_SDO_WAITS, FF_EC_SDO_DONE, FF_EC_SDO_REFUSED } ff_ec_sdo_state;

/// A transfer of one object (CoE). The caller fills the first part, and keeps it until it no longer waits.
typedef struct ff_ec_sdo {
    uint16_t index;
    uint8_t sub;
    bool complete, write;
    unsigned char data[FF_EC_OBJECT_MOST];
    uint32_t n; // bytes to write, or that were read
    // set by the master
    ff_ec_sdo_state state;
    char why[160]; // it was refused: the abort code, in words
} ff_ec_sdo;

/// Begins a transfer, from PRE-OP on. @return false where the slave has one under way, or there is no such slave
FF_API bool ff_ec_master_sdo(ff_ec_master *master, int slave, ff_ec_sdo *sdo);
/// The caller no longer waits for a transfer: `sdo` may be freed.
FF_API void ff_ec_master_forget(ff_ec_master *master, int slave);

// ------------------------------------------------------------------------------------------ codes in words

/// AL status code: "process data watchdog"; "unknown" where no table has it.
FF_API const char *ff_ec_al_words(uint16_t code);
/// Abort code of an SDO.
FF_API const char *ff_ec_abort_words(uint32_t code);
/// Error code of an emergency.
FF_API const char *ff_ec_emergency_words(uint16_t code);
/// "SAFE-OP".
FF_API const char *ff_ec_state_words(unsigned state);

#ifdef __cplusplus
}
#endif
#endif
