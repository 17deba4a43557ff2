// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "fields.h"

#include <footfall/text.h>

#include <string.h>

// ------------------------------------------------------------------------------------------ names

static const char *same_text(const void *names, int i)
{
    return ((const char *const *)names)[i];
}

static PyObject *raise_missing(const char *name, const char *kind, const char *(*name_of)(const void *, int),
                               const void *all, int count)
{
    const char **names = PyMem_Calloc((size_t)count + 1, sizeof *names);
    int n = 0;
    for (int i = 0; names && i < count; i++)
        if (name_of(all, i)) names[n++] = name_of(all, i);
    const char *near = names ? ff_text_nearest(name, names, n) : NULL;
    if (near)
        raise_status(FF_NOT_FOUND, "no %s '%.80s': did you mean '%.80s'?", kind, name, near);
    else if (n == 0)
        raise_status(FF_NOT_FOUND, "no %s '%.80s': there are none", kind, name);
    else
        raise_status(FF_NOT_FOUND, "no %s '%.80s': there are %d, the first is '%.80s'", kind, name, n, names[0]);
    PyMem_Free(names);
    return NULL;
}

int find_name(PyObject *object, const char *kind, const char *(*name_of)(const void *, int), const void *all, int count)
{
    if (!PyUnicode_Check(object)) {
        PyErr_Format(PyExc_TypeError, "a %s is named by a str, not %R", kind, Py_TYPE(object));
        return -1;
    }
    const char *name = read_text(object, kind);
    if (!name) return -1;
    for (int i = 0; i < count; i++)
        if (name_of(all, i) && strcmp(name_of(all, i), name) == 0) return i;
    raise_missing(name, kind, name_of, all, count);
    return -1;
}

PyObject *list_names(const char *(*name_of)(const void *, int), const void *all, int count)
{
    PyObject *names = PyTuple_New(count);
    for (int i = 0; names && i < count; i++) {
        const char *name = name_of(all, i);
        PyObject *text = PyUnicode_FromString(name ? name : "");
        if (!text || PyTuple_SetItem(names, i, text) < 0) Py_CLEAR(names);
    }
    return names;
}

static const char *model_body(const void *model, int i)
{
    return ((const ff_model *)model)->bodies[i].name;
}

static const char *spec_body(const void *spec, int i)
{
    return ((const ff_spec *)spec)->bodies[i].name;
}

static const char *spec_mesh(const void *spec, int i)
{
    return ((const ff_spec *)spec)->meshes[i].name;
}

static const char *word_at(const void *at, int i)
{
    const field *f = at;
    return f->word ? f->word(i) : f->words[i];
}

static int count_words(const field *f)
{
    int n = 0;
    while (word_at(f, n)) n++;
    return n;
}

// ------------------------------------------------------------------------------------------ reading

static PyObject *get_text(const char *text)
{
    return text ? PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace") : Py_NewRef(Py_None);
}

static PyObject *get_settings(const ff_spec_setting *settings, int count)
{
    PyObject *dict = PyDict_New();
    for (int i = 0; dict && i < count; i++) {
        const ff_spec_setting *s = &settings[i];
        PyObject *value = s->word         ? get_text(s->word)
                          : s->count == 1 ? PyFloat_FromDouble(s->values[0])
                                          : array_copy(s->values, s->count);
        if (!value || PyDict_SetItemString(dict, s->name, value) < 0) Py_CLEAR(dict);
        Py_XDECREF(value);
    }
    return dict;
}

static PyObject *get_points(const double *points, int count)
{
    double *numbers;
    PyObject *array = array_new(count, 2, &numbers);
    if (array && count > 0) memcpy(numbers, points, 2 * (size_t)count * sizeof *numbers);
    return array;
}

/// @return value of an int or an enum
static int whole_at(const char *at)
{
    int number;
    memcpy(&number, at, sizeof number);
    return number;
}

static PyObject *get_word(const field *f, int number)
{
    return get_text(number >= 0 && number < count_words(f) ? word_at(f, number) : NULL);
}

static PyObject *get_body(naming of, int number)
{
    if (number < 0) Py_RETURN_NONE;
    return get_text(of.model ? model_body(of.model, number) : spec_body(of.spec, number));
}

static PyObject *get_row(const field *fields, const char *item, naming of)
{
    PyObject *row = PyDict_New();
    for (const field *f = fields; row && f->kind != FIELD_END; f++) {
        PyObject *value = field_get(f, item, of);
        if (!value || PyDict_SetItemString(row, f->name, value) < 0) Py_CLEAR(row);
        Py_XDECREF(value);
    }
    return row;
}

