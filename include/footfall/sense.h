// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors: what they would measure were they perfect, by type, and the set of all sensors of a model, each behind a
// chain of errors (footfall/signal.h). The room knows no simulation: a view holds what sensors measure.
// footfall/plant.h makes the set and joins it to a simulation; docs/sensors.md is the manual.
#ifndef FOOTFALL_SENSE_H
#define FOOTFALL_SENSE_H

#include <footfall/collide.h>
#include <footfall/dyn.h>
#include <footfall/signal.h>

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------ what sensors measure

/// A point where two shapes press on each other. Its vectors belong to the caller.
typedef struct ff_sense_contact {
    int body1, body2;     // -1: fixed to the world
    int shape1, shape2;   // in ff_sense_view.shapes
    const double *place;  // world                                [m]
    const double *normal; // unit, from 1 to 2
    const double *force;  // on 2, world axes                     [N]
    const double *moment; // on 2, about the place                [N m]
} ff_sense_contact;

/// What a loop closure does: force and moment on body 2 at its end, the opposite on body 1 at its own.
typedef struct ff_sense_loop_force {
    int body1, body2;            // -1: fixed to the world
    double place1[3], place2[3]; // its ends, world             [m]
    double force[3], moment[3];  // on 2, world axes            [N, N m]
} ff_sense_loop_force;

/// A shape that rays can meet.
typedef struct ff_sense_shape {
    const ff_collider *collider;
    ff_pose pose;           // world
    double low[3], high[3]; // box around it, world  [m]
    int body;               // -1: fixed to the world
    const char *name;
    float colour[3]; // 0 to 1
} ff_sense_shape;

/// The state of the world at one instant, filled by the caller. Only the model and its data are always needed.
typedef struct ff_sense_view {
    const ff_model *model;
    const ff_data *data; // poses and velocities; qacc for accelerometers, forces and torques
    const double *other; // external wrenches on nodes without those of contacts: ff_data.applied; NULL: none  (6*nnode)
    const ff_sense_contact *contacts;
    int ncontact;
    const ff_sense_loop_force *loop_forces;
    int nloop_force;
    const ff_sense_shape *shapes;
    int nshape;
    const bool *named;     // for each sensor that names shapes: is it this one?  (ff_sensor_set.nnamed rows of nshape)
    const double *motor;   // angle of the motor of each joint, NULL or NaN: position times gear     [rad] (njoint)
    const double *current; // of this motor, NULL: none                                                [A] (njoint)
    const double *deflection; // of the elasticity between this motor and the joint, NULL: none      [rad, m] (njoint)
    const double *actuator;   // force of each actuator before its gear, NULL: none               [N m, N] (nactuator)
} ff_sense_view;

// ------------------------------------------------------------------------------------------ sensors

typedef enum ff_sensor_type {
    FF_SENSOR_POTENTIOMETER, // joint position
    FF_SENSOR_TACHOMETER,    // joint speed
    FF_SENSOR_ENCODER,       // incremental, on the motor: count from the start, count at the last index mark, mark seen
    FF_SENSOR_ABSOLUTE,      // joint position within one turn
    FF_SENSOR_CURRENT,       // of the motor of a joint
    FF_SENSOR_DEFLECTION,    // of the elasticity between the motor, after its gear, and the joint
    FF_SENSOR_TORQUE,        // about (or along) a joint's axis, through its bearing
    FF_SENSOR_GYRO,          // angular velocity in the sensor's axes
    FF_SENSOR_ACCELEROMETER, // acceleration less gravity in the sensor's axes: +g upward at rest
    FF_SENSOR_ATTITUDE,      // roll and pitch
    FF_SENSOR_IMU,           // gyro, accelerometer, roll and pitch
    FF_SENSOR_FORCE,         // three forces through a cut, in the sensor's axes
    FF_SENSOR_FORCE6,        // three forces and three moments about its origin
    FF_SENSOR_SWITCH,        // closed by a force, unless the pad lies inclined to the surface
    FF_SENSOR_TOUCH,         // touched or not, and how hard
    FF_SENSOR_DISTANCE,      // to the nearest shape along a ray or in a cone; anything there
    FF_SENSOR_PLATE,         // force and moment on a shape, in the sensor's axes
    FF_SENSOR_TACTILE,       // pressure on each taxel, then contact of each
    FF_SENSOR_CAMERA,        // a picture, see footfall/camera.h
    FF_SENSOR_REACTION,      // three forces on what is below the cut: those of FORCE with the opposite sign
    FF_SENSOR_REACTION_MOMENT, // three moments on what is below the cut, about the sensor's origin
    // MJCF's own
    FF_SENSOR_RANGEFINDER, // distance along z, -1: nothing there
    FF_SENSOR_FRAMEPOS,    // of a frame, in the world or as another frame sees it: place, rotation, axes
    FF_SENSOR_FRAMEQUAT,
    FF_SENSOR_FRAMEXAXIS,
    FF_SENSOR_FRAMEYAXIS,
    FF_SENSOR_FRAMEZAXIS,
    FF_SENSOR_FRAMELINVEL, // and their rates
    FF_SENSOR_FRAMEANGVEL,
    FF_SENSOR_FRAMELINACC, // less gravity, world axes
    FF_SENSOR_FRAMEANGACC,
    FF_SENSOR_VELOCIMETER,   // velocity in the sensor's axes
    FF_SENSOR_MAGNETOMETER,  // magnetic flux in the sensor's axes
    FF_SENSOR_SUBTREECOM,    // of a body with all that hangs on it: centre of mass, its velocity,
    FF_SENSOR_SUBTREELINVEL, //
    FF_SENSOR_SUBTREEANGMOM, // angular momentum about it
    FF_SENSOR_BALLQUAT,      // of a ball joint
    FF_SENSOR_BALLANGVEL,
    FF_SENSOR_TENDONPOS, // length of a tendon and its rate
    FF_SENSOR_TENDONVEL,
    FF_SENSOR_ACTUATORPOS, // gear times position or length, its rate, force before the gear
    FF_SENSOR_ACTUATORVEL,
    FF_SENSOR_ACTUATORFRC,
    FF_SENSOR_JOINTACTUATORFRC, // of all actuators of a joint, a tendon
    FF_SENSOR_TENDONACTUATORFRC,
    FF_SENSOR_JOINTLIMITPOS, // while a limit is pressed: distance to it (below 0), its rate, force; otherwise 0
    FF_SENSOR_JOINTLIMITVEL,
    FF_SENSOR_JOINTLIMITFRC,
    FF_SENSOR_TENDONLIMITPOS,
    FF_SENSOR_TENDONLIMITVEL,
    FF_SENSOR_TENDONLIMITFRC,
    FF_SENSOR_CLOCK, // time of the simulation
    FF_SENSOR_COUNT
} ff_sensor_type;

