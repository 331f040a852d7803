/** Another copy of the schema language than the one that is tested: see `build/tested.ts`. */
export * from "../../src/schema/index.js";
export { Field } from "../../src/schema/language/field.js";
