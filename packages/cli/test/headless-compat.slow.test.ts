// Proves that `--compat claude` prints the lines that clients of the Claude Agent SDK expect, whole and in order.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openWorkbench, type Workbench } from "./workbench.ts";

let bench: Workbench | undefined;

afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
const usage = (input: number, output: number) => ({
  input_tokens: input,
  output_tokens: output,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  output_tokens_details: { thinking_tokens: 0 },
  server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
  service_tier: "standard",
  speed: "standard",
  inference_geo: "",
  iterations: [],
  fallback_credit: null,
});

test("a run with a read and a refused command reads like one of Claude Code", async () => {
  bench = await openWorkbench([
    {
      toolCalls: [
        { id: "c1", name: "read", input: { filePath: "notes.txt" } },
        { id: "c2", name: "bash", input: { command: "touch made", description: "for the test" } },
      ],
      usage: { input: 100, output: 20 },
    },
    { text: "Done.", usage: { input: 150, output: 5 } },
  ]);
  writeFileSync(join(bench.project, "notes.txt"), "hello\n");
  const { code, stdout } = await bench.run(["-p", "go", "--output-format", "stream-json", "--compat", "claude"]);
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const session_id = lines[0].session_id;
  const frame = { session_id, uuid };
  const answer = { parent_tool_use_id: null, ...frame };
  const message = {
    id: expect.any(String),
    type: "message",
    role: "assistant",
    model: "mock-model",
    stop_sequence: null,
    stop_details: null,
    container: null,
    context_management: null,
    diagnostics: null,
  };
  const result = (id: string, content: unknown, isError?: true) => ({
    type: "user",
    ...answer,
    message: {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: id, content, ...(isError && { is_error: true }) }],
    },
  });
  const touch = { command: "touch made", description: "for the test" };
  expect(code).toBe(0);
  expect(lines[0]).toEqual({
    type: "system",
    subtype: "init",
    ...frame,
    apiKeySource: "none",
    claude_code_version: expect.any(String),
    cwd: expect.any(String),
    tools: expect.arrayContaining(["Bash", "Read", "Edit", "Grep"]),
    mcp_servers: [],
    model: "mock-model",
    permissionMode: "default",
    slash_commands: [],
    output_style: "default",
    skills: [],
    plugins: [],
  });
  expect(lines.slice(1)).toEqual([
    {
      type: "assistant",
      ...answer,
      message: {
        ...message,
        content: [
          { type: "tool_use", id: "c1", name: "Read", input: { file_path: "notes.txt" } },
          { type: "tool_use", id: "c2", name: "Bash", input: touch },
        ],
        stop_reason: "tool_use",
        usage: usage(100, 20),
      },
    },
    result("c1", expect.stringContaining("hello")),
    result("c2", expect.any(String), true),
    {
      type: "assistant",
      ...answer,
      message: {
        ...message,
        content: [{ type: "text", text: "Done.", citations: null }],
        stop_reason: "end_turn",
        usage: usage(150, 5),
      },
    },
    {
      type: "result",
      subtype: "success",
      is_error: false,
      ...frame,
      result: "Done.",
      duration_ms: expect.any(Number),
      duration_api_ms: expect.any(Number),
      num_turns: 2,
      stop_reason: "end_turn",
      total_cost_usd: expect.any(Number),
      usage: usage(250, 25),
      modelUsage: {
        "mock-model": {
          inputTokens: 250,
          outputTokens: 25,
          cacheReadInputTokens: 0,
          cacheCreationInputTokens: 0,
          webSearchRequests: 0,
          costUSD: expect.any(Number),
          contextWindow: 0,
          maxOutputTokens: 0,
        },
      },
      permission_denials: [{ tool_name: "Bash", tool_use_id: "c2", tool_input: touch }],
    },
  ]);
});

