// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A run as one JSON document for pages (docs/program.md, "report"). Recordings may be long: only every k-th row is
// included, with the smallest k for which the numbers fit, and the document reports that.
#include "page.h"
#include "recording.h"

#include "text/yaml.h"

#include <footfall/text.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIBLING_MAX ((size_t)16 << 20) // largest size of summary.json and bands.json  [byte]
#define MESH_BYTES  ((size_t)3 << 20)  // largest size of all meshes in a page; omitted ones are null  [byte]
#define BLOCK_ROWS  1024               // rows that are read at a time

ff_studio_options ff_studio_options_default(void)
{
    return (ff_studio_options){.bytes = (size_t)10 << 20};
}

// ------------------------------------------------------------------------------------------ rows

/// Rows of the recording that are included in the document.
typedef struct choice {
    long long rows, stride, kept;
    double rate; // of the recording  [Hz]
} choice;

static double column_count(const ff_recording *r)
{
    double columns = 0.0;
    for (int i = 0; i < ff_recording_channel_count(r); i++) columns += ff_recording_channel_at(r, i)->width;
    return columns;
}

static ff_status choose_rows(choice *out, const ff_recording *r, const ff_studio_options *o, ff_error *err)
{
    const long long rows = ff_recording_rows(r);
    double span[2] = {0.0, 0.0};
    const int time = ff_recording_find(r, "time");
    ff_status status = rows > 0 ? ff_recording_read(r, time, 0, 1, 1, &span[0], err) : FF_OK;
    if (!status && rows > 0) status = ff_recording_read(r, time, rows - 1, 1, 1, &span[1], err);
    if (status) return status;
    if (rows < 1) return ff_error_set(err, FF_BAD_FILE, "%.200s: the recording has no rows", ff_recording_path(r));
    const double bytes =
        column_count(r) * 16.0 / 3.0; // of a row: a number has 4 bytes, base64 has 4 characters for 3 bytes
    const long long most = (long long)ff_max(2.0, (double)o->bytes / bytes);
    out->rows = rows;
    out->stride = (rows + most - 1) / most;
    out->kept = (rows + out->stride - 1) / out->stride;
    out->rate = rows > 1 && span[1] > span[0] ? (double)(rows - 1) / (span[1] - span[0]) : 0.0;
    return FF_OK;
}

static ff_status write_numbers(FILE *out, const ff_recording *r, int channel, const choice *c, ff_error *err)
{
    const int width = ff_recording_channel_at(r, channel)->width;
    double *values = calloc((size_t)width * BLOCK_ROWS, sizeof *values);
    if (!values) return ff_error_set(err, FF_NO_MEMORY, "no memory for %d rows of %d columns", BLOCK_ROWS, width);
    ff_page_base64 b;
    ff_page_base64_begin(&b, out);
    ff_status status = FF_OK;
    for (long long from = 0; !status && from < c->kept; from += BLOCK_ROWS) {
        const long long count = c->kept - from < BLOCK_ROWS ? c->kept - from : BLOCK_ROWS;
        status = ff_recording_read(r, channel, from * c->stride, c->stride, count, values, err);
        for (long long i = 0; !status && i < count * width; i++) ff_page_base64_float(&b, values[i]);
    }
    ff_page_base64_end(&b);
    free(values);
    return status;
}

static ff_status write_channels(FILE *out, const ff_recording *r, const choice *c, ff_error *err)
{
    const int time = ff_recording_find(r, "time");
    fputs(",\n\"time\":", out);
    ff_status status = write_numbers(out, r, time, c, err);
    fputs(",\n\"channels\":[", out);
    bool first = true;
    for (int i = 0; !status && i < ff_recording_channel_count(r); i++) {
        const ff_recording_channel *channel = ff_recording_channel_at(r, i);
        if (i == time) continue;
        fputs(first ? "\n{\"name\":" : ",\n{\"name\":", out);
        ff_page_text(out, channel->name);
        fputs(",\"unit\":", out);
        ff_page_text(out, channel->unit);
        fputs(",\"columns\":[", out);
        for (int k = 0; k < channel->width; k++) {
            if (k > 0) fputc(',', out);
            ff_page_text(out, channel->columns[k]);
        }
        fputs("],\"data\":", out);
        status = write_numbers(out, r, i, c, err);
        fputc('}', out);
        first = false;
    }
    fputc(']', out);
    return status;
}

