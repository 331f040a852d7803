import { describe, expect, it } from "vitest";
import { plCreatable } from "../../../dissectors/moul/creatables.js";
import { polymorphic } from "../../../src/schema/index.js";
import type { FieldTree } from "../../../src/schema/language/field-tree.js";
import { classOf } from "../../../src/schema/tree/label.js";
import { hex } from "../../../src/schema/tree/leaf.js";
import { childrenOf, decodeWhole, expectRoundTrip } from "../../support/check.js";
import { expectTiling } from "../../support/tiling.js";
import { recordsOf } from "../../support/truth.js";

/** A net message of a recorded session, as read by another implementation (libhsplasma). */
interface Recorded {
  readonly class_name: string;
  readonly payload: string;
  readonly stream_plain?: string;
  readonly msg_class_name?: string;
  readonly object?: string;
  readonly object_type?: number;
  readonly events?: readonly number[];
  readonly receivers?: readonly number[];
  readonly chat?: Readonly<Record<string, number | string>>;
}

const creatable = polymorphic(plCreatable);

/** Objects whose states are those of an age or a script: their descriptors are a shard's own. */
const OF_SHARD: readonly unknown[] = ["AgeSDLHook", "ClkBookcase"];

function recordedIn(file: string): Recorded[] {
  return recordsOf<{ prop?: Recorded }>(file).flatMap(({ prop }) => prop ?? []);
}

/** The node at a path of names; the root if a name is missing. */
function at(nodes: FieldTree, path: string): number {
  return path.split(".").reduce((node, name) => Math.max(nodes.child(node, name), 0), 0);
}

/** What the tree says about the known facts. */
function facts(nodes: FieldTree, known: Recorded): Omit<Recorded, "payload"> {
  const data = at(nodes, "stream.data");
  const inflated = nodes.sources.find((source) => source.parent === data);
  const value = (path: string) => nodes.value(at(nodes, path));
  const numbers = (path: string) => childrenOf(nodes, at(nodes, path)).map((node) => nodes.number(node));
  return {
    class_name: classOf(nodes, 0) ?? "",
    ...(known.stream_plain !== undefined && { stream_plain: hex(inflated?.bytes ?? nodes.bytes(data)) }),
    ...(known.msg_class_name !== undefined && { msg_class_name: classOf(nodes, data) ?? "" }),
    ...(known.object !== undefined && { object: String(value("uoid.objectName")) }),
    ...(known.object_type !== undefined && { object_type: nodes.number(at(nodes, "uoid.classIndex")) }),
    ...(known.events !== undefined && {
      events: childrenOf(nodes, at(nodes, "stream.data.events")).map((node) => nodes.number(node + 1)),
    }),
    ...(known.receivers !== undefined && { receivers: numbers("receivers") }),
    ...(known.chat !== undefined && {
      chat: {
        user: String(value("stream.data.senderName")),
        ki: nodes.number(at(nodes, "stream.data.senderKiNumber")),
        text: String(value("stream.data.messageText")),
        flags: nodes.number(at(nodes, "stream.data.flags")),
        command: nodes.number(at(nodes, "stream.data.command")),
      },
    }),
  };
}

function knownFacts({
  class_name,
  stream_plain,
  msg_class_name,
  object,
  object_type,
  events,
  receivers,
  chat,
}: Recorded) {
  return { class_name, stream_plain, msg_class_name, object, object_type, events, receivers, chat };
}

describe.each(["dirtsand-plain", "dirtsand-session", "nagus-plain", "nagus-session"])("%s", (file) => {
  it.each(recordedIn(file).map((recorded, number) => [number, recorded.class_name, recorded] as const))(
    "message %i, %s",
    (_, className, recorded) => {
      const nodes = decodeWhole(creatable, Buffer.from(recorded.payload, "hex"));
      expect(facts(nodes, recorded)).toEqual(knownFacts(recorded));
      const isKnown = !className.startsWith("plNetMsgSDLState") || !OF_SHARD.includes(recorded.object);
      expect(nodes.outcome).toBe(isKnown ? "ok" : "unknown");
      expectTiling(nodes);
      expectRoundTrip(creatable, nodes);
    },
  );
});
