import { isAssembled, type Message } from "./message.js";

/** Most classes that are named: a game message, and what is in it. */
const MOST_CLASSES = 2;

/**
 * What a message is called for those who see nothing else of it: its name, and the outermost classes in it. Undefined for
 * what has no bytes of its own, or is no message.
 */
export function messageTitle(message: Message): string | undefined {
  const { name, nodes } = message;
  if (nodes === undefined || isAssembled(message)) return undefined;
  const classes: string[] = [];
  nodes.forEachClass((className) => {
    if (className !== "" && classes.length < MOST_CLASSES) classes.push(className);
  });
  return classes.length === 0 ? name : `${name} (${classes.join(" > ")})`;
}
