import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { openMore } from "./session.js";

/** Opens files that were chosen or dropped. */
export function openFiles(files: Iterable<File>): void {
  const inputs = Array.from(files, (file) => ({ name: file.name, source: file }));
  if (inputs.length > 0) void openMore(inputs);
}

/** What the page shows while nothing is open. */
export function OpenPanel(): VNode {
  return (
    <main class="open-panel">
      <h1>moul-dissect</h1>
      <p>
        Drop a capture of Myst Online: Uru Live or BZFlag here (pcap or pcapng, also compressed), together with key
        files and <code>.sdl</code> files if you have them, or later.
      </p>
      <p>
        <OpenButton title="Open files…" />
      </p>
      <p class="faint">
        Everything is read in this tab. Nothing is uploaded, and nothing is kept once the tab is closed. Encrypted
        sessions need the keys of the shard: see <code>moul-dissect keys --help</code>.
      </p>
    </main>
  );
}

/** A button that lets one choose files. */
export function OpenButton({ title }: { readonly title: string }): VNode {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class="open-button" onClick={() => input.current?.click()}>
        {title}
      </button>
      <input
        ref={input}
        id="files"
        type="file"
        multiple
        hidden
        aria-label="Captures, key files and definition files"
        onChange={(event) => {
          openFiles(event.currentTarget.files ?? []);
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}
