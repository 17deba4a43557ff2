// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Functions on tables of keys: finding a row, describing what it allows, and checking a whole file.
#include "text/schema.h"
#include "text/yaml.h"

#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ rows

const ff_row *ff_row_at(const ff_key_group *group, int i)
{
    for (; group; group = group->also)
        for (const ff_row *key = group->keys; key && key->name; key++)
            if (i-- == 0) return key;
    return NULL;
}

const ff_row *ff_row_find(const ff_key_group *group, const char *name)
{
    const ff_row *any = NULL;
    for (; group; group = group->also)
        for (const ff_row *key = group->keys; key && key->name; key++) {
            if (key->name[0] == name[0] && strcmp(key->name, name) == 0)
                return key; // comparing the first letter first saves time
            if (key->name[0] == '*' && !key->name[1] && strcmp(name, "-") != 0) any = key;
        }
    return any;
}

// ------------------------------------------------------------------------------------------ descriptions

bool ff_range_holds(const ff_range *r, double x)
{
    return (r->above ? x > r->low : x >= r->low) && (r->below ? x < r->high : x <= r->high) &&
           !(r->nonzero && x == 0.0);
}

void ff_range_format(const ff_range *r, char *out, size_t size)
{
    const bool low = isfinite(r->low), high = isfinite(r->high);
    if (r->nonzero)
        snprintf(out, size, "other than zero");
    else if (low && high && r->above == r->below)
        snprintf(out, size, "%sbetween %.9g and %.9g", r->above ? "strictly " : "", r->low, r->high);
    else if (low && high && r->above)
        snprintf(out, size, "above %.9g and at most %.9g", r->low, r->high);
    else if (low && high)
        snprintf(out, size, "at least %.9g and below %.9g", r->low, r->high);
    else if (low && r->low == 0.0)
        snprintf(out, size, r->above ? "positive" : "zero or more");
    else if (low)
        snprintf(out, size, r->above ? "above %.9g" : "%.9g or more", r->low);
    else if (high && r->high == 0.0)
        snprintf(out, size, r->below ? "below zero" : "zero or less");
    else if (high)
        snprintf(out, size, r->below ? "below %.9g" : "%.9g or less", r->high);
    else if (size > 0)
        out[0] = 0;
}

typedef struct writer {
    char *at;
    size_t left;
} writer;

static void put(writer *w, const char *text)
{
    if (w->left == 0) return;
    const size_t length = strlen(text), used = length < w->left ? length : w->left - 1;
    memcpy(w->at, text, used);
    w->at[used] = 0;
    w->at += used;
    w->left -= used;
}

/// Writes as many whole words as fit.
static void put_words(writer *w, const char *const *words, int count)
{
    for (int i = 0; i < count; i++) {
        const bool room = w->left > strlen(words[i]) + sizeof ", , ..";
        put(w, i ? ", " : "");
        put(w, room ? words[i] : "..");
        if (!room) return;
    }
}

static int count_words(const char *const *words)
{
    int n = 0;
    while (words && words[n]) n++;
    return n;
}

/// Writes the first keys of a map.
static void put_map(writer *w, const ff_key_group *group)
{
    enum { SHOWN = 4 };
    const ff_row *key;
    int shown = 0;
    bool names = false;
    put(w, "{");
    for (int i = 0; (key = ff_row_at(group, i)) && shown < SHOWN; i++) {
        if (strcmp(key->name, "-") == 0) continue;
        names = strcmp(key->name, "*") == 0;
        put(w, shown++ ? ", " : "");
        put(w, names ? "NAME: " : key->name);
        if (names && key->takes & FF_TAKES_MAP)
            put_map(w, key->group);
        else
            put(w, names ? ".." : ": ..");
    }
    put(w, key || names ? ", ..}" : "}");
}

