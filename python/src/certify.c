// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Certified runs (footfall/certify.h). A certificate needs the run from its beginning: it is repeated with the
// same options.
#include "core.h"

#include <footfall/certify.h>
#include <stdlib.h>

typedef struct job {
    ff_run *run;
    ff_certifier *certifier;
    char *certificate, *bands; // JSON, malloc'ed
    ff_error err;
    atomic_bool stop;
} job;

static bool is_stopped(void *context)
{
    return atomic_load(&((job *)context)->stop);
}

static void work(void *context)
{
    job *j = context;
    const ff_status status = ff_run_go(j->run, &j->err);
    const ff_certificate *c = is_stopped(j) ? NULL : ff_certify_end(j->certifier, status, &j->err);
    if (c) {
        j->certificate = ff_certificate_to_json(c);
        j->bands = ff_certifier_bands(j->certifier);
    }
}

static bool begin(job *j, const run_object *run)
{
    ff_run_options options = *ff_run_get_options(run->run);
    ff_report report = {0};
    options.permissions = 0; // it would be run several times
    options.python = NULL;
    interruptible p;
    interruptible_begin(&p, NULL);
    j->run = ff_run_create(ff_run_scene(run->run), &options, &report);
    if (!interruptible_end(&p)) {
        ff_report_clear(&report);
        return false;
    }
    if (!j->run) return raise_report(&report, FF_BAD_ARGUMENT) != NULL;
    ff_report_clear(&report);
    if (ff_run_is_ready(j->run, &j->err) != FF_OK)
        return raise_status(FF_BAD_ARGUMENT, "a run with a controller in Python cannot be certified: that would be "
                                             "called by several runs") != NULL;
    ff_certify_options how = ff_certify_options_default();
    how.stop = is_stopped;
    how.context = j;
    j->certifier = ff_certify_begin(j->run, &how, &j->err);
    return j->certifier || raise_error(&j->err);
}

const char certify_run_doc[] = "certify_run(run)\n--\n\nThe certificate of a run and its bands, both as JSON.";

PyObject *certify_run(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *run, *result = NULL;
    if (!PyArg_ParseTuple(args, "O!:certify_run", run_type, &run)) return NULL;
    const run_object *self = (run_object *)run;
    if (!guard_look(run_owner(self), "Run")) return NULL;
    PyObject *scene = Py_NewRef(self->scene); // outlives the job, even if another thread closes the run meanwhile
    job j = {0};
    if (begin(&j, self) && guard_work(work, &j, &j.stop)) {
        if (j.certificate && j.bands)
            result = Py_BuildValue("(ss)", j.certificate, j.bands);
        else
            raise_error(&j.err);
    }
    ff_certifier_destroy(j.certifier);
    ff_run_destroy(j.run);
    free(j.certificate);
    free(j.bands);
    Py_DECREF(scene);
    return result;
}
