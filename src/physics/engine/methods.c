// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The list of integration methods.
#include <stdio.h>
#include <string.h>

#include "engine/method.h"

#define OPS(number, ops, name, help)  [number] = &(ops),
#define NAME(number, ops, name, help) [number] = (name),
#define HELP(number, ops, name, help) [number] = (help),
const ff_method_ops *const ff_methods[FF_METHOD_COUNT] = {FF_METHODS(OPS)};
const char *const ff_method_names[FF_METHOD_COUNT + 1] = {FF_METHODS(NAME)};
static const char *const descriptions[FF_METHOD_COUNT] = {FF_METHODS(HELP)};

static bool is_method(ff_method method)
{
    return (int)method >= 0 && method < FF_METHOD_COUNT;
}

const char *ff_method_name(ff_method method)
{
    return is_method(method) ? ff_method_names[method] : "unknown";
}

const char *ff_method_description(ff_method method)
{
    return is_method(method) ? descriptions[method] : "";
}

ff_status ff_method_find(const char *name, ff_method *method, ff_error *err)
{
    for (int i = 0; i < FF_METHOD_COUNT; i++) {
        if (!name || strcmp(name, ff_method_names[i]) != 0) continue;
        *method = (ff_method)i;
        return FF_OK;
    }
    char names[160] = "";
    for (int i = 0; i < FF_METHOD_COUNT; i++) {
        const char *between = i == 0 ? "" : i + 1 < FF_METHOD_COUNT ? ", " : " or ";
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", between, ff_method_names[i]);
    }
    return ff_error_set(err, FF_NOT_FOUND, "no integration method is called \"%s\": choose %s", name ? name : "",
                        names);
}

bool ff_method_built(ff_method method)
{
    return is_method(method) && ff_methods[method]->built;
}

ff_method_traits ff_method_get_traits(ff_method method)
{
    return is_method(method) ? ff_methods[method]->traits : (ff_method_traits){0};
}

bool ff_sim_options_fixed_step(const ff_sim_options *options)
{
    const ff_method_traits traits = ff_method_get_traits(options->method);
    return traits.fixed || (traits.accuracy && !(options->accuracy > 0.0));
}
