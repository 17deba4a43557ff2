// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// From the text of a formula to instructions. The arithmetic is that of numbers in files (text/yaml_number.c), without
// units, with truths and with quantities of a robot as names:
//     either  = both {"or" both}
//     both    = not {"and" not}
//     not     = ["not"] compared
//     compared= sum [("<" | "<=" | ">" | ">=") sum]
//     sum     = product {("+" | "-") product}
//     product = sign {("*" | "/") sign}
//     sign    = {"-" | "+"} power
//     power   = atom ["^" whole number]
//     atom    = number | name | function "(" either {"," either} ")" | "(" either ")"
// Names of joints and feet with other characters than letters, digits, '_' and '.' stand in single quotes.
#include "batch/formula.h"

#include <footfall/text.h>

#include "batch/kernel.h"

#include <stdio.h>
#include <string.h>

enum { MOST_NESTING = 40, MOST_CODE = 4096, NAME_SIZE = 128 };

typedef enum kind { NUMBER, TRUTH } kind;

typedef struct scan {
    const ff_batch_model *model;
    const char *name, *text, *at;
    const char *quantity; // where one that is a formula itself stands in the text; NULL: none is read
    ff_formula *out;
    int depth;   // numbers on the stack
    int nesting; // of parentheses and quantities that are formulas themselves
    ff_status status;
    ff_error *err;
} scan;

static kind either(scan *s);

static kind complain(scan *s, const char *what)
{
    if (s->status) return NUMBER;
    const char *const at = s->quantity ? s->quantity : s->at;
    s->status = ff_error_set(s->err, FF_BAD_ARGUMENT, "%s, column %d of '%.200s': %s", s->name, (int)(at - s->text) + 1,
                             s->text, what);
    return NUMBER;
}

// ------------------------------------------------------------------------------------------ instructions

static void emit(scan *s, int op, int row, double value)
{
    ff_formula *f = s->out;
    if (s->status) return;
    s->depth += op <= FF_FORMULA_GROUND ? 1 : op >= FF_FORMULA_ADD ? -1 : 0;
    if (s->depth > FF_FORMULA_DEPTH) {
        complain(s, "too many numbers wait for each other: write long sums from left to right");
    } else if (f->count >= MOST_CODE) {
        s->status = ff_error_set(s->err, FF_LIMIT,
                                 "%s, column %d of '%.200s': the formulas of a batch together have up to %d "
                                 "instructions, and there are no more for the rest of this one",
                                 s->name, (int)(s->at - s->text) + 1, s->text, MOST_CODE);
    } else if (!ff_array_grow(&f->code, f->count, &f->capacity, sizeof *f->code)) {
        s->status = ff_error_set(s->err, FF_NO_MEMORY, "no memory for the formula '%s'", s->name);
    } else {
        f->code[f->count++] = (ff_formula_step){op, row, value};
    }
}

// ------------------------------------------------------------------------------------------ quantities

/// Rows of the state from that of the first free root on, its velocity, or what is kept of the robot.
typedef enum base { OF_ROOT, OF_SPEED, OF_ROBOT, OF_PARAMETERS } base;

static const struct {
    const char *name;
    base from;
    int row;
} ROWS[] = {
    {"root.x", OF_ROOT, 0},
    {"root.y", OF_ROOT, 1},
    {"root.z", OF_ROOT, 2},
    {"root.qw", OF_ROOT, 3},
    {"root.qx", OF_ROOT, 4},
    {"root.qy", OF_ROOT, 5},
    {"root.qz", OF_ROOT, 6},
    {"root.vx", OF_SPEED, 0},
    {"root.vy", OF_SPEED, 1},
    {"root.vz", OF_SPEED, 2},
    {"root.gyro.x", OF_SPEED, 3},
    {"root.gyro.y", OF_SPEED, 4},
    {"root.gyro.z", OF_SPEED, 5},
    {"root.ax", OF_ROBOT, FF_ROBOT_ACCELERATION},
    {"root.ay", OF_ROBOT, FF_ROBOT_ACCELERATION + 1},
    {"root.az", OF_ROBOT, FF_ROBOT_ACCELERATION + 2},
    {"root.angular_acceleration.x", OF_ROBOT, FF_ROBOT_TURNING},
    {"root.angular_acceleration.y", OF_ROBOT, FF_ROBOT_TURNING + 1},
    {"root.angular_acceleration.z", OF_ROBOT, FF_ROBOT_TURNING + 2},
    {"age", OF_ROBOT, FF_ROBOT_AGE},
    {"friction", OF_PARAMETERS, FF_BATCH_FRICTION},
    {"contact_stiffness", OF_PARAMETERS, FF_BATCH_CONTACT_STIFFNESS},
    {"mass", OF_PARAMETERS, FF_BATCH_MASS},
    {"gain", OF_PARAMETERS, FF_BATCH_GAIN},
};
enum { ROW_COUNT = sizeof ROWS / sizeof *ROWS };

