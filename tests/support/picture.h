// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// PNG pictures, written byte by byte (uncompressed blocks of zlib), so that libpng is not checked by itself.
#ifndef FOOTFALL_TESTS_PICTURE_H
#define FOOTFALL_TESTS_PICTURE_H

#include <stdint.h>
#include <string.h>

static unsigned char picture_bytes[100000];
static size_t picture_length;

static inline void picture_put(const void *bytes, size_t count)
{
    memcpy(picture_bytes + picture_length, bytes, count);
    picture_length += count;
}

static inline void picture_put32(uint32_t x)
{
    const unsigned char b[4] = {(unsigned char)(x >> 24), (unsigned char)(x >> 16), (unsigned char)(x >> 8),
                                (unsigned char)x};
    picture_put(b, 4);
}

static inline void picture_chunk(const char type[5], const unsigned char *data, uint32_t count)
{
    picture_put32(count);
    size_t start = picture_length;
    picture_put(type, 4);
    if (count) picture_put(data, count);
    uint32_t crc = 0xffffffffu; // CRC-32 of type and data, bit by bit
    for (size_t i = start; i < picture_length; i++) {
        crc ^= picture_bytes[i];
        for (int k = 0; k < 8; k++) crc = (crc >> 1) ^ (0xedb88320u & (0u - (crc & 1u)));
    }
    picture_put32(~crc);
}

/// A picture of `rows` bytes a row, colour type and depth as in the format; one stored block holds it all.
static inline void make_picture(uint32_t width, uint32_t height, unsigned char depth, unsigned char colour,
                                const unsigned char *pixels, size_t row)
{
    static const unsigned char magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    unsigned char head[13] = {0}, data[60000];
    picture_length = 0;
    picture_put(magic, 8);
    for (int i = 0; i < 4; i++) {
        head[i] = (unsigned char)(width >> (24 - 8 * i));
        head[4 + i] = (unsigned char)(height >> (24 - 8 * i));
    }
    head[8] = depth;
    head[9] = colour;
    picture_chunk("IHDR", head, 13);
    size_t plain = height * (row + 1), at = 7;
    const unsigned char zlib[7] = {0x78,
                                   0x01,
                                   0x01,
                                   (unsigned char)plain,
                                   (unsigned char)(plain >> 8),
                                   (unsigned char)~plain,
                                   (unsigned char)(~plain >> 8)};
    memcpy(data, zlib, 7);
    uint32_t a = 1, b = 0; // Adler-32
    for (size_t j = 0; j < height; j++)
        for (size_t i = 0; i <= row; i++) {
            data[at] = i == 0 ? 0 : pixels[j * row + i - 1]; // each row starts with its filter: none
            a = (a + data[at]) % 65521;
            b = (b + a) % 65521;
            at++;
        }
    for (int i = 0; i < 4; i++) data[at++] = (unsigned char)((b << 16 | a) >> (24 - 8 * i));
    picture_chunk("IDAT", data, (uint32_t)at);
    picture_chunk("IEND", NULL, 0);
}

#endif
