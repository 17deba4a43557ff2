// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of messages (src/studio/protocol.h) and what is really sent: everything described is sent by a walk through
// the studio, everything sent is described (bench_client.h checks that in all tests of the workbench), and mistakes are
// reported in one wording.
#include "bench_client.h"

#include <footfall/record.h>
#include <footfall/studio.h>
#include <footfall/text.h>
#include <footfall/twin.h>

// ------------------------------------------------------------------------------------------ the check itself

static const char *first_problem(const char *json, const char *type)
{
    static char text[400];
    ff_arena arena = {0};
    ff_report report = {0};
    const ff_protocol_check check = {.report = &report, .unknown = FF_ERROR};
    ff_yaml *root = ff_bench_read_json(&arena, json, strlen(json), &report);
    CHECK(root);
    const bool ok = ff_protocol_fits(&check, root, type, "");
    snprintf(text, sizeof text, "%s", ok ? "" : report.messages[0].text);
    CHECK_INT(ok, report.errors == 0);
    ff_report_clear(&report);
    ff_arena_clear(&arena);
    return text;
}

#define WHOLE "\"severity\": \"note\", \"file\": \"a\", \"line\": 1, \"column\": 0, \"text\": \"b\""

TEST(mistakes_have_one_wording)
{
    CHECK_TEXT(first_problem("{" WHOLE "}", "Message"), "");
    CHECK_TEXT(first_problem("{" WHOLE ", \"tex\": 1}", "Message"), "unknown key 'tex'; did you mean 'text'?");
    CHECK_TEXT(first_problem("{\"url\": \"/mesh/1/0\"}", "MeshLink"),
               "'bytes' is missing: a whole number, size of the content");
    CHECK_TEXT(first_problem("{\"url\": 7, \"bytes\": 7}", "MeshLink"), "'url' must be a text, got a number");
    CHECK_TEXT(first_problem("{\"url\": \"u\", \"bytes\": 7.5}", "MeshLink"),
               "'bytes' must be a whole number, got a number");
    CHECK_TEXT(first_problem("{\"a\": 1, \"b\": \"x\"}", "Measured{}"), "'.b' must be a number or null, got a text");
    CHECK_TEXT(first_problem("{\"a\": [1, 2, true]}", "number[3]{}"), "'.a[2]' must be a number, got true");
    CHECK_TEXT(first_problem("[\"loud\"]", "Severity[]"), "'[0]' must be 'error' or 'warning' or 'note', got a text");
    CHECK_TEXT(first_problem("[null, {\"url\": \"u\", \"bytes\": 1}]", "MeshSource[]"), "");
    CHECK_TEXT(first_problem("[1]", "MeshSource[]"), "'[0]' must be MeshData or MeshLink or null, got a number");
    CHECK_TEXT(first_problem("[false]", "flag[]"), "");
    CHECK_TEXT(first_problem("[\"false\"]", "flag[]"), "'[0]' must be true or false, got a text");
}

static bool type_is_known(const char *type)
{
    static const char *const words[] = {"text", "number", "integer", "flag", "null", "any"};
    for (const char *at = type;;) {
        const size_t length = strcspn(at, "|"), name = strcspn(at, "[{|");
        bool known = at[0] == '\'' || ff_protocol_find_type(at, name);
        for (size_t i = 0; i < 6; i++) known = known || (strlen(words[i]) == name && !strncmp(at, words[i], name));
        if (!known) return false;
        if (!at[length]) return true;
        at += length + 1;
    }
}

static void check_fields(const char *name, const ff_json_field *fields, int count)
{
    for (int i = 0; i < count; i++) {
        if (!type_is_known(fields[i].type)) CHECK_FAIL("%s.%s: type %s?", name, fields[i].name, fields[i].type);
        if (!fields[i].help[0] || strchr(fields[i].help, '\n')) CHECK_FAIL("%s.%s: no help", name, fields[i].name);
        for (int k = 0; k < i; k++)
            if (strcmp(fields[k].name, fields[i].name) == 0) CHECK_FAIL("%s.%s is there twice", name, fields[i].name);
    }
}

