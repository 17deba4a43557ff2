// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A certificate as a sentence for people, and as JSON.
#include "certify.h"
#include "text/json_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *ff_certainty_name(ff_certainty certainty)
{
    static const char *const names[] = {"resolved", "unresolved", "chaotic"};
    return names[certainty];
}

const char *ff_role_name(ff_role role)
{
    static const char *const names[] = {"itself", "tighter", "independent", "perturbed"};
    return names[role];
}

const char *ff_repeat_describe(const ff_sim_options *options, ff_arena *arena)
{
    if (ff_sim_options_fixed_step(options)) return ff_arena_printf(arena, "step %.4g ms", 1e3 * options->step);
    const bool accuracy = ff_method_get_traits(options->method).accuracy;
    return ff_arena_printf(arena, "accuracy %.2g", accuracy ? options->accuracy : options->relative);
}

/// "0.12 mm (0.01 % of the way moved)"; for a motion at rest "2e-9 mm (nothing moved by more than 3e-7 mm)".
static const char *describe_distance(double distance, double moved, ff_arena *arena)
{
    const char *share = moved > FF_CERTIFY_AT_REST
                            ? ff_arena_printf(arena, "%.3g %% of the way moved", 100.0 * distance / moved)
                            : ff_arena_printf(arena, "nothing moved by more than %.3g mm", 1e3 * moved);
    return ff_arena_printf(arena, "%.3g mm (%s)", 1e3 * distance, share);
}

static const ff_certified_run *find_run(const ff_certificate *c, ff_role role)
{
    for (int i = 0; i < c->nrun; i++)
        if (c->runs[i].ended && strcmp(c->runs[i].role, ff_role_name(role)) == 0) return &c->runs[i];
    return NULL;
}

/// "accuracy 1e-4 and adaptive".
static const char *list_others(const ff_certificate *c, ff_arena *arena)
{
    const ff_certified_run *tighter = find_run(c, FF_ROLE_TIGHTER), *other = find_run(c, FF_ROLE_INDEPENDENT);
    if (tighter && other)
        return ff_arena_printf(arena, "%s with %s, and %s with %s,", tighter->method, tighter->setting, other->method,
                               other->setting);
    if (tighter) return ff_arena_printf(arena, "%s with %s", tighter->method, tighter->setting);
    if (other) return ff_arena_printf(arena, "%s with %s", other->method, other->setting);
    return "no other run";
}

const char *ff_parting_describe(const ff_parting *p, const char *of, const char *itself, ff_arena *arena)
{
    if (!p->parted) return "";
    if (isnan(p->t))
        return ff_arena_printf(arena,
                               " When it parts from %s is not known, as nothing is recorded: 'record: {rate: 50, "
                               "channels: [q]}' shows it.",
                               of);
    const char *where = ff_arena_printf(arena, " It parts from %s at %.4g s", of, p->t);
    if (!p->contact)
        return ff_arena_printf(arena, "%s: no contact differs, the difference has grown steadily since %.4g s.", where,
                               p->since);
    return ff_arena_printf(arena, "%s: from %.6g s on %s touch in %s alone, for %.3g ms.", where, p->at, p->contact,
                           p->in_run ? itself : of, 1e3 * p->lasts);
}

/// Is the bar more than a tenth of the number? Numbers that measure the error of the run are exempt.
static bool is_uncertain(const ff_certified_number *n)
{
    static const double UNKNOWN = 0.1, NOTHING = 1e-6; // share of the value; bar that counts as zero  [SI]
    static const char *const errors[] = {"ledger.residual", "energy.drift"};
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (strncmp(n->metric, errors[i], strlen(errors[i])) == 0) return false;
    return isnan(n->median) && n->bar > NOTHING && n->bar > UNKNOWN * fabs(n->value);
}

static bool is_reported(const ff_scene_spec *scene, const char *metric)
{
    for (int i = 0; i < scene->nreported; i++)
        if (strcmp(scene->reported[i].metric, metric) == 0) return true;
    return false;
}

/// "in its motion, but not in ledger.lost.friction, 11.1 +- 25, and 2 more numbers: "; "" if no requested number is
/// uncertain.
static const char *list_uncertain(const ff_certificate *c, const ff_scene_spec *scene, ff_arena *arena)
{
    const ff_certified_number *first = NULL;
    int count = 0;
    for (int i = 0; i < c->nexpectation + c->nmetric; i++) {
        const bool expected = i < c->nexpectation;
        const ff_certified_number *n = expected ? &c->expectations[i].number : &c->metrics[i - c->nexpectation];
        if (!is_uncertain(n) || (!expected && !is_reported(scene, n->metric))) continue;
        if (!first) first = n;
        count++;
    }
    if (!first) return "";
    const char *more =
        count > 1 ? ff_arena_printf(arena, ", and %d more number%s", count - 1, count > 2 ? "s" : "") : "";
    return ff_arena_printf(arena, "in its motion, but not in %s, %.3g +- %.2g%s: ", first->metric, first->value,
                           first->bar, more);
}

