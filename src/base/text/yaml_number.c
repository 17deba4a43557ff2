// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers in YAML files: units, arithmetic, named constants and origins.
//     sum     = product {("+" | "-") product}
//     product = sign {("*" | "/") sign}
//     sign    = {"-" | "+"} power
//     power   = atom ["^" sign]
//     atom    = number [unit] | name | function "(" sum ")" | "(" sum ")"
// A name stands for an entry of the map `constants` at the top of the file (or pi); each is evaluated once.
#include "text/schema.h"
#include "text/yaml.h"

#include <footfall/text.h>
#include <math.h>
#include <string.h>

enum { MAX_NESTING = 50 }; // parentheses, signs and constants inside constants

static const double LARGEST = 1e12; // squares and products of larger numbers may overflow

static const struct {
    const char *name;
    double times, over; // SI value = number * times / over; the division rounds "1.1 mm" as 0.0011 would be
    ff_dimension dimension;
} units[] = {
    // clang-format off
    {"deg/s", FF_PI, 180, {true, false, 0, 0, -1, 1}},
    {"rad/s", 1, 1, {true, false, 0, 0, -1, 1}},
    {"m/s^2", 1, 1, {true, false, 1, 0, -2, 0}},
    {"mm/s", 1, 1e3, {true, false, 1, 0, -1, 0}},
    {"cm/s", 1, 1e2, {true, false, 1, 0, -1, 0}},
    {"m/s", 1, 1, {true, false, 1, 0, -1, 0}},
    {"km/h", 1, 3.6, {true, false, 1, 0, -1, 0}},
    {"deg", FF_PI, 180, {true, false, 0, 0, 0, 1}},
    {"rad", 1, 1, {true, false, 0, 0, 0, 1}},
    {"rpm", FF_PI, 30, {true, false, 0, 0, -1, 1}},
    {"km", 1e3, 1, {true, false, 1, 0, 0, 0}},
    {"m", 1, 1, {true, false, 1, 0, 0, 0}},
    {"cm", 1, 1e2, {true, false, 1, 0, 0, 0}},
    {"mm", 1, 1e3, {true, false, 1, 0, 0, 0}},
    {"um", 1, 1e6, {true, false, 1, 0, 0, 0}},
    {"s", 1, 1, {true, false, 0, 0, 1, 0}},
    {"ms", 1, 1e3, {true, false, 0, 0, 1, 0}},
    {"us", 1, 1e6, {true, false, 0, 0, 1, 0}},
    {"min", 60, 1, {true, false, 0, 0, 1, 0}},
    {"kg", 1, 1, {true, false, 0, 1, 0, 0}},
    {"g", 1, 1e3, {true, false, 0, 1, 0, 0}},
    {"N", 1, 1, {true, false, 1, 1, -2, 0}},
    {"mN", 1, 1e3, {true, false, 1, 1, -2, 0}},
    {"kN", 1e3, 1, {true, false, 1, 1, -2, 0}},
    {"Nm", 1, 1, {true, false, 2, 1, -2, 0}},
    {"mNm", 1, 1e3, {true, false, 2, 1, -2, 0}},
    {"Hz", 1, 1, {true, false, 0, 0, -1, 0}},
    {"kHz", 1e3, 1, {true, false, 0, 0, -1, 0}},
    {"J", 1, 1, {true, false, 2, 1, -2, 0}},
    {"W", 1, 1, {true, false, 2, 1, -3, 0}},
    {"%", 1, 1e2, {true, false, 0, 0, 0, 0}},
    // clang-format on
};

static const struct {
    const char *name;
    double (*call)(double);
} functions[] = {{"sqrt", sqrt},    {"sin", ff_sin},   {"cos", ff_cos},   {"tan", ff_tan},
                 {"asin", ff_asin}, {"acos", ff_acos}, {"atan", ff_atan}, {"abs", fabs}};

/// Value of a part of an expression.
typedef struct quantity {
    double value;
    ff_dimension dimension;
} quantity;

typedef struct scan {
    const char *at;
    ff_yaml *node;
    ff_report *report;
    int depth;
    bool bad; // reported already
} scan;

static quantity sum(scan *s);
static bool evaluate(ff_yaml *node, quantity *out, int depth, ff_report *report);

