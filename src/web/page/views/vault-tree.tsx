import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { VaultRow } from "../../session-api.js";
import { hasChildren } from "../panes/outline.js";
import { type LineLook, OutlineTree, withMember } from "../panes/outline-tree.js";

interface Props {
  readonly rows: readonly VaultRow[];
  readonly onChoose: (id: string) => void;
}

/** The vault as a tree. A node that belongs to several is in it several times. */
export function VaultTree({ rows, onChoose }: Props): VNode {
  const [selected, setSelected] = useState(-1);
  const [closedIds, setClosedIds] = useState<ReadonlySet<string>>(new Set());
  const closed = useMemo(
    () => new Set(rows.flatMap(({ id }, index) => (closedIds.has(id) && hasChildren(rows, index) ? [index] : []))),
    [rows, closedIds],
  );
  const id = rows[selected]?.id;
  // At another moment, the node is elsewhere, or not there at all.
  const chosen = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (chosen.current !== undefined && chosen.current !== id) {
      setSelected(rows.findIndex((row) => row.id === chosen.current));
    }
  }, [rows]);
  const choose = (index: number) => {
    const row = rows[index];
    if (row === undefined) return;
    chosen.current = row.id;
    setSelected(index);
    onChoose(row.id);
  };
  return (
    <OutlineTree
      id="vault"
      line="node"
      label="Tree of the vault"
      classes="rows mono"
      lines={rows}
      closed={closed}
      selected={selected}
      outermost={0}
      indent={8}
      look={(index) => lookOf(rows[index])}
      onChoose={choose}
      onToggle={(index, isClosed) => {
        const row = rows[index];
        if (row !== undefined) setClosedIds(withMember(closedIds, row.id, isClosed));
      }}
    />
  );
}

function lookOf(row: VaultRow | undefined): LineLook {
  if (row === undefined) return { content: null };
  const { id, title, mark } = row;
  const content = (
    <>
      <strong>{id}</strong> {title}
      {title !== "" && mark !== "" && " "}
      {mark !== "" && <span class="warning">[{mark}]</span>}
    </>
  );
  return { title: [title, mark === "" ? "" : `[${mark}]`].filter((part) => part !== "").join(" "), content };
}
