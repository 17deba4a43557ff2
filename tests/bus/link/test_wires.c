// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Wires carry whole telegrams, whatever lies between: datagrams, streams that come in pieces, lines that lose bytes,
// memory that two write and read at the same time.
#define _GNU_SOURCE // posix_openpt
#include "check.h"

#include <footfall/link.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>

static unsigned char bytes[FF_TELEGRAM_MOST], got[FF_TELEGRAM_MOST];

/// A telegram whose payload is `n` bytes that follow from `number`. @return its size
static size_t make(uint32_t number, size_t n, unsigned char *to)
{
    ff_telegram head = {.type = number == 0 ? FF_TELEGRAM_HELLO : FF_TELEGRAM_SENSORS, .counter = number};
    for (size_t i = 0; i < n; i++) to[FF_TELEGRAM_HEAD_SIZE + i] = (unsigned char)(number + i);
    return ff_telegram_seal(&head, to, FF_TELEGRAM_MOST, n);
}

static ff_wire *must_open(const char *address, ff_end end)
{
    ff_error err = {0};
    ff_wire *wire = ff_wire_open(address, end, &err);
    if (!wire) CHECK_FAIL("%s", err.text);
    return wire;
}

/// Waits for a telegram and checks that it is the one of that number.
static void must_hear(ff_wire *wire, uint32_t number, size_t n)
{
    size_t size;
    ff_error err = {0};
    const size_t want = make(number, n, bytes);
    if (ff_wire_receive(wire, got, sizeof got, 30.0, &size, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    CHECK(size == want && memcmp(got, bytes, size) == 0);
}

static void must_send(ff_wire *wire, uint32_t number, size_t n)
{
    const size_t size = make(number, n, bytes);
    ff_error err = {0};
    if (ff_wire_send(wire, bytes, size, &err) != FF_OK) CHECK_FAIL("%s", err.text);
}

/// Both ways, short and long.
static void must_carry(ff_wire *robot, ff_wire *control)
{
    must_send(control, 0, 0); // the greeting, after which the robot knows where to
    must_hear(robot, 0, 0);
    for (uint32_t i = 1; i < 20; i++) {
        must_send(robot, i, 97 * i);
        must_hear(control, i, 97 * i);
        must_send(control, 100 + i, 13 * i);
        must_hear(robot, 100 + i, 13 * i);
    }
    size_t size = 1;
    CHECK(ff_wire_receive(robot, got, sizeof got, 0.0, &size, NULL) == FF_OK && size == 0);
    CHECK(ff_wire_receive(robot, got, sizeof got, 0.002, &size, NULL) == FF_OK && size == 0);
}

/// "udp:PORT" of a port that the system chose: the robot's end says it.
static const char *lead_to(const char *scheme, const ff_wire *robot)
{
    static char address[160];
    snprintf(address, sizeof address, "%s:%s", scheme, ff_wire_where(robot));
    return address;
}

TEST(datagrams)
{
    ff_wire *robot = must_open("udp:0", FF_END_ROBOT), *control = must_open(lead_to("udp", robot), FF_END_CONTROL);
    CHECK(strncmp(ff_wire_where(robot), "127.0.0.1:", 10) == 0); // this machine alone
    must_carry(robot, control);
    // another sender is ignored once the robot has its controller
    ff_wire *other_client = must_open(lead_to("udp", robot), FF_END_CONTROL);
    must_send(other_client, 0, 0);
    must_send(control, 5, 8);
    must_hear(robot, 5, 8);
    ff_wire_close(other_client);
    ff_wire_close(control);
    ff_wire_close(robot);
}

// One that greets and goes, because it was made for another robot, leaves the wire to the next.
TEST(datagrams_go_to_the_next_sender_of_hello)
{
    ff_wire *robot = must_open("udp:0", FF_END_ROBOT);
    for (int i = 0; i < 2; i++) {
        ff_wire *gone = must_open(lead_to("udp", robot), FF_END_CONTROL);
        must_send(gone, 0, 0);
        must_hear(robot, 0, 0);
        if (i == 0) must_send(robot, 0, 8); // an answer that is no frame of sensors
        if (i == 0) must_hear(gone, 0, 8);
        ff_wire_close(gone);
    }
    ff_wire *control = must_open(lead_to("udp", robot), FF_END_CONTROL);
    must_carry(robot, control);
    ff_wire_close(control);
    ff_wire_close(robot);
}

TEST(a_stream)
{
    ff_wire *robot = must_open("tcp:0", FF_END_ROBOT), *control = must_open(lead_to("tcp", robot), FF_END_CONTROL);
    must_carry(robot, control);
    ff_wire_close(control);
    size_t size;
    ff_error err = {0};
    CHECK(ff_wire_receive(robot, got, sizeof got, 1.0, &size, &err) == FF_STOPPED && strstr(err.text, "closed"));
    ff_wire_close(robot);
}

/// One who connects and says what a test wants.
static int intrude(const ff_wire *robot, const char *words)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    to.sin_port = htons((uint16_t)atoi(strchr(ff_wire_where(robot), ':') + 1));
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof to) == 0);
    CHECK(send(fd, words, strlen(words), MSG_NOSIGNAL) == (ssize_t)strlen(words));
    return fd;
}

