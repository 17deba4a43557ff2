// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Interfaces of robots (interface.h), for `footfall control --interface`.
#include "interface.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

ff_interface interface_of(const ff_relay_site *site, const ff_io_layout *references)
{
    return (ff_interface){.sensors = *site->sensors,
                          .references = *references,
                          .signals = {FF_IO_SENSORS, site->nsignal, site->signals, 0},
                          .period = site->period};
}

/// "drives.FL_coxa.position" becomes DRIVES_FL_COXA_POSITION.
static void print_constant(const char *name)
{
    for (; *name; name++) putchar(isalnum((unsigned char)*name) ? toupper((unsigned char)*name) : '_');
}

static void print_numbers(const char *count, const ff_io_layout *layout)
{
    printf("\nenum {\n");
    for (int i = 0; i < layout->count; i++) {
        printf("    ");
        print_constant(layout->names[i].name);
        printf(",\n");
    }
    printf("    %s,\n};\n", count);
}

/// As in a string of C. Three octal digits end an escape.
static void print_string(const char *text)
{
    for (; *text; text++) {
        if (isprint((unsigned char)*text) && !strchr("\"\\?", *text))
            putchar(*text);
        else
            printf("\\%03o", (unsigned char)*text);
    }
}

/// As in a telegram INTERFACE: name and unit, each after a byte with its length.
static void print_names(const ff_io_layout *layout)
{
    for (int i = 0; i < layout->count; i++) {
        const ff_io_name *item = &layout->names[i];
        printf("\n    \"\\%03o", (unsigned)strlen(item->name));
        print_string(item->name);
        printf("\\%03o", (unsigned)strlen(item->unit));
        print_string(item->unit);
        printf("\"");
    }
}

void print_interface(const char *scene, const ff_interface *interface)
{
    printf("// The frames of the robot of %s, written by\n//     footfall control %s --interface\n", scene, scene);
    printf("// Number of each item; names and units as they travel in a telegram INTERFACE (docs/link.md).\n");
    printf("#define INTERFACE_HASH      0x%016" PRIX64 "U\n", ff_interface_hash(interface));
    printf("#define INTERFACE_PERIOD_US %.0f\n", floor(1e6 * interface->period + 0.5));
    print_numbers("SENSOR_COUNT", &interface->sensors);
    print_numbers("REFERENCE_COUNT", &interface->references);
    printf("\nstatic const char interface_names[] =");
    print_names(&interface->sensors);
    print_names(&interface->references);
    printf(";\n");
}
