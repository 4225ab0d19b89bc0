/** What a request looks like on Google's generateContent wire. */
import {
  type AssistantBlock,
  isJsonObject,
  type Message,
  type ModelRequest,
  type ToolCallBlock,
} from "@kedge/protocol";
import type { BodyEncoding } from "../wire/request-body.ts";
import type { ToolMessage } from "../wire/result-groups.ts";
import { sentCallId } from "./google-call-id.ts";
import { googleParameters } from "./google-schema.ts";

/** What stands for the arguments of a call that has none, or whose text was cut off and is no JSON object. */
const noArguments = "{}";

/** `resultsOf` says which tool results go into one message with the given one. */
export function createGoogleEncoding(resultsOf: (first: ToolMessage) => readonly ToolMessage[]): BodyEncoding {
  return {
    head: (request, toolsText) => `{${encodeSystem(request.system)}${toolsText}"contents":[`,
    leadingMessage: () => undefined,
    tools: encodeTools,
    message: (message) => encodeMessage(message, resultsOf),
    closing: (request) => `],"generationConfig":{"maxOutputTokens":${request.outputTokensMax}}}`,
  };
}

function encodeSystem(system: string): string {
  return system === "" ? "" : `"systemInstruction":${JSON.stringify({ parts: [{ text: system }] })},`;
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
      return JSON.stringify({ role: "user", parts: [{ text: message.text }] });
    case "assistant":
      return encodeAssistant(message.content);
    case "tool":
      return JSON.stringify({ role: "user", parts: resultsOf(message).map(resultPart) });
  }
}

/** Reasoning is not sent back; an answer that was nothing else leaves no message, since an empty one is rejected. */
function encodeAssistant(content: readonly AssistantBlock[]): string | undefined {
  const parts = content.flatMap(encodeBlock);
  return parts.length === 0 ? undefined : `{"role":"model","parts":[${parts.join(",")}]}`;
}

function encodeBlock(block: AssistantBlock): readonly string[] {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [JSON.stringify({ text: block.text })];
    case "tool-call":
      return [encodeCall(block)];
    case "reasoning":
    case "vendor":
      return [];
  }
}

/** The arguments are the model's own text, put in as it is. */
function encodeCall(call: ToolCallBlock): string {
  const named = JSON.stringify({ ...sentCallId(call.callId), name: call.tool });
  const args = call.incomplete !== true && isObjectText(call.inputText) ? call.inputText : noArguments;
  return `{"functionCall":${named.slice(0, -1)},"args":${args}}}`;
}

function resultPart({ callId, tool, output, isError }: ToolMessage): object {
  const response = isError ? { error: output } : { output };
  return { functionResponse: { ...sentCallId(callId), name: tool, response } };
}

function isObjectText(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
