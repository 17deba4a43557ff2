// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Code that a C compiler makes for one model at run time: the bits of the general loop, kept and used again, compiled
// again where what is kept is broken or not ours, and the general loop with a reason where there is no compiler.
#include "batch/host_files.h"
#include "special_compiler.h"
#include "support/random_robot.h"

#include <footfall/footfall.h>

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

enum { ROBOTS = 7, STEPS = 60 };

/// A random robot with shapes on a slope, in a simulation by euler.
typedef struct crew {
    ff_spec *spec;
    ff_model *model;
    ff_world *world;
    ff_sim *sim;
    ff_batch_model *batch;
} crew;

/// Servos of the batch of a robot hold its hinges and slides. @param step  [s]
static crew crew_create(int seed, double step)
{
    static const ff_shape_type types[] = {FF_SHAPE_SPHERE, FF_SHAPE_BOX, FF_SHAPE_CAPSULE};
    static const double axis[3] = {0.6, 0.8, 0.0};
    const ff_batch_servo servo = {.joint = -1, .stiffness = 3.0, .damping = 0.1, .most = 2.0};
    ff_random random = ff_random_make(22, (uint64_t)seed);
    crew c = {.spec = random_robot(&random, 3 + seed % 5, seed % 2 == 0, seed % 3 == 0)};
    char name[32];
    const int nbody = c.spec->nbody;
    for (int i = 0; i < nbody; i++) {
        snprintf(name, sizeof name, "shape%d", i);
        ff_spec_geom *g = ff_spec_add_geom(c.spec, name, i, types[i % 3]);
        ff_vec3_set(g->size, 0.05, 0.08, 0.03);
        random_quat(&random, g->quat);
        g->gives_mass = false;
    }
    ff_quat_from_axis_angle(ff_spec_add_geom(c.spec, "slope", -1, FF_SHAPE_PLANE)->quat, axis, 0.2);
    for (int i = 0; i < c.spec->njoint; i++) { // what a batch does not know
        ff_spec_joint *j = &c.spec->joints[i];
        if (j->type == FF_JOINT_BALL || j->type == FF_JOINT_FREE) j->stiffness = 0.0;
        if (j->type == FF_JOINT_FREE) j->damping = j->dry_friction = 0.0;
    }
    ff_sim_options o = ff_sim_options_default();
    o.method = FF_METHOD_EULER;
    o.step = step;
    ff_world_options w = ff_world_options_default();
    w.most_contacts = 200;
    c.model = ff_model_compile(c.spec, NULL, NULL);
    c.world = ff_world_create(c.model, &w, NULL);
    c.sim = ff_sim_create(c.model, &o, NULL);
    CHECK(c.model && c.world && c.sim);
    CHECK_INT(ff_sim_add_world(c.sim, c.world, NULL), FF_OK);
    c.batch = ff_batch_compile(c.sim, &servo, 1, NULL);
    CHECK(c.batch);
    return c;
}

static void crew_destroy(crew *c)
{
    ff_batch_model_destroy(c->batch);
    ff_sim_destroy(c->sim);
    ff_world_destroy(c->world);
    ff_model_destroy(c->model);
    ff_spec_destroy(c->spec);
}

/// Unlike robots, of which some end, and one that draws a body of its own.
static ff_batch *make(const crew *c, int lanes, int specialise, int fast)
{
    const ff_batch_spread row = {.quantity = FF_BATCH_FRICTION, .low = 0.5, .high = 1.5, .which = "shape0"};
    const ff_batch_options o = {.robots = ROBOTS,
                                .lanes = lanes,
                                .threads = 2,
                                .specialise = specialise,
                                .fast = fast,
                                .seed = 3,
                                .spreads = &row,
                                .nspread = 1,
                                .end = "age > 20 and mass > 0.75 + 0.2 * friction",
                                .reward = "age * mass"};
    ff_batch *b = ff_batch_create(c->batch, &o, NULL);
    CHECK(b);
    for (int k = 0; k < ROBOTS; k++)
        for (int f = 0; f < FF_BATCH_PARAMETERS; f++)
            ff_batch_set_parameter(b, k, (ff_batch_parameter)f, 0.8 + 0.05 * k + 0.01 * f, NULL);
    return b;
}

static uint64_t hash_after(ff_batch *b)
{
    CHECK_INT(ff_batch_step(b, 1, NULL), FF_OK);
    CHECK_INT(ff_batch_step(b, STEPS - 1, NULL), FF_OK);
    return ff_batch_hash(b);
}

