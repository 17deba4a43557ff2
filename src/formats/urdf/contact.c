// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Contact in URDF files, which the format itself does not describe. Three extensions are in use:
//     Bullet   <link><contact> <lateral_friction value=".."/> <stiffness value=".."/> ...
//     Gazebo   <gazebo reference="LINK"> <mu1>..</mu1> <kp>..</kp> <kd>..</kd> ...
//     Drake    <collision><drake:proximity_properties> <drake:mu_static value=".."/> ..., and
//         <drake:collision_filter_group>
// Spring and damper of the first two are the kelvin-voigt law, dissipation d of the third is hunt-crossley's with
// lambda = k d. The numbers of a link become a material named after the robot and the link; numbers that only a solver
// uses are reported.
#include <stdio.h>
#include <string.h>

#include <footfall/text.h>

#include "urdf/urdf.h"

static const double RIGID = 1e10; // a greater stiffness means a rigid body: concrete has 3.4e9  [N/m]
enum { MOST_MATERIALS = 1000, MOST_GROUPS = 1000, MOST_EXCLUDES = 10000 };

const char *urdf_contact_reason(const char *element, const char *attribute)
{
    static const struct {
        const char *element, *attribute, *reason; // attribute NULL: the element itself
    } reasons[] = {
        {"maxVel", NULL, "it bounds how fast a solver pushes bodies apart; a contact law pushes with a force"},
        {"minDepth", NULL, "it lets bodies overlap before a solver acts; a contact law acts from the touch on"},
        {"maxContacts", NULL, "points are found as the shapes ask for"},
        {"fdir1", NULL, "friction is the same in all directions here"},
        {"slip1", NULL, "a contact that sticks does not creep here"},
        {"slip2", NULL, "a contact that sticks does not creep here"},
        {"selfCollide", NULL, "self-collision is an option of the scene: self_collision: true"},
        {"contact_erp", NULL, "it is a number of Bullet's solver; write stiffness and damping"},
        {"contact_cfm", NULL, "it is a number of Bullet's solver; write stiffness and damping"},
        {"friction_anchor", NULL, "friction holds without it here"},
        {"inertia_scaling", NULL, "inertia stays as it is given"},
        {"drake:hydroelastic_modulus", NULL,
         "pressure fields are not computed; write drake:point_contact_stiffness in N/m"},
        {"drake:rigid_hydroelastic", NULL, "pressure fields are not computed; a shape meets others in points"},
        {"drake:compliant_hydroelastic", NULL,
         "pressure fields are not computed; write drake:point_contact_stiffness in N/m"},
        {"drake:soft_hydroelastic", NULL,
         "pressure fields are not computed; write drake:point_contact_stiffness in N/m"},
        {"drake:mesh_resolution_hint", NULL, "pressure fields are not computed"},
        {"drake:relaxation_time", NULL, "it belongs to Drake's solver; write drake:hunt_crossley_dissipation in s/m"},
        {"collision", "group", "Bullet wants both masks to match; write drake:collision_filter_group"},
        {"collision", "mask", "Bullet wants both masks to match; write drake:collision_filter_group"},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        if (strcmp(reasons[i].element, element) != 0 || !attribute != !reasons[i].attribute) continue;
        if (!attribute || strcmp(reasons[i].attribute, attribute) == 0) return reasons[i].reason;
    }
    return NULL;
}

// ------------------------------------------------------------------------------------------ numbers

static urdf_contact empty_contact(void)
{
    return (urdf_contact){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, {0}, false};
}

/// Stores a number; the first one gives the place.
static void put(urdf_contact *contact, double *number, double value, ff_place place)
{
    if (!contact->given) contact->place = place;
    contact->given = true;
    *number = value;
}

/// <name value="number"/> below `node`; a number below zero is an error.
static void read_value(urdf_reader *r, ff_xml *node, const char *name, urdf_contact *contact, double *number)
{
    ff_xml *child = urdf_take(node, name);
    if (!child || !ff_xml_need(child, "value", r->report)) return;
    double value;
    if (ff_xml_numbers(child, "value", &value, 1, 1, r->report) != 1) return;
    if (value < 0.0)
        ff_report_add(r->report, FF_ERROR, child->place, "<%s> is %g: it must not be negative", name, value);
    else
        put(contact, number, value, child->place);
}

