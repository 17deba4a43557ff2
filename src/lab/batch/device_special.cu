// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "batch/device_parts.h"

#include "batch/host_files.h"
#include "kernel_sources.inc"

#include <nvrtc.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

enum { THREADS = 128 };

struct ff_batch_special {
    cudaLibrary_t library;
    cudaKernel_t kernel;
    int crew;      // threads that share a robot
    size_t shared; // memory of a group of threads  [byte]
    // in single precision: rows and inputs of all robots, and how many numbers these are; else NULL
    float *x, *in;
    size_t nx, nin;
};

/// What a model needs: its text, how it is compiled, and the name under which that is kept.
struct source {
    char *text;
    char options[16][48]; // of the compiler
    int noption;
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
    for (int i = 0; i < s->noption; i++) s->hash = hash_text(s->hash, s->options[i]);
    for (const char *text : KERNEL_TEXTS) s->hash = hash_text(s->hash, text);
}

/// So many groups of threads have room for that on a multiprocessor.
static bool fits(const cudaDeviceProp *p, int groups, size_t room)
{
    const size_t kept = 1024; // by the device, of each group
    return (size_t)groups * (room + kept) <= p->sharedMemPerMultiprocessor;
}

static size_t number_size(ff_batch_rounding rounding)
{
    return rounding == FF_BATCH_SINGLE ? sizeof(float) : sizeof(double);
}

/// How numbers lie in the memory that crews share: from row to row, and from robot to robot. Doubles of a row lie side
/// by side. Floats of a robot do, so that four are moved at once; robots are an odd number of fours apart, so that
/// those of eight threads lie in different banks.
struct spacing {
    int stride, pitch, count;
};

static spacing spacing_of(const ff_batch_special_size *size, ff_batch_rounding rounding, int crew)
{
    const int rows = size->near + (crew > 1 ? size->stations : 0), robots = THREADS / crew;
    const int fours = ((rows + 3) / 4) | 1;
    if (rounding == FF_BATCH_SINGLE) return {1, 4 * fours, 4 * fours * robots};
    return {robots, 1, rows * robots};
}

static size_t room_of(const ff_batch_special_size *size, ff_batch_rounding rounding, int crew)
{
    return number_size(rounding) * (size_t)spacing_of(size, rounding, crew).count;
}

/// More members make a robot faster and do less side by side, as some wait for others: as few as keep the threads of a
/// device busy. In the fast modes two are better than one in any case: what they share is no local memory then.
static int crew_of(const ff_batch_special_size *size, ff_batch_rounding rounding, const cudaDeviceProp *p, int robots)
{
    const int busy = 192 * p->multiProcessorCount; // threads
    int crew = rounding != FF_BATCH_EXACT && size->limbs > 1 ? 2 : 1;
    while (crew < 8 && crew < size->limbs && crew * robots < busy) crew *= 2;
    while (crew > 1 && crew < 8 && !fits(p, 2, room_of(size, rounding, crew))) crew *= 2;
    return fits(p, 2, room_of(size, rounding, crew)) ? crew : 1;
}

/// Groups of threads for which a multiprocessor has registers: numbers in double precision leave room for two, in
/// single precision there is room for three where there are threads for them, with fewer registers each.
static int groups_of(ff_batch_rounding rounding, const cudaDeviceProp *p, int threads)
{
    return rounding == FF_BATCH_SINGLE && threads > 2 * THREADS * p->multiProcessorCount ? 3 : 2;
}

static bool write_text(source *s, const ff_batch_model *model, ff_batch_rounding rounding)
{
    size_t length = 0;
    std::FILE *file = open_memstream(&s->text, &length);
    if (!file) return false;
    bool written = ff_batch_write_special(model, s->crew, rounding, file);
    written = std::fputs("#include \"batch/limbs_kernel.h\"\n", file) >= 0 && written;
    return std::fclose(file) == 0 && written;
}

static void add_option(source *s, const char *option)
{
    std::snprintf(s->options[s->noption], sizeof s->options[0], "%s", option);
    s->noption++;
}

static void add_number(source *s, const char *format, int number)
{
    char option[48];
    std::snprintf(option, sizeof option, format, number);
    add_option(s, option);
}

