// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The studio of a test, served in a thread of its own from begin to end.
#ifndef FOOTFALL_TESTS_SERVED_H
#define FOOTFALL_TESTS_SERVED_H

#include "check.h"

#include "studio/server.h"

#include <pthread.h>

static ff_studio *studio;
static pthread_t studio_thread;

static inline void *serve(void *unused)
{
    (void)unused;
    return ff_studio_serve(studio, NULL) == FF_OK ? NULL : studio;
}

/// @param root  folder of the project, NULL: none
/// @return      the port
static inline int begin(const char *root)
{
    ff_error err = {0};
    studio = ff_server_create(&(ff_studio_setup){.root = root, .port = 0}, &err);
    if (!studio) CHECK_FAIL("%s", err.text);
    CHECK_INT(pthread_create(&studio_thread, NULL, serve, NULL), 0);
    return ff_studio_port(studio);
}

static inline void end(void)
{
    void *failed;
    ff_studio_stop(studio);
    CHECK_INT(pthread_join(studio_thread, &failed), 0);
    CHECK(!failed);
    ff_studio_close(studio);
}

#endif
