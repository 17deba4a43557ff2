// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Recordings: what the channels hold, patterns, HDF5 files read back by the HDF5 library, CSV, and summary.json.
#include <math.h>
#include <unistd.h>

#ifdef FF_WITH_HDF5
#include <hdf5.h>
#endif

#include "check.h"
#include "support/folder.h"
#include "support/must_run.h"
#include "support/robots.h"

#include <footfall/record.h>

static ff_recorder *recorder(ff_sim *sim, double rate, size_t block, const char *const *channels, int count)
{
    ff_error err = {0};
    ff_record_options o = ff_record_options_default();
    o.rate_hz = rate;
    o.channels = channels;
    o.nchannel = count;
    if (block) o.block_bytes = block;
    ff_recorder *rec = ff_recorder_create(sim, &o, &err);
    if (!rec) CHECK_FAIL("%s", err.text);
    return rec;
}

// ------------------------------------------------------------------------------------------ rows

// A pendulum: position, torque and energy of every row must satisfy its equations.
TEST(rows_hold_what_the_channels_say)
{
    static const char *const channels[] = {"joints", "energy", "bodies.bob.pos", "com", "qacc", "momentum.linear"};
    const double mass = 1.3, l = 0.8, I = 0.05;
    ff_model *m = robot_pendulum(mass, l, I);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_ADAPTIVE, 0.0, 1e-11));
    ff_recorder *rec = recorder(sim, 50.0, 0, channels, 6);
    ff_sim_set_q(sim, 0, 1.0);
    ff_sim_set_torque(sim, 0, 0.25);
    must_run(sim, 1.0);
    CHECK_INT(ff_recorder_rows(rec), 51);
    const int q = ff_recorder_find(rec, "joints.position", NULL), v = ff_recorder_find(rec, "joints.velocity", NULL);
    const int tau = ff_recorder_find(rec, "joints.torque", NULL), a = ff_recorder_find(rec, "qacc", NULL);
    const int kinetic = ff_recorder_find(rec, "energy.kinetic", NULL),
              potential = ff_recorder_find(rec, "energy.potential", NULL);
    const int total = ff_recorder_find(rec, "energy.total", NULL), speed = ff_recorder_find(rec, "com.velocity", NULL);
    int width = 0;
    const int com = ff_recorder_find(rec, "com.pos", &width);
    CHECK_INT(width, 3);
    CHECK_INT(ff_recorder_find(rec, "joints.pivot.position", NULL), -1); // "joints" means the joint vectors
    CHECK_INT(ff_recorder_find(rec, "energy.elastic", NULL) >= 0, 1);
    for (int i = 0; i < 51; i++) {
        const double *row = ff_recorder_row(rec, i);
        CHECK_NEAR(row[0], i / 50.0, 1e-15);
        CHECK_NEAR(row[com], -l * sin(row[q]), 1e-14);
        CHECK_NEAR(row[com + 2], -l * cos(row[q]), 1e-14);
        CHECK_NEAR(row[speed], -l * cos(row[q]) * row[v], 1e-13);
        CHECK_NEAR(row[tau], 0.25, 0.0);
        CHECK_NEAR(row[a], (0.25 - mass * 9.81 * l * sin(row[q])) / (mass * l * l + I), 1e-12);
        CHECK_NEAR(row[kinetic], 0.5 * (mass * l * l + I) * row[v] * row[v], 1e-13);
        CHECK_NEAR(row[potential], -mass * 9.81 * l * cos(row[q]), 1e-13);
        CHECK_NEAR(row[total], row[kinetic] + row[potential], 1e-14);
        CHECK_NEAR(row[total] - 0.25 * row[q], ff_recorder_row(rec, 0)[total] - 0.25, 1e-9); // work of the torque
    }
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

