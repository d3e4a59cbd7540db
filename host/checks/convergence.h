/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Part of accesscheck.c: which accesses of the lanes of a warp are one instruction of the warp. One
 * lane runs after another here, and each leaves a trace of its accesses. On a GPU lanes that a
 * branch has separated go on together where their ways meet. So of the lanes' next accesses those
 * come first that are in the earliest iteration of a loop around them, and then those that come
 * first in the kernel: the others may have gone round them, and wait.
 *
 * What is a loop, and what comes first, is seen in the graph of the kernel, whose edges lead from
 * each site to those that came next in a trace:
 *
 *     for (...) {                  a --> b, a, c
 *         load a                   b --> a, c
 *         if (...)
 *             load b
 *     }
 *     load c
 *
 * Here a is the head of a loop with a and b. Sites come in the order of this graph, in which ways
 * back to the head of a loop are left out, and ways out of it come after its whole body.
 */
#ifndef PORTABLE_HOST_CHECKS_CONVERGENCE_H
#define PORTABLE_HOST_CHECKS_CONVERGENCE_H

#include "host/checks/warp_accesses.h" /* LANES */

#include <stddef.h> /* ptrdiff_t */
#include <stdint.h> /* uint64_t, uintptr_t */
#include <stdlib.h> /* free */
#include <string.h> /* memset */

static void *grown(void *old, size_t bytes); /* realloc, or the end of the program */

enum { SITE_BITS = 16, ADDRESS_BITS = 48, SITES = 1 << SITE_BITS };

/* An access: the number of its site, and its address. */
typedef uint64_t event;
static inline event event_of(unsigned site, uintptr_t address)
{
    return (event)site << ADDRESS_BITS | address;
}
static inline unsigned site_of_event(event e)
{
    return (unsigned)(e >> ADDRESS_BITS);
}
static inline uintptr_t address_of_event(event e)
{
    return (uintptr_t)(e & (((event)1 << ADDRESS_BITS) - 1));
}

/* ---------------------------------------------------------------------------------------------
 * The graph: one for each kernel, with a site that stands for the begin and the end of all traces
 * ------------------------------------------------------------------------------------------- */

struct edge {
    unsigned from, to;
    unsigned next; /* another edge from the same site, or 0 */
};
static struct edge *edges; /* of all graphs; from 1 on */
static unsigned edge_count = 1, edge_room;
static struct node {
    unsigned edge;  /* the latest edge from it, or 0 */
    unsigned order; /* sites that come first have smaller ones */
    unsigned depth; /* the number of loops around it, at most MAX_LOOPS, */
    unsigned loop;  /* and the head of the innermost one */
    unsigned outer; /* of a head: that of the next loop around its own */
    unsigned index; /* see read_graph */
} nodes[SITES];
enum { MAX_LOOPS = 8 };

/* Returns 0 if it is there already. */
static int add_edge(unsigned from, unsigned to)
{
    for (unsigned e = nodes[from].edge; e != 0; e = edges[e].next)
        if (edges[e].to == to)
            return 0;
    if (edge_count >= edge_room) {
        edge_room = edge_room > 0 ? 2 * edge_room : 1024;
        edges = (struct edge *)grown(edges, edge_room * sizeof *edges);
    }
    edges[edge_count] = (struct edge){from, to, nodes[from].edge};
    nodes[from].edge = edge_count++;
    return 1;
}

/* The graph of a kernel: nodes 0 to count - 1, of which 0 is the begin and the end. */
struct graph {
    unsigned count, edge_count, edge_room;
    struct edge *edges;
    unsigned *sites; /* of the nodes */
};

static void add_to_graph(struct graph *graph, unsigned from, unsigned to)
{
    if (graph->edge_count >= graph->edge_room) {
        graph->edge_room = graph->edge_room > 0 ? 2 * graph->edge_room : 64;
        graph->edges = (struct edge *)grown(graph->edges, graph->edge_room * sizeof *graph->edges);
    }
    graph->edges[graph->edge_count++] = (struct edge){from, to, 0};
}

/* Every site is on a way from the end, which is the begin, too. */
static void read_graph(struct graph *graph, unsigned end)
{
    unsigned room = 64;

    memset(graph, 0, sizeof *graph);
    graph->sites = (unsigned *)grown(NULL, room * sizeof *graph->sites);
    graph->sites[graph->count++] = end;
    nodes[end].index = 0;
    for (unsigned k = 0; k < graph->count; k++)
        for (unsigned e = nodes[graph->sites[k]].edge; e != 0; e = edges[e].next) {
            const unsigned to = edges[e].to;

            if (nodes[to].index >= graph->count || graph->sites[nodes[to].index] != to) {
                if (graph->count == room) {
                    room *= 2;
                    graph->sites = (unsigned *)grown(graph->sites, room * sizeof *graph->sites);
                }
                nodes[to].index = graph->count;
                graph->sites[graph->count++] = to;
            }
            add_to_graph(graph, k, nodes[to].index);
        }
}

