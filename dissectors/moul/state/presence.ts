import type { Party, StateEvent, StepEvent } from "moul-dissect/dissector";
import type { FieldTree } from "moul-dissect/schema";
import { errorOf, partyOf, playerIn, type ReadMessage, type Reads } from "./message-reader.js";

type Details = (message: ReadMessage) => Partial<Pick<StepEvent, "detail" | "player" | "place">>;

/** A step that a request asks for, and its reply grants or refuses. */
function step(name: string, details: Details = () => ({})): { readonly asks: Reads; readonly answers: Reads } {
  return {
    asks: (message) => [{ kind: "step", step: name, outcome: "asked", ...details(message) }],
    answers: (message) => {
      const error = errorOf(message);
      const answers = message.nodes.context?.answers?.number;
      return [{ kind: "step", step: name, outcome: error === undefined ? "done" : "failed", answers, error }];
    },
  };
}

const text =
  (field: string): Details =>
  ({ nodes }) => ({ detail: nodes.textIn(0, field) });

function placeIn(nodes: FieldTree): Party | undefined {
  const id = nodes.numberIn(0, "mcpId") ?? 0;
  return id === 0 ? undefined : partyOf(nodes, "gameServerInstance", id);
}

const fileServer = step("ask for the file server");
const authServer = step("ask for the auth server");
const register = step("register");
const login = step("log in", text("accountName"));
const setPlayer = step("choose a player", ({ nodes }) => {
  const player = playerIn(nodes, 0, "playerVaultNodeId");
  return player === undefined ? { detail: "(none)" } : { player };
});
const createPlayer = step("create a player", text("playerName"));
const askForAge = step("ask for an age", text("fileName"));
const wayToAge: Reads = (message, asked) =>
  askForAge.answers(message, asked).map((event) => ({ ...event, place: placeIn(message.nodes) }));
const join = step("join the age", ({ nodes }) => ({
  player: playerIn(nodes, 0, "playerVaultNodeId"),
  place: placeIn(nodes),
}));
const manifest = step("ask for the manifest", text("group"));

/** The steps on a client's way into an age. Source: plNetClient/plNetLinkingMgr.cpp; pnNetCli/. */
export const stepReaders: Readonly<Record<string, Reads>> = {
  Cli2GateKeeper_FileSrvIpAddressRequest: fileServer.asks,
  GateKeeper2Cli_FileSrvIpAddressReply: fileServer.answers,
  Cli2GateKeeper_AuthSrvIpAddressRequest: authServer.asks,
  GateKeeper2Cli_AuthSrvIpAddressReply: authServer.answers,
  Cli2File_ManifestRequest: manifest.asks,
  File2Cli_ManifestReply: manifest.answers,
  Cli2Auth_ClientRegisterRequest: register.asks,
  Auth2Cli_ClientRegisterReply: register.answers,
  Cli2Auth_AcctLoginRequest: login.asks,
  Auth2Cli_AcctLoginReply: login.answers,
  Cli2Auth_PlayerCreateRequest: createPlayer.asks,
  Auth2Cli_PlayerCreateReply: createPlayer.answers,
  Cli2Auth_AcctSetPlayerRequest: setPlayer.asks,
  Auth2Cli_AcctSetPlayerReply: setPlayer.answers,
  Cli2Auth_AgeRequest: askForAge.asks,
  Auth2Cli_AgeReply: wayToAge,
  Cli2Auth_AgeRequestEx: askForAge.asks,
  Auth2Cli_AgeReplyEx: wayToAge,
  Cli2Game_JoinAgeRequest: join.asks,
  Game2Cli_JoinAgeReply: join.answers,
  Auth2Cli_KickedOff: ({ nodes }) => {
    const reason = nodes.child(0, "reason");
    const error = nodes.context?.error ?? (reason < 0 ? "" : String(nodes.value(reason)));
    return [{ kind: "step", step: "stay connected", outcome: "failed", error }];
  },
};

/** Who is in an age, as a server tells the others. */
export function membersIn({ nodes }: ReadMessage): StateEvent[] {
  const found: StateEvent[] = [];
  for (let node = 0; node < nodes.count; node++) {
    if (nodes.field(node).struct?.name !== "plNetMsgMemberInfoHelper") continue;
    const id = nodes.numberIn(node, "clientInfo.playerId") ?? nodes.numberIn(node, "clientInfo.tempPlayerId") ?? 0;
    const name = nodes.textIn(node, "clientInfo.playerName");
    const known = partyOf(nodes, "player", id);
    const isThere = wasAdded(nodes);
    if (id !== 0) found.push({ kind: "presence", player: { ...known, name: name ?? known.name }, isThere });
  }
  return found;
}

/** What plNetMsgMemberUpdate says; a list has those who are there. */
function wasAdded(nodes: FieldTree): boolean {
  for (let node = 0; node < nodes.count; node++) {
    if (nodes.field(node).name === "wasAdded") return nodes.number(node) !== 0;
  }
  return true;
}
