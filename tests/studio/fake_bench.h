// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A workbench without a simulation, in place of the real one in tests of the server: the test plays the simulation
// thread, says what it likes, and sees what arrived. Requests are answered with themselves.
#ifndef FOOTFALL_TESTS_FAKE_BENCH_H
#define FOOTFALL_TESTS_FAKE_BENCH_H

#include <stdatomic.h>
#include <stddef.h>

/// Says a text of `length` letters to one client, or to all (-1).
void fake_say(int client, size_t length);
/// A new frame lies ready, of so many bytes.
void fake_frame(size_t size);

extern atomic_int fake_asked, fake_joined, fake_left; // how often
extern atomic_int fake_full;                          // the queue takes nothing
extern atomic_size_t fake_longest;                    // of the requests that were taken  [byte]
extern _Atomic(const char *) fake_report;             // path of the one report there is: run "walk"

#endif
