import type { KeyText } from "../session/offered-file.js";

/** The key of `--sdl-key`, in the form in which a server's configuration would give it. */
export function sdlKeys({ sdlKey }: { readonly sdlKey?: string }): KeyText[] {
  return sdlKey === undefined ? [] : [{ name: "--sdl-key", bytes: Buffer.from(`Key.Droid = ${sdlKey}\n`) }];
}
