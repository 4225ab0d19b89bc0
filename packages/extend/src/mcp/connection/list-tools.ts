/** The tools of a server, also where one of them is not as the protocol wants it: that one costs itself alone. */
import { isJsonObject } from "@kedge/protocol";
import type { Client, Tool } from "@modelcontextprotocol/client";
import { connectMs, toolsMax } from "./limits.ts";
import { listPages } from "./list-pages.ts";

export type ListedTools = { readonly tools: readonly Tool[]; readonly leftOut?: number | "some" };

export async function listTools(client: Client): Promise<ListedTools> {
  const whole = async () => (await client.listTools({}, { timeout: connectMs })).tools;
  const { items, hasMore } = await listPages(client, whole, {
    ...{ method: "tools/list", field: "tools", itemsMax: toolsMax, isItem: isTool },
    idOf: ({ name }) => name,
  });
  // How many are left out is known only where the list has come to its end.
  const leftOut = hasMore ? "some" : items.length - toolsMax;
  return leftOut === "some" || leftOut > 0 ? { tools: items.slice(0, toolsMax), leftOut } : { tools: items };
}

/** What is wrong with the rest of it is found where it is offered. */
function isTool(value: unknown): value is Tool {
  if (!isJsonObject(value) || !isJsonObject(value["inputSchema"])) return false;
  return typeof value["name"] === "string" && value["name"] !== "";
}
