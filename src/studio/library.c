// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The files of the project as pages see them: lists of scenes, robots, scripts and runs, reading and saving. Every path
// is taken from the root of the project, resolved (links followed) and compared with the root before a file is opened;
// the fence of the thread (footfall/text.h) restricts the files that readers of scenes and robots open. Saved runs are
// folders out/NAME with run.h5, summary.json and report.html; the name of a run is a single path component, so that it
// cannot lead outside, and links are not followed.
#include "workbench_inner.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEPTH_MOST = 6, FILES_MOST = 2000, ENTRIES_MOST = 50000, PATH_MOST = 1024 };

// ------------------------------------------------------------------------------------------ paths

static char *join_path(const char *folder, const char *name)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path) snprintf(path, size, "%s/%s", folder, name);
    return path;
}

static char *refuse_path(char *path, const char *given, const char *why, ff_error *err)
{
    free(path);
    ff_error_set(err, FF_BAD_ARGUMENT, "'%.200s' %s", given, why);
    return NULL;
}

/// The folder is resolved, the name is kept: the file itself need not exist, and if it is a link it is followed.
char *ff_library_path(const ff_workbench *b, const char *given, ff_error *err)
{
    const size_t root = strlen(b->root);
    const bool whole = strncmp(given, b->root, root) == 0 && given[root] == '/';
    const char *path = whole ? given + root + 1 : given;
    if (path[0] == '/' || strlen(path) >= PATH_MOST || !path[0])
        return refuse_path(NULL, given, "is not a path inside the project folder", err);
    char *all = join_path(b->root, path), *real = all ? realpath(all, NULL) : NULL;
    if (all && !real && errno == ENOENT) { // a new file in an existing folder
        char *slash = strrchr(all, '/');
        const char *name = slash + 1;
        if (!name[0] || strcmp(name, "..") == 0 || strcmp(name, ".") == 0)
            return refuse_path(all, given, "is not a file", err);
        *slash = 0;
        char *folder = realpath(all, NULL);
        real = folder ? join_path(folder, name) : NULL;
        free(folder);
    }
    free(all);
    if (!real) return refuse_path(NULL, given, "does not exist", err);
    if (strncmp(real, b->root, root) != 0 || real[root] != '/')
        return refuse_path(real, given, "is outside of the project folder", err);
    return real;
}

// ------------------------------------------------------------------------------------------ unsaved texts

void ff_bench_set_fence(ff_workbench *b)
{
    ff_unsaved_set_fence(&b->unsaved, &b->fence);
}

void ff_unsaved_set_fence(const ff_unsaved_texts *all, ff_text_fence *fence)
{
    fence->others = all->items;
    fence->nother = all->count;
}

static void free_other(const ff_text_other *other)
{
    free((void *)(uintptr_t)other->path);
    free((void *)(uintptr_t)other->text);
}

bool ff_unsaved_add(ff_unsaved_texts *all, const char *path, const char *text, size_t length)
{
    const ff_text_other other = {strdup(path), strndup(text, length), length};
    int i = 0;
    while (i < all->count && strcmp(all->items[i].path, path) != 0) i++;
    if (!other.path || !other.text ||
        (i == all->count && !ff_array_grow(&all->items, all->count, &all->capacity, sizeof *all->items))) {
        free_other(&other);
        return false;
    }
    if (i < all->count)
        free_other(&all->items[i]);
    else
        all->count++;
    all->items[i] = other;
    return true;
}

bool ff_bench_add_unsaved(ff_workbench *b, const char *path, const char *text, size_t length)
{
    const bool added = ff_unsaved_add(&b->unsaved, path, text, length);
    ff_bench_set_fence(b);
    return added;
}

void ff_bench_drop_unsaved(ff_workbench *b, const char *path)
{
    ff_unsaved_texts *all = &b->unsaved;
    ff_bench_load *from = &b->scene.source;
    char *own = from->path ? ff_library_path(b, from->path, NULL) : NULL;
    for (int i = 0; i < all->count; i++) {
        if (strcmp(all->items[i].path, path) != 0) continue;
        free_other(&all->items[i]);
        all->items[i] = all->items[--all->count];
        i--; // the last text has been moved to this index
    }
    if (own && strcmp(own, path) == 0) {
        free(from->text);
        from->text = NULL;
    }
    free(own);
    ff_bench_set_fence(b);
}

void ff_unsaved_clear(ff_unsaved_texts *all)
{
    for (int i = 0; i < all->count; i++) free_other(&all->items[i]);
    free(all->items);
    *all = (ff_unsaved_texts){0};
}

// ------------------------------------------------------------------------------------------ lists

