// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A coupler, two axes in one slave and sensors in another, as tools of public masters go through them: SOEM's
// ec_config_init, ec_config_map, ec_configdc, ec_readstate (simple_test), slaveinfo -sdo and -map, and the scan of IgH
// EtherLab. Which datagrams, how long, in which order, by their sources, but not copied from them.
#include "check.h"
#include "slave/master.h"

enum { COUPLER, AXES, GATEWAY, N, FIRST = 0x1001, SUBS = 64 };

static ff_ec_drive drives[FF_EC_MODULES];
static ff_ec_force forces[2];
static ff_ec_imu imu;
static const ff_ec_module carried[3] = {{&ff_ec_force_device, &forces[0], NULL, "left_foot"},
                                        {&ff_ec_force_device, &forces[1], NULL, "right_foot"},
                                        {&ff_ec_imu_device, &imu, NULL, "imu"}};
static ff_ec_module axes[FF_EC_MODULES];
static master m;

static void begin(int naxis)
{
    static const char *const names[FF_EC_MODULES] = {"hip", "knee", "ankle", "toe", "arm", "elbow", "hand", "head"};
    ff_error err = {0};
    memset(drives, 0, sizeof drives);
    for (int i = 0; i < naxis; i++) axes[i] = (ff_ec_module){&ff_ec_drive_device, &drives[i], NULL, names[i]};
    const ff_ec_station line[N] = {
        [COUPLER] = {.device = &ff_ec_coupler_device, .name = "coupler"},
        [AXES] = {.device = &ff_ec_axes_device, .name = "legs", .modules = axes, .nmodule = naxis, .variant = 1},
        [GATEWAY] = {.device = &ff_ec_modules_device,
                     .name = "can",
                     .modules = carried,
                     .nmodule = 3,
                     .behind = 1,
                     .port = 2,
                     .variant = 2}};
    m = (master){.segment = ff_ec_segment_create(line, N, &err)};
    if (!m.segment) CHECK_FAIL("%s", err.text);
}

static uint64_t get(const uint8_t *from, unsigned n)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < n; i++) value |= (uint64_t)from[i] << (8 * i);
    return value;
}

static void put(uint8_t *to, uint64_t value, unsigned n)
{
    for (unsigned i = 0; i < n; i++) to[i] = (uint8_t)(value >> (8 * i));
}

static void all(int command, uint16_t ado, uint64_t value, unsigned n)
{
    uint8_t data[64] = {0};
    put(data, value, n < 8 ? n : 8);
    CHECK_INT(master_try(&m, command, 0, ado, data, n), N);
}

static uint64_t peek(int slave, uint16_t ado, unsigned n)
{
    uint8_t data[16] = {0};
    CHECK_INT(master_try(&m, FPRD, (uint16_t)(FIRST + slave), ado, data, n), 1);
    return get(data, n < 8 ? n : 8);
}

static void poke(int slave, uint16_t ado, uint64_t value, unsigned n)
{
    uint8_t data[16] = {0};
    put(data, value, n < 8 ? n : 8);
    CHECK_INT(master_try(&m, FPWR, (uint16_t)(FIRST + slave), ado, data, n), 1);
}

// ------------------------------------------------------------------------------------------ EEPROM

static uint8_t sii_byte(int slave, unsigned at)
{
    return (uint8_t)(master_sii(&m, (uint16_t)(FIRST + slave), (uint16_t)(at / 2)) >> 8 * (at % 2));
}

/// Where the data of a category begin, and its bytes; 0: there is none.
static unsigned category(int slave, unsigned type, unsigned *bytes)
{
    for (unsigned word = 0x40;;) {
        const uint32_t head = master_sii(&m, (uint16_t)(FIRST + slave), (uint16_t)word);
        *bytes = 2 * (head >> 16);
        if ((head & 0xFFFF) == 0xFFFF) return 0;
        if ((head & 0xFFFF) == type) return 2 * word + 4;
        word += 2 + (head >> 16);
    }
}

