// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
import js from "@eslint/js";
import { fileURLToPath } from "node:url";
import ts from "typescript-eslint";

const here = fileURLToPath(new URL(".", import.meta.url)); // import.meta.dirname needs Node 20

export default ts.config(
    { ignores: ["dist/", "node_modules/"] },
    js.configs.recommended,
    {
        files: ["src/**/*.ts", "test/**/*.ts", "e2e/**/*.ts"],
        extends: [...ts.configs.recommendedTypeChecked],
        languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: here } },
        rules: {
            eqeqeq: "error",
            "no-console": "error",
            "@typescript-eslint/explicit-function-return-type": ["error", { allowExpressions: true }],
        },
    },
    {
        files: ["**/*.mjs"],
        languageOptions: { globals: { process: "readonly", console: "readonly", URL: "readonly", Buffer: "readonly", setInterval: "readonly", localStorage: "readonly", footfallStudio: "readonly" } },
    },
);
