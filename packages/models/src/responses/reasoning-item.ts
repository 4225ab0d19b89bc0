/** Reasoning as this wire takes it back: an item with its id, the digest of it, and what only the vendor can read. */
import type { ReasoningBlock } from "@kedge/protocol";
import { type JsonMembers, parseJsonObject, stringOf } from "../wire/vendor-json.ts";

/** Undefined when the vendor did not give out what it needs to read the reasoning again. */
export function signatureOf(item: JsonMembers): string | undefined {
  const encrypted = stringOf(item["encrypted_content"]);
  return encrypted === "" ? undefined : JSON.stringify({ id: item["id"], encrypted_content: encrypted });
}

/** Undefined when the block is not signed, or not by `signatureOf`. */
export function encodeReasoning({ text, signature }: ReasoningBlock): string | undefined {
  const { id, encrypted_content } = parseJsonObject(signature ?? "") ?? {};
  if (encrypted_content === undefined) return undefined;
  const summary = text === "" ? [] : [{ type: "summary_text", text }];
  return JSON.stringify({ type: "reasoning", id, summary, encrypted_content });
}
