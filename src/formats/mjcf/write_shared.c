// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Functions that several parts of the MJCF writer use.
#include "mjcf/write.h"

#include <string.h>

const char *mjcf_body_name(ff_writing *w, int body)
{
    if (body < 0) return "world";
    const char *name = w->model->bodies[body].name;
    if (strcmp(name, "world") != 0) return name;
    ff_report_omission(w, "MJCF keeps this name for itself: the body is called \"world_body\"", name,
                       w->model->bodies[body].place);
    return "world_body";
}

void mjcf_put_hardness(ff_writing *w, const ff_mjcf_contact *numbers, const char *owner, ff_place place)
{
    if (numbers->has_solref) ff_put_numbers(w, "solref", numbers->solref, 2);
    if (numbers->impedance == 0.95) return; // MuJoCo's own
    ff_put_numbers(w, "solimp", (const double[2]){ff_min(0.9, numbers->impedance), numbers->impedance}, 2);
    ff_report_omission(w, "of solimp the impedance of deep contacts is written, the other numbers are not kept", owner,
                       place);
}

bool mjcf_is_fixed(const ff_writing *w, const ff_spec_geom *g)
{
    const int body = ff_writing_body(w, g->body);
    return body < 0 || w->model->bodies[body].node < 0;
}

const char *mjcf_shape_obstacle(const ff_writing *w, const ff_spec_geom *g)
{
    if (g->type == FF_SHAPE_PLANE && !mjcf_is_fixed(w, g))
        return "a plane that moves is left out: MuJoCo's stand still";
    if (g->type != FF_SHAPE_MESH || (g->mesh >= 0 && w->spec->meshes[g->mesh].data)) return NULL;
    return "the shape is left out: its mesh is missing";
}
