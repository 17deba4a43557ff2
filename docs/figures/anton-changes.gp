# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Stances of ANTON's legs while it changes its gait and back (thesis, Fig. 3.15 to 3.17). Drawn by scripts/figures.
size = "960,640"
load "docs/figures/style.gp"
set multiplot
set lmargin at screen 0.13
set rmargin at screen 0.975
set yrange [6.6:0.4]
set ytics ("1 front left" 1, "2 front right" 2, "3 middle left" 3, "4 middle right" 4, "5 rear left" 5, "6 rear right" 6)
unset key
set style fill solid 0.85 noborder
set obj 1 rect from graph 0,0 to graph 1,1 behind fc rgb "#f4f4f4" lw 0
files = "wave-gallop wave-tripod gallop-tripod"
names = "'wave, gallop, wave' 'wave, tripod, wave' 'gallop, tripod, gallop'"
ends = "11.5 11 9"
firsts = "4.4 4.4 3.5"
seconds = "8.2 7.4 6"
do for [k = 1:3] {
    set tmargin at screen 1.02 - 0.315 * k + 0.245
    set bmargin at screen 1.02 - 0.315 * k + 0.03
    set xrange [0:word(ends, k) + 0]
    set title word(names, k) . " (time in s)" offset 0,-0.7
    set arrow 1 from word(firsts, k) + 0, 0.4 to word(firsts, k) + 0, 6.6 nohead lc rgb "#cc0000" dt 2 front
    set arrow 2 from word(seconds, k) + 0, 0.4 to word(seconds, k) + 0, 6.6 nohead lc rgb "#cc0000" dt 2 front
    plot folder . "/changes-" . word(files, k) . ".dat" using (($2 + $3) / 2):1:(($3 - $2) / 2):(0.34) with boxxyerror lc rgb "#0072b2"
}
unset multiplot
