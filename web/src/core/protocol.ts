// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the program and its pages send each other. Made by scripts/protocol from src/studio/protocol*.c: changes belong there.

/** How much a message matters. */
export type Severity = "error" | "warning" | "note";

/** Something found in a file, with its place. */
export interface Message {
    /** Only an error makes a file unusable */
    severity: Severity;
    /** Seen from the project folder */
    file: string;
    /** Counted from 1; 0: not known */
    line: number;
    /** Counted from 1; 0: not known */
    column: number;
    /** A sentence */
    text: string;
}

/** What every request has beside its arguments. */
export interface Request {
    /** Repeated in the answer */
    id?: number | string;
    /** Name of the request */
    do: string;
}

/** What every answer has beside the members of its request. */
export interface Answer {
    /** Of the request */
    id: number | string | null;
    /** False: refused, and nothing has changed */
    ok: boolean;
    /** About files and unknown arguments */
    messages: Message[];
}

/** What an answer has beside these where `ok` is false. */
export interface Refusal {
    /** Why it was refused */
    error: string;
}

/** A scene of the project. */
export interface SceneEntry {
    /** Of the file */
    path: string;
    /** Of the scene, else the name of its file */
    title: string;
    /** Folder */
    group: string;
    /** Why it cannot run here, such as a controller that a program must bring */
    needs?: string;
    /** Names */
    variants: string[];
}

/** A robot of the project. */
export interface RobotEntry {
    /** Of the file */
    path: string;
    /** Of the robot, else the name of its file */
    title: string;
}

/** A kind of terrain that a scene can have. */
export interface TerrainEntry {
    /** Key under `terrain` of a scene */
    name: string;
    /** What it is */
    help: string;
}

/** A run that was saved. */
export interface RunEntry {
    /** Folder under `out` */
    name: string;
    /** Of the summary, else the name */
    title: string;
    /** Simulated [s] */
    time: number;
    /** How it ended; empty: not known */
    outcome: string;
    /** Of recording and report */
    bytes: number;
    /** Since 1970 [s] */
    saved: number;
    /** There is a page to show */
    report: boolean;
}

/** The files of the project. */
export interface Library {
    /** Files of scenes */
    scenes: SceneEntry[];
    /** Files of robots */
    robots: RobotEntry[];
    /** Paths of Lua files */
    scripts: string[];
    /** Kinds of terrain */
    terrains: TerrainEntry[];
    /** What was saved under `out` */
    runs: RunEntry[];
}

/** Columns that are watched from now on. */
export interface Watched {
    /** Names of the numbers behind the time of a row */
    columns: string[];
    /** Of the columns */
    units: string[];
}

/** A file. */
export interface Source {
    /** Of the file on disk */
    text: string;
}

/** The outline of a text. */
export interface Outlined {
    /** Tree of the text */
    outline: Outline;
}

/** A script that runs. */
export interface Scripted {
    /** That the new script declares */
    parameters: Parameter[];
}

/** A run that has been saved. */
export interface Kept {
    /** Folder of the run */
    path: string;
    /** Of the run */
    name: string;
    /** Simulated [s] */
    time: number;
    /** There is a page to show */
    report: boolean;
}

/** A run that has been certified. */
export interface Certified {
    /** Of the scene from its start to its end, with its certificate; not after `stop` */
    summary?: Summary;
    /** With it: around the curves of what the scene records */
    bands?: Bands;
}

/** A robot of the scene by name or number. */
export type RobotName = string | number;

/** One command that a controller takes, with its present value. */
export interface Command {
    /** Name */
    key: string;
    /** Of the value */
    unit: string;
    /** As it is now */
    value: number | string;
    /** Words it may have; then it has no range */
    choices?: string[];
    /** Least value for a slider */
    low?: number;
    /** Greatest value for a slider */
    high?: number;
}

/** One parameter of a script, with its present value. */
export interface Parameter {
    /** As the script declares it */
    name: string;
    /** Of the value */
    unit: string;
    /** Least value; null: no bound */
    low: number | null;
    /** Greatest value; null: no bound */
    high: number | null;
    /** As it is now */
    value: number;
}

/** The controller of a robot. */
export interface Control {
    /** Of the controller; `none`: there is none */
    kind: string;
    /** Of its script */
    path?: string;
    /** Of its script, as it was when the event was made */
    text?: string;
    /** That it takes */
    commands: Command[];
    /** That it has */
    parameters: Parameter[];
}

/** A robot of the scene. */
export interface Robot {
    /** In the scene */
    name: string;
    /** Of the names of its bodies and joints */
    prefix: string;
    /** Of its file */
    path: string;
    /** Number of its root in the model; -1: nothing of it moves */
    body: number;
    /** Numbers of its joints in the model */
    joints: number[];
    /** Its controller */
    control: Control;
}

/** A channel that can be watched. */
export interface ChannelEntry {
    /** To be watched or recorded */
    name: string;
    /** Of all its columns */
    unit: string;
    /** Names; a single column has an empty one */
    columns: string[];
}

