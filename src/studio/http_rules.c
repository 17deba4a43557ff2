// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks of requests; see http_rules.h. Everything that is not listed is refused.
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

/// Parses a number below 10^9 without sign, blanks or leading zeros; advances *text.
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
    ff_http_route route = {.place = FF_HTTP_NONE};
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

// ------------------------------------------------------------------------------------------ headers

#define PIECES_MOST 64 // of header lines and query arguments together: libwebsockets supports some 90

static const ff_http_flaw VALID = {0, NULL};

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// The next line, without its end; advances *bytes. @return false: it is incomplete
static bool next_line(const char **bytes, size_t *size, const char **line, size_t *length)
{
    const char *end = *size > 0 ? memchr(*bytes, '\n', *size) : NULL;
    if (!end) return false;
    *line = *bytes;
    *length = (size_t)(end - *line);
    *size -= *length + 1;
    *bytes = end + 1;
    if (*length > 0 && (*line)[*length - 1] == '\r') --*length;
    return true;
}

size_t ff_http_head_length(const char *bytes, size_t size)
{
    const char *at = bytes, *line;
    size_t left = size, length;
    while (next_line(&at, &left, &line, &length))
        if (length == 0) return (size_t)(at - bytes);
    return 0;
}

/// A control character other than a tab or a line end.
static bool has_control_character(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)bytes[i];
        const bool ends_line = c == '\n' || (c == '\r' && (i + 1 == size || bytes[i + 1] == '\n'));
        if ((c < ' ' && c != '\t' && !ends_line) || c == 0x7f) return true;
    }
    return false;
}

/// A request target: '/' and valid percent-escapes.
static ff_http_flaw check_target(const char *target, size_t length)
{
    if (length < 1 || target[0] != '/') return (ff_http_flaw){400, "an address must begin with /"};
    for (size_t i = 0; i < length; i++) {
        if (target[i] != '%') continue;
        if (i + 2 >= length || !is_hex(target[i + 1]) || !is_hex(target[i + 2]))
            return (ff_http_flaw){400, "% in an address must be followed by two hexadecimal digits"};
        if (target[i + 1] == '0' && target[i + 2] == '0')
            return (ff_http_flaw){400, "an address must not contain the character U+0000 (%00)"};
    }
    return VALID;
}

/// METHOD ADDRESS HTTP/1.x
static ff_http_flaw check_request(const char *line, size_t length)
{
    static const ff_http_flaw shape = {400, "a request must begin with GET ADDRESS HTTP/1.1"};
    const char *blank = length > 0 ? memchr(line, ' ', length) : NULL;
    const size_t method = blank ? (size_t)(blank - line) : 0;
    for (size_t i = 0; i < method; i++)
        if (!is_letter(line[i])) return shape;
    if (method == 0) return shape;
    const char *target = blank + 1, *version = memchr(target, ' ', length - method - 1);
    if (!version || length - (size_t)(version - line) != 9 || memcmp(version, " HTTP/1.", 8) != 0 ||
        !is_digit(version[8]))
        return shape;
    if (!(method == 3 && memcmp(line, "GET", 3) == 0) && !(method == 4 && memcmp(line, "HEAD", 4) == 0))
        return (ff_http_flaw){405, "only GET and HEAD are supported"};
    return check_target(target, (size_t)(version - target));
}

static bool is_named(const char *line, size_t name, const char *wanted)
{
    return strlen(wanted) == name && strncasecmp(line, wanted, name) == 0;
}

/// NAME: VALUE
static ff_http_flaw check_line(const char *line, size_t length)
{
    const char *colon = memchr(line, ':', length);
    const size_t name = colon ? (size_t)(colon - line) : 0;
    for (size_t i = 0; i < name; i++)
        if (!is_letter(line[i]) && !is_digit(line[i]) && !strchr("!#$%&'*+-.^_`|~", line[i])) // RFC 9110, 5.6.2
            return (ff_http_flaw){400, "the name of a header has invalid characters"};
    if (name == 0) return (ff_http_flaw){400, "a line of the header is not NAME: VALUE"};
    if (is_named(line, name, "content-length") || is_named(line, name, "transfer-encoding"))
        return (ff_http_flaw){400, "a request must not have a body"};
    return VALID;
}

/// A line counts as one, plus one for each argument after the first.
static int count_pieces(const char *line, size_t length)
{
    int count = 1;
    for (size_t i = 0; i < length; i++) count += line[i] == '&' || line[i] == ';';
    return count;
}

// ------------------------------------------------------------------------------------------ upgrades

/// The value of a line with that name, without surrounding blanks.
static bool value_of(const char *line, size_t length, const char *name, const char **value, size_t *size)
{
    const char *colon = memchr(line, ':', length);
    if (!colon || !is_named(line, (size_t)(colon - line), name)) return false;
    const char *end = line + length;
    for (*value = colon + 1; *value < end && (**value == ' ' || **value == '\t'); ++*value) continue;
    while (end > *value && (end[-1] == ' ' || end[-1] == '\t')) end--;
    *size = (size_t)(end - *value);
    return true;
}