typedef struct listing {
    const ff_workbench *bench;
    ff_json scenes, robots, scripts;
    int files, entries; // opened, visited
    bool truncated;
} listing;

static bool has_suffix(const char *text, const char *suffix)
{
    const size_t length = strlen(text), n = strlen(suffix);
    return length > n && strcmp(text + length - n, suffix) == 0;
}

static const ff_yaml *child_at(const ff_yaml *node, const char *key)
{
    for (const ff_yaml *child = node ? node->child : NULL; child; child = child->next)
        if (child->key && strcmp(child->key, key) == 0) return child;
    return NULL;
}

static const char *string_at(const ff_yaml *node, const char *key)
{
    const ff_yaml *child = child_at(node, key);
    return child && child->type == FF_YAML_SCALAR ? child->text : NULL;
}

/// Name of the external controller (`control: {callback: NAME}`) of the first robot that has one; NULL: none has.
static const char *external_controller(const ff_yaml *root)
{
    const ff_yaml *robots = child_at(root, "robots");
    const char *name = string_at(child_at(root, "control"), "callback");
    if (!name) name = string_at(child_at(child_at(root, "robot"), "control"), "callback");
    for (const ff_yaml *robot = robots ? robots->child : NULL; robot && !name; robot = robot->next)
        name = string_at(child_at(robot, "control"), "callback");
    return name;
}

static void write_scene(ff_json *json, const char *path, const ff_yaml *root)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path, *title = string_at(root, "title");
    const ff_yaml *variants = child_at(root, "variants");
    char group[PATH_MOST];
    snprintf(group, sizeof group, "%.*s", (int)(name > path ? name - path - 1 : 0), path);
    ff_json_begin_object(json, NULL, true);
    ff_json_text(json, "path", path);
    ff_json_text(json, "title", title ? title : name);
    ff_json_text(json, "group", group);
    if (external_controller(root)) {
        char needs[200];
        snprintf(needs, sizeof needs, "its controller '%.60s' is provided by a program that uses the library",
                 external_controller(root));
        ff_json_text(json, "needs", needs);
    }
    ff_json_begin_array(json, "variants", true);
    for (const ff_yaml *v = variants ? variants->child : NULL; v; v = v->next)
        if (string_at(v, "name")) ff_json_text(json, NULL, string_at(v, "name"));
    ff_json_end_array(json);
    ff_json_end_object(json);
}

static void write_robot(ff_json *json, const char *path, const char *title)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    ff_json_begin_object(json, NULL, true);
    ff_json_text(json, "path", path);
    ff_json_text(json, "title", title ? title : name);
    ff_json_end_object(json);
}

static void list_yaml(listing *l, const char *whole, const char *path)
{
    char *text = NULL;
    size_t length = 0;
    if (ff_text_read(whole, FF_BENCH_SOURCE_MAX, &text, &length, NULL) != FF_OK) return;
    ff_arena tree = {.limit = (size_t)64 << 20};
    ff_report ignored = {0};
    const ff_yaml *root = strstr(text, "footfall:") ? ff_yaml_parse(&tree, text, length, path, &ignored) : NULL;
    if (root && child_at(root, "footfall")) {
        const bool scene = child_at(root, "robot") || child_at(root, "robots") || child_at(root, "objects") ||
                           child_at(root, "terrain");
        if (scene)
            write_scene(&l->scenes, path, root);
        else if (child_at(root, "bodies") || child_at(root, "parts") || child_at(root, "import"))
            write_robot(&l->robots, path,
                        string_at(root, "title") ? string_at(root, "title") : string_at(root, "name"));
    } else if (!root && strstr(text, "footfall:")) { // a scene with errors is listed, so that it can be corrected
        write_scene(&l->scenes, path, NULL);
    }
    ff_report_clear(&ignored);
    ff_arena_clear(&tree);
    free(text);
}

/// Lists a URDF or MJCF file, recognised by its root element, as a robot.
static void list_xml(listing *l, const char *whole, const char *path)
{
    char head[4096];
    FILE *file = fopen(whole, "rb");
    const size_t length = file ? fread(head, 1, sizeof head - 1, file) : 0;
    if (file) fclose(file);
    head[length] = 0;
    if (strstr(head, "<robot") || strstr(head, "<mujoco")) write_robot(&l->robots, path, NULL);
}

