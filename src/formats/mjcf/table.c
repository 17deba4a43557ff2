// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Every element and attribute of MJCF, as MuJoCo's XML reference lists them (version 3, with a few that older ones
// had), and whether each is used or left out, with a reason. The loader takes its reasons from here when it
// lists what is not used, the manual its page (footfall keys --markdown mjcf), and tests/formats/mjcf/test_mjcf_table.c
// puts each attribute into a file and checks whether it was read.
#include "mjcf/table.h"

#include <string.h>

// clang-format off
#define READ(parents, names, used, ignored)              {parents, names, used, ignored, NULL}
#define LEFT_OUT(parents, names, attributes, why_not)    {parents, names, "", attributes, why_not}
#define SENSOR(names, object) READ("sensor", names, "name cutoff noise" object, "nsample interp delay interval user")
#define TRANSMISSION "nsample interp delay user cranklength jointinparent slidersite cranksite"
#define VIEWER    "a setting of MuJoCo's viewer"
#define PLUGIN    "plugins of MuJoCo are not supported"
#define SOFT      "soft bodies are not supported"
#define NO_SENSOR "this sensor is not modelled: it gives no reading"
#define USER_DATA "MuJoCo itself does not use it"
static const mjcf_element ELEMENTS[] = {
    READ("", "mujoco", "model", ""),
    READ("mujoco", "compiler",
         "autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate angle fitaabb eulerseq "
         "meshdir texturedir discardvisual inertiafromgeom inertiagrouprange assetdir exactmeshinertia",
         "usethread fusestatic saveinertial alignfree conflict convexhull"),
    READ("mujoco", "option", "gravity wind magnetic density viscosity",
         "timestep impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance o_margin o_solref "
         "o_solimp o_friction integrator cone jacobian solver iterations ls_iterations noslip_iterations "
         "ccd_iterations sdf_iterations sdf_initpoints actuatorgroupdisable apirate collision mpr_tolerance "
         "mpr_iterations"),
    READ("option", "flag", "contact gravity",
         "constraint equality frictionloss limit spring damper clampctrl warmstart filterparent actuation refsafe "
         "sensor midphase eulerdamp autoreset nativeccd island multiccd override energy fwdinv invdiscrete sleep "
         "diagexact ipc passive sensornoise"),
    READ("mujoco default", "default", "class", ""),
    READ("asset", "mesh", "name class content_type file vertex face refpos refquat scale inertia builtin",
         "normal texcoord smoothnormal maxhullvert params material"),
    READ("asset", "material", "name class rgba",
         "texture texrepeat texuniform emission specular shininess reflectance metallic roughness"),
    READ("worldbody body frame", "body", "name childclass pos quat axisangle xyaxes zaxis euler mocap gravcomp",
         "sleep simple fuse user"),
    READ("worldbody body frame", "frame", "name childclass pos quat axisangle xyaxes zaxis euler", ""),
    READ("worldbody body frame", "inertial", "pos quat mass diaginertia axisangle xyaxes zaxis euler fullinertia", ""),
    READ("worldbody body frame", "joint",
         "name class type group pos axis springdamper limited actuatorfrclimited stiffness range actuatorfrcrange ref "
         "springref armature damping frictionloss",
         "solreflimit solimplimit solreffriction solimpfriction actuatorgravcomp margin user"),
    READ("worldbody body frame", "freejoint", "name group align", ""),
    READ("worldbody body frame", "geom",
         "name class type contype conaffinity condim group priority size material friction mass density shellinertia "
         "solmix solref solimp fromto pos quat axisangle xyaxes zaxis euler mesh hfield fitscale fluidshape fluidcoef "
         "rgba",
         "margin gap surfacevel adhesion user"),
    READ("worldbody body frame", "site",
         "name class type group pos quat axisangle xyaxes zaxis euler material size fromto rgba",
         "mesh user"),
    READ("contact", "pair", "name class geom1 geom2 condim friction solref solimp",
         "solreffriction gap margin adhesion"),
    READ("contact", "exclude", "name body1 body2", ""),
    READ("tendon", "spatial",
         "name class group limited range frictionloss springlength margin stiffness damping user width material rgba",
         "actuatorfrclimited actuatorfrcrange solreflimit solimplimit solreffriction solimpfriction armature"),
    READ("tendon", "fixed", "name class group limited range frictionloss springlength margin stiffness damping user",
         "actuatorfrclimited actuatorfrcrange solreflimit solimplimit solreffriction solimpfriction armature"),
    READ("spatial", "site", "site", ""),
    READ("spatial", "geom", "geom sidesite", ""),
    READ("spatial", "pulley", "divisor", ""),
    READ("fixed", "joint", "joint coef", ""),
    READ("equality", "connect", "name class active body1 body2 anchor site1 site2", "solref solimp"),
    READ("equality", "weld", "name class active body1 body2 relpose anchor site1 torquescale site2", "solref solimp"),
    READ("equality", "joint", "name class active joint1 joint2 polycoef", "solref solimp"),
    READ("actuator", "general",
         "name class group ctrlrange ctrllimited forcelimited forcerange gear damping armature lengthrange actlimited "
         "actrange actearly actdim joint tendon site refsite body dyntype gaintype biastype dynprm gainprm biasprm",
         "nsample interp delay user cranklength jointinparent slidersite cranksite input velrange ffrange"),
    READ("actuator", "motor",
         "name class group ctrlrange ctrllimited forcelimited forcerange gear damping armature lengthrange joint "
         "tendon site refsite", TRANSMISSION),
    READ("actuator", "position",
         "name class group ctrlrange ctrllimited forcelimited forcerange gear damping armature lengthrange "
         "inheritrange joint tendon site refsite kp kv dampratio timeconst", TRANSMISSION),
    READ("actuator", "velocity",
         "name class group ctrlrange ctrllimited forcelimited forcerange gear damping armature lengthrange joint "
         "tendon site refsite kv", TRANSMISSION),
    READ("keyframe", "key", "name time qpos qvel act ctrl mpos mquat", ""),
    SENSOR("touch accelerometer velocimeter gyro force torque magnetometer", " site"),
    SENSOR("jointpos jointvel jointactuatorfrc ballquat ballangvel jointlimitpos jointlimitvel jointlimitfrc",
           " joint"),
    SENSOR("tendonpos tendonvel tendonactuatorfrc tendonlimitpos tendonlimitvel tendonlimitfrc", " tendon"),
    SENSOR("actuatorpos actuatorvel actuatorfrc", " actuator"),
    SENSOR("subtreecom subtreelinvel subtreeangmom", " body"),
    SENSOR("framepos framequat framexaxis frameyaxis framezaxis framelinvel frameangvel",
           " objtype objname reftype refname"),
    SENSOR("framelinacc frameangacc", " objtype objname"),
    SENSOR("clock", ""),
    READ("sensor", "rangefinder", "name cutoff noise site", "camera nsample interp delay interval user data"),
    LEFT_OUT("compiler", "lengthrange",
             "mode useexisting uselimit accel maxforce timeconst timestep inttotal interval "
             "tolrange", "settings of MuJoCo's search for lengths of muscles"),
    LEFT_OUT("mujoco", "size",
             "memory njmax nconmax nstack nuserdata nkey nuser_body nuser_jnt nuser_geom nuser_site nuser_cam "
             "nuser_tendon nuser_actuator nuser_sensor", "memory is allocated as needed"),
    LEFT_OUT("mujoco", "statistic",
             "meaninertia meanmass meansize extent center", "numbers for MuJoCo's viewer and solver"),
    LEFT_OUT("mujoco", "visual", "", VIEWER),
    LEFT_OUT("visual", "global",
             "cameraid orthographic fovy ipd azimuth elevation linewidth glow offwidth offheight realtime "
             "ellipsoidinertia bvactive", VIEWER),
    LEFT_OUT("visual", "quality", "shadowsize offsamples numslices numstacks numquads", VIEWER),
    LEFT_OUT("visual", "headlight", "ambient diffuse specular active", VIEWER),
    LEFT_OUT("visual", "map",
             "stiffness stiffnessrot force torque alpha fogstart fogend znear zfar haze shadowclip shadowscale "
             "actuatortendon", VIEWER),
    LEFT_OUT("visual", "scale",
             "forcewidth contactwidth contactheight connect com camera light selectpoint jointlength jointwidth "
             "actuatorlength actuatorwidth framelength framewidth constraint slidercrank frustum", VIEWER),
    LEFT_OUT("visual", "rgba",
             "fog haze force inertia joint actuator actuatornegative actuatorpositive com camera light selectpoint "
             "connect contactpoint contactforce contactfriction contacttorque contactgap rangefinder constraint "
             "slidercrank crankbroken frustum bv bvactive", VIEWER),
    LEFT_OUT("mujoco", "extension", "", PLUGIN),
    LEFT_OUT("extension asset mesh geom worldbody body frame composite flexcomp", "plugin", "plugin instance", PLUGIN),
    LEFT_OUT("plugin", "instance", "name", PLUGIN),
    LEFT_OUT("plugin instance", "config", "key value", PLUGIN),
    READ("asset", "hfield", "name content_type file nrow ncol size elevation", ""),
    LEFT_OUT("asset deformable", "skin", "name file material rgba inflate vertex texcoord face group", SOFT),
    LEFT_OUT("skin", "bone", "body bindpos bindquat vertid vertweight", SOFT),
    LEFT_OUT("asset", "texture",
             "name type colorspace content_type file gridsize gridlayout fileright fileleft fileup filedown filefront "
             "fileback builtin rgb1 rgb2 mark markrgb random width height hflip vflip "
             "nchannel", "shapes have one colour, without texture"),
    LEFT_OUT("material", "layer", "texture role", "shapes have one colour, without texture"),
    READ("asset", "model", "name file content_type", ""),
    READ("worldbody body frame", "attach", "model body prefix", "frame"),
    READ("worldbody body frame", "replicate", "count offset sep euler childclass", ""),
    LEFT_OUT("worldbody body frame", "camera",
             "name class projection fovy ipd resolution output pos quat axisangle xyaxes zaxis euler mode target focal "
             "focalpixel principal principalpixel sensorsize user", "cameras are sensors of a native file"),
    LEFT_OUT("worldbody body frame", "light",
             "name class directional type castshadow active pos dir bulbradius intensity range attenuation cutoff "
             "softness exponent ambient diffuse specular mode target texture", "pictures have a fixed light"),
    LEFT_OUT("worldbody body frame", "composite",
             "prefix type count offset vertex initial curve size quat", "composite objects are not supported"),
    LEFT_OUT("worldbody body frame", "flexcomp",
             "name type group dim dof count cellcount spacing radius rigid mass inertiabox scale file point element "
             "texcoord material rgba flatskin pos quat axisangle xyaxes zaxis euler origin", SOFT),
    LEFT_OUT("mujoco", "deformable", "", SOFT),
    LEFT_OUT("deformable", "flex",
             "name group dim radius material rgba flatskin body vertex element texcoord elemtexcoord node nodecoord "
             "cellcount dof", SOFT),
    LEFT_OUT("equality", "tendon",
             "name class active solref solimp tendon1 tendon2 polycoef", "only joints can be coupled"),
    LEFT_OUT("equality", "flex flexvert flexstrain", "name class active solref solimp flex cell", SOFT),
    READ("actuator", "intvelocity",
         "name class group ctrlrange ctrllimited forcelimited forcerange gear damping armature lengthrange actlimited "
         "actrange inheritrange joint tendon site refsite kp kv dampratio", TRANSMISSION),
    LEFT_OUT("actuator", "orientation",
             "name class group nsample interp delay ctrlrange user forcelimited forcerange joint site refsite kp kv "
             "dampratio input", "this law of an actuator is not modelled"),
    LEFT_OUT("actuator", "pid",
             "name class group nsample interp delay ctrlrange user ctrllimited forcelimited forcerange lengthrange "
             "gear damping armature cranklength posrange velrange ffrange inheritrange joint jointinparent tendon "
             "slidersite cranksite site refsite kp kv dampratio ki imax slewmax "
             "input", "this law of an actuator is not modelled"),
    READ("actuator", "damper",
         "name class group ctrlrange forcelimited forcerange gear damping armature lengthrange joint tendon site "
         "refsite kv", TRANSMISSION),
    READ("actuator", "cylinder",
         "name class group ctrlrange ctrllimited forcelimited forcerange gear damping armature lengthrange joint "
         "tendon site refsite timeconst area diameter bias", TRANSMISSION),
    READ("actuator", "muscle",
         "name class group ctrlrange ctrllimited forcelimited forcerange gear damping armature lengthrange joint "
         "tendon timeconst tausmooth range force scale lmin lmax vmax fpmax fvmax", TRANSMISSION),
    READ("actuator", "adhesion", "name class group ctrlrange forcelimited forcerange body gain",
         "nsample interp delay user"),
    LEFT_OUT("actuator", "dcmotor",
             "name class group nsample interp delay ctrlrange user ctrllimited lengthrange gear damping armature "
             "cranklength joint jointinparent tendon slidersite cranksite site refsite motorconst resistance nominal "
             "saturation inductance cogging controller thermal lugre input", "give the joint a drive of a native file"),
    LEFT_OUT("actuator", "plugin",
             "name class group nsample interp delay ctrlrange user plugin instance ctrllimited forcelimited forcerange "
             "lengthrange gear damping armature cranklength actlimited actrange joint jointinparent site actdim "
             "dyntype dynprm tendon cranksite slidersite actearly", PLUGIN),
    LEFT_OUT("sensor", "camprojection", "name nsample interp delay interval cutoff noise user site camera", NO_SENSOR),
    LEFT_OUT("sensor", "insidesite",
             "name nsample interp delay interval cutoff noise user site objtype objname enclosed", NO_SENSOR),
    LEFT_OUT("sensor", "distance normal fromto",
             "name nsample interp delay interval cutoff noise user geom1 geom2 body1 body2", NO_SENSOR),
    LEFT_OUT("sensor", "contact",
             "name nsample interp delay interval cutoff noise user geom1 geom2 body1 body2 subtree1 subtree2 site num "
             "data reduce", NO_SENSOR),
    LEFT_OUT("sensor", "e_potential e_kinetic", "name nsample interp delay interval cutoff noise user", NO_SENSOR),
    LEFT_OUT("sensor", "tactile", "name geom mesh nsample interp delay interval cutoff user", NO_SENSOR),
    LEFT_OUT("sensor", "user", "name objtype objname datatype needstage dim cutoff noise user", NO_SENSOR),
    LEFT_OUT("sensor", "plugin", "name plugin instance cutoff objtype objname reftype refname user", PLUGIN),
    LEFT_OUT("mujoco", "custom", "", USER_DATA),
    LEFT_OUT("custom", "numeric", "name size data", USER_DATA),
    LEFT_OUT("custom", "text", "name data", USER_DATA),
    LEFT_OUT("custom", "tuple", "name", USER_DATA),
    LEFT_OUT("tuple", "element", "objtype objname prm", USER_DATA),
};

