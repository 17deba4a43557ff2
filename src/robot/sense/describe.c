// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// From the description of a sensor in a robot file to the sensor: first the settings of its preset, then its own. A
// setting of the chain is one number for all channels, or one for each; imu takes (gyro, accelerometer, angles), force6
// and plate take (forces, moments). A sensor that estimates roll and pitch (`fusion`) is described as an imu, then
// split: gyroscope and accelerometer before the estimate, angles after it.
#include "native/keys.h"
#include "sense/kinds.h"
#include "sense/private.h"
#include "text/names.h"

#include <footfall/fusion.h>
#include <footfall/text.h>
#include <stddef.h>
#include <string.h>

static void report_error(ff_report *report, const ff_sensor *s, const ff_spec_setting *x, const char *what)
{
    ff_report_add(report, FF_ERROR, x->place.line ? x->place : s->place, "sensor '%.60s': %s: %s", s->name, x->name,
                  what);
}

/// Is there one number for every three channels: for forces and moments, or gyro, accelerometer and angles?
static bool is_by_group(const ff_sensor *s, int count)
{
    return s->chain.n >= 6 && !s->tactile && count == (s->chain.n + 2) / 3;
}

/// Channels that say yes or no have no analogue errors; those of tactile arrays are modelled by the array itself.
static bool is_flag(const ff_sensor *s, int i)
{
    return ff_sensor_kind_of(s->type)->flags >> (s->tactile ? 0 : i) & 1U;
}

static bool value_of(const ff_sensor *s, const ff_spec_setting *x, int i, double *out)
{
    if (x->count == 1)
        *out = x->values[0];
    else if (x->count == s->chain.n)
        *out = x->values[i];
    else if (is_by_group(s, x->count))
        *out = x->values[i / 3];
    else
        return false;
    return true;
}

// ------------------------------------------------------------------------------------------ channels

typedef struct channel_entry {
    const char *name;
    size_t offset;
    double factor;
} channel_entry;

static const channel_entry CHANNELS[] = {
    {"noise", offsetof(ff_signal, noise), 1.0},           {"bias", offsetof(ff_signal, bias), 1.0},
    {"scale", offsetof(ff_signal, scale), 1.0},           {"bias_walk", offsetof(ff_signal, bias_walk), 1.0},
    {"bias_slope", offsetof(ff_signal, bias_slope), 1.0}, {"bandwidth", offsetof(ff_signal, bandwidth), 2.0 * FF_PI},
};
enum { NCHANNEL = sizeof CHANNELS / sizeof *CHANNELS };

static bool read_channel(ff_sensor *s, const ff_spec_setting *x, ff_report *report)
{
    if (s->camera) return false;
    for (int k = 0; k < NCHANNEL; k++) {
        if (strcmp(x->name, CHANNELS[k].name) != 0) continue;
        for (int i = 0; i < s->chain.n; i++) {
            double value;
            if (!value_of(s, x, i, &value)) {
                report_error(report, s, x, "give one number, or one for each channel");
                return true;
            }
            if (!is_flag(s, i)) *(double *)((char *)&s->signals[i] + CHANNELS[k].offset) = value * CHANNELS[k].factor;
        }
        return true;
    }
    return false;
}

/// One number is +-; two are both ends, or +- of forces and of moments where a sensor has both; more are +- of each
/// channel.
static void read_range(ff_sensor *s, const ff_spec_setting *x, ff_report *report)
{
    const bool ends = x->count == 2 && !is_by_group(s, 2);
    for (int i = 0; i < s->chain.n; i++) {
        double value = 0.0;
        if (!ends && !value_of(s, x, i, &value)) {
            report_error(report, s, x, "give one number for +-, two for both ends, or one for each channel");
            return;
        }
        if (is_flag(s, i)) continue;
        s->signals[i].low = ends ? x->values[0] : -value;
        s->signals[i].high = ends ? x->values[1] : value;
    }
}

/// Moves a range to the middle of that of the joint.
static void centre(ff_sensor *s, const ff_joint *joint)
{
    const double middle = joint->limited ? 0.5 * (joint->range[0] + joint->range[1]) : 0.0;
    s->signals[0].low += middle;
    s->signals[0].high += middle;
}

