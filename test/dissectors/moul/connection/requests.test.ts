import { describe, expect, it } from "vitest";
import { type Request, type RequestKey, Requests } from "../../../../dissectors/moul/connection/context/requests.js";
import { heldHeap } from "../../../support/garbage.js";

/** As many as are remembered. */
const MOST = 32_768;

type Own = Map<RequestKey, Request>;

/** Adds a request, or makes it the latest one. */
function ask(requests: Requests, own: Own, key: RequestKey): void {
  const known = own.get(key);
  if (known === undefined) requests.add(own, key);
  else requests.renew(known);
}

describe("the requests of a run", () => {
  it("make room for others in the order in which they came last", () => {
    const requests = new Requests();
    const own: Own = new Map();
    for (let number = 0; number < MOST; number++) ask(requests, own, number);
    // From the start, the middle and the end of the order.
    for (const key of [0, 5, MOST - 1, 5]) ask(requests, own, key);
    for (const key of ["a", "b", "c", "d", "e"]) ask(requests, own, key);
    expect([requests.size, own.size]).toEqual([MOST, MOST]);
    const isThere = (key: RequestKey) => own.get(key)?.heldAs === key;
    expect([1, 2, 3, 4, 6].filter(isThere)).toEqual([]);
    expect([0, 5, 7, MOST - 1, "a", "e"].filter((key) => !isThere(key))).toEqual([]);
  });

  it("are bounded together, and make room in their own connection", () => {
    const requests = new Requests();
    const connections = Array.from({ length: 20_000 }, (): Own => new Map());
    for (const key of [1, 2, 3]) for (const own of connections) ask(requests, own, key);
    expect(requests.size).toBe(MOST);
    const known = (key: number) => connections.filter((own) => own.has(key)).length;
    expect([known(1), known(2), known(3)]).toEqual([0, 12_768, 20_000]);
  });

  it("do not make room for one that is renewed, and are remembered once for each key", () => {
    const requests = new Requests();
    const own: Own = new Map();
    for (let number = 0; number < MOST; number++) ask(requests, own, number);
    const [first, fifth] = [own.get(0), own.get(5)];
    ask(requests, own, 5);
    expect([requests.size, own.get(0), own.get(5)]).toEqual([MOST, first, fifth]);
    // The oldest makes room; the one that was renewed does not.
    const other: Own = new Map();
    for (let number = 0; number < 10; number++) ask(requests, other, number);
    expect([requests.size, own.size, other.size]).toEqual([MOST, MOST - 10, 10]);
    expect([own.has(10), own.has(11), own.has(5)]).toEqual([false, true, true]);
    expect(other.get(0)).toBe(first);
  });

  it("become others one after the other, all of them", () => {
    const requests = new Requests();
    const own: Own = new Map();
    const first = requests.add(own, 0);
    for (let number = 1; number < 3 * MOST; number++) ask(requests, own, number);
    expect([requests.size, own.size]).toEqual([MOST, MOST]);
    expect(own.get(2 * MOST - 1)).toBeUndefined();
    expect(own.get(2 * MOST)).toBe(first);
    expect(first.heldAs).toBe(2 * MOST);
  });

  it("take no more memory, however often the same keys come again", () => {
    const requests = new Requests();
    const own: Own = new Map();
    const askOften = () => {
      for (let time = 0; time < 400_000; time++) ask(requests, own, `${time % 3000}`);
      return heldHeap();
    };
    const before = askOften();
    expect(askOften() - before).toBeLessThan(4e6);
  });
});
