// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Telegrams in a stream of bytes: TCP, serial lines. A stream has no borders, and a serial line may lose or add bytes:
// a telegram begins at the bytes of the magic number, has the length its head says, and a checksum that fits;
// otherwise the search goes on one byte further.
#include "base/bytes.h"
#include "link/address.h"

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
    int fd;         // -1: it leads to nobody yet
    int listening;  // -1: not
    int trying;     // a socket whose connection is under way; -1: none
    ff_address to;  // of the other end; length 0: it is not the one that connects
    bool socket;    // else a line
    bool greeted;   // who has connected said HELLO; true where nobody is listened for
    double since;   // when he connected, or was sent away  [s]
    size_t used;    // bytes of the buffer
    size_t pending; // bytes of a telegram that the line has not taken yet
    unsigned char buffer[2 * FF_TELEGRAM_MOST], rest[FF_TELEGRAM_MOST];
};

enum { LENGTH_AT = 8 }; // of the head

/// So long may one who has connected hold the robot's end without a greeting. Controllers greet at once.  [s]
static const double SILENCE = 1.0;

/// Neither a reader nor a writer ever holds the robot.
static void never_block(int fd)
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
    s->trying = -1;
    s->to = to ? *to : (ff_address){0};
    s->socket = kind == &ff_wire_tcp;
    s->greeted = listening < 0;
    s->since = 0.0;
    s->used = 0;
    s->pending = 0;
    if (fd >= 0) never_block(fd);
    return &s->wire;
}

void ff_stream_close(ff_wire *wire)
{
    ff_stream *s = (ff_stream *)wire;
    const int all[] = {s->fd, s->listening, s->trying};
    for (int i = 0; i < 3; i++)
        if (all[i] >= 0) close(all[i]);
    free(s);
}

static ff_status gone(const ff_stream *s, const char *why, ff_error *err)
{
    return ff_error_set(err, FF_STOPPED, "%s: %s", s->wire.where, why);
}

// ------------------------------------------------------------------------------------------ connecting

/// A robot that is not there yet refuses, or does not answer.
static bool may_come(int trouble)
{
    return trouble == ECONNREFUSED || trouble == ECONNRESET || trouble == ETIMEDOUT;
}

/// A port that nobody listens at may become our own: TCP connects such a socket with itself.
static bool is_own(int fd)
{
    char near[sizeof((ff_wire *)0)->where], far[sizeof near];
    ff_address_text(fd, false, near, sizeof near);
    ff_address_text(fd, true, far, sizeof far);
    return strcmp(near, far) == 0;
}

/// What became of the attempt that is under way. @return an error number, 0: it is connected
static int finish_attempt(ff_stream *s)
{
    int trouble = 0;
    const int on = 1, fd = s->trying;
    socklen_t length = sizeof trouble;
    getsockopt(fd, SOL_SOCKET, SO_ERROR, &trouble, &length);
    if (trouble == 0 && is_own(fd)) trouble = ECONNREFUSED;
    s->trying = -1;
    if (trouble != 0) return close(fd), trouble;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); // a telegram must not wait for the next
    s->fd = fd;
    return 0;
}