/** A sensor of the scene. */
export interface SensorEntry {
    /** In the model */
    name: string;
    /** As a robot file says it */
    kind: string;
    /** Number of the body that carries it */
    body: number;
    /** In the frame of the body [m] */
    pos: number[];
}

/** A mesh inside a message. */
export interface MeshData {
    /** Base64 of 32-bit floats, x y z of each corner [m] */
    vertices: string;
    /** Base64 of unsigned 32-bit numbers, three corners of each triangle */
    triangles: string;
}

/** A mesh to be fetched: beyond 2 MiB in all. */
export interface MeshLink {
    /** GET gives u32 corners, u32 triangles, then 3 f32 for each corner and 3 u32 for each triangle */
    url: string;
    /** Of what GET gives */
    bytes: number;
}

/** A mesh; null where its file is missing. */
export type MeshSource = MeshData | MeshLink | null;

/** Event `scene`: what was loaded. */
export interface Scene {
    /** Name of the event */
    event: "scene";
    /** Number of the scene; a load gives a new one */
    generation: number;
    /** Of the file */
    path: string;
    /** `robot`: the file of a robot alone */
    kind: "scene" | "robot";
    /** Of the scene */
    title: string;
    /** Of the scene */
    description: string;
    /** Of the file, or what stands in for it */
    text: string;
    /** The text is not that of the file */
    unsaved: boolean;
    /** That is loaded; null: none */
    variant: string | null;
    /** Names */
    variants: string[];
    /** Values changed as by --set */
    set: string[];
    /** There is a second robot ([twin](twin.md)), with these values changed as well */
    twin?: string[];
    /** At which the scene ends [s] */
    time: number;
    /** Of integration */
    method: string;
    /** Null: the method chooses it [s] */
    step: number | null;
    /** Switches of the scene, such as `drives: full` */
    effects: Record<string, string>;
    /** In the order of the file */
    robots: Robot[];
    /** 5000 at most; others can be watched, too */
    channels: ChannelEntry[];
    /** Of all robots */
    sensors: SensorEntry[];
    /** Names of the sensors that take pictures */
    cameras: string[];
    /** Found while loading */
    messages: Message[];
    /** Compiled from all robots and the terrain */
    model: Model;
    /** One for each mesh of the model */
    meshes: MeshSource[];
}

/** Event `state`: how the simulation stands. */
export interface RunState {
    /** Name of the event */
    event: "state";
    /** Of the scene; 0: nothing is loaded */
    generation: number;
    /** How often a scene began, by loads and resets */
    starts: number;
    /** Simulated time [s] */
    t: number;
    /** False: paused */
    running: boolean;
    /** Factor of real time; 0: as fast as possible */
    pace: number;
    /** `finished`, or `diverged: ..`; null while it can go on */
    ended: string | null;
    /** Real-time factor: time simulated in a second */
    rtf: number;
    /** Up to which there is a recording [s] */
    recorded_s: number;
    /** False: nothing is recorded, or the recording is full */
    recording: boolean;
    /** Pages that are connected */
    clients: number;
}

/** Event `notice`: something happened. */
export interface NoticeEvent {
    /** Name of the event */
    event: "notice";
    /** How much it matters */
    severity: Severity;
    /** A sentence */
    text: string;
    /** Seen from the project folder */
    file?: string;
    /** Counted from 1 */
    line?: number;
}

/** Event `control`: commands and parameters of a robot, whoever changed them. */
export interface ControlState {
    /** Name of the event */
    event: "control";
    /** Of the scene */
    generation: number;
    /** Number among `robots` */
    robot: number;
    /** Ranges depend on the gait: `speed` ends at what its transfer allows */
    commands: Command[];
    /** As they are now */
    parameters: Parameter[];
}

/** Event `pushed`: a body is pushed. */
export interface Pushed {
    /** Name of the event */
    event: "pushed";
    /** When it began [s] */
    t: number;
    /** Number in the model */
    body: number;
    /** In the frame of the body [m] */
    point: number[];
    /** In world axes [N] */
    force: number[];
    /** How long it acts [s] */
    seconds: number;
}

/** Lowest and highest value that robots draw. */
export type BatchRange = number[];

/** A number of each robot of a batch. */
export interface BatchColumn {
    /** Such as `distance`, or a factor that robots drew */
    name: string;
    /** Of its numbers; 1: a factor */
    unit: string;
    /** What it is */
    help: string;
    /** Of all robots */
    least: Measured;
    /** 5 % lie below */
    low: Measured;
    /** Half lie below */
    median: Measured;
    /** 5 % lie above */
    high: Measured;
    /** Of all robots */
    most: Measured;
    /** Of all robots */
    mean: Measured;
}

