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
        if (ff_http_find(nowhere[i]).place != FF_HTTP_NOWHERE) CHECK_FAIL("\"%s\" leads somewhere", nowhere[i]);
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
