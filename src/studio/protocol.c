// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of messages over the socket (protocol.h): types, requests, events.
#include "protocol.h"
#include "text/json_rows.h"
#include "twin/twin.h"

#include <string.h>

#define FIELDS FF_JSON_FIELDS
#define TYPES  FF_JSON_TYPES

// ------------------------------------------------------------------------------------------ the types

// One field a line.
// clang-format off

static const ff_json_type REQUEST_TYPES[] = {
    {"Severity", "How much a message matters.", .same_as = "'error'|'warning'|'note'"},
    {"Message", "Something found in a file, with its place.", FIELDS(
        FIELD("severity", "Severity", ALWAYS, "", "only an error makes a file unusable"),
        FIELD("file", "text", ALWAYS, "", "seen from the project folder"),
        FIELD("line", "integer", ALWAYS, "", "counted from 1; 0: not known"),
        FIELD("column", "integer", ALWAYS, "", "counted from 1; 0: not known"),
        FIELD("text", "text", ALWAYS, "", "a sentence"))},
    {"Request", "Members of every request, in addition to its arguments.", FIELDS(
        FIELD("id", "number|text", OPTIONAL, "", "repeated in the answer"),
        FIELD("do", "text", ALWAYS, "", "name of the request"))},
    {"Answer", "Members of every answer, in addition to those of its request.", FIELDS(
        FIELD("id", "number|text|null", ALWAYS, "", "`id` of the request"),
        FIELD("ok", "flag", ALWAYS, "", "false: the request was refused, and nothing has changed"),
        FIELD("messages", "Message[]", ALWAYS, "", "messages about files and unknown arguments"))},
    {"Refusal", "Members of an answer whose `ok` is false.", FIELDS(
        FIELD("error", "text", ALWAYS, "", "why it was refused"))},
    {"Watched", "Columns that are watched from now on.", FIELDS(
        FIELD("columns", "text[]", ALWAYS, "", "names of the numbers that follow the time in a row"),
        FIELD("units", "text[]", ALWAYS, "", "units of the columns"))},
    {"Source", "A file.", FIELDS(
        FIELD("text", "text", ALWAYS, "", "text of the file on disk"))},
    {"Outlined", "The outline of a text.", FIELDS(
        FIELD("outline", "Outline", ALWAYS, "", "tree of the text"))},
    {"Scripted", "A script that runs.", FIELDS(
        FIELD("parameters", "Parameter[]", ALWAYS, "", "parameters that the new script declares"))},
    {"Kept", "A run that has been saved.", FIELDS(
        FIELD("path", "text", ALWAYS, "", "folder of the run"),
        FIELD("name", "text", ALWAYS, "", "name of the run"),
        FIELD("time", "number", ALWAYS, "s", "simulated time"),
        FIELD("report", "flag", ALWAYS, "", "whether the run has a report page"))},
    {"Certified", "A run that has been certified.", FIELDS(
        FIELD("summary", "Summary", OPTIONAL, "",
         "summary of the whole run, with its certificate; not after `stop`"),
        FIELD("bands", "Bands", OPTIONAL, "", "bands around the curves of recorded channels; present with `summary`"))},
    {"RobotName", "A robot of the scene by name or number.", .same_as = "text|integer"},
};

