// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// summary.json: the results of a run in one small file that scripts can read.
#include <footfall/json.h>
#include <footfall/record.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ff_summary ff_summary_make(ff_sim *sim, ff_status status, const ff_error *err, double wall, char *text, size_t size)
{
    const ff_sim_counts counts = ff_sim_get_counts(sim);
    const char *word = "failed";
    if (status == FF_OK) word = "finished";
    if (status == FF_STOPPED) word = "stopped";
    if (status == FF_DIVERGED) word = "diverged";
    if (size > 0) {
        const bool more = status != FF_OK && err && err->text[0];
        snprintf(text, size, "%s%s%s", word, more ? ": " : "", more ? err->text : "");
    }
    return (ff_summary){.method = ff_method_name(ff_sim_get_options(sim)->method),
                        .time = ff_sim_time(sim),
                        .steps = counts.steps,
                        .evaluations = counts.evaluations,
                        .wall = wall,
                        .has_ledger = ff_sim_get_options(sim)->ledger,
                        .ledger = ff_sim_ledger(sim),
                        .outcome = size > 0 ? text : word};
}

/// "energy": stored energies at the end, losses by cause, energy put in, and the imbalance  [J].
static void write_ledger(ff_json *w, const ff_ledger *l)
{
    ff_json_begin_object(w, "energy", true);
    ff_json_number(w, "start", l->start);
    ff_json_number(w, "kinetic", l->stored.kinetic);
    ff_json_number(w, "potential", l->stored.potential);
    ff_json_number(w, "elastic_joints", l->stored.elastic);
    ff_json_number(w, "elastic_contacts", l->stored.contacts);
    ff_json_number(w, "elastic_parts", l->stored.parts);
    ff_json_number(w, "lost_contacts_normal", l->lost_normal);
    ff_json_number(w, "lost_contacts_friction", l->lost_friction);
    ff_json_number(w, "lost_joints", l->lost_joints);
    ff_json_number(w, "lost_parts", l->lost_parts);
    ff_json_number(w, "work", l->work);
    ff_json_number(w, "outside", l->outside);
    ff_json_number(w, "loops", l->loops);
    ff_json_number(w, "residual", l->residual);
    ff_json_end_object(w);
}

/// "expectations": the bounds that are given (is and within, at_least, at_most), the measured value, and the verdict.
static void write_expectations(ff_json *w, const ff_summary *summary)
{
    ff_json_begin_array(w, "expectations", true);
    for (int i = 0; i < summary->nexpectation; i++) {
        const ff_verdict *e = &summary->expectations[i];
        ff_json_begin_object(w, NULL, true);
        ff_json_text(w, "metric", e->metric);
        if (e->has_is) ff_json_number(w, "is", e->is);
        if (e->has_is) ff_json_number(w, "within", e->within);
        if (isfinite(e->at_least)) ff_json_number(w, "at_least", e->at_least);
        if (isfinite(e->at_most)) ff_json_number(w, "at_most", e->at_most);
        ff_json_number(w, "got", e->got);
        ff_json_bool(w, "met", e->met);
        if (e->may_miss > 0.0) ff_json_number(w, "rate", 1.0 - e->may_miss);
        ff_json_text(w, "source", e->source);
        ff_json_end_object(w);
    }
    ff_json_end_array(w);
}

char *ff_summary_to_json(const ff_summary *summary)
{
    ff_json w = {0};
    ff_json_begin_object(&w, NULL, true);
    if (summary->method) ff_json_text(&w, "method", summary->method);
    ff_json_number(&w, "time", summary->time);
    ff_json_integer(&w, "steps", summary->steps);
    ff_json_integer(&w, "evaluations", summary->evaluations);
    ff_json_number(&w, "wall", summary->wall);
    ff_json_number(&w, "rtf", summary->time / summary->wall);
    ff_json_text(&w, "outcome", summary->outcome ? summary->outcome : "");
    if (summary->has_ledger) write_ledger(&w, &summary->ledger);
    if (summary->neffect > 0) {
        ff_json_begin_object(&w, "effects", true);
        for (int i = 0; i < summary->neffect; i++)
            ff_json_text(&w, summary->effects[i].name, summary->effects[i].value);
        ff_json_end_object(&w);
    }
    ff_json_begin_object(&w, "metrics", true);
    for (int i = 0; i < summary->nmetric; i++) ff_json_number(&w, summary->metrics[i].name, summary->metrics[i].value);
    ff_json_end_object(&w);
    if (summary->nexpectation > 0) write_expectations(&w, summary);
    ff_json_begin_array(&w, "warnings", true);
    for (int i = 0; i < summary->nwarning; i++) ff_json_text(&w, NULL, summary->warnings[i]);
    ff_json_end_array(&w);
    if (summary->certificate) ff_json_raw(&w, "certificate", summary->certificate);
    if (summary->twin) ff_json_raw(&w, "twin", summary->twin);
    ff_json_end_object(&w);
    return ff_json_finish(&w);
}

ff_status ff_summary_write(const ff_summary *summary, const char *path, ff_error *err)
{
    char *text = ff_summary_to_json(summary);
    if (!text) return ff_error_set(err, FF_NO_MEMORY, "%s: no memory for the summary", path);
    FILE *file = fopen(path, "w");
    bool ok = file && fputs(text, file) >= 0;
    if (file) ok = fclose(file) == 0 && ok;
    free(text);
    if (ok) return FF_OK;
    ff_error_set(err, FF_NOT_WRITTEN, "%s: cannot write the summary: %s", path, strerror(errno));
    if (file) remove(path); // a truncated summary is not valid JSON
    return FF_NOT_WRITTEN;
}
