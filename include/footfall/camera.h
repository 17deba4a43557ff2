// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Pinhole camera: one ray a pixel against the shapes of a view, colour by simple shading and depth. Part of the room
// sense. The camera looks along x of its frame, y is left and z up. A point (x, y, z) of that frame appears at
//     u = width / 2 - f y / x       v = height / 2 - f z / x       f = (height / 2) / tan(field / 2)      [pixel]
// with u to the right and v down; pixel (i, j) covers i <= u < i + 1, j <= v < j + 1 and looks through its middle.
#ifndef FOOTFALL_CAMERA_H
#define FOOTFALL_CAMERA_H

#include <footfall/sense.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ff_camera {
    int width, height; // [pixel]
    double field;      // vertical opening angle                     [rad]
    double reach;      // greatest visible distance                  [m]
    double noise;      // of each colour, sigma                      [0 to 1]
    float sky[3];      // where nothing is                           [0 to 1]
    double light[3];   // direction towards the light, unit, world
} ff_camera;

/// 320 x 240 pixels, 60 degrees, 100 m, no noise, light from above.
FF_API ff_camera ff_camera_default(void);

enum { FF_CAMERA_SIDE_MAX = 4096 };

typedef struct ff_picture {
    int width, height;
    unsigned char *rgb; // row by row from above, three bytes a pixel  (3*width*height)
    int *shape;         // of ff_sense_view.shapes that the pixel shows, -1: none  (width*height)
    float *depth;       // along the view axis, infinite where nothing is  [m] (width*height)
    double time;        // when it was taken                            [s]
} ff_picture;

/// @return NULL with the reason in `err`: FF_BAD_ARGUMENT (a side below 1 or above FF_CAMERA_SIDE_MAX), FF_NO_MEMORY
FF_API ff_picture *ff_picture_create(int width, int height, ff_error *err);
/// Frees it; NULL is allowed.
FF_API void ff_picture_destroy(ff_picture *picture);

/// Takes a picture of the size of `out`. No allocation.
/// @param pos,R   of the camera's frame in the world
/// @param skip    body that is not seen, -2: none
/// @param random  for the noise; NULL: none
FF_API void ff_camera_take(const ff_camera *camera, const ff_sense_view *view, const double pos[3], const double R[9],
                           int skip, ff_random *random, ff_picture *out);
/// Where a world point appears. @return its depth, not positive when it lies behind  [m]
FF_API double ff_camera_project(const ff_camera *camera, const double pos[3], const double R[9], const double point[3],
                                double pixel[2]);

/// Can this build write pictures (libpng)?
FF_API bool ff_picture_built(void);
/// Colours as PNG of 8 bits.
/// @return FF_OK, FF_BAD_FILE or FF_NOT_BUILT (without libpng)
FF_API ff_status ff_picture_write(const ff_picture *picture, const char *path, ff_error *err);
/// Depth as grey PNG of 16 bits in millimetres, 65535 for beyond. @return as above
FF_API ff_status ff_picture_write_depth(const ff_picture *picture, const char *path, ff_error *err);

#ifdef __cplusplus
}
#endif
#endif
