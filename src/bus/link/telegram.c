// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Telegrams as bytes: header, payload, checksum. Payloads are defined in link.h and docs/link.md.
#include "base/bytes.h"

#include <footfall/link.h>

#include <math.h>

// ------------------------------------------------------------------------------------------ checksum

// CRC-32 of IEEE 802.3 (polynomial 0x04C11DB7, reflected), eight bytes at a time: the contribution of a byte to the sum
// depends on the number of bytes that follow it, so there is a table for each of the eight positions. The sum is linear
// over bits: an entry is the exclusive or of those of its bits, which are listed here.
#define BIT(i, b, value) (((i) >> (b)&1U) ? (value) : 0U)
#define ENTRY(i, a, b, c, d, e, f, g, h)                                                                               \
    BIT(i, 0, a) ^ BIT(i, 1, b) ^ BIT(i, 2, c) ^ BIT(i, 3, d) ^ BIT(i, 4, e) ^ BIT(i, 5, f) ^ BIT(i, 6, g) ^           \
        BIT(i, 7, h)
#define FOUR(i, ...)                                                                                                   \
    ENTRY(i, __VA_ARGS__), ENTRY(i + 1, __VA_ARGS__), ENTRY(i + 2, __VA_ARGS__), ENTRY(i + 3, __VA_ARGS__)
#define SIXTEEN(i, ...)                                                                                                \
    FOUR(i, __VA_ARGS__), FOUR(i + 4, __VA_ARGS__), FOUR(i + 8, __VA_ARGS__), FOUR(i + 12, __VA_ARGS__)
#define SIXTY_FOUR(i, ...)                                                                                             \
    SIXTEEN(i, __VA_ARGS__), SIXTEEN(i + 16, __VA_ARGS__), SIXTEEN(i + 32, __VA_ARGS__), SIXTEEN(i + 48, __VA_ARGS__)
#define PLACE(...)                                                                                                     \
    {                                                                                                                  \
        SIXTY_FOUR(0U, __VA_ARGS__), SIXTY_FOUR(64U, __VA_ARGS__), SIXTY_FOUR(128U, __VA_ARGS__),                      \
            SIXTY_FOUR(192U, __VA_ARGS__)                                                                              \
    }

// Contribution of each bit of a byte with 0 to 7 bytes behind it.
static const uint32_t tables[8][256] = {
    PLACE(0x77073096, 0xEE0E612C, 0x076DC419, 0x0EDB8832, 0x1DB71064, 0x3B6E20C8, 0x76DC4190, 0xEDB88320),
    PLACE(0x191B3141, 0x32366282, 0x646CC504, 0xC8D98A08, 0x4AC21251, 0x958424A2, 0xF0794F05, 0x3B83984B),
    PLACE(0x01C26A37, 0x0384D46E, 0x0709A8DC, 0x0E1351B8, 0x1C26A370, 0x384D46E0, 0x709A8DC0, 0xE1351B80),
    PLACE(0xB8BC6765, 0xAA09C88B, 0x8F629757, 0xC5B428EF, 0x5019579F, 0xA032AF3E, 0x9B14583D, 0xED59B63B),
    PLACE(0x3D6029B0, 0x7AC05360, 0xF580A6C0, 0x30704BC1, 0x60E09782, 0xC1C12F04, 0x58F35849, 0xB1E6B092),
    PLACE(0xCB5CD3A5, 0x4DC8A10B, 0x9B914216, 0xEC53826D, 0x03D6029B, 0x07AC0536, 0x0F580A6C, 0x1EB014D8),
    PLACE(0xA6770BB4, 0x979F1129, 0xF44F2413, 0x33EF4E67, 0x67DE9CCE, 0xCFBD399C, 0x440B7579, 0x8816EAF2),
    PLACE(0xCCAA009E, 0x4225077D, 0x844A0EFA, 0xD3E51BB5, 0x7CBB312B, 0xF9766256, 0x299DC2ED, 0x533B85DA),
};

uint32_t ff_telegram_sum(const unsigned char *bytes, size_t size)
{
    uint32_t sum = 0xFFFFFFFFU;
    for (; size >= 8; size -= 8, bytes += 8)
        sum = tables[7][(bytes[0] ^ sum) & 255U] ^ tables[6][(bytes[1] ^ (sum >> 8)) & 255U] ^
              tables[5][(bytes[2] ^ (sum >> 16)) & 255U] ^ tables[4][bytes[3] ^ (sum >> 24)] ^ tables[3][bytes[4]] ^
              tables[2][bytes[5]] ^ tables[1][bytes[6]] ^ tables[0][bytes[7]];
    for (; size > 0; size--, bytes++) sum = (sum >> 8) ^ tables[0][(bytes[0] ^ sum) & 255U];
    return ~sum;
}

