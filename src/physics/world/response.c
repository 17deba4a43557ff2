// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of the responses of contacts.
#include <footfall/world.h>

#include <string.h>

static const char *const RESPONSES[FF_RESPONSE_COUNT] = {"force", "propagation", "simultaneous"};

const char *ff_response_name(ff_response response)
{
    return (int)response >= 0 && response < FF_RESPONSE_COUNT ? RESPONSES[response] : NULL;
}

ff_status ff_response_find(const char *name, ff_response *response, ff_error *err)
{
    for (int i = 0; i < FF_RESPONSE_COUNT; i++) {
        if (!name || strcmp(name, RESPONSES[i]) != 0) continue;
        *response = (ff_response)i;
        return FF_OK;
    }
    return ff_error_set(err, FF_NOT_FOUND,
                        "no response of contacts is called \"%.60s\": choose force, propagation or simultaneous",
                        name ? name : "");
}
