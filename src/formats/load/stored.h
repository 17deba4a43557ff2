// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Robots that a scene names, from disk or from its image (image/store.h).
#ifndef FOOTFALL_LOAD_STORED_H
#define FOOTFALL_LOAD_STORED_H

#include "image/store.h"

/// ff_spec_load through a store; NULL: from disk.
ff_status ff_store_spec(ff_store *store, ff_spec *spec, const char *path, const ff_load_options *options,
                        ff_report *report);

#endif
