import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ownEntries } from "../../build/own-entries.js";

const root = resolve(fileURLToPath(import.meta.url), "../../..");

/** What dissectors may import: the same as the package offers to dissectors from outside. */
const PUBLIC = [
  "src/schema/index.ts",
  "src/schema/words/big-endian.ts",
  "src/schema/words/little-endian.ts",
  "src/dissector/dissector.ts",
];

/** Where field trees are stored: everything else reads them through `FieldTree`. */
const STORE = "src/schema/tree/nodes.ts";

/** The limits bound every room on the data's path, and belong to none. */
const LIMITS = "src/limits.ts";
/** What is not about captures or protocols at all: words, copies, file errors. */
const COMMON = "src/common";

/** What the files of a room may import besides each other: rooms, or single files. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  [LIMITS]: [],
  [COMMON]: [],
  "src/capture": [LIMITS],
  "src/network": [LIMITS, "src/capture"],
  "src/schema": [LIMITS, COMMON],
  "src/dissector": [COMMON, "src/network", "src/schema"],
  "src/session": [LIMITS, COMMON, "src/network", "src/schema", "src/dissector"],
  "src/dissect": [LIMITS, COMMON, "src/network", "src/schema", "src/dissector", "src/session"],
  "src/export": [LIMITS, COMMON, "src/capture", "src/network", "src/schema", "src/session"],
  "src/split": [LIMITS, "src/capture", "src/network", "src/dissector", "src/session"],
  "src/scrub": ["src/network", "src/schema", "src/dissector", "src/session", "src/dissect", "src/export"],
  "src/filter": [COMMON, "src/network", "src/schema", "src/dissector", "src/dissect"],
  "src/stats": [LIMITS, COMMON, "src/network", "src/schema", "src/dissector", "src/session", "src/dissect"],
  "src/diagnose": [LIMITS, "src/network", "src/schema", "src/session", "src/dissect", "src/stats"],
  "src/find": ["src/schema", "src/dissect", "src/filter"],
  "src/state": [LIMITS, COMMON, "src/network", "src/dissector"],
  "src/check": [COMMON, "src/schema", "src/dissector", "src/dissect", "src/filter"],
  "src/output": [
    COMMON,
    "src/network",
    "src/schema",
    "src/dissector",
    "src/dissect",
    "src/filter",
    "src/stats",
    "src/diagnose",
    "src/find",
    "src/state",
    "src/check",
  ],
  "src/dataset": [
    COMMON,
    "src/network",
    "src/schema",
    "src/dissector",
    "src/dissect",
    "src/stats",
    "src/state",
    "src/output",
  ],
  // Connects the rooms.
  "src/pipeline": [
    LIMITS,
    COMMON,
    "src/capture",
    "src/network",
    "src/schema",
    "src/dissector",
    "src/session",
    "src/dissect",
    "src/filter",
    "src/output",
    "dissectors/moul",
    "dissectors/bzflag",
  ],
  "src/store": [LIMITS, "src/network", "src/schema", "src/dissector", "src/session", "src/dissect"],
  // Sentences about what could not be read or understood.
  "src/remarks": [LIMITS, COMMON, "src/capture", "src/network", "src/session", "src/dissect", "src/output"],
  // What dissectors declare, by name.
  "src/reference": [LIMITS, COMMON, "src/schema", "src/dissector", "src/dissect", "src/output"],
  // Wireshark's plugin: declarations as tables, and what the protocols offer for it.
  "src/wireshark": [LIMITS, "src/schema", "src/dissector", "dissectors/moul", "dissectors/bzflag"],
  // A page and its worker: clients of the engine, like the command line.
  "src/web": [
    LIMITS,
    COMMON,
    "src/reference",
    "src/find",
    "src/export",
    "src/state",
    "src/store",
    "src/capture",
    "src/network",
    "src/schema",
    "src/dissector",
    "src/session",
    "src/dissect",
    "src/filter",
    "src/stats",
    "src/output",
    "src/pipeline",
    "src/library",
  ],
  // What the surroundings of the engine give it.
  "src/platform": [LIMITS, "src/capture", "src/dissector", "src/session", "src/dissect", "src/pipeline", "src/library"],
  // Prints and counts with several threads.
  "src/parallel": [
    LIMITS,
    COMMON,
    "src/store",
    "src/network",
    "src/schema",
    "src/dissector",
    "src/session",
    "src/dissect",
    "src/stats",
    "src/pipeline",
    "src/output",
  ],
  // What programs can do with captures, each in a call.
  "src/library": [
    LIMITS,
    COMMON,
    "src/capture",
    "src/network",
    "src/schema",
    "src/dissector",
    "src/session",
    "src/dissect",
    "src/export",
    "src/scrub",
    "src/filter",
    "src/stats",
    "src/state",
    "src/check",
    "src/output",
    "src/reference",
    "src/pipeline",
    "src/remarks",
  ],
  // What programs import.
  src: [
    COMMON,
    "src/library",
    "src/check",
    LIMITS,
    "src/capture",
    "src/network",
    "src/schema",
    "src/dissector",
    "src/session",
    "src/dissect",
    "src/filter",
    "src/stats",
    "src/output",
    "src/store",
    "src/pipeline",
    "src/platform",
  ],
  "src/cli": ["src"],
  bin: ["src/cli"],
  "dissectors/moul": PUBLIC,
  "dissectors/bzflag": PUBLIC,
};

/** Rooms of what the engine's classes and the messages of servers are made of. */
function common(...rooms: readonly ("ids" | "values" | "pnKeyedObject" | "plNetCommon")[]): string[] {
  return rooms.map((room) => `dissectors/moul/common/${room}`);
}

