// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds the tree of yaml.h from libyaml's events and changes it for --set. Readers are in yaml_read.c, numbers and
// expressions in yaml_number.c.
//
// Hostile input is bounded: its depth, nodes after expansion of aliases, and the memory of the arena.
// libyaml's own document loader is not used because it keeps neither places of keys nor such limits.
#include "text/yaml.h"

#include <footfall/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FF_WITH_YAML
#include <yaml.h>
#endif

static ff_yaml *find_child(const ff_yaml *map, const char *key, size_t length)
{
    for (ff_yaml *child = map->child; child; child = child->next)
        if (strncmp(child->key, key, length) == 0 && child->key[length] == 0) return child;
    return NULL;
}

#ifdef FF_WITH_YAML

typedef struct anchor {
    const char *name;
    ff_yaml *node;
    struct anchor *next;
} anchor;

typedef struct builder {
    ff_arena *arena;
    ff_report *report;
    const char *file;
    const char *text;
    size_t length;
    size_t at, character; // a byte of the text, and the number of the character that starts there
    ff_yaml *root;
    ff_yaml *open;   // innermost list or map
    ff_yaml *last;   // its last child
    const char *key; // of the next value
    ff_place key_place;
    anchor *anchors;
    int depth;
    int nodes;
    double compared; // keys compared by merges
} builder;

static const double MERGE_WORK = 1e8; // most comparisons of keys: less than a second

static ff_place place_of(const builder *b, yaml_mark_t mark)
{
    return (ff_place){b->file, (int)mark.line + 1, (int)mark.column + 1};
}

/// Byte at a mark, which libyaml gives in characters. Marks are nearly in order, so that each search starts at the end
/// of the last one.
static size_t byte_of(builder *b, yaml_mark_t mark)
{
    while (b->character < mark.index && b->at < b->length) {
        do b->at++;
        while (b->at < b->length && ((unsigned char)b->text[b->at] & 0xC0) == 0x80);
        b->character++;
    }
    while (b->character > mark.index && b->at > 0) {
        do b->at--;
        while (b->at > 0 && ((unsigned char)b->text[b->at] & 0xC0) == 0x80);
        b->character--;
    }
    return b->at;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Where the value itself begins: libyaml's mark lies before &anchor and !tag, which an edit must not change.
static size_t skip_properties(const builder *b, size_t at)
{
    while (at < b->length && (b->text[at] == '&' || b->text[at] == '!')) {
        while (at < b->length && !is_space(b->text[at])) at++;
        while (at < b->length && (is_space(b->text[at]) || b->text[at] == '#')) {
            if (b->text[at] == '#')
                while (at < b->length && b->text[at] != '\n') at++;
            else
                at++;
        }
    }
    return at;
}

/// Reports an error. @return false
static bool FF_PRINTF(3, 4) fail(builder *b, ff_place place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ff_report_addv(b->report, FF_ERROR, place, format, args);
    va_end(args);
    return false;
}

static bool fail_for_memory(builder *b, ff_place place)
{
    return fail(b, place, "%s",
                ff_yaml_out_of_memory(b->arena) ? ff_status_text(FF_NO_MEMORY)
                                                : "the memory limit for one file is used up");
}

static ff_yaml *new_node(builder *b, ff_yaml_type type, ff_place place)
{
    if (++b->nodes > FF_YAML_MAX_NODES) {
        ff_report_add(b->report, FF_ERROR, place,
                      "more than %d values, aliases expanded: this is no robot or scene file", FF_YAML_MAX_NODES);
        return NULL;
    }
    ff_yaml *node = FF_ARENA_NEW(b->arena, ff_yaml, 1);
    if (!node) {
        fail_for_memory(b, place);
        return NULL;
    }
    node->type = type;
    node->text = "";
    node->place = place;
    node->arena = b->arena;
    return node;
}

/// Adds a node to the open list or map.
static bool append(builder *b, ff_yaml *node)
{
    if (!b->open) {
        b->root = node;
        return true;
    }
    node->parent = b->open;
    if (b->open->type == FF_YAML_MAP) {
        node->key = b->key;
        node->key_place = b->key_place;
        b->key = NULL;
    }
    if (b->last)
        b->last->next = node;
    else
        b->open->child = node;
    b->last = node;
    b->open->nchild++;
    return true;
}

static bool add_anchor(builder *b, const unsigned char *name, ff_yaml *node)
{
    if (!name) return true;
    anchor *entry = FF_ARENA_NEW(b->arena, anchor, 1);
    const char *copy = ff_arena_strdup(b->arena, (const char *)name);
    if (!entry || !copy) return fail_for_memory(b, node->place);
    node->anchor = copy;
    *entry = (anchor){copy, node, b->anchors};
    b->anchors = entry;
    return true;
}

/// Tags of YAML's own types (!!str, !!float, ...) are allowed, others refused. @param string  receives: it is !!str or
/// !
static bool check_tag(builder *b, const unsigned char *tag, ff_place place, bool *string)
{
    static const char core[] = "tag:yaml.org,2002:";
    *string = false;
    if (!tag) return true;
    const char *name = (const char *)tag;
    if (strcmp(name, "!") == 0) return *string = true;
    if (strncmp(name, core, sizeof core - 1) == 0) {
        static const char *const known[] = {"str", "int", "float", "bool", "null", "map", "seq"};
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            if (strcmp(name + sizeof core - 1, known[i]) != 0) continue;
            *string = i == 0;
            return true;
        }
    }
    return fail(b, place, "tag '%.60s' means nothing here; remove it", name);
}

