import {
  type ConversationDissector,
  type Dissector,
  type EncryptionState,
  encryptions,
  keyStates,
} from "../dissector/dissector.js";
import { isNamedAfter } from "../dissector/dissector-check.js";
import { expectNoPromise } from "../dissector/promise-check.js";
import type { RecognisedConversation } from "./recognised-conversation.js";

/** What a conversation turned out to be. */
type Understanding = EncryptionState & { readonly protocol: string };

const ENCRYPTIONS: readonly unknown[] = encryptions;
const KEYS: readonly unknown[] = keyStates;

/**
 * Returns what a dissector has opened if it is a conversation, and throws a TypeError if not: external dissectors may
 * be plain JavaScript, which no compiler has checked.
 */
export function checkedConversation(
  opened: ConversationDissector,
  { name }: Pick<Dissector, "name">,
): ConversationDissector {
  const given: { readonly [member in keyof ConversationDissector]?: unknown } | undefined = opened;
  expectNoPromise(given, "open()");
  if (typeof given?.next !== "function") throw new TypeError("open() returned no object with a next() method");
  const { protocol } = understandingOf({ analyzer: opened });
  if (!isNamedAfter(protocol, name)) {
    throw new TypeError(
      `open() returned a conversation of ${JSON.stringify(protocol)}, which is not named after "${name}"`,
    );
  }
  if (given.nameScope !== undefined && typeof given.nameScope !== "string") {
    throw new TypeError("open() returned a conversation whose nameScope is not a string");
  }
  return opened;
}

/** What a dissector finally says about its conversation. Throws a TypeError if that makes no sense. */
export function understandingOf({ analyzer }: Pick<RecognisedConversation, "analyzer">): Understanding {
  const given: { readonly protocol?: unknown; readonly encryptionState?: unknown } = analyzer;
  if (typeof given.protocol !== "string") throw new TypeError("open() returned a conversation without a protocol");
  if (typeof given.encryptionState !== "object" || given.encryptionState === null) {
    throw new TypeError("open() returned a conversation without an encryptionState");
  }
  const { protocol, encryptionState } = analyzer;
  const { encryption, key, keySource } = encryptionState;
  if (!ENCRYPTIONS.includes(encryption) || !KEYS.includes(key) || typeof keySource !== "string") {
    throw new TypeError("the encryptionState of a conversation is not { encryption, key, keySource }");
  }
  return { protocol, encryption, key, keySource };
}