void ff_row_format_forms(const ff_row *key, char *out, size_t size)
{
    writer w = {out, size};
    char numbers[60];
    const char *kind = key->takes & FF_TAKES_WHOLE ? "whole numbers" : "numbers";
    if (key->least == key->most)
        snprintf(numbers, sizeof numbers, "a list of %d %s", key->least, kind);
    else
        snprintf(numbers, sizeof numbers, "a list of %d to %d %s", key->least, key->most, kind);
    const struct {
        unsigned form;
        const char *text; // NULL: made below
    } forms[] = {{FF_TAKES_NUMBER, key->takes & FF_TAKES_WHOLE ? "a whole number" : "a number"},
                 {FF_TAKES_SWITCH, "true or false"},
                 {FF_TAKES_WORD, NULL},
                 {FF_TAKES_TEXT, "a word or text"},
                 {FF_TAKES_NUMBERS, numbers},
                 {FF_TAKES_TEXTS, key->words ? NULL : "a list of words"},
                 {FF_TAKES_LIST, "a list"},
                 {FF_TAKES_MAP, NULL},
                 {FF_TAKES_NAMED, "{NAME: number, ..}"},
                 {FF_TAKES_ANYTHING, "anything"}};
    bool first = true;
    if (size > 0) out[0] = 0;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (!(key->takes & forms[i].form)) continue;
        put(&w, first ? "" : " or ");
        first = false;
        if (forms[i].text) {
            put(&w, forms[i].text);
        } else if (forms[i].form == FF_TAKES_MAP) {
            put_map(&w, key->group);
        } else {
            const bool list = forms[i].form == FF_TAKES_TEXTS;
            put(&w, list ? "a list of words out of " : count_words(key->words) > 1 ? "one of " : "");
            put_words(&w, key->words, count_words(key->words));
        }
    }
}

// ------------------------------------------------------------------------------------------ marks

static ff_yaml *child_named(const ff_yaml *map, const char *key)
{
    for (ff_yaml *child = map->type == FF_YAML_MAP ? map->child : NULL; child; child = child->next)
        if (strcmp(child->key, key) == 0) return child;
    return NULL;
}

/// Is it {value: .., origin: ..} instead of a number or a list of numbers?
static bool is_measured(const ff_yaml *node, const ff_row *key)
{
    return key && key->takes & (FF_TAKES_NUMBER | FF_TAKES_NUMBERS) && child_named(node, "value");
}

/// Row of a child of a node; NULL: none.
/// @param measured  is_measured of the node, which takes a search among its entries
static const ff_row *row_inside(const ff_yaml *node, const ff_row *key, bool measured, const ff_yaml *child)
{
    if (!key) return NULL;
    if (measured) return strcmp(child->key, "value") == 0 ? key : NULL;
    if (node->type == FF_YAML_LIST && key->takes & (FF_TAKES_NUMBERS | FF_TAKES_TEXTS)) return key;
    if (node->type == FF_YAML_MAP && key->takes & FF_TAKES_NAMED) return key;
    return node->group ? ff_row_find(node->group, node->type == FF_YAML_MAP ? child->key : "-") : NULL;
}

static const ff_key_group *group_of(const ff_yaml *node, const ff_key_group *group)
{
    const ff_key_group *own = group && group->choose ? group->choose(node, group) : NULL;
    return own ? own : group;
}

static void set_row(ff_yaml *node, const ff_row *key)
{
    node->row = key;
    const bool map = node->type == FF_YAML_MAP && key && key->takes & FF_TAKES_MAP && !is_measured(node, key),
               list = node->type == FF_YAML_LIST && key && key->takes & FF_TAKES_LIST;
    node->group = map || list ? group_of(node, key->group) : NULL;
}

static void mark(ff_yaml *node, const ff_row *key)
{
    set_row(node, key);
    if (node->source && !node->source->row) set_row(node->source, key);
    if (key && key->takes & FF_TAKES_ANYTHING) return; // the content may also be used elsewhere (ff_yaml_put)
    const bool measured = is_measured(node, key);
    for (ff_yaml *child = node->child; child; child = child->next) mark(child, row_inside(node, key, measured, child));
}

