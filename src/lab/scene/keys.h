// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The keys of scene files as tables (text/schema.h). Who describes what:
//
//     keys_scene.c     the top of a scene, `solver`, `record`, `variants`
//     keys_robots.c    `robot`, `robots`, `place`, `start`
//     keys_world.c     `objects`, `terrain`, `contacts`, `pairs`
//     keys_control.c   `control`, `effects`, `references`, `faults`, `forces`, `springs`
//     keys_measure.c   `metrics`, `expect`, `compare`
//
// The tables define the range of each single value. Readers check what depends on another key, on the robot or on the
// build: keys that exclude each other, names that must exist, products and differences of numbers.
#ifndef FOOTFALL_SCENE_KEYS_H
#define FOOTFALL_SCENE_KEYS_H

#include "text/schema.h"

/// A whole scene file.
extern const ff_key_group ff_keys_scene;

/// Its parts; those of lists have the key "-" alone.
extern const ff_key_group ff_keys_scene_robot, ff_keys_robots, ff_keys_place, ff_keys_start;
extern const ff_key_group ff_keys_objects, ff_keys_terrain;
extern const ff_key_group ff_keys_contacts, ff_keys_pairs;
extern const ff_key_group ff_keys_control;
extern const ff_key_group ff_keys_effects, ff_keys_references, ff_keys_faults;
extern const ff_key_group ff_keys_forces, ff_keys_springs;
extern const ff_key_group ff_keys_metrics, ff_keys_expect, ff_keys_compare;

/// Bound on the items of a list without its own bound: a file has no more nodes (FF_YAML_MAX_NODES).
#define FF_KEYS_MANY 200000
/// Longest time that the ticks of a simulation can count.  [s]
#define FF_KEYS_LONGEST_TIME (71.0 * 3600.0)

// Rows of lists whose number of items has bounds.
// clang-format off
#define FF_ITEMS(name, least, most, group, help)                                                                       \
    {name, FF_TAKES_LIST, "", FF_ANY, least, most, 0, help, 0, group, 0}
#define FF_NAMES(name, least, most, initial, help)                                                                     \
    {name, FF_TAKES_TEXTS, "", FF_ANY, least, most, initial, help, 0, 0, 0}
// clang-format on

#endif
