// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The whole studio but for the browser: pages over sockets, a simulation that runs. However many look, and however
// badly they read, the simulation gives the same numbers; and where nothing happens nothing grows.
#include "client.h"
#include "protocol_check.h"
#include "served.h"
#include "support/folder.h"

#include <malloc.h>
#include <sys/stat.h>
#include <time.h>

// ------------------------------------------------------------------------------------------ the studio and its pages

static unsigned char buffer[8 << 20];

static int open_page(void)
{
    int fd;
    CHECK_INT(client_open(ff_studio_port(studio), NULL, &fd), 101);
    return fd;
}

/// The next text with these words.
static const char *wait_for(int fd, const char *words)
{
    size_t size;
    for (;;) {
        const int kind = client_message(fd, buffer, sizeof buffer - 1, &size, 60.0);
        if (kind == 0) CHECK_FAIL("nothing says %s", words);
        buffer[size] = '\0';
        if (kind == 1)
            protocol_check((char *)buffer, NULL, NULL);
        else
            protocol_check_bytes(buffer, size);
        if (kind == 1 && strstr((char *)buffer, words)) return (char *)buffer;
    }
}

static void ask(int fd, const char *request)
{
    CHECK(client_frame(fd, CLIENT_TEXT, request, strlen(request)));
    CHECK_SAYS(wait_for(fd, "\"id\": 1,"), "\"ok\": true");
}

#define END_TIME CHECK_LASTS(0.25, 0.05) // [s]

static void load(int fd)
{
    char request[200];
    snprintf(request, sizeof request,
             "{\"id\": 1, \"do\": \"load\", \"scene\": \"experiments/anton-tripod.yaml\", \"set\": [\"time=%g\", "
             "\"expect=[]\"]}",
             END_TIME);
    ask(fd, request);
}

// ------------------------------------------------------------------------------------------ frames

/// Time of a frame, and hash of its coordinates (section 1).
static double read_frame(const unsigned char *frame, size_t size, uint64_t *hash)
{
    double t;
    uint16_t tag, width;
    uint32_t count;
    CHECK(size >= 48);
    CHECK(memcmp(frame, "FFST", 4) == 0);
    memcpy(&t, frame + 16, sizeof t);
    memcpy(&tag, frame + 40, sizeof tag);
    memcpy(&width, frame + 42, sizeof width);
    memcpy(&count, frame + 44, sizeof count);
    CHECK_INT(tag, 1);
    CHECK_INT(count, 1);
    CHECK(size >= 48 + 4 * (size_t)width);
    *hash = ff_hash(frame + 48, 4 * (size_t)width, FF_HASH_START);
    return t;
}

/// Reads frames up to that time, which come in order. @return hash of the coordinates there
static uint64_t look_until(int fd, double end_time)
{
    double t = 0.0, last = 0.0;
    uint64_t hash = 0;
    size_t size;
    while (t < end_time) {
        const int kind = client_message(fd, buffer, sizeof buffer, &size, 60.0);
        CHECK(kind == 1 || kind == 2);
        if (kind == 1) continue;
        t = read_frame(buffer, size, &hash);
        CHECK(t >= last);
        last = t;
    }
    CHECK_NEAR(t, end_time, 1e-12);
    return hash;
}

TEST(however_many_look_and_however_badly_the_simulation_is_the_same)
{
    enum { PAGES = CHECK_LASTS(20, 6) };
    int pages[PAGES];
    begin(FF_SOURCE_DIR);
    const int fd = open_page(), deaf = open_page();
    load(fd);
    ask(fd, "{\"id\": 1, \"do\": \"run\", \"pace\": 0}");
    const uint64_t alone = look_until(fd, END_TIME);
    ask(fd, "{\"id\": 1, \"do\": \"reset\"}");
    for (int i = 0; i < PAGES; i++) {
        pages[i] = open_page();
        ask(pages[i], "{\"id\": 1, \"do\": \"watch\", \"channels\": [\"base.pos\", \"feet.force\"], \"rate\": 1000}");
    }
    ask(fd, "{\"id\": 1, \"do\": \"run\", \"pace\": 0}");
    for (int i = 0; i < PAGES; i++) CHECK(look_until(pages[i], END_TIME) == alone);
    for (int i = 0; i < PAGES; i++) close(pages[i]);
    close(deaf);
    close(fd);
    end();
}

