import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/limits.js";
import { fieldJson } from "../../src/output/json/field-json.js";
import { summaryText } from "../../src/output/text/summary-text.js";
import { Decoder } from "../../src/schema/decode/decode.js";
import { Extent } from "../../src/schema/decode/window.js";
import type { FieldTree } from "../../src/schema/language/field-tree.js";
import { isStructType } from "../../src/schema/language/is-type.js";
import { Outline } from "../../src/schema/skim/kept.js";
import { SkimmingDecoder } from "../../src/schema/skim/skimming-decoder.js";
import { hex } from "../../src/schema/tree/leaf.js";
import { recordedSeeds, vectorSeeds } from "../fuzz/seeds.js";
import { SkimCheck } from "../support/skim-check.js";
import { windowOn } from "./support/decoding.js";
import { differences } from "./support/skimming.js";

/** What is skimmed is what would be decoded: the same ends, the same needs, the same classes. */

describe("skimmed messages", () => {
  it("of other implementations and of samples end where they do when decoded, and few are left to the decoder", async () => {
    const seeds = [...vectorSeeds(), ...(await recordedSeeds(3))];
    for (const outline of Object.values(Outline)) {
      const check = new SkimCheck(defaultLimits, outline);
      expect(differences(check, seeds, ({ bytes }) => [bytes])).toEqual([]);
      expect(check.sound).toBeGreaterThan(seeds.length);
      expect(check.inVain / check.sound).toBeLessThan(0.1);
    }
  });
});

describe("the tree of a message that was skimmed", () => {
  const skimming = new SkimmingDecoder(defaultLimits, { isEager: true });
  const decoder = new Decoder();

  /** What a reader may ask, each as if it were the first question. */
  const questions: readonly ((nodes: FieldTree, name: string) => unknown)[] = [
    (nodes, name) => nodes.child(0, name),
    (nodes, name) => nodes.numberIn(0, name),
    (nodes, name) => nodes.textIn(0, name),
    (nodes, name) => nodes.field(0).struct?.name === name,
    (nodes, name) => {
      const node = nodes.child(0, name);
      if (node < 0) return undefined;
      const place = [nodes.startOf(node), nodes.endOf(node), nodes.nextOf(node), nodes.sourceIndexOf(node)];
      return [...place, nodes.field(node).name, hex(nodes.bytes(node)), nodes.path(node), nodes.hasChildren(node)];
    },
    (nodes) => [nodes.count, nodes.outcome, nodes.notes, nodes.nameBindings, nodes.outline, nodes.endOf(0)],
    (nodes) => {
      const classes: string[] = [];
      nodes.forEachClass((name, length) => void classes.push(`${name} ${length}`));
      return classes;
    },
    (nodes) => summaryText({ name: "", status: "ok", nodes, offset: 0, length: nodes.endOf(0), notes: [] }),
    (nodes) => fieldJson(nodes, 0),
    (nodes) => fieldJson(nodes.snapshot(), 0),
  ];

  it("answers like that of a decoded one, whatever is asked first", async () => {
    let skimmed = 0;
    for (const { from, type, bytes } of await recordedSeeds(1)) {
      if (!isStructType(type)) continue;
      const decode = (one: Decoder) => (one.decode(type, windowOn(bytes), Extent.Exact) ? one.nodes : undefined);
      for (const name of [...type.struct.fields.map((field) => field.name), "absent", "absent.field"]) {
        for (const [index, ask] of questions.entries()) {
          const [one, other] = [decode(skimming), decode(decoder)];
          if (one === undefined || other === undefined) throw new Error(`${from} is not whole`);
          if (one !== other && one.constructor !== other.constructor) skimmed++;
          expect(ask(one, name), `${from}, ${name}, question ${index}`).toEqual(ask(other, name));
        }
      }
    }
    expect(skimmed).toBeGreaterThan(500);
  });

  it("keeps what a dissector adds before anyone looks at it", async () => {
    const seed = (await recordedSeeds(1)).find(
      ({ type }) => isStructType(type) && type.struct.name === "Cli2Auth_PingRequest",
    );
    if (seed === undefined) throw new Error("no sample has a ping");
    expect(skimming.decode(seed.type, windowOn(seed.bytes), Extent.Exact)).toBe(true);
    const { nodes } = skimming;
    const leaf = nodes.child(0, "pingTime");
    nodes.context = { error: "kNetErrTimeout" };
    nodes.annotate(leaf, "asked before");
    expect(nodes.count).toBeGreaterThan(leaf);
    expect(nodes.annotations.get(leaf)).toBe("asked before");
    expect(nodes.context).toEqual({ error: "kNetErrTimeout" });
    nodes.note("malformed", "error", 0, "odd");
    expect([nodes.outcome, nodes.notes.length]).toEqual(["malformed", 1]);
  });
});