/// Why an attribute is left out, where its element is used. An element of NULL: any.
static const struct {
    const char *element, *attributes, *reason;
} REASONS[] = {
    {NULL, "user", "MuJoCo itself does not use it"},
    {NULL, "nsample interp delay interval", "rate and delay are settings of sensors and drives of a native file"},
    {NULL, "solreflimit solimplimit", "a limit is a stop with a stiffness and a damping"},
    {NULL, "solreffriction solimpfriction", "dry friction is a regularised law"},
    {NULL, "actuatorfrclimited actuatorfrcrange", "limit the force of its actuator instead (forcerange)"},
    {NULL, "cranklength jointinparent slidersite cranksite", "this transmission is not modelled"},
    {NULL, "input velrange ffrange", "this actuator is not modelled"},
    {"compiler", "usethread saveinertial", "a setting of MuJoCo's compiler"},
    {"compiler", "fusestatic", "bodies without a joint are always fused with their parents, and keep their names"},
    {"compiler", "alignfree", "a free joint always has the frame of its body"},
    {"compiler", "conflict", "settings of an attached model apply to that model only"},
    {"attach", "frame", "only a body or the whole of the other model can be attached"},
    {"compiler", "convexhull", "a mesh always collides as its convex hull"},
    {"option", "timestep integrator", "step and method belong to a scene"},
    {"option", "tolerance ls_tolerance iterations ls_iterations jacobian solver",
     "a setting of MuJoCo's constraint solver"},
    {"option", "ccd_tolerance ccd_iterations mpr_tolerance mpr_iterations sdf_iterations sdf_initpoints collision",
     "a setting of MuJoCo's collision detection"},
    {"option", "sleep_tolerance", "bodies at rest are computed like all others"},
    {"option", "actuatorgroupdisable", "all actuators are active"},
    {"option", "apirate", "MuJoCo no longer uses it"},
    {"option", "o_solref o_solimp", "define a stiffness in N/m under materials of the scene"},
    {"option", "o_friction", "define friction under materials of the scene"},
    {"option", "o_margin", "contact forces act on touching shapes only"},
    {"option", "cone", "the friction cone is always elliptic"},
    {"option", "impratio", "tangential stiffness is given by the material, in N/m"},
    {"option", "noslip_iterations noslip_tolerance", "sticking contacts do not creep"},
    {"flag", "filterparent", "neighbours in the tree never collide, since they overlap at their joint"},
    {"flag", "refsafe", "time constants of solref are always at least two time steps"},
    {"flag", "override", "define materials of the scene"},
    {"flag", "midphase", "the broad phase is always used"},
    {"flag", "constraint equality frictionloss limit spring damper passive clampctrl actuation",
     "remove the elements that should not act"},
    {"flag", "sensor sensornoise", "effects.sensors of a scene switches sensors and their errors"},
    {"flag", "energy", "energy is always computed"},
    {"flag", "warmstart eulerdamp autoreset nativeccd island multiccd fwdinv invdiscrete sleep diagexact ipc",
     "a setting of MuJoCo's methods"},
    {"mesh", "normal texcoord smoothnormal material", "shapes have one colour, without texture"},
    {"mesh", "maxhullvert", "hulls have all their corners"},
    {"mesh", "params", "builtin meshes are left out"},
    {"material", "texture texrepeat texuniform emission specular shininess reflectance metallic roughness",
     "shapes have one colour, without texture"},
    {"body", "sleep simple fuse", "bodies at rest are computed like all others"},
    {"joint", "margin", "a stop acts beyond the limit only"},
    {"joint", "actuatorgravcomp",
     "gravcomp is not part of the actuator force, so actuatorfrcrange limits actuators only"},
    {"geom", "margin", "contact forces act on touching shapes only; enlarge the shape by it"},
    {"geom", "gap", "contact forces act on touching shapes only"},
    {"geom", "surfacevel", "surfaces do not move relative to their bodies"},
    {"geom pair", "adhesion", "contacts do not pull"},
    {"site", "mesh", "the volume of a site must be a simple shape"},
    {"pair", "solreffriction",
     "tangential stiffness is given by the material, in N/m; define it under pairs of the scene"},
    {"pair", "margin", "contact forces act on touching shapes only; enlarge the shapes by it"},
    {"pair", "gap", "contact forces act on touching shapes only"},
    {"spatial fixed", "armature", "tendons have no inertia"},
    {"connect weld joint", "solref solimp", "loops are hard constraints"},
    {"rangefinder", "camera data", "a range finder is one ray from a site"},
};
// clang-format on

