// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The schema of robot and scene files: tables with the form, unit, range, default and meaning of every
// key. All code that deals with keys uses these tables: the check before every reader (schema.c), the
// editor of the studio, the completion of the shell, `footfall keys`, and the reference pages of the manual. A key
// that is in no table cannot be read (ff_yaml_get).
//
//     formats/native    robot files
//     walk/steer        controllers
//     lab/scene         scene files
#ifndef FOOTFALL_TEXT_SCHEMA_H
#define FOOTFALL_TEXT_SCHEMA_H

#include <footfall/base.h>
#include <math.h>
#include <stddef.h>

struct ff_yaml;

/// Forms that a value may have.
typedef enum ff_takes {
    FF_TAKES_NUMBER = 1,     // one number, within the range; with WHOLE: an integer
    FF_TAKES_NUMBERS = 2,    // a list of `least` to `most` numbers, each within the range
    FF_TAKES_WHOLE = 4,      // numbers have no fraction
    FF_TAKES_SWITCH = 8,     // true or false
    FF_TAKES_WORD = 16,      // one of `words`
    FF_TAKES_TEXT = 32,      // any word or text, such as a name or a file
    FF_TAKES_TEXTS = 64,     // a list of them; with `words`, of these
    FF_TAKES_MAP = 128,      // keys of `group`
    FF_TAKES_LIST = 256,     // items of `group`, its key "-"
    FF_TAKES_NAMED = 512,    // a map of names with a number each
    FF_TAKES_ANYTHING = 1024 // the content is checked elsewhere, or not at all
} ff_takes;

typedef struct ff_range {
    double low, high; // infinite where there is no bound
    bool above;       // `low` itself is too low
    bool below;       // `high` itself is too high
    bool nonzero;
} ff_range;

// Ranges, as initialisers.
// clang-format off
#define FF_ANY                         {-INFINITY, INFINITY, 0, 0, 0}
#define FF_NONZERO                     {-INFINITY, INFINITY, 0, 0, 1}
#define FF_POSITIVE                    {0.0, INFINITY, 1, 0, 0}
#define FF_NEGATIVE                    {-INFINITY, 0.0, 0, 1, 0}
#define FF_NOT_NEGATIVE                {0.0, INFINITY, 0, 0, 0}
#define FF_AT_LEAST(low)               {low, INFINITY, 0, 0, 0}
#define FF_ABOVE(low)                  {low, INFINITY, 1, 0, 0}
#define FF_BETWEEN(low, high)          {low, high, 0, 0, 0}
#define FF_ABOVE_UP_TO(low, high)      {low, high, 1, 0, 0}
#define FF_FROM_BELOW(low, high)       {low, high, 0, 1, 0}
#define FF_STRICTLY_BETWEEN(low, high) {low, high, 1, 1, 0}
// clang-format on

#define FF_ANY_UNIT "*"      // the unit depends on something else, which the help names
#define FF_NEEDED   "needed" // in place of a default: a file without the key is refused

/// One key.
typedef struct ff_row {
    const char *name;         // "*": any name; "-": an item of a list; NULL: behind the last of a table
    unsigned takes;           // ff_takes
    const char *unit;         // "": none; "rad|m": the second for sliding joints; FF_ANY_UNIT
    ff_range range;           // of numbers
    int least, most;          // items of a list; most 0: any number of texts or maps
    const char *initial;      // default as a file would give it; NULL: none; FF_NEEDED
    const char *help;         // a line of plain English without a full stop; names a default that is not a value
    const char *const *words; // NULL-ended
    const struct ff_key_group *group; // of a map, or of the items of a list
    size_t offset;                    // of the value in the struct that a table fills (steer/commands.c)
} ff_row;

/// Which of the two units of a row, "rad|m", a number has.
typedef enum ff_unit_choice { FF_UNIT_FIRST, FF_UNIT_SECOND, FF_UNIT_EITHER } ff_unit_choice;

/// The keys of one kind of map or list.
typedef struct ff_key_group {
    const char *name; // "body", "solver": as pages and messages call it
    const char *help; // what it is for, one sentence
    const ff_row *keys;
    const struct ff_key_group *also; // a group whose keys are allowed, too, such as pos, rpy, quat
    /// The group of one map, where that depends on what stands in it; NULL: this one. May be NULL.
    const struct ff_key_group *(*choose)(const struct ff_yaml *map, const struct ff_key_group *group);
    /// Which of two units ("rad|m") numbers inside a map have; NULL: what the maps around it say.
    ff_unit_choice (*choose_unit)(const struct ff_yaml *map);
    bool checked_in_use; // numbers inside are checked where they are used, such as constants of expressions
} ff_key_group;

// Rows. `initial` is NULL, FF_NEEDED or a text. FF_EITHER takes any forms, the macros below it the usual ones.
// clang-format off
#define FF_END {0} // of a table
#define FF_EITHER(name, takes, unit, range, least, most, initial, help, words, group)                                  \
    {name, takes, unit, range, least, most, initial, help, words, group, 0}
#define FF_NUMBER(name, unit, range, initial, help)                                                                    \
    {name, FF_TAKES_NUMBER, unit, range, 1, 1, initial, help, 0, 0, 0}
#define FF_NUMBERS(name, least, most, unit, range, initial, help)                                                      \
    {name, FF_TAKES_NUMBERS, unit, range, least, most, initial, help, 0, 0, 0}
#define FF_WHOLE(name, range, initial, help)                                                                           \
    {name, FF_TAKES_NUMBER | FF_TAKES_WHOLE, "", range, 1, 1, initial, help, 0, 0, 0}
