// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A model of MuJoCo, the referee, from a text.
#ifndef FOOTFALL_TESTS_MUJOCO_TEXT_H
#define FOOTFALL_TESTS_MUJOCO_TEXT_H

#include <mujoco/mujoco.h>

#include "check.h"

/// @return for mj_deleteModel; a model that MuJoCo refuses fails the test
static inline mjModel *mujoco_of_text(const char *xml)
{
    char problem[500] = "";
    static mjVFS files;
    mj_defaultVFS(&files);
    mj_makeEmptyFileVFS(&files, "m.xml", (int)strlen(xml) + 1);
    memcpy(files.filedata[mj_findFileVFS(&files, "m.xml")], xml, strlen(xml) + 1);
    mjModel *model = mj_loadXML("m.xml", &files, problem, sizeof problem);
    mj_deleteVFS(&files);
    if (!model) CHECK_FAIL("MuJoCo refuses the model: %s", problem);
    return model;
}

#endif
