let trusted = false;

/**
 * Says whether the declarations to come are known to be without mistakes: those of the built-in protocols, which tests
 * check, so that not every run has to, whose start would take a fifth longer.
 */
export function trustDeclarations(trust: boolean): void {
  trusted = trust;
}

/** True if declarations need not be checked now. */
export function areTrusted(): boolean {
  return trusted;
}
