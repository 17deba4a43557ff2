// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The XML layer: trees with exact places, readers of attributes, and refusal of hostile documents in bounded time.
#include "check.h"

#include <locale.h>
#include <pthread.h>
#include <time.h>

#include "text/xml.h"

static ff_arena arena;
static ff_report report;

static ff_xml *parse_bytes(const char *text, size_t length)
{
    ff_arena_clear(&arena);
    ff_report_clear(&report);
    return ff_xml_parse(&arena, text, length, "robot.xml", &report);
}

static ff_xml *parse(const char *text)
{
    if (!ff_xml_available()) SKIP("built without libxml2");
    return parse_bytes(text, strlen(text));
}

static void check_refused(const ff_xml *root, int line, int column, const char *words)
{
    CHECK(!root);
    CHECK_INT(report.errors, 1);
    CHECK_SAYS(report.messages[0].text, words);
    CHECK_INT(report.messages[0].line, line);
    CHECK_INT(report.messages[0].column, column);
}

TEST(tree_keeps_order_and_parents)
{
    ff_xml *root = parse("<a><b i='1'/><c><d/></c><b i='2'/></a>");
    CHECK(root);
    CHECK_TEXT(root->name, "a");
    CHECK_TEXT(root->child->name, "b");
    CHECK_TEXT(root->child->next->name, "c");
    CHECK_TEXT(root->child->next->child->name, "d");
    CHECK(root->child->next->child->parent == root->child->next);
    ff_xml *b = ff_xml_child(root, "b");
    CHECK_TEXT(ff_xml_get(b, "i"), "1");
    CHECK_TEXT(ff_xml_get(ff_xml_next(b), "i"), "2");
    CHECK(!ff_xml_next(ff_xml_next(b)));
    CHECK(!ff_xml_child(root, "d"));
}

TEST(places_are_those_of_the_opening_bracket)
{
    ff_xml *root = parse("<?xml version='1.0'?>\n"
                         "<!-- <no> -->\n"
                         "  <a><b\n"
                         "     x='>'/>\n"
                         "\t<c/><![CDATA[<no/>]]><?pi <no/> ?></a>\n");
    CHECK(root);
    CHECK_INT(root->place.line, 3);
    CHECK_INT(root->place.column, 3);
    CHECK_INT(root->child->place.line, 3);
    CHECK_INT(root->child->place.column, 6);
    CHECK_INT(root->child->next->place.line, 5);
    CHECK_INT(root->child->next->place.column, 2);
    CHECK_TEXT(root->place.file, "robot.xml");
}

TEST(columns_count_characters_not_bytes)
{
    ff_xml *root =
        parse("\xEF\xBB\xBF<a>\xC3\xA4\xE2\x82\xAC<b/></a>"); // byte order mark, then an umlaut and a euro sign
    CHECK(root);
    CHECK_INT(root->place.column, 1);
    CHECK_INT(root->child->place.column, 6);
}

TEST(utf16_reads_like_utf8)
{
    const char *plain = "<?xml version='1.0' encoding='UTF-16'?>\n<a n='x'>\n <b/></a>";
    char wide[256] = {'\xFF', '\xFE'};
    size_t n = strlen(plain);
    for (size_t i = 0; i < n; i++) wide[2 + 2 * i] = plain[i];
    if (!ff_xml_available()) SKIP("built without libxml2");
    ff_xml *root = parse_bytes(wide, 2 + 2 * n);
    CHECK(root);
    CHECK_TEXT(ff_xml_get(root, "n"), "x");
    CHECK_INT(root->place.line, 2);
    CHECK_INT(root->child->place.line, 3);
    CHECK_INT(root->child->place.column, 2);
}

TEST(latin1_becomes_utf8)
{
    ff_xml *root = parse("<?xml version='1.0' encoding='ISO-8859-1'?><a n='\xE4'/>");
    CHECK(root);
    CHECK_TEXT(ff_xml_get(root, "n"), "\xC3\xA4");
}

TEST(text_is_joined_and_trimmed)
{
    ff_xml *root = parse("<a>  one <b> in </b> &lt;two&#33;<![CDATA[ <3 ]]>\n </a>");
    CHECK(root);
    CHECK_TEXT(root->text, "one  <two! <3");
    CHECK_TEXT(root->child->text, "in");
}

