import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { Requests } from "../../../../dissectors/moul/connection/requests.js";

/** As many as are remembered. */
const MOST = 32_768;

function ask(requests: Requests, key: string): void {
  requests.renewed(key).key = key;
}

describe("the requests of a run", () => {
  it("make room for others in the order in which they came last", () => {
    const requests = new Requests();
    for (let number = 0; number < MOST; number++) ask(requests, `${number}`);
    // From the start, the middle and the end of the order.
    for (const key of ["0", "5", `${MOST - 1}`, "5"]) ask(requests, key);
    for (const key of ["a", "b", "c", "d", "e"]) ask(requests, key);
    expect(requests.size).toBe(MOST);
    const isThere = (key: string) => requests.get(key)?.key === key;
    expect(["1", "2", "3", "4", "6"].filter(isThere)).toEqual([]);
    expect(["0", "5", "7", `${MOST - 1}`, "a", "e"].filter((key) => !isThere(key))).toEqual([]);
  });

  it("become others one after the other, all of them", () => {
    const requests = new Requests();
    for (let number = 0; number < 3 * MOST; number++) ask(requests, `${number}`);
    expect(requests.size).toBe(MOST);
    expect(requests.get(`${2 * MOST - 1}`)).toBeUndefined();
    expect(requests.get(`${2 * MOST}`)?.key).toBe(`${2 * MOST}`);
  });

  it("take no more memory, however often the same keys come again", () => {
    setFlagsFromString("--expose-gc");
    const collect: () => void = runInNewContext("gc");
    const requests = new Requests();
    const askOften = () => {
      for (let time = 0; time < 400_000; time++) ask(requests, `${time % 3000}`);
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = askOften();
    expect(askOften() - before).toBeLessThan(4e6);
  });
});
