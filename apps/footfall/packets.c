// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#ifdef __linux__
#define _GNU_SOURCE // ppoll: masters wait for answers in microseconds
#endif
#include "link_end.h"

#ifdef __linux__

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <math.h>
#include <net/if.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ETHERCAT = 0x88A4 };

static int fail(ff_error *err, const char *interface)
{
    if (errno == EPERM || errno == EACCES)
        ff_error_set(err, FF_BAD_ARGUMENT,
                     "raw frames are not allowed here (CAP_NET_RAW): run it as root, or in a namespace of your own, "
                     "`unshare -Urn`");
    else
        ff_error_set(err, FF_BAD_ARGUMENT, "interface '%s': %s", interface, strerror(errno));
    return -1;
}

static bool has_flag(int s, const char *interface, int flag)
{
    struct ifreq request = {0};
    const size_t n = strlen(interface);
    if (n >= sizeof request.ifr_name) return false;
    memcpy(request.ifr_name, interface, n);
    return ioctl(s, SIOCGIFFLAGS, &request) == 0 && (request.ifr_flags & flag);
}

const char *packets_check(int s, const char *interface)
{
    if (!has_flag(s, interface, IFF_UP)) return "it is down";
    return has_flag(s, interface, IFF_RUNNING) ? NULL : "it has no link: the other end of its cable is down";
}

int packets_open(const char *interface, ff_error *err)
{
    const unsigned number = if_nametoindex(interface);
    if (!number) {
        ff_error_set(err, FF_NOT_FOUND, "there is no network interface '%s'; `ip link` lists them", interface);
        return -1;
    }
    const int s = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(ETHERCAT));
    if (s < 0) return fail(err, interface);
    const struct sockaddr_ll at = {
        .sll_family = AF_PACKET, .sll_protocol = htons(ETHERCAT), .sll_ifindex = (int)number};
    const bool bound = bind(s, (const struct sockaddr *)&at, sizeof at) == 0;
    if (bound && has_flag(s, interface, IFF_UP)) return s;
    if (bound)
        ff_error_set(err, FF_BAD_ARGUMENT, "interface '%s' is down: `ip link set %s up`", interface, interface);
    else
        fail(err, interface);
    close(s);
    return -1;
}

void packets_close(int s)
{
    if (s >= 0) close(s);
}

size_t packets_receive(int s, unsigned char bytes[PACKET_MOST], double timeout)
{
    struct pollfd ready = {.fd = s, .events = POLLIN};
    const double whole = floor(timeout);
    const struct timespec wait = {.tv_sec = (time_t)whole, .tv_nsec = (long)(1e9 * (timeout - whole))};
    if (ppoll(&ready, 1, &wait, NULL) <= 0) return 0;
    const ssize_t n = recv(s, bytes, PACKET_MOST, MSG_DONTWAIT);
    return n > 0 ? (size_t)n : 0;
}

bool packets_send(int s, const unsigned char *bytes, size_t size)
{
    return send(s, bytes, size, 0) == (ssize_t)size;
}

#else

int packets_open(const char *interface, ff_error *err)
{
    ff_error_set(err, FF_NOT_BUILT, "interface '%s': raw frames need Linux", interface);
    return -1;
}

void packets_close(int s)
{
    (void)s;
}

const char *packets_check(int s, const char *interface)
{
    (void)s, (void)interface;
    return NULL;
}

size_t packets_receive(int s, unsigned char bytes[PACKET_MOST], double timeout)
{
    (void)s, (void)bytes, (void)timeout;
    return 0;
}

bool packets_send(int s, const unsigned char *bytes, size_t size)
{
    (void)s, (void)bytes, (void)size;
    return false;
}

#endif
