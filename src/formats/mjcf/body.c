// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The kinematic tree: worldbody, body, frame, inertial, joint, freejoint. The walk keeps its own stack, since bodies
// may be nested as deep as the XML layer allows. Each body is visited twice: first for what is fixed to it, then for
// its child bodies, so that joints come in MuJoCo's order also where a file puts them behind the children.
#include "mjcf/mjcf.h"

#include <stdlib.h>

/// One open element of the walk.
typedef struct level {
    ff_xml *next;            // next child to visit
    const mjcf_class *class; // of children that name none
    double pos[3], quat[4];  // pose in the body of the frame in which children are given; of the world if global
    int body;                // that the children belong to, -1: the world
    bool for_bodies;         // this is the second visit
} level;

typedef struct walk {
    mjcf *m;
    level *levels;
    int depth, capacity;
} walk;

// ------------------------------------------------------------------------------------------ joints

void mjcf_joint_read(mjcf *m, ff_xml *node, mjcf_joint *joint)
{
    static const char *const types[] = {"hinge", "slide", "ball", "free", NULL};
    joint->type = (ff_joint_type)ff_xml_choice(node, "type", types, (int)joint->type, m->report);
    ff_xml_numbers(node, "pos", joint->pos, 3, 3, m->report);
    ff_xml_numbers(node, "axis", joint->axis, 3, 3, m->report);
    ff_xml_numbers(node, "range", joint->range, 2, 2, m->report);
    ff_xml_numbers(node, "actuatorfrcrange", joint->force_range, 2, 2, m->report);
    joint->limited = mjcf_limited_read(m, node, "limited", joint->limited);
    joint->force_limited = mjcf_limited_read(m, node, "actuatorfrclimited", joint->force_limited);
    joint->ref = ff_xml_number(node, "ref", joint->ref, m->report);
    joint->springref = ff_xml_number(node, "springref", joint->springref, m->report);
    joint->stiffness = mjcf_first_number(m, node, "stiffness", joint->stiffness);
    joint->damping = mjcf_first_number(m, node, "damping", joint->damping);
    joint->armature = ff_xml_number(node, "armature", joint->armature, m->report);
    joint->frictionloss = ff_xml_number(node, "frictionloss", joint->frictionloss, m->report);
    ff_xml_numbers(node, "springdamper", joint->springdamper, 2, 2, m->report);
    ff_xml_get(node, "group"); // for the display of joints
}

/// Is there room for a joint of this type on the body? Reported when not.
static bool accept_joint(mjcf *m, const ff_xml *node, int body, ff_joint_type type)
{
    const ff_spec *spec = m->spec;
    int nv = ff_joint_nv(type);
    if (body < 0) {
        mjcf_error(m, node->place, "the world cannot have a <%s>", node->name);
        return false;
    }
    for (int i = spec->njoint - 1; i >= 0 && spec->joints[i].body == body; i--) {
        nv += ff_joint_nv(spec->joints[i].type);
        if (spec->joints[i].type == FF_JOINT_FREE || type == FF_JOINT_FREE) {
            mjcf_error(m, node->place,
                       "a free joint cannot share its body with other joints (the other one is at line %d)",
                       spec->joints[i].place.line);
            return false;
        }
    }
    if (nv > 6) {
        mjcf_error(m, node->place, "with this joint its body has %d degrees of freedom; at most 6 are possible", nv);
        return false;
    }
    if (type == FF_JOINT_FREE && spec->bodies[body].parent >= 0) {
        mjcf_error(m, node->place, "a free joint is possible on a body of the world only, not on a body inside a body");
        return false;
    }
    return true;
}

