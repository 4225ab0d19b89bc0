/** How many colours the terminal shows, told by its environment. */

export type ColorDepth = "24bit" | "256" | "16" | "none";

/** A terminal that names itself is taken for a modern one, for nearly all are; nobody gets colours who asked for none. */
export function colorDepth(environment: { readonly [name: string]: string | undefined }): ColorDepth {
  const has = (name: string) => (environment[name] ?? "") !== "";
  if (has("NO_COLOR")) return "none";
  if (/^(?:truecolor|24bit)$/i.test(environment["COLORTERM"] ?? "") || has("WT_SESSION")) return "24bit";
  return ["", "dumb", "linux"].includes(environment["TERM"] ?? "") ? "256" : "24bit";
}
