import type { KeyText } from "../session/key-files.js";

/** The key of `--sdl-key`, in the form in which a server's configuration would give it. */
export function sdlKeys({ sdlKey }: { readonly sdlKey?: string }): KeyText[] {
  return sdlKey === undefined ? [] : [{ name: "--sdl-key", bytes: Buffer.from(`Key.Droid = ${sdlKey}\n`) }];
}
