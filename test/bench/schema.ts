/**
 * Measures the schema language against decoders written by hand for the same two messages: time to decode with the
 * whole tree built, and time from bytes to JSON text. Prints a table; `npm run bench:schema`.
 */
import { plCreatable } from "../../dissectors/moul/creatables.js";
import { plNetMessage } from "../../dissectors/moul/plNetMessage/plNetMessage.js";
import { fieldJson } from "../../src/output/json/field-json.js";
import { Decoder } from "../../src/schema/decode/decode.js";
import { Extent } from "../../src/schema/decode/window.js";
import { polymorphic } from "../../src/schema/index.js";
import { viewOf } from "../../src/schema/language/byte-source.js";
import { handDecode } from "./by-hand.js";
import { messages } from "./messages.js";
import { median } from "./traffic/run.js";

const ROUNDS = 9;
const MILLISECONDS = 150;

/** Nanoseconds per call: the median of several rounds. */
function time(work: () => void): number {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const until = performance.now() + MILLISECONDS;
    const start = performance.now();
    let calls = 0;
    while (performance.now() < until) {
      for (let call = 0; call < 200; call++) work();
      calls += 200;
    }
    rounds.push(((performance.now() - start) * 1e6) / calls);
  }
  return median(rounds);
}

const type = polymorphic(plCreatable, plNetMessage);
const decoder = new Decoder();

for (const { name, bytes } of messages) {
  const window = { bytes, view: viewOf(bytes), start: 0, end: bytes.length };
  decoder.decode(type, window, Extent.Exact);
  if (decoder.nodes.outcome !== "ok") throw new Error(`${name}: ${decoder.nodes.notes[0]?.text}`);
  const fields = decoder.nodes.count;
  const expected = JSON.stringify(handDecode(bytes));
  const json = fieldJson(decoder.nodes, 0);

  const declared = time(() => decoder.decode(type, window, Extent.Exact));
  const byHand = time(() => handDecode(bytes));
  const declaredJson = time(() => {
    decoder.decode(type, window, Extent.Exact);
    fieldJson(decoder.nodes, 0);
  });
  const byHandJson = time(() => JSON.stringify(handDecode(bytes)));
  const ratio = (a: number, b: number) => (a / b).toFixed(2);
  console.log(
    [
      `${name}: ${bytes.length} bytes, ${fields} nodes, JSON ${json.length} (by hand ${expected.length}) characters`,
      `  decode  declared ${declared.toFixed(0)} ns   by hand ${byHand.toFixed(0)} ns   ratio ${ratio(declared, byHand)}`,
      `  to JSON declared ${declaredJson.toFixed(0)} ns   by hand ${byHandJson.toFixed(0)} ns   ratio ${ratio(declaredJson, byHandJson)}`,
    ].join("\n"),
  );
}