/// <name>number</name> or <name value="number"/>, as Gazebo reads; an empty tag is a warning. Gazebo's own files have
/// stiffness up to 1e20, so that size is no error here.
static bool read_text(urdf_reader *r, ff_xml *node, const char *name, double *value)
{
    ff_xml *child = urdf_take(node, name);
    if (!child) return false;
    const char *attribute = ff_xml_get(child, "value"), *text = attribute ? attribute : child->text;
    if (!text[0]) {
        ff_report_add(r->report, FF_WARNING, child->place, "<%s> is empty and not used: write <%s>1</%s>", name, name,
                      name);
        return false;
    }
    if (ff_text_number(text, strlen(text), value) && *value >= 0.0) return true;
    ff_report_add(r->report, FF_ERROR, child->place, "<%s> is \"%.40s\": a number of zero or more is needed", name,
                  text);
    return false;
}

// ------------------------------------------------------------------------------------------ Bullet, Gazebo, Drake

static void read_bullet(urdf_reader *r, ff_xml *link, urdf_contact *c)
{
    ff_xml *node = urdf_take(link, "contact");
    if (!node) return;
    read_value(r, node, "lateral_friction", c, &c->mu_static);
    c->mu_kinetic = c->mu_static;
    read_value(r, node, "spinning_friction", c, &c->torsion);
    read_value(r, node, "rolling_friction", c, &c->rolling);
    read_value(r, node, "stiffness", c, &c->stiffness);
    read_value(r, node, "damping", c, &c->damping);
    read_value(r, node, "restitution", c, &c->restitution);
}

static void read_gazebo(urdf_reader *r, ff_xml *node, urdf_contact *c)
{
    double mu[2], value;
    bool first = read_text(r, node, "mu1", &mu[0]), second = read_text(r, node, "mu2", &mu[1]);
    if (!first && second) mu[0] = mu[1];
    if (first && second && mu[0] != mu[1])
        ff_report_add(r->report, FF_WARNING, node->place,
                      "friction is the same in all directions here: mu1 = %g is used, mu2 = %g is not", mu[0], mu[1]);
    if (first || second) {
        put(c, &c->mu_static, mu[0], node->place);
        c->mu_kinetic = mu[0];
    }
    if (read_text(r, node, "kp", &value)) put(c, &c->stiffness, value, node->place);
    if (read_text(r, node, "kd", &value)) put(c, &c->damping, value, node->place);
}

static void read_drake(urdf_reader *r, ff_xml *collision, urdf_contact *c)
{
    ff_xml *node = urdf_take(collision, "drake:proximity_properties");
    if (!node) return;
    urdf_contact own = empty_contact();
    read_value(r, node, "drake:mu_static", &own, &own.mu_static);
    read_value(r, node, "drake:mu_dynamic", &own, &own.mu_kinetic);
    if (isnan(own.mu_kinetic)) own.mu_kinetic = own.mu_static;
    if (isnan(own.mu_static)) own.mu_static = own.mu_kinetic;
    if (!isnan(own.mu_static)) c->mu_static = own.mu_static, c->mu_kinetic = own.mu_kinetic;
    read_value(r, node, "drake:point_contact_stiffness", &own, &c->stiffness);
    read_value(r, node, "drake:hunt_crossley_dissipation", &own, &c->dissipation);
    if (own.given) c->given = true, c->place = own.place;
}

void urdf_read_contacts(urdf_reader *r)
{
    for (int i = 0; i < r->nlink; i++) {
        r->links[i].contact = empty_contact();
        read_bullet(r, r->links[i].node, &r->links[i].contact);
    }
    for (ff_xml *node = ff_xml_child(r->root, "gazebo"); node; node = ff_xml_next(node)) {
        const char *reference = ff_xml_peek(node, "reference");
        int link = reference ? ff_names_get(&r->link_names, reference) : -1;
        if (link < 0) continue;
        node->used = true;
        ff_xml_get(node, "reference");
        urdf_contact gazebo = empty_contact(), *own = &r->links[link].contact;
        read_gazebo(r, node, &gazebo);
        if (!own->given)
            *own = gazebo;
        else if (gazebo.given)
            ff_spec_ignore(r->spec, node->place, "contact numbers of <gazebo>: the link has others already");
    }
}

// ------------------------------------------------------------------------------------------ materials

