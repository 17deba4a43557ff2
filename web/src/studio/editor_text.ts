// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Surgery on the text of a robot: one value is replaced, every other letter stays. Numbers keep the way they are written (unit, digits, exponent) when they are stepped.

/** Converts offsets in bytes of UTF-8, used by the program, to offsets in a string. */
export class Bytes {
    private readonly units: Uint32Array | null;

    constructor(text: string) {
        let ascii = true;
        for (let i = 0; i < text.length && ascii; i++) ascii = text.charCodeAt(i) < 128;
        this.units = ascii ? null : Bytes.table(text);
    }

    private static table(text: string): Uint32Array {
        const places: number[] = [];
        let unit = 0;
        for (const letter of text) {
            const code = letter.codePointAt(0) ?? 0;
            const bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
            for (let i = 0; i < bytes; i++) places.push(unit);
            unit += letter.length;
        }
        places.push(unit);
        return Uint32Array.from(places);
    }

    at(byte: number): number {
        return this.units ? (this.units[Math.min(byte, this.units.length - 1)] ?? 0) : byte;
    }
}

export interface Span {
    begin: number;
    end: number;
}

/** The text with a span replaced. An empty value gets the blank that YAML needs after the colon. */
export function replaceSpan(text: string, span: Span, put: string): string {
    const blank = span.begin === span.end && text[span.begin - 1] === ":" ? " " : "";
    return text.slice(0, span.begin) + blank + put + text.slice(span.end);
}

/** Moves the spans of a text to where they are after one of them was replaced: spans behind it shift, spans around it grow. */
export function shiftSpans(spans: Partial<Span>[], changed: Span, length: number): void {
    const by = length - (changed.end - changed.begin);
    const { begin, end } = changed;
    for (const span of spans) {
        if (span.begin === undefined || span.end === undefined) continue;
        if (span.begin >= end && !(span.begin === begin && span.end === end)) {
            span.begin += by;
            span.end += by;
        } else if (span.begin <= begin && span.end >= end) {
            span.end += by;
        }
    }
}

// ------------------------------------------------------------------------------------------ what may be put

const EXPRESSION = /^[A-Za-z0-9_+\-*/^().%\s]+$/;

