// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Tables of straight lines, for springs that stiffen and levers that change with the angle. Integrals are exact, so
// that a spring by table keeps energy and a lever by table is the derivative of its travel.
#include "drive/private.h"

#include <footfall/drive_parts.h>

/// Piece that holds x: largest k with x[k] <= x, between 0 and n - 2.
static int piece(const ff_table *table, double x)
{
    int low = 0, high = table->n - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (table->x[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

double ff_table_slope(const ff_table *table, double x)
{
    if (table->n < 2 || x < table->x[0] || x >= table->x[table->n - 1]) return 0.0;
    const int k = piece(table, x);
    return (table->y[k + 1] - table->y[k]) / (table->x[k + 1] - table->x[k]);
}

double ff_table_value(const ff_table *table, double x)
{
    if (table->n < 1) return 0.0;
    if (table->n == 1 || x <= table->x[0]) return table->y[0];
    if (x >= table->x[table->n - 1]) return table->y[table->n - 1];
    const int k = piece(table, x);
    return table->y[k] + (x - table->x[k]) * (table->y[k + 1] - table->y[k]) / (table->x[k + 1] - table->x[k]);
}

double ff_table_integral(const ff_table *table, double x)
{
    if (table->n < 1) return 0.0;
    if (table->n == 1 || x <= table->x[0]) return table->y[0] * (x - table->x[0]);
    double sum = 0.0;
    const int last = table->n - 1, k = x >= table->x[last] ? last : piece(table, x);
    for (int i = 0; i < k; i++) sum += 0.5 * (table->y[i] + table->y[i + 1]) * (table->x[i + 1] - table->x[i]);
    return sum + 0.5 * (table->y[k] + ff_table_value(table, x)) * (x - table->x[k]);
}
