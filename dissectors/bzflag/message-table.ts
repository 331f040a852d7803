import type { Candidate, Direction, Step, Window } from "moul-dissect/dissector";
import { bytes, type DecodedTree, type StructType } from "moul-dissect/schema";
import { codeText, HEADER_BYTES, MAX_MESSAGE_BYTES, message } from "./messages.js";

/** Length and code of the message at a place. */
export interface Head {
  /** Bytes of the whole message, header included. */
  readonly length: number;
  readonly code: number;
}

/** The header at a place; undefined if it is incomplete. */
export function headAt({ view, start, end }: Window): Head | undefined {
  if (end - start < HEADER_BYTES) return undefined;
  return { length: HEADER_BYTES + view.getUint16(start), code: view.getUint16(start + 2) };
}

/** Undeclared codes whose messages are kept. A protocol has fewer; but arbitrary bytes have as many as there are. */
const MOST_UNDECLARED = 256;

/** Messages with undeclared codes, each a single leaf. Any code may turn up, so they are made on demand. */
const undeclared = new Map<number, StructType<unknown>>();

function undeclaredMessage(code: number): StructType<unknown> {
  let type = undeclared.get(code);
  if (type === undefined) {
    for (const oldest of undeclared.keys()) {
      if (undeclared.size < MOST_UNDECLARED) break;
      undeclared.delete(oldest);
    }
    type = message(`Msg_${codeText(code).replace(/[^\w]/g, "_")}`, code, {
      undissected: bytes("len").sensitive("unknown"),
    });
    undeclared.set(code, type);
  }
  return type;
}

/** Why nothing after a greeting is dissected. */
export function undeclaredVersion(version: string): string {
  return `${version} is a version whose messages are not declared`;
}

/** Notes in a tree that its message is not declared. */
export function remarkUndeclared(type: StructType<unknown>, nodes: DecodedTree, protocol: string): void {
  const { tag } = type.struct;
  if (tag === undefined || undeclared.get(tag) !== type) return;
  const node = Math.max(nodes.child(0, "code"), 0);
  nodes.note("unknown", "note", node, `${codeText(tag)} is not a declared message of ${protocol}`);
}

/** The messages that travel in one direction, by their codes. */
export class MessageTable {
  readonly #byCode = new Map<number, StructType<unknown>>();

  /**
   * @param messages a later one replaces an earlier one with the same code
   * @param ofLength messages that share their code with another one, by the length in bytes that sets them apart
   */
  constructor(
    readonly messages: readonly StructType<unknown>[],
    readonly ofLength: ReadonlyMap<number, StructType<unknown>> = new Map(),
  ) {
    for (const type of messages) if (type.struct.tag !== undefined) this.#byCode.set(type.struct.tag, type);
  }

  /** The declared message with this head. */
  declared({ length, code }: Head): StructType<unknown> | undefined {
    const special = this.ofLength.get(length);
    return special?.struct.tag === code ? special : this.#byCode.get(code);
  }

  /** The declared message with this head, or else the undeclared message with its code. */
  typeOf(head: Head): StructType<unknown> {
    return this.declared(head) ?? undeclaredMessage(head.code);
  }

  /** All declared messages, one per code. */
  all(): IterableIterator<StructType<unknown>> {
    return this.#byCode.values();
  }

  get size(): number {
    return this.#byCode.size;
  }
}

/** The messages of both directions. */
export type Messages = Readonly<Record<Direction, MessageTable>>;

/** The framed message at a place of a stream. Source: facts, section 2, "TCP message". */
export function messageStep(table: MessageTable, window: Window): Step {
  const head = headAt(window);
  if (head === undefined) return { step: "more", bytes: HEADER_BYTES };
  const type = table.typeOf(head);
  if (head.length <= MAX_MESSAGE_BYTES) return { step: "message", type, length: head.length };
  const reason = `its length of ${head.length} bytes is more than the ${MAX_MESSAGE_BYTES} that a message may have`;
  return { step: "malformed", name: type.struct.name, head: headOnly, reason };
}

const headOnly = message("message", 0, {});

/** The framed message that could begin at a place: see `ConversationDissector.candidate`. */
export function messageCandidate(table: MessageTable, window: Window): Candidate | "more" | undefined {
  const head = headAt(window);
  if (head === undefined) return "more";
  const type = table.declared(head);
  if (type === undefined || head.length > MAX_MESSAGE_BYTES || head.length < type.struct.minimumWidth) return undefined;
  const fits = head.length === type.struct.minimumWidth;
  return { type, length: head.length, bits: 16 - Math.log2(table.size) + (fits ? 14 : 4) };
}

/** True if bytes can be the beginning of framed messages; undefined if there are too few. */
export function looksFramed(table: MessageTable, window: Window): boolean | undefined {
  const head = headAt(window);
  return head && head.length <= MAX_MESSAGE_BYTES && (table.declared(head) !== undefined || isLetters(head.code));
}

function isLetters(code: number): boolean {
  return /^[A-Za-z]{2}$/.test(codeText(code));
}
