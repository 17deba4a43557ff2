// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Judgements about requests; see http_rules.h. Whatever is not on a list is refused.
#include "http_rules.h"

#include <string.h>
#include <strings.h>

// ------------------------------------------------------------------------------------------ names of hosts

/// Nothing, or a colon and one to five digits.
static bool port_or_nothing(const char *text)
{
    if (*text == '\0') return true;
    const size_t digits = strspn(text + 1, "0123456789");
    return *text == ':' && digits >= 1 && digits <= 5 && text[1 + digits] == '\0';
}

bool ff_http_host_allowed(const char *host)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const size_t length = strlen(names[i]);
        if (strncasecmp(host, names[i], length) == 0 && port_or_nothing(host + length)) return true;
    }
    return false;
}

bool ff_http_origin_allowed(const char *origin, const char *host)
{
    return strncasecmp(origin, "http://", 7) == 0 && strcasecmp(origin + 7, host) == 0 && ff_http_host_allowed(host);
}

// ------------------------------------------------------------------------------------------ paths

bool ff_http_name_allowed(const char *name, size_t length)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._- ";
    if (length < 1 || length > 128 || name[0] == '.' || name[0] == ' ') return false;
    for (size_t i = 0; i < length; i++)
        if (name[i] == '\0' || !strchr(letters, name[i])) return false;
    return true;
}

/// A number below 10^9 at *text, without sign, blanks or needless zeros; *text goes behind it.
static bool read_number(const char **text, uint32_t *value)
{
    const size_t digits = strspn(*text, "0123456789");
    if (digits < 1 || digits > 9 || (digits > 1 && **text == '0')) return false;
    *value = 0;
    for (size_t i = 0; i < digits; i++) *value = *value * 10 + (uint32_t)((*text)[i] - '0');
    *text += digits;
    return true;
}

static bool find_run(const char *path, ff_http_route *route) // NAME/report.html
{
    const char *slash = strchr(path, '/');
    if (!slash || strcmp(slash, "/report.html") != 0) return false;
    const size_t length = (size_t)(slash - path);
    if (!ff_http_name_allowed(path, length)) return false;
    memcpy(route->name, path, length);
    route->name[length] = '\0';
    return true;
}

static bool find_mesh(const char *path, ff_http_route *route) // GENERATION/N
{
    uint32_t mesh;
    if (!read_number(&path, &route->generation) || *path++ != '/' || !read_number(&path, &mesh) || *path) return false;
    route->mesh = (int)mesh;
    return true;
}

ff_http_route ff_http_find(const char *path)
{
    ff_http_route route = {.place = FF_HTTP_NOWHERE};
    if (strcmp(path, "/") == 0 || strcmp(path, "/studio.js") == 0 || strcmp(path, "/studio.css") == 0)
        route.place = FF_HTTP_PAGE;
    else if (strcmp(path, "/socket") == 0)
        route.place = FF_HTTP_SOCKET;
    else if (strncmp(path, "/runs/", 6) == 0 && find_run(path + 6, &route))
        route.place = FF_HTTP_RUN;
    else if (strncmp(path, "/mesh/", 6) == 0 && find_mesh(path + 6, &route))
        route.place = FF_HTTP_MESH;
    return route;
}