/** Event `batch`: how a [batch](batch.md) stands. */
export interface BatchState {
    /** Name of the event */
    event: "batch";
    /** Of the scene */
    generation: number;
    /** Of the batch, counted from 1 */
    number: number;
    /** Of the batch */
    robots: number;
    /** Frames show every so many robots one; 1: all */
    stride: number;
    /** Of its random numbers */
    seed: number;
    /** What each robot drew, by name */
    spread: Record<string, BatchRange>;
    /** Simulated time [s] */
    t: number;
    /** At which it ends [s] */
    time: number;
    /** False: it has ended */
    running: boolean;
    /** `finished`, `stopped`, `no robot is left`, or what failed; null while it runs */
    ended: string | null;
    /** Steps of a robot in a second of the clock [1/s] */
    rate: number;
    /** Robots that move */
    lives: number;
    /** Robots that fell */
    fell: number;
    /** Robots whose state was no longer sound */
    diverged: number;
    /** Time of the first fall, of half of them, of the last [s] */
    falls: Measured[];
    /** Of frames, with their quantiles over all robots */
    columns: BatchColumn[];
}

/** Kind of a value in a text. */
export type OutlineKind = "map" | "list" | "number" | "choice" | "flag" | "text" | "null" | "alias";

/** One value of a text. */
export interface OutlineNode {
    /** Number of the entry around it; -1: the top */
    parent: number;
    /** Name in a map; items of lists have none */
    key?: string;
    /** Of the key, else of the value */
    line: number;
    /** Of the key, else of the value */
    column: number;
    /** What it is: `body`, `joint`, `drive`, .. */
    role?: string;
    /** What the key means */
    help?: string;
    /** What holds without the key; `needed`: it cannot be left out */
    default?: string;
    /** Name by which it can be repeated */
    anchor?: string;
    /** Kind of value; what is written once is one entry, however often it is repeated */
    kind: OutlineKind;
    /** Line of the value, where messages point */
    at?: number;
    /** Column of the value */
    from?: number;
    /** Start of the value in the text, without anchor, tag and comment [byte] */
    begin?: number;
    /** End of the value in the text [byte] */
    end?: number;
    /** As written; of an alias: the anchor */
    text?: string;
    /** The text was in quotes */
    quoted?: boolean;
    /** In SI units, where it can be evaluated */
    value?: number | null;
    /** Of a number */
    unit?: string;
    /** Least value */
    low?: number;
    /** Greatest value */
    high?: number;
    /** `low` itself is too low */
    above?: boolean;
    /** `high` itself is too high */
    below?: boolean;
    /** Zero is refused */
    nonzero?: boolean;
    /** Words that may stand there */
    choices?: string[];
    /** Where the number comes from */
    origin?: string;
    /** Names of what it becomes in the robot (shapes: of their bodies) */
    makes?: string[];
}

/** The values of a text as a tree. */
export interface Outline {
    /** Of the file */
    format: "native" | "urdf" | "mjcf" | "scene";
    /** False: shown only */
    editable: boolean;
    /** Of a robot in URDF or MJCF */
    name?: string;
    /** In the order of the file, 10 000 at most */
    nodes: OutlineNode[];
}

/** A joint of the compiled model with all that moves with it. */
export interface Node {
    /** Of its joint */
    type: "hinge" | "slide" | "ball" | "free";
    /** Node that carries it; -1: the world */
    parent: number;
    /** Its first number in q */
    qadr: number;
    /** Its first number in v */
    vadr: number;
    /** Q at which it has its rest pose [rad, m] */
    ref: number;
    /** Rest pose in its parent [m] */
    pos: number[];
    /** Rest pose in its parent: rows of the matrix */
    rotation: number[];
    /** Of all bodies on it [kg] */
    mass: number;
    /** Mass times centre of mass [kg m] */
    first_moment: number[];
    /** About its origin: xx yy zz xy xz yz [kg m^2] */
    inertia_origin: number[];
}

/** A body. */
export interface Body {
    /** In the model */
    name: string;
    /** Body that carries it; -1: the world */
    parent: number;
    /** Node that it belongs to; -1: it does not move */
    node: number;
    /** In its node [m] */
    pos: number[];
    /** In its node: w x y z */
    quat: number[];
    /** Of the body [kg] */
    mass: number;
    /** Centre of mass, in the body [m] */
    com: number[];
    /** About the centre of mass: xx yy zz xy xz yz [kg m^2] */
    inertia: number[];
}

/** A joint as the robot file has it. */
export interface Joint {
    /** In the model */
    name: string;
    /** As a robot file says it */
    type: string;
    /** That it moves */
    body: number;
    /** Its first number in q */
    qadr: number;
    /** Its first number in v */
    vadr: number;
    /** In the body */
    axis: number[];
    /** In the body [m] */
    pos: number[];
    /** It has a range */
    limited: boolean;
    /** Lower and upper limit [rad, m] */
    range: number[];
    /** Of its spring [N m/rad, N/m] */
    stiffness: number;
    /** Where its spring is at rest [rad, m] */
    spring_ref: number;
    /** Viscous friction [N m s/rad, N s/m] */
    damping: number;
    /** Coulomb friction [N m, N] */
    dry_friction: number;
    /** Inertia of a rotor, seen at the joint [kg m^2, kg] */
    armature: number;
    /** Limit; null: none [N m, N] */
    effort: number | null;
    /** Limit; null: none [rad/s, m/s] */
    speed: number | null;
}

