// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Spec: a robot that can be built and edited, item by item, and compiled to a Model.
#include "spec.h"

#include <footfall/load.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct spec_object {
    PyObject_HEAD object_owner *owner;
    ff_spec *spec;
} spec_object;

/// One body, joint, ... of a Spec. Items are only ever added, so that its number holds.
typedef struct item_object {
    PyObject_HEAD PyObject *owner; // the Spec
    const spec_kind *kind;
    int index;
} item_object;

static PyTypeObject *spec_type, *item_type;

static const field spec_fields[] = {
    TEXT(ff_spec, name, "Name of the robot."),
    NUMBERS(ff_spec, gravity, "Acceleration (3) [m/s^2]."),
    NUMBER(ff_spec, total_mass, "Masses are scaled to this sum where it is above zero [kg]."),
    NUMBER(ff_spec, bound_mass, "Least mass of a moving body [kg]."),
    NUMBER(ff_spec, bound_inertia, "Least principal moment of a moving body [kg m^2]."),
    FLAG(ff_spec, balance_inertia, "Impossible moments of inertia become their mean."),
    {.kind = FIELD_END},
};

// ------------------------------------------------------------------------------------------ items

static char *item_at(ff_spec *spec, const spec_kind *kind, int index)
{
    return *(char **)((char *)spec + kind->items) + (size_t)index * kind->size;
}

static int *item_count(ff_spec *spec, const spec_kind *kind)
{
    return (int *)((char *)spec + kind->count);
}

static PyObject *item_wrap(PyObject *owner, const spec_kind *kind, int index)
{
    item_object *self = PyObject_New(item_object, item_type);
    if (!self) return NULL;
    self->owner = Py_NewRef(owner);
    self->kind = kind;
    self->index = index;
    return (PyObject *)self;
}

static void item_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    Py_DECREF(((item_object *)object)->owner);
    PyObject_Free(object);
    Py_DECREF(type);
}

static const field *own_field(const spec_kind *kind, PyObject *name)
{
    const char *text = read_text(name, "field");
    for (const field *f = kind->fields; text && f->kind != FIELD_END; f++)
        if (strcmp(f->name, text) == 0) return f;
    return NULL;
}

static PyObject *item_get(PyObject *object, PyObject *name)
{
    const item_object *self = (item_object *)object;
    const spec_object *owner = (spec_object *)self->owner;
    const field *f = own_field(self->kind, name);
    if (!f) return PyErr_Occurred() ? NULL : PyObject_GenericGetAttr(object, name);
    if (!guard_look(owner->owner, "Spec")) return NULL;
    return field_get(f, item_at(owner->spec, self->kind, self->index), (naming){.spec = owner->spec});
}

/// Replaces the NotFound of field_find by the AttributeError that Python expects.
static void raise_no_field(const spec_kind *kind, PyObject *name)
{
    PyObject *type, *value, *trace;
    if (PyErr_Occurred()) return;
    field_find(kind->fields, name, "field");
    PyErr_Fetch(&type, &value, &trace);
    PyErr_Format(PyExc_AttributeError, "a %s has %S", kind->word, value);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
}

static int item_set(PyObject *object, PyObject *name, PyObject *value)
{
    const item_object *self = (item_object *)object;
    const spec_object *owner = (spec_object *)self->owner;
    const field *f = own_field(self->kind, name);
    if (!f) return raise_no_field(self->kind, name), -1;
    if (!guard_look(owner->owner, "Spec")) return -1;
    return field_set(f, item_at(owner->spec, self->kind, self->index), value, (naming){.spec = owner->spec}) ? 0 : -1;
}

static const char *field_name(const void *fields, int i)
{
    return ((const field *)fields)[i].name;
}

static PyObject *item_dir(PyObject *object, PyObject *unused)
{
    (void)unused;
    const field *fields = ((item_object *)object)->kind->fields;
    int count = 0;
    while (fields[count].kind != FIELD_END) count++;
    return list_names(field_name, fields, count);
}

