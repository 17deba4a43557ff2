// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors of MJCF with MuJoCo 2.2.2 as referee: at random states and commands each reading is the same to 1e-9, with a
// free trunk, a ball joint, hinges, a slide, tendons and a body fixed to the world. Stops, rays and contacts are other
// models here than there: limits have closed forms, a range finder sees the same distances, and a touch sensor counts
// the same contacts as MuJoCo does, by the place and size of its zone.
#include <mujoco/mujoco.h>

#include <footfall/footfall.h>
#include <footfall/math.h>

#include "check.h"
#include "support/mujoco_text.h"
#include "support/random_robot.h"

#define TOLERANCE 1e-9

#define ROBOT                                                                                                          \
    "<compiler angle='radian'/><option magnetic='0.3 -0.4 0.2'/>"                                                      \
    "<worldbody>"                                                                                                      \
    "<body name='post' pos='1 2 0.5' euler='0.2 0.1 0.4'><geom name='mast' type='box' size='.1 .1 .5' mass='3'/>"      \
    "<site name='top' pos='0 0 .5' euler='0 0.7 0'/></body>"                                                           \
    "<body name='trunk' pos='0 0 1'><freejoint/>"                                                                      \
    "<inertial pos='.01 .02 .03' mass='5' diaginertia='.05 .08 .1' euler='.2 .3 -.4'/>"                                \
    "<site name='imu' pos='.1 -.05 .02' euler='0.5 -0.3 1.1'/>"                                                        \
    "<body name='thigh' pos='.1 .2 -.1'><joint name='hip' type='ball'/>"                                               \
    "<geom name='bone' type='capsule' size='.03 .1' pos='0 .01 -.1' euler='.3 0 0' mass='1'/>"                         \
    "<geom type='sphere' size='.05' pos='.05 0 0' mass='.5'/><site name='mid' pos='0 .02 -.1'/>"                       \
    "<body name='shank' pos='0 0 -.25'><joint name='knee' axis='0 1 0'/><joint name='ext' type='slide' axis='0 0 1'/>" \
    "<inertial pos='0 0 -.1' mass='.7' fullinertia='.01 .011 .002 .0005 -.0004 .0003'/>"                               \
    "<site name='foot' pos='.02 .01 -.2' euler='0.1 0.2 0.3'/></body></body></body>"                                   \
    "</worldbody>"                                                                                                     \
    "<tendon><spatial name='string' stiffness='3'><site site='imu'/><site site='foot'/></spatial>"                     \
    "<fixed name='sum'><joint joint='knee' coef='.4'/><joint joint='ext' coef='-.7'/></fixed></tendon>"                \
    "<actuator><position name='servo' joint='knee' kp='30' gear='2'/><motor name='push' joint='ext' gear='-3'/>"       \
    "<motor name='pull' tendon='string' gear='1.5'/></actuator>"

/// All frame sensors on an object, seen from another.
#define FRAMES(tag, object, reference)                                                                                 \
    "<framepos name='pos_" tag "' " object reference "/>"                                                              \
    "<framequat name='quat_" tag "' " object reference "/>"                                                            \
    "<framexaxis name='x_" tag "' " object reference "/>"                                                              \
    "<frameyaxis name='y_" tag "' " object reference "/>"                                                              \
    "<framezaxis name='z_" tag "' " object reference "/>"                                                              \
    "<framelinvel name='lin_" tag "' " object reference "/>"                                                           \
    "<frameangvel name='ang_" tag "' " object reference "/>"
#define RATES(tag, object) "<framelinacc name='lina_" tag "' " object "/><frameangacc name='anga_" tag "' " object "/>"

#define AT_SITE(name)    "objtype='site' objname='" name "'"
#define AT_XBODY(name)   "objtype='xbody' objname='" name "'"
#define AT_BODY(name)    "objtype='body' objname='" name "'"
#define AT_GEOM(name)    "objtype='geom' objname='" name "'"
#define FROM(type, name) " reftype='" type "' refname='" name "'"
#define SUBTREE(name)                                                                                                  \
    "<subtreecom name='com_" name "' body='" name "'/><subtreelinvel name='comv_" name "' body='" name "'/>"           \
    "<subtreeangmom name='comL_" name "' body='" name "'/>"
