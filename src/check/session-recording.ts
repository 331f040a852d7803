import { type Comparison, compareRecordings } from "./compare.js";
import type { Difference } from "./difference.js";
import { type Line, LineError } from "./line.js";
import { compareNodes, type NodeComparison } from "./nodes/compare-nodes.js";
import { isNode, parseExpected } from "./nodes/node-line.js";
import { NodeRecording } from "./nodes/node-recording.js";
import type { NormalForms } from "./normal-form.js";
import { Recording } from "./recording.js";

/** What is compared of a session: its messages, and what the vault has become. */
export class SessionRecording {
  readonly messages: Recording;
  readonly nodes: NodeRecording;
  /** How many lines of an expectation it was made from: about messages, and about nodes. */
  readonly lines = { messages: 0, nodes: 0 };
  /** The lines among them that are left out of the comparison, by number. */
  readonly leftOut = { messages: new Set<number>(), nodes: new Set<number>() };

  constructor(forms: NormalForms) {
    this.messages = new Recording(forms);
    this.nodes = new NodeRecording(forms);
  }

  /**
   * Adds a line of an expectation, unless it is empty.
   *
   * @param at its number, from 1 on
   * @param counts returns true if differences in a message are wanted
   * @throws LineError if it is neither a message nor a node
   */
  addExpected(text: string, at: number, counts: (line: Line) => boolean): void {
    if (text.trim() === "") return;
    try {
      const line = parseExpected(text);
      if (isNode(line)) {
        if (!this.nodes.add(line, at)) this.leftOut.nodes.add(at);
        this.lines.nodes++;
      } else {
        if (!this.messages.add(line, { at, counts: counts(line) })) this.leftOut.messages.add(at);
        this.lines.messages++;
      }
    } catch (error) {
      if (error instanceof RangeError) throw new LineError("this is nested too deeply", { cause: error });
      throw error;
    }
  }
}

/** How two sessions compare. */
export interface SessionComparison {
  readonly messages: Comparison;
  /** Undefined if the vault is left out. */
  readonly nodes: NodeComparison | undefined;
  /** Those that are wanted. */
  readonly differences: readonly Difference[];
}

/** Compares two sessions. @param options whether the order of messages matters, and what the vault has become */
export function compareSessions(
  expected: SessionRecording,
  found: SessionRecording,
  { anyOrder, hasVault }: { readonly anyOrder: boolean; readonly hasVault: boolean },
): SessionComparison {
  const messages = compareRecordings(expected.messages, found.messages);
  const nodes = hasVault ? compareNodes(expected.nodes, found.nodes, messages.mapping) : undefined;
  const ofMessages = messages.differences.filter(({ kind }) => !(anyOrder && kind === "moved"));
  return { messages, nodes, differences: [...ofMessages, ...(nodes?.differences ?? [])] };
}
