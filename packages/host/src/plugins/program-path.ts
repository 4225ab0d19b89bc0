/** What commands find in their environment beside the usual: programs of plugins, and variables that code sets. */
import { delimiter } from "node:path";
import type { HandedParts } from "./plugin-parts.ts";

type Variables = { readonly [name: string]: string };

/** Programs of plugins stand behind those of the machine: no plugin takes the place of `git`. */
export function commandVariables(programs: HandedParts["programs"], variables: () => Variables) {
  const folders = programs.map(({ folder }) => folder);
  return (plain: Variables): Variables => {
    const { PATH = "" } = plain;
    const path = [...PATH.split(delimiter).filter((entry) => entry !== ""), ...folders].join(delimiter);
    return { ...plain, ...(folders.length > 0 && { PATH: path }), ...variables() };
  };
}