static void write_decimation(FILE *out, const choice *c)
{
    char rate[FF_TEXT_NUMBER_SIZE], how[240];
    ff_text_format_number(c->rate / (double)c->stride, rate);
    if (c->stride == 1)
        snprintf(how, sizeof how, "every row of the recording");
    else
        snprintf(how, sizeof how,
                 "one row of every %lld of the recording, which has %.6g a second; peaks between them are not in here, "
                 "metrics are those of the run itself",
                 c->stride, c->rate);
    fprintf(out, ",\n\"decimation\":{\"rate_hz\":%s,\"kept\":%lld,\"of\":%lld,\"how\":", rate, c->kept, c->rows);
    ff_page_text(out, how);
    fputc('}', out);
}

// ------------------------------------------------------------------------------------------ other members

/// A member with JSON from another file, which is validated: invalid text would make the page unreadable.
static ff_status write_json(FILE *out, const char *key, const char *text, const char *file, ff_error *err)
{
    if (!ff_page_copy_json(NULL, text)) return ff_error_set(err, FF_BAD_FILE, "%.200s: its %s is not JSON", file, key);
    fprintf(out, ",\n\"%s\":", key);
    ff_page_copy_json(out, text);
    return FF_OK;
}

/// Summary of a run without summary.json, which did not finish.
static ff_status write_interrupted(FILE *out, const ff_recording *r, ff_error *err)
{
    double last = 0.0;
    const int time = ff_recording_find(r, "time");
    const long long rows = ff_recording_rows(r);
    const ff_status status = rows > 0 ? ff_recording_read(r, time, rows - 1, 1, 1, &last, err) : FF_OK;
    if (status) return status;
    fprintf(out, ",\n\"summary\":{\"outcome\":\"interrupted: the recording ends at %.6g s\"}", last);
    return FF_OK;
}

/// Copies a JSON file from the folder of the recording. @return FF_NOT_FOUND: there is none
static ff_status write_sibling(FILE *out, const char *key, const ff_recording *r, const char *name, ff_error *err)
{
    ff_arena arena = {0};
    ff_error problem = {0};
    char *text = NULL;
    size_t length = 0;
    const char *path = ff_text_beside(&arena, ff_recording_path(r), name);
    ff_status status = path ? ff_text_read(path, SIBLING_MAX, &text, &length, &problem)
                            : ff_error_set(err, FF_NO_MEMORY, "no memory for a path");
    if (status && status != FF_NOT_FOUND && path)
        ff_error_set(err, status, "%.200s: %.200s", path, problem.text);
    else if (!status && strlen(text) != length)
        status = ff_error_set(err, FF_BAD_FILE, "%.200s: not a text", path);
    else if (!status)
        status = write_json(out, key, text, path, err);
    free(text);
    ff_arena_clear(&arena);
    return status;
}

static ff_status write_summary(FILE *out, const ff_recording *r, ff_studio_facts *facts, ff_error *err)
{
    const ff_status status = write_sibling(out, "summary", r, "summary.json", err);
    facts->summary = status == FF_OK;
    if (status != FF_NOT_FOUND) return status; // the recording was moved without it, or the program was killed
    return ff_recording_has_ended(r) ? FF_OK : write_interrupted(out, r, err);
}

/// The bands of a run with a certificate; a run without has none, which is no error.
static ff_status write_bands(FILE *out, const ff_recording *r, ff_error *err)
{
    const ff_status status = write_sibling(out, "bands", r, "bands.json", err);
    return status == FF_NOT_FOUND ? FF_OK : status;
}