static void list_file(listing *l, const char *path)
{
    char *whole = join_path(l->bench->root, path);
    struct stat info;
    const bool known_suffix =
        has_suffix(path, ".lua") || has_suffix(path, ".yaml") || has_suffix(path, ".urdf") || has_suffix(path, ".xml");
    const bool regular = known_suffix && whole && lstat(whole, &info) == 0 && S_ISREG(info.st_mode);
    if (regular && l->files >= FILES_MOST) l->truncated = true;
    if (regular && l->files++ < FILES_MOST) { // no links, which may lead outside
        if (has_suffix(path, ".lua"))
            ff_json_text(&l->scripts, NULL, path);
        else if (has_suffix(path, ".yaml"))
            list_yaml(l, whole, path);
        else
            list_xml(l, whole, path);
    }
    free(whole);
}

static int is_listed(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strcmp(entry->d_name, "node_modules") != 0;
}

/// Folders of the project that contain results, or files with deliberate errors.
static bool is_excluded(const char *name)
{
    return strcmp(name, "out") == 0 || strcmp(name, "tests") == 0 || strncmp(name, "build", 5) == 0;
}

static void list_folder(listing *l, const char *path, int depth)
{
    struct dirent **entries = NULL;
    char *whole = join_path(l->bench->root, path);
    struct stat info;
    const bool folder = whole && lstat(whole, &info) == 0 && S_ISDIR(info.st_mode);
    const int n = folder ? scandir(whole, &entries, is_listed, alphasort) : -1;
    free(whole);
    for (int i = 0; i < n; i++) {
        char *name = path[0] ? join_path(path, entries[i]->d_name) : strdup(entries[i]->d_name);
        if (l->entries >= ENTRIES_MOST) l->truncated = true;
        if (name && l->entries++ < ENTRIES_MOST && (path[0] || !is_excluded(name)) && strlen(name) < PATH_MOST) {
            list_file(l, name);
            if (depth < DEPTH_MOST) list_folder(l, name, depth + 1);
        }
        free(name);
        free(entries[i]);
    }
    free(entries);
}

static void write_terrains(ff_json *json)
{
    static const struct {
        const char *name, *help;
    } all[] = {{"plane", "infinite plane, tilted by its normal"},
               {"box", "a block, placed by its centre"},
               {"stairs", "steps upwards along x"},
               {"blocks", "a field of boxes of random heights"},
               {"heightfield", "slopes, waves, steps or hills on a grid"},
               {"mesh", "a surface of triangles from a file"}};
    ff_json_begin_array(json, "terrains", true);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        ff_json_begin_object(json, NULL, true);
        ff_json_text(json, "name", all[i].name);
        ff_json_text(json, "help", all[i].help);
        ff_json_end_object(json);
    }
    ff_json_end_array(json);
}

/// A list from another writer, as a member.
static void move_list(ff_json *to, const char *key, ff_json *list)
{
    ff_json_end_array(list);
    char *text = ff_json_finish(list);
    ff_json_raw(to, key, text ? text : "[]");
    free(text);
}

void ff_library_list(const ff_workbench *b, ff_json *json, ff_report *messages)
{
    listing l = {.bench = b};
    ff_json_begin_array(&l.scenes, NULL, true);
    ff_json_begin_array(&l.robots, NULL, true);
    ff_json_begin_array(&l.scripts, NULL, true);
    list_folder(&l, "", 0);
    move_list(json, "scenes", &l.scenes);
    move_list(json, "robots", &l.robots);
    move_list(json, "scripts", &l.scripts);
    write_terrains(json);
    ff_runs_list(b, json);
    if (l.truncated)
        ff_report_add(
            messages, FF_WARNING, (ff_place){b->root, 0, 0},
            "the project folder has more than %d scenes, robots and scripts, or %d files: not all are listed; "
            "start the studio in a smaller folder (--root)",
            FILES_MOST, ENTRIES_MOST);
}

// ------------------------------------------------------------------------------------------ saving

ff_status ff_library_save(const ff_workbench *b, const char *given, const char *text, size_t length, ff_error *err)
{
    char *path = ff_library_path(b, given, err);
    if (!path) return err->status;
    if (strrchr(path, '/')[1] == '.' || (!has_suffix(path, ".yaml") && !has_suffix(path, ".lua"))) {
        free(path);
        return ff_error_set(err, FF_BAD_ARGUMENT, "'%.200s': only .yaml and .lua files can be saved", given);
    }
    const size_t size = strlen(path) + 16;
    char *part = malloc(size);
    if (part) snprintf(part, size, "%s.XXXXXX", path);
    struct stat info;
    const bool old = stat(path, &info) == 0;
    const int file = part ? mkstemp(part) : -1;
    bool ok = file >= 0;
    for (size_t done = 0; ok && done < length;) {
        const ssize_t n = write(file, text + done, length - done);
        ok = n > 0 || (n < 0 && errno == EINTR);
        if (n > 0) done += (size_t)n;
    }
    if (ok) ok = fchmod(file, old ? info.st_mode & 0777 : 0644) == 0 && fsync(file) == 0;
    if (file >= 0 && close(file) != 0) ok = false;
    if (ok) ok = rename(part, path) == 0;
    const ff_status status =
        ok ? FF_OK : ff_error_set(err, FF_NOT_WRITTEN, "%.200s cannot be written: %s", given, strerror(errno));
    if (!ok && file >= 0) unlink(part);
    free(part);
    free(path);
    return status;
}

