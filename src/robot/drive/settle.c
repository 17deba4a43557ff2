// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// States of a drive at the end of a stage of length h of an implicit step, for a given motion of its joints:
// z = z0 + h zdot(z),  by Newton's iteration. The matrix 1 - h dzdot/dz is solved by hand. With s = -dF_m/dw of the
// motor, c and k of the teeth, D and K of the spring behind them:
//     (J_m/h + s + B_m) dw_m             + (c + h k) (dw_m - dw_T) = J_m/h r_w  - s_a r_a - k (r_a - r_b)
//     (J_T/h + B_T + D + h K) dw_T       - (c + h k) (dw_m - dw_T) = J_T/h r_wT - K r_b   + k (r_a - r_b)
// for residuals r of angles (a, b) and speeds; angles follow by da = r_a + h dw. Locked faces change as one inertia. A
// current is taken out first: di = (r_i - h g dw) / (1 + h p),  with its pole p and g = -di'/dw.
#include "drive/flow.h"
#include "drive/interface.h"

enum { ROUNDS_MOST = 12 };

bool ff_drive_settles(const ff_drive *drive)
{
    return ff_drive_nelectric(drive) <= 1;
}

/// Terms of the current in the equation of the rotor.
typedef struct electric {
    double pole;   // 1 + h p
    double follow; // h g: how the current follows the speed of the rotor after the gear
    double torque; // of a current, on the rotor after the gear
} electric;

FF_FLOW electric electric_of(const ff_drive *d, ff_drive_kind kind, const ff_drive_memory *m, double h)
{
    const ff_dc_motor *dc = &d->dc;
    electric e = {1.0, 0.0, d->ratio * dc->constant};
    if (kind.motor == FF_MOTOR_LAG) {
        e.pole += h * d->lag;
    } else {
        e.pole += h * dc->resistance / dc->inductance;
        e.follow = m->off ? 0.0 : h * dc->constant * d->ratio / dc->inductance;
    }
    return e;
}

/// Rotor alone, on a spring or cables: two states.
FF_FLOW void relax_elastic(const ff_drive *d, const ff_drive_flow *f, double h, double slope, double push, double *x)
{
    const double by_speed = slope + d->motor_damping + f->damping, by_angle = f->rotor_stiffness + f->stiffness;
    x[1] = (d->inertia / h * x[1] + push - by_angle * x[0]) / (d->inertia / h + by_speed + h * by_angle);
    x[0] += h * x[1];
}

/// Rotor and transmission: four states.
FF_FLOW void relax_loose(const ff_drive *d, ff_drive_kind kind, const ff_drive_memory *m, const ff_drive_flow *f,
                         double h, double slope, double push, double *x)
{
    const double K = f->stiffness, front = slope + d->motor_damping + h * f->rotor_stiffness;
    const double behind = d->damping_behind + f->damping + h * K;
    const double pull = push - f->rotor_stiffness * x[0] - K * x[2];
    if (kind.transmission == FF_TRANSMISSION_BACKLASH && m->mode != FF_BACKLASH_FREE) {
        // both get the same acceleration: equal speeds stay equal to the last bit
        const double J = (d->inertia + d->inertia_behind) / h;
        const double a = (pull - front * x[1] - behind * x[3]) / (J + front + behind);
        x[1] += a;
        x[3] += a;
    } else {
        const double k = f->tooth_stiffness, c = f->tooth_damping + h * k;
        const double A = d->inertia / h + front + c, B = d->inertia_behind / h + behind + c;
        const double r = d->inertia / h * x[1] + push - f->rotor_stiffness * x[0] - k * (x[0] - x[2]);
        const double s = d->inertia_behind / h * x[3] - K * x[2] + k * (x[0] - x[2]);
        const double D = A * B - c * c;
        x[1] = (B * r + c * s) / D;
        x[3] = (A * s + c * r) / D;
    }
    x[0] += h * x[1];
    x[2] += h * x[3];
}

