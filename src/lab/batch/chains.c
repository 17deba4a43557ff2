// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "batch/chains.h"

#include <stdlib.h>
#include <string.h>

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
        l->thin[i] = l->children[i] == 0 || (l->children[i] == 1 && l->thin[i + 1]); // a child follows its parent
    }
}

static bool in_trunk(const layout *l, int i)
{
    return l->parent[i] < 0 || !l->thin[i];
}

int ff_chains_dofs(const ff_batch_node *node)
{
    return node->type == FF_LINK_BALL ? 3 : 1;
}

/// Do two nodes need the same code? Their numbers may differ.
static bool alike(const ff_batch_model *m, const ff_batch_node *a, const ff_batch_node *b)
{
    if (a->type != b->type || a->massive != b->massive || a->npoint != b->npoint) return false;
    if ((a->own_row > 0) != (b->own_row > 0)) return false;
    if ((a->depth > 0) != (b->depth > 0) || a->leaf != b->leaf || a->branches != b->branches) return false;
    for (int k = 0; k < ff_chains_dofs(a); k++) {
        const ff_batch_dof *d = &m->dofs[a->v + k], *e = &m->dofs[b->v + k];
        if ((d->servo < 0) != (e->servo < 0) || d->nactuator != e->nactuator || d->passive != e->passive) return false;
        if ((d->dry > 0.0) != (e->dry > 0.0) || (d->stiffness != 0.0) != (e->stiffness != 0.0)) return false;
        if (d->limited != e->limited) return false;
    }
    return true;
}

static bool same_kind(const ff_batch_model *m, const chain *a, const chain *b)
{
    if (a->nodes != b->nodes || a->limb != b->limb || (a->station < 0) != (b->station < 0)) return false;
    for (int k = 0; k < a->nodes; k++)
        if (!alike(m, &m->nodes[a->first + k], &m->nodes[b->first + k])) return false;
    return true;
}

/// Does a chain go on with the node after i?
static bool goes_on(const layout *l, int i)
{
    return l->children[i] == 1 && in_trunk(l, i) == in_trunk(l, i + 1);
}

static void find_kind(layout *l, chain *found)
{
    for (const chain *k = l->chains; k < found && found->kind < 0; k++)
        if (same_kind(l->m, k, found)) found->kind = k->kind;
    if (found->kind >= 0) return;
    found->kind = l->nkind++;
    l->pieces += found->nodes;
}

/// The chain that begins at node i.
static void add_chain(layout *l, int i, int tree, int level)
{
    chain *found = &l->chains[l->nchain++];
    int last = i;
    while (goes_on(l, last)) last++;
    *found = (chain){.first = i, .nodes = last - i + 1, .tree = tree, .level = level, .kind = -1, .station = -1};
    found->limb = !in_trunk(l, i);
    found->parent = l->parent[i] < 0 ? -1 : l->station[l->parent[i]];
    if (l->children[last] > 0) found->station = l->station[last] = l->nstation++;
    find_kind(l, found);
}

static int level_of(const layout *l, int i)
{
    int level = 0;
    for (; l->parent[i] >= 0; i = l->parent[i])
        if (!goes_on(l, l->parent[i])) level++;
    return level;
}

static int end_of_tree(const ff_batch_model *m, int first)
{
    int end = first + 1;
    while (end < m->nnode && m->nodes[end].depth > 0) end++;
    return end;
}

static void find_chains(layout *l)
{
    const ff_batch_model *m = l->m;
    for (int i = 0; i < m->nnode; i++) l->station[i] = -1;
    for (int first = 0, end, tree = 0; first < m->nnode; first = end, tree++) {
        end = end_of_tree(m, first);
        for (int level = 0, found = 1; found > 0; level++) {
            found = 0;
            for (int i = first; i < end; i++) {
                const bool begins = l->parent[i] < 0 || !goes_on(l, l->parent[i]);
                if (!begins || !in_trunk(l, i) || level_of(l, i) != level) continue;
                add_chain(l, i, tree, level);
                found++;
            }
        }
        for (int i = first; i < end; i++)
            if (!in_trunk(l, i) && !goes_on(l, l->parent[i])) add_chain(l, i, tree, -1);
    }
}