/// Quantities that are formulas of other quantities. The attitude is R = (columns x, y, z of the root in the world).
static const struct {
    const char *name, *text;
} DERIVED[] = {
    {"time", "age * step"},
    {"height", "root.z - ground"},
    {"speed", "sqrt(root.vx^2 + root.vy^2 + root.vz^2)"},
    {"upright", "root.qw^2 - root.qx^2 - root.qy^2 + root.qz^2"},
    {"tilt", "atan2(2 * sqrt((root.qx^2 + root.qy^2) * (root.qw^2 + root.qz^2)), upright)"},
    {"yaw", "atan2(2 * (root.qx * root.qy + root.qw * root.qz), root.qw^2 + root.qx^2 - root.qy^2 - root.qz^2)"},
    {"forward", "root.vx * cos(yaw) + root.vy * sin(yaw)"},
    {"sideways", "root.vy * cos(yaw) - root.vx * sin(yaw)"},
    {"root.specific_force.x", "(root.qw^2 + root.qx^2 - root.qy^2 - root.qz^2) * (root.ax - gravity.x)"
                              " + 2 * (root.qx * root.qy + root.qw * root.qz) * (root.ay - gravity.y)"
                              " + 2 * (root.qx * root.qz - root.qw * root.qy) * (root.az - gravity.z)"},
    {"root.specific_force.y", "2 * (root.qx * root.qy - root.qw * root.qz) * (root.ax - gravity.x)"
                              " + (root.qw^2 - root.qx^2 + root.qy^2 - root.qz^2) * (root.ay - gravity.y)"
                              " + 2 * (root.qy * root.qz + root.qw * root.qx) * (root.az - gravity.z)"},
    {"root.specific_force.z",
     "2 * (root.qx * root.qz + root.qw * root.qy) * (root.ax - gravity.x)"
     " + 2 * (root.qy * root.qz - root.qw * root.qx) * (root.ay - gravity.y) + upright * (root.az - gravity.z)"},
};
enum { DERIVED_COUNT = sizeof DERIVED / sizeof *DERIVED };

static bool add_row(scan *s, const char *name)
{
    const ff_batch_model *m = s->model;
    const int first[] = {m->root, m->nq + m->root_v, m->robot, m->parameter};
    for (int i = 0; i < ROW_COUNT; i++) {
        if (strcmp(name, ROWS[i].name) != 0) continue;
        if (m->root < 0 && strncmp(name, "root.", 5) == 0)
            complain(s, "this robot has no free root, which height, speed and attitude are of");
        else
            emit(s, FF_FORMULA_ROW, first[ROWS[i].from] + ROWS[i].row, 0.0);
        return true;
    }
    return false;
}

static bool add_constant(scan *s, const char *name)
{
    const ff_batch_model *m = s->model;
    const struct {
        const char *name;
        double value;
    } constants[] = {{"pi", FF_PI},
                     {"step", m->step},
                     {"gravity.x", m->gravity[0]},
                     {"gravity.y", m->gravity[1]},
                     {"gravity.z", m->gravity[2]}};
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        if (strcmp(name, constants[i].name) != 0) continue;
        emit(s, FF_FORMULA_CONSTANT, 0, constants[i].value);
        return true;
    }
    return false;
}