test("a run that stops at a limit ends in the error that its clients know", async () => {
  bench = await openWorkbench([{ toolCalls: [{ name: "read", input: { filePath: "a" } }] }, { text: "never" }]);
  const { stdout } = await bench.run([
    ...["-p", "go", "--max-turns", "1"],
    ...["--output-format", "stream-json", "--compat", "claude"],
  ]);
  const last = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
  expect(last).toMatchObject({ type: "result", subtype: "error_max_turns", is_error: true, errors: [] });
  expect(last).not.toHaveProperty("result");
});

test("with --include-partial-messages the pieces of an answer are printed before it", async () => {
  const argv = ["-p", "go", "--output-format", "stream-json", "--include-partial-messages"];
  const script = [
    { text: "Let me look.", toolCalls: [{ id: "c1", name: "read", input: { filePath: "notes.txt" } }] },
    { text: "Done." },
  ];
  bench = await openWorkbench([...script, ...script]);
  writeFileSync(join(bench.project, "notes.txt"), "hello\n");
  const linesOf = async (more: readonly string[]) =>
    (await bench?.run([...argv, ...more]))?.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)) ?? [];

  const own = await linesOf([]);
  const pieces = own.filter(({ type }) => type === "partial");
  const said = (of: string) => pieces.flatMap((line) => (line.of === of ? [line.text] : [])).join("");
  expect(said("text")).toBe("Let me look.Done.");
  expect(JSON.parse(said("tool_input"))).toEqual({ filePath: "notes.txt" });
  expect(own.findIndex(({ type }) => type === "partial")).toBeLessThan(
    own.findIndex(({ type }) => type === "assistant"),
  );

  const foreign = await linesOf(["--compat", "claude"]);
  // As the types of the package have them: the end of a stream repeats fewer counts than a message has.
  expect(foreign.find(({ event }) => event?.type === "message_delta").event).toEqual({
    type: "message_delta",
    delta: { stop_reason: "tool_use", stop_sequence: null, stop_details: null, container: null },
    usage: {
      ...{ input_tokens: 100, output_tokens: 20, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
      output_tokens_details: { thinking_tokens: 0 },
      server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
      iterations: [],
      fallback_credit: null,
    },
    context_management: null,
  });
  expect(replayed(foreign)).toEqual(
    foreign.flatMap(({ type, message }) =>
      type === "assistant"
        ? [{ content: message.content, stop_reason: message.stop_reason, usage: message.usage }]
        : [],
    ),
  );
  for (const line of foreign.filter(({ type }) => type === "stream_event")) {
    expect(line).toEqual({
      type: "stream_event",
      event: expect.any(Object),
      parent_tool_use_id: null,
      ...frameOf(line),
    });
  }
  const wrong = await bench.run(["-p", "go", "--include-partial-messages"]);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain("--include-partial-messages needs --output-format stream-json.");
});

const frameOf = ({ session_id }: { readonly session_id: string }) => ({ session_id, uuid });

/** Messages as a client of Anthropic's stream puts them together. */
// biome-ignore lint/suspicious/noExplicitAny: lines of a program, compared as they are.
function replayed(lines: readonly any[]): readonly object[] {
  const messages: object[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  let message: any;
  let json = "";
  for (const { type, event } of lines) {
    if (type !== "stream_event") continue;
    if (event.type === "message_start") message = { content: [], usage: event.message.usage };
    else if (event.type === "content_block_start") {
      json = "";
      expect(event.index).toBe(message.content.length);
      message.content.push({ ...event.content_block });
    } else if (event.type === "content_block_delta") {
      const block = message.content[event.index];
      if (event.delta.type === "text_delta") block.text += event.delta.text;
      else json += event.delta.partial_json;
    } else if (event.type === "content_block_stop") {
      const block = message.content[event.index];
      if (block.type === "tool_use") block.input = JSON.parse(json);
    } else if (event.type === "message_delta") {
      message = {
        content: message.content,
        stop_reason: event.delta.stop_reason,
        usage: { ...message.usage, ...event.usage },
      };
    } else if (event.type === "message_stop") messages.push(message);
  }
  return messages;
}