#define AT(site)                                                                                                       \
    "<gyro name='gyro_" site "' site='" site "'/><accelerometer name='acc_" site "' site='" site "'/>"                 \
    "<velocimeter name='vel_" site "' site='" site "'/><magnetometer name='mag_" site "' site='" site "'/>"            \
    "<force name='force_" site "' site='" site "'/><torque name='torque_" site "' site='" site "'/>"

static const char SENSORS[] = "<mujoco>" ROBOT "<sensor>"                        //
    FRAMES("site", AT_SITE("foot"), "") RATES("site", AT_SITE("foot"))           //
    FRAMES("xbody", AT_XBODY("shank"), "") RATES("xbody", AT_XBODY("shank"))     //
    FRAMES("body", AT_BODY("shank"), "") RATES("body", AT_BODY("shank"))         //
    FRAMES("trunk", AT_BODY("trunk"), "") FRAMES("thigh", AT_BODY("thigh"), "")  //
    FRAMES("geom", AT_GEOM("bone"), "") RATES("geom", AT_GEOM("bone"))           //
    FRAMES("post", AT_BODY("post"), "") RATES("post", AT_SITE("top"))            //
    FRAMES("site_site", AT_SITE("foot"), FROM("site", "imu"))                    //
    FRAMES("site_body", AT_SITE("foot"), FROM("body", "trunk"))                  //
    FRAMES("site_xbody", AT_SITE("imu"), FROM("xbody", "thigh"))                 //
    FRAMES("site_geom", AT_SITE("imu"), FROM("geom", "bone"))                    //
    FRAMES("post_site", AT_XBODY("post"), FROM("site", "foot"))                  //
    FRAMES("site_world", AT_SITE("foot"), FROM("xbody", "world"))                //
    SUBTREE("trunk") SUBTREE("shank") SUBTREE("world")                           //
    AT("imu") AT("foot") AT("mid")                                               //
    "<jointpos name='knee_q' joint='knee'/><jointvel name='ext_v' joint='ext'/>" //
    "<ballquat name='hip_q' joint='hip'/><ballangvel name='hip_w' joint='hip'/>" //
    "<tendonpos name='string_l' tendon='string'/><tendonvel name='string_v' tendon='string'/>"
    "<tendonpos name='sum_l' tendon='sum'/><tendonvel name='sum_v' tendon='sum'/>"
    "<actuatorpos name='servo_l' actuator='servo'/><actuatorvel name='servo_v' actuator='servo'/>"
    "<actuatorfrc name='servo_f' actuator='servo'/><actuatorfrc name='push_f' actuator='push'/>"
    "<actuatorpos name='pull_l' actuator='pull'/><actuatorvel name='pull_v' actuator='pull'/>"
    "<actuatorfrc name='pull_f' actuator='pull'/>"
    "<framelinvel name='cut' objtype='site' objname='foot' cutoff='0.5'/>"
    "<clock name='time'/></sensor></mujoco>";

typedef struct pair {
    ff_plant *plant;
    ff_world *world;
    ff_sim *sim;
    mjModel *theirs;
    mjData *data;
} pair;

static void load(pair *p, const char *xml)
{
    *p = (pair){.theirs = mujoco_of_text(xml)};
    ff_report report = {0};
    ff_plant_options o = ff_plant_options_default();
    ff_spec *spec = ff_spec_create(NULL);
    o.driven = false;
    ff_spec_parse(spec, "mjcf", xml, strlen(xml), "m.xml", NULL, &report);
    for (int i = 0; i < spec->nignored; i++) CHECK_FAIL("left out: %s", spec->ignored[i].what);
    p->plant = report.errors ? NULL : ff_plant_compile(spec, &o, &report);
    if (!p->plant || report.count) CHECK_FAIL("%s", report.count ? report.messages[0].text : "no message");
    ff_report_clear(&report);
    ff_spec_destroy(spec);
    p->data = mj_makeData(p->theirs);
}

static void unload(pair *p)
{
    ff_plant_destroy(p->plant);
    mj_deleteData(p->data);
    mj_deleteModel(p->theirs);
}