TEST(escaped_characters_are_themselves)
{
    ff_xml *root = parse("<a i='&amp;&lt;&gt;&quot;&apos;&#38;&#9;&amp;#38;'>&amp;&lt;</a>");
    CHECK(root);
    CHECK_TEXT(ff_xml_get(root, "i"), "&<>\"'&\t&#38;");
    CHECK_TEXT(root->text, "&<");
}

TEST(prefixed_names_stay_as_written)
{
    ff_xml *root = parse("<a xmlns:g='urn:x'><g:b g:k='1' undeclared:l='2'/><other:c/></a>");
    CHECK(root);
    CHECK_INT(root->nattribute, 0);
    CHECK_TEXT(root->child->name, "g:b");
    CHECK_TEXT(ff_xml_get(root->child, "g:k"), "1");
    CHECK_TEXT(root->child->next->name, "other:c");
}

TEST(numbers_read_alike_in_every_locale)
{
    setlocale(LC_ALL, "de_DE.UTF-8"); // where it is not installed the test proves less, but still holds
    ff_xml *root = parse("<a x=' 1 -2.5e-1\n+.5 ' y='0,5'/>");
    double v[3];
    CHECK_INT(ff_xml_numbers(root, "x", v, 3, 3, &report), 3);
    setlocale(LC_ALL, "C");
    CHECK_NEAR(v[0], 1.0, 0);
    CHECK_NEAR(v[1], -0.25, 0);
    CHECK_NEAR(v[2], 0.5, 0);
    CHECK_INT(ff_xml_numbers(root, "y", v, 1, 1, &report), -1);
    CHECK_SAYS(report.messages[0].text, "\"0,5\"");
}

TEST(readers_refuse_what_is_no_finite_number)
{
    static const char *const bad[] = {"nan", "inf", "0x10", "1e999", "1e308", "-2e12", "1 2", "", "five", "1e", "."};
    for (int i = 0; i < (int)(sizeof bad / sizeof *bad); i++) {
        char text[64];
        snprintf(text, sizeof text, "<a>\n <b x='%s'/></a>", bad[i]);
        ff_xml *root = parse(text);
        CHECK_NEAR(ff_xml_number(root->child, "x", 7.0, &report), 7.0, 0);
        CHECK_INT(report.errors, 1);
        CHECK_INT(report.messages[0].line, 2);
        CHECK_INT(report.messages[0].column, 2);
        CHECK_SAYS(report.messages[0].text, "<b>: attribute 'x'");
    }
}

TEST(readers_mark_what_they_read_and_fall_back)
{
    ff_xml *root = parse("<a n='3' half='0.5' kind='red' empty=''/>");
    static const char *const colours[] = {"green", "red", NULL};
    CHECK_INT(ff_xml_integer(root, "n", 0, &report), 3);
    CHECK_INT(ff_xml_integer(root, "absent", 9, &report), 9);
    CHECK_INT(ff_xml_choice(root, "kind", colours, 0, &report), 1);
    CHECK_TEXT(ff_xml_peek(root, "half"), "0.5");
    CHECK(root->attributes[0].used && root->attributes[2].used && !root->attributes[1].used);
    CHECK_INT(report.errors, 0);
    CHECK_INT(ff_xml_integer(root, "half", 4, &report), 4);
    CHECK(!ff_xml_need(root, "empty", &report));
    CHECK(!ff_xml_need(root, "gone", &report));
    static const char *const shapes[] = {"box", "sphere", NULL};
    CHECK_INT(ff_xml_choice(root, "kind", shapes, 0, &report), 0);
    CHECK_INT(report.errors, 4);
    CHECK_SAYS(report.messages[3].text, "one of box, sphere");
}

TEST(malformed_documents_are_refused_with_a_place)
{
    check_refused(parse("<a>\n <b>\n</a>"), 3, 5, "not well-formed");
    check_refused(parse(""), 1, 1, "empty");
    check_refused(parse("<a x='1' x='2'/>"), 1, 15, "redefined");
    check_refused(parse("<a>\n<b x='1/>\n<c/></a>"), 2, 1, "quote");
    check_refused(parse("<a>&nope;</a>"), 1, 10, "nope");
    check_refused(parse("<?xml version='1.0' encoding='UTF-7'?><a/>"), 1, 1, "UTF-7");
    CHECK(!parse("just words"));
    CHECK(!parse("<a/><b/>"));
    CHECK(!parse("<a>\n<b"));
    CHECK(!parse("<a>\xFF\xFE</a>"));
    CHECK(!parse("<?xml version='1.0' encoding='latin1' standalone='perhaps'?><a>"));
}

