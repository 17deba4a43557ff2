// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The studio's server against clients who are wrong, rude, slow or many. The simulation is played by the test
// (fake_bench.h).
#include "client.h"
#include "fake_bench.h"
#include "protocol_check.h"
#include "served.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

// ------------------------------------------------------------------------------------------ clients

/// Waits for a count to arrive, as long as a loaded machine may take.
static bool reaches(const atomic_int *count, int wanted)
{
    for (int i = 0; i < 1000 && *count < wanted; i++) usleep(10000);
    return *count >= wanted;
}

static int open_page(int port)
{
    int fd;
    const int joined = fake_joined, status = client_open(port, NULL, &fd);
    CHECK_INT(status, 101);
    CHECK(reaches(&fake_joined, joined + 1));
    return fd;
}

static char reply[400000];

// ------------------------------------------------------------------------------------------ HTTP

TEST(every_reply_says_what_a_browser_may_do_with_it)
{
    const int port = begin(NULL);
    CHECK_INT(client_request(port, "GET /mesh/3/1", NULL, reply, sizeof reply), 200);
    CHECK_SAYS(reply, "content-security-policy: default-src 'none'");
    CHECK_SAYS(reply, "x-content-type-options: nosniff");
    CHECK_SAYS(reply, "referrer-policy: no-referrer");
    CHECK_SAYS(reply, "cross-origin-resource-policy: same-origin");
    CHECK_SAYS(reply, "cross-origin-opener-policy: same-origin");
    CHECK_INT(client_request(port, "GET /nothing", NULL, reply, sizeof reply), 404);
    CHECK_SAYS(reply, "content-security-policy: default-src 'none'");
    CHECK_SAYS(reply, "the studio is at /");
    end();
}

TEST(the_page_comes_compressed_and_is_not_sent_twice)
{
    char line[200];
    if (ff_page_asset_count == 0) SKIP("a build without pages");
    const int port = begin(NULL);
    CHECK_INT(client_request(port, "GET /", NULL, reply, sizeof reply), 200);
    CHECK_SAYS(reply, "content-encoding: gzip");
    CHECK_SAYS(reply, "content-type: text/html");
    CHECK_SAYS(reply, "script-src 'self';");
    CHECK_SAYS(reply, "connect-src 'self'");
    CHECK_SAYS(reply, "frame-ancestors 'none'");
    const char *body = strstr(reply, "\r\n\r\n") + 4;
    CHECK_INT((unsigned char)body[0], 0x1f);
    CHECK_INT((unsigned char)body[1], 0x8b); // RFC 1952
    for (int i = 0; i < ff_page_asset_count; i++) {
        char what[80];
        snprintf(what, sizeof what, "GET %s", ff_page_assets[i].path);
        snprintf(line, sizeof line, "If-None-Match: %s\r\n", ff_page_assets[i].etag);
        CHECK_INT(client_request(port, what, NULL, reply, sizeof reply), 200);
        CHECK_INT(client_request(port, what, line, reply, sizeof reply), 304);
    }
    end();
}

TEST(a_reply_of_many_pieces_arrives_whole_and_ends_the_connection)
{
    const int port = begin(NULL), fd = client_connect(port);
    char request[128];
    snprintf(request, sizeof request, "GET /mesh/3/1 HTTP/1.1\r\nHost: localhost:%d\r\n\r\n", port);
    CHECK(client_send_text(fd, request));
    size_t head = 0;
    do CHECK_INT(client_read(fd, reply + head, 1, 5.0), 1);
    while (++head < 4 || memcmp(reply + head - 4, "\r\n\r\n", 4) != 0);
    reply[head] = '\0';
    CHECK_SAYS(reply, "content-length: 200000\r\n");
    CHECK_SAYS(reply, "connection: close\r\n");
    CHECK_INT(client_read(fd, reply, 200000, 5.0), 200000);
    for (size_t i = 0; i < 200000; i++) CHECK((unsigned char)reply[i] == i % 251);
    CHECK(client_closed(fd, 5.0));
    close(fd);
    end();
}

