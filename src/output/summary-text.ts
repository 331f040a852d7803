import type { Dissected } from "../dissect/message.js";
import { classOf, labelOf } from "../schema/label.js";
import { hex } from "../schema/leaf.js";
import type { Nodes } from "../schema/nodes.js";
import { isArray, isWhole, Opcode } from "../schema/opcode.js";

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
  const facts: number[] = [];
  collect(nodes, classes, facts);
  let text = classes.join(" > ");
  let before = text === "" ? "" : ": ";
  for (const node of facts) {
    text += before + factText(nodes, node, nameOf(nodes, node, facts));
    before = ", ";
  }
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

/** Finds the classes, and the leaves that are worth telling. */
function collect(nodes: Nodes, classes: string[], facts: number[]): void {
  let arrayEnd = 0;
  for (const node of nodes.outline) {
    const { opcode, inSummary } = nodes.field(node);
    if (node === 0) continue;
    if (isArray(opcode)) arrayEnd = Math.max(arrayEnd, nodes.nextOf(node));
    else if (opcode === Opcode.Polymorphic) {
      const name = classOf(nodes, node);
      if (name !== undefined && node >= arrayEnd) classes.push(name);
    } else if (inSummary && facts.length < MOST_FACTS) facts.push(node);
  }
}

/**
 * What a fact is called: the name of its field; where several facts have the same, the name of what it is the only fact
 * of, such as `sender` for the name of the object that a key refers to. An element of an array is called as the array.
 */
function nameOf(nodes: Nodes, node: number, facts: readonly number[]): string {
  const { name } = nodes.field(node);
  const isElement = name === "";
  if (!isElement && isOnlyOne(nodes, node, name, facts)) return name;
  let best = name;
  for (const outer of nodesAround(nodes, node)) {
    const isAlone = isAloneIn(nodes, outer, node, facts);
    const own = nodes.field(outer);
    // An element of an array has no name: several of them share that of the array.
    if ((!isAlone && !isArray(own.opcode)) || own.opcode === Opcode.Polymorphic) break;
    if (own.name !== "") best = own.name;
    if (!isAlone || isElement) break;
  }
  return best;
}

function isOnlyOne(nodes: Nodes, node: number, name: string, facts: readonly number[]): boolean {
  for (const other of facts) if (other !== node && nodes.field(other).name === name) return false;
  return true;
}

function isAloneIn(nodes: Nodes, outer: number, node: number, facts: readonly number[]): boolean {
  const behind = nodes.nextOf(outer);
  for (const other of facts) if (other > outer && other < behind && other !== node) return false;
  return true;
}

/** The nodes that a node is in, from the innermost to the outermost, without the root. */
function nodesAround(nodes: Nodes, node: number): number[] {
  const around: number[] = [];
  for (let at = 1; at < node; ) {
    const behind = nodes.nextOf(at);
    if (behind > node) around.push(at++);
    else at = behind;
  }
  return around.reverse();
}

function factText(nodes: Nodes, node: number, name: string): string {
  const { meaning, opcode } = nodes.field(node);
  const label = labelOf(nodes, node);
  // Whoever has a name for a number does not want to know it.
  if (label !== undefined && meaning?.form !== "reference" && isWhole(opcode)) return `${name}=${shortened(label)}`;
  const value = nodes.value(node);
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
