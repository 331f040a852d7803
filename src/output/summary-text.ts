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
  const { nodes, notes, status, length } = message;
  if (nodes === undefined) {
    const text = notes[0]?.text ?? "";
    return status === "encrypted" ? `${length} ${length === 1 ? "byte" : "bytes"} ${text}` : text;
  }
  const classes: string[] = [];
  const facts: Fact[] = [];
  collect(nodes, classes, facts);
  const factTexts = facts.map((fact) => factText(nodes, fact.node, nameOf(nodes, fact, facts)));
  const text = [classes.join(" > "), factTexts.join(", ")].filter((part) => part !== "").join(": ");
  const remark = nodes.annotations.get(0);
  return remark === undefined ? text : `${text} (${remark})`.trimStart();
}

/**
 * What bytes from outside a capture say, in one line. They are looked at by themselves: what has nothing that is worth
 * telling among other messages shows its first fields.
 */
export function valueText(value: Dissected): string {
  const { nodes } = value;
  const text = summaryText(value);
  if (text !== "" || nodes === undefined) return text;
  const label = labelOf(nodes, 0);
  return label === undefined || label === value.name ? firstFields(nodes) : shortened(label);
}

function firstFields(nodes: Nodes): string {
  const texts: string[] = [];
  for (let node = 1; node < nodes.count && texts.length < MOST_FACTS; node++) {
    const { name } = nodes.field(node);
    if (nodes.hasChildren(node) || name === "") continue;
    const value = nodes.value(node);
    const label = labelOf(nodes, node);
    const text = value instanceof Uint8Array ? hex(value) : String(value);
    texts.push(`${name}=${shortened(label === undefined ? text : `${text} (${label})`)}`);
  }
  for (const { name, of, inTree = true } of nodes.field(0).struct?.derived ?? []) {
    const value = inTree ? of(nodes, 0) : undefined;
    if (value !== undefined) texts.push(`${name}=${shortened(JSON.stringify(value))}`);
  }
  return texts.slice(0, MOST_FACTS).join(", ");
}

/** A leaf that is worth telling. */
interface Fact {
  readonly node: number;
  /** The nodes that it is in, from the outermost to the innermost. */
  readonly within: readonly number[];
}

function collect(nodes: Nodes, classes: string[], facts: Fact[]): void {
  let arrayEnd = 0;
  const within: number[] = [];
  for (let node = 1; node < nodes.count; node++) {
    const field = nodes.field(node);
    while (nodes.nextOf(within.at(-1) ?? 0) <= node) within.pop();
    if (isArray(field.opcode)) arrayEnd = Math.max(arrayEnd, nodes.nextOf(node));
    else if (field.opcode === Opcode.Polymorphic) {
      const name = classOf(nodes, node);
      if (name !== undefined && node >= arrayEnd) classes.push(name);
    } else if (field.inSummary && facts.length < MOST_FACTS) facts.push({ node, within: [...within] });
    if (nodes.hasChildren(node)) within.push(node);
  }
}

/**
 * What a fact is called: the name of its field; where several facts have the same, the name of what it is the only fact
 * of, such as `sender` for the name of the object that a key refers to.
 */
function nameOf(nodes: Nodes, { node, within }: Fact, facts: readonly Fact[]): string {
  const { name } = nodes.field(node);
  if (facts.every((other) => other.node === node || nodes.field(other.node).name !== name)) return name;
  let best = name;
  for (const outer of [...within].reverse()) {
    const isAlone = facts.every((other) => other.node === node || !other.within.includes(outer));
    const own = nodes.field(outer);
    // An element of an array has no name: several of them share that of the array.
    if ((!isAlone && !isArray(own.opcode)) || own.opcode === Opcode.Polymorphic) break;
    if (own.name !== "") best = own.name;
    if (!isAlone) break;
  }
  return best;
}

function factText(nodes: Nodes, node: number, name: string): string {
  const { meaning } = nodes.field(node);
  const value = nodes.value(node);
  const label = labelOf(nodes, node);
  // A reference of several numbers has a label that says enough.
  if (meaning?.form === "reference" && label !== undefined && !(value instanceof Uint8Array)) {
    return `${name}=${value} (${shortened(label)})`;
  }
  const short = shortened(label ?? (value instanceof Uint8Array ? hex(value) : String(value)));
  return `${name}=${typeof value === "string" ? `"${short}"` : short}`;
}

function shortened(text: string): string {
  if (text.length <= LONGEST_FACT) return text;
  // Not between the two halves of a character.
  const end = /[\ud800-\udbff]/.test(text.charAt(LONGEST_FACT - 1)) ? LONGEST_FACT - 1 : LONGEST_FACT;
  return `${text.slice(0, end)}…`;
}
