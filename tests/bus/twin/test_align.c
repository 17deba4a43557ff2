// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Recordings made elsewhere: the offset of two clocks is found to a fraction of a sample, with a bound that is derived;
// undecidable cases are reported; and wrong files are reported with their place.
#include "scene/scene_helpers.h"

#include "twin/twin.h"

#include <footfall/math.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ signals

enum { CHANNELS = 3, MOST = 4000 };

/// A burst that begins and ends in silence: edges do not matter. Frequencies differ by channel.  [1/s]
static const double W[CHANNELS] = {7.0, 9.5, 12.0};
static const double WIDTH = 0.8; // of the envelope  [s]

static double burst(int c, double t)
{
    return exp(-0.5 * t * t / (WIDTH * WIDTH)) * sin(W[c] * t + 0.7 * c);
}

/// Signals at the caller's times.
typedef struct samples {
    double t[MOST], value[CHANNELS][MOST];
    long long count;
    ff_series series[CHANNELS];
} samples;

static void close_samples(samples *s)
{
    for (int c = 0; c < CHANNELS; c++) s->series[c] = (ff_series){s->t, s->value[c], s->count};
}

/// The leader: from -5 to 5 s.
static void fill_leader(samples *s, double step, double (*signal)(int, double))
{
    s->count = (long long)floor(10.0 / step) + 1;
    for (long long i = 0; i < s->count; i++) {
        s->t[i] = -5.0 + (double)i * step;
        for (int c = 0; c < CHANNELS; c++) s->value[c][i] = signal(c, s->t[i]);
    }
    close_samples(s);
}

/// The recording: by a clock that is ahead by `offset`, steps that vary by up to `uneven` of their length, with noise.
static void fill_other(samples *s, double step, double uneven, double offset, double noise,
                       double (*signal)(int, double), ff_random *random)
{
    s->count = 0;
    for (double t = -4.1 + 0.37 * step; t < 4.3 && s->count < MOST;
         t += step * (1.0 + uneven * ff_random_range(random, -1.0, 1.0))) {
        s->t[s->count] = t + offset;
        for (int c = 0; c < CHANNELS; c++) s->value[c][s->count] = signal(c, t) + noise * ff_random_normal(random);
        s->count++;
    }
    close_samples(s);
}

static samples leader, other;

