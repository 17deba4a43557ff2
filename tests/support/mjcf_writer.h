// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes a compiled model as MJCF, so that MuJoCo can be asked about any robot Footfall reads.
#ifndef FOOTFALL_TESTS_MJCF_WRITER_H
#define FOOTFALL_TESTS_MJCF_WRITER_H

#include <footfall/dyn.h>

/// The rigid-body system of a model as MJCF text for MuJoCo 2.2.2: the same bodies in the same order under the same
/// names, the same q and v, masses, armature, gravity, and the springs, dampers, dry friction and ranges of the joints.
/// Shapes, actuators and sensors stay out.
/// @param trouble  receives why there is no text, at most `size` bytes
/// @return text to free, or NULL: out of memory, or MuJoCo has no such thing (a free joint on a body fixed to the
/// world)
char *mjcf_write(const ff_model *model, char *trouble, size_t size);
/// The same with what collides: the spheres, capsules, boxes and planes of the model whose role is collision, with
/// their filters and friction; everything else about contact as MuJoCo has it by default.
/// @param step  length of a step  [s]
char *mjcf_write_contacts(const ff_model *model, double step, char *trouble, size_t size);

#endif
