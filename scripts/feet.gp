# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Vertical forces of ANTON's six feet over time, one row a foot, and below them their sum beside the weight.
#     gnuplot -e "recording='out/anton-march/run.csv'; figure='out/anton-march/feet.png'" scripts/feet.gp
# `heading` is written above it. docs/images/anton-march-feet.png is drawn this way too.
set terminal pngcairo size 1200,900 font "Liberation Sans,14" linewidth 1.3
if (!exists("heading")) heading = ""
set encoding utf8
set datafile separator ","

legs = "FL FR ML MR RL RR"
names = "'front left' 'front right' 'middle left' 'middle right' 'rear left' 'rear right'"
foot(leg) = column("bodies." . leg . "_tibia.contact.force.z [N]")
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
set label 1 heading at screen 0.15, 0.965 left font ",18"
set label 2 "vertical force of each foot [N]" at screen 0.97, 0.965 right textcolor "gray30"
set yrange [0:40]
set ytics 0,20,20
set format x ""
unset key
do for [i = 1:6] {
    leg = word(legs, i)
    colour = tripod_a(leg) ? "#0072b2" : "#d55e00"
    set tmargin at screen 0.94 - 0.105 * (i - 1)
    set bmargin at screen 0.94 - 0.105 * i + 0.015
    set ylabel word(names, i) rotate by 0 right offset 1, 0
    plot recording using "time [s]":(foot(leg)) with filledcurves y1=0 fs solid 0.35 lc rgb colour, \
         "" using "time [s]":(foot(leg)) with lines lc rgb colour
    unset label
}
set tmargin at screen 0.28
set bmargin at screen 0.075
set yrange [0:80]
set ytics 0,20,60
set format x "%g"
set xlabel "time [s]"
set ylabel "all feet" rotate by 0 right offset 1, 0
set key horizontal at graph 0.99, 0.98 right top
plot recording using "time [s]":(all(0)) with lines lc "black" title "sum [N]", weight with lines dt 2 lc "#cc0000" title "weight"
unset multiplot
