import { objectText } from "../../output/state/common.js";
import { valueText } from "../../output/state/vault.js";
import { printable } from "../../output/writers/sanitise.js";
import type { GraphNode, NodeGraph } from "../../state/node-graph.js";
import { latestOf, type Stated, type VariableLog, type VariableState } from "../../state/variable-log.js";
import type { StatedValue, StateRow, VariableRow, VaultNodePage, VaultRow } from "../session-api.js";

/** Most levels of the vault's tree. */
const DEEPEST = 64;

/** The vault as a tree: what belongs to several nodes is below each, its own below the first. */
export function vaultRows(graph: NodeGraph): readonly VaultRow[] {
  const rows: VaultRow[] = [];
  const shown = new Set<string>();
  const waiting = graph.roots().map((id) => ({ id, depth: 0 }));
  waiting.reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { id, depth } = next;
    const node = graph.get(id);
    if (node === undefined) continue;
    rows.push({ id, depth, title: titleOf(node), mark: markOf(node) });
    if (shown.has(id) || depth >= DEEPEST) continue;
    shown.add(id);
    for (const child of [...graph.childrenOf(id)].reverse()) waiting.push({ id: child, depth: depth + 1 });
  }
  return rows;
}

/** Everything about a node of the vault; undefined if there is none of that number. */
export function vaultNodePage(graph: NodeGraph, id: string): VaultNodePage | undefined {
  const node = graph.get(id);
  if (node === undefined) return undefined;
  return {
    id,
    title: titleOf(node),
    fields: [...node.fields].map(([name, value]) => ({ name: printable(name), value: valueText(value) })),
    parents: graph.parentsOf(id),
    history: node.history.map(({ at, change, fields, other, error }) => ({
      number: at.number,
      what: printable([change, other, error].filter((part) => part !== undefined).join(" ")),
      changes: fields.flatMap(({ name, before, after }) =>
        before === undefined ? [] : [`${printable(name)}: ${valueText(before)} → ${valueText(after)}`],
      ),
    })),
  };
}

/** The variables of all objects. */
export function stateRows(log: VariableLog): readonly StateRow[] {
  return [...log.objects].map((state) => ({
    key: state.key,
    object: printable(objectText(state)),
    set: printable(state.set),
    version: state.version,
    number: state.last.number,
    variables: [...state.values].flatMap(([name, variable]) => variableRow(name, variable)),
  }));
}

function variableRow(name: string, state: VariableState): VariableRow[] {
  const { latest, other } = latestOf(state);
  if (latest === undefined) return [];
  const by = other === state.sent ? "client" : "server";
  return [{ name: printable(name), ...statedValue(latest), other: other && { ...statedValue(other), by } }];
}

function statedValue({ value, at }: Stated): StatedValue {
  return { value: valueText(value), number: at.number };
}

function titleOf({ title, type }: GraphNode): string {
  return printable(title === "" ? type : title);
}

function markOf({ isSeen, isDeleted, staleSince, asked }: GraphNode): string {
  const marks = [
    isDeleted ? "deleted" : "",
    !isSeen && !isDeleted ? "never shown" : "",
    staleSince === undefined ? "" : `changed in #${staleSince.number}, not fetched since`,
    asked === undefined ? "" : `change of #${asked.at.number} not confirmed`,
  ];
  return marks.filter((mark) => mark !== "").join("; ");
}
