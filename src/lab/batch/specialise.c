// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The schedule of a step, written out for one model: which pieces of step.h follow each other, and what is known of
// each node before it is compiled (its joint, what it carries, which of its numbers are zero). chains.h has the words.
// The numbers of the model stay in tables (`NODES`, `DOFS`, ...): models that differ in numbers alone share one text.
// Sums are taken in the order of step.h, in which limbs come before other branches (compile.c): the bits are the same.
#include "batch/specialise.h"

#include "batch/chains.h"
#include "batch/device.h"

#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ what is known of a node

/// `NODE_name(i)`, the node number i, and `DOF_name_k(v)`, its degrees of freedom, as they are known.
static void write_known(FILE *f, const layout *l, int i, const char *name, bool turned)
{
    const ff_batch_node *node = &l->m->nodes[i];
    fprintf(f, "#define NODE_%s(i) known_node(&NODES[i], %d, %d, %d, %d, %d, %d, %d)\n", name, node->type,
            node->depth > 0, node->leaf, node->branches, node->massive, turned, node->npoint);
    for (int k = 0; k < ff_chains_dofs(node); k++) {
        const ff_batch_dof *d = &l->m->dofs[node->v + k];
        fprintf(f, "#define DOF_%s_%d(v) known_dof(&DOFS[v], %d, %d, %d, %d, %d, %d)\n", name, k, d->servo >= 0,
                d->nactuator, d->passive, d->dry > 0.0, d->stiffness != 0.0, d->limited);
    }
}

static void write_dofs(FILE *f, const char *name, int count)
{
    fprintf(f, "    ff_batch_dof d_%s[%d] = {", name, count);
    for (int k = 0; k < count; k++) fprintf(f, "%sDOF_%s_%d(n_%s.v + %d)", k > 0 ? ", " : "", name, k, name, k);
    fprintf(f, "};\n");
}

// ------------------------------------------------------------------------------------------ kinds

static unsigned has_in_kind(const layout *l, int kind, int node)
{
    unsigned has = 0;
    for (int i = 0; i < l->nchain; i++)
        if (l->chains[i].kind == kind) has |= l->m->nodes[l->chains[i].first + node].has;
    return has;
}

static bool turned_in_kind(const layout *l, int kind, int node)
{
    bool turned = false;
    for (int i = 0; i < l->nchain; i++)
        if (l->chains[i].kind == kind) turned = turned || l->m->nodes[l->chains[i].first + node].turned;
    return turned;
}

static const chain *first_of_kind(const layout *l, int kind)
{
    const chain *found = l->chains;
    while (found->kind != kind) found++;
    return found;
}

static const char *name_of(int kind, int node, char *name, size_t size)
{
    snprintf(name, size, "%d_%d", kind, node);
    return name;
}

/// Is the row that `of` finds as far behind that of the first node in all chains of a kind?
static bool same_distance(const layout *l, int kind, int node, int (*of)(const layout *, int), int *distance)
{
    const chain *one = first_of_kind(l, kind);
    *distance = of(l, one->first + node) - of(l, one->first);
    for (int i = 0; i < l->nchain; i++) {
        const chain *c = &l->chains[i];
        if (c->kind == kind && of(l, c->first + node) - of(l, c->first) != *distance) return false;
    }
    return true;
}

static int q_of(const layout *l, int node)
{
    return l->m->nodes[node].q;
}

static int v_of(const layout *l, int node)
{
    return l->m->nodes[node].v;
}

static int servo_of(const layout *l, int node)
{
    return l->m->dofs[l->m->nodes[node].v].servo;
}

