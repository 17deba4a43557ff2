// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What all readers of entries in native robot files share.
#include "native/native.h"

ff_place ff_native_place(const ff_native *n, ff_place place)
{
    place.file = n->file;
    return place;
}

bool ff_native_too_large(const ff_native *n, ff_place place)
{
    const ff_spec *s = n->spec;
    int others = s->njoint + s->ndrive + s->ngeom + s->nframe + s->nactuator + s->nsensor + s->nmesh + s->nexclude +
                 s->npair + s->nequality + s->ntendon + s->nleg + s->nhand;
    if (s->nleg >= FF_NATIVE_MAX_LEGS) {
        ff_report_add(n->report, FF_ERROR, place, "%d legs: a native robot may have %d", s->nleg, FF_NATIVE_MAX_LEGS);
        return true;
    }
    if (s->nbody < FF_NATIVE_MAX_ITEMS && others < 10 * FF_NATIVE_MAX_ITEMS) return false;
    ff_report_add(n->report, FF_ERROR, place, "%d bodies and %d other items: a native robot may have %d and %d",
                  s->nbody, others, FF_NATIVE_MAX_ITEMS, 10 * FF_NATIVE_MAX_ITEMS);
    return true;
}
