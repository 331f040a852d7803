import { readdirSync, readFileSync } from "node:fs";
import { join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { classNames } from "../../dissectors/moul/classIndices.js";
import { plCreatable, proEventData } from "../../dissectors/moul/creatables.js";
import { ConnectionType } from "../../dissectors/moul/messages/connectPacket.js";
import { auth, csr, file, game, gatekeeper } from "../../dissectors/moul/messages/index.js";
import type { MessageTable } from "../../dissectors/moul/messages/messageTable.js";
import { csrNet } from "../../dissectors/moul/messages/simpleNet/simpleNet.js";
import { types } from "../../dissectors/moul/types.js";
import { struct } from "../../src/schema/index.js";
import {
  abstractClasses,
  connectionTypes,
  messageClasses,
  sentClasses,
  statedClasses,
  statedMessages,
  unsentClasses,
} from "./sources.js";

const DISSECTOR = fileURLToPath(new URL("../../dissectors/moul", import.meta.url));
const VECTORS = fileURLToPath(new URL("../vectors", import.meta.url));
const BYTE_TESTS = fileURLToPath(new URL("../dissectors/moul", import.meta.url));
const FIRST_UNKEYED = 0x0200;
/** Helper structs that have a number but travel without their class index, as part of other messages. */
const EMBEDDED: ReadonlySet<string> = new Set([
  "plClientGuid",
  "plCreatableListHelper",
  "plNetMsgStreamHelper",
  "plNetMsgMemberInfoHelper",
]);

/** Messages declared under the name that the logs of the recorded sessions use. */
const RENAMED: ReadonlyMap<string, string> = new Map([["Cli2Auth_AccountExistsRequest", "Cli2Auth_AcctExistsRequest"]]);

const servers = [gatekeeper, auth, file, game, csr];
const tables: readonly MessageTable[] = [...servers.flatMap(({ c2s, s2c }) => [c2s, s2c]), csrNet];

/** The text of all files in a folder. */
function textIn(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8")).join("\n");
}

const vectors = textIn(VECTORS);
const byteTests = textIn(BYTE_TESTS);

/** What the layout of a declared class is held against; undefined if it is held against nothing. */
function heldAgainst(name: string): "values of another implementation" | "bytes in a test" | undefined {
  const quoted = new RegExp(`"${name}\\b`);
  if (quoted.test(vectors)) return "values of another implementation";
  return quoted.test(byteTests) ? "bytes in a test" : undefined;
}

/** "declared", with what it is held against, or the reason why a class is not. */
function classState(index: number, name: string): string {
  if (plCreatable.get(index) !== undefined) return `declared; held against ${heldAgainst(name) ?? "nothing"}`;
  if (abstractClasses.has(name)) return "abstract: its fields are part of the classes derived from it";
  if (EMBEDDED.has(name)) return "declared: embedded in other messages, without its class index";
  if (unsentClasses.has(name)) {
    return "nothing sends it: its fields are public, but the code that reads and writes them is commented out";
  }
  if (index < FIRST_UNKEYED) return "keyed object: messages refer to it by its key, none carries it";
  if (messageClasses.has(name)) return "plMessage that stays in the client: no sender sets its net-propagate flag";
  return "nothing in the protocol carries it";
}

/** "declared", or the reason why a message is not. */
function messageState(name: string, type: number): string {
  const ownName = RENAMED.get(name) ?? name;
  const table = tables.find((candidate) => candidate.nameOf(type) === ownName);
  if (table?.get(type) !== undefined) return ownName === name ? "declared" : `declared as ${ownName}`;
  return table?.undeclared(type)?.reason ?? "MISSING";
}

/** What is declared of connections of a type. */
function connectionState(name: string, type: number): string {
  if (type === ConnectionType.Nil) return "no connection has it";
  if (type === ConnectionType.SimpleNet) return "declared, but for the channel Max, whose messages are not public";
  const protocol = servers.find(({ connect }) => connect.struct.tag === type)?.protocol;
  if (protocol !== undefined) return `declared: ${protocol}`;
  return name.startsWith("SrvTo") ? "between servers: not public" : "not public";
}

const hexIndex = (index: number) => `0x${index.toString(16).padStart(4, "0")}`;

function coverageTable(): string {
  const classes = [...classNames].sort(([a], [b]) => a - b);
  const declared = classes.filter(([index, name]) => classState(index, name).startsWith("declared"));
  const messages = [...statedMessages];
  const known = messages.filter(([name, type]) => messageState(name, type).startsWith("declared"));
  return [
    "# Coverage of the protocol",
    "",
    "Made by `protocol-coverage.test.ts` from the declarations; `npm run golden` rewrites it.",
    "",
    "## Connections",
    "",
    "| connection type | number | state |",
    "|---|---|---|",
    ...[...connectionTypes].map(([name, type]) => `| ${name} | ${type} | ${connectionState(name, type)} |`),
    "",
    `## Messages: ${known.length} of ${messages.length} declared`,
    "",
    "| message | type | state |",
    "|---|---|---|",
    ...messages.map(([name, type]) => `| ${name} | ${type} | ${messageState(name, type)} |`),
    "",
    `## Classes: ${declared.length} of ${classes.length} declared`,
    "",
    "| class | index | state |",
    "|---|---|---|",
    ...classes.map(([index, name]) => `| ${name} | ${hexIndex(index)} | ${classState(index, name)} |`),
    "",
  ].join("\n");
}

describe("coverage", () => {
  it("has every class numbered in the specification, under its index", () => {
    const wrong: string[] = [];
    for (const [name, index] of statedClasses) {
      if (classNames.get(index) !== name) wrong.push(`${index} is ${classNames.get(index)}, not ${name}`);
      const declared = plCreatable.get(index);
      if (declared === undefined && !abstractClasses.has(name)) wrong.push(`${name} is not declared`);
      if (declared !== undefined && declared.name !== name) wrong.push(`${index} is declared as ${declared.name}`);
    }
    expect(wrong).toEqual([]);
    expect(statedClasses.size).toBeGreaterThan(80);
  });

  it("declares classes under the index that the engine assigns to their names", () => {
    const unnamed = [...plCreatable.classes()].filter(({ name, tag }) => classNames.get(tag ?? -1) !== name);
    const shown = unnamed.map(({ name, tag }) => `${name} ${hexIndex(tag ?? -1)}`);
    expect(shown, "to be named in dissectors/moul/classIndices.ts, with these indices").toEqual([]);
  });

  it("refuses a class under the index of another", () => {
    const text = "plMorphDelta has the tag 1 (0x0001), but is 1111 (0x0457) in plCreatable";
    expect(() => plCreatable.register(struct("plMorphDelta", {}, { tag: 1 }))).toThrow(text);
  });

  it("has every class that has a file of its own", () => {
    const files = readdirSync(DISSECTOR, { recursive: true, encoding: "utf8" }).map((file) => parse(file).name);
    const names = new Set(classNames.values());
    const own = files.filter((name) => names.has(name) && !abstractClasses.has(name) && !EMBEDDED.has(name));
    const unregistered = own.filter((name) => plCreatable.named(name) === undefined);
    expect(unregistered, "to be exported from dissectors/moul/classes.ts").toEqual([]);
    const events = files.filter((name) => /^pro\w+EventData$/.test(name));
    expect(events.filter((name) => proEventData.named(name) === undefined)).toEqual([]);
    expect(own.length + events.length).toBeGreaterThan(100);
  });

  it("holds the layout of every class against values of another implementation, or against bytes", () => {
    const declared = [...plCreatable.classes(), ...proEventData.classes()].map(({ name }) => name);
    const missing = declared.filter((name) => heldAgainst(name) === undefined);
    expect(missing, "to occur in test/vectors or, with its name, in a test below test/dissectors/moul").toEqual([]);
  });

  it("has every message that a client sends to others", () => {
    const declared = new Set([...plCreatable.classes()].map(({ name }) => name));
    const missing = [...sentClasses].filter((name) => !declared.has(name));
    expect(missing, "to be declared, or not to be listed as sent in sources.ts").toEqual([]);
    const both = [...unsentClasses].filter((name) => declared.has(name));
    expect(both, "declared, and listed as never sent in sources.ts").toEqual([]);
  });

  it("numbers connection types as the sources do", () => {
    expect(new Map(Object.entries(ConnectionType))).toEqual(connectionTypes);
  });

  it("has every message numbered in the sources, declared or with the reason why not", () => {
    const missing = [...statedMessages].filter(([name, type]) => messageState(name, type) === "MISSING");
    expect(missing, "to be declared, or to be given a reason with `undeclared`").toEqual([]);
  });

  it("has no message without a number in the sources", () => {
    const stated = new Set([...statedMessages.keys()].map((name) => RENAMED.get(name) ?? name));
    const own = tables.flatMap((table) => [...table.messages()].map(({ struct }) => struct.name));
    const unstated = own.filter((name) => !stated.has(name));
    expect(unstated, "to be named, with their numbers, in statedMessages of sources.ts").toEqual([]);
  });

  it("makes every declared class available to decode", () => {
    for (const { name } of plCreatable.classes()) expect(types.has(name), name).toBe(true);
  });

  it("is documented", async () => {
    await expect(coverageTable()).toMatchFileSnapshot("COVERAGE.md");
  });
});
