/** The messages of all servers. */

import { auth } from "./auth/index.js";
import { csr } from "./csr/index.js";
import { file } from "./file/index.js";
import { game } from "./game/index.js";
import { gatekeeper } from "./gatekeeper/index.js";
import type { ServerMessages } from "./messageTable.js";

export type { ServerMessages } from "./messageTable.js";
export { auth, csr, file, game, gatekeeper };

/** All servers that clients exchange messages with. */
export const servers: readonly ServerMessages[] = [gatekeeper, auth, file, game, csr];

/** The server whose protocol has this name: "moul.game". */
export function serverOf(protocol: string): ServerMessages | undefined {
  return servers.find((server) => server.protocol === protocol);
}
