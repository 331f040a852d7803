import { describe, expect, it } from "vitest";
import type { Message } from "../../src/dissect/message.js";
import type { PictureEvent } from "../../src/dissector/state-event.js";
import { dissectors } from "../../src/index.js";
import { defaultLimits } from "../../src/limits.js";
import { runCaptures } from "../../src/pipeline/run.js";
import { captureAt } from "../../src/platform/node/capture-file.js";
import { givenFiles } from "../../src/platform/node/file-on-disk.js";
import { discoverKeys } from "../../src/platform/node/key-discovery.js";
import { checkedFile } from "../../src/state/checked-file.js";
import { momentOf } from "../../src/state/moment.js";
import { NodeGraph } from "../../src/state/node-graph.js";
import { StateEvents } from "../../src/state/state-events.js";
import { Transfers } from "../../src/state/transfers.js";
import { VariableLog } from "../../src/state/variable-log.js";
import { MessageStore } from "../../src/store/message-store.js";
import type { ObjectRow } from "../../src/web/session-api.js";
import { FoundObjects } from "../../src/web/worker/found-objects.js";
import { SessionState } from "../../src/web/worker/session-state.js";
import { stateRows, vaultNodePage, vaultRows } from "../../src/web/worker/state-rows.js";
import { sample } from "../support/samples.js";

/** Everything about a vault, and the variables. */
function everythingOf(graph: NodeGraph, variables: VariableLog): unknown {
  const rows = vaultRows(graph);
  return [rows, rows.map(({ id }) => vaultNodePage(graph, id)), stateRows(variables)];
}

/** A session as the page keeps it, and what all of its messages have told until each of some moments. */
async function watched(capture: string, moments: readonly number[]) {
  const store = new MessageStore(dissectors, defaultLimits);
  const state = new SessionState(dissectors, store, defaultLimits);
  const events = new StateEvents(dissectors);
  const [graph, variables] = [new NodeGraph(defaultLimits), new VariableLog()];
  const transfers = new Transfers(defaultLimits);
  const told = new Map<number, unknown>();
  const files: Uint8Array[] = [];
  const pictures: Uint8Array[] = [];
  const take = (message: Message) => {
    store.add(message);
    state.take(message);
    const at = momentOf(message);
    for (const event of events.of(message)) {
      if (event.kind === "node") graph.takeNode(event, at);
      else if (event.kind === "edge") graph.takeEdge(event, at);
      else if (event.kind === "variables") variables.take(event, at);
      else if (event.kind === "listed-file") transfers.listed(event);
      else if (event.kind === "picture") pictures.push(event.bytes);
      else if (event.kind === "file") {
        const file = transfers.take(event, at);
        if (file !== undefined) files.push(checkedFile(file, defaultLimits.transferBytes).content);
      }
    }
    if (moments.includes(at.number)) told.set(at.number, structuredClone(everythingOf(graph, variables)));
  };
  await runCaptures(
    [captureAt(capture)],
    {
      keys: givenFiles(await discoverKeys([capture], {})),
      onName: (dissector, change) => store.changed(dissector, change),
      network: { opened: () => ({ recognised: (session) => store.recognised(session) }) },
    },
    take,
  );
  return { state, told, files, pictures };
}

async function shownBy(state: SessionState, number: number): Promise<unknown> {
  const rows = await state.vault(number);
  const pages = await Promise.all(rows.map(({ id }) => state.vaultNode(id, number)));
  return [rows, pages, await state.states(number)];
}

/** What is saved of each object of a kind. */
async function contents(state: SessionState, kind: ObjectRow["kind"]): Promise<(Uint8Array | undefined)[]> {
  const { rows } = await state.objects.rows();
  return rows.flatMap((row) => (row.kind === kind ? [state.objects.content(row.id)] : []));
}

describe("what the page shows", () => {
  it.each([
    ["dirtsand-session.pcap", [60, 150, 250, 400, 550]],
    ["nagus-session.pcap", [30, 70, 110, 150]],
  ])("of %s is what all messages have told until then, in whatever order it is asked for", async (capture, moments) => {
    const { state, told } = await watched(sample(capture), moments);
    expect(told.size).toBe(moments.length);
    for (const number of [...moments, ...moments.toReversed()]) {
      expect(await shownBy(state, number)).toEqual(told.get(number));
    }
  });

  it("is of the moment that was asked for, also if two are asked for at once", async () => {
    const { state } = await watched(sample("dirtsand-session.pcap"), []);
    const both = await Promise.all([state.vault(400), state.vault(150)]);
    expect(both).toEqual([await state.vault(400), await state.vault(150)]);
    expect(both[0]).not.toEqual(both[1]);
  });

  it("has each file as it was transferred, unpacked if it was packed", async () => {
    const { state, files } = await watched(sample("dirtsand-session.pcap"), []);
    expect(await contents(state, "file")).toEqual(files);
    expect(files.some(({ length }) => length === 243_000)).toBe(true);
  });

  it("has each picture as it is in its message", async () => {
    const picture = (node: string): PictureEvent => {
      return { kind: "picture", node, title: "", ending: ".png", bytes: new Uint8Array([Number(node)]) };
    };
    const events = [[], [picture("7"), picture("8")], [picture("9")]];
    const origin = { frame: 1, seconds: 0, nanoseconds: 0 };
    const objects = new FoundObjects(
      defaultLimits,
      (number) => events[number] ?? [],
      () => origin,
    );
    for (const [number, together] of events.entries()) {
      for (const event of together) objects.take(event, { number, origin, stream: 0 });
    }
    const { rows } = await objects.rows();
    expect(rows.map(({ id }) => objects.content(id)?.[0])).toEqual([7, 8, 9]);
  });
});
