// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The parts a drive is made of, as pure functions of parameters and states: motors, current, velocity and position
// loops, transmissions, cables, spindles, rods, temperature. Nothing here knows of a simulation; drive.h puts the parts
// together, and any loop may use them alone. Equations, sources and measured figures: docs/drives.md.
#ifndef FOOTFALL_DRIVE_PARTS_H
#define FOOTFALL_DRIVE_PARTS_H

#include <footfall/base.h>

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/// x held within +-limit; a limit of zero or below is no limit.
static inline double ff_drive_clamp(double x, double limit)
{
    if (!(limit > 0.0)) return x;
    return x > limit ? limit : x < -limit ? -limit : x;
}

// ------------------------------------------------------------------------------------------ tables

/// Straight lines between points, the end values beyond them. A table of one point is a constant.
typedef struct ff_table {
    const double *x; // rising (n)
    const double *y; // (n)
    int n;
} ff_table;

/// y at x.
FF_API double ff_table_value(const ff_table *table, double x);
/// Integral of y from x[0] to x, exact.
FF_API double ff_table_integral(const ff_table *table, double x);

// ------------------------------------------------------------------------------------------ motors (motor.c)

/// `demand` within the bounds of a motor: a driving torque is bounded by the line  tau = stall (1 - |w| / no_load),  a
/// braking one by the stall torque.
/// @param stall     greatest torque at rest, > 0                  [N m]
/// @param no_load   speed at which no torque is left; 0: no line  [rad/s]
static inline double ff_motor_line(double stall, double no_load, double speed, double demand)
{
    const bool driving = demand * speed > 0.0;
    double most = stall;
    if (driving && no_load > 0.0) {
        const double left = 1.0 - fabs(speed) / no_load;
        most = stall * (left > 0.0 ? left : 0.0);
    }
    return demand > most ? most : demand < -most ? -most : demand;
}

/// Direct-current motor with brushes, or any motor seen from its torque-making axis:
///     L di/dt = u - R i - k w,    tau = k i - b w - c w / sqrt(w^2 + s^2)
typedef struct ff_dc_motor {
    double resistance; // R                                   [ohm]
    double inductance; // L                                   [H]
    double constant;   // k, torque a current and volt a speed [N m/A, V s/rad]
    double rotor;      // inertia                             [kg m^2]
    double viscous;    // b                                   [N m s/rad]
    double dry;        // c, Coulomb level                    [N m]
    double dry_speed;  // s, below which dry friction fades   [rad/s]
    double voltage;    // of the supply: |u| is at most this  [V]
} ff_dc_motor;

/// Motor with the greatest mechanical power `power` and the no-load speed on `voltage`: tau_stall = 4 P / w_0. Dry
/// friction and gear losses fade below a hundredth of that speed.
FF_API ff_dc_motor ff_dc_motor_from_power(double power, double no_load, double voltage);
/// di/dt.
static inline double ff_dc_motor_rate(const ff_dc_motor *motor, double voltage, double current, double speed)
{
    return (voltage - motor->resistance * current - motor->constant * speed) / motor->inductance;
}
/// Current once the electrical transient has decayed.
static inline double ff_dc_motor_current(const ff_dc_motor *motor, double voltage, double speed)
{
    return (voltage - motor->constant * speed) / motor->resistance;
}
/// Viscous and dry friction torque, against the motion; *slope its derivative where not NULL.
static inline double ff_dc_motor_friction(const ff_dc_motor *motor, double speed, double *slope)
{
    if (!(motor->dry > 0.0)) {
        if (slope) *slope = motor->viscous;
        return motor->viscous * speed;
    }
    const double s = motor->dry_speed, square = speed * speed + s * s, root = sqrt(square);
    if (slope) *slope = motor->viscous + motor->dry * s * s / (square * root);
    return motor->viscous * speed + motor->dry * speed / root;
}
/// Is the electrical pole R / L too fast for this step? True beyond L / (5 R): the current then follows at once.
FF_API bool ff_dc_motor_drops_pole(const ff_dc_motor *motor, double step);

