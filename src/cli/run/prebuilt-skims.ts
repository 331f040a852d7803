import { mayMakeCode, prebuilt, type SkimFactory, takeFactoriesFrom } from "../../schema/skim/factories.js";

/** The module with what was made when the program was built, beside that of workers. */
export const PREBUILT_SKIMS = "prebuilt-skims.js";

/**
 * Where Node.js may not make code of strings (`--disallow-code-generation-from-strings`), has messages skimmed by what
 * was made when the program was built.
 *
 * @param module `PREBUILT_SKIMS`; undefined if the program is not built
 */
export async function usePrebuiltSkims(module: URL | undefined): Promise<void> {
  if (module === undefined || mayMakeCode()) return;
  const { factories }: { readonly factories?: unknown } = await import(module.href);
  if (isFactories(factories)) takeFactoriesFrom(prebuilt(factories));
}

function isFactories(value: unknown): value is ReadonlyMap<string, SkimFactory> {
  return value instanceof Map && [...value.values()].every((factory) => typeof factory === "function");
}
