// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "operator.h"

#include <stdio.h>

void operator_listen(typed *lines, ff_hardware *layer)
{
    ff_error err = {0};
    for (const char *line; (line = typed_line(lines));)
        if (ff_hardware_command(layer, line, &err) != FF_OK) fprintf(stderr, "%s\n", err.text);
}
