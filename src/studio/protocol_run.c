// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of messages (protocol.h): types of the compiled model, which event `scene` and recordings contain, and of
// the document of a run, which a report contains.
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
        {"type", "'hinge'|'slide'|'ball'|'free'", ALWAYS, "", "type of its joint"},
        {"parent", "integer", ALWAYS, "", "parent node; -1: the world"},
        {"qadr", "integer", ALWAYS, "", "its first number in q"},
        {"vadr", "integer", ALWAYS, "", "its first number in v"},
        {"ref", "number", ALWAYS, "rad, m", "q at which it has its rest pose"},
        {"pos", "number[3]", ALWAYS, "m", "rest pose in its parent"},
        {"rotation", "number[9]", ALWAYS, "", "rest pose in its parent: rows of the matrix"},
        {"mass", "number", ALWAYS, "kg", "mass of all bodies that move with it"},
        {"first_moment", "number[3]", ALWAYS, "kg m", "mass times centre of mass"},
        {"inertia_origin", "number[6]", ALWAYS, "kg m^2", "about its origin: xx yy zz xy xz yz"})},
    {"Body", "A body.", FIELDS(
        {"name", "text", ALWAYS, "", "in the model"},
        {"parent", "integer", ALWAYS, "", "body that carries it; -1: the world"},
        {"node", "integer", ALWAYS, "", "node that it belongs to; -1: it does not move"},
        {"pos", "number[3]", ALWAYS, "m", "in its node"},
        {"quat", "number[4]", ALWAYS, "", "in its node: w x y z"},
        {"mass", "number", ALWAYS, "kg", "mass of the body"},
        {"com", "number[3]", ALWAYS, "m", "centre of mass, in the body"},
        {"inertia", "number[6]", ALWAYS, "kg m^2", "about the centre of mass: xx yy zz xy xz yz"})},
    {"Joint", "A joint as the robot file has it.", FIELDS(
        {"name", "text", ALWAYS, "", "in the model"},
        {"type", "text", ALWAYS, "", "type, by the word of robot files"},
        {"body", "integer", ALWAYS, "", "body that it moves"},
        {"qadr", "integer", ALWAYS, "", "its first number in q"},
        {"vadr", "integer", ALWAYS, "", "its first number in v"},
        {"axis", "number[3]", ALWAYS, "", "in the body"},
        {"pos", "number[3]", ALWAYS, "m", "in the body"},
        {"limited", "flag", ALWAYS, "", "it has a range"},
        {"range", "number[2]", ALWAYS, "rad, m", "lower and upper limit"},
        {"stiffness", "number", ALWAYS, "N m/rad, N/m", "stiffness of its spring"},
        {"spring_ref", "number", ALWAYS, "rad, m", "coordinate at which its spring exerts no force"},
        {"damping", "number", ALWAYS, "N m s/rad, N s/m", "viscous friction"},
        {"dry_friction", "number", ALWAYS, "N m, N", "Coulomb friction"},
        {"armature", "number", ALWAYS, "kg m^2, kg", "inertia of a rotor, reduced to the joint"},
        {"effort", "number|null", ALWAYS, "N m, N", "largest force or moment; null: none is given"},
        {"speed", "number|null", ALWAYS, "rad/s, m/s", "largest speed; null: none is given"})},
    {"Geom", "A shape.", FIELDS(
        {"name", "text|null", ALWAYS, "", "null: it has none"},
        {"body", "integer", ALWAYS, "", "body that carries it; -1: the world, as terrain"},
        {"shape", "text", ALWAYS, "", "`sphere`, `box`, .."},
        {"size", "number[3]", ALWAYS, "m", "radius, half lengths, as the shape has them"},
        {"mesh", "integer", ALWAYS, "", "number among `meshes`; -1: none"},
        {"pos", "number[3]", ALWAYS, "m", "in the body"},
        {"quat", "number[4]", ALWAYS, "", "in the body: w x y z"},
        {"rgba", "number[4]", ALWAYS, "", "colour, 0 to 1"},
        {"role", "'both'|'visual'|'collision'", ALWAYS, "", "use of the shape: contact, display or both"},
        {"group", "integer", ALWAYS, "", "group of MJCF"})},
    {"Frame", "A named frame.", FIELDS(
        {"name", "text", ALWAYS, "", "in the model"},
        {"body", "integer", ALWAYS, "", "body that carries it"},
        {"pos", "number[3]", ALWAYS, "m", "in the body"},
        {"quat", "number[4]", ALWAYS, "", "in the body: w x y z"})},
    {"Leg", "A leg.", FIELDS(
        {"name", "text", ALWAYS, "", "in the model"},
        {"joints", "integer[]", ALWAYS, "", "numbers of its joints, from the hip down"},
        {"frame", "integer", ALWAYS, "", "number of the frame of the foot"},
        {"radius", "number", ALWAYS, "m", "radius of a round foot; 0: of another shape"},
        {"force", "text|null", ALWAYS, "", "name of its force sensor"},
        {"touch", "text|null", ALWAYS, "", "name of its touch sensor"})},
    {"Limb", "A foot or a hand.", FIELDS(
        {"name", "text", ALWAYS, "", "name of the leg, or of the hand"},
        {"kind", "'foot'|'hand'", ALWAYS, "", "end of a leg, or another limb"},
        {"body", "integer", ALWAYS, "", "body that carries its frame"},
        {"pos", "number[3]", ALWAYS, "m", "position of the frame in the body"},
        {"quat", "number[4]", ALWAYS, "", "orientation of the frame in the body: w x y z"},
        {"radius", "number", ALWAYS, "m", "radius of a round foot; 0: of another shape"},
        {"bodies", "integer[]", ALWAYS, "", "bodies that the file lists; empty: contacts near its frame count"})},
    {"Model", "The compiled model, in event `scene`, in `run.h5` and in the document.", FIELDS(
        {"footfall_model", "integer", ALWAYS, "", "version, 1"},
        {"name", "text", ALWAYS, "", "in the model"},
        {"nq", "integer", ALWAYS, "", "numbers in q"},
        {"nv", "integer", ALWAYS, "", "numbers in v"},
        {"mass", "number", ALWAYS, "kg", "mass of all moving bodies"},
        {"gravity", "number[3]", ALWAYS, "m/s^2", "in the world"},
        {"q0", "number[]", ALWAYS, "", "q at the start"},
        {"nodes", "Node[]", ALWAYS, "", "joints of the compiled model, each with the bodies that move with it"},
        {"bodies", "Body[]", ALWAYS, "", "bodies of all robots"},
        {"joints", "Joint[]", ALWAYS, "", "joints of all robots"},
        {"geoms", "Geom[]", ALWAYS, "", "shapes, terrain included"},
        {"frames", "Frame[]", ALWAYS, "", "frames of all robots"},
        {"meshes", "text[]", ALWAYS, "", "files of the meshes"},
        {"legs", "Leg[]", ALWAYS, "", "legs of all robots"},
        {"limbs", "Limb[]", ALWAYS, "", "feet of the legs in their order, then hands"})},
};

