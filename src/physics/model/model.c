// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A compiled model: freeing it, and finding its items by name.
#include <footfall/model.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ff_model_destroy(ff_model *model)
{
    if (!model) return;
    for (int i = 0; i < model->nmesh; i++) ff_mesh_destroy(model->meshes[i]);
    ff_arena_clear(&model->arena);
    free(model);
}

// ------------------------------------------------------------------------------------------ finding

#define DEFINE_FIND(kind, array, count)                                                                                \
    int ff_model_find_##kind(const ff_model *model, const char *name)                                                  \
    {                                                                                                                  \
        for (int i = 0; model && name && i < model->count; i++)                                                        \
            if (strcmp(model->array[i].name, name) == 0) return i;                                                     \
        return -1;                                                                                                     \
    }

DEFINE_FIND(body, bodies, nbody)
DEFINE_FIND(joint, joints, njoint)
DEFINE_FIND(frame, frames, nframe)
DEFINE_FIND(tendon, tendons, ntendon)
DEFINE_FIND(actuator, actuators, nactuator)
DEFINE_FIND(leg, legs, nleg)
DEFINE_FIND(limb, limbs, nlimb)
DEFINE_FIND(key, keys, nkey)

ff_status ff_model_need_key(const ff_model *model, const char *name, int *key, ff_error *err)
{
    char known[320] = "";
    int shown = 0;
    *key = ff_model_find_key(model, name);
    if (*key >= 0) return FF_OK;
    for (; shown < model->nkey && strlen(known) < sizeof known - 64; shown++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s'%.40s'", shown ? ", " : "",
                 model->keys[shown].name);
    return ff_error_set(err, FF_NOT_FOUND, "the robot has no pose '%.60s'; it has %s%s", name ? name : "",
                        shown ? known : "none", shown < model->nkey ? ", .." : "");
}

bool ff_model_is_below(const ff_model *m, int body, int above)
{
    while (body > above) body = m->bodies[body].parent; // parents have lower numbers
    return body == above;
}