static const ff_json_type LIBRARY_TYPES[] = {
    {"SceneEntry", "A scene of the project.", FIELDS(
        FIELD("path", "text", ALWAYS, "", "path of the file"),
        FIELD("title", "text", ALWAYS, "", "title of the scene, else the name of its file"),
        FIELD("group", "text", ALWAYS, "", "folder"),
        FIELD("needs", "text", OPTIONAL, "",
         "reason why it cannot run in the studio, such as a controller that is part of another program"),
        FIELD("variants", "text[]", ALWAYS, "", "names of the variants"))},
    {"RobotEntry", "A robot of the project.", FIELDS(
        FIELD("path", "text", ALWAYS, "", "path of the file"),
        FIELD("title", "text", ALWAYS, "", "name of the robot, else the name of its file"))},
    {"TerrainEntry", "A kind of terrain that a scene can have.", FIELDS(
        FIELD("name", "text", ALWAYS, "", "key under `terrain` of a scene"),
        FIELD("help", "text", ALWAYS, "", "meaning"))},
    {"RunEntry", "A run that was saved.", FIELDS(
        FIELD("name", "text", ALWAYS, "", "folder under `out`"),
        FIELD("title", "text", ALWAYS, "", "title of the summary, else the name"),
        FIELD("time", "number", ALWAYS, "s", "simulated time"),
        FIELD("outcome", "text", ALWAYS, "", "how the run ended; empty: not known"),
        FIELD("bytes", "integer", ALWAYS, "", "size of recording and report"),
        FIELD("saved", "integer", ALWAYS, "s", "time at which it was saved, since 1970"),
        FIELD("report", "flag", ALWAYS, "", "whether the run has a report page"))},
    {"Library", "The files of the project.", FIELDS(
        FIELD("scenes", "SceneEntry[]", ALWAYS, "", "files of scenes"),
        FIELD("robots", "RobotEntry[]", ALWAYS, "", "files of robots"),
        FIELD("scripts", "text[]", ALWAYS, "", "paths of Lua files"),
        FIELD("terrains", "TerrainEntry[]", ALWAYS, "", "kinds of terrain"),
        FIELD("runs", "RunEntry[]", ALWAYS, "", "saved runs"))},
};

