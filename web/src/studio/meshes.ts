// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Meshes of a scene: inside its event as base64, or fetched by their address when they are large. Fetched ones are two counts (vertices, triangles; u32), then x y z of the vertices as
// 32-bit floats and the corners of the triangles as u32.
import { decodeMesh, DocumentError, type Mesh, wholeMesh } from "../core/document";
import type { MeshSource } from "../core/protocol";

export function meshFromBytes(buffer: ArrayBuffer): Mesh {
    const [vertices, triangles] = buffer.byteLength >= 8 ? new Uint32Array(buffer, 0, 2) : [0, 0];
    if (buffer.byteLength !== 8 + 12 * (vertices + triangles)) throw new DocumentError(`${buffer.byteLength} bytes are no mesh of ${vertices} vertices and ${triangles} triangles`);
    return wholeMesh(new Float32Array(buffer, 8, 3 * vertices), new Uint32Array(buffer, 8 + 12 * vertices, 3 * triangles));
}

async function fetchMesh(url: string): Promise<Mesh> {
    const response = await fetch(url);
    if (!response.ok) throw new DocumentError(`${url}: ${response.status} ${response.statusText}`);
    return meshFromBytes(await response.arrayBuffer());
}

/** All meshes, null where one is missing; `fault` receives the reason. */
export async function readMeshes(sources: MeshSource[], fault: (text: string) => void): Promise<(Mesh | null)[]> {
    return Promise.all(
        sources.map(async (source, i) => {
            try {
                if (!source) return null;
                return "url" in source ? await fetchMesh(source.url) : decodeMesh(source);
            } catch (e) {
                fault(`mesh ${i}: ${e instanceof Error ? e.message : String(e)}`);
                return null;
            }
        }),
    );
}
