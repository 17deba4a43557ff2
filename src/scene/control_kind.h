// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Kinds of controllers a scene can name: `control: {KIND: .., period: .., commands: [..]}`. Each kind is one file control_KIND.c that fills an
// ff_control_kind; control_kinds.c lists them. controllers.c does what all have in common: frames of one robot, the period, the schedule of
// commands, recording, saving.
//
// A controller sees the frames of its own robot alone, with the names the robot's file gives (no prefix, however many robots there are), and its own
// model of the robot. In the frames of its first cycles sensors may not be valid yet (a modelled bus answers after two periods).
// References it leaves invalid stay as they were: at the start those are the positions of the joints, speed 0, and the force each drive
// carries in the equilibrium of a robot that settled (0 otherwise), so that a robot stands still until it is told something.
#ifndef FOOTFALL_SCENE_CONTROL_KIND_H
#define FOOTFALL_SCENE_CONTROL_KIND_H

#include "scene/internal.h"

/// How far the position of a drive may be asked for that moves one joint with limits.
typedef struct ff_reference_limit {
    const char *joint; // as its robot calls it; NULL: no limit
    double low, high;  // in the coordinate of the drive  [rad, m]
} ff_reference_limit;

/// What a controller is made for.
typedef struct ff_control_site {
    const ff_model *model;            // of the robot alone, as its file describes it; lives as long as the scene
    const ff_io_layout *sensors;      // of the frames it gets
    const ff_io_layout *references;   // of the frames it fills
    double period;                    // between two cycles  [s]
    uint64_t seed;                    // for random numbers of its own: differs from robot to robot
    ff_place place;                   // of the kind in the scene
    const ff_reference_limit *limits; // of positions, one for each reference; NULL: none
} ff_control_site;

/// What a controller is ordered to do with the body as a whole.
typedef struct ff_control_order {
    double turn;   // to the left  [rad/s]
    double height; // above the ground, 0: not ordered  [m]
} ff_control_order;

struct ff_control_kind {
    const char *key; // under `control`
    double period;   // of its cycles, unless the scene says; 0: 1 ms  [s]
    bool positions;  // it gives drives positions: those of the legs must follow them
    bool leads;      // it tells drives without a loop positions beside forces: where the joints should be
    /// Reads the value of the key. Keys it does not ask for are told as unknown by the caller.
    /// @return settings, in the arena of the scene; NULL when mistakes were reported
    void *(*read)(ff_scene_reader *r, ff_yaml *node, const ff_scene_robot *robot);
    /// Reads one entry of `commands` but its `at`. NULL: the kind takes no commands.
    /// @return a wish for `command`, in the arena of the scene; NULL when mistakes were reported
    void *(*read_command)(ff_scene_reader *r, ff_yaml *entry, const ff_scene_robot *robot, void *settings);
    /// Makes a controller and binds it to the frames: context, cycle, memory and signals of `out`. Called for each simulation of the scene, and once when
    /// the scene is read; what cannot be bound is told in `err` (the place is added by the caller).
    ff_status (*begin)(void *settings, const ff_control_site *site, ff_scene_controller *out, ff_error *err);
    /// Puts the robot where the controller wants to begin: its own part of the scene's start, in the order of its model. Called once, when the scene is
    /// read. May be NULL.
    void (*start)(const void *context, double *q, double *v);
    /// A wish of `commands`, before the first cycle at or after its time. May be NULL where read_command is.
    /// @return anything but FF_OK with the reason in `err`: the wishes stay as they were
    ff_status (*command)(void *context, double t, const void *wish, ff_error *err);
    /// What can be wished for now. May be NULL where read_command is. @return how many, `most` at most
    int (*wishes)(const void *context, ff_scene_wish *out, int most);
    /// What it is ordered to do now. NULL: to keep its heading and height.
    ff_control_order (*order)(const void *context);
    /// After a run: warnings, such as references that made no sense. May be NULL.
    void (*tell)(const void *context, ff_place place, ff_report *report);
    /// What there is to tell after the last cycle, at most 16 bits, and a few words on each. May be NULL.
    unsigned (*status)(const void *context);
    const char *(*status_text)(int bit);
    /// Frees what begin made. `context` is never NULL.
    void (*end)(void *context);
};

/// All kinds, NULL behind the last (control_kinds.c).
extern const ff_control_kind *const ff_control_kinds[];

/// Kinds, each in its file.
extern const ff_control_kind ff_control_callback;
extern const ff_control_kind ff_control_climb;
extern const ff_control_kind ff_control_free_legs;
extern const ff_control_kind ff_control_planar_walk;
extern const ff_control_kind ff_control_lua;
extern const ff_control_kind ff_control_gait;
extern const ff_control_kind ff_control_hill;

#endif