/** Reason why a text cannot replace a number; "" if it can. The program reports whether it can be evaluated. */
export function numberProblem(text: string): string {
    const value = text.trim();
    if (value === "") return "a number is missing here";
    if (value.includes(",")) return "write a point, not a comma";
    if (/\s#/.test(value) || !EXPRESSION.test(value)) return "write a number, a number with a unit, or an expression of constants";
    if (/^[*%]|^- /.test(value)) return "a number does not start so";
    return "";
}

const RESERVED = /^(true|false|null|yes|no|on|off|~)$/i;

/** A text in YAML: plain if that is safe and was so before, quoted otherwise. */
export function yamlText(text: string, quoted: boolean): string {
    const plain = /^[A-Za-z_][\w./-]*( [\w./-]+)*$/.test(text) && !RESERVED.test(text);
    return plain && !quoted ? text : JSON.stringify(text);
}

// ------------------------------------------------------------------------------------------ numbers as they are written

export interface Literal {
    value: number;
    digits: string;
    /** Comment with the blanks before it. */
    unit: string;
}

/** A number with or without a unit; null for expressions and names. */
export function literal(text: string): Literal | null {
    const found = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(\s*(?:[A-Za-z%][A-Za-z/^2%]*)?)\s*$/.exec(text);
    if (!found) return null;
    const value = Number(found[1]);
    return Number.isFinite(value) ? { value, digits: found[1] ?? "", unit: found[2] ?? "" } : null;
}

function places(digits: string): number {
    const [, fraction = ""] = /\.(\d+)/.exec(digits) ?? [];
    return fraction.length;
}

/** One step of a number: a unit of its second digit, of angles in degrees one degree. */
export function stepOf(number: Literal): number {
    if (number.value === 0) return number.unit.trim() === "deg" || number.unit.trim() === "mm" ? 1 : 0.01;
    return 10 ** (Math.floor(Math.log10(Math.abs(number.value)) + 1e-9) - 1);
}

/** The number some steps on (`factor` 10: coarse, 0.1: fine), written as before. `step` holds still while a number is dragged, so that the way back leads back. */
export function stepped(number: Literal, steps: number, factor = 1, step = stepOf(number)): string {
    const size = step * factor;
    return written(number.value + steps * size, number, size) + number.unit;
}

function written(value: number, like: Literal, size: number): string {
    const small = Math.max(0, -Math.floor(Math.log10(size) + 1e-9));
    if (/[eE]/.test(like.digits)) {
        if (value === 0) return "0";
        const exponent = Math.floor(Math.log10(Math.abs(value)) + 1e-12);
        return `${trimmed((value / 10 ** exponent).toFixed(Math.min(15, Math.max(0, exponent + small))))}e${exponent}`;
    }
    const digits = Math.min(15, Math.max(small, places(like.digits)));
    return value.toFixed(digits).replace(/^-(0(\.0*)?)$/, "$1");
}

function trimmed(text: string): string {
    return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** Names in an expression that stand for constants. */
export function namesIn(text: string): string[] {
    const known = new Set("deg rad rpm m cm mm um km s ms us min kg g N mN kN Nm mNm J W Hz kHz pi sqrt sin cos tan asin acos atan abs".split(" "));
    const behindNumber = text.replace(/(\d\.?\d*(?:[eE][+-]?\d+)?)\s*[A-Za-z%]+(?:\/[A-Za-z^2]+)?/g, "$1");
    return [...new Set(behindNumber.match(/[A-Za-z_]\w*/g) ?? [])].filter((name) => !known.has(name));
}

// ------------------------------------------------------------------------------------------ ranges

export interface Range {
    low?: number;
    high?: number;
    above?: boolean;
    below?: boolean;
    nonzero?: boolean;
}

/** Text of the range of a key; "" without bounds. */
export function rangeText(range: Range): string {
    const { low, high, above, below, nonzero } = range;
    if (low !== undefined && high !== undefined && below) return `${above ? "above" : "from"} ${low}, below ${high}`;
    if (low !== undefined && high !== undefined) return above ? `above ${low}, at most ${high}` : `${low} to ${high}`;
    if (low !== undefined) return above ? `above ${low}` : `${low} or more`;
    if (high !== undefined) return `at most ${high}`;
    return nonzero ? "not 0" : "";
}

export function inRange(value: number, range: Range): boolean {
    const { low = -Infinity, high = Infinity, above, below, nonzero } = range;
    return (above ? value > low : value >= low) && (below ? value < high : value <= high) && !(nonzero && value === 0);
}

// ------------------------------------------------------------------------------------------ undo

interface Version {
    text: string;
    /** What was changed; a second change of the same thing within one gesture takes its place. */
    what: string;
    open: boolean;
}

/** Versions of a text, one of them current. */
export class History {
    private readonly versions: Version[];
    private now = 0;

    constructor(
        text: string,
        private readonly most = 500,
    ) {
        this.versions = [{ text, what: "", open: false }];
    }

    get text(): string {
        return this.versions[this.now]?.text ?? "";
    }
    get canUndo(): boolean {
        return this.now > 0;
    }
    get canRedo(): boolean {
        return this.now < this.versions.length - 1;
    }
    /** Names of the changes that undo and redo would apply. */
    get undoes(): string {
        return this.canUndo ? (this.versions[this.now]?.what ?? "") : "";
    }
    get redoes(): string {
        return this.versions[this.now + 1]?.what ?? "";
    }

    /** Adds a version behind the current one; versions that could be redone are dropped. */
    push(text: string, what: string): void {
        if (text === this.text) return;
        const last = this.versions[this.now];
        this.versions.length = this.now + 1;
        if (last?.open && last.what === what) {
            last.text = text;
            if (this.versions[this.now - 1]?.text === text) this.drop();
            return;
        }
        this.seal();
        this.versions.push({ text, what, open: true });
        if (this.versions.length > this.most) this.versions.shift();
        this.now = this.versions.length - 1;
    }

    // A drag that ends at its start is no change.
    private drop(): void {
        this.versions.pop();
        this.now--;
    }

    /** Ends a gesture: the next change is separate. */
    seal(): void {
        const last = this.versions[this.now];
        if (last) last.open = false;
    }

    undo(): string {
        this.seal();
        if (this.canUndo) this.now--;
        return this.text;
    }
    redo(): string {
        if (this.canRedo) this.now++;
        return this.text;
    }
}
