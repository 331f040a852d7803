import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dissectCaptures, type Message } from "../../src/index.js";
import { tsharkVersion } from "../support/tshark.js";
import { makeTraffic, type Traffic, type TrafficOptions } from "./traffic/traffic.js";

/** The benchmark has to measure what it claims to: whole messages, all of them readable, the same in every run. */

/** Small, and with few different messages, which take longer to make than to read. */
const SMALL = { size: 150_000, pool: 300 };
const script = fileURLToPath(new URL("traffic/tshark-moul.lua", import.meta.url));

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "moul-traffic-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function messagesOf({ capture, keys, sdl }: Traffic): Promise<Pick<Message, "name" | "status" | "length">[]> {
  const messages: Pick<Message, "name" | "status" | "length">[] = [];
  await dissectCaptures([capture], { keys: [keys], definitions: [sdl] }, ({ name, status, length }) => {
    messages.push({ name, status, length });
  });
  return messages;
}

async function digest(path: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
}

const kinds: readonly (readonly [string, Omit<TrafficOptions, "size">])[] = [
  ["a mix", {}],
  ["one conversation", { conversations: 1 }],
  ["short conversations", { conversations: 40, open: 4 }],
  ["messages of 50 bytes", { messages: "short" }],
  ["messages of 1 MiB", { messages: "long", conversations: 1 }],
  ["mostly other traffic", { foreign: 0.9 }],
];

describe.each(kinds)("traffic of %s", (kind, options) => {
  it("is encrypted, and can be read completely", async () => {
    const traffic = makeTraffic(join(folder, kind), { ...SMALL, ...options });
    const messages = await messagesOf(traffic);
    expect(messages.filter(({ status }) => status !== "ok")).toEqual([]);
    expect(messages.length).toBe(traffic.messages);
  });
});

describe("traffic", () => {
  it("is the same for the same options", async () => {
    const [one, other] = ["one", "other"].map((name) => makeTraffic(join(folder, name), SMALL));
    expect(await digest(other?.capture ?? "")).toBe(await digest(one?.capture ?? ""));
    expect(await digest(other?.keys ?? "")).toBe(await digest(one?.keys ?? ""));
  });

  it("has messages of the requested length", async () => {
    const lengths = async (messages: "short" | "long") => {
      const found = await messagesOf(makeTraffic(join(folder, messages), { ...SMALL, messages, conversations: 1 }));
      return new Set(found.slice(3).map(({ length }) => length));
    };
    expect(await lengths("short")).toEqual(new Set([50]));
    const [long = 0, ...others] = await lengths("long");
    expect(others).toEqual([]);
    expect(Math.abs(long - 1024 * 1024)).toBeLessThan(100);
  });

  it.skipIf(tsharkVersion === undefined)("has a twin in which tshark finds the same messages", async () => {
    const traffic = makeTraffic(join(folder, "twin"), SMALL);
    const words = ["-n", "-X", `lua_script:${script}`, "-r", traffic.twin, "-T", "fields", "-e", "moul.length"];
    const { stdout } = await promisify(execFile)("tshark", words, { maxBuffer: 1 << 28 });
    const lengths = stdout.split(/[\n,]/).filter((text) => text !== "");
    const frame = 5;
    const sorted = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);
    const messages = await messagesOf(traffic);
    expect(sorted(lengths.map((text) => Number(text) - frame))).toEqual(sorted(messages.map(({ length }) => length)));
  });
});
