// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// node tools/check.mjs: types (tsconfig.json) and lint (eslint.config.mjs) of all sources, as `tsc` and `eslint .` have them. Many rules ask for types: here
// they ask the program that was just checked, where two tools would parse and check all files twice, 11 s of processor more.
// Prints what is wrong; exit 0: nothing, 1: types, 2: lint, 3: both.
import { ESLint } from "eslint";
import ts from "typescript";

const names = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => process.cwd(), getNewLine: () => "\n" };

function refuse(diagnostic) {
    throw new Error(ts.formatDiagnostic(diagnostic, names));
}

const { fileNames, options, errors } = ts.getParsedCommandLineOfConfigFile("tsconfig.json", undefined, { ...ts.sys, onUnRecoverableConfigFileDiagnostic: refuse });
errors.forEach(refuse);
const program = ts.createProgram(fileNames, options, ts.createCompilerHost(options, true)); // true: with the parents of nodes, which rules look at
const wrongTypes = ts.getPreEmitDiagnostics(program);
process.stdout.write(ts.formatDiagnostics(wrongTypes, names));

const typed = { files: ["**/*.ts"], languageOptions: { parserOptions: { projectService: false, programs: [program] } } };
const linter = new ESLint({ overrideConfig: typed });
const results = await linter.lintFiles(["."]);
process.stdout.write(await (await linter.loadFormatter("stylish")).format(results));
const wrongLint = results.some((file) => file.errorCount > 0);

process.exitCode = (wrongTypes.length > 0 ? 1 : 0) + (wrongLint ? 2 : 0);
