// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers in YAML files: units, arithmetic, named constants and origins.
//     sum     = product {("+" | "-") product}
//     product = sign {("*" | "/") sign}
//     sign    = {"-" | "+"} power
//     power   = atom ["^" sign]
//     atom    = number [unit] | name | function "(" sum ")" | "(" sum ")"
// A name stands for an entry of the map `constants` at the top of the file (or pi); each is worked out once and kept.
#include "model/yaml.h"

#include <footfall/text.h>
#include <math.h>
#include <string.h>

enum { MAX_NESTING = 50 }; // parentheses, signs and constants inside constants

static const double LARGEST = 1e12; // beyond it squares and products soon leave the range of a double

static const struct {
    const char *name;
    double times, over; // SI value = number * times / over; the division rounds "1.1 mm" as 0.0011 would be
} units[] = {
    {"deg/s", FF_PI, 180}, {"rad/s", 1, 1},     {"m/s^2", 1, 1}, {"mm/s", 1, 1e3},   {"cm/s", 1, 1e2}, {"m/s", 1, 1},
    {"km/h", 1, 3.6},      {"deg", FF_PI, 180}, {"rad", 1, 1},   {"rpm", FF_PI, 30}, {"km", 1e3, 1},   {"m", 1, 1},
    {"cm", 1, 1e2},        {"mm", 1, 1e3},      {"um", 1, 1e6},  {"s", 1, 1},        {"ms", 1, 1e3},   {"us", 1, 1e6},
    {"min", 60, 1},        {"kg", 1, 1},        {"g", 1, 1e3},   {"N", 1, 1},        {"mN", 1, 1e3},   {"kN", 1e3, 1},
    {"Nm", 1, 1},          {"mNm", 1, 1e3},     {"Hz", 1, 1},    {"kHz", 1e3, 1},    {"W", 1, 1},      {"%", 1, 1e2},
};

static const struct {
    const char *name;
    double (*call)(double);
} functions[] = {{"sqrt", sqrt},    {"sin", ff_sin},   {"cos", ff_cos},   {"tan", ff_tan},
                 {"asin", ff_asin}, {"acos", ff_acos}, {"atan", ff_atan}, {"abs", fabs}};

typedef struct scan {
    const char *at;
    ff_yaml *node;
    ff_report *report;
    int depth;
    bool bad; // reported already
} scan;

static double sum(scan *s);
static bool evaluate(ff_yaml *node, double *out, int depth, ff_report *report);

static double complain(scan *s, const char *what)
{
    if (!s->bad) ff_report_add(s->report, FF_ERROR, s->node->place, "'%.60s' is not a number: %s", s->node->text, what);
    s->bad = true;
    return 0.0;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_word(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9');
}

static void skip_blanks(scan *s)
{
    while (*s->at == ' ' || *s->at == '\t' || *s->at == '\n') s->at++;
}

static bool take(scan *s, char c)
{
    skip_blanks(s);
    if (*s->at != c) return false;
    s->at++;
    return true;
}

static size_t word_length(const char *at)
{
    size_t n = 0;
    while (is_word(at[n])) n++;
    return n;
}

/// The unit that starts here: the longest name that is not the beginning of a longer word.
static int find_unit(const char *at)
{
    int best = -1;
    size_t longest = 0;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t n = strlen(units[i].name);
        if (n <= longest || strncmp(at, units[i].name, n) != 0 || (units[i].name[0] != '%' && is_word(at[n]))) continue;
        best = (int)i;
        longest = n;
    }
    return best;
}

static double literal(scan *s, size_t length)
{
    double value = 0.0;
    if (!ff_text_number(s->at, length, &value)) return complain(s, "it is too large");
    s->at += length;
    skip_blanks(s);
    if (!is_letter(*s->at) && *s->at != '%') return value;
    int unit = find_unit(s->at);
    if (unit < 0)
        return complain(s, "unknown unit; known are deg, rad, rpm, m, cm, mm, um, km, s, ms, us, min, kg, g, "
                           "N, mN, kN, Nm, mNm, W, Hz, kHz, %, and deg/s, rad/s, m/s, mm/s, km/h, m/s^2");
    s->at += strlen(units[unit].name);
    return value * units[unit].times / units[unit].over;
}

// ------------------------------------------------------------------------------------------ names

static ff_yaml *constants_of(ff_yaml *node)
{
    while (node->parent) node = node->parent;
    if (!node->constants_known) node->constants = ff_yaml_get(node, "constants");
    node->constants_known = true; // a second search among 100 000 keys would cost
    return node->constants;
}

