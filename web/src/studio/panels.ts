// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The panels of the studio, in the order of their tabs.
import { batchPanel } from "./batch";
import { certificatePanel } from "./certificate";
import { commandsPanel } from "./commands";
import { editorPanel } from "./editor";
import { infoPanel } from "./info";
import type { Panel } from "./panel";
import { plotsPanel } from "./plots";
import { scenesPanel } from "./scenes";
import { scriptPanel } from "./script";
import { twinPanel } from "./twin";

export function panels(): Panel[] {
    return [scenesPanel(), commandsPanel(), editorPanel(), scriptPanel(), plotsPanel(), infoPanel(), certificatePanel(), twinPanel(), batchPanel()];
}
