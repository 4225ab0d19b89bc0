/** What a scheme of our own is: a list of names, and the text behind each. */
import type { AddressAnswer, AddressCaller } from "@kedge/protocol";

export type OwnSchemeName = "kedge" | "local" | "history" | "memory" | "rule" | "skill";

export type SchemeEntry = { readonly name: string; readonly about: string };

export type OwnScheme = {
  readonly list: (caller: AddressCaller) => Promise<readonly SchemeEntry[]>;
  /** Undefined if there is none of that name. */
  readonly text: (name: string, caller: AddressCaller) => Promise<string | undefined>;
  /** Nobody here vouches for its texts and names. */
  readonly isForeign: boolean;
  readonly write?: (name: string, text: string, caller: AddressCaller) => Promise<string | undefined>;
};

const namesMax = 200;
const nearMax = 20;

export async function readScheme(
  scheme: string,
  name: string,
  { list, text, isForeign }: OwnScheme,
  caller: AddressCaller,
): Promise<AddressAnswer> {
  if (name === "") return { ok: true, text: listText(scheme, await list(caller)), isForeign };
  const found = await text(name, caller);
  if (found !== undefined) return { ok: true, text: found, isForeign };
  const entries = (await list(caller)).slice(0, nearMax).map((entry) => `${scheme}://${entry.name}`);
  const there = entries.length === 0 ? "Nothing is stored yet." : `Examples: ${entries.join(", ")}`;
  return { ok: false, problem: `${scheme}://${name} does not exist. ${there}` };
}

function listText(scheme: string, entries: readonly SchemeEntry[]): string {
  if (entries.length === 0) return `(${scheme}:// is empty)`;
  const rows = entries
    .slice(0, namesMax)
    .map(({ name, about }) => `${scheme}://${name}${about === "" ? "" : `  ${about}`}`);
  return [...rows, ...(entries.length > namesMax ? [`(and ${entries.length - namesMax} more)`] : [])].join("\n");
}