/// @param used  so many channels decide
static ff_alignment must_align(int used)
{
    static double each[CHANNELS];
    ff_alignment out = {.each = each};
    ff_error err = {0};
    if (ff_align(leader.series, other.series, CHANNELS, used, 0.0, &out, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    return out;
}

// ------------------------------------------------------------------------------------------ precision

// Error of the offset, with h the step of the grid (that of the leader), k the longest step of the recording, x a
// signal:
//   a parabola through three samples of an even peak 1 - c s^2/2 + q s^4/24, s in samples, is off by
//     (q/c) u (1 - 4 u^2) / 12, u the distance of the peak from the nearest sample: at most 0.0161 q/c, and q/c <= 1.1
//     (w h)^2 for these bursts: (w^4 + 3 w^2 e + 3 e^2 / 4) / (w^2 + e / 2), e = 1 / width^2;
//   linear interpolation errs by e <= k^2/8 |x''|, which shifts the peak by <e, x'> / <x', x'> <= k^2/8 |x''| / |x'|,
//     norms over the burst, |x''| / |x'| <= 1.2 w;
//   white noise of deviation s shifts it with the deviation s / sqrt(sum of x'^2 over the samples of the recording).
TEST(an_offset_is_found_to_a_fraction_of_a_sample)
{
    static const struct {
        double h, k, uneven, offset, noise;
    } cases[] = {
        {0.01, 0.01, 0.0, 0.0, 0.0},       {0.01, 0.01, 0.0, 3.70, 0.0},      {0.01, 0.01, 0.0, -2.3437, 0.0},
        {0.01, 0.0137, 0.0, 1.23456, 0.0}, {0.01, 0.0137, 0.4, 1.23456, 0.0}, {0.01, 0.004, 0.2, -7.7713, 0.0},
        {0.02, 0.03, 0.3, 12.00517, 0.05}, {0.01, 0.0137, 0.4, 0.3333, 0.3},  {0.005, 0.02, 0.1, 100.1234, 0.1},
        {0.005, 0.005, 0.0, 0.0123, 0.02},
    };
    ff_random random = ff_random_make(1, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fill_leader(&leader, cases[i].h, burst);
        fill_other(&other, cases[i].k, cases[i].uneven, cases[i].offset, cases[i].noise, burst, &random);
        const ff_alignment a = must_align(CHANNELS);
        const double w = W[CHANNELS - 1], longest = cases[i].k * (1.0 + cases[i].uneven);
        double slopes = 0.0;
        for (int c = 0; c < CHANNELS; c++) // mean of sin^2 or cos^2 under the envelope: w^2 sqrt(pi) width / 2
            slopes += W[c] * W[c] * 0.5 * sqrt(FF_PI) * WIDTH / cases[i].k;
        const double parabola = 0.0161 * 1.1 * w * w * cases[i].h * cases[i].h * cases[i].h;
        const double interpolation =
            cases[i].k == cases[i].h && cases[i].uneven == 0.0 ? 0.0 : longest * longest / 8.0 * 1.2 * w;
        const double noise = cases[i].noise / sqrt(slopes);
        const double bound = parabola + interpolation + 5.0 * noise + 1e-9;
        printf("  h %.3f k %.4f noise %.2f: off by %+.5f of a sample, allowed %.5f; says +- %.5f\n", cases[i].h,
               cases[i].k, cases[i].noise, (a.offset - cases[i].offset) / cases[i].h, bound / cases[i].h,
               a.error / cases[i].h);
        CHECK_NEAR(a.offset, cases[i].offset, bound);
        CHECK(bound < 0.5 * cases[i].h || cases[i].k > cases[i].h);
        CHECK(a.clear);
    }
}

// What is said of the error is what is found: over 60 noises the deviation of the offset and its stated error agree to
// 1 / sqrt(120) = 9 % one sigma; 5 of them. Noise of a recording of the grid's own rate is white on the grid.
TEST(the_reported_error_of_the_offset_is_its_deviation)
{
    ff_random random = ff_random_make(7, 0);
    const int rounds = CHECK_LASTS(60, 6);
    double sum = 0.0, said = 0.0;
    fill_leader(&leader, 0.01, burst);
    for (int i = 0; i < rounds; i++) {
        fill_other(&other, 0.01, 0.0, 0.4242, 0.2, burst, &random);
        const ff_alignment a = must_align(CHANNELS);
        sum += (a.offset - 0.4242) * (a.offset - 0.4242);
        said += a.error * a.error;
    }
    printf("  deviation %.3f ms, said %.3f ms\n", 1e3 * sqrt(sum / rounds), 1e3 * sqrt(said / rounds));
    CHECK_NEAR(sqrt(sum / said), 1.0, 5.0 / sqrt(2.0 * rounds));
}

TEST(gaps_and_missing_numbers_are_ignored)
{
    ff_random random = ff_random_make(3, 0);
    fill_leader(&leader, 0.01, burst);
    fill_other(&other, 0.01, 0.0, 0.789, 0.0, burst, &random);
    for (long long i = 0; i < other.count; i++) { // each third number of a channel, and a second of all of them
        if (i % 3 == 1) other.value[1][i] = NAN;
        for (int c = 0; c < CHANNELS; c++)
            if (i > 450 && i < 550) other.value[c][i] = NAN;
    }
    const ff_alignment a = must_align(CHANNELS);
    CHECK_NEAR(a.offset, 0.789, 0.02 * 0.02 / 8.0 * 1.2 * 12.0 + 1e-4);
    long long at = 0; // no number comes out of the gap, all others do
    CHECK(isnan(ff_series_value(&other.series[0], 0.035, 0.789 - 4.1 + 5.0, &at)));
    at = 0;
    CHECK_NEAR(ff_series_value(&other.series[0], 0.035, 0.789 - 4.1 + 3.0037, &at), burst(0, -1.0963), 1e-9);
    CHECK(isnan(ff_series_value(&other.series[0], 0.035, -9.0, &at)));
    CHECK(isnan(ff_series_value(&other.series[0], 0.035, 9.0, &at)));
    CHECK_NEAR(ff_series_spacing(&other.series[0]), 0.01, 1e-9);
}

// ------------------------------------------------------------------------------------------ doubts

static double turned(int c, double t)
{
    return c == 1 ? -burst(c, t) : burst(c, t);
}

static double all_turned(int c, double t)
{
    return -burst(c, t);
}

static double steady(int c, double t)
{
    return sin(2.0 * FF_PI * t + c);
}

static double start_and_walk(int c, double t)
{
    return t < -2.0 ? 0.0 : (1.0 - exp(-2.0 * (t + 2.0))) * sin(2.0 * FF_PI * t + c);
}

static double nothing(int c, double t)
{
    (void)c;
    (void)t;
    return 1.0;
}

static double unrelated_signal(int c, double t)
{
    return exp(-0.5 * t * t / 4.0) * sin(31.0 * t + c);
}

// A turned channel among three leaves (1 - 1 + 1) / 3 at the true offset: that decides nothing. By the channel that is
// sure it is found, and the others are correlated there.
TEST(an_inverted_sign_and_a_wrong_channel_are_detected)
{
    ff_random random = ff_random_make(5, 0);
    fill_leader(&leader, 0.01, burst);
    fill_other(&other, 0.01, 0.0, 0.5, 0.01, turned, &random);
    ff_alignment a = must_align(CHANNELS);
    CHECK(!a.clear);
    a = must_align(1);
    CHECK_NEAR(a.offset, 0.5, 1e-3);
    CHECK(a.clear && a.each[0] > 0.95 && a.each[1] < -0.95 && a.each[2] > 0.95);
    fill_other(&other, 0.01, 0.0, 0.5, 0.01, all_turned, &random);
    a = must_align(CHANNELS);
    CHECK(a.most_negative < -0.95 && a.correlation < 0.9); // the lowest says more than the highest
    fill_other(&other, 0.01, 0.0, 0.5, 0.01, unrelated_signal, &random);
    a = must_align(CHANNELS);
    CHECK(!a.clear && a.correlation < 0.5);
}

// A gait that goes on as it began fits at each of its periods: that is said, and the offset nearest to zero is taken.
// A start decides.
TEST(whole_periods_are_not_guessed)
{
    ff_random random = ff_random_make(6, 0);
    fill_leader(&leader, 0.01, steady);
    fill_other(&other, 0.01, 0.0, 3.3, 0.05, steady, &random);
    ff_alignment a = must_align(CHANNELS);
    CHECK(!a.clear);
    CHECK_NEAR(a.period, 1.0, 5e-3);
    CHECK_NEAR(a.offset, 0.3, 5e-3);
    fill_leader(&leader, 0.01, start_and_walk);
    fill_other(&other, 0.01, 0.0, 3.3, 0.05, start_and_walk, &random);
    a = must_align(CHANNELS);
    CHECK(a.clear);
    CHECK_NEAR(a.offset, 3.3, 5e-3);
}

// A clock that counts from 1970 has nothing in common with that of the run: the offset nearest to zero would be the
// least of all that are possible, so the one nearest to where both begin is taken.
TEST(clocks_without_overlap_are_aligned_at_their_starts)
{
    static const double unix_time = 1.7e9;
    ff_random random = ff_random_make(6, 0);
    fill_leader(&leader, 0.01, steady);
    fill_other(&other, 0.01, 0.0, 3.3, 0.05, steady, &random);
    const ff_alignment near = must_align(CHANNELS);
    for (long long i = 0; i < other.count; i++) other.t[i] += unix_time;
    const ff_alignment far = must_align(CHANNELS);
    CHECK(!near.clear && !far.clear && near.near == 0.0);
    CHECK_NEAR(far.near, other.t[0] - leader.t[0], 1e-6);
    CHECK_NEAR(far.offset, far.near, 0.5 * far.period + 1e-3); // no other of the offsets that fit alike is as near
    CHECK_NEAR(remainder(far.offset - unix_time - 0.3, 1.0), 0.0,
               5e-3); // a whole number of periods from the true one
}

/// Two steps a second that begin at -2 s.
static double brisk(int c, double t)
{
    return t < -2.0 ? 0.0 : (1.0 - exp(-2.0 * (t + 2.0))) * sin(4.0 * FF_PI * t + c);
}

/// It walks, stands, and begins once more as the leader did.
static double brisk_day(int c, double t)
{
    return t < 180.0 ? sin(4.0 * FF_PI * (t - 0.05) + c) : brisk(c, t - 200.07);
}

// In a log of 312 s the leader fits where it begins, and where the first seconds of the log meet its last, which are
// steady: one is as good as the other, and neither is called clear. The log walks where the leader stands at 360 other
// offsets, which fit worse: they hide neither.
TEST(a_start_is_not_overlooked_in_a_long_log)
{
    ff_random random = ff_random_make(8, 0);
    fill_leader(&leader, 0.005, brisk);
    for (other.count = 0; other.count < 3900; other.count++) {
        const long long i = other.count;
        other.t[i] = 0.08 * (double)i;
        for (int c = 0; c < CHANNELS; c++)
            other.value[c][i] = brisk_day(c, other.t[i]) + 0.01 * ff_random_normal(&random);
    }
    close_samples(&other);
    CHECK(!must_align(CHANNELS).clear);
    if (CHECK_LASTS(0, 1)) return;                 // fewer offsets on the same paths
    for (long long i = 0; other.t[i] < 180.0; i++) // without the walk before, the start decides
        for (int c = 0; c < CHANNELS; c++) other.value[c][i] = 0.01 * ff_random_normal(&random);
    const ff_alignment a = must_align(CHANNELS);
    CHECK(a.clear);
    CHECK_NEAR(a.offset, 200.07, 0.08 * 0.08 / 8.0 * 1.2 * 4.0 * FF_PI);
}

// The log was switched on 25 minutes before: a grid as coarse as its length asks for would leave nothing of the leader.
TEST(a_short_run_is_found_in_a_long_log)
{
    ff_random random = ff_random_make(9, 0);
    fill_leader(&leader, 0.005, burst);
    fill_other(&other, 0.01, 0.0, 1500.0, 0.01, burst, &random);
    other.t[0] = 0.0;
    const ff_alignment a = must_align(CHANNELS);
    CHECK(a.clear);
    CHECK_NEAR(a.offset, 1500.0, 1e-3);
}

TEST(what_cannot_be_aligned_is_refused)
{
    ff_random random = ff_random_make(6, 0);
    ff_alignment a = {0};
    ff_error err = {0};
    fill_leader(&leader, 0.01, nothing);
    fill_other(&other, 0.01, 0.0, 0.0, 0.0, nothing, &random);
    CHECK(ff_align(leader.series, other.series, CHANNELS, CHANNELS, 0.0, &a, &err) == FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "no signal changes");
    other.count = 5;
    close_samples(&other);
    CHECK(ff_align(leader.series, other.series, CHANNELS, CHANNELS, 0.0, &a, &err) == FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "the recording has 5 samples");
    CHECK(ff_align(leader.series, other.series, 0, 0, 0.0, &a, &err) == FF_BAD_ARGUMENT);
}

// ------------------------------------------------------------------------------------------ files

static ff_sheet *sheet;

static ff_sheet *read_sheet(const char *text)
{
    ff_report_clear(&report);
    ff_sheet_destroy(sheet);
    sheet = ff_sheet_read_csv(write_file("real.csv", text), &report);
    return sheet;
}

static double cell(int column, int row)
{
    return sheet->values[column * sheet->nrow + row];
}

TEST(common_forms_of_sheets_are_read)
{
    CHECK(read_sheet("time [s],knee [rad],\"a, b [N]\"\n0,1.5,-2\n0.1,,nan\n# a remark\n0.2,3e-1,7\n") != NULL);
    CHECK(sheet->ncolumn == 3 && sheet->nrow == 3);
    CHECK_TEXT(sheet->names[1], "knee");
    CHECK_TEXT(sheet->units[1], "rad");
    CHECK_TEXT(sheet->names[2], "a, b");
    CHECK(cell(1, 0) == 1.5 && isnan(cell(1, 1)) && isnan(cell(2, 1)) && cell(1, 2) == 0.3 && cell(2, 2) == 7.0);
    CHECK(read_sheet("time (s),knee(N m),hip (rad/s^2),force (filtered),q(1)\n0,1,2,3,4\n1,2,3,4,5\n") != NULL);
    CHECK_TEXT(sheet->names[0], "time");
    CHECK_TEXT(sheet->units[0], "s");
    CHECK_TEXT(sheet->names[1], "knee");
    CHECK_TEXT(sheet->units[1], "N m");
    CHECK_TEXT(sheet->units[2], "rad/s^2");
    CHECK_TEXT(sheet->names[3], "force (filtered)"); // what is no unit belongs to the name
    CHECK_TEXT(sheet->names[4], "q(1)");
    CHECK_TEXT(sheet->units[4], "");
    CHECK(read_sheet("\xEF\xBB\xBF"
                     "t;x\r\n0;1,5\r\n1;2,5\r\n") != NULL); // as some programs write in Germany
    CHECK(sheet->nrow == 2 && cell(1, 1) == 2.5);
    CHECK(read_sheet("0 1 2\n  1   2 3\n2 3 4") != NULL); // no header, blanks
    CHECK(sheet->nrow == 3 && sheet->ncolumn == 3 && cell(2, 1) == 3.0);
    CHECK_TEXT(sheet->names[2], "#3");
    CHECK(read_sheet("t\tx\n0\t\n1\t2\n") != NULL); // an empty last field between tabs
    CHECK(sheet->nrow == 2 && isnan(cell(1, 0)) && cell(1, 1) == 2.0);
    CHECK(read_sheet("t,x\n0,1\n1,2\n2") != NULL); // cut off
    CHECK(sheet->nrow == 2);
    CHECK_SAYS(message(0), "real.csv:4: warning: the last line has 1 of 2 fields");
    ff_sheet_destroy(sheet);
    sheet = NULL;
    finish();
}

TEST(errors_in_sheets_are_reported_with_their_place)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"t,x\n0,1\n0.1,abc\n", "real.csv:3:5: error: \"abc\" is no number"},
        {"t,x\n0,1\n0.1,2,3\n0.2,4\n", "real.csv:3: error: this line has 3 fields, those before have 2"},
        {"t,x\n0,inf\n1,2\n", "real.csv:2:3: error: \"inf\" is no number"},
        {"", "this has 0"},
        {"\n\n# nothing\n", "this has 0"},
        {"1\n2\n3\n", "this has 1"},
        {"t,x\n", "fewer than two rows"},
        {"t,x\n0,1\n", "fewer than two rows"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (read_sheet(cases[i].text)) CHECK_FAIL("taken: %s", cases[i].text);
        CHECK_SAYS(message(0), cases[i].words);
    }
    ff_report_clear(&report);
    CHECK(ff_sheet_read_csv(in_folder("missing.csv"), &report) == NULL);
    CHECK(report.errors == 1);
    finish();
}

