// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks values of JSON against the table of messages (protocol.h). All mistakes are reported with the same wording:
//     'point' must be a list of 3 numbers, got a text
//     'scene' is missing: a text, path of a scene or robot file
#include "protocol.h"

#include <footfall/text.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 200, WORDS_SIZE = 200 };
static const double NUMBER_MAX = 1e12; // as in files (model/yaml.h)

const ff_json_type *ff_protocol_find_type(const char *name, size_t length)
{
    for (int s = 0; s < ff_protocol_subject_count; s++)
        for (int i = 0; i < ff_protocol_subjects[s]->ntype; i++) {
            const ff_json_type *type = &ff_protocol_subjects[s]->types[i];
            if (length == 0 || type->name[0] != name[0]) continue; // most differ in their first letter
            if (strlen(type->name) == length && memcmp(type->name, name, length) == 0) return type;
        }
    return NULL;
}

const ff_protocol_request *ff_protocol_find_request(const char *name)
{
    for (int i = 0; i < ff_protocol_request_count; i++)
        if (strcmp(ff_protocol_requests[i].name, name) == 0) return &ff_protocol_requests[i];
    return NULL;
}

// ------------------------------------------------------------------------------------------ types as texts

/// A type, or a part of one, as text that is not zero-terminated.
typedef struct part {
    const char *at;
    size_t length;
} part;

static bool is(part type, const char *word)
{
    return strlen(word) == type.length && memcmp(word, type.at, type.length) == 0;
}

/// Removes the first alternative from a type. @return false: none is left
static bool next_alternative(part *rest, part *out)
{
    if (rest->length == 0) return false;
    const char *bar = memchr(rest->at, '|', rest->length);
    const size_t length = bar ? (size_t)(bar - rest->at) : rest->length, used = length + (bar ? 1 : 0);
    *out = (part){rest->at, length};
    *rest = (part){rest->at + used, rest->length - used};
    return true;
}

/// Item and length of "TYPE[3]", a list of three, or "TYPE[]", of any length (0). @return false: no list
static bool is_list(part type, part *item, int *count)
{
    if (type.length == 0 || type.at[type.length - 1] != ']') return false;
    size_t open = type.length - 1;
    while (open > 0 && type.at[open] != '[') open--;
    *item = (part){type.at, open};
    *count = atoi(type.at + open + 1); // NOLINT(cert-err34-c): text of a table; "" is 0
    return true;
}

static bool is_map(part type, part *item)
{
    if (type.length < 2 || memcmp(type.at + type.length - 2, "{}", 2) != 0) return false;
    *item = (part){type.at, type.length - 2};
    return true;
}

/// Writes a type in words, such as "a list of 3 numbers or null". @param many  in the plural
static void describe(part type, bool many, char *out, size_t size)
{
    static const char *const words[][3] = {{"text", "a text", "texts"},
                                           {"number", "a number", "numbers"},
                                           {"integer", "a whole number", "whole numbers"},
                                           {"flag", "true or false", "true or false"},
                                           {"any", "a value", "values"}};
    part alternative, item;
    int count;
    bool first = true;
    out[0] = 0;
    while (next_alternative(&type, &alternative)) {
        char one[WORDS_SIZE], inner[WORDS_SIZE - 40];
        const ff_json_type *named = ff_protocol_find_type(alternative.at, alternative.length);
        snprintf(one, sizeof one, "%.*s", (int)alternative.length, alternative.at);
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (is(alternative, words[i][0])) snprintf(one, sizeof one, "%s", words[i][many ? 2 : 1]);
        if (is_list(alternative, &item, &count)) {
            describe(item, true, inner, sizeof inner);
            if (count > 0)
                snprintf(one, sizeof one, "a list of %d %s", count, inner);
            else
                snprintf(one, sizeof one, "a list of %s", inner);
        } else if (is_map(alternative, &item)) {
            describe(item, true, inner, sizeof inner);
            snprintf(one, sizeof one, "an object of %s", inner);
        } else if (named && named->same_as) {
            describe((part){named->same_as, strlen(named->same_as)}, many, one, sizeof one);
        }
        const size_t used = strlen(out);
        snprintf(out + used, size - used, "%s%s", first ? "" : " or ", one);
        first = false;
    }
}

