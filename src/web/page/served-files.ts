import type { Served, ServedFile } from "../served.js";
import type { InputFile } from "../session-api.js";

/** What the page is to open at once, as `view` or `report` have put it there; undefined if nobody has. */
export function whatIsServed(): Served | undefined {
  const text = document.getElementById("served")?.textContent ?? "";
  if (text === "") return undefined;
  // Our own program has written it.
  const served: Served = JSON.parse(text);
  return served;
}

export function inputsOf({ files }: Served): InputFile[] {
  return files.map((file) => ({ name: file.name, kind: file.kind, ...contentOf(file) }));
}

function contentOf(file: ServedFile): Pick<InputFile, "source" | "isLive"> {
  if ("path" in file) {
    // The worker has an address of its own: it needs the whole one.
    return { source: { url: new URL(file.path, document.baseURI).href }, isLive: file.isLive === true };
  }
  const bytes = Uint8Array.from(atob(file.base64), (character) => character.charCodeAt(0));
  return { source: new Blob([bytes]) };
}
