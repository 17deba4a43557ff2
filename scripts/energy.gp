# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Energy of a run over time, and below it how far the total strays from its first value. Potential energy counts from its lowest value
# in the run, which shifts the total alike: what matters is how they change into each other.
#     gnuplot -e "recording='out/tumble/run.csv'; figure='out/tumble/energy.png'" scripts/energy.gp
# `heading` is written above it.
set terminal pngcairo size 1200,800 font "Liberation Sans,15" linewidth 1.4
if (!exists("heading")) heading = ""
set encoding utf8
set datafile separator ","

springs(row) = column("energy.elastic [J]") + column("energy.parts [J]")
stats recording using "time [s]" name "TIME" nooutput
stats recording using "energy.potential [J]" name "LOW" nooutput
stats recording using (springs(0)) name "ELASTIC" nooutput
stats recording using "energy.total [J]" every ::::0 name "FIRST" nooutput
stats recording using (column("energy.total [J]") - FIRST_min) name "AWAY" nooutput

# The change in J, mJ, ... or fJ, whichever gives numbers of a readable size.
drift = abs(AWAY_min) > abs(AWAY_max) ? abs(AWAY_min) : abs(AWAY_max)
thousands = drift > 0 ? int(floor(log10(drift) / 3)) : 0
thousands = thousands > 0 ? 0 : thousands < -5 ? -5 : thousands
unit = word("fJ pJ nJ µJ mJ J", thousands + 6)
scale = 1000.0**thousands

set output figure
set multiplot
set border 3 lc "gray30"
set tics nomirror out scale 0.6 textcolor "gray20"
set grid lc "gray85" lw 0.7
set lmargin at screen 0.105
set rmargin at screen 0.97
set xrange [TIME_min:TIME_max]

set label 1 heading at screen 0.105, 0.955 left font ",18"
set label 2 "potential and total counted from the lowest potential" at screen 0.97, 0.893 right font ",12" textcolor "gray30"
set tmargin at screen 0.86
set bmargin at screen 0.39
set key horizontal at screen 0.095, 0.875 left bottom Left reverse samplen 2 maxrows 1
set ylabel "energy [J]" offset screen 0.005, 0
set yrange [0:*]
set format x ""
plot recording using "time [s]":"energy.kinetic [J]" with lines lw 2 lc "#0072b2" title "kinetic", \
     "" using "time [s]":(column("energy.potential [J]") - LOW_min) with lines lw 2 lc "#d55e00" title "potential", \
     "" using "time [s]":(ELASTIC_max > 0 ? springs(0) : NaN) with lines lw 2 lc "#009e73" title (ELASTIC_max > 0 ? "springs" : ""), \
     "" using "time [s]":(column("energy.total [J]") - LOW_min) with lines lw 3 lc "black" title "total"

unset label
set tmargin at screen 0.33
set bmargin at screen 0.11
unset key
set yrange [*:*]
set format x "%g"
set format y "%g"
set xlabel "time [s]"
set ylabel "change of total [" . unit . "]" offset screen 0.005, 0
plot recording using "time [s]":((column("energy.total [J]") - FIRST_min) / scale) with lines lw 1.5 lc "black"
unset multiplot
