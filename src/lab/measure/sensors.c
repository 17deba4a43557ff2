// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Metrics of sensors, computed on request: statistics of the samples of a channel, with delay and all errors
// (sensors.NAME.CHANNEL.mean and others), and the bounds of a shape in the last picture of a camera
// (sensors.NAME.sees.SHAPE.left and others). The taxels of a tactile array share two channels, pressure and touched. A
// metric is about one taxel by row and column (pressure.2.0.final), about the least, the median or the largest of all
// (pressure.median.final), or about their sum (pressure.final).
#include "measure/measure.h"
#include "sense/interface.h"

#include <footfall/tactile.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FINAL, MEAN, STD, MIN, MAX, SLOPE, STEP, SAMPLES, ALLAN, CHANNEL_METRICS };
static const char *const CHANNEL_ENDS[CHANNEL_METRICS] = {"final", "mean", "std",     "min",   "max",
                                                          "slope", "step", "samples", "allan."};
enum { LEFT, RIGHT, TOP, BOTTOM, PIXELS, DEPTH, PICTURE_METRICS };
static const char *const PICTURE_ENDS[PICTURE_METRICS] = {"left", "right", "top", "bottom", "pixels", "depth"};

static const ff_metric_help help[] = {
    {"sensors.NAME.CHANNEL.final", "",
     "last value of a sensor, in its unit; of a tactile array the sum over its taxels, or pressure.median.final, "
     ".least, .most, "
     ".ROW.COLUMN"},
    {"sensors.NAME.CHANNEL.mean", "", "mean of its samples"},
    {"sensors.NAME.CHANNEL.std", "", "their standard deviation"},
    {"sensors.NAME.CHANNEL.min", "", "the least of them"},
    {"sensors.NAME.CHANNEL.max", "", "the greatest of them"},
    {"sensors.NAME.CHANNEL.slope", "1/s", "of the straight line that fits them best, per second"},
    {"sensors.NAME.CHANNEL.step", "", "least change between two samples: the resolution"},
    {"sensors.NAME.CHANNEL.samples", "", "how many there were"},
    {"sensors.NAME.CHANNEL.allan.N", "", "Allan deviation of means over N samples, without overlap"},
    {"sensors.NAME.sees.SHAPE.left", "pixel",
     "where a shape begins in the last picture of a camera; .right, .top, .bottom"},
    {"sensors.NAME.sees.SHAPE.pixels", "", "how many pixels show it"},
    {"sensors.NAME.sees.SHAPE.depth", "m", "nearest of them, along the view axis"},
    {0},
};

// ------------------------------------------------------------------------------------------ names

enum { LEAST, MEDIAN, MOST, SUM };
static const char *const JOINS[SUM] = {".least", ".median", ".most"};

/// A requested metric and its sums.
typedef struct track {
    const char *metric;
    int sensor;
    bool picture;       // it is about a picture of a camera
    int what;           // index in CHANNEL_ENDS or PICTURE_ENDS
    int channel, count; // first channel, and number of channels that are combined
    int join;           // how they are combined: index in JOINS, or SUM
    char shape[80];     // name of a shape in a picture
    int cluster;        // number of samples in a mean of the Allan deviation
    // sums over samples, see add_sample()
    double stamp, last; // time and value of the last sample
    long long n;        // number of samples
    double mean, mean_time;
    double squares, times, product; // sums about the means: of y^2, t^2, t y (Welford)
    double low, high, step;
    double sum, before, differences; // of a cluster; last mean; squared differences of successive means
    int filled;                      // number of samples in `sum`
    long long clusters;
} track;

/// All requested metrics.
typedef struct sensors {
    const ff_measure_site *site;
    track *tracks;
    int n;
} sensors;

/// Reads a whole number and sets `rest` to the text after it; -1: there is none.
static int read_integer(const char *text, const char **rest)
{
    char *end;
    if (text[0] < '0' || text[0] > '9') return -1;
    const long value = strtol(text, &end, 10);
    *rest = end;
    return value <= 100000000 ? (int)value : -1;
}

/// Reads ".2.0" of a taxel, or ".most" of all. @return the text after it; NULL: there is no such taxel
static const char *read_taxel(const ff_sensor *s, const char *text, track *t)
{
    const char *rest;
    const int n = s->chain.n / 2, columns = s->tactile->columns;
    t->count = n;
    for (t->join = 0; t->join < SUM; t->join++)
        if (strncmp(text, JOINS[t->join], strlen(JOINS[t->join])) == 0) return text + strlen(JOINS[t->join]);
    const int row = text[0] == '.' ? read_integer(text + 1, &rest) : -1;
    if (row < 0) return text;
    const int column = rest[0] == '.' ? read_integer(rest + 1, &rest) : -1;
    if (column < 0 || column >= columns || row >= n / columns) return NULL;
    t->channel += row * columns + column;
    t->count = 1;
    return rest;
}

