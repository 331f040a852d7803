/** Display filters, and the paths that they share with the columns of `--format fields`. */

export { compileFilter, type MessageFilter } from "./compile.js";
export { completionsAt, type FilterCompletion } from "./completions.js";
export type { FieldPath } from "./field-path.js";
export { FilterError } from "./language/filter-error.js";
export { parsePath } from "./language/parser.js";
export { lineFilter } from "./line-filter.js";
export type { MessageField } from "./message-field.js";
export { messageFields, SUMMARY } from "./message-fields.js";
export { resolvePath } from "./resolve-path.js";
export { NamedNumber, type Scalar } from "./scalar.js";
export { Vocabulary } from "./vocabulary.js";
