// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of messages over the socket (protocol.h): types, requests, events.
#include "protocol.h"
#include "twin/twin.h"

#include <string.h>

enum { ALWAYS = false, OPTIONAL = true };
#define FIELDS FF_JSON_FIELDS
#define TYPES  FF_JSON_TYPES

// ------------------------------------------------------------------------------------------ the types

// One field a line.
// clang-format off

static const ff_json_type REQUEST_TYPES[] = {
    {"Severity", "How much a message matters.", .same_as = "'error'|'warning'|'note'"},
    {"Message", "Something found in a file, with its place.", FIELDS(
        {"severity", "Severity", ALWAYS, "", "only an error makes a file unusable"},
        {"file", "text", ALWAYS, "", "seen from the project folder"},
        {"line", "integer", ALWAYS, "", "counted from 1; 0: not known"},
        {"column", "integer", ALWAYS, "", "counted from 1; 0: not known"},
        {"text", "text", ALWAYS, "", "a sentence"})},
    {"Request", "Members of every request, in addition to its arguments.", FIELDS(
        {"id", "number|text", OPTIONAL, "", "repeated in the answer"},
        {"do", "text", ALWAYS, "", "name of the request"})},
    {"Answer", "Members of every answer, in addition to those of its request.", FIELDS(
        {"id", "number|text|null", ALWAYS, "", "`id` of the request"},
        {"ok", "flag", ALWAYS, "", "false: the request was refused, and nothing has changed"},
        {"messages", "Message[]", ALWAYS, "", "messages about files and unknown arguments"})},
    {"Refusal", "Members of an answer whose `ok` is false.", FIELDS(
        {"error", "text", ALWAYS, "", "why it was refused"})},
    {"Watched", "Columns that are watched from now on.", FIELDS(
        {"columns", "text[]", ALWAYS, "", "names of the numbers that follow the time in a row"},
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
         "summary of the whole run, with its certificate; not after `stop`"},
        {"bands", "Bands", OPTIONAL, "", "bands around the curves of recorded channels; present with `summary`"})},
    {"RobotName", "A robot of the scene by name or number.", .same_as = "text|integer"},
};

static const ff_json_type LIBRARY_TYPES[] = {
    {"SceneEntry", "A scene of the project.", FIELDS(
        {"path", "text", ALWAYS, "", "path of the file"},
        {"title", "text", ALWAYS, "", "title of the scene, else the name of its file"},
        {"group", "text", ALWAYS, "", "folder"},
        {"needs", "text", OPTIONAL, "",
         "reason why it cannot run in the studio, such as a controller that is part of another program"},
        {"variants", "text[]", ALWAYS, "", "names of the variants"})},
    {"RobotEntry", "A robot of the project.", FIELDS(
        {"path", "text", ALWAYS, "", "path of the file"},
        {"title", "text", ALWAYS, "", "name of the robot, else the name of its file"})},
    {"TerrainEntry", "A kind of terrain that a scene can have.", FIELDS(
        {"name", "text", ALWAYS, "", "key under `terrain` of a scene"},
        {"help", "text", ALWAYS, "", "meaning"})},
    {"RunEntry", "A run that was saved.", FIELDS(
        {"name", "text", ALWAYS, "", "folder under `out`"},
        {"title", "text", ALWAYS, "", "title of the summary, else the name"},
        {"time", "number", ALWAYS, "s", "simulated time"},
        {"outcome", "text", ALWAYS, "", "how the run ended; empty: not known"},
        {"bytes", "integer", ALWAYS, "", "size of recording and report"},
        {"saved", "integer", ALWAYS, "s", "time at which it was saved, since 1970"},
        {"report", "flag", ALWAYS, "", "whether the run has a report page"})},
    {"Library", "The files of the project.", FIELDS(
        {"scenes", "SceneEntry[]", ALWAYS, "", "files of scenes"},
        {"robots", "RobotEntry[]", ALWAYS, "", "files of robots"},
        {"scripts", "text[]", ALWAYS, "", "paths of Lua files"},
        {"terrains", "TerrainEntry[]", ALWAYS, "", "kinds of terrain"},
        {"runs", "RunEntry[]", ALWAYS, "", "saved runs"})},
};

