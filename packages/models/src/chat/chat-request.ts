/** What a request looks like on the Chat Completions wire. */
import type { AssistantBlock, Media, Message, ModelRequest, Quirk, ToolCallBlock } from "@kedge/protocol";
import { mediaForm } from "../wire/media-form.ts";
import { effortWordOf, temperatureOf } from "../wire/reasoning-effort.ts";
import type { BodyEncoding, WireRequest } from "../wire/request-body.ts";
import { createReturnedReasoning } from "./returned-reasoning.ts";

/** Vendors reject a tool result without text. */
const emptyToolOutput = "(no output)";

/** What stands for the arguments of a call that has none, or whose text was cut off and is no JSON. */
const noArguments = "{}";

/** Sent where a conversation with calls needs a tool and there is none; nothing answers to its name. */
const placeholderTool = {
  type: "function",
  function: {
    name: "_noop",
    description: "Does nothing. Never call it.",
    parameters: { type: "object", properties: {} },
  },
};

export const chatEncoding: BodyEncoding = {
  head: (request, toolsText) => `{"model":${JSON.stringify(request.model.id)},${toolsText}"messages":[`,
  leadingMessage: encodeSystem,
  tools: encodeTools,
  message: encodeMessage,
  closing: (request) => `],${JSON.stringify(closingMembers(request)).slice(1)}`,
};

/** One message for both texts, because many vendors take only one. */
function encodeSystem({ system, systemTail = "" }: ModelRequest): string | undefined {
  const content = system === "" || systemTail === "" ? system + systemTail : `${system}\n\n${systemTail}`;
  return content === "" ? undefined : JSON.stringify({ role: "system", content });
}

function closingMembers(request: WireRequest): object {
  const limit = request.outputTokensMax;
  const temperature = temperatureOf(request);
  const effort = effortWordOf(request);
  return {
    ...(has(request, "max-completion-tokens") ? { max_completion_tokens: limit } : { max_tokens: limit }),
    ...(temperature !== undefined && { temperature }),
    ...(effort !== undefined && { reasoning_effort: effort }),
    ...toolChoiceMembers(request),
    ...(needsPlaceholderTool(request) && { tools: [placeholderTool] }),
    ...streaming(request),
  };
}

/** A choice without tools is an error to some vendors. */
function toolChoiceMembers({ tools, toolChoice }: ModelRequest): object {
  if (toolChoice === undefined || tools.length === 0) return {};
  const choice = "tool" in toolChoice ? { type: "function", function: { name: toolChoice.tool } } : toolChoice.use;
  return { tool_choice: choice, ...(toolChoice.parallel === false && { parallel_tool_calls: false }) };
}

function streaming(request: WireRequest): object {
  if (request.whole === true) return { stream: false };
  if (has(request, "no-stream-options")) return { stream: true };
  return { stream: true, stream_options: { include_usage: true } };
}

/** It stands after the messages: whether there is one depends on them. */
function needsPlaceholderTool(request: ModelRequest): boolean {
  if (request.tools.length > 0 || !has(request, "tools-after-calls")) return false;
  return request.messages.some(
    (message) => message.role === "assistant" && message.content.some((block) => block.type === "tool-call"),
  );
}

function has(request: ModelRequest, quirk: Quirk): boolean {
  return request.model.quirks?.includes(quirk) === true;
}

/** An empty list is an error to some vendors, so without tools there is no such member at all. */
function encodeTools(request: ModelRequest): string {
  if (request.tools.length === 0) return "";
  const tools = request.tools.map((tool) => ({
    type: "function",
    function: { name: tool.name, description: tool.description, parameters: tool.inputSchema },
  }));
  return `"tools":${JSON.stringify(tools)},`;
}

/** A tool result has no place for media on this wire; whoever arranged the conversation put them elsewhere. */
function encodeMessage(message: Message): string | undefined {
  switch (message.role) {
    case "user":
      return JSON.stringify({ role: "user", content: userContent(message.text, message.media ?? []) });
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

/** Plain text wherever it is enough: not every vendor takes a list. */
function userContent(text: string, media: readonly Media[]): string | readonly object[] {
  if (media.length === 0) return text;
  return [...(text === "" ? [] : [{ type: "text", text }]), ...media.map(encodeMedia)];
}

function encodeMedia(media: Media): object {
  const form = mediaForm(media);
  switch (form.kind) {
    case "image":
      return { type: "image_url", image_url: { url: form.url, ...(media.detail && { detail: media.detail }) } };
    case "file":
      return { type: "file", file: { filename: form.name, file_data: form.url } };
    case "stub":
      return { type: "text", text: form.text };
  }
}

/**
 * Reasoning goes back only in the form its signature asks for. An answer without text and calls leaves no message,
 * since an empty one is rejected. Vendor blocks are unknown to this wire.
 */
function encodeAssistant(content: readonly AssistantBlock[]): string | undefined {
  let text = "";
  const calls: ToolCallBlock[] = [];
  const reasoning = createReturnedReasoning();
  for (const block of content) {
    switch (block.type) {
      case "text":
        text += block.text;
        break;
      case "tool-call":
        calls.push(block);
        reasoning.addCall(block);
        break;
      case "reasoning":
        text += reasoning.add(block);
        break;
      case "vendor":
        break;
    }
  }
  if (text === "" && calls.length === 0) return undefined;
  return JSON.stringify({
    role: "assistant",
    content: text === "" ? null : text,
    ...reasoning.members(),
    ...(calls.length > 0 && { tool_calls: calls.map(encodeCall) }),
  });
}

function encodeCall(call: ToolCallBlock): object {
  const unusable = call.incomplete === true || call.inputText === "";
  return {
    id: call.callId,
    type: "function",
    function: { name: call.tool, arguments: unusable ? noArguments : call.inputText },
  };
}
