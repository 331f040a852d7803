/** What to use instead of options of tshark that do not exist here. */
const INSTEAD: Readonly<Record<string, string>> = {
  "-E": "--csv separates columns with commas",
  "-G": "the command fields lists names",
  "-R": "-Y is the filter",
  "-T": "--format says how messages are printed, --json is the same as --format json",
  "-i": "tcpdump -w - port 14617 | moul-dissect -",
  "-n": "no address is ever looked up",
  "-r": "captures are given without an option",
  "-t": "--time says how times are printed",
  "-v": "--version prints the version",
  "-w": "the command decrypt writes captures",
  "-x": "--hex shows the bytes",
  "-z": "the command stats prints statistics",
};

/** A hint for users of tshark whose option does not exist here; empty if there is none. */
export function hintForTshark(problem: string): string {
  const [, option = ""] = /unknown option '(-[A-Za-z])/.exec(problem) ?? [];
  const instead = INSTEAD[option];
  return instead === undefined ? "" : `(for tshark's ${option}: ${instead})\n`;
}
