// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Recordings survive what ends their program: after every ff_recorder_flush the file is whole, wherever a kill falls,
// and a disk that takes no more leaves the rows of the last one. Read back by ff_recording.
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "support/folder.h"
#include "support/must_run.h"
#include "support/robots.h"

#include <footfall/record.h>
#include <footfall/studio.h>

static const double RATE = 1000.0; // [Hz]

/// A pendulum that records to a file, and its simulation.
typedef struct taping {
    ff_model *model;
    ff_sim *sim;
    ff_recorder *rec;
} taping;

/// Without a path in memory.
static taping begin(const char *path)
{
    static const char *const channels[] = {"*"};
    ff_error err = {0};
    ff_record_options o = ff_record_options_default();
    taping t = {.model = robot_pendulum(1.0, 1.0, 0.1)};
    o.rate_hz = RATE;
    o.channels = channels;
    o.nchannel = 1;
    t.sim = robot_sim(t.model, robot_options(FF_METHOD_RK2, 1e-3, 0.0));
    t.rec = ff_recorder_create(t.sim, &o, &err);
    ff_sim_set_q(t.sim, 0, 0.3);
    if (!t.rec) CHECK_FAIL("%s", err.text);
    if (path && ff_recorder_open_hdf5(t.rec, path, NULL, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    return t;
}

static void end(taping *t)
{
    ff_sim_destroy(t->sim);
    ff_model_destroy(t->model);
}

static taping *kept; // to be freed at the end

static void end_reference(void)
{
    end(kept);
}

/// Compares a channel with the same motion recorded in memory, as far as that goes.
static void check_channel(const ff_recording *r, int channel, const ff_recorder *reference)
{
    const ff_recording_channel *c = ff_recording_channel_at(r, channel);
    const long long rows = c->rows < ff_recorder_rows(reference) ? c->rows : ff_recorder_rows(reference);
    const int column = ff_recorder_find(reference, c->name, NULL);
    double *values = malloc((size_t)(rows * c->width + 1) * sizeof *values);
    ff_error err = {0};
    if (!values || ff_recording_read(r, channel, 0, 1, rows, values, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    for (long long i = 0; i < rows; i++)
        if (memcmp(values + i * c->width, ff_recorder_row(reference, i) + column, (size_t)c->width * sizeof *values) !=
            0)
            CHECK_FAIL("row %lld of %s is not what was recorded", i, c->name);
    free(values);
}

/// Opens the recording, compares every row, and returns how many it has.
static long long check_rows(const char *path, bool ended)
{
    ff_error err = {0};
    ff_recording *r = ff_recording_open(path, &err);
    if (!r) CHECK_FAIL("%s", err.text);
    const long long rows = ff_recording_rows(r);
    static taping reference;
    if (!reference.rec) {
        reference = begin(NULL);
        must_run(reference.sim, 4.0);
        atexit(end_reference);
        kept = &reference;
    }
    for (int i = 0; i < ff_recording_channel_count(r); i++) {
        CHECK_INT(ff_recording_channel_at(r, i)->rows, rows);
        check_channel(r, i, reference.rec);
    }
    CHECK(ff_recording_has_ended(r) == ended);
    ff_recording_close(r);
    return rows;
}

static void needs_hdf5(void)
{
#ifndef FF_WITH_HDF5
    SKIP("built without HDF5");
#endif
}

static int writes_left = -1; // until the program is killed, half-way through one; below 0: never

/// In the place of the system's, for all that is linked into this program.
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
    if (writes_left > 0 && --writes_left == 0) {
        syscall(SYS_pwrite64, fd, bytes, size / 2, at);
        kill(getpid(), SIGKILL);
    }
    return syscall(SYS_pwrite64, fd, bytes, size, at);
}

/// Flushes three seconds of a recording, whose chunks hold two at most, reports how many rows are safe, and is killed
/// in a write.
static void record_and_die(const char *path, int writes, volatile long long *flushed)
{
    taping t = begin(path);
    *flushed = 0;
    writes_left = writes;
    for (int i = 1; i <= 3; i++) {
        must_run(t.sim, i);
        if (ff_recorder_flush(t.rec, NULL) != FF_OK) _exit(1);
        *flushed = ff_recorder_rows(t.rec);
    }
    _exit(0);
}

// Every fifth write of it; where sanitizers watch, every twentieth.
TEST(a_kill_within_any_write_leaves_what_was_flushed)
{
    needs_hdf5();
    const char *path = in_folder("cut.h5");
    volatile long long *flushed =
        mmap(NULL, sizeof *flushed, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (flushed == MAP_FAILED) SKIP("no memory to share");
    int status = 0, kills = 0;
    do {
        *flushed = -1;
        const pid_t child = fork();
        if (child < 0) CHECK_FAIL("no child");
        if (child == 0) record_and_die(path, kills + 1, flushed);
        waitpid(child, &status, 0);
        CHECK(*flushed >= 0);
        CHECK(check_rows(path, false) >= *flushed);
        if (WIFEXITED(status)) CHECK_INT(WEXITSTATUS(status), 0);
    } while (WIFSIGNALED(status) && (kills += CHECK_LASTS(5, 20)) < 2000);
    CHECK(kills > 30); // it did write
    munmap((void *)(size_t)flushed, sizeof *flushed);
}

// Between two writes, too: most of the child's time is spent in making the file whole.
TEST(a_kill_at_any_moment_loses_no_row_that_was_flushed)
{
    needs_hdf5();
    const char *path = in_folder("killed.h5");
    volatile long long *flushed =
        mmap(NULL, sizeof *flushed, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (flushed == MAP_FAILED) SKIP("no memory to share");
    srand(7);
    for (int trial = 0; trial < CHECK_LASTS(20, 6); trial++) {
        *flushed = -1;
        const pid_t child = fork();
        if (child < 0) CHECK_FAIL("no child");
        if (child == 0) {
            taping t = begin(path);
            *flushed = 0;
            for (double time = 0.002;; time += 0.002) {
                must_run(t.sim, time);
                if (ff_recorder_flush(t.rec, NULL) != FF_OK) _exit(1);
                *flushed = ff_recorder_rows(t.rec);
            }
        }
        while (*flushed < 0) usleep(100);
        usleep((useconds_t)(rand() % 20000));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        CHECK(check_rows(path, false) >= *flushed);
    }
    munmap((void *)(size_t)flushed, sizeof *flushed);
}

TEST(a_recording_that_is_closed_has_ended)
{
    needs_hdf5();
    const char *path = in_folder("ended.h5");
    taping t = begin(path);
    must_run(t.sim, 0.5);
    CHECK_INT(ff_recorder_flush(t.rec, NULL), FF_OK);
    must_run(t.sim, 1.0);
    ff_recorder_set_events(t.rec, "[\"all of it\"]"); // beside structure that is there already
    CHECK_INT(ff_recorder_close(t.rec, NULL), FF_OK);
    end(&t);
    CHECK_INT(check_rows(path, true), 1001);
    ff_recording *r = ff_recording_open(path, NULL);
    CHECK_TEXT(ff_recording_events(r), "[\"all of it\"]");
    ff_recording_close(r);
}

// A limit on the size of files stands for a disk that is full: both refuse to let the file grow. Wherever it lies, the
// run stops, the first failure is reported, and the rows of the last flush can be read.
TEST(a_full_disk_stops_the_run_and_keeps_what_was_flushed)
{
    needs_hdf5();
    const char *path = in_folder("full.h5");
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_IGN);
    for (rlim_t most = 30000; most < 2000000; most += most / 7) {
        ff_error err = {0}, closing = {0};
        taping t = begin(path);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){most, before.rlim_max});
        long long flushed = 0;
        ff_status status = FF_OK;
        for (double time = 0.25; status == FF_OK && time < 100.0; time += 0.25) {
            status = ff_sim_run(t.sim, time, &err);
            if (status == FF_OK && ff_recorder_flush(t.rec, NULL) == FF_OK) flushed = ff_recorder_rows(t.rec);
        }
        CHECK_INT(status, FF_STOPPED);
        CHECK(strstr(err.text, "File too large"));
        CHECK_INT(ff_recorder_close(t.rec, &closing), FF_NOT_WRITTEN);
        CHECK(strstr(closing.text, "File too large"));
        end(&t);
        setrlimit(RLIMIT_FSIZE, &before);
        CHECK_INT(check_rows(path, false), flushed);
    }
    signal(SIGXFSZ, SIG_DFL);
}

// A fast run fills a disk before anybody flushes. All but the last megabyte of rows can be read, and what cannot gives
// its room back, which the summary of the run needs.
TEST(a_full_disk_keeps_what_nobody_flushed)
{
    needs_hdf5();
    const char *path = in_folder("fast.h5");
    const rlim_t most = 5000000;
    struct rlimit before;
    struct stat info;
    ff_error err = {0};
    getrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_IGN);
    taping t = begin(path);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){most, before.rlim_max});
    CHECK_INT(ff_sim_run(t.sim, 1000.0, &err), FF_STOPPED);
    CHECK_INT(ff_recorder_close(t.rec, NULL), FF_NOT_WRITTEN);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_DFL);
    const long long row = 8LL * ff_recorder_columns(t.rec);
    CHECK(check_rows(path, false) * row >
          (long long)most - (3 << 20)); // one block in memory, one on its way, structure
    CHECK(stat(path, &info) == 0 && info.st_size < (off_t)most - 10000);
    end(&t);
}