/// The ground that heights are measured from: the field below the root, or a level that stays.
static bool add_ground(scan *s, const char *name)
{
    if (strcmp(name, "ground") != 0) return false;
    if (s->model->ground >= 0)
        emit(s, FF_FORMULA_GROUND, 0, 0.0);
    else
        emit(s, FF_FORMULA_CONSTANT, 0, ff_batch_ground(s->model));
    return true;
}

/// Reads the formula that a quantity is.
static void add_text(scan *s, const char *text)
{
    const char *const at = s->at, *const outside = s->quantity;
    s->quantity = outside ? outside : at;
    s->at = text;
    either(s);
    s->at = at;
    s->quantity = outside;
}

static bool add_derived(scan *s, const char *name)
{
    for (int i = 0; i < DERIVED_COUNT; i++) {
        if (strcmp(name, DERIVED[i].name) != 0) continue;
        add_text(s, DERIVED[i].text);
        return true;
    }
    return false;
}

/// The channel of that name, or the only one of the sensor of that name, as recordings call it. -1: none
static int find_channel(const ff_batch_model *m, const char *name)
{
    const size_t length = strlen(name);
    int only = -1, count = 0;
    for (int i = 0; i < m->nchannel; i++) {
        const char *channel = m->channels[i].name;
        if (strcmp(name, channel) == 0) return i;
        if (strncmp(name, channel, length) != 0 || channel[length] != '.' || strchr(channel + length + 1, '.'))
            continue;
        only = i;
        count++;
    }
    return count == 1 ? only : -1;
}

/// Writes the names of the channels that there are, as many as fit.
static void list_channels(const ff_batch_model *m, char *list, size_t size)
{
    const char *name;
    for (int i = 0; (name = ff_batch_channel_name(m, i)); i++) {
        const size_t used = strlen(list);
        if (used + strlen(name) + 8 > size) {
            strncat(list, ", ..", size - used - 1);
            return;
        }
        if (i > 0) strncat(list, ", ", size - used - 1);
        strncat(list, name, size - strlen(list) - 1);
    }
}

/// "sensors.gyro.x": what a sensor of the scene reads.
static bool add_sensor(scan *s, const char *name)
{
    static const char lead[] = "sensors.";
    if (strncmp(name, lead, sizeof lead - 1) != 0) return false;
    char text[400], list[200] = "";
    const int i = find_channel(s->model, name);
    if (i >= 0) {
        const ff_batch_channel *channel = &s->model->channels[i];
        snprintf(text, sizeof text, "a batch does not have '%.60s': %.200s", name,
                 channel->missing ? channel->missing : "");
        if (channel->missing) return complain(s, text), true;
        add_text(s, channel->truth);
        return emit(s, FF_FORMULA_SENSE, i, 0.0), true;
    }
    list_channels(s->model, list, sizeof list);
    const char *const advice = list[0]                  ? "there are "
                               : s->model->nchannel > 0 ? "a batch has none of the sensors of this scene"
                                                        : "sensors come with a scene, by 'effects: {sensors: real}'";
    snprintf(text, sizeof text, "there is no '%.60s': %s%s", name, advice, list);
    return complain(s, text), true;
}

/// Sum of the forces of all contact points on a shape of the world or, where that is -1, of a foot.
static void add_forces(scan *s, int shape, int foot, int axis)
{
    emit(s, FF_FORMULA_CONSTANT, 0, 0.0);
    for (int i = 0; i < s->model->npoint; i++) {
        const ff_batch_point *point = &s->model->points[i];
        if (shape >= 0 ? point->shape != shape : point->foot != foot) continue;
        emit(s, FF_FORMULA_ROW, point->row + FF_POINT_FORCE + axis, 0.0);
        emit(s, FF_FORMULA_ADD, 0, 0.0);
    }
}

