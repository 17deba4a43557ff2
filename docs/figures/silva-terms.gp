# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Silva's figures 7, 8, 12 and 15: inertial, centrifugal and Coriolis, and gravitational terms of the torque of hip 1, for two gaits and three joint
# models. The whole spikes above, swing below. Drawn by scripts/figures.
size = "1100,760"
load "docs/figures/style.gp"
unset grid # many panels: lines of a grid would be half of the file
set multiplot
unset key
set xrange [0:1.5]
set xtics 0.5
runs = "wave full level-2 level-3"
titles = "'wave 50 % (Fig. 7)' 'full cycle 35 % (Fig. 8)' 'flexible joints (Fig. 12)' 'with backlash (Fig. 15)'"
colours = "#0072b2 #d55e00 #009e73 #cc79a7"
left(k) = 0.095 + k * 0.228
top(row) = 0.93 - row * 0.225
do for [k = 0:3] {
    set lmargin at screen left(k)
    set rmargin at screen left(k) + 0.2
    set label 1 word(titles, k + 1) at screen left(k), 0.965 left font ",14" textcolor rgb word(colours, k + 1)
    if (k > 0) { set format y ""; unset ylabel }
    do for [row = 0:3] {
        set tmargin at screen top(row)
        set bmargin at screen top(row) - 0.18
        set format x (row == 3 ? "%g" : "")
        if (row == 3) { set xlabel "t [s]" offset 0,0.5 } else { unset xlabel }
        if (k == 0) { set format y "%g" }
        if (row == 0) { set yrange [-1300:900]; set ytics 500; if (k == 0) { set ylabel "inertial [N m]" offset 1.5,0 } }
        if (row == 1) { set yrange [-40:40]; set ytics 20; if (k == 0) { set ylabel "inertial, swing [N m]" offset 0,0 } }
        if (row == 2) { set yrange [-4:4]; set ytics 2; if (k == 0) { set ylabel "centrif., Coriolis [N m]" } }
        if (row == 3) { set yrange [-3:7]; set ytics 2; if (k == 0) { set ylabel "weight [N m]" } }
        data = folder . "/silva-" . word(runs, k + 1) . (row < 3 ? "-peaks" : "") . ".dat"
        plot data using 1:(row < 2 ? $12 : row == 2 ? $13 : $14) with lines lw 1.2 lc rgb word(colours, k + 1)
        unset label 1
    }
}
unset multiplot
