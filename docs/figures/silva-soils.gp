# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Silva's hexapod on the seven soils of his Table II: height of foot 1 about its landing, and the mean height of the hips. Drawn by scripts/figures.
size = "960,420"
load "docs/figures/style.gp"
set multiplot
dat(run) = folder . "/silva-" . run . ".dat"
soils = "concrete wood gravel sand compact-clay loose-clay peat"
colours = "#000000 #8c8c8c #cc79a7 #e69f00 #0072b2 #009e73 #d55e00"
set key top right samplen 1.5 spacing 0.9
set tmargin at screen 0.95; set bmargin at screen 0.16
set xlabel "t [s]" offset 0,0.4
set lmargin at screen 0.085; set rmargin at screen 0.475
set xrange [0.88:1.12]
set yrange [-14:22]
set ylabel "y_{1F} [mm]" offset 1,0
plot for [k = 1:7] dat(word(soils, k) . "-near") using 1:(1e3 * $16) with lines lw 1.5 lc rgb word(colours, k) title word(soils, k)
unset key
set lmargin at screen 0.585; set rmargin at screen 0.975
set xrange [0:1.6]
set yrange [865:915]
set ylabel "mean height of the hips [mm]"
plot for [k = 1:7] dat(word(soils, k)) using 1:(1e3 * $19) with lines lw 1.5 lc rgb word(colours, k)
unset multiplot