// A slide of 1 kg without gravity, pulled along a tendon of twice its way by 3 a, a' = (1 - a) / T: the motion is
//     x'' = 2 g 3 a = 12 (1 - exp(-t/T))    with the gear g = 2, hence    x' = 12 (t - T a).
TEST(activations_lengths_and_forces_of_actuators_are_recorded)
{
    static const char *const channels[] = {"actuators", "tendons", "q", "v"};
    const double T = 0.2;
    ff_report report = {0};
    ff_spec *spec = ff_spec_create(NULL);
    memset(spec->gravity, 0, sizeof spec->gravity);
    robot_body(spec, "cart", -1, (double[]){0, 0, 0}, 1.0, (double[]){0, 0, 0}, (double[]){1, 1, 1});
    robot_joint(spec, "way", 0, FF_JOINT_SLIDE, 1, 0, 0);
    ff_spec_add_tendon_piece(spec, ff_spec_add_tendon(spec, "string"), FF_TENDON_JOINT, "way", NULL, 2.0);
    ff_spec_actuator *a = ff_spec_add_actuator(spec, "pull", FF_ACTUATOR_GENERAL);
    a->tendon = ff_spec_text(spec, "string");
    a->gear = 2.0;
    a->gain = 3.0;
    a->activation = (ff_activation){.type = FF_ACTIVATION_FILTER, .time = {T, T}};
    ff_model *m = ff_model_compile(spec, NULL, &report);
    if (!m) CHECK_FAIL("%s", report.messages[0].text);
    ff_sim_options o = robot_options(FF_METHOD_ADAPTIVE, 0.0, 1e-11);
    o.actuators = true;
    ff_sim *sim = robot_sim(m, o);
    ff_recorder *rec = recorder(sim, 20.0, 0, channels, 4);
    ff_sim_set_command(sim, (ff_actuator_id){0}, 1.0);
    must_run(sim, 1.0);
    const int act = ff_recorder_find(rec, "actuators.pull.activation", NULL);
    const int length = ff_recorder_find(rec, "actuators.pull.length", NULL);
    const int force = ff_recorder_find(rec, "actuators.pull.force", NULL), q = ff_recorder_find(rec, "q", NULL);
    const int L = ff_recorder_find(rec, "tendons.string.length", NULL), v = ff_recorder_find(rec, "v", NULL);
    const int rate = ff_recorder_find(rec, "tendons.string.velocity", NULL);
    CHECK(act >= 0 && length >= 0 && force >= 0 && L >= 0 && rate >= 0);
    for (int i = 0; i < ff_recorder_rows(rec); i++) {
        const double *row = ff_recorder_row(rec, i), t = row[0], expected = 1.0 - exp(-t / T);
        CHECK_NEAR(row[act], expected, 1e-8);
        CHECK_NEAR(row[force], 3.0 * row[act], 1e-14);
        CHECK_NEAR(row[v], 12.0 * (t - T * expected), 1e-7);
        CHECK_NEAR(row[L], 2.0 * row[q], 1e-14);
        CHECK_NEAR(row[rate], 2.0 * row[v], 1e-14);
        CHECK_NEAR(row[length], 4.0 * row[q], 1e-14);
    }
    ff_sim_destroy(sim);
    ff_model_destroy(m);
    ff_spec_destroy(spec);
    ff_report_clear(&report);
}

