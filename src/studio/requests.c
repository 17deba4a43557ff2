// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Requests of pages: one function each, which reads the arguments, executes the request, and adds members to the
// answer. Arguments are validated against the table of messages (protocol.h) first. A refused request changes nothing,
// and its answer has the reason.
#include "outline.h"
#include "protocol.h"
#include "workbench_inner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct verb {
    const char *name;
    ff_bench_verb *run;
    bool needs_scene;
    bool writes; // it writes a file, and is executed even if the page has disconnected
} verb;

// ------------------------------------------------------------------------------------------ verbs: the scene

static ff_status read_list(const ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    (void)err;
    ff_library_list(b, &q->answer, &q->messages);
    return FF_OK;
}

static ff_status list(ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    q->reader = read_list;
    return ff_reading_begin(b, q, err);
}

static char *copy_text(const char *text)
{
    return text ? strdup(text) : NULL;
}

/// Copies a list of texts. @return false: out of memory
static bool copy_texts(const ff_bench_request *q, const char *key, char ***out, int *count)
{
    const ff_yaml *node = ff_bench_argument(q, key);
    *out = calloc((size_t)(node ? node->nchild : 0) + 1, sizeof **out);
    *count = 0;
    for (const ff_yaml *item = node ? node->child : NULL; *out && item; item = item->next)
        if (!((*out)[(*count)++] = strdup(item->text))) return false;
    return *out != NULL;
}

/// Copies the unsaved texts with their paths. @return false: out of memory
static bool copy_others(const ff_bench_request *q, const char *key, ff_bench_load *load)
{
    const ff_yaml *node = ff_bench_argument(q, key);
    load->others = calloc(2 * (size_t)(node ? node->nchild : 0) + 1, sizeof *load->others);
    for (const ff_yaml *item = node ? node->child : NULL; load->others && item; item = item->next) {
        char **pair = load->others + 2 * (size_t)load->nother++;
        pair[0] = strdup(item->key);
        pair[1] = strdup(item->text);
        if (!pair[0] || !pair[1]) return false;
    }
    return load->others != NULL;
}

static ff_status no_memory(ff_error *err)
{
    return ff_error_set(err, FF_NO_MEMORY, "%s", ff_status_text(FF_NO_MEMORY));
}

/// Sets the first problem of a request as its error. @return its status
static ff_status refuse(const ff_bench_request *q, ff_error *err)
{
    for (int i = 0; i < q->problems.count; i++)
        if (q->problems.messages[i].severity == FF_ERROR)
            return ff_error_set(err, FF_BAD_ARGUMENT, "%s", q->problems.messages[i].text);
    return no_memory(err);
}

static ff_status load(ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    const char *text = ff_bench_text(q, "text");
    ff_bench_load from = {.path = copy_text(ff_bench_text(q, "scene")),
                          .variant = copy_text(ff_bench_text(q, "variant")),
                          .text = copy_text(text),
                          .length = text ? strlen(text) : 0};
    from.has_twin = ff_bench_argument(q, "twin") != NULL;
    if (!copy_texts(q, "set", &from.set, &from.nset) || !copy_texts(q, "twin", &from.twin, &from.ntwin) ||
        !copy_others(q, "texts", &from) || !from.path) {
        ff_bench_load_clear(&from);
        return no_memory(err);
    }
    return ff_bench_load_scene(b, &from, &q->messages, err);
}

static ff_status run(ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    const double pace = ff_bench_number(q, "pace", 1.0);
    if (!(pace == 0.0 || (pace >= 1e-3 && pace <= 1e3)))
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "'pace' is %g: 0 (as fast as possible) or between 0.001 and 1000 times real time", pace);
    return ff_bench_run(b, pace, err);
}

static ff_status pause_run(ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    (void)q, (void)err;
    ff_bench_pause(b);
    return FF_OK;
}

