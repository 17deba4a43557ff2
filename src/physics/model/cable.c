// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Places on the cable (cable.h): how they are written, and whether they make a tree.
#include "model/cable.h"
#include "model/edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const ff_spec_setting *ff_cable_find(const ff_spec_setting *settings, int count)
{
    const ff_spec_setting *station = ff_settings_find(settings, count, "station");
    return station && station->count > 0 ? station : NULL;
}

enum { ADDRESS_MOST = 65535, PORT_MOST = 3 }; // port 0 is the one towards the master

/// A number of a list; 0 where it is out of range, which ff_cable_check reports.
static int number(const ff_spec_setting *s, int i, int most)
{
    return s->values[i] >= 1.0 && s->values[i] <= most ? (int)s->values[i] : 0;
}

ff_cable_place ff_cable_at(const ff_spec_setting *s, int hop)
{
    if (!s) return (ff_cable_place){0};
    const int behind = 2 * hop + 1; // where its number is in the list
    return (ff_cable_place){.address = (uint16_t)number(s, hop ? behind - 2 : 0, ADDRESS_MOST),
                            .behind = behind < s->count ? (uint16_t)number(s, behind, ADDRESS_MOST) : 0,
                            .port = behind + 1 < s->count ? number(s, behind + 1, PORT_MOST) : 1,
                            .source = s->place};
}

int ff_cable_hops(const ff_spec_setting *setting)
{
    return setting->count / 2 > 1 ? setting->count / 2 : 1; // a list ends with an address whose place it does not give
}

// ------------------------------------------------------------------------------------------ the tree

