import { expectObject } from "../../common/expect-object.js";
import { suggestion } from "../../common/nearest.js";
import { flag } from "../language/condition.js";
import { expectType } from "../language/is-type.js";
import type { Type } from "../language/type.js";
import type { BitNames } from "./numbers.js";

/** Makes a field present only if at least one of these flags is set, along with any other conditions that it has. */
export type OptionalBy<N extends BitNames> = <V>(
  type: Type<V, boolean>,
  flagName: keyof N & string,
  ...others: readonly (keyof N & string)[]
) => Type<V, true>;

/**
 * Returns a word for the fields whose presence an earlier field says, flag by flag:
 *
 *     const optional = optionalBy("has", Has);
 *     struct("Join", { has: flags(u8, Has), nick: optional(prefixed(u8, text), "Nick"), ... })
 *
 * @param field the field with the flags, `"a.b"` for a field of an earlier struct
 * @param names the flags with their names, as given to `flags`; only the lowest 32 can be used
 */
export function optionalBy<N extends BitNames>(field: string, names: N): OptionalBy<N> {
  if (typeof field !== "string") throw new Error("optionalBy() is given the name of the field with the flags first");
  expectObject(names, "names", "{ Name: 1 }");
  return (type, ...flagNames) => {
    expectType(type, `what is optional by ${field}`);
    let mask = 0;
    for (const name of flagNames) {
      const bits = Object.hasOwn(names, name) ? names[name] : undefined;
      if (bits === undefined) {
        throw new Error(`${field} has no flag named ${String(name)}${suggestion(String(name), Object.keys(names))}`);
      }
      // Throws for bits that cannot be tested.
      mask |= flag(field, Number(bits)).mask;
    }
    return type.when(flag(field, mask));
  };
}