static const ff_json_type SCENE_TYPES[] = {
    {"Command", "One command that a controller takes, with its present value.", FIELDS(
        FIELD("key", "text", ALWAYS, "", "name"),
        FIELD("unit", "text", ALWAYS, "", "unit of the value"),
        FIELD("value", "number|text", ALWAYS, "", "present value"),
        FIELD("choices", "text[]", OPTIONAL, "", "allowed words, in place of a range"),
        FIELD("low", "number", OPTIONAL, "", "smallest value of the slider"),
        FIELD("high", "number", OPTIONAL, "", "largest value of the slider"))},
    {"Parameter", "One parameter of a script, with its present value.", FIELDS(
        FIELD("name", "text", ALWAYS, "", "name in the script"),
        FIELD("unit", "text", ALWAYS, "", "unit of the value"),
        FIELD("low", "number|null", ALWAYS, "", "smallest value; null: no bound"),
        FIELD("high", "number|null", ALWAYS, "", "largest value; null: no bound"),
        FIELD("value", "number", ALWAYS, "", "present value"))},
    {"Control", "The controller of a robot.", FIELDS(
        FIELD("kind", "text", ALWAYS, "",
         "kind of the controller; `hold`: only the [joint law](scenes.md#the-joint-law); `none`: no controller"),
        FIELD("path", "text", OPTIONAL, "", "path of its script"),
        FIELD("text", "text", OPTIONAL, "", "text of its script when the event was sent"),
        FIELD("commands", "Command[]", ALWAYS, "", "commands that it takes"),
        FIELD("parameters", "Parameter[]", ALWAYS, "", "parameters of its script"))},
    {"Robot", "A robot of the scene.", FIELDS(
        FIELD("name", "text", ALWAYS, "", "name in the scene"),
        FIELD("prefix", "text", ALWAYS, "", "prefix of the names of its bodies and joints"),
        FIELD("path", "text", ALWAYS, "", "path of its file"),
        FIELD("body", "integer", ALWAYS, "", "number of its root body in the model; -1: the robot has no moving body"),
        FIELD("joints", "integer[]", ALWAYS, "", "numbers of its joints in the model"),
        FIELD("control", "Control", ALWAYS, "", "its controller"))},
    {"ChannelEntry", "A channel that can be watched.", FIELDS(
        FIELD("name", "text", ALWAYS, "", "name of the channel"),
        FIELD("unit", "text", ALWAYS, "", "unit of all its columns"),
        FIELD("columns", "text[]", ALWAYS, "", "names of the columns; the name of a single column is empty"))},
    {"SensorEntry", "A sensor of the scene.", FIELDS(
        FIELD("name", "text", ALWAYS, "", "in the model"),
        FIELD("kind", "text", ALWAYS, "", "type of the sensor, as in robot files"),
        FIELD("body", "integer", ALWAYS, "", "number of the body to which it is fixed"),
        FIELD("pos", "number[3]", ALWAYS, "m", "position in the frame of the body"))},
    {"MeshData", "A mesh inside a message.", FIELDS(
        FIELD("vertices", "text", ALWAYS, "m", "base64 of 32-bit floats, x y z of each corner"),
        FIELD("triangles", "text", ALWAYS, "", "base64 of unsigned 32-bit numbers, three corners of each triangle"))},
    {"MeshLink", "A mesh that the page must fetch, because all meshes together exceed 2 MiB.", FIELDS(
        FIELD("url", "text", ALWAYS, "",
         "address of: u32 number of corners, u32 number of triangles, 3 f32 for each corner, 3 u32 for each triangle"),
        FIELD("bytes", "integer", ALWAYS, "", "size of the content"))},
    {"MeshSource", "A mesh; null if its file is missing.", .same_as = "MeshData|MeshLink|null"},
    {"Scene", "Event `scene`: what was loaded.", FIELDS(
        FIELD("event", "'scene'", ALWAYS, "", "name of the event"),
        FIELD("generation", "integer", ALWAYS, "", "number of the scene; a load gives a new one"),
        FIELD("path", "text", ALWAYS, "", "path of the file"),
        FIELD("kind", "'scene'|'robot'", ALWAYS, "", "`robot`: the file of a robot alone"),
        FIELD("title", "text", ALWAYS, "", "title of the scene"),
        FIELD("description", "text", ALWAYS, "", "description of the scene"),
        FIELD("text", "text", ALWAYS, "", "text of the file, or the text that was given in place of it"),
        FIELD("unsaved", "flag", ALWAYS, "", "the text differs from that of the file"),
        FIELD("variant", "text|null", ALWAYS, "", "variant that is loaded; null: none"),
        FIELD("variants", "text[]", ALWAYS, "", "names of the variants"),
        FIELD("set", "text[]", ALWAYS, "", "values changed as by --set"),
        FIELD("twin", "text[]", OPTIONAL, "",
         "values changed for a second robot ([twin](twin.md)); missing: there is none"),
        FIELD("time", "number", ALWAYS, "s", "simulated time at which the scene ends"),
        FIELD("method", "text", ALWAYS, "", "integration method"),
        FIELD("step", "number|null", ALWAYS, "s", "step of the method; null: error control chooses it"),
        FIELD("effects", "text{}", ALWAYS, "", "level of modelling (`effects`) of the scene, such as `drives: full`"),
        FIELD("robots", "Robot[]", ALWAYS, "", "in the order of the file"),
        FIELD("channels", "ChannelEntry[]", ALWAYS, "", "5000 at most; others can be watched, too"),
        FIELD("sensors", "SensorEntry[]", ALWAYS, "", "sensors of all robots"),
        FIELD("cameras", "text[]", ALWAYS, "", "names of the sensors that take pictures"),
        FIELD("messages", "Message[]", ALWAYS, "", "messages found while loading"),
        FIELD("model", "Model", ALWAYS, "", "compiled from all robots and the terrain"),
        FIELD("meshes", "MeshSource[]", ALWAYS, "", "one for each mesh of the model"))},
};

