# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Energy of a run over time, and below it how far the total strays from its first value.
#     gnuplot -e "recording='out/tumble/run.csv'; figure='out/tumble/energy.png'" scripts/energy.gp
set terminal pngcairo size 1200,800 font "Liberation Sans,14"
set output figure
set datafile separator ","
set key autotitle columnhead
set grid lc "gray80"
set border lc "gray40"
set multiplot
set lmargin at screen 0.12
set rmargin at screen 0.97

set tmargin at screen 0.92
set bmargin at screen 0.40
set key outside top center horizontal samplen 2
set ylabel "energy [J]"
set format x ""
plot recording using "time [s]":"energy.kinetic [J]" with lines lw 2 lc "#0072b2" title "kinetic", \
     "" using "time [s]":"energy.potential [J]" with lines lw 2 lc "#d55e00" title "potential", \
     "" using "time [s]":"energy.elastic [J]" with lines lw 2 lc "#009e73" title "springs", \
     "" using "time [s]":"energy.total [J]" with lines lw 3 lc "black" title "total"

set tmargin at screen 0.35
set bmargin at screen 0.10
unset key
set format x "%g"
set format y "%.1e"
set xlabel "time [s]"
set ylabel "total - first [J]"
first = NaN
away(total) = (first = first == first ? first : total, total - first)
plot recording using "time [s]":(away(column("energy.total [J]"))) with lines lw 2 lc "black"
unset multiplot
