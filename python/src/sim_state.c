// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sim: reset, save and restore; energy, ledger and counts.
#include "sim.h"

static const field energy_fields[] = {
    NUMBER(ff_energy, kinetic, "[J]"),
    NUMBER(ff_energy, potential, "of gravity, zero at z = 0 [J]"),
    NUMBER(ff_energy, elastic, "of springs and stops of joints [J]"),
    NUMBER(ff_energy, contacts, "[J]"),
    NUMBER(ff_energy, parts, "of drives and other parts [J]"),
    NUMBER(ff_energy, total, "their sum [J]"),
    {.kind = FIELD_END},
};

static const field ledger_fields[] = {
    {.name = "stored", .kind = FIELD_NUMBER, .offset = offsetof(ff_ledger, stored.total), .help = "now [J]"},
    NUMBER(ff_ledger, start, "stored at the start [J]"),
    NUMBER(ff_ledger, lost_normal, "in contacts, along the normal [J]"),
    NUMBER(ff_ledger, lost_friction, "in contacts, across it [J]"),
    NUMBER(ff_ledger, lost_joints, "in dampers, dry friction and stops of joints [J]"),
    NUMBER(ff_ledger, lost_parts, "in other parts [J]"),
    NUMBER(ff_ledger, work, "of actuators, drives and held forces [J]"),
    NUMBER(ff_ledger, outside, "brought by those who wrote the state [J]"),
    NUMBER(ff_ledger, loops, "came with putting steps back onto loops [J]"),
    NUMBER(ff_ledger, residual, "imbalance: what the method itself made (above zero) or took [J]"),
    {.kind = FIELD_END},
};

static const field count_fields[] = {
    COUNT(ff_sim_counts, steps, "accepted"),
    COUNT(ff_sim_counts, refused, "tried and refused by the error control"),
    COUNT(ff_sim_counts, evaluations, "of the derivative, or of the residual of implicit"),
    COUNT(ff_sim_counts, iterations, "of Newton's method (implicit)"),
    COUNT(ff_sim_counts, factorisations, "of its matrix"),
    COUNT(ff_sim_counts, events, "located"),
    COUNT(ff_sim_counts, tasks, "calls"),
    NUMBER(ff_sim_counts, shortest_step, "accepted [s]"),
    NUMBER(ff_sim_counts, longest_step, "accepted [s]"),
    {.kind = FIELD_END},
};

static PyTypeObject *energy_type, *ledger_type, *counts_type;

bool sim_state_add(PyObject *module)
{
    energy_type = record_add(module, "footfall.Energy", "Energies at a state, of Sim.energy.", energy_fields);
    ledger_type = record_add(module, "footfall.Ledger",
                             "Balance of energy since the start, from Sim.ledger:\n"
                             "stored - start + lost = work + outside + loops + residual.",
                             ledger_fields);
    counts_type = record_add(module, "footfall.Counts", "Work done since the start, of Sim.counts.", count_fields);
    return energy_type && ledger_type && counts_type;
}

static const char reset_doc[] =
    "reset($self, key=None)\n--\n\n"
    "Returns to the state and the inputs before the first run, at time zero.\n\n"
    "key  start in this keyframe of the model instead\n\n"
    "Raises NotFound with the nearest name. The seed stays; another seed needs another Sim.";

static PyObject *reset(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"key", NULL};
    const char *key = NULL;
    ff_error err = {0};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|z:reset", names, &key)) return NULL;
    ff_sim *sim = sim_at(self, FF_SIM_NOTHING);
    if (!sim) return NULL;
    if (ff_sim_reset(sim, key, &err)) return raise_error(&err);
    Py_RETURN_NONE;
}

static const char save_doc[] =
    "save($self)\n--\n\n"
    "Returns bytes from which restore() continues bit-identically: time, state, inputs, memory of parts, drives,\n"
    "sensors and controllers, random numbers.";

