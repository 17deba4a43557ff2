// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Which bodies of an MJCF file take their mass from geoms, and the treatment of bodies without mass.
#include "mjcf/mjcf.h"

void mjcf_note_massless(mjcf *m, int body)
{
    if (body < 0) return;
    if (mjcf_grow(m, &m->massless, m->nmassless, &m->massless_capacity, sizeof *m->massless))
        m->massless[m->nmassless++] = body;
}

/// For each body the one at or above it whose joints move it, -1: it is fixed to the world. NULL when out of memory.
static int *find_movers(mjcf *m)
{
    const ff_spec *spec = m->spec;
    int *mover = FF_ARENA_NEW(&m->arena, int, spec->nbody + 1);
    if (!mjcf_has_memory(m, mover)) return NULL;
    for (int i = 0; i < spec->nbody; i++) mover[i] = -1;
    for (int i = 0; i < spec->njoint; i++) mover[spec->joints[i].body] = spec->joints[i].body;
    for (int i = 0; i < spec->nbody; i++)
        if (mover[i] < 0 && spec->bodies[i].parent >= 0) mover[i] = mover[spec->bodies[i].parent];
    return mover;
}

/// Where a body, those fixed to it and all descendants would have no mass, since their shapes were left out, the body
/// gets the mass that --repair gives, so that the rest of the file can be used.
static void fill_massless_bodies(mjcf *m)
{
    const ff_spec *spec = m->spec;
    if (m->nmassless == 0) return;
    const int *mover = find_movers(m);
    bool *has_mass = FF_ARENA_NEW(&m->arena, bool, spec->nbody + 1);
    if (!mover || !mjcf_has_memory(m, has_mass)) return;
    for (int i = 0; i < spec->nbody; i++) {
        const ff_spec_body *body = &spec->bodies[i];
        if (mover[i] >= 0 && (body->has_inertial || body->inertia_from_geoms)) has_mass[mover[i]] = true;
        if (mover[i] == i && body->parent >= 0 && mover[body->parent] >= 0) has_mass[mover[body->parent]] = true;
    }
    for (int i = 0; i < m->nmassless; i++) {
        ff_spec_body *body = &m->spec->bodies[m->massless[i]];
        const int moved = mover[m->massless[i]];
        if (moved < 0 || has_mass[moved]) continue;
        has_mass[moved] = true;
        body->has_inertial = true;
        body->mass = 1e-3;
        ff_vec3_set(body->inertia, 1e-6, 1e-6, 1e-6);
        const bool named = body->name && body->name[0];
        mjcf_warn(m, body->place,
                  "%s%.100s%s moves, and what would give it mass was left out: it gets %g kg, %g kg m^2",
                  named ? "body \"" : "a body without a name", named ? body->name : "", named ? "\"" : "", body->mass,
                  body->inertia[0]);
    }
}

/// Which bodies take their mass from geoms: those without numbers (auto), or all that have a geom in the groups (true).
void mjcf_masses(mjcf *m)
{
    ff_spec *spec = m->spec;
    int *ngeom = FF_ARENA_NEW(&m->arena, int, spec->nbody + 1);
    if (!mjcf_has_memory(m, ngeom)) return;
    for (int i = 0; i < spec->ngeom; i++) {
        const ff_spec_geom *geom = &spec->geoms[i];
        if (geom->body >= 0 && geom->gives_mass && geom->group >= spec->inertia_group[0] &&
            geom->group <= spec->inertia_group[1])
            ngeom[geom->body]++;
    }
    for (int i = 0, part = 0; i < spec->nbody; i++) {
        ff_spec_body *body = &spec->bodies[i];
        while (part < m->npart && m->parts[part].end <= i) part++;
        if (part < m->npart && m->parts[part].first <= i) continue; // settled by its own file
        body->inertia_from_geoms = ngeom[i] > 0 && (m->mass_rule == MJCF_MASS_FROM_GEOMS ||
                                                    (m->mass_rule == MJCF_MASS_AUTO && !body->has_inertial));
        body->coarse_axes = body->inertia_from_geoms && ngeom[i] > 1;
        if (body->has_inertial || body->inertia_from_geoms || spec->bound_mass <= 0.0) continue;
        // MuJoCo puts the mass that boundmass gives to an empty body at the numbers of `pos`, read in the body's own
        // frame unless coordinates are global
        body->has_inertial = true;
        if (!m->global) ff_vec3_copy(body->com, body->pos);
    }
    fill_massless_bodies(m);
}