/// Marks the content of `define`: an entry got its row from its aliases, and its children get theirs from this row.
static void mark_defined(ff_yaml *node)
{
    const bool measured = is_measured(node, node->row);
    for (ff_yaml *child = node->child; child; child = child->next) {
        if (!child->row && node->row) set_row(child, row_inside(node, node->row, measured, child));
        mark_defined(child);
    }
    for (ff_yaml *merge = node->merges; merge; merge = merge->next)
        if (merge->source && !merge->source->row && node->row) set_row(merge->source, node->row);
}

static bool is_anything(const ff_yaml *node)
{
    return node->row && node->row->takes & FF_TAKES_ANYTHING;
}

void ff_schema_mark(ff_yaml *root, const ff_key_group *group)
{
    root->group = group;
    for (ff_yaml *child = root->child; child; child = child->next)
        if (child->key) mark(child, ff_row_find(group, child->key));
    for (ff_yaml *child = root->child; child; child = child->next)
        for (int i = 0; i < 2 && is_anything(child); i++) mark_defined(child); // a merge may refer to an earlier entry
}

// ------------------------------------------------------------------------------------------ units

const char *ff_schema_unit(const ff_yaml *node)
{
    const char *unit = node->row ? node->row->unit : "", *second = strchr(unit, '|');
    if (!second) return unit;
    while (node && !(node->group && node->group->choose_unit)) node = node->parent;
    const ff_unit_choice choice = node ? node->group->choose_unit(node) : FF_UNIT_EITHER;
    if (choice == FF_UNIT_EITHER) return unit;
    if (choice == FF_UNIT_SECOND) return second + 1;
    char *first = ff_arena_strdup(node->arena, unit);
    if (!first) return unit;
    first[second - unit] = 0;
    return first;
}

// ------------------------------------------------------------------------------------------ the check

static bool fits(ff_report *report, ff_yaml *node, const ff_row *key);

static bool has_defaults(const ff_key_group *group)
{
    const ff_row *key;
    for (int i = 0; (key = ff_row_at(group, i)); i++)
        if (!key->initial || strcmp(key->initial, FF_NEEDED) == 0) return false;
    return true;
}

/// Adds advice on a key whose form alone explains too little.
static void put_advice(writer *w, const ff_row *key)
{
    const ff_row *item = key->takes & FF_TAKES_LIST ? ff_row_find(key->group, "-") : NULL;
    if (key->takes & FF_TAKES_TEXTS) {
        put(w, ": ");
        put(w, key->help);
    } else if (item) {
        put(w, "; an item is ");
        ff_row_format_forms(item, w->at, w->left);
    } else if (key->takes == FF_TAKES_MAP && has_defaults(key->group)) {
        put(w, "; {} has the defaults");
    }
}

static bool refuse_form(ff_report *report, const ff_yaml *node, const ff_row *key)
{
    static const char *const kinds[] = {"", "a list", "a map"};
    ff_row own = *key;
    char forms[300], got[80], advice[200] = "";
    writer w = {advice, sizeof advice};
    own.group = group_of(node, key->group);
    ff_row_format_forms(&own, forms, sizeof forms);
    put_advice(&w, &own);
    if (ff_yaml_is_null(node))
        snprintf(got, sizeof got, "nothing");
    else if (node->type == FF_YAML_SCALAR)
        snprintf(got, sizeof got, "'%.60s'%s", node->text, node->quoted ? " in quotes" : "");
    else
        snprintf(got, sizeof got, "%s", kinds[node->type]);
    ff_report_add(report, FF_ERROR, node->place, "expected %s%s%.80s%s, got %s%s", forms, node->key ? " for '" : "",
                  node->key ? node->key : "", node->key ? "'" : "", got, advice);
    return false;
}