/** A shape. */
export interface Geom {
    /** Null: it has none */
    name: string | null;
    /** That carries it; -1: the world, as terrain */
    body: number;
    /** `sphere`, `box`, .. */
    shape: string;
    /** Radius, half lengths, as the shape has them [m] */
    size: number[];
    /** Number among `meshes`; -1: none */
    mesh: number;
    /** In the body [m] */
    pos: number[];
    /** In the body: w x y z */
    quat: number[];
    /** Colour, 0 to 1 */
    rgba: number[];
    /** What it serves */
    role: "both" | "visual" | "collision";
    /** Of MJCF */
    group: number;
}

/** A named frame. */
export interface Frame {
    /** In the model */
    name: string;
    /** That carries it */
    body: number;
    /** In the body [m] */
    pos: number[];
    /** In the body: w x y z */
    quat: number[];
}

/** A leg. */
export interface Leg {
    /** In the model */
    name: string;
    /** From the hip down */
    joints: number[];
    /** Of the foot */
    frame: number;
    /** Of a round foot; 0: of another shape [m] */
    radius: number;
    /** Name of its force sensor */
    force: string | null;
    /** Name of its touch sensor */
    touch: string | null;
}

/** What a robot touches with on purpose. */
export interface Limb {
    /** Of the leg, or of the hand */
    name: string;
    /** End of a leg, or another limb */
    kind: "foot" | "hand";
    /** That carries its frame */
    body: number;
    /** Of the frame, in the body [m] */
    pos: number[];
    /** Of the frame, in the body: w x y z */
    quat: number[];
    /** Of a round foot; 0: of another shape [m] */
    radius: number;
    /** Named in the file; none: what touches near its frame */
    bodies: number[];
}

/** The compiled model, in event `scene`, in `run.h5` and in the document. */
export interface Model {
    /** Version, 1 */
    footfall_model: number;
    /** In the model */
    name: string;
    /** Numbers in q */
    nq: number;
    /** Numbers in v */
    nv: number;
    /** Of all that moves [kg] */
    mass: number;
    /** In the world [m/s^2] */
    gravity: number[];
    /** Q at the start */
    q0: number[];
    /** What moves by itself */
    nodes: Node[];
    /** Of all robots */
    bodies: Body[];
    /** Of all robots */
    joints: Joint[];
    /** Shapes, terrain included */
    geoms: Geom[];
    /** Of all robots */
    frames: Frame[];
    /** Files of the meshes */
    meshes: string[];
    /** Of all robots */
    legs: Leg[];
    /** Feet of the legs in their order, then hands */
    limbs: Limb[];
}

/** A number; null where it is not finite. */
export type Measured = number | null;

/** The energy ledger. */
export interface Energy {
    /** Stored at the start [J] */
    start: number | null;
    /** Stored in motion [J] */
    kinetic: number | null;
    /** Stored in height [J] */
    potential: number | null;
    /** Stored in springs of joints [J] */
    elastic_joints: number | null;
    /** Stored in contacts [J] */
    elastic_contacts: number | null;
    /** Stored in parts [J] */
    elastic_parts: number | null;
    /** Lost along normals [J] */
    lost_contacts_normal: number | null;
    /** Lost by friction of contacts [J] */
    lost_contacts_friction: number | null;
    /** Lost in joints [J] */
    lost_joints: number | null;
    /** Lost in drives and parts [J] */
    lost_parts: number | null;
    /** Of drives and held forces [J] */
    work: number | null;
    /** Work of forces from outside [J] */
    outside: number | null;
    /** Put in by closing loops [J] */
    loops: number | null;
    /** What the balance lacks [J] */
    residual: number | null;
}

/** An expectation as the program judged it. */
export interface ExpectationRecord {
    /** Name */
    metric: string;
    /** Expected value, with `within` */
    is?: number;
    /** Tolerance */
    within?: number;
    /** Lower bound */
    at_least?: number;
    /** Upper bound */
    at_most?: number;
    /** What was measured */
    got: number | null;
    /** Verdict */
    met: boolean;
    /** Share of the runs with other seeds in which it is met, below 1 */
    rate?: number;
    /** Where the expected value comes from */
    source: string | null;
}

/** One of the runs of a certificate. */
export interface CertifiedRun {
    /** What it is for */
    role: "itself" | "tighter" | "independent" | "perturbed";
    /** Of integration */
    method: string;
    /** Its step or accuracy */
    setting: string;
    /** Simulated [s] */
    time: number;
    /** Of forces */
    evaluations: number;
    /** It came to the end */
    ended: boolean;
    /** `finished`, or why not */
    outcome: string;
}

