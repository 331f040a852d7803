import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { jsonLines, uncheckedRun } from "../support/command-line.js";
import { oncePerName } from "../support/once.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { datasetIn } from "./duckdb.js";

const CAPTURES = ["dirtsand-session.pcap", "nagus-session.pcap"];

const root = temporaryFolder();
const OPTIONS = ["--sdl", sample("sdl")];

/** The dataset of a sample, made once. */
const datasetOf = oncePerName(async (name) => {
  const folder = join(root, name);
  expect((await uncheckedRun(["export", sample(name), "-o", folder, ...OPTIONS])).code).toBe(0);
  return datasetIn(folder);
});

describe.each(CAPTURES)("of %s", (name) => {
  it("the table sdl has what the command sdl prints", async () => {
    const query = await datasetOf(name);
    const said = jsonLines((await uncheckedRun(["sdl", sample(name), "--json", ...OPTIONS])).stdout);
    const expected = said.flatMap(({ number, object, owner, place, set, version, relayed, from, values }) =>
      Object.entries(values ?? { "": undefined }).map(([variable, value]) => ({
        number: String(number),
        object,
        owner_id: owner?.id ?? null,
        owner_name: owner?.name ?? null,
        age_id: place?.id ?? null,
        age_name: place?.name ?? null,
        descriptor: set,
        version,
        is_relayed: relayed,
        player_id: from?.id === undefined ? null : String(from.id),
        variable: variable === "" ? null : variable,
        value: value === undefined ? null : JSON.stringify(value),
        numeric: typeof value === "number" || typeof value === "boolean" ? Number(value) : null,
      })),
    );
    const columns = Object.keys(expected[0] ?? {}).join(", ");
    const rows = await query(`SELECT ${columns} FROM sdl`);
    const inOrder = (all: readonly object[]) => all.map((one) => JSON.stringify(one)).sort();
    expect(expected.length).toBeGreaterThan(10);
    expect(expected.filter(({ owner_name }) => owner_name !== null)).not.toEqual([]);
    expect(expected.filter(({ age_name }) => age_name !== null)).not.toEqual([]);
    expect(inOrder(rows)).toEqual(inOrder(expected));
  });

  it("the table voice has a row for each message with speech, and relayed copies share the utterance", async () => {
    const query = await datasetOf(name);
    const messages = await query("SELECT number, time FROM messages WHERE list_contains(classes, 'plNetMsgVoice')");
    const rows = await query("SELECT number, time FROM voice ORDER BY number");
    expect(rows).toEqual(messages);
    expect(rows.length).toBeGreaterThan(0);
    const empty = await query("SELECT * FROM voice WHERE frames < 1 OR bytes < 1 OR player_id IS NULL");
    expect(empty).toEqual([]);
    const copies = await query(`
      SELECT count(*) AS n FROM voice copy JOIN voice own USING (utterance)
      WHERE copy.is_relayed AND NOT own.is_relayed AND copy.bytes = own.bytes AND copy.player_id = own.player_id`);
    expect(Number(copies[0]?.["n"])).toBeGreaterThan(0);
  });
});