/// String 1, which SOEM takes for the name.
static void check_name(int slave, const char *name)
{
    unsigned n;
    const unsigned at = category(slave, 10, &n);
    CHECK(at && sii_byte(slave, at + 1) == strlen(name));
    for (unsigned i = 0; name[i]; i++) CHECK_INT(sii_byte(slave, at + 2 + i), name[i]);
}

/// Bits of the PDOs that a sync manager has by the EEPROM (slaveinfo -map without CoE).
static unsigned sii_bits(int slave, unsigned type, unsigned sm)
{
    unsigned n, bits = 0;
    const unsigned from = category(slave, type, &n);
    for (unsigned at = from; from && at < from + n;) {
        const unsigned entries = sii_byte(slave, at + 2), assigned = sii_byte(slave, at + 3);
        for (unsigned i = 0; i < entries; i++) bits += assigned == sm ? sii_byte(slave, at + 8 + 8 * i + 5) : 0;
        at += 8 + 8 * entries;
    }
    return bits;
}

// ------------------------------------------------------------------------------------------ simple_test

static void detect_and_reset(void)
{
    all(BWR, 0x0103, 0, 1);
    all(BWR, 0x0120, 0x11, 1); // SOEM 1.4 writes one byte
    all(BWR, 0x0120, 0x11, 1);
    all(BRD, 0x0000, 0, 2);
    all(BWR, 0x0101, 0, 1);
    all(BWR, 0x0200, 4, 2);
    all(BWR, 0x0300, 0, 8);
    all(BWR, 0x0600, 0, 48);
    all(BWR, 0x0800, 0, 32);
    all(BWR, 0x0910, 0, 4);
    all(BWR, 0x0930, 0x1000, 2);
    all(BWR, 0x0934, 0x0C00, 2);
    all(BWR, 0x0500, 2, 1);
    all(BWR, 0x0500, 0, 1);
}

static void identify(int slave, const char *name)
{
    uint8_t data[2];
    CHECK_INT(master_try(&m, APRD, (uint16_t)-slave, 0x0140, data, 2), 1);
    put(data, (uint64_t)FIRST + (unsigned)slave, 2);
    CHECK_INT(master_try(&m, APWR, (uint16_t)-slave, 0x0010, data, 2), 1);
    put(data, slave == 0, 2); // only the first keeps foreign frames away
    CHECK_INT(master_try(&m, APWR, (uint16_t)-slave, 0x0100, data, 2), 1);
    CHECK_INT(peek(slave, 0x0502, 2) & 0x8040, 0x0040);
    check_name(slave, name);
    CHECK_INT(peek(slave, 0x0008, 2) & 4, 4); // distributed clock
    CHECK_INT(peek(slave, 0x0130, 6), FF_EC_INIT);
}

static const struct {
    const char *name;
    unsigned mailbox, out, in; // bytes
} EXPECTED[N] = {{"coupler", 0, 0, 0}, {"legs", 128, 40, 48}, {"can", 128, 8, 36 + 36 + 48}};

static void to_preop(int slave)
{
    const uint32_t out = master_sii(&m, (uint16_t)(FIRST + slave), 0x18);
    CHECK_INT(out >> 16, EXPECTED[slave].mailbox);
    CHECK_INT(master_sii(&m, (uint16_t)(FIRST + slave), 0x1C) & 4, EXPECTED[slave].mailbox ? 4 : 0); // CoE
    if (out >> 16) {
        uint8_t sms[16] = {0};
        put(sms, UINT64_C(0x0001002600801000), 8);
        put(sms + 8, UINT64_C(0x0001002200801080), 8);
        CHECK_INT(master_try(&m, FPWR, (uint16_t)(FIRST + slave), 0x0800, sms, 16), 1);
    }
    poke(slave, 0x0500, 1, 1); // the EEPROM to the slave
    poke(slave, 0x0120, 0x12, 2);
    CHECK_INT(peek(slave, 0x0130, 6) & 0xFFFF, FF_EC_PREOP);
    poke(slave, 0x0500, 2, 1); // and back, for what is read later
    poke(slave, 0x0500, 0, 1);
}

