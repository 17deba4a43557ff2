// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Closed forms of legs. In the hip frame (footfall/ik.h) the first joint turns the plane of the last two links, and a
// foot at (x, y, z) lies `side` beside the axis in that plane,
//     r = sqrt(x^2 + y^2 - side^2),   t1 = atan2(y, x) - atan2(side, r)
// (r is negative where the leg reaches back over its first axis). Two links reach (r - L1, z), at the distance D, with
//     tan(t3/2) = sqrt(((L2 + L3)^2 - D^2) / (D^2 - (L2 - L3)^2)),
//     t2 = atan2(z, r - L1) - atan2(L3 sin t3, L2 + L3 cos t3)
// An arc cosine would lose half of the digits near a stretched leg.
#include <footfall/ik.h>

// Levers shorter than this part of the leg count as singular.
#define SINGULAR 1e-3

const char *ff_reach_text(ff_reach reach)
{
    static const char *const texts[] = {"within reach", "beyond a joint limit", "too far", "too near"};
    return texts[reach];
}

// Angles of two links from the x axis towards z; the first absolute, the second relative.
static ff_reach two_links(double l2, double l3, int knee, double x, double z, double t[2])
{
    double square = x * x + z * z;
    t[0] = t[1] = 0.0;
    if (!isfinite(square)) return FF_REACH_FAR;
    double whole = (l2 + l3) * (l2 + l3), rounding = 1e-14 * whole;
    double far = whole - square, near = square - (l2 - l3) * (l2 - l3);
    ff_reach reach = far < -rounding ? FF_REACH_FAR : near < -rounding ? FF_REACH_NEAR : FF_REACH_OK;
    double bend = 2.0 * ff_atan2(sqrt(ff_max(far, 0.0)), sqrt(ff_max(near, 0.0))), sine, cosine;
    t[1] = knee < 0 ? -bend : bend;
    ff_sincos(&t[1], &sine, &cosine, 1);
    t[0] = ff_atan2(z, x) - ff_atan2(l3 * sine, l2 + l3 * cosine);
    return reach;
}

static double nearest_turn(double angle, double middle)
{
    return angle - 2.0 * FF_PI * nearbyint((angle - middle) / (2.0 * FF_PI));
}

static int first_angle(const ff_leg_ik *leg)
{
    return 3 - leg->njoint;
}

// Joint positions -> angles of the closed form.
static void angles_of(const ff_leg_ik *leg, const double *q, double t[3])
{
    t[0] = 0.0;
    for (int i = 0, k = first_angle(leg); i < leg->njoint; i++, k++) t[k] = leg->sign[k] * (q[i] - leg->zero[k]);
}

// Radius and height of the foot, levers of the two last joints, the turn of the first.
typedef struct leg_shape {
    double r, z;         // foot in the plane of the leg  [m]
    double r3, z3;       // the last link alone  [m]
    double cosine, sine; // of t1
} leg_shape;

static leg_shape shape_of(const ff_leg_ik *leg, const double t[3])
{
    double angle[3] = {t[0], t[1], t[1] + t[2]}, sine[3], cosine[3];
    ff_sincos(angle, sine, cosine, 3);
    leg_shape s = {
        .r3 = leg->length[2] * cosine[2], .z3 = leg->length[2] * sine[2], .cosine = cosine[0], .sine = sine[0]};
    s.r = leg->length[0] + leg->length[1] * cosine[1] + s.r3;
    s.z = leg->length[1] * sine[1] + s.z3;
    return s;
}

void ff_leg_ik_forward(const ff_leg_ik *leg, const double *q, double foot[3])
{
    double t[3];
    angles_of(leg, q, t);
    leg_shape s = shape_of(leg, t);
    double at[3] = {s.r * s.cosine - leg->side * s.sine, s.r * s.sine + leg->side * s.cosine, s.z};
    ff_mat3_mulv(foot, leg->R, at);
    ff_vec3_add(foot, foot, leg->p);
}

// Angles for a foot in the hip frame, on one side (+1 or -1) of the first axis; on that axis t1 is the joint's middle.
static ff_reach solve_angles(const ff_leg_ik *leg, const double at[3], double side, double t[3])
{
    double radius = at[0];
    ff_reach reach = FF_REACH_OK;
    t[0] = 0.0;
    if (leg->njoint == 3) {
        double square = at[0] * at[0] + at[1] * at[1], beside = square - leg->side * leg->side;
        if (beside < -1e-14 * leg->side * leg->side) reach = FF_REACH_NEAR;
        radius = side * sqrt(ff_max(beside, 0.0));
        t[0] = square > 0.0 ? ff_atan2(at[1], at[0]) - ff_atan2(leg->side, radius)
                            : leg->sign[0] * (leg->middle[0] - leg->zero[0]);
    }
    ff_reach links = two_links(leg->length[1], leg->length[2], leg->knee, radius - leg->length[0], at[2], t + 1);
    return reach == FF_REACH_OK ? links : reach;
}

// Angles -> joint positions within limits.
static ff_reach joints_of(const ff_leg_ik *leg, const double t[3], ff_reach reach, double *q)
{
    for (int i = 0, k = first_angle(leg); i < leg->njoint; i++, k++) {
        double wanted = nearest_turn(leg->zero[k] + leg->sign[k] * t[k], leg->middle[i]);
        q[i] = !(wanted > leg->low[i]) ? leg->low[i] : wanted > leg->high[i] ? leg->high[i] : wanted;
        // rounding at a limit is not a violation
        if (fabs(q[i] - wanted) > 1e-12 && reach == FF_REACH_OK) reach = FF_REACH_LIMIT;
    }
    return reach;
}

