# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Feet of ANTON along its way, from the centres of their steps, while it changes from wave to tripod (thesis, Fig. 3.18). Drawn by scripts/figures.
size = "960,560"
load "docs/figures/style.gp"
set multiplot
set lmargin at screen 0.15
set rmargin at screen 0.975
set xrange [2:7.4]
set yrange [-55:55]
set ytics -35,35,35
set format x ""
unset key
names = "'1 front left' '2 front right' '3 middle left' '4 middle right' '5 rear left' '6 rear right'"
set arrow 1 from 4.4, graph 0 to 4.4, graph 1 nohead lc rgb "#cc0000" dt 2
set label 1 "x of the feet [mm], as measured; grey: the ideal generator" at screen 0.15,0.975 left textcolor "gray30"
do for [k = 1:6] {
    set tmargin at screen 0.945 - 0.144 * (k - 1)
    set bmargin at screen 0.945 - 0.144 * k + 0.016
    set ylabel word(names, k) rotate by 0 right offset 1,0
    if (k == 6) { set format x "%g"; set xlabel "t [s]" offset 0,0.6 }
    plot folder . "/change-feet.dat" using 1:(1e3 * column(k + 7)) with lines lw 1.2 lc rgb "gray65", \
         "" using 1:(1e3 * column(k + 1)) with lines lw 1.6 lc rgb (k % 4 < 2 ? "#0072b2" : "#d55e00")
    unset label 1
}
unset multiplot
