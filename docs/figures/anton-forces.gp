# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Vertical forces of ANTON's left feet, wanted and measured, in three gaits (thesis, Fig. 3.27 to 3.29). Drawn by scripts/figures.
size = "960,620"
load "docs/figures/style.gp"
set multiplot
gaits = "wave gallop tripod"
begins = "4.2 4.2 3.5"
ends = "7 5.6 4.9"
tops = "32 32 32"
names = "'1 front left' '3 middle left' '5 rear left'"
unset key
do for [g = 1:3] {
    set lmargin at screen 0.105 + 0.30 * (g - 1)
    set rmargin at screen 0.105 + 0.30 * (g - 1) + 0.27
    set xrange [word(begins, g) + 0:word(ends, g) + 0]
    set yrange [-2:word(tops, g) + 0]
    set ytics 10
    do for [k = 1:3] {
        set tmargin at screen 0.93 - 0.285 * (k - 1)
        set bmargin at screen 0.93 - 0.285 * k + 0.03
        set format x (k == 3 ? "%g" : "")
        set xtics 0.5
        if (k == 3) { set xlabel "t [s]" offset 0,0.5 } else { unset xlabel }
        if (g == 1) { set ylabel word(names, k) . " [N]" offset 0.3,0 } else { unset ylabel }
        if (k == 1) { set title word(gaits, g) offset 0,-0.6 } else { unset title }
        if (g == 3 && k == 1) { set key top right samplen 1.5 } else { unset key }
        plot folder . "/forces-" . word(gaits, g) . ".dat" using 1:(column(2 * k)) with lines lw 1.4 lc rgb "#d55e00" title "wanted", \
             "" using 1:(column(2 * k + 1)) with lines lw 1.2 lc rgb "#0072b2" title "measured"
    }
}
unset multiplot