/// What the text is for a run that writes it to a pipe, and how much of the recording was whole when the first of it
/// came.
typedef struct reader {
    const char *pipe, *recording, *copy;
} reader;

static void copy_file(const char *from, const char *to)
{
    static char bytes[4 << 20];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    if (!in || !out) abort();
    const size_t size = fread(bytes, 1, sizeof bytes, in);
    if (fwrite(bytes, 1, size, out) != size) abort();
    fclose(in);
    fclose(out);
}

static void *read_first_text(void *context)
{
    const reader *r = context;
    FILE *text = fopen(r->pipe, "r");
    if (!text || fgetc(text) == EOF) abort();
    copy_file(r->recording, r->copy);
    fclose(text); // as a disk without room: what follows cannot be written
    return NULL;
}

// Text takes more than twice the room of the recording beside it, and takes the last of a disk: the recording is whole
// before.
TEST(a_text_that_cannot_be_written_costs_no_row_of_the_recording)
{
    needs_hdf5();
    reader r = {.pipe = strdup(in_folder("text.csv")),
                .recording = strdup(in_folder("beside.h5")),
                .copy = strdup(in_folder("copy.h5"))};
    ff_error err = {0};
    pthread_t thread;
    unlink(r.pipe);
    if (mkfifo(r.pipe, 0600) != 0) SKIP("no pipes with names here");
    signal(SIGPIPE, SIG_IGN);
    CHECK_INT(pthread_create(&thread, NULL, read_first_text, &r), 0);
    taping t = begin(r.recording);
    CHECK_INT(ff_recorder_open_csv(t.rec, r.pipe, &err), FF_OK);
    CHECK_INT(ff_sim_run(t.sim, 1000.0, &err), FF_STOPPED);
    CHECK(strstr(err.text, "text.csv: cannot write: Broken pipe"));
    CHECK_INT(ff_recorder_close(t.rec, NULL), FF_NOT_WRITTEN);
    CHECK_INT(pthread_join(thread, NULL), 0);
    signal(SIGPIPE, SIG_DFL);
    const long long block = (1 << 20) / (8LL * ff_recorder_columns(t.rec)); // rows of the first one
    end(&t);
    CHECK_INT(check_rows(r.copy, false), block);
    CHECK_INT(check_rows(r.recording, false), block);
    free((char *)r.pipe);
    free((char *)r.recording);
    free((char *)r.copy);
}

