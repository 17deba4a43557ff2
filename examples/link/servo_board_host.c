// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The servo board (servo_board.c) on a computer: a pseudo terminal is its serial line, and lines of text are its
// servos. It prints where it is to be found, then the pulses each second, and when they stop.
//
//     build/release/bin/servo_board          prints: serial:/dev/pts/3:115200
//     footfall control experiments/servo-hexapod-walk.yaml --link serial:/dev/pts/3:115200
#define _GNU_SOURCE // posix_openpt, cfmakeraw
#include "servo_board.h"

#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static int line; // the board's end
static uint16_t width[BOARD_SERVOS];

void line_put(uint8_t byte)
{
    if (write(line, &byte, 1) < 0) return; // nobody reads: lost, as on a line
}

void servo_put(int servo, uint16_t count)
{
    width[servo] = count;
}

/// All feet stand.
int foot_switch(int leg)
{
    (void)leg;
    return 1;
}

/// @return a descriptor of the far end, held open so that the line never hangs up; -1: there is none
static int open_line(void)
{
    struct termios raw;
    line = posix_openpt(O_RDWR | O_NOCTTY);
    if (line < 0 || grantpt(line) != 0 || unlockpt(line) != 0) return -1;
    fcntl(line, F_SETFL, O_NONBLOCK);
    const int far = open(ptsname(line), O_RDWR | O_NOCTTY);
    if (far < 0 || tcgetattr(far, &raw) != 0) return -1;
    cfmakeraw(&raw);
    return tcsetattr(far, TCSANOW, &raw) == 0 ? far : -1;
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void listen_until(double due)
{
    uint8_t bytes[256];
    for (double left = due - now_ms(); left > 0.0; left = due - now_ms()) {
        struct pollfd one = {.fd = line, .events = POLLIN};
        if (poll(&one, 1, (int)left + 1) <= 0) continue;
        const ssize_t n = read(line, bytes, sizeof bytes);
        for (ssize_t i = 0; i < n; i++) board_byte(bytes[i]);
    }
}

static void print_pulses(void)
{
    for (int i = 0; i < BOARD_SERVOS; i++) printf("%s%.1f", i > 0 ? " " : "", 0.5 * width[i]);
    printf(" us\n");
    fflush(stdout);
}

int main(void)
{
    const int far = open_line();
    if (far < 0) {
        perror("no pseudo terminal");
        return 1;
    }
    printf("serial:%s:115200\n", ptsname(line));
    fflush(stdout);
    bool on = false;
    double due = now_ms();
    for (unsigned frame = 0;; frame++) {
        board_frame();
        if (on && width[0] == 0) printf("pulses off\n");
        on = width[0] != 0;
        if (on && frame % (1000 / BOARD_FRAME_MS) == 0) print_pulses();
        fflush(stdout);
        listen_until(due += BOARD_FRAME_MS);
    }
}
