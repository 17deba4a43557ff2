// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// MJCF, the XML format of MuJoCo, into a description: the entry, the settings (compiler, option), the order in which
// sections are read. The meaning of each element is that in MuJoCo; docs/model-files.md lists what each becomes.
#include "mjcf/mjcf.h"

#include <footfall/text.h>
#include <limits.h>
#include <stdlib.h>

// ------------------------------------------------------------------------------------------ settings

static void read_eulerseq(mjcf *m, ff_xml *node)
{
    const char *sequence = ff_xml_get(node, "eulerseq");
    if (!sequence) return;
    if (strlen(sequence) != 3 || strspn(sequence, "xyzXYZ") != 3) {
        mjcf_error(m, node->place, "eulerseq is '%.40s'; three letters out of x, y, z, X, Y, Z are needed", sequence);
        return;
    }
    memcpy(m->eulerseq, sequence, 4);
}

/// MuJoCo takes the texture folder too, but textures are not read.
static void read_folders(mjcf *m, ff_xml *node)
{
    const char *assets = ff_xml_get(node, "assetdir"), *meshes = ff_xml_get(node, "meshdir");
    ff_xml_get(node, "texturedir");
    if (assets) m->meshdir = assets;
    if (meshes) m->meshdir = meshes;
    m->strippath = mjcf_flag(m, node, "strippath", m->strippath);
}

static void read_mass_rules(mjcf *m, ff_xml *node)
{
    static const char *const rules[] = {"false", "true", "auto", NULL};
    ff_spec *spec = m->spec;
    double groups[2];
    m->mass_rule = (mjcf_mass_rule)ff_xml_choice(node, "inertiafromgeom", rules, (int)m->mass_rule, m->report);
    if (ff_xml_numbers(node, "inertiagrouprange", groups, 2, 2, m->report) == 2)
        for (int i = 0; i < 2; i++) spec->inertia_group[i] = (int)ff_min(ff_max(groups[i], INT_MIN), INT_MAX);
    spec->total_mass = ff_xml_number(node, "settotalmass", spec->total_mass, m->report);
    spec->bound_mass = ff_xml_number(node, "boundmass", spec->bound_mass, m->report);
    spec->bound_inertia = ff_xml_number(node, "boundinertia", spec->bound_inertia, m->report);
    spec->balance_inertia = mjcf_flag(m, node, "balanceinertia", spec->balance_inertia);
    m->exact_meshes = mjcf_flag(m, node, "exactmeshinertia", m->exact_meshes);
    m->discard_visual = mjcf_flag(m, node, "discardvisual", m->discard_visual);
    m->fit_bounds = mjcf_flag(m, node, "fitaabb", m->fit_bounds);
}

static void read_compiler(mjcf *m, ff_xml *node)
{
    static const char *const angles[] = {"degree", "radian", NULL};
    static const char *const coordinates[] = {"local", "global", NULL};
    m->radian = ff_xml_choice(node, "angle", angles, m->radian, m->report) == 1;
    m->global = ff_xml_choice(node, "coordinate", coordinates, m->global, m->report) == 1;
    m->autolimits = mjcf_flag(m, node, "autolimits", m->autolimits);
    read_eulerseq(m, node);
    read_folders(m, node);
    read_mass_rules(m, node);
    for (ff_xml *child = node->child; child; child = child->next) mjcf_leave_out(m, child, "%s", "");
}

/// Gravity, the medium, and whether contacts are enabled: settings of the step, solver and contacts belong to a
/// Footfall scene.
static void read_option(mjcf *m, ff_xml *node)
{
    static const char *const switches[] = {"enable", "disable", NULL};
    ff_xml_numbers(node, "gravity", m->spec->gravity, 3, 3, m->report);
    m->spec->density = ff_xml_number(node, "density", m->spec->density, m->report);
    m->spec->viscosity = ff_xml_number(node, "viscosity", m->spec->viscosity, m->report);
    ff_xml_numbers(node, "wind", m->spec->wind, 3, 3, m->report);
    ff_xml_numbers(node, "magnetic", m->magnetic, 3, 3, m->report);
    const char *step = ff_xml_peek(node, "timestep"); // listed as not used: it only bounds solref
    double seconds;
    if (step && ff_text_number(step, strlen(step), &seconds) && seconds > 0.0) m->timestep = seconds;
    if (m->spec->density < 0.0 || m->spec->viscosity < 0.0)
        mjcf_error(m, node->place, "density %g kg/m^3, viscosity %g Pa s: they must be zero or positive",
                   m->spec->density, m->spec->viscosity);
    for (ff_xml *flag = ff_xml_child(node, "flag"); flag; flag = ff_xml_next(flag)) {
        flag->used = true;
        if (ff_xml_choice(flag, "gravity", switches, 0, m->report) == 1) ff_vec3_set(m->spec->gravity, 0, 0, 0);
        if (ff_xml_choice(flag, "contact", switches, 0, m->report) == 1) m->no_contact = true;
    }
}

