/** The texts that a search over addresses looks into: one by its address, or all of a scheme. */
import type { ToolContext } from "@kedge/protocol";
import type { PathsInput } from "../searching/search-input.ts";
import { type Address, describeUnknown, parseAddress } from "./address.ts";

export type NamedText = { readonly address: string; readonly text: string; readonly isForeign: boolean };

const textsMax = 200;

/** What a call names, if it names an address among it; undefined if it names none. */
export function namedAddresses({ path, paths }: PathsInput): readonly string[] | undefined {
  const named = [...(path === undefined ? [] : [path]), ...(paths ?? [])];
  return named.some((text) => parseAddress(text) !== undefined) ? named : undefined;
}

/** A sentence if one of them cannot be searched. */
export function addressesOnly(named: readonly string[]): readonly Address[] | string {
  const addresses = named.flatMap((text) => parseAddress(text) ?? []);
  if (addresses.length < named.length) return "Search addresses and files in separate calls.";
  const wild = addresses.find(({ name }) => /[*?]/.test(name));
  if (wild === undefined) return addresses;
  const { scheme, name } = wild;
  return `${scheme}://${name}: an address takes no pattern; name one text, or search ${scheme}://.`;
}

/** A scheme alone stands for all of its texts. A sentence if there are none. */
export async function openTexts(
  named: readonly string[],
  context: Pick<ToolContext, "addresses">,
): Promise<readonly NamedText[] | string> {
  const addresses = addressesOnly(named);
  if (typeof addresses === "string") return addresses;
  const texts: NamedText[] = [];
  for (const address of addresses) {
    const opened = await openOne(address, context);
    if (typeof opened === "string") return opened;
    texts.push(...opened);
  }
  return texts;
}

async function openOne(
  address: Address,
  context: Pick<ToolContext, "addresses">,
): Promise<readonly NamedText[] | string> {
  const { scheme, name } = address;
  const names = name === "" ? await context.addresses.names(scheme) : [name];
  if (names !== undefined && names.length > textsMax) return `${scheme}:// has more than ${textsMax} texts; name one.`;
  const texts: NamedText[] = [];
  for (const each of names ?? [name]) {
    const answer = await context.addresses.read(scheme, each);
    if (answer === undefined) return describeUnknown(address, context);
    if (!answer.ok) return answer.problem;
    texts.push({ address: `${scheme}://${each}`, text: answer.text, isForeign: answer.isForeign });
  }
  return texts;
}