static PyObject *item_repr(PyObject *object)
{
    const item_object *self = (item_object *)object;
    PyObject *called = PyUnicode_FromString(self->kind->fields[0].name);
    PyObject *name = called ? item_get(object, called) : NULL;
    PyObject *text = name ? PyUnicode_FromFormat("<%s %R of a footfall.Spec>", self->kind->word, name) : NULL;
    Py_XDECREF(called);
    Py_XDECREF(name);
    return text;
}

// ------------------------------------------------------------------------------------------ making

static void destroy_spec(void *spec)
{
    ff_spec_destroy(spec);
}

static spec_object *make_spec(void)
{
    ff_error err = {0};
    ff_spec *spec = ff_spec_create(&err);
    if (!spec) return raise_error(&err), NULL;
    object_owner *k = owner_new(spec, destroy_spec, NULL);
    spec_object *self = k ? PyObject_New(spec_object, spec_type) : NULL;
    if (!self) {
        Py_CLEAR(k);
        return NULL;
    }
    self->owner = k;
    self->spec = spec;
    return self;
}

static PyObject *spec_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)type;
    static char *names[] = {"name", NULL};
    const char *name = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|z:Spec", names, &name)) return NULL;
    spec_object *self = make_spec();
    if (self && name) self->spec->name = ff_spec_text(self->spec, name);
    return (PyObject *)self;
}

static void spec_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    Py_CLEAR(((spec_object *)object)->owner);
    PyObject_Free(object);
    Py_DECREF(type);
}

/// @return a new Spec filled by a reader; NULL with an exception that has its messages
static PyObject *finish_reading(spec_object *self, ff_status status, ff_report *report)
{
    if (status || report->errors > 0) {
        Py_DECREF((PyObject *)self);
        return raise_report(report, status ? status : FF_BAD_FILE);
    }
    if (!warn_report(report)) Py_CLEAR(self);
    return (PyObject *)self;
}

static const char load_doc[] =
    "load($type, path, *, floating=False, repair=False)\n--\n\n"
    "Reads a robot file (URDF, MJCF, YAML) to be edited. See load_model. Raises BadFile with every problem.";

static PyObject *spec_load(PyObject *type, PyObject *args, PyObject *kwargs)
{
    (void)type;
    static char *names[] = {"path", "floating", "repair", NULL};
    PyObject *path_object;
    int floating = 0, repair = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$pp:load", names, &path_object, &floating, &repair)) return NULL;
    PyObject *path = read_path(path_object, "path");
    spec_object *self = path ? make_spec() : NULL;
    if (!self) {
        Py_XDECREF(path);
        return NULL;
    }
    ff_load_options options = ff_load_options_default();
    options.floating = floating;
    options.repair = repair;
    ff_report report = {0};
    const char *file = PyBytes_AsString(path);
    interruptible p;
    interruptible_begin(&p, NULL);
    const ff_status status = ff_spec_load(self->spec, file, &options, &report);
    const bool calm = interruptible_end(&p);
    Py_DECREF(path);
    if (!calm) {
        ff_report_clear(&report);
        Py_DECREF(self);
        return NULL;
    }
    return finish_reading(self, status, &report);
}

static const char from_text_doc[] =
    "from_text($type, text, format='yaml', file='robot')\n--\n\n"
    "Reads a robot from a text in the format 'yaml', 'urdf' or 'mjcf'. `file` is its name in "
    "messages and the base of relative paths.";

static PyObject *spec_from_text(PyObject *type, PyObject *args, PyObject *kwargs)
{
    (void)type;
    static char *names[] = {"text", "format", "file", NULL};
    const char *text, *format = "yaml", *file = "robot";
    Py_ssize_t length;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s#|ss:from_text", names, &text, &length, &format, &file))
        return NULL;
    spec_object *self = make_spec();
    if (!self) return NULL;
    ff_report report = {0};
    const ff_status status = ff_spec_parse(self->spec, format, text, (size_t)length, file, NULL, &report);
    return finish_reading(self, status, &report);
}

