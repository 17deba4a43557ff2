// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces the pages in builds without them (cmake/web.cmake).
#include "page.h"

const char *const ff_page_report_script = NULL, *const ff_page_report_style = NULL;
const ff_page_asset ff_page_assets[1] = {{0}};
const int ff_page_asset_count = 0;
