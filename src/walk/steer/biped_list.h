// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists of footsteps of a biped's settings and commands: how they are read, and refused where they cannot be made.
#ifndef FF_STEER_BIPED_LIST_H
#define FF_STEER_BIPED_LIST_H

#include "steer/kind.h"

#include <footfall/biped.h>

typedef struct ff_biped_list {
    ff_biped_step steps[FF_BIPED_STEPS];
    int count;
} ff_biped_list;

/// The keys of one footstep.
extern const ff_key_group FF_BIPED_LIST;

/// `footsteps` of `node`, if it has them; `out` is empty before.
void ff_biped_list_read(const ff_steer_reader *r, ff_yaml *node, ff_biped_list *out);

/// Reports the first footstep that cannot be made from the standing pose, at its place. The planner has the list then.
void ff_biped_list_check(const ff_steer_reader *r, ff_yaml *node, ff_biped_planner *planner, const ff_biped_list *list);

/// The same of a command, which finds the robot anywhere: farther away than it can walk until then, or out of reach of
/// the footsteps before.
void ff_biped_list_check_command(const ff_steer_reader *r, ff_yaml *entry, const ff_biped *robot,
                                 const ff_biped_gait *gait, const ff_biped_list *list);

#endif
