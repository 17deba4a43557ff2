// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Recordings read back: exact, channel by channel; foreign, damaged and hostile files are refused with a message.
#define _GNU_SOURCE // memmem
#include "check.h"
#include "support/folder.h"
#include "support/robots.h"

#include <footfall/record.h>
#include <footfall/studio.h>

#include <fcntl.h>
#include <sys/stat.h>

#ifdef FF_WITH_HDF5

#include <hdf5.h>

/// Half a second of a pendulum at 200 Hz. The rows stay in memory too: values (rows * columns).
static double *record_pendulum(const char *path, long long *rows, int *columns)
{
    static const char *const channels[] = {"com.pos", "energy.kinetic", "q"};
    ff_model *m = robot_pendulum(1.3, 0.8, 0.05);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_RK4, 1e-3, 0.0));
    ff_record_options o = ff_record_options_default();
    o.rate_hz = 200.0;
    o.channels = channels;
    o.nchannel = 3;
    ff_error err = {0};
    ff_recorder *rec = ff_recorder_create(sim, &o, &err), *file = ff_recorder_create(sim, &o, &err);
    const ff_record_info info = {.version = "test", .scene = "title: \"</script>\"\n"};
    ff_sim_set_q(sim, 0, 1.0);
    if (!rec || !file || ff_recorder_open_hdf5(file, path, &info, &err) || ff_sim_run(sim, 0.5, &err) ||
        ff_recorder_close(file, &err))
        CHECK_FAIL("%s", err.text);
    *rows = ff_recorder_rows(rec);
    *columns = ff_recorder_columns(rec);
    double *values = calloc((size_t)(*rows * *columns), sizeof *values);
    for (long long i = 0; i < *rows; i++)
        memcpy(values + i * *columns, ff_recorder_row(rec, i), (size_t)*columns * sizeof *values);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
    return values;
}

