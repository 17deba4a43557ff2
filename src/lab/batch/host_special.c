// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The library of a model has its numbers in tables of its own (host_run.h), so that each batch loads a copy: what is
// in the cache is read and checked first, and nobody changes a file that is mapped.
#include "batch/host_special.h"

#include "batch/host_entry.h"
#include "batch/host_files.h"
#include "host_sources.inc"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_FLAGS = 16 };
enum { ANSWERING = 60, COMPILING = 600 }; // how long a compiler may take to report its version, and to compile  [s]

static const char NO_ROOM[] = "the folder to compile in has no room";

/// A step on its way from text to library.
typedef struct job {
    const ff_batch_kernel *general;
    char *text;
    const char *compiler;              // in use
    bool found;                        // has any compiler reported its version?
    char *why;                         // (FF_HOST_WHY) what went wrong last
    const char *flags[MOST_FLAGS + 1]; // of the compiler
    char lanes[24];                    // the flag -DFF_LANES=..
    char cache[FF_HOST_PATH];          // folder; empty: nothing is kept
    char folder[FF_HOST_PATH];         // to work in
    char library[FF_HOST_PATH];        // the file to load
    char output[FF_HOST_PATH];         // file with the output of the compiler
} job;

/// Writes the reason of a failure to j->why.
static void __attribute__((format(printf, 2, 3))) say(const job *j, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(j->why, FF_HOST_WHY, format, values);
    va_end(values);
}

// ------------------------------------------------------------------------------------------ the text

// GCC takes loops that copy rows for memcpy, which is "rep movsq" on x86: eighteen in a step of ANTON, each of 1.5 kB
// that was stored just before, where the general loop has none. For all functions, or they cannot be inlined.
static const char HEAD[] = "#define FF_HOST\n"
                           "#if defined(__GNUC__) && !defined(__clang__)\n"
                           "#pragma GCC optimize(\"no-tree-loop-distribute-patterns\")\n"
                           "#endif\n";

static bool write_text(job *j, const ff_batch_model *model, ff_batch_rounding rounding)
{
    size_t length = 0;
    FILE *file = open_memstream(&j->text, &length);
    if (!file) return false;
    bool written = fputs(HEAD, file) >= 0;
    written = ff_batch_write_special(model, 1, rounding, file) && written;
    written = fputs("#include \"batch/host_run.h\"\n", file) >= 0 && written;
    return fclose(file) == 0 && written;
}

/// The instructions of a width, as src/lab/batch/CMakeLists.txt has them for the general loop.
static int width_flags(int lanes, bool fused, const char **flags)
{
    int count = 0;
    (void)lanes, (void)fused, (void)flags;
#ifdef FF_BATCH_X86
    if (lanes == 2) flags[count++] = "-msse4.2";
    if (lanes == 4) flags[count++] = "-mavx2";
    if (lanes == 8) flags[count++] = "-mavx512f", flags[count++] = "-mavx512dq", flags[count++] = "-mavx512vl";
    if (fused && __builtin_cpu_supports("fma")) flags[count++] = "-mfma";
#endif
    return count;
}

static void choose_flags(job *j, bool fused)
{
    snprintf(j->lanes, sizeof j->lanes, "-DFF_LANES=%d", j->general->lanes);
    // $CC may ask for quick operations, whose bits are others
    const char *const always[] = {"-std=gnu17",      "-O3",   "-w",      "-fno-fast-math",
                                  "-fno-math-errno", "-fPIC", "-shared", "-fvisibility=hidden",
                                  j->lanes};
    int count = 0;
    for (size_t i = 0; i < sizeof always / sizeof *always; i++) j->flags[count++] = always[i];
    j->flags[count++] = fused ? "-ffp-contract=fast" : "-ffp-contract=off";
    count += width_flags(j->general->lanes, fused, &j->flags[count]);
    j->flags[count] = NULL;
}

static uint64_t hash_text(uint64_t start, const char *text)
{
    return ff_hash(text, strlen(text), start);
}