#define FF_SWITCH(name, initial, help)                                                                                 \
    {name, FF_TAKES_SWITCH, "", FF_ANY, 0, 0, initial, help, 0, 0, 0}
#define FF_WORD(name, words, initial, help)                                                                            \
    {name, FF_TAKES_WORD, "", FF_ANY, 0, 0, initial, help, words, 0, 0}
#define FF_TEXT(name, initial, help)                                                                                   \
    {name, FF_TAKES_TEXT, "", FF_ANY, 0, 0, initial, help, 0, 0, 0}
#define FF_TEXTS(name, initial, help)                                                                                  \
    {name, FF_TAKES_TEXTS, "", FF_ANY, 0, 0, initial, help, 0, 0, 0}
#define FF_MAP(name, group, help)                                                                                      \
    {name, FF_TAKES_MAP, "", FF_ANY, 0, 0, 0, help, 0, group, 0}
#define FF_LIST(name, group, help)                                                                                     \
    {name, FF_TAKES_LIST, "", FF_ANY, 0, 0, 0, help, 0, group, 0}
#define FF_NAMED(name, unit, range, help)                                                                              \
    {name, FF_TAKES_NAMED, unit, range, 0, 0, 0, help, 0, 0, 0}
#define FF_ANYTHING(name, help)                                                                                        \
    {name, FF_TAKES_ANYTHING, "", FF_ANY, 0, 0, 0, help, 0, 0, 0}

#define FF_COUNT(name, unit, range, initial, help)                                                                     \
    {name, FF_TAKES_NUMBER | FF_TAKES_WHOLE, unit, range, 1, 1, initial, help, 0, 0, 0}
#define FF_WHOLES(name, least, most, range, initial, help)                                                             \
    {name, FF_TAKES_NUMBERS | FF_TAKES_WHOLE, "", range, least, most, initial, help, 0, 0, 0}
#define FF_NUMBER_OR_LIST(name, least, most, unit, range, initial, help)                                               \
    {name, FF_TAKES_NUMBER | FF_TAKES_NUMBERS, unit, range, least, most, initial, help, 0, 0, 0}
#define FF_NUMBER_OR_WORD(name, words, unit, range, initial, help)                                                     \
    {name, FF_TAKES_NUMBER | FF_TAKES_WORD, unit, range, 1, 1, initial, help, words, 0, 0}
#define FF_NUMBER_OR_MAP(name, group, unit, range, initial, help)                                                      \
    {name, FF_TAKES_NUMBER | FF_TAKES_MAP, unit, range, 1, 1, initial, help, 0, group, 0}
#define FF_WORD_OR_LIST(name, words, count, unit, range, initial, help)                                                \
    {name, FF_TAKES_WORD | FF_TAKES_NUMBERS, unit, range, count, count, initial, help, words, 0, 0}
#define FF_WORD_OR_MAP(name, words, group, help)                                                                       \
    {name, FF_TAKES_WORD | FF_TAKES_MAP, "", FF_ANY, 0, 0, 0, help, words, group, 0}
#define FF_TEXT_OR_MAP(name, group, initial, help)                                                                     \
    {name, FF_TAKES_TEXT | FF_TAKES_MAP, "", FF_ANY, 0, 0, initial, help, 0, group, 0}
#define FF_LIST_OR_MAP(name, group, help)                                                                              \
    {name, FF_TAKES_LIST | FF_TAKES_MAP, "", FF_ANY, 0, 0, 0, help, 0, group, 0}

// Groups, as initialisers: name, help, and the rows.
#define FF_KEYS(...) ((const ff_row[]){__VA_ARGS__, FF_END})
#define FF_GROUP(title, about, ...) {.name = title, .help = about, .keys = FF_KEYS(__VA_ARGS__)}
#define FF_GROUP_ALSO(title, about, group, ...)                                                                        \
    {.name = title, .help = about, .also = group, .keys = FF_KEYS(__VA_ARGS__)}
// clang-format on

/// The row of a key in a group, or that for any name; NULL: there is no such key.
const ff_row *ff_row_find(const ff_key_group *group, const char *name);
/// Row number `i` of a group and of those that join it; NULL behind the last.
const ff_row *ff_row_at(const ff_key_group *group, int i);
/// What a value must be: "a number", "one of x, y, z or a list of 3 numbers", "{stiffness: .., damping: ..}".
void ff_row_format_forms(const ff_row *key, char *out, size_t size);

/// Is the value in the range?
bool ff_range_holds(const ff_range *range, double value);
/// What a number must be: "positive", "between 0 and 1"; "" where any will do.
void ff_range_format(const ff_range *range, char *out, size_t size);

/// Gives every node below the root its row and group (yaml.h), where the tables have one; nodes under `define` get
/// those of their aliases.
void ff_schema_mark(struct ff_yaml *root, const ff_key_group *group);
/// ff_schema_mark; and reports everything that the tables do not allow: unknown keys, wrong forms, unknown words,
/// numbers with a wrong unit or out of range. Invalid nodes are removed from the tree, so that readers continue without
/// them.
void ff_schema_check(struct ff_yaml *root, const ff_key_group *group, ff_report *report);
/// Removes errors that readers have reported, from message number `first` on, about maps from which the check removed a
/// key, since they are most likely consequences; and messages that appear twice because of aliases.
void ff_schema_drop_consequences(const struct ff_yaml *root, ff_report *report, int first);
/// Unit of a number of a file. Of "rad|m" it is the one that belongs to the type of the joint, if the file says it.
const char *ff_schema_unit(const struct ff_yaml *node);

#endif
