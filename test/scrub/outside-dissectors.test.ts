import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflate } from "pako";
import { describe, expect, it } from "vitest";
import { rawPcapFile } from "../support/captures.js";
import { jsonLines, run } from "../support/command-line.js";
import { clientCapture, outsideDissector } from "../support/outside.js";
import { TcpTalk } from "../support/packets.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();

/** What `scrub` makes of a capture: its bytes, its remarks, and the messages in it as JSON. */
async function scrubbed(capture: string, dissector: string, ...options: readonly string[]) {
  const path = join(folder, "scrubbed.pcapng");
  const args = ["--dissector", dissector];
  rmSync(path, { force: true });
  const { code, stderr } = await run(["scrub", capture, ...args, ...options, "--seed", "a", "-o", path, "--force"]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  // Where nothing can be shared, no file is written.
  if (!existsSync(path)) return { stderr, bytes: Buffer.alloc(0), messages: [] };
  const { stdout } = await run([path, "--json", ...args]);
  return { stderr, bytes: readFileSync(path), messages: jsonLines(stdout) };
}

/** A message in pieces of six bytes: the search would not find a single piece, which is incomplete. */
describe("a message assembled from several others", () => {
  const pieces = outsideDissector(
    folder,
    "pieces",
    `const Piece = struct("Piece", { data: bytes(6) });
    const Letter = struct("Letter", { number: u8, nameLength: u8, name: text("nameLength").sensitive("player-name"), more: bytes(rest) });
    const Greeting = struct("Greeting", { kind: u8, word: text(3).sensitive("chat") });
    const types = { Piece, Letter, Greeting };`,
    `parts: [], bytes: [],
      next: (direction, { bytes, start }) => ({ step: "message", type: bytes[start] === 0x68 ? Greeting : Piece }),
      decoded(direction, type, nodes, place) {
        if (type !== Piece) return;
        this.parts.push(place);
        this.bytes.push(...nodes.bytes(0));
      },
      assembled() {
        if (this.parts.length < 3) return undefined;
        return { type: Letter, bytes: Uint8Array.from(this.bytes.splice(0)), parts: this.parts.splice(0) };
      },`,
  );
  const letter = (name: string) => {
    const whole = Buffer.concat([Uint8Array.of(1, name.length), Buffer.from(name), Buffer.alloc(16 - name.length)]);
    return clientCapture(folder, "letter", [
      Buffer.from("hail"),
      ...[0, 6, 12].map((at) => whole.subarray(at, at + 6)),
    ]);
  };

  it("is left out with its conversation if it reveals something", async () => {
    const { stderr, bytes } = await scrubbed(letter("SecretPlace"), pieces);
    expect(stderr).toContain("1 conversation left out: sensitive data is spread over several messages");
    expect(bytes.includes("Secr")).toBe(false);
  });

  it.each([
    ["reveals nothing", "", []],
    ["reveals only what is kept", "SecretPlace", ["--keep", "player-name"]],
  ])("is written if it %s", async (_, name, options) => {
    const { stderr, messages } = await scrubbed(letter(name), pieces, ...options);
    expect(stderr).not.toContain("left out");
    expect(messages.map(({ message }) => message)).toEqual(["Greeting", "Piece", "Piece", "Piece", "Letter"]);
  });
});

describe("a message whose length is in its head", () => {
  it("is left out if its length would change", async () => {
    const dissector = outsideDissector(
      folder,
      "told",
      `const Note = struct("Note", { who: text(8).sensitive("player-name"), words: text(rest) });
      const note = within("packed", Note, { when: flag("packed", 0xffff), literal: 0, inflatedLength: "inflated" });
      const Letter = struct("Letter", { length: u16, inflated: u16, packed: u16, note });
      const types = { Letter };`,
      `lost: () => true,
      next(direction, { view, start, end }) {
        if (end - start < 2) return { step: "more", bytes: 2 };
        return { step: "message", type: Letter, length: view.getUint16(start, true) };
      },`,
    );
    // Recompressed data has a different length.
    const packed = deflate(Buffer.from("A".repeat(40)));
    const letter = Buffer.concat([new Uint8Array(Uint16Array.of(6 + packed.length, 40, packed.length).buffer), packed]);
    const { messages, stderr } = await scrubbed(clientCapture(folder, "letters", [letter, letter]), dissector);
    expect(messages.map(({ message }) => message)).toEqual(["gap"]);
    expect(stderr).toContain("of messages that are incomplete or cannot be rewritten: left out");
  });

  it("keeps the lengths of texts", async () => {
    const dissector = outsideDissector(
      folder,
      "addressed",
      `const word = coded("word", {
        measure: (view, start, limit) => (start < limit ? 1 + view.getUint8(start) : -1),
        read: (bytes, start, end) => String.fromCharCode(...bytes.subarray(start + 1, end)),
        write: (word) => Uint8Array.from([word.length, ...Buffer.from(word)]),
      });
      const Letter = struct("Letter", { length: u16, to: word.sensitive("ip-address"), more: text(rest) });
      const types = { Letter };`,
      "next: (direction, { view, start }) => ({ step: 'message', type: Letter, length: view.getUint16(start, true) }),",
    );
    const to = "123.123.123.123";
    const letter = Buffer.concat([Uint8Array.of(4 + to.length, 0, to.length), Buffer.from(`${to}!`)]);
    const { messages } = await scrubbed(clientCapture(folder, "addressed", [letter, letter]), dissector);
    expect(messages.map(({ fields }) => fields.more)).toEqual(["!", "!"]);
    expect(messages[0].fields.to).toHaveLength(to.length);
    expect(messages[0].fields.to).not.toBe(to);
  });
});

describe("half of a key exchange", () => {
  const hello = Buffer.concat([Uint8Array.of(1, 1, 2, 3, 4, 5, 6, 7, 8), Buffer.from("psst")]);

  it("keeps its length if its own bytes give that", async () => {
    const dissector = outsideDissector(
      folder,
      "counted",
      `const counted = coded("counted", {
        measure: (view, start, limit) => (start < limit ? 1 + view.getUint8(start) : -1),
        read: (bytes, start, end) => bytes.subarray(start + 1, end),
        write: (bytes) => Uint8Array.from([bytes.length, ...bytes]),
      });
      const Hello = struct("Hello", { nonce: counted.sensitive("key-exchange"), more: text(rest).sensitive("chat") });
      const types = { Hello };`,
      `next: () => ({ step: "message", type: Hello }),`,
    );
    const counted = Uint8Array.of(4, 250, 251, 252, 253, 65, 65, 65, 65);
    const { messages } = await scrubbed(clientCapture(folder, "counted", [counted]), dissector);
    expect(messages.map(({ fields }) => fields.nonce)).toEqual([expect.stringMatching(/^(?!fafbfcfd)[0-9a-f]{8}$/)]);
  });

  it.each([
    ["whose length is fixed", "bytes(8)", "", "0000000000000000"],
    ["that is a number", "u32", "", "0"],
    ["in a message whose length is told", "bytes(eight)", ", length: 13", "0000000000000000"],
  ])("%s becomes zeros", async (name, type, told, nonce) => {
    const dissector = outsideDissector(
      folder,
      name.replaceAll(" ", ""),
      `const eight = { field: "one", times: 8 };
      const Hello = struct("Hello", { one: u8, nonce: ${type}.sensitive("key-exchange"), more: text(rest).sensitive("chat") });
      const types = { Hello };`,
      `next: () => ({ step: "message", type: Hello${told} }),`,
    );
    const { messages, stderr } = await scrubbed(clientCapture(folder, "hello", [hello]), dissector);
    expect(stderr).toContain("1 message written");
    expect(messages.map(({ fields }) => String(fields.nonce))).toEqual([nonce]);
  });
});

describe("a kind of private values of an external dissector's own", () => {
  const dissector = outsideDissector(
    folder,
    "seated",
    `const seats = { name: "seat", doc: "seats at the table", label: "Seat" };
    const Guest = struct("Guest", { seat: text(13).sensitive(seats), name: text(5).sensitive("player-name") });
    const types = { Guest };`,
    `next: () => ({ step: "message", type: Guest }),`,
    "sensitiveKinds: [seats],",
  );
  const capture = clientCapture(folder, "guests", [Buffer.from("by the windowAlice")]);

  it("is replaced", async () => {
    const { messages } = await scrubbed(capture, dissector);
    expect(messages.map(({ fields }) => fields.seat)).toEqual([expect.stringMatching(/^Seat-[a-z2-9]{8}$/)]);
  });

  it("is kept if that is wanted", async () => {
    const { messages } = await scrubbed(capture, dissector, "--keep", "seat");
    expect(messages.map(({ fields }) => fields.seat)).toEqual(["by the window"]);
    expect(messages.map(({ fields }) => fields.name)).not.toEqual(["Alice"]);
  });
});

describe("a capture that grows between being searched for secrets and being written", () => {
  it("is written as far as it was searched", async () => {
    const capture = join(folder, "growing.pcap");
    const talk = new TcpTalk(["192.0.2.1", 40_000], ["198.51.100.2", 7000], [1000, 2000]);
    const opening = talk.handshake();
    const [first, second, third] = ["aaaa", "bbbb", "cccc"].map((name) => talk.send(0, name));
    writeFileSync(capture, rawPcapFile([...opening, first, third].filter((packet) => packet !== undefined)));
    // The packet that was missing is recorded late.
    const late = rawPcapFile(second === undefined ? [] : [second]).subarray(24);
    const dissector = outsideDissector(
      folder,
      "growing",
      `import { appendFileSync } from "node:fs";
      let conversations = 0;
      const grow = () => {
        conversations++;
        if (conversations === 2) appendFileSync(${JSON.stringify(capture)}, Uint8Array.of(${late.join()}));
      };
      const Name = struct("Name", { name: text(4).sensitive("player-name") });
      const types = { Name };`,
      `grown: grow(),
      lost: () => true,
      next: () => ({ step: "message", type: Name }),`,
    );
    const { messages } = await scrubbed(capture, dissector);
    expect(messages.map(({ message }) => message)).toEqual(["Name", "gap", "Name"]);
    const { stdout } = await run([capture, "--json", "--dissector", dissector]);
    expect(jsonLines(stdout).map(({ message }) => message)).toEqual(["Name", "Name", "Name"]);
  });
});
