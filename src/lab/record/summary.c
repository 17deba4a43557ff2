// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// summary.json: the results of a run in one small file that scripts can read.
#include "record/record.h"
#include "text/json_rows.h"

#include <errno.h>
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

static void write_is(ff_json *json, const void *verdict)
{
    const ff_verdict *e = verdict;
    if (e->has_is) ff_json_number(json, "is", e->is);
}

static void write_within(ff_json *json, const void *verdict)
{
    const ff_verdict *e = verdict;
    if (e->has_is) ff_json_number(json, "within", e->within);
}

static void write_rate(ff_json *json, const void *verdict)
{
    const ff_verdict *e = verdict;
    if (e->may_miss > 0.0) ff_json_number(json, "rate", 1.0 - e->may_miss);
}

static void write_rtf(ff_json *json, const void *summary)
{
    const ff_summary *s = summary;
    ff_json_number(json, "rtf", s->time / s->wall);
}

static void write_energy(ff_json *json, const void *summary)
{
    const ff_summary *s = summary;
    if (!s->has_ledger) return;
    ff_json_begin_object(json, "energy", true);
    ff_json_members(json, &ff_summary_json, "Energy", &s->ledger);
    ff_json_end_object(json);
}

static void write_effects(ff_json *json, const void *summary)
{
    const ff_summary *s = summary;
    if (s->neffect == 0) return;
    ff_json_begin_object(json, "effects", true);
    for (int i = 0; i < s->neffect; i++) ff_json_text(json, s->effects[i].name, s->effects[i].value);
    ff_json_end_object(json);
}

static void write_metrics(ff_json *json, const void *summary)
{
    const ff_summary *s = summary;
    ff_metrics_to_json(s->metrics, s->nmetric, json);
}

void ff_metrics_to_json(const ff_metric *metrics, int count, ff_json *json)
{
    ff_json_begin_object(json, "metrics", false);
    for (int i = 0; i < count; i++) ff_json_number(json, metrics[i].name, metrics[i].value);
    ff_json_end_object(json);
}

#define ENERGY(...)  FF_JSON_ROW(ff_ledger, __VA_ARGS__)
#define VERDICT(...) FF_JSON_ROW(ff_verdict, __VA_ARGS__)
#define SUMMARY(...) FF_JSON_ROW(ff_summary, __VA_ARGS__)

// One field a line.
// clang-format off
static const ff_json_type SUMMARY_TYPES[] = {
    {"Measured", "A number; null if it is not finite.", .same_as = "number|null"},
    {"Energy", "The energy ledger.", FF_JSON_FIELDS(
        ENERGY(start, "number|null", ALWAYS, "J", "energy stored at the start"),
        FIELD("kinetic", "number|null", ALWAYS, "J", "kinetic energy", FF_JSON_AT(ff_ledger, stored.kinetic)),
        FIELD("potential", "number|null", ALWAYS, "J",
         "potential energy of gravity", FF_JSON_AT(ff_ledger, stored.potential)),
        FIELD("elastic_joints", "number|null", ALWAYS, "J",
         "energy stored in springs of joints", FF_JSON_AT(ff_ledger, stored.elastic)),
        FIELD("elastic_contacts", "number|null", ALWAYS, "J",
         "energy stored in contacts", FF_JSON_AT(ff_ledger, stored.contacts)),
        FIELD("elastic_parts", "number|null", ALWAYS, "J",
         "energy stored in parts", FF_JSON_AT(ff_ledger, stored.parts)),
        FIELD("lost_contacts_normal", "number|null", ALWAYS, "J",
         "energy lost in normal direction of contacts", FF_JSON_AT(ff_ledger, lost_normal)),
        FIELD("lost_contacts_friction", "number|null", ALWAYS, "J",
         "energy lost by friction of contacts", FF_JSON_AT(ff_ledger, lost_friction)),
        ENERGY(lost_joints, "number|null", ALWAYS, "J", "energy lost in joints"),
        ENERGY(lost_parts, "number|null", ALWAYS, "J", "energy lost in drives and parts"),
        ENERGY(work, "number|null", ALWAYS, "J", "work of drives and held forces"),
        ENERGY(outside, "number|null", ALWAYS, "J", "work of external forces"),
        ENERGY(loops, "number|null", ALWAYS, "J", "energy added when loops are closed after a step"),
        ENERGY(residual, "number|null", ALWAYS, "J", "imbalance: what the method itself made (above zero) or took"))},
    {"ExpectationRecord", "An expectation and its verdict.", .size = sizeof(ff_verdict), FF_JSON_FIELDS(
        VERDICT(metric, "text", ALWAYS, "", "name of the metric"),
        FIELD("is", "number", OPTIONAL, "", "expected value, with `within`", .write = write_is),
        FIELD("within", "number", OPTIONAL, "", "tolerance", .write = write_within),
        VERDICT(at_least, "number", OPTIONAL, "", "lower bound"),
        VERDICT(at_most, "number", OPTIONAL, "", "upper bound"),
        VERDICT(got, "number|null", ALWAYS, "", "measured value"),
        VERDICT(met, "flag", ALWAYS, "", "whether the expectation is met"),
        FIELD("rate", "number", OPTIONAL, "",
         "share of the runs with other seeds that meet it, if below 1", .write = write_rate),
        VERDICT(source, "text|null", ALWAYS, "", "source of the expected value"))},
    {"Summary", "`summary.json`.", FF_JSON_FIELDS(
        SUMMARY(method, "text", OPTIONAL, "", "integration method"),
        SUMMARY(time, "number", ALWAYS, "s", "simulated time"),
        SUMMARY(steps, "integer", ALWAYS, "", "number of integration steps"),
        SUMMARY(evaluations, "integer", ALWAYS, "", "number of force evaluations"),
        SUMMARY(wall, "number", ALWAYS, "s", "wall-clock time"),
        FIELD("rtf", "number|null", ALWAYS, "", "real-time factor", .write = write_rtf),
        SUMMARY(outcome, "text", ALWAYS, "", "`finished`, or the reason why the run ended early"),
        FIELD("energy", "Energy", OPTIONAL, "", "energy ledger", .write = write_energy),
        FIELD("effects", "text{}", OPTIONAL, "", "switches of the scene", .write = write_effects),
        FIELD("metrics", "Measured{}", ALWAYS, "", "metrics by name", .write = write_metrics),
        FIELD("expectations", "ExpectationRecord[]", OPTIONAL, "",
         "expectations with their verdicts", FF_JSON_ITEMS(ff_summary, expectations, nexpectation)),
        FIELD("warnings", "text[]", ALWAYS, "", "warnings of the run", FF_JSON_ITEMS(ff_summary, warnings, nwarning)),
        FIELD("certificate", "Certificate", OPTIONAL, "", "certificate of a run with `--certify`"),
        FIELD("twin", "Twin", OPTIONAL, "", "comparison of a run by `footfall twin`"))},
};
// clang-format on

const ff_json_subject ff_summary_json = {"summary", "`summary.json`: how a run ended.", FF_JSON_TYPES(SUMMARY_TYPES)};

char *ff_summary_to_json(const ff_summary *summary)
{
    ff_json w = {0};
    ff_summary s = *summary;
    if (!s.outcome) s.outcome = "";
    ff_json_begin_object(&w, NULL, true);
    ff_json_members(&w, &ff_summary_json, "Summary", &s);
    if (s.certificate) ff_json_raw(&w, "certificate", s.certificate);
    if (s.twin) ff_json_raw(&w, "twin", s.twin);
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