static quantity refuse(scan *s, const char *what)
{
    if (!s->bad) ff_report_add(s->report, FF_ERROR, s->node->place, "'%.60s' is not a number: %s", s->node->text, what);
    s->bad = true;
    return (quantity){0};
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

/// The unit at this place: the longest name that is not the beginning of a longer word.
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

bool ff_yaml_is_unit(const char *text)
{
    bool any = false;
    while (*text) {
        const size_t between = strspn(text, " */^-0123456789");
        text += between;
        if (!*text) break;
        const int found = find_unit(text);
        if (found < 0 || (any && between == 0)) return false;
        text += strlen(units[found].name);
        any = true;
    }
    return any;
}

static quantity literal(scan *s, size_t length)
{
    double value = 0.0;
    if (!ff_text_number(s->at, length, &value)) return refuse(s, "it is too large");
    s->at += length;
    skip_blanks(s);
    if (!is_letter(*s->at) && *s->at != '%') return (quantity){.value = value};
    int unit = find_unit(s->at);
    if (unit < 0)
        return refuse(s, "unknown unit; known are deg, rad, rpm, m, cm, mm, um, km, s, ms, us, min, kg, g, "
                         "N, mN, kN, Nm, mNm, J, W, Hz, kHz, %, and deg/s, rad/s, m/s, mm/s, km/h, m/s^2");
    s->at += strlen(units[unit].name);
    return (quantity){value * units[unit].times / units[unit].over, units[unit].dimension};
}

// ------------------------------------------------------------------------------------------ names

static ff_yaml *constants_of(ff_yaml *node)
{
    while (node->parent) node = node->parent;
    const bool may = !node->group || ff_row_find(node->group, "constants"); // a command has none
    if (!node->constants_known && may) node->constants = ff_yaml_get(node, "constants");
    node->constants_known = true; // found or not: a file may have 100 000 keys to search
    return node->constants;
}

static void refuse_name(scan *s, ff_yaml *constants, const char *name)
{
    const char *names[FF_YAML_MAX_CONSTANTS];
    int n = 0;
    if (constants && constants->type == FF_YAML_MAP)
        for (ff_yaml *entry = constants->child; entry && n < FF_YAML_MAX_CONSTANTS; entry = entry->next)
            names[n++] = entry->key;
    if (find_unit(name) >= 0) {
        refuse(s, "a unit stands right behind a number: write 5 N / 1 m, or the number alone in SI units");
        return;
    }
    const char *near = ff_yaml_hint(name, names, n, s->report);
    if (!s->bad)
        ff_report_add(s->report, FF_ERROR, s->node->place,
                      "'%.60s' is not a number: no '%.40s' in the constants of this file%s%s%s", s->node->text, name,
                      near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    s->bad = true;
}

static void evaluate_constant(ff_yaml *entry, int depth, ff_report *report)
{
    quantity q = {0};
    entry->number_state = FF_YAML_RUNNING;
    const bool fine = evaluate(entry, &q, depth, report);
    entry->number = q.value;
    entry->dimension = q.dimension;
    entry->number_state = fine ? FF_YAML_KNOWN : FF_YAML_BAD;
}

/// Evaluates a constant at its first use. A constant that is being evaluated already depends on itself.
static quantity constant(scan *s, const char *name)
{
    ff_yaml *constants = constants_of(s->node), *entry = NULL;
    int n = 0;
    if (constants && constants->type == FF_YAML_MAP)
        for (entry = constants->child; entry && n < FF_YAML_MAX_CONSTANTS; entry = entry->next, n++)
            if (strcmp(entry->key, name) == 0) break;
    if (!entry || n >= FF_YAML_MAX_CONSTANTS) {
        refuse_name(s, constants, name);
        return (quantity){0};
    }
    entry->named = true;
    if (entry->number_state == FF_YAML_RUNNING) return refuse(s, "a constant depends on itself");
    if (entry->number_state == FF_YAML_UNKNOWN) evaluate_constant(entry, s->depth + 1, s->report);
    if (entry->number_state == FF_YAML_BAD) s->bad = true; // the cause is reported at the constant
    return (quantity){entry->number, entry->dimension};
}

static quantity name_or_call(scan *s)
{
    char name[64];
    size_t n = word_length(s->at);
    if (n >= sizeof name) return refuse(s, "a name in it is too long");
    memcpy(name, s->at, n);
    name[n] = 0;
    s->at += n;
    if (!take(s, '(')) return strcmp(name, "pi") == 0 ? (quantity){.value = FF_PI} : constant(s, name);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(functions[i].name, name) != 0) continue;
        const quantity q = {.value = functions[i].call(sum(s).value)};
        return take(s, ')') ? q : refuse(s, "a ')' is missing");
    }
    return refuse(s, "unknown function; known are sqrt, sin, cos, tan, asin, acos, atan, abs");
}