// ------------------------------------------------------------------------------------------ saved runs

enum { RUNS_MOST = 500, SUMMARY_MOST = 1 << 20 };

bool ff_run_name_is_valid(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._- ";
    const size_t length = strlen(name);
    return length > 0 && length <= 100 && name[0] != '.' && name[0] != ' ' && strspn(name, letters) == length;
}

/// Opens a folder below another, not following links; -1: none.
static int open_folder(int at, const char *name)
{
    return at < 0 ? -1 : openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static int open_out(const ff_workbench *b)
{
    const int root = open(b->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int out = open_folder(root, "out");
    if (root >= 0) close(root);
    return out;
}

int ff_workbench_open_run(const ff_workbench *b, const char *name, const char *file)
{
    struct stat info;
    if (!ff_run_name_is_valid(name) || !ff_run_name_is_valid(file)) return -1;
    const int out = open_out(b), folder = open_folder(out, name);
    int found = folder < 0 ? -1 : openat(folder, file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (found >= 0 && (fstat(found, &info) != 0 || !S_ISREG(info.st_mode))) {
        close(found);
        found = -1;
    }
    if (folder >= 0) close(folder);
    if (out >= 0) close(out);
    return found;
}

/// A text file of a run, malloc'ed; NULL: none, or too long.
static char *read_file(const ff_workbench *b, const char *name, const char *file, struct stat *info)
{
    const int found = ff_workbench_open_run(b, name, file);
    char *text = NULL;
    if (found < 0) return NULL;
    if (fstat(found, info) == 0 && info->st_size >= 0 && info->st_size <= SUMMARY_MOST &&
        (text = calloc((size_t)info->st_size + 1, 1)) && read(found, text, (size_t)info->st_size) < 0) {
        free(text);
        text = NULL;
    }
    close(found);
    return text;
}

static void write_run(const ff_workbench *b, const char *name, ff_json *json)
{
    struct stat recording = {0}, summary = {0}, report = {0};
    const int file = ff_workbench_open_run(b, name, "run.h5"), page = ff_workbench_open_run(b, name, "report.html");
    char *text = read_file(b, name, "summary.json", &summary);
    if (file >= 0 && fstat(file, &recording) != 0) recording.st_size = 0;
    if (page >= 0 && fstat(page, &report) != 0) report.st_size = 0;
    if (file >= 0 || text || page >= 0) {
        ff_arena tree = {.limit = (size_t)64 << 20};
        ff_report ignored = {0};
        ff_yaml *root = text ? ff_yaml_parse(&tree, text, strlen(text), name, &ignored) : NULL;
        const time_t saved = file >= 0 ? recording.st_mtime : text ? summary.st_mtime : report.st_mtime;
        ff_json_begin_object(json, NULL, true);
        ff_json_text(json, "name", name);
        ff_json_text(json, "title", root ? ff_yaml_string(root, "title", name, &ignored) : name);
        ff_json_number(json, "time", root ? ff_yaml_number(root, "time", 0.0, &ignored) : 0.0);
        ff_json_text(json, "outcome", root ? ff_yaml_string(root, "outcome", "", &ignored) : "");
        ff_json_integer(json, "bytes", (long long)(recording.st_size + report.st_size));
        ff_json_integer(json, "saved", (long long)saved);
        ff_json_bool(json, "report", page >= 0);
        ff_json_end_object(json);
        ff_report_clear(&ignored);
        ff_arena_clear(&tree);
    }
    free(text);
    if (file >= 0) close(file);
    if (page >= 0) close(page);
}

void ff_runs_list(const ff_workbench *b, ff_json *json)
{
    const int out = open_out(b);
    DIR *folder = out >= 0 ? fdopendir(out) : NULL;
    struct dirent *entry;
    int count = 0;
    ff_json_begin_array(json, "runs", true);
    while (folder && count < RUNS_MOST && (entry = readdir(folder)))
        if (ff_run_name_is_valid(entry->d_name) && ++count) write_run(b, entry->d_name, json);
    ff_json_end_array(json);
    if (folder)
        closedir(folder);
    else if (out >= 0)
        close(out);
}
