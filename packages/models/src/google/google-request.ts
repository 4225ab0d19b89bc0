/** What a request looks like on Google's generateContent wire. */
import type { AssistantBlock, Media, Message, ModelRequest, ToolCallBlock } from "@kedge/protocol";
import type { BodyEncoding } from "../wire/request-body.ts";
import type { ToolMessage } from "../wire/result-groups.ts";
import { returnedInput } from "../wire/vendor-json.ts";
import { sentCallId } from "./google-call-id.ts";
import { googleParameters } from "./google-schema.ts";
import { thinkingConfigOf } from "./google-thinking.ts";

/** What stands for the arguments of a call that has none, or whose text was cut off and is no JSON object. */
const noArguments = "{}";

/** `resultsOf` says which tool results go into one message with the given one. */
export function createGoogleEncoding(resultsOf: (first: ToolMessage) => readonly ToolMessage[]): BodyEncoding {
  return {
    head: (request, toolsText) => `{${encodeSystem(request)}${toolsText}"contents":[`,
    leadingMessage: () => undefined,
    tools: encodeTools,
    message: (message) => encodeMessage(message, resultsOf),
    closing: (request) =>
      `],${toolConfigMember(request)}"generationConfig":${JSON.stringify(generationConfig(request))}}`,
  };
}

function encodeSystem({ system, systemTail = "" }: ModelRequest): string {
  const parts = [system, systemTail].filter((text) => text !== "").map((text) => ({ text }));
  return parts.length === 0 ? "" : `"systemInstruction":${JSON.stringify({ parts })},`;
}

function generationConfig(request: ModelRequest): object {
  const { model, outputTokensMax } = request;
  const thinkingConfig = thinkingConfigOf(request);
  const takesTemperature = model.capabilities?.temperature !== false && thinkingConfig?.includeThoughts !== true;
  return {
    maxOutputTokens: outputTokensMax,
    ...(takesTemperature && model.temperature !== undefined && { temperature: model.temperature }),
    ...(thinkingConfig !== undefined && { thinkingConfig }),
  };
}

const callingModes = { auto: "AUTO", required: "ANY", none: "NONE" } as const;

/** This wire has no words for one call at most. */
function toolConfigMember({ tools, toolChoice }: ModelRequest): string {
  if (toolChoice === undefined || tools.length === 0) return "";
  const functionCallingConfig =
    "tool" in toolChoice
      ? { mode: callingModes.required, allowedFunctionNames: [toolChoice.tool] }
      : { mode: callingModes[toolChoice.use] };
  return `"toolConfig":${JSON.stringify({ functionCallingConfig })},`;
}

function encodeTools(request: ModelRequest): string {
  if (request.tools.length === 0) return "";
  const functionDeclarations = request.tools.map(({ name, description, inputSchema }) => {
    const parameters = googleParameters(inputSchema);
    return { name, description, ...(parameters === undefined ? {} : { parameters }) };
  });
  return `"tools":${JSON.stringify([{ functionDeclarations }])},`;
}

function encodeMessage(
  message: Message,
  resultsOf: (first: ToolMessage) => readonly ToolMessage[],
): string | undefined {
  switch (message.role) {
    case "user":
      return JSON.stringify({ role: "user", parts: userParts(message) });
    case "assistant":
      return encodeAssistant(message.content);
    case "tool":
      return JSON.stringify({ role: "user", parts: resultsOf(message).map(resultPart) });
  }
}

function userParts({ text, media = [] }: Extract<Message, { readonly role: "user" }>): readonly object[] {
  return [...(text === "" && media.length > 0 ? [] : [{ text }]), ...media.map(mediaPart)];
}

function mediaPart({ mediaType, base64 }: Media): object {
  return { inlineData: { mimeType: mediaType, data: base64 } };
}

/** An answer of which nothing is sent leaves no message, since an empty one is rejected. */
function encodeAssistant(content: readonly AssistantBlock[]): string | undefined {
  const parts = content.flatMap(encodeBlock);
  return parts.length === 0 ? undefined : `{"role":"model","parts":[${parts.join(",")}]}`;
}

/** Thoughts without a signature tell the vendor nothing and are not sent back. */
function encodeBlock(block: AssistantBlock): readonly string[] {
  switch (block.type) {
    case "text":
      if (block.text === "" && block.signature === undefined) return [];
      return [JSON.stringify({ text: block.text, ...signatureMember(block) })];
    case "tool-call":
      return [encodeCall(block)];
    case "reasoning":
      if (block.signature === undefined) return [];
      return [JSON.stringify({ text: block.text, thought: true, ...signatureMember(block) })];
    case "vendor":
      return [];
  }
}

/** The arguments are the model's own text, put in as it is. */
function encodeCall(call: ToolCallBlock): string {
  const named = JSON.stringify({ ...sentCallId(call.callId), name: call.tool });
  const args = returnedInput(call) ?? noArguments;
  const signature = call.signature === undefined ? "" : `,"thoughtSignature":${JSON.stringify(call.signature)}`;
  return `{"functionCall":${named.slice(0, -1)},"args":${args}}${signature}}`;
}

function signatureMember({ signature }: { readonly signature?: string }): { readonly thoughtSignature?: string } {
  return signature === undefined ? {} : { thoughtSignature: signature };
}

function resultPart({ callId, tool, output, isError, media = [] }: ToolMessage): object {
  const response = isError ? { error: output } : { output };
  const parts = media.length === 0 ? {} : { parts: media.map(mediaPart) };
  return { functionResponse: { ...sentCallId(callId), name: tool, response, ...parts } };
}
