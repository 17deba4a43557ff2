// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The defaults that the schema prints are those that the readers have: a file in which a key is given its default runs
// to the same state, to the last bit, as the file without it.
#include "specimens.h"

#include <footfall/run.h>
#include <footfall/sim.h>

enum { STEPS = 20, MOST_TRIES = 3 };

static const char AROUND[] = "{footfall: 1, robot: {file: \"%s\"}, place: {pos: [0, 0, 0.09]}, "
                             "effects: {drives: full, transmission: backlash, sensors: real}, terrain: [{plane: }], "
                             "solver: {method: implicit, step: 1 ms}%s}";
static const char MOVED[] = ", references: [{drive: \"*\", position: 0.1, speed: 0.1, force: 0.1}]";

/// Everything that the simulation saves, but the head, which names the model.
static uint64_t hash_state(ff_sim *sim)
{
    enum { HEAD = 112 };
    const size_t size = ff_sim_save_size(sim);
    unsigned char *bytes = malloc(size);
    uint64_t hash = 0;
    if (bytes && ff_sim_save(sim, bytes, size, NULL) == FF_OK)
        hash = ff_hash(bytes + HEAD, size - HEAD - sizeof(uint64_t), FF_HASH_START); // the last word is a check sum
    free(bytes);
    return hash;
}

/// Hash of the state after a few steps of a scene; of a robot, in a scene around it. 0: it cannot run.
static uint64_t run_text(const specimen *f, const char *text, size_t length)
{
    const ff_text_other other = {f->path, text, length};
    const ff_text_fence fence = {.root = FF_SOURCE_DIR, .others = &other, .nother = 1};
    const bool is_scene = f->group == &ff_keys_scene;
    char around[1000];
    uint64_t hash = 0;
    ff_report report = {0};
    ff_error err = {0};
    snprintf(around, sizeof around, AROUND, f->path, strstr(f->path, "specimens/drives") ? MOVED : "");
    ff_text_set_fence(&fence);
    const ff_scene_spec *scene =
        is_scene ? ff_scene_parse(text, length, f->path, NULL, 0, &report)
                 : ff_scene_parse(around, strlen(around), FF_SOURCE_DIR "/around.yaml", NULL, 0, &report);
    ff_run *run = scene ? ff_run_create(scene, NULL, &report) : NULL;
    ff_text_set_fence(NULL);
    ff_status status = FF_OK;
    for (int i = 0; run && i < STEPS && status == FF_OK; i++) status = ff_sim_step(ff_run_sim(run), 1e-3, &err);
    if (run && status == FF_OK) hash = hash_state(ff_run_sim(run));
    ff_run_destroy(run);
    ff_scene_destroy(scene);
    ff_report_clear(&report);
    return hash;
}

/// The file with one more entry in a map: in flow style behind its '{', in block style before its first key.
static uint64_t run_with(const specimen *f, const ff_yaml *map, const char *key, const char *value)
{
    const bool flow = f->text[map->begin] == '{';
    const size_t at = flow ? map->begin + 1 : offset_of(f, map->child->key_place);
    const int indent = flow ? 0 : map->child->key_place.column - 1;
    char *text = malloc(f->length + 500);
    CHECK(text);
    memcpy(text, f->text, at);
    const int more = flow ? snprintf(text + at, 500, "%s: %s%s", key, value, map->nchild > 0 ? ", " : "")
                          : snprintf(text + at, 500, "%s: %s\n%*s", key, value, indent, "");
    memcpy(text + at + more, f->text + at, f->length - at);
    const uint64_t hash = run_text(f, text, f->length + (size_t)more);
    free(text);
    return hash;
}

/// Another value that a row allows; false: none comes to mind.
static bool other_value(const ff_row *row, char *out, size_t size)
{
    double value;
    if (row->takes & FF_TAKES_SWITCH)
        snprintf(out, size, "%s", strcmp(row->initial, "true") == 0 ? "false" : "true");
    else if (row->takes == FF_TAKES_WORD)
        snprintf(out, size, "%s", row->words[strcmp(row->initial, row->words[0]) == 0 ? 1 : 0]);
    else if (!(row->takes & FF_TAKES_NUMBER))
        return false;
    else if (ff_text_number(row->initial, strlen(row->initial), &value) && value == 0.0)
        snprintf(out, size, row->takes & FF_TAKES_WHOLE ? "1" : "0.05");
    else
        snprintf(out, size, row->takes & FF_TAKES_WHOLE ? "2 * (%s)" : "0.7 * (%s)", row->initial);
    return true;
}