static void set_normal(urdf_reader *r, const urdf_contact *c, ff_normal *n)
{
    bool soft = c->stiffness <= RIGID; // false when not given
    if (c->stiffness > RIGID)
        ff_spec_ignore(r->spec, c->place,
                       "a contact stiffness of %g N/m: it stands for a rigid body; the standard "
                       "material's holds, give the shape a material for another",
                       c->stiffness);
    if (soft) n->stiffness = c->stiffness;
    if (c->dissipation >= 0.0) {
        n->law = FF_NORMAL_HUNT_CROSSLEY;
        n->damping = c->dissipation * n->stiffness;
    } else if (soft && c->damping >= 0.0) {
        n->law = FF_NORMAL_KELVIN_VOIGT;
        n->damping = c->damping;
    } else if (c->restitution >= 0.0 && c->restitution <= 1.0) {
        n->law = FF_NORMAL_RESTITUTION;
        n->restitution = c->restitution;
    } else if (soft) { // damped as much as the standard: the same bounce at the same speed
        ff_material standard = ff_material_default();
        n->damping = standard.normal.damping / standard.normal.stiffness * n->stiffness;
    }
    if (c->damping >= 0.0 && !soft)
        ff_spec_ignore(r->spec, c->place, "contact damping without a stiffness it goes with: write both");
    if (n->law != FF_NORMAL_RESTITUTION && c->restitution >= 0.0 && c->restitution <= 1.0)
        ff_spec_ignore(r->spec, c->place, "a restitution beside damping: the damping decides how a body bounces");
    if (n->law == FF_NORMAL_HUNT_CROSSLEY && c->damping >= 0.0 && soft)
        ff_spec_ignore(r->spec, c->place, "contact damping beside a dissipation: the dissipation is used");
    if (c->restitution > 1.0)
        ff_report_add(r->report, FF_ERROR, c->place, "the restitution is %g: it must be from 0 to 1", c->restitution);
}

static void set_friction(const urdf_contact *c, double normal_stiffness, ff_friction *f)
{
    // half the normal stiffness, and a damper that is half of critical for 1 kg: as materials in YAML files
    f->stiffness = 0.5 * normal_stiffness;
    f->damping = sqrt(normal_stiffness);
    if (c->mu_static >= 0.0) f->mu_static = c->mu_static, f->mu_kinetic = c->mu_kinetic;
    if (c->mu_static == 0.0 && c->mu_kinetic == 0.0) f->law = FF_FRICTION_NONE;
    if (c->torsion >= 0.0) f->torsion = c->torsion;
    if (c->rolling >= 0.0) f->rolling = c->rolling;
}

/// Name of a material with these numbers: an existing one, or a new one named after the robot and the link. NULL:
/// out of memory or of names.
static const char *material_named(urdf_reader *r, const char *link, const ff_material *wanted, ff_place place)
{
    ff_spec *spec = r->spec;
    char name[FF_MATERIAL_NAME_MAX]; // parts of the two names, and a number where that name exists
    for (int i = 0; i < spec->nmaterial; i++)
        if (ff_material_same(&spec->materials[i].material, wanted)) return spec->materials[i].material.name;
    if (spec->nmaterial >= MOST_MATERIALS) {
        ff_spec_ignore(spec, place, "contact numbers beyond %d different materials", MOST_MATERIALS);
        return NULL;
    }
    snprintf(name, sizeof name, "%.20s%s%.20s", spec->name, spec->name[0] ? ":" : "", link);
    for (uint16_t number = 2; ff_spec_find_material(spec, name) >= 0; number++)
        snprintf(name, sizeof name, "%.20s%s%.20s_%d", spec->name, spec->name[0] ? ":" : "", link, number);
    ff_spec_material *material = ff_spec_add_material(spec, name, NULL);
    if (!urdf_has_memory(r, material)) return NULL;
    material->material = *wanted;
    snprintf(material->material.name, sizeof material->material.name, "%s", name);
    material->material.source = ff_spec_text(spec, "contact extensions of the URDF file");
    material->place = place;
    return material->material.name;
}

