// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Short texts in pictures: small letters, digits and some signs, each drawn in a cell of 6 x 8 dots.
#ifndef FOOTFALL_APPS_PICTURE_TEXT_H
#define FOOTFALL_APPS_PICTURE_TEXT_H

#include <footfall/camera.h>

enum { TEXT_WIDTH = 6, TEXT_HEIGHT = 8 }; // of a letter with the gap to the next  [dots]

/// Draws a text, as far as it lies within the picture. Other characters than a-z, 0-9, `.-+[]/_%` are gaps.
/// @param x, y  its upper left corner  [pixel]    @param dot  side of a dot  [pixel]
void draw_text(ff_picture *picture, int x, int y, int dot, const char *text);
/// Fills a rectangle, as far as it lies within the picture.
void draw_block(ff_picture *picture, int x, int y, int width, int height, const float rgb[3]);

#endif
