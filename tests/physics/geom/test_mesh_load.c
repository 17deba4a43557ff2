// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Mesh files: one solid in every format comes out the same, and broken files come out as messages with their path.
// The solid is the tetrahedron (0,0,0), (a,0,0), (0,b,0), (0,0,c) with volume abc/6 and centre of mass (a,b,c)/4.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <footfall/geom.h>

#include "check.h"
#include "support/folder.h"

#ifndef FF_WITH_MESHES

TEST(without_assimp_the_message_says_so)
{
    ff_error err = {0};
    CHECK(!ff_mesh_load("a.stl", (double[]){1, 1, 1}, &err) && err.status == FF_NOT_BUILT);
    CHECK_SAYS(err.text, "FOOTFALL_WITH_MESHES");
}

#else

static const double ONE[3] = {1.0, 1.0, 1.0};
static const float CORNER[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
static const int FACE[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

// ------------------------------------------------------------------------------------------ writing files

typedef struct text {
    char data[8192];
    size_t length;
} text;

__attribute__((format(printf, 2, 3))) static void add(text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    t->length += (size_t)vsnprintf(t->data + t->length, sizeof t->data - t->length, format, args);
    va_end(args);
}

static text stl_text(void)
{
    text t = {.length = 0};
    add(&t, "solid part\n");
    for (int f = 0; f < 4; f++) {
        add(&t, "facet normal 0 0 0\nouter loop\n");
        for (int k = 0; k < 3; k++) {
            const float *p = CORNER[FACE[f][k]];
            add(&t, "vertex %g %g %g\n", (double)p[0], (double)p[1], (double)p[2]);
        }
        add(&t, "endloop\nendfacet\n");
    }
    add(&t, "endsolid part\n");
    return t;
}

// Count and floats are written as this machine has them, which is little-endian as the format wants wherever tests run.
static size_t stl_binary(unsigned char out[284])
{
    const uint32_t count = 4;
    memset(out, 0, 284);
    memcpy(out, "solid but binary", 16); // a trap some exporters set
    memcpy(out + 80, &count, 4);
    for (int f = 0; f < 4; f++)
        for (int k = 0; k < 3; k++) memcpy(out + 84 + 50 * f + 12 + 12 * k, CORNER[FACE[f][k]], 12);
    return 284;
}

static text obj_text(void)
{
    text t = {.length = 0};
    add(&t, "# part\nmtllib not_there.mtl\no part\n");
    for (int i = 0; i < 4; i++)
        add(&t, "v %g %g %g\n", (double)CORNER[i][0], (double)CORNER[i][1], (double)CORNER[i][2]);
    for (int f = 0; f < 4; f++) add(&t, "f %d %d %d\n", FACE[f][0] + 1, FACE[f][1] + 1, FACE[f][2] + 1);
    return t;
}

static text ply_text(void)
{
    text t = {.length = 0};
    add(&t, "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
            "element face 4\nproperty list uchar int vertex_indices\nend_header\n");
    for (int i = 0; i < 4; i++) add(&t, "%g %g %g\n", (double)CORNER[i][0], (double)CORNER[i][1], (double)CORNER[i][2]);
    for (int f = 0; f < 4; f++) add(&t, "3 %d %d %d\n", FACE[f][0], FACE[f][1], FACE[f][2]);
    return t;
}

static text dae_text(const char *unit, const char *up, const char *nodes)
{
    text t = {.length = 0};
    add(&t,
        "<?xml version=\"1.0\"?>\n<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">\n"
        "<asset><unit name=\"u\" meter=\"%s\"/><up_axis>%s</up_axis></asset>\n<library_geometries><geometry "
        "id=\"g\"><mesh>\n"
        "<source id=\"p\"><float_array id=\"a\" count=\"12\">",
        unit, up);
    for (int i = 0; i < 4; i++) add(&t, "%g %g %g ", (double)CORNER[i][0], (double)CORNER[i][1], (double)CORNER[i][2]);
    add(&t,
        "</float_array><technique_common><accessor source=\"#a\" count=\"4\" stride=\"3\"><param name=\"X\" "
        "type=\"float\"/>"
        "<param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor></technique_common></source>\n"
        "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>\n"
        "<triangles count=\"4\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>");
    for (int f = 0; f < 4; f++) add(&t, "%d %d %d ", FACE[f][0], FACE[f][1], FACE[f][2]);
    add(&t,
        "</p></triangles></mesh></geometry></library_geometries>\n<library_visual_scenes><visual_scene id=\"s\">%s"
        "</visual_scene></library_visual_scenes>\n<scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>\n",
        nodes);
    return t;
}

// ------------------------------------------------------------------------------------------ reading them

static ff_mesh *load(const char *file, const double scale[3])
{
    ff_error err = {0};
    ff_mesh *mesh = ff_mesh_load(file, scale, &err);
    if (!mesh) CHECK_FAIL("%s", err.text);
    return mesh;
}

// The tetrahedron with legs a, b, c at the place p: four vertices, volume and centre of mass as they must be.
static void check_tetrahedron(const char *file, const double scale[3], const double legs[3], const double p[3])
{
    ff_mesh *mesh = load(file, scale);
    ff_inertia got;
    ff_error err = {0};
    CHECK_INT(mesh->nvertex, 4); // equal corners are merged
    CHECK_INT(mesh->ntriangle, 4);
    if (ff_mesh_inertia(mesh, FF_FILL_EXACT, 1.0, &got, &err) != FF_OK) CHECK_FAIL("%s: %s", file, err.text);
    ff_mesh_destroy(mesh);
    double volume = fabs(legs[0] * legs[1] * legs[2]) / 6.0;
    CHECK_NEAR(got.mass, volume, 1e-6 * volume); // units pass through single precision
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(got.h[k] / got.mass, p[k] + legs[k] / 4.0, 1e-6 * (fabs(p[k]) + fabs(legs[k])));
}

static void check_refused(const char *file, ff_status status, const char *words)
{
    ff_error err = {0};
    CHECK(ff_mesh_load(file, ONE, &err) == NULL);
    if (err.status != status)
        CHECK_FAIL("%s gives status %d, expected %d: %s", file, (int)err.status, (int)status, err.text);
    CHECK_SAYS(err.text, file);
    CHECK_SAYS(err.text, words);
}

TEST(every_format_gives_the_same_solid)
{
    const double legs[3] = {1, 2, 3}, zero[3] = {0, 0, 0};
    unsigned char binary[284];
    text t = stl_text();
    check_tetrahedron(write_file("part.stl", t.data), ONE, legs, zero);
    check_tetrahedron(write_bytes("binary.STL", binary, stl_binary(binary)), ONE, legs, zero);
    t = obj_text();
    check_tetrahedron(write_file("part.obj", t.data), ONE, legs, zero);
    t = ply_text();
    check_tetrahedron(write_file("part.ply", t.data), ONE, legs, zero);
    t = dae_text("1", "Z_UP", "<node id=\"n\"><instance_geometry url=\"#g\"/></node>");
    check_tetrahedron(write_file("part.dae", t.data), ONE, legs, zero);
}

// A wedge by its sides: a triangle and quads, vertices counted from the end, blanks and endings as programs write them.
TEST(plain_obj_files_are_read_to_the_nearest_float)
{
    static const char *const number[6][3] = {{"0.1", "0.7", "0.376651"},        {"1.100000", "0.7", "0.376651"},
                                             {"0.1", "1.7000001", "0.376651"},  {"0.1", "0.7", "1.37665104"},
                                             {"1.100000", "0.7", "1.37665104"}, {"0.1", "1.7000001", "1.37665104"}};
    text t = {.length = 0};
    add(&t, "# wedge\r\nvn 0 0 1\r\n");
    for (int i = 0; i < 6; i++) add(&t, "v  %s\t%s %s 1.0\r\n", number[i][0], number[i][1], number[i][2]);
    add(&t, "s off\nf 1//1 3//1 2//1\nf -3 -2 -1\nf 1 2 5 4\nf 2/1/1 3/1/1 6/1/1 5/1/1 \nf 3 1 4 6");
    ff_error err = {0};
    ff_mesh *mesh = load(write_file("wedge.obj", t.data), ONE);
    CHECK_INT(mesh->nvertex, 6);
    CHECK_INT(mesh->ntriangle, 8);
    for (int i = 0; i < mesh->nvertex; i++) {
        bool found = false;
        for (int j = 0; j < 6; j++) {
            bool same = true;
            for (int k = 0; k < 3; k++) same = same && mesh->vertices[3 * i + k] == (double)strtof(number[j][k], NULL);
            found = found || same;
        }
        CHECK(found);
    }
    ff_inertia inertia;
    CHECK_INT(ff_mesh_inertia(mesh, FF_FILL_EXACT, 1.0, &inertia, &err), FF_OK);
    CHECK_NEAR(inertia.mass, 0.5, 1e-6); // half a cube of 1 m, corners off by less than 2e-7 m
    ff_mesh_destroy(mesh);
}

TEST(scale_stretches_and_a_mirror_keeps_the_outside_out)
{
    const double zero[3] = {0, 0, 0};
    text t = stl_text();
    const char *file = write_file("scaled.stl", t.data);
    check_tetrahedron(file, (double[]){0.5, 0.5, 2.0}, (double[]){0.5, 1.0, 6.0}, zero);
    check_tetrahedron(file, (double[]){-1.0, 1.0, 1.0}, (double[]){-1.0, 2.0, 3.0}, zero);
    check_tetrahedron(file, (double[]){-1.0, -1.0, -1.0}, (double[]){-1.0, -2.0, -3.0}, zero);
    check_tetrahedron(file, (double[]){-1.0, -1.0, 1.0}, (double[]){-1.0, -2.0, 3.0}, zero);
}

// Millimetres become metres; the axes stay as written, whatever the up axis says; nodes move and mirror their meshes.
TEST(collada_units_and_nodes_are_applied_and_the_up_axis_is_not)
{
    const char *ups[] = {"X_UP", "Y_UP", "Z_UP"};
    for (int i = 0; i < 3; i++) {
        text t = dae_text("0.001", ups[i],
                          "<node id=\"n\"><translate>0 0 10</translate><instance_geometry url=\"#g\"/></node>");
        check_tetrahedron(write_file("up.dae", t.data), ONE, (double[]){0.001, 0.002, 0.003}, (double[]){0, 0, 0.01});
    }
    text t = dae_text("1", "Z_UP", "<node id=\"n\"><scale>-1 1 1</scale><instance_geometry url=\"#g\"/></node>");
    check_tetrahedron(write_file("mirror.dae", t.data), ONE, (double[]){-1, 2, 3}, (double[]){0, 0, 0});
}

TEST(bytes_behind_the_triangles_of_an_stl_do_no_harm)
{
    unsigned char bytes[300] = {0};
    stl_binary(bytes);
    bytes[0] = 'x';
    check_tetrahedron(write_bytes("tail.stl", bytes, sizeof bytes), ONE, (double[]){1, 2, 3}, (double[]){0, 0, 0});
}

TEST(missing_and_empty_files_and_folders_are_reported)
{
    check_refused(in_folder("missing.stl"), FF_NOT_FOUND, "No such file");
    check_refused(write_file("empty.stl", ""), FF_BAD_FILE, "empty");
    check_refused(write_file("part.xyz", "hello"), FF_BAD_FILE, ".stl, .obj, .dae and .ply");
    CHECK_INT(mkdir(in_folder("folder.stl"), 0700), 0);
    check_refused(in_folder("folder.stl"), FF_BAD_FILE, "folder");
}

TEST(cut_off_files_are_refused)
{
    unsigned char binary[284];
    stl_binary(binary);
    binary[0] = 'x';
    check_refused(write_bytes("cut.stl", binary, 200), FF_BAD_FILE, "4 triangles are announced");
    check_refused(write_bytes("head.stl", binary, 50), FF_BAD_FILE, "not an STL file");
    text t = stl_text();
    check_refused(write_bytes("cut_text.stl", t.data, t.length / 2), FF_BAD_FILE, "endsolid");
    t = ply_text();
    check_refused(write_bytes("cut.ply", t.data, 60), FF_BAD_FILE, "end_header");
    t = dae_text("1", "Z_UP", "<node/>");
    check_refused(write_bytes("cut.dae", t.data, t.length / 2), FF_BAD_FILE, "</COLLADA>");
}

static bool second(void *context)
{
    return ++*(int *)context >= 2; // the file is read before
}

TEST(a_reader_that_is_stopped_reports_no_error)
{
    text t = stl_text();
    const char *file = write_file("stopped.stl", t.data);
    ff_error err = {0};
    int asked = 0;
    const ff_stop stop = {second, &asked};
    ff_stop_set(&stop);
    CHECK(!ff_mesh_load(file, ONE, &err));
    ff_stop_set(NULL);
    CHECK_INT(err.status, FF_STOPPED);
    check_tetrahedron(file, ONE, (double[]){1, 2, 3}, (double[]){0, 0, 0});
}

TEST(junk_is_refused)
{
    unsigned char junk[4096];
    ff_random random = ff_random_make(3, 0);
    for (size_t i = 0; i < sizeof junk; i++) junk[i] = (unsigned char)ff_random_bits(&random);
    const char *names[] = {"junk.stl", "junk.obj", "junk.dae", "junk.ply"};
    for (int i = 0; i < 4; i++) check_refused(write_bytes(names[i], junk, sizeof junk), FF_BAD_FILE, "not a");
    check_refused(write_file("words.obj", "there is\nno mesh here\n"), FF_BAD_FILE, "words.obj");
    check_refused(write_file("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 0 0\nf 1 2 3\n"), FF_BAD_FILE, "area");
}

TEST(vertices_that_are_not_numbers_are_refused)
{
    unsigned char binary[284];
    const float bad[2] = {NAN, INFINITY};
    for (int i = 0; i < 2; i++) {
        stl_binary(binary);
        memcpy(binary + 84 + 12, &bad[i], 4);
        check_refused(write_bytes("nan.stl", binary, sizeof binary), FF_BAD_FILE, "not finite");
    }
    ff_error err = {0};
    text t = stl_text();
    const char *path = write_file("zero.stl", t.data);
    CHECK(!ff_mesh_load(path, (double[]){1, 0, 1}, &err) && err.status == FF_BAD_ARGUMENT);
    CHECK(!ff_mesh_load(path, (double[]){1, NAN, 1}, &err) && err.status == FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "scale");
}

/// An OBJ file of one face around a circle.
static const char *write_disk(const char *name, int corners)
{
    const size_t room = (size_t)corners * 40 + 100;
    char *data = malloc(room);
    size_t length = 0;
    for (int i = 0; i < corners; i++) {
        const double angle = 2.0 * FF_PI * i / corners;
        length += (size_t)snprintf(data + length, room - length, "v %.6f %.6f 0\n", cos(angle), sin(angle));
    }
    length += (size_t)snprintf(data + length, room - length, "f");
    for (int i = 0; i < corners; i++) length += (size_t)snprintf(data + length, room - length, " %d", i + 1);
    length += (size_t)snprintf(data + length, room - length, "\n");
    const char *path = write_bytes(name, data, length);
    free(data);
    return path;
}

// Assimp takes eleven seconds for the second one, as for each use of it.
TEST(faces_of_very_many_corners_are_refused)
{
    ff_error err = {0};
    ff_mesh *disk = ff_mesh_load(write_disk("disk.obj", 500), ONE, &err);
    if (!disk) CHECK_FAIL("%s", err.text);
    CHECK_INT(disk->ntriangle, 498);
    ff_mesh_destroy(disk);
    check_refused(write_disk("fine.obj", 100000), FF_BAD_FILE,
                  "fine.obj: a face has 100000 corners, more than the limit of 4096");
}

static long pages_of_children(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return used.ru_minflt;
}

// Ten seconds are lost once, not for every shape and variant.
TEST(a_reader_breaks_down_over_the_same_bytes_once)
{
    text t = dae_text(
        "1", "Z_UP",
        "<node id=\"n2\"><instance_geometry url=\"#g\"/><node id=\"m\"><instance_node url=\"#n2\"/></node></node>");
    const long before = pages_of_children();
    check_refused(write_file("first.dae", t.data), FF_BAD_FILE, "first.dae: the reader of .dae files broke down");
    const long once = pages_of_children();
    CHECK(once > before);
    check_refused(write_file("again.dae", t.data), FF_BAD_FILE, "again.dae: the reader of .dae files broke down");
    CHECK_INT(pages_of_children(), once); // no process was started
}

// Each of these crashes assimp 5.2.5 when it runs in the process itself.
TEST(files_that_crash_the_reader_are_messages_too)
{
    text t = dae_text(
        "1", "Z_UP",
        "<node id=\"n\"><instance_geometry url=\"#g\"/><node id=\"m\"><instance_node url=\"#n\"/></node></node>");
    check_refused(write_file("circle.dae", t.data), FF_BAD_FILE, "broke down");
    t = dae_text("1", "Z_UP", "<node id=\"n\"><instance_geometry url=\"#g\"/></node>");
    memcpy(strstr(t.data, "count=\"12\""), "zount", 5);
    check_refused(write_file("uncounted.dae", t.data), FF_BAD_FILE, "uncounted.dae");
    check_refused(
        write_file("forged.ply", "ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty float x\nend_header\n"),
        FF_BAD_FILE, "4000000000 elements");
}

// ------------------------------------------------------------------------------------------ the host program

static int open_files(void)
{
    int count = 0;
    for (int i = 0; i < 64; i++) count += fcntl(i, F_GETFD) >= 0;
    return count;
}

// 20 000 triangles: more than a pipe holds, so that writer and reader have to take turns.
static const char *write_large(void)
{
    const size_t size = 84 + 50 * (size_t)20000;
    unsigned char *bytes = calloc(1, size);
    CHECK(bytes);
    memcpy(bytes + 80, (const unsigned char[]){0x20, 0x4e, 0, 0}, 4);
    for (int i = 0; i < 20000; i++) {
        const float corners[9] = {(float)i, 0, 0, (float)i, 1, 0, (float)i, 0, 1};
        memcpy(bytes + 84 + 50 * (size_t)i + 12, corners, sizeof corners);
    }
    const char *file = write_bytes("large.stl", bytes, size);
    free(bytes);
    return file;
}

TEST(loading_leaves_no_descriptor_and_no_child_behind)
{
    int before = open_files();
    ff_mesh *mesh = load(write_large(), ONE);
    CHECK_INT(mesh->ntriangle, 20000);
    CHECK_INT(mesh->nvertex, 60000);
    ff_mesh_destroy(mesh);
    text t = dae_text("1", "Z_UP", "<node id=\"n\"><node id=\"m\"><instance_node url=\"#n\"/></node></node>");
    CHECK(!ff_mesh_load(write_file("circle2.dae", t.data), ONE, NULL));
    CHECK_INT(open_files(), before);
    CHECK_INT(waitpid(-1, NULL, WNOHANG), -1);
    CHECK_INT(errno, ECHILD);
}

// A daemon: children reaped by the kernel, the standard streams closed, a broken pipe of its own to survive.
TEST(hosts_without_streams_and_with_their_own_signals_can_load)
{
    text t = stl_text();
    const char *path = write_file("host.stl", t.data);
    pid_t host = fork();
    if (host == 0) {
        sigset_t all;
        signal(SIGCHLD, SIG_IGN);
        sigfillset(&all);
        sigprocmask(SIG_SETMASK, &all, NULL);
        for (int i = 0; i < 3; i++) close(i);
        ff_mesh *mesh = ff_mesh_load(path, ONE, NULL);
        int count = mesh ? mesh->ntriangle : 100;
        ff_mesh_destroy(mesh);
        _exit(count);
    }
    int end = 0;
    CHECK_INT(waitpid(host, &end, 0), host);
    CHECK(WIFEXITED(end));
    CHECK_INT(WEXITSTATUS(end), 4); // triangles of the tetrahedron
}

#endif
