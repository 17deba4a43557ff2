# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Vertical forces of ANTON's six feet over time as it starts and walks in tripod gait (thesis, Fig. 2.15), their sum beside the weight. Drawn by scripts/figures.
size = "960,680"
load "docs/figures/style.gp"
set multiplot
rows = "front middle rear"
set lmargin at screen 0.075
set rmargin at screen 0.975
set xrange [0:5.3]
set format x ""
set ytics 10
set yrange [-2:44]
set key top right horizontal samplen 2
do for [k = 1:3] {
    set tmargin at screen 0.975 - 0.225 * (k - 1)
    set bmargin at screen 0.975 - 0.225 * k + 0.035
    set ylabel word(rows, k) . " feet [N]" offset 1,0
    plot folder . "/tripod.dat" using 1:(column(2 * k)) with lines lw 1.3 lc rgb "#0072b2" title "left", \
         "" using 1:(column(2 * k + 1)) with lines lw 1.3 lc rgb "#d55e00" title "right"
}
set tmargin at screen 0.30
set bmargin at screen 0.10
set format x "%g"
set xlabel "t [s]" offset 0,0.3
set ylabel "all feet [N]"
set yrange [0:125]
set ytics 25
plot folder . "/tripod.dat" using 1:($2 + $3 + $4 + $5 + $6 + $7) with lines lw 1.1 lc rgb "#009e73" title "sum", \
     49.05 with lines lw 1.4 dt 2 lc rgb "black" title "weight"
unset multiplot
