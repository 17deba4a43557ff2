// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Replaces server.c in builds without libwebsockets or threads. ff_studio_open fails, so that the other functions are
// never called.
#include <footfall/studio.h>

ff_studio_setup ff_studio_setup_default(void)
{
    return (ff_studio_setup){.port = FF_STUDIO_PORT, .tries = 20};
}

bool ff_studio_has_server(void)
{
    return false;
}

ff_studio *ff_studio_open(const ff_studio_setup *setup, ff_error *err)
{
    (void)setup;
    ff_error_set(err, FF_NOT_BUILT,
                 "this build has no studio: it needs libwebsockets (FOOTFALL_WITH_WEBSOCKETS) and threads");
    return NULL;
}

const char *ff_studio_address(const ff_studio *studio)
{
    (void)studio;
    return "";
}

int ff_studio_port(const ff_studio *studio)
{
    (void)studio;
    return 0;
}

ff_status ff_studio_serve(ff_studio *studio, ff_error *err)
{
    (void)studio;
    return ff_error_set(err, FF_NOT_BUILT, "this build has no studio");
}

void ff_studio_stop(ff_studio *studio)
{
    (void)studio;
}

void ff_studio_close(ff_studio *studio)
{
    (void)studio;
}
