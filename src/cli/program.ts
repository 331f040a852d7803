import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { schemaKinds } from "../output/line-schema.js";
import { type DecodeCommandOptions, decodeCommand } from "./decode-command.js";
import { type DissectCommandOptions, dissectCommand } from "./dissect-command.js";
import { dissectorOption } from "./dissector-options.js";
import { addDocumentationCommands } from "./documentation-commands.js";
import { ExitCode } from "./exit-code.js";
import { type Failure, failures } from "./fail-on.js";
import { type FieldsCommandOptions, fieldsCommand } from "./fields-command.js";
import { type FollowCommandOptions, followCommand, followDirections, followForms } from "./follow-command.js";
import { reportInternalError } from "./internal-error.js";
import { formats, valueFormats } from "./message-display.js";
import { type SchemaCommandOptions, schemaCommand } from "./schema-command.js";
import { type StatsCommandOptions, statsCommand } from "./stats-command.js";
import { type StreamsCommandOptions, streamsCommand } from "./streams-command.js";
import type { Surroundings } from "./surroundings.js";
import { version } from "./version.js";

const EPILOGUE = `
Keys: without --keys, capture.pcap.keys or capture.keys beside the capture is used, then the file that the environment
variable MOULKEYLOGFILE names.

Exit codes: 0 done; 1 wrong usage; 2 the input could not be read, or only in part; 3 --fail-on matched; 70 internal
error.

Examples:
  moul-dissect session.pcap --keys dirtsand.ini
  moul-dissect session.pcap --format summary
  moul-dissect session.pcap -Y 'result != kNetSuccess' --format summary
  moul-dissect session.pcap -Y 'objectName matches "^cPyth"' --csv -e number -e time -e objectName > objects.csv
  moul-dissect session.pcap --json | jq -c 'select(.status != "ok")'
  tcpdump -i eth0 -w - port 14617 | moul-dissect - --keys dirtsand.ini --format summary`;

const DECODE_EPILOGUE = `
Examples:
  moul-dissect decode plUoid 0021000100000001000500000005f0af939e9691
  moul-dissect decode plNetMessage --json < messages.hex`;

const STATS_EPILOGUE = `
Protocols count all packets and bytes, with or without a filter. Ctrl-C prints what was summed up so far and exits with 0.

Examples:
  moul-dissect stats session.pcap
  moul-dissect stats session.pcap --json | jq '.latencies[] | select(.p95 > 100)'
  moul-dissect stats session.pcap -Y 'protocol == "moul.game"'
  tcpdump -i eth0 -w - port 14617 | moul-dissect stats -`;

const FOLLOW_EPILOGUE = `
Examples:
  moul-dissect follow session.pcap --stream 3 --as hex
  moul-dissect follow session.pcap --stream 3 --as raw --direction s2c -o server.bin`;

/** Runs the program with the arguments of its command line; gives the exit code. */
export async function main(args: readonly string[], surroundings: Surroundings): Promise<number> {
  let code: number = ExitCode.done;
  const program = commandLine(surroundings, (outcome) => {
    code = outcome;
  });
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      reportInternalError(surroundings.stderr, "", error);
      return ExitCode.internal;
    }
    return error.exitCode === 0 ? ExitCode.done : ExitCode.usage;
  }
  return code;
}