// ------------------------------------------------------------------------------------------ maps

static ff_map map;

static bool read_map(const char *text)
{
    ff_report_clear(&report);
    ff_map_clear(&map);
    return ff_map_read(&map, text ? write_file("map.yaml", text) : NULL, sheet, run, &report);
}

static void load_arm(void)
{
    write_file("arm.yaml", "footfall: 1\nname: arm\nbodies: {rod: {joint: {name: knee, axis: y, damping: 0.5},\n"
                           "  inertial: {mass: 1, com: [0, 0, -1], inertia: [0.01, 0.01, 0.01]}}}\n");
    must_load("robot: arm.yaml\nstart: {joints: {knee: 2.9}}\ntime: 5\nsolver: {method: rk4, step: 1 ms}\n"
              "record: {rate: 100, channels: [joints.position, joints.velocity, com.pos]}\n");
}

TEST(a_map_assigns_columns_to_channels)
{
    load_arm();
    CHECK(read_sheet("stamp,q_deg,z_mm\n0,90,1\n20,45,2\n") != NULL);
    if (!read_map("time: {column: stamp, scale: 1 ms}\nalign: joints.position\nchannels:\n"
                  "  joints.position.knee: {column: q_deg, scale: -1 deg, offset: 0.5}\n"
                  "  com.pos.z: {column: 3, scale: 1 mm}\n"))
        CHECK_FAIL("%s", message(0));
    CHECK(map.count == 2 && map.time == 0 && map.time_scale == 1e-3);
    CHECK_TEXT(map.align, "joints.position");
    CHECK(map.columns[0].column == 1 && map.columns[0].index == 0);
    CHECK_NEAR(map.columns[0].scale, -FF_PI / 180.0, 1e-17);
    CHECK(map.columns[0].offset == 0.5);
    CHECK(map.columns[1].column == 2 && map.columns[1].index == 2 && map.columns[1].scale == 1e-3);
    CHECK(read_sheet("time,joints.position.knee,whatever\n0,90,1\n20,45,2\n") != NULL);
    CHECK(read_map(NULL) && map.count == 1 && map.columns[0].column == 1); // by their names
    ff_map_clear(&map);
    ff_sheet_destroy(sheet);
    sheet = NULL;
    finish();
}