static const ff_json_type SCENE_TYPES[] = {
    {"Command", "One command that a controller takes, with its present value.", FIELDS(
        {"key", "text", ALWAYS, "", "name"},
        {"unit", "text", ALWAYS, "", "unit of the value"},
        {"value", "number|text", ALWAYS, "", "present value"},
        {"choices", "text[]", OPTIONAL, "", "allowed words, in place of a range"},
        {"low", "number", OPTIONAL, "", "smallest value of the slider"},
        {"high", "number", OPTIONAL, "", "largest value of the slider"})},
    {"Parameter", "One parameter of a script, with its present value.", FIELDS(
        {"name", "text", ALWAYS, "", "name in the script"},
        {"unit", "text", ALWAYS, "", "unit of the value"},
        {"low", "number|null", ALWAYS, "", "smallest value; null: no bound"},
        {"high", "number|null", ALWAYS, "", "largest value; null: no bound"},
        {"value", "number", ALWAYS, "", "present value"})},
    {"Control", "The controller of a robot.", FIELDS(
        {"kind", "text", ALWAYS, "",
         "kind of the controller; `hold`: only the [joint law](scenes.md#the-joint-law); `none`: no controller"},
        {"path", "text", OPTIONAL, "", "path of its script"},
        {"text", "text", OPTIONAL, "", "text of its script when the event was sent"},
        {"commands", "Command[]", ALWAYS, "", "commands that it takes"},
        {"parameters", "Parameter[]", ALWAYS, "", "parameters of its script"})},
    {"Robot", "A robot of the scene.", FIELDS(
        {"name", "text", ALWAYS, "", "name in the scene"},
        {"prefix", "text", ALWAYS, "", "prefix of the names of its bodies and joints"},
        {"path", "text", ALWAYS, "", "path of its file"},
        {"body", "integer", ALWAYS, "", "number of its root body in the model; -1: the robot has no moving body"},
        {"joints", "integer[]", ALWAYS, "", "numbers of its joints in the model"},
        {"control", "Control", ALWAYS, "", "its controller"})},
    {"ChannelEntry", "A channel that can be watched.", FIELDS(
        {"name", "text", ALWAYS, "", "name of the channel"},
        {"unit", "text", ALWAYS, "", "unit of all its columns"},
        {"columns", "text[]", ALWAYS, "", "names of the columns; the name of a single column is empty"})},
    {"SensorEntry", "A sensor of the scene.", FIELDS(
        {"name", "text", ALWAYS, "", "in the model"},
        {"kind", "text", ALWAYS, "", "type of the sensor, as in robot files"},
        {"body", "integer", ALWAYS, "", "number of the body to which it is fixed"},
        {"pos", "number[3]", ALWAYS, "m", "position in the frame of the body"})},
    {"MeshData", "A mesh inside a message.", FIELDS(
        {"vertices", "text", ALWAYS, "m", "base64 of 32-bit floats, x y z of each corner"},
        {"triangles", "text", ALWAYS, "", "base64 of unsigned 32-bit numbers, three corners of each triangle"})},
    {"MeshLink", "A mesh that the page must fetch, because all meshes together exceed 2 MiB.", FIELDS(
        {"url", "text", ALWAYS, "",
         "address of: u32 number of corners, u32 number of triangles, 3 f32 for each corner, 3 u32 for each triangle"},
        {"bytes", "integer", ALWAYS, "", "size of the content"})},
    {"MeshSource", "A mesh; null if its file is missing.", .same_as = "MeshData|MeshLink|null"},
    {"Scene", "Event `scene`: what was loaded.", FIELDS(
        {"event", "'scene'", ALWAYS, "", "name of the event"},
        {"generation", "integer", ALWAYS, "", "number of the scene; a load gives a new one"},
        {"path", "text", ALWAYS, "", "path of the file"},
        {"kind", "'scene'|'robot'", ALWAYS, "", "`robot`: the file of a robot alone"},
        {"title", "text", ALWAYS, "", "title of the scene"},
        {"description", "text", ALWAYS, "", "description of the scene"},
        {"text", "text", ALWAYS, "", "text of the file, or the text that was given in place of it"},
        {"unsaved", "flag", ALWAYS, "", "the text differs from that of the file"},
        {"variant", "text|null", ALWAYS, "", "variant that is loaded; null: none"},
        {"variants", "text[]", ALWAYS, "", "names of the variants"},
        {"set", "text[]", ALWAYS, "", "values changed as by --set"},
        {"twin", "text[]", OPTIONAL, "",
         "values changed for a second robot ([twin](twin.md)); missing: there is none"},
        {"time", "number", ALWAYS, "s", "simulated time at which the scene ends"},
        {"method", "text", ALWAYS, "", "integration method"},
        {"step", "number|null", ALWAYS, "s", "step of the method; null: error control chooses it"},
        {"effects", "text{}", ALWAYS, "", "level of modelling (`effects`) of the scene, such as `drives: full`"},
        {"robots", "Robot[]", ALWAYS, "", "in the order of the file"},
        {"channels", "ChannelEntry[]", ALWAYS, "", "5000 at most; others can be watched, too"},
        {"sensors", "SensorEntry[]", ALWAYS, "", "sensors of all robots"},
        {"cameras", "text[]", ALWAYS, "", "names of the sensors that take pictures"},
        {"messages", "Message[]", ALWAYS, "", "messages found while loading"},
        {"model", "Model", ALWAYS, "", "compiled from all robots and the terrain"},
        {"meshes", "MeshSource[]", ALWAYS, "", "one for each mesh of the model"})},
};

