// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of messages (protocol.h): the compiled model, which the socket and recordings share, and the document of a
// run, which a report holds.
#include "protocol.h"

enum { ALWAYS = false, OPTIONAL = true };
#define FIELDS(...)                                                                                                    \
    .fields = (const ff_protocol_field[]){__VA_ARGS__},                                                                \
    .nfield = (int)(sizeof((const ff_protocol_field[]){__VA_ARGS__}) / sizeof(ff_protocol_field))
#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define TYPES(array) .types = (array), .ntype = COUNT(array)

// ------------------------------------------------------------------------------------------ the types

// One field a line.
// clang-format off

static const ff_protocol_type MODEL_TYPES[] = {
    {"Node", "A joint of the compiled model with all that moves with it.", FIELDS(
        {"type", "'hinge'|'slide'|'ball'|'free'", ALWAYS, "", "of its joint"},
        {"parent", "integer", ALWAYS, "", "node that carries it; -1: the world"},
        {"qadr", "integer", ALWAYS, "", "its first number in q"},
        {"vadr", "integer", ALWAYS, "", "its first number in v"},
        {"ref", "number", ALWAYS, "rad, m", "q at which it has its rest pose"},
        {"pos", "number[3]", ALWAYS, "m", "rest pose in its parent"},
        {"rotation", "number[9]", ALWAYS, "", "rest pose in its parent: rows of the matrix"},
        {"mass", "number", ALWAYS, "kg", "of all bodies on it"},
        {"first_moment", "number[3]", ALWAYS, "kg m", "mass times centre of mass"},
        {"inertia_origin", "number[6]", ALWAYS, "kg m^2", "about its origin: xx yy zz xy xz yz"})},
    {"Body", "A body.", FIELDS(
        {"name", "text", ALWAYS, "", "in the model"},
        {"parent", "integer", ALWAYS, "", "body that carries it; -1: the world"},
        {"node", "integer", ALWAYS, "", "node that it belongs to; -1: it does not move"},
        {"pos", "number[3]", ALWAYS, "m", "in its node"},
        {"quat", "number[4]", ALWAYS, "", "in its node: w x y z"},
        {"mass", "number", ALWAYS, "kg", "of the body"},
        {"com", "number[3]", ALWAYS, "m", "centre of mass, in the body"},
        {"inertia", "number[6]", ALWAYS, "kg m^2", "about the centre of mass: xx yy zz xy xz yz"})},
    {"Joint", "A joint as the robot file has it.", FIELDS(
        {"name", "text", ALWAYS, "", "in the model"},
        {"type", "text", ALWAYS, "", "as a robot file says it"},
        {"body", "integer", ALWAYS, "", "that it moves"},
        {"qadr", "integer", ALWAYS, "", "its first number in q"},
        {"vadr", "integer", ALWAYS, "", "its first number in v"},
        {"axis", "number[3]", ALWAYS, "", "in the body"},
        {"pos", "number[3]", ALWAYS, "m", "in the body"},
        {"limited", "flag", ALWAYS, "", "it has a range"},
        {"range", "number[2]", ALWAYS, "rad, m", "lower and upper limit"},
        {"stiffness", "number", ALWAYS, "N m/rad, N/m", "of its spring"},
        {"spring_ref", "number", ALWAYS, "rad, m", "where its spring is at rest"},
        {"damping", "number", ALWAYS, "N m s/rad, N s/m", "viscous friction"},
        {"dry_friction", "number", ALWAYS, "N m, N", "Coulomb friction"},
        {"armature", "number", ALWAYS, "kg m^2, kg", "inertia of a rotor, seen at the joint"},
        {"effort", "number|null", ALWAYS, "N m, N", "limit; null: none"},
        {"speed", "number|null", ALWAYS, "rad/s, m/s", "limit; null: none"})},
    {"Geom", "A shape.", FIELDS(
        {"name", "text|null", ALWAYS, "", "null: it has none"},
        {"body", "integer", ALWAYS, "", "that carries it; -1: the world, as terrain"},
        {"shape", "text", ALWAYS, "", "`sphere`, `box`, .."},
        {"size", "number[3]", ALWAYS, "m", "radius, half lengths, as the shape has them"},
        {"mesh", "integer", ALWAYS, "", "number among `meshes`; -1: none"},
        {"pos", "number[3]", ALWAYS, "m", "in the body"},
        {"quat", "number[4]", ALWAYS, "", "in the body: w x y z"},
        {"rgba", "number[4]", ALWAYS, "", "colour, 0 to 1"},
        {"role", "'both'|'visual'|'collision'", ALWAYS, "", "what it serves"},
        {"group", "integer", ALWAYS, "", "of MJCF"})},
    {"Frame", "A named frame.", FIELDS(
        {"name", "text", ALWAYS, "", "in the model"},
        {"body", "integer", ALWAYS, "", "that carries it"},
        {"pos", "number[3]", ALWAYS, "m", "in the body"},
        {"quat", "number[4]", ALWAYS, "", "in the body: w x y z"})},
    {"Leg", "A leg.", FIELDS(
        {"name", "text", ALWAYS, "", "in the model"},
        {"joints", "integer[]", ALWAYS, "", "from the hip down"},
        {"frame", "integer", ALWAYS, "", "of the foot"},
        {"radius", "number", ALWAYS, "m", "of a round foot; 0: of another shape"},
        {"force", "text|null", ALWAYS, "", "name of its force sensor"},
        {"touch", "text|null", ALWAYS, "", "name of its touch sensor"})},
    {"Limb", "What a robot touches with on purpose.", FIELDS(
        {"name", "text", ALWAYS, "", "of the leg, or of the hand"},
        {"kind", "'foot'|'hand'", ALWAYS, "", "end of a leg, or another limb"},
        {"body", "integer", ALWAYS, "", "that carries its frame"},
        {"pos", "number[3]", ALWAYS, "m", "of the frame, in the body"},
        {"quat", "number[4]", ALWAYS, "", "of the frame, in the body: w x y z"},
        {"radius", "number", ALWAYS, "m", "of a round foot; 0: of another shape"},
        {"bodies", "integer[]", ALWAYS, "", "named in the file; none: what touches near its frame"})},
    {"Model", "The compiled model, in event `scene`, in `run.h5` and in the document.", FIELDS(
        {"footfall_model", "integer", ALWAYS, "", "version, 1"},
        {"name", "text", ALWAYS, "", "in the model"},
        {"nq", "integer", ALWAYS, "", "numbers in q"},
        {"nv", "integer", ALWAYS, "", "numbers in v"},
        {"mass", "number", ALWAYS, "kg", "of all that moves"},
        {"gravity", "number[3]", ALWAYS, "m/s^2", "in the world"},
        {"q0", "number[]", ALWAYS, "", "q at the start"},
        {"nodes", "Node[]", ALWAYS, "", "what moves by itself"},
        {"bodies", "Body[]", ALWAYS, "", "of all robots"},
        {"joints", "Joint[]", ALWAYS, "", "of all robots"},
        {"geoms", "Geom[]", ALWAYS, "", "shapes, terrain included"},
        {"frames", "Frame[]", ALWAYS, "", "of all robots"},
        {"meshes", "text[]", ALWAYS, "", "files of the meshes"},
        {"legs", "Leg[]", ALWAYS, "", "of all robots"},
        {"limbs", "Limb[]", ALWAYS, "", "feet of the legs in their order, then hands"})},
};