TEST(entity_bombs_are_refused)
{
    check_refused(
        parse("<?xml version='1.0'?>\n<!DOCTYPE a [<!ENTITY l 'lol'><!ENTITY m '&l;&l;&l;&l;'>]>\n<a>&m;</a>"), 2, 1,
        "DOCTYPE");
    check_refused(parse("<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>"), 1, 1, "DOCTYPE");
}

static char *repeat(const char *head, const char *piece, size_t times, const char *tail)
{
    size_t n = strlen(piece), start = strlen(head);
    char *text = malloc(start + n * times + strlen(tail) + 1);
    memcpy(text, head, start);
    for (size_t i = 0; i < times; i++) memcpy(text + start + i * n, piece, n);
    strcpy(text + start + n * times, tail);
    return text;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); // a busy machine must not fail the test
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

TEST(depth_and_numbers_of_elements_and_attributes_are_bounded)
{
    double start = seconds();
    char *text = repeat("", "<a>", 100000, "");
    check_refused(parse(text), 1, 1 + 3 * FF_XML_MAX_DEPTH, "2000 levels");
    free(text);
    if (CHECK_LASTS(1, 0)) { // else three seconds for a comparison
        text = repeat("<a>", "<b/>", 1100000, "</a>");
        CHECK(!parse(text));
        CHECK_SAYS(report.messages[0].text, "1000000 elements");
        free(text);
    }
    size_t length = 3;
    text = malloc(4000000);
    strcpy(text, "<a>");
    for (int i = 0; i < 100000; i++) length += (size_t)sprintf(text + length, "<e%d/>", i);
    strcpy(text + length, "</a>");
    CHECK(!parse(text));
    CHECK_SAYS(report.messages[0].text, "4000 different names");
    strcpy(text, "<a>\n<b ");
    length = strlen(text);
    for (int i = 0; i < 200000; i++) length += (size_t)sprintf(text + length, "a%d='' ", i);
    strcpy(text + length, "/></a>");
    check_refused(parse(text), 2, 1, "200000 attributes");
    // the same hidden behind an error that libxml2 would recover from
    memcpy(text, "<?  <b ", 7);
    CHECK(!parse(text));
    free(text);
    CHECK_BELOW(seconds() - start, 20.0); // [s] a few tenths in an optimised build; sanitizers are slow
}

TEST(the_arena_limit_is_kept)
{
    char *text = repeat("<a>", "<b c='ddddddddddddddddddddd'/>", 100000, "</a>");
    parse("<a/>");
    ff_arena_clear(&arena);
    arena.limit = 1 << 20;
    ff_xml *root = ff_xml_parse(&arena, text, strlen(text), "robot.xml", &report);
    CHECK(arena.total <= 1 << 20);
    arena.limit = 0;
    CHECK(!root);
    CHECK_SAYS(report.messages[0].text, "memory");
    free(text);
}

static void *parse_many(void *out)
{
    ff_arena mine = {0};
    ff_report said = {0};
    int good = 0;
    for (int i = 0; i < 200; i++) {
        ff_xml *root = ff_xml_parse(&mine, "<a><b/></a>", 11, "t.xml", &said);
        good += root && !ff_xml_parse(&mine, "<a><b></a>", 10, "t.xml", &said);
        ff_arena_clear(&mine);
    }
    *(int *)out = good == 200 && said.errors == 200;
    ff_report_clear(&said);
    return NULL;
}

TEST(threads_parse_at_the_same_time)
{
    parse("<a/>");
    pthread_t threads[4];
    int fine[4] = {0};
    for (int i = 0; i < 4; i++) CHECK_INT(pthread_create(&threads[i], NULL, parse_many, &fine[i]), 0);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < 4; i++) CHECK(fine[i]);
}

__attribute__((destructor)) static void clear(void)
{
    ff_arena_clear(&arena);
    ff_report_clear(&report);
}
