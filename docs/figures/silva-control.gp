# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Silva's hexapod under other control: error of hip 1 with backlash under fractional order and PD, with rigid joints without and with force feedback; over the torque
# of the drives, first fall and tracking, rigid joints, without and with force feedback. Drawn by scripts/figures.
size = "960,820"
load "docs/figures/style.gp"
set multiplot
dat(run) = folder . "/silva-" . run . ".dat"
set xrange [0:3]
set key top right samplen 1.5 horizontal maxrows 1
set lmargin at screen 0.1; set rmargin at screen 0.975
set tmargin at screen 0.965; set bmargin at screen 0.78
set format x ""
set ylabel "with backlash:\nerror of hip 1 [mrad]" offset 1,0
set yrange [-75:115]
plot dat("pd") using 1:20 with lines lw 1.1 lc rgb "#d55e00" title "PD", \
     dat("fractional") using 1:20 with lines lw 1.1 lc rgb "#0072b2" title "order 1/2"
set tmargin at screen 0.75; set bmargin at screen 0.565
set format x "%g"
set xlabel "t [s]"
set ylabel "rigid joints:\nerror of hip 1 [mrad]"
plot dat("rigid") using 1:20 with lines lw 1.1 lc rgb "#0072b2" title "order 1/2", \
     dat("force") using 1:20 with lines lw 1.1 lc rgb "#009e73" title "order 1/2, force feedback"
set key top left samplen 1.5 vertical maxrows 2
set xlabel "torque of the drives [N m]"
set tmargin at screen 0.46; set bmargin at screen 0.09
set lmargin at screen 0.1; set rmargin at screen 0.48
set ylabel "rigid joints, drives too weak:\nfirst fall [s]" offset 0,0
set xrange [38:64]; set yrange [0.5:2.1]
plot dat("weak") using 1:2 with linespoints lw 1.5 pt 7 ps 0.6 lc rgb "#cc79a7" title "without force feedback", \
     dat("weak") using 1:3 with linespoints lw 1.5 pt 7 ps 0.6 lc rgb "#009e73" title "with force feedback"
set key top right samplen 1.5 vertical maxrows 2
set lmargin at screen 0.61; set rmargin at screen 0.975
set ylabel "rigid joints, drives that carry:\nerror of all joints, rms [mrad]"
set xrange [86:124]; set yrange [0:24]
plot dat("strong") using 1:(1e3 * $2) with linespoints lw 1.5 pt 7 ps 0.6 lc rgb "#cc79a7" title "without force feedback", \
     dat("strong") using 1:(1e3 * $3) with linespoints lw 1.5 pt 7 ps 0.6 lc rgb "#009e73" title "with force feedback"
unset multiplot
