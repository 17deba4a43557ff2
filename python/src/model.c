// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Model: a compiled robot, which never changes.
#include "fields.h"

#include <footfall/load.h>

PyTypeObject *model_type;

static void destroy_model(void *model)
{
    ff_model_destroy(model);
}

static void destroy_plant(void *plant)
{
    ff_plant_destroy(plant);
}

PyObject *model_wrap(PyObject *owner, const ff_model *model, const ff_plant *plant)
{
    model_object *self = PyObject_New(model_object, model_type);
    if (!self) return NULL;
    self->owner = Py_NewRef(owner);
    self->model = model;
    self->plant = plant;
    return (PyObject *)self;
}

PyObject *model_own(bool calm, ff_model *model, ff_plant *plant, ff_report *report, ff_status status)
{
    if (!calm) {
        ff_plant_destroy(plant);
        ff_model_destroy(model);
        ff_report_clear(report);
        return NULL;
    }
    if (!plant && !model) return raise_report(report, status);
    object_owner *k = plant ? owner_new(plant, destroy_plant, NULL) : owner_new(model, destroy_model, NULL);
    PyObject *self = k ? model_wrap((PyObject *)k, plant ? plant->model : model, plant) : NULL;
    Py_CLEAR(k);
    if (!warn_report(report)) Py_CLEAR(self);
    return self;
}

static void model_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    Py_DECREF(((model_object *)object)->owner);
    PyObject_Free(object);
    Py_DECREF(type);
}

const char load_model_doc[] =
    "load_model($module, path, *, drives=False, sensors=False, floating=False, repair=False, search_paths=())\n--\n\n"
    "Reads and compiles a robot: URDF, MJCF or Footfall's own YAML, recognised by their content.\n\n"
    "drives        simulate its drives\n"
    "sensors       simulate its sensors\n"
    "floating      a URDF root without a joint gets a free joint\n"
    "repair        replace impossible inertia with a warning, instead of refusing it\n"
    "search_paths  folders in which package://NAME is searched\n\n"
    "Raises BadFile or BadModel with every problem of the file and its place. Elements of the file that Footfall does\n"
    "not use give a footfall.Warning.";

PyObject *load_model(PyObject *module, PyObject *args, PyObject *kwargs)
{
    (void)module;
    static char *names[] = {"path", "drives", "sensors", "floating", "repair", "search_paths", NULL};
    PyObject *path_object, *folders = NULL;
    int drives = 0, sensors = 0, floating = 0, repair = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$ppppO:load_model", names, &path_object, &drives, &sensors,
                                     &floating, &repair, &folders))
        return NULL;
    PyObject *path = read_path(path_object, "path");
    texts paths;
    if (!path || !texts_read(folders, "search_paths", &paths)) {
        Py_XDECREF(path);
        return NULL;
    }
    ff_plant_options options = ff_plant_options_default();
    options.load.floating = floating;
    options.load.repair = repair;
    options.load.search_paths = paths.items;
    options.load.nsearch_path = paths.count;
    options.driven = drives;
    options.sensed = sensors;
    const char *file = PyBytes_AsString(path);
    ff_report report = {0};
    ff_plant *plant = NULL;
    ff_model *model = NULL;
    interruptible p;
    interruptible_begin(&p, NULL);
    if (drives || sensors)
        plant = ff_plant_load(file, &options, &report);
    else
        model = ff_model_load(file, &options.load, &report);
    PyObject *object = model_own(interruptible_end(&p), model, plant, &report, FF_BAD_FILE);
    Py_DECREF(path);
    texts_clear(&paths);
    return object;
}

static PyObject *model_repr(PyObject *object)
{
    const ff_model *m = ((model_object *)object)->model;
    return PyUnicode_FromFormat("<footfall.Model \"%s\": %d bodies, nq %d, nv %d>", m->name ? m->name : "", m->nbody,
                                m->nq, m->nv);
}

// ------------------------------------------------------------------------------------------ what it consists of

static const char *const joint_types[] = {"hinge", "slide", "ball", "free", "planar", NULL};

