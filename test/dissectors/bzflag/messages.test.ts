import { describe, expect, it } from "vitest";
import { bzflag } from "../../../dissectors/bzflag/index.js";
import { fieldJson } from "../../../src/output/json/field-json.js";
import { truthOf } from "../../support/bzflag-truth.js";
import { checkClass } from "../../support/check.js";
import { addPlayer, ascii, concat, f32, GAME_INFO, msg, NOBODY, pid, str, u8, u16, u32 } from "./bytes.js";
import { MODERN_BY_HAND } from "./modern-messages.js";

const alpha = pid([192, 0, 2, 1], 40000, 2);
const alphaJson = { host: "192.0.2.1", port: 40000, number: 2 };
const place = f32(1, 2, 3);
const placeJson = { x: 1, y: 2, z: 3 };
const zeros = { x: 0, y: 0, z: 0 };

/** Messages, and forms of messages, that no recorded session contains. */
const HAND_MADE: readonly (readonly [type: string, bytes: Uint8Array, fields: object])[] = [
  ["MsgUDPLinkUpdate", msg("oh", u16(7)), { seqno: 7 }],
  ["PingCodeOldReply", msg(0x0101, u8(1, 2)), { data: "0102" }],
  ["PingCodeOldRequest", msg(0x0202, u8(1, 2)), { data: "0102" }],
  [
    "PingCodeReply",
    // 107c counts the header in the length.
    concat(u16(60, 0x0303), ascii("BZFS107c"), pid([192, 0, 2, 2], 5155), u8(192, 0, 2, 1), GAME_INFO),
    {
      len: 60,
      version: "BZFS107c",
      server: { host: "192.0.2.2", port: 5155, number: 0 },
      source: "192.0.2.1",
      maxTime: 17,
    },
  ],
  ["MsgReject", msg("rj", u16(0)), { rejectCode: "RejectBadRequest" }],
  ["MsgReject", msg("rj", u16(77)), { rejectCode: 77 }],
  [
    "MsgEnter",
    msg("en", alpha, u16(1, 0xffff), str(32, "Jäger"), str(128, "")),
    { player: alphaJson, type: "JAFOPlayer", team: "NoTeam", callsign: "Jäger", email: "" },
  ],
  ["MsgAddPlayer.17d", addPlayer(alpha, "Jäger"), { player: alphaJson, wins: 3, losses: 4, callsign: "Jäger" }],
  ["MsgKilled.s2c", msg("kl", alpha, NOBODY, u16(-1)), { victim: alphaJson, shotId: -1 }],
  ["MsgShotEnd", msg("se", alpha, u16(-1, 1)), { shooter: alphaJson, shotId: -1, reason: "Explosion" }],
  ["MsgScoreOver", msg("so", NOBODY, u16(2)), { player: { host: "0.0.0.0", port: 0, number: 0 }, team: "GreenTeam" }],
  ["MsgTimeUpdate", msg("to", u16(0)), { seconds: 0 }],
  ["MsgAcquireRadio.c2s", msg("ar", u16(3)), { flags: ["ToAll", "0x2"] }],
  [
    "MsgPlayerUpdate",
    msg("pu", alpha, u16(0x7f), place, place, f32(0.5, -0.25)),
    {
      player: alphaJson,
      status: ["Alive", "Paused", "Exploding", "Teleporting", "FlagActive", "CrossingWall", "Falling"],
      position: placeJson,
      velocity: placeJson,
      azimuth: 0.5,
      angularVelocity: -0.25,
    },
  ],
  ["MsgServerControl", msg("oi", u8(1)), { data: "01" }],
  ["WorldMissingBase", u8(...new Array<number>(40).fill(0)), { zeros: "00".repeat(38) }],
  [
    "0221.MsgPlayerUpdate",
    msg(
      "pu",
      f32(1.5),
      u8(3),
      u32(9),
      u16(0x791),
      place,
      place,
      f32(0.5, 0.25),
      u16(16383),
      u32(6),
      u16(100, 200),
      u8(5),
    ),
    {
      timestamp: 1.5,
      player: 3,
      order: 9,
      status: ["Alive", "FlagActive", "OnDriver", "UserInputs", "JumpJets", "PlaySound"],
      position: placeJson,
      jumpjetsRaw: 16383,
      physicsDriver: 6,
      userSpeedRaw: 100,
      userAngularVelocityRaw: 200,
      sounds: 5,
    },
  ],
  [
    "0221.MsgPlayerUpdateSmall",
    msg("ps", f32(1.5), u8(3), u32(9), u16(0x181), u16(50, -50, 0, 100, 0, -100, 0, 0), u32(6), u16(100, 200)),
    {
      status: ["Alive", "OnDriver", "UserInputs"],
      positionRaw: { x: 50, y: -50, z: 0 },
      velocityRaw: { x: 100, y: 0, z: -100 },
      physicsDriver: 6,
    },
  ],
  [
    "0221.MsgKilled.s2c",
    msg("kl", u8(1, 253), u16(0x7064, -1), ascii("\0\0"), u32(4)),
    { victim: 1, killer: 253, reason: "PhysicsDriverDeath", shotId: -1, flag: "", physicsDriver: 4 },
  ],
  [
    "0221.MsgMessage.s2c",
    msg("mg", u8(1, 254, 1), ascii("waves\0")),
    { from: 1, to: 254, type: "ActionMessage", text: "waves" },
  ],
  ...MODERN_BY_HAND,
  ["0221.ServerRefusal", ascii("REFUSED:spam"), { text: "REFUSED:", reason: "spam" }],
  ["0221.ServerBan", ascii("banned for spam by op"), { text: "banned for", reason: " spam by op" }],
  ["0221.ServerHello", concat(ascii("BZFS0221"), u8(0xff)), { version: "BZFS0221", player: 255 }],
];

