import { expect, it } from "vitest";
import { Announcements } from "../../../dissectors/bzflag/announcements.js";

it("conversations remember the latest things that others have announced, in bounded memory", () => {
  const shared = new Map<string, unknown>();
  const announcements = new Announcements(shared);
  const server = (port: number) => ({ address: "192.0.2.1", port });
  for (let port = 1; port <= 5000; port++) {
    announcements.listServer(server(port));
    // What is announced again is not old.
    announcements.listServer(server(1));
  }
  expect(shared.size).toBe(4096);
  const known = Array.from({ length: 5000 }, (_, index) => index + 1).filter((port) =>
    announcements.isListServer(server(port)),
  );
  expect([known.length, known[0], known[1], known.at(-1)]).toEqual([4096, 1, 906, 5000]);
});