static const ff_protocol_type SUMMARY_TYPES[] = {
    {"Measured", "A number; null where it is not finite.", .same_as = "number|null"},
    {"Energy", "The energy ledger.", FIELDS(
        {"start", "number|null", ALWAYS, "J", "stored at the start"},
        {"kinetic", "number|null", ALWAYS, "J", "stored in motion"},
        {"potential", "number|null", ALWAYS, "J", "stored in height"},
        {"elastic_joints", "number|null", ALWAYS, "J", "stored in springs of joints"},
        {"elastic_contacts", "number|null", ALWAYS, "J", "stored in contacts"},
        {"elastic_parts", "number|null", ALWAYS, "J", "stored in parts"},
        {"lost_contacts_normal", "number|null", ALWAYS, "J", "lost along normals"},
        {"lost_contacts_friction", "number|null", ALWAYS, "J", "lost by friction of contacts"},
        {"lost_joints", "number|null", ALWAYS, "J", "lost in joints"},
        {"lost_parts", "number|null", ALWAYS, "J", "lost in drives and parts"},
        {"work", "number|null", ALWAYS, "J", "of drives and held forces"},
        {"outside", "number|null", ALWAYS, "J", "work of forces from outside"},
        {"loops", "number|null", ALWAYS, "J", "put in by closing loops"},
        {"residual", "number|null", ALWAYS, "J", "what the balance lacks"})},
    {"ExpectationRecord", "An expectation and its verdict.", FIELDS(
        {"metric", "text", ALWAYS, "", "name"},
        {"is", "number", OPTIONAL, "", "expected value, with `within`"},
        {"within", "number", OPTIONAL, "", "tolerance"},
        {"at_least", "number", OPTIONAL, "", "lower bound"},
        {"at_most", "number", OPTIONAL, "", "upper bound"},
        {"got", "number|null", ALWAYS, "", "what was measured"},
        {"met", "flag", ALWAYS, "", "verdict"},
        {"rate", "number", OPTIONAL, "", "share of the runs with other seeds in which it is met, below 1"},
        {"source", "text|null", ALWAYS, "", "where the expected value comes from"})},
    {"Summary", "`summary.json`.", FIELDS(
        {"method", "text", OPTIONAL, "", "of integration"},
        {"time", "number", ALWAYS, "s", "simulated"},
        {"steps", "integer", ALWAYS, "", "of the method"},
        {"evaluations", "integer", ALWAYS, "", "of forces"},
        {"wall", "number", ALWAYS, "s", "of the clock"},
        {"rtf", "number|null", ALWAYS, "", "real-time factor"},
        {"outcome", "text", ALWAYS, "", "how it ended"},
        {"energy", "Energy", OPTIONAL, "", "ledger"},
        {"effects", "text{}", OPTIONAL, "", "switches of the scene"},
        {"metrics", "Measured{}", ALWAYS, "", "by name"},
        {"expectations", "ExpectationRecord[]", OPTIONAL, "", "with their verdicts"},
        {"warnings", "text[]", ALWAYS, "", "of the run"},
        {"certificate", "Certificate", OPTIONAL, "", "of a run with `--certify`"},
        {"twin", "Twin", OPTIONAL, "", "of `footfall twin`"})},
};

