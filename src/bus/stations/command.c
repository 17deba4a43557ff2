// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Fault injection on a segment by commands (footfall/stations.h): a table of words.
#include "stations/robot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Arguments of a command.
typedef struct arguments {
    const char *word, *name; // of a station
    int station;             // its number; -1: unknown name
    double number;           // the argument after the name, or in its place
    bool given;              // there is one
} arguments;

static ff_status set_cable(ff_ec_robot *r, const arguments *a, bool connected, bool try_only, ff_error *err)
{
    const int port = a->given ? (int)a->number : 0;
    if (!(port == a->number || !a->given) || port < 0 || port > 3)
        return ff_error_set(err, FF_BAD_ARGUMENT, "a station has ports 0 to 3; 0 leads towards the master");
    if (!ff_ec_station_has_cable(r->segment, a->station, port))
        return ff_error_set(err, FF_BAD_ARGUMENT, "station '%s' has no cable at port %d", a->name, port);
    if (!try_only) ff_ec_station_connect(r->segment, a->station, port, connected);
    return FF_OK;
}

static ff_status cut(ff_ec_robot *r, const arguments *a, bool try_only, ff_error *err)
{
    return set_cable(r, a, false, try_only, err);
}

static ff_status reconnect(ff_ec_robot *r, const arguments *a, bool try_only, ff_error *err)
{
    return set_cable(r, a, true, try_only, err);
}

static ff_status reset(ff_ec_robot *r, const arguments *a, bool try_only, ff_error *err)
{
    (void)err;
    if (!try_only) ff_ec_station_reset(r->segment, a->station, r->now);
    return FF_OK;
}

static ff_status expire(ff_ec_robot *r, const arguments *a, bool try_only, ff_error *err)
{
    (void)err;
    if (!try_only) ff_ec_station_expire(r->segment, a->station);
    return FF_OK;
}

static ff_status forge(ff_ec_robot *r, const arguments *a, bool try_only, ff_error *err)
{
    if (!a->given || !(a->number >= 0.0 && a->number <= UINT32_MAX) || a->number != (uint32_t)a->number)
        return ff_error_set(err, FF_BAD_ARGUMENT, "expected a 32-bit vendor number, such as 0x1234");
    if (!try_only) ff_ec_station_set_vendor(r->segment, a->station, (uint32_t)a->number);
    return FF_OK;
}

static ff_status lose(ff_ec_robot *r, const arguments *a, bool try_only, ff_error *err)
{
    if (!a->given || !(a->number >= 0.0 && a->number <= 100.0))
        return ff_error_set(err, FF_BAD_ARGUMENT, "expected a share of frames from 0 to 100 percent");
    if (!try_only) r->loss = 0.01 * a->number;
    return FF_OK;
}

static ff_status inject(ff_ec_robot *r, const arguments *a, bool try_only, ff_error *err)
{
    return ff_virtual_bus_inject(r->bus, a->word, a->name, try_only, err);
}

enum { NAME = 1, STATION = 2, NUMBER = 4, MAY = 8 }; // expected arguments; MAY: optional

static const struct {
    const char *word;
    int takes;
    ff_status (*obey)(ff_ec_robot *r, const arguments *a, bool try_only, ff_error *err);
} WORDS[] = {{"cut", STATION | NUMBER | MAY, cut},
             {"reconnect", STATION | NUMBER | MAY, reconnect},
             {"reset", STATION, reset},
             {"watchdog", STATION, expire},
             {"vendor", STATION | NUMBER, forge},
             {"lose", NUMBER, lose},
             {"fault", NAME, inject},
             {"repair", NAME, inject},
             {"stick", NAME, inject},
             {"overload", NAME, inject},
             {"free", NAME, inject}};
enum { NWORD = sizeof WORDS / sizeof *WORDS };

static const char HELP[] = "cut STATION [PORT], reconnect STATION [PORT], reset STATION, watchdog STATION, "
                           "vendor STATION NUMBER, lose PERCENT, fault DRIVE, repair DRIVE, stick SENSOR, overload "
                           "SENSOR, free SENSOR";

/// The name of a device in a shared slave means that slave.
static int find_station(const ff_ec_robot *r, const char *name)
{
    for (int i = 0; i < r->nstation; i++) {
        const ff_ec_station *s = &r->stations[i];
        if (strcmp(s->name, name) == 0) return i;
        for (int k = 0; k < s->nmodule; k++)
            if (strcmp(s->modules[k].name, name) == 0) return i;
    }
    return -1;
}

static bool read_number(const char *text, double *number)
{
    char *end;
    *number = strtod(text, &end);
    return end != text && !*end;
}

/// Do the arguments fit? @param n  their number
static bool fit(int takes, int n, const char *first, const char *second, arguments *a)
{
    const int names = takes & (NAME | STATION) ? 1 : 0, numbers = takes & NUMBER ? 1 : 0;
    if (n != names + numbers && !(takes & MAY && n == names)) return false;
    a->name = names ? first : "";
    a->given = n > names;
    return !a->given || read_number(names ? second : first, &a->number);
}

ff_status ff_ec_robot_obey(ff_ec_robot *r, const char *text, bool try_only, ff_error *err)
{
    char word[24] = "", first[64] = "", second[24] = "", rest[2] = "";
    const int n = sscanf(text, "%23s %63s %23s %1s", word, first, second, rest) - 1;
    arguments a = {.word = word};
    ff_error why = {0};
    if (strcmp(word, "mend") == 0)
        return ff_error_set(err, FF_BAD_ARGUMENT, "'%.60s': the command is now called 'reconnect'", text);
    for (int i = 0; i < NWORD; i++) {
        if (strcmp(word, WORDS[i].word) != 0 || !fit(WORDS[i].takes, n, first, second, &a)) continue;
        a.station = find_station(r, a.name);
        if (WORDS[i].takes & STATION && a.station < 0)
            return ff_error_set(err, FF_NOT_FOUND, "'%.60s': there is no station '%s'", text, a.name);
        const ff_status status = WORDS[i].obey(r, &a, try_only, &why);
        return status == FF_OK ? FF_OK : ff_error_set(err, status, "'%.60s': %s", text, why.text);
    }
    return ff_error_set(err, FF_BAD_ARGUMENT, "'%.60s' is not a command; expected: %s", text, HELP);
}

ff_status ff_ec_robot_command(ff_ec_robot *r, const char *text, ff_error *err)
{
    if (!r->segment) return ff_error_set(err, FF_BAD_ARGUMENT, "'%.60s': the robot is not bound yet", text);
    return ff_ec_robot_obey(r, text, false, err);
}
