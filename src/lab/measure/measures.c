// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// All measures of a run: their list, the names and values of their metrics, and the verdict on expectations.
#include "measure/measure.h"

#include <footfall/text.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ADDRESS(name) &ff_measure_##name,
static const ff_measure_kind *const KINDS[] = {FF_MEASURE_LIST(ADDRESS) NULL};

/// A measure of a run.
typedef struct measure {
    const ff_measure_kind *kind;
    ff_measure_names names; // of the metrics that every run has
    void *context;          // NULL: it measures nothing
    void *saved;            // its state, while metrics of a run that continues are computed
} measure;

struct ff_measures {
    ff_measure_site site;
    measure *all;
    int count;
    ff_measure_names requested, reported;
    ff_metric *metrics;
    int nmetric;
    ff_arena arena; // names
    ff_arena run;   // memory of the measures, from ff_measures_begin on
};

// ------------------------------------------------------------------------------------------ help

const ff_metric_help *ff_measures_help(int i)
{
    for (int k = 0; i >= 0 && KINDS[k]; k++)
        for (const ff_metric_help *row = KINDS[k]->help; row->name; row++)
            if (i-- == 0) return row;
    return NULL;
}

/// Does a name fit a pattern, in which a word in capitals stands for any text, such as NAME in joints.NAME.max?
static bool fits(const char *pattern, const char *name)
{
    for (; *pattern; pattern++, name++) {
        if (*pattern >= 'A' && *pattern <= 'Z') {
            while (*pattern >= 'A' && *pattern <= 'Z') pattern++;
            for (; *name; name++)
                if (fits(pattern, name + 1)) return true;
            return false;
        }
        if (*pattern != *name) return false;
    }
    return *name == 0;
}

const char *ff_measures_unit(const char *name)
{
    const ff_metric_help *row;
    for (int i = 0; (row = ff_measures_help(i)); i++)
        if (fits(row->name, name)) return row->unit;
    return NULL;
}

bool ff_measures_begin_with(const char *name)
{
    const ff_metric_help *row;
    for (int i = 0; (row = ff_measures_help(i)); i++) {
        const size_t length = strcspn(row->name, ".");
        if (strncmp(row->name, name, length) == 0 && name[length] == 0) return true;
    }
    return false;
}

// ------------------------------------------------------------------------------------------ names

static int find(const ff_measure_names *list, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->names[i], name) == 0) return i;
    return -1;
}

static void list_names(const ff_measures *m, measure *at)
{
    for (int i = 0; i < at->kind->listed; i++) ff_measure_put_name(&at->names, at->kind->help[i].name);
    if (at->kind->names) at->kind->names(&m->site, &at->names);
}

ff_measures *ff_measures_create(const ff_measure_kind *const *kinds, const ff_measure_site *site)
{
    ff_measures *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->site = *site;
    m->site.arena = &m->run;
    m->requested.arena = m->reported.arena = &m->arena;
    if (!kinds) kinds = KINDS;
    int most = 0;
    while (kinds[most]) most++;
    m->all = FF_ARENA_NEW(&m->arena, measure, most + 1);
    for (; m->all && m->count < most; m->count++) {
        m->all[m->count] = (measure){.kind = kinds[m->count], .names.arena = &m->arena};
        list_names(m, &m->all[m->count]);
    }
    if (!m->arena.failed) return m;
    ff_measures_destroy(m);
    return NULL;
}

void ff_measures_destroy(ff_measures *m)
{
    if (!m) return;
    ff_arena_clear(&m->run);
    ff_arena_clear(&m->arena);
    free(m);
}

bool ff_measures_know(const ff_measures *m, const char *name)
{
    for (int i = 0; i < m->count; i++) {
        const measure *at = &m->all[i];
        if (find(&at->names, name) >= 0 || (at->kind->knows && at->kind->knows(&m->site, name))) return true;
    }
    return false;
}

