// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Rows of Denavit and Hartenberg: frames against products of the four elementary motions, the same arm by standard
// rows, by modified rows and in URDF, and mistakes with their places.
#include "native/native_robot.h"

#include <footfall/base.h>
#include <footfall/dyn.h>
#include <footfall/load.h>
#include <footfall/math.h>

// ------------------------------------------------------------------------------------------ elementary motions

typedef struct frame {
    double R[9], p[3];
} frame;

static const frame HERE = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};

static frame then(frame a, frame b)
{
    frame c;
    ff_mat3_mul(c.R, a.R, b.R);
    ff_mat3_mulv(c.p, a.R, b.p);
    ff_vec3_add(c.p, c.p, a.p);
    return c;
}

static frame turn(char axis, double angle)
{
    const double c = cos(angle), s = sin(angle);
    if (axis == 'z') return (frame){{c, -s, 0, s, c, 0, 0, 0, 1}, {0, 0, 0}};
    return (frame){{1, 0, 0, 0, c, -s, 0, s, c}, {0, 0, 0}};
}

static frame shift(char axis, double by)
{
    frame f = HERE;
    f.p[axis - 'x'] = by;
    return f;
}

typedef struct row {
    double a, alpha, d, theta;
} row;

static frame standard(row r)
{
    return then(then(turn('z', r.theta), shift('z', r.d)), then(shift('x', r.a), turn('x', r.alpha)));
}

static frame modified(row r)
{
    return then(then(turn('x', r.alpha), shift('x', r.a)), then(turn('z', r.theta), shift('z', r.d)));
}

// ------------------------------------------------------------------------------------------ frames

static const row ROWS[4] = {
    {0.1, 1.2, 0.3, 0.4}, {0.28, -0.7, 0.05, -1.1}, {-0.2, 0.3, -0.15, 2.0}, {0.12, -1.9, 0, 0}};

/// An arm of ROWS: hinges, but for the third, which slides, and the last, which is fixed.
static const char *arm_text(const char *convention)
{
    static char text[1500];
    static const char *const joints[4] = {"hinge", "hinge", "slide", "fixed"};
    int length = snprintf(text, sizeof text, "footfall: 1\nbodies:\n");
    for (int i = 0; i < 4; i++)
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "  b%d: {%s joint: %s, dh: {a: %g, alpha: %g rad, d: %g, theta: %g, convention: %s}, "
                           "inertial: {mass: 1, sphere: 0.1}}\n",
                           i, i ? (const char *[]){"", "parent: b0,", "parent: b1,", "parent: b2,"}[i] : "", joints[i],
                           ROWS[i].a, ROWS[i].alpha, ROWS[i].d, ROWS[i].theta, convention);
    return text;
}

static void check_frames(const char *convention, frame (*motion)(row))
{
    must(load_text(arm_text(convention)));
    ff_data *d = ff_data_create(model, NULL);
    ff_random random = ff_random_make(16, 0);
    for (int round = 0; round < 20; round++) {
        frame at = HERE;
        for (int i = 0; i < 3; i++) d->q[i] = 4.0 * ff_random_uniform(&random) - 2.0;
        ff_dyn_kinematics(model, d);
        for (int i = 0; i < 4; i++) {
            row r = ROWS[i];
            if (i < 2) r.theta += d->q[i];
            if (i == 2) r.d += d->q[i];
            at = then(at, motion(r));
            double p[3], quat[4], R[9];
            ff_dyn_body_pose(model, d, i, p, quat);
            ff_quat_to_mat3(R, quat);
            for (int k = 0; k < 3; k++) CHECK_NEAR(p[k], at.p[k], 1e-13);
            for (int k = 0; k < 9; k++) CHECK_NEAR(R[k], at.R[k], 1e-13);
        }
    }
    ff_data_destroy(d);
    finish();
}

TEST(standard_rows_are_turn_and_shift_along_z_then_along_x)
{
    check_frames("standard", standard);
}

TEST(modified_rows_are_turn_and_shift_along_x_then_along_z)
{
    check_frames("modified", modified);
}

// ------------------------------------------------------------------------------------------ one arm, three files

