// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from "vitest/config";

// Software rendering on a busy machine takes its time: the limits are for hangs. Three files at a time, on two cores too: much of a test is waiting.
export default defineConfig({ test: { include: ["e2e/**/*.e2e.ts"], testTimeout: 300_000, hookTimeout: 300_000, maxWorkers: 3, minWorkers: 1 } });