/// A whole number up to a million; -1 for any other number.
static int to_whole(double value)
{
    return value >= 0.0 && value <= 1e6 && value == floor(value) ? (int)value : -1;
}

static void read_bits(ff_sensor *s, const ff_spec_setting *x, ff_report *report)
{
    const int bits = to_whole(x->values[0]);
    for (int i = 0; i < s->chain.n; i++) {
        ff_signal *signal = &s->signals[i];
        const bool turn = s->type == FF_SENSOR_ABSOLUTE;
        const double span = turn ? signal->turn : signal->high - signal->low;
        if (is_flag(s, i)) continue;
        if (isinf(span)) {
            report_error(report, s, x, "bits need a 'range'");
            return;
        }
        signal->form = turn ? FF_FORM_TURN : FF_FORM_STEPS;
        signal->step = span / (double)(1LL << bits);
    }
}

static void read_form(ff_sensor *s, const ff_spec_setting *x, ff_form form, ff_report *report)
{
    for (int i = 0; i < s->chain.n; i++) {
        if (is_flag(s, i)) continue;
        s->signals[i].form = form;
        if (form == FF_FORM_STEPS && !value_of(s, x, i, &s->signals[i].step))
            report_error(report, s, x, "give one number, or one for each channel");
        if (form != FF_FORM_FIXED) continue;
        s->signals[i].whole = to_whole(x->values[0]);
        s->signals[i].fraction = x->count > 1 ? to_whole(x->values[1]) : -1;
    }
}

/// `false` removes the form of a preset, and no other one.
static void read_single(ff_sensor *s, const ff_spec_setting *x, ff_report *report)
{
    if (x->values[0] != 0.0) read_form(s, x, FF_FORM_SINGLE, report);
    for (int i = 0; x->values[0] == 0.0 && i < s->chain.n; i++)
        if (s->signals[i].form == FF_FORM_SINGLE) s->signals[i].form = FF_FORM_REAL;
}

/// One number bounds off-diagonal shares, which are drawn from the stream of the sensor; n x n numbers are the matrix.
static void read_crosstalk(ff_sensor *s, const ff_spec_setting *x, ff_arena *arena, ff_report *report)
{
    const int n = s->chain.n;
    double *X = FF_ARENA_NEW(arena, double, n *n);
    ff_random random = ff_random_make(0, ff_hash(s->name, strlen(s->name), FF_HASH_START));
    if (!X) return;
    if (x->count != 1 && x->count != n * n) {
        report_error(report, s, x, "give one bound, or a matrix of channels by channels");
        return;
    }
    if (x->count == 1 && !(x->values[0] >= 0.0 && x->values[0] < 1.0)) { // a matrix has any numbers
        report_error(report, s, x, "the bound must lie in 0 to 1");
        return;
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            X[i * n + k] = x->count > 1 ? x->values[i * n + k]
                           : i == k     ? 0.0
                                        : ff_random_range(&random, -x->values[0], x->values[0]);
    s->chain.crosstalk = X;
}

// ------------------------------------------------------------------------------------------ plain numbers

/// Reads a setting that is stored in one place. @return false: it is no such setting
static bool read_plain(ff_sensor *s, const ff_spec_setting *x, ff_report *report)
{
    const struct {
        const char *name;
        int count;
        double *numbers;
        int *whole; // in place of `numbers`
    } all[] = {{"phase", 1, &s->chain.phase, NULL},
               {"jitter", 1, &s->chain.jitter, NULL},
               {"gear", 1, &s->gear, NULL},
               {"threshold", 1, &s->threshold, NULL},
               {"inclination", 1, &s->inclination, NULL},
               {"reach", 2, s->reach, NULL},
               {"flux", 3, s->flux, NULL},
               {"cone", 1, &s->cone, NULL},
               {"mass", 1, &s->mass, NULL},
               {"com", 3, s->com, NULL},
               {"pos", 3, s->pos, NULL},
               {"field", 1, s->camera ? &s->camera->field : NULL, NULL},
               {"far", 1, s->camera ? &s->camera->reach : NULL, NULL},
               {"noise", 1, s->camera ? &s->camera->noise : NULL, NULL},
               {"pitch", 1, s->tactile ? &s->tactile->pitch : NULL, NULL},
               {"delay", 1, NULL, &s->chain.delay},
               {"axes", 1, NULL, &s->axes},
               {"rays", 1, NULL, &s->rays},
               {"rows", 1, NULL, s->tactile ? &s->tactile->rows : NULL},
               {"columns", 1, NULL, s->tactile ? &s->tactile->columns : NULL},
               {"scan", 1, NULL, s->tactile ? &s->tactile->scan : NULL},
               {"width", 1, NULL, s->camera ? &s->camera->width : NULL},
               {"height", 1, NULL, s->camera ? &s->camera->height : NULL}};
    static const char *const wanted[] = {"", "give one number", "give two numbers", "give three numbers"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(all[i].name, x->name) != 0 || !(all[i].numbers || all[i].whole)) continue;
        if (x->count != all[i].count)
            report_error(report, s, x, wanted[all[i].count]);
        else if (all[i].whole)
            *all[i].whole = to_whole(x->values[0]);
        else
            memcpy(all[i].numbers, x->values, (size_t)x->count * sizeof *x->values);
        if (strcmp(x->name, "mass") == 0) s->part = true;
        return true;
    }
    return false;
}

