import type { Remarks } from "../keys/remarks.js";
import { atomicCounts, type StateDescriptor, type StateVariable, titleOf, variableType } from "./state-descriptor.js";
import { isWord, type Token, tokensOf } from "./tokens.js";

/**
 * Reads the state descriptors in the lines of a `.sdl` file. As lenient as the least strict of the known readers: keywords
 * and types in any case, semicolons and blanks anywhere, default values without or with half of their parentheses. What
 * makes a descriptor useless is an error, and only that descriptor is left out. Never throws.
 *
 * Source: sdl "State descriptors", "Gnarly SDL syntax details"; plSDL/plSDLParser.cpp; DIRTSAND's `SDL/SdlParser.cpp`.
 */
export function parseSdl(lines: readonly string[], remarks: Remarks): StateDescriptor[] {
  return new Parser(tokensOf(lines), remarks).descriptors();
}

/** A longer array does not fit into the engine's counter. */
const LONGEST_ARRAY = 0x7fffffff;

class Parser {
  #next = 0;

  constructor(
    readonly tokens: readonly Token[],
    readonly remarks: Remarks,
  ) {}

  descriptors(): StateDescriptor[] {
    const found: StateDescriptor[] = [];
    let lost = false;
    for (let token = this.#take(); token !== undefined; token = this.#take()) {
      if (isKeyword(token, "STATEDESC")) {
        const descriptor = this.#descriptor(token);
        if (descriptor !== undefined) found.push(descriptor);
        lost = false;
      } else if (!lost && token.text !== ";") {
        this.remarks.error(`${token.text} stands outside of a STATEDESC block`, token.line);
        lost = true;
      }
    }
    return found;
  }

  /** What stands behind STATEDESC; undefined if it cannot be used. */
  #descriptor(keyword: Token): StateDescriptor | undefined {
    const name = this.#word();
    if (name === undefined) this.remarks.error("the name is missing behind STATEDESC", keyword.line);
    if (!this.#skip("{")) this.remarks.note("{ is missing in front of this", this.#peek()?.line ?? keyword.line);
    const variables: StateVariable[] = [];
    let version: number | undefined;
    let whole = true;
    while (!this.#skip("}")) {
      const token = this.#peek();
      if (token === undefined || isKeyword(token, "STATEDESC")) {
        this.remarks.note("} is missing at the end of the STATEDESC block", token?.line ?? keyword.line);
        break;
      }
      this.#next++;
      if (isKeyword(token, "VERSION")) version = integerOf(this.#word()?.text);
      else if (isKeyword(token, "VAR") || isTypeInFront(token, this.#peek())) {
        const variable = this.#variable(isKeyword(token, "VAR") ? this.#word() : token, token.line);
        if (variable === undefined) whole = false;
        else variables.push(variable);
      } else if (token.text !== ";") this.#misunderstood(token);
    }
    if (version === undefined) this.remarks.error("this STATEDESC has no VERSION and is left out", keyword.line);
    if (name === undefined || version === undefined) return undefined;
    const descriptor = { name: name.text, version, variables };
    if (whole) return descriptor;
    this.remarks.error(`${titleOf(descriptor)} is left out`, keyword.line);
    return undefined;
  }

  /** A variable from its type on; undefined if it cannot be used. */
  #variable(typeWord: Token | undefined, line: number): StateVariable | undefined {
    const type = typeWord && variableType(typeWord.text);
    const name = this.#word();
    if (type === undefined || name === undefined) {
      const what = typeWord === undefined ? "the type of the variable is missing" : "the variable has no name";
      this.remarks.error(
        typeWord !== undefined && type === undefined ? `${typeWord.text} is no type of variables` : what,
        line,
      );
      return undefined;
    }
    const length = this.#length(name);
    if (length === "wrong") return undefined;
    const count = "simple" in type ? atomicCounts[type.simple] : 1;
    return { name: name.text, type, length, defaultValue: this.#attributes(count) };
  }

  /** `[3]`; undefined for `[]`, which clients also see where there is no number, or where it is 0. */
  #length(name: Token): number | undefined | "wrong" {
    if (!this.#skip("[")) {
      this.remarks.note(`${name.text} has no [ ] and is taken for an array of any length`, name.line);
      return undefined;
    }
    const length = integerOf(this.#word()?.text);
    if (!this.#skip("]")) this.remarks.note(`] is missing behind ${name.text}`, name.line);
    if (length === undefined || length === 0) return undefined;
    if (length > 0 && length <= LONGEST_ARRAY) return length;
    this.remarks.error(`${name.text} cannot have ${length} elements`, name.line);
    return "wrong";
  }

  /** The attributes of a variable; gives its default value. Of the others nothing depends on what they say. */
  #attributes(count: number): string | undefined {
    let defaultValue: string | undefined;
    for (let token = this.#peek(); token !== undefined; token = this.#peek()) {
      if (isKeyword(token, "DEFAULT")) {
        this.#next++;
        defaultValue = this.#defaultValue(count);
      } else if (isKeyword(token, "DEFAULTOPTION") || isKeyword(token, "DISPLAYOPTION")) {
        this.#next++;
        this.#skip("=");
        if (this.#word() === undefined) this.remarks.note(`${token.text} says nothing`, token.line);
      } else if (isKeyword(token, "INTERNAL") || isKeyword(token, "PHASED") || token.text === ";") this.#next++;
      else break;
    }
    return defaultValue;
  }

  /** As many values as the type has, or as stand in parentheses. */
  #defaultValue(count: number): string | undefined {
    this.#skip("=");
    const opened = this.#skip("(");
    const values: string[] = [];
    while (opened || values.length < count) {
      if (this.#skip(",")) continue;
      const value = this.#word();
      if (value === undefined) break;
      values.push(value.text);
    }
    this.#skip(")");
    if (values.length === 0) return undefined;
    return count > 1 || values.length > 1 ? `(${values.join(", ")})` : values[0];
  }

  /** Passes over something that stands where it means nothing, with the value that is given to it. */
  #misunderstood(token: Token): void {
    this.remarks.error(`${token.text} is not understood here`, token.line);
    if (this.#skip("=")) this.#word();
  }

  /** Takes the next word, if it is one and not the beginning of the next statement or attribute. */
  #word(): Token | undefined {
    const token = this.#peek();
    if (!isWord(token) || KEYWORDS.has(token.text.toUpperCase())) return undefined;
    this.#next++;
    return token;
  }

  /** Takes the next token if it is this sign. */
  #skip(sign: string): boolean {
    if (this.#peek()?.text !== sign) return false;
    this.#next++;
    return true;
  }

  #take(): Token | undefined {
    return this.tokens[this.#next++];
  }

  #peek(): Token | undefined {
    return this.tokens[this.#next];
  }
}

/** No name and no value: who left one out meant the next statement or attribute to begin. */
const KEYWORDS: ReadonlySet<string> = new Set([
  "STATEDESC",
  "VERSION",
  "VAR",
  "DEFAULT",
  "DEFAULTOPTION",
  "DISPLAYOPTION",
]);

function isKeyword(token: Token, keyword: string): boolean {
  return token.text.toUpperCase() === keyword;
}

/** Clients do without VAR in front of all variables but the first. */
function isTypeInFront(token: Token, next: Token | undefined): boolean {
  return variableType(token.text) !== undefined && isWord(next);
}

/** The integer that a word begins with; 0 if it begins with none, as C readers have it. */
function integerOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  const value = Number.parseInt(word, 10);
  return Number.isNaN(value) ? 0 : value;
}
