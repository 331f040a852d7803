import { render } from "preact";
import { App } from "./app.js";
import { inputsOf, whatIsServed } from "./served-files.js";
import { api, applyFilter, open } from "./session.js";

const root = document.getElementById("app");
if (root !== null) {
  render(<App />, root);
  const served = whatIsServed();
  if (served !== undefined) void open(inputsOf(served), served).then(() => applyFilter(served.filter ?? ""));
}

/** For the browser's console, and for tests: `await moulDissect().rows(0, 10)`. See `SessionApi`. */
Object.assign(globalThis, { moulDissect: api });
