# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# The pictures of the experiment sensor-camera, straight and turned, and on them in white where geometry puts the ball and the face of the wall. Drawn by scripts/figures.
size = "960,390"
load "docs/figures/style.gp"
f = 120.0 / tan(pi / 6)
# world to head, pan about z and tilt about y: ahead, left, up of a point relative to the eye
forward(x, y, z, pan, tilt) = cos(tilt) * (cos(pan) * x + sin(pan) * y) - sin(tilt) * z
across(x, y, pan) = -sin(pan) * x + cos(pan) * y
above(x, y, z, pan, tilt) = sin(tilt) * (cos(pan) * x + sin(pan) * y) + cos(tilt) * z
column_of(x, y, z) = 160 - f * across(x, y, pan) / forward(x, y, z, pan, tilt)
row_of(x, y, z) = 120 - f * above(x, y, z, pan, tilt) / forward(x, y, z, pan, tilt)
# rays that touch the ball: at the angle asin(r / d) about the line to its middle
d = sqrt(3.0**2 + 0.4**2 + 0.2**2)
s = 0.5 / d
c = sqrt(1 - s**2)
e = sqrt(3.0**2 + 0.4**2)
rim_x(t) = c * 3 / d + s * (cos(t) * -0.4 / e + sin(t) * -0.2 * 3 / (d * e))
rim_y(t) = c * 0.4 / d + s * (cos(t) * 3 / e + sin(t) * -0.2 * 0.4 / (d * e))
rim_z(t) = c * 0.2 / d + s * sin(t) * e / d
# the face of the wall: x = 5.9, y and z from -1 to 1 about the eye, in $wall
set parametric
set trange [0:2*pi]
set samples 120
unset grid
unset key
set size ratio -1
set xrange [0:320]
set yrange [240:0]
set tics 80
set multiplot layout 1,2
$wall << END
-1 -1
-1 1
1 1
1 -1
-1 -1
END
do for [k = 0:1] {
    pan = 0.2 * k
    tilt = 0.1 * k
    set xlabel k == 0 ? "straight ahead: column [pixel]" : "turned by 0.2 and 0.1 rad: column [pixel]"
    set ylabel k == 0 ? "row [pixel]" : " "
    plot folder . (k == 0 ? "/camera" : "/camera-turned") . "/film-00001.png" binary filetype=png flipy origin=(0.5,0.5) with rgbimage, \
         column_of(rim_x(t), rim_y(t), rim_z(t)), row_of(rim_x(t), rim_y(t), rim_z(t)) with lines lw 1.4 lc rgb "white", \
         $wall using (column_of(5.9, $1, $2)):(row_of(5.9, $1, $2)) with lines lw 1.4 lc rgb "white"
}
unset multiplot
