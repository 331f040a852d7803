/** Puts a text on the clipboard. */
export function copy(text: string): void {
  // A page that came by plain HTTP from elsewhere has no such thing: browsers keep it from those.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard !== undefined) void clipboard.writeText(text);
  else copySelected(text);
}

/** Does it as people do: selects the text, and copies what is selected. */
function copySelected(text: string): void {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.style.position = "fixed";
  field.style.opacity = "0";
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
}
