/** What the page and its worker tell each other. Everything here is plain data: it is copied between the two. */

import type { FileKind } from "./served.js";

/** Where a file comes from: dropped on the page, or served beside it. */
export interface InputFile {
  readonly name: string;
  readonly source: Blob | { readonly url: string };
  /** Undefined if its contents have to tell. */
  readonly kind?: FileKind | undefined;
  /** True for a recording that still grows. */
  readonly isLive?: boolean;
}

/** How captures are read. */
export interface SessionSettings {
  readonly decodeAs?: readonly string[];
  readonly limits?: Readonly<Record<string, number>>;
}

/** How far the reading is. */
export interface Progress {
  readonly phase: "reading" | "done" | "failed";
  /** Names of the captures. */
  readonly captures: readonly string[];
  /** Bytes of the captures that have been read, and all of them; undefined where nobody knows. */
  readonly bytes: number;
  readonly totalBytes: number | undefined;
  readonly messages: number;
  readonly conversations: number;
  /** What is odd about captures and keys, in sentences. */
  readonly remarks: readonly string[];
}

/** The list after a filter. Which of two is newer, `generation` and then `lookedAt` say. */
export interface Shown {
  /** How many filters there have been. */
  readonly generation: number;
  /** How many messages of those looked at pass. */
  readonly count: number;
  /** How many were looked at: the rest follows. */
  readonly lookedAt: number;
}

/** One line of the list. Texts are as in `--format summary`. */
export interface Row {
  /** Place in the list, from 0. */
  readonly place: number;
  readonly number: number;
  readonly time: string;
  /** Seconds since the first packet of the capture. */
  readonly seconds: number;
  readonly stream: number;
  /** The client's end of the conversation. */
  readonly client: string;
  readonly server: string;
  readonly isFromServer: boolean;
  readonly protocol: string;
  /** Number of the protocol's colour. */
  readonly hue: number;
  readonly name: string;
  readonly summary: string;
  /** What is wrong, in brackets; empty if all is well. */
  readonly mark: string;
  readonly status: string;
  /** The name of the error that a reply reports. */
  readonly error: string | undefined;
}

/** A line of a field tree. */
export interface TreeLine {
  readonly text: string;
  readonly kind: "field" | "note" | "derived";
  readonly depth: number;
  /** Number of the source of its bytes, and where they are in it; undefined for what has none. */
  readonly source: number | undefined;
  readonly start: number;
  readonly end: number;
  /** Path in the message, with the place in each list; empty for what has none. */
  readonly path: string;
  /** What filters call it; empty for what has no path. */
  readonly name: string;
  /** What filters compare it with, as an expression: `"Kirel"`; undefined if nothing can. */
  readonly value: string | undefined;
  /** The text that finds the value: `Kirel`; undefined if there is no such value. */
  readonly sought: string | undefined;
  /** Number of the message that showed the name behind this number. */
  readonly namedIn: number | undefined;
}

/** Bytes of a message, or what was inflated from it. */
export interface TreeSource {
  readonly title: string;
  readonly bytes: Uint8Array;
}

/** All of one message. */
export interface Detail {
  readonly row: Row;
  readonly heading: string;
  readonly lines: readonly TreeLine[];
  readonly sources: readonly TreeSource[];
  /** Numbers of the request that it answers, and of its first reply. */
  readonly answers: number | undefined;
  readonly milliseconds: number | undefined;
  readonly answeredBy: number | undefined;
  readonly frames: readonly number[];
}

/** What may follow in a filter. */
export interface Completion {
  readonly text: string;
  readonly doc: string;
  /** Characters before the cursor that it replaces. */
  readonly replaces: number;
}

/** Why a filter cannot be used, as the command line words it. */
export interface FilterProblem {
  readonly message: string;
}

/** A conversation. */
export interface Lane {
  readonly stream: number;
  readonly title: string;
  readonly protocol: string;
  readonly hue: number;
  readonly player: string;
  readonly first: number;
  readonly last: number;
  readonly messages: number;
  /** Bytes that were not recorded. */
  readonly missing: number;
  /** Requests that failed. */
  readonly failed: number;
  /** Messages that are malformed, unknown or encrypted. */
  readonly odd: number;
  /** Milliseconds of the slowest first reply to a request; 0 if there is none. */
  readonly slowest: number;
}

/**
 * The time line between two times: in each column, what happens in all conversations, then in each lane. Arrays have
 * (1 + lanes.length) × columns values.
 */
