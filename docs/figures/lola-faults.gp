# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# LOLA walks at 0.5 m/s and loses a sensor: how far it comes before it rests on two feet, and how far its torso leans; gaps of 40 ms for comparison. Drawn by
# scripts/figures.
size = "960,360"
load "docs/figures/style.gp"
lean(x, y) = acos(1 - 2 * (x**2 + y**2)) * 180 / pi
set multiplot layout 1,2 margins 0.065,0.985,0.165,0.925 spacing 0.085
set key top left Left reverse samplen 2 spacing 1.1
set xlabel "t [s]" offset 0,0.6
set ylabel offset 1,0
set title offset 0,-0.7
set xrange [2:6.4]
set title "the way it goes on"
set ylabel "x [m]"
plot folder . "/fault-gap.dat" using 1:2 with lines lw 1.2 dt 2 lc rgb "gray30" title "gaps of 40 ms at 3 and 4 s", \
     folder . "/fault-imu.dat" using 1:2 with lines lw 1.6 lc rgb "#0072b2" title "IMU lost at 3.0 s", \
     folder . "/fault-half.dat" using 1:2 with lines lw 1.6 lc rgb "#56b4e9" title "IMU lost at 3.6 s", \
     folder . "/fault-foot.dat" using 1:2 with lines lw 1.6 lc rgb "#d55e00" title "left force lost at 3.0 s", \
     folder . "/fault-stuck-foot.dat" using 1:2 with lines lw 1.6 lc rgb "#e69f00" title "left force stuck at 3.3 s"
unset key
set title "lean of the torso"
set ylabel "degrees"
set yrange [0:*]
plot folder . "/fault-gap.dat" using 1:(lean($3, $4)) with lines lw 1.2 dt 2 lc rgb "gray30", \
     folder . "/fault-imu.dat" using 1:(lean($3, $4)) with lines lw 1.6 lc rgb "#0072b2", \
     folder . "/fault-half.dat" using 1:(lean($3, $4)) with lines lw 1.6 lc rgb "#56b4e9", \
     folder . "/fault-foot.dat" using 1:(lean($3, $4)) with lines lw 1.6 lc rgb "#d55e00", \
     folder . "/fault-stuck-foot.dat" using 1:(lean($3, $4)) with lines lw 1.6 lc rgb "#e69f00"
unset multiplot