/// Share of `torque` that a gear of efficiency eta loses:  (1 - eta) |torque| w / sqrt(w^2 + s^2).  Driving, eta of the
/// torque arrives; braking, 2 - eta of it is transmitted, which is 1 / eta to first order. The product with w is never
/// negative. *slope is its derivative by w at constant torque, where not NULL.
static inline double ff_gear_loss(double efficiency, double torque, double speed, double dry_speed, double *slope)
{
    if (slope) *slope = 0.0;
    const double square = speed * speed + dry_speed * dry_speed;
    if (!(efficiency < 1.0) || !(square > 0.0)) return 0.0;
    const double part = (1.0 - efficiency) * fabs(torque) / sqrt(square);
    if (slope) *slope = part * dry_speed * dry_speed / square;
    return part * speed;
}

// ------------------------------------------------------------------------------------------ hobby servo (motor.c)

/// Analogue regulator behind a frame of pulses: the wanted angle is held for a frame and comes in steps.
///     tau = line(Kp (q_ref - q) - Kd q')
typedef struct ff_servo {
    double stiffness; // Kp                            [N m/rad]
    double damping;   // Kd                            [N m s/rad]
    double stall;     //                               [N m]
    double no_load;   //                               [rad/s]
    double frame;     // time between pulses           [s]
    double range;     // of the horn, about zero       [rad]
    int bits;         // of the command over the range; 0: none
} ff_servo;

/// Servo of the 18-joint hexapod: 1 N m, 7.5 rad/s, 20 N m/rad, 20 ms, 10 bit over 180 degrees.
FF_API ff_servo ff_servo_default(void);
/// The commanded angle: clamped to the range and rounded to a step.
FF_API double ff_servo_quantise(const ff_servo *servo, double angle);

// ----------------------------------------------------------------------------------- PI and cascades (cascade.c)

typedef enum ff_windup {
    FF_WINDUP_STOP, // the integral is held while the output is clamped, unless it decreases
    FF_WINDUP_BACK  // back-calculation: the integral is reduced by the clamped part, with the time constant kp / ki
} ff_windup;

/// u = kp e + integral of ki e + forward, |u| <= limit.
typedef struct ff_pi {
    double kp, ki;
    double limit; // 0: none
    ff_windup windup;
} ff_pi;

/// One sample of `period`; the integral is the caller's. @return the clamped output
FF_API double ff_pi_update(const ff_pi *pi, double *integral, double error, double forward, double period);

/// Position P -> velocity PI -> current PI, each sampled at its own rate. Positions are those after the gear.
///     v* = kx (x* - x) + v_ff,                 |v*| <= most_speed
///     i* = kv (v* - v) + kiv int + i_ff,       |i*| <= most_current,  |di*/dt| <= slope
///     u  = kpi (i* - i) + kii int,             |u| <= voltage
typedef struct ff_cascade {
    double kx;           // [1/s]
    double most_speed;   // 0: none                             [rad/s]
    ff_pi velocity;      // limit: largest current              [A]
    double slope;        // of the current reference; 0: none   [A/s]
    ff_pi current;       // limit: voltage                      [V]
    double rate;         // of the position loop                [Hz]
    double rate_speed;   // of the velocity loop                [Hz]
    double rate_current; // of the current loop; 0: none        [Hz]
} ff_cascade;

typedef struct ff_cascade_state {
    double speed;            // v*                               [rad/s]
    double current;          // i*                               [A]
    double speed_integral;   //                                  [A]
    double current_integral; //                                  [V]
} ff_cascade_state;

/// Gains for a velocity crossover w_v and a current crossover w_i [rad/s]; inertia as the motor shaft sees it, `ratio`
/// motor turns for one of x: kv = w_v J ratio / k, kiv = kv w_v / 10, kpi = w_i L, kii = w_i R.
FF_API ff_cascade ff_cascade_design(const ff_dc_motor *motor, double inertia, double ratio, double kx, double w_v,
                                    double w_i);
