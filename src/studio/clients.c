// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The pages at the other end of the WebSockets. Each has a queue of texts and a flag for a new frame. The frame itself
// is fetched from the workbench when the socket is writable, so that a slow page gets fewer frames and never outdated
// ones. A page may read nothing for minutes, for instance on a busy machine. A page whose queue grows too long is
// dropped, and the others get a notice; a page that answers no ping is disconnected.
#include "server.h"

#include <footfall/json.h>

#include <stdlib.h>
#include <string.h>

#define CLOSE_TRY_AGAIN 1013 // IANA, WebSocket close codes

// ------------------------------------------------------------------------------------------ in the simulation thread

static void wake(ff_studio *server, atomic_bool *flag)
{
    // One signal suffices until the network thread has handled it.
    if (!atomic_exchange(flag, true)) lws_cancel_service(server->context);
}

void ff_clients_send(void *context, int client, char *text, size_t length)
{
    ff_studio *server = context;
    ff_server_mailbox *box = &server->mailbox;
    ff_server_message *message = malloc(sizeof *message);
    pthread_mutex_lock(&box->lock);
    const bool full = !message || box->bytes + length > FF_SERVER_MAILBOX;
    if (full) {
        box->lost++;
    } else {
        *message = (ff_server_message){.client = client, .text = text, .length = length};
        *box->last = message;
        box->last = &message->next;
        box->bytes += length;
    }
    pthread_mutex_unlock(&box->lock);
    if (full) {
        free(message);
        free(text);
    }
    wake(server, &server->messages);
}

void ff_clients_frame(void *context)
{
    ff_studio *server = context;
    wake(server, &server->frame);
}

// ------------------------------------------------------------------------------------------ queues of texts

static void release(ff_server_text *text)
{
    if (--text->users > 0) return;
    free(text->text);
    free(text);
}

static void pop_line(ff_server_client *client)
{
    ff_server_line *line = client->first;
    client->waiting -= line->text->length;
    client->sent = 0;
    client->first = line->next;
    if (!client->first) client->last = &client->first;
    release(line->text);
    free(line);
}

static bool push_line(ff_server_client *client, ff_server_text *text)
{
    ff_server_line *line = malloc(sizeof *line);
    if (!line) return false;
    *line = (ff_server_line){.text = text};
    text->users++;
    *client->last = line;
    client->last = &line->next;
    client->waiting += text->length;
    return true;
}

// ---------------------------------------------------------------------------------------- connecting and disconnecting

static bool is_page(const ff_server_client *client)
{
    return client->wsi && !client->dropped;
}

static void send_greeting(ff_studio *server, int client)
{
    char *text = server->greeting ? strdup(server->greeting) : NULL;
    if (text) ff_clients_send(server, client, text, strlen(text));
}

static bool join(ff_studio *server, struct lws *wsi, int *number)
{
    for (int i = 0; i < FF_SERVER_PAGES; i++) {
        // The next client number: an answer to a client that has disconnected must not reach a new one.
        const int candidate = (server->next + i) % FF_SERVER_PAGES;
        ff_server_client *client = &server->clients[candidate];
        if (client->wsi) continue;
        *client = (ff_server_client){.wsi = wsi};
        client->last = &client->first;
        server->next = (candidate + 1) % FF_SERVER_PAGES;
        server->npage++;
        *number = candidate + 1;
        send_greeting(server, candidate);
        return ff_workbench_joined(server->bench, candidate, NULL) == FF_OK;
    }
    return false;
}

/// A notice for pages, malloc'ed; NULL: out of memory.
static char *make_notice(const char *severity, const char *sentence)
{
    ff_json json = {0};
    ff_json_begin_object(&json, NULL, true);
    ff_json_text(&json, "event", "notice");
    ff_json_text(&json, "severity", severity);
    ff_json_text(&json, "text", sentence);
    ff_json_end_object(&json);
    return ff_json_finish(&json);
}

static void notify_all(ff_studio *server, const char *severity, const char *sentence)
{
    char *text = make_notice(severity, sentence);
    if (text) ff_clients_send(server, -1, text, strlen(text));
}

/// Frees the queue of a page that has disconnected, or is about to.
static void clear_queue(ff_server_client *client)
{
    while (client->first) pop_line(client);
    free(client->received);
    client->received = NULL;
    client->received_length = client->received_room = 0;
    client->received_complete = client->frame = false;
}

static void leave(ff_studio *server, ff_server_client *client)
{
    if (!client->dropped && server->bench) ff_workbench_left(server->bench, (int)(client - server->clients));
    clear_queue(client);
    client->wsi = NULL;
    server->npage--;
}

