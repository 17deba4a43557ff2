# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Allan deviation of ANTON's gyroscope: what the experiment found on both axes, with four sigma of its expectation, over the law and its two parts. Drawn by
# scripts/figures.
size = "760,430"
load "docs/figures/style.gp"
set logscale xy
set xrange [8e-4:60]
set yrange [5e-5:8e-3]
set format x "10^{%L}"
set format y "10^{%L}"
set xlabel "time of a mean τ [s]"
set ylabel "Allan deviation [rad/s]"
set key top center samplen 2 spacing 1.1
sigma = 0.005
walk = 0.001 / sqrt(60)
noise(tau) = sigma * sqrt(1e-3 / tau)
drift(tau) = walk * sqrt(tau / 3)
set samples 60
plot noise(x) with lines lw 1.2 dt 2 lc rgb "gray50" title "noise σ √(T/τ)", \
     drift(x) with lines lw 1.2 dt 4 lc rgb "gray50" title "walk σ_b √(τ/3)", \
     sqrt(noise(x)**2 + drift(x)**2) with lines lw 1.6 lc rgb "black" title "both", \
     folder . "/allan-x.dat" using ($1*1e-3):3:2 with yerrorbars pt 7 ps 0.5 lw 1 lc rgb "#0072b2" title "x, 1000 s", \
     folder . "/allan-y.dat" using ($1*1e-3):3:2 with yerrorbars pt 6 ps 0.9 lw 1 lc rgb "#d55e00" title "y"
