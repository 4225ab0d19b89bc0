/** Proves that tools a search found are referred to where the vendor reads references, and sent as schemas elsewhere. */
import type { Message, ModelCapabilities, ToolSchema } from "@kedge/protocol";
import { expect, test } from "vitest";
import { sampleRequest } from "../../test/sample-request.ts";
import { createRequestBodies, type WireRequest } from "../wire/request-body.ts";
import { createResultGroups } from "../wire/result-groups.ts";
import { createAnthropicEncoding } from "./anthropic-request.ts";

const capabilities: ModelCapabilities = {
  tools: true,
  reasoning: "none",
  images: false,
  documents: false,
  mediaInToolResults: false,
  temperature: true,
  cacheMarks: true,
  webSearch: false,
};

const schema = (name: string, isFound = false): ToolSchema => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: "object" },
  ...(isFound && { isFound: true }),
});

const loaded = [schema("read"), schema("tool_search")];
const found = [...loaded, schema("mcp__git__log", true), schema("mcp__git__diff", true)];

const search = (callId: string, ...foundTools: readonly string[]): Message => ({
  role: "tool",
  callId,
  tool: "tool_search",
  output: `Callable from the next step:\n${foundTools.join("\n")}`,
  isError: false,
  ...(foundTools.length > 0 && { foundTools }),
});

function createBodies(toolReferences: boolean) {
  const groups = createResultGroups();
  const bodies = createRequestBodies(createAnthropicEncoding(groups.resultsOf, "5m"));
  const { model } = sampleRequest([]);
  return (messages: readonly Message[], tools: readonly ToolSchema[]) => {
    const request: WireRequest = sampleRequest(groups.gathered(messages), {
      tools,
      model: { ...model, capabilities: { ...capabilities, toolReferences } },
    });
    const { bytes, release } = bodies.lend(request);
    const text = bytes.toString();
    release();
    return text;
  };
}

const sent = (text: string) =>
  JSON.parse(text) as {
    readonly tools: readonly {
      readonly name: string;
      readonly defer_loading?: true;
      readonly cache_control?: object;
    }[];
    readonly messages: readonly { readonly content: unknown }[];
  };

const messages: readonly Message[] = [{ role: "user", text: "hi" }, search("c1", "mcp__git__log", "mcp__git__diff")];

test("a search is one reference per tool and a text, and the tools wait to be referred to", () => {
  const { tools, messages: wired } = sent(createBodies(true)(messages, found));
  expect(tools.map(({ name, defer_loading }) => [name, defer_loading])).toEqual([
    ["read", undefined],
    ["tool_search", undefined],
    ["mcp__git__log", true],
    ["mcp__git__diff", true],
  ]);
  expect(tools.flatMap(({ name, cache_control }) => (cache_control === undefined ? [] : name))).toEqual([
    "tool_search",
  ]);
  expect(wired.at(-1)).toEqual({
    role: "user",
    content: [
      {
        type: "tool_result",
        tool_use_id: "c1",
        content: [
          { type: "tool_reference", tool_name: "mcp__git__log" },
          { type: "tool_reference", tool_name: "mcp__git__diff" },
        ],
      },
      { type: "text", text: "Tool loaded." },
    ],
  });
});

test("a model that reads no references gets text and schemas, with nothing about references in the request", () => {
  const text = createBodies(false)(messages, found);
  expect(text).not.toMatch(/tool_reference|defer_loading|Tool loaded/);
  expect(sent(text).tools.map(({ name }) => name)).toEqual(found.map(({ name }) => name));
  expect(text).toContain("Callable from the next step");
});

test.each([
  ["that is gone", loaded, ["mcp__git__log"]],
  ["that every request describes", found, ["read", "mcp__git__log"]],
  ["that was found without a search", found, []],
] as const)("a tool %s is not referred to", (_, tools, names) => {
  const text = createBodies(true)([{ role: "user", text: "hi" }, search("c1", ...names)], tools);
  expect(text).not.toMatch(/tool_reference|defer_loading|Tool loaded/);
  expect(text).toContain("Callable from the next step");
});

test("what was sent stays as it is while tools are found over fifty turns", () => {
  const encode = createBodies(true);
  const log: Message[] = [{ role: "user", text: "hi" }];
  let tools: readonly ToolSchema[] = loaded;
  let before = sent(encode(log, tools));
  for (let turn = 0; turn < 50; turn += 1) {
    const name = `mcp__server__tool_${turn}`;
    log.push({
      role: "assistant",
      content: [{ type: "tool-call", callId: `c${turn}`, tool: "tool_search", inputText: "{}" }],
    });
    log.push(search(`c${turn}`, name));
    tools = [...tools, schema(name, true)];
    const now = sent(encode(log, tools));
    expect(now.tools.slice(0, before.tools.length)).toEqual(before.tools);
    expect(now.messages.slice(0, before.messages.length)).toEqual(before.messages);
    before = now;
  }
  expect(before.tools.filter(({ defer_loading }) => defer_loading)).toHaveLength(50);
});
