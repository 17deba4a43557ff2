// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {python: my_gait.py, parameters: {..}, commands: [{at: .., ..}]}`: a controller in Python. This file reads
// its settings, copies numbers between I/O frames and arrays, owns the memory that is saved with the simulation, and
// holds the robot of a controller that failed. Python is called by a table of functions (ff_python_host), which the
// program that runs the scene has. docs/controllers.md describes such controllers.
#include "steer/kind.h"

#include <footfall/text.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Head of the block that is saved. Values of `memory`, their kinds and the last references (NaN: never) follow it.
typedef struct head {
    ff_random random;
    int64_t failed;
    double failed_at; // [s]
} head;

typedef struct python {
    const ff_script_source *source;
    const ff_python_host *host;
    void *controller; // of the host
    ff_io_layout references;
    const ff_reference_limit *limits; // of the references, NULL: none
    double *sensors, *outputs;        // sensor values and references of this cycle
    char *block, *shadow;             // the block, and a copy of it after the last cycle
    size_t size;
    head *head;
    double *values, *kinds, *given;
    ff_python_fault fault; // why it failed
} python;

// ------------------------------------------------------------------------------------------ reading

static const ff_row PARAMETERS[] = {
    FF_ANYTHING("parameters", "{NAME: value} for the controller"),
    {0},
};

static bool read(const ff_steer_reader *r, ff_yaml *node, void *settings)
{
    const int errors = r->report->errors; // earlier ones are of other keys
    if (ff_text_is_fenced())
        ff_report_add(r->report, FF_ERROR, node->key_place,
                      "a controller in Python can reach files outside the project folder: it runs by `footfall run` "
                      "and from Python, not in the studio");
    return ff_script_read(r, node, settings) && r->report->errors == errors;
}

static unsigned permissions(const void *settings, const char **script)
{
    *script = ((const ff_script_source *)settings)->path;
    return FF_PERMIT_PYTHON;
}

static void read_command(const ff_steer_reader *r, ff_yaml *entry, void *settings, const ff_command *command)
{
    (void)entry, (void)command;
    if (!r->live) ((ff_script_source *)settings)->ncommand++;
}

// ------------------------------------------------------------------------------------------ begin and end

static ff_status create(const void *settings, const ff_controller_site *site, void **out, ff_error *err)
{
    const ff_python_host *host = site->python ? site->python(err) : NULL;
    if (!site->python)
        return ff_error_set(err, FF_NOT_BUILT,
                            "this program cannot run controllers in Python: run the scene by "
                            "`footfall run --allow python`, or from Python");
    if (!host) return err ? err->status : FF_NOT_BUILT;
    if (host->version != FF_PYTHON_HOST || host->model_size != sizeof(ff_model))
        return ff_error_set(err, FF_NOT_BUILT,
                            "the Python module footfall is of another version than this program: "
                            "install both from one build");
    python *p = calloc(1, sizeof *p);
    if (!p) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    *p = (python){.source = settings, .host = host, .references = *site->references, .limits = site->limits};
    *out = p;
    return FF_OK;
}

/// Fills an error with file and line; Python reports no column.
static ff_status report_fault(const python *p, ff_error *err, ff_status status, const char *text)
{
    const char *path = p->source->path;
    if (p->fault.line > 0)
        ff_error_set(err, status, "%s:%d: %s", path, p->fault.line, text);
    else
        ff_error_set(err, status, "%s: %s", path, text);
    if (!err) return status;
    snprintf(err->file, sizeof err->file, "%s", path);
    err->line = p->fault.line;
    return status;
}

static ff_status refuse(const python *p, ff_error *err)
{
    return report_fault(p, err, FF_BAD_FILE, p->fault.text);
}

static bool make_block(python *p, int nsensor, int nvalue)
{
    const size_t n = (size_t)nvalue, m = (size_t)p->references.count;
    p->size = sizeof(head) + (2 * n + m) * sizeof(double);
    p->block = calloc(1, p->size);
    p->shadow = calloc(1, p->size);
    p->sensors = calloc((size_t)nsensor + 1, sizeof(double));
    p->outputs = calloc(m + 1, sizeof(double));
    if (!p->block || !p->shadow || !p->sensors || !p->outputs) return false;
    p->head = (head *)(void *)p->block;
    p->values = (double *)(void *)(p->block + sizeof(head));
    p->kinds = p->values + n;
    p->given = p->kinds + n;
    for (size_t i = 0; i < m; i++) p->given[i] = NAN;
    return true;
}

