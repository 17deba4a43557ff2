// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the workbench sends to pages: answers of requests, notices, the state of the run; and the arguments of requests.
#include "workbench_inner.h"

#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ messages

static bool has_left(ff_workbench *b, int client, unsigned epoch)
{
    pthread_mutex_lock(&b->lock);
    const bool left = client >= 0 && b->queues[client].epoch != epoch;
    pthread_mutex_unlock(&b->lock);
    return left;
}

bool ff_bench_client_has_left(ff_workbench *b, const ff_bench_request *q)
{
    return has_left(b, q->client, q->epoch);
}

void ff_bench_send(ff_workbench *b, int client, unsigned epoch, char *text)
{
    if (!text) return;
    if (has_left(b, client, epoch))
        free(text);
    else
        b->sink.send(b->sink.context, client, text, strlen(text));
}

void ff_bench_send_all(ff_workbench *b, char *text)
{
    if (b->nclient > 0)
        ff_bench_send(b, -1, 0, text);
    else
        free(text);
}

const char *ff_bench_relative_path(const ff_workbench *b, const char *path, char out[FF_BENCH_PATH])
{
    const size_t root = strlen(b->root);
    const bool inside = path && strncmp(path, b->root, root) == 0 && path[root] == '/';
    if (!path) return NULL;
    snprintf(out, FF_BENCH_PATH, "%s", inside ? path + root + 1 : path);
    char *up;
    while (inside && (up = strstr(out, "/../"))) { // "experiments/../robots" is "robots"
        char *from = up;
        while (from > out && from[-1] != '/') from--;
        if (from == up || strncmp(from, "..", 2) == 0) break;
        memmove(from, up + 4, strlen(up + 4) + 1);
    }
    return out;
}

/// A text with paths relative to the root.
static const char *shorten(const ff_workbench *b, const char *text, ff_arena *arena)
{
    const size_t root = strlen(b->root);
    char *copy = ff_arena_strdup(arena, text), *out = copy;
    for (const char *p = text; copy && *p;) {
        if (strncmp(p, b->root, root) == 0 && p[root] == '/')
            p += root + 1;
        else
            *out++ = *p++;
    }
    if (copy) *out = 0;
    return copy ? copy : "";
}

static const char *const SEVERITIES[] = {"note", "warning", "error"};

void ff_bench_write_messages(const ff_workbench *b, ff_json *json, const char *key, const ff_report *report)
{
    ff_arena arena = {0};
    char path[FF_BENCH_PATH];
    ff_json_begin_array(json, key, true);
    for (int i = 0; i < report->count; i++) {
        const ff_message *m = &report->messages[i];
        ff_json_begin_object(json, NULL, true);
        ff_json_text(json, "severity", SEVERITIES[m->severity]);
        ff_json_text(json, "file", ff_bench_relative_path(b, m->file, path));
        ff_json_integer(json, "line", m->line);
        ff_json_integer(json, "column", m->column);
        ff_json_text(json, "text", shorten(b, m->text, &arena));
        ff_json_end_object(json);
    }
    ff_json_end_array(json);
    ff_arena_clear(&arena);
}

void ff_bench_notice(ff_workbench *b, ff_severity severity, const char *file, int line, const char *format, ...)
{
    char text[1024], path[FF_BENCH_PATH];
    ff_arena arena = {0};
    ff_json json = {0};
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ff_json_begin_object(&json, NULL, true);
    ff_json_text(&json, "event", "notice");
    ff_json_text(&json, "severity", SEVERITIES[severity]);
    ff_json_text(&json, "text", shorten(b, text, &arena));
    if (file && file[0]) ff_json_text(&json, "file", ff_bench_relative_path(b, file, path));
    if (line > 0) ff_json_integer(&json, "line", line);
    ff_json_end_object(&json);
    ff_bench_send_all(b, ff_json_finish(&json));
    ff_arena_clear(&arena);
}

