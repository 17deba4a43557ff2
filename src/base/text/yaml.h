// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A small YAML tree that knows line and column of every node, built from libyaml's events, with readers that report
// errors with the place. Used by native robot files and by scene files. Aliases (*name) and merge keys (<<) are
// followed; their total expansion is bounded.
//
// Wherever a number is read it may be written as
//     0.05    45 deg    2 * femur + foot_radius    {value: 0.05, origin: "assumed: size of the table"}
// Names in expressions are entries of the map `constants` at the top of the same file. A number with a unit must have
// the dimension of its key.
#ifndef FOOTFALL_TEXT_YAML_H
#define FOOTFALL_TEXT_YAML_H

#include <footfall/base.h>

typedef enum ff_yaml_type { FF_YAML_SCALAR, FF_YAML_LIST, FF_YAML_MAP } ff_yaml_type;

/// Dimension of a number with a unit: powers of metre, kilogram, second and radian. That of a number without a unit is
/// not known.
typedef struct ff_dimension {
    bool known;
    bool product; // radians in it do not count, since an arc is an angle times a radius
    int m, kg, s, rad;
} ff_dimension;

typedef struct ff_yaml {
    ff_yaml_type type;
    const char *key;  // inside a map; NULL elsewhere
    const char *text; // scalars; "" elsewhere
    bool quoted;      // scalar was quoted: a string even if it looks like a number
    bool used;        // set by the readers, so that unknown keys can be reported
    struct ff_yaml *parent, *child, *next;
    int nchild;
    ff_place place;
    ff_place key_place;
    size_t begin, end;        // of the value in the text, without anchor and tag; of an alias: of its source [byte]
    const char *anchor;       // name of its anchor &name, NULL for none
    const char *alias;        // name of the alias *name; NULL: it is no alias
    size_t alias_begin;       // where the alias begins in the text  [byte]
    struct ff_yaml *source;   // the node that an alias repeats; NULL: it is no alias
    const struct ff_row *row; // its row of the schema (text/schema.h); NULL: none
    const struct ff_key_group *group; // maps and lists: what may stand inside; NULL: anything
    bool lost;                        // the check of the schema has removed a child
    bool merged;                      // inside a map: added by "<<"
    struct ff_yaml *merges;           // maps: the values of "<<", which readers do not get
    ff_arena *arena;                  // the tree's own
    enum { FF_YAML_UNKNOWN, FF_YAML_RUNNING, FF_YAML_KNOWN, FF_YAML_BAD } number_state; // of a constant: of `number`
    double number;
    ff_dimension dimension;    // of a constant
    bool named;                // a constant: an expression names it
    struct ff_yaml *constants; // at the top: the map of that name, once looked up
    bool constants_known;
} ff_yaml;

#define FF_YAML_MAX_DEPTH     100
#define FF_YAML_MAX_NODES     200000 // aliases expanded
#define FF_YAML_MAX_CONSTANTS 1000

/// Parses one document; the tree lives in `arena`. NULL with an error in `report` when malformed, too deep or too
/// large; duplicate keys are errors.
ff_yaml *ff_yaml_parse(ff_arena *arena, const char *text, size_t length, const char *file, ff_report *report);
/// Sets the node at a dotted path ("solver.step", "terrain.0.box.size") to a YAML value, adding missing map keys. For
/// --set. An error names the part of the path that does not fit.
bool ff_yaml_set(ff_arena *arena, ff_yaml *root, const char *path, const char *value, ff_report *report);
/// The same with a node of the tree, whose children then belong to both places.
bool ff_yaml_put(ff_arena *arena, ff_yaml *root, const char *path, const ff_yaml *content, ff_report *report);

/// Value of a key (marked used), or NULL. `node` may be NULL. Where the schema knows the map it must know the key.
ff_yaml *ff_yaml_get(ff_yaml *node, const char *key);
/// The same, but its absence is an error.
ff_yaml *ff_yaml_need(ff_yaml *node, const char *key, ff_report *report);
/// Is the value left empty, or written as ~ or null?
bool ff_yaml_is_null(const ff_yaml *node);
/// Is the node of that type? If not, reports `what` was expected. A NULL node is not.
bool ff_yaml_expect(ff_yaml *node, ff_yaml_type type, const char *what, ff_report *report);
/// ff_text_nearest for a message, or NULL when the report is full: a file with 100 000 wrong names must not take
/// minutes.
const char *ff_yaml_hint(const char *word, const char *const *candidates, int count, const ff_report *report);
/// Marks a node and all below it as used.
void ff_yaml_use(ff_yaml *node);

/// Scalars under a key, with a fallback when absent. Wrong kinds, NaN, infinity and sizes beyond 1e12 are reported.
/// Numbers take an optional unit suffix: "45 deg", "3 mm", "2 ms", "10 rpm" become SI.
double ff_yaml_number(ff_yaml *node, const char *key, double fallback, ff_report *report);
int ff_yaml_integer(ff_yaml *node, const char *key, int fallback, ff_report *report);
bool ff_yaml_boolean(ff_yaml *node, const char *key, bool fallback, ff_report *report);
const char *ff_yaml_string(ff_yaml *node, const char *key, const char *fallback, ff_report *report);
/// List of `least` to `most` numbers under a key; returns the count, 0 when absent, -1 (reported) when wrong. `out` is
/// written only when all is well.
int ff_yaml_numbers(ff_yaml *node, const char *key, double *out, int least, int most, ff_report *report);
/// Index of the word under a key in a NULL-ended list; an unknown word is reported with the allowed ones.
int ff_yaml_choice(ff_yaml *node, const char *key, const char *const *words, int fallback, ff_report *report);
/// Value of a node itself.
bool ff_yaml_as_number(ff_yaml *node, double *out, ff_report *report);
/// Is the text a unit or a product of units: "mm", "N m", "rad/s^2"?
bool ff_yaml_is_unit(const char *text);
/// Has a number this unit ("rad|m": either, "": none), or no unit? Otherwise an error is reported. For units that the
/// schema cannot know, such as those of joints that turn or slide.
bool ff_yaml_in_unit(ff_yaml *node, const char *unit, ff_report *report);
int ff_yaml_as_numbers(ff_yaml *node, double *out, int least, int most, ff_report *report);
const char *ff_yaml_as_string(ff_yaml *node, ff_report *report);

/// `pos` and one of `rpy` and `quat` of a map; what is absent stays as it is.
void ff_yaml_pose(ff_yaml *node, double pos[3], double quat[4], ff_report *report);

/// Evaluates every entry of the map `constants` at the top, so that a bad one is reported even if nothing needs it.
void ff_yaml_check_constants(ff_yaml *root, ff_report *report);
/// Reports every map key that no reader has used: it has no effect beside the other keys. ff_schema_check has reported
/// unknown keys before.
void ff_yaml_report_unused(const ff_yaml *root, ff_severity severity, ff_report *report);

/// Moves all messages to another report (which may be NULL).
void ff_yaml_hand_over(ff_report *from, ff_report *to);
/// Did memory run out, so that errors of readers may be wrong? False if only the limit of the tree was reached.
bool ff_yaml_out_of_memory(const ff_arena *arena);

#endif
