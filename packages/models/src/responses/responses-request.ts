/** What a request looks like on the Responses wire. */
import type { AssistantBlock, Message, ModelRequest, ToolCallBlock } from "@kedge/protocol";
import type { BodyEncoding } from "../wire/request-body.ts";

/** Says more to the model than an empty text, which some servers reject. */
const emptyToolOutput = "(no output)";

/** What stands for the arguments of a call that has none, or whose text was cut off and is no JSON. */
const noArguments = "{}";

/** `store` is off: the whole conversation travels with each request, and the vendor keeps none of it. */
export const responsesEncoding: BodyEncoding = {
  head: (request, toolsText) =>
    `{"model":${JSON.stringify(request.model.id)},${encodeSystem(request)}"stream":true,"store":false,${toolsText}"input":[`,
  leadingMessage: () => undefined,
  tools: encodeTools,
  message: encodeMessage,
  closing: (request) => `],"max_output_tokens":${request.outputTokensMax}}`,
};

function encodeSystem(request: ModelRequest): string {
  return request.system === "" ? "" : `"instructions":${JSON.stringify(request.system)},`;
}

/** This wire is strict about schemas unless told otherwise, and ours need not name every member as required. */
function encodeTools(request: ModelRequest): string {
  if (request.tools.length === 0) return "";
  const tools = request.tools.map((tool) => ({
    type: "function",
    name: tool.name,
    description: tool.description,
    parameters: tool.inputSchema,
    strict: false,
  }));
  return `"tools":${JSON.stringify(tools)},`;
}

function encodeMessage(message: Message): string | undefined {
  switch (message.role) {
    case "user":
      return JSON.stringify({ role: "user", content: [{ type: "input_text", text: message.text }] });
    case "assistant":
      return encodeAssistant(message.content);
    case "tool":
      return JSON.stringify({
        type: "function_call_output",
        call_id: message.callId,
        output: message.output === "" ? emptyToolOutput : message.output,
      });
  }
}

/**
 * One message may become several input items, in the order of its blocks. Reasoning is not sent back: the vendor takes
 * only its own encrypted form of it, for which the contract's blocks have no place.
 */
function encodeAssistant(content: readonly AssistantBlock[]): string | undefined {
  const items: string[] = [];
  let text = "";
  const closeText = () => {
    if (text !== "") items.push(JSON.stringify({ role: "assistant", content: [{ type: "output_text", text }] }));
    text = "";
  };
  for (const block of content) {
    switch (block.type) {
      case "text":
        text += block.text;
        break;
      case "tool-call":
        closeText();
        items.push(encodeCall(block));
        break;
      case "reasoning":
        break;
    }
  }
  closeText();
  return items.length === 0 ? undefined : items.join(",");
}

function encodeCall(call: ToolCallBlock): string {
  const unusable = call.incomplete === true || call.inputText === "";
  return JSON.stringify({
    type: "function_call",
    call_id: call.callId,
    name: call.tool,
    arguments: unusable ? noArguments : call.inputText,
  });
}
