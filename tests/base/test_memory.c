// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The arena, growing arrays, error texts and reports: alignment, limits, overflow, and messages word for word.
#include <footfall/base.h>
#include <limits.h>

#include "check.h"

static bool aligned(const void *p, size_t to)
{
    return (uintptr_t)p % to == 0;
}

TEST(arena_pieces_are_aligned_zeroed_and_apart)
{
    ff_arena arena = {0};
    enum { PIECES = 500 };
    unsigned char *piece[PIECES];
    size_t size[PIECES];
    ff_random random = ff_random_make(1, 0);
    for (int i = 0; i < PIECES; i++) {
        size[i] = (size_t)ff_random_range(&random, 1, i % 50 ? 300 : 20000);
        piece[i] = ff_arena_alloc(&arena, size[i], 1);
        CHECK(piece[i] && aligned(piece[i], size[i] < 64 ? 16 : 64));
        for (size_t k = 0; k < size[i]; k++) CHECK(piece[i][k] == 0);
        memset(piece[i], i % 255 + 1, size[i]);
    }
    // no piece overlaps its neighbour
    for (int i = 0; i < PIECES; i++)
        for (size_t k = 0; k < size[i]; k++) CHECK(piece[i][k] == i % 255 + 1);
    ff_arena_clear(&arena);
    CHECK(arena.head == NULL && arena.total == 0);
}

TEST(arena_grows_by_doubling_and_holds_large_pieces_whole)
{
    ff_arena arena = {0};
    CHECK(ff_arena_alloc(&arena, 1, 1));
    size_t first = arena.total;
    for (size_t used = 0; used < 64 * first; used += 64) CHECK(ff_arena_alloc(&arena, 64, 1));
    CHECK(arena.total <= 2 * 64 * first + first); // no more than twice what was asked for
    size_t before = arena.total;
    CHECK(ff_arena_alloc(&arena, 5 << 20, 1));
    CHECK(arena.total - before == 5 << 20);
    ff_arena_clear(&arena);
}

TEST(arena_never_holds_more_than_its_limit_and_can_use_it_all)
{
    ff_arena arena = {.limit = 10000};
    size_t used = 0;
    while (ff_arena_alloc(&arena, 64, 1)) used += 64;
    CHECK(arena.total <= arena.limit);
    CHECK(used >= arena.limit - 128); // all but the rounding to whole cache lines
    CHECK(!ff_arena_alloc(&arena, 1, 64));
    ff_arena_clear(&arena);
    CHECK(arena.limit == 10000); // the limit outlives the memory
    CHECK(!ff_arena_alloc(&arena, 10001, 1));
    CHECK(!ff_arena_strndup(&arena, "", 20000));
    CHECK(ff_arena_alloc(&arena, 100, 1));
    ff_arena_clear(&arena);
    arena = (ff_arena){.limit = 200};
    CHECK(ff_arena_alloc(&arena, 100, 1));
    CHECK(!ff_arena_alloc(&arena, 100, 1));
    ff_arena_clear(&arena);
}

TEST(arena_refuses_sizes_that_overflow)
{
    ff_arena arena = {0};
    CHECK(!ff_arena_alloc(&arena, SIZE_MAX, 1));
    CHECK(!ff_arena_alloc(&arena, SIZE_MAX / 2, 3));
    CHECK(!ff_arena_alloc(&arena, SIZE_MAX / 8 + 2, 8)); // wraps to 8 bytes
    CHECK(!ff_arena_alloc(&arena, 1, SIZE_MAX - 64));
    CHECK(arena.total == 0);
    CHECK(ff_arena_alloc(&arena, 0, 8) && ff_arena_alloc(&arena, 8, 0)); // nothing is not an error
    ff_arena_clear(&arena);
}

TEST(arena_copies_and_prints_text)
{
    ff_arena arena = {0};
    char source[] = "hexapod";
    char *copy = ff_arena_strdup(&arena, source), *part = ff_arena_strndup(&arena, source, 4);
    source[0] = 'X';
    CHECK_TEXT(copy, "hexapod");
    CHECK_TEXT(part, "hexa");
    CHECK_TEXT(ff_arena_strdup(&arena, ""), "");
    CHECK_TEXT(ff_arena_printf(&arena, "leg_%d%s", 3, "_knee"), "leg_3_knee");
    char *wide = ff_arena_printf(&arena, "%*d", 9000, 7);
    CHECK_INT(strlen(wide), 9000);
    CHECK(wide[8999] == '7');
    ff_arena_clear(&arena);
}

