// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a script's calls count as. Work is counted in steps that the code of Lua makes one by one: bytes, digits,
// values, entries gone through. Whatever a function is given, an instruction counted stands for few of them, so that a
// bound of instructions is a bound of work. No test reads a real clock.
#include "check.h"

#include "steer/lua_private.h"

#include <math.h>

enum { MEMORY = 16 << 20 };
static const double STEPS = 8.0; // most for one instruction counted, some 5 ns each

static ff_lua_sandbox box;

static void open_box(unsigned allow)
{
    ff_error err = {0};
    box = (ff_lua_sandbox){0};
    if (ff_lua_sandbox_open(&box, MEMORY, allow, &err) != FF_OK) CHECK_FAIL("%s", err.text);
}

static int run_text(lua_State *L)
{
    const char *text = lua_touserdata(L, 1);
    ff_lua_sandbox_run(L, text, strlen(text), "t.lua");
    return 0;
}

static bool run(const char *text, double instructions)
{
    return ff_lua_sandbox_call(&box, run_text, (void *)(uintptr_t)text, instructions);
}

/// What `body` counts as: the difference of 200 and 100 times. The hook comes every 500 instructions, so that this is
/// true to 5.
static double price(const char *setup, const char *body)
{
    enum { MORE = 20 }; // rounds
    double used[2];
    for (int k = 0; k < 2; k++) {
        char text[1000];
        snprintf(text, sizeof text, "%s\nfor i = 1, %d do %s end", setup, MORE * (k + 1), body);
        open_box(0);
        if (!run(text, 1e12)) CHECK_FAIL("%s: %s", body, box.text);
        used[k] = 1e12 - box.left;
        ff_lua_sandbox_close(&box);
    }
    return (used[1] - used[0]) / MORE;
}

TEST(what_a_function_goes_through_is_counted)
{
#define DIGITS "local s = ('7'):rep(4000)"
#define LIST   "local t = {} for i = 1, 15000 do t[i] = 1e300 end "
    static const struct {
        const char *setup, *body;
        double steps;
    } calls[] = {
        {"local s = ('z'):rep(4000)", "local x = tonumber(s, 36)", 4000},
        {"local s = (' '):rep(4000)", "local x = tonumber(s)", 4000},
        {DIGITS, "local x = tonumber(s)", 4000},
        {DIGITS, "local x = s + 0", 4000},
        {DIGITS, "local x = 0 - s", 4000},
        {DIGITS, "local x = s * s", 8000},
        {DIGITS, "local x = s // 1", 4000},
        {DIGITS, "local x = s % 3", 4000},
        {DIGITS, "local x = s ^ 2", 4000},
        {DIGITS, "local x = s / 2", 4000},
        {DIGITS, "local x = -s", 4000},
        {DIGITS, "local x = math.floor(s)", 4000},
        {DIGITS, "local x = math.sin(s)", 4000},
        {DIGITS, "local x = math.cos(s)", 4000},
        {DIGITS, "local x = math.sqrt(s)", 4000},
        {"local s = '0.' .. ('7'):rep(3990)", "local x = math.asin(s)", 3990},
        {"local s = '0.' .. ('7'):rep(3990)", "local x = math.acos(s)", 3990},
        {DIGITS, "local x = math.atan(s, s)", 8000},
        {DIGITS, "local x = math.max(s, s, s)", 12000},
        {DIGITS, "local x = string.upper(s)", 4000},
        {DIGITS, "local x = s:reverse()", 4000},
        {DIGITS, "local x = s:byte(1, -1)", 4000},
        {"", "local x = ('7'):rep(4000)", 4000},
        {"", "local x = ('7'):rep(2000, ',')", 4000},
        {"local s = ('\\0'):rep(900)", "local x = string.format('%q', s)", 3600},
        {"", "local x = string.format('%99.99f', 1e308)", 309 + 99},
        {"", "local x = string.format('%f%f%f', 1e308, 1e308, 1e308)", 3 * 316},
        {"", "local x = tostring(1e308)", 308},
        {"", "local x = math.fmod(1e308, 3e-308)", 2046}, // bits of the exponents apart
        {"local f = function() error('x') end", "pcall(f)",
         1600}, // a message with its place, and a way out: measured 0.7 us
        {LIST, "local x = table.unpack(t)", 2 * 15000},
        {LIST "local s = {} for i = 1, 190 do s[i] = i * 1.1e300 end", "local x = table.concat(s)", 190 * 20},
        {LIST "for i = 2, 9000 do t[i] = '' end", "local x = table.concat(t, '', 2, 9000)", 9000},
        {LIST, "table.insert(t, 1, 0) table.remove(t)", 15000},
        {LIST, "table.remove(t, 1) table.insert(t, 0)", 15000},
        {"local t = {} for i = 1, 1000 do t[i] = i end", "table.sort(t)", 1000 * 10},
        {"local t = {} for i = 1, 1000 do t[i] = i end", "for k in pairs(t) do end", 1000 * 10},
        // not functions: each moves all values that are given on
        {LIST "local function f(...) for i = 1, 100 do local x = select('#', ...) end end", "f(table.unpack(t))",
         100 * 2 * 15000},
        {LIST "local function k() end local function f(...) for i = 1, 100 do k(...) end end", "f(table.unpack(t))",
         100 * 15000},
        {LIST "local function g(...) return ... end local function f(...) for i = 1, 100 do g(...) end end",
         "f(table.unpack(t))", 100 * 2 * 15000},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const double counted = price(calls[i].setup, calls[i].body);
        if (!(counted * STEPS >= calls[i].steps))
            CHECK_FAIL("%s: %g instructions for %g steps", calls[i].body, counted, calls[i].steps);
    }
}

