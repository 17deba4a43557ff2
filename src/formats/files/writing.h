// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the writers of MJCF and URDF share: a growing XML text, the description with its compiled model, and a list of
// what a format cannot describe. The model has the order of bodies, masses as numbers and resolved references; poses
// and names come from the description.
#ifndef FOOTFALL_FILES_WRITING_H
#define FOOTFALL_FILES_WRITING_H

#include <footfall/model.h>

/// Something that the format cannot express, reported once however often it occurs.
typedef struct ff_omission {
    const char *what; // a sentence in static memory
    const char *name; // of the first item
    ff_place place;   // of the first item
    int count;        // of such items
} ff_omission;

enum { FF_MOST_OMISSIONS = 64 };

/// A frame that the robot does not have, but the format needs.
typedef struct ff_extra_frame {
    const char *name;
    int body; // of the model, -1: world
    double pos[3], quat[4];
} ff_extra_frame;

typedef struct ff_writing {
    const ff_spec *spec;
    const ff_model *model;
    ff_report *report;
    ff_arena arena;
    const int *spec_body;  // model body -> spec body
    const int *model_body; // spec body -> model body
    const int *spec_joint; // model joint -> spec joint
    const int *geoms;      // numbers of shapes by body of the model: those of body b, or -1, the world, are
    const int *first;      // geoms[first[b + 1]] to geoms[first[b + 2] - 1]
    char *text;            // malloc'ed
    size_t length, capacity;
    bool no_memory;
    ff_omission omissions[FF_MOST_OMISSIONS];
    int nomission;
    ff_extra_frame *extra; // malloc'ed
    int nextra, extra_capacity;
} ff_writing;

/// Compiles the description and prepares to write it. False when reported.
bool ff_writing_begin(ff_writing *w, const ff_spec *spec, const ff_load_options *options, ff_report *report);
/// Reports what was left out and frees everything but the text, which it returns; NULL with the reason in the report.
char *ff_writing_end(ff_writing *w);

/// Append text as it is; ff_put_format at most 511 characters.
void ff_put_format(ff_writing *w, const char *format, ...) FF_PRINTF(2, 3);
void ff_put_raw(ff_writing *w, const char *text);
/// ` name="value"`, escaped.
void ff_put_text(ff_writing *w, const char *name, const char *value);
/// ` name="1 2 3"`; numbers are read back bit-identical.
void ff_put_numbers(ff_writing *w, const char *name, const double *values, int count);
void ff_put_number(ff_writing *w, const char *name, double value);
/// `<name>1</name>`.
void ff_put_element(ff_writing *w, const char *name, double value);
/// ` name="1"` unless the value is the standard one of the format.
void ff_put_unless(ff_writing *w, const char *name, double value, double standard);

/// Records that something of the robot is not written. @param what  a sentence in static memory
void ff_report_omission(ff_writing *w, const char *what, const char *name, ff_place place);

/// Body of the model for a body of the description.
int ff_writing_body(const ff_writing *w, int spec_body);
/// Adds a frame under a free name that begins with `name`; the body by its number in the model. NULL: no memory.
const char *ff_writing_add_frame(ff_writing *w, const char *name, int body, const double pos[3], const double quat[4]);
/// Pose of a body in the world with all joints at their reference.
void ff_writing_rest(const ff_writing *w, int body, double pos[3], double quat[4]);
/// Absolute path of the file of a mesh, to free; NULL where there is none, or where the vertices are more than scaled
/// ones of the file, since MJCF can also move and turn meshes.
char *ff_writing_mesh_file(const ff_spec_mesh *mesh);
/// Numbers of a contact material by its name; false when there is none.
bool ff_writing_material(const ff_writing *w, const char *name, ff_material *out);

#endif
