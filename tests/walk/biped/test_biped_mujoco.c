// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// LOLA walks inside MuJoCo, led by the same planner and stabiliser: a controller that walks in two simulators is not
// tuned to one. The robot is what ff_spec_format makes of lola-ideal.yaml, a floor added. Its position servos are
// MuJoCo's actuators, on joints, tendons over two levers and cranks; foot wrenches are those of MuJoCo's contacts, the
// IMU is MuJoCo's torso. Two things that MJCF cannot say are set in MuJoCo's model:
//
//   rotors  through screws: J r r' at the levers r of the pose, as armature (the two of an ankle cancel across)
//   soles   48 spheres a robot, each a spring and damper of the sole's material. With solimp d everywhere, a contact of
//           MuJoCo pushes by  f = (-B v - K d x - a) / R,  R = (1 - d) A / d,  K = k_s / d^2,  B = c_s / d,  where A is
//           its estimate of the inverse inertia at the contact (body_invweight0), a the acceleration and -k_s, -c_s are
//           solref.  k_s = k (1 - d) A  and  c_s = c (1 - d) A  make that  f = -k x - c v - a / R  for the material's
//           k and c; a small d keeps the last term, a mass of 1 / R that only contacts feel, below that of a foot.
//           Friction is a damper c times impratio within the cone of the material, so that a foot creeps by 1 mm/s.
#include <mujoco/mujoco.h>

#include <footfall/load.h>
#include <footfall/math.h>
#include <footfall/plant.h>

#include "biped/robot.h"
#include "check.h"
#include "drive/interface.h"

#define ROBOT FF_SOURCE_DIR "/robots/lola/lola-ideal.yaml"

static const double STEP = 1e-3;      // of both programs; a quarter in MuJoCo changes foot forces by 0.3 %  [s]
static const double IMPEDANCE = 0.02; // d: a quarter of it changes foot forces by less than 0.1 %
static const double GRIP = 100.0;     // impratio: how much stiffer than the normal damper the tangential one is
static const double STAND = 1.0;      // it stands on both feet until then, and longer  [s]

enum { MOST_DRIVES = 64 };

typedef struct walker {
    ff_spec *spec;
    ff_plant *plant; // the drives, with their paths and rotors
    ff_biped *robot;
    ff_biped_planner *planner;
    ff_biped_stabiliser *stabiliser;
    mjModel *m;
    mjData *d;
    int actuator[MOST_DRIVES]; // of each drive
    int torso, foot[FF_BIPED_FEET], toe[FF_BIPED_FEET];
    ff_biped_sensors measured;
} walker;

static walker w;

static void print_warning(const char *message) // in place of a file beside the program
{
    printf("  MuJoCo: %s\n", message);
}

static void forget(void)
{
    if (w.d) mj_deleteData(w.d);
    if (w.m) mj_deleteModel(w.m);
    ff_biped_planner_destroy(w.planner);
    ff_biped_stabiliser_destroy(w.stabiliser);
    ff_biped_destroy(w.robot);
    ff_plant_destroy(w.plant);
    ff_spec_destroy(w.spec);
    w = (walker){0};
}

// ------------------------------------------------------------------------------------------ the robot in MuJoCo

/// Shapes of the robot meet the floor alone.
static void add_floor(ff_spec *spec)
{
    for (int i = 0; i < spec->ngeom; i++) spec->geoms[i].conaffinity = 0;
    ff_spec_geom *floor = ff_spec_add_geom(spec, "floor", -1, FF_SHAPE_PLANE);
    CHECK(floor != NULL);
    floor->contype = 0;
    floor->material = "rigid";
}

static mjModel *read_mjcf(const char *text)
{
    static mjVFS files;
    char conditions[500] = "";
    mj_defaultVFS(&files);
    mj_makeEmptyFileVFS(&files, "lola.xml", (int)strlen(text) + 1);
    memcpy(files.filedata[mj_findFileVFS(&files, "lola.xml")], text, strlen(text) + 1);
    mjModel *m = mj_loadXML("lola.xml", &files, conditions, sizeof conditions);
    mj_deleteVFS(&files);
    if (!m) CHECK_FAIL("MuJoCo refuses LOLA: %s", conditions);
    return m;
}

