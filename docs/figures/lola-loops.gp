# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# LOLA steps in place: torque errors over the gain of lag reduction, beside the robot's (A2, A3), spectra of the roll rate and the lean with each filter (A4);
# torque errors over the softness of the ground, also at 0.5 m/s (A18). Drawn by scripts/figures.
size = "960,660"
load "docs/figures/style.gp"
$robot << EOD
0 29.7 12.9
0.1 28.7 10.6
0.15 29.6 10.7
0.2 29.4 10.2
0.3 30.0 10.6
0.4 28.6 10.3
EOD
set multiplot layout 2,2 margins 0.075,0.985,0.095,0.955 spacing 0.095,0.165
set key top right samplen 2 spacing 1.1
set xlabel offset 0,0.8
set ylabel offset 1,0
set title offset 0,-0.7
set title "A2, A3: torque errors in place, and the robot's (tab. 5.2)"
set xlabel "gain of lag reduction G_{λ'}"
set ylabel "rms [N m]"
set xrange [-0.02:0.42]
set yrange [0:50]
set key maxrows 2
set pointsize 0.6
plot $robot using 1:2 with linespoints lw 1.2 dt 2 pt 6 lc rgb "#0072b2" title "x, robot", \
     folder . "/lola-gains.dat" using 1:2 with linespoints lw 1.6 pt 7 lc rgb "#0072b2" title "x", \
     $robot using 1:3 with linespoints lw 1.2 dt 2 pt 6 lc rgb "#d55e00" title "y, robot", \
     folder . "/lola-gains.dat" using 1:3 with linespoints lw 1.6 pt 7 lc rgb "#d55e00" title "y"
set key maxrows 4
set title "A4: roll rate of a torso on springs"
set xlabel "f [Hz]"
set ylabel "dB of (rad/s)^2/Hz"
set xrange [4:40]
set yrange [-90:-30]
plot folder . "/spectrum-raw.dat" with lines lw 1.2 dt 2 lc rgb "gray30" title "raw", \
     folder . "/spectrum-notch.dat" with lines lw 1.6 lc rgb "#0072b2" title "notches", \
     folder . "/spectrum-low.dat" with lines lw 1.4 lc rgb "#009e73" title "low pass", \
     folder . "/spectrum-passivity.dat" with lines lw 1.4 lc rgb "#d55e00" title "passivity"
set title "A4: lean to the side"
set xlabel "t [s]"
set ylabel "lean [mrad]"
set xrange [3.2:6.4]
set yrange [-12:16]
set xzeroaxis lc "gray40"
plot folder . "/tilt-raw.dat" using 1:(1e3 * $2) with lines lw 1.2 dt 2 lc rgb "gray30" title "raw", \
     folder . "/tilt-notch.dat" using 1:(1e3 * $2) with lines lw 1.6 lc rgb "#0072b2" title "notches", \
     folder . "/tilt-low.dat" using 1:(1e3 * $2) with lines lw 1.2 lc rgb "#009e73" title "low pass", \
     folder . "/tilt-passivity.dat" using 1:(1e3 * $2) with lines lw 1.2 lc rgb "#d55e00" title "passivity"
unset xzeroaxis
set key top left
set title "A18: torque error about x on softer ground"
set xlabel "stiffness of the sole over that of contact"
set ylabel "rms [N m]"
set logscale x 2
set xrange [0.9:28]
set xtics (1, 3, 5, 8, 12, 25)
set yrange [0:120]
plot folder . "/lola-ground.dat" using 1:($3 == 0 ? $2 : 1/0) with linespoints lw 1.6 pt 7 lc rgb "#0072b2" title "in place", \
     "" using 1:($5 == 0 ? $4 : 1/0) with linespoints lw 1.6 pt 7 lc rgb "#d55e00" title "0.5 m/s", \
     "" using 1:($5 > 0 ? 114 : 1/0) with points pt 2 lw 2 lc rgb "#d55e00" title "falls: no error measured"
unset multiplot
