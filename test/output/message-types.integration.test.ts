import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { isArray, isObject, type Json } from "../../src/common/json.js";
import { dissectors } from "../../src/index.js";
import { messageSchema } from "../../src/output/json-schema/message.js";
import { messageModule, messageTypes } from "../../src/output/json-schema/message-types.js";
import { declarations } from "../../src/reference/declarations.js";
import { uncheckedRun } from "../support/command-line.js";
import { projectPath } from "../support/project-path.js";
import { SESSIONS, sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** The types of messages that the package ships, as the compiler sees them. */

const folder = temporaryFolder();
const schema = messageSchema(declarations(dissectors));

/** What the library's type has that matters here: the whole library would be compiled each time. */
const LIBRARY = `export interface DissectedMessage { readonly name: string; readonly fields: unknown; toJSON(): unknown }
`;

beforeAll(() => {
  writeFileSync(join(folder, "messages.d.ts"), messageTypes(schema));
  writeFileSync(join(folder, "library.d.ts"), LIBRARY);
});

/** What the compiler says about a program that imports the types. */
function problemsOf(name: string, program: string): string {
  writeFileSync(join(folder, `${name}.ts`), program);
  const paths = { "moul-dissect": ["./library.d.ts"], "moul-dissect/messages": ["./messages.d.ts"] };
  const compilerOptions = { strict: true, noEmit: true, module: "nodenext", target: "es2023", types: [], paths };
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
  const compiler = projectPath("node_modules/typescript/bin/tsc");
  return spawnSync(process.execPath, [compiler, "-p", join(folder, `${name}.json`)]).stdout.toString();
}

/** The classes in a value, however deep. */
function classesIn(value: Json): string[] {
  if (isArray(value)) return value.flatMap(classesIn);
  if (!isObject(value)) return [];
  const { class: name } = value;
  return [...(typeof name === "string" ? [name] : []), ...Object.values(value).flatMap(classesIn)];
}

describe("the types of messages", () => {
  it("fit lines of every sample: one of each message, of each class and of each status", async () => {
    const seen = new Set<string>();
    const chosen: string[] = [];
    for (const capture of SESSIONS) {
      const { stdout } = await uncheckedRun([sample(capture), "--json", "--two-pass", "-q"]);
      for (const line of stdout.trimEnd().split("\n")) {
        const json: Json = JSON.parse(line);
        if (!isObject(json)) continue;
        const { message, status, fields = null } = json;
        const marks = [`${String(message)} ${String(status)}`, ...classesIn(fields)];
        if (marks.every((mark) => seen.has(mark))) continue;
        for (const mark of marks) seen.add(mark);
        // Messages that are not declared have no type.
        if (Object.hasOwn(NAMES, String(message))) chosen.push(line);
      }
    }
    expect(chosen.length).toBeGreaterThan(150);
    const constants = chosen.map((line, index) => `export const line${index}: MessageLine = ${line};`);
    const program = `import type { MessageLine } from "moul-dissect/messages";\n${constants.join("\n")}\n`;
    expect(problemsOf("lines", program)).toBe("");
  }, 60_000);

  it("tell fields by the name of the message, and of the class", () => {
    const program = `
import { isKnown, type KnownMessage, type MessageLine } from "moul-dissect/messages";
import type { DissectedMessage } from "moul-dissect";
export function chatIn(line: MessageLine): string | undefined {
  if (line.message !== "Game2Cli_PropagateBuffer" || line.fields.buffer?.class !== "plNetMsgGameMessage") return undefined;
  const data = line.fields.buffer.stream?.data;
  // @ts-expect-error not every class has it
  data?.messageText;
  return data?.class === "pfKIMsg" ? data.messageText : undefined;
}
export function playerIn(message: DissectedMessage): number | undefined {
  if (!isKnown(message) || message.name !== "Cli2Game_JoinAgeRequest") return undefined;
  // @ts-expect-error there is no such field
  message.fields.playerId;
  return message.fields.playerVaultNodeId;
}
// @ts-expect-error there is no such message
export const isNothing = (message: KnownMessage) => message.name === "Cli2Auth_Nothing";
export function failed(line: MessageLine): boolean {
  // @ts-expect-error there is no such result
  if (line.message === "Auth2Cli_AcctLoginReply" && line.fields.result === "kNetSucces") return true;
  return line.message === "Auth2Cli_AcctLoginReply" && line.fields.result === "kNetErrAccountBanned";
}
`;
    expect(problemsOf("program", program)).toBe("");
  });

  it("have the docs of the declarations", () => {
    const text = messageTypes(schema);
    expect(text).toContain("  /** Who can hear it. */\n  readonly receiverKiNumbers?: readonly (number | null)[];");
  });

  it("have a type for each definition and message of the JSON Schema", () => {
    const text = messageTypes(schema);
    const { $defs } = schema;
    expect(text.match(/^export type \w+ =/gm)?.length).toBe(Object.keys(isObject($defs) ? $defs : {}).length + 4);
    for (const name of Object.keys(NAMES)) expect(text).toMatch(new RegExp(`^ {2}readonly ${name}: `, "m"));
  });
});

/** The names that `isKnown` takes, and those of ranges. */
const NAMES: Readonly<Record<string, true>> = Object.fromEntries(
  [...messageModule(schema).matchAll(/"(\w+)"/g)].map(([, name = ""]) => [name, true] as const),
);