static bool read_end(const char *text, track *t)
{
    const char *rest = "";
    for (t->what = 0; t->what < ALLAN; t->what++)
        if (strcmp(text, CHANNEL_ENDS[t->what]) == 0) return true;
    if (strncmp(text, CHANNEL_ENDS[ALLAN], strlen(CHANNEL_ENDS[ALLAN])) != 0) return false;
    t->cluster = read_integer(text + strlen(CHANNEL_ENDS[ALLAN]), &rest);
    return t->cluster > 0 && rest[0] == '\0';
}

/// Reads "CHANNEL.mean" of a sensor.
static bool read_channel(const ff_sensor *s, const char *text, track *t)
{
    const int width = s->tactile ? 2 : s->chain.n;
    for (int k = 0; k < width; k++) {
        t->channel = s->tactile ? k * (s->chain.n / 2) : k;
        t->count = 1;
        t->join = SUM;
        const char *channel = ff_sensor_channel(s, t->channel), *rest = text + strlen(channel);
        if (strncmp(text, channel, strlen(channel)) != 0 || rest[0] != '.') continue;
        if (s->tactile) rest = read_taxel(s, rest, t);
        if (rest && rest[0] == '.' && read_end(rest + 1, t)) return true;
    }
    return false;
}

static bool is_shape(const ff_measure_site *site, const char *name)
{
    const ff_model *m = site->model;
    for (int i = 0; i < m->ngeom; i++)
        if (m->geoms[i].name && strcmp(m->geoms[i].name, name) == 0) return true;
    for (int i = 0; i < site->nfield; i++)
        if (strcmp(site->fields[i], name) == 0) return true;
    return ff_model_find_body(m, name) >= 0;
}

/// Reads "sees.SHAPE.left" of a camera.
static bool read_sight(const ff_measure_site *site, const char *text, track *t)
{
    static const char start[] = "sees.";
    const char *end = strrchr(text, '.');
    if (strncmp(text, start, sizeof start - 1) != 0 || !end || end < text + sizeof start) return false;
    const size_t length = (size_t)(end - text) - (sizeof start - 1);
    if (length >= sizeof t->shape) return false;
    memcpy(t->shape, text + sizeof start - 1, length);
    t->picture = true;
    for (t->what = 0; t->what < PICTURE_METRICS; t->what++)
        if (strcmp(end + 1, PICTURE_ENDS[t->what]) == 0) return is_shape(site, t->shape);
    return false;
}

static bool read_name(const ff_measure_site *site, const ff_sensor_set *set, const char *name, track *t)
{
    static const char start[] = "sensors.";
    if (strncmp(name, start, sizeof start - 1) != 0) return false;
    for (int i = 0; i < set->n; i++) {
        const ff_sensor *s = &set->sensors[i];
        const char *rest = name + sizeof start - 1 + strlen(s->name);
        if (strncmp(name + sizeof start - 1, s->name, strlen(s->name)) != 0 || rest[0] != '.') continue;
        *t = (track){.metric = name, .sensor = i, .low = INFINITY, .high = -INFINITY, .step = INFINITY};
        if (s->camera ? read_sight(site, rest + 1, t) : read_channel(s, rest + 1, t)) return true;
    }
    return false;
}

static const ff_sensor_set *set_of(const ff_measure_site *site)
{
    return site->plant ? site->plant->sensors : NULL;
}

static bool knows(const ff_measure_site *site, const char *name)
{
    track t;
    if (!site->sensed || strncmp(name, "sensors.", 8) != 0) return false;
    const ff_sensor_set *set = set_of(site);
    return !set || read_name(site, set, name, &t); // without a set, errors of sensors have been reported
}

/// Lists statistics of all channels, except Allan deviations and single taxels, which are too many.
static void offers(const ff_measure_site *site, ff_measure_names *out)
{
    const ff_sensor_set *set = set_of(site);
    for (int i = 0; set && i < set->n; i++) {
        const ff_sensor *s = &set->sensors[i];
        const int width = s->camera ? 0 : s->tactile ? 2 : s->chain.n;
        for (int k = 0; k < width; k++)
            for (int what = 0; what < ALLAN; what++)
                ff_measure_add_name(out, "sensors.%s.%s.%s", s->name,
                                    ff_sensor_channel(s, s->tactile ? k * (s->chain.n / 2) : k), CHANNEL_ENDS[what]);
    }
}

// ------------------------------------------------------------------------------------------ samples

/// Adds a sample to the clusters of the Allan deviation.
static void add_to_cluster(track *t, double y)
{
    t->sum += y;
    if (++t->filled < t->cluster) return;
    const double mean = t->sum / t->cluster;
    if (t->clusters++ > 0) t->differences += (mean - t->before) * (mean - t->before);
    t->before = mean;
    t->sum = 0.0;
    t->filled = 0;
}

/// Adds a sample to the sums about the running means, after B. P. Welford, Technometrics 4(3), 1962.
static void add_sample(track *t, double stamp, double y)
{
    const double change = fabs(y - t->last);
    if (t->n > 0 && change > 0.0) t->step = ff_min(t->step, change);
    t->n++;
    const double dt = stamp - t->mean_time, dy = y - t->mean;
    t->mean_time += dt / (double)t->n;
    t->mean += dy / (double)t->n;
    t->squares += dy * (y - t->mean);
    t->times += dt * (stamp - t->mean_time);
    t->product += dt * (y - t->mean);
    t->low = ff_min(t->low, y);
    t->high = ff_max(t->high, y);
    t->last = y;
    if (t->what == ALLAN) add_to_cluster(t, y);
}