/// Bits of an assignment by complete access: the list, then each PDO.
static unsigned mapped_bits(int slave, uint16_t list)
{
    const uint16_t station = (uint16_t)(FIRST + slave);
    uint8_t pdos[64], pdo[80];
    unsigned n = sizeof pdos, bits = 0;
    CHECK_INT(master_upload(&m, station, list, 0, true, pdos, &n), 0);
    CHECK_INT(n, 2U + 2U * pdos[0]);
    for (unsigned i = 0; i < pdos[0]; i++) {
        n = sizeof pdo;
        CHECK_INT(master_upload(&m, station, (uint16_t)get(pdos + 2 + 2 * i, 2), 0, true, pdo, &n), 0);
        CHECK_INT(n, 2U + 4U * pdo[0]);
        for (unsigned k = 0; k < pdo[0]; k++) bits += pdo[2 + 4 * k];
    }
    return bits;
}

static void read_mapping(int slave)
{
    uint8_t types[16];
    unsigned n = sizeof types;
    CHECK_INT(master_upload(&m, (uint16_t)(FIRST + slave), 0x1C00, 0, true, types, &n), 0);
    CHECK(n == 6 && types[0] == 4 && types[4] == 3 && types[5] == 4);
    CHECK_INT(mapped_bits(slave, 0x1C12), 8 * EXPECTED[slave].out);
    CHECK_INT(mapped_bits(slave, 0x1C13), 8 * EXPECTED[slave].in);
    CHECK_INT(sii_bits(slave, 51, 2), 8 * EXPECTED[slave].out);
    CHECK_INT(sii_bits(slave, 50, 3), 8 * EXPECTED[slave].in);
}

/// Sync managers as the EEPROM has them, FMMUs, SAFE-OP.
static void map(int slave, uint32_t out_at, uint32_t in_at)
{
    const uint16_t station = (uint16_t)(FIRST + slave);
    unsigned n;
    const unsigned at = category(slave, 41, &n);
    CHECK_INT(n, 32);
    for (int d = 0; d < 2; d++) {
        uint8_t sm[8], fmmu[16] = {0};
        const unsigned row = at + 8U * (2 + (unsigned)d), bytes = d ? EXPECTED[slave].in : EXPECTED[slave].out;
        for (unsigned i = 0; i < 8; i++) sm[i] = sii_byte(slave, row + i);
        CHECK_INT(get(sm + 2, 2), bytes);
        sm[7] = 0;
        CHECK_INT(master_try(&m, FPWR, station, (uint16_t)(0x0810 + 8 * d), sm, 8), 1);
        put(fmmu, d ? in_at : out_at, 4);
        put(fmmu + 4, bytes, 2);
        fmmu[7] = 7;
        memcpy(fmmu + 8, sm, 2);
        fmmu[11] = d ? 1 : 2;
        fmmu[12] = 1;
        CHECK_INT(master_try(&m, FPWR, station, (uint16_t)(0x0600 + 16 * d), fmmu, 16), 1);
    }
}

/// Ports in the order of frames: 0, 3, 1, 2.
static void configure_clock(int slave, unsigned ports)
{
    static const int order[4] = {0, 3, 1, 2};
    uint32_t before = 0;
    const uint64_t unit = peek(slave, 0x0918, 8);
    for (int i = 0; i < 4; i++) {
        const uint32_t time = (uint32_t)peek(slave, (uint16_t)(0x0900 + 4 * order[i]), 4);
        if (!(ports >> order[i] & 1)) continue;
        CHECK(i == 0 || time > before);
        before = time;
    }
    poke(slave, 0x0920, 0 - unit, 8);
    poke(slave, 0x0928, 1000, 4);
}

