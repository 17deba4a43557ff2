# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Centre of mass of ANTON in gallop against its middle feet, and the stability margin, with and without correction (thesis, Fig. 3.26). Drawn by
# scripts/figures.
size = "960,560"
load "docs/figures/style.gp"
set multiplot
set lmargin at screen 0.09
set rmargin at screen 0.975
set xrange [0:7.5]
set format x ""
set key top right horizontal samplen 2
set tmargin at screen 0.96
set bmargin at screen 0.56
set ylabel "ahead of the middle feet [mm]" offset 1,0
set yrange [-55:70]
set ytics 20
set xzeroaxis lc "gray40"
plot folder . "/com-plain.dat" using 1:2 with lines lw 1.4 lc rgb "#d55e00" title "centre of mass, without correction", \
     folder . "/com.dat" using 1:2 with lines lw 1.8 lc rgb "#0072b2" title "with", \
     "" using 1:3 with lines lw 1.2 dt 2 lc rgb "gray40" title "shift of the bodies"
set tmargin at screen 0.51
set bmargin at screen 0.11
set format x "%g"
set xlabel "t [s]" offset 0,0.5
set ylabel "stability margin [mm]"
set yrange [-35:260]
set ytics 50
plot folder . "/com-plain.dat" using 1:4 with lines lw 1.4 lc rgb "#d55e00" title "without correction", \
     folder . "/com.dat" using 1:4 with lines lw 1.6 lc rgb "#0072b2" title "with"
unset multiplot
