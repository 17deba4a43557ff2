// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sim: wrenches, torques of joints, actuators, drives, sensors. Names are looked up in the model first, because the
// library would remember a wrong name and refuse every later run.
#include "sim.h"

#include <string.h>

static const field drive_fields[] = {
    NUMBER(ff_drive_flow, force, "on the path to the joints [N m, N]"),
    NUMBER(ff_drive_flow, motor_torque, "on the motor shaft; after the gear for ideal and servo [N m]"),
    NUMBER(ff_drive_flow, motor_speed, "likewise [rad/s]"),
    NUMBER(ff_drive_flow, current, "torque-making [A]"),
    NUMBER(ff_drive_flow, voltage, "[V]"),
    NUMBER(ff_drive_flow, electrical, "power taken from the supply [W]"),
    NUMBER(ff_drive_flow, mechanical, "power given to the joints [W]"),
    NUMBER(ff_drive_flow, copper, "lost in copper [W]"),
    NUMBER(ff_drive_flow, loss, "all that became heat [W]"),
    NUMBER(ff_drive_flow, stored, "in springs, rotor and inductance [J]"),
    {.kind = FIELD_END},
};

static PyTypeObject *drive_type;

bool sim_plant_add(PyObject *module)
{
    drive_type = record_add(module, "footfall.DriveFlow", "What flows through a drive, of Sim.drives.", drive_fields);
    return drive_type;
}

// ------------------------------------------------------------------------------------------ wrenches

static const char apply_doc[] = "apply($self, body, force=None, moment=None, at=None, axes='world')\n--\n\n"
                                "Applies a force and a moment to a body until the next call, which replaces them; "
                                "without force and moment it ends\n"
                                "them.\n\n"
                                "force   (3) [N]\n"
                                "moment  (3) [N m]\n"
                                "at      point at which the force acts, in the body's frame; None: its origin (3) [m]\n"
                                "axes    axes of force and moment: 'world', or 'body', so that they turn with it";

static bool read_vector(PyObject *value, const char *name, double out[3], const double **chosen)
{
    *chosen = value == Py_None ? NULL : out;
    return value == Py_None || read_numbers(value, name, 3, out);
}

static PyObject *apply(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"body", "force", "moment", "at", "axes", NULL};
    PyObject *which, *given[3] = {Py_None, Py_None, Py_None};
    const char *axes = "world";
    double vectors[3][3];
    const double *chosen[3];
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|OOOs:apply", names, &which, &given[0], &given[1], &given[2],
                                     &axes))
        return NULL;
    for (int i = 0; i < 3; i++)
        if (!read_vector(given[i], names[i + 1], vectors[i], &chosen[i])) return NULL;
    const bool turning = strcmp(axes, "body") == 0;
    if (!turning && strcmp(axes, "world") != 0)
        return raise_status(FF_BAD_ARGUMENT, "axes is '%.40s': it must be 'world' or 'body'", axes);
    const int body = sim_body(self, which);
    ff_sim *sim = body >= 0 ? sim_at(self, FF_SIM_NOTHING) : NULL;
    if (!sim) return NULL;
    ff_sim_apply(sim, (ff_body_id){body}, chosen[0], chosen[1], chosen[2], turning ? FF_AXES_BODY : FF_AXES_WORLD);
    Py_RETURN_NONE;
}

static const char set_mocap_doc[] = "set_mocap($self, body, pos=None, quat=None)\n--\n\n"
                                    "Moves a mocap body and all bodies fixed to it. Contacts depend on its new pose; "
                                    "it has no velocity.\n\n"
                                    "pos   of its frame, in the world; None: unchanged (3) [m]\n"
                                    "quat  w, x, y, z; None: unchanged (4)";

static PyObject *set_mocap(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"body", "pos", "quat", NULL};
    PyObject *which, *given[2] = {Py_None, Py_None};
    double pos[3], quat[4];
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|OO:set_mocap", names, &which, &given[0], &given[1])) return NULL;
    if (given[0] != Py_None && !read_numbers(given[0], "pos", 3, pos)) return NULL;
    if (given[1] != Py_None && !read_numbers(given[1], "quat", 4, quat)) return NULL;
    const int body = sim_body(self, which);
    ff_sim *sim = body >= 0 ? sim_at(self, FF_SIM_NOTHING) : NULL;
    if (!sim) return NULL;
    const ff_model *m = ff_sim_model(sim);
    if (m->bodies[body].mocap < 0 || m->mocaps[m->bodies[body].mocap] != body)
        return raise_status(FF_BAD_ARGUMENT, "body '%s' is no mocap body: its file must say mocap=\"true\"",
                            m->bodies[body].name);
    if (given[1] != Py_None && quat[0] == 0.0 && quat[1] == 0.0 && quat[2] == 0.0 && quat[3] == 0.0)
        return raise_status(FF_BAD_ARGUMENT, "quat is zero: it must be a rotation");
    ff_sim_set_mocap(sim, (ff_body_id){body}, given[0] == Py_None ? NULL : pos, given[1] == Py_None ? NULL : quat);
    Py_RETURN_NONE;
}