static const ff_json_type EVENT_TYPES[] = {
    {"RunState", "Event `state`: the present state of the simulation.", FIELDS(
        {"event", "'state'", ALWAYS, "", "name of the event"},
        {"generation", "integer", ALWAYS, "", "number of the scene; 0: nothing is loaded"},
        {"starts", "integer", ALWAYS, "", "number of loads and resets so far"},
        {"t", "number", ALWAYS, "s", "simulated time"},
        {"running", "flag", ALWAYS, "", "false: paused"},
        {"pace", "number", ALWAYS, "", "factor of real time; 0: as fast as possible"},
        {"ended", "text|null", ALWAYS, "", "`finished`, or `diverged: ..`; null while it can continue"},
        {"rtf", "number", ALWAYS, "", "real-time factor: simulated time over real time"},
        {"recorded_s", "number", ALWAYS, "s", "time up to which there is a recording"},
        {"recording", "flag", ALWAYS, "", "false: nothing is recorded, or the recording is full"},
        {"clients", "integer", ALWAYS, "", "pages that are connected"})},
    {"NoticeEvent", "Event `notice`: something happened.", FIELDS(
        {"event", "'notice'", ALWAYS, "", "name of the event"},
        {"severity", "Severity", ALWAYS, "", "severity"},
        {"text", "text", ALWAYS, "", "a sentence"},
        {"file", "text", OPTIONAL, "", "seen from the project folder"},
        {"line", "integer", OPTIONAL, "", "counted from 1"})},
    {"ControlState", "Event `control`: commands and parameters of a robot, changed by any page or by the scene.",
     FIELDS(
        {"event", "'control'", ALWAYS, "", "name of the event"},
        {"generation", "integer", ALWAYS, "", "number of the scene"},
        {"robot", "integer", ALWAYS, "", "number among `robots`"},
        {"commands", "Command[]", ALWAYS, "", "commands with ranges, which depend on the gait"},
        {"parameters", "Parameter[]", ALWAYS, "", "parameters with their present values"})},
    {"Pushed", "Event `pushed`: a body is pushed.", FIELDS(
        {"event", "'pushed'", ALWAYS, "", "name of the event"},
        {"t", "number", ALWAYS, "s", "simulated time at which the push began"},
        {"body", "integer", ALWAYS, "", "number in the model"},
        {"point", "number[3]", ALWAYS, "m", "position in the frame of the body"},
        {"force", "number[3]", ALWAYS, "N", "in world axes"},
        {"seconds", "number", ALWAYS, "s", "duration"})},
    {"BatchRange", "Bounds of a uniform distribution.",
     .same_as = "number[2]"},
    {"BatchDraw", "A [distribution](batch.md#what-differs-from-robot-to-robot) by its name.",
     FIELDS(
        {"kind", "'uniform'|'log_uniform'|'normal'|'choice'", ALWAYS, "", "kind of the distribution"},
        {"numbers", "number[]", ALWAYS, "",
         "two bounds; for `normal` mean and deviation, and optional bounds; for `choice` its values"})},
    {"BatchSpread", "How a quantity differs from robot to robot.", .same_as = "BatchRange|BatchDraw"},
    {"BatchColumn", "A number of each robot of a batch.", FIELDS(
        {"name", "text", ALWAYS, "", "such as `distance`, or a factor that robots drew"},
        {"unit", "text", ALWAYS, "", "unit of its numbers; 1: a factor"},
        {"help", "text", ALWAYS, "", "meaning"},
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
        {"stride", "integer", ALWAYS, "", "frames contain every stride-th robot; 1: all"},
        {"seed", "integer", ALWAYS, "", "seed of its random numbers"},
        {"spread", "BatchSpread{}", ALWAYS, "", "distributions of the drawn quantities, by name"},
        {"end", "text|null", ALWAYS, "", "condition that ends a robot; null: none"},
        {"reward", "text|null", ALWAYS, "", "formula of the column `reward`; null: none"},
        {"t", "number", ALWAYS, "s", "simulated time"},
        {"time", "number", ALWAYS, "s", "simulated time at which it ends"},
        {"running", "flag", ALWAYS, "", "false: it has ended"},
        {"ended", "text|null", ALWAYS, "",
         "`finished`, `stopped`, `all robots have ended`, or the reason of a failure; null while it runs"},
        {"rate", "number", ALWAYS, "1/s", "robot-steps per second of real time"},
        {"lives", "integer", ALWAYS, "", "robots that have not ended"},
        {"fell", "integer", ALWAYS, "", "robots that fell"},
        {"diverged", "integer", ALWAYS, "", "robots whose state diverged"},
        {"finished", "integer", ALWAYS, "", "robots for which the condition `end` held"},
        {"falls", "Measured[3]", ALWAYS, "s", "time of the first fall, median, time of the last fall"},
        {"columns", "BatchColumn[]", ALWAYS, "", "columns of frames, with their quantiles over all robots"})},
};