struct ff_tactile;
struct ff_camera;
struct ff_fusion;
struct ff_sensor_slot;

/// Reference frame of a measurement.
typedef struct ff_sensor_reference {
    int body;            // -1: the world
    double pos[3], R[9]; // in the body's frame
} ff_sensor_reference;

typedef struct ff_sensor {
    const char *name;
    ff_sensor_type type;
    ff_chain chain;
    ff_signal *signals; // of the chain  (chain.n)
    // where it sits
    int joint;                      // -1: none
    bool slides;                    // the joint is a slide: m where others measure rad
    int tendon;                     // -1: none
    int actuator;                   // -1: none
    int body;                       // -1: the world
    double pos[3], R[9];            // its frame in the body's
    ff_sensor_reference *reference; // frames: seen from here, NULL: from the world
    int *below;                     // bodies below the cut of a force sensor, or of a subtree; that of the sensor first
    int nbelow;
    bool part;           // the cut lies inside its body: only `mass` and the shapes of the body are below
    double mass, com[3]; // of that part, com in the sensor's frame   [kg, m]
    const char *shape;   // touch, switch, plate: this shape alone, NULL: all of the body
    int named;           // which row of ff_sense_view.named that is, -1: none
    // numbers by type
    int axes;           // gyro, accelerometer: 1 to 3
    double gear;        // encoder: turns of the motor for one of the joint
    double threshold;   // touch, switch                            [N]
    ff_collider *zone;  // touch: contacts here alone, NULL: all of the body
    double flux[3];     // magnetometer: of the world
    double inclination; // switch: most angle between pad (z axis) and surface  [rad]
    double reach[2];    // distance: nearest and farthest           [m]
    double cone;        // half its opening angle, 0: one ray       [rad]
    int rays;           // in the cone
    struct ff_tactile *tactile;
    struct ff_camera *camera;
    struct ff_fusion *fusion; // imu, attitude: roll and pitch are estimated; NULL: the true angles enter the chain
    ff_chain *inner;          // with `fusion`: errors of gyroscope and accelerometer before the estimate
    ff_place place;
} ff_sensor;

/// The reading of a perfect sensor. @param memory  of encoders and tactile arrays (the rest of the sensor's memory)
FF_API void ff_sensor_truth(const ff_sensor *sensor, const ff_sense_view *view, double *memory, double t, double *out);

// ------------------------------------------------------------------------------------------ all sensors of a model

typedef struct ff_sensor_options {
    unsigned stages; // of all chains; FF_STAGES_NONE: perfect sensors
    bool cameras;    // make cameras too
    double step;     // of a fixed-step method: rates that are no multiple get a note; 0: none  [s]
} ff_sensor_options;
/// All stages, cameras, no step.
FF_API ff_sensor_options ff_sensor_options_default(void);

/// Sensors of a model as numbers. Nothing here changes: any number of simulations and threads share it.
typedef struct ff_sensor_set {
    ff_arena arena;        // owns every array below
    const ff_model *model; // borrowed
    const ff_sensor *sensors;
    const struct ff_sensor_slot *slots; // where each keeps its memory, internal  (n)
    int n;
    int nnamed;         // how many of them name a shape
    size_t memory_size; // of all of them: plain data, saved as it is  [byte]
} ff_sensor_set;

/// -1 when there is none of that name.
FF_API int ff_sensor_set_find(const ff_sensor_set *set, const char *name);

/// Most channels of one sensor.
enum { FF_SENSOR_CHANNELS_MAX = 1200 };

#ifdef __cplusplus
}
#endif
#endif
