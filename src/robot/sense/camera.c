// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The pinhole camera of footfall/camera.h. Shading: a third of the colour everywhere, two thirds by the cosine to the
// light.
#include "sense/private.h"

#include <stdlib.h>
#include <string.h>

#ifdef FF_WITH_PNG
#include <png.h>
#endif

ff_camera ff_camera_default(void)
{
    return (ff_camera){.width = 320,
                       .height = 240,
                       .field = FF_PI / 3.0,
                       .reach = 100.0,
                       .sky = {0.6F, 0.75F, 0.9F},
                       .light = {0.36, 0.48, 0.8}};
}

/// @return NULL without memory
static ff_picture *allocate(int width, int height)
{
    const size_t pixels = (size_t)width * (size_t)height;
    ff_picture *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->width = width;
    p->height = height;
    p->rgb = calloc(pixels, 3);
    p->depth = calloc(pixels, sizeof *p->depth);
    p->shape = calloc(pixels, sizeof *p->shape);
    for (size_t i = 0; p->shape && i < pixels; i++) p->shape[i] = -1;
    if (p->rgb && p->depth && p->shape) return p;
    ff_picture_destroy(p);
    return NULL;
}

ff_picture *ff_picture_create(int width, int height, ff_error *err)
{
    if (width < 1 || height < 1 || width > FF_CAMERA_SIDE_MAX || height > FF_CAMERA_SIDE_MAX) {
        ff_error_set(err, FF_BAD_ARGUMENT, "a picture of %d x %d pixels: each side must be 1 to %d", width, height,
                     FF_CAMERA_SIDE_MAX);
        return NULL;
    }
    ff_picture *p = allocate(width, height);
    if (!p) ff_error_set(err, FF_NO_MEMORY, "no memory for a picture of %d x %d pixels", width, height);
    return p;
}

void ff_picture_destroy(ff_picture *picture)
{
    if (!picture) return;
    free(picture->rgb);
    free(picture->depth);
    free(picture->shape);
    free(picture);
}

/// The focal length: pixels for one unit of slope.
static double focal(const ff_camera *camera, int height)
{
    const double half = 0.5 * camera->field;
    double sine, cosine;
    ff_sincos(&half, &sine, &cosine, 1);
    return 0.5 * height * cosine / sine;
}

double ff_camera_project(const ff_camera *camera, const double pos[3], const double R[9], const double point[3],
                         double pixel[2])
{
    const double f = focal(camera, camera->height);
    double arm[3], local[3];
    ff_vec3_sub(arm, point, pos);
    ff_mat3_tmulv(local, R, arm);
    pixel[0] = 0.5 * camera->width - f * local[1] / local[0];
    pixel[1] = 0.5 * camera->height - f * local[2] / local[0];
    return local[0];
}

static unsigned char to_byte(double value)
{
    return (unsigned char)(255.0 * (value < 0.0 ? 0.0 : value > 1.0 ? 1.0 : value) + 0.5);
}

static void paint(const ff_camera *camera, const ff_sense_view *view, int shape, const ff_ray_hit *hit,
                  ff_random *random, unsigned char rgb[3])
{
    const float *colour = shape >= 0 ? view->shapes[shape].colour : camera->sky;
    double light = 1.0;
    if (shape >= 0) {
        const double cosine = ff_vec3_dot(hit->normal, camera->light);
        light = (1.0 + 2.0 * (cosine > 0.0 ? cosine : 0.0)) / 3.0;
    }
    for (int k = 0; k < 3; k++) {
        const double noise = random && camera->noise > 0.0 ? camera->noise * ff_random_normal(random) : 0.0;
        rgb[k] = to_byte((double)colour[k] * light + noise);
    }
}

void ff_camera_take(const ff_camera *camera, const ff_sense_view *view, const double pos[3], const double R[9],
                    int skip, ff_random *random, ff_picture *out)
{
    const double f = focal(camera, out->height);
    double local[3], direction[3];
    ff_ray_hit hit;
    size_t pixel = 0;
    for (int j = 0; j < out->height; j++)
        for (int i = 0; i < out->width; i++, pixel++) {
            ff_vec3_set(local, f, 0.5 * out->width - (i + 0.5), 0.5 * out->height - (j + 0.5));
            const double length = ff_vec3_norm(local);
            ff_vec3_scale(local, local, 1.0 / length);
            ff_mat3_mulv(direction, R, local);
            const int shape = ff_sense_ray(view, pos, direction, camera->reach, skip, &hit);
            out->shape[pixel] = shape;
            out->depth[pixel] = shape >= 0 ? (float)(hit.distance * f / length) : INFINITY;
            paint(camera, view, shape, &hit, random, out->rgb + 3 * pixel);
        }
}

// ------------------------------------------------------------------------------------------ files

bool ff_picture_built(void)
{
#ifdef FF_WITH_PNG
    return true;
#else
    return false;
#endif
}

#ifdef FF_WITH_PNG
static ff_status write_image(const ff_picture *p, const char *path, png_uint_32 format, const void *pixels,
                             ff_error *err)
{
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = (png_uint_32)p->width;
    image.height = (png_uint_32)p->height;
    image.format = format;
    if (png_image_write_to_file(&image, path, 0, pixels, 0, NULL)) return FF_OK;
    return ff_error_set(err, FF_NOT_WRITTEN, "%s: cannot write the picture: %s", path, image.message);
}

ff_status ff_picture_write(const ff_picture *picture, const char *path, ff_error *err)
{
    return write_image(picture, path, PNG_FORMAT_RGB, picture->rgb, err);
}

ff_status ff_picture_write_depth(const ff_picture *picture, const char *path, ff_error *err)
{
    const size_t pixels = (size_t)picture->width * (size_t)picture->height;
    png_uint_16 *grey = malloc(pixels * sizeof *grey);
    if (!grey) return ff_error_set(err, FF_NO_MEMORY, "%s: no memory for the picture", path);
    for (size_t i = 0; i < pixels; i++) {
        const double mm = 1000.0 * (double)picture->depth[i];
        grey[i] = (png_uint_16)(mm < 65535.0 ? mm + 0.5 : 65535.0);
    }
    const ff_status status = write_image(picture, path, PNG_FORMAT_LINEAR_Y, grey, err);
    free(grey);
    return status;
}
#else
ff_status ff_picture_write(const ff_picture *picture, const char *path, ff_error *err)
{
    (void)picture;
    return ff_error_set(err, FF_NOT_BUILT, "%s: this build has no libpng to write pictures", path);
}

ff_status ff_picture_write_depth(const ff_picture *picture, const char *path, ff_error *err)
{
    return ff_picture_write(picture, path, err);
}
#endif
