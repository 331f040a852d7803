import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { dissectCaptures } from "../../src/index.js";
import { defaultLimits } from "../../src/limits.js";
import { dissectors } from "../../src/pipeline/dissectors.js";
import { momentOf } from "../../src/state/moment.js";
import { NodeGraph } from "../../src/state/node-graph.js";
import { StateEvents } from "../../src/state/state-events.js";
import { pcapFile } from "../support/captures.js";
import { jsonLines, run, uncheckedRun } from "../support/command-line.js";
import { Random } from "../support/random.js";
import { packetsOf } from "../support/sample-packets.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** A message as JSON, as far as the vault is concerned. */
interface Line {
  readonly number: number;
  readonly message: string;
  readonly answers?: { readonly number: number } | null;
  readonly fields: {
    readonly result?: string;
    readonly nodeId?: number;
    readonly playerVaultNodeId?: number;
    readonly parentNodeId?: number;
    readonly childNodeId?: number;
    readonly nodeData?: { readonly nodeId?: number; readonly text_1?: string; readonly string64_1?: string };
    readonly refs?: readonly { readonly parentNodeId: number; readonly childNodeId: number }[];
  };
}

/** What the vault is after some messages: its nodes, what belongs to what, and the texts of its notes. */
interface Vault {
  readonly nodes: readonly number[];
  readonly edges: readonly string[];
  readonly texts: readonly string[];
}

/** The same, from nothing but the lines of JSON: as somebody would do it with a script. */
function vaultIn(lines: readonly Line[]): Vault {
  const nodes = new Set<number>();
  const edges = new Set<string>();
  const texts = new Map<number, string>();
  const requests = new Map(lines.map((line) => [line.number, line]));
  const isGranted = ({ fields }: Line) => fields.result === undefined || fields.result === "kNetSuccess";
  const node = (id: number | undefined) => {
    if (id !== undefined && id !== 0) nodes.add(id);
  };
  const connect = (parent = 0, child = 0) => {
    node(parent);
    node(child);
    edges.add(`${parent} > ${child}`);
  };
  const write = (id: number | undefined, text: string | undefined) => {
    if (id !== undefined && text !== undefined) texts.set(id, text);
  };
  for (const line of lines) {
    const { message, fields } = line;
    const request = line.answers == null ? undefined : requests.get(line.answers.number);
    // Whoever asks for a change refers to a node, too.
    if (/^Cli2Auth_VaultNode(Save|Add)$/.test(message)) {
      node(fields.nodeId);
      node(fields.parentNodeId);
      node(fields.childNodeId);
    }
    if (!isGranted(line)) continue;
    if (message === "Auth2Cli_VaultNodeFetched") {
      node(fields.nodeData?.nodeId);
      write(fields.nodeData?.nodeId, fields.nodeData?.text_1);
    } else if (message === "Auth2Cli_VaultNodeCreated") {
      node(fields.nodeId);
      write(fields.nodeId, request?.fields.nodeData?.text_1);
    } else if (message === "Auth2Cli_VaultSaveNodeReply")
      write(request?.fields.nodeId, request?.fields.nodeData?.text_1);
    else if (message === "Auth2Cli_VaultNodeChanged") node(fields.nodeId);
    else if (message === "Auth2Cli_AcctPlayerInfo") node(fields.playerVaultNodeId);
    else if (message === "Auth2Cli_VaultNodeRefsFetched") {
      for (const { parentNodeId, childNodeId } of fields.refs ?? []) connect(parentNodeId, childNodeId);
    } else if (message === "Auth2Cli_VaultNodeAdded") connect(fields.parentNodeId, fields.childNodeId);
    else if (message === "Auth2Cli_VaultAddNodeReply" && request !== undefined) {
      connect(request.fields.parentNodeId, request.fields.childNodeId);
    } else if (message === "Auth2Cli_VaultNodeRemoved") {
      edges.delete(`${fields.parentNodeId} > ${fields.childNodeId}`);
    } else if (message === "Auth2Cli_VaultRemoveNodeReply" && request !== undefined) {
      edges.delete(`${request.fields.parentNodeId} > ${request.fields.childNodeId}`);
    }
  }
  const sorted = (numbers: Iterable<number>) => [...numbers].sort((one, other) => one - other);
  const notes = sorted(texts.keys()).map((id) => `${id} ${texts.get(id)}`);
  return { nodes: sorted(nodes), edges: [...edges].sort(), texts: notes };
}

/** The vault of the program after the messages that a filter lets pass. */
async function vaultOf(name: string, filter: string): Promise<Vault> {
  const events = new StateEvents(dissectors);
  const graph = new NodeGraph(defaultLimits);
  await dissectCaptures([sample(name)], { filter }, (message) => {
    for (const event of events.of(message)) {
      if (event.kind === "node") graph.takeNode(event, momentOf(message));
      else if (event.kind === "edge") graph.takeEdge(event, momentOf(message));
    }
  });
  const ids = [...graph.nodes.keys()].map(Number).sort((one, other) => one - other);
  const texts = ids.flatMap((id) => {
    const fields = graph.get(String(id))?.fields;
    const text =
      fields?.get("text_1") ?? fields?.get("noteText") ?? fields?.get("entryValue") ?? fields?.get("ageDescription");
    return text === undefined ? [] : [`${id} ${String(text)}`];
  });
  const edges = ids.flatMap((id) => graph.childrenOf(String(id)).map((child) => `${id} > ${child}`)).sort();
  return { nodes: ids, edges, texts };
}

