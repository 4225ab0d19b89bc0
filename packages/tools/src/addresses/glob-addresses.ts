/** Lists addresses by name as `glob` lists files. */
import { stripTerminalControls, type ToolContext, type ToolOutput } from "@kedge/protocol";
import { parseGlob } from "../searching/glob-pattern.ts";
import { wrapUntrusted } from "../web/untrusted-text.ts";
import { type Address, describeUnknown } from "./address.ts";
import { addressesOnly } from "./open-texts.ts";

export type AddressListing = { readonly title: string; readonly pattern?: string; readonly limit: number };

export async function globAddresses(
  named: readonly string[],
  { title, pattern, limit }: AddressListing,
  context: ToolContext,
): Promise<ToolOutput> {
  const refuse = (output: string): ToolOutput => ({ output, isError: true, title });
  const addresses = addressesOnly(named);
  if (typeof addresses === "string") return refuse(addresses);
  const found: string[] = [];
  let isForeign = false;
  for (const address of addresses) {
    const listed = await listNames(address, context);
    if (typeof listed === "string") return refuse(listed);
    isForeign ||= listed.isForeign;
    const fits = fittingName(address.name, pattern);
    found.push(...listed.names.filter(fits).map((name) => `${address.scheme}://${stripTerminalControls(name)}`));
  }
  const metadata = { count: Math.min(found.length, limit), truncated: found.length > limit };
  if (found.length === 0) return { output: "Nothing matches.", title, metadata };
  const more = found.length > limit ? [`(and ${found.length - limit} more)`] : [];
  const output = [...found.slice(0, limit), ...more].join("\n");
  if (!isForeign) return { output, title, metadata };
  const fenced = await context.fence(output);
  return { output: wrapUntrusted({ source: named.join(" "), origin: "stored", ...fenced }), title, metadata };
}

type Listed = { readonly names: readonly string[]; readonly isForeign: boolean };

async function listNames(address: Address, context: ToolContext): Promise<Listed | string> {
  const { scheme } = address;
  const whole = await context.addresses.read(scheme, "");
  if (whole === undefined) return describeUnknown(address, context);
  const names = await context.addresses.names(scheme);
  if (names === undefined) return `${scheme}:// cannot be searched by name. Read ${scheme}:// to list what there is.`;
  return { names, isForeign: !whole.ok || whole.isForeign };
}

/** Those below a name, or the one that has it; a pattern counts from there. */
function fittingName(below: string, pattern: string | undefined): (name: string) => boolean {
  const start = below === "" ? "" : `${below.replace(/\/$/, "")}/`;
  if (pattern === undefined) return (name) => name === below || name.startsWith(start);
  const { base, matches } = parseGlob(pattern);
  const first = base === "" ? start : `${start}${base}/`;
  return (name) => name.startsWith(first) && matches(name.slice(first.length));
}
