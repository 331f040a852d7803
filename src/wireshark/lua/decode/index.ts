import decoder from "./decoder.lua";
import faults from "./faults.lua";
import leaves from "./leaves.lua";
import regions from "./regions.lua";
import state from "./state.lua";
import structs from "./structs.lua";

/** The decoder in Lua: parts of one function, each of which uses those before it. */
export const decode: string = [state, faults, leaves, structs, regions, decoder].join("\n");