/** Where two runs part. */
export interface Parting {
    /** When the tighter run, or the twin, is a thousandth of the way moved away [s] */
    t: number;
    /** When it was ten times as close [s] */
    since: number;
    /** At `t` [m] */
    distance: number;
    /** Shapes that touch in one of the two alone */
    contact?: string;
    /** From when [s] */
    at?: number;
    /** For how long [s] */
    lasts?: number;
    /** In which of them */
    in?: "itself" | "tighter" | "twin";
}

/** How far a number can be relied on. */
export interface Bar {
    /** Length of the error bar; null: not known */
    bar: number | null;
    /** Lowest, median, highest of all runs of a chaotic motion */
    spread?: Measured[];
}

/** An expectation with the bar of what was measured. */
export interface CertifiedExpectation {
    /** Name */
    metric: string;
    /** What was measured */
    got: number | null;
    /** Length of the error bar; null: not known */
    bar: number | null;
    /** As above */
    spread?: Measured[];
    /** Verdict within the bar */
    standing: "met" | "met, undecided" | "missed, undecided" | "missed";
    /** Of a chaotic motion: runs that meet it */
    met_in?: number;
    /** Of so many */
    of?: number;
}

/** How far a run can be relied on ([certificate](certificate.md)). */
export interface Certificate {
    /** What the runs say together */
    certainty: "resolved" | "unresolved" | "chaotic";
    /** The same in a sentence or two */
    text: string;
    /** Way of the degree of freedom that moved most, 1 rad as 0.1 m [m] */
    moved: number;
    /** Largest distance of the tighter run [m] */
    tighter: number | null;
    /** Of the independent one [m] */
    independent: number | null;
    /** Of these two from each other [m] */
    between: number | null;
    /** Of the tighter one from itself, its start changed by 1e-9 [m] */
    perturbed?: number;
    /** Time in which small differences double [s] */
    doubling?: number;
    /** Where the run and the tighter one part */
    parting?: Parting;
    /** That were made, the run itself first */
    runs: CertifiedRun[];
    /** By name */
    metrics: Record<string, Bar>;
    /** In the order of those of the summary */
    expectations: CertifiedExpectation[];
}

/** How far a channel of the twin lies from that of the leader. */
export interface TwinChannel {
    /** Channel of the leader */
    name: string;
    /** Of the difference; orientations differ by an angle */
    unit: string;
    /** Of the difference, over all columns and samples that both have */
    rms: number | null;
    /** Its greatest size */
    most: number | null;
    /** Where that is */
    column: string;
    /** And when [s] */
    at: number | null;
    /** Greatest less least value of the leader, of the column that moves most; of robots behind wires not known */
    range: number | null;
    /** First time of a difference of more than 5 % of that [s] */
    parted?: number;
    /** Numbers compared */
    samples: number;
}

/** How well a column of a recording fits. */
export interface TwinColumn {
    /** Of the leader */
    channel: string;
    /** Of the channel, where it has several */
    column?: string;
    /** At the offset, -1 to 1 */
    correlation: number | null;
    /** What to think of it, where it does not fit */
    doubt?: string;
}

/** How a recording was aligned in time. */
export interface TwinAlignment {
    /** One offset stands out */
    clear: boolean;
    /** Standard deviation of the offset [s] */
    error: number | null;
    /** At the offset, mean of the channels */
    correlation: number;
    /** Of the next best offset */
    second: number | null;
    /** Between offsets that fit alike [s] */
    period?: number;
    /** Lowest correlation at any offset */
    most_negative: number | null;
    /** That are mapped */
    columns: TwinColumn[];
}

/** A second robot beside the run ([twin](twin.md)). */
export interface Twin {
    /** What it says, in a sentence or two */
    text: string;
    /** Of the twin: `finished`, `recorded`, or why not */
    outcome: string;
    /** Time from which on there is no twin [s] */
    lost?: number;
    /** Of a recording: its clock less that of the run [s] */
    offset?: number;
    /** Of a recording whose offset was found */
    alignment?: TwinAlignment;
    /** Cycles in which the leader had not yet answered */
    late?: number;
    /** Way of the degree of freedom that moved most, 1 rad as 0.1 m [m] */
    moved?: number | null;
    /** Greatest distance of the two [m] */
    distance?: number | null;
    /** Where leader and twin part */
    parting?: Parting;
    /** That both have */
    channels: TwinChannel[];
    /** Of the twin, by name */
    metrics?: Record<string, Measured>;
}

/** `summary.json`. */
export interface Summary {
    /** Of integration */
    method?: string;
    /** Simulated [s] */
    time: number;
    /** Of the method */
    steps: number;
    /** Of forces */
    evaluations: number;
    /** Of the clock [s] */
    wall: number;
    /** Real-time factor */
    rtf: number | null;
    /** How it ended */
    outcome: string;
    /** Ledger */
    energy?: Energy;
    /** Switches of the scene */
    effects?: Record<string, string>;
    /** By name */
    metrics: Record<string, Measured>;
    /** With their verdicts */
    expectations?: ExpectationRecord[];
    /** Of the run */
    warnings: string[];
    /** Of a run with `--certify` */
    certificate?: Certificate;
    /** Of `footfall twin` */
    twin?: Twin;
}

