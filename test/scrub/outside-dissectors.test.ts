import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "../support/command-line.js";
import { clientCapture, outsideDissector } from "./outside.js";

const folder = mkdtempSync(join(tmpdir(), "moul-dissect-outside-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What `scrub` makes of a capture: its bytes, what it says, and the messages in it as JSON. */
async function scrubbed(capture: string, dissector: string, ...options: readonly string[]) {
  const path = join(folder, "scrubbed.pcapng");
  const args = ["--dissector", dissector];
  const { code, stderr } = await run(["scrub", capture, ...args, ...options, "--seed", "a", "-o", path, "--force"]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const { stdout } = await run([path, "--json", ...args]);
  const lines = stdout.trim().split("\n");
  return {
    stderr,
    bytes: readFileSync(path),
    messages: lines.filter((line) => line !== "").map((line) => JSON.parse(line)),
  };
}

/** A message in pieces of six bytes: one of them would not be found, as it is not whole. */
describe("a message that is put together of several others", () => {
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

  it("is left out with its conversation if it tells something", async () => {
    const { stderr, bytes } = await scrubbed(letter("SecretPlace"), pieces);
    expect(stderr).toContain("1 conversation left out: what is sensitive is spread over several messages");
    expect(bytes.includes("Secr")).toBe(false);
  });

  it.each([
    ["tells nothing", "", []],
    ["tells what is kept", "SecretPlace", ["--keep", "player-name"]],
  ])("is written if it %s", async (_, name, options) => {
    const { stderr, messages } = await scrubbed(letter(name), pieces, ...options);
    expect(stderr).not.toContain("left out");
    expect(messages.map(({ message }) => message)).toEqual(["Greeting", "Piece", "Piece", "Piece", "Letter"]);
  });
});