/** The rooms of the command line that commands are made of. */
const PARTS_OF_COMMANDS = [
  "check",
  "completion",
  "dataset",
  "declared",
  "demo",
  "dissecting",
  "dividing",
  "live",
  "objects",
  "page",
  "split",
  "vault",
].map((room) => `src/cli/${room}`);

/**
 * Rooms within rooms: what each may import of the other rooms in the same room. The files of the room around them, which
 * connect them, are open to all.
 */
const INNER: Readonly<Record<string, readonly string[]>> = {
  "src/capture/compression": [],
  "src/network/link": [],
  "src/network/ip": ["src/network/link"],
  "src/network/tunnel": ["src/network/link", "src/network/ip"],
  "src/network/tcp/stream": [],
  "src/network/tcp": ["src/network/ip", "src/network/tcp/stream"],
  "src/session/stream": [],
  "src/session/files": [],
  "src/dissect/order": [],
  "src/dissect/sync": ["src/dissect/order"],
  // What is declared, as data, knows nothing of what is made from it.
  "src/schema/language": [],
  "src/schema/words": ["src/schema/language"],
  "src/schema/table": ["src/schema/language"],
  "src/schema/tree": ["src/schema/language", "src/schema/table"],
  "src/schema/decode": ["src/schema/language", "src/schema/table", "src/schema/tree"],
  "src/schema/skim": ["src/schema/language", "src/schema/table", "src/schema/tree", "src/schema/decode"],
  "src/schema/encode": ["src/schema/language", "src/schema/table", "src/schema/tree", "src/schema/decode"],
  // Words for leaves that have code of their own.
  "src/schema/codecs": [
    "src/schema/language",
    "src/schema/words",
    "src/schema/table",
    "src/schema/tree",
    "src/schema/encode",
  ],
  "src/schema/describe": ["src/schema/language"],
  "src/schema/lua": ["src/schema/language", "src/schema/table"],
  "src/schema/columns": ["src/schema/language"],
  "src/export/speex": [],
  "src/platform/node": [],
  "src/platform/browser": [],
  "src/filter/language": [],
  "src/filter/mistakes": ["src/filter/language"],
  "src/output/writers": [],
  "src/output/text": ["src/output/writers"],
  "src/output/json": ["src/output/writers", "src/output/text"],
  "src/output/json-schema": ["src/output/writers"],
  "src/output/tables": ["src/output/writers", "src/output/text", "src/output/json"],
  "src/output/state": ["src/output/writers", "src/output/text"],
  "src/output/statistics": ["src/output/writers", "src/output/text", "src/output/tables"],
  "src/output/search": ["src/output/writers", "src/output/text"],
  "src/output/diagnosis": ["src/output/writers", "src/output/text"],
  // What a command needs besides options, runs and outputs, which all of them share, knows nothing of other commands.
  "src/cli/check": [],
  "src/cli/completion": [],
  "src/cli/dataset": [],
  "src/cli/declared": [],
  "src/cli/demo": [],
  "src/cli/dividing": [],
  "src/cli/dissecting": ["src/cli/dividing"],
  "src/cli/live": [],
  "src/cli/objects": [],
  "src/cli/page": [],
  "src/cli/split": [],
  "src/cli/vault": [],
  "src/cli/commands": PARTS_OF_COMMANDS,
  // What messages and classes have in common, then what they are, then what is said on a connection.
  "dissectors/moul/common/ids": [],
  "dissectors/moul/common/values": [],
  "dissectors/moul/common/pnKeyedObject": common("ids", "values"),
  "dissectors/moul/common/plNetCommon": common("ids", "values"),
  "dissectors/moul/common": common("pnKeyedObject", "plNetCommon"),
  "dissectors/moul/keys": [],
  "dissectors/moul/sdl": ["dissectors/moul/keys", "dissectors/moul/common", ...common("values", "pnKeyedObject")],
  "dissectors/moul/messages": ["dissectors/moul/sdl", ...common("ids", "values", "plNetCommon")],
  "dissectors/moul/state": ["dissectors/moul/messages", "dissectors/moul/sdl"],
  "dissectors/moul/connection/status": [],
  "dissectors/moul/connection/context": ["dissectors/moul/messages", ...common("ids")],
  "dissectors/moul/connection/encryption": [
    "dissectors/moul/keys",
    "dissectors/moul/sdl",
    "dissectors/moul/messages",
    "dissectors/moul/connection/context",
  ],
  "dissectors/moul/connection/midstream": [
    "dissectors/moul/sdl",
    "dissectors/moul/messages",
    "dissectors/moul/connection/context",
    "dissectors/moul/connection/encryption",
  ],
  "dissectors/bzflag/classic": [],
  "dissectors/bzflag/modern": [],
  "dissectors/bzflag/list": ["dissectors/bzflag/classic"],
  "dissectors/bzflag/state": ["dissectors/bzflag/classic", "dissectors/bzflag/modern"],
};

