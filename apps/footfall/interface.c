// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Interfaces of robots (interface.h), for `footfall control --interface`.
#include "interface.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

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

static void print_list(const char *word, const char *constant, const ff_io_layout *layout)
{
    printf("\nenum {\n");
    for (int i = 0; i < layout->count; i++) {
        printf("    ");
        print_constant(layout->names[i].name);
        printf(",\n");
    }
    printf("    %s,\n};\n", constant);
    printf("static const char *const %s[][2] = {\n", word);
    for (int i = 0; i < layout->count; i++)
        printf("    {\"%s\", \"%s\"},\n", layout->names[i].name, layout->names[i].unit);
    printf("};\n");
}

void print_interface(const char *scene, const ff_interface *interface)
{
    printf("// The frames of the robot of %s, written by\n//     footfall control %s --interface\n", scene, scene);
    printf("// Number, name and unit of each item; docs/link.md says how they travel.\n");
    printf("#define INTERFACE_HASH      0x%016" PRIX64 "U\n", ff_interface_hash(interface));
    printf("#define INTERFACE_PERIOD_US %.0f\n", floor(1e6 * interface->period + 0.5));
    print_list("sensor_names", "SENSOR_COUNT", &interface->sensors);
    print_list("reference_names", "REFERENCE_COUNT", &interface->references);
}
