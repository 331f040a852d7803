import type { Message } from "../dissect/message.js";
import type { NameLookup } from "../schema/language/field-tree.js";
import type { AnsweredBy, Referent } from "../schema/language/message-context.js";
import { jsonPathOf } from "../schema/tree/node-paths.js";
import type { MessageField } from "./message-field.js";
import type { Scalar } from "./scalar.js";

/** What a dissector knows about messages besides their contents, and what the traffic has shown to have a name. */
export const contextFields: readonly MessageField[] = [
  ...linkFields("answers", "the message that this one answers", ({ nodes }) => nodes?.context?.answers),
  ...linkFields("answeredBy", "the first answer to this message; only with --two-pass", ({ nodes }) => {
    return nodes?.context?.answeredBy;
  }),
  {
    name: "error",
    doc: "Name of the error that the message reports.",
    kind: "text",
    some: ({ nodes }, test) => {
      const { error } = nodes?.context ?? {};
      return error !== undefined && test(error);
    },
  },
  {
    name: "conversation.player",
    doc: "Who plays in the conversation, once that is known: name or number.",
    kind: "text",
    isOneThing: true,
    some: ({ nodes }, test) => {
      const { kind, id } = nodes?.context?.player ?? {};
      if (kind === undefined || id === undefined) return false;
      const name = nodes?.names?.get(kind, id);
      return (name !== undefined && test(name)) || test(id);
    },
  },
  ...partyFields("player", "who plays in the conversation", ({ nodes }) => nodes?.context?.player),
  ...partyFields("age", "the age, level or room of the conversation", ({ nodes }) => nodes?.context?.place),
  nameField("path", "Paths of the fields with an id that has a name."),
  nameField("kind", "Kinds of the things with a name."),
  nameField("name", "Names of things that the message refers to by an id, as far as the traffic has shown them."),
];

/** The members of a link to another message: the link itself stands for its number. */
function linkFields(name: string, what: string, of: (message: Message) => AnsweredBy | undefined): MessageField[] {
  const number = (message: Message, test: (value: Scalar) => boolean) => {
    const link = of(message);
    return link !== undefined && test(link.number);
  };
  return [
    { name, doc: `Number of ${what}.`, kind: "number", some: number },
    { name: `${name}.number`, doc: `Number of ${what}.`, kind: "number", some: number },
    {
      name: `${name}.message`,
      doc: `Name of ${what}.`,
      kind: "text",
      some: (message, test) => {
        const link = of(message);
        return link !== undefined && test(link.name);
      },
    },
    {
      name: `${name}.milliseconds`,
      doc: "How long the answer took, in milliseconds.",
      kind: "number",
      hasFractions: true,
      some: (message, test) => {
        const { milliseconds } = of(message) ?? {};
        return milliseconds !== undefined && test(milliseconds);
      },
    },
  ];
}

/** The members of a player or an age. */
function partyFields(name: string, what: string, of: (message: Message) => Referent | undefined): MessageField[] {
  return [
    {
      name: `${name}.id`,
      doc: `Number of ${what}, once that is known.`,
      kind: "text",
      some: (message, test) => {
        const { id } = of(message) ?? {};
        return id !== undefined && test(id);
      },
    },
    {
      name: `${name}.name`,
      doc: `Name of ${what}, once that is known.`,
      kind: "text",
      some: (message, test) => {
        const party = of(message);
        const found = party && message.nodes?.names?.get(party.kind, party.id);
        return found !== undefined && test(found);
      },
    },
  ];
}

/** A member of `names` in JSON: what stands behind an id in the fields. */
function nameField(member: "path" | "kind" | "name", doc: string): MessageField {
  return {
    name: `names.${member}`,
    doc,
    kind: "text",
    some: ({ nodes }, test) => {
      const { names } = nodes ?? {};
      if (nodes === undefined || names === undefined) return false;
      for (let node = 0; node < nodes.count; node++) {
        const { meaning } = nodes.field(node);
        if (meaning?.form !== "reference") continue;
        const found = nameOf(names, meaning.to, String(nodes.value(node)));
        if (found === undefined) continue;
        const value = member === "path" ? jsonPathOf(nodes, node) : found[member];
        if (test(value)) return true;
      }
      return false;
    },
  };
}

interface Named {
  readonly kind: string;
  readonly name: string;
}

function nameOf(names: NameLookup, kinds: readonly string[], id: string): Named | undefined {
  for (const kind of kinds) {
    const name = names.get(kind, id);
    if (name !== undefined) return { kind, name };
  }
  return undefined;
}