static const ff_protocol_type CERTIFICATE_TYPES[] = {
    {"CertifiedRun", "One of the runs of a certificate.", FIELDS(
        {"role", "'itself'|'tighter'|'independent'|'perturbed'", ALWAYS, "", "what it is for"},
        {"method", "text", ALWAYS, "", "of integration"},
        {"setting", "text", ALWAYS, "", "its step or accuracy"},
        {"time", "number", ALWAYS, "s", "simulated"},
        {"evaluations", "integer", ALWAYS, "", "of forces"},
        {"ended", "flag", ALWAYS, "", "it came to the end"},
        {"outcome", "text", ALWAYS, "", "`finished`, or why not"})},
    {"Parting", "Where two runs part.", FIELDS(
        {"t", "number", ALWAYS, "s", "when the tighter run, or the twin, is a thousandth of the way moved away"},
        {"since", "number", ALWAYS, "s", "when it was ten times as close"},
        {"distance", "number", ALWAYS, "m", "at `t`"},
        {"contact", "text", OPTIONAL, "", "shapes that touch in one of the two alone"},
        {"at", "number", OPTIONAL, "s", "from when"},
        {"lasts", "number", OPTIONAL, "s", "for how long"},
        {"in", "'itself'|'tighter'|'twin'", OPTIONAL, "", "in which of them"})},
    {"Bar", "How far a number can be relied on.", FIELDS(
        {"bar", "number|null", ALWAYS, "", "length of the error bar; null: not known"},
        {"spread", "Measured[3]", OPTIONAL, "", "lowest, median, highest of all runs of a chaotic motion"})},
    {"CertifiedExpectation", "An expectation with the bar of what was measured.", FIELDS(
        {"metric", "text", ALWAYS, "", "name"},
        {"got", "number|null", ALWAYS, "", "what was measured"},
        {"bar", "number|null", ALWAYS, "", "length of the error bar; null: not known"},
        {"spread", "Measured[3]", OPTIONAL, "", "as above"},
        {"standing", "'met'|'met, undecided'|'missed, undecided'|'missed'", ALWAYS, "", "verdict within the bar"},
        {"met_in", "integer", OPTIONAL, "", "of a chaotic motion: runs that meet it"},
        {"of", "integer", OPTIONAL, "", "of so many"})},
    {"Certificate", "How far a run can be relied on ([certificate](certificate.md)).", FIELDS(
        {"certainty", "'resolved'|'unresolved'|'chaotic'", ALWAYS, "", "what the runs say together"},
        {"text", "text", ALWAYS, "", "the same in a sentence or two"},
        {"moved", "number", ALWAYS, "m", "way of the degree of freedom that moved most, 1 rad as 0.1 m"},
        {"tighter", "number|null", ALWAYS, "m", "largest distance of the tighter run"},
        {"independent", "number|null", ALWAYS, "m", "of the independent one"},
        {"between", "number|null", ALWAYS, "m", "of these two from each other"},
        {"perturbed", "number", OPTIONAL, "m", "of the tighter one from itself, its start changed by 1e-9"},
        {"doubling", "number", OPTIONAL, "s", "time in which small differences double"},
        {"parting", "Parting", OPTIONAL, "", "where the run and the tighter one part"},
        {"runs", "CertifiedRun[]", ALWAYS, "", "that were made, the run itself first"},
        {"metrics", "Bar{}", ALWAYS, "", "by name"},
        {"expectations", "CertifiedExpectation[]", ALWAYS, "", "in the order of those of the summary"})},
};

