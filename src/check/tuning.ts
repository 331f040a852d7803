import { UsageError } from "../common/usage-error.js";
import type { Message } from "../dissect/message.js";
import { rangeNames } from "../dissect/sync/skipped-range.js";
import type { Dissector } from "../dissector/dissector.js";
import { without } from "./ignored-paths.js";
import type { Line } from "./line.js";
import { type LeftOut, nothingLeftOut } from "./normal-form.js";

/** What is compared. */
export interface TuningOptions {
  /** Fields or messages that are not compared; paths are as in filters, or `vault.TYPE`, `vault.FIELD` of nodes. */
  readonly ignore?: readonly string[];
  /** A display filter: only differences in messages that pass are wanted. */
  readonly only?: string;
  /** True if the order of messages from the same side does not matter. */
  readonly anyOrder?: boolean;
}

/** The same, worked out. */
export interface Tuning {
  readonly leftOut: LeftOut;
  /** True if differences in a message that was found are wanted. */
  readonly counts: (message: Message) => boolean;
  /** The same for a line of JSON; also true if the line does not have enough to decide. */
  readonly mayCount: (line: Line) => boolean;
  /** True if a change in the order of the messages is not a difference. */
  readonly anyOrder: boolean;
  /** True if messages may have been left out. */
  readonly isSelective: boolean;
}

/** What tells messages apart: without it there is nothing to compare. */
const INDISPENSABLE = ["message", "protocol", "direction"];

/** What paths to nodes of the vault, or to their fields, begin with. */
const VAULT = "vault.";

/**
 * Works out what the user wants to be compared.
 *
 * @throws UsageError or FilterError if the options make no sense
 */
export async function tuningOf(options: TuningOptions, dissectors: readonly Dissector[]): Promise<Tuning> {
  const { ignore = [], only, anyOrder = false } = options;
  const leftOut = await leftOutBy(ignore, dissectors);
  const isSelective = only !== undefined || ignore.length > 0;
  if (only === undefined) return { leftOut, counts: () => true, mayCount: () => true, anyOrder, isSelective };
  const { compileFilter, lineFilter, Vocabulary } = await import("../filter/index.js");
  const mayPass = lineFilter(only, Vocabulary.of(dissectors));
  const mayCount = (line: Line) => mayPass({ ...line, classes: new Set(classesIn(line.fields)) });
  return { leftOut, counts: compileFilter(only, Vocabulary.of(dissectors)), mayCount, anyOrder, isSelective };
}

async function leftOutBy(paths: readonly string[], dissectors: readonly Dissector[]): Promise<LeftOut> {
  if (paths.length === 0) return nothingLeftOut;
  const ofNodes = new Set(paths.flatMap((path) => (path.startsWith(VAULT) ? [path.slice(VAULT.length)] : [])));
  const { resolvePath, messageFields, parsePath, SUMMARY, Vocabulary } = await import("../filter/index.js");
  const facts = new Set<string>();
  const vocabulary = Vocabulary.of(dissectors);
  const fields = paths.flatMap((path) => {
    if (path.startsWith(VAULT)) return [];
    const parsed = parsePath(path);
    const name = parsed.names.join(".");
    if (parsed.isField || !(messageFields.has(name) || name === SUMMARY)) {
      if (vocabulary.isProtocol(name)) {
        throw new UsageError(`${name} is a protocol: --only 'not ${name}' leaves out its messages`);
      }
      if (rangeNames.some((range) => range === name)) {
        throw new UsageError(`${name} is not a field or message: --only 'not ${name}' leaves it out`);
      }
      return resolvePath(parsed, vocabulary, path);
    }
    if (INDISPENSABLE.includes(name)) throw new UsageError(`--ignore ${name}: it is needed to tell messages apart`);
    facts.add(parsed.names[0] ?? "");
    return [];
  });
  return { place: without(fields), facts, ofNodes, foundOfNodes: new Set() };
}

function* classesIn(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (name === "class" && typeof member === "string") yield member;
    else yield* classesIn(member);
  }
}