/// A node, and its rows as distances from those of the first node of its chain, where they are the same in all: one
/// address serves them all then.
static void write_node(FILE *f, const layout *l, int kind, int k)
{
    int q, v;
    fprintf(f, "    ff_batch_node n_%d_%d = NODE_%d_%d(first + %d);\n", kind, k, kind, k, k);
    if (k == 0 || !same_distance(l, kind, k, q_of, &q) || !same_distance(l, kind, k, v_of, &v)) return;
    fprintf(f, "    n_%d_%d.q = n_%d_0.q + %d, n_%d_%d.v = n_%d_0.v + %d;\n", kind, k, kind, q, kind, k, kind, v);
}

/// Its degrees of freedom likewise.
static void write_node_dofs(FILE *f, const layout *l, int kind, int k)
{
    int servo;
    const chain *one = first_of_kind(l, kind);
    char name[32];
    write_dofs(f, name_of(kind, k, name, sizeof name), ff_chains_dofs(&l->m->nodes[one->first + k]));
    if (k == 0 || servo_of(l, one->first) < 0 || servo_of(l, one->first + k) < 0) return;
    if (!same_distance(l, kind, k, servo_of, &servo)) return;
    fprintf(f, "    d_%s[0].servo = d_%d_0[0].servo + %d;\n", name, kind, servo);
}

/// First degree of freedom of a node, counted from the first of its chain.
static int dof_in_chain(const layout *l, const chain *c, int node)
{
    return l->m->nodes[c->first + node].v - l->m->nodes[c->first].v;
}

static void write_keep(FILE *f, const layout *l, int kind, const chain *one, int k, bool axes)
{
    const int count = ff_chains_dofs(&l->m->nodes[one->first + k]);
    for (int j = 0; j < count; j++)
        fprintf(f, "    keep_record(&kept[%d], &r_%d_%d[%d], %d);\n", dof_in_chain(l, one, k) + j, kind, k, j,
                axes && (k < one->nodes - 1 || count > 1));
}

/// Each degree of freedom takes in all before it, from the last one on.
static void write_together(FILE *f, const layout *l, int kind, const chain *one)
{
    int node[3 * LIMB_NODES], axis[3 * LIMB_NODES], count = 0;
    for (int k = 0; k < one->nodes; k++)
        for (int j = 0; j < ff_chains_dofs(&l->m->nodes[one->first + k]); j++, count++)
            node[count] = k, axis[count] = j;
    for (int i = count - 1; i > 0; i--)
        for (int k = i - 1; k >= 0; k--)
            fprintf(f, "    take_in(&r_%d_%d[%d], &r_%d_%d[%d]);\n", kind, node[i], axis[i], kind, node[k], axis[k]);
    for (int k = 0; k < one->nodes; k++) write_keep(f, l, kind, one, k, false);
}

static void write_limb_in(FILE *f, const layout *l, int kind, const chain *one, bool fast)
{
    char name[32];
    fprintf(f,
            "\nPIECE void limb_in_%d(const place *at, const whole *all_of, int first, record *kept, frame *f, real "
            "*origin, artic *body)\n{\n",
            kind);
    for (int k = 0; k < one->nodes; k++) {
        const int count = ff_chains_dofs(&l->m->nodes[one->first + k]);
        name_of(kind, k, name, sizeof name);
        write_node(f, l, kind, k);
        write_node_dofs(f, l, kind, k);
        fprintf(f, "    coordinates c_%s;\n    lump l_%s;\n    record r_%s[%d];\n", name, name, name, count);
        fprintf(f, "    read_coordinates(at, &n_%s, &c_%s);\n    call_up_node(at, &n_%s, d_%s[0].servo);\n", name, name,
                name, name);
    }
    for (int k = 0; k < one->nodes; k++) {
        name_of(kind, k, name, sizeof name);
        fprintf(f, "    node_down(at, all_of, &n_%s, &c_%s, %uU, f, origin, &l_%s, r_%s);\n", name, name,
                has_in_kind(l, kind, k), name, name);
        if (k < one->nodes - 1) fprintf(f, "    store_lump(at, %d, &l_%s);\n", k, name);
    }
    for (int k = one->nodes - 1; k >= 0; k--) {
        name_of(kind, k, name, sizeof name);
        if (k < one->nodes - 1) fprintf(f, "    load_lump(at, %d, &l_%s);\n", k, name);
        fprintf(f, "    node_up(at, all_of, &n_%s, d_%s, &c_%s, &l_%s, body, body, r_%s, 0);\n", name, name, name, name,
                name);
        if (!fast) write_keep(f, l, kind, one, k, true);
    }
    if (fast) write_together(f, l, kind, one);
    fprintf(f, "}\n");
}

