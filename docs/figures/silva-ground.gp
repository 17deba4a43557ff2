# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Silva's figures 9 to 11: force along the ground for cycloids and sinusoids; height of foot 1 and vertical force on linear and non-linear ground. Drawn
# by scripts/figures.
size = "960,640"
load "docs/figures/style.gp"
set multiplot
unset key
set xrange [0:1.5]
one = "#0072b2"
two = "#d55e00"
dat(run) = folder . "/silva-" . run . ".dat"
top(row) = 0.92 - row * 0.295
set label 1 "Fig. 9: cycloid" at screen 0.095, 0.955 left font ",14" textcolor rgb one
set label 2 "sinusoid" at screen 0.585, 0.955 left font ",14" textcolor rgb two
set lmargin at screen 0.095; set rmargin at screen 0.475
set tmargin at screen top(0); set bmargin at screen top(0) - 0.235
set format x ""
set ylabel "f_{1xF} [N]" offset 1,0
set yrange [-1700:1700]
set ytics 500
plot dat("wave-peaks") using 1:17 with lines lw 1.2 lc rgb one
set lmargin at screen 0.585; set rmargin at screen 0.975
plot dat("sinusoid-peaks") using 1:17 with lines lw 1.2 lc rgb two
set label 1 "Fig. 11: non-linear ground" at screen 0.095, 0.655 left font ",14" textcolor rgb one
set label 2 "Fig. 10: linear ground" at screen 0.585, 0.655 left font ",14" textcolor rgb two
set tmargin at screen top(1) - 0.03; set bmargin at screen top(1) - 0.235
set ylabel "y_{1F} [mm]" offset 0,0
set yrange [-5:110]
set ytics 50
set format x ""
set lmargin at screen 0.095; set rmargin at screen 0.475
plot dat("wave") using 1:(1e3 * $16) with lines lw 1.6 lc rgb one
set lmargin at screen 0.585; set rmargin at screen 0.975
plot dat("linear") using 1:(1e3 * $16) with lines lw 1.6 lc rgb two
unset label
set tmargin at screen top(2); set bmargin at screen top(2) - 0.235
set ylabel "f_{1yF} [N]" offset 1,0
set yrange [-1000:3200]
set ytics 1000
set format x "%g"
set xlabel "t [s]" offset 0,0.5
set lmargin at screen 0.095; set rmargin at screen 0.475
plot dat("wave-peaks") using 1:18 with lines lw 1.2 lc rgb one
set lmargin at screen 0.585; set rmargin at screen 0.975
plot dat("linear-peaks") using 1:18 with lines lw 1.2 lc rgb two
unset multiplot