static bool on_scalar(builder *b, const yaml_event_t *event)
{
    ff_place place = place_of(b, event->start_mark);
    const char *bytes = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    bool string;
    if (memchr(bytes, 0, length)) return fail(b, place, "a value contains a zero byte");
    if (!check_tag(b, event->data.scalar.tag, place, &string)) return false;
    char *text = ff_arena_strndup(b->arena, bytes, length);
    if (!text) return fail_for_memory(b, place);
    if (b->open && b->open->type == FF_YAML_MAP && !b->key) {
        if (event->data.scalar.anchor) return fail(b, place, "a key cannot carry an anchor");
        b->key = text;
        b->key_place = place;
        return true;
    }
    ff_yaml *node = new_node(b, FF_YAML_SCALAR, place);
    if (!node) return false;
    node->text = text;
    node->quoted = string || event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    const size_t from = byte_of(b, event->start_mark);
    node->end = byte_of(b, event->end_mark);
    node->begin = skip_properties(b, from);
    if (node->begin > node->end) node->begin = node->end; // the value is only an anchor
    return append(b, node) && add_anchor(b, event->data.scalar.anchor, node);
}

static bool on_open(builder *b, ff_yaml_type type, const yaml_event_t *event, const unsigned char *anchor_name,
                    const unsigned char *tag)
{
    const ff_place place = place_of(b, event->start_mark);
    bool string;
    if (!check_tag(b, tag, place, &string)) return false;
    if (b->open && b->open->type == FF_YAML_MAP && !b->key) return fail(b, place, "a key must be a plain word");
    if (b->depth >= FF_YAML_MAX_DEPTH) return fail(b, place, "nested more than %d levels deep", FF_YAML_MAX_DEPTH);
    ff_yaml *node = new_node(b, type, place);
    if (!node || !append(b, node) || !add_anchor(b, anchor_name, node)) return false;
    node->begin = node->end = skip_properties(b, byte_of(b, event->start_mark));
    b->open = node;
    b->last = NULL;
    b->depth++;
    return true;
}

// ------------------------------------------------------------------------------------------ aliases and merges

static ff_yaml *copy_tree(builder *b, ff_yaml *from, int depth)
{
    if (depth > FF_YAML_MAX_DEPTH) {
        ff_report_add(b->report, FF_ERROR, from->place, "nested more than %d levels deep, aliases expanded",
                      FF_YAML_MAX_DEPTH);
        return NULL;
    }
    ff_yaml *node = new_node(b, from->type, from->place);
    if (!node) return NULL;
    node->key = from->key;
    node->key_place = from->key_place;
    node->text = from->text;
    node->quoted = from->quoted;
    node->nchild = from->nchild;
    node->begin = from->begin;
    node->end = from->end;
    node->source = from->source ? from->source : from;
    node->merged = from->merged;
    node->merges = from->merges;
    ff_yaml **link = &node->child;
    for (ff_yaml *child = from->child; child; child = child->next) {
        ff_yaml *copy = copy_tree(b, child, depth + 1);
        if (!copy) return NULL;
        copy->parent = node;
        *link = copy;
        link = &copy->next;
    }
    return node;
}