TEST(arrays_grow_with_their_contents_and_new_items_are_zero)
{
    struct item {
        int number;
        double value;
    } *items = NULL;
    int capacity = 0;
    for (int i = 0; i < 1000; i++) {
        CHECK(ff_array_grow(&items, i, &capacity, sizeof *items));
        CHECK(capacity > i && items[i].number == 0 && items[i].value == 0);
        items[i] = (struct item){i, 0.5 * i};
        // bytes beyond the new item may have any value: growing must clear them again
        if (i + 1 < capacity) memset(&items[i + 1], 0xff, sizeof *items);
    }
    for (int i = 0; i < 1000; i++) CHECK(items[i].number == i && items[i].value == 0.5 * i);
    free(items);
}

TEST(arrays_refuse_to_outgrow_an_int)
{
    char small[1], *items = small;
    int capacity = INT_MAX / 2 + 1;
    CHECK(!ff_array_grow(&items, capacity, &capacity, 1));
    CHECK(items == small && capacity == INT_MAX / 2 + 1);
    capacity = 1 << 20;
    CHECK(!ff_array_grow(&items, capacity, &capacity, SIZE_MAX / 1000));
    CHECK(items == small && capacity == 1 << 20);
}

// ------------------------------------------------------------------------------------------ errors

TEST(every_status_has_a_text_of_its_own)
{
    for (int a = 0; a < FF_STATUS_COUNT; a++) {
        CHECK(ff_status_text((ff_status)a)[0]);
        for (int b = 0; b < a; b++) CHECK(strcmp(ff_status_text((ff_status)a), ff_status_text((ff_status)b)) != 0);
    }
    CHECK_TEXT(ff_status_text(FF_OK), "ok");
    CHECK_TEXT(ff_status_text(FF_STATUS_COUNT), "unknown status");
}

TEST(errors_carry_status_and_text)
{
    ff_error err = {0};
    CHECK_INT(ff_error_set(&err, FF_BAD_ARGUMENT, "step is %g s", 0.5), FF_BAD_ARGUMENT);
    CHECK_INT(err.status, FF_BAD_ARGUMENT);
    CHECK_TEXT(err.text, "step is 0.5 s");
    CHECK_INT(ff_error_set(NULL, FF_LIMIT, "nobody listens"), FF_LIMIT);
    char wide[2000];
    memset(wide, 'w', sizeof wide);
    wide[sizeof wide - 1] = 0;
    ff_error_set(&err, FF_LIMIT, "%s", wide);
    CHECK_INT(strlen(err.text), sizeof err.text - 1); // cut, but ended
}

TEST(messages_print_as_compilers_do)
{
    ff_report report = {0};
    ff_report_add(&report, FF_ERROR, (ff_place){"a.urdf", 41, 7}, "joint \"%s\"", "knee");
    ff_report_add(&report, FF_WARNING, (ff_place){"a.urdf", 41, 0}, "w");
    ff_report_add(&report, FF_NOTE, (ff_place){"a.urdf", 0, 0}, "n");
    ff_report_add(&report, FF_NOTE, (ff_place){0}, "m");
    static const char *const lines[] = {"a.urdf:41:7: error: joint \"knee\"", "a.urdf:41: warning: w",
                                        "a.urdf: note: n", "note: m"};
    char text[100];
    CHECK_INT(report.count, 4);
    for (int i = 0; i < 4; i++) {
        CHECK_INT(ff_message_format(&report.messages[i], text, sizeof text), strlen(lines[i]));
        CHECK_TEXT(text, lines[i]);
    }
    CHECK_INT(ff_message_format(&report.messages[0], text, 10), strlen(lines[0])); // cut as snprintf does
    CHECK_TEXT(text, "a.urdf:41");
    CHECK_INT(report.errors, 1);
    CHECK_INT(report.warnings, 1);
    ff_report_clear(&report);
    CHECK(report.messages == NULL && report.count == 0 && report.errors == 0);
}