/// Solves (1 - h dzdot/dz) x = x.
FF_FLOW void relax(const ff_drive *d, ff_drive_kind kind, const ff_drive_memory *m, const ff_drive_flow *f, double h,
                   double *x)
{
    const int n = ff_drive_nelectric_of(kind.motor, kind.pole);
    const bool moves = kind.transmission != FF_TRANSMISSION_RIGID && kind.motor != FF_MOTOR_NONE;
    const electric e = n > 0 ? electric_of(d, kind, m, h) : (electric){1.0, 0.0, 0.0};
    const double slope = f->rotor_damping + e.torque * e.follow / e.pole;
    const double push = n > 0 ? e.torque * x[0] / e.pole : 0.0;
    const bool loose = kind.transmission == FF_TRANSMISSION_BACKLASH || kind.transmission == FF_TRANSMISSION_TEETH;
    if (moves && !loose) relax_elastic(d, f, h, slope, push, x + n);
    if (moves && loose) relax_loose(d, kind, m, f, h, slope, push, x + n);
    if (n > 0) x[0] = (x[0] - (moves ? e.follow * x[n + 1] : 0.0)) / e.pole;
}

void ff_drive_relax(const ff_drive *drive, const ff_drive_memory *memory, const ff_drive_flow *flow, double h,
                    double *x)
{
    if (ff_drive_geared(drive) && drive->pole)
        relax(drive, ff_drive_geared_kind(drive, true), memory, flow, h, x);
    else if (ff_drive_geared(drive))
        relax(drive, ff_drive_geared_kind(drive, false), memory, flow, h, x);
    else
        relax(drive, ff_drive_kind_of(drive), memory, flow, h, x);
}

// ------------------------------------------------------------------------------------------ rotor and joint together
//
// The spring F = K (theta - x) + D (theta' - x') moves the rotor behind it as well as the joint. With p the speed of
// the rotor for a unit torque over a step (`relax` of that torque), the part 1 - (D + h K) p of K and D acts on the
// joint.

FF_FLOW ff_drive_response response_of(const ff_drive *d, ff_drive_kind kind, const ff_drive_memory *m,
                                      const ff_drive_flow *f, double h)
{
    const int n = ff_drive_nelectric_of(kind.motor, kind.pole);
    const electric e = n == 1 ? electric_of(d, kind, m, h) : (electric){1.0, 0.0, 0.0};
    const double slope = f->rotor_damping + e.torque * e.follow / e.pole;
    const double front = d->inertia / h + slope + d->motor_damping + h * f->rotor_stiffness;
    const double spring = f->damping + h * f->stiffness;
    ff_drive_response response;
    if (kind.transmission == FF_TRANSMISSION_BACKLASH || kind.transmission == FF_TRANSMISSION_TEETH) {
        const double behind = d->inertia_behind / h + d->damping_behind + spring;
        if (kind.transmission == FF_TRANSMISSION_TEETH) {
            const double c = f->tooth_damping + h * f->tooth_stiffness, D = front * behind + c * (front + behind);
            response.speed = (front + c) / D;
            response.rotor = c / D;
        } else if (m->mode != FF_BACKLASH_FREE) {
            response.speed = response.rotor = 1.0 / (front + behind);
        } else {
            response.speed = 1.0 / behind;
            response.rotor = 0.0;
        }
    } else {
        response.speed = response.rotor = 1.0 / (front + spring);
    }
    response.current = n == 1 ? -e.follow / e.pole * response.rotor : 0.0;
    return response;
}

ff_drive_response ff_drive_response_of(const ff_drive *drive, const ff_drive_memory *memory, const ff_drive_flow *flow,
                                       double h)
{
    if (drive->nmoving == 0) return (ff_drive_response){0};
    return response_of(drive, ff_drive_kind_of(drive), memory, flow, h);
}

void ff_drive_accelerate_states(const ff_drive *drive, const ff_drive_memory *memory, double force, double h, double *x)
{
    const ff_drive *d = drive;
    if (d->nmoving == 0) return;
    double *speed = x + d->nstate - 1;
    if (d->transmission == FF_TRANSMISSION_BACKLASH && memory->mode != FF_BACKLASH_FREE) {
        speed[0] = speed[-2] = h * force / (d->inertia + d->inertia_behind);
    } else {
        speed[0] = h * force / (d->nmoving == 4 ? d->inertia_behind : d->inertia);
    }
}

