// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs images of scenes, each for 5 s of simulated time at most, and prints the hash of the state each ends in:
//     golden build/golden/*.ffscene        NAME HASH, one line each
// Every build on every processor must print what tests/golden/hashes.txt says. Needs the C library alone, so that
// builds for processors without an operating system can run it; scripts/golden-images makes the images. Of the image
// "batch" a batch runs, with draws, formulas and sensors, in every width of lanes that is there.
#include <footfall/batch.h>
#include <footfall/run.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double LONGEST = 5.0; // [s]

static char *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    size_t room = 0;
    *size = 0;
    for (size_t got = 1; file && got > 0; *size += got) {
        if (room - *size < 65536) {
            char *more = realloc(bytes, room = 2 * room + 65536);
            if (!more) break;
            bytes = more;
        }
        got = fread(bytes + *size, 1, room - *size, file);
    }
    if (file) fclose(file);
    return bytes;
}

static void print_messages(const ff_report *report)
{
    for (int i = 0; i < report->count; i++) {
        char text[600];
        if (report->messages[i].severity != FF_ERROR) continue;
        ff_message_format(&report->messages[i], text, sizeof text);
        fprintf(stderr, "%s\n", text);
    }
}

/// "build/golden/anton.ffscene" -> "anton".
static void print_name(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    printf("%.*s", dot && dot > name ? (int)(dot - name) : (int)strlen(name), name);
}

// ------------------------------------------------------------------------------------------ batches

/// Different robots, one of which restarts half way. @return the hash of all states and rewards
static uint64_t hash_batch(const ff_batch_model *model, int lanes, int steps, ff_error *err)
{
    static const double masses[] = {0.9, 1.0, 1.2};
    static const ff_batch_spread spreads[] = {
        {.quantity = FF_BATCH_FRICTION, .kind = FF_BATCH_LOG_UNIFORM, .low = 0.5, .high = 1.5},
        {.quantity = FF_BATCH_MASS, .kind = FF_BATCH_CHOICE, .values = masses, .nvalue = 3},
        {.quantity = FF_BATCH_COM_X, .kind = FF_BATCH_NORMAL, .deviation = 1e-3},
        {.quantity = FF_BATCH_DELAY, .low = 0.0, .high = 7.0},
        {.quantity = FF_BATCH_START_TILT, .low = 0.0, .high = 0.1},
        {.quantity = FF_BATCH_START_X, .low = -0.5, .high = 0.5},
        {.quantity = FF_BATCH_START_SPEEDS, .low = -0.2, .high = 0.2}};
    enum { ROBOTS = 3, SPREADS = sizeof spreads / sizeof *spreads };
    const ff_batch_options o = {.robots = ROBOTS,
                                .threads = 1,
                                .lanes = lanes,
                                .seed = 22,
                                .spreads = spreads,
                                .nspread = SPREADS,
                                .end = "tilt > 1 or abs(sensors.gyro.x) > 50",
                                .reward = "exp(-forward^2) * cos(yaw) - 1e-3 * atan2(root.vz, 1 + sensors.gyro.y^2)"};
    ff_batch *b = ff_batch_create(model, &o, err);
    if (!b || ff_batch_step(b, steps / 2, err) || ff_batch_reset(b, 1, err) ||
        ff_batch_step(b, steps - steps / 2, err)) {
        ff_batch_destroy(b);
        return 0;
    }
    uint64_t hash = ff_batch_hash(b);
    for (int i = 0; i < ROBOTS; i++) {
        const double reward = ff_batch_reward(b, i);
        hash = ff_hash(&reward, sizeof reward, hash);
    }
    ff_batch_destroy(b);
    return hash;
}

/// The same hash of all widths. @return 0 after an error
static uint64_t run_batch(ff_run *run, ff_report *report, ff_error *err)
{
    ff_batch_model *model = ff_run_compile_batch(run, report);
    if (!model) {
        ff_error_set(err, FF_BAD_ARGUMENT, "no batch can be made of it");
        return 0;
    }
    const int steps = (int)(ff_run_get_options(run)->time / ff_batch_model_sizes(model).step + 0.5);
    uint64_t hash = 0;
    for (int i = 0, lanes; !err->status && (lanes = ff_batch_lanes_there(i)) > 0; i++) {
        const uint64_t own = hash_batch(model, lanes, steps, err);
        if (i > 0 && own != hash && !err->status)
            ff_error_set(err, FF_SOLVER, "%d lanes have other bits than fewer", lanes);
        hash = own;
    }
    ff_batch_model_destroy(model);
    return err->status ? 0 : hash;
}

// ------------------------------------------------------------------------------------------ images

static uint64_t run_scene(ff_run *run, ff_error *err)
{
    return ff_run_go(run, err) == FF_OK ? ff_sim_hash(ff_run_sim(run)) : 0;
}

static int run_image(const char *path)
{
    ff_report report = {0};
    ff_error err = {0};
    size_t size;
    char *bytes = read_all(path, &size);
    const ff_scene_spec *scene = bytes ? ff_scene_parse(bytes, size, path, NULL, 0, &report) : NULL;
    if (!bytes) fprintf(stderr, "%s: cannot be read\n", path);
    free(bytes);
    ff_run *run = NULL;
    if (scene) {
        ff_run_options options = ff_run_options_default(scene);
        if (options.time > LONGEST) options.time = LONGEST;
        run = ff_run_create(scene, &options, &report);
    }
    const bool batch = strstr(path, "/batch.") != NULL;
    const uint64_t hash = !run ? 0 : batch ? run_batch(run, &report, &err) : run_scene(run, &err);
    const int failed = !run || err.status != FF_OK;
    if (failed) {
        print_messages(&report);
        if (run) fprintf(stderr, "%s: %s\n", path, err.text);
    } else {
        print_name(path);
        printf(" %016" PRIx64 "\n", hash);
        fflush(stdout);
    }
    ff_run_destroy(run);
    ff_scene_destroy(scene);
    ff_report_clear(&report);
    return failed;
}

int main(int argc, char **argv)
{
    int failed = 0;
    if (argc < 2) {
        fprintf(stderr, "use: golden IMAGE...\n");
        return 1;
    }
    for (int i = 1; i < argc; i++) failed |= run_image(argv[i]);
    return failed;
}
