// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Scenes from text for the tests of scene files: load, run, ask for metrics and messages. The text starts on line 2 of
// "s.yaml".
#ifndef FOOTFALL_TESTS_SCENE_HELPERS_H
#define FOOTFALL_TESTS_SCENE_HELPERS_H

#include "check.h"
#include "support/folder.h"
#include "support/message.h"

#include <footfall/run.h>
#include <stdbool.h>

static ff_report report;
static const ff_scene_spec *scene;
static ff_run *run; // of it

static inline void finish(void)
{
    ff_run_destroy(run);
    ff_scene_destroy(scene);
    ff_report_clear(&report);
    run = NULL;
    scene = NULL;
}

static inline const char *message(int i)
{
    return message_of(&report, i);
}

/// A run of the scene, in place of the one it has. @return whether there is one
static inline bool begin_with(const ff_run_options *options)
{
    ff_run_destroy(run);
    run = ff_run_create(scene, options, &report);
    return run != NULL;
}

/// Reads the scene, with the values of `overrides` in place of its own, and makes a run of it. @return whether there is
/// one
static inline bool load_with(const char *text, const char *const *overrides, int noverride)
{
    char *document = malloc(strlen(text) + 20);
    if (!document) CHECK_FAIL("no memory");
    finish();
    sprintf(document, "footfall: 1\n%s", text);
    scene = ff_scene_parse(document, strlen(document), in_folder("s.yaml"), overrides, noverride, &report);
    free(document);
    return scene && begin_with(NULL);
}

static inline bool load(const char *text)
{
    return load_with(text, NULL, 0);
}

static inline void must_load(const char *text)
{
    if (!load(text)) CHECK_FAIL("refused: %s", message(0));
}

static inline void must_load_file(const char *path, const char *const *overrides, int noverride)
{
    finish();
    scene = ff_scene_load(path, overrides, noverride, &report);
    if (!scene || !begin_with(NULL)) CHECK_FAIL("refused: %s", message(0));
}

static inline void must_go(void)
{
    ff_error err = {0};
    if (ff_run_go(run, &err) != FF_OK) CHECK_FAIL("run: %s", err.text);
}

static inline void must_run(const char *text)
{
    must_load(text);
    must_go();
}

static inline double metric(const char *name)
{
    double value = NAN;
    if (!ff_run_metric(run, name, &value)) CHECK_FAIL("no metric %s", name);
    return value;
}

/// Runs the scene to `at`, saves it there, and goes on to `until` twice, the second time from what was saved: the same
/// bits.
static inline void must_resume(double at, double until)
{
    ff_error err = {0};
    if (ff_sim_run(ff_run_sim(run), at, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    const size_t size = ff_sim_save_size(ff_run_sim(run));
    void *saved = malloc(size);
    CHECK(saved && ff_sim_save(ff_run_sim(run), saved, size, &err) == FF_OK);
    if (ff_sim_run(ff_run_sim(run), until, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    const uint64_t hash = ff_sim_hash(ff_run_sim(run));
    CHECK(ff_sim_restore(ff_run_sim(run), saved, size, &err) == FF_OK);
    free(saved);
    if (ff_sim_run(ff_run_sim(run), until, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    CHECK(ff_sim_hash(ff_run_sim(run)) == hash);
}

/// A scene that is wrong, where its first message stands ("line:column") and what that says.
typedef struct bad_scene {
    const char *text, *at, *says;
} bad_scene;

static inline void must_refuse(const bad_scene *bad, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char at[300];
        if (load(bad[i].text)) CHECK_FAIL("accepted: %s", bad[i].text);
        snprintf(at, sizeof at, "%s:%s: error", in_folder("s.yaml"), bad[i].at);
        if (strncmp(message(0), at, strlen(at)) != 0 || !strstr(message(0), bad[i].says))
            CHECK_FAIL("%s: got %s, wanted %s .. %s", bad[i].text, message(0), bad[i].at, bad[i].says);
    }
    finish();
}

#endif
