// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of messages over the socket (protocol.h): types, requests, events.
#include "protocol.h"

#include <string.h>

enum { ALWAYS = false, OPTIONAL = true };
#define FIELDS(...)                                                                                                    \
    .fields = (const ff_protocol_field[]){__VA_ARGS__},                                                                \
    .nfield = (int)(sizeof((const ff_protocol_field[]){__VA_ARGS__}) / sizeof(ff_protocol_field))
#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define TYPES(array) .types = (array), .ntype = COUNT(array)

// ------------------------------------------------------------------------------------------ the types

// One field a line.
// clang-format off

static const ff_protocol_type REQUEST_TYPES[] = {
    {"Severity", "How much a message matters.", .same_as = "'error'|'warning'|'note'"},
    {"Message", "Something found in a file, with its place.", FIELDS(
        {"severity", "Severity", ALWAYS, "", "only an error makes a file unusable"},
        {"file", "text", ALWAYS, "", "seen from the project folder"},
        {"line", "integer", ALWAYS, "", "counted from 1; 0: not known"},
        {"column", "integer", ALWAYS, "", "counted from 1; 0: not known"},
        {"text", "text", ALWAYS, "", "a sentence"})},
    {"Request", "What every request has beside its arguments.", FIELDS(
        {"id", "number|text", OPTIONAL, "", "repeated in the answer"},
        {"do", "text", ALWAYS, "", "name of the request"})},
    {"Answer", "What every answer has beside the members of its request.", FIELDS(
        {"id", "number|text|null", ALWAYS, "", "`id` of the request"},
        {"ok", "flag", ALWAYS, "", "false: refused, and nothing has changed"},
        {"messages", "Message[]", ALWAYS, "", "about files and unknown arguments"})},
    {"Refusal", "What an answer has in addition if `ok` is false.", FIELDS(
        {"error", "text", ALWAYS, "", "why it was refused"})},
    {"Watched", "Columns that are watched from now on.", FIELDS(
        {"columns", "text[]", ALWAYS, "", "names of the numbers behind the time of a row"},
        {"units", "text[]", ALWAYS, "", "units of the columns"})},
    {"Source", "A file.", FIELDS(
        {"text", "text", ALWAYS, "", "text of the file on disk"})},
    {"Outlined", "The outline of a text.", FIELDS(
        {"outline", "Outline", ALWAYS, "", "tree of the text"})},
    {"Scripted", "A script that runs.", FIELDS(
        {"parameters", "Parameter[]", ALWAYS, "", "parameters that the new script declares"})},
    {"Kept", "A run that has been saved.", FIELDS(
        {"path", "text", ALWAYS, "", "folder of the run"},
        {"name", "text", ALWAYS, "", "name of the run"},
        {"time", "number", ALWAYS, "s", "simulated time"},
        {"report", "flag", ALWAYS, "", "whether the run has a report page"})},
    {"Certified", "A run that has been certified.", FIELDS(
        {"summary", "Summary", OPTIONAL, "",
         "of the scene from its start to its end, with its certificate; not after `stop`"},
        {"bands", "Bands", OPTIONAL, "", "bands around the curves of recorded channels; present with `summary`"})},
    {"RobotName", "A robot of the scene by name or number.", .same_as = "text|integer"},
};