static ff_status bind(void *controller, const ff_controller_site *site, ff_controller *bound, ff_error *err)
{
    python *p = controller;
    const ff_script_source *s = p->source;
    const ff_python_source source = {.path = s->path,
                                     .text = s->text,
                                     .length = s->length,
                                     .robot = site->robot,
                                     .sensors = site->sensors,
                                     .references = site->references,
                                     .parameters = s->parameters,
                                     .period = site->period,
                                     .seed = site->seed,
                                     .commands = s->ncommand > 0};
    int n = 0;
    p->controller = p->host->create(&source, &p->fault);
    if (!p->controller) return refuse(p, err);
    const ff_io_name *signals = p->host->memory(p->controller, &n);
    if (!make_block(p, site->sensors->count, n)) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    const ff_python_numbers numbers = {.sensors = p->sensors,
                                       .references = p->outputs,
                                       .given = p->given,
                                       .memory = p->values,
                                       .kinds = p->kinds,
                                       .random = &p->head->random};
    if (!p->host->attach(p->controller, &numbers, &p->fault)) return refuse(p, err);
    memcpy(p->shadow, p->block, p->size);
    *bound = (ff_controller){
        .memory = p->block, .memory_size = p->size, .signals = signals, .values = p->values, .nsignal = n};
    return FF_OK;
}

static void destroy(void *controller)
{
    python *p = controller;
    if (p->controller) p->host->destroy(p->controller);
    free(p->block);
    free(p->shadow);
    free(p->sensors);
    free(p->outputs);
    free(p);
}

// ------------------------------------------------------------------------------------------ at work

static bool is_restored(const python *p)
{
    return memcmp(p->block, p->shadow, p->size) != 0;
}

static void fail(python *p, double t)
{
    p->head->failed = 1;
    p->head->failed_at = t;
}

static void step(void *controller, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    python *p = controller;
    if (!p->head->failed && !ff_script_has_sensors(sensors)) return;
    if (!p->head->failed) {
        const ff_io_item *items = ff_io_items_of(sensors);
        for (uint32_t i = 0; i < sensors->count; i++) p->sensors[i] = ff_io_known(&items[i]) ? items[i].value : NAN;
        for (int i = 0; i < p->references.count; i++) p->outputs[i] = NAN;
        if (!p->host->cycle(p->controller, t, is_restored(p), &p->fault)) fail(p, t);
        for (int i = 0; i < p->references.count && !p->head->failed; i++)
            if (!isnan(p->outputs[i])) ff_io_items(references)[i] = (ff_io_item){.value = p->outputs[i], .valid = 1};
        ff_script_keep(p->limits, references, p->given);
    }
    if (p->head->failed) ff_script_hold(&p->references, p->given, t - p->head->failed_at, references);
    memcpy(p->shadow, p->block, p->size);
}

static ff_status give_command(void *controller, double t, const ff_command *command, ff_error *err)
{
    python *p = controller;
    if (p->head->failed)
        return ff_error_set(err, FF_BAD_ARGUMENT, "the controller failed at %.6g s and takes no commands",
                            p->head->failed_at);
    if (!p->host->command(p->controller, t, command->values, is_restored(p), &p->fault)) fail(p, t);
    memcpy(p->shadow, p->block, p->size);
    return p->head->failed ? refuse(p, err) : FF_OK;
}

// ------------------------------------------------------------------------------------------ reports

static void format_failure(const python *p, char *text, size_t size)
{
    snprintf(text, size, "the controller failed at %.6g s, and the robot is held since: %s", p->head->failed_at,
             p->fault.text);
}

static ff_status check(const void *controller, ff_error *err)
{
    const python *p = controller;
    char text[400];
    if (!p->head->failed) return FF_OK;
    format_failure(p, text, sizeof text);
    return report_fault(p, err, FF_CONTROL, text);
}

static void report(const void *controller, ff_place place, ff_report *report)
{
    const python *p = controller;
    char text[400];
    (void)place;
    if (!p->head->failed) return;
    format_failure(p, text, sizeof text);
    ff_report_add(report, FF_ERROR, (ff_place){p->source->path, p->fault.line, 0}, "%s", text);
}

_Static_assert(sizeof(head) % sizeof(double) == 0, "values follow the head in place");

const ff_controller_kind ff_controller_python = {.name = "python",
                                                 .help = "a script in Python; the value is its file",
                                                 .unchecked = true,
                                                 .parameters = PARAMETERS,
                                                 .beside = true,
                                                 .settings_size = sizeof(ff_script_source),
                                                 .read = read,
                                                 .permissions = permissions,
                                                 .create = create,
                                                 .bind = bind,
                                                 .step = step,
                                                 .destroy = destroy,
                                                 .read_command = read_command,
                                                 .command = give_command,
                                                 .check = check,
                                                 .report = report};