TEST(errors_in_maps_are_reported_with_their_place)
{
    static const struct {
        const char *map, *words;
    } cases[] = {
        {"channels: {joints.position.knee: {column: knie}}\n", "has no column \"knie\""},
        {"channels: {joints.position.knee: {column: kneee}}\n", "did you mean \"knee\"?"},
        {"channels: {joints.position.knee: {column: 5}}\n", "map.yaml:1:43: error"},
        {"channels: {joints.position.kne: {column: knee}}\n", "does not record \"joints.position.kne\""},
        {"channels: {joints.position.knee: {column: knee, scale: 0}}\n", "cannot be 0"},
        {"channels: {joints.position.knee: {column: knee, gain: 2}}\n", "gain"},
        {"channels: {joints.position.knee: 3}\n", "column, scale and offset"},
        {"align: base.pos\nchannels: {joints.position.knee: {column: knee}}\n", "is not a mapped channel"},
        {"time: {column: 2}\nchannels: {joints.position.knee: {column: knee}}\n", "times must be present and ascend"},
        {"time: {column: 1, scale: 0}\nchannels: {joints.position.knee: {column: knee}}\n",
         "scale of the time cannot be 0"},
        {"[1, 2]\n", "map of columns"},
        {"time: {column: 1}\n", "channels"},
        {"channels: {joints.position.knee: {scale: 2}}\n", "column"},
        {"channels: {a: [\n", "map.yaml"},
        {"channels: {joints.position.knee: {column: hip}}\n", "map.yaml:1:34: error: column \"hip\" is in deg"},
    };
    load_arm();
    ff_report_clear(&report);
    CHECK(read_sheet("t,knee,z,hip [deg]\n0,1,5,1\n1,0,6,1\n2,2,7,1\n") != NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (read_map(cases[i].map)) CHECK_FAIL("taken: %s", cases[i].map);
        CHECK_SAYS(message(0), cases[i].words);
    }
    CHECK(!read_map(NULL)); // no column is named as a channel
    CHECK_SAYS(message(0), "--map");
    CHECK(read_sheet("time [ms],joints.position.knee [deg]\n0,1\n1,1\n") != NULL);
    CHECK(!read_map(NULL) && report.errors == 2); // neither is taken for seconds or radians
    CHECK_SAYS(message(0), "column \"time\" is in ms, expected s");
    CHECK_SAYS(message(1), "is in deg, expected rad");
    CHECK(read_map("time: {column: time, scale: 1 ms}\n"
                   "channels: {joints.position.knee: {column: 2, scale: 1 deg}}\n"));
    ff_sheet_destroy(sheet);
    sheet = NULL;
    finish();
}