// ------------------------------------------------------------------------------------------ settling

/// Are all changes of speeds, angles and currents within the tolerance?
FF_FLOW bool is_settled(int currents, int n, const double *z, const double *change, double h, double close)
{
    bool small = currents == 0 || fabs(change[0]) <= 1e-9 + 1e-9 * fabs(z[0]);
    for (int i = currents; i < n; i += 2) small = small && fabs(change[i]) <= close * h && fabs(change[i + 1]) <= close;
    return small;
}

/// Newton's iteration may alternate between both sides of standstill, since far from it the slope of dry friction is
/// too small. A change that reverses the last one therefore ends at standstill, where the tangent bounds friction from
/// above: no change from there overshoots.
FF_FLOW bool stop_between(const ff_drive *d, double *z, const double *change, double last, int n, int speed)
{
    const double w = z[speed], dw = change[speed];
    if (!(d->dc.dry > 0.0) || !(dw * last < 0.0) || !(w * (w + dw) < 0.0)) return false;
    const bool locked = n > speed + 1 && z[speed + 2] == w && change[speed + 2] == dw; // faces of a backlash
    for (int k = 0; k < n; k++) z[k] -= w / dw * change[k];
    z[speed] = 0.0;
    if (locked) z[speed + 2] = 0.0;
    return true;
}

FF_FLOW bool settle(const ff_drive *d, ff_drive_kind kind, const ff_drive_memory *m, const double *q, const double *v,
                    const double *z0, double h, double close, double *z, double *zdot, ff_drive_flow *flow,
                    ff_drive_response *response)
{
    const int currents = ff_drive_nelectric_of(kind.motor, kind.pole),
              n = currents + ff_drive_nmoving_of(kind.transmission);
    double change[FF_DRIVE_STATES_MOST];
    ff_drive_flow own;
    ff_drive_position at;
    const ff_drive_turn joint = ff_drive_locate(&d->path, kind.path, q, v, &at); // constant in the iteration
    const bool moves = kind.transmission != FF_TRANSMISSION_RIGID;
    const int speed = currents + 1; // of the rotor
    double last = 0.0;              // change of it
    bool done = false;
    for (int round = 0; round < ROUNDS_MOST && !done; round++) {
        own = (ff_drive_flow){.at = at};
        ff_flow_evaluate_at(d, kind, m, joint, z, zdot, &own);
        for (int k = 0; k < n; k++) change[k] = z0[k] + h * zdot[k] - z[k];
        relax(d, kind, m, &own, h, change);
        done = is_settled(currents, n, z, change, h, close);
        if (moves && !done && stop_between(d, z, change, last, n, speed)) {
            last = 0.0;
            continue;
        }
        last = moves ? change[speed] : 0.0;
        for (int k = 0; k < n; k++) z[k] += change[k];
    }
    *response = moves ? response_of(d, kind, m, &own, h) : (ff_drive_response){0};
    ff_flow_copy(&own, flow);
    return done;
}

bool ff_drive_settle(const ff_drive *drive, const ff_drive_memory *memory, const double *q, const double *v,
                     const double *z0, double h, double close, double *z, double *zdot, ff_drive_flow *flow,
                     ff_drive_response *response)
{
    const ff_drive *d = drive;
    if (ff_drive_geared(d))
        return d->pole ? settle(d, ff_drive_geared_kind(d, true), memory, q, v, z0, h, close, z, zdot, flow, response)
                       : settle(d, ff_drive_geared_kind(d, false), memory, q, v, z0, h, close, z, zdot, flow, response);
    if (d->nstate > 0 && d->motor != FF_MOTOR_NONE)
        return settle(d, ff_drive_kind_of(d), memory, q, v, z0, h, close, z, zdot, flow, response);
    *response = (ff_drive_response){0};
    ff_drive_evaluate(d, memory, q, v, z, zdot, flow); // nothing to settle
    return true;
}
