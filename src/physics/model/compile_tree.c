// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The kinematic tree: one node for each elementary joint, in frames turned so that hinge and slide axes are z; bodies
// without a joint belong to the node that carries them, their mass merged into it. A planar joint becomes slide, slide,
// hinge; a free joint below a moving body becomes slide, slide, slide, ball, which has the same coordinates and
// velocities.
#include "model/compile.h"

// The packed mass matrix of a chain of n joints has n^2/2 entries: a bound on memory for hostile files (64 MB).
#define MOST_M_ENTRIES 8000000

void ff_compile_frame_along(double R[9], const double a[3])
{
    if (a[2] > -0.5) {
        double k = 1.0 / (1.0 + a[2]);
        memcpy(R,
               (double[9]){1 - k * a[0] * a[0], -k * a[0] * a[1], a[0], -k * a[0] * a[1], 1 - k * a[1] * a[1], a[1],
                           -a[0], -a[1], a[2]},
               9 * sizeof(double));
    } else {
        // Far from z: the same for -a, then half a turn about x, which takes z to -z.
        double k = 1.0 / (1.0 - a[2]);
        memcpy(R,
               (double[9]){1 - k * a[0] * a[0], k * a[0] * a[1], a[0], -k * a[0] * a[1], k * a[1] * a[1] - 1, a[1],
                           a[0], -a[1], a[2]},
               9 * sizeof(double));
    }
}

static ff_pose pose_from(const double pos[3], const double quat[4])
{
    ff_pose out;
    ff_compile_rotation(out.R, quat);
    ff_vec3_copy(out.p, pos);
    return out;
}

static const ff_pose IDENTITY = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};

static int node_nq(ff_node_type type)
{
    return type == FF_NODE_BALL ? 4 : type == FF_NODE_FREE ? 7 : 1;
}

int ff_node_nv(ff_node_type type)
{
    return type == FF_NODE_BALL ? 3 : type == FF_NODE_FREE ? 6 : 1;
}

/// Appends a node below `carrier` whose frame lies at `rest` in the carrier; returns its index.
static int add_node(ff_compiler *c, ff_node_type type, int joint, int carrier, const ff_pose *rest)
{
    ff_model *m = c->model;
    const int index = m->nnode++, below = m->bodies[m->joints[joint].body].parent;
    ff_node *node = &m->nodes[index];
    *node = (ff_node){.type = type, .parent = carrier, .joint = joint, .qadr = m->nq, .vadr = m->nv, .rest = *rest};
    node->vlast = m->nv + ff_node_nv(type) - 1;
    node->mocap = carrier < 0 && below >= 0 && type != FF_NODE_FREE ? m->bodies[below].mocap : -1;
    node->tree = carrier < 0 ? m->ntree++ : m->nodes[carrier].tree;
    m->nq += node_nq(type);
    m->nv += ff_node_nv(type);
    return index;
}

/// Adds the nodes of one joint below (*carrier, *place), where *place is the body's frame in the carrier; updates both
/// so that they describe the body behind this joint.
static void add_joint_nodes(ff_compiler *c, int joint, double ref, int *carrier, ff_pose *place)
{
    const ff_joint *j = &c->model->joints[joint];
    ff_pose anchor = IDENTITY, aligned;
    if (j->type != FF_JOINT_FREE && j->type != FF_JOINT_SLIDE) ff_vec3_copy(anchor.p, j->pos);
    bool root_free = j->type == FF_JOINT_FREE && *carrier < 0;
    static const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
    const double *slides[3] = {x, y, z};
    int nslide = j->type == FF_JOINT_FREE && !root_free ? 3 : j->type == FF_JOINT_PLANAR ? 2 : 0;
    double last[3] = {0, 0, 1};
    if (j->type != FF_JOINT_FREE && j->type != FF_JOINT_BALL) ff_vec3_copy(last, j->axis);
    ff_pose along = IDENTITY;
    ff_compile_frame_along(along.R, last);
    if (j->type == FF_JOINT_FREE || j->type == FF_JOINT_BALL) ff_mat3_identity(along.R);

    aligned = ff_pose_mul(place, &anchor);
    aligned = ff_pose_mul(&aligned, &along);
    for (int k = 0; k < nslide; k++) {
        // slide frames are turned along their own axis and back again
        ff_pose turn = IDENTITY, back = IDENTITY, rest;
        ff_compile_frame_along(turn.R, slides[k]);
        ff_mat3_transpose(back.R, turn.R);
        rest = ff_pose_mul(&aligned, &turn);
        *carrier = add_node(c, FF_NODE_SLIDE, joint, *carrier, &rest);
        aligned = back;
    }
    static const ff_node_type types[FF_JOINT_COUNT] = {[FF_JOINT_HINGE] = FF_NODE_HINGE,
                                                       [FF_JOINT_SLIDE] = FF_NODE_SLIDE,
                                                       [FF_JOINT_BALL] = FF_NODE_BALL,
                                                       [FF_JOINT_PLANAR] = FF_NODE_HINGE,
                                                       [FF_JOINT_FREE] = FF_NODE_BALL};
    if (root_free)
        *carrier = add_node(c, FF_NODE_FREE, joint, -1, &IDENTITY);
    else
        *carrier = add_node(c, types[j->type], joint, *carrier, &aligned);
    c->model->nodes[*carrier].ref = ref;
    // the body's frame in that of the new node: alignment and anchor are undone
    ff_mat3_transpose(place->R, along.R);
    ff_mat3_mulv(place->p, place->R, anchor.p);
    ff_vec3_scale(place->p, place->p, -1.0);
}

