// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Telegrams over a serial line, 8 bits, no parity, one stop bit, or over a pseudo terminal, which accepts any baud
// rate.
#include "link/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static const struct {
    long baud;
    speed_t speed;
} speeds[] = {
    {9600, B9600},     {19200, B19200}, {38400, B38400}, {57600, B57600}, {115200, B115200}, {230400, B230400},
#ifdef B460800
    {460800, B460800},
#endif
#ifdef B921600
    {921600, B921600},
#endif
};

static bool find_speed(const char *text, speed_t *speed)
{
    char *end;
    const long baud = strtol(text, &end, 10);
    for (size_t i = 0; end != text && *end == '\0' && i < sizeof speeds / sizeof *speeds; i++)
        if (speeds[i].baud == baud) {
            *speed = speeds[i].speed;
            return true;
        }
    return false;
}

/// Raw mode: no echo, no conversion of line ends, no signals.
static bool make_raw(int fd, speed_t speed)
{
    struct termios line;
    if (tcgetattr(fd, &line) != 0) return false;
    line.c_iflag &= ~(tcflag_t)(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON | IXOFF);
    line.c_oflag &= ~(tcflag_t)OPOST;
    line.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
    line.c_cflag &= ~(tcflag_t)(CSIZE | PARENB | CSTOPB);
    line.c_cflag |= CS8 | CREAD | CLOCAL;
    line.c_cc[VMIN] = 1; // no data: EAGAIN; 0 bytes: the other end has hung up
    line.c_cc[VTIME] = 0;
    cfsetispeed(&line, speed);
    cfsetospeed(&line, speed);
    return tcsetattr(fd, TCSANOW, &line) == 0 && tcflush(fd, TCIOFLUSH) == 0;
}

static ff_wire *open_wire(const char *rest, ff_end end, ff_error *err)
{
    char device[sizeof((ff_wire *)0)->where];
    const char *colon = strrchr(rest, ':');
    speed_t speed = B115200;
    (void)end; // both ends of a line are equal
    if (colon && !find_speed(colon + 1, &speed)) {
        ff_error_set(err, FF_BAD_ARGUMENT,
                     "serial:%.100s: unsupported baud rate; expected 9600, 19200, .. 115200, 230400", rest);
        return NULL;
    }
    snprintf(device, sizeof device, "%.*s", colon ? (int)(colon - rest) : (int)strlen(rest), rest);
    if (!device[0]) {
        ff_error_set(err, FF_BAD_ARGUMENT, "serial:%.100s is not a serial device: expected serial:/dev/ttyS0:115200",
                     rest);
        return NULL;
    }
    const int fd = open(device, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    ff_wire *wire = NULL;
    if (fd < 0)
        ff_error_set(err, FF_BAD_ARGUMENT, "%s cannot be opened: %s", device, strerror(errno));
    else if (!make_raw(fd, speed))
        ff_error_set(err, FF_BAD_ARGUMENT, "%s is not a serial line: %s", device, strerror(errno));
    else
        wire = ff_stream_create(&ff_wire_serial, fd, -1, NULL, err);
    if (!wire && fd >= 0) close(fd);
    if (wire) snprintf(wire->where, sizeof wire->where, "%s", device);
    return wire;
}

const ff_wire_kind ff_wire_serial = {"serial", open_wire, ff_stream_send, ff_stream_receive, ff_stream_close};
