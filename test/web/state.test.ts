import { beforeEach, describe, expect, it } from "vitest";
import * as state from "../../src/web/page/state.js";

describe("what the page shows of the list", () => {
  beforeEach(() => {
    state.shown.value = { generation: 0, count: 0, lookedAt: 0 };
    state.listVersion.value = 0;
  });

  it("does not go back to what was told earlier, and has come later", () => {
    const all = { generation: 1, count: 14, lookedAt: 574 };
    state.showList(all);
    state.showList({ generation: 1, count: 3, lookedAt: 200 });
    state.showList({ generation: 0, count: 574, lookedAt: 574 });
    expect(state.shown.value).toBe(all);
    expect(state.listVersion.value).toBe(1);
  });

  it("is another list after each filter, also of the same length", () => {
    state.showList({ generation: 1, count: 14, lookedAt: 574 });
    state.showList({ generation: 2, count: 14, lookedAt: 574 });
    expect(state.listVersion.value).toBe(2);
  });

  it("is the same list while nothing more passes", () => {
    state.showList({ generation: 1, count: 14, lookedAt: 500 });
    state.showList({ generation: 1, count: 14, lookedAt: 574 });
    expect(state.shown.value.lookedAt).toBe(574);
    expect(state.listVersion.value).toBe(1);
  });
});
