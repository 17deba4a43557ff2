# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# E3: vertical reactions of the geometric objects, one panel each, with their weights. Drawn by scripts/figures.
size = "960,900"
load "docs/figures/style.gp"
set multiplot
set lmargin at screen 0.08
set rmargin at screen 0.975
set xrange [0:6]
unset key
set style textbox opaque noborder fillcolor "white"
array name[5] = ["sphere, analytic", "sphere, 320 triangles", "box, 12 triangles", "capsule, analytic", "capsule, 320 triangles"]
array weight[5] = [9.81, 9.81, 19.62, 9.81, 9.81]
set format x ""
set ytics 10
do for [i = 1:5] {
    set tmargin at screen 0.98 - (i - 1) * 0.184
    set bmargin at screen 0.98 - (i - 1) * 0.184 - 0.155
    if (i == 5) { set format x "%g"; set xlabel "t [s]" offset 0,0.4 }
    if (i == 3) { set ylabel "vertical reaction [N]" } else { set ylabel " " }
    set yrange [0:2.5 * weight[i]]
    set ytics weight[i] > 15 ? 20 : 10
    set label 1 sprintf("%s", name[i]) at 5.95,2.2 * weight[i] right boxed
    set arrow 1 from 0,weight[i] to 6,weight[i] nohead dt 2 lc "gray50" back
    plot folder . "/e3.dat" using 1:(column(i + 1)) with lines lw 1.2 lc rgb (i == 1 || i == 4 ? "#0072b2" : "#d55e00")
}
unset multiplot
