# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# LOLA walks a circle of 1 m radius, and turns on the spot: its torso from above, and its heading beside the command of 0.2 rad/s. Drawn by scripts/figures.
size = "960,400"
load "docs/figures/style.gp"
# its mean place over one turn, 10 pi s at 0.2 rad/s
stats [3.2:34.6] folder . "/circle.dat" using 1:2 name "x" nooutput
stats [3.2:34.6] folder . "/circle.dat" using 1:3 name "y" nooutput
set multiplot
set key samplen 2 spacing 1.1
set title offset 0,-0.7
set xlabel offset 0,0.6
set ylabel offset 1,0
set lmargin at screen 0.065
set rmargin at screen 0.40
set tmargin at screen 0.925
set bmargin at screen 0.125
set size ratio -1
set title "from above"
set xlabel "x [m]"
set ylabel "y [m]"
set xrange [-1.5:1.1]
set yrange [-0.4:2.4]
set xtics 0.5
set ytics 0.5
set parametric
set samples 120
set trange [0:2*pi]
set key center center Left reverse
plot x_mean_y + sin(t), y_mean_y + cos(t) with lines lw 1.2 dt 2 lc rgb "gray40" title "1 m about its mean", \
     folder . "/circle.dat" using 2:3 with lines lw 1.6 lc rgb "#0072b2" title "circle", \
     folder . "/whole-turn.dat" using 2:3 with lines lw 1.6 lc rgb "#d55e00" title "on the spot"
unset parametric
set size noratio
set lmargin at screen 0.49
set rmargin at screen 0.985
set title "heading"
set xlabel "t [s]"
set ylabel "degrees"
set xrange [0:36]
set yrange [0:420]
set xtics autofreq
set ytics 90
set key top left Left reverse
# from -180..180 degrees to one that goes on: it turns to the left alone
turned = 0
unwrap(w, z) = (now = 2 * atan2(z, w) * 180 / pi, turned = now + 360 * ceil((turned - now - 180) / 360), turned)
plot 11.459 * (x > 1.6 ? x - 1.6 : 0) with lines lw 1.2 dt 2 lc rgb "gray40" title "0.2 rad/s from its first step on", \
     folder . "/circle.dat" using 1:($1 < 0.1 ? (turned = 0) : unwrap($4, $5)) with lines lw 1.6 lc rgb "#0072b2" title "circle", \
     folder . "/whole-turn.dat" using 1:($1 < 0.1 ? (turned = 0) : unwrap($4, $5)) with lines lw 1.6 lc rgb "#d55e00" title "on the spot"
unset multiplot
