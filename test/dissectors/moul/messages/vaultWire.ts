import { u32Hex, utf16Hex } from "./decoding.js";

/** The fields of a vault node in the order of their flags. Source: vault "Vault node structure". */
const ORDER = [
  "nodeId createTime modifyTime createAgeName createAgeUuid creatorAcct creatorId nodeType",
  "int32_1 int32_2 int32_3 int32_4 uint32_1 uint32_2 uint32_3 uint32_4 uuid_1 uuid_2 uuid_3 uuid_4",
  "string64_1 string64_2 string64_3 string64_4 string64_5 string64_6 iString64_1 iString64_2 text_1 text_2 blob_1 blob_2",
]
  .join(" ")
  .split(" ");

export type VaultFields = Readonly<Record<string, number | string | Uint8Array>>;

/** The wire form of a vault node, from its fields by name; the field decides between UUID and string. */
export function vaultNodeHex(fields: VaultFields): string {
  let flags = 0;
  let body = "";
  ORDER.forEach((name, bit) => {
    const value = fields[name];
    if (value === undefined) return;
    flags += 2 ** bit;
    body += fieldHex(name, value);
  });
  return `${u32Hex(flags)}00000000${body}`;
}

function fieldHex(name: string, value: number | string | Uint8Array): string {
  if (typeof value === "number") return u32Hex(value >>> 0);
  if (value instanceof Uint8Array) return u32Hex(value.length) + Buffer.from(value).toString("hex");
  if (/uuid|Uuid|creatorAcct/.test(name)) return uuidHex(value);
  return `${u32Hex(2 * value.length + 2) + utf16Hex(value)}0000`;
}

/** The wire form of a UUID: the first three groups are little-endian. */
export function uuidHex(text: string): string {
  const [first = "", second = "", third = "", ...others] = text.split("-");
  const turned = [first, second, third].map((group) => Buffer.from(group, "hex").reverse().toString("hex"));
  return turned.join("") + others.join("");
}