/* The nodes that a way from node 0 leads to, each before those that follow it, but for cycles.
 * order[node] is its place. Returns their number. */
static unsigned sort_graph(const struct graph *graph, unsigned *in_order, unsigned *order)
{
    const unsigned count = graph->count;
    unsigned *const first = (unsigned *)grown(NULL, 4 * (count + 2) * sizeof *first);
    unsigned *const at = first + count + 2, *const path = at + count + 2;
    unsigned *const reached = path + count + 2;
    unsigned *const to = (unsigned *)grown(NULL, (graph->edge_count + 1) * sizeof *to);
    unsigned depth = 0, left = count;

    /* The edges of a node are those from first[node] to first[node + 1]. */
    memset(first, 0, 4 * (count + 2) * sizeof *first);
    for (unsigned e = 0; e < graph->edge_count; e++)
        first[graph->edges[e].from + 2]++;
    for (unsigned k = 2; k < count + 2; k++)
        first[k] += first[k - 1];
    for (unsigned e = 0; e < graph->edge_count; e++)
        to[first[graph->edges[e].from + 1]++] = graph->edges[e].to;
    memcpy(at, first, count * sizeof *at);
    reached[0] = 1;
    path[depth++] = 0;
    while (depth > 0) { /* depth first */
        const unsigned node = path[depth - 1];

        if (at[node] == first[node + 1]) {
            in_order[--left] = node;
            depth--;
            continue;
        }
        const unsigned next = to[at[node]++];
        if (!reached[next]) {
            reached[next] = 1;
            path[depth++] = next;
        }
    }
    memmove(in_order, in_order + left, (count - left) * sizeof *in_order);
    for (unsigned k = 0; k < count - left; k++)
        order[in_order[k]] = k;
    free(first);
    free(to);
    return count - left;
}

static unsigned common_dominator(const unsigned *dominators, const unsigned *order, unsigned a,
                                 unsigned b)
{
    while (a != b)
        if (order[a] > order[b])
            a = dominators[a];
        else
            b = dominators[b];
    return a;
}

/* The immediate dominators of all nodes: Cooper, Harvey and Kennedy, "A Simple, Fast Dominance
 * Algorithm", 2001. */
static void find_dominators(const struct graph *graph, const unsigned *order, unsigned *dominators)
{
    const unsigned unknown = graph->count;
    int changed = 1;

    for (unsigned k = 0; k < graph->count; k++)
        dominators[k] = k == 0 ? 0 : unknown;
    while (changed) {
        changed = 0;
        for (unsigned e = 0; e < graph->edge_count; e++) {
            const unsigned from = graph->edges[e].from, to = graph->edges[e].to;

            if (dominators[from] == unknown || to == 0)
                continue;
            const unsigned found = dominators[to] == unknown
                                       ? from
                                       : common_dominator(dominators, order, dominators[to], from);

            changed |= found != dominators[to];
            dominators[to] = found;
        }
    }
}

static int dominates(const unsigned *dominators, unsigned node, unsigned other)
{
    while (other != node && other != 0)
        other = dominators[other];
    return other == node;
}

/* Marks the loop whose head is this node: all from which a way leads back to it, without leaving
 * what it dominates. Returns the number of its nodes. */
static unsigned find_loop(const struct graph *graph, const unsigned *dominators, unsigned head,
                          unsigned char *body)
{
    unsigned size = 0;
    int changed = 1;

    memset(body, 0, graph->count);
    while (changed) {
        changed = 0;
        for (unsigned e = 0; e < graph->edge_count; e++) {
            const unsigned from = graph->edges[e].from, to = graph->edges[e].to;

            if (!body[from] && (to == head || body[to]) && dominates(dominators, head, from)) {
                body[from] = 1;
                changed = 1;
                size++;
            }
        }
    }
    return size;
}

/* Finds the loops, the inner ones first, as they are smaller. loop[node] is the head of the
 * innermost loop around the node, outer[head] that of the next loop around a loop; 0 for none. */