static const ff_json_type OUTLINE_TYPES[] = {
    {"OutlineKind", "Kind of a value in a text.",
     .same_as = "'map'|'list'|'number'|'choice'|'flag'|'text'|'null'|'alias'"},
    {"OutlineNode", "One value of a text.", FIELDS(
        {"parent", "integer", ALWAYS, "", "number of the entry that contains it; -1: none"},
        {"key", "text", OPTIONAL, "", "name in a map; items of lists have none"},
        {"line", "integer", ALWAYS, "", "line of the key, else of the value"},
        {"column", "integer", ALWAYS, "", "column of the key, else of the value"},
        {"role", "text", OPTIONAL, "", "element that it describes: `body`, `joint`, `drive`, .."},
        {"help", "text", OPTIONAL, "", "meaning of the key"},
        {"default", "text", OPTIONAL, "", "value that applies without the key; `needed`: the key is required"},
        {"anchor", "text", OPTIONAL, "", "YAML anchor"},
        {"kind", "OutlineKind", ALWAYS, "",
         "kind of the value; a value that aliases repeat is one entry"},
        {"at", "integer", OPTIONAL, "", "line of the value, where messages point"},
        {"from", "integer", OPTIONAL, "", "column of the value"},
        {"begin", "integer", OPTIONAL, "byte", "start of the value in the text, without anchor, tag and comment"},
        {"end", "integer", OPTIONAL, "byte", "end of the value in the text"},
        {"text", "text", OPTIONAL, "", "value as written; for an alias: the anchor"},
        {"quoted", "flag", OPTIONAL, "", "the text was in quotes"},
        {"value", "number|null", OPTIONAL, "", "value in SI units, if it can be evaluated"},
        {"unit", "text", OPTIONAL, "", "unit of the number"},
        {"low", "number", OPTIONAL, "", "smallest value"},
        {"high", "number", OPTIONAL, "", "largest value"},
        {"above", "flag", OPTIONAL, "", "`low` itself is too low"},
        {"below", "flag", OPTIONAL, "", "`high` itself is too high"},
        {"nonzero", "flag", OPTIONAL, "", "zero is refused"},
        {"choices", "text[]", OPTIONAL, "", "allowed words"},
        {"origin", "text", OPTIONAL, "", "source of the number"},
        {"makes", "text[]", OPTIONAL, "",
         "names of the elements of the robot that it defines (shapes: of their bodies)"})},
    {"Outline", "The values of a text as a tree.", FIELDS(
        {"format", "'native'|'urdf'|'mjcf'|'scene'", ALWAYS, "", "format of the file"},
        {"editable", "flag", ALWAYS, "", "false: it is only shown"},
        {"name", "text", OPTIONAL, "", "name of a robot in URDF or MJCF"},
        {"nodes", "OutlineNode[]", ALWAYS, "", "in the order of the file, 10 000 at most"})},
};

