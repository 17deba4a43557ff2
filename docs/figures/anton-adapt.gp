# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Heights of ANTON's feet and body, pitch and roll while it walks over a plate of 2.5 cm (thesis, Fig. 3.22). Drawn by scripts/figures.
size = "960,640"
load "docs/figures/style.gp"
set multiplot
set lmargin at screen 0.09
set rmargin at screen 0.975
set xrange [0:13.4]
set format x ""
set key top left horizontal samplen 2
set tmargin at screen 0.96
set bmargin at screen 0.60
set ylabel "lowest point of feet [mm]" offset 1,0
set yrange [-4:105]
set ytics 25
plot folder . "/adapt.dat" using 1:2 with lines lw 1.3 lc rgb "#0072b2" title "1 front left", \
     "" using 1:3 with lines lw 1.3 lc rgb "#d55e00" title "3 middle left", \
     "" using 1:4 with lines lw 1.3 lc rgb "#009e73" title "5 rear left"
set tmargin at screen 0.57
set bmargin at screen 0.34
set ylabel "height of the body [mm]"
set yrange [95:140]
set ytics 100,10,130
unset key
plot folder . "/adapt.dat" using 1:5 with lines lw 1.6 lc rgb "black"
set tmargin at screen 0.31
set bmargin at screen 0.09
set format x "%g"
set xlabel "t [s]" offset 0,0.5
set ylabel "tilt [deg]"
set yrange [-1:4]
set ytics 1
set key top right horizontal samplen 2
plot folder . "/adapt.dat" using 1:6 with lines lw 1.4 lc rgb "#0072b2" title "pitch, nose down +", \
     "" using 1:7 with lines lw 1.4 lc rgb "#d55e00" title "roll"
unset multiplot
