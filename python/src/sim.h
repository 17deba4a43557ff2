// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The files that Sim is made of: each has its methods and attributes in tables, which sim.c joins to one type.
#ifndef FOOTFALL_PYTHON_SIM_H
#define FOOTFALL_PYTHON_SIM_H

#include "fields.h"

extern PyMethodDef sim_state_methods[], sim_dynamics_methods[], sim_contact_methods[], sim_plant_methods[];
extern PyGetSetDef sim_state_attributes[], sim_dynamics_attributes[], sim_contact_attributes[], sim_plant_attributes[];
bool sim_state_add(PyObject *module);
bool sim_contact_add(PyObject *module);
bool sim_plant_add(PyObject *module);

/// The simulation, evaluated to a stage. NULL with Closed, Busy, or what the evaluation found.
ff_sim *sim_at(PyObject *self, ff_sim_stage stage);
/// Number of a body given by name, or by number. @return -1 with an exception
int sim_body(PyObject *self, PyObject *body);

#endif