static bool on_alias(builder *b, const yaml_event_t *event)
{
    ff_place place = place_of(b, event->start_mark);
    const char *name = (const char *)event->data.alias.anchor;
    if (b->open && b->open->type == FF_YAML_MAP && !b->key) return fail(b, place, "an alias cannot be a key");
    const anchor *found = b->anchors;
    while (found && strcmp(found->name, name) != 0) found = found->next;
    if (!found) return fail(b, place, "alias *%.60s: no anchor &%.60s before it", name, name);
    for (const ff_yaml *up = b->open; up; up = up->parent)
        if (up == found->node) return fail(b, place, "an alias cannot stand inside the value it repeats");
    ff_yaml *node = copy_tree(b, found->node, b->depth);
    if (!node) return false;
    if (b->open && b->open->type == FF_YAML_LIST) node->key = NULL; // the anchor may be in a map, the alias is not
    node->alias = found->name;
    node->alias_begin = byte_of(b, event->start_mark);
    return append(b, node);
}

/// Moves the entries of `from` that `map` lacks to `link`.
static ff_yaml **merge_entries(builder *b, ff_yaml *map, ff_yaml *from, ff_yaml **link)
{
    b->compared += (double)from->nchild * (map->nchild + from->nchild);
    for (ff_yaml *entry = from->child, *next; entry; entry = next) {
        next = entry->next;
        if (find_child(map, entry->key, strlen(entry->key))) continue;
        entry->parent = map;
        entry->merged = true;
        entry->next = *link;
        *link = entry;
        link = &entry->next;
        map->nchild++;
    }
    return link;
}

/// Resolves "<<: *base" and "<<: [*a, *b]": keys of the map itself win, then the earlier base.
static bool merge(builder *b, ff_yaml *map)
{
    for (ff_yaml **link = &map->child; *link;) {
        ff_yaml *entry = *link;
        if (strcmp(entry->key, "<<") != 0) {
            link = &entry->next;
            continue;
        }
        *link = entry->next;
        map->nchild--;
        entry->next = map->merges;
        map->merges = entry;
        ff_yaml *first = entry->type == FF_YAML_LIST ? entry->child : entry;
        for (ff_yaml *base = first, *next; base; base = next) {
            next = entry->type == FF_YAML_LIST ? base->next : NULL;
            if (base->type != FF_YAML_MAP) return fail(b, base->place, "'<<' takes a map or a list of maps");
            if (b->compared > MERGE_WORK) return fail(b, base->place, "'<<' joins maps with too many keys");
            link = merge_entries(b, map, base, link);
        }
    }
    return true;
}

static int by_key(const void *a, const void *b)
{
    const ff_yaml *one = *(ff_yaml *const *)a, *two = *(ff_yaml *const *)b;
    int order = strcmp(one->key, two->key);
    if (order != 0) return order;
    if (one->key_place.line != two->key_place.line) return one->key_place.line < two->key_place.line ? -1 : 1;
    return one->key_place.column - two->key_place.column;
}

/// Reports keys that appear twice; sorting keeps the cost at n log n.
static bool check_duplicates(builder *b, const ff_yaml *map)
{
    if (map->nchild < 2) return true;
    ff_yaml **sorted = malloc((size_t)map->nchild * sizeof *sorted);
    if (!sorted) return fail(b, map->place, "out of memory");
    int n = 0;
    for (ff_yaml *child = map->child; child; child = child->next) sorted[n++] = child;
    qsort(sorted, (size_t)n, sizeof *sorted, by_key);
    bool fine = true;
    for (int i = 1; i < n && fine; i++) {
        if (strcmp(sorted[i - 1]->key, sorted[i]->key) != 0) continue;
        ff_report_add(b->report, FF_ERROR, sorted[i]->key_place, "key '%.80s' appears twice; first in line %d",
                      sorted[i]->key, sorted[i - 1]->key_place.line);
        fine = false;
    }
    free(sorted);
    return fine;
}

/// The end of a list or map in brackets is its bracket; without brackets, the end of its last value (libyaml's mark
/// lies behind comments).
static size_t end_of(builder *b, const ff_yaml *closed, const yaml_event_t *event)
{
    if (closed->begin < b->length && (b->text[closed->begin] == '[' || b->text[closed->begin] == '{'))
        return byte_of(b, event->end_mark);
    if (!b->last) return closed->begin;
    return b->last->alias ? b->last->alias_begin + 1 + strlen(b->last->alias) : b->last->end;
}

static bool on_close(builder *b, const yaml_event_t *event)
{
    ff_yaml *closed = b->open;
    closed->end = end_of(b, closed, event);
    if (closed->type == FF_YAML_MAP && !(check_duplicates(b, closed) && merge(b, closed))) return false;
    b->open = closed->parent;
    b->last = closed;
    b->depth--;
    return true;
}