static const field joint_fields[] = {
    TEXT(ff_joint, name, ""),
    WORD(ff_joint, type, joint_types, "'hinge', 'slide', 'ball', 'free' or 'planar'"),
    BODY(ff_joint, body, "that it moves"),
    WHOLE(ff_joint, qadr, "where its numbers of q begin"),
    WHOLE(ff_joint, vadr, "where its numbers of v begin"),
    NUMBERS(ff_joint, axis, "in the body's frame, unit"),
    NUMBERS(ff_joint, pos, "anchor in the body's frame [m]"),
    FLAG(ff_joint, limited, "does range hold?"),
    NUMBERS(ff_joint, range, "lower, upper [rad, m]"),
    NUMBER(ff_joint, stiffness, "of its spring [N m/rad, N/m]"),
    NUMBER(ff_joint, damping, "[N m s/rad, N s/m]"),
    NUMBER(ff_joint, dry_friction, "[N m, N]"),
    NUMBER(ff_joint, armature, "[kg m^2, kg]"),
    NUMBER(ff_joint, effort, "largest drive torque, 0: unknown [N m, N]"),
    NUMBER(ff_joint, speed, "largest drive speed, 0: unknown [rad/s, m/s]"),
    {.kind = FIELD_END},
};

static const field body_fields[] = {
    TEXT(ff_body, name, ""),
    BODY(ff_body, parent, "None: the world"),
    NUMBER(ff_body, mass, "its own [kg]"),
    NUMBERS(ff_body, com, "its own centre of mass, in its frame [m]"),
    NUMBERS(ff_body, inertia, "about that: xx, yy, zz, xy, xz, yz [kg m^2]"),
    {.kind = FIELD_END},
};

static PyTypeObject *joint_type, *body_type;

static const ff_model *model_of(PyObject *object)
{
    return ((model_object *)object)->model;
}

#define NAMES(list)                                                                                                    \
    static const char *name_of_##list(const void *model, int i)                                                        \
    {                                                                                                                  \
        return ((const ff_model *)model)->list[i].name;                                                                \
    }
NAMES(bodies)
NAMES(joints)
NAMES(geoms)
NAMES(frames)
NAMES(actuators)
NAMES(drives)
NAMES(sensors)
NAMES(legs)
NAMES(limbs)
NAMES(keys)

typedef struct list {
    const char *(*name_of)(const void *model, int i);
    size_t count; // where their number stands in ff_model
} list;
#define LIST(things, number)                                                                                           \
    {                                                                                                                  \
        name_of_##things, offsetof(ff_model, number)                                                                   \
    }
static const list bodies = LIST(bodies, nbody), joints = LIST(joints, njoint), geoms = LIST(geoms, ngeom),
                  frames = LIST(frames, nframe), actuators = LIST(actuators, nactuator), drives = LIST(drives, ndrive),
                  sensors = LIST(sensors, nsensor), legs = LIST(legs, nleg), limbs = LIST(limbs, nlimb),
                  keys = LIST(keys, nkey);

static int count_of(const ff_model *m, const list *l)
{
    return *(const int *)((const char *)m + l->count);
}

static PyObject *get_names(PyObject *object, void *which)
{
    const list *l = which;
    return list_names(l->name_of, model_of(object), count_of(model_of(object), l));
}

static int find_in(PyObject *object, PyObject *name, const char *kind, const list *l)
{
    return find_name(name, kind, l->name_of, model_of(object), count_of(model_of(object), l));
}

static PyObject *get_joint(PyObject *object, PyObject *name)
{
    const int i = find_in(object, name, "joint", &joints);
    const naming of = {.model = model_of(object)};
    return i < 0 ? NULL : record_make(joint_type, joint_fields, &of.model->joints[i], of);
}

static PyObject *get_body(PyObject *object, PyObject *name)
{
    const int i = find_in(object, name, "body", &bodies);
    const naming of = {.model = model_of(object)};
    return i < 0 ? NULL : record_make(body_type, body_fields, &of.model->bodies[i], of);
}

static PyObject *get_key(PyObject *object, PyObject *name)
{
    const int i = find_in(object, name, "keyframe", &keys);
    const ff_model *m = model_of(object);
    return i < 0 ? NULL : Py_BuildValue("NN", array_copy(m->keys[i].q, m->nq), array_copy(m->keys[i].v, m->nv));
}