// ------------------------------------------------------------------------------------------ heads

// Heads are lists of fields, from which their sizes and the functions that write and read them are generated.
#define SIZE(type, name, unit, help) +sizeof(ff_wire_##type)
_Static_assert(FF_TELEGRAM_HEAD_SIZE == 0 FF_TELEGRAM_HEAD(SIZE), "the fields do not have this size");
_Static_assert(FF_ITEMS_HEAD_SIZE == 0 FF_ITEMS_HEAD(SIZE), "the fields do not have this size");
_Static_assert(FF_INTERFACE_HEAD_SIZE == 0 FF_INTERFACE_HEAD(SIZE), "the fields do not have this size");
#define FIELD(type, name, unit, help) ff_wire_##type name;
typedef struct items_head {
    FF_ITEMS_HEAD(FIELD)
} items_head;
typedef struct interface_head {
    FF_INTERFACE_HEAD(FIELD)
} interface_head;
#define PUT(type, name, unit, help)                                                                                    \
    ff_put_##type(to, head.name);                                                                                      \
    to += sizeof(ff_wire_##type);
#define GET(type, name, unit, help)                                                                                    \
    head->name = ff_get_##type(from);                                                                                  \
    from += sizeof(ff_wire_##type);
/// Defines put_NAME and get_NAME, which write a head to bytes and read it from bytes. Both return where it ends.
#define HEAD_FUNCTIONS(head_name, head_type, FIELDS)                                                                   \
    static unsigned char *put_##head_name(unsigned char *to, head_type head)                                           \
    {                                                                                                                  \
        FIELDS(PUT)                                                                                                    \
        return to;                                                                                                     \
    }                                                                                                                  \
    static const unsigned char *get_##head_name(const unsigned char *from, head_type *head)                            \
    {                                                                                                                  \
        FIELDS(GET)                                                                                                    \
        return from;                                                                                                   \
    }
HEAD_FUNCTIONS(telegram_head, ff_telegram, FF_TELEGRAM_HEAD)
HEAD_FUNCTIONS(items_head, items_head, FF_ITEMS_HEAD)
HEAD_FUNCTIONS(interface_head, interface_head, FF_INTERFACE_HEAD)

// ------------------------------------------------------------------------------------------ telegrams

enum { HEAD = FF_TELEGRAM_HEAD_SIZE };

size_t ff_telegram_seal(ff_telegram *head, unsigned char *bytes, size_t size, size_t payload_size)
{
    const size_t length = HEAD + payload_size + FF_TELEGRAM_SUM_SIZE;
    if (length > size || length > FF_TELEGRAM_MOST) return 0;
    head->magic = FF_TELEGRAM_MAGIC;
    head->version = FF_TELEGRAM_VERSION;
    head->length = (uint32_t)length;
    put_telegram_head(bytes, *head);
    ff_put_u32(bytes + HEAD + payload_size, ff_telegram_sum(bytes, HEAD + payload_size));
    return length;
}

ff_status ff_telegram_open(const unsigned char *bytes, size_t size, ff_telegram *head, const unsigned char **payload,
                           size_t *payload_size, ff_error *err)
{
    ff_telegram h;
    if (size < HEAD + FF_TELEGRAM_SUM_SIZE)
        return ff_error_set(err, FF_BAD_FILE, "telegram: %zu bytes are too few for a header and a checksum", size);
    get_telegram_head(bytes, &h);
    if (h.magic != FF_TELEGRAM_MAGIC)
        return ff_error_set(err, FF_BAD_FILE, "telegram: magic number %08x, expected %08x", h.magic, FF_TELEGRAM_MAGIC);
    if (h.version != FF_TELEGRAM_VERSION)
        return ff_error_set(err, FF_BAD_FILE, "telegram: version %d, this side supports %d", h.version,
                            FF_TELEGRAM_VERSION);
    if (h.length != size) return ff_error_set(err, FF_BAD_FILE, "telegram: received %zu of %u bytes", size, h.length);
    const size_t summed = size - FF_TELEGRAM_SUM_SIZE;
    if (ff_telegram_sum(bytes, summed) != ff_get_u32(bytes + summed))
        return ff_error_set(err, FF_BAD_FILE, "telegram: wrong checksum");
    if (!isfinite(h.time)) return ff_error_set(err, FF_BAD_FILE, "telegram: its time is not finite");
    *head = h;
    *payload = bytes + HEAD;
    *payload_size = summed - HEAD;
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ items

/// Offsets of the parts of a payload of items.  [byte]
typedef struct items_places {
    size_t bits, ages, values, signals, end;
} items_places;

static size_t round_up(size_t n)
{
    return (n + 7) / 8 * 8;
}

static items_places find_places(size_t count, size_t nsignal)
{
    items_places p = {.bits = FF_ITEMS_HEAD_SIZE};
    p.ages = p.bits + round_up((count + 7) / 8);
    p.values = p.ages + round_up(4 * count);
    p.signals = p.values + 8 * count;
    p.end = p.signals + 8 * nsignal;
    return p;
}

/// Age of an item at the time of its frame.  [ns]
static uint32_t age_of(const ff_io_item *item, int64_t time_ns)
{
    if (item->time_ns >= time_ns) return 0;
    const uint64_t age = (uint64_t)time_ns - (uint64_t)item->time_ns;
    return age < UINT32_MAX ? (uint32_t)age : UINT32_MAX;
}

size_t ff_items_pack(const ff_io_frame *frame, uint32_t conditions, const double *signals, int nsignal,
                     unsigned char *bytes, size_t size)
{
    const size_t count = frame->count, n = signals ? (size_t)nsignal : 0;
    const items_places p = find_places(count, n);
    const ff_io_item *items = ff_io_items_of(frame);
    if (p.end > size) return 0;
    put_items_head(bytes, (items_head){frame->count, (uint32_t)n, frame->sequence, conditions, frame->time_ns});
    memset(bytes + p.bits, 0, p.values - p.bits);
    for (size_t i = 0; i < count; i++) {
        const bool known = ff_io_known(&items[i]);
        bytes[p.bits + i / 8] |= (unsigned char)((unsigned)known << (i % 8));
        ff_put_u32(bytes + p.ages + 4 * i, known ? age_of(&items[i], frame->time_ns) : 0);
        ff_put_f64(bytes + p.values + 8 * i, known ? items[i].value : 0.0);
    }
    for (size_t i = 0; i < n; i++) ff_put_f64(bytes + p.signals + 8 * i, signals[i]);
    return p.end;
}

ff_status ff_items_unpack(const unsigned char *bytes, size_t size, ff_io_frame *frame, uint32_t *conditions,
                          double *signals, int nsignal, ff_error *err)
{
    if (size < FF_ITEMS_HEAD_SIZE)
        return ff_error_set(err, FF_BAD_FILE, "telegram: %zu bytes are too few for items", size);
    items_head h;
    get_items_head(bytes, &h);
    const uint32_t count = h.count, n = h.signals;
    if (count != frame->count)
        return ff_error_set(err, FF_BAD_FILE, "telegram: %u items, expected %u", count, frame->count);
    if (n != 0 && n != (uint32_t)nsignal)
        return ff_error_set(err, FF_BAD_FILE, "telegram: %u signals, expected %d", n, nsignal);
    const items_places p = find_places(count, n);
    if (size != p.end)
        return ff_error_set(err, FF_BAD_FILE, "telegram: %zu bytes, expected %u items and %u signals in %zu bytes",
                            size, count, n, p.end);
    ff_io_item *items = ff_io_items(frame);
    frame->sequence = h.sequence;
    frame->time_ns = h.time;
    if (conditions) *conditions = h.conditions;
    for (size_t i = 0; i < count; i++) {
        const double value = ff_get_f64(bytes + p.values + 8 * i);
        const bool known = (bytes[p.bits + i / 8] >> (i % 8) & 1) && isfinite(value);
        const uint64_t age = ff_get_u32(bytes + p.ages + 4 * i);
        items[i] = known ? (ff_io_item){value, (int64_t)((uint64_t)frame->time_ns - age), 1, 0} : (ff_io_item){0};
    }
    for (size_t i = 0; signals && i < n; i++) signals[i] = ff_get_f64(bytes + p.signals + 8 * i);
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ short items

static uint32_t f32_bits(double value)
{
    const float f = (float)value;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static double f32_value(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return (double)f;
}

size_t ff_items_pack_short(const ff_io_frame *frame, unsigned char *bytes, size_t size)
{
    const ff_io_item *items = ff_io_items_of(frame);
    size_t at = (frame->count + 7) / 8;
    if (at > size) return 0;
    memset(bytes, 0, at);
    for (size_t i = 0; i < frame->count; i++) {
        if (!ff_io_known(&items[i])) continue;
        if (size - at < 4) return 0;
        bytes[i / 8] |= (unsigned char)(1U << (i % 8));
        ff_put_u32(bytes + at, f32_bits(items[i].value));
        at += 4;
    }
    return at;
}

ff_status ff_items_unpack_short(const unsigned char *bytes, size_t size, ff_io_frame *frame, ff_error *err)
{
    size_t at = (frame->count + 7) / 8, expected = at;
    for (size_t i = 0; at <= size && i < frame->count; i++) expected += bytes[i / 8] >> (i % 8) & 1 ? 4 : 0;
    if (size != expected)
        return ff_error_set(err, FF_BAD_FILE, "telegram: %zu bytes, expected %u short items in %zu bytes", size,
                            frame->count, expected);
    ff_io_item *items = ff_io_items(frame);
    for (size_t i = 0; i < frame->count; i++) {
        items[i] = (ff_io_item){0};
        if (!(bytes[i / 8] >> (i % 8) & 1)) continue;
        const double value = f32_value(ff_get_u32(bytes + at));
        at += 4;
        if (isfinite(value)) items[i] = (ff_io_item){value, frame->time_ns, 1, 0};
    }
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ interface

uint64_t ff_interface_hash(const ff_interface *interface)
{
    const uint64_t both[2] = {interface->sensors.hash, interface->references.hash};
    unsigned char bytes[16];
    ff_put_u64(bytes, both[0]);
    ff_put_u64(bytes + 8, both[1]);
    return ff_hash(bytes, sizeof bytes, FF_HASH_START);
}

/// Writes a byte with the length of the text, then the text. @return where it ends; NULL: no room
static unsigned char *put_text(unsigned char *to, const unsigned char *end, const char *text)
{
    const size_t length = strlen(text);
    if (!to || (size_t)(end - to) < length + 1) return NULL;
    *to = (unsigned char)length;
    memcpy(to + 1, text, length);
    return to + 1 + length;
}

size_t ff_interface_pack(const ff_interface *interface, unsigned char *bytes, size_t size)
{
    const ff_io_layout *const layouts[3] = {&interface->sensors, &interface->references, &interface->signals};
    const unsigned char *end = bytes + size;
    if (size < FF_INTERFACE_HEAD_SIZE) return 0;
    const interface_head h = {interface->period, interface->lockstep, (uint32_t)interface->sensors.count,
                              (uint32_t)interface->references.count, (uint32_t)interface->signals.count};
    unsigned char *to = put_interface_head(bytes, h);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < layouts[k]->count; i++) {
            to = put_text(to, end, layouts[k]->names[i].name);
            to = put_text(to, end, layouts[k]->names[i].unit);
        }
    return to ? (size_t)(to - bytes) : 0;
}

/// Reads a text after a byte with its length. @return where it ends; NULL: it is invalid
static const unsigned char *get_text(const unsigned char *from, const unsigned char *end, char *text, size_t most)
{
    if (!from || from >= end || *from >= most || (size_t)(end - from) < (size_t)*from + 1) return NULL;
    memcpy(text, from + 1, *from);
    text[*from] = '\0';
    return strlen(text) == *from ? from + 1 + *from : NULL;
}

ff_status ff_interface_unpack(const unsigned char *bytes, size_t size, ff_arena *arena, ff_interface *out,
                              ff_error *err)
{
    ff_interface got = {0};
    ff_io_layout *const layouts[3] = {&got.sensors, &got.references, &got.signals};
    const unsigned char *end = bytes + size;
    if (size < FF_INTERFACE_HEAD_SIZE)
        return ff_error_set(err, FF_BAD_FILE, "telegram: %zu bytes are too few for an interface", size);
    interface_head h;
    const unsigned char *from = get_interface_head(bytes, &h);
    got.period = h.period;
    got.lockstep = h.lockstep != 0;
    const uint32_t counts[3] = {h.sensors, h.references, h.signals};
    if (!(got.period > 0.0 && isfinite(got.period)))
        return ff_error_set(err, FF_BAD_FILE, "telegram: invalid period of %g s in an interface", got.period);
    for (int k = 0; k < 3; k++) {
        const uint32_t count = counts[k];
        if (count > size / 2) // name and unit have at least two bytes
            return ff_error_set(err, FF_BAD_FILE, "telegram: %u names in %zu bytes", count, size);
        ff_io_name *names = FF_ARENA_NEW(arena, ff_io_name, (int)count + 1);
        if (!names) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
        for (uint32_t i = 0; i < count; i++) {
            from = get_text(from, end, names[i].name, sizeof names[i].name);
            from = get_text(from, end, names[i].unit, sizeof names[i].unit);
        }
        *layouts[k] = (ff_io_layout){k == 0 ? FF_IO_SENSORS : FF_IO_REFERENCES, (int)count, names,
                                     ff_io_layout_hash(names, (int)count)};
    }
    if (from != end) return ff_error_set(err, FF_BAD_FILE, "telegram: the names of an interface do not fit");
    *out = got;
    return FF_OK;
}