/// A simulation that stands at a state, its sensors at their first sample.
static void begin(pair *p, const double *q, const double *v, const double *command, bool world)
{
    ff_error err = {0};
    ff_sim_options o = ff_sim_options_default();
    o.method = FF_METHOD_EULER;
    const ff_world_options w = ff_world_options_default();
    o.actuators = true;
    p->sim = ff_sim_create(p->plant->model, &o, &err);
    p->world = world ? ff_world_create(p->plant->model, &w, NULL) : NULL;
    if (p->world && ff_sim_add_world(p->sim, p->world, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    if (ff_sim_add_plant(p->sim, p->plant, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    ff_sim_set_state(p->sim, q, v);
    for (int i = 0; i < p->plant->model->nactuator; i++) ff_sim_set_command(p->sim, (ff_actuator_id){i}, command[i]);
    if (ff_sim_run(p->sim, 0.0, &err) != FF_OK) CHECK_FAIL("%s", err.text);
}

static void end(pair *p)
{
    ff_sim_destroy(p->sim);
    ff_world_destroy(p->world);
}

static void read_sensor(const pair *p, const char *name, double *out)
{
    const int index = ff_sensor_set_find(p->plant->sensors, name);
    if (index < 0) CHECK_FAIL("no sensor %s", name);
    ff_sim_sensor(p->sim, (ff_sensor_id){index}, out);
}

/// Largest difference; q and -q are one rotation.
static double apart(const double *ours, const double *theirs, int n)
{
    double plus = 0.0, minus = 0.0, size = 1e-2;
    for (int i = 0; i < n; i++) {
        size = fmax(size, fabs(theirs[i]));
        plus = fmax(plus, fabs(ours[i] - theirs[i]));
        minus = fmax(minus, fabs(ours[i] + theirs[i]));
    }
    return (n == 4 ? fmin(plus, minus) : plus) / size;
}

static void compare(const pair *p, int state)
{
    const mjModel *m = p->theirs;
    for (int i = 0; i < m->nsensor; i++) {
        const char *name = mj_id2name(m, mjOBJ_SENSOR, i);
        const double *theirs = p->data->sensordata + m->sensor_adr[i];
        double ours[8] = {0};
        read_sensor(p, name, ours);
        if (!(apart(ours, theirs, m->sensor_dim[i]) <= TOLERANCE))
            CHECK_FAIL("state %d: %s begins %.12g %.12g %.12g, MuJoCo has %.12g %.12g %.12g", state, name, ours[0],
                       ours[1], ours[2], theirs[0], theirs[1], theirs[2]);
    }
}

TEST(readings_agree_at_random_states)
{
    pair p;
    load(&p, SENSORS);
    const ff_model *m = p.plant->model;
    p.theirs->opt.disableflags |= mjDSBL_CONTACT;
    CHECK_INT(p.plant->sensors->n, p.theirs->nsensor);
    ff_random random = ff_random_make(21, 0);
    ff_data *d = ff_data_create(m, NULL);
    double command[3];
    for (int k = 0; k < 10; k++) {
        random_state(m, d, &random);
        random_vector(&random, command, 3, 2.0);
        memcpy(p.data->qpos, d->q, sizeof(double) * (size_t)m->nq);
        memcpy(p.data->qvel, d->v, sizeof(double) * (size_t)m->nv);
        memcpy(p.data->ctrl, command, sizeof command);
        mj_forward(p.theirs, p.data);
        begin(&p, d->q, d->v, command, false);
        compare(&p, k);
        end(&p);
    }
    ff_data_destroy(d);
    unload(&p);
}

// A heavy ball in the ground: contacts have other laws there, so the loads differ, but a zone counts a contact here
// exactly where MuJoCo counts it.
#define BALL(zone)                                                                                                     \
    "<mujoco><worldbody><geom type='plane' size='5 5 .1'/><body pos='0 0 .0999'><freejoint/>"                          \
    "<geom type='sphere' size='.1' mass='2'/><site name='s' " zone "/></body></worldbody>"                             \
    "<sensor><touch name='t' site='s'/></sensor></mujoco>"

TEST(touch_counts_the_contacts_that_mujoco_counts)
{
    static const char *const files[] = {
        BALL("type='sphere' size='.01' pos='0 0 -.1'"),   // about the contact
        BALL("type='sphere' size='.01' pos='0 0 -.13'"),  // below it
        BALL("type='sphere' size='.01' pos='0 0 -.05'"),  // above it
        BALL("type='sphere' size='.01' pos='.05 0 -.1'"), // beside it
        BALL("type='box' size='.06 .01 .01' pos='.05 0 -.1'"),
        BALL("type='capsule' size='.02 .05' pos='0 .01 0'"),
        BALL("type='ellipsoid' size='.05 .05 .2'"),
        BALL("type='cylinder' size='.02' fromto='0 0 -.3 0 0 -.2'"),
    };
    int counted = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        pair p;
        double ours[2];
        load(&p, files[i]);
        for (int k = 0; k < 3; k++) mj_forward(p.theirs, p.data);
        begin(&p, p.data->qpos, p.data->qvel, NULL, true);
        read_sensor(&p, "t", ours);
        const bool theirs = p.data->sensordata[0] > 0.0;
        if ((ours[1] > 0.0) != theirs || (ours[0] > 0.0) != theirs)
            CHECK_FAIL("zone %d: %g N here, %g N there", (int)i, ours[1], p.data->sensordata[0]);
        counted += theirs;
        end(&p);
        unload(&p);
    }
    CHECK(counted > 1 && counted < 8);
}

TEST(a_range_finder_sees_what_mujoco_sees)
{
    pair p;
    double ours[2];
    load(&p, "<mujoco><worldbody><geom type='plane' size='5 5 .1'/><geom type='box' size='.2 .3 .4' pos='1 0 1'/>"
             "<body pos='0 0 .7' euler='0 3 4'><freejoint/><geom type='sphere' size='.1'/>"
             "<site name='down' euler='180 0 0'/><site name='ahead' euler='0 90 0' pos='.1 0 0'/>"
             "<site name='up'/></body></worldbody>"
             "<sensor><rangefinder name='down' site='down'/><rangefinder name='ahead' site='ahead'/>"
             "<rangefinder name='up' site='up'/><rangefinder name='cut' site='down' cutoff='.3'/></sensor></mujoco>");
    mj_forward(p.theirs, p.data);
    begin(&p, p.data->qpos, p.data->qvel, NULL, true);
    compare(&p, 0);
    read_sensor(&p, "up", ours);
    CHECK(ours[0] == -1.0);
    end(&p);
    unload(&p);
}

// Stops are springs here. Depth and speed are MuJoCo's, the force is k depth - c speed.
TEST(limits_are_read_while_they_are_pressed)
{
    static const char xml[] =
        "<mujoco><compiler angle='radian'/><option gravity='0 0 0'/><worldbody>"
        "<body><joint name='h' axis='0 1 0' limited='true' range='-1 1'/><geom size='.1' pos='.2 0 0'/><site name='b' "
        "pos='.3 0 .1'/>"
        "<body pos='.3 0 0'><joint name='b' type='ball' limited='true' range='0 .5'/><geom size='.05'/></body></body>"
        "</worldbody><tendon><fixed name='t' limited='true' range='-.4 .4'><joint joint='h' coef='.5'/></fixed>"
        "</tendon><sensor><jointlimitpos name='hp' joint='h'/><jointlimitvel name='hv' joint='h'/>"
        "<jointlimitfrc name='hf' joint='h'/><jointlimitpos name='bp' joint='b'/><jointlimitvel name='bv' joint='b'/>"
        "<jointlimitfrc name='bf' joint='b'/><tendonlimitpos name='tp' tendon='t'/>"
        "<tendonlimitvel name='tv' tendon='t'/><tendonlimitfrc name='tf' tendon='t'/></sensor></mujoco>";
    static const double angles[3] = {1.1, -1.2, 0.3}, turns[3] = {0.7, 0.7, 0.1};
    pair p;
    load(&p, xml);
    const ff_joint *hinge = &p.plant->model->joints[0], *ball = &p.plant->model->joints[1];
    const ff_tendon *tendon = &p.plant->model->tendons[0];
    for (int k = 0; k < 3; k++) {
        const double half[1] = {0.5 * turns[k]}, v[4] = {0.01, 0.02, -0.03, 0.004};
        double s[1], c[1], force;
        ff_sincos(half, s, c, 1);
        const double q[5] = {angles[k], c[0], 0.6 * s[0], 0.8 * s[0], 0.0};
        memcpy(p.data->qpos, q, sizeof q);
        memcpy(p.data->qvel, v, sizeof v);
        mj_forward(p.theirs, p.data);
        begin(&p, q, v, NULL, false);
        static const char *const both[] = {"hp", "hv", "bp", "bv", "tp", "tv"};
        for (int i = 0; i < 6; i++) {
            double ours;
            const double *theirs =
                p.data->sensordata + p.theirs->sensor_adr[mj_name2id(p.theirs, mjOBJ_SENSOR, both[i])];
            read_sensor(&p, both[i], &ours);
            if (!(fabs(ours - *theirs) < 1e-12)) CHECK_FAIL("state %d: %s: %g, MuJoCo %g", k, both[i], ours, *theirs);
        }
        double depth = fabs(angles[k]) - 1.0, speed = angles[k] > 0 ? -v[0] : v[0];
        read_sensor(&p, "hf", &force);
        CHECK_NEAR(force, depth > 0 ? hinge->stop_stiffness * depth - hinge->stop_damping * speed : 0.0, 1e-9);
        depth = 0.5 * fabs(angles[k]) - 0.4;
        read_sensor(&p, "tf", &force);
        CHECK_NEAR(force, depth > 0 ? tendon->stop_stiffness * depth - tendon->stop_damping * 0.5 * speed : 0.0, 1e-9);
        depth = turns[k] - 0.5;
        speed = -(0.6 * v[1] + 0.8 * v[2]);
        read_sensor(&p, "bf", &force);
        CHECK_NEAR(force, depth > 0 ? ball->stop_stiffness * depth - ball->stop_damping * speed : 0.0, 1e-9);
        end(&p);
    }
    unload(&p);
}

// MuJoCo 2.2.2 reads 9.81 m/s^2 of a fixed body, later versions 0. A device screwed to a wall feels the wall: 9.81.
TEST(an_accelerometer_on_a_fixed_body_feels_its_weight)
{
    pair p;
    double ours[3];
    load(&p, "<mujoco><worldbody><body name='wall' euler='90 0 0'><geom size='.1'/><site name='s'/></body>"
             "<body pos='1 0 0'><joint/><geom size='.1'/></body></worldbody>"
             "<sensor><accelerometer name='a' site='s'/></sensor></mujoco>");
    begin(&p, (double[]){0}, (double[]){0}, NULL, false);
    read_sensor(&p, "a", ours);
    CHECK_NEAR(ours[0], 0.0, 1e-12);
    CHECK_NEAR(ours[1], 9.81, 1e-12);
    CHECK_NEAR(ours[2], 0.0, 1e-12);
    end(&p);
    unload(&p);
}

// All actuators of a joint or a tendon together: MuJoCo has these two from version 3 on, so by their own forces.
TEST(forces_of_all_actuators_of_a_joint_add_up)
{
    pair p = {0};
    static const char xml[] =
        "<mujoco><worldbody><body><joint name='j' axis='0 1 0'/><geom size='.1'/></body></worldbody>"
        "<tendon><fixed name='t'><joint joint='j' coef='2'/></fixed></tendon>"
        "<actuator><motor joint='j' gear='3'/><motor joint='j' gear='-2' forcerange='-1 1'/><motor tendon='t' "
        "gear='5'/>"
        "</actuator><sensor><jointactuatorfrc name='j' joint='j'/><tendonactuatorfrc name='t' tendon='t'/></sensor>"
        "</mujoco>";
    ff_plant_options o = ff_plant_options_default();
    ff_report report = {0};
    ff_spec *spec = ff_spec_create(NULL);
    o.driven = false;
    CHECK_INT(ff_spec_parse(spec, "mjcf", xml, strlen(xml), "m.xml", NULL, &report), FF_OK);
    p.plant = ff_plant_compile(spec, &o, &report);
    ff_spec_destroy(spec);
    begin(&p, (double[]){0}, (double[]){0}, (double[]){0.7, 4.0, 0.3}, false);
    double force;
    read_sensor(&p, "j", &force);
    CHECK_NEAR(force, 3 * 0.7 - 2 * 1.0, 1e-12);
    read_sensor(&p, "t", &force);
    CHECK_NEAR(force, 5 * 0.3, 1e-12);
    end(&p);
    ff_report_clear(&report);
    ff_plant_destroy(p.plant);
}
