// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The report page: reads the run that the document holds and builds the sections in its body. Errors are shown on the page.
import "uplot/dist/uPlot.min.css";
import "../style/base.css";
import "../style/report.css";
import { DocumentError, readRun } from "../core/document";
import { h } from "../view/dom";
import { startTheme } from "../view/theme";
import { buildReport } from "./report";

function start(): void {
    startTheme();
    const data = document.getElementById("footfall-run");
    const root = document.getElementById("app") ?? document.body.appendChild(h("div", { id: "app" }));
    try {
        if (!data) throw new DocumentError("this page holds no run: the element footfall-run is missing");
        buildReport(readRun(data.textContent ?? ""), root);
        data.textContent = ""; // the text is decoded and no longer needed
    } catch (e) {
        const text = e instanceof Error ? e.message : String(e);
        root.replaceChildren(
            h("main", { class: "fatal" }, h("h1", {}, "This report cannot be shown"), h("p", {}, text), h("p", {}, "Make it again with ", h("code", {}, "footfall report RUN -o report.html"), ".")),
        );
        if (!(e instanceof DocumentError)) throw e;
    }
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
