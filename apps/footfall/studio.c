// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall studio`: serves the studio to the browsers of this machine until it is interrupted.
#define _GNU_SOURCE // POSIX_SPAWN_SETSID
#include "studio.h"

#include "commands.h"
#include "files.h"
#include "terminal.h"

#include <footfall/scene.h>

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct studio_command_target {
    text_list operands;
    studio_target open;
} studio_command_target;

static int complain(const char *text)
{
    print_message(NULL, STYLE_BAD, text);
    return EXIT_INPUT;
}

// ------------------------------------------------------------------------------------------ paths

/// The path of the scene inside the project folder, in the arena. NULL with the reason in `err`.
static const char *scene_inside(const char *scene, const char *root, ff_arena *arena, ff_error *err)
{
    char folder[PATH_MAX], file[PATH_MAX];
    if (!realpath(root, folder)) {
        ff_error_set(err, FF_NOT_FOUND, "%s: there is no such folder", root);
        return NULL;
    }
    if (!realpath(scene, file)) {
        ff_error_set(err, FF_NOT_FOUND, "%s: there is no such file", scene);
        return NULL;
    }
    const size_t length = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    if (strncmp(file, folder, length) == 0 && file[length] == '/') return ff_arena_strdup(arena, file + length + 1);
    ff_error_set(
        err, FF_BAD_ARGUMENT,
        "%s lies outside the project folder %s, and the studio reads nothing there; name another one by --root DIR",
        scene, folder);
    return NULL;
}

// ------------------------------------------------------------------------------------------ the browser

static bool has_display(void)
{
    const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    return (x && *x) || (wayland && *wayland);
}

extern char **environ;

/// Lets the desktop open the address, in a separate session, so that Ctrl-C does not end the browser, and without
/// access to the streams of this process. @return false: there is no xdg-open
static bool open_browser(const char *address, pid_t *child)
{
    char program[] = "xdg-open", where[128];
    char *arguments[] = {program, where, NULL};
    posix_spawn_file_actions_t streams;
    posix_spawnattr_t attributes;
    sigset_t standard;
    snprintf(where, sizeof where, "%s", address);
    sigemptyset(&standard);
    sigaddset(&standard, SIGPIPE);
    posix_spawn_file_actions_init(&streams);
    for (int stream = 0; stream < 3; stream++)
        posix_spawn_file_actions_addopen(&streams, stream, "/dev/null", stream == 0 ? O_RDONLY : O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigdefault(&attributes, &standard);
    const bool begun = posix_spawnp(child, program, &streams, &attributes, arguments, environ) == 0;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&streams);
    return begun;
}

// ------------------------------------------------------------------------------------------ serving

// Global, because the signal handler has no other argument.
static _Atomic(ff_studio *) open_now;
static atomic_bool interrupted;

static void stop_by_signal(int number)
{
    (void)number;
    atomic_store(&interrupted, true);
    ff_studio *studio = atomic_load(&open_now);
    if (studio) ff_studio_stop(studio);
}

static void listen_to_signals(void)
{
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = stop_by_signal,
                               .sa_flags = (int)SA_RESETHAND}; // a second Ctrl-C ends the program at once
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) sigaction(numbers[i], &action, NULL);
}

/// Prints the errors of a scene with their places. The studio opens anyway, since errors can be corrected there.
static void check_scene(const char *path, const text_list *set)
{
    ff_report report = {0};
    const ff_load_options load = ff_load_options_default();
    ff_scene_check_file(path, &load, set->items, set->count, &report);
    print_report(stderr, &report, 0);
    ff_report_clear(&report);
}

static int serve(const studio_target *target, const ff_studio_setup *setup)
{
    ff_error err = {0};
    pid_t browser = 0;
    listen_to_signals();
    ff_studio *studio = ff_studio_open(setup, &err);
    if (!studio) return complain(err.text);
    char address[128];
    snprintf(address, sizeof address, "%s%s%s", ff_studio_address(studio), target->panel ? "#panel=" : "",
             target->panel ? target->panel : "");
    atomic_store(&open_now, studio);
    if (atomic_load(&interrupted)) ff_studio_stop(studio); // while it was opened
    if (setup->scene) check_scene(target->scene, &target->set);
    printf("%s\n", address);
    fflush(stdout);
    if (target->port.count == 0 && ff_studio_port(studio) != FF_STUDIO_PORT)
        fprintf(stderr, "Port %d is in use, by another studio perhaps: this one is at %d.\n", FF_STUDIO_PORT,
                ff_studio_port(studio));
    if (target->no_browser || !has_display() || !open_browser(address, &browser))
        fprintf(stderr, "The studio is open: open %s in a browser on this machine.\n", address);
    fputs("Ctrl-C ends it.\n", stderr);
    const ff_status status = ff_studio_serve(studio, &err);
    atomic_store(&open_now, NULL);
    ff_studio_close(studio);
    if (browser > 0) waitpid(browser, NULL, WNOHANG);
    return status == FF_OK ? EXIT_FINE : complain(err.text);
}

int open_studio(const command *self, const studio_target *target, ff_arena *arena)
{
    ff_error err = {0};
    ff_studio_setup setup = ff_studio_setup_default();
    if (target->port.count > 0) {
        const double port = target->port.values[0];
        setup.tries = 1; // a port that the user chooses has no substitute
        if (target->port.count != 1 || !(port >= 0.0 && port <= 65535.0) || port != (double)(int)port)
            return usage_error(self, "--port takes one whole number from 0 to 65535");
        setup.port = (int)port;
    }
    setup.root = target->root ? target->root : ".";
    setup.scene = target->scene ? scene_inside(target->scene, setup.root, arena, &err) : NULL;
    setup.set = target->set.items;
    setup.nset = target->set.count;
    setup.batch = target->batch;
    setup.batch_time = target->batch_time;
    return target->scene && !setup.scene ? complain(err.text) : serve(target, &setup);
}

static int studio_main(const command *self, void *options, ff_arena *arena)
{
    studio_command_target *target = options;
    target->open.scene = target->operands.count > 0 ? target->operands.items[0] : NULL;
    return open_studio(self, &target->open, arena);
}

const command studio_command = {
    .name = "studio",
    .synopsis = "[SCENE] [--port N] [--root DIR] [--no-browser]",
    .summary = "open the studio in the browser: run, push, plot, edit",
    .description =
        "Serves the studio on 127.0.0.1, to browsers of this machine alone, and opens one where there is a display. "
        "SCENE, a scene or robot file inside the project folder, is loaded for all pages at the start. Pages that are "
        "open at once show the same simulation. The studio reads and writes nothing outside the project folder. Its "
        "address goes to stdout.",
    .examples = "  footfall studio experiments/anton-tripod.yaml\n"
                "      ANTON, ready to walk\n"
                "  footfall studio --port 0 --no-browser\n"
                "      any free port; the address is printed\n",
    OPTIONS(OPTION(studio_command_target, open.port, "port", NUMBERS, "N",
                   "Port of 127.0.0.1, 0 for any that is free; without it 3668, or the next one that is free"),
            OPTION(studio_command_target, open.root, "root", TEXT, "DIR",
                   "Project folder: nothing outside it is read or written; without it the current folder"),
            FLAG(studio_command_target, open.no_browser, "no-browser",
                 "Only say the address, where otherwise a browser would be opened")),
    .operands = {0, 1, "SCENE, a scene or robot file,"},
    ZERO_PRESET(studio_command_target),
    .run = studio_main,
};
