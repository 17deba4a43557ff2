// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// CRC-32 of IEEE 802.3 (polynomial 0x04C11DB7, reflected), eight bytes at a time: the contribution of a byte to the sum
// depends on the number of bytes that follow it, so there is a table for each of the eight positions. The sum is linear
// over bits: an entry is the exclusive or of those of its bits, which are listed here.
#include <footfall/link.h>

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
