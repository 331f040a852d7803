import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Dissected } from "../dissect/message.js";
import { valueLine, valueTreeLine } from "../output/json.js";
import { palette } from "../output/palette.js";
import { printable } from "../output/sanitise.js";
import { summaryText } from "../output/summary-text.js";
import { valueTree } from "../output/text-tree.js";
import { TimeColumn } from "../output/time-column.js";
import { Decoder, Extent } from "../schema/decode.js";
import { viewOf } from "../schema/nodes.js";
import { readDefinitionFiles } from "../session/definition-files.js";
import { readKeyFiles } from "../session/key-files.js";
import { takesColor } from "./color.js";
import { type DissectorOptions, knownDissectors } from "./dissector-options.js";
import { ExitCode } from "./exit-code.js";
import type { ValueFormat } from "./message-display.js";
import { sdlKeys } from "./sdl-key.js";
import type { Surroundings } from "./surroundings.js";
import { TextOutput } from "./text-output.js";

/** The options of the command, as the command line gives them. */
export interface DecodeCommandOptions extends DissectorOptions {
  readonly format: ValueFormat;
  readonly json?: boolean;
  readonly sdl?: readonly string[];
  readonly sdlKey?: string;
  readonly hex?: boolean;
  readonly color: "auto" | "always" | "never";
}

/** Dissects bytes outside a capture, given in hexadecimal; gives the exit code. */
export async function decodeCommand(
  typeName: string,
  words: readonly string[],
  options: DecodeCommandOptions,
  { stdin, stdout, stderr, env }: Surroundings,
): Promise<number> {
  const say = (text: string) => void stderr.write(`moul-dissect: ${printable(text)}\n`);
  const known = await knownDissectors(options);
  if (typeof known === "string") {
    say(known);
    return ExitCode.usage;
  }
  const dissectors = known.all;
  const dissector = dissectors.find(({ types }) => types.has(typeName));
  const type = dissector?.types.get(typeName);
  if (dissector === undefined || type === undefined) {
    say(
      `${typeName} is not a declared type; a common type (plUoid), a class (plNotifyMsg), a family (plNetMessage), a message (Cli2Auth_AgeRequest) or sdl would be one`,
    );
    return ExitCode.usage;
  }
  const print = printer(options, takesColor(options.color, stdout.isTTY === true, env));
  const output = new TextOutput(stdout);
  const { keys } = await readKeyFiles(sdlKeys(options), dissectors);
  const { definitions, remarks, complete } = await readDefinitionFiles(options.sdl ?? [], dissectors, keys);
  for (const remark of remarks) say(remark);
  const decoder = new Decoder();
  decoder.settings = dissector.settingsFor?.(definitions.get(dissector) ?? []);
  let code: number = complete ? ExitCode.done : ExitCode.input;
  let line = 0;
  for await (const digits of words.length > 0 ? [words.join("")] : linesOf(stdin ?? process.stdin)) {
    line++;
    const bytes = bytesOf(digits);
    if (bytes === undefined) {
      say(
        `${words.length > 0 ? "" : `line ${line}: `}this is not hexadecimal: two digits a byte, blanks may be between them`,
      );
      code = ExitCode.usage;
      continue;
    }
    if (bytes.length === 0 && words.length === 0) continue;
    decoder.decode(type, { bytes, view: viewOf(bytes), start: 0, end: bytes.length }, Extent.Exact);
    const { nodes } = decoder;
    const notes = nodes.notes.map(({ severity, node, text }) => ({ severity, path: nodes.path(node), text }));
    output.write(print({ name: typeName, status: nodes.outcome, nodes, offset: 0, length: bytes.length, notes }));
    await output.drained();
    if (output.closed) break;
  }
  await output.end();
  return code;
}

async function* linesOf(stdin: Readable): AsyncGenerator<string> {
  yield* createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY });
}

function bytesOf(text: string): Uint8Array | undefined {
  const digits = text.replace(/0x|[\s:,]/gi, "");
  return digits.length % 2 === 0 && /^[0-9a-f]*$/i.test(digits) ? Buffer.from(digits, "hex") : undefined;
}

function printer(options: DecodeCommandOptions, colored: boolean): (value: Dissected) => string {
  const style = { colors: palette(colored), times: new TimeColumn("absolute"), hex: options.hex ?? false };
  switch (options.json ? "json" : options.format) {
    case "json":
      return valueLine;
    case "json-tree":
      return valueTreeLine;
    case "summary":
      return (value) => `${value.name} ${printable(summaryText(value))}`.trimEnd().concat("\n");
    case "tree":
      return (value) => valueTree(value, style);
  }
}
