// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {lua: my_gait.lua, parameters: {..}, allow: [io], limits: {instructions: .., memory: ..}, commands: [{at: .., ..}]}`: what the scene says of a script.
// The keys stand beside `lua`. docs/controllers.md tells what a script looks like.
#include "scene/lua_script.h"

#include <ctype.h>
#include <footfall/text.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SCRIPT_BYTES ((size_t)1 << 20)
#define INSTRUCTIONS 1e6    // most in a cycle: some 10 ms
#define MEMORY       16.0e6 // [byte]

/// Numbers with units and constants as everywhere in scenes; true, false; other words as text.
static ff_lua_value *read_value(ff_scene_reader *r, ff_yaml *node)
{
    static const char *const words[] = {"false", "true"};
    ff_lua_value *value = FF_ARENA_NEW(&r->scene->arena, ff_lua_value, 1), **last;
    if (!value) return NULL;
    node->used = true;
    value->key = node->key ? ff_arena_strdup(&r->scene->arena, node->key) : NULL;
    value->type = node->type == FF_YAML_LIST ? FF_LUA_LIST : node->type == FF_YAML_MAP ? FF_LUA_MAP : FF_LUA_TEXT;
    last = &value->child;
    for (ff_yaml *child = node->child; child; child = child->next) {
        if (!(*last = read_value(r, child))) return NULL;
        last = &(*last)->next;
    }
    if (value->type != FF_LUA_TEXT) return value;
    value->text = ff_arena_strdup(&r->scene->arena, node->text);
    for (int i = 0; i < 2 && !node->quoted; i++)
        if (strcmp(node->text, words[i]) == 0) {
            value->type = FF_LUA_BOOLEAN;
            value->number = i;
        }
    ff_report unheard = {0};
    if (value->type == FF_LUA_TEXT && !node->quoted && ff_yaml_as_number(node, &value->number, &unheard))
        value->type = FF_LUA_NUMBER;
    ff_report_clear(&unheard);
    return value;
}

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/// Words of the script, each once or more often, as candidates for what was meant; at most `most`.
static int list_words(ff_arena *arena, const char *text, const char **words, int most)
{
    int n = 0;
    while (*text && n < most) {
        size_t length = 0;
        while (is_letter(text[length])) length++;
        if (length > 0 && (words[n] = ff_arena_strndup(arena, text, length))) n++;
        text += length > 0 ? length : 1;
    }
    return n;
}

/// Does the script have the word? Whatever it declares or reads, as parameters.NAME or parameters["NAME"], it has.
static bool has_word(const char *text, const char *word)
{
    for (const char *at = text; word[0] && (at = strstr(at, word)); at++)
        if ((at == text || !is_letter(at[-1])) && !is_letter(at[strlen(word)])) return true;
    return false;
}

/// A parameter that the script mentions nowhere is a typing mistake. A script that may load others is not checked.
static void check_parameters(ff_scene_reader *r, const ff_lua_settings *s, const ff_yaml *parameters)
{
    enum { MOST_WORDS = 2000 };
    if (!s->text || (s->allow & FF_LUA_REQUIRE)) return;
    for (const ff_yaml *given = parameters->child; given; given = given->next) {
        if (has_word(s->text, given->key)) continue;
        ff_arena arena = {0};
        const char *words[MOST_WORDS];
        const int n = list_words(&arena, s->text, words, MOST_WORDS);
        const char *near = ff_yaml_hint(given->key, words, n, r->report);
        ff_report_add(r->report, FF_ERROR, given->key_place, "the script has no parameter '%.60s'%s%s%s", given->key,
                      near ? "; did you mean '" : ": it mentions none of that name", near ? near : "",
                      near ? "'?" : "");
        ff_arena_clear(&arena);
    }
}

