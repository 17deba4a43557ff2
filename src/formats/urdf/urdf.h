// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the parts of the URDF reader share. Order of work: collect links, joints and colours by name (urdf.c), check
// that they form one tree (tree.c), walk the tree depth-first and add each link with its joint and shapes (joint.c,
// shape.c, contact.c), then add transmissions (joint.c) and sensors (sensor.c), and list what was not read.
#ifndef FOOTFALL_URDF_URDF_H
#define FOOTFALL_URDF_URDF_H

#include "files/format.h"
#include "text/names.h"
#include "text/xml.h"

/// Contact numbers of a link or a shape; NAN where the file gives none.
typedef struct urdf_contact {
    double mu_static, mu_kinetic;
    double torsion, rolling; // lever arms                                     [m]
    double stiffness;        // [N/m]
    double damping;          // beside the spring, as Bullet and Gazebo have it [N s/m]
    double dissipation;      // of Hunt and Crossley's law, as Drake has it     [s/m]
    double restitution;
    ff_place place; // of the first number
    bool given;
} urdf_contact;

typedef struct urdf_link {
    ff_xml *node;
    const char *name;
    int joint;                   // that holds it, -1 for a root
    int first_child, last_child; // joints below, in the order of the file; -1 for none
    int body;                    // in the spec, once added
    int mark;                    // scratch of the loop search
    urdf_contact contact;        // of all its shapes
} urdf_link;

typedef struct urdf_joint {
    ff_xml *node;
    const char *name;
    int parent, child; // links, -1 when unknown
    int next;          // next joint of the same parent, -1 for none
    int spec_joint;    // in the spec, -1 for a fixed joint
    int mark;          // scratch of the mimic check
    bool any_effort;   // the file says that its effort has no limit
} urdf_joint;

typedef struct urdf_colour {
    const char *name;
    double rgba[4];
    bool known; // a colour was given, not only a name or a texture
} urdf_colour;

typedef struct urdf_reader {
    ff_spec *spec;
    const ff_load_options *options;
    ff_report *report;
    const char *file;
    ff_arena arena; // scratch: the XML tree and the tables below
    ff_xml *root;
    urdf_link *links;
    urdf_joint *joints;
    urdf_colour *colours;
    int nlink, njoint, ncolour;
    ff_names link_names, joint_names, colour_names;
    ff_names mesh_keys;  // reference and scale -> mesh of the spec
    ff_names mesh_names; // names given so far
    int tree_root;       // link
    bool out_of_memory;
} urdf_reader;

ff_status urdf_read(ff_spec *spec, const ff_robot_text *from, ff_report *report);         // urdf.c
char *urdf_write(const ff_spec *spec, const ff_load_options *options, ff_report *report); // write.c

// element.c
/// False, and remembered, when a pointer is NULL because memory ran out.
bool urdf_has_memory(urdf_reader *r, const void *memory);
/// <origin xyz rpy> below `node`; the identity when absent.
void urdf_read_origin(urdf_reader *r, ff_xml *node, double pos[3], double quat[4]);
/// Child element, marked as read.
ff_xml *urdf_take(ff_xml *node, const char *name);

/// tree.c: parents, children, one root, no loops; false when there are more than `errors` errors afterwards
bool urdf_connect(urdf_reader *r, int errors);
void urdf_add_tree(urdf_reader *r);                        // tree.c: bodies and joints, depth-first
void urdf_read_link(urdf_reader *r, int index, int body);  // shape.c: inertial, visual, collision
void urdf_read_colours(urdf_reader *r);                    // shape.c
void urdf_read_joint(urdf_reader *r, int index, int body); // joint.c
void urdf_read_mimics(urdf_reader *r);                     // joint.c
void urdf_read_transmissions(urdf_reader *r);              // joint.c
void urdf_drive_joints(urdf_reader *r);                    // drive.c: of a file without transmissions
void urdf_read_contacts(urdf_reader *r);                   // contact.c: numbers of links by <contact> and <gazebo>
/// contact.c: the material of a <collision>, from the numbers of its link and its own <drake:proximity_properties>
void urdf_give_material(urdf_reader *r, const urdf_link *link, ff_xml *collision, ff_spec_geom *geom);
void urdf_read_sensors(urdf_reader *r); // sensor.c: sensors of <gazebo>
void urdf_read_filters(urdf_reader *r); // contact.c: bodies that never meet
/// contact.c: why an element or attribute about contact is not used, and what to write instead; NULL: no reason is
/// needed.
const char *urdf_contact_reason(const char *element, const char *attribute);

#endif
