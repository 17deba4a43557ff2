// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Made from src/bus/link/telegram.ts.in by scripts/telegram: change that.
//
// Telegrams between a robot and its controller: docs/link.md describes every byte.

/** What a telegram is for. */
export const TelegramType = {
  /** the controller requests the interface of the robot; no payload */
  HELLO: 1,
  /** the robot's answer: period, clock, names and units of the items of both frames */
  INTERFACE: 2,
  /** the robot's sensors */
  SENSORS: 3,
  /** the controller's answer to the sensors whose counter it carries, and its signals */
  REFERENCES: 4,
  /** the sender ends; the payload says why, as UTF-8; the controller answers it by its own */
  BYE: 5,
} as const;

export interface TelegramHead {
  /** `FFLK` */
  magic: ReturnType<DataView["getUint32"]>;
  /** 1 */
  version: ReturnType<DataView["getUint16"]>;
  /** what it is for, above */
  type: ReturnType<DataView["getUint16"]>;
  /** of the whole telegram, head and checksum included */
  length: ReturnType<DataView["getUint32"]>;
  /** number of the sender's telegrams, sent again or not */
  sequence: ReturnType<DataView["getUint32"]>;
  /** working counter: the robot counts its cycles, an answer copies it */
  counter: ReturnType<DataView["getUint32"]>;
  /** of items: 0, or 1 for the short form; an answer copies it */
  form: ReturnType<DataView["getUint32"]>;
  /** hash of names and units of both frames; 0 in `HELLO` of one that does not know it */
  interface: ReturnType<DataView["getBigUint64"]>;
  /** of the robot's clock at the cycle */
  time: ReturnType<DataView["getFloat64"]>;
  /** the sender's own clock, to measure round trips; an answer copies that of the robot */
  sent: ReturnType<DataView["getBigInt64"]>;
}

export interface Items {
  sequence: number;
  conditions: number;
  /** Of the frame [ns]. */
  time: bigint;
  /** null: no value. */
  values: (number | null)[];
  /** How long before the time of the frame each was sampled [ns]. */
  ages: number[];
  signals: number[];
}

const MAGIC = 0x4b4c4646;
const HEAD_SIZE = 48;

/** CRC-32 of IEEE 802.3. */
function sum(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return ~crc >>> 0;
}

/** Head and payload of a telegram; an Error where it is damaged. */
export function unseal(bytes: Uint8Array): { head: TelegramHead; payload: Uint8Array } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEAD_SIZE + 4) throw new Error("too short for a telegram");
  const head: TelegramHead = {
    magic: view.getUint32(0, true),
    version: view.getUint16(4, true),
    type: view.getUint16(6, true),
    length: view.getUint32(8, true),
    sequence: view.getUint32(12, true),
    counter: view.getUint32(16, true),
    form: view.getUint32(20, true),
    interface: view.getBigUint64(24, true),
    time: view.getFloat64(32, true),
    sent: view.getBigInt64(40, true),
  };
  if (head.magic !== MAGIC || head.version !== 1 || head.length !== bytes.length)
    throw new Error("no telegram of this version");
  if (sum(bytes.subarray(0, -4)) !== view.getUint32(bytes.length - 4, true))
    throw new Error("wrong checksum");
  return { head, payload: bytes.subarray(HEAD_SIZE, -4) };
}

const up = (n: number): number => Math.ceil(n / 8) * 8;

export function unpackItems(payload: Uint8Array): Items {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  const head = {
    count: view.getUint32(0, true),
    signals: view.getUint32(4, true),
    sequence: view.getUint32(8, true),
    conditions: view.getUint32(12, true),
    time: view.getBigInt64(16, true),
  };
  const bits = 24;
  const ages = bits + up(Math.ceil(head.count / 8));
  const values = ages + up(4 * head.count);
  const numbers = (n: number, from: number): number[] =>
    Array.from({ length: n }, (_, i) => view.getFloat64(from + 8 * i, true));
  return {
    sequence: head.sequence,
    conditions: head.conditions,
    time: head.time,
    values: numbers(head.count, values).map((value, i) =>
      (view.getUint8(bits + Math.floor(i / 8)) >> i % 8) & 1 ? value : null,
    ),
    ages: Array.from({ length: head.count }, (_, i) => view.getUint32(ages + 4 * i, true)),
    signals: numbers(head.signals, values + 8 * head.count),
  };
}

/** The values of the short form (form 1 of the head) of a frame of `count` items; null: no value. */
export function unpackShort(payload: Uint8Array, count: number): (number | null)[] {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  let at = Math.ceil(count / 8);
  return Array.from({ length: count }, (_, i) => {
    if (!((view.getUint8(Math.floor(i / 8)) >> i % 8) & 1)) return null;
    at += 4;
    return view.getFloat32(at - 4, true);
  });
}