static bool write_source(source *s, const ff_batch_model *model, int robots, ff_batch_rounding rounding)
{
    int device = 0;
    cudaDeviceProp properties;
    ff_batch_special_size size;
    if (cudaGetDevice(&device) != cudaSuccess || cudaGetDeviceProperties(&properties, device) != cudaSuccess ||
        !ff_batch_look_special(model, rounding, &size))
        return false;
    s->crew = crew_of(&size, rounding, &properties, robots);
    if (!write_text(s, model, rounding)) return false;
    const int groups = groups_of(rounding, &properties, robots * s->crew);
    const size_t near = room_of(&size, rounding, s->crew);
    const size_t own = number_size(rounding) * THREADS * (size_t)size.own;
    const bool scarce = rounding != FF_BATCH_SINGLE || groups > 2; // registers
    const bool near_fits = fits(&properties, groups, near);
    const bool own_fits = near_fits && own > 0 && scarce && fits(&properties, groups, near + own);
    s->room = (near_fits ? near : 0) + (own_fits ? own : 0);
    const spacing apart = near_fits ? spacing_of(&size, rounding, s->crew) : spacing{1, 0, 0};
    add_number(s, "--gpu-architecture=sm_%d", 10 * properties.major + properties.minor);
    add_number(s, "-DTHREADS=%d", THREADS);
    add_number(s, "-DGROUPS=%d", groups);
    add_number(s, "-DNEAR_STRIDE=%d", apart.stride);
    add_number(s, "-DNEAR_PITCH=%d", apart.pitch);
    add_number(s, "-DOWN_STRIDE=%d", own_fits ? THREADS : 0);
    add_number(s, "-DOWN_FROM=%d", apart.count);
    add_option(s, rounding == FF_BATCH_SINGLE  ? "--use_fast_math"
                  : rounding == FF_BATCH_FUSED ? "--fmad=true"
                                               : "--fmad=false");
    add_option(s, "--std=c++17");
    add_option(s, "--device-as-default-execution-space");
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
/// @return the code of the device; NULL: there is no compiler, or the model is too large for a device
static ff_host_bytes compile(const source *s, const char **why)
{
    compiler c = {};
    nvrtcProgram program = nullptr;
    ff_host_bytes code = {};
    const char *options[sizeof s->options / sizeof s->options[0]];
    for (int i = 0; i < s->noption; i++) options[i] = s->options[i];
    const bool found = find_compiler(&c);
    *why = found ? "NVRTC cannot compile it" : "NVRTC, the compiler of CUDA, is not found in the version of this build";
    if (found && c.create(&program, s->text, "step.cu", KERNEL_COUNT, KERNEL_TEXTS, KERNEL_NAMES) == NVRTC_SUCCESS &&
        c.compile(program, s->noption, options) == NVRTC_SUCCESS && c.size(program, &code.size) == NVRTC_SUCCESS &&
        (code.data = static_cast<unsigned char *>(std::malloc(code.size))) &&
        c.get(program, reinterpret_cast<char *>(code.data)) != NVRTC_SUCCESS) {
        std::free(code.data);
        code.data = nullptr;
    }
    if (program) c.destroy(&program);
    if (c.library) dlclose(c.library);
    return code;
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

static bool fill_rounded(cudaLibrary_t library, const ff_batch_table *table)
{
    size_t size = 0;
    void *numbers = ff_batch_round_table(table, &size);
    const bool filled = numbers && fill(library, table->name, numbers, size);
    std::free(numbers);
    return filled;
}

static bool fill_tables(cudaLibrary_t library, const ff_batch_model *m, const ff_batch_model *there,
                        ff_batch_rounding rounding)
{
    ff_batch_table tables[FF_BATCH_TABLES];
    ff_batch_list_tables(m, tables);
    bool filled = fill(library, "MODEL", there, sizeof *there);
    for (const ff_batch_table &t : tables)
        filled = filled && (rounding == FF_BATCH_SINGLE ? fill_rounded(library, &t)
                                                        : fill(library, t.name, t.from, t.count * t.size));
    return filled;
}

/// Rows and inputs in single precision, from which steps start and which they leave.
static bool make_singles(ff_batch_special *special, const ff_batch_model *m, int robots)
{
    special->nx = (size_t)robots * (size_t)m->nrow;
    special->nin = (size_t)robots * (size_t)m->ninput;
    return cudaMalloc(reinterpret_cast<void **>(&special->x), sizeof(float) * special->nx) == cudaSuccess &&
           cudaMalloc(reinterpret_cast<void **>(&special->in), sizeof(float) * special->nin + 1) == cudaSuccess;
}

static __global__ void round_numbers(const double *from, float *to, size_t count)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < count) to[i] = (float)from[i];
}

