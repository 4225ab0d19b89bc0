/** Which blocks of an answer the asked model may see again: what another model signed or thought means nothing to it. */
import type { AssistantBlock, TextBlock, ToolCallBlock } from "@kedge/protocol";
import { isBlank, wellFormedJson, wellFormedText } from "./well-formed-text.ts";

/** The same array when all of it may be sent. `own` says that the model that is asked wrote it. */
export function sendableBlocks(
  content: readonly AssistantBlock[],
  { own }: { readonly own: boolean },
): readonly AssistantBlock[] {
  const kept: AssistantBlock[] = [];
  let changed = false;
  for (const block of content) {
    const sendable = sendableBlock(block, own);
    if (sendable !== undefined) kept.push(sendable);
    changed ||= sendable !== block;
  }
  // An answer may not end in thoughts: vendors want to see what the model made of them.
  while (kept.at(-1)?.type === "reasoning") {
    kept.pop();
    changed = true;
  }
  return changed ? kept : content;
}

function sendableBlock(block: AssistantBlock, own: boolean): AssistantBlock | undefined {
  switch (block.type) {
    case "text":
      return sendableText(block, own);
    case "reasoning": {
      if (!own || (block.signature === undefined && isBlank(block.text))) return undefined;
      const text = wellFormedText(block.text);
      return text === block.text ? block : { ...block, text };
    }
    case "tool-call":
      return sendableCall(block, own);
    case "vendor":
      return own ? block : undefined;
  }
}

/** A signature may stand on a text without characters, and is then all the block is for. */
function sendableText(block: TextBlock, own: boolean): TextBlock | undefined {
  const signed = own && block.signature !== undefined;
  if (!signed && isBlank(block.text)) return undefined;
  const text = wellFormedText(block.text);
  if (signed || block.signature === undefined) return text === block.text ? block : { ...block, text };
  return isBlank(text) ? undefined : { type: "text", text };
}

function sendableCall(block: ToolCallBlock, own: boolean): ToolCallBlock {
  const inputText = wellFormedJson(block.inputText);
  if (own || block.signature === undefined) return inputText === block.inputText ? block : { ...block, inputText };
  const { signature: _foreign, ...unsigned } = block;
  return { ...unsigned, inputText };
}
