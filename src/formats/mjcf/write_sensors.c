// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the sensors of a robot as MJCF.
#include "mjcf/mjcf.h"
#include "mjcf/write.h"
#include "model/edit.h"
#include "model/sensor_kinds.h"

#include <string.h>

/// What a sensor becomes: elements of MJCF, by what they are attached to.
typedef struct sensor_form {
    const char *object; // "site", "joint", "actuator", "body", "frame" (by objtype), "" for none; NULL: no such element
    const char *elements[3];
} sensor_form;

/// Kinds that MJCF lacks, and the most similar element.
static const struct {
    const char *type;
    sensor_form form;
} NEAREST[] = {
    {"imu", {"site", {"gyro", "accelerometer", "framequat"}}},
    {"attitude", {"site", {"framequat"}}},
    {"force6", {"site", {"force", "torque"}}},
    {"encoder", {"joint", {"jointpos"}}},
    {"absolute", {"joint", {"jointpos"}}},
    {"force", {"site", {"force"}}}, // of the other sign, which is reported
};

/// The site of a sensor: its own frame, or one made for its body. NULL: neither.
static const char *site_of(ff_writing *w, const ff_spec_sensor *s)
{
    static const double origin[3] = {0, 0, 0}, upright[4] = {1, 0, 0, 0};
    if (ff_model_find_frame(w->model, s->object) >= 0) return s->object;
    const int body = ff_model_find_body(w->model, s->object);
    return body >= 0 ? ff_writing_add_frame(w, s->name, body, origin, upright) : NULL;
}

static sensor_form form_of(const ff_writing *w, const ff_spec_sensor *s)
{
    const int kind = ff_sensor_find_kind(s->type);
    sensor_form form = {0};
    if (kind >= 0 && ff_sensor_kind_words[kind].mjcf) {
        const ff_sensor_words *words = &ff_sensor_kind_words[kind];
        form = (sensor_form){words->object ? words->object : "", {words->mjcf}};
    }
    for (size_t i = 0; i < sizeof NEAREST / sizeof *NEAREST; i++)
        if (strcmp(NEAREST[i].type, s->type) == 0) form = NEAREST[i].form;
    if (form.object && strcmp(form.object, "joint") == 0 && ff_model_find_joint(w->model, s->object) < 0)
        return (sensor_form){0};
    return form;
}

/// Name of a frame in MJCF.
static const char *frame_word(const char *ours)
{
    const mjcf_object_word *word = mjcf_object_word_of_ours(ours);
    return word ? word->word : ours;
}

static const ff_spec_setting *setting_of(const ff_spec_sensor *s, const char *name)
{
    return ff_settings_find(s->settings, s->nsetting, name);
}

static void put_reference(ff_writing *w, const ff_spec_sensor *s)
{
    const ff_spec_setting *reference = setting_of(s, "reference"), *on = setting_of(s, "reference_on");
    if (!reference || !reference->word) return;
    ff_put_text(w, "reftype", frame_word(on && on->word ? on->word : "frame"));
    ff_put_text(w, "refname", reference->word);
}

void mjcf_put_zone(ff_writing *w, const char *site)
{
    for (int i = 0; i < w->model->nsensor; i++) {
        const ff_spec_sensor *s = &w->model->sensors[i];
        const ff_spec_setting *zone = setting_of(s, "zone"), *size = setting_of(s, "size");
        if (strcmp(s->type, "touch") != 0 || strcmp(s->object, site) != 0 || !zone || !zone->word || !size) continue;
        ff_put_text(w, "type", zone->word);
        ff_put_numbers(w, "size", size->values, size->count);
        return;
    }
}

void mjcf_put_magnetic(ff_writing *w)
{
    for (int i = 0; i < w->model->nsensor; i++) {
        const ff_spec_sensor *s = &w->model->sensors[i];
        const ff_spec_setting *flux = strcmp(s->type, "magnetometer") == 0 ? setting_of(s, "flux") : NULL;
        if (!flux || flux->count != 3) continue;
        ff_put_numbers(w, "magnetic", flux->values, 3);
        return;
    }
}

/// Are there settings beside those that are written: its reference frame, its volume, the flux of the world?
static bool has_errors(const ff_spec_sensor *s)
{
    static const char *const written[] = {"reference", "reference_on", "zone", "size", "flux", NULL};
    for (int i = 0; i < s->nsetting; i++)
        if (ff_word_find(written, s->settings[i].name) < 0) return true;
    return false;
}

static void put_sensor_element(ff_writing *w, const ff_spec_sensor *s, const char *element, const char *suffix,
                               const char *object_type, const char *object)
{
    const char *name = ff_arena_printf(&w->arena, "%s%s%s", s->name, suffix[0] ? "." : "", suffix);
    const bool frame = strncmp(element, "frame", 5) == 0;
    ff_put_format(w, "    <%s", element);
    ff_put_text(w, "name", name ? name : "");
    if (frame) ff_put_text(w, "objtype", object_type);
    if (object_type[0]) ff_put_text(w, frame ? "objname" : object_type, object[0] ? object : "world");
    if (frame) put_reference(w, s);
    ff_put_unless(w, "noise", s->noise, 0.0);
    ff_put_unless(w, "cutoff", s->cutoff, 0.0);
    ff_put_format(w, "/>\n");
}

static void put_sensor(ff_writing *w, const ff_spec_sensor *s)
{
    const sensor_form form = form_of(w, s);
    const bool at_site = form.object && strcmp(form.object, "site") == 0;
    const char *object = at_site ? site_of(w, s) : s->object;
    if (!form.object || !object) {
        ff_report_omission(w, "the sensor is left out: MJCF has none of its kind that needs no more than a place",
                           s->name, s->place);
        return;
    }
    const char *object_type = strcmp(form.object, "frame") == 0 ? frame_word(s->object_type) : form.object;
    for (int k = 0; k < 3 && form.elements[k]; k++)
        put_sensor_element(w, s, form.elements[k], form.elements[1] ? form.elements[k] : "", object_type, object);
    if (strcmp(s->type, "force") == 0 || strcmp(s->type, "force6") == 0)
        ff_report_omission(w, "MuJoCo measures what acts on the body, which is the negative of what this one measures",
                           s->name, s->place);
    if (has_errors(s))
        ff_report_omission(w, "its errors, rate and delay are not written: sensors of MJCF are perfect", s->name,
                           s->place);
}

void mjcf_put_sensors(ff_writing *w)
{
    if (w->model->nsensor == 0) return;
    ff_put_format(w, "  <sensor>\n");
    for (int i = 0; i < w->model->nsensor; i++) put_sensor(w, &w->model->sensors[i]);
    ff_put_format(w, "  </sensor>\n");
}
