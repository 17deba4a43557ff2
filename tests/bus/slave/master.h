// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A small master for tests: it builds frames, passes them to a segment, and follows the start-up of a public master
// datagram by datagram. It uses the bytes of the standard, and of the room under test its public header only.
#ifndef FOOTFALL_TESTS_ETHERCAT_MASTER_H
#define FOOTFALL_TESTS_ETHERCAT_MASTER_H

#include <footfall/ethercat.h>

enum { NOP, APRD, APWR, APRW, FPRD, FPWR, FPRW, BRD, BWR, BRW, LRD, LWR, LRW, ARMW, FRMW };

typedef struct master {
    ff_ec_segment *segment;
    /// Handler of frames; NULL: the segment. @return bytes of the answer; 0: none
    size_t (*carry)(void *context, uint8_t *bytes, size_t size);
    void *context;
    uint64_t now;          // moves by `step` with each frame  [ns]
    uint64_t step;         // 0: 100 us
    double loss;           // probability that a frame gets lost, before and after the segment
    uint64_t random;       // state of the generator
    int lost, repeats;     // counted
    bool never_repeats;    // answers that were lost stay lost
    uint8_t counters[64];  // of mailboxes, by slave
    uint8_t emergency[10]; // the last one, without the head of the mailbox
    int emergencies;
    uint8_t index;
    uint8_t frame[1514];
    size_t size;
} master;

/// Sends a datagram and gets the answer. @return the working counter; -1: lost, or refused by the segment
int master_try(master *m, int command, uint16_t adp, uint16_t ado, void *data, unsigned n);
/// The same, repeated while it is lost, as masters do for idempotent datagrams.
int master_do(master *m, int command, uint16_t adp, uint16_t ado, void *data, unsigned n);
int master_logical(master *m, int command, uint32_t address, void *data, unsigned n);
int master_write(master *m, uint16_t station, uint16_t ado, uint64_t value, unsigned n); // FPWR
uint64_t master_read(master *m, uint16_t station, uint16_t ado, unsigned n);             // FPRD
/// AL control of a station; the AL status afterwards.
unsigned master_request(master *m, uint16_t station, unsigned control);
unsigned master_code(master *m, uint16_t station);

/// Words of the EEPROM, 4 bytes, by its registers.
uint32_t master_sii(master *m, uint16_t station, uint16_t word);

/// Mailbox: sends `request` (from the CoE header on) and gets the response likewise. @return bytes of the response; 0:
/// none
unsigned master_mailbox(master *m, uint16_t station, const uint8_t *request, unsigned n, uint8_t *answer);
/// Reads the next message of the mailbox, emergencies included. @return bytes from the CoE header on; 0: empty
unsigned master_fetch(master *m, uint16_t station, uint8_t *answer);
/// SDOs: the abort code, 0 for success, 1 for a missing or unexpected response.
uint32_t master_download(master *m, uint16_t station, uint16_t index, uint8_t sub, bool complete, const void *data,
                         unsigned n);
uint32_t master_upload(master *m, uint16_t station, uint16_t index, uint8_t sub, bool complete, void *data,
                       unsigned *n);
uint64_t master_get(master *m, uint16_t station, uint16_t index, uint8_t sub);
uint32_t master_put(master *m, uint16_t station, uint16_t index, uint8_t sub, uint64_t value, unsigned n);

/// Results of the start-up.
typedef struct master_slave {
    uint16_t station;
    uint32_t vendor, product;
    unsigned out_bytes, in_bytes;     // by the objects of the mapping
    uint32_t out_address, in_address; // logical
} master_slave;

/// Count, defaults, station addresses 0x1001 and on. @return number of slaves
int master_scan(master *m, master_slave *slaves, int most);
/// Sync managers of the mailbox; PRE-OP. @return AL status
unsigned master_preop(master *m, const master_slave *slave);
/// Reads 1C00, 1C12/13, 16xx/1Axx. @return false where an SDO failed
bool master_mapping(master *m, master_slave *slave);
/// Sync managers and FMMUs of process data, outputs of all slaves first, then inputs, then mailbox states.
/// @return bytes of the process image without those states
unsigned master_map(master *m, master_slave *slaves, int n);
unsigned master_expected(const master_slave *slaves, int n); // working counter of LRW

#endif
