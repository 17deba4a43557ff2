// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// MuJoCo as referee: at 100 random states each, body poses, mass matrix, bias forces and accelerations of a robot are
// the same in both programs to 1e-9 of the largest number (poses: of 1 where that is smaller). MJCF files are read by
// both; other robots are read by Footfall and passed to MuJoCo by ff_spec_format, which is tested with them. Forces
// are the bare rigid-body system, as `footfall eval` prints it:
//     M qacc = tau - bias
#include <glob.h>

#include <mujoco/mujoco.h>

#include <footfall/dyn.h>
#include <footfall/load.h>

#include "check.h"
#include "support/random_robot.h"

#define STATES    100
#define TOLERANCE 1e-9

static void print_warning(const char *message)
{
    printf("  MuJoCo: %s\n", message);
}

// ------------------------------------------------------------------------------------------ one robot in two programs

typedef struct pair {
    const char *label;
    double tolerance; // 0: TOLERANCE
    ff_spec *spec;    // NULL where MuJoCo reads a file of its own
    ff_model *ours;
    ff_data *data;
    mjModel *theirs;
    mjData *their_data;
} pair;

static void pair_clear(pair *p)
{
    ff_data_destroy(p->data);
    ff_model_destroy(p->ours);
    ff_spec_destroy(p->spec);
    if (p->their_data) mj_deleteData(p->their_data);
    if (p->theirs) mj_deleteModel(p->theirs);
}

// |got - expected| <= 1e-9 max(least, |expected|), largest entries.
static void compare_to(const pair *p, int state, const char *what, const double *got, const double *expected, int n,
                       double least)
{
    double size = least, worst = 0.0;
    int at = 0;
    for (int i = 0; i < n; i++) {
        size = fmax(size, fabs(expected[i]));
        double off = fabs(got[i] - expected[i]);
        if (!(off <= worst)) worst = off, at = i;
    }
    if (!(worst <= (p->tolerance > 0.0 ? p->tolerance : TOLERANCE) * size))
        CHECK_FAIL("%s, state %d: %s[%d] = %.15g, MuJoCo has %.15g: off by %.3g of %.3g", p->label, state, what, at,
                   got[at], expected[at], worst, size);
}

/// Relative to the largest number alone: a small robot has a small mass matrix.
static void compare(const pair *p, int state, const char *what, const double *got, const double *expected, int n)
{
    compare_to(p, state, what, got, expected, n, 0.0);
}

static void compare_poses(const pair *p, int state)
{
    for (int b = 0; b < p->ours->nbody; b++) {
        const double *their_quat = p->their_data->xquat + 4 * (b + 1);
        double pos[3], quat[4];
        char what[128];
        ff_dyn_body_pose(p->ours, p->data, b, pos, quat);
        double same =
            quat[0] * their_quat[0] + quat[1] * their_quat[1] + quat[2] * their_quat[2] + quat[3] * their_quat[3];
        for (int k = 0; same < 0.0 && k < 4; k++) quat[k] = -quat[k];
        snprintf(what, sizeof what, "place of \"%.90s\" ", p->ours->bodies[b].name);
        compare_to(p, state, what, pos, p->their_data->xpos + 3 * (b + 1), 3, 1.0);
        snprintf(what, sizeof what, "turn of \"%.90s\" ", p->ours->bodies[b].name);
        compare_to(p, state, what, quat, their_quat, 4, 1.0);
    }
}

static void run_theirs(const pair *p, double *bias, double *M, double *qacc)
{
    mjData *d = p->their_data;
    int nv = p->theirs->nv;
    memcpy(d->qpos, p->data->q, sizeof(double) * (size_t)p->theirs->nq);
    memcpy(d->qvel, p->data->v, sizeof(double) * (size_t)nv);
    mj_kinematics(p->theirs, d);
    mj_comPos(p->theirs, d);
    mj_crb(p->theirs, d);
    mj_factorM(p->theirs, d);
    mj_comVel(p->theirs, d);
    mj_rne(p->theirs, d, 0, bias);
    mj_fullM(p->theirs, M, d->qM);
    for (int i = 0; i < nv; i++) qacc[i] = p->data->tau[i] - bias[i];
    mj_solveM(p->theirs, d, qacc, qacc, 1);
}

