// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Formulas over the quantities of a robot, such as "height < 0.06 or tilt > 0.8": a small program for a stack of
// numbers, plain data that can be copied to a device. formula.c compiles a text once; evaluate.h runs the program for
// the robots of a block, in every width of lanes and on a device from the same source.
#ifndef FOOTFALL_BATCH_FORMULA_H
#define FOOTFALL_BATCH_FORMULA_H

#include <footfall/base.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { FF_FORMULA_DEPTH = 16 }; // numbers on the stack
enum { FF_FORMULA_POWER = 16 }; // the largest

/// What an instruction does: pushes one number, or takes one or two from the stack and pushes the result. Truths are 1
/// and 0.
enum {
    FF_FORMULA_CONSTANT, // value
    FF_FORMULA_ROW,      // of the state
    FF_FORMULA_INPUT,    // row of the inputs
    FF_FORMULA_GROUND,   // height of the field below the first free root; up to here a number is pushed
    FF_FORMULA_SENSE,    // what channel `row` reads of a true value
    FF_FORMULA_NEGATE,
    FF_FORMULA_RAISE, // to the power `row`, 0 to FF_FORMULA_POWER
    FF_FORMULA_ABS,
    FF_FORMULA_SQRT,
    FF_FORMULA_SIN,
    FF_FORMULA_COS,
    FF_FORMULA_EXP,
    FF_FORMULA_NOT,
    FF_FORMULA_ADD, // from here on two numbers become one
    FF_FORMULA_SUBTRACT,
    FF_FORMULA_MULTIPLY,
    FF_FORMULA_DIVIDE,
    FF_FORMULA_MIN,
    FF_FORMULA_MAX,
    FF_FORMULA_ATAN2,
    FF_FORMULA_BELOW,
    FF_FORMULA_AT_MOST,
    FF_FORMULA_AND,
    FF_FORMULA_OR
};

typedef struct ff_formula_step {
    int op, row;
    double value;
} ff_formula_step;

struct ff_batch_model;

/// Instructions of a formula, in an array that grows by doubling.
typedef struct ff_formula {
    ff_formula_step *code; // malloc'ed
    int count, capacity;
} ff_formula;

/// Appends the instructions of a text to `out`.
/// @param name  of the formula, for messages
/// @param condition  the result must be a truth; else it is a number, and a truth counts 1 or 0
/// @return FF_BAD_ARGUMENT with what is wrong and where, or FF_NO_MEMORY
ff_status ff_formula_compile(const struct ff_batch_model *model, const char *name, const char *text, bool condition,
                             ff_formula *out, ff_error *err);
/// Can a name stand in a formula without quotes?
bool ff_formula_is_plain(const char *name);

#ifdef __cplusplus
}
#endif
#endif