// A row that repeats the time of the one before is reported and ignored: with each row of a recording written twice,
// the second with other numbers, the alignment has the bits of the recording as it was.
TEST(rows_that_repeat_a_time_are_ignored)
{
    static samples twice;
    ff_random random = ff_random_make(7, 0);
    fill_leader(&leader, 0.01, start_and_walk);
    fill_other(&other, 0.01, 0.0, 3.3, 0.05, start_and_walk, &random);
    other.count = other.count < MOST / 2 ? other.count : MOST / 2;
    close_samples(&other);
    const ff_alignment once = must_align(CHANNELS);
    twice.count = 2 * other.count;
    for (long long i = 0; i < twice.count; i++) {
        twice.t[i] = other.t[i / 2];
        for (int c = 0; c < CHANNELS; c++) twice.value[c][i] = i % 2 == 0 ? other.value[c][i / 2] : 100.0;
    }
    close_samples(&twice);
    other = twice;
    close_samples(&other);
    const ff_alignment again = must_align(CHANNELS);
    CHECK(again.offset == once.offset && again.correlation == once.correlation && again.error == once.error);
    load_arm();
    CHECK(read_sheet("time,joints.position.knee\n0,1\n0.1,2\n0.1,3\n0.2,4\n0.2,4\n") != NULL);
    CHECK(read_map(NULL) && report.errors == 0 && report.warnings == 1);
    CHECK_SAYS(message(0), "2 of 5 rows repeat the time of the previous row and are ignored, row 3 (0.1) first");
    CHECK(read_sheet("# a log\ntime,joints.position.knee\n0,1\n\n0.1,2\n# restarted\n0.05,3\n") != NULL);
    CHECK(!read_map(NULL));
    CHECK_SAYS(message(0), "real.csv:7: error: column \"time\", row 3 of numbers: the time is 0.05 after 0.1");
    ff_map_clear(&map);
    ff_sheet_destroy(sheet);
    sheet = NULL;
    finish();
}

