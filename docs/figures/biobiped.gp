# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# BioBiped1: hops beside the closed form of a mass on a spring; forces of the feet while it tracks joint angles of slow jogging (Lens, Fig. 11); speed
# and pitch while it keeps jogging and is pushed; cost of transport over the stiffness of its springs. Drawn by scripts/figures.
size = "960,900"
load "docs/figures/style.gp"
set multiplot
set key top right horizontal samplen 2
set lmargin at screen 0.08
set rmargin at screen 0.50
set tmargin at screen 0.97
set bmargin at screen 0.73
set xrange [6:7]
set yrange [-50:60]
set ylabel "centre of mass above touch-down [mm]" offset 1,0
plot folder . "/biobiped-hop-spring.dat" using 1:2 with lines lw 1.2 dt 2 lc rgb "#d55e00" title "mass on a spring", \
     folder . "/biobiped-hop.dat" using 1:(1e3 * ($2 - 0.6772)) with lines lw 1.8 lc rgb "#0072b2" title "BioBiped1"
set lmargin at screen 0.57
set rmargin at screen 0.975
set xrange [7.0:8.12]
set yrange [0:2.9]
set ylabel "vertical force over weight" offset 1,0
plot folder . "/biobiped-jog.dat" using 1:($2 / 93.2) with lines lw 1.6 lc rgb "#0072b2" title "left", \
     folder . "/biobiped-jog.dat" using 1:($3 / 93.2) with lines lw 1.6 lc rgb "#d55e00" title "right"
set lmargin at screen 0.08
set rmargin at screen 0.975
set tmargin at screen 0.66
set bmargin at screen 0.38
set xrange [0:20]
set yrange [-0.8:3.2]
set xlabel "t [s]" offset 0,0.5
set ylabel "speed [m/s], pitch [rad]"
plot folder . "/biobiped-keep.dat" using 1:2 with lines lw 1.2 lc rgb "#0072b2" title "centre of mass, ahead", \
     folder . "/biobiped-keep.dat" using 1:3 with lines lw 1.2 lc rgb "#009e73" title "pitch, back", \
     folder . "/biobiped-push.dat" using 1:2 with impulses lw 2 lc rgb "#d55e00" title "pushes [m/s]"
set tmargin at screen 0.30
set bmargin at screen 0.07
set xrange [0.9:6.8]
set yrange [0:2.5]
set logscale x 2
set xtics (1, 1.5, 3, "rigid" 6)
set xlabel "stiffness of the springs over that of the file"
set ylabel "cost of transport, speed [m/s]"
plot folder . "/biobiped-cost.dat" using 1:2 with linespoints pt 7 ps 0.7 lw 1.4 lc rgb "#0072b2" title "cost of transport", \
     folder . "/biobiped-cost.dat" using 1:3 with linespoints pt 5 ps 0.6 lw 1.2 lc rgb "#009e73" title "speed"
unset multiplot
