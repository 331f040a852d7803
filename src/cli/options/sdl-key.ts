import type { FileInMemory } from "../../session/files/offered-file.js";

/** The key of `--sdl-key`, in the form that a server's configuration has. */
export function sdlKeys({ sdlKey }: { readonly sdlKey?: string }): FileInMemory[] {
  return sdlKey === undefined ? [] : [{ name: "--sdl-key", bytes: Buffer.from(`Key.Droid = ${sdlKey}\n`) }];
}
