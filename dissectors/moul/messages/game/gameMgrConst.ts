/** The outcome of joining a game. Source: pnGameMgr/pnGameMgrConst.h. */
export const EGameJoinError = {
  kGameJoinSuccess: 0,
  kGameJoinErrNotExist: 1,
  kGameJoinErrInitFailed: 2,
  kGameJoinErrGameStarted: 3,
  kGameJoinErrGameOver: 4,
  kGameJoinErrMaxPlayers: 5,
  kGameJoinErrAlreadyJoined: 6,
  kGameJoinErrNoInvite: 7,
  kGameJoinPending: -1,
};

/** Why a player could not be invited to a game. Source: pnGameMgr/pnGameMgrConst.h. */
export const EGameInviteError = {
  kGameInviteSuccess: 0,
  kGameInviteErrNotOwner: 1,
  kGameInviteErrAlreadyInvited: 2,
  kGameInviteErrAlreadyJoined: 3,
  kGameInviteErrGameStarted: 4,
  kGameInviteErrGameOver: 5,
  kGameInviteErrGameFull: 6,
  kGameInviteErrNoJoin: 7,
};

/** How a game is made or joined. Source: pnGameMgr/pnGameMgr.h. */
export const GameCreateOptions = {
  kGameCreatePublic: 1 << 0,
  kGameCreateOpen: 1 << 1,
  kGameJoinCommon: 1 << 2,
  kGameJoinObserver: 1 << 3,
};

/** Kinds of games by their UUID. Source: pnGameMgr/pnGm*.h, of which two are only in the source of 2011. */
export const gameTypes: ReadonlyMap<string, string> = new Map([
  ["5ff98165-913e-4fd1-a2c2-9c7f31be2cc8", "BlueSpiral"],
  ["6224cdf4-3556-4740-b7cd-d637562d07be", "ClimbingWall"],
  ["9d83c2e2-7835-4477-9aaa-22254c59a753", "Heek"],
  ["000b2c39-0319-4be1-b06c-7a105b160fcf", "Marker"],
  ["a7236529-11d8-4758-9368-59cb43445a83", "TicTacToe"],
  ["475c2e9b-a245-4106-a047-9b25d41ff333", "VarSync"],
]);
