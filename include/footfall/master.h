// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A small EtherCAT master as pure code: it makes frames to send, takes frames that were received, and gets the time as
// an argument. It scans the segment, checks the identity of slaves, configures and synchronises them, brings them to
// OP, exchanges process data, and reports errors in plain text. It never blocks: mailbox transfers go on while process
// data are exchanged. The room master; docs/ethercat.md is its manual.
//
//     ff_ec_master *master = ff_ec_master_create(NULL, &err);
//     ff_ec_master_request(master, FF_EC_OP);
//     for (;;) {
//         ff_ec_master_read(master);                        // requests all inputs
//         ff_ec_master_write(master, outputs);              // sends all outputs
//         while ((size = ff_ec_master_poll(master, now, bytes)) > 0) send(bytes, size);
//         while ((size = receive(bytes)) > 0) ff_ec_master_receive(master, now, bytes, size);
//         if (ff_ec_master_is_read(master) == FF_EC_COMPLETE) ... ff_ec_master_inputs(master) ...
//     }
//
// Inputs and outputs travel in separate datagrams (LRD, LWR), so that a controller can act on the inputs of its own
// cycle. Slaves may be virtual (footfall/ethercat.h) or real. Numbers follow ETG.1000.4, ETG.1000.6, ETG.2010 and
// CiA 301. Times are in ns of one clock of the caller, which never runs backwards.
#ifndef FOOTFALL_MASTER_H
#define FOOTFALL_MASTER_H

#include <footfall/ethercat.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    FF_EC_PACKET_MAX = 1514,      // bytes of an Ethernet frame, without checksum
    FF_EC_NAME_MAX = 64,          // bytes of the name of a slave
    FF_EC_INIT_COMMANDS_MAX = 64, // of a slave: configuration tools write each entry of each PDO of a drive
    FF_EC_OBJECT_MAX = 1024,      // bytes of an object
};

// ------------------------------------------------------------------------------------------ expected slaves

/// An object that is written in PRE-OP, before the PDO mapping is read (InitCmd of an ENI file).
typedef struct ff_ec_init_command {
    uint16_t index;
    uint8_t sub;
    bool complete; // complete access, from subindex `sub` on
    unsigned char data[128];
    int n; // bytes
} ff_ec_init_command;

/// Expected identity and configuration of a slave.
typedef struct ff_ec_slave_config {
    char name[FF_EC_NAME_MAX]; // replaces the name in the EEPROM
    uint32_t vendor, product, revision;
    int out_bits, in_bits; // length of its process data
    ff_ec_init_command init_commands[FF_EC_INIT_COMMANDS_MAX];
    int ninit_command;
} ff_ec_slave_config;

/// The expected slaves of a segment, in the order of their positions.
typedef struct ff_ec_plan {
    ff_ec_slave_config *slaves;
    int count;
} ff_ec_plan;

/// Reads an EtherCAT network information file (ENI, ETG.2100): name, identity, length of process data of each slave,
/// and its InitCmds for the transitions IP and PS. The master assigns logical addresses itself.
/// @return to be freed by ff_ec_plan_destroy; NULL with every problem in `report`, at its place
FF_API ff_ec_plan *ff_ec_plan_load(const char *path, ff_report *report);
/// The same from a text. @param file  name of the file in messages, borrowed by `report`
FF_API ff_ec_plan *ff_ec_plan_parse(const char *text, size_t length, const char *file, ff_report *report);
/// NULL is allowed.
FF_API void ff_ec_plan_destroy(ff_ec_plan *plan);

// ------------------------------------------------------------------------------------------ detected slaves

/// The last emergency message of a slave.
typedef struct ff_ec_emergency {
    uint16_t code; // error code of CiA 402, such as 0x8611
    uint8_t error; // error register
    uint8_t data[5];
    int count; // messages so far
} ff_ec_emergency;

