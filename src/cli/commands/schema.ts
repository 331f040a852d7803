import { Option } from "commander";
import { suggestion } from "../../common/nearest.js";
import { lineSchema, type SchemaKind, schemaKinds } from "../../output/json-schema/lines.js";
import { type AllDeclarations, messageSchema, namedSchema } from "../../output/json-schema/message.js";
import { messageModule, messageTypes } from "../../output/json-schema/message-types.js";
import { CURRENT, type JsonVersion } from "../../output/writers/json-version.js";
import { safeJson } from "../../output/writers/sanitise.js";
import { declarations } from "../../reference/declarations.js";
import type { CommandLine } from "../command-line.js";
import { type DissectorOptions, knownDissectors } from "../known-dissectors.js";
import { addFileOptions, dissectorOption, jsonVersionOption, pagerOption } from "../options/shared.js";
import type { ProcessIo } from "../process-io.js";
import { UsageError } from "../usage-error.js";
import { type PagerOptions, pagedOutput } from "../writing/paged.js";

const EPILOGUE = `
Examples:
  moul-dissect schema -o message.schema.json
  moul-dissect schema --of stream
  moul-dissect schema plNotifyMsg`;

/** The options of the command, as the command line gives them. */
interface SchemaCommandOptions extends DissectorOptions, PagerOptions {
  readonly of?: SchemaKind;
  readonly jsonVersion?: JsonVersion;
  readonly typescript?: "types" | "module";
}

/** Adds the command `schema` to the program. */
export function addSchemaCommand({ program, io, end }: CommandLine): void {
  const command = program
    .command("schema")
    .description("Prints the JSON Schema (draft 2020-12) of the JSON output, generated from the declarations.")
    .argument(
      "[name]",
      "only the fields of this message (Cli2Auth_AgeRequest), class or type, named as for decode or as in the output",
    )
    .addOption(
      new Option("--of <lines>", "which output to describe; value is what decode prints (default: message)").choices(
        schemaKinds,
      ),
    )
    .addOption(jsonVersionOption())
    .addOption(
      new Option("--typescript [what]", "types of messages for TypeScript instead; module: the functions beside them")
        .choices(["types", "module"])
        .preset("types"),
    )
    .addOption(dissectorOption())
    .addOption(pagerOption());
  addFileOptions(command)
    .addHelpText("after", EPILOGUE)
    .action(async (name: string | undefined, options: SchemaCommandOptions) => {
      end(await schemaCommand(name, options, io));
    });
}

/** Prints the JSON Schema of output lines, or of the fields of one message or class; returns the exit code. */
async function schemaCommand(name: string | undefined, options: SchemaCommandOptions, io: ProcessIo): Promise<number> {
  const { of, jsonVersion = CURRENT } = options;
  if (name !== undefined && of !== undefined) throw new UsageError(`--of is for whole lines, not for ${name} alone`);
  const declared = declarations((await knownDissectors(options)).all);
  const schema =
    name === undefined ? lineSchema(of ?? "message", declared, jsonVersion) : namedSchema(name, declared, jsonVersion);
  if (name !== undefined && schema === undefined) throw new UsageError(unknownName(name, declared));
  const text = typescriptFor(options, declared, name) ?? `${safeJson(schema, 1)}\n`;
  const { output, finish } = await pagedOutput(options, io, options.dissector);
  output.write(text);
  return finish();
}

/** Types for TypeScript, if they are wanted. @throws UsageError for anything but the messages in their present form */
function typescriptFor(
  { typescript, of, jsonVersion }: SchemaCommandOptions,
  declared: AllDeclarations,
  name: string | undefined,
): string | undefined {
  if (typescript === undefined) return undefined;
  if (name !== undefined || (of ?? "message") !== "message" || jsonVersion === 1) {
    throw new UsageError("--typescript is for all messages in their present form");
  }
  const schema = messageSchema(declared);
  return typescript === "types" ? messageTypes(schema) : messageModule(schema);
}

function unknownName(name: string, { messages, types }: AllDeclarations): string {
  const meant = suggestion(name, [...types.keys(), ...messages.map((message) => message.name)]);
  return `${name} is not a message or class${meant || "; moul-dissect fields lists them"}`;
}
