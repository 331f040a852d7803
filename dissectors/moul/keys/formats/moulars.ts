import { type KeyMaterial, noKeyMaterial } from "../key-material.js";
import { Remarks } from "../remarks.js";
import { serverTypeOfName, settingNames } from "../server-type.js";
import type { TextFile } from "../text-file.js";
import { remarkNoKeys } from "./no-keys.js";
import { ServerValues } from "./server-values.js";

const tableLine = /^\[([^\]]+)\]/;
const settingLine = /^([\w."'\s]+)=\s*(?:(["'])(.*?)\2|([^\s#]*))/;
const keyLine = /^(?:crypt_keys\.)?(?:auth|game|gate)\.[nk]\s*=/;
const keyLines = { pattern: keyLine, names: "auth.n and auth.k in [crypt_keys], or the same of game or gate" };

/** True for a line that only MOULArs's configuration has, commented out or not. */
export function isMoularsLine(line: string): boolean {
  return /^[ \t#]*(?:\[\s*crypt_keys\b|(?:crypt_keys\.)?(?:auth|game|gate)\.[nk]\s*=)/.test(line);
}

/**
 * MOULArs's configuration, `moulars.toml`: `auth.n = "BASE64"` and `auth.k = "BASE64"` in the table `[crypt_keys]`
 * (also `game` and `gate`; 64 bytes, most significant first; k is the private value a). In TOML, a name may begin in
 * that of its table; inline tables are not read. Source: MOULArs's `config.rs` and `moulars.toml.example`.
 */
export function parseMoulars(file: TextFile): KeyMaterial {
  const remarks = new Remarks(file.name);
  const values = new ServerValues(
    file.name,
    remarks,
    (server, name) => `${settingNames[server].toLowerCase()}.${name === "n" ? "n" : "k"}`,
  );
  let table = "";
  let misplaced: number | undefined;
  for (const [index, line] of file.lines.entries()) {
    const text = line.trim();
    table = tableLine.exec(text)?.[1] ?? table;
    const [, name, , quoted, bare = ""] = settingLine.exec(text) ?? [];
    if (name === undefined) continue;
    const path = `${table}.${name}`.split(".").map((part) => part.replace(/["']/g, "").trim());
    const [root, serverName = "", letter] = path.filter((part) => part !== "");
    if (root !== "crypt_keys") {
      if (keyLine.test(text)) misplaced ??= index + 1;
      continue;
    }
    const server = serverTypeOfName(serverName);
    if (server === undefined || (letter !== "n" && letter !== "k")) {
      remarks.error("the key line is not understood", index + 1);
    } else {
      values.set(server, letter === "n" ? "n" : "a", quoted ?? bare, index + 1);
    }
  }
  const servers = values.serverKeys();
  if (servers.length === 0 && misplaced !== undefined) remarks.error("the key line is not in [crypt_keys]", misplaced);
  if (servers.length === 0) remarkNoKeys(file, remarks, keyLines);
  return { ...noKeyMaterial, servers, remarks: remarks.list() };
}