/// Name of the key that a number belongs to: lists and {value, origin} may stand between.
static const char *name_of(const ff_yaml *node, const ff_row *key)
{
    while (node->parent && node->parent->row == key) node = node->parent;
    return node->key ? node->key : "item";
}

/// Keys that have another name since version 0.1.0.
static const struct {
    const char *old, *name;
} RENAMED[] = {{"told", "assumed_model"}, {"patience", "timeout"}};

/// The present name of a key of the group; NULL: the key was not renamed.
static const char *find_renamed(const ff_key_group *group, const char *key)
{
    const ff_row *row;
    for (size_t k = 0; k < sizeof RENAMED / sizeof *RENAMED; k++)
        for (int i = 0; strcmp(RENAMED[k].old, key) == 0 && (row = ff_row_at(group, i)); i++)
            if (strcmp(row->name, RENAMED[k].name) == 0) return row->name;
    return NULL;
}

static void report_unknown(ff_report *report, const ff_key_group *group, const ff_yaml *child)
{
    const char *names[200];
    char known[400] = "";
    writer w = {known, sizeof known};
    const ff_row *key;
    const char *renamed = find_renamed(group, child->key);
    int n = 0;
    if (renamed) {
        ff_report_add(report, FF_ERROR, child->key_place, "'%s' is now called '%s'", child->key, renamed);
        return;
    }
    for (int i = 0; (key = ff_row_at(group, i)) && n < 200; i++)
        if (strcmp(key->name, "-") != 0) names[n++] = key->name;
    put_words(&w, names, n);
    const char *near = ff_yaml_hint(child->key, names, n, report);
    ff_report_add(report, FF_ERROR, child->key_place, "unknown key '%.80s'%s%s%s%s%s", child->key,
                  near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "", n ? "; known here: " : "", known);
}

/// {value: .., origin: ..} has no other keys. The value is checked by its own row.
static bool origin_fits(ff_report *report, ff_yaml *measured)
{
    static const ff_row keys[] = {FF_ANYTHING("value", "the number"), FF_TEXT("origin", NULL, "where it comes from"),
                                  FF_END};
    static const ff_key_group group = {.name = "measured", .help = "A number and its origin.", .keys = keys};
    bool fine = true;
    for (ff_yaml *child = measured->child; child; child = child->next)
        if (!ff_row_find(&group, child->key)) {
            report_unknown(report, &group, child);
            fine = false;
        } else if (strcmp(child->key, "origin") == 0) {
            fine = ff_yaml_as_string(child, report) && fine;
        }
    return fine;
}

static bool number_fits(ff_report *report, ff_yaml *node, const ff_row *key)
{
    double value;
    char wanted[80];
    if (is_measured(node, key) && !origin_fits(report, node)) return false;
    if (!ff_yaml_as_number(node, &value, report)) return false;
    if (key->takes & FF_TAKES_WHOLE && value != floor(value)) {
        ff_report_add(report, FF_ERROR, node->place, "'%.80s' is %.12g: it must be a whole number", name_of(node, key),
                      value);
        return false;
    }
    if (ff_range_holds(&key->range, value)) return true;
    ff_range_format(&key->range, wanted, sizeof wanted);
    const char *unit = ff_schema_unit(node);
    const bool plain = !unit[0] || strcmp(unit, FF_ANY_UNIT) == 0 || strchr(unit, '|');
    const bool number = strpbrk(wanted, "0123456789") != NULL; // "positive" needs no unit
    const char *space = plain ? "" : " ", *shown = plain ? "" : unit;
    ff_report_add(report, FF_ERROR, node->place, "'%.80s' is %g%s%s: it must be %s%s%s", name_of(node, key), value,
                  space, shown, wanted, number ? space : "", number ? shown : "");
    return false;
}