static const ff_protocol_type TWIN_TYPES[] = {
    {"TwinChannel", "How far a channel of the twin lies from that of the leader.", FIELDS(
        {"name", "text", ALWAYS, "", "channel of the leader"},
        {"unit", "text", ALWAYS, "", "of the difference; orientations differ by an angle"},
        {"rms", "number|null", ALWAYS, "", "of the difference, over all columns and samples that both have"},
        {"most", "number|null", ALWAYS, "", "its greatest size"},
        {"column", "text", ALWAYS, "", "where that is"},
        {"at", "number|null", ALWAYS, "s", "and when"},
        {"range", "number|null", ALWAYS, "",
         "greatest less least value of the leader, of the column that moves most; of robots behind wires not known"},
        {"parted", "number", OPTIONAL, "s", "first time of a difference of more than 5 % of that"},
        {"samples", "integer", ALWAYS, "", "numbers compared"})},
    {"TwinColumn", "How well a column of a recording fits.", FIELDS(
        {"channel", "text", ALWAYS, "", "of the leader"},
        {"column", "text", OPTIONAL, "", "of the channel, where it has several"},
        {"correlation", "number|null", ALWAYS, "", "at the offset, -1 to 1"},
        {"doubt", "text", OPTIONAL, "", "what to think of it, where it does not fit"})},
    {"TwinAlignment", "How a recording was aligned in time.", FIELDS(
        {"clear", "flag", ALWAYS, "", "one offset stands out"},
        {"error", "number|null", ALWAYS, "s", "standard deviation of the offset"},
        {"correlation", "number", ALWAYS, "", "at the offset, mean of the channels"},
        {"second", "number|null", ALWAYS, "", "of the next best offset"},
        {"period", "number", OPTIONAL, "s", "between offsets that fit alike"},
        {"most_negative", "number|null", ALWAYS, "", "lowest correlation at any offset"},
        {"columns", "TwinColumn[]", ALWAYS, "", "that are mapped"})},
    {"Twin", "A second robot beside the run ([twin](twin.md)).", FIELDS(
        {"text", "text", ALWAYS, "", "what it says, in a sentence or two"},
        {"outcome", "text", ALWAYS, "", "of the twin: `finished`, `recorded`, or why not"},
        {"lost", "number", OPTIONAL, "s", "time from which on there is no twin"},
        {"offset", "number", OPTIONAL, "s", "of a recording: its clock less that of the run"},
        {"alignment", "TwinAlignment", OPTIONAL, "", "of a recording whose offset was found"},
        {"late", "integer", OPTIONAL, "", "cycles in which the leader had not yet answered"},
        {"moved", "number|null", OPTIONAL, "m", "way of the degree of freedom that moved most, 1 rad as 0.1 m"},
        {"distance", "number|null", OPTIONAL, "m", "greatest distance of the two"},
        {"parting", "Parting", OPTIONAL, "", "where leader and twin part"},
        {"channels", "TwinChannel[]", ALWAYS, "", "that both have"},
        {"metrics", "Measured{}", OPTIONAL, "", "of the twin, by name"})},
};

