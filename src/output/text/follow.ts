import { counted } from "../../common/counted.js";
import type { Message } from "../../dissect/message.js";
import { endpointText } from "../../network/address.js";
import { sourceOf } from "../writers/endpoints.js";
import { printable } from "../writers/sanitise.js";
import { absoluteTime } from "../writers/time.js";
import type { Palette } from "./palette.js";

const BYTES_PER_LINE = 16;

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** The bytes of a message below a line that identifies them; for a range without any, that line alone. */
export function followed(message: Message, as: "text" | "hex", colors: Palette): string {
  const { number, origin, direction, name, nodes, offset, notes, status } = message;
  const arrow = direction === "c2s" ? ">" : "<";
  const head = `${arrow} #${number} ${absoluteTime(origin)} ${endpointText(sourceOf(message))} offset ${offset}`;
  if (nodes === undefined) {
    const note = notes[0]?.text ?? "";
    const lengthText = status === "encrypted" ? `${counted(message.length, "byte")} ` : "";
    return `${colors.faint(head)} ${colors.severity("warning")(`[${printable(name)}: ${lengthText}${printable(note)}]`)}\n\n`;
  }
  const bytes = nodes.bytes(0);
  const title = `${colors.faint(head)} ${colors.heading(printable(name))} ${colors.faint(`(${counted(bytes.length, "byte")})`)}`;
  return `${title}\n${as === "hex" ? hexLines(bytes, offset) : textLines(bytes)}\n`;
}

/** Sixteen bytes per line, with their offset in the direction's stream, and as text. */
function hexLines(bytes: Uint8Array, offset: number): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += BYTES_PER_LINE) {
    const line = bytes.subarray(at, at + BYTES_PER_LINE);
    const digits = Array.from(line, (byte) => byte.toString(16).padStart(2, "0"));
    const halves = [digits.slice(0, 8).join(" "), digits.slice(8).join(" ")].join("  ");
    const characters = Array.from(line, (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "."));
    const place = (offset + at).toString(16).padStart(8, "0");
    text += `${place}  ${halves.padEnd(BYTES_PER_LINE * 3)}  ${characters.join("")}\n`;
  }
  return text;
}

/**
 * Bytes as UTF-8: line breaks stay, and a full stop replaces anything else that is not text. Lines are indented, so
 * that captured text cannot pass for a line of this program; blanks at their ends stay.
 */
function textLines(bytes: Uint8Array): string {
  const text = utf8.decode(bytes).replace(/[^\P{Cc}\n]|\ufffd/gu, ".");
  const lines = text.replace(/\n$/, "").split("\n");
  return lines.map((line) => (line === "" ? "\n" : `  ${printable(line)}\n`)).join("");
}
