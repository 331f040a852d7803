import type { Field } from "../language/field.js";
import { Opcode } from "../language/opcode.js";

/** The types that a choice leads to, through regions and further choices; none for another field. */
export function alternativesIn({ opcode, inner, otherForm, alternatives }: Field): readonly Field[] {
  const below = opcode === Opcode.Region && inner !== undefined ? [inner] : alternatives;
  const other = otherForm === undefined ? [] : [otherForm.content];
  return [...below, ...other].flatMap((one) => {
    const within = alternativesIn(one);
    return within.length === 0 ? [one] : within;
  });
}
