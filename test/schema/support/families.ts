import { Family, struct, u8 } from "../../../src/schema/index.js";
import { u16 } from "../../../src/schema/words/little-endian.js";

/** Tag 0 is null; the horse is undeclared. */
export const animals = new Family("animals", "kind", u8, { nullTag: 0, names: new Map([[3, "Horse"]]) });

/** None of its classes is declared, and none can be null. */
export const stones = new Family("stones", "weight", u16);

export const Dog = struct("Dog", { age: u8 }, { tag: 1 });
export const Cat = struct("Cat", { lives: u16 }, { tag: 2 });

animals.register(Dog, Cat);