/// What steps have changed; what they have not keeps its digits.
static __global__ void take_numbers(const float *from, double *to, size_t count)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < count && (float)to[i] != from[i]) to[i] = from[i];
}

static unsigned groups_for(size_t numbers)
{
    return (unsigned)((numbers + THREADS - 1) / THREADS);
}

static bool load(ff_batch_special *special, const source *s, const void *code)
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
    char cache[FF_HOST_PATH] = "", path[FF_HOST_PATH + 64];
    const bool can_keep = ff_host_cache(cache);
    std::snprintf(path, sizeof path, "%s/%016llx.cubin", cache, (unsigned long long)s->hash);
    ff_host_bytes code = can_keep ? ff_host_read_kept(path, s->hash) : ff_host_bytes{};
    bool loaded = code.data && load(special, s, code.data);
    std::free(code.data);
    if (loaded) return nullptr;
    const char *why;
    if (special->library) cudaLibraryUnload(special->library);
    special->library = nullptr;
    code = compile(s, &why);
    if (code.data) why = "the device does not take the compiled code";
    loaded = code.data && load(special, s, code.data);
    if (loaded && can_keep) {
        ff_host_sweep(cache);
        ff_host_keep(path, s->hash, &code);
    }
    std::free(code.data);
    return loaded ? nullptr : why;
}

static void launch(const ff_batch_special *special, const ff_batch_rules *rules, void *rows, const void *inputs,
                   int robots, int steps)
{
    ff_batch_rules own = *rules;
    void *arguments[] = {&own, &rows, &inputs, &robots, &steps};
    const unsigned each = THREADS / (unsigned)special->crew, groups = ((unsigned)robots + each - 1) / each;
    cudaLaunchKernel(reinterpret_cast<const void *>(special->kernel), dim3(groups), dim3(THREADS), arguments,
                     special->shared, nullptr);
}

/// Code is loaded and local memory is found when a kernel is launched first, which takes some milliseconds: no steps.
static bool warm_up(const ff_batch_special *special, int robots)
{
    const ff_batch_rules none = {};
    if (special->x) {
        round_numbers<<<1, THREADS>>>(nullptr, special->x, 0);
        take_numbers<<<1, THREADS>>>(special->x, nullptr, 0);
    }
    launch(special, &none, special->x, special->in, robots, 0);
    return cudaDeviceSynchronize() == cudaSuccess;
}

/// @return why there is no kernel; NULL: there is one
static const char *fill_in(ff_batch_special *special, source *s, const ff_batch_model *model,
                           const ff_batch_model *there, int robots, ff_batch_rounding rounding)
{
    if (!special) return "there is no memory";
    if (!write_source(s, model, robots, rounding))
        return "the model has more than 48 unlike nodes, or a limb of more than 8";
    const char *why = load_or_compile(special, s);
    if (why) return why;
    if (rounding == FF_BATCH_SINGLE && !make_singles(special, model, robots))
        return "there is no memory on the device for numbers in single precision";
    if (!fill_tables(special->library, model, there, rounding))
        return "the device does not take the numbers of the model";
    return warm_up(special, robots) ? nullptr : "the device does not launch the kernel";
}

ff_batch_special *ff_batch_special_open(const ff_batch_model *model, const ff_batch_model *there, int robots,
                                        ff_batch_rounding rounding, const char **why)
{
    source s = {};
    ff_batch_special *special = static_cast<ff_batch_special *>(std::calloc(1, sizeof *special));
    *why = fill_in(special, &s, model, there, robots, rounding);
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
    cudaFree(special->x);
    cudaFree(special->in);
    std::free(special);
}

void ff_batch_special_step(const ff_batch_special *special, const ff_batch_rules *rules, double *x, const double *in,
                           int robots, int steps)
{
    if (special->x) {
        round_numbers<<<groups_for(special->nx), THREADS>>>(x, special->x, special->nx);
        if (special->nin > 0) round_numbers<<<groups_for(special->nin), THREADS>>>(in, special->in, special->nin);
        launch(special, rules, special->x, special->in, robots, steps);
        take_numbers<<<groups_for(special->nx), THREADS>>>(special->x, x, special->nx);
    } else {
        launch(special, rules, x, in, robots, steps);
    }
}
