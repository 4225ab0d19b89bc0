/** How the Responses wire is asked to shorten a conversation, and what its answer means. */
import { isJsonObject } from "@kedge/protocol";
import type { BodyEncoding } from "../wire/request-body.ts";
import { type JsonMembers, parseJsonObject, stringOf } from "../wire/vendor-json.ts";
import type { CompactedItems, WireCompaction } from "../wire/wire-compaction.ts";
import { readUsage } from "./responses-event.ts";
import { responsesEncoding } from "./responses-request.ts";

const charactersPerToken = 4;
/** A picture or a document that was carried over. */
const tokensPerMedium = 2_000;

/** This place takes the model, the instructions and the conversation, and rejects what else a request has. */
const encoding: BodyEncoding = { ...responsesEncoding, tools: () => "", closing: () => "]}" };

export const responsesCompaction: WireCompaction = { path: "/responses/compact", encoding, read: readCompaction };

/** The list goes back as it came, with the messages that the vendor left standing before the sealed element. */
function readCompaction(text: string): CompactedItems | undefined {
  const answer = parseJsonObject(text);
  const output: unknown = answer?.["output"];
  if (answer === undefined || !Array.isArray(output) || !output.every(isJsonObject)) return undefined;
  if (!output.some(isSealed)) return undefined;
  const usage = readUsage(answer["usage"]);
  const plain = output.filter((item) => !isSealed(item)).reduce((sum, item) => sum + tokensOf(item), 0);
  return {
    json: output.map((item) => JSON.stringify(item)).join(","),
    // The vendor reports what it wrote, and part of that were thoughts.
    tokens: Math.ceil(Math.max(0, usage.output - usage.reasoning) + plain),
    usage,
  };
}

function isSealed(item: JsonMembers): boolean {
  const isOfKind = item["type"] === "compaction" || item["type"] === "compaction_summary";
  return isOfKind && stringOf(item["encrypted_content"]) !== "";
}

function tokensOf({ content }: JsonMembers): number {
  if (typeof content === "string") return content.length / charactersPerToken;
  if (!Array.isArray(content)) return 0;
  return content.filter(isJsonObject).reduce((sum, part) => {
    const said = part["text"];
    return sum + (typeof said === "string" ? said.length / charactersPerToken : tokensPerMedium);
  }, 0);
}
