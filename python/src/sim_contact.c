// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sim: contact points, feet and balance.
#include "sim.h"

static const char *const modes[] = {"open", "sliding", "sticking", NULL};

/// @return a contact as footfall.Contact; NULL with an exception
typedef struct contact_view {
    int body1, body2;
    const char *shape1, *shape2;
    int mode;
    double place[3], normal[3], force[3], moment[3];
    double pressure, depth, closing, slip;
} contact_view;

static const field contact_fields[] = {
    BODY(contact_view, body1, "name of the body the normal leaves, None: the world"),
    BODY(contact_view, body2, "name of the body on which force and moment act, None: the world"),
    TEXT(contact_view, shape1, "name of the shape of body1"),
    TEXT(contact_view, shape2, "name of the shape of body2"),
    WORD(contact_view, mode, modes, "'open', 'sliding' or 'sticking'"),
    NUMBERS(contact_view, place, "in the world [m]"),
    NUMBERS(contact_view, normal, "unit, from body1 to body2"),
    NUMBERS(contact_view, force, "on body2, world axes [N]"),
    NUMBERS(contact_view, moment, "on body2, torsion and rolling [N m]"),
    NUMBER(contact_view, pressure, "normal force [N]"),
    NUMBER(contact_view, depth, "below zero: apart, within the margin [m]"),
    NUMBER(contact_view, closing, "speed of approach [m/s]"),
    NUMBER(contact_view, slip, "speed across the normal [m/s]"),
    {.kind = FIELD_END},
};

static const field foot_fields[] = {
    FLAG(ff_foot, touching, "does it touch anything?"),
    WHOLE(ff_foot, points, "points in touch"),
    WHOLE(ff_foot, sticking, "of these, those that stick; a foot that touches without one slides"),
    NUMBER(ff_foot, pressure, "sum of the normal forces [N]"),
    NUMBER(ff_foot, slip, "speed of the points that slide, mean of all by normal force [m/s]"),
    NUMBERS(ff_foot, force, "on the foot, world axes [N]"),
    NUMBERS(ff_foot, moment, "about the origin of its frame, world axes [N m]"),
    NUMBERS(ff_foot, centre, "mean place of its points by normal force; NaN where nothing presses [m]"),
    NUMBERS(ff_foot, normal, "mean direction of the normals towards it; NaN likewise"),
    NUMBERS(ff_foot, cop, "centre of pressure in the world; NaN unless the force pushes [m]"),
    NUMBERS(ff_foot, cop_foot, "the same in its frame [m]"),
    NUMBERS(ff_foot, impulse, "integral of the force since the start; NaN without compliance [N s]"),
    NUMBER(ff_foot, slid, "integral of slip since the start [m]"),
    {.kind = FIELD_END},
};

static const field balance_fields[] = {
    NUMBERS(ff_world_balance, com, "centre of mass [m]"),
    NUMBERS(ff_world_balance, velocity, "of it [m/s]"),
    NUMBERS(ff_world_balance, force, "sum of the forces on the feet [N]"),
    NUMBERS(ff_world_balance, cop, "centre of pressure of all feet; NaN while none carries [m]"),
    NUMBERS(ff_world_balance, dcm, "divergent component of motion, or capture point; NaN likewise [m]"),
    {.kind = FIELD_END},
};

static PyTypeObject *contact_type, *foot_type, *balance_type;

bool sim_contact_add(PyObject *module)
{
    contact_type =
        record_add(module, "footfall.Contact", "A point where two shapes meet, of Sim.contacts.", contact_fields);
    foot_type = record_add(module, "footfall.Foot", "A foot or hand as it touches, of Sim.feet.", foot_fields);
    balance_type =
        record_add(module, "footfall.Balance", "How its feet carry a robot, of Sim.balance.", balance_fields);
    return contact_type && foot_type && balance_type;
}

static contact_view see(const ff_world_contact *c, const ff_world_shape *shapes)
{
    contact_view view = {
        .body1 = c->body1,
        .body2 = c->body2,
        .shape1 = shapes[c->shape1].name,
        .shape2 = shapes[c->shape2].name,
        .mode = c->mode,
        .pressure = c->force.normal,
        .depth = c->point.depth,
        .closing = c->point.closing,
        .slip = ff_vec3_norm(c->point.slip),
    };
    for (int i = 0; i < 3; i++) {
        view.place[i] = c->place[i];
        view.normal[i] = c->point.normal[i];
        view.force[i] = c->force.force[i];
        view.moment[i] = c->force.moment[i];
    }
    return view;
}

static PyObject *get_contacts(PyObject *self, void *unused)
{
    (void)unused;
    ff_sim *sim = sim_at(self, FF_SIM_VELOCITY);
    if (!sim) return NULL;
    ff_world *world = ff_sim_world(sim);
    int count = 0;
    const ff_world_contact *contacts = world ? ff_world_contacts(world, sim, &count) : NULL;
    const ff_world_shape *shapes = world ? ff_world_shapes(world, NULL) : NULL;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && contacts && i < count; i++) {
        const contact_view view = see(&contacts[i], shapes);
        PyObject *record = record_make(contact_type, contact_fields, &view, (naming){.model = ff_sim_model(sim)});
        if (!record || PyList_Append(list, record) < 0) Py_CLEAR(list);
        Py_XDECREF(record);
    }
    return list;
}

static PyObject *get_feet(PyObject *self, void *unused)
{
    (void)unused;
    ff_sim *sim = sim_at(self, FF_SIM_VELOCITY);
    if (!sim) return NULL;
    ff_world *world = ff_sim_world(sim);
    int count = 0;
    const ff_foot *feet = world ? ff_world_feet(world, sim, &count) : NULL;
    PyObject *dict = PyDict_New();
    for (int i = 0; dict && feet && i < count; i++) {
        PyObject *record = record_make(foot_type, foot_fields, &feet[i], (naming){0});
        const char *name = ff_sim_model(sim)->limbs[feet[i].limb].name;
        if (!record || PyDict_SetItemString(dict, name, record) < 0) Py_CLEAR(dict);
        Py_XDECREF(record);
    }
    return dict;
}

static const char balance_doc[] = "balance($self, body)\n--\n\n"
                                  "Centre of mass, centre of pressure and capture point of the robot that has this "
                                  "body, as a footfall.Balance.\n\n"
                                  "Raises BadArgument if it has no foot, or the simulation no contacts.";

static PyObject *balance(PyObject *self, PyObject *which)
{
    const int body = sim_body(self, which);
    ff_sim *sim = body >= 0 ? sim_at(self, FF_SIM_VELOCITY) : NULL;
    if (!sim) return NULL;
    ff_world_balance out;
    if (!ff_sim_world(sim) || !ff_world_get_balance(ff_sim_world(sim), sim, body, &out))
        return raise_status(FF_BAD_ARGUMENT, "body is '%s': its robot has no foot that could touch",
                            ff_sim_model(sim)->bodies[body].name);
    return record_make(balance_type, balance_fields, &out, (naming){0});
}

PyMethodDef sim_contact_methods[] = {
    {"balance", balance, METH_O, balance_doc},
    {NULL, NULL, 0, NULL},
};

PyGetSetDef sim_contact_attributes[] = {
    {"contacts", get_contacts, NULL,
     "Contact points at present, a list of footfall.Contact; also points within the margin that do not touch.", NULL},
    {"feet", get_feet, NULL, "Feet and hands by name, each a footfall.Foot.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
