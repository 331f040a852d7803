import { Test } from "../language/condition.js";
import type { SlotCondition } from "./struct-table.js";

/** True if the number satisfies the condition. */
export function holds(condition: SlotCondition, value: number): boolean {
  switch (condition.test) {
    case Test.AnyBit:
      return (value & condition.mask) !== 0;
    case Test.MaskedEquals:
      return (value & condition.mask) === condition.operand;
    case Test.Equals:
      return value === condition.operand;
    case Test.NotEquals:
      return value !== condition.operand;
    default:
      return isInOrder(condition, value);
  }
}

/** The rarer tests. They are not in `holds` because all decoding takes 3 % longer if that is larger. */
function isInOrder({ test, operand }: SlotCondition, value: number): boolean {
  return test === Test.AtLeast ? value >= operand : value < operand;
}