// ------------------------------------------------------------------------------------------ adding

/// @return number of the word for `type` in kwargs, which some kinds need first; 0 by default
static int read_type(const spec_kind *kind, PyObject *kwargs)
{
    PyObject *given = PyDict_GetItemString(kwargs, "type");
    int number = 0;
    if (given == Py_None) {
        PyErr_SetString(PyExc_TypeError, "type must be a str, not None");
        return -1;
    }
    for (const field *f = kind->fields; given && f->kind != FIELD_END; f++)
        if (f->kind == FIELD_WORD && strcmp(f->name, "type") == 0 &&
            !field_set(&(field){.name = "type", .kind = FIELD_WORD, .words = f->words, .word = f->word}, &number, given,
                       (naming){0}))
            return -1;
    return number;
}

/// @return false without memory, or with an exception
static bool add_plain(ff_spec *spec, const spec_kind *kind, const char *name, int type)
{
    ff_error err = {0};
    switch (kind - spec_kinds) {
    case SPEC_BODY:
        return ff_spec_add_body(spec, name, -1);
    case SPEC_JOINT:
        return ff_spec_add_joint(spec, name, -1, (ff_joint_type)type);
    case SPEC_GEOM:
        return ff_spec_add_geom(spec, name, -1, (ff_shape_type)type);
    case SPEC_MESH:
        return ff_spec_add_mesh(spec, name);
    case SPEC_FRAME:
        return ff_spec_add_frame(spec, name, -1);
    case SPEC_TENDON:
        return ff_spec_add_tendon(spec, name);
    case SPEC_ACTUATOR:
        return ff_spec_add_actuator(spec, name, (ff_actuator_type)type);
    case SPEC_DRIVE:
        return ff_spec_add_drive(spec, name);
    case SPEC_BATTERY:
        return ff_spec_add_battery(spec, name);
    case SPEC_SENSOR:
        return ff_spec_add_sensor(spec, name, "");
    case SPEC_EQUALITY:
        return ff_spec_add_equality(spec, name, (ff_equality_type)type);
    case SPEC_EXCLUDE:
        return ff_spec_add_exclude(spec, name, "");
    case SPEC_PAIR:
        return ff_spec_add_pair(spec, name, "");
    case SPEC_LEG:
        return ff_spec_add_leg(spec, name);
    case SPEC_HAND:
        return ff_spec_add_hand(spec, name);
    case SPEC_BIPED:
        return ff_spec_add_biped(spec);
    case SPEC_KEY:
        return ff_spec_add_key(spec, name);
    case SPEC_MATERIAL:
        return ff_spec_add_material(spec, name, &err) || raise_error(&err);
    default:
        return false;
    }
}

static bool set_fields(ff_spec *spec, const spec_kind *kind, void *item, PyObject *kwargs)
{
    PyObject *key, *value;
    for (Py_ssize_t i = 0; PyDict_Next(kwargs, &i, &key, &value);) {
        const field *f = field_find(kind->fields, key, "field");
        if (!f || !field_set(f, item, value, (naming){.spec = spec})) return false;
    }
    return true;
}

/// @return fields given by position and by keyword, as one new dict without the name; NULL with an exception
static PyObject *gather(const spec_kind *kind, PyObject *args, PyObject *kwargs, PyObject **name)
{
    const Py_ssize_t given = PyTuple_Size(args);
    const bool nameless = kind == &spec_kinds[SPEC_BIPED];
    const int first = nameless ? 0 : 1;
    const char *const called = kind->fields[0].name;
    PyObject *fields = kwargs ? PyDict_Copy(kwargs) : PyDict_New();
    if (!fields) return NULL;
    *name = nameless ? Py_None : given > 0 ? PyTuple_GetItem(args, 0) : PyDict_GetItemString(fields, called);
    bool fine = *name || PyErr_Format(PyExc_TypeError, "add_%s needs a %s", kind->word, called);
    Py_XINCREF(*name);
    if (fine && !nameless && given == 0) fine = PyDict_DelItemString(fields, called) == 0;
    for (Py_ssize_t i = first; fine && i < given; i++) {
        const char *field_called = i - first < 2 ? kind->positional[i - first] : NULL;
        fine = field_called
                   ? PyDict_SetItemString(fields, field_called, PyTuple_GetItem(args, i)) == 0
                   : PyErr_Format(PyExc_TypeError, "add_%s takes fewer values by position", kind->word) != NULL;
    }
    if (fine) return fields;
    Py_DECREF(fields);
    Py_XDECREF(*name);
    return NULL;
}

