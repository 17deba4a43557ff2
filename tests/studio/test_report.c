// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs on their way into a page: nothing that a file says can leave its element, numbers arrive as they were recorded,
// and a page stays within its size whatever the recording.
#include "check.h"
#include "studio/page.h"
#include "support/folder.h"
#include "support/robots.h"

#include <footfall/record.h>
#include <footfall/studio.h>

// ------------------------------------------------------------------------------------------ text and JSON

typedef struct memory_file {
    FILE *file;
    char *text;
    size_t size;
} memory_file;

static void open_memory(memory_file *m)
{
    m->file = open_memstream(&m->text, &m->size);
    CHECK(m->file != NULL);
}

static void check_text(const char *text, const char *expected)
{
    memory_file m;
    open_memory(&m);
    ff_page_text(m.file, text);
    fclose(m.file);
    CHECK_TEXT(m.text, expected);
    free(m.text);
}

TEST(no_text_can_end_its_element)
{
    check_text("</script><script>alert(1)</script>", "\"\\u003c/script>\\u003cscript>alert(1)\\u003c/script>\"");
    check_text("<!-- \"\\ \n\x7f", "\"\\u003c!-- \\\"\\\\ \\u000a\\u007f\"");
    check_text("\xc3\xa9 \xff \xed\xa0\x80 \xf0\x9f\xa4\x96",
               "\"\xc3\xa9 \\ufffd \\ufffd\\ufffd\\ufffd \xf0\x9f\xa4\x96\"");
}

static void check_copy(const char *text, const char *expected)
{
    memory_file m;
    open_memory(&m);
    const bool ok = ff_page_copy_json(m.file, text), looked = ff_page_copy_json(NULL, text);
    fclose(m.file);
    CHECK_INT(ok, expected != NULL);
    CHECK_INT(looked, ok);
    if (expected) CHECK_TEXT(m.text, expected);
    free(m.text);
}

TEST(json_from_files_is_copied_only_where_it_is_json)
{
    check_copy(" { \"a\" : [ 1 , -2.5e+3, true , null ] , \"b</script>\":\"<\\u003c\\n\"}\n",
               "{\"a\":[1,-2.5e+3,true,null],\"b\\u003c/script>\":\"\\u003c\\u003c\\n\"}");
    check_copy("[]", "[]");
    check_copy("{}", "{}");
    static const char *const wrong[] = {"",        "{",           "[1,]",   "{\"a\":1,}", "{a:1}", "\"open",
                                        "\"\\x\"", "\"\\u12g4\"", "01",     "1.",         "-",     "NaN",
                                        "[1] 2",   "tru",         "\"\n\"", "{\"a\"}",    "[1 2]", "1e"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) check_copy(wrong[i], NULL);
    char deep[201];
    memset(deep, '[', 100);
    memset(deep + 100, ']', 100);
    deep[200] = '\0';
    check_copy(deep, NULL);
}

// RFC 4648, section 10.
TEST(base64_is_that_of_its_standard)
{
    static const char *const pairs[][2] = {{"", "\"\""},
                                           {"f", "\"Zg==\""},
                                           {"fo", "\"Zm8=\""},
                                           {"foo", "\"Zm9v\""},
                                           {"foob", "\"Zm9vYg==\""},
                                           {"fooba", "\"Zm9vYmE=\""},
                                           {"foobar", "\"Zm9vYmFy\""}};
    for (int i = 0; i < 7; i++) {
        memory_file m;
        open_memory(&m);
        ff_page_base64 b;
        ff_page_base64_begin(&b, m.file);
        for (const char *p = pairs[i][0]; *p; p++) ff_page_base64_add(&b, p, 1);
        ff_page_base64_end(&b);
        fclose(m.file);
        CHECK_TEXT(m.text, pairs[i][1]);
        free(m.text);
    }
}

// ------------------------------------------------------------------------------------------ documents

