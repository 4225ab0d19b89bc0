// How each wire says which tool a model may, must or must not call.
import type { ModelRequest, ToolChoice } from "@kedge/protocol";
import { expect, test } from "vitest";
import { createPromptWriter } from "../src/ai-sdk/sdk-prompt.ts";
import { createAnthropicEncoding } from "../src/anthropic/anthropic-request.ts";
import { readRow } from "../src/catalogue/catalogue-row.ts";
import { describeModel } from "../src/catalogue/describe-model.ts";
import { chatEncoding } from "../src/chat/chat-request.ts";
import { createGoogleEncoding } from "../src/google/google-request.ts";
import { responsesEncoding } from "../src/responses/responses-request.ts";
import { type BodyEncoding, createRequestBodies } from "../src/wire/request-body.ts";
import { sampleRequest } from "./sample-request.ts";

const tools = [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }] as const;

const requestWith = (toolChoice: ToolChoice | undefined, changes: Partial<ModelRequest> = {}) =>
  sampleRequest([{ role: "user", text: "hi" }], { tools, ...(toolChoice && { toolChoice }), ...changes });

function bodyOf(encoding: BodyEncoding, request: ModelRequest): { readonly [member: string]: unknown } {
  return JSON.parse(createRequestBodies(encoding).lend(request).bytes.toString());
}

const anthropic = createAnthropicEncoding(() => [], "off");
const google = createGoogleEncoding(() => []);
const memberNames = { chat: "tool_choice", responses: "tool_choice", anthropic: "tool_choice", google: "toolConfig" };

function choicesOf(request: ModelRequest) {
  const sdk = createPromptWriter()(request, "v4", new AbortController().signal);
  return {
    chat: bodyOf(chatEncoding, request)[memberNames.chat],
    responses: bodyOf(responsesEncoding, request)[memberNames.responses],
    anthropic: bodyOf(anthropic, request)[memberNames.anthropic],
    google: bodyOf(google, request)[memberNames.google],
    sdk: sdk.toolChoice,
  };
}

const googleChoice = (mode: string, names?: readonly string[]) => ({
  functionCallingConfig: { mode, ...(names && { allowedFunctionNames: names }) },
});

test.each([
  [{ use: "auto" }, "auto", { type: "auto" }, googleChoice("AUTO")],
  [{ use: "required" }, "required", { type: "any" }, googleChoice("ANY")],
  [{ use: "none" }, "none", { type: "none" }, googleChoice("NONE")],
] as const)("%j in the words of each vendor", (choice, openAi, anthropicChoice, googleConfig) => {
  expect(choicesOf(requestWith(choice))).toEqual({
    chat: openAi,
    responses: openAi,
    anthropic: anthropicChoice,
    google: googleConfig,
    sdk: { type: choice.use },
  });
});

test("one tool is demanded by its name", () => {
  expect(choicesOf(requestWith({ tool: "read" }))).toEqual({
    chat: { type: "function", function: { name: "read" } },
    responses: { type: "function", name: "read" },
    anthropic: { type: "tool", name: "read" },
    google: googleChoice("ANY", ["read"]),
    sdk: { type: "tool", toolName: "read" },
  });
});

test("one call at most is asked for where the wire has words for it", () => {
  const request = requestWith({ use: "auto", parallel: false });
  expect(bodyOf(chatEncoding, request)).toMatchObject({ parallel_tool_calls: false });
  expect(bodyOf(responsesEncoding, request)).toMatchObject({ parallel_tool_calls: false });
  expect(bodyOf(anthropic, request)["tool_choice"]).toEqual({ type: "auto", disable_parallel_tool_use: true });
  const none = requestWith({ use: "none", parallel: false });
  expect(bodyOf(anthropic, none)["tool_choice"]).toEqual({ type: "none" });
});

test("nothing is said without a choice or without tools", () => {
  const nothing = { chat: undefined, responses: undefined, anthropic: undefined, google: undefined, sdk: undefined };
  expect(choicesOf(requestWith(undefined))).toEqual(nothing);
  expect(choicesOf(requestWith({ use: "required" }, { tools: [] }))).toEqual(nothing);
});

test("a model that thinks is not forced where the vendor rejects that", () => {
  const { model } = sampleRequest([]);
  const capabilities = {
    tools: true,
    reasoning: "adaptive",
    images: false,
    documents: false,
    mediaInToolResults: false,
    temperature: true,
    cacheMarks: true,
    webSearch: false,
  } as const;
  const request = requestWith({ tool: "read" }, { model: { ...model, capabilities }, reasoning: { effort: "high" } });
  expect(bodyOf(anthropic, request)["tool_choice"]).toEqual({ type: "auto" });
});

test("the bytes up to the closing members do not depend on the choice", () => {
  for (const encoding of [chatEncoding, responsesEncoding, anthropic, google]) {
    const free = createRequestBodies(encoding).lend(requestWith(undefined)).bytes.toString();
    const forced = createRequestBodies(encoding)
      .lend(requestWith({ tool: "read" }))
      .bytes.toString();
    const messagesEnd = free.indexOf('"hi"') + 10;
    expect(forced.slice(0, messagesEnd - 6)).toBe(free.slice(0, messagesEnd - 6));
  }
});

test("the catalogue says where no call may be demanded", () => {
  const line = { id: "a", api: "openai-chat", models: { plain: {}, fixed: { forcedToolChoice: false } } };
  const row = readRow(JSON.stringify(line));
  const forcedOf = (id: string) =>
    describeModel({ ref: `a/${id}`, provider: "a", id }, { row, setting: undefined, api: "openai-chat" }).capabilities
      ?.forcedToolChoice;
  expect([forcedOf("plain"), forcedOf("fixed")]).toEqual([undefined, false]);
});