static const ff_json_type EVENT_TYPES[] = {
    {"RunState", "Event `state`: the present state of the simulation.", FIELDS(
        FIELD("event", "'state'", ALWAYS, "", "name of the event"),
        FIELD("generation", "integer", ALWAYS, "", "number of the scene; 0: nothing is loaded"),
        FIELD("starts", "integer", ALWAYS, "", "number of loads and resets so far"),
        FIELD("t", "number", ALWAYS, "s", "simulated time"),
        FIELD("running", "flag", ALWAYS, "", "false: paused"),
        FIELD("pace", "number", ALWAYS, "", "factor of real time; 0: as fast as possible"),
        FIELD("ended", "text|null", ALWAYS, "", "`finished`, or `diverged: ..`; null while it can continue"),
        FIELD("rtf", "number", ALWAYS, "", "real-time factor: simulated time over real time"),
        FIELD("recorded_s", "number", ALWAYS, "s", "time up to which there is a recording"),
        FIELD("recording", "flag", ALWAYS, "", "false: nothing is recorded, or the recording is full"),
        FIELD("clients", "integer", ALWAYS, "", "pages that are connected"))},
    {"NoticeEvent", "Event `notice`: something happened.", FIELDS(
        FIELD("event", "'notice'", ALWAYS, "", "name of the event"),
        FIELD("severity", "Severity", ALWAYS, "", "severity"),
        FIELD("text", "text", ALWAYS, "", "a sentence"),
        FIELD("file", "text", OPTIONAL, "", "seen from the project folder"),
        FIELD("line", "integer", OPTIONAL, "", "counted from 1"))},
    {"ControlState", "Event `control`: commands and parameters of a robot, changed by any page or by the scene.",
     FIELDS(
        FIELD("event", "'control'", ALWAYS, "", "name of the event"),
        FIELD("generation", "integer", ALWAYS, "", "number of the scene"),
        FIELD("robot", "integer", ALWAYS, "", "number among `robots`"),
        FIELD("commands", "Command[]", ALWAYS, "", "commands with ranges, which depend on the gait"),
        FIELD("parameters", "Parameter[]", ALWAYS, "", "parameters with their present values"))},
    {"Pushed", "Event `pushed`: a body is pushed.", FIELDS(
        FIELD("event", "'pushed'", ALWAYS, "", "name of the event"),
        FIELD("t", "number", ALWAYS, "s", "simulated time at which the push began"),
        FIELD("body", "integer", ALWAYS, "", "number in the model"),
        FIELD("point", "number[3]", ALWAYS, "m", "position in the frame of the body"),
        FIELD("force", "number[3]", ALWAYS, "N", "in world axes"),
        FIELD("seconds", "number", ALWAYS, "s", "duration"))},
    {"BatchRange", "Bounds of a uniform distribution.",
     .same_as = "number[2]"},
    {"BatchDraw", "A [distribution](batch.md#what-differs-from-robot-to-robot) by its name.",
     FIELDS(
        FIELD("kind", "'uniform'|'log_uniform'|'normal'|'choice'", ALWAYS, "", "kind of the distribution"),
        FIELD("numbers", "number[]", ALWAYS, "",
         "two bounds; for `normal` mean and deviation, and optional bounds; for `choice` its values"))},
    {"BatchSpread", "How a quantity differs from robot to robot.", .same_as = "BatchRange|BatchDraw"},
    {"BatchColumn", "A number of each robot of a batch.", FIELDS(
        FIELD("name", "text", ALWAYS, "", "such as `distance`, or a factor that robots drew"),
        FIELD("unit", "text", ALWAYS, "", "unit of its numbers; 1: a factor"),
        FIELD("help", "text", ALWAYS, "", "meaning"),
        FIELD("least", "Measured", ALWAYS, "", "smallest of all robots"),
        FIELD("low", "Measured", ALWAYS, "", "5 % of the robots have less"),
        FIELD("median", "Measured", ALWAYS, "", "half of the robots have less"),
        FIELD("high", "Measured", ALWAYS, "", "5 % of the robots have more"),
        FIELD("most", "Measured", ALWAYS, "", "largest of all robots"),
        FIELD("mean", "Measured", ALWAYS, "", "mean of all robots"))},
    {"BatchState", "Event `batch`: the present state of a [batch](batch.md).", FIELDS(
        FIELD("event", "'batch'", ALWAYS, "", "name of the event"),
        FIELD("generation", "integer", ALWAYS, "", "number of the scene"),
        FIELD("number", "integer", ALWAYS, "", "number of the batch, counted from 1"),
        FIELD("robots", "integer", ALWAYS, "", "number of robots of the batch"),
        FIELD("stride", "integer", ALWAYS, "", "frames contain every stride-th robot; 1: all"),
        FIELD("seed", "integer", ALWAYS, "", "seed of its random numbers"),
        FIELD("spread", "BatchSpread{}", ALWAYS, "", "distributions of the drawn quantities, by name"),
        FIELD("end", "text|null", ALWAYS, "", "condition that ends a robot; null: none"),
        FIELD("reward", "text|null", ALWAYS, "", "formula of the column `reward`; null: none"),
        FIELD("t", "number", ALWAYS, "s", "simulated time"),
        FIELD("time", "number", ALWAYS, "s", "simulated time at which it ends"),
        FIELD("running", "flag", ALWAYS, "", "false: it has ended"),
        FIELD("ended", "text|null", ALWAYS, "",
         "`finished`, `stopped`, `all robots have ended`, or the reason of a failure; null while it runs"),
        FIELD("rate", "number", ALWAYS, "1/s", "robot-steps per second of real time"),
        FIELD("lives", "integer", ALWAYS, "", "robots that have not ended"),
        FIELD("fell", "integer", ALWAYS, "", "robots that fell"),
        FIELD("diverged", "integer", ALWAYS, "", "robots whose state diverged"),
        FIELD("finished", "integer", ALWAYS, "", "robots for which the condition `end` held"),
        FIELD("falls", "Measured[3]", ALWAYS, "s", "time of the first fall, median, time of the last fall"),
        FIELD("columns", "BatchColumn[]", ALWAYS, "", "columns of frames, with their quantiles over all robots"))},
};

