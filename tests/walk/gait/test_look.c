// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a scan of the head makes of rays whose ends follow from geometry: ledges lower and higher than the eye, hills,
// and nothing at all.
#include "check.h"
#include "gait/climb_plan.h"

#include <footfall/base.h>
#include <footfall/climb.h>
#include <footfall/load.h>
#include <footfall/model.h>

#include <math.h>

static const double EYE[2] = {0.35, 0.106}, REACH = 2.0;

/// Height of the ground at x, of a ledge where length is 0, else of a hill.
typedef struct ground {
    double start, length, height;
} ground;

static double height_at(const ground *g, double x)
{
    if (g->length == 0.0) return x > g->start ? g->height : 0.0;
    const double share = (x - g->start) / g->length;
    return share > 0.0 && share < 1.0 ? 0.5 * g->height * (1.0 - cos(2.0 * FF_PI * share)) : 0.0;
}

/// First point of a ray below the ground, to 1e-4 m, then by bisection.
static double distance_along(const ground *g, const double way[2])
{
    double s = 0.0;
    for (; s < REACH; s += 1e-4)
        if (EYE[1] + s * way[1] < height_at(g, EYE[0] + s * way[0])) break;
    if (s >= REACH) return -1.0;
    double low = s - 1e-4, high = s;
    for (int k = 0; k < 40; k++) {
        const double m = 0.5 * (low + high);
        *(EYE[1] + m * way[1] < height_at(g, EYE[0] + m * way[0]) ? &high : &low) = m;
    }
    return 0.5 * (low + high);
}

/// 5.4 s at 50 Hz, from -0.75 to 0.6 rad, with noise of the distances [m].
static void scan(const ground *g, double noise, ff_look_memory *memory)
{
    ff_random random = ff_random_make(7, 0);
    *memory = (ff_look_memory){0};
    for (double a = -0.75; a < 0.6; a += 0.005) {
        const double way[2] = {cos(a), sin(a)}, s = distance_along(g, way);
        ff_look_ray *ray = &memory->rays[memory->count++];
        *ray = (ff_look_ray){{EYE[0], EYE[1]}, {way[0], way[1]}, s};
        if (s >= 0.0) ray->distance += noise * ff_random_normal(&random);
    }
}

// The eye is 0.106 m high: the top of the first two is seen, of the last only the edge against nothing. Rays are 5 mrad
// apart, 1.3 mm at a wall 0.25 m ahead of the eye; noise of 5 mm.
TEST(a_ledge_is_found_below_and_above_the_eye)
{
    static const double heights[] = {0.05, 0.08, 0.15, 0.22};
    for (int i = 0; i < 4; i++)
        for (int noisy = 0; noisy < 2; noisy++) {
            const ground g = {0.6, 0.0, heights[i]};
            static ff_look_memory memory;
            ff_look_ledge ledge = {0};
            ff_error err = {0};
            scan(&g, noisy ? 5e-3 : 0.0, &memory);
            if (ff_look_find_ledge(&memory, &ledge, &err) != FF_OK) CHECK_FAIL("%s", err.text);
            CHECK_NEAR(ledge.distance, 0.6, noisy ? 3e-3 : 1e-4); // 4 sigma of 5 mm and 40 points
            CHECK_NEAR(ledge.height, heights[i], noisy ? 2.5e-3 : 1e-3);
        }
}

TEST(a_hill_is_found_by_its_near_side)
{
    const ground hills[] = {{0.4, 1.2, 0.15}, {0.5, 0.9, 0.08}};
    for (int i = 0; i < 2; i++)
        for (int noisy = 0; noisy < 2; noisy++) {
            static ff_look_memory memory;
            ff_look_hill hill = {0};
            ff_error err = {0};
            scan(&hills[i], noisy ? 5e-3 : 0.0, &memory);
            if (ff_look_find_hill(&memory, &hill, &err) != FF_OK) CHECK_FAIL("%s", err.text);
            printf("  %.4f %.4f %.4f m\n", hill.start, hill.length, hill.height);
            CHECK_NEAR(hill.start, hills[i].start, noisy ? 0.02 : 1e-6);
            CHECK_NEAR(hill.length, hills[i].length, noisy ? 0.1 : 1e-6);
            CHECK_NEAR(hill.height, hills[i].height, noisy ? 8e-3 : 1e-6);
        }
}

TEST(what_is_not_there_is_not_found)
{
    static ff_look_memory memory;
    ff_look_ledge ledge = {0};
    ff_look_hill hill = {0};
    ff_error err = {0};
    const ground flat = {0.6, 0.0, 0.0}, wall = {0.6, 0.0, 1.0};
    scan(&flat, 5e-3, &memory);
    CHECK_INT(ff_look_find_ledge(&memory, &ledge, &err), FF_NOT_FOUND);
    CHECK_SAYS(err.text, "no ledge is seen");
    CHECK_INT(ff_look_find_hill(&memory, &hill, &err), FF_NOT_FOUND);
    CHECK_SAYS(err.text, "no hill is seen");
    scan(&wall, 5e-3, &memory);
    CHECK_INT(ff_look_find_ledge(&memory, &ledge, &err), FF_NOT_FOUND);
    CHECK_SAYS(err.text, "higher than the head can look");
    memory.count = 0;
    CHECK_INT(ff_look_find_ledge(&memory, &ledge, &err), FF_NOT_FOUND);
}

// A robot without an eye is refused when its controller is bound.
TEST(looking_needs_a_sensor)
{
    ff_report report = {0};
    ff_error err = {0};
    ff_model *m = ff_model_load(FF_SOURCE_DIR "/robots/anton/anton.yaml", NULL, &report);
    if (!m) CHECK_FAIL("%s", report.messages[0].text);
    ff_climb_options o = ff_climb_options_default();
    o.look = true;
    ff_climb *climb = ff_climb_create(m, &o, &err);
    CHECK(climb);
    const ff_io_layout none = {.kind = FF_IO_SENSORS};
    CHECK_INT(ff_climb_bind(climb, &none, &none, &err), FF_NOT_FOUND);
    CHECK_SAYS(err.text, "a sensor of type 'distance'");
    ff_climb_destroy(climb);
    ff_hill_options h = ff_hill_options_default();
    h.look = true;
    ff_hill *hill = ff_hill_create(m, &h, &err);
    CHECK(hill);
    CHECK_INT(ff_hill_bind(hill, &none, &none, &err), FF_NOT_FOUND);
    ff_hill_destroy(hill);
    ff_model_destroy(m);
    ff_report_clear(&report);
}