/** A node, as `vault --json` prints it. */
interface NodeLine {
  readonly nodeId: number;
  readonly type: string | null;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Numbers of messages. */
  readonly seen: readonly number[];
  readonly created: number | null;
  readonly changed: readonly number[];
  readonly deleted: number | null;
  readonly children: readonly number[];
  readonly parents: readonly number[];
  readonly complete: boolean;
}

/** The vault of the command after a message. */
async function vaultAt(capture: string, at: number): Promise<Vault> {
  const { stdout } = await uncheckedRun(["vault", capture, "--json", "--at", String(at), "-q"]);
  const nodes: readonly NodeLine[] = jsonLines(stdout);
  const edges = nodes.flatMap(({ nodeId, children }) => children.map((child) => `${nodeId} > ${child}`)).sort();
  expect(nodes.flatMap(({ nodeId, parents }) => parents.map((parent) => `${parent} > ${nodeId}`)).sort()).toEqual(
    edges,
  );
  const sorted = [...nodes].sort((one, other) => one.nodeId - other.nodeId);
  const texts = sorted.flatMap(({ nodeId, fields }) => {
    const text = fields["text_1"] ?? fields["noteText"] ?? fields["entryValue"] ?? fields["ageDescription"];
    return text === undefined ? [] : [`${nodeId} ${String(text)}`];
  });
  return { nodes: sorted.map(({ nodeId }) => nodeId), edges, texts };
}

describe.each(["dirtsand-plain.pcap", "nagus-plain.pcap"])("the vault of %s", (name) => {
  const folder = temporaryFolder();

  it.each([1, 2])("is what a script says if packets are lost (%i)", async (seed) => {
    const random = new Random(seed);
    const packets = (await packetsOf(name)).filter(() => random.fraction() > 0.05);
    const capture = join(folder, `${seed}-${name}`);
    const records = packets.map(({ data, seconds, nanoseconds }) => {
      return { data, time: BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds) };
    });
    writeFileSync(capture, pcapFile(records, { linkType: packets[0]?.linkType ?? 1 }));
    const lines: readonly Line[] = jsonLines((await run([capture, "--json", "-q"])).stdout);
    expect(lines.filter(({ message }) => message === "gap").length).toBeGreaterThan(3);
    const last = lines.length;
    for (let step = 1; step <= 4; step++) {
      const at = Math.floor((step * last) / 4);
      const expected = vaultIn(lines.filter(({ number }) => number <= at));
      expect(await vaultAt(capture, at), `after ${at}`).toEqual(expected);
    }
    expect(vaultIn(lines).nodes.length).toBeGreaterThan(20);
  });
});

describe.each(["dirtsand-session.pcap", "nagus-session.pcap"])("the vault of %s", (name) => {
  let lines: readonly Line[] = [];

  beforeAll(async () => {
    lines = jsonLines((await run([sample(name), "--json"])).stdout);
  }, 60_000);

  it("is what a script over the messages says, at the end and at ten times in between", async () => {
    const last = lines.length;
    const moments = [...Array.from({ length: 10 }, (_, index) => Math.floor(((index + 1) * last) / 11)), last];
    for (const moment of moments) {
      const expected = vaultIn(lines.filter(({ number }) => number <= moment));
      expect(await vaultOf(name, `number <= ${moment}`), `after ${moment}`).toEqual(expected);
    }
    for (const moment of moments) {
      expect(await vaultAt(sample(name), moment), `--at ${moment}`).toEqual(
        vaultIn(lines.filter(({ number }) => number <= moment)),
      );
    }
    expect(vaultIn(lines).nodes.length).toBeGreaterThan(50);
    expect(vaultIn(lines).texts.length).toBeGreaterThan(1);
  });

  it("is what a script says if messages are missing", async () => {
    for (const every of [2, 3, 7]) {
      const kept = lines.filter(({ number }) => number % every !== 1);
      const numbers = kept.map(({ number }) => number).join(", ");
      expect(await vaultOf(name, `number in {${numbers}}`), `without one of ${every}`).toEqual(vaultIn(kept));
    }
  });
});

it("says in which messages a node was shown, created and changed", async () => {
  const capture = sample("dirtsand-plain.pcap");
  const nodes: readonly NodeLine[] = jsonLines((await run(["vault", capture, "--json", "-q"])).stdout);
  const lines: readonly { readonly number: number; readonly message: string }[] = jsonLines(
    (await run([capture, "--json", "-q"])).stdout,
  );
  const names = new Map(lines.map(({ number, message }) => [number, message]));
  const said = (numbers: readonly (number | null)[]) =>
    new Set(numbers.flatMap((number) => (number === null ? [] : [names.get(number)])));
  const answers = ["Auth2Cli_VaultNodeFetched", "Auth2Cli_VaultNodeCreated", "Auth2Cli_VaultSaveNodeReply"];
  expect(said(nodes.flatMap(({ seen }) => seen))).toEqual(new Set([...answers, "Auth2Cli_AcctPlayerInfo"]));
  expect(said(nodes.map(({ created }) => created))).toEqual(new Set(["Auth2Cli_VaultNodeCreated"]));
  expect(nodes.map(({ deleted }) => deleted)).toEqual(nodes.map(() => null));
  for (const { seen, created, complete, type } of nodes) {
    if (created !== null) expect(seen).toContain(created);
    if (complete) expect(seen).not.toEqual([]);
    expect(type === null).toBe(seen.length === 0);
  }
});