static PyObject *get_rows(const field *f, const char *items, int count, naming of)
{
    PyObject *rows = PyList_New(count);
    for (int i = 0; rows && i < count; i++) {
        PyObject *row = get_row(f->rows, items + (size_t)i * (size_t)f->size, of);
        if (!row || PyList_SetItem(rows, i, row) < 0) Py_CLEAR(rows);
    }
    return rows;
}

PyObject *field_get(const field *f, const void *item, naming of)
{
    const char *at = (const char *)item + f->offset;
    const int count = f->count ? *(const int *)((const char *)item + f->count) : 0;
    switch (f->kind) {
    case FIELD_NUMBER:
        return PyFloat_FromDouble(*(const double *)at);
    case FIELD_SOME:
    case FIELD_NUMBERS:
        return array_copy((const double *)at, f->size);
    case FIELD_POINTS:
        return get_points((const double *)at, count);
    case FIELD_FLAG:
        return PyBool_FromLong(*(const bool *)at);
    case FIELD_WHOLE:
        return PyLong_FromLong(whole_at(at));
    case FIELD_COUNT:
        return PyLong_FromLongLong(*(const long long *)at);
    case FIELD_TEXT:
        return get_text(*(const char *const *)at);
    case FIELD_NAME:
        return get_text(at);
    case FIELD_WORD:
        return get_word(f, whole_at(at));
    case FIELD_BODY:
        return get_body(of, whole_at(at));
    case FIELD_MESH:
        return get_text(whole_at(at) < 0 ? NULL : spec_mesh(of.spec, whole_at(at)));
    case FIELD_ARRAY:
        return *(double *const *)at ? array_copy(*(double *const *)at, count) : Py_NewRef(Py_None);
    case FIELD_TEXTS:
        return list_names(same_text, at, count);
    case FIELD_SETTINGS:
        return get_settings(*(ff_spec_setting *const *)at, count);
    case FIELD_ROWS:
        return get_rows(f, *(const char *const *)at, count, of);
    case FIELD_END:
        break;
    }
    Py_RETURN_NONE;
}

// ------------------------------------------------------------------------------------------ writing

static bool read_optional(PyObject *value, const char *name, const char **out)
{
    *out = value == Py_None ? NULL : read_text(value, name);
    return *out || value == Py_None;
}

static bool set_text(const char **at, PyObject *value, const char *name, ff_spec *spec)
{
    const char *text = NULL;
    if (!read_optional(value, name, &text)) return false;
    const char *copy = ff_spec_text(spec, text);
    if (text && !copy) return PyErr_NoMemory();
    *at = copy;
    return true;
}

static bool set_whole(int *at, PyObject *value, const char *name)
{
    const long number = PyLong_Check(value) ? PyLong_AsLong(value) : -1;
    if (!PyLong_Check(value)) return PyErr_Format(PyExc_TypeError, "%s must be an int, not %R", name, Py_TYPE(value));
    if (PyErr_Occurred()) return false;
    if (number != (int)number) return raise_status(FF_BAD_ARGUMENT, "%s is %ld: that is too large", name, number);
    *at = (int)number;
    return true;
}

static bool set_index(int *at, PyObject *value, const char *kind, const char *(*name_of)(const void *, int),
                      const void *all, int count)
{
    if (value == Py_None) return *at = -1, true;
    const int index = find_name(value, kind, name_of, all, count);
    if (index >= 0) *at = index;
    return index >= 0;
}

/// @return a copy of any number of values, in the arena of the spec
static double *copy_numbers(PyObject *value, const char *name, ff_spec *spec, int *count)
{
    const Py_ssize_t length = PySequence_Size(value);
    if (length < 0 || length > INT32_MAX) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s must be a list of numbers, not %R", name, Py_TYPE(value));
        return NULL;
    }
    double *numbers = FF_ARENA_NEW(&spec->arena, double, length + 1);
    if (!numbers) PyErr_NoMemory();
    if (!numbers || !read_numbers(value, name, length, numbers)) return NULL;
    *count = (int)length;
    return numbers;
}