function typeNamed(name: string) {
  const type = bzflag.types.get(name);
  if (type === undefined) throw new Error(`${name} is not declared`);
  return type;
}

describe("messages that no recorded session contains", () => {
  it.each(HAND_MADE)("%s", (name, bytes, fields) => {
    const nodes = checkClass(typeNamed(name), bytes);
    expect(JSON.parse(fieldJson(nodes, 0, 1))).toMatchObject(fields);
  });

  it("shows what its condition leaves out as absent", () => {
    const nodes = checkClass(typeNamed("MsgReject"), msg("rj"));
    expect(JSON.parse(fieldJson(nodes, 0, 1))).toEqual({ len: 0, code: "rj" });
  });

  it("decodes each block of a world", () => {
    const solid = concat(place, f32(0.5, 6, 7, 8));
    const world = concat(
      ascii("st"),
      u16(24, 0x1ff, 20, 3, 16),
      f32(0, 0),
      u16(150, 1),
      u32(0x3b9aca00),
      concat(ascii("ba"), u16(4), place, f32(0.5, 30, 31), place),
      concat(ascii("wl"), place, f32(0.5, 400, 6)),
      concat(ascii("bx"), solid),
      concat(ascii("py"), solid),
      concat(ascii("te"), solid, f32(1.25)),
      concat(ascii("ln"), u16(0, 1)),
      ascii("ed"),
      new Uint8Array(80),
    );
    const nodes = checkClass(typeNamed("World"), world);
    const solidJson = { center: placeJson, angle: 0.5, width: 6, depth: 7, height: 8 };
    expect(JSON.parse(fieldJson(nodes, 0, 1))).toEqual({
      blocks: [
        {
          class: "WorldStyle",
          code: "st",
          length: 24,
          gameStyle: [
            "TeamFlags",
            "SuperFlags",
            "Rogues",
            "Jumping",
            "Inertia",
            "Ricochet",
            "Shakable",
            "Antidote",
            "TimeSync",
          ],
          maxPlayers: 20,
          maxShots: 3,
          maxFlags: 16,
          linearAcceleration: 0,
          angularAcceleration: 0,
          shakeTimeout: 150,
          shakeWins: 1,
          serverTime: "2001-09-09T01:46:40Z",
        },
        {
          class: "WorldBase",
          code: "ba",
          team: "PurpleTeam",
          center: placeJson,
          angle: 0.5,
          size: { x: 30, y: 31 },
          safety: placeJson,
        },
        { class: "WorldWall", code: "wl", center: placeJson, angle: 0.5, width: 400, height: 6 },
        { class: "WorldBox", code: "bx", ...solidJson },
        { class: "WorldPyramid", code: "py", ...solidJson },
        { class: "WorldTeleporter", code: "te", ...solidJson, border: 1.25 },
        { class: "WorldLink", code: "ln", from: 0, to: 1 },
        { class: "WorldEnd", code: "ed" },
        { class: "WorldMissingBase", code: "0x0000", zeros: "00".repeat(38) },
        { class: "WorldMissingBase", code: "0x0000", zeros: "00".repeat(38) },
      ],
    });
  });

  it("decodes a flag with every field in its place", () => {
    const flag = concat(u16(33, 5, 2), alpha, place, f32(0, 0, 0), place, f32(0.5, 3, 14.5));
    const nodes = checkClass(typeNamed("MsgFlagUpdate"), msg("fu", u16(9), flag));
    expect(JSON.parse(fieldJson(nodes, 0, 1))).toEqual({
      len: 64,
      code: "fu",
      flagNum: 9,
      flagId: "WideAngleFlag",
      status: "FlagGoing",
      type: "FlagSticky",
      owner: alphaJson,
      position: placeJson,
      launch: zeros,
      landing: placeJson,
      flightTime: 0.5,
      flightEnd: 3,
      initialVelocity: 14.5,
    });
  });
});

/**
 * Types that the truth files do not name as messages (hellos, worlds, envelopes, the list server), covered by other
 * tests.
 */
const NO_MESSAGES =
  /^(0221\.)?(Hello|ClientHello|ServerHello|ServerRefusal|ServerBan|World|ListServer|UDPLink(Datagram|Packet|End)$)/;

it("every declared message is in a recorded session or made by hand", () => {
  const covered = new Set<string>(HAND_MADE.map(([type]) => type));
  const captures = ["107c-relay", "107d-relay", "107e-ctf", "107e-ping", "107e-reject", "107e-relay", "107e-udp"];
  for (const capture of [...captures, "0221-glclient"]) {
    const prefix = capture === "0221-glclient" ? "0221." : "";
    for (const { name, kind, src } of truthOf(`bz${capture}`)) {
      if (kind !== "message") continue;
      const direction = /:515[4-6]$|:34261$|:42431$|:48767$/.test(src) ? "s2c" : "c2s";
      covered.add(`${prefix}${name}`).add(`${prefix}${name}.${direction}`);
    }
  }
  const declared = [...bzflag.types.keys()].filter((name) => !NO_MESSAGES.test(name));
  expect(declared.length).toBeGreaterThan(80);
  expect(declared.filter((name) => !covered.has(name))).toEqual([]);
});