// ------------------------------------------------------------------------------------------ joints and actuators

static const char *joint_name(const void *model, int i)
{
    return ((const ff_model *)model)->joints[i].name;
}

static const char *actuator_name(const void *model, int i)
{
    return ((const ff_model *)model)->actuators[i].name;
}

/// Number of a hinge or slide. @return -1 with an exception
static int find_joint(PyObject *self, PyObject *name)
{
    ff_sim *sim = sim_at(self, FF_SIM_NOTHING);
    if (!sim) return -1;
    const ff_model *m = ff_sim_model(sim);
    const int joint = find_name(name, "joint", joint_name, m, m->njoint);
    if (joint < 0 || ff_joint_is_scalar(m->joints[joint].type)) return joint;
    raise_status(FF_BAD_ARGUMENT, "joint '%s' is a %s joint: its numbers are in q, v and torques from %d and %d on",
                 m->joints[joint].name, ff_joint_name(m->joints[joint].type), m->joints[joint].qadr,
                 m->joints[joint].vadr);
    return -1;
}

static const char joint_doc[] =
    "joint($self, name)\n--\n\nPosition [rad, m] and speed [rad/s, m/s] of a hinge or slide, as two floats.";

static PyObject *joint(PyObject *self, PyObject *name)
{
    const int i = find_joint(self, name);
    if (i < 0) return NULL;
    const ff_sim *sim = ((sim_object *)self)->sim;
    return Py_BuildValue("dd", ff_sim_joint_position(sim, (ff_joint_id){i}), ff_sim_joint_speed(sim, (ff_joint_id){i}));
}

static const char set_torque_doc[] =
    "set_torque($self, joint, torque)\n--\n\nTorque [N m] or force [N] on a hinge or slide, held until set again.";

static PyObject *set_torque(PyObject *self, PyObject *args)
{
    PyObject *name, *value;
    double torque;
    if (!PyArg_ParseTuple(args, "OO:set_torque", &name, &value) || !read_number(value, "torque", &torque)) return NULL;
    const int i = find_joint(self, name);
    if (i < 0) return NULL;
    ff_sim_set_joint_torque(((sim_object *)self)->sim, (ff_joint_id){i}, torque);
    Py_RETURN_NONE;
}

static const char command_doc[] =
    "command($self, actuator, value)\n--\n\n"
    "Command of an actuator of the model (MJCF), held until set again. Needs actuators=True.";

static PyObject *command(PyObject *self, PyObject *args)
{
    PyObject *name, *value;
    double number;
    if (!PyArg_ParseTuple(args, "OO:command", &name, &value) || !read_number(value, "value", &number)) return NULL;
    ff_sim *sim = sim_at(self, FF_SIM_NOTHING);
    if (!sim) return NULL;
    const ff_model *m = ff_sim_model(sim);
    const int i = find_name(name, "actuator", actuator_name, m, m->nactuator);
    if (i < 0) return NULL;
    if (!ff_sim_get_options(sim)->actuators)
        return raise_status(FF_BAD_ARGUMENT, "the actuators do not act: make the Sim with actuators=True");
    ff_sim_set_command(sim, (ff_actuator_id){i}, number);
    Py_RETURN_NONE;
}

// ------------------------------------------------------------------------------------------ drives

static const char *drive_name(const void *set, int i)
{
    return ((const ff_drive_set *)set)->drives[i].name;
}

static int find_drive(PyObject *self, PyObject *name)
{
    ff_sim *sim = sim_at(self, FF_SIM_NOTHING);
    if (!sim) return -1;
    const ff_drive_set *set = ff_sim_drives(sim);
    return find_name(name, "drive", drive_name, set, set ? set->n : 0);
}

static const char command_drive_doc[] =
    "command_drive($self, drive, position=0.0, speed=0.0, force=0.0)\n--\n\n"
    "New references of a drive [rad, rad/s, N m or m, m/s, N], held until set again. Needs a model with drives=True.";