/** The program with its commands; one that has run tells its exit code. */
export function commandLine(surroundings: Surroundings, end: (code: number) => void): Command {
  const program = new Command("moul-dissect")
    .description("Dissects captures of Myst Online: Uru Live traffic into annotated field trees.")
    .argument(
      "<capture...>",
      'capture files (pcap or pcapng, also in gzip, Zstandard or LZ4); "-" reads standard input',
    )
    .addOption(formatOption(formats))
    .addOption(jsonOption())
    .addOption(fieldOption())
    .addOption(csvOption())
    .option("-Y, --filter <expression>", "show only messages that pass this display filter")
    .addOption(decodeAsOption())
    .addOption(dissectorOption(collect))
    .option("--keys <file>", "key material, repeatable; the format is recognised by content", collect)
    .addOption(sdlOption())
    .addOption(sdlKeyOption())
    .addOption(hexOption())
    .addOption(
      new Option("--time <form>", "how tree and summary show time")
        .choices(["absolute", "relative", "delta"])
        .default("absolute"),
    )
    .option("--checksums", "verify the checksums of IPv4, TCP and UDP, and note what is wrong")
    .option("-c, --count <n>", "stop after N messages", positiveInteger)
    .option("-o, --output <file>", "write to a file instead of standard output")
    .option("--fail-on <kinds>", `exit 3 if any was seen; comma list of ${failures.join(",")}`, failureList)
    .option("--strict", "the same as --fail-on with all kinds")
    .addOption(colorOption())
    .option("--no-pager", "tree on a terminal: print at once instead of through PAGER")
    .option("-q, --quiet", "no remarks and no progress on standard error")
    .option("--no-progress", "no progress on standard error")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EPILOGUE)
    .configureOutput({
      writeOut: (text) => void surroundings.stdout.write(text),
      writeErr: (text) => void surroundings.stderr.write(text.replace(/^error: /, "moul-dissect: ")),
    })
    .showHelpAfterError("(moul-dissect --help tells more)")
    .enablePositionalOptions()
    .exitOverride()
    .action(async (captures: readonly string[], options: DissectCommandOptions) => {
      end(await dissectCommand(captures, options, surroundings));
    });
  program
    .command("decode")
    .description(
      "Dissects bytes from outside a capture: hexadecimal digits from arguments, or one value a line from stdin.",
    )
    .argument("<type>", "a common type (plUoid), a class (plNotifyMsg), a family (plNetMessage), a message, or sdl")
    .argument("[hex...]", "the bytes; blanks, colons and commas between digits do not matter")
    .addOption(formatOption(valueFormats))
    .addOption(jsonOption())
    .addOption(dissectorOption(collect))
    .addOption(sdlOption())
    .addOption(sdlKeyOption())
    .addOption(hexOption())
    .addOption(colorOption())
    .addHelpText("after", DECODE_EPILOGUE)
    .action(async (type: string, words: readonly string[], options: DecodeCommandOptions) => {
      end(await decodeCommand(type, words, options, surroundings));
    });
  program
    .command("streams")
    .description("Lists the conversations of captures: who with whom, what they speak, encryption, bytes and gaps.")
    .argument("<capture...>", '"-" reads standard input')
    .addOption(new Option("--json", "one JSON object a line for each conversation"))
    .option("--keys <file>", "key material, repeatable; the format is recognised by content", collect)
    .addOption(decodeAsOption())
    .addOption(dissectorOption(collect))
    .option("-o, --output <file>", "write to a file instead of standard output")
    .addOption(colorOption())
    .option("-q, --quiet", "no remarks and no progress on standard error")
    .option("--no-progress", "no progress on standard error")
    .action(async (captures: readonly string[], options: StreamsCommandOptions) => {
      end(await streamsCommand(captures, options, surroundings));
    });
  program
    .command("stats")
    .description("Sums up captures: protocols, messages, players and ages, how long answers took, errors, trouble.")
    .argument("<capture...>", '"-" reads standard input')
    .addOption(new Option("--json", "one JSON object"))
    .option("-Y, --filter <expression>", "count only messages that pass this display filter")
    .option("--keys <file>", "key material, repeatable; the format is recognised by content", collect)
    .addOption(decodeAsOption())
    .addOption(dissectorOption(collect))
    .addOption(sdlOption())
    .addOption(sdlKeyOption())
    .option("-o, --output <file>", "write to a file instead of standard output")
    .addOption(colorOption())
    .option("-q, --quiet", "no remarks and no progress on standard error")
    .option("--no-progress", "no progress on standard error")
    .addHelpText("after", STATS_EPILOGUE)
    .action(async (captures: readonly string[], options: StatsCommandOptions) => {
      end(await statsCommand(captures, options, surroundings));
    });
  program
    .command("follow")
    .description("Prints the plaintext of one conversation, decrypted as far as possible, and says what is missing.")
    .argument("<capture>", '"-" reads standard input')
    .addOption(
      new Option("--stream <n>", "number of the conversation, as streams and summary show it")
        .argParser(streamNumber)
        .makeOptionMandatory(),
    )
    .addOption(new Option("--as <form>", "how bytes are shown").choices(followForms).default("text"))
    .addOption(new Option("--direction <which>", "whose bytes").choices(followDirections).default("both"))
    .option("--keys <file>", "key material, repeatable; the format is recognised by content", collect)
    .addOption(decodeAsOption())
    .addOption(dissectorOption(collect))
    .addOption(sdlOption())
    .addOption(sdlKeyOption())
    .option("-o, --output <file>", "write to a file instead of standard output")
    .addOption(colorOption())
    .option("-q, --quiet", "no remarks and no progress on standard error")
    .option("--no-progress", "no progress on standard error")
    .addHelpText("after", FOLLOW_EPILOGUE)
    .action(async (capture: string, options: FollowCommandOptions) => {
      end(await followCommand(capture, options, surroundings));
    });
  program
    .command("fields")
    .description("Lists every message and field that can be shown or filtered, with its type and meaning.")
    .argument("[protocol]", "only those of a protocol (moul.game), or of all protocols of a dissector (bzflag)")
    .addOption(new Option("--json", "one JSON object a line for each field"))
    .addOption(dissectorOption(collect))
    .addOption(colorOption())
    .action(async (protocol: string | undefined, options: FieldsCommandOptions) => {
      end(await fieldsCommand(protocol, options, surroundings));
    });
  program
    .command("schema")
    .description("Prints the JSON Schema (draft 2020-12) of the JSON output, made from the declarations.")
    .argument("[name]", "only the fields of this message (Cli2Auth_AgeRequest), class or type, as decode takes it")
    .addOption(
      new Option("--of <lines>", "which output; value is what decode prints").choices(schemaKinds).default("message"),
    )
    .addOption(dissectorOption(collect))
    .action(async (name: string | undefined, options: SchemaCommandOptions) => {
      end(await schemaCommand(name, options, surroundings));
    });
  addDocumentationCommands(program, surroundings, end);
  return program;
}