TEST(the_table_is_sound)
{
    for (int s = 0; s < ff_protocol_subject_count; s++)
        for (int i = 0; i < ff_protocol_subjects[s]->ntype; i++) {
            const ff_json_type *type = &ff_protocol_subjects[s]->types[i];
            check_fields(type->name, type->fields, type->nfield);
            CHECK(ff_protocol_find_type(type->name, strlen(type->name)) == type); // no other subject has that name
        }
    for (int i = 0; i < ff_protocol_request_count; i++) {
        const ff_protocol_request *r = &ff_protocol_requests[i];
        check_fields(r->name, r->fields, r->nfield);
        CHECK(!r->answer || ff_protocol_find_type(r->answer, strlen(r->answer)));
    }
    for (int i = 0; i < ff_protocol_event_count; i++) CHECK(type_is_known(ff_protocol_events[i].type));
    for (int i = 0; i < ff_protocol_section_count; i++) CHECK_INT(ff_protocol_sections[i].tag, i + 1);
}

TEST(heads_have_neither_gaps_nor_overlaps)
{
    for (int i = 0; i < ff_protocol_head_count; i++) {
        const ff_protocol_head *head = &ff_protocol_heads[i];
        unsigned at = 0;
        for (int k = 0; k < head->count && strcmp(head->numbers[k].type, "bit") != 0; k++) {
            CHECK_INT(head->numbers[k].at, at);
            at += (unsigned)atoi(head->numbers[k].type + 1) / 8;
        }
        CHECK_INT(at, head->bytes);
    }
}

// ------------------------------------------------------------------------------------------ what is sent

/// Asks, and checks the request itself, too.
static void ask(bench_client *c, const char *request, const char *arguments)
{
    char text[4000];
    ff_arena arena = {0};
    ff_report report = {0};
    const ff_protocol_check check = {.report = &report, .unknown = FF_ERROR, .seen = protocol_note};
    snprintf(text, sizeof text, "{\"id\": 1, \"do\": \"%s\"%s%s}", request, arguments[0] ? ", " : "", arguments);
    ff_yaml *root = ff_bench_read_json(&arena, text, strlen(text), &report);
    if (!root || !ff_protocol_fits_request(&check, root, ff_protocol_find_request(request)))
        CHECK_FAIL("%s", report.messages[0].text);
    ff_report_clear(&report);
    ff_arena_clear(&arena);
    bench_do(c, "\"do\": \"%s\"%s%s", request, arguments[0] ? ", " : "", arguments);
}

/// Runs for some time and checks the frames meanwhile.
static void run_for(bench_client *c, double seconds)
{
    char arguments[60];
    bench_forget(c);
    snprintf(arguments, sizeof arguments, "\"seconds\": %g", seconds);
    ask(c, "step", arguments);
    const double t = bench_wait_until_paused(c);
    do bench_next_frame(c, 0);
    while (protocol_u32(c->frame) != FF_FRAME_MAGIC || frame_time(c) < t);
}

