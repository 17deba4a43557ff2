// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What all parts of the URDF reader do with an element.
#include "urdf/urdf.h"

bool urdf_has_memory(urdf_reader *r, const void *memory)
{
    if (memory) return true;
    if (!r->out_of_memory) ff_report_add(r->report, FF_ERROR, r->root->place, "out of memory");
    r->out_of_memory = true;
    return false;
}

ff_xml *urdf_take(ff_xml *node, const char *name)
{
    ff_xml *child = ff_xml_child(node, name);
    if (child) child->used = true;
    return child;
}

void urdf_read_origin(urdf_reader *r, ff_xml *node, double pos[3], double quat[4])
{
    ff_vec3_set(pos, 0, 0, 0);
    ff_quat_identity(quat);
    ff_xml *origin = urdf_take(node, "origin");
    if (!origin) return;
    double rpy[3], xyzw[4];
    ff_xml_numbers(origin, "xyz", pos, 3, 3, r->report);
    if (ff_xml_numbers(origin, "rpy", rpy, 3, 3, r->report) == 3) ff_quat_from_rpy(quat, rpy);
    if (ff_xml_numbers(origin, "quat_xyzw", xyzw, 4, 4, r->report) == 4) {
        double wxyz[4] = {xyzw[3], xyzw[0], xyzw[1], xyzw[2]};
        if (ff_quat_normalise(wxyz) < 1e-6)
            ff_report_add(r->report, FF_ERROR, origin->place,
                          "<origin>: quat_xyzw has no length: it must be a rotation");
        ff_quat_copy(quat, wxyz);
    }
}
