import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { type DissectedMessage, dissect } from "../../../src/index.js";

/** Sessions with a MOSS server, and what the client in them sent and received: test/fixtures/captures. */

/** One message as the client knows it; its fields may be incomplete. */
interface Known {
  /** The client's port, which identifies the connection. */
  readonly port: number;
  readonly direction: "c2s" | "s2c";
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

function fixture(path: string): string {
  return fileURLToPath(new URL(`../../fixtures/${path}`, import.meta.url));
}

function knownOf(session: string): Known[] {
  const lines = readFileSync(fixture(`captures/${session}.truth.jsonl`), "utf8")
    .trim()
    .split("\n");
  return lines.map((line): Known => JSON.parse(line));
}

/** Messages by connection and direction. Connections of other protocols have none. */
async function dissected(session: string): Promise<Map<string, DissectedMessage[]>> {
  const found = new Map<string, DissectedMessage[]>();
  const keys = ["auth_key.der", "game_key.der"].map((name) => fixture(`keys/moss-recorded/${name}`));
  const definitions = [fixture("captures/moss-games.sdl")];
  for await (const message of dissect(fixture(`captures/${session}.pcap`), { keys, definitions })) {
    const { direction, source, destination } = message;
    const place = `${direction === "c2s" ? source.port : destination.port} ${direction}`;
    found.set(place, [...(found.get(place) ?? []), message]);
  }
  return found;
}

it.each(["moss-games", "moss-none"])("every message of %s is dissected as the client saw it", async (session) => {
  const known = new Map<string, Known[]>();
  for (const message of knownOf(session)) {
    const place = `${message.port} ${message.direction}`;
    known.set(place, [...(known.get(place) ?? []), message]);
  }
  const found = await dissected(session);
  expect([...found.keys()].sort()).toEqual([...known.keys()].sort());
  for (const [place, messages] of known) {
    const told = (found.get(place) ?? []).map((message) => message.toJSON());
    expect(told).toMatchObject(messages.map(({ message, fields }) => ({ message, status: "ok", fields })));
  }
});