static bool read_item_name(const spec_kind *kind, PyObject *object, const char **name)
{
    *name = NULL;
    const bool optional = kind == &spec_kinds[SPEC_GEOM] || kind == &spec_kinds[SPEC_BIPED];
    if (object == Py_None && optional) return true;
    return (*name = read_text(object, kind->fields[0].name)) != NULL;
}

static PyObject *add_item(PyObject *object, PyObject *args, PyObject *kwargs, int which)
{
    const spec_kind *kind = &spec_kinds[which];
    spec_object *self = (spec_object *)object;
    if (!guard_look(self->owner, "Spec")) return NULL;
    PyObject *name_object = NULL, *fields = gather(kind, args, kwargs, &name_object), *item = NULL;
    const char *name;
    if (!fields) return NULL;
    const int type = read_item_name(kind, name_object, &name) ? read_type(kind, fields) : -1;
    if (type >= 0) {
        int *count = item_count(self->spec, kind);
        const int index = *count;
        const bool added = add_plain(self->spec, kind, name, type);
        if (!added && !PyErr_Occurred()) PyErr_NoMemory();
        if (added && set_fields(self->spec, kind, item_at(self->spec, kind, index), fields))
            item = item_wrap(object, kind, index);
        if (added && !item) *count = index; // as if it had not been tried
    }
    Py_DECREF(fields);
    Py_DECREF(name_object);
    return item;
}

static const char *name_of_item(const void *spec_and_kind, int i)
{
    const void *const *pair = spec_and_kind;
    const spec_kind *kind = pair[1];
    const char *at = item_at((ff_spec *)pair[0], kind, i) + kind->fields[0].offset;
    return kind->fields[0].kind == FIELD_NAME ? at : *(const char *const *)at;
}

static PyObject *find_item(PyObject *object, PyObject *name, int which)
{
    const spec_kind *kind = &spec_kinds[which];
    spec_object *self = (spec_object *)object;
    if (!guard_look(self->owner, "Spec")) return NULL;
    const void *pair[2] = {self->spec, kind};
    const int i = find_name(name, kind->word, name_of_item, pair, *item_count(self->spec, kind));
    return i < 0 ? NULL : item_wrap(object, kind, i);
}

#define ITEM(word, number)                                                                                             \
    static PyObject *add_##word(PyObject *self, PyObject *args, PyObject *kwargs)                                      \
    {                                                                                                                  \
        return add_item(self, args, kwargs, number);                                                                   \
    }                                                                                                                  \
    static PyObject *find_##word(PyObject *self, PyObject *name)                                                       \
    {                                                                                                                  \
        return find_item(self, name, number);                                                                          \
    }
#define ITEMS(X)                                                                                                       \
    X(body, SPEC_BODY)                                                                                                 \
    X(joint, SPEC_JOINT)                                                                                               \
    X(geom, SPEC_GEOM)                                                                                                 \
    X(frame, SPEC_FRAME)                                                                                               \
    X(tendon, SPEC_TENDON)                                                                                             \
    X(actuator, SPEC_ACTUATOR)                                                                                         \
    X(drive, SPEC_DRIVE)                                                                                               \
    X(battery, SPEC_BATTERY)                                                                                           \
    X(sensor, SPEC_SENSOR)                                                                                             \
    X(equality, SPEC_EQUALITY)                                                                                         \
    X(exclude, SPEC_EXCLUDE)                                                                                           \
    X(pair, SPEC_PAIR)                                                                                                 \
    X(leg, SPEC_LEG)                                                                                                   \
    X(hand, SPEC_HAND)                                                                                                 \
    X(biped, SPEC_BIPED)                                                                                               \
    X(key, SPEC_KEY)                                                                                                   \
    X(material, SPEC_MATERIAL)
