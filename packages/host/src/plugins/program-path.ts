/** What commands find in their environment beside the usual: programs of plugins, and variables that code sets. */
import { delimiter } from "node:path";
import type { HookVariables } from "../hooks/hook-variables.ts";
import type { HandedParts } from "./plugin-parts.ts";

type Variables = { readonly [name: string]: string };

type VariableSources = {
  /** Of hooks. */
  readonly left: Pick<HookVariables, "variables" | "folders"> | undefined;
  readonly code: { readonly variables: () => Variables } | undefined;
};

/** Programs of plugins, and of directories that hooks named, stand behind those of the machine: no plugin takes the place of `git`. */
export function commandVariables(programs: HandedParts["programs"], { left, code }: VariableSources) {
  return (plain: Variables): Variables => {
    const { PATH = "" } = plain;
    const folders = [...programs.map(({ folder }) => folder), ...(left?.folders() ?? [])];
    const path = [...PATH.split(delimiter).filter((entry) => entry !== ""), ...folders].join(delimiter);
    return { ...plain, ...(folders.length > 0 && { PATH: path }), ...left?.variables(), ...code?.variables() };
  };
}
