// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A certificate for the loaded scene, which is run from start to end, with a tighter accuracy and by another method, in
// separate threads with low priority, while the simulation goes on.
//
//     request -> a run of the scene -> a thread certifies it -> answer; the result is stored for a run that is saved
//
// One certificate is made at a time. It is cancelled when its page disconnects or requests a stop. If the scene is
// unloaded meanwhile, it becomes the owner of the scene.
#include "workbench_inner.h"

#include <footfall/certify.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

struct ff_bench_certifying {
    ff_workbench *bench;      // to wake it
    ff_bench_request request; // to be answered
    const ff_scene_spec *scene;
    bool owns_scene; // another scene is loaded
    uint32_t generation;
    ff_run *run;
    atomic_bool stop;
    pthread_t thread;
    char *summary, *certificate, *bands; // JSON
    ff_status status;
    ff_error err;
};

static bool is_stopped(void *context)
{
    ff_bench_certifying *c = context;
    return atomic_load(&c->stop);
}

static ff_sim_action watch_step(void *context, ff_sim *sim, double t)
{
    (void)t;
    if (!is_stopped(context)) return FF_SIM_GO;
    ff_sim_stop(sim, "cancelled");
    return FF_SIM_STOP;
}

/// The text of summary.json with the certificate, malloc'ed; NULL: out of memory. @param elapsed  of the run  [s]
static char *summarise(const ff_bench_certifying *c, double elapsed)
{
    const ff_result *result = ff_run_result(c->run);
    char text[600];
    ff_arena arena = {0};
    ff_summary summary = ff_summary_make(ff_run_sim(c->run), FF_OK, NULL, elapsed, text, sizeof text);
    summary.metrics = result->metrics;
    summary.nmetric = result->nmetric;
    summary.effects = c->scene->effects;
    summary.neffect = c->scene->neffect;
    summary.expectations = ff_run_verdicts(c->run, &arena, &summary.nexpectation);
    summary.certificate = c->certificate;
    char *out = ff_summary_to_json(&summary);
    ff_arena_clear(&arena);
    return out;
}

static ff_status certify(ff_bench_certifying *c)
{
    ff_certify_options options = ff_certify_options_default();
    const ff_listener listener = {c, watch_step};
    options.stop = is_stopped;
    options.context = c;
    ff_status status = ff_sim_add_listener(ff_run_sim(c->run), &listener, &c->err);
    if (status != FF_OK) return status;
    ff_certifier *certifier = ff_certify_begin(c->run, &options, &c->err);
    if (!certifier) return c->err.status;
    const double start = ff_bench_clock();
    status = ff_run_go(c->run, &c->err);
    const double elapsed = ff_bench_clock() - start;
    const ff_certificate *certificate = NULL;
    if (status == FF_OK || status == FF_STOPPED) certificate = ff_certify_end(certifier, status, &c->err);
    if (certificate) {
        status = FF_OK;
        c->certificate = ff_certificate_to_json(certificate);
        c->bands = ff_certifier_bands(certifier);
        c->summary = c->certificate ? summarise(c, elapsed) : NULL;
    } else if (c->err.status) {
        status = c->err.status;
    }
    ff_certifier_destroy(certifier);
    if (status == FF_OK && (!c->summary || !c->bands))
        status = ff_error_set(&c->err, FF_NO_MEMORY, "no memory for the certificate");
    return status;
}

static void *work(void *context)
{
    ff_bench_certifying *c = context;
    setpriority(PRIO_PROCESS, 0, 10); // of this thread and those it starts: pages have precedence
    c->status = certify(c);
    if (is_stopped(c)) c->status = ff_error_set(&c->err, FF_STOPPED, "no certificate: it was cancelled");
    ff_bench_wake(c->bench, &c->bench->certifying_done);
    return NULL;
}

// ------------------------------------------------------------------------------------------ requests and answers

static void drop(ff_bench_certifying *c)
{
    ff_run_destroy(c->run);
    if (c->owns_scene) ff_scene_destroy(c->scene);
    free(c->summary);
    free(c->certificate);
    free(c->bands);
    free(c);
}

static void keep_result(ff_workbench *b, ff_bench_certifying *c)
{
    free(b->certificate);
    free(b->bands);
    b->certificate = c->certificate;
    b->bands = c->bands;
    b->certificate_generation = c->generation;
    c->certificate = c->bands = NULL;
}

void ff_certifying_answer(ff_workbench *b)
{
    ff_bench_certifying *c = b->certifying;
    if (!c) return;
    pthread_join(c->thread, NULL);
    if (c->status == FF_OK) {
        ff_json_raw(&c->request.answer, "summary", c->summary);
        ff_json_raw(&c->request.answer, "bands", c->bands);
        keep_result(b, c);
    }
    ff_bench_answer(b, &c->request, c->status, &c->err);
    drop(c);
    b->certifying = NULL;
}

void ff_certifying_end(ff_workbench *b)
{
    ff_bench_certifying *c = b->certifying;
    if (c) {
        atomic_store(&c->stop, true);
        pthread_join(c->thread, NULL);
        ff_bench_request_drop(&c->request);
        drop(c);
        b->certifying = NULL;
    }
    free(b->certificate);
    free(b->bands);
    b->certificate = b->bands = NULL;
}

void ff_certifying_cancel(ff_workbench *b, int client)
{
    if (b->certifying && b->certifying->request.client == client) atomic_store(&b->certifying->stop, true);
}

bool ff_certifying_adopt_scene(ff_workbench *b, const ff_scene_spec *scene)
{
    if (!scene || !b->certifying || b->certifying->scene != scene) return false;
    b->certifying->owns_scene = true;
    return true;
}

static ff_run *make_run(const ff_workbench *b, ff_error *err)
{
    ff_run_options options = *ff_run_get_options(b->scene.run);
    ff_report report = {0};
    options.touchable = false;
    options.time = b->scene.spec->time;
    options.record.most_bytes = 0;
    ff_run *run = ff_run_create(b->scene.spec, &options, &report);
    if (!run) ff_report_to_error(&report, FF_BAD_ARGUMENT, err);
    ff_report_clear(&report);
    return run;
}

static ff_status begin(ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    ff_bench_certifying *c = calloc(1, sizeof *c);
    if (!c) return ff_error_set(err, FF_NO_MEMORY, "%s", ff_status_text(FF_NO_MEMORY));
    c->bench = b;
    c->scene = b->scene.spec;
    c->generation = b->scene.generation;
    c->run = make_run(b, err);
    if (c->run && pthread_create(&c->thread, NULL, work, c) == 0) {
        c->request = *q;
        q->deferred = true;
        b->certifying = c;
        return FF_OK;
    }
    if (c->run) ff_error_set(err, FF_NO_MEMORY, "no thread for the certificate: %s", strerror(errno));
    drop(c);
    return err->status;
}

ff_status ff_bench_certify(ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    if (ff_bench_flag(q, "stop")) {
        if (b->certifying) atomic_store(&b->certifying->stop, true);
        return FF_OK;
    }
    if (b->certifying) return ff_error_set(err, FF_LIMIT, "a certificate is being made: wait for it, or cancel it");
    if (b->scene.event_log) return ff_error_set(err, FF_BAD_ARGUMENT, "interactions cannot be reproduced: reset first");
    return begin(b, q, err);
}