static const char *kind_of(const ff_yaml *value, char list[40])
{
    double number;
    snprintf(list, 40, "a list of %d", value->nchild);
    if (value->type == FF_YAML_LIST) return list;
    if (value->type == FF_YAML_MAP) return "an object";
    if (value->quoted) return "a text";
    if (ff_yaml_is_null(value)) return "null";
    if (!ff_text_number(value->text, strlen(value->text), &number)) return value->text;
    return fabs(number) > NUMBER_MAX ? "a number beyond 1e12" : "a number";
}

// ------------------------------------------------------------------------------------------ values

static bool has_members(const ff_protocol_check *check, ff_yaml *object, const ff_json_type *const *types, int ntype,
                        const char *path);
static bool fits(const ff_protocol_check *check, ff_yaml *value, part type, const char *path);

/// As `fits`, but without messages and calls of `seen`.
static bool would_fit(ff_yaml *value, part type)
{
    ff_report ignored = {0};
    const ff_protocol_check quiet = {.report = &ignored, .unknown = FF_ERROR};
    const bool ok = fits(&quiet, value, type, "");
    ff_report_clear(&ignored);
    return ok;
}

static bool is_number(ff_yaml *value, bool whole)
{
    double number;
    if (value->type != FF_YAML_SCALAR || value->quoted || !ff_text_number(value->text, strlen(value->text), &number))
        return false;
    return fabs(number) <= NUMBER_MAX && (!whole || number == floor(number));
}

static bool is_flag(const ff_yaml *value)
{
    return value->type == FF_YAML_SCALAR && !value->quoted &&
           (strcmp(value->text, "true") == 0 || strcmp(value->text, "false") == 0);
}

static bool is_text(const ff_yaml *value)
{
    return value->type == FF_YAML_SCALAR && value->quoted;
}

static bool items_fit(const ff_protocol_check *check, ff_yaml *value, part item, const char *path)
{
    bool ok = true;
    int i = 0;
    for (ff_yaml *child = value->child; child; child = child->next, i++) {
        char inner[PATH_SIZE];
        if (child->key)
            snprintf(inner, sizeof inner, "%.150s.%.40s", path, child->key);
        else
            snprintf(inner, sizeof inner, "%.180s[%d]", path, i);
        ok = fits(check, child, item, inner) && ok;
    }
    return ok;
}

/// Does the value have this type without alternatives? `*reported` is set if the report already has the mistake.
static bool fits_one(const ff_protocol_check *check, ff_yaml *value, part type, const char *path, bool *reported)
{
    part item;
    int count;
    if (is(type, "any")) return true;
    if (is(type, "text")) return is_text(value);
    if (is(type, "flag")) return is_flag(value);
    if (is(type, "null")) return ff_yaml_is_null(value);
    if (is(type, "number")) return is_number(value, false);
    if (is(type, "integer")) return is_number(value, true);
    if (type.at[0] == '\'') return is_text(value) && is((part){type.at + 1, type.length - 2}, value->text);
    if (is_list(type, &item, &count)) {
        if (value->type != FF_YAML_LIST || (count > 0 && value->nchild != count)) return false;
        return !(*reported = !items_fit(check, value, item, path));
    }
    if (is_map(type, &item)) {
        if (value->type != FF_YAML_MAP) return false;
        return !(*reported = !items_fit(check, value, item, path));
    }
    const ff_json_type *named = ff_protocol_find_type(type.at, type.length);
    if (!named) return false;
    if (named->same_as) {
        const part same = {named->same_as, strlen(named->same_as)};
        return !(*reported = !fits(check, value, same, path));
    }
    if (value->type != FF_YAML_MAP) return false;
    return !(*reported = !has_members(check, value, &named, 1, path));
}

