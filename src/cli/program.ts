import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import {
  type DissectCommandOptions,
  dissectCommand,
  type Failure,
  failures,
  formats,
  type Surroundings,
} from "./dissect-command.js";
import { ExitCode } from "./exit-code.js";
import { version } from "./version.js";

const EPILOGUE = `
Keys: without --keys, capture.pcap.keys or capture.keys beside the capture is used, then the file that the environment
variable MOULKEYLOGFILE names.

Exit codes: 0 done; 1 wrong usage; 2 the input could not be read, or only in part; 3 --fail-on matched; 70 internal
error.

Examples:
  moul-dissect session.pcap --keys dirtsand.ini
  moul-dissect session.pcap --format summary
  moul-dissect session.pcap --json | jq -c 'select(.status != "ok")'
  tcpdump -i eth0 -w - port 14617 | moul-dissect - --keys dirtsand.ini --format summary`;

/** Runs the program with the arguments of its command line; gives the exit code. */
export async function main(args: readonly string[], surroundings: Surroundings): Promise<number> {
  let code: number = ExitCode.done;
  const program = new Command("moul-dissect")
    .description("Dissects captures of Myst Online: Uru Live traffic into annotated field trees.")
    .argument("<capture...>", 'capture files (pcap or pcapng); "-" reads standard input')
    .addOption(new Option("--format <format>", "how messages are printed").choices(formats).default("tree"))
    .option("--json", "the same as --format json: one JSON object a line", false)
    .option("--keys <file>", "key material, repeatable; the format is recognised by content", collect, [])
    .option("--hex", "with tree: the bytes beside the fields", false)
    .addOption(
      new Option("--time <form>", "how tree and summary show time")
        .choices(["absolute", "relative", "delta"])
        .default("absolute"),
    )
    .option("-c, --count <n>", "stop after N messages", positiveInteger, Number.POSITIVE_INFINITY)
    .option("-o, --output <file>", "write to a file instead of standard output")
    .option("--fail-on <kinds>", `exit 3 if any was seen; comma list of ${failures.join(",")}`, failureList, [])
    .option("--strict", "the same as --fail-on with all kinds", false)
    .addOption(new Option("--color <when>", "colours").choices(["auto", "always", "never"]).default("auto"))
    .option("-q, --quiet", "no remarks on standard error", false)
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EPILOGUE)
    .configureOutput({
      writeOut: (text) => void surroundings.stdout.write(text),
      writeErr: (text) => void surroundings.stderr.write(text.replace(/^error: /, "moul-dissect: ")),
    })
    .showHelpAfterError("(moul-dissect --help tells more)")
    .exitOverride()
    .action(async (captures: readonly string[], options: DissectCommandOptions) => {
      code = await dissectCommand(captures, options, surroundings);
    });
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? ExitCode.done : ExitCode.usage;
  }
  return code;
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError("It has to be a whole number above 0.");
  return value;
}

function failureList(text: string): readonly Failure[] {
  return text.split(",").map((word) => {
    const failure = failures.find((name) => name === word.trim());
    if (failure === undefined) throw new InvalidArgumentError(`"${word}" is none of ${failures.join(", ")}.`);
    return failure;
  });
}