// ------------------------------------------------------------------------------------------ one setting

static void read_rate(ff_sensor *s, const ff_spec_setting *x, ff_report *report)
{
    if (x->count == 1)
        s->chain.period = 1.0 / x->values[0];
    else
        report_error(report, s, x, "give one number");
}

static void read_counts(ff_sensor *s, const ff_spec_setting *x, ff_report *report)
{
    if (s->type != FF_SENSOR_ENCODER || x->count != 1) {
        report_error(report, s, x, "counts in a turn belong to an encoder, which has one number of them");
        return;
    }
    for (int i = 0; i < 2; i++) s->signals[i].step = 2.0 * FF_PI / x->values[0];
}

/// Is the sensor a slave of its own on the field bus? Others belong to a drive or to the gateway (docs/ethercat.md).
static void check_station(const ff_sensor *s, const ff_spec_setting *x, ff_report *report)
{
    if (!ff_sensor_is_inertial(s->type) && s->type != FF_SENSOR_FORCE && s->type != FF_SENSOR_FORCE6)
        report_error(report, s, x,
                     "only force, force6 and inertial sensors (imu, gyro, accelerometer, attitude) are stations");
}

/// Are the numbers those that the schema allows? Files were checked before; programs and other formats were not.
static bool is_allowed(const ff_sensor *s, const ff_spec_setting *x, ff_report *report)
{
    const ff_row *row = ff_row_find(&ff_keys_sensor, x->name);
    char wanted[80];
    for (int i = 0; row && i < x->count; i++) {
        const bool fractional = row->takes & FF_TAKES_WHOLE && x->values[i] != floor(x->values[i]);
        if (!fractional && ff_range_holds(&row->range, x->values[i])) continue;
        ff_range_format(&row->range, wanted, sizeof wanted);
        ff_report_add(report, FF_ERROR, x->place.line ? x->place : s->place, "sensor '%.60s': %s is %g: it must be %s",
                      s->name, x->name, x->values[i], fractional ? "a whole number" : wanted);
        return false;
    }
    return true;
}

