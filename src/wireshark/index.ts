import { bzflag } from "../../dissectors/bzflag/index.js";
import { wireshark as bzflagCode } from "../../dissectors/bzflag/wireshark/index.js";
import { moul } from "../../dissectors/moul/index.js";
import { wireshark as moulCode } from "../../dissectors/moul/wireshark/index.js";
import type { Dissector, WiresharkCode } from "../dissector/dissector.js";
import { framingCode } from "./framing-code.js";
import { type PluginProtocol, pluginFile } from "./plugin-file.js";
import { withoutFraming } from "./without-framing.js";

/**
 * Returns Wireshark's plugin as one file of Lua.
 *
 * @param loaded dissectors that are not built in
 */
export function wiresharkPlugin(version: string, loaded: readonly Dissector[] = []): string {
  const protocols = [
    builtIn(moul, "Myst Online: Uru Live", moulCode),
    builtIn(bzflag, "BZFlag", bzflagCode),
    ...loaded.map(outside),
  ];
  return pluginFile(protocols, version);
}

function builtIn({ name, protocols, ports = [] }: Dissector, title: string, code: WiresharkCode): PluginProtocol {
  return { name, title, protocols, ports, code };
}

/** A dissector that is not built in, of which all that is declared is in the plugin. */
function outside({ name, protocols, ports = [], types, wireshark }: Dissector): PluginProtocol {
  const code =
    wireshark === undefined ? withoutFraming : "session" in wireshark ? wireshark : framingCode(wireshark, name);
  return { name, title: name, protocols, ports, code, types: types.values() };
}