/// One sample of the velocity loop: sets i* from the speed v [rad/s] and the feedforward current i_ff [A].
FF_API void ff_cascade_velocity(const ff_cascade *c, ff_cascade_state *s, double v, double forward);

/// Reference shaper: turns a jump of the reference into a motion of bounded speed and acceleration without overshoot.
typedef struct ff_shaper {
    double most_speed;        // [rad/s]
    double most_acceleration; // [rad/s^2]
} ff_shaper;

typedef struct ff_shaper_state {
    double position, speed, acceleration;
} ff_shaper_state;

/// One sample of `period` [s] on the way to `target` [rad].
FF_API void ff_shaper_update(const ff_shaper *shaper, ff_shaper_state *state, double target, double period);

// ------------------------------------------------------------------------------------------ PMSM (pmsm.c)

/// Phase quantities (a, b; c = -a - b) to the stator plane, amplitude kept.
FF_API void ff_clarke(double a, double b, double plane[2]);
/// Stator plane to all three phases.
FF_API void ff_clarke_inverse(const double plane[2], double phases[3]);
/// Stator plane to the frame turned by the electrical angle: (d, q).
FF_API void ff_park(const double plane[2], double angle, double dq[2]);
/// (d, q) back to the stator plane.
FF_API void ff_park_inverse(const double dq[2], double angle, double plane[2]);

/// Permanent-magnet synchronous motor in rotor axes, amplitude-invariant, w_e = pairs w:
///     u_d = R i_d + L_d di_d/dt - w_e L_q i_q
///     u_q = R i_q + L_q di_q/dt + w_e (L_d i_d + psi)
///     tau = 3/2 pairs (psi i_q + (L_d - L_q) i_d i_q)
typedef struct ff_pmsm {
    double resistance;                 // of a phase [ohm]
    double inductance_d, inductance_q; // [H]
    double flux;                       // psi [V s]
    int pairs;
} ff_pmsm;

/// di/dt in (d, q) for voltages u [V] and currents i [A] at the speed of the rotor [rad/s]  [A/s].
FF_API void ff_pmsm_rate(const ff_pmsm *motor, const double u[2], const double i[2], double speed, double rate[2]);
/// tau  [N m].
FF_API double ff_pmsm_torque(const ff_pmsm *motor, const double i[2]);
/// Torque a current i_q with i_d = 0: C_M = 3/2 pairs psi.
FF_API double ff_pmsm_constant(const ff_pmsm *motor);

/// Field-oriented current control, sampled with the pulses.
typedef struct ff_pmsm_control {
    ff_pi d, q;           // limits are those of the voltage vector, see `voltage`
    double period;        // [s]
    double voltage;       // longest voltage vector, U_dc / sqrt(3)              [V]
    bool decouple;        // add what the axes induce in each other
    bool late;            // voltages act one period after their currents were taken
    int counts;           // of the encoder in a turn; 0: a perfect angle
    double align_current; // i_d that turns the rotor onto the d axis            [A]
    double align_time;    // [s]
} ff_pmsm_control;

typedef struct ff_pmsm_state {
    double integral[2]; // [V]
    double plane[2];    // voltage that acts, stator plane, held between samples [V]
    double next[2];     // that of the coming period, where `late`
    double waited;      // in alignment [s]
    double zero;        // encoder reading that counts as angle 0 [rad]
    int aligned;        // 0: the alignment goes on
} ff_pmsm_state;

/// Gains that cancel the pole: kp = w L, ki = w R; 28 kHz, 1500 Hz where w is 0; alignment with 5 A for 1 s.
FF_API ff_pmsm_control ff_pmsm_control_design(const ff_pmsm *motor, double w, double bus_voltage);
/// Reading of an encoder with `counts` in a turn, as an angle.
FF_API double ff_encoder_angle(int counts, double angle);

