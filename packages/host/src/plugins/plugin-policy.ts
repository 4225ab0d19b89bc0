/** What a managed policy says about plugins: from which marketplaces and sources they may come. */
import { type PluginSource, sourceText } from "@kedge/extend/plugins";
import type { Settings } from "../configuration/setting-file.ts";

export type PluginOrigin = { readonly source: PluginSource; readonly marketplace?: string };

/**
 * Undefined where it may be used; otherwise a sentence without a full stop. An entry is the name of a marketplace or a
 * source, with `*` for any text. No list of allowed ones allows all, an empty one none; what is denied stays denied.
 */
export function refusedByPolicy(
  { source, marketplace }: PluginOrigin,
  policy: Settings | undefined,
): string | undefined {
  if (policy === undefined) return undefined;
  const names = [sourceText(source), ...(marketplace === undefined ? [] : [marketplace])];
  const isListed = (list: unknown) => textsOf(list).some((pattern) => names.some((name) => fits(pattern, name)));
  const { allowedMarketplaces: allowed, deniedMarketplaces: denied } = policy;
  const shown = marketplace ?? sourceText(source);
  if (isListed(denied)) return `this machine's managed policy blocks ${shown}`;
  if (allowed === undefined || isListed(allowed)) return undefined;
  return `this machine's managed policy does not allow ${shown}`;
}

function textsOf(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.map(String) : [];
}

function fits(pattern: string, text: string): boolean {
  const parts = pattern.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "i").test(text);
}
