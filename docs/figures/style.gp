# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# What the figures of the manual share. `kind` is svg or png, `size` "width,height", `figure` the file to write.
if (kind eq "svg") eval "set terminal svg size " . size . " font 'Liberation Sans,13' background 'white' dashlength 0.6"
if (kind eq "png") eval "set terminal pngcairo size " . size . " font 'Liberation Sans,10' dashlength 0.6"
set encoding utf8
set output figure
set border 3 lc "gray30"
set tics nomirror out scale 0.6 textcolor "gray20"
set grid lc "gray88" lw 0.7
