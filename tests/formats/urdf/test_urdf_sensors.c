// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors of Gazebo in URDF files: what becomes of each kind, what is listed as not modelled, and what is wrong with
// its place.
#include "urdf/urdf_helpers.h"

#include <footfall/math.h>

#define ROBOT(middle)                                                                                                  \
    "<robot name='r'><link name='base'/>\n"                                                                            \
    "<link name='foot'><collision name='heel'><geometry><sphere radius='0.1'/></geometry></collision>"                 \
    "<collision name='toe'><geometry><sphere radius='0.1'/></geometry></collision></link>\n"                           \
    "<joint name='ankle' type='continuous'><parent link='base'/><child link='foot'/></joint>\n" middle "</robot>"

static const ff_spec_setting *setting(const ff_spec_sensor *s, const char *name)
{
    for (int i = 0; i < s->nsetting; i++)
        if (strcmp(s->settings[i].name, name) == 0) return &s->settings[i];
    CHECK_FAIL("sensor %s has no %s", s->name, name);
    return NULL;
}

static double number_of(const ff_spec_sensor *s, const char *name, int i)
{
    const ff_spec_setting *x = setting(s, name);
    if (i >= x->count) CHECK_FAIL("%s of %s has %d numbers", name, s->name, x->count);
    return x->values[i];
}

static bool lists(const char *words)
{
    for (int i = 0; i < spec->nignored; i++)
        if (strstr(spec->ignored[i].what, words)) return true;
    return false;
}

TEST(imu_keeps_rate_place_noise_and_bias)
{
    parse_clean(ROBOT("<gazebo reference='foot'><sensor name='imu' type='imu'><always_on>1</always_on>\n"
                      "<update_rate>200</update_rate><pose>0.1 0 0.2 0 0 1.5707963267948966</pose><imu>\n"
                      "<angular_velocity><x><noise type='gaussian'><mean>0.001</mean><stddev>2e-4</stddev>"
                      "<bias_mean>0.0005</bias_mean></noise></x>"
                      "<y><noise type='gaussian'><stddev>3e-4</stddev></noise></y></angular_velocity>\n"
                      "<linear_acceleration><z><noise type='gaussian'><stddev>0.017</stddev></noise></z>"
                      "</linear_acceleration></imu></sensor></gazebo>"));
    CHECK_INT(spec->nsensor, 1);
    CHECK_INT(spec->nignored, 0);
    const ff_spec_sensor *s = &spec->sensors[0];
    CHECK(strcmp(s->type, "imu") == 0 && strcmp(s->object_type, "site") == 0 && s->place.line == 4);
    CHECK(number_of(s, "rate", 0) == 200.0);
    CHECK(number_of(s, "noise", 0) == 2e-4 && number_of(s, "noise", 1) == 3e-4 && number_of(s, "noise", 2) == 0.0);
    CHECK(number_of(s, "noise", 5) == 0.017 && number_of(s, "noise", 7) == 0.0);
    CHECK_NEAR(number_of(s, "bias", 0), 0.0015, 1e-15);
    CHECK_INT(spec->nframe, 1);
    CHECK_NEAR(spec->frames[0].pos[2], 0.2, 0.0);
    CHECK_NEAR(spec->frames[0].quat[3], sqrt(0.5), 1e-15);
}

TEST(older_imu_gives_noise_for_all_axes)
{
    parse_clean(ROBOT("<gazebo reference='base'><sensor name='imu' type='imu'><imu><noise><type>gaussian</type>"
                      "<rate><mean>0</mean><stddev>2e-4</stddev></rate><accel><stddev>0.01</stddev></accel>"
                      "</noise></imu></sensor></gazebo>"));
    const ff_spec_sensor *s = &spec->sensors[0];
    CHECK(strcmp(s->object_type, "body") == 0 && strcmp(s->object, "base") == 0);
    CHECK(number_of(s, "noise", 2) == 2e-4 && number_of(s, "noise", 3) == 0.01 && number_of(s, "noise", 6) == 0.0);
}

// 90 degrees across 800 pixels are 2 atan(0.75) over 600.
TEST(camera_gets_the_vertical_angle)
{
    parse_clean(ROBOT("<gazebo reference='base'><sensor name='eye' type='camera'><update_rate>30.0</update_rate>"
                      "<camera name='head'><horizontal_fov>1.5707963267948966</horizontal_fov><image><width>800</width>"
                      "<height>600</height><format>R8G8B8</format></image><clip><near>0.02</near><far>300</far></clip>"
                      "<noise><type>gaussian</type><mean>0.0</mean><stddev>0.007</stddev></noise></camera>"
                      "</sensor></gazebo>"));
    const ff_spec_sensor *s = &spec->sensors[0];
    CHECK(strcmp(s->type, "camera") == 0 && spec->nignored == 0);
    CHECK_NEAR(number_of(s, "field", 0), 2.0 * atan(0.75), 1e-15);
    CHECK(number_of(s, "width", 0) == 800.0 && number_of(s, "height", 0) == 600.0 && number_of(s, "far", 0) == 300.0);
    CHECK(number_of(s, "noise", 0) == 0.007);
}

