import { type KeyMaterial, noKeyMaterial } from "../key-material.js";
import { Remarks } from "../remarks.js";
import { type ServerType, serverTypeOfName, settingNames } from "../server-type.js";
import type { TextFile } from "../text-file.js";
import type { Unusable } from "./key-number.js";
import { remarkNoKeys } from "./no-keys.js";
import { ServerValues, type ValueName, valueNamed } from "./server-values.js";

const keyLine = /^Server[ \t._=,]+(Auth|Game|GateKeeper|Gate|Csr)[ \t._=,]+([NXG])[ \t=,]+(.*)$/is;

const keyLines = { pattern: keyLine, names: "Server.Auth.N and Server.Auth.X, or the same of Game or Gate" };

/** True for a line that only a client's `server.ini` has, commented out or not. */
export function isClientIniLine(line: string): boolean {
  return /^[ \t#]*Server[._](?:DispName|Status|Signup|Port|Auth|Game|Gate|GateKeeper|File|Csr)\b/i.test(line);
}

/**
 * The `server.ini` of H'uru's client: `Server.Auth.N "BASE64"` and `Server.Auth.X "BASE64"` (64 bytes, most significant
 * first), `Server.Auth.G 41` where g is not the default; also `Game` and `Gate`. The file is a script of console
 * commands: names in any case, parts separated by dots, underscores or blanks, quotes of either kind or none, `#`
 * comment lines.
 * Source: pfConsoleCore/pfConsoleCommandsCore.cpp; pfConsoleCore/pfConsoleParser.cpp.
 */
export function parseClientIni(file: TextFile): KeyMaterial {
  const remarks = new Remarks(file.name);
  const values = new ServerValues(file.name, remarks, label);
  for (const [index, line] of file.lines.entries()) {
    const [, group = "", letter = "", rest = ""] = keyLine.exec(line.trim()) ?? [];
    const server = serverTypeOfName(group);
    const name = valueNamed(letter);
    if (server !== undefined && name !== undefined) values.set(server, name, argumentOf(rest), index + 1);
  }
  const clients = values.clientKeys();
  if (clients.length === 0) remarkNoKeys(file, remarks, keyLines);
  return { ...noKeyMaterial, clients, remarks: remarks.list() };
}

/** The first argument of a command. */
function argumentOf(text: string): string | Unusable {
  const quote = /^["']/.exec(text)?.[0];
  if (quote === undefined) return text.split(/[ \t,]/, 1)[0] ?? "";
  const end = text.indexOf(quote, 1);
  return end < 0 ? { problem: "has no closing quote" } : text.slice(1, end);
}

function label(server: ServerType, name: ValueName): string {
  return `Server.${settingNames[server]}.${name.toUpperCase()}`;
}
