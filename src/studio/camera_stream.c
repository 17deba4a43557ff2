// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Camera pictures for the pages that requested them: at most 15 a second, and only the newest is kept. A picture that
// is larger than FF_WORKBENCH_FRAME_MAX is subsampled by a whole factor.
#include "protocol.h"
#include "workbench_inner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = sizeof(ff_picture_head) };

/// Slot of a camera in `pictures`, either its own or a free one; NULL: none is free.
static ff_bench_picture *find_slot(ff_workbench *b, int sensor)
{
    ff_bench_picture *spare = NULL;
    for (int i = 0; i < FF_BENCH_CAMERAS; i++) {
        if (b->pictures[i].sensor == sensor + 1) return &b->pictures[i];
        bool used = false;
        for (int k = 0; k < FF_WORKBENCH_CLIENTS; k++)
            used = used || b->clients[k].sent_camera == b->pictures[i].sensor - 1;
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
    client->sent_camera = -1;
    ff_bench_picture *slot = sensor >= 0 ? find_slot(b, sensor) : NULL;
    if (slot) {
        if (slot->sensor != sensor + 1) {
            slot->sensor = sensor + 1;
            slot->size = 0;
            slot->time = NAN;
        }
        client->sent_camera = sensor;
        client->picture = slot->number - 1;
    }
    pthread_mutex_unlock(&b->out_lock);
    b->next_picture = 0.0;
}

/// Number of a camera among the cameras, from its number among the sensors.
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
    put16(all + offsetof(ff_picture_head, camera), (unsigned)camera_number(b->scene.spec->plant->sensors, sensor));
    put32(all + offsetof(ff_picture_head, generation), b->scene.generation);
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
        ff_bench_picture *slot = &b->pictures[i];
        bool wanted = false;
        for (int k = 0; k < FF_WORKBENCH_CLIENTS; k++)
            wanted = wanted ||
                     (b->clients[k].connected && b->clients[k].camera >= 0 && b->clients[k].camera == slot->sensor - 1);
        const ff_picture *p =
            wanted ? ff_sim_picture(ff_run_sim(b->scene.run), (ff_sensor_id){slot->sensor - 1}) : NULL;
        if (!p || p->width < 1 || !p->rgb || (slot->size > 0 && slot->time == p->time)) continue;
        size_t size;
        unsigned char *bytes = encode(b, slot->sensor - 1, p, &size), *previous;
        if (!bytes) continue;
        pthread_mutex_lock(&b->out_lock);
        previous = slot->bytes;
        slot->bytes = bytes;
        slot->size = size;
        slot->time = p->time;
        slot->number++;
        pthread_mutex_unlock(&b->out_lock);
        free(previous);
    }
}

size_t ff_bench_copy_picture(ff_workbench *b, ff_bench_client *client, unsigned char *bytes, size_t size)
{
    for (int i = 0; client->sent_camera >= 0 && i < FF_BENCH_CAMERAS; i++) {
        const ff_bench_picture *slot = &b->pictures[i];
        if (slot->sensor != client->sent_camera + 1 || slot->size == 0 || slot->size > size ||
            slot->number == client->picture)
            continue;
        memcpy(bytes, slot->bytes, slot->size);
        client->picture = slot->number;
        return slot->size;
    }
    return 0;
}

void ff_bench_find_cameras(ff_workbench *b)
{
    const ff_sensor_set *set = b->scene.spec->plant->sensors;
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
