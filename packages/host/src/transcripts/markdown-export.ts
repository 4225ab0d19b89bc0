/** The export for reading as Markdown. Whatever was said stays in its own quotation or fence and opens nothing else. */
import { type MessageView, type PartView, withoutPlaceholder } from "@kedge/protocol";
import { textBeside } from "@kedge/protocol/text-file";
import type { PreparedExport } from "./export-source.ts";
import { collectPath } from "./message-path.ts";

export async function* writeMarkdown(prepared: PreparedExport): AsyncGenerator<string> {
  const { summary, leafId } = prepared;
  yield `# ${inLine(summary.title) || "Session"}\n\n`;
  yield `- Session: ${inLine(summary.sessionId)}\n- Directory: ${inLine(summary.directory)}\n- Model: ${inLine(summary.model)}\n`;
  yield `- Started: ${new Date(summary.createdAt).toISOString()}\n- kedge: ${inLine(prepared.kedgeVersion)}\n`;
  if (prepared.isRedacted) yield "- Secrets are redacted.\n";
  if (prepared.leftOut.length > 0) yield `- Left out: ${prepared.leftOut.join(", ")}.\n`;
  if (prepared.workSummary !== undefined) yield `\n## Work\n\n${quoted(prepared.workSummary)}\n`;
  const { path, others } = await collectPath(prepared.messages, leafId);
  for (const message of path) yield* writeMessage(message);
  if (others.length === 0) return;
  yield `\n---\n\n# Other branches\n`;
  for (const message of others) yield* writeMessage(message);
}

function* writeMessage(message: MessageView): Generator<string> {
  const parts = message.parts.map(partText).filter((text) => text !== "");
  const { failure } = message;
  if (failure !== undefined) parts.push(quoted(`Failed: ${failure.message}`));
  if (parts.length === 0) return;
  const speaker = message.isSummary ? "Summary" : message.role === "user" ? "User" : "Assistant";
  const model = message.role === "assistant" && message.model !== undefined ? ` (${inLine(message.model)})` : "";
  yield `\n## ${speaker}${model}\n\n${parts.join("\n\n")}\n`;
}

function partText(part: PartView): string {
  switch (part.type) {
    case "text":
      return quoted(withoutPlaceholder(part.text));
    case "reasoning": {
      const text = withoutPlaceholder(part.text);
      return text === "" ? "" : folded("Thinking", quoted(text));
    }
    case "tool":
      return toolText(part);
    case "file":
      return `Attached: ${inLine(part.media.name)} (${inLine(part.media.mediaType)})`;
    case "compaction":
      return `*The conversation was compacted: ${inLine(part.shortSummary)}*`;
    case "patch":
      return `Files changed:\n\n${part.files.map(({ path, status }) => `- ${status} ${inLine(path)}`).join("\n")}`;
    case "subtask":
      return folded(`Task for ${part.agent}: ${part.description}`, quoted(part.prompt));
    case "agent":
      return `Agent: ${inLine(part.name)}`;
    case "retry":
      return `*Retried after ${inLine(part.retry.code)}.*`;
    case "snapshot":
    case "step-start":
    case "step-finish":
      return "";
  }
}

function toolText({ tool, state }: Extract<PartView, { type: "tool" }>): string {
  const input = fenced(state.status === "pending" ? state.raw : state.input, "json");
  switch (state.status) {
    case "pending":
    case "running":
      return folded(`${tool} (${state.status})`, input);
    case "completed":
      return folded(
        state.title === undefined ? tool : `${tool}: ${state.title}`,
        `${input}\n\n${fenced(state.output)}`,
      );
    case "error":
      return folded(`${tool} (failed)`, `${input}\n\n${fenced(state.error)}`);
  }
}

function folded(title: string, body: string): string {
  return `<details>\n<summary>${inLine(title)}</summary>\n\n${body}\n\n</details>`;
}

/** Longer than any run of backticks in the text, which therefore cannot close it. */
function fenced(text: string, language = ""): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replaceAll(/\r\n?/g, "\n")}\n${fence}`;
}

/** A quotation ends everything that was begun in it, be it a list, a fence or a heading. */
function quoted(text: string): string {
  if (text === "") return "";
  return withoutMarkup(text)
    .split(/\r\n?|\n/)
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

/**
 * Markup is the one thing that a quotation does not end: an open comment or fold would swallow what follows. Names of
 * types in angle brackets stay as they are, because inside of code an escape would be shown.
 */
const markupNames: readonly string[] = JSON.parse(textBeside(import.meta.url, "./markup-names.json"));
const markup = new RegExp(`<(?=[!?]|/?(?:${markupNames.join("|")})(?![\\w-]))`, "gi");

function withoutMarkup(text: string): string {
  return text.replaceAll(markup, "&lt;");
}

/** For headings, lists and summaries: one line without any meaning of its own. */
function inLine(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .trim()
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/[\\`*_[\]#|~]/g, "\\$&");
}
