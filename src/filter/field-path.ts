import type { PathText } from "./expression.js";
import { FilterError } from "./filter-error.js";
import { messageFields } from "./message-fields.js";
import { FieldPath, type Step } from "./path.js";
import type { Term, Vocabulary } from "./vocabulary.js";

/**
 * Finds out what the names of a path stand for.
 *
 * @throws FilterError for a name that stands for nothing, or never stands behind the one before it
 */
export function fieldPath({ names, start }: PathText, vocabulary: Vocabulary, text: string): FieldPath {
  const steps: Step[] = [];
  let offset = text[start] === "." ? start + 1 : start;
  let isLoose = false;
  let outer: Term | undefined;
  for (const name of names) {
    const term = vocabulary.get(name);
    if (!isLoose) {
      const mistake = mistakeIn(name, term, outer, vocabulary, names.length === 1);
      if (mistake !== undefined) throw new FilterError(mistake, text, { start: offset, length: name.length });
    }
    steps.push({
      name: term?.name ?? name,
      isField: isLoose || (term?.fields.size ?? 0) > 0,
      isClass: isLoose || term?.isClass === true,
      isDerived: isLoose || term?.isDerived === true,
      isDirect: !isLoose && outer !== undefined && vocabulary.declares(outer, name),
      isLoose,
    });
    isLoose ||= term?.isOpen === true;
    outer = term;
    offset += name.length + 1;
  }
  return new FieldPath(steps, isLoose ? undefined : outer);
}

function mistakeIn(
  name: string,
  term: Term | undefined,
  outer: Term | undefined,
  vocabulary: Vocabulary,
  isAlone: boolean,
): string | undefined {
  if (term === undefined) {
    const others = isAlone ? [...messageFields.keys()] : [];
    return `there is no field, class or message ${name}${vocabulary.suggestion(name, others)}`;
  }
  return outer === undefined || vocabulary.canHold(outer, name) ? undefined : `there is no ${name} in ${outer.name}`;
}
