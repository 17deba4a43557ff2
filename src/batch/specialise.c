// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The schedule of a step, written out for one model: which pieces of step.h follow each other, and what is known of
// each node before it is compiled (its joint, what it carries, which of its numbers are zero).
//     trunk    nodes from which branches part, and those above them: written one after the other
//     limb     a branch without branches, down and up at once, so that its frames, lumps and bodies are registers
//     kind     limbs whose nodes are alike share one piece of code
//     station  a node of the trunk that branches part from, or a limb hangs on
// The numbers of the model stay in tables (`NODES`, `DOFS`, ...): models that differ in numbers alone share one text.
// Sums are taken in the order of step.h, in which limbs come before other branches (compile.c): the bits are the same.
#include "batch/specialise.h"

#include "batch/device.h"

#include <stdlib.h>
#include <string.h>

enum { LIMB_NODES = 8, MOST_PIECES = 48 }; // longer or more numerous ones give code that no cache holds

typedef struct limb {
    int first, nodes; // of the model
    int station, kind;
} limb;

typedef struct layout {
    const ff_batch_model *m;
    int *parent;   // of each node, -1: the world
    int *children; // how many each has
    int *chain;    // of each node: nothing below it branches
    int *station;  // of each node of the trunk, -1: none
    limb *limbs;
    int nlimb, nstation, nkind, pieces;
} layout;

// ------------------------------------------------------------------------------------------ the tree

static void find_parents(layout *l)
{
    const ff_batch_model *m = l->m;
    for (int i = 0; i < m->nnode; i++) {
        l->parent[i] = -1;
        for (int k = i - 1; k >= 0 && m->nodes[i].depth > 0 && l->parent[i] < 0; k--)
            if (m->nodes[k].depth == m->nodes[i].depth - 1) l->parent[i] = k;
        if (l->parent[i] >= 0) l->children[l->parent[i]]++;
    }
    for (int i = m->nnode - 1; i >= 0; i--) {
        l->chain[i] = l->children[i] == 0 || (l->children[i] == 1 && l->chain[i + 1]); // a child follows its parent
    }
}

static bool in_trunk(const layout *l, int i)
{
    return l->parent[i] < 0 || !l->chain[i];
}

static int dofs_of(const ff_batch_node *node)
{
    return node->type == FF_LINK_BALL ? 3 : 1;
}

/// Do two nodes need the same code? Their numbers may differ.
static bool alike(const ff_batch_model *m, const ff_batch_node *a, const ff_batch_node *b)
{
    if (a->type != b->type || a->massive != b->massive || a->npoint != b->npoint) return false;
    if ((a->own > 0) != (b->own > 0)) return false;
    for (int k = 0; k < dofs_of(a); k++) {
        const ff_batch_dof *d = &m->dofs[a->v + k], *e = &m->dofs[b->v + k];
        if ((d->servo < 0) != (e->servo < 0) || d->nactuator != e->nactuator || d->passive != e->passive) return false;
        if ((d->dry > 0.0) != (e->dry > 0.0) || (d->stiffness != 0.0) != (e->stiffness != 0.0)) return false;
        if (d->limited != e->limited) return false;
    }
    return true;
}

static bool same_kind(const ff_batch_model *m, const limb *a, const limb *b)
{
    if (a->nodes != b->nodes) return false;
    for (int k = 0; k < a->nodes; k++)
        if (!alike(m, &m->nodes[a->first + k], &m->nodes[b->first + k])) return false;
    return true;
}

static void find_limbs(layout *l)
{
    const ff_batch_model *m = l->m;
    for (int i = 0; i < m->nnode; i++) l->station[i] = -1;
    for (int i = 0; i < m->nnode; i++) {
        if (in_trunk(l, i)) {
            l->pieces++;
            if (l->children[i] > 1) l->station[i] = l->nstation++;
            continue;
        }
        if (!in_trunk(l, l->parent[i])) continue;
        limb *found = &l->limbs[l->nlimb++];
        *found = (limb){.first = i, .nodes = 1, .kind = -1};
        for (int k = i + 1; k < m->nnode && m->nodes[k].depth > m->nodes[i].depth; k++) found->nodes++;
        int *station = &l->station[l->parent[i]];
        if (*station < 0) *station = l->nstation++;
        found->station = *station;
        for (const limb *k = l->limbs; k < found && found->kind < 0; k++)
            if (same_kind(m, k, found)) found->kind = k->kind;
        if (found->kind >= 0) continue;
        found->kind = l->nkind++;
        l->pieces += found->nodes;
    }
}

