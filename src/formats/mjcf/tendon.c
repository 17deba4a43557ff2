// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Tendons: <fixed>, a sum of joints, and <spatial>, a string through sites, around geoms and over pulleys. Limits and
// dry friction, which MuJoCo computes by constraints, become stops and a regularised law, as those of joints do.
#include "mjcf/mjcf.h"

void mjcf_tendon_read(mjcf *m, ff_xml *node, mjcf_tendon *t)
{
    ff_report *report = m->report;
    t->limited = mjcf_limited_read(m, node, "limited", t->limited);
    ff_xml_numbers(node, "range", t->range, 2, 2, report);
    if (ff_xml_numbers(node, "springlength", t->springlength, 1, 2, report) == 1)
        t->springlength[1] = t->springlength[0];
    t->stiffness = mjcf_first_number(m, node, "stiffness", t->stiffness);
    t->damping = mjcf_first_number(m, node, "damping", t->damping);
    t->frictionloss = ff_xml_number(node, "frictionloss", t->frictionloss, report);
    t->margin = ff_xml_number(node, "margin", t->margin, report);
    for (int i = 0; i < 5; i++) // how it looks
        ff_xml_get(node, (const char *const[]){"group", "width", "material", "rgba", "user"}[i]);
}

/// Adds a piece that names something; false when that was left out or does not exist.
static bool add_named(mjcf *m, ff_xml *node, ff_spec_tendon *t, ff_tendon_piece_type type, mjcf_kind kind,
                      const char *attribute, double factor)
{
    const char *name = ff_xml_need(node, attribute, m->report);
    const char *side = kind == MJCF_GEOM ? ff_xml_get(node, "sidesite") : NULL;
    if (!name) return false;
    const int found = mjcf_name_find(m, kind, name), side_site = side ? mjcf_name_find(m, MJCF_SITE, side) : 0;
    if (found == MJCF_NONE || side_site == MJCF_NONE) {
        mjcf_unresolved(m, node, found == MJCF_NONE ? attribute : "site", found == MJCF_NONE ? name : side);
        return false;
    }
    if (found == MJCF_LEFT_OUT || side_site == MJCF_LEFT_OUT) return false;
    return mjcf_has_memory(m, ff_spec_add_tendon_piece(m->spec, t, type, name, side, factor));
}

static bool add_piece(mjcf *m, ff_xml *node, ff_spec_tendon *t, bool fixed)
{
    node->used = true;
    if (fixed && strcmp(node->name, "joint") == 0)
        return add_named(m, node, t, FF_TENDON_JOINT, MJCF_JOINT, "joint", ff_xml_number(node, "coef", 0.0, m->report));
    if (!fixed && strcmp(node->name, "site") == 0)
        return add_named(m, node, t, FF_TENDON_POINT, MJCF_SITE, "site", 0.0);
    if (!fixed && strcmp(node->name, "geom") == 0) return add_named(m, node, t, FF_TENDON_WRAP, MJCF_GEOM, "geom", 0.0);
    if (!fixed && strcmp(node->name, "pulley") == 0)
        return mjcf_has_memory(m, ff_spec_add_tendon_piece(m->spec, t, FF_TENDON_PULLEY, NULL, NULL,
                                                           ff_xml_number(node, "divisor", 0.0, m->report)));
    node->used = false;
    return true;
}

static void fill(mjcf *m, ff_xml *node, const mjcf_tendon *from, ff_spec_tendon *to)
{
    to->place = node->place;
    to->stiffness = from->stiffness;
    to->damping = from->damping;
    to->dry_friction = from->frictionloss;
    to->spring_at_rest = from->springlength[0] == -1.0 && from->springlength[1] == -1.0;
    to->limited = mjcf_limited_resolve(m, node, "range", from->limited, from->range);
    for (int k = 0; k < 2; k++) {
        if (!to->spring_at_rest) to->spring_length[k] = from->springlength[k];
        to->range[k] = from->range[k] + (k == 0 ? from->margin : -from->margin); // where MuJoCo's limit starts to act
    }
}

/// Adds a tendon; false when it is left out, since one of its objects was.
static bool add_tendon(mjcf *m, ff_xml *node, const char *name)
{
    const bool fixed = strcmp(node->name, "fixed") == 0;
    mjcf_tendon from = mjcf_class_of(m, node, "class", m->classes[0])->tendon;
    const int errors = m->report->errors;
    mjcf_tendon_read(m, node, &from);
    ff_spec_tendon *to = ff_spec_add_tendon(m->spec, name);
    if (!mjcf_has_memory(m, to)) return false;
    fill(m, node, &from, to);
    bool whole = true;
    for (ff_xml *child = node->child; child && !m->no_memory; child = child->next)
        whole = add_piece(m, child, to, fixed) && whole;
    if (whole || m->report->errors > errors) return true; // a fault is reported once, not again by what refers to it
    m->spec->ntendon--;                                   // the one added last
    mjcf_leave_out(m, node, "something on its path was left out");
    return false;
}

void mjcf_tendons(mjcf *m, ff_xml *section)
{
    for (ff_xml *node = section->child; node && !m->no_memory; node = node->next) {
        if (strcmp(node->name, "fixed") != 0 && strcmp(node->name, "spatial") != 0) continue;
        node->used = true;
        const char *name = ff_xml_get(node, "name");
        const bool kept = add_tendon(m, node, name);
        mjcf_name_add(m, MJCF_TENDON, name, kept ? m->spec->ntendon - 1 : MJCF_LEFT_OUT, node->place);
    }
}
