// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A second robot at the other end of a second wire (link_end.h).
#include "link_end.h"

#include "files.h"
#include "run_report.h"
#include "terminal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHOWN = 8 };

void twin_link_record(const twin_link *p, ff_record_options *record)
{
    static const char *const time_only[] = {"time"};
    record->channels = time_only;
    record->nchannel = p->link && p->out ? 1 : 0;
}

static bool open_file(const twin_link *p, ff_error *err)
{
    char file[1100];
    const ff_record_info info = {.version = FF_VERSION, .scene = ff_run_scene(p->run)->text, .path = p->path};
    if (!make_folder(p->out, err)) return false;
    snprintf(file, sizeof file, "%s/run.h5", p->out);
    const ff_status status = ff_recorder_open_hdf5(p->recorder, file, &info, err);
    if (status != FF_NOT_BUILT) return status == FF_OK;
    snprintf(file, sizeof file, "%s/run.csv", p->out);
    return ff_recorder_open_csv(p->recorder, file, err) == FF_OK;
}

/// Opens the recording once both robots are connected.
static ff_status bind(void *context, const ff_interface *robot, ff_error *err)
{
    const twin_link *p = context;
    const ff_status status = p->controller.bind(p->controller.context, robot, err);
    if (status != FF_OK || !p->out || open_file(p, err)) return status;
    return err->status;
}

static void cycle(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    const twin_link *p = context;
    p->controller.cycle(p->controller.context, t, sensors, references);
}

bool twin_link_open(twin_link *p, ff_run *run, const char *path, const ff_link_options *options,
                    const ff_relay_site *site, ff_link_controller *controller, ff_error *err)
{
    if (!p->link) return true;
    p->wire = ff_wire_open(p->link, FF_END_CONTROL, err);
    if (!p->wire) return false;
    p->run = run;
    p->path = path;
    p->recorder = ff_run_recorder(run);
    p->start = clock_seconds();
    const ff_far_twin_setup setup = {.wire = p->wire,
                                     .options = *options,
                                     .controller = *controller,
                                     .sensors = *site->sensors,
                                     .references = *site->references,
                                     .signals = {FF_IO_SENSORS, site->nsignal, site->signals, 0},
                                     .recorder = p->recorder};
    p->twin = ff_far_twin_create(&setup, err);
    if (!p->twin) return false;
    *controller = p->controller = ff_far_twin_controller(p->twin);
    controller->context = p;
    controller->bind = bind;
    controller->cycle = cycle;
    return true;
}

static bool differs(const ff_twin_channel *c)
{
    return c->samples > 0 && c->most > 0.0;
}

/// Prints the differences in the order of the sensors, since values of different units cannot be ranked.
static void print_sensors(const ff_far_twin_result *r)
{
    int shown = 0, all = 0;
    for (int i = 0; i < r->nchannel; i++) all += differs(&r->channels[i]);
    if (all > 0) printf("      %-32s %12s %12s %10s\n", "difference", "rms", "greatest", "at");
    for (int i = 0; i < r->nchannel && shown < SHOWN; i++) {
        const ff_twin_channel *c = &r->channels[i];
        if (!differs(c)) continue;
        printf("      %-32s %12.4g %12.4g %8.4g s  [%s]\n", c->name, c->rms, c->most, c->at, c->unit);
        shown++;
    }
    if (all > shown) printf("      and %d more of %d sensors\n", all - shown, r->nchannel);
}

static void print_twin_link(const twin_link *p, const ff_far_twin_result *r)
{
    printf("twin  %lld of %lld cycles with it, %lld frames twice, %lld late, %lld damaged\n",
           (long long)(r->cycles - r->alone), (long long)r->cycles, (long long)r->counts.doubled,
           (long long)r->counts.late, (long long)r->counts.damaged);
    printf("      %s\n", r->text);
    print_sensors(r);
    if (p->out)
        printf("      %s: sensors of both, references, differences; summary.json%s\n", p->out,
               p->report ? ", report.html" : "");
}

/// Writes summary.json and the page.
static bool write_results(const twin_link *p, const ff_far_twin_result *r, ff_status leader, ff_error *err)
{
    char path[1100];
    char *twin = ff_far_twin_to_json(r);
    const ff_summary summary = {.time = r->time,
                                .wall = clock_seconds() - p->start,
                                .outcome = leader == FF_OK ? "finished" : ff_status_text(leader),
                                .twin = twin};
    snprintf(path, sizeof path, "%s/summary.json", p->out);
    bool ok = ff_summary_write(&summary, path, err) == FF_OK;
    free(twin);
    snprintf(path, sizeof path, "%s/report.html", p->out);
    if (ok && p->report) ok = report_write(p->out, path, err);
    return ok;
}

bool twin_link_close(twin_link *p, ff_status leader, bool quiet, ff_error *err)
{
    const ff_far_twin_result *r = p->twin ? ff_far_twin_end(p->twin, leader) : NULL;
    bool ok = true;
    if (r) {
        if (isfinite(r->lost))
            fprintf(stderr, "%swarning:%s from %.4g s on there was no twin: %s; the leader went on without it\n",
                    paint(stderr, STYLE_WARN), paint(stderr, STYLE_PLAIN), r->lost,
                    r->status == FF_OK ? "it ended" : r->why);
        if (!quiet && r->cycles > 0) print_twin_link(p, r);
    }
    if (p->recorder) ok = ff_recorder_close(p->recorder, err) == FF_OK;
    if (ok && r && p->out && r->cycles > 0) ok = write_results(p, r, leader, err);
    ff_far_twin_destroy(p->twin);
    ff_wire_close(p->wire);
    return ok;
}
