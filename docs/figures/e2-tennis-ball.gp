# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# E2: height and force of the tennis ball for both values of the damping. Drawn by scripts/figures.
size = "960,560"
load "docs/figures/style.gp"
set multiplot
set lmargin at screen 0.08
set rmargin at screen 0.975
set xrange [0:2]
set key top right samplen 2
set tmargin at screen 0.95
set bmargin at screen 0.56
set format x ""
set ylabel "height [m]" offset 1,0
set ytics 0.2
set yrange [-0.03:0.75]
plot folder . "/e2.dat" using 1:2 with lines lw 1.6 lc rgb "#0072b2" title "λ_c = 2.4·10^3 N s/m^2", \
     folder . "/e2-printed.dat" using 1:2 with lines lw 1.6 lc rgb "#d55e00" title "λ_c = 2.4·10^4 N s/m^2, as printed"
unset key
set tmargin at screen 0.49
set bmargin at screen 0.11
set format x "%g"
set xlabel "t [s]"
set ylabel "force on the plate [N]"
set yrange [0:170]
set ytics 50
plot folder . "/e2.dat" using 1:3 with lines lw 1.6 lc rgb "#0072b2", \
     folder . "/e2-printed.dat" using 1:3 with lines lw 1.6 lc rgb "#d55e00"
unset multiplot