/// "#7.x": force on shape 7 of the world, for what sensors are made of.
static bool add_shape(scan *s, const char *name)
{
    int shape = 0, length = 0;
    char axis = 0;
    if (sscanf(name, "#%d.%c%n", &shape, &axis, &length) != 2 || name[length] || axis < 'x' || axis > 'z' || shape < 0)
        return false;
    add_forces(s, shape, -1, axis - 'x');
    return true;
}

/// "cut#2.fx", "cut#2.mx": force and moment through cut 2 in the axes of its sensor, likewise.
static bool add_cut(scan *s, const char *name)
{
    int cut = 0, length = 0;
    char what = 0, axis = 0;
    if (sscanf(name, "cut#%d.%c%c%n", &cut, &what, &axis, &length) != 3 || name[length]) return false;
    if ((what != 'f' && what != 'm') || axis < 'x' || axis > 'z' || cut < 0 || cut >= s->model->ncut) return false;
    emit(s, FF_FORMULA_ROW, s->model->cut + FF_CUT_ROWS * cut + (what == 'm' ? 3 : 0) + (axis - 'x'), 0.0);
    return true;
}

/// Is `name` that of a thing, a dot and one more word? That word, or NULL.
static const char *word_behind(const char *name, const char *thing)
{
    const size_t n = strlen(thing);
    return strncmp(name, thing, n) == 0 && name[n] == '.' ? name + n + 1 : NULL;
}

/// "knee.position", "knee.speed", "knee.target": that of its servo.
static bool add_joint(scan *s, const char *name)
{
    for (int i = 0; i < s->model->njoint; i++) {
        const ff_batch_joint *joint = &s->model->joints[i];
        const char *word = word_behind(name, joint->name);
        if (!word) continue;
        if (strcmp(word, "position") == 0) return emit(s, FF_FORMULA_ROW, joint->q, 0.0), true;
        if (strcmp(word, "speed") == 0) return emit(s, FF_FORMULA_ROW, joint->v, 0.0), true;
        if (strcmp(word, "target") == 0 && joint->servo >= 0)
            return emit(s, FF_FORMULA_INPUT, 3 * joint->servo, 0.0), true;
    }
    return false;
}

/// "FL.force.z": sum over the contact points of a foot or hand.
static bool add_foot(scan *s, const char *name)
{
    const ff_batch_model *m = s->model;
    for (int foot = 0; foot < m->nfoot; foot++) {
        const char *word = word_behind(name, m->feet[foot]);
        const char *axis = word ? word_behind(word, "force") : NULL;
        if (!axis || axis[0] < 'x' || axis[0] > 'z' || axis[1]) continue;
        add_forces(s, -1, foot, axis[0] - 'x');
        return true;
    }
    return false;
}

static kind complain_name(scan *s, const char *name)
{
    const char *known[ROW_COUNT + DERIVED_COUNT];
    for (int i = 0; i < ROW_COUNT; i++) known[i] = ROWS[i].name;
    for (int i = 0; i < DERIVED_COUNT; i++) known[ROW_COUNT + i] = DERIVED[i].name;
    const char *near = ff_text_nearest(name, known, ROW_COUNT + DERIVED_COUNT);
    char text[400];
    if (near)
        snprintf(text, sizeof text, "there is no quantity '%.60s'; did you mean '%s'?", name, near);
    else
        snprintf(text, sizeof text,
                 "there is no quantity '%.60s': there are height, tilt, speed, time and others of the robot, "
                 "JOINT.position, .speed and .target, FOOT.force.x, .y and .z",
                 name);
    return complain(s, text);
}

static kind quantity(scan *s, const char *name)
{
    if (!add_row(s, name) && !add_constant(s, name) && !add_ground(s, name) && !add_derived(s, name) &&
        !add_joint(s, name) && !add_foot(s, name) && !add_sensor(s, name) && !add_shape(s, name) && !add_cut(s, name))
        complain_name(s, name);
    return NUMBER;
}

// ------------------------------------------------------------------------------------------ words

static void skip_blanks(scan *s)
{
    s->at += strspn(s->at, " \t\n");
}

