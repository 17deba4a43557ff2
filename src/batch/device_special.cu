// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "batch/device_special.h"

#include "batch/specialise.h"
#include "kernel_sources.inc"

#include <nvrtc.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

enum { THREADS = 128 };

struct ff_batch_special {
    cudaLibrary_t library;
    cudaKernel_t kernel;
    int crew;      // threads that share a robot
    size_t shared; // memory of a group of threads  [byte]
};

/// What a model needs: its text, how it is compiled, and the name under which that is kept.
struct source {
    char *text;
    char architecture[48], threads[48], stride[48], own[48], contract[48];
    int crew;
    size_t room; // shared memory  [byte]
    uint64_t hash;
};

// ------------------------------------------------------------------------------------------ source

static uint64_t hash_text(uint64_t start, const char *text)
{
    return ff_hash(text, std::strlen(text), start);
}

static void hash_source(source *s)
{
    const int version = CUDART_VERSION;
    s->hash = ff_hash(&version, sizeof version, 0);
    s->hash = hash_text(s->hash, s->text);
    for (const char *option : {s->architecture, s->threads, s->stride, s->own, s->contract})
        s->hash = hash_text(s->hash, option);
    for (const char *text : KERNEL_TEXTS) s->hash = hash_text(s->hash, text);
}

/// Two groups of threads have room for that on a multiprocessor.
static bool fits(const cudaDeviceProp *p, size_t room)
{
    const size_t kept = 1024; // by the device, of each group
    return 2 * (room + kept) <= p->sharedMemPerMultiprocessor;
}

static size_t room_of(const ff_batch_special_size *size, int crew)
{
    return sizeof(double) * THREADS / (size_t)crew * (size_t)(size->near + (crew > 1 ? size->stations : 0));
}

/// More members make a robot faster and do less side by side, as some wait for others: as few as keep the threads of a
/// device busy.
static int crew_of(const ff_batch_special_size *size, const cudaDeviceProp *p, int robots)
{
    const int busy = 192 * p->multiProcessorCount; // threads
    int crew = 1;
    while (crew < 8 && crew < size->limbs && crew * robots < busy) crew *= 2;
    while (crew > 1 && crew < 8 && !fits(p, room_of(size, crew))) crew *= 2;
    return fits(p, room_of(size, crew)) ? crew : 1;
}

static bool write_text(source *s, const ff_batch_model *model, bool fast)
{
    size_t length = 0;
    std::FILE *file = open_memstream(&s->text, &length);
    if (!file) return false;
    bool written = ff_batch_write_special(model, s->crew, fast, file);
    written = std::fputs("#include \"batch/limbs_kernel.h\"\n", file) >= 0 && written;
    return std::fclose(file) == 0 && written;
}

static bool write_source(source *s, const ff_batch_model *model, int robots, bool fast)
{
    int device = 0;
    cudaDeviceProp properties;
    ff_batch_special_size size;
    if (cudaGetDevice(&device) != cudaSuccess || cudaGetDeviceProperties(&properties, device) != cudaSuccess ||
        !ff_batch_look_special(model, &size))
        return false;
    s->crew = crew_of(&size, &properties, robots);
    if (!write_text(s, model, fast)) return false;
    const size_t near = room_of(&size, s->crew);
    const size_t own = sizeof(double) * THREADS * (size_t)size.own;
    const bool near_fits = fits(&properties, near), own_fits = near_fits && own > 0 && fits(&properties, near + own);
    s->room = (near_fits ? near : 0) + (own_fits ? own : 0);
    std::snprintf(s->architecture, sizeof s->architecture, "--gpu-architecture=sm_%d%d", properties.major,
                  properties.minor);
    std::snprintf(s->threads, sizeof s->threads, "-DTHREADS=%d", (int)THREADS);
    std::snprintf(s->stride, sizeof s->stride, "-DNEAR_STRIDE=%d", near_fits ? (int)THREADS / s->crew : 1);
    std::snprintf(s->own, sizeof s->own, "-DOWN_STRIDE=%d", own_fits ? (int)THREADS : 0);
    std::snprintf(s->contract, sizeof s->contract, "--fmad=%s", fast ? "true" : "false");
    hash_source(s);
    return true;
}

// ------------------------------------------------------------------------------------------ the compiler