/// All names of a measure: those of every run, and those that can be requested. The list is in memory of the arena.
static ff_measure_names all_names(const ff_measures *m, const measure *at, ff_arena *arena)
{
    ff_measure_names all = {.arena = arena};
    for (int i = 0; i < at->names.count; i++) ff_measure_put_name(&all, at->names.names[i]);
    const ff_metric_help *row = at->kind->help + at->kind->listed;
    for (; at->kind->listed > 0 && !at->kind->offers && row->name; row++) ff_measure_put_name(&all, row->name);
    if (at->kind->offers) at->kind->offers(&m->site, &all);
    return all;
}

const char *ff_measures_hint(ff_measures *m, const char *name)
{
    ff_arena scratch = {0};
    const char *near = NULL;
    for (int i = 0; i < m->count && !near; i++) {
        const ff_measure_names all = all_names(m, &m->all[i], &scratch);
        near = ff_text_nearest(name, all.names, all.count);
    }
    if (near) near = ff_arena_strdup(&m->arena, near);
    ff_arena_clear(&scratch);
    return near;
}

void ff_measures_find(const ff_measures *m, const char *pattern, ff_measure_names *out)
{
    ff_arena scratch = {0};
    for (int i = 0; i < m->count; i++) {
        const ff_measure_names all = all_names(m, &m->all[i], &scratch);
        for (int k = 0; k < all.count; k++)
            if (ff_text_matches(pattern, all.names[k]))
                ff_measure_put_name(out, ff_arena_strdup(out->arena, all.names[k]));
    }
    ff_arena_clear(&scratch);
}

/// Adds a name unless the list has it. @return false without memory
static bool put_once(ff_measures *m, ff_measure_names *list, const char *name)
{
    if (find(list, name) < 0) ff_measure_put_name(list, ff_arena_strdup(&m->arena, name));
    return !m->arena.failed;
}

bool ff_measures_ask(ff_measures *m, const char *name)
{
    return put_once(m, &m->requested, name);
}

bool ff_measures_report(ff_measures *m, const char *name)
{
    return put_once(m, &m->requested, name) && put_once(m, &m->reported, name);
}

void ff_measures_check(const ff_measures *m, const char *name, ff_place place, ff_report *report)
{
    for (int i = 0; i < m->count; i++)
        if (m->all[i].kind->check) m->all[i].kind->check(&m->site, name, place, report);
}

// ------------------------------------------------------------------------------------------ a run

ff_status ff_measures_begin(ff_measures *m, ff_error *err)
{
    int most = m->reported.count;
    m->site.requested = m->requested.names;
    m->site.nrequested = m->requested.count;
    for (int i = 0; i < m->count; i++) {
        measure *at = &m->all[i];
        const ff_status status = at->kind->begin(&m->site, &at->context, err);
        if (status != FF_OK) return status;
        most += at->names.count;
    }
    m->metrics = FF_ARENA_NEW(&m->run, ff_metric, most + 1);
    return m->metrics ? FF_OK : ff_error_set(err, FF_NO_MEMORY, "out of memory");
}

void ff_measures_report_events(ff_measures *m, ff_report *report)
{
    for (int i = 0; i < m->count; i++)
        if (m->all[i].context && m->all[i].kind->report) m->all[i].kind->report(m->all[i].context, report);
}

// ------------------------------------------------------------------------------------------ metrics

static void save_measured(measure *at)
{
    if (!at->context || !at->kind->save) return;
    at->saved = malloc(at->kind->save(at->context, NULL) + 1);
    if (at->saved) at->kind->save(at->context, at->saved);
}

static void restore_measured(measure *at)
{
    if (at->saved) at->kind->restore(at->context, at->saved);
    free(at->saved);
    at->saved = NULL;
}

