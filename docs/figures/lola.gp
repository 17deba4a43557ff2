# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# LOLA walks at 0.5 m/s: its path from above with planned ZMP and measured centre of pressure; forces of the left foot; lean of the torso over a board of
# 4 cm and down 9 cm. Drawn by scripts/figures.
size = "960,760"
load "docs/figures/style.gp"
set multiplot
set key top right horizontal samplen 2
set lmargin at screen 0.08
set rmargin at screen 0.975
set tmargin at screen 0.97
set bmargin at screen 0.71
set xrange [1.2:2.6]
set yrange [-0.2:0.32]
set ytics 0.1
set xlabel "x [m]" offset 0,0.5
set ylabel "y [m]" offset 1,0
plot folder . "/lola.dat" using 2:3 with lines lw 1.2 dt 2 lc rgb "gray40" title "ZMP of the plan", \
     "" using 4:5 with lines lw 1.0 lc rgb "#d55e00" title "centre of pressure, measured", \
     "" using 6:7 with lines lw 1.8 lc rgb "#0072b2" title "centre of mass"
set tmargin at screen 0.60
set bmargin at screen 0.39
set xrange [4:7.2]
set yrange [0:1000]
set ytics 200
set xlabel "t [s]" offset 0,0.5
set ylabel "left foot [N]"
plot folder . "/lola.dat" using 1:8 with lines lw 1.2 dt 2 lc rgb "gray40" title "wanted", \
     "" using 1:9 with lines lw 1.4 lc rgb "#0072b2" title "vertical force"
set tmargin at screen 0.29
set bmargin at screen 0.08
set xrange [2:7.2]
set yrange [-2:7]
set ytics 2
set xzeroaxis lc "gray40"
set ylabel "lean [deg]"
plot folder . "/lola-board.dat" using 1:(57.2958 * $3) with lines lw 1.4 lc rgb "#0072b2" title "ahead, board of 4 cm", \
     folder . "/lola-drop.dat" using 1:(57.2958 * $3) with lines lw 1.4 lc rgb "#d55e00" title "ahead, drop of 9 cm", \
     "" using 1:(57.2958 * $2) with lines lw 1.0 dt 2 lc rgb "#d55e00" title "to the right, drop of 9 cm"
unset multiplot