/// Fills a joint from its attributes. Ranges of hinges and balls and references of hinges are angles, as in MuJoCo.
static void finish_joint(mjcf *m, ff_xml *node, const mjcf_joint *from, ff_spec_joint *joint)
{
    const double unit = m->radian ? 1.0 : FF_PI / 180.0;
    bool hinge = from->type == FF_JOINT_HINGE, ball = from->type == FF_JOINT_BALL;
    joint->limited =
        from->type != FF_JOINT_FREE && mjcf_limited_resolve(m, node, "the range", from->limited, from->range);
    for (int i = 0; i < 2; i++) joint->range[i] = from->range[i] * (hinge || ball ? unit : 1.0);
    if (ball && joint->limited && from->range[0] != 0.0)
        mjcf_error(m, node->place, "the range of a ball joint starts at %g; it must start at 0", from->range[0]);
    joint->ref = hinge ? from->ref * unit : from->type == FF_JOINT_SLIDE ? from->ref : 0.0;
    joint->spring_ref = hinge ? from->springref * unit : from->springref;
    joint->stiffness = from->stiffness;
    joint->damping = from->damping;
    joint->spring_time = from->springdamper[0];
    joint->spring_ratio = from->springdamper[1];
    if (joint->spring_time > 0.0)
        joint->damping = 0.0; // springdamper replaces it; damping by actuators is added to that
    if ((joint->spring_time != 0.0 || joint->spring_ratio != 0.0) &&
        ff_min(joint->spring_time, joint->spring_ratio) <= 0.0)
        mjcf_error(m, node->place, "springdamper is %g %g; a time constant and a damping ratio above 0 are needed",
                   joint->spring_time, joint->spring_ratio);
    joint->armature = from->armature;
    joint->dry_friction = from->frictionloss;
    if (!mjcf_limited_resolve(m, node, "actuatorfrcrange", from->force_limited, from->force_range)) return;
    joint->effort = ff_max(fabs(from->force_range[0]), fabs(from->force_range[1]));
    if (!mjcf_grow(m, &m->bounds, m->nbound, &m->bound_capacity, sizeof *m->bounds)) return;
    m->bounds[m->nbound++] = (mjcf_bound){(int)(joint - m->spec->joints), {from->force_range[0], from->force_range[1]}};
}

static void add_joint(mjcf *m, ff_xml *node, const level *at)
{
    mjcf_joint from = mjcf_class_of(m, node, "class", at->class)->joint;
    mjcf_joint_read(m, node, &from);
    const char *name = ff_xml_get(node, "name");
    if (!accept_joint(m, node, at->body, from.type)) return;
    ff_spec_joint *joint = ff_spec_add_joint(m->spec, name, at->body, from.type);
    if (!mjcf_has_memory(m, joint)) return;
    joint->place = node->place;
    mjcf_name_add(m, MJCF_JOINT, name, m->spec->njoint - 1, node->place);
    if (from.type != FF_JOINT_FREE) {
        double quat[4] = {1, 0, 0, 0};
        ff_vec3_copy(joint->pos, from.pos);
        ff_pose_displace(joint->pos, quat, at->pos, at->quat);
    }
    if (ff_joint_is_scalar(from.type)) {
        if (ff_vec3_normalise(from.axis) < 1e-10)
            mjcf_error(m, node->place, "the axis of the joint has no length");
        else
            ff_quat_rotate(joint->axis, at->quat, from.axis);
    }
    finish_joint(m, node, &from, joint);
}

/// A <freejoint> ignores its class, unlike a <joint type="free">.
static void add_freejoint(mjcf *m, ff_xml *node, const level *at)
{
    static const char *const words[] = {"false", "true", "auto", NULL};
    const char *name = ff_xml_get(node, "name");
    ff_xml_get(node, "group"); // for the display of joints
    if (ff_xml_choice(node, "align", words, 0, m->report) == 1)
        ff_spec_ignore(m->spec, node->place, "align=\"true\" of <freejoint>: the body keeps its frame");
    if (!accept_joint(m, node, at->body, FF_JOINT_FREE)) return;
    ff_spec_joint *joint = ff_spec_add_joint(m->spec, name, at->body, FF_JOINT_FREE);
    if (!mjcf_has_memory(m, joint)) return;
    joint->place = node->place;
    mjcf_name_add(m, MJCF_JOINT, name, m->spec->njoint - 1, node->place);
}

// ------------------------------------------------------------------------------------------ bodies