/// Springs and dampers of the materials; see above.
static void set_soles(void)
{
    for (int i = 0; i < w.spec->ngeom; i++) {
        const ff_spec_geom *g = &w.spec->geoms[i];
        const int number = g->material && g->name ? ff_spec_find_material(w.spec, g->material) : -1;
        const int geom = number >= 0 ? mj_name2id(w.m, mjOBJ_GEOM, g->name) : -1;
        if (geom < 0) continue;
        const ff_normal *n = &w.spec->materials[number].material.normal;
        const double scale = (1.0 - IMPEDANCE) * w.m->body_invweight0[2 * w.m->geom_bodyid[geom]];
        w.m->geom_solref[mjNREF * geom] = -n->stiffness * scale;
        w.m->geom_solref[mjNREF * geom + 1] = -n->damping * scale;
        for (int k = 0; k < 2; k++) w.m->geom_solimp[mjNIMP * geom + k] = IMPEDANCE;
        w.m->geom_priority[geom] = 1; // over the floor's
    }
    w.m->opt.cone = mjCONE_ELLIPTIC;
    w.m->opt.impratio = GRIP;
    w.m->opt.timestep = STEP;
}

static void find_parts(void)
{
    const ff_model *model = w.plant->model;
    const ff_drive_set *drives = w.plant->drives;
    CHECK(drives->n <= MOST_DRIVES);
    for (int i = 0; i < drives->n; i++) {
        w.actuator[i] = mj_name2id(w.m, mjOBJ_ACTUATOR, drives->drives[i].name);
        if (w.actuator[i] < 0) CHECK_FAIL("drive %s has no actuator", drives->drives[i].name);
    }
    w.torso = mj_name2id(w.m, mjOBJ_BODY, model->bodies[w.robot->torso].name);
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        w.foot[f] = mj_name2id(w.m, mjOBJ_BODY, model->bodies[w.robot->feet[f].body].name);
        w.toe[f] = mj_name2id(w.m, mjOBJ_BODY, f == 0 ? "left_toe" : "right_toe");
        CHECK(w.foot[f] > 0 && w.toe[f] > 0);
    }
}

static void open_walker(void)
{
    static bool registered;
    if (!registered) atexit(forget);
    registered = true;
    forget();
    mju_user_warning = print_warning;
    ff_report report = {0};
    ff_error err = {0};
    ff_plant_options options = ff_plant_options_default();
    options.drive.ideal = true;
    options.drive.transmission = FF_TRANSMISSION_RIGID;
    w.spec = ff_spec_create(NULL);
    if (ff_spec_load(w.spec, ROBOT, NULL, &report) != FF_OK) CHECK_FAIL("%s", report.messages[0].text);
    w.plant = ff_plant_compile(w.spec, &options, &report);
    if (!w.plant) CHECK_FAIL("%s", report.messages[0].text);
    w.robot = ff_biped_create(w.plant->model, "stand", &err);
    if (!w.robot) CHECK_FAIL("%s", err.text);
    add_floor(w.spec);
    char *text = ff_spec_format(w.spec, "mjcf", NULL, &report);
    if (!text) CHECK_FAIL("%s", report.messages[report.count - 1].text);
    ff_report_clear(&report);
    w.m = read_mjcf(text);
    free(text);
    w.d = mj_makeData(w.m);
    find_parts();
    set_soles();
}

/// Rotors in the pose of MuJoCo's robot.
static void set_rotors(void)
{
    const ff_model *model = w.plant->model;
    const ff_drive_set *drives = w.plant->drives;
    memcpy(w.m->dof_armature, model->dof_armature, (size_t)model->nv * sizeof(double));
    for (int i = 0; i < drives->n; i++) {
        const ff_drive *drive = &drives->drives[i];
        if (!ff_drive_couples(drive)) continue; // it is armature already
        const ff_drive_position at = ff_drive_path_locate(&drive->path, w.d->qpos, w.d->qvel);
        for (int k = 0; k < drive->path.njoint; k++)
            w.m->dof_armature[drive->path.vadr[k]] += drive->inertia * at.lever[k] * at.lever[k];
    }
}

// ------------------------------------------------------------------------------------------ sensors and servos