/// NVRTC, found when it is needed: the library loads without it.
struct compiler {
    void *library;
    decltype(&nvrtcCreateProgram) create;
    decltype(&nvrtcCompileProgram) compile;
    decltype(&nvrtcGetCUBINSize) size;
    decltype(&nvrtcGetCUBIN) get;
    decltype(&nvrtcDestroyProgram) destroy;
};

template <typename T> static bool look_up(void *library, const char *name, T &function)
{
    function = reinterpret_cast<T>(dlsym(library, name));
    return function != nullptr;
}

static bool find_compiler(compiler *c)
{
    char path[1024];
    for (const char *folder : {"", FF_CUDA_LIBRARIES "/"}) {
        std::snprintf(path, sizeof path, "%slibnvrtc.so.%d", folder, CUDART_VERSION / 1000);
        if (!c->library) c->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    return c->library && look_up(c->library, "nvrtcCreateProgram", c->create) &&
           look_up(c->library, "nvrtcCompileProgram", c->compile) &&
           look_up(c->library, "nvrtcGetCUBINSize", c->size) && look_up(c->library, "nvrtcGetCUBIN", c->get) &&
           look_up(c->library, "nvrtcDestroyProgram", c->destroy);
}

/// @param why  set where there is no code
/// @return the code of the device, malloc'ed; NULL: there is no compiler, or the model is too large for a device
static char *compile(const source *s, size_t *size, const char **why)
{
    compiler c = {};
    nvrtcProgram program = nullptr;
    char *code = nullptr;
    const char *const options[] = {s->architecture,
                                   s->threads,
                                   s->stride,
                                   s->own,
                                   s->contract,
                                   "--std=c++17",
                                   "--device-as-default-execution-space"};
    const bool found = find_compiler(&c);
    *why = found ? "NVRTC cannot compile it" : "NVRTC, the compiler of CUDA, is not found in the version of this build";
    if (found && c.create(&program, s->text, "step.cu", KERNEL_COUNT, KERNEL_TEXTS, KERNEL_NAMES) == NVRTC_SUCCESS &&
        c.compile(program, sizeof options / sizeof *options, options) == NVRTC_SUCCESS &&
        c.size(program, size) == NVRTC_SUCCESS && (code = static_cast<char *>(std::malloc(*size))) &&
        c.get(program, code) != NVRTC_SUCCESS) {
        std::free(code);
        code = nullptr;
    }
    if (program) c.destroy(&program);
    if (c.library) dlclose(c.library);
    return code;
}

// ------------------------------------------------------------------------------------------ what is kept

/// Where the code of this hash is kept; false: nowhere.
static bool cache_path(uint64_t hash, char *path, size_t size)
{
    const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
    char folder[512];
    const bool own = cache && cache[0] == '/';
    if (!own && !(home && home[0] == '/')) return false;
    const int folded = std::snprintf(folder, sizeof folder, "%s%s", own ? cache : home, own ? "" : "/.cache");
    if (folded < 0 || (size_t)folded >= sizeof folder) return false;
    mkdir(folder, 0700);
    const int length = std::snprintf(path, size, "%s/footfall", folder);
    mkdir(path, 0700);
    return length > 0 && (size_t)length + 32 < size &&
           std::snprintf(path + length, size - (size_t)length, "/%016llx.cubin", (unsigned long long)hash) > 0;
}

static char *read_kept(const char *path, size_t *size)
{
    std::FILE *file = std::fopen(path, "rb");
    struct stat about;
    char *code = nullptr;
    if (file && fstat(fileno(file), &about) == 0 && about.st_size > 0 &&
        (code = static_cast<char *>(std::malloc((size_t)about.st_size)))) {
        *size = (size_t)about.st_size;
        if (std::fread(code, 1, *size, file) != *size) {
            std::free(code);
            code = nullptr;
        }
    }
    if (file) std::fclose(file);
    return code;
}

/// Under another name first, so that nobody reads half of it. What cannot be kept is compiled again.
static void keep(const char *path, const char *code, size_t size)
{
    char other[640];
    std::snprintf(other, sizeof other, "%s.XXXXXX", path);
    const int opened = mkstemp(other);
    std::FILE *file = opened >= 0 ? fdopen(opened, "wb") : nullptr;
    if (!file) return;
    bool whole = std::fwrite(code, 1, size, file) == size;
    whole = std::fclose(file) == 0 && whole;
    if (!whole || std::rename(other, path) != 0) std::remove(other);
}

// ------------------------------------------------------------------------------------------ the kernel

static bool fill(cudaLibrary_t library, const char *name, const void *numbers, size_t size)
{
    void *table = nullptr;
    size_t room = 0;
    if (size == 0) return true;
    return cudaLibraryGetGlobal(&table, &room, library, name) == cudaSuccess && size <= room &&
           cudaMemcpy(table, numbers, size, cudaMemcpyHostToDevice) == cudaSuccess;
}

static bool fill_tables(cudaLibrary_t library, const ff_batch_model *m, const ff_batch_model *there)
{
#define FILL(name, array, count) fill(library, name, array, sizeof *(array) * (size_t)(count))
    return FILL("MODEL", there, 1) && FILL("NODES", m->nodes, m->nnode) && FILL("DOFS", m->dofs, m->nv) &&
           FILL("SERVOS", m->servos, m->nservo) && FILL("ACTUATORS", m->actuators, m->nactuator) &&
           FILL("POINTS", m->points, m->npoint) && FILL("PLANES", m->planes, m->nplane) &&
           FILL("CONTACTS", m->contacts, m->ncontact) && FILL("POSES", m->cycle.poses, m->cycle.npose * m->nservo);
#undef FILL
}

static bool load(ff_batch_special *special, const source *s, const char *code)
{
    int device = 0;
    special->crew = s->crew;
    special->shared = s->room;
    if (cudaLibraryLoadData(&special->library, code, nullptr, nullptr, 0, nullptr, nullptr, 0) != cudaSuccess) {
        special->library = nullptr;
        return false;
    }
    return cudaLibraryGetKernel(&special->kernel, special->library, "make_steps") == cudaSuccess &&
           cudaGetDevice(&device) == cudaSuccess &&
           cudaKernelSetAttributeForDevice(special->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)s->room,
                                           device) == cudaSuccess;
}