// As the studio does, from memory: the file is refused, the rows stay where they are.
TEST(a_full_disk_refuses_a_recording_that_is_saved)
{
    needs_hdf5();
    static const char *const channels[] = {"*"};
    ff_error err = {0};
    ff_record_options o = ff_record_options_default();
    o.channels = channels;
    o.nchannel = 1;
    ff_model *m = robot_pendulum(1.0, 1.0, 0.1);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_RK2, 1e-3, 0.0));
    ff_recorder *rec = ff_recorder_create(sim, &o, &err);
    ff_sim_set_q(sim, 0, 0.3);
    must_run(sim, 1.0);
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_IGN);
    for (rlim_t most = 100; most < 200000; most *= 2) {
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){most, before.rlim_max});
        CHECK_INT(ff_recorder_save_hdf5(rec, in_folder("saved.h5"), NULL, &err), FF_NOT_WRITTEN);
        setrlimit(RLIMIT_FSIZE, &before);
        CHECK(strstr(err.text, "File too large"));
    }
    signal(SIGXFSZ, SIG_DFL);
    CHECK_INT(ff_recorder_save_hdf5(rec, in_folder("saved.h5"), NULL, &err), FF_OK);
    CHECK_INT(check_rows(in_folder("saved.h5"), true), 1001);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}
