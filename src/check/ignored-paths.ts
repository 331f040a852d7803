import type { FieldPath } from "../filter/index.js";

/** Where a value stands, as far as paths are concerned that are left out. */
export interface Place {
  /**
   * Goes down to a member.
   *
   * @param name of the member; empty for an element of an array
   * @param classes names of the classes that its value is of
   * @returns undefined if it is left out
   */
  enter(name: string, classes: readonly string[]): Place | undefined;
}

/** The place from which nothing is left out. */
export const everywhere: Place = { enter: () => everywhere };

/** How far a path has been found: the index of the name that is looked for next. */
interface Search {
  readonly path: FieldPath;
  readonly index: number;
}

/** A place above all messages, from which paths are left out. They are those of display filters. */
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
      // Elements of an array have no names: what is looked for right below the array is right below them.
      if (index === 0 || !step.isDirect || name === "") next.push({ path, index });
      let found = index;
      if ((step.isField || step.isDerived) && step.name === name) found++;
      // A class may be named behind the field that is of that class.
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
