import { type KeyMaterial, noKeyMaterial } from "../key-material.js";
import { Remarks } from "../remarks.js";
import { type ServerType, serverTypeOfName } from "../server-type.js";
import type { TextFile } from "../text-file.js";
import { remarkNoKeys } from "./no-keys.js";
import { ServerValues, valueNamed } from "./server-values.js";

const keyLine = /^key_[na][ \t]*=/i;
const keyLines = {
  pattern: keyLine,
  names: "key_n and key_a in [server.auth], [server.game] or [server.gatekeeper]",
};

/** True for a line that only NAGUS's configuration has, commented out or not. */
export function isNagusLine(line: string): boolean {
  return (
    /^[ \t]*\[server\.(?:gatekeeper|auth|game|csr|status)\]/.test(line) ||
    /^[ \t#]*key_[nag][ \t]*=/i.test(line) ||
    /^[ \t]*encryption[ \t]*=[ \t]*(?:force|default|none)[ \t]*$/i.test(line)
  );
}

/**
 * NAGUS's configuration: sections `[server.gatekeeper]`, `[server.auth]`, `[server.game]` with `key_n` and `key_a`
 * (base64 of 64 bytes, most significant first; empty means none) and optionally `key_g` (decimal). `#` at the start of
 * a line begins a comment. Source: NAGUS's `configuration.py` and `nagus_config.defaults.ini`.
 */
export function parseNagus(file: TextFile): KeyMaterial {
  const remarks = new Remarks(file.name);
  const values = new ServerValues(file.name, remarks, (server, name) => `key_${name} in [server.${server}]`);
  const options = optionsOf(file.lines);
  for (const { section, name, value, line } of options) {
    const valueName = valueNamed(/^key_([nag])$/i.exec(name)?.[1] ?? "");
    if (valueName === undefined || value === "") continue;
    const server = serverOfSection(section);
    if (server === undefined) remarks.error(`${name.toLowerCase()} is not in the section of an encrypted server`, line);
    else values.set(server, valueName, value, line);
  }
  const servers = values.serverKeys();
  if (servers.length === 0) {
    const isNeeded = !options.some(({ section, name, value }) => section === "server" && isUnencrypted(name, value));
    if (isNeeded) remarkNoKeys(file, remarks, keyLines);
    else remarks.note("no keys in this file, and none are needed: it turns encryption off");
  }
  return { ...noKeyMaterial, servers, remarks: remarks.list() };
}

/** True for the option of a shard that never encrypts. Source: NAGUS's `nagus_config.defaults.ini`, "encryption". */
function isUnencrypted(name: string, value: string): boolean {
  return name.toLowerCase() === "encryption" && value === "none";
}

interface Option {
  readonly section: string;
  readonly name: string;
  value: string;
  readonly line: number;
  readonly indent: number;
}

/** The options of a file in the dialect of Python's `configparser`: a line indented deeper continues the last value. */
function optionsOf(lines: readonly string[]): Option[] {
  const options: Option[] = [];
  let section = "";
  let current: Option | undefined;
  for (const [index, line] of lines.entries()) {
    const text = line.trim();
    if (text.startsWith("#")) continue;
    const indent = line.length - line.trimStart().length;
    const equals = text.indexOf("=");
    if (text === "") {
      current = undefined;
    } else if (current !== undefined && indent > current.indent) {
      current.value += text;
    } else if (text.startsWith("[")) {
      section = text.slice(1).split("]", 1)[0] ?? "";
      current = undefined;
    } else if (equals >= 0) {
      const name = text.slice(0, equals).trim();
      current = { section, name, value: text.slice(equals + 1).trim(), line: index + 1, indent };
      options.push(current);
    }
  }
  return options;
}

function serverOfSection(section: string): ServerType | undefined {
  const [parent = "", name = "", ...deeper] = section.split(".");
  return parent === "server" && deeper.length === 0 ? serverTypeOfName(name) : undefined;
}
