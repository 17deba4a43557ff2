// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sim: the equation of motion at the present state,
//     M(q) qacc + bias(q, v) = tau
// poses, Jacobians, momentum, and the linearisation. Mass matrix and bias are computed in scratch data of the Sim: the
// data of the simulation belongs to its method.
#include "sim.h"

#include <string.h>

static PyObject *vector(const double *numbers, Py_ssize_t count)
{
    return array_copy(numbers, count);
}

/// @return scratch data at the present state, with the rotors of the drives; NULL with an exception
static ff_data *scratch_at_state(PyObject *self)
{
    sim_object *s = (sim_object *)self;
    ff_sim *sim = sim_at(self, FF_SIM_VELOCITY);
    ff_error err = {0};
    if (!sim) return NULL;
    const ff_model *m = ff_sim_model(sim);
    if (!s->scratch && !(s->scratch = ff_data_create(m, &err))) return raise_error(&err), NULL;
    const ff_data *d = ff_sim_data(sim);
    memcpy(s->scratch->q, ff_sim_q(sim), (size_t)m->nq * sizeof(double));
    memcpy(s->scratch->v, ff_sim_v(sim), (size_t)m->nv * sizeof(double));
    s->scratch->rotors = d->rotors;
    s->scratch->nrotor = d->nrotor;
    ff_dyn_kinematics(m, s->scratch);
    ff_dyn_velocity(m, s->scratch);
    return s->scratch;
}

static const char mass_matrix_doc[] =
    "mass_matrix($self)\n--\n\n"
    "M(q), armature and rotors included: a new array (nv, nv), symmetric [kg, kg m, kg m^2].";

static PyObject *mass_matrix(PyObject *self, PyObject *unused)
{
    (void)unused;
    ff_data *d = scratch_at_state(self);
    if (!d) return NULL;
    const ff_model *m = ff_sim_model(((sim_object *)self)->sim);
    double *numbers;
    PyObject *array = array_new(m->nv, m->nv, &numbers);
    if (!array) return NULL;
    ff_dyn_mass(m, d);
    ff_dyn_mass_expand(m, d, numbers);
    return array;
}

static const char bias_doc[] = "bias($self)\n--\n\n"
                               "Forces that hold the accelerations at zero (Coriolis, centrifugal, gravity): bias in M "
                               "qacc + bias = tau. A new array\n"
                               "(nv) [N, N m].";

static PyObject *bias(PyObject *self, PyObject *unused)
{
    (void)unused;
    ff_data *d = scratch_at_state(self);
    if (!d) return NULL;
    const ff_model *m = ff_sim_model(((sim_object *)self)->sim);
    double *numbers;
    PyObject *array = array_new(m->nv, ONE_DIMENSION, &numbers);
    if (array) ff_dyn_inverse(m, d, d->q, d->v, NULL, numbers);
    return array;
}

/// (body, point=None): which body, and a point in its frame. @return false with an exception
static bool read_point(PyObject *self, PyObject *args, PyObject *kwargs, const char *format, int *body, double at[3])
{
    static char *names[] = {"body", "point", NULL};
    PyObject *which, *point = Py_None;
    memset(at, 0, 3 * sizeof *at);
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, format, names, &which, &point)) return false;
    if (point != Py_None && !read_numbers(point, "point", 3, at)) return false;
    return (*body = sim_body(self, which)) >= 0;
}

static const char jacobian_doc[] =
    "jacobian($self, body, point=None)\n--\n\n"
    "J of a point of a body: (angular, linear velocity) = J v in world axes; a new array (6, nv).\n\n"
    "body   name of the body\n"
    "point  in the body's frame; None: its origin [m]";

static PyObject *jacobian(PyObject *self, PyObject *args, PyObject *kwargs)
{
    int body;
    double at[3], *numbers;
    if (!read_point(self, args, kwargs, "O|O:jacobian", &body, at)) return NULL;
    ff_sim *sim = sim_at(self, FF_SIM_POSITION);
    PyObject *array = sim ? array_new(6, ff_sim_model(sim)->nv, &numbers) : NULL;
    if (array) ff_dyn_jacobian(ff_sim_model(sim), ff_sim_data(sim), body, at, numbers);
    return array;
}

static const char pose_doc[] = "pose($self, body)\n--\n\n"
                               "Pose of the frame of a body in the world: (position (3) [m], quaternion (w, x, y, z)).";

static PyObject *pose(PyObject *self, PyObject *which)
{
    const int body = sim_body(self, which);
    ff_sim *sim = body >= 0 ? sim_at(self, FF_SIM_POSITION) : NULL;
    if (!sim) return NULL;
    double pos[3], quat[4];
    ff_dyn_body_pose(ff_sim_model(sim), ff_sim_data(sim), body, pos, quat);
    return Py_BuildValue("NN", vector(pos, 3), vector(quat, 4));
}

static const char point_doc[] = "point($self, body, point=None)\n--\n\n"
                                "Position and velocity of a point of a body: (position (3) [m], velocity (6): angular "
                                "[rad/s], linear [m/s]), world\n"
                                "axes.";

