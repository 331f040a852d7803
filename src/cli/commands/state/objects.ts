import { Option } from "commander";
import { type Silence, silences } from "../../../export/speech.js";
import { objectLine, objectText } from "../../../output/state/objects.js";
import { palette } from "../../../output/text/terminal-palette.js";
import { whyUnreadable } from "../../../platform/node/file-error.js";
import type { CommandLine } from "../../command-line.js";
import { ExitCode } from "../../exit-code.js";
import { ObjectCollector } from "../../objects/object-collector.js";
import { ObjectFolder } from "../../objects/object-folder.js";
import { VoiceToWav } from "../../objects/voice-to-wav.js";
import { type ColorOptions, takesColor } from "../../options/color.js";
import { limitsOf } from "../../options/limit-option.js";
import {
  addReadingOptions,
  capturesArgument,
  colorOption,
  filterOption,
  folderPath,
  jsonOption,
} from "../../options/shared.js";
import type { ProcessIo } from "../../process-io.js";
import { CaptureRun } from "../../run/capture-run.js";
import type { CaptureRunOptions } from "../../run/options.js";
import { lookedAt, readState } from "../../run/state.js";
import { isUnreadable } from "../../run/verdict.js";
import { UsageError } from "../../usage-error.js";

const EPILOGUE = `
Files of the file server and the auth server are held against the lists that the server has sent (size and MD5), and
unpacked; pictures are those in vault nodes; voice is written as Ogg Opus or Ogg Speex, a file for each speaker until a
pause of two seconds. Shorter pauses are kept, so that it sounds as it did. Names are made safe, everything is below one
folder, and no file is written over another.

Examples:
  moul-dissect objects session.pcap --list
  moul-dissect objects session.pcap -o found
  moul-dissect objects session.pcap -o found --wav --silence cut`;

interface ObjectsOptions extends Omit<CaptureRunOptions, "output">, ColorOptions {
  readonly json?: boolean;
  readonly list?: boolean;
  readonly silence: Silence;
  readonly wav?: boolean;
  readonly output?: string;
  readonly filter?: string;
}

/** Adds the command `objects` to the program. */
export function addObjectsCommand({ program, io, end }: CommandLine): void {
  const command = program
    .command("objects")
    .description("Takes out what was transferred: downloads, pictures, voice.")
    .addArgument(capturesArgument())
    .option("-o, --output <folder>", "write them into this folder", folderPath)
    .option("--list", "only list them")
    .addOption(
      new Option("--silence <what>", "pauses in a stretch of speech: keep them as long as they were, or cut them out")
        .choices(silences)
        .default("keep"),
    )
    .option("--wav", "write voice as WAV, which every program plays (Opus needs the package opus-decoder)")
    .addOption(filterOption("look at"))
    .addOption(jsonOption("each as a JSON object on a line of its own"));
  addReadingOptions(command, colorOption())
    .addHelpText("after", EPILOGUE)
    .action(async (captures: readonly string[], options: ObjectsOptions) => {
      end(await objectsCommand(captures, options, io));
    });
}

async function objectsCommand(captures: readonly string[], options: ObjectsOptions, io: ProcessIo): Promise<number> {
  const { output, list = false, json = false, silence, wav = false, ...others } = options;
  if ((output === undefined) !== list) throw new UsageError("either --list, or name a folder with -o");
  const limits = limitsOf(options);
  const toWav = wav ? new VoiceToWav(limits.transferBytes) : undefined;
  const run = await CaptureRun.prepare(captures, others, io);
  const colors = await palette(takesColor(options, io));
  const collector = new ObjectCollector(limits, { silence, toWav });
  const folder = output === undefined ? undefined : new ObjectFolder(output);
  let count = 0;
  let failed = 0;
  const write = async () => {
    for await (const object of collector.objects()) {
      count++;
      let file: string | undefined;
      try {
        if (object.content.length > 0) file = await folder?.write(`${object.kind}s`, object.name, object.content);
      } catch (error) {
        failed++;
        run.say(`${object.name}: it cannot be written (${whyUnreadable(error)})`);
      }
      run.output.write(json ? objectLine(object, file) : objectText(object, file, colors));
    }
  };
  const result = await readState(run, {
    filter: options.filter,
    event: (event, at) => collector.take(event, at),
    between: write,
  });
  collector.finish();
  await write();
  await toWav?.free();
  if (toWav?.lacksOpus === true)
    run.remark("Opus voice stays Opus: --wav needs the package opus-decoder for it (npm install opus-decoder)");
  if (collector.givenUp > 0)
    run.remark("the limit transferBytes was reached, so some files are cut; --limit transferBytes=N changes it");
  if (count === 0 && !isUnreadable(result))
    run.remark(`nothing was transferred that can be taken out${lookedAt(options.filter)}`);
  return run.finish(failed > 0 ? ExitCode.input : ExitCode.done);
}
