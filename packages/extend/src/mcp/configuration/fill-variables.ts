/** Puts values into the texts of a server: `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `{env:NAME}` and `{file:path}`. */

export type VariableParts = {
  /** Undefined for a variable that is not set, or that the file may not read. */
  readonly variable: (name: string) => string | undefined;
  /** Undefined where the file cannot be read; absent for files that may read none. */
  readonly readFile?: (path: string) => string | undefined;
};

export type Filled =
  | { readonly ok: true; readonly text: string }
  /** A sentence part about the server. */
  | { readonly ok: false; readonly reason: string };

const places = /\$\{(\w+)(?::-([^}]*))?\}|\$?\{env:([^}]+)\}|\{file:([^}]+)\}|\$\{(?:input|command|config):[^}]+\}/g;

/** What is put in is never looked at again. */
export function fillVariables(text: string, { variable, readFile }: VariableParts): Filled {
  let reason: string | undefined;
  const filled = text.replaceAll(places, (whole, name?: string, standard?: string, plain?: string, path?: string) => {
    if (name === undefined && plain === undefined && path === undefined) {
      reason ??= `only an editor can fill in ${whole}; put the value into a variable and write {env:NAME}`;
      return "";
    }
    if (path !== undefined) {
      const content = readFile?.(path);
      if (content !== undefined) return content;
      reason ??=
        readFile === undefined ? "a project may not use file contents here" : `the file ${path} cannot be read`;
      return "";
    }
    const wanted = name ?? plain ?? "";
    const value = variable(wanted);
    // As in a shell, the default also stands in for an empty value.
    if (standard !== undefined) return value === undefined || value === "" ? standard : value;
    if (value !== undefined) return value;
    reason ??= `the variable ${wanted} is not set, or it is a secret that this file may not read`;
    return "";
  });
  return reason === undefined ? { ok: true, text: filled } : { ok: false, reason };
}
