/** Programs of plugins on the search path of commands, behind those of the machine: no plugin takes the place of `git`. */
import { delimiter } from "node:path";

type Variables = { readonly [name: string]: string };

export function withPrograms(environment: Variables, folders: readonly string[]): Variables {
  if (folders.length === 0) return environment;
  const { PATH = "" } = environment;
  return {
    ...environment,
    PATH: [...PATH.split(delimiter).filter((entry) => entry !== ""), ...folders].join(delimiter),
  };
}
