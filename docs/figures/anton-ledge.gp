# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# ANTON on the highest ledges it climbs, seen from its left: a body that bends (left) and a rigid one (right). Drawn by scripts/figures from what scripts/side-view.awk made of the recordings.
size = "860,900"
load "docs/figures/style.gp"
set multiplot
unset key
unset grid
set size ratio -1
set xrange [-0.05:0.95]
set yrange [-0.02:0.5]
set xtics 0.2
set ytics 0.1
set border 3 lc "gray60"
names = "ledge ledge-rigid"
heights = "0.27 0.22"
kinds = "'articulated body, 0.27 m (x, z in m)' 'rigid body, 0.22 m (x, z in m)'"
titles = "'3: front legs up' '5: middle legs onto the edge' '6: body forward' '7: rear legs up'"
do for [c = 1:2] {
    set object 1 rectangle from 0.4, 0 to 0.95, word(heights, c) + 0 fc rgb "#d8d8d8" fs solid noborder behind
    do for [r = 1:4] {
        set lmargin at screen 0.06 + 0.49 * (c - 1)
        set rmargin at screen 0.48 + 0.49 * (c - 1)
        set tmargin at screen 0.95 - 0.235 * (r - 1)
        set bmargin at screen 0.745 - 0.235 * (r - 1)
        set label 1 sprintf("step %s", word(titles, r)) at graph 0.02, 0.93 tc "gray20"
        set label 2 (r == 1 ? word(kinds, c) : "") at graph 0.5, 1.08 center font ",15"
        file = folder . "/" . word(names, c) . ".dat"
        plot 0 with lines lw 1 lc "gray50", \
             file using ($3 == r && $4 == 0 ? $1 : NaN):2 with lines lw 1.6 lc rgb "#0072b2", \
             file using ($3 == r && $4 == 1 ? $1 : NaN):2 with lines lw 1.6 lc rgb "#d55e00"
    }
}
unset multiplot
