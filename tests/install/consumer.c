// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The shortest user of an installed Footfall: a ball of 2 kg on a hinge weighs 2 kg. Touches the loaders too, so that a
// static link has to find their libraries.
#include <footfall/footfall.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *robot =
        "<robot name='one'><link name='base'/><link name='ball'><inertial><mass value='2'/>"
        "<inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
        "<joint name='hinge' type='continuous'><parent link='base'/><child link='ball'/></joint></robot>";
    ff_load_options options = ff_load_options_default();
    ff_report report = {0};
    ff_spec *spec = ff_spec_create(NULL);
    ff_model *model = NULL;
    if (ff_spec_parse(spec, "urdf", robot, strlen(robot), "one.urdf", &options, &report) == FF_OK)
        model = ff_model_compile(spec, &options, &report);
    for (int i = 0; i < report.count; i++) fprintf(stderr, "%s\n", report.messages[i].text);
    double mass = model ? model->mass : 0;
    printf("%g kg on %d joint\n", mass, model ? model->njoint : 0);
    ff_model_destroy(model);
    ff_spec_destroy(spec);
    ff_report_clear(&report);
    return mass == 2 ? 0 : 1;
}