TEST(force_sits_on_the_child_of_its_joint)
{
    parse_clean(ROBOT("<gazebo reference='ankle'><sensor name='ft' type='force_torque'><update_rate>500</update_rate>"
                      "<force_torque><frame>child</frame><measure_direction>child_to_parent</measure_direction>"
                      "</force_torque></sensor></gazebo>"));
    CHECK(strcmp(spec->sensors[0].type, "force6") == 0 && strcmp(spec->sensors[0].object, "foot") == 0);
    CHECK_INT(spec->nignored, 0);
    parse_clean(
        ROBOT("<gazebo reference='ankle'><sensor name='ft' type='force_torque'><force_torque><frame>parent</frame>"
              "<measure_direction>parent_to_child</measure_direction></force_torque></sensor></gazebo>"));
    CHECK(lists("axes of the child") && lists("opposite sign"));
}

TEST(contact_touches_the_shape_it_names_or_the_whole_link)
{
    parse_clean(ROBOT("<gazebo reference='foot'><sensor name='bump' type='contact'><contact><collision>toe</collision>"
                      "</contact></sensor><sensor name='bump' type='contact'><contact><collision>other</collision>"
                      "</contact></sensor></gazebo>"));
    CHECK_INT(spec->nsensor, 2);
    CHECK(strcmp(spec->sensors[0].type, "touch") == 0 && strcmp(setting(&spec->sensors[0], "shape")->word, "toe") == 0);
    CHECK(strcmp(spec->sensors[1].name, "bump_2") == 0 && spec->sensors[1].nsetting == 0);
    CHECK(lists("all shapes of the link count"));
}

TEST(single_rays_and_sonars_measure_distances_and_scans_are_listed)
{
    parse_clean(
        ROBOT("<gazebo reference='base'><sensor name='laser' type='gpu_ray'><ray><scan><horizontal>"
              "<samples>1</samples><resolution>1</resolution><min_angle>0</min_angle><max_angle>0</max_angle>"
              "</horizontal></scan><range><min>0.1</min><max>8</max></range>"
              "<noise><type>gaussian</type><stddev>0.01</stddev></noise></ray></sensor>"
              "<sensor name='sonar' type='sonar'><sonar><min>0.2</min><max>2</max><radius>1</radius></sonar></sensor>"
              "<sensor name='scan' type='ray'><ray><scan><horizontal><samples>720</samples></horizontal></scan>"
              "</ray></sensor><sensor name='where' type='gps'><gps/></sensor></gazebo>"));
    CHECK_INT(spec->nsensor, 2);
    CHECK(number_of(&spec->sensors[0], "reach", 1) == 8.0 && number_of(&spec->sensors[0], "noise", 0) == 0.01);
    CHECK_NEAR(number_of(&spec->sensors[1], "cone", 0), atan(0.5), 1e-15);
    CHECK(lists("a scan is not") && lists("<sensor> of type gps: it is not modelled"));
}

TEST(mistakes_are_reported_with_their_place)
{
    check_error(ROBOT("<gazebo reference='base'><sensor name='a' type='imu'>\n"
                      "<update_rate>often</update_rate></sensor></gazebo>"),
                5, 1, "<update_rate> is \"often\"");
    check_error(ROBOT("<gazebo reference='base'><sensor name='a' type='imu'>\n"
                      "<update_rate>-5</update_rate></sensor></gazebo>"),
                5, 1, "from 0 to 1e+06");
    check_error(ROBOT("<gazebo reference='base'><sensor name='a' type='imu'>\n"
                      "<pose>1 2 3</pose></sensor></gazebo>"),
                5, 1, "x y z roll pitch yaw");
    check_error(ROBOT("<gazebo reference='base'><sensor name='a' type='imu'>\n"
                      "<pose>1 2 3 0 0 0 7</pose></sensor></gazebo>"),
                5, 1, "x y z roll pitch yaw");
    check_error(ROBOT("<gazebo reference='base'><sensor name='a' type='imu'>\n"
                      "<pose>1 2 3 0 nan 0</pose></sensor></gazebo>"),
                5, 1, "x y z roll pitch yaw");
    check_error(ROBOT("<gazebo reference='base'><sensor name='a' type='camera'><camera>\n"
                      "<horizontal_fov>4</horizontal_fov></camera></sensor></gazebo>"),
                5, 1, "<horizontal_fov> is \"4\"");
    check_error(ROBOT("<gazebo reference='base'><sensor name='a' type='camera'><camera><image>\n"
                      "<width>10.5</width></image></camera></sensor></gazebo>"),
                5, 1, "a whole number");
    check_error(ROBOT("<gazebo reference='base'><sensor name='a' type='imu'><imu><angular_velocity><x><noise>\n"
                      "<stddev>-1</stddev></noise></x></angular_velocity></imu></sensor></gazebo>"),
                5, 1, "<stddev> is \"-1\"");
    check_warning(ROBOT("<gazebo reference='hand'><sensor name='a' type='imu'/></gazebo>"), 4, 1,
                  "no link or joint \"hand\"");
}
