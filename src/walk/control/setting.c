// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "control/setting.h"

#include <footfall/text.h>
#include <math.h>
#include <string.h>

size_t ff_setting_size(const ff_row *row)
{
    if (row->takes == FF_TAKES_NUMBER) return sizeof(double);
    if ((row->takes & ~(unsigned)FF_TAKES_NUMBER) == FF_TAKES_NUMBERS) return (size_t)row->most * sizeof(double);
    if (row->takes == (FF_TAKES_NUMBER | FF_TAKES_WHOLE) || row->takes == FF_TAKES_WORD) return sizeof(int);
    if (row->takes == FF_TAKES_SWITCH) return sizeof(bool);
    return row->takes == FF_TAKES_TEXT ? sizeof(char *) : 0;
}

static bool is_of_numbers(const ff_row *row)
{
    return (row->takes & (FF_TAKES_NUMBER | FF_TAKES_NUMBERS)) && !(row->takes & FF_TAKES_WHOLE);
}

// ------------------------------------------------------------------------------------------ defaults

/// Reads "0.6" or "[1.5, 0.7]" of a table, which is not checked.
static void put_numbers(const ff_row *row, double *value)
{
    const char *text = row->initial;
    for (int i = 0; i < row->most; i++) {
        text += strspn(text, "[, ");
        const size_t length = strcspn(text, ",]");
        ff_text_number(text, length, &value[i]);
        text += length;
    }
}

static int number_of_word(const ff_row *row)
{
    int i = 0;
    while (strcmp(row->words[i], row->initial) != 0) i++;
    return i;
}

void ff_settings_default(const ff_row *table, void *values)
{
    for (const ff_row *row = table; row && row->name; row++) {
        char *value = (char *)values + row->offset;
        double number = 0.0;
        if (!row->initial || ff_setting_size(row) == 0) continue;
        if (is_of_numbers(row))
            put_numbers(row, (double *)(void *)value);
        else if (row->takes == FF_TAKES_TEXT)
            memcpy(value, &row->initial, sizeof row->initial);
        else if (row->takes == FF_TAKES_SWITCH)
            *(bool *)value = strcmp(row->initial, "true") == 0;
        else if (row->takes == FF_TAKES_WORD)
            *(int *)(void *)value = number_of_word(row);
        else if (ff_text_number(row->initial, strlen(row->initial), &number))
            *(int *)(void *)value = (int)number;
    }
}

// ------------------------------------------------------------------------------------------ values

static ff_status check_number(const ff_row *row, double x, ff_error *err)
{
    char wanted[80];
    if (!isfinite(x)) return ff_error_set(err, FF_BAD_ARGUMENT, "'%s' is %g: it must be finite", row->name, x);
    if (ff_range_holds(&row->range, x)) return FF_OK;
    ff_range_format(&row->range, wanted, sizeof wanted);
    return ff_error_set(err, FF_BAD_ARGUMENT, "'%s' is %g: it must be %s", row->name, x, wanted);
}

static ff_status check_word(const ff_row *row, int number, ff_error *err)
{
    int count = 0;
    while (row->words[count]) count++;
    if (number >= 0 && number < count) return FF_OK;
    return ff_error_set(err, FF_BAD_ARGUMENT, "'%s' is %d: there are %d choices", row->name, number, count);
}

ff_status ff_settings_check(const ff_row *table, const void *values, ff_error *err)
{
    ff_status status = FF_OK;
    for (const ff_row *row = table; row->name && status == FF_OK; row++) {
        const char *value = (const char *)values + row->offset;
        if (is_of_numbers(row))
            for (int i = 0; i < row->most && status == FF_OK; i++)
                status = check_number(row, ((const double *)(const void *)value)[i], err);
        else if (row->takes & FF_TAKES_WHOLE)
            status = check_number(row, *(const int *)(const void *)value, err);
        else if (row->takes == FF_TAKES_WORD)
            status = check_word(row, *(const int *)(const void *)value, err);
    }
    return status;
}

void ff_settings_merge(const ff_row *table, const bool *given, const void *from, void *to)
{
    for (int i = 0; table[i].name; i++)
        if (given[i])
            memcpy((char *)to + table[i].offset, (const char *)from + table[i].offset, ff_setting_size(&table[i]));
}
