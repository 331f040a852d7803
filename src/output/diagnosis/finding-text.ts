import { counted } from "../../common/counted.js";
import { type Finding, findingKinds } from "../../diagnose/index.js";
import type { Palette } from "../text/palette.js";
import { cutEnd } from "../writers/text-width.js";
import { exampleTexts, filterText, findingText } from "./finding-words.js";

/** Where texts begin, after the kind. */
const INDENT = 13;

/** What a finding is shown with. */
interface FindingStyle {
  readonly colors: Palette;
  /** Of the terminal in columns. Filters are not cut: they are there to be copied. */
  readonly width: number;
  /** The declaration of the field where a malformed message breaks off. */
  readonly declaration: (finding: Finding) => string | undefined;
}

/** A finding as text: what it is, examples, what to do, and the filter that shows it. */
export function findingLines(finding: Finding, { colors, width, declaration }: FindingStyle): string {
  const severity = colors.severity(findingKinds[finding.kind]);
  const room = width - INDENT;
  const head = `${severity(finding.kind.padEnd(INDENT))}${cutEnd(findingText(finding), room).text}`;
  const examples = exampleTexts(finding).join("; ");
  const more = [
    ...(examples === "" ? [] : [cutEnd(examples, room).text]),
    ...[declaration(finding) ?? []].flat().map((text) => cutEnd(text, room).text),
    ...[finding.advice ?? []].flat(),
    colors.faint(filterText(finding)),
  ];
  return [head, ...more.map((line) => " ".repeat(INDENT) + line)].map((line) => `${line}\n`).join("");
}

/** What a diagnosis says at its beginning. */
export function diagnosisHead(
  counts: { readonly messages: number; readonly conversations: number },
  found: number,
): string {
  const seen = `${counted(counts.messages, "message")} in ${counted(counts.conversations, "conversation")}`;
  return `${seen}: ${found === 0 ? "nothing that a person should look at" : `${counted(found, "finding")}, the worst first`}\n`;
}