// ------------------------------------------------------------------------------------------ sections

typedef void section_reader(mjcf *m, ff_xml *section);

static void read_sections(mjcf *m, const char *name, section_reader *reader)
{
    for (ff_xml *section = ff_xml_child(m->root, name); section && !m->no_memory; section = ff_xml_next(section)) {
        section->used = true;
        reader(m, section);
    }
}

/// MuJoCo resolves names after reading, so that sections may have any order; here each is read after those that it
/// refers to.
static void read_all(mjcf *m)
{
    m->root->used = true;
    const char *name = ff_xml_get(m->root, "model");
    m->spec->name = ff_spec_text(m->spec, name ? name : "");
    if (!mjcf_has_memory(m, m->spec->name)) return;
    mjcf_include_all(m);
    read_sections(m, "compiler", read_compiler);
    read_sections(m, "option", read_option);
    mjcf_replicate_all(m);
    mjcf_default_all(m);
    if (m->no_memory || m->nclass == 0) return;
    read_sections(m, "asset", mjcf_assets);
    read_sections(m, "worldbody", mjcf_worldbody);
    if (m->no_memory) return;
    const int actuators = m->spec->nactuator, sensors = m->spec->nsensor; // of models that were attached
    mjcf_masses(m);
    read_sections(m, "contact", mjcf_contacts);
    read_sections(m, "tendon", mjcf_tendons);
    read_sections(m, "actuator", mjcf_actuators);
    mjcf_bound_actuators(m);
    mjcf_name_rest(m); // an equality between sites names their bodies
    read_sections(m, "equality", mjcf_equalities);
    read_sections(m, "sensor", mjcf_sensors);
    mjcf_name_rest(m);
    if (m->no_memory) return;
    mjcf_attached_last(m, actuators, sensors);
    read_sections(m, "keyframe", mjcf_keyframes);
    mjcf_name_rest(m);
}

static ff_status parse(mjcf *m)
{
    int errors = m->report->errors;
    m->file = ff_spec_text(m->spec, m->from->file);
    if (!m->file) return FF_NO_MEMORY;
    m->root = ff_xml_parse(&m->arena, m->from->text, m->from->length, m->file, m->report);
    if (!m->root) return FF_BAD_FILE;
    if (strcmp(m->root->name, "mujoco") != 0) {
        mjcf_error(m, m->root->place, "the root element is <%s>; an MJCF file has <mujoco>", m->root->name);
        return FF_BAD_FILE;
    }
    read_all(m);
    if (m->no_memory) {
        mjcf_error(m, m->root->place, "%s while reading the file", ff_status_text(FF_NO_MEMORY));
        return FF_NO_MEMORY;
    }
    mjcf_list_all_unread(m);
    return m->report->errors == errors ? FF_OK : FF_BAD_FILE;
}

/// Reads a file, `above` being the model that it is attached in, NULL for none.
static ff_status read_below(const mjcf *above, ff_spec *spec, const ff_robot_text *from, ff_report *report)
{
    int nattached = 0;
    mjcf m = {.spec = spec,
              .report = report,
              .from = from,
              .autolimits = true,
              .eulerseq = "xyz",
              .magnetic = {0.0, -0.5, 0.0},
              .timestep = 0.002,
              .mass_rule = MJCF_MASS_AUTO,
              .read_below = read_below,
              .depth = above ? above->depth + 1 : 0,
              .nattached = above ? above->nattached : &nattached};
    if (!ff_xml_available()) {
        mjcf_error(&m, (ff_place){from->file, 0, 0}, "%s (libxml2)", ff_status_text(FF_NOT_BUILT));
        return FF_NOT_BUILT;
    }
    const ff_status status = parse(&m);
    free(m.classes);
    free(m.material_rgba);
    free(m.actuator_uses);
    free(m.bounds);
    free(m.zones);
    free(m.massless);
    free(m.parts);
    ff_arena_clear(&m.arena);
    return status;
}

ff_status mjcf_read(ff_spec *spec, const ff_robot_text *from, ff_report *report)
{
    return read_below(NULL, spec, from, report);
}
