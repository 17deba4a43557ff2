// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a report says, as users read it.
#ifndef FOOTFALL_TESTS_MESSAGE_H
#define FOOTFALL_TESTS_MESSAGE_H

#include <footfall/base.h>

/// Message i with its place, "" where there are not so many. The text stays until the next call.
static inline const char *message_of(const ff_report *report, int i)
{
    static char text[1000];
    if (i < 0 || i >= report->count) return "";
    ff_message_format(&report->messages[i], text, sizeof text);
    return text;
}

#endif