static ff_status step(ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    const double seconds = ff_bench_number(q, "seconds", NAN);
    if (!isnan(seconds) && !(seconds > 0.0 && seconds <= 1e5))
        return ff_error_set(err, FF_BAD_ARGUMENT, "'seconds' is %g: it must be positive and at most 1e5", seconds);
    return ff_bench_step(b, seconds, err);
}

static ff_status reset(ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    return ff_bench_reset(b, &q->messages, err);
}

static ff_status watch(ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    ff_bench_client *client = &b->clients[q->client];
    const double rate = ff_bench_number(q, "rate", 100.0);
    char **names;
    int count;
    ff_status status = copy_texts(q, "channels", &names, &count) ? FF_OK : no_memory(err);
    if (status == FF_OK && !(rate >= 0.1 && rate <= 1000.0))
        status = ff_error_set(err, FF_BAD_ARGUMENT, "'rate' is %g Hz: expected 0.1 to 1000", rate);
    if (status == FF_OK)
        status = ff_watch_set(b, client, names, count, rate, err); // takes ownership of the names
    else
        ff_bench_free_texts(names, count);
    if (status == FF_OK) ff_watch_write(b, client, &q->answer);
    return status;
}

// ------------------------------------------------------------------------------------------ verbs: files

static ff_status source(ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    const char *path = ff_bench_text(q, "path");
    char *whole = ff_library_path(b, path, err), *text = NULL;
    size_t length = 0;
    if (!whole) return err->status;
    ff_error why = {0};
    b->fence.nother = 0; // the file itself, not its unsaved text
    ff_status status = ff_text_read(whole, FF_BENCH_SOURCE_MAX, &text, &length, &why);
    ff_bench_set_fence(b);
    free(whole);
    if (status == FF_OK && strlen(text) != length) ff_error_set(&why, status = FF_BAD_FILE, "it is not a text file");
    if (status == FF_OK)
        ff_json_text(&q->answer, "text", text);
    else
        ff_error_set(err, status, "%.200s: %.200s", path, why.text);
    free(text);
    return status;
}

/// All messages of `footfall check` for the file.
static ff_status read_check(const ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    (void)b, (void)err;
    ff_scene_check_file(q->path, NULL, NULL, 0, &q->messages);
    return FF_OK;
}

static ff_status check(ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    const char *text = ff_bench_text(q, "text");
    q->path = ff_library_path(b, ff_bench_text(q, "path"), err);
    if (!q->path) return err->status;
    if (text && !ff_unsaved_add(&q->unsaved, q->path, text, strlen(text))) return no_memory(err);
    q->reader = read_check;
    q->checks = true;
    return ff_reading_begin(b, q, err);
}

static ff_status read_outline(const ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    (void)b;
    const char *text = ff_bench_text(q, "text");
    char *json = ff_studio_outline(q->path, text, strlen(text), &q->messages);
    const ff_status status = json ? FF_OK : ff_report_to_error(&q->messages, FF_BAD_FILE, err);
    if (json) ff_json_raw(&q->answer, "outline", json);
    free(json);
    return status;
}

static ff_status outline(ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    q->path = ff_library_path(b, ff_bench_text(q, "path"), err);
    q->reader = read_outline;
    return q->path ? ff_reading_begin(b, q, err) : err->status;
}

static ff_status save(ff_workbench *b, ff_bench_request *q, ff_error *err)
{
    const char *path = ff_bench_text(q, "path"), *text = ff_bench_text(q, "text");
    const ff_status status = ff_library_save(b, path, text, strlen(text), err);
    q->path = status == FF_OK ? ff_library_path(b, path, err) : NULL;
    if (!q->path) return status;
    ff_bench_drop_unsaved(b, q->path);
    q->reader = read_check;
    q->checks = true;
    return ff_reading_begin(b, q, err);
}

// ------------------------------------------------------------------------------------------ dispatch

