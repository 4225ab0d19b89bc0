/** What one message of a conversation looks like on the Messages wire. */
import type { AssistantBlock, Media, Message } from "@kedge/protocol";
import type { ResultGroups, ToolMessage } from "../wire/result-groups.ts";
import { returnedInput } from "../wire/vendor-json.ts";
import { loadedBlock } from "./tool-references.ts";

/** Vendors reject blank text in any block, and a result must say something. */
const blankToolOutput = "(no output)";

/** What stands for the input of a call that has none, or whose text was cut off and is no JSON object. */
const noInput = "{}";

/** Neighbouring messages of one role stay messages of their own: the vendor combines them. */
export function encodeMessage(
  message: Message,
  resultsOf: ResultGroups["resultsOf"],
  referencesOf: (result: ToolMessage) => readonly object[],
): string | undefined {
  switch (message.role) {
    case "user": {
      // The vendor understands a text better when what it speaks of stands before it.
      const content = [...mediaBlocks(message.media), ...textBlocks(message.text)];
      return content.length === 0 ? undefined : JSON.stringify({ role: "user", content });
    }
    case "assistant":
      return encodeAssistant(message.content);
    case "tool":
      return JSON.stringify({ role: "user", content: resultBlocks(resultsOf(message), referencesOf) });
  }
}

export function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** The vendor rejects a body with half a character in it; output cut by length may end in one. */
export function textBlock(text: string): object {
  return { type: "text", text: text.toWellFormed() };
}

function textBlocks(text: string): readonly object[] {
  return isBlank(text) ? [] : [textBlock(text)];
}

/** All results stand first, and those that are errors hold text only: otherwise the vendor rejects the message. */
function resultBlocks(
  results: readonly ToolMessage[],
  referencesOf: (result: ToolMessage) => readonly object[],
): readonly object[] {
  const references = results.map(referencesOf);
  return [
    ...results.map((result, at) => ({
      type: "tool_result",
      tool_use_id: vendorCallId(result.callId),
      content: references[at]?.length ? references[at] : resultContent(result),
      ...(result.isError ? { is_error: true } : {}),
    })),
    ...results.flatMap((result) => (result.isError ? mediaBlocks(result.media) : [])),
    ...(references.some((blocks) => blocks.length > 0) ? [loadedBlock] : []),
  ];
}

function resultContent({ output, isError, media = [] }: ToolMessage): string | readonly object[] {
  if (media.length === 0 || isError) return isBlank(output) ? blankToolOutput : output.toWellFormed();
  return [...textBlocks(output), ...mediaBlocks(media)];
}

function mediaBlocks(media: readonly Media[] = []): readonly object[] {
  return media.map(({ name, mediaType, base64 }) => {
    const source = { type: "base64", media_type: mediaType, data: base64 };
    if (mediaType.startsWith("image/")) return { type: "image", source };
    if (mediaType === "application/pdf") return { type: "document", source, ...(isBlank(name) ? {} : { title: name }) };
    return textBlock(`(${name}: content of type ${mediaType} cannot be shown to this model)`);
  });
}

/** What follows the last block that is no reasoning is left out, since the vendor takes no message that ends in it. */
function encodeAssistant(content: readonly AssistantBlock[]): string | undefined {
  const blocks: string[] = [];
  let sendable = 0;
  for (const block of content) {
    const text = encodeBlock(block);
    if (text === undefined) continue;
    blocks.push(text);
    if (!isReasoning(block)) sendable = blocks.length;
  }
  return sendable === 0 ? undefined : `{"role":"assistant","content":[${blocks.slice(0, sendable).join(",")}]}`;
}

function isReasoning(block: AssistantBlock): boolean {
  return block.type === "reasoning" || (block.type === "vendor" && block.kind === "redacted_thinking");
}

function encodeBlock(block: AssistantBlock): string | undefined {
  switch (block.type) {
    case "text": {
      if (isBlank(block.text)) return undefined;
      const text = JSON.stringify(textBlock(block.text));
      // The signature of a text is the list of its citations, as this wire read it.
      return block.signature === undefined ? text : `${text.slice(0, -1)},"citations":${block.signature}}`;
    }
    case "reasoning":
      // The vendor checks the signature against the text, so that one without the other is of no use to it.
      return block.signature === undefined
        ? undefined
        : JSON.stringify({ type: "thinking", thinking: block.text, signature: block.signature });
    case "tool-call":
      return `{"type":"tool_use","id":"${vendorCallId(block.callId)}","name":${JSON.stringify(block.tool)},"input":${returnedInput(block) ?? noInput}}`;
    case "vendor":
      return block.json;
  }
}

/** Ids that another vendor gave may hold characters that this one rejects. */
function vendorCallId(callId: string): string {
  return callId.replaceAll(/[^a-zA-Z0-9_-]/g, "_");
}