static const ff_protocol_type LIBRARY_TYPES[] = {
    {"SceneEntry", "A scene of the project.", FIELDS(
        {"path", "text", ALWAYS, "", "path of the file"},
        {"title", "text", ALWAYS, "", "title of the scene, else the name of its file"},
        {"group", "text", ALWAYS, "", "folder"},
        {"needs", "text", OPTIONAL, "", "why it cannot run here, such as a controller that a program must bring"},
        {"variants", "text[]", ALWAYS, "", "names of the variants"})},
    {"RobotEntry", "A robot of the project.", FIELDS(
        {"path", "text", ALWAYS, "", "path of the file"},
        {"title", "text", ALWAYS, "", "name of the robot, else the name of its file"})},
    {"TerrainEntry", "A kind of terrain that a scene can have.", FIELDS(
        {"name", "text", ALWAYS, "", "key under `terrain` of a scene"},
        {"help", "text", ALWAYS, "", "what it is"})},
    {"RunEntry", "A run that was saved.", FIELDS(
        {"name", "text", ALWAYS, "", "folder under `out`"},
        {"title", "text", ALWAYS, "", "title of the summary, else the name"},
        {"time", "number", ALWAYS, "s", "simulated time"},
        {"outcome", "text", ALWAYS, "", "how it ended; empty: not known"},
        {"bytes", "integer", ALWAYS, "", "size of recording and report"},
        {"saved", "integer", ALWAYS, "s", "when it was saved, in seconds since 1970"},
        {"report", "flag", ALWAYS, "", "whether the run has a report page"})},
    {"Library", "The files of the project.", FIELDS(
        {"scenes", "SceneEntry[]", ALWAYS, "", "files of scenes"},
        {"robots", "RobotEntry[]", ALWAYS, "", "files of robots"},
        {"scripts", "text[]", ALWAYS, "", "paths of Lua files"},
        {"terrains", "TerrainEntry[]", ALWAYS, "", "kinds of terrain"},
        {"runs", "RunEntry[]", ALWAYS, "", "what was saved under `out`"})},
};

static const ff_protocol_type SCENE_TYPES[] = {
    {"Command", "One command that a controller takes, with its present value.", FIELDS(
        {"key", "text", ALWAYS, "", "name"},
        {"unit", "text", ALWAYS, "", "unit of the value"},
        {"value", "number|text", ALWAYS, "", "present value"},
        {"choices", "text[]", OPTIONAL, "", "words it may have; then it has no range"},
        {"low", "number", OPTIONAL, "", "least value for a slider"},
        {"high", "number", OPTIONAL, "", "greatest value for a slider"})},
    {"Parameter", "One parameter of a script, with its present value.", FIELDS(
        {"name", "text", ALWAYS, "", "as the script declares it"},
        {"unit", "text", ALWAYS, "", "unit of the value"},
        {"low", "number|null", ALWAYS, "", "least value; null: no bound"},
        {"high", "number|null", ALWAYS, "", "greatest value; null: no bound"},
        {"value", "number", ALWAYS, "", "present value"})},
    {"Control", "The controller of a robot.", FIELDS(
        {"kind", "text", ALWAYS, "",
         "of the controller; `hold`: the [joint law](scenes.md#the-joint-law) alone; `none`: nothing"},
        {"path", "text", OPTIONAL, "", "path of its script"},
        {"text", "text", OPTIONAL, "", "text of its script when the event was sent"},
        {"commands", "Command[]", ALWAYS, "", "commands that it takes"},
        {"parameters", "Parameter[]", ALWAYS, "", "parameters of its script"})},
    {"Robot", "A robot of the scene.", FIELDS(
        {"name", "text", ALWAYS, "", "name in the scene"},
        {"prefix", "text", ALWAYS, "", "prefix of the names of its bodies and joints"},
        {"path", "text", ALWAYS, "", "path of its file"},
        {"body", "integer", ALWAYS, "", "number of its root in the model; -1: nothing of it moves"},
        {"joints", "integer[]", ALWAYS, "", "numbers of its joints in the model"},
        {"control", "Control", ALWAYS, "", "its controller"})},
    {"ChannelEntry", "A channel that can be watched.", FIELDS(
        {"name", "text", ALWAYS, "", "to be watched or recorded"},
        {"unit", "text", ALWAYS, "", "unit of all its columns"},
        {"columns", "text[]", ALWAYS, "", "names; a single column has an empty one"})},
    {"SensorEntry", "A sensor of the scene.", FIELDS(
        {"name", "text", ALWAYS, "", "in the model"},
        {"kind", "text", ALWAYS, "", "as a robot file says it"},
        {"body", "integer", ALWAYS, "", "number of the body that carries it"},
        {"pos", "number[3]", ALWAYS, "m", "in the frame of the body"})},
    {"MeshData", "A mesh inside a message.", FIELDS(
        {"vertices", "text", ALWAYS, "m", "base64 of 32-bit floats, x y z of each corner"},
        {"triangles", "text", ALWAYS, "", "base64 of unsigned 32-bit numbers, three corners of each triangle"})},
    {"MeshLink", "A mesh to be fetched: beyond 2 MiB in all.", FIELDS(
        {"url", "text", ALWAYS, "",
         "GET gives u32 corners, u32 triangles, then 3 f32 for each corner and 3 u32 for each triangle"},
        {"bytes", "integer", ALWAYS, "", "size of the answer to GET"})},
    {"MeshSource", "A mesh; null where its file is missing.", .same_as = "MeshData|MeshLink|null"},
    {"Scene", "Event `scene`: what was loaded.", FIELDS(
        {"event", "'scene'", ALWAYS, "", "name of the event"},
        {"generation", "integer", ALWAYS, "", "number of the scene; a load gives a new one"},
        {"path", "text", ALWAYS, "", "path of the file"},
        {"kind", "'scene'|'robot'", ALWAYS, "", "`robot`: the file of a robot alone"},
        {"title", "text", ALWAYS, "", "title of the scene"},
        {"description", "text", ALWAYS, "", "description of the scene"},
        {"text", "text", ALWAYS, "", "text of the file, or the text that was given in place of it"},
        {"unsaved", "flag", ALWAYS, "", "the text is not that of the file"},
        {"variant", "text|null", ALWAYS, "", "variant that is loaded; null: none"},
        {"variants", "text[]", ALWAYS, "", "names of the variants"},
        {"set", "text[]", ALWAYS, "", "values changed as by --set"},
        {"twin", "text[]", OPTIONAL, "",
         "there is a second robot ([twin](twin.md)), with these values changed as well"},
        {"time", "number", ALWAYS, "s", "simulated time at which the scene ends"},
        {"method", "text", ALWAYS, "", "integration method"},
        {"step", "number|null", ALWAYS, "s", "step of the method; null: error control chooses it"},
        {"effects", "text{}", ALWAYS, "", "switches of the scene, such as `drives: full`"},
        {"robots", "Robot[]", ALWAYS, "", "in the order of the file"},
        {"channels", "ChannelEntry[]", ALWAYS, "", "5000 at most; others can be watched, too"},
        {"sensors", "SensorEntry[]", ALWAYS, "", "sensors of all robots"},
        {"cameras", "text[]", ALWAYS, "", "names of the sensors that take pictures"},
        {"messages", "Message[]", ALWAYS, "", "found while loading"},
        {"model", "Model", ALWAYS, "", "compiled from all robots and the terrain"},
        {"meshes", "MeshSource[]", ALWAYS, "", "one for each mesh of the model"})},
};

