# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Vertical forces of ANTON's six feet over time, one row a foot, what the controller wants of them, their sum beside the weight, and how far the centre
# of mass is inside the feet.
#     gnuplot -e "recording='out/anton-tripod/run.csv'; figure='out/anton-tripod/feet.png'" scripts/feet.gp
# `heading` is written above it. docs/images/anton-tripod-feet.png is drawn this way too.
set terminal pngcairo size 1200,980 font "Liberation Sans,14" linewidth 1.3
if (!exists("heading")) heading = ""
set encoding utf8
set datafile separator ","

legs = "FL FR ML MR RL RR"
names = "'front left' 'front right' 'middle left' 'middle right' 'rear left' 'rear right'"
foot(leg) = column("feet.force." . leg . ".z [N]")
wanted(leg) = column("control." . leg . ".force.wanted [N]")
all(row) = foot("FL") + foot("FR") + foot("ML") + foot("MR") + foot("RL") + foot("RR")
weight = 5.0 * 9.81 # [N]
tripod_a(leg) = leg eq "FL" || leg eq "MR" || leg eq "RL"
stats recording using "time [s]" name "TIME" nooutput

set output figure
set multiplot
set border 3 lc "gray30"
set tics nomirror out scale 0.6 textcolor "gray20"
set grid y lc "gray85" lw 0.7
set lmargin at screen 0.15
set rmargin at screen 0.97
set xrange [TIME_min:TIME_max]
set label 1 heading at screen 0.15, 0.972 left font ",18"
set label 2 "vertical force of each foot [N]; dashed: wanted" at screen 0.97, 0.972 right textcolor "gray30"
set yrange [0:40]
set ytics 0,20,20
set format x ""
unset key
do for [i = 1:6] {
    leg = word(legs, i)
    colour = tripod_a(leg) ? "#0072b2" : "#d55e00"
    set tmargin at screen 0.95 - 0.095 * (i - 1)
    set bmargin at screen 0.95 - 0.095 * i + 0.015
    set ylabel word(names, i) rotate by 0 right offset 1, 0
    plot recording using "time [s]":(foot(leg)) with filledcurves y1=0 fs solid 0.35 lc rgb colour, \
         "" using "time [s]":(foot(leg)) with lines lc rgb colour, \
         "" using "time [s]":(wanted(leg)) with lines dt 2 lw 1.2 lc rgb "black"
    unset label
}
set tmargin at screen 0.355
set bmargin at screen 0.235
set yrange [0:100]
set ytics 0,25,75
set ylabel "all feet" rotate by 0 right offset 1, 0
set key horizontal at graph 1, 1.02 right bottom
plot recording using "time [s]":(all(0)) with lines lc "black" title "sum [N]", weight with lines dt 2 lc "#cc0000" title "weight"
set tmargin at screen 0.2
set bmargin at screen 0.08
set yrange [0:200]
set ytics 0,50,150
set format x "%g"
set xlabel "time [s]"
set ylabel "margin" rotate by 0 right offset 1, 0
plot recording using "time [s]":(1000 * column("walk.margin [m]")) with lines lc "#009e73" title "centre of mass inside the feet [mm]"
unset multiplot
