// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs images of scenes, each for 5 s of simulated time at most, and prints the hash of the state each ends in:
//     golden build/golden/*.ffscene        NAME HASH, one line each
// Every build on every processor must print what tests/golden/hashes.txt says. Needs the C library alone, so that
// builds for processors without an operating system can run it; scripts/golden-images makes the images.
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
    const int failed = !run || ff_run_go(run, &err) != FF_OK;
    if (failed) {
        print_messages(&report);
        if (run) fprintf(stderr, "%s: %s\n", path, err.text);
    } else {
        print_name(path);
        printf(" %016" PRIx64 "\n", ff_sim_hash(ff_run_sim(run)));
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