TEST(pages_that_come_and_go_in_a_run_leave_it_alone)
{
    begin(FF_SOURCE_DIR);
    const int fd = open_page();
    load(fd);
    ask(fd, "{\"id\": 1, \"do\": \"run\", \"pace\": 0}");
    const uint64_t alone = look_until(fd, END_TIME);
    ask(fd, "{\"id\": 1, \"do\": \"reset\"}");
    ask(fd, "{\"id\": 1, \"do\": \"run\", \"pace\": 0}");
    for (int i = 0; i < CHECK_LASTS(30, 10); i++) close(open_page());
    CHECK(look_until(fd, END_TIME) == alone);
    close(fd);
    end();
}

// ------------------------------------------------------------------------------------------ files

/// A project with a run, one that is a link to a folder outside, and one whose report is a link to a file outside.
static void make_project(void)
{
    static const char *const folders[] = {"outside", "project", "project/out", "project/out/first walk",
                                          "project/out/b"};
    for (int i = 0; i < 5; i++) CHECK_INT(mkdir(in_folder(folders[i]), 0700), 0);
    write_file("project/out/first walk/report.html", "<html>secret</html>");
    const char *report = write_file("outside/report.html", "<html>secret</html>");
    CHECK_INT(symlink(in_folder("outside"), in_folder("project/out/a")), 0);
    CHECK_INT(symlink(report, in_folder("project/out/b/report.html")), 0);
}

TEST(links_do_not_lead_out_of_the_project)
{
    static char reply[4096];
    make_project();
    begin(in_folder("project"));
    const int port = ff_studio_port(studio);
    const int whole = client_request(port, "GET /runs/first%20walk/report.html", NULL, reply, sizeof reply);
    const bool said = strstr(reply, "secret") != NULL;
    const int folder = client_request(port, "GET /runs/a/report.html", NULL, reply, sizeof reply);
    const int file = client_request(port, "GET /runs/b/report.html", NULL, reply, sizeof reply);
    end();
    CHECK_INT(whole, 200);
    CHECK(said);
    CHECK_INT(folder, 404);
    CHECK_INT(file, 404);
}

// ------------------------------------------------------------------------------------------ idle

/// Bytes in use by the whole process.
extern size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

static size_t in_use(void)
{
    if (__sanitizer_get_current_allocated_bytes) return __sanitizer_get_current_allocated_bytes();
    return mallinfo2().uordblks;
}

// 3 s, or FOOTFALL_IDLE_SECONDS: scripts/test takes a minute in the release build. `studio_load idle 3600` is the same
// for an hour.
TEST(where_nothing_happens_nothing_grows)
{
    const char *given = getenv("FOOTFALL_IDLE_SECONDS");
    const double seconds = given ? strtod(given, NULL) : 3.0;
    begin(FF_SOURCE_DIR);
    const int one = open_page(), two = open_page();
    load(one);
    wait_for(two, "\"event\": \"scene\"");
    ask(one, "{\"id\": 1, \"do\": \"watch\", \"channels\": [\"base.pos\"], \"rate\": 100}");
    ask(one, "{\"id\": 1, \"do\": \"run\", \"pace\": 0}");
    look_until(one, END_TIME);
    ask(one, "{\"id\": 1, \"do\": \"pause\"}");
    sleep(2); // until what was under way has arrived
    const size_t before = in_use();
    for (double left = seconds; left > 0.0; left -= 10.0) {
        struct timespec piece = {(time_t)(left < 10.0 ? left : 10.0), 0};
        nanosleep(&piece, NULL);
        // Pages answer the pings of a server that wonders whether they are there.
        while (client_read(one, buffer, 1, 0.0) == 1 || client_read(two, buffer, 1, 0.0) == 1) continue;
        client_frame(one, CLIENT_PONG, "", 0);
        client_frame(two, CLIENT_PONG, "", 0);
    }
    usleep(200000);
    const size_t after = in_use();
    if (after > before + 1024) CHECK_FAIL("%zu bytes in use, %zu s earlier %zu", after, (size_t)seconds, before);
    close(one);
    close(two);
    end();
}
