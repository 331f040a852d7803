import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { pcapFile } from "../support/captures.js";
import { run } from "../support/command-line.js";
import { MoulTalk, packetsOf } from "../support/moul-session.js";
import { RAW } from "../support/network.js";

/** Captured text, and names of files, are data: none of it reaches a terminal as more than text. */

const folder = mkdtempSync(join(tmpdir(), "moul-dissect-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Clears the screen, colours, turns text round, breaks lines, hides and joins characters, and ends in half of one. */
const HOSTILE =
  '\u001b[2J\u001b[31m\u009b1m\u202e\u2066a\r\nb\u2028\u2029\u0007\u0000\u200b\ufeff"\\\u{e0041}\u00ad\ud83d';
const HARMLESS = "Шора! 中文 📖 \"'\\";

/** What may stand in text for a terminal: no controls but the ends of lines, nothing invisible, no half characters. */
const UNSAFE = /[^\P{Cc}\n]|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}/u;

function chat(text: string): Uint8Array {
  const talk = new MoulTalk("game", { encryption: "none" }).opens();
  talk.says("Cli2Game_PropagateBuffer", {
    classIndex: 814,
    buffer: {
      class: "plNetMsgGameMessageDirected",
      flags: 0,
      stream: {
        uncompressedLength: 0,
        compressionType: 0,
        data: {
          class: "pfKIMsg",
          sender: { nonNull: 0 },
          receiverCount: 0,
          receivers: [],
          timestamp: 0,
          broadcastFlags: 0,
          command: 0,
          senderName: text.replace(/\P{ASCII}|\0/gu, "?"),
          senderKiNumber: 134,
          messageText: text,
          flags: 0,
          channel: 0,
          reservedFlags: 0,
          delay: 0,
          value: 0,
        },
      },
      deliveryTimePresent: 0,
      receiverCount: 0,
      receivers: [],
    },
  });
  return pcapFile(
    packetsOf(talk).map((data) => ({ data })),
    { linkType: RAW },
  );
}

function file(name: string, content: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe("a chat message with escape sequences", () => {
  const capture = file("chat.pcap", chat(HOSTILE));

  it.each(["tree", "summary", "json", "json-tree"])(
    "reaches nobody's terminal as more than text (%s)",
    async (format) => {
      for (const color of ["never", "always"]) {
        const { code, stdout, stderr } = await run([capture, "--format", format, "--color", color]);
        expect(code).toBe(0);
        expect(stderr).toBe("");
        expect(stdout).toContain("pfKIMsg");
        // Colours are the program's own.
        const text = color === "always" ? stripVTControlCharacters(stdout) : stdout;
        expect(UNSAFE.exec(text)?.[0]).toBeUndefined();
        expect(text.split("\n").filter((line) => line.startsWith("b"))).toEqual([]);
      }
    },
  );

  it("is whole in JSON", async () => {
    const { stdout } = await run([capture, "--json"]);
    const line = stdout.split("\n").find((text) => text.includes("pfKIMsg")) ?? "";
    // Half of a surrogate pair is no text: jq refuses a line that has one.
    const messageText = HOSTILE.replace(/\p{Cs}/gu, "\ufffd");
    expect(JSON.parse(line)).toMatchObject({ fields: { buffer: { stream: { data: { messageText } } } } });
  });

  it("is shown as escapes in text", async () => {
    const { stdout } = await run([capture, "--format", "summary"]);
    expect(stdout).toContain("\\u001b[2J\\u001b[31m\\u009b1m\\u202e\\u2066a\\r\\nb\\u2028\\u2029\\u0007\\u0000");
  });
});

describe("text in other scripts", () => {
  it("is left as it is", async () => {
    const capture = file("shorah.pcap", chat(HARMLESS));
    expect((await run([capture])).stdout).toContain(JSON.stringify(HARMLESS));
    expect((await run([capture, "--format", "summary"])).stdout).toContain(HARMLESS);
    expect((await run([capture, "--json"])).stdout).toContain(`"messageText":${JSON.stringify(HARMLESS)}`);
  });

  it("is not broken off in the middle of a character", async () => {
    const capture = file("long.pcap", chat(`${"x".repeat(59)}📖📖`));
    const { stdout } = await run([capture, "--format", "summary"]);
    expect(stdout).toContain(`messageText="${"x".repeat(59)}…"`);
  });
});

describe("names of files with escape sequences", () => {
  const name = "evil\u001b[31m\u202e.x";

  it("are shown as escapes", async () => {
    for (const args of [
      [join(folder, name)],
      [file(name, "text")],
      [file("chat.pcap", chat("hello")), "--keys", file(`${name}.keys`, "milk")],
      [file("chat.pcap", chat("hello")), "-o", join(folder, `none${name}`, "out.txt")],
    ]) {
      const { code, stderr } = await run(args);
      expect(code).toBe(2);
      expect(stderr).toContain("evil\\u001b[31m\\u202e.x");
      expect(UNSAFE.exec(stderr)?.[0]).toBeUndefined();
    }
  });
});