static const verb VERBS[] = {{"list", list, false, false},
                             {"load", load, false, false},
                             {"run", run, true, false},
                             {"pause", pause_run, true, false},
                             {"step", step, true, false},
                             {"reset", reset, true, false},
                             {"watch", watch, true, false},
                             {"source", source, false, false},
                             {"check", check, false, false},
                             {"save", save, false, true},
                             {"push", ff_bench_push, true, false},
                             {"pull", ff_bench_pull, true, false},
                             {"place", ff_bench_place, true, false},
                             {"command", ff_bench_command, true, false},
                             {"script", ff_bench_script, true, false},
                             {"parameter", ff_bench_parameter, true, false},
                             {"camera", ff_bench_camera, false, false},
                             {"outline", outline, false, false},
                             {"keep", ff_bench_keep, true, true},
                             {"certify", ff_bench_certify, true, false},
                             {"batch", ff_bench_batch, true, false},
                             {"batch_frame", ff_bench_batch_frame, false, false}};

/// The request named by "do"; NULL with the reason in `err`.
static const ff_protocol_request *find_request(const ff_bench_request *q, ff_error *err)
{
    const ff_yaml *name = ff_yaml_get(q->root, "do");
    const char *names[64];
    int count = 0;
    if (!name || name->type != FF_YAML_SCALAR || !name->quoted) {
        ff_error_set(err, FF_BAD_ARGUMENT, "'do' is missing: expected the name of the request as a text");
        return NULL;
    }
    const ff_protocol_request *found = ff_protocol_find_request(name->text);
    if (found) return found;
    while (count < ff_protocol_request_count && count < 64) names[count] = ff_protocol_requests[count].name, count++;
    const char *near = ff_text_nearest(name->text, names, count);
    ff_error_set(err, FF_BAD_ARGUMENT, "there is no request '%.40s'%s%s%s", name->text, near ? "; did you mean '" : "",
                 near ? near : "", near ? "'?" : "");
    return NULL;
}

/// The verb of a request with valid arguments; NULL with the reason in `err`.
static const verb *find_verb(ff_bench_request *q, ff_error *err)
{
    const ff_protocol_check check = {.report = &q->problems, .unknown = FF_WARNING, .null_is_absent = true};
    const ff_protocol_request *request = find_request(q, err);
    if (!request) return NULL;
    if (!ff_protocol_fits_request(&check, q->root, request)) {
        refuse(q, err);
        return NULL;
    }
    for (size_t i = 0; i < sizeof VERBS / sizeof *VERBS; i++)
        if (strcmp(VERBS[i].name, request->name) == 0) return &VERBS[i];
    ff_error_set(err, FF_NOT_BUILT, "the request '%s' has no handler", request->name);
    return NULL;
}

void ff_bench_serve(ff_workbench *b, int client, unsigned epoch, const char *text, size_t length)
{
    ff_bench_request q = {.client = client, .epoch = epoch, .arena = {.limit = (size_t)64 << 20}};
    ff_error err = {0};
    q.root = ff_bench_read_json(&q.arena, text, length, &q.problems);
    const bool valid = q.root && ff_yaml_expect(q.root, FF_YAML_MAP, "{\"do\": ..}", &q.problems);
    ff_status status = valid && q.problems.errors == 0 ? FF_OK : refuse(&q, &err);
    ff_bench_begin_answer(&q, true);
    const verb *verb_found = status == FF_OK ? find_verb(&q, &err) : NULL;
    if (!verb_found && status == FF_OK) status = err.status;
    if (verb_found && verb_found->needs_scene) status = ff_bench_require_scene(b, &err);
    b->current_request = &q;
    if (verb_found && status == FF_OK && (verb_found->writes || !ff_bench_client_has_left(b, &q)))
        status = verb_found->run(b, &q, &err);
    b->current_request = NULL;
    if (!q.deferred) ff_bench_answer(b, &q, status, &err);
    ff_bench_send_due_events(b);
}
