// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// report.html: the page, its style, its script and the run in one file that opens from disk and loads no other file.
#include "page.h"

#include <footfall/studio.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool ff_studio_has_pages(void)
{
    return ff_page_report_script != NULL;
}

static const char head[] =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data: blob:\">\n"
    "<meta name=\"generator\" content=\"Footfall\">\n<title>Footfall report</title>\n<style>\n";

static ff_status write_page(const ff_recording *r, const ff_studio_options *options, FILE *out, ff_studio_facts *facts,
                            ff_error *err)
{
    fputs(head, out);
    fputs(ff_page_report_style, out);
    fputs(
        "\n</style>\n</head>\n<body>\n<div id=\"app\"></div>\n<script id=\"footfall-run\" type=\"application/json\">\n",
        out);
    const ff_status status = ff_studio_write_document(r, options, out, facts, err);
    fputs("</script>\n<script>\n", out);
    fputs(ff_page_report_script, out);
    fputs("\n</script>\n</body>\n</html>\n", out);
    return status;
}

ff_status ff_studio_write_report(const ff_recording *r, const ff_studio_options *options, const char *path,
                                 ff_studio_facts *facts, ff_error *err)
{
    if (!ff_studio_has_pages())
        return ff_error_set(
            err, FF_NOT_BUILT,
            "this build has no report page: it needs Node 18 and npm when it is built, and FOOTFALL_STUDIO=ON");
    ff_arena arena = {0};
    const char *part = ff_arena_printf(&arena, "%s.part", path); // renamed once it is complete
    FILE *out = part ? fopen(part, "w") : NULL;
    ff_status status = out ? write_page(r, options, out, facts, err) : FF_OK;
    bool ok = out && !ferror(out);
    if (out) ok = fclose(out) == 0 && ok;
    if (!status && !(ok && rename(part, path) == 0))
        status = ff_error_set(err, FF_NOT_WRITTEN, "%.200s cannot be written: %s", path, strerror(errno));
    if (status && out) remove(part);
    ff_arena_clear(&arena);
    return status;
}