static const ff_json_type DOCUMENT_TYPES[] = {
    {"EventKind", "Kinds of events of a run ([table](studio.md#events-of-a-run)).",
     .same_as = "'touchdown'|'liftoff'|'fall'|'rise'|'push'|'pull'|'force'|'command'|'status'|'calm'|'more'"},
    {"RunEvent", "Something that happened during a run.", FIELDS(
        {"t", "number", ALWAYS, "s", "time of the event"},
        {"kind", "EventKind", ALWAYS, "", "kind of the event"},
        {"leg", "integer", OPTIONAL, "", "leg of `touchdown` and `liftoff`"},
        {"body", "integer", OPTIONAL, "", "body that a force acts on"},
        {"point", "number[3]", OPTIONAL, "m", "point at which it acts, in the frame of the body"},
        {"force", "number[3]", OPTIONAL, "N", "force in world axes; that of a pull is recorded as `push.force.*`"},
        {"seconds", "number|null", OPTIONAL, "s", "duration; null: to the end"},
        {"what", "text", ALWAYS, "", "a sentence"})},
    {"Decimation", "Which rows of the recording the document has.", FIELDS(
        {"rate_hz", "number", ALWAYS, "Hz", "rate of the rows in the document"},
        {"kept", "integer", ALWAYS, "", "rows in the document"},
        {"of", "integer", ALWAYS, "", "rows in the recording"},
        {"how", "text", ALWAYS, "", "a sentence for the page"})},
    {"SceneText", "The scene of a run.", FIELDS(
        {"text", "text", ALWAYS, "", "text of the file"},
        {"path", "text", OPTIONAL, "", "path of the file"},
        {"title", "text", OPTIONAL, "", "title of the scene"},
        {"description", "text", OPTIONAL, "", "description of the scene, with the changes of this run"})},
    {"RecordedChannel", "Numbers over time.", FIELDS(
        {"name", "text", ALWAYS, "", "in the model"},
        {"unit", "text", ALWAYS, "", "unit of all its columns"},
        {"columns", "text[]", ALWAYS, "", "names"},
        {"data", "text", ALWAYS, "", "base64 of little-endian 32-bit floats, row after row"})},
    {"Edge", "One number for each time; null: none.", .same_as = "Measured[]"},
    {"Band", "The band around a channel.", FIELDS(
        {"name", "text", ALWAYS, "", "name of the channel"},
        {"low", "Edge[]", ALWAYS, "", "lower edge, of each column"},
        {"high", "Edge[]", ALWAYS, "", "upper edge, of each column"})},
    {"Bands", "Bands around the curves of a run.", FIELDS(
        {"time", "number[]", ALWAYS, "s", "from each time to the next an edge is the outermost of all samples"},
        {"channels", "Band[]", ALWAYS, "", "those of the recording"})},
    {"RunDocument", "A run for the report.", FIELDS(
        {"footfall", "integer", ALWAYS, "", "version, 1; a page refuses others"},
        {"summary", "Summary", OPTIONAL, "", "`summary.json`, if it is in the folder of the recording"},
        {"scene", "SceneText", ALWAYS, "", "scene of the run"},
        {"model", "Model", OPTIONAL, "", "compiled model, if the recording has one"},
        {"meshes", "MeshSource[]", OPTIONAL, "", "with `model`; null: missing, or all meshes exceed 3 MiB"},
        {"decimation", "Decimation", ALWAYS, "", "which rows of the recording the document has"},
        {"time", "text", ALWAYS, "s", "base64 of little-endian 32-bit floats"},
        {"channels", "RecordedChannel[]", ALWAYS, "", "with as many rows as `time`"},
        {"events", "RunEvent[]", ALWAYS, "", "events in the order of time"},
        {"bands", "Bands", OPTIONAL, "", "`bands.json` of a run with a certificate"})},
};

