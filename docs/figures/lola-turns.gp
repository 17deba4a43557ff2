# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# LOLA walks a circle of 1 m radius, and turns on the spot: its torso from above, each to its own scale, and how far its heading is from the command of
# 0.2 rad/s, each under the other. Drawn by scripts/figures.
size = "960,380"
load "docs/figures/style.gp"
# its mean place over one turn, 10 pi s at 0.2 rad/s
stats [3.2:34.6] folder . "/circle.dat" using 1:2 name "x" nooutput
stats [3.2:34.6] folder . "/circle.dat" using 1:3 name "y" nooutput
stats [3.2:34.6] folder . "/whole-turn.dat" using 1:2 name "u" nooutput
stats [3.2:34.6] folder . "/whole-turn.dat" using 1:3 name "v" nooutput
blue = "#0072b2"
orange = "#d55e00"
set multiplot
set key samplen 2 spacing 1.1
set title offset 0,-0.7
set xlabel offset 0,0.6
set ylabel offset 1.5,0
set tmargin at screen 0.92
set bmargin at screen 0.14
set size ratio -1

set lmargin at screen 0.075
set rmargin at screen 0.335
set title "circle, from above"
set xlabel "x [m]"
set ylabel "y [m]" offset 1.5,0
set xrange [-1.4:1.0]
set yrange [-0.3:2.3]
set xtics 0.5
set ytics 0.5
set parametric
set samples 120
set trange [0:2*pi]
set key center center Left reverse
plot x_mean_y + sin(t), y_mean_y + cos(t) with lines lw 1.2 dt 2 lc rgb "gray40" title "1 m about its mean", \
     folder . "/circle.dat" using 2:3 with lines lw 1.6 lc rgb blue title "torso"
unset parametric

set lmargin at screen 0.415
set rmargin at screen 0.655
set title "on the spot, from above"
set xlabel "x [mm] from its mean"
set ylabel "y [mm]"
set xrange [-135:135]
set yrange [-135:135]
set xtics 50
set ytics 50
unset key
plot folder . "/whole-turn.dat" using (1000 * ($2 - u_mean_y)):(1000 * ($3 - v_mean_y)) with lines lw 1.1 lc rgb orange

# from -180..180 degrees to one that goes on: it turns to the left alone
turned = 0
unwrap(w, z) = (now = 2 * atan2(z, w) * 180 / pi, turned = now + 360 * ceil((turned - now - 180) / 360), turned)
command(t) = 0.2 * 180 / pi * (t > 1.6 ? t - 1.6 : 0)
away(t, w, z) = (t < 0.1 ? (turned = 0) : unwrap(w, z)) - command(t)
set size noratio
set lmargin at screen 0.735
set rmargin at screen 0.985
set ylabel "[degrees]" offset 0.5,0
set xrange [0:36]
set yrange [-6:6]
set xtics 10
set ytics 3
set title "heading less the commanded one"
set bmargin at screen 0.58
unset xlabel
set format x ""
set label 1 "circle" at graph 0.03, graph 0.9 tc rgb blue
plot folder . "/circle.dat" using 1:(away($1, $4, $5)) with lines lw 1.1 lc rgb blue
set tmargin at screen 0.54
set bmargin at screen 0.14
unset title
set xlabel "t [s]" offset 0,0.6
set format x
set label 1 "on the spot" at graph 0.03, graph 0.9 tc rgb orange
plot folder . "/whole-turn.dat" using 1:(away($1, $4, $5)) with lines lw 1.1 lc rgb orange
unset multiplot
