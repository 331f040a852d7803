import { expect, it } from "vitest";
import { Undecrypted } from "../../src/remarks/undecrypted.js";

it("a reason is said once, however much is missing in each conversation", () => {
  const undecrypted = new Undecrypted();
  const see = (stream: number, text: string) => {
    const notes = [{ severity: "warning", path: "", text }] as const;
    undecrypted.see({ conversation: { stream }, protocol: "moul.auth", status: "encrypted", notes });
  };
  see(3, "encrypted, and the key exchange is incomplete");
  see(4, "encrypted, and the key exchange is incomplete; 62 more bytes are missing in 1 gap");
  see(7, "encrypted, and the key exchange is incomplete; 1 more byte is missing in 1 gap");
  expect(undecrypted.remarks()).toEqual([
    "streams 3, 4, 7 (moul.auth) are encrypted, and the key exchange is incomplete",
  ]);
});
