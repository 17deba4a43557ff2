// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The tree of a URDF: every joint names a parent and a child link; together they must form one tree. Links are then
// added depth-first, children in the order of their joints in the file. No function is recursive, so that chains may
// have any length.
#include <footfall/text.h>
#include <stdio.h>
#include <string.h>

#include "urdf/urdf.h"

#define MOST_CANDIDATES 1000 // names among which near matches are searched, which is slow
#define MOST_NAMES      6    // of a loop in a message

/// " (did you mean "x"?)" or nothing.
static void suggest(const urdf_reader *r, const char *word, char *out, size_t size)
{
    const char *names[MOST_CANDIDATES];
    int count = r->nlink < MOST_CANDIDATES ? r->nlink : MOST_CANDIDATES;
    for (int i = 0; i < count; i++) names[i] = r->links[i].name;
    const char *near = r->report->errors < FF_REPORT_MAX ? ff_text_nearest(word, names, count) : NULL;
    out[0] = '\0';
    if (near) snprintf(out, size, " (did you mean \"%s\"?)", near);
}

/// Link named by <parent link=""> or <child link="">, -1 with an error.
static int end_of_joint(urdf_reader *r, urdf_joint *joint, const char *end)
{
    ff_xml *node = urdf_take(joint->node, end);
    if (!node) {
        ff_report_add(r->report, FF_ERROR, joint->node->place, "joint \"%s\" has no <%s link=\"...\"/>", joint->name,
                      end);
        return -1;
    }
    const char *name = ff_xml_need(node, "link", r->report);
    if (!name) return -1;
    int link = ff_names_get(&r->link_names, name);
    if (link >= 0) return link;
    char hint[160];
    suggest(r, name, hint, sizeof hint);
    ff_report_add(r->report, FF_ERROR, node->place, "joint \"%s\": there is no link \"%s\" to be its %s%s", joint->name,
                  name, end, hint);
    return -1;
}

static void set_parent(urdf_reader *r, int index)
{
    urdf_joint *joint = &r->joints[index];
    urdf_link *parent = &r->links[joint->parent], *child = &r->links[joint->child];
    if (child->joint >= 0) {
        const urdf_joint *other = &r->joints[child->joint];
        ff_report_add(r->report, FF_ERROR, joint->node->place,
                      "link \"%s\" hangs on two joints: \"%s\" (line %d) and \"%s\"; a link has one parent",
                      child->name, other->name, other->node->place.line, joint->name);
        return;
    }
    child->joint = index;
    if (parent->last_child >= 0)
        r->joints[parent->last_child].next = index;
    else
        parent->first_child = index;
    parent->last_child = index;
}

static int parent_link(const urdf_reader *r, int link)
{
    return r->links[link].joint < 0 ? -1 : r->joints[r->links[link].joint].parent;
}

/// Reports the loop that contains `link`, in the direction parent -> child, as far as it fits in a message.
static void report_loop(urdf_reader *r, int link)
{
    char text[512];
    size_t used = 0;
    int count = 0, at = link;
    do {
        if (count++ < MOST_NAMES) {
            int n = snprintf(text + used, sizeof text - used, "\"%.40s\" on ", r->links[at].name);
            used += n > 0 && used + (size_t)n < sizeof text ? (size_t)n : 0;
        }
        at = parent_link(r, at);
    } while (at != link);
    ff_report_add(r->report, FF_ERROR, r->joints[r->links[link].joint].node->place,
                  "%d link%s form a loop: %s%s\"%s\"; take one of the joints out", count, count == 1 ? "" : "s", text,
                  count > MOST_NAMES ? "... on " : "", r->links[link].name);
}

/// Walks from every link towards the root; a link that is visited twice on one walk belongs to a loop.
static void find_loops(urdf_reader *r)
{
    for (int start = 0; start < r->nlink; start++) {
        int walk = start + 1, at = start;
        while (at >= 0 && r->links[at].mark == 0) {
            r->links[at].mark = walk;
            at = parent_link(r, at);
        }
        if (at >= 0 && r->links[at].mark == walk) report_loop(r, at);
    }
}

/// Sets tree_root, or reports the links that are not connected. (Loops have no root, and are reported already.)
static void find_root(urdf_reader *r)
{
    int first = -1, second = -1, count = 0;
    for (int i = 0; i < r->nlink; i++) {
        if (r->links[i].joint >= 0) continue;
        if (count == 0) first = i;
        if (count == 1) second = i;
        count++;
    }
    r->tree_root = first;
    if (count > 1)
        ff_report_add(
            r->report, FF_ERROR, r->links[second].node->place,
            "the robot falls into %d parts: link \"%s\" and link \"%s\" (line %d) have no parent; join all links "
            "into one tree by joints",
            count, r->links[second].name, r->links[first].name, r->links[first].node->place.line);
}

bool urdf_connect(urdf_reader *r, int errors)
{
    for (int i = 0; i < r->njoint; i++) {
        r->joints[i].parent = end_of_joint(r, &r->joints[i], "parent");
        r->joints[i].child = end_of_joint(r, &r->joints[i], "child");
        if (r->joints[i].parent >= 0 && r->joints[i].child >= 0) set_parent(r, i);
    }
    // With a link or joint missing, everything below it would seem a separate part: one message is enough.
    if (r->report->errors != errors) return false;
    find_loops(r);
    find_root(r);
    return r->report->errors == errors && r->tree_root >= 0;
}

// ------------------------------------------------------------------------------------------ adding

/// Gives the root a free joint where options ask for one, unless it is the world itself.
static void release_root(urdf_reader *r, int body)
{
    const urdf_link *root = &r->links[r->tree_root];
    if (!r->options->floating) return;
    if (strcmp(root->name, "world") == 0 && !ff_xml_child(root->node, "inertial")) {
        ff_report_add(r->report, FF_NOTE, root->node->place,
                      "the root link is the world itself: it stays fixed, and links move by their own joints");
        return;
    }
    char name[64] = "floating_base";
    for (int i = 2; ff_names_get(&r->joint_names, name) >= 0; i++) snprintf(name, sizeof name, "floating_base_%d", i);
    ff_spec_joint *joint = ff_spec_add_joint(r->spec, name, body, FF_JOINT_FREE);
    if (urdf_has_memory(r, joint) && urdf_has_memory(r, joint->name)) joint->place = root->node->place;
}

static bool add_link(urdf_reader *r, int index)
{
    urdf_link *link = &r->links[index];
    int parent = parent_link(r, index), number = r->spec->nbody;
    ff_spec_body *body = ff_spec_add_body(r->spec, link->name, parent < 0 ? -1 : r->links[parent].body);
    if (!urdf_has_memory(r, body) || !urdf_has_memory(r, body->name)) return false;
    link->body = number;
    body->place = link->node->place;
    if (link->joint >= 0) {
        urdf_read_origin(r, r->joints[link->joint].node, body->pos, body->quat);
        urdf_read_joint(r, link->joint, number);
    } else {
        release_root(r, number);
    }
    urdf_read_link(r, index, number);
    return !r->out_of_memory;
}

void urdf_add_tree(urdf_reader *r)
{
    int link = r->tree_root;
    while (link >= 0 && add_link(r, link)) {
        int joint = r->links[link].first_child;
        while (joint < 0 && link >= 0) { // no child left here: the next sibling of the nearest ancestor that has one
            int held_by = r->links[link].joint;
            joint = held_by >= 0 ? r->joints[held_by].next : -1;
            link = parent_link(r, link);
        }
        link = joint >= 0 ? r->joints[joint].child : -1;
    }
}