TEST(head_has_the_lengths_and_no_body)
{
    const int port = begin(NULL);
    CHECK_INT(client_request(port, "HEAD /mesh/3/1", NULL, reply, sizeof reply), 200);
    CHECK_SAYS(reply, "content-length: 200000\r\n");
    CHECK_TEXT(strstr(reply, "\r\n\r\n"), "\r\n\r\n");
    CHECK_INT(client_request(port, "HEAD /nothing", NULL, reply, sizeof reply), 404);
    CHECK_TEXT(strstr(reply, "\r\n\r\n"), "\r\n\r\n");
    end();
}

TEST(other_methods_and_bodies_are_refused)
{
    static const char *const methods[] = {"POST /", "PUT /", "DELETE /", "OPTIONS /", "PATCH /"};
    const int port = begin(NULL);
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        const int status = client_request(port, methods[i], "Content-Length: 0\r\n", reply, sizeof reply);
        if (status != 405) CHECK_FAIL("%s gives %d", methods[i], status);
        CHECK_SAYS(reply, "allow: GET, HEAD\r\n");
    }
    CHECK_INT(client_request(port, "GET /", "Content-Length: 5\r\n", reply, sizeof reply), 400);
    CHECK_INT(client_request(port, "GET /", "Transfer-Encoding: chunked\r\n", reply, sizeof reply), 400);
    end();
}

TEST(names_that_are_not_this_machine_are_refused)
{
    static const char *const hosts[] = {"evil.example", "127.0.0.1.evil.example", "127.0.0.2", "localhost:80, evil",
                                        ""};
    char request[400];
    const int port = begin(NULL);
    for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
        const int length = snprintf(request, sizeof request, "GET /mesh/3/1 HTTP/1.1\r\nHost: %s\r\n\r\n", hosts[i]);
        CHECK_INT(client_raw(port, request, (size_t)length, reply, sizeof reply), 403);
    }
    static const char twice[] = "GET /mesh/3/1 HTTP/1.1\r\nHost: evil.example\r\nHost: localhost\r\n\r\n";
    CHECK(client_raw(port, twice, sizeof twice - 1, reply, sizeof reply) != 200);
    static const char none[] = "GET /mesh/3/1 HTTP/1.0\r\n\r\n";
    CHECK(client_raw(port, none, sizeof none - 1, reply, sizeof reply) != 200);
    end();
}

TEST(no_spelling_of_a_path_leads_out_of_the_runs)
{
    static const char *const paths[] = {"/runs/../walk/report.html",
                                        "/runs/%2e%2e/report.html",
                                        "/runs/..%2fwalk/report.html",
                                        "/runs/%2e%2e%2fetc/report.html",
                                        "/runs/%252e%252e/report.html",
                                        "/runs/..\\walk\\report.html",
                                        "/runs/%c0%ae%c0%ae/report.html",
                                        "/../../../../etc/passwd",
                                        "/runs/walk/../../../etc/passwd",
                                        "//etc/passwd",
                                        "/runs/walk/report.html/../run.h5",
                                        "/runs/walk%00/report.html",
                                        "/runs/walk/report.html%00.png",
                                        "/runs/\xff/report.html",
                                        "/runs/....//....//etc/passwd",
                                        "/runs/walk/summary.json",
                                        "/%2e%2e/%2e%2e/etc/passwd",
                                        "/runs/%",
                                        "/runs/%zz/report.html",
                                        "/runs/walk/report.htm",
                                        "http://evil.example/runs/walk/report.html",
                                        "/runs/.%2e/walk/report.html",
                                        "/runs/%5c..%5cwalk/report.html",
                                        "/runs/./report.html"};
    const char secret[] = "root:";
    fake_report = "/etc/passwd"; // should a path get past the server, this is what it would see
    const int port = begin(NULL);
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        char what[200];
        snprintf(what, sizeof what, "GET %s", paths[i]);
        const int status = client_request(port, what, NULL, reply, sizeof reply);
        if (status == 200 || strstr(reply, secret)) CHECK_FAIL("%s gives %d", paths[i], status);
    }
    fake_report = NULL;
    end();
}

TEST(a_report_is_kept_apart_from_the_studio)
{
    char path[] = "/tmp/footfall-report-XXXXXX";
    const int file = mkstemp(path);
    CHECK(file >= 0);
    CHECK(write(file, "<html>walk</html>", 17) == 17);
    close(file);
    fake_report = path;
    const int port = begin(NULL),
              status = client_request(port, "GET /runs/walk/report.html", NULL, reply, sizeof reply);
    end();
    fake_report = NULL;
    unlink(path);
    CHECK_INT(status, 200);
    CHECK_SAYS(reply, "<html>walk</html>");
    CHECK_SAYS(reply, "sandbox allow-scripts");
    CHECK(!strstr(reply, "allow-same-origin"));
}