static bool skip_sign(scan *s, const char *sign)
{
    skip_blanks(s);
    const size_t n = strlen(sign);
    if (strncmp(s->at, sign, n) != 0) return false;
    s->at += n;
    return true;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static size_t name_length(const char *at)
{
    size_t n = 0;
    while (is_letter(at[n]) || (n > 0 && ((at[n] >= '0' && at[n] <= '9') || at[n] == '.'))) n++;
    return n;
}

bool ff_formula_is_plain(const char *name)
{
    return name[0] != '\0' && name[name_length(name)] == '\0';
}

/// A word such as "and", where it stands alone.
static bool take_word(scan *s, const char *word)
{
    skip_blanks(s);
    const size_t n = strlen(word);
    if (name_length(s->at) != n || strncmp(s->at, word, n) != 0) return false;
    s->at += n;
    return true;
}

/// Copies a name. @return false after an error
static bool copy_name(scan *s, size_t length, char out[NAME_SIZE])
{
    if (length >= NAME_SIZE) return complain(s, "a name in it is too long"), false;
    memcpy(out, s->at, length);
    out[length] = '\0';
    return true;
}

// ------------------------------------------------------------------------------------------ grammar

static kind call(scan *s, const char *name)
{
    static const struct {
        const char *name;
        int op;
    } functions[] = {{"sqrt", FF_FORMULA_SQRT}, {"abs", FF_FORMULA_ABS},    {"sin", FF_FORMULA_SIN},
                     {"cos", FF_FORMULA_COS},   {"exp", FF_FORMULA_EXP},    {"min", FF_FORMULA_MIN},
                     {"max", FF_FORMULA_MAX},   {"atan2", FF_FORMULA_ATAN2}};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(functions[i].name, name) != 0) continue;
        const bool two = functions[i].op >= FF_FORMULA_ADD;
        either(s);
        if (two && !skip_sign(s, ",")) return complain(s, "this function takes two numbers, with a ',' between them");
        if (two) either(s);
        if (!skip_sign(s, ")")) return complain(s, "a ')' is missing");
        emit(s, functions[i].op, 0, 0.0);
        return NUMBER;
    }
    return complain(s, "unknown function; known are sqrt, abs, sin, cos, exp, min, max, atan2");
}

static kind named(scan *s)
{
    char name[NAME_SIZE];
    if (skip_sign(s, "'")) {
        const size_t n = strcspn(s->at, "'");
        if (!s->at[n]) return complain(s, "a \"'\" is missing behind a name");
        if (!copy_name(s, n, name)) return NUMBER;
        const kind k = quantity(s, name);
        s->at += n + 1;
        return k;
    }
    const size_t n = name_length(s->at);
    if (!copy_name(s, n, name)) return NUMBER;
    if (s->at[n + strspn(s->at + n, " \t\n")] != '(') {
        quantity(s, name);
        s->at += n;
        return NUMBER;
    }
    s->at += n;
    skip_sign(s, "(");
    return call(s, name);
}

static kind atom(scan *s)
{
    skip_blanks(s);
    if (s->status) return NUMBER;
    if (s->nesting >= MOST_NESTING) return complain(s, "nested too deeply");
    s->nesting++;
    kind k = NUMBER;
    const size_t length = *s->at == '+' || *s->at == '-' ? 0 : ff_text_number_length(s->at, strlen(s->at));
    double value = 0.0;
    if (length > 0) {
        if (!ff_text_number(s->at, length, &value)) complain(s, "a number in it is too large");
        s->at += length;
        emit(s, FF_FORMULA_CONSTANT, 0, value);
    } else if (skip_sign(s, "(")) {
        k = either(s);
        if (!skip_sign(s, ")")) complain(s, "a ')' is missing");
    } else if (is_letter(*s->at) || *s->at == '\'') {
        k = named(s);
    } else {
        complain(s, *s->at ? "expected a number, a quantity or '('" : "it ends too early");
    }
    s->nesting--;
    return k;
}

