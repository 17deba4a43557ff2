# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# The servo hexapod over blocks of up to 30 mm: the way of its front left tip seen from the side, height and tilt of its body, with touch sensors and blind. Drawn by scripts/figures.
size = "960,640"
load "docs/figures/style.gp"
set datafile separator ","
run(n) = folder . "/servo-terrain" . n . "/run.csv"
deg = 180 / pi
qw(r) = column("base.quat.w [1]")
qx(r) = column("base.quat.x [1]")
qy(r) = column("base.quat.y [1]")
tilt(r) = deg * acos(1 - 2 * (qx(0)**2 + qy(0)**2))
x(r) = column("base.pos.x [m]")
set multiplot
set lmargin at screen 0.08
set rmargin at screen 0.975
set xrange [0:2]
set format x ""
set key top left horizontal samplen 2
set tmargin at screen 0.965
set bmargin at screen 0.70
set ylabel "front left tip [mm]" offset 1,0
set yrange [-5:125]
set ytics 30
plot run("") every 2 using "feet.pos.FL.x [m]":(1e3 * column("feet.pos.FL.z [m]") - 5) with lines lw 1.4 lc rgb "#0072b2" title "with touch sensors", \
     run("-blind") every 2 using "feet.pos.FL.x [m]":(1e3 * column("feet.pos.FL.z [m]") - 5) with lines lw 1.2 lc rgb "#d55e00" title "blind"
unset key
set tmargin at screen 0.66
set bmargin at screen 0.40
set ylabel "height of the body [mm]"
set yrange [60:130]
set ytics 20
plot run("") every 2 using (x(0)):(1e3 * column("base.pos.z [m]")) with lines lw 1.4 lc rgb "#0072b2", \
     run("-blind") every 2 using (x(0)):(1e3 * column("base.pos.z [m]")) with lines lw 1.2 lc rgb "#d55e00"
set tmargin at screen 0.36
set bmargin at screen 0.10
set format x "%g"
set xlabel "x [m]"
set ylabel "tilt [degrees]"
set yrange [0:22]
set ytics 5
plot run("") every 2 using (x(0)):(tilt(0)) with lines lw 1.4 lc rgb "#0072b2", \
     run("-blind") every 2 using (x(0)):(tilt(0)) with lines lw 1.2 lc rgb "#d55e00"
unset multiplot