/// Sum of the contact forces on a foot with its toe, at the origin of its frame and in its axes.
static void read_foot(int f)
{
    const ff_biped_foot *foot = &w.robot->feet[f];
    const double *R = w.d->xmat + 9 * w.foot[f], *origin = w.d->xpos + 3 * w.foot[f];
    double place[3], sole[9], own[9], sum[6] = {0};
    ff_mat3_mulv(place, R, foot->pos);
    ff_vec3_add(place, place, origin);
    ff_quat_to_mat3(own, foot->quat);
    ff_mat3_mul(sole, R, own);
    for (int i = 0; i < w.d->ncon; i++) {
        const mjContact *c = &w.d->contact[i];
        const int bodies[2] = {w.m->geom_bodyid[c->geom1], w.m->geom_bodyid[c->geom2]};
        double force[6], world[3], away[3], moment[3];
        const bool second = bodies[1] == w.foot[f] || bodies[1] == w.toe[f];
        if (!second && bodies[0] != w.foot[f] && bodies[0] != w.toe[f]) continue;
        mj_contactForce(w.m, w.d, i, force);
        ff_mat3_tmulv(world, c->frame, force); // rows of the frame are its axes, the first from geom1 to geom2
        if (!second) ff_vec3_scale(world, world, -1.0);
        ff_vec3_sub(away, c->pos, place);
        ff_vec3_cross(moment, away, world);
        for (int k = 0; k < 3; k++) {
            sum[k] += world[k];
            sum[3 + k] += moment[k];
        }
    }
    ff_mat3_tmulv(w.measured.foot[f].force, sole, sum);
    ff_mat3_tmulv(w.measured.foot[f].torque, sole, sum + 3);
    w.measured.pad[f] = sum[2] > 0.0;
}

static void feel(void)
{
    const double *R = w.d->xmat + 9 * w.torso;
    w.measured.roll = atan2(R[7], R[8]);
    w.measured.pitch = -asin(R[6]);
    ff_vec3_copy(w.measured.gyro, w.d->qvel + 3); // of a free joint: in the axes of its body
    for (int f = 0; f < FF_BIPED_FEET; f++) read_foot(f);
}

/// kp (x* - x) + kd (v* - v) by an actuator that knows kp (u - x) - kd v.
static void lead(const double *q, const double *v)
{
    for (int i = 0; i < w.plant->drives->n; i++) {
        const ff_drive *drive = &w.plant->drives->drives[i];
        const ff_drive_position at = ff_drive_path_locate(&drive->path, q, v);
        w.d->ctrl[w.actuator[i]] = at.x + drive->kd / drive->kp * at.speed;
    }
}

static void tick(void)
{
    ff_biped_target target;
    double q[FF_BIPED_DOFS + 1], v[FF_BIPED_DOFS];
    feel();
    ff_biped_planner_tick(w.planner, w.d->time, &target);
    ff_biped_stabiliser_tick(w.stabiliser, &w.measured, &target, q, v);
    lead(q, v);
    set_rotors();
}

// ------------------------------------------------------------------------------------------ what MuJoCo has

// The drives of both programs have the same coordinate and levers in random poses: cranks and levers are tendons.
TEST(drives_of_lola_are_the_same_in_mujoco)
{
    open_walker();
    ff_random random = ff_random_make(8, 0);
    const ff_model *model = w.plant->model;
    for (int round = 0; round < 20; round++) {
        mj_resetData(w.m, w.d);
        for (int j = 0; j < model->njoint; j++) {
            const ff_joint *joint = &model->joints[j];
            if (joint->limited) w.d->qpos[joint->qadr] = ff_random_range(&random, joint->range[0], joint->range[1]);
        }
        for (int i = 0; i < model->nv; i++) w.d->qvel[i] = ff_random_range(&random, -1, 1);
        for (int i = 0; i < w.plant->drives->n; i++) {
            const ff_drive *drive = &w.plant->drives->drives[i];
            const ff_drive_position at = ff_drive_path_locate(&drive->path, w.d->qpos, w.d->qvel);
            w.d->ctrl[w.actuator[i]] = at.x + 1e-5; // not at the bound of the force
        }
        mj_forward(w.m, w.d);
        for (int i = 0; i < w.plant->drives->n; i++) {
            const ff_drive *drive = &w.plant->drives->drives[i];
            const ff_drive_position at = ff_drive_path_locate(&drive->path, w.d->qpos, w.d->qvel);
            const int a = w.actuator[i];
            const double bound = w.m->actuator_forcerange[2 * a + 1], wanted = drive->kp * 1e-5 - drive->kd * at.speed;
            // kp up to 5.4e6 N/m times the rounding of lengths near 0.3 m
            CHECK_NEAR(w.d->actuator_force[a], fmax(-bound, fmin(bound, wanted)), 1e-8);
            for (int k = 0; k < drive->path.njoint; k++)
                CHECK_NEAR(w.d->actuator_moment[a * w.m->nv + drive->path.vadr[k]], at.lever[k], 1e-12);
        }
    }
}

// ------------------------------------------------------------------------------------------ the walk