static uint64_t hash_of_general(const crew *c)
{
    ff_batch *b = make(c, 0, 0, 0);
    CHECK(strcmp(ff_batch_kernel_name(b), "lanes") == 0 && !ff_batch_kernel_reason(b));
    const uint64_t hash = hash_after(b);
    const int ended = ff_batch_count(b, FF_BATCH_FINISHED);
    CHECK(ended > 0 && ended < ROBOTS);
    ff_batch_destroy(b);
    return hash;
}

TEST(without_a_compiler_the_general_loop_makes_the_steps_and_says_why)
{
    crew c = crew_create(14, 1e-4);
    setenv("CC", "/nonexistent/compiler", 1);
    ff_batch *b = make(&c, 0, 1, 0);
    CHECK(strcmp(ff_batch_kernel_name(b), "lanes") == 0);
    CHECK(!ff_batch_kernel_compiler(b));
#ifdef FF_TEST_COMPILER
    CHECK(strstr(ff_batch_kernel_reason(b), "/nonexistent/compiler does not report its version: "));
#else
    CHECK(ff_batch_kernel_reason(b));
#endif
    CHECK(hash_after(b) == hash_of_general(&c));
    ff_batch_destroy(b);
    crew_destroy(&c);
}

TEST(fused_operations_need_code_for_the_model)
{
    crew c = crew_create(14, 1e-4);
    ff_error err = {0};
    CHECK(!ff_batch_create(c.batch, &(ff_batch_options){.robots = 1, .fast = 1}, &err));
    CHECK_INT(err.status, FF_BAD_ARGUMENT);
    CHECK(strstr(err.text, "specialise"));
    crew_destroy(&c);
}

#ifdef FF_TEST_COMPILER
/// How often the compiler has compiled.
static int compiled(void)
{
    struct stat about;
    return stat(in_folder("calls"), &about) == 0 ? (int)about.st_size : 0;
}

/// The only code that is kept. Nothing else is left in the cache.
static const char *kept_code(void)
{
    static char path[600];
    DIR *dir = opendir(in_folder("cache/footfall"));
    int count = 0;
    CHECK(dir);
    for (const struct dirent *e; (e = readdir(dir));) {
        if (e->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", in_folder("cache/footfall"), e->d_name);
        count++;
    }
    closedir(dir);
    CHECK_INT(count, 1);
    return path;
}

/// A batch by code for the model has these bits. @return how often that was compiled
static int check_bits(const crew *c, int lanes, uint64_t expected)
{
    const int before = compiled();
    ff_batch *b = make(c, lanes, 1, 0);
    if (ff_batch_kernel_reason(b)) CHECK_FAIL("%d lanes: %s", lanes, ff_batch_kernel_reason(b));
    CHECK(strcmp(ff_batch_kernel_name(b), "specialised") == 0);
#ifdef __clang__
    CHECK(strncmp(ff_batch_kernel_compiler(b), "clang ", 6) == 0); // the test's compiler is that of the build
#else
    CHECK(strcmp(ff_batch_kernel_compiler(b), "GCC " __VERSION__) == 0);
#endif
    if (hash_after(b) != expected) CHECK_FAIL("code for the model in %d lanes has other bits", lanes);
    ff_batch_destroy(b);
    return compiled() - before;
}

// Free, fixed, with balls and slides; every width on the first, the widest on all.
TEST(code_for_a_model_has_the_bits_of_the_general_loop)
{
    static const int seeds[] = {14, 13, 15};
    set_compiler("-O0");
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        crew c = crew_create(seeds[i], 1e-4);
        const uint64_t expected = hash_of_general(&c);
        for (int k = 0, lanes; (lanes = ff_batch_lanes_there(k)) > 0; k++)
            if (i == 0 || ff_batch_lanes_there(k + 1) <= 0) CHECK_INT(check_bits(&c, lanes, expected), 1);
        crew_destroy(&c);
    }
}