static void copy_file(const char *root, const char *from, const char *name)
{
    char *text = NULL;
    size_t length = 0;
    ff_error err = {0};
    if (ff_text_read(from, (size_t)1 << 20, &text, &length, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    bench_file(root, name, text);
    free(text);
}

#define WALK                                                                                                           \
    "footfall: 1\ntitle: Walk\ndescription: on six legs\nrobot: anton.yaml\nstart: {pose: stand}\n"                    \
    "place: {settle: true}\nterrain: [{plane: {material: lab-floor}}]\nsolver: {method: euler, step: 1e-3}\n"          \
    "control: {gait: tripod, speed: 0.1}\ntime: 0.6\nforces: [{body: middle, force: [0, 1, 0], from: 0.1, to: 0.2}]\n" \
    "variants: [{name: slow, set: {control.speed: 0.05}}]\n"                                                           \
    "expect:\n  - {metric: walk.speed.mean, is: 0.1, within: 1}\n  - {metric: walk.bob, at_most: 1, rate: 0.9}\n"      \
    "  - {metric: walk.bob, at_least: 0, source: \"a bob is positive\"}\n"

#define WEDGE                                                                                                          \
    "footfall: 1\nmaterials: {s: {normal: {law: linear, stiffness: 1e4}, friction: {law: none}}}\n"                    \
    "terrain:\n  - plane: {normal: [1, 0, 1.5], material: rigid, name: left}\n"                                        \
    "  - plane: {normal: [-1, 0, 1.5], material: rigid, name: right}\n"                                                \
    "objects: [{name: ball, point: true, mass: 0.1, pos: [0.1, 0, 0.5], material: s}]\n"                               \
    "solver: {method: implicit, accuracy: 1e-3}\nrecord: {rate: 20, channels: [q]}\ntime: 15\n"                        \
    "expect: [{metric: bodies.ball.x.final, at_least: 0}]\n"

#define ARM                                                                                                            \
    "footfall: 1\nname: arm\nconstants: {m: {value: 1, origin: \"weighed\"}}\nbodies: {rod: {joint: {name: hinge,\n"   \
    "  axis: z, drive: {kind: ideal, gear: 1, loop: {kind: pd, kp: 100, kd: 20, rate: 1000}}}, inertial: &i {mass: "   \
    "m,\n"                                                                                                             \
    "  com: [0, 0, 0], inertia: [1, 1, 1]}, shapes: [{mesh: {file: 'big.stl'}, role: visual},\n"                       \
    "  {mesh: {file: 'small.obj'}, role: visual}],\n"                                                                  \
    "  frames: {tip: {pos: [1, 0, 0]}}}, end: {parent: rod, inertial: *i}}\n"                                          \
    "sensors: {eye: {type: distance, frame: tip, cone: 0.1}}\n"

static const char ARM_LUA[] = "parameters = {goal = {0.5, low = 0, high = 1, unit = 'rad'}}\n"
                              "function cycle(t, s, r) r['hinge.position'] = parameters.goal end\n";

/// A surface of more than 2 MiB, as binary STL, which is soon read.
static void write_mesh(const char *root)
{
    enum { N = 250 };
    const uint32_t count = 2 * N * N;
    char path[600], head[80] = "surface";
    snprintf(path, sizeof path, "%s/big.stl", root);
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(head, sizeof head, 1, file) == 1 && fwrite(&count, sizeof count, 1, file) == 1);
    for (uint32_t i = 0; i < count; i++) {
        static const int corners[2][3][2] = {{{0, 0}, {1, 0}, {0, 1}}, {{0, 1}, {1, 0}, {1, 1}}};
        float numbers[12] = {0.0F, 0.0F, 1.0F};
        for (int k = 0; k < 3; k++) {
            const int x = (int)(i / 2 / N) + corners[i % 2][k][0], y = (int)(i / 2 % N) + corners[i % 2][k][1];
            const float at[3] = {0.01F * (float)x, 0.01F * (float)y, 1e-3F * (float)(x % 7)};
            memcpy(numbers + 3 + 3 * k, at, sizeof at);
        }
        const uint16_t nothing = 0;
        CHECK(fwrite(numbers, sizeof numbers, 1, file) == 1 && fwrite(&nothing, sizeof nothing, 1, file) == 1);
    }
    fclose(file);
}

/// The document of a run that was kept.
static void check_document(const char *root, const char *name)
{
    char path[600], *text = NULL;
    size_t length = 0;
    ff_error err = {0};
    snprintf(path, sizeof path, "%s/out/%s", root, name);
    ff_recording *r = ff_recording_open(path, &err);
    if (!r) CHECK_FAIL("%s", err.text);
    FILE *out = open_memstream(&text, &length);
    CHECK_INT(ff_studio_write_document(r, NULL, out, NULL, &err), FF_OK);
    fclose(out);
    ff_recording_close(r);
    protocol_check(text, NULL, "RunDocument");
    free(text);
}

/// A walk with a push, kept, and its document.
static void visit_walk(bench_client *c, const char *root)
{
    ask(c, "load", "\"scene\": \"walk.yaml\", \"variant\": \"slow\", \"set\": [\"seed=2\"]");
    ask(c, "watch", "\"channels\": [\"q\", \"energy.total\"], \"rate\": 50");
    ask(c, "command", "\"robot\": 0, \"command\": {\"speed\": 0.08}");
    ask(c, "place", "\"robot\": \"robot\", \"position\": [0, 0, 0.2], \"yaw\": 0.1");
    ask(c, "place", "\"joint\": \"FL_femur\", \"value\": 0.25");
    ask(c, "reset", "");
    ask(c, "push", "\"body\": 0, \"point\": [0, 0, 0], \"force\": [0, 5, 0], \"seconds\": 0.2");
    ask(c, "pull", "\"body\": 0, \"point\": [0, 0, 0], \"target\": [0, 0, 0.3]");
    run_for(c, 0.3);
    ask(c, "pull", "\"target\": null");
    run_for(c, 0.4);
    ask(c, "run", "\"pace\": 1");
    ask(c, "pause", "");
    ask(c, "keep", "\"name\": \"walk\"");
    ask(c, "list", "");
    check_document(root, "walk");
}

/// A ball in a wedge, which is chaotic: its certificate, and that of the same run when it is kept.
static void visit_wedge(bench_client *c, const char *root)
{
    ask(c, "load", "\"scene\": \"wedge.yaml\"");
    ask(c, "certify", "\"stop\": true"); // none is being made
    ask(c, "certify", "");
    run_for(c, 15.0);
    ask(c, "keep", "\"name\": \"wedge\"");
    check_document(root, "wedge");
}

/// A batch of two balls on a floor, of which one falls.
static void visit_batch(bench_client *c, const char *root)
{
    bench_file(root, "free.yaml",
               "footfall: 1\nname: ball\nbodies:\n  ball:\n    joint: {name: fall, type: free}\n"
               "    inertial: {mass: 1, sphere: 0.1}\n    shapes: [{sphere: 0.1}]\n");
    bench_file(root, "batch.yaml",
               "footfall: 1\nrobot: free.yaml\nplace: {pos: [0, 0, 1]}\nterrain: [{plane: "
               "{material: lab-floor}}]\nsolver: {method: euler, step: 1.0e-3}\ntime: 0.1\n");
    ask(c, "load", "\"scene\": \"batch.yaml\"");
    ask(c, "batch",
        "\"robots\": 2, \"time\": 0.05, \"seed\": 1, \"spread\": {\"mass\": [0.5, 2], \"mass.ball\": "
        "{\"kind\": \"choice\", \"numbers\": [1, 2]}}, \"fall_height\": 0.99, "
        "\"fall_tilt\": 0, \"end\": \"time > 1\", \"reward\": \"step\", \"pace\": 100");
    free(bench_wait_for(c, -1, "\"event\": \"batch\"", "\"running\": false"));
    ask(c, "batch_frame", "");
    bench_next_frame(c, 0);
    ask(c, "batch", "\"stop\": true");
}

/// The second robot of a summary, as its writer has it.
static void check_twin(const ff_twin_result *result)
{
    const ff_metric none[] = {{"steps", 1.0}};
    char *twin = ff_twin_to_json(result);
    const ff_summary summary = {.outcome = "finished", .metrics = none, .nmetric = 1, .twin = twin};
    char *text = ff_summary_to_json(&summary);
    CHECK(twin && text);
    protocol_check(text, NULL, "Summary");
    free(twin);
    free(text);
}

/// A second robot beside the walk; and what a summary says of such a one, and of a recording.
static void visit_twin(bench_client *c)
{
    const ff_metric metric = {"walk.falls", 0.0};
    const ff_twin_channel channel = {.name = "q", .unit = "rad", .column = "knee", .range = 1.0, .parted = 0.5};
    const ff_mapped column = {.channel = "joints.position", .name = "knee"};
    const ff_map map = {.columns = &column, .count = 1};
    double each[] = {-0.9}; // its sign is turned
    const ff_alignment alignment = {.period = 1.0, .each = each};
    ask(c, "load", "\"scene\": \"walk.yaml\", \"twin\": [\"seed=3\"]");
    ask(c, "watch", "\"channels\": [\"twin.com.pos.x\", \"difference.com.pos.x\"], \"rate\": 50");
    run_for(c, 0.1);
    check_twin(&(ff_twin_result){.text = "",
                                 .outcome = "finished",
                                 .lost = 1.0,
                                 .parting = {.parted = true},
                                 .channels = &channel,
                                 .nchannel = 1,
                                 .metrics = &metric,
                                 .nmetric = 1});
    check_twin(&(ff_twin_result){.text = "",
                                 .outcome = "recorded",
                                 .lost = NAN,
                                 .channels = &channel,
                                 .nchannel = 1,
                                 .alignment = &alignment,
                                 .map = &map});
}

/// A script, a mesh that is fetched, outlines, files.
static void visit_arm(bench_client *c)
{
    char *outline;
    ask(c, "load", "\"scene\": \"scene.yaml\", \"texts\": {\"arm.lua\": \"function cycle() end\"}");
    ask(c, "load", "\"scene\": \"scene.yaml\", \"text\": \"footfall: 1\\nrobot: arm.yaml\\n\"");
    ask(c, "load", "\"scene\": \"scene.yaml\"");
    ask(c, "parameter", "\"robot\": 0, \"name\": \"goal\", \"value\": 0.75");
    ask(c, "script", "\"robot\": 0, \"text\": \"function cycle(t) if t > 0.02 then error('stop') end end\"");
    ask(c, "step", "\"seconds\": 0.1");
    free(bench_wait_for(c, -1, "\"event\": \"notice\"", "\"line\""));
    ask(c, "source", "\"path\": \"arm.yaml\"");
    ask(c, "check", "\"path\": \"arm.yaml\", \"text\": \"footfall: 1\\nname: arm\\n\"");
    ask(c, "save", "\"path\": \"new.lua\", \"text\": \"-- nothing\"");
    ff_json json = {0};
    ff_json_begin_object(&json, NULL, true);
    ff_json_text(&json, "path", "arm.yaml");
    ff_json_text(&json, "text", ARM);
    ff_json_end_object(&json);
    char *arguments = ff_json_finish(&json);
    CHECK(arguments);
    arguments[strcspn(arguments, "}") == 0 ? 0 : strlen(arguments) - 2] = 0; // without its braces
    ask(c, "outline", arguments + 1);
    free(arguments);
    outline = bench_ask(c, "\"do\": \"outline\", \"path\": \"a.urdf\", \"text\": \"%s\"",
                        "<robot name='r'><link name='a'/></robot>");
    CHECK(strstr(outline, "\"format\": \"urdf\""));
    free(outline);
    bench_refused(c, "does not exist", "\"do\": \"source\", \"path\": \"no/such.yaml\"");
}

/// Rays, pictures and hands of robots of the project itself.
static void visit_sensors(bench_client *c)
{
    ask(c, "load", "\"scene\": \"experiments/sensor-distance.yaml\"");
    run_for(c, 0.1);
    ask(c, "load", "\"scene\": \"experiments/sensor-camera.yaml\"");
    ask(c, "camera", "\"sensor\": \"film\"");
    for (int i = 0; i < 200 && !protocol_pictures_seen; i++) {
        ask(c, "step", "");
        bench_next_frame(c, 0);
    }
    char *list = bench_ask(c, "\"do\": \"list\"");
    CHECK(strstr(list, "\"needs\": "));
    free(list);
}

/// Prints the members that were never sent. @return how many
static int count_unseen(const char *type, const ff_json_field *fields, int count)
{
    int unseen = 0;
    for (int i = 0; i < count; i++) {
        bool seen = false;
        for (int k = 0; k < protocol_nseen; k++) seen = seen || protocol_seen[k] == &fields[i];
        if (!seen) printf("  %s.%s is described, but was never sent\n", type, fields[i].name);
        unseen += !seen;
    }
    return unseen;
}

TEST(every_request_described_is_carried_out)
{
    bench_client c;
    bench_open(&c, bench_folder());
    for (int i = 0; i < ff_protocol_request_count; i++) {
        char *answer = bench_ask(&c, "\"do\": \"%s\"", ff_protocol_requests[i].name);
        if (strstr(answer, "carries")) CHECK_FAIL("%s", answer);
        free(answer);
    }
    bench_close(&c);
}

TEST(everything_described_is_sent)
{
    bench_client c;
    char root[400];
    snprintf(root, sizeof root, "%s", bench_folder());
    bench_file(root, "walk.yaml", WALK);
    copy_file(root, FF_SOURCE_DIR "/robots/anton/anton.yaml", "anton.yaml");
    bench_file(root, "wedge.yaml", WEDGE);
    bench_file(root, "arm.yaml", ARM);
    bench_file(root, "arm.lua", ARM_LUA);
    bench_file(root, "scene.yaml",
               "footfall: 1\nrobot: arm.yaml\ngravity: [0, 0, 0]\ncontrol: {lua: arm.lua, period: 10 ms}\ntime: 10\n");
    bench_file(root, "small.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    write_mesh(root);
    bench_open(&c, root);
    visit_walk(&c, root);
    visit_twin(&c);
    visit_wedge(&c, root);
    visit_arm(&c);
    visit_batch(&c, root);
    bench_close(&c);
    bench_open(&c, FF_SOURCE_DIR);
    visit_sensors(&c);
    bench_close(&c);

    int unseen = 0;
    for (int s = 0; s < ff_protocol_subject_count; s++)
        for (int i = 0; i < ff_protocol_subjects[s]->ntype; i++) {
            const ff_json_type *type = &ff_protocol_subjects[s]->types[i];
            unseen += count_unseen(type->name, type->fields, type->nfield);
        }
    for (int i = 0; i < ff_protocol_request_count; i++)
        unseen +=
            count_unseen(ff_protocol_requests[i].name, ff_protocol_requests[i].fields, ff_protocol_requests[i].nfield);
    CHECK_INT(unseen, 0);
    for (int i = 1; i <= ff_protocol_section_count; i++)
        if (!protocol_sections_seen[i]) CHECK_FAIL("section %d never came", i);
    CHECK(protocol_pictures_seen);
}
