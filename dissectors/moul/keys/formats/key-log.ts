import { fromBigEndian } from "moul-dissect/dissector";
import {
  type ClientPrivateValue,
  type KeyMaterial,
  noKeyMaterial,
  SESSION_KEY_BYTES,
  type SessionKey,
} from "../key-material.js";
import { Remarks } from "../remarks.js";
import type { TextFile } from "../text-file.js";
import { VALUE_BYTES } from "./key-number.js";
import { remarkNoKeys } from "./no-keys.js";

const keyLines = {
  pattern: /^MOUL_(?:RC4|DH_B)\b/i,
  names: "lines that begin with MOUL_RC4 or MOUL_DH_B",
};

/** True for a line that only a key log has, in any case, commented out or not. */
export function isKeyLogLine(line: string): boolean {
  return /^[ \t#]*MOUL_(?:RC4|DH_B)\b/i.test(line);
}

/**
 * A key log: one connection per line, parts separated by blanks, `#` begins a comment.
 *
 * - `MOUL_RC4 <y> <session key>`: y is the client's public value, the key its 7 bytes in the order in which RC4 takes
 *   them.
 * - `MOUL_DH_B <y> <b>`: b is the client's private value.
 *
 * y and b are hexadecimal numbers, most significant digit first, leading zeros optional. (On the wire y is
 * little-endian; a log that holds it in that order is understood too, when keys are looked up.)
 *
 * @param isAlone false if the file has lines of other formats as well: what is not of a key log may belong to those
 */
export function parseKeyLog(file: TextFile, isAlone: boolean): KeyMaterial {
  const remarks = new Remarks(file.name);
  const sessions: SessionKey[] = [];
  const privateValues: ClientPrivateValue[] = [];
  for (const [index, line] of file.lines.entries()) {
    const [kind = "", y = "", secret = "", ...more] = line.replace(/#.*$/s, "").trim().split(/\s+/);
    const where = `${file.name} line ${index + 1}`;
    if (kind === "" || (!isAlone && !/^MOUL_/i.test(kind))) continue;
    const problem = problemOf(kind, y, secret, more.length > 0);
    if (problem !== undefined) {
      remarks.error(problem, index + 1);
    } else if (kind === "MOUL_RC4") {
      const key = new Uint8Array(Buffer.from(secret, "hex"));
      sessions.push({ y: y.toLowerCase(), key, source: `session key, ${where}` });
    } else {
      const b = fromBigEndian(Buffer.from(secret.padStart(VALUE_BYTES * 2, "0").slice(-VALUE_BYTES * 2), "hex"));
      privateValues.push({ y: y.toLowerCase(), b, source: `client private value, ${where}` });
    }
  }
  if (sessions.length + privateValues.length === 0) remarkNoKeys(file, remarks, keyLines);
  return { ...noKeyMaterial, sessions, privateValues, remarks: remarks.list() };
}

/**
 * A key log's line for one connection. `y` is the client's public value as on the wire (little-endian), `key` the
 * 7-byte session key. y is written with the digits of at least 64 bytes, so that lines align.
 */
export function keyLogLine(y: Uint8Array, key: Uint8Array): string {
  const digits = Buffer.from(new Uint8Array(y).reverse()).toString("hex");
  return `MOUL_RC4 ${digits.padStart(VALUE_BYTES * 2, "0")} ${Buffer.from(key).toString("hex")}`;
}

function problemOf(kind: string, y: string, secret: string, more: boolean): string | undefined {
  if (kind !== "MOUL_RC4" && kind !== "MOUL_DH_B")
    return "the line is not understood: a line begins with MOUL_RC4 or MOUL_DH_B";
  if (secret === "" || more)
    return `${kind} takes two values: y and the ${kind === "MOUL_RC4" ? "session key" : "value b"}`;
  if (!isNumber(y)) return `y is not a hex number of at most ${VALUE_BYTES} bytes`;
  if (kind === "MOUL_DH_B")
    return isNumber(secret) ? undefined : `b is not a hex number of at most ${VALUE_BYTES} bytes`;
  const isKey = /^[0-9a-f]*$/i.test(secret) && secret.length === SESSION_KEY_BYTES * 2;
  return isKey ? undefined : `the session key is not ${SESSION_KEY_BYTES} bytes in hex`;
}

function isNumber(text: string): boolean {
  return /^[0-9a-f]+$/i.test(text) && text.replace(/^0+/, "").length <= VALUE_BYTES * 2;
}