static const ff_protocol_type EVENT_TYPES[] = {
    {"RunState", "Event `state`: the present state of the simulation.", FIELDS(
        {"event", "'state'", ALWAYS, "", "name of the event"},
        {"generation", "integer", ALWAYS, "", "number of the scene; 0: nothing is loaded"},
        {"starts", "integer", ALWAYS, "", "how often a scene began, by loads and resets"},
        {"t", "number", ALWAYS, "s", "simulated time"},
        {"running", "flag", ALWAYS, "", "false: paused"},
        {"pace", "number", ALWAYS, "", "factor of real time; 0: as fast as possible"},
        {"ended", "text|null", ALWAYS, "", "`finished`, or `diverged: ..`; null while it can continue"},
        {"rtf", "number", ALWAYS, "", "real-time factor: time simulated in a second"},
        {"recorded_s", "number", ALWAYS, "s", "time up to which there is a recording"},
        {"recording", "flag", ALWAYS, "", "false: nothing is recorded, or the recording is full"},
        {"clients", "integer", ALWAYS, "", "pages that are connected"})},
    {"NoticeEvent", "Event `notice`: something happened.", FIELDS(
        {"event", "'notice'", ALWAYS, "", "name of the event"},
        {"severity", "Severity", ALWAYS, "", "how much it matters"},
        {"text", "text", ALWAYS, "", "a sentence"},
        {"file", "text", OPTIONAL, "", "seen from the project folder"},
        {"line", "integer", OPTIONAL, "", "counted from 1"})},
    {"ControlState", "Event `control`: commands and parameters of a robot, changed by any page or by the scene.",
     FIELDS(
        {"event", "'control'", ALWAYS, "", "name of the event"},
        {"generation", "integer", ALWAYS, "", "number of the scene"},
        {"robot", "integer", ALWAYS, "", "number among `robots`"},
        {"commands", "Command[]", ALWAYS, "", "ranges depend on the gait: `speed` ends at what its transfer allows"},
        {"parameters", "Parameter[]", ALWAYS, "", "as they are now"})},
    {"Pushed", "Event `pushed`: a body is pushed.", FIELDS(
        {"event", "'pushed'", ALWAYS, "", "name of the event"},
        {"t", "number", ALWAYS, "s", "when it began"},
        {"body", "integer", ALWAYS, "", "number in the model"},
        {"point", "number[3]", ALWAYS, "m", "in the frame of the body"},
        {"force", "number[3]", ALWAYS, "N", "in world axes"},
        {"seconds", "number", ALWAYS, "s", "how long it acts"})},
    {"BatchRange", "Lowest and highest value that robots draw, each between them as likely as any other.",
     .same_as = "number[2]"},
    {"BatchDraw", "Any distribution that robots draw from, by its [name](batch.md#what-differs-from-robot-to-robot).",
     FIELDS(
        {"kind", "'uniform'|'log_uniform'|'normal'|'choice'", ALWAYS, "", "kind of the distribution"},
        {"numbers", "number[]", ALWAYS, "",
         "two ends; of `normal` mean and deviation, then bounds where there are some; of `choice` its values"})},
    {"BatchSpread", "How a quantity differs from robot to robot.", .same_as = "BatchRange|BatchDraw"},
    {"BatchColumn", "A number of each robot of a batch.", FIELDS(
        {"name", "text", ALWAYS, "", "such as `distance`, or a factor that robots drew"},
        {"unit", "text", ALWAYS, "", "unit of its numbers; 1: a factor"},
        {"help", "text", ALWAYS, "", "what it is"},
        {"least", "Measured", ALWAYS, "", "smallest of all robots"},
        {"low", "Measured", ALWAYS, "", "5 % of the robots have less"},
        {"median", "Measured", ALWAYS, "", "half of the robots have less"},
        {"high", "Measured", ALWAYS, "", "5 % of the robots have more"},
        {"most", "Measured", ALWAYS, "", "largest of all robots"},
        {"mean", "Measured", ALWAYS, "", "mean of all robots"})},
    {"BatchState", "Event `batch`: the present state of a [batch](batch.md).", FIELDS(
        {"event", "'batch'", ALWAYS, "", "name of the event"},
        {"generation", "integer", ALWAYS, "", "number of the scene"},
        {"number", "integer", ALWAYS, "", "number of the batch, counted from 1"},
        {"robots", "integer", ALWAYS, "", "number of robots of the batch"},
        {"stride", "integer", ALWAYS, "", "frames show every so many robots one; 1: all"},
        {"seed", "integer", ALWAYS, "", "seed of its random numbers"},
        {"spread", "BatchSpread{}", ALWAYS, "", "what each robot drew, by name"},
        {"end", "text|null", ALWAYS, "", "condition that ends a robot; null: none"},
        {"reward", "text|null", ALWAYS, "", "formula of the column `reward`; null: there is none"},
        {"t", "number", ALWAYS, "s", "simulated time"},
        {"time", "number", ALWAYS, "s", "simulated time at which it ends"},
        {"running", "flag", ALWAYS, "", "false: it has ended"},
        {"ended", "text|null", ALWAYS, "",
         "`finished`, `stopped`, `all robots have ended`, or what failed; null while it runs"},
        {"rate", "number", ALWAYS, "1/s", "steps of a robot per second of wall-clock time"},
        {"lives", "integer", ALWAYS, "", "robots that move"},
        {"fell", "integer", ALWAYS, "", "robots that fell"},
        {"diverged", "integer", ALWAYS, "", "robots whose state diverged"},
        {"finished", "integer", ALWAYS, "", "robots for which the condition `end` held"},
        {"falls", "Measured[3]", ALWAYS, "s", "time of the first fall, of half of them, of the last"},
        {"columns", "BatchColumn[]", ALWAYS, "", "columns of frames, with their quantiles over all robots"})},
};