static const ff_json_subject REQUESTS_SUBJECT = {"requests", "Requests and their answers.", TYPES(REQUEST_TYPES)},
                                 LIBRARY_SUBJECT = {"library", "The files of the project.", TYPES(LIBRARY_TYPES)},
                                 SCENE_SUBJECT = {"scene", "What was loaded.", TYPES(SCENE_TYPES)},
                                 EVENTS_SUBJECT = {"events", "What the program says unasked.", TYPES(EVENT_TYPES)},
                                 OUTLINE_SUBJECT = {"outline", "The tree of a text, for the model editor.",
                                                    TYPES(OUTLINE_TYPES)},
                                 FRAMES_SUBJECT = {"frames", "Binary messages: frames and pictures.", NULL, 0},
                                 DOCUMENT_SUBJECT = {"document", "A run for the report.", TYPES(DOCUMENT_TYPES)};

const ff_json_subject *const ff_protocol_subjects[] = {
    &REQUESTS_SUBJECT, &LIBRARY_SUBJECT, &SCENE_SUBJECT,    &EVENTS_SUBJECT,
    &OUTLINE_SUBJECT,  &ff_model_json,   &ff_summary_json,  &ff_certificate_json,
    &ff_twin_json,     &DOCUMENT_SUBJECT, &FRAMES_SUBJECT,
};
const int ff_protocol_subject_count = FF_JSON_COUNT(ff_protocol_subjects);

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
     "Makes a [certificate](certificate.md) of the scene while the simulation continues. The answer comes when it is "
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
         "[distributions](batch.md#what-differs-from-robot-to-robot) of quantities, by name: `mass`, `mass.torso`"},
        {"fall_height", "number", OPTIONAL, "m",
         "height below which a robot has fallen, --fall-height of [`footfall batch`](program.md#batch)"},
        {"fall_tilt", "number", OPTIONAL, "rad", "tilt beyond which it has fallen, --fall-tilt"},
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
const int ff_protocol_request_count = FF_JSON_COUNT(ff_protocol_requests);

const ff_protocol_event ff_protocol_events[] = {
    {"scene", "Scene", "After a load, and after a reset that finds a changed file."},
    {"state", "RunState", "After every change, and twice a second while it runs."},
    {"notice", "NoticeEvent",
     "Falls, lines that scripts print, their failures, reports of controllers, the verdict at the end of the scene."},
    {"control", "ControlState",
     "After a command, parameter or script of any page, a command of the scene itself (within 0.25 s), a load and a "
     "reset, if something differs from the last event."},
    {"pushed", "Pushed", "After a push of any page."},
    {"batch", "BatchState",
     "When a batch begins and ends, and four times a second at most while it runs; when a page connects."},
};
const int ff_protocol_event_count = FF_JSON_COUNT(ff_protocol_events);
// clang-format on
