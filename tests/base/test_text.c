// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Text: numbers are exact after writing and reading, similar names are found, patterns match, reading stays inside a
// fence and ends at a stop, JSON is that of RFC 8259.
#include "check.h"
#include "support/folder.h"

#include <footfall/json.h>
#include <footfall/text.h>

#include <sys/stat.h>

// ------------------------------------------------------------------------------------------ numbers

static void check_round_trip(double value)
{
    char text[FF_TEXT_NUMBER_SIZE];
    double back = 0.0;
    ff_text_format_number(value, text);
    CHECK(ff_text_number(text, strlen(text), &back));
    CHECK(memcmp(&back, &value, sizeof value) == 0);
}

TEST(numbers_are_exact_when_read_back)
{
    const double hard[] = {0.0, -0.0, 0.1, 1.0 / 3.0, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, -1e22};
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) check_round_trip(hard[i]);
    ff_random random = ff_random_make(1, 0);
    for (int i = 0; i < 10000; i++) {
        uint64_t bits = ff_random_bits(&random);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) check_round_trip(value);
    }
}

// A terminal executes ESC and its one-character form U+009B; characters of UTF-8 that contain the same bytes stay.
TEST(nothing_in_a_message_is_executed_by_a_terminal)
{
    char out[64], small[8];
    CHECK_TEXT(ff_text_printable("plain \xc3\xa9 \xc2\xa0", out, sizeof out), "plain \xc3\xa9 \xc2\xa0");
    CHECK_TEXT(ff_text_printable("\x1b[2J\a\x7f", out, sizeof out), "\\x1b[2J\\x07\\x7f");
    CHECK_TEXT(ff_text_printable("\xc2\x9b"
                                 "31m",
                                 out, sizeof out),
               "\\x9b31m");
    CHECK_TEXT(ff_text_printable("two\nlines\tone", out, sizeof out), "two lines one");
    CHECK_TEXT(ff_text_printable("abcde\x1b[", small, sizeof small), "abcde");
    // Bytes that are no UTF-8: a single 9b, which terminals of eight bits execute, others, and a character that is cut
    // off.
    CHECK_TEXT(ff_text_printable("\x9b[31m \xff", out, sizeof out), "\\x9b[31m \\xff");
    CHECK_TEXT(ff_text_printable("abc\xc2", out, sizeof out), "abc\\xc2");
    CHECK_TEXT(ff_text_printable("\xc0\x9b \xed\xa0\x80", out, sizeof out), "\\xc0\\x9b \\xed\\xa0\\x80");
    CHECK_TEXT(ff_text_printable("abcdef\xc3\xa9", small, sizeof small), "abcdef"); // not half a character
    // Marks that make terminals show words in another order.
    CHECK_TEXT(ff_text_printable("\xe2\x80\xae"
                                 "gnp.\xe2\x81\xa6"
                                 "a\xe2\x82\xac",
                                 out, sizeof out),
               "\\u202egnp.\\u2066a\xe2\x82\xac");
    ff_error err = {0};
    ff_report report = {0};
    ff_error_set(&err, FF_BAD_FILE, "no '%s'", "\x1b[31m");
    CHECK_TEXT(err.text, "no '\\x1b[31m'");
    ff_report_add(&report, FF_ERROR, (ff_place){"f", 1, 1}, "no '%s'", "\x1b[31m");
    CHECK_TEXT(report.messages[0].text, "no '\\x1b[31m'");
    ff_report_clear(&report);
}

TEST(short_numbers_stay_short)
{
    char text[FF_TEXT_NUMBER_SIZE];
    ff_text_format_number(0.1, text);
    CHECK_TEXT(text, "0.1");
    ff_text_format_number(-250, text);
    CHECK_TEXT(text, "-250");
}

// ------------------------------------------------------------------------------------------ names