static bool fits(const ff_protocol_check *check, ff_yaml *value, part type, const char *path)
{
    part rest = type, alternative, only = {0};
    bool reported = false;
    int count = 0;
    for (; next_alternative(&rest, &alternative); count++) only = alternative;
    rest = type;
    for (int i = 0; count > 1 && i < count; i++) {
        next_alternative(&rest, &alternative);
        if (would_fit(value, alternative)) return fits_one(check, value, alternative, path, &reported);
    }
    if (count == 1 && fits_one(check, value, only, path, &reported)) return true;
    char words[WORDS_SIZE], list[40];
    describe(type, false, words, sizeof words);
    if (!reported)
        ff_report_add(check->report, FF_ERROR, value->place, "'%s' must be %s, got %.60s", path, words,
                      kind_of(value, list));
    return false;
}

bool ff_protocol_fits(const ff_protocol_check *check, ff_yaml *value, const char *type, const char *path)
{
    return fits(check, value, (part){type, strlen(type)}, path);
}

// ------------------------------------------------------------------------------------------ members

static ff_yaml *member(const ff_yaml *object, const char *name)
{
    for (ff_yaml *child = object->child; child; child = child->next)
        if (strcmp(child->key, name) == 0) return child;
    return NULL;
}

static bool field_fits(const ff_protocol_check *check, const ff_yaml *object, const ff_json_field *field,
                       const char *path)
{
    char inner[PATH_SIZE], words[WORDS_SIZE];
    ff_yaml *value = member(object, field->name);
    snprintf(inner, sizeof inner, "%.150s%s%.40s", path, path[0] ? "." : "", field->name);
    if (!value || (field->optional && check->null_is_absent && ff_yaml_is_null(value))) {
        if (field->optional) return true;
        describe((part){field->type, strlen(field->type)}, false, words, sizeof words);
        ff_report_add(check->report, FF_ERROR, object->place, "'%s' is missing: %s, %s", inner, words, field->help);
        return false;
    }
    if (!ff_protocol_fits(check, value, field->type, inner)) return false;
    if (check->seen) check->seen(check->context, field);
    return true;
}

/// Reports members that no type has. @return whether they are no errors
static bool allow_unknown(const ff_protocol_check *check, const ff_yaml *object, const ff_json_type *const *types,
                          int ntype, const char *path)
{
    bool ok = true;
    for (const ff_yaml *child = object->child; child; child = child->next) {
        const char *names[64];
        int count = 0;
        bool known = false;
        for (int t = 0; t < ntype; t++)
            for (int i = 0; types[t] && i < types[t]->nfield; i++) {
                known = known || strcmp(types[t]->fields[i].name, child->key) == 0;
                if (count < 64) names[count++] = types[t]->fields[i].name;
            }
        if (known) continue;
        const char *near = ff_yaml_hint(child->key, names, count, check->report);
        ff_report_add(check->report, check->unknown, child->key_place, "unknown key '%s%s%.60s'%s%s%s", path,
                      path[0] ? "." : "", child->key, near ? "; did you mean '" : "", near ? near : "",
                      near ? "'?" : "");
        ok = false;
    }
    return ok || check->unknown != FF_ERROR;
}

static bool has_members(const ff_protocol_check *check, ff_yaml *object, const ff_json_type *const *types, int ntype,
                        const char *path)
{
    bool ok = true;
    for (int t = 0; t < ntype; t++)
        for (int i = 0; types[t] && i < types[t]->nfield; i++)
            ok = field_fits(check, object, &types[t]->fields[i], path) && ok;
    return allow_unknown(check, object, types, ntype, path) && ok;
}

bool ff_protocol_has(const ff_protocol_check *check, ff_yaml *object, const ff_json_type *const *types, int ntype)
{
    return ff_yaml_expect(object, FF_YAML_MAP, "an object", check->report) &&
           has_members(check, object, types, ntype, "");
}

bool ff_protocol_fits_request(const ff_protocol_check *check, ff_yaml *object, const ff_protocol_request *request)
{
    const ff_json_type own = {.name = request->name, .fields = request->fields, .nfield = request->nfield};
    const ff_json_type *const types[] = {ff_protocol_find_type("Request", 7), &own};
    return ff_protocol_has(check, object, types, 2);
}