TEST(code_is_kept_and_compiled_again_where_it_is_broken_or_not_ours)
{
    set_compiler("-O0");
    crew c = crew_create(14, 1e-4);
    const uint64_t expected = hash_of_general(&c);
    CHECK_INT(check_bits(&c, 0, expected), 1);
    CHECK_INT(check_bits(&c, 0, expected), 0);
    const char *kept = kept_code();
    struct stat about;
    CHECK_INT(stat(kept, &about), 0);
    CHECK_INT(truncate(kept, about.st_size / 2), 0);
    CHECK_INT(check_bits(&c, 0, expected), 1);
    CHECK_INT(check_bits(&c, 0, expected), 0);
    FILE *file = fopen(kept_code(), "r+b"); // one bit of it
    CHECK(file && fseek(file, about.st_size / 3, SEEK_SET) == 0);
    const int byte = fgetc(file);
    CHECK(fseek(file, about.st_size / 3, SEEK_SET) == 0 && fputc(byte ^ 1, file) != EOF && fclose(file) == 0);
    CHECK_INT(check_bits(&c, 0, expected), 1);
    CHECK_INT(chmod(kept_code(), 0622), 0); // others may have written it
    CHECK_INT(check_bits(&c, 0, expected), 1);
    CHECK_INT(chmod(in_folder("cache/footfall"), 0777), 0); // others may put files there: nothing is taken or kept
    CHECK_INT(check_bits(&c, 0, expected), 1);
    CHECK_INT(chmod(in_folder("cache/footfall"), 0700), 0);
    CHECK_INT(check_bits(&c, 0, expected), 0);
    crew_destroy(&c);
}

// As of another processor with the same home: whole, by its sum, and nothing that can be loaded.
TEST(code_that_is_kept_and_cannot_be_loaded_is_compiled_again)
{
    set_compiler("-O0");
    crew c = crew_create(14, 1e-4);
    const uint64_t expected = hash_of_general(&c);
    CHECK_INT(check_bits(&c, 0, expected), 1);
    static const char other[] = "no library of this processor";
    unsigned char code[sizeof other + sizeof(uint64_t)];
    const char *kept = kept_code();
    const uint64_t sum = ff_hash(other, sizeof other, strtoull(strrchr(kept, '/') + 1, NULL, 16));
    memcpy(code, other, sizeof other);
    memcpy(code + sizeof other, &sum, sizeof sum);
    write_to(kept, code, sizeof code);
    CHECK_INT(check_bits(&c, 0, expected), 1);
    CHECK_INT(check_bits(&c, 0, expected), 0);
    crew_destroy(&c);
}

// They share the code, and each has its numbers.
TEST(models_that_differ_in_numbers_alone_are_compiled_once_and_step_side_by_side)
{
    set_compiler(CHECK_LASTS("-O1 -fexpensive-optimizations", "-O0")); // the first would fuse operations where it may
    crew slow = crew_create(14, 1e-4), quick = crew_create(14, 2e-4);
    const uint64_t expected[] = {hash_of_general(&slow), hash_of_general(&quick)};
    CHECK(expected[0] != expected[1]);
    const int before = compiled();
    ff_batch *a = make(&slow, 0, 1, 0), *b = make(&quick, 0, 1, 0);
    CHECK_INT(compiled() - before, 1);
    CHECK(hash_after(a) == expected[0] && hash_after(b) == expected[1]);
    ff_batch_destroy(a);
    ff_batch_destroy(b);
    crew_destroy(&slow);
    crew_destroy(&quick);
}

// Rounding of 1e-16 a step, which stiff contacts and quick bodies may make a thousand times as large (as
// test_batch_models has it between a batch and a simulation).
TEST(fused_operations_differ_by_rounding)
{
#ifdef FF_SANITIZED
    SKIP("numbers are proven without sanitizers, and the code for the model has none");
#endif
    set_compiler("-O1 -fexpensive-optimizations");
    crew c = crew_create(14, 1e-4);
    ff_batch *exact = make(&c, 0, 0, 0), *fast = make(&c, 0, 1, 1);
    if (ff_batch_kernel_reason(fast)) CHECK_FAIL("%s", ff_batch_kernel_reason(fast));
    CHECK(hash_after(exact) != hash_after(fast));
    const ff_batch_sizes sizes = ff_batch_model_sizes(c.batch);
    double q[2][128], worst = 0.0;
    CHECK(sizes.nq <= 128);
    for (int i = 0; i < ROBOTS; i++) {
        ff_batch_get_state(exact, i, q[0], NULL, NULL);
        ff_batch_get_state(fast, i, q[1], NULL, NULL);
        for (int k = 0; k < sizes.nq; k++) worst = ff_max(worst, fabs(q[0][k] - q[1][k]));
    }
    printf("  farthest apart: %.1e\n", worst);
    CHECK(worst < 1e-11);
    ff_batch_destroy(exact);
    ff_batch_destroy(fast);
    crew_destroy(&c);
}

TEST(code_that_cannot_be_compiled_leaves_the_general_loop)
{
    set_compiler("-O0 -include nothing-that-is-there.h");
    crew c = crew_create(14, 1e-4);
    ff_batch *b = make(&c, 0, 1, 0);
    CHECK(strcmp(ff_batch_kernel_name(b), "lanes") == 0);
    CHECK(strstr(ff_batch_kernel_reason(b), "cannot compile it: "));
    CHECK(strstr(ff_batch_kernel_reason(b), "nothing-that-is-there.h"));
    CHECK(hash_after(b) == hash_of_general(&c));
    ff_batch_destroy(b);
    crew_destroy(&c);
}

