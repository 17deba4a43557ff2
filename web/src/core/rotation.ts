// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Quaternions (w, x, y, z), unit, that turn child vectors into parent ones, in plain arrays, as the library has them. Results go to `out` at an
// offset, so that a frame of a replay allocates nothing.

type Numbers = Float64Array | Float32Array | number[];

/** out = a * b; out may be neither. */
export function multiply(out: Numbers, o: number, a: Numbers, i: number, b: Numbers, j: number): void {
    const aw = a[i], ax = a[i + 1], ay = a[i + 2], az = a[i + 3];
    const bw = b[j], bx = b[j + 1], by = b[j + 2], bz = b[j + 3];
    out[o] = aw * bw - ax * bx - ay * by - az * bz;
    out[o + 1] = aw * bx + ax * bw + ay * bz - az * by;
    out[o + 2] = aw * by - ax * bz + ay * bw + az * bx;
    out[o + 3] = aw * bz + ax * by - ay * bx + az * bw;
}

/** out = p + q v q', the point v of a frame at p turned by q. */
export function place(out: Numbers, o: number, p: Numbers, i: number, q: Numbers, j: number, v: Numbers, k: number): void {
    const w = q[j], x = q[j + 1], y = q[j + 2], z = q[j + 3];
    const tx = 2 * (y * v[k + 2] - z * v[k + 1]);
    const ty = 2 * (z * v[k] - x * v[k + 2]);
    const tz = 2 * (x * v[k + 1] - y * v[k]);
    const px = p[i] + v[k] + w * tx + y * tz - z * ty;
    const py = p[i + 1] + v[k + 1] + w * ty + z * tx - x * tz;
    out[o + 2] = p[i + 2] + v[k + 2] + w * tz + x * ty - y * tx;
    out[o] = px;
    out[o + 1] = py;
}

/** Quaternion of a rotation matrix given by rows; the largest of the four is found first, so that no root is near zero. */
export function fromMatrix(m: number[]): number[] {
    const trace = m[0] + m[4] + m[8];
    if (trace > 0) {
        const s = 2 * Math.sqrt(1 + trace);
        return [s / 4, (m[7] - m[5]) / s, (m[2] - m[6]) / s, (m[3] - m[1]) / s];
    }
    if (m[0] >= m[4] && m[0] >= m[8]) {
        const s = 2 * Math.sqrt(1 + m[0] - m[4] - m[8]);
        return [(m[7] - m[5]) / s, s / 4, (m[1] + m[3]) / s, (m[2] + m[6]) / s];
    }
    if (m[4] >= m[8]) {
        const s = 2 * Math.sqrt(1 + m[4] - m[0] - m[8]);
        return [(m[2] - m[6]) / s, (m[1] + m[3]) / s, s / 4, (m[5] + m[7]) / s];
    }
    const s = 2 * Math.sqrt(1 + m[8] - m[0] - m[4]);
    return [(m[3] - m[1]) / s, (m[2] + m[6]) / s, (m[5] + m[7]) / s, s / 4];
}

/** out = attitude at the share f between a and b, along the shorter arc; nearly uniform for similar attitudes. */
export function blend(out: Numbers, o: number, a: Numbers, i: number, b: Numbers, j: number, f: number): void {
    const dot = a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2] + a[i + 3] * b[j + 3];
    const g = dot < 0 ? -f : f;
    let norm = 0;
    for (let k = 0; k < 4; k++) {
        out[o + k] = (1 - f) * a[i + k] + g * b[j + k];
        norm += out[o + k] * out[o + k];
    }
    norm = Math.sqrt(norm) || 1;
    for (let k = 0; k < 4; k++) out[o + k] /= norm;
}
