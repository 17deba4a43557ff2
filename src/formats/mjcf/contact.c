// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What MJCF says about contact besides the geoms' own filters and friction. <exclude> keeps two bodies apart. A <pair>
// allows contact of two geoms even where other rules exclude it, with its own parameters in place of those of the
// geoms.
#include "mjcf/mjcf.h"

static void add_exclude(mjcf *m, ff_xml *node)
{
    ff_xml_get(node, "name");
    const char *body1 = mjcf_body_named(m, node, "body1", true);
    const char *body2 =
        body1 ? mjcf_body_named(m, node, "body2", true) : NULL; // after an error of the first no second one
    if (!body1) ff_xml_get(node, "body2");
    if (!body2) return;
    ff_spec_exclude *exclude = ff_spec_add_exclude(m->spec, body1, body2);
    if (mjcf_has_memory(m, exclude)) exclude->place = node->place;
}

void mjcf_pair_read(mjcf *m, ff_xml *node, ff_spec_pair *pair)
{
    double *f = pair->friction, friction[5] = {f[0], f[0], f[1], f[2], f[2]};
    const int given = ff_xml_numbers(node, "friction", friction, 1, 5, m->report);
    if ((given > 1 && friction[1] != friction[0]) || (given > 4 && friction[4] != friction[3]))
        ff_spec_ignore(m->spec, node->place,
                       "friction of a <pair> that differs by direction: that of the first direction holds in all");
    ff_vec3_set(f, friction[0], friction[2], friction[3]);
    pair->condim = ff_xml_integer(node, "condim", pair->condim, m->report);
    mjcf_hardness_read(m, node, &pair->numbers);
}

static void add_pair(mjcf *m, ff_xml *node)
{
    ff_spec_pair from = mjcf_class_of(m, node, "class", m->classes[0])->pair;
    ff_xml_get(node, "name");
    mjcf_pair_read(m, node, &from);
    const int one = mjcf_find_needed(m, node, MJCF_GEOM, "geom", "geom1");
    const int two = one < 0 ? one : mjcf_find_needed(m, node, MJCF_GEOM, "geom", "geom2");
    if (two < 0 || m->no_contact) return;
    ff_spec_geom *geoms[2] = {&m->spec->geoms[one], &m->spec->geoms[two]};
    ff_spec_pair *pair = ff_spec_add_pair(m->spec, geoms[0]->name, geoms[1]->name);
    if (!mjcf_has_memory(m, pair)) return;
    from.geom1 = pair->geom1;
    from.geom2 = pair->geom2;
    from.place = node->place;
    *pair = from;
    for (int k = 0; k < 2; k++)
        if (geoms[k]->role == FF_GEOM_VISUAL) geoms[k]->role = geoms[k]->group >= 3 ? FF_GEOM_COLLISION : FF_GEOM_BOTH;
}

void mjcf_contacts(mjcf *m, ff_xml *section)
{
    for (ff_xml *node = section->child; node && !m->no_memory; node = node->next) {
        bool exclude = strcmp(node->name, "exclude") == 0;
        if (!exclude && strcmp(node->name, "pair") != 0) continue;
        node->used = true;
        if (exclude)
            add_exclude(m, node);
        else
            add_pair(m, node);
    }
}
