/** Resources of MCP servers for what was typed of their name or address: each stands for the address it is read by. */

import type { CompletionItem } from "../prompt/completion-question.ts";
import { cleanLine } from "../screen/clean-text.ts";
import type { ClientState } from "../state/client-state.ts";
import { answered, orNothing } from "./brief-memory.ts";
import type { PathParts } from "./path-completion.ts";

const resourcesMax = 20;
const scheme = "mcp://";

export type ResourceParts = PathParts & { readonly state: () => ClientState };

/** Nobody is asked where no server is connected. As long as the servers are not known, there may be one. */
export async function completeResource(typed: string, parts: ResourceParts): Promise<readonly CompletionItem[]> {
  const { servers } = parts.state();
  const mayBeConnected = servers?.some(({ kind, state }) => kind === "mcp" && state === "connected") ?? true;
  const text = typed.startsWith(scheme) ? typed.slice(scheme.length) : typed;
  if (!mayBeConnected || typed === "") return [];
  return orNothing(parts.remember(`resource ${text}`, () => findResources(text, parts)));
}

async function findResources(text: string, { client, signal }: ResourceParts): Promise<readonly CompletionItem[]> {
  const wish = { type: "resource.find", text, limit: resourcesMax } as const;
  const { resources } = answered(await client.ask<"resource.find">(wish, { signal }));
  return resources.map(({ server, uri, name }) => {
    const value = `${scheme}${encodeURIComponent(server)}/${uri}`;
    return { value, label: cleanLine(name), detail: cleanLine(value) };
  });
}
