// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Who may ask the studio, and for what.
#include "check.h"

#include "studio/http_rules.h"

TEST(only_names_of_this_machine_are_hosts)
{
    static const char *const good[] = {"127.0.0.1", "127.0.0.1:3668", "localhost", "LocalHost:1", "[::1]:65535"};
    static const char *const bad[] = {"",
                                      "127.0.0.1:",
                                      "127.0.0.1:x",
                                      "127.0.0.1:123456",
                                      "127.0.0.1:80:80",
                                      "127.0.0.10",
                                      "127.0.0.2",
                                      "localhost.",
                                      "localhost.evil.x",
                                      "localhost@evil",
                                      "evil.example",
                                      " 127.0.0.1",
                                      "127.0.0.1 ",
                                      "127.0.0.1, evil",
                                      "0.0.0.0",
                                      "::1",
                                      "[::1",
                                      "[::1]x",
                                      "2130706433",
                                      "127.1",
                                      "127.0.0.1:-1",
                                      "127.0.0.1/",
                                      "127.0.0.1:80 ",
                                      "localhost:8e1"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        if (!ff_http_host_allowed(good[i])) CHECK_FAIL("\"%s\" is refused", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (ff_http_host_allowed(bad[i])) CHECK_FAIL("\"%s\" is allowed", bad[i]);
}

TEST(a_socket_comes_from_the_page_of_the_same_host)
{
    CHECK(ff_http_origin_allowed("http://127.0.0.1:3668", "127.0.0.1:3668"));
    CHECK(ff_http_origin_allowed("http://localhost:3668", "localhost:3668"));
    CHECK(!ff_http_origin_allowed("http://localhost:3668", "127.0.0.1:3668"));
    CHECK(!ff_http_origin_allowed("http://127.0.0.1:8000", "127.0.0.1:3668")); // another server of this machine
    CHECK(!ff_http_origin_allowed("https://127.0.0.1:3668", "127.0.0.1:3668"));
    CHECK(!ff_http_origin_allowed("http://evil.example", "evil.example")); // rebound: origin and host agree
    CHECK(!ff_http_origin_allowed("null", "127.0.0.1:3668"));
    CHECK(!ff_http_origin_allowed("", "127.0.0.1:3668"));
    CHECK(!ff_http_origin_allowed("http://127.0.0.1:3668/", "127.0.0.1:3668"));
}

TEST(only_listed_addresses_exist)
{
    static const char *const nowhere[] = {"",
                                          "//",
                                          "/x",
                                          "/studio.js/",
                                          "/studio.html",
                                          "/Studio.js",
                                          "/runs/",
                                          "/runs/walk",
                                          "/runs/walk/",
                                          "/runs/walk/run.h5",
                                          "/runs//report.html",
                                          "/runs/../report.html",
                                          "/runs/..",
                                          "/runs/./report.html",
                                          "/runs/.git/report.html",
                                          "/runs/a/../b/report.html",
                                          "/runs/a\\b/report.html",
                                          "/runs/%2e%2e/report.html",
                                          "/runs/ a/report.html",
                                          "/runs/\xc0\xae/report.html",
                                          "/mesh/",
                                          "/mesh/1",
                                          "/mesh/1/",
                                          "/mesh/1/2/",
                                          "/mesh/-1/2",
                                          "/mesh/1/x",
                                          "/mesh/01/2",
                                          "/mesh/1/9999999999",
                                          "/mesh/ 1/2",
                                          "/../../etc/passwd"};
    CHECK_INT(ff_http_find("/").place, FF_HTTP_PAGE);
    CHECK_INT(ff_http_find("/studio.js").place, FF_HTTP_PAGE);
    CHECK_INT(ff_http_find("/studio.css").place, FF_HTTP_PAGE);
    CHECK_INT(ff_http_find("/socket").place, FF_HTTP_SOCKET);
    const ff_http_route run = ff_http_find("/runs/anton-tripod_2.1/report.html");
    CHECK_INT(run.place, FF_HTTP_RUN);
    CHECK_TEXT(run.name, "anton-tripod_2.1");
    CHECK_TEXT(ff_http_find("/runs/first walk/report.html").name, "first walk");
    const ff_http_route mesh = ff_http_find("/mesh/12/0");
    CHECK_INT(mesh.place, FF_HTTP_MESH);
    CHECK_INT(mesh.generation, 12);
    CHECK_INT(mesh.mesh, 0);
    for (size_t i = 0; i < sizeof nowhere / sizeof nowhere[0]; i++)
        if (ff_http_find(nowhere[i]).place != FF_HTTP_NONE) CHECK_FAIL("\"%s\" leads somewhere", nowhere[i]);
}

TEST(names_of_runs_are_bounded)
{
    char name[200];
    memset(name, 'a', sizeof name);
    CHECK(ff_http_name_allowed(name, 128));
    CHECK(!ff_http_name_allowed(name, 129));
    CHECK(!ff_http_name_allowed("", 0));
    CHECK(!ff_http_name_allowed("a\0b", 3));
}

/// Of a head of that first line, with a host.
static int check(const char *first)
{
    char head[400];
    const int length = snprintf(head, sizeof head, "%s\r\nHost: localhost\r\n\r\n", first);
    return ff_http_check(head, (size_t)length).status;
}

TEST(the_first_line_of_a_head_has_three_parts)
{
    static const struct {
        const char *line;
        int status;
    } cases[] = {
        {"GET / HTTP/1.1", 0},
        {"HEAD /runs/first%20walk/report.html HTTP/1.0", 0},
        {"GET /?a=b&c HTTP/1.1", 0},
        {"GET /\xff HTTP/1.1", 0}, // there is nothing there, which is another matter
        {"GET /%00 HTTP/1.1", 400},
        {"GET /api/x%00y HTTP/1.1", 400},
        {"GET /x?a=%00 HTTP/1.1", 400},
        {"GET /% HTTP/1.1", 400},
        {"GET /%4 HTTP/1.1", 400},
        {"GET /%zz HTTP/1.1", 400},
        {"GET http://localhost/ HTTP/1.1", 400},
        {"GET  HTTP/1.1", 400},
        {"GET / HTTP/9.9", 400},
        {"GET / HTTP/1.", 400},
        {"GET / HTTP/1.1 ", 400},
        {"GET /a b HTTP/1.1", 400},
        {"GET /", 400},
        {"GET", 400},
        {"", 400},
        {"G3T / HTTP/1.1", 400},
        {"GET /\x01 HTTP/1.1", 400},
        {"GET /\rX HTTP/1.1", 400},
        {"POST / HTTP/1.1", 405},
        {"CONNECT localhost:1 HTTP/1.1", 405},
        {"get / HTTP/1.1", 405},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (check(cases[i].line) != cases[i].status) CHECK_FAIL("\"%s\" gives %d", cases[i].line, check(cases[i].line));
}

TEST(every_other_line_of_a_head_is_a_name_and_a_value)
{
    static const struct {
        const char *line;
        int status;
    } cases[] = {
        {"User-Agent: a\tb", 0},
        {"X-Empty:", 0},
        {"Host", 400},
        {": a", 400},
        {" folded: a", 400},
        {"a b: c", 400},
        {"X\x1b: a", 400},
        {"X: \x7f", 400},
        {"X: a\rb", 400},
        {"Content-Length: 0", 400},
        {"transfer-encoding: chunked", 400},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char head[200];
        const int length = snprintf(head, sizeof head, "GET / HTTP/1.1\n%s\n\n", cases[i].line);
        if (ff_http_check(head, (size_t)length).status != cases[i].status) CHECK_FAIL("\"%s\"", cases[i].line);
    }
    CHECK_INT(ff_http_check("GET / HTTP/1.1\r\nX: a\0b\r\n\r\n", 26).status, 400);
}

TEST(an_upgrade_is_whole_or_refused)
{
#define KEY "Sec-WebSocket-Key: Zm9vdGZhbGwgZm9vdGZhbA==\r\n"
#define UP  "Upgrade: websocket\r\n"
#define CON "Connection: keep-alive, Upgrade\r\n"
#define V13 "Sec-WebSocket-Version: 13\r\n"
    static const struct {
        const char *lines;
        int status;
    } cases[] = {
        {UP CON V13 KEY, 0},
        {"upgrade:WebSocket \r\nconnection:upgrade\t\r\n" V13 KEY, 0},
        {"Connection: Upgrade\r\n", 0},
        {UP V13 KEY, 400},
        {UP "Connection: close\r\n" V13 KEY, 400},
        {UP "Connection: keep-alive\r\n" V13 KEY, 400},
        {UP "Connection: Upgrades\r\n" V13 KEY, 400},
        {"Upgrade: tea\r\n", 400},
        {UP CON KEY, 426},
        {UP CON "Sec-WebSocket-Version: 7\r\n" KEY, 426},
        {UP CON "Sec-WebSocket-Version: 133\r\n" KEY, 426},
        {UP CON V13 V13 KEY, 426},
        {UP CON V13, 400},
        {UP CON V13 KEY KEY, 400},
        {UP CON V13 "Sec-WebSocket-Key: x\r\n", 400},
        {UP CON V13 "Sec-WebSocket-Key:\r\n", 400},
        {UP CON V13 "Sec-WebSocket-Key: Zm9vdGZhbGwgZm9vdGZhbGw=\r\n", 400},
        {UP CON V13 "Sec-WebSocket-Key: Zm9vdGZhbGwgZm9vdG-hbA==\r\n", 400},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char head[600];
        const int length =
            snprintf(head, sizeof head, "GET /socket HTTP/1.1\r\nHost: localhost\r\n%s\r\n", cases[i].lines);
        const int status = ff_http_check(head, (size_t)length).status;
        if (status != cases[i].status) CHECK_FAIL("%s gives %d", cases[i].lines, status);
    }
}

static const char *known_name(int number)
{
    static const char *const names[] = {"get ", "host:", "te:", "x-real-ip:", "accept:", "accept-ranges:", NULL};
    return names[number];
}

TEST(a_name_that_begins_another_one_is_refused)
{
    static const struct {
        const char *name;
        int status;
    } cases[] = {{"Host", 0},  {"hosts", 0}, {"Hos", 400}, {"X", 400},    {"x-real-", 400}, {"Ge", 400},
                 {"Get", 400}, {"Te", 0},    {"T", 400},   {"Accept", 0}, {"Accept-", 400}, {"Other", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char head[200];
        const int length = snprintf(head, sizeof head, "GET / HTTP/1.1\r\nQ: b\r\n%s: 1\r\n\r\n", cases[i].name);
        const int status = ff_http_check_names(head, (size_t)length, known_name).status;
        if (status != cases[i].status) CHECK_FAIL("%s gives %d", cases[i].name, status);
    }
}

TEST(a_head_is_checked_as_far_as_it_has_come)
{
    static const char head[] = "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n\0\x01 what follows it";
    const size_t whole = 42;
    CHECK_INT(ff_http_head_length(head, sizeof head), whole);
    for (size_t size = 0; size <= sizeof head; size++) {
        CHECK_INT(ff_http_check(head, size).status, 0);
        CHECK_INT(ff_http_head_length(head, size), size < whole ? 0 : whole);
    }
    CHECK_INT(ff_http_check("\x16\x03\x01", 3).status, 400); // TLS has no lines
    CHECK_INT(ff_http_check("BREW / HTTP/1.1\r\nHo", 19).status, 405);
}

TEST(the_pieces_of_a_head_are_bounded)
{
    char head[2000];
    for (int pieces = 63; pieces <= 66; pieces++) {
        int length = snprintf(head, sizeof head, "GET /?a");
        for (int i = 1; i < pieces / 2; i++) length += snprintf(head + length, 8, "&a");
        length += snprintf(head + length, 16, " HTTP/1.1\r\n");
        for (int i = pieces / 2; i < pieces; i++) length += snprintf(head + length, 16, "Cookie: a\r\n");
        length += snprintf(head + length, 8, "\r\n");
        CHECK_INT(ff_http_check(head, (size_t)length).status, pieces <= 64 ? 0 : 431);
    }
}
