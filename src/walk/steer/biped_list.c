// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "steer/kind_biped.h"

#include <footfall/math.h>

static const char *const FEET[] = {"left", "right", NULL};

static const ff_key_group FOOTSTEP = FF_GROUP(
    "footstep", "A footstep.",
    FF_WORD("foot", FEET, NULL, "the foot that moves; without it, left and right in turn, beginning with the left"),
    FF_NUMBER("x", "m", FF_BETWEEN(-1000, 1000), "0", "position ahead of the initial middle between the feet"),
    FF_NUMBER("y", "m", FF_BETWEEN(-1000, 1000), "0", "position to the left of that middle"),
    FF_NUMBER("turn", "rad", FF_BETWEEN(-1000, 1000), "0", "turn to the left"));
const ff_key_group FF_BIPED_LIST = FF_GROUP("footsteps", "A list of footsteps.", FF_MAP("-", &FOOTSTEP, "a footstep"));

void ff_biped_list_read(const ff_steer_reader *r, ff_yaml *node, ff_biped_list *out)
{
    ff_yaml *list = ff_yaml_get(node, "footsteps");
    int foot = 0;
    if (!list) return;
    if (list->nchild < 1 || list->nchild > FF_BIPED_STEPS) {
        ff_report_add(r->report, FF_ERROR, list->place, "%d footsteps: a list has 1 to %d", list->nchild,
                      FF_BIPED_STEPS);
        return;
    }
    for (ff_yaml *item = list->child; item; item = item->next, foot = 1 - foot) {
        foot = ff_yaml_choice(item, "foot", FEET, foot, r->report);
        out->steps[out->count++] = (ff_biped_step){.foot = foot,
                                                   .x = ff_yaml_number(item, "x", 0.0, r->report),
                                                   .y = ff_yaml_number(item, "y", 0.0, r->report),
                                                   .turn = ff_yaml_number(item, "turn", 0.0, r->report)};
    }
}

static void refuse(const ff_steer_reader *r, ff_yaml *node, int number, const ff_error *err)
{
    const ff_yaml *item = ff_yaml_get(node, "footsteps")->child;
    while (number-- > 0) item = item->next;
    ff_report_add(r->report, FF_ERROR, item->place, "this footstep cannot be made: %s", err->text);
}

void ff_biped_list_check(const ff_steer_reader *r, ff_yaml *node, ff_biped_planner *planner, const ff_biped_list *list)
{
    ff_error err = {0};
    int bad = 0;
    if (list->count > 0 && ff_biped_planner_footsteps(planner, list->steps, list->count, &bad, &err) != FF_OK)
        refuse(r, node, bad, &err);
}

/// Is a step that is commanded at the time `at` [s] farther from the start than the longest and widest steps lead by
/// then? The step in progress and the commanded one count, too.
static bool is_too_far(const ff_biped_step *step, double at, const ff_biped_gait *gait, ff_error *err)
{
    const double stride = ff_hypot(gait->longest, gait->width + 2.0 * gait->widest);
    const double most = (at / gait->step_time + 2.0) * stride, distance = ff_hypot(step->x, step->y);
    if (distance <= most) return false;
    ff_error_set(err, FF_BAD_ARGUMENT, "%.3f m from where the walk begins: in %.3g s it gets %.3f m far at most",
                 distance, at, most);
    return true;
}

/// Copies the steps from `first` on, moved as a whole: the first lies beside the other foot of the standing pose.
static void put_at_start(const ff_biped *robot, const ff_biped_gait *gait, const ff_biped_list *list, int first,
                         ff_biped_step *out)
{
    const ff_biped_step origin = list->steps[first];
    const double c = ff_cos(origin.turn), s = ff_sin(origin.turn), side = origin.foot == 0 ? 1.0 : -1.0;
    for (int i = first; i < list->count; i++) {
        const ff_biped_step *step = &list->steps[i];
        const double x = step->x - origin.x, y = step->y - origin.y;
        *out++ = (ff_biped_step){.foot = step->foot,
                                 .x = c * x + s * y,
                                 .y = c * y - s * x + side * (gait->width - 0.5 * robot->width),
                                 .turn = step->turn - origin.turn};
    }
}

void ff_biped_list_check_command(const ff_steer_reader *r, ff_yaml *entry, const ff_biped *robot,
                                 const ff_biped_gait *gait, const ff_biped_list *list)
{
    ff_biped_step moved[FF_BIPED_STEPS];
    ff_error err = {0};
    int first = 0, bad = 0;
    if (list->count == 0) return;
    if (is_too_far(&list->steps[0], ff_yaml_number(entry, "at", 0.0, r->report), gait, &err)) {
        refuse(r, entry, 0, &err);
        return;
    }
    // where the other foot stands is not known until the feet change for the first time: earlier steps are not checked
    while (first + 1 < list->count && list->steps[first + 1].foot == list->steps[first].foot) first++;
    put_at_start(robot, gait, list, first, moved);
    ff_biped_planner *planner = ff_biped_planner_create(robot, gait, &err);
    if (planner && ff_biped_planner_footsteps(planner, moved, list->count - first, &bad, &err) != FF_OK)
        refuse(r, entry, first + bad, &err);
    ff_biped_planner_destroy(planner);
}
