/** Enumerations of both generations. Source: facts, section 5. */

/** Kinds of players. */
export const PlayerType = { TankPlayer: 0, JAFOPlayer: 1, ComputerPlayer: 2 };

/** Teams; NoTeam stands for "no team" and, where a score was reached, for "a player". */
export const TeamColor = {
  RogueTeam: 0,
  RedTeam: 1,
  GreenTeam: 2,
  BlueTeam: 3,
  PurpleTeam: 4,
  NoTeam: 0xffff,
};

/** Where a flag is. */
export const FlagStatus = {
  FlagNoExist: 0,
  FlagOnGround: 1,
  FlagOnTank: 2,
  FlagInAir: 3,
  FlagComing: 4,
  FlagGoing: 5,
};

/** How a flag behaves. */
export const FlagType = { FlagNormal: 0, FlagUnstable: 1, FlagSticky: 2 };

/** Kinds of flags: 0 to 4 are normal, 5 to 25 unstable, 26 to 33 sticky. */
export const FlagId = {
  NullFlag: 0,
  RedFlag: 1,
  GreenFlag: 2,
  BlueFlag: 3,
  PurpleFlag: 4,
  VelocityFlag: 5,
  QuickTurnFlag: 6,
  OscillationOverthrusterFlag: 7,
  RapidFireFlag: 8,
  MachineGunFlag: 9,
  GuidedMissileFlag: 10,
  LaserFlag: 11,
  RicochetFlag: 12,
  SuperBulletFlag: 13,
  InvisibleBulletFlag: 14,
  StealthFlag: 15,
  TinyFlag: 16,
  NarrowFlag: 17,
  ShieldFlag: 18,
  SteamrollerFlag: 19,
  ShockWaveFlag: 20,
  PhantomZoneFlag: 21,
  GenocideFlag: 22,
  JumpingFlag: 23,
  IdentifyFlag: 24,
  CloakingFlag: 25,
  ColorblindnessFlag: 26,
  ObesityFlag: 27,
  LeftTurnOnlyFlag: 28,
  RightTurnOnlyFlag: 29,
  MomentumFlag: 30,
  BlindnessFlag: 31,
  JammingFlag: 32,
  WideAngleFlag: 33,
};

/** Why a player may not join. */
export const RejectCode = {
  RejectBadRequest: 0,
  RejectBadTeam: 1,
  RejectBadType: 2,
  RejectNoRogues: 3,
  RejectTeamFull: 4,
  RejectServerFull: 5,
};

/** Who hears a player on the radio. */
export const RadioFlags = { ToAll: 1 << 0 };

/** State of a tank; dead if no bit is set. */
export const PlayerStatus = {
  Alive: 1 << 0,
  Paused: 1 << 1,
  Exploding: 1 << 2,
  Teleporting: 1 << 3,
  FlagActive: 1 << 4,
  CrossingWall: 1 << 5,
  Falling: 1 << 6,
};

/** Rules of a game. */
export const GameStyle = {
  TeamFlags: 1 << 0,
  SuperFlags: 1 << 1,
  Rogues: 1 << 2,
  Jumping: 1 << 3,
  Inertia: 1 << 4,
  Ricochet: 1 << 5,
  Shakable: 1 << 6,
  Antidote: 1 << 7,
  TimeSync: 1 << 8,
};

/**
 * Whether a shot ends in an explosion. All known clients do the opposite: they show one for 0. Source: facts, section 4,
 * "ShotEnd reason".
 */
export const ShotEndReason = { NoExplosion: 0, Explosion: 1 };
