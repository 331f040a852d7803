import type { BrokenField } from "../../diagnose/index.js";
import type { Dissector } from "../../index.js";
import { factsText } from "../../output/text/declared.js";
import { colorless } from "../../output/text/palette.js";
import { declaredUnder } from "../../reference/declared-under.js";
import { ownFacts } from "../../schema/describe/field-list.js";

/** The line of a declaration that a message breaks, as `fields` prints it; undefined if there is none. */
export function brokenFieldText({ type, path }: BrokenField, dissectors: readonly Dissector[]): string | undefined {
  for (const { struct } of declaredUnder(type, dissectors).declared) {
    const facts = ownFacts(struct).filter((fact) => fact.path === path);
    if (facts.length > 0)
      return `${type}: ${factsText(facts.slice(0, 1), { colors: colorless, isPage: false }).trim()}`;
  }
  return undefined;
}