TEST(near_words_are_found_and_far_ones_are_not)
{
    const char *const known[] = {"damping", "stiffness", "mass", "pos"};
    CHECK_TEXT(ff_text_nearest("dampnig", known, 4), "damping");    // a swap
    CHECK_TEXT(ff_text_nearest("Stifness", known, 4), "stiffness"); // a capital and a letter missing
    CHECK(!ff_text_nearest("friction", known, 4));
    CHECK(!ff_text_nearest("box", known, 4)); // in short words one slip is all
    CHECK(!ff_text_nearest("", known, 4));
}

TEST(a_pattern_finds_the_name_that_it_nearly_matches)
{
    const char *const known[] = {"FL_thigh", "FL_hip", "wheel_2", "imu"};
    CHECK_TEXT(ff_text_nearest("*_hpi", known, 4), "FL_hip"); // the star costs nothing, the swap one
    CHECK_TEXT(ff_text_nearest("wheal*", known, 4), "wheel_2");
    CHECK_TEXT(ff_text_nearest("F*_tigh", known, 4), "FL_thigh");
    CHECK(!ff_text_nearest("*_foot", known, 4));
    CHECK(!ff_text_nearest("*", known, 4)); // nothing was said
    CHECK(!ff_text_nearest("*x", known, 4));
}

TEST(stars_stand_for_any_run_of_characters)
{
    CHECK(ff_text_matches("*", ""));
    CHECK(ff_text_matches("leg*_knee", "leg12_knee"));
    CHECK(ff_text_matches("*a*b", "xaaxbb"));
    CHECK(!ff_text_matches("leg*_knee", "leg12_knees"));
    CHECK(!ff_text_matches("", "a"));
}

// ------------------------------------------------------------------------------------------ files

TEST(missing_and_long_files_and_folders_are_refused)
{
    char *text = NULL;
    size_t length = 0;
    ff_error err = {0};
    CHECK_INT(ff_text_read("/nowhere/at/all", 100, &text, &length, &err), FF_NOT_FOUND);
    CHECK_INT(ff_text_read("/", 100, &text, &length, &err), FF_BAD_FILE);
    CHECK_SAYS(err.text, "a folder");
    CHECK_INT(ff_text_read(write_file("long", "eleven ones"), 10, &text, &length, &err), FF_LIMIT);
    CHECK_SAYS(err.text, "limit of 10");
    CHECK(!text);
}

static ff_status read_at(const char *folder, const char *name, char **text)
{
    char path[400];
    size_t length;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return ff_text_read(path, 100, text, &length, NULL);
}

TEST(a_fence_keeps_reading_inside_a_folder)
{
    char root[200], *text;
    snprintf(root, sizeof root, "%s", in_folder("in"));
    CHECK_INT(mkdir(root, 0755), 0);
    CHECK_INT(mkdir(in_folder("inside"), 0755), 0); // a name that only begins alike
    write_file("out.txt", "out");
    write_file("inside/near.txt", "near");
    write_file("in/a.txt", "a");
    CHECK_INT(symlink("../out.txt", in_folder("in/link")), 0);
    const ff_text_other others[] = {{in_folder("in/new.txt"), "fresh", 5}};
    const ff_text_fence fence = {.root = root, .others = others, .nother = 1};
    ff_text_set_fence(&fence);
    CHECK(ff_text_is_fenced());
    CHECK_INT(read_at(root, "a.txt", &text), FF_OK);
    free(text);
    CHECK_INT(read_at(root, "../in/./a.txt", &text), FF_OK);
    free(text);
    CHECK_INT(read_at(root, "new.txt", &text), FF_OK); // it is not there, and yet
    CHECK(strcmp(text, "fresh") == 0);
    free(text);
    static const char *const ways[] = {"../out.txt", "link",        "../inside/near.txt",
                                       "..",         "../none.txt", "../../../etc/passwd"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        CHECK(read_at(root, ways[i], &text) != FF_OK);
        CHECK(!text);
    }
    CHECK_INT(read_at(root, "none.txt", &text), FF_NOT_FOUND);
    CHECK_INT(read_at(root, "none/none.txt", &text), FF_NOT_FOUND);
    ff_text_set_fence(NULL);
    CHECK_INT(read_at(root, "link", &text), FF_OK);
    free(text);
}

