import type { HeadNumber, WiresharkCode, WiresharkData, WiresharkFraming } from "../dissector/dissector.js";
import type { StructType } from "../schema/index.js";
import session from "./lua/framed.lua";

/** What a framing that is data is to the plugin: the same session for all. */
export function framingCode(
  { length, type, messages, unknown, greeting, magic }: WiresharkFraming,
  name: string,
): WiresharkCode {
  return {
    session,
    data: {
      protocol: name,
      length: number(length, length.plus ?? 0),
      type: number(type, 0),
      c2s: byType(messages.c2s),
      s2c: byType(messages.s2c),
      ...(unknown && { unknown }),
      ...(greeting && { greeting }),
      ...(magic !== undefined && { magic }),
    },
  };
}

const WIDTHS = { u8: 1, u16le: 2, u16be: 2, u32le: 4, u32be: 4 };

function number({ at, kind }: HeadNumber, plus: number): WiresharkData {
  return { at, kind, plus, ends: at + WIDTHS[kind] };
}

function byType(messages: Readonly<Record<number, StructType<unknown>>>): WiresharkData {
  return new Map(Object.entries(messages).map(([type, message]) => [Number(type), message]));
}
