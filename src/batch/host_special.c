// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The library of a model has its numbers in tables of its own (host_run.h), so that each batch loads a copy: what is
// kept is read and proved whole first, and nobody changes a file that is mapped.
#include "batch/host_special.h"

#include "batch/host_entry.h"
#include "batch/host_files.h"
#include "host_sources.inc"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct ff_host_special {
    void *library;
    ff_batch_kernel kernel;
};

enum { MOST_FLAGS = 16 };

/// A step on its way from text to library.
typedef struct job {
    const ff_batch_kernel *general;
    char *text;
    const char *flags[MOST_FLAGS + 1]; // of the compiler
    char lanes[24];                    // one of them
    char cache[FF_HOST_PATH];          // empty: nothing is kept
    char folder[FF_HOST_PATH];         // to work in
    char library[FF_HOST_PATH], said[FF_HOST_PATH];
} job;

// ------------------------------------------------------------------------------------------ the text

static bool write_text(job *j, const ff_batch_model *model, ff_batch_rounding rounding)
{
    size_t length = 0;
    FILE *file = open_memstream(&j->text, &length);
    if (!file) return false;
    bool written = fputs("#define FF_HOST\n", file) >= 0;
    written = ff_batch_write_special(model, 1, rounding, file) && written;
    written = fputs("#include \"batch/host_run.h\"\n", file) >= 0 && written;
    return fclose(file) == 0 && written;
}

/// The instructions of a width, as src/batch/CMakeLists.txt has them for the general loop.
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

/// Of all that makes the code: text, headers, flags, and the compiler with its version (what it said last).
static uint64_t hash_job(const job *j, const char *compiler)
{
    uint64_t hash = hash_text(hash_text(0, j->text), compiler);
    const ff_host_bytes version = ff_host_read(j->said);
    hash = ff_hash(version.data, version.size, hash);
    free(version.data);
    for (int i = 0; j->flags[i]; i++) hash = hash_text(hash, j->flags[i]);
    for (int i = 0; i < HOST_COUNT; i++) hash = hash_text(hash, HOST_TEXTS[i]);
    return hash;
}

// ------------------------------------------------------------------------------------------ the compiler

/// The headers and the text, in the folder.
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

static bool compile(const job *j, const char *compiler)
{
    char source[FF_HOST_PATH + 64];
    const char *arguments[MOST_FLAGS + 8];
    int count = 0;
    snprintf(source, sizeof source, "%s/step.c", j->folder);
    for (int i = 0; j->flags[i]; i++) arguments[count++] = j->flags[i];
    const char *const rest[] = {"-I", j->folder, "-o", j->library, source, "-lm", NULL};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) arguments[count++] = rest[i];
    return write_sources(j) && ff_host_run(compiler, arguments, j->said);
}

/// The library, from what is kept, unless that is to be made anew, or by the compiler.
/// @param kept  was it kept?  @return why there is none; NULL: there is
static const char *find_or_compile(const job *j, const char *compiler, bool anew, bool *kept)
{
    static const char *const version[] = {"--version", NULL};
    char path[FF_HOST_PATH + 64];
    if (!ff_host_run(compiler, version, j->said)) return "no C compiler is found: CC, clang or cc";
    const uint64_t key = hash_job(j, compiler);
    snprintf(path, sizeof path, "%s/%016llx.so", j->cache, (unsigned long long)key);
    ff_host_bytes code = j->cache[0] && !anew ? ff_host_read_kept(path, key) : (ff_host_bytes){0};
    *kept = code.data != NULL;
    if (code.data) {
        const bool written = ff_host_write(j->library, code.data, code.size);
        free(code.data);
        return written ? NULL : "the folder to compile in has no room";
    }
    if (!compile(j, compiler)) return "the C compiler cannot compile it";
    code = j->cache[0] ? ff_host_read(j->library) : (ff_host_bytes){0};
    if (code.data) ff_host_keep(path, key, &code);
    free(code.data);
    return NULL;
}

// ------------------------------------------------------------------------------------------ the library

static const char *load(ff_host_special *special, const job *j, const ff_batch_model *model)
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
        return "the compiled code cannot be loaded";
    }
    special->kernel = *j->general;
    special->kernel.run = entry->run;
    entry->begin(model, ff_channel_read);
    return NULL;
}

/// What is kept may be of another processor with the same home: then it is made anew.
static const char *find_and_load(ff_host_special *special, const job *j, const ff_batch_model *model,
                                 const char *compiler)
{
    bool kept = false;
    const char *why = find_or_compile(j, compiler, false, &kept);
    if (!why) why = load(special, j, model);
    if (!why || !kept) return why;
    why = find_or_compile(j, compiler, true, &kept);
    return why ? why : load(special, j, model);
}

/// By $CC alone, or by the first that does it: clang keeps more of a step in registers than GCC.
static const char *make(ff_host_special *special, job *j, const ff_batch_model *model)
{
    const char *given = getenv("CC"), *why = NULL;
    const char *const compilers[] = {given && given[0] ? given : "clang", given && given[0] ? NULL : "cc"};
    snprintf(j->library, sizeof j->library, "%.*s/step.so", FF_HOST_PATH - 16, j->folder);
    snprintf(j->said, sizeof j->said, "%.*s/said", FF_HOST_PATH - 16, j->folder);
    for (int i = 0; i < 2 && compilers[i] && !special->library; i++)
        why = find_and_load(special, j, model, compilers[i]);
    return why;
}

ff_host_special *ff_host_special_open(const ff_batch_model *model, const ff_batch_kernel *general,
                                      ff_batch_rounding rounding, const char **why)
{
    ff_batch_special_size size;
    job j = {.general = general};
    ff_host_special *special = calloc(1, sizeof *special);
    choose_flags(&j, rounding == FF_BATCH_FUSED);
    if (!ff_batch_look_special(model, rounding, &size)) {
        *why = "the model has more than 48 unlike nodes, or a limb of more than 8";
    } else if (!special || !write_text(&j, model, rounding)) {
        *why = "there is no memory";
    } else {
        if (!ff_host_cache(j.cache))
            j.cache[0] = 0;
        else
            ff_host_sweep(j.cache);
        if (!ff_host_folder(j.cache[0] ? j.cache : NULL, j.folder) && !ff_host_folder(NULL, j.folder)) {
            *why = "there is no folder to compile in";
        } else {
            *why = make(special, &j, model);
            ff_host_remove(j.folder);
        }
    }
    free(j.text);
    if (special && special->library) return special;
    free(special);
    return NULL;
}

const ff_batch_kernel *ff_host_special_kernel(const ff_host_special *special)
{
    return &special->kernel;
}

void ff_host_special_close(ff_host_special *special)
{
    if (!special) return;
    dlclose(special->library);
    free(special);
}