// ------------------------------------------------------------------------------------------ a run and its recording

// The run of a pendulum from near its highest point: its period shortens as it comes to rest, so that no swing is like
// another. It is recorded with another clock, at another rate and with noise, as a robot's log would be: it is found
// again, and what differs then is the noise.
TEST(a_run_is_found_again_in_its_own_recording)
{
    static const double offset = 17.123456, noise = 0.01, k = 0.0137;
    ff_random random = ff_random_make(11, 0);
    ff_error err = {0};
    load_arm();
    must_go();
    const ff_recorder *rec = ff_run_recorder(run);
    const long long rows = ff_recorder_rows(rec);
    char *text = malloc(400000);
    size_t length = 0;
    double slopes = 0.0, bend = 0.0;
    if (!text) CHECK_FAIL("no memory");
    length += (size_t)sprintf(text, "clock ms;angle deg\n");
    for (double t = 0.3; t < 4.6; t += k) {
        const long long i = (long long)floor(t * 100.0);
        const double f = t * 100.0 - (double)i, a = ff_recorder_row(rec, i)[1], b = ff_recorder_row(rec, i + 1)[1];
        const double slope = (b - a) * 100.0;
        slopes += slope * slope;
        length += (size_t)sprintf(text + length, "%.6f;%.9f\n", 1e3 * (t + offset),
                                  180.0 / FF_PI * (a + f * (b - a) + noise * ff_random_normal(&random)));
    }
    for (long long i = 1; i + 1 < rows; i++)
        bend = fmax(bend, fabs(ff_recorder_row(rec, i + 1)[1] - 2.0 * ff_recorder_row(rec, i)[1] +
                               ff_recorder_row(rec, i - 1)[1]) *
                              1e4);
    CHECK(read_sheet(text) != NULL);
    free(text);
    if (!read_map(
            "time: {column: clock ms, scale: 1 ms}\nchannels: {joints.position.knee: {column: angle deg, scale: 1 "
            "deg}}\n"))
        CHECK_FAIL("%s", message(0));
    double each[1];
    ff_alignment a = {.each = each};
    if (ff_twin_align(run, sheet, &map, &a, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    // both recordings are interpolated linearly; norms as above; the parabola adds less
    const double rms = sqrt(slopes / (4.3 / k));
    const double bound = (k * k + 0.01 * 0.01) / 8.0 * bend / rms + 5.0 * noise / sqrt(slopes) + 1e-5;
    printf("  off by %.2g s, a sample is %.2g s, allowed %.2g s\n", a.offset - offset, k, bound);
    CHECK_NEAR(a.offset, offset, bound);
    CHECK(bound < 0.2 * k);
    CHECK(a.correlation > 0.99 && each[0] > 0.99);

    const ff_alignment found = a;
    begin_with(NULL);
    ff_twin *twin = ff_twin_begin_recorded(run, sheet, &map, found.offset, &found, &err);
    if (!twin) CHECK_FAIL("%s", err.text);
    CHECK(ff_run_go(run, &err) == FF_OK);
    const ff_twin_result *result = ff_twin_end(twin, FF_OK, &err);
    if (!result) CHECK_FAIL("%s", err.text);
    CHECK_INT(result->nchannel, 1); // joints.position alone is mapped
    // noise between two samples, weights f and 1 - f: f^2 + (1 - f)^2 is 2/3 in the mean
    CHECK_NEAR(result->channels[0].rms, noise * sqrt(2.0 / 3.0), 0.15 * noise);
    CHECK(isnan(ff_recorder_row(ff_run_recorder(run), 0)[ff_recorder_find(ff_run_recorder(run), "twin.joints.position",
                                                                          NULL)])); // the log begins later
    char *json = ff_twin_to_json(result);
    CHECK_SAYS(json, "\"alignment\"");
    CHECK_SAYS(json, "\"offset\": 17.123");
    free(json);
    ff_twin_destroy(twin);
    ff_map_clear(&map);
    ff_sheet_destroy(sheet);
    sheet = NULL;
    finish();
}
