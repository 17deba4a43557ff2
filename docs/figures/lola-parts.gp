# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Greatest lean of LOLA with parts of its stabiliser switched off, and of a robot unlike its model, as coloured tables: rows of column, row, lean in degrees
# (-1: it falls), and names. Drawn by scripts/balance from its tables.
size = "960,640"
load "docs/figures/style.gp"
unset grid
unset border
unset colorbox
set tics scale 0
set palette defined (0 "#f7fbff", 3 "#9ecae1", 8 "#4292c6")
set cbrange [0:8]
set style fill solid 1.0 noborder
set x2tics noenhanced rotate by 35 left offset 0,0.2 font ",10"
set ytics noenhanced font ",10" offset 0.5,0
unset xtics
set multiplot
box = "using 1:2:($1 - 0.48):($1 + 0.48):($2 - 0.47):($2 + 0.47)"
do for [k = 0:1] {
    table = folder . (k == 0 ? "/lola-parts" : "/lola-wrong")
    columns = k == 0 ? 7 : 3
    rows = real(system("tail -n 1 " . table . ".dat | cut -d ' ' -f 2"))
    set xrange [0.5:columns + 0.5]
    set x2range [0.5:columns + 0.5]
    set yrange [rows + 0.5:0.5]
    set lmargin at screen (k == 0 ? 0.205 : 0.80)
    set rmargin at screen (k == 0 ? 0.525 : 0.935)
    set tmargin at screen 0.84
    set bmargin at screen 0.02
    set label 1 (k == 0 ? "switched off: greatest lean [deg]" : "robot unlike its model: greatest lean [deg]") at screen (k == 0 ? 0.01 : 0.56), 0.975 font ",11"
    plot sprintf("< awk '$2 == 1 && $3 >= 0' %s.dat", table) using 1:2:x2tic(4) with dots lc "white" notitle, \
         sprintf("< awk '$1 == 1' %s.dat", table) using 1:2:ytic(5) with dots lc "white" notitle, \
         sprintf("< awk '$3 >= 0' %s.dat", table) @box:3 with boxxyerror lc palette notitle, \
         "" using 1:2:(sprintf("%.1f", $3)) with labels noenhanced font ",10" notitle, \
         sprintf("< awk '$3 < 0' %s.dat", table) @box with boxxyerror lc rgb "#d55e00" notitle, \
         "" using 1:2:("falls") with labels noenhanced font ",10" textcolor "white" notitle
}
unset multiplot