static bool set_some(double *at, int most, PyObject *value, const char *name)
{
    double numbers[16] = {0.0};
    FF_ASSERT(most <= 16);
    const Py_ssize_t length = PyNumber_Check(value) && !PySequence_Check(value) ? 0 : PySequence_Size(value);
    if (length < 0) return false;
    if (length > most) return raise_status(FF_BAD_ARGUMENT, "%s has %zd numbers: it may have %d", name, length, most);
    const bool read = length == 0 ? read_number(value, name, numbers) : read_numbers(value, name, length, numbers);
    if (read) memcpy(at, numbers, (size_t)most * sizeof *at);
    return read;
}

static bool set_array(double **at, int *count, PyObject *value, const char *name, ff_spec *spec)
{
    if (value == Py_None) return *at = NULL, *count = 0, true;
    double *numbers = copy_numbers(value, name, spec, count);
    if (numbers) *at = numbers;
    return numbers != NULL;
}

static bool set_texts(const char **at, int most, int *count, PyObject *value, const char *name, ff_spec *spec)
{
    texts t;
    if (!texts_read(value, name, &t)) return false;
    bool fine =
        t.count <= most || raise_status(FF_BAD_ARGUMENT, "%s has %d items: there may be %d", name, t.count, most);
    for (int i = 0; fine && i < t.count; i++) fine = (at[i] = ff_spec_text(spec, t.items[i])) || PyErr_NoMemory();
    if (fine) *count = t.count;
    texts_clear(&t);
    return fine;
}

static bool set_points(double *at, int most, int *count, PyObject *value, const char *name)
{
    const Py_ssize_t rows = PySequence_Size(value);
    if (rows < 0) return false;
    if (rows > most) return raise_status(FF_BAD_ARGUMENT, "%s has %zd points: there may be %d", name, rows, most);
    for (Py_ssize_t i = 0; i < rows; i++) {
        PyObject *row = PySequence_GetItem(value, i);
        const bool read = row && read_numbers(row, name, 2, &at[2 * i]);
        Py_XDECREF(row);
        if (!read) return false;
    }
    *count = (int)rows;
    return true;
}

static bool set_setting(ff_spec_setting *s, PyObject *key, PyObject *value, ff_spec *spec)
{
    if (!set_text(&s->name, key, "a setting", spec)) return false;
    if (PyUnicode_Check(value)) return set_text(&s->word, value, s->name, spec);
    s->count = 1;
    double *numbers = PyFloat_Check(value) || PyLong_Check(value) ? FF_ARENA_NEW(&spec->arena, double, 1)
                                                                  : copy_numbers(value, s->name, spec, &s->count);
    if (!numbers) return PyErr_Occurred() ? false : PyErr_NoMemory() != NULL;
    s->values = numbers;
    return !(PyFloat_Check(value) || PyLong_Check(value)) || read_number(value, s->name, numbers);
}

static bool set_settings(ff_spec_setting **at, int *count, PyObject *value, const char *name, ff_spec *spec)
{
    if (!PyDict_Check(value)) return PyErr_Format(PyExc_TypeError, "%s must be a dict, not %R", name, Py_TYPE(value));
    ff_spec_setting *settings = FF_ARENA_NEW(&spec->arena, ff_spec_setting, PyDict_Size(value) + 1);
    if (!settings) return PyErr_NoMemory();
    PyObject *key, *one;
    int n = 0;
    for (Py_ssize_t i = 0; PyDict_Next(value, &i, &key, &one); n++)
        if (!set_setting(&settings[n], key, one, spec)) return false;
    *at = settings;
    *count = n;
    return true;
}

static bool set_row(const field *f, char *item, PyObject *row, naming of)
{
    PyObject *key, *value;
    if (!PyDict_Check(row))
        return PyErr_Format(PyExc_TypeError, "%s must be a list of dicts, not of %R", f->name, Py_TYPE(row));
    memcpy(item, f->blank, (size_t)f->size);
    for (Py_ssize_t i = 0; PyDict_Next(row, &i, &key, &value);) {
        const field *own = field_find(f->rows, key, f->name);
        if (!own || !field_set(own, item, value, of)) return false;
    }
    return true;
}

/// Allocates twice the size, so that C may append items.
static bool set_rows(const field *f, char **at, int *count, PyObject *value, naming of)
{
    const Py_ssize_t n = PySequence_Size(value);
    if (n < 0) return false;
    char *items = ff_arena_alloc(&of.spec->arena, 2 * (size_t)n + 1, (size_t)f->size);
    if (!items) return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *row = PySequence_GetItem(value, i);
        const bool read = row && set_row(f, items + (size_t)i * (size_t)f->size, row, of);
        Py_XDECREF(row);
        if (!read) return false;
    }
    *at = items;
    *count = (int)n;
    return true;
}