static void write_limb_out(FILE *f, const layout *l, int kind, const chain *one)
{
    char name[32];
    fprintf(f, "\nPIECE void limb_out_%d(const place *at, int first, const record *kept, real *a)\n{\n", kind);
    for (int k = 0; k < one->nodes; k++) {
        name_of(kind, k, name, sizeof name);
        write_node(f, l, kind, k);
        fprintf(f, "    limb_node_out(at, &n_%s, &kept[%d], a);\n", name, dof_in_chain(l, one, k));
    }
    fprintf(f, "}\n");
}

static void write_trunk_down(FILE *f, const layout *l, int kind, const chain *one)
{
    char name[32];
    fprintf(f,
            "\nPIECE void trunk_down_%d(const place *at, const whole *all_of, int first, opened *o, frame *f, real "
            "*origin, artic *sum)\n{\n",
            kind);
    for (int k = 0; k < one->nodes; k++) {
        name_of(kind, k, name, sizeof name);
        write_node(f, l, kind, k);
        fprintf(f, "    read_coordinates(at, &n_%s, &o[%d].c);\n", name, k);
        fprintf(f, "    node_down(at, all_of, &n_%s, &o[%d].c, %uU, f, origin, &o[%d].l, o[%d].r);\n", name, k,
                has_in_kind(l, kind, k), k, k);
    }
    if (l->m->nodes[one->first + one->nodes - 1].branches)
        fprintf(f, "    sum_begin(&n_%s, &o[%d].l, sum);\n", name, one->nodes - 1);
    else
        fprintf(f, "    artic_of_nothing(sum);\n");
    fprintf(f, "}\n");
}

static void write_trunk_up(FILE *f, const layout *l, int kind, const chain *one)
{
    char name[32];
    fprintf(f,
            "\nPIECE void trunk_up_%d(const place *at, const whole *all_of, int first, opened *o, artic *body, real "
            "*a)\n{\n",
            kind);
    for (int k = 0; k < one->nodes; k++) {
        write_node(f, l, kind, k);
        write_node_dofs(f, l, kind, k);
    }
    for (int k = one->nodes - 1; k >= 0; k--) {
        name_of(kind, k, name, sizeof name);
        fprintf(f, "    node_up(at, all_of, &n_%s, d_%s, &o[%d].c, &o[%d].l, body, body, o[%d].r, a);\n", name, name, k,
                k, k);
    }
    fprintf(f, "}\n");
}

static void write_trunk_out(FILE *f, const layout *l, int kind, const chain *one)
{
    char name[32];
    fprintf(f, "\nPIECE void trunk_out_%d(const place *at, int first, const opened *o, real *a)\n{\n", kind);
    for (int k = 0; k < one->nodes; k++) {
        name_of(kind, k, name, sizeof name);
        write_node(f, l, kind, k);
        if (l->m->nodes[one->first + k].type == FF_LINK_FREE)
            fprintf(f, "    free_out(at, &n_%s, a);\n", name);
        else
            fprintf(f, "    node_out(at, &n_%s, o[%d].r, a);\n", name, k);
    }
    fprintf(f, "    (void)o;\n}\n");
}

