# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# E1 as in Lens 2011, Fig. 5: normal quantities on the left, tangential ones on the right, coloured by the state of the contact.
# Drawn by scripts/figures.
size = "960,900"
load "docs/figures/style.gp"
data = folder . "/e1.dat"
# columns: time, x, z, vx, vz, fx, fz, mode
colours = "#8c8c8c #d55e00 #0072b2" # flight, sliding, sticking
of(value, mode) = column(8) == mode ? value : NaN
set xrange [0:2]
set multiplot
set lmargin at screen 0.085
set rmargin at screen 0.475
unset key
top(row) = 0.925 - row * 0.2225
bottom(row) = top(row) - 0.172

set label 1 "normal" at screen 0.085, 0.965 left font ",16"
set label 2 "tangential" at screen 0.585, 0.965 left font ",16"
set label 3 "flight" at screen 0.76, 0.965 left textcolor rgb "#8c8c8c"
set label 4 "sliding" at screen 0.83, 0.965 left textcolor rgb "#d55e00"
set label 5 "sticking" at screen 0.91, 0.965 left textcolor rgb "#0072b2"
set format x ""
set tmargin at screen top(0); set bmargin at screen bottom(0)
set ylabel "p_N [m]" offset 1,0
set ytics 0.5
set yrange [-0.1:1]
plot for [m = 0:2] data using 1:(of($3, m)) with lines lw 1.6 lc rgb word(colours, m + 1)
unset label

set tmargin at screen top(1); set bmargin at screen bottom(1)
set ylabel "p'_N [m/s]" offset 0,0
set yrange [-5:2]
set ytics 2
plot for [m = 0:2] data using 1:(of($5, m)) with lines lw 1.6 lc rgb word(colours, m + 1)

set tmargin at screen top(2); set bmargin at screen bottom(2)
set ylabel "F_c [N]" offset 1,0
set yrange [0:600]
set ytics 200
plot for [m = 0:2] data using 1:(of($7, m)) with lines lw 1.6 lc rgb word(colours, m + 1)

set tmargin at screen top(3); set bmargin at screen bottom(3)
set format x "%g"
set xlabel "t [s]" offset 0,0.4
set ylabel "p_N [mm]"
set yrange [-30:75]
set ytics 25
plot for [m = 0:2] data using 1:(of(1000 * $3, m)) with lines lw 1.6 lc rgb word(colours, m + 1)

set lmargin at screen 0.585
set rmargin at screen 0.975
unset xlabel
set format x ""
set tmargin at screen top(0); set bmargin at screen bottom(0)
set ylabel "p_T [m]" offset 1,0
set ytics 0.5
set yrange [-0.05:1]
plot for [m = 0:2] data using 1:(of($2, m)) with lines lw 1.6 lc rgb word(colours, m + 1)

set tmargin at screen top(1); set bmargin at screen bottom(1)
set ylabel "p'_T [m/s]"
plot for [m = 0:2] data using 1:(of($4, m)) with lines lw 1.6 lc rgb word(colours, m + 1)

set tmargin at screen top(2); set bmargin at screen bottom(2)
set ylabel "F_f [N]" offset 0.5,0
set yrange [-35:2]
set ytics 10
plot for [m = 0:2] data using 1:(of($6, m)) with lines lw 1.6 lc rgb word(colours, m + 1)

set tmargin at screen top(3); set bmargin at screen bottom(3)
set format x "%g"
set xlabel "t [s]" offset 0,0.4
set ylabel "|F_f| / F_c"
set yrange [0:0.12]
set ytics 0.04
set arrow 1 from 0,0.06 to 2,0.06 nohead dt 2 lc "gray50"
set arrow 2 from 0,0.1 to 2,0.1 nohead dt 2 lc "gray50"
set label 1 "µ_{fk}" at 0.04,0.068 textcolor "gray40"
set label 2 "µ_{fs}" at 0.04,0.108 textcolor "gray40"
plot for [m = 0:2] data using 1:(of($7 > 0.5 ? abs($6) / $7 : NaN, m)) with lines lw 1.6 lc rgb word(colours, m + 1)
unset multiplot