void ff_bench_send_state(ff_workbench *b)
{
    const ff_bench_scene *s = &b->scene;
    ff_json json = {0};
    b->next_state = ff_bench_clock() + 0.5;
    if (b->nclient == 0) return;
    ff_json_begin_object(&json, NULL, true);
    ff_json_text(&json, "event", "state");
    ff_json_integer(&json, "generation", s->spec ? (long long)s->generation : 0);
    ff_json_integer(&json, "starts", (long long)s->starts);
    ff_json_number(&json, "t", s->spec ? ff_sim_time(ff_run_sim(s->run)) : 0.0);
    ff_json_bool(&json, "running", s->running);
    ff_json_number(&json, "pace", s->pace);
    ff_json_text(&json, "ended", s->outcome[0] ? s->outcome : NULL);
    ff_json_number(&json, "rtf", s->rtf);
    ff_json_number(&json, "recorded_s", ff_bench_recorded_time(s));
    ff_json_bool(&json, "recording", s->spec && !s->recording_full);
    ff_json_integer(&json, "clients", b->nclient);
    ff_json_end_object(&json);
    ff_bench_send_all(b, ff_json_finish(&json));
}

// ------------------------------------------------------------------------------------------ arguments of requests

ff_yaml *ff_bench_argument(const ff_bench_request *q, const char *key)
{
    ff_yaml *node = ff_yaml_get(q->root, key);
    return node && !ff_yaml_is_null(node) ? node : NULL;
}

const char *ff_bench_text(const ff_bench_request *q, const char *key)
{
    const ff_yaml *node = ff_bench_argument(q, key);
    return node ? node->text : NULL;
}

double ff_bench_number(const ff_bench_request *q, const char *key, double fallback)
{
    return ff_bench_argument(q, key) ? ff_yaml_number(q->root, key, fallback, NULL) : fallback;
}

bool ff_bench_flag(const ff_bench_request *q, const char *key)
{
    const ff_yaml *node = ff_yaml_get(q->root, key);
    return node && node->type == FF_YAML_SCALAR && strcmp(node->text, "true") == 0;
}

// ------------------------------------------------------------------------------------------ answers

void ff_bench_begin_answer(ff_bench_request *q, bool ok)
{
    ff_yaml *id = q->root ? ff_yaml_get(q->root, "id") : NULL;
    double number;
    ff_report ignored = {0};
    ff_json_begin_object(&q->answer, NULL, true);
    if (id && id->type == FF_YAML_SCALAR && !id->quoted && ff_yaml_as_number(id, &number, &ignored))
        ff_json_number(&q->answer, "id", number);
    else
        ff_json_text(&q->answer, "id", id && id->type == FF_YAML_SCALAR && !ff_yaml_is_null(id) ? id->text : NULL);
    ff_json_bool(&q->answer, "ok", ok);
    ff_report_clear(&ignored);
}

static char *answer_failure(const ff_workbench *b, ff_bench_request *q, const ff_error *err)
{
    ff_arena arena = {0};
    free(q->answer.text); // members that were added before the failure
    q->answer = (ff_json){0};
    ff_bench_begin_answer(q, false);
    ff_json_text(&q->answer, "error", shorten(b, err->text, &arena));
    ff_bench_write_messages(b, &q->answer, "messages", &q->messages);
    ff_json_end_object(&q->answer);
    ff_arena_clear(&arena);
    return ff_json_finish(&q->answer);
}

void ff_bench_answer(ff_workbench *b, ff_bench_request *q, ff_status status, const ff_error *err)
{
    if (status == FF_OK) {
        for (int i = 0; i < q->problems.count; i++)
            ff_report_add(&q->messages, q->problems.messages[i].severity, (ff_place){"request", 0, 0}, "%s",
                          q->problems.messages[i].text);
        ff_bench_write_messages(b, &q->answer, "messages", &q->messages);
        ff_json_end_object(&q->answer);
        ff_bench_send(b, q->client, q->epoch, ff_json_finish(&q->answer));
    } else {
        ff_bench_send(b, q->client, q->epoch, answer_failure(b, q, err));
    }
    ff_bench_request_clear(q);
}

void ff_bench_request_drop(ff_bench_request *q)
{
    free(q->answer.text);
    ff_bench_request_clear(q);
}

void ff_bench_request_clear(ff_bench_request *q)
{
    ff_report_clear(&q->problems);
    ff_report_clear(&q->messages);
    ff_unsaved_clear(&q->unsaved);
    free(q->path);
    ff_arena_clear(&q->arena);
}