void urdf_give_material(urdf_reader *r, const urdf_link *link, ff_xml *collision, ff_spec_geom *geom)
{
    urdf_contact contact = link->contact;
    read_drake(r, collision, &contact);
    if (!contact.given) return;
    ff_material material = ff_material_default();
    material.source = NULL;
    set_normal(r, &contact, &material.normal);
    set_friction(&contact, material.normal.stiffness, &material.friction);
    const char *name = material_named(r, link->name, &material, contact.place);
    if (!name) return;
    geom->material = ff_spec_text(r->spec, name); // the list of materials may move
    geom->material_place = contact.place;
    urdf_has_memory(r, geom->material);
}

// ------------------------------------------------------------------------------------------ filters

static void exclude(urdf_reader *r, const char *one, const char *two, ff_place place)
{
    if (r->spec->nexclude >= MOST_EXCLUDES) {
        ff_spec_ignore(r->spec, place, "pairs of links that do not meet, beyond %d", MOST_EXCLUDES);
        return;
    }
    ff_spec_exclude *pair = ff_spec_add_exclude(r->spec, one, two);
    if (urdf_has_memory(r, pair)) pair->place = place;
}

/// Link that an attribute names, NULL with an error when there is none.
static const char *link_named(urdf_reader *r, ff_xml *node, const char *attribute)
{
    const char *name = ff_xml_need(node, attribute, r->report);
    if (!name || ff_names_get(&r->link_names, name) >= 0) return name;
    ff_report_add(r->report, FF_ERROR, node->place, "<%s>: there is no link \"%.100s\"", node->name, name);
    return NULL;
}

/// All pairs of a link of group `one` and a link of group `two`; `left` is the number that a file may still add.
static void exclude_groups(urdf_reader *r, ff_xml *one, ff_xml *two, ff_place place, int *left)
{
    for (ff_xml *a = ff_xml_child(one, "drake:member"); a && !r->out_of_memory; a = ff_xml_next(a))
        for (ff_xml *b = one == two ? ff_xml_next(a) : ff_xml_child(two, "drake:member"); b; b = ff_xml_next(b)) {
            const char *first = ff_xml_peek(a, "link"), *second = ff_xml_peek(b, "link");
            if (--*left < 0) {
                ff_spec_ignore(r->spec, place, "pairs of links that do not meet, beyond %d", MOST_EXCLUDES);
                return;
            }
            if (first && second && strcmp(first, second) != 0) exclude(r, first, second, place);
        }
}

static void read_groups(urdf_reader *r)
{
    ff_xml *groups[MOST_GROUPS];
    int count = 0, left = MOST_EXCLUDES;
    for (ff_xml *g = ff_xml_child(r->root, "drake:collision_filter_group"); g; g = ff_xml_next(g)) {
        g->used = true;
        ff_xml_need(g, "name", r->report);
        for (ff_xml *member = ff_xml_child(g, "drake:member"); member; member = ff_xml_next(member)) {
            member->used = true;
            link_named(r, member, "link");
        }
        if (count < MOST_GROUPS)
            groups[count++] = g;
        else
            ff_spec_ignore(r->spec, g->place, "<drake:collision_filter_group> beyond %d", MOST_GROUPS);
    }
    for (int i = 0; i < count; i++) {
        ff_xml *ignored = ff_xml_child(groups[i], "drake:ignored_collision_filter_group");
        for (; ignored; ignored = ff_xml_next(ignored)) {
            ignored->used = true;
            const char *name = ff_xml_need(ignored, "name", r->report);
            int other = -1;
            for (int k = 0; name && k < count; k++) {
                const char *known = ff_xml_peek(groups[k], "name");
                if (known && strcmp(known, name) == 0) other = k;
            }
            if (other >= 0)
                exclude_groups(r, groups[i], groups[other], ignored->place, &left);
            else if (name)
                ff_report_add(r->report, FF_ERROR, ignored->place, "there is no collision filter group \"%.100s\"",
                              name);
        }
    }
}

void urdf_read_filters(urdf_reader *r)
{
    int errors = r->report->errors;
    for (ff_xml *node = ff_xml_child(r->root, "disable_collisions"); node; node = ff_xml_next(node)) {
        node->used = true;
        ff_xml_get(node, "reason");
        const char *one = link_named(r, node, "link1"), *two = link_named(r, node, "link2");
        if (one && two) exclude(r, one, two, node->place);
    }
    read_groups(r);
    if (r->report->errors != errors) r->spec->nexclude = 0; // the compiler would report unknown names again
}
