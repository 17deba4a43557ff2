// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What is said to the controllers of a run while it goes on.
#include "run/assembly.h"

/// The script that steers a robot now; NULL: none.
static const ff_script_functions *find_script(const ff_run *run, int robot, ff_steering **s)
{
    *s = ff_run_find_steering(run, robot);
    return *s && (*s)->controller ? (*s)->kind->script : NULL;
}

ff_run_steering ff_run_get_steering(const ff_run *run, int robot)
{
    ff_steering *s;
    const ff_script_functions *script = find_script(run, robot, &s);
    ff_run_steering out = {.kind = s ? s->kind->name : run->scene->law ? "hold" : NULL};
    if (script) script->get_text(s->controller, &out.path, &out.text, &out.length);
    return out;
}

// ------------------------------------------------------------------------------------------ commands

int ff_run_command_keys(const ff_run *run, int robot, ff_command_key *out, int most)
{
    const ff_steering *s = ff_run_find_steering(run, robot);
    return s && s->controller && s->kind->command_keys ? s->kind->command_keys(s->controller, out, most) : 0;
}

ff_status ff_run_command(ff_run *run, int robot, const char *text, size_t length, ff_report *report)
{
    const double t = ff_sim_time(run->sim);
    return ff_steering_command(ff_run_find_steering(run, robot), t, text, length, report);
}

// ------------------------------------------------------------------------------------------ scripts

int ff_run_parameters(const ff_run *run, int robot, ff_script_parameter *out, int most)
{
    ff_steering *s;
    const ff_script_functions *script = find_script(run, robot, &s);
    return script ? script->parameters(s->controller, out, most) : 0;
}

ff_status ff_run_set_parameter(ff_run *run, int robot, const char *name, double value, ff_error *err)
{
    ff_steering *s;
    const ff_script_functions *script = find_script(run, robot, &s);
    if (script) return script->set_parameter(s->controller, name, value, err);
    return ff_error_set(err, FF_NOT_FOUND, "no script steers the robot: it has no parameter '%.60s'", name);
}

ff_status ff_run_set_script(ff_run *run, int robot, const char *text, size_t length, ff_report *report)
{
    return ff_steering_set_script(ff_run_find_steering(run, robot), text, length, report);
}

// ------------------------------------------------------------------------------------------ news

void ff_run_report_news(ff_run *run, ff_report *report)
{
    ff_run_report_falls(run, report);
    for (int i = 0; i < run->nsteering; i++) ff_steering_report_new(&run->steerings[i], report);
}
