# SPDX-FileCopyrightText: 2026 The Footfall authors
# SPDX-License-Identifier: Apache-2.0
#
# From a recording of Silva's hexapod (CSV) what his figures show of leg 1. Columns:
#     1 time   2-5 planned foot: x, height, its speed and acceleration   6-8 planned hip: angle [deg], rate, acceleration
#     9-11 hip: angle [deg], rate, acceleration   12-14 torque terms of the hip: inertial, centrifugal and Coriolis, weight
#     15-16 foot: x, height   17-18 force of the ground   19 mean height of the hips   20 error of the hip [mrad]   21 torque of the knee
# Between the times `from` and `to` each window of `window` s becomes two rows with the least and the greatest value of each column, in their order, so that
# no spike is lost; with `plain` the first value of each alone. Planned speeds are differences over 2 ms: plans are renewed each 0.5 ms.
# Torque terms are the third row of the equation of motion of a leg with two links of 1 kg, 0.5 m and a foot of 0.1 kg.
BEGIN {
    FS = ","
    A = 0.8; B = 0.3; C = 0.15; J1 = 1 / 48 + 0.0625 + 0.275; J2 = 1 / 48 + 0.0625 + 0.025
    degree = 180 / 3.14159265358979
    n = 20
}
NR == 1 { # units hold commas: they go first
    gsub(/\[[^]]*\]/, "")
    gsub(/[" ]/, "")
    count = split($0, names, ",")
    for (i = 1; i <= count; i++) at[names[i]] = i
    next
}
function get(name) { return name in at ? $at[name] + 0 : 0 }
function flush(    i) {
    if (!filled) return
    for (k = 0; k < (plain ? 1 : 2); k++) {
        printf "%.5g", start + k * window / 2
        for (i = 1; i <= n; i++) printf " %.5g", (k == 0) == (when_low[i] <= when_high[i]) ? low[i] : high[i]
        printf "\n"
    }
    filled = 0
}
{
    t = $1
    one = get("q.FL_hip"); two = one - get("q.FL_knee")
    w1 = get("v.FL_hip"); w2 = w1 - get("v.FL_knee")
    c12 = cos(one - two); s12 = sin(one - two)
    if (t < from - 1e-9 || t > to + 1e-9) next
    height = get("control.FL.y") + 0.9; rate = get("control.FL_hip.rate")
    if (!begun) { before_t = t; before_height = height; before_rate = rate; begun = 1 }
    if (t - before_t > 0.00199) {
        speed = (height - before_height) / (t - before_t)
        foot_acceleration = (speed - before_speed) / (t - before_t)
        hip_acceleration = (rate - before_rate) / (t - before_t)
        before_t = t; before_height = height; before_rate = rate; before_speed = speed
    }
    value[1] = t + get("control.FL.x"); value[2] = height; value[3] = speed; value[4] = foot_acceleration
    value[5] = degree * get("control.FL_hip.reference"); value[6] = rate; value[7] = hip_acceleration
    value[8] = degree * one; value[9] = w1; value[10] = get("qacc.FL_hip")
    value[11] = (A * cos(one) + B * cos(two)) * get("qacc.body_x") + (A * sin(one) + B * sin(two)) * get("qacc.body_z") + (J1 + J2 + 2 * C * c12) * value[10] - (J2 + C * c12) * get("qacc.FL_knee")
    value[12] = C * s12 * (w2 * w2 - w1 * w1)
    value[13] = 9.81 * (A * sin(one) + B * sin(two))
    value[14] = get("feet.FL.pos.x"); value[15] = get("feet.FL.pos.z")
    value[16] = get("feet.FL.force.x"); value[17] = get("feet.FL.force.z")
    ML = get("q.ML_z"); RL = ML + get("q.RL_z")
    value[18] = 0.9 + get("q.body_z") + (get("q.FR_z") + 2 * ML + get("q.MR_z") + 2 * RL + get("q.RR_z")) / 6
    value[19] = 1000 * get("control.FL_hip.error"); value[20] = get("control.FL_knee.torque")
    if (filled && t >= start + window - 1e-9) flush()
    if (!filled) {
        start = t
        filled = 1
        for (i = 1; i <= n; i++) { low[i] = high[i] = value[i]; when_low[i] = when_high[i] = t }
    }
    for (i = 1; i <= n && !plain; i++) {
        if (value[i] < low[i]) { low[i] = value[i]; when_low[i] = t }
        if (value[i] > high[i]) { high[i] = value[i]; when_high[i] = t }
    }
}
END { flush() }