/// Reads the inertia; fullinertia lists xx yy zz xy xz yz, as the description does.
static void read_inertia(mjcf *m, ff_xml *node, const mjcf_orient *orient, ff_spec_body *body)
{
    ff_xml_numbers(node, "diaginertia", body->inertia, 3, 3, m->report);
    if (!ff_xml_peek(node, "fullinertia")) return;
    bool turned = orient->has_axisangle || orient->has_xyaxes || orient->has_zaxis || orient->has_euler;
    if (turned || ff_xml_peek(node, "quat"))
        mjcf_error(m, node->place, "fullinertia is given in body axes; an orientation beside it is not allowed");
    double full[6];
    if (ff_xml_numbers(node, "fullinertia", full, 6, 6, m->report) != 6) return;
    ff_inertia_coarse_axes(full, body->inertia, body->inertia_quat);
    ff_inertia_sort_axes(body->inertia, body->inertia_quat);
}

/// Reads <inertial>, which frames around it do not move, as in MuJoCo.
static void read_inertial(mjcf *m, ff_xml *node, const level *at)
{
    if (at->body < 0) {
        mjcf_error(m, node->place, "the world cannot have an <inertial>");
        return;
    }
    ff_spec_body *body = &m->spec->bodies[at->body];
    if (body->has_inertial) mjcf_error(m, node->place, "the body has two <inertial> elements");
    mjcf_orient orient = mjcf_orient_default();
    body->has_inertial = true;
    if (ff_xml_need(node, "pos", m->report)) ff_xml_numbers(node, "pos", body->com, 3, 3, m->report);
    if (ff_xml_need(node, "mass", m->report)) body->mass = ff_xml_number(node, "mass", 0.0, m->report);
    mjcf_orient_read(m, node, &orient);
    mjcf_orient_resolve(m, node, &orient, body->inertia_quat);
    read_inertia(m, node, &orient, body);
    if (m->global) ff_pose_displace(body->com, body->inertia_quat, at->pos, at->quat);
}

static void read_pose(mjcf *m, ff_xml *node, double pos[3], double quat[4])
{
    mjcf_orient orient = mjcf_orient_default();
    ff_vec3_set(pos, 0, 0, 0);
    ff_xml_numbers(node, "pos", pos, 3, 3, m->report);
    mjcf_orient_read(m, node, &orient);
    mjcf_orient_resolve(m, node, &orient, quat);
}

static level *push(walk *w, ff_xml *node, const mjcf_class *class, int body)
{
    if (!mjcf_grow(w->m, &w->levels, w->depth, &w->capacity, sizeof *w->levels)) return NULL;
    level *top = &w->levels[w->depth++];
    *top = (level){.next = node->child, .class = class, .body = body, .quat = {1, 0, 0, 0}};
    return top;
}

/// Opens an element twice: the visit for bodies below, the visit for what is fixed on top of the stack. `pos` and
/// `quat`: pose of the body as written, NULL for the world.
static void open_body(walk *w, ff_xml *node, const mjcf_class *class, int body, const double pos[3],
                      const double quat[4])
{
    for (int visit = 0; visit < 2; visit++) {
        level *top = push(w, node, class, body);
        if (!top) return;
        top->for_bodies = visit == 0;
        if (!w->m->global || !pos) continue;
        ff_quat_conjugate(top->quat, quat);
        ff_quat_rotate(top->pos, top->quat, pos);
        ff_vec3_scale(top->pos, top->pos, -1.0);
    }
}

static void open_frame(walk *w, ff_xml *node, level at)
{
    mjcf *m = w->m;
    double pos[3], quat[4];
    ff_report *report = m->report, repeated = {0};
    if (at.for_bodies) m->report = &repeated; // the first visit has reported
    const mjcf_class *class = mjcf_class_of(m, node, "childclass", at.class);
    read_pose(m, node, pos, quat);
    m->report = report;
    ff_report_clear(&repeated);
    ff_xml_get(node, "name"); // is marked as read: frames have no name here
    ff_pose_displace(pos, quat, at.pos, at.quat);
    level *top = push(w, node, class, at.body);
    if (!top) return;
    ff_vec3_copy(top->pos, pos);
    ff_quat_copy(top->quat, quat);
    top->for_bodies = at.for_bodies;
}