static bool yes(void *context)
{
    (void)context;
    return true;
}

TEST(nothing_is_read_once_the_work_is_to_stop)
{
    char *text;
    const ff_text_other other = {in_folder("new.txt"), "fresh", 5};
    char root[200];
    snprintf(root, sizeof root, "%s", in_folder("."));
    write_file("a.txt", "a");
    const ff_stop stop = {yes, NULL};
    CHECK(!ff_stop_asked() && !ff_stop_get());
    ff_stop_set(&stop);
    CHECK(ff_stop_asked() && ff_stop_get() == &stop);
    CHECK_INT(read_at(root, "a.txt", &text), FF_STOPPED);
    CHECK(!text);
    const ff_text_fence fence = {.root = root, .others = &other, .nother = 1};
    ff_text_set_fence(&fence);
    CHECK_INT(read_at(root, "new.txt", &text), FF_STOPPED);
    CHECK(!text);
    ff_text_set_fence(NULL);
    CHECK(ff_stop_set(NULL) == &stop);
    CHECK_INT(read_at(root, "a.txt", &text), FF_OK);
    free(text);
}

// ------------------------------------------------------------------------------------------ JSON

TEST(json_is_laid_out_as_asked)
{
    ff_json w = {0};
    const double two[] = {1, 0.5};
    ff_json_begin_object(&w, NULL, false);
    ff_json_integer(&w, "n", -3);
    ff_json_numbers(&w, "pos", two, 2);
    ff_json_begin_array(&w, "rows", false);
    ff_json_begin_object(&w, NULL, true);
    ff_json_bool(&w, "fine", true);
    ff_json_null(&w, "none");
    ff_json_end_object(&w);
    ff_json_number(&w, NULL, NAN);
    ff_json_end_array(&w);
    ff_json_begin_array(&w, "empty", false);
    ff_json_end_array(&w);
    ff_json_end_object(&w);
    char *text = ff_json_finish(&w);
    CHECK_TEXT(text, "{\n"
                     "  \"n\": -3,\n"
                     "  \"pos\": [1, 0.5],\n"
                     "  \"rows\": [\n"
                     "    {\"fine\": true, \"none\": null},\n"
                     "    null\n"
                     "  ],\n"
                     "  \"empty\": []\n"
                     "}\n");
    free(text);
}

static void check_string(const char *bytes, const char *expected)
{
    ff_json w = {0};
    ff_json_text(&w, NULL, bytes);
    char *text = ff_json_finish(&w);
    CHECK_TEXT(text, expected);
    free(text);
}

TEST(json_strings_escape_what_json_cannot_hold)
{
    check_string("a\"b\\c\n\t\x01", "\"a\\\"b\\\\c\\n\\t\\u0001\"\n");
    check_string("\xc3\xa4 \xe2\x82\xac \xf0\x9f\xa6\xbf",
                 "\"\xc3\xa4 \xe2\x82\xac \xf0\x9f\xa6\xbf\"\n");                       // UTF-8 stays
    check_string("\xe4", "\"\\ufffd\"\n");                                              // Latin-1
    check_string("\xc0\xaf", "\"\\ufffd\\ufffd\"\n");                                   // an overlong slash
    check_string("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"\n");                        // half of a surrogate pair
    check_string("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"\n");             // beyond U+10FFFF
    check_string("\x1b\x7f\xc2\x9b\xe2\x80\xae", "\"\\u001b\\u007f\\u009b\\u202e\"\n"); // what a terminal would execute
    check_string("\xe2\x82", "\"\\ufffd\\ufffd\"\n");                                   // cut off
}

TEST(json_that_nests_too_deep_fails_as_a_whole)
{
    ff_json w = {0};
    for (int i = 0; i <= FF_JSON_DEPTH_MAX; i++) ff_json_begin_array(&w, NULL, true);
    for (int i = 0; i <= FF_JSON_DEPTH_MAX; i++) ff_json_end_array(&w);
    CHECK(!ff_json_finish(&w));
    CHECK(!w.text && !w.failed);
}
