/** What a request looks like on the Responses wire. */
import type { AssistantBlock, Media, Message, ModelRequest, ToolCallBlock } from "@kedge/protocol";
import { mediaForm } from "../wire/media-form.ts";
import { effortWordOf, temperatureOf } from "../wire/reasoning-effort.ts";
import type { BodyEncoding, WireRequest } from "../wire/request-body.ts";
import { encodeReasoning } from "./reasoning-item.ts";
import { webSearchCall } from "./responses-event.ts";

/** Says more to the model than an empty text, which some servers reject. */
const emptyToolOutput = "(no output)";

/** What stands for the arguments of a call that has none, or whose text was cut off and is no JSON. */
const noArguments = "{}";

/** Longer keys are rejected; the beginning of one serves as well, being the same for the whole conversation. */
const cacheKeyCharactersMax = 64;

export const responsesEncoding: BodyEncoding = {
  head: (request, toolsText) =>
    `{"model":${JSON.stringify(request.model.id)},${encodeSystem(request)}${toolsText}"input":[`,
  leadingMessage: () => undefined,
  tools: encodeTools,
  message: encodeMessage,
  closing: (request) => `],${JSON.stringify(closingMembers(request)).slice(1)}`,
};

function encodeSystem({ system, systemTail = "" }: ModelRequest): string {
  const instructions = system === "" || systemTail === "" ? system + systemTail : `${system}\n\n${systemTail}`;
  return instructions === "" ? "" : `"instructions":${JSON.stringify(instructions)},`;
}

/** `store` is off: the whole conversation travels with each request, and the vendor keeps none of it. */
function closingMembers(request: WireRequest): object {
  const { capabilities } = request.model;
  const temperature = temperatureOf(request);
  const effort = effortWordOf(request);
  const searches = request.serverTools?.find(({ name }) => name === "web_search");
  return {
    max_output_tokens: request.outputTokensMax,
    ...(temperature !== undefined && { temperature }),
    ...(effort !== undefined && { reasoning: effort === "none" ? { effort } : { effort, summary: "auto" } }),
    // Models that do not think reject a request for what they thought.
    ...((capabilities?.reasoning ?? "none") !== "none" && { include: ["reasoning.encrypted_content"] }),
    ...toolChoiceMembers(request),
    ...(searches !== undefined && { max_tool_calls: searches.usesMax }),
    prompt_cache_key: request.conversationId.slice(0, cacheKeyCharactersMax),
    store: false,
    stream: request.whole !== true,
  };
}

function toolChoiceMembers({ tools, toolChoice }: ModelRequest): object {
  if (toolChoice === undefined || tools.length === 0) return {};
  const choice = "tool" in toolChoice ? { type: "function", name: toolChoice.tool } : toolChoice.use;
  return { tool_choice: choice, ...(toolChoice.parallel === false && { parallel_tool_calls: false }) };
}

/** This wire is strict about schemas unless told otherwise, and ours need not name every member as required. */
function encodeTools({ tools, serverTools = [] }: ModelRequest): string {
  if (tools.length === 0 && serverTools.length === 0) return "";
  const encoded = tools.map((tool) => ({
    type: "function",
    name: tool.name,
    description: tool.description,
    parameters: tool.inputSchema,
    strict: false,
  }));
  return `"tools":${JSON.stringify([...encoded, ...serverTools.map(({ name }) => ({ type: name }))])},`;
}

function encodeMessage(message: Message): string | undefined {
  switch (message.role) {
    case "user":
      return encodeUser(message);
    case "assistant":
      return encodeAssistant(message.content);
    case "tool":
      return JSON.stringify({
        type: "function_call_output",
        call_id: message.callId,
        output: encodeOutput(message.output, message.media ?? []),
      });
  }
}

/** What the vendor made of the history stands before what is said beside it. */
function encodeUser({ text, media = [], instead }: Extract<Message, { role: "user" }>): string {
  const said = JSON.stringify({ role: "user", content: encodeContent(text, media) });
  if (instead === undefined) return said;
  return text === "" ? instead.history.json : `${instead.history.json},${said}`;
}

function encodeOutput(output: string, media: readonly Media[]): string | readonly object[] {
  if (media.length > 0) return encodeContent(output, media);
  return output === "" ? emptyToolOutput : output;
}

function encodeContent(text: string, media: readonly Media[]): readonly object[] {
  const said = text === "" && media.length > 0 ? [] : [{ type: "input_text", text }];
  return [...said, ...media.map(encodeMedia)];
}

function encodeMedia(media: Media): object {
  const form = mediaForm(media);
  switch (form.kind) {
    case "image":
      return { type: "input_image", detail: media.detail ?? "auto", image_url: form.url };
    case "file":
      return { type: "input_file", filename: form.name, file_data: form.url };
    case "stub":
      return { type: "input_text", text: form.text };
  }
}

/** One message may become several input items, in the order of its blocks. */
function encodeAssistant(content: readonly AssistantBlock[]): string | undefined {
  const items: string[] = [];
  let text = "";
  const closeText = () => {
    if (text !== "") items.push(JSON.stringify({ role: "assistant", content: [{ type: "output_text", text }] }));
    text = "";
  };
  const addItem = (item: string | undefined) => {
    if (item === undefined) return;
    closeText();
    items.push(item);
  };
  for (const block of content) {
    switch (block.type) {
      case "text":
        text += block.text;
        break;
      case "tool-call":
        addItem(encodeCall(block));
        break;
      case "reasoning":
        addItem(encodeReasoning(block));
        break;
      case "vendor":
        if (block.kind === webSearchCall) addItem(block.json);
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