const char *ff_certificate_describe(const ff_certificate *c, const ff_scene_spec *scene, ff_arena *arena)
{
    const double others = ff_max(isnan(c->tighter) ? 0.0 : c->tighter, isnan(c->independent) ? 0.0 : c->independent);
    const char *distance = describe_distance(others, c->moved, arena), *list = list_others(c, arena);
    const char *parting = ff_parting_describe(&c->parting, "the tighter one", "this run", arena);
    const bool alone = !find_run(c, FF_ROLE_INDEPENDENT);
    const char *missing = alone ? " No independent method succeeds: bars are twice the distance." : "";
    const char *lasting = isnan(c->doubling) ? "" : ff_arena_printf(arena, " doubles every %.2g s and", c->doubling);
    switch (c->certainty) {
    case FF_CERTAINTY_RESOLVED:
        return ff_arena_printf(arena, "%s%s agree with this run to %s.%s", list_uncertain(c, scene, arena), list,
                               distance, parting);
    case FF_CERTAINTY_CHAOTIC:
        return ff_arena_printf(arena,
                               "a change of the start by 1e-9%s grows to %s: no accuracy fixes this motion to its "
                               "end, and the spread over runs takes the place of bars.%s",
                               lasting, describe_distance(c->perturbed, c->moved, arena), parting);
    default:
        if (alone && c->tighter <= FF_CERTIFY_SMALL * ff_max(c->moved, FF_CERTIFY_AT_REST))
            return ff_arena_printf(
                arena,
                "no independent method succeeds. %s agrees with this run to %s, which says nothing of "
                "errors that both share; bars are twice the distance.%s",
                list, distance, parting);
        return ff_arena_printf(arena,
                               "%s differ%s from this run by %s%s: take a shorter step, or a tighter accuracy.%s%s",
                               list, alone ? "s" : "", distance,
                               alone                         ? ""
                               : ff_certificate_converges(c) ? ", and agree with each other much better"
                                                             : ", and do not close in, so that bars may be too short",
                               missing, parting);
    }
}

// ------------------------------------------------------------------------------------------ JSON

static void write_parting(ff_json *json, const void *certificate)
{
    ff_parting_to_json(&((const ff_certificate *)certificate)->parting, "tighter", json);
}

/// @param number  may also be an ff_certified_expectation, which begins with its number
static void write_spread(ff_json *json, const void *number)
{
    const ff_certified_number *n = number;
    if (!isnan(n->median)) ff_json_numbers(json, "spread", (const double[3]){n->low, n->median, n->high}, 3);
}

static void write_metrics(ff_json *json, const void *certificate)
{
    const ff_certificate *c = certificate;
    ff_json_begin_object(json, "metrics", true);
    for (int i = 0; i < c->nmetric; i++) {
        ff_json_begin_object(json, c->metrics[i].metric, true);
        ff_json_members(json, &ff_certificate_json, "Bar", &c->metrics[i]);
        ff_json_end_object(json);
    }
    ff_json_end_object(json);
}

static void write_expectations(ff_json *json, const void *certificate)
{
    const ff_certificate *c = certificate;
    ff_json_begin_array(json, "expectations", true);
    for (int i = 0; i < c->nexpectation; i++) {
        const ff_certified_expectation *e = &c->expectations[i];
        if (e->standing == FF_STANDING_OF_OTHER_SEED) continue; // nor does the summary list it
        ff_json_begin_object(json, NULL, true);
        ff_json_members(json, &ff_certificate_json, "CertifiedExpectation", e);
        if (e->of > 0) ff_json_integer(json, "met_in", e->met);
        if (e->of > 0) ff_json_integer(json, "of", e->of);
        ff_json_end_object(json);
    }
    ff_json_end_array(json);
}

#define RUN(...)         FF_JSON_ROW(ff_certified_run, __VA_ARGS__)
#define PARTING(...)     FF_JSON_ROW(ff_parting, __VA_ARGS__)
#define NUMBER(...)      FF_JSON_ROW(ff_certified_number, __VA_ARGS__)
#define EXPECTATION(...) FF_JSON_ROW(ff_certified_expectation, __VA_ARGS__)
#define CERTIFICATE(...) FF_JSON_ROW(ff_certificate, __VA_ARGS__)

