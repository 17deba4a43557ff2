// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Settings of controllers. One row of a table (text/schema.h) describes a setting: name, offset in the struct of the
// controller, unit, range, default and meaning. Readers, checks, defaults, live commands, `footfall keys` and the
// reference pages use that row. Rows of a command have no default: a key that is absent keeps its value.
#ifndef FOOTFALL_CONTROL_SETTING_H
#define FOOTFALL_CONTROL_SETTING_H

#include "text/schema.h"

#include <footfall/base.h>
#include <stdbool.h>
#include <stddef.h>

// Rows about the struct that the file names by `#define OF struct_type`. The fields are double, an array of them, int,
// bool, int or enum, and const char *. `initial` is the default as a file would give it; NULL: zero.
// clang-format off
#define FF_SETTING_NUMBER(name, field, unit, range, initial, help)                                                     \
    {name, FF_TAKES_NUMBER, unit, range, 1, 1, initial, help, 0, 0, offsetof(OF, field)}
#define FF_SETTING_NUMBERS(name, field, count, unit, range, initial, help)                                             \
    {name, FF_TAKES_NUMBERS, unit, range, count, count, initial, help, 0, 0, offsetof(OF, field)}
#define FF_SETTING_INTEGER(name, field, range, initial, help)                                                          \
    {name, FF_TAKES_NUMBER | FF_TAKES_WHOLE, "", range, 1, 1, initial, help, 0, 0, offsetof(OF, field)}
#define FF_SETTING_SWITCH(name, field, initial, help)                                                                  \
    {name, FF_TAKES_SWITCH, "", FF_ANY, 0, 0, initial, help, 0, 0, offsetof(OF, field)}
#define FF_SETTING_CHOICE(name, field, words, initial, help)                                                           \
    {name, FF_TAKES_WORD, "", FF_ANY, 0, 0, initial, help, words, 0, offsetof(OF, field)}
#define FF_SETTING_TEXT(name, field, initial, help)                                                                    \
    {name, FF_TAKES_TEXT, "", FF_ANY, 0, 0, initial, help, 0, 0, offsetof(OF, field)}
/// One number for all of an array, or a list with one each.
#define FF_SETTING_EACH(name, field, count, unit, range, initial, help)                                                \
    {name, FF_TAKES_NUMBER | FF_TAKES_NUMBERS, unit, range, count, count, initial, help, 0, 0, offsetof(OF, field)}

#define FF_COMMAND_NUMBER(name, field, unit, range, help)                                                              \
    {name, FF_TAKES_NUMBER, unit, range, 1, 1, 0, help, 0, 0, offsetof(OF, field)}
#define FF_COMMAND_SWITCH(name, field, help)        FF_SETTING_SWITCH(name, field, NULL, help)
#define FF_COMMAND_CHOICE(name, field, words, help) FF_SETTING_CHOICE(name, field, words, NULL, help)
#define FF_COMMAND_TEXT(name, field, help)          FF_SETTING_TEXT(name, field, NULL, help)
// clang-format on

/// Bytes of the value in its struct; 0: a map or list, which the controller reads itself.
size_t ff_setting_size(const ff_row *row);
/// Puts the defaults of a table into `values`; rows without one are left alone.
void ff_settings_default(const ff_row *table, void *values);
/// Defines TYPE_default, which returns options with the defaults of a table.
#define FF_DEFINE_DEFAULT(type, table)                                                                                 \
    type type##_default(void)                                                                                          \
    {                                                                                                                  \
        type options = {0};                                                                                            \
        ff_settings_default(table, &options);                                                                          \
        return options;                                                                                                \
    }
/// Checks values that a program has set.
/// @return FF_OK, or FF_BAD_ARGUMENT with the name, the number and the range
ff_status ff_settings_check(const ff_row *table, const void *values, ff_error *err);
/// Copies the values that were given. Of texts only the pointers are copied.
void ff_settings_merge(const ff_row *table, const bool *given, const void *from, void *to);

#endif
