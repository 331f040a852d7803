import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { CURRENT, type JsonVersion, jsonVersions } from "../../output/writers/json-version.js";
import { matchingPaths } from "../arguments/wildcards.js";
import { STANDARD_OUTPUT } from "../writing/output-file.js";
import { limitOption } from "./limit-option.js";

/** Options that several commands share. */

/** The captures to read. Unlike other shells, those of Windows leave wildcards to the program. */
export function capturesArgument(description = 'capture files; "-" reads standard input'): Argument {
  return new Argument("<capture...>", description).argParser((path: string, before: readonly string[] = []) => [
    ...before,
    ...(process.platform === "win32" ? matchingPaths(path) : [path]),
  ]);
}

/** The format in which messages are printed; commands differ in their choices. */
export function formatOption(choices: readonly string[]): Option {
  return new Option("--format <format>", "how messages are printed (default: tree)").choices(choices);
}

/** JSON instead of text; commands differ in what it consists of. */
export function jsonOption(description = "the same as --format json: one JSON object per line"): Option {
  return new Option("--json", description);
}

/** Which form messages have in JSON. */
export function jsonVersionOption(): Option {
  return new Option(
    "--json-version <n>",
    `the form of messages in JSON; 1 is the old one, until 1.0 (default: ${CURRENT})`,
  )
    .choices(jsonVersions.map(String))
    .argParser(jsonVersionOf)
    .implies({ format: "json" });
}

function jsonVersionOf(text: string): JsonVersion {
  const version = jsonVersions.find((one) => String(one) === text);
  if (version === undefined) throw new InvalidArgumentError(`It must be one of ${jsonVersions.join(", ")}.`);
  return version;
}

/** `--format json` for commands that have no other format: users who know `--format` will try it. */
export function jsonFormatOption(): Option {
  return new Option("--format <format>", "the same as --json").choices(["json"]).implies({ json: true }).hideHelp();
}

/** The display filter. @param verb what is done with messages that pass */
export function filterOption(verb: string): Option {
  return new Option("-Y, --filter <expression>", `${verb} only messages that pass this display filter`);
}

/** Bytes beside the fields. */
export function hexOption(): Option {
  return new Option("--hex", "with tree: show the bytes beside the fields");
}

/** Adds the options of commands that print something from the messages. */
export function addCaptureOptions(command: Command): Command {
  addConversationOptions(command);
  addDefinitionOptions(command);
  command.addOption(limitOption());
  return addRemarkOptions(addOutputOptions(command));
}

/** Adds the options of commands that write a file with changed messages. @param what the file */
export function addRewritingOptions(command: Command, what: string): Command {
  addConversationOptions(command);
  addDefinitionOptions(command).addOption(limitOption()).addOption(colorlessOption());
  return addRemarkOptions(addFileOptions(command, what));
}

/** Adds the options of commands that read captures and write no file of their own making. @param color for `--color` */
export function addReadingOptions(command: Command, color: Option = colorlessOption()): Command {
  addConversationOptions(command);
  return addRemarkOptions(addDefinitionOptions(command).addOption(limitOption()).addOption(color));
}

/** Adds the options of commands that pass on keys or plaintext, whatever is in the messages. */
export function addConversionOptions(command: Command): Command {
  addConversationOptions(command);
  command.addOption(dissectorOption()).addOption(limitOption());
  return addRemarkOptions(addFileOptions(command));
}

/** Adds the options for the protocols of conversations and the keys of encrypted ones. */
function addConversationOptions(command: Command): void {
  command
    .addOption(
      new Option(
        "-d, --decode-as <rule>",
        "set the protocol of conversations: tcp.port==5000,moul.game (repeatable)",
      ).argParser(collect),
    )
    .option("--keys <file>", "key material; its format is detected (repeatable)", collect)
    .option("--keep-duplicates", "keep UDP datagrams that were recorded twice, such as on two interfaces");
}

function addRemarkOptions(command: Command): Command {
  return command
    .option("-q, --quiet", "no remarks and no progress on standard error")
    .option("--no-progress", "no progress on standard error");
}

/** Adds the options for declarations that are not built in: dissectors and SDL descriptors. */
export function addDefinitionOptions(command: Command): Command {
  return command
    .addOption(dissectorOption())
    .option("--sdl <path>", "a .sdl file or a folder of them, plain or encrypted (repeatable)", collect)
    .option("--sdl-key <hex>", "key of encrypted .sdl files, if it is not the default", droidKey);
}

