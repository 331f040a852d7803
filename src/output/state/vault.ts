import type { Json } from "../../common/json.js";
import type { GraphNode, NodeChange, NodeGraph } from "../../state/node-graph.js";
import type { Palette } from "../text/palette.js";
import { printable, safeJson } from "../writers/sanitise.js";
import { VAULT_NODE_SCHEMA } from "../writers/schema-names.js";
import { absoluteTime } from "../writers/time.js";
import { momentJson, partyText } from "./common.js";

/** How two states of a node differ. */
export type NodeDifference = "added" | "removed" | "changed";

interface NodeLineOptions {
  /** With everything that was said about the node. */
  readonly hasHistory?: boolean;
  readonly difference?: NodeDifference;
}

/** A node as a line of JSON. */
export function nodeLine(graph: NodeGraph, node: GraphNode, { hasHistory, difference }: NodeLineOptions = {}): string {
  const { id, type, title, fields, isWhole, isDeleted, staleSince, asked, history } = node;
  const numbers = (applies: (change: NodeChange) => boolean) => history.filter(applies).map(({ at }) => at.number);
  return `${safeJson({
    schema: VAULT_NODE_SCHEMA,
    ...{ nodeId: idJson(id), type: type || null, fields: Object.fromEntries(fields) },
    seen: numbers(({ change }) => SHOWING.has(change)),
    created: numbers(({ change }) => change === "created").at(-1) ?? null,
    changed: numbers(isChange),
    deleted: isDeleted ? (numbers(({ change }) => change === "deleted").at(-1) ?? null) : null,
    ...{ children: graph.childrenOf(id).map(idJson), parents: graph.parentsOf(id).map(idJson) },
    ...{ complete: isWhole && staleSince === undefined, title: title || null, idKind: graph.idKind ?? null },
    stale: staleSince === undefined ? null : momentJson(staleSince),
    asked: asked === undefined ? null : momentJson(asked.at),
    refersTo: referencesOf(node),
    ...(hasHistory === true && { history: history.map(changeJson) }),
    ...(difference !== undefined && { difference }),
  })}\n`;
}

/** What changes show what a node has. */
const SHOWING: ReadonlySet<NodeChange["change"]> = new Set(["seen", "created", "saved"]);

/** Whether a node was another one before, or others are told so. */
function isChange({ change, fields }: NodeChange): boolean {
  return (
    change === "saved" || change === "changed" || (change === "seen" && fields.some((one) => one.before !== undefined))
  );
}

/** A number, if the protocol has numbers for nodes. */
function idJson(id: string): number | string {
  const number = Number(id);
  return Number.isSafeInteger(number) && String(number) === id ? number : id;
}

/** See `NodeEvent.refersTo`: of the fields that the node has. */
export function referencesOf({ refersTo, fields }: GraphNode): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(refersTo).filter(([name]) => fields.has(name)));
}

function changeJson({ at, change, fields, other, error }: NodeChange) {
  return { ...momentJson(at), change, fields, other: other ?? null, error: error ?? null };
}

/** Most levels of a tree that are printed. */
const DEEPEST = 64;

/** The nodes that belong to a node, as an indented list; of one that is shown before, only its line. */
export function graphText(graph: NodeGraph, roots: readonly string[], colors: Palette): string {
  const shown = new Set<string>();
  const waiting = roots.map((id) => ({ id, depth: 0, parent: "" })).reverse();
  const lines: string[] = [];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { id, depth, parent } = next;
    const node = graph.get(id);
    if (node === undefined) continue;
    const children = graph.childrenOf(id);
    const isAgain = shown.has(id) && children.length > 0;
    const isDeep = depth >= DEEPEST && children.length > 0;
    const owner = graph.ownerOf(parent, id);
    const marks = [owner === undefined ? "" : `by ${partyText(owner)}`, isAgain ? "see above" : "", isDeep ? "…" : ""];
    const rest = marks.filter((mark) => mark !== "").join("; ");
    lines.push(
      `${"  ".repeat(depth)}${headText(node, colors)}${rest === "" ? "" : ` ${colors.faint(`(${printable(rest)})`)}`}\n`,
    );
    if (shown.has(id) || isDeep) continue;
    shown.add(id);
    for (const child of [...children].reverse()) waiting.push({ id: child, depth: depth + 1, parent: id });
  }
  return lines.join("");
}

/** A node in a few words. */
export function headText(node: GraphNode, colors: Palette): string {
  const { id, type, title, isSeen, isDeleted, staleSince, asked } = node;
  const name = title === "" ? type : title;
  const odd = [
    isDeleted ? "deleted" : "",
    !isSeen && !isDeleted ? "never shown" : "",
    staleSince === undefined ? "" : `changed in #${staleSince.number}, not fetched since`,
    asked === undefined ? "" : `change of #${asked.at.number} not confirmed`,
  ].filter((mark) => mark !== "");
  const mark = odd.length === 0 ? "" : ` ${colors.severity("warning")(`[${odd.join("; ")}]`)}`;
  return `${colors.heading(id)}${name === "" ? "" : ` ${printable(name)}`}${mark}`;
}

/** Everything that is known about a node: its fields, what belongs to it, and what was said about it. */
export function nodeText(graph: NodeGraph, node: GraphNode, colors: Palette): string {
  const lines = [`${headText(node, colors)}\n`];
  for (const [name, value] of node.fields) lines.push(`  ${colors.name(printable(name))}: ${valueText(value)}\n`);
  const list = (title: string, ids: readonly string[]) => {
    if (ids.length > 0) lines.push(`  ${colors.faint(title)} ${ids.map((id) => nameOf(graph, id)).join(", ")}\n`);
  };
  list("belongs to", graph.parentsOf(node.id));
  list("has", graph.childrenOf(node.id));
  lines.push(`  ${colors.faint("history")}\n`);
  for (const { at, change, fields, other, error } of node.history) {
    const what = other === undefined ? change : `${change}: ${nameOf(graph, other)}`;
    const why = error === undefined ? "" : ` ${colors.severity("error")(printable(error))}`;
    lines.push(`    ${colors.faint(`#${at.number} ${absoluteTime(at.origin)}`)} ${what}${why}\n`);
    // What is shown for the first time is above.
    for (const { name, before, after } of fields) {
      if (before !== undefined) lines.push(`      ${printable(name)}: ${valueText(before)} → ${valueText(after)}\n`);
    }
  }
  return lines.join("");
}

function nameOf(graph: NodeGraph, id: string): string {
  const node = graph.get(id);
  const title = node?.title || node?.type || "";
  return printable(title === "" ? id : `${id} ${title}`);
}

export function valueText(value: Json): string {
  return printable(typeof value === "string" ? value : JSON.stringify(value));
}