static void write_kind(FILE *f, const layout *l, int kind, bool fast)
{
    const chain *one = first_of_kind(l, kind);
    char name[32];
    fprintf(f, "\n");
    for (int k = 0; k < one->nodes; k++)
        write_known(f, l, one->first + k, name_of(kind, k, name, sizeof name), turned_in_kind(l, kind, k));
    if (one->limb) {
        write_limb_in(f, l, kind, one, fast);
        write_limb_out(f, l, kind, one);
        return;
    }
    write_trunk_down(f, l, kind, one);
    write_trunk_up(f, l, kind, one);
    write_trunk_out(f, l, kind, one);
}

// ------------------------------------------------------------------------------------------ trees

enum { FIRST, PARENT, STATION, KIND, TURN, COLUMNS }; // of the table of chains

static void write_chain_table(FILE *f, const layout *l)
{
    fprintf(f, "TABLE const int CHAINS[%d][%d] = {", l->nchain, COLUMNS);
    for (int i = 0; i < l->nchain; i++) {
        const chain *c = &l->chains[i];
        fprintf(f, "%s{%d, %d, %d, %d, %d}", i > 0 ? ", " : "", c->first, c->parent, c->station, c->kind, c->turn);
    }
    fprintf(f, "};\n");
}

/// The rounds of a rank: what each member does with its chain i.
static void write_round(FILE *f, const rank *r)
{
    fprintf(f, "    LOOP for (int round = 0; round < %d; round++) {\n", r->rounds);
    fprintf(f, "        const int i = %d + round * CREW + MEMBER, here = i < %d && any_of(all_of->lives);\n", r->from,
            r->to);
    fprintf(f, "        const int *const c = CHAINS[here ? i : %d];\n        if (here) {\n", r->from);
}

/// The call for each kind in the rank.
static void write_calls(FILE *f, const layout *l, const rank *r, const char *call)
{
    bool mixed = false;
    for (int i = r->from; i < r->to; i++) mixed = mixed || l->chains[i].kind != l->chains[r->from].kind;
    for (int kind = 0; kind < l->nkind; kind++) {
        bool here = false;
        for (int i = r->from; i < r->to; i++) here = here || l->chains[i].kind == kind;
        if (!here) continue;
        fprintf(f, "            ");
        if (mixed) fprintf(f, "if (c[%d] == %d) ", KIND, kind);
        fprintf(f, call, kind);
    }
}

/// Members add what they found to the stations their chains hang on, one after the other where these are the same.
static void write_turns(FILE *f, const rank *r)
{
    fprintf(f, "        }\n        for (int turn = 0; turn < %d; turn++) {\n", r->turns);
    fprintf(
        f,
        "            if (here && c[%d] == turn) add_rows(SUMS(c[%d]), NEAR_STRIDE, (const real *)&body, SUM_ROWS);\n",
        TURN, PARENT);
    fprintf(f, "            meet();\n        }\n    }\n");
}

static void write_down(FILE *f, const layout *l, const rank *r)
{
    const chain *first = &l->chains[r->from];
    write_round(f, r);
    if (first->parent >= 0)
        fprintf(f, "            take_rows(FRAMES(c[%d]), FRAME_STRIDE, (real *)&f, FRAME_ROWS);\n", PARENT);
    char call[160];
    snprintf(call, sizeof call, "trunk_down_%%d(at, all_of, c[%d], at->opened + %d + %d * round, &f, origin, &body);\n",
             FIRST, r->opened, r->nodes);
    write_calls(f, l, r, call);
    if (first->parent < 0) fprintf(f, "            put_rows(ORIGIN, FRAME_STRIDE, origin, 3);\n");
    fprintf(f, "            if (c[%d] >= 0) {\n", STATION);
    fprintf(f, "                put_rows(FRAMES(c[%d]), FRAME_STRIDE, (const real *)&f, FRAME_ROWS);\n", STATION);
    fprintf(f, "                put_rows(SUMS(c[%d]), NEAR_STRIDE, (const real *)&body, SUM_ROWS);\n", STATION);
    fprintf(f, "            }\n        }\n    }\n    meet();\n");
    if (first->parent < 0) fprintf(f, "    take_rows(ORIGIN, FRAME_STRIDE, origin, 3);\n");
}

