import { type KeyMaterial, mergeKeyMaterial, noKeyMaterial } from "../key-material.js";
import { Remarks } from "../remarks.js";
import type { TextFile } from "../text-file.js";
import { parseMoss, protectedByPassword } from "./moss.js";

const beginLine = /^-----BEGIN ([A-Z0-9 ]+)-----[ \t]*$/;
const endLine = /^-----END [A-Z0-9 ]+-----[ \t]*$/;

/** True for the line that begins a block of PEM. */
export function isPemLine(line: string): boolean {
  return beginLine.test(line);
}

/** DER keys wrapped in PEM (RFC 7468), as OpenSSL writes them unless asked for DER. */
export function parsePem(file: TextFile): KeyMaterial {
  const remarks = new Remarks(file.name);
  const parts: KeyMaterial[] = [];
  let label = "";
  let base64: string[] | undefined;
  for (const [index, line] of file.lines.entries()) {
    const begin = beginLine.exec(line)?.[1];
    if (begin !== undefined) {
      label = begin;
      base64 = [];
    } else if (base64 !== undefined && endLine.test(line)) {
      if (label.includes("ENCRYPTED")) remarks.error(protectedByPassword, index + 1);
      else if (label.endsWith("PRIVATE KEY")) parts.push(parseMoss(file.name, Buffer.from(base64.join(""), "base64")));
      base64 = undefined;
    } else {
      base64?.push(line.trim());
    }
  }
  if (base64 !== undefined) remarks.error("the file is cut short: its END line is missing");
  if (parts.length === 0 && !remarks.hasErrors) remarks.error("no private key in this file");
  return mergeKeyMaterial([...parts, { ...noKeyMaterial, remarks: remarks.list() }]);
}
