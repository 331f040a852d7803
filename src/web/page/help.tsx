import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { keys } from "./keys.js";
import * as state from "./state.js";

/** The keys that there are. */
export function Help(): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = state.isHelpOpen.value;
  useEffect(() => {
    // Modal: the focus stays in it, and goes back to where it was.
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const close = () => {
    state.isHelpOpen.value = false;
  };
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={close}>
      {isOpen && (
        <>
          {/* The first button has the focus, and is to be seen: the beginning is read first. */}
          <header class="help-head">
            <h2 id="help-title">Keys</h2>
            <button type="button" onClick={close}>
              Close
            </button>
          </header>
          {keys.map(({ where, rows }) => (
            <table key={where}>
              <caption>{where}</caption>
              <tbody>
                {rows.map(({ key, does }) => (
                  <tr key={key}>
                    <th scope="row">
                      {key.split(", ").map((one) => (
                        <kbd key={one}>{one}</kbd>
                      ))}
                    </th>
                    <td>{does}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          ))}
        </>
      )}
    </dialog>
  );
}
