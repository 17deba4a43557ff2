# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Which legs of the servo hexapod are DOWN, walking ahead and walking while turning; and when the body stands because a leg was refused. Drawn by scripts/figures.
size = "960,420"
load "docs/figures/style.gp"
names = "'front left' 'front right' 'middle left' 'middle right' 'rear left' 'rear right'"
group(i) = i == 1 || i == 4 || i == 5 ? 0x0072b2 : 0xd55e00
set multiplot
unset key
set yrange [-0.6:6.6]
set xrange [0:8]
set xlabel "t [s]"
unset grid
set for [i = 1:6] ytics add (word(names, i) 7 - i)
set ytics add ("body stands" 0)
set lmargin at screen 0.12
set rmargin at screen 0.545
set tmargin at screen 0.90
set bmargin at screen 0.14
set title "ahead" offset 0,-0.5
plot for [i = 1:6] folder . "/servo-walk.dat" using ($3 == i ? $1 : NaN):(7 - i):($2 - $1):(0) with vectors nohead lw 11 lc rgb group(i), \
     "" using ($3 == 7 ? $1 : NaN):(0):($2 - $1):(0) with vectors nohead lw 11 lc "gray60"
set ytics ("" 0)
set for [i = 1:6] ytics add ("" 7 - i)
set lmargin at screen 0.57
set rmargin at screen 0.985
set title "ahead and turning"
plot for [i = 1:6] folder . "/servo-curve.dat" using ($3 == i ? $1 : NaN):(7 - i):($2 - $1):(0) with vectors nohead lw 11 lc rgb group(i), \
     "" using ($3 == 7 ? $1 : NaN):(0):($2 - $1):(0) with vectors nohead lw 11 lc "gray60"
unset multiplot
