import { SaxesParser } from "saxes";

/** A field that Wireshark shows. */
export interface ShownField {
  readonly name: string;
  /** What it shows as the value, and in its line. */
  readonly show: string;
  readonly line: string;
  readonly start: number;
  readonly length: number;
  readonly isHidden: boolean;
  readonly fields: ShownField[];
}

/** Returns the messages in the PDML of tshark, in order: the items of a protocol, with their fields. */
export function messagesIn(pdml: string, protocol: string): ShownField[] {
  const messages: ShownField[] = [];
  const open: (ShownField | undefined)[] = [];
  const parser = new SaxesParser();
  parser.on("opentag", ({ name, attributes }) => {
    const text = (key: string) => String(attributes[key] ?? "");
    const field: ShownField = {
      name: text("name"),
      show: text("show"),
      line: text("showname") || text("show"),
      start: Number(text("pos")),
      length: Number(text("size")),
      isHidden: text("hide") === "yes",
      fields: [],
    };
    if (name === "proto") open.push(field.name === protocol ? field : undefined);
    else if (name === "field") open.push(field);
    else return;
    if (name === "proto" && field.name === protocol) messages.push(field);
    else open.at(-2)?.fields.push(field);
  });
  parser.on("closetag", ({ name }) => {
    if (name === "proto" || name === "field") open.pop();
  });
  parser.write(pdml).close();
  return messages;
}
