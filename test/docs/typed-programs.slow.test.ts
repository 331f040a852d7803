import { spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { dissectors } from "../../src/index.js";
import { messageSchema } from "../../src/output/json-schema/message.js";
import { messageTypes } from "../../src/output/json-schema/message-types.js";
import { declarations } from "../../src/reference/declarations.js";
import { run } from "../support/command-line.js";
import { projectPath } from "../support/project-path.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { programs } from "./library-programs.js";
import { page } from "./pages.js";

/** The types of a package that has none. */
const UNTYPED = projectPath("src/capture/pcap-parser.d.ts");

/** What the compiler says about programs, by the names of their files, as a user of the package compiles them. */
function problemsOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  symlinkSync(projectPath("node_modules"), join(folder, "node_modules"), "junction");
  writeFileSync(join(folder, "messages.d.ts"), messageTypes(messageSchema(declarations(dissectors))));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    exactOptionalPropertyTypes: true,
    module: "nodenext",
    target: "es2023",
    types: ["node"],
    paths: {
      "moul-dissect": [projectPath("src/index.ts")],
      "moul-dissect/dissector": [projectPath("src/dissector/dissector.ts")],
      "moul-dissect/schema": [projectPath("src/schema/index.ts")],
      "moul-dissect/schema/*": [projectPath("src/schema/words/*.ts")],
      "moul-dissect/messages": ["./messages.d.ts"],
    },
  };
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: [...Object.keys(files), UNTYPED] }),
  );
  const compiler = projectPath("node_modules/typescript/bin/tsc");
  return spawnSync(process.execPath, [compiler, "-p", folder]).stdout.toString();
}

it("the programs on the pages compile as TypeScript", () => {
  const scripts = programs.filter(([, name = ""]) => name.endsWith(".js"));
  const ofLibrary = scripts.map(([, name = "", program = ""]) => [name.replace(".js", ".ts"), program] as const);
  const snippets = [...page("docs/json.md").text.matchAll(/```ts\n(.*?)```/gs)];
  const ofJson = snippets.map(([, program = ""], index) => [`json-${index}.ts`, program] as const);
  expect([ofLibrary.length > 8, ofJson.length]).toEqual([true, 2]);
  expect(problemsOf(Object.fromEntries([...ofLibrary, ...ofJson]))).toBe("");
}, 60_000);

it("the types of toJSON and toTree are those of what is printed", async () => {
  const capture = sample("nagus-session.pcap");
  const lines = async (...args: readonly string[]) => {
    const { stdout } = await run([...args, "-q"]);
    return stdout.trimEnd().split("\n");
  };
  const shown: readonly (readonly [string, readonly string[]])[] = [
    ["MessageJson", await lines(capture, "--json", "--two-pass")],
    ["MessageTree", await lines(capture, "--format", "json-tree", "-c", "40")],
    ["ValueJson", await lines("decode", "plLocation", "070000000000", "--json")],
    ["ValueTree", await lines("decode", "plLocation", "070000000000", "--format", "json-tree")],
  ];
  const constants = shown.flatMap(([type, all]) => [`export const of${type}: ${type}[] = [`, `${all.join(",\n")}];`]);
  const program = [
    'import type { DecodedValue, DissectedMessage, MessageJson, MessageTree, ValueJson, ValueTree } from "moul-dissect";',
    'import type { MessageLine } from "moul-dissect/messages";',
    "export const wider = (line: MessageLine): MessageJson => line;",
    "export const typesOf = (message: DissectedMessage): [MessageJson, MessageTree] => [message.toJSON(), message.toTree()];",
    "export const typesOfValue = (value: DecodedValue): [ValueJson, ValueTree] => [value.toJSON(), value.toTree()];",
    ...constants,
  ];
  expect(problemsOf({ "lines.ts": program.join("\n") })).toBe("");
}, 60_000);
