# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# BioRob-X4: how far the tip is off its path by two laws for elastic joints and with wrong springs, and the force of the ground when it hits it, with
# soft and with stiff springs (Lens, Fig. 10). Drawn by scripts/figures.
size = "960,560"
load "docs/figures/style.gp"
set multiplot
set lmargin at screen 0.09
set rmargin at screen 0.975
set key top right samplen 2
set tmargin at screen 0.96
set bmargin at screen 0.63
set xrange [0:3.6]
set yrange [0.003:3000]
set logscale y
set format y "%g"
set xlabel "t [s]" offset 0,0.7
set ylabel "tip off its path [mm]" offset 1,0
set key top right horizontal samplen 2
plot folder . "/biorob-gravity.dat" using 1:(1e3 * $3) with lines lw 1.4 lc rgb "#d55e00" title "gravity", \
     folder . "/biorob-soft.dat" using 1:(1e3 * $3) with lines lw 1.2 lc rgb "#e69f00" title "flatness, springs taken as 0.8 K", \
     folder . "/biorob-stiff.dat" using 1:(1e3 * $3) with lines lw 1.2 lc rgb "#009e73" title "flatness, 1.2 K", \
     folder . "/biorob-flatness.dat" using 1:(1e3 * $3) with lines lw 1.6 lc rgb "#0072b2" title "flatness, K"
unset logscale y
set tmargin at screen 0.49
set bmargin at screen 0.11
set xrange [1.30:1.60]
set yrange [0:44]
set ytics 10
set xlabel "t [s]" offset 0,0.5
set ylabel "force of the ground [N]"
plot folder . "/biorob-hit-stiff.dat" using 1:2 with lines lw 1.4 lc rgb "#d55e00" title "springs times 100", \
     folder . "/biorob-mass-0.5173.dat" using 1:2 with lines lw 1.2 dt 2 lc rgb "#d55e00" title "0.517 kg, with rotors", \
     folder . "/biorob-hit.dat" using 1:2 with lines lw 1.8 lc rgb "#0072b2" title "BioRob-X4", \
     folder . "/biorob-mass-0.3454.dat" using 1:2 with lines lw 1.2 dt 2 lc rgb "#0072b2" title "0.345 kg, links alone"
unset multiplot
