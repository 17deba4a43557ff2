// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Places on the cable (cable.h): how they are written, and whether they make a tree.
#include "model/cable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const ff_spec_setting *ff_cable_find(const ff_spec_setting *settings, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(settings[i].name, "station") == 0 && settings[i].count > 0) return &settings[i];
    return NULL;
}

ff_cable_place ff_cable_at(const ff_spec_setting *s, int hop)
{
    if (!s) return (ff_cable_place){0};
    const int behind = 2 * hop + 1; // where its number is in the list
    return (ff_cable_place){.address = (uint16_t)s->values[hop ? behind - 2 : 0],
                            .behind = behind < s->count ? (uint16_t)s->values[behind] : 0,
                            .port = behind + 1 < s->count ? (int)s->values[behind + 1] : 1,
                            .said = s->place};
}

int ff_cable_hops(const ff_spec_setting *setting)
{
    return setting->count / 2 > 1 ? setting->count / 2 : 1; // the last address says nothing of itself
}

// ------------------------------------------------------------------------------------------ the tree

/// A station, with what the lists say of it together.
typedef struct station {
    ff_cable_place place;
    const char *name; // of its first device; NULL: a coupler
    int ndevice;
} station;

typedef struct tree {
    station *stations;
    int count;
    ff_report *report;
} tree;

static station *find(const tree *t, uint16_t address)
{
    for (int i = 0; i < t->count; i++)
        if (t->stations[i].place.address == address) return &t->stations[i];
    return NULL;
}

static const char *call(const station *s, char buffer[100])
{
    if (s->name)
        snprintf(buffer, 100, "'%.60s' at address %d", s->name, s->place.address);
    else
        snprintf(buffer, 100, "at address %d", s->place.address);
    return buffer;
}

/// "in line 4", with the file where that is another one than `here`.
static const char *call_line(ff_place there, ff_place here, char buffer[300])
{
    if (there.file && here.file && strcmp(there.file, here.file) != 0)
        snprintf(buffer, 300, "in line %d of %.250s", there.line, there.file);
    else
        snprintf(buffer, 300, "in line %d", there.line);
    return buffer;
}

/// Lists may say the same, and may leave it to others.
static void add(tree *t, ff_cable_place place, const char *device)
{
    char line[300];
    station *s = find(t, place.address);
    if (!s) {
        s = &t->stations[t->count++];
        *s = (station){.place = place};
    }
    if (!s->place.behind) s->place = place;
    if (place.behind && (s->place.behind != place.behind || s->place.port != place.port))
        ff_report_add(
            t->report, FF_ERROR, place.said,
            "address %d hangs at port %d of address %d here, and at port %d of address %d %s: it has one place",
            place.address, place.port, place.behind, s->place.port, s->place.behind,
            call_line(s->place.said, place.said, line));
    if (!device) return;
    if (!s->name) s->name = device;
    if (++s->ndevice == FF_CABLE_DEVICES + 1)
        ff_report_add(t->report, FF_ERROR, place.said, "address %d has more than %d devices, which a slave may have",
                      place.address, FF_CABLE_DEVICES);
}

/// The key lets through what may be an address, 1 to 65535.
static bool has_sound_ports(const tree *t, const ff_spec_setting *list)
{
    for (int i = 2; i < list->count; i += 2) {
        if (list->values[i] <= 3.0) continue;
        ff_report_add(t->report, FF_ERROR, list->place,
                      "'station' has port %g of address %g: ports are 1, 2 and 3, and 0 is the one towards the master",
                      list->values[i], list->values[i - 1]);
        return false;
    }
    return true;
}

static void add_list(tree *t, const ff_spec_setting *settings, int count, const char *device)
{
    const ff_spec_setting *list = ff_cable_find(settings, count);
    if (!list || !has_sound_ports(t, list)) return;
    for (int hop = 0; hop < ff_cable_hops(list); hop++) add(t, ff_cable_at(list, hop), hop ? NULL : device);
}

/// What is wrong with the place of a station by itself.
static void check_one(const tree *t, const station *s)
{
    const ff_cable_place *p = &s->place;
    char name[100];
    if (p->behind == p->address)
        ff_report_add(t->report, FF_ERROR, p->said, "station %s hangs behind itself", call(s, name));
    else if (p->behind && !find(t, p->behind))
        ff_report_add(t->report, FF_ERROR, p->said, "station %s hangs behind address %d, which no drive or sensor has",
                      call(s, name), p->behind);
}

/// What is wrong with the places of two stations together.
static bool check_two(const tree *t, const station *one, const station *two)
{
    char first[100], second[100];
    if (one->place.behind != two->place.behind) return true;
    if (!one->place.behind)
        ff_report_add(t->report, FF_ERROR, two->place.said,
                      "stations %s and %s both hang behind no other station: only one is next to the master",
                      call(one, first), call(two, second));
    else if (one->place.port == two->place.port)
        ff_report_add(t->report, FF_ERROR, two->place.said, "stations %s and %s both hang at port %d of address %d",
                      call(one, first), call(two, second), two->place.port, two->place.behind);
    else
        return true;
    return false;
}

static bool reaches_master(const tree *t, const station *s)
{
    for (int i = 0; s && i < t->count; i++) {
        if (!s->place.behind) return true;
        s = find(t, s->place.behind);
    }
    return false;
}

static void check(const tree *t)
{
    char name[100];
    const int errors = t->report->errors;
    for (int i = 0; i < t->count; i++) check_one(t, &t->stations[i]);
    for (int i = 0; i < t->count && t->report->errors == errors; i++)
        for (int k = 0; k < i && check_two(t, &t->stations[k], &t->stations[i]);) k++;
    for (int i = 0; i < t->count && t->report->errors == errors; i++)
        if (!reaches_master(t, &t->stations[i]))
            ff_report_add(
                t->report, FF_ERROR, t->stations[i].place.said,
                "station %s hangs behind address %d, and the way on never comes to the master: it is a circle",
                call(&t->stations[i], name), t->stations[i].place.behind);
}

static int count_hops(const ff_spec_setting *settings, int count)
{
    const ff_spec_setting *list = ff_cable_find(settings, count);
    return list ? ff_cable_hops(list) : 0;
}

void ff_cable_check(const ff_spec *spec, ff_report *report)
{
    int most = 0;
    for (int i = 0; i < spec->ndrive; i++) most += count_hops(spec->drives[i].settings, spec->drives[i].nsetting);
    for (int i = 0; i < spec->nsensor; i++) most += count_hops(spec->sensors[i].settings, spec->sensors[i].nsetting);
    if (most == 0) return;
    tree t = {.stations = calloc((size_t)most, sizeof *t.stations), .report = report};
    if (!t.stations) {
        ff_report_add(report, FF_ERROR, (ff_place){0}, "%s", ff_status_text(FF_NO_MEMORY));
        return;
    }
    const int errors = report->errors;
    for (int i = 0; i < spec->ndrive; i++)
        add_list(&t, spec->drives[i].settings, spec->drives[i].nsetting, spec->drives[i].name);
    for (int i = 0; i < spec->nsensor; i++)
        add_list(&t, spec->sensors[i].settings, spec->sensors[i].nsetting, spec->sensors[i].name);
    if (report->errors == errors) check(&t);
    free(t.stations);
}