/// Mass, centre of mass and potential energy of all bodies, those fixed to the world included.
static void compare_whole(const pair *p, int state)
{
    double mass = 0.0, moment[3] = {0}, com[3];
    for (int b = 1; b < p->theirs->nbody; b++) {
        mass += p->theirs->body_mass[b];
        ff_vec3_axpy(moment, p->theirs->body_mass[b], p->their_data->xipos + 3 * b);
    }
    double potential = -ff_vec3_dot(p->theirs->opt.gravity, moment);
    double ours = ff_dyn_potential_energy(p->ours, p->data);
    if (p->theirs->opt.disableflags & mjDSBL_GRAVITY) potential = 0.0;
    compare(p, state, "mass", &p->ours->mass, &mass, 1);
    if (mass == 0.0) return; // frames alone
    ff_dyn_com(p->ours, p->data, com);
    ff_vec3_scale(moment, moment, 1.0 / mass);
    compare_to(p, state, "centre of mass", com, moment, 3, 1.0);
    compare_to(p, state, "potential energy", &ours, &potential, 1, 1.0);
}

static void compare_state(const pair *p, int state, double *work)
{
    int nv = p->ours->nv;
    double *bias = work, *their_bias = work + nv, *their_qacc = work + 2 * nv, *M = work + 3 * nv,
           *their_M = M + nv * nv;
    run_theirs(p, their_bias, their_M, their_qacc);
    ff_dyn_kinematics(p->ours, p->data);
    ff_dyn_velocity(p->ours, p->data);
    ff_dyn_mass(p->ours, p->data);
    ff_dyn_mass_expand(p->ours, p->data, M);
    ff_dyn_inverse(p->ours, p->data, p->data->q, p->data->v, NULL, bias);
    CHECK(ff_dyn_forward(p->ours, p->data));
    compare_poses(p, state);
    compare_whole(p, state);
    compare(p, state, "M", M, their_M, nv * nv);
    // the bias of a robot in balance is rounding alone: 1e-6 N m is negligible for all of them
    compare_to(p, state, "bias", bias, their_bias, nv, 1e-6);
    compare(p, state, "qacc", p->data->qacc, their_qacc, nv);
}

// Sizes, names and order of bodies, then the states.
static void compare_robots(const pair *p)
{
    CHECK_INT(p->ours->nq, p->theirs->nq);
    CHECK_INT(p->ours->nv, p->theirs->nv);
    CHECK_INT(p->ours->nbody, p->theirs->nbody - 1);
    for (int b = 0; b < p->ours->nbody; b++) {
        const char *name = mj_id2name(p->theirs, mjOBJ_BODY, b + 1);
        if (name) CHECK_TEXT(p->ours->bodies[b].name, name);
    }
    ff_random random = ff_random_make(2022, 0);
    size_t nv = (size_t)p->ours->nv;
    double *work = malloc((3 * nv + 2 * nv * nv + 1) * sizeof(double));
    for (int state = 0; state < STATES; state++) {
        random_state(p->ours, p->data, &random);
        compare_state(p, state, work);
    }
    free(work);
}

static void load_ours(pair *p, const char *path, const ff_load_options *options)
{
    ff_report report = {0};
    p->spec = ff_spec_create(NULL);
    if (ff_spec_load(p->spec, path, options, &report) == FF_OK) p->ours = ff_model_compile(p->spec, options, &report);
    char text[600] = "no message";
    for (int i = 0; !p->ours && i < report.count; i++)
        if (report.messages[i].severity == FF_ERROR) ff_message_format(&report.messages[i], text, sizeof text);
    ff_report_clear(&report);
    if (!p->ours) CHECK_FAIL("%s", text);
    p->data = ff_data_create(p->ours, NULL);
}

static void use_theirs(pair *p, const char *problem)
{
    if (!p->theirs) CHECK_FAIL("%s: MuJoCo refuses it: %s", p->label, problem);
    p->their_data = mj_makeData(p->theirs);
}

/// Both read the same MJCF file.
static void compare_mjcf_to(const char *path, double tolerance)
{
    char problem[500] = "";
    pair p = {.label = path, .tolerance = tolerance};
    mju_user_warning = print_warning;
    load_ours(&p, path, NULL);
    p.theirs = mj_loadXML(path, NULL, problem, sizeof problem);
    use_theirs(&p, problem);
    compare_robots(&p);
    pair_clear(&p);
}

static void compare_mjcf(const char *path)
{
    compare_mjcf_to(path, TOLERANCE);
}

