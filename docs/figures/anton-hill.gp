# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# ANTON on a smooth hill, seen from its left: a body that bends and a rigid one, and the angle of a rear femur along the way. Drawn by scripts/figures.
size = "960,720"
load "docs/figures/style.gp"
set multiplot
unset key
unset grid
hill(x) = x < 0.4 || x > 1.6 ? 0 : 0.075 * (1 - cos(2 * pi * (x - 0.4) / 1.2))
set size ratio -1
set xrange [-0.1:2.15]
set yrange [-0.02:0.42]
set samples 400
set lmargin at screen 0.08
set rmargin at screen 0.98
set ytics 0.2
set format x ""
set ylabel "height [m]"
do for [r = 1:2] {
    set tmargin at screen 0.985 - 0.29 * (r - 1)
    set bmargin at screen 0.72 - 0.29 * (r - 1)
    set label 1 (r == 1 ? "articulated" : "rigid") at graph 0.01, 0.9 tc "gray20"
    file = folder . (r == 1 ? "/hill.dat" : "/hill-rigid.dat")
    plot hill(x) with filledcurves y1=-0.02 fc rgb "#d8d8d8", \
         file using ($4 == 0 ? $1 : NaN):2 with lines lw 1.6 lc rgb "#0072b2", \
         file using ($4 == 1 ? $1 : NaN):2 with lines lw 1.6 lc rgb "#d55e00"
}
unset label 1
set grid
set size noratio
set key top right
set format x "%g"
set xlabel "x of the body [m]"
set ylabel "femurs, left [degrees]"
set xrange [0:2]
set yrange [0:90]
set ytics 20
set tmargin at screen 0.385
set bmargin at screen 0.1
set datafile separator ","
angle(leg) = 180 / pi * column("joints." . leg . "_femur.position [rad]")
plot folder . "/hill/run.csv" every 3 using "base.pos.x [m]":(angle("RL")) with lines lw 1.4 lc rgb "#0072b2" title "rear, articulated", \
     folder . "/hill-rigid/run.csv" every 3 using "base.pos.x [m]":(angle("RL")) with lines lw 1.4 lc rgb "#d55e00" title "rear, rigid"
unset multiplot
