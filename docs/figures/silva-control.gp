# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Silva's hexapod under other control: error of hip 1 with backlash under fractional order and PD, and height of the body with drives that saturate,
# with and without force feedback. Drawn by scripts/figures.
size = "960,640"
load "docs/figures/style.gp"
set multiplot
dat(run) = folder . "/silva-" . run . ".dat"
set xrange [0:3]
set key top right samplen 1.5 horizontal maxrows 1
set lmargin at screen 0.085; set rmargin at screen 0.975
set tmargin at screen 0.965; set bmargin at screen 0.715
set format x ""
set ylabel "error of hip 1 [mrad]" offset 1,0
set yrange [-75:115]
plot dat("pd") using 1:20 with lines lw 1.1 lc rgb "#d55e00" title "PD", \
     dat("fractional") using 1:20 with lines lw 1.1 lc rgb "#0072b2" title "order 1/2", \
     dat("force") using 1:20 with lines lw 1.1 lc rgb "#009e73" title "order 1/2, force feedback, no backlash"
set tmargin at screen 0.66; set bmargin at screen 0.41
set ylabel "mean height of the hips [mm]"
set yrange [700:1050]
plot dat("saturated") using 1:(1e3 * $19) with lines lw 1.5 lc rgb "#cc79a7" title "drives of 68 N m", \
     dat("saturated-force") using 1:(1e3 * $19) with lines lw 1.5 lc rgb "#009e73" title "the same with force feedback"
set tmargin at screen 0.355; set bmargin at screen 0.105
set format x "%g"
set xlabel "t [s]"
set ylabel "torque of knee 1 [N m]"
set yrange [-80:120]
plot dat("saturated-peaks") using 1:21 with lines lw 1 lc rgb "#cc79a7" title "drives of 68 N m", \
     dat("saturated-force-peaks") using 1:21 with lines lw 1 lc rgb "#009e73" title "the same with force feedback"
unset multiplot