typedef struct walk_result {
    int steps;     // feet put down after they were in the air
    double speed;  // over the last four steps  [m/s]
    double tilt;   // greatest of roll and pitch, either way  [rad]
    double force;  // greatest of a foot  [N]
    double lowest; // of the torso  [m]
} walk_result;

static void begin_walk(double speed)
{
    ff_error err = {0};
    ff_biped_gait gait = ff_biped_gait_default(w.robot);
    ff_biped_gains gains = ff_biped_gains_default(w.robot);
    gait.width = 0.25;
    gains.period = STEP;
    w.planner = ff_biped_planner_create(w.robot, &gait, &err);
    w.stabiliser = w.planner ? ff_biped_stabiliser_create(w.robot, &gains, &err) : NULL;
    if (!w.stabiliser) CHECK_FAIL("%s", err.text);
    const ff_biped_command command = {.speed = speed, .walk = true};
    CHECK(ff_biped_planner_command(w.planner, &command));
    memcpy(w.d->qpos, w.robot->q, (size_t)w.plant->model->nq * sizeof(double));
    w.d->qpos[2] -= 0.5 * w.robot->weight / w.robot->feet[0].stiffness; // stands on its soles
    lead(w.robot->q, w.d->qvel);
    set_rotors();
    mj_forward(w.m, w.d);
}

static walk_result walk(double speed, int steps)
{
    walk_result out = {.lowest = INFINITY};
    double loaded[FF_BIPED_FEET] = {0.0, 0.0}; // when a foot last carried load [s]
    double begin[2] = {0.0, 0.0};              // time and place
    begin_walk(speed);
    while (out.steps < steps && w.d->time < STAND + 0.8 * (steps + 3)) {
        tick();
        mj_step(w.m, w.d);
        out.tilt = fmax(out.tilt, fmax(fabs(w.measured.roll), fabs(w.measured.pitch)));
        out.lowest = fmin(out.lowest, w.d->qpos[2]);
        for (int f = 0; f < FF_BIPED_FEET; f++) {
            const double force = w.measured.foot[f].force[2];
            out.force = fmax(out.force, force);
            if (force < 0.1 * w.robot->weight) continue;
            const bool landed = w.d->time - loaded[f] > 0.3; // half a swing: a foot that bounces makes no step
            loaded[f] = w.d->time;
            if (!landed) continue;
            out.steps++;
            if (out.steps == steps - 4) begin[0] = w.d->time, begin[1] = w.d->qpos[0];
        }
    }
    out.speed = (w.d->qpos[0] - begin[1]) / (w.d->time - begin[0]);
    return out;
}

/// Force that springs of the soles' material would carry at the depths that MuJoCo finds.
static double spring_force(void)
{
    const int sole = ff_spec_find_material(w.spec, "lola-sole");
    double depth = 0.0;
    for (int i = 0; i < w.d->ncon; i++) depth -= w.d->contact[i].dist;
    CHECK(sole >= 0);
    return w.spec->materials[sole].material.normal.stiffness * depth;
}

// Soles give way as their material says: standing, stiffness times depth is the weight.
TEST(soles_in_mujoco_are_springs_of_the_material)
{
    open_walker();
    begin_walk(0.0);
    while (w.d->time < STAND) {
        tick();
        mj_step(w.m, w.d);
    }
    const double carried = w.measured.foot[0].force[2] + w.measured.foot[1].force[2];
    CHECK_INT(w.d->ncon, 48);
    CHECK_NEAR(carried, w.robot->weight, 0.01 * w.robot->weight); // it still sways
    CHECK_NEAR(spring_force(), w.robot->weight, 0.01 * w.robot->weight);
}

TEST(lola_walks_ten_steps_in_mujoco)
{
    open_walker();
    const walk_result r = walk(0.5, CHECK_LASTS(10, 3));
    printf("  %d steps in %.2f s, %.3f m/s, lean at most %.2f degrees, greatest foot force %.0f N, torso at %.3f m or "
           "more\n",
           r.steps, w.d->time, r.speed, r.tilt * 180.0 / FF_PI, r.force, r.lowest);
    CHECK_INT(r.steps, CHECK_LASTS(10, 3));
    // the bands of experiments/lola-walk.yaml, in which it walks at home
    if (r.steps == 10) CHECK_NEAR(r.speed, 0.5, 0.015);
    CHECK_BELOW(r.tilt, 2.0 * FF_PI / 180.0);
    CHECK_BELOW(r.force, 986.0);
}