ITEMS(ITEM)

// ------------------------------------------------------------------------------------------ meshes

/// @return corners or triangles, an array of rows of three; NULL with an exception
static double *read_rows(PyObject *value, const char *name, int *rows)
{
    const Py_ssize_t count = PySequence_Size(value);
    double *numbers = count >= 0 && count <= 10000000 ? PyMem_Malloc((size_t)(3 * count + 1) * sizeof *numbers) : NULL;
    if (!numbers) {
        if (!PyErr_Occurred()) PyErr_NoMemory();
        return NULL;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *row = PySequence_GetItem(value, i);
        const bool fine = row && read_numbers(row, name, 3, &numbers[3 * i]);
        Py_XDECREF(row);
        if (fine) continue;
        PyMem_Free(numbers);
        return NULL;
    }
    *rows = (int)count;
    return numbers;
}

/// Checks numbers of corners. @return false with an exception that names the first invalid one
static bool take_indices(const double *numbers, int ntriangle, int nvertex, int *indices)
{
    for (int i = 0; i < 3 * ntriangle; i++) {
        const double number = numbers[i];
        if (!(number >= 0.0 && number < nvertex && number == floor(number)))
            return raise_status(FF_BAD_ARGUMENT,
                                "triangles[%d][%d] is %.10g: it must be the number of a vertex, 0 to %d", i / 3, i % 3,
                                number, nvertex - 1);
        indices[i] = (int)number;
    }
    return true;
}

static ff_mesh *mesh_of_arrays(PyObject *vertices, PyObject *triangles)
{
    ff_error err = {0};
    ff_mesh *mesh = NULL;
    int nvertex = 0, ntriangle = 0;
    double *corners = read_rows(vertices, "vertices", &nvertex);
    double *numbers = corners ? read_rows(triangles, "triangles", &ntriangle) : NULL;
    int *indices = numbers ? PyMem_Malloc((size_t)(3 * ntriangle + 1) * sizeof *indices) : NULL;
    if (indices) {
        mesh = take_indices(numbers, ntriangle, nvertex, indices)
                   ? ff_mesh_create(corners, nvertex, indices, ntriangle, &err)
                   : NULL;
        if (!mesh && !PyErr_Occurred()) raise_error(&err);
    }
    PyMem_Free(indices);
    PyMem_Free(numbers);
    PyMem_Free(corners);
    if (!mesh && !PyErr_Occurred()) PyErr_NoMemory();
    return mesh;
}

static ff_mesh *mesh_of_file(PyObject *path_object, const double scale[3])
{
    ff_error err = {0};
    PyObject *path = read_path(path_object, "path");
    if (!path) return NULL;
    ff_mesh *mesh = ff_mesh_load(PyBytes_AsString(path), scale, &err);
    Py_DECREF(path);
    if (!mesh) raise_error(&err);
    return mesh;
}

static const char add_mesh_doc[] =
    "add_mesh($self, name, path=None, *, vertices=None, triangles=None, scale=(1, 1, 1))\n--\n\n"
    "Adds a triangle mesh for geoms of type 'mesh': from a file, or from corners (n, 3) [m] and triangles\n"
    "(m, 3), counter-clockwise from outside. Raises NotFound, BadFile or BadArgument.";