static const ff_protocol_type SUMMARY_TYPES[] = {
    {"Measured", "A number; null if it is not finite.", .same_as = "number|null"},
    {"Energy", "The energy ledger.", FIELDS(
        {"start", "number|null", ALWAYS, "J", "energy stored at the start"},
        {"kinetic", "number|null", ALWAYS, "J", "kinetic energy"},
        {"potential", "number|null", ALWAYS, "J", "potential energy of gravity"},
        {"elastic_joints", "number|null", ALWAYS, "J", "energy stored in springs of joints"},
        {"elastic_contacts", "number|null", ALWAYS, "J", "energy stored in contacts"},
        {"elastic_parts", "number|null", ALWAYS, "J", "energy stored in parts"},
        {"lost_contacts_normal", "number|null", ALWAYS, "J", "energy lost in normal direction of contacts"},
        {"lost_contacts_friction", "number|null", ALWAYS, "J", "energy lost by friction of contacts"},
        {"lost_joints", "number|null", ALWAYS, "J", "energy lost in joints"},
        {"lost_parts", "number|null", ALWAYS, "J", "energy lost in drives and parts"},
        {"work", "number|null", ALWAYS, "J", "work of drives and held forces"},
        {"outside", "number|null", ALWAYS, "J", "work of external forces"},
        {"loops", "number|null", ALWAYS, "J", "energy added when loops are closed after a step"},
        {"residual", "number|null", ALWAYS, "J", "imbalance, the error of integration"})},
    {"ExpectationRecord", "An expectation and its verdict.", FIELDS(
        {"metric", "text", ALWAYS, "", "name of the metric"},
        {"is", "number", OPTIONAL, "", "expected value, with `within`"},
        {"within", "number", OPTIONAL, "", "tolerance"},
        {"at_least", "number", OPTIONAL, "", "lower bound"},
        {"at_most", "number", OPTIONAL, "", "upper bound"},
        {"got", "number|null", ALWAYS, "", "measured value"},
        {"met", "flag", ALWAYS, "", "whether the expectation is met"},
        {"rate", "number", OPTIONAL, "", "share of the runs with other seeds that meet it, if below 1"},
        {"source", "text|null", ALWAYS, "", "source of the expected value"})},
    {"Summary", "`summary.json`.", FIELDS(
        {"method", "text", OPTIONAL, "", "integration method"},
        {"time", "number", ALWAYS, "s", "simulated time"},
        {"steps", "integer", ALWAYS, "", "number of integration steps"},
        {"evaluations", "integer", ALWAYS, "", "number of force evaluations"},
        {"wall", "number", ALWAYS, "s", "wall-clock time"},
        {"rtf", "number|null", ALWAYS, "", "real-time factor"},
        {"outcome", "text", ALWAYS, "", "`finished`, or the reason why the run ended early"},
        {"energy", "Energy", OPTIONAL, "", "energy ledger"},
        {"effects", "text{}", OPTIONAL, "", "switches of the scene"},
        {"metrics", "Measured{}", ALWAYS, "", "metrics by name"},
        {"expectations", "ExpectationRecord[]", OPTIONAL, "", "expectations with their verdicts"},
        {"warnings", "text[]", ALWAYS, "", "warnings of the run"},
        {"certificate", "Certificate", OPTIONAL, "", "certificate of a run with `--certify`"},
        {"twin", "Twin", OPTIONAL, "", "comparison of a run by `footfall twin`"})},
};

