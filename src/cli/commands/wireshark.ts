import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { Option } from "commander";
import type { CommandLine } from "../command-line.js";
import { knownDissectors } from "../known-dissectors.js";
import { addFileOptions, dissectorOption } from "../options/shared.js";
import type { ProcessIo } from "../process-io.js";
import { say } from "../say.js";
import { version } from "../version.js";
import type { OutputOptions } from "../writing/output-file.js";
import { finishPrinting, outputOf } from "../writing/printing.js";

const EPILOGUE = `
The plugin is for Wireshark and tshark from 3.6 on. docs/wireshark.md says how to give it keys, and what it shows.

Examples:
  moul-dissect wireshark --install
  moul-dissect wireshark -o moul-dissect.lua
  tshark -X lua_script:moul-dissect.lua -r plain.pcapng -Y moul.playerId`;

const FILE_NAME = "moul-dissect.lua";

/** The options of the command, as the command line gives them. */
interface WiresharkCommandOptions extends OutputOptions {
  readonly install?: boolean;
  readonly dissector?: readonly string[];
}

/** Adds the command `wireshark` to the program. */
export function addWiresharkCommand({ program, io, end }: CommandLine): void {
  const command = program
    .command("wireshark")
    .description("Prints a plugin with which Wireshark itself dissects what is declared here, or installs it.")
    .addOption(
      new Option(
        "--install",
        "put it into the folder for plugins of this user's Wireshark, in place of an older one",
      ).conflicts("output"),
    )
    .addOption(dissectorOption());
  addFileOptions(command)
    .addHelpText("after", EPILOGUE)
    .action(async (options: WiresharkCommandOptions) => {
      end(await wiresharkCommand(options, io));
    });
}

/** Prints or installs the plugin; returns the exit code. */
async function wiresharkCommand(options: WiresharkCommandOptions, io: ProcessIo): Promise<number> {
  const { loaded } = await knownDissectors(options);
  const { wiresharkPlugin } = await import("../../wireshark/index.js");
  const place = options.install === true ? await pluginPlace(io.env) : undefined;
  const output = await outputOf(place === undefined ? options : { output: place, force: true }, io);
  output.write(wiresharkPlugin(version, loaded));
  const code = await finishPrinting(output, io);
  if (place !== undefined && code === 0) say(io.stderr, `the plugin is in ${place}; restart Wireshark to load it`);
  return code;
}

/** The file in the folder where Wireshark looks for plugins of this user; the folder is made. */
async function pluginPlace(env: ProcessIo["env"]): Promise<string> {
  const home = env["HOME"] ?? homedir();
  const folder =
    process.platform === "win32"
      ? join(env["APPDATA"] ?? join(home, "AppData", "Roaming"), "Wireshark", "plugins")
      : join(home, ".local", "lib", "wireshark", "plugins");
  await mkdir(folder, { recursive: true });
  return join(folder, FILE_NAME);
}
