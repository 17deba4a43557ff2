// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Telegrams in a stream of bytes: TCP, serial lines. A stream has no message boundaries, and a serial line may lose or
// add bytes: a telegram begins with the magic number, and has the length of its header and a valid checksum; otherwise
// the search continues one byte further.
#include "base/bytes.h"
#include "link/wire.h"

#include <footfall/math.h>

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct ff_stream {
    ff_wire wire;
    int fd;              // -1: not connected
    int listening;       // listening socket; -1: none
    int connecting;      // a socket that is connecting; -1: none
    ff_address to;       // of the other end; length 0: it does not connect
    bool socket;         // else a serial line
    bool hello_received; // the connected client has sent HELLO; true if it does not listen
    double since;        // time of the last connection or disconnection  [s]
    size_t used;         // bytes of the buffer
    size_t pending;      // bytes of a telegram that are not sent yet
    unsigned char buffer[2 * FF_TELEGRAM_MOST], rest[FF_TELEGRAM_MOST];
};

enum { LENGTH_OFFSET = 8 }; // of the header

/// A client that has sent no HELLO after this time is disconnected. Controllers send it at once.  [s]
static const double HELLO_TIMEOUT = 1.0;

/// Neither reading nor writing ever blocks the robot.
static void set_nonblocking(int fd)
{
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

ff_wire *ff_stream_create(const ff_wire_kind *kind, int fd, int listening, const ff_address *to, ff_error *err)
{
    ff_stream *s = malloc(sizeof *s);
    if (!s) {
        ff_error_set(err, FF_NO_MEMORY, "out of memory");
        return NULL;
    }
    s->wire = (ff_wire){.kind = kind};
    s->fd = fd;
    s->listening = listening;
    s->connecting = -1;
    s->to = to ? *to : (ff_address){0};
    s->socket = kind == &ff_wire_tcp;
    s->hello_received = listening < 0;
    s->since = 0.0;
    s->used = 0;
    s->pending = 0;
    if (fd >= 0) set_nonblocking(fd);
    return &s->wire;
}

void ff_stream_close(ff_wire *wire)
{
    ff_stream *s = (ff_stream *)wire;
    const int all[] = {s->fd, s->listening, s->connecting};
    for (int i = 0; i < 3; i++)
        if (all[i] >= 0) close(all[i]);
    free(s);
}

static ff_status report_end(const ff_stream *s, const char *why, ff_error *err)
{
    return ff_error_set(err, FF_STOPPED, "%s: %s", s->wire.where, why);
}

// ------------------------------------------------------------------------------------------ connecting

/// The robot may refuse the connection, or not answer, because it has not been started yet.
static bool is_retryable(int problem)
{
    return problem == ECONNREFUSED || problem == ECONNRESET || problem == ETIMEDOUT;
}

/// TCP may connect a socket to itself at a port without a listener.
static bool is_connected_to_itself(int fd)
{
    char local[sizeof((ff_wire *)0)->where], remote[sizeof local];
    ff_address_text(fd, false, local, sizeof local);
    ff_address_text(fd, true, remote, sizeof remote);
    return strcmp(local, remote) == 0;
}

/// Result of a pending connection. @return an error number, 0: it is connected
static int finish_attempt(ff_stream *s)
{
    int problem = 0;
    const int on = 1, fd = s->connecting;
    socklen_t length = sizeof problem;
    getsockopt(fd, SOL_SOCKET, SO_ERROR, &problem, &length);
    if (problem == 0 && is_connected_to_itself(fd)) problem = ECONNREFUSED;
    s->connecting = -1;
    if (problem != 0) return close(fd), problem;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); // telegrams must be sent without delay
    s->fd = fd;
    return 0;
}