/// One frame with the AL status of every slave: ec_readstate.
static void read_states(unsigned state)
{
    uint8_t frame[14 + 2 + N * 18] = {[12] = 0x88, [13] = 0xA4};
    put(frame + 14, 0x1000 | N * 18, 2);
    for (int i = 0; i < N; i++) {
        uint8_t *d = frame + 16 + 18 * i;
        d[0] = FPRD, d[1] = 7;
        put(d + 2, (uint64_t)FIRST + (unsigned)i, 2);
        put(d + 4, 0x0130, 2);
        put(d + 6, 6 | (i < N - 1 ? 0x8000 : 0), 2);
    }
    CHECK_INT(ff_ec_segment_frame(m.segment, frame, sizeof frame, m.now), sizeof frame);
    for (int i = 0; i < N; i++) {
        CHECK_INT(get(frame + 16 + 18 * i + 16, 2), 1);
        CHECK_INT(get(frame + 16 + 18 * i + 10, 2), state);
    }
}

TEST(soem_simple_test)
{
    static const unsigned links[N] = {0x07, 0x01, 0x01}; // the coupler has the axes at port 1, the gateway at port 2
    const unsigned out = 48, bytes = out + 48 + 120;
    begin(2);
    detect_and_reset();
    for (int i = 0; i < N; i++) identify(i, EXPECTED[i].name);
    for (int i = 0; i < N; i++) CHECK_INT(peek(i, 0x0110, 2) >> 4 & 0xF, links[i]);
    for (int i = 0; i < N; i++) to_preop(i);
    for (int i = AXES; i < N; i++) read_mapping(i);
    map(AXES, 0, out);
    map(GATEWAY, 40, out + 48);
    all(BWR, 0x0900, 0, 4);
    for (int i = 0; i < N; i++) configure_clock(i, links[i]);
    for (int i = 0; i < N; i++) poke(i, 0x0120, FF_EC_SAFEOP, 2);
    read_states(FF_EC_SAFEOP);
    uint8_t image[256] = {0};
    CHECK_INT(master_logical(&m, LRW, 0, image, bytes),
              2 * 3); // SOEM: 2 for outputs, 1 for inputs; the coupler has none
    uint8_t op = FF_EC_OP;
    CHECK_INT(master_try(&m, BWR, 0, 0x0120, &op, 1), N);
    image[20] = 0x0F; // control word of the second axis
    drives[1].position = 77;
    ff_ec_segment_advance(m.segment, m.now);
    CHECK_INT(master_logical(&m, LRW, 0, image, bytes), 2 * 3);
    CHECK_INT(drives[1].control, 0x0F);
    CHECK_INT(image[out + 24 + 2], 77);
    read_states(FF_EC_OP);
    ff_ec_segment_destroy(m.segment);
}

// ------------------------------------------------------------------------------------------ slaveinfo -sdo

static unsigned ask(const uint8_t *request, unsigned n, uint8_t *answer)
{
    return master_mailbox(&m, FIRST + AXES, request, n, answer);
}

/// A list in fragments, each with how many follow.
static unsigned list_objects(uint16_t *indices)
{
    const uint8_t request[8] = {0, 0x80, 0x01, 0, 0, 0, 1, 0};
    uint8_t answer[128];
    unsigned got = ask(request, 8, answer), n = 0;
    for (unsigned skip = 2;; skip = 0) { // the kind of the list comes first
        CHECK(got > 6 && (answer[2] & 0x7F) == 2);
        for (unsigned at = 6 + skip; at + 2 <= got; at += 2) indices[n++] = (uint16_t)get(answer + at, 2);
        if (!get(answer + 4, 2)) return n;
        got = master_fetch(&m, FIRST + AXES, answer);
    }
}

/// All subindices up to the greatest, as slaveinfo asks for them: described and read, or not there.
static unsigned read_entries(uint16_t index, unsigned last)
{
    unsigned there = 0;
    for (unsigned sub = 0; sub <= last; sub++) {
        const uint8_t entry[10] = {0, 0x80, 0x05, 0, 0, 0, (uint8_t)index, (uint8_t)(index >> 8), (uint8_t)sub, 7};
        uint8_t answer[128], value[1024];
        unsigned n = sizeof value;
        const unsigned got = ask(entry, 10, answer);
        CHECK(got >= 16 && answer[2] == 6);
        if (get(answer + 12, 2) == 0) continue; // records have gaps
        CHECK(got > 16);
        CHECK_INT(master_upload(&m, FIRST + AXES, index, (uint8_t)sub, false, value, &n), 0);
        if (get(answer + 10, 2) != 9) CHECK_INT(n, (get(answer + 12, 2) + 7) / 8);
        there++;
    }
    return there;
}