const mjcf_element *ff_mjcf_table_row(int i)
{
    return i >= 0 && i < (int)(sizeof ELEMENTS / sizeof *ELEMENTS) ? &ELEMENTS[i] : NULL;
}

bool ff_mjcf_table_has(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; *at; at += *at == ' ') {
        const size_t here = strcspn(at, " ");
        if (here == length && strncmp(at, word, length) == 0) return true;
        at += here;
    }
    return false;
}

/// Elements of a default class are named elements that also occur elsewhere; those that occur only in <default>:
/// tendon, equality.
static bool occurs_in(const mjcf_element *row, const char *parent)
{
    if (strcmp(parent, "default") != 0) return ff_mjcf_table_has(row->parents, parent);
    static const char *const places[] = {"default", "asset", "body", "contact", "actuator"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (ff_mjcf_table_has(row->parents, places[i])) return true;
    return false;
}

const mjcf_element *ff_mjcf_table_find(const char *parent, const char *element)
{
    if (strcmp(parent, "default") == 0 && (strcmp(element, "tendon") == 0 || strcmp(element, "equality") == 0))
        return ff_mjcf_table_find(element, strcmp(element, "tendon") == 0 ? "spatial" : "connect");
    for (int i = 0; ff_mjcf_table_row(i); i++)
        if (ff_mjcf_table_has(ELEMENTS[i].names, element) && occurs_in(&ELEMENTS[i], parent)) return &ELEMENTS[i];
    return NULL;
}

const char *ff_mjcf_table_reason(const char *element, const char *attribute)
{
    for (int pass = 0; pass < 2; pass++) // its own reasons go before those of any element
        for (size_t i = 0; i < sizeof REASONS / sizeof *REASONS; i++) {
            const bool own = REASONS[i].element && ff_mjcf_table_has(REASONS[i].element, element);
            if ((pass == 0 ? own : !REASONS[i].element) && ff_mjcf_table_has(REASONS[i].attributes, attribute))
                return REASONS[i].reason;
        }
    return NULL;
}

// ------------------------------------------------------------------------------------------ the page

/// Words of a cell; where they pass its 200 characters they go on behind `next`, which begins the row below.
static void print_words(FILE *out, const char *words, const char *next)
{
    size_t printed = 0;
    for (const char *at = words; *at; at += *at == ' ') {
        const size_t length = strcspn(at, " ");
        const bool fits = printed + length + 4 <= 190;
        fprintf(out, "%s`%.*s`", at == words ? " " : fits ? ", " : next, (int)length, at);
        printed = (fits ? printed : 0) + length + 4;
        at += length;
    }
}

/// Attributes that are left out, a row for each reason, which follows the last of its attributes.
static void print_left_out(FILE *out, const mjcf_element *row)
{
    char element[40], word[40];
    const char *before = NULL;
    snprintf(element, sizeof element, "%.*s", (int)strcspn(row->names, " "), row->names);
    for (const char *at = row->ignored; *at; at += *at == ' ') {
        const int length = (int)strcspn(at, " ");
        snprintf(word, sizeof word, "%.*s", length, at);
        const char *reason = ff_mjcf_table_reason(element, word);
        if (at != row->ignored && reason != before) fprintf(out, ": %s |\n| | | | ", before ? before : "");
        fprintf(out, "%s`%s`", at == row->ignored ? " " : reason == before ? ", " : "", word);
        before = reason;
        at += length;
    }
    if (before) fprintf(out, ": %s", before);
}

void ff_mjcf_table_print(FILE *out)
{
    fprintf(out, "<!-- SPDX-FileCopyrightText: 2026 The Footfall authors -->\n"
                 "<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
                 "# Elements and attributes of MJCF\n\n"
                 "This page lists every element and attribute of MJCF: those that the loader uses, and those that it "
                 "leaves out, with\n"
                 "the reason after a colon. [mjcf.md](mjcf.md) says what the used ones are converted to. "
                 "`footfall keys --markdown mjcf`\n"
                 "prints this page. Elements in `default` have the same attributes. *all* means that the element is "
                 "left out.\n\n"
                 "| parent | element | used attributes | left out: reason |\n|---|---|---|---|\n");
    for (int i = 0; ff_mjcf_table_row(i); i++) {
        const mjcf_element *row = &ELEMENTS[i];
        fprintf(out, "| %s |", row->parents);
        print_words(out, row->names, ", ");
        fprintf(out, " |");
        print_words(out, row->used, ", | |\n| | | ");
        fprintf(out, " |");
        if (row->reason) {
            fprintf(out, " all: %s%s", row->reason, row->ignored[0] ? " |\n| | | |" : "");
            print_words(out, row->ignored, ", |\n| | | | ");
        } else
            print_left_out(out, row);
        fprintf(out, " |\n");
    }
}
