import type { Dissected, Message } from "../../src/dissect/message.js";
import { dissectors } from "../../src/index.js";
import { jsonLine, jsonTreeLine, valueLine, valueTreeLine } from "../../src/output/json/json.js";
import { lineSchema, type SchemaKind } from "../../src/output/json-schema/lines.js";
import { colorless } from "../../src/output/text/palette.js";
import { summaryLines } from "../../src/output/text/summary-line.js";
import { TextTree } from "../../src/output/text/text-tree.js";
import { TimeColumn } from "../../src/output/text/time-column.js";
import { CURRENT } from "../../src/output/writers/json-version.js";
import { declarations } from "../../src/reference/declarations.js";
import type { Type } from "../../src/schema/index.js";
import type { FieldTree } from "../../src/schema/language/field-tree.js";
import { type SchemaCheck, schemaCheck } from "../support/json-schema.js";
import { textTree } from "../support/shown.js";
import { types } from "./seeds.js";
import { Finding } from "./soundness.js";

/** What must not occur in any output. */
const UNSAFE = /[^\P{Cc}\n]|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}/u;

/** Checks all output for a message: that it is safe to print, and that JSON matches the schema. */
export class OutputCheck {
  /** Number of lines validated against a schema. */
  validated = 0;
  readonly #message: SchemaCheck;
  readonly #value: SchemaCheck;
  readonly #tree: SchemaCheck;
  /** Type names by form: a struct, a family, or the type itself. */
  readonly #names = new Map<unknown, string>([...types].map(([name, type]) => [formOf(type), name]));

  constructor() {
    // More names occur here than decode accepts.
    const declared = { ...declarations(dissectors), types };
    const compiled = (kind: SchemaKind) => schemaCheck(lineSchema(kind, declared, CURRENT));
    this.#message = compiled("message");
    this.#value = compiled("value");
    this.#tree = compiled("tree");
  }

  /** Checks a value from outside a capture. */
  value(type: Type<unknown>, nodes: FieldTree): void {
    const name = this.#names.get(formOf(type));
    const notes = nodes.notes.map(({ severity, node, text }) => ({ severity, path: nodes.path(node), text }));
    const value: Dissected = {
      name: name ?? "",
      status: nodes.outcome,
      nodes,
      offset: 0,
      length: nodes.endOf(0),
      notes,
    };
    if (name !== undefined) this.#valid(this.#value, valueLine(value));
    this.#valid(this.#tree, valueTreeLine(value));
    safe(new TextTree(style()).value(value));
  }

  message(message: Message): void {
    this.#valid(this.#message, jsonLine(message));
    this.#valid(this.#tree, jsonTreeLine(message));
    const { colors, times } = style();
    safe(Buffer.from(summaryLines(times, colors)(message)).toString());
    safe(textTree(message, style()));
  }

  #valid(check: SchemaCheck, line: string): void {
    safe(line);
    this.validated++;
    const problems = check(JSON.parse(line));
    if (problems.length === 0) return;
    throw new Finding(`not as the schema says: ${problems.slice(0, 3).join("; ")}: ${line.slice(0, 2000)}`);
  }
}

function formOf(type: Type<unknown>): unknown {
  return type.descriptor.struct ?? type;
}

function style() {
  return { colors: colorless, times: new TimeColumn("absolute"), hex: true };
}

/** Throws a finding for text that a terminal would obey. */
export function safe(text: string): void {
  const found = UNSAFE.exec(text);
  if (found === null) return;
  const code = found[0].codePointAt(0)?.toString(16);
  throw new Finding(
    `U+${code} is printed: ${JSON.stringify(text.slice(Math.max(found.index - 80, 0), found.index + 20))}`,
  );
}
