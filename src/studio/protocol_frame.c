// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of binary messages (protocol.h): heads of frames and pictures, sections of frames. Everything is
// little-endian; numbers of sections are 32-bit floats, NaN where they are not finite.
#include "protocol.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

// One number a line.
// clang-format off
#define NUMBERS(...) \
    (const ff_protocol_number[]){__VA_ARGS__}, COUNT(((const ff_protocol_number[]){__VA_ARGS__}))
#define NUMBER(head, type, member, unit, help) \
    {#member, #type, (unsigned)offsetof(head, member), unit, help},
#define IN_FRAME(...)   NUMBER(ff_frame_head, __VA_ARGS__)
#define IN_SECTION(...) NUMBER(ff_section_head, __VA_ARGS__)
#define IN_PICTURE(...) NUMBER(ff_picture_head, __VA_ARGS__)
#define IN_BATCH(...)   NUMBER(ff_batch_head, __VA_ARGS__)

const ff_protocol_head ff_protocol_heads[] = {
    {"FrameHead", "Head of a frame.", FF_FRAME_MAGIC, sizeof(ff_frame_head), NUMBERS(
        FF_FRAME_HEAD(IN_FRAME)
        {"running", "bit", FF_FRAME_RUNNING, "", "it runs"},
        {"ended", "bit", FF_FRAME_ENDED, "", "`ended` of `state` is not null"},
        {"failed", "bit", FF_FRAME_FAILED, "", "it diverged; the frame has coordinates only"},
        {"recording", "bit", FF_FRAME_RECORDING, "", "the recording is not full"})},
    {"SectionHead", "Head of a section of a frame.", 0, sizeof(ff_section_head), NUMBERS(FF_SECTION_HEAD(IN_SECTION))},
    {"PictureHead", "Head of a picture; RGB follows, row by row from above.", FF_PICTURE_MAGIC, sizeof(ff_picture_head),
     NUMBERS(FF_PICTURE_HEAD(IN_PICTURE))},
    {"BatchHead",
     "Head of a frame of a batch; its rows follow. End of a robot: 0 it lives, 1 diverged, 2 fell, 3 ended by its "
     "condition.",
     FF_BATCH_MAGIC, sizeof(ff_batch_head), NUMBERS(FF_BATCH_HEAD(IN_BATCH))},
};
const int ff_protocol_head_count = COUNT(ff_protocol_heads);
// clang-format on

#define COLUMNS(...) (const char *const[]){__VA_ARGS__}, COUNT(((const char *const[]){__VA_ARGS__}))

const ff_protocol_section ff_protocol_sections[] = {
    {"q", FF_SECTION_Q, NULL, 0, "coordinates of the model, one row of `nq`"},
    {"contacts", FF_SECTION_CONTACTS,
     COLUMNS("x", "y", "z", "force_x", "force_y", "force_z", "slips", "body1", "body2", "leg"),
     "point [m] and force on body 2 [N] in the world; slips: 0 or 1; body 2: -1 is the world; a fixed body "
     "is body 1; leg: its number, or -1"},
    {"coms", FF_SECTION_COMS,
     COLUMNS("robot", "x", "y", "z", "cop_x", "cop_y", "cop_z", "dcm_x", "dcm_y", "dcm_z", "zmp_x", "zmp_y"),
     "centres of mass of the robots, centres of pressure and capture points of their feet (NaN where none carries), "
     "planned zero moment point in the frame of the plan (NaN: none) [m]"},
    {"outside", FF_SECTION_OUTSIDE, COLUMNS("body", "x", "y", "z", "force_x", "force_y", "force_z"),
     "external forces: point [m] and force [N] in the world"},
    {"rays", FF_SECTION_RAYS, COLUMNS("from_x", "from_y", "from_z", "to_x", "to_y", "to_z", "hit"),
     "rays of distance sensors, along their axes [m]; hit: 0 or 1"},
    {"rows", FF_SECTION_ROWS, NULL, 0,
     "rows of watched channels: t, values. Taken after the first step at or beyond their time. 512 KiB of them wait "
     "for a slow page, then the oldest are dropped"},
    {"limbs", FF_SECTION_LIMBS,
     COLUMNS("touch", "force_x", "force_y", "force_z", "wanted", "cop_x", "cop_y", "cop_z", "moment_x", "moment_y",
             "moment_z", "load", "plan_x", "plan_y", "plan_yaw"),
     "`limbs` in order: touch 0 or 1, force [N], wanted vertical force [N], [centre of "
     "pressure](contact.md#in-a-simulation) [m], moment about it [N m]; plan: share of the load, position [m], heading "
     "[rad]; NaN: none"},
};
const int ff_protocol_section_count = COUNT(ff_protocol_sections);

int ff_protocol_width(int tag)
{
    for (int i = 0; i < ff_protocol_section_count; i++)
        if (ff_protocol_sections[i].tag == tag) return ff_protocol_sections[i].width;
    return 0;
}
