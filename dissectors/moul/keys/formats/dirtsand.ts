import { type KeyMaterial, noKeyMaterial } from "../key-material.js";
import { Remarks } from "../remarks.js";
import { type ServerType, serverTypeOfName, settingNames } from "../server-type.js";
import type { TextFile } from "../text-file.js";
import { remarkNoKeys } from "./no-keys.js";
import { ServerValues, type ValueName } from "./server-values.js";

const keyLine = /^Key\.([A-Za-z]+)\.([NK])[ \t]*=[ \t]*(.*)$/is;
const droidLine = /^Key\.Droid[ \t]*=[ \t]*(.*)$/is;

const keyLines = { pattern: keyLine, names: "Key.Auth.N and Key.Auth.K, or the same of Game or Gate" };
const otherLine =
  /^[ \t]*(?:(?:File|Auth)\.(?:Host|Root)|Game\.Host|Lobby\.(?:Addr|Port)|(?:Sdl|Age)\.Path|Welcome\.Msg)[ \t]*=/;

/** True for a line that only DIRTSAND's configuration has; those of keys may be damaged, or commented out. */
export function isDirtsandLine(line: string): boolean {
  return /^[ \t#]*Key\.(?:[A-Za-z]+\.[NK][ \t]*=|(?:Auth|Game|Gate|Droid)\b)/i.test(line) || otherLine.test(line);
}

/**
 * DIRTSAND's configuration, `dirtsand.ini`: `Key.Auth.N = BASE64` and `Key.Auth.K = BASE64` (also `Game` and `Gate`; 64
 * bytes, most significant first; K is the private value a), and `Key.Droid = 32 hex digits`. `#` begins a comment
 * anywhere in a line. Source: DIRTSAND's `settings.cpp` and `dirtsand.sample.ini`.
 */
export function parseDirtsand(file: TextFile): KeyMaterial {
  const remarks = new Remarks(file.name);
  const values = new ServerValues(file.name, remarks, label);
  let droidKeys: readonly Uint8Array[] = [];
  for (const [index, line] of file.lines.entries()) {
    const setting = line.replace(/#.*$/s, "").trim();
    if (!/^Key\./i.test(setting)) continue;
    const [, serverName = "", letter = "", value = ""] = keyLine.exec(setting) ?? [];
    const server = serverTypeOfName(serverName);
    const droid = droidLine.exec(setting)?.[1];
    if (server !== undefined) {
      values.set(server, letter.toUpperCase() === "N" ? "n" : "a", value, index + 1);
    } else if (droid === undefined) {
      remarks.error("the key line is not understood", index + 1);
    } else if (/^[0-9a-f]{32}$/i.test(droid)) {
      droidKeys = [new Uint8Array(Buffer.from(droid, "hex"))];
    } else {
      remarks.error("Key.Droid is not 32 hex digits", index + 1);
    }
  }
  const servers = values.serverKeys();
  if (servers.length === 0) remarkNoKeys(file, remarks, keyLines, droidKeys.length > 0);
  return { ...noKeyMaterial, servers, droidKeys, remarks: remarks.list() };
}

function label(server: ServerType, name: ValueName): string {
  return `Key.${settingNames[server]}.${name === "n" ? "N" : "K"}`;
}
