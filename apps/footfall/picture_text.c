// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "picture_text.h"

#include <math.h>
#include <string.h>

enum { ROWS = TEXT_HEIGHT, COLUMNS = 5 };
static const float INK[3] = {0.13f, 0.15f, 0.19f};

/// A letter: its rows from above, the leftmost dot is the highest of five bits.
typedef struct letter {
    char sign;
    unsigned char rows[ROWS];
} letter;

static const letter LETTERS[] = {
    {'a', {0, 0, 14, 1, 15, 17, 15, 0}},    {'b', {16, 16, 30, 17, 17, 17, 30, 0}},
    {'c', {0, 0, 14, 17, 16, 17, 14, 0}},   {'d', {1, 1, 15, 17, 17, 17, 15, 0}},
    {'e', {0, 0, 14, 17, 31, 16, 14, 0}},   {'f', {6, 9, 8, 28, 8, 8, 8, 0}},
    {'g', {0, 0, 15, 17, 17, 15, 1, 14}},   {'h', {16, 16, 30, 17, 17, 17, 17, 0}},
    {'i', {4, 0, 12, 4, 4, 4, 14, 0}},      {'j', {2, 0, 6, 2, 2, 2, 18, 12}},
    {'k', {16, 16, 18, 20, 24, 20, 18, 0}}, {'l', {12, 4, 4, 4, 4, 4, 14, 0}},
    {'m', {0, 0, 26, 21, 21, 21, 21, 0}},   {'n', {0, 0, 30, 17, 17, 17, 17, 0}},
    {'o', {0, 0, 14, 17, 17, 17, 14, 0}},   {'p', {0, 0, 30, 17, 17, 30, 16, 16}},
    {'q', {0, 0, 15, 17, 17, 15, 1, 1}},    {'r', {0, 0, 22, 25, 16, 16, 16, 0}},
    {'s', {0, 0, 15, 16, 14, 1, 30, 0}},    {'t', {8, 8, 28, 8, 8, 9, 6, 0}},
    {'u', {0, 0, 17, 17, 17, 17, 15, 0}},   {'v', {0, 0, 17, 17, 17, 10, 4, 0}},
    {'w', {0, 0, 17, 17, 21, 21, 10, 0}},   {'x', {0, 0, 17, 10, 4, 10, 17, 0}},
    {'y', {0, 0, 17, 17, 17, 15, 1, 14}},   {'z', {0, 0, 31, 2, 4, 8, 31, 0}},
    {'0', {14, 17, 19, 21, 25, 17, 14, 0}}, {'1', {4, 12, 4, 4, 4, 4, 14, 0}},
    {'2', {14, 17, 1, 6, 8, 16, 31, 0}},    {'3', {14, 17, 1, 6, 1, 17, 14, 0}},
    {'4', {2, 6, 10, 18, 31, 2, 2, 0}},     {'5', {31, 16, 30, 1, 1, 17, 14, 0}},
    {'6', {6, 8, 16, 30, 17, 17, 14, 0}},   {'7', {31, 1, 2, 4, 8, 8, 8, 0}},
    {'8', {14, 17, 17, 14, 17, 17, 14, 0}}, {'9', {14, 17, 17, 15, 1, 2, 12, 0}},
    {'.', {0, 0, 0, 0, 0, 12, 12, 0}},      {'-', {0, 0, 0, 14, 0, 0, 0, 0}},
    {'+', {0, 4, 4, 31, 4, 4, 0, 0}},       {'[', {14, 8, 8, 8, 8, 8, 14, 0}},
    {']', {14, 2, 2, 2, 2, 2, 14, 0}},      {'/', {1, 1, 2, 4, 8, 16, 16, 0}},
    {'_', {0, 0, 0, 0, 0, 0, 0, 31}},       {'%', {24, 25, 2, 4, 8, 19, 3, 0}},
};

void draw_block(ff_picture *picture, int x, int y, int width, int height, const float rgb[3])
{
    for (int j = y < 0 ? 0 : y; j < y + height && j < picture->height; j++)
        for (int i = x < 0 ? 0 : x; i < x + width && i < picture->width; i++)
            for (int k = 0; k < 3; k++)
                picture->rgb[3 * ((size_t)j * (size_t)picture->width + (size_t)i) + (size_t)k] =
                    (unsigned char)lrintf(255.0f * rgb[k]);
}

static void draw_letter(ff_picture *picture, int x, int y, int dot, const letter *l)
{
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            if (l->rows[row] >> (COLUMNS - 1 - column) & 1)
                draw_block(picture, x + column * dot, y + row * dot, dot, dot, INK);
}

void draw_text(ff_picture *picture, int x, int y, int dot, const char *text)
{
    for (; *text; text++, x += TEXT_WIDTH * dot)
        for (size_t i = 0; i < sizeof LETTERS / sizeof *LETTERS; i++)
            if (LETTERS[i].sign == *text) draw_letter(picture, x, y, dot, &LETTERS[i]);
}
