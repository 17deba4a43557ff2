# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# Outlines of ANTON seen from its left, at the times given: awk -F, -v times="1 2 3" -f scripts/side-view.awk run.csv. Each line is x, z, number of the time and
# kind (0: bodies, 1: legs); blank lines end a stroke. Needs base, bodies.front, bodies.rear, bodies.head.pos, bodies.*L_*.pos and feet.pos in the recording.
function value(name) { return $column[name] }
function tilt(name) { return 2 * atan2(-value(name ".quat.y [1]"), value(name ".quat.w [1]")) }
# A box of 0.16 by 0.07 m about a body's origin.
function box(name, n,   a, x, z, k, u, w) {
    a = tilt(name)
    x = value(name ".pos.x [m]")
    z = value(name ".pos.z [m]")
    for (k = 0; k <= 4; k++) {
        u = (k == 0 || k == 3 || k == 4 ? -0.08 : 0.08)
        w = (k == 2 || k == 3 ? 0.035 : -0.035)
        printf "%.4f %.4f %d 0\n", x + u * cos(a) - w * sin(a), z + u * sin(a) + w * cos(a), n
    }
    print ""
}
function leg(row, n,   k, parts) {
    split("coxa femur tibia", parts, " ")
    for (k = 1; k <= 3; k++)
        printf "%.4f %.4f %d 1\n", value("bodies." row "L_" parts[k] ".pos.x [m]"), value("bodies." row "L_" parts[k] ".pos.z [m]"), n
    printf "%.4f %.4f %d 1\n\n", value("feet.pos." row "L.x [m]"), value("feet.pos." row "L.z [m]"), n
}
NR == 1 {
    for (i = 1; i <= NF; i++) column[$i] = i
    count = split(times, wanted, " ")
    next
}
{
    for (n = 1; n <= count; n++) {
        if (done[n] || $1 < wanted[n] - 1e-6) continue
        done[n] = 1
        box("base", n)
        box("bodies.front", n)
        box("bodies.rear", n)
        a = tilt("bodies.front")
        printf "%.4f %.4f %d 0\n", value("bodies.front.pos.x [m]") + 0.08 * cos(a), value("bodies.front.pos.z [m]") + 0.08 * sin(a), n
        printf "%.4f %.4f %d 0\n\n", value("bodies.head.pos.x [m]") + 0.04 * cos(a), value("bodies.head.pos.z [m]") + 0.04 * sin(a), n
        leg("R", n)
        leg("M", n)
        leg("F", n)
    }
}
