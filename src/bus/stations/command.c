// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Fault injection on a segment by commands (footfall/stations.h): a table of commands.
#include "stations/robot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What a command does.
typedef enum action_kind { CUT, RECONNECT, RESET, EXPIRE, FORGE, LOSE, INJECT } action_kind;

/// A command with its arguments.
typedef struct arguments {
    const char *command; // its first word
    const char *name;    // of a station or device; "": not given
    int station;         // number of the station of that name; -1: there is none
    double number;       // 0: not given
} arguments;

static ff_status check_arguments(const ff_ec_robot *r, action_kind action, const arguments *a, ff_error *err)
{
    const double x = a->number;
    const bool cable = action == CUT || action == RECONNECT;
    if (cable && x != 0.0 && x != 1.0 && x != 2.0 && x != 3.0)
        return ff_error_set(err, FF_BAD_ARGUMENT, "a station has ports 0 to 3; 0 leads towards the master");
    if (cable && !ff_ec_station_has_cable(r->segment, a->station, (int)x))
        return ff_error_set(err, FF_BAD_ARGUMENT, "station '%s' has no cable at port %d", a->name, (int)x);
    if (action == FORGE && (!(x >= 0.0 && x <= UINT32_MAX) || x != (uint32_t)x))
        return ff_error_set(err, FF_BAD_ARGUMENT, "expected a 32-bit vendor number, such as 0x1234");
    if (action == LOSE && !(x >= 0.0 && x <= 100.0))
        return ff_error_set(err, FF_BAD_ARGUMENT, "expected a share of frames from 0 to 100 percent");
    return FF_OK;
}

static ff_status execute_action(ff_ec_robot *r, action_kind action, const arguments *a, bool check_only, ff_error *err)
{
    if (action == INJECT) return ff_virtual_bus_inject(r->bus, a->command, a->name, check_only, err);
    const ff_status status = check_arguments(r, action, a, err);
    if (status != FF_OK || check_only) return status;
    if (action == CUT || action == RECONNECT)
        ff_ec_station_connect(r->segment, a->station, (int)a->number, action == RECONNECT);
    else if (action == RESET)
        ff_ec_station_reset(r->segment, a->station, r->now);
    else if (action == EXPIRE)
        ff_ec_station_expire(r->segment, a->station);
    else if (action == FORGE)
        ff_ec_station_set_vendor(r->segment, a->station, (uint32_t)a->number);
    else
        r->loss = 0.01 * a->number;
    return FF_OK;
}

/// Arguments that a command expects: the name of a device or of a station, and a number, which may be optional.
enum { NAME = 1, STATION = 2, NUMBER = 4, OPTIONAL = 8 };

static const struct {
    const char *name;
    int expected; // arguments
    action_kind action;
} COMMANDS[] = {{"cut", STATION | NUMBER | OPTIONAL, CUT},
                {"reconnect", STATION | NUMBER | OPTIONAL, RECONNECT},
                {"reset", STATION, RESET},
                {"watchdog", STATION, EXPIRE},
                {"vendor", STATION | NUMBER, FORGE},
                {"lose", NUMBER, LOSE},
                {"fault", NAME, INJECT},
                {"repair", NAME, INJECT},
                {"stick", NAME, INJECT},
                {"overload", NAME, INJECT},
                {"free", NAME, INJECT}};
enum { NCOMMAND = sizeof COMMANDS / sizeof *COMMANDS };

static const char HELP[] = "cut STATION [PORT], reconnect STATION [PORT], reset STATION, watchdog STATION, "
                           "vendor STATION NUMBER, lose PERCENT, fault DRIVE, repair DRIVE, stick SENSOR, overload "
                           "SENSOR, free SENSOR";

/// Number of the station of that name, or of the one that holds the device of that name; -1: there is none.
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

/// Takes the `n` arguments of a command, `first` and `second`, into `a`. @return false: others are expected
static bool take_arguments(int expected, int n, const char *first, const char *second, arguments *a)
{
    const int names = expected & (NAME | STATION) ? 1 : 0, numbers = expected & NUMBER ? 1 : 0;
    if (n != names + numbers && !(expected & OPTIONAL && n == names)) return false;
    a->name = names ? first : "";
    return n == names || read_number(names ? second : first, &a->number);
}

ff_status ff_ec_robot_execute(ff_ec_robot *r, const char *text, bool check_only, ff_error *err)
{
    char command[24] = "", first[64] = "", second[24] = "", rest[2] = "";
    const int n = sscanf(text, "%23s %63s %23s %1s", command, first, second, rest) - 1;
    arguments a = {.command = command};
    ff_error why = {0};
    if (strcmp(command, "mend") == 0)
        return ff_error_set(err, FF_BAD_ARGUMENT, "'%.60s': the command is now called 'reconnect'", text);
    for (int i = 0; i < NCOMMAND; i++) {
        if (strcmp(command, COMMANDS[i].name) != 0) continue;
        if (!take_arguments(COMMANDS[i].expected, n, first, second, &a)) continue;
        a.station = find_station(r, a.name);
        if (COMMANDS[i].expected & STATION && a.station < 0)
            return ff_error_set(err, FF_NOT_FOUND, "'%.60s': there is no station '%s'", text, a.name);
        const ff_status status = execute_action(r, COMMANDS[i].action, &a, check_only, &why);
        return status == FF_OK ? FF_OK : ff_error_set(err, status, "'%.60s': %s", text, why.text);
    }
    return ff_error_set(err, FF_BAD_ARGUMENT, "'%.60s' is not a command; expected: %s", text, HELP);
}

ff_status ff_ec_robot_command(ff_ec_robot *r, const char *text, ff_error *err)
{
    if (!r->segment) return ff_error_set(err, FF_BAD_ARGUMENT, "'%.60s': the robot is not bound yet", text);
    return ff_ec_robot_execute(r, text, false, err);
}
