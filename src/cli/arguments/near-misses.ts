import { hintForTshark } from "./tshark-options.js";

/** What to use instead of long options that do not exist, but might. */
const OPTIONS: Readonly<Record<string, string>> = {
  "--stream": '-Y "stream == 5" shows the messages of one conversation, moul-dissect follow --stream 5 its bytes',
  "--follow": "moul-dissect follow --stream 5 prints the plaintext of one conversation",
  "--summary": "moul-dissect session.pcap --format summary prints one line per message",
  "--tree": "moul-dissect session.pcap prints trees",
  "--jsonl": "--json prints one object per line",
  "--tsv": "moul-dissect session.pcap -e number -e message prints columns with tabs between them",
  "--fields": "moul-dissect session.pcap -e number -e message prints columns; moul-dissect fields lists names",
  "--stats": "it is a command: moul-dissect stats",
  "--no-color": "it is called --color never",
  "--no-colour": "it is called --color never",
  "--colour": "it is spelled --color",
};

/** What to use instead of formats of messages that do not exist, but might. */
const FORMATS: Readonly<Record<string, string>> = {
  csv: "--csv prints the columns that -e names",
  tsv: "-e names columns, which tabs separate",
  table: "--format summary has one line per message; -e names columns",
  text: "--format tree and --format summary are texts",
  jsonl: "--format json prints one object per line",
  ndjson: "--format json prints one object per line",
  pcap: "the command decrypt writes captures",
  pcapng: "the command decrypt writes captures",
};

/** An error message with a hint, where the program knows better than by the spelling what may have been meant. */
export function withHint(problem: string): string {
  const hint = hintFor(problem);
  if (hint === undefined) return problem + hintForTshark(problem);
  return `${problem.replace(/\(Did you mean .*\?\)\n?/, "").trimEnd()}\n(${hint})\n`;
}

function hintFor(problem: string): string | undefined {
  const [, option = ""] = /unknown option '(--[a-z-]+)/.exec(problem) ?? [];
  const [, format = ""] = /option '--format <format>' argument '(\w+)' is invalid.*\bfields\b/.exec(problem) ?? [];
  return Object.hasOwn(OPTIONS, option)
    ? OPTIONS[option]
    : Object.hasOwn(FORMATS, format)
      ? FORMATS[format]
      : undefined;
}
