// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Options of loading and compiling, apart from the loaders: who only compiles a description of his own links no parser.
#include <footfall/model.h>

ff_load_options ff_load_options_default(void)
{
    return (ff_load_options){.max_bytes = (size_t)64 << 20};
}
