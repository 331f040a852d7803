import { encryptionOf } from "./encrypted-file.js";
import { isClientIniLine, parseClientIni } from "./formats/client-ini.js";
import { isDirtsandLine, parseDirtsand } from "./formats/dirtsand.js";
import { isKeyLogLine, parseKeyLog } from "./formats/key-log.js";
import { isDerKey, parseMoss } from "./formats/moss.js";
import { parseMossRaw } from "./formats/moss-raw.js";
import { isMoularsLine, parseMoulars } from "./formats/moulars.js";
import { isNagusLine, parseNagus } from "./formats/nagus.js";
import { isOpenUruLine, parseOpenUru } from "./formats/openuru.js";
import { isPemLine, parsePem } from "./formats/pem.js";
import { type KeyMaterial, noKeyMaterial } from "./key-material.js";
import { type KeyRemark, Remarks } from "./remarks.js";
import { baseName, linesOfText, type TextFile } from "./text-file.js";

/** The formats of key files, by the program that they belong to. */
type KeyFileFormat = "dirtsand" | "moulars" | "nagus" | "moss" | "client-ini" | "openuru" | "key-log";

/** What one key file holds. */
export interface ParsedKeys extends KeyMaterial {
  /** Absent where the content is of no known format; then there is a remark, and nothing else. */
  readonly format?: KeyFileFormat;
}

interface TextFormat {
  readonly format: KeyFileFormat;
  /** What it is called, to follow "lines of". */
  readonly name: string;
  /** True for a line that no other format has. */
  readonly recognises: (line: string) => boolean;
  /** Reads the lines of this format; `isAlone` is false if there are lines of others, which have a remark of their own. */
  readonly parse: (file: TextFile, isAlone: boolean) => KeyMaterial;
}

const textFormats: readonly TextFormat[] = [
  { format: "key-log", name: "a key log", recognises: isKeyLogLine, parse: parseKeyLog },
  { format: "moss", name: "PEM", recognises: isPemLine, parse: parsePem },
  { format: "openuru", name: "an OpenUru key header", recognises: isOpenUruLine, parse: parseOpenUru },
  { format: "dirtsand", name: "DIRTSAND's configuration", recognises: isDirtsandLine, parse: parseDirtsand },
  { format: "moulars", name: "MOULArs's configuration", recognises: isMoularsLine, parse: parseMoulars },
  { format: "nagus", name: "NAGUS's configuration", recognises: isNagusLine, parse: parseNagus },
  { format: "client-ini", name: "a client's server.ini", recognises: isClientIniLine, parse: parseClientIni },
];

/** A key log of some 100,000 connections is smaller; a larger file was not meant to be a key file. */
const LARGEST_FILE = 16 * 1024 * 1024;

/**
 * Reads a key file of any format, recognised by its content. `fileName` is named in remarks and sources (without its
 * folders) and helps where a file does not say which server it is for. Never throws: what cannot be used becomes a
 * remark.
 */
export function parseKeyFile(fileName: string, bytes: Uint8Array): ParsedKeys {
  const name = baseName(fileName);
  if (bytes.length === 0) return unusable(name, "the file is empty");
  if (bytes.length > LARGEST_FILE) return unusable(name, `larger than a key file can be (${LARGEST_FILE} bytes)`);
  if (isDerKey(bytes)) return { format: "moss", ...parseMoss(name, bytes) };
  const encryption = encryptionOf(bytes);
  if (encryption !== undefined) return unusable(name, `an encrypted client file (${encryption}): decrypt it first`);
  const lines = linesOfText(bytes);
  // A comment may name the keys of another format; but all the keys of a file may be commented out.
  const live = lines?.filter((line) => !/^\s*(?:#|\/\/)/.test(line));
  const [first, ...others] = textFormats.filter(({ recognises }) => live?.some(recognises));
  const found = first ?? textFormats.find(({ recognises }) => lines?.some(recognises));
  if (lines !== undefined && found !== undefined) {
    const keys = found.parse({ name, lines }, others.length === 0);
    return { format: found.format, ...keys, remarks: [...keys.remarks, ...unread(name, found, others)] };
  }
  const raw = parseMossRaw(name, bytes);
  return raw === undefined ? unusable(name, "not a key file of a known format") : { format: "moss", ...raw };
}

/** What is said of the formats in a file that are not read: only one is. */
function unread(file: string, read: TextFormat, others: readonly TextFormat[]): readonly KeyRemark[] {
  const remarks = new Remarks(file);
  for (const { name } of others)
    remarks.error(`lines of ${name} are not read beside those of ${read.name}: give them in a file of their own`);
  return remarks.list();
}

function unusable(name: string, text: string): ParsedKeys {
  const remarks = new Remarks(name);
  remarks.error(text);
  return { ...noKeyMaterial, remarks: remarks.list() };
}
