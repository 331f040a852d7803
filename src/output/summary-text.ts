import type { Dissected } from "../dissect/message.js";
import { classOf, labelOf } from "../schema/label.js";
import { hex } from "../schema/leaf.js";
import type { Nodes } from "../schema/nodes.js";
import { isArray, Opcode } from "../schema/opcode.js";

/** Facts in one summary at most: a line has to be read at a glance. */
const MOST_FACTS = 6;
/** Characters of one fact at most. */
const LONGEST_FACT = 60;

/**
 * What a message says, in one line: the classes from the outer to the inner, then the facts that its declarations mark
 * as worth telling, then what the dissector has to add. Captured text in it is as captured: whoever prints it makes it
 * safe.
 */
export function summaryText(message: Dissected): string {
  const { nodes, notes, length } = message;
  if (nodes === undefined) return notes[0]?.text ?? `${length} bytes`;
  const classes: string[] = [];
  const facts: string[] = [];
  collect(nodes, classes, facts);
  const text = [classes.join(" > "), facts.join(", ")].filter((part) => part !== "").join(": ");
  const remark = nodes.annotations.get(0);
  return remark === undefined ? text : `${text} (${remark})`.trimStart();
}

function collect(nodes: Nodes, classes: string[], facts: string[]): void {
  let arrayEnd = 0;
  for (let node = 1; node < nodes.count; node++) {
    const field = nodes.field(node);
    if (isArray(field.opcode)) arrayEnd = Math.max(arrayEnd, nodes.nextOf(node));
    else if (field.opcode === Opcode.Polymorphic) {
      const name = classOf(nodes, node);
      if (name !== undefined && node >= arrayEnd) classes.push(name);
    } else if (field.inSummary && facts.length < MOST_FACTS) facts.push(factText(nodes, node));
  }
}

function factText(nodes: Nodes, node: number): string {
  const { name, meaning } = nodes.field(node);
  const value = nodes.value(node);
  const label = labelOf(nodes, node);
  if (meaning?.form === "reference" && label !== undefined) return `${name}=${value} (${shortened(label)})`;
  const short = shortened(label ?? (value instanceof Uint8Array ? hex(value) : String(value)));
  return `${name}=${typeof value === "string" ? `"${short}"` : short}`;
}

function shortened(text: string): string {
  return text.length > LONGEST_FACT ? `${text.slice(0, LONGEST_FACT)}…` : text;
}
