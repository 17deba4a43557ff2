# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Work against precision: error over evaluations (above) and over processor time (below), one column a problem, one curve a method.
# Drawn by scripts/work-precision from the CSV that bench/work_precision.c prints.
size = "1100,760"
load "docs/figures/style.gp"
set datafile separator ","
problems = "'rubber bounce' 'ANTON on rubber' 'ANTON on concrete'"
methods = "euler rk2 rk4 adaptive implicit 'implicit by error' cvode"
colours = "#999999 #e69f00 #d55e00 #0072b2 #56b4e9 #009e73 #cc79a7"
array marks[7] = [6, 4, 8, 7, 9, 5, 10]
set logscale xy
set mxtics 1
set mytics 1
set xtics 100
set ytics 100
set format y "10^{%L}"
set format x "10^{%L}"
set multiplot
unset key
do for [m = 1:7] {
    set label 10 + m word(methods, m) at screen 0.09 + (m - 1) * 0.13,0.965 left point pt marks[m] ps 0.8 lc rgb word(colours, m) offset 0.8,0
}
pick(problem, method, value) = stringcolumn(1) eq problem && stringcolumn(2) eq method ? value : NaN
do for [c = 1:3] {
    problem = word(problems, c)
    left = 0.075 + (c - 1) * 0.315
    set lmargin at screen left
    set rmargin at screen left + 0.265
    ytitle = c == 1 ? "largest error of position [m]" : ""
    set ylabel ytitle
    do for [r = 1:2] {
        top = r == 1 ? 0.865 : 0.435
        bottom = r == 1 ? 0.525 : 0.09
        work = r == 1 ? 6 : 7
        xtitle = r == 1 ? "evaluations" : "processor time [s]"
        heading = r == 1 ? problem : ""
        set tmargin at screen top
        set bmargin at screen bottom
        set xlabel xtitle offset 0,0.4
        if (c + r == 3 && r == 2) { do for [m = 11:17] { unset label m } }
        set label 1 heading at graph 0.02,1.06 font ",14"
        plot for [m = 1:7] data using (column(work)):(pick(problem, word(methods, m), column(4))) with linespoints lw 1.4 pt marks[m] ps 0.6 lc rgb word(colours, m) title word(methods, m)
    }
}
unset multiplot