function formatOption(choices: readonly string[]): Option {
  return new Option("--format <format>", "how messages are printed").choices(choices).default("tree");
}

function fieldOption(): Option {
  return new Option("-e, --field <path>", "a column of --format fields, repeatable; paths are those of filters")
    .argParser(collect)
    .implies({ format: "fields" });
}

function csvOption(): Option {
  return new Option("--csv", "with fields: commas and quotes (RFC 4180) instead of tabs").implies({ format: "fields" });
}

function jsonOption(): Option {
  return new Option("--json", "the same as --format json: one JSON object a line");
}

function hexOption(): Option {
  return new Option("--hex", "with tree: the bytes beside the fields");
}

function decodeAsOption(): Option {
  return new Option(
    "-d, --decode-as <rule>",
    "what conversations speak: tcp.port==5000,moul.game; repeatable",
  ).argParser(collect);
}

function sdlOption(): Option {
  return new Option("--sdl <path>", "a .sdl file or a folder of them, plain or encrypted, repeatable").argParser(
    collect,
  );
}

function sdlKeyOption(): Option {
  return new Option("--sdl-key <hex>", "key of encrypted .sdl files, where it is not the default").argParser(droidKey);
}

function droidKey(text: string): string {
  if (!/^[0-9a-f]{32}$/i.test(text)) throw new InvalidArgumentError("It has to have 32 hexadecimal digits.");
  return text;
}

function colorOption(): Option {
  return new Option("--color <when>", "colours").choices(["auto", "always", "never"]).default("auto");
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError("It has to be a whole number above 0.");
  return value;
}

function streamNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) throw new InvalidArgumentError("It has to be a number.");
  return value;
}

function failureList(text: string): readonly Failure[] {
  return text.split(",").map((word) => {
    const failure = failures.find((name) => name === word.trim());
    if (failure === undefined) throw new InvalidArgumentError(`"${word}" is none of ${failures.join(", ")}.`);
    return failure;
  });
}
