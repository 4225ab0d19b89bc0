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
  const tools = items.slice(0, toolsMax).map(plainTool);
  return leftOut === "some" || leftOut > 0 ? { tools, leftOut } : { tools };
}

/** What is wrong with the rest of it is found where it is offered. */
function isTool(value: unknown): value is Tool {
  if (!isJsonObject(value) || !isJsonObject(value["inputSchema"])) return false;
  return typeof value["name"] === "string" && value["name"] !== "";
}

/** Without what is not as it must be: one such member is no reason to leave the tool out. */
function plainTool(tool: Tool): Tool {
  const { name, inputSchema, description, title, annotations, outputSchema, _meta: meta }: Fields = { ...tool };
  const plain = {
    ...{ name, inputSchema },
    ...(typeof description === "string" && { description }),
    ...(typeof title === "string" && { title }),
    ...(isJsonObject(annotations) && { annotations }),
    ...(isJsonObject(outputSchema) && { outputSchema }),
    ...(isJsonObject(meta) && { _meta: meta }),
  };
  // Its name and its input were checked, and everything else just now.
  return plain as Tool;
}

type Fields = { readonly [name: string]: unknown };
