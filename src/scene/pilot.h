// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A robot of a scene and what steers it: controllers.c makes them and lets them work, live.c speaks with them while they do.
#ifndef FOOTFALL_SCENE_PILOT_H
#define FOOTFALL_SCENE_PILOT_H

#include "scene/control_kind.h"

enum { FF_PILOT_TOLD = 64, FF_PILOT_BITS = 16 };

typedef struct ff_timed_wish {
    double at; // [s]
    const void *wish;
    const char *text; // for people
} ff_timed_wish;

/// What must be saved of the schedule.
typedef struct ff_pilot_progress {
    int64_t cycles; // of the bus
    int64_t next;   // wish
} ff_pilot_progress;

/// References of a controller from outside that were not finite, and left out, or beyond the limit of a joint, and cut.
typedef struct ff_pilot_refusal {
    int64_t count;
    double time;         // of the first  [s]
    const char *name;    // of its item, or of the joint
    double asked, limit; // where it was beyond
    const char *unit;    // of these
} ff_pilot_refusal;

/// One robot and what steers it.
struct ff_scene_pilot {
    int robot;                   // of the scene
    const ff_control_kind *kind; // NULL: the program brought one to a robot without
    void *settings;
    ff_place place;
    double period;         // [s]
    ff_timed_wish *wishes; // by time
    int nwish;
    bool brought;                // `outside` takes the place of the kind's
    ff_scene_controller outside; // from ff_scene_set_controller
    // from ff_scene_begin on
    bool begun;
    ff_scene_controller at_work;
    ff_pilot_progress progress;
    int64_t every;              // cycles of the bus between two of its own
    ff_io_layout layouts[2];    // of the robot's own frames
    int *items[2];              // numbers of their items in the frames of the simulation
    ff_io_frame *frames[2];     // NULL: the frames of the simulation serve, as they are
    ff_reference_limit *limits; // of its references
    ff_pilot_refusal refused, beyond;
    uint64_t told[FF_PILOT_TOLD]; // hashes of what has been told while it runs
    int ntold;
    unsigned status;           // bits of the controller that events have told of
    double met[FF_PILOT_BITS]; // when each was met last  [s]
};

/// What its controller is made for; after the frames were made.
ff_control_site ff_pilot_site(const ff_scene *scene, const ff_scene_pilot *pilot);

/// What the controller of a robot is ordered to do now; nothing where it takes no orders (live.c).
ff_control_order ff_pilot_order(const ff_scene *scene, int robot);

// limits.c
/// Limits of the positions it may ask for; after the frames were made. @return false without memory
bool ff_pilot_make_limits(ff_scene *scene, ff_scene_pilot *pilot);
/// Cuts what lies beyond, and notes it.
void ff_pilot_keep_limits(ff_scene_pilot *pilot, double t, ff_io_frame *references);

#endif