// Yaw, shoulder, elbow, wrist: column 0.2, links 0.28, 0.28, 0.12 m. Standard frames lie at the far end of a link,
// modified ones and those of URDF at its joint, so that the centres of mass differ in their numbers.
static const char STANDARD[] =
    "footfall: 1\nbodies:\n"
    "  base: {dh: {alpha: 90 deg, d: 0.2}, joint: hinge, inertial: {mass: 1.3, com: [0, -0.1, 0], "
    "inertia: [4e-3, 2e-3, 4e-3]}}\n"
    "  upper: {parent: base, dh: {a: 0.28}, joint: hinge, inertial: {mass: 0.5, com: [-0.14, 0, 0], "
    "inertia: [1e-4, 3e-3, 3e-3]}}\n"
    "  lower: {parent: upper, dh: {a: 0.28}, joint: hinge, inertial: {mass: 0.3, com: [-0.14, 0.01, 0], "
    "inertia: [1e-4, 2e-3, 2e-3]}}\n"
    "  hand: {parent: lower, dh: {a: 0.12}, joint: hinge, inertial: {mass: 0.2, com: [-0.06, 0, 0], "
    "inertia: [1e-5, 2e-4, 2e-4]}, frames: {tip: {}}}\n";
static const char MODIFIED[] =
    "footfall: 1\nbodies:\n"
    "  base: {dh: {d: 0.2, convention: modified}, joint: hinge, inertial: {mass: 1.3, com: [0, 0, -0.1], "
    "inertia: [4e-3, 4e-3, 2e-3]}}\n"
    "  upper: {parent: base, dh: {alpha: 90 deg, convention: modified}, joint: hinge, inertial: {mass: 0.5, "
    "com: [0.14, 0, 0], inertia: [1e-4, 3e-3, 3e-3]}}\n"
    "  lower: {parent: upper, dh: {a: 0.28, convention: modified}, joint: hinge, inertial: {mass: 0.3, "
    "com: [0.14, 0.01, 0], inertia: [1e-4, 2e-3, 2e-3]}}\n"
    "  hand: {parent: lower, dh: {a: 0.28, convention: modified}, joint: hinge, inertial: {mass: 0.2, "
    "com: [0.06, 0, 0], inertia: [1e-5, 2e-4, 2e-4]}, frames: {tip: {pos: [0.12, 0, 0]}}}\n";
#define LINK(name, x, y, z, m, xx, yy, zz)                                                                             \
    "<link name='" name "'><inertial><origin xyz='" x " " y " " z "'/><mass value='" m "'/><inertia ixx='" xx          \
    "' iyy='" yy "' izz='" zz "' ixy='0' ixz='0' iyz='0'/></inertial></link>"
#define JOINT(name, parent, child, xyz, rpy)                                                                           \
    "<joint name='" name "' type='continuous'><parent link='" parent "'/><child link='" child "'/><origin xyz='" xyz   \
    "' rpy='" rpy "'/><axis xyz='0 0 1'/></joint>"
static const char URDF[] =
    "<robot name='arm'><link name='floor'/>" LINK("base", "0", "0", "0.1", "1.3", "4e-3", "4e-3", "2e-3")
        LINK("upper", "0.14", "0", "0", "0.5", "1e-4", "3e-3", "3e-3")
            LINK("lower", "0.14", "0.01", "0", "0.3", "1e-4", "2e-3", "2e-3")
                LINK("hand", "0.06", "0", "0", "0.2", "1e-5", "2e-4", "2e-4")
                    JOINT("yaw", "floor", "base", "0 0 0", "0 0 0")
                        JOINT("shoulder", "base", "upper", "0 0 0.2", "1.5707963267948966 0 0")
                            JOINT("elbow", "upper", "lower", "0.28 0 0", "0 0 0")
                                JOINT("wrist", "lower", "hand", "0.28 0 0", "0 0 0") "</robot>";

enum { STATES = 20, ARMS = 3 };

