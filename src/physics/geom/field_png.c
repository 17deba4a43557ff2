// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Height fields from PNG pictures, through libpng. The file is read whole, with a limit, and its pixels are
// counted before memory is taken for them. libpng reports problems by a jump out of the middle of its work, so
// everything that must be freed lives in one struct.
#include "geom/field_png.h"

#include <footfall/text.h>
#include <stdlib.h>
#include <string.h>

#include "base/missing.h"

#ifdef FF_WITH_PNG
#include <png.h>

#define MOST_BYTES  ((size_t)64 << 20)
#define MOST_PIXELS 4e6
#define MOST_SIDE   100000u

typedef struct picture {
    const unsigned char *bytes;
    size_t length, at; // of the file; how much libpng has read
    char problem[200]; // last error message of libpng
    png_structp png;
    png_infop info;
    unsigned char *pixels;
    png_bytep *rows;
    unsigned width, height;
    int depth;
    bool any_kind; // pictures that are not grey are read, too
    size_t pixel;  // bytes of one; its first channel is the height
} picture;

static void on_error(png_structp png, const char *text)
{
    picture *p = png_get_error_ptr(png);
    strncpy(p->problem, text, sizeof p->problem - 1);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, const char *text)
{
    (void)png, (void)text; // about colour profiles and the like: heights do not depend on them
}

static void read_bytes(png_structp png, png_bytep out, size_t count)
{
    picture *p = png_get_io_ptr(png);
    if (count > p->length - p->at) png_error(png, "the file ends in the middle");
    memcpy(out, p->bytes + p->at, count);
    p->at += count;
}

static ff_status read_header(picture *p, ff_error *err)
{
    png_read_info(p->png, p->info);
    p->width = png_get_image_width(p->png, p->info);
    p->height = png_get_image_height(p->png, p->info);
    p->depth = png_get_bit_depth(p->png, p->info);
    int colour = png_get_color_type(p->png, p->info);
    if (!p->any_kind && (colour != PNG_COLOR_TYPE_GRAY || p->depth < 8))
        return ff_error_set(err, FF_BAD_FILE, "the picture has %s: a height field is grey with 8 or 16 bits",
                            colour == PNG_COLOR_TYPE_GRAY   ? "less than 8 bits"
                            : colour & PNG_COLOR_MASK_COLOR ? "colours"
                                                            : "transparency");
    if (p->width < 2 || p->height < 2)
        return ff_error_set(err, FF_BAD_FILE, "the picture has %u x %u pixels: a height field needs 2 x 2", p->width,
                            p->height);
    if ((double)p->width * p->height > MOST_PIXELS)
        return ff_error_set(err, FF_LIMIT, "the picture has %u x %u pixels, more than the limit of %g", p->width,
                            p->height, MOST_PIXELS);
    return FF_OK;
}

/// The calls of libpng that may jump back to here with an error.
static ff_status read_pixels(picture *p, ff_error *err)
{
    if (setjmp(png_jmpbuf(p->png))) return ff_error_set(err, FF_BAD_FILE, "the picture is damaged: %s", p->problem);
    png_set_user_limits(p->png, MOST_SIDE, MOST_SIDE);
    png_set_read_fn(p->png, p, read_bytes);
    ff_status status = read_header(p, err);
    if (status != FF_OK) return status;
    png_set_expand(p->png); // a palette becomes colours, and less than 8 bits become 8
    png_set_interlace_handling(p->png);
    png_read_update_info(p->png, p->info);
    p->depth = png_get_bit_depth(p->png, p->info);
    p->pixel = (size_t)png_get_channels(p->png, p->info) * (size_t)p->depth / 8;
    const size_t row = p->width * p->pixel;
    p->pixels = calloc(p->height, row);
    p->rows = calloc(p->height, sizeof *p->rows);
    if (!p->pixels || !p->rows) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    for (unsigned i = 0; i < p->height; i++) p->rows[i] = p->pixels + i * row;
    png_read_image(p->png, p->rows);
    png_read_end(p->png, NULL);
    return FF_OK;
}

static ff_field *make_field(const picture *p, const double size[2], double height, ff_error *err)
{
    size_t nx = p->width, ny = p->height;
    double *heights = malloc(nx * ny * sizeof *heights);
    if (!heights) {
        ff_error_set(err, FF_NO_MEMORY, "no memory for %zu x %zu heights", nx, ny);
        return NULL;
    }
    for (size_t j = 0; j < ny; j++)
        for (size_t i = 0; i < nx; i++) {
            const unsigned char *at = p->rows[ny - 1 - j] + i * p->pixel; // pictures go down, y goes up
            double white = p->depth == 16 ? 65535.0 : 255.0;
            double grey = p->depth == 16 ? 256.0 * at[0] + at[1] : at[0];
            heights[j * nx + i] = height * grey / white;
        }
    ff_field *field = ff_field_create(heights, (int)nx, (int)ny, size, err);
    free(heights);
    return field;
}

static ff_field *decode(picture p, const double size[2], double height, ff_error *err)
{
    ff_field *field = NULL;
    if (p.length < 8 || png_sig_cmp(p.bytes, 0, 8) != 0) {
        ff_error_set(err, FF_BAD_FILE, "this is no PNG picture");
        return NULL;
    }
    p.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &p, on_error, on_warning);
    p.info = p.png ? png_create_info_struct(p.png) : NULL;
    ff_status status = p.info ? read_pixels(&p, err) : ff_error_set(err, FF_NO_MEMORY, "out of memory");
    if (status == FF_OK) field = make_field(&p, size, height, err);
    png_destroy_read_struct(&p.png, &p.info, NULL);
    free(p.pixels);
    free(p.rows);
    return field;
}
#endif

ff_field *ff_field_create_png(const char *path, const double size[2], double height, ff_error *err)
{
    if (!path || !size) return ff_error_missing(err, __func__, path ? "size" : "path"), NULL;
    return ff_field_read_png(path, size, height, false, err);
}

ff_field *ff_field_read_png(const char *path, const double size[2], double height, bool any_kind, ff_error *err)
{
    if (!(size[0] > 0.0 && size[1] > 0.0 && isfinite(size[0] + size[1] + height))) {
        ff_error_set(err, FF_BAD_ARGUMENT, "a height field of %g m x %g m and %g m height", size[0], size[1], height);
        return NULL;
    }
#ifdef FF_WITH_PNG
    char *bytes;
    size_t length;
    if (ff_text_read(path, MOST_BYTES, &bytes, &length, err) != FF_OK) return NULL;
    const picture p = {.bytes = (const unsigned char *)bytes, .length = length, .any_kind = any_kind};
    ff_field *field = decode(p, size, height, err);
    free(bytes);
    return field;
#else
    (void)path, (void)any_kind;
    ff_error_set(err, FF_NOT_BUILT,
                 "this build of Footfall was made without libpng; build it with FOOTFALL_WITH_PNG=ON");
    return NULL;
#endif
}