#ifdef FF_WITH_HDF5

static const char scene[] = "title: \"</script><b>bold\"\ndescription: two words\n";

/// A second of a pendulum whose names try to leave the page, at 1 kHz.
static ff_recording *record(const char *summary)
{
    static const char *const channels[] = {"q", "com.pos"};
    ff_model *m = robot_pendulum(1.3, 0.8, 0.05);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_RK4, 1e-3, 0.0));
    ff_record_options o = ff_record_options_default();
    o.channels = channels;
    o.nchannel = 2;
    ff_error err = {0};
    ff_recorder *rec = ff_recorder_create(sim, &o, &err);
    const ff_record_info info = {.version = "test", .scene = scene, .path = "a/<b>.yaml"};
    ff_sim_set_q(sim, 0, 1.0);
    if (rec) ff_recorder_set_events(rec, "[{\"t\": 0.5, \"what\": \"</script>\"}]");
    if (!rec || ff_recorder_open_hdf5(rec, in_folder("run.h5"), &info, &err) || ff_sim_run(sim, 1.0, &err) ||
        ff_recorder_close(rec, &err))
        CHECK_FAIL("%s", err.text);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
    unlink(in_folder("summary.json"));
    FILE *file = summary ? fopen(in_folder("summary.json"), "w") : NULL;
    if (file) {
        fputs(summary, file);
        fclose(file);
    }
    ff_recording *r = ff_recording_open(test_folder(), &err);
    if (!r) CHECK_FAIL("%s", err.text);
    return r;
}

/// The document, the caller's; the size of the numbers is bounded by `bytes` (0: as usual).
static char *document(const ff_recording *r, size_t bytes, ff_studio_facts *facts)
{
    memory_file m;
    ff_error err = {0};
    ff_studio_options o = ff_studio_options_default();
    if (bytes) o.bytes = bytes;
    open_memory(&m);
    if (ff_studio_write_document(r, &o, m.file, facts, &err)) CHECK_FAIL("%s", err.text);
    fclose(m.file);
    return m.text;
}

/// Numbers of a base64 string by another route than the writer's: letter by letter, six bits each.
static int decode(const char *text, float *out, int most)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned bits = 0, count = 0;
    unsigned char bytes[4];
    int filled = 0, n = 0;
    for (; *text != '"' && *text != '='; text++) {
        bits = bits << 6 | (unsigned)(strchr(letters, *text) - letters);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes[filled++] = (unsigned char)(bits >> count & 255);
        if (filled < 4) continue;
        if (n < most) memcpy(&out[n], bytes, 4); // on little-endian machines, which all of our tests run on
        n++;
        filled = 0;
    }
    return n;
}

TEST(a_document_holds_the_run)
{
    ff_studio_facts facts;
    ff_recording *r = record("{\"time\": 1, \"outcome\": \"</SCRIPT>\"}");
    char *text = document(r, 0, &facts);
    CHECK(ff_page_copy_json(NULL, text));
    CHECK(strchr(text, '<') == NULL);
    CHECK_SAYS(text, "\"summary\":{\"time\":1,\"outcome\":\"\\u003c/SCRIPT>\"}");
    CHECK_SAYS(text, "\"title\":\"\\u003c/script>\\u003cb>bold\"");
    CHECK_SAYS(text, "\"description\":\"two words\"");
    CHECK_SAYS(text, "\"path\":\"a/\\u003cb>.yaml\"");
    CHECK_SAYS(text, "\"nodes\":[{");
    CHECK_SAYS(text, "\"how\":\"every row of the recording\"");
    CHECK_SAYS(text, "\"events\":[{\"t\":0.5,\"what\":\"\\u003c/script>\"}]");
    CHECK(facts.summary && facts.poses);
    CHECK_INT(facts.kept, 1001);
    CHECK_NEAR(facts.rate_hz, 1000.0, 1e-9);
    float times[1001];
    CHECK_INT(decode(strstr(text, "\"time\":\"") + 8, times, 1001), 1001);
    for (int i = 0; i < 1001; i++) CHECK_NEAR(times[i], i / 1000.0, 6e-8); // half a unit of a 32-bit float below 1
    free(text);
    ff_recording_close(r);
}

