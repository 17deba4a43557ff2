# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Silva's figures 4 to 6: planned height of foot 1, its speed and acceleration, and planned angle, rate and acceleration of hip 1, for two gaits. Drawn by
# scripts/figures.
size = "960,720"
load "docs/figures/style.gp"
unset grid # many panels: lines of a grid would be half of the file
set multiplot
unset key
set xrange [0:1.5]
wave = folder . "/silva-wave.dat"
full = folder . "/silva-full.dat"
one = "#0072b2"
two = "#d55e00"
top(row) = 0.925 - row * 0.3
set label 1 "planned foot 1 (Fig. 4, 5)" at screen 0.085, 0.96 left font ",15"
set label 2 "planned hip 1 (Fig. 6)" at screen 0.585, 0.96 left font ",15"
set label 3 "wave 50 %" at screen 0.35, 0.96 left textcolor rgb one
set label 4 "full cycle 35 %" at screen 0.44, 0.96 left textcolor rgb two
do for [side = 0:1] {
    set lmargin at screen 0.085 + 0.5 * side
    set rmargin at screen 0.475 + 0.5 * side
    do for [row = 0:2] {
        set tmargin at screen top(row); set bmargin at screen top(row) - 0.245
        set format x (row == 2 ? "%g" : "")
        if (row == 2) { set xlabel "t [s]" offset 0,0.4 } else { unset xlabel }
        if (side == 0 && row == 0) { set ylabel "y_{1F} [m]" offset 1,0; set yrange [-0.005:0.11]; set ytics 0.02 }
        if (side == 0 && row == 1) { set ylabel "y'_{1F} [m/s]" offset 1,0; set yrange [-0.75:0.75]; set ytics 0.25 }
        if (side == 0 && row == 2) { set ylabel "y''_{1F} [m/s²]" offset 1,0; set yrange [-9:9]; set ytics 4 }
        if (side == 1 && row == 0) { set ylabel "{/Symbol q}_{11} [deg]" offset 1,0; set yrange [0:50]; set ytics 10 }
        if (side == 1 && row == 1) { set ylabel "{/Symbol q}'_{11} [rad/s]" offset 1,0; set yrange [-3:6]; set ytics 2 }
        if (side == 1 && row == 2) { set ylabel "{/Symbol q}''_{11} [rad/s²]" offset 1,0; set yrange [-60:60]; set ytics 20 }
        c = 3 + 3 * side + row
        plot full using 1:c with lines lw 1.5 lc rgb two, wave using 1:c with lines lw 1.5 lc rgb one
        unset label
    }
}
unset multiplot
