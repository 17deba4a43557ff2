// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `control: {lua: my_gait.lua, parameters: {..}, allow: [io], limits: {instructions: .., memory: ..}, commands: [{at:
// .., ..}]}`: reads the settings of a script, whose keys stand beside `lua`. docs/controllers.md describes scripts.
#include "steer/lua_script.h"

#include <ctype.h>
#include <footfall/text.h>
#include <string.h>

#define OF ff_lua_settings
static const ff_key_group LIMITS = FF_GROUP(
    "limits", "Bounds of a script.",
    FF_SETTING_NUMBER("instructions", instructions, "", FF_BETWEEN(1000, 1e12), "1e6",
                      "largest number of instructions in a cycle; a million take some 10 ms"),
    FF_SETTING_NUMBER("memory", memory, "byte", FF_BETWEEN(256e3, 4e9), "16e6", "largest memory of the script"));
static const char *const ALLOWED[] = {"io", "os", "require", "debug", "patterns", "metatables", NULL};
static const unsigned ALLOWS[] = {FF_LUA_IO,    FF_LUA_OS,       FF_LUA_REQUIRE,
                                  FF_LUA_DEBUG, FF_LUA_PATTERNS, FF_LUA_METATABLES};
static const ff_row PARAMETERS[] = {
    FF_ANYTHING("parameters", "{NAME: value} for the script"),
    FF_EITHER("allow", FF_TAKES_TEXTS, "", FF_ANY, 0, 0, NULL, "what the script may use beyond the restricted library",
              ALLOWED, NULL),
    FF_MAP("limits", &LIMITS, "bounds of instructions and memory"),
    {0},
};
#undef OF

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/// Words of the script, as candidates for a hint; at most `most`.
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

/// Does the script contain the word, as it does where it declares or reads a parameter?
static bool has_word(const char *text, const char *word)
{
    for (const char *at = text; word[0] && (at = strstr(at, word)); at++)
        if ((at == text || !is_letter(at[-1])) && !is_letter(at[strlen(word)])) return true;
    return false;
}

/// Reports parameters that the script mentions nowhere: typing mistakes, unless the script may load others.
static void check_parameters(const ff_steer_reader *r, const ff_lua_settings *s, const ff_yaml *parameters)
{
    enum { MOST_WORDS = 2000 };
    const char *text = s->source.text;
    if (!s->source.parameters || !text || (s->allow & FF_LUA_REQUIRE)) return;
    for (const ff_yaml *given = parameters->child; given; given = given->next) {
        if (has_word(text, given->key)) continue;
        ff_arena arena = {0};
        const char *words[MOST_WORDS];
        const int n = list_words(&arena, text, words, MOST_WORDS);
        const char *near = ff_yaml_hint(given->key, words, n, r->report);
        ff_report_add(r->report, FF_ERROR, given->key_place, "the script has no parameter '%.60s'%s%s%s", given->key,
                      near ? "; did you mean '" : ": it mentions none of that name", near ? near : "",
                      near ? "'?" : "");
        ff_arena_clear(&arena);
    }
}

static unsigned read_allow(const ff_steer_reader *r, ff_yaml *list)
{
    unsigned allow = 0;
    if (!list || !ff_yaml_expect(list, FF_YAML_LIST, "a list such as [io]", r->report)) return 0;
    for (ff_yaml *item = list->child; item; item = item->next) {
        const char *word = ff_yaml_as_string(item, r->report);
        int found = -1;
        for (int i = 0; word && ALLOWED[i]; i++)
            if (strcmp(word, ALLOWED[i]) == 0) found = i;
        if (found >= 0 && (ALLOWS[found] & FF_PERMIT_ALL) && ff_text_is_fenced())
            ff_report_add(r->report, FF_ERROR, item->place,
                          "a script that may use '%s' can reach files outside the project folder: it runs by `footfall "
                          "run`, not in the studio",
                          word);
        else if (found >= 0)
            allow |= ALLOWS[found];
    }
    return allow;
}

static void set_defaults(void *settings)
{
    ff_settings_default(LIMITS.keys, settings);
}

static bool read(const ff_steer_reader *r, ff_yaml *node, void *settings)
{
    ff_yaml *control = node->parent;
    ff_lua_settings *s = settings;
    const int errors = r->report->errors; // earlier ones are of other keys
#ifndef FF_WITH_LUA
    ff_report_add(r->report, FF_ERROR, node->key_place, "a script in Lua: %s", ff_status_text(FF_NOT_BUILT));
#endif
    const bool found = ff_script_read(r, node, &s->source);
    s->allow = read_allow(r, ff_yaml_get(control, "allow"));
    ff_control_keys_read(r, ff_yaml_get(control, "limits"), LIMITS.keys, s, NULL);
    check_parameters(r, s, ff_yaml_get(control, "parameters"));
    return found && r->report->errors == errors;
}

static unsigned permissions(const void *settings, const char **script)
{
    const ff_lua_settings *s = settings;
    *script = s->source.path;
    return s->allow & FF_PERMIT_ALL;
}

static void read_command(const ff_steer_reader *r, ff_yaml *entry, void *settings, const ff_command *command)
{
    (void)entry, (void)command;
    if (!r->live) ((ff_lua_settings *)settings)->source.ncommand++;
}

#ifdef FF_WITH_LUA
static const ff_script_functions SCRIPT = {.get_text = ff_lua_script_get_text,
                                           .set_text = ff_lua_script_set_text,
                                           .parameters = ff_lua_script_parameters,
                                           .set_parameter = ff_lua_script_set_parameter,
                                           .report_new = ff_lua_script_report_new};
#endif

const ff_controller_kind ff_controller_lua = {.name = "lua",
                                              .help = "a script in Lua; the value is its file",
                                              .parameters = PARAMETERS,
                                              .beside = true,
                                              .settings_size = sizeof(ff_lua_settings),
                                              .set_defaults = set_defaults,
                                              .read = read,
                                              .permissions = permissions,
                                              .read_command = read_command,
#ifdef FF_WITH_LUA // without it scripts are read all the same, so that the rest of a scene is checked
                                              .create = ff_lua_script_create,
                                              .bind = ff_lua_script_bind,
                                              .step = ff_lua_script_step,
                                              .destroy = ff_lua_script_destroy,
                                              .command = ff_lua_script_command,
                                              .check = ff_lua_script_check,
                                              .report = ff_lua_script_report,
                                              .script = &SCRIPT
#endif
};
