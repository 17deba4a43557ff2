// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Short names for source files that are tables of JSON rows (text/json_fields.h). Headers do not include it.
#ifndef FOOTFALL_TEXT_JSON_ROWS_H
#define FOOTFALL_TEXT_JSON_ROWS_H

#include "text/json_fields.h"

enum { ALWAYS = false, OPTIONAL = true }; // ff_json_field.optional
#define FIELD FF_JSON_FIELD

#endif