static unsigned read_allow(const ff_scene_reader *r, ff_yaml *list)
{
    static const char *const words[] = {"io", "os", "require", "debug", "patterns", "metatables"};
    enum { INSIDE = 4 }; // those from here on open no door
    unsigned allow = 0;
    if (ff_scene_list(r, list, "a list such as [io]") == 0) return 0;
    for (ff_yaml *item = list->child; item; item = item->next) {
        const char *word = ff_yaml_as_string(item, r->report);
        int found = -1;
        for (int i = 0; i < 6; i++)
            if (word && strcmp(word, words[i]) == 0) found = i;
        if (found >= 0 && found < INSIDE && ff_text_is_fenced())
            ff_report_add(r->report, FF_ERROR, item->place,
                          "a script that may use '%s' can reach files outside the project folder: it runs by `footfall "
                          "run`, not in the studio",
                          word);
        else if (found >= 0)
            allow |= 1U << found;
        else if (word)
            ff_report_add(r->report, FF_ERROR, item->place,
                          "'%.60s' cannot be allowed; there are io, os, require, debug, patterns, metatables", word);
    }
    return allow;
}

/// A bound between `least` and `most`.
static double read_limit(const ff_scene_reader *r, ff_yaml *limits, const char *key, double fallback, double least,
                         double most)
{
    const double value = ff_yaml_number(limits, key, fallback, r->report);
    if (value >= least && value <= most) return value;
    ff_report_add(r->report, FF_ERROR, ff_yaml_get(limits, key)->place, "'%s' is %g: it must lie between %g and %g",
                  key, value, least, most);
    return fallback;
}

static void *read(ff_scene_reader *r, ff_yaml *node, const ff_scene_robot *robot)
{
    ff_yaml *control = node->parent, *parameters = ff_yaml_get(control, "parameters"),
            *limits = ff_yaml_get(control, "limits");
    ff_lua_settings *s = FF_ARENA_NEW(&r->scene->arena, ff_lua_settings, 1);
    const int errors = r->report->errors; // those before are no reason to say that there is no script
    const char *name = ff_yaml_as_string(node, r->report);
    (void)robot;
    if (!name || !s) return NULL;
#ifndef FF_WITH_LUA
    ff_report_add(r->report, FF_ERROR, node->key_place, "a script in Lua: %s", ff_status_text(FF_NOT_BUILT));
#endif
    s->path = ff_text_beside(&r->scene->arena, r->file, name);
    char *text = s->path ? ff_store_text(r->store, s->path, SCRIPT_BYTES, &s->length, node->place, r->report) : NULL;
    s->text = text ? ff_arena_strndup(&r->scene->arena, text, s->length) : NULL;
    free(text);
    s->allow = read_allow(r, ff_yaml_get(control, "allow"));
    if (limits) ff_yaml_expect(limits, FF_YAML_MAP, "{instructions: .., memory: ..}", r->report);
    s->instructions = read_limit(r, limits, "instructions", INSTRUCTIONS, 1000.0, 1e12);
    s->memory = read_limit(r, limits, "memory", MEMORY, 256e3, 4e9);
    if (parameters && ff_yaml_expect(parameters, FF_YAML_MAP, "parameters as 'name: value'", r->report)) {
        s->parameters = read_value(r, parameters);
        check_parameters(r, s, parameters);
    }
    return s->text && r->report->errors == errors ? s : NULL;
}

static void *read_command(ff_scene_reader *r, ff_yaml *entry, const ff_scene_robot *robot, void *settings)
{
    (void)robot;
    if (!r->live) ((ff_lua_settings *)settings)->ncommand++;
    return read_value(r, entry);
}

static ff_status begin(void *settings, const ff_control_site *site, ff_scene_controller *out, ff_error *err)
{
#ifdef FF_WITH_LUA
    return ff_lua_script_begin(settings, site, out, err);
#else
    (void)settings, (void)site, (void)out;
    return ff_error_set(err, FF_NOT_BUILT, "%s", ff_status_text(FF_NOT_BUILT));
#endif
}

#ifdef FF_WITH_LUA
const ff_control_kind ff_control_lua = {.key = "lua",
                                        .read = read,
                                        .read_command = read_command,
                                        .begin = begin,
                                        .command = ff_lua_script_command,
                                        .tell = ff_lua_script_tell,
                                        .end = ff_lua_script_end};
#else
const ff_control_kind ff_control_lua = {.key = "lua", .read = read, .read_command = read_command, .begin = begin};
#endif
