import { type Declarations, lineSchema, namedSchema, type SchemaKind } from "../output/line-schema.js";
import { printable } from "../output/sanitise.js";
import type { Struct } from "../schema/struct.js";
import type { Type } from "../schema/type.js";
import type { Dissector } from "../session/dissector.js";
import { type DissectorOptions, knownDissectors } from "./dissector-options.js";
import { ExitCode } from "./exit-code.js";
import type { Surroundings } from "./surroundings.js";
import { TextOutput } from "./text-output.js";

/** The options of the command, as the command line gives them. */
export interface SchemaCommandOptions extends DissectorOptions {
  readonly of: SchemaKind;
}

/** Prints the JSON Schema of output lines, or of the fields of one message or class; gives the exit code. */
export async function schemaCommand(
  name: string | undefined,
  options: SchemaCommandOptions,
  { stdout, stderr }: Surroundings,
): Promise<number> {
  const known = await knownDissectors(options);
  if (typeof known === "string") {
    stderr.write(`moul-dissect: ${printable(known)}\n`);
    return ExitCode.usage;
  }
  const declared = declarations(known.all);
  const schema = name === undefined ? lineSchema(options.of, declared) : namedSchema(name, declared);
  if (schema === undefined) {
    stderr.write(`moul-dissect: ${printable(name ?? "")} is no message or class; moul-dissect fields lists them\n`);
    return ExitCode.usage;
  }
  const output = new TextOutput(stdout);
  output.write(`${JSON.stringify(schema, undefined, 1)}\n`);
  await output.end();
  return ExitCode.done;
}

function declarations(dissectors: readonly Dissector[]): Declarations {
  const messages = new Set<Struct>();
  const types = new Map<string, Type<unknown>>();
  for (const dissector of dissectors) {
    for (const directions of dissector.messages?.values() ?? []) {
      for (const { struct } of Object.values(directions).flat()) messages.add(struct);
    }
    for (const { struct } of dissector.otherForms?.() ?? []) messages.add(struct);
    // As decode has it: of two types with the same name that of the first dissector counts.
    for (const [name, type] of dissector.types) {
      if (!types.has(name)) types.set(name, type);
      // What belongs to no one protocol, such as how connections are set up, is declared only here.
      if (type.row.struct !== undefined) messages.add(type.row.struct);
    }
  }
  return { messages: [...messages], types };
}
