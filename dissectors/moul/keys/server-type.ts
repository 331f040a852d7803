import type { Remarks } from "./remarks.js";

/** The server types with a key of their own. Connections to the file server are never encrypted. */
const serverTypes = ["gatekeeper", "auth", "game", "csr"] as const;
export type ServerType = (typeof serverTypes)[number];

/**
 * The generator g of each server type where nothing else is configured. Source: pnNetBase/pnNbConst.h,
 * kNetAuthDefaultDhGValue and its siblings; pnNetBase/pnNbKeys.h (2011), kCsrDhGValue.
 */
export const defaultGenerators: Readonly<Record<ServerType, bigint>> = {
  gatekeeper: 4n,
  auth: 41n,
  game: 73n,
  csr: 97n,
};

/** What a server type is called in the configurations of DIRTSAND and of the client: `Key.Auth.N`, `Server.Auth.N`. */
export const settingNames: Readonly<Record<ServerType, string>> = {
  gatekeeper: "Gate",
  auth: "Auth",
  game: "Game",
  csr: "Csr",
};

/** The server type that a word of a configuration names ("Auth", "Gate", "GateKeeper", ...), in any case. */
export function serverTypeOfName(name: string): ServerType | undefined {
  const word = name.toLowerCase();
  return serverTypes.find((server) => word === server || word === settingNames[server].toLowerCase());
}

/** The server type of a protocol, such as "moul.auth". */
export function serverTypeOf(protocol: string): ServerType | undefined {
  return serverTypes.find((server) => protocol === `moul.${server}`);
}

/** A suffix for the source of a key: " of auth" if its server type is known, otherwise nothing. */
export function ofServer(likely: readonly ServerType[]): string {
  return likely.length === 1 ? ` of ${likely.join()}` : "";
}

/** Adds a note if a key is tried for several server types. */
export function noteSeveral(likely: readonly ServerType[], remarks: Remarks): void {
  if (likely.length > 1)
    remarks.note(`the key does not say which server it belongs to: it is tried for ${likely.join(", ")}`);
}

/**
 * The server types that a key may belong to if its file does not say: those that its generator and the file name
 * ("auth_key.der", "pnNbGateKeeperKey.hpp") suggest. Both count when they disagree, because MOSS's key generator uses 4
 * unless told otherwise, and trying a key for a server that it does not belong to does no harm. All types if neither
 * suggests any.
 */
export function likelyServerTypes(generator: bigint | undefined, fileName: string): ServerType[] {
  const name = fileName.toLowerCase();
  const likely = serverTypes.filter(
    (server) => defaultGenerators[server] === generator || name.includes(server === "gatekeeper" ? "gate" : server),
  );
  return likely.length > 0 ? likely : [...serverTypes];
}