/// A detected slave.
typedef struct ff_ec_slave_info {
    char name[FF_EC_NAME_MAX]; // of the plan, or of the EEPROM
    uint16_t station;          // configured station address
    uint32_t vendor, product, revision, serial;
    uint32_t out_bytes, in_bytes;   // length of its process data
    uint32_t out_offset, in_offset; // position in the images of outputs and inputs  [byte]
    bool answers;                   // it answered the last request
    uint8_t state;                  // AL state then, with 0x10 for an error
    uint16_t code;                  // AL status code then
    bool has_clock;                 // it has a distributed clock
    uint64_t clock_offset;          // to the reference clock  [ns]
    uint32_t clock_delay;           // propagation delay from the reference clock  [ns]
    ff_ec_emergency emergency;
    char modules[FF_EC_MODULES][FF_EC_NAME_MAX]; // several devices in one slave: names of the PDOs 0x10 n
    int nmodule;                                 // 0: the slave is one device
    uint16_t distance;                           // index distance of the objects of modules, 0xF000:1
} ff_ec_slave_info;

typedef struct ff_ec_master_counts {
    int64_t sent, lost;       // frames
    int64_t wrong_counters;   // exchanges of process data with a wrong working counter
    int64_t mailbox_repeats;  // lost mailbox responses that were requested again
    int64_t emergencies;      // emergency messages received
    int64_t state_losses;     // times a slave left its requested state
    int64_t foreign_frames;   // frames of another master
    int64_t duplicate_frames; // frames received more than once
    int slaves, expected;     // detected by the last count; in the plan, or detected by the first count
} ff_ec_master_counts;

typedef struct ff_ec_master_options {
    const ff_ec_plan *plan; // borrowed; NULL: all detected slaves are accepted
    /// Without a plan: adds init commands to the configuration of a detected slave, whose name and identity are set.
    /// NULL: none
    void (*configure)(void *context, ff_ec_slave_config *slave);
    uint32_t sync0;          // cycle of the Sync0 signal; 0: none  [ns]
    uint64_t frame_timeout;  // a frame that has not returned for so long is lost  [ns]
    uint64_t step_timeout;   // longest time for one step of a slave's configuration  [ns]
    uint64_t watch_interval; // period at which the AL state and the mailbox of every slave are polled  [ns]
    /// Source MAC address, locally administered: bit 1 of the first byte set, bit 0 not. Two masters on one wire detect
    /// each other if theirs differ.
    unsigned char source[6];
    /// Gets one line for each event: an emergency, a slave that leaves its state or returns to it. NULL: no log
    void (*log)(void *context, const char *text);
    void *context;
} ff_ec_master_options;
/// No plan, no Sync0, frame timeout 10 ms, step timeout 5 s, watch interval 10 ms, source 02:00:00:00:00:01.
FF_API ff_ec_master_options ff_ec_master_options_default(void);

// ------------------------------------------------------------------------------------------ the master

typedef struct ff_ec_master ff_ec_master;

/// @param options  NULL: the defaults
/// @return NULL with FF_NO_MEMORY
FF_API ff_ec_master *ff_ec_master_create(const ff_ec_master_options *options, ff_error *err);
/// NULL is allowed.
FF_API void ff_ec_master_destroy(ff_ec_master *master);

/// Requests an AL state of all slaves. Upward they pass one state after the other. From SAFE-OP on the caller has to
/// exchange process data: OP is requested once slaves have received outputs.
FF_API void ff_ec_master_request(ff_ec_master *master, ff_ec_state state);
/// The lowest state of all slaves.
FF_API ff_ec_state ff_ec_master_state(const ff_ec_master *master);
/// Is a change of state in progress?
FF_API bool ff_ec_master_is_changing(const ff_ec_master *master);
/// Why the requested state cannot be reached, with slave and number; "" without an error. A request of INIT clears it.
FF_API const char *ff_ec_master_error(const ff_ec_master *master);

/// The next frame to send. Allocates nothing.
/// @return its bytes; 0: nothing to send now
FF_API size_t ff_ec_master_poll(ff_ec_master *master, uint64_t now, unsigned char bytes[FF_EC_PACKET_MAX]);
/// Handles a received frame. Frames that do not answer a frame of this master are ignored; frames of another master and
/// duplicates are logged once.
FF_API void ff_ec_master_receive(ff_ec_master *master, uint64_t now, const unsigned char *bytes, size_t size);