// ------------------------------------------------------------------------------------------ events

static bool on_event(builder *b, const yaml_event_t *event)
{
    ff_place place = place_of(b, event->start_mark);
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return on_scalar(b, event);
    case YAML_ALIAS_EVENT:
        return on_alias(b, event);
    case YAML_SEQUENCE_START_EVENT:
        return on_open(b, FF_YAML_LIST, event, event->data.sequence_start.anchor, event->data.sequence_start.tag);
    case YAML_MAPPING_START_EVENT:
        return on_open(b, FF_YAML_MAP, event, event->data.mapping_start.anchor, event->data.mapping_start.tag);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return on_close(b, event);
    case YAML_DOCUMENT_START_EVENT:
        if (b->root) return fail(b, place, "a second document starts here; only one is allowed");
        return true;
    default:
        return true;
    }
}

static bool has_byte_order_mark(const char *text, size_t length)
{
    return length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0;
}

/// Line and column of a byte behind the byte order mark; columns are characters, as those of marks are.
static void find_offset(const builder *b, size_t offset, ff_place *place)
{
    const size_t first = has_byte_order_mark(b->text, b->length) ? 3 : 0;
    const size_t end = offset < b->length - first ? first + offset : b->length;
    place->line = place->column = 1;
    for (size_t i = first; i < end; i++) {
        const bool line_ends = b->text[i] == '\n';
        place->line += line_ends;
        if (line_ends)
            place->column = 1;
        else
            place->column += (b->text[i] & 0xC0) != 0x80; // continuation bytes of UTF-8 belong to the character before
    }
}

static void report_syntax(const builder *b, const yaml_parser_t *parser)
{
    ff_place place = place_of(b, parser->problem_mark);
    const char *problem = parser->problem ? parser->problem : "cannot be read as YAML";
    if (parser->error == YAML_READER_ERROR) { // no mark there, only the offset in bytes
        find_offset(b, parser->problem_offset, &place);
        ff_report_add(b->report, FF_ERROR, place, "not a YAML file: %s (at byte %zu)", problem, parser->problem_offset);
    } else if (parser->context) {
        ff_report_add(b->report, FF_ERROR, place, "YAML: %s, %s (begun in line %d)", problem, parser->context,
                      (int)parser->context_mark.line + 1);
    } else {
        ff_report_add(b->report, FF_ERROR, place, "YAML: %s", problem);
    }
}

static bool build(builder *b, yaml_parser_t *parser)
{
    for (;;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) {
            report_syntax(b, parser);
            return false;
        }
        bool end = event.type == YAML_STREAM_END_EVENT;
        bool fine = on_event(b, &event);
        yaml_event_delete(&event);
        if (!fine) return false;
        if (end) return true;
    }
}

ff_yaml *ff_yaml_parse(ff_arena *arena, const char *text, size_t length, const char *file, ff_report *report)
{
    builder b = {.arena = arena,
                 .report = report,
                 .file = ff_arena_strdup(arena, file ? file : ""),
                 .text = text,
                 .length = length};
    yaml_parser_t parser;
    if (!b.file || !yaml_parser_initialize(&parser)) {
        fail(&b, (ff_place){0}, "out of memory");
        return NULL;
    }
    if (has_byte_order_mark(text, length)) b.at = 3; // libyaml would count a byte order mark as a column
    yaml_parser_set_input_string(&parser, (const unsigned char *)text + b.at, length - b.at);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    bool fine = build(&b, &parser);
    yaml_parser_delete(&parser);
    if (!fine) return NULL;
    if (!b.root) fail(&b, (ff_place){b.file, 1, 1}, "the file is empty");
    return b.root;
}

#else

/// Without libyaml a text can still be one plain word or number, so that --set works on images of scenes.
static ff_yaml *plain_value(ff_arena *arena, const char *text, size_t length, const char *file)
{
    if (length == 0 || text[0] == ' ' || text[length - 1] == ' ') return NULL;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < ' ' || strchr("[]{}:,#&*!|>'\"%@`?~", text[i])) return NULL;
    ff_yaml *node = FF_ARENA_NEW(arena, ff_yaml, 1);
    if (!node) return NULL;
    *node = (ff_yaml){.text = ff_arena_strndup(arena, text, length), .arena = arena};
    node->place = (ff_place){ff_arena_strdup(arena, file ? file : ""), 1, 1};
    return node->text && node->place.file ? node : NULL;
}

