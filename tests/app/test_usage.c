// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The program as a command line: what it understands, what it says when it does not, and where it says it.
#include "check.h"
#include "program.h"

TEST(version_and_help_are_data_and_leave_stderr_empty)
{
    outcome o = footfall("--version");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "footfall ");
#ifdef FF_WITH_LUA
    CHECK_SAYS(o.out, "Lua");
#endif
#ifdef FF_WITH_PNG
    CHECK_SAYS(o.out, "libpng");
#endif
    CHECK_TEXT(o.err, "");
    o = footfall("help");
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "Commands");
    CHECK_SAYS(o.out, "eval");
    CHECK_TEXT(o.err, "");
    o = footfall("--help");
    CHECK_INT(o.code, 0);
}

TEST(every_command_explains_itself_in_both_ways)
{
    const char *const names[] = {"run",   "check",       "info",  "eval",       "convert", "image",
                                 "batch", "experiments", "bench", "completion", "help"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *long_way = strdup(footfall("help", names[i]).out);
        outcome o = footfall(names[i], "--help");
        CHECK_INT(o.code, 0);
        CHECK_TEXT(o.out, long_way);
        CHECK_TEXT(o.err, "");
        CHECK_SAYS(o.out, "Examples");
        CHECK_SAYS(o.out, "Exit codes");
        free(long_way);
    }
}

TEST(tolerance_for_a_planner_wants_one)
{
    outcome o = footfall("control", "scene.yaml", "--tolerate", "3");
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "--tolerate is for a planner in another process: give --planner WIRE");
}

TEST(without_a_command_the_overview_goes_to_stderr)
{
    outcome o = footfall_words((const char *const[]){NULL});
    CHECK_INT(o.code, 1);
    CHECK_TEXT(o.out, "");
    CHECK_SAYS(o.err, "Commands");
}

TEST(a_mistyped_command_is_guessed)
{
    outcome o = footfall("evla", "robot.urdf");
    CHECK_INT(o.code, 1);
    CHECK_TEXT(o.out, "");
    CHECK_SAYS(o.err, "did you mean \"eval\"?");
    o = footfall("zebra");
    CHECK_INT(o.code, 1);
    CHECK(!strstr(o.err, "did you mean"));
    o = footfall("help", "chekc");
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "did you mean \"check\"?");
}

TEST(a_mistyped_option_is_guessed)
{
    outcome o = footfall("eval", "robot.urdf", "--jsno");
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "--jsno");
    CHECK_SAYS(o.err, "did you mean --json?");
    CHECK_TEXT(o.out, "");
}

TEST(operands_are_counted)
{
    outcome o = footfall("eval");
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "MODEL");
    o = footfall("info", "a.urdf", "b.urdf");
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "b.urdf");
    CHECK_INT(footfall("check").code, 1);
    CHECK_INT(footfall("run").code, 1);
}

TEST(values_are_demanded_and_refused_by_name)
{
    outcome o = footfall("eval", "a.urdf", "--q");
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "--q needs a value");
    o = footfall("eval", "a.urdf", "--q", "--json");
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "--q needs a value");
    o = footfall("eval", "a.urdf", "--json=yes");
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "--json takes no value");
    const char *const wrong[] = {"1,,2", ",1", "1,", "1,x,3", "1,nan,3", "1,inf", "0.1.2", "1;2"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        o = footfall("eval", "a.urdf", "--q", wrong[i]);
        CHECK_INT(o.code, 1);
        CHECK_SAYS(o.err, "not a finite number");
    }
}

TEST(completion_is_a_script_bash_accepts)
{
    outcome o = footfall("completion", "bash");
    CHECK_INT(o.code, 0);
    CHECK_TEXT(o.err, "");
    const char *script = write_file("completion.bash", o.out);
    char line[2048];
    // Completes "footfall ev" and "footfall eval --fl" the way the shell would ask for them.
    snprintf(line, sizeof line,
             "bash -c 'source %s && COMP_WORDS=(footfall ev) COMP_CWORD=1 && _footfall && echo ${COMPREPLY[*]} && "
             "COMP_WORDS=(footfall eval --fl) COMP_CWORD=2 && _footfall && echo ${COMPREPLY[*]} && "
             "COMP_WORDS=(footfall help chec) COMP_CWORD=2 && _footfall && echo ${COMPREPLY[*]}' > %s 2>&1",
             script, temporary("completed"));
    if (system("command -v bash > /dev/null 2>&1") != 0) SKIP("no bash here");
    CHECK_INT(system(line), 0);
    CHECK_TEXT(read_file("completed"), "eval\n--floating\ncheck\n");
    CHECK_INT(footfall("completion", "fish").code, 1);
}

TEST(a_pipe_is_no_terminal_and_gets_no_colours)
{
    CHECK(!strchr(footfall("help", "eval").out, '\033'));
    CHECK(!strchr(footfall("evla").err, '\033'));
}