static bool set_name(char *at, int size, PyObject *value, const char *name)
{
    const char *text = NULL;
    if (!read_optional(value, name, &text)) return false;
    if (!text || strlen(text) >= (size_t)size)
        return raise_status(FF_BAD_ARGUMENT, "%s must have 1 to %d characters", name, size - 1);
    strcpy(at, text);
    return true;
}

static bool set_flag(bool *at, PyObject *value)
{
    const int is = PyObject_IsTrue(value);
    if (is >= 0) *at = is;
    return is >= 0;
}

static bool write_field(const field *f, char *item, PyObject *value, naming of)
{
    char *at = item + f->offset;
    int *count = (int *)(item + f->count);
    switch (f->kind) {
    case FIELD_NUMBER:
        return read_number(value, f->name, (double *)at);
    case FIELD_NUMBERS:
        return read_numbers(value, f->name, f->size, (double *)at);
    case FIELD_SOME:
        return set_some((double *)at, f->size, value, f->name);
    case FIELD_POINTS:
        return set_points((double *)at, f->size, count, value, f->name);
    case FIELD_FLAG:
        return set_flag((bool *)at, value);
    case FIELD_WHOLE:
        return set_whole((int *)at, value, f->name);
    case FIELD_TEXT:
        return set_text((const char **)at, value, f->name, of.spec);
    case FIELD_NAME:
        return set_name(at, f->size, value, f->name);
    case FIELD_WORD:
        return set_index((int *)at, value, f->name, word_at, f, count_words(f));
    case FIELD_BODY:
        return set_index((int *)at, value, "body", spec_body, of.spec, of.spec->nbody);
    case FIELD_MESH:
        return set_index((int *)at, value, "mesh", spec_mesh, of.spec, of.spec->nmesh);
    case FIELD_ARRAY:
        return set_array((double **)at, count, value, f->name, of.spec);
    case FIELD_TEXTS:
        return set_texts((const char **)at, f->size, count, value, f->name, of.spec);
    case FIELD_SETTINGS:
        return set_settings((ff_spec_setting **)at, count, value, f->name, of.spec);
    case FIELD_ROWS:
        return set_rows(f, (char **)at, count, value, of);
    case FIELD_COUNT:
    case FIELD_END:
        break;
    }
    return PyErr_Format(PyExc_AttributeError, "%s cannot be set", f->name);
}

bool field_set(const field *f, void *item, PyObject *value, naming of)
{
    if (!value) return PyErr_Format(PyExc_AttributeError, "%s cannot be deleted", f->name);
    if (!write_field(f, item, value, of)) return false;
    if (f->implies) *(bool *)((char *)item + f->implies) = value != Py_None;
    return true;
}

static const char *field_name(const void *fields, int i)
{
    return ((const field *)fields)[i].name;
}

static int count_fields(const field *fields)
{
    int n = 0;
    while (fields[n].kind != FIELD_END) n++;
    return n;
}

const field *field_find(const field *fields, PyObject *name, const char *what)
{
    const int i = find_name(name, what, field_name, fields, count_fields(fields));
    return i < 0 ? NULL : &fields[i];
}

// ------------------------------------------------------------------------------------------ records

PyTypeObject *record_add(PyObject *module, const char *name, const char *help, const field *fields)
{
    enum { MOST = 32 };
    PyStructSequence_Field members[MOST + 1] = {{NULL, NULL}};
    const int count = count_fields(fields);
    FF_ASSERT(count <= MOST);
    for (int i = 0; i < count; i++) members[i] = (PyStructSequence_Field){fields[i].name, fields[i].help};
    PyStructSequence_Desc description = {name, help, members, count};
    PyTypeObject *type = PyStructSequence_NewType(&description);
    if (type && PyModule_AddType(module, type) < 0) Py_CLEAR(type);
    return type;
}

PyObject *record_make(PyTypeObject *type, const field *fields, const void *item, naming of)
{
    PyObject *record = PyStructSequence_New(type);
    for (int i = 0; record && fields[i].kind != FIELD_END; i++) {
        PyObject *value = field_get(&fields[i], item, of);
        if (value)
            PyStructSequence_SetItem(record, i, value);
        else
            Py_CLEAR(record);
    }
    return record;
}
