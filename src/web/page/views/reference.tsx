import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { LayoutField, ReferenceEntry, ReferencePage } from "../../session-api.js";
import { api, applyFilter, goTo } from "../session.js";
import * as state from "../state.js";

/** Most names in the list at once: more typing makes it shorter. */
const MOST_LISTED = 300;

/** What is declared: every message, class and type with its layout. */
export function ReferenceView(): VNode {
  const [entries, setEntries] = useState<readonly ReferenceEntry[]>([]);
  const [wanted, setWanted] = useState("");
  const [page, setPage] = useState<ReferencePage | undefined>(undefined);
  const name = state.referenceName.value;
  useEffect(() => {
    void api().references().then(setEntries);
  }, []);
  useEffect(() => {
    if (name !== "") void api().reference(name).then(setPage);
  }, [name]);
  const listed = useMemo(() => {
    const lower = wanted.toLowerCase();
    return entries.filter(({ name, doc }) => name.toLowerCase().includes(lower) || doc.toLowerCase().includes(lower));
  }, [entries, wanted]);
  return (
    <section class="reference" aria-label="Protocol reference">
      <nav class="reference-list" aria-label="Messages, classes and types">
        <input
          type="search"
          aria-label="Search names and descriptions"
          placeholder={`Search ${entries.length} messages, classes and types`}
          value={wanted}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reachable by keys */}
        <ul class="scroller" tabIndex={0} aria-label="Names">
          {listed.slice(0, MOST_LISTED).map((entry) => (
            <li key={`${entry.protocol} ${entry.name}`}>
              <button
                type="button"
                class={entry.name === name ? "link chosen" : "link"}
                onClick={() => {
                  state.referenceName.value = entry.name;
                }}
              >
                {entry.name}
              </button>{" "}
              <span class="faint">{entry.protocol}</span>
            </li>
          ))}
          {listed.length === 0 && entries.length > 0 && <li class="faint">Nothing is called so.</li>}
          {listed.length > MOST_LISTED && <li class="faint">and {listed.length - MOST_LISTED} more</li>}
        </ul>
      </nav>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: as above */}
      <article class="scroller" tabIndex={0} aria-label="Layout">
        {page === undefined ? <p class="hint">Choose a name to see its layout.</p> : <Page page={page} />}
      </article>
    </section>
  );
}

function Page({ page }: { readonly page: ReferencePage }): VNode {
  const { name, protocol, directions, doc, sources, fields, usedBy, example } = page;
  return (
    <>
      <h2>{name}</h2>
      <p>
        <span class="faint">{[protocol, ...directions].join(", ")}</span> {doc}
      </p>
      <p>
        {example === undefined ? (
          <span class="faint">None in this capture.</span>
        ) : (
          <>
            <button type="button" onClick={() => void show(example)}>
              Show one (#{example})
            </button>{" "}
            <button
              type="button"
              onClick={() => {
                state.view.value = "messages";
                void applyFilter(name);
              }}
            >
              List all
            </button>
          </>
        )}
      </p>
      <ByteDiagram fields={fields} />
      <table class="layout">
        <caption>Fields, in the order of their bytes</caption>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Type</th>
            <th scope="col">Bytes</th>
            <th scope="col">Present</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <FieldRow key={`${field.path} ${field.when} ${field.kind}`} field={field} />
          ))}
        </tbody>
      </table>
      {sources.map(({ file, source }) => (
        <p key={file} class="faint">
          {source === "" ? "" : `Source: ${source}. `}Declared in {file}.
        </p>
      ))}
      {usedBy.length > 0 && (
        <p>
          Used by{" "}
          {usedBy.map((user) => (
            <Refers key={user} name={user} />
          ))}
        </p>
      )}
    </>
  );
}

async function show(number: number): Promise<void> {
  state.view.value = "messages";
  await goTo(number);
}

function FieldRow({ field }: { readonly field: LayoutField }): VNode {
  const { path, kind, bytes, count, when, meaning, names, doc, refers } = field;
  return (
    <tr>
      <th scope="row">{path}</th>
      <td>
        {refers === undefined ? kind : <Refers name={refers} />}
        {count !== "" && ` × ${count}`}
      </td>
      <td>{bytes}</td>
      <td>{when === "" ? "always" : <code>{when}</code>}</td>
      <td>
        {doc}{" "}
        {names.length === 0 ? (
          <span class="faint">{meaning}</span>
        ) : (
          <details>
            <summary>{names.length === 1 ? "1 name" : `${names.length} names`}</summary>
            <ul class="names">
              {names.map(({ number, name }) => (
                <li key={`${number} ${name}`}>
                  <code>{number}</code> {name}
                </li>
              ))}
            </ul>
          </details>
        )}
      </td>
    </tr>
  );
}

function Refers({ name }: { readonly name: string }): VNode {
  return (
    <>
      <button
        type="button"
        class="link"
        onClick={() => {
          state.referenceName.value = name;
        }}
      >
        {name}
      </button>{" "}
    </>
  );
}

/** The fields of the first level as boxes, as wide as they are long, or as their names need; those whose length varies are dashed. */
function ByteDiagram({ fields }: { readonly fields: readonly LayoutField[] }): VNode {
  return (
    <ol class="byte-diagram" aria-label="Bytes">
      {fields
        .filter(({ path, kind }) => !path.includes(".") && kind !== "derived")
        .map(({ path, bytes, when, kind }) => {
          const length = Number(bytes);
          const isFixed = bytes !== "" && Number.isInteger(length) && when === "";
          const width = bytes !== "" && Number.isInteger(length) ? Math.min(16, Math.max(1, length)) : 4;
          return (
            <li
              key={`${path} ${when} ${kind}`}
              class={isFixed ? "" : "varies"}
              style={{ minWidth: `min(100%, ${width * 44}px)` }}
              title={when === "" ? "" : `if ${when}`}
            >
              <span>{path}</span>
              <small>{bytes === "" ? "…" : bytes}</small>
            </li>
          );
        })}
    </ol>
  );
}
