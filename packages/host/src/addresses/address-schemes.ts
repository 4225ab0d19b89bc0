/** The addresses that a session can read: what each holds is known at once, the rest is loaded when one is read. */
import type { AddressScheme } from "@kedge/protocol";
import type { OwnSchemeName } from "./scheme.ts";
import type { SchemeParts } from "./schemes.ts";

const rows: readonly { readonly name: OwnSchemeName; readonly holds: string }[] = [
  { name: "kedge", holds: "the documentation of kedge" },
  { name: "local", holds: "scratch files of this session, which write can make" },
  { name: "history", holds: "earlier sessions of this project" },
  { name: "memory", holds: "what is remembered of this project" },
  { name: "rule", holds: "rules of this project and of the user" },
  { name: "skill", holds: "skills and their files" },
];

export function createAddressSchemes(parts: SchemeParts): readonly AddressScheme[] {
  const load = async (name: OwnSchemeName) => (await import("./schemes.ts")).openScheme(name, parts);
  return rows.map(({ name, holds }) => ({
    name,
    holds,
    read: async (text, caller) => (await load(name)).read(text, caller),
    // Whole sessions by the hundred are searched by their index, with memory_search.
    ...(name !== "history" && {
      names: async (caller) => (await (await load(name)).list(caller)).map((entry) => entry.name),
    }),
    ...(name === "local" && {
      write: async (target, text, caller) => (await load(name)).write?.(target, text, caller),
    }),
  }));
}