static const ff_protocol_type OUTLINE_TYPES[] = {
    {"OutlineKind", "Kind of a value in a text.",
     .same_as = "'map'|'list'|'number'|'choice'|'flag'|'text'|'null'|'alias'"},
    {"OutlineNode", "One value of a text.", FIELDS(
        {"parent", "integer", ALWAYS, "", "number of the entry around it; -1: the top"},
        {"key", "text", OPTIONAL, "", "name in a map; items of lists have none"},
        {"line", "integer", ALWAYS, "", "line of the key, else of the value"},
        {"column", "integer", ALWAYS, "", "column of the key, else of the value"},
        {"role", "text", OPTIONAL, "", "what it is: `body`, `joint`, `drive`, .."},
        {"help", "text", OPTIONAL, "", "what the key means"},
        {"default", "text", OPTIONAL, "", "what holds without the key; `needed`: it cannot be left out"},
        {"anchor", "text", OPTIONAL, "", "name by which it can be repeated"},
        {"kind", "OutlineKind", ALWAYS, "",
         "kind of value; what is written once is one entry, however often it is repeated"},
        {"at", "integer", OPTIONAL, "", "line of the value, where messages point"},
        {"from", "integer", OPTIONAL, "", "column of the value"},
        {"begin", "integer", OPTIONAL, "byte", "start of the value in the text, without anchor, tag and comment"},
        {"end", "integer", OPTIONAL, "byte", "end of the value in the text"},
        {"text", "text", OPTIONAL, "", "as written; of an alias: the anchor"},
        {"quoted", "flag", OPTIONAL, "", "the text was in quotes"},
        {"value", "number|null", OPTIONAL, "", "in SI units, where it can be evaluated"},
        {"unit", "text", OPTIONAL, "", "unit of the number"},
        {"low", "number", OPTIONAL, "", "least value"},
        {"high", "number", OPTIONAL, "", "greatest value"},
        {"above", "flag", OPTIONAL, "", "`low` itself is too low"},
        {"below", "flag", OPTIONAL, "", "`high` itself is too high"},
        {"nonzero", "flag", OPTIONAL, "", "zero is refused"},
        {"choices", "text[]", OPTIONAL, "", "allowed words"},
        {"origin", "text", OPTIONAL, "", "where the number comes from"},
        {"makes", "text[]", OPTIONAL, "",
         "names of the elements of the robot that it defines (shapes: of their bodies)"})},
    {"Outline", "The values of a text as a tree.", FIELDS(
        {"format", "'native'|'urdf'|'mjcf'|'scene'", ALWAYS, "", "format of the file"},
        {"editable", "flag", ALWAYS, "", "false: shown only"},
        {"name", "text", OPTIONAL, "", "name of a robot in URDF or MJCF"},
        {"nodes", "OutlineNode[]", ALWAYS, "", "in the order of the file, 10 000 at most"})},
};