// ------------------------------------------------------------------------------------------ grammar

static quantity atom(scan *s)
{
    skip_blanks(s);
    if (s->bad) return (quantity){0};
    if (s->depth >= MAX_NESTING) return refuse(s, "nested too deeply");
    s->depth++;
    quantity q = {0};
    size_t length = *s->at == '+' || *s->at == '-' ? 0 : ff_text_number_length(s->at, strlen(s->at));
    if (length > 0) {
        q = literal(s, length);
    } else if (take(s, '(')) {
        q = sum(s);
        if (!take(s, ')')) refuse(s, "a ')' is missing");
    } else if (is_letter(*s->at)) {
        q = name_or_call(s);
    } else {
        refuse(s, *s->at ? "expected a number, a constant or '('" : "it ends too early");
    }
    s->depth--;
    return q;
}

static quantity sign(scan *s)
{
    bool negative = false;
    for (;;) {
        if (take(s, '-'))
            negative = !negative;
        else if (!take(s, '+'))
            break;
    }
    quantity q = atom(s);
    if (take(s, '^')) {
        if (s->depth >= MAX_NESTING) return refuse(s, "nested too deeply");
        s->depth++;
        q = (quantity){.value = ff_pow(q.value, sign(s).value)};
        s->depth--;
    }
    if (negative) q.value = -q.value;
    return q;
}

/// Dimension of a product (sense 1) or a quotient (-1): not known if a factor has no unit, since it may be in SI units.
static ff_dimension combine(ff_dimension a, ff_dimension b, int sense)
{
    if (!a.known || !b.known) return (ff_dimension){0};
    ff_dimension d = {true, true, a.m + sense * b.m, a.kg + sense * b.kg, a.s + sense * b.s, 0};
    if (d.m == 0 && d.kg == 0 && d.s == 0) d.known = false; // a ratio is a plain number
    return d;
}

static quantity product(scan *s)
{
    quantity q = sign(s);
    while (!s->bad) {
        if (take(s, '*')) {
            const quantity by = sign(s);
            q = (quantity){q.value * by.value, combine(q.dimension, by.dimension, 1)};
        } else if (take(s, '/')) {
            const quantity by = sign(s);
            q = (quantity){q.value / by.value, combine(q.dimension, by.dimension, -1)};
        } else {
            break;
        }
    }
    return q;
}

static bool same_dimension(ff_dimension a, ff_dimension b)
{
    return a.m == b.m && a.kg == b.kg && a.s == b.s && (a.rad == b.rad || a.product || b.product);
}

static quantity sum(scan *s)
{
    quantity q = product(s);
    while (!s->bad) {
        const bool plus = take(s, '+');
        if (!plus && !take(s, '-')) break;
        const quantity other = product(s);
        if (s->bad) break;
        if (q.dimension.known && other.dimension.known && !same_dimension(q.dimension, other.dimension))
            return refuse(s, "it adds different units");
        q.value = plus ? q.value + other.value : q.value - other.value;
        if (!other.dimension.known) q.dimension.known = false;
    }
    return q;
}

// ------------------------------------------------------------------------------------------ dimension of a key

