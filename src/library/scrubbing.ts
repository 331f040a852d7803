import { sha256 } from "@noble/hashes/sha2.js";
import { counted } from "../common/counted.js";
import type { MessageListener } from "../dissect/message.js";
import { messageTitle } from "../dissect/message-title.js";
import type { Dissector } from "../dissector/dissector.js";
import { ExportedPdus } from "../export/exported-pdus.js";
import { PlaintextCapture } from "../export/plaintext-capture.js";
import type { Endpoint } from "../network/conversation.js";
import type { PacketCounts } from "../network/network.js";
import type { EngineOptions, RunHooks } from "../pipeline/options.js";
import { delayed } from "../remarks/delayed.js";
import { LeftOut } from "../remarks/left-out.js";
import { kindsWith, type OwnKind } from "../schema/language/sensitive.js";
import { Gathering } from "../scrub/gathering.js";
import { marksSecrets } from "../scrub/marks.js";
import { Scrubber, type ScrubReport } from "../scrub/scrubber.js";
import { Secrets } from "../scrub/secrets.js";

/** One of the two readings of the captures. */
interface Reading extends Required<Pick<EngineOptions & RunHooks, "network" | "order" | "searchesAfterUnknownEnd">> {
  readonly listener: MessageListener;
}

/** What the second reading writes. */
interface Writing extends Reading {
  /** Writes the rest of the messages; returns what has to be said of it. @param packets of that reading */
  readonly finish: (packets: PacketCounts) => readonly string[];
  /** The new capture, which has to be flushed at the end. */
  readonly capture: PlaintextCapture | ExportedPdus;
}

const MANNER = {
  // Texts of an unknown message could pass for public fields of others.
  searchesAfterUnknownEnd: false,
  order: "conversation",
} as const;

/** Bytes of a salt that nobody can guess. */
const SALT_LENGTH = 32;

/** The kinds of private data that dissectors have of their own. */
export function ownKinds(all: readonly Dissector[]): readonly OwnKind[] {
  return all.flatMap(({ sensitiveKinds = [] }) => sensitiveKinds);
}

/** What the kinds are that can be kept, by name: a key exchange means nothing without the encryption. */
export function keepableKinds(all: readonly Dissector[]): ReadonlyMap<string, string> {
  return new Map([...kindsWith(ownKinds(all))].filter(([kind]) => kind !== "key-exchange"));
}

/** Replaces what is private in captures, which are read twice: to find it, and to write them without it. */
export class Scrubbing {
  readonly #gathering: Gathering;

  /**
   * @param kept kinds of private data that stay as they are
   * @param seed makes the same replacements in every run; anyone who knows it can test guesses
   */
  constructor(dissectors: readonly Dissector[], kept: Iterable<string>, seed: string | undefined) {
    const salt =
      seed === undefined ? crypto.getRandomValues(new Uint8Array(SALT_LENGTH)) : sha256(new TextEncoder().encode(seed));
    const unmarked = dissectors.filter((dissector) => !marksSecrets(dissector)).map(({ name }) => name);
    this.#gathering = new Gathering(new Secrets(salt, ownKinds(dissectors)), new Set(kept), new Set(unmarked));
  }

  /** The first reading: finds what is private. */
  gathering(): Reading {
    const gathering = this.#gathering;
    return {
      ...MANNER,
      network: {
        opened: (conversation) => {
          gathering.opened(conversation);
          return { dissected: (session) => gathering.ended(session) };
        },
      },
      listener: (message) => gathering.message(message),
    };
  }

  /**
   * The second reading: writes the captures.
   *
   * @param asPdus true for a packet for each message, without TCP and UDP
   */
  writing(write: (bytes: Uint8Array) => void, application: string, asPdus = false): Writing {
    const { secrets, kept } = this.#gathering;
    const leftOut = new LeftOut();
    const options = {
      application,
      comment: "Packets rebuilt around plaintext in which private data was replaced.",
      ...(!kept.has("ip-address") && { endpoint: (endpoint: Endpoint) => scrubbedEndpoint(endpoint, secrets) }),
    };
    const capture = asPdus ? new ExportedPdus(write, options) : new PlaintextCapture(write, options);
    const scrubber = new Scrubber(
      this.#gathering,
      capture instanceof PlaintextCapture
        ? capture
        : (message, bytes) => {
            // What a message says is what may be private.
            const title = messageTitle(message) ?? message.name;
            const { conversation, direction, origin, name } = message;
            capture.message({ conversation, direction, origin, name, info: title, comment: title }, bytes);
          },
    );
    return {
      ...MANNER,
      network: {
        opened: (conversation, origin) => {
          const { dissected, closed } = leftOut.opened(conversation);
          scrubber.begun(conversation, origin);
          return {
            dissected: (session) => {
              dissected(session);
              scrubber.dissected(session);
            },
            closed: (reason) => {
              closed(reason);
              scrubber.closed(conversation, reason);
            },
          };
        },
      },
      listener: (message) => scrubber.message(message),
      capture,
      finish: (packets) => {
        scrubber.finish();
        return [...remarks(scrubber.report, this.#gathering), ...leftOut.remarks(packets), ...delayedIn(capture)];
      },
    };
  }
}

function delayedIn(capture: PlaintextCapture | ExportedPdus): readonly string[] {
  return capture instanceof PlaintextCapture ? delayed(capture.delayed) : [];
}

function scrubbedEndpoint({ address, port }: Endpoint, { addresses }: Secrets): Endpoint {
  return { address: addresses.of(address), port };
}

function remarks({ messages, wiped, leftOut, found }: ScrubReport, gathering: Gathering): string[] {
  const texts = [`${counted(messages, "message")} written`];
  if (found > 0)
    texts.push(`${found}× a secret was found in a field that is not declared as sensitive: replaced there, too`);
  if (wiped > 0) texts.push(`${counted(wiped, "byte")} of undeclared data: overwritten with zeros`);
  if (leftOut > 0)
    texts.push(`${counted(leftOut, "byte")} of messages that are incomplete or cannot be rewritten: left out`);
  const conversations = (count: number, why: string) => {
    if (count > 0) texts.push(`${counted(count, "conversation")} left out: ${why}`);
  };
  conversations(gathering.encrypted.size, "not decrypted");
  conversations(gathering.unmarked.size, "the dissector does not say which of its fields are sensitive");
  conversations(gathering.spread.size, "sensitive data is spread over several messages");
  return texts;
}
