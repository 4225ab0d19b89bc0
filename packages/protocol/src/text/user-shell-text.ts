/** How a command of the user's own shell and its output read, on a screen and to the model. */

export type UserShellResult = {
  readonly output: string;
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
};

/** Empty when it succeeded. */
export function shellEndText({ exitCode, signal }: UserShellResult): string {
  if (exitCode === 0) return "";
  return exitCode === undefined ? `(killed by ${signal})` : `(exit code ${exitCode})`;
}

const charactersMax = 16_000;

/** The end of a long output says most; what is omitted is counted. */
export function userShellText(command: string, result: UserShellResult): string {
  const text = [`$ ${command}`, result.output.trimEnd(), shellEndText(result)].filter(Boolean).join("\n");
  const omitted = text.length - charactersMax;
  return omitted <= 0 ? text : `(${omitted.toLocaleString("en-US")} characters omitted)\n${text.slice(omitted)}`;
}