// Unknown clients hold the robot's end for a moment each: one who is silent, one who speaks another language, and one
// who was sent away but stays. The controller, which came last, is accepted.
TEST(a_stream_occupied_by_unknown_clients)
{
    ff_wire *robot = must_open("tcp:0", FF_END_ROBOT), *sent_away = must_open(lead_to("tcp", robot), FF_END_CONTROL);
    must_send(sent_away, 0, 0);
    must_hear(robot, 0, 0);
    ff_telegram bye = {.type = FF_TELEGRAM_BYE};
    const size_t size = ff_telegram_seal(&bye, bytes, sizeof bytes, 0);
    CHECK(ff_wire_send(robot, bytes, size, NULL) == FF_OK);
    const int silent = intrude(robot, ""), browser = intrude(robot, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    ff_wire *control = must_open(lead_to("tcp", robot), FF_END_CONTROL);
    must_send(control, 0, 0);
    must_hear(robot, 0, 0);
    must_carry(robot, control);
    char one;
    CHECK(read(silent, &one, 1) <= 0 && read(browser, &one, 1) <= 0); // they have been left
    close(silent);
    close(browser);
    ff_wire_close(sent_away);
    ff_wire_close(control);
    ff_wire_close(robot);
}

// One who has greeted may take his time: a hardware layer waits for its own controller meanwhile.
TEST(a_stream_waits_for_a_client_with_hello)
{
    ff_wire *robot = must_open("tcp:0", FF_END_ROBOT), *control = must_open(lead_to("tcp", robot), FF_END_CONTROL);
    size_t size;
    must_send(control, 0, 0);
    must_hear(robot, 0, 0);
    CHECK(ff_wire_receive(robot, got, sizeof got, 1.3, &size, NULL) == FF_OK && size == 0);
    must_send(control, 7, 30);
    must_hear(robot, 7, 30);
    ff_wire_close(control);
    ff_wire_close(robot);
}

// Nobody reads at the other end: a sender is not held, a telegram that the line has begun with comes whole, and others
// are lost as a whole.
TEST(a_full_line_blocks_no_end)
{
    const int far = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    char address[160];
    if (far < 0 || grantpt(far) != 0 || unlockpt(far) != 0) SKIP("no pseudo terminals here");
    snprintf(address, sizeof address, "serial:%s:115200", ptsname(far));
    ff_wire *robot = must_open(address, FF_END_ROBOT);
    enum { SENT = 40, EACH = 1500 };
    static unsigned char all[SENT * (EACH + 52)];
    size_t n = 0, size, at = 0;
    for (uint32_t i = 1; i <= SENT; i++) must_send(robot, i, EACH);
    for (int quiet = 0; quiet < 200; quiet++) {
        const ssize_t more = read(far, all + n, sizeof all - n);
        if (more > 0) n += (size_t)more, quiet = 0;
        CHECK(ff_wire_receive(robot, got, sizeof got, 0.001, &size, NULL) == FF_OK && size == 0); // goes on sending
    }
    uint32_t whole = 0, number = 0;
    for (; at < n; at += EACH + 52, whole++) {
        CHECK(n - at >= EACH + 52);
        do make(++number, EACH, bytes); // in their order; the line may take some again after others were lost
        while (number < SENT && memcmp(all + at, bytes, EACH + 52) != 0);
        CHECK(memcmp(all + at, bytes, EACH + 52) == 0);
    }
    CHECK(whole >= 2 && whole < SENT);
    close(far);
    ff_wire_close(robot);
}

// The far end of a line is a terminal of its own here; bytes are lost, added and cut in pieces on the way.
TEST(a_line_that_loses_bytes)
{
    const int far = posix_openpt(O_RDWR | O_NOCTTY);
    char address[160];
    if (far < 0 || grantpt(far) != 0 || unlockpt(far) != 0) SKIP("no pseudo terminals here");
    snprintf(address, sizeof address, "serial:%s:115200", ptsname(far));
    ff_wire *robot = must_open(address, FF_END_ROBOT);
    size_t size = make(1, 300, bytes), received;
    static unsigned char all[FF_TELEGRAM_MOST];
    CHECK(write(far, "noise FFLK noise", 16) == 16);
    CHECK(write(far, bytes, size / 2) == (ssize_t)(size / 2)); // the first half of one
    size = make(2, 200, all);
    CHECK(write(far, all, size) == (ssize_t)size); // a whole one
    for (size_t i = 0; i < size; i++) CHECK(write(far, all + i, 1) == 1);
    make(3, 200, all);
    CHECK(write(far, all, size - 5) == (ssize_t)(size - 5)); // one whose end is missing
    size = make(4, 1, all);
    for (int i = 0; i < 3; i++) CHECK(write(far, all, size) == (ssize_t)size);
    all[9] ^= 0x40; // a length of 16 kB more: nobody waits for that
    CHECK(write(far, all, size) == (ssize_t)size);
    all[9] ^= 0x40;
    CHECK(write(far, all, size) == (ssize_t)size);
    int counts[5] = {0};
    while (ff_wire_receive(robot, got, sizeof got, 0.05, &received, NULL) == FF_OK && received > 0) {
        ff_telegram head;
        const unsigned char *payload;
        CHECK(ff_telegram_open(got, received, &head, &payload, &received, NULL) == FF_OK && head.counter < 5);
        counts[head.counter]++;
    }
    CHECK(counts[1] == 0 && counts[2] == 2 && counts[3] == 0 && counts[4] == 4);
    ff_error err = {0};
    CHECK(!ff_wire_open("serial:/dev/null:115200", FF_END_ROBOT, &err) && strstr(err.text, "not a serial line"));
    CHECK(!ff_wire_open("serial:/dev/null:1234", FF_END_ROBOT, &err) && strstr(err.text, "baud"));
    CHECK(!ff_wire_open("serial::115200", FF_END_ROBOT, &err) && strstr(err.text, "not a serial device"));
    ff_wire_close(robot);
    close(far);
}

// ------------------------------------------------------------------------------------------ shared memory

static const char *shared(void)
{
    static char address[64];
    snprintf(address, sizeof address, "shm:test-%d", (int)getpid());
    return address;
}

TEST(shared_memory)
{
    ff_wire *robot = must_open(shared(), FF_END_ROBOT), *control = must_open(shared(), FF_END_CONTROL);
    must_carry(robot, control);
    ff_wire_close(control);
    size_t size;
    ff_error err = {0};
    CHECK(ff_wire_receive(robot, got, sizeof got, 1.0, &size, &err) == FF_STOPPED && strstr(err.text, "closed"));
    ff_wire_close(robot);
    CHECK(!ff_wire_open("shm:a/b", FF_END_ROBOT, &err) && strstr(err.text, "no slash"));
}

// A name belongs to one robot while it lives; what one left that was killed is taken over.
TEST(memory_of_another_robot)
{
    ff_error err = {0};
    ff_wire *robot = must_open(shared(), FF_END_ROBOT);
    CHECK(!ff_wire_open(shared(), FF_END_ROBOT, &err) && strstr(err.text, "used by another robot"));
    ff_wire *control = must_open(shared(), FF_END_CONTROL);
    must_carry(robot, control);
    ff_wire_close(control);
    ff_wire_close(robot);
    char name[80];
    snprintf(name, sizeof name, "/footfall-%s", shared() + strlen("shm:"));
    const int left = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    CHECK(left >= 0);
    close(left);
    robot = must_open(shared(), FF_END_ROBOT);
    ff_wire_close(robot);
    CHECK(shm_open(name, O_RDWR, 0) < 0); // nothing is left
}

enum { WRITTEN = 20000 };

static void *write_many(void *wire)
{
    static unsigned char mine[FF_TELEGRAM_MOST];
    for (uint32_t i = 1; i <= WRITTEN; i++) {
        const size_t size = make(i, 50 + i % 400, mine);
        ff_wire_send(wire, mine, size, NULL);
    }
    return NULL;
}

// A reader may miss telegrams, never see a torn one, nor an older one after a newer.
TEST(memory_that_is_written_while_it_is_read)
{
    ff_wire *robot = must_open(shared(), FF_END_ROBOT), *control = must_open(shared(), FF_END_CONTROL);
    pthread_t writer;
    uint32_t last = 0;
    int received = 0;
    CHECK(pthread_create(&writer, NULL, write_many, robot) == 0);
    bool whole = true, rising = true;
    while (last < WRITTEN && whole && rising) {
        size_t size;
        ff_telegram head;
        const unsigned char *payload;
        if (ff_wire_receive(control, got, sizeof got, 5.0, &size, NULL) != FF_OK || size == 0) break;
        whole = ff_telegram_open(got, size, &head, &payload, &size, NULL) == FF_OK;
        rising = whole && head.counter > last;
        last = whole ? head.counter : last;
        received++;
    }
    pthread_join(writer, NULL);
    CHECK(whole && rising && last == WRITTEN && received > 0);
    ff_wire_close(control);
    ff_wire_close(robot);
}

// ------------------------------------------------------------------------------------------ a controller that is first

/// Drops telegrams that were not received yet, until the controller has found its robot and sends HELLO.
static void must_meet(ff_wire *robot, ff_wire *control)
{
    size_t received = 0, size;
    ff_error err = {0};
    for (int i = 0; received == 0 && i < 1000; i++) {
        must_send(control, 0, 0);
        if (ff_wire_receive(control, got, sizeof got, 0.02, &size, &err) != FF_OK) CHECK_FAIL("%s", err.text);
        if (ff_wire_receive(robot, got, sizeof got, 0.02, &received, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    }
    CHECK(received > 0);
    while (ff_wire_receive(robot, got, sizeof got, 0.0, &size, NULL) == FF_OK && size > 0) continue;
}

// A wire is open before the robot is there, and again after it has gone: nothing is received, nobody waits longer than
// he said, and the robot is found when it comes.
TEST(a_controller_may_start_before_its_robot)
{
    char tcp[160];
    ff_wire *robot = must_open("tcp:0", FF_END_ROBOT); // a port of which we know that it is free
    snprintf(tcp, sizeof tcp, "%s", lead_to("tcp", robot));
    ff_wire_close(robot);
    const char *const addresses[] = {tcp, shared()};
    for (int i = 0; i < 2; i++) {
        ff_wire *control = must_open(addresses[i], FF_END_CONTROL);
        size_t size;
        for (int round = 0; round < 2; round++) {
            must_send(control, 0, 0);
            CHECK(ff_wire_receive(control, got, sizeof got, 0.0, &size, NULL) == FF_OK && size == 0);
            CHECK(ff_wire_receive(control, got, sizeof got, 0.12, &size, NULL) == FF_OK && size == 0);
            robot = must_open(addresses[i], FF_END_ROBOT);
            must_meet(robot, control);
            must_carry(robot, control);
            ff_wire_close(robot);
            CHECK(ff_wire_receive(control, got, sizeof got, 30.0, &size, NULL) == FF_STOPPED);
        }
        ff_wire_close(control);
    }
}

// ------------------------------------------------------------------------------------------ faults

TEST(a_faulty_wire_has_the_given_faults)
{
    enum { SENT = 2000 };
    ff_error err = {0};
    ff_wire *robot = must_open("udp:0", FF_END_ROBOT), *plain = must_open(lead_to("udp", robot), FF_END_CONTROL);
    CHECK(!ff_wire_with_faults(plain, "drop=2", &err) && strstr(err.text, "'drop=2'"));
    CHECK(!ff_wire_with_faults(plain, "lose=0.1", &err) && strstr(err.text, "'lose=0.1'"));
    ff_wire *control = ff_wire_with_faults(plain, "drop=0.1,double=0.05,swap=0.05,flip=0.05,seed=3", &err);
    CHECK(control);
    int received = 0, damaged = 0, doubled = 0, swapped = 0;
    uint32_t last = 0;
    for (uint32_t i = 1; i <= SENT; i++) {
        must_send(control, i, 40);
        size_t size;
        ff_telegram head;
        const unsigned char *payload;
        while (ff_wire_receive(robot, got, sizeof got, 0.0, &size, NULL) == FF_OK && size > 0) {
            received++;
            if (ff_telegram_open(got, size, &head, &payload, &size, NULL) != FF_OK) {
                damaged++;
                continue;
            }
            doubled += head.counter == last;
            swapped += head.counter < last;
            last = head.counter;
        }
    }
    // three standard deviations of a binomial distribution about its mean, and what one fault hides of another
    CHECK_NEAR(received, SENT * 0.9 * 1.05, 3.0 * sqrt(SENT * 0.1) + 10.0);
    CHECK_NEAR(damaged, SENT * 0.9 * 0.05 * 1.05, 3.0 * sqrt(SENT * 0.05) + 5.0);
    CHECK_NEAR(swapped, SENT * 0.9 * 0.05, 3.0 * sqrt(SENT * 0.05) + 10.0);
    CHECK_NEAR(doubled, SENT * 0.9 * 0.05, 3.0 * sqrt(SENT * 0.05) + 10.0);
    ff_wire_close(control);
    // cut: so many go through and no more
    plain = must_open(lead_to("udp", robot), FF_END_CONTROL);
    ff_wire_close(robot);
    robot = must_open("udp:0", FF_END_ROBOT);
    ff_wire_close(plain);
    control = ff_wire_with_faults(must_open(lead_to("udp", robot), FF_END_CONTROL), "cut=7", &err);
    for (uint32_t i = 1; i <= 20; i++) must_send(control, i, 4);
    received = 0;
    for (size_t size; ff_wire_receive(robot, got, sizeof got, 0.01, &size, NULL) == FF_OK && size > 0;) received++;
    CHECK(received == 7);
    ff_wire_close(control);
    ff_wire_close(robot);
}

TEST(invalid_addresses_are_reported)
{
    static const char *const wrong[][2] = {{"carrier-pigeon:7", "is not a wire"},
                                           {"udp:", "is not an address"},
                                           {"udp:host.invalid:x", "is not an address"},
                                           {"tcp:99999", "port 99999 is invalid"},
                                           {"", "is not a wire"},
                                           {"shm:", "1 to 100"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ff_error err = {0};
        CHECK(!ff_wire_open(wrong[i][0], FF_END_ROBOT, &err));
        if (!strstr(err.text, wrong[i][1])) CHECK_FAIL("'%s' does not say '%s'", err.text, wrong[i][1]);
    }
}