static PyObject *point(PyObject *self, PyObject *args, PyObject *kwargs)
{
    int body;
    double at[3], world[3], velocity[6];
    if (!read_point(self, args, kwargs, "O|O:point", &body, at)) return NULL;
    ff_sim *sim = sim_at(self, FF_SIM_VELOCITY);
    if (!sim) return NULL;
    ff_dyn_point_motion(ff_sim_model(sim), ff_sim_data(sim), body, at, world, velocity);
    return Py_BuildValue("NN", vector(world, 3), vector(velocity, 6));
}

static const char momentum_doc[] =
    "momentum($self)\n--\n\n"
    "Centroidal momentum: angular about the centre of mass (3) [N m s], linear (3) [N s], world axes; a new array (6).";

static PyObject *momentum(PyObject *self, PyObject *unused)
{
    (void)unused;
    ff_sim *sim = sim_at(self, FF_SIM_VELOCITY);
    double h[6];
    if (!sim) return NULL;
    ff_dyn_momentum(ff_sim_model(sim), ff_sim_data(sim), h);
    return vector(h, 6);
}

static const char momentum_matrix_doc[] = "momentum_matrix($self)\n--\n\n"
                                          "A of momentum() = A v, a new array (6, nv) (D. E. Orin, A. Goswami, 2008).";

static PyObject *momentum_matrix(PyObject *self, PyObject *unused)
{
    (void)unused;
    ff_data *d = scratch_at_state(self);
    if (!d) return NULL;
    const ff_model *m = ff_sim_model(((sim_object *)self)->sim);
    double *numbers;
    PyObject *array = array_new(6, m->nv, &numbers);
    if (array) ff_dyn_momentum_matrix(m, d, numbers);
    return array;
}

static const char linearise_doc[] =
    "linearise($self)\n--\n\n"
    "A and B of d(dx)/dt = A dx + B u about the present state: dx = (dq, dv, dz) with dq in velocity coordinates, u\n"
    "added to the held torques. New arrays (n, n) and (n, nv), n = 2 nv + states of parts; relative accuracy 1e-11.\n\n"
    "Raises Diverged if the state has no derivative.";

static PyObject *linearise(PyObject *self, PyObject *unused)
{
    (void)unused;
    sim_object *s = (sim_object *)self;
    ff_sim *sim = sim_at(self, FF_SIM_NOTHING);
    if (!sim) return NULL;
    const Py_ssize_t n = ff_sim_tangent_size(sim), nv = ff_sim_model(sim)->nv;
    double *A, *B;
    PyObject *a = array_new(n, n, &A), *b = a ? array_new(n, nv, &B) : NULL;
    ff_error err = {0};
    ff_status status = FF_OK;
    object_owner *k = s->owner;
    const bool begun = b && guard_begin(k, "Sim.linearise");
    if (begun) status = ff_sim_linearise(sim, A, B, &err);
    const bool fine = begun && guard_end(k) && (status == FF_OK || raise_error(&err));
    if (fine) return Py_BuildValue("NN", a, b);
    Py_XDECREF(a);
    Py_XDECREF(b);
    return NULL;
}

static PyObject *get_com(PyObject *self, void *unused)
{
    (void)unused;
    ff_sim *sim = sim_at(self, FF_SIM_POSITION);
    double com[3];
    if (!sim) return NULL;
    ff_dyn_com(ff_sim_model(sim), ff_sim_data(sim), com);
    return vector(com, 3);
}

static PyObject *get_qacc(PyObject *self, void *unused)
{
    (void)unused;
    ff_sim *sim = sim_at(self, FF_SIM_ACCELERATION);
    return sim ? vector(ff_sim_data(sim)->qacc, ff_sim_model(sim)->nv) : NULL;
}

static PyObject *get_tau(PyObject *self, void *unused)
{
    (void)unused;
    ff_sim *sim = sim_at(self, FF_SIM_FORCES);
    return sim ? vector(ff_sim_data(sim)->tau, ff_sim_model(sim)->nv) : NULL;
}

PyMethodDef sim_dynamics_methods[] = {
    {"mass_matrix", mass_matrix, METH_NOARGS, mass_matrix_doc},
    {"bias", bias, METH_NOARGS, bias_doc},
    {"jacobian", FUNCTION(jacobian), METH_VARARGS | METH_KEYWORDS, jacobian_doc},
    {"pose", pose, METH_O, pose_doc},
    {"point", FUNCTION(point), METH_VARARGS | METH_KEYWORDS, point_doc},
    {"momentum", momentum, METH_NOARGS, momentum_doc},
    {"momentum_matrix", momentum_matrix, METH_NOARGS, momentum_matrix_doc},
    {"linearise", linearise, METH_NOARGS, linearise_doc},
    {NULL, NULL, 0, NULL},
};

PyGetSetDef sim_dynamics_attributes[] = {
    {"com", get_com, NULL, "Centre of mass of all bodies in the world, a new array (3) [m].", NULL},
    {"qacc", get_qacc, NULL, "Acceleration at the present state, a new array (nv) [m/s^2, rad/s^2].", NULL},
    {"tau", get_tau, NULL,
     "Generalised forces on the joints: held torques, passive forces, actuators and drives, without contacts, loops "
     "and "
     "applied wrenches. A new array (nv) [N, N m].",
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
