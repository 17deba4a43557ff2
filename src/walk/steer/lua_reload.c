// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces the text of a script that runs: the new script starts, then takes over values that both have.
#include "steer/lua_private.h"

#include <string.h>

/// Number of a value by its name, -1: none.
static int find_value(const ff_lua_script *s, const char *name)
{
    for (int i = 0; i < s->nvalue; i++)
        if (strcmp(s->signals[i].name, name) == 0) return i;
    return -1;
}

/// Copies the values that both scripts have. The table follows the block before the next cycle.
static void carry_over(ff_lua_script *s, const ff_lua_script *old)
{
    s->head->random = old->head->random;
    memcpy(s->given, old->given, (size_t)s->references.count * sizeof *s->given);
    for (int i = 0; i < s->nvalue; i++) {
        const int k = find_value(old, s->signals[i].name);
        if (k < 0 || (s->kinds[i] == FF_LUA_TRUTH) != (old->kinds[k] == FF_LUA_TRUTH)) continue;
        s->values[i] = old->values[k];
        s->kinds[i] = old->kinds[k];
    }
    for (int i = 0; i < s->nparameter; i++)
        for (int k = 0; k < old->nparameter; k++) {
            ff_script_parameter *p = &s->parameters[i].now;
            const ff_lua_parameter *q = &old->parameters[k];
            if (strcmp(p->name, q->now.name) != 0 || q->now.value == q->start) continue;
            p->value = ff_min(ff_max(q->now.value, p->low), p->high);
        }
}

ff_status ff_lua_script_set_text(void **script, const char *text, size_t length, const ff_controller_site *site,
                                 int *line, ff_error *err)
{
    ff_lua_script *old = *script, *s = ff_lua_script_new(NULL, site);
    *line = 0;
    if (!s) return ff_error_set(err, FF_NO_MEMORY, "no memory for a script");
    ff_lua_script *first = old->before ? old->before : old;
    s->own = *old->settings;
    s->own.source.text = ff_arena_strndup(&s->arena, text, length);
    s->own.source.length = length;
    s->settings = &s->own;
    s->mirror = FF_ARENA_NEW(&s->arena, int, first->nvalue + 1);
    ff_status status = s->own.source.text && s->mirror ? ff_lua_script_start(s, site, err)
                                                       : ff_error_set(err, FF_NO_MEMORY, "no memory for a script");
    if (status == FF_OK) {
        carry_over(s, old);
        if (!ff_lua_sandbox_call(&s->box, ff_lua_put_parameters, s, s->settings->instructions))
            status = ff_lua_script_refuse(s, err);
    }
    if (status != FF_OK) {
        *line = s->box.line;
        ff_lua_script_destroy(s);
        return status;
    }
    for (int i = 0; i < first->nvalue; i++) s->mirror[i] = find_value(s, first->signals[i].name);
    s->own.source.path = ff_arena_strdup(&s->arena, s->own.source.path ? s->own.source.path : "");
    old->before = NULL;
    if (old != first) ff_lua_script_destroy(old);
    s->before = first;
    ff_lua_sandbox_close(&first->box); // of it only the block is needed
    *script = s;
    return FF_OK;
}