TEST(a_report_keeps_the_first_messages_and_counts_the_rest)
{
    ff_report report = {0};
    for (int i = 0; i < FF_REPORT_MAX + 50; i++) ff_report_add(&report, FF_ERROR, (ff_place){0}, "error %d", i);
    CHECK_INT(report.count, FF_REPORT_MAX);
    CHECK_INT(report.errors, FF_REPORT_MAX + 50);
    CHECK_TEXT(report.messages[0].text, "error 0");
    CHECK_TEXT(report.messages[FF_REPORT_MAX - 1].text, "error 199");
    ff_report_clear(&report);
    ff_report_add(NULL, FF_ERROR, (ff_place){0}, "nobody listens");
}

TEST(an_error_after_very_many_warnings_is_still_reported)
{
    ff_report report = {0};
    for (int i = 0; i < FF_REPORT_MAX + 50; i++) ff_report_add(&report, FF_WARNING, (ff_place){0}, "warning %d", i);
    ff_report_add(&report, FF_ERROR, (ff_place){"b.xml", 3, 1}, "first error");
    ff_report_add(&report, FF_ERROR, (ff_place){"b.xml", 4, 1}, "second error");
    ff_report_add(&report, FF_NOTE, (ff_place){0}, "a late note");
    CHECK_INT(report.count, FF_REPORT_MAX);
    CHECK_INT(report.warnings, FF_REPORT_MAX + 50);
    CHECK_TEXT(report.messages[FF_REPORT_MAX - 3].text, "warning 197");
    CHECK_TEXT(report.messages[FF_REPORT_MAX - 2].text, "first error");
    CHECK_TEXT(report.messages[FF_REPORT_MAX - 1].text, "second error");
    ff_error err = {0};
    CHECK_INT(ff_report_to_error(&report, FF_BAD_FILE, &err), FF_BAD_FILE);
    CHECK_TEXT(err.text, "b.xml:3:1: first error");
    ff_report_clear(&report);
}

TEST(a_report_without_errors_gives_the_text_of_the_status)
{
    ff_report report = {0};
    ff_error err = {0};
    ff_report_add(&report, FF_WARNING, (ff_place){0}, "only a warning");
    CHECK_INT(ff_report_to_error(&report, FF_NO_MEMORY, &err), FF_NO_MEMORY);
    CHECK_INT(err.status, FF_NO_MEMORY);
    CHECK_TEXT(err.text, "out of memory");
    CHECK_INT(ff_report_to_error(&report, FF_LIMIT, NULL), FF_LIMIT);
    ff_report_clear(&report);
}

// Messages are copied between reports as texts: a message about memory decides on the status in any of them. The same
// words in a name of a file do not.
TEST(a_report_says_whether_memory_ran_out)
{
    const struct {
        const char *text;
        ff_status status;
    } cases[] = {{"out of memory", FF_NO_MEMORY},
                 {"no memory for the drives", FF_NO_MEMORY},
                 {"cannot read \"a.yaml\": out of memory", FF_NO_MEMORY},
                 {"unknown key 'out of memory'", FF_BAD_FILE},
                 {"x: a robot with no memory at all", FF_BAD_FILE}};
    for (int i = 0; i < 5; i++) {
        ff_report report = {0};
        ff_error err = {0};
        ff_report_add(&report, FF_ERROR, (ff_place){0}, "a mistake that follows from it");
        ff_report_add(&report, FF_ERROR, (ff_place){0}, "%s", cases[i].text);
        CHECK_INT(ff_report_to_error(&report, FF_BAD_FILE, &err), cases[i].status);
        CHECK_INT(err.status, cases[i].status);
        CHECK_TEXT(err.text, "a mistake that follows from it");
        ff_report_clear(&report);
    }
    ff_report silent = {.errors = 1}; // there was no memory for the message
    CHECK_INT(ff_report_to_error(&silent, FF_BAD_FILE, NULL), FF_NO_MEMORY);
}

TEST(long_messages_are_cut_and_ended)
{
    ff_report report = {0};
    ff_report_add(&report, FF_ERROR, (ff_place){0}, "%*d", 5000, 1);
    CHECK_INT(strlen(report.messages[0].text), 1023);
    ff_report_clear(&report);
}
