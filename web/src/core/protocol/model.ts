// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The compiled model. Made by scripts/protocol from src/studio/protocol*.c: changes belong there.

/** A joint of the compiled model with all that moves with it. */
export interface Node {
    /** Type of its joint */
    type: "hinge" | "slide" | "ball" | "free";
    /** Parent node; -1: the world */
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
    /** Mass of all bodies that move with it [kg] */
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
    /** Mass of the body [kg] */
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
    /** Type, by the word of robot files */
    type: string;
    /** Body that it moves */
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
    /** Stiffness of its spring [N m/rad, N/m] */
    stiffness: number;
    /** Coordinate at which its spring exerts no force [rad, m] */
    spring_ref: number;
    /** Viscous friction [N m s/rad, N s/m] */
    damping: number;
    /** Coulomb friction [N m, N] */
    dry_friction: number;
    /** Inertia of a rotor, reduced to the joint [kg m^2, kg] */
    armature: number;
    /** Largest force or moment; null: none is given [N m, N] */
    effort: number | null;
    /** Largest speed; null: none is given [rad/s, m/s] */
    speed: number | null;
}

/** A shape. */
export interface Geom {
    /** Null: it has none */
    name: string | null;
    /** Body that carries it; -1: the world, as terrain */
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
    /** Use of the shape: contact, display or both */
    role: "both" | "visual" | "collision";
    /** Group of MJCF */
    group: number;
}

/** A named frame. */
export interface Frame {
    /** In the model */
    name: string;
    /** Body that carries it */
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
    /** Numbers of its joints, from the hip down */
    joints: number[];
    /** Number of the frame of the foot */
    frame: number;
    /** Radius of a round foot; 0: of another shape [m] */
    radius: number;
    /** Name of its force sensor */
    force: string | null;
    /** Name of its touch sensor */
    touch: string | null;
}

/** A foot or a hand. */
export interface Limb {
    /** Name of the leg, or of the hand */
    name: string;
    /** End of a leg, or another limb */
    kind: "foot" | "hand";
    /** Body that carries its frame */
    body: number;
    /** Position of the frame in the body [m] */
    pos: number[];
    /** Orientation of the frame in the body: w x y z */
    quat: number[];
    /** Radius of a round foot; 0: of another shape [m] */
    radius: number;
    /** Bodies that the file lists; empty: contacts near its frame count */
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
    /** Mass of all moving bodies [kg] */
    mass: number;
    /** In the world [m/s^2] */
    gravity: number[];
    /** Q at the start */
    q0: number[];
    /** Joints of the compiled model, each with the bodies that move with it */
    nodes: Node[];
    /** Bodies of all robots */
    bodies: Body[];
    /** Joints of all robots */
    joints: Joint[];
    /** Shapes, terrain included */
    geoms: Geom[];
    /** Frames of all robots */
    frames: Frame[];
    /** Files of the meshes */
    meshes: string[];
    /** Legs of all robots */
    legs: Leg[];
    /** Feet of the legs in their order, then hands */
    limbs: Limb[];
}
