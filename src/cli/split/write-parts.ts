import { readCapture } from "../../capture/reader.js";
import { counted } from "../../common/counted.js";
import { printable, safeJson } from "../../output/writers/sanitise.js";
import { PART_SCHEMA } from "../../output/writers/schema-names.js";
import { captureAt, captureName } from "../../platform/node/capture-file.js";
import { whyUnwritable } from "../../platform/node/file-error.js";
import { readKeyFile } from "../../session/files/key-files.js";
import { readNames } from "../../session/files/name-block.js";
import type { Flow } from "../../split/flows.js";
import { PartWriter } from "../../split/part-writer.js";
import type { Part, SplitPlan } from "../../split/split-plan.js";
import { limitsOf } from "../options/limit-option.js";
import type { CaptureRun } from "../run/capture-run.js";
import { undoneAtEnd } from "../run/interrupt.js";
import { UsageError } from "../usage-error.js";
import { application } from "../version.js";
import type { PartsFolder } from "./parts-folder.js";

interface Writing {
  readonly capture: string;
  /** How many bytes of it to read; undefined for all. */
  readonly length: number | undefined;
  readonly folder: PartsFolder;
  readonly parts: readonly Part[];
  /** True to leave out packets of no conversation. */
  readonly onlyWanted: boolean;
  /** True to list the parts as lines of JSON. */
  readonly json: boolean;
  /** Key logs for the parts that flows go to. */
  readonly keyLogs: ReadonlyMap<Flow, readonly string[]>;
}

/** Reads a capture again, writes its parts, and lists them; returns how many there are. */
export async function writeParts(run: CaptureRun, plan: SplitPlan, writing: Writing): Promise<number> {
  const { folder, parts } = writing;
  try {
    const writer = await undoneAtEnd(
      () => folder.abandon(),
      async () => {
        folder.begin();
        const writer = await written(run, plan, writing);
        folder.end();
        return writer;
      },
    );
    let count = 0;
    for (const [part, { conversations }] of parts.entries()) {
      const packets = writer.packetsOf(part);
      if (packets === 0) continue;
      count++;
      const written = { file: folder.pathOf(part), conversations, packets };
      run.output.write(writing.json ? partLine(written) : partText(written));
    }
    return count;
  } catch (error) {
    folder.abandon();
    if (!(error instanceof Error && "code" in error)) throw error;
    throw new UsageError(`${folder.path}: ${whyUnwritable(error)}`);
  }
}

interface WrittenPart {
  readonly file: string;
  readonly conversations: number;
  readonly packets: number;
}

function partLine(part: WrittenPart): string {
  return `${safeJson({ schema: PART_SCHEMA, ...part })}\n`;
}

function partText({ file, conversations, packets }: WrittenPart): string {
  return `${printable(file)}  ${counted(conversations, "conversation")}, ${counted(packets, "packet")}\n`;
}

async function written(run: CaptureRun, plan: SplitPlan, writing: Writing): Promise<PartWriter> {
  const { capture, length, folder, parts, onlyWanted } = writing;
  const { options, dissectors } = run.prepared;
  const limits = limitsOf(options);
  const keyLogs = parts.map((): string[] => []);
  for (const [{ part }, lines] of writing.keyLogs) keyLogs[part]?.push(...lines);
  const wanted = { application, limits, rest: onlyWanted ? undefined : parts.length - 1, keyLogs };
  const writer = new PartWriter(plan, wanted, (part, bytes) => folder.write(part, bytes));
  const source = captureAt(capture, length);
  const listener = {
    packet: writer.packet.bind(writer),
    // The first reading has reported them.
    problem: () => {},
    secrets: (bytes: Uint8Array) => {
      const isOurs = readNames(bytes) !== undefined || readKeyFile({ name: "", bytes }, dissectors).files.length > 0;
      if (isOurs) writer.secrets(bytes);
    },
  };
  const { decompressors } = source;
  await readCapture(source.open(), captureName(capture), listener, { decompressors, limits });
  return writer;
}