/// The first line of a table of tendons and actuators, in a robot with sums of hinges, of slides and of both.
static void columns_of_sums(char *line, int size)
{
    static const char *const channels[] = {"tendons", "actuators"};
    static const char *const names[] = {"turns", "ways", "both"};
    ff_report report = {0};
    ff_error err = {0};
    ff_spec *spec = ff_spec_create(NULL);
    robot_body(spec, "arm", -1, (double[]){0, 0, 0}, 1.0, (double[]){0, 0, 0}, (double[]){1, 1, 1});
    robot_joint(spec, "turn", 0, FF_JOINT_HINGE, 0, 1, 0);
    robot_body(spec, "hand", 0, (double[]){0, 0, 1}, 1.0, (double[]){0, 0, 0}, (double[]){1, 1, 1});
    robot_joint(spec, "way", 1, FF_JOINT_SLIDE, 1, 0, 0);
    for (int i = 0; i < 3; i++) {
        ff_spec_tendon *t = ff_spec_add_tendon(spec, names[i]);
        if (i != 1) ff_spec_add_tendon_piece(spec, t, FF_TENDON_JOINT, "turn", NULL, 2.0);
        if (i != 0) ff_spec_add_tendon_piece(spec, t, FF_TENDON_JOINT, "way", NULL, 1.0);
        ff_spec_add_actuator(spec, names[i], FF_ACTUATOR_MOTOR)->tendon = ff_spec_text(spec, names[i]);
    }
    ff_model *m = ff_model_compile(spec, NULL, &report);
    if (!m) CHECK_FAIL("%s", report.messages[0].text);
    ff_sim_options o = robot_options(FF_METHOD_RK4, 1e-3, 0.0);
    o.actuators = true;
    ff_sim *sim = robot_sim(m, o);
    ff_recorder *rec = recorder(sim, 1000.0, 0, channels, 2);
    CHECK_INT(ff_recorder_open_csv(rec, in_folder("sums.csv"), &err), FF_OK);
    must_run(sim, 0.01);
    CHECK_INT(ff_recorder_close(rec, &err), FF_OK);
    FILE *file = fopen(in_folder("sums.csv"), "r");
    CHECK(file && fgets(line, size, file));
    fclose(file);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
    ff_spec_destroy(spec);
    ff_report_clear(&report);
}

TEST(sums_of_joints_have_the_units_of_their_joints)
{
    static const char *const columns[] = {
        "tendons.turns.length [rad],",   "tendons.turns.velocity [rad/s],",  "tendons.ways.length [m],",
        "tendons.ways.velocity [m/s],",  "tendons.both.length [m or rad],",  "tendons.both.velocity [m/s or rad/s]",
        "actuators.turns.length [rad],", "actuators.turns.force [N m],",     "actuators.ways.length [m],",
        "actuators.ways.force [N],",     "actuators.both.length [m or rad]", "actuators.both.force [N or N m]"};
    char line[1024];
    columns_of_sums(line, sizeof line);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) CHECK_SAYS(line, columns[i]);
}

// Memory is bounded on request, and what is there can be saved while the run goes on.
TEST(a_recording_in_memory_ends_at_its_bound_and_is_saved)
{
    static const char *const channels[] = {"q"};
    ff_error err = {0};
    ff_model *m = robot_pendulum(1.0, 1.0, 0.1);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_RK4, 1e-3, 0.0));
    ff_record_options o = ff_record_options_default();
    o.channels = channels;
    o.nchannel = 1;
    o.rate_hz = 100.0;
    o.duration = 100.0;
    o.most_bytes = 50 * 2 * sizeof(double); // fifty rows of time and angle
    ff_recorder *rec = ff_recorder_create(sim, &o, &err);
    CHECK(rec);
    must_run(sim, 0.2);
    CHECK(!ff_recorder_is_full(rec));
    CHECK_INT(ff_recorder_rows(rec), 21);
#ifdef FF_WITH_HDF5
    CHECK_INT(ff_recorder_save_hdf5(rec, in_folder("part.h5"), NULL, &err), FF_OK);
    const hid_t file = H5Fopen(in_folder("part.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t set = H5Dopen(file, "time", H5P_DEFAULT), space = H5Dget_space(set);
    hsize_t size[2] = {0, 0};
    CHECK(H5Sget_simple_extent_dims(space, size, NULL) > 0);
    CHECK_INT(size[0], 21);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
#endif
    must_run(sim, 2.0);
    CHECK(ff_recorder_is_full(rec));
    CHECK_INT(ff_recorder_rows(rec), 50);
    CHECK_NEAR(ff_recorder_row(rec, 49)[0], 0.49, 1e-15);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

// Recording must not change the run with a fixed step whose grid it falls onto.
TEST(recording_does_not_change_the_run)
{
    static const char *const channels[] = {"*"};
    ff_model *m = robot_walker(2, true);
    uint64_t hash[2];
    for (int with = 0; with < 2; with++) {
        ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_RK4, 1e-3, 0.0));
        if (with) recorder(sim, 500.0, 0, channels, 1);
        robot_tumble(m, sim, 1.0);
        must_run(sim, 0.5);
        hash[with] = ff_sim_hash(sim);
        ff_sim_destroy(sim);
    }
    CHECK(hash[0] == hash[1]);
    ff_model_destroy(m);
}

