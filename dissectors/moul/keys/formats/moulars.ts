import { type KeyMaterial, noKeyMaterial } from "../key-material.js";
import { Remarks } from "../remarks.js";
import { serverTypeOfName, settingNames } from "../server-type.js";
import type { TextFile } from "../text-file.js";
import { remarkNoKeys } from "./no-keys.js";
import { ServerValues } from "./server-values.js";

const tableLine = /^\[([^\]]+)\]/;
/** A comment, the end of an inline table, or a setting: its name, and an inline table, an array, a text or a word. */
const token = /#.*|\}|(?<![\w."'\s-])([\w."'\s-]+)=\s*(?:(\{)|\[[^\]]*\]?|(["'])(.*?)\3|([^\s#,}]*))/g;
const keyLine = /^(?:crypt_keys\s*=|(?:crypt_keys\.)?(?:auth|game|gate)(?:\.[nk]\s*=|\s*=\s*\{))/;
const keyLines = { pattern: keyLine, names: "auth.n and auth.k in [crypt_keys], or the same of game or gate" };

/** True for a line that only MOULArs's configuration has, commented out or not. */
export function isMoularsLine(line: string): boolean {
  return /^[ \t#]*(?:\[\s*crypt_keys\b|["']?crypt_keys["']?\s*[.=]|(?:auth|game|gate)\.[nk]\s*=)/.test(line);
}

/**
 * MOULArs's configuration, `moulars.toml`: `auth.n = "BASE64"` and `auth.k = "BASE64"` in the table `[crypt_keys]`
 * (also `game` and `gate`; 64 bytes, most significant first; k is the private value a). In TOML, a name may begin in
 * that of its table, and tables may be inline: `crypt_keys = { auth = { n = "BASE64", k = "BASE64" } }`.
 * Source: MOULArs's `config.rs` and `moulars.toml.example`.
 */
export function parseMoulars(file: TextFile): KeyMaterial {
  const remarks = new Remarks(file.name);
  const values = new ServerValues(
    file.name,
    remarks,
    (server, name) => `${settingNames[server].toLowerCase()}.${name === "n" ? "n" : "k"}`,
  );
  let misplaced: number | undefined;
  for (const { path, value, line } of settingsOf(file.lines)) {
    const [root, serverName = "", letter, deeper] = path;
    if (root !== "crypt_keys") {
      if (keyLine.test(file.lines[line - 1]?.trim() ?? "")) misplaced ??= line;
      continue;
    }
    const server = serverTypeOfName(serverName);
    if (server === undefined || (letter !== "n" && letter !== "k") || deeper !== undefined) {
      remarks.error("the key line is not understood", line);
    } else {
      values.set(server, letter === "n" ? "n" : "a", value, line);
    }
  }
  const servers = values.serverKeys();
  if (servers.length === 0 && misplaced !== undefined) remarks.error("the key line is not in [crypt_keys]", misplaced);
  if (servers.length === 0) remarkNoKeys(file, remarks, keyLines);
  return { ...noKeyMaterial, servers, remarks: remarks.list() };
}

interface Setting {
  /** The names of its tables, and its own. */
  readonly path: readonly string[];
  readonly value: string;
  readonly line: number;
}

/** The settings of a file in TOML. Inline tables may go over several lines, as TOML 1.1 has it. */
function* settingsOf(lines: readonly string[]): Generator<Setting> {
  let table: readonly string[] = [];
  let inline: (readonly string[])[] = [];
  for (const [index, line] of lines.entries()) {
    const text = line.trim();
    const header = tableLine.exec(text)?.[1];
    if (header !== undefined) {
      table = pathOf([], header);
      inline = [];
      continue;
    }
    for (const match of text.matchAll(token)) {
      // A line has one setting, unless it is in an inline table.
      if (match.index > 0 && inline.length === 0) break;
      const [all, name, brace, , quoted, bare = ""] = match;
      if (all === "}") inline.pop();
      if (name === undefined) continue;
      const path = pathOf(inline.at(-1) ?? table, name);
      if (brace !== undefined) inline.push(path);
      else yield { path, value: quoted ?? bare, line: index + 1 };
    }
  }
}

/** The path of a name in a table, as far down as keys are. */
function pathOf(table: readonly string[], name: string): readonly string[] {
  const parts = name.split(".").map((part) => part.replace(/["']/g, "").trim());
  return [...table, ...parts.filter((part) => part !== "")].slice(0, 4);
}