/// Is there one between the chains `from` and `to` - 1 that hangs on the same station as c?
static bool has_neighbour(const layout *l, const chain *c, int from, int to)
{
    for (int k = from; k < to; k++)
        if (l->chains[k].parent == c->parent) return true;
    return false;
}

/// How well the limb number i comes next: of the same kind, so that members of a crew do the same at the same time; on
/// another station than those of the same round, so that none waits for its turn; on one with many limbs left. Limbs of
/// a station keep their order.
static int merit(const layout *l, int from, int next, int i, int end)
{
    const chain *c = &l->chains[i];
    if (has_neighbour(l, c, next, i)) return -1;
    const bool same = c->kind == l->chains[next - 1].kind;
    const int round = from + (next - from) / l->crew * l->crew;
    int left = 0;
    for (int k = i; k < end; k++) left += l->chains[k].parent == c->parent && l->chains[k].kind == c->kind;
    return (2 * same + !has_neighbour(l, c, round, next)) * l->nchain + left;
}

static void order_limbs(layout *l, int from, int end)
{
    for (int next = from + 1; next < end; next++) {
        int best = next;
        for (int i = next + 1; i < end; i++)
            if (merit(l, from, next, i, end) > merit(l, from, next, best, end)) best = i;
        const chain chosen = l->chains[best];
        memmove(&l->chains[next + 1], &l->chains[next], (size_t)(best - next) * sizeof(chain));
        l->chains[next] = chosen;
    }
}

static void order_all_limbs(layout *l)
{
    for (int i = 0, end; i < l->nchain; i = end) {
        for (end = i + 1; end < l->nchain && l->chains[end].limb == l->chains[i].limb;) {
            if (l->chains[end].tree != l->chains[i].tree) break;
            end++;
        }
        if (l->chains[i].limb) order_limbs(l, i, end);
    }
}

rank ff_chains_rank(const layout *l, int from)
{
    const chain *first = &l->chains[from];
    rank r = {.from = from, .to = from, .turns = 1};
    for (; r.to < l->nchain; r.to++) {
        const chain *c = &l->chains[r.to];
        if (c->tree != first->tree || c->level != first->level) break;
        if (c->turn >= r.turns) r.turns = c->turn + 1;
        if (c->nodes > r.nodes) r.nodes = c->nodes;
    }
    r.rounds = (r.to - from + l->crew - 1) / l->crew;
    return r;
}

/// How many of its round add to the same station before each chain.
static void find_turns(layout *l)
{
    for (int from = 0, end; from < l->nchain; from = end) {
        end = ff_chains_rank(l, from).to;
        for (int i = from; i < end; i++)
            for (int k = from + (i - from) / l->crew * l->crew; k < i; k++)
                l->chains[i].turn += l->chains[k].parent == l->chains[i].parent;
    }
}

void ff_chains_clear(layout *l)
{
    free(l->parent);
    free(l->children);
    free(l->thin);
    free(l->station);
    free(l->chains);
}

bool ff_chains_find(layout *l, const ff_batch_model *m, int crew)
{
    const size_t n = (size_t)m->nnode + 1;
    *l = (layout){.m = m,
                  .crew = crew,
                  .parent = calloc(n, sizeof(int)),
                  .children = calloc(n, sizeof(int)),
                  .thin = calloc(n, sizeof(int)),
                  .station = calloc(n, sizeof(int)),
                  .chains = calloc(n, sizeof(chain))};
    if (!l->parent || !l->children || !l->thin || !l->station || !l->chains) return false;
    find_parents(l);
    find_chains(l);
    order_all_limbs(l);
    find_turns(l);
    bool small = l->pieces <= MOST_PIECES;
    for (int i = 0; i < l->nchain; i++)
        small = small && l->chains[i].level < MOST_PIECES && (!l->chains[i].limb || l->chains[i].nodes <= LIMB_NODES);
    return small;
}