/// Dimension of "N s/m", "kg m^2", "rad/s^2": every factor behind a '/' divides. False for other symbols.
static bool parse_unit(const char *text, size_t length, ff_dimension *out)
{
    static const struct {
        const char *name;
        ff_dimension dimension;
    } symbols[] = {{"m", {1, 0, 1, 0, 0, 0}},   {"kg", {1, 0, 0, 1, 0, 0}}, {"s", {1, 0, 0, 0, 1, 0}},
                   {"rad", {1, 0, 0, 0, 0, 1}}, {"N", {1, 0, 1, 1, -2, 0}}, {"W", {1, 0, 2, 1, -3, 0}},
                   {"Hz", {1, 0, 0, 0, -1, 0}}, {"J", {1, 0, 2, 1, -2, 0}}, {"1", {1, 0, 0, 0, 0, 0}}};
    const char *end = text + length;
    int sense = 1;
    *out = (ff_dimension){.known = true};
    while (text < end) {
        if (*text == ' ' || *text == '/') {
            if (*text++ == '/') sense = -1;
            continue;
        }
        const size_t n = word_length(text);
        const ff_dimension *found = NULL;
        for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
            if (strlen(symbols[i].name) == n && strncmp(symbols[i].name, text, n) == 0) found = &symbols[i].dimension;
        if (!found || n == 0) return false;
        text += n;
        int power = sense;
        if (text + 1 < end && text[0] == '^' && text[1] >= '1' && text[1] <= '9') {
            power *= text[1] - '0';
            text += 2;
        }
        out->m += power * found->m;
        out->kg += power * found->kg;
        out->s += power * found->s;
        out->rad += power * found->rad;
    }
    return true;
}

/// Does the unit of a number have the dimension of one of the alternatives "rad|m"?
static bool fits_unit(ff_dimension d, const char *unit)
{
    for (;; unit++) {
        const size_t length = strcspn(unit, "|");
        ff_dimension wanted;
        if (parse_unit(unit, length, &wanted) && same_dimension(d, wanted)) return true;
        unit += length;
        if (!*unit) return false;
    }
}

/// Reports a number whose unit does not fit "rad|m", or "" for none.
static void report_unit(const ff_yaml *node, const char *name, const char *unit, ff_report *report)
{
    const char *second = strchr(unit, '|');
    if (!unit[0])
        ff_report_add(report, FF_ERROR, node->place, "'%.60s' has a unit: '%.60s' is a number without one", node->text,
                      name);
    else
        ff_report_add(report, FF_ERROR, node->place, "'%.60s' has the wrong unit: '%.60s' is in %.*s%s%s", node->text,
                      name, (int)strcspn(unit, "|"), unit, second ? " or " : "", second ? second + 1 : "");
}

static bool check_unit(const ff_yaml *node, ff_dimension d, ff_report *report)
{
    const char *unit = ff_schema_unit(node);
    if (!d.known || !node->row || strcmp(unit, FF_ANY_UNIT) == 0 || fits_unit(d, unit)) return true;
    report_unit(node, node->row->name[0] == '*' || node->row->name[0] == '-' ? "this" : node->row->name, unit, report);
    return false;
}

static bool check_size(const ff_yaml *node, double value, ff_report *report)
{
    if (fabs(value) <= LARGEST) return true;
    ff_report_add(report, FF_ERROR, node->place,
                  "'%.60s' gives %g: a number here must be finite and at most %g in size", node->text, value, LARGEST);
    return false;
}

static bool evaluate(ff_yaml *node, quantity *out, int depth, ff_report *report)
{
    if (node->type == FF_YAML_MAP && !node->group && ff_yaml_get(node, "value")) {
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
    quantity q = {0};
    if (!ff_text_number(node->text, strlen(node->text), &q.value)) {
        scan s = {.at = node->text, .node = node, .report = report, .depth = depth};
        q = sum(&s);
        skip_blanks(&s);
        if (!s.bad && *s.at) refuse(&s, "it goes on after its end");
        if (s.bad) return false;
    }
    if (!check_size(node, q.value, report) || !check_unit(node, q.dimension, report)) return false;
    *out = q;
    return true;
}

bool ff_yaml_in_unit(ff_yaml *node, const char *unit, ff_report *report)
{
    quantity q;
    if (!evaluate(node, &q, 0, NULL) || !q.dimension.known || fits_unit(q.dimension, unit)) return true;
    report_unit(node, node->key ? node->key : "it", unit, report);
    return false;
}

bool ff_yaml_as_number(ff_yaml *node, double *out, ff_report *report)
{
    quantity q;
    if (!evaluate(node, &q, 0, report)) return false;
    *out = q.value;
    return true;
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
        if (entry->number_state == FF_YAML_UNKNOWN) evaluate_constant(entry, 0, report);
    }
}
