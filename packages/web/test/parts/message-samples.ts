/** Messages for tests: every place in which a text of somebody else reaches the page. */
import type { MessageView, PartBody, ToolPartState } from "@kedge/protocol";

let count = 0;

export function messageOf(parts: readonly PartBody[], fields: Partial<MessageView> = {}): MessageView {
  count += 1;
  const id = `msg_${count}`;
  return {
    ...{ id, sessionId: "ses_1", role: "assistant", createdAt: 1_000, completedAt: 9_000 },
    ...fields,
    parts: parts.map((part, index) => ({ ...part, id: `${id}.${index}`, messageId: id, time: 1_000 + index * 2_000 })),
  };
}

export function answerOf(text: string): MessageView {
  return messageOf([{ type: "text", text }]);
}

export function callOf(tool: string, input: unknown, state: Partial<ToolPartState> & object = {}): PartBody {
  const done = { status: "completed", input: JSON.stringify(input), output: "", startedAt: 1_000, endedAt: 2_500 };
  // Of one status each, as the callers write them.
  return { type: "tool", callId: `call_${tool}`, tool, state: { ...done, ...state } as ToolPartState };
}

const change = (path: string, text: string) =>
  `--- a/${path}\n+++ b/${path}\n@@ -1,2 +1,2 @@ ${text}\n keep ${text}\n-old ${text}\n+new ${text}\n`;

/** Every channel with the same text in it. */
export function channelsWith(text: string): { readonly [channel: string]: MessageView } {
  const media = { name: text, mediaType: text, base64: text };
  const vector = { name: "x.svg", mediaType: "image/svg+xml", base64: Buffer.from(text).toString("base64") };
  return {
    answer: answerOf(text),
    "answer in a list": answerOf(`- ${text.replaceAll("\n", " ")}\n- two`),
    "answer in a table": answerOf(`| a | b |\n|---|---|\n| ${text.replaceAll(/[\n|]/g, " ")} | x |`),
    "answer in code": answerOf(`\`\`\`${text.replaceAll(/[\n`]/g, "")}\n${text}\n\`\`\``),
    "answer with a link text": answerOf(`[${text.replaceAll("\n", " ")}](https://example.com)`),
    thought: messageOf([{ type: "reasoning", text }]),
    prompt: messageOf([{ type: "text", text }], { role: "user" }),
    note: messageOf([{ type: "text", text, isSynthetic: true }], { role: "user" }),
    summary: messageOf([{ type: "text", text }], { isSummary: true }),
    "shell command": messageOf([callOf("bash", { command: text }, { output: text })]),
    "shell output": messageOf([callOf("bash", { command: "ls" }, { output: `\u001b[31m${text}\u001b[0m\n${text}` })]),
    "file name": messageOf([callOf("read", { filePath: text }, { output: text, title: text })]),
    diff: messageOf([callOf("edit", { filePath: text }, { metadata: { diff: change("x.html", text) } })]),
    "file name in a diff": messageOf([
      callOf("edit", { filePath: text }, { metadata: { diff: change(text.replaceAll("\n", ""), "x") } }),
    ]),
    replacement: messageOf([callOf("write", { filePath: "x.html", content: text })]),
    search: messageOf([callOf("grep", { pattern: text }, { output: `${text.replaceAll("\n", " ")}\n  1: ${text}` })]),
    glob: messageOf([callOf("glob", { pattern: text }, { metadata: { files: [text], fileCount: 1 } })]),
    web: messageOf([callOf("webfetch", { url: text }, { output: text })]),
    todo: messageOf([callOf("todo_write", { todos: [{ content: text, status: "pending" }] })]),
    question: messageOf([callOf("question", { questions: [{ question: text, options: [{ label: text }] }] })]),
    agent: messageOf([callOf("agent", { name: text, description: text }, { output: text })]),
    "MCP call": messageOf([callOf(`mcp__${text}__${text}`, { value: text }, { output: text })]),
    "MCP title": messageOf([callOf("mcp__a__b", {}, { title: text, output: text, metadata: { isTitled: true } })]),
    "unknown tool": messageOf([callOf(text, text, { metadata: { rendered: text } })]),
    "failed call": messageOf([callOf("bash", { command: "x" }, { status: "error", error: text })]),
    "pending call": messageOf([callOf("edit", {}, { status: "pending", raw: `{"filePath":${JSON.stringify(text)}` })]),
    attachment: messageOf([{ type: "file", media }], { role: "user" }),
    picture: messageOf([callOf("read", { filePath: "x" }, { attachments: [media, vector] })]),
    failure: messageOf([], { failure: { code: "unknown", message: text, recovery: text, retryable: false } }),
    patch: messageOf([{ type: "patch", before: "t", files: [{ path: text, status: "added" }] }]),
    task: messageOf([{ type: "subtask", prompt: text, description: text, agent: text }]),
    "name of an agent": messageOf([{ type: "agent", name: text }]),
    compaction: messageOf(
      [
        {
          type: "compaction",
          trigger: "manual",
          shortSummary: text,
          tokensBefore: 9_000,
          tokensAfter: 1_000,
          itemsReplaced: 2,
          boundary: {},
        },
      ],
      { role: "user" },
    ),
  };
}
