import { describe, expect, it } from "vitest";
import { auth, file, game, gatekeeper, type ServerMessages } from "../../../../dissectors/moul/messages/index.js";
import { Decoder } from "../../../../src/schema/decode/decode.js";
import { Extent } from "../../../../src/schema/decode/window.js";
import type { StructType } from "../../../../src/schema/index.js";
import type { FieldTree } from "../../../../src/schema/language/field-tree.js";
import { childrenOf } from "../../../support/check.js";
import { expectSame } from "../../../support/same.js";
import { recordsOf } from "../../../support/truth.js";
import { decode, wire } from "./decoding.js";

/** A message as understood by the client that took part in the recorded session. */
interface Truth {
  readonly rec: string;
  readonly i: number;
  readonly server: string;
  readonly dir: "c2s" | "s2c";
  readonly size: number;
  readonly type: number;
  readonly name?: string;
  readonly wire?: string;
  readonly fields?: readonly (number | string | { readonly hex: string })[];
  readonly vault?: Readonly<Record<string, number | string>>;
}

const servers: Readonly<Record<string, ServerMessages>> = { gate: gatekeeper, auth, file, game };

function messagesOf(name: string): (Truth & { readonly wire: string })[] {
  return recordsOf<Truth>(name)
    .filter((record) => record.rec === "msg" && !record.name?.endsWith("PropagateBuffer"))
    .flatMap((record) => (record.wire === undefined ? [] : [{ ...record, wire: record.wire }]));
}

function declarationOf({ server, dir, type, name }: Truth): StructType<unknown> {
  const declared = servers[server]?.[dir].get(type);
  if (declared === undefined) throw new Error(`${name ?? type} of ${server} is not declared`);
  if (name !== undefined && declared.struct.name !== name)
    throw new Error(`${name} is declared as ${declared.struct.name}`);
  return declared;
}

/** The places where the decoded message contradicts the values that the client saw. */
function contradictions(nodes: FieldTree, fields: NonNullable<Truth["fields"]>): string[] {
  const [, ...members] = childrenOf(nodes, 0);
  const found = members.filter((node) => nodes.endOf(node) > nodes.startOf(node));
  const wrong: string[] = [];
  for (const field of fields) {
    if (typeof field === "object") {
      let bytes = "";
      while (bytes.length < field.hex.length) bytes += hex(nodes.bytes(found.shift() ?? -1));
      if (bytes !== field.hex) wrong.push(`${bytes} is ${field.hex}`);
      continue;
    }
    const node = found.shift() ?? -1;
    const value = typeof field === "number" ? nodes.number(node) >>> 0 : nodes.value(node);
    if (value !== field) wrong.push(`${nodes.path(node)} is ${String(value)}, not ${field}`);
  }
  for (const node of found) wrong.push(`${nodes.path(node)} is too much`);
  return wrong;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

/** Only SDL descriptors give the layout of records in vault nodes, and none are supplied here. */
const NO_DESCRIPTOR = /^SDL descriptor \w+ version \d+ was not supplied/;

/** The values of a message's vault node, under the client library's names. */
function vaultNode(nodes: FieldTree): Record<string, unknown> {
  const root = childrenOf(nodes, 0).find((node) => nodes.field(node).struct?.name === "NetVaultNode");
  const values: Record<string, unknown> = {};
  for (const node of root === undefined ? [] : childrenOf(nodes, root)) {
    const { name } = nodes.field(node);
    const value = nodes.value(node);
    if (name === "fieldFlags") values["mask"] = Number(value);
    else if (nodes.child(node, "sdlBlob") >= 0) values[`${name}_hex`] = hex(nodes.bytes(nodes.child(node, "sdlBlob")));
    else if (value instanceof Uint8Array) values[`${name}_hex`] = hex(value);
    else values[name.replace(/^iString/, "istring").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] = value;
  }
  return values;
}

describe.each(["nagus-plain", "nagus-session", "dirtsand-plain", "dirtsand-session"])("%s", (name) => {
  const messages = messagesOf(name);

  it("reads every message to its last byte as the client did, and writes it back unchanged", () => {
    const wrong: string[] = [];
    for (const truth of messages) {
      const { nodes, consumed, notes } = decode(declarationOf(truth), wire(truth.wire));
      const problems = notes.filter((note) => !NO_DESCRIPTOR.test(note));
      if (nodes.outcome !== (notes.length === 0 ? "ok" : "unknown")) problems.push(nodes.outcome);
      if (consumed !== truth.size) problems.push(`${consumed} of ${truth.size} bytes`);
      if (truth.fields !== undefined) problems.push(...contradictions(nodes, truth.fields));
      if (problems.length > 0) wrong.push(`${truth.i} ${truth.name ?? truth.type}: ${problems.join("; ")}`);
    }
    expect(wrong).toEqual([]);
    expect(messages.length).toBeGreaterThan(300);
  });

  it("reads the vault nodes in them as the client did", () => {
    const withNode = messages.filter((truth) => truth.vault !== undefined);
    for (const truth of withNode) {
      const { nodes } = decode(declarationOf(truth), wire(truth.wire));
      expect(vaultNode(nodes)).toEqual(truth.vault);
    }
    expect(withNode.length).toBeGreaterThan(60);
  });

  it("asks for more bytes until a message is complete, and for none after it", () => {
    const decoder = new Decoder();
    for (const truth of messages) {
      const bytes = Buffer.concat([wire(truth.wire), Buffer.alloc(16, 0xff)]);
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      let end = 1;
      for (let whole = false; !whole; ) {
        whole = decoder.decode(declarationOf(truth), { bytes, view, start: 0, end }, Extent.Open);
        if (!whole) {
          expectSame(decoder.needed > end, true);
          end = decoder.needed;
        }
      }
      expect(end).toBe(truth.size);
      expect(decoder.consumed).toBe(truth.size);
    }
  });
});
