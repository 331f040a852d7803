import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Dissected } from "../../dissect/message.js";
import { messageNotes } from "../../dissect/message-notes.js";
import { suggestion } from "../../filter/nearest.js";
import { defaultLimits } from "../../limits.js";
import { valueLine, valueTreeLine } from "../../output/json.js";
import { palette } from "../../output/palette.js";
import { valueSummaryLine } from "../../output/summary-line.js";
import { valueTree } from "../../output/text-tree.js";
import { TimeColumn } from "../../output/time-column.js";
import { viewOf } from "../../schema/byte-source.js";
import { Decoder, Extent } from "../../schema/decode.js";
import type { Nodes } from "../../schema/nodes.js";
import { Opcode } from "../../schema/opcode.js";
import type { Type } from "../../schema/type.js";
import { readDefinitionFiles } from "../../session/definition-files.js";
import { blaming } from "../../session/failure.js";
import { readKeyFiles } from "../../session/key-files.js";
import { type ColorOptions, takesColor } from "../color.js";
import type { CommandLine } from "../command-line.js";
import { ExitCode } from "../exit-code.js";
import { addFailOptions, type FailOptions, FailureWatch } from "../fail-on.js";
import { type FormatOptions, formatOf, type ValueFormat, valueFormats } from "../format.js";
import { type DissectorOptions, knownDissectors } from "../known-dissectors.js";
import { type LimitOptions, limitOption } from "../limit-option.js";
import { addDefinitionOptions, addOutputOptions, formatOption, hexOption, jsonOption } from "../options.js";
import type { OutputOptions } from "../output-file.js";
import { finishPrinting, outputOf, printsToTerminal } from "../printing.js";
import { say } from "../say.js";
import { sdlKeys } from "../sdl-key.js";
import type { Surroundings } from "../surroundings.js";
import { UsageError } from "../usage-error.js";

const EPILOGUE = `
Examples:
  moul-dissect decode plUoid 0021000100000001000500000005f0af939e9691
  moul-dissect decode plNetMessage --json < messages.hex`;

/** The options of the command, as the command line gives them. */
interface DecodeCommandOptions
  extends DissectorOptions,
    OutputOptions,
    LimitOptions,
    FormatOptions<ValueFormat>,
    ColorOptions,
    FailOptions {
  readonly sdl?: readonly string[];
  readonly sdlKey?: string;
}

/** Adds the command `decode` to the program. */
export function addDecodeCommand({ program, surroundings, end }: CommandLine): void {
  const command = program
    .command("decode")
    .description(
      "Dissects bytes from outside a capture: hexadecimal digits from arguments, or one value a line from standard input.",
    )
    .argument("<type>", "a common type (plUoid), a class (plNotifyMsg), a family (plNetMessage), a message, or sdl")
    .argument("[hex...]", "the bytes; blanks, colons and commas between digits do not matter")
    .addOption(formatOption(valueFormats))
    .addOption(jsonOption())
    .addOption(hexOption());
  addFailOptions(command);
  addDefinitionOptions(command).addOption(limitOption());
  addOutputOptions(command)
    .addHelpText("after", EPILOGUE)
    .action(async (type: string, words: readonly string[], options: DecodeCommandOptions) => {
      end(await decodeCommand(type, words, options, surroundings));
    });
}