/// Accelerations under torques, and places of the tip, of the model that was loaded, in STATES random states.
static void try_arm(double tip_at, double acc[STATES][4], double tip[STATES][3])
{
    ff_data *d = ff_data_create(model, NULL);
    ff_random random = ff_random_make(17, 0);
    CHECK_INT(model->nv, 4);
    for (int round = 0; round < STATES; round++) {
        for (int i = 0; i < 4; i++) d->q[i] = 6.0 * ff_random_uniform(&random) - 3.0;
        for (int i = 0; i < 4; i++) d->v[i] = 4.0 * ff_random_uniform(&random) - 2.0;
        for (int i = 0; i < 4; i++) d->tau[i] = 4.0 * ff_random_uniform(&random) - 2.0;
        ff_dyn_kinematics(model, d);
        ff_dyn_velocity(model, d);
        ff_dyn_forward(model, d);
        memcpy(acc[round], d->qacc, sizeof acc[round]);
        ff_dyn_point(model, d, model->nbody - 1, (const double[3]){tip_at, 0, 0}, tip[round]);
    }
    ff_data_destroy(d);
}

static bool load_urdf(const char *text)
{
    finish();
    spec = ff_spec_create(NULL);
    if (ff_spec_parse(spec, "urdf", text, strlen(text), "arm.urdf", NULL, &report) == FF_OK)
        model = ff_model_compile(spec, NULL, &report);
    return model != NULL;
}

TEST(standard_rows_modified_rows_and_urdf_are_one_arm)
{
    static double acc[ARMS][STATES][4], tip[ARMS][STATES][3];
    must(load_text(STANDARD));
    try_arm(0.0, acc[0], tip[0]);
    must(load_text(MODIFIED));
    try_arm(0.12, acc[1], tip[1]);
    if (!load_urdf(URDF)) {
        if (strstr(message(0), "without")) SKIP("built without libxml2");
        CHECK_FAIL("refused: %s", message(0));
    }
    try_arm(0.12, acc[2], tip[2]);
    for (int arm = 1; arm < ARMS; arm++)
        for (int k = 0; k < STATES; k++) {
            // accelerations of up to 1e4 rad/s^2 of a hand of 1e-3 kg m^2: rounding of 1e-16 of them, some operations
            for (int i = 0; i < 4; i++) CHECK_NEAR(acc[arm][k][i], acc[0][k][i], 1e-9);
            for (int i = 0; i < 3; i++) CHECK_NEAR(tip[arm][k][i], tip[0][k][i], 1e-14);
        }
    CHECK(fabs(acc[0][0][3]) > 1.0);
    finish();
}

// ------------------------------------------------------------------------------------------ mistakes

static void refuse(const char *body, int column, const char *words)
{
    must_report(load_after("footfall: 1\nbodies:\n  arm: {inertial: {mass: 1, sphere: 0.1}, ", body), 3, column, words);
}

TEST(degrees_without_their_unit_are_warned_of)
{
    const char *const lead = "footfall: 1\nbodies:\n  arm: {inertial: {mass: 1, sphere: 0.1}, ";
    CHECK(load_after(lead, "joint: hinge, dh: {alpha: 90}}\n"));
    CHECK_INT(report.count, 1);
    CHECK(strstr(message(0), "'alpha' is 90 rad, 14.3 turns: write '90 deg'"));
    must(load_after(lead, "joint: hinge, dh: {alpha: 90 deg, theta: -6.28}}\n"));
    CHECK_INT(report.count, 0);
    finish();
}

TEST(mistakes_in_rows_are_reported_with_their_place)
{
    refuse("joint: hinge, dh: [0.1, 0, 0, 0]}\n", 61, "{a: .., alpha: .., d: .., theta: ..");
    refuse("joint: hinge, dh: {a: wide}}\n", 65, "wide");
    refuse("joint: hinge, dh: {length: 1}}\n", 62, "length");
    refuse("joint: hinge, dh: {a: 3 deg}}\n", 65, "deg");
    refuse("joint: hinge, dh: {convention: craig}}\n", 74, "standard");
    refuse("joint: hinge, dh: {a: 1}, pos: [1, 0, 0]}\n", 69, "leave 'pos' out");
    refuse("joint: {axis: y}, dh: {a: 1}}\n", 51, "leave 'axis' out");
    refuse("joints: {one: hinge, two: hinge}, dh: {a: 1}}\n", 43, "has one joint");
    refuse("joint: ball, dh: {a: 1}}\n", 56, "for hinges and slides");
    finish();
}
