import { isNamed } from "../../schema/describe/declared-parts.js";
import type { Field } from "../../schema/language/field.js";
import type { Selection, Wanted } from "../../schema/language/field-tree.js";
import { isCalled } from "../vocabulary.js";
import type { Step } from "./step.js";

/** The nodes that are looked at to follow a path, so that no others need be decoded. */
export class PathSelection implements Selection {
  /** @param isRead true if values are read where the path leads, not only found */
  constructor(
    readonly steps: readonly Step[],
    readonly isRead: boolean,
  ) {}

  wants(field: Field): Wanted | undefined {
    let wanted: Wanted | undefined;
    for (const [index, step] of this.steps.entries()) {
      const { name, isField, isClass, isDerived, isLoose } = step;
      // Values that are not in nodes are computed from whatever is in their struct.
      if (isLoose || (isDerived && field.struct?.derived.some((derived) => derived.name === name))) return "whole";
      const isCalledSo = isField && isCalled(field, name);
      if (!isCalledSo && !(isClass && field.struct !== undefined && isNamed(field.struct, name))) continue;
      if (this.isRead && index === this.steps.length - 1) return "whole";
      wanted = "node";
    }
    return wanted;
  }
}