/// A station, as all lists together describe it.
typedef struct station {
    ff_cable_place place;
    const char *name; // of its first device; NULL: a coupler
    int ndevice;
    bool wrong; // an error is reported, so that its consequences are not
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

static const char *describe(const station *s, char buffer[100])
{
    if (s->name)
        snprintf(buffer, 100, "'%.60s' at address %d", s->name, s->place.address);
    else
        snprintf(buffer, 100, "at address %d", s->place.address);
    return buffer;
}

/// "in line 4", with the file where that is another one than `here`.
static const char *describe_line(ff_place there, ff_place here, char buffer[300])
{
    if (there.file && here.file && strcmp(there.file, here.file) != 0)
        snprintf(buffer, 300, "in line %d of %.250s", there.line, there.file);
    else
        snprintf(buffer, 300, "in line %d", there.line);
    return buffer;
}

/// Adds a station. Several lists may give its place, and lists may leave it to other lists.
static void add_station(tree *t, ff_cable_place place, const char *device)
{
    char line[300];
    station *s = find(t, place.address);
    if (!s) {
        s = &t->stations[t->count++];
        *s = (station){.place = place};
    }
    if (!s->place.behind) s->place = place;
    if (place.behind && place.port && s->place.port && (s->place.behind != place.behind || s->place.port != place.port))
        ff_report_add(
            t->report, FF_ERROR, place.source,
            "address %d hangs at port %d of address %d here, and at port %d of address %d %s: it has one place",
            place.address, place.port, place.behind, s->place.port, s->place.behind,
            describe_line(s->place.source, place.source, line));
    if (!device) return;
    if (!s->name) s->name = device;
    if (++s->ndevice == FF_CABLE_DEVICES + 1)
        ff_report_add(t->report, FF_ERROR, place.source, "address %d has more than %d devices, which a slave may have",
                      place.address, FF_CABLE_DEVICES);
}

/// The schema accepts any number for the key, so that a wrong one does not hide the rest of the list.
static void check_numbers(const tree *t, const ff_spec_setting *list)
{
    for (int i = 0; i < list->count; i++) {
        const bool is_port = i >= 2 && i % 2 == 0;
        if (number(list, i, is_port ? PORT_MOST : ADDRESS_MOST)) continue;
        if (is_port)
            ff_report_add(t->report, FF_ERROR, list->place,
                          "'station' has port %.10g of address %.10g: ports are 1, 2 and 3, and 0 is the one towards "
                          "the master",
                          list->values[i], list->values[i - 1]);
        else
            ff_report_add(t->report, FF_ERROR, list->place, "'station' has address %.10g: addresses are 1 to %d",
                          list->values[i], ADDRESS_MOST);
    }
}

static bool is_valid(const ff_spec_setting *list, int hop, ff_cable_place place)
{
    return place.port && (place.behind || 2 * hop + 1 >= list->count);
}

static void add_list(tree *t, const ff_spec_setting *settings, int count, const char *device)
{
    const ff_spec_setting *list = ff_cable_find(settings, count);
    if (!list) return;
    check_numbers(t, list);
    for (int hop = 0; hop < ff_cable_hops(list); hop++) {
        const ff_cable_place place = ff_cable_at(list, hop);
        if (!place.address) continue;
        add_station(t, place, hop ? NULL : device);
        if (!is_valid(list, hop, place)) find(t, place.address)->wrong = true;
    }
}

/// Checks the place of one station.
static void check_one(const tree *t, station *s)
{
    const ff_cable_place *p = &s->place;
    char name[100];
    if (p->behind == p->address)
        ff_report_add(t->report, FF_ERROR, p->source, "station %s hangs behind itself", describe(s, name));
    else if (p->behind && !find(t, p->behind))
        ff_report_add(t->report, FF_ERROR, p->source,
                      "station %s hangs behind address %d, which no drive or sensor has", describe(s, name), p->behind);
    else
        return;
    s->wrong = true;
}

/// Checks the places of two stations together. @return false: reported
static bool check_two(const tree *t, const station *one, const station *two)
{
    char first[100], second[100];
    if (one->wrong || two->wrong || one->place.behind != two->place.behind) return true;
    if (!one->place.behind)
        ff_report_add(t->report, FF_ERROR, two->place.source,
                      "stations %s and %s both hang behind no other station: only one is next to the master",
                      describe(one, first), describe(two, second));
    else if (one->place.port == two->place.port)
        ff_report_add(t->report, FF_ERROR, two->place.source, "stations %s and %s both hang at port %d of address %d",
                      describe(one, first), describe(two, second), two->place.port, two->place.behind);
    else
        return true;
    return false;
}

/// Stations of which each hangs behind the next, and the last behind `s`; 0: it is in no circle.
static int circle_length(const tree *t, const station *s)
{
    const station *at = s;
    for (int n = 1; n <= t->count; n++) {
        at = at->place.behind ? find(t, at->place.behind) : NULL;
        if (!at) return 0;
        if (at == s) return n;
    }
    return 0;
}

/// A cycle is reported once, at the first of its stations, with all addresses. A station that hangs behind a cycle is
/// not in it, and one that hangs behind itself is reported elsewhere.
static void check_circle(const tree *t, const station *s)
{
    char text[300];
    const int n = circle_length(t, s);
    const station *at = s;
    size_t used = (size_t)snprintf(text, sizeof text, "%d", s->place.address);
    if (n < 2) return;
    for (int i = 1; i < n; i++) {
        at = find(t, at->place.behind);
        if (at < s) return;
        if (used < sizeof text - 8) // a long cycle is cut
            used += (size_t)snprintf(text + used, sizeof text - used, ", %d", at->place.address);
    }
    ff_report_add(t->report, FF_ERROR, s->place.source,
                  "stations at addresses %s each hang behind the next, and the last behind the first: it is a circle, "
                  "which is not connected to the master",
                  text);
}

/// Reports all mistakes, but not their consequences.
static void check_tree(const tree *t)
{
    for (int i = 0; i < t->count; i++) check_one(t, &t->stations[i]);
    for (int i = 0; i < t->count; i++)
        for (int k = 0; k < i && check_two(t, &t->stations[k], &t->stations[i]);) k++;
    for (int i = 0; i < t->count; i++) check_circle(t, &t->stations[i]);
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
    for (int i = 0; i < spec->ndrive; i++)
        add_list(&t, spec->drives[i].settings, spec->drives[i].nsetting, spec->drives[i].name);
    for (int i = 0; i < spec->nsensor; i++)
        add_list(&t, spec->sensors[i].settings, spec->sensors[i].nsetting, spec->sensors[i].name);
    check_tree(&t);
    free(t.stations);
}
