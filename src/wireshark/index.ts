import { wireshark as moul } from "../../dissectors/moul/wireshark/index.js";
import { type PluginProtocol, pluginFile } from "./plugin-file.js";

/** The protocols in the plugin. */
const protocols: readonly PluginProtocol[] = [{ name: "moul", title: "Myst Online: Uru Live", support: moul }];

/** Returns Wireshark's plugin as one file of Lua. */
export function wiresharkPlugin(version: string): string {
  return pluginFile(protocols, version);
}
