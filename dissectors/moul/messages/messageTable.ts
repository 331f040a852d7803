import type { Step } from "moul-dissect/dissector";
import { StructType } from "moul-dissect/schema";

/** A message whose number and name are known, but whose fields are not. */
export interface UndeclaredMessage {
  readonly type: number;
  readonly name: string;
  /** Why its fields are not declared, as a sentence. */
  readonly reason: string;
}

/** The messages that travel in one direction between clients and one server, by type. */
export class MessageTable {
  readonly #declared = new Map<number, StructType<unknown>>();
  readonly #undeclared = new Map<number, UndeclaredMessage>();
  readonly #names = new Set<string>();
  /** By type. */
  readonly #steps: (Step | undefined)[] = [];

  /** @throws Error if two messages have the same type or name, or one has no type: a mistake in the declarations */
  constructor(declared: readonly StructType<unknown>[], undeclared: readonly UndeclaredMessage[] = []) {
    for (const message of declared) {
      const { name, tag } = message.struct;
      if (tag === undefined) throw new Error(`${name} has no message type`);
      this.#enter(tag, name);
      this.#declared.set(tag, message);
      // With large holes, the list would be a hash table.
      while (this.#steps.length < tag) this.#steps.push(undefined);
      this.#steps[tag] = { step: "message", type: message };
    }
    for (const message of undeclared) {
      this.#enter(message.type, message.name);
      this.#undeclared.set(message.type, message);
    }
  }

  #enter(type: number, name: string): void {
    const other = this.nameOf(type);
    if (other !== undefined) throw new Error(`${name} and ${other} have the same message type ${type}`);
    if (this.#names.has(name)) throw new Error(`two messages are named ${name}`);
    this.#names.add(name);
  }

  /** Number of declared messages. */
  get size(): number {
    return this.#declared.size;
  }

  /** The declaration of the message with this type. */
  get(type: number): StructType<unknown> | undefined {
    return this.#declared.get(type);
  }

  /** The step for the message with this type, if it is declared. */
  step(type: number): Step | undefined {
    return this.#steps[type];
  }

  /** What is known of a message whose fields are not. */
  undeclared(type: number): UndeclaredMessage | undefined {
    return this.#undeclared.get(type);
  }

  /** All messages whose number and name are known, but whose fields are not. */
  undeclaredMessages(): IterableIterator<UndeclaredMessage> {
    return this.#undeclared.values();
  }

  /** Name of the message with this type, declared or not. */
  nameOf(type: number): string | undefined {
    return this.#declared.get(type)?.struct.name ?? this.#undeclared.get(type)?.name;
  }

  /** All declared messages, in the order of their declaration. */
  messages(): IterableIterator<StructType<unknown>> {
    return this.#declared.values();
  }
}

/**
 * Sorts the messages of a server by their names: `Cli2Auth_...` is from a client, `Auth2Cli_...` to one.
 *
 * @param server what the names call it: "Auth"
 * @param exported what the modules export in which its messages are declared; what has no message type is passed over
 * @throws Error if a message has another name, or for any mistake that `MessageTable` finds
 */
export function messageTables(
  server: string,
  exported: Readonly<Record<string, unknown>>,
  undeclared: readonly UndeclaredMessage[] = [],
): { readonly c2s: MessageTable; readonly s2c: MessageTable } {
  const [up, down] = [`Cli2${server}_`, `${server}2Cli_`];
  const declared = Object.values(exported).flatMap((one) =>
    one instanceof StructType && one.struct.tag !== undefined ? [one] : [],
  );
  for (const name of [...declared.map(({ struct }) => struct.name), ...undeclared.map(({ name }) => name)]) {
    if (!name.startsWith(up) && !name.startsWith(down)) {
      throw new Error(`${name} is a message of the server ${server}, so it must be ${up}... or ${down}...`);
    }
  }
  declared.sort((a, b) => (a.struct.tag ?? 0) - (b.struct.tag ?? 0));
  const table = (prefix: string) =>
    new MessageTable(
      declared.filter(({ struct }) => struct.name.startsWith(prefix)),
      undeclared.filter(({ name }) => name.startsWith(prefix)),
    );
  return { c2s: table(up), s2c: table(down) };
}

/** What clients and one kind of server say to each other. */
export interface ServerMessages {
  /** Name of the protocol, such as `moul.auth`. */
  readonly protocol: string;
  /** The client's connect packet. */
  readonly connect: StructType<unknown>;
  /** What messages begin with: their type in 16 bits or, for the file server, their length and type in 32 bits each. */
  readonly begin: "type" | "length";
  /** False for the file server: its connections have no key exchange. */
  readonly isEncrypted: boolean;
  readonly c2s: MessageTable;
  readonly s2c: MessageTable;
}
