// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The list of integration methods.
#include <stdio.h>
#include <string.h>

#include "engine/method.h"

const ff_method_ops *const ff_methods[FF_METHOD_COUNT] = {
    [FF_METHOD_EULER] = &ff_method_euler,
    [FF_METHOD_RK2] = &ff_method_rk2,
    [FF_METHOD_RK4] = &ff_method_rk4,
    [FF_METHOD_ADAPTIVE] = &ff_method_adaptive,
    [FF_METHOD_IMPLICIT] = &ff_method_implicit,
    [FF_METHOD_CVODE] = &ff_method_cvode,
    [FF_METHOD_CVODE_ADAMS] = &ff_method_cvode_adams,
};

static const ff_method_ops *find(ff_method method)
{
    return (int)method >= 0 && method < FF_METHOD_COUNT ? ff_methods[method] : NULL;
}

const char *ff_method_name(ff_method method)
{
    return find(method) ? find(method)->name : "unknown";
}

ff_status ff_method_find(const char *name, ff_method *method, ff_error *err)
{
    for (int i = 0; i < FF_METHOD_COUNT; i++) {
        if (!name || strcmp(name, ff_methods[i]->name) != 0) continue;
        *method = (ff_method)i;
        return FF_OK;
    }
    char names[160] = "";
    for (int i = 0; i < FF_METHOD_COUNT; i++) {
        const char *between = i == 0 ? "" : i + 1 < FF_METHOD_COUNT ? ", " : " or ";
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", between, ff_methods[i]->name);
    }
    return ff_error_set(err, FF_NOT_FOUND, "no integration method is called \"%s\": choose %s", name ? name : "",
                        names);
}

bool ff_method_built(ff_method method)
{
    return find(method) && find(method)->built;
}

ff_method_traits ff_method_get_traits(ff_method method)
{
    return find(method) ? find(method)->traits : (ff_method_traits){0};
}

bool ff_sim_options_fixed_step(const ff_sim_options *options)
{
    const ff_method_traits traits = ff_method_get_traits(options->method);
    return traits.fixed || (traits.accuracy && !(options->accuracy > 0.0));
}