static void drop(ff_studio *server, ff_server_client *client, const char *why)
{
    char sentence[200];
    snprintf(sentence, sizeof sentence, "A page was disconnected: %s.", why);
    if (server->bench) ff_workbench_left(server->bench, (int)(client - server->clients));
    client->dropped = true;
    clear_queue(client);
    lws_set_timeout(client->wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
    notify_all(server, "warning", sentence);
}

// ------------------------------------------------------------------------------------------ receiving

static void retry(lws_sorted_usec_list_t *timer);

static void schedule_retry(ff_studio *server)
{
    lws_sul_schedule(server->context, 0, &server->again, retry, 20 * LWS_US_PER_MS);
}

/// Passes a complete message to the workbench. While the queue there is full, the message stays with the client, and
/// its socket is not read.
static void pass_request(ff_studio *server, ff_server_client *client)
{
    const int number = (int)(client - server->clients);
    const bool waits =
        ff_workbench_request(server->bench, number, client->received, client->received_length, NULL) == FF_LIMIT;
    if (waits && !client->received_complete) {
        lws_rx_flow_control(client->wsi, 0);
        schedule_retry(server);
    }
    if (!waits && client->received_complete) lws_rx_flow_control(client->wsi, 1);
    client->received_complete = waits;
    if (!waits) client->received_length = 0;
}

static void retry(lws_sorted_usec_list_t *timer)
{
    ff_studio *server = lws_container_of(timer, ff_studio, again);
    bool waits = false;
    for (int i = 0; i < FF_SERVER_PAGES; i++) {
        ff_server_client *client = &server->clients[i];
        if (!is_page(client) || !client->received_complete) continue;
        pass_request(server, client);
        waits |= client->received_complete;
    }
    if (waits) schedule_retry(server);
}

static bool make_room(ff_server_client *client, size_t length)
{
    size_t room = client->received_room ? client->received_room : 4096;
    while (room < length) room *= 2;
    if (room == client->received_room) return true;
    char *grown = realloc(client->received, room);
    if (!grown) return false;
    client->received = grown;
    client->received_room = room;
    return true;
}

static int refuse(struct lws *wsi, int status, const char *why)
{
    unsigned char text[124];
    const int length = snprintf((char *)text, sizeof text, "%s", why);
    lws_close_reason(wsi, (enum lws_close_status)status, text, (size_t)length);
    return -1;
}

static int receive(ff_studio *server, ff_server_client *client, const char *bytes, size_t length)
{
    struct lws *wsi = client->wsi;
    if (client->dropped) return -1;
    if (client->received_complete) pass_request(server, client);
    if (client->received_complete) return refuse(wsi, CLOSE_TRY_AGAIN, "too many pending requests");
    if (lws_frame_is_binary(wsi)) return refuse(wsi, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, "requests are text: JSON");
    if (client->received_length + length > FF_SERVER_MESSAGE)
        return refuse(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, "a message is limited to 2 MiB");
    if (!make_room(client, client->received_length + length + 1))
        return refuse(wsi, LWS_CLOSE_STATUS_UNEXPECTED_CONDITION, "out of memory");
    if (length > 0) memcpy(client->received + client->received_length, bytes, length);
    client->received_length += length;
    client->received[client->received_length] = '\0';
    if (lws_is_final_fragment(wsi) && lws_remaining_packet_payload(wsi) == 0) pass_request(server, client);
    return 0;
}

// ------------------------------------------------------------------------------------------ sending

/// Sends the next fragment of the first text in the queue. @return false: the socket is closed
static bool write_text(ff_studio *server, ff_server_client *client)
{
    const ff_server_text *text = client->first->text;
    unsigned char *out = server->scratch + LWS_PRE;
    const size_t left = text->length - client->sent, size = left < FF_SERVER_CHUNK ? left : FF_SERVER_CHUNK;
    const int kind =
        (client->sent == 0 ? LWS_WRITE_TEXT : LWS_WRITE_CONTINUATION) | (size < left ? LWS_WRITE_NO_FIN : 0);
    memcpy(out, text->text + client->sent, size);
    if (lws_write(client->wsi, out, size, (enum lws_write_protocol)kind) < (int)size) return false;
    client->sent += size;
    if (size == left) pop_line(client);
    return true;
}

static bool write_frame(ff_studio *server, ff_server_client *client)
{
    unsigned char *out = server->scratch + LWS_PRE;
    const size_t size =
        ff_workbench_frame(server->bench, (int)(client - server->clients), out, FF_WORKBENCH_FRAME_MAX, NULL);
    client->frame = size > 0; // a picture may follow the frame
    return size == 0 || lws_write(client->wsi, out, size, LWS_WRITE_BINARY) >= (int)size;
}

static int write_next(ff_studio *server, ff_server_client *client)
{
    bool ok = true;
    if (client->dropped) return -1;
    if (client->first)
        ok = write_text(server, client);
    else if (client->frame)
        ok = write_frame(server, client);
    if (!ok) return -1;
    if (client->first || client->frame || lws_partial_buffered(client->wsi)) lws_callback_on_writable(client->wsi);
    return 0;
}

// ------------------------------------------------------------------------------------------ delivery

/// Handles the answer to the program's own request: if its scene could not be loaded, pages get a notice when they
/// connect.
static void receive_answer(ff_studio *server, const char *answer)
{
    if (strstr(answer, "\"ok\": true")) return;
    free(server->greeting);
    server->greeting = make_notice("error", "The given scene could not be loaded; see the messages in the terminal.");
}

static void deliver(ff_studio *server, ff_server_message *message)
{
    static const char scene[] = "{\"event\": \"scene\"";
    ff_server_text *text = message->client == FF_SERVER_PROGRAM ? NULL : malloc(sizeof *text);
    if (message->client == FF_SERVER_PROGRAM) receive_answer(server, message->text);
    if (message->client == -1 && strncmp(message->text, scene, sizeof scene - 1) == 0) {
        free(server->greeting); // another scene was loaded meanwhile
        server->greeting = NULL;
    }
    if (!text) {
        free(message->text);
        return;
    }
    *text = (ff_server_text){.users = 1, .text = message->text, .length = message->length};
    for (int i = 0; i < FF_SERVER_PAGES; i++) {
        ff_server_client *client = &server->clients[i];
        if (!is_page(client) || (message->client != -1 && message->client != i)) continue;
        if (client->waiting + text->length > FF_SERVER_WAITING && client->waiting > 0) {
            drop(server, client, "it reads too slowly: more than 8 MiB are queued");
        } else if (push_line(client, text)) {
            lws_callback_on_writable(client->wsi);
        }
    }
    release(text);
}

void ff_clients_deliver(ff_studio *server)
{
    ff_server_mailbox *box = &server->mailbox;
    atomic_store(&server->messages, false); // cleared first: later messages wake this thread again
    const bool frame = atomic_exchange(&server->frame, false);
    pthread_mutex_lock(&box->lock);
    ff_server_message *message = box->first;
    box->first = NULL;
    box->last = &box->first;
    box->bytes = 0;
    const long long lost = box->lost;
    box->lost = 0;
    pthread_mutex_unlock(&box->lock);
    if (lost > 0)
        notify_all(server, "warning", "Some messages of the simulation were lost: more than 64 MiB were queued.");
    while (message) {
        ff_server_message *next = message->next;
        deliver(server, message);
        free(message);
        message = next;
    }
    for (int i = 0; frame && i < FF_SERVER_PAGES; i++) {
        if (!is_page(&server->clients[i])) continue;
        server->clients[i].frame = true;
        lws_callback_on_writable(server->clients[i].wsi);
    }
}

void ff_clients_clear(ff_studio *server)
{
    while (server->mailbox.first) {
        ff_server_message *message = server->mailbox.first;
        server->mailbox.first = message->next;
        free(message->text);
        free(message);
    }
    for (int i = 0; i < FF_SERVER_PAGES; i++) {
        if (!server->clients[i].last) continue;
        clear_queue(&server->clients[i]);
    }
}

// ------------------------------------------------------------------------------------------ libwebsockets

int ff_clients_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length)
{
    ff_studio *server = lws_context_user(lws_get_context(wsi));
    int *number = user; // number of the client + 1; libwebsockets provides zeroed memory, which stands for no client
    ff_server_client *client = number && *number > 0 ? &server->clients[*number - 1] : NULL;
    switch ((int)reason) {
    case LWS_CALLBACK_ESTABLISHED:
        if (join(server, wsi, number)) return 0;
        return refuse(wsi, CLOSE_TRY_AGAIN, "the limit of 64 pages is reached");
    case LWS_CALLBACK_RECEIVE:
        return client ? receive(server, client, in, length) : -1;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return client ? write_next(server, client) : 0;
    case LWS_CALLBACK_CLOSED:
        if (client) leave(server, client);
        if (number) *number = 0;
        return 0;
    default:
        return 0;
    }
}
