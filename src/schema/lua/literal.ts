/** What can be written as a Lua literal; `undefined` members are left out. */
export type LuaValue =
  | string
  | number
  | boolean
  | readonly LuaValue[]
  | ReadonlyMap<number, LuaValue>
  | { readonly [name: string]: LuaValue | undefined };

const NAME = /^[A-Za-z_]\w*$/;
const KEYWORDS = new Set(
  "and break do else elseif end false for function goto if in local nil not or repeat return then true until while".split(
    " ",
  ),
);

/** Writes a value as Lua source, valid in every version from 5.1 on; an array begins at 1. */
export function luaLiteral(value: LuaValue): string {
  if (typeof value === "string") return luaString(value);
  if (typeof value === "number") return luaNumber(value);
  if (typeof value === "boolean") return String(value);
  if (isList(value)) return `{${value.map(luaLiteral).join(",")}}`;
  if (value instanceof Map) {
    const members: string[] = [];
    for (const [key, member] of value) members.push(`[${luaNumber(key)}]=${luaLiteral(member)}`);
    return `{${members.join(",")}}`;
  }
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [`${luaKey(name)}=${luaLiteral(member)}`],
  );
  return `{${members.join(",")}}`;
}

function isList(value: LuaValue): value is readonly LuaValue[] {
  return Array.isArray(value);
}

function luaKey(name: string): string {
  return NAME.test(name) && !KEYWORDS.has(name) ? name : `[${luaString(name)}]`;
}

function luaNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} has no literal in Lua`);
  return String(value);
}

/** Quotes a text; control characters as decimal escapes, which all versions have. */
function luaString(text: string): string {
  const escaped = text.replace(/["\\\p{Cc}]/gu, (character) =>
    character === '"' || character === "\\"
      ? `\\${character}`
      : [...new TextEncoder().encode(character)].map((byte) => `\\${String(byte).padStart(3, "0")}`).join(""),
  );
  return `"${escaped}"`;
}
