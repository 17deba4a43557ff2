// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Shapes of a model as objects of three.js. Sizes are those of the library: half lengths of boxes, radius and half length along z of cylinders
// and capsules. Shapes with a drawing of their own hide those for collisions alone.
import * as THREE from "three";
import type { Geom, Model } from "../core/protocol";
import type { Mesh } from "../core/document";

const ROUND = 20; // segments of round shapes

function geometryOf(geom: Geom, meshes: (Mesh | null)[]): THREE.BufferGeometry | null {
    const [a, b, c] = geom.size;
    switch (geom.shape) {
        case "sphere":
            return new THREE.SphereGeometry(a, ROUND, ROUND / 2);
        case "ellipsoid":
            return new THREE.SphereGeometry(1, ROUND, ROUND / 2).scale(a, b, c);
        case "box":
            return new THREE.BoxGeometry(2 * a, 2 * b, 2 * c);
        case "cylinder":
            return new THREE.CylinderGeometry(a, a, 2 * b, ROUND).rotateX(Math.PI / 2);
        case "capsule":
            return new THREE.CapsuleGeometry(a, 2 * b, 6, ROUND).rotateX(Math.PI / 2);
        case "mesh":
            return meshGeometry(meshes[geom.mesh] ?? null);
        default:
            return null;
    }
}

function meshGeometry(mesh: Mesh | null): THREE.BufferGeometry | null {
    if (!mesh) return null;
    const shared = new THREE.BufferGeometry();
    shared.setAttribute("position", new THREE.BufferAttribute(mesh.vertices, 3));
    shared.setIndex(new THREE.BufferAttribute(mesh.triangles, 1));
    const flat = shared.toNonIndexed(); // facets keep their edges
    flat.computeVertexNormals();
    return flat;
}

function material(rgba: number[]): THREE.MeshStandardMaterial {
    const clear = rgba[3] < 1;
    return new THREE.MeshStandardMaterial({
        color: new THREE.Color().setRGB(rgba[0], rgba[1], rgba[2], THREE.SRGBColorSpace),
        roughness: 0.62,
        metalness: 0.05,
        transparent: clear,
        opacity: clear ? rgba[3] : 1,
        side: clear ? THREE.DoubleSide : THREE.FrontSide,
    });
}

export interface Shapes {
    /** Group number i holds the shapes of body i. */
    bodies: THREE.Group[];
    /** Shapes fixed to the world, except for planes. */
    world: THREE.Group;
    planes: Geom[];
    /** Meshes that the document lacks. */
    missing: number;
}

export function makeShapes(model: Model, meshes: (Mesh | null)[], known: boolean[]): Shapes {
    const shapes: Shapes = { bodies: model.bodies.map(() => new THREE.Group()), world: new THREE.Group(), planes: [], missing: 0 };
    const drawn = new Set(model.geoms.filter((g) => g.role === "visual").map((g) => g.body));
    for (const geom of model.geoms) {
        if (geom.role === "collision" && drawn.has(geom.body)) continue;
        if (geom.shape === "plane") {
            shapes.planes.push(geom);
            continue;
        }
        const geometry = geometryOf(geom, meshes);
        if (!geometry) {
            shapes.missing++;
            continue;
        }
        const mesh = new THREE.Mesh(geometry, material(geom.rgba));
        mesh.position.set(geom.pos[0], geom.pos[1], geom.pos[2]);
        mesh.quaternion.set(geom.quat[1], geom.quat[2], geom.quat[3], geom.quat[0]);
        mesh.castShadow = true;
        mesh.receiveShadow = true;
        (geom.body < 0 ? shapes.world : shapes.bodies[geom.body]).add(mesh);
    }
    shapes.bodies.forEach((group, i) => (group.visible = known[i] ?? false));
    return shapes;
}