TEST(a_recording_is_exact_when_read_back)
{
    long long rows = 0;
    int columns = 0;
    double *expected = record_pendulum(in_folder("run.h5"), &rows, &columns);
    ff_error err = {0};
    ff_recording *r = ff_recording_open(in_folder("."), &err); // a folder means its run.h5
    if (!r) CHECK_FAIL("%s", err.text);
    CHECK_INT(ff_recording_rows(r), rows);
    CHECK_INT(rows, 101);
    CHECK_INT(ff_recording_channel_count(r), 4); // model and scene are no channels
    const int com = ff_recording_find(r, "com.pos");
    const ff_recording_channel *c = ff_recording_channel_at(r, com);
    CHECK_TEXT(c->unit, "m");
    CHECK_INT(c->width, 3);
    CHECK_TEXT(c->columns[2], "z");
    CHECK_INT(ff_recording_find(r, "com"), -1);
    double got[3 * 25];
    CHECK_INT(ff_recording_read(r, com, 2, 4, 25, got, &err), FF_OK);
    for (int i = 0; i < 25; i++)
        for (int k = 0; k < 3; k++) CHECK_NEAR(got[3 * i + k], expected[(2 + 4 * i) * columns + 1 + k], 0.0);
    CHECK_INT(ff_recording_read(r, com, 2, 4, 26, got, &err), FF_BAD_ARGUMENT); // row 102 of 101
    CHECK_INT(ff_recording_read(r, com, -1, 1, 1, got, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_recording_read(r, 4, 0, 1, 1, got, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(ff_recording_model(r), "\"nodes\"");
    CHECK_TEXT(ff_recording_scene(r), "title: \"</script>\"\n");
    ff_recording_close(r);
    free(expected);
}

static void is_refused(const char *path, ff_status status, const char *words)
{
    ff_error err = {0};
    ff_recording *r = ff_recording_open(path, &err);
    if (r) CHECK_FAIL("%s was opened", path);
    CHECK_SAYS(err.text, words);
    CHECK_INT(err.status, status);
}

TEST(what_is_no_file_of_hdf5_is_refused)
{
    is_refused(in_folder("nowhere.h5"), FF_NOT_FOUND, "no such file");
    FILE *file = fopen(in_folder("text.h5"), "w");
    fputs("time,q\n0,1\n", file);
    fclose(file);
    is_refused(in_folder("text.h5"), FF_BAD_FILE, "not an HDF5 file");
    CHECK_INT(mkfifo(in_folder("pipe.h5"), 0600), 0);
    is_refused(in_folder("pipe.h5"), FF_BAD_FILE, "not a regular file"); // and does not wait for a writer
    is_refused("/", FF_NOT_FOUND, "no run.h5");
}

// Cut anywhere, a file is refused or read, and nothing else happens (sanitizers watch).
TEST(a_recording_cut_short_is_answered_with_words)
{
    long long rows = 0;
    int columns = 0;
    free(record_pendulum(in_folder("run.h5"), &rows, &columns));
    struct stat info;
    CHECK_INT(stat(in_folder("run.h5"), &info), 0);
    char *bytes = malloc((size_t)info.st_size);
    FILE *file = fopen(in_folder("run.h5"), "rb");
    CHECK_INT(fread(bytes, 1, (size_t)info.st_size, file), info.st_size);
    fclose(file);
    for (int k = 1; k < 40; k++) {
        file = fopen(in_folder("cut.h5"), "wb");
        fwrite(bytes, 1, (size_t)(info.st_size * k / 40), file);
        fclose(file);
        is_refused(in_folder("cut.h5"), FF_BAD_FILE, "cut.h5: ");
    }
    free(bytes);
}

/// All that is read of a file; whether it can be read does not matter.
static void read_all(const char *path)
{
    ff_error err = {0};
    ff_recording *r = ff_recording_open(path, &err);
    if (!r) return;
    const long long rows = ff_recording_rows(r);
    for (int i = 0; i < ff_recording_channel_count(r); i++) {
        const ff_recording_channel *c = ff_recording_channel_at(r, i);
        if (rows > 1000 || c->width > 1000) continue;
        double *values = calloc((size_t)rows * (size_t)c->width + 1, sizeof *values);
        (void)ff_recording_read(r, i, 0, 1, rows, values, &err);
        free(values);
    }
    ff_recording_close(r);
}

/// HDF5 itself forgets memory where a file is damaged; that of our own is looked for by all tests that read whole ones.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5";
}

// A recording comes from others, and a damaged one must not end the program that reads it: one byte in seven, in
// turn, has another value. Texts of variable length let HDF5 crash at about every tenth byte of their heap.
TEST(no_damaged_byte_of_a_recording_crashes_its_reader)
{
    long long rows = 0;
    int columns = 0;
    free(record_pendulum(in_folder("run.h5"), &rows, &columns));
    struct stat info;
    CHECK_INT(stat(in_folder("run.h5"), &info), 0);
    char *bytes = malloc((size_t)info.st_size);
    FILE *file = fopen(in_folder("run.h5"), "rb");
    CHECK_INT(fread(bytes, 1, (size_t)info.st_size, file), info.st_size);
    fclose(file);
    CHECK(memmem(bytes, (size_t)info.st_size, "GCOL", 4) == NULL); // the heap
    file = fopen(in_folder("run.h5"), "r+b");
    unsigned chance = 1;
    for (long at = 0; at < info.st_size; at += CHECK_LASTS(7, 35)) {
        chance = chance * 1664525u + 1013904223u;
        const char other = (char)(bytes[at] ^ (char)(1 + (chance >> 24) % 255));
        fseek(file, at, SEEK_SET);
        fwrite(&other, 1, 1, file);
        fflush(file);
        read_all(in_folder("run.h5"));
        fseek(file, at, SEEK_SET);
        fwrite(&bytes[at], 1, 1, file);
    }
    fclose(file);
    read_all(in_folder("run.h5"));
    free(bytes);
}

static void add_heap_text(hid_t where, const char *name)
{
    const char *text = "footfall";
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, H5T_VARIABLE);
    hid_t attribute = H5Acreate2(where, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, type, &text);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
}

/// A file of HDF5 with the attributes of a recording, where they are given.
static hid_t make_file(const char *path, const char *program, const char *format)
{
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const char *const names[] = {"program", "format"}, *const texts[] = {program, format};
    for (int i = 0; i < 2; i++) {
        if (!texts[i]) continue;
        hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR); // of fixed length, as other writers have it
        H5Tset_size(type, strlen(texts[i]));
        H5Tset_strpad(type, H5T_STR_NULLPAD);
        hid_t attribute = H5Acreate2(file, names[i], type, space, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(attribute, type, texts[i]);
        H5Aclose(attribute);
        H5Sclose(space);
        H5Tclose(type);
    }
    return file;
}

static void add_table(hid_t file, const char *name, hsize_t rows, hsize_t columns)
{
    const hsize_t size[2] = {rows, columns}, chunk[2] = {rows < 64 ? rows : 64, columns < 64 ? columns : 64};
    hid_t space = H5Screate_simple(2, size, NULL), plan = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(plan, 2, chunk); // chunks that nobody wrote take no room
    H5Dclose(H5Dcreate2(file, name, H5T_IEEE_F32BE, space, H5P_DEFAULT, plan, H5P_DEFAULT));
    H5Pclose(plan);
    H5Sclose(space);
}

TEST(foreign_files_are_recognised)
{
    H5Fclose(make_file(in_folder("other.h5"), NULL, NULL));
    is_refused(in_folder("other.h5"), FF_BAD_FILE, "no recording of Footfall");
    H5Fclose(make_file(in_folder("other.h5"), "footfall", "7"));
    is_refused(in_folder("other.h5"), FF_BAD_FILE, "format \"7\"");
    H5Fclose(make_file(in_folder("other.h5"), "footfall", "1"));
    is_refused(in_folder("other.h5"), FF_BAD_FILE, "without its channel \"time\"");
}

TEST(texts_of_variable_length_are_refused)
{
    hid_t file = make_file(in_folder("other.h5"), NULL, "1");
    add_heap_text(file, "program");
    H5Fclose(file);
    is_refused(in_folder("other.h5"), FF_BAD_FILE, "\"program\" has a variable length");
    file = make_file(in_folder("other.h5"), "footfall", "1");
    add_heap_text(file, "scene_path");
    add_table(file, "time", 10, 1);
    H5Fclose(file);
    is_refused(in_folder("other.h5"), FF_BAD_FILE, "\"scene_path\" has a variable length");
    file = make_file(in_folder("other.h5"), "footfall", "1");
    add_table(file, "time", 10, 1);
    hid_t time = H5Dopen2(file, "time", H5P_DEFAULT);
    add_heap_text(time, "units");
    H5Dclose(time);
    H5Fclose(file);
    is_refused(in_folder("other.h5"), FF_BAD_FILE, "\"units\" has a variable length");
}

// A log of a real robot does not say that Footfall made it: it is read where that is asked for, with a time.
TEST(foreign_files_are_read_as_such)
{
    ff_error err = {0};
    hid_t file = make_file(in_folder("log.h5"), NULL, NULL);
    CHECK(ff_recording_open_foreign(in_folder("log.h5"), &err) == NULL);
    add_table(file, "time", 20, 1);
    add_table(file, "angles", 20, 3);
    H5Fclose(file);
    is_refused(in_folder("log.h5"), FF_BAD_FILE, "no recording of Footfall");
    ff_recording *log = ff_recording_open_foreign(in_folder("log.h5"), &err);
    if (!log) CHECK_FAIL("%s", err.text);
    CHECK_INT(ff_recording_rows(log), 20);
    CHECK_INT(ff_recording_channel_at(log, ff_recording_find(log, "angles"))->width, 3);
    ff_recording_close(log);
    H5Fclose(make_file(in_folder("log.h5"), NULL, NULL));
    CHECK(ff_recording_open_foreign(in_folder("log.h5"), &err) == NULL);
    CHECK_SAYS(err.text, "without its channel \"time\"");
}

TEST(claims_beyond_all_measure_are_refused)
{
    hid_t file = make_file(in_folder("other.h5"), "footfall", "1");
    add_table(file, "time", (hsize_t)1 << 60, 1);
    H5Fclose(file);
    is_refused(in_folder("other.h5"), FF_LIMIT, "claims 1152921504606846976 rows");
    file = make_file(in_folder("other.h5"), "footfall", "1");
    add_table(file, "time", 10, 1);
    add_table(file, "q", 10, 1000000);
    H5Fclose(file);
    is_refused(in_folder("other.h5"), FF_LIMIT, "1000000 columns");
}

// Channels of unequal length: what all have is read. Other kinds of numbers are converted.
TEST(the_shortest_channel_counts)
{
    hid_t file = make_file(in_folder("other.h5"), "footfall", "1");
    add_table(file, "time", 10, 1);
    add_table(file, "q", 7, 2);
    H5Fclose(file);
    ff_error err = {0};
    ff_recording *r = ff_recording_open(in_folder("other.h5"), &err);
    if (!r) CHECK_FAIL("%s", err.text);
    CHECK_INT(ff_recording_rows(r), 7);
    const ff_recording_channel *q = ff_recording_channel_at(r, ff_recording_find(r, "q"));
    CHECK_TEXT(q->columns[1], "1");
    CHECK_TEXT(q->unit, "1");
    double values[14];
    CHECK_INT(ff_recording_read(r, ff_recording_find(r, "q"), 0, 1, 7, values, &err), FF_OK);
    CHECK_NEAR(values[13], 0.0, 0.0);
    CHECK_TEXT(ff_recording_model(r), "");
    ff_recording_close(r);
}

// A recording that someone sent must not show what lies elsewhere on this machine.
TEST(nothing_outside_the_file_is_read)
{
    hid_t file = make_file(in_folder("secret.h5"), "footfall", "1");
    add_table(file, "key", 3, 1);
    H5Fclose(file);
    file = make_file(in_folder("other.h5"), "footfall", "1");
    add_table(file, "time", 3, 1);
    H5Lcreate_external(in_folder("secret.h5"), "key", file, "linked", H5P_DEFAULT, H5P_DEFAULT);
    const hsize_t size[2] = {3, 1};
    hid_t space = H5Screate_simple(2, size, NULL), plan = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(plan, in_folder("secret.h5"), 0, 24);
    H5Dclose(H5Dcreate2(file, "raw", H5T_IEEE_F64LE, space, H5P_DEFAULT, plan, H5P_DEFAULT));
    H5Pclose(plan);
    plan = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_virtual(plan, space, in_folder("secret.h5"), "key", space);
    H5Dclose(H5Dcreate2(file, "virtual", H5T_IEEE_F64LE, space, H5P_DEFAULT, plan, H5P_DEFAULT));
    H5Pclose(plan);
    H5Sclose(space);
    H5Fclose(file);
    ff_error err = {0};
    ff_recording *r = ff_recording_open(in_folder("other.h5"), &err);
    if (!r) CHECK_FAIL("%s", err.text);
    CHECK_INT(ff_recording_channel_count(r), 1);
    ff_recording_close(r);
}

#else

TEST(a_build_without_hdf5_says_so)
{
    ff_error err = {0};
    CHECK(ff_recording_open("run.h5", &err) == NULL);
    CHECK_INT(err.status, FF_NOT_BUILT);
    CHECK_SAYS(err.text, "lacks HDF5");
}

#endif