static const ff_json_type OUTLINE_TYPES[] = {
    {"OutlineKind", "Kind of a value in a text.",
     .same_as = "'map'|'list'|'number'|'choice'|'flag'|'text'|'null'|'alias'"},
    {"OutlineNode", "One value of a text.", FIELDS(
        FIELD("parent", "integer", ALWAYS, "", "number of the entry that contains it; -1: none"),
        FIELD("key", "text", OPTIONAL, "", "name in a map; items of lists have none"),
        FIELD("line", "integer", ALWAYS, "", "line of the key, else of the value"),
        FIELD("column", "integer", ALWAYS, "", "column of the key, else of the value"),
        FIELD("role", "text", OPTIONAL, "", "element that it describes: `body`, `joint`, `drive`, .."),
        FIELD("help", "text", OPTIONAL, "", "meaning of the key"),
        FIELD("default", "text", OPTIONAL, "", "value that applies without the key; `needed`: the key is required"),
        FIELD("anchor", "text", OPTIONAL, "", "YAML anchor"),
        FIELD("kind", "OutlineKind", ALWAYS, "",
         "kind of the value; a value that aliases repeat is one entry"),
        FIELD("at", "integer", OPTIONAL, "", "line of the value, where messages point"),
        FIELD("from", "integer", OPTIONAL, "", "column of the value"),
        FIELD("begin", "integer", OPTIONAL, "byte", "start of the value in the text, without anchor, tag and comment"),
        FIELD("end", "integer", OPTIONAL, "byte", "end of the value in the text"),
        FIELD("text", "text", OPTIONAL, "", "value as written; for an alias: the anchor"),
        FIELD("quoted", "flag", OPTIONAL, "", "the text was in quotes"),
        FIELD("value", "number|null", OPTIONAL, "", "value in SI units, if it can be evaluated"),
        FIELD("unit", "text", OPTIONAL, "", "unit of the number"),
        FIELD("low", "number", OPTIONAL, "", "smallest value"),
        FIELD("high", "number", OPTIONAL, "", "largest value"),
        FIELD("above", "flag", OPTIONAL, "", "`low` itself is too low"),
        FIELD("below", "flag", OPTIONAL, "", "`high` itself is too high"),
        FIELD("nonzero", "flag", OPTIONAL, "", "zero is refused"),
        FIELD("choices", "text[]", OPTIONAL, "", "allowed words"),
        FIELD("origin", "text", OPTIONAL, "", "source of the number"),
        FIELD("makes", "text[]", OPTIONAL, "",
         "names of the elements of the robot that it defines (shapes: of their bodies)"))},
    {"Outline", "The values of a text as a tree.", FIELDS(
        FIELD("format", "'native'|'urdf'|'mjcf'|'scene'", ALWAYS, "", "format of the file"),
        FIELD("editable", "flag", ALWAYS, "", "false: it is only shown"),
        FIELD("name", "text", OPTIONAL, "", "name of a robot in URDF or MJCF"),
        FIELD("nodes", "OutlineNode[]", ALWAYS, "", "in the order of the file, 10 000 at most"))},
};