static void list_metrics(ff_measures *m, const measure *at)
{
    double *values = at->context && at->kind->list ? malloc((size_t)at->names.count * sizeof *values + 1) : NULL;
    if (!values) return;
    at->kind->list(at->context, values);
    for (int i = 0; i < at->names.count; i++) m->metrics[m->nmetric++] = (ff_metric){at->names.names[i], values[i]};
    free(values);
}

/// Lists the metrics that a scene reports in addition to those of every run.
static void list_reported(ff_measures *m)
{
    const int every = m->nmetric;
    for (int i = 0; i < m->reported.count; i++) {
        const char *name = m->reported.names[i];
        double value = NAN;
        bool listed = false;
        for (int k = 0; k < every && !listed; k++) listed = strcmp(m->metrics[k].name, name) == 0;
        if (listed) continue;
        ff_measures_value(m, name, &value);
        m->metrics[m->nmetric++] = (ff_metric){name, value};
    }
}

void ff_measures_take(ff_measures *m, bool goes_on)
{
    m->nmetric = 0;
    if (!m->metrics) return;
    for (int i = 0; goes_on && i < m->count; i++) save_measured(&m->all[i]);
    ff_sim_evaluate(m->site.sim, FF_SIM_VELOCITY, NULL);
    for (int i = 0; i < m->count; i++)
        if (m->all[i].context && m->all[i].kind->end)
            m->all[i].kind->end(m->all[i].context, m->site.sim, ff_sim_time(m->site.sim));
    for (int i = 0; i < m->count; i++) list_metrics(m, &m->all[i]);
    list_reported(m);
    for (int i = 0; i < m->count; i++) restore_measured(&m->all[i]);
}

const ff_metric *ff_measures_list(const ff_measures *m, int *count)
{
    *count = m->nmetric;
    return m->metrics;
}

bool ff_measures_value(const ff_measures *m, const char *name, double *value)
{
    for (int i = 0; i < m->nmetric; i++) {
        if (strcmp(m->metrics[i].name, name) != 0) continue;
        *value = m->metrics[i].value;
        return true;
    }
    for (int i = 0; i < m->count; i++)
        if (m->all[i].context && m->all[i].kind->value && m->all[i].kind->value(m->all[i].context, name, value))
            return true;
    return false;
}

bool ff_measures_evaluate(const ff_measures *m, ff_expectation *expectations, int count, bool sound)
{
    bool passed = sound;
    for (int i = 0; i < count; i++) {
        ff_expectation *e = &expectations[i];
        e->got = NAN;
        ff_measures_value(m, e->metric, &e->got);
        e->met =
            sound && e->got >= e->at_least && e->got <= e->at_most && (!e->has_is || fabs(e->got - e->is) <= e->within);
        passed = passed && (e->met || e->other_seed || e->may_miss > 0.0);
    }
    return passed;
}

int ff_expectation_wanted(double may_miss, int n)
{
    return (int)floor((double)n * (1.0 - may_miss) + 1e-9); // 10 (1 - (1 - 0.7)) is 7 except for rounding
}

// ------------------------------------------------------------------------------------------ comparisons

/// Text of a name that the star of a pattern stands for.
typedef struct part {
    const char *text; // NULL: the pattern has no star
    size_t length;
} part;

static bool match(const char *pattern, const char *name, part *out)
{
    const char *star = strchr(pattern, '*');
    *out = (part){0};
    if (!star) return strcmp(pattern, name) == 0;
    const size_t before = (size_t)(star - pattern), after = strlen(star + 1), length = strlen(name);
    if (length < before + after || strncmp(name, pattern, before) != 0) return false;
    if (strcmp(name + length - after, star + 1) != 0) return false;
    *out = (part){name + before, length - before - after};
    return true;
}

bool ff_comparison_pairs(const ff_comparison *c, const char *of, const char *to)
{
    part a, b;
    if (!match(c->of, of, &a) || !match(c->to, to, &b)) return false;
    return !a.text || !b.text || (a.length == b.length && memcmp(a.text, b.text, a.length) == 0);
}
