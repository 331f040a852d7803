import type { PathText } from "../language/expression.js";
import { FilterError } from "../language/filter-error.js";
import { unknownName } from "../mistakes/unknown-name.js";
import type { Term, Vocabulary } from "../vocabulary.js";
import { FieldPath } from "./field-path.js";
import type { Step } from "./step.js";

/**
 * Determines what the names of a path stand for.
 *
 * @throws FilterError for a name that stands for nothing, or can never follow the one before it
 */
export function resolvePath(path: PathText, vocabulary: Vocabulary, text: string): FieldPath {
  const { names, start } = path;
  const steps: Step[] = [];
  let offset = text[start] === "." ? start + 1 : start;
  let isLoose = false;
  let outer: Term | undefined;
  for (const name of names) {
    const term = vocabulary.get(name);
    if (term === undefined && !isLoose) throw unknownName(path, name, offset, vocabulary, text);
    if (!isLoose && outer !== undefined && !vocabulary.canHold(outer, name)) {
      throw new FilterError(`there is no ${name} in ${outer.name}`, text, { start: offset, length: name.length });
    }
    steps.push({
      name,
      isField: isLoose || (term?.fields.size ?? 0) > 0,
      isClass: isLoose || term?.isClass === true,
      isDerived: isLoose || (term?.derived.length ?? 0) > 0,
      isDirect: !isLoose && outer !== undefined && vocabulary.declares(outer, name),
      isLoose,
    });
    isLoose ||= term?.isOpen === true;
    outer = term;
    offset += name.length + 1;
  }
  return new FieldPath(steps, isLoose ? undefined : outer);
}
