import { LineError } from "../line.js";
import type { Entry, NormalForms, Space } from "../normal-form.js";
import type { NodeLine } from "./node-line.js";

/** A node of a recording. */
export interface RecordedNode {
  readonly line: NodeLine;
  /** What it is, without what differs between two recordings. */
  readonly entry: Entry;
  /** The line of the expectation; undefined for one of a capture. */
  readonly at: number | undefined;
}

/** The nodes of the vault at the end of a recording, in the form in which they are compared. */
export class NodeRecording {
  readonly #nodes = new Map<string, RecordedNode>();
  readonly #parents = new Map<string, string[]>();

  constructor(readonly forms: NormalForms) {}

  get size(): number {
    return this.#nodes.size;
  }

  /** All of them, in order. */
  get nodes(): Iterable<RecordedNode> {
    return this.#nodes.values();
  }

  /**
   * @returns false if the node is left out
   * @throws LineError if there is a node of the same id
   */
  add(line: NodeLine, at?: number): boolean {
    if (this.#nodes.has(line.id)) throw new LineError(`there is another line of node ${line.id}`);
    const normal = this.forms.ofNode(line);
    if (normal === undefined) return false;
    const { form, labels, noteTexts } = normal;
    this.#nodes.set(line.id, { line, entry: { form, labels, noteTexts, at: at ?? 0, counts: true }, at });
    for (const child of line.children) {
      const parents = this.#parents.get(child);
      if (parents === undefined) this.#parents.set(child, [line.id]);
      else parents.push(line.id);
    }
    return true;
  }

  get(id: string): RecordedNode | undefined {
    return this.#nodes.get(id);
  }

  childrenOf({ line }: RecordedNode): RecordedNode[] {
    return this.#those(line.children);
  }

  parentsOf({ line }: RecordedNode): RecordedNode[] {
    return this.#those(this.#parents.get(line.id) ?? []);
  }

  /** Where the id of a node belongs, and fields that refer to it. */
  spaceOf({ line }: RecordedNode): Space {
    return this.forms.spaceOf([line.idKind]);
  }

  #those(ids: readonly string[]): RecordedNode[] {
    return ids.flatMap((id) => this.#nodes.get(id) ?? []);
  }
}

/** The id of a node, as fields that refer to it have it in JSON. */
export function labelOf(id: string): string {
  return /^(0|[1-9]\d*)$/.test(id) ? id : JSON.stringify(id);
}

/** The id that a label is of. */
export function idOf(label: string): string {
  return String(JSON.parse(label));
}