// Thinned to a tenth: the rows are those of the recording, none invented, and the page says which.
TEST(a_long_recording_is_thinned_evenly_and_says_so)
{
    ff_studio_facts facts;
    ff_recording *r = record(NULL);
    const int columns = 5; // time, q, com.pos
    const size_t room = (size_t)(101 * columns * 16 / 3 + 8);
    char *text = document(r, room, &facts);
    CHECK(!facts.summary);
    CHECK_INT(facts.rows, 1001);
    CHECK_INT(facts.kept, 101);
    CHECK_NEAR(facts.rate_hz, 100.0, 1e-9);
    CHECK_SAYS(text, "one row of every 10 ");
    float com[303];
    CHECK_INT(decode(strstr(strstr(text, "\"name\":\"com.pos\""), "\"data\":\"") + 8, com, 303), 303);
    double exact[303];
    ff_error err = {0};
    CHECK_INT(ff_recording_read(r, ff_recording_find(r, "com.pos"), 0, 10, 101, exact, &err), FF_OK);
    for (int i = 0; i < 303; i++) CHECK_NEAR(com[i], (float)exact[i], 0.0);
    free(text);
    ff_recording_close(r);
}

TEST(a_summary_that_is_no_json_is_named)
{
    ff_recording *r = record("{\"time\": 1,");
    memory_file m;
    ff_error err = {0};
    open_memory(&m);
    CHECK_INT(ff_studio_write_document(r, NULL, m.file, NULL, &err), FF_BAD_FILE);
    fclose(m.file);
    free(m.text);
    CHECK_SAYS(err.text, "summary.json: its summary is not JSON");
    ff_recording_close(r);
}

static int count_words(const char *text, const char *word)
{
    int count = 0;
    for (const char *p = text; (p = strstr(p, word)); p++) count++;
    return count;
}

TEST(a_report_is_one_page_that_loads_nothing)
{
    ff_error err = {0};
    ff_recording *r = record("{\"outcome\": \"</script><img src=http://x>\"}");
    const ff_status status = ff_studio_write_report(r, NULL, in_folder("report.html"), NULL, &err);
    ff_recording_close(r);
    CHECK_INT(status, ff_studio_has_pages() ? FF_OK : FF_NOT_BUILT);
    if (status) {
        CHECK_SAYS(err.text, "FOOTFALL_STUDIO=ON");
        SKIP("built without pages");
    }
    FILE *file = fopen(in_folder("report.html"), "r");
    char *text = calloc(1, (size_t)4 << 20);
    const size_t size = fread(text, 1, ((size_t)4 << 20) - 1, file);
    fclose(file);
    CHECK_BELOW((double)size, 2e6);               // 1001 rows and the page itself
    CHECK_INT(count_words(text, "</script>"), 2); // the run and the code, each ended by us
    CHECK_INT(count_words(text, "<script"), 2);
    CHECK(strstr(text, "Content-Security-Policy") != NULL);
    CHECK(strstr(text, "default-src 'none'") != NULL);
    CHECK_INT(count_words(text, "src=http"), 1); // as letters inside the run
    free(text);
}

TEST(a_report_that_cannot_be_written_is_reported)
{
    if (!ff_studio_has_pages()) SKIP("built without pages");
    ff_error err = {0};
    ff_recording *r = record("{}");
    CHECK_INT(ff_studio_write_report(r, NULL, "/nowhere/report.html", NULL, &err), FF_NOT_WRITTEN);
    CHECK_SAYS(err.text, "cannot be written");
    ff_recording_close(r);
}

#endif
