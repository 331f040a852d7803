import { readdirSync, readFileSync } from "node:fs";

/** A process below another one, as Linux shows it. */
interface Below {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** The processes that a process has started, and those that they have started. */
export function processesBelow(pid: number): readonly Below[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => processOf(Number(name)) ?? []);
  const found: Below[] = [];
  let parents = new Set([pid]);
  while (parents.size > 0) {
    const children = all.filter(({ parent }) => parents.has(parent));
    found.push(...children);
    parents = new Set(children.map((child) => child.pid));
  }
  return found;
}

function processOf(pid: number): Below | undefined {
  try {
    const facts = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program may have blanks and brackets in it.
    const [, parent = ""] = facts.slice(facts.lastIndexOf(")") + 2).split(" ");
    return { pid, parent: Number(parent), command: readFileSync(`/proc/${pid}/cmdline`, "utf8") };
  } catch {
    // It has ended.
    return undefined;
  }
}