static void write_up(FILE *f, const layout *l, const rank *r)
{
    char call[160];
    write_round(f, r);
    fprintf(f, "            if (c[%d] >= 0) take_rows(SUMS(c[%d]), NEAR_STRIDE, (real *)&body, SUM_ROWS);\n", STATION,
            STATION);
    snprintf(call, sizeof call, "trunk_up_%%d(at, all_of, c[%d], at->opened + %d + %d * round, &body, a);\n", FIRST,
             r->opened, r->nodes);
    write_calls(f, l, r, call);
    if (l->chains[r->from].parent >= 0)
        write_turns(f, r);
    else
        fprintf(f, "        }\n    }\n");
}

static void write_out(FILE *f, const layout *l, const rank *r)
{
    char call[160];
    write_round(f, r);
    if (l->chains[r->from].parent >= 0) fprintf(f, "            take_rows(OUTS(c[%d]), FRAME_STRIDE, a, 6);\n", PARENT);
    snprintf(call, sizeof call, "trunk_out_%%d(at, c[%d], at->opened + %d + %d * round, a);\n", FIRST, r->opened,
             r->nodes);
    write_calls(f, l, r, call);
    fprintf(f, "            if (c[%d] >= 0) put_rows(OUTS(c[%d]), FRAME_STRIDE, a, 6);\n", STATION, STATION);
    fprintf(f, "        }\n    }\n    meet();\n");
}

static void write_limbs_in(FILE *f, const layout *l, const rank *r)
{
    char call[160];
    write_round(f, r);
    fprintf(f, "            take_rows(FRAMES(c[%d]), FRAME_STRIDE, (real *)&f, FRAME_ROWS);\n", PARENT);
    snprintf(call, sizeof call, "limb_in_%%d(at, all_of, c[%d], at->records + LIMB_DOFS * round, &f, origin, &body);\n",
             FIRST);
    write_calls(f, l, r, call);
    write_turns(f, r);
}

static void write_limbs_out(FILE *f, const layout *l, const rank *r)
{
    char call[160];
    write_round(f, r);
    fprintf(f, "            take_rows(OUTS(c[%d]), FRAME_STRIDE, a, 6);\n", PARENT);
    snprintf(call, sizeof call, "limb_out_%%d(at, c[%d], at->records + LIMB_DOFS * round, a);\n", FIRST);
    write_calls(f, l, r, call);
    fprintf(f, "        }\n    }\n");
}

/// A tree: its trunk outward, limbs, its trunk inward and outward again, limbs.
static void write_tree(FILE *f, const layout *l, int *chains, int tree)
{
    rank ranks[MOST_PIECES], limbs = {0};
    int levels = 0, opened = 0;
    for (int i = *chains; i < l->nchain && l->chains[i].tree == tree;) {
        rank r = ff_chains_rank(l, i);
        i = *chains = r.to;
        if (l->chains[r.from].limb) {
            limbs = r;
            continue;
        }
        r.opened = opened;
        opened += r.rounds * r.nodes;
        ranks[levels++] = r;
    }
    fprintf(f, "\nFN void tree_%d(const place *at, const whole *all_of)\n{\n", tree);
    fprintf(f, "    real origin[3] = {each(0.0), each(0.0), each(0.0)}, a[6];\n    frame f;\n    artic body;\n");
    fprintf(f, "    UNROLL for (int k = 0; k < 6; k++) a[k] = each(0.0);\n");
    for (int k = 0; k < levels; k++) write_down(f, l, &ranks[k]);
    if (limbs.rounds > 0) write_limbs_in(f, l, &limbs);
    for (int k = levels - 1; k >= 0; k--) write_up(f, l, &ranks[k]);
    for (int k = 0; k < levels; k++) write_out(f, l, &ranks[k]);
    if (limbs.rounds > 0) write_limbs_out(f, l, &limbs);
    fprintf(f, "    meet();\n}\n");
}

