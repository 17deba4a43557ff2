// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the commands at the ends of links and buses share (link_end.h): they create a run that is not simulated, open
// wires, print the state of hardware layers, print an interface as a C header, and read the commands of an operator
// from the standard input.
#include "link_end.h"

#include "files.h"
#include "terminal.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int link_run(const command *self, link_target *target,
             bool (*prepare)(link_target *target, const ff_scene_spec *scene, ff_run_options *options, ff_error *err),
             int (*work)(link_target *target, ff_run *run, const ff_scene_spec *scene))
{
    const char *path = target->operands.items[0];
    ff_report report = {0};
    ff_error err = {0};
    if (isnan(target->timeout)) target->timeout = ff_link_options_default().timeout;
    if (!(target->timeout > 0.0)) return usage_error(self, "--timeout is %g s: it must be positive", target->timeout);
    if (!isnan(target->tolerate) && !is_whole(target->tolerate, 0, 1e6))
        return usage_error(self, "--tolerate is %g: it is a whole number", target->tolerate);
    catch_interrupts();
    const ff_scene_spec *scene = ff_scene_load(path, target->set.items, target->set.count, &report);
    ff_run_options options = ff_run_options_default(scene);
    options.record.nchannel = 0; // the process of the robot records
    const bool ready = scene && (!prepare || prepare(target, scene, &options, &err));
    if (scene && !ready) print_message(path, STYLE_BAD, err.text);
    ff_run *run = ready ? ff_run_create(scene, &options, &report) : NULL;
    print_report_from(stderr, &report, target->quiet ? FF_WARNING : FF_NOTE, WARNINGS_SHOWN);
    const int code = run ? work(target, run, scene) : EXIT_INPUT;
    ff_run_destroy(run);
    ff_scene_destroy(scene);
    ff_report_clear(&report);
    return code;
}

ff_wire *open_faulty_wire(const char *link, ff_end end, const char *faults, ff_error *err)
{
    ff_wire *wire = ff_wire_open(link, end, err);
    if (!wire || !faults) return wire;
    ff_wire *faulty = ff_wire_with_faults(wire, faults, err);
    if (!faulty) ff_wire_close(wire);
    return faulty;
}

ff_status wait_for_controller(ff_link_robot *robot, const ff_wire *wire, double wait, bool quiet, ff_error *err)
{
    if (!quiet) print_escaped(stderr, "waiting for a controller at %s\n", ff_wire_where(wire));
    const ff_status status = ff_link_robot_connect(robot, wait, err);
    if (status == FF_OK && !quiet) fprintf(stderr, "a controller is connected\n");
    return status;
}

void print_layer_state(void *context, double t, ff_hardware_state state, const char *text)
{
    const bool *quiet = context;
    if (*quiet && state != FF_HARDWARE_FAULT) return;
    print_escaped(stderr, "%9.4f s  %s%s%s\n", t, ff_hardware_state_name(state), text[0] ? ": " : "", text);
}

void print_layer_counts(const ff_hardware *layer)
{
    const ff_hardware_counts c = ff_hardware_get_counts(layer);
    printf("layer %lld cycles, %lld frames, %lld faults, %lld counters differed, %lld cycles without sound inputs, "
           "joints ",
           (long long)c.cycles, (long long)c.frames, (long long)c.faults, (long long)c.mismatches, (long long)c.lost);
    if (c.tracking_max > 0.0)
        printf("at most %.3g beyond what their loops sag\n", c.tracking_max);
    else
        printf("within what their loops sag\n");
    if (c.margin_median != 0.0)
        printf("      section 4 ended %.1f us before section 7, median, at least %.1f us\n", 1e6 * c.margin_median,
               1e6 * c.margin_min);
}

void print_durations(const char *name, const ff_histogram *durations)
{
    const ff_histogram *h = durations;
    if (h->count > 0)
        printf("      %-16s %.1f us median, %.1f us 99 %%, %.1f us 99.9 %%, %.1f us largest, %.3g %% over 1 ms\n", name,
               1e6 * ff_histogram_quantile(h, 0.5), 1e6 * ff_histogram_quantile(h, 0.99),
               1e6 * ff_histogram_quantile(h, 0.999), 1e6 * h->largest, 100.0 * ff_histogram_above(h, 1e-3));
}

void print_answers(const ff_link_timing *timing)
{
    print_durations("answered within", &timing->trip);
    print_durations("period off by", &timing->jitter);
}

// ------------------------------------------------------------------------------------------ interfaces

ff_interface interface_of(const ff_relay_site *site, const ff_io_layout *references)
{
    return (ff_interface){.sensors = *site->sensors,
                          .references = *references,
                          .signals = {FF_IO_SENSORS, site->nsignal, site->signals, 0},
                          .period = site->period};
}

/// Prints the name of an item as that of a constant in C: "drives.FL_coxa.position" as DRIVES_FL_COXA_POSITION.
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

/// Prints a text as the contents of a string literal in C. Escapes have three octal digits, so that a digit that
/// follows is not part of them.
static void print_string(const char *text)
{
    for (; *text; text++) {
        if (isprint((unsigned char)*text) && !strchr("\"\\?", *text))
            putchar(*text);
        else
            printf("\\%03o", (unsigned char)*text);
    }
}

/// Prints the names and units of items in the format of a telegram INTERFACE: each after a byte with its length.
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

// ------------------------------------------------------------------------------------------ commands of an operator

/// May this process read its input? One in the background must not read the terminal, which would stop it.
static bool may_read(void)
{
    return !isatty(STDIN_FILENO) || tcgetpgrp(STDIN_FILENO) == getpgrp();
}

/// Reads further bytes. The input is polled at most every 10 ms: polling is a system call, and the function is called
/// in every cycle of a bus. @return false: there are none
static bool refill(operator_input *input)
{
    const double now = clock_coarse();
    struct pollfd standard_input = {.fd = STDIN_FILENO, .events = POLLIN};
    if (input->ended || now < input->next_poll) return false;
    if (poll(&standard_input, 1, 0) <= 0 || !may_read()) {
        input->next_poll = now + 0.01;
        return false;
    }
    const ssize_t n = read(STDIN_FILENO, input->bytes, sizeof input->bytes);
    input->ended = n <= 0;
    input->nbyte = n > 0 ? (size_t)n : 0;
    input->next = 0;
    return n > 0;
}

/// The complete line; NULL: it is blank or too long.
static const char *end_line(operator_input *input)
{
    const bool fits = input->length < sizeof input->line;
    if (fits) input->line[input->length] = '\0';
    input->length = 0;
    if (!fits) fprintf(stderr, "a command has at most %zu characters: this line is ignored\n", sizeof input->line - 1);
    return fits && input->line[strspn(input->line, " \t\r")] ? input->line : NULL;
}

const char *operator_line(operator_input *input)
{
    while (input->next < input->nbyte || refill(input)) {
        const char byte = input->bytes[input->next++];
        const char *line = byte == '\n' ? end_line(input) : NULL;
        if (line) return line;
        if (byte != '\n' && input->length++ < sizeof input->line) input->line[input->length - 1] = byte;
    }
    return NULL;
}

void operator_command(operator_input *input, ff_hardware *layer)
{
    ff_error err = {0};
    for (const char *line; (line = operator_line(input));)
        if (ff_hardware_command(layer, line, &err) != FF_OK) fprintf(stderr, "%s\n", err.text);
}
