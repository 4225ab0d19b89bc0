/** What a request looks like on the Messages wire. */
import {
  type AssistantBlock,
  isJsonObject,
  type Message,
  type ModelRequest,
  type ToolCallBlock,
} from "@kedge/protocol";
import type { BodyEncoding } from "../wire/request-body.ts";
import type { ResultGroups, ToolMessage } from "../wire/result-groups.ts";

/** Vendors reject blank text in any block, and a result must say something. */
const blankToolOutput = "(no output)";

/** What stands for the input of a call that has none, or whose text was cut off and is no JSON object. */
const noInput = "{}";

/**
 * Marks the end of a stretch that the vendor is to keep. There is one after the tools and one after the system text,
 * of the four that are allowed. Messages have none: a mark on the last of them would have to be taken away on the next
 * turn, and the bytes sent before would change.
 */
const cacheMark = { cache_control: { type: "ephemeral" } };

/** The members stand in the order in which the vendor caches them: tools, system text, messages. */
export function createAnthropicEncoding(resultsOf: ResultGroups["resultsOf"]): BodyEncoding {
  return {
    head: (request, toolsText) =>
      `{"model":${JSON.stringify(request.model.id)},"stream":true,${toolsText}${encodeSystem(request.system)}"messages":[`,
    leadingMessage: () => undefined,
    tools: encodeTools,
    message: (message) => encodeMessage(message, resultsOf),
    closing: (request) => `],"max_tokens":${request.outputTokensMax}}`,
  };
}

function encodeSystem(system: string): string {
  return isBlank(system) ? "" : `"system":[${JSON.stringify({ ...textBlock(system), ...cacheMark })}],`;
}

function encodeTools(request: ModelRequest): string {
  if (request.tools.length === 0) return "";
  const tools = request.tools.map((tool, index) => ({
    name: tool.name,
    description: tool.description,
    input_schema: tool.inputSchema,
    ...(index === request.tools.length - 1 ? cacheMark : {}),
  }));
  return `"tools":${JSON.stringify(tools)},`;
}

/** Neighbouring user texts stay messages of their own: the vendor combines them. */
function encodeMessage(message: Message, resultsOf: ResultGroups["resultsOf"]): string | undefined {
  switch (message.role) {
    case "user":
      return isBlank(message.text) ? undefined : JSON.stringify({ role: "user", content: [textBlock(message.text)] });
    case "assistant":
      return encodeAssistant(message.content);
    case "tool":
      return JSON.stringify({ role: "user", content: resultsOf(message).map(toolResult) });
  }
}

function toolResult(message: ToolMessage): object {
  return {
    type: "tool_result",
    tool_use_id: message.callId,
    content: isBlank(message.output) ? blankToolOutput : message.output.toWellFormed(),
    ...(message.isError ? { is_error: true } : {}),
  };
}

/** An answer that was nothing but reasoning leaves no message, since the vendor takes none that ends in it. */
function encodeAssistant(content: readonly AssistantBlock[]): string | undefined {
  const blocks: string[] = [];
  let answered = false;
  for (const block of content) {
    const text = encodeBlock(block);
    if (text === undefined) continue;
    blocks.push(text);
    answered ||= block.type !== "reasoning";
  }
  return answered ? `{"role":"assistant","content":[${blocks.join(",")}]}` : undefined;
}

function encodeBlock(block: AssistantBlock): string | undefined {
  switch (block.type) {
    case "text":
      return isBlank(block.text) ? undefined : JSON.stringify(textBlock(block.text));
    case "reasoning":
      // The vendor checks the signature against the text, so that one without the other is of no use to it.
      return block.signature === undefined
        ? undefined
        : JSON.stringify({ type: "thinking", thinking: block.text, signature: block.signature });
    case "tool-call":
      return `{"type":"tool_use","id":${JSON.stringify(block.callId)},"name":${JSON.stringify(block.tool)},"input":${inputOf(block)}}`;
    case "vendor":
      return block.json;
  }
}

/** The model's own text where it can stand as a value: writing it anew could order or space it differently. */
function inputOf(call: ToolCallBlock): string {
  if (call.incomplete === true) return noInput;
  try {
    return isJsonObject(JSON.parse(call.inputText)) ? call.inputText : noInput;
  } catch (error) {
    if (error instanceof SyntaxError) return noInput;
    throw error;
  }
}

/** The vendor rejects a body with half a character in it; output cut by length may end in one. */
function textBlock(text: string): object {
  return { type: "text", text: text.toWellFormed() };
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}