// ------------------------------------------------------------------------------------------ cables (cable.c)

/// Tension spring on a cable: F = max(0, k x + d x') while stretched (x > 0), 0 when slack.
typedef struct ff_cable {
    double stiffness; // [N/m]
    double damping;   // [N s/m]
    ff_table force;   // F(x) in place of k x where n > 0 [N over m]
} ff_cable;

/// Motor pulley and joint joined by one or two cables of equal radius; angle = theta - q.
///     tau = r (F(x0 + r angle) - F(x0 - r angle)),  the second only where both are there
typedef struct ff_sea {
    double radius;  // [m]
    double stretch; // x0, at angle 0 [m]
    bool one;       // unidirectional: the second cable is missing
    ff_cable cable;
} ff_sea;

/// tau at an angle [rad] that grows at `rate` [rad/s]  [N m].
FF_API double ff_sea_torque(const ff_sea *sea, double angle, double rate);
/// Stored in the cables  [J].
FF_API double ff_sea_energy(const ff_sea *sea, double angle);
/// dtau/dangle  [N m/rad].
FF_API double ff_sea_slope(const ff_sea *sea, double angle);

// ------------------------------------------------------------------------------------------ backlash (backlash.c)

/// Motor and transmission inertia with backlash: |theta_m - theta_T| <= gap / 2, all quantities after the gear.
typedef struct ff_backlash {
    double motor;        // J_m                                                      [kg m^2]
    double transmission; // J_T                                                      [kg m^2]
    double gap;          // h, whole backlash                                        [rad]
    double restitution;  // eps
    double floor;        // slower impacts lock the faces                            [rad/s]
    double stiffness;    // of the teeth, in the form with a stiff spring            [N m/rad]
    double damping;      // of the teeth in that form, see ff_backlash_tooth_damping [N m s/rad]
} ff_backlash;

/// Speeds after the impact of two inertias: momentum is conserved, the closing speed reversed and scaled by eps.
FF_API void ff_backlash_impact(const ff_backlash *b, double *motor_speed, double *transmission_speed);
/// Energy that an impact at this closing speed takes: J_m J_T / (J_m + J_T) (1 - eps^2) w^2 / 2.
FF_API double ff_backlash_loss(const ff_backlash *b, double closing);

typedef enum ff_backlash_mode { FF_BACKLASH_FREE = 0, FF_BACKLASH_UP = 1, FF_BACKLASH_DOWN = -1 } ff_backlash_mode;

// ------------------------------------------------------------------------------------------ linear drives (linear.c)

/// Motor -> belt -> spindle: x = K phi, K = lead / (2 pi belt)  [m/rad].
FF_API double ff_spindle_travel(double lead, double belt);
/// Bound of force at a speed: table over speed, as for ROTTO: 400 N to 0.2 m/s, 128 N at 0.64 m/s, 0 at 0.72 m/s.
FF_API double ff_spindle_force(const ff_table *bound, double speed, double demand);

/// Rod between two arms a and b from the joint; l^2 = a^2 + b^2 - 2 a b cos(q + q0).
typedef struct ff_crank {
    double a, b; // [m]
    double q0;   // [rad]
} ff_crank;
/// Length of the rod; *lever = dl/dq where not NULL, *bend = d2l/dq2 where not NULL.
FF_API double ff_crank_length(const ff_crank *crank, double q, double *lever, double *bend);

/// PD force regulator on a current loop: i = P (F* - F) - D F' + F* K / C_M.
typedef struct ff_force_loop {
    double p;       // [A/N]
    double d;       // on the measured force, so that a step of F* makes no pulse [A s/N]
    double forward; // K_V / C_M, holds the spring's reaction [A/N]
    double limit;   // largest current [A]
} ff_force_loop;

