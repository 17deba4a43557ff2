// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// On a processor: fills the tables of the text that specialise.c wrote, which stands before this file's inclusion, with
// the numbers of a model. device_special.cu does so on a device.
#ifndef FOOTFALL_BATCH_SPECIAL_TABLES_H
#define FOOTFALL_BATCH_SPECIAL_TABLES_H

#include <string.h>

#define FILL(table, array, count)                                                                                      \
    do {                                                                                                               \
        if ((count) > 0) memcpy(table, array, sizeof *(array) * (size_t)(count));                                      \
    } while (0)

static void fill_tables(const ff_batch_model *m)
{
    MODEL = *m;
    FILL(NODES, m->nodes, m->nnode);
    FILL(DOFS, m->dofs, m->nv);
    FILL(SERVOS, m->servos, m->nservo);
    FILL(ACTUATORS, m->actuators, m->nactuator);
    FILL(POINTS, m->points, m->npoint);
    FILL(PLANES, m->planes, m->nplane);
    FILL(CONTACTS, m->contacts, m->ncontact);
    FILL(MORE, m->more, m->ncontact);
    FILL(PUSHES, m->pushes, m->npush);
    FILL(POSES, m->cycle.poses, m->cycle.npose * m->nservo);
}

#endif
