/** What a request looks like on the Chat Completions wire. */
import type { AssistantBlock, Message, ModelRequest, ToolCallBlock } from "@kedge/protocol";
import type { BodyEncoding } from "../wire/request-body.ts";

/** Vendors reject a tool result without text. */
const emptyToolOutput = "(no output)";

/** What stands for the arguments of a call that has none, or whose text was cut off and is no JSON. */
const noArguments = "{}";

export const chatEncoding: BodyEncoding = {
  head: (request, toolsText) =>
    `{"model":${JSON.stringify(request.model.id)},"stream":true,"stream_options":{"include_usage":true},${toolsText}"messages":[`,
  leadingMessage: (request) =>
    request.system === "" ? undefined : JSON.stringify({ role: "system", content: request.system }),
  tools: encodeTools,
  message: encodeMessage,
  closing: (request) => `],"max_tokens":${request.outputTokensMax}}`,
};

/** An empty list is an error to some vendors, so without tools there is no such member at all. */
function encodeTools(request: ModelRequest): string {
  if (request.tools.length === 0) return "";
  const tools = request.tools.map((tool) => ({
    type: "function",
    function: { name: tool.name, description: tool.description, parameters: tool.inputSchema },
  }));
  return `"tools":${JSON.stringify(tools)},`;
}

function encodeMessage(message: Message): string | undefined {
  switch (message.role) {
    case "user":
      return JSON.stringify({ role: "user", content: message.text });
    case "assistant":
      return encodeAssistant(message.content);
    case "tool":
      return JSON.stringify({
        role: "tool",
        tool_call_id: message.callId,
        content: message.output === "" ? emptyToolOutput : message.output,
      });
  }
}

/** Reasoning is not sent back; an answer that was nothing else leaves no message, since an empty one is rejected. */
function encodeAssistant(content: readonly AssistantBlock[]): string | undefined {
  let text = "";
  const calls: ToolCallBlock[] = [];
  for (const block of content) {
    if (block.type === "text") text += block.text;
    else if (block.type === "tool-call") calls.push(block);
  }
  if (text === "" && calls.length === 0) return undefined;
  const message = { role: "assistant", content: text === "" ? null : text };
  return JSON.stringify(calls.length === 0 ? message : { ...message, tool_calls: calls.map(encodeCall) });
}

function encodeCall(call: ToolCallBlock): object {
  const unusable = call.incomplete === true || call.inputText === "";
  return {
    id: call.callId,
    type: "function",
    function: { name: call.tool, arguments: unusable ? noArguments : call.inputText },
  };
}
