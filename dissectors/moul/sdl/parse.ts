import type { Remarks } from "../keys/remarks.js";
import { atomicCounts, type StateDescriptor, type StateVariable, titleOf, variableType } from "./state-descriptor.js";
import { isWord, type Token, tokensOf } from "./tokens.js";

/**
 * Reads the state descriptors in the lines of a `.sdl` file. As lenient as the least strict of the known readers:
 * keywords and types in any case, semicolons and blanks anywhere, default values without or with half of their
 * parentheses. What makes a descriptor useless is an error, and only that descriptor is left out. Never throws.
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
    for (let token = this.#take(); token !== undefined; token = this.#take()) {
      if (isKeyword(token, "STATEDESC")) found.push(...this.#descriptor(token));
      else if (token.text !== ";") this.#misunderstood(token);
    }
    return found;
  }

  /** Parses what follows STATEDESC; returns nothing if it cannot be used. */
  #descriptor(keyword: Token): StateDescriptor[] {
    const name = this.#name("{");
    if (name === undefined) this.remarks.error("STATEDESC has no name", keyword.line);
    if (!this.#skip("{")) this.remarks.note("{ is missing after STATEDESC", keyword.line);
    const variables: StateVariable[] = [];
    let version: number | undefined;
    let whole = true;
    while (!this.#skip("}")) {
      const token = this.#peek();
      if (token === undefined || isKeyword(token, "STATEDESC")) {
        this.remarks.note("the STATEDESC that begins here has no } at its end", keyword.line);
        break;
      }
      this.#next++;
      if (isKeyword(token, "VERSION")) version = integerOf(this.#word());
      else if (isKeyword(token, "VAR") || this.#isVariable(token)) {
        const variable = this.#variable(isKeyword(token, "VAR") ? this.#word() : token, token.line);
        if (variable === undefined) whole = false;
        else variables.push(variable);
      } else if (token.text !== ";") this.#misunderstood(token);
    }
    if (name === undefined) return [];
    if (version === undefined) {
      this.remarks.error(`${name.text} has no VERSION and is left out`, keyword.line);
      return [];
    }
    const descriptor = { name: name.text, version, variables };
    if (whole) return [descriptor];
    this.remarks.error(`${titleOf(descriptor)} is left out`, keyword.line);
    return [];
  }

  /** Clients need no VAR before any variable but the first. */
  #isVariable(token: Token): boolean {
    return variableType(token.text) !== undefined && isWord(this.#peek()) && this.tokens[this.#next + 1]?.text === "[";
  }

  /** Parses a variable from its type on; undefined if it cannot be used. */
  #variable(typeWord: Token | undefined, line: number): StateVariable | undefined {
    const type = typeWord && variableType(typeWord.text);
    const name = this.#name("[");
    if (typeWord === undefined) this.remarks.error("VAR has no type", line);
    else if (type === undefined) this.remarks.error(`${typeWord.text} is not a variable type`, line);
    else if (name === undefined) this.remarks.error("the variable has no name", line);
    const length = this.#length(name?.text, line);
    const defaultValue = this.#attributes(type !== undefined && "simple" in type ? atomicCounts[type.simple] : 1);
    if (type === undefined || name === undefined || length === "wrong") return undefined;
    return { name: name.text, type, length, defaultValue };
  }

  /** Parses `[3]`; undefined for `[]`, which clients also assume if there is no number, or if it is 0. */
  #length(name: string | undefined, line: number): number | undefined | "wrong" {
    if (!this.#skip("[")) {
      if (name !== undefined) this.remarks.note(`${name} has no [ ] and is taken for an array of any length`, line);
      return undefined;
    }
    const length = integerOf(this.#word());
    if (!this.#skip("]")) this.remarks.note(`${name ?? "the variable"} has no ]`, line);
    if (length === undefined || length === 0) return undefined;
    if (length > 0 && length <= LONGEST_ARRAY) return length;
    this.remarks.error(`${name ?? "the variable"} cannot have ${length} elements`, line);
    return "wrong";
  }

  /** Parses the attributes of a variable; returns its default value. The other attributes have no effect. */
  #attributes(count: number): string | undefined {
    let defaultValue: string | undefined;
    for (let token = this.#peek(); token !== undefined; token = this.#peek()) {
      if (isKeyword(token, "DEFAULT")) {
        this.#next++;
        defaultValue = this.#defaultValue(count);
      } else if (isKeyword(token, "DEFAULTOPTION") || isKeyword(token, "DISPLAYOPTION")) {
        this.#next++;
        if (this.#word() === undefined) this.remarks.note(`${token.text} has no value`, token.line);
      } else if (isKeyword(token, "INTERNAL") || isKeyword(token, "PHASED") || token.text === ";") this.#next++;
      else break;
    }
    return defaultValue;
  }

  /** Parses as many values as the type has, or all those in parentheses. */
  #defaultValue(count: number): string | undefined {
    const opened = this.#skip("(");
    const values: string[] = [];
    while (opened || values.length < count) {
      const value = this.#word();
      if (value === undefined) break;
      values.push(value.text);
    }
    this.#skip(")");
    if (values.length === 0) return undefined;
    return count > 1 || values.length > 1 ? `(${values.join(", ")})` : values[0];
  }

  /** Skips tokens that mean nothing here, up to where something else may begin. */
  #misunderstood(token: Token): void {
    this.remarks.error(`${token.text} is not understood here`, token.line);
    for (let next = this.#peek(); next !== undefined; next = this.#peek()) {
      if (next.text === "}" || next.text === ";" || isAnyKeyword(next)) return;
      this.#next++;
    }
  }

  /** Takes a name, which may even be a keyword if the right sign follows it. */
  #name(sign: string): Token | undefined {
    const token = this.#peek();
    if (!isWord(token) || this.tokens[this.#next + 1]?.text !== sign) return this.#word();
    this.#next++;
    return token;
  }

  /** Takes the next token if it is a word and not a keyword: if a word was left out, a keyword begins a statement. */
  #word(): Token | undefined {
    const token = this.#peek();
    if (!isWord(token) || isAnyKeyword(token)) return undefined;
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

const KEYWORD = /^(?:STATEDESC|VERSION|VAR|DEFAULT|DEFAULTOPTION|DISPLAYOPTION)$/i;

function isAnyKeyword(token: Token): boolean {
  return KEYWORD.test(token.text);
}

function isKeyword(token: Token, keyword: string): boolean {
  return token.text.toUpperCase() === keyword;
}

/** The integer that a word begins with; 0 if it begins with none, as readers in C have it. */
function integerOf(word: Token | undefined): number | undefined {
  if (word === undefined) return undefined;
  const value = Number.parseInt(word.text, 10);
  return Number.isNaN(value) ? 0 : value;
}
