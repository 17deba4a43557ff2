// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A crew of threads of a processor, in place of lanes of a GPU, for a step that specialise.c wrote: read before it.
#include <pthread.h>

static _Thread_local int special_member;
static pthread_barrier_t special_barrier;
static int special_votes[8];

#define MEMBER special_member

static inline void meet(void)
{
    pthread_barrier_wait(&special_barrier);
}

static inline int all_agree(int mine)
{
    int all = 1;
    special_votes[MEMBER] = mine;
    meet();
    for (int i = 0; i < CREW; i++) all = all && special_votes[i];
    meet(); // before the next vote
    return all;
}

static inline int any_crew(int mine)
{
    return mine; // one robot
}
