import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ObjectRow } from "../../session-api.js";
import { MessageLink } from "../message-link.js";
import { api } from "../session.js";
import { useAnswer } from "../use-answer.js";

/** What can be saved, shown or played: downloads, pictures, voice. */
export function ObjectsView(): VNode {
  const rows = useAnswer<readonly ObjectRow[]>(() => api().objects(), []) ?? [];
  const [open, setOpen] = useState<{ readonly row: ObjectRow; readonly url: string } | undefined>(undefined);
  useEffect(() => () => open && URL.revokeObjectURL(open.url), [open]);
  const show = async (row: ObjectRow) => {
    setOpen({ row, url: urlOf(await api().shownObject(row.index), row.type) });
  };
  const save = async (row: ObjectRow) => {
    // A type of its own only for what the page shows: this is nothing but bytes.
    const url = urlOf(await api().object(row.index), "application/octet-stream");
    const link = document.createElement("a");
    link.href = url;
    link.download = row.name.replace(/^.*[/\\]/, "");
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reachable by keys
    <section class="scroller padded" aria-label="Files and voice" tabIndex={0}>
      {rows.length === 0 && <p class="hint">Nothing was transferred that can be saved.</p>}
      {open !== undefined &&
        (open.row.kind === "picture" ? (
          <img src={open.url} alt={open.row.name} class="picture" />
        ) : (
          // biome-ignore lint/a11y/useMediaCaption: nobody has written down what is said
          <audio src={open.url} controls autoplay aria-label={open.row.name} />
        ))}
      <table>
        <caption>Files, pictures and voice</caption>
        <tbody>
          {rows.map((row) => (
            <tr key={row.index}>
              <td>{row.kind}</td>
              <th scope="row">{row.name}</th>
              <td class="figure">{row.bytes === undefined ? "" : `${row.bytes} bytes`}</td>
              <td>{row.state}</td>
              <td>
                <MessageLink number={row.number} />
              </td>
              <td class="actions">
                <button type="button" aria-label={`Save ${row.name}`} onClick={() => void save(row)}>
                  Save
                </button>
                {row.type !== "" && (
                  <button
                    type="button"
                    aria-label={`${row.kind === "picture" ? "Show" : "Play"} ${row.name}`}
                    onClick={() => void show(row)}
                  >
                    {row.kind === "picture" ? "Show" : "Play"}
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function urlOf(bytes: Uint8Array | undefined, type: string): string {
  return URL.createObjectURL(new Blob([new Uint8Array(bytes ?? [])], { type }));
}
