# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Silva's figures 13, 14, 16 and 17: angle, speed and acceleration of hip 1 and path of foot 1, with flexible joints and with backlash. Drawn by
# scripts/figures.
size = "960,980"
load "docs/figures/style.gp"
unset grid # many panels: lines of a grid would be half of the file
set multiplot
unset key
set xrange [0:1.5]
dat(run) = folder . "/silva-" . run . ".dat"
runs = "level-2 level-3"
titles = "'friction and flexibility (Fig. 13, 14)' 'and backlash (Fig. 16, 17)'"
colours = "#009e73 #cc79a7"
top(row) = 0.95 - row * 0.183
do for [k = 0:1] {
    data = dat(word(runs, k + 1))
    peaks = dat(word(runs, k + 1) . "-peaks")
    c = word(colours, k + 1)
    set lmargin at screen 0.095 + 0.49 * k
    set rmargin at screen 0.475 + 0.5 * k
    set label 1 word(titles, k + 1) at screen 0.095 + 0.49 * k, 0.97 left font ",14" textcolor rgb c
    set xrange [0:1.5]; set xtics 0.2
    set format x ""
    unset xlabel
    set tmargin at screen top(0); set bmargin at screen top(0) - 0.15
    set ylabel "{/Symbol q}_{11} [deg]" offset 1,0
    set yrange [0:50]; set ytics 20
    plot data using 1:6 with lines lw 1 dt 2 lc "gray50", data using 1:9 with lines lw 1.4 lc rgb c
    unset label 1
    set tmargin at screen top(1); set bmargin at screen top(1) - 0.15
    set ylabel "{/Symbol q}'_{11} [rad/s]"
    set yrange [-3:6]; set ytics 2
    plot data using 1:7 with lines lw 1 dt 2 lc "gray50", peaks using 1:10 with lines lw 1.2 lc rgb c
    set tmargin at screen top(2); set bmargin at screen top(2) - 0.15
    set ylabel "{/Symbol q}''_{11} [rad/s²]"
    set yrange [-90:90]; set ytics 30
    set format x "%g"
    plot peaks using 1:11 with lines lw 0.9 lc rgb c
    set tmargin at screen top(3); set bmargin at screen top(3) - 0.15
    set ylabel "y_{1F} [mm]"
    set yrange [-5:110]; set ytics 50
    set xlabel "t [s]" offset 0,0.6
    plot data using 1:(1e3 * $3) with lines lw 1 dt 2 lc "gray50", data using 1:(1e3 * $16) with lines lw 1.4 lc rgb c
    set tmargin at screen top(4) - 0.025; set bmargin at screen top(4) - 0.165
    set ylabel "y_{1F} [mm]"
    set yrange [-1.5:8]; set ytics 2; set xtics 0.05
    set xrange [0.88:1.12]
    data = dat(word(runs, k + 1) . "-near")
    set xlabel "t [s]" offset 0,0.6
    plot data using 1:(1e3 * $3) with lines lw 1 dt 2 lc "gray50", data using 1:(1e3 * $16) with lines lw 1.4 lc rgb c
}
unset multiplot