static void report_unknown(const ff_sensor *s, const ff_spec_setting *x, ff_report *report)
{
    const char *names[100];
    const ff_row *row;
    int n = 0;
    for (; n < 100 && (row = ff_row_at(&ff_keys_sensor, n)); n++) names[n] = row->name;
    const char *near = ff_text_nearest(x->name, names, n);
    if (near && strcmp(near, x->name) == 0) near = NULL; // a setting of other types
    ff_report_add(report, FF_ERROR, x->place.line ? x->place : s->place,
                  "sensor '%.60s' of type %s has no setting '%.60s'%s%s%s", s->name, ff_sensor_type_name(s->type),
                  x->name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/// Settings of a camera, which has no channels.
static const char *const OF_CAMERA[] = {"preset", "rate",  "phase", "pos",   "width",
                                        "height", "field", "far",   "noise", NULL};
/// Settings that are read before or after all others.
static const char *const READ_ELSEWHERE[] = {"preset",    "fusion",       "latency", "bits", "cutoff", "centred",
                                             "reference", "reference_on", "zone",    "size", NULL};

static void read_setting(ff_sensor *s, const ff_spec_setting *x, ff_arena *arena, ff_report *report)
{
    const char *name = x->name;
    if (!is_allowed(s, x, report)) return;
    if (s->camera && ff_word_find(OF_CAMERA, name) < 0) {
        report_unknown(s, x, report);
        return;
    }
    if (ff_word_find(READ_ELSEWHERE, name) >= 0) return;
    if (strcmp(name, "station") == 0)
        check_station(s, x, report);
    else if (strcmp(name, "shape") == 0)
        s->shape = ff_arena_strdup(arena, x->word ? x->word : "");
    else if (x->count < 1)
        report_error(report, s, x, "a number is missing");
    else if (strcmp(name, "rate") == 0)
        read_rate(s, x, report);
    else if (strcmp(name, "range") == 0)
        read_range(s, x, report);
    else if (strcmp(name, "step") == 0)
        read_form(s, x, FF_FORM_STEPS, report);
    else if (strcmp(name, "fixed") == 0)
        read_form(s, x, FF_FORM_FIXED, report);
    else if (strcmp(name, "single") == 0)
        read_single(s, x, report);
    else if (strcmp(name, "crosstalk") == 0)
        read_crosstalk(s, x, arena, report);
    else if (strcmp(name, "counts") == 0)
        read_counts(s, x, report);
    else if (!read_channel(s, x, report) && !read_plain(s, x, report))
        report_unknown(s, x, report);
}

/// Settings that depend on others: bits on the range, latency on the period, a centred range on the joint.
static void read_dependent(ff_sensor *s, const ff_spec_setting *x, const ff_joint *joint, ff_report *report)
{
    if (strcmp(x->name, "bits") == 0 && x->count == 1) read_bits(s, x, report);
    if (strcmp(x->name, "latency") == 0 && x->count == 1)
        s->chain.delay = to_whole(floor(x->values[0] / s->chain.period + 0.999));
    if (strcmp(x->name, "centred") == 0 && joint && x->count == 1 && x->values[0] != 0.0) centre(s, joint);
}

/// Reads the number of channels, on which the settings of channels depend.
static void count_channels(ff_sensor *s, const ff_spec_setting *from, int n, ff_report *report)
{
    static const char *const sizes[] = {"axes", "rows", "columns"};
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            if (strcmp(from[i].name, sizes[k]) == 0 && is_allowed(s, &from[i], report)) read_plain(s, &from[i], report);
}

/// fusion: gain, or [gain, gain of the bias].
static void read_fusion(ff_sensor *s, const ff_spec_setting *from, int n, ff_arena *arena, ff_report *report)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(from[i].name, "fusion") != 0) continue;
        if (s->type != FF_SENSOR_IMU && s->type != FF_SENSOR_ATTITUDE)
            report_error(report, s, &from[i], "only an imu or an attitude estimates roll and pitch");
        else if (from[i].count < 1 || from[i].count > 2)
            report_error(report, s, &from[i], "give one gain [1/s], or two, the second of the bias [1/s^2]");
        else if ((s->fusion = FF_ARENA_NEW(arena, ff_fusion, 1)))
            *s->fusion = (ff_fusion){from[i].values[0], from[i].count > 1 ? from[i].values[1] : 0.0};
    }
}

