import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/** Says what is wrong with a value. */
export type SchemaCheck = (value: unknown) => readonly string[];

// To optimise the code takes longer than to run it as it is. That schemas are valid is checked where they are whole.
const OPTIONS = { allowUnionTypes: true, strictTypes: false, inlineRefs: false, code: { optimize: false } };

/** As many alternatives are compiled in any case; of more, only those that may match. */
const FEW = 8;
/** Stands in place of `anyOf` where only the alternatives that may match are compiled. */
const ANY_LAZILY = "anyOfLazily";
/** Where definitions are in a schema. */
const DEFINITIONS = "#/$defs/";

const made = new Map<string, SchemaCheck>();

/**
 * The check of a JSON Schema, made once for all that need it. Where the schema says something about each of hundreds of
 * messages and classes, only what concerns the message and the classes of a value is compiled and applied.
 */
export function schemaCheck(schema: object): SchemaCheck {
  const text = JSON.stringify(schema);
  const check = made.get(text) ?? checkOfAlternatives(schema) ?? checkByMessage(text);
  made.set(text, check);
  return check;
}

/** Compiles a JSON Schema as a whole, which takes a while. */
export function wholeSchemaCheck(schema: object): SchemaCheck {
  const validate = new Ajv2020(OPTIONS).compile(schema);
  return (value) => problemsOf(value, validate);
}

interface Definition {
  readonly properties?: { readonly class?: { readonly const?: unknown } };
}

interface Whole {
  readonly allOf?: readonly object[];
  readonly $defs?: Readonly<Record<string, Definition>>;
}

/** The check of a schema that has several for whole values; undefined if it is not one. */
function checkOfAlternatives(schema: object): SchemaCheck | undefined {
  const { anyOf, ...others } = Object(schema);
  if (!Array.isArray(anyOf)) return undefined;
  const checks = anyOf.map((one: object) => schemaCheck({ ...others, ...one }));
  return (value) => {
    const problems = checks.map((check) => check(value));
    return problems.some(({ length }) => length === 0) ? [] : problems.flat();
  };
}

function checkByMessage(text: string): SchemaCheck {
  const whole: Whole = JSON.parse(text, inParts);
  const { allOf = [], $defs = {}, ...rest } = whole;
  const ajv = new Ajv2020({ ...OPTIONS, validateSchema: false });
  const definitions = new Map(Object.entries($defs).map(([name, definition]) => [idOf(name), definition]));
  ajv.addKeyword({
    keyword: ANY_LAZILY,
    compile: (ids: readonly string[]) => (value: unknown) =>
      ids.filter((id) => mayMatch(definitions.get(id), value)).some((id) => checkOf(ajv, id)(value)),
  });
  // A schema within another one would be compiled with all of that.
  for (const [$id, definition] of definitions) ajv.addSchema({ ...definition, $id });
  const validateRest = ajv.compile({ ...rest, $id: "rest" });
  const parts = new Map<unknown, string[]>();
  for (const [index, part] of allOf.entries()) {
    const message = onlyMessage(part);
    const $id = `part.${index}`;
    ajv.addSchema({ ...part, $id });
    parts.set(message, [...(parts.get(message) ?? []), $id]);
  }
  return (value) => {
    const { message } = Object(value);
    // Without a message, all conditions on it are met.
    const names = message === undefined ? [...parts.keys()] : [message, undefined];
    const applied = names.flatMap((name) => parts.get(name) ?? []).map((id) => checkOf(ajv, id));
    return [validateRest, ...applied].flatMap((validate) => problemsOf(value, validate));
  };
}

/** The identifier of a definition that is a schema of its own. */
function idOf(name: string): string {
  return `definition.${encodeURIComponent(name)}`;
}

/** Makes references lead to schemas of their own, the many alternatives among them only when a value may match. */
function inParts(key: string, part: unknown): unknown {
  if (key === "$ref" && typeof part === "string" && part.startsWith(DEFINITIONS)) {
    return idOf(part.slice(DEFINITIONS.length));
  }
  const { anyOf, ...rest } = Object(part);
  if (!Array.isArray(anyOf) || anyOf.length <= FEW) return part;
  const isReference = (one: object) => "$ref" in one && Object.keys(one).length === 1;
  const references = anyOf.filter(isReference).map(({ $ref }) => $ref);
  return { ...rest, anyOf: [...anyOf.filter((one) => !isReference(one)), { [ANY_LAZILY]: references }] };
}

/** False if a value is of another class than the one that a definition asks for. */
function mayMatch(definition: Definition | undefined, value: unknown): boolean {
  const wanted = definition?.properties?.class?.const;
  return wanted === undefined || wanted === Object(value).class;
}

function checkOf(ajv: Ajv2020, id: string): ValidateFunction {
  const validate = ajv.getSchema(id);
  if (validate === undefined) throw new Error(`the schema has no ${id}`);
  return validate;
}

/** The message that a part of a schema is about; undefined if it may be about any. */
function onlyMessage(part: unknown): unknown {
  const { if: condition, else: otherwise } = Object(part);
  return otherwise === undefined ? condition?.properties?.message?.const : undefined;
}

function problemsOf(value: unknown, validate: ValidateFunction): readonly string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
