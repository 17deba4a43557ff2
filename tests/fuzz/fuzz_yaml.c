// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Native robot reader: any bytes give a robot or a message. The outline for editors: any bytes give one or a message,
// and spans lie within the text, each within that of the list or map around it.
#include "fuzz_loader.h"
#include "studio/outline.h"
#include "text/yaml.h"

static void check_spans(const ff_yaml *node, size_t from, size_t to)
{
    if (node->begin > node->end || node->begin < from || node->end > to) abort();
    for (const ff_yaml *child = node->child; child; child = child->next)
        if (!child->source && !child->merged) check_spans(child, node->begin, node->end);
}

static void outline(const char *text, size_t size)
{
    ff_report report = {0};
    ff_arena arena = {.limit = (size_t)256 << 20};
    char *json = ff_studio_outline("fuzz.yaml", text, size, &report);
    if (!json && report.errors == 0) abort();
    const ff_yaml *root = ff_yaml_parse(&arena, text, size, "fuzz.yaml", NULL);
    if (root) check_spans(root, 0, size);
    ff_arena_clear(&arena);
    ff_report_clear(&report);
    free(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_loader("yaml", bytes, size, "fuzz.yaml");
    outline((const char *)bytes, size);
    return 0;
}
