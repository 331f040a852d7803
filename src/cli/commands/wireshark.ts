import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { Option } from "commander";
import { givenFiles } from "../../platform/node/file-on-disk.js";
import { readDefinitionFiles } from "../../session/files/definition-files.js";
import { readKeyFiles } from "../../session/files/key-files.js";
import type { CommandLine } from "../command-line.js";
import { ExitCode } from "../exit-code.js";
import { type DefinitionOptions, definitionInputs, knownDissectors } from "../known-dissectors.js";
import { sdlKeys } from "../options/sdl-key.js";
import { addDefinitionOptions, addFileOptions, colorlessOption } from "../options/shared.js";
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
interface WiresharkCommandOptions extends OutputOptions, DefinitionOptions {
  readonly install?: boolean;
  readonly coloringRules?: boolean;
  readonly sdlKey?: string;
  readonly quiet?: boolean;
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
      ).conflicts(["output", "coloringRules"]),
    )
    .option("--coloring-rules", "print colouring rules for its messages instead, which Wireshark imports");
  addDefinitionOptions(command);
  addFileOptions(command)
    .option("-q, --quiet", "no remarks on standard error")
    .addOption(colorlessOption())
    .addHelpText("after", EPILOGUE)
    .action(async (options: WiresharkCommandOptions) => {
      end(await wiresharkCommand(options, io));
    });
}

/** Prints or installs the plugin; returns the exit code. */
async function wiresharkCommand(options: WiresharkCommandOptions, io: ProcessIo): Promise<number> {
  const remark = (text: string) => {
    if (options.quiet !== true) say(io.stderr, text);
  };
  if (options.coloringRules === true) {
    const { coloringRules } = await import("../../wireshark/index.js");
    const output = await outputOf(options, io);
    output.write(coloringRules());
    const code = await finishPrinting(output, io);
    if (options.output !== undefined && code === ExitCode.done) {
      remark("in Wireshark, View, Coloring Rules, Import takes this file");
    }
    return code;
  }
  const { loaded, all } = await knownDissectors(options);
  const { keys } = await readKeyFiles(sdlKeys(options), all);
  const { definitions, remarks, complete } = await readDefinitionFiles(givenFiles(options.sdl ?? []), all, keys);
  for (const remark of remarks) say(io.stderr, remark);
  const { wiresharkPlugin } = await import("../../wireshark/index.js");
  const place = options.install === true ? await pluginPlace(io.env) : undefined;
  const inputs = await definitionInputs(options, all);
  const output = await outputOf(place === undefined ? options : { output: place, force: true }, io, inputs);
  output.write(wiresharkPlugin(version, { loaded, definitions }));
  const code = await finishPrinting(output, io, complete ? ExitCode.done : ExitCode.input);
  if (place !== undefined && code === 0) {
    remark(`the plugin is in ${place}; restart Wireshark to load it`);
    remark("for colours, too: moul-dissect wireshark --coloring-rules -o moul-dissect.colors");
  }
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