TEST(patterns_select_by_name_prefix_and_star)
{
    ff_model *m = robot_walker(2, true);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_EULER, 1e-3, 0.0));
    static const char *const channels[] = {"base", "bodies.*.pos", "joints.leg1_joint2.velocity"};
    ff_recorder *rec = recorder(sim, 100.0, 0, channels, 3);
    CHECK_INT(ff_recorder_columns(rec), 1 + 13 + 3 * 9 + 1);
    CHECK(ff_recorder_find(rec, "base.spin", NULL) >= 0);
    CHECK(ff_recorder_find(rec, "bodies.leg0_link3.pos", NULL) >= 0);
    CHECK_INT(ff_recorder_find(rec, "bodies.leg0_link3.quat", NULL), -1);
    CHECK_TEXT(ff_recorder_channel_name(sim, 0), "time");
    CHECK(ff_recorder_channel_name(sim, 100000) == NULL);
    ff_record_options o = ff_record_options_default();
    static const char *const wrong[] = {"joint.torque"};
    ff_error err = {0};
    o.channels = wrong;
    o.nchannel = 1;
    CHECK(!ff_recorder_create(sim, &o, &err));
    CHECK_SAYS(err.text, "\"joint.torque\"");
    CHECK_SAYS(err.text, "joints.torque");
    o.rate_hz = 0.0;
    CHECK(!ff_recorder_create(sim, &o, &err));
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

// ------------------------------------------------------------------------------------------ files

#ifdef FF_WITH_HDF5

/// Texts of an attribute or a dataset, `count` of them; the caller frees each.
static void read_texts(hid_t where, const char *name, bool attribute, char **texts, int count)
{
    hid_t item = attribute ? H5Aopen(where, name, H5P_DEFAULT) : H5Dopen2(where, name, H5P_DEFAULT);
    CHECK(item >= 0);
    hid_t type = attribute ? H5Aget_type(item) : H5Dget_type(item);
    CHECK_INT(H5Tget_class(type), H5T_STRING);
    CHECK_INT(H5Tis_variable_str(type), 0); // the heap of those has no checksum, and crashes HDF5 where it is damaged
    const size_t size = H5Tget_size(type);
    char *bytes = calloc((size_t)count, size);
    CHECK((attribute ? H5Aread(item, type, bytes) : H5Dread(item, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes)) >= 0);
    for (int i = 0; i < count; i++) texts[i] = strndup(bytes + (size_t)i * size, size);
    free(bytes);
    H5Tclose(type);
    if (attribute)
        H5Aclose(item);
    else
        H5Dclose(item);
}

static void read_text(hid_t where, const char *name, bool attribute, char **text)
{
    read_texts(where, name, attribute, text, 1);
}

static double twice_time(ff_sim *sim)
{
    return 2.0 * ff_sim_time(sim);
}

static void read_twice(void *context, ff_sim *sim, double *out)
{
    (void)context;
    out[0] = twice_time(sim);
    out[1] = -out[0];
}

