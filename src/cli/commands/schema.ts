import { Option } from "commander";
import { type Declarations, lineSchema, namedSchema, type SchemaKind, schemaKinds } from "../../output/line-schema.js";
import { safeJson } from "../../output/sanitise.js";
import type { Struct } from "../../schema/struct.js";
import type { Type } from "../../schema/type.js";
import type { Dissector } from "../../session/dissector.js";
import type { CommandLine } from "../command-line.js";
import { type DissectorOptions, knownDissectors } from "../known-dissectors.js";
import { addFileOptions, dissectorOption } from "../options.js";
import type { OutputOptions } from "../output-file.js";
import { finishPrinting, outputOf } from "../printing.js";
import type { Surroundings } from "../surroundings.js";
import { UsageError } from "../usage-error.js";

/** The options of the command, as the command line gives them. */
interface SchemaCommandOptions extends DissectorOptions, OutputOptions {
  readonly of: SchemaKind;
}

export function addSchemaCommand({ program, surroundings, end }: CommandLine): void {
  const command = program
    .command("schema")
    .description("Prints the JSON Schema (draft 2020-12) of the JSON output, made from the declarations.")
    .argument("[name]", "only the fields of this message (Cli2Auth_AgeRequest), class or type, as decode takes it")
    .addOption(
      new Option("--of <lines>", "which output; value is what decode prints").choices(schemaKinds).default("message"),
    )
    .addOption(dissectorOption());
  addFileOptions(command).action(async (name: string | undefined, options: SchemaCommandOptions) => {
    end(await schemaCommand(name, options, surroundings));
  });
}

/** Prints the JSON Schema of output lines, or of the fields of one message or class; gives the exit code. */
async function schemaCommand(
  name: string | undefined,
  options: SchemaCommandOptions,
  surroundings: Surroundings,
): Promise<number> {
  const declared = declarations((await knownDissectors(options)).all);
  const schema = name === undefined ? lineSchema(options.of, declared) : namedSchema(name, declared);
  if (schema === undefined) throw new UsageError(`${name} is no message or class; moul-dissect fields lists them`);
  const output = await outputOf(options, surroundings);
  output.write(`${safeJson(schema, 1)}\n`);
  return finishPrinting(output, surroundings);
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
