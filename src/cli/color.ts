/** The option of commands whose output may have colours. */
export interface ColorOptions {
  readonly color: "auto" | "always" | "never";
}

/** Whether a stream gets colours. `auto` honours NO_COLOR, FORCE_COLOR, TERM=dumb and whether it is a terminal. */
export function takesColor(choice: ColorOptions["color"], isTerminal: boolean, env: NodeJS.ProcessEnv): boolean {
  if (choice !== "auto") return choice === "always";
  if (env["NO_COLOR"]) return false;
  const force = env["FORCE_COLOR"];
  if (force !== undefined) return force !== "0" && force !== "false";
  return isTerminal && env["TERM"] !== "dumb";
}
