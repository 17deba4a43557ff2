// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A WebGL that draws nothing, for pages whose tests do not read the picture: software that draws it takes most of the time of Chromium. Scripts of the viewport run as ever, up to what
// they ask of WebGL: every shader compiles and has no uniforms, and every call is fine. Tests with `shares` read what is really drawn.

/** Runs in a page before its own scripts. */
export function blankWebgl(): void {
    const { LINK_STATUS, VERSION, SHADING_LANGUAGE_VERSION, SCISSOR_BOX, VIEWPORT, NO_ERROR, FRAMEBUFFER_COMPLETE } = WebGL2RenderingContext;
    const parameter = (name: number): unknown => {
        if (name === VERSION || name === SHADING_LANGUAGE_VERSION) return "WebGL 2.0";
        return name === SCISSOR_BOX || name === VIEWPORT ? new Int32Array(4) : 4096; // what else is asked for are limits
    };
    const answers: Record<string, (...given: never[]) => unknown> = {
        getContextAttributes: () => ({ alpha: true, antialias: true, depth: true, preserveDrawingBuffer: true }),
        getSupportedExtensions: () => [],
        getShaderPrecisionFormat: () => ({ precision: 23, rangeMin: 127, rangeMax: 127 }), // single
        getParameter: parameter,
        getError: () => NO_ERROR,
        getShaderParameter: () => true,
        getShaderInfoLog: () => "",
        getProgramInfoLog: () => "",
        getProgramParameter: (_program: unknown, name: number) => (name === LINK_STATUS ? true : 0), // else: how many attributes and uniforms it has
        checkFramebufferStatus: () => FRAMEBUFFER_COMPLETE,
    };
    const make = (canvas: HTMLCanvasElement): object => {
        const context = Object.create(WebGL2RenderingContext.prototype) as Record<string, unknown>;
        for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(WebGL2RenderingContext.prototype)))
            if (typeof value === "function") context[name] = answers[name] ?? (() => (name.startsWith("create") ? {} : null));
        Object.defineProperty(context, "canvas", { value: canvas });
        return context;
    };
    const made = new WeakMap<HTMLCanvasElement, object>();
    const real = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, "getContext")?.value as (this: HTMLCanvasElement, kind: string, options?: unknown) => unknown;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, options?: unknown) {
        if (kind !== "webgl2") return real.call(this, kind, options);
        const context = made.get(this) ?? make(this);
        made.set(this, context);
        return context;
    } as typeof HTMLCanvasElement.prototype.getContext;
}