static void add_body(walk *w, ff_xml *node, level at)
{
    mjcf *m = w->m;
    const char *name = ff_xml_get(node, "name");
    const mjcf_class *class = mjcf_class_of(m, node, "childclass", at.class);
    ff_spec_body *body = ff_spec_add_body(m->spec, name, at.body);
    int index = m->spec->nbody - 1;
    if (!mjcf_has_memory(m, body)) return;
    body->place = node->place;
    if (name && strcmp(name, "world") == 0)
        mjcf_error(m, node->place, "a body cannot be called \"world\"");
    else
        mjcf_name_add(m, MJCF_BODY, name, index, node->place);
    double pos[3], quat[4];
    read_pose(m, node, pos, quat);
    ff_vec3_copy(body->pos, pos);
    ff_quat_copy(body->quat, quat);
    ff_pose_displace(body->pos, body->quat, at.pos, at.quat);
    if (m->global) ff_quat_copy(body->coarse_quat, quat);
    if (m->global && !ff_xml_peek(node, "pos"))
        mjcf_error(
            m, node->place,
            "a body without pos stands at its centre of mass when coordinates are global, which is not supported; "
            "give it a pos");
    body->gravcomp = ff_xml_number(node, "gravcomp", 0.0, m->report);
    body->mocap = mjcf_flag(m, node, "mocap", false);
    open_body(w, node, class, index, pos, quat);
}

// ------------------------------------------------------------------------------------------ the walk

static bool is(const ff_xml *node, const char *name)
{
    return strcmp(node->name, name) == 0;
}

/// Reports an element whose bodies are not supported. The body around it may be left without mass.
static void leave_out_bodies(mjcf *m, ff_xml *node, int body)
{
    m->incomplete = true;
    mjcf_leave_out(m, node,
                   is(node, "attach") ? "no <model> of <asset> has its name; the bodies it brings are missing"
                                      : "not supported; the bodies it makes are missing");
    mjcf_note_massless(m, body);
}

/// Reads what is fixed to a body, in the first visit. `at` is a copy, since opening a frame moves the stack.
static void visit_fixed(walk *w, ff_xml *node, level at)
{
    mjcf *m = w->m;
    if (is(node, "body") || is(node, "attach")) return;
    node->used = true;
    if (is(node, "frame")) {
        open_frame(w, node, at);
    } else if (is(node, "inertial")) {
        read_inertial(m, node, &at);
    } else if (is(node, "joint")) {
        add_joint(m, node, &at);
    } else if (is(node, "freejoint")) {
        add_freejoint(m, node, &at);
    } else if (is(node, "geom")) {
        mjcf_geom_add(m, node, at.body, mjcf_class_of(m, node, "class", at.class), at.pos, at.quat);
    } else if (is(node, "site")) {
        mjcf_site_add(m, node, at.body, mjcf_class_of(m, node, "class", at.class), at.pos, at.quat);
    } else if (is(node, "composite") || is(node, "flexcomp")) {
        leave_out_bodies(m, node, at.body);
    } else {
        node->used = false; // cameras, lights and other elements are listed at the end
    }
}

void mjcf_worldbody(mjcf *m, ff_xml *section)
{
    walk w = {.m = m};
    open_body(&w, section, mjcf_class_of(m, section, "childclass", m->classes[0]), -1, NULL, NULL);
    while (w.depth > 0 && !m->no_memory) {
        level *top = &w.levels[w.depth - 1];
        ff_xml *node = top->next;
        if (!node) {
            w.depth--;
            continue;
        }
        top->next = node->next;
        if (!top->for_bodies) {
            visit_fixed(&w, node, *top);
        } else if (is(node, "body")) {
            node->used = true;
            add_body(&w, node, *top);
        } else if (is(node, "frame")) {
            open_frame(&w, node, *top); // the first visit has marked it as used
        } else if (is(node, "attach")) {
            const level at = *top;
            node->used = true;
            if (!mjcf_attach(m, node, at.body, at.pos, at.quat)) leave_out_bodies(m, node, at.body);
        }
    }
    free(w.levels);
}
