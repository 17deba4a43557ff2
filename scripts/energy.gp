# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Energy of a run over time.  gnuplot -e "recording='out/tumble/run.csv'; figure='out/tumble/energy.png'" scripts/energy.gp
set terminal pngcairo size 1200,700 font "Liberation Sans,14"
set output figure
set datafile separator ","
set key autotitle columnhead
set key outside top center horizontal
set xlabel "time [s]"
set ylabel "energy [J]"
set grid
plot recording using "time [s]":"energy.kinetic [J]" with lines lw 2 title "kinetic", \
     "" using "time [s]":"energy.potential [J]" with lines lw 2 title "potential", \
     "" using "time [s]":"energy.elastic [J]" with lines lw 2 title "springs", \
     "" using "time [s]":"energy.total [J]" with lines lw 3 lc "black" title "total"
