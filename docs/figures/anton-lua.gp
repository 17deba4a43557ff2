# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Two scripts in Lua at work. Left: ANTON walks; way of the body beside the plan, and which feet carry. Right: ANTON leans against a pull; centre of mass beside what
# statics asks for, and the vertical forces of the feet. Drawn by scripts/figures.
size = "960,480"
load "docs/figures/style.gp"
set datafile separator ","
walk = folder . "/lua-tripod/run.csv"
lean = folder . "/lua-balance/run.csv"
legs = "FL FR ML MR RL RR"
names = "'front left' 'front right' 'middle left' 'middle right' 'rear left' 'rear right'"
force(leg) = column("bodies." . leg . "_tibia.contact.force.z [N]")
group(i) = i == 1 || i == 4 || i == 5 ? 0x0072b2 : 0xd55e00
pair(i) = i < 3 ? 0x0072b2 : i < 5 ? 0x009e73 : 0xd55e00
plan(t) = t < 4.8 ? 0.1 * (t - 0.5 * (1 - exp(-2 * t))) : 0.48 - 0.05 * exp(-2 * (t - 4.8))
set multiplot
unset key
set xlabel ""
set format x ""

set lmargin at screen 0.10
set rmargin at screen 0.49
set xrange [0:6.5]
set tmargin at screen 0.92
set bmargin at screen 0.55
set title "tripod.lua: 0.1 m/s, then stop" offset 0,-0.5
set ylabel "x [m]" offset 1
set yrange [0:0.5]
set key bottom right samplen 2
plot walk using "time [s]":"base.pos.x [m]" every 8 with lines lw 2 lc rgb 0x0072b2 title "body", \
     plan(x) with lines lw 1 dt 2 lc "gray40" title "plan"
unset key
unset title
set tmargin at screen 0.50
set bmargin at screen 0.15
set yrange [0.4:6.6]
set ylabel ""
unset grid
set ytics (word(names, 1) 6, word(names, 2) 5, word(names, 3) 4, word(names, 4) 3, word(names, 5) 2, word(names, 6) 1)
set xlabel "t [s]"
set format x "%g"
plot for [i = 1:6] folder . "/lua-feet.dat" using ($3 == i ? $1 : NaN):(7 - i):($2 - $1):(0) with vectors nohead lw 9 lc rgb group(i)

set format x ""
set xlabel ""
set lmargin at screen 0.58
set rmargin at screen 0.985
set xrange [0:5.5]
set tmargin at screen 0.92
set bmargin at screen 0.55
set grid lc "gray88" lw 0.7
set title "balance.lua: pulled by 2 N back and 4 N to the left after 3 s" offset 0,-0.5
set ylabel "centre of mass [mm]" offset 1
set yrange [-15:25]
set ytics auto
set key top right samplen 2
plot lean using "time [s]":(1000 * column("com.pos.x [m]")) every 5 with lines lw 2 lc rgb 0x0072b2 title "ahead", \
     lean using "time [s]":(1000 * column("com.pos.y [m]")) every 5 with lines lw 2 lc rgb 0xd55e00 title "left", \
     (x < 3 ? 0 : 1000 * 2 * 0.106 / 49.05) with lines lw 1 dt 2 lc rgb 0x0072b2 title "F h / (m g)", \
     (x < 3 ? 0 : -1000 * 4 * 0.106 / 49.05) with lines lw 1 dt 2 lc rgb 0xd55e00 notitle
unset title
set tmargin at screen 0.50
set bmargin at screen 0.15
set xlabel "t [s]"
set format x "%g"
set ylabel "force of a foot [N]" offset 1
set yrange [6:10.5]
set key top right samplen 2 maxrows 3
plot for [i = 1:6] lean using "time [s]":(force(word(legs, i))) every 5 with lines lw (i % 2 ? 1.6 : 0.8) lc rgb pair(i) title word(names, i)
unset multiplot
