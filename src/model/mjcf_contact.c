// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What MJCF says about contact besides the geoms' own filters and friction. <exclude> keeps two bodies apart. A <pair>
// lets two geoms meet whatever contype and conaffinity say: one of them, the hub, gets a bit of these masks that no
// geom uses in its type, and the other has it in its affinity. All pairs of a hub share its bit, and the geom with more
// pairs becomes the hub, so that bits are needed for few of the geoms.
#include "model/mjcf.h"

static void add_exclude(mjcf *m, ff_xml *node)
{
    ff_xml_get(node, "name");
    const char *body1 = mjcf_body_named(m, node, "body1", true);
    const char *body2 = body1 ? mjcf_body_named(m, node, "body2", true) : NULL; // a fault of the first is said once
    if (!body1) ff_xml_get(node, "body2");
    if (!body2) return;
    ff_spec_exclude *exclude = ff_spec_add_exclude(m->spec, body1, body2);
    if (mjcf_got(m, exclude)) exclude->place = node->place;
}

/// Index of the geom that an attribute names; below zero when there is none, which is reported.
static int geom_named(mjcf *m, ff_xml *node, const char *attribute)
{
    const char *name = ff_xml_need(node, attribute, m->report);
    if (!name) return MJCF_NONE;
    int index = mjcf_name_find(m, MJCF_GEOM, name);
    if (index == MJCF_NONE) mjcf_unresolved(m, node, "geom", name);
    if (index == MJCF_LEFT_OUT) mjcf_leave_out(m, node, "its geom was left out");
    return index;
}

/// A bit of the masks that no geom has in use, 0 when all 31 are taken. From the top, where files that join this one
/// hardly have any.
static unsigned free_bit(mjcf *m)
{
    const ff_spec *spec = m->spec;
    if (m->filter_bits == 0) {     // all geoms have been read
        m->filter_bits = 1u << 31; // the sign
        for (int i = 0; i < spec->ngeom; i++)
            m->filter_bits |= (unsigned)spec->geoms[i].contype | (unsigned)spec->geoms[i].conaffinity;
    }
    for (int k = 30; k >= 0; k--) {
        unsigned bit = 1u << k;
        if (m->filter_bits & bit) continue;
        m->filter_bits |= bit;
        return bit;
    }
    return 0;
}

/// How many pairs name each geom, of all pairs of a section. False when out of memory.
static bool count_pairs(mjcf *m, const ff_xml *section)
{
    if (!m->hubs) m->hubs = FF_ARENA_NEW(&m->arena, mjcf_hub, m->spec->ngeom + 1);
    if (!mjcf_got(m, m->hubs)) return false;
    for (const ff_xml *node = section->child; node; node = node->next) {
        if (strcmp(node->name, "pair") != 0) continue;
        for (int k = 0; k < 2; k++) {
            const char *name = ff_xml_peek(node, k == 0 ? "geom1" : "geom2");
            int geom = name ? mjcf_name_find(m, MJCF_GEOM, name) : MJCF_NONE;
            if (geom >= 0) m->hubs[geom].npair++;
        }
    }
    return true;
}

/// Of two geoms the one whose bit lets them meet, which it has or gets; -1 when no bit is left.
static int hub_of(mjcf *m, int one, int two)
{
    if (m->hubs[one].bit) return one;
    if (m->hubs[two].bit) return two;
    const int hub = m->hubs[two].npair > m->hubs[one].npair ? two : one;
    m->hubs[hub].bit = free_bit(m);
    return m->hubs[hub].bit ? hub : -1;
}

static void add_pair(mjcf *m, ff_xml *node)
{
    ff_xml_get(node, "name");
    ff_xml_get(node, "class");
    int one = geom_named(m, node, "geom1"), two = one < 0 ? one : geom_named(m, node, "geom2");
    if (two < 0 || m->no_contact) return;
    ff_spec_geom *a = &m->spec->geoms[one], *b = &m->spec->geoms[two];
    if ((a->contype & b->conaffinity) || (b->contype & a->conaffinity)) return; // they meet anyway
    const int hub = hub_of(m, one, two);
    if (hub < 0) {
        mjcf_leave_out(m, node, "the filters of the geoms use all 31 bits, and it needs one of its own");
        return;
    }
    ff_spec_geom *other = hub == one ? b : a;
    m->spec->geoms[hub].contype |= (int)m->hubs[hub].bit;
    other->conaffinity |= (int)m->hubs[hub].bit;
    a->role = mjcf_role(a);
    b->role = mjcf_role(b);
}

void mjcf_contacts(mjcf *m, ff_xml *section)
{
    if (!count_pairs(m, section)) return;
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
