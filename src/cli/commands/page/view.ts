import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import type { FileInMemory } from "../../../index.js";
import { captureName, STANDARD_INPUT } from "../../../platform/node/capture-file.js";
import { whyUnreadable } from "../../../platform/node/file-error.js";
import { bytesAt, filesAt } from "../../../platform/node/file-on-disk.js";
import { systemPath } from "../../../platform/node/system-path.js";
import { definitionEndings } from "../../../session/files/definition-files.js";
import type { ServedFile } from "../../../web/served.js";
import type { CommandLine } from "../../command-line.js";
import { ExitCode } from "../../exit-code.js";
import { passing } from "../../message-display.js";
import { sdlKeys } from "../../options/sdl-key.js";
import { addReadingOptions, capturesArgument, filterOption, wholeNumber } from "../../options/shared.js";
import { openInBrowser } from "../../page/browser.js";
import { pageWith } from "../../page/page.js";
import { PageServer, type ServedContent } from "../../page/page-server.js";
import { Spool } from "../../page/spool.js";
import type { ProcessIo } from "../../process-io.js";
import { onInterrupt } from "../../run/interrupt.js";
import { missingAmong } from "../../run/missing.js";
import type { CaptureRunOptions } from "../../run/options.js";
import { prepareRun } from "../../run/preparation.js";
import { RunRemarks } from "../../run/remarks.js";

const EPILOGUE = `
The page is served on this machine only, at an address that nobody can guess, until Ctrl-C. Nothing leaves it: captures
and keys are read by the browser's tab. The same page is the file dist/web/moul-dissect.html of this package, which needs
no server: drop captures on it.

Examples:
  moul-dissect view session.pcap --keys dirtsand.ini
  moul-dissect view session.pcap -Y "result != kNetSuccess"
  tcpdump -i eth0 -U -w - port 14617 | moul-dissect view -`;

/** The options of the command, as the command line gives them. */
interface ViewOptions extends CaptureRunOptions {
  readonly filter?: string;
  readonly port?: number;
  /** False for `--no-open`. */
  readonly open?: boolean;
}

/** Adds the command `view` to the program. */
export function addViewCommand({ program, io, end }: CommandLine): void {
  const command = program
    .command("view")
    .description(
      'Shows captures in a browser: messages, fields, bytes, time line, statistics ("-" follows a recording).',
    )
    .addArgument(capturesArgument())
    .addOption(filterOption("begin with"))
    .addOption(new Option("--port <n>", "port to serve the page on (default: a random one)").argParser(portOf))
    .option("--no-open", "only print the address");
  addReadingOptions(command)
    .addHelpText("after", EPILOGUE)
    .action(async (captures: readonly string[], options: ViewOptions) => {
      end(await viewCommand(captures, options, io));
    });
}

/** Serves the page with captures until the program is interrupted; returns the exit code. */
async function viewCommand(captures: readonly string[], options: ViewOptions, io: ProcessIo): Promise<number> {
  const prepared = await prepareRun(captures, options, io, {});
  const remarks = new RunRemarks(prepared);
  // Before anything is served: a mistaken filter is a mistaken command line.
  await passing(options.filter, prepared.dissectors);
  const missing = await missingAmong(prepared.captures);
  for (const { file, text } of missing) remarks.say(`${file}: ${text}`);
  if (missing.length > 0) return ExitCode.input;
  if (prepared.loaded.length > 0) remarks.remark("the page knows the built-in dissectors only");
  const { decodeAs, filter, limit } = options;
  const spool = prepared.captures.includes(STANDARD_INPUT) ? await Spool.of(io.stdin ?? process.stdin) : undefined;
  const contents = new Map<string, ServedContent>();
  const files: ServedFile[] = [];
  let code: number = ExitCode.done;
  const serve = (name: string, kind: ServedFile["kind"], bytes: ServedContent["bytes"], isLive = false) => {
    const path = `file/${files.length}`;
    contents.set(path, { type: "application/octet-stream", bytes });
    files.push({ name, kind, path, isLive });
  };
  for (const capture of prepared.captures) {
    if (capture === STANDARD_INPUT && spool !== undefined) {
      serve(captureName(capture), "capture", () => spool.bytes(), true);
    } else serve(basename(capture), "capture", () => contentOf(capture));
  }
  for (const file of [...prepared.files.keys, ...sdlKeys(options)]) await serveSmall(file, "keys");
  const endings = definitionEndings(prepared.dissectors);
  for (const file of prepared.files.definitions) {
    if (typeof file !== "string") await serveSmall(file, "definitions");
    else for (const path of await filesAt([file], endings)) await serveSmall(path, "definitions");
  }
  const page = await pageWith(
    { files, ...(decodeAs && { decodeAs }), ...(limit && { limits: limit }), ...(filter !== undefined && { filter }) },
    true,
  );
  contents.set("", { type: "text/html; charset=utf-8", bytes: () => once(Buffer.from(page)) });
  const server = new PageServer(contents);
  let address: string;
  try {
    address = await server.listen(options.port);
  } catch (error) {
    await spool?.close();
    remarks.say(`the page cannot be served on port ${options.port ?? "(any)"}: ${whyNotServed(error)}`);
    return ExitCode.input;
  }
  io.stdout.write(`${address}\n`);
  remarks.remark("serving this session until Ctrl-C; nobody else can open it");
  if (options.open !== false && !(await openInBrowser(address))) remarks.remark("open the address above in a browser");
  await new Promise<void>((resolve) => void onInterrupt(resolve));
  await server.close();
  await spool?.close();
  return code;

  async function serveSmall(file: string | FileInMemory, kind: ServedFile["kind"]): Promise<void> {
    try {
      const bytes = typeof file === "string" ? await bytesAt(file) : file.bytes;
      serve(typeof file === "string" ? file : file.name, kind, () => once(bytes));
    } catch (error) {
      remarks.say(`${String(file)}: it cannot be read (${whyUnreadable(error)})`);
      // One that was found beside a capture is not worth that.
      if (options.keys !== undefined || kind === "definitions") code = ExitCode.input;
    }
  }
}

const HIGHEST_PORT = 65_535;

/** Parses a number of a port. @throws InvalidArgumentError */
function portOf(text: string): number {
  const port = wholeNumber(text, 1);
  if (port > HIGHEST_PORT) throw new InvalidArgumentError(`It must be ${HIGHEST_PORT} or less.`);
  return port;
}

const IN_USE = "another program uses it; name another with --port";
const FORBIDDEN = "this user may not use it; name one from 1024 on with --port";

/** Why a port cannot be listened on, as a phrase. */
function whyNotServed(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return IN_USE;
  return code === "EACCES" ? FORBIDDEN : error.message;
}

async function* contentOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(await systemPath(path));
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