static bool copy_joint(ff_compiler *c, int from_index, int index, int body)
{
    ff_model *m = c->model;
    const ff_spec_joint *from = &c->spec->joints[from_index];
    ff_joint *joint = &m->joints[index];
    *joint = (ff_joint){
        .name = ff_arena_strdup(&m->arena, from->name),
        .type = from->type,
        .body = body,
        .node = m->nnode,
        .qadr = m->nq,
        .vadr = m->nv,
        .limited = from->limited,
        .range = {from->range[0], from->range[1]},
        .stop_stiffness = ff_compile_given(from->stop_stiffness, FF_DEFAULT_STOP_STIFFNESS),
        .stop_damping = ff_compile_given(from->stop_damping, FF_DEFAULT_STOP_DAMPING),
        .stiffness = from->stiffness,
        .spring_ref = from->spring_ref,
        .damping = from->damping,
        .dry_friction = from->dry_friction,
        .dry_speed = from->dry_speed > 0.0 ? from->dry_speed : FF_DEFAULT_DRY_SPEED,
        .armature = from->armature,
        .effort = from->effort,
        .speed = from->speed,
        .mimic = -1,
        .mimic_gain = from->mimic_gain,
        .mimic_offset = from->mimic_offset,
        .place = {m->bodies[body].place.file, from->place.line, from->place.column},
    };
    ff_vec3_copy(joint->axis, from->axis);
    ff_vec3_normalise(joint->axis);
    ff_vec3_copy(joint->pos, from->pos);
    c->joint_to[from_index] = index;
    ff_names_put(&c->joint_names, joint->name ? joint->name : "", index);
    return joint->name != NULL;
}

/// A free joint stands alone on its body.
static bool check_free(ff_compiler *c, int spec_body)
{
    int first = c->joint_first[spec_body], end = c->joint_first[spec_body + 1];
    for (int k = first; k < end; k++) {
        const ff_spec_joint *joint = &c->spec->joints[c->joint_list[k]];
        if (joint->type != FF_JOINT_FREE || end - first == 1) continue;
        ff_report_add(c->report, FF_ERROR, joint->place,
                      "joint \"%s\": a free joint must be the only joint of its body", joint->name);
        return false;
    }
    return true;
}

/// A body that callers move.
static bool add_mocap(ff_compiler *c, int index)
{
    ff_model *m = c->model;
    ff_body *body = &m->bodies[index];
    if (body->parent >= 0 || body->node >= 0) {
        ff_report_add(c->report, FF_ERROR, body->place,
                      "body \"%s\" is a mocap body, which callers move: it must stand on the world, without joints",
                      body->name);
        return false;
    }
    body->mocap = m->nmocap;
    m->mocaps[m->nmocap++] = index;
    return true;
}

