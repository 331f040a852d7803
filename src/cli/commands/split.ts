import { Option } from "commander";
import { counted, were } from "../../common/counted.js";
import type { Message } from "../../dissect/message.js";
import { RecoveredKeys } from "../../library/recovered-keys.js";
import { captureName, isReadOnce } from "../../platform/node/capture-file.js";
import { Undecrypted } from "../../remarks/undecrypted.js";
import type { Flow } from "../../split/flows.js";
import { SplitPlan, type Splitting, splittings } from "../../split/split-plan.js";
import type { CommandLine } from "../command-line.js";
import { fileSizes } from "../file-size.js";
import { passing } from "../message-display.js";
import { limitsOf } from "../options/limit-option.js";
import { addReadingOptions, folderPath, jsonOption, sizeOf } from "../options/shared.js";
import type { ProcessIo } from "../process-io.js";
import { CaptureRun } from "../run/capture-run.js";
import { interruptible } from "../run/interrupt.js";
import type { CaptureRunOptions } from "../run/options.js";
import { isUnreadable } from "../run/verdict.js";
import { PartsFolder } from "../split/parts-folder.js";
import { writeParts } from "../split/write-parts.js";
import { UsageError } from "../usage-error.js";

const EPILOGUE = `
Each part gives the same messages as the whole capture, if it is read with the same keys and options; frames, streams and
messages are counted anew. Names that other parts tell are in it, in the clear, and the keys that the capture has in it.
Conversations that depend on one another stay together; what no dissector recognises is in the last part.

Examples:
  moul-dissect split year.pcap -o parts --by size --size 2G
  moul-dissect split year.pcap -o alice -Y "player.name == 'Alice'"
  moul-dissect split session.pcap -o parts --keys dirtsand.ini --embed-keys`;

/** About how many bytes of packets are in a part. */
const USUAL_SIZE = 256e6;

/** The options of the command, as the command line gives them. */
interface SplitOptions extends CaptureRunOptions {
  readonly by: Splitting["by"];
  readonly size?: number;
  readonly embedKeys?: boolean;
  readonly filter?: string;
  readonly json?: boolean;
}

/** Adds the command `split` to the program. */
export function addSplitCommand({ program, io, end }: CommandLine): void {
  const command = program
    .command("split")
    .description("Splits a capture into parts (pcapng) that can be read apart from each other, as on many machines.")
    .argument("<capture>", "a capture file; not standard input, as it is read twice")
    .requiredOption("-o, --output <folder>", "the folder for the parts", folderPath)
    .addOption(
      new Option("--by <what>", "a part for each conversation, or of about one size")
        .choices(splittings)
        .default("conversation"),
    )
    .option("--size <size>", "with --by size: how large a part is, as 500k, 200M or 2G (default: 256M)", sizeOf)
    .option("-Y, --filter <expression>", "leave out conversations of which no message passes this display filter")
    .option("--embed-keys", "put the session keys of its connections into each part")
    .addOption(jsonOption("list the parts as JSON objects, each on a line of its own"))
    .option("--force", "replace the parts of an earlier run");
  addReadingOptions(command)
    .addHelpText("after", EPILOGUE)
    .action(async (capture: string, options: SplitOptions) => {
      end(await interruptible(() => splitCommand(capture, options, io)));
    });
}

/** Splits a capture; returns the exit code. */
async function splitCommand(capture: string, options: SplitOptions, io: ProcessIo): Promise<number> {
  const {
    output = "",
    force = false,
    by,
    size = USUAL_SIZE,
    embedKeys = false,
    filter,
    json = false,
    ...others
  } = options;
  const name = captureName(capture);
  if (await isReadOnce(capture)) {
    throw new UsageError(`split reads a capture twice, which ${name} does not allow: save it to a file first`);
  }
  if (options.size !== undefined && by !== "size") throw new UsageError("--size needs --by size");
  const folder = new PartsFolder(output, capture);
  folder.refuse(force);
  const run = await CaptureRun.prepare([capture], others, io);
  // What comes later, to a capture that is still growing, is not part of it.
  const [length] = (await fileSizes([capture])) ?? [];
  const keyLogs = new Map<Flow, string[]>();
  let lines: string[] = [];
  const keys = new RecoveredKeys([name], (line) => lines.push(line));
  let decrypted = 0;
  const plan = new SplitPlan((flow, session) => {
    if (session.analyzer.encryptionState.key === "recovered") decrypted++;
    if (!embedKeys) return;
    lines = keyLogs.get(flow) ?? [];
    keyLogs.set(flow, lines);
    keys.session(session);
  });
  const { network, onName, message: taught } = plan;
  const passes = filter === undefined ? undefined : await passing(filter, run.prepared.dissectors);
  const undecrypted = new Undecrypted();
  const listener = (message: Message) => {
    taught(message);
    // What is encrypted passes few filters, and may hold what would; without a filter, nothing is left out.
    if (passes !== undefined) undecrypted.see(message);
    if (passes?.(message) === true) plan.want(message.conversation);
  };
  const lengths = length === undefined ? [] : [length];
  const result = await run.read({ lengths, network, onName, listener, skims: true });
  if (run.isInterrupted || isUnreadable(result)) return run.finish();
  const { splitParts } = limitsOf(options);
  const onlyWanted = filter !== undefined;
  const parts = plan.parts({ by, size, most: splitParts, onlyWanted });
  const written = await writeParts(run, plan, { capture, length, folder, parts, onlyWanted, json, keyLogs });
  if (written === 0) {
    const nothing = onlyWanted ? "no message passes the filter" : "there are no packets in the capture";
    run.remark(`there is nothing to write: ${nothing}`);
  }
  for (const text of undecrypted.remarks()) run.remark(text);
  if (parts.length > splitParts) {
    run.remark(`there are ${splitParts} parts, and the last one has all the rest; --limit splitParts=N changes it`);
  }
  for (const text of keys.remarks()) run.remark(text);
  if (decrypted > 0 && !embedKeys && run.prepared.files.keys.length > 0) {
    const what = `${counted(decrypted, "conversation")} ${were(decrypted)} decrypted`;
    run.remark(`${what}: read the parts with the same --keys, or put the keys into them with --embed-keys`);
  }
  return run.finish();
}
