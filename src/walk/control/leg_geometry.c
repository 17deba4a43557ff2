// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Legs of a model that have a closed form, and their geometry. The product of the rest poses of the nodes of a leg,
// whose z axes are those of the hinges, gives axes a1, a2, a3, points o1, o2, o3 on them and the foot f in the frame of
// the segment, all joints at zero displacement. With s = +1 or -1, such that the foot has x > 0 in the usual posture,
//     hip frame   z = a1,  y = -s a2,  x = y x z          so that a positive turn about s a2 lifts the x axis towards z
//     L1 = x . (o2 - o1),   L2, L3 = lengths of o3 - o2 and f - o3 seen along y,   side = y . (f - o1)
// The angles of the two links in that plane are the zero offsets of the joints.
#include <footfall/ik.h>

#define PARALLEL 1e-6 // tolerance of parallel and perpendicular axes, as numbers of files are rounded [rad]
#define SHORTEST 1e-6 // least length of a link [m]
#define STRAIGHT 1e-3 // the side to which a knee bends is not known where it is bent less than this [rad]

// The leg at zero displacement, in the frame of the segment.
typedef struct chain {
    double axis[3][3], point[3][3], foot[3];
    double ref[3]; // q at zero displacement
} chain;

static ff_status no_closed_form(ff_error *err, const ff_leg *leg, const char *why)
{
    return ff_error_set(err, FF_NOT_FOUND, "leg \"%s\" has no closed form: %s; ff_ik_solve works for every leg",
                        leg->name, why);
}

// The frame of the node that carries a body, seen from the body.
static ff_pose carrier_in(const ff_model *m, int body)
{
    ff_pose out = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
    if (body < 0) return out;
    ff_mat3_transpose(out.R, m->bodies[body].R);
    ff_mat3_mulv(out.p, out.R, m->bodies[body].pos);
    ff_vec3_scale(out.p, out.p, -1.0);
    return out;
}

// Fills the chain. @return NULL, or why the leg has no closed form
static const char *follow_chain(const ff_model *m, const ff_leg *leg, ff_leg_ik *out, chain *c)
{
    if (leg->njoint != 2 && leg->njoint != 3) return "it does not have two or three joints";
    const ff_joint *hip = &m->joints[leg->joints[0]];
    out->njoint = leg->njoint;
    out->body = m->bodies[hip->body].parent;
    int carrier = out->body < 0 ? -1 : m->bodies[out->body].node;
    ff_pose pose = carrier_in(m, out->body);
    for (int i = 0; i < leg->njoint; i++) {
        const ff_joint *joint = &m->joints[leg->joints[i]];
        const ff_node *node = &m->nodes[joint->node];
        if (joint->type != FF_JOINT_HINGE) return "a joint is not a hinge";
        if (node->parent != carrier) return "other joints lie between its own";
        pose = ff_pose_mul(&pose, &node->rest);
        ff_vec3_copy(c->point[i], pose.p);
        ff_vec3_set(c->axis[i], pose.R[2], pose.R[5], pose.R[8]);
        c->ref[i] = node->ref;
        carrier = joint->node;
        out->joint[i] = leg->joints[i];
        out->qadr[i] = joint->qadr;
        out->vadr[i] = joint->vadr;
        out->low[i] = joint->limited ? joint->range[0] : -INFINITY;
        out->high[i] = joint->limited ? joint->range[1] : INFINITY;
    }
    const ff_frame *foot = &m->frames[leg->frame];
    if (foot->body < 0 || m->bodies[foot->body].node != carrier) return "other joints lie between it and the foot";
    const ff_body *shank = &m->bodies[foot->body];
    double local[3];
    ff_mat3_mulv(local, shank->R, foot->pos);
    ff_vec3_add(local, local, shank->pos);
    ff_mat3_mulv(c->foot, pose.R, local);
    ff_vec3_add(c->foot, c->foot, pose.p);
    return NULL;
}

static bool perpendicular(const double a[3], const double b[3])
{
    return fabs(ff_vec3_dot(a, b)) <= PARALLEL;
}

static bool parallel(const double a[3], const double b[3])
{
    double across[3];
    ff_vec3_cross(across, a, b);
    return ff_vec3_norm(across) <= PARALLEL;
}

// Columns of R from the axes y and z, made exactly perpendicular.
static void frame_from(double R[9], const double z_axis[3], const double y_axis[3])
{
    double x[3], y[3], z[3];
    ff_vec3_copy(z, z_axis);
    ff_vec3_normalise(z);
    ff_vec3_cross(x, y_axis, z);
    ff_vec3_normalise(x);
    ff_vec3_cross(y, z, x);
    for (int a = 0; a < 3; a++) {
        R[3 * a] = x[a];
        R[3 * a + 1] = y[a];
        R[3 * a + 2] = z[a];
    }
}

// Length and angle of a link from its end points, seen in the plane x, z of the hip frame.
static double link_in_plane(const double R[9], const double from[3], const double to[3], double *angle)
{
    double between[3], seen[3];
    ff_vec3_sub(between, to, from);
    ff_mat3_tmulv(seen, R, between);
    *angle = ff_atan2(seen[2], seen[0]);
    return sqrt(seen[0] * seen[0] + seen[2] * seen[2]);
}

