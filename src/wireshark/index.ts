import { bzflag } from "../../dissectors/bzflag/index.js";
import { wireshark as bzflagCode } from "../../dissectors/bzflag/wireshark/index.js";
import { moul } from "../../dissectors/moul/index.js";
import { wireshark as moulCode } from "../../dissectors/moul/wireshark/index.js";
import type { DefinitionFile, Dissector, WiresharkCode } from "../dissector/dissector.js";

export { coloringRules } from "./coloring-rules.js";

import { framingCode } from "./framing-code.js";
import { type PluginProtocol, pluginFile } from "./plugin-file.js";
import { withoutFraming } from "./without-framing.js";

/** What the plugin is made of besides the built-in dissectors. */
export interface PluginOptions {
  /** Dissectors that are not built in. */
  readonly loaded?: readonly Dissector[];
  /** Definition files, such as those of SDL descriptors, by the dissector that has read them. */
  readonly definitions?: ReadonlyMap<Dissector, readonly DefinitionFile[]>;
}

/** Returns Wireshark's plugin as one file of Lua. */
export function wiresharkPlugin(version: string, { loaded = [], definitions = new Map() }: PluginOptions = {}): string {
  const settingsOf = (dissector: Dissector) => dissector.settingsFor?.(definitions.get(dissector) ?? []);
  const builtIn = (dissector: Dissector, title: string, code: WiresharkCode): PluginProtocol => {
    const { name, protocols, ports = [] } = dissector;
    return { name, title, protocols, ports, code, settings: settingsOf(dissector) };
  };
  const protocols = [
    builtIn(moul, "Myst Online: Uru Live", moulCode),
    builtIn(bzflag, "BZFlag", bzflagCode),
    ...loaded.map((dissector) => outside(dissector, settingsOf(dissector))),
  ];
  return pluginFile(protocols, version);
}

/** A dissector that is not built in, of which all that is declared is in the plugin. */
function outside({ name, protocols, ports = [], types, wireshark }: Dissector, settings: unknown): PluginProtocol {
  const code =
    wireshark === undefined ? withoutFraming : "session" in wireshark ? wireshark : framingCode(wireshark, name);
  return { name, title: name, protocols, ports, code, settings, types: types.values() };
}