static PyObject *add_mesh(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"name", "path", "vertices", "triangles", "scale", NULL};
    spec_object *self = (spec_object *)object;
    const char *name;
    PyObject *path = Py_None, *vertices = Py_None, *triangles = Py_None, *factors = NULL;
    double scale[3] = {1.0, 1.0, 1.0};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s|O$OOO:add_mesh", names, &name, &path, &vertices, &triangles,
                                     &factors))
        return NULL;
    if (factors && !read_numbers(factors, "scale", 3, scale)) return NULL;
    if ((path == Py_None) == (vertices == Py_None) || (vertices == Py_None) != (triangles == Py_None))
        return raise_status(FF_BAD_ARGUMENT, "a mesh needs either a path, or vertices and triangles");
    ff_mesh *data = path != Py_None ? mesh_of_file(path, scale) : mesh_of_arrays(vertices, triangles);
    if (!data) return NULL;
    ff_spec_mesh *mesh = guard_look(self->owner, "Spec") ? ff_spec_add_mesh(self->spec, name) : NULL;
    if (!mesh) {
        ff_mesh_destroy(data);
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    mesh->data = data;
    return item_wrap(object, &spec_kinds[SPEC_MESH], self->spec->nmesh - 1);
}

static PyObject *find_mesh(PyObject *self, PyObject *name)
{
    return find_item(self, name, SPEC_MESH);
}

// ------------------------------------------------------------------------------------------ the whole

static const char attach_doc[] =
    "attach($self, other, prefix='', parent=None, pos=(0, 0, 0), quat=(1, 0, 0, 0))\n--\n\n"
    "Copies all items of another Spec into this one, with `prefix` before their names. Its roots are attached to the\n"
    "body `parent` (None: the world), with the pose pos [m] and quat.";

static PyObject *spec_attach(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"other", "prefix", "parent", "pos", "quat", NULL};
    spec_object *self = (spec_object *)object;
    PyObject *other, *parent = Py_None, *place = NULL, *turn = NULL;
    const char *prefix = "";
    double pos[3] = {0.0, 0.0, 0.0}, quat[4] = {1.0, 0.0, 0.0, 0.0};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!|sOOO:attach", names, spec_type, &other, &prefix, &parent, &place,
                                     &turn))
        return NULL;
    if ((place && !read_numbers(place, "pos", 3, pos)) || (turn && !read_numbers(turn, "quat", 4, quat))) return NULL;
    if (!guard_look(self->owner, "Spec") || !guard_look(((spec_object *)other)->owner, "Spec")) return NULL;
    if (other == object) return raise_status(FF_BAD_ARGUMENT, "other is the same Spec: attach a second one");
    const void *pair[2] = {self->spec, &spec_kinds[SPEC_BODY]};
    const int body = parent == Py_None ? -1 : find_name(parent, "body", name_of_item, pair, self->spec->nbody);
    if (parent != Py_None && body < 0) return NULL;
    ff_report report = {0};
    const ff_status status = ff_spec_attach(self->spec, ((spec_object *)other)->spec, prefix, body, pos, quat, &report);
    if (status || report.errors > 0) return raise_report(&report, status ? status : FF_BAD_MODEL);
    if (!warn_report(&report)) return NULL;
    Py_RETURN_NONE;
}

static const char compile_doc[] =
    "compile($self, *, drives=False, sensors=False, repair=False)\n--\n\n"
    "Checks the description and compiles it to a Model, which later edits do not change. See load_model.\n\n"
    "Raises BadModel with every problem.";

static PyObject *spec_compile(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"drives", "sensors", "repair", NULL};
    spec_object *self = (spec_object *)object;
    int drives = 0, sensors = 0, repair = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$ppp:compile", names, &drives, &sensors, &repair)) return NULL;
    ff_plant_options options = ff_plant_options_default();
    options.load.repair = repair;
    options.driven = drives;
    options.sensed = sensors;
    ff_report report = {0};
    ff_plant *plant = NULL;
    ff_model *model = NULL;
    object_owner *k = self->owner;
    if (!guard_begin(k, "Spec.compile")) return NULL;
    if (drives || sensors)
        plant = ff_plant_compile(self->spec, &options, &report);
    else
        model = ff_model_compile(self->spec, &options.load, &report);
    return model_own(guard_end(k), model, plant, &report, FF_BAD_MODEL);
}

