// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A small test runner: TEST(promise) { CHECK(...); CHECK_NEAR(got, expected, tolerance); }
// One program a subject; `program NAME` runs only the tests whose name contains NAME. A failed check prints both
// numbers and ends the test, not the program. SKIP(why) leaves a test out; a program whose tests were all skipped
// exits 77.
#ifndef FOOTFALL_TESTS_CHECK_H
#define FOOTFALL_TESTS_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct check_test {
    const char *name;
    void (*run)(void);
    struct check_test *next;
} check_test;

static check_test *check_first, **check_last = &check_first;
static jmp_buf check_jump;

enum { CHECK_PASSED, CHECK_FAILED, CHECK_SKIPPED };

/// What is to be ended with the test that runs.
static struct check_end {
    void (*end)(void *object);
    void *object;
} * check_ends;
static size_t check_nend;

/// Calls `end` with the object when the test ends, also where it fails; the last object is the first to end.
static inline void check_at_end(void (*end)(void *object), void *object)
{
    check_ends = realloc(check_ends, (check_nend + 1) * sizeof *check_ends);
    check_ends[check_nend++] = (struct check_end){end, object};
}

#define TEST(promise)                                                                                                  \
    static void promise(void);                                                                                         \
    static check_test promise##_entry = {#promise, promise, NULL};                                                     \
    __attribute__((constructor)) static void promise##_register(void)                                                  \
    {                                                                                                                  \
        *check_last = &promise##_entry;                                                                                \
        check_last = &promise##_entry.next;                                                                            \
    }                                                                                                                  \
    static void promise(void)

/// How long a proof lasts, in seconds or rounds: the whole of it, or the part that leads along every path in builds
/// with sanitizers, which take ten times as long and check paths. Numbers are proven without them.
#ifdef FF_SANITIZED
#define CHECK_LASTS(whole, part) (part)
#else
#define CHECK_LASTS(whole, part) (whole)
#endif

// Flushed at once: where what a failed test left behind counts as a leak, LeakSanitizer ends the program without it.
#define CHECK_FAIL(...)                                                                                                \
    do {                                                                                                               \
        printf("  %s:%d: ", __FILE__, __LINE__);                                                                       \
        printf(__VA_ARGS__);                                                                                           \
        printf("\n");                                                                                                  \
        fflush(stdout);                                                                                                \
        longjmp(check_jump, CHECK_FAILED);                                                                             \
    } while (0)

#define SKIP(...)                                                                                                      \
    do {                                                                                                               \
        printf("  skipped: ");                                                                                         \
        printf(__VA_ARGS__);                                                                                           \
        printf("\n");                                                                                                  \
        longjmp(check_jump, CHECK_SKIPPED);                                                                            \
    } while (0)

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) CHECK_FAIL("%s does not hold", #condition);                                                  \
    } while (0)

/// |got - expected| <= tolerance, both finite.
#define CHECK_NEAR(got, expected, tolerance)                                                                           \
    do {                                                                                                               \
        double check_got = (got), check_expected = (expected), check_tolerance = (tolerance);                          \
        if (!(fabs(check_got - check_expected) <= check_tolerance))                                                    \
            CHECK_FAIL("%s = %.17g, expected %.17g: off by %.3g, allowed %.3g", #got, check_got, check_expected,       \
                       fabs(check_got - check_expected), check_tolerance);                                             \
    } while (0)

#define CHECK_BELOW(got, limit)                                                                                        \
    do {                                                                                                               \
        double check_got = (got), check_limit = (limit);                                                               \
        if (!(check_got <= check_limit)) CHECK_FAIL("%s = %.6g, allowed at most %.6g", #got, check_got, check_limit);  \
    } while (0)

#define CHECK_INT(got, expected)                                                                                       \
    do {                                                                                                               \
        long long check_got = (long long)(got), check_expected = (long long)(expected);                                \
        if (check_got != check_expected) CHECK_FAIL("%s = %lld, expected %lld", #got, check_got, check_expected);      \
    } while (0)

#define CHECK_TEXT(got, expected)                                                                                      \
    do {                                                                                                               \
        const char *check_got = (got), *check_expected = (expected);                                                   \
        if (!check_got || strcmp(check_got, check_expected) != 0)                                                      \
            CHECK_FAIL("%s = \"%s\", expected \"%s\"", #got, check_got ? check_got : "(null)", check_expected);        \
    } while (0)

/// The text contains the words.
#define CHECK_SAYS(got, words)                                                                                         \
    do {                                                                                                               \
        const char *check_got = (got), *check_words = (words);                                                         \
        if (!check_got || !strstr(check_got, check_words))                                                             \
            CHECK_FAIL("%s = \"%s\" does not say \"%s\"", #got, check_got ? check_got : "(null)", check_words);        \
    } while (0)

// A function of its own: what main keeps in registers would not survive the jump back.
static __attribute__((noinline)) int check_run(const check_test *test)
{
    switch (setjmp(check_jump)) {
    case 0:
        test->run();
        return CHECK_PASSED;
    case CHECK_FAILED:
        return CHECK_FAILED;
    default:
        return CHECK_SKIPPED;
    }
}

int main(int argc, char **argv)
{
    int counts[3] = {0, 0, 0};
    for (check_test *test = check_first; test; test = test->next) {
        if (argc > 1 && !strstr(test->name, argv[1])) continue;
        printf("%s\n", test->name);
        fflush(stdout);
        int outcome = check_run(test);
        while (check_nend > 0) check_nend--, check_ends[check_nend].end(check_ends[check_nend].object);
        counts[outcome]++;
        if (outcome == CHECK_FAILED) printf("  FAILED\n");
    }
    free(check_ends);
    printf("%d passed, %d failed, %d skipped\n", counts[CHECK_PASSED], counts[CHECK_FAILED], counts[CHECK_SKIPPED]);
    if (counts[CHECK_FAILED]) return 1;
    return counts[CHECK_PASSED] == 0 && counts[CHECK_SKIPPED] > 0 ? 77 : 0;
}

#endif
