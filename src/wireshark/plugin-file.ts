import type { PortHint, WiresharkCode, WiresharkData } from "../dissector/dissector.js";
import { limitFacts } from "../limits.js";
import type { Type } from "../schema/index.js";
import { isStructType } from "../schema/language/is-type.js";
import { LuaDeclarations } from "../schema/lua/declarations.js";
import { type LuaValue, luaLiteral } from "../schema/lua/literal.js";
import codecs from "./lua/codecs.lua";
import { decode } from "./lua/decode/index.js";
import fields from "./lua/fields.lua";
import labels from "./lua/labels.lua";
import names from "./lua/names.lua";
import plugin from "./lua/plugin.lua";
import bits from "./lua/shared/bits.lua";
import captureKeys from "./lua/shared/capture-keys.lua";
import decimal from "./lua/shared/decimal.lua";
import inflate from "./lua/shared/inflate.lua";
import numbers from "./lua/shared/numbers.lua";
import rc4 from "./lua/shared/rc4.lua";
import text from "./lua/shared/text.lua";
import tree from "./lua/shared/tree.lua";
import render from "./lua/show/render.lua";
import summary from "./lua/show/summary.lua";
import words from "./lua/show/words.lua";
import interest from "./lua/skim/interest.lua";
import skimPrograms from "./lua/skim/kinds.lua";
import skim from "./lua/skim/skim.lua";
import skimWriter from "./lua/skim/writer.lua";
import kept from "./lua/streams/kept.lua";
import keys from "./lua/streams/keys.lua";
import memory from "./lua/streams/memory.lua";
import packets from "./lua/streams/packets.lua";
import reader from "./lua/streams/reader.lua";
import streams from "./lua/streams/streams.lua";
import values from "./lua/values.lua";

/** A protocol in the plugin. */
export interface PluginProtocol {
  /** Name of the dissector, which is that of the protocol in Wireshark, too. */
  readonly name: string;
  /** What people call it. */
  readonly title: string;
  /** Names of what is spoken, for Decode As. */
  readonly protocols: readonly string[];
  readonly ports: readonly PortHint[];
  readonly code: WiresharkCode;
  /** What the dissector made of the definition files that were given. */
  readonly settings?: unknown;
  /** Types that are declared, whether the code uses them or not. */
  readonly types?: Iterable<Type<unknown>>;
}

/** The modules that all protocols share, in the order in which they need each other. */
const SHARED = { bits, numbers, decimal, text, inflate, rc4, tree, captureKeys };

/** Returns the plugin as one file of Lua, for all versions of Wireshark from 3.6 on. */
export function pluginFile(protocols: readonly PluginProtocol[], version: string): string {
  const parts = [
    `-- Dissectors for Wireshark, made by moul-dissect ${version} from its declarations. Not to be edited.`,
    "-- Without Wireshark, the file only returns its decoders, for tests.",
    "local shared, protocols = {}, {}",
    ...Object.entries(SHARED).map(([name, source]) => moduleText("shared", name, source)),
    ...protocols.map(protocolText),
    "return protocols",
  ];
  return `${parts.join("\n")}\n`;
}

function moduleText(into: string, name: string, source: string): string {
  return `${into}.${name} = (function(...)\n${source}end)(${into})`;
}

function protocolText({ name, title, protocols, ports, code, settings, types = [] }: PluginProtocol): string {
  const declarations = new LuaDeclarations(name, {
    labels: code.labels ?? new Map(),
    resolvers: code.resolvers ?? new Map(),
  });
  const data = luaLiteral(dataValue(declarations, code.data));
  for (const type of types) if (isStructType(type)) declarations.table(type);
  // What files declare changes no name of a field.
  const own = declarations.count;
  const given = luaLiteral(dataValue(declarations, code.settings?.(settings) ?? {}));
  const limits = { depth: limitFacts.depth.value, nodes: limitFacts.nodes.value, inflated: limitFacts.inflated.value };
  const portsOf = (transport: string) => ports.filter((hint) => hint.transport === transport).map(({ port }) => port);
  // The protocol itself stands for them all.
  const spoken = protocols.filter((protocol) => protocol !== name && protocol === protocol.toLowerCase());
  const transports = ["tcp", "udp"].filter((transport) => ports.length === 0 || portsOf(transport).length > 0);
  return [
    "do",
    "local modules = setmetatable({}, { __index = shared })",
    `modules.title = ${luaLiteral(title)}`,
    `modules.ports = ${luaLiteral({ tcp: portsOf("tcp"), udp: portsOf("udp") })}`,
    `modules.transports = ${luaLiteral(transports)}`,
    `modules.spoken = ${luaLiteral(spoken)}`,
    'modules.keyLogVariable = "MOULKEYLOGFILE"',
    `modules.data = ${data}`,
    `modules.given = ${given}`,
    `modules.declared = (function()\n${declarations.source()}\nend)()`,
    `modules.declared.limits, modules.declared.own = ${luaLiteral(limits)}, ${own}`,
    "modules.resolvers = {}",
    "for _, struct in ipairs(modules.declared.tables) do struct.binds = modules.declared.structs[struct.st].binds end",
    "local data, entries = modules.data, {}",
    "function modules.entry(number)",
    "  local entry = entries[number]",
    "  if entry == nil then",
    "    local class = modules.declared.structs[modules.declared.tables[number].st]",
    '    entry = { o = "struct", n = class.n, w = 0, t = number }',
    "    entries[number] = entry",
    "  end",
    "  return entry",
    "end",
    code.prelude ?? "",
    moduleText("modules", "labels", labels),
    moduleText("modules", "codecs", codecs),
    code.codecs === undefined ? "" : `;(function(...)\n${code.codecs}end)(modules)`,
    moduleText("modules", "values", values),
    moduleText("modules", "decoder", decode),
    moduleText("modules", "interest", interest),
    moduleText("modules", "skimWriter", skimWriter),
    moduleText("modules", "skimPrograms", skimPrograms),
    moduleText("modules", "skim", skim),
    moduleText("modules", "names", names),
    ...Object.entries(code.modules ?? {}).map(([module, source]) => moduleText("modules", module, source)),
    moduleText("modules", "session", code.session),
    'if rawget(_G, "Proto") then',
    moduleText("modules", "fields", fields),
    moduleText("modules", "words", words),
    moduleText("modules", "summary", summary),
    moduleText("modules", "render", render),
    moduleText("modules", "keys", keys),
    moduleText("modules", "packets", packets),
    moduleText("modules", "reader", reader),
    moduleText("modules", "memory", memory),
    moduleText("modules", "kept", kept),
    moduleText("modules", "streams", streams),
    `;(function(...)\n${plugin}end)(modules)`,
    "end",
    `protocols[${luaLiteral(name)}] = modules`,
    "end",
  ].join("\n");
}

/** The tables for a session, in which structs are numbers of tables. */
function dataValue(declarations: LuaDeclarations, data: WiresharkData): LuaValue {
  // An external dissector may bring another copy of the schema language.
  if (isStructType(data)) return declarations.table(data);
  if (data instanceof Map) {
    return new Map([...data].map(([key, value]): [number, LuaValue] => [key, dataValue(declarations, value)]));
  }
  if (Array.isArray(data)) return data.map((value) => dataValue(declarations, value));
  if (typeof data !== "object") return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, dataValue(declarations, value)]));
}