TEST(hdf5_file_holds_every_row_with_units_names_and_model)
{
    static const char *const channels[] = {"joints.position", "base.quat"};
    static const char *const names[] = {"plus", "minus"};
    ff_model *m = robot_walker(1, true);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_RK4, 1e-3, 0.0));
    ff_recorder *rec = recorder(sim, 1000.0, 2000, channels, 2); // blocks of about 25 rows: many are written
    ff_error err = {0};
    CHECK_INT(ff_recorder_add_channel(rec, "own.twice", "s", 2, names, read_twice, NULL, &err), FF_OK);
    const ff_record_info info = {.version = "1.2.3", .scene = "robot: walker\n"};
    char path[128];
    snprintf(path, sizeof path, "%s", in_folder("run.h5"));
    CHECK_INT(ff_recorder_open_hdf5(rec, path, &info, &err), FF_OK);
    robot_tumble(m, sim, 1.0);
    must_run(sim, 0.5);
    if (ff_recorder_close(rec, &err)) CHECK_FAIL("%s", err.text);
    CHECK_INT(ff_recorder_rows(rec), 501);

    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    CHECK(file >= 0);
    hid_t dataset = H5Dopen2(file, "joints.position", H5P_DEFAULT);
    hid_t space = H5Dget_space(dataset);
    hsize_t size[2];
    H5Sget_simple_extent_dims(space, size, NULL);
    CHECK_INT(size[0], 501);
    CHECK_INT(size[1], 4);
    static double values[501][4], twice[501][2];
    CHECK(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    for (int i = 0; i < 4; i++) CHECK_NEAR(values[500][i], ff_sim_q(sim)[7 + i], 0.0);
    char *text = NULL, *all[4] = {0};
    read_text(dataset, "units", true, &text);
    CHECK_TEXT(text, "rad");
    free(text);
    read_texts(dataset, "names", true, all, 4);
    CHECK_TEXT(all[3], "leg0_joint3");
    for (int i = 0; i < 4; i++) free(all[i]);
    H5Sclose(space);
    H5Dclose(dataset);
    dataset = H5Dopen2(file, "own.twice", H5P_DEFAULT);
    CHECK(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, twice) >= 0);
    for (int i = 0; i < 501; i++) CHECK_NEAR(twice[i][1], -2e-3 * i, 1e-15);
    H5Dclose(dataset);
    read_text(file, "version", true, &text);
    CHECK_TEXT(text, "1.2.3");
    free(text);
    read_text(file, "scene", false, &text);
    CHECK_TEXT(text, "robot: walker\n");
    free(text);
    read_text(file, "model", false, &text);
    CHECK_SAYS(text, "\"name\": \"leg0_link3\"");
    free(text);
    H5Fclose(file);
    remove(path);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

// HDF5 keeps attributes in the object's header up to 64 KiB only; names take as many bytes each there as the longest
// has, so those of 9000 joints need more.
TEST(hdf5_file_takes_the_names_of_many_joints)
{
    enum { COUNT = 9000 };
    static const char *const channels[] = {"q", "v"};
    ff_spec *spec = ff_spec_create(NULL);
    for (int i = 0; i < COUNT; i++) {
        char name[32];
        snprintf(name, sizeof name, "block%d", i);
        const double at[3] = {i, 0, 0}, com[3] = {0}, I[3] = {1, 1, 1};
        robot_joint(spec, name, robot_body(spec, name, -1, at, 1.0, com, I), FF_JOINT_SLIDE, 0, 0, 1);
    }
    ff_model *m = robot_finish(spec);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_EULER, 1e-3, 0.0));
    ff_recorder *rec = recorder(sim, 1000.0, 0, channels, 2);
    ff_error err = {0};
    char path[128], *names[COUNT] = {0};
    snprintf(path, sizeof path, "%s", in_folder("many.h5"));
    if (ff_recorder_open_hdf5(rec, path, NULL, &err)) CHECK_FAIL("%s", err.text);
    must_run(sim, 2e-3);
    if (ff_recorder_close(rec, &err)) CHECK_FAIL("%s", err.text);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), dataset = H5Dopen2(file, "v", H5P_DEFAULT);
    read_texts(dataset, "names", true, names, COUNT);
    CHECK_SAYS(names[COUNT - 1], "block8999");
    for (int i = 0; i < COUNT; i++) free(names[i]);
    H5Dclose(dataset);
    H5Fclose(file);
    remove(path);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

