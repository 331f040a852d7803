import type { Dissected } from "../../dissect/message.js";
import { blaming } from "../../dissector/failure.js";
import { valueLine, valueTreeLine } from "../../output/json/json.js";
import type { Palette } from "../../output/text/palette.js";
import { valueSummaryLine } from "../../output/text/summary-line.js";
import { palette } from "../../output/text/terminal-palette.js";
import { TextTree } from "../../output/text/text-tree.js";
import { TimeColumn } from "../../output/text/time-column.js";
import { STANDARD_INPUT } from "../../platform/node/capture-file.js";
import { givenFiles } from "../../platform/node/file-on-disk.js";
import { declaredType, valueDissector } from "../../reference/value-dissector.js";
import { readDefinitionFiles } from "../../session/files/definition-files.js";
import { readKeyFiles } from "../../session/files/key-files.js";
import type { CommandLine } from "../command-line.js";
import { ExitCode } from "../exit-code.js";
import { hexValues } from "../hex-values.js";
import { type DefinitionOptions, definitionInputs, knownDissectors } from "../known-dissectors.js";
import { LinesError, linesOf } from "../lines.js";
import { type ColorOptions, takesColor } from "../options/color.js";
import { addFailOptions, type FailOptions, FailureWatch } from "../options/fail-on.js";
import { type FormatOptions, formatOf, type ValueFormat, valueFormats } from "../options/format.js";
import { type LimitOptions, limitOption, limitsOf } from "../options/limit-option.js";
import { sdlKeys } from "../options/sdl-key.js";
import {
  addDefinitionOptions,
  addOutputOptions,
  formatOption,
  hexOption,
  jsonOption,
  jsonVersionOption,
} from "../options/shared.js";
import type { ProcessIo } from "../process-io.js";
import { say } from "../say.js";
import { finishPrinting, outputOf } from "../writing/printing.js";

const EPILOGUE = `
Examples:
  moul-dissect decode plUoid 0021000100000001000500000005f0af939e9691
  moul-dissect decode plNetMessage --json < messages.hex
  xxd message.bin | moul-dissect decode plNetMessage`;

/** The options of the command, as the command line gives them. */
interface DecodeCommandOptions
  extends DefinitionOptions,
    LimitOptions,
    FormatOptions<ValueFormat>,
    ColorOptions,
    FailOptions {
  readonly sdlKey?: string;
}

/** Adds the command `decode` to the program. */
export function addDecodeCommand({ program, io, end }: CommandLine): void {
  const command = program
    .command("decode")
    .description(
      "Dissects bytes from outside a capture: hexadecimal digits from arguments or, one value per line, from standard input; hex dumps work too.",
    )
    .argument("<type>", "a common type (plUoid), a class (plNotifyMsg), a family (plNetMessage), a message, or sdl")
    .argument(
      "[hex...]",
      "the bytes; blanks, colons, commas, hyphens and a leading 0x or \\x are ignored; - is standard input",
    )
    .addOption(formatOption(valueFormats))
    .addOption(jsonOption())
    .addOption(jsonVersionOption())
    .addOption(hexOption());
  addFailOptions(command);
  addDefinitionOptions(command).addOption(limitOption());
  addOutputOptions(command)
    .addHelpText("after", EPILOGUE)
    .action(async (type: string, words: readonly string[], options: DecodeCommandOptions) => {
      end(await decodeCommand(type, words, options, io));
    });
}

/** Dissects bytes outside a capture, given in hexadecimal; returns the exit code. */
async function decodeCommand(
  typeName: string,
  words: readonly string[],
  options: DecodeCommandOptions,
  io: ProcessIo,
): Promise<number> {
  const { stdin, stderr } = io;
  const { all: dissectors } = await knownDissectors(options);
  const declared = declaredType(typeName, dissectors);
  const print = printer(options, await palette(takesColor(options, io)));
  const output = await outputOf(options, io, await definitionInputs(options, dissectors));
  const { keys } = await readKeyFiles(sdlKeys(options), dissectors);
  const { definitions, remarks, complete } = await readDefinitionFiles(givenFiles(options.sdl ?? []), dissectors, keys);
  for (const remark of remarks) say(stderr, remark);
  const dissect = valueDissector(declared, definitions.get(declared.dissector) ?? [], limitsOf(options));
  const watch = new FailureWatch(options);
  let code: number = complete ? ExitCode.done : ExitCode.input;
  const decode = (bytes: Uint8Array) => {
    const text = blaming(declared.dissector.name, () => {
      const value = dissect(bytes);
      watch.see(value);
      return print(value);
    });
    output.write(text);
  };
  let count = 0;
  const isGiven = words.length > 0 && words.join() !== STANDARD_INPUT;
  if (!isGiven && stdin === undefined && process.stdin.isTTY) {
    say(stderr, "waiting for hexadecimal digits, one value per line");
  }
  try {
    // Separated by blanks, groups of digits could begin like a row of a dump.
    const lines = isGiven ? words.join(",").split(/\r?\n/) : linesOf(stdin ?? process.stdin);
    for await (const value of hexValues(lines)) {
      count++;
      if ("bytes" in value) decode(value.bytes);
      else {
        say(stderr, `${isGiven ? "" : `line ${value.line}: `}${value.problem}`);
        code = isGiven ? ExitCode.usage : ExitCode.input;
      }
      await output.drained();
      if (output.closed) break;
    }
  } catch (error) {
    if (!(error instanceof LinesError)) {
      await output.discard();
      throw error;
    }
    say(stderr, `standard input cannot be read: ${error.message}`);
    code = ExitCode.input;
  }
  if (count === 0) say(stderr, "there are no bytes to decode");
  if (code === ExitCode.done && watch.hasFailed) code = ExitCode.found;
  return finishPrinting(output, io, code);
}

function printer(options: DecodeCommandOptions, colors: Palette): (value: Dissected) => string {
  const style = { colors, times: new TimeColumn("absolute"), hex: options.hex ?? false };
  switch (formatOf(options)) {
    case "json":
      return (value) => valueLine(value, options.jsonVersion);
    case "json-tree":
      return (value) => valueTreeLine(value, options.jsonVersion);
    case "summary":
      return (value) => valueSummaryLine(value, style.colors);
    case "tree": {
      const tree = new TextTree(style);
      return (value) => tree.value(value);
    }
  }
}
