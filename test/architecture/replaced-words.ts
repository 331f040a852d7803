/** A word of ours, and the term of the field that replaced it in the names of code and files. */
export interface ReplacedWord {
  readonly word: string;
  readonly term: string;
  /** Folders in which the word meant this; elsewhere it may mean something else. */
  readonly within: readonly string[];
  /**
   * True for a word that is common in longer names: it counts only as a whole name, with the letter case given here.
   * Any other counts as a part of a name, too, in any letter case, singular or plural: `isFake`, `#fakeTexts`.
   */
  readonly isWhole?: true;
}

const EVERYWHERE = ["src", "dissectors", "bin"];

export const replacedWords: readonly ReplacedWord[] = [
  { word: "circumstance", term: "context of a message", within: EVERYWHERE },
  { word: "introduction", term: "name binding", within: EVERYWHERE },
  { word: "makeshift", term: "provisional", within: EVERYWHERE },
  { word: "handover", term: "channel (bounded)", within: EVERYWHERE },
  { word: "surrounding", term: "process's input and output", within: EVERYWHERE },
  // Plasma has its own helpers: `plNetMsgStreamHelper`.
  { word: "helper", term: "worker", within: ["src", "bin"] },
  { word: "block", term: "batch", within: ["src/parallel"] },
  { word: "listed", term: "interned", within: ["src/parallel"] },
  { word: "listing", term: "interned", within: ["src/parallel"] },
  { word: "repeatable", term: "offloadable", within: EVERYWHERE },
  { word: "fake", term: "pseudonym", within: ["src"] },
  { word: "likeness", term: "similarity", within: EVERYWHERE },
  { word: "renaming", term: "identifier mapping", within: EVERYWHERE },
  { word: "Part", term: "segment", within: ["src/schema"], isWhole: true },
  { word: "Run", term: "fixed-layout segment", within: ["src/schema"], isWhole: true },
  { word: "run", term: "fixed-layout segment", within: ["src/schema/table", "src/schema/decode"], isWhole: true },
  { word: "Look", term: "usage of a number", within: ["src/schema"], isWhole: true },
  { word: "Row", term: "type descriptor", within: ["src/schema"], isWhole: true },
  { word: "row", term: "type descriptor", within: ["src/schema"], isWhole: true },
  { word: "rows", term: "type descriptors", within: ["src/schema"], isWhole: true },
  { word: "passage", term: "encapsulation", within: ["src"] },
  { word: "Paths", term: "encapsulations", within: ["src"], isWhole: true },
  { word: "postponed", term: "out-of-order packet", within: ["src"] },
  { word: "HeldSegments", term: "out-of-order queue", within: ["src"], isWhole: true },
  { word: "doubt", term: "acknowledged unseen segment; grace period", within: ["src/network"] },
  { word: "outlet", term: "emitter", within: ["src"] },
  { word: "opaque", term: "skipped or undissected range", within: ["src/dissect", "src/session", "src/network"] },
  { word: "stretch", term: "range", within: ["src"] },
  { word: "patience", term: "retry threshold", within: ["src"] },
  { word: "Turn", term: "task of the scheduler", within: ["src"], isWhole: true },
  { word: "Turns", term: "scheduler", within: ["src"], isWhole: true },
  { word: "want", term: "ready", within: ["src/dissect"], isWhole: true },
  { word: "Track", term: "synchronisation", within: ["src/dissect"], isWhole: true },
  { word: "lose", term: "lose synchronisation", within: ["src/dissect"], isWhole: true },
  { word: "seek", term: "search, synchronise", within: ["src/dissect"], isWhole: true },
  { word: "captures", term: "exports (of slots, as imports)", within: ["src/schema"], isWhole: true },
  {
    word: "pass",
    term: "skip; flush; advance the clock",
    within: ["src/dataset", "src/network", "src/session"],
    isWhole: true,
  },
  { word: "passGap", term: "skip a gap", within: EVERYWHERE, isWhole: true },
  { word: "passOn", term: "emit", within: ["src/dissect"], isWhole: true },
  { word: "spokenBy", term: "recognised by", within: EVERYWHERE, isWhole: true },
  {
    word: "placeOf",
    term: "frame order; place of a message; provenance",
    within: ["src/dissect", "src/library", "src/network", "src/output", "src/parallel", "src/split", "src/store"],
    isWhole: true,
  },
  { word: "lastFrame", term: "up to a frame order", within: ["src/dissect"], isWhole: true },
  { word: "tee", term: "observer", within: ["src"], isWhole: true },
  { word: "swap", term: "flip roles", within: ["src/network", "src/session"], isWhole: true },
];

/** Names that users or dissectors from outside may still use: each in the files that need it. */
export const oldNames: ReadonlyMap<string, readonly string[]> = new Map([
  // Limits, by the names that users give them.
  ["recentStretches", ["src/limits.ts", "src/network/tcp/stream/stream-bytes.ts"]],
  ["doubtPackets", ["src/limits.ts", "src/network/conversations.ts"]],
  ["doubtSeconds", ["src/limits.ts", "src/network/conversations.ts"]],
  ["Circumstances", ["src/schema/index.ts", "src/schema/language/message-context.ts"]],
  ["circumstances", ["src/schema/language/field-tree.ts", "src/schema/tree/nodes.ts", "src/schema/skim/lazy-tree.ts"]],
  ["Introduction", ["src/schema/index.ts", "src/schema/language/derived.ts"]],
  ["spokenBy", ["src/session/recognised-conversation.ts", "src/session/tracked-session.ts"]],
  ["makeshift", ["src/schema/language/derived.ts"]],
]);
