// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Scenes from text for the tests of scene files: load, run, ask for metrics and messages. The text starts on line 2 of "s.yaml".
#ifndef FOOTFALL_TESTS_SCENE_HELPERS_H
#define FOOTFALL_TESTS_SCENE_HELPERS_H

#include "check.h"

#include <footfall/scene.h>
#include <stdbool.h>

static ff_report report;
static ff_scene *scene;
static char folder[] = "/tmp/footfall-scene-XXXXXX";

static inline void finish(void)
{
    ff_scene_destroy(scene);
    ff_report_clear(&report);
    scene = NULL;
}

static inline const char *message(int i)
{
    static char text[1000];
    if (i >= report.count) return "";
    ff_message_format(&report.messages[i], text, sizeof text);
    return text;
}

static inline void write_file(const char *name, const char *text)
{
    char path[200];
    if (strstr(folder, "XXXXXX") && !mkdtemp(folder)) CHECK_FAIL("no folder for test files");
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    if (!f) CHECK_FAIL("cannot write %s", path);
    fputs(text, f);
    fclose(f);
}

static inline bool load(const char *text)
{
    char file[200], *document = malloc(strlen(text) + 20);
    if (strstr(folder, "XXXXXX") && !mkdtemp(folder)) CHECK_FAIL("no folder for test files");
    if (!document) CHECK_FAIL("no memory");
    finish();
    sprintf(document, "footfall: 1\n%s", text);
    snprintf(file, sizeof file, "%s/s.yaml", folder);
    scene = ff_scene_parse(document, strlen(document), file, NULL, 0, &report);
    free(document);
    return scene != NULL;
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

/// A scene that is wrong, where its first message stands ("line:column") and what that says.
typedef struct bad_scene {
    const char *text, *at, *says;
} bad_scene;

static inline void must_refuse(const bad_scene *bad, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char at[300];
        if (load(bad[i].text)) CHECK_FAIL("accepted: %s", bad[i].text);
        snprintf(at, sizeof at, "%s/s.yaml:%s: error", folder, bad[i].at);
        if (strncmp(message(0), at, strlen(at)) != 0 || !strstr(message(0), bad[i].says))
            CHECK_FAIL("%s: got %s, wanted %s .. %s", bad[i].text, message(0), bad[i].at, bad[i].says);
    }
    finish();
}

#endif
