// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sine and cosine in plain arithmetic by the method of sincos.c, for doubles and vectors of them. A source defines
// before it includes this: FF_CORE, qualifiers of the function; FF_REAL, a double or a vector; FF_BITS, integers of the
// same size; FF_AS_BITS(x) and FF_AS_REAL(b), which keep the bits. Results are wrong for angles beyond 1e5 rad and NaN.
FF_CORE void ff_sincos_core(FF_REAL x, FF_REAL *sine, FF_REAL *cosine)
{
    const double round_magic = 0x1.8p52;
    FF_REAL shifted = x * 0.636619772367581343076 + round_magic; // x 2/pi: the low bits of the sum are n
    FF_REAL n = shifted - round_magic;
    FF_REAL r = ((x - n * 0x1.921fb544p0) - n * 0x1.0b4611a6p-34) - n * 0x1.3198a2e037073p-69;
    FF_REAL z = r * r, s, c;
    s = z * 1.58969099521155010221e-10 - 2.50507602534068634195e-08;
    s = s * z + 2.75573137070700676789e-06;
    s = s * z - 1.98412698298579493134e-04;
    s = s * z + 8.33333333332248946124e-03;
    s = s * z - 1.66666666666666324348e-01;
    s = r + r * (z * s);
    c = z * -1.13596475577881948265e-11 + 2.08757232129817482790e-09;
    c = c * z - 2.75573143513906633035e-07;
    c = c * z + 2.48015872894767294178e-05;
    c = c * z - 1.38888888888741095749e-03;
    c = c * z + 4.16666666666666019037e-02;
    c = (1.0 - 0.5 * z) + z * z * c;
    // n odd swaps the two; then sine is negated for n = 2, 3 and cosine for n = 1, 2 (mod 4)
    FF_BITS turns = FF_AS_BITS(shifted), sine_bits = FF_AS_BITS(s), cosine_bits = FF_AS_BITS(c);
    FF_BITS exchange = (sine_bits ^ cosine_bits) & -(turns & 1);
    *sine = FF_AS_REAL(sine_bits ^ exchange ^ ((turns & 2) << 62));
    *cosine = FF_AS_REAL(cosine_bits ^ exchange ^ (((turns + 1) & 2) << 62));
}