/// Does a list such as "keep-alive, Upgrade" contain the word?
static bool list_contains(const char *list, size_t size, const char *word)
{
    const char *end = list + size;
    while (list < end) {
        const char *comma = memchr(list, ',', (size_t)(end - list)), *stop = comma ? comma : end, *next = stop + 1;
        while (list < stop && (*list == ' ' || *list == '\t')) list++;
        while (stop > list && (stop[-1] == ' ' || stop[-1] == '\t')) stop--;
        if (is_named(list, (size_t)(stop - list), word)) return true;
        list = next;
    }
    return false;
}

/// Sixteen bytes in base64 (RFC 6455, 4.1).
static bool is_key(const char *text, size_t size)
{
    if (size != 24 || memcmp(text + 22, "==", 2) != 0) return false;
    for (size_t i = 0; i < 22; i++)
        if (!is_letter(text[i]) && !is_digit(text[i]) && text[i] != '+' && text[i] != '/') return false;
    return true;
}

/// Upgrade headers of a request.
typedef struct upgrade {
    bool wanted, connected; // there is a line "Upgrade", a line "Connection: Upgrade"
    bool websocket;         // there is a line "Upgrade: websocket"
    bool key, version;      // Sec-WebSocket-Key and Sec-WebSocket-Version are valid
    int nkey, nversion;     // number of these lines
} upgrade;

static upgrade read_upgrade(const char *bytes, size_t size)
{
    upgrade u = {0};
    const char *line, *value;
    size_t length, n;
    while (next_line(&bytes, &size, &line, &length)) {
        if (value_of(line, length, "upgrade", &value, &n)) {
            u.wanted = true;
            u.websocket = u.websocket || list_contains(value, n, "websocket");
        } else if (value_of(line, length, "connection", &value, &n)) {
            u.connected = u.connected || list_contains(value, n, "upgrade");
        } else if (value_of(line, length, "sec-websocket-key", &value, &n)) {
            u.nkey++;
            u.key = is_key(value, n);
        } else if (value_of(line, length, "sec-websocket-version", &value, &n)) {
            u.nversion++;
            u.version = is_named(value, n, "13");
        }
    }
    return u;
}

/// Checks a complete header. libwebsockets closes such connections without a reply, or accepts what no browser sends.
static ff_http_flaw check_upgrade(const char *bytes, size_t size)
{
    const upgrade u = read_upgrade(bytes, size);
    if (u.wanted && !u.connected) return (ff_http_flaw){400, "Upgrade requires Connection: Upgrade"};
    if (!u.websocket) return VALID;
    if (u.nversion != 1 || !u.version) return (ff_http_flaw){426, "a WebSocket requires Sec-WebSocket-Version: 13"};
    if (u.nkey != 1 || !u.key)
        return (ff_http_flaw){400, "a WebSocket requires one Sec-WebSocket-Key, 16 bytes in base64"};
    return VALID;
}

// ------------------------------------------------------------------------------------------ complete headers

ff_http_flaw ff_http_check_names(const char *bytes, size_t size, const char *(*known)(int number))
{
    const char *line, *name;
    size_t length;
    for (int n = 0; next_line(&bytes, &size, &line, &length); n++) {
        const char *colon = memchr(line, ':', length);
        bool prefix = false, exact = false;
        for (int i = 0; n > 0 && colon && (name = known(i)) != NULL; i++) {
            const size_t length_of_name = (size_t)(colon - line);
            if (strncasecmp(name, line, length_of_name) != 0) continue;
            *(strcmp(name + length_of_name, ":") == 0 ? &exact : &prefix) = true;
        }
        if (prefix && !exact)
            return (ff_http_flaw){400, "the name of a header is a prefix of another one, such as Hos of Host"};
    }
    return VALID;
}

ff_http_flaw ff_http_check(const char *bytes, size_t size)
{
    const char *line;
    size_t length;
    int pieces = 0;
    const size_t head = ff_http_head_length(bytes, size);
    const char *first = bytes;
    if (head > 0) size = head; // the rest belongs to the next protocol
    if (has_control_character(bytes, size))
        return (ff_http_flaw){400, "a request must not contain control characters, such as U+0000"};
    for (int i = 0; next_line(&bytes, &size, &line, &length); i++) {
        if (length == 0 && i > 0) break;
        const ff_http_flaw flaw = i == 0 ? check_request(line, length) : check_line(line, length);
        if (flaw.status) return flaw;
        pieces += i == 0 ? count_pieces(line, length) : 1;
        if (pieces > PIECES_MOST) return (ff_http_flaw){431, "a header is limited to 64 lines and arguments"};
    }
    return head > 0 ? check_upgrade(first, head) : VALID;
}
