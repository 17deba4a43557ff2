# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Power spectral density of a signal in dB, of rows of time and value at a constant rate, through a Hann window, each line the mean of `mean` frequencies:
# awk -v from=4 -v to=40 -v mean=4 -f scripts/spectrum.awk signal.dat
{ t[NR] = $1; x[NR] = $2; middle += $2 }
END {
    dt = (t[NR] - t[1]) / (NR - 1)
    turn = 2 * atan2(0, -1) / NR
    for (i = 1; i <= NR; i++) x[i] = (x[i] - middle / NR) * 0.5 * (1 - cos(turn * i))
    for (k = int(from * NR * dt); k <= to * NR * dt; k++) {
        re = im = 0
        for (i = 1; i <= NR; i++) {
            re += x[i] * cos(turn * k * i)
            im += x[i] * sin(turn * k * i)
        }
        power += 2 * dt * (re * re + im * im) / (0.375 * NR) # 0.375: mean square of the window
        f += k / (NR * dt)
        if (++n < mean) continue
        printf "%.3f %.2f\n", f / n, 10 * log(power / n) / log(10)
        power = f = n = 0
    }
}