static PyObject *save(PyObject *self, PyObject *unused)
{
    (void)unused;
    ff_error err = {0};
    ff_sim *sim = sim_at(self, FF_SIM_NOTHING);
    if (!sim) return NULL;
    const size_t size = ff_sim_save_size(sim);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (bytes && ff_sim_save(sim, PyBytes_AsString(bytes), size, &err)) {
        Py_DECREF(bytes);
        return raise_error(&err);
    }
    return bytes;
}

static const char restore_doc[] = "restore($self, saved)\n--\n\n"
                                  "Restores what save() of this simulation, or of an equal one, returned.\n\n"
                                  "Raises BadFile with the difference; the simulation is then unchanged.";

static PyObject *restore(PyObject *self, PyObject *saved)
{
    ff_error err = {0};
    Py_buffer b;
    if (PyObject_GetBuffer(saved, &b, PyBUF_SIMPLE) < 0) {
        PyErr_Clear();
        return PyErr_Format(PyExc_TypeError, "saved must be bytes, not %R", Py_TYPE(saved));
    }
    ff_sim *sim = sim_at(self, FF_SIM_NOTHING);
    const ff_status status = sim ? ff_sim_restore(sim, b.buf, (size_t)b.len, &err) : FF_OK;
    PyBuffer_Release(&b);
    if (!sim) return NULL;
    if (status) return raise_error(&err);
    Py_RETURN_NONE;
}

static PyObject *get_energy(PyObject *self, void *unused)
{
    (void)unused;
    ff_sim *sim = sim_at(self, FF_SIM_FORCES);
    if (!sim) return NULL;
    const ff_energy energy = ff_sim_energy(sim);
    return record_make(energy_type, energy_fields, &energy, (naming){0});
}

static PyObject *get_ledger(PyObject *self, void *unused)
{
    (void)unused;
    ff_sim *sim = sim_at(self, FF_SIM_FORCES);
    if (!sim) return NULL;
    if (!ff_sim_get_options(sim)->ledger)
        return raise_status(FF_BAD_ARGUMENT, "this simulation keeps no ledger: make it with ledger=True");
    const ff_ledger ledger = ff_sim_ledger(sim);
    return record_make(ledger_type, ledger_fields, &ledger, (naming){0});
}

static PyObject *get_counts(PyObject *self, void *unused)
{
    (void)unused;
    ff_sim *sim = sim_at(self, FF_SIM_NOTHING);
    if (!sim) return NULL;
    const ff_sim_counts counts = ff_sim_get_counts(sim);
    return record_make(counts_type, count_fields, &counts, (naming){0});
}

static PyObject *get_hash(PyObject *self, void *unused)
{
    (void)unused;
    ff_sim *sim = sim_at(self, FF_SIM_NOTHING);
    return sim ? PyLong_FromUnsignedLongLong(ff_sim_hash(sim)) : NULL;
}

static PyObject *get_stop_reason(PyObject *self, void *unused)
{
    (void)unused;
    ff_sim *sim = sim_at(self, FF_SIM_NOTHING);
    return sim ? PyUnicode_FromString(ff_sim_stop_reason(sim)) : NULL;
}

PyMethodDef sim_state_methods[] = {
    {"reset", FUNCTION(reset), METH_VARARGS | METH_KEYWORDS, reset_doc},
    {"save", save, METH_NOARGS, save_doc},
    {"restore", restore, METH_O, restore_doc},
    {NULL, NULL, 0, NULL},
};

PyGetSetDef sim_state_attributes[] = {
    {"energy", get_energy, NULL, "Energies now, a footfall.Energy.", NULL},
    {"ledger", get_ledger, NULL, "Where the energy went since the start, a footfall.Ledger; needs ledger=True.", NULL},
    {"counts", get_counts, NULL, "Work done since the start, a footfall.Counts.", NULL},
    {"hash", get_hash, NULL, "Hash of time and state, to compare runs bit for bit.", NULL},
    {"stop_reason", get_stop_reason, NULL, "Why the last run stopped; '' when nobody said.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
