import type { Dissected } from "../../dissect/message.js";
import { printable } from "../writers/sanitise.js";
import { firstFacts } from "./summary-text.js";

/** Facts that say enough about what was asked. */
const MOST_FACTS = 2;

/** What a request asks for, as people would say it. */
export interface Asked {
  /** What kind of thing it is about: "file"; empty if nothing says so. */
  readonly kind: string;
  /** "file dat/global.age"; empty if the request has no facts. */
  readonly text: string;
}

/** What a request asks for: the first of the facts in its summary. Safe for a terminal. */
export function askedIn({ nodes }: Dissected): Asked {
  const facts = nodes === undefined ? [] : firstFacts(nodes, MOST_FACTS).map(factOf);
  const told = facts.filter(({ value }) => value !== "");
  return { kind: told[0]?.kind ?? "", text: told.map(({ kind, value }) => `${kind} ${value}`.trim()).join(", ") };
}

/** A fact like `fileName="dat/global.age"`, as `kind` "file" and `value`. */
function factOf(text: string): { readonly kind: string; readonly value: string } {
  const [, name, value] = /^(\w+)=(.*)$/su.exec(text) ?? [];
  if (name === undefined || value === undefined) return { kind: "", value: text };
  const kind = words(name).replace(/ (?:name|id|path)$/, "");
  return { kind, value: value.replace(/^"(.*)"$/su, "$1") };
}

/** Nothing is known about what was asked. */
export const NOTHING: Asked = { kind: "", text: "" };

/** Why a request failed, in words: "not found". @param error its name: "kNetErrFileNotFound" */
export function reasonIn(error: string, { kind }: Asked): string {
  const reason = words(printable(error).replace(/^kNetErr(?=[A-Z])/, ""));
  // "file x: file not found" would say it twice.
  const thing = kind.split(" ").at(-1) ?? "";
  const said = [`${thing} `, `vault ${thing} `].find((start) => thing !== "" && reason.startsWith(start));
  return said === undefined ? reason : reason.slice(said.length);
}

/** A name like `playerVaultNodeId` as lower-case words. */
function words(name: string): string {
  return name.replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, " ").toLowerCase();
}