/// What is kept, or what the compiler makes where nothing is, or what is kept cannot be loaded.
/// @return why there is no kernel; NULL: there is one
static const char *load_or_compile(ff_batch_special *special, const source *s)
{
    char path[600];
    size_t size = 0;
    const bool can_keep = cache_path(s->hash, path, sizeof path);
    char *code = can_keep ? read_kept(path, &size) : nullptr;
    bool loaded = code && load(special, s, code);
    std::free(code);
    if (loaded) return nullptr;
    const char *why;
    if (special->library) cudaLibraryUnload(special->library);
    special->library = nullptr;
    code = compile(s, &size, &why);
    if (code) why = "the device does not take the compiled code";
    loaded = code && load(special, s, code);
    if (loaded && can_keep) keep(path, code, size);
    std::free(code);
    return loaded ? nullptr : why;
}

/// @return why there is no kernel; NULL: there is one
static const char *fill_in(ff_batch_special *special, source *s, const ff_batch_model *model,
                           const ff_batch_model *there, int robots, bool fast)
{
    if (!special) return "there is no memory";
    if (!write_source(s, model, robots, fast))
        return "the model has more than 48 unlike nodes, or a limb of more than 8";
    const char *why = load_or_compile(special, s);
    if (why) return why;
    return fill_tables(special->library, model, there) ? nullptr : "the device does not take the numbers of the model";
}

ff_batch_special *ff_batch_special_open(const ff_batch_model *model, const ff_batch_model *there, int robots, bool fast,
                                        const char **why)
{
    source s = {};
    ff_batch_special *special = static_cast<ff_batch_special *>(std::calloc(1, sizeof *special));
    *why = fill_in(special, &s, model, there, robots, fast);
    if (*why) {
        ff_batch_special_close(special);
        special = nullptr;
        cudaGetLastError(); // the general kernel begins without it
    }
    std::free(s.text);
    return special;
}

void ff_batch_special_close(ff_batch_special *special)
{
    if (!special) return;
    if (special->library) cudaLibraryUnload(special->library);
    std::free(special);
}

void ff_batch_special_step(const ff_batch_special *special, const ff_batch_rules *rules, double *x, const double *in,
                           int robots, int steps)
{
    ff_batch_rules own = *rules;
    void *arguments[] = {&own, &x, &in, &robots, &steps};
    const unsigned each = THREADS / (unsigned)special->crew, groups = ((unsigned)robots + each - 1) / each;
    cudaLaunchKernel(reinterpret_cast<const void *>(special->kernel), dim3(groups), dim3(THREADS), arguments,
                     special->shared, nullptr);
}
