import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ObjectRow } from "../../session-api.js";
import { MessageLink } from "../message-link.js";
import { api } from "../session.js";
import { type Column, Table } from "../table.js";
import { useAnswer } from "../use-answer.js";

/** What can be saved, shown or played: downloads, pictures, voice. */
export function ObjectsView(): VNode {
  const found = useAnswer(() => api().objects(), []);
  const [open, setOpen] = useState<{ readonly row: ObjectRow; readonly url: string } | undefined>(undefined);
  useEffect(() => () => open && URL.revokeObjectURL(open.url), [open]);
  const show = async (row: ObjectRow) => {
    setOpen({ row, url: urlOf(await api().shownObject(row.id), row.type) });
  };
  const save = async (row: ObjectRow) => {
    // A type of its own only for what the page shows: this is nothing but bytes.
    const url = urlOf(await api().object(row.id), "application/octet-stream");
    const link = document.createElement("a");
    link.href = url;
    link.download = row.name.replace(/^.*[/\\]/, "");
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };
  const columns: readonly Column<ObjectRow>[] = [
    { title: "Kind", value: ({ kind }) => kind },
    { title: "Name", value: ({ name }) => name, isHead: true },
    { title: "Bytes", value: ({ bytes }) => bytes },
    {
      title: "Length",
      value: ({ seconds }) => seconds ?? -1,
      cell: ({ seconds }) => (seconds === undefined ? "" : `${seconds.toFixed(1)} s`),
    },
    { title: "State", value: ({ state }) => state },
    { title: "Message", value: ({ number }) => number, cell: ({ number }) => <MessageLink number={number} /> },
    { title: "", value: () => "", cell: (row) => <Actions row={row} onSave={save} onShow={show} /> },
  ];
  if (found === undefined) return <p class="hint">Reading…</p>;
  if (found.rows.length === 0) return <p class="hint">Nothing was transferred that can be saved.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reachable by keys
    <section class="scroller padded" aria-label="Files and voice" tabIndex={0}>
      {open !== undefined && (
        <figure class="shown-object">
          <figcaption>{open.row.name}</figcaption>
          {open.row.kind === "picture" ? (
            <img src={open.url} alt={open.row.name} class="picture" />
          ) : (
            // biome-ignore lint/a11y/useMediaCaption: nobody has written down what is said
            <audio src={open.url} controls autoplay aria-label={open.row.name} />
          )}
        </figure>
      )}
      <Table title="Files, pictures and voice" columns={columns} rows={found.rows} keyOf={({ id }) => id} />
      {found.leftOut > 0 && <p class="hint">{found.leftOut} more are left out: there are too many to keep.</p>}
    </section>
  );
}

interface ActionsProps {
  readonly row: ObjectRow;
  readonly onSave: (row: ObjectRow) => Promise<void>;
  readonly onShow: (row: ObjectRow) => Promise<void>;
}

function Actions({ row, onSave, onShow }: ActionsProps): VNode | null {
  if (row.bytes === 0) return null;
  const verb = row.kind === "picture" ? "Show" : "Play";
  return (
    <span class="actions">
      <button type="button" aria-label={`Save ${row.name}`} onClick={() => void onSave(row)}>
        Save
      </button>
      {row.type !== "" && (
        <button type="button" aria-label={`${verb} ${row.name}`} onClick={() => void onShow(row)}>
          {verb}
        </button>
      )}
    </span>
  );
}

function urlOf(bytes: Uint8Array | undefined, type: string): string {
  return URL.createObjectURL(new Blob([new Uint8Array(bytes ?? [])], { type }));
}