// One field a line.
// clang-format off
static const ff_json_type CERTIFICATE_TYPES[] = {
    {"CertifiedRun", "One of the runs of a certificate.", .size = sizeof(ff_certified_run), FF_JSON_FIELDS(
        RUN(role, "'itself'|'tighter'|'independent'|'perturbed'", ALWAYS, "", "purpose of the run"),
        RUN(method, "text", ALWAYS, "", "integration method"),
        RUN(setting, "text", ALWAYS, "", "step or accuracy of the method"),
        RUN(time, "number", ALWAYS, "s", "simulated time"),
        RUN(evaluations, "integer", ALWAYS, "", "number of force evaluations"),
        RUN(ended, "flag", ALWAYS, "", "whether it reached the end"),
        RUN(outcome, "text", ALWAYS, "", "`finished`, or the reason why it ended early"))},
    {"Parting", "Where two runs separate.", FF_JSON_FIELDS(
        PARTING(t, "number", ALWAYS, "s",
         "first time at which the distance of the two exceeds a thousandth of the distance moved"),
        PARTING(since, "number", ALWAYS, "s", "last time before at which the distance was below a tenth of that"),
        PARTING(distance, "number", ALWAYS, "m", "distance at `t`"),
        PARTING(contact, "text", OPTIONAL, "", "names of the two shapes that touch in only one of the two runs"),
        PARTING(at, "number", OPTIONAL, "s", "time at which they begin to touch"),
        PARTING(lasts, "number", OPTIONAL, "s", "duration of the contact"),
        FIELD("in", "'itself'|'tighter'|'twin'", OPTIONAL, "", "run in which they touch"))},
    {"Bar", "How far a number can be relied on.", FF_JSON_FIELDS(
        NUMBER(bar, "number|null", ALWAYS, "", "half length of the error bar: value +- `bar`; null: not known"),
        FIELD("spread", "Measured[3]", OPTIONAL, "",
         "lowest, median, highest of all runs of a chaotic motion", .write = write_spread))},
    {"CertifiedExpectation", "An expectation with the bar of what was measured.", FF_JSON_FIELDS(
        FIELD("metric", "text", ALWAYS, "", "name of the metric", FF_JSON_AT(ff_certified_expectation, number.metric)),
        FIELD("got", "number|null", ALWAYS, "", "measured value", FF_JSON_AT(ff_certified_expectation, number.value)),
        FIELD("bar", "number|null", ALWAYS, "",
         "half length of the error bar: value +- `bar`; null: not known",
         FF_JSON_AT(ff_certified_expectation, number.bar)),
        FIELD("spread", "Measured[3]", OPTIONAL, "",
         "lowest, median, highest of all runs of a chaotic motion", .write = write_spread),
        EXPECTATION(standing, "'met'|'met, undecided'|'missed, undecided'|'missed'", ALWAYS, "",
         "verdict within the bar"),
        FIELD("met_in", "integer", OPTIONAL, "", "number of runs of a chaotic motion that meet it"),
        FIELD("of", "integer", OPTIONAL, "", "number of runs of which `met_in` meet it"))},
    {"Certificate", "How far a run can be relied on ([certificate](certificate.md)).", FF_JSON_FIELDS(
        CERTIFICATE(certainty, "'resolved'|'unresolved'|'chaotic'", ALWAYS, "", "conclusion from all runs"),
        CERTIFICATE(text, "text", ALWAYS, "", "the conclusion in a sentence or two"),
        CERTIFICATE(moved, "number", ALWAYS, "m",
         "distance moved by the degree of freedom that moved most, 1 rad as 0.1 m"),
        CERTIFICATE(tighter, "number|null", ALWAYS, "m", "largest distance between the run and the tighter one"),
        CERTIFICATE(independent, "number|null", ALWAYS, "m",
         "largest distance between the run and the independent one"),
        CERTIFICATE(between, "number|null", ALWAYS, "m",
         "largest distance between the tighter and the independent run"),
        CERTIFICATE(perturbed, "number", OPTIONAL, "m",
         "largest distance between the tighter run and itself with a start changed by 1e-9"),
        CERTIFICATE(doubling, "number", OPTIONAL, "s", "time in which small differences double"),
        FIELD("parting", "Parting", OPTIONAL, "", "where the run and the tighter one separate", .write = write_parting),
        FIELD("runs", "CertifiedRun[]", ALWAYS, "",
         "runs that were made, the run itself first", FF_JSON_ITEMS(ff_certificate, runs, nrun)),
        FIELD("metrics", "Bar{}", ALWAYS, "", "error bars of the metrics, by name", .write = write_metrics),
        FIELD("expectations", "CertifiedExpectation[]", ALWAYS, "",
         "expectations in the order of those of the summary", .write = write_expectations))},
};
// clang-format on

const ff_json_subject ff_certificate_json = {"certificate", "How far a run can be relied on.",
                                             FF_JSON_TYPES(CERTIFICATE_TYPES)};

void ff_parting_to_json(const ff_parting *p, const char *of, ff_json *json)
{
    if (!p->parted || isnan(p->t)) return;
    ff_json_begin_object(json, "parting", true);
    ff_json_members(json, &ff_certificate_json, "Parting", p);
    if (p->contact) ff_json_text(json, "in", p->in_run ? "itself" : of);
    ff_json_end_object(json);
}

char *ff_certificate_to_json(const ff_certificate *c)
{
    ff_json json = {0};
    ff_json_begin_object(&json, NULL, true);
    ff_json_members(&json, &ff_certificate_json, "Certificate", c);
    ff_json_end_object(&json);
    return ff_json_finish(&json);
}
