// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The codec of telegrams on one that the library has packed.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { TelegramType, unpackItems, unpackShort, unseal } from "../src/core/telegram";

const digits = readFileSync(new URL("../../tests/bus/link/sample.hex", import.meta.url), "utf8").replace(/\s/g, "");
const sample = Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));

it("reads what the library has packed", () => {
  const { head, payload } = unseal(sample);
  expect(head).toMatchObject({ type: TelegramType.REFERENCES, sequence: 40, counter: 0xffffffff, time: 1.5 });
  expect(head.interface).toBe(0x8000000000000001n);
  expect(head.sent).toBe(-7n);
  expect(unpackItems(payload)).toEqual({
    sequence: 12,
    conditions: 6,
    time: 1500000000n,
    values: [0.125, null, -3],
    ages: [500000, 0, 0],
    signals: [-0.5, 1e300],
  });
});

it("reads the short form", () => {
  // 0.125 and -3 as IEEE 754 has them
  const short = Uint8Array.from([0x05, 0, 0, 0, 0x3e, 0, 0, 0x40, 0xc0]);
  expect(unpackShort(short, 3)).toEqual([0.125, null, -3]);
});

it("refuses every damaged byte", () => {
  for (let i = 0; i < sample.length; i++) {
    const bad = sample.slice();
    bad[i] ^= 4;
    expect(() => unseal(bad)).toThrow();
  }
});
