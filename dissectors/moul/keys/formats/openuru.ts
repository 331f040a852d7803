import { fromLittleEndian } from "moul-dissect/dissector";
import { type ClientKey, type KeyMaterial, noKeyMaterial } from "../key-material.js";
import { Remarks } from "../remarks.js";
import { defaultGenerators, likelyServerTypes, ofServer, serverTypeOfName } from "../server-type.js";
import type { TextFile } from "../text-file.js";
import { numberOfBytes, type Unusable } from "./key-number.js";
import { usable } from "./server-values.js";

// Bounded repetitions keep the search linear in the length of the file.
const definition =
  /\bk([A-Za-z]{0,40})Dh(?:([NX])Data\s{0,40}(?:\[[^\]]{0,80}\]\s{0,40})?(?:=\s{0,40}(?:std::[^{};=]{0,80})?)?\{(?:\s{0,40}\{)?([^{}]{0,2048})\}|GValue\s{0,40}[={]\s{0,40}(\d{1,10})[UuLl]{0,2}\b)/g;

const NONE = "no keys in this file: missing are arrays of bytes, kDhNData[] = { ... } and kDhXData[] = { ... }";

/** True for a line that only the key headers of OpenUru's client have. */
export function isOpenUruLine(line: string): boolean {
  return /\bk[A-Za-z]{0,40}Dh(?:NData|XData|GValue)\b/.test(line);
}

/**
 * The key headers of OpenUru's client, `pnNbAuthKey.hpp` and its siblings, which MOSS's `make_cyan_dh -C` writes too: C
 * arrays `kDhNData` and `kDhXData` of 64 bytes, **least** significant first, and `kDhGValue`. The arrays may be those of
 * C++, `std::array<uint8_t, 64> kDhNData{ ... }`. The server type may be part of the names (`kAuthDhNData`,
 * `kGateKeeperDhXData`); where it is not, see `likelyServerTypes`. One file may hold several definitions. A patch that
 * adds such arrays, as NAGUS writes it, is read as the file that it produces.
 *
 * Source: pnNetBase/; MOSS's `make_cyan_dh.c`; NAGUS's `client_config_gen.py`.
 */
export function parseOpenUru(file: TextFile): KeyMaterial {
  const remarks = new Remarks(file.name);
  const definitions = new Map<string, Definition>();
  const clients: ClientKey[] = [];
  const text = withoutComments(patched(file.lines).join("\n"));
  let line = 1;
  let counted = 0;
  for (const match of text.matchAll(definition)) {
    const [, prefix = "", letter, array = "", g] = match;
    const known = definitions.get(prefix) ?? {};
    line += newlines(text.slice(counted, match.index));
    counted = match.index;
    if (g !== undefined) {
      definitions.set(prefix, { ...known, g: BigInt(g) });
      continue;
    }
    const name = letter === "N" ? "n" : "x";
    const value = usable(name, numberOfArray(array), `k${prefix}Dh${letter}Data`, line, remarks);
    const updated: Definition = { ...known, [name]: { value, line } };
    const { g: generator, n, x } = updated;
    if (n === undefined || x === undefined) {
      definitions.set(prefix, updated);
      continue;
    }
    if (n.value !== undefined && x.value !== undefined) {
      clients.push(...clientKeys(file.name, prefix, n.value, x.value, generator));
    }
    // An alternative for another build type may follow: it has arrays of its own, while g is stated once for all.
    definitions.set(prefix, generator === undefined ? {} : { g: generator });
  }
  for (const [prefix, { n, x }] of definitions) {
    if (n?.value !== undefined) remarks.error(`k${prefix}DhNData is given without k${prefix}DhXData`, n.line);
    if (x?.value !== undefined) remarks.error(`k${prefix}DhXData is given without k${prefix}DhNData`, x.line);
  }
  if (clients.length === 0 && !remarks.hasErrors) remarks.error(NONE);
  return { ...noKeyMaterial, clients, remarks: remarks.list() };
}

/** What has been read of the definitions with one prefix, and is not yet part of a key. */
interface Definition {
  readonly g?: bigint;
  readonly n?: Given;
  readonly x?: Given;
}

/** The number of an array, undefined if it cannot be used; and the line where it begins. */
interface Given {
  readonly value: bigint | undefined;
  readonly line: number;
}

function clientKeys(fileName: string, prefix: string, n: bigint, x: bigint, g: bigint | undefined): ClientKey[] {
  const named = serverTypeOfName(prefix);
  const likely = named === undefined ? likelyServerTypes(g, fileName) : [named];
  const source = `public values${ofServer(likely)}, ${fileName}`;
  return likely.map((server) => ({ server, n, x, g: g ?? defaultGenerators[server], source }));
}

function numberOfArray(array: string): bigint | Unusable {
  const numbers = array
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
  if (!numbers.every((item) => /^(?:0x[0-9a-f]{1,2}|\d{1,3})$/i.test(item) && Number(item) < 256)) {
    return { problem: "is not an array of bytes" };
  }
  return numberOfBytes(Uint8Array.from(numbers, Number), fromLittleEndian);
}

/** The lines of a patch as it leaves them; line numbers stay. Other files are returned unchanged. */
function patched(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => line.startsWith("@@ "))) return lines;
  return lines.map((line) => (line.startsWith("-") ? "" : line.slice(1)));
}

/** The text without C and C++ comments; line numbers stay. */
function withoutComments(text: string): string {
  const opener = /\/[*/]/g;
  let kept = "";
  let position = 0;
  for (let match = opener.exec(text); match !== null; match = opener.exec(text)) {
    kept += text.slice(position, match.index);
    const closer = match[0] === "/*" ? "*/" : "\n";
    const found = text.indexOf(closer, match.index + 2);
    const end = found < 0 ? text.length : found;
    kept += "\n".repeat(newlines(text.slice(match.index, end)));
    position = closer === "*/" ? Math.min(end + 2, text.length) : end;
    opener.lastIndex = position;
  }
  return kept + text.slice(position);
}

function newlines(text: string): number {
  return text.split("\n").length - 1;
}
