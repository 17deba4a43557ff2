// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The pictures of a film: those of the viewport with a line below them in the corner, which shows the scene, the time and what force arrows stand for, so that a film says by itself what it shows. They are put
// together on a canvas of their own, while a film runs and at no other time.
import { color } from "../view/theme";

export interface Legend {
    title: string;
    /** [s] */
    t: number;
    /** Factor of real time; 0: as fast as possible. */
    pace: number;
    /** "10 N = 50 mm", "" without arrows. */
    arrows: string;
}

/** Text of the line. */
export function legendWords({ title, t, pace, arrows }: Legend): string[] {
    const speed = pace > 0 && pace !== 1 ? ` (${pace}\u00d7)` : "";
    return [title, `${t.toFixed(2)} s${speed}`, arrows ? `arrows: ${arrows}` : ""].filter((w) => w);
}

const GAP = "   \u00b7   ";

export class FilmPictures {
    readonly canvas = document.createElement("canvas");
    private readonly paint = this.canvas.getContext("2d");
    private begun = false;

    /** Puts the picture of the viewport and its line together. A film keeps the size it began with. */
    add(view: HTMLCanvasElement, legend: Legend): void {
        const { canvas, paint } = this;
        if (!paint) return;
        if (!this.begun) {
            canvas.width = view.width;
            canvas.height = view.height;
            this.begun = true;
        }
        paint.drawImage(view, 0, 0, canvas.width, canvas.height);
        this.write(paint, legendWords(legend));
    }

    private write(paint: CanvasRenderingContext2D, words: string[]): void {
        const { width, height } = this.canvas;
        const size = Math.max(11, Math.round(0.024 * height));
        const pad = Math.round(0.6 * size);
        paint.font = `600 ${size}px system-ui, sans-serif`;
        paint.textBaseline = "middle";
        let text = words.join(GAP);
        // a title that is too long is truncated
        for (let title = words[0]; title.length > 8 && paint.measureText(text).width > width - 4 * pad; ) {
            title = title.slice(0, -4);
            text = [`${title.trimEnd()}\u2026`, ...words.slice(1)].join(GAP);
        }
        const wide = paint.measureText(text).width + 2 * pad;
        const high = 2 * size;
        paint.globalAlpha = 0.82;
        paint.fillStyle = color("--card");
        paint.beginPath();
        paint.roundRect(pad, height - high - pad, wide, high, 0.4 * size);
        paint.fill();
        paint.globalAlpha = 1;
        paint.fillStyle = color("--ink");
        paint.fillText(text, 2 * pad, height - pad - 0.5 * high);
    }
}
