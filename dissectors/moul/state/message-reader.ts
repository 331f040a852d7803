import type { Party, StateEvent, StateMessage } from "moul-dissect/dissector";
import type { FieldTree, Json } from "moul-dissect/schema";

/** A message whose fields are known. */
export interface ReadMessage extends StateMessage {
  readonly nodes: FieldTree;
}

/** What is remembered of a request, for its reply. */
export type Asked = Readonly<Record<string, Json | undefined>>;

/** Requests that wait for their replies. */
export class AskedBefore {
  /** As JSON: thousands of texts of a few characters take much more memory. */
  readonly #asked = new Map<number, string>();
  /** The types of vault nodes, which changes do not repeat. */
  readonly types = new Map<string, number | undefined>();

  /** Remembers what is worth knowing when the reply comes. */
  remember(request: ReadMessage, asked: Asked): void {
    if (this.#asked.size >= MOST_ASKED) {
      const [oldest] = this.#asked.keys();
      if (oldest !== undefined) this.#asked.delete(oldest);
    }
    this.#asked.set(request.number, JSON.stringify(asked));
  }

  /** The same as `by`, for a request that nothing else answers: it is forgotten. */
  take(reply: ReadMessage): Asked | undefined {
    const asked = this.by(reply);
    this.#asked.delete(requestOf(reply));
    return asked;
  }

  /** What was remembered of the request that a message answers; undefined if that was not seen. */
  by(reply: ReadMessage): Asked | undefined {
    const text = this.#asked.get(requestOf(reply));
    if (text === undefined) return undefined;
    const asked: Json = JSON.parse(text);
    return isRecord(asked) ? asked : undefined;
  }
}

/** Number of the request that a message answers; 0 if there is none. */
function requestOf({ nodes }: ReadMessage): number {
  return nodes.context?.answers?.number ?? 0;
}

/** A player's vault has a few thousand nodes, which are fetched all at once. */
const MOST_ASKED = 32_768;

/** What a message of one name means. */
export type Reads = (message: ReadMessage, asked: AskedBefore) => readonly StateEvent[];

/** Who or what a number or UUID stands for, by the names known when the message came. */
export function partyOf(nodes: FieldTree, kind: string, id: string | number): Party {
  return { kind, id: String(id), name: nodes.names?.get(kind, String(id)) };
}

/** The player with this number; undefined for nobody. */
export function playerIn(nodes: FieldTree, node: number, path: string): Party | undefined {
  const id = nodes.numberIn(node, path) ?? 0;
  return id === 0 ? undefined : partyOf(nodes, "player", id);
}

/** The first node whose class, or that of one of its bases, has this name; -1 if there is none. */
export function nodeOf(nodes: FieldTree, className: string): number {
  for (let node = 0; node < nodes.count; node++) {
    for (let struct = nodes.field(node).struct; struct !== undefined; struct = struct.base) {
      if (struct.name === className) return node;
    }
  }
  return -1;
}

/** The name of the error that a reply reports; undefined if it reports success. */
export function errorOf({ nodes }: ReadMessage): string | undefined {
  return nodes.context?.error;
}

/** True for a value that has members. */
export function isRecord(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
