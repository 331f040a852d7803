/** Made by build/declared-sources.ts. */
declare module "virtual:declared-sources" {
  /** Where what has a name is declared, and what that is made from. */
  export const declaredSources: ReadonlyMap<string, readonly { readonly file: string; readonly source: string }[]>;
}