static const ff_protocol_type CERTIFICATE_TYPES[] = {
    {"CertifiedRun", "One of the runs of a certificate.", FIELDS(
        {"role", "'itself'|'tighter'|'independent'|'perturbed'", ALWAYS, "", "purpose of the run"},
        {"method", "text", ALWAYS, "", "integration method"},
        {"setting", "text", ALWAYS, "", "step or accuracy of the method"},
        {"time", "number", ALWAYS, "s", "simulated time"},
        {"evaluations", "integer", ALWAYS, "", "number of force evaluations"},
        {"ended", "flag", ALWAYS, "", "whether it reached the end"},
        {"outcome", "text", ALWAYS, "", "`finished`, or the reason why it ended early"})},
    {"Parting", "Where two runs separate.", FIELDS(
        {"t", "number", ALWAYS, "s",
         "first time at which the distance of the two exceeds a thousandth of the distance moved"},
        {"since", "number", ALWAYS, "s", "last time before at which the distance was below a tenth of that"},
        {"distance", "number", ALWAYS, "m", "distance at `t`"},
        {"contact", "text", OPTIONAL, "", "names of the two shapes that touch in only one of the two runs"},
        {"at", "number", OPTIONAL, "s", "time at which they begin to touch"},
        {"lasts", "number", OPTIONAL, "s", "duration of the contact"},
        {"in", "'itself'|'tighter'|'twin'", OPTIONAL, "", "run in which they touch"})},
    {"Bar", "How far a number can be relied on.", FIELDS(
        {"bar", "number|null", ALWAYS, "", "half length of the error bar: value +- `bar`; null: not known"},
        {"spread", "Measured[3]", OPTIONAL, "", "lowest, median, highest of all runs of a chaotic motion"})},
    {"CertifiedExpectation", "An expectation with the bar of what was measured.", FIELDS(
        {"metric", "text", ALWAYS, "", "name of the metric"},
        {"got", "number|null", ALWAYS, "", "measured value"},
        {"bar", "number|null", ALWAYS, "", "half length of the error bar: value +- `bar`; null: not known"},
        {"spread", "Measured[3]", OPTIONAL, "", "lowest, median, highest of all runs of a chaotic motion"},
        {"standing", "'met'|'met, undecided'|'missed, undecided'|'missed'", ALWAYS, "", "verdict within the bar"},
        {"met_in", "integer", OPTIONAL, "", "number of runs of a chaotic motion that meet it"},
        {"of", "integer", OPTIONAL, "", "number of runs of which `met_in` meet it"})},
    {"Certificate", "How far a run can be relied on ([certificate](certificate.md)).", FIELDS(
        {"certainty", "'resolved'|'unresolved'|'chaotic'", ALWAYS, "", "conclusion from all runs"},
        {"text", "text", ALWAYS, "", "the conclusion in a sentence or two"},
        {"moved", "number", ALWAYS, "m", "distance moved by the degree of freedom that moved most, 1 rad as 0.1 m"},
        {"tighter", "number|null", ALWAYS, "m", "largest distance between the run and the tighter one"},
        {"independent", "number|null", ALWAYS, "m", "largest distance between the run and the independent one"},
        {"between", "number|null", ALWAYS, "m", "largest distance between the tighter and the independent run"},
        {"perturbed", "number", OPTIONAL, "m",
         "largest distance between the tighter run and itself with a start changed by 1e-9"},
        {"doubling", "number", OPTIONAL, "s", "time in which small differences double"},
        {"parting", "Parting", OPTIONAL, "", "where the run and the tighter one separate"},
        {"runs", "CertifiedRun[]", ALWAYS, "", "runs that were made, the run itself first"},
        {"metrics", "Bar{}", ALWAYS, "", "error bars of the metrics, by name"},
        {"expectations", "CertifiedExpectation[]", ALWAYS, "", "expectations in the order of those of the summary"})},
};

