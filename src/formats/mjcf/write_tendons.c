// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the tendons of a robot as MJCF: <fixed> and <spatial>.
#include "mjcf/write.h"

#include <math.h>

static void put_piece(ff_writing *w, const ff_spec_tendon_piece *piece)
{
    static const char *const words[] = {"joint", "site", "geom", "pulley", "site"};
    const char *word = words[piece->type];
    ff_put_format(w, "      <%s", word);
    if (piece->name) ff_put_text(w, word, piece->name);
    if (piece->side) ff_put_text(w, "sidesite", piece->side);
    if (piece->type == FF_TENDON_JOINT) ff_put_number(w, "coef", piece->factor);
    if (piece->type == FF_TENDON_PULLEY) ff_put_number(w, "divisor", piece->factor);
    ff_put_format(w, "/>\n");
}

/// A single -1 means the length in the reference position in MJCF; a length of exactly -1 is written as the nearest
/// other number.
static void put_spring_length(ff_writing *w, const double length[2])
{
    const double one = length[0] == -1.0 ? nextafter(-1.0, 0.0) : length[0];
    if (length[0] == length[1])
        ff_put_number(w, "springlength", one);
    else
        ff_put_numbers(w, "springlength", length, 2);
}

/// MuJoCo needs a range of nonzero width.
static void put_range(ff_writing *w, const ff_tendon *t)
{
    const double least = 1e-9 * ff_max(1.0, fabs(t->range[0]));
    const double range[2] = {t->range[0], ff_max(t->range[1], t->range[0] + least)};
    ff_put_numbers(w, "range", range, 2);
}

static void report_thrust(ff_writing *w, int tendon)
{
    const ff_spec_tendon *t = &w->spec->tendons[tendon];
    for (int i = 0; i < w->model->nactuator; i++)
        if (w->model->actuators[i].tendon == tendon) return; // which has it
    ff_report_omission(w, "a thrust without an actuator is not written", t->name, t->place);
}

void mjcf_put_tendons(ff_writing *w)
{
    bool open = false;
    for (int i = 0; i < w->spec->ntendon; i++) {
        const ff_spec_tendon *from = &w->spec->tendons[i];
        const ff_tendon *t = &w->model->tendons[i];
        if (t->pieces[0].type == FF_TENDON_THRUST) {
            report_thrust(w, i);
            continue;
        }
        if (!open) ff_put_format(w, "  <tendon>\n");
        open = true;
        ff_put_format(w, "    <%s", t->fixed ? "fixed" : "spatial");
        ff_put_text(w, "name", t->name);
        ff_put_unless(w, "stiffness", t->stiffness, 0.0);
        if (t->stiffness > 0.0 && !from->spring_at_rest) put_spring_length(w, t->spring_length);
        ff_put_unless(w, "damping", t->damping, 0.0);
        ff_put_unless(w, "frictionloss", t->dry_friction, 0.0);
        ff_put_format(w, " limited=\"%s\"", t->limited ? "true" : "false");
        if (t->limited) put_range(w, t);
        ff_put_format(w, ">\n");
        for (int k = 0; k < from->npiece; k++) put_piece(w, &from->pieces[k]);
        ff_put_format(w, "    </%s>\n", t->fixed ? "fixed" : "spatial");
        if (!isnan(from->stop_stiffness) || !isnan(from->stop_damping))
            ff_report_omission(w, "stiffness and damping of its stops are not written: MuJoCo has its own", t->name,
                               from->place);
        if (from->dry_speed > 0.0)
            ff_report_omission(w, "the speed of its dry friction is not written: MuJoCo has its own", t->name,
                               from->place);
    }
    if (open) ff_put_format(w, "  </tendon>\n");
}