static const char save_doc[] = "save($self, path)\n--\n\n"
                               "Writes the robot as MJCF (.xml, .mjcf) or URDF (.urdf). Elements that the format "
                               "cannot express give a footfall.Warning.";

static PyObject *spec_save(PyObject *object, PyObject *path_object)
{
    spec_object *self = (spec_object *)object;
    PyObject *path = read_path(path_object, "path");
    if (!path || !guard_look(self->owner, "Spec")) {
        Py_XDECREF(path);
        return NULL;
    }
    ff_report report = {0};
    const ff_status status = ff_spec_save(self->spec, PyBytes_AsString(path), NULL, &report);
    Py_DECREF(path);
    if (status) return raise_report(&report, status);
    if (!warn_report(&report)) return NULL;
    Py_RETURN_NONE;
}

static PyObject *get_items(PyObject *object, void *which)
{
    const spec_kind *kind = which;
    spec_object *self = (spec_object *)object;
    if (!guard_look(self->owner, "Spec")) return NULL;
    const int count = *item_count(self->spec, kind);
    PyObject *items = PyTuple_New(count);
    for (int i = 0; items && i < count; i++) {
        PyObject *item = item_wrap(object, kind, i);
        if (!item || PyTuple_SetItem(items, i, item) < 0) Py_CLEAR(items);
    }
    return items;
}

static PyObject *get_field(PyObject *object, void *which)
{
    spec_object *self = (spec_object *)object;
    if (!guard_look(self->owner, "Spec")) return NULL;
    return field_get(which, self->spec, (naming){.spec = self->spec});
}

static int set_field(PyObject *object, PyObject *value, void *which)
{
    spec_object *self = (spec_object *)object;
    if (!guard_look(self->owner, "Spec")) return -1;
    return field_set(which, self->spec, value, (naming){.spec = self->spec}) ? 0 : -1;
}

static PyObject *spec_repr(PyObject *object)
{
    const ff_spec *spec = ((spec_object *)object)->spec;
    return format_text("<footfall.Spec \"%.200s\": %d bodies, %d joints>", spec->name ? spec->name : "", spec->nbody,
                       spec->njoint);
}

// ------------------------------------------------------------------------------------------ the types

#define ADD_ROW(word, number)  {"add_" #word, FUNCTION(add_##word), METH_VARARGS | METH_KEYWORDS, NULL},
#define FIND_ROW(word, number) {#word, find_##word, METH_O, "The " #word " of that name. Raises NotFound."},
static PyMethodDef methods[] = {
    ITEMS(ADD_ROW) // documented by document_adders
    {"load", FUNCTION(spec_load), METH_CLASS | METH_VARARGS | METH_KEYWORDS, load_doc},
    {"from_text", FUNCTION(spec_from_text), METH_CLASS | METH_VARARGS | METH_KEYWORDS, from_text_doc},
    {"add_mesh", FUNCTION(add_mesh), METH_VARARGS | METH_KEYWORDS, add_mesh_doc},
    {"attach", FUNCTION(spec_attach), METH_VARARGS | METH_KEYWORDS, attach_doc},
    {"compile", FUNCTION(spec_compile), METH_VARARGS | METH_KEYWORDS, compile_doc},
    {"save", spec_save, METH_O, save_doc},
    ITEMS(FIND_ROW) //
    {"mesh", find_mesh, METH_O, "The mesh of that name. Raises NotFound."},
    {NULL, NULL, 0, NULL},
};

