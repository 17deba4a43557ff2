// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Rays against large surfaces by Embree 3 (I. Wald and others, Embree: a kernel framework for efficient CPU ray
// tracing, SIGGRAPH 2014). It works in single precision and gives only the triangle; distance and place come from
// that triangle in double precision, bit-identical to our own tree. Where the ray in double precision misses
// this triangle narrowly, our own tree decides.
#include <embree3/rtcore.h>

#include "surface.h"

// With fewer triangles our own tree takes about half a microsecond, and Embree's threads and memory are not worth their
// start.
#define MIN_TRIANGLES 10000

static void fill(const ff_surface *s, RTCGeometry geometry)
{
    size_t nv = (size_t)s->facets.nvertex, nt = (size_t)s->nlive;
    float *vertex =
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), nv);
    unsigned *index =
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(unsigned), nt);
    for (size_t i = 0; vertex && i < 3 * nv; i++) vertex[i] = (float)s->vertex[i];
    for (size_t i = 0; index && i < nt; i++)
        for (size_t k = 0; k < 3; k++) index[3 * i + k] = (unsigned)s->triangle[3 * (size_t)s->order[i] + k];
    rtcCommitGeometry(geometry);
}

void *ff_embree_create(const ff_surface *s)
{
    if (s->nlive < MIN_TRIANGLES) return NULL;
    RTCDevice device = rtcNewDevice("threads=1,set_affinity=0");
    if (!device) return NULL;
    RTCScene scene = rtcNewScene(device);
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcReleaseDevice(device); // the scene keeps it
    if (!scene || !geometry) {
        if (scene) rtcReleaseScene(scene);
        if (geometry) rtcReleaseGeometry(geometry);
        return NULL;
    }
    rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST); // no ray slips through between two triangles
    fill(s, geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene);
    return scene;
}

void ff_embree_destroy(void *scene)
{
    if (scene) rtcReleaseScene(scene);
}

bool ff_embree_ray(const ff_surface *s, const double o[3], const double d[3], double *range, int *triangle)
{
    struct RTCIntersectContext context;
    struct RTCRayHit ray = {.ray = {.org_x = (float)o[0],
                                    .org_y = (float)o[1],
                                    .org_z = (float)o[2],
                                    .dir_x = (float)d[0],
                                    .dir_y = (float)d[1],
                                    .dir_z = (float)d[2],
                                    .tfar = (float)*range,
                                    .mask = ~0u},
                            .hit = {.geomID = RTC_INVALID_GEOMETRY_ID, .instID = {RTC_INVALID_GEOMETRY_ID}}};
    rtcInitIntersectContext(&context);
    rtcIntersect1(s->rays, &context, &ray);
    if (ray.hit.geomID == RTC_INVALID_GEOMETRY_ID) return false;
    double c[9], n[3], at;
    int t = s->order[ray.hit.primID];
    ff_surface_get(s, t, c, n);
    if (!ff_ray_triangle(c, o, d, &at) || at > *range) return ff_surface_ray_tree(s, o, d, range, triangle);
    *range = at;
    *triangle = t;
    return true;
}
