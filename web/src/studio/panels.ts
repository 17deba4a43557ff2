// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The panels of the studio, in the order of their tabs.
import { infoPanel } from "./info";
import type { Panel } from "./panel";
import { scenesPanel } from "./scenes";

export function panels(): Panel[] {
    return [scenesPanel(), infoPanel()];
}