/// Hash of all that determines the code: text, headers, flags, and the compiler with its version (its last output).
static uint64_t hash_job(const job *j)
{
    uint64_t hash = hash_text(hash_text(0, j->text), j->compiler);
    const ff_host_bytes version = ff_host_read(j->output);
    hash = ff_hash(version.data, version.size, hash);
    free(version.data);
    for (int i = 0; j->flags[i]; i++) hash = hash_text(hash, j->flags[i]);
    for (int i = 0; i < HOST_COUNT; i++) hash = hash_text(hash, HOST_TEXTS[i]);
    return hash;
}

// ------------------------------------------------------------------------------------------ the compiler

/// Writes the headers and the text to the folder.
static bool write_sources(const job *j)
{
    char path[FF_HOST_PATH + 64];
    for (size_t i = 0; i < sizeof HOST_FOLDERS / sizeof *HOST_FOLDERS; i++) {
        snprintf(path, sizeof path, "%s/%s", j->folder, HOST_FOLDERS[i]);
        mkdir(path, 0700);
    }
    for (int i = 0; i < HOST_COUNT; i++) {
        snprintf(path, sizeof path, "%s/%s", j->folder, HOST_NAMES[i]);
        if (!ff_host_write(path, HOST_TEXTS[i], strlen(HOST_TEXTS[i]))) return false;
    }
    snprintf(path, sizeof path, "%s/step.c", j->folder);
    return ff_host_write(path, j->text, strlen(j->text));
}

/// Runs the compiler. @param failure  what it then has not done, such as "cannot compile it"
/// @return false, with the reason in j->why
static bool run_compiler(job *j, const char *const *arguments, int limit, const char *failure)
{
    char reason[FF_HOST_WHY];
    const ff_host_end end = ff_host_run(j->compiler, arguments, j->output, limit);
    if (end == FF_HOST_DONE) return true;
    if (end == FF_HOST_SLOW) {
        say(j, "%.100s has not ended after %d s, and was ended", j->compiler, limit);
        return false;
    }
    ff_host_first_error(j->output, j->folder, reason, sizeof reason);
    say(j, "%.100s %s%s%s", j->compiler, failure, reason[0] ? ": " : "", reason);
    return false;
}

/// Does the compiler report its version? If not, an earlier compiler that did keeps its reason in j->why.
static bool reports_version(job *j)
{
    static const char *const version[] = {"--version", NULL};
    char before[FF_HOST_WHY];
    memcpy(before, j->why, sizeof before);
    if (run_compiler(j, version, ANSWERING, "does not report its version")) return j->found = true;
    if (j->found) memcpy(j->why, before, sizeof before);
    return false;
}

static bool compile(job *j)
{
    char source[FF_HOST_PATH + 64];
    const char *arguments[MOST_FLAGS + 8];
    int count = 0;
    snprintf(source, sizeof source, "%s/step.c", j->folder);
    for (int i = 0; j->flags[i]; i++) arguments[count++] = j->flags[i];
    const char *const rest[] = {"-I", j->folder, "-o", j->library, source, "-lm", NULL};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) arguments[count++] = rest[i];
    if (write_sources(j)) return run_compiler(j, arguments, COMPILING, "cannot compile it");
    say(j, "%s", NO_ROOM);
    return false;
}

/// Copies the library from the cache to j->library. @param copied  out: could it be written there?
/// @return is it in the cache?
static bool copy_cached(const job *j, const char *path, uint64_t key, bool *copied)
{
    ff_host_bytes code = ff_host_read_kept(path, key);
    if (!code.data) return false;
    *copied = ff_host_write(j->library, code.data, code.size);
    free(code.data);
    return true;
}

/// Compiles the library and stores it in the cache, unless another batch did so while this one waited for the lock.
/// @param force  compile it in any case  @return can j->library be loaded?
static bool compile_once(job *j, const char *path, uint64_t key, bool force)
{
    const int lock = ff_host_lock(path, COMPILING);
    bool is_ready = false;
    if (force || lock < 0 || !copy_cached(j, path, key, &is_ready)) {
        is_ready = compile(j);
        ff_host_bytes code = is_ready ? ff_host_read(j->library) : (ff_host_bytes){0};
        if (code.data) ff_host_keep(path, key, &code);
        free(code.data);
    } else if (!is_ready) {
        say(j, "%s", NO_ROOM);
    }
    ff_host_unlock(path, lock);
    return is_ready;
}

