import type { Field } from "../../schema/language/field.js";
import { isBoolean, isFloat, isSmallWhole, Opcode } from "../../schema/language/opcode.js";

/** True if all values of a field are texts in JSON. */
export function isTextual(field: Field): boolean {
  const { opcode, meaning, codec, inner, otherForm, alternatives, struct } = field;
  if (meaning?.form === "enumeration" || meaning?.form === "text") return true;
  if (meaning?.form === "flags") return false;
  switch (opcode) {
    case Opcode.Struct:
      return struct?.shownAs !== undefined;
    case Opcode.Polymorphic:
    case Opcode.Array:
    case Opcode.Tuple:
    case Opcode.Resolved:
      return false;
    case Opcode.Region:
      return [inner, otherForm?.content].every((one) => one === undefined || isTextual(one));
    case Opcode.Choice:
      return alternatives.every(isTextual);
    case Opcode.Codec:
      return codec?.yields === "text";
    default:
      return !(isBoolean(opcode) || isFloat(opcode) || isSmallWhole(opcode));
  }
}