static void find_loops(const struct graph *graph, const unsigned *dominators, unsigned *loop,
                       unsigned *outer)
{
    unsigned char *const body = (unsigned char *)grown(NULL, graph->count);
    unsigned *const size = (unsigned *)grown(NULL, graph->count * sizeof *size);

    memset(size, 0, graph->count * sizeof *size);
    for (unsigned e = 0; e < graph->edge_count; e++) {
        const unsigned head = graph->edges[e].to;

        if (head != 0 && size[head] == 0 && dominates(dominators, head, graph->edges[e].from))
            size[head] = find_loop(graph, dominators, head, body);
    }
    for (;;) {
        unsigned head = 0;

        for (unsigned k = 1; k < graph->count; k++)
            if (size[k] > 0 && (head == 0 || size[k] < size[head]))
                head = k;
        if (head == 0)
            break;
        find_loop(graph, dominators, head, body);
        size[head] = 0;
        for (unsigned k = 1; k < graph->count; k++) {
            unsigned outermost = loop[k];

            while (outermost != 0 && outer[outermost] != 0)
                outermost = outer[outermost];
            if (body[k] && outermost == 0)
                loop[k] = head;
            else if (body[k] && outermost != head)
                outer[outermost] = head;
        }
    }
    free(body);
    free(size);
}

static int is_in_loop(const unsigned *loop, const unsigned *outer, unsigned node, unsigned head)
{
    for (node = loop[node]; node != 0 && node != head; node = outer[node])
        ;
    return node == head;
}

/* Without the ways back to the head of a loop, and with those out of a loop after all others: they
 * lead over a node for its end, whose number is that of the head + graph->count. */
static void open_loops(const struct graph *graph, const unsigned *loop, const unsigned *outer,
                       struct graph *opened)
{
    memset(opened, 0, sizeof *opened);
    opened->count = 2 * graph->count;
    for (unsigned e = 0; e < graph->edge_count; e++) {
        unsigned from = graph->edges[e].from, head = loop[from];
        const unsigned to = graph->edges[e].to;

        if (to == 0)
            continue;
        for (; head != 0 && (to == head || !is_in_loop(loop, outer, to, head));
             head = outer[head]) {
            add_to_graph(opened, from, head + graph->count);
            from = head + graph->count;
            if (to == head)
                break;
        }
        if (to != head)
            add_to_graph(opened, from, to);
    }
}

/* Finds the loops and the order of all sites of a kernel. */
static void order_sites(unsigned end)
{
    struct graph graph, opened;

    read_graph(&graph, end);
    const unsigned count = graph.count;
    unsigned *const in_order = (unsigned *)grown(NULL, 7 * count * sizeof *in_order);
    unsigned *const order = in_order + 2 * count, *const dominators = order + 2 * count;
    unsigned *const loop = dominators + count, *const outer = loop + count;

    memset(in_order, 0, 7 * count * sizeof *in_order);
    sort_graph(&graph, in_order, order);
    find_dominators(&graph, order, dominators);
    find_loops(&graph, dominators, loop, outer);
    open_loops(&graph, loop, outer, &opened);
    sort_graph(&opened, in_order, order);
    for (unsigned k = 0; k < count; k++) {
        struct node *const node = &nodes[graph.sites[k]];

        node->order = order[k];
        node->depth = 0;
        for (unsigned head = loop[k]; head != 0 && node->depth < MAX_LOOPS; head = outer[head])
            node->depth++;
        node->loop = graph.sites[loop[k]];
        node->outer = graph.sites[outer[k]];
    }
    free(in_order);
    free(graph.edges);
    free(graph.sites);
    free(opened.edges);
}

/* ---------------------------------------------------------------------------------------------
 * The lanes of a warp
 * ------------------------------------------------------------------------------------------- */

/* The accesses of a lane that are left. */
struct lane_trace {
    const event *at, *end;
    unsigned lane;
};

/* Lanes whose next accesses are one of the warp. */
struct group {
    uint32_t mask;
    unsigned site;
    unsigned iterations[MAX_LOOPS]; /* of the loops around it, outermost first */
};

/* Is called with each access of the warp: its site, and the addresses and numbers of its lanes. */
typedef void warp_access(unsigned site, uintptr_t *addresses, const unsigned char *lanes,
                         unsigned count);

/* Whether all traces have the same sites, one after another. */
static int are_equal(const struct lane_trace *lanes, unsigned count)
{
    const ptrdiff_t length = lanes[0].end - lanes[0].at;

    for (unsigned k = 1; k < count; k++) {
        event difference = 0;

        if (lanes[k].end - lanes[k].at != length)
            return 0;
        for (ptrdiff_t i = 0; i < length; i++)
            difference |= lanes[k].at[i] ^ lanes[0].at[i];
        if (site_of_event(difference) != 0)
            return 0;
    }
    return 1;
}

static void join_equal(const struct lane_trace *lanes, unsigned count, warp_access *with)
{
    const ptrdiff_t length = lanes[0].end - lanes[0].at;
    uintptr_t addresses[LANES];
    unsigned char numbers[LANES];

    for (unsigned k = 0; k < count; k++)
        numbers[k] = (unsigned char)lanes[k].lane;
    for (ptrdiff_t i = 0; i < length; i++) {
        for (unsigned k = 0; k < count; k++)
            addresses[k] = address_of_event(lanes[k].at[i]);
        with(site_of_event(lanes[0].at[i]), addresses, numbers, count);
    }
}

