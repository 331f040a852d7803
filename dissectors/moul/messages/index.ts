/** The messages of all servers. */

export { auth } from "./auth/index.js";
export { csr } from "./csr/index.js";
export { file } from "./file/index.js";
export { game } from "./game/index.js";
export { gatekeeper } from "./gatekeeper/index.js";
export { MessageTable, type ServerMessages, type UndeclaredMessage } from "./messageTable.js";
