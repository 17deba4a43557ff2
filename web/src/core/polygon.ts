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
