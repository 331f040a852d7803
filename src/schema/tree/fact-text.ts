import type { Fact } from "../language/struct.js";
import { singleText } from "./single-text.js";

/** Returns what a struct adds to a summary as one text. */
export function factText(fact: Fact): string {
  if (typeof fact === "string") return fact;
  return fact.map((part) => (typeof part === "number" ? singleText(part) : part)).join("");
}