static void add_ways(const struct lane_trace *lanes, unsigned count, unsigned end)
{
    int changed = 0;

    for (unsigned k = 0; k < count; k++) {
        unsigned from = end;

        for (const event *at = lanes[k].at; at < lanes[k].end; at++) {
            changed |= add_edge(from, site_of_event(*at));
            from = site_of_event(*at);
        }
        changed |= add_edge(from, end);
    }
    if (changed)
        order_sites(end);
}

/* The number of loops around both. */
static unsigned common_loops(unsigned a, unsigned b)
{
    unsigned depth_a = nodes[a].depth, depth_b = nodes[b].depth;

    a = nodes[a].loop;
    b = nodes[b].loop;
    for (; depth_a > depth_b; depth_a--)
        a = nodes[a].outer;
    for (; depth_b > depth_a; depth_b--)
        b = nodes[b].outer;
    for (; depth_a > 0 && a != b; depth_a--) {
        a = nodes[a].outer;
        b = nodes[b].outer;
    }
    return depth_a;
}

/* The group is what comes after an access of another one. */
static void step_group(struct group *group, const struct group *from)
{
    const unsigned site = group->site, common = common_loops(from->site, site);

    for (unsigned k = 0; k < nodes[site].depth; k++)
        group->iterations[k] = k < common ? from->iterations[k] : 0;
    if (nodes[site].loop == site && common == nodes[site].depth && common > 0)
        group->iterations[common - 1]++;
}

/* Negative if the access of a comes before that of b; 0 if they are one of the warp. */
static int order_of(const struct group *a, const struct group *b)
{
    const unsigned common = common_loops(a->site, b->site);

    for (unsigned k = 0; k < common; k++)
        if (a->iterations[k] != b->iterations[k])
            return a->iterations[k] < b->iterations[k] ? -1 : 1;
    return (nodes[a->site].order > nodes[b->site].order) -
           (nodes[a->site].order < nodes[b->site].order);
}

/* Adds the lanes of a group to the one with the same access, or to the list. */
static unsigned add_group(struct group *groups, unsigned count, const struct group *group)
{
    for (unsigned k = 0; k < count; k++)
        if (groups[k].site == group->site && order_of(&groups[k], group) == 0) {
            groups[k].mask |= group->mask;
            return count;
        }
    groups[count] = *group;
    return count + 1;
}

/* The lanes of the group have made their access: adds groups of those with others, by their next
 * sites. */
static unsigned add_next(struct group *groups, unsigned count, const struct lane_trace *lanes,
                         const struct group *from)
{
    struct group group;

    for (uint32_t left = from->mask; left != 0; left &= ~group.mask) {
        const struct lane_trace *const first = &lanes[__builtin_ctz(left)];

        group.mask = left & -left;
        if (first->at == first->end)
            continue;
        group.site = site_of_event(*first->at);
        for (uint32_t others = left & (left - 1); others != 0; others &= others - 1) {
            const struct lane_trace *const lane = &lanes[__builtin_ctz(others)];

            if (lane->at < lane->end && site_of_event(*lane->at) == group.site)
                group.mask |= others & -others;
        }
        step_group(&group, from);
        count = add_group(groups, count, &group);
    }
    return count;
}

/* Joins the traces of a warp; end: the number of the kernel's begin and end. */
static void join_lanes(struct lane_trace *lanes, unsigned count, unsigned end, warp_access *with)
{
    struct group groups[LANES], first = {0, end, {0}};
    unsigned group_count;
    uintptr_t addresses[LANES];
    unsigned char numbers[LANES];

    if (count == 0)
        return;
    if (are_equal(lanes, count)) {
        join_equal(lanes, count, with);
        return;
    }
    add_ways(lanes, count, end);
    first.mask = (uint32_t)(((uint64_t)1 << count) - 1);
    group_count = add_next(groups, 0, lanes, &first);
    while (group_count > 0) {
        unsigned next = 0, joined = 0;

        for (unsigned k = 1; k < group_count; k++)
            if (order_of(&groups[k], &groups[next]) < 0)
                next = k;
        first = groups[next];
        groups[next] = groups[--group_count];
        for (uint32_t mask = first.mask; mask != 0; mask &= mask - 1) {
            struct lane_trace *const lane = &lanes[__builtin_ctz(mask)];

            addresses[joined] = address_of_event(*lane->at++);
            numbers[joined++] = (unsigned char)lane->lane;
        }
        with(first.site, addresses, numbers, joined);
        group_count = add_next(groups, group_count, lanes, &first);
    }
}

#endif