static void complain_name(scan *s, ff_yaml *constants, const char *name)
{
    const char *names[FF_YAML_MAX_CONSTANTS];
    int n = 0;
    if (constants && constants->type == FF_YAML_MAP)
        for (ff_yaml *entry = constants->child; entry && n < FF_YAML_MAX_CONSTANTS; entry = entry->next)
            names[n++] = entry->key;
    const char *near = ff_yaml_hint(name, names, n, s->report);
    if (!s->bad)
        ff_report_add(s->report, FF_ERROR, s->node->place,
                      "'%.60s' is not a number: no '%.40s' in the constants of this file%s%s%s", s->node->text, name,
                      near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    s->bad = true;
}

/// Works a constant out at its first use. One that is being worked out already depends on itself.
static double constant(scan *s, const char *name)
{
    ff_yaml *constants = constants_of(s->node), *entry = NULL;
    int n = 0;
    if (constants && constants->type == FF_YAML_MAP)
        for (entry = constants->child; entry && n < FF_YAML_MAX_CONSTANTS; entry = entry->next, n++)
            if (strcmp(entry->key, name) == 0) break;
    if (!entry || n >= FF_YAML_MAX_CONSTANTS) {
        complain_name(s, constants, name);
        return 0.0;
    }
    if (entry->number_state == FF_YAML_RUNNING) return complain(s, "a constant depends on itself");
    if (entry->number_state == FF_YAML_UNKNOWN) {
        entry->number_state = FF_YAML_RUNNING;
        bool fine = evaluate(entry, &entry->number, s->depth + 1, s->report);
        entry->number_state = fine ? FF_YAML_KNOWN : FF_YAML_BAD;
    }
    if (entry->number_state == FF_YAML_BAD) s->bad = true; // its own message says why
    return entry->number;
}

static double name_or_call(scan *s)
{
    char name[64];
    size_t n = word_length(s->at);
    if (n >= sizeof name) return complain(s, "a name in it is too long");
    memcpy(name, s->at, n);
    name[n] = 0;
    s->at += n;
    if (!take(s, '(')) return strcmp(name, "pi") == 0 ? FF_PI : constant(s, name);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(functions[i].name, name) != 0) continue;
        double value = functions[i].call(sum(s));
        return take(s, ')') ? value : complain(s, "a ')' is missing");
    }
    return complain(s, "unknown function; known are sqrt, sin, cos, tan, asin, acos, atan, abs");
}

// ------------------------------------------------------------------------------------------ grammar

static double atom(scan *s)
{
    skip_blanks(s);
    if (s->bad) return 0.0;
    if (s->depth >= MAX_NESTING) return complain(s, "nested too deeply");
    s->depth++;
    double value = 0.0;
    size_t length = *s->at == '+' || *s->at == '-' ? 0 : ff_text_number_length(s->at, strlen(s->at));
    if (length > 0) {
        value = literal(s, length);
    } else if (take(s, '(')) {
        value = sum(s);
        if (!take(s, ')')) complain(s, "a ')' is missing");
    } else if (is_letter(*s->at)) {
        value = name_or_call(s);
    } else {
        complain(s, *s->at ? "expected a number, a constant or '('" : "it ends too early");
    }
    s->depth--;
    return value;
}

static double sign(scan *s)
{
    bool negative = false;
    for (;;) {
        if (take(s, '-'))
            negative = !negative;
        else if (!take(s, '+'))
            break;
    }
    double value = atom(s);
    if (take(s, '^')) {
        if (s->depth >= MAX_NESTING) return complain(s, "nested too deeply");
        s->depth++;
        value = ff_pow(value, sign(s));
        s->depth--;
    }
    return negative ? -value : value;
}

static double product(scan *s)
{
    double value = sign(s);
    while (!s->bad) {
        if (take(s, '*'))
            value *= sign(s);
        else if (take(s, '/'))
            value /= sign(s);
        else
            break;
    }
    return value;
}

static double sum(scan *s)
{
    double value = product(s);
    while (!s->bad) {
        if (take(s, '+'))
            value += product(s);
        else if (take(s, '-'))
            value -= product(s);
        else
            break;
    }
    return value;
}

static bool check_size(const ff_yaml *node, double value, ff_report *report)
{
    if (fabs(value) <= LARGEST) return true;
    ff_report_add(report, FF_ERROR, node->place,
                  "'%.60s' gives %g: a number here must be finite and at most %g in size", node->text, value, LARGEST);
    return false;
}

static bool evaluate(ff_yaml *node, double *out, int depth, ff_report *report)
{
    if (node->type == FF_YAML_MAP && ff_yaml_get(node, "value")) {
        ff_yaml *origin = ff_yaml_get(node, "origin");
        if (origin && !ff_yaml_as_string(origin, report)) return false;
        return depth < MAX_NESTING && evaluate(ff_yaml_get(node, "value"), out, depth + 1, report);
    }
    if (!ff_yaml_expect(node, FF_YAML_SCALAR, "a number", report)) return false;
    if (node->quoted || ff_yaml_is_null(node)) {
        ff_report_add(report, FF_ERROR, node->place, "expected a number, got %s",
                      node->quoted ? "a quoted string" : "nothing");
        return false;
    }
    double value;
    if (!ff_text_number(node->text, strlen(node->text), &value)) {
        scan s = {.at = node->text, .node = node, .report = report, .depth = depth};
        value = sum(&s);
        skip_blanks(&s);
        if (!s.bad && *s.at) complain(&s, "it goes on after its end");
        if (s.bad) return false;
    }
    if (!check_size(node, value, report)) return false;
    *out = value;
    return true;
}

bool ff_yaml_as_number(ff_yaml *node, double *out, ff_report *report)
{
    return evaluate(node, out, 0, report);
}

void ff_yaml_check_constants(ff_yaml *root, ff_report *report)
{
    ff_yaml *constants = ff_yaml_get(root, "constants");
    if (!constants || !ff_yaml_expect(constants, FF_YAML_MAP, "constants as 'name: number'", report)) return;
    if (constants->nchild > FF_YAML_MAX_CONSTANTS) {
        ff_report_add(report, FF_ERROR, constants->place, "%d constants are more than the limit of %d",
                      constants->nchild, FF_YAML_MAX_CONSTANTS);
        return;
    }
    for (ff_yaml *entry = constants->child; entry; entry = entry->next) {
        entry->used = true;
        if (word_length(entry->key) != strlen(entry->key) || !is_letter(entry->key[0]))
            ff_report_add(report, FF_ERROR, entry->key_place,
                          "constant '%.60s': a name is made of letters, digits and _, and does not start with a digit",
                          entry->key);
        if (entry->number_state != FF_YAML_UNKNOWN) continue;
        entry->number_state = FF_YAML_RUNNING;
        bool fine = evaluate(entry, &entry->number, 0, report);
        entry->number_state = fine ? FF_YAML_KNOWN : FF_YAML_BAD;
    }
}