// Meshes travel in the recording, so that it can be shown where the mesh files are not.
TEST(hdf5_file_carries_the_meshes)
{
    static const double vertices[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const int triangles[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    ff_spec *spec = ff_spec_create(NULL);
    const int body = robot_body(spec, "rock", -1, (double[]){0, 0, 0}, 1.0, (double[]){0, 0, 0}, (double[]){1, 1, 1});
    robot_joint(spec, "free", body, FF_JOINT_FREE, 0, 0, 1);
    ff_spec_mesh *mesh = ff_spec_add_mesh(spec, "tetra");
    mesh->data = ff_mesh_create(vertices, 4, triangles, 4, NULL);
    ff_spec_geom *geom = ff_spec_add_geom(spec, "look", body, FF_SHAPE_MESH);
    geom->mesh = 0;
    ff_model *m = robot_finish(spec);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_EULER, 1e-3, 0.0));
    ff_recorder *rec = recorder(sim, 100.0, 0, NULL, 0);
    ff_error err = {0};
    char path[128];
    snprintf(path, sizeof path, "%s", in_folder("mesh.h5"));
    if (ff_recorder_open_hdf5(rec, path, NULL, &err)) CHECK_FAIL("%s", err.text);
    must_run(sim, 0.1);
    CHECK_INT(ff_recorder_close(rec, &err), FF_OK);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT),
          dataset = H5Dopen2(file, "meshes/0/triangles", H5P_DEFAULT);
    int got[12];
    CHECK(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, got) >= 0);
    CHECK(memcmp(got, m->meshes[0]->triangles, sizeof got) == 0);
    H5Dclose(dataset);
    H5Fclose(file);
    remove(path);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

TEST(a_diverged_run_keeps_its_recording)
{
    ff_spec_joint *joint;
    ff_spec *spec = robot_slider(0.1, &joint);
    joint->damping = 1000.0;
    ff_model *m = robot_finish(spec);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_EULER, 1e-3, 0.0));
    static const char *const channels[] = {"v"};
    ff_recorder *rec = recorder(sim, 1000.0, 0, channels, 1);
    char path[128];
    snprintf(path, sizeof path, "%s", in_folder("bad.h5"));
    CHECK_INT(ff_recorder_open_hdf5(rec, path, NULL, NULL), FF_OK);
    ff_sim_set_v(sim, 0, 1.0);
    CHECK_INT(ff_sim_run(sim, 1.0, NULL), FF_DIVERGED);
    CHECK_INT(ff_recorder_close(rec, NULL), FF_OK);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), dataset = H5Dopen2(file, "v", H5P_DEFAULT);
    hid_t space = H5Dget_space(dataset);
    CHECK_INT(H5Sget_simple_extent_npoints(space), ff_recorder_rows(rec));
    CHECK(ff_recorder_rows(rec) > 3);
    H5Sclose(space);
    H5Dclose(dataset);
    H5Fclose(file);
    remove(path);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

#endif

TEST(csv_has_a_line_a_row_and_reads_back)
{
    static const char *const channels[] = {"joints.position", "base.pos"};
    ff_model *m = robot_walker(1, true);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_RK4, 1e-3, 0.0));
    ff_recorder *rec = recorder(sim, 1000.0, 1000, channels, 2);
    char path[128], line[1024];
    snprintf(path, sizeof path, "%s", in_folder("run.csv"));
    ff_error err = {0};
    CHECK_INT(ff_recorder_open_csv(rec, path, &err), FF_OK);
    CHECK_INT(ff_recorder_open_csv(rec, path, &err), FF_BAD_ARGUMENT);
    robot_tumble(m, sim, 1.0);
    must_run(sim, 0.1);
    CHECK_INT(ff_recorder_close(rec, &err), FF_OK);
    FILE *file = fopen(path, "r");
    CHECK(file && fgets(line, sizeof line, file));
    CHECK_SAYS(line, "time [s],joints.position.leg0_joint0 [rad],");
    CHECK_SAYS(line, "base.pos.z [m]\n");
    int rows = 0;
    double time = -1.0, first = 0.0;
    while (fgets(line, sizeof line, file)) {
        CHECK_INT(sscanf(line, "%lf,%lf", &time, &first), 2);
        CHECK_NEAR(time, 1e-3 * rows, 1e-15);
        rows++;
    }
    CHECK_INT(rows, 101);
    CHECK_NEAR(first, ff_sim_q(sim)[7], 0.0); // written with digits enough to come back exactly
    fclose(file);
    remove(path);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