export interface TimelineView {
  /** Seconds since the first packet of the capture. */
  readonly from: number;
  readonly to: number;
  readonly columns: number;
  /** Of the conversations with most messages. */
  readonly lanes: readonly Lane[];
  /** How many conversations there are. */
  readonly conversations: number;
  /** Messages. */
  readonly counts: Uint32Array;
  /** Messages of each protocol's colour, of all conversations: those of the first column, then of the next one. */
  readonly kinds: Uint32Array;
  /** The worst of them: 0 nothing, 1 ok, 2 a failed request, 3 malformed or unknown or encrypted, 4 missing bytes. */
  readonly worst: Uint8Array;
  /** Number of the first message, and of the first of the worst ones; 0 for none. */
  readonly firsts: Uint32Array;
  readonly worstFirsts: Uint32Array;
  /** Milliseconds that the slowest first reply took that came then, within 5 %; 0 for none. */
  readonly waits: Float32Array;
}

/** A line of the sequence diagram: who says what to whom. */
export interface Arrow {
  readonly place: number;
  readonly number: number;
  readonly seconds: number;
  /** Indices of participants; undefined for one that is not among them. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly name: string;
  readonly summary: string;
  readonly row: Row;
}

interface CountedName {
  readonly protocol: string;
  readonly name: string;
  readonly count: number;
}

interface TimedName extends CountedName {
  readonly median: number;
  readonly p95: number;
  readonly max: number;
}

/** The messages of a player, or of a place. */
export interface PartyRow {
  /** Its number, with what such a number is called. */
  readonly id: string;
  readonly name: string;
  readonly sent: number;
  readonly received: number;
}

/** Something in each of many spans of time. */
export interface Columns {
  /** Seconds from the first packet to the first column, and seconds of each. */
  readonly begin: number;
  readonly width: number;
  readonly values: readonly number[];
}

/** Sums over the messages that pass the filter, those with most first. Times are in milliseconds. */
export interface SessionStatistics {
  readonly messages: { readonly count: number; readonly bytes: number };
  /** How many messages there are, whether they pass or not. */
  readonly of: number;
  readonly seconds: number;
  readonly types: readonly (CountedName & { readonly bytes: number })[];
  readonly classes: readonly { readonly name: string; readonly count: number; readonly bytes: number }[];
  readonly players: readonly PartyRow[];
  readonly places: readonly PartyRow[];
  readonly errors: readonly (CountedName & { readonly error: string })[];
  readonly latencies: readonly TimedName[];
  readonly pings: readonly TimedName[];
  /** Undefined if there is a filter, which may hide replies. */
  readonly unanswered: readonly (CountedName & { readonly numbers: readonly number[] })[] | undefined;
  /** With the filter that lists it. */
  readonly trouble: readonly {
    readonly name: string;
    readonly count: number;
    readonly bytes: number;
    readonly filter: string;
  }[];
  /** Messages over time, and the slowest first reply to a request. */
  readonly rates: Columns;
  readonly waits: Columns;
}

/** A declared thing of the reference, in its list. */
export interface ReferenceEntry {
  readonly name: string;
  readonly protocol: string;
  readonly directions: readonly string[];
  readonly doc: string;
}

/** A line of a layout. */
export interface LayoutField {
  readonly path: string;
  readonly kind: string;
  readonly bytes: string;
  readonly count: string;
  readonly when: string;
  readonly meaning: string;
  readonly names: readonly { readonly number: string; readonly name: string }[];
  readonly doc: string;
  /** The declared type of this name, if there is one. */
  readonly refers: string | undefined;
}

/** Everything that is declared about one thing. */
export interface ReferencePage extends ReferenceEntry {
  /** Where it is declared, and what that is made from: empty for what is not built in. */
  readonly sources: readonly { readonly file: string; readonly source: string }[];
  readonly fields: readonly LayoutField[];
  readonly usedBy: readonly string[];
  /** Number of the first message of the open capture that has it. */
  readonly example: number | undefined;
}

/** Something that was said. */
export interface ChatRow {
  readonly number: number;
  readonly time: string;
  readonly from: string;
  readonly to: string;
  readonly channel: string;
  readonly text: string;
}

/** What was said, up to a line, and how much there is. */
export interface ChatRows {
  readonly rows: readonly ChatRow[];
  readonly count: number;
  /** How many lines are not kept, because there are too many. */
  readonly leftOut: number;
}

/** A node of the vault in its tree. */
export interface VaultRow {
  readonly id: string;
  readonly depth: number;
  readonly title: string;
  /** What is odd about it: never shown, deleted, changed since. */
  readonly mark: string;
}

/** Everything about a node. */
export interface VaultNodePage {
  readonly id: string;
  readonly title: string;
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  readonly parents: readonly string[];
  readonly history: readonly { readonly number: number; readonly what: string; readonly changes: readonly string[] }[];
}

/** The variables of an object at a moment. */
export interface StateRow {
  readonly key: string;
  readonly object: string;
  readonly set: string;
  readonly version: number;
  readonly number: number;
  readonly variables: readonly VariableRow[];
}

/** A value that somebody has stated, and in which message. */
export interface StatedValue {
  readonly value: string;
  readonly number: number;
}

/** A variable with its latest value, and what the other side has said of it if that is not the same. */
export interface VariableRow extends StatedValue {
  readonly name: string;
  readonly other: (StatedValue & { readonly by: "client" | "server" }) | undefined;
}

/** Something that happened to a player, or that a player did. */
export interface SessionLineRow {
  /** Seconds since the first packet. */
  readonly seconds: number;
  readonly what: string;
  /** Undefined for what nobody has asked for. */
  readonly outcome: "asked" | "done" | "failed" | undefined;
  readonly result: string;
  /** Of its messages. */
  readonly numbers: readonly number[];
}

/** A conversation of a player. */
export interface SessionPartRow {
  readonly stream: number;
  readonly client: string;
  readonly protocol: string;
  readonly hue: number;
  readonly seconds: number;
  readonly lines: readonly SessionLineRow[];
}

/** Everything of a player, or of a client that has chosen none. */
export interface PlayerRow {
  readonly who: string;
  readonly parts: readonly SessionPartRow[];
}

/** Who played, and how many more conversations there are. */
export interface PlayerRows {
  readonly rows: readonly PlayerRow[];
  readonly leftOut: number;
}

/** Something that can be saved, or played. */
export interface ObjectRow {
  /** Stays the same while a recording grows. */
  readonly id: string;
  readonly kind: "file" | "picture" | "voice";
  readonly name: string;
  readonly bytes: number;
  /** How long it plays. */
  readonly seconds: number | undefined;
  readonly number: number;
  readonly state: string;
  /** The type of what browsers show or play of it; empty if they do not. */
  readonly type: string;
}

/** What can be saved or played, and how many more there are. */
export interface FoundObjectRows {
  readonly rows: readonly ObjectRow[];
  readonly leftOut: number;
}

/** Where a text was found. */
export interface FoundText {
  /** Of the message in the list. */
  readonly place: number;
  /** Of the field; empty if it is in the name of the message. */
  readonly path: string;
}

/** The questions that the page asks. */
export interface SessionApi {
  /** Opens captures, key files and definition files, told apart by their contents. */
  open(
    files: readonly InputFile[],
    settings: SessionSettings,
    onProgress: (progress: Progress, shown: Shown) => void,
  ): Promise<void>;
  /** True if one of some files is a capture: keys and definitions are for one. */
  haveCapture(files: readonly InputFile[]): Promise<boolean>;
  /**
   * Sets the filter of the list; an empty one shows everything. Returns what is shown then: calls of `onShown` may come
   * later, since they take another way. Undefined if another filter has taken its place before all was looked at.
   */
  filter(expression: string, onShown: (shown: Shown) => void): Promise<FilterProblem | Shown | undefined>;
  /** Says whether a filter can be used. */
  checkFilter(expression: string): FilterProblem | undefined;
  complete(expression: string, cursor: number): readonly Completion[];
  rows(first: number, count: number): readonly Row[];
  /** The place in the list of a message, or of the first one after it. */
  placeOf(number: number): number;
  /** What is at a place of the list. */
  detailAt(place: number): Detail | undefined;
  /** The next message that contains a text (names, values) or bytes; undefined if there is none. */
  find(text: string, from: number, isBackwards: boolean): Promise<FoundText | undefined>;
  /** Who takes part in the messages of the list: clients, then servers. */
  participants(): readonly string[];
  arrows(first: number, count: number): readonly Arrow[];
  timeline(columns: number, from: number | undefined, to: number | undefined): TimelineView;
  /** The time so many seconds after the first packet, as filters take it; undefined if there is none. */
  timeAt(seconds: number): string | undefined;
  /** Sums over what the filter has let through so far. */
  statistics(): Promise<SessionStatistics>;
  /** The first so many lines of chat. */
  chat(most: number): ChatRows;
  /** The vault as it was after a message. */
  vault(number: number): Promise<readonly VaultRow[]>;
  vaultNode(id: string, number: number): Promise<VaultNodePage | undefined>;
  /** The states of all objects after a message. */
  states(number: number): Promise<readonly StateRow[]>;
  players(): PlayerRows;
  objects(): Promise<FoundObjectRows>;
  /** An object as it is saved. */
  object(id: string): Uint8Array | undefined;
  /** An object as browsers show or play it. */
  shownObject(id: string): Uint8Array | undefined;
  references(): readonly ReferenceEntry[];
  reference(name: string): ReferencePage | undefined;
}