// ------------------------------------------------------------------------------------------ the whole

static int stations(const layout *l)
{
    return l->nstation > 0 ? l->nstation : 1;
}

/// From one sum to the next: floats are moved by fours (device_special.cu).
static int sum_space(ff_batch_rounding rounding)
{
    return rounding == FF_BATCH_SINGLE ? (FF_SUM_ROWS + 3) / 4 * 4 : FF_SUM_ROWS;
}

/// The next state lies where the sums were, which have been used then; with several trees behind them, as the sums of
/// the next tree come before.
static int next_row(const layout *l, ff_batch_rounding rounding)
{
    return l->m->ntree > 1 ? sum_space(rounding) * stations(l) : 0;
}

static int near_rows(const layout *l, ff_batch_rounding rounding)
{
    const int sums = sum_space(rounding) * stations(l), next = next_row(l, rounding) + l->m->nq + l->m->nv;
    const int rows = sums > next ? sums : next;
    return rounding == FF_BATCH_SINGLE ? (rows + 3) / 4 * 4 : rows;
}

/// Frames of the stations and the origin of the tree: a crew shares them, too; one thread has them for itself.
static int station_rows(const layout *l)
{
    return FF_FRAME_ROWS * stations(l) + 3;
}

/// Most places that a tree needs in the memory of a thread: nodes of the trunk, and degrees of freedom of limbs.
static void count_places(const layout *l, int *opened, int *limb_dofs, int *records)
{
    *opened = *limb_dofs = *records = 1;
    for (int i = 0; i < l->nchain; i++) {
        int dofs = 0;
        for (int k = 0; l->chains[i].limb && k < l->chains[i].nodes; k++)
            dofs += ff_chains_dofs(&l->m->nodes[l->chains[i].first + k]);
        if (dofs > *limb_dofs) *limb_dofs = dofs;
    }
    for (int i = 0, tree = -1, places = 0; i < l->nchain;) {
        const rank r = ff_chains_rank(l, i);
        const chain *c = &l->chains[i];
        if (c->tree != tree) places = 0;
        tree = c->tree;
        i = r.to;
        if (c->limb && r.rounds * *limb_dofs > *records) *records = r.rounds * *limb_dofs;
        if (!c->limb) places += r.rounds * r.nodes;
        if (places > *opened) *opened = places;
    }
}

/// A number of the model that the text says: a count, or where rows begin.
typedef struct said {
    const char *of; // where the model has it: "", or in its "cycle."
    const char *name;
    int value;
    bool decides; // whether the step does something at all
} said;
enum { SAID = 24 };

static void list_said(const ff_batch_model *m, said out[SAID])
{
    const said all[SAID] = {{"", "nq", m->nq, false},
                            {"", "nv", m->nv, false},
                            {"", "nnode", m->nnode, false},
                            {"", "nfield", m->nfield, true},
                            {"", "nservo", m->nservo, false},
                            {"cycle.", "npose", m->cycle.npose, true},
                            {"", "ground", m->ground, true},
                            {"", "robot", m->robot, false},
                            {"", "root", m->root, false},
                            {"", "root_v", m->root_v, false},
                            {"", "parameter", m->parameter, false},
                            {"", "delay", m->delay, true},
                            {"", "delay_row", m->delay_row, false},
                            {"", "sets", m->sets, false},
                            {"", "driven", m->driven, true},
                            {"", "sampled", m->sampled, true},
                            {"", "kept", m->kept, false},
                            {"", "npush", m->npush, true},
                            {"", "nchannel", m->nchannel, true},
                            {"", "ncut", m->ncut, true},
                            {"", "npair", m->npair, true},
                            {"", "varied", m->varied, true},
                            {"", "nrow", m->nrow, false},
                            {"", "ninput", m->ninput, false}};
    memcpy(out, all, sizeof all);
}