/// What a compiler says, and the line of it that is the reason.
static void check_first_error(const char *said, const char *expected)
{
    char line[40];
    write_file("said", said);
    ff_host_first_error(in_folder("said"), "/tmp/step.1", line, sizeof line);
    if (strcmp(line, expected) != 0) CHECK_FAIL("of '%s' the first error is '%s'", said, line);
}

TEST(the_line_that_names_a_mistake_is_the_reason)
{
    check_first_error("", "");
    check_first_error("\n\n", "");
    check_first_error("In file included from /tmp/step.1/step.c:1:\nx.h:2:3: error: 'a' undeclared\n  2 | a;\n",
                      "x.h:2:3: error: 'a' undeclared");
    check_first_error(
        "cc: warning: it is late\n/tmp/step.1/step.c: In function 'run':\n/tmp/step.1/step.c:7: error: no\n",
        "step.c:7: error: no");
    check_first_error("/usr/bin/ld: cannot find -lm\ncollect2: error: ld returned 1\n", "/usr/bin/ld: cannot find -lm");
    check_first_error("error: \xc3\xa4\x07 \xff",
                      "error: ??? ?"); // texts of a reason are ASCII, whatever it is shown by
    check_first_error("0123456789012345678901234567890123456789", "012345678901234567890123456789012345678");
    char line[8];
    ff_host_first_error(in_folder("not-there"), "", line, sizeof line);
    CHECK(line[0] == 0);
}

/// Is a process there that wrote its number into a file? One that ended and that nobody has reaped is not.
static bool is_alive(const char *name)
{
    FILE *file = fopen(in_folder(name), "r");
    int number = 0;
    char path[64], state = 0;
    CHECK(file && fscanf(file, "%d", &number) == 1 && number > 1);
    fclose(file);
    snprintf(path, sizeof path, "/proc/%d/stat", number);
    file = fopen(path, "r");
    if (!file) return kill(number, 0) == 0;
    const bool known = fscanf(file, "%*d %*s %c", &state) == 1;
    fclose(file);
    return known && state != 'Z' && state != 'X';
}

// The limit of compiling is ten minutes; here it is a second. What the compiler had started goes with it.
TEST(a_compiler_that_hangs_is_ended)
{
    static const char *const none[] = {NULL};
    char text[900];
    snprintf(text, sizeof text, "#!/bin/sh\nsleep 1000 &\necho $! > '%s'\nwait\n", in_folder("number"));
    write_file("hangs", text);
    CHECK_INT(chmod(in_folder("hangs"), 0700), 0);
    CHECK_INT(ff_host_run(in_folder("hangs"), none, in_folder("said"), 1), FF_HOST_SLOW);
    for (int i = 0; i < 1000 && is_alive("number"); i++) nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    CHECK(!is_alive("number"));
    CHECK_INT(ff_host_run("true", none, in_folder("said"), 60), FF_HOST_DONE);
    CHECK_INT(ff_host_run("sh -c 'exit", none, in_folder("said"), 60), FF_HOST_FAILED);
    CHECK_INT(ff_host_run("false", none, in_folder("said"), 60), FF_HOST_FAILED);
}

// A host may ignore the end of its children, which children inherit, or reap them all itself.
TEST(a_host_that_reaps_its_children_elsewhere_changes_nothing)
{
    set_compiler("-O0");
    crew c = crew_create(14, 1e-4);
    const uint64_t expected = hash_of_general(&c);
    signal(SIGCHLD, SIG_IGN);
    CHECK_INT(check_bits(&c, 0, expected), 1);
    clear_cache();
    set_compiler("-O0 -include nothing-that-is-there.h");
    ff_batch *b = make(&c, 0, 1, 0);
    CHECK(strstr(ff_batch_kernel_reason(b), "nothing-that-is-there.h"));
    ff_batch_destroy(b);
#ifdef __linux__ // a compiler that waits for its own children must not inherit it
    static const char *const what[] = {"SigIgn", "/proc/self/status", NULL};
    unsigned long long ignored = 0;
    CHECK_INT(ff_host_run("grep", what, in_folder("said"), 60), FF_HOST_DONE);
    FILE *file = fopen(in_folder("said"), "r");
    CHECK(file && fscanf(file, "SigIgn: %llx", &ignored) == 1 && fclose(file) == 0);
    CHECK(!(ignored & 1ULL << (SIGCHLD - 1)));
#endif
    signal(SIGCHLD, SIG_DFL);
    crew_destroy(&c);
}

