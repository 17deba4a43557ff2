# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# LOLA on steps that it does not know, with and without parts of its stabiliser: reflex (A5), distribution of forces (A6), acceleration of the centre of mass
# (A7, A11). Drawn by scripts/figures.
size = "960,860"
load "docs/figures/style.gp"
deg(x) = 57.2958 * x
set multiplot layout 3,2 margins 0.075,0.985,0.07,0.965 spacing 0.095,0.115
set key top right samplen 2 spacing 1.1 maxrows 2
set xzeroaxis lc "gray40"
set xlabel "t [s]" offset 0,0.8
set ylabel offset 1,0
set title offset 0,-0.7
set xrange [4.6:5.4]
set title "A5: onto 4 cm, lean"
set ylabel "lean [deg]"
set yrange [-3.5:5.5]
plot folder . "/board-lola-board.dat" every 2 using 1:(deg($3)) with lines lw 1.6 lc rgb "#0072b2" title "ahead, reflex", \
     folder . "/board-no-reflex.dat" every 2 using 1:(deg($3)) with lines lw 1.2 dt 2 lc rgb "#0072b2" title "none", \
     folder . "/board-lola-board.dat" every 2 using 1:(deg($2)) with lines lw 1.6 lc rgb "#d55e00" title "to the right, reflex", \
     folder . "/board-no-reflex.dat" every 2 using 1:(deg($2)) with lines lw 1.2 dt 2 lc rgb "#d55e00" title "none"
set title "A5: force of the foot that hits the board"
set ylabel "F_z [N]"
set yrange [0:1600]
plot folder . "/board-lola-board.dat" using 1:6 with lines lw 1.6 lc rgb "#0072b2" title "reflex", \
     folder . "/board-no-reflex.dat" using 1:6 with lines lw 1.2 dt 2 lc rgb "#d55e00" title "none"
set title "A6: onto 4 cm, torque errors about x and y"
set ylabel "error [N m]"
set yrange [-150:250]
plot folder . "/board-lola-board.dat" every 2 using 1:4 with lines lw 1.4 lc rgb "#0072b2" title "x, program", \
     folder . "/board-heuristic.dat" every 2 using 1:4 with lines lw 1.2 dt 2 lc rgb "#0072b2" title "x, by loads", \
     folder . "/board-lola-board.dat" every 2 using 1:5 with lines lw 1.4 lc rgb "#d55e00" title "y, program", \
     folder . "/board-heuristic.dat" every 2 using 1:5 with lines lw 1.2 dt 2 lc rgb "#d55e00" title "y, by loads"
set title "A7: down 4 cm, lean ahead by the share of missing force"
set ylabel "lean [deg]"
set xrange [5.6:6.6]
set yrange [-2:12]
set key top left maxrows 3
plot folder . "/board-stiff.dat" every 3 using 1:(deg($3)) with lines lw 1.2 dt 2 lc rgb "gray30" title "0", \
     folder . "/board-half.dat" every 3 using 1:(deg($3)) with lines lw 1.4 lc rgb "#d55e00" title "0.5", \
     folder . "/board-lola-board.dat" every 3 using 1:(deg($3)) with lines lw 1.6 lc rgb "#0072b2" title "0.8"
set xrange [4.4:7.2]
set yrange [-2:10]
set title "A11: lean ahead with acceleration of the centre of mass"
plot folder . "/board-6.7cm-true.dat" using 1:2 with lines lw 1.4 lc rgb "#0072b2" title "board of 6.7 cm", \
     folder . "/hole-6cm-true.dat" using 1:2 with lines lw 1.4 lc rgb "#009e73" title "hole of 6 cm", \
     folder . "/drop-9cm-true.dat" using 1:2 with lines lw 1.4 lc rgb "#d55e00" title "drop of 9 cm"
set yrange [-2:36]
set title "A11: without it"
plot folder . "/board-6.7cm-false.dat" using 1:2 with lines lw 1.4 lc rgb "#0072b2" title "board of 6.7 cm", \
     folder . "/hole-6cm-false.dat" using 1:2 with lines lw 1.4 lc rgb "#009e73" title "hole of 6 cm", \
     folder . "/drop-9cm-false.dat" using 1:2 with lines lw 1.4 lc rgb "#d55e00" title "drop of 9 cm"
unset multiplot