/// What the pieces read by KNOWN (model.h).
static void write_decisions(FILE *f, const ff_batch_model *m)
{
    said all[SAID];
    list_said(m, all);
    fprintf(f, "#define KNOWN(m, name) KNOWN_##name\n");
    for (int i = 0; i < SAID; i++)
        if (all[i].decides) fprintf(f, "#define KNOWN_%s (%d)\n", all[i].name, all[i].value);
}

static void write_model(FILE *f, const layout *l, ff_batch_rounding rounding)
{
    const ff_batch_model *m = l->m;
    fprintf(f, "TABLE ff_batch_model MODEL;\n");
    fprintf(f, "TABLE ff_batch_node NODES[%d];\nTABLE ff_batch_dof DOFS[%d];\n", m->nnode, m->nv);
    fprintf(f, "TABLE ff_batch_servo_law SERVOS[%d];\nTABLE ff_batch_actuator_law ACTUATORS[%d];\n", m->nservo + 1,
            m->nactuator + 1);
    fprintf(
        f, "TABLE ff_batch_point POINTS[%d];\nTABLE ff_batch_plane PLANES[%d];\nTABLE ff_batch_contact CONTACTS[%d];\n",
        m->npoint + 1, m->nplane + 1, m->ncontact + 1);
    fprintf(f, "FAR_TABLE ff_batch_contact_more MORE[%d];\nFAR_TABLE ff_batch_force_law PUSHES[%d];\n", m->ncontact + 1,
            m->npush + 1);
    fprintf(f, "TABLE num POSES[%d];\n", m->cycle.npose * m->nservo + 1);
    int opened, limb_dofs, records;
    count_places(l, &opened, &limb_dofs, &records);
    write_chain_table(f, l);
    fprintf(f,
            "enum { OPENED = %d, LIMB_DOFS = %d, RECORDS = %d, SUM_SPACE = %d, NEXT_ROW = %d, NEAR_ROWS = %d, "
            "STATION_ROWS = %d };\n",
            opened, limb_dofs, records, sum_space(rounding), next_row(l, rounding), near_rows(l, rounding),
            station_rows(l));
    fprintf(f, "\nFN void known_model(struct ff_batch_model *m)\n{\n    *m = MODEL;\n");
    said all[SAID];
    list_said(m, all);
    for (int i = 0; i < SAID; i++) fprintf(f, "    m->%s%s = %d;\n", all[i].of, all[i].name, all[i].value);
    fprintf(f, "    m->nodes = NODES, m->dofs = DOFS, m->servos = SERVOS, m->actuators = ACTUATORS;\n"
               "    m->points = POINTS, m->planes = PLANES, m->contacts = CONTACTS, m->cycle.poses = POSES;\n"
               "    m->more = MORE, m->pushes = PUSHES;\n}\n");
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
        "(c).pulls = %d, (c).has_friction = %d, (c).rare = %d, (c).curve = %d, (c).turns = %d, (c).no_cone = %d, "
        "(c).dash_power = %d, "
        "(c).slack_stick = %d)\n",
        c->power, c->damping_power, c->by_impact, c->always_floor, c->pulls, c->has_friction, c->rare, c->curve,
        c->turns, c->no_cone, c->dash_power, c->slack_stick);
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

static void write_text(FILE *f, const layout *l, ff_batch_rounding rounding)
{
    const bool fast = rounding != FF_BATCH_EXACT;
    int chains = 0;
    const ff_batch_model *m = l->m;
    write_names(f);
    write_contact(f, m);
    if (rounding == FF_BATCH_SINGLE) fprintf(f, "#define FF_SINGLE\n");
    if (fast) fprintf(f, "#define FF_FAST\n");
    write_decisions(f, m);
    fprintf(f, "#define FF_SPECIAL\n#define CREW %d\n#include \"batch/limbs.h\"\n\n", l->crew);
    write_model(f, l, rounding);
    for (int kind = 0; kind < l->nkind; kind++) write_kind(f, l, kind, fast);
    for (int i = 0; i < m->ntree; i++) write_tree(f, l, &chains, i);
    fprintf(f, "\nFN void all_trees(const place *at, const whole *all_of)\n{\n");
    for (int i = 0; i < m->ntree; i++) fprintf(f, "    tree_%d(at, all_of);\n", i);
    fprintf(f, "}\n");
}

