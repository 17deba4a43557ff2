// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "batch/tables.h"

#include <stdlib.h>
#include <string.h>

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
        TABLE("NODES", m->nodes, m->nnode, ff_batch_node, own),
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