static bool add_body(ff_compiler *c, int index, int *njoint)
{
    ff_model *m = c->model;
    const ff_spec_body *from = &c->spec->bodies[c->body_of[index]];
    ff_body *body = &m->bodies[index];
    ff_pose place = pose_from(from->pos, from->quat);
    int carrier = -1, spec_body = c->body_of[index];
    if (body->parent >= 0) {
        const ff_body *parent = &m->bodies[body->parent];
        ff_pose parent_pose;
        memcpy(parent_pose.R, parent->R, sizeof parent_pose.R);
        ff_vec3_copy(parent_pose.p, parent->pos);
        carrier = parent->node;
        place = ff_pose_mul(&parent_pose, &place);
    }
    if (!check_free(c, spec_body)) return false;
    for (int k = c->joint_first[spec_body]; k < c->joint_first[spec_body + 1]; k++) {
        int from_index = c->joint_list[k], joint = (*njoint)++;
        const ff_spec_joint *spec_joint = &c->spec->joints[from_index];
        if (!copy_joint(c, from_index, joint, index)) return false;
        if (spec_joint->type == FF_JOINT_FREE && carrier < 0) {
            // q of a free root is its pose in the world
            ff_vec3_copy(m->q0 + m->nq, place.p);
            ff_quat_from_mat3(m->q0 + m->nq + 3, place.R);
        } else if (spec_joint->type == FF_JOINT_BALL) {
            m->q0[m->nq] = 1.0;
        } else if (spec_joint->type == FF_JOINT_FREE) {
            m->q0[m->nq + 3] = 1.0;
        } else if (spec_joint->type != FF_JOINT_PLANAR) {
            m->q0[m->nq] = spec_joint->ref;
        }
        bool scalar = ff_joint_is_scalar(spec_joint->type);
        add_joint_nodes(c, joint, scalar ? spec_joint->ref : 0.0, &carrier, &place);
    }
    body->node = carrier;
    body->mocap = carrier < 0 && body->parent >= 0 ? m->bodies[body->parent].mocap : -1;
    if (from->mocap && !add_mocap(c, index)) return false;
    ff_vec3_copy(body->pos, place.p);
    memcpy(body->R, place.R, sizeof body->R);
    ff_quat_from_mat3(body->quat, place.R);
    if (carrier >= 0) {
        ff_inertia own = ff_inertia_from_com(body->mass, body->com, body->inertia);
        ff_inertia seen = ff_inertia_transform(&own, body->pos, body->R);
        m->nodes[carrier].inertia = ff_inertia_add(&m->nodes[carrier].inertia, &seen);
    }
    return true;
}

static bool allocate(ff_compiler *c)
{
    ff_model *m = c->model;
    m->njoint = c->spec->njoint;
    // a free joint below a moving body needs the most: four nodes, seven positions, six degrees of freedom
    m->nodes = FF_ARENA_NEW(&m->arena, ff_node, 4 * m->njoint + 1);
    m->joints = FF_ARENA_NEW(&m->arena, ff_joint, m->njoint + 1);
    m->q0 = FF_ARENA_NEW(&m->arena, double, 7 * m->njoint + 1);
    m->mocaps = FF_ARENA_NEW(&m->arena, int, m->nbody + 1);
    c->joint_to = FF_ARENA_NEW(&c->scratch, int, m->njoint + 1);
    return m->nodes && m->joints && m->q0 && m->mocaps && c->joint_to &&
           ff_names_init(&c->joint_names, &c->scratch, m->njoint);
}

static bool resolve_mimics(ff_compiler *c)
{
    ff_model *m = c->model;
    bool good = true;
    for (int k = 0; k < c->spec->njoint; k++) {
        const ff_spec_joint *from = &c->spec->joints[k];
        if (!from->mimic) continue;
        int index = c->joint_to[k], leader = ff_names_get(&c->joint_names, from->mimic);
        bool scalar = leader >= 0 && ff_joint_nv(m->joints[leader].type) == 1 && ff_joint_nv(from->type) == 1;
        if (!scalar || leader == index) {
            ff_report_add(c->report, FF_ERROR, from->place, "joint \"%s\" mimics \"%s\", which %s", from->name,
                          from->mimic,
                          leader < 0        ? "does not exist"
                          : leader == index ? "is the joint itself"
                                            : "it cannot follow: only joints of one degree of freedom can be coupled");
            good = false;
            continue;
        }
        m->joints[index].mimic = leader;
    }
    // Walk from each joint to its leader, leaving a mark; meeting the mark of the same walk closes a circle.
    int *walk = FF_ARENA_NEW(&c->scratch, int, m->njoint + 1);
    if (!walk) return false;
    for (int j = 0; j < m->njoint; j++) {
        int at = j;
        for (; at >= 0 && !walk[at]; at = m->joints[at].mimic) walk[at] = j + 1;
        if (at < 0 || walk[at] != j + 1) continue;
        ff_report_add(c->report, FF_ERROR, m->joints[at].place, "joint \"%s\" mimics itself through a cycle of joints",
                      m->joints[at].name);
        good = false;
    }
    return good;
}

