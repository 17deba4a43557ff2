// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The band that a certificate gives around a curve, in plots of the report and of the studio.
import type uPlot from "uplot";
import type { Band } from "../core/certificate";

/** The area between two edges, in the colour of its line; it breaks where there is no edge. */
export function drawBand(u: uPlot, band: Band, fill: string): void {
    const { ctx } = u;
    const x = (i: number): number => u.valToPos(band.time[i], "x", true);
    const y = (v: number): number => u.valToPos(v, "y", true);
    const known = (i: number): boolean => i < band.time.length && Number.isFinite(band.low[i]) && Number.isFinite(band.high[i]);
    ctx.save();
    ctx.beginPath();
    ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    ctx.clip();
    ctx.fillStyle = fill;
    ctx.globalAlpha = 0.25;
    for (let from = 0; from < band.time.length; from++) {
        if (!known(from)) continue;
        let to = from;
        while (known(to + 1)) to++;
        ctx.beginPath();
        for (let i = from; i <= to; i++) ctx.lineTo(x(i), y(band.high[i]));
        for (let i = to; i >= from; i--) ctx.lineTo(x(i), y(band.low[i]));
        ctx.fill();
        from = to;
    }
    ctx.restore();
}