TEST(slaveinfo_reads_every_object_of_eight_axes)
{
    static uint16_t indices[2048];
    begin(FF_EC_MODULES);
    detect_and_reset();
    for (int i = 0; i < N; i++) identify(i, EXPECTED[i].name);
    to_preop(AXES);
    const unsigned n = list_objects(indices);
    unsigned control = 0, entries = 0;
    CHECK(n > 400 && n < 1024); // EC_MAXODLIST of SOEM
    for (unsigned i = 0; i < n; i++) {
        const uint8_t request[8] = {0, 0x80, 0x03, 0, 0, 0, (uint8_t)indices[i], (uint8_t)(indices[i] >> 8)};
        uint8_t answer[128];
        CHECK(i == 0 || indices[i] > indices[i - 1]);
        CHECK(ask(request, 8, answer) > 12 && answer[2] == 4);
        control += (indices[i] & 0x7FF) == 0x40 && indices[i] >= 0x6000 && !memcmp(answer + 12, "Controlword", 11);
        CHECK(answer[10] <= SUBS);
        entries += read_entries(indices[i], answer[10]);
    }
    CHECK_INT(control, FF_EC_MODULES);
    CHECK(entries > n);
    ff_ec_segment_destroy(m.segment);
}

// ------------------------------------------------------------------------------------------ scan of IgH

TEST(igh_scans_a_coupler_and_modules)
{
    begin(2);
    uint8_t state[2] = {0}, zero[2] = {0};
    CHECK_INT(master_try(&m, BRD, 0, 0x0130, state, 2), N);
    CHECK_INT(master_try(&m, BWR, 0, 0x0010, zero, 2), N);
    CHECK_INT(master_try(&m, BWR, 0, 0x0900, zero, 1), N);
    for (int i = 0; i < N; i++) {
        uint8_t address[2], base[12] = {0}, times[16] = {0};
        put(address, (uint64_t)FIRST + (unsigned)i, 2);
        CHECK_INT(master_try(&m, APWR, (uint16_t)-i, 0x0010, address, 2), 1);
        CHECK_INT(peek(i, 0x0130, 2), FF_EC_INIT);
        CHECK_INT(master_try(&m, FPRD, (uint16_t)(FIRST + i), 0x0000, base, 12), 1);
        CHECK(base[4] <= 16 && base[5] <= 16 && (base[8] & 0x0C) == 0x0C); // its most FMMUs and sync managers; clock
        peek(i, 0x0910, 8);
        CHECK_INT(master_try(&m, FPRD, (uint16_t)(FIRST + i), 0x0900, times, 16), 1);
        poke(i, 0x0500, 0, 1);
        // from category to category; general has 32 bytes, or it is refused
        unsigned n;
        CHECK(category(i, 30, &n) && n == 32);
        CHECK(master_sii(&m, (uint16_t)(FIRST + i), 8) && master_sii(&m, (uint16_t)(FIRST + i), 0x0A));
        CHECK(master_sii(&m, (uint16_t)(FIRST + i), 0x14) != 0xFFFFFFFF); // boot mailbox
        if (i != COUPLER) continue;
        // no mailbox protocols and no sync managers: PRE-OP, SAFE-OP and OP come at once
        CHECK_INT(master_sii(&m, FIRST, 0x1C) & 0xFFFF, 0);
        CHECK(!category(i, 41, &n) && !category(i, 50, &n) && !category(i, 51, &n));
        for (unsigned s = FF_EC_PREOP; s <= FF_EC_OP; s *= 2) CHECK_INT(master_request(&m, FIRST, s), s);
    }
    ff_ec_segment_destroy(m.segment);
}