/// Degrees of freedom: parents, joint constants, and the rows of the packed mass matrix.
static bool build_dofs(ff_compiler *c)
{
    ff_model *m = c->model;
    int n = m->nv;
    int **ints[] = {&m->dof_parent, &m->dof_node, &m->dof_joint, &m->dof_depth, &m->M_row};
    for (size_t i = 0; i < sizeof ints / sizeof ints[0]; i++)
        if (!(*ints[i] = FF_ARENA_NEW(&m->arena, int, n + 1))) return false;
    double **doubles[] = {&m->dof_armature, &m->dof_damping, &m->dof_dry_friction, &m->dof_dry_speed};
    for (size_t i = 0; i < sizeof doubles / sizeof doubles[0]; i++)
        if (!(*doubles[i] = FF_ARENA_NEW(&m->arena, double, n + 1))) return false;
    long long entries = 0;
    for (int k = 0; k < m->nnode; k++) {
        const ff_node *node = &m->nodes[k];
        const ff_joint *joint = &m->joints[node->joint];
        int above = -1;
        if (node->parent >= 0) {
            const ff_node *parent = &m->nodes[node->parent];
            above = parent->vlast;
        }
        for (int i = node->vadr; i <= node->vlast; i++) {
            m->dof_parent[i] = above;
            m->dof_node[i] = k;
            m->dof_joint[i] = node->joint;
            m->dof_depth[i] = above < 0 ? 0 : m->dof_depth[above] + 1;
            m->dof_armature[i] = joint->armature;
            m->dof_damping[i] = joint->damping;
            m->dof_dry_friction[i] = joint->dry_friction;
            m->dof_dry_speed[i] = joint->dry_speed;
            m->M_row[i] = (int)entries;
            entries += m->dof_depth[i] + 1;
            if (entries > MOST_M_ENTRIES) {
                ff_report_add(
                    c->report, FF_ERROR, joint->place,
                    "joint \"%s\": the chain of joints is too long here: the mass matrix would need more than "
                    "%d entries",
                    joint->name, MOST_M_ENTRIES);
                return false;
            }
            above = i;
        }
    }
    m->nM = (int)entries;
    m->M_row[n] = m->nM;
    return true;
}

/// Columns of the packed mass matrix: in each row the ancestors, root first, then the degree of freedom itself.
static bool build_columns(ff_model *m)
{
    m->M_col = FF_ARENA_NEW(&m->arena, int, m->nM + 1);
    if (!m->M_col) return false;
    for (int i = 0; i < m->nv; i++) {
        int at = m->M_row[i + 1] - 1;
        for (int a = i; a >= 0; a = m->dof_parent[a], at--) m->M_col[at] = a;
    }
    return true;
}

/// Sorts nodes by their distance from the root. Neighbours in this order do not depend on each other: six legs
/// are computed side by side, where in depth-first order each joint waits for the one before (kinematics of a hexapod
/// are 20 % faster).
static bool sort_nodes(ff_compiler *c)
{
    ff_model *m = c->model;
    int n = m->nnode, *depth = FF_ARENA_NEW(&c->scratch, int, n + 1), *start = FF_ARENA_NEW(&c->scratch, int, n + 2);
    int *to = FF_ARENA_NEW(&c->scratch, int, n + 1);
    ff_node *sorted = FF_ARENA_NEW(&m->arena, ff_node, n + 1);
    m->tree_root = FF_ARENA_NEW(&m->arena, int, m->ntree + 1);
    if (!depth || !start || !to || !sorted || !m->tree_root) return false;
    for (int i = 0; i < n; i++) {
        depth[i] = m->nodes[i].parent < 0 ? 0 : depth[m->nodes[i].parent] + 1;
        start[depth[i] + 1]++;
    }
    for (int k = 0; k < n; k++) start[k + 1] += start[k];
    for (int i = 0; i < n; i++) to[i] = start[depth[i]]++;
    for (int i = 0; i < n; i++) {
        ff_node *node = &sorted[to[i]];
        *node = m->nodes[i];
        if (node->parent >= 0)
            node->parent = to[node->parent];
        else
            m->tree_root[node->tree] = to[i];
    }
    m->nodes = sorted;
    for (int i = 0; i < m->nv; i++) m->dof_node[i] = to[m->dof_node[i]];
    for (int j = 0; j < m->njoint; j++) m->joints[j].node = to[m->joints[j].node];
    for (int b = 0; b < m->nbody; b++)
        if (m->bodies[b].node >= 0) m->bodies[b].node = to[m->bodies[b].node];
    return true;
}

bool ff_compile_tree(ff_compiler *c)
{
    int njoint = 0;
    if (!allocate(c)) return false;
    for (int i = 0; i < c->model->nbody; i++)
        if (!add_body(c, i, &njoint)) return false;
    return resolve_mimics(c) && build_dofs(c) && build_columns(c->model) && sort_nodes(c);
}