// ------------------------------------------------------------------------------------------ what is known of a node

static unsigned nonzero(const double *numbers, const int *which, int count)
{
    unsigned has = 0;
    for (int i = 0; i < count; i++)
        if (numbers[which[i]] != 0.0) has |= 1U << i;
    return has;
}

/// Bits FF_HAS_TURN to FF_HAS_INERTIA.
static unsigned has_of(const ff_batch_node *node)
{
    static const int columns[9] = {0, 3, 6, 1, 4, 7, 2, 5, 8}, three[3] = {0, 1, 2};
    static const int inertia[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
    return nonzero(node->rest_R, columns, 9) << FF_HAS_TURN | nonzero(node->rest_p, three, 3) << FF_HAS_SHIFT |
           nonzero(node->h, three, 3) << FF_HAS_MOMENT | nonzero(node->I, inertia, 9) << FF_HAS_INERTIA;
}

/// `NODE_name(i)`, the node number i, and `DOF_name_k(v)`, its degrees of freedom, as they are known.
static void write_known(FILE *f, const layout *l, int i, const char *name, bool turned)
{
    const ff_batch_node *node = &l->m->nodes[i];
    fprintf(f, "#define NODE_%s(i) known_node(&NODES[i], %d, %d, %d, %d, %d, %d, %d)\n", name, node->type,
            node->depth > 0, node->leaf, node->branches, node->massive, turned, node->npoint);
    for (int k = 0; k < dofs_of(node); k++) {
        const ff_batch_dof *d = &l->m->dofs[node->v + k];
        fprintf(f, "#define DOF_%s_%d(v) known_dof(&DOFS[v], %d, %d, %d, %d, %d, %d)\n", name, k, d->servo >= 0,
                d->nactuator, d->passive, d->dry > 0.0, d->stiffness != 0.0, d->limited);
    }
}

static void write_dofs(FILE *f, const char *name, int count)
{
    fprintf(f, "    const ff_batch_dof d_%s[%d] = {", name, count);
    for (int k = 0; k < count; k++) fprintf(f, "%sDOF_%s_%d(n_%s.v + %d)", k > 0 ? ", " : "", name, k, name, k);
    fprintf(f, "};\n");
}

// ------------------------------------------------------------------------------------------ limbs

static unsigned has_in_kind(const layout *l, int kind, int node)
{
    unsigned has = 0;
    for (int i = 0; i < l->nlimb; i++)
        if (l->limbs[i].kind == kind) has |= has_of(&l->m->nodes[l->limbs[i].first + node]);
    return has;
}

static bool turned_in_kind(const layout *l, int kind, int node)
{
    bool turned = false;
    for (int i = 0; i < l->nlimb; i++)
        if (l->limbs[i].kind == kind) turned = turned || l->m->nodes[l->limbs[i].first + node].turned;
    return turned;
}

static const limb *first_of_kind(const layout *l, int kind)
{
    const limb *found = l->limbs;
    while (found->kind != kind) found++;
    return found;
}

static void write_limb_in(FILE *f, const layout *l, int kind, const limb *one)
{
    char name[32];
    fprintf(f,
            "\nFN void limb_in_%d(const place *at, const whole *all_of, int first, frame *f, real *origin, artic "
            "*body)\n{\n",
            kind);
    for (int k = 0; k < one->nodes; k++) {
        const int count = dofs_of(&l->m->nodes[one->first + k]);
        snprintf(name, sizeof name, "%d_%d", kind, k);
        fprintf(f, "    const ff_batch_node n_%s = NODE_%s(first + %d);\n", name, name, k);
        write_dofs(f, name, count);
        fprintf(f, "    coordinates c_%s;\n    lump l_%s;\n    record r_%s[%d];\n", name, name, name, count);
        fprintf(f, "    read_coordinates(at, &n_%s, &c_%s);\n    call_up_node(at, &n_%s, d_%s[0].servo);\n", name, name,
                name, name);
    }
    for (int k = 0; k < one->nodes; k++) {
        snprintf(name, sizeof name, "%d_%d", kind, k);
        fprintf(f, "    node_down(at, all_of, &n_%s, &c_%s, %uU, f, origin, &l_%s, r_%s);\n", name, name,
                has_in_kind(l, kind, k), name, name);
    }
    for (int k = one->nodes - 1; k >= 0; k--) {
        const int count = dofs_of(&l->m->nodes[one->first + k]);
        snprintf(name, sizeof name, "%d_%d", kind, k);
        fprintf(f, "    node_up(at, all_of, &n_%s, d_%s, &c_%s, &l_%s, body, body, r_%s, 0);\n", name, name, name, name,
                name);
        for (int j = 0; j < count; j++)
            fprintf(f, "    keep_record(&at->records[n_%s.v + %d], &r_%s[%d], %d);\n", name, j, name, j,
                    k < one->nodes - 1 || count > 1);
    }
    fprintf(f, "}\n");
}

static void write_kind(FILE *f, const layout *l, int kind)
{
    const limb *one = first_of_kind(l, kind);
    char name[32];
    fprintf(f, "\n");
    for (int k = 0; k < one->nodes; k++) {
        snprintf(name, sizeof name, "%d_%d", kind, k);
        write_known(f, l, one->first + k, name, turned_in_kind(l, kind, k));
    }
    write_limb_in(f, l, kind, one);
    fprintf(f, "\nFN void limb_out_%d(const place *at, int first, real *a)\n{\n", kind);
    for (int k = 0; k < one->nodes; k++) {
        snprintf(name, sizeof name, "%d_%d", kind, k);
        fprintf(f, "    const ff_batch_node n_%s = NODE_%s(first + %d);\n", name, name, k);
        fprintf(f, "    node_out(at, &n_%s, &at->records[n_%s.v], a);\n", name, name);
    }
    fprintf(f, "}\n");
}

enum { FIRST, STATION, KIND, COLUMNS }; // of the table of limbs

static void write_limb_table(FILE *f, const layout *l)
{
    fprintf(f, "TABLE const int LIMBS[%d][%d] = {", l->nlimb + 1, COLUMNS);
    for (int i = 0; i < l->nlimb; i++)
        fprintf(f, "{%d, %d, %d}, ", l->limbs[i].first, l->limbs[i].station, l->limbs[i].kind);
    fprintf(f, "{0, 0, 0}};\n");
}

/// The call for each kind among the limbs `from` to `to` - 1.
static void write_calls(FILE *f, const layout *l, int from, int to, const char *call)
{
    bool mixed = false;
    for (int i = from; i < to; i++) mixed = mixed || l->limbs[i].kind != l->limbs[from].kind;
    for (int kind = 0; kind < l->nkind; kind++) {
        bool here = false;
        for (int i = from; i < to; i++) here = here || l->limbs[i].kind == kind;
        if (!here) continue;
        fprintf(f, "        ");
        if (mixed) fprintf(f, "if (LIMBS[i][%d] == %d) ", KIND, kind);
        fprintf(f, call, kind);
    }
}

static void write_limbs_in(FILE *f, const layout *l, int from, int to)
{
    if (from == to) return;
    fprintf(f, "    LOOP for (int i = %d; i < %d; i++) {\n", from, to);
    fprintf(f, "        const int first = LIMBS[i][%d], station = LIMBS[i][%d];\n", FIRST, STATION);
    fprintf(f, "        take_rows(FRAMES(station), 1, (real *)&f, FRAME_ROWS);\n");
    write_calls(f, l, from, to, "limb_in_%d(at, all_of, first, &f, origin, &body);\n");
    fprintf(f, "        add_rows(SUMS(station), NEAR_STRIDE, (const real *)&body, SUM_ROWS);\n    }\n");
}

static void write_limbs_out(FILE *f, const layout *l, int from, int to)
{
    if (from == to) return;
    fprintf(f, "    LOOP for (int i = %d; i < %d; i++) {\n", from, to);
    fprintf(f, "        const int first = LIMBS[i][%d], station = LIMBS[i][%d];\n", FIRST, STATION);
    fprintf(f, "        take_rows(OUTS(station), 1, a, 6);\n");
    write_calls(f, l, from, to, "limb_out_%d(at, first, a);\n");
    fprintf(f, "    }\n");
}

// ------------------------------------------------------------------------------------------ trunk

static const char *trunk_name(int i, char *name, size_t size)
{
    snprintf(name, size, "t%d", i);
    return name;
}

static void write_down(FILE *f, const layout *l, int i)
{
    char name[16];
    trunk_name(i, name, sizeof name);
    const ff_batch_node *node = &l->m->nodes[i];
    if (l->parent[i] >= 0 && l->parent[i] != i - 1)
        fprintf(f, "    take_rows(FRAMES(%d), 1, (real *)&f, FRAME_ROWS);\n", l->station[l->parent[i]]);
    fprintf(f, "    const ff_batch_node n_%s = NODE_%s(%d);\n", name, name, i);
    fprintf(f, "    coordinates c_%s;\n    lump l_%s;\n    record r_%s[%d];\n", name, name, name, dofs_of(node));
    fprintf(f, "    read_coordinates(at, &n_%s, &c_%s);\n", name, name);
    fprintf(f, "    node_down(at, all_of, &n_%s, &c_%s, %uU, &f, origin, &l_%s, r_%s);\n", name, name, has_of(node),
            name, name);
    if (l->station[i] < 0) return;
    fprintf(f, "    put_rows(FRAMES(%d), 1, (const real *)&f, FRAME_ROWS);\n", l->station[i]);
    if (l->children[i] > 1)
        fprintf(f, "    sum_begin(&n_%s, &l_%s, &body);\n", name, name);
    else
        fprintf(f, "    artic_of_nothing(&body);\n");
    fprintf(f, "    put_rows(SUMS(%d), NEAR_STRIDE, (const real *)&body, SUM_ROWS);\n", l->station[i]);
}

static void write_up(FILE *f, const layout *l, int i)
{
    char name[16];
    trunk_name(i, name, sizeof name);
    if (l->station[i] >= 0)
        fprintf(f, "    take_rows(SUMS(%d), NEAR_STRIDE, (real *)&body, SUM_ROWS);\n", l->station[i]);
    write_dofs(f, name, dofs_of(&l->m->nodes[i]));
    fprintf(f, "    node_up(at, all_of, &n_%s, d_%s, &c_%s, &l_%s, &body, &body, r_%s, a);\n", name, name, name, name,
            name);
    if (l->parent[i] >= 0 && l->station[l->parent[i]] >= 0)
        fprintf(f, "    add_rows(SUMS(%d), NEAR_STRIDE, (const real *)&body, SUM_ROWS);\n", l->station[l->parent[i]]);
}

static void write_out(FILE *f, const layout *l, int i)
{
    char name[16];
    trunk_name(i, name, sizeof name);
    if (l->parent[i] >= 0 && l->parent[i] != i - 1)
        fprintf(f, "    take_rows(OUTS(%d), 1, a, 6);\n", l->station[l->parent[i]]);
    if (l->m->nodes[i].type == FF_LINK_FREE)
        fprintf(f, "    root_out(at, &n_%s, root_R, a);\n", name);
    else
        fprintf(f, "    node_out(at, &n_%s, r_%s, a);\n", name, name);
    if (l->station[i] >= 0) fprintf(f, "    put_rows(OUTS(%d), 1, a, 6);\n", l->station[i]);
}

/// Nodes of the trunk of a tree are closed after all that hangs on them.
static void write_closing(FILE *f, const layout *l, int i, int end)
{
    for (int k = i + 1; k < end; k++)
        if (l->parent[k] == i && in_trunk(l, k)) write_closing(f, l, k, end);
    write_up(f, l, i);
}

static void write_tree(FILE *f, const layout *l, int first, int end, int *limbs)
{
    char name[16];
    int to = *limbs;
    while (to < l->nlimb && l->limbs[to].first < end) to++;
    fprintf(f, "\n");
    for (int i = first; i < end; i++)
        if (in_trunk(l, i)) write_known(f, l, i, trunk_name(i, name, sizeof name), l->m->nodes[i].turned);
    fprintf(f, "\nFN void tree_%d(const place *at, const whole *all_of)\n{\n", first);
    fprintf(
        f, "    real origin[3] = {each(0.0), each(0.0), each(0.0)}, a[6], root_R[9];\n    frame f;\n    artic body;\n");
    fprintf(f, "    UNROLL for (int k = 0; k < 6; k++) a[k] = each(0.0);\n");
    for (int i = first; i < end; i++) {
        if (in_trunk(l, i)) write_down(f, l, i);
        if (i == first) fprintf(f, "    UNROLL for (int k = 0; k < 9; k++) root_R[k] = f.R[k];\n");
    }
    write_limbs_in(f, l, *limbs, to);
    write_closing(f, l, first, end);
    for (int i = first; i < end; i++)
        if (in_trunk(l, i)) write_out(f, l, i);
    write_limbs_out(f, l, *limbs, to);
    fprintf(f, "}\n");
    *limbs = to;
}

// ------------------------------------------------------------------------------------------ the whole

static int end_of_tree(const ff_batch_model *m, int first)
{
    int end = first + 1;
    while (end < m->nnode && m->nodes[end].depth > 0) end++;
    return end;
}

static int stations(const layout *l)
{
    return l->nstation > 0 ? l->nstation : 1;
}

/// The next state lies where the sums were, which have been used then; with several trees behind them, as the sums of
/// the next tree come before.
static int next_row(const layout *l)
{
    return l->m->ntree > 1 ? FF_SUM_ROWS * stations(l) : 0;
}

static int near_rows(const layout *l)
{
    const int sums = FF_SUM_ROWS * stations(l), next = next_row(l) + l->m->nq + l->m->nv;
    return sums > next ? sums : next;
}

static void write_model(FILE *f, const layout *l)
{
    const ff_batch_model *m = l->m;
    fprintf(f, "TABLE ff_batch_model MODEL;\n");
    fprintf(f, "TABLE ff_batch_node NODES[%d];\nTABLE ff_batch_dof DOFS[%d];\n", m->nnode, m->nv);
    fprintf(f, "TABLE ff_batch_servo_law SERVOS[%d];\nTABLE ff_batch_actuator_law ACTUATORS[%d];\n", m->nservo + 1,
            m->nactuator + 1);
    fprintf(
        f, "TABLE ff_batch_point POINTS[%d];\nTABLE ff_batch_plane PLANES[%d];\nTABLE ff_batch_contact CONTACTS[%d];\n",
        m->npoint + 1, m->nplane + 1, m->ncontact + 1);
    fprintf(f, "TABLE double POSES[%d];\n", m->cycle.npose * m->nservo + 1);
    write_limb_table(f, l);
    fprintf(f, "enum { STATIONS = %d, DOF_COUNT = %d, NEXT_ROW = %d, NEAR_ROWS = %d };\n", stations(l), m->nv,
            next_row(l), near_rows(l));
    fprintf(f, "#define FRAMES(s) (at->station_frames + (s) * FRAME_ROWS)\n"
               "#define SUMS(s) (at->station_sums + (s) * SUM_ROWS * NEAR_STRIDE)\n"
               "#define OUTS(s) FRAMES(s)\n"); // frames have been used then
    fprintf(f, "\nFN void known_model(struct ff_batch_model *m)\n{\n    *m = MODEL;\n");
    const struct {
        const char *name;
        int value;
    } counts[] = {{"nq", m->nq},
                  {"nv", m->nv},
                  {"nnode", m->nnode},
                  {"npoint", m->npoint},
                  {"nfield", m->nfield},
                  {"nservo", m->nservo},
                  {"ntree", m->ntree},
                  {"cycle.npose", m->cycle.npose},
                  {"ground", m->ground},
                  {"robot", m->robot},
                  {"root", m->root},
                  {"root_v", m->root_v},
                  {"parameter", m->parameter},
                  {"delay", m->delay},
                  {"delay_row", m->delay_row},
                  {"driven", m->driven},
                  {"sampled", m->sampled},
                  {"kept", m->kept},
                  {"npush", m->npush},
                  {"nchannel", m->nchannel},
                  {"varied", m->varied},
                  {"nrow", m->nrow},
                  {"ninput", m->ninput}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        fprintf(f, "    m->%s = %d;\n", counts[i].name, counts[i].value);
    fprintf(f, "    m->nodes = NODES, m->dofs = DOFS, m->servos = SERVOS, m->actuators = ACTUATORS;\n"
               "    m->points = POINTS, m->planes = PLANES, m->contacts = CONTACTS, m->cycle.poses = POSES;\n}\n");
}

/// Contacts that all have the same law.
static void write_contact(FILE *f, const ff_batch_model *m)
{
    for (int i = 1; i < m->ncontact; i++)
        if (memcmp(&m->contacts[i], &m->contacts[0], offsetof(ff_batch_contact, stiffness)) != 0) return;
    if (m->ncontact == 0) return;
    const ff_batch_contact *c = m->contacts;
    fprintf(
        f,
        "#define KNOWN_CONTACT(c) ((c).power = %d, (c).damping_power = %d, (c).by_impact = %d, (c).always_floor = %d, "
        "(c).pulls = %d, (c).grips = %d, (c).rare = %d, (c).curve = %d, (c).turns = %d, (c).no_cone = %d, "
        "(c).dash_power = %d, "
        "(c).slack_stick = %d)\n",
        c->power, c->damping_power, c->by_impact, c->always_floor, c->pulls, c->grips, c->rare, c->curve, c->turns,
        c->no_cone, c->dash_power, c->slack_stick);
}

/// What the pieces need of headers that a compiler at run time does not have.
static void write_names(FILE *f)
{
    const struct {
        const char *name;
        int value;
    } names[] = {{"FF_BATCH_FRICTION", FF_BATCH_FRICTION},
                 {"FF_BATCH_CONTACT_STIFFNESS", FF_BATCH_CONTACT_STIFFNESS},
                 {"FF_BATCH_MASS", FF_BATCH_MASS},
                 {"FF_BATCH_GAIN", FF_BATCH_GAIN},
                 {"FF_BATCH_DIVERGED", FF_BATCH_DIVERGED},
                 {"FF_BATCH_FELL", FF_BATCH_FELL},
                 {"FF_BATCH_FINISHED", FF_BATCH_FINISHED},
                 {"FF_BATCH_PARAMETERS", FF_BATCH_PARAMETERS},
                 {"FF_BATCH_DEVICE_LANES", FF_BATCH_DEVICE_LANES}};
    fputs("#if defined(__CUDACC_RTC__)\n"
          "typedef unsigned long size_t;\n"
          "typedef long int64_t;\n"
          "typedef unsigned long uint64_t;\n"
          "#define INFINITY __longlong_as_double(0x7ff0000000000000)\n"
          "typedef int ff_status;\n"
          "typedef struct ff_error ff_error;\n"
          "typedef struct ff_batch_model ff_batch_model;\n"
          "enum {\n",
          f);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        fprintf(f, "    %s = %d,\n", names[i].name, names[i].value);
    fprintf(f, "};\n#endif\n");
}

static void write_text(FILE *f, const layout *l)
{
    int limbs = 0;
    const ff_batch_model *m = l->m;
    write_names(f);
    write_contact(f, m);
    fprintf(f, "#define FF_SPECIAL\n#include \"batch/limbs.h\"\n\n");
    write_model(f, l);
    for (int kind = 0; kind < l->nkind; kind++) write_kind(f, l, kind);
    for (int i = 0; i < m->nnode; i = end_of_tree(m, i)) write_tree(f, l, i, end_of_tree(m, i), &limbs);
    fprintf(f, "\nFN void all_trees(const place *at, const whole *all_of)\n{\n");
    for (int i = 0; i < m->nnode; i = end_of_tree(m, i)) fprintf(f, "    tree_%d(at, all_of);\n", i);
    fprintf(f, "}\n");
}

static void clear_layout(layout *l)
{
    free(l->parent);
    free(l->children);
    free(l->chain);
    free(l->station);
    free(l->limbs);
}

bool ff_batch_write_special(const ff_batch_model *m, FILE *f, int *rows)
{
    const size_t n = (size_t)m->nnode + 1;
    layout l = {.m = m,
                .parent = calloc(n, sizeof(int)),
                .children = calloc(n, sizeof(int)),
                .chain = calloc(n, sizeof(int)),
                .station = calloc(n, sizeof(int)),
                .limbs = calloc(n, sizeof(limb))};
    bool small = l.parent && l.children && l.chain && l.station && l.limbs;
    if (small) {
        find_parents(&l);
        find_limbs(&l);
        small = l.pieces <= MOST_PIECES;
        for (int i = 0; i < l.nlimb; i++) small = small && l.limbs[i].nodes <= LIMB_NODES;
    }
    if (small) {
        write_text(f, &l);
        *rows = near_rows(&l);
    }
    clear_layout(&l);
    return small && !ferror(f);
}