/// MuJoCo reads the MJCF text that ff_spec_format writes of our description, which the pair owns.
static void compare_written(pair *p, const ff_load_options *options)
{
    char problem[500] = "";
    static mjVFS files;
    mju_user_warning = print_warning;
    ff_report report = {0};
    char *text = ff_spec_format(p->spec, "mjcf", options, &report);
    if (!text) CHECK_FAIL("%s: %s", p->label, report.count > 0 ? report.messages[0].text : "not written");
    ff_report_clear(&report);
    mj_defaultVFS(&files);
    mj_makeEmptyFileVFS(&files, "written.xml", (int)strlen(text) + 1);
    memcpy(files.filedata[mj_findFileVFS(&files, "written.xml")], text, strlen(text) + 1);
    p->theirs = mj_loadXML("written.xml", &files, problem, sizeof problem);
    mj_deleteVFS(&files);
    free(text);
    use_theirs(p, problem);
    compare_robots(p);
    pair_clear(p);
}

/// Footfall reads a URDF, MuJoCo the same robot written by hand in MJCF.
static void compare_twins(const char *urdf, const char *mjcf, bool floating)
{
    char problem[500] = "";
    pair p = {.label = urdf};
    ff_load_options options = ff_load_options_default();
    options.floating = floating;
    mju_user_warning = print_warning;
    load_ours(&p, urdf, &options);
    p.theirs = mj_loadXML(mjcf, NULL, problem, sizeof problem);
    use_theirs(&p, problem);
    compare_robots(&p);
    pair_clear(&p);
}

static void compare_file(const char *path, bool floating, bool repair)
{
    if (access(path, R_OK) != 0) SKIP("%s is not here", path);
    pair p = {.label = path};
    ff_load_options options = ff_load_options_default();
    options.floating = floating;
    options.repair = repair;
    load_ours(&p, path, &options);
    compare_written(&p, &options);
}

// ------------------------------------------------------------------------------------------ robots

// Files of our own, each about one part of the format.
#define MJCF_FILES(X)                                                                                                  \
    X(bounds)                                                                                                          \
    X(defaults)                                                                                                        \
    X(euler_mixed)                                                                                                     \
    X(euler_zxz)                                                                                                       \
    X(euler_zyx)                                                                                                       \
    X(extras)                                                                                                          \
    X(fixed_base)                                                                                                      \
    X(global) X(groups) X(includes) X(inertias) X(joints) X(orientations) X(pairs) X(shapes) X(total_mass)

