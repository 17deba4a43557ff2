# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Energy of a run over time.  gnuplot -e "recording='out/tumble/run.csv'; figure='out/tumble/energy.png'" scripts/energy.gp
set terminal pngcairo size 1200,700 font "Liberation Sans,14"
set output figure
set datafile separator ","
set datafile commentschars "#"
set key autotitle columnhead
set key outside top center horizontal
set xlabel "time [s]"
set ylabel "energy [J]"
set grid
plot recording using "time":"energy.kinetic" with lines lw 2 title "kinetic", \
     "" using "time":"energy.potential" with lines lw 2 title "potential", \
     "" using "time":(column("energy.kinetic") + column("energy.potential")) with lines lw 3 lc "black" title "sum"
