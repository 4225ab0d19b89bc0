/** The search that vendors offer themselves, for models that have it and sessions that may search. */
import type { Model, ServerTool } from "@kedge/protocol";
import type { EngineParts } from "../parts.ts";
import { isToolAllowed } from "../permission/index.ts";

/** How often a vendor may search by itself for one answer. */
const vendorSearch: readonly ServerTool[] = [{ name: "web_search", usesMax: 5 }];

/** Decided once per run, because it is part of what a cache has. */
export function createServerTools({ rules }: Pick<EngineParts, "rules">) {
  const maySearch = isToolAllowed("websearch", rules);
  return (model: Model) => (maySearch && model.capabilities?.webSearch ? vendorSearch : undefined);
}
