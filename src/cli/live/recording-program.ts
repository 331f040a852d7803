import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** A program that records packets. */
export interface RecordingProgram {
  readonly name: "dumpcap" | "tcpdump";
  readonly path: string;
}

/** What to record. */
export interface RecordingOptions {
  /** Undefined for the one that the program takes. */
  readonly interface: string | undefined;
  /** A capture filter, as pcap-filter(7) describes it. */
  readonly captureFilter: string;
}

/** Programs in the order of preference: Wireshark's needs no root where it was set up for its group. */
const NAMES = ["dumpcap", "tcpdump"] as const;

const IS_WINDOWS = process.platform === "win32";

/** The first of the programs that is there; undefined if none is. */
export function recordingProgram(env: NodeJS.ProcessEnv, isWindows = IS_WINDOWS): RecordingProgram | undefined {
  const { PATH = "", ProgramFiles = "" } = env;
  const ending = isWindows ? ".exe" : "";
  // There, Wireshark does not put its folder on the path.
  const usual = isWindows && ProgramFiles !== "" ? [join(ProgramFiles, "Wireshark")] : [];
  for (const name of NAMES) {
    for (const folder of [...PATH.split(delimiter), ...usual]) {
      const path = join(folder, name + ending);
      if (folder !== "" && isExecutable(path)) return { name, path };
    }
  }
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The arguments with which a program writes a pcap file to standard output, packet by packet. */
export function recordingArguments({ name }: RecordingProgram, options: RecordingOptions): string[] {
  const { captureFilter, interface: on } = options;
  const from = on === undefined ? [] : ["-i", on];
  if (name === "dumpcap") return ["-q", "-P", ...from, "-f", captureFilter, "-w", "-"];
  return ["-n", "-U", ...from, "-w", "-", captureFilter];
}

/** All interfaces, where there is such a thing: whoever plays on the machine of the server uses loopback. */
export function usualInterface(): string | undefined {
  return process.platform === "linux" ? "any" : undefined;
}

/** The interface on which a program says that it records, where it has said so. */
export function interfaceIn(said: string): string | undefined {
  const [, dumpcap, tcpdump] = /^Capturing on '(.+)'\s*$|^(?:\S+: )?listening on ([^,\s]+)/m.exec(said) ?? [];
  return dumpcap ?? tcpdump;
}

/**
 * Where a program records. If the user did not say, it has taken the first interface that it found, which need not be
 * the one that is meant.
 *
 * @param on the interface that was asked for
 * @param taken the one that the program has taken
 */
export function whereText({ name }: RecordingProgram, on: string | undefined, taken: string | undefined): string {
  if (on !== undefined) return ` on ${on}`;
  const where =
    taken === undefined ? "the first interface that it found" : `${taken}, the first interface that it found`;
  return ` on ${where} (-i takes another; ${name} -D lists them)`;
}

/** What to do where no program is there. */
export function programAdvice(isWindows = IS_WINDOWS): string {
  if (isWindows) return "dumpcap is not there: install Wireshark, and Npcap with it";
  return "neither dumpcap nor tcpdump is there: install one of them, such as the package tcpdump, or wireshark-common for dumpcap";
}

const NOT_PERMITTED = /permission|not permitted|privilege|EPERM|EACCES/i;

/** What to do where the user may not record; undefined if that is not the problem. */
export function rightsAdvice(
  { name, path }: RecordingProgram,
  complaint: string,
  isWindows = IS_WINDOWS,
): string | undefined {
  if (!NOT_PERMITTED.test(complaint)) return undefined;
  if (isWindows) return "run this in a terminal that was opened as administrator";
  const own = `give it the right: sudo setcap cap_net_raw,cap_net_admin=eip ${path}`;
  if (name === "tcpdump") return `run this with sudo, or ${own}`;
  return `run this with sudo, or join the group that may use it (sudo usermod -aG wireshark $USER, then log in again), or ${own}`;
}