ff_yaml *ff_yaml_parse(ff_arena *arena, const char *text, size_t length, const char *file, ff_report *report)
{
    ff_yaml *plain = plain_value(arena, text, length, file);
    if (plain) return plain;
    ff_report_add(report, FF_ERROR, (ff_place){file, 0, 0},
                  "this build of Footfall was made without libyaml; build it with FOOTFALL_WITH_YAML=ON");
    return NULL;
}

#endif

// ------------------------------------------------------------------------------------------ --set

/// Keys may contain dots: the longest key that fits the start of `path` wins. `length` receives its length.
static ff_yaml *step_into_map(const ff_yaml *map, const char *path, size_t *length)
{
    for (size_t n = strlen(path); n > 0; n--) {
        if (path[n] != 0 && path[n] != '.') continue;
        ff_yaml *child = find_child(map, path, n);
        if (!child) continue;
        *length = n;
        return child;
    }
    return NULL;
}

static ff_yaml *step_into_list(const ff_yaml *list, const char *part, size_t length)
{
    double index = -1.0;
    if (!ff_text_number(part, length, &index) || index < 0.0 || index >= list->nchild) return NULL;
    ff_yaml *child = list->child;
    for (int i = (int)index; i > 0; i--) child = child->next;
    return child;
}

static ff_yaml *add_entry(ff_arena *arena, ff_yaml *map, const char *part, size_t length, ff_place place)
{
    ff_yaml *entry = FF_ARENA_NEW(arena, ff_yaml, 1);
    char *key = ff_arena_strndup(arena, part, length);
    if (!entry || !key) return NULL;
    *entry = (ff_yaml){.text = "", .key = key, .parent = map, .place = place, .key_place = place, .arena = arena};
    ff_yaml **link = &map->child;
    while (*link) link = &(*link)->next;
    *link = entry;
    map->nchild++;
    return entry;
}

/// The node at the path, created if it is missing; NULL with an error if the path does not fit the tree.
static ff_yaml *find_or_add(ff_arena *arena, ff_yaml *root, const char *path, ff_place place, ff_report *report)
{
    ff_yaml *node = root;
    for (const char *part = path;;) {
        size_t length = strcspn(part, ".");
        int done = part == path ? 0 : (int)(part - path) - 1;
        if (length == 0) {
            ff_report_add(report, FF_ERROR, place, "path '%.80s' has an empty part", path);
            return NULL;
        }
        if (ff_yaml_is_null(node)) node->type = FF_YAML_MAP, node->text = "";
        ff_yaml *child = NULL;
        if (node->type == FF_YAML_MAP) {
            child = step_into_map(node, part, &length);
            if (!child) child = add_entry(arena, node, part, length, place);
            if (!child) ff_report_add(report, FF_ERROR, place, "out of memory");
        } else if (node->type == FF_YAML_LIST) {
            child = step_into_list(node, part, length);
            if (!child)
                ff_report_add(report, FF_ERROR, place, "'%.*s' in '%.80s': the list has items 0 to %d", (int)length,
                              part, path, node->nchild - 1);
        } else {
            ff_report_add(report, FF_ERROR, place, "'%.*s' is a single value, so '%.80s' leads nowhere", done, path,
                          path);
        }
        if (!child) return NULL;
        node = child;
        if (part[length] == 0) return node;
        part += length + 1;
    }
}

static bool replace(ff_arena *arena, ff_yaml *root, const char *path, const ff_yaml *content, ff_place place,
                    ff_report *report)
{
    ff_yaml *node = find_or_add(arena, root, path, place, report);
    if (!node) return false;
    node->type = content->type;
    node->text = content->text;
    node->quoted = content->quoted;
    node->child = content->child;
    node->nchild = content->nchild;
    node->place = content->place;
    node->number_state = FF_YAML_UNKNOWN;
    for (ff_yaml *child = node->child; child; child = child->next) child->parent = node;
    return true;
}

bool ff_yaml_set(ff_arena *arena, ff_yaml *root, const char *path, const char *value, ff_report *report)
{
    const char *file = ff_arena_printf(arena, "--set %.60s", path);
    ff_yaml *content = ff_yaml_parse(arena, value, strlen(value), file, report);
    return content && replace(arena, root, path, content, (ff_place){file, 0, 0}, report);
}

bool ff_yaml_put(ff_arena *arena, ff_yaml *root, const char *path, const ff_yaml *content, ff_report *report)
{
    return replace(arena, root, path, content, content->key_place, report);
}
