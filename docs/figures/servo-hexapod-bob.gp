# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Height of the body of the servo hexapod while it walks, with strong and weak servos, prompt and late touch sensors. Drawn by scripts/figures.
size = "960,420"
load "docs/figures/style.gp"
set datafile separator ","
set lmargin at screen 0.08
set rmargin at screen 0.975
set tmargin at screen 0.95
set bmargin at screen 0.16
set xrange [3:7]
set yrange [66:98]
set xlabel "t [s]"
set ylabel "height of the body [mm]" offset 1,0
set key top right horizontal samplen 2
z(run) = folder . "/servo-bob-" . run . "/run.csv"
plot z("late-weak") using "time [s]":(1e3 * column("base.pos.z [m]")) with lines lw 1.8 lc rgb "#d55e00" title "weak, 60 ms late", \
     z("late") using "time [s]":(1e3 * column("base.pos.z [m]")) with lines lw 1.4 lc rgb "#cc79a7" title "standard, 60 ms late", \
     z("weak") using "time [s]":(1e3 * column("base.pos.z [m]")) with lines lw 1.4 lc rgb "#e69f00" title "weak, prompt", \
     z("standard") using "time [s]":(1e3 * column("base.pos.z [m]")) with lines lw 1.4 lc rgb "#0072b2" title "standard, 10 ms", \
     z("strong") using "time [s]":(1e3 * column("base.pos.z [m]")) with lines lw 1.4 lc rgb "#009e73" title "strong, prompt"