static void *make_in_thread(void *c)
{
    return make(c, 0, 1, 0);
}

TEST(batches_that_are_made_at_once_compile_once)
{
    enum { AT_ONCE = 4 };
    set_compiler("-O0 -DAT_ONCE"); // flags that no test before has: it takes its time
    crew c = crew_create(14, 1e-4);
    const uint64_t expected = hash_of_general(&c);
    pthread_t threads[AT_ONCE];
    const int before = compiled();
    for (int i = 0; i < AT_ONCE; i++) CHECK_INT(pthread_create(&threads[i], NULL, make_in_thread, &c), 0);
    for (int i = 0; i < AT_ONCE; i++) {
        void *b = NULL;
        CHECK_INT(pthread_join(threads[i], &b), 0);
        CHECK(b && strcmp(ff_batch_kernel_name(b), "specialised") == 0 && hash_after(b) == expected);
        ff_batch_destroy(b);
    }
    CHECK_INT(compiled() - before, 1);
    kept_code();
    crew_destroy(&c);
}

TEST(a_compiler_may_have_a_space_in_its_name_and_ask_for_quick_operations)
{
    set_compiler(CHECK_LASTS("-O1", "-O0"));
    crew c = crew_create(14, 1e-4);
    const uint64_t expected = hash_of_general(&c);
    char quick[600];
    CHECK(snprintf(quick, sizeof quick, "%s -ffast-math", in_folder("compiler")) < (int)sizeof quick);
    setenv("CC", quick, 1);
    CHECK(check_bits(&c, 0, expected) > 0);
    set_compiler("-O0"); // which it has compiled before
    CHECK_INT(rename(in_folder("compiler"), in_folder("my * compiler")), 0);
    setenv("CC", in_folder("my * compiler"), 1);
    CHECK_INT(check_bits(&c, 0, expected), 1);
    crew_destroy(&c);
}

/// Of two folders and two halves of code in the cache one each is old.
static void leave_in_cache(void)
{
    static const char *const names[] = {"step.oldold/batch", "step.newnew/batch"};
    const struct timespec then[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
    char path[600];
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "mkdir -p '%s/%s'", in_folder("cache/footfall"), names[i]);
        CHECK_INT(system(path), 0);
    }
    write_file("cache/footfall/step.oldold/batch/step.h", "\n");
    write_file("cache/footfall/0123.so.oldold", "half");
    write_file("cache/footfall/0123.so.newnew", "half");
    write_file("cache/footfall/0123.so", "whole");
    CHECK_INT(utimensat(AT_FDCWD, in_folder("cache/footfall/step.oldold"), then, 0), 0);
    CHECK_INT(utimensat(AT_FDCWD, in_folder("cache/footfall/0123.so.oldold"), then, 0), 0);
    CHECK_INT(utimensat(AT_FDCWD, in_folder("cache/footfall/0123.so"), then, 0), 0);
    CHECK_INT(chmod(in_folder("cache/footfall"), 0700), 0);
}

static bool there(const char *name)
{
    struct stat about;
    return lstat(in_folder(name), &about) == 0;
}

// A process that was killed beside its compiler cannot remove what it made; others may be at work.
TEST(what_killed_processes_left_is_swept_an_hour_later)
{
    set_compiler("-O0");
    setenv("CC", "/nonexistent/compiler", 1);
    crew c = crew_create(14, 1e-4);
    leave_in_cache();
    ff_batch_destroy(make(&c, 0, 1, 0));
    CHECK(!there("cache/footfall/step.oldold") && !there("cache/footfall/0123.so.oldold"));
    CHECK(there("cache/footfall/step.newnew/batch") && there("cache/footfall/0123.so.newnew"));
    CHECK(there("cache/footfall/0123.so"));
    clear_cache();
    crew_destroy(&c);
}

TEST(the_folder_for_what_is_kept_is_made_with_those_above_it)
{
    set_compiler("-O0");
    setenv("CC", "/nonexistent/compiler", 1);
    setenv("XDG_CACHE_HOME", in_folder("cache/not/there"), 1);
    crew c = crew_create(14, 1e-4);
    ff_batch_destroy(make(&c, 0, 1, 0));
    struct stat about;
    CHECK_INT(stat(in_folder("cache/not/there/footfall"), &about), 0);
    CHECK(S_ISDIR(about.st_mode) && (about.st_mode & 077) == 0);
    crew_destroy(&c);
}
#endif