TEST(the_only_column_of_a_channel_has_its_name_too)
{
    static const char *const channels[] = {"joints.position", "q"};
    ff_model *m = robot_pendulum(1.0, 1.0, 0.1);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_RK4, 1e-3, 0.0));
    ff_recorder *rec = recorder(sim, 1000.0, 1000, channels, 2);
    char line[256];
    ff_error err = {0};
    CHECK_INT(ff_recorder_open_csv(rec, in_folder("one.csv"), &err), FF_OK);
    must_run(sim, 0.01);
    CHECK_INT(ff_recorder_close(rec, &err), FF_OK);
    FILE *file = fopen(in_folder("one.csv"), "r");
    CHECK(file && fgets(line, sizeof line, file));
    fclose(file);
    CHECK_SAYS(line, "time [s],joints.position.pivot [rad],\"q.pivot [m, rad, 1]\"\n");
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

TEST(files_that_cannot_be_written_are_reported)
{
    ff_model *m = robot_pendulum(1.0, 1.0, 0.1);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_EULER, 1e-3, 0.0));
    ff_recorder *rec = recorder(sim, 100.0, 0, NULL, 0);
    ff_error err = {0};
    CHECK_INT(ff_recorder_open_csv(rec, "/nonexistent/run.csv", &err), FF_NOT_WRITTEN);
    CHECK_SAYS(err.text, "/nonexistent/run.csv");
    const ff_status status = ff_recorder_open_hdf5(rec, "/nonexistent/run.h5", NULL, &err);
    CHECK(status == FF_NOT_WRITTEN || status == FF_NOT_BUILT);
    CHECK_SAYS(err.text, "/nonexistent/run.h5");
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}

// ------------------------------------------------------------------------------------------ summary

TEST(summary_is_json_with_the_promised_keys)
{
    ff_model *m = robot_pendulum(1.0, 1.0, 0.1);
    ff_sim *sim = robot_sim(m, robot_options(FF_METHOD_EULER, 1e-3, 0.0));
    must_run(sim, 0.5);
    char text[600];
    ff_summary s = ff_summary_make(sim, FF_OK, NULL, 0.25, text, sizeof text);
    const ff_metric metrics[] = {{"speed.mean", 0.1}, {"bad \"one\"", NAN}};
    const char *const warnings[] = {"line 1\nline 2\xff"};
    s.metrics = metrics;
    s.nmetric = 2;
    s.warnings = warnings;
    s.nwarning = 1;
    char *json = ff_summary_to_json(&s);
    CHECK_TEXT(
        json,
        "{\"method\": \"euler\", \"time\": 0.5, \"steps\": 500, \"evaluations\": 500, \"wall\": 0.25, \"rtf\": 2, "
        "\"outcome\": \"finished\", \"metrics\": {\"speed.mean\": 0.1, \"bad \\\"one\\\"\": null}, "
        "\"warnings\": [\"line 1\\nline 2\\ufffd\"]}\n");
    free(json);
    ff_error err = {0};
    CHECK_INT(ff_summary_write(&s, "/nonexistent/summary.json", &err), FF_NOT_WRITTEN);
    const char *path = in_folder("summary.json");
    CHECK_INT(ff_summary_write(&s, path, &err), FF_OK);
    CHECK(access(path, R_OK) == 0);
    ff_sim_destroy(sim);
    ff_model_destroy(m);
}
