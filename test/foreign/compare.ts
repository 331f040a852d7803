import { kindOf } from "./kinds.js";
import type { ForeignConversation, ForeignPart, ForeignView, OwnConversation, OwnView } from "./views.js";

/** A direction of a TCP conversation that differs from tshark's, or conversations that only one program has. */
export interface Difference {
  /** tshark's number of the conversation, or the numbers joined by "+"; this program's after "own " if tshark has none. */
  readonly stream: string;
  readonly sender: string;
  readonly kind: string;
  /** Why it is none to be mended; undefined if nothing explains it. */
  readonly reason?: string | undefined;
  /** Lengths and where the two part. */
  readonly detail: string;
}

export interface Comparison {
  /** Directions in which either program has bytes. */
  readonly directions: number;
  readonly equal: number;
  readonly differences: readonly Difference[];
}

/** Conversations of the two programs between the same ends that have packets in common. */
export interface Match {
  readonly own: readonly OwnConversation[];
  readonly foreign: readonly ForeignConversation[];
}

/** Compares what each sender has sent in each TCP conversation. */
export function compare(own: OwnView, foreign: ForeignView): Comparison {
  let directions = 0;
  let equal = 0;
  const differences: Difference[] = [];
  for (const match of matches(own.tcp, foreign.tcp)) {
    for (const sender of new Set([...match.own, ...match.foreign].flatMap(({ ends }) => ends))) {
      const ours = match.own.map(({ sent }) => sent[sender] ?? "");
      const parts: readonly ForeignPart[][] = match.foreign.map(({ sent }) => [...(sent[sender] ?? [])]);
      const theirs = parts.map((list) => list.map(({ bytes }) => bytes).join(""));
      const count = Math.max(...[ours, theirs].map((texts) => texts.filter((text) => text !== "").length));
      if (count === 0) continue;
      directions += count;
      if (match.own.length === match.foreign.length && ours.join("") === theirs.join("")) {
        equal += count;
        continue;
      }
      const { name, reason } = kindOf(match, ours, parts.flat());
      const detail = detailOf(ours.join(""), theirs.join(""));
      const difference = { stream: streamText(match), sender, kind: name, reason, detail };
      for (let index = 0; index < count; index++) differences.push(difference);
    }
  }
  return { directions, equal, differences };
}

function streamText({ own, foreign }: Match): string {
  const numbers = (list: readonly { readonly stream: number }[]): string => list.map(({ stream }) => stream).join("+");
  return foreign.length === 0 ? `own ${numbers(own)}` : numbers(foreign);
}

function detailOf(own: string, foreign: string): string {
  let at = 0;
  while (at < own.length && at < foreign.length && own[at] === foreign[at]) at++;
  const excerpt = (text: string): string => JSON.stringify(text.slice(at, at + 40));
  return `${own.length} and ${foreign.length} bytes, from ${at}: ${excerpt(own)} and ${excerpt(foreign)}`;
}

/** Conversations of both programs that belong together. */
export function matches(own: readonly OwnConversation[], foreign: readonly ForeignConversation[]): Match[] {
  const found: Match[] = [];
  const foreignOf = byEnds(foreign);
  const ownOf = byEnds(own);
  for (const ends of new Set([...ownOf.keys(), ...foreignOf.keys()])) {
    found.push(...matchesBetween(ownOf.get(ends) ?? [], foreignOf.get(ends) ?? []));
  }
  return found;
}

/** @param own conversations between two ends, and tshark's between the same ones */
function matchesBetween(own: readonly OwnConversation[], foreign: readonly ForeignConversation[]): Match[] {
  const sorted = [...foreign].sort((a, b) => a.first - b.first);
  const groups = sorted.map((conversation) => ({ own: [] as OwnConversation[], foreign: [conversation] }));
  const lone: OwnConversation[] = [];
  for (const conversation of own) {
    // It belongs to the conversation that tshark began last.
    const group = groups.findLast(({ foreign: [begun] }) => begun !== undefined && begun.first <= conversation.first);
    const place = group ?? groups[0];
    if (place === undefined) lone.push(conversation);
    else place.own.push(conversation);
  }
  const joined: typeof groups = [];
  for (const group of groups) {
    const before = joined.at(-1);
    // This program has only one where tshark has several.
    const spans = before?.own.some(({ last }) => last >= (group.foreign[0]?.first ?? 0)) ?? false;
    if (before !== undefined && group.own.length === 0 && spans) before.foreign.push(...group.foreign);
    else joined.push(group);
  }
  return [...joined, ...lone.map((conversation) => ({ own: [conversation], foreign: [] }))];
}

function byEnds<T extends { readonly ends: readonly [string, string] }>(conversations: readonly T[]): Map<string, T[]> {
  const result = new Map<string, T[]>();
  for (const conversation of conversations) {
    const key = [...conversation.ends].sort().join(" ");
    const known = result.get(key);
    if (known === undefined) result.set(key, [conversation]);
    else known.push(conversation);
  }
  return result;
}