/** Kinds of events of a run ([table](#events-of-a-run)). */
export type EventKind = "touchdown" | "liftoff" | "fall" | "rise" | "push" | "pull" | "force" | "command" | "status" | "calm" | "more";

/** Something that happened during a run. */
export interface RunEvent {
    /** When [s] */
    t: number;
    /** What happened */
    kind: EventKind;
    /** Of `touchdown` and `liftoff` */
    leg?: number;
    /** That a force acts on */
    body?: number;
    /** Where it acts, in the frame of the body [m] */
    point?: number[];
    /** In world axes; of a pull: `push.force.*` is recorded [N] */
    force?: number[];
    /** How long it acts; null: to the end [s] */
    seconds?: number | null;
    /** A sentence */
    what: string;
}

/** Which rows of the recording the document has. */
export interface Decimation {
    /** Of the rows in the document [Hz] */
    rate_hz: number;
    /** Rows in the document */
    kept: number;
    /** Rows in the recording */
    of: number;
    /** A sentence for the page */
    how: string;
}

/** The scene of a run. */
export interface SceneText {
    /** Of the file */
    text: string;
    /** Of the file */
    path?: string;
    /** Of the scene */
    title?: string;
    /** Of the scene, with what this run had otherwise */
    description?: string;
}

/** Numbers over time. */
export interface RecordedChannel {
    /** In the model */
    name: string;
    /** Of all its columns */
    unit: string;
    /** Names */
    columns: string[];
    /** Base64 of little-endian 32-bit floats, row after row */
    data: string;
}

/** One number a time; null where there is none. */
export type Edge = Measured[];

/** The band around a channel. */
export interface Band {
    /** Of the channel */
    name: string;
    /** Lower edge, of each column */
    low: Edge[];
    /** Upper edge */
    high: Edge[];
}

/** Bands around the curves of a run. */
export interface Bands {
    /** From each time to the next an edge is the outermost of all samples [s] */
    time: number[];
    /** Those of the recording */
    channels: Band[];
}

/** A run for the report. */
export interface RunDocument {
    /** Version, 1; a page refuses others */
    footfall: number;
    /** `summary.json`, where it lies beside the recording */
    summary?: Summary;
    /** What was simulated */
    scene: SceneText;
    /** Of recordings that have one */
    model?: Model;
    /** With `model`; null where one is missing, or beyond 3 MiB in all */
    meshes?: MeshSource[];
    /** How many of the samples are here */
    decimation: Decimation;
    /** Base64 of little-endian 32-bit floats [s] */
    time: string;
    /** With as many rows as `time` */
    channels: RecordedChannel[];
    /** By time */
    events: RunEvent[];
    /** `bands.json` of a run with a certificate */
    bands?: Bands;
}