/// Tries to connect for that time. A pending attempt continues in the next call.
ff_status ff_stream_reach(ff_wire *wire, double seconds, ff_error *err)
{
    ff_stream *s = (ff_stream *)wire;
    int problem = 0;
    if (s->connecting < 0) {
        s->connecting = socket(s->to.bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (s->connecting >= 0 && connect(s->connecting, (const struct sockaddr *)&s->to.bytes, s->to.length) == 0)
            problem = finish_attempt(s);
        else if (errno != EINPROGRESS)
            problem = errno;
    }
    if (problem == 0 && s->connecting >= 0 && ff_link_wait(s->connecting, POLLOUT, seconds))
        problem = finish_attempt(s);
    if (problem == 0) return FF_OK;
    if (s->connecting >= 0) close(s->connecting);
    s->connecting = -1;
    if (!is_retryable(problem)) return ff_error_set(err, FF_BAD_ARGUMENT, "%s: %s", s->wire.where, strerror(problem));
    ff_link_wait(-1, 0, seconds);
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ sending

/// Writes as many bytes as the line accepts. @return FF_OK with their number
static ff_status write_bytes(ff_stream *s, const unsigned char *bytes, size_t size, size_t *done, ff_error *err)
{
    *done = 0;
    while (*done < size) {
        const unsigned char *from = bytes + *done;
        const ssize_t sent =
            s->socket ? send(s->fd, from, size - *done, MSG_NOSIGNAL) : write(s->fd, from, size - *done);
        if (sent < 0 && errno == EAGAIN) return FF_OK;
        if (sent < 0 && errno != EINTR) return report_end(s, strerror(errno), err);
        if (sent > 0) *done += (size_t)sent;
    }
    return FF_OK;
}

/// Continues a telegram that was sent in part.
static ff_status send_pending(ff_stream *s, ff_error *err)
{
    size_t done;
    const ff_status status = write_bytes(s, s->rest, s->pending, &done, err);
    memmove(s->rest, s->rest + done, s->pending - done);
    s->pending -= done;
    return status;
}

/// Sends without waiting: if the line is full, the rest of the telegram is sent later, and further ones are lost until
/// then, as datagrams may be.
ff_status ff_stream_send(ff_wire *wire, const unsigned char *bytes, size_t size, ff_error *err)
{
    ff_stream *s = (ff_stream *)wire;
    size_t done;
    if (s->fd < 0) return FF_OK; // there is no receiver
    if (s->pending > 0 && send_pending(s, err) != FF_OK) return FF_STOPPED;
    if (s->pending > 0 || size > sizeof s->rest) return FF_OK;
    if (write_bytes(s, bytes, size, &done, err) != FF_OK) return FF_STOPPED;
    s->pending = size - done;
    memcpy(s->rest, bytes + done, s->pending);
    if (s->listening >= 0 &&
        ff_link_is(FF_TELEGRAM_BYE, bytes, size)) { // the client may send HELLO again, or disconnects
        s->hello_received = false;
        s->since = ff_link_clock();
    }
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ receiving

/// Removes the first bytes of the buffer.
static void drop(ff_stream *s, size_t n)
{
    memmove(s->buffer, s->buffer + n, s->used - n);
    s->used -= n;
}

/// Index from `i` on at which the next telegram may begin: the magic number, or the part of it that ends the buffer.
static size_t find_beginning(const ff_stream *s, size_t i)
{
    unsigned char magic[4];
    ff_put_u32(magic, FF_TELEGRAM_MAGIC);
    while (i < s->used && memcmp(s->buffer + i, magic, s->used - i < 4 ? s->used - i : 4) != 0) i++;
    return i;
}

typedef enum verdict { COMPLETE, INCOMPLETE, DAMAGED } verdict;

/// Checks the telegram that may begin at index `i`.
static verdict check_telegram(const ff_stream *s, size_t i, size_t most, size_t *length)
{
    if (s->used - i < FF_TELEGRAM_HEAD_SIZE) return INCOMPLETE;
    *length = ff_get_u32(s->buffer + i + LENGTH_OFFSET);
    if (*length < FF_TELEGRAM_HEAD_SIZE + FF_TELEGRAM_SUM_SIZE || *length > most || *length > FF_TELEGRAM_MOST)
        return DAMAGED;
    if (*length > s->used - i) return INCOMPLETE;
    const size_t before = *length - FF_TELEGRAM_SUM_SIZE;
    return ff_telegram_sum(s->buffer + i, before) == ff_get_u32(s->buffer + i + before) ? COMPLETE : DAMAGED;
}

/// Removes the first complete telegram from the buffer. An incomplete one before it is dropped, since some of its bytes
/// were lost. @return length of the telegram; 0: none
static size_t extract_telegram(ff_stream *s, unsigned char *bytes, size_t most)
{
    size_t first = find_beginning(s, 0), length;
    bool has_incomplete = false;
    for (size_t i = first; i < s->used; i = find_beginning(s, i + 1)) {
        const verdict v = check_telegram(s, i, most, &length);
        if (v == COMPLETE) {
            memcpy(bytes, s->buffer + i, length);
            drop(s, i + length);
            return length;
        }
        if (v == INCOMPLETE && !has_incomplete) first = i;
        has_incomplete = has_incomplete || v == INCOMPLETE;
    }
    drop(s, has_incomplete ? first : s->used);
    return 0;
}

static void accept_one(ff_stream *s)
{
    const int on = 1;
    s->fd = accept(s->listening, NULL, NULL);
    if (s->fd < 0) return;
    s->hello_received = false;
    s->since = ff_link_clock();
    set_nonblocking(s->fd);
    setsockopt(s->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); // telegrams must be sent without delay
}

/// Closes the connection. A listening end then accepts another client; a connecting one tries again.
static void disconnect(ff_stream *s)
{
    close(s->fd);
    s->fd = -1;
    s->used = s->pending = 0;
}

/// Has the client sent no valid HELLO in time? Then it must not block the controller. This is checked after all
/// received bytes were read, so that no client is rejected because this process was suspended.
static bool has_no_hello(const ff_stream *s)
{
    return s->fd >= 0 && !s->hello_received && ff_link_clock() - s->since > HELLO_TIMEOUT;
}

static ff_status handle_disconnection(ff_stream *s, ff_error *err)
{
    if (s->listening >= 0 || s->to.length > 0) disconnect(s);
    return report_end(s, "the other end has closed it", err);
}

/// Removes the first complete telegram from the buffer. @return false: there is none
static bool read_telegram(ff_stream *s, unsigned char *bytes, size_t most, size_t *size)
{
    *size = s->fd >= 0 ? extract_telegram(s, bytes, most) : 0;
    if (*size > 0 && !s->hello_received) s->hello_received = ff_link_is(FF_TELEGRAM_HELLO, bytes, *size);
    return *size > 0;
}

/// Waits until the stream can be read or written, or a client be accepted. @param left  timeout; negative: none  [s]
static bool wait_for_event(const ff_stream *s, double left)
{
    const double hello =
        s->fd < 0 || s->hello_received ? -1.0 : ff_max(0.0, s->since + HELLO_TIMEOUT - ff_link_clock()) + 1e-3;
    const double span = left < 0.0 ? hello : hello < 0.0 ? left : ff_min(left, hello);
    const short events = s->pending > 0 ? POLLIN | POLLOUT : POLLIN;
    return ff_link_wait(s->fd >= 0 ? s->fd : s->listening, events, span);
}

ff_status ff_stream_receive(ff_wire *wire, unsigned char *bytes, size_t most, double seconds, size_t *size,
                            ff_error *err)
{
    ff_stream *s = (ff_stream *)wire;
    static const double RETRY = 0.05; // [s]
    const double end = ff_link_clock() + seconds;
    while (s->to.length > 0 && s->fd < 0) {
        const double left = seconds < 0.0 ? RETRY : ff_min(RETRY, ff_max(0.0, end - ff_link_clock()));
        const ff_status status = ff_stream_reach(wire, left, err);
        if (status != FF_OK || s->fd >= 0 || left == 0.0) return status; // connected: the caller sends HELLO
    }
    while (!read_telegram(s, bytes, most, size)) {
        if (!wait_for_event(s, seconds < 0.0 ? -1.0 : ff_max(0.0, end - ff_link_clock()))) {
            if (!has_no_hello(s)) return FF_OK;
            disconnect(s);
            continue;
        }
        if (s->fd < 0) {
            accept_one(s);
            continue;
        }
        if (s->pending > 0 && send_pending(s, err) != FF_OK) return FF_STOPPED;
        const ssize_t received = read(s->fd, s->buffer + s->used, sizeof s->buffer - s->used);
        if (received == 0) return handle_disconnection(s, err);
        if (received < 0 && errno == EINTR) return FF_OK;
        if (received < 0 && errno != EAGAIN) {
            const int why = errno;
            if (s->to.length > 0) disconnect(s);
            return report_end(s, strerror(why), err);
        }
        if (received > 0) s->used += (size_t)received;
        if (read_telegram(s, bytes, most, size)) return FF_OK;
        if (has_no_hello(s)) disconnect(s);
    }
    return FF_OK;
}
