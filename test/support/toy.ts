import type {
  Candidate,
  ConversationDissector,
  ConversationHandle,
  Direction,
  Dissector,
  EncryptionState,
  Opening,
  Step,
  Window,
} from "../../src/dissector/dissector.js";
import { bytes, rest, struct, text, u8 } from "../../src/schema/index.js";
import { u32 } from "../../src/schema/words/little-endian.js";

/** A protocol for tests: length-prefixed words. */
export const Word = struct("Word", { length: u8, text: text("length").inSummary() });

/** A message whose length is given elsewhere. */
export const Piece = struct("Piece", { kind: u8, number: u32 });

/** What can be shown of an undeclared message. */
export const Strange = struct("Strange", { kind: u8, undissected: bytes(rest) });

/** What a test wants to differ from consecutive words. */
export interface ToyOptions {
  readonly name?: string;
  readonly next?: (direction: Direction, window: Window, handle: ConversationHandle) => Step;
  readonly recognise?: (opening: Opening) => "yes" | "no" | "more";
  readonly open?: (handle: ConversationHandle) => void;
  readonly decoded?: (direction: Direction, handle: ConversationHandle) => void;
  readonly candidate?: (window: Window) => Candidate | undefined;
}

const WORD: Step = { step: "message", type: Word };

/** A dissector that by default accepts every conversation that the client begins. */
export function toyDissector(options: ToyOptions = {}): Dissector {
  const { name = "toy", next = () => WORD, recognise = ({ c2s }) => (c2s.length > 0 ? "yes" : "more") } = options;
  return {
    name,
    types: new Map(),
    protocols: [`${name}.words`],
    recognise,
    open(handle): ConversationDissector {
      options.open?.(handle);
      const { candidate } = options;
      const encryptionState: EncryptionState = { encryption: "none", key: "not-needed", keySource: "" };
      return {
        protocol: `${name}.words`,
        encryptionState,
        next: (direction, window) => next(direction, window, handle),
        decoded: (direction) => options.decoded?.(direction, handle),
        ...(candidate && { candidate: (_direction: Direction, window: Window) => candidate(window) }),
      };
    },
  };
}

/** The bytes of words. */
export function words(...list: readonly string[]): Uint8Array {
  return Buffer.concat(list.map((word) => Buffer.concat([Uint8Array.of(Buffer.byteLength(word)), Buffer.from(word)])));
}
