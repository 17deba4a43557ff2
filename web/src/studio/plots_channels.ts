// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Channels of a scene as a tree: names are split at their dots, branches with one twig are joined with it, and a channel of several columns has them as
// its leaves. Also the search in it.

export interface ChannelInfo {
    name: string;
    unit: string;
    /** Names of the columns, or their number. */
    columns: string[] | number;
}

/** One line a plot can have. */
export interface Column {
    /** Key under which a choice is stored: "walk.speed", "feet.force/FL.z". */
    key: string;
    channel: string;
    /** Place among the columns of its channel. */
    index: number;
    unit: string;
    /** Text for display: "walk.speed", "feet.force FL.z". */
    label: string;
    /** What distinguishes it from its neighbours: "FL.z", or the last word of its channel. */
    short: string;
}

export interface Channel {
    name: string;
    unit: string;
    columns: Column[];
}

export interface Branch {
    /** Words of the name that this branch adds: "contact.force". */
    name: string;
    path: string;
    branches: Branch[];
    channel: Channel | null;
    /** Channels in it and below. */
    count: number;
}

function columnNames(columns: string[] | number): string[] {
    const names = typeof columns === "number" ? Array.from({ length: Math.max(0, columns) }, (_, i) => String(i)) : columns;
    return names.length === 0 ? [""] : names.length === 1 ? [names[0] === "0" ? "" : names[0]] : names;
}

// "rad, m" of many joints cannot be distinguished; "N, N m" of two columns can.
function unitOf(unit: string, index: number, width: number): string {
    const parts = unit.split(",").map((u) => u.trim());
    return parts.length === width ? parts[index] : unit;
}

export function readChannel(info: ChannelInfo): Channel {
    const names = columnNames(info.columns);
    const columns = names.map((name, index): Column => ({
        key: name === "" ? info.name : `${info.name}/${name}`,
        channel: info.name,
        index,
        unit: unitOf(info.unit, index, names.length),
        label: name === "" ? info.name : `${info.name} ${name}`,
        short: name === "" ? (info.name.split(".").pop() ?? info.name) : name,
    }));
    return { name: info.name, unit: info.unit, columns };
}

/** The line of a second robot that belongs to one of the first: its columns are channels of their own. */
export function ghostKey(column: Column): string {
    const name = column.key.slice(column.channel.length + 1);
    return `twin.${column.channel}${name === "" ? "" : `.${name}`}`;
}

/** Columns, followed by those of the second robot, if there is one. */
export function withGhosts(columns: readonly Column[], channels: Channels): Column[] {
    return [...columns, ...columns.flatMap((c) => channels.column(ghostKey(c)) ?? [])];
}

/** The line of the first robot to which this line of a second robot belongs; -1: none. */
export function ghostOf(columns: readonly Column[], i: number): number {
    return columns.findIndex((c) => ghostKey(c) === columns[i].key);
}

export class Channels {
    readonly list: Channel[];
    private readonly byName = new Map<string, Channel>();
    private readonly byKey = new Map<string, Column>();

    constructor(infos: readonly ChannelInfo[]) {
        this.list = infos.map(readChannel);
        for (const channel of this.list) {
            this.byName.set(channel.name, channel);
            for (const column of channel.columns) this.byKey.set(column.key, column);
        }
    }

    channel(name: string): Channel | undefined {
        return this.byName.get(name);
    }

    column(key: string): Column | undefined {
        return this.byKey.get(key);
    }

    /** Channels all of whose words, and of one of whose columns, are found: "foot z" finds feet.FL.force of the columns x y z. */
    find(words: string): { channel: Channel; columns: Column[] }[] {
        const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
        if (wanted.length === 0) return [];
        return this.list.flatMap((channel) => {
            const name = channel.name.toLowerCase();
            const rest = wanted.filter((w) => !name.includes(w));
            const columns = channel.columns.filter((c) => rest.every((w) => c.short.toLowerCase().includes(w) || c.unit.toLowerCase() === w));
            return columns.length > 0 ? [{ channel, columns }] : [];
        });
    }

    tree(): Branch[] {
        const root: Branch = { name: "", path: "", branches: [], channel: null, count: 0 };
        for (const channel of this.list) {
            let at = root;
            const words = channel.name.split(".");
            for (const [depth, word] of words.entries()) {
                at.count++;
                let next = at.branches.find((b) => b.name === word);
                if (!next) {
                    next = { name: word, path: words.slice(0, depth + 1).join("."), branches: [], channel: null, count: 0 };
                    at.branches.push(next);
                }
                at = next;
            }
            at.count++;
            at.channel = channel;
        }
        return root.branches.map(joined);
    }
}

// A branch with a single child and no channel is replaced by its child.
function joined(branch: Branch): Branch {
    const branches = branch.branches.map(joined);
    if (branches.length === 1 && !branch.channel) return { ...branches[0], name: `${branch.name}.${branches[0].name}` };
    return { ...branch, branches };
}
