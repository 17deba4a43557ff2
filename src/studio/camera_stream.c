// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Camera pictures for the pages that requested them: at most 15 a second, only the newest is kept, and pictures that
// exceed a frame are subsampled by whole factors.
#include "protocol.h"
#include "workbench_inner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = sizeof(ff_picture_head) };

/// Slot of a camera among the pictures, NULL: none is free.
static ff_bench_picture *find_place(ff_workbench *b, int sensor)
{
    ff_bench_picture *spare = NULL;
    for (int i = 0; i < FF_BENCH_CAMERAS; i++) {
        if (b->pictures[i].sensor == sensor + 1) return &b->pictures[i];
        bool used = false;
        for (int k = 0; k < FF_WORKBENCH_CLIENTS; k++) used = used || b->clients[k].shown == b->pictures[i].sensor - 1;
        if (b->pictures[i].sensor == 0 || !used) spare = &b->pictures[i];
    }
    return spare;
}

void ff_bench_show_camera(ff_workbench *b, ff_bench_client *client, int sensor, const char *name)
{
    char *copy = name ? strdup(name) : NULL;
    free(client->camera_name);
    client->camera_name = copy;
    client->camera = sensor;
    pthread_mutex_lock(&b->out_lock);
    client->shown = -1;
    ff_bench_picture *place = sensor >= 0 ? find_place(b, sensor) : NULL;
    if (place) {
        if (place->sensor != sensor + 1) {
            place->sensor = sensor + 1;
            place->size = 0;
            place->time = NAN;
        }
        client->shown = sensor;
        client->picture = place->number - 1;
    }
    pthread_mutex_unlock(&b->out_lock);
    b->next_picture = 0.0;
}

/// Number of a sensor among the cameras.
static int camera_number(const ff_sensor_set *set, int sensor)
{
    int n = 0;
    for (int i = 0; i < sensor; i++) n += set->sensors[i].type == FF_SENSOR_CAMERA;
    return n;
}

static unsigned char *encode(const ff_workbench *b, int sensor, const ff_picture *p, size_t *size)
{
    int factor = 1;
    while (HEAD + (size_t)3 * (size_t)(p->width / factor) * (size_t)(p->height / factor) > FF_WORKBENCH_FRAME_MAX)
        factor++;
    const int width = p->width / factor, height = p->height / factor;
    *size = HEAD + 3 * (size_t)width * (size_t)height;
    unsigned char *all = malloc(*size), *out = all + HEAD;
    if (!all) return NULL;
    put32(all + offsetof(ff_picture_head, magic), FF_PICTURE_MAGIC);
    put16(all + offsetof(ff_picture_head, version), FF_FRAME_VERSION);
    put16(all + offsetof(ff_picture_head, camera), (unsigned)camera_number(b->stage.scene->plant->sensors, sensor));
    put32(all + offsetof(ff_picture_head, generation), b->stage.generation);
    put16(all + offsetof(ff_picture_head, width), (unsigned)width);
    put16(all + offsetof(ff_picture_head, height), (unsigned)height);
    put_double(all + offsetof(ff_picture_head, t), p->time);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++, out += 3)
            memcpy(out, p->rgb + 3 * ((size_t)y * (size_t)factor * (size_t)p->width + (size_t)x * (size_t)factor), 3);
    return all;
}

void ff_bench_take_pictures(ff_workbench *b, double now)
{
    if (now < b->next_picture) return;
    b->next_picture = now + 1.0 / FF_BENCH_PICTURE_HZ;
    for (int i = 0; i < FF_BENCH_CAMERAS; i++) {
        ff_bench_picture *place = &b->pictures[i];
        bool wanted = false;
        for (int k = 0; k < FF_WORKBENCH_CLIENTS; k++)
            wanted = wanted ||
                     (b->clients[k].here && b->clients[k].camera >= 0 && b->clients[k].camera == place->sensor - 1);
        const ff_picture *p =
            wanted ? ff_sim_picture(ff_run_sim(b->stage.run), (ff_sensor_id){place->sensor - 1}) : NULL;
        if (!p || p->width < 1 || !p->rgb || (place->size > 0 && place->time == p->time)) continue;
        size_t size;
        unsigned char *bytes = encode(b, place->sensor - 1, p, &size), *before;
        if (!bytes) continue;
        pthread_mutex_lock(&b->out_lock);
        before = place->bytes;
        place->bytes = bytes;
        place->size = size;
        place->time = p->time;
        place->number++;
        pthread_mutex_unlock(&b->out_lock);
        free(before);
    }
}

size_t ff_bench_hand_picture(ff_workbench *b, ff_bench_client *client, unsigned char *bytes, size_t size)
{
    for (int i = 0; client->shown >= 0 && i < FF_BENCH_CAMERAS; i++) {
        const ff_bench_picture *place = &b->pictures[i];
        if (place->sensor != client->shown + 1 || place->size == 0 || place->size > size ||
            place->number == client->picture)
            continue;
        memcpy(bytes, place->bytes, place->size);
        client->picture = place->number;
        return place->size;
    }
    return 0;
}

void ff_bench_find_cameras(ff_workbench *b)
{
    const ff_sensor_set *set = b->stage.scene->plant->sensors;
    for (int i = 0; i < FF_WORKBENCH_CLIENTS; i++) {
        ff_bench_client *client = &b->clients[i];
        if (!client->camera_name) continue;
        char *name = strdup(client->camera_name);
        const int sensor = set && name ? ff_sensor_set_find(set, name) : -1;
        const bool found = sensor >= 0 && set->sensors[sensor].type == FF_SENSOR_CAMERA;
        ff_bench_show_camera(b, client, found ? sensor : -1, name);
        free(name);
    }
}
