// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Height fields from pictures: grey values become heights at the right places, and what is no grey picture is refused.
// The pictures are written here byte by byte (uncompressed blocks of zlib), so that libpng is not its own judge.
#include "check.h"
#include "support/folder.h"

#include <footfall/collide.h>
#include <stdint.h>

static unsigned char file[100000];
static size_t length;

static void put(const void *bytes, size_t count)
{
    memcpy(file + length, bytes, count);
    length += count;
}

static void put32(uint32_t x)
{
    const unsigned char b[4] = {(unsigned char)(x >> 24), (unsigned char)(x >> 16), (unsigned char)(x >> 8),
                                (unsigned char)x};
    put(b, 4);
}

static void put_chunk(const char type[5], const unsigned char *data, uint32_t count)
{
    put32(count);
    size_t start = length;
    put(type, 4);
    if (count) put(data, count);
    uint32_t crc = 0xffffffffu; // CRC-32 of type and data, bit by bit
    for (size_t i = start; i < length; i++) {
        crc ^= file[i];
        for (int k = 0; k < 8; k++) crc = (crc >> 1) ^ (0xedb88320u & (0u - (crc & 1u)));
    }
    put32(~crc);
}

/// A picture of `rows` bytes a row, colour type and depth as in the format; one stored block holds it all.
static void make_picture(uint32_t width, uint32_t height, unsigned char depth, unsigned char colour,
                         const unsigned char *pixels, size_t row)
{
    static const unsigned char magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    unsigned char head[13] = {0}, data[60000];
    length = 0;
    put(magic, 8);
    for (int i = 0; i < 4; i++) {
        head[i] = (unsigned char)(width >> (24 - 8 * i));
        head[4 + i] = (unsigned char)(height >> (24 - 8 * i));
    }
    head[8] = depth;
    head[9] = colour;
    put_chunk("IHDR", head, 13);
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
    put_chunk("IDAT", data, (uint32_t)at);
    put_chunk("IEND", NULL, 0);
}

static const char *write_picture(void)
{
    return write_bytes("p.png", file, length);
}

static const double size[2] = {2, 1};

static void must_refuse(const char *says)
{
    ff_error err = {0};
    ff_field *field = ff_field_create_png(write_picture(), size, 1.0, &err);
    if (field) CHECK_FAIL("accepted; expected: %s", says);
    CHECK_SAYS(err.text, says);
    CHECK(err.status != FF_OK);
}

static void need_png(void)
{
#ifndef FF_WITH_PNG
    SKIP("built without libpng");
#endif
}

// Three by two pixels; the upper row of the picture lies at +y.
TEST(grey_is_height)
{
    need_png();
    static const unsigned char eight[6] = {0, 51, 102, 255, 204, 153};
    static const unsigned char sixteen[12] = {0, 0, 0x80, 0, 0xff, 0xff, 0, 1, 1, 0, 0x12, 0x34};
    ff_error err = {0};
    make_picture(3, 2, 8, 0, eight, 3);
    ff_field *field = ff_field_create_png(write_picture(), size, 0.5, &err);
    if (!field) CHECK_FAIL("%s", err.text);
    const double inside = 1 - 1e-12, want[6] = {255, 204, 153, 0, 51, 102};
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 3; i++)
            CHECK_NEAR(ff_field_height(field, (i - 1) * inside, (j - 0.5) * inside), 0.5 * want[3 * j + i] / 255, 1e-9);
    ff_field_destroy(field);
    make_picture(3, 2, 16, 0, sixteen, 6);
    field = ff_field_create_png(write_picture(), size, -65535.0, &err);
    if (!field) CHECK_FAIL("%s", err.text);
    CHECK_NEAR(ff_field_height(field, 0, 0.5 * inside), -0x8000, 1e-3);
    CHECK_NEAR(ff_field_height(field, inside, -0.5 * inside), -0x1234, 1e-3);
    ff_field_destroy(field);
}

TEST(what_is_no_grey_picture_is_refused)
{
    need_png();
    static const unsigned char pixels[5000];
    make_picture(2, 2, 8, 2, pixels, 6);
    must_refuse("the picture has colours: a height field is grey with 8 or 16 bits");
    make_picture(2, 2, 8, 4, pixels, 4);
    must_refuse("transparency");
    make_picture(8, 2, 1, 0, pixels, 1);
    must_refuse("less than 8 bits");
    make_picture(1, 2, 8, 0, pixels, 1);
    must_refuse("1 x 2 pixels");
    make_picture(50000, 50000, 8, 0, pixels, 0);
    must_refuse("50000 x 50000 pixels, more than the limit");
    ff_error err = {0};
    CHECK(!ff_field_create_png("/nowhere/p.png", size, 1.0, &err));
    CHECK_INT(err.status, FF_NOT_FOUND);
    CHECK(!ff_field_create_png("/nowhere/p.png", (const double[2]){0, 1}, 1.0, &err));
    CHECK_INT(err.status, FF_BAD_ARGUMENT);
}

// Every picture cut short, and every byte of a picture changed: a message or a field, never a crash. (Run under
// sanitizers too.)
TEST(damaged_pictures_are_reported)
{
    need_png();
    static const unsigned char pixels[12] = {9, 8, 7, 6, 5, 4, 3, 2, 1};
    make_picture(3, 3, 8, 0, pixels, 3);
    size_t whole = length;
    for (size_t n = 0; n < whole - 12; n++) {
        length = n;
        must_refuse(n < 8 ? "no PNG picture" : "damaged");
    }
    length = whole;
    int refused = 0;
    for (size_t i = 0; i < whole; i++) {
        ff_error err = {0};
        file[i] ^= 0x5a;
        ff_field *field = ff_field_create_png(write_picture(), size, 1.0, &err);
        file[i] ^= 0x5a;
        if (!field && !err.text[0]) CHECK_FAIL("byte %zu: refused without a word", i);
        refused += !field;
        ff_field_destroy(field);
    }
    CHECK(refused > (int)whole / 2);
}
