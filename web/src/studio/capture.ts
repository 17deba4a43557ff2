// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures and films of the viewport, saved by the browser: PNG of the canvas, WebM of its pictures with a line that shows scene, time and scale of arrows.
import type { Session } from "./session";
import { FilmPictures, type Legend } from "./film_legend";
import type { Viewport } from "./viewport";

const FILM_RATE = 30; // [1/s]
const FILM_KINDS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];

function save(blob: Blob, name: string): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** "anton-tripod-2.50s" */
export function captureName(path: string, t: number): string {
    return `${path.split("/").pop()?.replace(/\.yaml$/, "") || "studio"}-${t.toFixed(2)}s`;
}

export class Capture {
    private film: MediaRecorder | null = null;

    constructor(
        private readonly session: Session,
        private readonly view: Viewport,
        private readonly onFilm: (running: boolean) => void,
    ) {}

    private name(): string {
        return captureName(this.session.store.get("scene")?.path ?? "", this.session.time());
    }

    picture(): void {
        this.view.draw();
        this.view.canvas.toBlob((blob) => {
            if (blob) save(blob, `${this.name()}.png`);
            else this.session.notify("error", "The browser made no picture of the viewport.");
        }, "image/png");
    }

    /** Begins a film, or ends and saves the present one. */
    toggleFilm(): void {
        if (this.film) this.film.stop();
        else this.begin();
    }

    private legend(): Legend {
        const { store } = this.session;
        return { title: store.get("scene")?.title ?? "", t: this.session.time(), pace: store.get("run").pace, arrows: this.view.arrowScale };
    }

    private begin(): void {
        const kind = typeof MediaRecorder === "undefined" ? undefined : FILM_KINDS.find((k) => MediaRecorder.isTypeSupported(k));
        if (!kind) {
            this.session.notify("error", "This browser records no WebM; Chromium and Firefox do.");
            return;
        }
        const parts: Blob[] = [];
        const name = this.name();
        const pictures = new FilmPictures();
        const add = (): void => pictures.add(this.view.canvas, this.legend());
        this.view.draw();
        add();
        this.view.onDrawn = add;
        const film = new MediaRecorder(pictures.canvas.captureStream(FILM_RATE), { mimeType: kind, videoBitsPerSecond: 8e6 });
        film.ondataavailable = (event) => parts.push(event.data);
        film.onstop = () => {
            this.film = null;
            this.view.steady = false;
            this.view.onDrawn = null;
            this.onFilm(false);
            save(new Blob(parts, { type: "video/webm" }), `${name}.webm`);
        };
        film.start(1000);
        this.film = film;
        this.view.steady = true;
        this.view.redraw();
        this.onFilm(true);
    }
}