static PyObject *command_drive(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"drive", "position", "speed", "force", NULL};
    PyObject *name, *given[3] = {NULL, NULL, NULL};
    double values[3] = {0.0, 0.0, 0.0};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|OOO:command_drive", names, &name, &given[0], &given[1],
                                     &given[2]))
        return NULL;
    for (int i = 0; i < 3; i++)
        if (given[i] && !read_number(given[i], names[i + 1], &values[i])) return NULL;
    const int drive = find_drive(self, name);
    if (drive < 0) return NULL;
    ff_sim_drive_command(((sim_object *)self)->sim, (ff_drive_id){drive}, values[0], values[1], values[2]);
    Py_RETURN_NONE;
}

static const char switch_drive_doc[] =
    "switch_drive($self, drive, on)\n--\n\nSwitches a drive on or off; without power its rotor turns freely.";

static PyObject *switch_drive(PyObject *self, PyObject *args)
{
    PyObject *name;
    int on;
    if (!PyArg_ParseTuple(args, "Op:switch_drive", &name, &on)) return NULL;
    const int drive = find_drive(self, name);
    if (drive < 0) return NULL;
    ff_sim_switch_drive(((sim_object *)self)->sim, (ff_drive_id){drive}, on);
    Py_RETURN_NONE;
}

static PyObject *get_drives(PyObject *self, void *unused)
{
    (void)unused;
    ff_sim *sim = sim_at(self, FF_SIM_FORCES);
    if (!sim) return NULL;
    const ff_drive_set *set = ff_sim_drives(sim);
    PyObject *dict = PyDict_New();
    for (int i = 0; dict && set && i < set->n; i++) {
        const ff_drive_flow flow = ff_sim_drive_flow(sim, (ff_drive_id){i});
        PyObject *record = record_make(drive_type, drive_fields, &flow, (naming){0});
        if (!record || PyDict_SetItemString(dict, set->drives[i].name, record) < 0) Py_CLEAR(dict);
        Py_XDECREF(record);
    }
    return dict;
}

// ------------------------------------------------------------------------------------------ sensors

static const char *sensor_name(const void *set, int i)
{
    return ((const ff_sensor_set *)set)->sensors[i].name;
}

static PyObject *read_sensor(ff_sim *sim, int i, double *stamp)
{
    double *values;
    PyObject *array = array_new(ff_sim_sensors(sim)->sensors[i].chain.n, ONE_DIMENSION, &values);
    if (array) *stamp = ff_sim_sensor(sim, (ff_sensor_id){i}, values);
    return array;
}

static const char sensor_doc[] =
    "sensor($self, name)\n--\n\n"
    "Latest sample of a sensor after its delay: (values, time of the sample [s], below zero "
    "before the first run).\n"
    "Needs a model with sensors=True.";

static PyObject *sensor(PyObject *self, PyObject *name)
{
    ff_sim *sim = sim_at(self, FF_SIM_NOTHING);
    if (!sim) return NULL;
    const ff_sensor_set *set = ff_sim_sensors(sim);
    const int i = find_name(name, "sensor", sensor_name, set, set ? set->n : 0);
    double stamp = 0.0;
    PyObject *values = i >= 0 ? read_sensor(sim, i, &stamp) : NULL;
    return values ? Py_BuildValue("Nd", values, stamp) : NULL;
}

static PyObject *get_sensors(PyObject *self, void *unused)
{
    (void)unused;
    ff_sim *sim = sim_at(self, FF_SIM_NOTHING);
    if (!sim) return NULL;
    const ff_sensor_set *set = ff_sim_sensors(sim);
    PyObject *dict = PyDict_New();
    double stamp;
    for (int i = 0; dict && set && i < set->n; i++) {
        PyObject *values = read_sensor(sim, i, &stamp);
        if (!values || PyDict_SetItemString(dict, set->sensors[i].name, values) < 0) Py_CLEAR(dict);
        Py_XDECREF(values);
    }
    return dict;
}

PyMethodDef sim_plant_methods[] = {
    {"apply", FUNCTION(apply), METH_VARARGS | METH_KEYWORDS, apply_doc},
    {"set_mocap", FUNCTION(set_mocap), METH_VARARGS | METH_KEYWORDS, set_mocap_doc},
    {"joint", joint, METH_O, joint_doc},
    {"set_torque", set_torque, METH_VARARGS, set_torque_doc},
    {"command", command, METH_VARARGS, command_doc},
    {"command_drive", FUNCTION(command_drive), METH_VARARGS | METH_KEYWORDS, command_drive_doc},
    {"switch_drive", switch_drive, METH_VARARGS, switch_drive_doc},
    {"sensor", sensor, METH_O, sensor_doc},
    {NULL, NULL, 0, NULL},
};

PyGetSetDef sim_plant_attributes[] = {
    {"drives", get_drives, NULL, "What flows through each drive now, by name: footfall.DriveFlow.", NULL},
    {"sensors", get_sensors, NULL, "What each sensor shows now, by name: new arrays.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
