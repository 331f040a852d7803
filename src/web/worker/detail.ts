import type { Message } from "../../dissect/message.js";
import { messageFields } from "../../filter/index.js";
import type { Origin } from "../../network/conversation.js";
import { type TreeLine as TextLine, TextTree } from "../../output/text/text-tree.js";
import { TimeColumn } from "../../output/text/time-column.js";
import { printable } from "../../output/writers/sanitise.js";
import type { FieldTree } from "../../schema/language/field-tree.js";
import { holdsNodes, isBoolean } from "../../schema/language/opcode.js";
import { meaningOf } from "../../schema/tree/label.js";
import type { Detail, TreeLine, TreeSource } from "../session-api.js";
import { marks } from "./marks.js";
import { rowOf } from "./rows.js";

/** Most bytes of a source that go to the page: a longer one is shown up to there. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Longest value that is offered for a filter. */
const LONGEST_VALUE = 200;

/** What the rest of the session knows about a message. */
export interface Relations {
  readonly place: number;
  readonly first: Origin;
  /** Number of the first reply to a message; 0 if there is none. */
  readonly answeredBy: number;
  /** Number of the message that showed the name of a thing; undefined if it is not known. */
  readonly namedIn: (scope: string | undefined, kind: string, id: string) => number | undefined;
}

const tree = new TextTree({ colors: marks, times: new TimeColumn("absolute"), hex: false });

/** All of a message, as the panes of tree and bytes show it. */
export function detailOf(message: Message, { place, first, answeredBy, namedIn }: Relations): Detail {
  const { nodes, frames } = message;
  const answers = nodes?.context?.answers;
  const lines = tree.lines(message);
  const shownNodes = lines.flatMap(({ node }) => (node === undefined ? [] : [node]));
  const paths = nodes?.paths(shownNodes) ?? [];
  let next = 0;
  return {
    row: rowOf(message, place, first),
    heading: tree.heading(message),
    lines: lines.map((line) => {
      const path = line.node === undefined ? "" : (paths[next++] ?? "");
      return treeLine(line, nodes, path, namedIn);
    }),
    sources: nodes === undefined ? [] : nodes.sources.map(sourceOf),
    answers: answers?.number,
    milliseconds: answers?.milliseconds,
    answeredBy: answeredBy === 0 ? undefined : answeredBy,
    frames,
  };
}

function treeLine(
  { node, kind, depth, text }: TextLine,
  nodes: FieldTree | undefined,
  path: string,
  namedIn: Relations["namedIn"],
): TreeLine {
  const hasBytes = node !== undefined && nodes !== undefined && kind === "field";
  return {
    text,
    kind,
    depth,
    source: hasBytes ? nodes.sourceIndexOf(node) : undefined,
    start: hasBytes ? nodes.startOf(node) : 0,
    end: hasBytes ? nodes.endOf(node) : 0,
    path,
    name: nameInFilters(path),
    ...(hasBytes ? valueIn(nodes, node) : { value: undefined, sought: undefined }),
    namedIn: hasBytes ? originOfName(nodes, node, namedIn) : undefined,
  };
}

/** What display filters call a field: a leading dot says that what is known of every message is not meant. */
function nameInFilters(path: string): string {
  const name = path.replace(/\[\d+\]/g, "");
  return messageFields.has(name) ? `.${name}` : name;
}

/** What a leaf is compared with, and what is looked for to find it; undefined for what cannot be compared. */
function valueIn(nodes: FieldTree, node: number): Pick<TreeLine, "value" | "sought"> {
  const field = nodes.field(node);
  if (holdsNodes(field.opcode)) return { value: undefined, sought: undefined };
  if (field.meaning?.form === "enumeration") {
    const name = meaningOf(nodes, node);
    if (name !== undefined) return { value: name, sought: name };
  }
  const value = nodes.value(node);
  if (typeof value === "string") {
    return value.length > LONGEST_VALUE
      ? { value: undefined, sought: undefined }
      : { value: literal(value), sought: value };
  }
  if (value instanceof Uint8Array) {
    const isShown = value.length > 0 && value.length <= LONGEST_VALUE / 3;
    const bytes = isShown ? Array.from(value, (byte) => byte.toString(16).padStart(2, "0")).join(":") : undefined;
    return { value: bytes, sought: bytes };
  }
  // Any number but 0 is true, and filters know nothing else of it.
  return { value: String(isBoolean(field.opcode) ? Boolean(value) : value), sought: String(value) };
}

/** A text in quotes. Of the escapes of JSON, filters do not know two. */
function literal(text: string): string {
  return JSON.stringify(text).replace(/\\(.)/g, (whole, letter) => {
    return letter === "b" ? "\\x08" : letter === "f" ? "\\x0c" : whole;
  });
}

function originOfName(nodes: FieldTree, node: number, namedIn: Relations["namedIn"]): number | undefined {
  const { meaning } = nodes.field(node);
  if (meaning?.form !== "reference") return undefined;
  const id = String(nodes.value(node));
  for (const kind of meaning.to) {
    if (nodes.names?.get(kind, id) !== undefined) return namedIn(nodes.names.scope, kind, id);
  }
  return undefined;
}

function sourceOf(source: FieldTree["sources"][number], index: number): TreeSource {
  const { bytes, origin, length, kind } = source;
  const title = index === 0 ? "Message" : `${printable(kind)} ${index}`;
  // A copy: only what is shown travels to the page.
  return { title, bytes: bytes.slice(origin, origin + Math.min(length, MOST_BYTES)) };
}