/** Arguments of each request. */
export interface Requests {
    /** Lists the files of the project. Folders `tests`, `build*` and `out` are left out; of more than 2000 files, or 50 000 entries, the rest is not listed, with a warning. */
    list: Record<string, never>;
    /** Loads a scene or a robot. Event `scene`, paused at its start. What cannot be loaded leaves the scene before. */
    load: {
        /** Path of a scene or robot file */
        scene: string;
        /** Of the scene */
        variant?: string;
        /** Values to change, such as `solver.step=1e-3` */
        set?: string[];
        /** A second robot beside it ([twin](twin.md)), with these values changed, too */
        twin?: string[];
        /** In place of that of the file */
        text?: string;
        /** The same for files that are read meanwhile, such as its robot, by their paths */
        texts?: Record<string, string>;
    };
    /** Runs. Event `state`. */
    run: {
        /** 1 (default): real time; 0: as fast as possible; else 0.001 to 1000 */
        pace?: number;
    };
    /** Pauses. Event `state`. */
    pause: Record<string, never>;
    /** Runs for that time as fast as possible and pauses at the first step at or beyond it; a `notice` reports a step that ends beyond. Steps are never cut: the bits are those of `footfall run`. Event `state`. */
    step: {
        /** Without it one step of the method [s] */
        seconds?: number;
    };
    /** Back to the start, paused, with scripts as they are now. Files are read again: where something has changed, event `scene` with a new generation. */
    reset: Record<string, never>;
    /** Rows of these channels come with frames, for this page. Names stay valid over `load` and `reset`. */
    watch: {
        /** Names; none ends it */
        channels?: string[];
        /** 100 (default); 0.1 to 1000 [Hz] */
        rate?: number;
    };
    /** Reads a file. */
    source: {
        /** Of a file of the project */
        path: string;
    };
    /** Checks a file; `messages` are those of `footfall check`. */
    check: {
        /** Of a file of the project */
        path: string;
        /** In place of that of the file */
        text?: string;
    };
    /** Writes a `.yaml` or `.lua` file, whole or not at all, and checks it. */
    save: {
        /** Of a file of the project */
        path: string;
        /** Of the file */
        text: string;
    };
    /** Pushes a body until the first step at or beyond the end. Event `pushed`; recorded as `push.force.x`, `.y`, `.z`, `push.body`. */
    push: {
        /** Number in the model */
        body: number;
        /** In the frame of the body [m] */
        point: number[];
        /** In world axes [N] */
        force: number[];
        /** 0.1 (default); 60 at most [s] */
        seconds?: number;
    };
    /** Pulls a body to a point by spring and damper, one for each page; ends when the page leaves. */
    pull: {
        /** Number in the model */
        body?: number;
        /** In the frame of the body [m] */
        point?: number[];
        /** In the world; null ends it, else `body` and `point` are needed [m] */
        target?: number[] | null;
    };
    /** Moves a robot while paused. It is at rest then, and its drives start anew. */
    place: {
        /** May be left out where there is one */
        robot?: RobotName;
        /** Of its root [m] */
        position?: number[];
        /** Heading of its root [rad] */
        yaw?: number;
        /** Name of a joint, with `value` */
        joint?: string;
        /** Of the joint [rad, m] */
        value?: number;
    };
    /** Gives a controller a command, which acts from the next cycle on. */
    command: {
        /** May be left out where there is one */
        robot?: RobotName;
        /** As an entry of [`commands`](scenes.md#controllers) without `at` */
        command: Record<string, unknown>;
    };
    /** Replaces the script of a robot [where it stands](controllers.md#while-it-runs). A broken one is refused with its line in `messages`, and the old one goes on. `reset` starts with the new text, `load` with that of the file. */
    script: {
        /** May be left out where there is one */
        robot?: RobotName;
        /** Of the script */
        text: string;
    };
    /** Sets a parameter of a script, which acts from the next cycle on. */
    parameter: {
        /** May be left out where there is one */
        robot?: RobotName;
        /** Of the parameter */
        name: string;
        /** New value */
        value: number;
    };
    /** Pictures of a camera come as binary messages, 15 a second at most. */
    camera: {
        /** A name of `cameras`; null ends it */
        sensor?: string | null;
    };
    /** Outlines a text for the [model editor](#model-editor). */
    outline: {
        /** Of a file of the project */
        path: string;
        /** Of the file */
        text: string;
    };
    /** Saves what was simulated since the last reset as `out/NAME` (`run.h5`, `summary.json`, `report.html`, shown at `/runs/NAME/report.html`). The answer comes when the files are whole; the simulation goes on meanwhile, and one run is saved at a time. 256 MiB of a recording are kept in memory; `notice` and `state` report when that is full. */
    keep: {
        /** Of the run; one that is taken is refused */
        name: string;
    };
    /** Runs the scene from its start to its end, tighter and by another method, beside what is shown, for a [certificate](certificate.md). The answer comes when it is done; one is made at a time. It ends when the page leaves. A run that is saved afterwards has it, unless something was done by hand. */
    certify: {
        /** Cancels the one that is being made, whose answer then is a refusal */
        stop?: boolean;
    };
    /** Runs a [batch](batch.md) of the scene beside what is shown, for all pages. The answer comes when its robots stand at the start, or is a refusal with everything in the scene that a batch cannot do. Then event `batch`; of more robots than a frame holds (1 MiB) every k-th is shown. It takes the place of the one before, and ends when another scene is loaded. */
    batch: {
        /** 1024 (default); 1 to 262144 */
        robots?: number;
        /** Of each; without it that of the scene [s] */
        time?: number;
        /** Of the random numbers, 0 (default) to 2^53 */
        seed?: number;
        /** What each robot [draws](batch.md#what-differs-from-robot-to-robot), by name */
        spread?: Record<string, BatchRange>;
        /** As --fall-height of [`footfall batch`](program.md#batch) [m] */
        fall_height?: number;
        /** As --fall-tilt [rad] */
        fall_tilt?: number;
        /** Most simulated seconds a second; 0 (default): as fast as possible */
        pace?: number;
        /** Ends the one that runs; nothing else is read */
        stop?: boolean;
    };
    /** One frame of the batch comes as a binary message, as soon as there is one that this page does not have; 20 a second at most. A page asks again when it has drawn it, so that frames do not pile up before a slow page. */
    batch_frame: Record<string, never>;
}

/** Members of the answer to each request, beside those of Answer. */
export interface Answers {
    list: Library;
    load: unknown;
    run: unknown;
    pause: unknown;
    step: unknown;
    reset: unknown;
    watch: Watched;
    source: Source;
    check: unknown;
    save: unknown;
    push: unknown;
    pull: unknown;
    place: unknown;
    command: unknown;
    script: Scripted;
    parameter: unknown;
    camera: unknown;
    outline: Outlined;
    keep: Kept;
    certify: Certified;
    batch: unknown;
    batch_frame: unknown;
}

