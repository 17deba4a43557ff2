# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Silva's hexapod under other control: error of hip 1 with backlash under fractional order and PD, with rigid joints without and with force feedback, and height of the
# body and torque with drives that saturate, rigid joints, without and with force feedback. Drawn by scripts/figures.
size = "960,820"
load "docs/figures/style.gp"
set multiplot
dat(run) = folder . "/silva-" . run . ".dat"
set xrange [0:3]
set key top right samplen 1.5 horizontal maxrows 1
set lmargin at screen 0.095; set rmargin at screen 0.975
set tmargin at screen 0.965; set bmargin at screen 0.78
set format x ""
set ylabel "with backlash:\nerror of hip 1 [mrad]" offset 1,0
set yrange [-75:115]
plot dat("pd") using 1:20 with lines lw 1.1 lc rgb "#d55e00" title "PD", \
     dat("fractional") using 1:20 with lines lw 1.1 lc rgb "#0072b2" title "order 1/2"
set tmargin at screen 0.735; set bmargin at screen 0.55
set ylabel "rigid joints:\nerror of hip 1 [mrad]"
plot dat("rigid") using 1:20 with lines lw 1.1 lc rgb "#0072b2" title "order 1/2", \
     dat("force") using 1:20 with lines lw 1.1 lc rgb "#009e73" title "order 1/2, force feedback"
set tmargin at screen 0.505; set bmargin at screen 0.32
set ylabel "rigid joints, 68 N m:\nhips, mean height [mm]"
set yrange [700:1050]
plot dat("saturated") using 1:(1e3 * $19) with lines lw 1.5 lc rgb "#cc79a7" title "without force feedback", \
     dat("saturated-force") using 1:(1e3 * $19) with lines lw 1.5 lc rgb "#009e73" title "with force feedback"
set tmargin at screen 0.275; set bmargin at screen 0.09
set format x "%g"
set xlabel "t [s]"
set ylabel "rigid joints, 68 N m:\nknee 1 [N m]"
set yrange [-80:120]
plot dat("saturated-peaks") using 1:21 with lines lw 1 lc rgb "#cc79a7" title "without force feedback", \
     dat("saturated-force-peaks") using 1:21 with lines lw 1 lc rgb "#009e73" title "with force feedback"
unset multiplot
