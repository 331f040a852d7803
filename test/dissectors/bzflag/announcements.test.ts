import { expect, it } from "vitest";
import { Announcements } from "../../../dissectors/bzflag/announcements.js";
import { LagPings } from "../../../dissectors/bzflag/lag-pings.js";

const server = (port: number) => ({ address: "192.0.2.1", port });

it("conversations remember the latest things that others have announced, in bounded memory", () => {
  const announcements = Announcements.in(new Map());
  for (let port = 1; port <= 5000; port++) {
    announcements.listServer(server(port));
    // What is announced again is not old.
    announcements.listServer(server(1));
  }
  const known = Array.from({ length: 5000 }, (_, index) => index + 1).filter((port) =>
    announcements.isListServer(server(port)),
  );
  expect([known.length, known[0], known[1], known.at(-1)]).toEqual([4096, 1, 906, 5000]);
});

it("announcements make no room for others of another kind, nor for anything else that conversations share", () => {
  const shared = new Map<string, unknown>([["other", true]]);
  const pings = LagPings.in(shared);
  Announcements.in(shared).linkServer(server(1));
  for (let port = 1; port <= 5000; port++) Announcements.in(shared).listServer(server(port));
  expect(Announcements.in(shared).isLinkServer(server(1))).toBe(true);
  expect(LagPings.in(shared)).toBe(pings);
  expect(shared.get("other")).toBe(true);
  expect(shared.size).toBe(3);
});

it("runs do not share announcements", () => {
  Announcements.in(new Map()).listServer(server(1));
  expect(Announcements.in(new Map()).isListServer(server(1))).toBe(false);
});
