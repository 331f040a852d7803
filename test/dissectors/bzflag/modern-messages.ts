import { ascii, concat, f32, msg, str, u8, u16, u32 } from "./bytes.js";

const flag = concat(u16(7), ascii("GM"), u16(2, 1), u8(3), f32(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));

/** A ping reply of 2.4. */
export const MODERN_PING_REPLY = msg(
  0x0303,
  ascii("BZFS0221"),
  concat(u8(127, 0, 0, 1), u16(5154, 0)),
  u8(4, 192, 0, 2, 7),
  u16(1, 2, 3, 4, 5, 6, 7, 8),
  u8(20, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
  new Uint8Array(6),
);

/**
 * Messages of 0221 that no recorded session contains, as 2.4 packs them (src/bzfs/bzfs.cxx, src/bzflag/ServerLink.cxx,
 * src/common), and their values.
 */
export const MODERN_BY_HAND: readonly (readonly [type: string, bytes: Uint8Array, fields: object])[] = [
  [
    "0221.MsgReject",
    msg("rj", u16(9), str(128, "REFUSED: banned")),
    { reason: "RejectIPBanned", text: "REFUSED: banned" },
  ],
  ["0221.ServerFarewell", ascii("BZFS0221\r\n\r\n"), { text: "BZFS0221\r\n\r\n" }],
  ["0221.MsgSuperKill", msg("sk"), {}],
  ["0221.MsgCaptureFlag.c2s", msg("cf", u16(2)), { team: "GreenTeam" }],
  ["0221.MsgCaptureFlag.s2c", msg("cf", u8(3), u16(7), u16(2)), { player: 3, flagNum: 7, team: "GreenTeam" }],
  ["0221.MsgTransferFlag.c2s", msg("tf", u8(3), u8(4)), { from: 3, to: 4 }],
  ["0221.MsgTransferFlag.s2c", msg("tf", u8(3), u8(4), flag), { from: 3, to: 4, flagNum: 7, abbrev: "GM", owner: 3 }],
  [
    "0221.MsgNearFlag",
    msg("Nf", f32(1, 2, 3), u32(5), ascii("Laser")),
    { position: { x: 1, y: 2, z: 3 }, name: "Laser" },
  ],
  [
    "0221.MsgFlagType",
    msg("ft", ascii("XX"), u8(1), u8(2), u32(1), ascii("n"), u32(2), ascii("hp")),
    { name: "n", help: "hp" },
  ],
  [
    "0221.MsgGMUpdate",
    msg("gm", u8(3), u16(257), f32(0, 0, 0, 1, 1, 1, 2), u16(0xfffe), u8(255)),
    { shotId: 257, dt: 2, target: 255 },
  ],
  ["0221.MsgTeleport.c2s", msg("tp", u16(2), u16(3)), { from: 2, to: 3 }],
  ["0221.MsgTeleport.s2c", msg("tp", u8(9), u16(2), u16(3)), { player: 9, from: 2, to: 3 }],
  ["0221.MsgPause.c2s", msg("pa", u8(1)), { paused: true }],
  ["0221.MsgPause.s2c", msg("pa", u8(9), u8(0)), { player: 9, paused: false }],
  ["0221.MsgTimeUpdate", msg("to", u32(0xffffffff)), { timeLeft: -1 }],
  ["0221.MsgScoreOver", msg("so", u8(9), u16(0xffff)), { player: 9, team: "NoTeam" }],
  ["0221.MsgNewRabbit.c2s", msg("nR"), {}],
  ["0221.MsgNewRabbit.s2c", msg("nR", u8(9)), { player: 9 }],
  ["0221.MsgHandicap", msg("hc", u8(1), u8(9), u16(0xfffe)), { players: [{ player: 9, handicap: -2 }] }],
  [
    "0221.MsgAdminInfo",
    msg("ai", u8(1), u8(5), u8(9), u8(4), u8(192), u8(0), u8(2), u8(7)),
    { players: [{ player: 9, address: { family: "IPv4", ip: "192.0.2.7" } }] },
  ],
  [
    "0221.MsgAdminInfo",
    // A server leaves out the family of players of its own, but counts it.
    msg("ai", u8(2), u8(5, 0), u8(127, 0, 0, 1), u8(5, 9), u8(4, 192, 0, 2, 7)),
    {
      players: [
        { addressLen: 5, player: 0, address: { family: "LocalHost", ip: "000001" } },
        { addressLen: 5, player: 9, address: { family: "IPv4", ip: "192.0.2.7" } },
      ],
    },
  ],
  ["0221.MsgMessage.c2s", msg("mg", u8(254), str(128, "all of it")), { to: 254, text: "all of it" }],
  ["0221.MsgMessage.c2s", msg("mg", u8(253), ascii("/?\0")), { to: 253, text: "/?" }],
  ["0221.MsgQueryGame.c2s", msg("qg"), {}],
  [
    "0221.MsgQueryGame.s2c",
    msg("qg", u16(...Array.from({ length: 22 }, (_, index) => index))),
    { gameType: 0, teamSizes: { rogue: 4, observer: 9 }, teamMaxima: { rogue: 10 }, timeElapsed: 21 },
  ],
  ["0221.MsgQueryPlayers.c2s", msg("qp"), {}],
  ["0221.MsgQueryPlayers.s2c", msg("qp", u16(8), u16(3)), { numTeams: 8, numPlayers: 3 }],
  ["0221.MsgCacheURL", msg("cu", ascii("http://a/w\0")), { url: "http://a/w" }],
  ["0221.MsgFetchResources", msg("fr", u16(1), u16(0), u16(3), ascii("a/b")), { resources: [{ type: 0, url: "a/b" }] }],
  ["0221.MsgCustomSound", msg("cs", u16(1), u16(3), ascii("cat")), { type: 1, name: "cat" }],
  ["0221.MsgReplayReset", msg("rr", u8(9)), { lastPlayer: 9 }],
  ["0221.PingCodeReply", MODERN_PING_REPLY, { source: "192.0.2.7", maxShots: 3, maxPlayers: 20, observerMax: 12 }],
];