#define MJCF_TEST(name)                                                                                                \
    TEST(mjcf_##name##_agrees)                                                                                         \
    {                                                                                                                  \
        compare_mjcf(FF_SOURCE_DIR "/tests/formats/mjcf/robots/" #name ".xml");                                        \
    }
MJCF_FILES(MJCF_TEST)

// MuJoCo 2.2.2 takes centres of triangles in single precision: 6e-8 of their size.
TEST(mjcf_mesh_inline_agrees)
{
    compare_mjcf_to(FF_SOURCE_DIR "/tests/formats/mjcf/robots/mesh_inline.xml", 1e-7);
}

#define MJCF_COUNT(name) +1
TEST(no_mjcf_file_is_left_out)
{
    glob_t found;
    CHECK_INT(glob(FF_SOURCE_DIR "/tests/formats/mjcf/robots/*.xml", 0, NULL, &found), 0);
    size_t count = found.gl_pathc;
    globfree(&found);
    CHECK_INT(count, 1 MJCF_FILES(MJCF_COUNT)); // and mesh_inline
}

#define TWINS FF_SOURCE_DIR "/tests/formats/load/twins/"

TEST(a_robot_written_in_urdf_and_in_mjcf_is_one_robot)
{
    compare_twins(TWINS "walker.urdf", TWINS "walker.xml", true);
    compare_twins(TWINS "puck.urdf", TWINS "puck.xml", false);
    compare_mjcf(TWINS "walker.xml");
    compare_mjcf(TWINS "puck.xml");
}

#define MODELS FF_SOURCE_DIR "/../shared/models"

static void compare_shared_mjcf(const char *path)
{
    if (access(path, R_OK) != 0) SKIP("%s is not here", path);
    compare_mjcf(path);
}

TEST(unitree_a1_agrees)
{
    compare_shared_mjcf(MODELS "/mjcf/unitree_a1/a1_nomesh.xml");
}

TEST(robotis_op3_agrees)
{
    compare_shared_mjcf(MODELS "/mjcf/robotis_op3/op3_nomesh.xml");
}

// Mass from STL files: scaled, mirrored, displaced. MuJoCo 2.2.2 computes it in single precision.
TEST(bodies_made_of_stl_files_agree)
{
    const char *folder = MODELS "/urdf/example-robot-data/robots/solo_description/meshes/stl/solo12";
    if (access(folder, R_OK) != 0) SKIP("%s is not here", folder);
#if !defined(FF_WITH_MESHES)
    SKIP("reading meshes takes assimp");
#endif
    char path[] = "/tmp/footfall-referee-XXXXXX.xml";
    int handle = mkstemps(path, 4);
    FILE *file = handle >= 0 ? fdopen(handle, "w") : NULL;
    if (!file) CHECK_FAIL("cannot write %s", path);
    fprintf(file,
            "<mujoco><compiler meshdir=\"%s\" exactmeshinertia=\"true\"/><asset><mesh name=\"a\" "
            "file=\"solo_12_base.stl\"/>"
            "<mesh name=\"b\" file=\"solo12_hip_fe_fl.stl\" scale=\"1 -1 1\"/><mesh name=\"c\" refpos=\"0.1 0.2 0.3\" "
            "refquat=\"1 2 3 4\" file=\"solo12_upper_leg_left_side.stl\" scale=\"2 1.5 1.1\"/></asset><worldbody>"
            "<body><freejoint/><geom type=\"mesh\" mesh=\"a\"/><body pos=\"0.2 0 0\"><joint axis=\"1 0 0\"/>"
            "<geom type=\"mesh\" mesh=\"b\" quat=\"1 2 3 4\" pos=\"0.1 0 0\"/><body pos=\"0 0.1 0\"><joint axis=\"0 1 "
            "0\"/>"
            "<geom type=\"mesh\" mesh=\"c\"/></body></body></body></worldbody></mujoco>",
            folder);
    fclose(file);
    compare_mjcf_to(path, 1e-5);
    remove(path);
}

TEST(solo12_agrees)
{
    compare_file(MODELS "/urdf/example-robot-data/robots/solo_description/robots/solo12.urdf", true, false);
}

TEST(hyq_agrees)
{
    compare_file(MODELS "/urdf/example-robot-data/robots/hyq_description/robots/hyq_no_sensors.urdf", true, false);
}

TEST(anymal_repaired_agrees)
{
    compare_file(MODELS "/urdf/example-robot-data/robots/anymal_b_simple_description/robots/anymal.urdf", true, true);
}

// MuJoCo 2.2.2 reads no loop whose points lie apart at rest, and no body that moves without inertia.
static bool is_beyond_mujoco(const char *path)
{
    return strstr(path, "/andrews/") || strstr(path, "/fourbar/");
}

TEST(every_robot_of_ours_agrees)
{
    glob_t found;
    CHECK_INT(glob(FF_SOURCE_DIR "/robots/*/*.yaml", 0, NULL, &found), 0);
    CHECK(found.gl_pathc > 30);
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (!is_beyond_mujoco(found.gl_pathv[i])) compare_file(found.gl_pathv[i], false, false);
    globfree(&found);
}

TEST(cassie_and_the_shadow_hand_agree_as_written)
{
    compare_file(MODELS "/mjcf/agility_cassie/cassie_nomesh.xml", false, false);
    compare_file(MODELS "/mjcf/shadow_hand/right_hand_nomesh.xml", false, false);
}

// MuJoCo allows no hinge behind a ball on one body: such joints become slides.
static void replace_turns_behind_balls(ff_spec *spec)
{
    for (int j = 1; j < spec->njoint; j++)
        for (int k = 0; k < j; k++)
            if (spec->joints[k].body == spec->joints[j].body && spec->joints[k].type == FF_JOINT_BALL)
                spec->joints[j].type = FF_JOINT_SLIDE;
}

// Every joint type, several joints on a body, anchors off the origin, fixed bodies: all that random_robot makes.
TEST(random_robots_agree)
{
    ff_random random = ff_random_make(77, 0);
    for (int round = 0; round < 20; round++) {
        ff_spec *spec = random_robot(&random, 2 + round, round % 2, round % 3 == 0);
        replace_turns_behind_balls(spec);
        ff_report report = {0};
        char label[32];
        snprintf(label, sizeof label, "random robot %d", round);
        pair p = {.label = label, .spec = spec, .ours = ff_model_compile(spec, NULL, &report)};
        ff_report_clear(&report);
        CHECK(p.ours != NULL);
        p.data = ff_data_create(p.ours, NULL);
        compare_written(&p, NULL);
    }
}