/** Dissects bytes outside a capture, given in hexadecimal; gives the exit code. */
async function decodeCommand(
  typeName: string,
  words: readonly string[],
  options: DecodeCommandOptions,
  surroundings: Surroundings,
): Promise<number> {
  const { stdin, stderr, env } = surroundings;
  const { all: dissectors } = await knownDissectors(options);
  const dissector = dissectors.find(({ types }) => types.has(typeName));
  const type = dissector?.types.get(typeName);
  if (dissector === undefined || type === undefined) {
    const names = dissectors.flatMap(({ types }) => [...types.keys()]);
    const kinds =
      "; a common type (plUoid), a class (plNotifyMsg), a family (plNetMessage), a message (Cli2Auth_AgeRequest) or " +
      "sdl would be one";
    throw new UsageError(`${typeName} is not a declared type${suggestion(typeName, names) || kinds}`);
  }
  const print = printer(options, takesColor(options.color, printsToTerminal(options, surroundings), env));
  const output = await outputOf(options, surroundings, options.sdl);
  const { keys } = await readKeyFiles(sdlKeys(options), dissectors);
  const { definitions, remarks, complete } = await readDefinitionFiles(options.sdl ?? [], dissectors, keys);
  for (const remark of remarks) say(stderr, remark);
  const decoder = new Decoder({ ...defaultLimits, ...options.limit });
  const given = definitions.get(dissector) ?? [];
  decoder.settings = blaming(dissector.name, () => dissector.settingsFor?.(given));
  const watch = new FailureWatch(options);
  let code: number = complete ? ExitCode.done : ExitCode.input;
  const decode = (digits: string, place: string) => {
    const bytes = bytesOf(digits);
    if (bytes === undefined) {
      say(stderr, `${place}this is not hexadecimal: two digits a byte, blanks may be between them`);
      code = ExitCode.usage;
      return;
    }
    const text = blaming(dissector.name, () => {
      decoder.decode(type, { bytes, view: viewOf(bytes), start: 0, end: bytes.length }, Extent.Exact);
      const { nodes } = decoder;
      const name = nameOf(type, nodes) ?? typeName;
      const notes = messageNotes(nodes);
      const value = { name, status: nodes.outcome, nodes, offset: 0, length: bytes.length, notes };
      watch.see(value);
      return print(value);
    });
    output.write(text);
  };
  const decodeLines = async () => {
    let line = 0;
    const failure = await forEachLine(stdin ?? process.stdin, async (text) => {
      line++;
      if (text.trim() !== "") decode(text, `line ${line}: `);
      await output.drained();
      return !output.closed;
    });
    if (failure === undefined) return;
    say(stderr, `standard input cannot be read: ${failure.message}`);
    code = ExitCode.input;
  };
  try {
    if (words.length > 0) decode(words.join(""), "");
    else await decodeLines();
  } catch (error) {
    await output.discard();
    throw error;
  }
  if (code === ExitCode.done && watch.hasFailed) code = ExitCode.found;
  return finishPrinting(output, surroundings, code);
}

/** The class that stands where another one was asked for. */
function nameOf({ row }: Type<unknown>, nodes: Nodes): string | undefined {
  const { opcode, struct } = nodes.field(0);
  const isOther = opcode === Opcode.Polymorphic && row.base !== undefined && struct?.isA(row.base) === false;
  return isOther ? struct.name : undefined;
}

/** Hands over lines until one is answered with false; gives what went wrong with the reading. */
async function forEachLine(input: Readable, take: (line: string) => Promise<boolean>): Promise<Error | undefined> {
  let failure: Error | undefined;
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  // Whether lines throw what is wrong with what they are read from, or only end, depends on the version of Node.js.
  input.once("error", (error: Error) => {
    failure = error;
    lines.close();
  });
  try {
    for await (const line of lines) if (!(await take(line))) break;
  } catch (error) {
    if (error !== failure) throw error;
  }
  return failure;
}

function bytesOf(text: string): Uint8Array | undefined {
  const digits = text.replace(/0x|[\s:,]/gi, "");
  return digits.length % 2 === 0 && /^[0-9a-f]*$/i.test(digits) ? Buffer.from(digits, "hex") : undefined;
}

function printer(options: DecodeCommandOptions, colored: boolean): (value: Dissected) => string {
  const style = { colors: palette(colored), times: new TimeColumn("absolute"), hex: options.hex ?? false };
  switch (formatOf(options)) {
    case "json":
      return valueLine;
    case "json-tree":
      return valueTreeLine;
    case "summary":
      return (value) => valueSummaryLine(value, style.colors);
    case "tree":
      return (value) => valueTree(value, style);
  }
}