/// @return documentation of the fields of add_body and similar functions, from the table of fields; NULL without memory
static char *document_adder(const spec_kind *kind)
{
    enum { SIZE = 4096 };
    char *text = malloc(SIZE); // for ever, as the type
    if (!text) return NULL;
    const char *first = kind->positional[0], *second = kind->positional[1];
    int n = snprintf(text, SIZE, "add_%s($self, %s%s%s=None%s%s%s, **fields)\n--\n\nAdds a %s and returns it.\n\n",
                     kind->word, kind == &spec_kinds[SPEC_BIPED] ? "" : kind->fields[0].name,
                     kind == &spec_kinds[SPEC_BIPED] ? "" : ", ", first ? first : "", second ? ", " : "",
                     second ? second : "", second ? "=None" : "", kind->word);
    if (!first)
        n = snprintf(text, SIZE, "add_%s($self, %s, **fields)\n--\n\nAdds a %s and returns it.\n\n", kind->word,
                     kind->fields[0].name, kind->word);
    for (const field *f = kind->fields; f->kind != FIELD_END && n < SIZE; f++)
        n += snprintf(text + n, (size_t)(SIZE - n), "%-20s%s\n", f->name, f->help);
    return text;
}

static bool document_adders(void)
{
    for (PyMethodDef *m = methods; m->ml_name; m++)
        for (int i = 0; i < SPEC_KINDS && !m->ml_doc; i++)
            if (strcmp(m->ml_name + 4, spec_kinds[i].word) == 0 && !(m->ml_doc = document_adder(&spec_kinds[i])))
                return PyErr_NoMemory();
    return true;
}

static PyGetSetDef attributes[SPEC_KINDS + sizeof spec_fields / sizeof *spec_fields];

static void fill_attributes(void)
{
    int n = 0;
    for (const field *f = spec_fields; f->kind != FIELD_END; f++)
        attributes[n++] = (PyGetSetDef){f->name, get_field, set_field, f->help, (void *)f};
    for (int i = 0; i < SPEC_KINDS; i++)
        attributes[n++] =
            (PyGetSetDef){spec_kinds[i].list, get_items, NULL, "All of them, as a tuple.", (void *)&spec_kinds[i]};
}

static const char spec_doc[] =
    "Spec(name=None)\n--\n\n"
    "A robot that can be built and edited.\n\n"
    "    spec = ff.Spec(\"pendulum\")\n"
    "    spec.add_body(\"bob\", mass=1.0, com=[0, 0, -1], inertia=[0.01, 0.01, 0.01, 0, 0, 0])\n"
    "    spec.add_joint(\"swing\", \"bob\", \"hinge\", axis=[0, 1, 0], damping=0.1)\n"
    "    model = spec.compile()\n\n"
    "Each add_... takes the fields of an item as keywords. spec.body(\"bob\") returns the item, whose attributes can "
    "be\n"
    "read and set: spec.body(\"bob\").mass = 2.0. Bodies are given by name; None is the world.";
static const char item_doc[] = "A body, joint, ... of a Spec: its fields are attributes. dir(item) lists them.";

static PyMethodDef item_methods[] = {
    {"__dir__", item_dir, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

bool spec_add(PyObject *module)
{
    static PyType_Slot item_slots[] = {
        {Py_tp_doc, (void *)item_doc},
        {Py_tp_dealloc, (void *)item_dealloc},
        {Py_tp_repr, (void *)item_repr},
        {Py_tp_getattro, (void *)item_get},
        {Py_tp_setattro, (void *)item_set},
        {Py_tp_methods, (void *)item_methods},
        {0, NULL},
    };
    static PyType_Slot slots[] = {
        {Py_tp_doc, (void *)spec_doc},
        {Py_tp_new, (void *)spec_new},
        {Py_tp_dealloc, (void *)spec_dealloc},
        {Py_tp_repr, (void *)spec_repr},
        {Py_tp_methods, (void *)methods},
        {Py_tp_getset, (void *)attributes},
        {0, NULL},
    };
    static PyType_Spec item_spec = {
        .name = "footfall.SpecItem",
        .basicsize = sizeof(item_object),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
        .slots = item_slots,
    };
    static PyType_Spec spec = {
        .name = "footfall.Spec",
        .basicsize = sizeof(spec_object),
        .flags = Py_TPFLAGS_DEFAULT,
        .slots = slots,
    };
    fill_attributes();
    return document_adders() && (item_type = type_add(module, &item_spec)) && (spec_type = type_add(module, &spec));
}