static const ff_protocol_subject REQUESTS_SUBJECT = {"requests", "Requests and their answers.", TYPES(REQUEST_TYPES)},
                                 LIBRARY_SUBJECT = {"library", "The files of the project.", TYPES(LIBRARY_TYPES)},
                                 SCENE_SUBJECT = {"scene", "What was loaded.", TYPES(SCENE_TYPES)},
                                 EVENTS_SUBJECT = {"events", "What the program says unasked.", TYPES(EVENT_TYPES)},
                                 OUTLINE_SUBJECT = {"outline", "The tree of a text, for the model editor.",
                                                    TYPES(OUTLINE_TYPES)},
                                 FRAMES_SUBJECT = {"frames", "Binary messages: frames and pictures.", NULL, 0};

const ff_protocol_subject *const ff_protocol_subjects[] = {
    &REQUESTS_SUBJECT, &LIBRARY_SUBJECT,      &SCENE_SUBJECT,       &EVENTS_SUBJECT,
    &OUTLINE_SUBJECT,  &ff_protocol_model,    &ff_protocol_summary, &ff_protocol_certificate,
    &ff_protocol_twin, &ff_protocol_document, &FRAMES_SUBJECT,
};
const int ff_protocol_subject_count = COUNT(ff_protocol_subjects);

// ------------------------------------------------------------------------------------------ requests