/// Moves six channels into a chain of their own before the estimate. Perfect sensors need no estimate.
static void split_fusion(ff_sensor *s, ff_arena *arena, ff_report *report)
{
    const int n = s->chain.n, first = s->type == FF_SENSOR_IMU ? 0 : 6;
    ff_signal *signals = FF_ARENA_NEW(arena, ff_signal, 6);
    double *X = FF_ARENA_NEW(arena, double, 36);
    s->inner = FF_ARENA_NEW(arena, ff_chain, 1);
    if (!signals || !X || !s->inner) {
        ff_report_add(report, FF_ERROR, s->place, "no memory for sensor '%.60s'", s->name);
        return;
    }
    memcpy(signals, s->signals, 6 * sizeof *signals);
    *s->inner = (ff_chain){.n = 6,
                           .stages = s->chain.stages & ~(unsigned)FF_STAGE_DELAY,
                           .signals = signals,
                           .period = s->chain.period,
                           .phase = s->chain.phase};
    for (int i = 0; s->chain.crosstalk && i < 36; i++) X[i] = s->chain.crosstalk[(i / 6) * n + i % 6];
    if (s->chain.crosstalk) s->inner->crosstalk = X;
    s->chain.crosstalk = NULL;
    s->chain.n = n - first;
    s->signals += first;
    s->chain.signals = s->signals;
    for (int i = 0; first == 0 && i < 6; i++) ff_signal_init(&s->signals[i]);
    if (s->chain.stages != FF_STAGES_NONE) return;
    s->fusion = NULL;
    s->inner = NULL;
}

/// MJCF's bound of a reading, which directions and rotations do not have.
static void read_cutoff(ff_sensor *s, double cutoff)
{
    const ff_sensor_cutoff ends = ff_sensor_kind_of(s->type)->cutoff;
    if (!(cutoff > 0.0) || ends == FF_CUTOFF_NONE) return;
    for (int i = 0; i < s->chain.n; i++) {
        if (is_flag(s, i)) continue;
        s->signals[i].high = cutoff;
        if (ends == FF_CUTOFF_BOTH) s->signals[i].low = -cutoff;
    }
}

static int length_of(const ff_spec_setting *x)
{
    int n = 0;
    while (x && x[n].name) n++;
    return n;
}

void ff_sensor_describe(ff_sensor *s, const ff_spec_sensor *from, const ff_joint *joint, const ff_spec_setting *preset,
                        ff_arena *arena, ff_report *report)
{
    const int npreset = length_of(preset), errors = report->errors;
    count_channels(s, preset, npreset, report);
    count_channels(s, from->settings, from->nsetting, report);
    read_fusion(s, preset, npreset, arena, report);
    read_fusion(s, from->settings, from->nsetting, arena, report);
    int n = s->fusion ? 8 : ff_sensor_width(s->type);
    if (s->type == FF_SENSOR_GYRO || s->type == FF_SENSOR_ACCELEROMETER) n = s->axes;
    if (s->tactile) n = 2 * s->tactile->rows * s->tactile->columns;
    if ((n < 1 && !s->camera) || n > FF_SENSOR_CHANNELS_MAX) {
        ff_report_add(report, FF_ERROR, s->place, "sensor '%.60s' would have %d channels: 1 to %d are allowed", s->name,
                      n, FF_SENSOR_CHANNELS_MAX);
        return;
    }
    s->chain.n = n;
    s->signals = FF_ARENA_NEW(arena, ff_signal, n + 1);
    s->chain.signals = s->signals;
    if (!s->signals) return;
    for (int i = 0; i < n; i++) ff_signal_init(&s->signals[i]);
    for (int i = 0; s->type == FF_SENSOR_ENCODER && i < 2; i++) s->signals[i].form = FF_FORM_COUNT;
    for (int i = 0; i < npreset; i++) read_setting(s, &preset[i], arena, report);
    for (int i = 0; from->noise > 0.0 && i < n; i++)
        if (!is_flag(s, i)) s->signals[i].noise = from->noise;
    read_cutoff(s, from->cutoff);
    for (int i = 0; i < from->nsetting; i++) read_setting(s, &from->settings[i], arena, report);
    if (report->errors > errors) return;
    // bits depend on the width of the range alone, which centring does not change
    for (int i = 0; i < npreset; i++) read_dependent(s, &preset[i], joint, report);
    for (int i = 0; i < from->nsetting; i++) read_dependent(s, &from->settings[i], joint, report);
    if (s->fusion) split_fusion(s, arena, report);
}