/// Gets the library from the cache or by the compiler. @param force  compile it in any case
/// @param is_cached  out: was it in the cache?  @return can j->library be loaded?
static bool find_or_compile(job *j, bool force, bool *is_cached)
{
    char path[FF_HOST_PATH + 64];
    bool copied = false;
    if (!reports_version(j)) return false;
    const uint64_t key = hash_job(j);
    snprintf(path, sizeof path, "%s/%016llx.so", j->cache, (unsigned long long)key);
    *is_cached = j->cache[0] && !force && copy_cached(j, path, key, &copied);
    if (!*is_cached) return j->cache[0] ? compile_once(j, path, key, force) : compile(j);
    if (!copied) say(j, "%s", NO_ROOM);
    return copied;
}

// ------------------------------------------------------------------------------------------ the library

static bool load_step(ff_host_special *special, job *j, const ff_batch_model *model)
{
    const ff_host_entry *entry = NULL;
#define TEXT_(name) #name
#define TEXT(name)  TEXT_(name)
    special->library = dlopen(j->library, RTLD_NOW | RTLD_LOCAL);
    if (special->library) entry = dlsym(special->library, TEXT(FF_HOST_ENTRY));
    if (!entry || entry->model != sizeof(ff_batch_model) || entry->rules != sizeof(ff_batch_rules) ||
        entry->lanes != j->general->lanes) {
        if (special->library) dlclose(special->library);
        special->library = NULL;
        say(j, "the compiled code cannot be loaded");
        return false;
    }
    special->kernel = *j->general;
    special->kernel.run = entry->run;
    special->compiler = entry->compiler;
    entry->begin(model, ff_channel_read);
    return true;
}

/// Loads the code of an earlier run, or compiles it. Code in the cache may be for another processor that shares the
/// home folder: if it cannot be loaded, it is compiled again.
static void find_and_load(ff_host_special *special, job *j, const ff_batch_model *model)
{
    bool is_cached = false;
    if (!find_or_compile(j, false, &is_cached) || load_step(special, j, model) || !is_cached) return;
    if (find_or_compile(j, true, &is_cached)) load_step(special, j, model);
}

/// Compiles by $CC, or where that is not set by clang, then by cc: clang keeps more of a step in registers than GCC.
static void make_step(ff_host_special *special, job *j, const ff_batch_model *model)
{
    const char *given = getenv("CC");
    const char *const compilers[] = {given && given[0] ? given : "clang", given && given[0] ? NULL : "cc"};
    snprintf(j->library, sizeof j->library, "%.*s/step.so", FF_HOST_PATH - 16, j->folder);
    snprintf(j->output, sizeof j->output, "%.*s/output", FF_HOST_PATH - 16, j->folder);
    for (int i = 0; i < 2 && compilers[i] && !special->library; i++) {
        j->compiler = compilers[i];
        find_and_load(special, j, model);
    }
    if (!j->found && !(given && given[0])) say(j, "no C compiler is found: CC, clang or cc");
}

ff_host_special *ff_host_special_open(const ff_batch_model *model, const ff_batch_kernel *general,
                                      ff_batch_rounding rounding, char why[FF_HOST_WHY])
{
    ff_batch_special_size size;
    job j = {.general = general, .why = why};
    why[0] = 0;
    ff_host_special *special = calloc(1, sizeof *special);
    choose_flags(&j, rounding == FF_BATCH_FUSED);
    if (!ff_batch_look_special(model, rounding, &size)) {
        say(&j, "the model has more than 48 unlike nodes, or a limb of more than 8");
    } else if (!special || !write_text(&j, model, rounding)) {
        say(&j, "there is no memory");
    } else {
        if (!ff_host_cache(j.cache))
            j.cache[0] = 0;
        else
            ff_host_sweep(j.cache);
        if (!ff_host_folder(j.cache[0] ? j.cache : NULL, j.folder) && !ff_host_folder(NULL, j.folder)) {
            say(&j, "there is no folder to compile in");
        } else {
            make_step(special, &j, model);
            ff_host_remove(j.folder);
        }
    }
    free(j.text);
    if (special && special->library) {
        why[0] = 0;
        return special;
    }
    free(special);
    return NULL;
}

void ff_host_special_close(ff_host_special *special)
{
    if (!special) return;
    dlclose(special->library);
    free(special);
}