const ff_protocol_request ff_protocol_requests[] = {
    {"list",
     "Lists the files of the project. Folders `tests`, `build*` and `out` are left out; of more than 2000 files, or "
     "50 000 entries, the rest is not listed, with a warning.",
     "Library", NULL, 0},
    {"load",
     "Loads a scene or a robot. Event `scene`, paused at its start. If that fails, the present scene stays loaded.",
     NULL, FIELDS(
        {"scene", "text", ALWAYS, "", "path of a scene or robot file"},
        {"variant", "text", OPTIONAL, "", "name of a variant of the scene"},
        {"set", "text[]", OPTIONAL, "", "values to change, such as `solver.step=1e-3`"},
        {"twin", "text[]", OPTIONAL, "", "loads a second robot, too ([twin](twin.md)), with these values changed"},
        {"text", "text", OPTIONAL, "", "text to read in place of the file"},
        {"texts", "text{}", OPTIONAL, "",
         "the same for files that are read meanwhile, such as its robot, by their paths"})},
    {"run", "Runs. Event `state`.", NULL, FIELDS(
        {"pace", "number", OPTIONAL, "", "1 (default): real time; 0: as fast as possible; else 0.001 to 1000"})},
    {"pause", "Pauses. Event `state`.", NULL, NULL, 0},
    {"step",
     "Runs for that time as fast as possible; pauses after the step that reaches it, and a `notice` reports if that "
     "step ends later. No step is shortened, so results stay bit-identical. Event `state`.",
     NULL, FIELDS(
        {"seconds", "number", OPTIONAL, "s", "time to run; default: one step of the method"})},
    {"reset",
     "Back to the start, paused, with scripts as they are now. Files are read again: where something has changed, "
     "event `scene` with a new generation.",
     NULL, NULL, 0},
    {"watch", "Sends rows of these channels to this page, with its frames. Names stay valid after `load` and `reset`.",
     "Watched", FIELDS(
        {"channels", "text[]", OPTIONAL, "", "names of channels; an empty list ends it"},
        {"rate", "number", OPTIONAL, "Hz", "100 (default); 0.1 to 1000"})},
    {"source", "Reads a file.", "Source", FIELDS(
        {"path", "text", ALWAYS, "", "path of a file of the project"})},
    {"check", "Checks a file; `messages` are those of `footfall check`.", NULL, FIELDS(
        {"path", "text", ALWAYS, "", "path of a file of the project"},
        {"text", "text", OPTIONAL, "", "text to read in place of the file"})},
    {"save", "Writes a `.yaml` or `.lua` file, whole or not at all, and checks it.", NULL, FIELDS(
        {"path", "text", ALWAYS, "", "path of a file of the project"},
        {"text", "text", ALWAYS, "", "text of the file"})},
    {"push",
     "Pushes a body until the first step at or beyond the end. Event `pushed`; recorded as `push.force.x`, `.y`, "
     "`.z`, `push.body`.",
     NULL, FIELDS(
        {"body", "integer", ALWAYS, "", "number of the body in the model"},
        {"point", "number[3]", ALWAYS, "m", "point of the body, in its frame"},
        {"force", "number[3]", ALWAYS, "N", "force in world axes"},
        {"seconds", "number", OPTIONAL, "s", "duration, 0.1 (default); 60 at most"})},
    {"pull",
     "Pulls a body to a point by a spring and a damper, until the page disconnects. Each page can pull one body.",
     NULL, FIELDS(
        {"body", "integer", OPTIONAL, "", "number of the body in the model"},
        {"point", "number[3]", OPTIONAL, "m", "point of the body, in its frame"},
        {"target", "number[3]|null", OPTIONAL, "m",
         "point in the world; null ends it, else `body` and `point` are needed"})},
    {"place", "Moves a robot while paused. It then has no velocity, and its drives restart.", NULL, FIELDS(
        {"robot", "RobotName", OPTIONAL, "", "may be omitted if the scene has one robot"},
        {"position", "number[3]", OPTIONAL, "m", "position of the root of the robot"},
        {"yaw", "number", OPTIONAL, "rad", "heading of the root of the robot"},
        {"joint", "text", OPTIONAL, "", "name of a joint, with `value`"},
        {"value", "number", OPTIONAL, "rad, m", "new coordinate of the joint"})},
    {"command", "Gives a controller a command, which acts from the next cycle on.", NULL, FIELDS(
        {"robot", "RobotName", OPTIONAL, "", "may be omitted if the scene has one robot"},
        {"command", "any{}", ALWAYS, "", "as an entry of [`commands`](scenes.md#controllers) without `at`"})},
    {"script",
     "Replaces the script of a robot [at once](controllers.md#while-it-runs). A broken one is refused with its line in "
     "`messages`. `reset` starts with the new text, `load` with that of the file.",
     "Scripted", FIELDS(
        {"robot", "RobotName", OPTIONAL, "", "may be omitted if the scene has one robot"},
        {"text", "text", ALWAYS, "", "text of the script"})},
    {"parameter", "Sets a parameter of a script, which acts from the next cycle on.", NULL, FIELDS(
        {"robot", "RobotName", OPTIONAL, "", "may be omitted if the scene has one robot"},
        {"name", "text", ALWAYS, "", "name of the parameter"},
        {"value", "number", ALWAYS, "", "new value"})},
    {"camera", "Pictures of a camera come as binary messages, 15 a second at most.", NULL, FIELDS(
        {"sensor", "text|null", OPTIONAL, "", "a name of `cameras`; null ends it"})},
    {"outline", "Outlines a text for the [model editor](studio.md#model-editor).", "Outlined", FIELDS(
        {"path", "text", ALWAYS, "", "path of a file of the project"},
        {"text", "text", ALWAYS, "", "text of the file"})},
    {"keep",
     "Saves the run since the last reset as `out/NAME` ([files](#saved-runs)). The answer comes when the files are "
     "complete. One run is saved at a time.",
     "Kept", FIELDS(
        {"name", "text", ALWAYS, "", "name of the run; a name in use is refused"})},
    {"certify",
     "Makes a [certificate](certificate.md) of the scene while the simulation goes on. The answer comes when it is "
     "done. One is made at a time, until the page leaves.",
     "Certified", FIELDS(
        {"stop", "flag", OPTIONAL, "", "cancels the one that is being made, whose answer then is a refusal"})},
    {"batch",
     "Runs a [batch](batch.md) of the scene for all pages, until another scene is loaded. The answer comes when its "
     "robots stand at the start, or names everything that a batch cannot do.",
     NULL, FIELDS(
        {"robots", "integer", OPTIONAL, "", "1024 (default); 1 to 262144"},
        {"time", "number", OPTIONAL, "s", "simulated time of each robot; default: that of the scene"},
        {"seed", "integer", OPTIONAL, "", "seed of the random numbers, 0 (default) to 1e12"},
        {"spread", "BatchSpread{}", OPTIONAL, "",
         "what each robot [draws](batch.md#what-differs-from-robot-to-robot), by name: `mass`, `mass.torso`"},
        {"fall_height", "number", OPTIONAL, "m", "as --fall-height of [`footfall batch`](program.md#batch)"},
        {"fall_tilt", "number", OPTIONAL, "rad", "as --fall-tilt"},
        {"end", "text", OPTIONAL, "", "[condition](batch.md#its-end-and-its-reward) that ends a robot, as --end"},
        {"reward", "text", OPTIONAL, "", "formula that is summed over the steps of a robot, as --reward"},
        {"pace", "number", OPTIONAL, "",
         "largest number of simulated seconds a second; 0 (default): as fast as possible"},
        {"stop", "flag", OPTIONAL, "", "ends the running batch; all other arguments are ignored"})},
    {"batch_frame",
     "The next frame of the batch comes as a binary message, 20 a second at most. A page requests another when it has "
     "drawn this one, so that frames do not pile up.",
     NULL, NULL, 0},
};
const int ff_protocol_request_count = COUNT(ff_protocol_requests);

const ff_protocol_event ff_protocol_events[] = {
    {"scene", "Scene", "After a load, and where a reset finds a changed file."},
    {"state", "RunState", "After every change, and twice a second while it runs."},
    {"notice", "NoticeEvent",
     "Falls, lines that scripts print, their failures, reports of controllers, the verdict at the end of the scene."},
    {"control", "ControlState",
     "After a command, parameter or script of any page, a command of the scene itself (within 0.25 s), a load and a "
     "reset, where something differs from the last event."},
    {"pushed", "Pushed", "After a push of any page."},
    {"batch", "BatchState",
     "When a batch begins and ends, and four times a second at most while it runs; when a page connects."},
};
const int ff_protocol_event_count = COUNT(ff_protocol_events);
// clang-format on