/// Connects, or looks for that long whether it can. An attempt that is not answered goes on in the next call.
ff_status ff_stream_reach(ff_wire *wire, double seconds, ff_error *err)
{
    ff_stream *s = (ff_stream *)wire;
    int trouble = 0;
    if (s->trying < 0) {
        s->trying = socket(s->to.bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (s->trying >= 0 && connect(s->trying, (const struct sockaddr *)&s->to.bytes, s->to.length) == 0)
            trouble = finish_attempt(s);
        else if (errno != EINPROGRESS)
            trouble = errno;
    }
    if (trouble == 0 && s->trying >= 0 && ff_link_wait(s->trying, POLLOUT, seconds)) trouble = finish_attempt(s);
    if (trouble == 0) return FF_OK;
    if (s->trying >= 0) close(s->trying);
    s->trying = -1;
    if (!may_come(trouble)) return ff_error_set(err, FF_BAD_ARGUMENT, "%s: %s", s->wire.where, strerror(trouble));
    ff_link_wait(-1, 0, seconds);
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ sending

/// Puts as many bytes into the line as it takes. @return FF_OK with their number
static ff_status put(ff_stream *s, const unsigned char *bytes, size_t size, size_t *done, ff_error *err)
{
    *done = 0;
    while (*done < size) {
        const unsigned char *from = bytes + *done;
        const ssize_t sent =
            s->socket ? send(s->fd, from, size - *done, MSG_NOSIGNAL) : write(s->fd, from, size - *done);
        if (sent < 0 && errno == EAGAIN) return FF_OK;
        if (sent < 0 && errno != EINTR) return gone(s, strerror(errno), err);
        if (sent > 0) *done += (size_t)sent;
    }
    return FF_OK;
}

/// Goes on with the telegram of which a rest is pending.
static ff_status put_rest(ff_stream *s, ff_error *err)
{
    size_t done;
    const ff_status status = put(s, s->rest, s->pending, &done, err);
    memmove(s->rest, s->rest + done, s->pending - done);
    s->pending -= done;
    return status;
}

/// Nobody waits for a line that is full: the telegram that it has begun with is kept, and the next ones are lost, as
/// datagrams may be.
ff_status ff_stream_send(ff_wire *wire, const unsigned char *bytes, size_t size, ff_error *err)
{
    ff_stream *s = (ff_stream *)wire;
    size_t done;
    if (s->fd < 0) return FF_OK; // nobody hears it
    if (s->pending > 0 && put_rest(s, err) != FF_OK) return FF_STOPPED;
    if (s->pending > 0 || size > sizeof s->rest) return FF_OK;
    if (put(s, bytes, size, &done, err) != FF_OK) return FF_STOPPED;
    s->pending = size - done;
    memcpy(s->rest, bytes + done, s->pending);
    if (s->listening >= 0 && ff_link_is(FF_TELEGRAM_BYE, bytes, size)) { // he may greet anew, or goes
        s->greeted = false;
        s->since = ff_link_clock();
    }
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ receiving

/// Drops bytes in front.
static void drop(ff_stream *s, size_t n)
{
    memmove(s->buffer, s->buffer + n, s->used - n);
    s->used -= n;
}

/// Where the next telegram may begin, from `i` on: at the magic number, or at a piece of it at the end.
static size_t find_beginning(const ff_stream *s, size_t i)
{
    unsigned char magic[4];
    ff_put_u32(magic, FF_TELEGRAM_MAGIC);
    while (i < s->used && memcmp(s->buffer + i, magic, s->used - i < 4 ? s->used - i : 4) != 0) i++;
    return i;
}

typedef enum verdict { WHOLE, INCOMPLETE, DAMAGED } verdict;

/// What begins there?
static verdict judge(const ff_stream *s, size_t i, size_t most, size_t *length)
{
    if (s->used - i < FF_TELEGRAM_HEAD_SIZE) return INCOMPLETE;
    *length = ff_get_u32(s->buffer + i + LENGTH_AT);
    if (*length < FF_TELEGRAM_HEAD_SIZE + FF_TELEGRAM_SUM_SIZE || *length > most || *length > FF_TELEGRAM_MOST)
        return DAMAGED;
    if (*length > s->used - i) return INCOMPLETE;
    const size_t before = *length - FF_TELEGRAM_SUM_SIZE;
    return ff_telegram_sum(s->buffer + i, before) == ff_get_u32(s->buffer + i + before) ? WHOLE : DAMAGED;
}

/// Hands out the first whole telegram of the buffer. One before it that is still incomplete never will be whole: its
/// length or its end is lost. @return its bytes, 0: there is none yet
static size_t take(ff_stream *s, unsigned char *bytes, size_t most)
{
    size_t first = find_beginning(s, 0), length;
    bool waits = false;
    for (size_t i = first; i < s->used; i = find_beginning(s, i + 1)) {
        const verdict v = judge(s, i, most, &length);
        if (v == WHOLE) {
            memcpy(bytes, s->buffer + i, length);
            drop(s, i + length);
            return length;
        }
        if (v == INCOMPLETE && !waits) first = i;
        waits = waits || v == INCOMPLETE;
    }
    drop(s, waits ? first : s->used);
    return 0;
}

static void accept_one(ff_stream *s)
{
    const int on = 1;
    s->fd = accept(s->listening, NULL, NULL);
    if (s->fd < 0) return;
    s->greeted = false;
    s->since = ff_link_clock();
    never_block(s->fd);
    setsockopt(s->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); // a telegram must not wait for the next
}

/// One that listens may be found by somebody else, one that connects may find the robot when it comes back.
static void leave(ff_stream *s)
{
    close(s->fd);
    s->fd = -1;
    s->used = s->pending = 0;
}

/// A stranger who is silent, or says what nobody understands, does not keep the controller out. It is asked when
/// nothing more is there to be read, so that a robot that slept does not blame him.
static bool is_stranger(const ff_stream *s)
{
    return s->fd >= 0 && !s->greeted && ff_link_clock() - s->since > SILENCE;
}

static ff_status close_far(ff_stream *s, ff_error *err)
{
    if (s->listening >= 0 || s->to.length > 0) leave(s);
    return gone(s, "the other end has closed it", err);
}

/// The first whole telegram.
static bool hand_out(ff_stream *s, unsigned char *bytes, size_t most, size_t *size)
{
    *size = s->fd >= 0 ? take(s, bytes, most) : 0;
    if (*size > 0 && !s->greeted) s->greeted = ff_link_is(FF_TELEGRAM_HELLO, bytes, *size);
    return *size > 0;
}

/// Waits until something can be done: read, sent, or somebody be taken. @param left  negative: for ever  [s]
static bool wait_for_far(const ff_stream *s, double left)
{
    const double silence = s->fd < 0 || s->greeted ? -1.0 : ff_max(0.0, s->since + SILENCE - ff_link_clock()) + 1e-3;
    const double span = left < 0.0 ? silence : silence < 0.0 ? left : ff_min(left, silence);
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
        if (status != FF_OK || s->fd >= 0 || left == 0.0) return status; // connected: the caller greets
    }
    while (!hand_out(s, bytes, most, size)) {
        if (!wait_for_far(s, seconds < 0.0 ? -1.0 : ff_max(0.0, end - ff_link_clock()))) {
            if (!is_stranger(s)) return FF_OK;
            leave(s);
            continue;
        }
        if (s->fd < 0) {
            accept_one(s);
            continue;
        }
        if (s->pending > 0 && put_rest(s, err) != FF_OK) return FF_STOPPED;
        const ssize_t got = read(s->fd, s->buffer + s->used, sizeof s->buffer - s->used);
        if (got == 0) return close_far(s, err);
        if (got < 0 && errno == EINTR) return FF_OK;
        if (got < 0 && errno != EAGAIN) {
            const int why = errno;
            if (s->to.length > 0) leave(s);
            return gone(s, strerror(why), err);
        }
        if (got > 0) s->used += (size_t)got;
        if (hand_out(s, bytes, most, size)) return FF_OK;
        if (is_stranger(s)) leave(s);
    }
    return FF_OK;
}