/// Number of slaves, and each of them, once PRE-OP is reached.
FF_API int ff_ec_master_count(const ff_ec_master *master);
FF_API const ff_ec_slave_info *ff_ec_master_slave(const ff_ec_master *master, int slave);
/// Number of a slave by its name; -1: none.
FF_API int ff_ec_master_find(const ff_ec_master *master, const char *name);
/// Finds a device by its name, which is a slave or a module of a slave.
/// @param shift  index offset of its objects from 0x6000 on
/// @return the number of the slave; -1: none
FF_API int ff_ec_master_find_device(const ff_ec_master *master, const char *name, uint16_t *shift);
/// Position of an object in the process data of a slave. @return -1: it is not mapped  [bit]
FF_API int ff_ec_master_find_mapped(const ff_ec_master *master, int slave, bool output, uint16_t index, uint8_t sub);
FF_API ff_ec_master_counts ff_ec_master_get_counts(const ff_ec_master *master);

// ------------------------------------------------------------------------------------------ process data

/// Result of an exchange of process data.
typedef enum ff_ec_exchange {
    FF_EC_PENDING,   // not all frames have returned
    FF_EC_COMPLETE,  // all working counters are right
    FF_EC_INCOMPLETE // a working counter is wrong: a slave did not take part
} ff_ec_exchange;

/// Bytes of all outputs, and of all inputs, once PRE-OP is reached.
FF_API size_t ff_ec_master_image_size(const ff_ec_master *master, bool output);
/// Requests all inputs, from SAFE-OP on. A request that is still pending is dropped.
FF_API void ff_ec_master_read(ff_ec_master *master);
FF_API ff_ec_exchange ff_ec_master_is_read(const ff_ec_master *master);
/// The inputs received last, until slaves are configured again from INIT.
FF_API const unsigned char *ff_ec_master_inputs(const ff_ec_master *master);
/// Sends all outputs, from SAFE-OP on.
FF_API void ff_ec_master_write(ff_ec_master *master, const unsigned char *outputs);
FF_API ff_ec_exchange ff_ec_master_is_written(const ff_ec_master *master);
/// Has any slave received outputs of this cycle, judged by the working counters so far?
FF_API bool ff_ec_master_outputs_reached_a_slave(const ff_ec_master *master);
/// Time of the reference clock when the inputs were read; 0: no slave has a clock.  [ns]
FF_API uint64_t ff_ec_master_time(const ff_ec_master *master);

// ------------------------------------------------------------------------------------------ SDO transfers

typedef enum ff_ec_sdo_state { FF_EC_SDO_PENDING, FF_EC_SDO_DONE, FF_EC_SDO_FAILED } ff_ec_sdo_state;

/// A CoE transfer of one object. The caller fills the first part and keeps it until the transfer is no longer pending.
typedef struct ff_ec_sdo {
    uint16_t index;
    uint8_t sub;
    bool complete, write;
    unsigned char data[FF_EC_OBJECT_MAX];
    uint32_t n; // bytes to write, or bytes read
    // set by the master
    ff_ec_sdo_state state;
    char error[160]; // of a failed transfer, with the abort code
} ff_ec_sdo;

/// Begins a transfer, from PRE-OP on. @return false: the slave has a transfer in progress, or there is no such slave
FF_API bool ff_ec_master_begin_sdo(ff_ec_master *master, int slave, ff_ec_sdo *sdo);
/// The caller gives up a transfer: `sdo` may be freed.
FF_API void ff_ec_master_cancel_sdo(ff_ec_master *master, int slave);

// ------------------------------------------------------------------------------------------ texts of codes

/// AL status code: "process data watchdog"; "unknown" for codes that are not in the table.
FF_API const char *ff_ec_al_status_text(uint16_t code);
/// SDO abort code.
FF_API const char *ff_ec_abort_text(uint32_t code);
/// Error code of an emergency message.
FF_API const char *ff_ec_emergency_text(uint16_t code);
/// "SAFE-OP".
FF_API const char *ff_ec_state_text(unsigned state);

#ifdef __cplusplus
}
#endif
#endif
