/** Display filters, and the paths that they share with the columns of `--format fields`. */

export { compileFilter, type MessageFilter } from "./compile.js";
export { completionsAt, type FilterCompletion } from "./completions.js";
export { FilterError } from "./language/filter-error.js";
export { parsePath } from "./language/parser.js";
export { lineFilter } from "./line-filter.js";
export type { MessageField } from "./message-field.js";
export { messageFields, SUMMARY } from "./message-fields.js";
export type { FieldPath } from "./path/field-path.js";
export { resolvePath } from "./path/resolve-path.js";
export { NamedNumber, type Scalar } from "./scalar.js";
export { Vocabulary } from "./vocabulary.js";