static const ff_json_type DOCUMENT_TYPES[] = {
    {"EventKind", "Kinds of events of a run ([table](studio.md#events-of-a-run)).",
     .same_as = "'touchdown'|'liftoff'|'fall'|'rise'|'push'|'pull'|'force'|'command'|'status'|'calm'|'more'"},
    {"RunEvent", "Something that happened during a run.", FIELDS(
        FIELD("t", "number", ALWAYS, "s", "time of the event"),
        FIELD("kind", "EventKind", ALWAYS, "", "kind of the event"),
        FIELD("leg", "integer", OPTIONAL, "", "leg of `touchdown` and `liftoff`"),
        FIELD("body", "integer", OPTIONAL, "", "body that a force acts on"),
        FIELD("point", "number[3]", OPTIONAL, "m", "point at which it acts, in the frame of the body"),
        FIELD("force", "number[3]", OPTIONAL, "N", "force in world axes; that of a pull is recorded as `push.force.*`"),
        FIELD("seconds", "number|null", OPTIONAL, "s", "duration; null: to the end"),
        FIELD("what", "text", ALWAYS, "", "a sentence"))},
    {"Decimation", "Which rows of the recording the document has.", FIELDS(
        FIELD("rate_hz", "number", ALWAYS, "Hz", "rate of the rows in the document"),
        FIELD("kept", "integer", ALWAYS, "", "rows in the document"),
        FIELD("of", "integer", ALWAYS, "", "rows in the recording"),
        FIELD("how", "text", ALWAYS, "", "a sentence for the page"))},
    {"SceneText", "The scene of a run.", FIELDS(
        FIELD("text", "text", ALWAYS, "", "text of the file"),
        FIELD("path", "text", OPTIONAL, "", "path of the file"),
        FIELD("title", "text", OPTIONAL, "", "title of the scene"),
        FIELD("description", "text", OPTIONAL, "", "description of the scene, with the changes of this run"))},
    {"RecordedChannel", "Numbers over time.", FIELDS(
        FIELD("name", "text", ALWAYS, "", "in the model"),
        FIELD("unit", "text", ALWAYS, "", "unit of all its columns"),
        FIELD("columns", "text[]", ALWAYS, "", "names"),
        FIELD("data", "text", ALWAYS, "", "base64 of little-endian 32-bit floats, row after row"))},
    {"Edge", "One number for each time; null: none.", .same_as = "Measured[]"},
    {"Band", "The band around a channel.", FIELDS(
        FIELD("name", "text", ALWAYS, "", "name of the channel"),
        FIELD("low", "Edge[]", ALWAYS, "", "lower edge, of each column"),
        FIELD("high", "Edge[]", ALWAYS, "", "upper edge, of each column"))},
    {"Bands", "Bands around the curves of a run.", FIELDS(
        FIELD("time", "number[]", ALWAYS, "s", "from each time to the next an edge is the outermost of all samples"),
        FIELD("channels", "Band[]", ALWAYS, "", "those of the recording"))},
    {"RunDocument", "A run for the report.", FIELDS(
        FIELD("footfall", "integer", ALWAYS, "", "version, 1; a page refuses others"),
        FIELD("summary", "Summary", OPTIONAL, "", "`summary.json`, if it is in the folder of the recording"),
        FIELD("scene", "SceneText", ALWAYS, "", "scene of the run"),
        FIELD("model", "Model", OPTIONAL, "", "compiled model, if the recording has one"),
        FIELD("meshes", "MeshSource[]", OPTIONAL, "", "with `model`; null: missing, or all meshes exceed 3 MiB"),
        FIELD("decimation", "Decimation", ALWAYS, "", "which rows of the recording the document has"),
        FIELD("time", "text", ALWAYS, "s", "base64 of little-endian 32-bit floats"),
        FIELD("channels", "RecordedChannel[]", ALWAYS, "", "with as many rows as `time`"),
        FIELD("events", "RunEvent[]", ALWAYS, "", "events in the order of time"),
        FIELD("bands", "Bands", OPTIONAL, "", "`bands.json` of a run with a certificate"))},
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
        FIELD("scene", "text", ALWAYS, "", "path of a scene or robot file"),
        FIELD("variant", "text", OPTIONAL, "", "name of a variant of the scene"),
        FIELD("set", "text[]", OPTIONAL, "", "values to change, such as `solver.step=1e-3`"),
        FIELD("twin", "text[]", OPTIONAL, "", "loads a second robot, too ([twin](twin.md)), with these values changed"),
        FIELD("text", "text", OPTIONAL, "", "text to read in place of the file"),
        FIELD("texts", "text{}", OPTIONAL, "",
         "the same for files that are read meanwhile, such as its robot, by their paths"))},
    {"run", "Runs. Event `state`.", NULL, FIELDS(
        FIELD("pace", "number", OPTIONAL, "", "1 (default): real time; 0: as fast as possible; else 0.001 to 1000"))},
    {"pause", "Pauses. Event `state`.", NULL, NULL, 0},
    {"step",
     "Runs for that time as fast as possible; pauses after the step that reaches it, and a `notice` reports if that "
     "step ends later. No step is shortened, so results stay bit-identical. Event `state`.",
     NULL, FIELDS(
        FIELD("seconds", "number", OPTIONAL, "s", "time to run; default: one step of the method"))},
    {"reset",
     "Back to the start, paused, with scripts as they are now. Files are read again: where something has changed, "
     "event `scene` with a new generation.",
     NULL, NULL, 0},
    {"watch", "Sends rows of these channels to this page, with its frames. Names stay valid after `load` and `reset`.",
     "Watched", FIELDS(
        FIELD("channels", "text[]", OPTIONAL, "", "names of channels; an empty list ends it"),
        FIELD("rate", "number", OPTIONAL, "Hz", "100 (default); 0.1 to 1000"))},
    {"source", "Reads a file.", "Source", FIELDS(
        FIELD("path", "text", ALWAYS, "", "path of a file of the project"))},
    {"check", "Checks a file; `messages` are those of `footfall check`.", NULL, FIELDS(
        FIELD("path", "text", ALWAYS, "", "path of a file of the project"),
        FIELD("text", "text", OPTIONAL, "", "text to read in place of the file"))},
    {"save", "Writes a `.yaml` or `.lua` file, whole or not at all, and checks it.", NULL, FIELDS(
        FIELD("path", "text", ALWAYS, "", "path of a file of the project"),
        FIELD("text", "text", ALWAYS, "", "text of the file"))},
    {"push",
     "Pushes a body until the first step at or beyond the end. Event `pushed`; recorded as `push.force.x`, `.y`, "
     "`.z`, `push.body`.",
     NULL, FIELDS(
        FIELD("body", "integer", ALWAYS, "", "number of the body in the model"),
        FIELD("point", "number[3]", ALWAYS, "m", "point of the body, in its frame"),
        FIELD("force", "number[3]", ALWAYS, "N", "force in world axes"),
        FIELD("seconds", "number", OPTIONAL, "s", "duration, 0.1 (default); 60 at most"))},
    {"pull",
     "Pulls a body to a point by a spring and a damper, until the page disconnects. Each page can pull one body.",
     NULL, FIELDS(
        FIELD("body", "integer", OPTIONAL, "", "number of the body in the model"),
        FIELD("point", "number[3]", OPTIONAL, "m", "point of the body, in its frame"),
        FIELD("target", "number[3]|null", OPTIONAL, "m",
         "point in the world; null ends it, else `body` and `point` are needed"))},
    {"place", "Moves a robot while paused. It then has no velocity, and its drives restart.", NULL, FIELDS(
        FIELD("robot", "RobotName", OPTIONAL, "", "may be omitted if the scene has one robot"),
        FIELD("position", "number[3]", OPTIONAL, "m", "position of the root of the robot"),
        FIELD("yaw", "number", OPTIONAL, "rad", "heading of the root of the robot"),
        FIELD("joint", "text", OPTIONAL, "", "name of a joint, with `value`"),
        FIELD("value", "number", OPTIONAL, "rad, m", "new coordinate of the joint"))},
    {"command", "Gives a controller a command, which acts from the next cycle on.", NULL, FIELDS(
        FIELD("robot", "RobotName", OPTIONAL, "", "may be omitted if the scene has one robot"),
        FIELD("command", "any{}", ALWAYS, "", "as an entry of [`commands`](scenes.md#controllers) without `at`"))},
    {"script",
     "Replaces the script of a robot [at once](controllers.md#while-it-runs). A broken one is refused with its line in "
     "`messages`. `reset` starts with the new text, `load` with that of the file.",
     "Scripted", FIELDS(
        FIELD("robot", "RobotName", OPTIONAL, "", "may be omitted if the scene has one robot"),
        FIELD("text", "text", ALWAYS, "", "text of the script"))},
    {"parameter", "Sets a parameter of a script, which acts from the next cycle on.", NULL, FIELDS(
        FIELD("robot", "RobotName", OPTIONAL, "", "may be omitted if the scene has one robot"),
        FIELD("name", "text", ALWAYS, "", "name of the parameter"),
        FIELD("value", "number", ALWAYS, "", "new value"))},
    {"camera", "Pictures of a camera come as binary messages, 15 a second at most.", NULL, FIELDS(
        FIELD("sensor", "text|null", OPTIONAL, "", "a name of `cameras`; null ends it"))},
    {"outline", "Outlines a text for the [model editor](studio.md#model-editor).", "Outlined", FIELDS(
        FIELD("path", "text", ALWAYS, "", "path of a file of the project"),
        FIELD("text", "text", ALWAYS, "", "text of the file"))},
    {"keep",
     "Saves the run since the last reset as `out/NAME` ([files](#saved-runs)). The answer comes when the files are "
     "complete. One run is saved at a time.",
     "Kept", FIELDS(
        FIELD("name", "text", ALWAYS, "", "name of the run; a name in use is refused"))},
    {"certify",
     "Makes a [certificate](certificate.md) of the scene while the simulation continues. The answer comes when it is "
     "done. One is made at a time, until the page leaves.",
     "Certified", FIELDS(
        FIELD("stop", "flag", OPTIONAL, "", "cancels the one that is being made, whose answer then is a refusal"))},
    {"batch",
     "Runs a [batch](batch.md) of the scene for all pages, until another scene is loaded. The answer comes when its "
     "robots stand at the start, or names everything that a batch cannot do.",
     NULL, FIELDS(
        FIELD("robots", "integer", OPTIONAL, "", "1024 (default); 1 to 262144"),
        FIELD("time", "number", OPTIONAL, "s", "simulated time of each robot; default: that of the scene"),
        FIELD("seed", "integer", OPTIONAL, "", "seed of the random numbers, 0 (default) to 1e12"),
        FIELD("spread", "BatchSpread{}", OPTIONAL, "",
         "[distributions](batch.md#what-differs-from-robot-to-robot) of quantities, by name: `mass`, `mass.torso`"),
        FIELD("fall_height", "number", OPTIONAL, "m",
         "height below which a robot has fallen, --fall-height of [`footfall batch`](program.md#batch)"),
        FIELD("fall_tilt", "number", OPTIONAL, "rad", "tilt beyond which it has fallen, --fall-tilt"),
        FIELD("end", "text", OPTIONAL, "", "[condition](batch.md#its-end-and-its-reward) that ends a robot, as --end"),
        FIELD("reward", "text", OPTIONAL, "", "formula that is summed over the steps of a robot, as --reward"),
        FIELD("pace", "number", OPTIONAL, "",
         "largest number of simulated seconds a second; 0 (default): as fast as possible"),
        FIELD("stop", "flag", OPTIONAL, "", "ends the running batch; all other arguments are ignored"))},
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