bool ff_batch_look_special(const ff_batch_model *m, ff_batch_rounding rounding, ff_batch_special_size *size)
{
    layout l;
    *size = (ff_batch_special_size){0};
    const bool small = ff_chains_find(&l, m, 1);
    if (small) size->near = near_rows(&l, rounding), size->stations = station_rows(&l);
    for (int i = 0; small && i < l.nchain; i++) {
        const int bodies = l.chains[i].nodes - 1;
        if (!l.chains[i].limb) continue;
        size->limbs++;
        if (bodies * FF_LUMP_ROWS > size->own) size->own = bodies * FF_LUMP_ROWS;
    }
    ff_chains_clear(&l);
    return small;
}

bool ff_batch_write_special(const ff_batch_model *m, int crew, ff_batch_rounding rounding, FILE *f)
{
    layout l;
    const bool small = ff_chains_find(&l, m, crew);
    if (small) write_text(f, &l, rounding);
    ff_chains_clear(&l);
    return small && !ferror(f);
}

// ------------------------------------------------------------------------------------------ tables

void ff_batch_list_tables(const ff_batch_model *m, ff_batch_table tables[FF_BATCH_TABLES])
{
#define NUMBERS(name, array, count)                                                                                    \
    {                                                                                                                  \
        name, array, (size_t)(count), sizeof *(array), 0                                                               \
    }
#define TABLE(name, array, count, type, last)                                                                          \
    {                                                                                                                  \
        name, array, (size_t)(count), sizeof *(array), offsetof(type, last) / sizeof(int) + 1                          \
    }
    const ff_batch_table all[FF_BATCH_TABLES] = {
        TABLE("NODES", m->nodes, m->nnode, ff_batch_node, own_row),
        TABLE("DOFS", m->dofs, m->nv, ff_batch_dof, limited),
        TABLE("SERVOS", m->servos, m->nservo, ff_batch_servo_law, frame),
        TABLE("ACTUATORS", m->actuators, m->nactuator, ff_batch_actuator_law, command),
        TABLE("POINTS", m->points, m->npoint, ff_batch_point, number),
        NUMBERS("PLANES", m->planes, m->nplane),
        TABLE("CONTACTS", m->contacts, m->ncontact, ff_batch_contact, slack_stick),
        NUMBERS("MORE", m->more, m->ncontact),
        NUMBERS("PUSHES", m->pushes, m->npush),
        NUMBERS("POSES", m->cycle.poses, m->cycle.npose * m->nservo)};
#undef NUMBERS
#undef TABLE
    memcpy(tables, all, sizeof all);
}

void *ff_batch_round_table(const ff_batch_table *t, size_t *size)
{
    const size_t wholes = t->whole * sizeof(int);
    const size_t first = (wholes + sizeof(double) - 1) / sizeof(double) * sizeof(double);
    const size_t numbers = (t->size - first) / sizeof(double), entry = wholes + numbers * sizeof(float);
    *size = t->count * entry;
    unsigned char *rounded = malloc(*size > 0 ? *size : 1);
    for (size_t i = 0; rounded && i < t->count; i++) {
        const unsigned char *from = (const unsigned char *)t->from + i * t->size;
        unsigned char *to = rounded + i * entry;
        memcpy(to, from, wholes);
        for (size_t k = 0; k < numbers; k++) {
            double number;
            memcpy(&number, from + first + k * sizeof number, sizeof number);
            const float single = (float)number;
            memcpy(to + wholes + k * sizeof single, &single, sizeof single);
        }
    }
    return rounded;
}
