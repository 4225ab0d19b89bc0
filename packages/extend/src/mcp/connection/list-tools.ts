/** The tools of a server, also where one of them is not as the protocol wants it: that one costs itself alone. */
import { isJsonObject } from "@kedge/protocol";
import { type Client, SdkError, SdkErrorCode, type StandardSchemaV1, type Tool } from "@modelcontextprotocol/client";
import { connectMs, toolsMax } from "./limits.ts";

const pagesMax = 64;

/** One tool is not as it must be, or there is no end of pages: what there is can be used all the same. */
const patientCodes: ReadonlySet<string> = new Set([SdkErrorCode.InvalidResult, SdkErrorCode.ListPaginationExceeded]);

export type ListedTools = { readonly tools: readonly Tool[]; readonly leftOut?: number | "some" };

export async function listTools(client: Client): Promise<ListedTools> {
  try {
    return bounded((await client.listTools({}, { timeout: connectMs })).tools.filter(isTool), false);
  } catch (error) {
    if (!(error instanceof SdkError) || !patientCodes.has(error.code)) throw error;
  }
  const tools: Tool[] = [];
  let cursor: string | undefined;
  let isWhole = false;
  for (let page = 0; page < pagesMax; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const { tools: listed, nextCursor } = await client.request({ method: "tools/list", params }, anyObject, {
      timeout: connectMs,
    });
    if (Array.isArray(listed)) tools.push(...listed.filter(isTool));
    const next = typeof nextCursor === "string" && nextCursor !== cursor ? nextCursor : undefined;
    isWhole = next === undefined;
    if (isWhole || tools.length >= toolsMax) break;
    cursor = next;
  }
  return bounded(tools, !isWhole);
}

/** How many are left out is known only where the list has come to its end. */
function bounded(tools: readonly Tool[], hasMore: boolean): ListedTools {
  const leftOut = hasMore ? "some" : tools.length - toolsMax;
  return leftOut === "some" || leftOut > 0 ? { tools: tools.slice(0, toolsMax), leftOut } : { tools };
}

type Fields = { readonly [name: string]: unknown };

/** Checked where its members are used. */
export const anyObject: StandardSchemaV1<Fields, Fields> = {
  "~standard": {
    version: 1,
    vendor: "kedge",
    validate: (value) => (isJsonObject(value) ? { value } : { issues: [{ message: "must be an object" }] }),
  },
};

/** What is wrong with the rest of it is found where it is offered. */
function isTool(value: unknown): value is Tool {
  if (!isJsonObject(value) || !isJsonObject(value["inputSchema"])) return false;
  return typeof value["name"] === "string" && value["name"] !== "";
}
