import { basename } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { bytesAt, filesAt } from "../../../platform/node/file-on-disk.js";
import { definitionEndings } from "../../../session/files/definition-files.js";
import type { ServedFile } from "../../../web/served.js";
import type { CommandLine } from "../../command-line.js";
import { knownDissectors } from "../../known-dissectors.js";
import { passing } from "../../message-display.js";
import { addRewritingOptions, capturesArgument, filterOption } from "../../options/shared.js";
import { pageWith } from "../../page/page.js";
import type { ProcessIo } from "../../process-io.js";
import type { CaptureRunOptions } from "../../run/options.js";
import { UsageError } from "../../usage-error.js";
import { decryptCommand } from "../decrypt.js";
import { scrubCommand } from "../scrub.js";

const EPILOGUE = `
The page has the plaintext of the conversations that were recognised, as decrypt writes it: without keys, but with names,
chat and whatever else was said. With --scrub, these are replaced, as scrub does it.

Examples:
  moul-dissect report session.pcap --scrub -o session.html
  moul-dissect report session.pcap --keys dirtsand.ini -Y "result != kNetSuccess" -o session.html`;

/** The options of the command, as the command line gives them. */
interface ReportOptions extends CaptureRunOptions {
  readonly scrub?: boolean;
  readonly filter?: string;
}

/** Adds the command `report` to the program. */
export function addReportCommand({ program, io, end }: CommandLine): void {
  const command = program
    .command("report")
    .description("Writes a page with the session inside it, to attach to a bug report: it opens in any browser.")
    .addArgument(capturesArgument())
    .option("--scrub", "replace names, secrets, addresses, chat and voice")
    .addOption(filterOption("begin with"));
  addRewritingOptions(command, "the page")
    .addHelpText("after", EPILOGUE)
    .action(async (captures: readonly string[], options: ReportOptions) => {
      end(await reportCommand(captures, options, io));
    });
}

/** Writes a page with captures in it; returns the exit code. */
async function reportCommand(captures: readonly string[], options: ReportOptions, io: ProcessIo): Promise<number> {
  const { scrub = false, filter, sdl = [], output, ...others } = options;
  if (output === undefined) throw new UsageError("name a file for the page with -o");
  const { all } = await knownDissectors(options);
  await passing(filter, all);
  const [first = ""] = captures;
  const name = `${basename(first).replace(/\.pcap(ng)?(\.\w+)?$/, "")}.pcapng`;
  const wrap = async (capture: Uint8Array) => {
    // Compressed, since pages are sent by mail; the engine unpacks what it reads.
    const files: ServedFile[] = [{ name, kind: "capture", base64: base64(await promisify(gzip)(capture)) }];
    for (const path of await filesAt(sdl, definitionEndings(all))) {
      // One that cannot be read was reported when the captures were read.
      const bytes = await bytesAt(path).catch(() => undefined);
      if (bytes !== undefined) files.push({ name: basename(path), kind: "definitions", base64: base64(bytes) });
    }
    return pageWith({ files, ...(filter !== undefined && { filter }) }, false);
  };
  const given = { ...others, sdl, output };
  return scrub ? scrubCommand(captures, given, [], io, wrap) : decryptCommand(captures, given, io, wrap);
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}