/** Events by name. */
export interface Events {
    /** After a load, and where a reset finds a changed file. */
    scene: Scene;
    /** After every change, and twice a second while it runs. */
    state: RunState;
    /** Falls, lines that scripts print, their failures, reports of controllers, the verdict at the end of the scene. */
    notice: NoticeEvent;
    /** After a command, parameter or script of any page, a command of the scene itself (within 0.25 s), a load and a reset, where something differs from the last event. */
    control: ControlState;
    /** After a push of any page. */
    pushed: Pushed;
    /** When a batch begins and ends, and four times a second at most while it runs; when a page connects. */
    batch: BatchState;
}

export const FRAME_MAGIC = 0x54534646;
export const PICTURE_MAGIC = 0x4d494646;
export const BATCH_MAGIC = 0x54424646;
export const FRAME_VERSION = 1;

/** Head of a frame. Each number: its type and its offset [byte]. */
export const FRAME_HEAD = {
    bytes: 40,
    numbers: {
        magic: ["u32", 0],
        version: ["u16", 4],
        flags: ["u16", 6],
        generation: ["u32", 8],
        number: ["u32", 12],
        t: ["f64", 16],
        rtf: ["f32", 24],
        dropped: ["u32", 28],
        sections: ["u32", 32],
        starts: ["u32", 36],
    },
} as const;

/** Head of a section of a frame. Each number: its type and its offset [byte]. */
export const SECTION_HEAD = {
    bytes: 8,
    numbers: {
        tag: ["u16", 0],
        width: ["u16", 2],
        count: ["u32", 4],
    },
} as const;

/** Head of a picture; RGB follows, row by row from above. Each number: its type and its offset [byte]. */
export const PICTURE_HEAD = {
    bytes: 24,
    numbers: {
        magic: ["u32", 0],
        version: ["u16", 4],
        camera: ["u16", 6],
        generation: ["u32", 8],
        width: ["u16", 12],
        height: ["u16", 14],
        t: ["f64", 16],
    },
} as const;

/** Head of a frame of a batch; its rows follow. End of a robot: 0 it lives, 1 diverged, 2 fell. Each number: its type and its offset [byte]. */
export const BATCH_HEAD = {
    bytes: 40,
    numbers: {
        magic: ["u32", 0],
        version: ["u16", 4],
        width: ["u16", 6],
        generation: ["u32", 8],
        number: ["u32", 12],
        t: ["f64", 16],
        frame: ["u32", 24],
        stride: ["u32", 28],
        count: ["u32", 32],
        robots: ["u32", 36],
    },
} as const;

/** Bits of the flags of a frame. */
export const FLAG = { running: 1, ended: 2, failed: 4, recording: 8 } as const;

/** Sections of a frame: tag, numbers of a row (0: as many as the scene has), and where each stands in it. */
export const SECTIONS = {
    /** coordinates of the model, one row of `nq` */
    q: { tag: 1, width: 0, columns: {} },
    /** point [m] and force on body 2 [N] in the world; slips: 0 or 1; body 2: -1 is the world, what is fixed comes first; leg or -1 */
    contacts: { tag: 2, width: 10, columns: { x: 0, y: 1, z: 2, force_x: 3, force_y: 4, force_z: 5, slips: 6, body1: 7, body2: 8, leg: 9 } },
    /** centres of mass of the robots, centres of pressure and capture points of their feet (NaN where none carries), planned zero moment point in the world of the plan (NaN: none) [m] */
    coms: { tag: 3, width: 12, columns: { robot: 0, x: 1, y: 2, z: 3, cop_x: 4, cop_y: 5, cop_z: 6, dcm_x: 7, dcm_y: 8, dcm_z: 9, zmp_x: 10, zmp_y: 11 } },
    /** forces from outside: point [m] and force [N] in the world */
    outside: { tag: 4, width: 7, columns: { body: 0, x: 1, y: 2, z: 3, force_x: 4, force_y: 5, force_z: 6 } },
    /** of distance sensors, along their axes [m]; hit: 0 or 1 */
    rays: { tag: 5, width: 7, columns: { from_x: 0, from_y: 1, from_z: 2, to_x: 3, to_y: 4, to_z: 5, hit: 6 } },
    /** of watched channels: t, values. Taken after the first step at or beyond their time. 512 KiB of them wait for a slow page, then the oldest are dropped */
    rows: { tag: 6, width: 0, columns: {} },
    /** `limbs` of the model in order: touch 0 or 1, force on it [N], vertical force the controller wants of a foot [N] or NaN, [centre of pressure](contact.md#in-a-simulation) [m], NaN where nothing presses, moment about it [N m]; of the plan, or NaN: share of the load, place [m] and heading [rad] of the foot's frame */
    limbs: { tag: 7, width: 15, columns: { touch: 0, force_x: 1, force_y: 2, force_z: 3, wanted: 4, cop_x: 5, cop_y: 6, cop_z: 7, moment_x: 8, moment_y: 9, moment_z: 10, load: 11, plan_x: 12, plan_y: 13, plan_yaw: 14 } },
} as const;
