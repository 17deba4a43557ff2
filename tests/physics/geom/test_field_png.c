// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Height fields from pictures: grey values become heights at the right places; other pictures are refused.
#include "check.h"
#include "support/folder.h"
#include "support/picture.h"

#include <footfall/collide.h>

static const char *write_picture(void)
{
    return write_bytes("p.png", picture_bytes, picture_length);
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

TEST(pictures_that_are_not_grey_are_refused)
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
    size_t whole = picture_length;
    for (size_t n = 0; n < whole - 12; n++) {
        picture_length = n;
        must_refuse(n < 8 ? "no PNG picture" : "damaged");
    }
    picture_length = whole;
    int refused = 0;
    for (size_t i = 0; i < whole; i++) {
        ff_error err = {0};
        picture_bytes[i] ^= 0x5a;
        ff_field *field = ff_field_create_png(write_picture(), size, 1.0, &err);
        picture_bytes[i] ^= 0x5a;
        if (!field && !err.text[0]) CHECK_FAIL("byte %zu: refused without a word", i);
        refused += !field;
        ff_field_destroy(field);
    }
    CHECK(refused > (int)whole / 2);
}