/// The answer to these bytes alone, with the end of the stream behind them or with a connection that stays open.
static int answer_to(int port, const char *bytes, size_t size, bool ends)
{
    const int fd = client_connect(port);
    client_send(fd, bytes, size);
    if (ends) shutdown(fd, SHUT_WR);
    const size_t got = client_read(fd, reply, sizeof reply - 1, 5.0);
    reply[got] = '\0';
    close(fd);
    int status = 0;
    return sscanf(reply, "HTTP/1.1 %d ", &status) == 1 ? status : 0;
}

// libwebsockets itself would close the connection without an answer, or wait for more for ever.
TEST(every_request_that_is_broken_gets_an_answer_with_the_reason)
{
#define ROW(status, bytes)                                                                                             \
    {                                                                                                                  \
        status, bytes, sizeof bytes - 1                                                                                \
    }
    static const struct {
        int status;
        const char *bytes;
        size_t size;
    } rows[] = {
        ROW(400, "GET /api/x%00y HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        ROW(400, "GET /runs/walk%00/report.html HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        ROW(400, "GET /x\0y HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        ROW(400, "G\0ET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        ROW(400, "GET / HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n"),
        ROW(400, "GET / HTTP/1.1\r\nHost: localhost\r\nwithout a colon\r\n\r\n"),
        ROW(400, "\0\0\0\0\0\0\0\0"),
        ROW(400, "\r\n\r\n"),
        ROW(400, "GET\r\n\r\n"),
        ROW(400, "GET /\r\n\r\n"),
        ROW(400, "GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        ROW(400, "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"),
        ROW(400, "GET /mesh/3/1 HTTP/9.9\r\nHost\r\n\r\n"),
        ROW(400, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        ROW(400, "GET /mesh/3/1 HTTP/1.1\nHost evil\n\n"),
        ROW(405, "CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    };
#undef ROW
    const int port = begin(NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int ends = 0; ends < 2; ends++) {
            const int status = answer_to(port, rows[i].bytes, rows[i].size, ends);
            if (status != rows[i].status) CHECK_FAIL("\"%s\" (%zu) gives %d", rows[i].bytes, i, status);
            CHECK_SAYS(reply, "content-security-policy: default-src 'none'");
            CHECK_SAYS(strstr(reply, "\r\n\r\n"), ": "); // the reason
        }
    static const char cut[] = "GET /mesh/3/1 HTTP/1.1\r\nHost: loc";
    CHECK_INT(answer_to(port, cut, sizeof cut - 1, true), 400);
    CHECK_SAYS(reply, "incomplete");
    static const char head[] = "HEAD /%00 HTTP/1.1\r\nHost: localhost\r\n\r\n";
    CHECK_INT(answer_to(port, head, sizeof head - 1, false), 400);
    CHECK_TEXT(strstr(reply, "\r\n\r\n"), "\r\n\r\n");
    // It lives on.
    CHECK_INT(client_request(port, "GET /mesh/3/1", NULL, reply, sizeof reply), 200);
    end();
}

TEST(heads_that_are_too_long_get_an_answer_too)
{
    static char text[70000];
    const int port = begin(NULL);
    int length = snprintf(text, sizeof text, "GET /mesh/3/1 HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nX-Long: ", port);
    memset(text + length, 'a', 60000);
    strcpy(text + length + 60000, "\r\n\r\n");
    CHECK_INT(client_raw(port, text, strlen(text), reply, sizeof reply), 431);
    length = snprintf(text, sizeof text, "GET /");
    memset(text + length, 'a', 60000);
    strcpy(text + length + 60000, " HTTP/1.1\r\n\r\n");
    CHECK_INT(client_raw(port, text, strlen(text), reply, sizeof reply), 431);
    length = snprintf(text, sizeof text, "GET /mesh/3/1 HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n", port);
    while (length < 60000) length += snprintf(text + length, 64, "X-%d: a\r\n", length);
    strcpy(text + length, "\r\n");
    CHECK_INT(client_raw(port, text, strlen(text), reply, sizeof reply), 431);
    // As many arguments and lines as the gate lets through are no problem for the library.
    length = snprintf(text, sizeof text, "GET /nothing?a");
    for (int i = 0; i < 30; i++) length += snprintf(text + length, 8, "&a");
    length += snprintf(text + length, 64, " HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n", port);
    for (int i = 0; i < 32; i++) length += snprintf(text + length, 16, "Cookie: a\r\n");
    strcpy(text + length, "\r\n");
    CHECK_INT(client_raw(port, text, strlen(text), reply, sizeof reply), 404);
    end();
}

TEST(a_head_may_come_byte_by_byte)
{
    static const char request[] = "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const int port = begin(NULL), fd = client_connect(port);
    for (size_t i = 0; i < sizeof request - 1; i++) {
        CHECK(client_send(fd, request + i, 1));
        usleep(1000);
    }
    reply[client_read(fd, reply, sizeof reply - 1, 5.0)] = '\0';
    CHECK_SAYS(reply, "HTTP/1.1 404 ");
    close(fd);
    end();
}

// Closed at once, the connection would fail under who still sends, before the reply is read.
TEST(who_is_refused_may_send_to_the_end_and_then_read_why)
{
    static char piece[30000];
    const int port = begin(NULL), fd = client_connect(port);
    CHECK(client_send_text(fd, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 300000\r\n\r\n"));
    for (int i = 0; i < 10; i++) {
        usleep(20000);
        CHECK(client_send(fd, piece, sizeof piece));
    }
    reply[client_read(fd, reply, sizeof reply - 1, 5.0)] = '\0';
    CHECK_SAYS(reply, "HTTP/1.1 405 ");
    close(fd);
    end();
}

TEST(upgrades_to_other_protocols_are_refused)
{
    const int port = begin(NULL);
    CHECK_INT(client_request(
                  port, "GET /",
                  "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n",
                  reply, sizeof reply),
              400);
    const int status =
        client_request(port, "GET /socket", "Upgrade: tea\r\nConnection: Upgrade\r\n", reply, sizeof reply);
    CHECK(status != 101 && status != 200);
    CHECK_INT(client_request(port, "GET /socket", NULL, reply, sizeof reply), 426);
    end();
}

// libwebsockets waits for ever behind such a name.
TEST(a_name_that_begins_another_one_is_answered_at_once)
{
    static const char *const lines[] = {"X: 1\r\n",     "A: 1\r\n",  "Hos: 1\r\n", "Sec: 1\r\n",
                                        "Origi: 1\r\n", "Ge: 1\r\n", "Get: 1\r\n", "Content: 1\r\n"};
    const int port = begin(NULL);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (client_request(port, "GET /mesh/3/1", lines[i], reply, sizeof reply) != 400) CHECK_FAIL("%s", lines[i]);
    CHECK_INT(client_request(port, "GET /mesh/3/1", "Q: 1\r\nX-Other: 1\r\nTE: a\r\n", reply, sizeof reply), 200);
    end();
}

// ------------------------------------------------------------------------------------------ WebSockets

TEST(what_is_no_whole_upgrade_gets_an_answer)
{
    static const char *const connections[] = {"", "Connection: close\r\n", "Connection: keep-alive\r\n"};
    char lines[900], key[421];
    const int port = begin(NULL);
    for (int i = 0; i < 3; i++) {
        snprintf(lines, sizeof lines, "Upgrade: websocket\r\n%s", connections[i]);
        CHECK_INT(client_request(port, "GET /socket", lines, reply, sizeof reply), 400);
    }
    memset(key, 'A', sizeof key);
    key[420] = '\0';
    snprintf(lines, sizeof lines,
             "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n",
             key);
    CHECK_INT(client_request(port, "GET /socket", lines, reply, sizeof reply), 400);
    CHECK_INT(client_request(port, "GET /socket",
                             "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 7\r\n", reply,
                             sizeof reply),
              426);
    CHECK_SAYS(reply, "sec-websocket-version: 13\r\n");
    end();
}

TEST(sockets_of_foreign_pages_are_refused)
{
    static const client_options refused[] = {
        {.origin = "http://evil.example"},
        {.origin = "null"},
        {.origin = ""},
        {.origin = "https://localhost"},
        {.host = "evil.example"},
        {.host = "evil.example", .origin = "http://evil.example"},
        {.host = "127.0.0.1.evil.example"},
        {.host = "", .origin = ""},
        {.origin = "http://127.0.0.1:1"},
    };
    const int port = begin(NULL);
    int fd;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        CHECK_INT(client_open(port, &refused[i], &fd), 403);
    }
    CHECK_INT(client_open(port, &(client_options){.path = "/"}, &fd), 400);
    CHECK_INT(client_open(port, &(client_options){.path = "/sockets"}, &fd), 400);
    CHECK_INT(client_open(port, &(client_options){.protocol = "http"}, &fd), 400);
    CHECK_INT(client_open(port, &(client_options){.protocol = "listener"}, &fd), 400);
    CHECK_INT(client_open(port, &(client_options){.protocol = ""}, &fd), 400);
    CHECK_INT(fake_joined, 0);
    fd = open_page(port);
    close(fd);
    CHECK(reaches(&fake_left, 1));
    end();
}

TEST(requests_and_answers_travel_whole)
{
    static unsigned char text[1500000], back[1500000];
    size_t size;
    const int port = begin(NULL), fd = open_page(port);
    CHECK(client_frame(fd, CLIENT_TEXT, "{\"id\": 1}", 9));
    CHECK_INT(client_message(fd, back, sizeof back, &size, 5.0), 1);
    CHECK(size == 9 && memcmp(back, "{\"id\": 1}", 9) == 0);
    // In fragments, with a ping between them.
    CHECK(client_frame(fd, 1, "{\"id\"", 5));
    CHECK(client_frame(fd, CLIENT_PING, "p", 1));
    CHECK(client_frame(fd, 128, ": 2}", 4));
    CHECK_INT(client_message(fd, back, sizeof back, &size, 5.0), 10);
    CHECK_INT(client_message(fd, back, sizeof back, &size, 5.0), 1);
    CHECK(size == 9 && memcmp(back, "{\"id\": 2}", 9) == 0);
    // Longer than any buffer on the way.
    for (size_t i = 0; i < sizeof text; i++) text[i] = (unsigned char)('a' + i % 23);
    CHECK(client_frame(fd, CLIENT_TEXT, text, sizeof text));
    CHECK_INT(client_message(fd, back, sizeof back, &size, 5.0), 1);
    CHECK(size == sizeof text && memcmp(back, text, size) == 0);
    close(fd);
    end();
}

TEST(messages_that_are_too_long_end_the_connection)
{
    static char text[FF_SERVER_MESSAGE + 1];
    memset(text, 'x', sizeof text);
    const int port = begin(NULL);
    int fd = open_page(port);
    CHECK(client_frame(fd, CLIENT_TEXT, text, FF_SERVER_MESSAGE));
    CHECK(reaches(&fake_asked, 1));
    close(fd);
    fd = open_page(port);
    client_frame(fd, CLIENT_TEXT, text, sizeof text);
    CHECK_INT(client_close_code(fd, 5.0), 1009);
    close(fd);
    // In pieces it is no shorter; and a head that promises the largest frame there is brings nothing down.
    fd = open_page(port);
    client_frame(fd, 1, text, 1 << 20);
    client_frame(fd, 0, text, 1 << 20);
    client_frame(fd, 128, text, 10);
    CHECK_INT(client_close_code(fd, 5.0), 1009);
    close(fd);
    fd = open_page(port);
    CHECK(client_send(fd,
                      "\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00"
                      "abc",
                      17));
    close(fd);
    fd = open_page(port);
    CHECK_INT(fake_asked, 1);
    CHECK_INT(fake_longest, FF_SERVER_MESSAGE);
    close(fd);
    end();
}

TEST(broken_frames_end_the_connection)
{
    static const struct {
        const char *bytes;
        size_t size;
    } frames[] = {
        {"\xf1\x82\0\0\0\0\141\142", 8},                          // reserved bits
        {"\x83\x82\0\0\0\0\141\142", 8},                          // reserved opcode
        {"\x80\x82\0\0\0\0\141\142", 8},                          // continuation of nothing
        {"\x09\x82\0\0\0\0\141\142", 8},                          // a control frame in fragments
        {"\x89\xfe\0\x7e\0\0\0\0\141\142", 10},                   // a long control frame
        {"\x81\x82\0\0\0\0\xff\xfe", 8},                          // not UTF-8
        {"\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0", 14}, // a negative length
    };
    const int port = begin(NULL);
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
        const int fd = open_page(port);
        CHECK(client_send(fd, frames[i].bytes, frames[i].size));
        // With the reason, or cut off.
        if (client_close_code(fd, 5.0) == 0 && !client_closed(fd, 0.0))
            CHECK_FAIL("frame %zu does not end the connection", i);
        close(fd);
    }
    // Sound, but not text: refused with the reason.
    const int binary = open_page(port);
    CHECK(client_frame(binary, CLIENT_BINARY, "ab", 2));
    CHECK_INT(client_close_code(binary, 5.0), 1003);
    close(binary);
    CHECK_INT(fake_asked, 0);
    CHECK(reaches(&fake_left, 1 + (int)(sizeof frames / sizeof frames[0])));
    end();
}

TEST(connections_cut_anywhere_leave_nothing_behind)
{
    const int port = begin(NULL);
    static const char request[] =
        "GET /socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n";
    for (size_t cut = 0; cut < sizeof request - 1; cut += 7) {
        const int fd = client_connect(port);
        CHECK(client_send(fd, request, cut));
        close(fd);
    }
    for (size_t cut = 1; cut < 10; cut++) {
        const int fd = open_page(port);
        CHECK(client_send(fd,
                          "\x81\x84\x00\x00\x00\x00"
                          "abcd",
                          cut));
        // With a reset in place of a goodbye, every other time.
        if (cut % 2) setsockopt(fd, SOL_SOCKET, SO_LINGER, &(struct linger){.l_onoff = 1}, sizeof(struct linger));
        close(fd);
    }
    CHECK(reaches(&fake_left, 9));
    end();
    // Server memory is checked by the sanitizers; what it counted must be back at nothing.
}

TEST(the_number_of_pages_is_bounded)
{
    static int pages[FF_SERVER_PAGES];
    const int port = begin(NULL);
    int fd;
    for (int i = 0; i < FF_SERVER_PAGES; i++) pages[i] = open_page(port);
    CHECK_INT(client_open(port, NULL, &fd), 503);
    close(pages[7]);
    CHECK(reaches(&fake_left, 1));
    pages[7] = open_page(port);
    for (int i = 0; i < FF_SERVER_PAGES; i++) close(pages[i]);
    CHECK(reaches(&fake_left, 1 + FF_SERVER_PAGES));
    end();
}

TEST(silent_connections_are_bounded_and_do_not_keep_others_out)
{
    static int silent[FF_SERVER_CONNECTIONS + 20];
    const int port = begin(NULL), page = open_page(port), count = (int)(sizeof silent / sizeof silent[0]);
    unsigned char back[64];
    size_t size;
    for (int i = 0; i < count; i++) silent[i] = client_connect(port);
    // Who came too late gets the reason.
    size = client_read(silent[count - 1], reply, sizeof reply - 1, 5.0);
    reply[size] = '\0';
    CHECK_SAYS(reply, "503");
    // A page that is there goes on.
    CHECK(client_frame(page, CLIENT_TEXT, "{}", 2));
    CHECK_INT(client_message(page, back, sizeof back, &size, 5.0), 1);
    for (int i = 0; i < count; i++) close(silent[i]);
    int status = 0;
    for (int i = 0; i < 100 && status != 200; i++) {
        status = client_request(port, "GET /mesh/3/1", NULL, reply, sizeof reply);
        if (status != 200) usleep(50000);
    }
    CHECK_INT(status, 200);
    close(page);
    end();
}

// ------------------------------------------------------------------------------------------ what the simulation says

TEST(frames_reach_pages_and_the_newest_wins)
{
    unsigned char back[4096];
    size_t size;
    const int port = begin(NULL), one = open_page(port), two = open_page(port);
    const int pages[] = {one, two};
    for (int i = 0; i < 100; i++) fake_frame(1000);
    for (int p = 0; p < 2; p++) {
        unsigned number = 0, last = 0;
        int count = 0;
        while (number < 100) {
            CHECK_INT(client_message(pages[p], back, sizeof back, &size, 5.0), 2);
            CHECK_INT(size, 1000);
            memcpy(&number, back, sizeof number);
            CHECK(number > last);
            last = number;
            count++;
        }
        CHECK(count <= 100);
    }
    close(one);
    close(two);
    end();
}

TEST(a_full_queue_delays_requests_and_loses_none)
{
    static unsigned char back[4096];
    size_t size;
    const int port = begin(NULL), fd = open_page(port);
    fake_full = 1;
    for (int i = 0; i < 50; i++) {
        char text[32];
        CHECK(client_frame(fd, CLIENT_TEXT, text, (size_t)snprintf(text, sizeof text, "{\"id\": %d}", i)));
    }
    usleep(100000);
    CHECK_INT(fake_asked, 0);
    fake_full = 0;
    for (int i = 0; i < 50; i++) {
        char text[32];
        snprintf(text, sizeof text, "{\"id\": %d}", i);
        CHECK_INT(client_message(fd, back, sizeof back, &size, 5.0), 1);
        back[size] = '\0';
        CHECK_TEXT((char *)back, text);
    }
    close(fd);
    end();
}

TEST(a_page_that_stops_reading_is_dropped_and_the_others_are_informed)
{
    static unsigned char back[2 << 20];
    size_t size;
    int kind;
    const int port = begin(NULL), slow = open_page(port), good = open_page(port);
    // 40 texts of 1 MB: more than the sockets hold, and than may wait.
    for (int i = 0; i < 40; i++) {
        fake_say(-1, 1 << 20);
        kind = client_message(good, back, sizeof back, &size, 10.0);
        while (kind == 1 && size < 1000) { // the notice
            back[size] = '\0';
            CHECK_SAYS((char *)back, "\"event\": \"notice\"");
            CHECK_SAYS((char *)back, "A page was disconnected");
            protocol_check((char *)back, NULL, NULL);
            kind = client_message(good, back, sizeof back, &size, 10.0);
        }
        CHECK_INT(kind, 1);
        CHECK_INT(size, 1 << 20);
    }
    CHECK(reaches(&fake_left, 1));
    CHECK_INT(fake_left, 1);
    close(slow);
    close(good);
    CHECK(reaches(&fake_left, 2));
    end();
}

TEST(a_page_that_reads_no_frames_for_seconds_disturbs_nobody_and_goes_on)
{
    static unsigned char back[2 << 20];
    const size_t frame = 1 << 18;
    size_t size;
    const int port = begin(NULL), slow = open_page(port), good = open_page(port);
    // 150 MB: many times what the sockets hold. Browsers need seconds for the shaders of a page on a busy machine.
    for (int i = 0; i < 600; i++) {
        fake_frame(frame);
        CHECK_INT(client_message(good, back, sizeof back, &size, 10.0), 2);
        CHECK_INT(size, frame);
        if (i > 100) usleep(12000);
    }
    CHECK_INT(fake_left, 0);
    int late = 0; // what lay in the sockets: those after it were not kept
    while (client_message(slow, back, sizeof back, &size, 0.5) == 2) late += size == frame;
    CHECK(late > 0);
    CHECK(late < 300);
    fake_frame(frame);
    CHECK_INT(client_message(slow, back, sizeof back, &size, 10.0), 2);
    CHECK_INT(size, frame);
    close(slow);
    close(good);
    end();
}

// ------------------------------------------------------------------------------------------ ports

TEST(only_the_loopback_address_is_bound)
{
    struct sockaddr_in here = {0};
    socklen_t length = sizeof here;
    begin(NULL);
    CHECK_INT(getsockname(studio->listener, (struct sockaddr *)&here, &length), 0);
    CHECK_INT(ntohl(here.sin_addr.s_addr), INADDR_LOOPBACK);
    end();
}

TEST(a_port_in_use_is_passed_over_or_complained_about)
{
    ff_error err = {0};
    const int port = begin(NULL);
    CHECK(!ff_server_create(&(ff_studio_setup){.port = port, .tries = 1}, &err));
    CHECK_INT(err.status, FF_LIMIT);
    CHECK_SAYS(err.text, "is in use");
    CHECK(!ff_server_create(&(ff_studio_setup){.port = 70000}, &err));
    CHECK_INT(err.status, FF_BAD_ARGUMENT);
    end();
}
