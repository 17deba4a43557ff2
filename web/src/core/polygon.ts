// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The support polygon: the convex hull of the feet that carry, seen from above, and how far a point lies inside it.

export type Point = [number, number];

function cross(o: Point, a: Point, b: Point): number {
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
}

/** Corners of the convex hull, counter-clockwise (Andrew's monotone chain); points on an edge are left out. */
export function hull(points: Point[]): Point[] {
    const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    if (sorted.length < 3) return sorted;
    const half = (list: Point[]): Point[] => {
        const chain: Point[] = [];
        for (const p of list) {
            while (chain.length >= 2 && cross(chain[chain.length - 2], chain[chain.length - 1], p) <= 0) chain.pop();
            chain.push(p);
        }
        chain.pop();
        return chain;
    };
    return [...half(sorted), ...half(sorted.reverse())];
}

function toSegment(p: Point, a: Point, b: Point): number {
    const dx = b[0] - a[0];
    const dy = b[1] - a[1];
    const square = dx * dx + dy * dy;
    const f = square > 0 ? Math.min(1, Math.max(0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square)) : 0;
    return Math.hypot(p[0] - a[0] - f * dx, p[1] - a[1] - f * dy);
}

/** Distance of a point from the edge of a hull, negative outside; a point or a line has no inside; NaN without corners. */
export function margin(p: Point, corners: Point[]): number {
    if (corners.length === 0) return NaN;
    let nearest = Infinity;
    let inside = corners.length >= 3;
    corners.forEach((a, i) => {
        const b = corners[(i + 1) % corners.length];
        nearest = Math.min(nearest, toSegment(p, a, b));
        if (cross(a, b, p) < 0) inside = false;
    });
    return inside ? nearest : -nearest;
}

/** The convex hull again, of n points x y in `points`, which are sorted in place; corners go to `out`, their number comes back. Allocates nothing: for pictures of a live view. */
export function hullInto(points: Float64Array, n: number, out: Float64Array): number {
    for (let i = 1; i < n; i++) {
        const x = points[2 * i];
        const y = points[2 * i + 1];
        let k = i;
        for (; k > 0 && (points[2 * k - 2] > x || (points[2 * k - 2] === x && points[2 * k - 1] > y)); k--) {
            points[2 * k] = points[2 * k - 2];
            points[2 * k + 1] = points[2 * k - 1];
        }
        points[2 * k] = x;
        points[2 * k + 1] = y;
    }
    if (n < 3) {
        for (let i = 0; i < 2 * n; i++) out[i] = points[i];
        return n;
    }
    let size = 0;
    let floor = 0; // corners of the lower chain, which the upper one must not take away
    for (let pass = 0; pass < 2; pass++) {
        for (let j = 0; j < n; j++) {
            const i = 2 * (pass ? n - 1 - j : j);
            while (size - floor >= 2 && turns(out, size, points, i) <= 0) size--;
            out[2 * size] = points[i];
            out[2 * size + 1] = points[i + 1];
            size++;
        }
        size--; // the end of a chain is the start of the next
        floor = size;
    }
    return size;
}

// Twice the area of the triangle of the last two corners and a point; positive where it lies to the left.
function turns(out: Float64Array, size: number, points: Float64Array, i: number): number {
    const ax = out[2 * size - 4], ay = out[2 * size - 3];
    const bx = out[2 * size - 2], by = out[2 * size - 1];
    return (bx - ax) * (points[i + 1] - ay) - (by - ay) * (points[i] - ax);
}