static const ff_protocol_type DOCUMENT_TYPES[] = {
    {"EventKind", "Kinds of events of a run ([table](studio.md#events-of-a-run)).",
     .same_as = "'touchdown'|'liftoff'|'fall'|'rise'|'push'|'pull'|'force'|'command'|'status'|'calm'|'more'"},
    {"RunEvent", "Something that happened during a run.", FIELDS(
        {"t", "number", ALWAYS, "s", "when"},
        {"kind", "EventKind", ALWAYS, "", "what happened"},
        {"leg", "integer", OPTIONAL, "", "of `touchdown` and `liftoff`"},
        {"body", "integer", OPTIONAL, "", "that a force acts on"},
        {"point", "number[3]", OPTIONAL, "m", "where it acts, in the frame of the body"},
        {"force", "number[3]", OPTIONAL, "N", "in world axes; of a pull: `push.force.*` is recorded"},
        {"seconds", "number|null", OPTIONAL, "s", "how long it acts; null: to the end"},
        {"what", "text", ALWAYS, "", "a sentence"})},
    {"Decimation", "Which rows of the recording the document has.", FIELDS(
        {"rate_hz", "number", ALWAYS, "Hz", "of the rows in the document"},
        {"kept", "integer", ALWAYS, "", "rows in the document"},
        {"of", "integer", ALWAYS, "", "rows in the recording"},
        {"how", "text", ALWAYS, "", "a sentence for the page"})},
    {"SceneText", "The scene of a run.", FIELDS(
        {"text", "text", ALWAYS, "", "of the file"},
        {"path", "text", OPTIONAL, "", "of the file"},
        {"title", "text", OPTIONAL, "", "of the scene"},
        {"description", "text", OPTIONAL, "", "of the scene, with what this run had otherwise"})},
    {"RecordedChannel", "Numbers over time.", FIELDS(
        {"name", "text", ALWAYS, "", "in the model"},
        {"unit", "text", ALWAYS, "", "of all its columns"},
        {"columns", "text[]", ALWAYS, "", "names"},
        {"data", "text", ALWAYS, "", "base64 of little-endian 32-bit floats, row after row"})},
    {"Edge", "One number a time; null where there is none.", .same_as = "Measured[]"},
    {"Band", "The band around a channel.", FIELDS(
        {"name", "text", ALWAYS, "", "of the channel"},
        {"low", "Edge[]", ALWAYS, "", "lower edge, of each column"},
        {"high", "Edge[]", ALWAYS, "", "upper edge"})},
    {"Bands", "Bands around the curves of a run.", FIELDS(
        {"time", "number[]", ALWAYS, "s", "from each time to the next an edge is the outermost of all samples"},
        {"channels", "Band[]", ALWAYS, "", "those of the recording"})},
    {"RunDocument", "A run for the report.", FIELDS(
        {"footfall", "integer", ALWAYS, "", "version, 1; a page refuses others"},
        {"summary", "Summary", OPTIONAL, "", "`summary.json`, where it lies beside the recording"},
        {"scene", "SceneText", ALWAYS, "", "what was simulated"},
        {"model", "Model", OPTIONAL, "", "of recordings that have one"},
        {"meshes", "MeshSource[]", OPTIONAL, "", "with `model`; null where one is missing, or beyond 3 MiB in all"},
        {"decimation", "Decimation", ALWAYS, "", "how many of the samples are here"},
        {"time", "text", ALWAYS, "s", "base64 of little-endian 32-bit floats"},
        {"channels", "RecordedChannel[]", ALWAYS, "", "with as many rows as `time`"},
        {"events", "RunEvent[]", ALWAYS, "", "by time"},
        {"bands", "Bands", OPTIONAL, "", "`bands.json` of a run with a certificate"})},
};

const ff_protocol_subject ff_protocol_model = {"model", "The compiled model.", TYPES(MODEL_TYPES)},
                          ff_protocol_summary = {"summary", "`summary.json`: how a run ended.", TYPES(SUMMARY_TYPES)},
                          ff_protocol_certificate = {"certificate", "How far a run can be relied on.",
                                                     TYPES(CERTIFICATE_TYPES)},
                          ff_protocol_twin = {"twin", "A second robot beside the run.", TYPES(TWIN_TYPES)},
                          ff_protocol_document = {"document", "A run for the report.", TYPES(DOCUMENT_TYPES)};
// clang-format on