/** Files that import each other, with the reason why they do: everything else imports one way. */
const CIRCLES: readonly { readonly files: readonly string[]; readonly reason: string }[] = [
  {
    files: ["derived", "family", "field-tree", "field", "struct", "type"].map(
      (name) => `src/schema/language/${name}.ts`,
    ),
    reason:
      "the knot of a grammar: a type may be a struct, whose fields have types, or a family of structs; a struct may have " +
      "values derived from a tree, whose nodes have fields",
  },
  {
    files: ["src/network/link/ethernet.ts", "src/network/link/ppp.ts"],
    reason: "Ethernet carries PPP (PPPoE), and PPP carries what has an EtherType, and MPLS, as Ethernet does",
  },
];

/** The only places that may import modules of Node.js: files, threads, terminals. Everything else runs in browsers, too. */
const EDGES = /^(?:bin|src\/cli|src\/platform\/node|src\/parallel)\//;

/** The most source files that a folder has of its own: more do not show the architecture. */
const MOST_FILES = 20;

/** Folders that have as many as the engine has: one file for each class of a family, in the order of the engine's names. */
const FAMILIES: ReadonlySet<string> = new Set(["dissectors/moul/plMessage", "dissectors/moul/plNetMessage"]);

function roomOf(file: string): string {
  if (file === LIMITS) return file;
  const [top = "", second = "", third] = file.split("/");
  return top === "bin" || (top === "src" && third === undefined) ? top : `${top}/${second}`;
}

/** The room within a room that a file is in; undefined for the files of a room itself. */
function innerRoomOf(file: string): string | undefined {
  return Object.keys(INNER).find((room) => file.startsWith(`${room}/`));
}

function sources(folder: string, ending = /\.tsx?$/): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"));
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
  return specifiers.flatMap((specifier) => {
    const own =
      ownEntries[specifier] ?? (specifier.startsWith(".") ? resolve(root, dirname(file), specifier) : undefined);
    if (own === undefined) return [];
    const source = own.replace(/\.js$/, existsSync(own.replace(/\.js$/, ".tsx")) ? ".tsx" : ".ts");
    return [relative(root, source).split(sep).join("/")];
  });
}

/** The circles of files that import each other, directly or through others: Tarjan's strongly connected components. */
function circlesAmong(files: readonly string[]): string[][] {
  const importsBy = new Map(files.map((file) => [file, importsOf(file).filter((target) => files.includes(target))]));
  const found: string[][] = [];
  const order = new Map<string, number>();
  const open: string[] = [];
  /** Visits a file; returns the number of the first open file that it leads back to. */
  const visit = (file: string): number => {
    const number = order.size;
    order.set(file, number);
    open.push(file);
    let first = number;
    for (const target of importsBy.get(file) ?? []) {
      const known = order.get(target);
      if (known === undefined) first = Math.min(first, visit(target));
      else if (open.includes(target)) first = Math.min(first, known);
    }
    if (first < number) return first;
    const circle = open.splice(open.indexOf(file));
    if (circle.length > 1) found.push(circle.sort());
    return Number.POSITIVE_INFINITY;
  };
  for (const file of files) if (!order.has(file)) visit(file);
  return found;
}

/** The imports of a file that its room does not allow. */
function forbidden(file: string): string[] {
  const room = roomOf(file);
  const allowed = ALLOWED[room] ?? [];
  return importsOf(file).filter(
    (target) => roomOf(target) !== room && !allowed.some((place) => target === place || target.startsWith(`${place}/`)),
  );
}

