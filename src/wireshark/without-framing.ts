import type { WiresharkCode } from "../dissector/dissector.js";
import session from "./lua/unframed.lua";

/** For a dissector that only says in JavaScript where its messages begin: Decode As shows bytes, with a note. */
export const withoutFraming: WiresharkCode = { session, data: {} };