static const ff_protocol_type TWIN_TYPES[] = {
    {"TwinChannel", "How far a channel of the twin lies from that of the leader.", FIELDS(
        {"name", "text", ALWAYS, "", "channel of the leader"},
        {"unit", "text", ALWAYS, "", "unit of the difference; orientations differ by an angle"},
        {"rms", "number|null", ALWAYS, "",
         "root mean square of the difference, over all columns and samples that both have"},
        {"most", "number|null", ALWAYS, "", "largest absolute difference"},
        {"column", "text", ALWAYS, "", "column with the largest difference"},
        {"at", "number|null", ALWAYS, "s", "time of the largest difference"},
        {"range", "number|null", ALWAYS, "",
         "greatest less least value of the leader, of the column that moves most; of robots behind wires not known"},
        {"parted", "number", OPTIONAL, "s", "first time at which the difference exceeds 5 % of `range`"},
        {"samples", "integer", ALWAYS, "", "number of values compared"})},
    {"TwinColumn", "How well a column of a recording fits.", FIELDS(
        {"channel", "text", ALWAYS, "", "channel of the leader"},
        {"column", "text", OPTIONAL, "", "column of the channel, if it has several"},
        {"correlation", "number|null", ALWAYS, "", "correlation at the offset, -1 to 1"},
        {"doubt", "text", OPTIONAL, "", "possible cause, if it does not fit"})},
    {"TwinAlignment", "How a recording was aligned in time.", FIELDS(
        {"clear", "flag", ALWAYS, "", "whether one offset fits clearly better than all others"},
        {"error", "number|null", ALWAYS, "s", "standard deviation of the offset"},
        {"correlation", "number", ALWAYS, "", "correlation at the offset, mean of the channels"},
        {"second", "number|null", ALWAYS, "", "correlation at the next best offset"},
        {"period", "number", OPTIONAL, "s", "time between offsets that fit equally well"},
        {"most_negative", "number|null", ALWAYS, "", "lowest correlation at any offset"},
        {"columns", "TwinColumn[]", ALWAYS, "", "columns that are mapped"})},
    {"Twin", "Comparison with a second robot ([twin](twin.md)).", FIELDS(
        {"text", "text", ALWAYS, "", "result of the comparison in a sentence or two"},
        {"outcome", "text", ALWAYS, "", "end of the twin: `finished`, `recorded`, or the reason why it ended early"},
        {"lost", "number", OPTIONAL, "s", "time at which the twin was lost"},
        {"offset", "number", OPTIONAL, "s", "clock of the recording minus that of the run"},
        {"alignment", "TwinAlignment", OPTIONAL, "", "alignment of a recording whose offset was found"},
        {"late", "integer", OPTIONAL, "", "cycles in which the leader had not yet answered"},
        {"moved", "number|null", OPTIONAL, "m",
         "distance moved by the degree of freedom that moved most, 1 rad as 0.1 m"},
        {"distance", "number|null", OPTIONAL, "m", "largest distance between the two"},
        {"parting", "Parting", OPTIONAL, "", "where leader and twin separate"},
        {"channels", "TwinChannel[]", ALWAYS, "", "channels that both have"},
        {"metrics", "Measured{}", OPTIONAL, "", "metrics of the twin, by name"})},
};

static const ff_protocol_type DOCUMENT_TYPES[] = {
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

const ff_protocol_subject ff_protocol_model = {"model", "The compiled model.", TYPES(MODEL_TYPES)},
                          ff_protocol_summary = {"summary", "`summary.json`: how a run ended.", TYPES(SUMMARY_TYPES)},
                          ff_protocol_certificate = {"certificate", "How far a run can be relied on.",
                                                     TYPES(CERTIFICATE_TYPES)},
                          ff_protocol_twin = {"twin", "Comparison with a second robot.", TYPES(TWIN_TYPES)},
                          ff_protocol_document = {"document", "A run for the report.", TYPES(DOCUMENT_TYPES)};
// clang-format on
