# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# ROTTO walks statically, 0.10 m a step: its path from above with the soles, centre of mass planned and seen, and the zero moment point of the foot
# sensors; forces of the drives of the left leg, with what they may carry for long. Drawn by scripts/figures.
size = "960,860"
load "docs/figures/style.gp"
set multiplot
set key top left horizontal samplen 2 width -2
set lmargin at screen 0.08
set rmargin at screen 0.975
set tmargin at screen 0.97
set bmargin at screen 0.60
set size ratio -1
set xrange [-0.15:1.02]
set yrange [-0.2:0.235]
set xtics 0.1
set ytics 0.1
set xlabel "x [m]" offset 0,0.5
set ylabel "y [m]" offset 1,0
plot folder . "/rotto-soles.dat" using 1:2 with filledcurves closed fc rgb "gray70" fs transparent solid 0.25 border lc "gray60" notitle, \
     folder . "/rotto.dat" using 4:5 with lines lw 0.8 lc rgb "#d55e00" title "zero moment point, measured", \
     "" using 2:3 with lines lw 1.2 dt 2 lc rgb "gray20" title "centre of mass, planned", \
     "" using 6:7 with lines lw 1.8 lc rgb "#0072b2" title "centre of mass, seen"
set size noratio
set tmargin at screen 0.50
set bmargin at screen 0.08
set xrange [4:20]
set yrange [-420:520]
set xtics 2
set ytics -400,200,400
set xlabel "t [s]"
set ylabel "drives of the left leg [N]" offset 0.5,0
set key top left horizontal samplen 2 width 0
set arrow 1 from graph 0, first 128 to graph 1, first 128 nohead lc "gray50" dt 2
set arrow 2 from graph 0, first -128 to graph 1, first -128 nohead lc "gray50" dt 2
set label 1 "nominal, 128 N" at 12.2, 146 textcolor "gray30" font ",11"
plot folder . "/rotto.dat" using 1:8 with lines lw 1.2 lc rgb "#0072b2" title "hip a", \
     "" using 1:9 with lines lw 1.2 lc rgb "#56b4e9" title "hip b", \
     "" using 1:10 with lines lw 1.2 lc rgb "#d55e00" title "knee", \
     "" using 1:11 with lines lw 1.2 lc rgb "#009e73" title "ankle a", \
     "" using 1:12 with lines lw 1.2 lc rgb "#cc79a7" title "ankle b"
unset multiplot