// Everything that follows from the hip's axes R, for the links between points a, b and the foot.
static void measure_links(ff_leg_ik *out, const chain *c, int first)
{
    double thigh, shank;
    const double *knee_axis = c->axis[first + 1];
    double about_y = out->R[1] * knee_axis[0] + out->R[4] * knee_axis[1] + out->R[7] * knee_axis[2];
    out->length[1] = link_in_plane(out->R, c->point[first], c->point[first + 1], &thigh);
    out->length[2] = link_in_plane(out->R, c->point[first + 1], c->foot, &shank);
    out->sign[2] = about_y < 0.0 ? 1.0 : -1.0;
    // t2 = thigh + sign (q - ref) = sign (q - zero)
    out->zero[1] = c->ref[first] - out->sign[1] * thigh;
    out->zero[2] = c->ref[first + 1] - out->sign[2] * (shank - thigh);
}

static void make_spatial(ff_leg_ik *out, const chain *c, double s)
{
    double y[3], arm[3], at[3];
    ff_vec3_scale(y, c->axis[1], -s);
    frame_from(out->R, c->axis[0], y);
    // the origin is the point of the first axis as high as the second joint, so that the links start at height zero
    ff_vec3_sub(arm, c->point[1], c->point[0]);
    ff_mat3_tmulv(at, out->R, arm);
    ff_vec3_copy(out->p, c->point[0]);
    const double up[3] = {out->R[2], out->R[5], out->R[8]};
    ff_vec3_axpy(out->p, at[2], up);
    out->length[0] = at[0];
    ff_vec3_sub(arm, c->foot, out->p);
    ff_mat3_tmulv(at, out->R, arm);
    out->side = at[1];
    out->sign[0] = 1.0;
    out->zero[0] = c->ref[0];
    out->sign[1] = s;
    measure_links(out, c, 1);
}

static void make_planar(ff_leg_ik *out, const chain *c)
{
    // x of the hip frame is that of the segment, as far as the plane of the leg allows
    static const double ahead[3] = {1, 0, 0}, left[3] = {0, 1, 0};
    double y[3], z[3], arm[3], at[3];
    ff_vec3_scale(y, c->axis[0], -1.0);
    ff_vec3_cross(z, ff_vec3_dot(y, ahead) * ff_vec3_dot(y, ahead) < 0.9 ? ahead : left, y);
    frame_from(out->R, z, y);
    ff_vec3_sub(arm, c->foot, c->point[0]);
    ff_mat3_tmulv(at, out->R, arm);
    ff_vec3_copy(out->p, c->point[0]);
    const double across[3] = {out->R[1], out->R[4], out->R[7]};
    ff_vec3_axpy(out->p, at[1], across);
    out->length[0] = out->side = 0.0;
    out->sign[0] = 1.0;
    out->zero[0] = 0.0;
    out->sign[1] = 1.0;
    measure_links(out, c, 0);
}

// Radius r of the foot in a posture, as in the closed form.
static double radius_at(const ff_leg_ik *leg, const double *q)
{
    double t2 = leg->sign[1] * (q[leg->qadr[1]] - leg->zero[1]), t3 = leg->sign[2] * (q[leg->qadr[2]] - leg->zero[2]);
    return leg->length[0] + leg->length[1] * ff_cos(t2) + leg->length[2] * ff_cos(t2 + t3);
}

static int bend_at(const ff_leg_ik *leg, double q)
{
    double t3 = leg->sign[2] * (q - leg->zero[2]);
    t3 -= 2.0 * FF_PI * nearbyint(t3 / (2.0 * FF_PI));
    return fabs(t3) < STRAIGHT ? 0 : t3 < 0.0 ? -1 : 1;
}

static void choose_branch(ff_leg_ik *out, const double *posture)
{
    int last = out->njoint - 1;
    for (int i = 0; i < out->njoint; i++)
        out->middle[i] = out->high[i] < INFINITY ? 0.5 * (out->low[i] + out->high[i]) : posture[out->qadr[i]];
    out->knee = bend_at(out, posture[out->qadr[last]]);
    if (out->knee == 0) out->knee = bend_at(out, out->middle[last]);
    if (out->knee == 0) out->knee = -1;
}

ff_status ff_leg_ik_make(const ff_model *m, const ff_leg *leg, const double *posture, ff_leg_ik *out, ff_error *err)
{
    chain c;
    *out = (ff_leg_ik){0};
    if (!posture) posture = m->q0;
    const char *why = follow_chain(m, leg, out, &c);
    if (why) return no_closed_form(err, leg, why);
    if (!parallel(c.axis[leg->njoint - 2], c.axis[leg->njoint - 1]))
        return no_closed_form(err, leg, "the last two axes are not parallel");
    if (leg->njoint == 2) {
        make_planar(out, &c);
    } else {
        if (!perpendicular(c.axis[0], c.axis[1]))
            return no_closed_form(err, leg, "the first axis is not perpendicular to the others");
        make_spatial(out, &c, 1.0);
        if (radius_at(out, posture) < 0.0) make_spatial(out, &c, -1.0);
    }
    if (out->length[1] < SHORTEST || out->length[2] < SHORTEST)
        return no_closed_form(err, leg, "a link is shorter than a micrometre");
    choose_branch(out, posture);
    return FF_OK;
}