/// Combines channels into one number; for least, median and most it sorts `values`.
static double joined(const track *t, double *values)
{
    double sum = 0.0;
    for (int i = 0; i < t->count; i++) sum += values[i];
    if (t->join == SUM) return sum;
    for (int i = 1; i < t->count; i++)
        for (int k = i; k > 0 && values[k] < values[k - 1]; k--) {
            const double larger = values[k - 1];
            values[k - 1] = values[k];
            values[k] = larger;
        }
    return t->join == LEAST  ? values[0]
           : t->join == MOST ? values[t->count - 1]
                             : 0.5 * (values[t->count / 2] + values[(t->count - 1) / 2]);
}

/// Adds new samples. Steps end at samples, so none is missed; those at the end of the run are added by `end`.
static ff_sim_action after_step(void *context, ff_sim *sim, double time)
{
    const sensors *s = context;
    double values[FF_SENSOR_CHANNELS_MAX];
    (void)time;
    for (int i = 0; i < s->n; i++) {
        track *t = &s->tracks[i];
        if (t->picture) continue;
        const double stamp = ff_sim_sensor(sim, (ff_sensor_id){t->sensor}, values);
        if (!(stamp > t->stamp)) continue; // the value at the start is no sample
        t->stamp = stamp;
        add_sample(t, stamp, joined(t, values + t->channel));
    }
    return FF_SIM_GO;
}

static ff_status begin(const ff_measure_site *site, void **context, ff_error *err)
{
    const ff_sensor_set *set = set_of(site);
    sensors all = {.site = site, .tracks = FF_ARENA_NEW(site->arena, track, site->nrequested + 1)};
    if (!all.tracks) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    for (int i = 0; set && i < site->nrequested; i++)
        if (read_name(site, set, site->requested[i], &all.tracks[all.n])) all.n++;
    if (all.n == 0) return FF_OK;
    sensors *s = *context = FF_ARENA_NEW(site->arena, sensors, 1);
    if (!s) return ff_error_set(err, FF_NO_MEMORY, "out of memory");
    *s = all;
    const ff_listener listener = {.context = s, .step = after_step};
    return ff_sim_add_listener(site->sim, &listener, err);
}

// ------------------------------------------------------------------------------------------ results

static double channel_value(const track *t)
{
    const double n = (double)t->n;
    switch (t->what) {
    case FINAL:
        return t->n > 0 ? t->last : NAN;
    case MEAN:
        return t->n > 0 ? t->mean : NAN;
    case STD:
        return t->n > 1 ? sqrt(t->squares / (n - 1.0)) : NAN;
    case MIN:
        return t->low;
    case MAX:
        return t->high;
    case SLOPE:
        return t->times > 0.0 ? t->product / t->times : NAN;
    case STEP:
        return t->step;
    case SAMPLES:
        return n;
    default:
        return t->clusters > 1 ? sqrt(0.5 * t->differences / ((double)t->clusters - 1.0)) : NAN;
    }
}

static double picture_value(const ff_measure_site *site, const track *t)
{
    const ff_picture *p = ff_sim_picture(site->sim, (ff_sensor_id){t->sensor});
    int nshape = 0;
    const ff_world_shape *shapes = site->world ? ff_world_shapes(site->world, &nshape) : NULL;
    double values[PICTURE_METRICS] = {INFINITY, -INFINITY, INFINITY, -INFINITY, 0.0, INFINITY};
    for (int j = 0, pixel = 0; p && j < p->height; j++)
        for (int i = 0; i < p->width; i++, pixel++) {
            const int shape = p->shape[pixel];
            if (shape < 0 || shape >= nshape || strcmp(shapes[shape].name, t->shape) != 0) continue;
            values[LEFT] = ff_min(values[LEFT], i);
            values[RIGHT] = ff_max(values[RIGHT], i + 1);
            values[TOP] = ff_min(values[TOP], j);
            values[BOTTOM] = ff_max(values[BOTTOM], j + 1);
            values[PIXELS] += 1.0;
            values[DEPTH] = ff_min(values[DEPTH], (double)p->depth[pixel]);
        }
    return values[PIXELS] > 0.0 || t->what == PIXELS ? values[t->what] : NAN;
}

static bool value(const void *context, const char *name, double *out)
{
    const sensors *s = context;
    for (int i = 0; i < s->n; i++) {
        const track *t = &s->tracks[i];
        if (strcmp(t->metric, name) != 0) continue;
        *out = t->picture ? picture_value(s->site, t) : channel_value(t);
        return true;
    }
    return false;
}

const ff_measure_kind ff_measure_sensors = {.name = "sensors",
                                            .help = help,
                                            .offers = offers,
                                            .knows = knows,
                                            .begin = begin,
                                            .end = after_step,
                                            .value = value};
