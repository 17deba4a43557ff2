# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# The largest pushes that LOLA survives, by their direction, seen from above with ahead at the top, beside what the capture point allows. Drawn by
# scripts/balance from what bench/balance.c writes.
size = "960,370"
load "docs/figures/style.gp"
set multiplot layout 1,3 margins 0.02,0.98,0.02,0.87 spacing 0.03
set size ratio -1
unset border
unset tics
unset grid
set xrange [-66:66]
set yrange [-66:66]
set samples 90
set parametric
set trange [0:2*pi]
set key at graph 0.5,1.09 center horizontal samplen 2
x(angle, r) = -r * sin(angle * pi / 180)
y(angle, r) = r * cos(angle * pi / 180)
# on the rings, where no curve passes: straight back, that of 40 N s to the right
do for [r in "20 60"] { set label sprintf("%s N s", r) at 0, -r center front textcolor "gray40" font ",9" }
set label "40 N s" at 40, 0 center front textcolor "gray40" font ",9"
set label "ahead" at 0,63.5 center textcolor "gray20" font ",10"
do for [k = 0:2] {
    set title (k == 0 ? "standing" : k == 1 ? "stepping in place" : "walking at 0.5 m/s, seed 0") offset 0,1.2
    plot 20 * cos(t), 20 * sin(t) with lines lc "gray88" notitle, 40 * cos(t), 40 * sin(t) with lines lc "gray88" notitle, \
         60 * cos(t), 60 * sin(t) with lines lc "gray88" notitle, \
         folder . "/lola-push.dat" using (x($1, column(2 * k + 3))):(y($1, column(2 * k + 3))) with lines lw 1.2 dt 2 lc rgb "gray40" title "allowed", \
         "" using (x($1, column(2 * k + 2))):(y($1, column(2 * k + 2))) with linespoints lw 1.6 pt 7 ps 0.5 lc rgb "#0072b2" title "survived"
}
unset multiplot