/** A packet for each message, in captures that are written. */
export function exportedPduOption(): Option {
  return new Option(
    "--exported-pdu",
    "write each message as a packet of its own, which any Wireshark shows by name (exported PDUs, without TCP and UDP)",
  );
}

/** External dissectors. */
export function dissectorOption(): Option {
  return new Option(
    "--dissector <module>",
    "load a dissector that is not built in: a path or a package name (repeatable)",
  ).argParser(collect);
}

/** Adds the options for where text goes, and whether it has colours. */
export function addOutputOptions(command: Command): Command {
  return addFileOptions(command).addOption(colorOption());
}

/** When text has colours. */
export function colorOption(): Option {
  return new Option("--color <when>", "use colours").choices(["auto", "always", "never"]).default("auto");
}

/** The same where nothing has colours: a script may give it to all commands that print what is in captures. */
export function colorlessOption(): Option {
  return colorOption().hideHelp();
}

/** Output without a pager. @param what the output that otherwise goes through one */
export function pagerOption(what = "on a terminal"): Option {
  return new Option("--no-pager", `${what}: print directly, not through PAGER`);
}

/**
 * Parses the path of a folder.
 *
 * @throws InvalidArgumentError for what a shell has left empty, which would be the current one, and for standard output
 */
export function folderPath(text: string): string {
  if (text === "") throw new InvalidArgumentError("It is empty; the current folder is called . (a dot).");
  if (text === "-")
    throw new InvalidArgumentError("A folder cannot be written to standard output; one of this name is ./-");
  return text;
}

/** What something is called, as an option gives it: an empty text, as from a shell variable that is not set, finds nothing. */
export function givenName(text: string): string {
  if (text === "") throw new InvalidArgumentError("It is empty.");
  return text;
}

/** Adds the options for where output goes. @param what the output, where it does not go to standard output otherwise */
export function addFileOptions(command: Command, what?: string): Command {
  const description = what === undefined ? "write to a file instead of standard output" : `the file for ${what}`;
  return command
    .option("-o, --output <file>", description)
    .option("--force", "overwrite the output file if it exists")
    .hook("preAction", () => {
      if (command.getOptionValue("output") === STANDARD_OUTPUT) command.setOptionValue("output", undefined);
    });
}

/** Parses an option that can be repeated. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Parses a whole number in decimal digits that is not below `least`. @throws InvalidArgumentError */
export function wholeNumber(text: string, least: 0 | 1): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least) {
    throw new InvalidArgumentError(`It must be a whole number, ${least} or more.`);
  }
  return value;
}

/** More would only wait for the one that dissects. */
export const MOST_THREADS = 8;

/** Parses a number of threads. @throws InvalidArgumentError */
export function threadCount(text: string): number {
  const count = wholeNumber(text, 1);
  if (count > MOST_THREADS) throw new InvalidArgumentError(`More than ${MOST_THREADS} would be of no use.`);
  return count;
}

/** Parses a list of choices with commas between them. @throws InvalidArgumentError */
export function choiceList<Choice extends string>(text: string, choices: readonly Choice[]): Choice[] {
  return text.split(",").map((part) => {
    const word = part.trim();
    const choice = choices.find((one) => one === word);
    if (choice === undefined) throw new InvalidArgumentError(`"${word}" is not one of ${choices.join(", ")}.`);
    return choice;
  });
}

function droidKey(text: string): string {
  if (!/^[0-9a-f]{32}$/i.test(text)) throw new InvalidArgumentError("It must have 32 hexadecimal digits.");
  return text;
}

const UNITS: Readonly<Record<string, number>> = { "": 1, k: 1e3, m: 1e6, g: 1e9 };

/** Parses a size: a number of bytes, or of k, M or G. @throws InvalidArgumentError */
export function sizeOf(text: string): number {
  const [, digits = "", unit = ""] = /^(\d+)\s*([kmg]?)b?$/i.exec(text) ?? [];
  const size = Number(digits) * (UNITS[unit.toLowerCase()] ?? 0);
  if (size < 1 || !Number.isSafeInteger(size))
    throw new InvalidArgumentError("It must be a size such as 500k, 200M or 2G.");
  return size;
}