static bool has_key(const ff_yaml *map, const char *key)
{
    for (const ff_yaml *child = map->type == FF_YAML_MAP ? map->child : NULL; child; child = child->next)
        if (strcmp(child->key, key) == 0) return true;
    return false;
}

static struct {
    char name[120];
    int tried;      // texts with it
    bool held;      // one ran, and its state was that of the file without it
    bool sensitive; // another value gave another state: the comparison can fail
} rows[2000];
static int nrow;

static int find_row(const char *group, const char *row)
{
    char name[120];
    snprintf(name, sizeof name, "%s/%s", group, row);
    for (int i = 0; i < nrow; i++)
        if (strcmp(rows[i].name, name) == 0) return i;
    memcpy(rows[nrow].name, name, sizeof name);
    return nrow++;
}

/// A material that starts from another has the numbers of that one, and what a change leaves out stays as it is.
static bool starts_elsewhere(const ff_yaml *map)
{
    const ff_yaml *parent = map->parent;
    const char *group = parent && parent->type == FF_YAML_MAP && parent->group ? parent->group->name : "";
    return parent && (has_key(parent, "like") || has_key(parent, "soil") || strcmp(group, "joints") == 0 ||
                      strcmp(group, "shapes") == 0);
}

static void try_defaults(const specimen *f, const ff_yaml *map, uint64_t expected)
{
    const ff_row *row;
    char value[100];
    for (int i = 0; (row = ff_row_at(map->group, i)); i++) {
        if (!row->initial || strcmp(row->initial, FF_NEEDED) == 0 || has_key(map, row->name)) continue;
        const int index = find_row(map->group->name, row->name);
        if ((rows[index].held && rows[index].sensitive) || rows[index].tried >= MOST_TRIES) continue;
        rows[index].tried++;
        const uint64_t hash = run_with(f, map, row->name, row->initial);
        if (hash != 0 && hash != expected)
            CHECK_FAIL("%s:%d: '%s: %s' is not the default of %s", f->path, map->place.line, row->name, row->initial,
                       map->group->name);
        rows[index].held = rows[index].held || hash != 0;
        if (hash == 0 || !other_value(row, value, sizeof value)) continue;
        const uint64_t other = run_with(f, map, row->name, value);
        rows[index].sensitive = rows[index].sensitive || (other != 0 && other != expected);
    }
}

static void walk(const specimen *f, const ff_yaml *node, uint64_t expected)
{
    if (node->type == FF_YAML_MAP && node->group && !starts_elsewhere(node) && node->end > node->begin &&
        !node->source && (f->text[node->begin] == '{' || node->child))
        try_defaults(f, node, expected);
    for (const ff_yaml *child = node->child; child; child = child->next)
        if (!child->source && !child->merged && !(child->row && child->row->takes & FF_TAKES_ANYTHING))
            walk(f, child, expected);
}

TEST(defaults_are_what_a_file_without_the_key_has)
{
    int held = 0, sensitive = 0;
    if (CHECK_LASTS(0, 1)) SKIP("a thousand short runs, whose numbers are compared without sanitizers");
    find_files();
    for (int i = 0; i < nfile && strstr(files[i].path, "specimens"); i++) {
        ff_arena tree = {0};
        if (strstr(files[i].path, "inner") || strstr(files[i].path, "callback") ||
            strstr(files[i].path, "scene-python")) // a program must bring what runs it
            continue;
        ff_yaml *root = ff_yaml_parse(&tree, files[i].text, files[i].length, files[i].path, NULL);
        CHECK(root);
        ff_schema_mark(root, files[i].group);
        const uint64_t expected = run_text(&files[i], files[i].text, files[i].length);
        if (expected == 0) CHECK_FAIL("%s does not run", files[i].path);
        walk(&files[i], root, expected);
        ff_arena_clear(&tree);
    }
    for (int i = 0; i < nrow; i++) {
        held += rows[i].held;
        sensitive += rows[i].sensitive;
        if (!rows[i].held) printf("  %s was not tried: no specimen runs with it\n", rows[i].name);
    }
    printf("  %d of %d defaults hold; another value of %d of them gives another state\n", held, nrow, sensitive);
    CHECK(5 * held >= 4 * nrow && sensitive >= 50);
}