/// Gains for a closed loop of the given bandwidth and damping. Plant F = C (K phi - x), J phi'' = C_M i - K F.
/// The spring's reaction C K^2 / J is part of the loop, so it is taken off P.
FF_API ff_force_loop ff_force_loop_design(double spring, double travel, double constant, double inertia,
                                          double bandwidth_hz, double damping);
/// Position loop around it: F* = clamp(kp (x* - x) - kd x', +-limit).
typedef struct ff_compliance {
    double kp;    // [N/m]
    double kd;    // [N s/m]
    double limit; // F_G [N]
} ff_compliance;

// --------------------------------------------------------------------------------------- rods over two joints (path.c)

/// Rod with ball joints from `base` (in the frame of the parent) to `platform` (in the frame of the child, same origin
/// and axes when both angles are 0). The first joint turns about `axis[0]` (parent axes), the second about `axis[1]`
/// (axes after the first turn).
typedef struct ff_rod {
    double base[3];     // a [m]
    double platform[3]; // b [m]
    double axis[2][3];
    double rest; // length that counts as travel 0 [m]
} ff_rod;
/// Travel |R(alpha, beta) b - a| - rest and its derivatives by the two angles.
FF_API double ff_rod_travel(const ff_rod *rod, const double q[2], double lever[2]);

// ------------------------------------------------------------------------------------------ temperature (motor.c)

/// One heat capacity behind one thermal resistance: C T' = P - (T - T_ambient) / R.
typedef struct ff_thermal {
    double resistance; // to the surroundings       [K/W]
    double capacity;   //                           [J/K]
    double ambient;    //                           [K or C, as limit]
    double limit;      // 0: no limit
    double continuous; // current that may flow for ever [A]
} ff_thermal;

/// The node whose temperature reaches `limit` with the continuous current, with the given time constant (I^2 t).
FF_API ff_thermal ff_thermal_from_current(double continuous, double winding, double time_constant, double ambient,
                                          double limit);
/// Temperature after `period` with the mean heat `power`; second order in the period, stable for any.
FF_API double ff_thermal_update(const ff_thermal *thermal, double temperature, double power, double period);
/// Allowed peak current: all of it below 0.95 of the rise to the limit, falling to the continuous current at the limit.
FF_API double ff_thermal_current(const ff_thermal *thermal, double temperature, double peak);

// ------------------------------------------------------------------------------------------ battery (battery.c)

/// Open-circuit voltage of its charge behind one resistance.
typedef struct ff_battery {
    const char *name;
    double voltage;    // nominal: that for which the supply voltages of its drives are given  [V]
    double capacity;   // [C]
    double resistance; // [ohm]
    double charge;     // at the start, part of the capacity
    double load;       // power of all else that it feeds  [W]
    double least;      // voltage at which it switches off, 0: never  [V]
    ff_table curve;    // open-circuit voltage over the part that is charged; n = 0: the nominal one
} ff_battery;

/// State of a battery, and its power in the last period.
typedef struct ff_battery_state {
    double charge;     // part of the capacity
    double voltage;    // at its terminals  [V]
    double current;    // [A]
    double power;      // of all it feeds  [W]
    double counted;    // energy of its drives that is in the charge already  [J]
    double given;      // so far  [J]
    double lost;       // in its resistance so far  [J]
    double owed;       // energy that its drives took beyond its power, not yet supplied  [J]
    double asked;      // greatest power demanded while it owed energy, 0: it never did  [W]
    double short_from; // when it owed energy first  [s]
    double time;       // that it has been on  [s]
    int off;           // not 0: empty, or below its least voltage; permanently
} ff_battery_state;

/// Charged as described, feeding its load alone.
FF_API ff_battery_state ff_battery_start(const ff_battery *battery);
/// A period, of a millisecond [s], in which its drives took their energy up to `energy` [J]; first order in the period.
FF_API void ff_battery_update(const ff_battery *battery, ff_battery_state *state, double energy, double period);

#ifdef __cplusplus
}
#endif
#endif