/** The imports of a file that the room within a room does not allow. */
function forbiddenInside(file: string): string[] {
  const inner = innerRoomOf(file);
  if (inner === undefined) return [];
  return importsOf(file).filter((target) => {
    const other = innerRoomOf(target);
    const isOutside = other === undefined || roomOf(target) !== roomOf(file) || other === inner;
    return !isOutside && INNER[inner]?.includes(other) !== true;
  });
}

describe("imports between rooms", () => {
  const files = [...sources("src"), ...sources("bin"), ...sources("dissectors")];

  it("of modules of Node.js, or of what they depend on, are only at the edges", () => {
    const inner = files.filter((file) => !EDGES.test(file));
    const edges = new Set(files.filter((file) => EDGES.test(file)));
    const uses = (file: string) => {
      const text = readFileSync(join(root, file), "utf8");
      const modules = [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
      const builtIn = modules.filter((name) => isBuiltin(name));
      // The library for programs in Node.js is the way in for these.
      return file === "src/index.ts" ? builtIn : [...builtIn, ...importsOf(file).filter((other) => edges.has(other))];
    };
    expect(inner.flatMap((file) => uses(file).map((target) => `${file} imports ${target}`))).toEqual([]);
  });

  it("cover every room", () => {
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter((file) => ALLOWED[roomOf(file)] === undefined)).toEqual([]);
  });

  it("form no cycle, whatever a room may import", () => {
    const rooms = Object.keys(ALLOWED);
    const importedBy = (room: string) =>
      rooms.filter((other) => other !== room && (ALLOWED[room] ?? []).some((place) => other.startsWith(place)));
    const settled: string[] = [];
    for (;;) {
      const next = rooms.find(
        (room) => !settled.includes(room) && importedBy(room).every((one) => settled.includes(one)),
      );
      if (next === undefined) break;
      settled.push(next);
    }
    expect(settled.toSorted()).toEqual(rooms.toSorted());
  });

  it("are those of a stranger in dissectors: by the package's name, not by paths into its sources", () => {
    const byPath = sources("dissectors").filter((file) =>
      /(?:from|import)\s*\(?\s*"(?:\.\.\/)+src\//.test(readFileSync(join(root, file), "utf8")),
    );
    expect(byPath).toEqual([]);
  });

  it("leave writing field trees to the schema language", () => {
    const users = files.filter((file) => importsOf(file).includes(STORE)).map(roomOf);
    expect(new Set(users)).toEqual(new Set(["src/schema"]));
  });

  it("within rooms go one way, too", () => {
    expect(files.filter((file) => innerRoomOf(file) !== undefined).length).toBeGreaterThan(100);
    expect(files.flatMap((file) => forbiddenInside(file).map((target) => `${file} imports ${target}`))).toEqual([]);
  });

  it("are all needed: what no file of a room imports, the room is not allowed to", () => {
    const unused = Object.entries(ALLOWED).flatMap(([room, places]) => {
      const own = files.filter((file) => roomOf(file) === room).flatMap(importsOf);
      return places
        .filter(
          (place) => places !== PUBLIC && !own.some((target) => target === place || target.startsWith(`${place}/`)),
        )
        .map((place) => `${room}: ${place}`);
    });
    const unusedInside = Object.entries(INNER).flatMap(([room, others]) => {
      const own = files.filter((file) => innerRoomOf(file) === room).flatMap(importsOf);
      return others
        .filter((other) => !own.some((target) => innerRoomOf(target) === other))
        .map((other) => `${room}: ${other}`);
    });
    expect([...unused, ...unusedInside]).toEqual([]);
  });

  it("form circles only where two things cannot be said without each other", () => {
    const byName = (one: readonly string[], other: readonly string[]) => (String(one) < String(other) ? -1 : 1);
    expect(circlesAmong(files).sort(byName)).toEqual(CIRCLES.map((circle) => circle.files).toSorted(byName));
  });

  it("have few enough files in a folder to show the architecture", () => {
    const counts = new Map<string, number>();
    for (const file of ["src", "bin", "dissectors"].flatMap((folder) => sources(folder, /\.(?:tsx?|lua)$/))) {
      counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    }
    const crowded = [...counts].filter(([folder, count]) => count > MOST_FILES && !FAMILIES.has(folder));
    expect(crowded).toEqual([]);
  });

  it("follow the data, never the other way", () => {
    expect(files.flatMap((file) => forbidden(file).map((target) => `${file} imports ${target}`))).toEqual([]);
  });
});