// What costs nothing must stay cheap: a cycle of tripod.lua calls some eighty functions.
TEST(plain_calls_count_as_a_few_instructions)
{
    static const char *const bodies[] = {
        "local x = math.sqrt(i)",       "local x = math.atan(i, 2)", "local x = type(s)",
        "local x = s:sub(7, 9)",        "local x = s:len()",         "t[#t + 1] = i",
        "table.insert(t, i)",           "table.remove(t)",           "local x = i % 7",
        "local x = select(2, i, i, i)", "local x = s == i",          "local x = s < 'b'"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        const double counted = price("local s, t = ('a'):rep(4000), {}", bodies[i]);
        if (!(counted < 30.0)) CHECK_FAIL("%s: %g instructions", bodies[i], counted);
    }
}

/// Those that count what they are given themselves; each is among the calls above.
static bool is_own(const char *name)
{
    static const char *const own[] = {"sin", "cos", "sqrt", "asin", "acos", "atan"};
    for (int i = 0; i < 6; i++)
        if (strcmp(own[i], name) == 0) return true;
    return false;
}

/// The table of functions at the top, by its name.
static void check_prices(lua_State *L, const char *library)
{
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        if (!lua_iscfunction(L, -1) || is_own(lua_tostring(L, -2))) continue;
        if (!lua_getupvalue(L, -1, 1)) CHECK_FAIL("%s.%s has no price", library, lua_tostring(L, -2));
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static int look_at_library(lua_State *L)
{
    static const char *const libraries[] = {"math", "string", "table"};
    ff_lua_sandbox_globals(L);
    for (int i = 0; i < 3; i++) {
        lua_getfield(L, -1, libraries[i]);
        CHECK(lua_istable(L, -1));
        check_prices(L, libraries[i]);
    }
    check_prices(L, "_G");
    lua_pushliteral(L, "");
    CHECK(lua_getmetatable(L, -1));
    check_prices(L, "arithmetic of strings");
    return 0;
}

TEST(no_function_is_without_a_price)
{
    for (unsigned allow = 0; allow < 64; allow += 48) { // also with patterns and metatables
        open_box(allow);
        CHECK(ff_lua_sandbox_call(&box, look_at_library, NULL, 1e6));
        ff_lua_sandbox_close(&box);
    }
}

// Where memory is refused Lua first collects its garbage, which pcall lets a script have again and again.
TEST(memory_refused_counts_by_what_there_is)
{
    open_box(0);
    const char *fill = "local t = {} for i = 1, 30000 do t[i] = {} end keep = t";
    CHECK(run(fill, 1e8));
    CHECK(!run("local n = 0 while true do n = n + 1 if n > 35 then error('never') end pcall(string.rep, 'x', 5000) end",
               1e6));
    CHECK(strstr(box.text,
                 "instructions in one call")); // 30000 tables of 64 bytes: 3e4 of 1e6 instructions each time, at least
    ff_lua_sandbox_close(&box);
}

static int looks;
static double pace; // [s] a look

static double false_clock(void)
{
    return pace * looks++;
}

// A clock guards what no price can: 1e308 % 3e-308 is one instruction of two microseconds. It ends a call after a
// quarter of a microsecond for each instruction allowed, and a short call never reads it.
TEST(a_call_ends_when_it_takes_far_longer_than_its_instructions_should)
{
    open_box(0);
    box.clock = false_clock;
    looks = 0, pace = 1e9;
    CHECK(run("for i = 1, 1000 do local x = i * i end", 1e6));
    CHECK_INT(looks, 0);
    // some 250000 instructions: a look each 5000, and all of them in 0.225 s
    looks = 0, pace = 0.225 / 50.0;
    CHECK(run("for i = 1, 120000 do local x = i * i end", 1e6));
    CHECK(looks > 40 && looks <= 73);
    looks = 0, pace = 0.015;
    CHECK(!run("while true do pcall(function() for i = 1, 1e9 do local x = 1e308 % i end end) end", 1e6));
    CHECK_SAYS(box.text, "more than 0.25 s of processor time in one call");
    CHECK_INT(looks, 18); // 17 * 0.015 s are more than that
    ff_lua_sandbox_close(&box);
}

#define FOR_EVER "while true do pcall(function() while true do end end) end"

TEST(who_only_looks_bounds_the_time_whatever_is_allowed)
{
    open_box(0);
    box.clock = false_clock;
    box.longest_call = 3.0;
    looks = 0, pace = 0.015;
    CHECK(!run(FOR_EVER, 1e12));
    CHECK_SAYS(box.text, "more than 3.0 s of processor time in one call: `check` and the studio give no more");
    CHECK(looks >= 200 && looks <= 203);
    CHECK(run("local x = 1", 1e12)); // the next call has a time of its own
    ff_lua_sandbox_close(&box);
}

static bool yes(void *asked)
{
    ++*(int *)asked;
    return true;
}

// A short call goes to its end, so that a simulation that is stopped can go on bit for bit.
TEST(a_long_call_ends_when_nobody_waits_for_it)
{
    int asked = 0;
    const ff_stop stop = {yes, &asked};
    open_box(0);
    box.clock = false_clock;
    ff_stop_set(&stop);
    looks = 0, pace = 0.015;
    CHECK(run("for i = 1, 70000 do local x = i * i end", 1e12)); // some 28 looks: 0.42 s
    CHECK(looks > 20);
    CHECK_INT(asked, 0);
    looks = 0;
    CHECK(!run(FOR_EVER, 1e12));
    ff_stop_set(NULL);
    CHECK_SAYS(box.text, "stopped by the user");
    CHECK_INT(asked, 1);
    CHECK(looks <= 36); // 0.5 s
    ff_lua_sandbox_close(&box);
}
