# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Time of a step over the number of contacts, bodies and objects, from what bench_growth printed. Both axes are logarithmic: a slope of one
# is linear growth.
#     gnuplot -e "table='bench/results/xeon-207-gcc12/bench_growth.txt'; figure='docs/figures/cost-contacts.svg'" scripts/cost-contacts.gp
set terminal svg size 860,560 font "Liberation Sans,14" background "white" linewidth 1.4
set encoding utf8
set output figure
set datafile missing "nan"

set logscale xy
set border 3 lc "gray30"
set tics nomirror out scale 0.6 textcolor "gray20"
set grid lc "gray85" lw 0.7
set xrange [1:10000]
set yrange [0.03:1e5]
set format x "10^{%T}"
set format y "10^{%T}"
set xlabel "contacts, or objects in the broad phase"
set ylabel "time of one step of 1 ms [µs]"
set key left top Left reverse samplen 2 spacing 1.2
set label 1 "linear" at 600, 0.4 textcolor "gray40" font ",12"

plot table index 0 using 1:2 with linespoints lw 2 pt 7 ps 0.5 lc "#0072b2" title "euler, one sled on n spheres (6 degrees of freedom)", \
     "" index 0 using 1:3 with linespoints lw 2 dt 3 pt 6 ps 0.7 lc "#0072b2" title "implicit, the sled", \
     "" index 1 using 1:2 with linespoints lw 2 pt 7 ps 0.5 lc "#d55e00" title "euler, n balls (6 n degrees of freedom)", \
     "" index 1 using 1:3 with linespoints lw 2 dt 3 pt 6 ps 0.7 lc "#d55e00" title "implicit, the balls", \
     "" index 2 using 1:2 with linespoints lw 2 pt 5 ps 0.4 lc "#009e73" title "broad phase alone, n drifting balls", \
     1e-3 * x with lines dt 2 lc "gray60" notitle