static PyObject *get_name(PyObject *object, void *unused)
{
    (void)unused;
    const ff_model *m = model_of(object);
    return PyUnicode_FromString(m->name ? m->name : "");
}

static PyObject *get_whole(PyObject *object, void *offset)
{
    return PyLong_FromLong(*(const int *)((const char *)model_of(object) + (size_t)offset));
}

static PyObject *get_mass(PyObject *object, void *unused)
{
    (void)unused;
    return PyFloat_FromDouble(model_of(object)->mass);
}

static PyObject *get_gravity(PyObject *object, void *unused)
{
    (void)unused;
    return array_copy(model_of(object)->gravity, 3);
}

static PyObject *get_q0(PyObject *object, void *unused)
{
    (void)unused;
    return array_copy(model_of(object)->q0, model_of(object)->nq);
}

static PyMethodDef methods[] = {
    {"joint", get_joint, METH_O, "joint($self, name)\n--\n\nA joint as a footfall.Joint. Raises NotFound."},
    {"body", get_body, METH_O, "body($self, name)\n--\n\nA body as a footfall.Body. Raises NotFound."},
    {"__copy__", return_self, METH_NOARGS, NULL},
    {"__deepcopy__", return_self, METH_O, NULL},
    {"key", get_key, METH_O, "key($self, name)\n--\n\nA keyframe, as new arrays (q, v). Raises NotFound."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
    {"name", get_name, NULL, "Name of the robot.", NULL},
    {"nq", get_whole, NULL, "Size of the generalised position q.", (void *)offsetof(ff_model, nq)},
    {"nv", get_whole, NULL, "Size of the generalised velocity v.", (void *)offsetof(ff_model, nv)},
    {"mass", get_mass, NULL, "Of all bodies [kg].", NULL},
    {"gravity", get_gravity, NULL, "A new array (3) [m/s^2].", NULL},
    {"q0", get_q0, NULL, "Reference position, a new array (nq).", NULL},
    {"bodies", get_names, NULL, "Names of the bodies.", (void *)&bodies},
    {"joints", get_names, NULL, "Names of the joints, in the order of q.", (void *)&joints},
    {"geoms", get_names, NULL, "Names of the shapes.", (void *)&geoms},
    {"frames", get_names, NULL, "Names of the frames.", (void *)&frames},
    {"actuators", get_names, NULL, "Names of the actuators.", (void *)&actuators},
    {"drives", get_names, NULL, "Names of the drives that the file has.", (void *)&drives},
    {"sensors", get_names, NULL, "Names of the sensors that the file has.", (void *)&sensors},
    {"legs", get_names, NULL, "Names of the legs.", (void *)&legs},
    {"feet", get_names, NULL, "Names of feet and hands, as in Sim.feet.", (void *)&limbs},
    {"keys", get_names, NULL, "Names of the keyframes.", (void *)&keys},
    {NULL, NULL, NULL, NULL, NULL},
};

static const char model_doc[] =
    "A compiled robot, which never changes: any number of simulations and threads share it.";

PyObject *joint_columns(const ff_model *m)
{
    PyObject *dict = PyDict_New();
    for (int i = 0; dict && i < m->njoint; i++) {
        if (!ff_joint_is_scalar(m->joints[i].type)) continue;
        PyObject *columns = Py_BuildValue("(ii)", m->joints[i].qadr, m->joints[i].vadr);
        if (!columns || PyDict_SetItemString(dict, m->joints[i].name, columns) < 0) Py_CLEAR(dict);
        Py_XDECREF(columns);
    }
    return dict;
}

bool model_add(PyObject *module)
{
    static PyType_Slot slots[] = {
        {Py_tp_doc, (void *)model_doc},   {Py_tp_dealloc, (void *)model_dealloc}, {Py_tp_repr, (void *)model_repr},
        {Py_tp_methods, (void *)methods}, {Py_tp_getset, (void *)attributes},     {0, NULL},
    };
    static PyType_Spec spec = {
        .name = "footfall.Model",
        .basicsize = sizeof(model_object),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
        .slots = slots,
    };
    joint_type = record_add(module, "footfall.Joint", "A joint of a Model.", joint_fields);
    body_type = record_add(module, "footfall.Body", "A body of a Model.", body_fields);
    return joint_type && body_type && (model_type = type_add(module, &spec)) != NULL;
}
