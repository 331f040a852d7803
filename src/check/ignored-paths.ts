import type { FieldPath } from "../filter/index.js";

/** The place of a value, with respect to the paths that are left out. */
export interface Place {
  /**
   * Descends to a member.
   *
   * @param name of the member; empty for an element of an array
   * @param classes names of the classes of its value
   * @returns undefined if it is left out
   */
  enter(name: string, classes: readonly string[]): Place | undefined;
}

/** The place from which nothing is left out. */
export const everywhere: Place = { enter: () => everywhere };

/** How far a path has been matched: the index of the name to look for next. */
interface Search {
  readonly path: FieldPath;
  readonly index: number;
}

/** The place above all messages, with the given paths left out. They are paths as in display filters. */
export function without(paths: readonly FieldPath[]): Place {
  return paths.length === 0 ? everywhere : new Searching(paths.map((path) => ({ path, index: 0 })));
}

class Searching implements Place {
  constructor(readonly searches: readonly Search[]) {}

  enter(name: string, classes: readonly string[]): Place | undefined {
    const next: Search[] = [];
    for (const { path, index } of this.searches) {
      const step = path.steps[index];
      if (step === undefined) continue;
      // Elements of an array have no names: what is directly below the array is directly below its elements.
      if (index === 0 || !step.isDirect || name === "") next.push({ path, index });
      let found = index;
      if ((step.isField || step.isDerived) && step.name === name) found++;
      // A class may be named after the field that is of that class.
      if (isOfClass(path, found, classes)) found++;
      if (found === path.steps.length) return undefined;
      if (found > index) next.push({ path, index: found });
    }
    return new Searching(next);
  }
}

function isOfClass({ steps }: FieldPath, index: number, classes: readonly string[]): boolean {
  const step = steps[index];
  return step?.isClass === true && classes.includes(step.name);
}
