// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Choices that the browser stores: arrangement, layers, pace. If it refuses storage, defaults are used.

const PREFIX = "footfall-studio-";

export function recall<T extends object>(name: string, otherwise: T): T {
    try {
        const text = localStorage.getItem(PREFIX + name);
        const value: unknown = text ? JSON.parse(text) : null;
        return typeof value === "object" && value !== null ? { ...otherwise, ...value } : otherwise;
    } catch {
        return otherwise;
    }
}

export function remember(name: string, value: object): void {
    try {
        localStorage.setItem(PREFIX + name, JSON.stringify(value));
    } catch {
        return;
    }
}