static ff_reach solve_joints(const ff_leg_ik *leg, const double at[3], double *q)
{
    double t[3], other[3];
    if (!isfinite(at[0]) || !isfinite(at[1]) || !isfinite(at[2])) {
        memcpy(q, leg->middle, (size_t)leg->njoint * sizeof *q);
        return FF_REACH_FAR;
    }
    ff_reach reach = solve_angles(leg, at, 1.0, t);
    reach = joints_of(leg, t, reach, q);
    if (reach != FF_REACH_LIMIT || leg->njoint == 2) return reach;
    // a foot that the leg reaches back to, over its first axis
    ff_reach behind = solve_angles(leg, at, -1.0, t);
    behind = joints_of(leg, t, behind, other);
    if (behind != FF_REACH_OK) return reach;
    memcpy(q, other, sizeof other);
    return behind;
}

ff_reach ff_leg_ik_solve(const ff_leg_ik *leg, const double foot[3], double *q, double *error)
{
    double arm[3], at[3], reached[3];
    ff_vec3_sub(arm, foot, leg->p);
    ff_mat3_tmulv(at, leg->R, arm);
    ff_reach reach = solve_joints(leg, at, q);
    if (error) {
        ff_leg_ik_forward(leg, q, reached);
        ff_vec3_sub(reached, reached, foot);
        *error = ff_vec3_norm(reached);
    }
    return reach;
}

void ff_leg_ik_jacobian(const ff_leg_ik *leg, const double *q, double *J)
{
    double t[3];
    angles_of(leg, q, t);
    leg_shape s = shape_of(leg, t);
    // columns in the hip frame: d foot / d t
    const double column[3][3] = {
        {-s.r * s.sine - leg->side * s.cosine, s.r * s.cosine - leg->side * s.sine, 0.0},
        {-s.z * s.cosine, -s.z * s.sine, s.r - leg->length[0]},
        {-s.z3 * s.cosine, -s.z3 * s.sine, s.r3},
    };
    for (int i = 0, k = first_angle(leg); i < leg->njoint; i++, k++) {
        double turned[3];
        ff_mat3_mulv(turned, leg->R, column[k]);
        for (int a = 0; a < 3; a++) J[a * leg->njoint + i] = leg->sign[k] * turned[a];
    }
}

// a rate = b, by damped division near zero: the factor a / (a^2 + damping^2) is continuous and bounded.
static bool divide(double b, double a, double scale, double *rate)
{
    double least = SINGULAR * scale;
    bool regular = fabs(a) >= least;
    *rate = regular ? b / a : b * a / (least * least);
    return regular;
}

// Rates of two links whose ends are at (x, z) from the first joint and (x3, z3) from the second:
//     (vx, vz) = (-z, x) w2 + (-z3, x3) w3
// Cramer's rule; the determinant L2 L3 sin t3 is the lever that vanishes for a straight leg.
static bool link_rates(const double end[2], const double last[2], const double v[2], double rate[2])
{
    double determinant = -end[1] * last[0] + last[1] * end[0];
    double scale = end[0] * end[0] + end[1] * end[1] + last[0] * last[0] + last[1] * last[1];
    bool first = divide(v[0] * last[0] + last[1] * v[1], determinant, scale, &rate[0]);
    bool second = divide(-end[1] * v[1] - end[0] * v[0], determinant, scale, &rate[1]);
    return first && second;
}

bool ff_leg_ik_rates(const ff_leg_ik *leg, const double *q, const double v[3], double *rate)
{
    double t[3], w[3] = {0.0}, at[3];
    bool regular = true;
    angles_of(leg, q, t);
    leg_shape s = shape_of(leg, t);
    ff_mat3_tmulv(at, leg->R, v);
    double ahead = s.cosine * at[0] + s.sine * at[1], across = -s.sine * at[0] + s.cosine * at[1];
    if (leg->njoint == 3) {
        regular = divide(across, s.r, leg->length[1] + leg->length[2], &w[0]);
        ahead += leg->side * w[0];
    }
    const double end[2] = {s.r - leg->length[0], s.z}, last[2] = {s.r3, s.z3}, wanted[2] = {ahead, at[2]};
    regular = link_rates(end, last, wanted, w + 1) && regular;
    for (int i = 0, k = first_angle(leg); i < leg->njoint; i++, k++) rate[i] = leg->sign[k] * w[k];
    return regular;
}

// ------------------------------------------------------------------------------------------ angles from the vertical

ff_reach ff_ik_planar(const double length[2], int knee, const double foot[2], double angle[2])
{
    ff_reach reach = two_links(length[0], length[1], knee, foot[0], foot[1], angle);
    angle[0] = nearest_turn(angle[0] + 0.5 * FF_PI, 0.0); // from the downward vertical instead of the x axis
    return reach;
}

bool ff_ik_planar_rates(const double length[2], const double angle[2], const double v[2], double rate[2])
{
    double turned[2] = {angle[0], angle[0] + angle[1]}, sine[2], cosine[2];
    ff_sincos(turned, sine, cosine, 2);
    const double last[2] = {length[1] * sine[1], -length[1] * cosine[1]};
    const double end[2] = {length[0] * sine[0] + last[0], -length[0] * cosine[0] + last[1]};
    return link_rates(end, last, v, rate);
}