static void write_member(FILE *out, const char *key, const char *text)
{
    if (!text || !text[0]) return;
    fprintf(out, ",\"%s\":", key);
    ff_page_text(out, text);
}

/// The text of the scene is that of its file; overrides of this run are added to its description.
static void write_description(FILE *out, const char *description, const char *changes, ff_arena *arena)
{
    const char *whole = description ? description : "";
    if (changes[0])
        whole = ff_arena_printf(arena, "%s%sThis run changed values of its scene: %s.", whole, whole[0] ? "\n\n" : "",
                                changes);
    write_member(out, "description", whole);
}

/// Path, title and description besides the text; a scene that cannot be read (built without YAML) is included as text
/// only.
static void write_scene(FILE *out, const ff_recording *r)
{
    const char *text = ff_recording_scene(r);
    fputs(",\n\"scene\":{\"text\":", out);
    ff_page_text(out, text);
    write_member(out, "path", ff_recording_scene_path(r));
    ff_arena arena = {.limit = (size_t)64 << 20};
    ff_report problems = {0};
    ff_yaml *root = text[0] ? ff_yaml_parse(&arena, text, strlen(text), "scene", &problems) : NULL;
    if (root && ff_yaml_expect(root, FF_YAML_MAP, "a scene", &problems)) {
        write_member(out, "title", ff_yaml_string(root, "title", "", &problems));
        write_description(out, ff_yaml_string(root, "description", "", &problems), ff_recording_scene_changes(r),
                          &arena);
    }
    ff_report_clear(&problems);
    ff_arena_clear(&arena);
    fputc('}', out);
}

/// The recorded list of events; older recordings, or those of other programs, have none.
static ff_status write_events(FILE *out, const ff_recording *r, ff_error *err)
{
    const char *text = ff_recording_events(r);
    const char *list = text[strspn(text, " \t\r\n")] == '[' ? text : "[]";
    return write_json(out, "events", list, ff_recording_path(r), err);
}

static void write_meshes(FILE *out, const ff_recording *r)
{
    size_t left = MESH_BYTES;
    fputs(",\n\"meshes\":[", out);
    for (int i = 0; i < ff_recording_mesh_count(r); i++) {
        ff_mesh mesh;
        if (i > 0) fputc(',', out);
        if (!ff_recording_read_mesh(r, i, left, &mesh)) {
            fputs("null", out);
            continue;
        }
        left -= ((size_t)mesh.nvertex + (size_t)mesh.ntriangle) * 16;
        ff_page_mesh(out, &mesh);
        free(mesh.vertices);
        free(mesh.triangles);
    }
    fputc(']', out);
}

ff_status ff_studio_write_document(const ff_recording *r, const ff_studio_options *options, FILE *out,
                                   ff_studio_facts *facts, ff_error *err)
{
    const ff_studio_options standard = ff_studio_options_default();
    ff_studio_facts unused;
    choice c;
    if (!facts) facts = &unused;
    *facts = (ff_studio_facts){0};
    ff_status status = choose_rows(&c, r, options ? options : &standard, err);
    if (status) return status;
    fputs("{\"footfall\":1", out);
    status = write_summary(out, r, facts, err);
    if (status) return status;
    write_scene(out, r);
    if (ff_recording_model(r)[0]) {
        status = write_json(out, "model", ff_recording_model(r), ff_recording_path(r), err);
        if (status) return status;
        write_meshes(out, r);
    }
    write_decimation(out, &c);
    status = write_channels(out, r, &c, err);
    if (!status) status = write_events(out, r, err);
    if (!status) status = write_bands(out, r, err);
    fputs("}\n", out);
    facts->kept = c.kept;
    facts->rows = c.rows;
    facts->rate_hz = c.rate / (double)c.stride;
    facts->poses = ff_recording_find(r, "q") >= 0;
    for (int i = 0; !facts->poses && i < ff_recording_channel_count(r); i++)
        facts->poses = ff_text_matches("bodies.*.quat", ff_recording_channel_at(r, i)->name);
    return status;
}