static bool is_one_of(const char *text, const char *const *words)
{
    for (int i = 0; words && words[i]; i++)
        if (strcmp(words[i], text) == 0) return true;
    return false;
}

static bool refuse_word(ff_report *report, const ff_yaml *node, const ff_row *key)
{
    static const char *const starts[] = {"one of ", "a list of words out of "};
    char forms[400];
    const char *allowed = forms;
    ff_row_format_forms(key, forms, sizeof forms);
    for (int i = 0; i < 2; i++)
        if (strncmp(forms, starts[i], strlen(starts[i])) == 0) allowed = forms + strlen(starts[i]);
    const char *near = ff_yaml_hint(node->text, key->words, count_words(key->words), report);
    ff_report_add(report, FF_ERROR, node->place, "'%.80s' is '%.60s'; allowed: %s%s%s%s", name_of(node, key),
                  node->text, allowed, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return false;
}

static bool scalar_fits(ff_report *report, ff_yaml *node, const ff_row *key)
{
    static const char *const switches[] = {"true", "false", "yes", "no", "on", "off", NULL};
    if (ff_yaml_is_null(node)) return key->takes & FF_TAKES_MAP ? true : refuse_form(report, node, key);
    if (key->takes & FF_TAKES_WORD && is_one_of(node->text, key->words)) return true;
    if (key->takes & FF_TAKES_SWITCH && is_one_of(node->text, switches)) return true;
    if (key->takes & FF_TAKES_TEXT) return true;
    const bool number = key->takes & FF_TAKES_NUMBER && !node->quoted;
    if (number && !(key->takes & (FF_TAKES_WORD | FF_TAKES_SWITCH))) return number_fits(report, node, key);
    if (number && strchr("+-.0123456789(", node->text[0])) return number_fits(report, node, key);
    if (number && ff_yaml_as_number(node, &(double){0}, NULL)) return number_fits(report, node, key); // of constants
    return key->takes & FF_TAKES_WORD ? refuse_word(report, node, key) : refuse_form(report, node, key);
}

/// Has a list as many items as it may have? Rows without a bound have 0.
static bool count_fits(ff_report *report, const ff_yaml *list, const ff_row *key, const char *items)
{
    char count[60];
    if (key->most == 0 || (list->nchild >= key->least && list->nchild <= key->most)) return true;
    if (key->least == key->most)
        snprintf(count, sizeof count, "%d", key->least);
    else if (key->least == 0)
        snprintf(count, sizeof count, "at most %d", key->most);
    else
        snprintf(count, sizeof count, "%d to %d", key->least, key->most);
    const bool words = key->takes & FF_TAKES_TEXTS;
    ff_report_add(report, FF_ERROR, list->place, "expected %s %s%s%.80s%s, got %d%s%s", count, items,
                  list->key ? " for '" : "", list->key ? list->key : "", list->key ? "'" : "", list->nchild,
                  words ? ": " : "", words ? key->help : "");
    return false;
}

static bool texts_fit(ff_report *report, ff_yaml *list, const ff_row *key)
{
    bool fine = count_fits(report, list, key, "words");
    for (ff_yaml *item = list->child; item; item = item->next)
        if (item->type != FF_YAML_SCALAR || ff_yaml_is_null(item)) {
            ff_report_add(report, FF_ERROR, item->place, "'%.80s' is a list of words: this item is none",
                          name_of(list, key));
            fine = false;
        } else if (key->words && !is_one_of(item->text, key->words)) {
            fine = refuse_word(report, item, key);
        }
    return fine;
}

static bool numbers_fit(ff_report *report, ff_yaml *list, const ff_row *key)
{
    bool fine = true;
    if (!count_fits(report, list, key, "numbers")) return false;
    for (ff_yaml *item = list->child; item; item = item->next) {
        const bool number = item->type == FF_YAML_SCALAR || is_measured(item, key);
        fine = (number ? number_fits(report, item, key) : refuse_form(report, item, key)) && fine;
    }
    return fine;
}

static bool named_fit(ff_report *report, ff_yaml *map, const ff_row *key)
{
    bool fine = true;
    for (ff_yaml *item = map->child; item; item = item->next) fine = number_fits(report, item, key) && fine;
    return fine;
}

/// Removes invalid children of a map or list.
static void check_inside(ff_report *report, ff_yaml *node)
{
    ff_yaml **link = &node->child;
    while (*link) {
        ff_yaml *child = *link;
        const ff_row *key = child->row;
        const bool fine = key ? fits(report, child, key) : !node->group || node->type == FF_YAML_LIST;
        if (!fine && !key) report_unknown(report, node->group, child);
        if (fine) {
            link = &child->next;
            continue;
        }
        *link = child->next;
        node->nchild--;
        node->lost = true;
    }
}

/// Does a node have one of the forms of its row? If not, an error is reported.
static bool fits(ff_report *report, ff_yaml *node, const ff_row *key)
{
    if (key->takes & FF_TAKES_ANYTHING) return true;
    if (node->type == FF_YAML_SCALAR) return scalar_fits(report, node, key);
    if (is_measured(node, key)) return origin_fits(report, node) && fits(report, child_named(node, "value"), key);
    if (node->type == FF_YAML_LIST && !node->group) {
        if (key->takes & FF_TAKES_NUMBERS) return numbers_fit(report, node, key);
        if (key->takes & FF_TAKES_TEXTS) return texts_fit(report, node, key);
    }
    if (node->type == FF_YAML_MAP && key->takes & FF_TAKES_NAMED) return named_fit(report, node, key);
    if (!node->group) return refuse_form(report, node, key);
    if (node->group->checked_in_use) return true; // ff_yaml_check_constants
    if (node->type == FF_YAML_LIST && !count_fits(report, node, key, "items")) return false;
    check_inside(report, node);
    return node->type != FF_YAML_LIST || node->nchild >= key->least; // readers rely on the least number of items
}

void ff_schema_check(ff_yaml *root, const ff_key_group *group, ff_report *report)
{
    ff_schema_mark(root, group);
    check_inside(report, root);
}

// ------------------------------------------------------------------------------------------ consequences

static bool is_at(const ff_message *m, const ff_place *place)
{
    return place->line > 0 && m->line == place->line && m->column == place->column;
}

/// Is a message of a reader about a map from which the check removed a key?
static bool is_consequence(const ff_yaml *node, const ff_message *m)
{
    if (node->lost && (is_at(m, &node->place) || is_at(m, &node->key_place))) return true;
    for (const ff_yaml *child = node->lost && node->type == FF_YAML_MAP ? node->child : NULL; child;
         child = child->next)
        if (is_at(m, &child->key_place)) return true; // such as a key that another law does not use
    for (const ff_yaml *child = node->child; child; child = child->next)
        if (is_consequence(child, m)) return true;
    return false;
}

static bool is_repeated(const ff_report *report, int index)
{
    const ff_message *m = &report->messages[index];
    for (int i = 0; i < index; i++) {
        const ff_message *other = &report->messages[i];
        if (m->line == other->line && m->column == other->column && strcmp(m->text, other->text) == 0) return true;
    }
    return false;
}

void ff_schema_drop_consequences(const ff_yaml *root, ff_report *report, int first)
{
    ff_report kept = {0};
    if (report->count >= FF_REPORT_MAX) return; // the report was full, so that messages are missing
    for (int i = 0; i < report->count; i++) {
        const ff_message *m = &report->messages[i];
        if (i >= first && m->severity == FF_ERROR && is_consequence(root, m)) continue;
        if (!is_repeated(report, i))
            ff_report_add(&kept, m->severity, (ff_place){m->file, m->line, m->column}, "%s", m->text);
    }
    ff_report_clear(report);
    *report = kept;
}
