# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Two servo hexapods that differ by a few per cent follow the same commands: their paths from above, and how far apart they get; and the second with a cut servo. Drawn by scripts/figures.
size = "960,460"
load "docs/figures/style.gp"
set datafile separator ","
run(n) = folder . "/servo-twin" . n . "/run.csv"
vx(r) = column("bodies.virtual_body.pos.x [m]")
vy(r) = column("bodies.virtual_body.pos.y [m]")
rx(r) = column("bodies.real_body.pos.x [m]")
ry(r) = column("bodies.real_body.pos.y [m]") + 4
apart(r) = 1e3 * sqrt((rx(0) - vx(0))**2 + (ry(0) - vy(0))**2)
set multiplot
set lmargin at screen 0.07
set rmargin at screen 0.49
set tmargin at screen 0.95
set bmargin at screen 0.15
set xlabel "x [m]"
set ylabel "y [m]" offset 1,0
set size ratio -1
set key bottom left samplen 2
plot run("") every 2 using (vx(0)):(vy(0)) with lines lw 3 lc rgb "#56b4e9" title "first", \
     run("") every 2 using (rx(0)):(ry(0)) with lines lw 1.2 lc rgb "#d55e00" title "second", \
     run("-cut") every 2 using (rx(0)):(ry(0)) with lines lw 1.2 dt 2 lc rgb "#d55e00" title "second, one servo cut"
set size noratio
set lmargin at screen 0.58
set rmargin at screen 0.975
set xlabel "t [s]"
set ylabel "apart [mm]"
set logscale y
set yrange [0.05:10000]
set xrange [0:50]
set format y "10^{%T}"
set key bottom right
plot run("") every 2 using "time [s]":(apart(0)) with lines lw 1.4 lc rgb "#d55e00" title "second", \
     run("-cut") every 2 using "time [s]":(apart(0)) with lines lw 1.4 dt 2 lc rgb "#d55e00" title "one servo cut", \
     10 with lines lc "gray50" dt 3 title "1 cm"
unset multiplot