static kind power(scan *s)
{
    kind k = atom(s);
    if (!skip_sign(s, "^")) return k;
    skip_blanks(s);
    const size_t length = ff_text_number_length(s->at, strlen(s->at));
    double value = 0.0;
    if (length == 0 || !ff_text_number(s->at, length, &value) || !(value >= 0.0 && value <= FF_FORMULA_POWER) ||
        value != (double)(int)value)
        return complain(s, "a power is a whole number from 0 to 16; there is sqrt, too");
    s->at += length;
    emit(s, FF_FORMULA_RAISE, (int)value, 0.0);
    return NUMBER;
}

static kind sign(scan *s)
{
    bool negative = false, any = false;
    for (;; any = true) {
        if (skip_sign(s, "-"))
            negative = !negative;
        else if (!skip_sign(s, "+"))
            break;
    }
    const kind k = power(s);
    if (negative) emit(s, FF_FORMULA_NEGATE, 0, 0.0);
    return any ? NUMBER : k;
}

/// Operands by `operand`, with either of two operators between them, from left to right.
static kind chain(scan *s, kind (*operand)(scan *s), const char *first, int first_op, const char *second, int second_op)
{
    kind k = operand(s);
    while (!s->status) {
        const bool is_first = skip_sign(s, first);
        if (!is_first && !skip_sign(s, second)) break;
        operand(s);
        emit(s, is_first ? first_op : second_op, 0, 0.0);
        k = NUMBER;
    }
    return k;
}

static kind product(scan *s)
{
    return chain(s, sign, "*", FF_FORMULA_MULTIPLY, "/", FF_FORMULA_DIVIDE);
}

static kind sum(scan *s)
{
    return chain(s, product, "+", FF_FORMULA_ADD, "-", FF_FORMULA_SUBTRACT);
}

/// a > b is b < a: the two are exchanged by their negatives, which is exact.
static kind compared(scan *s)
{
    const kind k = sum(s);
    skip_blanks(s);
    const bool above = *s->at == '>';
    if (s->status || (!above && *s->at != '<')) return k;
    s->at++;
    const bool equal = *s->at == '=';
    if (equal) s->at++;
    if (above) emit(s, FF_FORMULA_NEGATE, 0, 0.0);
    sum(s);
    if (above) emit(s, FF_FORMULA_NEGATE, 0, 0.0);
    emit(s, equal ? FF_FORMULA_AT_MOST : FF_FORMULA_BELOW, 0, 0.0);
    return TRUTH;
}

static void need_truth(scan *s, kind k)
{
    if (k != TRUTH) complain(s, "'and', 'or' and 'not' take comparisons, such as height < 0.1");
}

static kind not(scan * s)
{
    if (!take_word(s, "not")) return compared(s);
    if (s->nesting >= MOST_NESTING) return complain(s, "nested too deeply");
    s->nesting++;
    need_truth(s, not(s));
    s->nesting--;
    emit(s, FF_FORMULA_NOT, 0, 0.0);
    return TRUTH;
}

/// Truths by `operand`, joined by a word.
static kind joined(scan *s, kind (*operand)(scan *s), const char *word, int op)
{
    kind k = operand(s);
    while (!s->status && take_word(s, word)) {
        need_truth(s, k);
        need_truth(s, k = operand(s));
        emit(s, op, 0, 0.0);
    }
    return k;
}

static kind both(scan *s)
{
    return joined(s, not, "and", FF_FORMULA_AND);
}

static kind either(scan *s)
{
    return joined(s, both, "or", FF_FORMULA_OR);
}

ff_status ff_formula_compile(const ff_batch_model *model, const char *name, const char *text, bool condition,
                             ff_formula *out, ff_error *err)
{
    scan s = {.model = model, .name = name, .text = text, .at = text, .out = out, .err = err};
    const kind k = either(&s);
    skip_blanks(&s);
    if (*s.at && !s.status)
        complain(&s,
                 *s.at == '=' || *s.at == '!' ? "numbers are compared by <, <=, > and >=" : "nothing is expected here");
    if (condition && k != TRUTH)
        complain(&s, "this is a number, and a condition is needed: compare it, such as height < 0.1");
    return s.status;
}
