// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Scenes from text for the tests of scene files: load, run, ask for metrics and messages. The text starts on line 2 of "s.yaml".
#ifndef FOOTFALL_TESTS_SCENE_HELPERS_H
#define FOOTFALL_TESTS_SCENE_HELPERS_H

#include "check.h"
#include "support/folder.h"
#include "support/message.h"

#include <footfall/scene.h>
#include <stdbool.h>

static ff_report report;
static ff_scene *scene;

static inline void finish(void)
{
    ff_scene_destroy(scene);
    ff_report_clear(&report);
    scene = NULL;
}

static inline const char *message(int i)
{
    return message_of(&report, i);
}

/// The scene with the values of `overrides` in place of its own. @return whether there is one
static inline bool load_with(const char *text, const char *const *overrides, int noverride)
{
    char *document = malloc(strlen(text) + 20);
    if (!document) CHECK_FAIL("no memory");
    finish();
    sprintf(document, "footfall: 1\n%s", text);
    scene = ff_scene_parse(document, strlen(document), in_folder("s.yaml"), overrides, noverride, &report);
    free(document);
    return scene != NULL;
}

static inline bool load(const char *text)
{
    return load_with(text, NULL, 0);
}

static inline void must_load(const char *text)
{
    if (!load(text)) CHECK_FAIL("refused: %s", message(0));
}

static inline void must_begin(const char *text)
{
    must_load(text);
    ff_error err = {0};
    if (ff_scene_begin(scene, &err) != FF_OK) CHECK_FAIL("begin: %s", err.text);
}

static inline void must_run(const char *text)
{
    must_load(text);
    ff_error err = {0};
    if (ff_scene_run(scene, &err) != FF_OK) CHECK_FAIL("run: %s", err.text);
}

static inline double metric(const char *name)
{
    double value = NAN;
    if (!ff_scene_metric(scene, name, &value)) CHECK_FAIL("no metric %s", name);
    return value;
}

/// Runs the scene that has begun to `at`, saves it there, and goes on to `until` twice, the second time from what was saved: the same bits.
static inline void must_resume(double at, double until)
{
    ff_error err = {0};
    if (ff_sim_run(scene->sim, at, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    const size_t size = ff_sim_save_size(scene->sim);
    void *saved = malloc(size);
    CHECK(saved && ff_sim_save(scene->sim, saved, size, &err) == FF_OK);
    if (ff_sim_run(scene->sim, until, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    const uint64_t hash = ff_sim_hash(scene->sim);
    CHECK(ff_sim_restore(scene->sim, saved, size, &err) == FF_OK);
    free(saved);
    if (ff_sim_run(scene->sim, until, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    CHECK(ff_sim_hash(scene->sim) == hash);
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
